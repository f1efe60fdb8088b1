"""Each word of a drawn table is in the record, or the warning counts it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from scholartools.readers.xml import jats, tei
from tests.support import drawn_tables
from tests.support.drawn_tables import Drawn

_READERS = {"jats": (drawn_tables.draw_jats, jats.read), "tei": (drawn_tables.draw_tei, tei.read)}


def _faults(draw: Callable[[int], Drawn], read: Callable[[bytes], dict[str, Any]], seed: int) -> list[str]:
    drawn = draw(seed)
    record = read(drawn.source.encode())
    told = [one["text"] for one in record.pop("warnings") if one["kind"] == "left-out"]
    held = set(re.findall(r"w\d{4}q", json.dumps(record)))
    counted = re.fullmatch(
        r"not in the record: (\d+) words? in (\d+) cells? of (\d+) tables?(?: and (\d+) words? beside captions)?: .*",
        " ".join(told),
    )
    numbers = tuple(int(one or 0) for one in counted.groups()) if counted else None
    right = (len(drawn.in_tables), drawn.n_cells, drawn.n_tables, len(drawn.beside))
    faults = [] if numbers == right else [f"{seed}: {told}, should be {right}"]
    return faults + ([f"{seed}: held {sorted(held ^ drawn.kept)}"] if held != drawn.kept else [])


@pytest.mark.parametrize("format", _READERS)
def test_words_of_tables_are_held_or_counted(format: str) -> None:
    draw, read = _READERS[format]
    assert not [fault for seed in range(400) for fault in _faults(draw, read, seed)]


def test_a_file_without_tables_is_told_of_none() -> None:
    source = "<article><front><article-meta/></front><body><p>Text.</p><fig><label>1</label><graphic/></fig></body></article>"
    assert jats.read(source.encode())["warnings"] == []
    assert (
        tei.read(b"<TEI><text><body><p>Text.</p><figure><figDesc>One.</figDesc></figure></body></text></TEI>")[
            "warnings"
        ]
        == []
    )


def test_what_is_left_out_of_a_review_is_told() -> None:
    table = "<table-wrap><label>1</label><table><tr><td>One</td></tr></table></table-wrap>"
    report = f'<sub-article article-type="referee-report"><body><p>Weak.</p>{table}</body></sub-article>'
    source = f"<article><front><article-meta/></front><body><p>Text.</p></body>{report}</article>"
    told = [one["text"] for one in jats.read(source.encode())["warnings"]]
    assert told == ["figure, table or note of a referee-report published with the article"]
