"""Confidence intervals by bootstrap or jackknife: seeded, vectorised, in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, get_args

from scholartools.errors import UsageFault
from scholartools.parameters import parameter

Interval = tuple[float, float]
Statistic = Callable[[Any], Any]
Clusters = Sequence[Hashable] | None
Method = Literal["bootstrap", "jackknife"]
METHODS: tuple[Method, ...] = get_args(Method)

# Number of draws made at once: an index and its value take 16 bytes, so a block takes 64 MB for any number of values
# and samples.
_BLOCK = 4_000_000

# With more items or clusters, the jackknife leaves out random groups of equal size (within one).
_MOST_LEFT_OUT = 1000

# Percentile bootstrap intervals of fewer units are too short: benchmarks/inference.py.
FEW = 20
# Reason for no jackknife interval if nothing varies.
SAME = "the value is the same whichever {} is left out"
# Reason for no bootstrap interval if its percentiles are equal.
SAME_IN_SAMPLES = "the value is the same in nearly all samples"

# Range of a proportion, such as a precision or an F1.
SHARE: Interval = (0.0, 1.0)

# Relative tolerance for rounding errors.
_ROUNDING = 1e-12

# Hall's transformation corrects t by the skewness of the statistic times t. This is the upper bound of that product at
# the ends of a 95% interval: the skewness of few units is poorly estimated, and intervals would be up to 2.4 times as
# wide.
_MOST_BENT = 0.8


@dataclass(frozen=True)
class Resampling:
    """Settings of an interval.

    Attributes:
        samples: number of bootstrap samples, at least 1; unused by the jackknife.
        confidence: confidence level, between 0 and 1 exclusive.
        seed: seed of numpy's PCG64 generator.
        method: t interval of a jackknife, or percentiles of a bootstrap, see :func:`interval`.

    Raises:
        UsageFault: samples or confidence out of range.
    """

    samples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    method: Method = "jackknife"

    def __post_init__(self) -> None:
        """Validate the settings."""
        if self.samples < 1:
            raise UsageFault(f"a bootstrap needs at least 1 sample, not {self.samples}")
        if not 0 < self.confidence < 1:
            raise UsageFault(f"the confidence must be between 0 and 1, not {self.confidence}")

    def entry(self) -> dict[str, Any]:
        """Description of the settings for a result."""
        drawn = {"samples": self.samples} if self.method == "bootstrap" else {}
        return {"method": self.method, **drawn, "confidence": self.confidence, "seed": self.seed}

    def signed(self) -> dict[str, Any]:
        """The same for the signature of a result, in which "method" may have another meaning."""
        return {"interval" if key == "method" else key: value for key, value in self.entry().items()}

    def libraries(self) -> list[str]:
        """Packages involved in the computation of an interval."""
        return ["numpy"] if self.method == "bootstrap" else ["numpy", "scipy"]


@dataclass(frozen=True)
class Percentiles:
    """An interval with the counts of its data.

    Attributes:
        low: lower end, or None if there is no interval.
        high: upper end.
        n_drawn: number of resampled units: items, or clusters of items.
        n_undefined: number of samples in which the statistic is undefined; the others give the percentiles.
        reason: why there is no interval, else None.
        p: two-sided p of the null hypothesis that the statistic is 0, from a jackknife; None for a bootstrap.
        df: degrees of freedom of the jackknife's t, possibly fractional.
        t: t of the jackknife for that hypothesis; for a mean the one of the two with the larger p.
        error: standard error of the statistic from the jackknife, for a coefficient converted from Fisher's scale.
        bounds: range of the statistic to which the ends were clipped; p, t and error are not affected.
    """

    low: float | None
    high: float | None
    n_drawn: int
    n_undefined: int
    reason: str | None = None
    p: float | None = None
    df: float | None = None
    t: float | None = None
    error: float | None = None
    bounds: Interval | None = None

    def limit(self, bounds: Interval) -> Percentiles:
        """Clip the ends to the range of the statistic, which does not change the coverage."""
        if self.low is None or self.high is None:
            return self
        low, high = (min(max(end, bounds[0]), bounds[1]) for end in (self.low, self.high))
        return replace(self, low=low, high=high, bounds=bounds)

    def standard_error(self, confidence: float) -> float | None:
        """Standard error of the jackknife, or derived from the width of a bootstrap interval; None without an
        interval.
        """
        if self.low is None or self.high is None:
            return None
        if self.error is not None:
            return self.error
        return (self.high - self.low) / (2 * NormalDist().inv_cdf((1 + confidence) / 2))


def count_units(n: int, clusters: Clusters) -> int:
    """Number of resampled units: n items, or their clusters."""
    return n if clusters is None else len(set(clusters))


def noticed_errors(df: float | None, power: float) -> float:
    """Difference in standard errors that a two-sided test at .05 detects with the given power.

    2.8 for a power of .8 and a normal distribution (``df`` None); for Student's t the corresponding noncentrality: 3.27
    with 7 degrees of freedom, 5.65 with 2.
    """
    if df is None:
        return NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(power)
    from scipy.special import nctdtrinc, stdtrit

    return float(nctdtrinc(df, 1 - power, stdtrit(df, 0.975)))


def tell_few(method: Method) -> str:
    """Note for a table that has an interval of fewer than :data:`FEW` items or clusters."""
    if method == "jackknife":
        return (
            f"[some intervals are of fewer than {FEW} items or clusters: wide, and inaccurate for very skewed scores]"
        )
    other = parameter("interval", "jackknife")
    return f"[a bootstrap of fewer than {FEW} gives too short an interval and too small a p: see {other}]"


def mean_interval(
    values: Sequence[float],
    *,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    method: Method = "jackknife",
) -> tuple[Interval | None, str | None]:
    """Interval of a mean: Student's t with a correction for skewness, or percentiles of a bootstrap.

    Args:
        values: independent observations without missing ones.
        samples: number of bootstrap samples, at least 1.
        confidence: confidence level, between 0 and 1 exclusive.
        seed: seed of numpy's PCG64 generator; the same values, options and numpy version give an identical interval.
        method: see :class:`Resampling`; for the jackknife see :func:`interval`.

    Returns:
        The interval (low, high) and None, or None and the reason: fewer than two values, or a value that is not finite.

    Raises:
        UsageFault: samples or confidence out of range.
    """
    how = Resampling(samples, confidence, seed, method)
    if len(values) < 2:
        return None, "fewer than two values"
    import numpy as np

    data = np.asarray(values, dtype=float)
    if not math.isfinite(float(np.abs(data).max()) * len(data)):
        return None, "a value is missing, infinite or too large to be averaged"
    if method == "jackknife":
        found = ratio_interval(values, [1.0] * len(values), how)
        return None if found.low is None or found.high is None else (found.low, found.high), found.reason
    means = np.concatenate([data[block].mean(axis=1) for block in draws(len(data), how)])
    # Rounding can put a mean outside of the range of its values.
    low, high = _percentile_ends(means, confidence).clip(data.min(), data.max())
    return (None, SAME_IN_SAMPLES) if _is_one(low, high) else ((float(low), float(high)), None)


def interval(
    statistic: Statistic,
    n: int,
    how: Resampling,
    clusters: Clusters = None,
    *,
    width: int = 0,
    is_coefficient: bool = False,
    is_mean: bool = False,
    df: float | None = None,
    excess: float = 1.0,
    strata: Sequence[Hashable] | None = None,
) -> Percentiles:
    """Interval of any statistic of n items: percentiles of a bootstrap, or t interval of a jackknife.

    The jackknife leaves out one item, or one cluster, after the other (Tukey 1958; of clusters it is CR3 of the
    literature on few of them). With g of them, values t_j without each and their mean m, the standard error is
    ``sqrt((g - 1) / g * sum((t_j - m) ** 2))``, and the interval is the value plus and minus t of g - 1 degrees of
    freedom times that. Of a mean each end is the further one of Student's and of Hall's (1992), which is bent as far as
    the units are skewed: Student's alone is too near in the tail of skewed numbers, Hall's alone where a symmetric
    distribution has few large values, so that a sample looks skewed.
    Of other statistics t has fewer where few units make most of the error: the squared error of g values of excess
    kurtosis k (if that is above 0) varies as a chi-square of ``2 / (2 / (g - 1) + k / g)`` degrees of freedom.
    There is no interval if the statistic is undefined without one of the units, or the same without any of them, since
    then its error is unknown.

    Args:
        statistic: takes an array of samples x items with the count of each item in each sample, and returns the value
            of each sample, NaN if undefined.
        n: number of items.
        how: number of samples, confidence and seed.
        clusters: cluster of each item; if given, clusters are resampled with all their items.
        width: number of values per sample that the statistic holds in memory, if more than n.
        is_coefficient: whether its maximum is 1, as for a correlation or an agreement: the jackknife then uses Fisher's
            scale, artanh of the value.
        is_mean: whether it is a mean, a ratio of sums, or a difference of such: the jackknife is corrected for
            skewness.
        df: degrees of freedom of the jackknife's t, if known.
        excess: known factor by which the jackknife overestimates the squared error.
        strata: for a jackknife, the stratum of each item (the same within a cluster): independent samples. The squared
            standard error is the sum of theirs, each with its own g and m.
    """
    n_drawn = count_units(n, clusters)
    if n_drawn < 2:
        what = "item" if clusters is None else "cluster"
        return Percentiles(None, None, n_drawn, 0, f"fewer than two {what}s to draw from")
    if how.method == "jackknife":
        scale = _Scale(is_coefficient, is_mean)
        return _jackknife(statistic, n, n_drawn, how, clusters, width, (df, excess), strata, scale)
    import numpy as np

    with np.errstate(all="ignore"):  # an undefined statistic divides by zero
        values = np.concatenate([statistic(block) for block in weights(n, how, clusters, width)])
    defined = values[np.isfinite(values)]
    n_undefined = len(values) - len(defined)
    if len(defined) == 0:
        return Percentiles(None, None, n_drawn, n_undefined, "not defined in any of the samples")
    low, high = _percentile_ends(defined, how.confidence)
    if _is_one(low, high):
        return Percentiles(None, None, n_drawn, n_undefined, SAME_IN_SAMPLES)
    return Percentiles(float(low), float(high), n_drawn, n_undefined)


class _Scale(NamedTuple):
    """Scale of a jackknife: Fisher's, or the original one with or without a correction for skewness."""

    is_coefficient: bool
    is_mean: bool


def _jackknife(
    statistic: Statistic,
    n: int,
    n_units: int,
    how: Resampling,
    clusters: Clusters,
    width: int,
    known: tuple[float | None, float],
    strata: Sequence[Hashable] | None,
    scale: _Scale,
) -> Percentiles:
    import numpy as np
    from scipy.special import stdtr, stdtrit

    units = codes_of(clusters) if clusters is not None else np.arange(n)
    parts = np.zeros(n, dtype=int) if strata is None else codes_of(strata)
    with np.errstate(all="ignore"):
        value = statistic(np.ones((1, n)))
        found = [
            np.concatenate([statistic(block) for block in _leave_out(np.where(parts == part, units, -1), how, width)])
            for part in range(int(parts.max()) + 1)
        ]
        if scale.is_coefficient:
            value, found = np.arctanh(value), [np.arctanh(one) for one in found]
    without = np.concatenate(found)
    what = "item" if clusters is None else "cluster"
    n_undefined = int((~np.isfinite(without)).sum())
    if not np.isfinite(value[0]):
        return Percentiles(None, None, n_units, 0, "no standard error can be estimated for a coefficient of 1 or -1")
    if n_undefined:
        reason = f"the value is undefined if some {what}s are left out ({n_undefined} of {len(without)}, one at a time)"
        reason += ", or 1 or -1" if scale.is_coefficient else ""
        return Percentiles(None, None, n_units, n_undefined, reason)
    away_from_mean = [one - one.mean() for one in found]
    most = float(np.abs(np.concatenate(away_from_mean)).max())
    if most <= _ROUNDING * np.abs(without).max():
        return Percentiles(None, None, n_units, 0, SAME.format(what))
    # Scaled by a power of two, which is exact, so that no square underflows or overflows.
    power = math.frexp(most)[1]
    value, away_from_mean = np.ldexp(value, -power), [np.ldexp(one, -power) for one in away_from_mean]
    df, excess = known
    error = math.sqrt(sum((len(one) - 1) / len(one) * float((one**2).sum()) for one in away_from_mean) / excess)
    if df is None:
        df = len(without) - len(found) if scale.is_mean else _degrees(away_from_mean[0])
    if df < 1:
        return Percentiles(None, None, n_units, 0, "too few to have degrees of freedom")
    skewness = _skewness(away_from_mean, error, df) if scale.is_mean else 0.0
    away, t = float(stdtrit(df, (1 + how.confidence) / 2)), float(value[0]) / error
    low = float(value[0]) - error * max(away, _unbend(away, skewness))
    high = float(value[0]) + error * max(away, -_unbend(-away, skewness))
    t = min(t, _bend(t, skewness), key=abs)
    p = float(2 * stdtr(df, -abs(t)))
    low, high, error = (math.ldexp(one, power) for one in (low, high, error))
    if scale.is_coefficient:
        low, high = math.tanh(low), math.tanh(high)
        error *= 1 - math.tanh(math.ldexp(float(value[0]), power)) ** 2
    return Percentiles(low, high, n_units, 0, None, p, df, t, error)


def _degrees(away: Any) -> float:
    """Degrees of freedom of a squared error that is the sum of these squares, see :func:`interval`."""
    g = len(away)
    kurtosis = g * float((away**4).sum()) / float((away**2).sum()) ** 2 - 3 if g > 1 else 0.0
    return g - 1 if kurtosis <= 0 else max(1.0, 2 / (2 / (g - 1) + kurtosis / g))


def _skewness(away_from_mean: Sequence[Any], error: float, df: float) -> float:
    """Skewness of the statistic, from the centred leave-one-out values, by strata.

    The pseudo-value of a unit deviates (g - 1) times as far in the other direction. Unbiased for a mean, and bounded,
    see :data:`_MOST_BENT`.
    """
    from scipy.special import stdtrit

    third = 0.0
    for one in away_from_mean:
        if (g := len(one)) > 2:
            third -= (g - 1) ** 2 / (g * (g - 2)) * float((one**3).sum())
    most = _MOST_BENT / float(stdtrit(df, 0.975))
    return max(-most, min(most, third / error**3))


def _bend(t: float, skewness: float) -> float:
    """Hall's (1992) transformation of a studentised statistic, which makes it as symmetric as Student's t."""
    return t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6


def _unbend(t: float, skewness: float) -> float:
    """Inverse of :func:`_bend`."""
    if abs(skewness) < _ROUNDING:
        return t
    return 3 / skewness * (math.cbrt(1 + skewness * (t - skewness / 6)) - 1)


def codes_of(names: Sequence[Hashable]) -> Any:
    """Codes of names from 0, in the order of first occurrence."""
    import numpy as np

    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names])


def _leave_out(units: Any, how: Resampling, width: int) -> Iterator[Any]:
    """Indicators of the items that remain when each unit, or each group of units, is left out: arrays of rows x items.

    Args:
        units: array of the unit of each item, -1 for an item that is never left out.
    """
    import numpy as np

    taken = np.unique(units[units >= 0])
    group_of = np.arange(len(taken)) % _MOST_LEFT_OUT
    if len(taken) > _MOST_LEFT_OUT:
        group_of = np.random.Generator(np.random.PCG64(how.seed)).permutation(group_of)
    of_item = np.where(units >= 0, group_of[np.searchsorted(taken, units) % len(taken)], -1)
    n_groups = min(len(taken), _MOST_LEFT_OUT)
    rows = max(1, _BLOCK // max(len(units), width))
    for start in range(0, n_groups, rows):
        yield (of_item != np.arange(start, min(start + rows, n_groups))[:, None]).astype(float)


def ratio_interval(
    numerators: Sequence[float], denominators: Sequence[float], how: Resampling, clusters: Clusters = None
) -> Percentiles:
    """Interval of the ratio of two sums over items; undefined in a sample whose denominators sum to 0."""
    return interval(ratio_statistic(numerators, denominators), len(numerators), how, clusters, is_mean=True)


def ratio_statistic(numerators: Sequence[float], denominators: Sequence[float]) -> Statistic:
    """Ratio of two sums over the items of a sample."""
    import numpy as np

    above, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    return lambda counts: (counts @ above) / (counts @ below)


def keep_complete(columns: Sequence[Sequence[float | None]]) -> list[list[float]]:
    """Columns restricted to the items that have every number."""
    rows = [row for row in zip(*columns, strict=True) if None not in row]
    return [[row[i] for row in rows] for i in range(len(columns))]  # type: ignore[misc]


def clusters_of_complete(columns: Sequence[Sequence[float | None]], clusters: Clusters) -> Clusters:
    """Clusters of the items that :func:`keep_complete` keeps."""
    if clusters is None:
        return None
    rows = zip(*columns, strict=True)
    return [cluster for cluster, row in zip(clusters, rows, strict=True) if None not in row]


def draws(n: int, how: Resampling, width: int = 0, stream: int = 0) -> Iterator[Any]:
    """Indexes of bootstrap samples of n units: arrays of rows x n, ``how.samples`` rows in total.

    ``width`` is the number of values computed per row, if more than n; blocks are smaller accordingly. Two streams of
    one seed are independent.
    """
    import numpy as np

    generator = np.random.Generator(np.random.PCG64([how.seed, stream] if stream else how.seed))
    rows = max(1, _BLOCK // max(n, width))
    for done in range(0, how.samples, rows):
        yield generator.integers(0, n, size=(min(rows, how.samples - done), n))


def weights(n: int, how: Resampling, clusters: Clusters = None, width: int = 0) -> Iterator[Any]:
    """Counts of each of n items in each sample: arrays of rows x n, ``how.samples`` rows in total."""
    import numpy as np

    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters or ()))}
    of_item = None if clusters is None else np.array([places[cluster] for cluster in clusters])
    n_drawn = n if of_item is None else len(places)
    for block in draws(n_drawn, how, max(n, width)):
        cells = block + np.arange(len(block))[:, None] * n_drawn
        counts = np.bincount(cells.ravel(), minlength=block.size).reshape(block.shape).astype(float)
        yield counts if of_item is None else counts[:, of_item]


def sums_by(counts: Any, codes: Any, n_codes: int) -> Any:
    """Sums of the columns with the same code.

    Args:
        counts: array of rows x columns.
        codes: array of one integer per column, in 0..n_codes - 1.

    Returns:
        An array of rows x n_codes, 0 for a code without columns.
    """
    import numpy as np

    order = np.argsort(codes, kind="stable")
    present, starts = np.unique(codes[order], return_index=True)
    sums = np.zeros((len(counts), n_codes))
    if len(present):
        sums[:, present] = np.add.reduceat(counts[:, order], starts, axis=1)
    return sums


def _is_one(low: float, high: float) -> bool:
    """Whether two ends are equal up to rounding: an interval without width would suggest certainty."""
    return high - low <= _ROUNDING * max(abs(low), abs(high))


def _percentile_ends(values: Any, confidence: float) -> Any:
    import numpy as np

    tail = (1 - confidence) / 2
    return np.quantile(values, [tail, 1 - tail])
