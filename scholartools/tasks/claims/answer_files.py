"""Read files of human answers, as tables or JSONL: rows with locations, validated columns and rater names."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import TextIOWrapper
from typing import Any, NamedTuple

from scholartools.errors import UsageFault
from scholartools.io import open_input
from scholartools.records import Record
from scholartools.tasks.claims.base import GOLD
from scholartools.tasks.claims.entries import same_name
from scholartools.tasks.shared.blanks import Blanks, is_blank
from scholartools.tasks.shared.csv_rows import is_table, read_csv_rows, read_table
from scholartools.vocabulary import WEAKNESS_SCALES, WEAKNESS_TYPES

#: Minimum similarity (0 to 1) to the name of a missing column for an unknown column to count as a misspelling.
MISSPELT = 0.8

#: Entry of a rater who found no target or no weakness.
NONE = "none"


class Key(NamedTuple):
    """Identifies an answer: who answered, about which weakness or review."""

    paper: str
    about: str
    rater: str


class Passage(NamedTuple):
    """A passage that a rater marked: text, rating, and start offset in the displayed text if known."""

    text: str
    grade: int | None = None
    start: int | None = None


class AnswerFile:
    """Reads a file of answers row by row.

    Attributes:
        path: path of the file, a table or JSONL.
        shown: the weakness text displayed beside an answer, with its location, by paper and weakness.
        blanks: counts the blank cells.
    """

    def __init__(self, path: str, columns: Sequence[str]) -> None:
        """Open a file from which the named columns are read."""
        self.path = path
        self.blanks = Blanks()
        self.shown: dict[tuple[str, str], tuple[str, str]] = {}
        self._columns = columns
        self._raters = [GOLD]

    def rows(self) -> Iterator[tuple[str, Record]]:
        """Yield the rows with their locations.

        Raises:
            UsageFault: the file cannot be read, a row has too many cells, or a column is misspelt or duplicate.
        """
        for where, row in read_rows(self.path):
            for name in () if isinstance(row.get("answers"), dict) else row.keys() - set(self._columns):
                missing = [column for column in self._columns if column not in row]
                if near := difflib.get_close_matches(str(name).strip().lower(), missing, 1, MISSPELT):
                    raise UsageFault(f'{where}: no column is "{name}": is it "{near[0]}"?')
            yield where, row

    def key(self, row: Record, where: str, about: str = "weakness") -> Key:
        """Paper, weakness or review, and rater of a row, with surrounding space stripped.

        Raises:
            UsageFault: one is missing; two rater names differ only in case or spaces; rows of one weakness show
                different texts.
        """
        names = []
        for name in ("paper", about, "rater"):
            value = row.get(name)
            if not isinstance(value, (str, int)) or isinstance(value, bool) or not str(value).strip():
                raise UsageFault(f'{where}: no "{name}": the columns are {", ".join(map(str, row))}')
            names.append(str(value).strip())
        key = Key(*names)
        for rater in self._raters:
            if rater != key.rater and same_name(rater, key.rater):
                reason = f'"{key.rater}" and "{rater}" differ only in case or spaces: use one name per rater'
                raise UsageFault(f"{where}: {reason}")
        if key.rater not in self._raters:
            self._raters.append(key.rater)
        if about == "weakness" and isinstance(text := row.get("text"), str) and text.strip():
            self._keep_text((key.paper, key.about), text, where)
        return key

    def take_record(self, kind: str, row: Record, where: str, given: dict[tuple[str, str], dict[str, Any]]) -> bool:
        """Read a row that is an answer record of st-annotate; controls and repeated items are skipped.

        Returns whether the row is such a record.

        Raises:
            UsageFault: the record has another kind, or repeats the answer of a rater on an item.
        """
        if not isinstance(answers := row.get("answers"), dict):
            return False
        if row.get("kind") != kind:
            raise UsageFault(f'{where}: an answer about "{row.get("kind")}", where "{kind}" is wanted')
        if row.get("state") in ("done", "partial") and row.get("control") is None:
            about = "review" if kind == "weaknesses" else "weakness"
            name = str(row.get("item")).removeprefix(f"{row.get('paper')}/")
            key = self.key({**row, about: name}, where, about)
            if (value := SAID[kind](answers)) is not None:
                said = given.setdefault((key.paper, key.about), {})
                if key.rater in said:
                    raise UsageFault(f"{where}: {key.rater} answers about {key.paper}/{key.about} twice")
                said[key.rater] = value
        return True

    def count_blank(self, cell: Any) -> None:
        """Count a cell without an answer."""
        self.blanks.take("" if cell is None else cell)
        self.blanks.commit()

    def _keep_text(self, weakness: tuple[str, str], text: str, where: str) -> None:
        first, place = self.shown.setdefault(weakness, (text, where))
        if first.split() != text.split():
            raise UsageFault(f"{where}: another text of {'/'.join(weakness)} than {place} has")


def read_rows(path: str) -> Iterator[tuple[str, Record]]:
    """Yield the rows of a file with their locations.

    Raises:
        UsageFault: the file cannot be read, or a row has too many cells or a duplicate column.
    """
    if path == "-":
        raise UsageFault("standard input is for the papers; name a file", parameter="answers")
    try:
        with open_input(path, "answers") as file:
            if is_table(path):
                yield from read_table(file, path)[1]
            elif path.lower().endswith(".csv"):
                yield from read_csv_rows(TextIOWrapper(file, encoding="utf-8-sig", newline=""), path)[1]
            else:
                yield from _iter_objects(TextIOWrapper(file, encoding="utf-8-sig"), path)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UsageFault(f"{path}: cannot be read: {error}") from None


def _iter_objects(lines: Iterable[str], path: str) -> Iterator[tuple[str, Record]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = json.loads(line.rstrip("\n"))
            if not isinstance(row, dict):
                raise UsageFault(f"{path}:{number}: not a JSON object")
            yield f"{path}:{number}", row


def _labels_said(answers: Record) -> Record | None:
    said = {name: answers[name] for name in WEAKNESS_SCALES if answers.get(name) is not None}
    if (types := answers.get("types")) is not None:
        said |= {name: name in types for name in WEAKNESS_TYPES}
    if answers.get("comment"):
        said["comment"] = answers["comment"]
    return said or None


def _targets_said(answers: Record) -> list[str | Passage] | None:
    if (chosen := answers.get("targets")) is None:
        return None
    return [one if isinstance(one, str) else Passage(one["text"], None, one.get("start")) for one in chosen] or [NONE]


def _weaknesses_said(answers: Record) -> list[Passage] | None:
    if (spans := answers.get("weaknesses")) is None:
        return None
    return [Passage(span["text"], span.get("groundedness"), span.get("start")) for span in spans] or [Passage(NONE)]


#: Functions that extract the answer from an answer record of a kind, as in :attr:`Answers.given`; None for no answer.
SAID: dict[str, Callable[[Record], Any]] = {
    "labels": _labels_said, "targets": _targets_said, "weaknesses": _weaknesses_said,
}  # fmt: skip


class Answers:
    """Answers of a file, by weakness or review and by rater.

    Attributes:
        kind: "labels", "targets" or "weaknesses".
        given: answers by rater, in file order, for each weakness or review of a paper.
        raters: all raters with an answer.
        shown: the weakness text displayed beside an answer, with its location, by paper and weakness.
        notes: sentences about the number of blank cells.
    """

    def __init__(
        self,
        kind: str,
        given: dict[tuple[str, str], dict[str, Any]],
        shown: dict[tuple[str, str], tuple[str, str]],
        notes: Sequence[str] = (),
    ) -> None:
        self.kind = kind
        self.given = given
        self.shown = shown
        self.notes = notes
        self.raters = {rater for said in given.values() for rater in said}

    def find_unused(self, used: set[tuple[str, str]]) -> list[tuple[str, str]]:
        """The weaknesses, or reviews, of the file that no record contained."""
        return [key for key in self.given if key not in used]


def answers_of(file: AnswerFile, kind: str, given: dict[tuple[str, str], dict[str, Any]]) -> Answers:
    """Collect the answers of a file.

    Raises:
        UsageFault: there are none, because nobody filled the file in.
    """
    if not given:
        raise UsageFault(f"{file.path}: no row has an answer")
    return Answers(kind, given, file.shown, [*file.blanks.notes(kind)])


def parse_passage(label: str, value: Any, where: str) -> str | None:
    """Stripped text of a cell; :data:`NONE` for "none" in any case, None for a blank cell ("", NA).

    Raises:
        UsageFault: the cell is not text.
    """
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str) and text.casefold() == NONE:
        return NONE
    if is_blank(text):
        return None
    if not isinstance(text, str):
        raise UsageFault(f'{where}: "{label}" is not a text')
    return text


def parse_rating(label: str, value: Any, where: str) -> int | None:
    """An integer of 1 to 5; None for a blank cell ("", NA).

    Raises:
        UsageFault: the value is anything else.
    """
    if is_blank(value):
        return None
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, bool) or str(text) not in ("1", "2", "3", "4", "5"):
        raise UsageFault(f"{where}: {label} must be 1 to 5, not {json.dumps(value)}")
    return int(text)
