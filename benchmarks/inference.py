"""Simulated coverage of intervals and type I error of tests; printed, not asserted.

The nominal values are .95 and .05. Each row is a statistic with a distribution of data, each column a number of units
(papers, items, groups). Environment variables: ``REPEATS`` (default 1000) is the number of data sets per cell,
``METHODS`` (default jackknife) names the methods, ``UNITS`` (such as "5 8") sets the numbers of units, and with
``WIDTHS`` the median half-width of the intervals replaces the shares. Arguments select rows by parts of their names.
Null intervals are excluded from the shares; their number is given in brackets if they are more than 1%.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from scholartools.metrics.agreement import coefficients, gwet, intervals
from scholartools.metrics.agreement.advantage import advantage
from scholartools.metrics.agreement.icc import intraclass_correlations, jackknife_intervals
from scholartools.metrics.agreement.rater_changes import rater_difference
from scholartools.metrics.statistics import differences as of_kinds
from scholartools.metrics.statistics import grouped, partial, prediction_powered, resampling, slopes
from scholartools.metrics.statistics.correlation import (
    correlation,
    correlation_interval,
    correlation_of_means_interval,
)
from scholartools.metrics.statistics.paired_bootstrap import paired_bootstrap
from scholartools.metrics.statistics.partial import coefficient_difference
from scholartools.metrics.statistics.permutation import Ranking, Texts, Way, crossed_test, permutation_test
from scholartools.metrics.statistics.reliability import calibration_error_interval
from scholartools.metrics.statistics.resampling import Percentiles, Resampling
from scholartools.tasks.judge.rate import mates

UNITS = tuple(map(int, os.environ.get("UNITS", "5 8 12 20 40 100").split()))
REPEATS = int(os.environ.get("REPEATS", "1000"))
METHODS = os.environ.get("METHODS", "jackknife").split(",")
WIDTHS = bool(os.environ.get("WIDTHS"))
# Base of the sample sizes from which coefficients without a formula are computed.
_MANY = 20_000
_ORDER = [0, 1, 2, 3]

Make = Callable[[Any, int, Resampling], Percentiles]


class Row(NamedTuple):
    """A simulated statistic.

    Attributes:
        name: name of the row.
        truth: true value, or a function of the number of units that returns it.
        make: function that draws data of n units and returns the interval.
        is_null: whether the null hypothesis holds, so that the share of small p values is shown.
    """

    name: str
    truth: float | Callable[[int], float]
    make: Make
    is_null: bool = False


def main() -> None:
    print(f"{'':34}" + "".join(f"{n:>16}" for n in UNITS))
    for row in ROWS:
        if sys.argv[1:] and not any(word in row.name for word in sys.argv[1:]):
            continue
        truths = {n: row.truth(n) if callable(row.truth) else row.truth for n in UNITS}
        for method in METHODS:
            cells = [simulate(row, truths[n], n, Resampling(method=method)) for n in UNITS]
            print(f"{row.name:34}{method[0]:2}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


def simulate(row: Row, truth: float, units: int, how: Resampling) -> str:
    """Coverage of the intervals and, if the null hypothesis holds, the share of p values below .05."""
    held = found = there = 0
    halves = []
    for seed in range(REPEATS):
        made = row.make(np.random.default_rng([units, seed]), units, how)
        if made.low is None and made.high is None and made.p is None:
            continue
        there += 1
        if made.low is not None and made.high is not None:
            halves.append((made.high - made.low) / 2)
        held += made.low is not None and made.low <= truth <= made.high
        found += made.p is not None and made.p < 0.05
    nulls = f"({REPEATS - there})" if there < 0.99 * REPEATS else ""
    if not there:
        return "null"
    if WIDTHS:
        return nulls + (f"{np.median(halves):.2f}" if halves else "null")
    share = f"{held / there:.3f}"
    return nulls + (f"{share} {found / there:.3f}" if row.is_null else share)


def _of(difference: Any) -> Percentiles:
    """Interval and p value of a difference."""
    ends = difference.interval
    return Percentiles(ends.low, ends.high, ends.n_drawn, 0, None, difference.p, ends.df)


# Distributions of numbers


def normal(rng: Any, n: int) -> Any:
    return rng.normal(size=n)


def ordinal(rng: Any, n: int) -> Any:
    """Differences of two ratings in 0, 1, 2, most of which are 0."""
    first, second = rng.choice(3, p=[0.7, 0.2, 0.1], size=(2, n))
    return (first - second).astype(float)


def sparse(rng: Any, n: int) -> Any:
    """Differences of which nine in ten are 0, with equal shares of 1 and -1."""
    return rng.choice([-1.0, 0.0, 1.0], p=[0.05, 0.9, 0.05], size=n)


def skewed(rng: Any, n: int) -> Any:
    return rng.exponential(size=n) - 1


def mostly_one(rng: Any, n: int) -> Any:
    """Nine in ten are 1, the others 0."""
    return (rng.random(n) < 0.9).astype(float)


def three(rng: Any, n: int) -> Any:
    return np.full(n, 3)


def single(rng: Any, n: int) -> Any:
    return np.ones(n, dtype=int)


def unequal(rng: Any, n: int) -> Any:
    return rng.integers(1, 8, size=n)


def few_levels(numbers: Any) -> Any:
    """Discretise to a skewed ordinal scale of four levels; half of the values of a standard normal are the lowest."""
    return np.searchsorted([0.0, 0.6, 1.3], numbers).astype(float)


# Means


def papers(draw: Callable[[Any, int], Any], sizes: Callable[[Any, int], Any]) -> Make:
    """Mean difference over texts in papers; the differences of a paper share a component unless ``sizes`` is single."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        size = sizes(rng, n)
        differences = draw(rng, size.sum()) + (np.repeat(draw(rng, n), size) if sizes is not single else 0.0)
        clusters = np.repeat(np.arange(n), size).tolist()
        return _of(paired_bootstrap(differences.tolist(), [0.0] * len(clusters), how, clusters))

    return make


def alone(draw: Callable[[Any, int], Any]) -> Make:
    """Mean of independent numbers, as in st-score."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        return resampling.ratio_interval(draw(rng, n).tolist(), [1.0] * n, how)

    return make


def pooled(a: float, b: float) -> Make:
    """Precision pooled over papers with 1 to 7 items, whose rates have a beta distribution."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        items = rng.integers(1, 8, size=n)
        right = rng.binomial(items, rng.beta(a, b, size=n))
        return resampling.ratio_interval(right.tolist(), items.tolist(), how)

    return make


def estimate(draw: Callable[[Any, int], Any]) -> Make:
    """Prediction-powered mean of the human score from n labelled texts and 200 texts scored only by the judge."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        people = draw(rng, n + 200)
        scores = (people + 0.7 * rng.normal(size=n + 200)).tolist()
        truth = [*people[:n].tolist(), *[None] * 200]
        weight = prediction_powered.estimate_mean(scores, truth).weight
        return prediction_powered.mean_intervals(scores, truth, weight or 0.0, how)[0]

    return make


# Correlations. Each unit is a record, or a paper with several records.


def pairs(rng: Any, n: int, shape: str, size: int, slope: float = 0.75, n_sides: int = 1) -> tuple[list[Any], Any, Any]:
    """Measures with equal correlations with y, y itself, and the papers of the records (None if ``size`` is 1).

    If ``size`` is above 1, a third of the variance of all components is shared within a paper.
    """

    def draw() -> Any:
        shared = np.repeat(rng.normal(size=n), size) if size > 1 else 0.0
        return rng.normal(size=n * size) * (np.sqrt(2 / 3) if size > 1 else 1) + np.sqrt(1 / 3) * shared

    y = draw()
    sides = [slope * y + draw() for _ in range(n_sides)]
    if shape == "ordinal":
        y, sides = few_levels(y), [few_levels(side) for side in sides]
    if shape == "skewed":
        y, sides = np.exp(y / 2), [np.exp(side / 2) for side in sides]
    return sides, y, None if size == 1 else np.repeat(np.arange(n), size).tolist()


def correlations(measure: Any, shape: str = "normal", size: int = 1, slope: float = 0.75) -> Make:
    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        (x,), y, clusters = pairs(rng, n, shape, size, slope)
        return correlation_interval(x.tolist(), y.tolist(), measure, how, clusters)

    return make


def of_population(measure: Any, shape: str) -> Callable[[int], float]:
    """True coefficient for :func:`pairs`: by formula, or from a large sample for ordinal scales."""

    @cache
    def whole() -> float:
        if shape == "ordinal":
            (x,), y, _ = pairs(np.random.default_rng(1), 10 * _MANY, shape, 1)
            return float(correlation(x.tolist(), y.tolist(), measure).value or 0.0)
        if measure == "pearson" and shape == "skewed":
            return float(np.expm1(0.75 / 4) / np.sqrt(np.expm1(0.25) * np.expm1(1.5625 / 4)))
        spearman, kendall = 6 / np.pi * np.arcsin(0.3), 2 / np.pi * np.arcsin(0.6)
        return float({"pearson": 0.6, "spearman": spearman, "kendall": kendall}[measure])

    return lambda n: whole()


def differences(measure: Any, shape: str = "normal", size: int = 1) -> Make:
    """Difference of the correlations of two measures with a third, which are equal."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        (one, other), y, clusters = pairs(rng, n, shape, size, 0.5, 2)
        return _of(coefficient_difference(one.tolist(), other.tolist(), y.tolist(), [], measure, how, clusters)[2])

    return make


@cache
def _noise_of_levels(measure: Any) -> float:
    """Amount of noise with which a measure of four levels has the same coefficient as a continuous one."""
    from scipy.optimize import brentq

    y, noise = np.random.default_rng(1).normal(size=(2, 10 * _MANY))
    wanted = correlation((0.5 * y + noise).tolist(), y.tolist(), measure).value or 0.0

    def away(share: float) -> float:
        found = correlation(few_levels(0.5 * y + share * noise).tolist(), y.tolist(), measure).value or 0.0
        return float(found - wanted)

    return float(brentq(away, 0.3, 1.0, xtol=1e-3))


def differences_of_levels(measure: Any, size: int) -> Make:
    """As :func:`differences`; the second measure has four levels and less noise, so that the coefficients are equal."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        (one, other), y, clusters = pairs(rng, n, "normal", size, 0.5, 2)
        other = few_levels(0.5 * y + _noise_of_levels(measure) * (other - 0.5 * y))
        return _of(coefficient_difference(one.tolist(), other.tolist(), y.tolist(), [], measure, how, clusters)[2])

    return make


def partials(measure: Any) -> Make:
    """Partial correlation of x and y, which depend on each other only through the control variable."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        held = rng.normal(size=n)
        x, y = (held + rng.normal(size=n) for _ in range(2))
        return partial.partial_interval(x.tolist(), y.tolist(), [held.tolist()], measure, how)

    return make


def groups(
    rng: Any, n: int, size: int, n_sides: int = 1, slope: float = 0.75
) -> tuple[list[list[float]], list[float], list[int]]:
    of = np.repeat(np.arange(n), size)
    y = rng.normal(size=n * size) + np.repeat(rng.normal(size=n), size)
    return [(slope * y + rng.normal(size=n * size)).tolist() for _ in range(n_sides)], y.tolist(), of.tolist()


def within(measure: Any, size: int) -> Make:
    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        (x,), y, of = groups(rng, n, size)
        return grouped.correlation_within_interval(grouped.correlation_within(x, y, of, measure), how)

    return make


def of_groups(measure: Any, size: int) -> Callable[[int], float]:
    @cache
    def whole() -> float:
        (x,), y, of = groups(np.random.default_rng(1), _MANY, size)
        return float(grouped.correlation_within(x, y, of, measure).value or 0.0)

    return lambda n: whole()


def within_differences(measure: Any, size: int, slope: float = 0.75) -> Make:
    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        (one, other), y, of = groups(rng, n, size, 2, slope)
        return _of(of_kinds.within_difference(one, other, y, of, measure, how)[2])

    return make


# True means of six systems by people, and by two judges with equal correlations with people.
_SYSTEMS = np.array([0.0, 0.2, 0.5, 0.7, 1.0, 1.4])
_JUDGED = np.array([[0.1, 0.4, 0.3, 0.9, 0.8, 1.2], [0.0, 0.2, 0.7, 0.5, 1.0, 1.3]])
# The same range of means, with twenty systems.
_TWENTY = np.linspace(0.0, 1.4, 20)


def system_means(measure: Any) -> Make:
    """System-level correlation with a text by each of six systems for each item; items are random, systems fixed."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        shared = rng.normal(size=(n, 1))
        y = _SYSTEMS + shared + rng.normal(size=(n, 6))
        x = _JUDGED[0] + shared + rng.normal(size=(n, 6))
        systems, items = [*range(6)] * n, np.repeat(np.arange(n), 6).tolist()
        return correlation_of_means_interval(x.ravel().tolist(), y.ravel().tolist(), systems, measure, how, items)

    return make


def _of_as_many_items(n: int) -> float:
    """Expected system-level correlation (averaged on Fisher's scale) with n items; it increases with n."""
    rng = np.random.default_rng(n)
    shared = rng.normal(size=(4000, n, 1))
    sides = [(true + shared + rng.normal(size=(4000, n, 6))).mean(axis=1) for true in (_SYSTEMS, _JUDGED[0])]
    return float(np.tanh(np.mean([np.arctanh(np.corrcoef(*pair)[0, 1]) for pair in zip(*sides, strict=True)])))


def ranked(
    coefficient: Any,
    level: Any,
    swap: str,
    *,
    of_item: float = 0.0,
    of_system: float = 0.0,
    shape: str = "",
    grouping: Any = None,
    true: Any = _SYSTEMS,
) -> Make:
    """Permutation test of two measures with equal correlations with people, for texts by several systems.

    ``true`` has the true means of the systems. Without ``grouping``, accuracy is grouped by item, and other
    coefficients are not grouped.

    Besides noise, each measure has random effects of items and systems with the standard deviations ``of_item`` and
    ``of_system``. With the shape "ordinal", the second measure has four levels and less noise, so that both have the
    same r.
    """

    inside: Any = grouping or ("item" if coefficient == "accuracy" else "none")
    k = len(true)

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        y = true + rng.normal(size=(n, 1)) + rng.normal(size=(n, k))
        sides = [
            y + of_item * rng.normal(size=(n, 1)) + of_system * rng.normal(size=k) + noise * rng.normal(size=(n, k))
            for noise in (1.2, 0.795 if shape else 1.2)
        ]
        if shape:
            sides[1] = np.searchsorted([0.6, 1.4, 2.4], sides[1]).astype(float)
        items, systems = np.repeat(np.arange(n), k).tolist(), [*range(k)] * n
        ranking = Ranking(Texts(y.ravel().tolist(), systems, items), coefficient, level, inside)
        pair = [side.ravel().tolist() for side in sides]
        of_units: dict[str, Any] = {"texts": range(k * n), "items": items, "systems": systems}
        ways = {name: Way(ranking, *pair, units) for name, units in of_units.items()}
        if level == "system" and coefficient != "soft":
            means = [side.mean(axis=0).tolist() for side in (y, *sides)]
            ways["systems"] = Way(Ranking(Texts(means[0], range(k), range(k)), coefficient), *means[1:], range(k))
        if swap == "both":
            found = crossed_test([ways["items"], ways["systems"]], ways["texts"], 500, 0)
        else:
            found = permutation_test(*ways[swap], 500, 0)
        return Percentiles(None, None, n, 0, None, found.p)

    return make


# Random effects of the measures, and the shape of the second one, by the text for the row's name.
_LIKED: dict[str, dict[str, Any]] = {
    "": {}, ", of items": {"of_item": 0.8}, ", of systems": {"of_system": 0.5},
    ", of both": {"of_item": 0.8, "of_system": 0.5}, ", one ordinal": {"shape": "ordinal"},
}  # fmt: skip


# Agreement


_SHARES = (0.6, 0.25, 0.1, 0.05)
# Probabilities of skewed ratings, by the number of values.
_RARE = {2: (0.95, 0.05), 4: (0.9, 0.06, 0.03, 0.01)}


def raters(
    rng: Any, n: int, size: int = 1, values: int = 3, n_raters: int = 3, knows: float = 0.7, *, is_rare: bool = False
) -> tuple[list[Any], Any]:
    """Ratings that equal the truth with probability ``knows`` and are random otherwise, and the papers of the items.

    With ``size`` items per paper (above 1), an item has the paper's truth with probability 1/2.
    """
    p = np.array(_RARE[values] if is_rare else _SHARES[:values])
    p /= p.sum()
    truth = rng.choice(values, p=p, size=(n * size, 1))
    if size > 1:
        of_paper = np.repeat(rng.choice(values, p=p, size=(n, 1)), size, axis=0)
        truth = np.where(rng.random((n * size, 1)) < 0.5, of_paper, truth)
    guesses = rng.choice(values, p=p, size=(n * size, n_raters))
    ratings = np.where(rng.random((n * size, n_raters)) < knows, truth, guesses)
    return ratings.tolist(), None if size == 1 else np.repeat(np.arange(n), size).tolist()


_AGREEMENT: dict[str, tuple[Callable[..., Any], Callable[..., Percentiles]]] = {
    "alpha": (
        lambda units: coefficients.alpha(units, "nominal"),
        lambda units, how, clusters: intervals.alpha_interval(units, "nominal", how, clusters),
    ),
    "alpha ordinal": (
        lambda units: coefficients.alpha(units, "ordinal"),
        lambda units, how, clusters: intervals.alpha_interval(units, "ordinal", how, clusters),
    ),
    "kappa": (
        lambda units: coefficients.cohen_kappa(*_two(units)),
        lambda units, how, clusters: intervals.kappa_interval(*_two(units), how, clusters),
    ),
    "kappa linear": (
        lambda units: coefficients.cohen_kappa(*_two(units), "linear", _ORDER),
        lambda units, how, clusters: intervals.kappa_interval(*_two(units), how, clusters, "linear", _ORDER),
    ),
    "kappa quadratic": (
        lambda units: coefficients.cohen_kappa(*_two(units), "quadratic", _ORDER),
        lambda units, how, clusters: intervals.kappa_interval(*_two(units), how, clusters, "quadratic", _ORDER),
    ),
    "mean kappa": (
        lambda units: coefficients.cohen_kappa(*_two(units)),
        lambda units, how, clusters: intervals.mean_kappa_interval(units, _defined(units), how, clusters),
    ),
    "agreement": (coefficients.percent_agreement, intervals.percent_interval),
    "perfect": (coefficients.perfect_agreement, intervals.perfect_interval),
    "fleiss": (coefficients.fleiss_kappa, intervals.fleiss_interval),
    "gwet": (
        lambda units: gwet.gwet_ac(units, None, _ORDER),
        lambda units, how, clusters: gwet.gwet_interval(units, how, clusters, None, _ORDER),
    ),
}


def _two(units: list[Any]) -> list[Any]:
    return [[unit[0] for unit in units], [unit[1] for unit in units]]


def _defined(units: list[Any]) -> list[tuple[int, int]]:
    columns = [*zip(*units, strict=True)]
    return [
        (a, b)
        for a, b in combinations(range(len(columns)), 2)
        if coefficients.cohen_kappa(columns[a], columns[b]).value is not None
    ]


def agreement(name: str, size: int = 1, knows: float = 0.7, *, is_rare: bool = False) -> Row:
    values = 4 if name in ("alpha ordinal", "kappa linear", "kappa quadratic", "gwet") else 2 if is_rare else 3
    value, interval = _AGREEMENT[name]

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        units, clusters = raters(rng, n, size, values, knows=knows, is_rare=is_rare)
        return interval(units, how, clusters) if value(units).value is not None else Percentiles(None, None, 0, 0)

    @cache
    def whole() -> float:
        many = 10 * _MANY if is_rare else _MANY
        made, _ = raters(np.random.default_rng(1), many, 1, values, knows=knows, is_rare=is_rare)
        return float(value(made).value)

    of = (", papers" if size > 1 else "") + (", hardly better than chance" if knows < 0.5 else "")
    of += ", rare" if is_rare else ""
    return Row(f"{name}{of}", lambda n: whole(), make)


def without(coefficient: Any, size: int = 1) -> Make:
    """Difference of a coefficient without one of four raters, which is zero since the raters are alike."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        units, clusters = raters(rng, n, size, 3, 4)
        return _of(rater_difference(coefficient, units, 3, how, clusters))

    return make


#: Scales of ratings; of "mostly lowest", four levels, 76% of the ratings are at the lowest.
_RATED: dict[str, Callable[[Any], Any]] = {
    "normal": lambda ratings: ratings,
    "ordinal": few_levels,
    "mostly lowest": lambda ratings: np.digitize(ratings, [1, 2, 3]),
}


def icc(form: int, shape: str, is_f: bool = True) -> Make:
    """Intraclass correlation of ratings of which half of the variance is between items."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        ratings = rng.normal(size=(n, 1)) + rng.normal(size=(n, 3))
        rows = _RATED[shape](ratings).tolist()
        if not is_f:
            return jackknife_intervals(rows, how)[form]
        found = intraclass_correlations(rows)[form]
        return Percentiles(found.low, found.high, n, 0)

    return make


def of_ratings(form: int, shape: str = "ordinal") -> Callable[[int], float]:
    @cache
    def whole() -> float:
        rng = np.random.default_rng(1)
        ratings = _RATED[shape](rng.normal(size=(_MANY * 5, 1)) + rng.normal(size=(_MANY * 5, 3)))
        return float(intraclass_correlations(ratings.tolist())[form].value or 0.0)

    return lambda n: whole()


def stand_in(size: int) -> Make:
    """The test of alt-test for a judge exactly at the margin; it is one-sided, so a share of .05 is significant."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        person, judge, other = np.zeros(n * size), np.zeros(n * size), np.zeros(n * size)
        nearer = rng.random(n * size) if size == 1 else np.repeat(rng.random(n), size)
        judge[nearer < 0.4] = 1
        person[nearer > 0.8] = 1
        clusters = None if size == 1 else np.repeat(np.arange(n), size).tolist()
        others = other[:, None].tolist()
        found = advantage(judge.tolist(), person.tolist(), others, 0.2, clusters=clusters, least=2)
        return Percentiles(None, None, n, 0, None, found.p)

    return make


# Judges


def slope(draw: Callable[[Any, int], Any], size: int = 1) -> Make:
    """Slope of a score on a property, given three human levels; the score does not depend on the property."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        of, truth = draw(rng, n * size), rng.integers(0, 3, size=n * size)
        scores = truth + rng.normal(size=n * size)
        clusters = None
        if size > 1:
            clusters = np.repeat(np.arange(n), size).tolist()
            scores = scores + np.repeat(rng.normal(size=n), size)
        columns = [side.astype(float).tolist() for side in (scores, of, truth)]
        if slopes.slope_given_levels(*columns).value is None:
            return Percentiles(None, None, 0, 0)
        return slopes.slope_interval(*columns, how, clusters)

    return make


def said(rng: Any, n: int, slope: float) -> tuple[Any, Any]:
    """Predicted probabilities, and true ones, whose log odds are the predicted ones times ``slope``."""
    p = rng.beta(2, 2, n)
    return p, 1 / (1 + np.exp(-slope * np.log(p / (1 - p))))


def calibration(slope: float, size: int = 1) -> Make:
    """Expected calibration error in ten bins; if ``size`` is above 1, half of a paper's outcomes are coupled."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        p, true = said(rng, n * size, slope)
        luck = np.where(rng.random(n * size) < 0.5 * (size > 1), np.repeat(rng.random(n), size), rng.random(n * size))
        clusters = None if size == 1 else np.repeat(np.arange(n), size).tolist()
        found = calibration_error_interval(p.tolist(), (luck < true).astype(float).tolist(), 10, how, clusters)
        if found.low is None or found.high is None:
            return Percentiles(None, None, 0, 0)
        return Percentiles(found.low, found.high, n, 0, None, found.p)

    return make


def of_bins(slope: float) -> Callable[[int], float]:
    @cache
    def whole() -> float:
        p, true = said(np.random.default_rng(1), 10 * _MANY, slope)
        return float(np.abs(np.bincount((10 * p).astype(int), true - p)).sum() / len(p))

    return lambda n: whole()


def rare(rng: Any, n: int) -> Any:
    """A binary property of one text in ten."""
    return (rng.random(n) < 0.1).astype(float)


def batches(effect: float) -> Make:
    """Slope of scores on the mean of the batch mates, truly ``effect``, in four rounds of random batches of four."""

    def make(rng: Any, n: int, how: Resampling) -> Percentiles:
        true = rng.normal(size=n)
        items: dict[str, list[Any]] = {str(place): [] for place in range(n)}
        for _ in range(4):
            order = rng.permutation(n)
            for start in range(0, n, 4):
                batch = order[start : start + 4].tolist()
                for slot, place in enumerate(batch):
                    others = [one for one in batch if one != place]
                    company = float(np.mean(true[others])) if others else 0.0
                    score = true[place] + effect * company + 0.5 * rng.normal()
                    items[str(place)].append(mates._Placement(float(score), slot, [*map(str, others)]))
        found = mates.describe_batch_effects(items, how)["slope"]
        return Percentiles(found["low"], found["high"], n, 0)

    return make


MEASURES = ("pearson", "spearman", "kendall")
# Only Pearson's r needs skewed numbers: their ranks are those of normal ones.
_SHAPED = [*((m, shape) for m in MEASURES for shape in ("", ", ordinal")), ("pearson", ", skewed")]
ROWS = (
    Row("difference, normal", 0.0, papers(normal, three), is_null=True),
    Row("difference, ordinal", 0.0, papers(ordinal, three), is_null=True),
    Row("difference, skewed", 0.0, papers(skewed, three), is_null=True),
    Row("difference, unequal papers", 0.0, papers(normal, unequal), is_null=True),
    Row("difference, sparse", 0.0, papers(sparse, single), is_null=True),
    Row("mean, normal", 0.0, alone(normal)),
    Row("mean, skewed", 0.0, alone(skewed)),
    Row("mean, .9 of all are 1", 0.9, alone(mostly_one)),
    Row("pooled ratio .6", 0.6, pooled(3, 2)),
    Row("pooled ratio .9", 0.9, pooled(9, 1)),
    Row("estimated mean", 0.0, estimate(normal)),
    Row("estimated mean, skewed", 0.0, estimate(skewed)),
    Row("estimated mean, .9 of all are 1", 0.9, estimate(mostly_one)),
    *(
        Row(f"{m}{shape}{of}", of_population(m, shape.strip(", ")), correlations(m, shape.strip(", "), size))
        for m, shape in _SHAPED
        for size, of in ((1, ""), (3, ", papers"))
    ),
    *(Row(f"{m} of 0", 0.0, correlations(m, "normal", 1, 0.0), is_null=True) for m in MEASURES),
    *(Row(f"{m} of 0, ordinal", 0.0, correlations(m, "ordinal", 1, 0.0), is_null=True) for m in MEASURES),
    *(
        Row(f"difference of {m}{shape}{of}", 0.0, differences(m, shape.strip(", "), size), is_null=True)
        for m, shape in _SHAPED
        for size, of in ((1, ""), (3, ", papers"))
    ),
    *(
        Row(f"difference of {m}, one of four levels{of}", 0.0, differences_of_levels(m, size), is_null=True)
        for m in MEASURES[:2]
        for size, of in ((1, ""), (3, ", papers"))
    ),
    *(Row(f"partial {m} of 0", 0.0, partials(m), is_null=True) for m in MEASURES[:1]),
    *(Row(f"within groups of {k}, {m}", of_groups(m, k), within(m, k)) for k in (3, 8) for m in MEASURES),
    *(
        Row(f"difference within {k}, {m}", 0.0, within_differences(m, k), is_null=True)
        for k in (3, 8)
        for m in MEASURES
    ),
    Row("difference within 3, near 1", 0.0, within_differences("pearson", 3, 3.0), is_null=True),
    Row("of 6 systems' means, pearson", _of_as_many_items, system_means("pearson")),
    *(
        Row(f"rank {name}{of}, {swap}", 0.0, ranked(coefficient, level, swap, **effects), is_null=True)
        for name, coefficient, level, swaps in (
            ("accuracy", "accuracy", "segment", ("texts", "items", "systems")),
            ("r", "pearson", "segment", ("texts", "items", "systems", "both")),
            ("systems r", "pearson", "system", ("texts", "systems")),
            ("systems soft", "soft", "system", ("texts", "systems")),
        )
        for swap in swaps
        for of, effects in _LIKED.items()
    ),
    *(
        Row(f"rank 20 systems r{of}", 0.0, ranked("pearson", "segment", "both", true=_TWENTY, **effects), is_null=True)
        for of, effects in _LIKED.items()
    ),
    *(
        Row(f"rank r by system{of}, {swap}", 0.0, make, is_null=True)
        for swap in ("texts", "items")
        for of, effects in _LIKED.items()
        for make in [ranked("pearson", "segment", swap, grouping="system", **effects)]
    ),
    *(agreement(name) for name in _AGREEMENT),
    *(agreement(name, 3) for name in _AGREEMENT),
    *(agreement("kappa quadratic", size, 0.4) for size in (1, 3)),
    *(agreement(name, size, is_rare=True) for name in _AGREEMENT if name != "perfect" for size in (1, 3)),
    Row("alpha less without", 0.0, without("alpha"), is_null=True),
    Row("alpha less without, papers", 0.0, without("alpha", 3), is_null=True),
    Row("agreement less without", 0.0, without("agreement"), is_null=True),
    Row("icc 1, normal", 0.5, icc(0, "normal")),
    Row("icc 2, normal", 0.5, icc(1, "normal")),
    Row("icc 3, normal", 0.5, icc(2, "normal")),
    Row("icc 2, ordinal", of_ratings(1), icc(1, "ordinal")),
    Row("icc 2, normal, jackknife", 0.5, icc(1, "normal", is_f=False)),
    Row("icc 2, ordinal, jackknife", of_ratings(1), icc(1, "ordinal", is_f=False)),
    Row("icc 2, mostly lowest", of_ratings(1, "mostly lowest"), icc(1, "mostly lowest")),
    Row("icc 2, mostly lowest, jackknife", of_ratings(1, "mostly lowest"), icc(1, "mostly lowest", is_f=False)),
    Row("alt-test", 0.0, stand_in(1), is_null=True),
    Row("alt-test, papers", 0.0, stand_in(3), is_null=True),
    *(
        Row(f"calibration error{of}, {name}", of_bins(slope), calibration(slope, size), is_null=slope == 1)
        for slope, name in ((1.0, "calibrated"), (0.4, "overconfident"))
        for size, of in ((1, ""), (3, " papers"))
    ),
    Row("bias, normal", 0.0, slope(normal), is_null=True),
    Row("bias, papers", 0.0, slope(normal, 3), is_null=True),
    Row("bias, rare property", 0.0, slope(rare), is_null=True),
    Row("bias, rare property, papers", 0.0, slope(rare, 3), is_null=True),
    Row("bias, long tail", 0.0, slope(lambda rng, n: np.exp(rng.normal(size=n))), is_null=True),
    Row("bias, two with it", 0.0, slope(lambda rng, n: (np.arange(n) < 2) * 1.0), is_null=True),
    Row("bias, property of papers", 0.0, slope(lambda rng, n: np.repeat(rng.normal(size=n // 3), 3), 3), is_null=True),
    Row("mates, 0", 0.0, batches(0.0), is_null=True),
    Row("mates, .5", 0.5, batches(0.5)),
)  # fmt: skip

if __name__ == "__main__":
    main()
