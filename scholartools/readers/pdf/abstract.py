"""Where the abstract is, and where a text without one begins."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import takewhile

from scholartools.readers.common.page import Body, Line
from scholartools.readers.common.roles import ABSTRACT_LABEL, CONTENTS_LABEL, number_of, role_of
from scholartools.readers.pdf.sections.headings import Heading, looks_like_heading

_AFTER = re.compile(
    r"((some )?key\s?-?words?|index terms|ccs concepts|categories and subject|general terms|acm reference format|"
    r"additional key\s?words|jel\b|msc|pacs|subject(s| areas)|availability and implementation$|palabras clave|"
    r"palavras-chave|schl[üu]sselw|mots[- ]cl[ée]s|parole chiave|author keywords|1998 acm"
    r"|(19|20)\d\d mathematics|mathematics subject|ams ((19|20)\d\d )?(mathematics )?subject"
    # What publishers print at the foot of the page, below abstracts that fill it:
    r"|abbreviations?\s?:|[*∗†‡]?\s?(corresponding authors?|correspondence)\b.{0,12}[:.]|e-?mail( address(es)?)?\s?:"
    r"|(received|revised|accepted|available online|published( online)?):?\s\d{1,2}\.?\s\w+\.?,?\s\d{4}"
    r"|[a-z][\w &.,:-]{2,60} \((19|20)\d\d\) \d{1,4}:[\w–-]{1,20}[;,.] (https?://|doi\b)"
    r"|(copyright )?©|this is an open[- ]access|peer-review under|article history\b|key points\s?:)",
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
_PART_LINE = re.compile(  # alone on a line, where there are more names than are sure before text
    rf"(?:(?P<opens>{_OPENING}|introduction|motivation)( and (objectives?|aims?|purpose))?|{_LATER}|study design|"
    r"patients|(materials|patients|subjects) and methods|methodology|methods and (materials|results)|"
    r"(main )?outcomes?( and measures)?|main results|discussion|interpretation|"
    r"(conclusions?|discussion) and (relevance|significance)|significance|limitations?|"
    r"(trial )?registration|funding)",
    re.IGNORECASE,
)
_OF_TEXT = ("introduction", "related", "method", "experiment", "result", "discussion", "conclusion", "reference")
_LEAST_PARTS = 3  # paragraphs of a structured abstract
_LABELLED = 2  # page on which an abstract with a label opens, at most
_DEEPEST = 24  # page on which a heading can open the abstract
_APART = 2.0  # leadings between an abstract and text that is set in another font
_LONG = 25  # letters of a line that is no label of a figure, more than
_WORD = re.compile(r"[^\W\d_]{2,}")
_LOWER = 0.5  # share of the words of prose that begin in lower case, at least
_OF_WORDS = 0.7  # share of what is between blanks that words are, at least, or fewer count
_MIN_WORDS = 40  # of a paragraph to be an abstract that has no label
_MOST_WORDS = 600  # of a structured abstract without a label, up to the next heading of the paper


@dataclass(frozen=True)
class Abstract:
    """Where the abstract is: lines ``start`` to ``end`` (half open); ``body`` is where what follows it begins."""

    start: int
    end: int
    body: int
    label: str = ""
    parts: tuple[int, ...] = ()  # its lines that are headings of its parts


def find_abstract(lines: list[Line], headings: list[Heading], body: Body) -> Abstract | None:
    """The abstract, by its label; without one, the longest paragraph of size before the first heading."""
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
    """The line below a label, and below the same label that some manuscripts repeat."""
    repeated = index + 1 < len(lines) and ABSTRACT_LABEL.fullmatch(lines[index + 1].text) is not None
    return index + 1 + repeated


def _abstract_heading(headings: list[Heading]) -> Heading | None:
    """The heading of an abstract behind the title pages of a thesis or report, or one that is numbered."""
    for one in headings:
        if role_of(one.words) == "abstract":
            return one
        if one.number is not None or role_of(one.words) in _OF_TEXT:
            return None  # what is behind the text is its abstract in another language
    return None


def _label_that_opens_page(lines: list[Line], headings: list[Heading]) -> int | None:
    """Where the label of an abstract is the first line of a page before all headings, as behind the contents."""
    for index, line in enumerate(lines[: headings[0].start if headings else 0]):
        if line.page > _DEEPEST:
            break
        if index and lines[index - 1].page < line.page and ABSTRACT_LABEL.fullmatch(line.text):
            return index
    return None


def labelled_lines(lines: list[Line], body: Body) -> set[int]:
    """The ids of a page's long lines from the label of an abstract to the next heading, in whatever font they are.

    There are none on pages that no abstract opens on.
    """
    start = next((at for at, line in enumerate(lines) if line.page <= _LABELLED and label_of(line)), None)
    if start is None:
        return set()
    below = takewhile(lambda line: not looks_like_heading(line, body), lines[start + 1 :])
    columns = (0, lines[start].column)
    return {id(line) for line in below if line.letters > _LONG and line.cells == 1 and line.column in columns}


def label_of(line: Line) -> re.Match[str] | None:
    """The label of an abstract that opens a line, set off from what follows it on the line."""
    label = ABSTRACT_LABEL.match(line.text)
    return label if label and _is_set_off(line, label) else None


def _is_set_off(line: Line, label: re.Match[str]) -> bool:
    """Whether what matches at a line's start is set off from what follows it on the line."""
    rest = line.text[label.end() :]
    if not rest:
        return True
    first = next((span for span in line.spans if span.text.strip()), line.spans[0])
    set_off = first.style != line.spans[-1].style or re.search(r"[.:—–-]\s*$", label[0]) is not None
    return set_off or label[1].isupper()


def _to_end(lines: list[Line], headings: list[Heading], first: int, start: int, label: str, body: Body) -> Abstract:
    """The abstract from its first line on; empty where headings follow that may be its parts or the paper's."""
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
    """The lines from the abstract's first on that are headings of its parts, of one style, and where no more can be.

    A heading that occurs again, or one of an opening part behind one of a later part, is the paper's own.
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
    """Whether what ends the parts shows that they are the abstract's: key words, larger text, or an introduction."""
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
    """The abstract from its first line on: up to key words, the next heading, or a change of size."""
    others = [one for one in headings if one.start >= first and not CONTENTS_LABEL.fullmatch(one.words)]
    later = [one for one in others if not _is_inside(one, headings, lines, first)]
    following = later[0].start if later else len(lines)
    end = first
    while end < following and not _AFTER.match(lines[end].text) and not _leaves_abstract(lines, first, end, body):
        if CONTENTS_LABEL.fullmatch(lines[end].text):
            return Abstract(first, end, following, label)
        end += 1
    if end == following < len(lines):  # key words under a heading of their own
        following = next((one.start for one in later if not _AFTER.fullmatch(one.words)), len(lines))
    keywords = end < following and _AFTER.match(lines[end].text)
    return Abstract(first, end, _past_keywords(lines, end, following, body) if keywords else end, label)


def _past_keywords(lines: list[Line], start: int, stop: int, body: Body) -> int:
    """Where the text begins after key words, subject classes and the like: at its first paragraph, or at a heading."""
    for first, last in _split_blocks(lines[start:stop], body):
        opening = lines[start + first]
        large = abs(opening.size - body.size) < 0.4 and _count_words(lines[start:stop], (first, last)) >= _MIN_WORDS
        if large and not _AFTER.match(opening.text):
            return start + first
    return stop


def cut_keywords(text: str) -> tuple[str, str]:
    """An abstract, and the key words that end its last paragraph, if any."""
    found = next((one for one in _KEYWORDS.finditer(text) if one.start() > 0.5 * len(text)), None)
    return (text[: found.start()], text[found.start() :].strip()) if found else (text, "")


def _leaves_abstract(lines: list[Line], first: int, index: int, body: Body) -> bool:
    """Whether a line and the next are no longer in the abstract's size, or are apart in the font of the text."""
    if index - first < 3:
        return False
    usual, ahead = lines[first + 1], lines[index : index + 2]
    if all(abs(line.size - usual.size) > 0.7 for line in ahead):
        return True
    above, line = lines[index - 1], lines[index]
    beside = above.page != line.page or above.column != line.column
    apart = beside or line.y0 - above.y0 > _APART * body.leading
    return apart and usual.style.font != body.font and all(one.style.font == body.font for one in ahead)


def _is_inside(one: Heading, headings: list[Heading], lines: list[Line], first: int) -> bool:
    """Whether a heading is a part of a structured abstract: a usual word, small, the introduction still to come."""
    if one.number is not None or not _STRUCTURED.fullmatch(one.words) or lines[one.start].page > lines[first].page:
        return False
    after = [other for other in headings if other.start > one.start]
    return any(role_of(other.words) == "introduction" and other.look != one.look for other in after[:6])


def _find_structured(lines: list[Line], headings: list[Heading], body: Body) -> Abstract | None:
    """The small print of the first page whose paragraphs open with the labels of a structured abstract, set off."""
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
    """A structured abstract without a label that is set like the text: the paper's own headings say its parts again.

    It is empty where nothing more shows where it ends.
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
    """The longest block before the introduction; where no heading opens it, the first block set unlike the body."""
    sure = [one for one in headings if one.number is not None or _heads_text(one, lines, body)]
    opened = [one for one in sure[:1] if one.number in ("1", "I", "0") or role_of(one.words) == "introduction"]
    end = opened[0].start if opened else _front_end(lines, sure)
    pieces = _split_blocks(lines[:end], body)
    blocks = [block for block in pieces if _count_words(lines, block) >= _MIN_WORDS and _is_prose(lines, block)]
    if not opened:
        blocks = [block for block in blocks if _differs_from_body(lines[block[0]], body)][:1]
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


def _is_prose(lines: list[Line], block: tuple[int, int]) -> bool:
    """Whether most of a block is words in lower case, as of sentences: addresses have capitals, formulas have signs."""
    text = " ".join(line.text for line in lines[slice(*block)])
    words = [word for word in _WORD.findall(text) if word[0].isupper() or word[0].islower()]
    if not words:  # of a script without cases
        return True
    return sum(word[0].islower() for word in words) > _LOWER * max(len(words), _OF_WORDS * len(text.split()))


def _runs_into(line: Line, below: Line) -> bool:
    """Whether a sentence runs on from the full line that ends a block, apart for the tall signs that it holds."""
    alike = abs(line.size - below.size) < 0.3 and line.column == below.column and line.page == below.page
    full = line.x1 > below.x1 - 0.5 * line.size and abs(line.x0 - below.x0) < 0.5 * line.size
    near = below.y0 - line.y0 < _APART * line.size
    return alike and full and near and re.search(r"[^\W\d_-]$", line.text) is not None


def _heads_text(one: Heading, lines: list[Line], body: Body) -> bool:
    """Whether an unnumbered heading is sure to be one: what a subtitle with a word of a role heads is no text."""
    role = role_of(one.words)
    if role in ("other", "introduction") or lines[one.start].page > 1:
        return role != "other"
    return stands_over_prose(one, lines, body)


def stands_over_prose(one: Heading, lines: list[Line], body: Body) -> bool:
    """Whether a block of running text begins right behind a heading."""
    return first_prose(lines[one.end :], len(lines), body) == 0


def _front_end(lines: list[Line], sure: list[Heading]) -> int:
    """One past the last line of the first page before its first sure heading."""
    first_page = sum(line.page == 1 for line in lines)
    return min(first_page, sure[0].start) if sure else first_page


def first_prose(lines: list[Line], end: int, body: Body) -> int:
    """Where the first block of running text before line ``end`` begins; ``end`` where there is none."""
    return next(iter(prose_starts(lines[:end], body)), end)


def prose_starts(lines: list[Line], body: Body, least: int = _MIN_WORDS) -> list[int]:
    """Where the blocks of running text begin, of ``least`` words or more."""
    return [block[0] for block in _split_blocks(lines, body) if _count_words(lines, block) >= least]


def _differs_from_body(line: Line, body: Body) -> bool:
    return abs(line.size - body.size) > 0.4 or line.bold or line.italic


def _split_blocks(lines: list[Line], body: Body) -> list[tuple[int, int]]:
    """Runs of lines of one look without a gap: first line, one past the last."""
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
    if below is not None and step > 1.2 * body.leading and step > 1.4 * (below.y0 - line.y0) > line.size:
        return False  # wider apart than the lines that follow
    return near and abs(above.size - line.size) < 0.5 and above.bold == line.bold


def _count_words(lines: list[Line], block: tuple[int, int]) -> int:
    return sum(len(line.text.split()) for line in lines[slice(*block)])
