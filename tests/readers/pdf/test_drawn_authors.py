"""Lists of authors that run over lines, broken anywhere, against the names they were made of."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from scholartools.readers.common.authors import find_authors
from scholartools.readers.common.page import Body, Line, Span, Style

BODY = Body(10.0, "Times", 12.0)
NAME, MARK, SIGN = Style("Times", 11.0), Style("Times", 7.0, raised=True), Style("Symbol", 11.0, italic=True)
GIVEN = "Ada Charles Mary Thomas Zhaolin Wojtek Francesco Jean-Luc Søren Ngoc".split()
SURNAMES = "Lovelace Babbage Somerville Close Chen Goscinski Sforazzini Ward Egan Picard Wei Souza Tran Park".split()
MIDDLE, PARTICLES = ["", "", "K. ", "G. D. "], ["", "", "", "van der ", "de la "]
ADDRESSES = ["University of Engines, London, UK", "Santa Barbara, California", "Engine Works, London"]


def drawn_names(draw: random.Random) -> list[str]:
    surnames = draw.sample(SURNAMES, draw.randint(3, 9))
    return [f"{draw.choice(GIVEN)} {draw.choice(MIDDLE)}{draw.choice(PARTICLES)}{one}" for one in surnames]


def pieces_of(names: list[str], sign: str, marked: bool, draw: random.Random) -> Iterator[list[Span]]:
    """The words of a list that a line may break behind, each with the mark and the sign that follow it."""
    for name in names:
        *words, last = name.split()
        yield from ([Span(word, NAME)] for word in words)
        mark = [Span(draw.choice(["1", "1,2", "3,4"]), MARK)] if marked else []
        end = [] if name == names[-1] else [Span(sign, SIGN if sign == "·" else NAME)]
        yield [Span(last, NAME), *mark, *end]


def broken_list(pieces: list[list[Span]], width: int) -> list[Line]:
    rows = [pieces[at : at + width] for at in range(0, len(pieces), width)]
    lines = []
    for row, held in enumerate(rows):
        spans = [span for piece in held for span in (*piece, Span(" ", NAME))]
        lines.append(Line(1, spans, 100, 100 + 12 * row, 400, 110 + 12 * row))
    return lines


@pytest.mark.parametrize(("sign", "marked"), [("·", True), ("·", False), (",", True)])
def test_a_list_that_breaks_within_names_has_all_of_them(sign, marked):
    for seed in range(150):
        draw = random.Random(seed)
        names = drawn_names(draw)
        lines = broken_list(list(pieces_of(names, sign, marked, draw)), draw.randint(4, 9))
        assert find_authors(lines, BODY) == names, (seed, [line.text for line in lines])


def test_names_and_addresses_that_end_their_lines_stay_apart():
    for seed in range(150):
        draw = random.Random(seed)
        names = [f"{draw.choice(GIVEN)} {one}" for one in draw.sample(SURNAMES, 4)]
        rows = [", ".join(names[:2]), ", ".join(names[2:])]
        texts = [f"{row}," if draw.random() < 0.5 else row for row in rows[:1]] + rows[1:] + [draw.choice(ADDRESSES)]
        marked = [[Span(part, MARK if at % 2 else NAME) for at, part in enumerate(text.split("^")) if part]
                  for text in (text.replace(",", "^1^,") + "^2^" for text in texts[:2])]  # fmt: skip
        spans = [*marked, [Span(texts[2], NAME)]]
        lines = [Line(1, one, 100, 100 + 12 * row, 400, 110 + 12 * row) for row, one in enumerate(spans)]
        assert find_authors(lines, BODY) == names, [line.text for line in lines]
