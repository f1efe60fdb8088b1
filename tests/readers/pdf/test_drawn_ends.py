"""What journals print below a bibliography is in no reference, on papers drawn by lot with known entries."""

from __future__ import annotations

import random

import pytest
from support.drawn_ends import FOLLOWS, draw

from scholartools.readers.pdf import reader as pdf


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def texts_of(record: dict) -> str:
    """All words of a record."""
    parts = [f"{one['heading']} {one['text']}" for one in record["sections"]]
    parts += [one["text"] for key in ("references", "footnotes", "front_matter", "captions") for one in record[key]]
    return letters(" ".join(parts))


@pytest.mark.parametrize("kind", FOLLOWS)
def test_bibliographies_end_above_what_follows_them(kind):
    for seed in range(8):
        drawn = draw(random.Random(f"{kind} {seed}"), kind=kind, columns="1")
        record = pdf.read(drawn.data)
        found = [letters(one["text"]) for one in record["references"]]
        assert found == [letters(entry) for entry in drawn.entries], (seed, drawn.traits)
        assert drawn.after == "rows" or letters(drawn.after) in texts_of(record), (seed, drawn.traits)


def test_an_end_that_no_words_tell_is_reported():
    drawn = draw(random.Random("prose 1"), kind="prose", columns="1")
    [told] = [one for one in pdf.read(drawn.data)["warnings"] if one["kind"] == "references-end"]
    assert drawn.after[:30] in told["text"]
    drawn = draw(random.Random("nothing"), kind="nothing", columns="1")
    assert "references-end" not in {one["kind"] for one in pdf.read(drawn.data)["warnings"]}
