"""Find the title of a printed reference: in quotation marks, or between the names and the publication details."""

from __future__ import annotations

import re

from scholartools.readers.references import tagger, trust
from scholartools.readers.references.identifiers import without_identifiers
from scholartools.readers.references.names import (
    YEAR,
    Names,
    is_full_name,
    is_initialed_name,
    is_list_of_names,
)
from scholartools.readers.references.tagger import Reading

_LONGEST = 350  # maximum characters of a title
# Minimum margins of the tagger's title, if publication details follow it and if not. _AGREED: the rules find the same
# title; else _AT_START: right after the names, _ALONE: the rules know no names, _ELSEWHERE. _UNREAD: maximum distance
# of the rules' title if the tagger finds none. 2.7% of 1,905 titles outside the training data were wrong.
_AGREED, _AT_START, _ALONE, _ELSEWHERE = (0.0, 2.0), (2.5, 3.0), (4.0, 5.0), (1.5, 4.0)
_UNREAD = (5.0, 3.0)
# Minimum log odds of the tagger's title below these margins, if publication details follow and if not. On 3,999
# references outside the training data it adds 31 correct and 4 wrong titles; with thresholds lower by one, 85 and 34.
# An uncertain title is null.
_LEAST_ODDS = (2.2, 3.0)
_MARK = "\0"  # replaces an identifier or address, behind which no title continues

_QUOTED = re.compile(
    r"(?:^|[.,:;)\]]\s?)(?:[“”\"„«]\s?([^“”\"„«»][^“„«»]{2,350}?)(?:[,.?!]\s?[”\"“»]|[”\"“»]\s*(?:[,.;(]|$|[Ii]n\b))"
    r"|‘([^‘]{4,350}?)(?:[,.]’|’[,.]))"
)
_ENDS = re.compile(r"[.?!;](?=[\s\"”’)]|$)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:vs|v|cf|approx|e\.g|i\.e|St|Dr|Mr|Mrs|Inc|etc)"
    r"|\b(?:[A-Z]\.){1,3}[A-Z]"  # U.S.
    r"|(?:[:–—]|\b[Pp]art)\s[IVX]{1,4})$"  # "Rank analysis: I. The method"
)
_NUMBERED_NEXT = re.compile(r"\b(?:No|Nr|Vol)$")
_PLACE_IN_SMALL = re.compile(
    r"(?:(?i:in|\w{0,5}rxiv|preprint|e-?print|pp?|pages|doi|url|https?|vol|npj|phd|tech|ed|available)\b|[a-z][A-Z])"
)
# Beginnings of the text after a title; a title does not begin so.
_PLACES = (
    r"in(?::|\s(?!the\s[a-z]))", r"proc\b", r"proceedings\b", r"journal of\b", r"transactions (?:on|of)\b",
    r"lecture notes", r"(?:ieee|acm|siam)\b.{0,40}\b(?:trans|transactions|journal)\b", r"arxiv\b", r"corr\b",
    r"biorxiv\b", r"preprint\b", r"available\b", r"retrieved\b", r"accessed\b", r"online\b", r"url\b", r"https?:",
    r"www\.", r"isbn", r"issn", r"doi\b", r"pmid", r"pmcid", r"technical report\b", r"tech\. rep",
    r"ph\.?\s?d\.?\b", r"master.?s thesis", r"doctoral thesis", r"vol(?:ume)?\b", r"pp?\.", r"pages\b",
    r"submitted\b", r"to appear", r"unpublished", r"accepted\b", r"eds?\.",
)  # fmt: skip
_PLACE = re.compile("|".join(_PLACES), re.IGNORECASE)
_VOLUME = re.compile(
    r"\d\s?\(\d|\b\d{1,4}:\s?[A-Za-z]?\d|\bpp?\.\s?\w?\d|\bpages \d|\bvol\. ?\d|"
    r"\d{1,4}, (?:[A-Za-z]?\d{1,6}[–-])|\b\d{1,4}, \d{1,6}\b(?!\s+[a-z])",
    re.IGNORECASE,
)
_JOURNAL = re.compile(r"[A-Z][^.?!]{2,80}\.\s(?:1[89]|20)\d\d\s?[;:(\s]")  # "Journal of Light. 2016;6(2)"
_DATED = re.compile(rf"\A[\s.,]*(?:\({YEAR}\)|{YEAR}\b)")
_CHAIN = re.compile(r"(?:[A-Z][a-z]*\.\s*){2,}|[A-Z][a-z]*\.\s+\d")  # "Phys. Rev. Lett.", "Nature. 521"
_EDITION = r"(?:\d+|\w+(?:st|nd|rd|th|ond|ird)|rev(?:ised|\.)?) ed(?:ition|\.|n\.?)?"
_BRACKETED_TAILS = (
    rf"[a-z ]{{0,12}}{YEAR}[a-z]?", rf"{_EDITION}[^()\[\]]*", r"version [^()\[\]]*", r"v\d[\w.]*", r"vol\. [^()\[\]]*",
    r"online", r"preprint", r"(?:computer )?software", r"data ?set", r"in [A-Z][a-z]+", r"(?:extended )?abstract",
    r"poster", r"internet", r"dissertation", r"web ?(?:site|page)",
    r"(?:doctoral|ph\.?d\.?|master)[^()\[\]]*", r"thesis[^()\[\]]*",
)  # fmt: skip
_TAILS = (rf"(?:[A-Z][a-z]+ )?{YEAR}[a-z]?", r"vol(?:ume|\.)? \w+", r"version [\d.]+", _EDITION)
_TAIL = re.compile(
    rf"[\s,]*(?:[(\[]\s*(?:{'|'.join(_BRACKETED_TAILS)})[)\]]|,\s*(?:{'|'.join(_TAILS)})|,)\s*$", re.IGNORECASE
)
# Start of the publication details within the title's sentence: ", in: Proceedings", "(City: Press)", "(Press, City".
_PRINT = re.compile(
    r",? in: (?=[A-Z])"
    r"|,? (?=\([A-Z][^():]{2,40}: [A-Z])"
    r"|,? (?=\([^()]{0,60}\b(?:Press|Publish\w*|Verlag|Springer|Elsevier|Wiley|Books)\b)"
    r"|, (?=(?:[A-Z][^,:()]{2,30}: )?(?:[A-Z][\w&.’'-]*\s(?:of\s)?){1,4}(?:Press|Publishers|Publishing|Verlag|Books)\b)"
    r"|, (?=(?:Technical Report|Tech\. Rep|Ph\. ?D|Master.s [Tt]hesis|Doctoral|arXiv|Preprint|Proceedings of)\b)"
)
_IMPRINT = re.compile(rf"\s\([^()]{{2,80}}, {YEAR}\)")  # "(Clarendon House, Oxford, 1992)"
# "(Leiden: University Press)", "Addison, Reading (1984)", "MIT Press: Cambridge, MA, USA, 2000", "Springer, 2014".
_PRESS = re.compile(
    r"\([A-Z][^():]{2,40}: [A-Z]|\[(?:[Ii]nternet|[Oo]nline)\b|(?:Software )?[Aa]vailable\b"
    r"|[A-Z][^.:;\d]{2,60}(?:a\. ?M\.)?: [A-Z][^.:]{2,60}\.?$"
    # "Roma 1983", "Frankfurt/Main 1998, S. 164"
    rf"|(?:[A-Z][\w’'-]+[ ,/–-]{{1,3}}){{1,4}}{YEAR}(?:[.;]?$|, (?:S|pp?)\.)"
    rf"|[A-Z][^.:]{{2,80}}\({YEAR}\)|(?:[A-Z][^.:;\d]{{2,60}}: )?[A-Z][^.:\d]{{2,80}}[;,] {YEAR}\b"
)
_WEB_PAGE = re.compile(
    r"([^.]{6,200}?)\s*(?:\(in [A-Z][a-z]+\))?\.\s+(?:Available (?:online|at|from)|Retrieved|Accessed)\b"
)


def find_title(text: str, names: Names | None) -> str | None:
    """The title by rules; None if the reference has none, or its position is uncertain.

    Args:
        text: the reference without its label.
        names: result of :func:`scholartools.readers.references.names.leading_names` for the same text.
    """
    if quoted := _QUOTED.search(text[: 20 * _LONGEST]):
        return _check_title((quoted[1] or quoted[2]) + _final_mark(quoted), certain=True)
    if names is None:
        return _after_commas(text) or _web_page(text)
    rest, _, after = without_identifiers(text[names.rest :], _MARK).partition(_MARK)
    rest = rest.strip()
    if _CHAIN.match(rest) and not names.dated:
        return None
    end = _title_end(rest)
    followed = bool((rest[end + 1 :] + after).strip(" ."))
    found = _check_title(rest[:end], certain=names.certain or names.dated or followed)
    return found or _web_page(text)


def agreed_title(text: str, ruled: str | None, names: Names | None, reading: Reading) -> str | None:
    """The title by the tagger or by :func:`find_title`, if the evidence for it suffices; else None.

    Args:
        text: the reference without its label.
        ruled: result of :func:`find_title`.
        names: the names at the start of the text.
        reading: result of the tagger.
    """
    read = title_read(text, reading)
    if title := _title_by_margins(text, ruled, names, reading, read):
        return title
    if read is None or _is_no_title(text, names, reading, read):
        return None
    odds = trust.log_odds(tagger.trust(), evidence_of(text, read, ruled, names, reading))
    return read.title if odds >= _LEAST_ODDS[not read.printed] else None


def _is_no_title(text: str, names: Names | None, reading: Reading, read: trust.Found) -> bool:
    """Whether the tagger's title is half a quotation, a journal before its numbers, or not in a reference."""
    after = text[read.end :]
    halved = any(read.title.count(one) != read.title.count(other) for one, other in ("“”", "«»"))
    journal = re.search(r"\d", re.sub(YEAR, "", after)) and not re.search(r"[^\W\d_]{3}", after)
    unknown = names is None and reading.authors is None and not re.search(rf"{YEAR}|https?:|www\.", text)
    return bool(halved or journal or unknown)


def evidence_of(text: str, read: trust.Found, ruled: str | None, names: Names | None, reading: Reading) -> list[float]:
    """The evidence for and against the tagger's title, as given by :func:`.trust.evidence_for`."""
    first = text.find(ruled) if ruled else -1
    other = None
    if ruled and first >= 0:
        other = trust.Found(ruled, first, first + len(ruled), _is_print(text[first + len(ruled) :]))
    return trust.evidence_for(text, read, other, reading, names)


def title_read(text: str, reading: Reading) -> trust.Found | None:
    """The tagger's title, if it can be a title by the rules."""
    part = reading.title
    if part is None:
        return None
    end = part.end + (text[part.end : part.end + 1] in ("?", "!") or _closes(text, part.start, part.end))
    found = text[part.start : end]
    whole = all(found.count(one) == found.count(other) for one, other in ("()", "[]"))
    title = _check_title(found, certain=True) if whole else None
    return trust.Found(title, part.start, end, _is_print(text[end:])) if title else None


def _title_by_margins(
    text: str, ruled: str | None, names: Names | None, reading: Reading, read: trust.Found | None
) -> str | None:
    """The tagger's title if its margin suffices (see ``_AGREED`` and the others), or in some cases the rules' title."""
    part, known = reading.title, names is not None and (names.certain or names.dated)
    first = text.find(ruled) if ruled and (known or part is not None or _web_page(text) == ruled) else -1
    own = (first, first + len(ruled)) if ruled and first >= 0 else None
    if own and _misses_word(text, own, reading, known=known):
        return ruled
    if part is None:
        return None
    if read is not None:
        if ruled is not None and read.letters == trust.letters_of(ruled):
            least = _AGREED
        elif names is None or not known:
            least = _ALONE
        else:
            least = _AT_START if trust.begins_at(text, names.rest, read) else _ELSEWHERE
        if part.margin >= least[not read.printed]:
            return read.title
    end = read.end if read else part.end
    # Whether the tagger's title runs past the rules' title into the publication details.
    goes_on = own and own[0] <= part.start < own[1] <= end and text[own[1] - 1] != "?"
    return ruled if own and goes_on and _is_print(text[own[1] :]) else None


def _misses_word(text: str, own: tuple[int, int], reading: Reading, *, known: bool) -> bool:
    """Whether the tagger missed the beginning or end of the rules' title, or (as in short titles) all of it."""
    part, printed = reading.title, _is_print(text[own[1] :])
    if part is None:
        return reading.behind(*own) <= _UNREAD[not printed]
    headed = (
        part.end >= own[1] > part.start > own[0] and text[own[0] : part.start].rstrip()[-1:] == ":"
    )  # "Anzu: A tool"
    numbered = part.start == own[0] and 0 < own[1] - part.end <= len(". II")  # "Alignment with Bowtie 2"
    return known and printed and (headed or numbered) and reading.behind(*own) <= _UNREAD[1]


def _closes(text: str, start: int, end: int) -> bool:
    """Whether the character after a span closes a bracket within it."""
    opening = {")": "(", "]": "["}.get(text[end : end + 1])
    return opening is not None and text.count(opening, start, end) > text.count(text[end], start, end)


def _is_print(after: str) -> bool:
    """Whether the text after a title is publication details or empty, rather than a second sentence of the title."""
    after = _DATED.sub("", after, count=1).lstrip(" .,;")
    first = after[:80] if _CHAIN.match(after) else after[: _end_of_sentence(after)]
    numbered = _VOLUME.search(first) and not re.search(r", in\b|\bIn:", first)
    placed = _PLACE.match(after) or _IMPRINT.match(f" {after}") or _PRESS.match(after) or _JOURNAL.match(after)
    return not after or bool(placed or numbered)


def _final_mark(quoted: re.Match[str]) -> str:
    """The question or exclamation mark that belongs to a quoted title."""
    closing = quoted[0][(quoted.end(1) if quoted[1] else quoted.end(2)) - quoted.start() :]
    return closing[0] if closing[:1] in "?!" else ""


def _title_end(rest: str) -> int:
    """Offset of the end of the title at the start of a text: a full stop (not of an abbreviation), "?", "!" or ";"."""
    for mark in _ENDS.finditer(rest[: 2 * _LONGEST]):
        before, after = rest[: mark.start()], rest[mark.end() :].lstrip()
        if before.count("(") > before.count(")") or before.count("[") > before.count("]"):
            continue
        if mark[0] in "?!":
            if _goes_on(after):
                continue
            return mark.end()
        if mark[0] == ";" and after[:1].islower():
            continue
        if mark[0] == "." and (_is_abbreviation(before, after) or _is_small(after)):
            continue
        return mark.start()
    return len(rest)


def _is_abbreviation(before: str, after: str) -> bool:
    if _ABBREVIATION.search(before[-30:]):
        return not _PLACE.match(after)
    return bool(_NUMBERED_NEXT.search(before[-5:])) and after[:1].isdigit()


def _is_small(after: str) -> bool:
    """Whether a lower-case letter follows, so that the full stop ended no sentence; not for publication details."""
    return after[:1].islower() and not _PLACE_IN_SMALL.match(after)


def _goes_on(after: str) -> bool:
    """Whether the sentence after "?" or "!" continues the title: not publication details, and followed by text."""
    if not after or _PLACE.match(after) or after[0] in "(." or _JOURNAL.match(after):
        return False
    if after[:1].islower():
        return True
    end = _end_of_sentence(after)
    return not _VOLUME.search(after[:end]) and not re.search(YEAR, after[:end]) and bool(after[end + 1 :].strip(" ."))


def _end_of_sentence(text: str) -> int:
    found = re.search(r"[.;](?=\s|$)", text)
    return found.start() if found else len(text)


def _check_title(found: str, *, certain: bool) -> str | None:
    """A candidate without trailing publication details, or None if it cannot be a title."""
    if len(found) > 2 * _LONGEST:
        return None
    plain = " ".join(_PRINT.split(" ".join(found.split()), maxsplit=1)[0].split()).strip(" .,;:")
    while (shorter := _TAIL.sub("", plain).rstrip(" .")) != plain:
        plain = shorter
    letters = sum(map(str.isalpha, plain))
    if letters < 4 or len(plain) > _LONGEST or _PLACE.match(plain) or _VOLUME.search(plain):
        return None
    if re.fullmatch(rf".*\b{YEAR}", plain) and not certain:
        return None
    if not certain and not re.search(r"\s[a-z]{3,}", plain):
        return None
    return None if is_list_of_names(plain) else plain


def _after_commas(text: str) -> str | None:
    """The title in the style "J. Knuth, A. B. Hoare, Title of the work, Journal 12 (1999)"."""
    pieces = re.split(r"(,\s+|\s+and\s+)", _IMPRINT.split(text[: 8 * _LONGEST], maxsplit=1)[0])
    first = 0
    while first < len(pieces) and _is_name(re.sub(r"^and\s+", "", pieces[first])):
        first += 2
    if not first or first >= len(pieces):
        return None
    last = first + 1
    while last + 1 < len(pieces) and (pieces[last + 1][:1].islower() and not _PLACE_IN_SMALL.match(pieces[last + 1])):
        last += 2
    found = without_identifiers("".join(pieces[first:last]), _MARK).partition(_MARK)[0]
    found = found[: _title_end(found)]
    return _check_title(found, certain=True) if len(re.findall(r"\b[a-z]{3,}", found)) >= 2 else None


def _is_name(text: str) -> bool:
    """Whether a text is one name, given name or initials first."""
    return is_initialed_name(text) or is_full_name(text)


def _web_page(text: str) -> str | None:
    """The text before "Available online": the title of a web page without authors."""
    found = _WEB_PAGE.match(text)
    return _check_title(found[1], certain=True) if found else None
