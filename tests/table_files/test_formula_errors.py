"""A cell of a workbook whose formula failed is no value, and is never taken for an empty cell in silence."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from support.run import jsonl, st

from scholartools.table_files.reading import Reading, read_rows

ERRORS = ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!"]


def book(rows, bare=False):
    """A workbook; a text that is an error is what a formula gave. ``bare``: cells do not say where they stand."""
    import xlsxwriter

    made, out = io.BytesIO(), io.BytesIO()
    with xlsxwriter.Workbook(made) as file:
        sheet = file.add_worksheet("data")
        for n, row in enumerate(rows):
            for place, cell in enumerate(row):
                if cell in ERRORS:
                    sheet.write_formula(n, place, "=A1", None, cell)
                elif cell != "":
                    sheet.write(n, place, cell)
        file.add_worksheet("scholartools").write_formula(0, 0, "=A1", None, "#REF!")
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, re.sub(rb' r="[A-Z]+[0-9]+"', b"", data) if bare and "sheet1" in name else data)
    return out.getvalue()


def read(data, **how):
    told = []
    rows = list(read_rows(io.BufferedReader(io.BytesIO(data)), "t.xlsx", Reading(**how, tell=told.append)))
    return rows, told


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("error", ERRORS[:7])  # Excel stores newer ones as #VALUE!
def test_a_record_with_a_failed_formula_is_a_failed_record(error, bare):
    rows, told = read(
        book([["id", "title", "year"], ["a", "x", 2020], ["b", error, 2021], ["c", "y", error]], bare=bare)
    )
    assert [row.record.get("id") for row in rows if not row.fault][0] == "a"
    if error == "#N/A":
        assert [row.record for row in rows] == [
            {"id": "a", "title": "x", "year": 2020}, {"id": "b", "year": 2021}, {"id": "c", "title": "y"},
        ]  # fmt: skip
        assert sorted(told) == [f't.xlsx: 1 cell is #N/A: "{name}" has no value there' for name in ("title", "year")]
        return
    assert [row.where for row in rows if row.fault] == ["t.xlsx:3", "t.xlsx:4"]
    assert rows[1].fault.reason == f'"title": "{error}" is not a value: a formula of the workbook failed'


def test_a_text_that_looks_like_an_error_stays_a_text():
    """In a workbook and in CSV: a title may be of #REF!."""
    import xlsxwriter

    made = io.BytesIO()
    with xlsxwriter.Workbook(made) as file:
        sheet = file.add_worksheet()
        sheet.write_row(0, 0, ["id", "title"])
        sheet.write_string(1, 0, 'a" t="e" ')
        sheet.write_string(1, 1, "#REF!")
    assert read(made.getvalue())[0][0].record == {"id": 'a" t="e" ', "title": "#REF!"}
    assert list(read_rows(io.BufferedReader(io.BytesIO(b"id,title\na,#REF!\n")), "t.csv", Reading()))[0].record == {
        "id": "a", "title": "#REF!",
    }  # fmt: skip


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_ratings_that_failed_are_missing_and_counted(ending, tmp_path):
    """Alpha is that of the ratings which are there, whatever stands in the cells of the others."""
    from scholartools.tasks.shared.blanks import is_blank

    rows = [["item", "a", "b"], *([f"i{n}", str(n % 3), str((n + n // 5) % 3)] for n in range(12))]
    spoilt = [list(row) for row in rows]
    for n, error in enumerate(ERRORS, 1):
        assert is_blank(error)
        spoilt[n][1 + n % 2] = error
    text = "\n".join(",".join(row) for row in spoilt)
    (tmp_path / f"r.{ending}").write_bytes(book(spoilt) if ending == "xlsx" else text.encode())
    clean = [
        {"item": item, **{name: cell for name, cell in (("a", one), ("b", two)) if cell not in ERRORS}}
        for item, one, two in spoilt[1:]
    ]
    wanted = st("st-agree", "alpha", "--raters", "a,b", input=jsonl(*clean)).records[0]
    found = st("st-agree", "alpha", "--raters", "a,b", f"r.{ending}", cwd=tmp_path)
    assert (found.records[0]["value"], found.records[0]["n_ratings"]) == (wanted["value"], wanted["n_ratings"])
    assert "9 cells are blank and missing among the ratings" in found.err


def saved(change):
    """A workbook as openpyxl writes it, with formulas that nobody computed."""
    openpyxl = pytest.importorskip("openpyxl")
    made, file = io.BytesIO(), openpyxl.Workbook()
    for row in (["id", "title", "year", "n"], ["a", "x", 2020, "1"], ["b", "y", 2021, "2"], ["c", "z", 2022, "3"]):
        file.active.append(row)
    change(file)
    file.save(made)
    return made.getvalue()


@pytest.mark.parametrize("place", ["B3", "C3", "D3", "A3", "D5"])
def test_a_formula_that_nobody_computed_is_no_empty_cell(place):
    rows, told = read(saved(lambda file: file.active.__setitem__(place, '=CONCAT("q", 1)')))
    row = int(place[1:])
    assert [one.where for one in rows if one.fault] == [f"t.xlsx:{row}"]
    assert "which no program has computed" in next(one.fault.reason for one in rows if one.fault)
    rows, _ = read(saved(lambda file: file.active.__setitem__(place, '=CONCAT("q", 1)')), is_rows=True)
    assert [one.where for one in rows if one.fault] == [f"t.xlsx:{row}"]


def test_formulas_with_a_value_are_told():
    import xlsxwriter

    made = io.BytesIO()
    with xlsxwriter.Workbook(made) as file:
        sheet = file.add_worksheet()
        sheet.write_row(0, 0, ["id", "title", "year"])
        sheet.write_row(1, 0, ["a", "x"])
        sheet.write_formula(1, 2, "=2000+20", None, 2020)
        sheet.write_row(2, 0, ["b"])
        sheet.write_formula(2, 1, '=A2&"!"', None, "a!")
    rows, told = read(made.getvalue())
    assert [row.record for row in rows] == [{"id": "a", "title": "x", "year": 2020}, {"id": "b", "title": "a!"}]
    assert told == ["t.xlsx: 2 cells are formulas: what the file keeps as the value is read"]


def test_what_a_person_sees_otherwise_is_told():
    def change(file):
        file.active.merge_cells("B2:B3")
        file.active.row_dimensions[3].hidden = True
        file.create_sheet("more")["A1"] = "x"

    rows, told = read(saved(change))
    assert [row.record.get("title") for row in rows] == ["x", None, "z"] and len(rows) == 3
    assert told == [
        't.xlsx: the sheet "Sheet" is read, and not "more": the sheet to be read must be the first',
        "t.xlsx: 1 merged cell goes over several: its value is that of the first, and the others have none",
        "t.xlsx: 1 hidden row read as others are",
    ]


def test_the_first_sheet_that_is_not_hidden_is_read():
    def change(file):
        shown = file.create_sheet("shown")
        shown.append(["id", "title"])
        shown.append(["q", "of the second"])
        file.active.sheet_state = "hidden"

    rows, told = read(saved(change))
    assert [row.record for row in rows] == [{"id": "q", "title": "of the second"}]
    assert told == ['t.xlsx: the sheet "shown" is read, and not "Sheet": the sheet to be read must be the first']
