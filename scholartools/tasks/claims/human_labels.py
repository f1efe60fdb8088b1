"""What people said of weaknesses, from a CSV or JSONL file of theirs: labels and targets, of several raters.

A row is one answer: ``paper``, ``weakness``, ``rater``, then ``label`` and ``value`` for labels, or ``target`` for
targets: the id or the text of a claim, or "none". In CSV an empty value is a missing one.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, read
from scholartools.tasks.claims.base import (
    MOST_TARGETS,
    chosen_claim,
    items_of,
    paper_texts,
    refuse_twins,
    replace_entry,
)
from scholartools.tasks.claims.mentions import find, why_missed
from scholartools.vocabulary import WEAKNESS_SCALES, WEAKNESS_TYPES

Direction = Literal["as-objectivity", "reversed"]

NONE = "none"
_YES = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}


class Key(NamedTuple):
    """Who said something of which weakness, or of which review."""

    paper: str
    about: str
    rater: str


class Answers:
    """The answers of a file, by weakness or review and rater.

    Attributes:
        kind: "labels", "targets" or "weaknesses".
        given: of each weakness, or review, of a paper what each rater said, raters in the order of the file.
    """

    def __init__(self, kind: str, given: dict[tuple[str, str], dict[str, Any]]) -> None:
        self.kind = kind
        self.given = given

    def find_unused(self, used: set[tuple[str, str]]) -> list[tuple[str, str]]:
        """The weaknesses, or reviews, of the file that no record had."""
        return [key for key in self.given if key not in used]


def read_labels(path: str, direction: Direction | None = None) -> Answers:
    """The labels of a file: objectivity and agreement of 1 to 5, and the six types as 0 and 1, a row each.

    Args:
        path: of the file, ``.csv`` or JSONL.
        direction: how a column named "subjectivity" is meant: its 5 is objective, as in CLAIMCHECK's scale, or
            subjective. None: there must be none.

    Raises:
        UsageFault: the file cannot be read, or a row is not as it must be; names file and line.
    """
    given: dict[tuple[str, str], dict[str, Any]] = {}
    for where, row in read_rows(path):
        key = read_key(row, where)
        label, value = _parse_label(row, direction, where)
        if value is None:
            continue
        said = given.setdefault((key.paper, key.about), {}).setdefault(key.rater, {})
        if label in said:
            raise UsageFault(f"{where}: {key.rater} labels {label} of {key.paper}/{key.about} twice")
        said[label] = value
    return answers_of(path, "labels", given)


def read_targets(path: str) -> Answers:
    """The targets of a file, a row each; a rater with a row "none" says that the weakness has none.

    Raises:
        UsageFault: the file cannot be read, or a row is not as it must be; names file and line.
    """
    given: dict[tuple[str, str], dict[str, Any]] = {}
    for where, row in read_rows(path):
        key = read_key(row, where)
        target = row.get("target")
        if target in ("", None):
            continue
        if not isinstance(target, str):
            raise UsageFault(f'{where}: "target" is no text')
        said = given.setdefault((key.paper, key.about), {}).setdefault(key.rater, [])
        if target in said or (said and NONE in (target, *said)):
            raise UsageFault(f"{where}: {key.rater} has contradicting or equal targets of {key.paper}/{key.about}")
        if len(said) == MOST_TARGETS:
            raise UsageFault(f"{where}: {key.rater} has more than {MOST_TARGETS} targets of {key.paper}/{key.about}")
        said.append(target)
    return answers_of(path, "targets", given)


def add(record: Record, answers: Answers, used: Callable[[tuple[str, str]], None]) -> Record:
    """A copy of the record whose ``weaknesses`` have an entry for each rater; a rater's earlier entry is replaced.

    Args:
        record: with ``weaknesses``.
        answers: of people.
        used: called with each weakness that the file has.

    Raises:
        InputFault: no ``weaknesses``; a target that is no claim and stands nowhere in the paper, or is there twice.
    """
    make = _label_entry if answers.kind == "labels" else _target_entry
    made = []
    for weakness in items_of(record, "weaknesses", "weaknesses"):
        key = (str(record.get("id")), weakness["id"])
        entries = weakness.get(answers.kind)
        for rater, said in answers.given.get(key, {}).items():
            used(key)
            entry = {"system": rater, "by": rater, **make(record, weakness, said)}
            if answers.kind == "targets":
                refuse_twins(weakness, entry)
            entries = replace_entry(entries, entry)
        made.append({**weakness, answers.kind: entries} if entries else weakness)
    return {**record, "weaknesses": made}


def _label_entry(record: Record, weakness: Record, said: dict[str, Any]) -> Record:
    types = [name for name in WEAKNESS_TYPES if said.get(name)]
    rated = [name for name in WEAKNESS_TYPES if said.get(name) is not None]
    if rated and not types:
        raise InputFault(f'weakness "{weakness["id"]}": a rater says that no type applies: at least one must')
    scales = {name: said.get(name) for name in WEAKNESS_SCALES}
    comment = {"comment": said["comment"]} if said.get("comment") else {}
    return {**scales, "types": types or None, **comment}


def _target_entry(record: Record, weakness: Record, said: list[str]) -> Record:
    if said == [NONE]:
        return {"items": []}
    claims = {claim["id"]: claim for claim in read(record, "claims") or ()}
    return {"items": [_parse_target(text, claims, record, weakness) for text in said]}


def _parse_target(text: str, claims: dict[str, Record], record: Record, weakness: Record) -> Record:
    if text in claims:
        return chosen_claim(claims[text])
    if (same := next((one for one in claims.values() if one["text"] == text), None)) is not None:
        return chosen_claim(same)
    named = paper_texts(record)
    place = find(text, named)
    if place is None:
        reason = f'a target of weakness "{weakness["id"]}" is no claim and {why_missed(text, named)}: "{text[:60]}"'
        raise InputFault(reason, kind="invalid-key")
    start, end = place.match.start, place.match.end
    span = {"in": place.name, "start": start, "end": end}
    if (same := next((one for one in claims.values() if one["spans"] == [span]), None)) is not None:
        return chosen_claim(same)
    return {"claim": None, "custom": True, "text": named[place.name][start:end], "spans": [span]}


def answers_of(path: str, kind: str, given: dict[tuple[str, str], dict[str, Any]]) -> Answers:
    """The answers of a file.

    Raises:
        UsageFault: there is none: nobody filled it in.
    """
    if not given:
        raise UsageFault(f"{path}: no row has an answer")
    return Answers(kind, given)


def read_key(row: Record, where: str, about: str = "weakness") -> Key:
    """Paper, weakness or review, and rater of a row.

    Raises:
        UsageFault: one is missing.
    """
    names = []
    for name in ("paper", about, "rater"):
        value = row.get(name)
        if not isinstance(value, (str, int)) or isinstance(value, bool) or value == "":
            raise UsageFault(f'{where}: no "{name}"')
        names.append(str(value))
    return Key(*names)


def _parse_label(row: Record, direction: Direction | None, where: str) -> tuple[str, Any]:
    label, value = row.get("label"), row.get("value")
    if label == "comment":
        return "comment", value or None
    if label == "subjectivity":
        if direction is None:
            reason = (
                f'"subjectivity" may mean two things: give {parameter("subjectivity", "as-objectivity")} where its 5 '
                "is objective, or reversed where its 5 is subjective"
            )
            raise UsageFault(f"{where}: {reason}")
        rated = parse_rating("subjectivity", value, where)
        return "objectivity", 6 - rated if rated is not None and direction == "reversed" else rated
    if label in WEAKNESS_SCALES:
        return label, parse_rating(label, value, where)
    if label in WEAKNESS_TYPES:
        return str(label), _parse_flag(label, value, where)
    raise UsageFault(f'{where}: "{label}" is no label: {", ".join([*WEAKNESS_SCALES, *WEAKNESS_TYPES])}')


def parse_rating(label: str, value: Any, where: str) -> int | None:
    """A value of 1 to 5, None where there is none.

    Raises:
        UsageFault: it is anything else.
    """
    if value in ("", None):
        return None
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, bool) or str(text) not in ("1", "2", "3", "4", "5"):
        raise UsageFault(f"{where}: {label} is 1 to 5, not {json.dumps(value)}")
    return int(text)


def _parse_flag(label: str, value: Any, where: str) -> bool | None:
    if value in ("", None):
        return None
    flag = _YES.get(str(value).strip().lower())
    if flag is None:
        raise UsageFault(f"{where}: {label} is 0 or 1, not {json.dumps(value)}")
    return flag


def read_rows(path: str) -> Iterator[tuple[str, Record]]:
    """The rows of a file with where each stands.

    Raises:
        UsageFault: it cannot be read, or a row has a cell too many.
    """
    try:
        if path.lower().endswith(".csv"):
            with Path(path).open(encoding="utf-8-sig", newline="") as file:
                reader = csv.DictReader(file, strict=True)
                for row in reader:
                    if None in row:
                        reason = "more cells than the header has: a text with a comma needs quotation marks"
                        raise UsageFault(f"{path}:{reader.line_num}: {reason}")
                    yield f"{path}:{reader.line_num}", row
            return
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").split("\n"), 1):
            if line.strip():
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise UsageFault(f"{path}:{number}: no JSON object")
                yield f"{path}:{number}", row
    except (OSError, UnicodeDecodeError, csv.Error, json.JSONDecodeError) as error:
        raise UsageFault(f"{path}: cannot be read: {error}") from None
