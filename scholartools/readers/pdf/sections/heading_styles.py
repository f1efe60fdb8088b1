"""Styles that only the headings of a paper have, and ornaments of headings."""

from __future__ import annotations

import re
from dataclasses import replace

from scholartools.readers.common.page import Body, Line, Style
from scholartools.readers.common.roles import heads_references, number_of
from scholartools.readers.references.starts import find_unheaded

LETTERED = re.compile(r"\([a-z]\)\.?\s")  # "(a) Methods"
SUPPLEMENT = re.compile(
    r"S\d{1,2} (?:fig|table|video|movie|file|text|data(?:set)?|appendix|code)\b", re.IGNORECASE
)  # legends of supporting information: "S7 Fig. Currents of all cells"
_ORNAMENT = re.compile(r"[■□▪▫◼◻◆◇●►▶❚]\s?\S")
_OFTEN = 3  # minimum number of heading-like lines for a style of headings
_FEW = 2  # the same if all lines of the style have numbers or space above
_ROOM = 1.5  # minimum distance from the line above for space above, in leadings
_ALWAYS = 0.8  # minimum share of heading-like lines among the lines of a style
_LEAST = 0.75  # minimum size of a heading, in multiples of the body's size
_LONGEST = 90  # maximum characters of a heading
_TEXT = 20  # a line of running text has more letters
_FULL = 30  # running text starts with two lines of more letters; names and addresses come before them
_NEAR = 2.6  # maximum distance from a heading to the text below it, in leadings
_OPEN = (".", ",", ";", ":", "-", "‐")


def lines_of_own_style(lines: list[Line], body: Body) -> set[int]:
    """The ids of lines over running text in a style that hardly any other line of the paper has.

    Italics, small capitals or another font may be the only feature of headings, with or without numbers.
    """
    bibliography = _bibliography(lines)
    end = bibliography.start
    usual = {line.style for line in lines if abs(line.size - body.size) < 0.4 and line.style.font == body.font}
    by_style: dict[Style, list[int]] = {}
    full = [line.style in usual and line.letters > _FULL for line in lines]
    start = next((index for index, pair in enumerate(zip(full, full[1:])) if all(pair)), end)
    for index, line in enumerate(lines):
        if index < start or index in bibliography:
            continue
        if line.style not in usual and line.size >= _LEAST * body.size and line.letters > 2:
            by_style.setdefault(line.style, []).append(index)
    found: set[int] = set()
    for indices in by_style.values():
        alone = [index for index in indices if _stands_over_text(lines, index, body)]
        few = all(number_of(lines[at].text)[0] or _has_room_above(lines, at, body) for at in indices)
        if len(alone) >= max(_FEW if few else _OFTEN, _ALWAYS * len(indices)):
            found |= {id(lines[index]) for index in alone}
    return found


def _has_room_above(lines: list[Line], index: int, body: Body) -> bool:
    return index > 0 and lines[index].y0 - lines[index - 1].y0 > _ROOM * body.leading


def strip_ornaments(lines: list[Line]) -> list[Line]:
    """Remove ornaments such as squares from the beginning of headings."""
    return [_without_ornament(line) if _ORNAMENT.match(line.text) else line for line in lines]


def _without_ornament(line: Line) -> Line:
    found = next((at for at, span in enumerate(line.spans) if span.text.strip()), 0)
    first = line.spans[found]
    rest = first.text.lstrip()[1:].lstrip()
    spans = [*([replace(first, text=rest)] if rest else []), *line.spans[found + 1 :]]
    plain = replace(line, spans=spans)
    return plain if plain.letters > 2 and (plain.bold or plain.text.isupper()) else line


def _bibliography(lines: list[Line]) -> range:
    """The range of the bibliography, whose entries may have lines in italics; to the last line if it has a heading."""
    headed = next((index for index, line in enumerate(lines) if index and heads_references(line.text)), None)
    if headed is not None:
        return range(headed, len(lines))
    return range(*(find_unheaded(lines) or (len(lines), len(lines))))


def _stands_over_text(lines: list[Line], index: int, body: Body) -> bool:
    """Whether a line reads like a heading, does not continue the text above, and has running text right below it."""
    line, below = lines[index], lines[index + 1] if index + 1 < len(lines) else None
    if (
        below is None
        or line.cells > 2
        or len(line.text) > _LONGEST
        or line.text.endswith(_OPEN)
        or SUPPLEMENT.match(line.text)
    ):
        return False
    if not all(span.style == line.style for span in line.spans if span.text.strip(" 0123456789.")):
        return False
    first = next((char for char in LETTERED.sub("", line.text, count=1) if char.isalpha()), "a")
    step = below.y0 - line.y0 if (below.page, below.column) == (line.page, line.column) else body.leading
    over = abs(below.size - body.size) < 0.4 and below.letters > _TEXT and below.style != line.style
    return first.isupper() and over and 0 < step < _NEAR * body.leading and _begins_anew(lines, index)


def _begins_anew(lines: list[Line], index: int) -> bool:
    """Whether the line above ends a sentence, is on another page or column, or is at a larger distance."""
    if not index:
        return True
    above, line = lines[index - 1], lines[index]
    if (above.page, above.column) != (line.page, line.column) or line.y0 < above.y0:
        return True
    closed = above.text.rstrip("\"”’'*†‡⁰¹²³⁴⁵⁶⁷⁸⁹)0123456789").endswith((".", "!", "?", ":"))
    return closed or line.y0 - above.y0 > 1.4 * max(above.size, line.size)
