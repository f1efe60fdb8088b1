"""st-fetch: papers and related papers from web services.

- ``papers``: metadata by identifier or by venue. ``reviews``: public reviews. ``source``: files.
- ``merge``: merge records of the same paper. ``related``: references, citations, similar. ``status``: usable services.
- ``options``: options shared by several actions.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-fetch",
    __name__,
    {
        "papers": "Fetch the metadata of papers by their identifiers, or of a venue.",
        "reviews": "Fetch public reviews, decisions and discussions.",
        "source": "Fetch LaTeX sources, JATS and PDFs, by their licences.",
        "references": "Fetch the papers that papers cite.",
        "citations": "Fetch papers that cite papers.",
        "similar": "Fetch papers that a service considers similar.",
        "merge": "Merge records of the same paper into one record.",
        "status": "Show the web services, their limits and API keys.",
    },
    modules={"references": "related", "citations": "related", "similar": "related"},
    noun="action",
    help="""Fetch papers and related papers from web services.

    All processes of a user on this machine together keep to the limits of each web service. Each response is stored
    before it is used: an interrupted run resumes where it stopped, and --replay repeats a run without network and API
    key. If a web service does not provide a value, the value is null, with the reason. A message names each paper that
    no web service knows.

    docs/fetch.md describes the web services, their limits, records and licences.""",
    examples=[
        ("st-fetch papers 10.18653/v1/2023.acl-long.1 2401.00001", "Fetch the metadata of two papers."),
        ("st-fetch references papers.jsonl --output corpus.jsonl", "Fetch the papers that the papers in a file cite."),
    ],
)
