"""Downloaded files: written under a temporary name until complete, then named by type."""

from __future__ import annotations

import gzip
import hashlib
import os
import tarfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import IO, Any, NamedTuple

import orjson

from scholartools.errors import OutputFault
from scholartools.io import claim_part, part_of
from scholartools.web.faults import kind_of_file

_CHUNK = 1 << 20
_BLOCK = tarfile.BLOCKSIZE
# Maximum size of a file in bytes, compressed or not; the rest is not read.
LARGEST_FILE = 2_000_000_000
# Bytes at the end of a PDF that contain its end-of-file marker.
_TAIL = 2048
# File name suffixes by type; other types are not kept.
ENDINGS = {"tar.gz": "tar.gz", "gz": "gz", "pdf": "pdf", "zip": "zip", "xml": "xml", "postscript": "ps"}


class Facts(NamedTuple):
    """Facts about a file, stored in the cache; ``kind`` is a key of :data:`ENDINGS`, or "html", "empty", "cut" or
    "other".
    """

    sha256: str
    size: int
    kind: str

    def dump(self) -> bytes:
        """Encode as JSON."""
        return orjson.dumps(self._asdict())

    @classmethod
    def of(cls, body: bytes) -> Facts:
        """Decode from JSON.

        Raises:
            ValueError: the body is not the facts of a file.
        """
        found = orjson.loads(body)
        if not isinstance(found, dict) or set(found) != set(cls._fields):
            raise ValueError("the file's facts are missing")
        return cls(**found)


class Sink:
    """Destination of one downloaded file. ``NAME.part`` becomes ``NAME.SUFFIX`` by :meth:`name_it`."""

    def __init__(self, folder: Path, stem: str, kinds: Collection[str]) -> None:
        """For a file in an existing folder; a file of another kind is not kept."""
        self._kinds = kinds
        self._folder, self._stem = folder, stem
        self._part = Path(str(part_of(str(folder / stem))))
        self._whole = self._part
        self._file: IO[bytes] | None = None

    def open(self) -> None:
        """Start the file anew, locked against other processes.

        Raises:
            OutputFault: it cannot be written, or another process is writing it.
        """
        self.close()
        try:
            self._file = os.fdopen(claim_part(str(self._folder / self._stem), str(self._part)), "wb")
        except OSError as error:
            raise OutputFault(f"{self._part}: {error.strerror}") from None

    def write(self, data: bytes) -> None:
        """Write bytes.

        Raises:
            OutputFault: writing failed.
        """
        assert self._file is not None
        try:
            self._file.write(data)
        except OSError as error:
            raise OutputFault(f"{self._part}: {error.strerror}") from None

    def finish(self, encoding: str) -> Facts:
        """Facts about the complete file; a transfer encoding is decoded, the file's own compression is not.

        Some servers declare the encoding gzip for source archives, which are gzip files themselves; a PDF, XML text or
        archive inside means that gzip was a transfer encoding.
        """
        assert self._file is not None
        self._file.flush()
        os.fsync(self._file.fileno())
        self._whole = self._part
        within = _head_within(self._part) if encoding.endswith("gzip") else b""
        if within.startswith(b"<") or kind_of_file(within) is not None:
            self._unpack()
        return facts_of(self._whole)

    def close(self) -> None:
        """Close the file, so that others can write it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def discard(self) -> None:
        """Remove the partial file, only if it is open: otherwise another run may be writing it."""
        if self._file is None:
            return
        for path in {self._part, self._whole}:
            path.unlink(missing_ok=True)
        self.close()

    def path_of(self, facts: Facts) -> Path:
        """Path of a file by its type."""
        return self._folder / f"{self._stem}.{ENDINGS[facts.kind]}"

    def name_it(self, facts: Facts) -> None:
        """Give the file its final name, replacing that of an earlier run; remove it if it is of another kind."""
        if facts.kind not in self._kinds:
            self.discard()
            return
        path = self.path_of(facts)
        os.replace(self._whole, path)
        if self._whole != self._part:  # else another run may have started its own part file
            self._part.unlink(missing_ok=True)
        self.close()

    def is_there(self, facts: Facts) -> bool:
        """Whether the file is in place with the same bytes, or is of a kind that is not kept."""
        if facts.kind not in self._kinds:
            return True
        path = self.path_of(facts)
        return path.is_file() and facts_of(path) == facts

    def _unpack(self) -> None:
        unpacked = self._part.with_name(self._part.name + ".unpacked")
        with gzip.open(self._part) as source, open(unpacked, "wb") as target:
            try:
                while data := source.read(_CHUNK):
                    target.write(data)
                    if target.tell() > LARGEST_FILE:
                        raise EOFError
            except (OSError, EOFError, zlib.error):  # facts_of rejects the compressed file
                unpacked.unlink()
                return
            target.flush()
            os.fsync(target.fileno())
        self._whole = unpacked


def facts_of(path: Path) -> Facts:
    """Facts about a file from its contents."""
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while data := file.read(_CHUNK):
            digest.update(data)
            size += len(data)
    return Facts(digest.hexdigest(), size, _kind_of(path, size))


def _kind_of(path: Path, size: int) -> str:
    with open(path, "rb") as file:
        head = file.read(_BLOCK)
        file.seek(max(0, size - _TAIL))
        tail = file.read()
    if not head.strip():
        return "empty"
    kind = kind_of_file(head)
    if kind == "gzip":
        return _kind_of_gzip(path)
    if kind == "pdf":
        return "pdf" if b"%%EOF" in tail else "cut"
    if kind == "zip":
        return "zip" if b"PK\x05\x06" in tail else "cut"
    if kind is None and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return "xml" if tail.rstrip().endswith(b">") else "cut"
    return kind or "other"


def _kind_of_gzip(path: Path) -> str:
    try:
        with gzip.open(path) as file:
            head = file.read(_BLOCK)
            while file.read(_CHUNK):
                if file.tell() > LARGEST_FILE:
                    return "other"
    except (OSError, EOFError, zlib.error):
        return "cut"
    try:
        tarfile.TarInfo.frombuf(head, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return "gz" if head.strip() else "empty"
    return "tar.gz"


def _head_within(path: Path) -> bytes:
    """First bytes of the contents of a gzip file; empty for other files."""
    try:
        with gzip.open(path) as file:
            head: Any = file.read(_BLOCK)
            return bytes(head)
    except (OSError, EOFError, zlib.error):
        return b""
