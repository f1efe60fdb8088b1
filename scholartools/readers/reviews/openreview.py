"""Extract the official reviews, by paper, from notes of OpenReview (both versions of its API)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from scholartools.readers.common.ids import new_warning
from scholartools.readers.reviews.form import Form, Given, Question, review_of

Record = dict[str, Any]

# Kind of a note by the last part of its invitation's name, in lower case; the first match wins.
_KINDS = (
    (re.compile(r"meta_?review|metareview|area_chair|senior_area_chair"), "meta-review"),
    (re.compile(r"decision|acceptance"), "decision"),
    (re.compile(r"rebuttal|author_response"), "rebuttal"),
    (re.compile(r"comment|discussion|response"), "comment"),
    (re.compile(r"withdraw|desk_reject|retract"), "withdrawal or rejection"),
    (
        re.compile(r"(ethics|desk|pre|self|public|emergency_declaration)_?review|review_(rating|stage|issue)|question"),
        "other note",
    ),
    (re.compile(r"(^|_)(official_)?review(_revision)?$"), "review"),
    (re.compile(r"submission$"), "submission"),
)
# The last part of an anonymous reviewer's signature: Reviewer_ab12, AnonReviewer3.
_ANONYMOUS = re.compile(r"(Anon)?Reviewer_?\w{1,8}", re.IGNORECASE)
_PAPER_NUMBER = re.compile(r"^(paper|submission)\d+_")
# Fields that only reviews have, for notes without an invitation.
_REVIEW_FIELDS = frozenset(
    "review main_review weaknesses strengths strengths_and_weaknesses strength_and_weaknesses summary_of_the_paper "
    "summary_of_weaknesses summary_of_strengths summary_of_the_review paper_weaknesses reasons_to_reject".split()
)
_VERSION_KEYS = ("tmdate", "mdate", "tcdate", "cdate")


def notes_in(value: Any) -> Iterator[Record]:
    """The notes in a list, in objects with ``notes``, or under the ``details`` of submissions."""
    for one in _unwrap_notes(value if isinstance(value, list) else [value]):
        if isinstance(one, dict) and _is_note(one):
            yield one
            details = one.get("details")
            found = (details.get("replies") or details.get("directReplies")) if isinstance(details, dict) else None
            for reply in found if isinstance(found, list) else ():
                if isinstance(reply, dict) and isinstance(reply.get("content"), dict):
                    yield {"forum": one.get("forum") or one.get("id"), **reply}


def _unwrap_notes(values: list[Any]) -> Iterator[Any]:
    """The values, with each object that has ``notes`` replaced by its notes."""
    for one in values:
        wrapped = one.get("notes") if isinstance(one, dict) else None
        yield from wrapped if isinstance(wrapped, list) else [one]


def of_notes(notes: list[Record]) -> list[Given]:
    """Official reviews by forum, in order of the forums' first notes; warnings count the other notes.

    A note that is not readable by everyone is private: it is counted but not read.
    """
    found: dict[str, Given] = {}
    others: dict[str, Counter[str]] = {}
    latest, dropped = newest_versions(notes)
    for note in latest:
        forum = _forum_of(note)
        one = found.setdefault(forum, Given(forum or None))
        kind = kind_of(note)
        if kind == "submission":
            one.title = _title_of(note)
        elif not is_public(note):
            others.setdefault(forum, Counter())["private note"] += 1
        elif kind == "review" and (review := review_of_note(note)):
            one.reviews.append(review)
            one.note_ids |= {review["id"]} - {""}
        else:
            others.setdefault(forum, Counter())["empty review" if kind == "review" else kind] += 1
    for forum, count in dropped.items():
        found.setdefault(forum, Given(forum or None)).warnings.append(
            new_warning("review-edited", f"{count} other version(s) of notes: the newest was taken")
        )
    for forum, counts in others.items():
        words = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        found[forum].warnings.append(new_warning("notes-left-out", f"not official reviews: {words}"))
    return list(found.values())


def value_of(value: Any) -> Any:
    """The answer in a field, which API v2 wraps in an object; None if the field of a public note is not public."""
    if not isinstance(value, dict):
        return value
    readers = value.get("readers")
    return None if isinstance(readers, list) and readers and "everyone" not in readers else value.get("value")


def _is_note(value: Record) -> bool:
    """Whether an object is a note: it has ``content``, and an invitation, signatures, ``replyto`` or ``forum``."""
    marks = ("invitation", "invitations", "signatures", "replyto", "forum")
    return isinstance(value.get("content"), dict) and any(key in value for key in marks)


def _forum_of(note: Record) -> str:
    return str(note.get("forum") or note.get("replyto") or note.get("id") or "")


def review_of_note(note: Record, form: Form | None = None) -> Record | None:
    """Build a review from a note, without names of persons who signed it; None if no answer is prose."""
    review = review_of({key: value_of(value) for key, value in note["content"].items()}, form=form)
    if review is None:
        return None
    signatures = note.get("signatures")
    signature = signatures[0] if isinstance(signatures, list) and signatures else None
    name = signature.rpartition("/")[2] if isinstance(signature, str) else ""
    named = {"reviewer": name} if _ANONYMOUS.fullmatch(name) else {}
    return {"id": str(note.get("id") or ""), **review, **named}


def is_public(note: Record) -> bool:
    """Whether a note is readable by everyone; a note without ``readers`` counts as public."""
    readers = note.get("readers")
    return not isinstance(readers, list) or not readers or "everyone" in readers


def kind_of(note: Record) -> str:
    """The kind of a note: ``review``, ``submission``, ``decision``, ``meta-review``, ``comment`` and so on."""
    if note.get("ddate"):
        return "deleted note"
    many = note.get("invitations")
    invitations = [*(many if isinstance(many, list) else ()), note.get("invitation")]
    names = [_invitation_name(one) for one in invitations if isinstance(one, str)]
    kinds = [kind for name in names for pattern, kind in _KINDS if pattern.search(name)]
    if kinds:
        return kinds[0]
    content = note["content"]
    if _REVIEW_FIELDS & content.keys() and not names:
        return "review"
    is_first = note.get("id") is not None and note.get("id") == note.get("forum")
    return "submission" if is_first or "authorids" in content or "pdf" in content else "other note"


def form_name_of(note: Record) -> str | None:
    """The venue-wide invitation that defines the form of a review, or None if the note is not a review."""
    many = note.get("invitations")
    names = [*(many if isinstance(many, list) else ()), note.get("invitation")]
    found = next(
        (one for one in names if isinstance(one, str) and kind_of({**note, "invitations": [one]}) == "review"), None
    )
    return re.sub(r"/(Paper|Submission)\d+/-/", "/-/", found) if found else None


def form_of(invitation: Record) -> dict[str, Question]:
    """The questions of a form (API v1 or v2) by their names in lower case."""
    edit = invitation.get("edit") if isinstance(invitation.get("edit"), dict) else {}
    for key in ("invitation", "edit"):
        edit = edit[key] if isinstance(edit, dict) and isinstance(edit.get(key), dict) else edit
    for holder in ((edit or {}).get("note"), invitation.get("reply")):
        content = holder.get("content") if isinstance(holder, dict) else None
        if isinstance(content, dict):
            made = {"_".join(str(name).casefold().split()): _question_of(one) for name, one in content.items()}
            return {name: question for name, question in made.items() if question is not None}
    return {}


def _question_of(spec: Any) -> Question | None:
    """Parse a question of a form: API v2 defines it in ``value.param``, API v1 by the name of the value's key."""
    if not isinstance(spec, dict):
        return None
    value = spec.get("value")
    param = value.get("param") if isinstance(value, dict) else None
    if isinstance(param, dict):
        listed = param.get("enum") or param.get("items") or ([param["const"]] if "const" in param else None)
        is_text = str(param.get("type", "string")).startswith("string")
    else:
        names = [name for name in spec if re.fullmatch(r"values?-(radio|dropdown|checkbox|regex|textarea)", name)]
        if not names:
            return None
        is_text = names[0].endswith(("regex", "textarea"))
        listed = None if is_text else spec[names[0]]
    choices = [
        (one.get("value"), one.get("description")) if isinstance(one, dict) else (one, None) for one in listed or ()
    ]
    return Question(is_text and not choices, tuple(choices))


def _invitation_name(invitation: str) -> str:
    """The name at the end of an invitation: ``official_review`` for ``Venue/2024/Submission7/-/Official_Review``."""
    last = invitation.rpartition("/-/")[2].casefold().replace("/", "_")
    return _PAPER_NUMBER.sub("", last)


def _title_of(note: Record) -> str | None:
    title = value_of(note["content"].get("title"))
    return " ".join(title.split()) if isinstance(title, str) and title.strip() else None


def newest_versions(notes: list[Record]) -> tuple[list[Record], Counter[str]]:
    """The latest version of each note, at the position of the first one; and the number of other versions by forum."""
    found: dict[Any, Record] = {}
    dropped: Counter[str] = Counter()
    for index, note in enumerate(notes):
        key = note.get("id") if isinstance(note.get("id"), str) and note.get("id") else index
        if key not in found:
            found[key] = note
            continue
        if note != found[key]:
            dropped[_forum_of(found[key])] += 1
        if _version_key(note) >= _version_key(found[key]):
            found[key] = note
    return list(found.values()), dropped


def _version_key(note: Record) -> list[float]:
    dates = (note.get(key) for key in _VERSION_KEYS)
    return [date if isinstance(date, (int, float)) else 0.0 for date in dates]
