"""st-agree's numbers, as a user gets them, beside those of pingouin, statsmodels and scipy on random tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from support.run import jsonl, st

Compared = Iterator[tuple[str, float | None, float | None]]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_random_table_is_as_the_libraries_have_it(seed):
    """Three raters of whom one left some out, and two measures: one of people's size, one of another."""
    for module in ("pingouin", "statsmodels"):
        pytest.importorskip(module)
    import pandas as pd

    rows = [*made(seed)]
    table = pd.DataFrame(rows, dtype=float)
    found = [*of_raters(rows, table), *of_measures(rows, table), *of_systems(rows, table)]
    for what, ours, theirs in found:
        assert ours == pytest.approx(theirs, abs=1e-6), what
    assert len(found) >= 30


def made(seed: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(seed)
    for item in range(rng.choice([14, 20, 30])):
        a, c = rng.choice([1, 2, 3, 4]), rng.choice([1, 2, 3, 4])
        b = min(4, max(1, a + rng.choice([-1, 0, 0, 1])))
        is_missing = rng.random() < 0.1
        yield {"item": item, "a": a, "b": None if is_missing else b, "c": c, "x": rng.gauss(a, 1), "z": rng.gauss(b, 2)}


def asked(rows: list[dict[str, Any]], *args: str) -> list[dict[str, Any]]:
    return st("st-agree", *args, input=jsonl(*rows)).records


def of_raters(rows: list[dict[str, Any]], table: Any) -> Compared:
    import numpy as np
    import pingouin
    from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

    long = table.dropna().melt("item", ["a", "b", "c"])
    theirs = pingouin.intraclass_corr(long, "item", "variable", "value")
    for one, (_, row) in zip(asked(rows, "icc", "--raters", "a,b,c"), theirs.iterrows(), strict=True):
        yield f"{one['form']} value", one["value"], row["ICC"]
        yield f"{one['form']} p", one["p"], row["pval"]
    for weights in ("linear", "quadratic"):
        pairs = asked(rows, "kappa", "--weights", weights, "--pairs", "--raters", "a,b,c")
        for one in (one for one in pairs if one.get("raters")):
            counts = np.zeros((4, 4))
            np.add.at(counts, tuple(table[one["raters"]].dropna().astype(int).to_numpy().T - 1), 1)
            yield f"{weights} kappa {one['raters']}", one["value"], cohens_kappa(counts, wt=weights).kappa
    (one,) = asked(rows, "fleiss", "--raters", "a,c")
    yield "fleiss", one["value"], fleiss_kappa(aggregate_raters(table[["a", "c"]].to_numpy())[0])


def of_measures(rows: list[dict[str, Any]], table: Any) -> Compared:
    import pandas as pd
    import pingouin
    from scipy import stats
    from statsmodels.regression.linear_model import OLS

    plain = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    for one in asked(rows, "correlate", "--x", "x", "--x", "z", "--y", "a", "--item", "item", "--control", "c"):
        what = f"{one['of']} {one['measure']} {one['x']}"
        if one["of"] == "records":
            yield what, one["value"], plain[one["measure"]](table[one["x"]], table["a"])[0]
        elif one["measure"] != "kendall":
            row = pingouin.partial_corr(table, one["x"], "a", "c", method=one["measure"])
            yield what, one["value"], row["r"].iloc[0]
    (one,) = asked(rows, "bias", "--x", "x", "--y", "a", "--of", "z", "--item", "item")
    levels = pd.get_dummies(table["a"]).astype(float)
    yield "bias", one["value"], OLS(table["x"], levels.assign(z=table["z"])).fit().params["z"]


def of_systems(rows: list[dict[str, Any]], table: Any) -> Compared:
    from scipy import stats
    from statsmodels.stats.multitest import multipletests

    for adjust in ("holm", "bh"):
        found = asked(rows, "effect", "--raters", "a,b,c", "--ddof", "1", "--adjust", adjust)
        tests = [one["t_test"] for one in found if one["systems"]]
        theirs = [stats.ttest_rel(*table[[*pair]].dropna().to_numpy().T) for pair in combinations("abc", 2)]
        corrected = multipletests([one.pvalue for one in theirs], method={"holm": "holm", "bh": "fdr_bh"}[adjust])[1]
        for ours, one, p in zip(tests, theirs, corrected, strict=True):
            yield "t", ours["t"], one.statistic
            yield "p of t", ours["p"], one.pvalue
            yield f"p of t, {adjust}", ours[f"p_{adjust}"], p
