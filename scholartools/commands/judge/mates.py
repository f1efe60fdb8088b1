"""st-judge mates: whether batcheval scores depend on the other texts of the batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-judge mates",
    shards=False,
    examples=[
        ("st-judge mates rated.jsonl", "The slope of scores on those of the batch, for each aspect."),
        (
            "st-judge rate questions.jsonl --method batcheval --rounds 10 --model openai/gpt-4o-mini | st-judge mates",
            "More rounds make the interval narrower.",
        ),
    ],
)
@option("--resamples", metavar="N", type=click.IntRange(min=1), default=1000, show_default=True,
        help="Number of bootstrap samples over texts.")  # fmt: skip
@option("--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the bootstrap.")
def mates(stream: Stream, resamples: int, seed: int) -> int:
    """Test whether batcheval scores depend on the other texts of the batch (the mates of a text).

    Reads `judgements.rate` and writes a record for each aspect and judge: `slope`, by how much a score rises where the
    other texts of the batch are better by 1 (0: not at all; 1: it adds what they have), and for each place in the
    batch the mean of a score less the text's own mean over rounds. Both have 95 % intervals over texts. To learn how
    much scores vary within the same batches, run `st-judge rate` again with --cache-namespace, and compare by st-agree
    runs.
    """
    from scholartools.metrics.statistics.resampling import Resampling
    from scholartools.tasks.judge.rate.mates import BatchScores

    scores = BatchScores()
    how = Resampling(resamples, seed=seed, method="bootstrap")
    return stream.reduce_records(scores.add, lambda _: scores.report(how))
