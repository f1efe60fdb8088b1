"""What a person is shown: foreign characters that would steer a terminal are spelled out."""

from __future__ import annotations

import os
import re
from typing import Any

#: Characters that end a line, steer a terminal or turn the direction of writing. Compiled when first searched for: that
#: takes a hundredth of the time of ``--help``.
CONTROLS = r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
_IN_TEXT = rf"(?![\n\t]){CONTROLS}"


def printable(text: str) -> str:
    """The text with such characters spelled as Python and JSON do (``\\u001b``); ends of lines and tabs stay."""
    return re.sub(_IN_TEXT, lambda found: f"\\u{ord(found[0]):04x}", text)


def discard_output(descriptor: int) -> None:
    """Send to nowhere what is written to a descriptor from now on."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


class Messages:
    """A text stream for messages: each is a line, in which nothing foreign is left as it is.

    What is written at once is one message or a part of one; an end of a line within it is foreign, and spelled out,
    too. Carriage returns at both ends are ours: progress is drawn with them. In all else it is the stream it holds.

    A message that cannot be written (a full disk, a reader that ended) is lost with all later ones, and nothing else
    is: the records that the command writes, and its exit status, are the same.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write the text so; returns its length, as streams do."""
        end = text[len(text.rstrip("\r\n")) :]
        rest = text.removesuffix(end)
        inner = rest.lstrip("\r")
        try:
            self.stream.write(rest.removesuffix(inner) + printable(inner).replace("\n", "\\n") + end)
        except OSError:
            self._silence()
        return len(text)

    def flush(self) -> None:
        """Write what is buffered."""
        try:
            self.stream.flush()
        except OSError:
            self._silence()

    def _silence(self) -> None:
        """Send to nowhere what is still buffered and what follows; Python's end would fail for it as well."""
        discard_output(self.stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)
