"""The two sides of facet judgements: ``facets`` of the record's texts, or custom keys; and their fingerprint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.paths import ABSENT, lookup
from scholartools.records import Entry, Record, need, read, shape_fault, summary_faults
from scholartools.schemas.base import Model
from scholartools.signature import fingerprint
from scholartools.tasks.facets.facet_sets import changed_facets, facets_of, verify_facets
from scholartools.tasks.shared.blanks import is_blank
from scholartools.tasks.shared.judgements import refuse_other_texts
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

# Text by facet; None for missing facets.
Texts = Mapping[str, str | None]


class Given(Model):
    """A user's own facets of one text: all four named, so that a name misspelt is not taken for a facet not there."""

    system: str | None = None
    background: str | None
    method: str | None
    result: str | None
    conclusion: str | None


_ONE, _MANY = TypeAdapter(Given), TypeAdapter(list[Given])


def reference(record: Record, path: str | None) -> Texts:
    """Facets of the reference: of the abstract, or at a path.

    Raises:
        InputFault: there are none, several sets, or stale ones.
    """
    if path is None:
        _check_facets(record)
        return _extracted_texts(record, "abstract")
    return _user_texts(_check_shape(_ONE, _value_at(record, path, "reference"), path))


def candidates(record: Record, path: str | None) -> dict[str, Texts]:
    """Facets of the candidates by system: of each of ``summaries``, or at a path.

    The path leads to an object, whose system defaults to the path, or to a list of objects with their systems.

    Raises:
        InputFault: there are none, several of one system, or stale ones.
    """
    if path is None:
        _check_facets(record)
        return {system: _extracted_texts(record, f"summary:{system}") for system in _systems(record)}
    value = _value_at(record, path, "candidate")
    if not isinstance(value, list):
        given = _check_shape(_ONE, value, path)
        return {given.get("system") or path: _user_texts(given)}
    if not value:
        raise InputFault(f'"{path}" is empty: nothing to judge', kind="missing-key")
    named: dict[str, Texts] = {}
    for place, entry in enumerate(_check_shape(_MANY, value, path)):
        system = entry.get("system")
        if system is None or system in named:
            fault = "has no system" if system is None else f'has the system "{system}" of another'
            raise InputFault(f'"{path}": entry {place + 1} {fault}', kind="invalid-key")
        named[system] = _user_texts(entry)
    return named


def facets_mark(reference: Texts, candidate: Texts) -> str:
    """Fingerprint of the facets that a candidate's ratings refer to."""
    return fingerprint([dict(reference), dict(candidate)])


def refuse_other_facets(record: Any, judged: Entry) -> None:
    """Check that a candidate's ratings refer to the texts and facets of the record, if it has those of both sides.

    Raises:
        InputFault: they refer to other texts.
    """
    system, wanted, given = judged["system"], judged.get("reference"), judged.get("in")
    is_abstract, is_summary = wanted in (None, "abstract"), given in (None, f"summary:{system}")
    changed = changed_facets(record) if read(record, "facets") else {}
    for name in [*(["abstract"] if is_abstract else []), *([f"summary:{system}"] if is_summary else [])]:
        if name in changed:
            raise changed[name]
    if judged.get("texts") is None:
        return
    try:
        rated = _extracted_texts(record, "abstract") if is_abstract else reference(record, wanted)
        own = _extracted_texts(record, f"summary:{system}") if is_summary else candidates(record, given).get(system)
    except InputFault:  # a side is not in the record
        return
    if own is not None:
        refuse_other_texts(judged, "facets", facets_mark(rated, own))


def _systems(record: PaperRecord) -> list[str]:
    """The systems with valid summaries; the caller reports the others.

    Raises:
        InputFault: there are none.
    """
    faults = summary_faults(record)
    if not faults and not need(
        record, "summaries", 'add the summaries to judge, such as [{"system": "a", "text": "..."}]'
    ):
        raise InputFault('"summaries" is empty: nothing to judge', kind="missing-key")
    if len(faults) == len(record["summaries"]):
        raise next(iter(faults.values()))
    return [summary["system"] for place, summary in enumerate(record["summaries"]) if place not in faults]


def _check_facets(record: Record) -> None:
    """Check that facets match their texts, with one set per text.

    The choice among several samples or methods would be arbitrary and change the ratings.
    """
    names = Counter(found["in"] for found in need(record, "facets", "run st-facets first"))
    for name, count in names.items():
        if count > 1:
            reason = f'"facets" has "{name}" {count} times (samples?): keep one of each text'
            raise InputFault(reason, kind="invalid-key")
    verify_facets(record)


def _extracted_texts(record: PaperRecord, name: str) -> Texts:
    found = facets_of(record, name)
    return {facet: _nonblank_text(found[facet]["text"] if found[facet] else None) for facet in FACETS}


def _user_texts(entry: Record) -> Texts:
    return {facet: _nonblank_text(entry[facet]) for facet in FACETS}


def _nonblank_text(text: str | None) -> str | None:
    return None if is_blank(text) else text


def _value_at(record: Record, path: str, name: str) -> Any:
    value = lookup(record, path)
    if value is ABSENT or value is None:
        raise InputFault(f'no "{path}" ({parameter(name)})', kind="missing-key")
    return value


def _check_shape(adapter: TypeAdapter, value: Any, path: str) -> Any:
    """Validate a value and return it unchanged."""
    try:
        adapter.validate_python(value)
    except ValidationError as error:
        raise InputFault(shape_fault(error, path), kind="invalid-key") from None
    return value
