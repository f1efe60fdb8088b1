"""Import weaknesses that raters marked in reviews, from a table or JSONL file (CLAIMCHECK, 3.3).

Each row is a passage: ``paper``, ``review``, ``rater``, ``text`` and optionally ``groundedness``. The text "none" means
that the rater read the review and marked nothing.
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
    """Read the passages of a file, one per row.

    Raises:
        UsageFault: the file cannot be read, or a row is invalid; names file and line.
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
    """Add marked passages to a copy of the record: of the rater "gold" as ``weaknesses``, of others as their own sets.

    Earlier sets of a rater in other reviews are kept. If the file has rows of "gold", ``weaknesses`` by other authors
    are removed, also in reviews and papers without a row, so that a method's output is not mistaken for human
    annotation.

    Args:
        record: record with ``reviews``.
        answers: human answers.
        used: called with each review found in the file.

    Raises:
        InputFault: no ``reviews``; a passage is not in its review, or is marked twice; a rater's marks contradict
            earlier ones, or the rater has the name of a method's set.
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
    """Ids of the reviews that "gold" has not annotated, in a record returned by ``add_weaknesses``."""
    authors = weakness_authors(record)
    return [review["id"] for review in reviews_of(record) if authors.get(review["id"]) != GOLD]


def _refuse_twins(items: list[Record], review: str, rater: str) -> None:
    places = {tuple((span["in"], span["start"], span["end"]) for span in item["spans"]) for item in items}
    if len(places) < len(items):
        reason = f'{rater} marks the same passage of review "{review}" twice'
        raise InputFault(reason, kind="invalid-key")


def _with_gold(record: Record, sets: dict[str, list[Record]]) -> Record:
    """Set the ``weaknesses`` by "gold"; those in other reviews are kept with all their keys.

    Raises:
        InputFault: "gold" marked a review differently before.
    """
    before = [review for review, author in weakness_authors(record).items() if author == GOLD]
    kept = [one for one in read(record, "weaknesses") or () if one["review"] in before]
    own = {review: [one for one in kept if one["review"] == review] for review in before}
    new = {review: items for review, items in sets.items() if not _was_marked(own.get(review), items, review, GOLD)}
    made = number_sets(list(new.items()), {one["id"] for one in kept})
    weaknesses = [*kept, *(item for _, items in made for item in items or ())]
    return with_authors(record, dict.fromkeys([*before, *sets], GOLD), weaknesses)


def _with_set(record: Record, rater: str, sets: dict[str, list[Record]]) -> Record:
    """Add a rater's sets to ``annotations.weaknesses``; those of other reviews are kept.

    Raises:
        InputFault: the rater marked a review differently before, has the name of a method's set, or one that differs
            from another rater's only in case or spaces.
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
    """Whether a rater already marked the same in a review; null sets count as unmarked.

    Raises:
        InputFault: the rater marked something else.
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
