"""What one rater makes of a coefficient: permutation tests against every permutation, and by simulation."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from support.run import jsonl, st

from scholartools.metrics.agreement import coefficients
from scholartools.metrics.agreement.rater_changes import rater_difference
from scholartools.metrics.statistics.resampling import Resampling

HOW = Resampling()


def alpha(units):
    return coefficients.alpha(units, "nominal").value


def without(unit, rater):
    return [value for place, value in enumerate(unit) if place != rater]


def drawn(seed, n, missing=0.0, n_raters=3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, size=(n, 1))
    ratings = np.where(rng.random((n, n_raters)) < 0.6, truth, rng.integers(0, 3, size=(n, n_raters)))
    gone = rng.random((n, n_raters)) < missing
    return [[None if g else int(v) for v, g in zip(*row, strict=True)] for row in zip(ratings, gone, strict=True)]


def exact_p(units, rater, clusters):
    """The share of all ways to leave out another rater in the same place, of items or of clusters."""
    there = [tuple(place for place, value in enumerate(unit) if value is not None) for unit in units]
    groups = list(dict.fromkeys(zip(clusters, there, strict=True)))
    ways = [of if rater in of else (None,) for _, of in groups]
    value = abs(alpha(units) - alpha([without(unit, rater) for unit in units]))
    found = []
    for chosen in product(*ways):
        left = dict(zip(groups, chosen, strict=True))
        rest = [without(u, left[key]) for u, key in zip(units, zip(clusters, there, strict=True), strict=True)]
        one = alpha(rest)
        found.append(one is None or abs(alpha(units) - one) >= value - 1e-12)
    return sum(found) / len(found)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("missing", "size"), [(0.0, 1), (0.25, 1), (0.25, 3)])
def test_p_is_the_share_of_all_permutations(seed, missing, size):
    units = [unit for unit in drawn(seed, 7 if size == 1 else 9, missing) if sum(v is not None for v in unit) > 1]
    clusters = [place // size for place in range(len(units))]
    found = rater_difference("alpha", units, 1, HOW, clusters if size > 1 else None)
    assert found.value == pytest.approx(alpha(units) - alpha([without(unit, 1) for unit in units]))
    expected = exact_p(units, 1, clusters)
    assert found.p == pytest.approx(expected, abs=4 * (expected * (1 - expected) / 2000) ** 0.5 + 0.002)


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", ["alpha", "agreement", "perfect", "fleiss"])
def test_a_rater_like_the_others_is_found_to_differ_in_one_of_twenty(coefficient):
    """Seeds are fixed; .02 and .085 are over three standard errors of 300 away from .05 or from the discrete .04."""
    found = [rater_difference(coefficient, drawn([5, seed], 10, n_raters=4), 3, HOW).p for seed in range(300)]
    assert 0.01 <= sum(p <= 0.05 for p in found if p is not None) / len(found) <= 0.085


def test_a_rater_who_guesses_is_found():
    units = [[*unit[:3], int(np.random.default_rng(place).integers(0, 3))] for place, unit in enumerate(drawn(1, 40))]
    found = rater_difference("alpha", units, 3, HOW)
    assert found.p < 0.01 and found.value < 0 and found.interval.high < 0


def test_few_items_have_p_and_no_interval():
    found = rater_difference("alpha", drawn(2, 12), 2, HOW)
    assert found.interval.low is None and found.p is not None
    assert found.reason == "12 items, fewer than the 40 that an interval of what one rater changes needs: see p"


def test_items_that_one_rated_change_nothing():
    units = drawn(3, 24, 0.2)
    padded = [*units, [1, None, None], [None, None, None]]
    assert rater_difference("alpha", padded, 0, HOW) == rater_difference("alpha", units, 0, HOW)


def rows(units, value=lambda rating: rating):
    return [
        {"item": place, "rater": f"r{rater}", "value": value(rating)}
        for place, unit in enumerate(units)
        for rater, rating in enumerate(unit)
    ]


def test_from_outside():
    done = st("st-agree", "alpha", "--ci", "--without", "r2", "--table", input=jsonl(*rows(drawn(2, 14))))
    table = done.out.decode()
    assert "[p of a difference without a rater: permutation of raters]" in table
    assert "no interval of the difference: 14 items, fewer than the 40" in table
    assert table.count("[some intervals are of fewer than 20 items or clusters") == 1
    assert (
        "fewer than 20" not in st("st-agree", "alpha", "--ci", "--table", input=jsonl(*rows(drawn(2, 30)))).out.decode()
    )


def test_of_spans_from_outside():
    """Of one marked text each, F1 by equality is the share of pairs of raters who marked the same."""
    units = drawn(4, 45, n_raters=4)
    line = ("st-agree", "spans", "--ci", "--without", "r3")
    done = st(*line, input=jsonl(*rows(units, lambda rating: [f"text {rating}" * 3])))
    entry = next(e for e in map(json.loads, done.out.splitlines()) if e.get("without") and e["measure"] == "exact")
    expected = rater_difference("agreement", units, 3, HOW)
    assert entry["difference"]["value"] == pytest.approx(expected.value)
    assert entry["difference"]["p"] == pytest.approx(expected.p)
    assert (entry["difference"]["low"], entry["difference"]["high"]) == pytest.approx(
        (expected.interval.low, expected.interval.high)
    )


def test_of_few_items_a_coefficient_beyond_chance_has_no_interval():
    found = json.loads(st("st-agree", "alpha", "--ci", input=jsonl(*rows(drawn(2, 13)))).out)
    assert found["interval"]["low"] is None
    assert found["interval"]["reason"] == "13 items with two or more ratings; an interval needs 14"
    assert json.loads(st("st-agree", "alpha", "--ci", input=jsonl(*rows(drawn(2, 14)))).out)["interval"]["low"]
