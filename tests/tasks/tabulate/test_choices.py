"""How st-table writes rows: their order, what stands for null, and files for European spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest
from support import filled
from support.run import jsonl, st

from scholartools.errors import UsageFault
from scholartools.table_files import sorting
from scholartools.table_files.formats import Column, Style
from scholartools.table_files.reading import Reading, read_rows
from scholartools.table_files.sorting import Sorted, sort_key
from scholartools.tasks.tabulate.writing import make_format

COLUMNS = [
    Column("text", "text", "a"), Column("n", "integer", "a"), Column("x", "number", "a"), Column("is", "boolean", "a"),
    Column("texts", "texts", "a"), Column("json", "json", "a"), Column("place", "integer", "a"),
]  # fmt: skip
REFERENCES = [
    {"id": f"b{n}", "text": text, "year": year}
    for n, (text, year) in enumerate([("=1+1", 2020), ("b", None), ("NA", 999), ("a;b", 2020), ("-x", 10_000)])
]
DATA = jsonl({"id": "p", "references": REFERENCES})


def parsed(out, divider=","):
    return list(csv.reader(io.StringIO(out.decode("utf-8-sig"), newline=""), delimiter=divider, strict=True))


def random_rows(rng, n):
    def maybe(value):
        return None if rng.random() < 0.2 else value

    return [
        [
            maybe(rng.choice(["", "a", "B", "b", "10", "9", "é", "𝒙"])), maybe(rng.choice([-3, 9, 10, 2**70])),
            maybe(rng.choice([0.5, -0.0, 0, 1e300, 3])), maybe(rng.random() < 0.5),
            maybe(rng.choice([[], ["b"], ["a", None], ["a", "b"]])),
            maybe(rng.choice(["9", "10", '"9"', "[1]", "true"])), place,
        ]
        for place in range(n)
    ]  # fmt: skip


def plain_key(row, place):
    """What Python compares, once null is out of the way: numbers in JSON before its other values."""
    cell = row[place]
    if COLUMNS[place].kind == "json":
        value = json.loads(cell)
        return (0, value, "") if type(value) in (int, float) else (1, 0, cell)
    return [(one is not None, one or "") for one in cell] if isinstance(cell, list) else cell


@pytest.mark.parametrize("most", [1 << 24, 3000])
@pytest.mark.parametrize("names", [["n"], ["-n"], ["text"], ["-x", "text"], ["is", "-texts"], ["json", "-n", "x"]])
def test_rows_are_sorted_as_by_one_stable_sort_after_the_other(names, most, monkeypatch):
    """The last column first, each by what Python's own sort does; in one go or from many parts of a file."""
    monkeypatch.setattr(sorting, "_MOST", most)
    monkeypatch.setattr(sorting, "_BLOCK", 500)
    for seed in range(5):
        rows = random_rows(random.Random(seed), 300)
        kept = Sorted(sort_key(COLUMNS, names, "a"))
        for n in range(0, 300, 7):
            kept.add(rows[n : n + 7])
        wanted = list(rows)
        for name in reversed(names):
            place = [column.heading for column in COLUMNS].index(name.removeprefix("-"))
            there = [row for row in wanted if row[place] is not None]
            there.sort(key=lambda row, place=place: plain_key(row, place), reverse=name.startswith("-"))
            wanted = there + [row for row in wanted if row[place] is None]
        assert list(kept.rows()) == wanted
        assert bool(kept._runs) == (most == 3000)


def test_sort_by_the_command():
    def years(*sort):
        options = [part for one in sort for part in ("--sort", one)]
        done = st("st-table", "references", "--columns", "reference,year", *options, input=DATA)
        return [row[0] for row in parsed(done.out)[1:]]

    assert years("year") == ["b2", "b0", "b3", "b4", "b1"] and years("-year") == ["b4", "b0", "b3", "b2", "b1"]
    assert years("year", "-reference") == ["b2", "b3", "b0", "b4", "b1"]
    wrong = st("st-table", "references", "--columns", "reference", "--sort", "year", input=DATA)
    assert wrong.status == 2 and wrong.err.startswith('st-table: --sort: "year" is no column')


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "md", "tex", "tsv"])
def test_every_format_is_sorted(ending, tmp_path):
    done = st(
        "st-table", "references", "--sort", "-year", "--columns", "reference,year", "--output", f"r.{ending}",
        input=DATA, cwd=tmp_path,
    )  # fmt: skip
    data = (tmp_path / f"r.{ending}").read_bytes()
    if ending == "xlsx":
        import python_calamine

        rows = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python()
        found = [row[0] for row in rows[1:]]
    elif ending == "parquet":
        from pyarrow import parquet

        found = parquet.read_table(io.BytesIO(data)).column("reference").to_pylist()
    else:
        names = (f"b{n}" for n in range(5))
        found = sorted(names, key=lambda name: data.index(name.encode()))
    assert done.status == 0 and found == ["b4", "b0", "b3", "b2", "b1"]


def test_a_file_for_european_spreadsheets_has_no_formula_and_comes_back_as_it_was(tmp_path):
    """Each text, however hostile, and each number; a spreadsheet finds none that it would run."""
    columns = [Column("id", "text", "id"), Column("title", "text", "title"), Column("x", "number", "x")]
    texts = [text for text in filled.HOSTILE if "\ud83d " not in text]
    rows = [[f"p{n}", text, n / 3] for n, text in enumerate(texts)] + [["q", None, 1e-7], ["r", "'=1", -2.5]]
    form = make_format("csv", "a", columns, Style(is_european=True))
    data = (form.head() + form.add(rows)).encode()
    assert data.startswith(b"\xef\xbb\xbfid;title;x\n")
    heads, *found = parsed(data, ";")
    assert heads == ["id", "title", "x"] and len(found) == len(rows)
    for (_, text, number), (_, wanted, value) in zip(found, rows, strict=True):
        assert text.lstrip()[:1] not in ("=", "+", "-", "@") or text == wanted == "-2"
        assert float(number.replace(",", ".")) == value and "." not in number
    (tmp_path / "t.csv").write_bytes(data)
    (tmp_path / "t.csv.meta.json").write_text(json.dumps({"file": form.about()}))
    told = []
    with (tmp_path / "t.csv").open("rb") as file:
        back = [row.record for row in read_rows(file, str(tmp_path / "t.csv"), Reading(tell=told.append))]
    for record, (name, text, _) in zip(back, rows, strict=True):
        assert record["id"] == name and record.get("title") == (text if text and text.strip() else None)
    assert any("apostrophes" in one for one in told)


def test_a_file_for_european_spreadsheets_by_the_command(tmp_path):
    st("st-table", "references", "--eu", "--columns", "id,text,year", "--output", "r.csv", input=DATA, cwd=tmp_path)
    assert (tmp_path / "r.csv").read_bytes().decode("utf-8-sig").splitlines() == [
        "id;text;year", "p;'=1+1;2020", "p;b;", "p;NA;999", 'p;"a;b";2020', "p;'-x;10000",
    ]  # fmt: skip
    told = json.loads((tmp_path / "r.csv.meta.json").read_text())
    assert told["table"] == "references" and list(told["columns"]) == ["id", "text", "year"] and told["version"]
    assert told["file"] == {
        "divider": ";", "decimal": ",", "null": "", "texts_like_null": 0, "is_guarded": True,
    }  # fmt: skip
    back = st("st-facets", "--map", "title=text", "r.csv", cwd=tmp_path)
    assert [record["title"] for record in back.records] == ["=1+1", "b", "NA", "a;b", "-x"]
    assert "apostrophes" in back.err
    refused = st("st-table", "references", "--eu", "--output", "r.tsv", input=DATA, cwd=tmp_path)
    assert refused.status == 2 and "--eu" in refused.err and not (tmp_path / "r.tsv").exists()


def test_a_text_stands_for_null_and_a_text_like_it_is_told():
    done = st("st-table", "references", "--columns", "text,year", "--null", "NA", input=DATA)
    assert done.out.decode().splitlines() == ["text,year", "=1+1,2020", "b,NA", '"NA",999', "a;b,2020", "-x,10000"]
    assert done.err.startswith("st-table: 1 cell is the text that stands for null")
    for kind, line in {"markdown": "| b | NA\\_ |", "latex": "{}b & NA\\_ \\\\", "tsv": "b\tNA_"}.items():
        done = st("st-table", "references", "--columns", "text,year", "--null", "NA_", "--to", kind, input=DATA)
        assert line in done.out.decode().splitlines() and done.err == ""
    for null, kind in {'"': "csv", "a,b": "csv", " x": "csv", "-": "xlsx"}.items():
        done = st("st-table", "references", "--null", null, "--to", kind, "--output", "/dev/null", input=DATA)
        assert done.status == 2 and "--null" in done.err


def test_what_a_file_is_stands_beside_it_only_where_it_has_a_name(tmp_path):
    for args in (["--output", "/dev/null"], [], ["--output", "r.md"], ["--output", "-"]):
        assert st("st-table", "references", *args, input=DATA, cwd=tmp_path).status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["r.md"]
    failed = st("st-table", "references", "--output", "r.csv", input=b"[1]\n", cwd=tmp_path)
    assert failed.status == 3 and not (tmp_path / "r.csv.meta.json").exists()


def test_no_such_column_to_sort_by():
    with pytest.raises(UsageFault, match='"none" is no column of a'):
        sort_key(COLUMNS, ["-none"], "a")


def test_digits_caption_and_label():
    columns = [Column("n", "integer", "a"), Column("x", "number", "a"), Column("text", "text", "a")]
    rows = [[2, 0.125, "0.125"], [3, -0.001, "b"], [4, 7, None], [5, None, "c"], [6, 2e15, "d"]]
    style = Style(digits=2, caption="A & B", label="tab:a")
    latex, markdown = make_format("latex", "a", columns, style), make_format("markdown", "a", columns, Style(digits=2))
    lines = (latex.head() + latex.add(rows)).splitlines()
    assert "\\caption{A \\& B}\\label{tab:a}\\\\" in lines
    wanted = [["2", "0.12", "0.125"], ["3", "0.00", "b"], ["4", "7.00", None], ["5", None, "c"],
              ["6", "2000000000000000.00", "d"]]  # fmt: skip
    shown = [[cell or "--" for cell in row] for row in wanted]
    cells = [[cell.strip() for cell in line[2:].removesuffix(" \\\\").split("&")] for line in lines[-5:]]
    assert [[n, whole + rest, text] for n, whole, rest, text in cells] == shown
    assert markdown.add(rows).splitlines() == [f"| {' | '.join(cell or '' for cell in row)} |" for row in wanted]


@pytest.mark.parametrize(
    "args", [["--digits", "2"], ["--caption", "x", "--to", "markdown"], ["--label", "a}", "--to", "latex"]]
)
def test_what_is_of_latex_alone_is_refused_elsewhere(args):
    done = st("st-table", "references", *args, input=DATA)
    assert done.status == 2 and args[0] in done.err and len(done.err.splitlines()) == 1
