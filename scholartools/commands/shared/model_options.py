"""Options of commands that can call a model."""

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
    ("--temperature", click.FloatRange(min=0), "T", "Sampling temperature of the model."),
    ("--top-p", click.FloatRange(0, 1), "P", "Probability mass of nucleus sampling (top-p)."),
    ("--max-tokens", click.IntRange(min=1), "N", "Maximum number of tokens in a reply of the model."),
    (
        "--response-format",
        click.Choice(RESPONSE_FORMATS),
        None,
        "Format in which the model must reply; auto uses the first of json-schema (JSON by a schema), json-object "
        "(any JSON) and text that the model server accepts.",
    ),
    (
        "--seed",
        click.IntRange(min=0),
        "N",
        "Random seed sent to the provider; the seed is N for the first sample of a prompt, N + 1 for the second "
        "sample, and so on.",
    ),
    ("--samples", click.IntRange(min=1), "N", "Number of replies that the model samples for each prompt."),
    ("--concurrency", click.IntRange(min=1), "N", "Maximum number of concurrent model calls."),
    ("--timeout", click.FloatRange(min=0, min_open=True), "SECONDS", "Timeout of a model call, in seconds."),
    (
        "--retries",
        click.IntRange(min=0),
        "N",
        "Number of times that a model call is retried after a transient error; after a rate limit, three times "
        "as many retries are made. 0 means no retries.",
    ),
    (
        "--max-wait",
        click.FloatRange(min=0),
        "SECONDS",
        "Maximum pause of the run, in seconds: the run ends if the provider asks for a longer pause, or sends "
        "no reply for that time.",
    ),
    (
        "--max-reply",
        click.FloatRange(min=0, min_open=True),
        "MB",
        "Maximum size of a decompressed reply of the model, in MB; a larger reply counts as unusable.",
    ),
    (
        "--max-cost",
        click.FloatRange(min=0),
        "USD",
        "Maximum cost of the run in USD; before each call, the maximum cost of the call is reserved, so the run "
        "never exceeds the limit.",
    ),
    (
        "--max-calls",
        click.IntRange(min=0),
        "N",
        "Maximum number of model calls in the run, including retries; the run stops at the limit.",
    ),
    (
        "--budget",
        NonEmpty(),
        "NAME",
        "Apply --max-cost and --max-calls to the sum over all runs that use the same budget NAME and the same cache.",
    ),
    (
        "--batch",
        click.Path(file_okay=False),
        "DIR",
        "Send the prompts through the provider's batch API, which has lower prices; the folder DIR stores the "
        "prompts and the replies.",
    ),
    (
        "--batch-wait",
        click.FloatRange(min=0),
        "HOURS",
        "Maximum time to wait for the replies to batches, in hours; 0 sends the batches and exits at once with "
        "status 5; the same command, run again later, continues the run.",
    ),
    (
        "--batch-file",
        click.Path(file_okay=False),
        "DIR",
        "Write the prompts to files in DIR for another program, such as `vllm run-batch`, and exit with status 5; the "
        "same command, run again, reads the replies from DIR.",
    ),
    (
        "--part-size",
        click.IntRange(min=1),
        "N",
        "Maximum number of prompts in one batch of --batch, or in one file of --batch-file.",
    ),
    (
        "--dry-run",
        None,
        None,
        "Call no model; print an estimate and an upper bound of the number of calls, the tokens and the cost.",
    ),
    (
        "--endpoint-name",
        NonEmpty(),
        "NAME",
        "Name that you give to the model server. Servers with the same name share their cached replies, so use "
        "one name only for servers of the same model.",
    ),
    ("--any-endpoint", None, None, "Use cached replies of the model even if they came from another server."),
    ("--replay", None, None, "Use only replies that are in the cache; needs neither network nor API key."),
    ("--no-cache", None, None, "Do not use the cache: neither read stored replies nor store new ones."),
    ("--refresh", None, None, "Call the model again, even if its reply is in the cache."),
    (
        "--cache-namespace",
        str,
        "NAME",
        "Store the replies of this run under NAME, separately from other replies in the cache, for a second, "
        "independent run.",
    ),
    (
        "--prompt-dir",
        click.Path(exists=True, file_okay=False),
        "DIR",
        "Replace each built-in prompt by the file of the same name in DIR, if DIR has this file.",
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
    """Add the model options to a command's function, which gets them as keyword arguments."""
    return model_options_without()(function)


def model_options_without(*names: str, conditions: tuple[Condition, ...] = ()) -> Callable[[Callable], Callable]:
    """Add the model options except some that the command defines itself or does not need.

    Args:
        names: options to leave out.
        conditions: conditions for calling a model, added to ``--model`` and all other model options.
    """

    def add(function: Callable) -> Callable:
        earlier = getattr(function, "__click_params__", [])
        own = [one for one in _model_options(conditions) if one.opts[0] not in names]
        function.__click_params__ = [*earlier, *reversed(own)]  # type: ignore[attr-defined]
        return function

    return add


def free_seed(function: Callable) -> Callable:
    """Allow ``--seed`` without a model, for commands with model options that make random choices themselves."""
    options = function.__click_params__  # type: ignore[attr-defined]
    own = Option(
        ["--seed"], type=click.IntRange(min=0), metavar="N",
        help="Random seed of the random choices of the command; the seed is also sent to the provider of the model.",
    )  # fmt: skip
    kept = [own if option.name == "seed" else option for option in options]
    function.__click_params__ = kept  # type: ignore[attr-defined]
    return function


@functools.cache
def _model_options(more: tuple[Condition, ...]) -> list[Option]:
    """Model options, cached by their further conditions: building them takes 2 ms for each action of st-claims."""
    named = Option(
        ["--model"], metavar="NAME", heading=MODEL, conditions=more, callback=_refuse_empty,
        help="Model to call, by its name in litellm (for example openai/gpt-4o-mini).",
    )  # fmt: skip
    made = [named]
    for name, kind, metavar, text in _OPTIONS:
        default = _DEFAULTS.get(name, False if kind is None else None)
        settings: dict[str, Any] = {"is_flag": True} if kind is None else {"type": kind, "metavar": metavar}
        settings |= {"default": default, "show_default": name in _DEFAULTS}
        conditions = (*more, *_CONDITIONS.get(name, (_NEEDS_MODEL,)))
        made.append(Option([name], help=text, heading=MODEL, conditions=conditions, **settings))
    return made


def _refuse_empty(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    if name is not None and not name.strip():
        raise UsageFault("--model: the name is empty")
    return name


def model_settings(options: Mapping[str, Any]) -> Settings:
    """Settings of model calls, from the model options.

    Raises:
        UsageFault: a value is out of range (such as a number that is not finite), or ``--jobs`` is above 1.
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
    """Reject ``--jobs`` above 1 on the command line, since one process makes all model calls.

    Raises:
        UsageFault: it is above 1.
    """
    context = click.get_current_context()
    if "jobs" in explicit_options(context) and context.params["jobs"] > 1:
        instead = "--concurrency sets the number of calls in flight"
        raise UsageFault(f"--jobs above 1 has no effect with --model{tell_variable('--model')}; {instead}")


def _shortening_parameter() -> str | None:
    """Parameter of the current command that shortens the texts in its requests; None if it has none."""
    names = {option.name for option in click.get_current_context().command.params}
    return "split_words" if "split_words" in names else None
