"""Errors of methods against people's scores, and how far the errors of two methods are the same.

After the paper on evaluating research questions, section 4.4.1: methods score in ranges of their own, so their scores
are turned into as many values as people's have, at percentiles; an error is another value than people's. The overlap of
two methods is the Jaccard index of the sets of things they are wrong about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scholartools.errors import UsageFault

Numbers = Sequence[float | None]
# The bin of each thing from 0, None for a thing without a number.
Places = list[int | None]


@dataclass(frozen=True)
class Bins:
    """Numbers in bins.

    Attributes:
        places: the bin of every number, in the order of the numbers; None for a missing one, or for all where the
            numbers cannot be binned.
        edges: the lowest number that each bin but the first may hold; None where there are no bins.
        sizes: numbers in each bin, from the lowest. Ties can leave one empty.
        reason: why there are no bins, else None.
    """

    places: Places
    edges: list[float] | None
    sizes: list[int] | None
    reason: str | None = None


@dataclass(frozen=True)
class Errors:
    """What a method is wrong about.

    Attributes:
        share: errors over n, in 0..1; None where it is not defined.
        n_errors: how many there are; None where it is not defined.
        n: things with a score by the method and by people, which alone count.
        n_missing: things that lack one.
        wrong: of every thing whether the method is wrong about it; None where it is not known.
        bins: of the method's scores for those n.
        reason: why there is no share, else None.
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
    """How far two methods are wrong about the same things.

    Attributes:
        value: Jaccard index n_both / n_either, in 0..1; None where neither is wrong about anything.
        n_both: things both are wrong about.
        n_either: things one of them, or both, are wrong about.
        n: things for which both are known to be right or wrong, which alone count.
        n_missing: all others.
        reason: why the value is None, else None.
    """

    value: float | None
    n_both: int
    n_either: int
    n: int
    n_missing: int
    reason: str | None = None


def percentile_bins(numbers: Numbers, n_bins: int) -> Bins:
    """Numbers in ``n_bins`` bins with edges at equal percentiles of these numbers: thirds, where there are three.

    The edges are those of numpy.percentile (linear interpolation), the bins those of numpy.digitize: a number that lies
    on an edge is of the bin above it, and where two edges are one number, because many numbers are tied, the bin
    between them is empty. Numbers that are all one have no bins.

    Raises:
        UsageFault: fewer than two bins are asked for.
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
    """People's scores in bins: as many different ones as there are bins are the bins, and are not cut at percentiles.

    More are cut as in :func:`percentile_bins`. Fewer have no bins: which of them stands for which is not known.
    """
    values = sorted({number for number in numbers if number is not None})
    if len(values) == n_bins:
        return _assign_bins(numbers, values[1:])
    if 1 < len(values) < n_bins:
        return _no_bins(numbers, f"only {len(values)} different values, fewer than the {n_bins} bins")
    return percentile_bins(numbers, n_bins)


def errors(scores: Numbers, truth: Bins, n_bins: int) -> Errors:
    """What a method is wrong about: things whose score is in another bin than people's.

    The method's bins are those of its scores for the things that people scored.

    Args:
        scores: of the method, thing by thing; None is a missing one.
        truth: bins of people's scores of the same things, in the same order.
        n_bins: how many bins there are.

    Raises:
        ValueError: there are not as many scores as places in the truth.
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
    """The Jaccard index of two sets of errors, over the things for which both are known.

    Args:
        first: of every thing whether the one method is wrong about it, None where it is not known.
        second: the same of the other method, in the same order.

    Raises:
        ValueError: the two are not of one length.
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
