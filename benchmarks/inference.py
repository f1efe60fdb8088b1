"""How often intervals hold the truth, and how often tests find what is not there: simulations, printed, never asserted.

Nominal are .95 and .05. Each row is a statistic and a shape of data, each column a number of units (papers, items) and
a method; ``REPEATS`` in the environment (default 1000) is how many data sets are drawn for each. A null interval counts
for neither share; how many there were stands in brackets where they are more than one in a hundred.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from scholartools.metrics.agreement.intervals import alpha_interval, kappa_interval
from scholartools.metrics.statistics import prediction_powered, resampling
from scholartools.metrics.statistics.correlation import correlation_interval
from scholartools.metrics.statistics.paired_bootstrap import paired_bootstrap
from scholartools.metrics.statistics.partial import coefficient_difference
from scholartools.metrics.statistics.resampling import METHODS, Resampling

UNITS = (5, 8, 12, 20, 40, 100)
REPEATS = int(os.environ.get("REPEATS", "1000"))


class Made(NamedTuple):
    """An interval and the p of no effect."""

    low: float | None
    high: float | None
    p: float | None


class Row(NamedTuple):
    """What is simulated: ``make`` draws data of n units and gives the interval; ``null`` where there is no effect."""

    name: str
    truth: float
    make: Callable[[Any, int, Resampling], Made]
    is_null: bool = False


def main() -> None:
    print(f"{'':34}" + "".join(f"{n:>16}" for n in UNITS))
    for row in ROWS:
        for method in METHODS:
            cells = [simulate(row, n, Resampling(method=method)) for n in UNITS]
            print(f"{row.name:23}{method:11}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


def simulate(row: Row, units: int, how: Resampling) -> str:
    """The share of intervals that hold the truth, and of p below .05 where there is no effect."""
    held = found = there = 0
    for seed in range(REPEATS):
        made = row.make(np.random.default_rng([units, seed]), units, how)
        if made.low is not None and made.high is not None:
            there += 1
            held += made.low <= row.truth <= made.high
            found += made.p is not None and made.p < 0.05
    nulls = f"({REPEATS - there})" if there < 0.99 * REPEATS else ""
    if not there:
        return "null"
    share = f"{held / there:.3f}"
    return nulls + (f"{share} {found / there:.3f}" if row.is_null else share)


def papers(draw: Callable[[Any, int], Any], sizes: Callable[[Any, int], Any]) -> Callable[[Any, int, Resampling], Made]:
    """The mean difference of texts in papers, which share a part of their difference."""

    def make(rng: Any, n: int, how: Resampling) -> Made:
        size = sizes(rng, n)
        differences = np.repeat(draw(rng, n), size) + draw(rng, size.sum())
        clusters = np.repeat(np.arange(n), size).tolist()
        found = paired_bootstrap(differences.tolist(), [0.0] * len(clusters), how, clusters)
        return Made(found.interval.low, found.interval.high, found.p)

    return make


def normal(rng: Any, n: int) -> Any:
    return rng.normal(size=n)


def ordinal(rng: Any, n: int) -> Any:
    """Differences of two ratings of 0, 1, 2, of which most are 0."""
    first, second = rng.choice(3, p=[0.7, 0.2, 0.1], size=(2, n))
    return (first - second).astype(float)


def skewed(rng: Any, n: int) -> Any:
    return rng.exponential(size=n) - 1


def three(rng: Any, n: int) -> Any:
    return np.full(n, 3)


def unequal(rng: Any, n: int) -> Any:
    return rng.integers(1, 8, size=n)


def correlations(measure: Any) -> Callable[[Any, int, Resampling], Made]:
    def make(rng: Any, n: int, how: Resampling) -> Made:
        x = rng.normal(size=n)
        found = correlation_interval(x.tolist(), (0.75 * x + rng.normal(size=n)).tolist(), measure, how)
        return Made(found.low, found.high, found.p)

    return make


def differences(measure: Any) -> Callable[[Any, int, Resampling], Made]:
    """Two measures that go equally far with a third."""

    def make(rng: Any, n: int, how: Resampling) -> Made:
        y = rng.normal(size=n)
        one, other = ((y / 2 + rng.normal(size=n)).tolist() for _ in range(2))
        found = coefficient_difference(one, other, y.tolist(), [], measure, how)[2]
        return Made(found.interval.low, found.interval.high, found.p)

    return make


def kappa(rng: Any, n: int, how: Resampling) -> Made:
    first = rng.integers(0, 3, size=n)
    second = np.where(rng.random(n) < 0.7, first, rng.integers(0, 3, size=n))
    found = kappa_interval(first.tolist(), second.tolist(), how)
    return Made(found.low, found.high, None)


def alpha(rng: Any, n: int, how: Resampling) -> Made:
    truth = rng.integers(0, 3, size=(n, 1))
    ratings = np.where(rng.random((n, 3)) < 0.7, truth, rng.integers(0, 3, size=(n, 3)))
    found = alpha_interval(ratings.tolist(), "nominal", how)
    return Made(found.low, found.high, None)


def pooled(rng: Any, n: int, how: Resampling) -> Made:
    """A precision pooled over papers of 1 to 7 items, with a rate of their own each."""
    items = rng.integers(1, 8, size=n)
    right = rng.binomial(items, rng.beta(3, 2, size=n))
    found = resampling.ratio_interval(right.tolist(), items.tolist(), how)
    return Made(found.low, found.high, None)


def estimate(rng: Any, n: int, how: Resampling) -> Made:
    """People's mean of n labels beside 200 texts that the judge alone scored."""
    people = rng.normal(size=n + 200)
    scores = (people + 0.7 * rng.normal(size=n + 200)).tolist()
    truth = [*people[:n].tolist(), *[None] * 200]
    weight = prediction_powered.estimate_mean(scores, truth).weight
    found = prediction_powered.mean_intervals(scores, truth, weight or 0.0, how)[0]
    return Made(found.low, found.high, None)


ROWS = (
    Row("difference, normal", 0.0, papers(normal, three), is_null=True),
    Row("difference, ordinal", 0.0, papers(ordinal, three), is_null=True),
    Row("difference, skewed", 0.0, papers(skewed, three), is_null=True),
    Row("difference, unequal", 0.0, papers(normal, unequal), is_null=True),
    Row("pooled ratio", 0.6, pooled),
    Row("Pearson's r .6", 0.6, correlations("pearson")),
    Row("Spearman's rho .582", 6 / np.pi * np.arcsin(0.3), correlations("spearman")),
    Row("difference of r", 0.0, differences("pearson"), is_null=True),
    Row("difference of rho", 0.0, differences("spearman"), is_null=True),
    Row("kappa .7", 0.7, kappa),
    Row("alpha .49, 3 raters", 0.49, alpha),
    Row("estimated mean", 0.0, estimate),
)

if __name__ == "__main__":
    main()
