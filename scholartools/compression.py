"""Compressed files (gzip, zstd): detected by their first bytes when read, by their names when written."""

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
#: Upper bound on the length of an uncompressed line, in bytes: decoding it takes about six times as much memory.
LONGEST_LINE = 250_000_000
_FED = 1 << 10  # bytes of zstd decompressed at once: each may expand to about 32,000


class Packer(Protocol):
    """Incremental compressor."""

    def compress(self, data: bytes, /) -> bytes:
        """Compress the data; return the compressed bytes that are ready."""

    def flush(self, mode: int = ..., /) -> bytes:
        """Return the remaining compressed bytes; with a flush mode of the library, those of all data so far."""


def packer_for(path: str) -> tuple[Packer, int] | None:
    """Compressor for a file of this name and its flush mode, or None. The output is deterministic."""
    ending = os.path.splitext(path)[1].lower()
    if ending == ".gz":
        return zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS), zlib.Z_SYNC_FLUSH  # reproducible
    if ending == ".zst":
        import zstandard

        return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj(), zstandard.COMPRESSOBJ_FLUSH_BLOCK
    return None


def without_ending(path: str) -> str:
    """File name without the suffix of a compression format."""
    bare, ending = os.path.splitext(path)
    return bare if ending.lower() in (".gz", ".zst") else path


def unpacked(file: BinaryIO) -> BinaryIO:
    """Decompressed contents of a file, or the file itself if it is not compressed; both support ``peek``.

    A damaged file raises OSError, EOFError or zlib.error on reading.
    """
    head = file.peek(4)[:4]  # type: ignore[attr-defined]
    if head.startswith(_GZIP):
        import gzip

        return gzip.open(file, "rb")  # type: ignore[return-value]
    return io.BufferedReader(_Zstd(file), _CHUNK) if head.startswith(_ZSTD) else file


def bounded_lines(file: IO[AnyStr], name: str) -> Iterator[AnyStr]:
    """Iterate over the lines of a file, with their line ends; in a text file the bound is in characters.

    Raises:
        InputFault: a line is too long for memory (a few kilobytes may decompress to such a line).
    """
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            refuse_longer(line, f"{name}:{number}")
        yield line


def refuse_longer(line: bytes | str, place: str) -> None:
    """Raise InputFault if a line is longer than :data:`LONGEST_LINE`."""
    if len(line) > LONGEST_LINE:
        bound = f"{LONGEST_LINE // 10**6} {'MB' if isinstance(line, bytes) else 'million characters'}"
        reason = f"a line of more than {bound}, the most that is read of one record"
        raise InputFault(f"{place}: {reason}", kind="too-long")


class _Zstd(io.RawIOBase):
    """Decompressed bytes of all frames of a zstd file; unlike the reader of zstandard it rejects a truncated frame."""

    def __init__(self, file: BinaryIO) -> None:
        import zstandard

        self._error, self._new = zstandard.ZstdError, zstandard.ZstdDecompressor
        self._file, self._waiting = file, b""
        self._frame: Any = None
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read decompressed bytes into the buffer."""
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
