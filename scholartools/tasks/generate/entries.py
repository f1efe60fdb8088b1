"""How what systems write goes into a record: a list a task under ``generated``, one entry for each system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scholartools.records import Entry, Record, read, replace_rejected
from scholartools.tasks.shared.systems import is_of_run, of_other_runs

COMMAND = "st-generate"


def with_generated(record: Record, task: str, entries: Sequence[Record]) -> Record:
    """A copy of the record with the entries of a task, for their systems in place of earlier ones, samples included.

    Raises:
        InputFault: ``generated`` is there and is something else.
    """
    earlier: Entry = read(record, "generated") or {}
    kept = of_other_runs(earlier.get(task) or (), {entry["system"] for entry in entries})
    return {**record, "generated": {**earlier, task: [*kept, *entries]}}


def with_rejected(record: Record, task: str, made: Mapping[str, Record]) -> Record:
    """The record with the items that cannot be used of each system, in place of those of an earlier run of it.

    Args:
        made: by system; ``rejected`` holds its items, each with ``text`` and ``reason``, and ``is_draft`` where it is
            of a list that another was made of.

    Raises:
        InputFault: ``rejected`` of the record is there and is something else.
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
    """Items with ids, by their place."""
    return None if items is None else [{"id": f"g{n}", **item} for n, item in enumerate(items, 1)]
