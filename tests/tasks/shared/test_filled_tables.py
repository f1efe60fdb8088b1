"""What people filled in is read alike from CSV, TSV, Excel workbooks and Parquet files."""

from __future__ import annotations

import csv
import io

import pytest
from support.raters import questions
from support.run import jsonl, st

WEAK = {"id": "p", "weaknesses": [{"id": f"w{n}", "review": "r1", "text": f"=Weak, {n}.", "by": "h"} for n in (1, 2)]}
LABELS = [
    ["paper", "weakness", "rater", "label", "value", "text"],
    ["p", "w1", "anna", "objectivity", 4, "=Weak, 1."], ["p", "w1", "anna", "agreement", "", ""],
    ["p", "w1", "ben", "novelty", 1, "=Weak, 1."], ["p", "w2", "ben", "agreement", 3.0, "=Weak, 2."],
]  # fmt: skip
QUESTIONS = jsonl(*(questions(f"Why {n}?", f"Can {n}, or not?", name=f"p{n}", system="m") for n in range(3)))


def save(path, rows):
    """A table as a program or a spreadsheet saves it; numbers are numbers where the format has them."""
    kind = path.name.partition(".")[2]
    if kind == "xlsx":
        import xlsxwriter

        with xlsxwriter.Workbook(path, {"strings_to_formulas": False}) as book:
            sheet = book.add_worksheet()
            for n, row in enumerate(rows):
                sheet.write_row(n, 0, row)
    elif kind == "parquet":
        import pyarrow
        from pyarrow import parquet

        texts = [[None if cell == "" else str(cell).removesuffix(".0") for cell in row] for row in rows[1:]]
        parquet.write_table(pyarrow.table(dict(zip(rows[0], zip(*texts, strict=True), strict=True))), path)
    else:
        made = io.StringIO()
        csv.writer(made, delimiter="\t" if "tsv" in kind else ",").writerows(
            [str(cell).removesuffix(".0") for cell in row] for row in rows
        )
        data = made.getvalue().encode()
        if kind.endswith("gz"):
            import gzip

            data = gzip.compress(data)
        path.write_bytes(data)
    return path


ENDINGS = ["xlsx", "tsv", "parquet", "csv.gz"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_labels_of_people_are_those_of_the_csv(ending, tmp_path):
    done = [
        st("st-claims", "label", "--from", save(tmp_path / f"people.{one}", LABELS), input=jsonl(WEAK))
        for one in ("csv", ending)
    ]
    labels = [[one["labels"] for one in run.records[0]["weaknesses"]] for run in done]
    assert done[0].status == done[1].status == 0 and labels[0] == labels[1] and labels[0][0]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_fault_in_a_table_names_its_row(ending, tmp_path):
    rows = [*LABELS, ["p", "w2", "anna", "agreement", 9, ""]]
    path = save(tmp_path / f"people.{ending}", rows)
    done = st("st-claims", "label", "--from", path, input=jsonl(WEAK))
    assert done.status == 2 and f"people.{ending}:6: agreement must be 1 to 5, not" in done.err
    (tmp_path / f"bad.{ending}").write_bytes(b"\x00\x01nothing of the kind")
    done = st("st-claims", "label", "--from", tmp_path / f"bad.{ending}", input=jsonl(WEAK))
    assert done.status == 2 and len(done.err.splitlines()) == 1


@pytest.mark.parametrize("ending", ["xlsx", "tsv", "parquet"])
def test_a_sheet_that_was_saved_as_something_else_has_the_same_ratings(ending, tmp_path):
    made = st("st-judge", "sheet", "--seed", "1", input=QUESTIONS)
    heads, *rows = csv.reader(io.StringIO(made.out.decode("utf-8-sig"), newline=""))
    filled = [
        heads,
        *([*row[:3], n % 3, "" if n == 2 else 1.0, n % 2, "x" if n == 4 else "", ""] for n, row in enumerate(rows)),
    ]
    found = []
    for one in ("csv", ending):
        path = save(tmp_path / one / f"anna.{one}", filled) if (tmp_path / one).mkdir() is None else None
        done = st("st-judge", "sheet", "--read", path, input=QUESTIONS, is_described=False)
        assert done.status == 0, done.err
        found.append(done.records)
    assert found[0] == found[1] and {one["value"] for one in found[0]} == {0, 1, 2, None}
