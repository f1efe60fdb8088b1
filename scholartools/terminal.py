"""What a person is shown: foreign characters that would steer a terminal are spelled out."""

from __future__ import annotations

import re
from typing import Any

#: Characters that end a line, steer a terminal or turn the direction of writing.
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_IN_TEXT = re.compile(rf"(?![\n\t]){CONTROLS.pattern}")


def printable(text: str) -> str:
    """The text with such characters spelled as Python and JSON do (``\\u001b``); ends of lines and tabs stay."""
    return _IN_TEXT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class Messages:
    """A text stream for messages: each is a line, in which nothing foreign stands as it is.

    What is written at once is one message or a part of one; an end of a line within it is foreign, and spelled out,
    too. Carriage returns at both ends are ours: progress is drawn with them. In all else it is the stream it holds.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write the text so; returns its length, as streams do."""
        end = text[len(text.rstrip("\r\n")) :]
        rest = text.removesuffix(end)
        inner = rest.lstrip("\r")
        self.stream.write(rest.removesuffix(inner) + printable(inner).replace("\n", "\\n") + end)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)
