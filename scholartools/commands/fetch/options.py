"""Code shared by the actions of st-fetch: options of requests to web services, and of the choice of papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import Example, StreamCommand, command
from scholartools.commands.shared.options import Option, excludes, needs, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream
    from scholartools.web.settings import WebSettings

WEB = "Options of services"

_OPTIONS: tuple[tuple[str, Any, str | None, str], ...] = (
    (
        "--mailto",
        str,
        "ADDRESS",
        "Your e-mail address, which is sent with each request, so that a web service can contact you.",
    ),
    ("--timeout", click.FloatRange(min=0, min_open=True), "SECONDS", "Timeout of a request, in seconds."),
    (
        "--retries",
        click.IntRange(min=0),
        "N",
        "Number of times a failed request is retried. Waiting for a rate limit does not count as a failure.",
    ),
    (
        "--max-wait",
        click.FloatRange(min=0),
        "SECONDS",
        "Longest pause, in seconds, that a web service may require; the run ends if a service requires a longer pause.",
    ),
    ("--max-cost", click.FloatRange(min=0), "USD", "Maximum cost of the run in USD; 0 allows only free requests."),
    (
        "--max-calls",
        click.IntRange(min=0),
        "N",
        "Maximum number of requests in the run, including retries; the run stops at the limit.",
    ),
    (
        "--max-bytes",
        click.IntRange(min=0),
        "N",
        "Maximum number of bytes to receive, in one response or in total; the run stops at the limit.",
    ),
    (
        "--max-age",
        click.FloatRange(min=0),
        "DAYS",
        "Send a request again if its stored response is older than this number of days; by default, stored responses "
        "never expire.",
    ),
    (
        "--dry-run",
        None,
        None,
        "Send no requests; print the number of requests, the cost and the minimum time, if they are known in advance.",
    ),
    ("--replay", None, None, "Use only replies that are in the cache; needs neither network nor API key."),
    ("--no-cache", None, None, "Do not use the cache: neither read stored replies nor store new ones."),
    ("--refresh", None, None, "Send requests again, even if their responses are in the cache."),
    (
        "--cache-namespace",
        str,
        "NAME",
        "Store the responses of this run under NAME, separately from other responses in the cache, for a second, "
        "independent run.",
    ),
)
_DEFAULTS = {"--timeout": 60.0, "--retries": 4, "--max-wait": 600.0}
_CONDITIONS = {
    "--replay": (excludes("--refresh"), excludes("--no-cache")),
    "--refresh": (excludes("--no-cache"),),
    "--max-age": (excludes("--refresh"), excludes("--replay"), excludes("--no-cache")),
}


def fetch_action(name: str, *, examples: Sequence[Example]) -> Callable[[Callable[..., int]], StreamCommand]:
    """Decorator: an action of st-fetch, with ``--ids``, from a function ``f(stream, **own_options) -> exit status``."""

    def decorate(function: Callable[..., int]) -> StreamCommand:
        text = "Read paper identifiers from FILE, one per line; may be repeated."
        listed = option("--ids", help=text, metavar="FILE", multiple=True, type=click.Path(), allow_from_autoenv=True)
        made = command(f"st-fetch {name}", examples=examples, arguments="[ID|FILE]...", reads="ids")
        return made(listed(function))

    return decorate


def web_options(function: Callable) -> Callable:
    """Add the options of web services to a command's function, which gets them as keyword arguments."""
    made = []
    for name, kind, metavar, text in _OPTIONS:
        default = _DEFAULTS.get(name)
        settings: dict[str, Any] = {"is_flag": True} if kind is None else {"type": kind, "metavar": metavar}
        settings |= {"default": default, "show_default": default is not None}
        conditions = _CONDITIONS.get(name, ())
        made.append(Option([name], help=text, heading=WEB, conditions=conditions, **settings))
    earlier = getattr(function, "__click_params__", [])
    function.__click_params__ = [*earlier, *reversed(made)]  # type: ignore[attr-defined]
    return function


def source_option(function: Callable) -> Callable:
    """Add ``--source``."""
    text = "Web services to query, in this order (default: all that support the action)."
    return option("--source", help=text, metavar="SOURCE,...")(function)


def venue_options(function: Callable) -> Callable:
    """Add ``--venue`` and ``--year``."""
    year = option("--year", help="Year of the venue.", metavar="YEAR", type=click.IntRange(min=1950, max=2100),
                  conditions=needs("--venue"))  # fmt: skip
    text = (
        "Fetch all papers of a venue: iclr, neurips, icml, tmlr, a group of OpenReview, or a venue of the ACL "
        "Anthology."
    )
    return option("--venue", help=text, metavar="VENUE")(year(function))


def sample_options(*, of_venue: bool) -> Callable[[Callable], Callable]:
    """Add ``--sample``, ``--stratify`` and ``--seed``."""
    text = "Draw a random sample of N papers" + (
        "." if of_venue else " of each list of fetched papers, after --limit and --before."
    )
    venue = needs("--venue") if of_venue else ()

    def decorate(function: Callable) -> Callable:
        sample = option("--sample", metavar="N", type=click.IntRange(min=1), conditions=venue, help=text)
        strata = option(
            "--stratify", metavar="KEY,...", conditions=needs("--sample"),
            help="Draw the same number of papers for each combination of values of the record keys KEY,..., if there "
            "are enough papers.",
        )  # fmt: skip
        seed = option(
            "--seed", type=int, default=0, show_default=True, metavar="N", conditions=needs("--sample"),
            help="Random seed of --sample.",
        )  # fmt: skip
        return sample(strata(seed(function)))

    return decorate


def names_of(value: str | None) -> list[str]:
    """Names in a comma-separated list, stripped; empty ones are dropped."""
    return [name for part in (value or "").split(",") if (name := part.strip())]


def web_settings(options: Mapping[str, Any]) -> WebSettings:
    """Settings of requests to web services, from the options.

    Raises:
        UsageFault: a value is out of range.
    """
    import dataclasses

    from scholartools.cache import default_place
    from scholartools.web.settings import WebSettings, server_in_place

    base, pace = server_in_place()
    named = {
        **options, "contact": (options["mailto"] or "").strip() or None, "namespace": options["cache_namespace"],
        "place": None if options["no_cache"] else default_place(), "base": base, "pace": pace,
    }  # fmt: skip
    return WebSettings(**{one.name: named[one.name] for one in dataclasses.fields(WebSettings) if one.name in named})


def entries(stream: Stream, options: Mapping[str, Any], *, by_title: bool = False) -> Any:
    """Entries (papers) to query, from the arguments and the lists of ``--ids``.

    Args:
        by_title: whether records without identifiers can be looked up by title.

    Raises:
        UsageFault: an argument or a line of a list is not an identifier, or a file cannot be read.
    """
    from scholartools.pipeline.fetching import entries_of

    for path in options["ids"]:
        if path == "-" and "-" in stream.files:
            raise UsageFault("standard input is already the list of identifiers, so it cannot also be the records")
    return entries_of(stream, options["ids"], by_title=by_title)
