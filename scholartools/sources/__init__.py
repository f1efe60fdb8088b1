"""Sources of papers: the requests to each, and the parsing of its responses. Pure functions without network or clock.

- ``base``: the interface of a source. ``prices``: prices of requests.
- ``openalex``, ``semantic_scholar``, ``arxiv``, ``openreview``, ``acl_anthology``, ``crossref``, ``europe_pmc``,
  ``unpaywall``, ``dblp``, ``biorxiv``: one source each.
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

# In the default order of requests.
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
    """Source of a venue: OpenReview for its groups and their short names, else the ACL Anthology, or None."""
    if openreview.group_of(venue) is not None:
        return openreview.SOURCE
    return acl_anthology.SOURCE if acl_anthology.collection_of(venue) is not None else None


__all__ = [
    "INTERNAL", "SOURCES", "Id", "Job", "Page", "Source", "Tie", "Unreadable", "Venue", "is_open", "source_of_venue",
]  # fmt: skip
