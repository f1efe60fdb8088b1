"""st-fetch papers: metadata of papers, by identifier or of a whole venue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.commands.fetch.options import (
    entries,
    fetch_action,
    names_of,
    sample_options,
    source_option,
    venue_options,
    web_options,
    web_settings,
)
from scholartools.commands.shared.options import needs, option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.fetch.entries import Entry, Made
    from scholartools.tasks.fetch.venues import Choice
    from scholartools.web.client import WebClient

# Entries processed together: the size of the largest batch request of any source.
WINDOW = 500


@fetch_action(
    "papers",
    examples=[
        ("st-fetch papers 10.18653/v1/2023.acl-long.1 2401.00001", "Fetch the metadata of two papers."),
        ("st-fetch papers --venue iclr --year 2024 --status rejected", "Fetch the rejected papers of a conference."),
    ],
)
@source_option
@venue_options
@option(
    "--status", metavar="STATUS,...", conditions=needs("--venue"),
    help="Select papers by decision: accepted, rejected, withdrawn, desk-rejected.",
)  # fmt: skip
@sample_options(of_venue=True)
@web_options
def papers(stream: Stream, source: str | None, **options: Any) -> int:
    """Fetch the metadata of papers by their identifiers, or of all papers of a venue.

    An ID is a DOI, an arXiv id, an OpenAlex id, a Semantic Scholar id, CorpusId:N, PMID:N, PMC..., an ACL Anthology id,
    or a URL that contains one of them. st-fetch papers adds missing values to the records of a FILE, and keeps their
    existing values. The sources (web services) are asked one after another until a source knows the paper; a paper that
    no source knows is written with `errors`. A record without an identifier that a source accepts is searched by title,
    author and year; the result is used only if the result is certainly the same paper.
    """
    from scholartools.pipeline.fetching import chosen_sources, fetch_each, show_forecast
    from scholartools.tasks.fetch.papers import fetch_papers, first_requests

    choice = choice_of(options)
    if options["venue"]:
        return fetch_whole_venue(stream, source, options, choice, "papers")
    settings = web_settings(options)
    sources = chosen_sources(names_of(source), "papers", settings.contact)
    asked = entries(stream, options, by_title=True)
    if options["dry_run"]:
        more = (
            "papers that the first source does not know are then requested from the next source"
            if len(sources) > 1
            else None
        )
        return show_forecast(stream, settings, first_requests(sources, list(asked), WINDOW), more)

    async def work(client: WebClient, some: Sequence[Entry]) -> list[Made]:
        return await fetch_papers(client, sources, some)

    return fetch_each(stream, settings, asked, work, window=WINDOW)


def choice_of(options: dict[str, Any]) -> Choice:
    """The choice of papers of a venue by the options.

    Raises:
        UsageFault: a value of ``--status`` is unknown.
    """
    from scholartools.errors import UsageFault
    from scholartools.tasks.fetch.venues import DECISIONS, Choice

    decisions = tuple(names_of(options.get("status")))
    if unknown := [one for one in decisions if one not in DECISIONS]:
        raise UsageFault(f'"{unknown[0]}" is not one of {", ".join(DECISIONS)}', parameter="status")
    strata = tuple(names_of(options.get("stratify")))
    return Choice(decisions, options.get("sample"), strata, options.get("seed") or 0)


def fetch_whole_venue(
    stream: Stream,
    source: str | None,
    options: dict[str, Any],
    choice: Choice,
    task: str,
    comments: bool = False,
    revisions: bool = False,
) -> int:
    """Write the chosen papers of a venue; return the exit status.

    Raises:
        UsageFault: no source has the venue or supports ``task`` for it, or identifiers or files are given too.
    """
    from scholartools.errors import UsageFault
    from scholartools.pipeline.fetching import fetch_each, show_forecast, venue_and_source
    from scholartools.sources import Job
    from scholartools.tasks.fetch.entries import Entry
    from scholartools.tasks.fetch.venues import fetch_venue

    if stream.files or options["ids"]:
        raise UsageFault("--venue selects all papers of a venue: leave out identifiers and files")
    settings = web_settings(options)
    venue, asked = venue_and_source(options["venue"], options["year"], names_of(source))
    if task not in asked.actions:
        raise UsageFault(f"{asked.name} has no {task}", parameter="venue")
    job = Job("venue", venue=venue, with_reviews=task == "reviews", public_comments=comments, revisions=revisions)
    if options["dry_run"]:
        return show_forecast(stream, settings, asked.requests(job), "one list of 1,000 papers after another")

    async def work(client: WebClient, some: Sequence[Entry]) -> list[Made]:
        return await fetch_venue(client, asked, job, choice, stream.tell, task=task)

    return fetch_each(stream, settings, [Entry(str(venue), ())], work, window=1)
