"""Render pages: templates with escaping that reject undefined names, and temporary storage of articles."""

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
    """The Jinja environment of the package."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("scholartools", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class Articles:
    """Stores the HTML of articles until the page, which starts with their number, is written.

    Beyond 16 MB a temporary file is used. Unpaired surrogates are written as "?", U+0000 as U+FFFD; carriage returns
    are preserved.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(  # closed by read
            2**24, mode="w+", encoding="utf-8", errors="replace", newline=""
        )
        self._lengths: list[int] = []

    @property
    def size(self) -> int:
        """Total number of characters."""
        return sum(self._lengths)

    def add(self, html: str) -> None:
        """Store an article."""
        kept = html.replace("\r", "&#13;").replace("\0", "\N{REPLACEMENT CHARACTER}")
        with in_temporary_folder():
            self._lengths.append(self._file.write(kept.encode(errors="replace").decode()))

    def read(self) -> Iterator[str]:
        """Yield the articles in order, once."""
        with self._file as file:
            file.seek(0)
            for length in self._lengths:
                yield file.read(length)
