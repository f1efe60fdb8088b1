"""The texts that ratings of a record refer to, found by their fingerprints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Record, read
from scholartools.tasks.judge.rate.entries import TASK
from scholartools.tasks.judge.rate.inputs import Owner, Where, items_of, owners_of

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Rated

_PATHS = ("candidate", "context", "reference", "context_words", "system_key", "item_key")


def texts_by_mark(record: Record) -> dict[tuple[str, str, str], tuple[str, Owner]]:
    """Text and containing object by system, item, and fingerprint of text and context."""
    found: dict[tuple[str, str, str], tuple[str, Owner]] = {}
    for where in _iter_text_paths(record):
        try:
            items = items_of(record, where)
        except InputFault:  # the context is gone, so its entries cannot be matched
            continue
        owners = owners_of(record, where, items)
        found |= {
            (item.system, item.id, item.fingerprint): (item.text, owner)
            for item, owner in zip(items, owners, strict=True)
        }
    return found


def _iter_text_paths(record: PaperRecord) -> Iterator[Where]:
    """Locations of texts and context in runs of st-judge rate, from the provenance."""
    for options in options_of_runs(record):
        where = options.get("where")
        if isinstance(where, dict) and where.get("candidate"):
            given = {name: where[name] for name in _PATHS if where.get(name) is not None}
            yield Where(**{**given, "context": tuple(given.get("context", ()))})


def options_of_runs(record: PaperRecord) -> Iterator[Record]:
    """Options of the runs of st-judge rate, from the provenance.

    Raises:
        InputFault: an option has the wrong type.
    """
    for made in read(record, "provenance") or []:
        if made.get("task") != TASK:
            continue
        options = made.get("options") or {}
        scales, methods, where = ((options.get(name) or {}) for name in ("scales", "methods", "where"))
        paths = where if isinstance(where, dict) else {}
        listed = [methods or [], paths.get("context") or []]
        is_sound = isinstance(scales, dict) and all(isinstance(scale, list) for scale in scales.values())
        is_sound &= all(isinstance(texts, list) and all(isinstance(one, str) for one in texts) for texts in listed)
        is_sound &= all(
            isinstance(paths.get(name) or "", str) for name in _PATHS if name not in ("context", "context_words")
        )
        if not is_sound or not isinstance(paths.get("context_words") or 1, int):
            raise InputFault('"provenance": an option of st-judge rate has the wrong type', kind="invalid-key")
        yield options


def text_of(entry: Rated, texts: Mapping[tuple[str, str, str], tuple[str, Owner]]) -> tuple[str, Owner]:
    """The text that a rating refers to, and the object that contains it.

    Args:
        entry: the rating.
        texts: result of :func:`texts_by_mark`.

    Raises:
        InputFault: the text, or its context, has changed since.
    """
    found = texts.get((entry["system"], entry["item"], entry["text"]))
    if found is None:
        named = f'item "{entry["item"]}" of "{entry["system"]}"'
        reason = f"{named}: the text, or what was shown beside it, has changed since {entry['method']} judged it"
        raise InputFault(reason, kind="changed-text")
    return found
