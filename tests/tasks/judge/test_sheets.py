"""st-judge sheet: what people are shown, and what is read back of it."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some
from support.raters import questions
from support.run import jsonl, st

from scholartools.errors import UsageFault
from scholartools.table_files.guard import guard_cell, unguard_cell
from scholartools.tasks.annotate.rating_sheets import mark_item, read_sheets, write_sheet
from scholartools.tasks.judge.rate import Item, read_criteria

DATA = jsonl(*(questions(f"Why {n}? [2]", f"Can {n}, or not?", name=f"paper{n}", system="secret") for n in range(3)))
ITEMS = [Item("s", f"q{n}", "x", f"Why {n}?", "Bees.", "p1") for n in range(3)]
MARKS = [mark_item(item) for item in ITEMS]
SPECS = read_criteria("builtin:rq").aspects[:1]


def test_sheets_are_blind_and_their_ratings_go_to_agreement(tmp_path):
    for seed, rater in ((1, "anna"), (2, "ben")):
        made = st("st-judge", "sheet", "--seed", str(seed), input=DATA)
        assert made.status == 0 and b"secret" not in made.out, made.err
        rows = list(csv.DictReader(io.StringIO(made.out.decode("utf-8-sig"), newline="")))
        assert [*rows[0]][3:] == ["problem (0 to 2)", "method (0 to 2)", "type (0 to 1)", "skip", "note"]
        with open(tmp_path / f"{rater}.csv", "w", encoding="utf-8-sig", newline="") as file:  # as a spreadsheet does
            sheet = csv.DictWriter(file, [*rows[0]], delimiter=";")
            sheet.writeheader()
            for row in rows:
                ratings = {"problem (0 to 2)": len(row["Research question"]) % 3, "method (0 to 2)": "1,0"}
                sheet.writerow(row | ratings | {"skip": "x" if "Why 0" in row["Research question"] else ""})
    read = ("--read", tmp_path / "anna.csv", "--read", tmp_path / "ben.csv")
    found = st("st-judge", "sheet", *read, input=DATA, is_described=False)
    assert found.status == 0 and len(found.records) == 2 * 6 * 3, found.err
    one = next(one for one in found.records if one["item"] == "paper1/secret/q2" and one["rater"] == "ben")
    assert one == {**one, "paper": "paper1", "label": "problem", "value": len("Can 1, or not?") % 3}
    reasons = [one["reason"] for one in found.records if one["value"] is None]
    assert sorted(reasons) == ["blank"] * 2 * 5 + ["skipped"] * 2 * 3
    agreed = st("st-agree", "alpha", input=found.out).records
    assert {one["label"]: one["value"] for one in agreed}["problem"] == 1


def test_the_order_is_that_of_the_seed_alone():
    criteria = read_criteria("builtin:rq")
    sheets = [write_sheet(criteria, SPECS, items, seed) for items, seed in ((ITEMS, 1), (ITEMS[::-1], 1), (ITEMS, 2))]
    assert sheets[0] == sheets[1] != sheets[2]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"id,problem\n{MARKS[0]},3\n", 'a.csv:2: "3" for "problem" is not on the scale 0 to 2 in steps of 1'),
        (f"id,problem\n{MARKS[0]},1.5\n", "is not on the scale"),
        (f"id,problem\n{MARKS[0]},good\n", "is not on the scale"),
        (f"id,problem\n{MARKS[0]},inf\n", "is not on the scale"),
        (f"id,problem\n{MARKS[0]},1\n{MARKS[0]},2\n", "is given twice"),
        ("id,problem\n0123,1\n", "is of no text of these records"),
        (f"id,problem\n{MARKS[0]},1,2\n", "a.csv:2: more cells than the header has"),
        (
            f"id,problem (1 to 5)\n{MARKS[0]},1\n",
            'a.csv:1: the criteria have "problem (0 to 2)", the sheet "problem (1',
        ),
        (f"id,problem,problem\n{MARKS[0]},1,\n", 'a.csv:1: two columns are "problem"'),
        (f"id,problem,problem (0 to 2)\n{MARKS[0]},1,\n", 'a.csv:1: two columns are of "problem"'),
        ("id,method\n", 'no column "problem"'),
        ("", 'no column "id"'),
    ],
)
def test_a_sheet_that_cannot_be_read_is_refused_with_its_line(tmp_path, text, reason):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(UsageFault) as caught:
        read_sheets([str(tmp_path / "a.csv")], SPECS, ITEMS)
    assert reason in caught.value.reason


def test_two_texts_of_one_name_are_refused(tmp_path):
    items = [
        Item(system, name, "x", "Why?", "Bees.", paper)
        for system, name, paper in (("b/c", "1", "a"), ("c", "1", "a/b"))
    ]
    (tmp_path / "a.csv").write_text("id,problem\n")
    with pytest.raises(UsageFault, match='two texts are "a/b/c/1"'):
        read_sheets([str(tmp_path / "a.csv")], SPECS, items)


def test_a_row_that_is_gone_is_a_missing_rating(tmp_path):
    (tmp_path / "a.csv").write_text(f"id,problem\n{MARKS[1]},2\n")
    found = read_sheets([str(tmp_path / "a.csv")], SPECS, ITEMS)
    assert [(one["value"], one.get("reason")) for one in found] == [
        (None, "not on the sheet"), (2, None), (None, "not on the sheet")
    ]  # fmt: skip
    rows = st("st-judge", "sheet", input=DATA).out.decode("utf-8-sig").splitlines(keepends=True)
    (tmp_path / "ben.csv").write_text(rows[0])
    read = st("st-judge", "sheet", "--read", tmp_path / "ben.csv", input=DATA)
    assert read.status == 0 and 'the sheet of "ben" has no row for 6 texts' in read.err, read.err


# Formulas


TEXTS = some.text(some.sampled_from("=+-@'\" \t\r\n,;1a\u201c\uff1d\ufeff\u00a0."), max_size=6) | some.text(max_size=20)


def runs_as_formula(cell: str) -> bool:
    """What a spreadsheet may run, written down anew: the first character that is no blank, mark or quotation mark."""
    first = next(
        (one for one in cell if one.isprintable() and one not in " '\"`\u00a0" and not "\u2018" <= one <= "\u201f"), ""
    )
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return first in set("=+-@\uff1d\uff0b\uff0d\uff20") if first else cell[:1] in ("\t", "\r")
    return False


@pytest.mark.slow
@settings(max_examples=1000)
@given(TEXTS, TEXTS)
@example("=cmd|' /C calc'!A0", "'=1")
def test_a_guarded_cell_is_no_formula_and_comes_back(text, other):
    cell = guard_cell(text)
    assert cell in (text, f"'{text}")
    assert cell != text or not runs_as_formula(text)
    assert unguard_cell(cell, [text]) == unguard_cell(text, [text]) == text
    assert unguard_cell(f"x{other}", [text]) in (f"x{other}", text), "what is not known stays as it is"


@pytest.mark.parametrize("text", ["'=1", "'tis", "''", "-5", "+3.2e1", "2", "a = b", "Is it?"])
def test_what_is_no_formula_stays(text):
    assert unguard_cell(text, []) == text and unguard_cell(text, [text]) == text
    assert guard_cell(text) == text or text == "'=1"


@settings(max_examples=60)
@given(some.lists(some.tuples(TEXTS.filter(str.strip), TEXTS), min_size=1, max_size=4))
def test_a_sheet_with_formulas_is_read_as_it_was_written(tmp_path_factory, texts):
    criteria = read_criteria("builtin:rq").model_copy(update={"candidate_name": "=cmd|A1", "source_name": "@SUM(1)"})
    items = [Item("s", f"q{n}", "x", text, source, "p1") for n, (text, source) in enumerate(texts)]
    written = write_sheet(criteria, SPECS, items, 0)
    assert written.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(written.removeprefix("\ufeff"), newline="")))
    assert all(cell.startswith("'") or not runs_as_formula(cell) for row in rows for one in row.items() for cell in one)
    path = tmp_path_factory.mktemp("sheets") / "anna.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        sheet = csv.DictWriter(file, [*rows[0]])
        sheet.writeheader()
        sheet.writerows(row | {"problem (0 to 2)": "1"} for row in rows)
    made = read_sheets([str(path)], SPECS, items, [criteria.candidate_name])
    assert [one["value"] for one in made] == [1] * len(items)


def test_a_text_beside_the_id_of_another_is_refused(tmp_path):
    """As where somebody sorts one column alone: each rating would be of another text."""
    path = tmp_path / "anna.csv"
    path.write_text(f"id,Text,problem\n{MARKS[0]},Why 1?,1\n{MARKS[1]},Why 0?,2\n")
    with pytest.raises(UsageFault, match="a.csv:2: .* stands beside another text"):
        read_sheets([str(path)], SPECS, ITEMS, ["Text"])
    path.write_text(f"id,Text,problem\n{MARKS[0]},'Why 0?  ,1\n{MARKS[1]},Why  1?,2\n")
    assert [one["value"] for one in read_sheets([str(path)], SPECS, ITEMS, ["Text"])] == [1, 2, None]


@pytest.mark.parametrize("name", ["id", "skip", "note", "Text", "Source"])
def test_an_aspect_may_have_the_name_of_another_column(tmp_path, name):
    """Its sheet was refused when people had filled it in."""
    criteria = read_criteria("builtin:rq").model_copy(update={"candidate_name": "Text", "source_name": "Source"})
    specs = [SPECS[0].model_copy(update={"name": name}), SPECS[0]]
    rows = list(csv.reader(io.StringIO(write_sheet(criteria, specs, ITEMS, 0).removeprefix("\ufeff"), newline="")))
    place, skip = rows[0].index(f"{name} (0 to 2)"), len(rows[0]) - 2
    for row in rows[1:]:
        row[place], row[place + 1], row[skip] = "2", "1", "x" if row is rows[1] else ""
    with open(tmp_path / "a.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    made = read_sheets([str(tmp_path / "a.csv")], specs, ITEMS, ["Source", "Text"])
    found = sorted((one["label"], one["value"]) for one in made if one["value"] is not None)
    assert found == sorted([(name, 2)] * 2 + [("problem", 1)] * 2)
    assert [one["reason"] for one in made if one["value"] is None] == ["skipped"] * 2
