"""st-cache batch: the files of questions that runs with --batch-file wrote, and whether their replies are there."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.cache.options import action

if TYPE_CHECKING:
    from scholartools import io
    from scholartools.cache import Place
    from scholartools.cache.batches import Batches


@action(
    "batch",
    argument=click.Argument(["what"], type=click.Choice(["list", "status"])),
    examples=[
        ("st-cache batch list", "All files of questions, and where their replies are expected."),
        ("st-cache batch status", "How far each run is."),
    ],
)
def batch(place: Place, output: io.Output, quiet: bool, what: str) -> int:
    """List the files of questions (list), or how far the runs are that wrote them (status), one record each."""
    from scholartools.cache.batches import Batches, batches_file

    if isinstance(place, Path) and not batches_file(place).exists():
        return 0
    batches = Batches(place)
    try:
        for record in _parts(batches) if what == "list" else _runs(batches):
            output.write(record)
    finally:
        batches.close()
    return 0


def _parts(batches: Batches) -> list[dict[str, Any]]:
    return [
        {
            "questions": str(part.path),
            "replies": str(part.replies),
            "state": part.state,
            "has_replies": part.replies.exists(),
            "lines": part.lines,
            "answered": batches.n_answered(part),
            "doubled": part.doubled,
            "unknown": part.unknown,
            "made": _time(part.made),
            "collected": _time(part.collected),
        }
        for part in batches.parts()
    ]


def _runs(batches: Batches) -> list[dict[str, Any]]:
    return [
        {
            "folder": folder,
            "state": "waiting" if ended is None else "done",
            "parts": len(parts),
            "waiting": sum(part.state == "waiting" for part in parts),
            "lines": sum(part.lines for part in parts),
            "answered": sum(batches.n_answered(part) for part in parts),
            "started": _time(started),
            "ended": _time(ended),
        }
        for run, folder, started, ended in batches.runs()
        for parts in [batches.parts(run)]
    ]


def _time(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
