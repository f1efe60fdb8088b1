"""st-fetch status: usable web services, with their keys and rate limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import needs, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-fetch status",
    examples=[
        ("st-fetch status", "Write one record for each web service."),
        (
            "st-fetch status --check --mailto you@example.org",
            "Check whether each web service responds, and which limits it reports.",
        ),
        (
            "st-fetch status | jq -r 'select(.key.set | not) | .key.variable'",
            "List the environment variables for API keys that are not set.",
        ),
    ],
    arguments="",
    reads="ids",
)
@option(
    "--check",
    is_flag=True,
    help="Send each web service one free request, and compare the limits that it reports with the limits that "
    "st-fetch assumes.",
)
@option(
    "--mailto",
    metavar="ADDRESS",
    conditions=needs("--check"),
    help="Your e-mail address, so that a web service can contact you.",
)
def status(stream: Stream, check: bool, mailto: str | None) -> int:
    """Show the web services with their limits.

    st-fetch status writes one record for each web service: its hosts, its limits, the terms of use with their source
    and date, and the number of its stored responses. The record of a service names the environment variable of its API
    key, and says whether the variable is set. The API keys themselves are never shown. `st-fetch status` sends requests
    only with --check. With --check, the key `check` says whether the service responds, and which limits it reports. The
    exit status is 1 if a service does not respond, or allows fewer requests than st-fetch sends.
    """
    from scholartools.errors import UsageFault
    from scholartools.pipeline.fetching import show_status
    from scholartools.web.settings import WebSettings, server_in_place

    if stream.files:
        raise UsageFault(f'st-fetch status takes no arguments, but was given "{stream.files[0]}"')
    if not check:
        return show_status(stream)
    base, pace = server_in_place()
    contact = (mailto or "").strip() or None
    return show_status(stream, WebSettings(contact=contact, max_wait=60.0, retries=0, base=base, pace=pace))
