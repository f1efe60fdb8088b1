"""Results of st-score and st-agree as tables: the cells are those of st-score --csv and of the records."""

from __future__ import annotations

import csv
import io
import json
import random
import re

import pytest
from support.run import ROOT, jsonl, st

JUDGED = ROOT / "fixtures" / "score-judged.jsonl"
RATINGS = jsonl(*(
    {"item": n, "rater": rater, "label": label, "value": draw.choice([1, 2, 3, 3, None])}
    for draw in [random.Random(5)]
    for n in range(20) for rater in "abc" for label in ("clear", "new")
))  # fmt: skip


def rows_of(out):
    return list(csv.DictReader(io.StringIO(out.decode(), newline=""), strict=True))


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("summary", ["--summary"]),
        ("comparisons", ["--compare", "lead-2", "model-a"]),
        ("runs", ["--runs", "lead-2,model-a"]),
    ],
)  # fmt: skip
def test_the_table_is_the_csv_of_st_score(name, asked):
    """The same bytes; and each number is that of the records."""
    as_csv = st("st-score", "facets", "--csv", *[one for one in asked if one != "--summary"], JUDGED)
    records = st("st-score", "facets", *asked, JUDGED)
    table = st("st-table", name, input=records.out)
    assert table.out == as_csv.out and (rows := rows_of(table.out))
    if name == "summary":
        assert table.err == ""
        values = [(one["system"], key, value) for one in records.records for key, value in one["values"].items()]
        assert [(row["system"], row["value"]) for row in rows] == [one[:2] for one in values]
        for row, (_, _, value) in zip(rows, values, strict=True):
            for key in ("n", "mean", "median", "low", "high"):
                assert json.loads(row[key] or "null") == value[key]
            assert int(row["nulls"]) == sum(value["nulls"].values())
    else:
        assert "records" in table.err and "results for this table" in table.err


def test_a_result_that_is_damaged_is_a_failed_record():
    record = {"metric": "facets", "system": "a", "values": {"x": {"mean": 1}}}
    done = st("st-table", "summary", input=jsonl(record, {"id": "p"}, {**record, "values": 3}))
    assert done.status == 1 and rows_of(done.out) == []
    assert done.err.startswith("st-table: -:1: no result that st-score or st-agree wrote")
    told = {"metric": "a", "system": 7, "values": {"x": {"n": 1, "mean": 1, "low": None, "high": None}}}
    assert "system is not a text" in st("st-table", "summary", input=jsonl(told)).err


STATS = [
    ["alpha", "kappa", "--ci"], ["alpha", "--without", "a"], ["majority"], ["majority", "--summary"], ["report"],
]  # fmt: skip


@pytest.mark.parametrize("stats", STATS)
def test_nothing_of_a_result_of_st_agree_is_lost(stats):
    """Every key of the record is a cell, or stands in the column "more"."""
    results = st("st-agree", *stats, input=RATINGS)
    table = st("st-table", "agree", input=results.out)
    assert results.status == 0 and table.status == 0 and table.err == ""
    rows = rows_of(table.out)
    assert len(rows) == len(results.records) >= 2
    for row, record in zip(rows, results.records, strict=True):
        more = json.loads(row.pop("more") or "{}")
        interval = {
            "low": row.pop("low"), "high": row.pop("high"), "confidence": row.pop("confidence"),
            "method": row.pop("interval_method"), "reason": row.pop("interval_reason"),
        }  # fmt: skip
        shown = (record.pop("interval", None) or {}) | {}
        for key, cell in interval.items():
            assert cell == ("" if shown.get(key) is None else str(shown[key]))
        assert more.pop("interval", {}) == {key: one for key, one in shown.items() if key not in interval}
        value = record.pop("value", None)
        cells = [more.pop("value", None), row.pop("value"), row.pop("chosen")]
        assert value in cells if isinstance(value, str) else str(value if value is not None else "") in map(str, cells)
        for key, inner in record.items():
            if key in row:
                wanted = "" if inner is None else inner if isinstance(inner, str) else json.dumps(inner)
                assert row[key] == wanted or json.loads(row[key]) == inner, key
            else:
                assert more.pop(key) == inner
        assert not more


def test_results_are_written_in_all_formats(tmp_path):
    results = st("st-agree", "alpha", "kappa", "--ci", input=RATINGS).out
    for kind in ("xlsx", "parquet", "md", "tex"):
        done = st("st-table", "agree", "--columns", "stat,label,value,low,high,n_items", "--output", f"a.{kind}",
                  input=results, cwd=tmp_path)  # fmt: skip
        assert done.status == 0 and (tmp_path / f"a.{kind}").stat().st_size
    from pyarrow import parquet

    found = parquet.read_table(tmp_path / "a.parquet")
    assert [str(kind) for kind in found.schema.types] == ["string", "string", *["double"] * 3, "int64"]
    records = [json.loads(line) for line in results.splitlines()]
    assert found.column("value").to_pylist() == [record["value"] for record in records]


def test_a_table_of_raters_without_their_names_is_told_how_to_name_them():
    done = st("st-agree", "alpha", "--input-format", "csv", input="item,anna,ben\nq1,1,2\n")
    assert (
        done.status == 3
        and 'no "rater" (name another key with --rater, or if each rater has a column or key of its own, name these with --raters): '
        'the keys of the record are "item", "anna", "ben"'
        in done.err
    )


@pytest.mark.parametrize("args", [["alpha", "kappa"], ["alpha", "--ci"], ["correlate", "--x", "a", "--y", "b"]])
def test_the_table_of_st_agree_rounds_the_numbers_of_the_table_agree(args):
    """Each number of ``--table`` is one of st-table's, rounded, and each value of st-table's is in ``--table``."""
    rng = random.Random(5)
    data = "item,a,b,c\n" + "".join(
        f"q{n},{rng.randint(1, 4)},{rng.randint(1, 4)},{rng.randint(1, 4)}\n" for n in range(30)
    )
    args = args if args[0] == "correlate" else [*args, "--raters", "a,b,c"]
    plain = st("st-agree", *args, "--input-format", "csv", input=data)
    shown = st("st-agree", *args, "--input-format", "csv", "--table", input=data).out.decode()
    found = list(csv.DictReader(st("st-table", "agree", input=plain.out).out.decode().splitlines()))
    values = [f"{float(row[name]):.3f}" for row in found for name in ("value", "low", "high") if row[name]]
    told = re.findall(r"(?<![\w.])-?\d\.\d{3}(?!\d)", shown)
    assert values and set(values) <= set(told)
    more = {f"{float(row['p']):.3f}" for row in found if row["p"]}
    assert set(told) <= set(values) | more, shown


def test_the_calls_of_a_cache_are_a_table(tmp_path):
    cache = tmp_path / "c.sqlite"
    assert st("st-cache", "import", ROOT / "fixtures" / "questions" / "calls.jsonl.gz", "--cache", cache).status == 0
    listed = st("st-cache", "list", "--cache", cache)
    found = list(csv.DictReader(st("st-table", "calls", input=listed.out).out.decode().splitlines()))
    assert len(found) == len(listed.records) > 10
    for row, record in zip(found, listed.records, strict=True):
        assert record.keys() <= row.keys() and row["served"] == "true"
        for key, value in record.items():
            assert key == "served" or type(value)(row[key]) == value, key
