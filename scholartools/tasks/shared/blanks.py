"""Cells that hold no value: empty ones and the ways in which "not available" is written; and values written alike."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from scholartools.errors import InputFault
from scholartools.metrics.agreement.scales import parse_number
from scholartools.parameters import parameter
from scholartools.paths import Name, as_json, name_at
from scholartools.records import Record

# What spreadsheets show where a formula failed; LibreOffice has numbers for some.
_ERRORS = "#n/a #div/0! #ref! #name? #null! #num! #value! #spill! #calc!"
_NUMBERED = re.compile(r"err:\d{3}")
#: What stands in a cell without a value, in any case of its letters and with any space around it. A dash is none of
#: them: it may be a label, as + is.
BLANKS = frozenset(["", "na", "n/a", "<na>", "nan", "none", "null", *_ERRORS.split()])

# Values written alike, or blanks, that a note shows at most.
_MOST_SHOWN = 5


def is_blank(value: Any) -> bool:
    """Whether a cell holds no value: null, NaN, or a text of :data:`BLANKS`."""
    if isinstance(value, str):
        return value.strip().casefold() in BLANKS
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_failed_formula(text: str) -> bool:
    """Whether a cell shows that a formula failed, such as a text that begins with "=" and was taken for one."""
    folded = text.strip().casefold()
    return folded in _ERRORS.split() or _NUMBERED.fullmatch(folded) is not None


def given_name(record: Record, path: str) -> Name:
    """The string or integer at a path; an empty cell is no name.

    Raises:
        InputFault: there is none.
    """
    name = name_at(record, path)
    if isinstance(name, str) and not name.strip():
        raise InputFault(f'no "{path}": the cell is empty', kind="missing-key")
    return name


class Blanks:
    """Takes blank cells for missing values, and counts them; a record's are counted when all of it was taken.

    Args:
        missing: other texts, or numbers as text, that stand for a missing value.
        is_kept: whether blank texts are values, so that ``missing`` alone counts.
    """

    def __init__(self, missing: Iterable[str] = (), *, is_kept: bool = False) -> None:
        self._missing = {text.strip(): text for text in missing}
        self._numbers = {number: text for text in missing if (number := parse_number(text)) is not None}
        self._is_kept = is_kept
        self._counts: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()
        self._named: set[str] = set()
        self._pending: list[tuple[Counter[str], str]] = []

    def begin(self) -> None:
        """Forget what was seen in a record that was not taken."""
        self._pending.clear()

    def commit(self) -> None:
        """Count what was seen in the record that was taken."""
        for counter, text in self._pending:
            counter[text] += 1
        self._pending.clear()

    def take(self, value: Any) -> Any:
        """The value, or None for one that is missing."""
        if value is None or isinstance(value, (bool, list, dict)):
            return value
        if (named := self._named_by(value)) is not None:
            self._named.add(named)
        elif not is_blank(value):
            return value
        elif self._is_kept and isinstance(value, str):
            self._pending.append((self._kept, value))
            return value
        self._pending.append((self._counts, str(value)))
        return None

    def is_missing(self, value: Any) -> bool:
        """Whether a value would be taken for a missing one; it is not counted."""
        return self._named_by(value) is not None or (is_blank(value) and not self._is_kept)

    def marks(self) -> list[str]:
        """What a signature says of the options that made a value missing, or kept one."""
        return [*(["keep-blank"] if self._kept else []), *(f"missing:{text}" for text in sorted(self._named))]

    def notes(self, what: str, way_back: str | None = None) -> Iterator[str]:
        """How many cells were blank, in a sentence; none where none was.

        Args:
            what: the values are, in the plural.
            way_back: the parameter that takes blank texts as values.
        """
        if n := self._counts.total():
            shown, hint = _show_counts(self._counts), ""
            if way_back:
                hint = f"; {parameter(way_back)} takes blank texts as values"
            yield f"{n} {'cell is' if n == 1 else 'cells are'} blank and missing among the {what}: {shown}{hint}"
        if n := self._kept.total():
            told = "blank text counts as a value" if n == 1 else "blank texts count as values"
            yield f"{n} {told} among the {what}: {_show_counts(self._kept)}"

    def _named_by(self, value: Any) -> str | None:
        """The text of ``missing`` that a value is, as text or as a number."""
        if isinstance(value, str) and value.strip() in self._missing:
            return self._missing[value.strip()]
        number = parse_number(value) if self._numbers else None
        return None if number is None else self._numbers.get(number)


def tell_blank_names(names: Iterable[Any], what: str) -> Iterator[str]:
    """How many names are written as a blank cell is: people's initials, or no name at all; they stay names."""
    if counts := Counter(name for name in names if isinstance(name, str) and is_blank(name)):
        n = counts.total()
        told = (
            "is written as a blank cell is, and counts as a name"
            if n == 1
            else "look like blank cells, and count as names"
        )
        yield f"{n} of the {what} {told}: {_show_counts(counts)}"


def tell_written_alike(values: Iterable[Any], what: str) -> Iterator[str]:
    """Which texts and numbers differ in white space or in the writing of a number alone, with how often each is there.

    They stay values of their own: "2.50" and 2.5 may be a version and a score.
    """
    counts = Counter(value for value in values if isinstance(value, (str, int, float)) and not isinstance(value, bool))
    groups: dict[str | float, list[str | float]] = {}
    for value in counts:
        groups.setdefault(_fold_writing(value), []).append(value)
    alike = [group for group in groups.values() if len(group) > 1]
    if alike:
        n = sum(counts[value] for group in alike for value in group)
        shown = "; ".join(
            ", ".join(f"{as_json(value)} ({counts[value]})" for value in sorted(group, key=as_json))
            for group in alike[:_MOST_SHOWN]
        )
        more = " ..." if len(alike) > _MOST_SHOWN else ""
        yield f"{n} {what} differ only in white space or number format, and count as different: {shown}{more}"


def _fold_writing(value: str | float) -> str | float:
    number = parse_number(value.strip() if isinstance(value, str) else value)
    return " ".join(str(value).split()) if number is None else number


def _show_counts(counts: Counter[str]) -> str:
    shown = ", ".join(f"{as_json(text)} ({count})" for text, count in sorted(counts.items())[:_MOST_SHOWN])
    return f"{shown} ..." if len(counts) > _MOST_SHOWN else shown
