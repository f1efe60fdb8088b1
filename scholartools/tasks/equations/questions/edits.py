"""Changes of a formula's LaTeX at given places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, order=True)
class Edit:
    """One change: ``latex[start:end]`` becomes ``new``.

    Attributes:
        op: the kind of slip, one of :data:`scholartools.tasks.equations.questions.rules.OPS`, or of rewriting; "other"
            for a model's change that no rule makes.
        change: what a model said that it changed.
    """

    start: int
    end: int
    new: str
    op: str
    change: str = field(default="", compare=False)

    def record(self, latex: str) -> dict[str, Any]:
        """The change for a record: ``op``, ``start``, ``end``, ``from``, ``to``, and of a model's its ``change``."""
        made = {
            "op": self.op,
            "start": self.start,
            "end": self.end,
            "from": latex[self.start : self.end],
            "to": self.new,
        }
        return {**made, "change": self.change} if self.change else made


def apply(latex: str, edits: Iterable[Edit]) -> str:
    """The formula with some changes that do not overlap."""
    for edit in sorted(edits, reverse=True):
        latex = f"{latex[: edit.start]} {edit.new} {latex[edit.end :]}"
    return latex


def are_apart(one: Edit, other: Edit) -> bool:
    """Whether two changes touch different places."""
    first, second = sorted([one, other])
    return first.end < second.start or (first.end == second.start and first.start < first.end)
