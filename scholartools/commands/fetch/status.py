"""st-fetch status: which services can be asked, with which keys and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.commands.shared.command import command

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-fetch status",
    examples=[
        ("st-fetch status", "A record for each source."),
        ("st-fetch status | jq -r 'select(.key.set | not) | .key.variable'", "The variables that are not set."),
    ],
    arguments="",
    reads="ids",
)
def status(stream: Stream) -> int:
    """Show which services can be asked, and with which limits.

    A record for each source: its hosts, the variable of its key and whether that is set (a key is never shown), the
    least seconds between requests, how long it wants none, what may be done with its answers, when and where that was
    read, and how many of its answers are stored. Nothing is sent.
    """
    from scholartools.pipeline.fetching import show_status

    return show_status(stream)
