"""Detection of the lines that are headings."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from scholartools.readers.common import numbering, table_rows
from scholartools.readers.common.addresses import find_addresses
from scholartools.readers.common.hyphenation import compose_accents
from scholartools.readers.common.page import Body, Line, is_caps, is_small_capital
from scholartools.readers.common.person_names import is_date
from scholartools.readers.common.roles import CHAPTER, heads_references, number_of
from scholartools.readers.pdf import paragraphs
from scholartools.readers.pdf.sections.heading_styles import SUPPLEMENT, lines_of_own_style

_LARGE = 1.07  # a line is large above this multiple of the body's size
_WORD = 2  # minimum letters of a word
_OWN = 0.8  # minimum size of a heading's number, in multiples of the size of its words
_OFTEN = 3  # minimum number of headings of one look for a look of headings
_SMALL = 0.85  # minimum size of a small heading, in multiples of the body's size
_INDENT = 1.5  # minimum indentation of a centred line on both sides, in multiples of its size
_SHORT = 3.0  # a numbered line right above its text ends this far before it, in multiples of its size
_PARAGRAPH = 0.8  # minimum indentation of the first line of a paragraph, in multiples of its size
_SET_OFF = 1.15  # minimum distance from a heading to its text, in multiples of the line distance below
_LEAN = 0.04  # maximum difference of a centred line's distances to both sides, as a share of the column's width
_LONGEST = 180  # maximum characters of a heading
_LEADING, _WIDE = 1.45, 2.2  # maximum distance of a heading's lines, in multiples of its size, and in widely set text
_OF_TEXT = 1.05  # such lines are at most this many leadings of the text apart
_OPEN_ENDS = (".", ",", ";", ":", "-", "‐", "—", "/", "(", "{", "=")  # ends of sentences, and of lines of code
_OPEN_WORD = re.compile(  # ends of sentences that a displayed formula continues
    r" (?:if|iff|that|and|or|of|the|a|an|to|with|by|is|are|as|where|when|for|in|on|from|becomes?|have|has|gives?|let)$"
)
_KNOWN = re.compile(
    r"(abstract|summary|author summary|introduction|background|related works?|(materials and )?methods?"
    r"|methodology|results?|"
    r"(results and )?discussion|experiments?|evaluation|conclusions?|(discussion and )?conclusions?|"
    r"conclusions? and future work|limitations?|limitations and future work|ethics( statement)?|ethical considerations|"
    r"broader impacts?|acknowledge?ments?|acknowledge?ment|references|bibliography|literature cited|funding|"
    r"author contributions?|competing interests|conflicts? of interests?|supporting information|"
    r"(chapter|kapitel|chapitre) (\d{1,2}|[ivx]{1,5})|"
    r"введение|вступ|заключение|выводы|висновки|аннотация|анотація|"
    r"supplementary materials?|appendix|appendices|data availability( statement)?|notes|future work)[^\w/({=]*",
    re.IGNORECASE,
)
DEEP = re.compile(r"(?:§+\s?)?(?:\d{1,2}\)|(?:\d{1,2}|[A-Z])(?:[.·]\d{1,2}){1,3}\.?)\s")  # below level 1
APPENDIX = re.compile(r"appendix|appendices|anhang", re.IGNORECASE)  # alone on a line, above the title
_SUPPLEMENTARY = re.compile(r"SI \d{1,2}(?:\.\d{1,2}){1,3} [A-Z]")  # a number of supporting information
_OF_FLOAT = re.compile(r"notes?\s?:", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?:arxiv|e-?prints?|doi|issn|isbn|pacs|msc|jel)\b.*[:\s]\W*\d", re.IGNORECASE)
KEYWORDS = re.compile(r"(?:author |some |additional )?key\s?-?words?\b.{0,12}[:.—–-]", re.IGNORECASE)
_STEP = re.compile(r"(\d{1,3})(?:[.:)]?\s|[:)]?$)(?!\d+(?:\.\d+)*\s)")  # the number of a step
_STEPS = 3  # minimum number of consecutive steps
_STEP_APART = 2.3  # maximum distance of consecutive steps, in multiples of their size
_BITMAP = re.compile(r"[A-Z]\d{1,3}")  # the name of a bitmap font of TeX
_RELATION = re.compile(r"[=<>≤≥≈≃∼∝≡∈⊂⊆→]")
_LEADER = re.compile(r"(\.\s?){4,}")


class Look(NamedTuple):
    """The attributes that headings of one level share; ``size`` in points, rounded to halves."""

    size: float
    bold: bool
    italic: bool
    caps: bool
    centred: bool = False


NO_LOOK = Look(0.0, False, False, False)


@dataclass(frozen=True)
class Heading:
    """A heading: lines ``start`` to ``end`` (half open) of the text."""

    start: int
    end: int
    number: str | None
    words: str
    look: Look
    level: int = 1
    is_bare: bool = False  # whether its number has no final dot
    is_run_in: bool = False  # whether it opens a paragraph, with text after it on its line


def is_known(words: str) -> bool:
    """Whether words are a usual heading, or a heading of a bibliography in one of the supported languages.

    "Notes:" is not: it opens the notes below a table or figure.
    """
    usual = _KNOWN.fullmatch(words) is not None and not _OF_FLOAT.fullmatch(words)
    return usual or heads_references(words)


def looks_like_heading(line: Line, body: Body) -> bool:
    """Whether a line is very likely a heading, without regard to its context."""
    if line.letters < 3 or line.cells > 2 or len(line.text) > _LONGEST:
        return False
    if is_known(number_of(line.text)[1]):
        return _is_styled(line, body) or line.text.istitle()
    number = number_of(line.text)[0]
    return _is_styled(line, body) and line.size > 0.95 * body.size and number is not None and _has_own_number(line)


def _has_own_number(line: Line) -> bool:
    """Whether the number at the start of a line is about as large as its words, unlike numbers of an axis."""
    first = next((span for span in line.spans if span.text.strip()), line.spans[0])
    return first.style.raised or first.style.size > _OWN * line.largest


def _opens_with_mark(line: Line) -> bool:
    """Whether a line opens with a small or raised number right before a letter, as affiliations and notes do."""
    first = line.spans[0]
    small = first.style.raised or first.style.size < _OWN * line.largest
    return small and first.text.isdecimal() and line.text[len(first.text) : len(first.text) + 1].isalpha()


def find_headings(lines: list[Line], body: Body) -> list[Heading]:
    """The headings among the lines of the text, in order, all at level 1."""
    own = lines_of_own_style(lines, body)
    steps, other = numbered_steps(lines), find_addresses(lines)
    rows = table_rows.find_rows(lines)
    candidates = [one for one in _find_candidates(lines, body, own)
                  if id(lines[one.start]) not in steps or _is_large(lines[one.start], body)]  # fmt: skip
    candidates = [one for one in candidates if id(lines[one.start]) not in other
                  and (one.number is not None or id(lines[one.start]) not in rows)]  # fmt: skip
    candidates = _without_articles(candidates)
    numbered = [one for one in candidates if one.number and numbering.is_sound(one.number)]
    lists = _looks_of_lists(numbered)
    candidates = [one for one in candidates if one.number is None or one.look not in lists]
    sequence = _in_sequence([one for one in numbered if one.look not in lists])
    sequence = sequence if _are_headings(sequence, lines, body) else []
    looks = Counter(one.look for one in sequence)
    centred = _find_centred(candidates, lines)
    often = Counter(one.look for one in candidates)
    plain = len(sequence) < 3
    kept = [one for one in candidates if _is_kept(one, looks, sequence, lines, body)
            or (plain and one.start in centred and _is_small_heading(lines, one, body))
            or (plain and often[one.look] >= _OFTEN and _is_of_another_font(lines, one, body))
            or id(lines[one.start]) in own
            or (one.start in centred and is_known(one.words))]  # fmt: skip
    return _known_order(_with_centring(kept, centred))


def numbered_steps(lines: list[Line]) -> set[int]:
    """The ids of consecutive lines numbered 1, 2, 3: steps of algorithms, code with line numbers.

    Headings differ in that text is between them. Steps may take two lines and continue in the next column or page.
    """
    found: set[int] = set()
    run: list[Line] = []
    last = 0
    top = 0.0  # of the lines of the current column
    for at, line in enumerate(lines):
        number = _STEP.match(line.text)
        if at and (line.page, line.column) != (lines[at - 1].page, lines[at - 1].column):
            top = line.y0
        if run and number and int(number[1]) == last + 1 and _is_next_step(run[-1], lines[at - 1], line, top):
            run.append(line)
            found |= set(map(id, run)) if len(run) >= _STEPS else set()
        elif number:
            run = [line]
        elif run and not _is_next_step(run[-1], lines[at - 1], line, top):
            run = []
        last = int(number[1]) if number else last
    return found


def _is_large(line: Line, body: Body) -> bool:
    """Whether a line is bold and larger than the text, like a heading (of an empty section) and unlike a step."""
    return line.bold and line.size > _LARGE * body.size


def _is_next_step(step: Line, above: Line, line: Line, top: float) -> bool:
    """Whether a line follows a step, or its continuation, at the distance of lines; ``top``: that of its column."""
    if (line.page, line.column) != (step.page, step.column):
        return abs(line.size - step.size) < 0.6 and abs(line.y0 - top) < _STEP_APART * step.size
    near = 0 < line.y0 - above.y0 < _STEP_APART * max(above.size, line.size)
    return near and line.y0 - step.y0 < 2 * _STEP_APART * step.size and abs(line.size - step.size) < 1.1


def _without_articles(candidates: list[Heading]) -> list[Heading]:
    """Move an "A" or "I" before the end of the main text that no "B" or "II" follows from the number into the words."""
    counted = [one for one in candidates if one.number and one.number[0].isdigit()]
    last = counted[-1].start if len(counted) > 1 else next(
        (one.start for one in candidates if heads_references(one.words)), None
    )  # fmt: skip
    goes_on = {"A": ("B", "A."), "I": ("II", "I.")}
    numbers = [one.number for one in candidates if one.number]

    def is_article(one: Heading) -> bool:
        if one.number not in goes_on or any(number.startswith(goes_on[one.number]) for number in numbers):
            return False
        return one.is_bare and (last is None or one.start < last)

    return [replace(one, number=None, words=f"{one.number} {one.words}") if is_article(one) else one
            for one in candidates]  # fmt: skip


def _is_of_another_font(lines: list[Line], one: Heading, body: Body) -> bool:
    """Whether a bold line of about the text's size or larger, in another font family, stands over running text."""
    line, below = lines[one.start], lines[one.end] if one.end < len(lines) else None
    bold = line.bold and _font_family(line.style.font) != _font_family(body.font) and line.size >= _SMALL * body.size
    over = (
        below is not None and abs(below.size - body.size) < 0.4 and below.letters > 20 and below.column == line.column
    )
    return bold and over and _is_followed_by_text(lines, one, body)


def _are_headings(sequence: list[Heading], lines: list[Line], body: Body) -> bool:
    """Whether numbered lines are headings, some with a distinct style or usual words, rather than items of a list."""
    return any(is_known(one.words) or _is_styled(lines[one.start], body) for one in sequence)


def _find_centred(candidates: list[Heading], lines: list[Line]) -> set[int]:
    """The first lines of the headings that are centred in their column."""
    edges = paragraphs.edges_of(lines)
    columns = {column: [edge for place, edge in edges.items() if place[1] == column] for _, column in edges}
    usual = {column: (statistics.median(left for left, _ in found), statistics.median(right for _, right in found))
             for column, found in columns.items()}  # fmt: skip
    last = ((one, lines[one.end - 1]) for one in candidates)
    return {one.start for one, line in last
            if _is_centred(line, *edges[line.page, line.column]) or _is_centred(line, *usual[line.column])}  # fmt: skip


def _is_centred(line: Line, left: float, right: float) -> bool:
    """Whether a line is centred between two edges."""
    before, after = line.x0 - left, right - line.x1
    return min(before, after) > _INDENT * line.size and abs(before - after) < _LEAN * (right - left)


def _is_small_heading(lines: list[Line], one: Heading, body: Body) -> bool:
    """Whether a line in bold, italics or small capitals, not much smaller than the text, is isolated above text."""
    line = lines[one.start]
    if (
        not (line.bold or line.italic or _is_small_caps(line))
        or line.size < _SMALL * body.size
        or one.end - one.start > 2
    ):
        return False
    words = [word for word in one.words.split() if word.isalpha() and len(word) > 3]
    below = lines[one.end] if one.end < len(lines) else None
    apart = below is not None and (below.page != line.page or not 0 < below.y0 - lines[one.end - 1].y0 < body.leading)
    return bool(words) and apart and _is_followed_by_text(lines, one, body)


def _with_centring(kept: list[Heading], centred: set[int]) -> list[Heading]:
    """Give centred headings a separate look if other headings of the same look are not centred."""
    shares: dict[Look, list[bool]] = {}
    for one in kept:
        if one.number is None:
            shares.setdefault(one.look, []).append(one.start in centred)
    mixed = {look for look, found in shares.items() if min(sum(found), len(found) - sum(found)) > 1}
    return [replace(one, look=one.look._replace(centred=True))
            if one.look in mixed and one.start in centred and one.number is None else one for one in kept]  # fmt: skip


def _find_candidates(lines: list[Line], body: Body, own: set[int]) -> list[Heading]:
    found: list[Heading] = []
    index = 0
    while index < len(lines):
        end = index + 1 if id(lines[index]) in own else _heading_end(lines, index, body)
        if end > index:
            text = compose_accents(" ".join(line.text for line in lines[index:end]))
            number, words = number_of(text)
            reads = id(lines[index]) in own or _reads_like_heading(words, lines[index])
            reads = reads and not (number and _opens_with_mark(lines[index]))
            if reads and not _runs_on(lines, index, end, body):
                look, bare = _look_of(lines[index], is_caps(words)), text.startswith(f"{number} ")
                found.append(Heading(index, end, number, words, look, is_bare=bare))
            else:
                end = index + 1
        index = max(end, index + 1)
    return found


def _runs_on(lines: list[Line], start: int, end: int, body: Body) -> bool:
    """Whether the heading's style continues into running text, as with bold words at the beginning of a paragraph."""
    if end >= len(lines):
        return False
    last, line = lines[end - 1], lines[end]
    ending = last.spans[-1]
    plain = not ending.style.bold and ending.style.size < _LARGE * body.size  # larger: a word in another font
    if last.bold and plain and sum(map(str.isalpha, ending.text)) > 1:
        return True
    near = line.column == last.column and line.page == last.page and 0 < line.y0 - last.y0 < 1.3 * body.leading
    first = next((span for span in line.spans if span.text.strip()), line.spans[0]).style
    indented = line.x0 > last.x0 + _PARAGRAPH * line.size and not (first.bold or first.italic)
    near = near and not indented  # the next line begins an indented paragraph
    below = lines[end + 1] if end + 1 < len(lines) else line
    within = below.y1 - line.y1 if (below.page, below.column) == (line.page, line.column) else 0.0
    near = near and not 0 < _SET_OFF * within < line.y1 - last.y1  # the next line is set off
    near = near and not APPENDIX.fullmatch(last.text) and not _opens_part(lines[start], line)
    near = near and not _heads_heading(lines, start, end)
    style = lines[start].style
    return (
        near
        and abs(first.size - style.size) < 1
        and (style.bold or style.italic)
        and (first.bold, first.italic) == (style.bold, style.italic)
    )


def _heads_heading(lines: list[Line], start: int, end: int) -> bool:
    """Whether a bold heading in capitals stands right above a bold heading of one or two lines in small letters."""
    head, below = lines[start], lines[end : end + 3]
    if not (head.bold and head.letters > 3 and head.text.isupper()) or below[0].text.isupper():
        return False
    return any(not line.bold for line in below) and all(line.page == head.page for line in below)


def _opens_part(heading: Line, below: Line) -> bool:
    """Whether the line below a heading has the number of its first subsection: "5.2.1" right below "5.2"."""
    number, inner = number_of(heading.text)[0], number_of(below.text)[0]
    if not number or not inner:  # as for most lines; the search for headings takes 0.86 times as long with this test
        return False
    own, part = numbering.path_of(number), numbering.path_of(inner)
    return bool(own) and part[:-1] == own and part[-1] in ("1", "A")


def _reads_like_heading(words: str, line: Line) -> bool:
    letters = sum(map(str.isalpha, words))
    if letters < 2 or letters < 0.5 * len(words.replace(" ", "")) or len(words) > _LONGEST or _LEADER.search(words):
        return False
    if is_known(words):
        return not (words[0].islower() and words.endswith("."))  # the last word of a sentence
    if KEYWORDS.match(words) or SUPPLEMENT.match(line.text) or is_date(words) or _IDENTIFIER.match(words):
        return False
    if words == line.text and _is_formula(words):
        return False
    ends_open = words.endswith(_OPEN_ENDS) and not words.endswith(("et al.", "vs."))
    if DEEP.match(line.text) and words.endswith((":", ".")):
        ends_open = False
    opens = words[0].isalnum() or words[0] in "“\"‘'¿¡" or (words[0] == "[" and line.bold and words != line.text)
    return not ends_open and (line.bold or not words[0].islower()) and opens


def _is_formula(words: str) -> bool:
    """Whether a line is a displayed formula: with a relation and at most one long word."""
    return _RELATION.search(words) is not None and sum(word.isalpha() and len(word) > 3 for word in words.split()) < 2


def _heading_end(lines: list[Line], index: int, body: Body) -> int:
    """Index after the last line of the heading that may begin at ``index``; ``index`` if none can."""
    first = lines[index]
    if first.letters < 2 or not _begins_block(lines, index, body):
        return index
    if first.cells > 2 and not _is_justified(lines[index : index + 3]):
        return index
    if not _is_styled(first, body) and not is_known(number_of(first.text)[1]):
        return index + 1 if _is_plain(lines, index, body) else index
    end = index + 1
    while end < len(lines) and end < index + 5 and _goes_on(lines[end - 1], lines[end], first, body):
        end += 1
    return end


def _is_justified(lines: list[Line]) -> bool:
    """Whether a bold numbered line is as wide as the text, with a bold line below it: its wide spaces part no cells."""
    if len(lines) < 3 or number_of(lines[0].text)[0] is None:
        return False
    first, last, text = lines
    bold = (first.bold, last.bold, text.bold) == (True, True, False) and first.style == last.style
    wide = abs(first.x0 - text.x0) < 1 and abs(first.x1 - text.x1) < 1 and last.x1 < first.x1 - first.size
    return bold and wide and last.cells == 1


def _begins_block(lines: list[Line], index: int, body: Body) -> bool:
    """Whether the line does not continue the text above it."""
    if not index:
        return True
    above, line = lines[index - 1], lines[index]
    if above.page != line.page or above.column != line.column or line.y0 < above.y0:
        return True
    closed = above.text.endswith((".", "!", "?", ":")) or above.x1 < line.x0 + 20
    if closed or line.y0 - above.y0 > 1.25 * body.leading or not _look_alike(above, line):
        return True
    return is_known(number_of(above.text)[1]) or _opens_part(above, line)


def _goes_on(above: Line, line: Line, first: Line, body: Body) -> bool:
    step = line.y0 - above.y0
    own = _look_of(line, line.caps)._replace(bold=line.bold or (first.bold and _is_bold_with_signs(line)))
    # A line in small capitals without a large initial is as small as these.
    capitals = first.caps and line.text.isupper()  # also a last word of two or three letters
    small = capitals and is_small_capital(line.size, first.size)
    own = own._replace(caps=own.caps or capitals)
    own = own._replace(size=_look_of(first, True).size) if small else own
    same = own == _look_of(first, first.caps) and line.style.font == first.style.font
    size = max(line.size, first.size)
    most = max(_LEADING * size, min(_OF_TEXT * body.leading, _WIDE * size))
    near = above.column == line.column and above.page == line.page and 0 < step < most
    words = number_of(above.text)[1]
    return same and near and number_of(line.text)[0] is None and not is_known(words) and line.cells <= 2


def _is_bold_with_signs(line: Line) -> bool:
    """Whether the words of a line are bold, and only symbols of a formula are not: "SURVEY AT Z < 0.5"."""
    return all(span.style.bold or sum(map(str.isalpha, span.text)) < _WORD for span in line.spans)


def _is_plain(lines: list[Line], index: int, body: Body) -> bool:
    """Whether a line without a style of its own is short and has space above and below."""
    line = lines[index]
    words = number_of(line.text)[1]
    if not words or len(words) > 80 or not words[0].isupper() or line.size < 0.95 * body.size:
        return False
    above = lines[index - 1] if index else None
    below = lines[index + 1] if index + 1 < len(lines) else None
    room_above = above is None or above.page != line.page or not 0 < line.y0 - above.y0 < 1.3 * body.leading
    room_below = below is not None and (below.page != line.page or not 0 < below.y0 - line.y0 < 1.15 * body.leading)
    short = below is not None and line.x1 < below.x1 - _SHORT * line.size and not line.text.endswith(_OPEN_ENDS)
    return room_above and (room_below or (short and DEEP.match(line.text) is not None))


def _is_styled(line: Line, body: Body) -> bool:
    caps = line.letters > 3 and line.text.upper() == line.text
    if line.size > _LARGE * body.size or line.bold or caps or line.italic or _is_small_caps(line):
        return True
    if line.size < 0.98 * body.size or number_of(line.text)[0] is None:
        return False
    families = {_font_family(span.style.font) for span in line.spans if any(map(str.isalpha, span.text))}
    return _font_family(body.font) not in families


@lru_cache(maxsize=4096)
def _font_family(font: str) -> str:
    """The letters at the beginning of a font's name; the whole name of TeX's bitmap fonts, which is only a number."""
    return font if _BITMAP.fullmatch(font) else re.split(r"[-,\d]", font)[0][:8].casefold()


def _is_small_caps(line: Line) -> bool:
    return line.letters > 3 and ("csc" in line.style.font.casefold() or line.caps)


def _look_alike(one: Line, other: Line) -> bool:
    """Whether two lines have one look; equivalent to comparing :func:`_look_of`, but faster."""
    as_bold = (one.bold, one.italic) == (other.bold, other.italic)
    return as_bold and round(2 * one.largest) == round(2 * other.largest) and one.caps == other.caps


def _look_of(line: Line, caps: bool) -> Look:
    return Look(round(2 * line.largest) / 2, line.bold, line.italic, caps)


def _looks_of_lists(numbered: list[Heading]) -> set[Look]:
    """The looks of numbered lines that are items of lists, whose numbers repeat."""
    counts: dict[Look, Counter[tuple[str, ...]]] = {}
    above = ""
    for one in numbered:
        path = numbering.path_of(one.number or "")
        above = (one.number or "") if numbering.is_roman(one.number) else above
        counts.setdefault(one.look, Counter())[(above, *path) if numbering.restarts_count(path) else path] += 1
    return {look for look, paths in counts.items() if sum(n - 1 for n in paths.values()) > max(1, len(paths) // 3)}


def _in_sequence(numbered: list[Heading]) -> list[Heading]:
    """The headings whose number begins a count or comes after its predecessor (2 after 1, 3.1 after 3).

    A second heading with the same number is kept only if it is larger or its count may restart. It replaces the first
    if only the second has the look of the predecessor, in bold; then the first is an item of a list.
    """
    seen: set[tuple[str, ...]] = set()
    last: dict[tuple[str, ...], Heading] = {}
    kept: list[Heading] = []
    for one in numbered:
        path = numbering.path_of(one.number or "")
        if not path:
            continue
        first, before = last.get(path), last.get(numbering.path_before(path))
        if first and before and first.look != before.look == one.look and one.look.bold:
            kept.remove(first)
            first = None
        larger = first is None or first.look.size < one.look.size
        follows = numbering.path_before(path) in seen or path[-1] in ("1", "A", "I")
        if follows and (larger or numbering.restarts_count(path)):
            kept.append(one)
            last[path] = one
        seen.add(path)
    return kept


def _is_kept(one: Heading, looks: Counter[Look], sequence: list[Heading], lines: list[Line], body: Body) -> bool:
    is_numbered = len(sequence) >= 3
    line = lines[one.start]
    known = is_known(one.words)
    alone = _is_followed_by_text(lines, one, body)
    if one.number is not None:
        strong = line.bold or line.size > _LARGE * body.size
        return (one in sequence and (is_numbered or (strong and alone))) or (known and _is_styled(line, body))
    if known or (one.start and _is_label(lines[one.start - 1].text)):
        return _is_styled(line, body) or alone
    if one.look in looks:
        return alone and (line.bold or line.size > _LARGE * body.size or one.look.caps)
    if not is_numbered and _is_isolated(lines, one, body):
        return True
    if one.look.italic and not one.look.bold and not is_numbered:
        return alone and _is_italic_heading(lines, one, body)
    if is_numbered:
        large = line.size > _LARGE * body.size or (line.bold and _SUPPLEMENTARY.match(one.words) is not None)
        return alone and large and (line.bold or one.look.caps)
    return (
        alone and line.size > 0.95 * body.size and (line.bold or line.size > _LARGE * body.size or is_caps(one.words))
    )


def _is_label(text: str) -> bool:
    """Whether a line is only the label of an appendix or a chapter, whose title is below."""
    return (APPENDIX.fullmatch(text) or CHAPTER.fullmatch(text)) is not None


def _is_isolated(lines: list[Line], one: Heading, body: Body) -> bool:
    """Whether a heading is one plain line of words with a wide space above and below, between lines of the text."""
    if not 0 < one.start < len(lines) - 1 or one.end - one.start > 1:
        return False
    above, line, below = lines[one.start - 1 : one.start + 2]
    wide = 1.6 * body.leading
    apart = above.page != line.page or above.column != line.column or line.y0 - above.y0 > wide
    letters = sum(map(str.isalpha, one.words))
    sets = abs(line.size - body.size) < 0.4 and abs(line.x0 - below.x0) < 2 and (below.letters > 25 or below.italic)
    return (
        apart
        and sets
        and below.y0 - line.y0 > wide
        and letters > 0.85 * len(one.words.replace(" ", ""))
        and letters > 6
        and not _OPEN_WORD.search(one.words)
    )


def _is_italic_heading(lines: list[Line], one: Heading, body: Body) -> bool:
    """Whether a heading in italics is one short line with words and with space above."""
    above, line = lines[one.start - 1] if one.start else None, lines[one.start]
    room = above is None or above.page != line.page or not 0 < line.y0 - above.y0 < 1.25 * body.leading
    words = [word for word in one.words.split() if word.isalpha() and len(word) > 3]
    return room and bool(words) and len(one.words) < 80 and one.end - one.start == 1 and line.size > 0.95 * body.size


def _is_followed_by_text(lines: list[Line], one: Heading, body: Body) -> bool:
    """Whether the heading has space above it and is not the last line."""
    above = lines[one.start - 1] if one.start else None
    line = lines[one.start]
    room = above is None or above.page != line.page or not 0 < line.y0 - above.y0 < 1.1 * body.leading
    room = room or _heads_heading(lines, one.start - 1, one.start)
    after = next((i for i in lines[one.end : one.end + 1]), None)
    return room and after is not None


def _known_order(kept: list[Heading]) -> list[Heading]:
    """Remove headings that repeat the preceding one."""
    return [
        one
        for before, one in zip([None, *kept], kept)
        if before is None or (before.number, before.words) != (one.number, one.words)
    ]
