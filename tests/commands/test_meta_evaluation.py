"""The released research questions: the recipe of docs/meta-evaluation.md, what is known of them, and majorities."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from support import examples
from support.run import ROOT, jsonl, shell, st

RELEASED = ROOT.parent.parent / "shared" / "data" / "rq" / "dataset.csv"
OWN = ROOT / "fixtures" / "questions" / "dataset.csv"
WORDS = {"problem": (0.426, 0.335), "method": (0.443, 0.354), "type": (0.286, 0.237)}
INTERVALS = {"problem": (0.300, 0.537), "method": (0.328, 0.545), "type": (0.167, 0.396)}
needs_released = pytest.mark.skipif(not RELEASED.exists(), reason="the released data are not part of the package")


def make_records(data: Path, folder: Path) -> bytes:
    """What the recipe of the page makes of a file."""
    page = (ROOT / "docs" / "meta-evaluation.md").read_text()
    [recipe] = [block for block in examples.blocks(page) if block.file == "records.py"]
    assert len(recipe.text.splitlines()) <= 13, "import, blank, and some ten lines"
    (folder / recipe.file).write_text(recipe.text)
    return subprocess.run([sys.executable, recipe.file, data], cwd=folder, capture_output=True, check=True).stdout


def counts(long: list[dict]) -> dict[str, dict[float, int]]:
    return {
        aspect: dict(Counter(one["human"] for one in long if one["aspect"] == aspect))
        for aspect in ("problem", "method", "type")
    }


def test_the_recipe_makes_records_that_can_be_rated(tmp_path):
    judged = st("st-judge", "rate", "--method", "words", input=make_records(OWN, tmp_path))
    assert judged.status == 0, judged.err
    assert len(judged.records) == 8
    long = st("st-score", "rate", "--truth", "human", "--aspects", "builtin:rq", input=judged.out).records
    assert len(long) == 24 * 3 and {one["own"] for one in long} == {False}
    assert counts(long)["type"] == {0: 9, 1: 15}
    (tmp_path / "other.yaml").write_text(
        "{task: a text, aspects: [{name: method, scale: [1, 5], definition: d}, {name: tone, scale: [0, 2], definition: d}]}"
    )
    other = st("st-score", "rate", "--truth", "human", "--aspects", tmp_path / "other.yaml", input=judged.out)
    assert other.status == 3 and "scale 0 to 2, and --aspects has 1 to 5" in other.err


@needs_released
def test_the_counts_of_the_released_file(tmp_path):
    judged = st("st-judge", "rate", "--method", "words", input=make_records(RELEASED, tmp_path), is_described=False)
    sizes = Counter(len(one["generated"]["questions"][0]["items"]) for one in judged.records)
    assert sizes == {3: 44, 2: 36, 1: 13} and sum(sizes.values()) == 93
    made = st("st-score", "rate", "--truth", "human", "--aspects", "builtin:rq", input=judged.out)
    assert counts(made.records) == {
        "problem": {0: 49, 1: 91, 2: 77},
        "method": {0: 16, 1: 101, 2: 100},
        "type": {0: 36, 1: 181},
    }
    words = [one["words"] for one in made.records if one["aspect"] == "type"]
    assert (len(words), min(words), max(words), round(sum(words) / 217)) == (217, 12, 63, 34)


@pytest.mark.slow
@needs_released
def test_the_baselines_of_the_released_file_by_one_command(tmp_path):
    (tmp_path / "people.jsonl").write_bytes(make_records(RELEASED, tmp_path))
    line = (
        "st-judge rate people.jsonl --method words | st-score rate --truth human | st-agree correlate --x score --y human "
        "--method method --item item --each aspect --within paper --ci --cluster paper"
    )
    found = shell(line, cwd=tmp_path)
    assert found.status == 0, found.err
    of = {(one["each"]["aspect"], one["measure"], one["of"]): one for one in found.records}
    for aspect, (rho, tau) in WORDS.items():
        entry = of[aspect, "spearman", "records"]
        assert entry["value"] == pytest.approx(rho, abs=5e-4) and entry["n"] == 217
        assert of[aspect, "kendall", "records"]["value"] == pytest.approx(tau, abs=5e-4)
        between = entry["interval"]
        assert (between["low"], between["high"]) == pytest.approx(INTERVALS[aspect], abs=5e-4)
        assert (between["over"], between["n_drawn"]) == ("paper", 93)
    within = of["problem", "spearman", "groups"]
    assert within["value"] == pytest.approx(0.697, abs=5e-4)
    assert (within["n"], within["n_constant"] + within["n_small"]) == (48, 45)


def test_a_majority_of_two_in_three_and_what_is_left_of_the_questions():
    """Three ratings 0, 1, 2 have none; a label of two values always has one; 217 of 312 is .6955, printed as 69.5."""
    ratings = []
    for item in range(312):
        values = {"problem": (0, 1, 2) if item >= 217 else (1, 1, 2), "type": (item % 2, 1, 0)}
        ratings += [
            {"item": item, "rater": rater, "label": label, "value": value}
            for label, three in values.items() for rater, value in zip("abc", three, strict=True)
        ]  # fmt: skip
    found = st("st-agree", "majority", input=jsonl(*ratings)).records
    kept = [one for one in found if one["every_label"]]
    assert {one["value"] for one in found if one["label"] == "problem" and one["item"] >= 217} == {None}
    assert None not in {one["value"] for one in found if one["label"] == "type"}
    assert len(kept) == 2 * 217
    summary = st("st-agree", "majority", "--summary", input=jsonl(*ratings)).records
    whole = next(one for one in summary if one.get("every_label"))
    assert (whole["n_kept"], whole["n_items"], round(whole["value"], 4)) == (217, 312, 0.6955)


def test_the_page_says_what_the_command_says():
    page = (ROOT / "docs" / "meta-evaluation.md").read_text()
    for rho, tau in WORDS.values():
        for number in (rho, tau):
            assert re.search(rf"(?<!\d)\.{number * 1000:.0f}(?!\d)", page), number
