"""ITF-IDF: diversity of a system's items, within a paper and across papers (AAAR-1.0, equations 6 to 8)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.values import Value
from scholartools.metrics.vectors import unit_rows

if TYPE_CHECKING:
    from numpy import ndarray

THRESHOLD = 0.5

# Treatment of papers without items: they score 0 and count, or are dropped.
Empty = Literal["zero", "drop"]

# Approximate number of items per group of papers in the comparison: 16 MB of similarities, which fit in the CPU cache.
_GROUP = 1_400


@dataclass(frozen=True)
class Diversity:
    """ITF-IDF of a corpus, of its papers, and of their items.

    Attributes:
        value: mean over the papers with a value.
        papers: for each paper, the mean over its items; for a paper without items 0, or undefined if these are dropped.
        items: for each paper, the value of each item, without thresholding or ranking.
        n_papers: n in the formula, the number of papers averaged over.
        n_empty: number of papers without items, counted or dropped.
    """

    value: Value
    papers: list[Value]
    items: list[list[Value]]
    n_papers: int
    n_empty: int


def itf_idf(
    vectors: ndarray, sizes: Sequence[int], threshold: float | None = THRESHOLD, *, empty: Empty = "zero"
) -> Diversity:
    """ITF-IDF: the mean over papers of the mean over items of ``ln(m / O) * ln(n / R)``.

    For an item, m is the number of items of its paper, O the sum of its similarities to them (including itself), n the
    number of papers, and R is one plus the sum over the other papers of its greatest similarity to an item there. With
    a threshold t, as in the published numbers, O uses similarities >= t; R uses greatest similarities rounded to two
    decimals (half to even), if these are >= t. Without a threshold, all similarities count unrounded, as in the printed
    equations.

    Similarities are cosines in double precision, rounded to single precision before the comparison with t. So equal
    texts have exactly 1, and the effect of the order of summation (group size, threads) on the last digits is removed.

    A paper without items scores 0 and counts in n, as in the authors' script, which inserts the single item "None";
    with ``empty="drop"`` it has no value and does not count. An item is undefined if O or R is not positive (only
    possible without a threshold, where negative similarities count), and then so is its paper.

    Args:
        vectors: (items, d), paper by paper. Time is quadratic in the number of items; memory is linear in it and
            quadratic in the size of the longest paper (6,000 items of one paper: 420 MB).
        sizes: number of items of each paper, 0 allowed.
        threshold: t in 0..1, or None for no threshold.
        empty: treatment of papers without items.

    Raises:
        InputFault: sizes do not match the vectors, or a vector is zero (an empty text), which is similar to nothing and
            would count as the most diverse.
        UsageFault: the threshold is not in 0..1.
    """
    return itf_idf_at(vectors, sizes, [threshold], empty=empty)[0]


def itf_idf_at(
    vectors: ndarray, sizes: Sequence[int], thresholds: Sequence[float | None], *, empty: Empty = "zero",
    group: int = _GROUP,
) -> list[Diversity]:  # fmt: skip
    """:func:`itf_idf` at several thresholds in the time of one, since computing the similarities dominates.

    Args:
        group: approximate number of items per group of papers in the comparison.
    """
    import numpy as np

    for threshold in thresholds:
        if threshold is not None and not 0 <= threshold <= 1:
            raise UsageFault(f"a similarity threshold must be in 0..1, not {threshold}")
    units = unit_rows(vectors)
    _check_sizes(units, sizes)
    filled = np.array([size for size in sizes if size], dtype=np.intp)
    n_papers = len(filled) if empty == "drop" else len(sizes)
    sums = zip(_own_sums(units, filled, thresholds), _spread_sums(units, filled, thresholds, group))
    nothing = Value(None, "no item") if empty == "drop" else Value(0.0)
    return [_diversity(own, spread, sizes, n_papers, nothing) for own, spread in sums]


def _check_sizes(units: ndarray, sizes: Sequence[int]) -> None:
    if sum(sizes) != len(units) or min(sizes, default=0) < 0:
        raise InputFault(f"{len(units)} vectors for papers of {sum(sizes)} items", kind="invalid-key")
    if not (known := units.any(axis=1)).all():
        reason = f"item {int(known.argmin()) + 1} has a vector of zeros: an empty text has no diversity"
        raise InputFault(reason, kind="invalid-key")


def _own_sums(units: ndarray, sizes: ndarray, thresholds: Sequence[float | None]) -> ndarray:
    """O of every item, one row per threshold: the sum of its similarities to the items of its own paper."""
    import numpy as np

    sums = np.zeros((len(thresholds), len(units)))
    for end, size in zip(sizes.cumsum(), sizes):
        own = slice(end - size, end)
        similarity = (units[own] @ units[own].T).astype(np.float32)
        for row, threshold in zip(sums, thresholds):
            counts = -np.inf if threshold is None else np.float32(threshold)
            row[own] = similarity.sum(axis=1, dtype=np.float64, where=similarity >= counts)
    return sums


def _spread_sums(units: ndarray, sizes: ndarray, thresholds: Sequence[float | None], group: int) -> ndarray:
    """R of every item, one row per threshold: the sum of its greatest similarities to every paper.

    The greatest similarity to its own paper is 1, to itself, the one that R starts with. Every two groups are compared
    once, for the items of both.
    """
    import numpy as np

    sums = np.zeros((len(thresholds), len(units)))
    groups = list(_groups(sizes, group))
    for place, (rows, starts) in enumerate(groups):
        for columns, other_starts in groups[place:]:
            similarity = units[rows] @ units[columns].T
            greatest = [(rows, np.maximum.reduceat(similarity, other_starts, axis=1))]
            if columns != rows:
                # Paper by paper: reduceat along the first axis takes five times as long.
                of_papers = np.split(similarity, starts[1:])
                greatest.append((columns, np.stack([paper.max(axis=0) for paper in of_papers], axis=1)))
            for items, found in greatest:
                for row, threshold in zip(sums, thresholds):
                    row[items] += _count_similarities(found, threshold).sum(axis=1)
    return sums


def _groups(sizes: ndarray, group: int) -> Iterator[tuple[slice, ndarray]]:
    """Groups of papers with about ``group`` items: the slice of their items, and the start of each paper in it."""
    import numpy as np

    ends = sizes.cumsum()
    for run in np.split(np.arange(len(sizes)), np.flatnonzero(np.diff((ends - 1) // group)) + 1) if len(sizes) else ():
        starts = ends[run] - sizes[run]
        yield slice(int(starts[0]), int(ends[run[-1]])), starts - starts[0]


def _count_similarities(greatest: ndarray, threshold: float | None) -> ndarray:
    """Greatest similarities as counted in R."""
    import numpy as np

    counted = greatest.astype(np.float32).astype(np.float64)
    if threshold is None:
        return counted
    # A single-precision number times 100 is exact in double precision, so this rounds as decimal arithmetic does.
    counted = np.rint(counted * 100) / 100
    counted[counted < threshold] = 0
    return counted


def _diversity(own: ndarray, spread: ndarray, sizes: Sequence[int], n_papers: int, nothing: Value) -> Diversity:
    """Values of all items, papers and the corpus, from O and R of every item."""
    sums = zip(own.tolist(), spread.tolist())
    items = [[_item_value(size, *next(sums), n_papers) for _ in range(size)] for size in sizes]
    papers = [_mean_value(values) if values else nothing for values in items]
    known = [paper for paper in papers if paper.value is not None]
    value = _mean_value(known) if known else Value(None, "no paper has a value")
    return Diversity(value, papers, items, n_papers, list(sizes).count(0))


def _item_value(n_items: int, own_sum: float, spread: float, n_papers: int) -> Value:
    if own_sum <= 0 or spread <= 0:
        return Value(None, "negative similarities outweigh the others")
    return Value(math.log(n_items / own_sum) * math.log(n_papers / spread))


def _mean_value(values: Sequence[Value]) -> Value:
    known = [value.value for value in values if value.value is not None]
    if len(known) < len(values):
        return Value(None, f"{len(values) - len(known)} of {len(values)} items are undefined")
    return Value(sum(known) / len(known))
