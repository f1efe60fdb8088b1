"""st-cache batch: requests of runs with --batch and --batch-file, and the state of their replies."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.cache.options import action
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools import io
    from scholartools.cache import Place
    from scholartools.cache.batches import Batches, Sent
    from scholartools.llm.batch.courier import Courier


@action(
    "batch",
    argument=click.Argument(["words"], nargs=-1, required=True, metavar="list|status|collect|cancel ID"),
    examples=[
        ("st-cache batch list", "List all files of requests, and the files in which their replies are expected."),
        ("st-cache batch status", "Show how many requests of each run are answered."),
        (
            "st-cache batch collect",
            "Download the finished replies from the providers. To use the downloaded replies, run the commands that "
            "sent the batches again.",
        ),
        (
            "st-cache batch cancel batch_1",
            "Cancel a batch at the provider, which still charges for the requests that are already answered.",
        ),
    ],
)
def batch(place: Place, output: io.Output, quiet: bool, words: tuple[str, ...]) -> int:
    """List, collect or cancel batches of requests to models, or show the progress of runs.

    Runs with --batch or --batch-file write their requests to a model into files. `st-cache batch list` lists the files
    of requests. `st-cache batch status` shows how many requests of each run are answered. `st-cache batch collect`
    downloads the finished replies from the providers. `st-cache batch cancel ID` cancels the batch with the identifier
    ID at its provider.
    """
    from scholartools.cache.batches import Batches, batches_file

    what, *named = words
    if what not in ("list", "status", "collect", "cancel") or len(named) != (what == "cancel"):
        raise UsageFault(f"batch {' '.join(words)}: give list, status, collect, or cancel ID")
    if isinstance(place, Path) and not batches_file(place).exists():
        if named:
            raise UsageFault(f"this cache knows no batch {named[0]}: it has none")
        return 0
    batches = Batches(place)
    try:
        if what in ("collect", "cancel"):
            _move(batches, named, lambda message: None if quiet else click.echo(f"st-cache: {message}", err=True))
        if what != "cancel":
            for record in _runs(batches) if what == "status" else _parts(batches):
                output.write(record)
    finally:
        batches.close()
    return 0


def _move(batches: Batches, named: Sequence[str], tell: Callable[[str], None]) -> None:
    """Fetch the replies of all live batches, or cancel the one that is named.

    Raises:
        UsageFault: the named batch is unknown or has ended.
        ModelFault: a provider refuses to answer.
    """
    from scholartools.cache.batches import FETCHED, SENT, TO_SEND
    from scholartools.llm.batch.courier import Courier
    from scholartools.llm.batch.endpoints import connect_batches
    from scholartools.llm.settings import Settings

    live = [sent for sent in batches.sent() if sent.state in (TO_SEND, SENT, FETCHED) and sent.remote]
    chosen = [sent for sent in live if not named or sent.remote == named[0]]
    if named and not chosen:
        raise UsageFault(f"this cache knows no batch {named[0]}, or the batch has ended: see st-cache batch list")
    folders = {run: folder for run, folder, *_ in batches.runs()}
    for run, model in dict.fromkeys((sent.run, sent.model) for sent in chosen):
        settings = Settings(model)
        courier = Courier(settings, functools.partial(connect_batches, settings), batches, tell, run)
        with contextlib.closing(courier):
            if named:
                courier.cancel(chosen[0])
            else:
                _collect(courier, folders[run], tell)


def _collect(courier: Courier, folder: str, tell: Callable[[str], None]) -> None:
    """Fetch the replies to a run's batches, unless a running command uses its folder and fetches them itself."""
    from scholartools.llm.batch.offline import lock_folder

    try:
        lock = lock_folder(folder)
    except OSError as error:
        tell(f"{folder}: {error.strerror}, so the replies to its questions are not fetched")
        return
    if lock is None:
        tell(f"{folder}: a running command uses this folder, and fetches the replies itself")
        return
    try:
        courier.go(sends=False)
    finally:
        os.close(lock)


def _parts(batches: Batches) -> list[dict[str, Any]]:
    sent = {one.part: one for one in batches.sent()}
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
            **(_sending(sent[part.id]) if part.id in sent else {}),
        }
        for part in batches.parts()
    ]


def _sending(sent: Sent) -> dict[str, Any]:
    """Record of a batch part at its provider; ``reserved`` (maximum) and ``cost`` (null while unknown) are in USD."""
    names = ("model", "address", "remote", "told", "reserved")
    return {"batch": {**{name: getattr(sent, name) or None for name in names}, "cost": sent.cost}}


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
