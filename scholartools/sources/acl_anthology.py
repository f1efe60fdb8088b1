"""The ACL Anthology: papers of a venue and year, or by id, from its public data files; and PDFs."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from scholartools.sources.base import (
    Id,
    Job,
    Page,
    Record,
    Source,
    Unreadable,
    Venue,
    one_line,
    plain_doi,
    restricts_nothing,
    work,
)
from scholartools.web.request import Answer, Ask, Lane, Service

NAME = "acl-anthology"
# Letters of collections before 2020: P18 is ACL 2018.
_LETTERS = {
    "acl": "P", "emnlp": "D", "naacl": "N", "eacl": "E", "cl": "J", "tacl": "Q", "conll": "K", "coling": "C",
    "lrec": "L", "ws": "W",
}  # fmt: skip
# Collections of other publishers, with their own licences.
_OTHERS = re.compile(
    r"(lrec|coling|jeptalnrecital|ijclclp|mtsummit|amta|eamt|rocling|paclic|tal|nodalida)\b|[CLFMO]\d\d"
)
_OPEN_FROM = 2016


def collection_of(venue: Venue) -> str | None:
    """Data file of a venue and year; None if the Anthology has no such name."""
    name = venue.name.lower()
    if not re.fullmatch(r"[a-z0-9]+", name) or venue.year is None:
        return None
    if venue.year < 2020 and name in _LETTERS:
        return f"{_LETTERS[name]}{venue.year % 100:02d}"
    return f"{venue.year}.{name}"


def requests(job: Job) -> list[Ask]:
    """The data file of the venue, or the data files that contain the ids."""
    if job.venue is not None:
        collection = collection_of(job.venue)
        assert collection is not None
        return [_ask(collection, (str(job.venue),), "venue")]
    wanted: dict[str, list[Id]] = {}
    for one in job.ids:
        wanted.setdefault(_collection_of_id(one.value), []).append(one)
    return [_ask(name, tuple(map(str, ids)), "papers") for name, ids in wanted.items()]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Papers in a data file, in its order; for a venue, all except front matter and removed papers."""
    if answer.status == 404:
        return Page(missing=dict.fromkeys(ask.items, f"{NAME} has no such collection"))
    from defusedxml.ElementTree import fromstring

    root = fromstring(answer.body)
    if root.tag != "collection":
        raise Unreadable("no collection of the Anthology")
    papers = {}
    for volume in root.findall("volume"):
        for paper in volume.findall("paper"):
            made = _work(str(root.get("id")), volume, paper)
            papers[str(Id("acl", made["ids"]["acl"]))] = made
    if ask.label == "venue":
        wanted = job.venue.name.lower() if job.venue is not None else ""
        kept = {item: made for item, made in papers.items() if wanted in made["venues"] or not made["venues"]}
        page = Page(works=kept, total=len(kept), listed=len(kept))
        if not kept:
            page.missing[ask.items[0]] = f"{NAME} lists no paper of it"
        return page
    page = Page()
    for item in ask.items:
        if item in papers:
            page.works[item] = papers[item]
        else:
            page.missing[item] = f"{NAME} does not know it"
    return page


def _ask(collection: str, items: tuple[str, ...], label: str) -> Ask:
    path = f"/acl-org/acl-anthology/master/data/xml/{collection}.xml"
    return Ask(NAME, path, at="data", accept="xml", items=items, label=label)


def _collection_of_id(name: str) -> str:
    """``2023.acl`` for 2023.acl-long.1, ``P18`` for P18-1001."""
    return name.partition("-")[0]


def _full_id(collection: str, volume: str, paper: str) -> str:
    if re.fullmatch(r"[A-Z]\d\d", collection):
        width = 2 if collection[0] == "W" or collection in ("C69", "D19") and int(volume) >= 50 else 1
        return f"{collection}-{int(volume):0{width}d}{int(paper):0{4 - width}d}"
    return f"{collection}-{volume}.{paper}"


def _text(element: Element | None) -> str | None:
    """Text of an element with inline markup."""
    return None if element is None else one_line("".join(element.itertext()))


def _name_of(author: Element) -> str:
    """First name and last name."""
    return " ".join(part for part in (_text(author.find("first")), _text(author.find("last"))) if part)


def _work(collection: str, volume: Element, paper: Element) -> Record:
    name = _full_id(collection, str(volume.get("id")), str(paper.get("id")))
    meta = volume.find("meta")
    year = _text(meta.find("year")) if meta is not None else None
    venues = [_text(one) for one in meta.findall("venue")] if meta is not None else []
    url = paper.find("url")
    revisions = [
        {"id": one.get("href"), "date": one.get("date"), "at": NAME} for one in paper.findall("revision")
    ]  # fmt: skip
    taken_back = paper.find("retracted") if paper.find("retracted") is not None else paper.find("removed")
    said = {
        "title": _text(paper.find("title")),
        "authors": [_name_of(one) for one in paper.findall("author")],
        "abstract": _text(paper.find("abstract")),
        "year": int(year) if year and year.isdigit() else None,
        "venue": _text(meta.find("booktitle")) if meta is not None else None,
        "type": "paper",
        "versions": revisions,
        "status": {"retracted": True, "by": NAME, "said": _text(taken_back)} if taken_back is not None else None,
        "licence": _licence(collection, year),
    }
    made = work(NAME, {"acl": name, "doi": plain_doi(_text(paper.find("doi")))}, said)
    made["venues"] = [one for one in venues if one]
    made["checksum"] = url.get("hash") if url is not None and not (url.text or "").startswith("http") else None
    return made


def _licence(collection: str, year: str | None) -> Record | None:
    """Licence that the Anthology states for papers of the ACL, by year."""
    if year is None or not year.isdigit() or _OTHERS.search(collection):
        return None
    name = "CC-BY-4.0" if int(year) >= _OPEN_FROM else "CC-BY-NC-SA-3.0"
    return {"id": name, "said": None, "url": "https://aclanthology.org/faq/copyright/", "of": "paper", "by": NAME}


def _pdf(one: Id, made: Record, version: str | None) -> Ask | str:
    if made.get("checksum") is None:
        return "the Anthology has no PDF of it"
    if version == "reviewed":
        return "the Anthology does not say which version the reviewers had"
    name = f"{one.value}v1" if version == "first" and made.get("versions") else one.value
    if version is not None and version.startswith("v"):
        name = f"{one.value}{version}"
    return Ask(NAME, f"/{name}.pdf", accept="file", items=(str(one), name), label="pdf")


SOURCE = Source(
    NAME,
    Service(
        NAME,
        {"": "https://aclanthology.org", "data": "https://raw.githubusercontent.com"},
        {"": Lane("acl-anthology", 1.0, connections=1)},
    ),
    ("acl",),
    ("papers", "venue", "licence", "source"),
    "papers of the ACL are CC BY 4.0 from 2016, before that CC BY-NC-SA 3.0; volumes of others have their own licences",
    "documented in 2026-11 (aclanthology.org/faq, its data at GitHub); the service itself has not been asked",
    requests,
    read,
    files={"pdf": _pdf},
    restricts=restricts_nothing,
    probe=requests(Job("papers", (Id("acl", "P18-1001"),)))[0],
)
