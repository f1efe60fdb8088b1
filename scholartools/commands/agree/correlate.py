"""st-agree correlate: correlations of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    column_options,
    column_source,
    interval_options,
    interval_resampling,
    long_options,
    reduce_to_results,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import adjust_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import needs, needs_any, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree correlate",
    reads="rows",
    examples=[
        (
            "st-agree correlate --x rouge --x judge --y human --ci scores.jsonl",
            "Correlate two metrics with human scores.",
        ),
        (
            "st-agree correlate --x rouge --y human --by system --table scores.jsonl",
            "Correlate the scores of items, and the mean scores of systems, with human scores.",
        ),
        (
            "st-agree correlate --x score --y human --method method --item item --each aspect --table long.jsonl",
            (
                "Correlate the scores of each method with human scores, and print a table with a row per method and a "
                "column per aspect."
            ),
        ),
    ],
)
@column_options(
    "Record key that holds a number to correlate, such as a metric or a score. --x may be repeated.",
    "Record key that holds a number to correlate with each --x, such as a human score. --y may be repeated.",
)
@long_options()
@option(
    "--by",
    metavar="KEY",
    help=(
        "Add the correlation at system level: the correlation between the means of groups of records, where all "
        "records of a group have the same value at KEY, such as the name of a system."
    ),
)
@option(
    "--within", metavar="KEY",
    help=(
        "Add the mean of the correlation coefficients that are computed within each group of records with the "
        "same value at KEY, such as a paper."
    ),
)  # fmt: skip
@option(
    "--control", metavar="KEY", multiple=True,
    help=(
        "Add partial correlation coefficients, with the number at KEY (such as the length of a text) held constant. "
        "--control may be repeated."
    ),
)  # fmt: skip
@option(
    "--compare", metavar="A B", nargs=2, multiple=True, conditions=(needs("--y"), needs("--ci")),
    help=(
        "Add the difference between the correlation coefficients of A and B, with a p value. A and B are keys "
        "that --x names, or names of methods. --compare may be repeated."
    ),
)  # fmt: skip
@option(
    "--measure", type=click.Choice(["pearson", "spearman", "kendall"]), multiple=True,
    help=(
        "Name of a correlation coefficient to compute; may be repeated [default: all three]."
    ),
)  # fmt: skip
@option(
    "--redraw", type=click.Choice(["items", "systems", "both"]), default="items", show_default=True,
    conditions=(needs("--by"), needs("--ci")),
    help=(
        "Units that the confidence intervals of correlations at system level (--by) treat as a random sample: "
        "items, systems, or both. With --redraw items, the confidence intervals apply only to the given systems."
),
)  # fmt: skip
@option(
    "--compare-all", is_flag=True, conditions=(needs("--y"), needs("--ci")),
    help=(
        "Add the difference between the correlation coefficients of each pair of --x keys (or methods), with a p value."
    ),
)  # fmt: skip
@adjust_option(needs_any("--compare", "--compare-all"))
@interval_options()
@TABLE
def correlate(stream: Stream, table: bool, **options: Any) -> int:
    """Correlate measures by Pearson's r, Spearman's rho and Kendall's tau-b.

    Each record holds several numbers of one item, such as metrics and human scores. With --method, each record holds
    one method's score of one item. st-agree correlate correlates each --x with each --y, or, without --y, each --x with
    each other --x. st-agree correlate writes one result per coefficient and pair. If one of the two correlated numbers
    is the same in all records, the coefficient is null, with the reason. `n` counts the records that have both numbers,
    and `n_missing` counts all other records.
    """
    from scholartools.metrics.statistics.correlation import MEASURES
    from scholartools.tasks.agree.correlation import Comparisons, correlations
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y = options["x"], options["y"]
    if len(x) < (1 if y or options["method"] else 2):
        raise UsageFault("correlate needs --x and --y, or two or more --x: each names the key of a measure")
    if y and {*y} <= {*options["control"]}:
        raise UsageFault("--control needs a --y that is not itself controlled for")
    beside = Comparisons(
        options["control"],
        options["compare"],
        interval_resampling(options),
        options["adjust"],
        options["compare_all"],
        options["redraw"],
    )
    columns = column_source(options, x)
    measures = [one for one in MEASURES if one in (options["measure"] or MEASURES)]
    run = Run(columns, lambda: correlations(columns, x, y, measures, beside=beside))
    return reduce_to_results(stream, run, table=table)
