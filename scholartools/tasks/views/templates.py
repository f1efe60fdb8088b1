"""What renders pages: templates that escape everything and know no undefined name; articles that wait for a page."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scholartools.scratch import in_temporary_folder

if TYPE_CHECKING:
    from jinja2 import Environment


@functools.cache
def environment() -> Environment:
    """The templates of the package."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("scholartools", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class Articles:
    """The HTML of articles until their page is written, which says at its beginning how many they are.

    Memory does not grow with them: what is longer than 16 MB waits in a temporary file. Half of a surrogate pair is
    written as "?", U+0000 as U+FFFD; a carriage return stays one.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(  # closed by read
            2**24, mode="w+", encoding="utf-8", errors="replace", newline=""
        )
        self._lengths: list[int] = []

    @property
    def size(self) -> int:
        """How many characters they have."""
        return sum(self._lengths)

    def add(self, html: str) -> None:
        """Keep one."""
        kept = html.replace("\r", "&#13;").replace("\0", "\N{REPLACEMENT CHARACTER}")
        with in_temporary_folder():
            self._lengths.append(self._file.write(kept.encode(errors="replace").decode()))

    def read(self) -> Iterator[str]:
        """Each of them, in their order, once."""
        with self._file as file:
            file.seek(0)
            for length in self._lengths:
                yield file.read(length)
