"""st-agree efficiency: tokens and cost of methods beside their correlation with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    cluster_option,
    column_options,
    column_source,
    long_options,
    reduce_to_results,
    resampling_of,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import bootstrap_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree efficiency",
    reads="rows",
    examples=[
        (
            "st-agree efficiency --x score --y human --method method --item item --table long.jsonl",
            "Show each method's tokens and USD per rating, and its correlation with human scores.",
        ),
        (
            "st-agree efficiency --x score --y human --method method --item item --each aspect --cluster paper "
            "long.jsonl",
            "Compare methods for each aspect, and treat the questions of a paper as dependent.",
        ),
    ],
)
@column_options("Record key that holds a method's score.", "Record key that holds the human score.")
@long_options()
@option(
    "--tokens", metavar="KEY", multiple=True,
    help=(
        "Record key that holds the number of tokens of a rating; if --tokens is repeated, the numbers are summed "
        "[default: usage.prompt_tokens and usage.completion_tokens]."
    ),
)  # fmt: skip
@option(
    "--cost",
    metavar="KEY",
    default="usage.cost",
    show_default=True,
    help="Record key that holds the cost of a rating in USD.",
)
@option(
    "--measure", type=click.Choice(["pearson", "spearman", "kendall"]), default="spearman", show_default=True,
    help="Name of the correlation coefficient to compute.",
)  # fmt: skip
@option(
    "--margin", metavar="D", type=click.FloatRange(0, 2, min_open=True),
    help=(
        "Margin by which the correlation of a method may be below the correlation of the best method. A method is "
        "adequate if the confidence interval of its correlation minus the best method's correlation is wholly "
        "above -D. Without --margin, no method is called adequate."
),
)  # fmt: skip
@option(
    "--fit-cost", metavar="METHOD=USD", multiple=True,
    help=(
        "One-time cost in USD of fitting METHOD by st-judge fit, which is divided among the ratings of METHOD. "
            "--fit-cost may be repeated."
),
)  # fmt: skip
@option(
    "--fit-tokens", metavar="METHOD=N", multiple=True,
    help=(
        "One-time number of tokens for fitting METHOD by st-judge fit, which is divided among the ratings of METHOD."
        " --fit-tokens may be repeated."
    ),
)  # fmt: skip
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def efficiency(stream: Stream, table: bool, **options: Any) -> int:
    """Compare how well methods correlate with people, and how many tokens and USD their ratings cost.

    Each record holds one method's score of one item (--x, --method, --item), the human score (--y), and the cost of the
    rating. st-score rate writes such records. For each method, st-agree efficiency gives its correlation with human
    scores, its mean tokens and USD per rating, and its difference from the best method with a paired interval. With
    --margin, a method is adequate if it is shown to be worse than the best method by less than the margin. `cheapest`
    marks the adequate method with the lowest cost. The last result is the correlation, over methods, between a method's
    coefficient and its tokens per rating.
    """
    from scholartools.tasks.agree.efficiency import Prices, efficiency_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y = options["x"], options["y"]
    if len(x) != 1 or len(y) != 1 or not options["method"]:
        raise UsageFault("efficiency needs one --x, one --y (people's score) and --method")
    fits = [tuple(_parse_amount(text, name) for text in options[name]) for name in ("fit_cost", "fit_tokens")]
    prices = Prices(options["tokens"] or Prices.tokens, options["cost"], *fits)
    columns = column_source(options, x, beside=prices.paths())
    how = resampling_of(options)
    run = Run(
        columns, lambda: efficiency_records(columns, x[0], y[0], options["measure"], prices, how, options["margin"])
    )
    return reduce_to_results(stream, run, table=table)


def _parse_amount(text: str, parameter: str) -> tuple[str, float]:
    """Parse "METHOD=1.25" into the method and the amount.

    Raises:
        UsageFault: the text is not of this form, or the amount is not in 0..1e12.
    """
    method, sign, amount = text.rpartition("=")
    try:
        number = float(amount)
    except ValueError:
        number = -1.0
    if not sign or not method or not 0 <= number < 1e12:
        raise UsageFault(f'expected METHOD=AMOUNT, an amount of 0 or more; not "{text}"', parameter=parameter)
    return method, number
