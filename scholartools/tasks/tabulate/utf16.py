"""Add offsets in UTF-16 units, as used by Java, JavaScript and some R libraries, to those in code points."""

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
    """Adds the UTF-16 offsets of spans to rows.

    Attributes:
        columns: columns of the table, with a column of suffix ``_utf16`` after each ``start`` and ``end``; JSON spans
            get both keys.
        n_without: number of offsets that cannot be converted, because the text is missing or too short.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        """Find the columns with offsets.

        Raises:
            UsageFault: the table has none.
        """
        self.columns: list[Column] = []
        self._added: list[tuple[int, str]] = []  # columns of an offset and of the name of its text
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
        """Fill the added columns, which are None.

        Raises:
            InputFault: two texts of the record have the same name.
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
    """Length of a text, and positions of characters that take two units."""
    return len(text), [place for place, one in enumerate(text) if one > "\uffff"]
