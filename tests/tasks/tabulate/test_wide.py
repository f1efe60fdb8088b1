"""Wide form has every cell of the long form, each at its place, and nothing else."""

from __future__ import annotations

import csv
import io
import random

import pytest
from support.run import ROOT, jsonl, st

JUDGED = ROOT / "fixtures" / "score-judged.jsonl"


def parsed(out):
    return list(csv.reader(io.StringIO(out.decode(), newline=""), strict=True))


def ratings_of(rng):
    """Records of which each system has some of the facets, with ratings that may be null."""
    names = ["background", "method", "x y", 'a,"b"', "=1", "\n"]
    return [
        {"id": f"p{n}", "judgements": {"facets": [
            {"system": system, "by": "h", "in": "abstract", "ratings": {
                name: rng.choice([None, 1, 2, 3]) for name in rng.sample(names, rng.randint(0, len(names) - 1))}}
            for system in rng.sample(["a", "b", "c"], rng.randint(0, 3))
        ]}}
        for n in range(6)
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_each_cell_of_the_long_form_stands_at_its_place(seed):
    data = jsonl(*ratings_of(random.Random(seed)))
    long = parsed(st("st-table", "ratings", "--columns", "id,system,facet,rating", input=data).out)[1:]
    long = [row for row in long if row[2].strip()]
    done = st("st-table", "ratings", "--columns", "facet,id,rating,system", "--wide", "facet=rating", input=data)
    if any(
        not row[2].strip() for row in parsed(st("st-table", "ratings", "--columns", "id,system,facet", input=data).out)
    ):
        assert done.status == 2 and "facet is empty" in done.err
        return
    heads, *rows = parsed(done.out)
    assert heads[:2] == ["id", "system"] and heads[2:] == list(dict.fromkeys(row[2] for row in long))
    assert [row[:2] for row in rows] == [list(one) for one in dict.fromkeys((row[0], row[1]) for row in long)]
    cells = {(row[0], row[1], key): cell for row in rows for key, cell in zip(heads[2:], row[2:], strict=True)}
    assert {place: cell for place, cell in cells.items() if cell} == {
        (row[0], row[1], row[2]): row[3] for row in long if row[3]
    }


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "md", "csv"])
def test_every_format_has_it(ending, tmp_path):
    done = st(
        "st-table", "ratings", "--columns", "id,system,facet,rating", "--wide", "facet=rating", "--sort", "-method",
        "--output", tmp_path / f"w.{ending}", JUDGED,
    )  # fmt: skip
    assert done.status == 0 and done.err == ""
    data = (tmp_path / f"w.{ending}").read_bytes()
    if ending == "parquet":
        from pyarrow import parquet

        table = parquet.read_table(io.BytesIO(data))
        found = table.column("method").to_pylist()
        assert [str(kind) for kind in table.schema.types[:3]] == ["string", "string", "double"]
    elif ending == "xlsx":
        import python_calamine

        rows = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python()
        found = [row[3] or None for row in rows[1:]]
    else:
        rows = parsed(data) if ending == "csv" else [line.split("|")[1:-1] for line in data.decode().splitlines()]
        found = [int(row[3]) if row[3].strip() else None for row in rows[1 if ending == "csv" else 2 :]]
    assert found == [4, 3, 2, 1, None, None]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--columns", "id,facet,rating", "--wide", "facet=rating"], "two rows of id=bees have facet"),
        (["--columns", "facet,rating", "--wide", "facet=rating"], "another one beside them"),
        (["--wide", "facet"], "is not KEY=VALUE"),
        (["--wide", "facet=none"], '"none" is no column of ratings'),
        (["--columns", "id,facet", "--wide", "facet=rating"], '"rating" is no column of ratings'),
    ],
)  # fmt: skip
def test_what_has_no_wide_form(args, reason, tmp_path):
    done = st("st-table", "ratings", *args, "--output", tmp_path / "w.csv", JUDGED)
    assert done.status == 2 and done.err.startswith("st-table: --wide: ") and reason in done.err
    assert len(done.err.splitlines()) == 1 and not (tmp_path / "w.csv").exists()


def test_wide_ratings_are_made_long_and_agree_as_before(tmp_path):
    """Each value once, a blank one as missing; alpha is that of the wide form."""
    rng = random.Random(3)
    raters = ["anna", "ben", "eve"]
    rows = [[f"q{n}", *(rng.choice(["1", "2", "3", ""]) for _ in raters)] for n in range(30)]
    (tmp_path / "w.csv").write_text("\n".join(",".join(row) for row in [["item", *raters], *rows]))
    done = st("st-table", "long", "--keys", "anna,ben,eve", "--map", "id=item", tmp_path / "w.csv")
    assert done.status == 0 and done.err == ""
    assert parsed(done.out) == [
        ["id", "key", "value"], *([row[0], rater, cell] for row in rows for rater, cell in zip(raters, row[1:], strict=True))
    ]  # fmt: skip
    (tmp_path / "l.csv").write_bytes(done.out)
    wide = st("st-agree", "alpha", "--raters", "anna,ben,eve", tmp_path / "w.csv").records[0]
    long = st("st-agree", "alpha", "--map", "item=id", "--map", "rater=key", tmp_path / "l.csv").records[0]
    assert [wide[key] for key in ("value", "n_ratings")] == [long[key] for key in ("value", "n_ratings")]
    wrong = st(
        "st-table", "long", "--keys", "anna,eva", "--map", "id=item", "--output", tmp_path / "x.csv", tmp_path / "w.csv"
    )
    assert wrong.status == 2 and "no record has" in wrong.err and not (tmp_path / "x.csv").exists()
    for args in (["long"], ["papers", "--keys", "a"]):
        assert "needs the table long" in st("st-table", *args, input=b"{}").err
    twice = st("st-table", "long", "--keys", "a,b,a", input=b"{}")
    assert (twice.status, twice.err) == (2, 'st-table: --keys: "a" is named twice\n')
    assert parsed(st("st-table", "long", "--keys", "a.b,n", input=b'{"id": "p", "a": {"b": [1]}, "n": 2.5}').out)[1:] == [
        ["p", "a.b", "[1]"], ["p", "n", "2.5"],
    ]  # fmt: skip
