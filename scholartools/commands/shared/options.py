"""Options with a heading in the help and with conditions on other options."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import click

from scholartools.compression import without_ending
from scholartools.errors import UsageFault
from scholartools.vocabulary import TABLE_FORMATS

# Bounds of the ranges that the help does not show.
_NOT_NEGATIVE = ((0, None), (1, None))
_LARGEST = 2**53  # larger integers are not exact in JSON, nor in C
_VARIABLE = click.core.ParameterSource.ENVIRONMENT
OWN, MODEL, COMMON = "Options", "Model options", "Common options"


# Names of options that differ from those of their parameters.
_OPTIONS = {"namespace": "cache_namespace", "answers": "from"}


def option_name(parameter: str, *values: Any) -> str:
    """Option of a parameter, with values: ``--format text``; for a boolean ``--replay`` or ``--no-cache``."""
    name = _OPTIONS.get(parameter, parameter).replace("_", "-")
    if values in ((True,), (False,)):
        return f"--{name}" if values[0] else f"--no-{name}"
    return " ".join([f"--{name}", *map(str, values)])


class Condition(NamedTuple):
    """Condition on the other options under which an option has an effect.

    Attributes:
        reason: text after the option's name in the message if the condition fails ("needs --corpus"), or a function
            that returns it, given the values of all options by parameter name.
        holds: function that returns whether the condition holds, given the same values.
    """

    reason: str | Callable[[Mapping[str, Any]], str]
    holds: Callable[[Mapping[str, Any]], bool]

    def tell(self, options: Mapping[str, Any]) -> str:
        """The reason, given the values of all options."""
        return self.reason if isinstance(self.reason, str) else self.reason(options)


def needs(option: str, *values: Any) -> Condition:
    """Condition that another option is given, or has one of ``values``: ``needs("--rerank", "model")``."""
    wanted = f"{option} {' or '.join(map(str, values))}" if values else option
    return Condition(f"needs {wanted}", lambda options: _has_value(options, option, values))


def where(option: str, value: Any, condition: Condition) -> Condition:
    """Restrict a condition to one value of an option: ``where("--progress", "on", excludes("--quiet"))``."""

    def tell(options: Mapping[str, Any]) -> str:
        return f"{value} {condition.tell(options)}"

    return Condition(tell, lambda options: not _has_value(options, option, (value,)) or condition.holds(options))


def needs_any(*options: str) -> Condition:
    """Condition that at least one of the options is given."""
    first, last = ", ".join(options[:-1]), options[-1]
    return Condition(f"needs {first} or {last}", lambda values: any(_has_value(values, name, ()) for name in options))


def excludes(option: str, *values: Any) -> Condition:
    """Condition that another option, also as set by its variable, is not given or has none of ``values``."""
    unwanted = f"{option} {' or '.join(map(str, values))}" if values else option
    return Condition(
        lambda _: f"cannot be used with {unwanted}{tell_variable(option)}",
        lambda options: not _has_value(options, option, values),
    )


def writes_no_other_table() -> Condition:
    """Condition that an output file with the extension of a table gets a table of that format.

    Programs cannot open JSON lines under the name of a workbook. All commands write JSON lines, except those with
    ``--to``, with ``--csv``, and those that write a sheet, which ``--read`` reads again.
    """

    def tell(options: Mapping[str, Any]) -> str:
        path = str(options["output"])
        return (
            f"{path} names a table, but the output is not of this format: write JSON lines, for example to "
            f"{_bare(path)[0]}.jsonl, and make a table of them with st-table"
        )

    def holds(options: Mapping[str, Any]) -> bool:
        is_sheet = _find_parameter("--read") is not None and not _has_value(options, "--read")
        is_csv = _has_value(options, "--csv") or is_sheet
        ending = _bare(str(options["output"]))[1].removeprefix(".")
        return _find_parameter("--to") is not None or ending not in TABLE_FORMATS or (is_csv and ending == "csv")

    return Condition(tell, holds)


def _bare(path: str) -> tuple[str, str]:
    bare, ending = os.path.splitext(without_ending(path))
    return bare, ending.lower()


def tell_variable(option: str) -> str:
    """Text for a message: the variable that sets the option, and how to ignore it; "" if no variable sets it."""
    context, parameter = click.get_current_context(), _find_parameter(option)
    if parameter is None or context.get_parameter_source(str(parameter.name)) is not _VARIABLE:
        return ""
    return f", which {parameter.envvar} sets: leave it out with {parameter.envvar}= {context.command_path} ..."


def _find_parameter(option: str) -> click.Parameter | None:
    """Parameter of the current command with this option name."""
    return next((one for one in click.get_current_context().command.params if option in one.opts), None)


def _has_value(options: Mapping[str, Any], option: str, values: tuple[Any, ...] = ()) -> bool:
    parameter = _find_parameter(option)
    value = options.get(str(parameter.name)) if parameter else None
    return value in values if values else value not in (None, False, ())


class Option(click.Option):
    """A click option that the environment variable ``ST_NAME`` can set.

    Attributes:
        heading: heading in the help.
        conditions: conditions checked if the option is on the command line.
        asks_no_model: whether a run with this option calls no model: then ``--model`` on the command line is an error,
            and ST_MODEL is ignored.
    """

    def __init__(
        self,
        *args: Any,
        heading: str = OWN,
        conditions: tuple[Condition, ...] = (),
        asks_no_model: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.heading, self.conditions, self.asks_no_model = heading, conditions, asks_no_model
        if self.expose_value and self.allow_from_autoenv:
            self.envvar = f"ST_{self.opts[0].removeprefix('--').replace('-', '_').upper()}"

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Convert a value; an empty one on the command line is mostly that of a variable of the shell that is not set.

        Raises:
            UsageFault: the value, or one of several, is an empty text, not finite, or an integer beyond 53 bits.
        """
        given = value if isinstance(value, (list, tuple)) else (value,)
        if "" in given and ctx.get_parameter_source(str(self.name)) is click.core.ParameterSource.COMMANDLINE:
            raise UsageFault("the value is empty", parameter=self.name)
        converted = super().type_cast_value(ctx, value)
        for one in converted if isinstance(converted, (list, tuple)) else (converted,):
            if isinstance(one, float) and not math.isfinite(one):
                raise UsageFault(f"{one} is not a finite number", parameter=self.name)
            if isinstance(one, int) and abs(one) > _LARGEST:
                raise UsageFault(f"{one} is too large", parameter=self.name)
        return converted

    def get_help_extra(self, ctx: click.Context) -> click.types.OptionHelpExtra:
        """Text in brackets after the help, without the ranges "0 or more" and "1 or more"."""
        extra = super().get_help_extra(ctx)
        if (
            isinstance(self.type, (click.IntRange, click.FloatRange))
            and (self.type.min, self.type.max) in _NOT_NEGATIVE
        ):
            extra.pop("range", None)
        return extra

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Name of the option in error messages, or of the variable that set it."""
        is_variable = ctx is not None and ctx.get_parameter_source(str(self.name)) is _VARIABLE
        return f"'{self.envvar}'" if is_variable else super().get_error_hint(ctx)  # type: ignore[arg-type]


def option(name: str, *names: str, conditions: tuple[Condition, ...] | Condition = (), **settings: Any) -> Any:
    """Decorator like ``click.option``, for an :class:`Option`."""
    several = (conditions,) if isinstance(conditions, Condition) else conditions
    return click.option(name, *names, cls=Option, conditions=several, **settings)


def seed_option(text: str, *conditions: Condition) -> Any:
    """Option ``--seed``; ``text`` is its help."""
    return option(
        "--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, conditions=conditions,
        help=text,
    )  # fmt: skip


class NonEmpty(click.ParamType):
    """A name that is not blank."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The unchanged name.

        Raises:
            UsageFault: the name is empty or blank.
        """
        if not value.strip():
            raise UsageFault("the name is empty", parameter=param.name if param else None)
        return value


def split_names(text: str, option: str) -> list[str]:
    """Split a comma-separated value of an option.

    Raises:
        UsageFault: it contains a semicolon, which lists in spreadsheets use.
    """
    if ";" in text:
        raise UsageFault(f'"{text}": write commas, not semicolons, between the parts', parameter=option)
    return text.split(",")


def explicit_options(context: click.Context | None = None) -> set[str]:
    """Parameter names of the options on the command line, without those set by variables."""
    context = context or click.get_current_context()
    source = click.core.ParameterSource.COMMANDLINE
    return {name for name in context.params if context.get_parameter_source(name) is source}


def check_conditions(context: click.Context) -> None:
    """Reject an option on the command line that would have no effect.

    Raises:
        UsageFault: a condition of an option does not hold.
    """
    options = [one for one in context.command.params if isinstance(one, Option)]
    explicit = explicit_options(context)
    _leave_model_aside(context, options, is_typed="model" in explicit)
    for option in options:
        for condition in option.conditions if option.name in explicit else ():
            if not condition.holds(context.params):
                raise UsageFault(f"{option.opts[0]} {condition.tell(context.params)}")


def _leave_model_aside(context: click.Context, options: list[Option], *, is_typed: bool) -> None:
    """Ignore ST_MODEL if an option excludes model calls; a ``--model`` on the command line is an error.

    Raises:
        UsageFault: ``--model`` is on the command line too.
    """
    for option in options:
        if option.asks_no_model and _has_value(context.params, option.opts[0]):
            if is_typed:
                raise UsageFault(f"{option.opts[0]} cannot be used with --model: it asks no model")
            context.params["model"] = None
