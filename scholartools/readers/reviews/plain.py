"""Read reviews from JSON lists and objects, with or without ids of the reviewed papers."""

from __future__ import annotations

from typing import Any

from scholartools.errors import InputFault
from scholartools.readers.reviews import openreview
from scholartools.readers.reviews.form import Given, review_of

Record = dict[str, Any]

_PAPER_KEYS = ("paper", "paper_id", "paperId", "forum", "forum_id", "submission", "submission_id")
_TEXT_KEYS = ("text", "review", "review_text", "comment", "content")
_REVIEWER_KEYS = ("reviewer", "reviewer_id")
_OTHER_KEYS = ("review_id", "id", "title", "reviews", "venue", "url", "fields", "ratings")
# Keys for metadata of the review and its paper, which are not answers to a form.
_ABOUT = frozenset((*_PAPER_KEYS, *_REVIEWER_KEYS, *_OTHER_KEYS))


def of_object(value: Record) -> list[Given]:
    """Read an object that is one review, one paper with ``reviews``, or maps papers to reviews."""
    if isinstance(value.get("reviews"), list) or any(isinstance(value.get(key), str) for key in _TEXT_KEYS):
        return of_list([value])
    return [_of_paper(paper, reviews) for paper, reviews in value.items()]


def _title_in(paper: str) -> str | None:
    """The name of a paper in a file if it may be a title, i.e. has several words."""
    return paper if len(paper.split()) > 1 else None


def of_list(value: list[Any]) -> list[Given]:
    """Read a list of texts and objects, each one review or the ``reviews`` of a paper; grouped by named papers."""
    found: dict[str | None, Given] = {}
    in_order: list[Given] = []
    for one in value:
        paper = _paper_of(one) if isinstance(one, dict) else None
        several = one.get("reviews") if isinstance(one, dict) else None
        reviews = [parse_review(each) for each in several] if isinstance(several, list) else [parse_review(one)]
        title = one.get("title") if isinstance(several, list) else None
        if paper is None and isinstance(title, str) and title.strip():
            paper = title  # the title is the only name of the paper
        if paper is None and isinstance(several, list):
            in_order.append(Given(None, reviews))
            continue
        given = found.setdefault(paper, Given(paper, title=_title_in(paper) if paper else None))
        given.reviews += reviews
        if isinstance(title, str):
            given.title = title
    if in_order and None in found:
        raise InputFault("reviews: a list of papers with reviews among which are reviews alone", kind="unreadable")
    return [*found.values(), *in_order]


def parse_review(one: Any) -> Record:
    """Read a review from a text, or from an object with a text or the answers to a form.

    Raises:
        InputFault: the value is neither, or has no text.
    """
    if isinstance(one, str) and one.strip():
        return {"id": "", "text": one}
    if not isinstance(one, dict):
        what = "an empty review" if isinstance(one, str) else f"a value that is no review ({type(one).__name__})"
        raise InputFault(f"reviews: {what}", kind="no-text" if isinstance(one, str) else "unreadable")
    form = next((one[key] for key in _TEXT_KEYS if isinstance(one.get(key), dict)), one)
    answers = {key: openreview.value_of(value) for key, value in form.items() if key not in _ABOUT}
    only = next((key for key in _TEXT_KEYS if isinstance(answers.get(key), str) and answers[key].strip()), None)
    made = review_of(answers, only=only)
    if made is None:
        told = f'review "{_review_id(one)}" has no text (keys: {", ".join(one)[:80]}): leave it out'
        raise InputFault(f"reviews: {told}", kind="no-text")
    return {"id": _review_id(one), **made, **_own_fields(one, made["text"])}


def _of_paper(paper: str, reviews: Any) -> Given:
    if isinstance(reviews, dict) and isinstance(reviews.get("reviews"), list):
        reviews = reviews["reviews"]
    reviews = reviews if isinstance(reviews, list) else [reviews]
    if notes := list(openreview.notes_in(reviews)):
        parts = openreview.of_notes(notes)
        warnings = [warning for part in parts for warning in part.warnings]
        return Given(paper, [one for part in parts for one in part.reviews], _title_in(paper), warnings)
    return Given(paper, [parse_review(one) for one in reviews], _title_in(paper))


def _paper_of(one: Record) -> str | None:
    """The paper that an object names; ``id`` is the paper's, unless ``review_id`` or ``fields`` mark a review."""
    keys = _PAPER_KEYS if "review_id" in one or "fields" in one else (*_PAPER_KEYS, "id")
    return next((str(one[key]) for key in keys if _is_name(one.get(key))), None)


def _review_id(one: Record) -> str:
    """The id of the review; empty if it has none."""
    return next((str(one[key]) for key in ("review_id", "id") if _is_name(one.get(key))), "")


def _is_name(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""


def _own_fields(one: Record, text: str) -> Record:
    """The ``fields`` (if all their spans are within the text), ``ratings`` and ``reviewer`` of an object."""
    said: Record = {}
    if isinstance(one.get("fields"), list) and all(_is_field(each, len(text)) for each in one["fields"]):
        said["fields"] = one["fields"]
    if isinstance(one.get("ratings"), dict):
        said["ratings"] = one["ratings"]
    reviewer = next((one[key] for key in _REVIEWER_KEYS if _is_name(one.get(key))), None)
    return said if reviewer is None else {**said, "reviewer": str(reviewer)}


def _is_field(value: Any, length: int) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    start, end = value.get("start"), value.get("end")
    return isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= length
