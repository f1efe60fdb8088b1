"""Rankings of pairs of items by a measure and by people: accuracy with ties, and variants of Kendall's tau.

After Deutsch, Foster and Freitag 2023, "Ties Matter" (arXiv 2305.14324): of all pairs of texts, C are ranked in the
same order by both, D in opposite orders, T_h are tied by people only, T_m by the measure only, T_hm by both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling

Numbers = Sequence[float | None]
Name = Literal["accuracy", "tau-b", "tau-c", "tau-10", "tau-13", "tau-14", "tau-23"]
NAMES: tuple[Name, ...] = get_args(Name)
#: Coefficients in which a tie can be correct: only for these is a tie threshold worth fitting.
WITH_TIES: tuple[Name, ...] = ("accuracy", "tau-23")

# Maximum number of pairs processed at once.
_BLOCK = 4_000_000
# With more units, the jackknife leaves out groups of units.
_MOST_UNITS = 1000
# Tolerance for differences that are equal up to rounding: .3 - .2 and .2 - .1.
ROUNDING = 1e-12


@dataclass(frozen=True)
class PairwiseRanking:
    """A coefficient of pairs, averaged over groups of items.

    Attributes:
        value: mean over groups, None if undefined in all; accuracy in 0..1, others in -1..1.
        n: number of items with both numbers.
        n_missing: number of other items.
        n_groups: number of groups in which it is defined; only these count.
        n_undefined: number of the other groups.
        n_pairs: number of pairs of items of the same group.
        epsilon: differences of the measure up to this are ties.
        reason: why the value is None, else None.
    """

    value: float | None
    n: int
    n_missing: int
    n_groups: int
    n_undefined: int
    n_pairs: int
    epsilon: float
    reason: str | None = None


def pairwise_ranking(
    x: Numbers, y: Numbers, groups: Sequence[Hashable], name: Name, epsilon: float = 0.0
) -> PairwiseRanking:
    """A coefficient of the pairs within each group, and its unweighted mean over groups.

    With N = C + D + T_h + T_m + T_hm pairs, accuracy is (C + T_hm) / N, tau-23 is 2 accuracy - 1, tau-b (C - D) /
    sqrt((C + D + T_h) (C + D + T_m)), tau-c 2 (C - D) / (n^2 (k - 1) / k) with k the smaller number of different
    values, tau-10 (C - D - T_m) / (C + D + T_m), tau-13 (C - D) / (C + D), tau-14 (C - D) / (C + D + T_m).

    Args:
        x: numbers of the measure, None if missing.
        y: human scores of the same items.
        groups: group of each item, within which pairs are formed: items, systems, or one for all.
        name: name of the coefficient.
        epsilon: differences of x up to this are ties; 0 for tau-c.
    """
    kept = _Kept(x, y, groups)
    found = [_coefficient(name, group, epsilon) for group in kept.members]
    values = [value for value in found if math.isfinite(value)]
    blank = PairwiseRanking(
        None, sum(map(len, kept.members)), kept.n_missing, len(values), len(found) - len(values),
        sum(math.comb(len(group), 2) for group in kept.members), epsilon,
    )  # fmt: skip
    if not values:
        return replace(blank, reason="no group has two texts, or the value is undefined in each group")
    return replace(blank, value=math.fsum(values) / len(values))


def fit_epsilon(x: Numbers, y: Numbers, groups: Sequence[Hashable]) -> float:
    """Tie threshold with the highest mean accuracy among all that matter; of equally good ones the smallest.

    It is also optimal for tau-23 = 2 accuracy - 1. Since it is fitted on the same items, the resulting accuracy is no
    estimate for other items.
    """
    import numpy as np

    gains: list[Any] = []
    sizes: list[Any] = []
    for group in _Kept(x, y, groups).members:
        if len(group) < 2:
            continue
        one, other = np.array(group, dtype=float).T
        first, second = np.triu_indices(len(group), 1)
        apart, true = one[first] - one[second], np.sign(other[first] - other[second])
        # A tie is correct if people's scores are tied; otherwise a pair is correct if the signs are equal.
        gains.append(((true == 0).astype(float) - (np.sign(apart) == true)) / len(apart))
        sizes.append(np.abs(apart))
    if not gains:
        return 0.0
    gain, size = np.concatenate(gains), np.concatenate(sizes)
    order = np.argsort(size, kind="stable")
    gain, size = gain[order], size[order]
    ends = np.append(np.diff(size) > ROUNDING * max(1.0, float(size[-1])), True)
    reached = np.cumsum(gain)[ends]
    # The threshold 0 comes first, and is kept unless another one is better by more than rounding.
    thresholds, totals = np.append(0.0, size[ends]), np.append(0.0, reached)
    return float(thresholds[np.argmax(totals > totals.max() - 1e-9)])


def pairwise_interval(
    x: Numbers,
    y: Numbers,
    groups: Sequence[Hashable],
    name: Name,
    how: Resampling,
    units: Sequence[Hashable],
    epsilon: float = 0.0,
) -> Percentiles:
    """Jackknife interval of :func:`pairwise_ranking` over units (items, clusters).

    If each unit is a group, it is the interval of the mean over groups. ``epsilon`` is kept fixed.

    Args:
        how: confidence; the method is always the jackknife.
        units: unit of each item.
    """
    kept = _Kept(x, y, groups, units)
    names = list(dict.fromkeys(unit for of in kept.units for unit in of))
    place = {unit: number % _MOST_UNITS for number, unit in enumerate(names)}
    codes = [[place[unit] for unit in of] for of in kept.units]

    def value(left: int | None) -> float:
        found = []
        for group, of in zip(kept.members, codes, strict=True):
            if left is not None and left not in of:
                found.append(whole[id(group)])
                continue
            rest = group if left is None else [one for one, code in zip(group, of, strict=True) if code != left]
            found.append(_coefficient(name, rest, epsilon))
        defined = [one for one in found if math.isfinite(one)]
        return math.fsum(defined) / len(defined) if defined else math.nan

    whole = {id(group): _coefficient(name, group, epsilon) for group in kept.members}
    n = min(len(names), _MOST_UNITS)
    values = [value(left) for left in range(n)]

    def statistic(counts: Any) -> Any:
        import numpy as np

        return np.array([
            value(None) if row.all() else values[int(np.argmin(row))] if (row == 0).sum() == 1 else math.nan
            for row in counts
        ])  # fmt: skip

    found = resampling.interval(statistic, n, replace(how, method="jackknife"), is_mean=True)
    return replace(found, n_drawn=len(names)).limit((0.0 if name == "accuracy" else -1.0, 1.0))


class _Kept:
    """Items with both numbers by group, with the unit of each."""

    def __init__(self, x: Numbers, y: Numbers, groups: Sequence[Hashable], units: Clusters = None) -> None:
        members: dict[Hashable, list[tuple[float, float]]] = {}
        of: dict[Hashable, list[Hashable]] = {}
        self.n_missing = 0
        for place, (one, other, group) in enumerate(zip(x, y, groups, strict=True)):
            if one is None or other is None:
                self.n_missing += 1
                continue
            members.setdefault(group, []).append((one, other))
            of.setdefault(group, []).append(place if units is None else units[place])
        self.members, self.units = list(members.values()), list(of.values())


def _coefficient(name: Name, group: Sequence[tuple[float, float]], epsilon: float) -> float:
    """Coefficient of one group; NaN if undefined."""
    counts = _count_pairs(group, epsilon)
    if name == "tau-c":
        k = min(len({one for one, _ in group}), len({other for _, other in group}))
        return 2 * (counts[0] - counts[1]) * k / (len(group) ** 2 * (k - 1)) if k > 1 else math.nan
    above, below = FORMULAS[name](*counts)
    return above / below if below else math.nan


def _count_pairs(group: Sequence[tuple[float, float]], epsilon: float) -> list[int]:
    """Numbers of pairs that are concordant, discordant, tied by people only, by the measure only, by both."""
    import numpy as np

    found = np.zeros(5, dtype=np.int64)
    if len(group) < 2:
        return found.tolist()
    one, other = np.array(group, dtype=float).T
    slack = epsilon + ROUNDING * max(1.0, epsilon) if epsilon else 0.0
    rows = max(1, _BLOCK // len(group))
    for start in range(0, len(group), rows):
        apart = one[start : start + rows, None] - one
        signs = np.sign(np.where(np.abs(apart) <= slack, 0.0, apart))
        true = np.sign(other[start : start + rows, None] - other)
        later = np.arange(len(group)) > np.arange(start, start + len(apart))[:, None]
        product = signs * true
        found += [
            int((later & (product > 0)).sum()), int((later & (product < 0)).sum()),
            int((later & (true == 0) & (signs != 0)).sum()), int((later & (true != 0) & (signs == 0)).sum()),
            int((later & (true == 0) & (signs == 0)).sum()),
        ]  # fmt: skip
    return found.tolist()


#: Numerator and denominator as functions of C, D, T_h, T_m, T_hm.
FORMULAS: dict[str, Callable[[int, int, int, int, int], tuple[float, float]]] = {
    "accuracy": lambda c, d, h, m, both: (c + both, c + d + h + m + both),
    "tau-b": lambda c, d, h, m, both: (c - d, ((c + d + h) * (c + d + m)) ** 0.5),
    "tau-10": lambda c, d, h, m, both: (c - d - m, c + d + m),
    "tau-13": lambda c, d, h, m, both: (c - d, c + d),
    "tau-14": lambda c, d, h, m, both: (c - d, c + d + m),
    "tau-23": lambda c, d, h, m, both: (c + both - d - h - m, c + d + h + m + both),
}
