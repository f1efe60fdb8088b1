"""st-cache prune, check, salvage: delete replies, check the cache, and recover replies of a damaged cache."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.cache.options import action, choice_option, open_cache, selection_of, selection_options
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools import io
    from scholartools.cache import Place


@action(
    "prune",
    examples=[
        ("st-cache prune --older-than 90 --dry-run", "Count the stored replies that are older than 90 days."),
        ("st-cache prune --unusable", "Delete the replies of models that are stored but not used."),
    ],
)
@selection_options()
@choice_option(
    "--dry-run",
    help="Delete nothing; only count the replies that the same command without --dry-run deletes.",
    is_flag=True,
)
def prune(place: Place, output: io.Output, quiet: bool, dry_run: bool, **options: Any) -> int:
    """Delete the stored replies that match all given options, and print the number of deleted replies.

    st-cache prune needs at least one option that selects replies; `--older-than 0` selects all replies.
    """
    if all(value is None or value is False for value in options.values()):
        raise UsageFault(
            "prune needs an option that selects replies: --older-than (0 for all), --model, --prompt or --unusable"
        )
    with open_cache(place, readonly=dry_run or (isinstance(place, Path) and not place.exists())) as cache:
        output.write(cache.prune(selection_of(options), dry_run=dry_run))
    return 0


@action(
    "check",
    examples=[
        ("st-cache check", "Check whether the default cache is intact."),
        ("st-cache check --cache copy.sqlite", "Check whether another cache is intact."),
    ],
)
def check(place: Place, output: io.Output, quiet: bool) -> int:
    """Count the stored replies that are intact, that is, readable and stored under the key of their own request.

    The exit status is 1 if the file of the cache is damaged. `st-cache salvage` copies the intact replies of a damaged
    cache.
    """
    from scholartools.cache import salvage

    report = salvage.check(place)
    output.write(report)
    if report["sqlite"] == "ok" and not report["damaged"]:
        return 0
    if not quiet:
        whole = f"`st-cache salvage PATH` copies the {report['whole']} intact replies into a new cache"
        click.echo(f"st-cache: {place}: the cache is damaged; {whole}", err=True)
    return 1


@action(
    "salvage",
    argument=click.Argument(["new"], metavar="PATH"),
    examples=[
        ("st-cache salvage new.sqlite --cache damaged.sqlite", "Copy the intact replies of a damaged cache."),
        ("st-cache check --cache new.sqlite", "Check whether the new cache is intact."),
    ],
)
def salvage(place: Place, output: io.Output, quiet: bool, new: str) -> int:
    """Copy the intact replies of a damaged cache to a new cache at PATH.

    st-cache salvage writes a record of counts, such as the number of copied replies. The exit status is 1 if a reply
    could not be copied. st-cache salvage neither changes the damaged cache nor overwrites a file.
    """
    from scholartools.cache import cache_file
    from scholartools.cache import salvage as salvaging

    if not isinstance(place, Path):
        raise UsageFault("salvage reads damaged SQLite files; for a database, use pg_dump")
    report = salvaging.salvage(place, cache_file(new))
    output.write(report)
    return 1 if report["lost"] or report["missing_pages"] else 0
