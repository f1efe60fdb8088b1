"""Location of the abstract, and the beginning of the text of papers without one."""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass, replace
from itertools import takewhile

from scholartools.readers.common.page import Body, Line
from scholartools.readers.common.roles import ABSTRACT_LABEL, CONTENTS_LABEL, number_of, role_of
from scholartools.readers.pdf.sections.headings import Heading, looks_like_heading

_AFTER = re.compile(
    r"((some )?key\s?-?words?|index terms|ccs concepts|categories and subject|general terms|acm reference format|"
    r"additional key\s?words|jel\b|msc|pacs|subject(s| areas)|availability and implementation$|palabras clave|"
    r"palavras-chave|schl[üu]sselw|mots[- ]cl[ée]s|parole chiave|author keywords|graphical abstract$|(19|20)\d\d acm"
    r"|(19|20)\d\d mathematics|mathematics subject|ams ((19|20)\d\d )?(mathematics )?subject"
    # Printed by publishers at the foot of the page, below abstracts that fill it:
    r"|abbreviations?\s?:|[*∗†‡]?\s?(corresponding authors?|correspondence)\b.{0,12}[:.]|e-?mail( address(es)?)?\s?:"
    r"|(received|revised|accepted|available online|published( online)?):?\s\d{1,2}\.?\s\w+\.?,?\s\d{4}"
    r"|[a-z][\w &.,:-]{2,60} \((19|20)\d\d\) \d{1,4}:[\w–-]{1,20}[;,.] (https?://|doi\b)"
    r"|(copyright )?©|this is an open[- ]access|peer-review under|article history\b|key points\s?:"
    r"|\W{0,2}\s?(19|20)\d\d (the )?authors?\b|.{0,60}\bpublished by (elsevier|springer|wiley|oxford|cambridge|john )"
    r"|[^|.@\d]{2,60}(?:\s\|\s[^|.@\d]{2,60}){2,9}$"  # key words without a label: "tides | harbours | law"
    r"|referee status\b|open peer review\b|[∗*†‡§¶]\s?[A-Z][a-z]+\b)",
    re.IGNORECASE,
)
_KEYWORDS = re.compile(
    r"(?<=[.!?])\s+(?:additional )?(?:key\s?-?words?( and phrases)?|index terms)\s?[:.—–]", re.IGNORECASE
)
_STRUCTURED = re.compile(
    r"(background|objectives?|aims?|purpose|motivation|methods?|methodology(/principal findings)?|results?|findings|"
    r"conclusions?(/significance)?|materials and methods|design|setting|availability( and implementation)?|contact|"
    r"significance|implementation|supplementary information|discussion|introduction)\W*",
    re.IGNORECASE,
)
_OPENING = r"importance|context|background|rationale|objectives?|aims?|purpose"
_LATER = r"design|setting|participants|methods?|interventions?|main outcomes?|results?|findings|conclusions?"
_PART = re.compile(rf"({_OPENING}|{_LATER})\b[\w, ]{{0,40}}[\s.:—–-]*", re.IGNORECASE)  # at the start of its text
_PART_LINE = re.compile(  # alone on a line, where more names are unambiguous than before text
    rf"(?:(?P<opens>{_OPENING}|introduction|motivation)( and (objectives?|aims?|purpose))?|{_LATER}|study design|"
    r"patients|(materials|patients|subjects) and methods|methodology|methods and (materials|results)|"
    r"(main )?outcomes?( and measures)?|main results|discussion|interpretation|"
    r"(conclusions?|discussion) and (relevance|significance)|significance|limitations?|"
    r"(trial )?registration|funding)",
    re.IGNORECASE,
)
_OF_TEXT = ("introduction", "related", "method", "experiment", "result", "discussion", "conclusion", "reference")
_LEAST_PARTS = 3  # minimum labelled paragraphs of a structured abstract
_LABELLED = 2  # last page on which an abstract with a label can begin
_DEEPEST = 24  # last page on which a heading can open the abstract
_APART = 2.0  # minimum distance between an abstract and text in another font, in leadings
_GAP = 1.5  # minimum distance between an abstract across the page and the columns below it, in leadings
_NARROW = 0.6  # maximum width of the lines of these columns, as a share of the width of the abstract's lines
_LONG = 25  # a line with more letters is not a label of a figure
_SAMPLE = 40  # lines of the text whose width is compared with that of an abstract
_NARROWER = 0.94  # maximum width of an abstract that is narrower than the text, as a share of its width
_ATTRIBUTED = re.compile(r"[—–-]{1,2}\s?[A-Z]")  # the author of an epigraph
_WORD = re.compile(r"[^\W\d_]{2,}")
_LOWER = 0.5  # minimum share of words with a lowercase initial in prose
_OF_WORDS = 0.7  # share of words among the tokens of prose; with fewer, the tokens determine the minimum instead
_MIN_WORDS = 40  # minimum words of a paragraph that is an abstract without a label
_MOST_WORDS = 600  # maximum words of a structured abstract without a label, up to the next heading of the paper


@dataclass(frozen=True)
class Abstract:
    """The abstract as lines ``start`` to ``end`` (half open); ``body`` is the first line of the text after it."""

    start: int
    end: int
    body: int
    label: str = ""
    parts: tuple[int, ...] = ()  # indices of the lines that are headings of its parts


def find_abstract(lines: list[Line], headings: list[Heading], body: Body) -> Abstract | None:
    """Find the abstract by its label or heading, else as a structured abstract or a long block before the text."""
    for index, line in enumerate(lines):
        if line.page > _LABELLED:
            break
        if label := label_of(line):
            first = index if label.end() < len(line.text) else _below_labels(lines, index)
            opening = label_of(lines[first]) if first < len(lines) else None
            return _to_end(lines, headings, first, index, opening[0] if opening else "", body)
    one = _abstract_heading(headings)
    if one is not None and lines[one.start].page <= _DEEPEST:
        return _to_end(lines, headings, one.end, one.start, "", body)
    alone = _label_that_opens_page(lines, headings)
    if alone is not None:
        return _to_end(lines, headings, alone + 1, alone, "", body)
    found = _find_structured(lines, headings, body) or _find_unlabelled(lines, headings, body)
    return found or _find_repeated_parts(lines, headings, body)


def _below_labels(lines: list[Line], index: int) -> int:
    """The line below a label, which some manuscripts repeat on the next line."""
    repeated = index + 1 < len(lines) and ABSTRACT_LABEL.fullmatch(lines[index + 1].text) is not None
    return index + 1 + repeated


def _abstract_heading(headings: list[Heading]) -> Heading | None:
    """The heading of an abstract after the title pages of a thesis or report, or a numbered heading ``Abstract``."""
    for one in headings:
        if role_of(one.words) == "abstract":
            return one
        if one.number is not None or role_of(one.words) in _OF_TEXT:
            return None  # an abstract after the text is in another language
    return None


def _label_that_opens_page(lines: list[Line], headings: list[Heading]) -> int | None:
    """Index of an abstract label that is the first line of a page before all headings, as after a contents list."""
    for index, line in enumerate(lines[: headings[0].start if headings else 0]):
        if line.page > _DEEPEST:
            break
        if index and lines[index - 1].page < line.page and ABSTRACT_LABEL.fullmatch(line.text):
            return index
    return None


def labelled_lines(lines: list[Line], body: Body) -> set[int]:
    """Ids of a page's long lines from the label of an abstract to the next heading, in any font.

    Empty for pages without a label of an abstract.
    """
    start = next((at for at, line in enumerate(lines) if line.page <= _LABELLED and label_of(line)), None)
    if start is None:
        return set()
    below = takewhile(lambda line: not looks_like_heading(line, body), lines[start + 1 :])
    columns = (0, lines[start].column)
    return {id(line) for line in below if line.letters > _LONG and line.cells == 1 and line.column in columns}


def later_abstracts(lines: list[Line]) -> set[int]:
    """Ids of the lines right below each label of an abstract after the first: a second language in small print."""
    labels = [at for at, line in enumerate(lines) if line.page <= _LABELLED and label_of(line)]
    found: set[int] = set()
    for label in labels[1:]:
        above = lines[label]
        for line in lines[label + 1 :]:
            if line.column != above.column or not 0 < line.y0 - above.y0 < _APART * line.size:
                break
            found.add(id(line))
            above = line
    return found


def label_of(line: Line) -> re.Match[str] | None:
    """The label of an abstract at the start of a line, if it is distinct from the text after it."""
    label = ABSTRACT_LABEL.match(line.text)
    return label if label and _is_set_off(line, label) else None


def _is_set_off(line: Line, label: re.Match[str]) -> bool:
    """Whether a label at a line's start is distinct from the rest of the line by style, punctuation or capitals."""
    rest = line.text[label.end() :]
    if not rest:
        return True
    first = next((span for span in line.spans if span.text.strip()), line.spans[0])
    set_off = first.style != line.spans[-1].style or re.search(r"[.:—–-]\s*$", label[0]) is not None
    return set_off or label[1].isupper()


def _to_end(lines: list[Line], headings: list[Heading], first: int, start: int, label: str, body: Body) -> Abstract:
    """The abstract from its first line on; empty if following headings may be its parts or those of the paper."""
    parts, stop = _part_lines(lines, first)
    if parts:
        apart = [one for one in headings if one.start < stop and one.start not in parts]
        found = _run_to_end(lines[:stop], apart, first, start, label, body)
        inside = tuple(index for index in parts if index < found.end)
        if len(inside) > 1 and _is_closed(found, lines, headings, body):
            return replace(found, parts=inside)
    found = _run_to_end(lines, headings, first, start, label, body)
    return Abstract(first, first, first) if found.end in parts else found


def _part_lines(lines: list[Line], first: int) -> tuple[list[int], int]:
    """Indices of the lines that are headings of the abstract's parts, in one style, and the index where they must end.

    A repeated heading, or a heading of an opening part after one of a later part, belongs to the paper.
    """
    parts: list[int] = []
    names: set[str] = set()
    is_late = False
    for index, line in enumerate(lines[first:], first):
        words = number_of(line.text)[1].rstrip(" .:").casefold()
        part = _PART_LINE.fullmatch(words)
        if index == first and part is None:
            break
        if part is None or number_of(line.text)[1][:1].islower():
            continue
        if words in names or (is_late and part["opens"]):
            return parts, index
        if line.spans[0].style == lines[first].spans[0].style:
            parts.append(index)
            names.add(words)
            is_late = is_late or not part["opens"]
    return parts, len(lines)


def _is_closed(found: Abstract, lines: list[Line], headings: list[Heading], body: Body) -> bool:
    """Whether the parts are followed by evidence that they are an abstract: key words, larger text, an introduction."""
    if found.end >= len(lines) or lines[found.end].page > lines[found.start].page + 1:
        return False
    line, usual = lines[found.end], lines[found.start + 1]
    number, words = number_of(line.text)
    part = _PART_LINE.fullmatch(words.rstrip(" .:"))
    if _AFTER.match(line.text) or (part and part["opens"]) or role_of(words) == "introduction":
        return True
    is_heading = any(one.start == found.end for one in headings)
    return number in ("1", "I") if is_heading else body.size - usual.size > 0.7 and abs(line.size - body.size) < 0.4


def _run_to_end(lines: list[Line], headings: list[Heading], first: int, start: int, label: str, body: Body) -> Abstract:
    """The abstract from its first line to key words, the next heading, or a change of size or font."""
    others = [one for one in headings if one.start >= first and not CONTENTS_LABEL.fullmatch(one.words)]
    later = [one for one in others if not _is_inside(one, headings, lines, first)]
    following = later[0].start if later else len(lines)
    end = first
    while end < following and not _AFTER.match(lines[end].text) and not _leaves_abstract(lines, first, end, body):
        if CONTENTS_LABEL.fullmatch(lines[end].text):
            return Abstract(first, end, following, label)
        end += 1
    if end == following < len(lines):  # key words under a separate heading
        following = next((one.start for one in later if not _AFTER.fullmatch(one.words)), len(lines))
    keywords = end < following and _AFTER.match(lines[end].text)
    return Abstract(first, end, _past_keywords(lines, end, following, body) if keywords else end, label)


def _past_keywords(lines: list[Line], start: int, stop: int, body: Body) -> int:
    """Index of the first paragraph after key words, subject classes and the like; ``stop`` if there is none before."""
    for first, last in _split_blocks(lines[start:stop], body):
        opening = lines[start + first]
        large = abs(opening.size - body.size) < 0.4 and _count_words(lines[start:stop], (first, last)) >= _MIN_WORDS
        if large and not _AFTER.match(opening.text):
            return start + first
    return stop


def cut_keywords(text: str) -> tuple[str, str]:
    """Split an abstract from key words at the end of its last paragraph, which may be empty."""
    found = next((one for one in _KEYWORDS.finditer(text) if one.start() > 0.5 * len(text)), None)
    return (text[: found.start()], text[found.start() :].strip()) if found else (text, "")


def _leaves_abstract(lines: list[Line], first: int, index: int, body: Body) -> bool:
    """Whether a line and the next differ in size from the abstract, or follow a gap in the font of the text."""
    if index - first < 3:
        return False
    usual, ahead = lines[first + 1], lines[index : index + 2]
    if all(abs(line.size - usual.size) > 0.7 for line in ahead):
        return True
    above, line = lines[index - 1], lines[index]
    if _begins_columns(lines[first:index], above, ahead, body):
        return True
    beside = above.page != line.page or above.column != line.column
    apart = beside or line.y0 - above.y0 > _APART * body.leading
    return apart and usual.style.font != body.font and all(one.style.font == body.font for one in ahead)


def _begins_columns(own: list[Line], above: Line, ahead: list[Line], body: Body) -> bool:
    """Whether an abstract across the page is followed, after a gap, by the first lines of a narrow column."""
    across = statistics.median(line.x1 - line.x0 for line in own)
    apart = ahead[0].page == above.page and ahead[0].y0 - above.y0 > _GAP * body.leading
    return apart and all(line.column and line.x1 - line.x0 < _NARROW * across and line.cells == 1 for line in ahead)


def _is_inside(one: Heading, headings: list[Heading], lines: list[Line], first: int) -> bool:
    """Whether a heading is a part of a structured abstract: a usual word, with an introduction of other look later."""
    if one.number is not None or not _STRUCTURED.fullmatch(one.words) or lines[one.start].page > lines[first].page:
        return False
    after = [other for other in headings if other.start > one.start]
    return any(role_of(other.words) == "introduction" and other.look != one.look for other in after[:6])


def _find_structured(lines: list[Line], headings: list[Heading], body: Body) -> Abstract | None:
    """The small print of the first page whose paragraphs begin with labels of a structured abstract."""
    small = [line for line in lines if line.page == 1 and body.size - line.size > 0.7]
    labels = [
        line
        for line in small
        if _PART_LINE.fullmatch(line.text.rstrip(" .:"))
        or ((label := _PART.match(line.text)) and _is_set_off(line, label))
    ]
    alike = [line for line in labels if line.spans[0].style == labels[0].spans[0].style]
    if len(alike) < _LEAST_PARTS:
        return None
    first, last = (next(at for at, line in enumerate(lines) if line is one) for one in (alike[0], alike[-1]))
    found = _to_end(lines, headings, first, first, "", body)
    if found.start == found.end:
        return found
    beside = (at for at in range(last, found.end) if lines[at].column != lines[last].column)
    following = next((one.start for one in headings if one.start >= found.end), len(lines))
    return replace(found, end=next(beside, found.end), body=_past_keywords(lines, found.end, following, body))


def _find_repeated_parts(lines: list[Line], headings: list[Heading], body: Body) -> Abstract | None:
    """A structured abstract without a label, in the style of the text, whose parts the paper's headings repeat.

    Empty if its end cannot be determined.
    """
    for index, line in enumerate(lines):
        if line.page > 2:
            break
        parts, stop = _part_lines(lines, index)
        near = stop < len(lines) and lines[stop].page <= line.page + 1
        if len(parts) >= _LEAST_PARTS and near and _count_words(lines, (index, stop)) <= _MOST_WORDS:
            found = _to_end(lines, headings, index, index, "", body)
            return found if found.parts else Abstract(index, index, index)
    return None


def _find_unlabelled(lines: list[Line], headings: list[Heading], body: Body) -> Abstract | None:
    """The longest block of prose before the introduction; without such a heading, the first one unlike the body.

    Before another heading with the number 1, the introduction may have no heading: the abstract then is the first
    block that differs from the text by its style or width.
    """
    sure = [one for one in headings if one.number is not None or _heads_text(one, lines, body)]
    opened = [one for one in sure[:1] if one.number in ("1", "I", "0") or role_of(one.words) == "introduction"]
    end = opened[0].start if opened else _front_end(lines, sure)
    pieces = _split_blocks(lines[:end], body)
    blocks = [block for block in pieces if _count_words(lines, block) >= _MIN_WORDS and _is_prose(lines, block)]
    if not opened:
        blocks = [block for block in blocks if _differs_from_body(lines[block[0]], body)][:1]
    elif role_of(opened[0].words) != "introduction":
        blocks = [block for block in blocks if _is_set_apart(lines, block, end, body)][:1]
    if not blocks or lines[blocks[0][0]].page > 2:
        return None
    start, stop = max(blocks, key=lambda block: _count_words(lines, block))
    for first, last in blocks:
        if first == stop and abs(lines[first].size - lines[start].size) < 0.3:
            stop = last
    for first, last in reversed(pieces):
        if last == start and _runs_into(lines[last - 1], lines[start]):
            start = first
    for first, last in pieces:
        if first == stop and _runs_into(lines[stop - 1], lines[first]):
            stop = last
    labelled = (index for index in range(start + 1, stop) if _AFTER.match(lines[index].text))
    stop = next(labelled, stop)
    return Abstract(start, stop, _past_keywords(lines, stop, end, body) if opened else stop)


def _is_set_apart(lines: list[Line], block: tuple[int, int], end: int, body: Body) -> bool:
    """Whether a block differs from the text after line ``end`` by its style or its width, and is not an epigraph."""
    if any(_ATTRIBUTED.match(line.text) for line in lines[block[1] - 1 : block[1] + 1]):
        return False
    own = lines[slice(*block)]
    width = max(line.x1 for line in own) - min(line.x0 for line in own)
    text = [line.x1 - line.x0 for line in lines[end : end + _SAMPLE] if line.letters > _LONG]
    narrow = width < _NARROWER * max(text, default=0.0) and len({line.column for line in own}) == 1
    return narrow or sum(_differs_from_body(line, body) for line in own) > len(own) / 2


def _is_prose(lines: list[Line], block: tuple[int, int]) -> bool:
    """Whether a block is mostly lowercase words, unlike addresses (capitals) and formulas (symbols)."""
    text = " ".join(line.text for line in lines[slice(*block)])
    words = [word for word in _WORD.findall(text) if word[0].isupper() or word[0].islower()]
    if not words:  # a script without letter case
        return True
    return sum(word[0].islower() for word in words) > _LOWER * max(len(words), _OF_WORDS * len(text.split()))


def _runs_into(line: Line, below: Line) -> bool:
    """Whether a sentence continues across a gap after a full line, as tall symbols can cause one."""
    alike = abs(line.size - below.size) < 0.3 and line.column == below.column and line.page == below.page
    full = line.x1 > below.x1 - 0.5 * line.size and abs(line.x0 - below.x0) < 0.5 * line.size
    near = below.y0 - line.y0 < _APART * line.size
    return alike and full and near and re.search(r"[^\W\d_-]$", line.text) is not None


def _heads_text(one: Heading, lines: list[Line], body: Body) -> bool:
    """Whether an unnumbered heading is certain: it has a known role and, unlike a subtitle, stands over prose."""
    role = role_of(one.words)
    if role in ("other", "introduction") or lines[one.start].page > 1:
        return role != "other"
    return stands_over_prose(one, lines, body)


def stands_over_prose(one: Heading, lines: list[Line], body: Body) -> bool:
    """Whether a block of running text begins right after a heading."""
    return first_prose(lines[one.end :], len(lines), body) == 0


def _front_end(lines: list[Line], sure: list[Heading]) -> int:
    """Number of lines of the first page before its first certain heading."""
    first_page = sum(line.page == 1 for line in lines)
    return min(first_page, sure[0].start) if sure else first_page


def first_prose(lines: list[Line], end: int, body: Body) -> int:
    """Index of the first block of running text before line ``end``; ``end`` if there is none."""
    return next(iter(prose_starts(lines[:end], body)), end)


def prose_starts(lines: list[Line], body: Body, least: int = _MIN_WORDS) -> list[int]:
    """Indices of the first lines of blocks of running text with at least ``least`` words."""
    return [block[0] for block in _split_blocks(lines, body) if _count_words(lines, block) >= least]


def _differs_from_body(line: Line, body: Body) -> bool:
    return abs(line.size - body.size) > 0.4 or line.bold or line.italic


def _split_blocks(lines: list[Line], body: Body) -> list[tuple[int, int]]:
    """Runs of lines of one look without a gap, as half-open ranges."""
    blocks: list[tuple[int, int]] = []
    for index, line in enumerate(lines):
        below = lines[index + 1] if index + 1 < len(lines) else None
        if blocks and _same_block(lines[index - 1], line, below, body):
            blocks[-1] = (blocks[-1][0], index + 1)
        else:
            blocks.append((index, index + 1))
    return blocks


def _same_block(above: Line, line: Line, below: Line | None, body: Body) -> bool:
    step = line.y0 - above.y0
    near = -20 < step < 1.5 * body.leading or above.column != line.column or above.page != line.page
    room = min(step, line.y1 - above.y1)  # one tall symbol makes a line begin higher
    if below is not None and room > 1.2 * body.leading and room > 1.4 * (below.y0 - line.y0) > line.size:
        return False  # the distance is larger than that of the following lines
    return near and abs(above.size - line.size) < 0.5 and above.bold == line.bold


def _count_words(lines: list[Line], block: tuple[int, int]) -> int:
    return sum(len(line.text.split()) for line in lines[slice(*block)])
