"""Read a forum of OpenReview: the paper, its reviews, decision and discussion, from public notes only."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.readers.reviews.form import Form, Question, review_of
from scholartools.readers.reviews.openreview import form_name_of, kind_of, newest_versions, review_of_note, value_of

if TYPE_CHECKING:
    from scholartools.records import Entry

Record = dict[str, Any]

# Role of the signer by the last part of a signature; the first match wins. Profiles of persons are "public".
_SIGNERS = (
    (re.compile(r"Authors?$", re.I), "authors"),
    (re.compile(r"(Anon)?Reviewer_?\w*$", re.I), "reviewer"),
    (re.compile(r"Area_Chair|Program_Chair|Action_Editor|Editors?_In_Chief|Meta_?Reviewer|Chairs?$", re.I), "chairs"),
)
# Status of a paper by words in the venue's id or in invitations; the first match wins.
_STATES = (
    (re.compile(r"desk.?reject", re.I), "desk-rejected"),
    (re.compile(r"withdraw", re.I), "withdrawn"),
    (re.compile(r"reject", re.I), "rejected"),
)
_DECISION_FIELDS = ("decision", "recommendation", "final_decision", "title")
_LEADING_NUMBER = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:/\s*\d+)?\s*(?:[:.\-\u2013]?\s*(.*))?", re.S)
_BLIND = re.compile(r"anonymous(_preprint)?( authors?)?", re.I)


def read_forum(
    notes: Sequence[Record], *, public_comments: bool = False, forms: Mapping[str, tuple[Form, str]] | None = None,
    edits: Mapping[str, Sequence[Record] | str] | None = None,
) -> tuple[Record | None, Record | None]:  # fmt: skip
    """The public part of a forum: its submission, and ``{"reviews", "forum"}``; (None, None) if no note is a paper.

    The submission is None if it is not public; ``left_out`` of the forum counts omitted notes, also private ones.
    ``reviews`` have the keys of :func:`.openreview.review_of_note`, with ``date``, ``modified`` (YYYY-MM-DD) and
    ``scores``: the number of each rating, or null with the reason.

    Args:
        public_comments: whether to include comments of people who are neither authors, reviewers nor chairs.
        forms: maps a form's name (:func:`form_name_of`) to its questions and their source.
        edits: maps ids of reviews to their edits, or to the reason why these are unknown; adds ``versions`` to reviews.
    """
    latest, _ = newest_versions(list(notes))
    papers = [note for note in latest if note.get("id") and note["id"] == note.get("forum", note["id"])]
    if not papers:
        return None, None
    paper = papers[0]
    left: Counter[str] = Counter()
    reviews: list[Record] = []
    forum: Record = {
        "id": paper["id"], "api": 2 if _is_v2(paper) else 1, **_place_of(paper), "decision": None, "meta_reviews": [],
        "replies": [], "form": None,
    }  # fmt: skip
    for note in latest:
        if note is paper:
            continue
        kind = kind_of(note) if note.get("ddate") or is_open(note) else "private note"
        form, forum["form"] = (forms or {}).get(form_name_of(note) or "", (None, forum["form"]))
        _take(forum, reviews, left, note, kind, public_comments, form)
        if edits is not None and reviews and reviews[-1]["id"] == note.get("id"):
            reviews[-1] |= _versions_of(note, edits.get(str(note["id"]), ()), form)
    forum["status"] = _status_of(paper, forum)
    if not is_open(paper):
        left["private note"] += 1
    forum["left_out"] = dict(sorted(left.items()))
    return (paper if is_open(paper) else None), {"reviews": reviews, "forum": forum}


def is_open(note: Record) -> bool:
    """Whether a note is readable by everyone and not deleted; a note without readers counts as private."""
    readers = note.get("readers")
    return isinstance(readers, list) and "everyone" in readers and not note.get("ddate")


def content_of(note: Entry) -> Record:
    """The answers of a note; those that are not public are None."""
    content = note.get("content")
    return {key: value_of(value) for key, value in content.items()} if isinstance(content, dict) else {}


def day_of(note: Entry, *keys: str) -> str | None:
    """The first date of a note among ``keys`` (milliseconds since 1970) as YYYY-MM-DD in UTC, or None."""
    found = next((note[key] for key in keys if isinstance(note.get(key), (int, float))), None)
    return None if found is None else time.strftime("%Y-%m-%d", time.gmtime(found / 1000))


def reviews_of(notes: Sequence[Record]) -> list[Record]:
    """The public reviews among the notes of a forum."""
    return [note for note in newest_versions(list(notes))[0] if is_open(note) and kind_of(note) == "review"]


def _versions_of(note: Record, edits: Sequence[Record] | str, form: Form | None) -> Record:
    """The versions of a review by its public edits in order; unknown unless they end in the current version."""
    if isinstance(edits, str):
        return {"versions": None, "versions_unknown": edits}
    content: Record = {}
    versions: list[Record] = []
    for edit in _in_order(edits):
        changed = edit.get("note")
        content |= (changed.get("content") or {}) if isinstance(changed, dict) else {}
        content = {key: one for key, one in content.items() if not _is_removed(one)}
        made = review_of_note({"content": content}, form)
        if made is not None:
            said = {"date": day_of(edit, "cdate", "tcdate"), "ratings": made.get("ratings", {}), "text": made["text"]}
            is_new = not versions or any(said[key] != versions[-1][key] for key in ("ratings", "text"))
            versions += [said] if is_new else []
    now = review_of_note(note, form) or {}
    if versions and (versions[-1]["text"], versions[-1]["ratings"]) == (now.get("text"), now.get("ratings", {})):
        return {"versions": versions}
    why = "its public edits do not end in what it is" if versions else "none of its edits is public"
    return {"versions": None, "versions_unknown": why}


def _is_removed(value: Any) -> bool:
    """Whether an edit deletes an answer."""
    inner = value.get("value") if isinstance(value, dict) and "value" in value else value
    return inner is None or (isinstance(inner, dict) and inner.get("delete") is True)


def _in_order(edits: Sequence[Record]) -> list[Record]:
    """The public edits, in order of creation."""
    return sorted((one for one in edits if is_open(one)), key=lambda one: (_moment(one) or 0, str(one.get("id"))))


def _moment(note: Record) -> float | None:
    return next((note[key] for key in ("cdate", "tcdate") if isinstance(note.get(key), (int, float))), None)


def reviewed_pdf(notes: Sequence[Record], edits: Sequence[Record]) -> Record:
    """The last PDF of a paper before its first public review: ``{"edit", "date"}``, or ``{"why"}`` if unknown."""
    moments = [moment for one in reviews_of(notes) if (moment := _moment(one)) is not None]
    if not moments:
        return {"why": "no public review says when the paper was reviewed"}
    earlier = [one for one in _in_order(edits) if (_moment(one) or 0) < min(moments)]
    given = [one for one in earlier if isinstance((content_of(one.get("note") or {})).get("pdf"), str)]
    if not given:
        return {"why": "no PDF of before its first review is public"}
    return {"edit": str(given[-1]["id"]), "date": day_of(given[-1], "cdate", "tcdate")}


def score_of(answer: Any, question: Question | None = None) -> Record:
    """The ``value`` of a rating, a number, and its ``label``; the value is null with ``why`` if there is no number.

    If the form lists the choices, ``least`` and ``most`` are the ends of the scale, and a missing label is added.
    """
    made = _score_of(answer)
    choices = question.choices if question else ()
    scale = [(number, label) for one, label in choices if (number := _score_of(one)["value"]) is not None]
    if made["value"] is None or len(scale) < 2:
        return made
    label = next((label for value, label in scale if value == made["value"] and label), None)
    made |= {"label": label} if label and "label" not in made else {}
    return {**made, "least": min(value for value, _ in scale), "most": max(value for value, _ in scale)}


def _score_of(answer: Any) -> Record:
    if isinstance(answer, (int, float)) and not isinstance(answer, bool):
        return {"value": answer}
    if isinstance(answer, str) and (found := _LEADING_NUMBER.fullmatch(answer)):
        number = float(found[1])
        label = (found[2] or "").strip()
        return {"value": int(number) if number.is_integer() else number, **({"label": label} if label else {})}
    return {"value": None, "why": "no number" if not isinstance(answer, str) else f'"{answer[:60]}" is no number'}


def _take(
    forum: Record, reviews: list[Record], left: Counter[str], note: Record, kind: str, comments: bool,
    form: Form | None,
) -> None:  # fmt: skip
    """Add a note to the reviews or the forum, or count it in ``left``."""
    open_note = {**note, "content": content_of(note)}
    signer = _signer_of(note)
    if kind == "review" and (review := review_of_note(open_note, form)):
        dates = {"date": day_of(note, "cdate", "tcdate"), "modified": day_of(note, "mdate", "tmdate")}
        questions = form or {}
        scores = {
            name: score_of(answer, questions.get(name))
            for name, answer in review.get("ratings", {}).items()
            if _is_scaled(answer)
        }
        reviews.append({**review, **dates, **({"scores": scores} if scores else {})})
    elif kind == "meta-review" and (made := review_of(open_note["content"])):
        forum["meta_reviews"].append({"id": note.get("id"), "date": day_of(note, "cdate", "tcdate"), **made})
    elif kind == "decision" and forum["decision"] is None:
        forum["decision"] = _decision_of(open_note["content"])
    elif kind in ("rebuttal", "comment") and (comments or signer != "public"):
        made = review_of(open_note["content"])
        if made is None:
            left[f"empty {kind}"] += 1
        else:
            reply = {"id": note.get("id"), "to": note.get("replyto"), "kind": kind, "by": signer}
            forum["replies"].append({**reply, "date": day_of(note, "cdate", "tcdate"), "text": made["text"]})
    else:
        left[f"public {kind}" if kind == "comment" else kind] += 1


def _is_scaled(answer: Any) -> bool:
    """Whether a rating is a number, a number with its description, or "not applicable"."""
    if isinstance(answer, (int, float)):
        return not isinstance(answer, bool)
    if not isinstance(answer, str):
        return False
    return bool(_LEADING_NUMBER.fullmatch(answer)) or bool(re.fullmatch(r"not applicable|n/?a", answer.strip(), re.I))


def _is_v2(note: Record) -> bool:
    """Whether a note comes from API v2: it has ``invitations``, or its values are objects."""
    content = note.get("content") or {}
    return isinstance(note.get("invitations"), list) or any(isinstance(one, dict) for one in content.values())


def _place_of(paper: Record) -> Record:
    """The venue of a paper: its group, its id, and its text on the paper (``said``)."""
    content = content_of(paper)
    many = paper.get("invitations") or [paper.get("invitation")]
    group = next((one.partition("/-/")[0] for one in many if isinstance(one, str)), None)
    return {"venue": group, "venueid": content.get("venueid"), "said": content.get("venue")}


def _status_of(paper: Record, forum: Record) -> str | None:
    """accepted, rejected, withdrawn, desk-rejected or None, by the venue's id, the invitations or the decision."""
    many = paper.get("invitations") or [paper.get("invitation")]
    words = [str(forum["venueid"] or ""), *(one.rpartition("/-/")[2] for one in many if isinstance(one, str))]
    for pattern, state in _STATES:
        if any(pattern.search(word) for word in words):
            return state
    if forum["venueid"] and forum["venueid"] == forum["venue"]:
        return "accepted"
    said = (forum["decision"] or {}).get("value") or ""
    if re.match(r"\s*accept", said, re.I):
        return "accepted"
    return "rejected" if re.match(r"\s*(desk[ -]?)?reject", said, re.I) else None


def _decision_of(content: Mapping[str, Any]) -> Record:
    texts = {key: value for key, value in content.items() if isinstance(value, str) and value.strip()}
    key = next((key for key in _DECISION_FIELDS if key in texts), None)
    rest = "\n\n".join(value for name, value in texts.items() if name not in (key, "title"))
    return {"value": texts[key] if key else None, "text": rest or None}


def _signer_of(note: Entry) -> str:
    signatures = note.get("signatures")
    first = signatures[0] if isinstance(signatures, list) and signatures else ""
    last = first.rpartition("/")[2] if isinstance(first, str) else ""
    return next((name for pattern, name in _SIGNERS if "/" in str(first) and pattern.search(last)), "public")


def names_of(content: Mapping[str, Any]) -> list[str]:
    """The authors' names; empty if the paper is anonymous."""
    found = content.get("authors")
    names = [one for one in found if isinstance(one, str) and one.strip()] if isinstance(found, list) else []
    return [] if any(_BLIND.fullmatch(one.strip()) for one in names) else names
