"""st-parse, st-extract-limits and st-agree from outside, and the pipeline from a PDF to a table."""

from __future__ import annotations

import hashlib
import json
import shutil

import pytest
from support.run import PAPER, ROOT, jsonl, shell, st

GOLD = json.loads((PAPER.parent / "gold.json").read_text())
# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
RATINGS = ROOT / "fixtures" / "ratings.jsonl"


def plain(text: str) -> str:
    """Text without what typesetting adds: thin spaces and the form of apostrophes."""
    return "".join(text.split()).replace("’", "'")


def test_the_pipeline_ends_in_a_table_that_says_something():
    result = shell(f"st-parse {PAPER} | st-facets | st-score --table; echo ${{PIPESTATUS[@]}}")
    *table, statuses = result.out.decode().splitlines()
    assert statuses == "0 0 0" and result.err == ""
    rows = {line.split()[1]: line.split() for line in table if line.startswith("abstract ")}
    assert set(rows) == {"background", "method", "result", "conclusion", "overall"}
    assert all(float(row[3]) == 1 for row in rows.values()), "the abstract was written to hold all four facets"
    assert all(0.3 < float(row[4]) <= 1 for row in rows.values())


def test_the_paper_record(parsed):
    paper = json.loads(parsed)
    assert paper["id"] == "paper"
    assert paper["source"]["sha256"] == hashlib.sha256(PAPER.read_bytes()).hexdigest()
    assert paper["source"]["path"].endswith("paper.pdf") and paper["source"]["format"] == "pdf"
    assert plain(paper["title"]) == plain(GOLD["title"])
    headings = [section["heading"] for section in paper["sections"]]
    expected = [entry["heading"] for entry in GOLD["headings"] if entry["heading"] not in ("Abstract", "References")]
    assert headings == expected
    assert len(paper["references"]) == GOLD["n_references"]
    assert [entry["command"] for entry in paper["provenance"]] == ["st-parse"]


def test_a_pdf_from_standard_input(parsed):
    result = st("st-parse", input=PAPER.read_bytes())
    paper, from_file = result.records[0], json.loads(parsed)
    assert (paper["id"], paper["source"]["path"]) == ("stdin", "-")
    assert paper["sections"] == from_file["sections"]


@pytest.fixture
def folder(tmp_path):
    for name in ("c.pdf", "a.pdf"):
        shutil.copy(PAPER, tmp_path / name)
    (tmp_path / "b b.pdf").write_bytes(b"<!doctype html><html>not a paper</html>")
    (tmp_path / "e.pdf").write_bytes(b"")
    return tmp_path


def test_one_record_per_file_in_order_whatever_fails(folder):
    names = ["c.pdf", "b b.pdf", "missing.pdf", "e.pdf", "a.pdf"]
    result = st("st-parse", *names, cwd=folder)
    assert result.status == 1
    assert [record["source"]["path"] for record in result.records] == names
    assert [bool(record.get("errors")) for record in result.records] == [False, True, True, True, False]
    lines = result.err.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["b b.pdf", "missing.pdf", "e.pdf"]
    assert "HTML" in lines[0] and "No such file or directory" in lines[1] and "empty" in lines[2]
    assert st("st-parse", "--jobs", "2", *names, cwd=folder).out == result.out


@pytest.mark.parametrize("source", ["-", "list.txt"])
def test_files_from_a_list(folder, source):
    data = b"a.pdf\n\nb b.pdf\n"
    (folder / "list.txt").write_bytes(data)
    result = st("st-parse", "--files-from", source, cwd=folder, input=data)
    assert [record["source"]["path"] for record in result.records] == ["a.pdf", "b b.pdf"]


def test_an_empty_list_is_no_paper_and_no_error(folder):
    result = st("st-parse", "--files-from", "-", cwd=folder)
    assert (result.status, result.out) == (0, b"")


def test_a_name_that_is_not_utf8(folder):
    result = shell("cp a.pdf $'\\xff.pdf'; st-parse $'\\xff.pdf'", cwd=folder)
    assert result.status == 0
    assert result.records[0]["source"]["path"] == "\\xff.pdf"


def test_nothing_readable_is_exit_3(folder):
    assert st("st-parse", "e.pdf", cwd=folder).status == 3


def test_outline_and_text():
    outline = st("st-parse", "--outline", PAPER).out.decode()
    for entry in GOLD["headings"]:
        if entry["heading"] not in ("Abstract", "References"):
            assert entry["heading"] in outline
    text = st("st-parse", "--text", PAPER).out.decode()
    assert GOLD["limitations"][0].split(".")[0][:60] in " ".join(text.split())
    both = st("st-parse", "--text", "--outline", PAPER)
    assert both.status == 2


def test_every_stated_limitation_is_found(parsed):
    found = st("st-extract-limits", input=parsed).records[0]["limitations"]
    explicit = " ".join(" ".join(item["text"] for item in found if item["mode"] == "explicit").split())
    for limitation in GOLD["limitations"]:
        assert plain(limitation)[:80] in plain(explicit)


def test_limitations_are_word_for_word(parsed):
    paper = st("st-extract-limits", input=parsed).records[0]
    texts = {section["id"]: section["text"] for section in paper["sections"]}
    for item in paper["limitations"]:
        assert item["text"] == " ".join(texts[span["in"]][span["start"] : span["end"]] for span in item["spans"])


def test_reach_is_an_option_that_does_something():
    text = "One limitation is size. It is small.\n\nA paragraph on something else."
    section = {"id": "s1", "number": "4", "heading": "Debate", "level": 1, "role": "discussion", "text": text}
    reached = [
        st("st-extract-limits", "--reach", reach, input=jsonl({"id": "p", "sections": [section]})).records[0][
            "limitations"
        ]
        for reach in ("paragraph", "section")
    ]
    assert "something else" not in reached[0][0]["text"]
    assert "something else" in " ".join(item["text"] for item in reached[1])


def test_text_views_say_what_was_found(parsed):
    assert "explicit" in st("st-extract-limits", "--text", input=parsed).out.decode()
    facets = st("st-facets", "--text", input=parsed).out.decode()
    assert all(f"  {facet} " in facets for facet in ("background", "method", "result", "conclusion"))


def agree(*args: str, data: bytes | None = None):
    return st("st-agree", *args, input=RATINGS.read_bytes() if data is None else data)


def test_every_statistic_and_label():
    result = agree()
    assert result.status == 0
    assert {entry["stat"] for entry in result.records} == {"alpha", "kappa", "agreement"}
    assert {entry["label"] for entry in result.records} == {"specific", "grounded"}
    assert all((entry["value"] is None) == bool(entry["reason"]) for entry in result.records)


def test_other_key_names():
    renamed = RATINGS.read_bytes().replace(b'"item"', b'"paper"').replace(b'"rater"', b'"judge"')
    result = agree("alpha", "--item", "paper", "--rater", "judge", data=renamed)
    assert [entry["value"] for entry in result.records] == [entry["value"] for entry in agree("alpha").records]


def test_alpha_at_every_level_is_krippendorff_s_own():
    data = jsonl(
        *(
            {"item": item, "rater": rater, "value": value}
            for rater, values in enumerate(OBSERVERS)
            for item, value in enumerate(values)
        )
    )
    levels = ("nominal", "ordinal", "interval", "ratio")
    values = [agree("alpha", "--level", level, data=data).records[0]["value"] for level in levels]
    assert [round(value, 3) for value in values] == [0.743, 0.815, 0.849, 0.797]


def numbers() -> bytes:
    return b"".join(line for line in RATINGS.read_bytes().splitlines(True) if b"specific" in line)


def test_words_on_an_ordinal_scale_need_an_order():
    words = numbers().replace(b": 1}", b': "low"}').replace(b": 2}", b': "mid"}').replace(b": 3}", b': "high"}')
    refused = agree("alpha", "--level", "ordinal", data=words)
    assert refused.status in (2, 3) and refused.err.count("\n") == 1 and "--order" in refused.err
    ordered = agree("alpha", "--level", "ordinal", "--order", "low,mid,high", data=words)
    assert ordered.records[0]["value"] == agree("alpha", "--level", "ordinal", data=numbers()).records[0]["value"]


def test_a_rating_given_twice_is_never_silent():
    result = agree("alpha", data=RATINGS.read_bytes() + RATINGS.read_bytes().splitlines(True)[0])
    assert result.status == 1
    assert "-:49: " in result.err and "twice" in result.err


def test_undefined_is_null_with_a_reason():
    same = jsonl(*({"item": i, "rater": r, "value": 1} for i in range(3) for r in "ab"))
    entry = agree("alpha", data=same).records[0]
    assert entry["value"] is None and entry["reason"]


def test_one_rating_off_the_scale_costs_one_rating():
    data = numbers() + jsonl({"item": "w99", "rater": "anna", "label": "specific", "value": "x"})
    result = agree("alpha", "--level", "interval", data=data)
    assert result.status == 1 and result.err.startswith("st-agree: -:25: ")
    assert result.records[0]["value"] == agree("alpha", "--level", "interval", data=numbers()).records[0]["value"]


def test_a_paper_is_never_overwritten(folder):
    before = (folder / "a.pdf").read_bytes()
    result = st("st-parse", "a.pdf", "--output", "a.pdf", cwd=folder)
    assert result.status == 2 and (folder / "a.pdf").read_bytes() == before


def test_names_that_end_with_nul(folder):
    result = shell("find . -name 'a.pdf' -print0 | st-parse --files-from -", cwd=folder)
    assert [record["source"]["path"] for record in result.records] == ["./a.pdf"]


def test_standard_input_cannot_be_list_and_paper():
    assert st("st-parse", "--files-from", "-", "-", input=PAPER.read_bytes()).status == 2
