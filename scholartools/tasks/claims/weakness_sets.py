"""The weaknesses of a record by review: ``weaknesses``, and the sets of raters."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.records import Entry, Record, read
from scholartools.tasks.claims.base import GOLD

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Review, WeaknessSet


def sets_of_raters(record: PaperRecord) -> list[WeaknessSet]:
    """The sets under ``annotations.weaknesses``: one per rater and review.

    Raises:
        InputFault: a rater has two sets for a review.
    """
    sets = (read(record, "annotations") or {}).get("weaknesses") or []
    counted = Counter((entry["rater"], entry["review"]) for entry in sets)
    if twice := next((name for name, count in counted.items() if count > 1), None):
        reason = f'"annotations.weaknesses" has two sets of "{twice[0]}" for the review {twice[1]}'
        raise InputFault(f"{reason}: leave one of them out", kind="duplicate")
    return sets


def with_weaknesses(
    record: Record, sets: Sequence[tuple[str, list[Record] | None]], rater: str | None, by: str
) -> Record:
    """Store numbered weaknesses under ``weaknesses``, or under ``annotations.weaknesses`` as a rater's.

    Args:
        record: record of the weaknesses.
        sets: the id of each review and its weaknesses; None if they are missing.
        rater: rater of the set; None for ``weaknesses``.
        by: the method that found them.
    """
    named = number_sets(sets, ())
    if rater is None:
        found = [item for _, items in named for item in items or ()]
        return with_authors(record, {review: by for review, items in sets if items is not None}, found)
    earlier = read(record, "annotations") or {}
    kept = [entry for entry in sets_of_raters(record) if entry["rater"] != rater]
    own = [{"rater": rater, "review": review, "items": items} for review, items in named]
    return {**record, "annotations": {**earlier, "weaknesses": [*kept, *own]}}


def with_authors(record: Record, authors: Mapping[str, str], weaknesses: Sequence[Entry]) -> Record:
    """Set the weaknesses, and ``weaknesses_by`` of each review to its author in ``authors``.

    This distinguishes a review without weaknesses from one that was not annotated. If no review was annotated, the
    record has no ``weaknesses``.
    """
    made = {**record, "reviews": [_with_author(review, authors.get(review["id"])) for review in record["reviews"]]}
    if authors or not record["reviews"]:
        return {**made, "weaknesses": weaknesses}
    made.pop("weaknesses", None)
    return made


def _with_author(review: Review, author: str | None) -> Record:
    kept = {key: value for key, value in review.items() if key != "weaknesses_by"}
    return kept if author is None else {**kept, "weaknesses_by": author}


def weakness_authors(record: PaperRecord) -> dict[str, str]:
    """Author of the ``weaknesses`` of each annotated review, by review id.

    If no review records the author, that of the weaknesses is used, by default "gold".
    """
    reviews, weaknesses = read(record, "reviews") or (), read(record, "weaknesses")
    authors = {review["id"]: author for review in reviews if (author := review.get("weaknesses_by"))}
    if authors or weaknesses is None:
        return authors
    author = next((author for one in weaknesses if (author := one.get("by"))), GOLD)
    return {review["id"]: author for review in reviews}


def number_sets(
    sets: Sequence[tuple[str, list[Record] | None]], taken: Collection[str]
) -> list[tuple[str, list[Record] | None]]:
    """Assign the free ids w1, w2 and so on."""
    ids = (name for name in map("w{}".format, itertools.count(1)) if name not in taken)
    return [
        (review, None if items is None else [{"id": next(ids), **item} for item in items]) for review, items in sets
    ]


def refuse_people_weaknesses(record: PaperRecord, rater: str | None) -> None:
    """Check that a method's weaknesses do not replace those that a person marked.

    Raises:
        InputFault: the record has ``weaknesses`` by "gold", or a person's set with the name of the rater.
    """
    if rater is None:
        authors = [one.get("by") for one in read(record, "weaknesses") or ()]
        authors += [review.get("weaknesses_by") for review in read(record, "reviews") or ()]
        found = [GOLD] if GOLD in authors else []
    else:
        own = [one for entry in sets_of_raters(record) if entry["rater"] == rater for one in entry["items"] or ()]
        found = [rater] if any(one.get("by") == rater for one in own) else []
    if found:
        reason = f'weaknesses by "{found[0]}" are there, which a person marked'
        raise InputFault(f"{reason}: give the set a name of its own ({parameter('rater', 'NAME')})", kind="invalid-key")
