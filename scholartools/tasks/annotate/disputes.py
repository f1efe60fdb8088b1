"""Disagreements between raters: items for an adjudicator, and the resulting gold answers.

Free-text answers are never compared. The adjudicator is not a rater, and their answers are not votes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scholartools.errors import UsageFault
from scholartools.json_text import dumps
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.annotate.batch import Batch, read_lines
from scholartools.tasks.annotate.description import Item, Number, Part, Question, Spans, Text
from scholartools.tasks.annotate.ratings import COUNTED, rating_of

# Criteria of a dispute: "any", "no-majority", or "range>N" for ratings.
_RANGE = re.compile(r"range>(\d+(?:\.\d+)?)")
#: Name of the part of an item that shows the votes.
VOTES = "votes"


def compared(question: Question, value: Any) -> str:
    """Canonical form of an answer for comparison: passages by offsets and label, lists as sets."""
    if isinstance(question, Spans) and value is not None:
        rated = question.rated.name if question.rated else ""
        value = sorted([span["start"], span["end"], span["label"], span.get(rated)] for span in value)
    elif isinstance(value, list):
        value = sorted(dumps(one).decode() for one in value)
    return dumps(value).decode()


def votes_of(batch: Batch, answers: Iterable[Record]) -> dict[str, list[Record]]:
    """Votes of raters by item, without repeats and without controls."""
    found: dict[str, list[Record]] = {name: [] for name in batch.items}
    for one in answers:
        if one["control"] is None and one["state"] in COUNTED:
            found[one["item"]].append(one)
    return found


def disputed_items(batch: Batch, answers: Sequence[Record], when: str, *, shows_votes: bool, seed: int) -> list[Item]:
    """The items on which raters disagree.

    Args:
        when: "any"; "no-majority": no value has most votes; "range>1": ratings differ by more than 1, or other answers
            differ.
        shows_votes: whether the items show the votes, anonymously and in random order.

    Raises:
        UsageFault: ``when`` is invalid.
    """
    if when not in ("any", "no-majority") and not _RANGE.fullmatch(when):
        raise UsageFault(f'{parameter("when", when)}: "any", "no-majority" or "range>N"')
    made = []
    for name, votes in votes_of(batch, answers).items():
        if not any(_is_disputed(question, votes, when) for question in batch.questions):
            continue
        item = batch.items[name]
        if shows_votes:
            order = sorted(votes, key=lambda one: fingerprint([seed, one["rater"], one["item"]]))
            told = "\n\n".join(_shown(batch, place, one) for place, one in enumerate(order, 1))
            item = replace(item, parts=(*item.parts, Part(VOTES, "What others said", told)))
        made.append(item)
    return made


def _said(question: Question, votes: Iterable[Record]) -> list[str]:
    given = (one["answers"][question.name] for one in votes)
    return [compared(question, value) for value in given if value is not None]


def _is_disputed(question: Question, votes: Sequence[Record], when: str) -> bool:
    said = Counter(_said(question, votes))
    if isinstance(question, Text) or len(said) < 2:
        return False
    if (wanted := _RANGE.fullmatch(when)) and isinstance(question, Number):
        values = [one["answers"][question.name] for one in votes if one["answers"][question.name] is not None]
        return max(values) - min(values) > float(wanted[1])
    return when != "no-majority" or 2 * max(said.values()) <= said.total()


def _shown(batch: Batch, place: int, vote: Record) -> str:
    lines = [f"{place}."]
    # ids of candidates would reveal the system, and their numbers differ between raters
    known = {one.id: f'"{one.text}"' for one in batch.items[vote["item"]].candidates}
    for question in batch.questions:
        value = vote["answers"][question.name]
        if isinstance(question, Spans) and value is not None:
            value = "; ".join(f'{span["label"]}: "{span["text"]}"' for span in value) or "none"
        elif isinstance(value, list):
            value = (
                "; ".join(known.get(one, one) if isinstance(one, str) else f'"{one["text"]}"' for one in value)
                or "none"
            )
        elif isinstance(value, (str, bool)):
            value = known.get(str(value), rating_of(value))
        lines.append(f"{question.name}: {'-' if value is None else value}")
    return "\n".join(lines)


def settled(
    batch: Batch, answers: Sequence[Record], decided: Sequence[Record], *, by_majority: bool
) -> Iterator[Record]:
    """Gold answers by item and question: unanimous votes, else the adjudication, else the majority.

    Args:
        decided: answers of the adjudicator.
        by_majority: whether a majority of the votes settles undecided disputes.

    Returns:
        ``item``, ``answers``; ``by``: source of each answer: "agreed", "single" (one vote), "adjudicated" or
        "majority"; ``reasons`` of null answers: "no-votes" or "disputed".
    """
    decisions: dict[str, Record] = {one["item"]: one["answers"] for one in decided if one["state"] in COUNTED}

    def settle(name: str, question: Question, votes: Sequence[Record]) -> tuple[Any, str]:
        return _settle(question, votes, decisions.get(name, {}).get(question.name), by_majority=by_majority)

    return _gold(batch, answers, settle)


def of_best(batch: Batch, answers: Sequence[Record], best: Sequence[str]) -> Iterator[Record]:
    """What one rater says, as :func:`settled`: ``by`` is "best-rater", or "tied-rater" where others agree equally well;
    ``reasons`` are "no-votes", or "undecided" where there is none.
    """

    def settle(_: str, question: Question, votes: Sequence[Record]) -> tuple[Any, str]:
        if not best:
            return None, "undecided"
        said = next((one["answers"][question.name] for one in votes if one["rater"] == best[0]), None)
        return said, "no-votes" if said is None else "tied-rater" if best[1:] else "best-rater"

    return _gold(batch, answers, settle)


def best_raters(batch: Batch, path: str) -> list[str]:
    """The raters whose passages agree best with those of the other raters, in the order of the batch.

    Args:
        path: results of ``st-agree spans``; the ``mean_of_pairs`` of each rater in the measure "edit" is used.

    Returns:
        Several raters in case of a tie; none if no two raters of the batch can be compared.

    Raises:
        UsageFault: there are no such results, or several per rater, for example one per label.
    """
    found: dict[str, float | None] = {}
    try:
        results = [one for one in read_lines(Path(path)) if one.get("measure") == "edit" and "mean_of_pairs" in one]
    except (OSError, ValueError, AttributeError) as error:
        raise UsageFault(f"{parameter('best', path)}: cannot be read: {error}") from None
    for one in results:
        if one["rater"] in found:
            raise UsageFault(f"{parameter('best', path)}: two results of {one['rater']}, so that nobody is the best")
        found[one["rater"]] = one["mean_of_pairs"]
    if not found:
        raise UsageFault(f"{parameter('best', path)}: no results of single raters, which st-agree spans writes")
    known = {rater: value for rater in batch.raters if (value := found.get(rater)) is not None}
    return [rater for rater, value in known.items() if value == max(known.values())]


def _gold(
    batch: Batch, answers: Sequence[Record], settle: Callable[[str, Question, Sequence[Record]], tuple[Any, str]]
) -> Iterator[Record]:
    """Gold answers of all items without known answers: the result of ``settle``, with its source or reason."""
    for name, votes in votes_of(batch, answers).items():
        if name in batch.truth:
            continue
        item = batch.items[name]
        record: Record = {"item": name, "paper": item.paper, "kind": batch.kind, "batch": batch.id, "texts": item.texts}
        found = {question.name: settle(name, question, votes) for question in batch.questions}
        record["answers"] = {key: value for key, (value, _) in found.items()}
        record["by"] = {key: how for key, (value, how) in found.items() if value is not None}
        record["reasons"] = {key: how for key, (value, how) in found.items() if value is None}
        yield {**record, "n_votes": len(votes), "signature": batch.about["signature"]}


def _settle(question: Question, votes: Sequence[Record], decision: Any, *, by_majority: bool) -> tuple[Any, str]:
    given = [one["answers"][question.name] for one in votes if one["answers"][question.name] is not None]
    said = Counter(compared(question, value) for value in given)
    if len(said) == 1:
        return given[0], "agreed" if len(given) > 1 else "single"
    if decision is not None:
        return decision, "adjudicated"
    if not said:
        return None, "no-votes"
    (most, n), *_ = said.most_common()
    if by_majority and 2 * n > said.total():
        return next(value for value in given if compared(question, value) == most), "majority"
    return None, "disputed"
