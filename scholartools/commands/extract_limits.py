"""st-extract-limits: extract the limitations that a paper and its reviews state."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import Condition, excludes, needs, option, split_names
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.outcome import Render
    from scholartools.pipeline.stream import Stream
    from scholartools.schemas.shapes import PaperRecord


_SHOWS_ALL = Condition(
    "paper needs --model, which is shown all of the paper",
    lambda options: options["reach"] != "paper" or bool(options["model"]),
)


@command(
    "st-extract-limits",
    reads="sections",
    examples=[
        (
            "st-parse paper.pdf | st-extract-limits | jq -r '.limitations[].text'",
            "Print the limitations, one per line.",
        ),
        (
            "st-extract-limits --reach section papers.jsonl",
            "Extend passages with implicit limitations to the end of their section, as in the BAGELS study.",
        ),
        (
            "st-extract-limits --reach paper --model MODEL --dry-run papers.jsonl",
            "Estimate the cost of extracting limitations by a model that reads whole papers.",
        ),
        (
            "st-parse --reviews reviews.json paper.pdf | st-extract-limits --merge",
            "Merge the limitations by authors and by reviewers into one list.",
        ),
    ],
)
@option(
    "--origin",
    type=click.Choice(["author", "review", "all"]),
    default="all",
    show_default=True,
    help="Extract limitations that the paper states (author), that its `reviews` state (review), or both (all).",
)
@option(
    "--reach",
    type=click.Choice(["paragraph", "section", "paper"]),
    default="paragraph",
    show_default=True,
    conditions=_SHOWS_ALL,
    help="End of a passage that begins with a limitation outside Limitations sections: the end of its paragraph "
    "(paragraph) or of its section (section). With --reach paper, the model named by --model reads every section.",
)
@option(
    "--keywords",
    metavar="A,B,...",
    help="Find limitations outside Limitations sections by the given keywords, instead of the built-in keywords, "
    "phrases and weights.",
)
@option(
    "--merge",
    is_flag=True,
    help="Merge limitations with the same meaning into groups; each limitation keeps its own text and position.",
)
@option(
    "--merge-threshold",
    conditions=(needs("--merge"), excludes("--model")),
    type=click.FloatRange(-1, 1),
    metavar="X",
    help=(
        "Without a model, --merge joins two limitations only if the cosine of their embeddings is at least X.  "
        "[default: 0.55]"
    ),
)
@option(
    "--embedder",
    metavar="NAME",
    conditions=(needs("--merge"), excludes("--model")),
    help="Embedding model of --merge: wordllama (default) or a sentence-transformers model.",
)
@model_options
@option("--text", is_flag=True, help="Print human-readable text instead of JSONL.")
def main(stream: Stream, text: bool, keywords: str | None, **options: Any) -> int:
    """Extract the limitations that authors and reviewers state, as exact quotations.

    st-extract-limits reads the keys `sections` and `reviews` of records, and adds `limitations` and `rejected`.
    Explicit limitations are under headings such as Limitations or Weaknesses. Implicit limitations are sentences
    outside Limitations sections that contain a keyword, match a rule, or are found by a classifier. With --model, the
    model quotes the limitations in each passage, and st-extract-limits finds each quotation in the text.

    In 15 test papers of many fields, st-extract-limits finds implicit limitations (outside Limitations sections) with a
    precision of 65% and a recall of 52%. In sections headed Limitations of 18 other test papers, the precision of
    explicit limitations is 78%, and the recall is 92%. The rules and classifiers of st-extract-limits were developed
    without the test papers. A passage without a usable reply of the model goes to `rejected`, and the exit status is 1.
    docs/extract-limits.md has the rules of extraction.
    """
    from scholartools.tasks.views import plain_text

    _check_options(options)
    counts = _count_unreviewed(stream) if options["origin"] == "review" else Counter()
    status = _extract_stream(stream, options, keywords, plain_text.limitations if text else None)
    if counts[_UNREVIEWED] and not stream.quiet:
        papers = "1 paper has" if counts[_UNREVIEWED] == 1 else f"{counts[_UNREVIEWED]} papers have"
        click.echo(f"st-extract-limits: {papers} no reviews, and so an empty list of limitations", err=True)
    return status


_UNREVIEWED = "papers without reviews"


def _count_unreviewed(stream: Stream) -> Counter[str]:
    """Counter of papers without reviews, updated while the stream is read."""
    counts: Counter[str] = Counter()

    def watch(record: PaperRecord) -> None:
        counts[_UNREVIEWED] += not record.get("reviews") and record.get("sections") is not None

    stream.watch = watch
    return counts


def _extract_stream(stream: Stream, options: dict[str, Any], keywords: str | None, render: Render | None) -> int:
    from scholartools.tasks import limits

    chosen: dict[str, Any] = {"reach": options["reach"], "origin": options["origin"]}
    if keywords is not None:
        chosen["keywords"] = split_names(keywords, "keywords")
        limits.check_keywords(chosen["keywords"])
    if options["model"]:
        from scholartools.pipeline.asking import ask_each

        return ask_each(
            stream,
            model_settings(options),
            functools.partial(limits.ask, **chosen, merging=options["merge"]),
            render=render,
        )
    if options["merge"]:
        given = {
            "threshold": options["merge_threshold"],
            "embedder": options["embedder"],
        }
        chosen["merging"] = limits.Merging(**{name: value for name, value in given.items() if value is not None})
    return stream.map_records(functools.partial(limits.extract, **chosen), render=render)


def _check_options(options: dict[str, Any]) -> None:
    """Reject contradictory options.

    Raises:
        UsageFault: several samples of a model.
    """
    if options["model"] and options["samples"] > 1:
        raise UsageFault("--samples: a paper has one list of limitations; use --cache-namespace for a second run")
