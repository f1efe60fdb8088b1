"""bioRxiv and medRxiv: preprints by DOI, with versions, licence and published article."""

from __future__ import annotations

import json
from urllib.parse import quote

from scholartools.sources.base import (
    Id,
    Job,
    Page,
    Record,
    Source,
    Unreadable,
    as_list,
    as_object,
    named_licence,
    one_line,
    plain_doi,
    work,
)
from scholartools.web.request import Answer, Ask, Lane, Service

NAME = "biorxiv"
_PREFIXES = ("10.1101/", "10.64898/")
_SERVERS = ("biorxiv", "medrxiv")


def requests(job: Job) -> list[Ask]:
    """One request per DOI with a prefix of these servers; other DOIs are skipped."""
    return [_ask(one, _SERVERS[0]) for one in job.ids if one.value.lower().startswith(_PREFIXES)]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Latest version of a preprint; if the first server does not know it, the second is requested next."""
    found = as_object(json.loads(answer.body), "the answer") if answer.status != 404 else {"collection": []}
    listed = [as_object(one, "a version") for one in as_list(found.get("collection"), '"collection"')]
    item = ask.items[0]
    one = Id(*item.split(":", 1))
    if any(plain_doi(each.get("doi")) != one.value.lower() for each in listed):
        raise Unreadable("another DOI than was asked for")
    if listed:
        return Page(works={item: _work(sorted(listed, key=_number))})
    if ask.label == _SERVERS[0]:
        return Page(next=[_ask(one, _SERVERS[1])])
    return Page(missing={item: f"{NAME} does not know it"})


def _ask(one: Id, server: str) -> Ask:
    return Ask(NAME, f"/details/{server}/{quote(one.value, safe='/')}/na/json", items=(str(one),), label=server)


def _number(version: Record) -> int:
    given = str(version.get("version"))
    return int(given) if given.isdigit() else 0


def _work(versions: list[Record]) -> Record:
    one = versions[-1]
    doi = plain_doi(one.get("doi"))
    first, published = versions[0].get("date"), plain_doi(one.get("published"))
    kind = str(one.get("type") or "")
    said = {
        "title": one_line(one.get("title")),
        "authors": [name for part in str(one.get("authors") or "").split(";") if (name := _name_of(part))],
        "abstract": one_line(one.get("abstract")),
        "year": int(first[:4]) if isinstance(first, str) and first[:4].isdigit() else None,
        "date": first if isinstance(first, str) else None,
        "venue": one_line(one.get("server")),
        "type": "preprint",
        "keywords": [one["category"]] if isinstance(one.get("category"), str) else None,
        "licence": named_licence(one.get("license"), NAME),
        "versions": [{"id": f"{doi}v{_number(each)}", "date": each.get("date"), "at": NAME} for each in versions],
        "same_as": [published.replace("/", "_")] if published else None,
        "status": {"withdrawn": True, "by": NAME, "said": kind} if "withdraw" in kind.lower() else None,
    }
    return work(NAME, {"doi": doi}, said)


def _name_of(part: str) -> str | None:
    """Given name before family name, which comes first in the response."""
    family, _, given = part.strip().partition(",")
    return one_line(f"{given} {family}")


SOURCE = Source(
    NAME,
    Service(NAME, {"": "https://api.biorxiv.org"}, {"": Lane(NAME, 1.0, connections=1)}),
    ("doi",),
    ("papers",),
    "metadata of preprints; each under the licence that its authors chose",
    "documented in 2026-11 (api.biorxiv.org), the rate is ours; the service itself has not been asked",
    requests,
    read,
    probe=requests(Job("papers", (Id("doi", "10.1101/339747"),)))[0],
    by_default=False,
)
