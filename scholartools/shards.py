"""A part of the input for one of several machines: every line is in exactly one part."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from scholartools.compression import LONGEST_LINE, refuse_longer
from scholartools.errors import InputFault, UsageFault

_CHUNK = 1 << 20  # bytes that are searched for the end of a line at once


class Shard(NamedTuple):
    """The part ``number``, from 1, of ``total`` parts of about one size."""

    number: int
    total: int

    @classmethod
    def of(cls, text: str) -> Shard:
        """The part that a text names: "2/7".

        Raises:
            UsageFault: it names none.
        """
        number, slash, total = text.partition("/")
        if slash and all(one.isascii() and one.isdigit() and len(one) < 10 for one in (number, total)):
            shard = cls(int(number), int(total))
            if 1 <= shard.number <= shard.total:
                return shard
        raise UsageFault(f'"{text}" is not a part I/N with I from 1 to N', parameter="shard")

    def bounds(self, size: int) -> tuple[int, int]:
        """Where the part of so many bytes (or files) begins, and where the next one does."""
        return size * (self.number - 1) // self.total, size * self.number // self.total


class Piece(NamedTuple):
    """What a part has of one file: the lines that begin from byte ``start`` on, and before byte ``end``."""

    path: str
    start: int
    end: int


def pieces_of(paths: Sequence[str], shard: Shard) -> Iterator[Piece]:
    """What a part has of files, which are taken for one long text in the order given.

    Files that have nothing of it are left out. When all pieces are taken, the files are looked at again.

    Raises:
        InputFault: a file cannot be looked at.
        UsageFault: one is a pipe, or its size changed, so that other parts are cut at other places.
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
    """The lines of a piece, each with the byte of the file at which it begins.

    Raises:
        InputFault: one is so long that its record would take all memory.
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
    """Read to the end of the line, at least ``most`` bytes where it does not end before; returns the bytes read."""
    skipped = 0
    while skipped < most:
        raw = file.readline(_CHUNK)
        skipped += len(raw)
        if not raw or raw.endswith(b"\n"):
            break
    return skipped


def _size_of(path: str) -> int:
    """The bytes of a file.

    Raises:
        InputFault: it cannot be looked at.
        UsageFault: it is a pipe or a device, of which there is no part.
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
