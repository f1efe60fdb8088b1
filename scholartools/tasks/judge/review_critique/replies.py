"""Prompts on the segments of a review, and parsing of their replies.

Labeling-All requests a verdict on every segment, Select-Deficient only the deficient ones; both request an explanation
for these. Parsing yields in both cases an answer for each segment, or the reason why there is none.
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
    """Judgement of a segment: whether it is deficient (None: no answer), and why."""

    deficient: bool | None
    explanation: str | None = None
    reason: str | None = None


def read_labels(reply: Labels, numbers: Sequence[int]) -> dict[int, SegmentVerdict]:
    """Judgement of each segment by its number.

    Raises:
        PartlyUsable: a number is unknown, duplicate or missing, or a deficient segment has no explanation.
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
    """Judgement of each segment by its number: segments that are not named are not deficient.

    If a number is unknown, any other segment may be meant, so these have no answer.

    Raises:
        PartlyUsable: a number is unknown or duplicate, or a named segment has no explanation.
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
    """A prompt and its reply parser."""

    prompt: Prompt
    read: Callable[[Any, Sequence[int]], dict[int, SegmentVerdict]]


PROMPTS: dict[str, _Way] = {
    LABELING_ALL: _Way(Prompt("judge-review-label", Labels), read_labels),
    SELECT_DEFICIENT: _Way(Prompt("judge-review-select", Selections), read_selections),
}


def combine_answers(answers: Sequence[SegmentVerdict]) -> SegmentVerdict:
    """Combine the judgements of a segment from calls with different chunks of the paper: deficient if one says so.

    If none does and one is missing, there is no answer.
    """
    if found := next((said for said in answers if said.deficient), None):
        return found
    return next((said for said in answers if said.deficient is None), SegmentVerdict(False))


def make_answer(said: SegmentVerdict) -> Record | None:
    """A judgement as stored in the record."""
    if said.deficient is None:
        return None
    return {"deficient": said.deficient, **({"explanation": said.explanation} if said.explanation else {})}
