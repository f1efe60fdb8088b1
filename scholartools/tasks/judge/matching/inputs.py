"""What is matched: a record's ground truth and the items of each system, the same that ``st-score match`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholartools.metrics.vectors import similarities
from scholartools.records import Record
from scholartools.tasks.shared.items import (
    Item,
    candidates,
    mark,
    places,
    references,
    without_unnamed,
)
from scholartools.text.embeddings.cached import Source, vectors

_PATHS = ("limitations", "generated.limitations")
_HINTS = (
    "run st-extract-limits first, or name another key with {reference}",
    "generate them first, or name another key with {candidate}",
)

# Digits of a similarity: what products of matrices of other sizes change lies behind them.
_DIGITS = 6


class Sides(NamedTuple):
    """Both sides of a record.

    Attributes:
        reference: dotted path of the ground truth.
        candidate: dotted path of the systems' items.
        truths: the ground truth.
        systems: the items of each system, in their order.
    """

    reference: str
    candidate: str
    truths: list[Item]
    systems: dict[str, list[Item]]

    def heading(self, system: str, by: str) -> Record:
        """What the entry of a system begins with: what was compared, and who judged."""
        of = mark(self.truths, self.systems[system])
        return {"system": system, "by": by, "reference": self.reference, "candidate": self.candidate, "texts": of}

    def compared(self) -> Record:
        """The ids and texts of all that is compared, by side."""
        groups = {"": self.truths, **{f"system {name}": items for name, items in self.systems.items()}}
        return {name: [[item.id, item.text] for item in items] for name, items in groups.items()}


def read_sides(
    record: Record, reference: str | None, candidate: str | None, *, leave_out_unnamed: bool = False
) -> Sides:
    """The limitations of both sides, by :func:`sides_at`."""
    return sides_at(record, (reference, candidate), _PATHS, _HINTS, leave_out_unnamed=leave_out_unnamed)


def sides_at(
    record: Record, own: tuple[str | None, str | None], usual: tuple[str, str], hints: tuple[str, str], *,
    leave_out_unnamed: bool = False,
) -> Sides:  # fmt: skip
    """Both sides, the reference first.

    Args:
        record: that holds them.
        own: paths that a user names; None for those that are usual.
        usual: paths of the task.
        hints: what to do where there is nothing at a path.
        leave_out_unnamed: leave out, of several systems, those with an item without an id, or two items of one id;
            the caller tells them, by :func:`scholartools.tasks.shared.items.tell_missing_items`.

    Raises:
        InputFault: a side is missing, is no text, or has an item without an id, or two items of one id: pairs name ids.
    """
    paths = (own[0] or usual[0], own[1] or usual[1])
    truths = references(record, paths[0], hints[0])
    systems = candidates(record, paths[1], hints[1], leave_out_missing=True)
    places(truths, paths[0])
    if leave_out_unnamed:
        systems = without_unnamed(systems, paths[1])
    for items in systems.values():
        places(items, paths[1])
    return Sides(*paths, truths, systems)


def cosine_matrix(truths: Sequence[Item], items: Sequence[Item], embedder: Source) -> list[list[float]]:
    """Cosines of the embeddings of every truth with every item, in -1..1, to six digits."""
    if not truths or not items:
        return [[] for _ in truths]
    first, second = (vectors([item.text for item in side], embedder) for side in (truths, items))
    return [[round(cosine, _DIGITS) for cosine in row] for row in similarities(first, second).tolist()]
