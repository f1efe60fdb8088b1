"""Year, venue and identifiers of the paper, from the PDF's metadata and the head and foot of its first page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from scholartools.readers.common.page import Line, Span
from scholartools.readers.references.publication import MONTH, Finding, arxiv_in, doi_in, venue_in, year_in

_XMP = (
    ("doi", re.compile(r"<(?:prism|pdfx|crossmark):doi>([^<]{5,200})</", re.IGNORECASE)),
    ("doi", re.compile(r"""\b(?:prism|pdfx|crossmark):doi=["']([^"'<]{5,200})["']""", re.IGNORECASE)),
    ("venue", re.compile(r"<prism:publicationName>([^<]{3,200})</")),
    ("year", re.compile(r"<prism:(?:coverDate|publicationDate)>([^<]{4,40})</")),
)
_READ = {"doi": doi_in, "venue": venue_in, "year": year_in, "arxiv": arxiv_in}

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DOI = r"(?:doi:?\s?|https?://(?:dx\.)?doi\.org/)(?P<doi>10\.\d{4,9}/\S+)"
_PNAS = r"www\.pnas\.org/cgi/doi/(?P<doi>10\.1073/\S+)"
_DATE = rf"(?:\d{{1,2}} {MONTH}|{MONTH} \d{{1,2}},) (?:19|20)\d\d"
# Patterns for lines of the head and the foot of a first page, matched from the start of a line.
_LINES = tuple(
    re.compile(pattern)
    for pattern in (
        # "31st Conference on Neural Information Processing Systems (NIPS 2017), Long Beach, CA, USA."
        rf"(?P<venue>\d{{1,2}}(?:st|nd|rd|th) [A-Z][\w ,&’'-]{{8,120}} \([A-Za-z]{{3,12}} ?{_YEAR}\))",
        # "Future Internet 2014, 6, 61-75; doi:10.3390/fi6010061"
        rf"(?P<venue>[A-Z][A-Za-z &:]{{2,60}}) {_YEAR}, \d{{1,4}}(?:\(\d{{1,3}}\))?, [\d–-]{{1,15}}(?:; (?i:{_DOI}))?",
        # "Proceedings of Machine Learning Research vol 95:1–16, 2018", "JMLR: Workshop and Conference Proceedings ..."
        rf"(?P<venue>(?:JMLR: )?[A-Z][A-Za-z &]{{4,80}}?)(?: vol\.?)? \d{{1,4}}:\d{{1,6}}[–-]\d{{1,6}}, {_YEAR}"
        r"(?=\Z| [A-Z])",
        r"(?P<venue>JMLR: Workshop and Conference Proceedings|Proceedings of Machine Learning Research)"
        rf" vol\.? ?\d{{1,4}} \({_YEAR}\) [\d.]{{1,8}}[–-][\d.]{{1,8}}",
        # "Journal of Farms 12 (2019) 100–110"
        rf"(?P<venue>[A-Z][A-Za-z &:]{{4,80}}) \d{{1,4}} \({_YEAR}\) \d{{1,7}}(?:[–-]\d{{1,6}})?\b"
        rf"(?:[;,.]? (?i:{_DOI}))?",
        # "IEEE TRANSACTIONS ON FARMS, VOL. 12, NO. 3, MARCH 2019"
        rf"(?i:(?P<venue>[a-z][a-z &:,-]{{4,100}}), vol\. ?\d{{1,4}}, no\. ?\d{{1,4}},(?: [a-z/–-]{{3,20}})?"
        rf" {_YEAR}\b)",
        # "CHASE’18, May 27, 2018, Gothenburg, Sweden"
        rf"(?P<venue>[A-Z][A-Za-z&-]{{1,20}} ?[’']\d\d), {MONTH} [\d–, -]{{1,12}}{_YEAR}, [A-Z]",
        # "PLOS Computational Biology | https://doi.org/10.1371/journal.pcbi.1005510 June 22, 2017 1 / 20"
        rf"(?P<venue>PLO?S [A-Z][A-Za-z ]{{2,40}}) \| {_DOI} {MONTH} \d{{1,2}}, {_YEAR}",
        # "1234–1239 | PNAS | March 2, 2018 | vol. 115 | no. 9 www.pnas.org/cgi/doi/10.1073/pnas.1", and the reverse
        rf"(?:[\d–-]{{3,13}} \| )?(?P<venue>PNAS) \| {MONTH} \d{{1,2}}, {_YEAR} \| vol\. \d{{1,4}} \| no\. \d{{1,3}}"
        rf"(?: \| [\d–-]{{1,13}})?(?: {_PNAS})?",
        rf"{_PNAS}(?: (?P<venue>PNAS) \| {MONTH} \d{{1,2}}, {_YEAR} \||\Z)",
        # "PNAS 2021 Vol. 118 No. 5 e2012345118 https://doi.org/10.1073/pnas.2012345118 | 1 of 10"
        rf"(?P<venue>PNAS) {_YEAR} Vol\. \d{{1,4}} No\. \d{{1,3}} e\d{{5,12}}(?: {_DOI})?",
        # "SCIENTIFIC REPORTS | (2018) 8:1234 | DOI:10.1038/s41598-018-12345-6"
        rf"(?P<venue>[A-Z][A-Za-z &]{{4,60}}) \|(?: \({_YEAR}\))? \d{{1,4}}: ?\d{{1,6}} \| (?i:{_DOI})",
        # "Published as a conference paper at ICLR 2018"
        rf"Published as a conference paper at (?P<venue>[A-Z][A-Za-z]{{2,12}} {_YEAR})\Z",
        # "© 2020 ACM. ISBN 978-1-4503-7023-3/20/04. https://doi.org/10.1145/3366423.3380123"
        rf"(?:©|\([cC]\) |Copyright |IS[BS]N )[^;]{{4,200}}?\s(?i:{_DOI})\Z",
        # "https://doi.org/10.1234/abc | Received 3 May 2019", "https://doi.org/10.1371/journal.pone.1 March 2, 2018"
        rf"(?i:{_DOI})(?:\Z|[|;,.]? (?:\| )?(?=(?i:received|accepted|published|available|www\.|https?:|©|copyright)"
        rf"|{_DATE}"
        r"|\d{1,3} ?(?:/|of) ?\d{1,3}\Z))",
    )
)
# A DOI that may continue on the next line: after a slash it does, after a full stop or a hyphen this is unknown.
_OPEN_DOI = re.compile(r"\S*\b10\.\d{4,9}/(?:\S*[._/-])?\Z")
_REST_OF_DOI = re.compile(r"(?=\D*\d)[\w.()/-]+")
# "Received 3 May 2017; accepted 1 January 2018; published 2 March 2018"
_PUBLISHED = re.compile(
    rf"(?:(?:received|accepted|revised)\b[^()]{{4,120}}?[;,.|] ?)?published(?: online)?(?: on)?:? {_DATE}\.?\Z",
    re.IGNORECASE,
)
# Subject in the metadata by publishers: "Journal of Farms, 12 (2018) 100-110. doi:10.1016/j.jf.2018.01.002"
_SUBJECT = re.compile(rf"(?:[^\n]{{0,150}}[\s,;.|])?(?i:{_DOI})\s*\Z")
# "bioRxiv preprint doi: https://doi.org/10.1101/2020.03.04.977777; this version posted March 5, 2020. The"
_POSTED = re.compile(
    rf"(?P<venue>bioRxiv|medRxiv) preprint doi: https?://(?:dx\.)?doi\.org/(?P<doi>10\.(?:1101|64898)/[\w.]+) ?; "
    rf"this version posted {MONTH} \d{{1,2}}, {_YEAR}\b"
)
_PROCEEDINGS = re.compile(
    rf"(?P<venue>Proceedings of (?:the )?[A-Z0-9][^.;()©]{{10,220}}?), pages? \d+[–-]\d+,?\s(?:.{{0,80}}?\s)??"
    rf"(?:{MONTH}|[A-Z][a-z]{{2}}\.?) \d{{1,2}}(?: ?[–-] ?(?:{MONTH} )?\d{{1,2}})?, {_YEAR}"
)
_PMLR = re.compile(
    rf"(?P<venue>Proceedings of the \d{{1,2}} ?(?:st|nd|rd|th) [A-Z][A-Za-z ]{{8,80}}), "
    rf"[A-Z][A-Za-z, ]{{3,60}}, (?:PMLR \d+, )?{_YEAR}\. "
    r"(?:JMLR|PMLR|Copyright)"
)
_STAMP = re.compile(
    r"arXiv:(?P<arxiv>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
    r"\s+\[[\w.-]+\]\s+\d{1,2} [A-Z][a-z]{2} (?:19|20)\d\d\Z"
)
_NOT_YET = re.compile(r"\b(?:submitted|under review|preprint|do not distribute|in preparation|draft)\b", re.IGNORECASE)
# Words of notes on another publication, such as the one that the paper extends.
_OTHER_WORK = re.compile(
    r"\b(?:reprint(?:ed)?|reproduced|translat(?:ed|ion)|adapted|version|previously|originally|appear(?:s|ed)?|presented|"
    r"extends?|extended|comments? on|repl(?:y|ies) to|response to|review of|correct(?:ion|s|ed)|corrigendum|erratum|"
    r"retract(?:ion|ed)|rejected|cite[ds]?|cf|supplement\w* (?:to|for))\b|\Asee\b",
    re.IGNORECASE,
)
# Prefixes of repositories of data and code: Dryad, Zenodo, figshare, Mendeley, Dataverse, OSF, PANGAEA, ICPSR, UKDA.
_DATA = re.compile(r"10\.(?:5061|5281|6084|17632|7910|17605|1594|3886|5255)/")
_RIGHTS = re.compile(r"©|copyright|\bISBN\b|\bISSN\b|permission", re.IGNORECASE)
_HEAD, _FOOT = 0.14, 0.8  # shares of the page's height at which the head ends and the foot begins
_ALIKE = 0.6  # maximum difference in size within one text, in points
_SENTENCE_IN_FOOT, _SENTENCE = 3, 8  # minimum words of a line that may begin a sentence, in the foot and elsewhere
# Beginnings of notes and of entries of a bibliography: "[1]", "1 See", "* ", "Smith, J.", "References".
_ENTRY = re.compile(
    r"\s*(?:[\[(]?\d{1,3}(?:[\])]|\.?\s+[A-Z])|[*∗†‡§¶]|[A-Z][\w’'-]+,? (?:[A-Z]\. ?){1,3}"
    r"|(?i:references|bibliography)\b)"
)
_LEVEL = 1.0  # maximum difference in y of the pieces of a row, in points
_TOUCH = 0.5  # maximum gap between such pieces, in multiples of the font size
_APART = 1.8  # minimum distance of a line that is independent of the one above it, in multiples of the font size


def findings(document: Any, lines: list[Line], every: Iterable[str], height: float) -> Iterator[Finding]:
    """Findings in the file's metadata, then on the first page.

    Args:
        document: the open file.
        lines: lines of its first page, as displayed.
        every: texts of that page's lines in any direction.
        height: height of the page, in points.
    """
    yield from _in_metadata(document.get_xml_metadata() or "", (document.metadata or {}).get("subject") or "")
    for printed in every:
        if found := _STAMP.match(printed.strip()):
            yield Finding("arxiv", found["arxiv"], "page", found[0], 1)
    lines = _whole_rows(lines)
    outer = [line for line in lines if line.y0 < _HEAD * height or line.y1 > _FOOT * height]
    said = list(_in_proceedings(outer))
    for index, line in enumerate(outer):
        below = outer[index + 1] if index + 1 < len(outer) else None
        if not _goes_on_from(outer[:index], line, in_foot=line.y1 > _FOOT * height):
            said += _in_line(line, outer[index - 1] if index else None, below)
    yield from said
    if not any(one.key == "year" for one in said):  # an issue's year may differ from that online
        yield from _published(lines, outer)


def _whole_rows(lines: list[Line]) -> list[Line]:
    """Join adjacent pieces of rows, since the banners of preprint servers are written in pieces."""
    levels: list[list[Line]] = []
    for line in lines:
        if levels and abs(line.y0 - levels[-1][0].y0) < _LEVEL:
            levels[-1].append(line)
        else:
            levels.append([line])
    return [whole for level in levels for whole in _joined(sorted(level, key=lambda line: line.x0))]


def _joined(row: list[Line]) -> Iterator[Line]:
    """The lines of a row from left to right, with adjacent ones joined."""
    whole = row[0]
    for line in row[1:]:
        if line.x0 - whole.x1 < _TOUCH * line.size:
            spans = [*whole.spans, Span(" ", line.style), *line.spans]
            whole = Line(line.page, spans, whole.x0, whole.y0, max(whole.x1, line.x1), max(whole.y1, line.y1))
        else:
            yield whole
            whole = line
    yield whole


def _published(lines: list[Line], outer: list[Line]) -> Iterator[Finding]:
    """The year in lines that state when the paper was published and are not part of a note or sentence."""
    for above, line in zip([None, *lines], lines):
        text = " ".join(line.text.split())
        if (found := _PUBLISHED.match(text)) is None or _OTHER_WORK.search(text):
            continue
        is_note = found[0][:1] in "Pp" and (line not in outer or above is not None and _is_near(line, above))
        if not is_note:
            yield Finding(
                "year", year_in(found[0][found[0].lower().rindex("published") :]), "page", found[0], 1, _box(line)
            )


def _in_metadata(xmp: str, subject: str) -> Iterator[Finding]:
    if (found := _SUBJECT.match(subject.strip())) and not _OTHER_WORK.search(subject) and not _DATA.match(found["doi"]):
        yield Finding("doi", doi_in(found["doi"]), "metadata", found[0])
    for key, pattern in _XMP:
        for found in pattern.finditer(xmp[:200_000]):
            yield Finding(key, _READ[key](found[1]), "metadata", found[1])


def _in_proceedings(lines: list[Line]) -> Iterator[Finding]:
    """Findings in notices of proceedings, which extend over up to four lines."""
    for index, line in enumerate(lines):
        start = line.text.find("Proceedings of")
        is_other = _NOT_YET.search(line.text) or _OTHER_WORK.search(line.text[:start])
        if start < 0 or is_other or _goes_on_from(lines[:index], line, in_foot=True):
            continue
        joined = " ".join(" ".join(one.text for one in lines[index : index + 4])[start:].split())
        if found := _PROCEEDINGS.match(joined) or _PMLR.match(joined):
            yield from _of_match(found, line)


def _in_line(line: Line, above: Line | None, below: Line | None) -> Iterator[Finding]:
    text = _with_rest_of_doi(" ".join(line.text.split()), line, below)
    if posted := _POSTED.match(text):
        yield from _of_match(posted, line)
    if _NOT_YET.search(text):
        return
    found = next((match for pattern in _LINES if (match := pattern.match(text))), None)
    if found is None or not _is_of_paper(found):
        return
    is_alone = "venue" not in found.groupdict() and not _RIGHTS.search(found[0])
    # A DOI alone may end a note that cites another work.
    if is_alone and above is not None and _is_near(line, above) and not _RIGHTS.search(above.text):
        return
    yield from _of_match(found, line)


def _with_rest_of_doi(text: str, line: Line, below: Line | None) -> str:
    """The text of a line, its DOI completed from the next line, or removed if it is unknown where the DOI ends."""
    cut = _OPEN_DOI.search(text)
    if cut is None:
        return text
    rest = below.text.strip() if below is not None and _is_near(below, line) else ""
    goes_on = _REST_OF_DOI.fullmatch(rest) is not None
    if goes_on and text[-1] in "/_":
        return text + rest
    return text if text[-1] == "." and not goes_on else text[: cut.start()]


def _is_near(line: Line, above: Line) -> bool:
    """Whether a line is close enough to the one above to continue it."""
    return 0 <= line.y0 - above.y0 < _APART * line.size


def _goes_on_from(before: list[Line], line: Line, *, in_foot: bool) -> bool:
    """Whether a line may continue a note, an entry of a bibliography or a sentence above it, about another work."""
    block = [line]
    for above in reversed(before):
        beside = above.x0 > line.x1 or above.x1 < line.x0
        if beside or not _is_near(block[-1], above) or abs(above.size - line.size) > _ALIKE:
            break
        block.append(above)
    if len(block) == 1:
        return False
    text = block[1].text.strip()
    if _OTHER_WORK.search(text) or any(_RIGHTS.search(one.text) for one in block[1:]):
        return _OTHER_WORK.search(text) is not None
    least = _SENTENCE_IN_FOOT if in_foot else _SENTENCE
    is_open = not text.endswith((".", "!", "?")) and len(text.split()) >= least
    return is_open or _ENTRY.match(block[-1].text) is not None


def _is_of_paper(found: re.Match[str]) -> bool:
    """Whether a match may refer to the paper itself rather than to another work, data or code."""
    said = found.groupdict()
    before = said.get("venue") or found[0].removesuffix(said.get("doi") or "")
    return not _OTHER_WORK.search(before) and not _DATA.match(said.get("doi") or "")


def _of_match(found: re.Match[str], line: Line) -> Iterator[Finding]:
    for key, text in found.groupdict().items():
        if text is not None:
            yield Finding(key, _READ[key](text), "page", found[0], 1, _box(line))


def _box(line: Line) -> list[float]:
    return [round(edge, 1) for edge in (line.x0, line.y0, line.x1, line.y1)]
