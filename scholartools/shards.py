"""Split the input among several machines: every line is in exactly one part."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from scholartools.compression import LONGEST_LINE, refuse_longer
from scholartools.errors import InputFault, UsageFault

_CHUNK = 1 << 20  # bytes read at once to find the end of a line


class Shard(NamedTuple):
    """Part ``number`` (from 1) of ``total`` parts of about equal size."""

    number: int
    total: int

    @classmethod
    def of(cls, text: str) -> Shard:
        """Parse a part such as "2/7".

        Raises:
            UsageFault: the text is not a valid part.
        """
        number, slash, total = text.partition("/")
        if slash and all(one.isascii() and one.isdigit() and len(one) < 10 for one in (number, total)):
            shard = cls(int(number), int(total))
            if 1 <= shard.number <= shard.total:
                return shard
        raise UsageFault(f'"{text}" is not a part I/N with I from 1 to N', parameter="shard")

    def bounds(self, size: int) -> tuple[int, int]:
        """Start and end of the part in ``size`` bytes (or files)."""
        return size * (self.number - 1) // self.total, size * self.number // self.total


class Piece(NamedTuple):
    """Share of a part in one file: the lines that begin in bytes ``start`` (inclusive) to ``end`` (exclusive)."""

    path: str
    start: int
    end: int


def pieces_of(paths: Sequence[str], shard: Shard) -> Iterator[Piece]:
    """Pieces of the files that belong to a part; the files count as one text in the given order.

    Files without a share are skipped. After the last piece, the sizes of the files are checked again.

    Raises:
        InputFault: a file cannot be accessed.
        UsageFault: a file is a pipe, or its size changed, so that other parts would be cut at other places.
    """
    sizes = [_size_of(path) for path in paths]
    start, end = shard.bounds(sum(sizes))
    before = 0
    for path, size in zip(paths, sizes):
        if before < end and before + size > start:
            yield Piece(path, max(start - before, 0), min(end - before, size))
        before += size
    for path, size in zip(paths, sizes):
        if _size_of(path) != size:
            raise UsageFault(f"{path} changed its size while it was read: its parts would not fit together")


def lines_from(file: BinaryIO, piece: Piece) -> Iterator[tuple[int, bytes]]:
    """Iterate over the lines of a piece, each with its byte offset in the file.

    Raises:
        InputFault: a line is too long for memory.
    """
    position = piece.start
    if position:
        file.seek(position - 1)
        position += _skip_line(file, piece.end - piece.start + 1) - 1
    while position < piece.end:
        raw = file.readline(LONGEST_LINE + 1)
        if not raw:
            return
        refuse_longer(raw, f"{piece.path}:byte {position + 1}")
        yield position, raw
        position += len(raw)


def _skip_line(file: BinaryIO, most: int) -> int:
    """Skip to the end of the line or at least ``most`` bytes; return the number of bytes read."""
    skipped = 0
    while skipped < most:
        raw = file.readline(_CHUNK)
        skipped += len(raw)
        if not raw or raw.endswith(b"\n"):
            break
    return skipped


def _size_of(path: str) -> int:
    """Size of a regular file in bytes.

    Raises:
        InputFault: the file cannot be accessed.
        UsageFault: it is a pipe or a device, which cannot be split.
    """
    try:
        status = os.stat(path)
    except OSError as error:
        raise InputFault(f"{path}: {error.strerror}", kind="unreadable") from None
    if not stat.S_ISREG(status.st_mode):
        raise UsageFault(
            f"{path} is not a regular file, so it cannot be split; GNU parallel can split pipes",
            parameter="shard",
        )
    return status.st_size
