"""Run-in headings: words in a distinct style at the beginning of a paragraph."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from scholartools.readers.common.page import Body, Line, Span, is_caps
from scholartools.readers.common.person_names import is_date
from scholartools.readers.common.roles import heads_references, is_end_matter, number_of, role_of
from scholartools.readers.pdf import paragraphs
from scholartools.readers.pdf.paragraphs import Edges
from scholartools.readers.pdf.sections import headings
from scholartools.readers.pdf.sections.heading_styles import SUPPLEMENT
from scholartools.readers.pdf.sections.headings import Heading, Look

_LETTERED_APPENDIX = re.compile(r"appendix [A-Z][.:]?\s", re.IGNORECASE)
_FIRST = re.compile(r"(?:§\s?)?(?:\d{1,2}\.?|[A-Z]\.)\s")  # numbers of the first level
_COUNTED = 3  # minimum numbered headings of a paper whose sections are numbered
_MOST_LINES = 3  # a run-in heading ends at most this many lines after its first
_LONGEST = 110  # maximum characters of a run-in heading
_WORDY = 0.7  # minimum share of letters among its characters
_ROOM = 1.25  # minimum distance from the line above for a new paragraph, in leadings
_SIZES = (0.85, 1.2)  # range of its size, in multiples of the size of the text
_HANGS = 3.0  # indentation of the line below from which it belongs to an item of a list, in points
_BOLD, _ITALIC = 2, 3  # minimum number of run-in headings of one look, in bold and otherwise
_STOP = re.compile(r"[.?!](?:\s?[—–-])?$")
_STOPPED = re.compile(r"[.:](?:\s|$)")  # not the beginning of a name such as ".pdf"
_COLON = re.compile(r"[.:](?:\s?[—–-])?$")
_SENTENCE_END = re.compile(r"[^\W\d_]{4,}[.?!] [A-Z]|, (?:[A-Z]\. ?)+|[A-Z]\. [A-Z]\. ")  # or initials, in a reference
_CLOSED = re.compile(r"[.:!?…][\"”’')\]⁰¹²³⁴⁵⁶⁷⁸⁹*†‡]*$|[.!?]\s?\d{1,3}(?:[,–-]\d{1,3})*$")
# Names of statements, cases and items, alone or with a number and a name: "Lemma 2 (Zorn).", "Proof of Theorem 1."
_NAMES = (
    r"theor[eè]ma?|th[ée]or[èe]me|satz|lemm[ae]|propositi?on(?:en)?|proposi[cç](?:i[oó]n|ão)|corollar(?:y|ies|io)"
    r"|corollaire|korollar|corolario|defini(?:tion|ci[oó]n|ção|zione)|remark|remarque|bemerkung|observa(?:tion|ci[oó]n)"
    r"|example|exemple|beispiel|ejemplo|exemplo|esempio|exercise|problem|solution|question|answer|claim|conjecture"
    r"|assumption|axiom|condition|hypothes[ie]s|research question|fact|property|case|step|rule|note|nota|algorithm"
    r"|fig(?:ure)?|table|tableau|tabelle|abbildung|scheme|chart|box|panel|plate|video|movie|listing|equation|c[oó]digo"
    r"|warning|tip|hint|important|теорема|лемма|определение|пример|замечание|следствие|утверждение|предложение|задача"
    r"|рисунок|таблица|supplementa(?:ry|l) (?:figure|table|fig|code|data|video|movie|note|file)|rq"
)
_PROOF = (
    r"(?:proof|sketch|preuve|d[ée]monstration|beweis|prueba|demostraci[oó]n|dimostrazione|доказательство)"
    r"(?: .{1,60})?"
)
_STATEMENT = re.compile(
    rf"(?:the )?(?:(?:{_NAMES})s?|{_PROOF})\.?"
    r"(?:\s?[A-Z]?\d{1,3}[a-z]?(?:\.\d{1,3}){0,3}|\s[IVX]{1,5}|\s[A-Z])?"
    r"(?:\s?\(.{1,60}\))?(?:: .{1,60})?\s?[.:?!]*",
    re.IGNORECASE,
)


def split_numbered(lines: list[Line]) -> list[Line]:
    """Split numbered run-in headings (``1) Setup: We ...``) from the rest of their lines.

    At the first level only if one of them is a usual heading, since lists also have bold words after numbers.
    """
    deep = [_split_run_in(line) if headings.DEEP.match(line.text) else [line] for line in lines]
    lines = [line for parts in deep for line in parts]
    heads = {id(line): parts for line in lines if _FIRST.match(line.text) and len(parts := _split_run_in(line)) > 1}
    if not any(headings.is_known(number_of(parts[0].text)[1]) for parts in heads.values()):
        return lines
    opened = (_split_run_in(line) if id(line) in heads or _opens_known(line) else [line] for line in lines)
    return [line for parts in opened for line in _without_stop(parts)]


def _opens_known(line: Line) -> bool:
    """Whether a line begins with a usual heading without a number, or with the heading of an appendix."""
    words = line.text.partition(". ")[0]
    return bool(headings.is_known(words) or _LETTERED_APPENDIX.match(line.text)) and _stands_out(line.spans[0])


def _without_stop(parts: list[Line]) -> list[Line]:
    """Remove the final stop of the run-in heading of a split line, in place."""
    if len(parts) > 1:
        last = parts[0].spans[-1]
        parts[0].spans = [*parts[0].spans[:-1], replace(last, text=last.text.rstrip(" .:"))]
    return parts


def _split_run_in(line: Line) -> list[Line]:
    spans = line.spans
    cut = next(
        (i for i, span in enumerate(spans) if not _stands_out(span) and any(map(str.isalpha, span.text))), len(spans)
    )
    words = "".join(span.text for span in spans[:cut]).strip()
    if not 0 < cut < len(spans) or sum(map(str.isalpha, words)) < 4:
        return [line]
    head, rest = (replace(line, spans=part) for part in (spans[:cut], spans[cut:]))
    rest.y0 += 0.01
    return [head, rest] if words.endswith((":", ".")) or _STOPPED.match(rest.text) else [line]


def _stands_out(span: Span) -> bool:
    return span.style.bold or span.style.italic or "csc" in span.style.font.casefold()


@dataclass(frozen=True)
class _Opening:
    """Distinct words at the beginning of a paragraph in lines ``start`` to ``end`` (half open).

    ``parts`` are the heading's and, if any, the text's part of the last line.
    """

    start: int
    end: int
    words: str
    look: Look
    parts: tuple[Line, ...]


def open_paragraphs(lines: list[Line], starts: list[Heading], body: Body) -> tuple[list[Line], list[Heading]]:
    """Split run-in headings from their lines and add them to the headings.

    In a paper without numbered headings these are openings with a common look, such as levels 3 to 5 of APA style; in
    other papers only end matter, since words at the beginning of a paragraph are not part of the numbering.
    """
    found = _find_openings(lines, starts, body)
    usual = _usual_looks(found) if sum(one.number is not None for one in starts) < _COUNTED else set()
    last = max((one.start for one in starts if _is_of_text(one)), default=0)
    kept = [one for one in found if _is_end(one, last) or (one.look in usual and _STOP.search(one.words))]
    made: list[Line] = []
    moved: dict[int, int] = {}
    at = 0
    opened: list[Heading] = []
    for one in kept:
        moved |= {index: index + len(made) - at for index in range(at, one.end)}
        made += [*lines[at : one.end - 1], *one.parts]
        at = one.end
        words = one.words.rstrip(" .:—–-")
        end = len(made) - (len(one.parts) > 1)
        opened.append(Heading(moved[one.start], end, None, words, one.look, is_run_in=True))
    moved |= {index: index + len(made) - at for index in range(at, len(lines) + 1)}
    shifted = [replace(one, start=moved[one.start], end=moved[one.start] + one.end - one.start) for one in starts]
    return [*made, *lines[at:]], sorted([*shifted, *opened], key=lambda one: one.start)


def _is_of_text(one: Heading) -> bool:
    """Whether a heading belongs to the main text: not to a bibliography, an appendix or end matter."""
    return bool(one.words) and role_of(one.words) not in ("reference", "appendix") and not is_end_matter(one.words)


def _is_end(one: _Opening, last: int) -> bool:
    """Whether an opening is end matter: after the last heading of the main text, or an acknowledgement."""
    return is_end_matter(one.words) and (one.start > last or role_of(one.words) == "acknowledgement")


def _usual_looks(found: list[_Opening]) -> set[Look]:
    """The looks of several openings that end with a stop; one is enough if it is bold and has usual words."""
    ended = [one for one in found if _STOP.search(one.words)]
    looks = Counter(one.look for one in ended)
    known = {one.look for one in ended if role_of(one.words.rstrip(" .?!—–-")) not in ("other", "reference")}
    return {look for look, n in looks.items() if n + (look in known) >= (_BOLD if look.bold else _ITALIC)}


def _find_openings(lines: list[Line], starts: list[Heading], body: Body) -> list[_Opening]:
    """The openings of paragraphs after the first heading, outside of bibliographies."""
    if not starts:
        return []
    edges = paragraphs.edges_of(lines)
    found: list[_Opening] = []
    for one, end in zip(starts, [*(other.start for other in starts[1:]), len(lines)]):
        if role_of(one.words) == "reference":
            continue
        at = one.end
        while at < end:
            opening = None
            if _stands_out(_first_span(lines[at])):
                opening = _opening_at(lines, at, end, body)
                anew = opening is not None and (at == one.end or _begins_anew(lines, at, body, edges))
                opening = opening if anew else None
            if opening is not None:
                found.append(opening)
            at = opening.end if opening is not None else at + 1
    return found


def _first_span(line: Line) -> Span:
    return next((span for span in line.spans if span.text.strip()), line.spans[0])


def _begins_anew(lines: list[Line], index: int, body: Body, edges: Edges) -> bool:
    """Whether a paragraph begins at a line, by the end of the line above, indentation or space above."""
    above, line = lines[index - 1], lines[index]
    left, right = edges[line.page, line.column][0], edges[above.page, above.column][1]
    indented = left + 0.6 * line.size < line.x0 < left + 6 * line.size
    closed = _CLOSED.search(above.text[-20:]) is not None
    if (above.page, above.column) != (line.page, line.column):
        return closed or indented
    apart = line.y0 - above.y0 > _ROOM * max(body.leading, line.size)
    ends = closed and (above.x1 < right - 2 * above.size or _first_span(line).style.bold)
    return apart or ends or (indented and above.x0 < line.x0 - 0.6 * line.size)


def _opening_at(lines: list[Line], start: int, end: int, body: Body) -> _Opening | None:
    """The opening at a line, if its distinct words read like a heading and text follows them."""
    style = _first_span(lines[start]).style
    trait = (style.bold, style.italic)
    if not _SIZES[0] * body.size < style.size < _SIZES[1] * body.size:
        return None
    at = start
    while at + 1 < end and at - start < _MOST_LINES and _cut_of(lines[at], trait) == len(lines[at].spans):
        if _STOP.search(lines[at].text):
            break
        at += 1
    line, cut = lines[at], _cut_of(lines[at], trait)
    if not cut:
        return None
    whole = cut == len(line.spans)
    head = line if whole else replace(line, spans=line.spans[:cut])
    rest = lines[at + 1] if whole and at + 1 < end else replace(line, spans=line.spans[cut:], y0=line.y0 + 0.01)
    words = " ".join(" ".join(one.text for one in [*lines[start:at], head]).split())
    if whole and (at + 1 >= end or (rest.page, rest.column) != (line.page, line.column) or rest.bold):
        return None
    hangs = at + 1 < end and lines[at + 1].column == line.column and lines[at + 1].page == line.page
    hangs = hangs and lines[at + 1].x0 > lines[start].x0 + _HANGS
    if hangs or abs(rest.size - style.size) > 1.5 or not _reads_like_heading(words, rest.text):
        return None
    look = Look(round(2 * style.size) / 2, *trait, is_caps(words))
    return _Opening(start, at + 1, words, look, (head,) if whole else (head, rest))


def _cut_of(line: Line, trait: tuple[bool, bool]) -> int:
    """Number of initial spans of a line with the given (bold, italic), or without letters."""
    for at, span in enumerate(line.spans):
        if (span.style.bold, span.style.italic) != trait and any(map(str.isalpha, span.text)):
            return at
    return len(line.spans)


def _reads_like_heading(words: str, text: str) -> bool:
    """Whether opening words are a heading: closed by a stop, not a statement's name, and before a new sentence."""
    letters = sum(map(str.isalpha, words))
    if _STATEMENT.fullmatch(words) or _SENTENCE_END.search(words):
        return False
    known = is_end_matter(words)
    if not (_STOP.search(words) or (known and (_COLON.search(words) or text.startswith((":", "."))))):
        return False
    if letters < 3 or letters < _WORDY * len(words.replace(" ", "")) or len(words) > _LONGEST:
        return False
    if number_of(words)[0] or not words[0].isupper() or words.count("(") != words.count(")") or is_date(words):
        return False
    if heads_references(words) or headings.KEYWORDS.match(words) or SUPPLEMENT.match(words):
        return False
    first = next((char for char in text if char.isalnum()), "a")
    return not first.islower()
