"""The folder of a batch: questions, items, and the assignment of rows to raters.

``batch.json`` has the questions and design, ``items.jsonl`` the items, ``key.jsonl`` the item of each row. Items and
key reveal papers, systems and known answers, and must not be given to raters.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import functools
import json
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.json_text import dumps, loads
from scholartools.parameters import parameter
from scholartools.records import Record, name_of
from scholartools.signature import fingerprint, signature
from scholartools.tasks.annotate.assignment import Control, Place, Plan, assign, draw_sample
from scholartools.tasks.annotate.description import (
    SIDES,
    Candidate,
    Choice,
    Fault,
    Item,
    Kind,
    Part,
    Pick,
    Question,
    Winner,
    question_of,
)

COMMAND = "st-annotate"
ANSWERS = "answers.jsonl"
GUIDE = "guide.md"
SUGGESTED = "suggested.jsonl"
_BATCH, _ITEMS, _KEY = "batch.json", "items.jsonl", "key.jsonl"
#: Reserved names, which denote other authors in records.
_NOT_RATERS = ("builtin", "gold", "adjudicated")
# Characters that are not allowed in folder names.
_NOT_IN_NAMES = frozenset('/\\:*?"<>|\0\n\r\t')
# Most bytes of a rater's name. Names of files have at most 255, and add a number, an ending and ".part".
_MOST_BYTES = 200


class Row(NamedTuple):
    """A row of a rater's list.

    Attributes:
        mark: identifier in sheets, which does not reveal the item; differs between raters, since the order of sides and
            candidates differs, too.
        place: position in the list, from 1.
        order: ids of the candidates in display order.
        part: 1; rows assigned later have 2, 3, ... and separate files.
    """

    mark: str
    rater: str
    place: int
    item: Item
    copy: int
    control: Control | None
    order: tuple[str, ...]
    part: int = 1

    def candidates(self) -> list[Candidate]:
        """The candidates in display order."""
        known = {one.id: one for one in self.item.candidates}
        return [known[name] for name in self.order]


@dataclasses.dataclass(frozen=True)
class Batch:
    """A batch of items assigned to raters.

    Attributes:
        id: fingerprint of the whole design.
        kind: name of the kind of items.
        about: contents of ``batch.json``.
        items: by id.
        truth: known answers by item.
        rows: by rater, in order.
        suggested: initial answers shown in Label Studio, by item.
    """

    folder: Path
    id: str
    kind: str
    about: Record
    questions: tuple[Question, ...]
    items: Mapping[str, Item]
    truth: Mapping[str, Record]
    rows: Mapping[str, Sequence[Row]]
    suggested: Mapping[str, Record] = dataclasses.field(default_factory=dict)

    def as_kind(self) -> Kind:
        """The kind, to create another batch of the same items."""
        about = self.about
        return Kind(
            self.kind,
            about["title"],
            about["unit"],
            about["guide"],
            self.questions,
            lambda _: (),
            is_own=about["is_own"],
        )

    @property
    def raters(self) -> list[str]:
        """The names of the raters."""
        return list(self.about["raters"])

    @property
    def dropped(self) -> list[str]:
        """Raters who were dropped; their answers still count."""
        return [one["dropped"] for one in self.about.get("changes", ()) if "dropped" in one]

    @property
    def is_shared(self) -> bool:
        """Whether raters share one project and see each other's answers."""
        return any("shared" in one for one in self.about.get("changes", ()))

    @functools.cached_property
    def has_sides(self) -> bool:
        """Whether the candidates of an item are the two sides of a comparison rather than a list.

        Sides are named A and B, so no question may have these as values.
        """
        is_list = any(
            isinstance(question, Pick) or (isinstance(question, Choice) and not {*SIDES}.isdisjoint(question.values))
            for question in self.questions
        )
        return not is_list and all(len(item.candidates) in (0, len(SIDES)) for item in self.items.values())


def check_raters(names: Sequence[str]) -> tuple[str, ...]:
    """Validate and normalise names of raters.

    Raises:
        UsageFault: a name is blank, duplicate up to case, not usable as folder name, or reserved.
    """
    made = tuple(unicodedata.normalize("NFC", name.strip()) for name in names)
    folded = [name.casefold() for name in made]
    for name in made:
        if not name or name.startswith(".") or set(name) & _NOT_IN_NAMES:
            raise UsageFault(f'{parameter("raters")}: "{name}" cannot be the name of a folder')
        if (n_bytes := len(name.encode())) > _MOST_BYTES:
            long = f"has {n_bytes} bytes, and the name of a folder at most {_MOST_BYTES} here"
            raise UsageFault(f'{parameter("raters")}: "{name[:40]}..." {long}')
        if name.casefold() in _NOT_RATERS:
            raise UsageFault(f'{parameter("raters")}: "{name}" is the name of another author in records')
        if folded.count(name.casefold()) > 1:
            raise UsageFault(f'{parameter("raters")}: "{name}" is given twice')
    return made


class Known(NamedTuple):
    """A known answer by question, with the fingerprint of the texts it refers to, if known."""

    answers: Record
    texts: str | None

    def check_texts(self, item: Item, parameter: str) -> None:
        """Check that the answer refers to the texts of an item.

        Raises:
            UsageFault: it refers to other texts.
        """
        if self.texts is not None and self.texts != item.texts:
            raise UsageFault(f'"{item.id}" is about another text than the record has now', parameter=parameter)


def read_truth(path: str, name: str) -> dict[str, Known]:
    """Known answers by item, from the file given by a parameter: records with ``item`` and ``answers``.

    Records without an answer, for example because raters disagree, are skipped.

    Raises:
        UsageFault: the file cannot be read, or has two answers to an item.
    """
    found: dict[str, Known] = {}
    try:
        for record in read_lines(Path(path)):
            item, answers = str(record["item"]), {key: one for key, one in record["answers"].items() if one is not None}
            known = Known(answers, record.get("texts"))
            if answers and found.setdefault(item, known) != known:
                raise UsageFault(f'{parameter(name, path)}: two answers to "{item}"')
    except OSError as error:
        raise UsageFault(f"{parameter(name, path)}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageFault(f"{parameter(name, path)}: the file has no answer records: {error}") from None
    return found


def check_known(
    given: Mapping[str, Known], items: Mapping[str, Item], questions: Sequence[Question], name: str
) -> dict[str, Record]:
    """Validate known answers by their questions.

    Args:
        name: the parameter of the file.

    Raises:
        UsageFault: an answer has an unknown item, refers to other texts, or is invalid.
    """
    checked: dict[str, Record] = {}
    for item, known in given.items():
        if item not in items:
            raise UsageFault(f'{parameter(name)}: the batch has no item "{item}"')
        known.check_texts(items[item], name)
        checked[item] = {}
        for question in questions:
            if (value := known.answers.get(question.name)) is not None:
                try:
                    checked[item][question.name] = question.check(value, items[item])
                except (Fault, KeyError, TypeError) as fault:
                    raise UsageFault(f"{parameter(name)}: {item}: {question.name}: {fault}") from None
    return checked


class BatchWriter:
    """Creates a batch from the items of records; the caller provides the folder."""

    def __init__(self, kind: Kind, plan: Plan, decided: Record, guide: str) -> None:
        """Start a batch.

        Args:
            decided: further decisions: ``round``, ``sample`` (a number or None), ``stratified``, ``after`` (ids of
                batches) and ``same``.
            guide: instructions for raters, in Markdown.
        """
        self._kind, self._plan, self._decided, self._guide = kind, plan, decided, guide
        self._items: dict[str, Item] = {}
        self.truth: dict[str, Known] = {}
        self.earlier: set[tuple[str, str]] = set()
        self.allow_empty = "adjudicates" in decided
        self.about: Record = {}

    def begin(self, output: Path) -> None:
        """Do nothing: files are only written at the end."""

    def make(self, record: Record) -> list[Item]:
        """The items of a record.

        Raises:
            InputFault: the record lacks required keys, two items have the same id, or a text has an unpaired surrogate.
        """
        if name_of(record, "id") is None:
            raise InputFault('no "id": answers could not be added to the record again', kind="missing-key")
        items = list(self._kind.items(record))
        counts = Counter(item.id for item in items)
        has_winner = any(isinstance(question, Winner) for question in self._kind.questions)
        for item in items:
            if counts[item.id] > 1 or item.id in self._items:
                raise InputFault(f'a second item is named "{item.id}"', kind="duplicate")
            if has_winner and len(item.candidates) != len(SIDES):
                raise InputFault(
                    f'"{item.id}" has {len(item.candidates)} candidates, not two sides', kind="invalid-key"
                )
            for text in (*(part.text for part in item.parts), *(one.text for one in item.candidates)):
                if any("\ud800" <= character <= "\udfff" for character in text):
                    raise InputFault(
                        f'"{item.id}" has half a surrogate pair, which no tool can show', kind="invalid-key"
                    )
        return items

    def write(self, output: Path, items: Sequence[Item]) -> None:
        """Add the items of a record."""
        self._items.update((item.id, item) for item in items)

    def end(self, output: Path, n_failed: int) -> None:
        """Assign the items and write the files.

        Raises:
            InputFault: there are no items, although some are required.
            UsageFault: the plan is not feasible; a known answer has an unknown item or is invalid.
        """
        known = check_known(self.truth, self._items, self._kind.questions, "gold")
        same = bool(self._decided["same"])
        wanted = [
            item for item in self._items.values()
            if not self._decided["after"] or ((item.id, item.texts) in self.earlier) == same
        ]  # fmt: skip
        items = [item for item in wanted if item.id not in known]
        if not items and not self.allow_empty:
            raise InputFault(f"no item of the kind {self._kind.name} is left to assign", kind="missing-key")
        if items and (n := self._decided["sample"]) is not None:
            items = draw_sample(items, n, self._plan.seed, by_stratum=self._decided["stratified"])
        gold = [item for item in self._items.values() if item.id in known]
        self._write(output, assign(items, gold, self._plan), known)

    def _write(self, folder: Path, lists: Mapping[str, Sequence[Place]], truth: Mapping[str, Record]) -> None:
        kind, plan = self._kind, self._plan
        items = {place.item.id: place.item for places in lists.values() for place in places}
        decided: Record = {"kind": kind.name, "title": kind.title, "unit": kind.unit, "guide": kind.guide}
        decided["questions"] = [question.as_record() for question in kind.questions]
        decided |= {**self._decided, "is_own": kind.is_own, "raters": list(plan.raters)}
        decided["plan"] = {key: value for key, value in vars(plan).items() if key != "raters"}
        decided["input"] = fingerprint(sorted([name, item.texts] for name, item in items.items()))
        own = sorted(items.keys() & truth.keys())
        decided["truth"] = fingerprint([[name, truth[name]] for name in own])
        name = "b" + fingerprint(decided)[:12]
        counts = {"items": len(items) - len(own), "gold": len(own)}
        signed = signature(f"{COMMAND} assign", decided)
        self.about = {"batch": name, **decided, "counts": counts, "signature": signed}
        _write_private(folder / _ITEMS, (_item_record(item, truth.get(item.id)) for item in items.values()))
        write_rows(
            folder, self.about, [row for rater in plan.raters for row in rows_of(name, rater, lists[rater], plan.seed)]
        )
        (folder / GUIDE).write_text(self._guide, encoding="utf-8")


def read_batch(folder: str) -> Batch:
    """Read a batch from its folder.

    Raises:
        UsageFault: there is none, or a file is damaged.
    """
    path = Path(folder)
    try:
        about = read_lines(path / _BATCH)[0]
        found = {one["item"]: (_item_of(one), one["truth"]) for one in read_lines(path / _ITEMS)}
        questions = tuple(map(question_of, about["questions"]))
        rows: dict[str, list[Row]] = {rater: [] for rater in about["raters"]}
        given = read_lines(path / SUGGESTED) if (path / SUGGESTED).exists() else []
        suggested = {one["item"]: one["answers"] for one in given}
        for one in read_lines(path / _KEY):
            item = found[one["item"]][0]
            rows[one["rater"]].append(
                Row(
                    one["row"], one["rater"], one["place"], item, one["copy"], one["control"], tuple(one["order"]),
                    one.get("part", 1),
                )
            )  # fmt: skip
    except OSError as error:
        raise UsageFault(
            f"{folder}: no batch of {COMMAND} assign: cannot read {error.filename}: {error.strerror}"
        ) from None
    except (ValueError, KeyError, TypeError, InputFault) as error:
        raise UsageFault(f"{folder}: a damaged batch: {error}") from None
    items = {name: item for name, (item, _) in found.items()}
    truth = {name: known for name, (_, known) in found.items() if known is not None}
    return Batch(path, about["batch"], about["kind"], about, questions, items, truth, rows, suggested)


@contextlib.contextmanager
def changing(batch: Batch) -> Iterator[None]:
    """Lock a batch while its files are read, merged and written.

    Raises:
        UsageFault: the batch changed since it was read.
    """
    with (batch.folder / _ITEMS).open("rb") as file:  # the only file that is never rewritten
        fcntl.flock(file, fcntl.LOCK_EX)
        if read_lines(batch.folder / _BATCH)[0] != batch.about:
            raise UsageFault(f"{batch.folder}: the batch was changed by another command: run again")
        yield


def write_rows(folder: Path, about: Record, rows: Iterable[Row]) -> None:
    """Write the key, then the design: a key with a rater missing in the design is rejected as damaged."""
    _write_private(folder / _KEY, map(_row_record, rows))
    part = folder / f"{_BATCH}.part"
    part.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(part, folder / _BATCH)


def write_lines(path: Path, records: Iterable[Record]) -> None:
    """Write records as JSON lines, atomically."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.writelines(dumps(record) + b"\n" for record in records)
    os.replace(part, path)


def _write_private(path: Path, records: Iterable[Record]) -> None:
    write_lines(path, records)
    path.chmod(0o600)


def read_lines(path: Path) -> list[Record]:
    """Read the records of a file: a single one from .json, else one per line."""
    text = path.read_bytes().decode()
    parts = [text] if path.suffix == ".json" else text.split("\n")
    return [loads(part) for part in parts if part.strip()]


def rows_of(batch: str, rater: str, places: Sequence[Place], seed: int) -> Iterator[Row]:
    """Rows for the positions in a rater's list."""
    for number, place in enumerate(places, 1):
        mark = "m" + fingerprint([batch, rater, place.item.id, place.item.texts, place.copy])[:12]
        names = [one.id for one in place.item.candidates]
        order = tuple(sorted(names, key=lambda one, mark=mark: fingerprint([seed, rater, mark, one])))  # type: ignore[misc]
        yield Row(mark, rater, number, place.item, place.copy, place.control, order)


def _row_record(row: Row) -> Record:
    item = row.item
    named = {"row": row.mark, "rater": row.rater, "place": row.place, "part": row.part, "item": item.id}
    return {**named, "paper": item.paper, "copy": row.copy, "control": row.control, "order": list(row.order)}


def _item_record(item: Item, truth: Record | None) -> Record:
    parts = [part._asdict() for part in item.parts]
    candidates = [one._asdict() for one in item.candidates]
    named = {"item": item.id, "paper": item.paper, "group": item.group, "stratum": item.stratum, "texts": item.texts}
    return {**named, "parts": parts, "candidates": candidates, "truth": truth}


def _item_of(record: Record) -> Item:
    parts = tuple(Part(**part) for part in record["parts"])
    candidates = tuple(Candidate(**one) for one in record["candidates"])
    item = Item(record["item"], record["paper"], record["group"], parts, candidates, record["stratum"])
    if item.texts != record["texts"]:
        raise ValueError(f'"{item.id}" has another text than when the batch was made')
    return item
