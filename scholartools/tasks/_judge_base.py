"""What the judges share: the shape of a rating, and how entries go into a record."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from scholartools.llm.replies import Closed
from scholartools.records import Record, read

COMMAND = "st-judge"


def _no_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a whole number is needed")
    return value


OneToThree = Annotated[Literal[1, 2, 3], BeforeValidator(_no_bool)]
OneToFour = Annotated[Literal[1, 2, 3, 4], BeforeValidator(_no_bool)]


WholeNumber = Annotated[int, BeforeValidator(_no_bool)]


class BroadRating(Closed):
    """A reply on the scale of background and conclusion."""

    rating: OneToThree


class DetailedRating(Closed):
    """A reply on the scale of method and result."""

    rating: OneToFour


def middle(samples: Sequence[int]) -> int | float:
    """The median, for a scale of ordered steps; halfway between the two in the middle where these differ."""
    median = statistics.median(samples)
    return int(median) if median == int(median) else median


def heading(system: str, reference: str | None, candidate: str | None, by: str) -> Record:
    """What every entry begins with: the system, its text, what that is rated against, and who rates.

    Args:
        reference: path of a user's own field, None for the abstract.
        candidate: likewise, None for the system's summary.
    """
    return {
        "system": system,
        "in": f"summary:{system}" if candidate is None else candidate,
        "reference": "abstract" if reference is None else reference,
        "by": by,
    }


def with_judgements(record: Record, task: str, entries: Sequence[Record]) -> Record:
    """A copy of the record with the entries under ``judgements``: for systems judged anew in place of earlier ones.

    Raises:
        InputFault: ``judgements`` is there and is something else.
    """
    earlier = read(record, "judgements") or {}
    judged = {entry["system"] for entry in entries}
    kept = [entry for entry in earlier.get(task) or () if entry["system"] not in judged]
    return {**record, "judgements": {**earlier, task: [*kept, *entries]}}
