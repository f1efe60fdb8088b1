"""st-agree plot: figures of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scholartools.commands.agree.options import take_statistics
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree plot",
    reads="rows",
    examples=[
        (
            "st-agree errors --x score --y human --method method --item item --each aspect --bins truth long.jsonl | "
            "st-agree plot --output errors.svg",
            "Whether methods err on the same items: a heat map for each aspect.",
        ),
        ("st-agree plot runs.jsonl --measure kendall --output runs.svg", "Coefficients of repeated runs."),
    ],
)
@option(
    "--measure", type=click.Choice(["pearson", "spearman", "kendall"]), default="spearman", show_default=True,
    help="Coefficient that is shown of results of runs, which have three.",
)  # fmt: skip
@option(
    "--columns", metavar="N", type=click.IntRange(min=1), default=1, show_default=True,
    help="Number of panels in a row: 1 for a column of a paper, 3 for its whole width.",
)  # fmt: skip
def plot(stream: Stream, measure: str, columns: int) -> int:
    """Draw results of st-agree as an SVG figure.

    Reads the results of one statistic, and draws a panel for each value of --each: of `errors` a heat map of how far
    methods err on the same items, of `runs` a violin of each method's coefficients, of `efficiency` coefficients with
    their intervals against the tokens of a rating. The figure needs no other program or package to be made.
    """
    from scholartools.tasks.agree.figures import Results

    take_statistics(stream)
    results = Results(measure, columns)
    return stream.reduce_records(results.add, lambda _: results.draw_figure())
