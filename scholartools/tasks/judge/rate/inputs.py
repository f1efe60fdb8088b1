"""The rated texts of a record, and the context shown with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.paths import ABSENT, lookup
from scholartools.records import Record, name_of, read
from scholartools.schemas.criteria import AspectCriteria, Criteria, RatedExample
from scholartools.signature import fingerprint
from scholartools.tasks.judge.rate.contract import Item
from scholartools.tasks.shared import items as sides
from scholartools.tasks.shared.blanks import given_name
from scholartools.text.prompt_injection import KIND, find_instructions

_STEP = re.compile(r"(?P<path>[^\[\]]+)(?:\[(?P<key>\w+)=(?P<value>[^\]]+)\])?")


@dataclass(frozen=True)
class Where:
    """Locations of texts and context in a record.

    Attributes:
        candidate: path of the texts: a text, a list of texts, items with ``text``, or systems with ``items``.
        context: paths of the context; a final "?" marks an optional one.
        reference: path of a human-written text that is also shown.
        context_words: maximum words per part of the context, from its beginning; None: all.
        system_key: key used for ``system`` in the entries; likewise ``item_key`` for ``id``.
        groups: paths of the values that identify papers in a fit (see :func:`group_paths`).
    """

    candidate: str
    context: tuple[str, ...] = ()
    reference: str | None = None
    context_words: int | None = None
    system_key: str | None = None
    item_key: str | None = None
    groups: tuple[str, ...] = ()

    @classmethod
    def of(cls, criteria: Criteria, **given: Any) -> Where:
        """Combine user options with defaults from the criteria.

        Raises:
            UsageFault: the path of the texts is missing, or a path is malformed.
        """
        candidate = given.get("candidate") or criteria.candidate
        if candidate is None:
            raise UsageFault("the criteria do not name the path of the texts: give it", parameter="candidate")
        named = {name: value for name, value in given.items() if value is not None and name != "context"}
        context = tuple(given.get("context") or criteria.context)
        for path in context:
            if not _STEP.fullmatch(path.removesuffix("?")):
                raise UsageFault(f"{parameter('context', path)}: neither a path nor PATH[KEY=VALUE]")
        return cls(**{**named, "candidate": candidate, "context": context})


def items_of(record: Record, where: Where) -> list[Item]:
    """The texts of a record, in order; texts without an id are named by their position.

    Raises:
        InputFault: there are none, the record's id is invalid, ids within a system are duplicate, or required context
            or the value that identifies papers in a fit is missing.
    """
    by_system = _candidates(record, where)
    source = context_of(record, where)
    groups = tuple((path, _group_at(record, path)) for path in where.groups)
    paper = name_of(record, "id") or ""
    found = []
    for system, texts in by_system.items():
        names = [str(place) if text.id is None else text.id for place, text in enumerate(texts, 1)]
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise InputFault(f'"{where.candidate}": two items of "{system}" are "{twice[0]}"', kind="invalid-key")
        for name, text in zip(names, texts):
            found.append(Item(system, name, where.candidate, text.text, source, paper, groups))
    return found


def group_paths(specs: Iterable[AspectCriteria]) -> tuple[str, ...]:
    """Paths of the values that identify papers in the fits of aspects, besides record ids."""
    paths = {path for spec in specs for path in (spec.fitted or {}).get("groups") or ()}
    return tuple(sorted(paths | {path for spec in specs for one in spec.examples or () for path in one.group}))


def _group_at(record: Record, path: str) -> str:
    try:
        return str(given_name(record, path))
    except InputFault as fault:
        reason = f'{fault.reason}; the fit of the criteria distinguishes papers by "{path}"'
        raise InputFault(reason, kind=fault.kind) from None


class Owner(NamedTuple):
    """The object that contains a rated text, empty if there is none, and its recorded author."""

    record: Record
    writer: str | None


def owners_of(record: Record, where: Where, items: Sequence[Item]) -> list[Owner]:
    """The object of each item, which may have human scores."""
    found = list(_iter_owners(lookup(record, where.candidate), None))
    if [owner.record["text"] for owner in found] != [item.text for item in items]:
        return [Owner({}, None)] * len(items)
    return found


def _iter_owners(value: Any, writer: str | None) -> Iterator[Owner]:
    """The objects with texts, in order, of items or of systems with items."""
    for entry in value if isinstance(value, list) else [value]:
        if not isinstance(entry, dict):
            continue
        by = entry.get("by", writer)
        if isinstance(entry.get("items"), list):
            yield from _iter_owners(entry["items"], by)
        elif isinstance(entry.get("text"), str):
            yield Owner(entry, by if isinstance(by, str) else None)


def warn_of_orders(record: Record, items: Sequence[Item]) -> Record:
    """Add a warning for each sentence of a rated text that instructs a model.

    Raises:
        InputFault: ``warnings`` is present but malformed.
    """
    found = [(item, item.text[start:end]) for item in items for start, end in find_instructions(item.text)]
    if not found:
        return record
    there = read(record, "warnings") or []
    new = [{"kind": KIND, "system": item.system, "item": item.id, "text": text} for item, text in found]
    return {**record, "warnings": [*there, *(warning for warning in new if warning not in there)]}


def _candidates(record: Record, where: Where) -> dict[str, list[sides.Item]]:
    if (value := _value_at(record, where)) is None:
        return sides.candidates(record, where.candidate)
    found = sides.candidates({where.candidate: value}, where.candidate, leave_out_missing=True)
    if not any(found.values()):
        raise InputFault(f'"{where.candidate}" holds no text', kind="missing-key")
    return found


def missing_systems(record: Record, where: Where) -> dict[str | None, str]:
    """The systems whose items are null, each with its recorded reason."""
    value = _value_at(record, where)
    return {} if value is None else sides.missing_items({where.candidate: value}, where.candidate)


def _value_at(record: Record, where: Where) -> Any:
    """The value with the texts, with custom keys renamed to the standard ones; None if missing."""
    value = lookup(record, where.candidate)
    names = {where.system_key: "system", where.item_key: "id"}
    return None if value is ABSENT else _rename(value, {key: name for key, name in names.items() if key})


def _rename(value: Any, names: Mapping[str, str]) -> Any:
    """Rename keys in all objects of a value."""
    if not names:
        return value
    if isinstance(value, list):
        return [_rename(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: _rename(one, names) for key, one in value.items()}
    return made | {
        name: made[key] if name == "id" or isinstance(made[key], str) else str(made[key])
        for key, name in names.items()
        if key in made
    }


def context_of(record: Record, where: Where) -> str:
    """Context of the texts: named parts, joined; equal names are replaced by paths.

    Raises:
        InputFault: a required part is missing or not text.
    """
    parts = dict(_context_parts(record, where))
    if where.reference is not None:
        is_taken = "reference" in map(str.lower, parts)
        name = f"Reference ({where.reference})" if is_taken else "Reference"
        parts[name] = _one_text(record, where.reference, "reference")
    return show_parts(parts)


def show_parts(parts: Mapping[str, str]) -> str:
    """Join named parts."""
    return "\n\n".join(f"{name.capitalize()}: {text}" for name, text in parts.items())


def _context_parts(record: Record, where: Where) -> Iterator[tuple[str, str]]:
    paths = dict.fromkeys(path.removesuffix("?") for path in where.context)
    called = Counter(_name_of(path).capitalize() for path in paths)
    for path in where.context:
        found = list(_texts_at(record, path.removesuffix("?")))
        if not found and not path.endswith("?"):
            raise InputFault(
                f'no "{path}", which is shown beside the texts ({parameter("context")})', kind="missing-key"
            )
        if found:
            name = _name_of(path)
            shown = name if called[name.capitalize()] == 1 else path.removesuffix("?")
            yield shown, _shorten("\n\n".join(found), where.context_words)


def _name_of(path: str) -> str:
    """Name of a part: the value of its condition, or the last step of its path."""
    step = _STEP.fullmatch(path.removesuffix("?"))
    return step["value"] if step and step["value"] else path.removesuffix("?").split(".")[-1]


def _texts_at(record: Record, path: str) -> Iterator[str]:
    step = _STEP.fullmatch(path)
    value = lookup(record, step["path"] if step else path)
    if value is ABSENT or value is None:
        return
    if step and step["key"]:
        entries = value if isinstance(value, list) else []
        yield from _sections_with(entries, step["key"], step["value"])
        return
    for text in value if isinstance(value, list) else [value]:
        yield _text_of(text, path)


def _sections_with(entries: Sequence[Any], key: str, wanted: str) -> Iterator[str]:
    """Texts of the entries with a value at a key, and of their subentries."""
    inside: int | None = None
    for entry in entries:
        level = entry.get("level") if isinstance(entry, dict) else None
        if isinstance(entry, dict) and str(entry.get(key)) == wanted:
            inside = level if isinstance(level, int) else None
        elif inside is None or not isinstance(level, int) or level <= inside:
            inside = None
            continue
        yield _text_of(entry, "sections")


def _text_of(value: Any, path: str) -> str:
    text = value.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise InputFault(f'"{path}" leads to a value without a text', kind="invalid-key")
    return text


def _one_text(record: Record, path: str, name: str) -> str:
    texts = list(_texts_at(record, path))
    if not texts:
        raise InputFault(f'no "{path}" ({parameter(name)})', kind="missing-key")
    return "\n\n".join(texts)


def _shorten(text: str, words: int | None) -> str:
    if words is None:
        return text
    ends = [found.end() for found in re.finditer(r"\S+", text)]
    return text if len(ends) <= words else text[: ends[words - 1]]


def leaks(example: RatedExample, item: Item) -> bool:
    """Whether an example is from the paper of the rated text: by group, id, source or text."""
    if any(example.group.get(path) == value for path, value in item.groups):
        return True
    of_paper = item.paper != "" and example.id is not None and f"{example.id}#".startswith(f"{item.paper}#")
    of_source = item.source in (show_parts(example.source), *example.source.values())
    return of_paper or of_source or example.candidate.split() == item.text.split()


def took_part_in_fit(fitted: Mapping[str, Any] | None, item: Item) -> bool:
    """Whether an item, or its paper, was used to fit an aspect."""
    if not fitted:
        return False
    groups = fitted.get("groups") or {}
    if any(value in groups.get(path, ()) for path, value in item.groups):
        return True
    of_papers = {str(paper) for paper in fitted.get("papers") or ()}
    return item.paper in of_papers or fingerprint(item.text.split()) in (fitted.get("texts") or ())
