"""The two sides of matching: ground truth and items of each system, as read by ``st-score match``."""

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

# Decimals of similarities; later ones depend on the sizes of the multiplied matrices.
_DIGITS = 6


class Sides(NamedTuple):
    """Both sides of a record.

    Attributes:
        reference: dotted path of the ground truth.
        candidate: dotted path of the systems' items.
        truths: the ground truth.
        systems: items of each system, in order.
    """

    reference: str
    candidate: str
    truths: list[Item]
    systems: dict[str, list[Item]]

    def heading(self, system: str, by: str) -> Record:
        """Start of a system's entry: compared texts and judge."""
        of = mark(self.truths, self.systems[system])
        return {"system": system, "by": by, "reference": self.reference, "candidate": self.candidate, "texts": of}

    def compared(self) -> Record:
        """Ids and texts of all compared items, by side."""
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
        record: the record.
        own: paths given by the user; None for the defaults.
        usual: default paths of the task.
        hints: advice for errors about an empty path.
        leave_out_unnamed: skip systems with missing or duplicate item ids, unless all have them; the caller reports
            them with :func:`scholartools.tasks.shared.items.tell_missing_items`.

    Raises:
        InputFault: a side is missing or not text, or has items with missing or duplicate ids, which pairs refer to.
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
    """Cosines of the embeddings of each truth with each item, in -1..1, rounded to six decimals."""
    if not truths or not items:
        return [[] for _ in truths]
    first, second = (vectors([item.text for item in side], embedder) for side in (truths, items))
    return [[round(cosine, _DIGITS) for cosine in row] for row in similarities(first, second).tolist()]
