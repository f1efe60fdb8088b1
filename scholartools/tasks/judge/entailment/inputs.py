"""Inputs of entailment: each experiment of the reference and each one planned by a system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholartools.records import Record
from scholartools.tasks.judge.matching.inputs import Sides, sides_at
from scholartools.tasks.shared.items import Item, unordered_mark

_PATHS = ("experiments", "generated.experiments")
_HINTS = (
    "people write these; name another key with {reference}",
    "run st-generate experiments first, or name another key with {candidate}",
)


class Question(NamedTuple):
    """An item and the list of the other side that may cover it."""

    system: str
    side: str
    item: Item
    others: Sequence[Item]

    @property
    def needs_call(self) -> bool:
        """Whether the other list has items."""
        return bool(self.others)


def read_sides(
    record: Record, reference: str | None, candidate: str | None, *, leave_out_unnamed: bool = False
) -> Sides:
    """The experiments of both sides, by :func:`sides_at`."""
    return sides_at(record, (reference, candidate), _PATHS, _HINTS, leave_out_unnamed=leave_out_unnamed)


def questions(sides: Sides) -> list[Question]:
    """For each system, its items against the reference list, and the reference's against its list."""
    return [
        Question(system, side, item, others)
        for system, items in sides.systems.items()
        for side, own, others in (("candidates", items, sides.truths), ("references", sides.truths, items))
        for item in own
    ]


def heading(sides: Sides, system: str, by: str) -> Record:
    """Start of a system's entry. The fingerprint of the texts is independent of the order of the items."""
    of = unordered_mark(sides.truths, sides.systems[system])
    return {**sides.heading(system, by), "texts": of}


def judge_without_call(question: Question) -> Record:
    """Judgement of an item if the other list is empty."""
    none = "the reference has no item" if question.side == "candidates" else "the system has no item"
    return {"id": question.item.id, "entailed": False, "reason": f"{none}: false without a model call"}
