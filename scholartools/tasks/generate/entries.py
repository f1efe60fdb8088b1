"""Store generated text in a record: one list per task under ``generated``, with one entry per system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scholartools.records import Entry, Record, read, replace_rejected
from scholartools.tasks.shared.systems import is_of_run, of_other_runs

COMMAND = "st-generate"


def with_generated(record: Record, task: str, entries: Sequence[Record]) -> Record:
    """Add the entries of a task to a copy of the record, replacing earlier ones of their systems and samples.

    Raises:
        InputFault: ``generated`` is present but malformed.
    """
    earlier: Entry = read(record, "generated") or {}
    kept = of_other_runs(earlier.get(task) or (), {entry["system"] for entry in entries})
    return {**record, "generated": {**earlier, task: [*kept, *entries]}}


def with_rejected(record: Record, task: str, made: Mapping[str, Record]) -> Record:
    """Store the unusable items of each system, replacing those of earlier runs.

    Args:
        made: results by system; their ``rejected`` items have ``text`` and ``reason``, and ``is_draft`` if they come
            from a list that was later merged.

    Raises:
        InputFault: ``rejected`` is present but malformed.
    """
    place = f"generated.{task}"
    new = [
        {"command": COMMAND, "in": place, "system": system, "title": item.get("heading"), "text": item["text"],
         "reason": item["reason"], **({"step": "draft"} if item.get("is_draft") else {})}
        for system, one in made.items()
        for item in one["rejected"]
    ]  # fmt: skip
    return replace_rejected(
        record, new, lambda entry: entry.get("in") == place and is_of_run(entry.get("system") or "", made)
    )


def number_items(items: Sequence[Record] | None) -> list[Record] | None:
    """Items with ids by position."""
    return None if items is None else [{"id": f"g{n}", **item} for n, item in enumerate(items, 1)]
