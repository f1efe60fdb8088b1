"""Europe PMC: works by PMCID, PMID or DOI, candidates for a title; full texts as JATS."""

from __future__ import annotations

import json

from scholartools.sources.base import (
    Id,
    Job,
    Page,
    Record,
    Source,
    as_list,
    as_object,
    batches,
    named_licence,
    one_line,
    plain_doi,
    work,
)
from scholartools.web.request import Answer, Ask, Lane, Service

NAME = "europe-pmc"
_BATCH, _PAGE, _CANDIDATES = 20, 100, 5
_REST = "/europepmc/webservices/rest"
_FIELDS = {"pmcid": "PMCID:{}", "pmid": "(EXT_ID:{} AND SRC:MED)", "doi": 'DOI:"{}"'}


def requests(job: Job) -> list[Ask]:
    """Searches for 20 works by id; for "search" the candidates for a title."""
    if job.action == "search":
        title = job.query.replace('"', " ").replace("\\", " ")
        return [_search(f'TITLE:"{title}"', (job.query,), "search", _CANDIDATES)]
    made = []
    for some in batches(job.ids, _BATCH):
        query = " OR ".join(_FIELDS[one.kind].format(one.value.replace('"', "")) for one in some)
        made.append(_search(query, tuple(map(str, some)), "list", _PAGE))
    return made


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Works by id, in any order; of several entries for one work the first counts."""
    found = as_object(json.loads(answer.body), "the answer")
    listed = as_list(as_object(found.get("resultList"), '"resultList"').get("result"), '"result"')
    works = [_work(as_object(one, "a work")) for one in listed]
    if ask.label == "search":
        return Page(candidates=works)
    page = Page()
    by_id: dict[str, Record] = {}
    for made in works:
        for kind, value in made["ids"].items():
            by_id.setdefault(f"{kind}:{value}".lower(), made)
    cursor = dict(ask.query)["cursorMark"]
    left = tuple(item for item in ask.items if item.lower() not in by_id)
    page.works = {item: by_id[item.lower()] for item in ask.items if item.lower() in by_id}
    more = found.get("nextCursorMark")
    if left and len(listed) == _PAGE and isinstance(more, str) and more != cursor:
        page.next = [_search(dict(ask.query)["query"], left, "list", _PAGE, more)]
    else:
        page.missing = dict.fromkeys(left, f"{NAME} does not know it")
    return page


def _search(query: str, items: tuple[str, ...], label: str, size: int, cursor: str = "*") -> Ask:
    named = (
        ("query", query),
        ("resultType", "core"),
        ("format", "json"),
        ("pageSize", str(size)),
        ("cursorMark", cursor),
    )
    return Ask(NAME, f"{_REST}/search", named, items=items, label=label)


def _work(one: Record) -> Record:
    listed = (one.get("authorList") or {}).get("author") or ()
    names = [_name_of(each) for each in listed if isinstance(each, dict)]
    title = one_line(one.get("title"), has_tags=True)
    kinds = (one.get("pubTypeList") or {}).get("pubType") or ()
    date, year = one.get("firstPublicationDate"), one.get("pubYear")
    ids = {"doi": plain_doi(one.get("doi")), "pmid": one.get("pmid"), "pmcid": one.get("pmcid")}
    said = {
        "title": title.removesuffix(".") if title else None,
        "authors": [name for name in names if name],
        "abstract": one_line(one.get("abstractText"), has_tags=True),
        "year": int(year) if isinstance(year, str) and year.isdigit() else None,
        "date": date if isinstance(date, str) else None,
        "venue": one_line(((one.get("journalInfo") or {}).get("journal") or {}).get("title")),
        "type": "preprint"
        if one.get("source") == "PPR"
        else next((kind for kind in kinds if isinstance(kind, str)), None),
        "keywords": [word for word in (one.get("keywordList") or {}).get("keyword") or () if isinstance(word, str)],
        "licence": named_licence(one.get("license"), NAME),
        "status": {"retracted": True, "by": NAME} if "Retracted Publication" in kinds else None,
    }
    return work(NAME, ids, said)


def _name_of(author: Record) -> str | None:
    """Given name before family name; if these are not separate, the full name."""
    parts = [author.get("firstName"), author.get("lastName")]
    if all(isinstance(part, str) for part in parts):
        return one_line(" ".join(parts))  # type: ignore[arg-type]
    return one_line(author.get("fullName") or author.get("collectiveName"))


def _jats(one: Id, made: Record, version: str | None) -> Ask | str:
    pmcid = (made.get("ids") or {}).get("pmcid") or (one.value if one.kind == "pmcid" else None)
    if version not in (None, "latest"):
        return "it has one version of a full text"
    if pmcid is None:
        return "it has no full text of it"
    return Ask(NAME, f"{_REST}/{pmcid}/fullTextXML", accept="file", items=(str(one), pmcid), label="jats")


SOURCE = Source(
    NAME,
    Service(NAME, {"": "https://www.ebi.ac.uk"}, {"": Lane(NAME, 1.0, connections=1)}),
    ("pmcid", "pmid", "doi"),
    ("papers", "search", "licence", "source"),
    "full texts under the licence that each states; abstracts are the publishers'",
    "documented in 2026-11 (europepmc.org/RestfulWebService), the rate is ours; the service itself has not been asked",
    requests,
    read,
    files={"jats": _jats},
    probe=requests(Job("papers", (Id("pmcid", "PMC4304851"),)))[0],
    by_default=False,
)
