"""ITF-IDF: how little a system's items repeat themselves, within a paper and across papers (AAAR-1.0, eq. 6 to 8)."""

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

# What becomes of papers without items: they score 0 and count, or are dropped.
Empty = Literal["zero", "drop"]

# Items of a group of papers that are compared with another at once: 16 MB of similarities, which stay in the cache.
_GROUP = 1_400


@dataclass(frozen=True)
class Diversity:
    """ITF-IDF of a corpus, its papers and their items.

    Attributes:
        value: the mean over the papers that have one.
        papers: for each paper, the mean over its items; of one without items 0, or undefined where these are dropped.
        items: for each paper, the value of each of its items; nothing is lost to a threshold or a rank.
        n_papers: the n of the formula, and what is averaged over.
        n_empty: papers without an item, whether they are counted or dropped.
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

    Of an item, m is the number of items of its paper, O the sum of its similarities to them (itself included), n the
    number of papers, and R one plus the sum, over the other papers, of its greatest similarity to an item
    there. With a threshold t, as the published numbers were made, O takes similarities >= t; R takes greatest
    similarities that were first rounded to two decimals (half to even), where those are >= t. With none, all
    similarities count, unrounded, as the equations are printed.

    Similarities are cosines computed in double and rounded to single precision, where t is compared with them. So equal
    texts have exactly 1, and what the order of summation (size of groups, threads) does to the last digits is gone.

    A paper without items scores 0 and counts in n, as in the authors' script, which puts the one item "None" in its
    place; with ``empty="drop"`` it has no value and does not count. An item is undefined where O or R is not positive
    (only possible without a threshold, where negative similarities count too), and so is then its paper.

    Args:
        vectors: (items, d), paper after paper. Time grows with the square of the items, memory
            with their number and with the square of the longest paper's (6,000 items of one paper: 420 MB).
        sizes: number of items of each paper, 0 allowed.
        threshold: t in 0..1, or None for no threshold.
        empty: what becomes of papers without items.

    Raises:
        InputFault: sizes that are not those of the vectors, or a vector of zeros (an empty text), which is like
            nothing and would count as the most diverse of all.
        UsageFault: a threshold outside 0..1.
    """
    return itf_idf_at(vectors, sizes, [threshold], empty=empty)[0]


def itf_idf_at(
    vectors: ndarray, sizes: Sequence[int], thresholds: Sequence[float | None], *, empty: Empty = "zero",
    group: int = _GROUP,
) -> list[Diversity]:  # fmt: skip
    """:func:`itf_idf` at each of several thresholds, for the time of one: nearly all of it goes into the similarities.

    Args:
        group: items of papers that are compared with those of others at once, about.
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
    """O of every item, a row for each threshold: the sum of its similarities to the items of its own paper."""
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
    """R of every item, a row for each threshold: the sum of its greatest similarities to every paper.

    The greatest to its own paper is that to itself, the one that R begins with. Every two groups are compared once, for
    the items of both.
    """
    import numpy as np

    sums = np.zeros((len(thresholds), len(units)))
    groups = list(_groups(sizes, group))
    for place, (rows, starts) in enumerate(groups):
        for columns, other_starts in groups[place:]:
            similarity = units[rows] @ units[columns].T
            greatest = [(rows, np.maximum.reduceat(similarity, other_starts, axis=1))]
            if columns != rows:
                # One paper after the other: reduceat along the first axis takes five times as long.
                of_papers = np.split(similarity, starts[1:])
                greatest.append((columns, np.stack([paper.max(axis=0) for paper in of_papers], axis=1)))
            for items, found in greatest:
                for row, threshold in zip(sums, thresholds):
                    row[items] += _count_similarities(found, threshold).sum(axis=1)
    return sums


def _groups(sizes: ndarray, group: int) -> Iterator[tuple[slice, ndarray]]:
    """Runs of papers of about so many items together: where the items are, and where among them each paper begins."""
    import numpy as np

    ends = sizes.cumsum()
    for run in np.split(np.arange(len(sizes)), np.flatnonzero(np.diff((ends - 1) // group)) + 1) if len(sizes) else ():
        starts = ends[run] - sizes[run]
        yield slice(int(starts[0]), int(ends[run[-1]])), starts - starts[0]


def _count_similarities(greatest: ndarray, threshold: float | None) -> ndarray:
    """Greatest similarities as R counts them."""
    import numpy as np

    counted = greatest.astype(np.float32).astype(np.float64)
    if threshold is None:
        return counted
    # A single-precision number times 100 is exact in double, so this rounds as decimal arithmetic does.
    counted = np.rint(counted * 100) / 100
    counted[counted < threshold] = 0
    return counted


def _diversity(own: ndarray, spread: ndarray, sizes: Sequence[int], n_papers: int, nothing: Value) -> Diversity:
    """The values of all items, papers and the corpus, by O and R of every item."""
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
