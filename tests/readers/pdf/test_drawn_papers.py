"""Whole papers drawn by lot: what is read of each is what was drawn, or a warning or null tells that it is not."""

from __future__ import annotations

import pytest
from support.drawn_papers import Drawn, draw

from scholartools.readers.pdf import reader as pdf


def letters(text: str | None) -> str:
    return "".join(filter(str.isalnum, text or "")).casefold()


def read_headings(record: dict, paper: Drawn) -> list[tuple[str, str, int]]:
    """Number, words and level of each heading; what opens paragraphs may be a heading or not."""
    optional = set(map(letters, paper.optional))
    headed = [one for one in record["sections"] if one["heading"] and letters(one["heading"]) not in optional]
    return [(letters(one["number"]), letters(one["heading"]), one["level"]) for one in headed]


@pytest.mark.parametrize("seed", [*range(24), 7000])
def test_parts_of_a_drawn_paper(seed: int) -> None:
    paper = draw(seed)
    record = pdf.read(paper.data)
    assert letters(record["title"]) == letters(paper.title)
    assert list(map(letters, record["authors"])) == list(map(letters, paper.authors))
    assert letters(record["abstract"]) == letters(paper.abstract)
    assert read_headings(record, paper) == [(letters(no), letters(words), level) for no, words, level in paper.headings]
    assert len(record["references"]) == paper.references
