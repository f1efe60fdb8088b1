"""Intervals of st-score end at the range that the metric of a value declares, whatever the value is called."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.everything import whole_record

from scholartools.tasks import score
from scholartools.tasks.score.registry import METRICS
from scholartools.tasks.summarize.summary import Summary

# By hand: values whose range is known, of metrics of each kind.
KNOWN = {
    ("text", "jaccard"): (0, 1), ("text", "bleu"): (0, 1), ("text", "embedding_cosine"): (-1, 1),
    ("match", "c_gt"): (0, 1), ("match", "tp"): (0, math.inf), ("match", "pairs.heading_cosine"): (-1, 1),
    ("equations", "accuracy"): (0, 1), ("equations", "caught.sign"): (0, 1), ("equations", "choice.at_A"): (0, math.inf),
    ("facets", "result.score"): (0, 1), ("soft", "precision"): (-1, 1), ("soft", "f1"): (0, 1),
    ("review", "labeling-all.f1_with_deficient"): (0, 1), ("labels", "novelty.recall"): (0, 1),
    ("labels", "agreement.mae"): (0, math.inf), ("edits", "length_ratio"): (0, math.inf),
    ("specificity", "win"): (0, 1), ("targets", "targeted.has_target.precision"): (0, 1),
}  # fmt: skip
# What names of others' values are made of: each of them is, or was, in the name of a share.
WORDS = ("accuracy", "f1", "gap", "recall", "delta", "share", "rate", "coverage", "jaccard", "rouge1", "loss", "gain")


def scored(metric: str, name: str, numbers: list[float]) -> list[dict[str, Any]]:
    values = [
        {"metric": metric, "system": "s", "values": {name: number}, "reasons": {}, "signature": "0" * 64}
        for number in numbers
    ]
    return [{"id": f"p{place}", "scores": [one]} for place, one in enumerate(values)]


def summaries(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = Summary(samples=100, confidence=0.95, seed=0)
    for record in records:
        made.add(record)
    return list(made.records(0))


def summary(metric: str, name: str, numbers: list[float]) -> dict[str, Any]:
    return summaries(scored(metric, name, numbers))[0]["values"][name]


def near_an_end(seed: int) -> list[float]:
    """Numbers of a range of 0 to 1 whose interval reaches past it, some at the lower and some at the upper end."""
    rng = random.Random(seed)
    numbers = [min(1.0, max(0.0, rng.gauss(0.05, 0.1))) for _ in range(rng.randint(4, 7))]
    numbers[0], numbers[1] = 0.0, 0.4
    return [1 - number for number in numbers] if seed % 2 else numbers


def past(numbers: list[float]) -> tuple[float, float]:
    """The further ends of Student's interval, which no interval of these is inside of."""
    half = stats.t.ppf(0.975, len(numbers) - 1) * np.std(numbers, ddof=1) / math.sqrt(len(numbers))
    return float(np.mean(numbers) - half), float(np.mean(numbers) + half)


def drawn_names(seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["accuracy_gap", *("_.-"[rng.randrange(3)].join(rng.sample(WORDS, rng.randint(1, 3))) for _ in range(4))]


@pytest.mark.parametrize("seed", range(6))
def test_a_value_that_no_metric_declares_has_no_range(seed):
    numbers = near_an_end(seed)
    low, high = past(numbers)
    assert low < 0 or high > 1
    for metric, name in product(("mine", "text", "match"), drawn_names(seed)):
        if (metric, name) in KNOWN or METRICS.get(metric) and name in METRICS[metric].ranges:
            continue
        found = summary(metric, name, numbers)
        assert found["low"] <= low + 1e-9 and found["high"] >= high - 1e-9, (metric, name)


@pytest.mark.parametrize(("metric", "name"), KNOWN)
def test_the_interval_of_a_declared_value_ends_at_its_range(metric, name):
    ends = KNOWN[metric, name]
    for seed in range(2):
        numbers = near_an_end(seed)
        free, found = summary("mine", name, numbers), summary(metric, name, numbers)
        assert [found["low"], found["high"]] == [max(free["low"], ends[0]), min(free["high"], ends[1])]
        assert found["low"] < found["mean"] < found["high"]


def test_a_number_outside_of_the_declared_range_lifts_it():
    numbers = [0.0, 0.1, 0.2, 1.5]
    assert summary("text", "jaccard", numbers) == summary("mine", "jaccard", numbers)


@pytest.mark.parametrize("metric", METRICS)
def test_an_entry_by_hand_without_the_counts_of_its_metric_is_summarised(metric):
    """It ended with a KeyError for those whose counts are summed."""
    assert summary(metric, "own", [0.1, 0.2, 0.4])["mean"] == pytest.approx(0.7 / 3)


def test_a_metric_with_a_range_of_coverage_ends_at_it(monkeypatch):
    numbers = near_an_end(1)
    declared = {**METRICS["text"].ranges, "coverage": (0.0, 1.0)}
    monkeypatch.setitem(METRICS, "text", replace(METRICS["text"], ranges=declared))
    assert summary("text", "coverage", numbers)["high"] == 1 < summary("text", "accuracy_gap", numbers)["high"]


def test_every_value_of_every_metric_is_declared_and_in_its_range():
    seen = set()
    for seed in range(4):
        for entry in score.score(whole_record(seed), list(METRICS))["scores"]:
            for name, value in entry["values"].items():
                ends = METRICS[entry["metric"]].range_of(name)
                assert ends is not None, (entry["metric"], name)
                assert value is None or ends[0] <= value <= ends[1], (entry["metric"], name, value)
            seen.add(entry["metric"])
    assert seen == METRICS.keys()


@pytest.mark.parametrize("seed", range(3))
def test_pooled_values_end_at_their_range(seed):
    """Of papers whose pooled values are near an end most intervals reached past it."""
    papers = [score.score(whole_record(10 * seed + n, f"p{n}"), list(METRICS)) for n in range(5)]
    n_ends = 0
    for one in summaries(papers):
        for name, found in (one.get("corpus") or {}).items():
            if found["low"] is None:
                continue
            is_free = name.endswith((".mae", "length_ratio", "longest")) or one["metric"] == "labels" and "." in name
            low, high = (-1, 1) if name == "position.same_gap" else (0, 1)
            n_ends += found["low"] in (low, high) or found["high"] in (low, high)
            assert is_free or low <= found["low"] <= found["value"] <= found["high"] <= high, (one["metric"], name)
    assert n_ends > 10
