"""st-cache export, import, merge: calls as a file, with which a run can be repeated elsewhere, and other caches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.cache.options import (
    action,
    choice_option,
    named_place,
    open_cache,
    selection_of,
    selection_options,
)
from scholartools.commands.shared.options import excludes
from scholartools.errors import UsageFault
from scholartools.wording import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scholartools import io
    from scholartools.cache import Place
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
def export(place: Place, output: io.Output, quiet: bool, used_by: tuple[str, ...], **options: Any) -> int:
    """Write calls as a bundle, which `st-cache import` reads.

    A bundle is JSONL, the same bytes for the same calls, compressed where --output ends in .gz or .zst, and holds no
    key of a provider. It holds the texts that were sent: look at them before you publish it.
    """
    from scholartools import io
    from scholartools.cache import bundle

    with open_cache(place) as cache:
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
def import_(place: Place, output: io.Output, quiet: bool, files: tuple[str, ...]) -> int:
    """Store the calls of bundles, and write a record of counts for each.

    They may be compressed with gzip or zstd. Every line is verified before anything is stored; a bundle that was cut or
    edited is refused. Where the cache has another reply to a call, that one is kept and counted under `conflicts`; what
    cannot be a call is counted under `refused`. The exit status is 1 in both cases.
    """
    from scholartools import io
    from scholartools.cache import bundle, packing

    left = 0
    opened = [(name, io.open_input(name)) for name in files or ("-",)]
    with open_cache(place, readonly=False) as cache:
        for name, file in opened:
            with file:
                loaded = bundle.load(packing.iter_unpacked(file, name), cache, name)
            output.write({"bundle": name, **loaded.record()})
            left += loaded.conflicts + loaded.refused
            for message in () if quiet else _messages(loaded, name):
                click.echo(f"st-cache: {message}", err=True)
    return 1 if left else 0


@action(
    "merge",
    argument=click.Argument(["sources"], metavar="SOURCE...", nargs=-1, required=True),
    examples=[
        ("st-cache merge node1.sqlite node2.sqlite", "Store the replies that two machines got."),
        ("st-cache merge calls.sqlite --cache postgresql://db.example.org/study", "Move a cache to a database."),
        ("st-cache merge postgresql://db.example.org/study --cache copy.sqlite", "And back: a copy."),
    ],
)
def merge(place: Place, output: io.Output, quiet: bool, sources: tuple[str, ...]) -> int:
    """Store the replies of other caches, and write a record of counts for each.

    A SOURCE is a folder, a file NAME.sqlite or postgresql://HOST/DATABASE, and is not changed. Replies that are stored
    but not used are taken, too. Where the cache has another reply to a call, that one is kept and counted under
    `conflicts`; what cannot be read is counted under `damaged`. The exit status is 1 in both cases.
    """
    from dataclasses import asdict

    from scholartools.cache.merge import merge as merge_caches

    left = 0
    places = [named_place(name) for name in sources]
    with open_cache(place, readonly=False) as cache:
        for one in places:
            if str(one) == str(place):
                raise UsageFault(f"{one}: a cache is not merged into itself")
            with open_cache(one) as source:
                merged = merge_caches(source, cache)
            output.write({"source": str(one), **asdict(merged)})
            left += merged.conflicts + merged.damaged
            if merged.conflicts and not quiet:
                told = _told_of_conflicts(merged.conflicts, merged.replies)
                click.echo(f"st-cache: {one}: {told}", err=True)
    return 1 if left else 0


def _messages(loaded: Loaded, name: str) -> Iterator[str]:
    """What is to be told of the calls that were not taken."""
    yield from loaded.reasons
    if (more := loaded.refused - len(loaded.reasons)) > 0:
        yield f"{name}: {count_of(more, 'more call')} refused"
    if loaded.conflicts:
        yield f"{name}: {_told_of_conflicts(loaded.conflicts, loaded.calls)}"


def _told_of_conflicts(conflicts: int, calls: int) -> str:
    have = "has" if conflicts == 1 else "have"
    return f"{conflicts} of {count_of(calls, 'call')} {have} another reply in the cache, which was kept"
