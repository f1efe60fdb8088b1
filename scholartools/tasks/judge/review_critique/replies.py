"""What a model may answer about the segments of a review, under each of the two prompts, verified by segment.

Labeling-All wants a verdict on every segment, Select-Deficient the deficient ones alone; both want an explanation of
each that is deficient. Verification makes of both the same thing: an answer for each segment, or why there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from scholartools.llm.answers import PartlyUsable
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import Closed, Items, Reason
from scholartools.records import Record
from scholartools.tasks.judge.entries import WholeNumber

LABELING_ALL, SELECT_DEFICIENT = "labeling-all", "select-deficient"


class _Label(Closed):
    id: WholeNumber
    reliable: bool
    explanation: Reason


class Labels(Closed):
    """A verdict on every segment."""

    segments: Items[_Label]


class _Selection(Closed):
    id: WholeNumber
    explanation: Reason


class Selections(Closed):
    """The deficient segments."""

    deficient: list[_Selection]


class SegmentVerdict(NamedTuple):
    """What was said of one segment: whether it is deficient (None: there is no answer), and why."""

    deficient: bool | None
    explanation: str | None = None
    reason: str | None = None


def read_labels(reply: Labels, numbers: Sequence[int]) -> dict[int, SegmentVerdict]:
    """The answer to each segment by its number.

    Raises:
        PartlyUsable: a number is unknown, there twice or lacking, or a deficient segment has no explanation.
    """
    counts = Counter(one.id for one in reply.segments)
    said = {
        one.id: SegmentVerdict(not one.reliable, None if one.reliable else (one.explanation or "").strip() or None)
        for one in reply.segments
        if one.id in numbers and counts[one.id] == 1
    }
    lacks = _describe_unknown(counts, numbers)
    for number in numbers:
        if number not in said:
            fault = f"segment {number} is {'labelled twice' if counts[number] else 'not labelled'}"
            said[number] = SegmentVerdict(None, reason=fault)
            lacks.append(fault)
    return _check_said(said, lacks)


def read_selections(reply: Selections, numbers: Sequence[int]) -> dict[int, SegmentVerdict]:
    """The answer to each segment by its number: one that is not named is not deficient.

    Where the reply names a number that is none, any of the others may be meant: they have no answer.

    Raises:
        PartlyUsable: a number is unknown or there twice, or a segment that is named has no explanation.
    """
    counts = Counter(one.id for one in reply.deficient)
    unknown = _describe_unknown(counts, numbers)
    said = dict.fromkeys(numbers, SegmentVerdict(None, reason=unknown[0]) if unknown else SegmentVerdict(False))
    for one in reversed(reply.deficient):
        if one.id in said:
            said[one.id] = SegmentVerdict(True, (one.explanation or "").strip() or None)
    twice = [f"segment {number} is named twice" for number in numbers if counts[number] > 1]
    return _check_said(said, [*unknown, *twice])


def _describe_unknown(counts: Counter[int], numbers: Sequence[int]) -> list[str]:
    return [f"there is no segment {number}" for number in counts if number not in numbers]


def _check_said(said: dict[int, SegmentVerdict], lacks: list[str]) -> dict[int, SegmentVerdict]:
    lacks += [
        f"segment {number} is called deficient without an explanation"
        for number, one in sorted(said.items())
        if one.deficient and one.explanation is None
    ]
    if lacks:
        raise PartlyUsable(said, lacks)
    return said


class _Way(NamedTuple):
    """A prompt and how its reply is read."""

    prompt: Prompt
    read: Callable[[Any, Sequence[int]], dict[int, SegmentVerdict]]


PROMPTS: dict[str, _Way] = {
    LABELING_ALL: _Way(Prompt("judge-review-label", Labels), read_labels),
    SELECT_DEFICIENT: _Way(Prompt("judge-review-select", Selections), read_selections),
}


def combine_answers(answers: Sequence[SegmentVerdict]) -> SegmentVerdict:
    """What several calls, each with another piece of the paper, say of a segment together: deficient if one says so.

    Where none does and one has no answer, that one might have said so: there is none.
    """
    if found := next((said for said in answers if said.deficient), None):
        return found
    return next((said for said in answers if said.deficient is None), SegmentVerdict(False))


def make_answer(said: SegmentVerdict) -> Record | None:
    """An answer as the record has it."""
    if said.deficient is None:
        return None
    return {"deficient": said.deficient, **({"explanation": said.explanation} if said.explanation else {})}
