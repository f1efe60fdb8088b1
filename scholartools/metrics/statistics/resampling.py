"""Intervals by resampling, bootstrap or jackknife: seeded, vectorised, in bounded memory."""

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

# Draws made at once. An index and the value it draws take 16 bytes: 64 MB a block, however many values and samples.
_BLOCK = 4_000_000

# Of more items or clusters the jackknife leaves out groups, as large as each other or by one, drawn by the seed.
_MOST_LEFT_OUT = 1000

# Percentiles of a bootstrap of fewer are too close together: benchmarks/inference.py.
FEW = 20
# Why a jackknife has no interval where nothing varies.
SAME = "the value is the same whichever {} is left out"
# Why a bootstrap has none where its percentiles are one number.
SAME_IN_SAMPLES = "the value is the same in nearly all samples"

# The range of a share, such as a precision or an F1.
SHARE: Interval = (0.0, 1.0)

# Values that differ by less than this part of themselves differ by rounding alone.
_ROUNDING = 1e-12

# Hall's transformation bends t by the skewness of the statistic times t. This is the most that it may be at the ends of
# a 95% interval: the skewness of few units is itself hardly known, and intervals would be up to 2.4 times as wide.
_MOST_BENT = 0.8


@dataclass(frozen=True)
class Resampling:
    """How an interval is made.

    Attributes:
        samples: how many a bootstrap draws, at least 1; the jackknife draws none.
        confidence: of the interval, between 0 and 1, neither included.
        seed: of numpy's PCG64 generator.
        method: the t interval of a jackknife, or percentiles of a bootstrap, see :func:`interval`.

    Raises:
        UsageFault: samples or confidence out of range.
    """

    samples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    method: Method = "jackknife"

    def __post_init__(self) -> None:
        """Refuse what is no bootstrap."""
        if self.samples < 1:
            raise UsageFault(f"a bootstrap needs at least 1 sample, not {self.samples}")
        if not 0 < self.confidence < 1:
            raise UsageFault(f"the confidence must be between 0 and 1, not {self.confidence}")

    def entry(self) -> dict[str, Any]:
        """What a result says of how its intervals were made."""
        drawn = {"samples": self.samples} if self.method == "bootstrap" else {}
        return {"method": self.method, **drawn, "confidence": self.confidence, "seed": self.seed}

    def signed(self) -> dict[str, Any]:
        """The same for the result's signature, in which a method may be that which is judged."""
        return {"interval" if key == "method" else key: value for key, value in self.entry().items()}

    def libraries(self) -> list[str]:
        """The packages whose numbers an interval is made of."""
        return ["numpy"] if self.method == "bootstrap" else ["numpy", "scipy"]


@dataclass(frozen=True)
class Percentiles:
    """An interval and what it rests on.

    Attributes:
        low: its lower end, or None where there is no interval.
        high: its upper end.
        n_drawn: how many things a sample draws with replacement, or a jackknife leaves out in turn: items, or clusters
            of them.
        n_undefined: samples in which the statistic is not defined; the percentiles are those of the others.
        reason: why there is no interval, else None.
        p: of a jackknife, two-sided, of the hypothesis that the statistic is 0; None of a bootstrap.
        df: of a jackknife, degrees of freedom of t, which need not be whole.
        t: of a jackknife, of the same hypothesis, of a mean the one with the larger p: p is of it.
        error: of a jackknife, the standard error of the statistic, of a coefficient by that on Fisher's scale.
        bounds: the range of the statistic, where ends beyond it were set to it; p, t and error are not changed by that.
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
        """The same with no end beyond the range of the statistic: it holds what is true as often."""
        if self.low is None or self.high is None:
            return self
        low, high = (min(max(end, bounds[0]), bounds[1]) for end in (self.low, self.high))
        return replace(self, low=low, high=high, bounds=bounds)

    def standard_error(self, confidence: float) -> float | None:
        """That of the jackknife, or what the width of a bootstrap's interval stands for; None without an interval."""
        if self.low is None or self.high is None:
            return None
        if self.error is not None:
            return self.error
        return (self.high - self.low) / (2 * NormalDist().inv_cdf((1 + confidence) / 2))


def count_units(n: int, clusters: Clusters) -> int:
    """How many units are drawn, or left out in turn: n items, or their clusters."""
    return n if clusters is None else len(set(clusters))


def noticed_errors(df: float | None, power: float) -> float:
    """The difference, in standard errors, that a two-sided test at .05 finds with the probability ``power``.

    2.8 for a power of .8 and a normal distribution (``df`` None); of Student's t it is the noncentrality at which
    t passes its critical value so often: 3.27 with 7 degrees of freedom, 5.65 with 2.
    """
    if df is None:
        return NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(power)
    from scipy.special import nctdtrinc, stdtrit

    return float(nctdtrinc(df, 1 - power, stdtrit(df, 0.975)))


def tell_few(method: Method) -> str:
    """The notice of a table with an interval of fewer than :data:`FEW` items or clusters."""
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
        values: independent observations, none missing.
        samples: bootstrap samples, at least 1.
        confidence: of the interval, between 0 and 1, neither included.
        seed: of numpy's PCG64 generator; the same values, options and numpy give the same interval to the last bit.
        method: of :class:`Resampling`; of the jackknife see :func:`interval`.

    Returns:
        The interval (low, high) and None, or None and the reason why there is none: fewer than two values, or one that
        is not a finite number.

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
    # A mean rounded past the values it is the mean of is brought back.
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
    """Interval of any statistic of n items: percentiles of a bootstrap, or t of a jackknife.

    The jackknife leaves out one item, or one cluster, after the other (Tukey 1958; of clusters it is CR3 of the
    literature on few of them). With g of them, values t_j without each and their mean m, the standard error is
    ``sqrt((g - 1) / g * sum((t_j - m) ** 2))``, and the interval is the value plus and minus t of g - 1 degrees of
    freedom times that. Of a mean each end is the further one of Student's and of Hall's (1992), which is bent as far as
    the units are skewed: Student's alone is too near in the tail of skewed numbers, Hall's alone where a symmetric
    distribution has few large values, so that a sample looks skewed.
    Of other statistics t has fewer where few units make most of the error: the squared error of g values of excess
    kurtosis k (if that is above 0) varies as a chi-square of ``2 / (2 / (g - 1) + k / g)`` degrees of freedom.
    It is null where the statistic is not defined without one of them, or is the same whichever is left out, for then
    nothing says how sure it is.

    Args:
        statistic: takes an array of samples x items, how often each sample holds each item, and gives the value of each
            sample, NaN where it is not defined.
        n: of items.
        how: samples, confidence and seed.
        clusters: the cluster of each item. Clusters are drawn then, each with all its items.
        width: numbers that the statistic holds of one sample, where those are more than n.
        is_coefficient: its largest value is 1, as of a correlation or an agreement: the jackknife is then made on
            Fisher's scale, artanh of the value.
        is_mean: it is a mean, a ratio of sums, or a difference of such: the jackknife is corrected for skewness.
        df: degrees of freedom of the jackknife's t, where they are known otherwise.
        excess: how many times too large the jackknife's squared error is, where that is known.
        strata: for a jackknife, the stratum of each item, that of its whole cluster: samples that are independent of
            each other. The squared standard error is the sum of theirs, each with its own g and m.
    """
    n_drawn = count_units(n, clusters)
    if n_drawn < 2:
        what = "item" if clusters is None else "cluster"
        return Percentiles(None, None, n_drawn, 0, f"fewer than two {what}s to draw from")
    if how.method == "jackknife":
        scale = _Scale(is_coefficient, is_mean)
        return _jackknife(statistic, n, n_drawn, how, clusters, width, (df, excess), strata, scale)
    import numpy as np

    with np.errstate(all="ignore"):  # where it is not defined a statistic divides by zero
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
    """On what scale a jackknife is made: Fisher's, or as it is with a correction for skewness, or without."""

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
    # By a power of two, so that no square vanishes or overflows, and nothing is rounded.
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
    """The skewness of the statistic, from the values without each unit less their mean, by strata.

    A unit's pseudo-value lies (g - 1) times as far on the other side. Unbiased for a mean, and bounded, see
    :data:`_MOST_BENT`.
    """
    from scipy.special import stdtrit

    third = 0.0
    for one in away_from_mean:
        if (g := len(one)) > 2:
            third -= (g - 1) ** 2 / (g * (g - 2)) * float((one**3).sum())
    most = _MOST_BENT / float(stdtrit(df, 0.975))
    return max(-most, min(most, third / error**3))


def _bend(t: float, skewness: float) -> float:
    """Hall's (1992) transformation of a studentised statistic, by which it is as symmetric as Student's t."""
    return t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6


def _unbend(t: float, skewness: float) -> float:
    """What :func:`_bend` makes this of."""
    if abs(skewness) < _ROUNDING:
        return t
    return 3 / skewness * (math.cbrt(1 + skewness * (t - skewness / 6)) - 1)


def codes_of(names: Sequence[Hashable]) -> Any:
    """Names as numbers from 0, in the order in which they come."""
    import numpy as np

    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names])


def _leave_out(units: Any, how: Resampling, width: int) -> Iterator[Any]:
    """Which items are there while each unit, or each of many groups of them, is left out: arrays of some rows x items.

    Args:
        units: array of the unit of each item, -1 for one that is never left out.
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
    """The interval of the ratio of two sums over items; not defined in a sample whose denominators sum to 0."""
    return interval(ratio_statistic(numerators, denominators), len(numerators), how, clusters, is_mean=True)


def ratio_statistic(numerators: Sequence[float], denominators: Sequence[float]) -> Statistic:
    """The ratio of two sums over the items of a sample."""
    import numpy as np

    above, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    return lambda counts: (counts @ above) / (counts @ below)


def keep_complete(columns: Sequence[Sequence[float | None]]) -> list[list[float]]:
    """Columns of the same things, with only the things that have every number."""
    rows = [row for row in zip(*columns, strict=True) if None not in row]
    return [[row[i] for row in rows] for i in range(len(columns))]  # type: ignore[misc]


def clusters_of_complete(columns: Sequence[Sequence[float | None]], clusters: Clusters) -> Clusters:
    """The clusters of the things that :func:`keep_complete` keeps."""
    if clusters is None:
        return None
    rows = zip(*columns, strict=True)
    return [cluster for cluster, row in zip(clusters, rows, strict=True) if None not in row]


def draws(n: int, how: Resampling, width: int = 0, stream: int = 0) -> Iterator[Any]:
    """Indices of bootstrap samples of n things: arrays of some rows x n, ``how.samples`` rows in all.

    ``width`` is how many numbers are made of a row, where those are more than n; blocks are the smaller for it.
    Two streams of one seed are independent.
    """
    import numpy as np

    generator = np.random.Generator(np.random.PCG64([how.seed, stream] if stream else how.seed))
    rows = max(1, _BLOCK // max(n, width))
    for done in range(0, how.samples, rows):
        yield generator.integers(0, n, size=(min(rows, how.samples - done), n))


def weights(n: int, how: Resampling, clusters: Clusters = None, width: int = 0) -> Iterator[Any]:
    """How often each sample holds each of n items: arrays of some rows x n, ``how.samples`` rows in all."""
    import numpy as np

    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters or ()))}
    of_item = None if clusters is None else np.array([places[cluster] for cluster in clusters])
    n_drawn = n if of_item is None else len(places)
    for block in draws(n_drawn, how, max(n, width)):
        cells = block + np.arange(len(block))[:, None] * n_drawn
        counts = np.bincount(cells.ravel(), minlength=block.size).reshape(block.shape).astype(float)
        yield counts if of_item is None else counts[:, of_item]


def sums_by(counts: Any, codes: Any, n_codes: int) -> Any:
    """The sums of columns that have one code.

    Args:
        counts: array of rows x columns.
        codes: array of one integer per column, in 0..n_codes - 1.

    Returns:
        An array of rows x n_codes, 0 for a code that no column has.
    """
    import numpy as np

    order = np.argsort(codes, kind="stable")
    present, starts = np.unique(codes[order], return_index=True)
    sums = np.zeros((len(counts), n_codes))
    if len(present):
        sums[:, present] = np.add.reduceat(counts[:, order], starts, axis=1)
    return sums


def _is_one(low: float, high: float) -> bool:
    """Whether two ends differ by no more than rounding: an interval of no width would look like certainty."""
    return high - low <= _ROUNDING * max(abs(low), abs(high))


def _percentile_ends(values: Any, confidence: float) -> Any:
    import numpy as np

    tail = (1 - confidence) / 2
    return np.quantile(values, [tail, 1 - tail])
