"""Semantic Scholar: works in batches of 500; references, citing and recommended works."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from scholartools.sources.base import (
    Id,
    Job,
    Page,
    Record,
    Source,
    Tie,
    Unreadable,
    as_list,
    as_object,
    batches,
    one_line,
    plain_doi,
    work,
)
from scholartools.web.request import Answer, Ask, Lane, Service

NAME = "semantic-scholar"
_BATCH, _PAGE, _SIMILAR = 500, 1000, 500
_FIELDS = (
    "externalIds,corpusId,title,abstract,authors,year,publicationDate,venue,publicationTypes,openAccessPdf,"
    "referenceCount,citationCount"
)
_PREFIX = {
    "doi": "DOI:", "arxiv": "ARXIV:", "corpus": "CorpusId:", "acl": "ACL:", "pmid": "PMID:", "pmcid": "PMCID:",
    "s2": "",
}  # fmt: skip
_COUNTS = {"references": "referenceCount", "citations": "citationCount"}
_OTHER = {"references": "citedPaper", "citations": "citingPaper"}
_LIST_FIELDS = {
    "references": "contexts,intents,isInfluential,paperId,title,externalIds",
    "citations": "contexts,intents,isInfluential,paperId,title,externalIds",
}


def requests(job: Job) -> list[Ask]:
    """Batches of 500; for related works the counts of the seed, or the recommendations."""
    if job.action == "papers":
        return [_batch(some, _FIELDS, "batch") for some in batches(job.ids, _BATCH)]
    if job.action == "search":
        named = (("query", job.query), ("fields", _FIELDS))
        return [Ask(NAME, "/graph/v1/paper/search/match", named, auth="key", items=(job.query,), label="search")]
    name = quote(_name(job.ids[0]), safe=":/")
    if job.action == "similar":
        limit = min(job.limit or _SIMILAR, _SIMILAR)
        path = f"/recommendations/v1/papers/forpaper/{name}"
        recommended = (("from", "all-cs"), ("limit", str(limit)), ("fields", _FIELDS))
        return [Ask(NAME, path, recommended, auth="key", items=(str(job.ids[0]),), label="similar")]
    query = (("fields", ",".join(_COUNTS.values())),)
    return [Ask(NAME, f"/graph/v1/paper/{name}", query, auth="key", items=(str(job.ids[0]),), label="seed")]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Parse a response."""
    if answer.status == 404 and ask.label == "search":
        return Page()
    if answer.status == 404:
        if ask.label in ("batch", "list"):
            raise Unreadable(f"a {ask.label} is not found")
        return Page(missing=dict.fromkeys(ask.items, f"{NAME} does not know it"))
    found = json.loads(answer.body)
    if ask.label == "batch":
        return _read_batch(ask, as_list(found, "the batch"))
    found = as_object(found, "the answer")
    if ask.label == "search":
        return Page(candidates=[_work(as_object(one, "a paper")) for one in as_list(found.get("data"), '"data"')])
    if ask.label == "seed":
        total = found.get(_COUNTS[job.action])
        exact = isinstance(total, int)
        return Page(next=[_related(job, 0)], total=total if exact else None, total_is_exact=exact)
    if ask.label == "similar":
        works = [as_object(one, "a paper") for one in as_list(found.get("recommendedPapers"), '"recommendedPapers"')]
        return Page(ties=[Tie(None, _work(one), {"by": f"{NAME} recommendations"}) for one in works])
    return _read_related(job, ask, found)


def _read_batch(ask: Ask, found: list[Any]) -> Page:
    if len(found) != len(ask.items):
        raise Unreadable(f"{len(found)} papers for {len(ask.items)} ids")
    page = Page()
    for item, one in zip(ask.items, found):
        if one is None:
            page.missing[item] = f"{NAME} does not know it"
        else:
            page.works[item] = _work(as_object(one, "a paper"))
    return page


def _read_related(job: Job, ask: Ask, found: Record) -> Page:
    """Ids from the list, works from a batch, since lists omit abstracts more often."""
    page = Page()
    wanted: list[Id] = []
    for one in as_list(found.get("data"), '"data"'):
        one = as_object(one, "an entry")
        other = as_object(one.get(_OTHER[job.action]), f'"{_OTHER[job.action]}"')
        tie = {
            "by": f"{NAME} {job.action}", "contexts": one.get("contexts") or [], "intents": one.get("intents") or [],
            "influential": one.get("isInfluential"),
        }  # fmt: skip
        if other.get("paperId"):
            name = Id("s2", str(other["paperId"]))
            wanted.append(name)
            page.ties.append(Tie(str(name), tie=tie))
        else:
            page.ties.append(Tie(None, _work(other), tie))
    taken = int(ask.items[0]) + len(page.ties)
    following = found.get("next")
    if isinstance(following, int) and page.ties and (job.limit is None or taken < job.limit):
        page.next.append(_related(job, following, taken))
    unique = list(dict.fromkeys(wanted))
    page.next += [_batch(some, _FIELDS, "batch") for some in batches(unique, _BATCH)]
    return page


def _related(job: Job, offset: int, taken: int = 0) -> Ask:
    """Page of a list; ``items`` holds the number of earlier entries."""
    size = _PAGE if job.limit is None else max(1, min(_PAGE, job.limit - taken))
    query = (("fields", _LIST_FIELDS[job.action]), ("offset", str(offset)), ("limit", str(size)))
    path = f"/graph/v1/paper/{quote(_name(job.ids[0]), safe=':/')}/{job.action}"
    return Ask(NAME, path, query, auth="key", items=(str(taken),), label="list")


def _batch(ids: Any, fields: str, label: str) -> Ask:
    body = {"ids": [_name(one) for one in ids]}
    query = (("fields", fields),)
    return Ask(
        NAME,
        "/graph/v1/paper/batch",
        query,
        method="POST",
        body=body,
        auth="key",
        items=tuple(map(str, ids)),
        label=label,
    )


def _name(one: Id) -> str:
    return f"{_PREFIX[one.kind]}{one.value}"


def _work(one: Record) -> Record:
    external = as_object(one.get("externalIds") or {}, '"externalIds"')
    pmcid = external.get("PubMedCentral")
    ids = {
        "doi": plain_doi(external.get("DOI")), "arxiv": _text(external.get("ArXiv")), "s2": _text(one.get("paperId")),
        "acl": _text(external.get("ACL")), "pmid": _text(external.get("PubMed")),
        "pmcid": f"PMC{str(pmcid).removeprefix('PMC')}" if pmcid else None, "dblp": _text(external.get("DBLP")),
    }  # fmt: skip
    authors = [one_line(each.get("name")) for each in one.get("authors") or () if isinstance(each, dict)]
    kinds = one.get("publicationTypes")
    said = {
        "title": one_line(one.get("title")),
        "authors": [name for name in authors if name],
        "abstract": one.get("abstract"),
        "year": one.get("year"),
        "date": one.get("publicationDate"),
        "venue": one_line(one.get("venue")),
        "type": kinds[0] if isinstance(kinds, list) and kinds else None,
        "licence": _licence(one.get("openAccessPdf")),
    }
    why = {"abstract": f"{NAME} leaves it out, as it does for some publishers"}
    return work(NAME, ids, said, why)


def _text(value: Any) -> str | None:
    return str(value) if value not in (None, "") else None


def _licence(pdf: Any) -> Record | None:
    said = pdf.get("license") if isinstance(pdf, dict) else None
    if not isinstance(said, str) or not said:
        return None
    return {"id": None, "said": said, "url": pdf.get("url"), "of": "paper", "by": NAME}


def _follows(job: Job) -> list[Ask] | None:
    """Pages of ids, and batches of works; recommendations include their works."""
    if job.action == "similar":
        return []
    return [_related(job, 0)] * (-(-job.limit // _PAGE) - (-job.limit // _BATCH)) if job.limit else None


SOURCE = Source(
    NAME,
    Service(
        NAME,
        {"": "https://api.semanticscholar.org"},
        {"": Lane("semantic-scholar", 1.0, connections=1)},
        key_variable="SEMANTIC_SCHOLAR_API_KEY",
        key_header=("x-api-key", "{}"),
    ),
    ("s2", "corpus", "doi", "arxiv", "acl", "pmid", "pmcid"),
    ("papers", "search", "references", "citations", "similar"),
    "terms of 2023 ask for attribution; publish ids and links alone until a person has read them",
    "documented in 2026-11 (api.semanticscholar.org/api-docs); the service itself has not been asked",
    requests,
    read,
    probe=Ask(NAME, "/graph/v1/paper/ARXIV:1706.03762", (("fields", "title"),), auth="key", label="seed"),
    follows=_follows,
)
