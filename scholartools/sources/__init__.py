"""Sources of papers: what is asked of each, and what its answers say. Pure: nothing here sends, or reads a clock.

- ``base``: what a source is. ``prices``: what its requests cost.
- ``openalex``, ``semantic_scholar``, ``arxiv``, ``openreview``, ``acl_anthology``, ``crossref``, ``europe_pmc``,
  ``unpaywall``, ``dblp``, ``biorxiv``: one each.
"""

from scholartools.sources import (
    acl_anthology,
    arxiv,
    biorxiv,
    crossref,
    dblp,
    europe_pmc,
    openalex,
    openreview,
    semantic_scholar,
    unpaywall,
)
from scholartools.sources.base import INTERNAL, Id, Job, Page, Source, Tie, Unreadable, Venue, is_open

# In the order in which they are asked, where nothing else is wanted.
SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        arxiv.SOURCE,
        acl_anthology.SOURCE,
        openreview.SOURCE,
        openalex.SOURCE,
        semantic_scholar.SOURCE,
        crossref.SOURCE,
        europe_pmc.SOURCE,
        unpaywall.SOURCE,
        dblp.SOURCE,
        biorxiv.SOURCE,
    )
}


def source_of_venue(venue: Venue) -> Source | None:
    """The source that has a venue: a group of OpenReview or a short name of one, else a venue of the Anthology."""
    if openreview.group_of(venue) is not None:
        return openreview.SOURCE
    return acl_anthology.SOURCE if acl_anthology.collection_of(venue) is not None else None


__all__ = [
    "INTERNAL", "SOURCES", "Id", "Job", "Page", "Source", "Tie", "Unreadable", "Venue", "is_open", "source_of_venue",
]  # fmt: skip
