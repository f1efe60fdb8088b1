"""The options of commands that can ask a model."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.options import (
    MODEL,
    Condition,
    NonEmpty,
    Option,
    excludes,
    explicit_options,
    needs,
    needs_any,
    tell_variable,
)
from scholartools.errors import UsageFault
from scholartools.vocabulary import AUTO, RESPONSE_FORMATS

if TYPE_CHECKING:
    from scholartools.llm.settings import Settings

_NEEDS_MODEL = needs("--model")
_OPTIONS: tuple[tuple[str, Any, str | None, str], ...] = (
    ("--temperature", click.FloatRange(min=0), "T", "Sampling temperature."),
    ("--top-p", click.FloatRange(0, 1), "P", "Nucleus sampling probability mass."),
    ("--max-tokens", click.IntRange(min=1), "N", "Maximum tokens of a reply."),
    (
        "--response-format",
        click.Choice(RESPONSE_FORMATS),
        None,
        "Ask for replies by a JSON schema, as any JSON, or as text; auto: the first that the server takes.",
    ),
    (
        "--seed",
        click.IntRange(min=0),
        "N",
        "Seed sent to the provider, N + 1, ... with more samples.",
    ),
    ("--samples", click.IntRange(min=1), "N", "Number of samples of every question."),
    ("--concurrency", click.IntRange(min=1), "N", "Maximum number of calls in flight."),
    ("--timeout", click.FloatRange(min=0, min_open=True), "SECONDS", "Timeout per call, in seconds."),
    (
        "--retries",
        click.IntRange(min=0),
        "N",
        "Retries after transient errors (three times as many after rate limits; 0: none).",
    ),
    (
        "--max-wait",
        click.FloatRange(min=0),
        "SECONDS",
        "Longest pause that a provider may ask for; a longer one, or as long without any reply, ends the run.",
    ),
    (
        "--max-reply",
        click.FloatRange(min=0, min_open=True),
        "MB",
        "Maximum size of an unpacked answer; a larger one is an unusable reply.",
    ),
    (
        "--max-cost",
        click.FloatRange(min=0),
        "USD",
        "Stop before the run costs more; what a call may cost at most is reserved before it is sent.",
    ),
    ("--max-calls", click.IntRange(min=0), "N", "Stop before more calls are sent, retries included."),
    (
        "--budget",
        NonEmpty(),
        "NAME",
        "Share the limits --max-cost and --max-calls among all runs with this NAME and cache.",
    ),
    (
        "--batch",
        click.Path(file_okay=False),
        "DIR",
        "Send the questions as batches, at the provider's batch price; DIR stores questions and replies.",
    ),
    (
        "--batch-wait",
        click.FloatRange(min=0),
        "HOURS",
        "Longest time to wait for batches; 0: send, and end with status 5. Run the same command later to continue.",
    ),
    (
        "--batch-file",
        click.Path(file_okay=False),
        "DIR",
        "Write the questions into files in DIR, e.g. for `vllm run-batch`, and read the replies from there (status 5).",
    ),
    (
        "--part-size",
        click.IntRange(min=1),
        "N",
        "Maximum number of questions in a batch, or in a file of --batch-file.",
    ),
    (
        "--dry-run",
        None,
        None,
        "Send nothing; print calls, tokens and cost: an estimate and a bound.",
    ),
    (
        "--endpoint-name",
        NonEmpty(),
        "NAME",
        "Name the server that is asked, and others that serve the same model: their cached replies are shared.",
    ),
    ("--any-endpoint", None, None, "Take replies of the cache whichever server gave them."),
    ("--replay", None, None, "Use only stored replies, without network and key."),
    ("--no-cache", None, None, "Neither read nor write the cache."),
    ("--refresh", None, None, "Ask again for replies that are in the cache."),
    ("--cache-namespace", str, "NAME", "Store replies separately under this name, for a second independent run."),
    (
        "--prompt-dir",
        click.Path(exists=True, file_okay=False),
        "DIR",
        "Read prompts from DIR first, then the built-in ones.",
    ),
)
_DEFAULTS = {
    "--response-format": AUTO, "--samples": 1, "--concurrency": 8, "--timeout": 120.0, "--retries": 4,
    "--max-wait": 600.0, "--max-reply": 64.0, "--part-size": 50_000, "--batch-wait": 24.0,
}  # fmt: skip
_CONDITIONS = {
    "--budget": (_NEEDS_MODEL, needs_any("--max-cost", "--max-calls"), excludes("--no-cache")),
    "--batch-file": (
        _NEEDS_MODEL,
        *map(excludes, ("--max-cost", "--max-calls", "--budget", "--replay", "--refresh", "--no-cache")),
    ),
    "--batch": (
        _NEEDS_MODEL,
        *map(excludes, ("--batch-file", "--budget", "--replay", "--refresh", "--no-cache")),
    ),
    "--batch-wait": (_NEEDS_MODEL, needs("--batch")),
    "--part-size": (_NEEDS_MODEL, needs_any("--batch", "--batch-file")),
    "--replay": (_NEEDS_MODEL, excludes("--refresh"), excludes("--no-cache")),
    "--any-endpoint": (_NEEDS_MODEL, excludes("--refresh"), excludes("--no-cache")),
    "--refresh": (_NEEDS_MODEL, excludes("--no-cache")),
}


def model_options(function: Callable) -> Callable:
    """Add the model options to a command's function, which gets them as keywords."""
    return model_options_without()(function)


def model_options_without(*names: str, conditions: tuple[Condition, ...] = ()) -> Callable[[Callable], Callable]:
    """Add the model options but some, which the command has in another sense or has no use for.

    Args:
        names: those that are left out.
        conditions: under which alone a model is asked; they are checked of ``--model`` and of all others.
    """

    def add(function: Callable) -> Callable:
        earlier = getattr(function, "__click_params__", [])
        own = [one for one in _model_options(conditions) if one.opts[0] not in names]
        function.__click_params__ = [*earlier, *reversed(own)]  # type: ignore[attr-defined]
        return function

    return add


def free_seed(function: Callable) -> Callable:
    """Let a command that has the model options take ``--seed`` without a model too: it draws by chance itself."""
    options = function.__click_params__  # type: ignore[attr-defined]
    own = Option(
        ["--seed"], type=click.IntRange(min=0), metavar="N",
        help="Seed of random draws; also sent to the provider.",
    )  # fmt: skip
    kept = [own if option.name == "seed" else option for option in options]
    function.__click_params__ = kept  # type: ignore[attr-defined]
    return function


@functools.cache
def _model_options(more: tuple[Condition, ...]) -> list[Option]:
    """The same for all commands: those of st-claims would take 2 ms to make for each of its actions."""
    named = Option(
        ["--model"], metavar="NAME", heading=MODEL, conditions=more, callback=_refuse_empty,
        help="Model to ask, by any name that litellm has.",
    )  # fmt: skip
    made = [named]
    for name, kind, metavar, text in _OPTIONS:
        default = _DEFAULTS.get(name)
        settings: dict[str, Any] = {"is_flag": True} if kind is None else {"type": kind, "metavar": metavar}
        settings |= {"default": default, "show_default": default is not None}
        conditions = (*more, *_CONDITIONS.get(name, (_NEEDS_MODEL,)))
        made.append(Option([name], help=text, heading=MODEL, conditions=conditions, **settings))
    return made


def _refuse_empty(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    if name is not None and not name.strip():
        raise UsageFault("--model: the name is empty")
    return name


def model_settings(options: Mapping[str, Any]) -> Settings:
    """What a run asks a model with, by the values of the model options.

    Raises:
        UsageFault: a value is out of range, such as a number that is not finite; or several processes are asked for.
    """
    import dataclasses

    from scholartools.llm.settings import Settings

    _refuse_jobs()
    named = {**options, "cache": not options["no_cache"], "namespace": options["cache_namespace"]}
    named["shortened_by"] = _shortening_parameter()
    if "batch_wait" in named:
        named["batch_wait"] = 3600 * named["batch_wait"]
    return Settings(**{field.name: named[field.name] for field in dataclasses.fields(Settings) if field.name in named})


def _refuse_jobs() -> None:
    """Refuse several processes on the command line: one process asks."""
    context = click.get_current_context()
    if "jobs" in explicit_options(context) and context.params["jobs"] > 1:
        instead = "--concurrency sets the number of calls in flight"
        raise UsageFault(f"--jobs above 1 has no effect with --model{tell_variable('--model')}; {instead}")


def _shortening_parameter() -> str | None:
    """The parameter of the command by which the texts it asks about get shorter, where it has one."""
    names = {option.name for option in click.get_current_context().command.params}
    return "split_words" if "split_words" in names else None
