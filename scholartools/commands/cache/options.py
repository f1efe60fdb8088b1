"""Code shared by the actions of st-cache: common options, and options that select replies."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from scholartools.commands.shared.command import (
    SETTINGS,
    Example,
    StreamCommand,
    output_option,
    quiet_option,
    version_option,
)
from scholartools.commands.shared.options import COMMON, Option, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.cache import Cache, Place, Selection

_T = TypeVar("_T")


def action(
    name: str, *, examples: Sequence[Example], argument: click.Argument | None = None
) -> Callable[[Callable[..., int]], StreamCommand]:
    """Decorator: an action from a function ``f(place, output, **own_options) -> exit status``, with common options.

    Args:
        name: name of the action.
        examples: pairs of a command line and its description.
        argument: positional argument of the action; None for none.
    """

    def decorate(function: Callable[..., int]) -> StreamCommand:
        def callback(cache: str | None, output: str | None, **options: Any) -> int:
            from scholartools import io
            from scholartools.cache import default_place

            typed = click.get_current_context().get_parameter_source("cache") is ParameterSource.COMMANDLINE
            place = named_place(cache) if cache and typed else default_place()
            with io.open_output(output) as out:
                return function(place, out, **options)

        callback.__doc__ = function.__doc__
        own = getattr(function, "__click_params__", [])
        shared = [_cache_option(), output_option(), quiet_option(), version_option()]
        arguments = [argument] if argument else []
        # click reads this list backwards
        callback.__click_params__ = [*reversed(shared), *own, *arguments]  # type: ignore[attr-defined]
        return click.command(name, cls=StreamCommand, examples=examples, context_settings=SETTINGS)(callback)

    return decorate


def _cache_option() -> Option:
    return Option(
        ["--cache"], metavar="PLACE", heading=COMMON,
        help="Use the cache at PLACE: a folder, a file NAME.sqlite, or postgresql://HOST/DATABASE.",
    )  # fmt: skip


def choice_option(name: str, *names: str, help: str, **settings: Any) -> Callable[[Callable], Callable]:
    """Option that selects replies. No environment variable sets it: ST_MODEL is meant for commands that call models."""
    return option(name, *names, help=help, allow_from_autoenv=False, **settings)


def selection_options(*, unusable: bool = True) -> Callable[[Callable], Callable]:
    """Add the options that select replies: ``--model``, ``--prompt``, ``--older-than``, and ``--unusable``."""
    added = [
        choice_option("--model", help="Select only the stored replies of the model NAME.", metavar="NAME"),
        choice_option("--prompt", help="Select only the stored replies to the prompt NAME.", metavar="NAME"),
        choice_option(
            "--older-than", help="Select only stored replies older than this number of days.", metavar="DAYS",
            type=click.FloatRange(min=0),
        ),
    ]  # fmt: skip
    if unusable:
        text = (
            "Select only replies that are stored but never used, because they are cut off, filtered, refused or empty."
        )
        added.append(choice_option("--unusable", "--unserved", help=text, is_flag=True))

    def add(function: Callable) -> Callable:
        for one in reversed(added):
            function = one(function)
        return function

    return add


def tell_if_none(replies: Iterable[_T], quiet: bool) -> Iterator[_T]:
    """Yield the replies unchanged; print a message if there are none."""
    is_empty = True
    for reply in replies:
        is_empty = False
        yield reply
    if is_empty and not quiet:
        told = "no reply in the cache matches the options: st-cache stats shows the models and prompts"
        click.echo(f"st-cache: {told}", err=True)


def selection_of(options: Mapping[str, Any]) -> Selection:
    """The selection of replies by the options."""
    from scholartools.cache import Selection

    days = options["older_than"]
    before = None if days is None else time.time() - days * 86_400
    return Selection(options["model"], options["prompt"], before, options.get("unusable", False))


def named_place(named: str) -> Place:
    """Place of the cache by the command line.

    Raises:
        UsageFault: the address contains a password, which other users of the machine could read.
    """
    from scholartools.cache import ServerAddress, cache_place

    place = cache_place(named)
    if isinstance(place, ServerAddress) and place.has_password:
        raise UsageFault(
            "a password on the command line can be read by others: write it into ST_CACHE, PGPASSWORD or PGPASSFILE",
            parameter="cache",
        )
    return place


def has_cache(place: Place) -> bool:
    """Whether the cache of replies may exist: after runs of st-fetch alone, its file is missing."""
    return not isinstance(place, Path) or place.exists()


def open_cache(place: Place, *, readonly: bool = True) -> Cache:
    """Open the cache; with ``readonly`` it must exist."""
    from scholartools.cache import Cache

    return Cache.open(place, readonly)
