"""st-fetch papers: the metadata of papers, by their identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.commands.fetch.options import (
    entries,
    fetch_action,
    names_of,
    source_option,
    web_options,
    web_settings,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.fetch.entries import Entry, Made
    from scholartools.web.client import WebClient

# Entries that are asked about together: as many as fit into the largest batch of a source.
WINDOW = 500


@fetch_action(
    "papers",
    examples=[
        ("st-fetch papers 10.18653/v1/2023.acl-long.1 2401.00001", "Metadata of two papers."),
        ("st-fetch papers --ids ids.txt --source openalex --dry-run", "How many requests a list would take."),
    ],
)
@source_option
@web_options
def papers(stream: Stream, source: str | None, **options: Any) -> int:
    """Fetch the metadata of papers by their identifiers.

    An ID is a DOI, an arXiv id, an OpenAlex id, a Semantic Scholar id, CorpusId:N, PMID:N, PMC..., an ACL Anthology
    id, or the address of a page that holds one. Records of a FILE are completed: what they say stays. Each paper is
    asked of the sources in their order until one knows it; what none knows is written with `errors`.
    """
    from scholartools.pipeline.fetching import chosen_sources, fetch_each, show_forecast
    from scholartools.tasks.fetch.papers import fetch_papers, first_requests

    settings, sources = web_settings(options), chosen_sources(names_of(source), "papers")
    asked = entries(stream, options)
    if options["dry_run"]:
        more = "what the first source does not know is asked of the next" if len(sources) > 1 else None
        return show_forecast(stream, settings, first_requests(sources, list(asked), WINDOW), more)

    async def work(client: WebClient, some: Sequence[Entry]) -> list[Made]:
        return await fetch_papers(client, sources, some)

    return fetch_each(stream, settings, asked, work, window=WINDOW)
