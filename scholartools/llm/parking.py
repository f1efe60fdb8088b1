"""Questions that are answered later: what they raise, and the mark of the record that has one. Imports nothing."""

from __future__ import annotations

from contextvars import ContextVar


class Parked(BaseException):
    """A question is to be answered later, and its record to be worked on then.

    It is no fault that a task may go on with, not even one of a user's own that catches every Exception.
    """


# Of the record that is worked on: not empty once a question about it is to be answered later.
PARKED: ContextVar[list[bool]] = ContextVar("parked")


def mark_parked() -> None:
    """Note that the record that is worked on has to wait, whatever a task makes of it."""
    if (marks := PARKED.get(None)) is not None:
        marks.append(True)
