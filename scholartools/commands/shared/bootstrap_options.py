"""Options of commands that compute confidence intervals."""

from __future__ import annotations

from collections.abc import Callable

import click

from scholartools.commands.shared.options import Condition, needs, option, seed_option

_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


def confidence_option(*conditions: Condition) -> Callable[[Callable], Callable]:
    """Option ``--confidence P``."""
    return option(
        "--confidence", metavar="P", type=_SHARE, default=0.95, show_default=True, conditions=conditions,
        help="Level of the confidence intervals.",
    )  # fmt: skip


def adjust_option(*conditions: Condition) -> Callable[[Callable], Callable]:
    """Option ``--adjust METHOD``: correction of p values for the number of tests in the output."""
    return option(
        "--adjust", type=click.Choice(["holm", "bh"]), default="holm", show_default=True, conditions=conditions,
        help="Correct each p value for the number of tests in the output: holm by Holm's method, bh by the method of "
            "Benjamini and Hochberg (false discovery rate).",
    )  # fmt: skip


def bootstrap_options(
    *samples: str, conditions: Condition | tuple[Condition, ...] = (), has_intervals: bool = True
) -> Callable[[Callable], Callable]:
    """Add the option of the number of resamples, and those of the seed and the confidence intervals.

    Args:
        samples: names of the option for the number of resamples.
        conditions: conditions of all these options.
        has_intervals: whether the command has intervals; otherwise only the resamples and the seed can be set.
    """
    several = (conditions,) if isinstance(conditions, Condition) else conditions
    of_samples = (*several, needs("--interval", "bootstrap")) if has_intervals else several

    def add(function: Callable) -> Callable:
        function = seed_option("Random seed of the resampling.", *several)(function)
        if has_intervals:
            function = confidence_option(*several)(function)
            function = option(
                "--interval", type=click.Choice(["jackknife", "bootstrap"]), default="jackknife", show_default=True,
                conditions=conditions,
                help="Method of the confidence intervals. jackknife gives an interval by the t distribution, and "
                    "the p value of the corresponding t-test. bootstrap gives percentile intervals, which are "
                    "too short with fewer than about 40 items or clusters.",
            )(function)  # fmt: skip
        return option(
            *samples, metavar="N", type=click.IntRange(min=100), default=1000, show_default=True,
            conditions=of_samples, help="Number of bootstrap resamples.",
        )(function)  # fmt: skip

    return add
