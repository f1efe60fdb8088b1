"""st-fetch status: which services can be asked, with which keys and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import needs, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-fetch status",
    examples=[
        ("st-fetch status", "A record for each source."),
        ("st-fetch status --check --mailto you@example.org", "Whether each answers, and what it says of its limits."),
        ("st-fetch status | jq -r 'select(.key.set | not) | .key.variable'", "The variables that are not set."),
    ],
    arguments="",
    reads="ids",
)
@option("--check", is_flag=True, help="Ask each service for one thing that costs nothing, and compare its limits.")
@option(
    "--mailto", metavar="ADDRESS", conditions=needs("--check"), help="Mail address at which a service can reach you."
)
def status(stream: Stream, check: bool, mailto: str | None) -> int:
    """Show which services can be asked, and with which limits.

    A record for each source: its hosts, the variable of its key and whether that is set (a key is never shown), the
    least seconds between requests, how long it wants none, what may be done with its answers, when and where that was
    read, and how many of its answers are stored. Nothing is sent but with --check: then `check` says whether a service
    answers and what it says of its limits, and the status is 1 where one does not, or allows less than is planned.
    """
    from scholartools.pipeline.fetching import show_status
    from scholartools.web.settings import WebSettings, server_in_place

    if not check:
        return show_status(stream)
    base, pace = server_in_place()
    contact = (mailto or "").strip() or None
    return show_status(stream, WebSettings(contact=contact, max_wait=60.0, retries=0, base=base, pace=pace))
