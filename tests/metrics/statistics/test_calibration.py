"""Probabilities: fits beside scikit-learn's, calibration errors beside sources that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from support.run import jsonl, st

from scholartools.metrics.statistics.calibration import fit_isotonic, fit_platt, log_odds
from scholartools.metrics.statistics.reliability import calibration_error_interval, reliability
from scholartools.metrics.statistics.resampling import Resampling

PAIRS = some.lists(some.tuples(some.integers(-4, 4), some.integers(0, 1)), min_size=2, max_size=14)


@given(PAIRS)
def test_isotonic_maps_are_those_of_scikit_learn(pairs):
    scores, outcomes = ([float(one) for one in side] for side in zip(*pairs, strict=True))
    fitted = fit_isotonic(scores, outcomes)
    if len(set(outcomes)) == 1:
        assert fitted is None
        return
    expected = IsotonicRegression(out_of_bounds="clip").fit(scores, outcomes)
    at = [-9.0, 9.0, *np.linspace(-4, 4, 33)]
    assert [fitted.at(one) for one in at] == pytest.approx(expected.predict(at).tolist(), abs=1e-9)


@pytest.mark.slow
@given(PAIRS)
def test_sigmoids_are_those_of_scikit_learn(pairs):
    scores, outcomes = ([float(one) for one in side] for side in zip(*pairs, strict=True))
    fitted = fit_platt(scores, outcomes)
    if len(set(outcomes)) == 1 or len(set(scores)) == 1:
        assert fitted is None
        return
    expected = _SigmoidCalibration().fit(np.array(scores), np.array(outcomes))
    assert [fitted.at(one) for one in scores] == pytest.approx(expected.predict(np.array(scores)).tolist(), abs=2e-3)


def test_a_sigmoid_finds_the_source():
    rng = np.random.default_rng(1)
    z = rng.normal(size=40_000)
    came = rng.random(40_000) < 1 / (1 + np.exp(-(0.5 * z - 0.8)))
    fitted = fit_platt(z.tolist(), came.astype(float).tolist())
    assert (fitted.slope, fitted.intercept) == (pytest.approx(0.5, abs=0.04), pytest.approx(-0.8, abs=0.04))


def source(rng, n, slope, size=1):
    """Probabilities, and outcomes whose log odds are theirs times a slope; those of a paper share half of their luck."""
    p = rng.beta(2, 2, n * size)
    true = 1 / (1 + np.exp(-slope * np.log(p / (1 - p))))
    luck = rng.random(n * size)
    if size > 1:
        luck = np.where(rng.random(n * size) < 0.5, np.repeat(rng.random(n), size), luck)
    return p, (luck < true).astype(float), true


def error_of_source(slope, n_bins):
    p, _, true = source(np.random.default_rng(1), 100_000, slope)
    bins = np.minimum((p * n_bins).astype(int), n_bins - 1)
    return float(np.abs(np.bincount(bins, true - p)).sum()) / len(p)


@pytest.mark.slow
@pytest.mark.parametrize(("slope", "n", "size"), [(1.0, 20, 1), (0.4, 40, 1), (0.4, 40, 3), (0.4, 100, 1)])
def test_intervals_of_the_calibration_error_hold_the_source(slope, n, size):
    truth, held, corrected, plain = error_of_source(slope, 10), 0, [], []
    for seed in range(80):
        p, came, _ = source(np.random.default_rng([n, seed]), n, slope, size)
        clusters = None if size == 1 else np.repeat(np.arange(n), size).tolist()
        found = calibration_error_interval(p.tolist(), came.tolist(), 10, Resampling(), clusters)
        held += found.low is None or found.low - 1e-9 <= truth <= found.high
        corrected.append(found.corrected)
        plain.append(reliability(p.tolist(), came.tolist(), 10, Resampling()).value)
    assert held >= 71  # .95 of 80, less 2.6 standard errors
    assert abs(np.mean(corrected) - truth) < 0.5 * abs(np.mean(plain) - truth)


def test_errors_without_an_interval_say_why():
    few = calibration_error_interval([0.2, 0.8, 0.5], [0, 1, 1], 10, Resampling())
    assert (few.low, few.reason) == (None, "fewer than five independent units")
    papers = calibration_error_interval([0.2, 0.8] * 6, [0, 1] * 6, 10, Resampling(), [*"aabbcc"] * 2)
    assert papers.reason == "fewer than five independent units"
    exact = calibration_error_interval([0.0, 1.0] * 6, [0, 1] * 6, 10, Resampling())
    assert exact.low is None and "smaller than what chance gives" in exact.reason
    assert log_odds(0) == pytest.approx(-log_odds(1))


def records(n=90, slope=0.4):
    rng = np.random.default_rng(2)
    p, came, _ = source(rng, n, slope)
    rows = zip(p.tolist(), came.tolist(), strict=True)
    return [
        {"item": i, "paper": i // 3, "p": one, "lp": float(np.log(one)), "valid": two}
        for i, (one, two) in enumerate(rows)
    ]


ASKED = ("st-agree", "calibrate", "--y", "valid", "--item", "item", "--group", "paper")


def test_no_item_knows_its_own_paper():
    made = records()
    before = {one["item"]: one for one in st(*ASKED, "--x", "p", input=jsonl(*made)).records}
    for one in made[:3]:  # of one paper
        one["valid"] = 1 - one["valid"]
    after = {one["item"]: one for one in st(*ASKED, "--x", "p", input=jsonl(*made[::-1])).records}
    assert [before[i]["value"] for i in range(3)] == [after[i]["value"] for i in range(3)]
    assert [before[i]["value"] for i in range(90)] != [after[i]["value"] for i in range(90)]
    assert {before[i]["fold"] for i in range(3)} == {before[0]["fold"]}


def test_log_probabilities_are_probabilities():
    by_p = st(*ASKED, "--x", "p", input=jsonl(*records())).records
    by_log = st(*ASKED, "--x", "lp", "--scale", "logprob", input=jsonl(*records())).records
    values = [{one["item"]: one["value"] for one in made} for made in (by_p, by_log)]
    assert values[0] == pytest.approx(values[1])


def test_a_fit_makes_overconfident_probabilities_better():
    before, after = st(*ASKED, "--x", "p", "--summary", input=jsonl(*records(600, 0.3))).records
    assert before["p"] < 0.01 < after["p"]
    assert after["gain"]["interval"]["low"] > 0
    [only] = st(*ASKED, "--x", "p", "--scale", "score", "--summary", input=jsonl(*records())).records
    assert (only["of"], only["gain"]) == ("after", None)


@pytest.mark.parametrize(
    ("change", "more", "words"),
    [({"p": 1.2}, [], "1.2 is not a probability"), ({"p": 0.1}, ["--scale", "logprob"], "0.1 is not the logarithm of a probability"),
     ({"valid": 2}, [], "2 is not an outcome")],
)  # fmt: skip
def test_what_is_no_probability_is_refused(change, more, words):
    made = st(*ASKED, "--x", "p", *more, input=jsonl({**records()[0], **change}, *([] if more else records()[1:])))
    assert made.status == 2
    assert words in made.err


def test_one_outcome_alone_is_no_fit():
    made = st(*ASKED, "--x", "p", input=jsonl(*({**one, "valid": 1} for one in records(12)))).records
    assert {one["value"] for one in made} == {None}
    assert {one["reason"] for one in made} == {"the other parts have one outcome, or one score, alone"}
