"""Human scores of texts, from a path of the records or a file, and unmatched names in the file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scholartools import io
from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.agreement.scales import parse_number
from scholartools.parameters import parameter
from scholartools.paths import ABSENT, as_json, keys_of, lookup
from scholartools.records import Record
from scholartools.schemas.criteria import Criteria
from scholartools.table_files.reading import Reading
from scholartools.tasks.shared.blanks import is_blank
from scholartools.tasks.shared.text_names import TextName
from scholartools.wording import count_of

# Maximum number of names in a note.
_MOST_NAMES = 5


@dataclass(frozen=True)
class Truth:
    """Location of human scores.

    Attributes:
        path: path of an object of scores by aspect, in the item or else in the record; None if there is none.
        table: scores by aspect from a file, by "PAPER/SYSTEM/ITEM" or "PAPER/ITEM"; an invalid cell holds a fault,
            which is raised if its column is an aspect.
        scales: minimum and maximum human score of each aspect, if criteria define them.
    """

    path: str | None = None
    table: Mapping[str, Mapping[str, float | None | UsageFault]] = field(default_factory=dict)
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    _texts: dict[str, TextName] = field(default_factory=dict)
    _aspects: set[str] = field(default_factory=set)
    _blank: Counter[str] = field(default_factory=Counter)
    _blank_texts: set[tuple[TextName, str]] = field(default_factory=set)
    _columns: dict[str, None] = field(default_factory=dict)  # columns with numbers at the path, which may be aspects
    _absent: dict[bool, str] = field(default_factory=dict)  # whether the path exists, with the text of a note

    def score(
        self, record: Record, item: Record, name: TextName, texts: Sequence[TextName], aspect: str
    ) -> float | None:
        """Human score of a text for an aspect; None if there is none.

        Args:
            record: record of the text.
            item: the object with the text.
            name: name of the text.
            texts: the names of all texts of the record.
            aspect: rated aspect.

        Raises:
            InputFault: the value is no score on the human scale, or may belong to several texts.
            UsageFault: a cell of the file is not a score.
        """
        self._aspects.add(aspect)
        scores = self._row_of(name, texts) if self.path is None else self._scores_at_path(record, item, texts)
        if is_blank(scores):
            self._blank_texts.update({(name, aspect)} if scores is not None else ())
            return None
        if not isinstance(scores, Mapping):
            raise InputFault(f'"{self.path}" is no object of scores by aspect', kind="invalid-key")
        if self.path is not None:
            self._columns.update(dict.fromkeys(one for one, score in scores.items() if _number_of(score) is not None))
        found = scores.get(aspect)
        if isinstance(found, UsageFault):
            raise found
        if is_blank(found):
            self._blank_texts.update({(name, aspect)} if found is not None else ())
            return None
        return self.check(found, aspect)

    def check(self, score: Any, aspect: str) -> float | None:
        """Parse a score; blank text ("", NA) is missing, and counted.

        Raises:
            InputFault: it is not a number on the human scale.
        """
        if is_blank(score):
            self._blank[aspect] += score is not None
            return None
        number = _number_of(score)
        if number is None:
            raise InputFault(f'people\'s score {score!r} of "{aspect}" is not a number', kind="invalid-key")
        low, high = self.scales.get(aspect, (-math.inf, math.inf))
        if not low <= number <= high:
            raise InputFault(
                f'people\'s score {number:g} of "{aspect}" is not on {low:g} to {high:g}', kind="invalid-key"
            )
        return int(number) if number.is_integer() else number

    def normal(self, score: float | None, aspect: str) -> float | None:
        """Score scaled to 0..1 by the human scale; None without a score or a scale."""
        if score is None or aspect not in self.scales:
            return None
        low, high = self.scales[aspect]
        return (score - low) / (high - low)

    def notes(self) -> Iterator[str]:
        """Notes on blank cells, and on names and numeric columns of the file that match no text or aspect."""
        if n := len(self._blank_texts) + sum(self._blank[aspect] for aspect in self._aspects):
            yield f"{n} {'score' if n == 1 else 'scores'} by people {'is' if n == 1 else 'are'} blank, and missing"
        if lost := [name for name in self.table if name not in self._texts]:
            names = f"{count_of(len(lost), 'name')} in the file of people's scores"
            yield f"{names} {'belongs' if len(lost) == 1 else 'belong'} to no rated text: {_show_names(lost)}"
        columns = self._columns | {
            aspect: None
            for scores in self.table.values()
            for aspect, score in scores.items()
            if isinstance(score, (int, float))
        }
        if False in self._absent and True not in self._absent:
            named = f'"{self.path}" ({parameter("truth")}; a file of scores needs {parameter("key")})'
            yield f"no rated text or record has {named}: {self._absent[False]}"
        if unknown := [aspect for aspect in columns if aspect not in self._aspects]:
            of = "in the file of people's scores" if self.path is None else f'in people\'s scores at "{self.path}"'
            aspects = f"{count_of(len(unknown), 'aspect')} {of}"
            yield f"{aspects} {'has' if len(unknown) == 1 else 'have'} no rating: {_show_names(unknown)}"

    def _row_of(self, name: TextName, texts: Sequence[TextName]) -> Mapping[str, float | None | UsageFault] | None:
        """Scores of a text in the file; "PAPER/ITEM" must be unambiguous."""
        named = [one for one in (name.long(), name.short()) if one in self.table]
        if not named:
            return None
        if len(named) > 1:
            self._texts.update(dict.fromkeys(named, name))
            both = " and ".join(f'"{one}"' for one in named)
            reason = f"the file of {parameter('truth')} has scores for {both}, which are the same text: delete one"
            raise InputFault(reason, kind="duplicate")
        written = named[0]
        same = {name, *(one for one in texts if written == one.short() or written == one.long())}
        same.add(self._texts.setdefault(written, name))
        if len(same) > 1:
            of = ", ".join(f'"{one.item}" of "{one.system}" of "{one.paper}"' for one in sorted(same))
            reason = f'"{written}" in the file of {parameter("truth")} may be any of {of}'
            raise InputFault(f"{reason}: give PAPER/SYSTEM/ITEM at {parameter('key')}", kind="ambiguous-name")
        return self.table[written]

    def _scores_at_path(self, record: Record, item: Record, texts: Sequence[TextName]) -> Any:
        if self.path is None:
            return None
        found = lookup(item, self.path)
        is_of_item = found is not ABSENT
        found = found if is_of_item else lookup(record, self.path)
        if found is ABSENT:
            of_text = ", ".join(map(as_json, [*item][:_MOST_NAMES]))
            self._absent.setdefault(False, f"{keys_of(record)}; those of the text are {of_text}")
            return None
        self._absent[True] = ""
        if is_of_item:
            return found
        if found is None:
            return None
        if len(texts) > 1:
            reason = f'"{self.path}" of the record may be of any of its {len(texts)} texts'
            wanted = f"give it in each item, or by PAPER/SYSTEM/ITEM in a file ({parameter('key')})"
            raise InputFault(f"{reason}: {wanted}", kind="ambiguous-name")
        return found


def _number_of(score: Any) -> float | None:
    return parse_number(score) if isinstance(score, (str, int, float)) else None


def _show_names(names: Sequence[str]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:_MOST_NAMES])
    return f"{shown} ..." if len(names) > _MOST_NAMES else shown


def make_truth(path: str | None, key: str | None, criteria: Criteria | None) -> Truth:
    """Load human scores from a path of the records or, with a key, from a file.

    A record of the file has the name of an item at the key, and scores by aspect; or, as written by st-agree majority,
    one score at ``value`` for the aspect at ``label``. Text with a number is a score, as in CSV; other columns are
    ignored.

    Raises:
        UsageFault: the file cannot be read, a record is malformed (names the line), or an item is duplicate.
    """
    scales = {aspect.name: (aspect.scale[0], aspect.scale[1]) for aspect in criteria.aspects} if criteria else {}
    if path is None or key is None:
        return Truth(path, scales=scales)
    blank: Counter[str] = Counter()
    table: dict[str, dict[str, float | None | UsageFault]] = {}
    known = Truth(scales=scales, _blank=blank)
    for line in io.read_lines([path], "truth", Reading(is_rows=True)):
        try:
            if line.fault is not None:
                raise line.fault
            _add_scores(table, line.record, key, known, line.where)
        except InputFault as fault:
            raise UsageFault(f"{line.where}: {fault.reason}", parameter="truth") from None
    return Truth(table=table, scales=scales, _blank=blank)


def _add_scores(
    table: dict[str, dict[str, float | None | UsageFault]], record: Record, key: str, known: Truth, where: str
) -> None:
    name = lookup(record, key)
    if isinstance(name, bool) or not isinstance(name, (str, int)):
        raise InputFault(f'no item\'s name at "{key}"', kind="missing-key")
    if "value" in record and record.get("label") is not None:
        aspect = str(record["label"])
        found: dict[str, Any] = {aspect: known.check(record["value"], aspect)}
    else:
        cells = {column: cell for column, cell in record.items() if column != key}
        found = {column: _read_cell(cell, column, known, where) for column, cell in cells.items()}
        found = {column: score for column, score in found.items() if score is not None}
    scores = table.setdefault(str(name), {})
    for aspect, score in found.items():
        if aspect in scores and not isinstance(score, UsageFault):
            raise InputFault(f'"{name}" has a score of "{aspect}" already', kind="duplicate")
        scores[aspect] = score


def _read_cell(cell: Any, column: str, known: Truth, where: str) -> float | None | UsageFault:
    """The score in a cell; or its fault, if the column may not be an aspect."""
    try:
        return known.check(cell, column)
    except InputFault as fault:
        if column in known.scales:
            raise
        return UsageFault(f"{where}: {fault.reason}", parameter="truth")
