"""Answers as ratings in long form, for st-agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from scholartools.records import Record
from scholartools.tasks.annotate.batch import Batch
from scholartools.tasks.annotate.description import BLANK, Choice, Item, Pick, Question, Spans, Text

Controls = Literal["without", "with", "only"]
#: States of answers that count as ratings.
COUNTED = ("done", "partial")


def rating_rows(
    batch: Batch, answers: Iterable[Record], controls: Controls = "without", *, has_drafts: bool = False,
    level: str | None = None,
) -> Iterator[Record]:  # fmt: skip
    """Yield a row per rater, item and label; controls are included on request.

    With a ``level``, only rows of that level of measurement are included. Chosen candidates are a set of names
    (``masi``), or the list of their texts at the level ``spans``.

    A multiple choice gives a row per value, with 0 or 1, and a row with the list of chosen values; passages give the
    list of their texts per label. The item of a repeat is named "ITEM#2", so that it is no second rating; ``suggested``
    marks answers that started from a suggestion.
    """
    for record in answers:
        if record["state"] not in COUNTED and not (has_drafts and record["state"] == "draft"):
            continue
        if controls != "with" and (controls == "only") != (record["control"] is not None):
            continue
        name = record["item"] + (f"#{record['copy'] + 1}" if record["copy"] else "")
        about = {"item": name, "paper": record["paper"], "group": record["group"], "rater": record["rater"]}
        for question in batch.questions:
            timed = {"round": record["round"], "seconds": record["seconds"]}
            timed |= {"suggested": True} if question.name in record.get("suggested", ()) else {}
            for one in _ratings_of(question, record, batch.items[record["item"]], level):
                yield {**about, **one, "item": f"{name}{one.get('item', '')}", **timed}


def _ratings_of(question: Question, record: Record, item: Item, level: str | None) -> Iterator[Record]:
    """Ratings in an answer to a question, of one level or all; parts of an item have a suffix."""
    answer = record["answers"][question.name]
    yield from (one for one in _ratings_of_passages(question, answer) if level in (None, one["level"]))
    if level == "spans" and isinstance(question, Pick):
        found = [(question.name, _texts(item, answer), "spans")]
    else:
        found = [one for one in _labels(question, answer) if level in (None, one[2])]
    for label, value, measured in found:
        reason = {"reason": record["reasons"][question.name]} if value is None else {}
        yield {"label": label, "value": value, **reason, "level": measured}


def _texts(item: Item, chosen: Any) -> list[str] | None:
    """Texts of the chosen candidates and custom passages."""
    known = {one.id: one.text for one in item.candidates}
    return None if chosen is None else [known[one] if isinstance(one, str) else one["text"] for one in chosen]


def level_of(question: Question) -> str:
    """Level of measurement of a question's answers as ratings."""
    is_set = isinstance(question, Pick) or (isinstance(question, Choice) and question.is_many)
    return "masi" if is_set else question.level


def rating_of(value: Any) -> Any:
    """An answer as a rating: lists as texts, booleans as yes and no."""
    if isinstance(value, list):
        return [one if isinstance(one, str) else one["text"] for one in value]
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def hashable_rating(value: Any) -> Any:
    """A hashable rating for the metrics, which take tuples as sets."""
    return tuple(value) if isinstance(value, list) else value


def _ratings_of_passages(question: Question, value: Any) -> Iterator[Record]:
    """Ratings of rated passages; a passage that two raters marked identically is one item."""
    if isinstance(question, Spans) and question.rated is not None:
        scale = question.rated
        for span in value or ():
            reason = {"reason": BLANK} if span[scale.name] is None else {}
            named = {
                "item": f"@{span['start']}-{span['end']}:{span['label']}",
                "label": f"{question.name}.{scale.name}",
            }
            yield {**named, "value": span[scale.name], **reason, "level": scale.level}


def _labels(question: Question, value: Any) -> Iterator[tuple[str, Any, str]]:
    """Labels of a question with values and levels of measurement."""
    if isinstance(question, Text):
        return
    if isinstance(question, Spans):
        for label in question.labels:
            texts = None if value is None else [span["text"] for span in value if span["label"] == label]
            yield (f"{question.name}:{label}" if len(question.labels) > 1 else question.name), texts, "spans"
        return
    if isinstance(question, Choice) and question.is_many:
        for one in question.values:
            yield f"{question.name}:{one}", None if value is None else int(one in value), "nominal"
    yield question.name, rating_of(value), level_of(question)
