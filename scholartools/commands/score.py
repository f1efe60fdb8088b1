"""st-score: compute evaluation metrics of records."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.bootstrap_options import adjust_option, bootstrap_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import Condition, excludes, explicit_options, needs, needs_any, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream
    from scholartools.schemas.shapes import PaperRecord

# Argument that selects ratings of judges in long form instead of a metric.
_RATE = "rate"
_READINGS = click.Choice(["one-to-one", "pairs", "distinct-gt", "components"])


def _chosen_metrics(options: Mapping[str, Any]) -> list[str]:
    """Names of metrics, or ``rate``, among the arguments."""
    from scholartools.tasks import score

    return [name for name in options["files"] if name in score.METRICS or name == _RATE]


def _uses_option(name: str) -> Condition:
    """Condition that a named metric uses the option; it holds if no metric is named, since records select them then."""

    def holds(options: Mapping[str, Any]) -> bool:
        from scholartools.tasks import score

        metrics = _chosen_metrics(options)
        return not metrics or any(name in score.METRICS[metric].uses for metric in metrics if metric != _RATE)

    return Condition(lambda options: f"cannot be used with {', '.join(_chosen_metrics(options))}", holds)


def _is_rate(options: Mapping[str, Any]) -> bool:
    return _RATE in options["files"]


_OF_RATE = Condition("needs rate", _is_rate)
_SUMMARISED = needs_any("--summary", "--table", "--csv", "--compare", "--runs", "--median-of")
_NAMED = needs_any("--compare", "--itf-idf-items")


@command(
    "st-score",
    arguments="[METRIC]... [FILE]...",
    examples=[
        ("st-score --list", "List the metrics, with the input and the values of each metric."),
        (
            "st-parse paper.pdf | st-facets | st-score --table",
            "Show how well the body of a paper supports each facet (such as method or result) of its abstract.",
        ),
        (
            "st-facets papers.jsonl | st-score facets --summary",
            "Summarise every ROUGE value per system: number of records, mean, median and confidence interval.",
        ),
        (
            "st-score text --candidate answers.text --reference gold papers.jsonl",
            "Compare the texts at the key `answers.text` with the reference texts at the key `gold`.",
        ),
        (
            "st-score match --compare mine baseline --table judged.jsonl",
            "Compare two systems on the same papers by a significance test.",
        ),
        (
            "st-score rate --truth human --aspects builtin:rq judged.jsonl | st-agree correlate --x score --y human "
            "--method method --item item --each aspect --ci --cluster paper --table",
            "Join the ratings by st-judge rate with human scores, and show the correlations between them.",
        ),
        (
            "st-score soft --summary --by venue generated.jsonl",
            ("Compute S-F1 (an F1 score by similarity) and ITF-IDF (a score of diversity) per system and venue."),
        ),
    ],
)
@option("--list", "listing", is_flag=True, help="Print the input and output of each metric.")
@option(
    "--reference", metavar="PATH", conditions=_uses_option("reference"),
    help=(
        "Dotted path to the reference texts, such as summaries.0.text or gold.items. For the metrics `targets` "
        "and `labels`, --reference names the system whose answers are the reference (default: gold)."
    ),
)  # fmt: skip
@option(
    "--candidate", metavar="PATH", conditions=_uses_option("candidate"),
    help=(
        "Dotted path to the candidate texts; a path to a list selects all its items. For the metrics `targets` "
        "and `labels`, --candidate names the system to score."
    ),
)  # fmt: skip
@option(
    "--stemmer",
    is_flag=True,
    conditions=_uses_option("stemmer"),
    help="Stem words before the metric `text` computes ROUGE.",
)
@option(
    "--embedder", metavar="NAME", conditions=_uses_option("embedder"),
    help=(
        "Name of the embedding model: wordllama (the default), a sentence-transformers model, or vectors:MODEL for "
        "embeddings stored in the records."
    ),
)  # fmt: skip
@option(
    "--bertscore", metavar="MODEL:LAYER", conditions=_uses_option("bertscore"),
    help=(
        "Add BERTScore, computed with layer LAYER of the transformers model MODEL, to the metrics `text`, `match` "
        "and `review`."
    ),
)  # fmt: skip
@option(
    "--tp", type=_READINGS, default="one-to-one", show_default=True, conditions=_uses_option("tp"),
    help=(
        "Definition of the true positives in the metric `match`: the largest number of matched pairs that use no "
        "item twice (one-to-one), all matched pairs (pairs), all reference items with a match (distinct-gt), or "
        "all groups of items that are linked by matches (components)."
    ),
)  # fmt: skip
@option(
    "--itf-idf-threshold", metavar="T", default="0.5", show_default=True,
    conditions=(_uses_option("itf_idf_threshold"), _SUMMARISED),
    help=(
        "Similarity threshold (0..1) of ITF-IDF, which is a score of the diversity of lists. With `none`, ITF-IDF "
        "has no threshold."
    ),
)  # fmt: skip
@option(
    "--itf-idf-items", is_flag=True, conditions=(_uses_option("itf_idf_items"), _SUMMARISED),
    help="Add the ITF-IDF (a score of diversity) of every paper and item to the summary of the metric `soft`.",
)  # fmt: skip
@option(
    "--empty", type=click.Choice(["zero", "drop"]), default="zero", show_default=True,
    conditions=(_uses_option("empty"), _SUMMARISED),
    help=(
        "How ITF-IDF (a score of diversity) treats a paper for which a system generated no items: zero counts the "
        "paper as 0, and drop omits the paper."
    ),
)  # fmt: skip
@option(
    "--truth", metavar="PATH|FILE", conditions=_OF_RATE,
    help=(
        "Human scores for the metric `rate`: PATH is the dotted path, in the entry of the rated text or in the "
        "record, to an object with a human score for each aspect; with --key, FILE is a file of human scores."
    ),
)  # fmt: skip
@option(
    "--key", metavar="KEY", conditions=(_OF_RATE, needs("--truth")),
    help=(
        "Key in the records of the --truth file that holds the name of the item, in the form PAPER/SYSTEM/ITEM or "
        "PAPER/ITEM."
    ),
)  # fmt: skip
@option(
    "--aspects", metavar="FILE", conditions=_OF_RATE,
    help=(
        "For the metric `rate`, add `human_normal`: the human score rescaled to 0..1 by the scale of its aspect "
        "in the criteria FILE, or in `builtin:rq` (built-in criteria for research questions)."
    ),
)  # fmt: skip
@option(
    "--summary",
    is_flag=True,
    help="Write one summary record per system (number of records, mean, confidence interval) instead of the records.",
)
@option(
    "--table",
    is_flag=True,
    conditions=excludes("--csv"),
    help="Print the results of --summary as a human-readable table.",
)
@option(
    "--csv",
    is_flag=True,
    help=(
        "Write the results of --summary as CSV. With --compare or --runs, the CSV has only the comparisons of "
        "systems, or the statistics of repeated runs."
    ),
)
@option(
    "--by",
    metavar="KEY",
    conditions=_SUMMARISED,
    help=("Summarise the records separately for each value at KEY, such as each venue."),
)
@option(
    "--compare",
    metavar="SYSTEM1 SYSTEM2",
    nargs=2,
    multiple=True,
    help="Add a significance test of the difference between two systems. --compare may be repeated.",
)
@option(
    "--compare-values", metavar="NAME", multiple=True, conditions=needs("--compare"),
    help=(
        "Let --compare test only the value NAME of each metric, such as f1 (default: all values). The p values are "
        "corrected only for the tests of the values named by --compare-values. --compare-values may be repeated."
    ),
)  # fmt: skip
@option(
    "--runs", metavar="A,B,...", multiple=True,
    help=(
        "Names of the repeated runs of one system, separated by commas. With --runs, the summary has the mean, "
        "standard deviation, minimum and maximum of each value over the runs. --runs may be repeated."
),
)  # fmt: skip
@option(
    "--median-of", metavar="NAME", multiple=True,
    help=(
        "Find the median run among the repeated runs NAME#1, NAME#2, ... of a system, and add it as the system NAME."
        " --median-of may be repeated."
    ),
)  # fmt: skip
@option(
    "--median-by", metavar="VALUE", default="f1", show_default=True, conditions=needs("--median-of"),
    help="Name of the value, such as f1, by which --median-of finds the median run of a system.",
)  # fmt: skip
@option(
    "--people", is_flag=True, conditions=_uses_option("people"),
    help=(
        "Add a system named `people` to the metric `soft`, in which the list of each reviewer is compared with "
        "the lists of the other reviewers of the paper."
),
)  # fmt: skip
@option(
    "--item", metavar="KEY", default="id", show_default=True, conditions=(_NAMED, _SUMMARISED),
    help="Record key that holds the name of the item, by which --compare pairs the records of two systems.",
)  # fmt: skip
@option(
    "--cluster", metavar="KEY", conditions=_SUMMARISED,
    help=(
        "Record key that names the cluster of a record, such as its venue. Records of one cluster are treated as"
            " dependent: resampling draws whole clusters, and t-tests use cluster means."
),
)  # fmt: skip
@adjust_option(needs("--compare"))
@bootstrap_options("--resamples", "--bootstrap", conditions=_SUMMARISED)
def main(stream: Stream, listing: bool, **chosen: Any) -> int:
    """Compute evaluation metrics from the content of each record, and add them to the record as `scores`.

    Each METRIC is one of `facets`, `support`, `text`, `match`, `soft`, `entail`, `equations`, `review`, `spans`,
    `extraction`, `targets`, `labels`, `edits`, `weaknesses`, `verifications`, `contamination`, `specificity` and
    `same-issue`. By default, st-score computes every metric whose input the record has; with --reference or
    --candidate, only the metric `text`. The metric `rate` cannot be combined with other metrics. `rate` writes the
    ratings of st-judge rate in long form, with one rating per record.

    An undefined value of a metric is null, and `reasons` says why. If the reference is not empty and a system returns
    nothing, the system scores 0, and `n_empty` counts the record. If ratings of facets are missing because judging
    failed, the facet score (the weighted mean of these ratings) is null, and the exit status is 1. docs/score.md
    describes the metrics and the options.
    """
    from scholartools import io
    from scholartools.tasks import score, summarize

    if listing:
        with io.open_output(stream.output) as output:
            output.write(score.listing())
        return 0
    metrics = stream.take_names([*score.METRICS, _RATE], "metric", score.explain_name)
    _refuse_files(chosen["compare"], stream.files)
    stream.watch = seen = _Seen()
    if _RATE in metrics:
        return _write_ratings(stream, metrics, chosen, seen)
    of_metrics = ("reference", "candidate", "stemmer", "embedder", "bertscore", "tp", "people")
    options = score.Options(**{name: chosen[name] for name in of_metrics})
    score.check(options)
    summary = summarize.is_summary_wanted(chosen)
    transform = functools.partial(score.score, metrics=metrics, options=options, keep_earlier=not summary)
    if not summary:
        return _tell_notes(stream, stream.map_records(transform), seen)
    totals = summarize.prepare(metrics, options, chosen)
    write = summarize.writer(chosen)
    status = stream.reduce_records(totals.add, lambda failed: write(list(totals.records(failed))), transform)
    return _tell_notes(stream, status, totals, seen)


def _refuse_files(pairs: Iterable[tuple[str, str]], files: Sequence[str]) -> None:
    """Reject the name of an existing file in the place of a system if no other file is given.

    Raises:
        UsageFault: a name in ``pairs`` is such a file.
    """
    for name in () if files else itertools.chain.from_iterable(pairs):
        if name.endswith((".jsonl", ".json", ".gz", ".csv", ".tsv", ".xlsx")) and os.path.isfile(name):
            raise UsageFault(f'"{name}" is a file: name two systems, then the files', parameter="compare")


class _Seen:
    """Counts the records read; there are none if an earlier command of a pipe failed."""

    n = 0

    def __call__(self, record: PaperRecord) -> None:
        self.n += 1

    def notes(self) -> list[str]:
        return [] if self.n else ["no record was read: there is nothing to score"]


def _write_ratings(stream: Stream, metrics: list[str], chosen: dict[str, Any], seen: _Seen) -> int:
    """Write ratings in long form, or their summary; return the exit status."""
    import dataclasses

    from scholartools.tasks.judge.rate.criteria import read_criteria
    from scholartools.tasks.shared.text_names import KnownTexts
    from scholartools.tasks.summarize import ratings
    from scholartools.tasks.summarize.truth import make_truth

    own = {"truth", "key", "aspects", "summary", "table"}
    if others := sorted({*chosen} & explicit_options() - own) or [name for name in metrics if name != _RATE]:
        raise UsageFault(f"rate cannot be combined with {others[0] if others[0] not in chosen else '--' + others[0]}")
    criteria = read_criteria(chosen["aspects"]) if chosen["aspects"] else None
    if chosen["truth"]:
        stream.refuse_shard()
    truth = make_truth(chosen["truth"], chosen["key"], criteria)
    # In one process, since names of texts and the human scores that were used are tracked in memory.
    stream, known = dataclasses.replace(stream, jobs=1, scheduler=None), KnownTexts()
    if not (chosen["summary"] or chosen["table"]):
        make = functools.partial(_make_several, truth=truth, known=known, given=chosen["truth"])
        return _tell_notes(stream, stream.map_records(make), truth, seen)
    totals = ratings.RatingSummary()

    def add(record: dict[str, Any]) -> None:
        for made in ratings.long_records(record, truth, known):
            totals.add(made)

    def finish(failed: int) -> Any:
        found = list(totals.records())
        return ratings.ratings_table(found) if chosen["table"] else found

    return _tell_notes(stream, stream.reduce_records(add, finish), totals, truth, seen)


def _tell_notes(stream: Stream, status: int, *tellers: Any) -> int:
    """Print the notes of the tellers after the last record, unless the run was stopped; return the status."""
    if status in (0, 1) and not stream.quiet:
        for note in (note for teller in tellers for note in teller.notes()):
            click.echo(f"st-score: {note}", err=True)
    return status


def _make_several(record: dict[str, Any], truth: Any, known: Any, given: str | None) -> Any:
    from scholartools.pipeline.outcome import SeveralRecords
    from scholartools.tasks.summarize.ratings import long_records

    made = long_records(record, truth, known)
    unscored = sum(one["human"] is None for one in made) if given else 0
    unknown = sum(one["aspect"] not in truth.scales for one in made) if truth.scales else 0
    notes = {
        "rating without a score": sum(one["score"] is None for one in made),
        f"rating without a score by people at --truth {given}": unscored,
        "rating of an aspect that the criteria lack": unknown,
    }
    return SeveralRecords(made, {note: count for note, count in notes.items() if count})
