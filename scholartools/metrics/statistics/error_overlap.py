"""Errors of methods against human scores, and the overlap of the errors of two methods.

After section 4.4.1 of the paper on evaluating research questions: since methods use different ranges, their scores are
discretised at percentiles into as many bins as there are human values; an error is a bin other than that of the human
score. The overlap of two methods is the Jaccard index of their sets of erroneous items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scholartools.errors import UsageFault

Numbers = Sequence[float | None]
# Bin of each item from 0, None for an item without a number.
Places = list[int | None]


@dataclass(frozen=True)
class Bins:
    """Discretised numbers.

    Attributes:
        places: bin of every number, in order; None for a missing number, or for all if the numbers cannot be binned.
        edges: lower limit of each bin except the first; None if there are no bins.
        sizes: number of numbers in each bin, from the lowest; 0 is possible, because of ties.
        reason: why there are no bins, else None.
    """

    places: Places
    edges: list[float] | None
    sizes: list[int] | None
    reason: str | None = None


@dataclass(frozen=True)
class Errors:
    """Errors of a method.

    Attributes:
        share: n_errors / n, in 0..1; None if undefined.
        n_errors: number of errors; None if undefined.
        n: number of items with a score by the method and by people; only these count.
        n_missing: number of items that lack one of the two scores.
        wrong: for each item, whether the method is wrong; None if unknown.
        bins: bins of the method's scores of the n items.
        reason: why the share is None, else None.
    """

    share: float | None
    n_errors: int | None
    n: int
    n_missing: int
    wrong: list[bool | None]
    bins: Bins
    reason: str | None = None


@dataclass(frozen=True)
class Overlap:
    """Overlap of the errors of two methods.

    Attributes:
        value: Jaccard index n_both / n_either, in 0..1; None if neither method has errors.
        n_both: number of items on which both methods are wrong.
        n_either: number of items on which at least one method is wrong.
        n: number of items for which it is known of both methods whether they are wrong; only these count.
        n_missing: number of the other items.
        reason: why the value is None, else None.
    """

    value: float | None
    n_both: int
    n_either: int
    n: int
    n_missing: int
    reason: str | None = None


def percentile_bins(numbers: Numbers, n_bins: int) -> Bins:
    """Discretise numbers into ``n_bins`` bins with edges at equal percentiles, e.g. thirds for three bins.

    The edges are those of numpy.percentile (linear interpolation), the bins those of numpy.digitize: a number on an
    edge belongs to the bin above, and if many ties make two edges equal, the bin between them is empty. Constant
    numbers have no bins.

    Raises:
        UsageFault: fewer than two bins.
    """
    if n_bins < 2:
        raise UsageFault(f"errors need two or more bins, not {n_bins}")
    known = [number for number in numbers if number is not None]
    if len(set(known)) < 2:
        return _no_bins(numbers, "constant" if known else "no number")
    import numpy as np

    cuts = [100 * place / n_bins for place in range(1, n_bins)]
    return _assign_bins(numbers, [float(edge) for edge in np.percentile(known, cuts)])


def truth_bins(numbers: Numbers, n_bins: int) -> Bins:
    """Discretise human scores: if there are as many different values as bins, each value is a bin.

    More values are binned as in :func:`percentile_bins`. Fewer have no bins, since it is unknown which bins they are.
    """
    values = sorted({number for number in numbers if number is not None})
    if len(values) == n_bins:
        return _assign_bins(numbers, values[1:])
    if 1 < len(values) < n_bins:
        return _no_bins(numbers, f"only {len(values)} different values, fewer than the {n_bins} bins")
    return percentile_bins(numbers, n_bins)


def errors(scores: Numbers, truth: Bins, n_bins: int) -> Errors:
    """Errors of a method: items whose score is in another bin than the human score.

    The bins of the method are based on its scores of the items with human scores.

    Args:
        scores: scores of the method by item; None if missing.
        truth: bins of the human scores of the same items, in the same order.
        n_bins: number of bins.

    Raises:
        ValueError: the sequences differ in length.
    """
    paired = list(zip(scores, truth.places, strict=True))
    kept = [score if place is not None else None for score, place in paired]
    bins = percentile_bins(kept, n_bins)
    n = len(kept) - kept.count(None)
    blank = Errors(None, None, n, len(kept) - n, [None] * len(kept), bins)
    if truth.reason is not None:
        return replace(blank, reason=f"the truth is not binned: {truth.reason}")
    if bins.reason is not None:
        return replace(blank, reason=f"not binned: {bins.reason}")
    wrong = [None if own is None else own != true for own, true in zip(bins.places, truth.places, strict=True)]
    n_errors = wrong.count(True)
    return replace(blank, share=n_errors / n, n_errors=n_errors, wrong=wrong)


def error_overlap(first: Sequence[bool | None], second: Sequence[bool | None]) -> Overlap:
    """Jaccard index of two sets of errors, over the items for which both are known.

    Args:
        first: for every item whether one method is wrong, None if unknown.
        second: likewise for the other method, in the same order.

    Raises:
        ValueError: the sequences differ in length.
    """
    known = [pair for pair in zip(first, second, strict=True) if None not in pair]
    both, either = sum(all(pair) for pair in known), sum(any(pair) for pair in known)
    blank = Overlap(None, both, either, len(known), len(first) - len(known))
    if not known:
        return replace(blank, reason="no item for which the errors of both methods are known")
    if not either:
        return replace(blank, reason="neither method has an error")
    return replace(blank, value=both / either)


def _assign_bins(numbers: Numbers, edges: list[float]) -> Bins:
    import numpy as np

    found = iter(np.digitize([number for number in numbers if number is not None], edges).tolist())
    places = [None if number is None else next(found) for number in numbers]
    return Bins(places, edges, [places.count(place) for place in range(len(edges) + 1)])


def _no_bins(numbers: Numbers, reason: str) -> Bins:
    return Bins([None] * len(numbers), None, None, reason)
