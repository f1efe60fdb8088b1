"""The lines of bundles, which may be compressed with gzip or zstd."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

from scholartools.compression import unpacked
from scholartools.errors import InputFault

# Bytes of a line of a bundle, at most: no reply and no prompt has so many, but a few bytes may unpack to more.
_LONGEST = 2**28


def iter_unpacked(file: BinaryIO, name: str) -> Iterator[bytes]:
    """The lines of a bundle, with their ends; the file can be peeked into.

    Raises:
        InputFault: it is compressed and damaged, or a line is longer than any of a bundle.
    """
    number = 0
    try:
        lines = unpacked(file)
        while line := lines.readline(_LONGEST + 1):
            number += 1
            if len(line) > _LONGEST:
                raise InputFault(f"{name}:{number}: longer than any line of a bundle", kind="bundle")
            yield line
    except (EOFError, zlib.error, OSError) as error:
        if reason := getattr(error, "strerror", None):
            raise InputFault(f"{name}: {reason}", kind="unreadable") from None
        raise InputFault(f"{name}: compressed, and damaged after line {number}: {error}", kind="bundle") from None
