"""st-view: pages to look at."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, needs, option

if TYPE_CHECKING:
    from scholartools.cache import Cache
    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.views.paper_pages import Pages


@command(
    "st-view",
    shards=False,
    examples=[
        ("st-view papers.jsonl --output papers.html", "Texts with all that was found in them, on one page."),
        ("st-view --split 50 --output pages papers.jsonl", "A folder with an index and a page for each 50 papers."),
        ("st-view --report judged.jsonl summary.jsonl --output report.html", "A run, for a paper's supplement."),
        ("st-view --log judged.jsonl --output log.html", "The calls to models that made these records."),
    ],
)
@option(
    "--split", metavar="N", type=click.IntRange(min=1),
    help="Write a folder, --output, with an index and pages of N papers each.",
)  # fmt: skip
@option(
    "--images", is_flag=True,
    help="Take the pictures that st-parse --figures wrote into the page (20 MB at most); mind whose they are.",
)  # fmt: skip
@option(
    "--report", is_flag=True, conditions=(excludes("--split"), excludes("--images")),
    help="Write a report of the run: steps, scores, agreement, what is missing, what may be said.",
)  # fmt: skip
@option(
    "--bundle", metavar="FILE", type=click.Path(exists=True, dir_okay=False), conditions=needs("--report"),
    help="Name the bundle of st-cache export that repeats the run in the report.",
)  # fmt: skip
@option(
    "--costs", is_flag=True, conditions=needs("--report"),
    help="Add tokens, cost and seconds of the calls to models to the report, from the cache (ST_CACHE).",
)  # fmt: skip
@option(
    "--log", is_flag=True, conditions=(excludes("--report"), excludes("--images")),
    help="Write the calls to models that made the records, with prompts and replies, from the cache (ST_CACHE).",
)  # fmt: skip
@option("--date", metavar="DATE", conditions=needs("--report"), help="Print this date in the report.")
def main(
    stream: Stream, split: int | None, images: bool, report: bool, bundle: str | None, costs: bool, log: bool,
    date: str | None,
) -> int:  # fmt: skip
    """Write records as a page to look at: texts with marks, and cards with all that is known of each.

    The page shows what a record holds: limitations, claims, weaknesses, verifications, rejected passages where they
    stand, what judges compared side by side, facets, ratings, scores, equations typeset, and how all of it was made.
    It is one file that needs no network; without a script only search, sorting and the keys are missing. A part of a
    record that is not as the commands write it is named on the page and on standard error, and the status is 1.

    With --report the files are those of a run, in any order: records with their provenance, results of st-score
    --summary and st-agree. The page has no date unless --date gives one: the same files make the same bytes.

    With --log the page has the calls that the records name, as the cache keeps them, with the texts that were sent.

    docs/view.md shows what stands where.
    """
    from scholartools import io

    with _open_cache() if log or costs else contextlib.nullcontext() as cache:
        if report:
            return _write_report(stream, cache, bundle, date)
        if cache:
            from scholartools.tasks.views.call_log import CallLog

            view: Pages = CallLog(cache, split)
        else:
            from scholartools.tasks.views.paper_pages import View

            view = View(split, images)
        status = stream.write_with(view, io.new_folder(stream.output, "folder of pages") if split else None)
    for note in view.notes() if status in (0, 1) else ():
        stream.tell(note)
    return max(status, int(view.problems > 0))


def _open_cache() -> Cache:
    """The default cache, which must exist."""
    from scholartools.cache import Cache, default_place

    return Cache.open(default_place(), readonly=True)


def _write_report(stream: Stream, cache: Cache | None, bundle: str | None, date: str | None) -> int:
    from scholartools.tasks.views.report import Report

    made = Report(stream.files, bundle, date, cache)
    status = stream.write_with(made)
    if cache and made.n_missing:
        from scholartools.tasks.views.call_log import missing_note

        stream.tell(missing_note(cache, made.n_missing))
    return max(status, int(made.n_missing > 0))
