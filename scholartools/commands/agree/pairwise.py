"""st-agree pairwise, rank: agreement of metrics with people on the order of texts or systems; ranking of metrics."""

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
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import adjust_option, confidence_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, option, seed_option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree pairwise",
    reads="rows",
    examples=[
        (
            "st-agree pairwise --x judge --y human --by system --item item --table scores.jsonl",
            "Measure how often the judge ranks two systems' texts for the same item as people do.",
        ),
        (
            "st-agree pairwise --x judge --y human --by system --item item --grouping none --fit-ties scores.jsonl",
            (
                "Compare all pairs of texts, and treat texts as tied up to the score difference at which the judge "
                "agrees best with people."
            ),
        ),
    ],
)
@column_options(
    "Record key that holds a metric's score of the text. --x may be repeated.",
    "Record key that holds the human score. --y may be repeated.",
    "--by, --method or --each",
)
@option("--by", metavar="KEY", help="Record key that holds the name of the system that wrote the text.")
@option(
    "--grouping", type=click.Choice(["item", "system", "none"]), default="item", show_default=True,
    help=(
        "Pairs of texts to compare: texts for the same item (item), texts by the same system (system), or all "
        "pairs (none). With --grouping item or system, the coefficient is the mean over items or over systems."
),
)  # fmt: skip
@option(
    "--fit-ties",
    is_flag=True,
    help=(
        "Treat two texts as tied if a metric scores them nearly equally: up to the difference at which the metric "
        "agrees best with people."
    ),
)
@long_options()
@confidence_option()
@cluster_option()
@TABLE
def pairwise(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how often a metric ranks two texts as people do: pairwise accuracy and variants of Kendall's tau.

    Each record holds the scores of one text by metrics (--x) and by people (--y), with its --item and its system
    (--by). st-agree pairwise writes one result per metric and coefficient. The coefficients are accuracy and the
    variants tau-b, tau-c, tau-10, tau-13, tau-14 and tau-23 of Kendall's tau, named as in Deutsch, Foster and Freitag
    (2023). In the coefficient accuracy, a tie (equal scores of two texts) is correct if people also gave the two texts
    equal scores. The confidence intervals are jackknife intervals over items, or over the clusters of --cluster.
    """
    from scholartools.metrics.statistics.resampling import Resampling
    from scholartools.tasks.agree.ranking.pairwise import pairwise_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y, grouping = options["x"], options["y"], options["grouping"]
    if not x or not y or not options["item"] or not options["by"]:
        raise UsageFault("pairwise needs --x, --y, --item and --by")
    columns = column_source(options, x)
    how = Resampling(confidence=options["confidence"])
    run = Run(columns, lambda: pairwise_records(columns, x, y, grouping, how, fits_ties=options["fit_ties"]))
    return reduce_to_results(stream, run, table=table)


@command(
    "st-agree rank",
    reads="rows",
    examples=[
        (
            "st-agree rank --x judge --x rouge --y human --by system --item item --table scores.jsonl",
            "Rank two metrics by how well they rank texts for the same item, with permutation tests.",
        ),
        (
            "st-agree rank --x judge --x rouge --y human --by system --item item --level system scores.jsonl",
            "Rank two metrics by how well they rank systems (soft pairwise accuracy).",
        ),
    ],
)
@column_options(
    "Record key that holds a metric's score of the text. --x may be repeated.",
    "Record key that holds the human score.",
    "--by, --method or --each",
)
@option("--by", metavar="KEY", help="Record key that holds the name of the system that wrote the text.")
@option(
    "--level", type=click.Choice(["segment", "system"]), default="segment", show_default=True,
    help=(
        "Compare metrics by their scores of single texts (segment), or by their mean scores of systems (system)."
    ),
)  # fmt: skip
@option(
    "--measure", multiple=True,
    type=click.Choice(
        ["accuracy", "pearson", "spearman", "tau-b", "tau-c", "tau-10", "tau-13", "tau-14", "tau-23", "soft"]
    ),
    help=(
        "Name of the coefficient by which metrics are ranked; may be repeated [default: accuracy for texts, soft"
            " (soft pairwise accuracy) for systems]."
),
)  # fmt: skip
@option(
    "--grouping", type=click.Choice(["item", "system", "none"]), default="item", show_default=True,
    conditions=excludes("--level", "system"),
    help=(
        "Pairs of texts to compare: texts for the same item (item), texts by the same system (system), or all "
        "pairs (none). With --grouping item or system, the coefficient is the mean over items or over systems."
),
)  # fmt: skip
@option(
    "--fit-ties", is_flag=True,
    help=(
        "In the coefficients accuracy and tau-23, treat two texts as tied if a metric scores them nearly equally. "
        "In each draw of the permutation test, st-agree rank fits the largest score difference of a tie again."
),
)  # fmt: skip
@option(
    "--swap", type=click.Choice(["texts", "items", "systems", "both"]),
    help=(
        "Units whose scores the permutation test swaps between two metrics: single texts (PERM-BOTH), items (or "
        "clusters of --cluster), or systems. With --swap both, the permutation test is valid for metrics that "
        "favour some items or some systems [default: systems; items with --grouping system; both with --grouping "
        "none or --cluster]."
),
)  # fmt: skip
@option(
    "--alpha", metavar="P", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True,
    help=(
        "Significance level of the tests that separate the ranks. Going down from the best metric, a metric starts a "
        "new rank if its p value against a metric of the current rank is at most P."
),
)  # fmt: skip
@option(
    "--draws", metavar="N", type=click.IntRange(min=100), default=2000, show_default=True,
    help=(
        "Number of random draws of a permutation test. If no more than N permutations exist, the permutation test "
        "uses all of them."
),
)  # fmt: skip
@seed_option("Random seed of the permutation test.")
@adjust_option()
@long_options()
@cluster_option()
@TABLE
def rank(stream: Stream, table: bool, **options: Any) -> int:
    """Rank metrics by their correlation with people, with a permutation test of each pair of metrics.

    Each record holds the scores of one text by metrics (--x) and by people (--y), with its --item and its system
    (--by). st-agree rank writes one result per metric with its coefficient and its rank, and one result per pair of
    metrics with the difference and its p value. As in the metrics tasks of WMT (Conference on Machine Translation), a
    metric starts a new rank if a metric of the current rank is significantly better. Metrics are compared only on texts
    that have a score by each metric. The result of each permutation test states the assumptions of the test.
    docs/intervals.md reports the error rates of the tests.
    """
    from scholartools.metrics.statistics.pairwise import WITH_TIES
    from scholartools.tasks.agree.ranking.methods import Contest, rank_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y, level = options["x"], options["y"], options["level"]
    if not x or len(y) != 1 or not options["item"] or not options["by"]:
        raise UsageFault("rank needs --x, one --y, --item and --by")
    measures = tuple(dict.fromkeys(options["measure"])) or ("accuracy" if level == "segment" else "soft",)
    if options["fit_ties"] and not {*measures} & {*WITH_TIES}:
        raise UsageFault(f"needs --measure {' or '.join(WITH_TIES)}", parameter="fit_ties")
    contest = Contest(
        measures, level, options["grouping"],
        options["swap"], options["draws"], options["seed"], options["alpha"], options["adjust"], options["fit_ties"],
    )  # fmt: skip
    columns = column_source(options, x)
    return reduce_to_results(stream, Run(columns, lambda: rank_records(columns, x, y[0], contest)), table=table)
