"""OpenReview, both API versions: papers of a venue or by forum, with public reviews and decisions; PDFs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scholartools.readers.reviews.forums import (
    content_of,
    day_of,
    is_open,
    names_of,
    read_forum,
    reviewed_pdf,
    reviews_of,
)
from scholartools.readers.reviews.openreview import form_name_of, form_of
from scholartools.sources.base import (
    Id,
    Job,
    Page,
    Record,
    Source,
    Venue,
    as_list,
    as_object,
    licence,
    one_line,
    plain_doi,
    work,
)
from scholartools.web.request import Answer, Ask, Lane, Service

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

NAME = "openreview"
_PAGE = 1000
# Groups of conferences by their short names.
_SHORT = {
    "iclr": "ICLR.cc/{}/Conference", "neurips": "NeurIPS.cc/{}/Conference", "icml": "ICML.cc/{}/Conference",
    "tmlr": "TMLR",
}  # fmt: skip


def group_of(venue: Venue) -> str | None:
    """Group of a venue; None if it is neither the name of a group nor a known short name."""
    pattern = _SHORT.get(venue.name.lower())
    if pattern is None:
        return venue.name if "/" in venue.name else None
    if "{}" in pattern and venue.year is None:
        return None
    return pattern.format(venue.year)


def requests(job: Job) -> list[Ask]:
    """The group of a venue, which tells the version of its API; else one forum per id."""
    if job.venue is not None:
        group = group_of(job.venue)
        assert group is not None
        return [_ask("/groups", (("id", group),), (group,), "group")]
    return [_forum(one, "") for one in job.ids]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """Parse a response."""
    if ask.label in ("form", "edits"):
        return _read_aside(ask, answer)
    found = {} if answer.status == 404 else as_object(json.loads(answer.body), "the answer")
    if ask.label == "group":
        return _read_group(ask, found, answer.status == 404)
    notes = [] if answer.status == 404 else [as_object(one, "a note") for one in as_list(found.get("notes"), '"notes"')]
    if ask.label == "venue":
        return _read_venue(job, ask, notes, found.get("count"))
    return _read_thread(job, ask, notes)


def _read_group(ask: Ask, found: Record, is_missing: bool) -> Page:
    groups = [] if is_missing else as_list(found.get("groups"), '"groups"')
    if not groups:
        return Page(missing={ask.items[0]: f"{NAME} has no such group"})
    group = as_object(groups[0], "a group")
    name = ask.items[0]
    if group.get("domain"):
        submissions = content_of(group).get("submission_name") or "Submission"
        return Page(next=[_venue(f"{name}/-/{submissions}", "", name)])
    return Page(next=[_venue(f"{name}/-/Blind_Submission", "v1", name)])


def _read_venue(job: Job, ask: Ask, notes: list[Record], count: Any) -> Page:
    """Page of the papers of a venue, and the next request: by the last id (v2) or by offset (v1)."""
    page = Page()
    before, invitation = int(ask.items[1]), ask.items[2]
    for note in notes:
        thread = [note, *_replies_of(note)]
        _add(page, job, thread, str(Id(NAME, str(note["id"]))))
    group = ask.items[0]
    if len(notes) == _PAGE:
        page.next = [_venue(invitation, ask.at, group, before + len(notes), str(notes[-1]["id"]))]
    elif not notes and before == 0 and invitation.endswith("/Blind_Submission"):
        page.next = [_venue(f"{group}/-/Submission", "v1", group)]
    elif not notes and before == 0:
        page.missing[group] = f"{NAME} lists no public paper of it"
    if isinstance(count, int) and before == 0:
        page.total, page.total_is_exact = count, True
    page.listed = len(notes)
    return page


def second(job: Job, works: Mapping[str, Record]) -> list[Ask]:
    """Requests for review forms, one per venue, and for the edits of reviews or papers with earlier versions."""
    wanted: dict[Ask, list[str]] = {}
    for item, known in works.items():
        for ask in known.get("asks", ()):
            wanted.setdefault(ask, []).append(item)
    return [ask._replace(items=(*ask.items, *items)) for ask, items in wanted.items()]


def _asks_of(job: Job, thread: list[Record], item: str, api: int) -> list[Ask]:
    """Additional requests about a forum."""
    at = "v1" if api == 1 else ""
    reviews = reviews_of(thread)
    if job.action == "licence":
        return [_edits(item.partition(":")[2])] if job.version == "reviewed" and not at else []
    asks = [
        _ask("/invitations", (("id", name),), (f"form {name}",), "form", at, may_be_private=True)
        for name in dict.fromkeys(map(form_name_of, reviews))
        if name is not None
    ]
    return [*asks, *(_edits(str(one["id"]), is_part=True) for one in reviews if job.revisions and not at)]


def _edits(note: str, *, is_part: bool = False) -> Ask:
    """All edits of a note that the user may read."""
    query = (("note.id", note), ("sort", "tcdate:asc"), ("limit", str(_PAGE)))
    return _ask("/notes/edits", query, (f"edits {note}",), "edits", may_be_private=True, is_part=is_part)


def _read_aside(ask: Ask, answer: Answer) -> Page:
    """Parse a form (with the key of its response) or edits; empty if they are private or deleted."""
    found = {} if answer.status in (403, 404) else as_object(json.loads(answer.body), "the answer")
    name = ask.items[0]
    if ask.label == "edits":
        edits = [as_object(one, "an edit") for one in as_list(found.get("edits", [] if not found else None), '"edits"')]
        return Page(asides={name: edits if len(edits) < _PAGE else []})
    listed = as_list(found.get("invitations", [] if not found else None), '"invitations"')
    form = form_of(as_object(listed[0], "an invitation")) if listed else {}
    return Page(asides={name: (form, answer.key)} if form else {})


def _replies_of(note: Record) -> list[Record]:
    details = note.get("details")
    replies = details.get("replies") if isinstance(details, dict) else None
    return [as_object(one, "a reply") for one in replies or ()]


def _read_thread(job: Job, ask: Ask, notes: list[Record]) -> Page:
    """Parse a forum; one that API v2 does not know may be in v1."""
    page = Page()
    if not notes and not ask.at:
        page.next = [_forum(Id(NAME, ask.items[0].partition(":")[2]), "v1")]
    elif not notes:
        page.missing[ask.items[0]] = f"{NAME} does not know it, or it is not public"
    elif len(notes) >= _PAGE:
        page.missing[ask.items[0]] = f"a forum of {_PAGE} notes or more, which is not read"
    else:
        _add(page, job, notes, ask.items[0])
    return page


def _add(page: Page, job: Job, thread: list[Record], item: str) -> None:
    forms = {name.partition(" ")[2]: one for name, one in job.asides.items() if name.startswith("form ")}
    edits = {name.partition(" ")[2]: one for name, one in job.asides.items() if name.startswith("edits ")}
    paper, said = read_forum(
        thread, public_comments=job.public_comments, forms=forms, edits=edits if job.revisions else None
    )
    if said is None:
        page.missing[item] = "no paper among its notes"
    elif paper is None:
        page.missing[item] = "not everyone may read it"
    else:
        made = {**_work(paper, said["forum"]), "api": said["forum"]["api"]}
        with_reviews = job.action == "reviews" or job.with_reviews
        if with_reviews:
            made |= said
        if with_reviews or job.version == "reviewed":
            made["asks"] = _asks_of(job, thread, item, made["api"])
        if job.version == "reviewed":
            old = {"why": "which version reviewers had is not known of API 1"}
            made["reviewed"] = old if made["api"] == 1 else reviewed_pdf(thread, edits.get(item.partition(":")[2], ()))
        page.works[item] = made


def _work(paper: Record, forum: PaperRecord) -> Record:
    content = content_of(paper)
    date = day_of(paper, "pdate", "cdate", "tcdate", "tmdate")
    named = re.search(r"/((?:19|20)\d\d)(?:/|$)", str(forum["venue"]))
    year = named[1] if named else date[:4] if date else None
    track = content.get("primary_area") or content.get("track") or content.get("subject_area")
    said = {
        "title": one_line(content.get("title")),
        "authors": names_of(content),
        "abstract": content.get("abstract") if isinstance(content.get("abstract"), str) else None,
        "year": int(year) if year else None,
        "date": date,
        "venue": one_line(content.get("venue")),
        "venueid": content.get("venueid"),
        "track": one_line(track),
        "type": "submission",
        "keywords": [one for one in content.get("keywords") or () if isinstance(one, str)],
        "licence": licence(paper.get("license"), NAME),
        "decision": forum["status"],
        "status": {"withdrawn": True, "by": NAME, "said": forum["venueid"]} if forum["status"] == "withdrawn" else None,
    }
    why = {"authors": "none is public: the paper is blind, or says none"}
    return work(NAME, {"openreview": str(paper["id"]), "doi": plain_doi(content.get("doi"))}, said, why)


def _ask(path: str, query: Any, items: tuple[str, ...], label: str, at: str = "", **more: Any) -> Ask:
    return Ask(NAME, path, query, at=at, auth="login", items=items, label=label, **more)


def _forum(one: Id, at: str) -> Ask:
    query = (("forum", one.value), ("limit", str(_PAGE)))
    return _ask("/notes", query, (str(one),), "forum", at)


def _venue(invitation: str, at: str, group: str, before: int = 0, last: str = "") -> Ask:
    query: tuple[tuple[str, str], ...] = (("invitation", invitation), ("details", "replies"), ("limit", str(_PAGE)))
    if at:
        query += (("offset", str(before)),)
    else:
        query += (("sort", "id"), *((("after", last),) if last else ()))
    return _ask("/notes", query, (group, str(before), invitation), "venue", at)


def _pdf(one: Id, made: Record, version: str | None) -> Ask | str:
    """The current PDF, or the one that the reviewers had, which is older and often private."""
    if version == "reviewed":
        found = made.get("reviewed") or {"why": "its edits were not asked for"}
        if "why" in found:
            return str(found["why"])
        query = (("id", found["edit"]), ("name", "pdf"))
        items = (str(one), f"{found['edit']} of {found['date']}")
        return _ask("/notes/edits/attachment", query, items, "file", lane="files", accept="file")
    if version not in (None, "latest"):
        return "older versions are in edits that are rarely public: they are not fetched"
    at = "v1" if made.get("api") == 1 else ""
    return _ask(
        "/attachment", (("id", one.value), ("name", "pdf")), (str(one),), "file", at, lane="files", accept="file"
    )


def address_of(one: Id) -> str:
    """URL of a paper."""
    return f"https://openreview.net/forum?id={quote(one.value)}"


def _restricts(body: bytes) -> str | None:
    """Private if a note or a field is not public; other notes have no stated licence."""
    try:
        found = as_object(json.loads(body), "the answer")
    except ValueError:
        return "terms"
    given = [one for key in ("notes", "edits", "invitations") for one in found.get(key) or ()]
    if not given:
        return None
    whole = [each for note in given for each in (note, *_replies_of(note))]
    inner = [one["note"] for one in whole if isinstance(one.get("note"), dict)]  # notes within edits
    fields = [value for one in (*whole, *inner) for value in (one.get("content") or {}).values()]
    hidden = [
        one for one in fields if isinstance(one, dict) and one.get("readers") and "everyone" not in one["readers"]
    ]
    shut = [one for one in inner if one.get("readers") and "everyone" not in one["readers"]]
    if hidden or shut or not all(map(is_open, whole)):
        return "private"
    return "reviews" if found.get("notes") or found.get("edits") else None


SOURCE = Source(
    NAME,
    Service(
        NAME,
        {"": "https://api2.openreview.net", "v1": "https://api.openreview.net"},
        {
            "": Lane("openreview", 1.0, connections=1, window=(100, 1800.0)),
            "files": Lane("openreview-files", 1.0, connections=1, window=(36, 3600.0)),
        },
        key_variable="OPENREVIEW_TOKEN",
        login=("OPENREVIEW_USERNAME", "OPENREVIEW_PASSWORD"),
    ),
    ("openreview",),
    ("papers", "reviews", "venue", "licence", "source"),
    "papers under the licence that each states; of reviews no licence is stated unless the venue does",
    "documented in 2026-11 (docs.openreview.net), rates by reports of users; the service itself has not been asked",
    requests,
    read,
    files={"pdf": _pdf},
    second=second,
    restricts=_restricts,
    probe=_ask("/groups", (("id", "TMLR"),), ("TMLR",), "group"),
)
