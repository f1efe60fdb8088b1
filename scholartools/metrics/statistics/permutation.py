"""Comparison of measures by their correlation with people: pairwise permutation tests, and clusters of significance.

After Deutsch, Dror and Roth 2021 (arXiv 2104.00054): the numbers of two standardised measures are swapped at random,
and the difference of their coefficients is compared with those after such swaps. Swapping the numbers of single texts
is their PERM-BOTH, those of all texts for an item PERM-INPUT, those of all texts by a system PERM-SYS. The coefficients
are those of the metrics tasks of machine translation (google-research/mt-metrics-eval).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from scholartools.metrics.statistics import pairwise

Coefficient = Literal[pairwise.Name, "pearson", "spearman", "soft"]
COEFFICIENTS: tuple[Coefficient, ...] = (*pairwise.NAMES, "pearson", "spearman", "soft")
Level = Literal["segment", "system"]
LEVELS: tuple[Level, ...] = get_args(Level)

# Maximum number of values in memory at once.
_BLOCK = 4_000_000
# Maximum number of pairs of items over all draws: more would take minutes.
_MOST_PAIRS = 10_000_000_000
# Number of sign flips for the p values of soft accuracy, as in mt-metrics-eval.
_FLIPS = 1000
# Tolerance for equality of coefficients and sums.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Texts:
    """Texts by systems for items, with human scores.

    Attributes:
        y: human scores, finite.
        systems: system of each text.
        items: item of each text.
    """

    y: Sequence[float]
    systems: Sequence[Hashable]
    items: Sequence[Hashable]


class Ranking:
    """Coefficient of measures with the human scores of some texts, for many draws at once.

    Args:
        texts: of which all measures have numbers.
        coefficient: its name; "soft" is soft pairwise accuracy (Thompson et al. 2024), of systems alone.
        level: of texts, or of the systems' means.
        grouping: of texts, what they are compared inside of: the mean over groups is taken. Of means it has no effect.
        fits_ties: of accuracy and tau-23, whether each draw has the threshold of ties that suits it best.
        seed: of the flips of soft accuracy.

    Attributes:
        n_groups: with two texts or more.
        n_texts: that count: of soft accuracy those for items of which every system has a text.
    """

    def __init__(
        self,
        texts: Texts,
        coefficient: Coefficient,
        level: Level = "segment",
        grouping: Literal["item", "system", "none"] = "none",
        seed: int = 0,
        *,
        fits_ties: bool = False,
    ) -> None:
        import numpy as np

        self._coefficient, self._fits_ties, self._seed = coefficient, fits_ties, seed
        y = standardise(texts.y)
        self._systems = _codes(texts.systems)
        self._n_systems = int(self._systems.max(initial=-1)) + 1
        self._to_means = level == "system" and coefficient != "soft"
        groups = {"item": _codes(texts.items), "system": self._systems, "none": np.zeros(len(y), dtype=int)}[grouping]
        if self._to_means:
            y, groups = self._means(y[None])[0], np.zeros(self._n_systems, dtype=int)
        self._grid = _full_items(self._systems, _codes(texts.items), self._n_systems) if coefficient == "soft" else None
        self.n_texts = len(texts.y) if self._grid is None else self._grid.size
        self._blocks = [(of, y[of]) for of in _stacks(groups)] if self._grid is None else []
        self.n_groups = sum(len(of) for of, _ in self._blocks)
        self.n_pairs = sum(len(of) * math.comb(of.shape[1], 2) for of, _ in self._blocks)
        if self._grid is not None:
            self._flips = _sign_flips(len(self._grid), seed)
            self._true = self._soft_p(y[None])

    def values(self, draws: Any) -> Any:
        """Coefficient of each draw, NaN if undefined.

        Args:
            draws: array of draws x texts, standardised.
        """
        import numpy as np

        if self._grid is not None:
            if self._n_systems < 2 or not len(self._grid):
                return np.full(len(draws), math.nan)
            return 1 - np.abs(self._soft_p(draws) - self._true).mean(axis=1)
        if not self._blocks:
            return np.full(len(draws), math.nan)
        numbers = self._means(draws) if self._to_means else draws
        if self._fits_ties and self._coefficient in pairwise.WITH_TIES:
            best = self._best_accuracy(numbers)
            return 2 * best - 1 if self._coefficient == "tau-23" else best
        found = np.concatenate([self._of_block(numbers[:, of], true) for of, true in self._blocks], axis=1)
        defined = np.isfinite(found)
        with np.errstate(all="ignore"):
            return np.where(defined, found, 0.0).sum(axis=1) / np.where(
                defined.any(axis=1), defined.sum(axis=1), np.nan
            )

    def rows(self) -> int:
        """Number of draws that fit into one block of memory."""
        per = len(self._flips) * self._n_systems if self._grid is not None else max(self.n_pairs, self.n_texts)
        return max(1, _BLOCK // max(per, 1))

    def _means(self, draws: Any) -> Any:
        """Means of the systems: draws x systems."""
        import numpy as np

        weights = (self._systems[:, None] == np.arange(self._n_systems)) / np.bincount(self._systems)
        return draws @ weights

    def _of_block(self, x: Any, y: Any) -> Any:
        """Coefficients of groups of equal size, draws x groups.

        Args:
            x: draws x groups x texts.
            y: groups x texts.
        """
        import numpy as np

        if self._coefficient in ("pearson", "spearman"):
            return _product_moment(x, y, is_ranked=self._coefficient == "spearman")
        first, second = np.triu_indices(y.shape[-1], 1)
        one, other = (np.sign(_apart(side, first, second)) for side in (x, y))
        product = one * other
        c, d = (product > 0).sum(axis=-1), (product < 0).sum(axis=-1)
        both = ((one == 0) & (other == 0)).sum(axis=-1)
        h, m = (other == 0).sum(axis=-1) - both, (one == 0).sum(axis=-1) - both
        with np.errstate(all="ignore"):
            if self._coefficient == "tau-c":
                k, n = np.minimum(_count_different(x), _count_different(y)), y.shape[-1]
                return np.where(k > 1, 2 * (c - d) * k / (n**2 * (k - 1.0)), np.nan)
            above, below = pairwise.FORMULAS[self._coefficient](c, d, h, m, both)
            return np.where(below > 0, above / below, np.nan)

    def _best_accuracy(self, numbers: Any) -> Any:
        """Highest mean accuracy of each draw over all tie thresholds."""
        import numpy as np

        sizes, gains, base = [], [], 0.0
        for of, y in self._blocks:
            first, second = np.triu_indices(of.shape[1], 1)
            apart, true = _apart(numbers[:, of], first, second), np.sign(_apart(y, first, second))
            right = np.sign(apart) == true
            weight = 1 / (len(first) * self.n_groups)
            base = base + weight * right.sum(axis=(1, 2))
            gains.append((weight * ((true == 0) - 1.0 * right)).reshape(len(numbers), -1))
            sizes.append(np.abs(apart).reshape(len(numbers), -1))
        size, gain = np.concatenate(sizes, axis=1), np.concatenate(gains, axis=1)
        order = np.argsort(size, axis=1)
        size, reached = (np.take_along_axis(one, order, axis=1) for one in (size, gain))
        reached = np.cumsum(reached, axis=1)
        ends = np.ones(size.shape, dtype=bool)
        ends[:, :-1] = np.diff(size, axis=1) > pairwise.ROUNDING * np.maximum(1.0, size[:, -1:])
        return base + np.where(ends, reached, 0.0).max(axis=1).clip(0.0)

    def _soft_p(self, draws: Any) -> Any:
        """p of each pair of systems, draws x pairs: share of sign flips with a difference at least as large
        (one-sided).
        """
        import numpy as np

        scores = draws[:, self._grid]  # draws x items x systems
        flipped = self._flips @ scores  # draws x flips x systems
        whole = scores.sum(axis=1)
        slack = _ROUNDING * max(1.0, float(np.abs(scores).sum(axis=1).max(initial=0.0)))
        first, second = np.triu_indices(self._n_systems, 1)
        found = [
            (flipped[:, :, i] - flipped[:, :, j] >= (whole[:, i] - whole[:, j])[:, None] - slack).mean(axis=1)
            for i, j in zip(first, second, strict=True)
        ]
        return np.array(found).T.reshape(len(draws), len(first))


@dataclass(frozen=True)
class Tested:
    """Test of the difference of two measures' coefficients, first - second.

    Attributes:
        value: None where a coefficient is not defined.
        p: two-sided: how often swaps give a difference as far from 0.
        p_one_sided: how often they give one as far on the side of the measure with the larger coefficient.
        n_draws: of which each is; all there are where ``is_exact``.
        n_undefined: draws in which a coefficient is not defined, which do not count.
        n_units: swapped by themselves.
        is_exact: whether all ways to swap were taken.
        reason: why there is no p, else None.
        p_of: of :func:`crossed_test` the p of items, of systems and of both added.
    """

    value: float | None
    p: float | None
    p_one_sided: float | None
    n_draws: int
    n_undefined: int
    n_units: int
    is_exact: bool
    reason: str | None = None
    p_of: tuple[float | None, ...] = ()


class Way(NamedTuple):
    """Swaps of the numbers of two measures: the texts, and the units that are swapped together."""

    ranking: Ranking
    first: Sequence[float]
    second: Sequence[float]
    units: Sequence[Hashable]


def permutation_test(
    ranking: Ranking, first: Sequence[float], second: Sequence[float], units: Sequence[Hashable], draws: int, seed: int
) -> Tested:
    """Test whether two measures have the same coefficient, by swapping the numbers of each unit with probability 1/2.

    p is (1 + extreme draws) / (1 + draws), or the share among all possible swaps if these are no more than the draws.
    It is valid if the two standardised measures are exchangeable in each unit: not if they have the same coefficient
    but differ otherwise, nor if the units are dependent.

    Args:
        ranking: the coefficient.
        first, second: finite numbers of the texts of the ranking.
        units: unit of each text, which is swapped as a whole.
        draws: maximum number of draws, including the observed assignment.
        seed: seed of numpy's PCG64 generator.
    """
    return _swap_units(Way(ranking, first, second, units), draws, seed)[0]


def crossed_test(ways: Sequence[Way], texts: Way, draws: int, seed: int) -> Tested:
    """Test whether two measures have the same coefficient, if each may favour some items and some systems.

    Differences after swaps of items have the variance of item effects plus noise, those after swaps of systems the
    variance of system effects plus noise. A draw is the sum of one of each, scaled so that its variance is the sum of
    both minus that of swaps of single texts, which is noise alone, as for two crossed random effects (Cameron, Gelbach
    and Miller 2011), and at least the larger of both. p is from such draws, and at least that of either test.

    Args:
        ways: swaps of items, and of systems.
        texts: swaps of single texts.
        draws, seed: see :func:`permutation_test`.
    """
    import numpy as np

    found = [_swap_units(way, draws, seed) for way in (*ways, texts)]
    alone = [one for one, _ in found[:2]]
    worst = max(alone, key=lambda one: 2.0 if one.p is None else one.p)
    drawn = [differences[np.isfinite(differences)] for _, differences in found]
    if worst.p is None or not all(map(len, drawn)):
        return worst
    items, systems, noise = (float((one**2).mean()) for one in drawn)
    wanted = max(items + systems - noise, items, systems)
    generator = np.random.Generator(np.random.PCG64([seed, 1]))
    added = generator.choice(drawn[0], size=draws - 1) + generator.choice(drawn[1], size=draws - 1)
    scaled = added * math.sqrt(wanted / (items + systems)) if wanted > 0 else added
    both = _count_as_far(worst, scaled, is_exact=False)
    every = [*alone, both]
    return replace(
        both, p=max(one.p or 0.0 for one in every), p_one_sided=max(one.p_one_sided or 0.0 for one in every),
        p_of=tuple(one.p for one in every),
    )  # fmt: skip


def _swap_units(way: Way, draws: int, seed: int) -> tuple[Tested, Any]:
    """Test by one kind of swaps, and its differences; these are empty if there is no p."""
    import numpy as np

    ranking = way.ranking
    sides = [standardise(side) for side in (way.first, way.second)]
    values = [float(ranking.values(side[None])[0]) for side in sides]
    of = _codes(way.units)
    n_units = int(of.max(initial=-1)) + 1
    blank, none = Tested(None, None, None, 0, 0, n_units, is_exact=False), np.zeros(0)
    if not all(map(math.isfinite, values)):
        return replace(blank, reason="a coefficient is not defined"), none
    observed = values[0] - values[1]
    blank = replace(blank, value=0.0 if abs(observed) <= _ROUNDING else observed)
    if not all(side.any() for side in sides):
        return replace(blank, reason="a measure is constant"), none
    if 2 * draws * ranking.n_pairs > _MOST_PAIRS:
        pairs = f"{ranking.n_pairs:,} pairs of texts in each of {draws} draws are too many"
        return replace(blank, reason=pairs), none
    is_exact = n_units < 60 and 2**n_units <= draws
    found = []
    for block in _swaps(n_units, draws, seed, ranking.rows(), is_exact=is_exact):
        swapped = block[:, of]
        with np.errstate(all="ignore"):
            one, other = (
                ranking.values(np.where(swapped, *pair)) for pair in ((sides[1], sides[0]), (sides[0], sides[1]))
            )
        found.append(one - other)
    differences = np.concatenate(found)
    return _count_as_far(blank, differences, is_exact=is_exact), differences


def _count_as_far(blank: Tested, differences: Any, *, is_exact: bool) -> Tested:
    """Add the p of an observed difference: the share of differences as far from 0, including itself unless all swaps
    are taken.
    """
    import numpy as np

    observed = blank.value or 0.0
    kept = differences[np.isfinite(differences)]
    more = 0 if is_exact else 1
    far = int((np.abs(kept) >= abs(observed) - _ROUNDING).sum())
    side = int((kept * math.copysign(1.0, observed) >= abs(observed) - _ROUNDING).sum())
    total = len(kept) + more
    return replace(
        blank, p=(far + more) / total, p_one_sided=(side + more) / total, n_draws=len(kept),
        n_undefined=len(differences) - len(kept), is_exact=is_exact,
    )  # fmt: skip


def standardise(numbers: Sequence[float]) -> Any:
    """Array with mean 0 and standard deviation 1 (with n), or of zeros if the numbers are constant."""
    import numpy as np

    found = np.asarray(numbers, dtype=float)
    if not len(found):
        return found
    # Scaled by a power of two, so that no square overflows or underflows; the largest is then below 1.
    found = np.ldexp(found, -math.frexp(float(np.abs(found).max()))[1])
    found = found - found.mean()
    spread = float(found.std())
    return found / spread if spread > pairwise.ROUNDING else np.zeros(len(found))


def significance_clusters(p_values: Sequence[Sequence[float | None]], alpha: float = 0.05) -> list[int]:
    """Ranks of measures by clusters: a measure that is significantly worse than another in its cluster starts the next.

    As in the metrics tasks of WMT: measures of different ranks differ significantly only if a test says so, and
    measures of neighbouring ranks need not differ.

    Args:
        p_values: for measures in descending order of coefficients: row i, column j > i is the p of i being no better
            than j. None is unknown and counts as not significant.
        alpha: significance level.
    """
    ranks: list[int] = []
    start = 0
    for place in range(len(p_values)):
        worse = [p_values[other][place] for other in range(start, place)]
        if any(p is not None and p <= alpha for p in worse):
            start = place
            ranks.append(ranks[-1] + 1)
        else:
            ranks.append(ranks[-1] if ranks else 1)
    return ranks


def _swaps(n_units: int, draws: int, seed: int, rows: int, *, is_exact: bool) -> Iterator[Any]:
    """Whether each unit is swapped: arrays of draws x units."""
    import numpy as np

    if is_exact:
        yield (np.arange(2**n_units)[:, None] >> np.arange(n_units)) % 2 == 1
        return
    generator = np.random.Generator(np.random.PCG64(seed))
    for done in range(0, draws - 1, rows):
        yield generator.integers(0, 2, size=(min(rows, draws - 1 - done), n_units)) == 1


def _codes(names: Sequence[Hashable]) -> Any:
    import numpy as np

    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names], dtype=int)


def _stacks(groups: Any) -> list[Any]:
    """Indexes of the texts of groups of two or more: one array of groups x texts for each group size."""
    import numpy as np

    order = np.argsort(groups, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(groups[order])) + 1) if len(order) else []
    sizes = sorted({len(one) for one in members if len(one) > 1})
    return [np.array([one for one in members if len(one) == size]) for size in sizes]


def _full_items(systems: Any, items: Any, n_systems: int) -> Any:
    """Indexes of the texts for items with a text of every system: items x systems."""
    import numpy as np

    places = np.full((int(items.max(initial=-1)) + 1, n_systems), -1)
    places[items, systems] = np.arange(len(items))
    return places[(places >= 0).all(axis=1)]


def _sign_flips(n_items: int, seed: int) -> Any:
    """Signs, flips x items: all combinations, or :data:`_FLIPS` random ones."""
    import numpy as np

    if n_items < 60 and 2**n_items <= _FLIPS:
        return 1.0 - 2.0 * ((np.arange(2**n_items)[:, None] >> np.arange(n_items)) % 2)
    generator = np.random.Generator(np.random.PCG64([seed, 1]))
    return 1.0 - 2.0 * generator.integers(0, 2, size=(_FLIPS, n_items))


def _apart(x: Any, first: Any, second: Any) -> Any:
    """Differences of pairs, 0 within rounding errors, since standardised numbers and their means are inexact."""
    import numpy as np

    found = x[..., first] - x[..., second]
    return np.where(np.abs(found) <= pairwise.ROUNDING, 0.0, found)


def _product_moment(x: Any, y: Any, *, is_ranked: bool) -> Any:
    """Pearson's r, optionally of mid-ranks, over the last axis; NaN if a side is constant."""
    import numpy as np

    if is_ranked:
        from scipy.stats import rankdata

        x, y = (rankdata(np.round(side, 12), axis=-1) for side in (x, y))
    sides = [side - side.mean(axis=-1, keepdims=True) for side in (x, y)]
    spreads = [(side**2).sum(axis=-1) for side in sides]
    with np.errstate(all="ignore"):
        value = (sides[0] * sides[1]).sum(axis=-1) / np.sqrt(spreads[0] * spreads[1])
    varies = [np.abs(side).max(axis=-1) > _ROUNDING for side in sides]
    return np.where(varies[0] & varies[1], value.clip(-1, 1), np.nan)


def _count_different(x: Any) -> Any:
    import numpy as np

    return 1 + (np.diff(np.sort(x, axis=-1), axis=-1) > pairwise.ROUNDING).sum(axis=-1)
