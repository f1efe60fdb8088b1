"""Ceilings, tests of judges, confusion tables and corrected p beside short code of other libraries, on random tables."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.run import jsonl, st

RATERS = ("a", "b", "c")


def made(seed: int) -> list[dict[str, Any]]:
    """Ratings of 1 to 4 by three people and a judge w; c left some out, and x and z are measures with many values."""
    rng = random.Random(seed)
    rows = []
    for item in range(36):
        true = rng.gauss(0, 1)
        a, b, c, w = (max(1, min(4, round(2.5 + true + rng.gauss(0, 0.8)))) for _ in range(4))
        is_missing = rng.random() < 0.15
        rows.append({
            "item": item, "system": "uvw"[item % 3], "text": item // 3, "paper": item // 2, "a": a, "b": b,
            "c": None if is_missing else c, "w": w, "x": true + rng.gauss(0, 1), "z": true + rng.gauss(0, 1.4),
        })  # fmt: skip
    return rows


def asked(rows: list[dict[str, Any]], *args: str) -> list[dict[str, Any]]:
    return st("st-agree", *args, input=jsonl(*rows)).records


def column(rows: list[dict[str, Any]], name: str) -> Any:
    return np.array([np.nan if row[name] is None else row[name] for row in rows], dtype=float)


def left_out(rows: list[dict[str, Any]], one: str) -> tuple[Any, Any, Any]:
    """The numbers of a person, the mean of the others, and the judge's, of the items with all of them."""
    others = np.nanmean([column(rows, other) for other in RATERS if other != one], axis=0)
    sides = np.array([column(rows, one), others, column(rows, "w")])
    own, means, judge = sides[:, np.isfinite(sides).all(axis=0)]
    return own, means, judge


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("measure", "theirs"), [("pearson", stats.pearsonr), ("spearman", stats.spearmanr)])
def test_a_ceiling_is_that_of_scipy(seed, measure, theirs):
    rows = made(seed)
    found = asked(rows, "ceiling", "--raters", "a,b,c,w", "--judge", "w", "--measure", measure)[-1]

    def ceiling(some: list[dict[str, Any]]) -> tuple[float, float]:
        sides = [left_out(some, one) for one in RATERS]
        people, judge = ([theirs(side[place], side[1])[0] for side in sides] for place in (0, 2))
        return float(np.mean(people)), float(np.mean(judge))

    people, judge = ceiling(rows)
    assert (found["value"], found["judge_value"]) == pytest.approx((people, judge))
    assert found["difference"]["value"] == pytest.approx(judge - people)
    without = np.arctanh([ceiling([*rows[:i], *rows[i + 1 :]]) for i in range(len(rows))])
    for place, interval in enumerate((found["interval"], found["judge_interval"])):
        assert [interval["low"], interval["high"]] == pytest.approx(jackknife(ceiling(rows)[place], without[:, place]))


def jackknife(value: float, without: Any) -> list[float]:
    """Tukey's interval on Fisher's scale, with fewer degrees of freedom where few units make most of the error."""
    g, away = len(without), without - without.mean()
    k = max(0.0, float(stats.kurtosis(away)))
    df = 2 / (2 / (g - 1) + k / g)
    half = stats.t.ppf(0.975, df) * np.sqrt((g - 1) / g * (away**2).sum())
    return [float(np.tanh(np.arctanh(value) - half)), float(np.tanh(np.arctanh(value) + half))]


@pytest.mark.parametrize("seed", range(3))
def test_the_test_of_a_judge_is_students_against_the_margin(seed):
    rows = made(seed)
    *people, whole = asked(
        rows, "alt-test", "--raters", "a,b,c,w", "--judge", "w", "--epsilon", "0.1", "--min-items", "5"
    )
    p_values = []
    for one, found in zip(RATERS, people, strict=True):
        others = [[row[o] for o in RATERS if o != one and row[o] is not None] for row in rows if row[one] is not None]
        kept = [row for row in rows if row[one] is not None]
        judge = np.array([np.mean([row["w"] == o for o in of]) for row, of in zip(kept, others, strict=True)])
        person = np.array([np.mean([row[one] == o for o in of]) for row, of in zip(kept, others, strict=True)])
        assert found["value"] == pytest.approx((judge >= person).mean())
        test = stats.ttest_1samp(np.sign(person - judge), 0.1, alternative="less")
        assert found["p"] == pytest.approx(test.pvalue)
        p_values.append(test.pvalue)
    corrected = stats.false_discovery_control(p_values, method="by")
    assert [one["p_by"] for one in people] == pytest.approx(list(corrected))
    assert whole["value"] == pytest.approx((corrected <= 0.05).mean())


@pytest.mark.parametrize("seed", range(3))
def test_a_confusion_table_is_that_of_pandas(seed):
    import pandas as pd

    rows = made(seed)
    table, *more = asked(rows, "confusion", "--raters", "a,c")
    data = pd.DataFrame([row for row in rows if row["c"] is not None])
    counts = pd.crosstab(data["a"], data["c"].astype(int)).reindex(index=table["values"], columns=table["values"])
    assert (np.array(table["counts"]) == counts.fillna(0).to_numpy()).all()
    for one in (one for one in more if one["measure"] == "category"):
        at = table["values"].index(one["category"])
        matrix = np.array(table["counts"])
        assert one["value"] == pytest.approx(2 * matrix[at, at] / (matrix[at].sum() + matrix[:, at].sum()))


@pytest.mark.parametrize("seed", range(3))
def test_systems_that_are_left_out_are_the_jackknife_of_scipy(seed):
    rng = random.Random(seed)
    rows = []
    for item in range(6):
        for system in range(9):
            human = rng.gauss(system / 4, 1)
            rows.append({"item": item, "system": system, "human": human, "x": human + rng.gauss(0, 1)})
    args = ("--x", "x", "--y", "human", "--by", "system", "--item", "item", "--measure", "pearson")
    found = [one for one in asked(rows, "correlate", "--ci", "--redraw", "systems", *args) if one["of"] == "means"]
    means = np.array([
        [np.mean([row[name] for row in rows if row["system"] == system]) for system in range(9)] for name in ("human", "x")
    ])  # fmt: skip
    without = np.arctanh([stats.pearsonr(*np.delete(means, place, axis=1))[0] for place in range(9)])
    value = stats.pearsonr(*means)[0]
    assert found and found[-1]["value"] == pytest.approx(value)
    ends = [found[-1]["interval"]["low"], found[-1]["interval"]["high"]]
    assert ends == pytest.approx(jackknife(value, without))


FAMILIES = [
    ("correlate", "--ci", "--compare-all", "--x", "x", "--x", "z", "--x", "w", "--y", "a", "--y", "b", "--item", "item"),
    ("effect", "--raters", "a,b,c,w"),
    ("alpha", "--ci", "--leave-one-rater-out", "--raters", "a,b,c,w"),
    ("rank", "--x", "x", "--x", "z", "--x", "w", "--y", "a", "--by", "system", "--item", "text", "--grouping", "none",
     "--measure", "pearson", "--measure", "spearman", "--draws", "200"),
    ("ceiling", "--raters", "a,b,c,w", "--judge", "w", "--judge", "c"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("args", FAMILIES, ids=lambda args: args[0])
@pytest.mark.parametrize("adjust", ["holm", "bh"])
def test_corrected_p_are_those_of_statsmodels_over_all_that_the_run_writes(args, adjust):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    n_tests = 0
    for seed in range(2):
        families: dict[str, list[tuple[float, float, int]]] = defaultdict(list)
        for one in asked(made(seed), *args, "--adjust", adjust):
            for where, p, corrected, n in found_p(one, f"p_{adjust}"):
                families[where].append((p, corrected, n))
        for where, tests in families.items():
            p, corrected, counts = zip(*tests, strict=True)
            theirs = multitest.multipletests(p, method={"holm": "holm", "bh": "fdr_bh"}[adjust])[1]
            assert list(corrected) == pytest.approx(list(theirs)), where
            assert set(counts) == {len(tests)}
            n_tests += len(tests)
    assert n_tests >= 4


def found_p(entry: Any, name: str, where: str = "") -> Iterator[tuple[str, float, float, int]]:
    """Each p of a result with the corrected one beside it, and the size of the family that it says."""
    if not isinstance(entry, dict):
        return
    if entry.get("p") is not None and name in entry:
        yield where, entry["p"], entry[name], entry["n_compared"]
    for key, value in entry.items():
        yield from found_p(value, name, key)
