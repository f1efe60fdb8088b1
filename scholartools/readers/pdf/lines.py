"""Conversion of pymupdf's lines to the lines of a page: styles, reading direction, and unreadable lines."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import itemgetter

from scholartools.readers.common.page import (
    Box,
    Line,
    Page,
    Span,
    Style,
    is_small_capital,
    turn_box,
)
from scholartools.readers.pdf.floats.captions import opens_caption
from scholartools.readers.pdf.hidden_text import text_of
from scholartools.wording import count_of

# Typesetters' fonts end in -B, -I, -BI (or .B, .I) without any other sign of their style.
_BOLD_FONT = re.compile(r"bold|black|heavy|demi|medi(?!um)|bx\d|bxti|-bd|[.-]bi?$", re.IGNORECASE)
_ITALIC_FONT = re.compile(r"ital|obli|slant|cmti|cmsl|sfti|[.-]b?i$", re.IGNORECASE)
_look_of = itemgetter("font", "size", "flags", "char_flags")
_RAISED, _ITALIC, _BOLD = 1, 2, 16  # pymupdf's font flags
_POWER = re.compile(r"[+−-]?[0-9]+\s*")

_UNKNOWN = re.compile("[\ufffd\ue000-\uf8e5]")  # the rest of the private use area has pieces of large brackets
_OF_SIGNS = re.compile(r"dingbats|wingdings|webdings", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_SIGN = "●"  # placeholder for any of their symbols, which the letter does not identify
_NO_VALUE = "\ufffd"  # replacement character for characters without a Unicode value
_STROKE = re.compile(f"{_NO_VALUE}([lL])")
_STROKED = {"l": "ł", "L": "Ł"}
_KNUTH = re.compile(r"cm[a-z]+\d", re.IGNORECASE)
_ACCENTS = frozenset("`´ˆ˜¨˝˚ˇ˘¯˙")  # drawn by old fonts over the next letter
# Small capitals and old-style digits of Adobe's fonts have private code points: those of Latin letters plus F700.
_ADOBE = {
    0xF700 + code: code for code in (*range(0x30, 0x3A), *range(0x61, 0x7B), *range(0xE0, 0xF7), *range(0xF8, 0x100))
}
_DOI_OPEN = re.compile(r"10\.\d{4,9}/\s?\S*\d$")
_LONGEST_DOI = 80  # maximum characters of a DOI
_SHORT = (1.5, 8.0)  # range of the width of an underscore, in points
_MOST_RULES = 300  # maximum short rules of a page; more are the ticks of a plot
_USUAL = 4.0  # text in another direction must be this many times longer for the page to count as turned
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAST_WORDS = 4  # minimum words of a line of running text
_LEAST_ASIDE = 3  # minimum number of such lines in another direction that are reported if the page has others
_BULK = 8  # minimum reported characters of private use; fewer are single symbols in mathematics
_UNMAPPED = 0.3  # a line is unreadable if the share of characters without a Unicode value is higher

Direction = tuple[int, int]
_UPRIGHT: Direction = (1, 0)
_TURNS: dict[Direction, int] = {(1, 0): 0, (0, -1): 1, (-1, 0): 2, (0, 1): 3}  # quarter turns clockwise to upright


def upright_page(lines: list[dict], number: int, width: float, height: float, rotation: int) -> Page:
    """Build a page from the lines in its main direction, rotated so that this direction is left to right.

    Lines in other directions are side stamps or axis labels (``aside``) or, with a caption among them, a landscape
    table or figure (``sideways``).

    Args:
        lines: lines in the coordinates of the page before its rotation.
        rotation: rotation of the page in the file, in degrees clockwise.
    """
    by_direction: dict[Direction, list[dict]] = {}
    for line in lines:
        by_direction.setdefault(_direction_of(line), []).append(line)
    main = _main_direction(by_direction)
    page = _page_in_direction(by_direction.get(main, []), number, width, height, main, rotation)
    page.lines += _page_in_direction(_hidden_elsewhere(by_direction, main), number, width, height, main, rotation).lines
    others = {way: by_direction[way] for way in _TURNS if way != main and way in by_direction}
    page.sideways = [
        _page_in_direction(found, number, width, height, way, rotation)
        for way, found in others.items()
        if any(opens_caption(text_of(line)) for line in found)
    ]
    kept = {main, *(way for way, found in others.items() if any(opens_caption(text_of(line)) for line in found))}
    page.aside = [text_of(line) for way, found in by_direction.items() if way not in kept for line in found]
    return page


def text_aside(page: Page) -> str | None:
    """Text of a warning of running text that is not read as it runs in another direction; None if there is none."""
    wordy = [text for text in page.aside if len(_WORD.findall(text)) >= _LEAST_WORDS]
    if not wordy or (page.lines and len(wordy) < _LEAST_ASIDE):
        return None  # axes of plots, stamps in the margin
    run, are = ("runs", "is") if len(wordy) == 1 else ("run", "are")
    where = "in another direction than the page"
    return f'{count_of(len(wordy), "line")} {run} {where} and {are} not read: "{wordy[0].strip()[:60]} ..."'


def _main_direction(by_direction: dict[Direction, list[dict]]) -> Direction:
    """The direction of most of the text; the upright one unless another has far more text."""
    if set(by_direction) <= {_UPRIGHT}:
        return _UPRIGHT
    letters = {way: sum(map(len, map(text_of, found))) for way, found in by_direction.items() if way in _TURNS}
    letters[_UPRIGHT] = round(_USUAL * letters.get(_UPRIGHT, 0))
    return max(letters, key=lambda way: letters[way])


def _hidden_elsewhere(by_direction: dict[Direction, list[dict]], main: Direction) -> list[dict]:
    """Hidden lines in other directions, which are to be kept."""
    return [line for way, found in by_direction.items() if way != main for line in found if line.get("hidden")]


def _direction_of(line: dict) -> Direction:
    x, y = line["dir"]
    return (round(x), round(y))


def _page_in_direction(
    lines: list[dict], number: int, width: float, height: float, way: Direction, rotation: int
) -> Page:
    turns = _TURNS[way]
    size = (height, width) if turns % 2 else (width, height)
    made = (_build_line(line, number, turn_box(line["bbox"], turns, width, height)) for line in lines)
    return Page(number, *size, [line for line in made if line.text], turns=(rotation // 90 - turns) % 4)


def _build_line(raw: dict, number: int, bbox: Box) -> Line:
    spans: list[Span] = []
    before: dict = {}
    # The attributes of the last span, if words with the same ones may be appended without further checks.
    running: tuple[str, float, int, int] | None = None
    small = 0.0
    for at, part in enumerate(raw["spans"]):  # the library splits a line at each space
        text = part["text"]
        if spans and text.isspace():
            spans[-1].text += " "
            continue
        look = _look_of(part)
        if look == running and text.isalpha():  # most words
            spans[-1].text += text
            before = part
            continue
        font, size, flags, drawn = look
        style = _style_of(font, size, flags | 2 * (drawn & 8))
        if spans and style == spans[-1].style and not style.raised and text.isalpha():
            spans[-1].text += text
            before, running = part, look
            continue
        text = _with_strokes(text, part["font"])
        text = text if text.isascii() else text.translate(_ADOBE)
        if spans and text.strip() in _ACCENTS:
            _close_up(spans[-1], before, next(iter(raw["spans"][at + 1 : at + 2]), None))
            style = spans[-1].style
        elif spans and style != spans[-1].style:
            if _is_small_capital(spans[-1], text, style, small):
                small, style = style.size, style._replace(size=spans[-1].style.size)
            elif _is_lowered_in_doi(spans, before, part):
                text, style = "_" + text, spans[-1].style  # "_" outside mathematics lowers the rest in TeX
        if style.raised and _POWER.fullmatch(text) and spans and spans[-1].text[-1:].isdigit():
            text = "^" + text  # "10" with an exponent "5" is not 105
        if spans and spans[-1].style == style:
            spans[-1].text += text
        else:
            spans.append(Span(text, style))
        before, running = part, None
    for span in spans:
        if _holds_signs(span.style.font):
            span.text = _LETTER.sub(_SIGN, span.text)
    if len(spans) > 1 and _begins_small(spans[0], spans[1]):
        spans[:2] = [Span(spans[0].text + spans[1].text, spans[1].style)]
    return Line(number, spans, *bbox, hidden=raw.get("hidden", False))


def _is_lowered_in_doi(spans: list[Span], before: dict, part: dict) -> bool:
    """Whether a piece is small and lowered right after the beginning of a DOI."""
    if part["size"] > 0.85 * before["size"] or part["bbox"][0] - before["bbox"][2] > 1:
        return False
    low = part["bbox"][3] > before["bbox"][3] - 0.05 * before["size"] and part["bbox"][1] > before["bbox"][1] + 1
    return low and _DOI_OPEN.search("".join(span.text for span in spans)[-_LONGEST_DOI:]) is not None


def _close_up(last: Span, before: dict, letter: dict | None) -> None:
    """Remove, in place, a spurious space before an accent that is drawn over the following letter."""
    if letter is not None and letter["bbox"][0] < before["bbox"][2]:
        last.text = last.text.rstrip(" ")


def _is_small_capital(last: Span, text: str, style: Style, small: float) -> bool:
    """Whether a word continues in smaller capitals of the same font, as simulated small capitals.

    Later words may be in the size of the first such word (``small``) from their first letter on.
    """
    same = style.font == last.style.font and not style.raised and text.upper() == text
    inside = text[:1].isupper() and (last.text[-1:].isupper() or (last.text[-1:] == " " and style.size == small))
    return same and inside and is_small_capital(style.size, last.style.size)


def _begins_small(first: Span, second: Span) -> bool:
    """Whether a line begins with a word in simulated small capitals, and a word with a large initial follows."""
    same = first.style == second.style._replace(size=first.style.size) and not first.style.raised
    capitals = first.text.isupper() and second.text.isupper()
    return same and capitals and is_small_capital(first.style.size, second.style.size)


def _with_strokes(text: str, font: str) -> str:
    """Replace the stroke without a Unicode value that Knuth's fonts put before an l, and the l, by the letter ł."""
    return _STROKE.sub(lambda found: _STROKED[found[1]], text) if _NO_VALUE in text and _KNUTH.match(font) else text


@lru_cache(maxsize=4096)
def _holds_signs(font: str) -> bool:
    """Whether a font has symbols in place of letters; R draws the points of its plots with one."""
    return _OF_SIGNS.search(font) is not None


@lru_cache(maxsize=4096)
def _style_of(font: str, size: float, flags: int) -> Style:
    bold = bool(flags & _BOLD or _BOLD_FONT.search(font))
    italic = bool(flags & _ITALIC or _ITALIC_FONT.search(font))
    return Style(font, round(size, 1), bold, italic, bool(flags & _RAISED))


def put_underscores(blocks: list[dict]) -> None:
    """Replace spaces within words by "_" where a short rule is drawn, as with TeX's oldest fonts, in place."""
    rules = [block["bbox"] for block in blocks if block["type"] == 3 and _is_short_rule(block["bbox"])]
    if not 0 < len(rules) <= _MOST_RULES:
        return
    for line in (line for block in blocks for line in block.get("lines", ()) if len(line["spans"]) > 2):
        x0, y0, x1, y1 = line["bbox"]
        for rule in rules:
            if x0 < rule[0] and rule[2] < x1 and (y0 + y1) / 2 < rule[1] < y1:
                _put_underscore(line["spans"], rule)


def _is_short_rule(drawn: Box) -> bool:
    return drawn[3] - drawn[1] < 1 and _SHORT[0] < drawn[2] - drawn[0] < _SHORT[1]


def _put_underscore(spans: list[dict], rule: Box) -> None:
    for before, space, after in zip(spans, spans[1:], spans[2:]):
        near = abs(before["bbox"][2] - rule[0]) < 1 and abs(after["bbox"][0] - rule[2]) < 1
        if near and space["text"].isspace() and before["text"][-1:].isalnum() and after["text"][:1].isalnum():
            space["text"] = "_"
            return


def readable_lines(lines: list[Line]) -> tuple[list[Line], int]:
    """The readable lines, and the number of characters without a Unicode value.

    The number includes private-use characters of the unreadable lines; it is 0 if there are only these, and fewer than
    :data:`_BULK`.
    """
    readable: list[Line] = []
    private = lost = 0
    for line in lines:
        if line.text.isascii():
            readable.append(line)
            continue
        unknown, valueless = len(_UNKNOWN.findall(line.text)), line.text.count(_NO_VALUE)
        lost += valueless
        if unknown > _UNMAPPED * len(line.text):
            private += unknown - valueless
        else:
            readable.append(line)
    return readable, lost + private if lost or private >= _BULK else 0
