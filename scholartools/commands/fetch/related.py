"""st-fetch references, citations, similar: papers related to the given ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.fetch.options import (
    entries,
    fetch_action,
    names_of,
    sample_options,
    source_option,
    web_options,
    web_settings,
)
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from collections.abc import Callable

    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.fetch.entries import Entry, Made
    from scholartools.web.client import WebClient


def bounds_options(function: Callable) -> Callable:
    """Add ``--before`` and ``--drop-retracted``."""
    text = (
        "Keep only papers published before DATE (YYYY-MM-DD), or, with the value review, before the first review of "
        "the paper in the input."
    )
    drop = option("--drop-retracted", is_flag=True, help="Exclude retracted and withdrawn papers.")
    return option("--before", metavar="DATE", help=text)(drop(function))


@fetch_action(
    "references",
    examples=[
        ("st-fetch references 10.18653/v1/2023.acl-long.1", "Fetch the papers that one paper cites."),
        (
            "st-fetch references papers.jsonl --source semantic-scholar",
            "Fetch the cited papers, with the sentences that cite them.",
        ),
    ],
)
@source_option
@option(
    "--limit", help="Maximum number of references per paper (default: all).", metavar="N", type=click.IntRange(min=1)
)
@bounds_options
@sample_options(of_venue=False)
@web_options
def references(stream: Stream, **options: Any) -> int:
    """Fetch the papers that the given papers cite.

    Each cited paper is a record with `relation` "cited-in" and `related_to`, the id of the citing paper, in the order
    of the web service. A message reports if a list of references is shorter than the source says, or if a reference has
    no id.
    """
    return _fetch(stream, "references", options)


@fetch_action(
    "citations",
    examples=[
        ("st-fetch citations 10.18653/v1/2023.acl-long.1 --limit 20", "Fetch 20 papers that cite one paper."),
        (
            "st-fetch citations papers.jsonl --source openalex --max-cost 0.10",
            "Fetch the papers that cite the papers in a file, for at most 0.10 USD.",
        ),
    ],
)
@source_option
@option(
    "--limit", help="Maximum number of citing papers per paper, taken in the order of the web service.", metavar="N",
    type=click.IntRange(min=1), default=100, show_default=True,
)  # fmt: skip
@bounds_options
@sample_options(of_venue=False)
@web_options
def citations(stream: Stream, **options: Any) -> int:
    """Fetch papers that cite the given papers.

    Each citing paper is a record with `relation` "cited-by" and `related_to`, the id of the cited paper. `provenance`
    states how many of the citing papers were fetched. If --limit shortens a list, the output has the first citing
    papers in the order of the web service.
    """
    return _fetch(stream, "citations", options)


@fetch_action(
    "similar",
    examples=[
        ("st-fetch similar 10.18653/v1/2023.acl-long.1", "Fetch the 20 papers that are most similar to one paper."),
        (
            "st-fetch similar papers.jsonl --source openalex --limit 5",
            "Fetch five similar papers for each paper, as OpenAlex ranks them.",
        ),
    ],
)
@source_option
@option(
    "--limit", help="Maximum number of similar papers per paper, taken in the order of the web service.", metavar="N",
    type=click.IntRange(min=1), default=20, show_default=True,
)  # fmt: skip
@bounds_options
@sample_options(of_venue=False)
@web_options
def similar(stream: Stream, **options: Any) -> int:
    """Fetch papers that a web service considers similar to the given papers.

    Each similar paper is a record with `relation` "similar" and `related_to`; `tie.by` says how the service defines
    similarity (related works of OpenAlex, or recommendations of Semantic Scholar). The similar papers of one run all
    come from one service.
    """
    return _fetch(stream, "similar", options)


def _fetch(stream: Stream, action: str, options: dict[str, Any]) -> int:
    from scholartools.pipeline.fetching import chosen_sources, fetch_singly, show_forecast
    from scholartools.tasks.fetch.relations import Bounds, fetch_related, first_requests
    from scholartools.tasks.fetch.venues import Choice

    strata = tuple(names_of(options["stratify"]))
    choice = Choice(sample=options["sample"], strata=strata, seed=options["seed"] or 0)
    bounds = Bounds(_day(options["before"]), options["drop_retracted"], choice)
    settings = web_settings(options)
    sources = chosen_sources(names_of(options["source"]), action, settings.contact)
    asked, limit = entries(stream, options), options["limit"]
    if options["dry_run"]:
        more = "requests for lists and batches follow; their number depends on the first answers"
        first, following = first_requests(sources, asked, action, limit)
        return show_forecast(stream, settings, first, more, following)

    async def one(client: WebClient, entry: Entry) -> Made:
        return await fetch_related(client, sources, entry, action, limit, bounds, stream.tell)

    return fetch_singly(stream, settings, asked, one)


def _day(before: str | None) -> str | None:
    from datetime import date

    from scholartools.errors import UsageFault

    if before is None or before == "review":
        return before
    try:
        return date.fromisoformat(before).isoformat()
    except ValueError:
        raise UsageFault(f'"{before}" is neither a day (YYYY-MM-DD) nor "review"', parameter="before") from None
