"""Intraclass correlations: share of the variance of ratings due to the items, with F and jackknife intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling, Statistic

#: Forms of Shrout and Fleiss: other random raters for each item (1), the same random raters for all items (2), these
#: raters only (3); for one rating (1), or for the mean of all k (k).
FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")

#: Minimum number of items, or clusters, for a jackknife.
FEWEST = 8


@dataclass(frozen=True)
class Correlation:
    """An intraclass correlation.

    Attributes:
        form: one of :data:`FORMS`.
        value: at most 1, None if undefined.
        f: F statistic of the null hypothesis that items do not differ, None if nothing varies within them.
        df: degrees of freedom of F.
        p: one-sided p of F.
        low: lower end of the F interval, None if there is none.
        high: upper end.
        reason: why there is no value or no interval, else None.
    """

    form: str
    value: float | None
    f: float | None = None
    df: tuple[int, int] | None = None
    p: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


class _Squares(NamedTuple):
    """Mean squares of items x raters: between items, within items, between raters, residual; numbers or arrays."""

    n: Any
    k: int
    items: Any
    within: Any
    raters: Any
    rest: Any


def intraclass_correlations(ratings: Sequence[Sequence[float]], confidence: float = 0.95) -> list[Correlation]:
    """All six forms of Shrout & Fleiss (1979), with the intervals of McGraw & Wong (1996).

    Args:
        ratings: items x raters, without missing ratings.
        confidence: confidence level of the intervals, between 0 and 1 exclusive.

    Returns:
        One result for each of :data:`FORMS`, in that order.
    """
    n, k = len(ratings), len(ratings[0]) if ratings else 0
    if n < 2 or k < 2:
        reason = "fewer than two raters" if n and k < 2 else "fewer than two items that all raters rated"
        return [Correlation(form, None, reason=reason) for form in FORMS]
    squares = _mean_squares(ratings)
    return [
        _correlation(form, numerator, denominator, squares, confidence)
        for form, (numerator, denominator) in zip(FORMS, _ratios(squares), strict=True)
    ]


def jackknife_intervals(
    ratings: Sequence[Sequence[float]], how: Resampling, clusters: Clusters = None
) -> list[Percentiles]:
    """Intervals of the six forms that assume neither normal ratings nor independent items within a cluster.

    They are computed on Fisher's (1925) scale for k ratings, ``log((1 + (k - 1) r) / (1 - r)) / 2``, from
    :data:`FEWEST` items or clusters on. For ordinal ratings their coverage is better than that of F intervals
    (benchmarks/inference.py).

    Args:
        ratings: items x raters, without missing ratings, with a defined coefficient.
        how: settings, of which confidence and seed are used.
        clusters: cluster of each item.
    """
    n, k = len(ratings), len(ratings[0]) if ratings else 0
    n_units = resampling.count_units(n, clusters)
    if n_units < FEWEST or k < 2:
        reason = f"{n_units} of them, fewer than the {FEWEST} that a jackknife needs"
        return [Percentiles(None, None, n_units, 0, reason)] * len(FORMS)
    of_one = []
    for form in range(3):
        found = resampling.interval(_on_scale(ratings, form), n, how, clusters, is_coefficient=True)
        ends = [None if end is None else 2 * end / (k - (k - 2) * end) for end in (found.low, found.high)]
        of_one.append(replace(found, low=ends[0], high=ends[1], p=None, t=None, error=None))
    return [*of_one, *(replace(one, low=_of_mean(one.low, k), high=_of_mean(one.high, k)) for one in of_one)]


def _on_scale(ratings: Sequence[Sequence[float]], form: int) -> Statistic:
    """Coefficient r of one rating, for samples of items, as ``k r / (2 + (k - 2) r)``, whose artanh is on Fisher's
    scale.
    """
    table = _centred(ratings)
    k = table.shape[1]
    means, within = table.mean(axis=1), ((table - table.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)

    def statistic(drawn: Any) -> Any:
        n = drawn.sum(axis=1)
        whole = drawn @ means / n
        of_raters = n * ((drawn @ table / n[:, None] - whole[:, None]) ** 2).sum(axis=1)
        of_items, inside = k * (drawn @ means**2 - n * whole**2) / (n - 1), drawn @ within
        parts = (inside / (n * (k - 1)), of_raters / (k - 1), (inside - of_raters) / ((n - 1) * (k - 1)))
        above, below = _ratios(_Squares(n, k, of_items, *parts))[form]
        return k * above / (2 * below + (k - 2) * above)

    return statistic


def _centred(ratings: Sequence[Sequence[float]]) -> Any:
    """Ratings scaled by a power of two and centred, which keeps ratios of squares and avoids overflow and loss of
    digits.
    """
    import numpy as np

    table = np.array(ratings, dtype=float)
    table = np.ldexp(table, -np.frexp(np.abs(table).max())[1])
    return table - table.mean()


def _mean_squares(ratings: Sequence[Sequence[float]]) -> _Squares:
    import numpy as np

    table = _centred(ratings)
    n, k = table.shape
    of_items, of_raters = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
    noise = n * k * (np.finfo(float).eps * 4) ** 2  # squares due to rounding errors
    sums = [k * (of_items**2).sum(), ((table - of_items) ** 2).sum(), n * (of_raters**2).sum()]
    sums.append(((table - of_items - of_raters) ** 2).sum())
    items, within, raters, rest = (0.0 if total <= noise else float(total) for total in sums)
    return _Squares(n, k, items / (n - 1), within / (n * (k - 1)), raters / (k - 1), rest / ((n - 1) * (k - 1)))


def _ratios(s: _Squares) -> list[tuple[Any, Any]]:
    """Numerator and denominator of each form."""
    of_one = [
        (s.items - s.within, s.items + (s.k - 1) * s.within),
        (s.items - s.rest, s.items + (s.k - 1) * s.rest + s.k * (s.raters - s.rest) / s.n),
        (s.items - s.rest, s.items + (s.k - 1) * s.rest),
    ]
    of_mean = [
        (s.items - s.within, s.items),
        (s.items - s.rest, s.items + (s.raters - s.rest) / s.n),
        (s.items - s.rest, s.items),
    ]
    return [*of_one, *of_mean]


def _correlation(form: str, numerator: float, denominator: float, s: _Squares, confidence: float) -> Correlation:
    from scipy.special import fdtrc

    if s.items == 0 and s.within == 0:
        return Correlation(form, None, reason="only one value occurs")
    if denominator <= 0:
        return Correlation(form, None, reason="the means of the items differ too little")
    error = s.within if form.startswith("ICC(1") else s.rest
    df = (s.n - 1, s.n * (s.k - 1) if form.startswith("ICC(1") else (s.n - 1) * (s.k - 1))
    value = numerator / denominator
    if error == 0:
        same = "the ratings of an item do not vary" if s.within == 0 else "raters differ only by a constant"
        return Correlation(form, value, df=df, reason=f"{same}: no standard error can be estimated")
    f = s.items / error
    p = float(fdtrc(*df, f))
    if f == 0:
        return Correlation(
            form, value, f, df, p, reason="the means of the items are equal: no standard error can be estimated"
        )
    ends = _two_way_interval(s, confidence) if form.startswith("ICC(2") else _f_interval(f, df, s.k, confidence)
    if form.endswith("k)"):
        ends = [_of_mean(end, s.k) for end in ends]
    if not all(end is not None and math.isfinite(end) for end in ends):
        return Correlation(form, value, f, df, p, reason="the variance of so few raters and items bounds nothing")
    return Correlation(form, value, f, df, p, *ends)


def _f_interval(f: float, df: tuple[int, int], k: int, confidence: float) -> list[Any]:
    from scipy.special import fdtri

    tail = (1 + confidence) / 2
    low, high = f / float(fdtri(*df, tail)), f * float(fdtri(*df[::-1], tail))
    return [(bound - 1) / (bound + k - 1) for bound in (low, high)]


def _two_way_interval(s: _Squares, confidence: float) -> list[Any]:
    """Interval of ICC(2,1) with Satterthwaite's degrees of freedom for raters and residual (McGraw & Wong, table 7)."""
    from scipy.special import fdtri

    value = _ratios(s)[1][0] / _ratios(s)[1][1]
    of_raters = s.k * value / (s.n * (1 - value)) if value < 1 else 0.0
    of_rest = 1 + s.k * value * (s.n - 1) / (s.n * (1 - value)) if value < 1 else 0.0
    whole = of_raters * s.raters + of_rest * s.rest
    spread = (of_raters * s.raters) ** 2 / (s.k - 1) + (of_rest * s.rest) ** 2 / ((s.n - 1) * (s.k - 1))
    if spread == 0:
        return [None, None]
    v, tail = whole**2 / spread, (1 + confidence) / 2
    upper, lower = float(fdtri(s.n - 1, v, tail)), float(fdtri(v, s.n - 1, tail))
    rest = s.k * s.raters + (s.k * s.n - s.k - s.n) * s.rest
    low = s.n * (s.items / upper - s.rest) / (rest + s.n * s.items / upper)
    high = s.n * (lower * s.items - s.rest) / (rest + s.n * lower * s.items)
    return [low, high]


def _of_mean(end: float | None, k: int) -> float | None:
    """Spearman-Brown formula: convert an end for one rating to one for the mean of k."""
    below = None if end is None else 1 + end * (k - 1)
    return None if end is None or not below or below <= 0 else end * k / below
