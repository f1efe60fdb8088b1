"""Bundles as files: plain, or compressed with gzip or zstd; told apart by their first bytes, written by their name."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import IO, Protocol

import zstandard

from scholartools.errors import InputFault
from scholartools.io import Output

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# Bytes of a line of a bundle, at most: no reply and no prompt has so many, but a few bytes may unpack to more.
_LONGEST = 2**28
_ZSTD_LEVEL = 10


class _Packer(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


class PackedLines:
    """Writes lines to an output, compressed where its name ends in ``.gz`` or ``.zst``; always to the same bytes."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._packer = _packer_for(out.path or "")

    def write(self, line: bytes) -> None:
        """Write a line, given without its end."""
        if self._packer is None:
            self._out.write(line)
        else:
            self._out.write_bytes(self._packer.compress(line + b"\n"))

    def end(self) -> None:
        """Write what is still held back."""
        if self._packer is not None:
            self._out.write_bytes(self._packer.flush())


def _packer_for(path: str) -> _Packer | None:
    if path.endswith(".gz"):
        return zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)  # a header of gzip without name and time
    return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj() if path.endswith(".zst") else None


def iter_unpacked(file: IO[bytes], name: str) -> Iterator[bytes]:
    """The lines of a bundle, with their ends.

    Raises:
        InputFault: it is compressed and damaged, or a line is longer than any of a bundle.
    """
    import gzip
    import io

    buffered = io.BufferedReader(file)  # type: ignore[type-var]
    head = buffered.peek(4)[:4]
    lines: IO[bytes] = buffered
    if head.startswith(_GZIP):
        lines = gzip.open(buffered)  # type: ignore[assignment]
    elif head.startswith(_ZSTD):
        unpacked = zstandard.ZstdDecompressor().stream_reader(buffered, read_across_frames=True)
        lines = io.BufferedReader(unpacked)  # type: ignore[type-var]
    number = 0
    try:
        while line := lines.readline(_LONGEST + 1):
            number += 1
            if len(line) > _LONGEST:
                raise InputFault(f"{name}:{number}: longer than any line of a bundle", kind="bundle")
            yield line
    except (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile) as error:
        raise InputFault(f"{name}: compressed, and damaged after line {number}: {error}", kind="bundle") from None
    except OSError as error:
        raise InputFault(f"{name}: {error.strerror}", kind="unreadable") from None
