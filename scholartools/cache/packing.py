"""Read the lines of bundles, which may be compressed with gzip or zstd."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

from scholartools.compression import unpacked
from scholartools.errors import InputFault

# Upper bound on the length of a line in bytes, against decompression bombs; longer than any prompt or reply.
_LONGEST = 2**28


def iter_unpacked(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Lines of a bundle, with their line ends; the file must support ``peek``.

    Raises:
        InputFault: the compressed file is damaged, or a line is too long.
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
