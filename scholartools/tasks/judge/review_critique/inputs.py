"""The reviews of a record and their segments, as annotated, or split into sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.records import Record, need
from scholartools.tasks.shared.judgements import by_name, mark_segments
from scholartools.text import sentences

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Review, ReviewSegment

_NO_SEGMENTS = 'review "{id}" has no "segments": add them, or split the review into sentences with {segment}'


class CutReview(NamedTuple):
    """A review split into segments.

    Attributes:
        id: id of the review.
        texts: texts of the segments, in order.
        given: the segments of the record, or the generated ones.
        by: origin of the segments: "given" or "builtin".
    """

    id: str
    texts: list[str]
    given: list[ReviewSegment]
    by: str


def cut_reviews(record: PaperRecord, *, segment: bool) -> list[CutReview]:
    """The reviews of a record with their segments, in order.

    Args:
        segment: split reviews without segments into sentences.

    Raises:
        InputFault: no reviews, duplicate ids, a review without segments, or segments that are out of order or outside
            its text.
    """
    reviews = need(record, "reviews", f"st-parse {parameter('reviews')} gives them")
    if not reviews:
        raise InputFault('"reviews" is empty: nothing to judge', kind="missing-key")
    return [_cut_review(review, segment) for review in by_name(reviews, "id", "reviews").values()]


def _cut_review(review: Review, segment: bool) -> CutReview:
    text, given = review["text"], review.get("segments")
    if given is None:
        if not segment:
            raise InputFault(
                _NO_SEGMENTS.format(id=review["id"], segment=parameter("segment", True)), kind="missing-key"
            )
        given = [{"start": start, "end": end} for start, end in sentences.spans(text)]
        return CutReview(review["id"], [text[one["start"] : one["end"]] for one in given], given, "builtin")
    ordered = sorted(given, key=lambda one: (one["start"], one["end"]))
    _check_segments(review["id"], ordered, len(text))
    return CutReview(review["id"], [text[one["start"] : one["end"]] for one in ordered], ordered, "given")


def _check_segments(name: str, ordered: Sequence[ReviewSegment], length: int) -> None:
    position = 0
    for number, one in enumerate(ordered, 1):
        if not position <= one["start"] < one["end"] <= length:
            reason = f'review "{name}": segment {number} is empty, overlaps another or ends behind the text'
            raise InputFault(reason, kind="invalid-key")
        position = one["end"]


def with_segments(record: Record, reviews: Sequence[CutReview]) -> Record:
    """Add generated ``segments`` to the reviews in a copy of the record, for annotation."""
    cut = {review.id: review.given for review in reviews if review.by == "builtin"}
    if not cut:
        return record
    given = [{**one, "segments": cut[one["id"]]} if one["id"] in cut else one for one in record["reviews"]]
    return {**record, "reviews": given}


def mark(reviews: Sequence[CutReview]) -> str:
    """Fingerprint of the judged segments of all reviews."""
    return mark_segments((review.id, review.texts) for review in reviews)


def build_review(review: CutReview, answers: Sequence[Record], reasons: Sequence[Record]) -> Record:
    """A review as stored in the judgements.

    Args:
        answers: for each segment, the answers by prompt.
        reasons: for each segment, reasons of null answers by prompt.
    """
    segments = []
    for one, said, why in zip(review.given, answers, reasons, strict=True):
        segment: Record = {"start": one["start"], "end": one["end"], "deficient": one.get("deficient")}
        if one.get("explanation") is not None:
            segment["explanation"] = one["explanation"]
        segment["answers"] = said
        segments.append({**segment, "reasons": why} if why else segment)
    return {"id": review.id, "by": review.by, "segments": segments}
