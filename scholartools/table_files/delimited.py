"""Read CSV and TSV: rows of cells; the delimiter is detected in the line of headings."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from scholartools.compression import LONGEST_LINE, bounded_lines
from scholartools.errors import InputFault
from scholartools.file_kinds import HEAD, marked_encoding, other_format

_DIVIDERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_SEP = re.compile(r"sep=(.)\s*", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_QUOTED = re.compile(r'"[^"]*"')
# Maximum number of lines of a multi-line heading.
_MOST_LINES = 100


class Delimited:
    """A file of rows with delimited cells.

    Attributes:
        divider: the delimiter.
    """

    def __init__(self, file: BinaryIO, name: str, divider: str | None = None, *, has_option: bool = False) -> None:
        """Read the headings and detect the delimiter.

        Args:
            file: open file that supports ``peek``.
            name: name of the file, for messages.
            divider: the delimiter; None: detect it in the headings.
            has_option: as in :func:`.file_kinds.other_format`.

        Raises:
            InputFault: the file is in another format, or the delimiter is ambiguous.
        """
        self._name, self._number = name, 0
        head: bytes = file.peek(HEAD)[:HEAD]  # type: ignore[attr-defined]
        self._lines = _lines(file, name, head, has_option)
        self._first = self._take_heading(divider)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Rows including the headings, each with its number from 1 as in a spreadsheet.

        Raises:
            InputFault: a quotation mark is not closed, or the text is not UTF-8; the message has the position.
        """
        csv.field_size_limit(LONGEST_LINE)
        reader = csv.reader(self._chained(), delimiter=self.divider, strict=True)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                is_open = "unexpected end of data" in str(error)
                told = "the quotation mark of a cell is not closed" if is_open else str(error)
                reason = f"no {'TSV' if self.divider == chr(9) else 'CSV'} from this line on: {told}"
                raise InputFault(f"{self._name}:{self._number + 1}: {reason}", kind="not-a-table") from None
            self._number += 1
            yield self._number, row

    def _chained(self) -> Iterator[str]:
        yield from self._first
        yield from self._lines

    def _take_heading(self, divider: str | None) -> list[str]:
        """Lines of the headings, after setting the delimiter; empty lines before them count as rows."""
        taken: list[str] = []
        for line in self._lines:
            if not taken and not line.strip():
                self._number += 1
            elif not taken and self._number == 0 and (told := _SEP.fullmatch(line)):
                divider, self._number = divider or told[1], 1
            else:
                taken.append(line)
                if sum(one.count('"') for one in taken) % 2 == 0 or len(taken) > _MOST_LINES:
                    break
        self.divider = divider or self._divider_of("".join(taken))
        return taken

    def _divider_of(self, heading: str) -> str:
        bare = _QUOTED.sub("", heading)
        found = [mark for mark in _DIVIDERS if mark in bare]
        where = f"{self._name}:{self._number + 1}"
        if len(found) > 1:
            several = " and ".join(_DIVIDERS[mark] for mark in found)
            reason = "put headings in quotation marks, or save the table with tabs as .tsv"
            raise InputFault(f"{where}: headings have {several} between them: {reason}", kind="not-a-table")
        if not found and "|" in bare:
            raise InputFault(f"{where}: the cells are separated by |: save the table with commas", kind="not-a-table")
        return found[0] if found else ","


def _lines(file: BinaryIO, name: str, head: bytes, has_option: bool) -> Iterator[str]:
    """Lines of the text, with line ends."""
    if (encoding := marked_encoding(head)) not in (None, "utf-8-sig"):
        return _decoded(bounded_lines(io.TextIOWrapper(file, encoding=encoding, newline=""), name), name, encoding)
    if b"\x00" in head.partition(b"\n")[0]:
        reason = "neither UTF-8 nor UTF-16 with a byte order mark: save it as UTF-8"
        raise InputFault(f"{name}: {reason}", kind="not-utf8")
    told = other_format(head, has_option)
    if told is not None and not told.startswith("a table"):
        raise InputFault(f"{name}: no table but {told}", kind="not-a-table")
    return _utf8_lines(file, name)


def _decoded(lines: Iterable[str], name: str, encoding: str) -> Iterator[str]:
    try:
        yield from lines
    except UnicodeError:
        raise InputFault(f"{name}: not {encoding.upper()} though it begins so", kind="not-utf8") from None


def _utf8_lines(file: BinaryIO, name: str) -> Iterator[str]:
    for number, raw in enumerate(bounded_lines(file, name), 1):
        try:
            line = (raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw).decode()
        except UnicodeDecodeError as error:
            reason = f"not UTF-8 at byte {error.start + 1} of line {number} (Latin-1 or Windows-1252?)"
            raise InputFault(f"{name}: {reason}: save it as UTF-8", kind="not-utf8") from None
        if "\r" in line.rstrip("\r\n"):
            yield from _LINE.findall(line)
        else:
            yield line
