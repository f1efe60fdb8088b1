"""Theses, reports and papers drawn by lot: their outline, the order of their text, titles and authors."""

from __future__ import annotations

import re

import pytest
from support.drawn_books import draw_book

from scholartools.readers.pdf import reader as pdf


@pytest.mark.parametrize("seed", [*range(40), 1072, 1119])
def test_a_drawn_book_is_read_as_it_was_drawn(seed):
    drawn = draw_book(seed)
    record = pdf.read(drawn.data)
    assert [(one["number"], one["heading"], one["level"]) for one in record["sections"]] == drawn.outline, drawn.traits
    assert (record["title"], record["authors"]) == (drawn.title, drawn.authors)
    text = " ".join(one["text"] for one in record["sections"])
    assert [tag.lower() for tag in re.findall(r"\b[qQ]\d+\b", text)] == drawn.tags
