"""Options that know under which heading of the help they stand and what they need beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import click

from scholartools.errors import UsageFault

OWN, MODEL, COMMON = "Options", "Model options", "Common options"


# Parameters whose options have other names.
_OPTIONS = {"namespace": "cache_namespace"}


def option_name(parameter: str, *values: Any) -> str:
    """The option that sets a parameter, with values: ``--format text``, a flag ``--replay`` or ``--no-cache``."""
    name = _OPTIONS.get(parameter, parameter).replace("_", "-")
    if values in ((True,), (False,)):
        return f"--{name}" if values[0] else f"--no-{name}"
    return " ".join([f"--{name}", *map(str, values)])


class Condition(NamedTuple):
    """What the rest of the command line must say for an option to have an effect.

    Attributes:
        reason: what follows the option's name in the message where it does not hold: "needs --corpus"; or what makes
            it of the values of all options.
        holds: tells by the values of all options, by parameter name, whether it does.
    """

    reason: str | Callable[[Mapping[str, Any]], str]
    holds: Callable[[Mapping[str, Any]], bool]


def needs(option: str, *values: Any) -> Condition:
    """The condition that another option is given, or has one of some values: ``needs("--rerank", "model")``."""
    wanted = f"{option} {' or '.join(map(str, values))}" if values else option
    return Condition(f"needs {wanted}", lambda options: _has_value(options, option, values))


def needs_any(*options: str) -> Condition:
    """The condition that at least one of several options is given."""
    first, last = ", ".join(options[:-1]), options[-1]
    return Condition(f"needs {first} or {last}", lambda values: any(_has_value(values, name, ()) for name in options))


def excludes(option: str, *values: Any) -> Condition:
    """The condition that another option is not given, or has none of some values."""
    unwanted = f"{option} {' or '.join(map(str, values))}" if values else option
    return Condition(f"cannot be used with {unwanted}", lambda options: not _has_value(options, option, values))


def excludes_given(option: str) -> Condition:
    """The condition that another option is not on the command line; that a variable sets it is no contradiction."""
    name = option.removeprefix("--").replace("-", "_")
    return Condition(f"cannot be used with {option}", lambda _: name not in explicit_options())


def _has_value(options: Mapping[str, Any], option: str, values: tuple[Any, ...]) -> bool:
    value = options.get(option.removeprefix("--").replace("-", "_"))
    return value in values if values else value not in (None, False, ())


class Option(click.Option):
    """A click option with a heading, and with conditions that are checked where it is on the command line."""

    def __init__(self, *args: Any, heading: str = OWN, conditions: tuple[Condition, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heading = heading
        self.conditions = conditions


def option(name: str, *names: str, conditions: tuple[Condition, ...] | Condition = (), **settings: Any) -> Any:
    """A decorator like ``click.option``, for an :class:`Option`."""
    several = (conditions,) if isinstance(conditions, Condition) else conditions
    return click.option(name, *names, cls=Option, conditions=several, **settings)


class NonEmpty(click.ParamType):
    """A name that is not blank."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is.

        Raises:
            UsageFault: it is empty or blank.
        """
        if not value.strip():
            raise UsageFault("an empty name", parameter=param.name if param else None)
        return value


def explicit_options(context: click.Context | None = None) -> set[str]:
    """Parameter names of the options on the command line; one that is set by a variable is not among them."""
    context = context or click.get_current_context()
    source = click.core.ParameterSource.COMMANDLINE
    return {name for name in context.params if context.get_parameter_source(name) is source}


def check_conditions(context: click.Context) -> None:
    """Refuse an option on the command line that would have no effect.

    Raises:
        UsageFault: a condition of an option does not hold.
    """
    explicit = explicit_options(context)
    for parameter in context.command.params:
        if isinstance(parameter, Option) and parameter.name in explicit:
            for condition in parameter.conditions:
                if not condition.holds(context.params):
                    reason = condition.reason
                    said = reason if isinstance(reason, str) else reason(context.params)
                    raise UsageFault(f"{parameter.opts[0]} {said}")
