"""Tables as input: what a cell holds is told by the schema or stays text, and nothing is lost or guessed in silence."""

from __future__ import annotations

import csv
import datetime
import decimal
import gzip
import io
import json
import math
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from support.run import jsonl, st

from scholartools import compression
from scholartools.errors import InputFault, UsageFault
from scholartools.table_files import workbooks
from scholartools.table_files.reading import Reading, read_rows

ABSTRACT = "We propose a method. Experiments show gains of 3%."


def read(data, name="t.csv", **how):
    """Records, faults by place, and what was told."""
    told = []
    raw = data if isinstance(data, bytes) else data.encode()
    rows = list(read_rows(io.BufferedReader(io.BytesIO(raw)), name, Reading(**how, tell=told.append)))
    faults = {row.where: row.fault.reason for row in rows if row.fault}
    return [row.record for row in rows if not row.fault], faults, told


def written(rows, delimiter=","):
    made = io.StringIO()
    csv.writer(made, delimiter=delimiter).writerows(rows)
    return made.getvalue()


def test_text_stays_text_whatever_it_looks_like():
    texts = [
        "007",
        "1e5",
        "NA",
        "null",
        "None",
        "TRUE",
        "2024-01-02",
        "3,5",
        "1.0",
        "=1+1",
        " x ",
        "-0",
        "nan",
        "1-2",
        "{}",
    ]
    records, faults, _ = read(written([["id", "title", "mine"], *([f"p{n}", one, one] for n, one in enumerate(texts))]))
    assert [record["title"] for record in records] == [record["mine"] for record in records] == texts
    assert not faults


@given(some.lists(some.text(some.characters(exclude_categories=["Cs"])), min_size=1, max_size=4),
       some.sampled_from([",", "\t", ";"]), some.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))  # fmt: skip
def test_what_the_csv_module_writes_is_read_as_it_was(cells, delimiter, encoding):
    """An oracle of other code: each cell that is not blank comes back, and each blank one is no key."""
    names = [f"k{n}" for n in range(len(cells))]
    data = written([["id", *names], ["x", *cells]], delimiter).encode(encoding)
    # one heading line with one divider, for the csv module quotes others
    records, faults, _ = read(data)
    assert faults == {} and records == [
        {"id": "x", **{name: cell for name, cell in zip(names, cells, strict=True) if cell.strip()}}
    ]


def test_types_are_those_of_the_schema():
    data = written([
        ["id", "year", "authors[]", "references.0.id", "references.0.text", "references.0.year", "source.path", "reviews", "authors2[]"],
        ["1", "2020", "Ann Ex; Bo Why", "b1", "Ann, 1999", "1999", "a.pdf", '[{"id": "r1", "text": "Bad."}]', '["a;b"]'],
        ["2", "2020.0", "", "", "", "", "", "", ""],
    ])  # fmt: skip
    records, faults, _ = read(data)
    assert not faults
    assert records == [
        {
            "id": "1", "year": 2020, "authors": ["Ann Ex", "Bo Why"],
            "references": [{"id": "b1", "text": "Ann, 1999", "year": 1999}], "source": {"path": "a.pdf"},
            "reviews": [{"id": "r1", "text": "Bad."}], "authors2": ["a;b"],
        },
        {"id": "2", "year": 2020},
    ]  # fmt: skip


@pytest.mark.parametrize("cell", ["[1", "{'id': 1}", '[{"id": "a", "id": "b"}]', "[NaN]", "x"])
def test_a_cell_of_json_is_json_with_nothing_lost(cell):
    assert read(written([["id", "reviews"], ["a", cell]]))[1] == {"t.csv:2": f'"reviews": "{cell}" is not JSON'}


@pytest.mark.parametrize("cell", ["007", "n.d.", "2,020", "2.000", "20.5", "NA", "1e3", "NaN", "true", "२०२०", "1_000"])
def test_what_is_not_of_its_type_is_refused_with_its_place(cell):
    records, faults, _ = read(written([["id", "year"], ["a", "1999"], ["b", cell]]))
    assert [record["id"] for record in records] == ["a"]
    assert faults == {"t.csv:3": f'"year": "{cell}" is not a whole number'}


def test_a_decimal_comma_is_one_where_semicolons_divide_cells():
    head = "id;facets.0.x;generated.limitations.0.cut;judgements.rate.0.score\n"
    for cell, score in (("3,5", 3.5), ("3.5", 3.5), ("0.125", 0.125), ("1.5e3", 1500.0), ("4", 4)):
        assert read(f"{head}a;;;{cell}\n")[0][0]["judgements"]["rate"] == [{"score": score}]
    for cell in ("1.234", "1.234,5", "1.234.567"):
        assert "t.csv:2" in read(f"{head}a;;;{cell}\n")[1], cell
    assert "t.csv:2" in read('id,judgements.rate.0.score\na,"3,5"\n')[1], "where commas divide cells it is none"


def test_rows_that_are_no_rectangle_are_named_and_kept():
    records, faults, _ = read("id,title\na,b\nc\nd,e,f\ng,h,\n\n,\ni,j\n")
    assert [record["id"] for record in records] == ["a", "g", "i"]
    assert list(faults) == ["t.csv:3", "t.csv:4"]
    result = st("st-facets", "--input-format", "csv", input="id,abstract\na,We test.\nc\n")
    assert result.status == 1 and result.records[1]["cells"] == ["c"] and "-:3: 1 cell, but" in result.err


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"id,id\n1,2\n", 't.csv:1: two columns are "id"'),
        (b"id, id \n1,2\n", 't.csv:1: two columns are "id"'),
        (b"id,source,source.path\n1,2,3\n", 'stands within "source"'),
        ("id,title\n1,caf\xe9\n".encode("latin-1"), "t.csv: not UTF-8 at byte 6 of line 2 (Latin-1 or Windows-1252?): save it as UTF-8"),
        ("id,t\n1,2\n".encode("utf-16-le"), "neither UTF-8 nor UTF-16 with a byte order mark"),
        (b'id,title\n1,"open\n2,x\n', "t.csv:2: no CSV from this line on"),
        (b'id,title\n1,"a"b\n', "t.csv:2: no CSV from this line on"),
        (b"id;a,b\n1;2\n", "headings have commas and semicolons between them"),
        (b"id|title\n1|2\n", "separated by |"),
        (b'{"id": "a", "x": 1}\n', "cannot be the heading of a column"),
        (b"PAR1xxxx", "no table but Parquet"),
        (b"%PDF-1.5\n", "no table but a PDF"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_told_is_refused_as_a_whole(data, reason):
    with pytest.raises(InputFault) as caught:
        read(data)
    assert reason in caught.value.reason


def test_encodings_line_ends_and_compression():
    text = 'id,title\r\n1,"a\r\nb"\r\n2,ü😀\r\n'
    expected = [{"id": "1", "title": "a\r\nb"}, {"id": "2", "title": "ü😀"}]
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        assert read(text.encode(encoding))[0] == expected, encoding
    assert read(gzip.compress(text.encode()), "t.csv.gz")[0] == expected
    assert read("id,title\r1,a\r2,b\r")[0] == [{"id": "1", "title": "a"}, {"id": "2", "title": "b"}]
    assert read("sep=;\nid;title\n1;a\n")[0] == [{"id": "1", "title": "a"}]
    assert read("id\ttitle\n1\t'a,b;c\n", "t.tsv")[0] == [{"id": "1", "title": "'a,b;c"}]
    assert read("")[0] == read("\n\n")[0] == []


def test_a_cell_of_a_megabyte():
    (record,), _, _ = read(written([["id", "abstract"], ["a", "x, " * 400_000]]))
    assert len(record["abstract"]) == 1_200_000


def test_rows_without_an_id_are_named_by_file_and_row_and_told():
    records, _, told = read("title\na\n\nb\nc\n", "some/papers.csv")
    assert [record["id"] for record in records] == ["papers-2", "papers-4", "papers-5"]
    assert told == [
        "some/papers.csv: 3 rows have no id, and got the file name and row number as id: papers-2, papers-4, ..."
    ]


def test_columns_are_renamed_and_near_misses_told():
    records, _, told = read("Key,Abstract\nx,We test.\n", mapping=(("id", "Key"), ("title", "Abstract")))
    assert records == [{"id": "x", "title": "We test."}] and told == []
    _, _, told = read("id,Abstract\nx,We test.\n")
    assert told == ['t.csv: the column "Abstract" is not read as "abstract": map=abstract=Abstract renames it']
    with pytest.raises(UsageFault, match='map: no column "y" at t.csv:1: it has id, x'):
        read("id,x\n1,2\n", mapping=(("a", "y"),))


def test_places_in_a_list_have_no_gap():
    assert read("id,references.1.id,references.0.id\na,2,1\n")[0][0]["references"] == [{"id": "1"}, {"id": "2"}]
    assert "t.csv:2" in read("id,references.1.id,references.0.id\na,2,\n")[1]


def test_a_column_of_texts_just_works(tmp_path):
    for name in ("abstract", "text"):
        (tmp_path / "a.csv").write_text(written([["id", name], ["007", ABSTRACT]]))
        result = st("st-facets", tmp_path / "a.csv")
        assert result.status == 0 and result.records[0]["facets"][0]["result"]["text"].startswith("Experiments")
        assert result.records[0]["id"] == "007"
    (tmp_path / "r.csv").write_text(
        written([["review"], ["The paper lacks a baseline. It is a limitation that no user was asked."]])
    )
    result = st("st-extract-limits", tmp_path / "r.csv")
    assert result.records[0]["id"] == "r-2" and result.records[0]["reviews"][0]["id"] == "r1"
    assert 'the column "review" is read as reviews.0.text' in result.err
    (tmp_path / "s.tsv").write_text("id\ttext\np\tA limitation of our study is that it is small.\n")
    (paper,) = st("st-extract-limits", tmp_path / "s.tsv").records
    assert paper["limitations"][0]["spans"][0]["in"] == "s1" == paper["sections"][0]["id"]


def test_the_whole_command_line(tmp_path):
    data = written([["Key", "Abs"], ["1", ABSTRACT]])
    (tmp_path / "a.dat").write_text(data)
    told = st("st-facets", tmp_path / "a.dat")
    assert told.status == 3 and "--input-format csv, or a name that ends in .csv, has it read" in told.err
    renamed = ("--map", "abstract=Abs", "--map", "id=Key")
    named = st("st-facets", "--input-format", "csv", *renamed, tmp_path / "a.dat")
    piped = st("st-facets", "--input-format", "csv", *renamed, input=data)
    assert named.status == piped.status == 0 and named.out == piped.out and named.records[0]["id"] == "1"
    plain = jsonl({"id": "1", "abstract": ABSTRACT})
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(plain))
    assert st("st-facets", tmp_path / "a.jsonl.gz").out == named.out == st("st-facets", input=plain).out
    refused = st("st-facets", "--map", "a=b", input=plain)
    assert refused.status == 2 and "--map: - is no table" in refused.err
    assert st("st-facets", "--map", "ab", "x.csv", input=plain).status == 2


RATED = [("u1", "a", "a", "", "b"), ("u2", "b", "b", "b", "NA"), ("u3", "a", "", "a", "a"), ("u4", "b", "a", "n/a", "b"),
         ("u5", "a", "a", "a", "a"), ("u6", "b", "b", "", "b"), ("u7", "", "", "", "a")]  # fmt: skip


def test_blank_cells_of_ratings_are_missing_and_counted(tmp_path):
    """As JSONL with null gives it, and as the library krippendorff computes it of the cells that are there."""
    import krippendorff

    columns = ["item", "r1", "r.2", "year", "abstract"]
    (tmp_path / "r.csv").write_text(written([columns, *RATED]))
    blank = {"", "NA", "n/a"}
    rows = [dict(zip(columns, [None if cell in blank else cell for cell in row], strict=True)) for row in RATED]
    raters = ("--raters", ",".join(columns[1:]))
    told = st("st-agree", "alpha", *raters, tmp_path / "r.csv")
    (from_table,), (from_json,) = told.records, st("st-agree", "alpha", *raters, input=jsonl(*rows)).records
    units = [[math.nan if cell in blank else "ab".index(cell) for cell in row[1:]] for row in RATED]
    oracle = krippendorff.alpha([list(one) for one in zip(*units, strict=True)], level_of_measurement="nominal")
    assert from_table["value"] == from_json["value"] == pytest.approx(oracle, abs=1e-12)
    assert 'st-agree: 8 cells are blank and missing among the ratings: "" (6), "NA" (1), "n/a" (1)' in told.err
    empty = [dict(zip(columns, row, strict=True)) for row in RATED]
    assert st("st-agree", "alpha", *raters, input=jsonl(*empty)).records[0]["value"] == from_table["value"]


def test_ratings_in_long_form_and_measures(tmp_path):
    (tmp_path / "l.csv").write_text("item,rater,value\n1,a,4\n1,b,5\n2,a,3\n2,b,\n3,a,1\n3,b,1\n")
    result = st("st-agree", "alpha", "--level", "interval", tmp_path / "l.csv")
    assert result.status == 0 and result.records[0]["n_items"] == 2, result.err
    (tmp_path / "m.csv").write_text("item,x,y\n" + "".join(f"{n},{n},{n * n}\n" for n in range(9)) + "9,,4\n")
    result = st("st-agree", "correlate", "--x", "x", "--y", "y", tmp_path / "m.csv")
    assert result.status == 0 and '"" (1)' in result.err


def test_workbooks(tmp_path):
    xlsxwriter, _ = pytest.importorskip("xlsxwriter"), pytest.importorskip("python_calamine")
    import datetime

    book = xlsxwriter.Workbook(tmp_path / "p.xlsx")
    sheet = book.add_worksheet("Papers")
    sheet.write_row(0, 0, ["id", "title", "year", "abstract"])
    sheet.write_string(1, 0, "007")
    sheet.write_datetime(1, 1, datetime.datetime(2024, 1, 2), book.add_format({"num_format": "yyyy-mm-dd"}))
    sheet.write_number(1, 2, 2020)
    sheet.write_string(1, 3, ABSTRACT)
    sheet.write_row(3, 0, [7, 3.5, 1999.5, True])
    sheet.write_row(4, 0, [1e16, "x"])
    sheet.write_row(5, 0, ["a", "x", 2001, ABSTRACT, 0])
    book.add_worksheet("Notes").write(0, 0, "x")
    book.close()
    data = (tmp_path / "p.xlsx").read_bytes()
    records, faults, told = read(data, "p.xlsx")
    assert records == [{"id": "007", "title": "2024-01-02", "year": 2020, "abstract": ABSTRACT}]
    assert faults["p.xlsx:4"] == '"year": "1999.5" is not a whole number' and "15 digits" in faults["p.xlsx:5"]
    assert faults["p.xlsx:6"].startswith("5 cells, but the table has 4 headings"), (
        "a zero without a heading is no blank"
    )
    assert 'p.xlsx: the sheet "Papers" is read, and not "Notes": the sheet to be read must be the first' in told
    assert 'p.xlsx: 1 cell is a date in the file: "title" has them as YYYY-MM-DD' in told
    assert st("st-facets", tmp_path / "p.xlsx").records[0]["id"] == "007"
    with pytest.raises(InputFault, match="not an Excel workbook"):
        read(b"id,title\n1,2\n", "p.xlsx")


def test_parquet(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [
        {"id": "007", "year": 2020.0, "authors": ["A; B"], "mine": 3.5, "nested": {"a": [1, None]}, "title": None},
        {"id": "8", "year": math.nan, "authors": [], "mine": math.nan, "nested": None, "title": "x"},
    ]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "p.parquet")
    records, faults, _ = read((tmp_path / "p.parquet").read_bytes(), "p.parquet")
    assert not faults and records == [
        {"id": "007", "year": 2020, "authors": ["A; B"], "mine": 3.5, "nested": {"a": [1, None]}},
        {"id": "8", "authors": [], "title": "x"},
    ]
    with pytest.raises(InputFault, match="the Parquet file cannot be read"):
        read(b"id,title\n1,2\n", "p.parquet")


def test_parquet_of_single_precision_reads_as_it_was_written(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    single = pa.float32()
    kinds = {"a": single, "b": pa.list_(single), "c": pa.struct([("d", single), ("e", pa.float64())])}
    rows = [{"a": n / 100, "b": [n / 10, float(f"{n}e20")], "c": {"d": n / 1000, "e": n / 3}} for n in range(-300, 301)]
    rows += [{"a": None, "b": [None], "c": None}, {"a": math.nan, "b": [], "c": {"d": None, "e": 0.1}}]
    rows = [{"id": str(number), **row} for number, row in enumerate(rows)]
    table = pa.Table.from_pylist(rows, pa.schema({"id": pa.string(), **kinds}))
    parquet.write_table(table, tmp_path / "p.parquet")
    records, faults, _ = read((tmp_path / "p.parquet").read_bytes(), "p.parquet")
    assert not faults and records[:601] == rows[:601]
    last = [{"id": "601", "b": [None]}, {"id": "602", "b": [], "c": {"d": None, "e": 0.1}}]
    assert records[601:] == last


def test_vectors_of_single_precision_read_as_they_were_written_whatever_list_holds_them(tmp_path):
    """Of polars and Hugging Face datasets, the vectors of embeddings are large lists and lists of one size."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    single, vectors = pa.float32(), [[n / 100, n / 7000] for n in range(-50, 50)]
    vectors = [[float(f"{x:.6g}") for x in vector] for vector in vectors]
    kinds = {
        "large": pa.large_list(single), "sized": pa.list_(single, 2), "deep": pa.large_list(pa.list_(single, 2)),
        "mapped": pa.map_(pa.string(), pa.large_list(single)), "in": pa.struct([("v", pa.list_(single, 2))]),
    }  # fmt: skip
    rows = [
        {"id": str(n), "large": one, "sized": one, "deep": [one, one], "mapped": [["m", one]], "in": {"v": one}}
        for n, one in enumerate(vectors)
    ]
    given_ = [{**row, "mapped": dict(row["mapped"])} for row in rows]
    table = pa.Table.from_pylist([*given_, {"id": "last"}], pa.schema({"id": pa.string(), **kinds}))
    parquet.write_table(table, tmp_path / "p.parquet")
    records, faults, _ = read((tmp_path / "p.parquet").read_bytes(), "p.parquet")
    assert not faults and records == [*rows, {"id": "last"}]


def test_what_json_cannot_hold_of_a_parquet_file_is_text_or_refused_however_deep(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    noon = datetime.datetime(2024, 1, 2, 12)
    values = {
        "decimal": (decimal.Decimal("1.50"), "1.50"), "day": (noon.date(), "2024-01-02"),
        "hour": (noon.time(), "12:00:00"), "wide": (2**63 - 1, 2**63 - 1), "zero": (0.5, 0.5),
        "nan": (math.nan, None), "inf": (math.inf, InputFault), "bytes": (b"ab", InputFault),
    }  # fmt: skip
    for name, (given_, wanted) in values.items():
        for wrap in (lambda one: one, lambda one: [one], lambda one: {"in": [one]}):
            path = tmp_path / "p.parquet"
            parquet.write_table(pa.table({"id": ["a"], name: [wrap(given_)]}), path)
            records, faults, told = read(path.read_bytes(), "p.parquet")
            if wanted is InputFault:
                assert not records and name in faults["p.parquet:2"], (name, faults)
            else:
                kept = wrap(wanted) if wrap(wanted) is not None else None
                assert records == [{"id": "a", **({} if kept is None else {name: kept})}]
                json.dumps(records, allow_nan=False)
            assert all("12:00:00" in one for one in told) or name == "day"


@pytest.mark.parametrize(("name", "extra"), [("p.xlsx", "tables"), ("p.parquet", "parquet")])
def test_a_library_that_is_not_installed(name, extra, monkeypatch):
    import sys

    for module in ("python_calamine", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)  # as Python has it where an import is to fail
    with pytest.raises(UsageFault, match=rf'is not installed: pip install "scholartools\[{extra}\]"'):
        read(b"PK", name)


def test_nothing_heavy_is_imported_to_read_a_table(tmp_path):
    import subprocess
    import sys

    (tmp_path / "a.csv").write_text("id,title\n1,2\n")
    code = (
        "import sys; from scholartools import io; "
        f"print(next(io.read_lines([{str(tmp_path / 'a.csv')!r}])).record); "
        "print(sorted({'pydantic', 'pyarrow', 'python_calamine', 'xlsxwriter', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(json.loads('{"id": "1", "title": "2"}')), "[]"]


def _workbook(sheet: str, path: Path) -> Path:
    """A workbook with one sheet of that XML, as short as it can be."""
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    override = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    def relation(kind: str, target: str) -> str:
        return (f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{kinds}/{kind}" '
                f'Target="{target}"/></Relationships>')  # fmt: skip

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/'
            'vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{override}.sheet.main+xml"/><Override '
            f'PartName="/xl/worksheets/sheet1.xml" ContentType="{override}.worksheet+xml"/></Types>',
        )
        archive.writestr("_rels/.rels", relation("officeDocument", "xl/workbook.xml"))
        archive.writestr("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml"))
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{kinds}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>'
        )
    return path


def _cell(place: str, text: str) -> str:
    named = f' r="{place}"' if place else ""
    return f'<c{named} t="inlineStr"><is><t>{text}</t></is></c>'


HEAD = f'<row r="1">{_cell("A1", "id")}{_cell("B1", "abstract")}</row><row r="2">{_cell("A2", "p")}{_cell("B2", "We do.")}</row>'


@pytest.mark.parametrize(
    ("far", "is_refused"),
    [
        (f'<row r="1048576">{_cell("XFD1048576", "x")}</row>', True),
        ('<row r="1048576"><c r="XFD1048576" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>', True),
        (f'<row r="1048576">{_cell("", "x") * 30}</row>', True),
        ('<row r="1048576"><c r="XFD1048576" s="1"/></row>', False),  # with a colour and nothing in it
        (f'<row r="200000">{_cell("B200000", "x")}</row>', False),
        ("<row/>" * 300_000, False),
        ("<!--" + "<row <c " * 40_000 + "-->", False),  # each was followed to the end of all
    ],
)
def test_a_cell_far_from_a_table_takes_no_memory(tmp_path, far, is_refused):
    """A file of 1.4 kB with one took 400 GB, which ended the process with a trace of the library's."""
    path = _workbook(HEAD + far, tmp_path / "far.xlsx")
    told = []
    with path.open("rb") as file:
        if is_refused:
            with pytest.raises(InputFault, match="delete cells far from the table"):
                list(workbooks.rows(file, "far.xlsx", told.append))
        else:
            rows = list(workbooks.rows(file, "far.xlsx", told.append))
            assert [row[:2] for _, row in rows[:2]] == [["id", "abstract"], ["p", "We do."]]


def test_a_workbook_that_unpacks_to_more_than_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(workbooks, "_MOST_BYTES", 100_000)
    path = _workbook(HEAD + f"<!--{' ' * 100_000}-->", tmp_path / "large.xlsx")
    with path.open("rb") as file, pytest.raises(InputFault, match="save it as CSV"):
        list(workbooks.rows(file, "large.xlsx", print))


def workbook(texts, **how):
    """A workbook of one column of texts, as its library writes it."""
    import xlsxwriter

    made = io.BytesIO()
    with xlsxwriter.Workbook(made, how) as book:
        sheet = book.add_worksheet("x")
        for place, text in enumerate(["title", *texts]):
            sheet.write_string(place, 0, text)
    return made.getvalue()


@pytest.mark.parametrize("is_inline", [True, False])
def test_characters_that_xml_has_not_come_back_from_a_workbook(is_inline):
    """Also those that the library leaves escaped; words that look like an escape stay words where they are told apart."""
    points = [*range(1, 9), 0xB, 0xC, *range(0xE, 0x20), 0x7F, 0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFE, 0x10FFFF]
    texts = [f"a{chr(point)}b" for point in points] + ["_x0041_", "_x000D_", "x_xFFF_y"]
    found, _, _ = read(workbook(texts, constant_memory=is_inline), "t.xlsx")
    assert [record["title"] for record in found] == texts
    words = ["_xFFFE_", "_xffff_ it is", "a"]
    found, _, _ = read(workbook(words, constant_memory=is_inline), "t.xlsx")
    assert [record["title"] for record in found] == words


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_line_without_an_end_is_refused_in_every_encoding(encoding, monkeypatch):
    monkeypatch.setattr(compression, "LONGEST_LINE", 2000)
    long = "id,title\np1,short\np2," + "x" * 3000 + "\n"
    unit = "MB" if encoding == "utf-8" else "million characters"
    with pytest.raises(InputFault, match=rf"t\.csv:3: a line of more than 0 {unit}, the most"):
        read(long.encode(encoding))
    records, _, _ = read(long.replace("x" * 3000, "x" * 300).encode(encoding))
    assert [record["id"] for record in records] == ["p1", "p2"]
