"""Read the rows of a damaged cache file page by page: SQLite itself stops at the first error.

Everything read here must be verified. The layout is that of SQLite (sqlite.org/fileformat2.html).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

# Types of pages.
_TABLE_LEAF, _INDEX_LEAF, _INDEX_INTERIOR = 0x0D, 0x0A, 0x02
# Type of an unused page in the pointer map.
_FREE = 2
_USUAL_SIZE = 4096
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class Row(NamedTuple):
    """A row of a table; ``values`` is None if it cannot be read."""

    number: int
    values: list[Any] | None


class Pages:
    """Pages of a file, replaced by those in its write-ahead log."""

    def __init__(self, path: Path, log: Path, size: int) -> None:
        """Map the files into memory.

        Raises:
            OSError: the file cannot be read.
        """
        self.size = size
        self._data = _map_file(path)
        self._log = _map_file(log) if log.exists() else b""
        self._places = _log_places(self._log, size)
        self.count = max([-(-len(self._data) // size), *self._places])

    def page(self, number: int) -> bytes:
        """One page, numbered from 1; padded with zeros if the file is truncated."""
        if (place := self._places.get(number)) is not None:
            return self._log[place : place + self.size]
        return self._data[(number - 1) * self.size : number * self.size].ljust(self.size, b"\0")

    def missing(self) -> int:
        """Number of whole pages that are missing at the end of the file, according to its header."""
        first = self.page(1)
        whole = max([len(self._data) // self.size, *self._places])
        return max(0, _read_number(first[28:32]) - whole) if first.startswith(b"SQLite format 3\0") else 0

    def rows(self) -> Iterator[Row]:
        """Rows of all tables except those of SQLite itself."""
        for number in range(2, self.count + 1):
            page = self.page(number)
            if page[0] == _TABLE_LEAF and not self._is_free(number):
                for start in _cell_starts(page, 8):
                    yield self._read_row(page, start)

    def index_keys(self) -> Iterator[tuple[bytes, int]]:
        """Keys of 32 bytes and their row numbers, from the indexes of the tables."""
        for number in range(2, self.count + 1):
            page = self.page(number)
            if page[0] in (_INDEX_LEAF, _INDEX_INTERIOR) and not self._is_free(number):
                leaf = page[0] == _INDEX_LEAF
                for start in _cell_starts(page, 8 if leaf else 12):
                    values = self._read_record(page, start if leaf else start + 4)
                    if values and len(values) == 2 and isinstance(values[0], bytes) and len(values[0]) == 32:
                        yield values[0], values[1]

    def _is_free(self, number: int) -> bool:
        """Whether a page is free, according to the pointer map page of its group."""
        group = self.size // 5 + 1
        telling = (number - 2) // group * group + 2
        return number > telling and self.page(telling)[5 * (number - telling - 1)] == _FREE

    def _read_record(self, page: bytes, start: int) -> list[Any] | None:
        try:
            length, start = _read_varint(page, start)
            return _row_values(page[start : start + length]) if length < self.size // 4 else None
        except (IndexError, ValueError, struct.error):
            return None

    def _read_row(self, page: bytes, start: int) -> Row:
        number = 0
        try:
            length, start = _read_varint(page, start)
            number, start = _read_varint(page, start)
            return Row(number, _row_values(self._read_payload(page, start, length)))
        except (IndexError, ValueError, struct.error):
            return Row(number, None)

    def _read_payload(self, page: bytes, start: int, length: int) -> bytes:
        """Bytes of a row, on its page and on its overflow pages.

        Raises:
            ValueError: the row is truncated.
        """
        most, least = self.size - 35, (self.size - 12) * 32 // 255 - 23
        local = length
        if length > most:
            local = least + (length - least) % (self.size - 4)
            local = local if local <= most else least
        parts, left = [page[start : start + local]], length - local
        following = _read_number(page[start + local : start + local + 4]) if left else 0
        while left > 0:
            if not 1 < following <= self.count:
                raise ValueError("the row is cut off")
            page = self.page(following)
            parts.append(page[4 : 4 + left])
            left -= self.size - 4
            following = _read_number(page[:4])
        return b"".join(parts)


def open_pages(path: Path) -> Pages:
    """Pages of a file, read with the page size that yields more rows: the size in its header, which may be damaged, or
    the usual.

    Raises:
        OSError: the file cannot be read.
    """
    log = path.with_name(path.name + "-wal")
    with open(path, "rb") as file:
        told = int.from_bytes(file.read(18)[16:18], "big")
    sizes = {_USUAL_SIZE, *(size for size in (told, 65536 * (told == 1)) if size >= 512 and not size & (size - 1))}
    found = [Pages(path, log, size) for size in sorted(sizes)]
    return max(found, key=lambda pages: sum(row.values is not None for row in pages.rows())) if found[1:] else found[0]


def _map_file(path: Path) -> mmap.mmap | bytes:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""


def _log_places(log: mmap.mmap | bytes, size: int) -> dict[int, int]:
    """Offsets in a write-ahead log of the last committed version of each page."""
    places: dict[int, int] = {}
    waiting: dict[int, int] = {}
    for start in range(32, len(log) - size - 23, size + 24):
        if log[start + 8 : start + 16] != log[16:24]:  # left over from an earlier use of the log
            break
        waiting[_read_number(log[start : start + 4])] = start + 24
        if _read_number(log[start + 4 : start + 8]):  # end of a transaction
            places |= waiting
            waiting = {}
    return {number: place for number, place in places.items() if 0 < number < 2**31 - 1}


def _cell_starts(page: bytes, head: int) -> list[int]:
    """Offsets of the cells of a page; those outside the page are dropped."""
    count = int.from_bytes(page[3:5], "big")
    pointers = page[head : head + 2 * min(count, (len(page) - head) // 2)]
    return [start for (start,) in struct.iter_unpack(">H", pointers) if head <= start < len(page)]


def _row_values(record: bytes) -> list[Any]:
    """Values of a row.

    Raises:
        ValueError, IndexError: not a valid row.
    """
    end, place = _read_varint(record, 0)
    kinds, values = [], []
    while place < end:
        kind, place = _read_varint(record, place)
        kinds.append(kind)
    for kind in kinds:
        length = _value_length(kind)
        data = record[place : place + length]
        if len(data) < length:
            raise ValueError("the row is cut off")
        values.append(_read_value(kind, data))
        place += length
    return values


def _value_length(kind: int) -> int:
    if kind in (0, 8, 9):
        return 0
    if kind == 7:
        return 8
    return _INTEGER_BYTES[kind] if kind in _INTEGER_BYTES else max(0, kind - 12) // 2


def _read_value(kind: int, data: bytes) -> Any:
    if kind in _INTEGER_BYTES:
        return int.from_bytes(data, "big", signed=True)
    if kind == 7:
        return struct.unpack(">d", data)[0]
    if kind < 12:
        return {8: 0, 9: 1}.get(kind)
    return data.decode(errors="surrogateescape") if kind % 2 else data


def _read_varint(data: bytes, start: int) -> tuple[int, int]:
    """Decode a varint of one to nine bytes; return its value and the offset of its end."""
    value = 0
    for place in range(start, start + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[start + 8], start + 9


def _read_number(data: bytes) -> int:
    return int.from_bytes(data[:4], "big")
