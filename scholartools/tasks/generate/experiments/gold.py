"""Human lists of a paper's experiments, and their locations in the paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.records import Entry, Record, read, texts
from scholartools.tasks.shared.items import references, values_at

#: Default key of the human list.
EXPERIMENTS: Final = "experiments"


class Gold(NamedTuple):
    """An experiment: id, text, and spans as (text name, start, end), half-open, in code points."""

    id: str | None
    text: str
    places: list[tuple[str, int, int]]


def read_gold(record: Record, path: str = EXPERIMENTS) -> list[Gold]:
    """The experiments at a path, followed by those under ``experiments``.

    Raises:
        InputFault: the path is empty, unless it is ``experiments``; or a span is malformed or does not match its text.
    """
    own = read(record, EXPERIMENTS) or []
    named = [] if path == EXPERIMENTS else list(_list_items(record, path))
    known = texts(record)
    found = [*((path, one) for one in named), *((EXPERIMENTS, one) for one in own)]
    return [_make_gold(where, number, one, known) for number, (where, one) in enumerate(found, 1)]


def _list_items(record: Record, path: str) -> Iterator[Record]:
    """The entries at a path; :func:`references` checks that they are texts of one system."""
    hint = f"people write these; name another key with {parameter(EXPERIMENTS)}"
    references(record, path, hint)
    for _, value in values_at(record, path, hint):
        yield from _flatten(value)


def _flatten(value: Any) -> Iterator[Record]:
    if isinstance(value, str):
        yield {"text": value}
    elif isinstance(value, list):
        for one in value:
            yield from _flatten(one)
    elif isinstance(value.get("items"), list):
        yield from _flatten(value["items"])
    else:
        yield value


def _make_gold(path: str, number: int, item: Entry, known: dict[str, str]) -> Gold:
    name = None if item.get("id") is None else str(item["id"])
    owner = f'experiment {number}, of "{path}"' if name is None else f'experiment "{name}", of "{path}"'
    spans = item.get("spans")
    if not isinstance(spans, list | None):
        raise InputFault(f"{owner}: its spans are not a list", kind="invalid-key")
    for span in spans or ():
        if (fault := _span_fault(span, known)) is not None:
            raise InputFault(f"{owner}: {fault}", kind="invalid-key")
    return Gold(name, item["text"], [(span["in"], span["start"], span["end"]) for span in spans or ()])


def _span_fault(span: Any, known: dict[str, str]) -> str | None:
    """Why a span is invalid; None if it is valid."""
    if not isinstance(span, dict) or not isinstance(span.get("in"), str):
        return 'a span is no object with "in", "start" and "end"'
    if span["in"] not in known:
        return f'a span is in "{span["in"]}", and the paper has no such text'
    text, start, end = known[span["in"]], span.get("start"), span.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        return f'the span from {start} to {end} does not fit "{span["in"]}", which has {len(text)} code points'
    if span.get("text", text[start:end]) != text[start:end]:
        return f'the text of the span from {start} to {end} differs from the text there in "{span["in"]}"'
    return None
