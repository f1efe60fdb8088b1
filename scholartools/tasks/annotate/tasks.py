"""Items as JSON lines for tools of one's own, with a place for the answers of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scholartools.records import Record
from scholartools.tasks.annotate.batch import Batch, Row
from scholartools.tasks.annotate.description import SIDES, UNKNOWN_VALUE, Fault, Pick, Question, Spans, Winner
from scholartools.tasks.annotate.passages import Unit, placed_spans


def task_lines(batch: Batch, rater: str) -> Iterator[Record]:
    """A record for each row: what is shown, what is asked, and ``answers`` to be filled in."""
    questions = [question.as_record() for question in batch.questions]
    names = SIDES if batch.has_sides else None
    for row in batch.rows[rater]:
        shown = [{"name": part.name, "heading": part.heading, "text": part.text} for part in row.item.parts]
        listed = [
            {"name": names[number] if names else str(number + 1), "text": one.text}
            for number, one in enumerate(row.candidates())
        ]
        about: Record = {"batch": batch.id, "row": row.mark, "shown": shown, "candidates": listed}
        yield {**about, "questions": questions, "answers": {}, "skip": False, "note": None, "seconds": None}


def read_value(question: Question, value: Any, row: Row, unit: Unit) -> tuple[Any, int]:
    """An answer as JSON, for :meth:`Question.check`, with the number of passages that were sought by their words.

    Sides are "A" and "B", candidates their numbers in the row's order, as texts.

    Raises:
        Fault: it is none of the question's answers.
    """
    if isinstance(question, Spans):
        rated = question.rated.name if question.rated else None
        return placed_spans(value, row.item.part(question.part), unit, rated=rated)
    if isinstance(question, Pick):
        return _picked(question, value, row, unit)
    if isinstance(question, Winner):
        known = dict(zip(SIDES, row.order, strict=False)) | {"tie": "tie"}
        if value not in known:
            raise Fault(UNKNOWN_VALUE, f'"{value}" is no side')
        return known[value], 0
    return value, 0


def _picked(question: Pick, value: Any, row: Row, unit: Unit) -> tuple[Any, int]:
    if not isinstance(value, list):
        raise Fault(UNKNOWN_VALUE, "no list of candidates")
    numbers = {str(number): name for number, name in enumerate(row.order, 1)}
    made: list[Any] = []
    n_moved = 0
    for one in value:
        if isinstance(one, dict) and question.custom_in is not None:
            spans, moved = placed_spans([one], row.item.part(question.custom_in), unit, has_label=False)
            made, n_moved = [*made, *spans], n_moved + moved
        elif str(one) in numbers:
            made.append(numbers[str(one)])
        else:
            raise Fault(UNKNOWN_VALUE, f'no candidate is "{one}"')
    return made, n_moved
