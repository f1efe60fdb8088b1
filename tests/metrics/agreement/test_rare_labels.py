"""Intervals of alpha and kappa where one label is rare: they hold what is true of all items, or are null and say why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scholartools.metrics.agreement import intervals
from scholartools.metrics.statistics.resampling import Resampling

HOW = Resampling()
INTERVALS: dict[str, tuple[int, Callable[[list[Any]], Any]]] = {
    "alpha": (3, lambda units: intervals.alpha_interval(units, "nominal", HOW)),
    "fleiss": (3, lambda units: intervals.fleiss_interval(units, HOW)),
    "kappa": (2, lambda units: intervals.kappa_interval(*zip(*units, strict=True), HOW)),
    "mean kappa": (2, lambda units: intervals.mean_kappa_interval(units, [(0, 1)], HOW)),
}


def rated(rng: Any, n: int, n_raters: int, share: float, knows: float) -> list[list[int]]:
    """Each rates as the truth is with a probability, else by chance: chance-corrected agreement is its square."""
    truth, guesses = rng.random((n, 1)) < share, rng.random((n, n_raters)) < share
    return np.where(rng.random((n, n_raters)) < knows, truth, guesses).astype(int).tolist()


@pytest.mark.parametrize("name", INTERVALS)
def test_an_interval_of_a_rare_label_holds_the_truth(name):
    """Of one item in twenty: the jackknife alone holds it in .73 to .86 of these."""
    n_raters, interval = INTERVALS[name]
    found = [interval(rated(np.random.default_rng(seed), 50, n_raters, 0.05, 0.78)) for seed in range(300)]
    there = [one for one in found if one.low is not None]
    assert len(there) >= 60
    assert np.mean([one.low <= 0.78**2 <= one.high for one in there]) >= 0.9
    assert all(one.reason for one in found if one.low is None)


@pytest.mark.parametrize("name", INTERVALS)
@pytest.mark.parametrize("n_others", [2, 4, 5])
def test_of_fewer_than_five_items_with_another_label_there_is_no_interval(name, n_others):
    n_raters, interval = INTERVALS[name]
    units = [[0] * n_raters for _ in range(60)]
    for place in range(n_others):
        units[place][place % n_raters] = 1
    units[0] = [1] * n_raters
    found = interval(units)
    assert (found.low is None) == (n_others < 5)
    assert (found.reason or "").startswith(f"{n_others} items with a rating other") == (n_others < 5)


def test_ends_do_not_depend_on_the_order_of_items_where_several_values_are_the_rarest() -> None:
    often = [("a", "a")] * 20 + [("a", "b")] * 3 + [("b", "b"), ("a", "c"), ("d", "a")]
    rare = [("c", "c")] * 2 + [("d", "d")] * 2
    how = Resampling(method="jackknife")

    def highs(units: list[tuple[str, str]]) -> list[float | None]:
        found = [intervals.alpha_interval(units, "nominal", how), intervals.fleiss_interval(units, how)]
        return [one.high for one in (*found, intervals.kappa_interval(*map(list, zip(*units, strict=True)), how))]

    assert highs(rare + often) == pytest.approx(highs(rare[::-1] + often), abs=1e-12)
