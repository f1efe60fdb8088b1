"""Offsets in UTF-16 units name the same text as those in code points."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest
from support.run import jsonl, st

from scholartools.tasks.tabulate.descriptions import TABLES
from scholartools.tasks.tabulate.rows import Rows

LETTERS = "ab \n𝒙😀éא\u200d"


def drawn(rng):
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(0, 60)))


def record_of(rng):
    sections = [{"id": f"s{n}", "heading": "", "level": 1, "role": "other", "text": drawn(rng)} for n in range(3)]
    sources = {"abstract": drawn(rng), **{one["id"]: one["text"] for one in sections}, "review:r1": drawn(rng)}

    def span():
        name = rng.choice(list(sources))
        start, end = sorted(rng.randint(0, len(sources[name])) for _ in range(2))
        return {"in": name, "start": start, "end": end}

    ends = sorted(rng.randint(0, len(sources["review:r1"])) for _ in range(2))
    record = {
        "id": "p", "abstract": sources["abstract"], "sections": sections,
        "reviews": [{"id": "r1", "text": sources["review:r1"], "segments": [{"start": ends[0], "end": ends[1], "text": ""}]}],
        "lines": [{"n": n, **span()} for n in range(5)],
        "warnings": [{"kind": "a", "text": "", "span": span()}, {"kind": "b", "text": ""}],
        "limitations": [
            {"id": f"l{n}", "text": "x", "origin": "author", "mode": "explicit", "by": "h", "spans": [span(), span()]}
            for n in range(4)
        ],
    }  # fmt: skip
    return record, sources


def same(text, start, end, first, last):
    return text.encode("utf-16-le")[2 * first : 2 * last].decode("utf-16-le") == text[start:end]


@pytest.mark.parametrize("seed", range(20))
def test_both_offsets_name_one_text(seed):
    record, sources = record_of(random.Random(seed))
    n = 0
    for name, before in {"lines": "", "warnings": "span.", "segments": ""}.items():
        rows = Rows(TABLES[name], with_utf16=True)
        heads = [column.heading for column in rows.columns]
        for cells in rows.of(record):
            row = dict(zip(heads, cells, strict=True))
            ends = [row[f"{before}{one}"] for one in ("start", "end", "start_utf16", "end_utf16")]
            if ends[0] is None:
                assert ends == [None] * 4
                continue
            source = sources["review:r1" if name == "segments" else row[f"{before}in"]]
            assert same(source, *ends)
            n += 1
    rows = Rows(TABLES["limitations"], ["spans"], with_utf16=True)
    for (cell,) in rows.of(record):
        for span in json.loads(cell):
            assert same(sources[span["in"]], *(span[one] for one in ("start", "end", "start_utf16", "end_utf16")))
            n += 1
    assert n == 5 + 1 + 1 + 8


def test_an_offset_without_its_text_has_none_and_is_told():
    lines = [{"n": 1, "in": "s1", "start": 0, "end": 1}, {"n": 2, "in": "abstract", "start": 1, "end": 99}]
    done = st("st-table", "lines", "--utf16", input=jsonl({"id": "p", "abstract": "😀😀", "lines": lines}))
    heads, *rows = csv.reader(io.StringIO(done.out.decode()))
    assert heads == ["id", "n", "in", "start", "start_utf16", "end", "end_utf16"]
    assert rows == [["p", "1", "s1", "0", "", "1", ""], ["p", "2", "abstract", "1", "2", "99", ""]]
    assert done.err == "st-table: 3 offsets have none in UTF-16: their texts are not in the records\n"
    refused = st("st-table", "references", "--utf16", input=b"{}")
    assert refused.status == 2 and refused.err == "st-table: --utf16: the table has no offsets\n"
