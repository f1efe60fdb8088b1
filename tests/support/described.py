"""Check that records written by commands match the published types: no other values, no undescribed keys."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from scholartools.schemas.paper import Paper

# Commands that write paper records, and options with which they write other output.
WRITERS = {"st-parse", "st-facets", "st-extract-limits", "st-claims", "st-generate", "st-judge", "st-score"}
OTHERWISE = {
    "--summary",
    "--table",
    "--csv",
    "--compare",
    "--runs",
    "--text",
    "--html",
    "--outline",
    "--dry-run",
    "--list",
}


def check(command: str, args: tuple[str, ...], given: bytes, out: bytes, folder: Path) -> None:
    """Assert that the types describe the records that a command wrote.

    Values that the command copied unchanged from its input, and keys that occur in the input, are exempt.
    """
    if command not in WRITERS or OTHERWISE.intersection(args):
        return
    for line in out.splitlines():
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        faults = list(undescribed(record)) if isinstance(record, dict) else []
        if faults:
            own = "\n".join(_inputs(args, given, folder))
            values = _values(own)
            bad = [
                text
                for key, name, text in faults
                if f'"{name}"' not in own and _canonical(key, record[key]) not in values
            ]
            assert not bad, f"{command} wrote what scholartools/schemas does not describe: {bad}"


def undescribed(record: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield each value of a wrong type, or at an undescribed key: key of the record, name, and description."""
    for key, value in record.items():
        if key not in Paper.model_fields or value is None:
            continue
        try:
            read = _adapter(key).validate_python(value, strict=True)
        except ValidationError as error:
            yield key, "\0", f"{key}: {error.errors(include_url=False)[0]}"
            continue
        for place, name in _extras(read, key):
            yield key, name, f"{place}.{name}"


def _extras(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, BaseModel):
        yield from ((place, name) for name in value.model_extra or ())
        for name in type(value).model_fields:
            yield from _extras(getattr(value, name), f"{place}.{name}")
    elif isinstance(value, (list, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _extras(each, place)


@functools.cache
def _adapter(key: str) -> TypeAdapter:
    return TypeAdapter(Paper.model_fields[key].annotation or Any)


def _inputs(args: Iterable[str], given: bytes, folder: Path) -> Iterator[str]:
    yield given.decode(errors="replace")
    for name in args:
        path = folder / name
        if len(name) < 200 and path.is_file() and path.suffix in (".jsonl", ".json"):
            yield path.read_text(errors="replace")


def _values(text: str) -> set[str]:
    found = set()
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        found |= {_canonical(key, value) for key, value in record.items()} if isinstance(record, dict) else set()
    return found


def _canonical(key: str, value: Any) -> str:
    return json.dumps([key, value], sort_keys=True)
