"""Output to terminals: control characters from foreign texts are escaped."""

from __future__ import annotations

import os
import re
from typing import Any

#: Characters that end a line, control a terminal or change the writing direction. A string, since compiling it takes a
#: hundredth of the time of ``--help``.
CONTROLS = r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
_IN_TEXT = rf"(?![\n\t]){CONTROLS}"


def printable(text: str) -> str:
    """Escape such characters as in Python and JSON (``\\u001b``), except line feeds and tabs."""
    return re.sub(_IN_TEXT, lambda found: f"\\u{ord(found[0]):04x}", text)


def discard_output(descriptor: int) -> None:
    """Redirect a file descriptor to the null device."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


class Messages:
    """Text stream for messages of one line each, in which foreign control characters are escaped.

    Each write is one message or a part of one; line feeds within it are foreign and escaped, too. Carriage returns at
    both ends are kept, since they draw the progress line. All other attributes are those of the wrapped stream.

    If a message cannot be written (full disk, closed pipe), it and all later ones are dropped; the records and the exit
    status of the command do not change.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write the escaped text; return the length of the text."""
        end = text[len(text.rstrip("\r\n")) :]
        rest = text.removesuffix(end)
        inner = rest.lstrip("\r")
        try:
            self.stream.write(rest.removesuffix(inner) + printable(inner).replace("\n", "\\n") + end)
        except OSError:
            self._silence()
        return len(text)

    def flush(self) -> None:
        """Flush the wrapped stream."""
        try:
            self.stream.flush()
        except OSError:
            self._silence()

    def _silence(self) -> None:
        """Discard buffered and later messages; otherwise the flush at the exit of Python would fail as well."""
        discard_output(self.stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)
