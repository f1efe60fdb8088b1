"""Files that a service sends: written beside their name until they are whole, named by what they are."""

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
# Bytes that a file may have, packed or not: of what is more, nobody looks at the rest.
LARGEST_FILE = 2_000_000_000
# Bytes at the end of a PDF among which its last mark is.
_TAIL = 2048
# What the parts of a name by kind are; a file of another kind is not kept.
ENDINGS = {"tar.gz": "tar.gz", "gz": "gz", "pdf": "pdf", "zip": "zip", "xml": "xml", "postscript": "ps"}


class Facts(NamedTuple):
    """What is kept in the cache of a file; ``kind`` is one of :data:`ENDINGS`, or "html", "empty", "cut", "other"."""

    sha256: str
    size: int
    kind: str

    def dump(self) -> bytes:
        """As JSON."""
        return orjson.dumps(self._asdict())

    @classmethod
    def of(cls, body: bytes) -> Facts:
        """Of JSON.

        Raises:
            ValueError: it is something else.
        """
        found = orjson.loads(body)
        if not isinstance(found, dict) or set(found) != set(cls._fields):
            raise ValueError("the file's facts are missing")
        return cls(**found)


class Sink:
    """Takes the bytes of one file. ``NAME.part`` becomes ``NAME.ENDING`` by :meth:`name_it`."""

    def __init__(self, folder: Path, stem: str, kinds: Collection[str]) -> None:
        """For a file in a folder that is there; one that is none of the kinds is not kept."""
        self._kinds = kinds
        self._folder, self._stem = folder, stem
        self._part = Path(str(part_of(str(folder / stem))))
        self._whole = self._part
        self._file: IO[bytes] | None = None

    def open(self) -> None:
        """Begin anew; no other process writes the same file meanwhile.

        Raises:
            OutputFault: it cannot be written, or another process writes it now.
        """
        self.close()
        try:
            self._file = os.fdopen(claim_part(str(self._folder / self._stem), str(self._part)), "wb")
        except OSError as error:
            raise OutputFault(f"{self._part}: {error.strerror}") from None

    def write(self, data: bytes) -> None:
        """Take some bytes.

        Raises:
            OutputFault: they cannot be written.
        """
        assert self._file is not None
        try:
            self._file.write(data)
        except OSError as error:
            raise OutputFault(f"{self._part}: {error.strerror}") from None

    def finish(self, encoding: str) -> Facts:
        """What the file is, once all its bytes came; a coding for the way is taken off, one of its own is not.

        Of a source in an archive some servers say that it is *encoded* with gzip, whose bytes are the file all the
        same; of a PDF, an XML text or an archive within, that was for the way.
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
        """Let others write the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def discard(self) -> None:
        """Remove what is not kept; where the file is not open, another run may write it, and nothing is removed."""
        if self._file is None:
            return
        for path in {self._part, self._whole}:
            path.unlink(missing_ok=True)
        self.close()

    def path_of(self, facts: Facts) -> Path:
        """Where a file of some kind is put."""
        return self._folder / f"{self._stem}.{ENDINGS[facts.kind]}"

    def name_it(self, facts: Facts) -> None:
        """Give the file its name, in place of one of an earlier run; or remove it, if it is not of the kind."""
        if facts.kind not in self._kinds:
            self.discard()
            return
        path = self.path_of(facts)
        os.replace(self._whole, path)
        if self._whole != self._part:  # else another run may have begun its own by now
            self._part.unlink(missing_ok=True)
        self.close()

    def is_there(self, facts: Facts) -> bool:
        """Whether the file is in its place, with the same bytes, or is none that would be kept."""
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
            except (OSError, EOFError, zlib.error):  # what is cut off or a bomb stays packed, and is found to be so
                unpacked.unlink()
                return
            target.flush()
            os.fsync(target.fileno())
        self._whole = unpacked


def facts_of(path: Path) -> Facts:
    """What a file is, by its bytes."""
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
    """The first bytes of what is in a file of gzip; none where it is no such file."""
    try:
        with gzip.open(path) as file:
            head: Any = file.read(_BLOCK)
            return bytes(head)
    except (OSError, EOFError, zlib.error):
        return b""
