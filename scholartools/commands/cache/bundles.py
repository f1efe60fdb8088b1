"""st-cache export, import: calls as a file, with which a run can be repeated elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.cache.options import action, choice_option, open_cache, selection_of, selection_options
from scholartools.commands.shared.options import excludes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scholartools import io
    from scholartools.cache.bundle import Loaded


@action(
    "export",
    examples=[
        (
            "st-cache export --used-by results.jsonl --output calls.jsonl",
            "The calls with which anyone can repeat a run.",
        ),
        ("st-cache export --model openai/gpt-4o-mini --output calls.jsonl", "All calls to one model."),
    ],
)
@selection_options(unusable=False)
@choice_option(
    "--used-by", metavar="FILE", multiple=True,
    conditions=(excludes("--model"), excludes("--prompt"), excludes("--older-than")),
    help="Only the calls that made the records of FILE; may be repeated.",
)  # fmt: skip
def export(path: Path, output: io.Output, quiet: bool, used_by: tuple[str, ...], **options: Any) -> int:
    """Write calls as a bundle, which `st-cache import` reads.

    A bundle is JSONL, the same bytes for the same calls, compressed where --output ends in .gz or .zst, and holds no
    key of a provider. It holds the texts that were sent: look at them before you publish it.
    """
    from scholartools import io
    from scholartools.cache import bundle

    with open_cache(path) as cache:
        keys = bundle.used_keys(io.read_lines(used_by, "used_by")) if used_by else cache.keys(selection_of(options))
        bundle.export(cache, output, keys)
    return 0


@action(
    "import",
    argument=click.Argument(["files"], metavar="[FILE]...", nargs=-1),
    examples=[
        ("st-cache import calls.jsonl", "Store the calls; then --replay needs neither network nor key."),
        ("st-cache import calls.jsonl.zst more.jsonl.gz", "Compressed ones, too."),
    ],
)
def import_(path: Path, output: io.Output, quiet: bool, files: tuple[str, ...]) -> int:
    """Store the calls of bundles, and write a record of counts for each.

    They may be compressed with gzip or zstd. Every line is verified before anything is stored; a bundle that was cut or
    edited is refused. Where the cache has another reply to a call, that one is kept and counted under `conflicts`; what
    cannot be a call is counted under `refused`. The exit status is 1 in both cases.
    """
    from scholartools import io
    from scholartools.cache import bundle, packing

    left = 0
    opened = [(name, io.open_input(name)) for name in files or ("-",)]
    with open_cache(path, readonly=False) as cache:
        for name, file in opened:
            with file:
                loaded = bundle.load(packing.iter_unpacked(file, name), cache, name)
            output.write({"bundle": name, **loaded.record()})
            left += loaded.conflicts + loaded.refused
            for message in () if quiet else _messages(loaded, name):
                click.echo(f"st-cache: {message}", err=True)
    return 1 if left else 0


def _messages(loaded: Loaded, name: str) -> Iterator[str]:
    """What is to be told of the calls that were not taken."""
    yield from loaded.reasons
    if (more := loaded.refused - len(loaded.reasons)) > 0:
        yield f"{name}: {more} more calls refused"
    if loaded.conflicts:
        of = f"{loaded.conflicts} of {loaded.calls} calls"
        yield f"{name}: {of} have another reply in the cache, which was kept"
