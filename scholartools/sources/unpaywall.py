"""Unpaywall: location and licence of the open copy of a DOI, if one is known."""

from __future__ import annotations

import json
from urllib.parse import quote

from scholartools.sources.base import Id, Job, Page, Record, Source, as_object, named_licence, one_line, plain_doi, work
from scholartools.web.request import Answer, Ask, Lane, Service

NAME = "unpaywall"


def requests(job: Job) -> list[Ask]:
    """One request per DOI; the required e-mail address is added when it is sent."""
    return [Ask(NAME, f"/v2/{quote(one.value, safe='/')}", items=(str(one),), label="work") for one in job.ids]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Parse the work; an unknown DOI is missing."""
    if answer.status == 404:
        return Page(missing=dict.fromkeys(ask.items, f"{NAME} does not know it"))
    found = as_object(json.loads(answer.body), "the work")
    made = _work(found)
    if made["ids"].get("doi") != ask.items[0].partition(":")[2].lower():
        raise ValueError("the answer is about another DOI")
    return Page(works={ask.items[0]: made})


def _work(one: Record) -> Record:
    names = [
        one_line(" ".join(part for part in (each.get("given"), each.get("family")) if isinstance(part, str)))
        or one_line(each.get("raw_author_name"))
        for each in one.get("z_authors") or ()
        if isinstance(each, dict)
    ]
    best = as_object(one.get("best_oa_location") or {}, "the best copy")
    address = best.get("url_for_pdf") or best.get("url_for_landing_page") or best.get("url")
    year, date = one.get("year"), one.get("published_date")
    said = {
        "title": one_line(one.get("title")),
        "authors": [name for name in names if name],
        "year": year if isinstance(year, int) else None,
        "date": date if isinstance(date, str) else None,
        "venue": one_line(one.get("journal_name")),
        "type": one.get("genre"),
        "licence": named_licence(best.get("license"), NAME, address),
    }
    return work(NAME, {"doi": plain_doi(one.get("doi"))}, said, {"abstract": f"{NAME} has none"})


SOURCE = Source(
    NAME,
    Service(
        NAME, {"": "https://api.unpaywall.org"}, {"": Lane(NAME, 1.0, connections=1, window=(100_000, 86_400.0))},
        needs_contact=True, contact_query="email",
    ),
    ("doi",),
    ("papers",),
    "metadata free to use; copies lie at other hosts, which are not asked",
    "documented in 2026-11 (unpaywall.org/products/api); the service itself has not been asked",
    requests,
    read,
    probe=requests(Job("papers", (Id("doi", "10.1038/nature12373"),)))[0],
    by_default=False,
)  # fmt: skip
