"""Crossref: works by DOI, and candidates for a title; with retractions and preprints as reported by publishers."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from scholartools.readers.common.tags import without_tags
from scholartools.sources.base import (
    Job,
    Page,
    Record,
    Source,
    Unreadable,
    as_list,
    as_object,
    batches,
    licence,
    one_line,
    plain_doi,
    work,
)
from scholartools.web.request import Answer, Ask, Lane, Service

NAME = "crossref"
_BATCH, _CANDIDATES = 50, 5
_TAKEN_BACK = ("retraction", "withdrawal", "removal")


def requests(job: Job) -> list[Ask]:
    """Lists of 50 works by DOI; for "search" the candidates for a title."""
    if job.action == "search":
        query = (("query.bibliographic", job.query), ("rows", str(_CANDIDATES)))
        return [Ask(NAME, "/v1/works", query, auth="key", items=(job.query,), label="search")]
    parted = [one for one in job.ids if "," in one.value]  # the comma separates DOIs in a list
    made = [
        Ask(NAME, f"/v1/works/{quote(one.value, safe='')}", auth="key", items=(str(one),), label="work")
        for one in parted
    ]
    for some in batches([one for one in job.ids if one not in parted], _BATCH):
        query = (("filter", ",".join(f"doi:{one.value}" for one in some)), ("rows", str(_BATCH)))
        made.append(Ask(NAME, "/v1/works", query, auth="key", items=tuple(map(str, some)), label="list"))
    return made


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Works by id: the response has another order and omits unknown ids."""
    if answer.status == 404:
        if ask.label != "work":
            raise Unreadable(f"a {ask.label} is not found")
        return Page(missing=dict.fromkeys(ask.items, f"{NAME} does not know it"))
    message = as_object(as_object(json.loads(answer.body), "the answer").get("message"), '"message"')
    if ask.label == "work":
        return Page(works=dict.fromkeys(ask.items, _work(message)))
    found = [_work(as_object(one, "a work")) for one in as_list(message.get("items"), '"items"')]
    page = Page()
    if ask.label == "search":
        page.candidates = found
        return page
    by_doi = {one["ids"].get("doi"): one for one in found}
    for item in ask.items:
        if made := by_doi.get(item.partition(":")[2].lower()):
            page.works[item] = made
        else:
            page.missing[item] = f"{NAME} does not know it"
    return page


def _work(one: Record) -> Record:
    year, date = _date_of(one.get("issued"))
    relation = one.get("relation") if isinstance(one.get("relation"), dict) else {}
    said = {
        "title": one_line(_plain(_first(one.get("title")))),
        "authors": [name for each in one.get("author") or () if isinstance(each, dict) and (name := _name_of(each))],
        "abstract": one_line(_plain(one.get("abstract"))),
        "year": year,
        "date": date,
        "venue": one_line(_first(one.get("container-title"))),
        "type": "preprint" if one.get("type") == "posted-content" else one.get("type"),
        "licence": _licence_of(one.get("license")),
        "same_as": _copies_of(relation or {}),
        "status": _status_of(one),
    }
    return work(NAME, {"doi": plain_doi(one.get("DOI"))}, said, {"abstract": f"its publisher gave {NAME} none"})


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _plain(text: Any) -> str | None:
    """Text without JATS and MathML tags, and without the heading of an abstract."""
    if not isinstance(text, str):
        return None
    return re.sub(r"^\s*abstract\b[:.]?\s*(?=[A-Z])", "", without_tags(text), flags=re.I)


def _name_of(author: Record) -> str | None:
    """Given name before family name; the name of a group unchanged."""
    parts = [author.get("given"), author.get("family")]
    return one_line(" ".join(part for part in parts if isinstance(part, str)) or author.get("name"))


def _date_of(issued: Any) -> tuple[int | None, str | None]:
    parts = _first(issued.get("date-parts")) if isinstance(issued, dict) else None
    numbers = [part for part in parts or () if isinstance(part, int)]
    if not numbers:
        return None, None
    return numbers[0], "-".join(f"{part:02d}" for part in numbers) if len(numbers) == 3 else None


def _licence_of(given: Any) -> Record | None:
    """Licence of the published version, else of an unspecified or the accepted one; licences with a delay do not
    count.
    """
    listed = [one for one in given or () if isinstance(one, dict) and not one.get("delay-in-days")]
    for version in ("vor", "unspecified", "am"):
        for one in listed:
            if one.get("content-version") == version and (made := licence(one.get("URL"), NAME)):
                return made
    return None


def _copies_of(relation: Record) -> list[str]:
    """DOIs of the preprint or of the published article, as ids of records."""
    linked = [one for kind in ("is-preprint-of", "has-preprint") for one in relation.get(kind) or ()]
    dois = [plain_doi(one.get("id")) for one in linked if isinstance(one, dict)]
    return [doi.replace("/", "_") for doi in dois if doi]


def _status_of(one: Record) -> Record | None:
    for update in one.get("updated-by") or ():
        if isinstance(update, dict) and str(update.get("type")).lower() in _TAKEN_BACK:
            return {"retracted": True, "by": NAME, "said": f"{update.get('type')}, {update.get('source')}"}
    return None


def _restricts(body: bytes) -> str | None:
    """Abstracts belong to the publishers; everything else is free."""
    return "terms" if b'"abstract"' in body else None


SOURCE = Source(
    NAME,
    Service(
        NAME,
        {"": "https://api.crossref.org"},
        {"": Lane("crossref", 1.0, connections=1)},
        key_variable="CROSSREF_PLUS_TOKEN",
        key_header=("Crossref-Plus-API-Token", "Bearer {}"),
        needs_contact=True,
    ),
    ("doi",),
    ("papers", "search"),
    "metadata free to use; abstracts are the publishers'",
    "documented in 2026-11 (crossref.org/documentation/retrieve-metadata); the service itself has not been asked",
    requests,
    read,
    restricts=_restricts,
    probe=Ask(NAME, "/v1/works/10.1038%2Fnature14539", auth="key", label="work"),
)
