"""arXiv: metadata of e-prints by their ids, 100 at once. Metadata CC0; most e-prints may not be passed on."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from scholartools.sources.base import Job, Page, Record, Source, Unreadable, batches, one_line, plain_doi, work
from scholartools.web.request import Answer, Ask, Lane, Service

NAME = "arxiv"
_BATCH = 100
_SPACES = {
    "a": "http://www.w3.org/2005/Atom", "x": "http://arxiv.org/schemas/atom",
    "o": "http://a9.com/-/spec/opensearch/1.1/",
}  # fmt: skip
_ENTRY_ID = re.compile(r"https?://(?:export\.)?arxiv\.org/abs/(.+?)(?:v(\d+))?")
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.I)


def requests(job: Job) -> list[Ask]:
    """Lists of 100 e-prints by their ids."""
    return [_list(some) for some in batches(job.ids, _BATCH)]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """The works by id: the order is not ours, and what it does not know is left out."""
    root = _parse(answer.body)
    found: dict[str, Record] = {}
    for entry in root.findall("a:entry", _SPACES):
        if (_text(entry, "a:title") or "") == "Error":
            raise Unreadable(f"it answers with an error: {_text(entry, 'a:summary')}")
        number, version = _id_of(entry)
        made = _work(entry, number, version)
        found[number] = made
        found[f"{number}v{version}"] = made
    page = Page()
    for item in ask.items:
        value = item.partition(":")[2]
        if value in found:
            page.works[item] = found[value]
        else:
            page.missing[item] = f"{NAME} does not know it"
    return page


def doubt(ask: Ask, body: bytes) -> str | None:
    """A first page can be empty though there are results."""
    root = _parse(body)
    return "no entry at all" if root.find("a:entry", _SPACES) is None else None


def _list(ids: Any) -> Ask:
    query = (("id_list", ",".join(one.value for one in ids)), ("start", "0"), ("max_results", str(_BATCH)))
    return Ask(NAME, "/api/query", query, accept="xml", items=tuple(map(str, ids)), label="list")


def _parse(body: bytes) -> Element:
    from defusedxml.ElementTree import fromstring

    root: Element = fromstring(body)
    if root.tag != f"{{{_SPACES['a']}}}feed":
        raise Unreadable("no Atom feed")
    return root


def _id_of(entry: Element) -> tuple[str, str]:
    found = _ENTRY_ID.fullmatch(_text(entry, "a:id") or "")
    if found is None:
        raise Unreadable("an entry without an id of arXiv")
    return found[1], found[2] or "1"


def _text(entry: Element, path: str) -> str | None:
    return one_line(entry.findtext(path, namespaces=_SPACES))


def _work(entry: Element, number: str, version: str) -> Record:
    published, updated = _text(entry, "a:published"), _text(entry, "a:updated")
    comment = _text(entry, "x:comment")
    primary = entry.find("x:primary_category", _SPACES)
    category = primary.get("term") if primary is not None else None
    authors = [one_line(one.findtext("a:name", namespaces=_SPACES)) for one in entry.findall("a:author", _SPACES)]
    withdrawn = bool(comment and _WITHDRAWN.search(comment))
    said = {
        "title": _text(entry, "a:title"),
        "authors": [name for name in authors if name],
        "abstract": _text(entry, "a:summary"),
        "year": int(published[:4]) if published and published[:4].isdigit() else None,
        "date": published[:10] if published else None,
        "venue": _text(entry, "x:journal_ref"),
        "type": "preprint",
        "keywords": [category] if category else None,
        "versions": [{"id": f"{number}v{version}", "date": updated[:10] if updated else None, "at": NAME}],
        "status": {"withdrawn": True, "by": NAME, "said": comment} if withdrawn else None,
        "licence": {"id": "CC0-1.0", "url": None, "of": "metadata", "by": NAME},
    }
    ids = {"doi": plain_doi(_text(entry, "x:doi")), "arxiv": number}
    why = {"doi": "no DOI of a publication is noted at arXiv", "venue": "no journal is noted at arXiv"}
    return work(NAME, ids, said, why)


SOURCE = Source(
    NAME,
    Service(
        NAME,
        {"": "https://export.arxiv.org"},
        {"": Lane("arxiv", 3.0, connections=1, alone=True)},
        file_hosts=("arxiv.org",),
    ),
    ("arxiv",),
    ("papers",),
    "metadata CC0; the licence of each e-print stands at arXiv, and most allow no copies",
    "documented in 2026-11 (info.arxiv.org/help/api/tou.html); the service itself has not been asked",
    requests,
    read,
    doubt,
)
