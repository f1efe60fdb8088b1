"""st-cache export, import: calls as a file, with which a run can be repeated elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.cache.options import action, choice_option, open_cache, selection_of, selection_options
from scholartools.commands.shared.options import excludes

if TYPE_CHECKING:
    from pathlib import Path

    from scholartools import io


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

    A bundle is JSONL, the same bytes for the same calls, and holds no key of a provider. It holds the texts that were
    sent: look at them before you publish it.
    """
    from scholartools import io
    from scholartools.llm.cache import bundle

    with open_cache(path) as cache:
        keys = bundle.used_keys(io.read_lines(used_by, "used_by")) if used_by else cache.keys(selection_of(options))
        bundle.export(cache, output, keys)
    return 0


@action(
    "import",
    argument=click.Argument(["files"], metavar="[FILE]...", nargs=-1),
    examples=[
        ("st-cache import calls.jsonl", "Store the calls; then --replay needs neither network nor key."),
        ("zcat calls.jsonl.gz | st-cache import", "From standard input."),
    ],
)
def import_(path: Path, output: io.Output, quiet: bool, files: tuple[str, ...]) -> int:
    """Store the calls of bundles, and write a record of counts for each.

    Every line is verified before anything is stored. Where the cache has another reply to a call, that one is kept: the
    record counts it under `conflicts`, and the exit status is 1.
    """
    from scholartools import io
    from scholartools.llm.cache import bundle

    conflicts = 0
    opened = [(name, io.open_input(name)) for name in files or ("-",)]
    with open_cache(path, readonly=False) as cache:
        for name, file in opened:
            with file:
                loaded = bundle.load(file, cache, name)
            output.write({"bundle": name, **loaded.record()})
            conflicts += loaded.conflicts
            if loaded.conflicts and not quiet:
                of = f"{loaded.conflicts} of {loaded.calls} calls"
                click.echo(f"st-cache: {name}: {of} have another reply in the cache, which was kept", err=True)
    return 1 if conflicts else 0
