"""Intervals and tests that leave out systems, raters and judges, beside short code of other libraries, on random tables."""

from __future__ import annotations

import functools
import itertools
import json
import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from support.intervals import bent
from support.run import jsonl, st

from scholartools.tasks.judge.rate import batches, pools
from scholartools.tasks.judge.rate.contract import How, Item

MEASURES = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def asked(rows: list[dict[str, Any]], *args: str) -> list[dict[str, Any]]:
    return st("st-agree", *args, input=jsonl(*rows)).records


def degrees(without: Any) -> float:
    """Of a squared error that is the sum of these squares: a chi-square of the same variance has so many."""
    g, k = len(without), max(0.0, float(stats.kurtosis(without)))
    return 2 / (2 / (g - 1) + k / g)


def error_of(without: Any) -> float:
    g = len(without)
    return float(np.sqrt((g - 1) / g * ((without - without.mean()) ** 2).sum()))


def texts_of_systems(seed: int, n_systems: int = 8, n_items: int = 9) -> list[dict[str, Any]]:
    """Texts by systems for items, of which each system lacks some; three items are of one paper."""
    rng = np.random.default_rng(seed)
    rows = []
    for item, system in itertools.product(range(n_items), range(n_systems)):
        if rng.random() < 0.1:
            continue
        human = rng.normal(system / 3) + rng.normal() * 0.3 * (item % 3)
        rows.append({"item": item, "paper": item // 3, "system": system, "human": human, "x": human + rng.normal()})
    return rows


def of_means(rows: list[dict[str, Any]], measure: str) -> float:
    import pandas as pd

    means = pd.DataFrame(rows).groupby("system")[["x", "human"]].mean()
    return float(MEASURES[measure](means["x"], means["human"])[0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("measure", ["pearson", "spearman"])
@pytest.mark.parametrize("redraw", ["items", "systems", "both"])
def test_means_of_systems_have_the_jackknife_of_what_is_redrawn(seed, measure, redraw):
    rows = texts_of_systems(seed)
    args = ("--x", "x", "--y", "human", "--by", "system", "--item", "item", "--cluster", "paper", "--measure", measure)
    [found] = [one for one in asked(rows, "correlate", "--ci", "--redraw", redraw, *args) if one["of"] == "means"]
    value = of_means(rows, measure)
    assert found["value"] == pytest.approx(value)
    errors, df = [], []
    for key in {"items": ["paper"], "systems": ["system"], "both": ["paper", "system"]}[redraw]:
        kept = [[row for row in rows if row[key] != one] for one in dict.fromkeys(row[key] for row in rows)]
        left = [of_means(some, measure) for some in kept]
        if max(map(abs, left)) >= 1 - 1e-12:
            assert found["interval"]["low"] is None and found["interval"]["reason"]
            return
        errors.append(error_of(np.arctanh(left)))
        df.append(degrees(np.arctanh(left)))
    half = stats.t.ppf(0.975, min(df)) * math.hypot(*errors)
    ends = [math.tanh(math.atanh(value) + side * half) for side in (-1, 1)]
    assert [found["interval"]["low"], found["interval"]["high"]] == pytest.approx(ends)


def measured(seed: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(30):
        human = rng.normal()
        x, z, w = human + rng.normal(size=3) * (0.8, 1.2, 2)
        row = {"item": item, "paper": item // 2, "human": human, "x": x, "z": round(z), "w": w}
        rows.append(row | ({"z": None} if rng.random() < 0.1 else {}))
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("is_clustered", [False, True])
def test_all_differences_of_coefficients_are_the_jackknife_of_scipy(seed, is_clustered):
    """Each of nine differences of three measures: value, ends, degrees of freedom, p, and Holm's p over all nine."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rows = measured(seed)
    more = ("--cluster", "paper") if is_clustered else ()
    sides = ("--x", "x", "--x", "z", "--x", "w", "--y", "human", "--item", "item")
    found = [one for one in asked(rows, "correlate", "--ci", "--compare-all", *sides, *more) if "compare" in one]
    assert len(found) == 9
    for one in found:
        theirs, pair = MEASURES[one["measure"]], one["compare"]
        whole = [row for row in rows if None not in (row[pair[0]], row[pair[1]])]

        def difference(some: list[dict[str, Any]], theirs: Any = theirs, pair: Any = pair) -> float:
            truth = [row["human"] for row in some]
            first, second = (theirs([row[name] for row in some], truth)[0] for name in pair)
            return float(first - second)

        key = "paper" if is_clustered else "item"
        units = dict.fromkeys(row[key] for row in whole)
        without = np.array([difference([row for row in whole if row[key] != unit]) for unit in units])
        value, error, df = difference(whole), error_of(without), degrees(without)
        half = stats.t.ppf(0.975, df) * error
        assert one["value"] == pytest.approx(value)
        assert [one["interval"]["low"], one["interval"]["high"]] == pytest.approx([value - half, value + half])
        assert one["interval"]["df"] == pytest.approx(df)
        assert one["p"] == pytest.approx(2 * stats.t.sf(abs(value) / error, df))
    holm = multitest.multipletests([one["p"] for one in found], method="holm")[1]
    assert [one["p_holm"] for one in found] == pytest.approx(list(holm))


# Marked texts.


def marked(seed: int) -> list[dict[str, Any]]:
    """Five items of three raters, the last of whom goes less with the others, and one of two raters alone."""
    rng = random.Random(seed)
    texts = ["one claim", "another one", "the third of them", "a fourth claim", "one more"]
    return [
        {"item": item, "rater": rater, "value": [text for text in texts if rng.random() < (0.35 if rater == "c" else 0.8)]}
        for item, rater in itertools.product(range(6), "abc")
        if (item, rater) != (5, "c")
    ]  # fmt: skip


@functools.cache
def distance(first: str, second: str) -> int:
    """Levenshtein's, by its table."""
    row = list(range(len(second) + 1))
    for i, one in enumerate(first, 1):
        row, last = [i], row
        for j, other in enumerate(second, 1):
            row.append(min(row[-1] + 1, last[j] + 1, last[j - 1] + (one != other)))
    return row[-1]


@functools.cache
def sums(first: tuple[str, ...], second: tuple[str, ...]) -> dict[str, float]:
    exact = float(sum((Counter(first) & Counter(second)).values()))
    if not first or not second:
        return {"edit": 0.0, "exact": exact}
    alike = np.array([[1 - distance(a, b) / max(len(a), len(b)) for b in second] for a in first])
    return {"edit": float(alike[optimize.linear_sum_assignment(-alike)].sum()), "exact": exact}


def pooled(units: list[dict[str, list[str]]], measure: str) -> float:
    """F1 over all pairs of raters of items, each with its raters' lists."""
    pairs = [(unit[a], unit[b]) for unit in units for a, b in itertools.combinations(sorted(unit), 2)]
    return 2 * sum(sums(*map(tuple, pair))[measure] for pair in pairs) / sum(len(a) + len(b) for a, b in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_raters_left_out_of_span_agreement_have_the_p_of_all_permutations(seed):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rows = marked(seed)
    units: list[dict[str, list[str]]] = [{} for _ in range(6)]
    for row in rows:
        units[row["item"]][row["rater"]] = row["value"]
    found = [one for one in asked(rows, "spans", "--ci", "--leave-one-rater-out") if "difference" in one]
    assert len(found) == 6
    for one in found:
        measure, left = one["measure"], one["without"]
        whole = pooled(units, measure)
        # One who is drawn is left out of each item that the named rater rated: all ways to draw are counted.
        choices = [sorted(unit) if left in unit else [None] for unit in units]
        away = [
            whole - pooled([{name: unit[name] for name in unit if name != gone} for unit, gone in zip(units, drawn)], measure)
            for drawn in itertools.product(*choices)
        ]  # fmt: skip
        value = whole - pooled([{name: unit[name] for name in unit if name != left} for unit in units], measure)
        p = float(np.mean(np.abs(away) >= abs(value) - 1e-12))
        assert one["difference"]["value"] == pytest.approx(value)
        assert one["difference"]["p"] == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 1999) + 1 / 2000)
    p_values = [one["difference"]["p"] for one in found]
    holm = multitest.multipletests(p_values, method="holm")[1]
    assert [one["difference"]["p_holm"] for one in found] == pytest.approx(list(holm))


# st-score.


def judged(seed: int) -> list[dict[str, Any]]:
    """Papers with limitations by three systems, of which judges found some alike."""
    rng = random.Random(seed)
    records = []
    for n in range(12):
        truths = [{"id": f"t{k}", "text": f"The sample {k} is small."} for k in range(3)]
        systems, pairs = [], []
        for name, share in (("a", 0.7), ("b", 0.5), ("c", 0.2)):
            items = [{"id": f"g{k}", "text": f"Sample number {k} of {name}."} for k in range(rng.randint(2, 4))]
            systems.append({"system": name, "items": items})
            of = [
                {"reference": one["id"], "candidate": item["id"], "match": rng.random() < share / 2}
                for one, item in itertools.product(truths, items)
            ]
            pairs.append({"system": name, "pairs": of})
        records.append({
            "id": f"p{n}", "venue": "xy"[n % 2], "limitations": truths, "generated": {"limitations": systems},
            "judgements": {"match": pairs},
        })  # fmt: skip
    return records


_COSINES = ("pairs.embedding_cosine", "pairs.heading_cosine")  # from -1 to 1


@pytest.mark.parametrize("adjust", ["holm", "bh"])
@pytest.mark.parametrize("more", [(), ("--by", "venue")], ids=["whole", "by venue"])
def test_comparisons_of_st_score_are_corrected_over_all_of_the_run(adjust, more):
    """Every difference of every value, pair and part is one family, and every t-test another; p is that of the pairs."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    records = judged(1)
    pairs = ("--compare", "a", "b", "--compare", "a", "c", "--compare", "b", "c")
    made = st("st-score", "match", *pairs, "--adjust", adjust, *more, input=jsonl(*records))
    compared = [one for one in made.records if "compare" in one]
    scored = [json.loads(line) for line in st("st-score", "match", input=jsonl(*records)).out.splitlines()]
    assert len(compared) == 3 * (2 if more else 1)
    families: dict[str, list[tuple[float, float]]] = {"difference": [], "t_test": []}
    for one in compared:
        for name, value in one["values"].items():
            sides = [
                {record["id"]: entry["values"].get(name) for record in scored for entry in record["scores"]
                 if entry["system"] == system and (not more or record["venue"] == one["by"]["venue"])}
                for system in one["compare"]
            ]  # fmt: skip
            both = [key for key in sides[0] if None not in (sides[0][key], sides[1].get(key))]
            first, second = ([side[key] for key in both] for side in sides)
            test = value["t_test"]
            if test["p"] is not None:
                assert test["p"] == pytest.approx(stats.ttest_rel(first, second).pvalue)
                families["t_test"].append((test["p"], test[f"p_{adjust}"]))
            if (difference := value["difference"])["p"] is not None:
                apart = np.subtract(first, second)
                skewness = stats.skew(apart, bias=False) / math.sqrt(len(apart))
                error = apart.std(ddof=1) / math.sqrt(len(apart))
                *ends, p = bent(apart.mean(), error, skewness, len(apart) - 1, 0.95)
                farthest = math.inf if name in ("tp", "fp", "fn") else 2 if name in _COSINES else 1
                low, high = np.clip(ends, -farthest, farthest)
                assert [difference["value"], difference["p"]] == pytest.approx([apart.mean(), p], rel=1e-5)
                assert [difference["low"], difference["high"]] == pytest.approx([low, high], rel=1e-5, abs=1e-9)
                families["difference"].append((difference["p"], difference[f"p_{adjust}"]))
        for value in (one.get("corpus") or {}).values():
            if value.get("p") is not None:
                families["difference"].append((value["p"], value[f"p_{adjust}"]))
    for tests in families.values():
        p_values, corrected = zip(*tests, strict=True)
        theirs = multitest.multipletests(p_values, method={"holm": "holm", "bh": "fdr_bh"}[adjust])[1]
        assert list(corrected) == pytest.approx(list(theirs))
        assert len(tests) > 20


# Batches.


def rounds(
    seed: int, effect: float, n: int = 24, n_rounds: int = 5
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Texts with scores in batches of four, drawn anew in each round; and the same as rows of a regression."""
    rng = np.random.default_rng(seed)
    true = rng.normal(5, 1, size=n)
    found: list[dict[str, list[Any]]] = [{"round_scores": [], "slots": [], "mates": []} for _ in range(n)]
    for _ in range(n_rounds):
        order = rng.permutation(n)
        for start in range(0, n, 4):
            batch = order[start : start + 4].tolist()
            for slot, place in enumerate(batch, 1):
                others = [one for one in batch if one != place]
                own = found[place]
                is_lost = rng.random() < 0.05
                score = true[place] + effect * (true[others].mean() - 5) + 0.5 * rng.normal() + 0.2 * (slot == 1)
                own["round_scores"].append(None if is_lost else round(float(score), 3))
                own["slots"].append(slot)
                own["mates"].append([f"p{one}/s/q" for one in others])
    means = [float(np.mean([one for one in own["round_scores"] if one is not None])) for own in found]
    rows = [
        {"item": place, "score": score, "slot": slot, "mates": float(np.mean([means[int(name[1:].split("/")[0])] for name in names]))}
        for place, own in enumerate(found)
        for score, slot, names in zip(own["round_scores"], own["slots"], own["mates"], strict=True)
        if score is not None
    ]  # fmt: skip
    usage = {"replies": 1, "prompt_tokens": 1, "completion_tokens": 1, "cost": None}
    records = [
        {"id": f"p{place}", "judgements": {"rate": [{
            "in": "generated.questions", "method": "batcheval", "aspect": "a", "by": "m", "system": "s", "item": "q",
            "score": means[place], "normal": None, "scale": [1, 10], "from": "rounds", "text": "0" * 16, "usage": usage,
            "seen_in_fit": False, "calls": [], "batch": {"pool": "w", **own},
        }]}}
        for place, own in enumerate(found)
    ]  # fmt: skip
    return records, rows


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("effect", [0.0, -0.5, 0.8])
def test_mates_is_a_regression_with_an_intercept_for_each_text(seed, effect):
    api = pytest.importorskip("statsmodels.formula.api")
    import pandas as pd

    records, rows = rounds(seed, effect)
    [found] = st("st-judge", "mates", input=jsonl(*records), is_described=False).records
    data = pd.DataFrame(rows)
    fitted = api.ols("score ~ mates + C(item)", data).fit()
    assert found["slope"]["value"] == pytest.approx(fitted.params["mates"])
    assert (found["n_items"], found["n_scores"]) == (data["item"].nunique(), len(data))
    apart = data["score"] - data.groupby("item")["score"].transform("mean")
    by_slot = apart.groupby(data["slot"]).mean()
    assert [one["value"] for one in found["slots"]] == pytest.approx(list(by_slot))
    # The interval leaves out one text after the other: each adds to the sums above and below what it adds by itself.
    data["around"] = data["mates"] - data.groupby("item")["mates"].transform("mean")
    sums = pd.DataFrame({"above": apart * data["around"], "below": data["around"] ** 2}).groupby(data["item"]).sum()
    whole, n = sums.sum(), len(sums)
    left = ((whole["above"] - sums["above"]) / (whole["below"] - sums["below"])).to_numpy()
    away = left - left.mean()
    error = error_of(left)
    skewness = -((n - 1) ** 2) / (n * (n - 2)) * (away**3).sum() / error**3
    low, high, _ = bent(found["slope"]["value"], error, skewness, n - 1, 0.95)
    assert [found["slope"]["low"], found["slope"]["high"]] == pytest.approx([low, high])
    assert found["interval"]["method"] == "jackknife"


def test_pools_are_drawn_alike():
    """Of six records in pools of two each pair is as likely as any other; every record is there once."""
    records = [{"id": name} for name in "abcdef"]
    together: Counter[tuple[str, ...]] = Counter()
    for seed in range(300):
        mixed = random.Random(seed).sample(records, 6)
        found = [*pools.draw_pools(mixed, 2, seed, "pool")]
        assert found == [*pools.draw_pools(records, 2, seed, "pool")] and sorted(one["id"] for one in found) == list(
            "abcdef"
        )
        drawn: dict[str, list[str]] = {}
        for one in found:
            drawn.setdefault(one["pool"], []).append(one["id"])
        assert [len(pool) for pool in drawn.values()] == [2, 2, 2]
        together.update(tuple(sorted(pool)) for pool in drawn.values())
    assert len(together) == 15 and stats.chisquare(list(together.values())).pvalue > 0.001
    assert st("st-judge", "pools", "--size", "2", "--seed", "7", input=jsonl(*records)).records == [
        *pools.draw_pools(records, 2, 7, "pool")
    ]


def test_batches_share_out_the_scores_as_a_card_game_does():
    """Of N texts in batches of B, N div B batches have every B-th of the ranks; who has no score is left for the rest."""
    for seed in range(40):
        rng = random.Random(seed)
        n, size = rng.randint(2, 30), rng.randint(2, 7)
        items = [Item("s", f"i{place}", "generated.questions", f"Why {place}?", "", "p") for place in range(n)]
        last = [None if rng.random() < 0.1 else round(rng.random(), 6) for _ in range(n)]
        how = How(seed=seed, batch_size=size)
        found = batches.compose(items, last, 1, how)
        assert sorted(itertools.chain.from_iterable(found)) == list(range(n))
        whole, rest = found[: n // size], found[n // size :]
        assert [len(one) for one in whole] == [size] * (n // size) and sum(map(len, rest)) == n % size
        n_null = last.count(None)
        assert sum(last[place] is None for one in rest for place in one) == min(n_null, n % size)
        dealt = sorted((place for one in whole for place in one), key=lambda place: -(last[place] or -1.0))
        for number, one in enumerate(whole):
            known = [place for place in one if last[place] is not None]
            assert set(known) == {place for place in dealt[number :: n // size] if last[place] is not None}
