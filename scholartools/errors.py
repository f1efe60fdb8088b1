"""Exceptions, each with a one-line message that a user can act on.

Functions raise these; ``pipeline/outcome.py`` turns them into an ``errors`` entry of the
record, a line on stderr and an exit status. Nothing else is ever shown to a user.
"""

from __future__ import annotations

from typing import Any

from scholartools import parameters


class ScholartoolsError(Exception):
    """The base class of the exceptions of scholartools.

    Attributes:
        kind: the type of the error, a fixed word that programs can test, e.g. ``"missing-key"``.
        reason: an error message of one line, without the name of the file and the line number.
        details: additional keys of the record's ``errors`` entry, e.g. the raw reply of a model.
    """

    kind = "error"

    def __init__(self, reason: str, *, kind: str | None = None, details: dict[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.reason = " ".join(str(reason).encode(errors="replace").decode().split())
        self.details = details or {}
        if kind is not None:
            self.kind = kind

    def __reduce__(self) -> tuple:
        return _rebuild, (type(self), self.reason, self.kind, self.details)


class UsageFault(ScholartoolsError):
    """Options or arguments that are invalid or contradict each other (exit 2).

    Attributes:
        parameter: the name of the rejected parameter; the reason begins with it, spelled for the user
            (:mod:`.parameters`).
    """

    kind = "usage"

    def __init__(
        self,
        reason: str,
        *,
        parameter: str | None = None,
        kind: str | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        named = f"{parameters.parameter(parameter)}: {reason}" if parameter else reason
        super().__init__(named, kind=kind, details=details)
        self.parameter = parameter


class InputFault(ScholartoolsError):
    """An input file or a record is not valid input of the command.

    Kinds in use: ``missing-key``, ``invalid-key``, ``not-json``, ``not-jsonl``, ``duplicate-key``, ``not-utf8``,
    ``not-an-object``, ``unreadable``, ``not-a-pdf``, ``not-a-paper``, ``not-latex``, ``unsafe-xml``, ``encrypted``,
    ``no-text``, ``no-ocr``, ``reviews-mismatch``, ``duplicate``, ``too-many``.
    """

    kind = "input"


class OutputFault(ScholartoolsError):
    """The output cannot be opened (exit 2) or written to the end (exit 6)."""

    kind = "output"


class ModelFault(ScholartoolsError):
    """A model cannot be used: no model or key, provider error, budget, cache, or missing replay (exit 4).

    It ends the run, since the next records would fail in the same way; an unusable reply concerns one record only.
    """

    kind = "model"


class NothingUsable(ScholartoolsError):
    """A model gave no usable result for a record; an earlier result under the same key must not be taken for it.

    Attributes:
        record: the record without that earlier result, to be passed on; None: unchanged.
    """

    record: dict[str, Any] | None = None


def _rebuild(cls: type[ScholartoolsError], reason: str, kind: str, details: dict[str, Any]) -> ScholartoolsError:
    return cls(reason, kind=kind, details=details)


class Terminated(BaseException):
    """SIGTERM or SIGHUP, raised as an exception so that open files and processes are closed."""
