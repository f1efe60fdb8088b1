"""Sheets as people and their programs send them back: what was answered comes back, or the cell says why not."""

from __future__ import annotations

import csv
import fcntl
import io
import itertools
import json
import random
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from support.annotators import (
    PAPERS,
    SINGLE,
    answers_of,
    batch_of,
    fill_csv,
    fill_label_studio,
    fill_tasks,
    fill_workbook,
    key_of,
)  # fmt: skip
from support.run import ROOT, jsonl, st

from scholartools.tasks.annotate.assignment import Plan, assign
from scholartools.tasks.annotate.description import Item, Part
from scholartools.tasks.annotate.kinds import find_kind

PEOPLE = ROOT / "fixtures" / "people"


def own_batch(papers, text, records, *options, raters="anna", name="batch"):
    """A batch of a kind of one's own."""
    (papers.parent / "own.yaml").write_text(text)
    papers.write_bytes(jsonl(*records))
    full = ["--design", "full"] if "--per-item" not in options else []
    return batch_of(papers, "own.yaml", *full, *options, raters=raters, name=name)


def exported(batch, form="csv", rater="anna"):
    done = st("st-annotate", "export", batch, "--to", form)
    assert done.status == 0, done.err
    return batch / "raters" / rater / f"{rater}.{form}"


def rows_of(path):
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def written(rows, divider=",", end="\r\n"):
    made = io.StringIO()
    csv.writer(made, delimiter=divider, lineterminator=end).writerows(rows)
    return made.getvalue()


def taken(batch, *files, status=0, options=()):
    """What an import makes, but for where it came from."""
    (batch / "answers.jsonl").unlink(missing_ok=True)
    done = st("st-annotate", "import", batch, *options, *files)
    assert done.status == status, done.err
    return [{**one, "source": None} for one in done.records]


def padded(rows):
    return [[f" {cell}\u00a0 " if cell else "  " for cell in row] for row in rows]


RESAVED = {
    "Excel, Unicode text": lambda rows: ("txt", written(rows, "\t").encode("utf-16")),
    "Excel, Unicode text as .csv": lambda rows: ("csv", written(rows, "\t").encode("utf-16")),
    "UTF-16, big end first": lambda rows: ("csv", b"\xfe\xff" + written(rows, ";").encode("utf-16-be")),
    "LibreOffice": lambda rows: ("csv", written(rows, ",", "\n").encode()),
    "Numbers": lambda rows: ("csv", written(rows, ";", "\n").encode()),
    "two marks": lambda rows: ("csv", b"\xef\xbb\xbf\xef\xbb\xbf" + written(rows).encode()),
    "tabs": lambda rows: ("tsv", written(rows, "\t").encode()),
    "sep=": lambda rows: ("csv", b"sep=;\r\n" + written(rows, ";").encode()),
    "an old Macintosh": lambda rows: ("csv", written(rows, ",", "\r").encode()),
    "capitals": lambda rows: ("CSV", written(rows).encode()),
    "blank lines and columns": lambda rows: (
        "csv", written([[""] * 3, *(row + ["", ""] for row in rows), *[[""] * (len(rows[0]) + 2)] * 3]).encode()
    ),
    "other order": lambda rows: ("csv", written([rows[0], *random.Random(1).sample(rows[1:], len(rows) - 1)]).encode()),
    "other columns": lambda rows: ("csv", written([list(reversed(row)) for row in rows]).encode()),
    "own columns": lambda rows: ("csv", written([["mine", "", *row] for row in rows]).encode()),
    "scribbles": lambda rows: ("csv", written([[*row, "", "see p. 4" if n == 2 else ""] for n, row in enumerate(rows)]).encode()),
    "no texts": lambda rows: ("csv", written([[cell for cell, head in zip(row, rows[0], strict=True) if head not in ("Text", "A", "B")] for row in rows]).encode()),
    "blanks around": lambda rows: ("csv", written(padded(rows)).encode()),
}  # fmt: skip


@pytest.mark.parametrize("how", RESAVED)
def test_a_sheet_as_a_program_saves_it_has_the_same_answers(papers, how):
    batch = batch_of(papers, "own.yaml", raters="anna,ben")
    exported(batch)
    path = fill_csv(batch, "anna", answers_of(batch, "anna", 6))
    wanted = taken(batch, path)
    ending, data = RESAVED[how](rows_of(path))
    other = papers.parent / f"anna.{ending}"
    other.write_bytes(data)
    assert taken(batch, other) == wanted and len(wanted) > 8


def test_a_sheet_that_another_run_writes_is_refused(papers):
    batch = batch_of(papers, "own.yaml", raters="anna,ben")
    part = batch / "raters" / "anna" / "anna.csv.part"
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        done = st("st-annotate", "export", batch, "--to", "csv")
        assert done.status == 2 and "another run is writing it" in done.err and part.read_bytes() == b""
    exported(batch)


def test_a_sheet_in_a_character_set_of_one_country_is_refused(papers):
    batch = batch_of(papers, "own.yaml", raters="anna,ben")
    path = exported(batch)
    path.write_bytes(path.read_bytes().decode("utf-8-sig").encode("cp1252", "replace"))
    done = st("st-annotate", "import", batch, path)
    assert done.status == 2 and "UTF-8" in done.err and len(done.err.splitlines()) == 1


def _yes_and_no(book):
    """As whoever types TRUE has them: values of yes and no of the program's own."""
    for row in book["answers"].iter_rows(min_row=2):
        for cell in row:
            cell.value = {"yes": True, "no": False, "x": True}.get(cell.value, cell.value)
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type


def _guide_first(book):
    book.move_sheet("guide", -1)


def _renamed(book):
    book["answers"].title = "Tabelle1"


def _more_sheets(book):
    book.create_sheet("scratch", 0)["A1"] = "to do"


def _hidden(book):
    book["answers"].row_dimensions[3].hidden = True
    book["answers"].auto_filter.ref = "A1:C9"


def _numbers(book):
    """Numbers as numbers, words of programs as yes and no of theirs, rows that were once filled."""
    sheet = book["answers"]
    heads = [cell.value for cell in sheet[1]]
    for row in sheet.iter_rows(min_row=2):
        for head, cell in zip(heads, row, strict=True):
            if head.startswith(("rated", "n (")) and cell.value is not None:
                cell.value, cell.number_format = float(cell.value), "0.00"
    sheet.cell(sheet.max_row + 40, 2).value = "  "


@pytest.mark.parametrize("change", [_guide_first, _renamed, _more_sheets, _hidden, _numbers, _yes_and_no])
def test_a_workbook_as_a_program_saves_it_has_the_same_answers(papers, change):
    import openpyxl

    batch = batch_of(papers, "own.yaml", raters="anna,ben")
    exported(batch, "xlsx")
    path = fill_workbook(batch, "anna", answers_of(batch, "anna", 6))
    wanted = taken(batch, path)
    book = openpyxl.load_workbook(path)
    change(book)
    book.save(path)
    assert taken(batch, path) == wanted and len(wanted) > 8


def test_merged_cells_answer_the_first_row_alone(papers):
    import openpyxl

    batch = batch_of(papers, "limits-check", "--per-item", "1", raters="anna")
    path = exported(batch, "xlsx")
    book = openpyxl.load_workbook(path)
    sheet = book["answers"]
    column = next(cell.column for cell in sheet[1] if cell.value.startswith("verdict"))
    sheet.cell(2, column).value = "limitation"
    sheet.merge_cells(start_row=2, end_row=4, start_column=column, end_column=column)
    book.save(path)
    found = taken(batch, path)
    assert [one["answers"]["verdict"] for one in found] == ["limitation"]


def test_the_sheet_of_another_rater_is_refused_whatever_its_name(papers):
    """Sides and candidates stand in an order of each rater's own: another's answers would say the opposite."""
    batch = batch_of(papers, "specificity", "--design", "full", raters="anna,ben")
    for form, fill in (
        ("csv", fill_csv), ("xlsx", fill_workbook), ("jsonl", fill_tasks), ("label-studio", fill_label_studio),
    ):  # fmt: skip
        st("st-annotate", "export", batch, "--to", form)
        path = fill(batch, "ben", answers_of(batch, "ben", 4))
        own = papers.parent / "anna" / f"back{path.suffix}"
        own.parent.mkdir(exist_ok=True)
        own.write_bytes(path.read_bytes())
        done = st("st-annotate", "import", batch, own)
        assert done.status == 2 and "ben" in done.err and not (batch / "answers.jsonl").exists(), (form, done.err)
        done = st("st-annotate", "import", batch, "--rater", "anna", path)
        assert done.status == 2 and "ben" in done.err


KIND = """
name: own
questions: [{type: number, name: n, text: "How many?", low: 0, high: 5000}, {type: scale, name: s, text: "How good?"}]
parts: [{name: text, heading: Text, text: text}]
"""
PASSAGES = """
name: own
questions: [{type: spans, name: s, text: "Which?", part: text, labels: [x, y]}]
parts: [{name: text, heading: Text, text: text}]
"""
NUMBERS = [
    ("12", 12), ("12.0", 12), (" 12 ", 12), ("1,5", 1.5), ("1.5", 1.5), ("1e2", 100), ("１２", 12), ("1 500", 1500),
    ("1\u202f500", 1500), ("1500", 1500), ("1500,0", 1500), ("0", 0),
    ("3 4", None), ("1,500", None), ("1.500", None), ("3-4", None), ("3/4", None), ("1_0", None), ("0x10", None),
    ("12 bees", None), ("twelve", None), ("inf", None), ("-1", None), ("2024-03-04", None), ("12%", None), ("±2", None),
    ("1.234,5", None), ("5001", None), ("#REF!", None), ("NA", "blank"), ("-", None), ("?", None),
]  # fmt: skip


OF_TEXTS = """
name: own
questions:
  - {type: number, name: n, text: "Which?", low: 0, high: null}
  - {type: text, name: why, text: "Why?", is_required: false}
parts: [{name: text, heading: Text, text: text}]
"""


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_whole_numbers_keep_their_digits_and_words_of_blank_cells_are_told(papers, form):
    said = [(2**53 + 1, "NA"), (10**18 + 1, "null"), (7, "NA"), (0, ""), ("NA", "NA"), (3, "0")]
    records = [{"id": f"p{n}", "text": f"Text {n}."} for n in range(len(said))]
    batch = own_batch(papers, OF_TEXTS, records)
    path, names = exported(batch, form), {one["row"]: int(one["item"][1]) for one in key_of(batch)}
    if form == "csv":
        heads, *rows = rows_of(path)
        for row in rows:
            row[heads.index("n (0 to inf)")], row[heads.index("why (your words)")] = map(str, said[names[row[0]]])
        path.write_text(written([heads, *rows]))
    else:
        tasks = [json.loads(line) for line in path.read_text().splitlines()]
        path.write_bytes(
            jsonl(*({**one, "answers": dict(zip(("n", "why"), said[names[one["row"]]]))} for one in tasks))
        )
    done = st("st-annotate", "import", batch, path)
    assert done.status == 0, done.err
    found = {int(one["item"][1]): one["answers"] for one in done.records}
    assert [found[n]["n"] for n in (0, 1, 2, 3, 5)] == [2**53 + 1, 10**18 + 1, 7, 0, 3] and 4 not in found
    assert [found[n]["why"] for n in (0, 1, 2, 3, 5)] == [None, None, None, None, "0"]
    told = '5 cells with a word for a blank cell are taken as no answer: "NA" (4), "null" (1)'
    assert done.err.count(told) == 1


def test_a_number_is_what_was_written_or_none(papers):
    """1,500 is one and a half in one country and fifteen hundred in another."""
    records = [{"id": f"p{n}", "text": f"Text {n}."} for n in range(len(NUMBERS))]
    batch = own_batch(papers, KIND, records)
    path = exported(batch)
    wanted = {f"p{n}": pair for n, pair in enumerate(NUMBERS)}
    names = {one["row"]: one["item"] for one in key_of(batch)}
    heads, *rows = rows_of(path)
    for row in rows:
        row[heads.index("n (0 to 5000)")] = wanted[names[row[0]]][0]
        row[heads.index("s (1 to 5)")] = "3,000"
    path.write_text(written([heads, *rows]))
    found = {one["item"]: one for one in taken(batch, path, status=1)}
    for name, (cell, value) in wanted.items():
        number = None if value == "blank" else value
        assert found[name]["answers"]["n"] == number, cell
        assert (found[name]["reasons"].get("n") == "blank") == (value == "blank"), cell
        assert found[name]["answers"]["s"] == 3, "there is no other reading on the scale"


@pytest.mark.parametrize(
    ("cell", "is_skipped"),
    [("x", True), ("yes", True), ("the text is cut", True), ("no", False), ("0", False), ("False", False), ("none", False), ("-", False), (" ", False), ("NA", False)],
)  # fmt: skip
def test_what_stands_under_skip(papers, cell, is_skipped):
    records = [{"id": f"p{n}", "text": f"Text {n}."} for n in range(2)]
    batch = own_batch(papers, KIND, records)
    path = exported(batch)
    heads, *rows = rows_of(path)
    for number, row in enumerate(rows):
        row[heads.index("skip")] = cell
        if number:
            row[heads.index("n (0 to 5000)")], row[heads.index("s (1 to 5)")] = "7", "4"
    path.write_text(written([heads, *rows]))
    done = st("st-annotate", "import", batch, path)
    states = sorted((one["state"], one["answers"]["n"]) for one in done.records)
    if is_skipped:
        assert states == [("skipped", None), ("skipped", None)] and done.status == 1, (
            "answers that are left out are told"
        )
        assert "skipped" in done.err and len(done.err.splitlines()) == 2
    else:
        assert states == [("done", 7)] and done.status == 0


CHOICES = """
name: own
questions:
  - {type: choice, name: one, text: "Which?", values: ["left, or so", "a; b", "n/a", "None ", "say \\"so\\"", "=1"]}
  - {type: choice, name: many, text: "Which of these?", values: ["a, b", c, d], is_many: true}
  - {type: text, name: why, text: "Why?", is_required: false}
parts: [{name: text, heading: Text, text: text}]
"""


def test_values_with_any_marks_in_them_come_back(papers):
    """Also one that another tool would take for a blank cell, and lists that a workbook offers."""
    import openpyxl

    values = ["left, or so", "a; b", "n/a", "None", 'say "so"', "=1"]
    records = [{"id": f"p{n}", "text": f"Text {n}."} for n in range(len(values))]
    batch = own_batch(papers, CHOICES, records)
    said = {(f"p{n}", 0): {"one": value, "many": ["a, b", "d"], "why": "NA"} for n, value in enumerate(values)}
    for form, fill in (("csv", fill_csv), ("xlsx", fill_workbook), ("jsonl", fill_tasks), ("label-studio", fill_label_studio)):  # fmt: skip
        exported(batch, form) if form != "label-studio" else st("st-annotate", "export", batch, "--to", form)
        if form == "xlsx":
            book = openpyxl.load_workbook(batch / "raters" / "anna" / "anna.xlsx")
            assert {tuple(listed(book, rule)) for rule in book["answers"].data_validations.dataValidation} == {
                tuple(values),
                ("x",),
            }
        found = {one["item"]: one for one in taken(batch, fill(batch, "anna", said))}
        assert {name: one["answers"]["one"] for name, one in found.items()} == {
            f"p{n}": one for n, one in enumerate(values)
        }, form
        assert all(one["answers"]["many"] == ["a, b", "d"] for one in found.values())
        assert all(one["answers"]["why"] is None and one["state"] == "done" for one in found.values()), (
            "a blank is never a value"
        )


def listed(book, rule):
    """The values that a drop-down list offers."""
    if rule.formula1.startswith('"'):
        return rule.formula1.strip('"').split(",")
    sheet, _, cells = rule.formula1.lstrip("=").rpartition("!")
    found = book[sheet.strip("'")][cells.replace("$", "")]
    return [cell.value for row in found for cell in row] if isinstance(found, tuple) else [found.value]


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        (("x", "", ""), ["a, b"]), (("X", " x ", ""), ["a, b", "c"]), (("none", "", ""), []), (("", "", "None"), []),
        (("no", "no", "no"), []), (("x", "no", "no"), ["a, b"]), (("no", "", ""), "told"), (("x", "none", ""), "told"),
        (("maybe", "", ""), "told"), (("", "", ""), None),
    ],
)  # fmt: skip
def test_a_choice_of_several_is_told_from_half_an_answer(papers, cells, value):
    batch = own_batch(papers, CHOICES, [{"id": "p", "text": "Text."}])
    path = exported(batch)
    heads, row = rows_of(path)
    row[heads.index("many: a, b (x)") : heads.index("many: a, b (x)") + 3] = cells
    row[heads.index("note")] = "so"
    path.write_text(written([heads, row]))
    [found] = taken(batch, path, status=int(value == "told"))
    assert found["answers"]["many"] == (value if isinstance(value, list) else None)
    assert found["reasons"].get("many") == {"told": "unknown-value", None: "blank"}.get(
        value if not isinstance(value, list) else ""
    )


WILD = [
    "<r>text</r>", "_x000D_ and _x0041_ as words", "a\u0001b", "\x0bvertical", "=HYPERLINK(\"http://x\")", "'", "''", "'=1",
    " ", "\ufeffmark first", "\ud7ff\ue000", "🐝" * 20_000, "x\ny\r\nz\r", "\u2028", "e\u0301", "<b>&amp;</b>", "%00", "\\n\\r",
    "1-2", "TRUE", "١٢", "a = b + c", "a = b - c",
]  # fmt: skip


def test_any_text_is_shown_as_it_is_in_a_workbook_and_in_csv(papers):
    """As other programs read the files; no cell is a formula, none is cut."""
    import openpyxl
    import python_calamine

    records = [{"id": f"p{n}", "text": text} for n, text in enumerate(WILD)]
    batch = own_batch(papers, KIND, records)
    names = {one["row"]: int(one["item"][1:]) for one in key_of(batch)}
    heads, *rows = rows_of(exported(batch))
    for row in rows:
        assert row[1] in (WILD[names[row[0]]], "'" + WILD[names[row[0]]])
        assert row[1][:1] not in "=+-@" or not row[1]
    path = exported(batch, "xlsx")
    sheet = openpyxl.load_workbook(path)["answers"]
    assert all(cell.data_type != "f" for row in sheet for cell in row)
    heads, *rows = python_calamine.CalamineWorkbook.from_path(str(path)).get_sheet_by_name("answers").to_python()
    pieces = [place for place, head in enumerate(heads) if re.fullmatch(r"Text( \(\d+\))?", head)]
    for row in rows:
        text = WILD[names[row[0]]]
        assert "".join(row[place] for place in pieces) == text, repr(text[:40])
    said = {(f"p{n}", 0): {"n": n, "s": 3} for n in range(len(WILD))}
    # openpyxl, which fills the workbook in, makes a carriage return of the words "_x000D_"
    found = {one["item"]: one for one in taken(batch, fill_workbook(batch, "anna", said), status=1)}
    assert found.pop("p1")["reasons"] == {"n": "stale-text", "s": "stale-text"}
    assert {name: one["answers"]["n"] for name, one in found.items()} == {
        f"p{n}": n for n in range(len(WILD)) if n != 1
    }


def test_a_row_beside_another_text_is_told_by_one_sign(papers):
    """Equations often differ in a sign; columns that somebody sorted by themselves must not give each other's answers."""
    batch = own_batch(papers, KIND, [{"id": "p0", "text": "a = b + c"}, {"id": "p1", "text": "a = b - c"}])
    path = exported(batch)
    heads, first, second = rows_of(path)
    first[1], second[1] = second[1], first[1]
    for row in (first, second):
        row[2:4] = ["1", "2"]
    path.write_text(written([heads, first, second]))
    found = taken(batch, path, status=1)
    assert [one["reasons"]["n"] for one in found] == ["stale-text", "stale-text"]


@pytest.mark.parametrize("cell", ["²", "1;²", "0", "9", "1,2", "1.2", "-1", "1;9", "½"])
def test_a_candidate_that_is_not_there_is_none(papers, cell):
    batch = batch_of(papers, "targets", "--per-item", "1", raters="anna")
    path = exported(batch)
    heads, *rows = rows_of(path)
    column = next(n for n, head in enumerate(heads) if head.startswith("targets"))
    for row in rows:
        row[column] = cell
    path.write_text(written([heads, *rows]))
    assert {one["answers"]["targets"] for one in taken(batch, path, status=1)} == {None}


TASKS = [
    ("note", 4, "4"), ("note", ["a"], None), ("seconds", -4, None), ("seconds", "NaN", None),
    ("seconds", "12,5", 12.5), ("skip", "false", False), ("skip", "no", False), ("skip", 1, True), ("skip", None, False),
]  # fmt: skip


@pytest.mark.parametrize(("key", "given_", "wanted"), TASKS)
def test_what_a_tool_of_ones_own_writes_beside_the_answers(papers, key, given_, wanted):
    batch = own_batch(papers, KIND, [{"id": "p", "text": "Text."}])
    path = exported(batch, "jsonl")
    task = {**json.loads(path.read_text()), "answers": {} if given_ == 1 else {"n": 4, "s": 2}, key: given_}
    path.write_text(json.dumps(task))
    done = st("st-annotate", "import", batch, path)
    [found] = done.records
    assert found["state"] == ("skipped" if wanted is True else "done")
    if key != "skip":
        assert found[key] == wanted
        assert done.status == int(wanted is None and key == "note")


JUNK = [None, True, 4, "4", "", [], {}, [None], ["a", ["b"]], {"text": "x"}, "half \ud83d", [{"text": 4}], [{"text": "half \ud83d"}], 1e400, -0.0, "none"]  # fmt: skip


@pytest.mark.parametrize("kind", ["own.yaml", "weaknesses", "targets"])
def test_no_answer_of_another_shape_stops_an_import(papers, kind):
    batch = batch_of(papers, kind, "--design", "full", raters="anna")
    path = exported(batch, "jsonl")
    tasks = [json.loads(line) for line in path.read_text().split("\n")[:-1]]
    names = [one["name"] for one in tasks[0]["questions"]]
    drawn = random.Random(3)
    for _ in range(4):
        path.write_text(
            "".join(
                json.dumps({**one, "answers": {name: drawn.choice(JUNK) for name in names}}) + "\n" for one in tasks
            )
        )
        (batch / "answers.jsonl").unlink(missing_ok=True)
        done = st("st-annotate", "import", batch, path)
        assert done.status in (0, 1, 2) and b"\\ud83d" not in done.out
        assert done.status < 2 or "half" in path.read_text() and "not JSON" in done.err
        assert all(
            (value is None) == (name in one["reasons"])
            for one in done.records
            for name, value in one["answers"].items()
        )


def test_files_in_any_order_and_number_make_the_same_bytes(papers):
    batch = batch_of(papers, "labels", "--design", "full", raters="anna,ben")
    whole = answers_of(batch, "anna", 1)
    some_of = dict(list(whole.items())[:4])
    files = []
    for number, said in enumerate((some_of, whole, some_of)):
        exported(batch)
        folder = papers.parent / "anna" / str(number)
        folder.mkdir(parents=True)
        path = folder / "anna.csv"
        path.write_bytes(fill_csv(batch, "anna", said).read_bytes())
        (batch / "raters" / "anna" / "anna.csv").unlink()
        files.append(path)
    found = set()
    for order in itertools.permutations(files):
        (batch / "answers.jsonl").unlink(missing_ok=True)
        for path in order:
            done = st("st-annotate", "import", batch, path)
            assert done.status == 0, done.err
        found.add(done.out)
        (batch / "answers.jsonl").unlink(missing_ok=True)
        found.add(st("st-annotate", "import", batch, *order).out)
    assert len(found) == 1


def test_a_rater_who_thinks_again(papers):
    """With --last the newer file counts, and what was said before is kept beside it."""
    batch = batch_of(papers, "limits-check", "--design", "full", raters="anna,ben")
    first = {(row["item"], 0): {"verdict": "limitation", "mode": None} for row in key_of(batch)}
    again = {name: {**one, "verdict": "not-a-limitation"} for name, one in first.items()}
    exported(batch)
    assert st("st-annotate", "import", batch, fill_csv(batch, "anna", first)).status == 0
    path = fill_csv(batch, "anna", again)
    refused = st("st-annotate", "import", batch, path)
    assert refused.status == 3 and "--last" in refused.err
    done = st("st-annotate", "import", batch, "--last", path)
    assert done.status == 0 and {one["answers"]["verdict"] for one in done.records} == {"not-a-limitation"}
    assert [[one["answers"]["verdict"] for one in record["earlier"]] for record in done.records] == [
        ["limitation"]
    ] * len(first)
    assert st("st-annotate", "import", batch, path).out == done.out
    rows = st("st-annotate", "ratings", batch).records
    assert Counter(one["value"] for one in rows if one["label"] == "verdict") == {"not-a-limitation": len(first)}


def test_an_answer_that_a_rater_takes_back(papers):
    """A row that is blank now in the file that answered it: without --last told alone; a blank row of another file says nothing."""
    batch = batch_of(papers, "limits-check", "--design", "full", raters="anna,ben")
    first = {(row["item"], 0): {"verdict": "limitation", "mode": None} for row in key_of(batch)}
    gone = next(iter(first))
    fewer = {name: one for name, one in first.items() if name != gone}

    def told(*options):
        done = st("st-annotate", "import", batch, *options)
        said = {one["item"]: (one["answers"]["verdict"], len(one.get("earlier", ()))) for one in done.records}
        return said, done.err.count("blank now"), done.status

    sheet = exported(batch)
    empty = sheet.read_bytes()
    whole = {item: ("limitation", 0) for item, _ in first}
    assert told(fill_csv(batch, "anna", first)) == (whole, 0, 0)
    sheet.write_bytes(empty)
    blanked = fill_csv(batch, "anna", fewer)
    part = blanked.with_name("anna-2.csv")
    part.write_bytes(blanked.read_bytes())
    assert told("--last", part) == (whole, 0, 0)
    assert told(blanked) == (whole, 1, 0)
    withdrawn = {**whole, gone[0]: (None, 1)}
    assert told("--last", blanked) == (withdrawn, 1, 0)
    assert told("--last", blanked) == (withdrawn, 0, 0)
    values = [one["value"] for one in st("st-annotate", "ratings", batch).records if one["label"] == "verdict"]
    assert [one for one in values if one is not None] == ["limitation"] * len(fewer)
    sheet.write_bytes(empty)
    assert told("--last", fill_csv(batch, "anna", first)) == ({**whole, gone[0]: ("limitation", 1)}, 0, 0)


def test_the_answers_of_the_rater_who_agrees_most(papers, tmp_path):
    """Who is the best is a result of st-agree: where there is none, or several are, nobody is taken in silence."""
    batch = batch_of(papers, "limits-check", "--design", "full", raters="anna,ben")
    items = {(row["item"], 0) for row in key_of(batch)}
    exported(batch)
    for rater, verdict in (("anna", "limitation"), ("ben", "not-a-limitation")):
        said = {item: {"verdict": verdict, "mode": None} for item in items}
        assert st("st-annotate", "import", batch, fill_csv(batch, rater, said)).status == 0

    def gold(**means):
        """The answers with how each came, and whether something was told."""
        path = tmp_path / "spans.jsonl"
        rows = [{"measure": name, "rater": one, "mean_of_pairs": mean if name == "edit" else 1 - (mean or 0)}
                for name in ("edit", "exact") for one, mean in means.items()]  # fmt: skip
        path.write_text("".join(json.dumps(one) + "\n" for one in [*rows, {"measure": "edit", "raters": None}]))
        done = st("st-annotate", "gold", batch, "--best", path)
        found = {(one["answers"]["verdict"], (one["by"] | one["reasons"])["verdict"]) for one in done.records}
        return done.status, found, "agree equally" in done.err or "compared" in done.err

    assert gold(anna=0.4, ben=0.6, model=0.9) == (0, {("not-a-limitation", "best-rater")}, False)
    assert gold(anna=0.6, ben=None) == (0, {("limitation", "best-rater")}, False)
    assert gold(ben=0.6, anna=0.6) == (0, {("limitation", "tied-rater")}, True)
    assert gold(ben=None, anna=None) == (0, {(None, "undecided")}, True)
    assert gold() == (2, set(), False)
    assert st("st-annotate", "gold", batch, "--best", tmp_path / "none").status == 2


LINES = "First line is bad.\r\nSecond line is bad too.\nA third one.\n\nThe fourth is 🐝 bad\nand goes on."


@pytest.mark.parametrize(
    ("cell", "passages", "is_told"),
    [
        ("First line is bad.\nA third one.", ["First line is bad.", "A third one."], False),
        ("First line is bad. Second line is bad too.", ["First line is bad.\r\nSecond line is bad too."], False),
        ("The fourth is 🐝 bad\r\nand goes on.", ["The fourth is 🐝 bad", "and goes on."], True),
        ("The fourth is 🐝 bad\nand goes on.\n\nA third one.", ["A third one.", "The fourth is 🐝 bad\nand goes on."], True),
        ("First line is bad.\n\nThe fourth is 🐝 bad\nand goes on.", ["First line is bad.", "The fourth is 🐝 bad\nand goes on."], False),
    ],
)  # fmt: skip
def test_passages_over_line_ends_in_a_cell(papers, cell, passages, is_told):
    """One a line; an empty line between passages says that each of them may have lines of its own."""
    text = """
name: own
questions: [{type: spans, name: bad, text: "Which?", part: text, labels: [bad]}]
parts: [{name: text, heading: Text, text: text}]
"""
    batch = own_batch(papers, text, [{"id": "p", "text": LINES}])
    path = exported(batch)
    heads, row = rows_of(path)
    row[2] = cell
    path.write_text(written([heads, row]), newline="")
    done = st("st-annotate", "import", batch, path)
    assert done.status == 0 and [one["text"] for one in done.records[0]["answers"]["bad"]] == passages
    assert ("follow each other" in done.err) == is_told


def test_votes_that_are_shown_name_no_side(papers):
    for kind in ("specificity", "targets", "limits-pairs"):
        batch = batch_of(papers, kind, "--design", "full", raters="anna,ben", name=f"of-{kind}")
        exported(batch)
        for rater in ("anna", "ben"):
            said = answers_of(batch, rater, rater + kind)
            taken_ = st("st-annotate", "import", batch, fill_csv(batch, rater, said))
            assert taken_.status == 0
        folder = papers.parent / f"disputes-{kind}"
        done = st("st-annotate", "adjudicate", batch, "--judge", "dora", "--show-votes", "--output", folder)
        assert done.status == 0, done.err
        path = exported(folder, rater="dora")
        assert not re.search(
            r"revised|original|known:|generated:|: c\d|True|False", path.read_text(encoding="utf-8-sig")
        ), kind


def test_a_rater_without_rows_has_files_that_open(papers):
    papers.write_bytes(jsonl(PAPERS[0]))
    batch = batch_of(papers, "weaknesses", "--per-item", "1", raters="anna,ben,eve")
    for form in ("csv", "xlsx", "jsonl", "label-studio"):
        done = st("st-annotate", "export", batch, "--to", form)
        assert done.status == 0, done.err
    assert st("st-annotate", "status", batch, "--table").status == 0


def test_names_are_told_however_their_letters_are_composed(papers):
    batch = batch_of(papers, "limits-check", "--per-item", "1", raters=unicodedata.normalize("NFD", "josé"))
    path = exported(batch, rater="josé")
    other = papers.parent / unicodedata.normalize("NFD", "josé.csv")
    other.write_bytes(path.read_bytes())
    assert st("st-annotate", "import", batch, other).status == 0


def test_none_beside_a_passage_is_no_answer(papers):
    batch = batch_of(papers, "weaknesses", "--per-item", "1", raters="anna")
    st("st-annotate", "export", batch, "--to", "label-studio")
    path = fill_label_studio(batch, "anna", {(row["item"], 0): {"weaknesses": []} for row in key_of(batch)})
    tasks = json.loads(path.read_text())
    text = tasks[0]["data"]["t_2"]
    value = {"start": 0, "end": 4, "text": text[:4], "labels": ["weakness"]}
    tasks[0]["annotations"][0]["result"].append(
        {"from_name": "q_0", "to_name": "t_2", "type": "labels", "value": value}
    )
    path.write_text(json.dumps(tasks))
    found = taken(batch, path, status=1)
    assert sorted(str(one["answers"]["weaknesses"]) for one in found) == ["None", "[]", "[]", "[]"]


# Who gets what


def items(n, groups=1):
    return [Item(f"p{k}/w{k}", f"p{k // groups}", f"g{k // groups}", (Part("t", "T", f"Text {k}."),)) for k in range(n)]


@settings(max_examples=150)
@given(some.integers(1, 9), some.integers(1, 5), some.integers(0, 60), some.integers(0, 99), some.integers(1, 4))
def test_designs_are_counted(n_raters, per_item, n, seed, size):
    raters = tuple(f"r{k}" for k in range(n_raters))
    per_item = min(per_item, n_raters)
    for design, together in itertools.product(("blocks", "overlap", "full"), ("none", "group")):
        plan = Plan(raters, per_item, design, 0.3, together, 0.0, 0.05, seed)
        lists = assign(items(n, size), [], plan)
        votes = Counter(place.item.id for places in lists.values() for place in places)
        assert len(votes) == n and all(len({one.item.id for one in places}) == len(places) for places in lists.values())
        n_groups = -(-n // size) if together == "group" else n
        shared = round(0.3 * n_groups)
        if together == "none":
            wanted = {"blocks": {per_item: n}, "full": {n_raters: n}, "overlap": {n_raters: shared, 1: n - shared}}[
                design
            ]
            assert Counter(votes.values()) == +Counter({k: v for k, v in wanted.items() if v}) or n_raters == 1
        loads = [len(places) for places in lists.values()]
        assert max(loads) - min(loads) <= (size if together == "group" else 1)
        pairs = Counter({pair: 0 for pair in itertools.combinations(raters, 2)})
        for item in votes:
            own = [rater for rater in raters if any(place.item.id == item for place in lists[rater])]
            pairs.update(itertools.combinations(own, 2))
        if together == "none" and design == "blocks" and pairs:
            assert max(pairs.values()) - min(pairs.values()) <= (1 if per_item == 2 else 3)


def test_known_items_and_repeats_stand_anywhere():
    """Over many seeds a known item is as likely in each fifth of a list as in any other; a repeat is far from its first."""
    fifths, late = Counter(), Counter()
    for seed in range(300):
        plan = Plan(("a", "b"), 2, "blocks", 0.3, "none", 0.1, 0.1, seed)
        for places in assign(items(50), [Item(f"g{k}", "p", "g", ()) for k in range(5)], plan).values():
            first = {place.item.id: number for number, place in enumerate(places) if not place.copy}
            for number, place in enumerate(places):
                fifths[5 * number // len(places)] += place.control == "gold"
                late[5 * number // len(places)] += place.control == "repeat"
                assert place.control != "repeat" or number - first[place.item.id] >= 20
    assert sum(fifths.values()) == 3000 and all(500 <= fifths[k] <= 700 for k in range(5)), fifths
    assert late[4] < 0.4 * sum(late.values()), late


# What records take, and from whom


def settled_by(papers, kind, *, raters="anna", seed=1):
    """A batch of a kind that its raters answered."""
    batch = batch_of(papers, kind, "--design", "full", raters=raters, name=f"of-{kind}-{raters}")
    st("st-annotate", "export", batch, "--to", "csv")
    said = {}
    for rater in raters.split(","):
        said[rater] = {name: one for name, one in answers_of(batch, rater, f"{seed}{rater}").items() if one != "skip"}
        assert st("st-annotate", "import", batch, fill_csv(batch, rater, said[rater])).status == 0
    return batch, said


@pytest.mark.parametrize("kind", SINGLE)
def test_a_record_with_one_place_takes_one_answer(papers, kind):
    """Of one rater, or what is settled; of several raters none is taken for the truth."""
    two, _ = settled_by(papers, kind, raters="anna,ben")
    refused = st("st-annotate", "apply", two, papers)
    assert refused.status in (1, 3) and "--truth" in refused.err
    batch, said = settled_by(papers, kind)
    applied = st("st-annotate", "apply", batch, papers)
    assert applied.status == 0, applied.err
    gold = papers.parent / "gold.jsonl"
    gold.write_bytes(st("st-annotate", "gold", batch).out)
    true = st("st-annotate", "apply", batch, "--truth", gold, papers)
    assert true.status == 0 and len(true.records) == len(PAPERS), true.err
    for record in applied.records:
        own = {name.removeprefix(f"{record['id']}/"): one for (name, _), one in said["anna"].items() if name.startswith(f"{record['id']}/")}  # fmt: skip
        if kind == "facet-ratings":
            rated = {one["system"]: one["ratings"] for one in record["judgements"]["facets"]} if own else {}
            for system, answers in own.items():
                assert rated[system] == {**answers, "conclusion": rated[system]["conclusion"]}
        elif kind == "questions":
            items = record["generated"]["questions"][0]["items"]
            assert [one.get("human") for one in items] == [own.get(f"secret-system/{one['id']}") for one in items]
        elif kind == "segment-labels":
            segments = record["reviews"][0]["segments"]
            assert [one.get("deficient") for one in segments] == [
                own.get(f"r1/{n}", {}).get("deficient") for n in (1, 2)
            ]
        elif kind == "segments" and own:
            text, segments = record["reviews"][0]["text"], record["reviews"][0]["segments"]
            marked = [(one["start"], one["end"]) for one in own["r1"]["segments"]]
            assert [(one["start"], one["end"]) for one in segments if one["deficient"]] == marked
            assert "".join(text[one["start"] : one["end"]] for one in segments).replace(" ", "") == text.replace(
                " ", ""
            )


def test_pairs_of_which_some_were_not_asked_about_are_no_judgement(papers):
    """What is not there counts as no match: a sample of pairs would be another number."""
    record = json.loads(papers.read_bytes().split(b"\n")[0])
    record["generated"]["limitations"][0]["items"].append({"id": "2", "text": "No wasps."})
    papers.write_bytes(jsonl(record))
    batch = batch_of(papers, "limits-pairs", "--per-item", "1", raters="anna")
    exported(batch)
    said = [{"verdict": verdict, "broader": None} for verdict in ("same", "unsure")]
    names = sorted({one["item"] for one in key_of(batch)})
    first = fill_csv(batch, "anna", {(names[0], 0): said[0]})
    assert st("st-annotate", "import", batch, first).status == 0
    refused = st("st-annotate", "apply", batch, papers)
    assert refused.status == 3 and "1 of 2 pairs of secret-system were not asked about" in refused.err
    assert st("st-annotate", "import", batch, fill_csv(batch, "anna", {(names[1], 0): said[1]})).status == 0
    [judged] = st("st-annotate", "apply", batch, papers).records[0]["judgements"]["match"]
    assert [(one["candidate"], one["match"], one.get("reason")) for one in judged["pairs"]] == [
        ("1", True, None),
        ("2", None, "unsure"),
    ]
    assert judged["by"] == "anna"


def test_answers_go_from_one_command_to_the_other_without_a_batch(papers):
    """st-claims takes what st-annotate import wrote, and says the same as st-annotate apply."""
    for kind, task in (("labels", "label"), ("targets", "associate"), ("weaknesses", "weaknesses")):
        batch, _ = settled_by(papers, kind, raters="anna,ben", seed=5)
        applied = st("st-annotate", "apply", batch, papers)
        taken_ = st("st-claims", task, "--from", batch / "answers.jsonl", papers)
        assert applied.status == taken_.status == 0, taken_.err
        assert [{**one, "provenance": None} for one in taken_.records] == [
            {**one, "provenance": None} for one in applied.records
        ]
    other = st("st-claims", "label", "--from", papers.parent / "of-targets-anna,ben" / "answers.jsonl", papers)
    assert other.status == 2 and 'about "targets"' in other.err


def test_ratings_of_passages_are_ratings_of_their_places(papers):
    batch, said = settled_by(papers, "weaknesses", raters="anna,ben", seed=2)
    rows = [one for one in st("st-annotate", "ratings", batch).records if one["label"] == "weaknesses.groundedness"]
    wanted = Counter(
        (f"{name}@{span['start']}-{span['end']}:weakness", rater, span["groundedness"])
        for rater, answers in said.items()
        for (name, _), one in answers.items()
        for span in one["weaknesses"]
    )
    assert Counter((one["item"], one["rater"], one["value"]) for one in rows) == wanted and wanted
    assert {one["level"] for one in rows} == {"ordinal"}


def test_ratings_that_do_not_fit_their_passages_are_none(papers):
    batch = batch_of(papers, "weaknesses", "--per-item", "1", raters="anna")
    path = exported(batch)
    heads, *rows = rows_of(path)
    place = next(n for n, head in enumerate(heads) if head.startswith("weaknesses, groundedness"))
    for row in rows:
        row[place - 1], row[place] = "I like it.", "4\n5"
    path.write_text(written([heads, *rows]), newline="")
    done = st("st-annotate", "import", batch, path)
    assert done.status == 1 and "2 ratings of 1 passages" in done.err


def test_disputes_of_more_than_a_step(papers):
    batch = batch_of(papers, "labels", "--design", "full", raters="anna,ben")
    st("st-annotate", "export", batch, "--to", "csv")
    names = sorted({one["item"] for one in key_of(batch)})
    for rater, step in (("anna", 0), ("ben", 1)):
        said = {(name, 0): {"objectivity": 1 + step * (n % 3), "agreement": 3, "types": ["novelty"], "comment": None} for n, name in enumerate(names)}  # fmt: skip
        assert st("st-annotate", "import", batch, fill_csv(batch, rater, said)).status == 0
    for when, left in (("any", 1), ("range>0", 1), ("range>1", 2)):
        folder = papers.parent / f"d{when}"
        assert st("st-annotate", "adjudicate", batch, "--judge", "dora", "--when", when, "--output", folder).status == 0
        assert {one["item"] for one in key_of(folder)} == {name for n, name in enumerate(names) if n % 3 >= left}
    wrong = st(
        "st-annotate", "adjudicate", batch, "--judge", "dora", "--when", "often", "--output", papers.parent / "x"
    )
    assert wrong.status == 2 and "range>N" in wrong.err


def test_a_package_may_offer_a_kind_and_a_file_of_criteria_is_one(papers, tmp_path):
    package = tmp_path / "site"
    (package / "bees-1.dist-info").mkdir(parents=True)
    (package / "bees-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: bees\nVersion: 1\n")
    (package / "bees-1.dist-info" / "entry_points.txt").write_text(
        "[scholartools.annotation_kinds]\nbees = bees:KIND\n"
    )
    (package / "bees.py").write_text(
        "from scholartools.tasks.annotate.description import Item, Kind, Part, YesNo\n"
        "def items(record):\n"
        "    yield Item(record['id'], record['id'], record['id'], (Part('text', 'Text', record['abstract']),))\n"
        "KIND = Kind('bees', 'Bees', 'a text', '', (YesNo('bees', 'Is it about bees?'),), items)\n"
    )
    line = ("st-annotate", "assign", "bees", papers, "--raters", "anna", "--per-item", "1", "--output", tmp_path / "b")
    done = st(*line, env={"PYTHONPATH": str(package)})
    assert done.status == 0 and len(key_of(tmp_path / "b")) == len(PAPERS), done.err
    criteria = "task: a summary\ncandidate: summaries\naspects: [{name: short, scale: [1, 3], definition: How short}]\n"
    (tmp_path / "short.yaml").write_text(criteria)
    done = st("st-annotate", "assign", tmp_path / "short.yaml", papers, "--raters", "a,b", "--output", tmp_path / "c")
    assert done.status == 0 and len(key_of(tmp_path / "c")) == 2 * len(PAPERS), done.err


@pytest.mark.parametrize("kind", ["weaknesses", "targets", "labels", "edits"])
def test_guides_of_weaknesses_define_a_weakness(kind):
    assert find_kind(kind).guide.startswith("A weakness is a passage of a review that finds fault with the paper")


def test_a_guide_is_told_where_it_is_read(papers):
    """In a workbook every line is wrapped; in a page of a tool nothing is said of cells; one that was edited is kept."""
    import openpyxl

    batch = batch_of(papers, "weaknesses", "--per-item", "1", raters="anna")
    notes = openpyxl.load_workbook(exported(batch, "xlsx"))["guide"]
    assert all(cell.alignment.wrap_text for row in notes for cell in row if cell.value)
    assert "<h1>Weaknesses in a review</h1>" in (batch / "raters" / "anna" / "guide.html").read_text()
    st("st-annotate", "export", batch, "--to", "label-studio")
    project = batch / "raters" / "anna" / "label-studio" / "project.json"
    told = json.loads(project.read_text())["expert_instruction"]
    assert "<h1>" in told and "mouse" in told and "cell" not in told and "Copy each" not in told
    project.unlink()
    (batch / "guide.md").write_text("# Ours\n\nRead <script>alert(1)</script> first.\n")
    st("st-annotate", "export", batch, "--to", "label-studio")
    assert json.loads(project.read_text())["expert_instruction"].startswith("<h1>Ours</h1>\n<p>Read &lt;script&gt;")


def test_whoever_finds_nothing_may_say_so_in_a_page(papers):
    """A control that a page requires cannot be left for the one that says "none": something false would be ticked."""
    batch = batch_of(papers, "own.yaml", raters="anna,ben")
    st("st-annotate", "export", batch, "--to", "label-studio")
    config = ElementTree.parse(batch / "raters" / "anna" / "label-studio" / "config.xml")
    controls = {one.get("name"): one.get("required") for one in config.iter("Choices")}
    nones = {name.removesuffix("_none") for name in controls if name.endswith("_none")}
    assert nones == {"q_2"} and {controls.get(name) for name in nones} == {None} and controls["q_0"] == "true"


def test_a_page_says_how_much_may_be_chosen_and_lets_no_more_be(papers):
    """Of one right equation two could be ticked, and then neither counted; nothing said that passages are rated."""
    shown = {}
    for kind in ("equation-choice", "targets", "weaknesses"):
        batch = batch_of(papers, kind, raters="anna,ben", name=kind)
        st("st-annotate", "export", batch, "--to", "label-studio")
        shown[kind] = ElementTree.parse(batch / "raters" / "anna" / "label-studio" / "config.xml").getroot()
    choice = {kind: next(one.get("choice") for one in tree.iter("Choices")) for kind, tree in shown.items()}
    assert (choice["equation-choice"], choice["targets"]) == ("single-radio", "multiple")
    told = {kind: [one.get("value") for one in tree.iter("Header")] for kind, tree in shown.items()}
    assert "At most 3." in told["targets"] and "At most 1." not in told["equation-choice"]
    assert any("Click a marked passage to rate it" in one for one in told["weaknesses"])


def test_a_file_in_two_units_is_refused_by_name(papers):
    """Offsets that fit in code points alone beside such that fit in UTF-16 units alone: no unit is right for both."""
    batch = own_batch(papers, PASSAGES, [{"id": f"p{n}", "text": "\U0001f600 bees bees"} for n in range(2)])
    path = exported(batch, "jsonl")
    tasks = [json.loads(line) for line in path.read_text().splitlines()]
    for task, (start, end) in zip(tasks, ((2, 6), (8, 12)), strict=True):
        task["answers"] = {"s": [{"start": start, "end": end, "text": "bees", "label": "x"}]}
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks))
    done = st("st-annotate", "import", batch, path)
    assert done.status == 2 and str(path) in done.err and "--offsets" in done.err and "UTF-16" in done.err
    assert not (batch / "answers.jsonl").exists()
    named = taken(batch, path, options=("--offsets", "utf-16"), status=1)
    assert [one["answers"]["s"] and one["answers"]["s"][0]["start"] for one in named] == [None, 7]
    assert named[0]["reasons"] == {"s": "moved-span"}, "it stands at two places"


@pytest.mark.parametrize("shown", ["#NAME?", "#N/A", "Err:509", " #VALUE! "])
def test_words_that_a_spreadsheet_took_for_a_formula_are_missed(papers, shown):
    """A rater wrote "= as I think": LibreOffice saved #N/A there, and the answer was gone without a word."""
    text = "name: own\nquestions: [{type: text, name: why, text: Why}]\nparts: [{name: t, heading: Text, text: text}]\n"
    batch = own_batch(papers, text, [{"id": "p0", "text": "One."}])
    path = exported(batch)
    heads, row = rows_of(path)
    row[heads.index("why (your words)")] = shown
    path.write_text(written([heads, row]))
    done = st("st-annotate", "import", batch, path)
    assert done.status == 1 and "formula that failed" in done.err
    assert done.records[0]["answers"] == {"why": None} and done.records[0]["reasons"] == {"why": "unknown-value"}


def test_a_sheet_that_was_opened_in_another_character_set_is_told_by_name(papers):
    batch = batch_of(papers, "labels", raters="anna,ben")
    path = exported(batch)
    path.write_text(path.read_bytes().decode("cp1252", "replace"), encoding="utf-8")
    done = st("st-annotate", "import", batch, path)
    assert done.status == 2 and "UTF-8" in done.err and len(done.err.splitlines()) == 1


_LINE = {"in": "text", "start": 0, "end": 9, "text": "Line one.", "label": "wrong", "sure": 2}
_END = {"in": "text", "start": 28, "end": 46, "text": "It ends 👩\u200d👩\u200d👧 here", "label": "unclear", "sure": 3}
#: What fixtures/people/libreoffice-7.4 say: a workbook of that batch which LibreOffice opened, and saved as both.
SAVED = {
    "p0": {"bad": [_LINE, _END], "types": ["vague", "short"], "clear": 4, "n": 12, "why": "= as I think; “so”"},
    "p1": {"bad": [], "types": [], "clear": 1, "n": None, "why": "007"}, "p2": "skip",
}  # fmt: skip


def _said(batch, path):
    return {
        one["item"]: "skip" if one["state"] == "skipped" else one["answers"]
        for one in taken(batch, "--rater", "anna", path)
    }


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_what_libreoffice_saved_has_the_same_answers(tmp_path, ending):
    """Line ends of all kinds and emoji in the texts shown, what looks like a formula, 007."""
    shutil.copytree(PEOPLE / "batch", tmp_path / "batch")
    assert _said(tmp_path / "batch", PEOPLE / f"libreoffice-7.4.{ending}") == SAVED


@pytest.mark.slow
def test_a_sheet_that_libreoffice_opens_and_saves_has_the_same_answers(tmp_path):
    """The LibreOffice that is installed; a sheet that is CSV is opened as UTF-8, as its window for CSV proposes."""
    if (office := shutil.which("soffice")) is None:
        pytest.skip("no LibreOffice: apt install libreoffice-calc")
    batch = tmp_path / "batch"
    shutil.copytree(PEOPLE / "batch", batch)
    said = {name: one if one == "skip" else {**one, "why": "so"} for name, one in SAVED.items()}
    rows = {(name, 0): one for name, one in said.items()}
    exported(batch, "xlsx"), exported(batch)
    for path, saves in ((fill_workbook(batch, "anna", rows), ["xlsx"]), (fill_csv(batch, "anna", rows), ["xlsx"])):
        for to in (*saves, "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false"):
            read = ["--infilter=CSV:44,34,76,1"] if path.suffix == ".csv" else []
            line = [office, f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", *read, "--convert-to", to]
            subprocess.run([*line, "--outdir", tmp_path / "out", path], check=True, capture_output=True, timeout=120)
            assert _said(batch, tmp_path / "out" / f"anna.{to.partition(':')[0]}") == said, (path.suffix, to)


def test_half_a_sheet_has_no_answer_that_was_not_given(papers):
    """Cut anywhere near its end: a row that is not whole is refused, or is what it was."""
    batch = batch_of(papers, "labels", raters="anna,ben")
    exported(batch)
    path = fill_csv(batch, "anna", {name: one for name, one in answers_of(batch, "anna", 6).items() if one != "skip"})
    data, wanted = path.read_bytes(), {one["row"]: one["answers"] for one in taken(batch, path)}
    for cut in range(1, 60, 3):
        path.write_bytes(data[:-cut])
        (batch / "answers.jsonl").unlink(missing_ok=True)
        done = st("st-annotate", "import", batch, path)
        for one in done.records if done.status != 2 else ():
            changed = {key: value for key, value in one["answers"].items() if value != wanted[one["row"]][key]}
            assert not changed or done.status == 1 and set(changed.values()) == {None}, (cut, changed)


@pytest.mark.parametrize("mark", ["- ", "\u2022 ", "* ", "\u2013  ", ""])
def test_passages_in_a_list_are_without_its_marks(papers, mark):
    """The text has a list as well: there the mark is of the passage."""
    batch = own_batch(papers, PASSAGES, [{"id": "p0", "text": "One bee.\n- Two bees.\nThree bees."}])
    path = exported(batch)
    heads, row = rows_of(path)
    row[next(place for place, head in enumerate(heads) if head.startswith("s: x"))] = (
        f"- Two bees.\n\n{mark}Three bees."
    )
    path.write_text(written([heads, row]))
    (found,) = taken(batch, path)
    assert [one["text"] for one in found["answers"]["s"]] == ["- Two bees.", "Three bees."]


def passages(batch, key, *places):
    """Mark passages of the part under a heading by their places alone, as one rater's tasks."""
    st("st-annotate", "export", batch, "--to", "jsonl")
    path = batch / "raters" / "anna" / "anna.jsonl"
    task = json.loads(path.read_text())
    shown = {one["heading"]: one["text"] for one in task["shown"]}["Review" if key == "weaknesses" else "Paper"]
    marked = [{"start": start, "end": end, "text": shown[start:end], "label": "weakness"} for start, end in places]
    task["answers"][key] = marked
    path.write_text(json.dumps(task) + "\n")
    return st("st-annotate", "import", batch, path).out, shown


def test_passages_with_the_same_words_stay_where_they_were_marked(papers):
    """The second was put where the first stands, in records; two of them were refused as one marked twice."""
    said = "It is wrong. Bees hum. It is wrong."
    record = {**PAPERS[0], "reviews": [{"id": "r1", "text": said}]}
    record["weaknesses"] = [{"id": "w1", "review": "r1", "text": "Bees hum."}]
    record["abstract"], record["sections"][0]["text"] = "We win now. Bees are small.", "🐝 So be it. We win now."
    record["claims"] = [{"id": "c1", "text": "So", "by": "gold", "spans": [{"in": "s1", "start": 2, "end": 4}]}]
    papers.write_bytes(jsonl(record))
    for number, places in enumerate(([(23, 35)], [(0, 12), (23, 35)])):
        batch = batch_of(papers, "weaknesses", "--design", "full", raters="anna", name=f"w{number}")
        (papers.parent / "answers.jsonl").write_bytes(passages(batch, "weaknesses", *places)[0])
        for line in (
            ("st-annotate", "apply", batch, papers),
            ("st-claims", "weaknesses", "--from", papers.parent / "answers.jsonl", papers),
        ):
            (made,) = st(*line).records
            (entry,) = made["annotations"]["weaknesses"]
            found = [one["spans"] for one in entry["items"]]
            assert found == [[{"in": "review:r1", "start": start, "end": end}] for start, end in places]
    batch = batch_of(papers, "targets", "--design", "full", raters="anna", name="t")
    shown = "We win now. Bees are small.\n\n🐝 So be it. We win now."
    out, text = passages(batch, "targets", (shown.rindex("We"), len(shown)))
    (papers.parent / "answers.jsonl").write_bytes(out)
    assert text == shown
    for line in (
        ("st-annotate", "apply", batch, papers),
        ("st-claims", "associate", "--from", papers.parent / "answers.jsonl", papers),
    ):
        (made,) = st(*line).records
        (target,) = made["weaknesses"][0]["targets"][0]["items"]
        assert target["spans"] == [{"in": "s1", "start": 12, "end": 23}] and target["custom"]
    entry = made["weaknesses"][0]["targets"][0]
    entry["system"] = entry["by"] = "model"
    (papers.parent / "judged.jsonl").write_bytes(jsonl(made))
    (judge,) = st("st-annotate", "agree", batch, papers.parent / "judged.jsonl").records
    assert judge["equal"] == 1, "a judge who says the same passage says the same"


def test_claims_of_half_a_paper_are_none(papers):
    """A passage that was not found made of its rater one who found no claim; so did a text that was not reached."""
    papers.write_bytes(jsonl(PAPERS[0]))
    batch = batch_of(papers, "claims", "--design", "full", raters="anna,ben")
    rows = rows_of(exported(batch))
    place = rows[0].index('claims (passages, one a line, or "none")')
    for cells, told in (
        (("Bees 0 are small.", "not there"), "1 of 2"),
        (("none", ""), "1 of 2"),
        (("none", "none"), None),
    ):
        for row, cell in zip(rows[1:], cells, strict=True):
            row[place] = cell
        (papers.parent / "anna.csv").write_bytes(written(rows).encode())
        taken(batch, papers.parent / "anna.csv", status=int("not there" in cells))
        done = st("st-annotate", "apply", batch, papers)
        (made,) = done.records
        assert told is None or f"anna has no answer to {told} items of the paper" in done.err
        assert (made["generated"].get("claims") is None) == (told is not None)


def test_notes_below_the_rows_and_rows_that_were_copied(papers):
    """A total under the table stopped an import; so did a row that stands there twice and says the same."""
    batch = batch_of(papers, "labels", raters="anna,ben")
    exported(batch)
    path = fill_csv(batch, "anna", answers_of(batch, "anna", 6))
    wanted, rows = taken(batch, path), rows_of(path)
    other = papers.parent / "anna.csv"
    width = len(rows[0])
    noted = [
        *([*row, ""] for row in rows),
        [*[""] * width, "12 hours in all"],
        ["", "what was shown", *[""] * (width - 1)],
    ]
    noted[0][-1] = "mine"
    for changed in (noted, [*rows, rows[2], rows[1]]):
        other.write_bytes(written(changed).encode())
        assert taken(batch, other) == wanted
    place = rows[0].index("agreement (1 to 5)")
    rated = next(row for row in rows[1:] if row[place] and row[-2] != "x")
    other.write_bytes(written([*rows, [*rated[:place], str(6 - int(rated[place]) or 1), *rated[place + 1 :]]]).encode())
    if rated[place] != "3":
        (batch / "answers.jsonl").unlink()
        assert "another answer" in st("st-annotate", "import", batch, other).err
    other.write_bytes(written([*rows, ["", *rated[1:]]]).encode())
    assert 'no row of this rater is ""' in st("st-annotate", "import", batch, other).err, "answers of which row?"


#: How a row of JSON lines comes to be of nobody, and what is told of it.
OF_NOBODY = {
    "half a line": lambda line: (line[: len(line) // 2], "not JSON"),
    "no answers": lambda line: (json.dumps({**json.loads(line), "answers": None}), 'not an object with "answers"'),
    "another row": lambda line: (json.dumps({**json.loads(line), "row": "m0"}), 'no row of this rater is "m0"'),
    "another batch": lambda line: (json.dumps({**json.loads(line), "batch": "b0"}), "a task of another batch"),
}


@pytest.mark.parametrize("harm", [*OF_NOBODY, "csv"])
def test_a_bad_row_costs_that_row(papers, harm):
    """What is imported is what the file without the row gives, and the row is named; a file without one good row is refused."""
    batch = batch_of(papers, "labels", raters="anna,ben")
    form = "csv" if harm == "csv" else "jsonl"
    exported(batch, form)
    path = (fill_csv if form == "csv" else fill_tasks)(batch, "anna", answers_of(batch, "anna", 6))
    other = papers.parent / f"anna.{form}"
    if form == "csv":
        head, *lines = [written([row]) for row in rows_of(path)]
        spoiled = [(f"m0{line[line.index(',') :]}", 'no row of this rater is "m0"') for line in lines]
    else:
        head, lines = "", path.read_text().splitlines(keepends=True)
        spoiled = [(f"{bad}\n", told) for bad, told in map(OF_NOBODY[harm], lines)]
    at = random.Random(harm).randrange(len(lines))

    def returned(rows):
        other.write_bytes((head + "".join(rows)).encode())

    returned([*lines[:at], *lines[at + 1 :]])
    wanted = taken(batch, other)
    assert 0 < len(wanted) < len(taken(batch, path))
    returned([*lines[:at], spoiled[at][0], *lines[at + 1 :]])
    assert taken(batch, other, status=1) == wanted
    err = st("st-annotate", "import", batch, other).err
    number = at + 2 if form == "csv" else at + 1
    places = [number] if form == "jsonl" else range(number, len(other.read_text().splitlines()) + 1)  # cells have lines
    assert any(f"{other}:{place}: {spoiled[at][1]}" in err for place in places) and "the row is left out" in err
    returned([bad for bad, _ in spoiled])
    assert taken(batch, other, status=2) == []


def test_json_lines_that_end_within_a_row_are_refused(papers):
    """The rows after it are missing, too: that is not one bad row."""
    batch = batch_of(papers, "labels", raters="anna,ben")
    exported(batch, "jsonl")
    path = fill_tasks(batch, "anna", answers_of(batch, "anna", 6))
    path.write_text(path.read_text()[:-20])
    assert taken(batch, path, status=2) == []
    assert "the file ends within a row" in st("st-annotate", "import", batch, path).err


def test_values_stand_as_they_were_written(papers):
    """To YAML yes is true, 2.50 is 2.5, and 010 is 8: raters were asked whether something is "True"."""
    text = """
questions:
  - {type: choice, name: ok, text: "OK?", values: [yes, no, 010, 2.50, null, 2024-01-02], meanings: {yes: on}}
  - {type: scale, name: how, text: "How?", levels: {1: no, 5: yes}}
parts: [{name: text, heading: Text, text: abstract}]
"""
    batch = own_batch(papers, text, PAPERS[:1])
    heading = "ok (yes; no; 010; 2.50; null; 2024-01-02)"
    rows = rows_of(exported(batch))
    assert heading in rows[0]
    guide = (batch / "guide.md").read_text()
    assert "- yes: on" in guide and "- 5: yes" in guide and "True" not in guide
    for value in ("yes", "010", "2.50", "null", "2024-01-02"):
        rows[1][rows[0].index(heading)] = value
        (papers.parent / "anna.csv").write_bytes(written(rows).encode())
        assert taken(batch, papers.parent / "anna.csv")[0]["answers"]["ok"] == value


def test_a_question_may_be_merged_from_another(papers):
    """The second reading, of texts alone, knew no merge keys: the levels were looked for and not found."""
    text = """
questions:
  - &base {type: scale, name: clear, text: "Clear?", levels: {1: no, 5: yes}}
  - {<<: *base, name: sound, text: "Sound?"}
  - {type: choice, name: mark, text: "Which?", values: ["<<", yes, ~]}
parts: [{name: text, heading: Text, text: abstract}]
"""
    batch = own_batch(papers, text, PAPERS[:1])
    assert (batch / "guide.md").read_text().count("- 5: yes") == 2
    questions = json.loads((batch / "batch.json").read_text())["questions"]
    assert questions[1]["levels"] == {"1": "no", "5": "yes"} and questions[2]["values"] == ["<<", "yes", "~"]


def test_a_known_item_stands_with_what_it_belongs_to(papers):
    """With --keep-together it stood alone, away from the other items of its review, and could be told."""
    gold = papers.parent / "gold.jsonl"
    gold.write_bytes(jsonl(*({"item": f"p{paper}/w1", "answers": {"agreement": 2}} for paper in range(4))))
    more = ["--gold", gold, "--gold-share", "1", "--keep-together", "group", "--design", "full"]
    batch = batch_of(papers, "labels", *more, raters="anna,ben")
    orders = []
    for rater in ("anna", "ben"):
        rows = sorted((one for one in key_of(batch) if one["rater"] == rater), key=lambda one: one["place"])
        pairs = [rows[place : place + 2] for place in range(0, 8, 2)]
        assert all(one["paper"] == other["paper"] for one, other in pairs)
        orders += [one["control"] for one, _ in pairs]
    assert set(orders) == {None, "gold"}, "neither is always first"


def test_scores_that_are_there_stay(papers):
    """A blank of the batch took away what somebody had rated before, and another rating replaced it without a word."""
    papers.write_bytes(jsonl(PAPERS[0]))
    batch = batch_of(papers, "questions", "--design", "full", raters="anna")
    exported(batch)
    said = {(one["item"], 0): {"problem": None, "method": 1, "type": None} for one in key_of(batch)}
    taken(batch, fill_csv(batch, "anna", said))

    def applied(human):
        record = json.loads(json.dumps(PAPERS[0]))
        record["generated"]["questions"][0]["items"][0]["human"] = human
        papers.write_bytes(jsonl(record))
        return st("st-annotate", "apply", batch, papers)

    done = applied({"problem": 2, "novel": 0})
    (found,) = done.records
    kept = {"problem": 2, "method": 1, "type": None, "novel": 0}
    assert found["generated"]["questions"][0]["items"][0]["human"] == kept and done.status == 0
    assert applied(kept).records[0]["generated"]["questions"][0]["items"][0]["human"] == kept
    assert "has 2 for method, and 1 in the batch" in applied({"method": 2}).err


@pytest.mark.parametrize("letter", ["r", "\u00e9", "\u4e2d"])
def test_a_name_of_a_rater_that_passes_can_be_exported_in_every_form(tmp_path, letter):
    papers = tmp_path / "papers.jsonl"
    longest = letter * (200 // len(letter.encode()))
    batch = own_batch(papers, OF_TEXTS, [{"id": "p", "text": "A text."}], raters=longest)
    for form in ("csv", "xlsx", "jsonl", "label-studio"):
        done = st("st-annotate", "export", str(batch), "--to", form)
        assert done.status == 0, done.err
    line = ("st-annotate", "assign", str(tmp_path / "own.yaml"), "--raters", letter + longest, str(papers))
    refused = st(*line, "--design", "full", "--output", str(tmp_path / "other"))
    assert refused.status == 2 and "bytes" in refused.err and not (tmp_path / "other").exists()
