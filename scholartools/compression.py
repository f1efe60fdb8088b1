"""Compressed files, with gzip or zstd: read by their first bytes, written by their names."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator
from typing import IO, Any, AnyStr, BinaryIO, Protocol

from scholartools.errors import InputFault

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_GZIP_LEVEL, _ZSTD_LEVEL = 6, 10
_CHUNK = 1 << 16
#: Bytes of a line at most, as it is unpacked: reading it takes some six times as many.
LONGEST_LINE = 250_000_000
_FED = 1 << 10  # bytes of zstd at once, of which each may become some 32,000


class Packer(Protocol):
    """What compresses bytes that are given one after the other."""

    def compress(self, data: bytes, /) -> bytes:
        """What is ready of all that was given so far."""

    def flush(self, mode: int = ..., /) -> bytes:
        """What is left, at the end; or, by a mode of the library, all that was given so far."""


def packer_for(path: str) -> tuple[Packer, int] | None:
    """What compresses a file of this name, always to the same bytes, and the mode by which it gives all it has."""
    ending = os.path.splitext(path)[1].lower()
    if ending == ".gz":
        return zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS), zlib.Z_SYNC_FLUSH  # no name, no time
    if ending == ".zst":
        import zstandard

        return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj(), zstandard.COMPRESSOBJ_FLUSH_BLOCK
    return None


def without_ending(path: str) -> str:
    """A name without the ending that says that the file is compressed."""
    bare, ending = os.path.splitext(path)
    return bare if ending.lower() in (".gz", ".zst") else path


def unpacked(file: BinaryIO) -> BinaryIO:
    """What is in a file that may be compressed; both can be peeked into. Damage: OSError, EOFError or zlib.error."""
    head = file.peek(4)[:4]  # type: ignore[attr-defined]
    if head.startswith(_GZIP):
        import gzip

        return gzip.open(file, "rb")  # type: ignore[return-value]
    return io.BufferedReader(_Zstd(file), _CHUNK) if head.startswith(_ZSTD) else file


def bounded_lines(file: IO[AnyStr], name: str) -> Iterator[AnyStr]:
    """The lines of a file with their ends; in a file of text the bound is of characters.

    Raises:
        InputFault: one is so long that its record would take all memory, as some kilobytes may unpack to.
    """
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            refuse_longer(line, f"{name}:{number}")
        yield line


def refuse_longer(line: bytes | str, place: str) -> None:
    """Raise InputFault where a line is longer than any that is read."""
    if len(line) > LONGEST_LINE:
        bound = f"{LONGEST_LINE // 10**6} {'MB' if isinstance(line, bytes) else 'million characters'}"
        reason = f"a line of more than {bound}, the most that is read of one record"
        raise InputFault(f"{place}: {reason}", kind="too-long")


class _Zstd(io.RawIOBase):
    """The bytes in a file of zstd, all frames of it; unlike the library's reader it refuses a frame that is cut."""

    def __init__(self, file: BinaryIO) -> None:
        import zstandard

        self._error, self._new = zstandard.ZstdError, zstandard.ZstdDecompressor
        self._file, self._waiting = file, b""
        self._frame: Any = None
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what is there."""
        while not self._rest:
            data = self._waiting or self._file.read(_FED)
            if not data and self._frame is not None:
                raise EOFError("Compressed file ended before the end of a frame was reached")
            if not data:
                return 0
            self._feed(data)
        n = min(len(buffer), len(self._rest))
        buffer[:n], self._rest = self._rest[:n], self._rest[n:]
        return n

    def _feed(self, data: bytes) -> None:
        frame = self._frame = self._frame or self._new().decompressobj()
        try:
            self._rest = memoryview(frame.decompress(data))
        except self._error as error:
            raise OSError(str(error)) from None
        self._waiting = frame.unused_data if frame.eof else b""
        self._frame = None if frame.eof else frame
