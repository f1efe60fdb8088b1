"""st-cache stats, list, show, path: contents and location of the cache."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.cache.options import (
    action,
    has_cache,
    open_cache,
    selection_of,
    selection_options,
    tell_if_none,
)

if TYPE_CHECKING:
    from scholartools import io
    from scholartools.cache import Place


@action(
    "stats",
    examples=[
        ("st-cache stats", "Count calls, tokens and cost in the default cache."),
        ("st-cache stats --cache calls.sqlite", "Count calls, tokens and cost in another cache."),
    ],
)
def stats(place: Place, output: io.Output, quiet: bool) -> int:
    """Count calls, tokens and cost, in total and by model and prompt.

    The output also counts the stored responses of web services to st-fetch, by service.
    """
    from scholartools.cache.answers import Answers

    record: dict[str, Any] = {}
    if Answers.exist(place):
        with contextlib.closing(Answers(place, readonly=True)) as answers:
            record["sources"] = answers.counts()
    if not record or has_cache(place):
        with open_cache(place) as cache:
            record = {**cache.stats(), **record}
    output.write(record)
    return 0


@action(
    "list",
    examples=[
        ("st-cache list --prompt facets", "List the stored replies to the prompt facets."),
        ("st-cache list --unusable", "List the replies of models that are stored but not used."),
    ],
)
@selection_options()
def list_(place: Place, output: io.Output, quiet: bool, **options: Any) -> int:
    """Write a record for each stored reply of a model, oldest first.

    With options, st-cache list shows only the replies that match all given options.
    """
    with open_cache(place) as cache:
        for record in tell_if_none(cache.listing(selection_of(options)), quiet):
            output.write(record)
    return 0


@action(
    "show",
    argument=click.Argument(["key"]),
    examples=[
        ("st-cache show 4f1a", "Show the call whose key begins with 4f1a."),
        ("st-cache show 4f1a | jq -r .reply.text", "Print only the text of each reply to a model call."),
    ],
)
def show(place: Place, output: io.Output, quiet: bool, key: str) -> int:
    """Show one model call: its request and all stored replies.

    KEY is the key of a model call, or the beginning of the key; `st-cache list` shows the keys of all calls.
    """
    from scholartools.cache import bundle

    with open_cache(place) as cache:
        for entry in cache.every(key):
            output.write(bundle.bundle_line(entry, served=entry.reply.is_usable))
    return 0


@action(
    "path",
    examples=[
        ("st-cache path", "Print the path of the default cache."),
        ("ls -l $(st-cache path)", "Show the size of the default cache."),
    ],
)
def path(place: Place, output: io.Output, quiet: bool) -> int:
    """Print the path or the address of the cache."""
    output.write(f"{place}\n")
    return 0
