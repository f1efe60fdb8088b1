"""st-view: HTML pages that show records."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, needs, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.cache import Cache
    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.views.paper_pages import Pages


@command(
    "st-view",
    shards=False,
    examples=[
        (
            "st-view papers.jsonl --output papers.html",
            "Write a page with the texts of papers, and the limitations, claims and other items found in them.",
        ),
        ("st-view --split 50 --output pages papers.jsonl", "Write a folder with an index and one page per 50 papers."),
        (
            "st-view --report judged.jsonl summary.jsonl --output report.html",
            "Write a report of a run, for example for the supplement of a paper.",
        ),
        (
            "st-view --log judged.jsonl --output log.html",
            "Write an HTML page that shows the model calls from which the records in a file were made.",
        ),
    ],
)
@option(
    "--split", metavar="N", type=click.IntRange(min=1),
    help="Write a folder (--output) with an index and pages of N papers each, instead of one page.",
)  # fmt: skip
@option(
    "--images", is_flag=True,
    help=(
        "Include the images of figures that st-parse --figures wrote (20 MB at most). Before you publish the page, "
        "check that you may redistribute the images."
),
)  # fmt: skip
@option(
    "--report", is_flag=True, conditions=(excludes("--split"), excludes("--images")),
    help=(
        "Write a report of the run: processing steps, scores, agreement, missing values, and whether differences "
        "are significant."
),
)  # fmt: skip
@option(
    "--bundle", metavar="FILE", type=click.Path(exists=True, dir_okay=False), conditions=needs("--report"),
    help="Name FILE, a bundle of stored model calls that st-cache export wrote, in the report, so that others can "
        "repeat the run.",
)  # fmt: skip
@option(
    "--costs", is_flag=True, conditions=needs("--report"),
    help="Add tokens, cost and seconds of the model calls to the report, from the cache (ST_CACHE).",
)  # fmt: skip
@option(
    "--log", is_flag=True, conditions=(excludes("--report"), excludes("--images")),
    help="Write a page of the model calls from which the records were made, with prompts and replies from the cache "
        "(ST_CACHE).",
)  # fmt: skip
@option("--date", metavar="DATE", conditions=needs("--report"), help="Date to print in the report.")
def main(
    stream: Stream, split: int | None, images: bool, report: bool, bundle: str | None, costs: bool, log: bool,
    date: str | None,
) -> int:  # fmt: skip
    """Write an HTML page that shows records: texts with underlined passages, and a card for each limitation or other
    item.

    The page shows limitations, claims, weaknesses, verifications and rejected passages in the text of the paper. The
    page also shows compared items side by side, facets, ratings, scores, typeset equations and the provenance. The page
    is one HTML file that needs no network. In a browser without JavaScript, only search, sorting and keyboard shortcuts
    are missing. If st-view cannot read the value of a record key, a message on the page and on stderr names the key,
    and the exit status is 1.

    With --report the input files are the files of a run, in any order: records with their provenance, and results of
    st-score --summary and st-agree. The page has a date only with --date, so the same files give the same page.

    With --log the page shows the model calls that the records name, with the texts that were sent; the calls are read
    from the cache.

    docs/view.md describes the parts of a page.
    """
    from scholartools import io

    if stream.output and stream.output.casefold().endswith((".pdf", ".docx", ".png")):
        told = f"{stream.output}: st-view writes HTML: name the output papers.html; a browser can print the page as PDF"
        raise UsageFault(told, parameter="output")
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
    """Open the default cache, which must exist, for reading."""
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
