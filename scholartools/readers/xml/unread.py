"""Count the words in tables and other content of floats that are left out of the record, for a warning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from scholartools.readers.common.ids import new_warning
from scholartools.readers.xml.writer import Action, Writer, action_table, keep_apart, write_block

_QUOTED = 8  # number of words quoted in the warning


class UnreadFloats:
    """Counts the words of figures and tables other than captions and notes.

    Attributes:
        lost: counts of content that cannot be written as text, by description.
    """

    def __init__(self, actions: Mapping[str, Action], *, cells: str, notes: str, caption: str = "") -> None:
        """
        Args:
            actions: actions of the format's elements.
            cells: element names of table cells, separated by spaces.
            notes: element names of notes, which are kept apart.
            caption: element name of the caption within a table.
        """
        self.lost: Counter[str] = Counter()
        self._actions = {**actions, **action_table((write_block, f"table {cells}"), (keep_apart, notes))}
        self._caption = caption
        self._cells = frozenset(cells.split())
        self._in_tables: list[str] = []
        self._beside: list[str] = []
        self._tables = self._n_cells = 0

    def add_table(self, table: Element) -> list[Element]:
        """Count the words of a table, and return its notes."""
        words, notes = self._words_of(one for one in table if one.tag != self._caption)
        if words:
            self._tables += 1
            self._n_cells += sum(1 for one in table.iter() if one.tag in self._cells)
        self._in_tables += words
        return notes

    def add_beside(self, parts: Iterable[Element]) -> list[Element]:
        """Count the words of parts of a float other than caption, notes and tables, and return the notes in them."""
        words, notes = self._words_of(parts)
        self._beside += words
        return notes

    def warnings(self) -> list[dict[str, Any]]:
        """One warning with the counts and the first words; none if there are no words."""
        found = []
        if self._in_tables:
            cells, tables = _count(self._n_cells, "cell"), _count(self._tables, "table")
            found.append(f"{_count(len(self._in_tables), 'word')} in {cells} of {tables}")
        if self._beside:
            found.append(f"{_count(len(self._beside), 'word')} beside captions")
        first = " ".join([*self._in_tables, *self._beside][:_QUOTED])
        text = f'not in the record: {" and ".join(found)}: "{first} ..."'
        return [new_warning("left-out", text)] if found else []

    def _words_of(self, parts: Iterable[Element]) -> tuple[list[str], list[Element]]:
        """The printed words of elements, and the elements kept apart from them."""
        writer = Writer(self._actions)
        for part in parts:
            writer.element(part)
        self.lost += writer.lost
        return writer.prose.text.split(), writer.apart


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'s' * (number != 1)}"
