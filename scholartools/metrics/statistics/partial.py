"""Partial correlation of two measures, and the difference of the correlations of two measures with a third."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.correlation import (
    Correlation,
    Measure,
    Numbers,
    correlation,
    sample_coefficients,
)
from scholartools.metrics.statistics.paired_bootstrap import Difference, statistic_difference
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling, Statistic

# Smallest eigenvalue of a correlation matrix below which its columns count as linearly dependent.
_SINGULAR = 1e-9


def partial_correlation(x: Numbers, y: Numbers, controls: Sequence[Numbers], measure: Measure) -> Correlation:
    """Partial correlation of x and y given the controls.

    With R the correlation matrix of x, y and the controls and P its inverse, it is -P_xy / sqrt(P_xx P_yy); with one
    control z that is (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2) (1 - r_yz^2)), which is also the formula of Kendall's
    partial tau (Kendall & Stuart, chapter 27). Only items with all numbers count. Without controls it is the plain
    coefficient.

    Undefined if a column is constant, or if the columns are linearly dependent.
    """
    columns = [x, y, *controls]
    kept = resampling.keep_complete(columns)
    if len(columns) == 2:
        return correlation(x, y, measure)
    blank = Correlation(None, len(kept[0]), len(x) - len(kept[0]))
    names = ["x", "y", *(["the control"] if len(controls) == 1 else [f"control {i + 1}" for i in range(len(controls))])]
    matrix = [[1.0] * len(columns) for _ in columns]
    for i, j in combinations(range(len(columns)), 2):
        found = correlation(kept[i], kept[j], measure)
        if found.value is None:
            return replace(blank, reason=_name_columns(str(found.reason), names[i], names[j]))
        matrix[i][j] = matrix[j][i] = found.value
    value = float(_partial_of(matrix))
    if math.isnan(value):
        return replace(blank, reason="x, y and the controlled variables determine each other")
    return replace(blank, value=value)


def partial_interval(
    x: Numbers,
    y: Numbers,
    controls: Sequence[Numbers],
    measure: Measure,
    how: Resampling,
    clusters: Clusters = None,
) -> Percentiles:
    """Interval of :func:`partial_correlation` over items, or over clusters of them."""
    columns = [x, y, *controls]
    kept = resampling.keep_complete(columns)
    statistic = _sample_partials(kept[0], kept[1], kept[2:], measure)
    return resampling.interval(
        statistic, len(kept[0]), how, resampling.clusters_of_complete(columns, clusters), is_coefficient=True
    )


def coefficient_difference(
    first: Numbers,
    second: Numbers,
    y: Numbers,
    controls: Sequence[Numbers],
    measure: Measure,
    how: Resampling,
    clusters: Clusters = None,
) -> tuple[Correlation, Correlation, Difference]:
    """Coefficients of two measures with y, and their difference first - second with interval and p.

    All three are over the items with every number. The samples contain the items of both measures together, and p is
    that of :func:`scholartools.metrics.statistics.paired_bootstrap.paired_bootstrap`.
    """
    columns = [first, second, y, *controls]
    one, other, truth, *held = resampling.keep_complete(columns)
    found = [partial_correlation(side, truth, held, measure) for side in (one, other)]
    if len(one) == 2 and not held:
        blank = Percentiles(None, None, 2, 0, "any two pairs of numbers have a coefficient of 1 or -1")
        return found[0], found[1], Difference(None, 2, blank, None, found[0].reason or found[1].reason or blank.reason)
    statistics = [_sample_partials(side, truth, held, measure) for side in (one, other)]
    difference = statistic_difference(
        [side.value for side in found], [side.reason for side in found],
        lambda counts: statistics[0](counts) - statistics[1](counts), len(one), how,
        resampling.clusters_of_complete(columns, clusters),
    )  # fmt: skip
    return found[0], found[1], difference


def _name_columns(reason: str, x: str, y: str) -> str:
    """Reason why two columns have no coefficient, with x and y replaced by their names."""
    words = {"x": x, "y": y}
    return " ".join(words.get(word, word) for word in reason.split(" "))


def _sample_partials(x: Numbers, y: Numbers, controls: Sequence[Numbers], measure: Measure) -> Statistic:
    """:func:`partial_correlation` as a statistic of samples of complete items."""
    import numpy as np

    columns = [x, y, *controls]
    if len(columns) == 2:
        return sample_coefficients(x, y, measure)
    pairs = list(combinations(range(len(columns)), 2))
    statistics = [sample_coefficients(columns[i], columns[j], measure) for i, j in pairs]

    def statistic(counts: Any) -> Any:
        matrices = np.tile(np.eye(len(columns)), (len(counts), 1, 1))
        for (i, j), of_pair in zip(pairs, statistics, strict=True):
            matrices[:, i, j] = matrices[:, j, i] = of_pair(counts)
        return _partial_of(matrices)

    return statistic


def _partial_of(matrices: Any) -> Any:
    """Partial coefficients of the first two columns, NaN if a matrix contains NaN or is singular.

    Args:
        matrices: correlation matrices of all columns, ... x columns x columns.
    """
    import numpy as np

    matrices = np.asarray(matrices, dtype=float)
    finite = np.isfinite(matrices).all(axis=(-2, -1))
    known = np.where(finite[..., None, None], matrices, np.eye(matrices.shape[-1]))
    regular = finite & (np.linalg.eigvalsh(known)[..., 0] > _SINGULAR)
    inverse = np.linalg.inv(np.where(regular[..., None, None], known, np.eye(matrices.shape[-1])))
    values = -inverse[..., 0, 1] / np.sqrt(inverse[..., 0, 0] * inverse[..., 1, 1])
    return np.where(regular, values.clip(-1, 1), math.nan)
