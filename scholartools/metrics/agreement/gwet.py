"""Gwet's coefficients AC1 and AC2, which do not drop if nearly all ratings have the same value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scholartools.metrics.agreement.coefficients import Agreement, Weighting, paired_units, scale_down
from scholartools.metrics.agreement.scales import Order, Rating, Units, identity, place, places
from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling


def gwet_ac(units: Units, weighting: Weighting | None = None, order: Order = None) -> Agreement:
    """Gwet's AC1, or AC2 with weights (Gwet 2014, chapter 5): ``(p_a - p_e) / (1 - p_e)``, for any number of raters.

    p_a is the mean over items with two or more ratings of the weight of a pair of ratings. With q values, pi the mean
    share of a value over all rated items, and T the sum of all weights, p_e is ``T / (q (q - 1)) * sum pi (1 - pi)``.
    The weight of two values is 1 if they are equal; otherwise 0, or if weighted, 1 minus their distance (quadratic:
    squared) divided by the largest. The values are those that occur, or those of ``order``: a value that nobody gave
    lowers p_e.

    Raises:
        InputFault: a value is not in the order.
        UsageFault: weights for words without an order.
    """
    paired, blank = paired_units(units)
    if not paired:
        return blank
    rated = [[value for value in unit if value is not None] for unit in units]
    codes, weights = _value_weights([unit for unit in rated if unit], weighting, order)
    if len(weights) < 2:
        return replace(blank, reason="only one value occurs")
    counts = _count_values([unit for unit in rated if unit], codes, len(weights))
    value = _ac_of(counts, weights)[0]
    return replace(blank, value=float(value), reason=None)


def _value_weights(
    units: Sequence[Sequence[Rating]], weighting: Weighting | None, order: Order
) -> tuple[dict[tuple[bool, Rating], int], Any]:
    """Code of each value, and the q x q array of weights of pairs of codes."""
    import numpy as np

    given = {identity(value): value for unit in units for value in unit}
    if order is not None:
        codes = {one: int(place(value, "ordinal", order)) for one, value in given.items()}
        points = np.arange(float(len(order)))
    elif weighting is None:
        codes, points = {one: code for code, one in enumerate(given)}, np.arange(float(len(given)))
    else:
        for value in given.values():
            place(value, "ordinal")
        numbers = places(units, "interval", None)
        points = np.array(sorted(set(numbers.values())))
        codes = {one: int(np.searchsorted(points, number)) for one, number in numbers.items()}
    if weighting is None or len(points) < 2:
        return codes, np.eye(len(points))
    points = scale_down(points)
    apart = np.abs(points[:, None] - points[None, :]) / float(np.ptp(points))
    return codes, 1 - (apart if weighting == "linear" else apart**2)


def _count_values(units: Sequence[Sequence[Rating]], codes: dict[tuple[bool, Rating], int], n_values: int) -> Any:
    """Number of ratings per item and value: an array of items x values."""
    import numpy as np

    counts = np.zeros((len(units), n_values))
    for row, unit in zip(counts, units, strict=True):
        for value in unit:
            row[codes[identity(value)]] += 1
    return counts


def _ac_of(counts: Any, weights: Any, drawn: Any = None) -> Any:
    """Gwet's coefficient from counts (items x values), or of each sample in ``drawn`` (samples x items)."""
    import numpy as np

    sizes, q = counts.sum(axis=1), len(weights)
    drawn = np.ones((1, len(counts))) if drawn is None else drawn
    paired = sizes > 1
    of_item = (counts * (counts @ weights - 1)).sum(axis=1)[paired] / (sizes * (sizes - 1))[paired]
    observed = drawn[:, paired] @ of_item / drawn[:, paired].sum(axis=1)
    shares = drawn @ (counts / sizes[:, None]) / drawn.sum(axis=1, keepdims=True)
    chance = weights.sum() / (q * (q - 1)) * (shares * (1 - shares)).sum(axis=1)
    return (observed - chance) / (1 - chance)


def gwet_interval(
    units: Units,
    how: Resampling,
    clusters: Clusters = None,
    weighting: Weighting | None = None,
    order: Order = None,
) -> Percentiles:
    """Interval of :func:`gwet_ac`, if that is defined: over all rated items, with the values of the whole."""
    kept = [place for place, unit in enumerate(units) if any(value is not None for value in unit)]
    rated = [[value for value in units[place] if value is not None] for place in kept]
    codes, weights = _value_weights(rated, weighting, order)
    counts = _count_values(rated, codes, len(weights))
    of_kept = None if clusters is None else [clusters[place] for place in kept]
    return resampling.interval(
        lambda drawn: _ac_of(counts, weights, drawn), len(kept), how, of_kept, is_coefficient=True
    )


def weighted_agreement(units: Units, weighting: Weighting | None = None, order: Order = None) -> Agreement:
    """Weighted percent agreement: p_a of :func:`gwet_ac`, the mean over items with two or more ratings, in 0..1."""
    paired, blank = paired_units(units)
    if not paired:
        return blank
    of_item = _item_agreements(paired, weighting, order)
    return replace(blank, value=float(of_item.mean()), reason=None)


def weighted_agreement_interval(
    units: Units,
    how: Resampling,
    clusters: Clusters = None,
    weighting: Weighting | None = None,
    order: Order = None,
) -> Percentiles:
    """Interval of :func:`weighted_agreement`, a mean over items."""
    kept = [place for place, unit in enumerate(units) if sum(value is not None for value in unit) > 1]
    of_kept = None if clusters is None else [clusters[place] for place in kept]
    rated = [[value for value in units[place] if value is not None] for place in kept]
    of_item = _item_agreements(rated, weighting, order).tolist() if rated else []
    return resampling.ratio_interval(of_item, [1.0] * len(of_item), how, of_kept).limit(resampling.SHARE)


def _item_agreements(units: Sequence[Sequence[Rating]], weighting: Weighting | None, order: Order) -> Any:
    """Mean weight of the pairs of ratings of each item."""
    codes, weights = _value_weights(units, weighting, order)
    counts = _count_values(units, codes, len(weights))
    sizes = counts.sum(axis=1)
    return (counts * (counts @ weights - 1)).sum(axis=1) / (sizes * (sizes - 1))
