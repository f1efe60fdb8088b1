"""Questions that are answered later: the exception that they raise, and the mark on their record. Imports nothing."""

from __future__ import annotations

from contextvars import ContextVar


class Parked(BaseException):
    """A question will be answered later; processing of its record is postponed until then.

    A BaseException, so that tasks, including user-defined ones that catch every Exception, do not continue.
    """


# Marks of the current record: not empty once one of its questions is postponed.
PARKED: ContextVar[list[bool]] = ContextVar("parked")


def mark_parked() -> None:
    """Mark the current record as postponed, whatever its task returns."""
    if (marks := PARKED.get(None)) is not None:
        marks.append(True)
