"""Custom kinds described in a YAML file: location of the items in a record, displayed texts, questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from scholartools.errors import InputFault, UsageFault
from scholartools.paths import ABSENT, lookup
from scholartools.records import Record
from scholartools.tasks.annotate.description import (
    CANDIDATES,
    NOTE,
    ROW,
    SIDES,
    SKIP,
    Candidate,
    Item,
    Kind,
    Part,
    Pick,
    Question,
    Spans,
    Winner,
    question_of,
)  # fmt: skip
from scholartools.tasks.annotate.kinds.questions import criteria_kind, read_criteria
from scholartools.tasks.annotate.sheets import columns_of

_KEYS = {"name", "title", "unit", "guide", "items", "id", "group", "stratum", "parts", "candidates", "questions"}


def read_kind(path: str) -> Kind:
    """Read a kind from a description or a criteria file.

    ``items`` is a dotted path to a list in a record (without it, the record is the item); ``id`` a key of an item;
    ``parts`` a list of {name, heading, text}, where ``text`` is a dotted path in the item, or with the prefix "record."
    in the record; ``candidates`` a path to a list of {id, text}; ``questions`` has the format of ``batch.json``.

    Raises:
        UsageFault: the file cannot be read, or the description is invalid; names the key.
    """
    import yaml

    class TextsLoader(yaml.SafeLoader):  # BaseLoader does not support merge keys
        yaml_implicit_resolvers: ClassVar = {"<": [("tag:yaml.org,2002:merge", re.compile("<<$"))]}

    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        given, written = yaml.safe_load(text), yaml.load(text, TextsLoader)  # noqa: S506 a safe one
    except OSError as error:
        raise UsageFault(f"{path}: {error.strerror}") from None
    except (ValueError, yaml.YAMLError) as error:
        raise UsageFault(f"{path}: no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(given, dict):
        raise UsageFault(f"{path}: the file has no keys; expected are {', '.join(sorted(_KEYS))}")
    if "aspects" in given:
        return criteria_kind(read_criteria(path), Path(path).stem, is_own=True)
    if unknown := next((key for key in given if key not in _KEYS), None):
        raise UsageFault(f'{path}: no key is "{unknown}": there are {", ".join(sorted(_KEYS))}')
    try:
        pairs = zip(given.get("questions") or (), written.get("questions") or (), strict=True)
        questions = tuple(question_of(_as_written(one, texts)) for one, texts in pairs)
    except (InputFault, TypeError, ValueError) as error:
        raise UsageFault(f"{path}: questions: {getattr(error, 'reason', error)}") from None
    parts = given.get("parts") or ()
    if not questions or not parts or any(set(part) != {"name", "heading", "text"} for part in parts):
        raise UsageFault(f'{path}: "questions" and "parts" are needed; a part has "name", "heading" and "text"')
    _check_headings(path, parts, questions)
    _check_questions(path, questions, [part["name"] for part in parts], has_candidates="candidates" in given)
    name = str(given.get("name") or Path(path).stem)
    return Kind(
        name, str(given.get("title") or name), str(given.get("unit") or "an item"), str(given.get("guide") or ""),
        questions, _reader(given), is_own=True,
    )  # fmt: skip


def _as_written(question: Any, texts: Any) -> Any:
    """Restore the original spelling of words for raters, since YAML reads yes as true, 2.50 as 2.5 and 010 as 8."""
    if not isinstance(question, dict):
        return question
    kept = {key: texts[key] for key in ("values", "labels", "levels", "meanings") if question.get(key)}
    rated = {"rated": _as_written(question["rated"], texts["rated"])} if question.get("rated") else {}
    return {**question, **{key: one for key, one in kept.items() if not isinstance(one, str)}, **rated}


def _check_headings(path: str, parts: Sequence[Mapping[str, Any]], questions: Sequence[Question]) -> None:
    """Check that the columns of a sheet have distinct headings."""
    headings, names = ([str(part[key]).strip() for part in parts] for key in ("heading", "name"))
    if len({*headings}) < len(headings) or len({*names}) < len(names) or "" in headings:
        raise UsageFault(f"{path}: two parts have the same name or heading, or a heading is empty")
    reserved = (ROW, SKIP, NOTE, CANDIDATES, *SIDES, *(column.heading for column in columns_of(questions)))
    if taken := next((one for one in headings if one in reserved or re.search(r" \(\d+\)$", one)), None):
        raise UsageFault(f'{path}: "{taken}" is the heading of another column of sheets: give the part another one')


def _check_questions(path: str, questions: Iterable[Question], parts: list[str], *, has_candidates: bool) -> None:
    names = [question.name for question in questions]
    if len(set(names)) < len(names):
        raise UsageFault(f"{path}: two questions have the same name")
    for question in questions:
        place = question.part if isinstance(question, Spans) else getattr(question, "custom_in", None)
        if (isinstance(question, Spans) or place is not None) and place not in parts:
            raise UsageFault(f'{path}: "{question.name}" is of the part "{place}", which is not there')
        if isinstance(question, (Pick, Winner)) and not has_candidates:
            raise UsageFault(f'{path}: "{question.name}" needs "candidates"')


def _reader(given: dict[str, Any]) -> Callable[[Record], Iterator[Item]]:
    """Function that yields the items of a record."""

    def items(record: Record) -> Iterator[Item]:
        paper = str(record.get("id"))
        found = _at(record, given["items"]) if given.get("items") else [record]
        if not isinstance(found, list):
            raise InputFault(f'"{given["items"]}" is not a list', kind="missing-key")
        for place, item in enumerate(found, 1):
            name = str(item.get(given.get("id") or "id") or place)
            parts = tuple(Part(one["name"], one["heading"], _text(record, item, one["text"])) for one in given["parts"])
            listed = _at(item, given["candidates"]) if given.get("candidates") else ()
            candidates = tuple(Candidate(str(one["id"]), one["text"]) for one in listed or ())
            group, stratum = (_at(item, given[key]) if given.get(key) else None for key in ("group", "stratum"))
            whole = paper if found == [record] else f"{paper}/{name}"
            yield Item(whole, paper, str(group or paper), parts, candidates, None if stratum is None else str(stratum))

    return items


def _at(record: Record, path: str) -> Any:
    return None if (found := lookup(record, path)) is ABSENT else found


def _text(record: Record, item: Record, path: str) -> str:
    whole = path.startswith("record.")
    value = _at(record if whole else item, path.removeprefix("record."))
    if not isinstance(value, str):
        raise InputFault(f'"{path}" is not a text', kind="missing-key")
    return value
