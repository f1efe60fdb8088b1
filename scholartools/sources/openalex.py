"""OpenAlex: works by id, 100 per request; references, citing and related works. Metadata CC0."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scholartools.sources.base import (
    Id,
    Job,
    Page,
    Record,
    Source,
    Tie,
    Unreadable,
    arxiv_of_doi,
    as_list,
    as_object,
    batches,
    one_line,
    plain_doi,
    restricts_nothing,
    work,
)
from scholartools.sources.prices import price_of
from scholartools.web.request import Answer, Ask, Lane, Service

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

NAME = "openalex"
_SINGLE, _LIST, _SEARCH = (price_of(NAME, kind) for kind in ("single", "list", "search"))
_CANDIDATES = 5
_BATCH = _PAGE = 100
_FIELDS = (
    "id,ids,doi,title,publication_year,publication_date,type,authorships,primary_location,best_oa_location,"
    "is_retracted,cited_by_count,referenced_works_count,abstract_inverted_index"
)
_SEED_FIELDS = "id,doi,referenced_works,related_works,cited_by_count"
_WORK_ID = re.compile(r"(?:https?://openalex\.org/)?(W\d+)", re.I)
# Separators of values in a filter.
_PARTS = re.compile(r"[|,&]")


def requests(job: Job) -> list[Ask]:
    """Lists of 100 works by id; for related works the seed, which lists them."""
    if job.action == "search":
        query = (("search", job.query), ("per_page", str(_CANDIDATES)), ("select", _FIELDS))
        return [Ask(NAME, "/works", query, auth="key", price=_SEARCH, items=(job.query,), label="search")]
    if job.action != "papers":
        return [_single(job.ids[0], _SEED_FIELDS, "seed")]
    made = []
    listed: dict[str, list[Id]] = {"openalex": [], "doi": []}
    for one in job.ids:
        if one.kind == "openalex":
            listed["openalex"].append(one)
        elif _PARTS.search(_doi_of(one)):
            made.append(_single(one, _FIELDS, "work"))
        else:
            listed["doi"].append(one)
    for kind, ids in listed.items():
        made += [_list(kind, some) for some in batches(ids, _BATCH)]
    return made


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Parse a response."""
    if ask.label == "seed":
        return _read_seed(job, ask, answer)
    if ask.label == "work":
        if answer.status == 404:
            return Page(missing=dict.fromkeys(ask.items, f"{NAME} does not know it"))
        return Page(works=dict.fromkeys(ask.items, _work(as_object(json.loads(answer.body), "the work"))))
    if answer.status == 404:
        raise Unreadable("a list is not found")
    found = as_object(json.loads(answer.body), "the list")
    results = [as_object(one, "a work") for one in as_list(found.get("results"), '"results"')]
    if ask.label == "search":
        return Page(candidates=[_work(one) for one in results])
    if ask.label == "citations":
        return _read_citations(job, ask, found, results)
    return _read_list(ask, results)


def _read_list(ask: Ask, results: list[Record]) -> Page:
    """Works by id; one whose id has changed is requested individually, which redirects to the new id."""
    page = Page()
    by_id = {}
    for one in results:
        by_id[_work_id(one)] = one
        by_id[plain_doi(one.get("doi")) or ""] = one
    for item in ask.items:
        kind, _, value = item.partition(":")
        name = value.upper() if kind == "openalex" else _doi_of(Id(kind, value))
        if name in by_id:
            page.works[item] = _work(by_id[name])
        elif kind == "openalex":
            page.next.append(_single(Id(kind, value), _FIELDS, "work"))
        else:
            page.missing[item] = f"{NAME} does not know it"
    return page


def _read_seed(job: Job, ask: Ask, answer: Answer) -> Page:
    if answer.status == 404:
        return Page(missing=dict.fromkeys(ask.items, f"{NAME} does not know it"))
    seed = as_object(json.loads(answer.body), "the work")
    if job.action == "citations":
        cited = seed.get("cited_by_count")
        page = Page(next=[_citations(_work_id(seed), "*", job.limit)], total=cited if isinstance(cited, int) else None)
        return page
    key = "referenced_works" if job.action == "references" else "related_works"
    ids = [_plain_id(one) for one in as_list(seed.get(key, []), f'"{key}"')]
    kept = list(dict.fromkeys(ids))[: job.limit]
    tie = {"by": f"{NAME} {key}"}
    page = Page(ties=[Tie(str(Id("openalex", one)), tie=tie) for one in kept], total=len(set(ids)))
    page.next = [_list("openalex", [Id("openalex", one) for one in some]) for some in batches(kept, _BATCH)]
    return page


def _read_citations(job: Job, ask: Ask, found: Record, results: list[Record]) -> Page:
    meta = as_object(found.get("meta"), '"meta"')
    total = meta.get("count")
    tie = {"by": f"{NAME} cites"}
    page = Page(ties=[Tie(None, _work(one), tie) for one in results], total=total if isinstance(total, int) else None)
    page.total_is_exact = True
    cursor = meta.get("next_cursor")
    taken = int(ask.items[0]) + len(results)
    if cursor and results and (job.limit is None or taken < job.limit):
        work_id = dict(ask.query)["filter"].removeprefix("cites:")
        page.next = [_citations(work_id, str(cursor), job.limit, taken)]
    return page


def _citations(work_id: str, cursor: str, limit: int | None, taken: int = 0) -> Ask:
    """Page of citing works; ``items`` holds the number of earlier ones."""
    size = _PAGE if limit is None else max(1, min(_PAGE, limit - taken))
    query = (("filter", f"cites:{work_id}"), ("per_page", str(size)), ("cursor", cursor), ("select", _FIELDS))
    return Ask(NAME, "/works", query, auth="key", price=_LIST, items=(str(taken),), label="citations")


def _list(kind: str, ids: Any) -> Ask:
    values = "|".join(one.value.upper() if kind == "openalex" else _doi_of(one) for one in ids)
    query = (("filter", f"{kind}:{values}"), ("per_page", str(_PAGE)), ("select", _FIELDS))
    return Ask(NAME, "/works", query, auth="key", price=_LIST, items=tuple(map(str, ids)), label="list")


def _single(one: Id, fields: str, label: str) -> Ask:
    name = one.value.upper() if one.kind == "openalex" else f"doi:{quote(_doi_of(one), safe='/:')}"
    return Ask(NAME, f"/works/{name}", (("select", fields),), auth="key", price=_SINGLE, items=(str(one),), label=label)


def _doi_of(one: Id) -> str:
    if one.kind == "arxiv":
        return f"10.48550/arxiv.{re.sub(r'v[0-9]+$', '', one.value)}".lower()
    return one.value.lower()


def _plain_id(value: Any) -> str:
    found = _WORK_ID.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise Unreadable("an id of a work is none")
    return found[1].upper()


def _work_id(one: PaperRecord) -> str:
    return _plain_id(one.get("id"))


def _work(one: Record) -> Record:
    doi = plain_doi(one.get("doi"))
    given = as_object(one.get("ids") or {}, '"ids"')
    ids = {
        "doi": doi, "arxiv": arxiv_of_doi(doi), "openalex": _work_id(one),
        "pmid": _last_part(given.get("pmid")), "pmcid": _last_part(given.get("pmcid")),
    }  # fmt: skip
    abstract, why = _abstract(one.get("abstract_inverted_index"))
    place = one.get("primary_location") or {}
    venue = place.get("source") or {}
    authors = [one_line((each.get("author") or {}).get("display_name")) for each in one.get("authorships") or ()]
    said = {
        "title": one_line(one.get("title")),
        "authors": [name for name in authors if name],
        "abstract": abstract,
        "year": one.get("publication_year"),
        "date": one.get("publication_date"),
        "venue": one_line(venue.get("display_name")),
        "type": one.get("type"),
        "licence": _licence(one.get("best_oa_location") or place),
        "status": {"retracted": True, "by": NAME} if one.get("is_retracted") is True else None,
    }
    return work(NAME, ids, said, {"abstract": why} if why else None)


def _last_part(value: Any) -> str | None:
    return value.rstrip("/").rpartition("/")[2] or None if isinstance(value, str) else None


def _licence(place: Record) -> Record | None:
    """OpenAlex names licences without version ("cc-by"), so only the public domain and MIT get an SPDX id."""
    said = place.get("license")
    if not isinstance(said, str) or not said:
        return None
    known = {"cc0": "CC0-1.0", "mit": "MIT"}.get(said)
    return {"id": known, "said": said, "url": place.get("landing_page_url"), "of": "paper", "by": NAME}


def _abstract(index: Any) -> tuple[str | None, str | None]:
    """Abstract from an inverted index, or why there is none: positions are missing or occupied twice."""
    if not index:
        return None, f"{NAME} has no abstract"
    placed: dict[int, str] = {}
    count = 0
    for word, places in as_object(index, "the abstract").items():
        for place in as_list(places, "places of a word"):
            placed[place] = word
            count += 1
    if count != len(placed) or sorted(placed) != list(range(len(placed))):
        return None, f"{NAME}'s abstract has gaps"
    return " ".join(placed[place] for place in range(len(placed))), None


def _follows(job: Job) -> list[Ask] | None:
    """Pages of the related works."""
    return [_citations("W0", "*", job.limit)] * -(-job.limit // _PAGE) if job.limit else None


SOURCE = Source(
    NAME,
    Service(
        NAME,
        {"": "https://api.openalex.org"},
        {"": Lane("openalex", 0.1)},
        key_variable="OPENALEX_API_KEY",
    ),
    ("openalex", "doi", "arxiv"),
    ("papers", "search", "references", "citations", "similar"),
    "metadata CC0; abstracts as an index of words",
    "documented in 2026-11 (docs.openalex.org); the service itself has not been asked",
    requests,
    read,
    restricts=restricts_nothing,
    probe=_single(Id("openalex", "W2741809807"), "id", "work"),
    follows=_follows,
)
