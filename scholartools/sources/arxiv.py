"""arXiv: metadata of e-prints by id, 100 per request; licences, sources and PDFs one by one."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

from scholartools.sources.base import (
    Id,
    Job,
    Page,
    Record,
    Source,
    Unreadable,
    batches,
    licence,
    one_line,
    plain_doi,
    restricts_nothing,
    work,
)
from scholartools.web.request import Answer, Ask, Lane, Service

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

NAME = "arxiv"
_BATCH, _CANDIDATES = 100, 10
_SPACES = {
    "a": "http://www.w3.org/2005/Atom", "x": "http://arxiv.org/schemas/atom",
    "o": "http://a9.com/-/spec/opensearch/1.1/",
}  # fmt: skip
_ENTRY_ID = re.compile(r"https?://(?:export\.)?arxiv\.org/abs/(.+?)(?:v(\d+))?")
_OAI, _RAW = "{http://www.openarchives.org/OAI/2.0/}", "{http://arxiv.org/OAI/arXivRaw/}"
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.I)


def requests(job: Job) -> list[Ask]:
    """Lists of 100 e-prints by id; for "licence" one record per e-print, which alone has licence and versions."""
    if job.action == "search":
        return [_search(job.query)]
    if job.action == "licence":
        return [_raw(one) for one in job.ids]
    return [_list(some) for some in batches(job.ids, _BATCH)]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Works by id: the response has another order and omits unknown ids."""
    if ask.label == "raw":
        return _read_raw(ask, answer)
    root = _parse(answer.body)
    found: dict[str, Record] = {}
    candidates: list[Record] = []
    for entry in root.findall("a:entry", _SPACES):
        if (_text(entry, "a:title") or "") == "Error":
            raise Unreadable(f"it answers with an error: {_text(entry, 'a:summary')}")
        number, version = _id_of(entry)
        made = _work(entry, number, version)
        if ask.label == "search":
            candidates.append(made)
        found[_plain_number(number)] = made
        found[_plain_number(f"{number}v{version}")] = made
    page = Page(candidates=candidates)
    for item in () if ask.label == "search" else ask.items:
        value = _plain_number(item.partition(":")[2])
        if value in found:
            page.works[item] = found[value]
        else:
            page.missing[item] = f"{NAME} does not know it"
    return page


def doubt(ask: Ask, body: bytes) -> str | None:
    """Doubt a list without entries: the first page can be empty although there are results."""
    if ask.label != "list":
        return None
    root = _parse(body)
    return "no entry at all" if root.find("a:entry", _SPACES) is None else None


def _plain_number(number: str) -> str:
    """Number without the subject class of old ids: math.GT/0309136 is math/0309136, which arXiv returns."""
    return re.sub(r"^([a-z-]+)\.[A-Z]{2}/", r"\1/", number)


def _list(ids: Any) -> Ask:
    query = (("id_list", ",".join(one.value for one in ids)), ("start", "0"), ("max_results", str(_BATCH)))
    return Ask(NAME, "/api/query", query, accept="xml", items=tuple(map(str, ids)), label="list")


def _search(title: str) -> Ask:
    """Search for the words of a title, without the operators of the query language."""
    words = " ".join(re.findall(r"[^\W_]+", title))
    query = (("search_query", f'ti:"{words}"'), ("start", "0"), ("max_results", str(_CANDIDATES)))
    return Ask(NAME, "/api/query", query, accept="xml", items=(title,), label="search")


def _raw(one: Id) -> Ask:
    name = _plain_number(re.sub(r"v\d+$", "", one.value))
    query = (("verb", "GetRecord"), ("metadataPrefix", "arXivRaw"), ("identifier", f"oai:arXiv.org:{name}"))
    return Ask(NAME, "/oai", query, at="oai", accept="xml", items=(str(one),), label="raw")


def _read_raw(ask: Ask, answer: Answer) -> Page:
    """Licence and versions of an e-print. Source type I means that the version was withdrawn and has no files."""
    from defusedxml.ElementTree import fromstring

    root = fromstring(answer.body)
    if root.tag != f"{_OAI}OAI-PMH":
        raise Unreadable("no answer of OAI-PMH")
    fault = root.find(f"{_OAI}error")
    if fault is not None and fault.get("code") == "idDoesNotExist":
        return Page(missing={ask.items[0]: f"{NAME} does not know it"})
    found = root.find(f".//{_RAW}arXivRaw")
    if found is None:
        raise Unreadable(f"no record: {one_line(fault.text) if fault is not None else root.tag}")
    number = one_line(found.findtext(f"{_RAW}id"))
    versions, types = [], {}
    for version in found.findall(f"{_RAW}version"):
        name = f"{number}{version.get('version')}"
        versions.append({"id": name, "date": _day(version.findtext(f"{_RAW}date")), "at": NAME})
        types[name] = one_line(version.findtext(f"{_RAW}source_type")) or ""
    licence_of = licence(found.findtext(f"{_RAW}license"), NAME)
    return Page(works={ask.items[0]: {"licence": licence_of, "versions": versions, "types": types}})


def _day(text: str | None) -> str | None:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(text or "").strftime("%Y-%m-%d")
    except ValueError:
        return None


def version_of(one: Id, made: PaperRecord, version: str | None) -> str:
    """Id of an e-print with the requested version: "first", "latest", "vN", or None for the version in the id."""
    own = re.search(r"v\d+$", one.value)
    base = one.value[: own.start()] if own else one.value
    known = made.get("versions") or []
    if version == "first":
        return f"{base}v1"
    if version is not None and version.startswith("v"):
        return f"{base}{version}"
    if own and version is None:
        return one.value
    return str(known[-1]["id"]) if known else base


def _file(path: str, kind: str, one: Id, made: Record, version: str | None) -> Ask | str:
    if version == "reviewed":
        return "arXiv does not say which version the reviewers had"
    name = version_of(one, made, version)
    types = made.get("types") or {}
    if types and name not in types:
        return f"there is no {name}"
    if "I" in types.get(name, ""):
        return f"{name} was withdrawn: it has no source"
    return Ask(NAME, f"{path}/{name}", accept="file", items=(str(one), name), label=kind)


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
        {"": "https://export.arxiv.org", "oai": "https://oaipmh.arxiv.org"},
        {"": Lane("arxiv", 3.0, connections=1, alone=True)},
        file_hosts=("arxiv.org",),
    ),
    ("arxiv",),
    ("papers", "search", "licence", "source"),
    "metadata CC0; the licence of each e-print is given at arXiv, and most allow no copies",
    "documented in 2026-11 (info.arxiv.org/help/api/tou.html); the service itself has not been asked",
    requests,
    read,
    doubt,
    {"latex": partial(_file, "/e-print", "latex"), "pdf": partial(_file, "/pdf", "pdf")},
    restricts=restricts_nothing,
    probe=_list((Id("arxiv", "1706.03762"),)),
)
