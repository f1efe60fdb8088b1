"""st-agree calibrate: recalibrate a judge's probabilities to the observed frequencies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    column_options,
    judge_and_people,
    long_options,
    reduce_to_results,
    split_options,
)
from scholartools.commands.shared.bootstrap_options import confidence_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import needs, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree calibrate",
    reads="rows",
    examples=[
        (
            "st-agree calibrate --x p --y valid --item item --group paper scores.jsonl | "
            "st-agree plot --kind reliability --x value --y outcome --item item --output after.svg",
            "Fit a sigmoid, and plot how often items of other papers are valid against the probability that the "
            "sigmoid predicts.",
        ),
        (
            "st-agree calibrate --summary --fit isotonic --scale logprob --x lp --y valid=yes --item id s.jsonl",
            ("Compute the calibration error of a judge's log probabilities before and after recalibration."),
        ),
    ],
)
@column_options(
    "Record key that holds a judge's score or probability.",
    (
        "Record key that holds the outcome that the judge predicts, 1 or 0. With --y KEY=VALUE, the outcome is 1 "
        "if the record has VALUE at KEY, and otherwise 0."
    ),
)
@long_options()
@option(
    "--fit", type=click.Choice(["platt", "isotonic"]), default="platt", show_default=True,
    help=(
        "Kind of recalibration function: platt is a sigmoid of the log odds (or of the score), and isotonic is "
            "isotonic regression, which needs at least a hundred items."
),
)  # fmt: skip
@option(
    "--scale", type=click.Choice(["probability", "logprob", "score"]), default="probability", show_default=True,
    help=(
        "Type of the judge's scores: probability, logprob (natural logarithms of probabilities), or score (any "
        "numbers)."
    ),
)  # fmt: skip
@option(
    "--folds", metavar="N", type=click.IntRange(2, 1000), default=5, show_default=True,
    help=(
        "Number of folds of the cross-validation. The recalibration function for the items of one fold is fitted "
        "on the items of the other folds."
    ),
)  # fmt: skip
@split_options()
@option(
    "--summary",
    is_flag=True,
    help=("Write the calibration errors before and after recalibration instead of the probabilities."),
)
@option(
    "--bins", metavar="N", type=click.IntRange(1, 100), default=10, show_default=True, conditions=needs("--summary"),
    help="Number of bins of equal width into which the probabilities are divided.",
)  # fmt: skip
@confidence_option(needs("--summary"))
@TABLE
def calibrate(stream: Stream, table: bool, **options: Any) -> int:
    """Calibrate a judge: convert its scores to probabilities that match the observed frequencies.

    Each record holds a judge's score or probability (--x) for one item, and the outcome (--y), 1 or 0: for example,
    whether people call the item valid. st-agree calibrate computes the probability of an item by a function that was
    fitted on the items of other groups (papers). st-agree calibrate writes one record per item. With --summary,
    st-agree calibrate writes the expected calibration error with its interval, and the Brier score, before and after
    recalibration.
    """
    from scholartools.metrics.statistics.resampling import Resampling
    from scholartools.tasks.agree.people.calibration import Wanted, item_records, summary_records
    from scholartools.tasks.agree.run import Run

    columns, x, y = judge_and_people(stream, "calibrate", "the outcome, 1 or 0", {**options, "of": options["y"]})
    if table and not options["summary"]:
        raise UsageFault("--table needs --summary")
    how = Resampling(confidence=options["confidence"], seed=options["seed"])
    wanted = Wanted(options["fit"], options["scale"], options["folds"], options["bins"], how)
    make = summary_records if options["summary"] else item_records
    run = Run(columns, lambda: make(columns, x, y, wanted))
    return reduce_to_results(stream, run, table=table)
