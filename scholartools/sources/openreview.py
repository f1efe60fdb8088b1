"""OpenReview, both of its APIs: papers of a venue or by forum, with public reviews and decisions; PDFs."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from scholartools.readers.reviews.forums import content_of, day_of, is_open, names_of, read_forum
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

NAME = "openreview"
_PAGE = 1000
# Groups of conferences by the short name that people use.
_SHORT = {
    "iclr": "ICLR.cc/{}/Conference", "neurips": "NeurIPS.cc/{}/Conference", "icml": "ICML.cc/{}/Conference",
    "tmlr": "TMLR",
}  # fmt: skip
_NO_YEAR = ("tmlr",)


def group_of(venue: Venue) -> str | None:
    """The group that a venue is here; None where it is none: neither a group's name nor a known short one."""
    pattern = _SHORT.get(venue.name.lower())
    if pattern is None:
        return venue.name if "/" in venue.name else None
    if "{}" in pattern and venue.year is None:
        return None
    return pattern.format(venue.year)


def requests(job: Job) -> list[Ask]:
    """The group of a venue, by which its API is known; else a forum for each id."""
    if job.venue is not None:
        group = group_of(job.venue)
        assert group is not None
        return [_ask("/groups", (("id", group),), (group,), "group")]
    return [_forum(one, "") for one in job.ids]


def read(job: Job, ask: Ask, answer: Answer) -> Page:
    """What an answer says."""
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
    """A page of a venue's papers, and what is asked next: by the last id (v2) or by how many there were (v1)."""
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


def _replies_of(note: Record) -> list[Record]:
    details = note.get("details")
    replies = details.get("replies") if isinstance(details, dict) else None
    return [as_object(one, "a reply") for one in replies or ()]


def _read_thread(job: Job, ask: Ask, notes: list[Record]) -> Page:
    """A forum; what API v2 does not know may be of the older one."""
    page = Page()
    if not notes and not ask.at:
        page.next = [_forum(Id(NAME, ask.items[0].partition(":")[2]), "v1")]
    elif not notes:
        page.missing[ask.items[0]] = f"{NAME} does not know it, or nobody but its readers may see it"
    elif len(notes) >= _PAGE:
        page.missing[ask.items[0]] = f"a forum of {_PAGE} notes or more, which is not read"
    else:
        _add(page, job, notes, ask.items[0])
    return page


def _add(page: Page, job: Job, thread: list[Record], item: str) -> None:
    paper, said = read_forum(thread, public_comments=job.public_comments)
    if said is None:
        page.missing[item] = "no paper among its notes"
    elif paper is None:
        page.missing[item] = "not everyone may read it"
    else:
        made = {**_work(paper, said["forum"]), "api": said["forum"]["api"]}
        if job.action == "reviews" or job.with_reviews:
            made |= said
        page.works[item] = made


def _work(paper: Record, forum: Record) -> Record:
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
    """The PDF as it stands now; that which reviewers had is an older one, which is often private."""
    if version not in (None, "latest"):
        return "older versions stand in edits that are rarely public: they are not fetched"
    at = "v1" if made.get("api") == 1 else ""
    return _ask(
        "/attachment", (("id", one.value), ("name", "pdf")), (str(one),), "file", at, lane="files", accept="file"
    )


def address_of(one: Id) -> str:
    """The page of a paper."""
    return f"https://openreview.net/forum?id={quote(one.value)}"


def _restricts(body: bytes) -> str | None:
    """Notes are private where not everyone may read one of them, or a field; of the others no licence is stated."""
    try:
        notes = as_object(json.loads(body), "the answer").get("notes")
    except ValueError:
        return "terms"
    if not notes:
        return None
    all_notes = [each for note in notes for each in (note, *_replies_of(note))]
    fields = [value for note in all_notes for value in (note.get("content") or {}).values() if isinstance(value, dict)]
    hidden = [one for one in fields if one.get("readers") and "everyone" not in one["readers"]]
    return "private" if hidden or not all(map(is_open, all_notes)) else "reviews"


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
    restricts=_restricts,
    probe=_ask("/groups", (("id", "TMLR"),), ("TMLR",), "group"),
)
