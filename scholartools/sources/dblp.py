"""DBLP: works of computer science by key, and candidates for a title. Metadata CC0; it has no abstracts."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element

from scholartools.sources.base import (
    Id,
    Job,
    Page,
    Record,
    Source,
    Unreadable,
    as_list,
    as_object,
    one_line,
    plain_doi,
    restricts_nothing,
    work,
)
from scholartools.web.request import Answer, Ask, Lane, Service

NAME = "dblp"
_CANDIDATES = 5
_WHY = {"abstract": f"{NAME} has no abstracts", "date": f"{NAME} has the year alone"}


def requests(job: Job) -> list[Ask]:
    """One request per record; for "search" the candidates for the words of a title."""
    if job.action == "search":
        words = " ".join(re.findall(r"[^\W_]+", job.query))
        query = (("q", words), ("format", "json"), ("h", str(_CANDIDATES)))
        return [Ask(NAME, "/search/publ/api", query, items=(job.query,), label="search")]
    return [
        Ask(
            NAME, f"/rec/{quote(one.value)}.xml", accept="xml", items=(str(one),), label="work", is_page_if_missing=True
        )
        for one in job.ids
    ]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Parse a response."""
    if ask.label == "work":
        return _read_record(ask, answer)
    result = as_object(as_object(json.loads(answer.body), "the answer").get("result"), '"result"')
    hits = as_object(result.get("hits"), '"hits"')
    listed = as_list(hits.get("hit", []), '"hit"')
    if not listed and str(hits.get("@sent", "0")) != "0":
        raise Unreadable("hits that are not there")
    return Page(candidates=[_of_hit(as_object(as_object(one, "a hit").get("info"), '"info"')) for one in listed])


def _read_record(ask: Ask, answer: Answer) -> Page:
    if answer.status == 404:
        return Page(missing=dict.fromkeys(ask.items, f"{NAME} does not know it"))
    from defusedxml.ElementTree import fromstring

    root: Element = fromstring(answer.body)
    if root.tag != "dblp" or len(root) != 1:
        raise Unreadable("no record of DBLP")
    one = root[0]
    texts = {
        name: [one_line("".join(each.itertext())) or "" for each in one.findall(name)]
        for name in ("author", "editor", "ee")
    }
    place = one.find("journal") if one.find("journal") is not None else one.find("booktitle")
    title = one.find("title")
    said = {
        "title": "".join(title.itertext()) if title is not None else None,
        "author": texts["author"] or texts["editor"], "year": one.findtext("year"), "type": one.tag,
        "venue": "".join(place.itertext()) if place is not None else None,
        "doi": next((doi for address in texts["ee"] if (doi := plain_doi(address))), None), "key": one.get("key"),
    }  # fmt: skip
    return Page(works={ask.items[0]: _work(said)})


def _of_hit(info: Record) -> Record:
    """Convert a hit: a single author is not in a list, and names may be objects."""
    authors = (info.get("authors") or {}).get("author") or []
    names = [
        one.get("text") if isinstance(one, dict) else one
        for one in (authors if isinstance(authors, list) else [authors])
    ]
    venue = info.get("venue")
    return _work({**info, "author": names, "venue": venue[0] if isinstance(venue, list) and venue else venue})


def _work(one: Record) -> Record:
    title, year = one_line(one.get("title")), str(one.get("year") or "")
    said = {
        "title": title.removesuffix(".") if title else None,
        "authors": [name for each in one["author"] if (name := _plain_name(each))],
        "year": int(year) if year.isdigit() else None,
        "venue": one_line(one.get("venue")),
        "type": "preprint" if str(one.get("key")).startswith("journals/corr/") else one.get("type"),
        "licence": {"id": "CC0-1.0", "url": None, "of": "metadata", "by": NAME},
    }
    return work(NAME, {"dblp": one_line(one.get("key")), "doi": plain_doi(one.get("doi"))}, said, _WHY)


def _plain_name(name: Any) -> str | None:
    """Name without the number with which DBLP distinguishes namesakes."""
    return one_line(re.sub(r"\s\d{4}$", "", name)) if isinstance(name, str) else None


SOURCE = Source(
    NAME,
    Service(NAME, {"": "https://dblp.org"}, {"": Lane(NAME, 2.0, connections=1)}),
    ("dblp",),
    ("papers", "search"),
    "metadata CC0",
    "documented in 2026-11 (dblp.org/faq); the service itself has not been asked",
    requests,
    read,
    restricts=restricts_nothing,
    probe=requests(Job("papers", (Id("dblp", "conf/naacl/DevlinCLT19"),)))[0],
    by_default=False,
)
