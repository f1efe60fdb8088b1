"""Gwet's AC1 and AC2: irrCAC's values, and what sets them apart from kappa."""

from __future__ import annotations

import numpy as np
import pytest
from support.run import jsonl, st

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.agreement.coefficients import cohen_kappa
from scholartools.metrics.agreement.gwet import gwet_ac, gwet_interval
from scholartools.metrics.statistics.resampling import Resampling

# By irrCAC 0.4.3's CAC(...).gwet(), in an environment of its own (90 of 90 such tables were equal to six digits).
TABLES = [
    ([[2, 2, 1], [2, 1, 1], [None, None, 2], [1, 1, 1], [None, 1, 2], [2, 1, 1], [2, None, 2], [1, 1, 1], [2, 2, 2], [None, 1, None], [1, 2, 1], [2, 1, 2]], {'identity': 0.134001542, 'linear': 0.134001542, 'quadratic': 0.134001542}),
    ([[2, 2, 2, 2], [1, 3, 3, None], [1, 1, 1, 3], [2, 2, 2, 2], [2, 3, 3, 3], [3, 2, 3, 3], [3, 2, None, 3], [None, 1, 1, 1], [3, 3, None, 3]], {'identity': 0.5365391897, 'linear': 0.5225640081, 'quadratic': 0.5093256815}),
    ([[2, 5, 4], [4, 1, 3], [4, 1, 5], [5, None, 5], [5, 5, 5], [4, 3, 4], [5, 4, 2], [2, 5, 2], [3, 3, 3]], {'identity': 0.2702702703, 'linear': 0.2783018868, 'quadratic': 0.3101045296})
]  # fmt: skip
WEIGHTS = {"identity": None, "linear": "linear", "quadratic": "quadratic"}


@pytest.mark.parametrize(("units", "expected"), TABLES)
def test_values_of_another_package(units, expected):
    for weights, value in expected.items():
        assert gwet_ac(units, WEIGHTS[weights]).value == pytest.approx(value, abs=1e-9)
    rows = [{"item": i, "rater": r, "value": v} for i, unit in enumerate(units) for r, v in enumerate(unit)]
    for weights, value in expected.items():
        more = () if weights == "identity" else ("--weights", weights)
        [found] = st("st-agree", "gwet", *more, "--ci", input=jsonl(*rows)).records
        assert found["value"] == pytest.approx(value, abs=1e-9) and found.get("weights") == WEIGHTS[weights]
        interval = found["interval"]
        assert interval["reason"] or interval["low"] < value < interval["high"]


def test_prevalence_does_not_bring_it_down():
    """Of 100 items 96 are rated yes by both: kappa is below 0, AC1 near the share of equal ratings."""
    units = [["yes", "yes"]] * 96 + [["yes", "no"]] * 2 + [["no", "yes"]] * 2
    assert cohen_kappa(*zip(*units, strict=True)).value < 0
    assert gwet_ac(units).value == pytest.approx((0.96 - 2 * 0.02 * 0.98) / (1 - 2 * 0.02 * 0.98))


def test_the_scale_may_be_named():
    """A value that nobody gave lowers chance; one value throughout is perfect agreement on a scale of several."""
    units = [["low", "low"], ["low", "mid"], ["mid", "mid"]]
    assert gwet_ac(units, order=["low", "mid", "high"]).value > gwet_ac(units).value
    weighted = gwet_ac(units, "linear", ["low", "mid", "high"])
    assert weighted.value == gwet_ac([[0, 0], [0, 1], [1, 1]], "linear", [0, 1, 2]).value
    assert gwet_ac([["a", "a"], ["a", "a"]]).reason == "only one value occurs"
    assert gwet_ac([["a", "a"], ["a", "a"]], order=["a", "b"]).value == 1
    with pytest.raises(UsageFault):
        gwet_ac(units, "linear")
    with pytest.raises(InputFault):
        gwet_ac(units, "linear", ["low", "high"])


def test_what_stands_outside_the_scale_is_refused_without_weights_too():
    with pytest.raises(InputFault):
        gwet_ac([["a", "c"], ["a", "a"]], order=["a", "b"])


def test_distances_count_and_not_their_unit():
    units = [[1, 2], [5, 5], [1, 1], [2, 5]]
    for scale in (1e-300, 7.0, 1e300):
        scaled = [[value * scale for value in unit] for unit in units]
        assert gwet_ac(scaled, "quadratic").value == pytest.approx(gwet_ac(units, "quadratic").value)


def test_few_ratings():
    assert gwet_ac([[1, None], [None, 2]]).reason == "no item with two ratings"
    assert gwet_ac([]).reason == "fewer than two raters"


def test_intervals_hold_the_truth():
    """Three raters of 20 items right .8 of the time on two values, else by chance: AC1 of 40,000 items is the truth."""
    rng = np.random.default_rng(5)

    def draw(n: int) -> list[list[int]]:
        truth = (rng.random((n, 1)) < 0.8).astype(int)
        return np.where(rng.random((n, 3)) < 0.8, truth, rng.integers(0, 2, size=(n, 3))).tolist()

    value, held, repeats = gwet_ac(draw(40_000)).value, 0, 400
    for _ in range(repeats):
        found = gwet_interval(draw(20), Resampling())
        held += found.low is not None and found.low <= value <= found.high
    assert 0.91 <= held / repeats <= 0.985


def test_the_scale_by_command():
    rows = [
        {"item": i, "rater": r, "value": v}
        for i, unit in enumerate((["a", "a"], ["a", "b"]))
        for r, v in enumerate(unit)
    ]
    two, three = (
        st("st-agree", "gwet", *more, input=jsonl(*rows)).records[0]
        for more in (("--order", "a,b"), ("--order", "a,b,c"))
    )
    assert two["value"] < three["value"] and two["signature"] != three["signature"]
    assert st("st-agree", "gwet", "--order", "a,c", input=jsonl(*rows)).status == 1
    assert st("st-agree", "kappa", "--order", "a,b", input=jsonl(*rows)).status == 2
    assert st("st-agree", "alpha", "gwet", "--order", "a,b", input=jsonl(*rows)).status == 2
