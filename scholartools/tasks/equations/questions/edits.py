"""Edits of a formula's LaTeX at given offsets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, order=True)
class Edit:
    """One edit: ``latex[start:end]`` becomes ``new``.

    Attributes:
        op: the kind of error, one of :data:`scholartools.tasks.equations.questions.rules.OPS`, or of rewriting; "other"
            for a model's change that no rule makes.
        change: a model's description of its change.
    """

    start: int
    end: int
    new: str
    op: str
    change: str = field(default="", compare=False)

    def record(self, latex: str) -> dict[str, Any]:
        """The edit as an object: ``op``, ``start``, ``end``, ``from``, ``to``, and ``change`` if it is not empty."""
        made = {
            "op": self.op,
            "start": self.start,
            "end": self.end,
            "from": latex[self.start : self.end],
            "to": self.new,
        }
        return {**made, "change": self.change} if self.change else made


def apply(latex: str, edits: Iterable[Edit]) -> str:
    """Apply edits that do not overlap to a formula."""
    for edit in sorted(edits, reverse=True):
        latex = f"{latex[: edit.start]} {edit.new} {latex[edit.end :]}"
    return latex


def are_apart(one: Edit, other: Edit) -> bool:
    """Whether two edits affect disjoint spans."""
    first, second = sorted([one, other])
    return first.end < second.start or (first.end == second.start and first.start < first.end)
