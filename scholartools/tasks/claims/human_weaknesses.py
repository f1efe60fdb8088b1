"""Weaknesses that people marked in reviews, from a CSV or JSONL file of theirs, of several raters (CLAIMCHECK, 3.3).

A row is one passage: ``paper``, ``review``, ``rater``, ``text`` and, where it was rated, ``groundedness``. A row whose
text is "none" says that the rater read the review and marked nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.records import Record
from scholartools.tasks.claims.base import GOLD, reviews_of, with_weaknesses
from scholartools.tasks.claims.human_labels import (
    NONE,
    Answers,
    answers_of,
    parse_rating,
    read_key,
    read_rows,
)
from scholartools.tasks.claims.mentions import find, mentions, why_missed


def read_weaknesses(path: str) -> Answers:
    """The passages of a file, a row each.

    Raises:
        UsageFault: the file cannot be read, or a row is not as it must be; names file and line.
    """
    given: dict[tuple[str, str], dict[str, Any]] = {}
    for where, row in read_rows(path):
        key = read_key(row, where, "review")
        text, grade = row.get("text"), parse_rating("groundedness", row.get("groundedness"), where)
        if text in ("", None):
            continue
        if not isinstance(text, str):
            raise UsageFault(f'{where}: "text" is no text')
        said = given.setdefault((key.paper, key.about), {}).setdefault(key.rater, [])
        if said and NONE in (text, said[0][0]):
            raise UsageFault(f"{where}: {key.rater} marks both something and nothing in {key.paper}/{key.about}")
        said.append((text, grade))
    return answers_of(path, "weaknesses", given)


def add_weaknesses(record: Record, answers: Answers, used: Callable[[tuple[str, str]], None]) -> Record:
    """A copy of the record with what people marked: of the rater "gold" as ``weaknesses``, of others as sets of theirs.

    Earlier ones of the same rater are replaced, and with ``weaknesses`` what stands in them.

    Args:
        record: with ``reviews``.
        answers: of people.
        used: called with each review that the file has.

    Raises:
        InputFault: no ``reviews``, or a passage that stands nowhere in its review.
    """
    reviews = {review["id"]: review["text"] for review in reviews_of(record)}
    marked: dict[str, dict[str, list[Record]]] = {}
    for review, text in reviews.items():
        key = (str(record.get("id")), review)
        for rater, said in answers.given.get(key, {}).items():
            used(key)
            items = [] if said[0][0] == NONE else [_weakness(record, review, text, rater, *one) for one in said]
            marked.setdefault(rater, {})[review] = items
    for rater, sets in marked.items():
        record = with_weaknesses(record, list(sets.items()), None if rater == GOLD else rater)
    return record


def _weakness(record: Record, review: str, text: str, rater: str, passage: str, grade: int | None) -> Record:
    name = f"review:{review}"
    place = find(passage, {name: text})
    if place is None:
        reason = (
            f'{rater} marks what is not in review "{review}": {why_missed(passage, {name: text})}: "{passage[:60]}"'
        )
        raise InputFault(reason, kind="invalid-key")
    start, end = place.match.start, place.match.end
    return {
        "review": review,
        "by": rater,
        "text": text[start:end],
        "spans": [{"in": name, "start": start, "end": end}],
        "groundedness": grade,
        "mentions": mentions(text, name, start, end, record),
    }
