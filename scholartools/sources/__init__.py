"""Sources of papers: what is asked of each, and what its answers say. Pure: nothing here sends, or reads a clock.

- ``base``: what a source is. ``openalex``, ``semantic_scholar``, ``arxiv``: one each.
"""

from scholartools.sources import arxiv, openalex, semantic_scholar
from scholartools.sources.base import Id, Job, Page, Source, Tie, Unreadable

# In the order in which they are asked, where nothing else is wanted.
SOURCES: dict[str, Source] = {
    source.name: source for source in (arxiv.SOURCE, openalex.SOURCE, semantic_scholar.SOURCE)
}

__all__ = ["SOURCES", "Id", "Job", "Page", "Source", "Tie", "Unreadable"]
