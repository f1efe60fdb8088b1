"""Offsets in UTF-16 units, as Java, JavaScript and some libraries of R count, beside those in code points."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Any

from scholartools.errors import UsageFault
from scholartools.json_text import dumps, loads_exactly
from scholartools.records import Record, texts
from scholartools.table_files.formats import Column

_ENDS = ("start", "end")
_ENDING = "_utf16"


class Offsets:
    """Adds to rows the offsets of their spans in UTF-16 units.

    Attributes:
        columns: those of the table, behind each ``start`` and ``end`` one with the ending ``_utf16``. In a column of
            spans as JSON each span has both keys more.
        n_without: how many offsets have none, since the text that they are of is not in the record, or is shorter.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        """Find the offsets.

        Raises:
            UsageFault: the table has none.
        """
        self.columns: list[Column] = []
        self._added: list[tuple[int, str]] = []  # the column of an offset, and the column of the name of its text
        self._spans: list[int] = []
        self.n_without = 0
        headings = [column.heading for column in columns]
        for column in columns:
            self.columns.append(column)
            before, _, last = column.heading.rpartition(".")
            named = f"{before}.in" if before else "in" if "in" in headings else "review"
            if last in _ENDS and column.kind == "integer" and named in headings:
                note = f"{column.heading} in UTF-16 units"
                self._added.append((len(self.columns), named))
                self.columns.append(Column(column.heading + _ENDING, "integer", column.path, note))
            elif column.kind == "json" and last == "spans":
                self._spans.append(len(self.columns) - 1)
        if not self._added and not self._spans:
            raise UsageFault("the table has no offsets", parameter="utf16")
        self._places = {column.heading: place for place, column in enumerate(self.columns)}

    def fill(self, record: Record, rows: Sequence[list[Any]]) -> None:
        """Fill the columns that were added, which are None.

        Raises:
            InputFault: two texts of the record have one name.
        """
        if not rows:
            return
        beyond = {name: _beyond(text) for name, text in texts(record).items()}
        for row in rows:
            for place, named in self._added:
                name = row[self._places[named]]
                row[place] = self._counted(beyond, f"review:{name}" if named == "review" else name, row[place - 1])
            for place in self._spans:
                if row[place] is not None:
                    row[place] = dumps(self._with_both(beyond, loads_exactly(row[place].encode())[0])).decode()

    def _with_both(self, beyond: dict[str, tuple[int, list[int]]], spans: Any) -> Any:
        if not isinstance(spans, list):
            return spans
        return [
            {**span, **{f"{end}{_ENDING}": self._counted(beyond, span.get("in"), span.get(end)) for end in _ENDS}}
            if isinstance(span, dict)
            else span
            for span in spans
        ]

    def _counted(self, beyond: dict[str, tuple[int, list[int]]], name: Any, offset: Any) -> int | None:
        if offset is None:
            return None
        length, places = beyond.get(name, (-1, [])) if isinstance(name, str) else (-1, [])
        if not isinstance(offset, int) or not 0 <= offset <= length:
            self.n_without += 1
            return None
        return offset + bisect.bisect_left(places, offset)


def _beyond(text: str) -> tuple[int, list[int]]:
    """The length of a text, and the places of characters that take two units."""
    return len(text), [place for place, one in enumerate(text) if one > "\uffff"]
