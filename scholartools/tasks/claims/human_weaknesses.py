"""Weaknesses that people marked in reviews, from a CSV or JSONL file of theirs, of several raters (CLAIMCHECK, 3.3).

A row is one passage: ``paper``, ``review``, ``rater``, ``text`` and, where it was rated, ``groundedness``. A row whose
text is "none" says that the rater read the review and marked nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.records import Entry, Record, read
from scholartools.tasks.claims.answer_files import (
    NONE,
    AnswerFile,
    Answers,
    Passage,
    answers_of,
    parse_passage,
    parse_rating,
)
from scholartools.tasks.claims.base import GOLD, reviews_of
from scholartools.tasks.claims.entries import same_name
from scholartools.tasks.claims.mentions import Places, locate_passage, mentions
from scholartools.tasks.claims.weakness_sets import number_sets, sets_of_raters, weakness_authors, with_authors


def read_weaknesses(path: str) -> Answers:
    """The passages of a file, a row each.

    Raises:
        UsageFault: the file cannot be read, or a row is not as it must be; names file and line.
    """
    given: dict[tuple[str, str], dict[str, Any]] = {}
    file = AnswerFile(path, ("paper", "review", "rater", "text", "groundedness"))
    for where, row in file.rows():
        if file.take_record("weaknesses", row, where, given):
            continue
        key = file.key(row, where, "review")
        text = parse_passage("text", row.get("text"), where)
        grade = parse_rating("groundedness", row.get("groundedness"), where)
        if text is None or (grade is None and "groundedness" in row and text != NONE):
            file.count_blank(row.get("text" if text is None else "groundedness"))
        if text is None:
            continue
        said = given.setdefault((key.paper, key.about), {}).setdefault(key.rater, [])
        if said and NONE in (text, said[0].text):
            raise UsageFault(f'{where}: {key.rater} has both a weakness and "{NONE}" for {key.paper}/{key.about}')
        if any(text.split() == earlier.text.split() for earlier in said):
            raise UsageFault(f"{where}: {key.rater} marks the same passage of {key.paper}/{key.about} twice")
        said.append(Passage(text, None if text == NONE else grade))
    return answers_of(file, "weaknesses", given)


def add_weaknesses(record: Record, answers: Answers, used: Callable[[tuple[str, str]], None]) -> Record:
    """A copy of the record with what people marked: of the rater "gold" as ``weaknesses``, of others as sets of theirs.

    What a rater marked in other reviews before stays. Where the file has rows of "gold", ``weaknesses`` that are not by
    "gold" go, also of reviews and papers without a row: what a method finds there must not count as people's.

    Args:
        record: with ``reviews``.
        answers: of people.
        used: called with each review that the file has.

    Raises:
        InputFault: no ``reviews``; a passage that occurs nowhere in its review, or is marked twice; a rater who marked
            something else in a review before, or has the name of a method's set.
    """
    reviews = {review["id"]: review["text"] for review in reviews_of(record)}
    marked: dict[str, dict[str, list[Record]]] = {}
    for review, text in reviews.items():
        key = (str(record.get("id")), review)
        for rater, said in answers.given.get(key, {}).items():
            used(key)
            is_none = said == [Passage(NONE)]
            items = [] if is_none else [_weakness(record, review, text, rater, one) for one in said]
            _refuse_twins(items, review, rater)
            marked.setdefault(rater, {})[review] = items
    if GOLD in answers.raters:
        record = _with_gold(record, marked.pop(GOLD, {}))
    for rater, sets in marked.items():
        record = _with_set(record, rater, sets)
    return record


def find_unmarked(record: Record) -> list[str]:
    """The ids of the reviews in which "gold" has not looked, by the record as ``add_weaknesses`` made it."""
    authors = weakness_authors(record)
    return [review["id"] for review in reviews_of(record) if authors.get(review["id"]) != GOLD]


def _refuse_twins(items: list[Record], review: str, rater: str) -> None:
    places = {tuple((span["in"], span["start"], span["end"]) for span in item["spans"]) for item in items}
    if len(places) < len(items):
        reason = f'{rater} marks the same passage of review "{review}" twice'
        raise InputFault(reason, kind="invalid-key")


def _with_gold(record: Record, sets: dict[str, list[Record]]) -> Record:
    """The record with ``weaknesses`` by "gold": those of other reviews that were there stay, with what they contain.

    Raises:
        InputFault: "gold" marked something else in one of the reviews before.
    """
    before = [review for review, author in weakness_authors(record).items() if author == GOLD]
    kept = [one for one in read(record, "weaknesses") or () if one["review"] in before]
    own = {review: [one for one in kept if one["review"] == review] for review in before}
    new = {review: items for review, items in sets.items() if not _was_marked(own.get(review), items, review, GOLD)}
    made = number_sets(list(new.items()), {one["id"] for one in kept})
    weaknesses = [*kept, *(item for _, items in made for item in items or ())]
    return with_authors(record, dict.fromkeys([*before, *sets], GOLD), weaknesses)


def _with_set(record: Record, rater: str, sets: dict[str, list[Record]]) -> Record:
    """The record with a rater's sets under ``annotations.weaknesses`` beside those of other reviews.

    Raises:
        InputFault: the rater marked something else in one of the reviews before, has the name of a method's set, or
            one that differs in case or space alone.
    """
    earlier = read(record, "annotations") or {}
    entries = sets_of_raters(record)
    for entry in entries:
        if entry["rater"] != rater and same_name(entry["rater"], rater):
            reason = f'the raters "{entry["rater"]}" and "{rater}" differ only in case or spaces: use one name'
            raise InputFault(reason, kind="invalid-key")
    own = {entry["review"]: entry["items"] for entry in entries if entry["rater"] == rater}
    kept = [one for items in own.values() for one in items or ()]
    if other := next((one["by"] for one in kept if one.get("by") not in (None, rater)), None):
        raise InputFault(f'the weaknesses of "{rater}" are by {other}: give the rater another name', kind="invalid-key")
    new = {review: items for review, items in sets.items() if not _was_marked(own.get(review), items, review, rater)}
    made = number_sets(list(new.items()), {one["id"] for one in kept})
    stay = [entry for entry in entries if (entry["rater"], entry["review"]) not in {(rater, name) for name in new}]
    added = [{"rater": rater, "review": review, "items": items} for review, items in made]
    return {**record, "annotations": {**earlier, "weaknesses": [*stay, *added]}}


def _was_marked(before: Sequence[Entry] | None, items: list[Record], review: str, rater: str) -> bool:
    """Whether a rater marked the same in a review before; a set that is null was not marked.

    Raises:
        InputFault: something else.
    """
    if before is None:
        return False
    sides = [[[one["spans"], one.get("groundedness")] for one in side] for side in (before, items)]
    if sides[0] != sides[1]:
        reason = f'{rater} marked something else in review "{review}" before: take that away first'
        raise InputFault(reason, kind="invalid-key")
    return True


def _weakness(record: Record, review: str, text: str, rater: str, passage: Passage) -> Record:
    name = f"review:{review}"
    if passage.start is not None and text.startswith(passage.text, passage.start):
        start, end = passage.start, passage.start + len(passage.text)
    elif isinstance(place := locate_passage(passage.text, {name: text}), str):
        reason = f'{rater} marks what is not in review "{review}": {place}: "{passage.text[:60]}"'
        raise InputFault(reason, kind="invalid-key")
    else:
        start, end = place.match.start, place.match.end
    return {
        "review": review,
        "by": rater,
        "text": text[start:end],
        "spans": [{"in": name, "start": start, "end": end}],
        "groundedness": passage.grade,
        "mentions": mentions(text, name, start, end, Places(record)),
    }
