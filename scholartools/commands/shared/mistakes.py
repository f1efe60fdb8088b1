"""Messages on unknown or missing options and arguments."""

from __future__ import annotations

import os
from collections import Counter

import click

# Minimum similarity of an unknown name to a suggestion: of options, of tasks.
_ALIKE, _NEAR = 0.65, 0.75
# Options of other tools in whose place we use environment variables.
_ADDRESS = "set the address in the provider's environment variable, such as OPENAI_BASE_URL"
_KEY = "set the key in the provider's environment variable, such as OPENAI_API_KEY"
_VARIABLES = {"--api-base": _ADDRESS, "--base-url": _ADDRESS, "--api-key": _KEY}


def say_mistake(error: click.ClickException, command: click.Command) -> str:
    """Message on a mistake on the command line, with a hint."""
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and context is not None:
        return f"No such option '{error.option_name}'{_hint_of_option(error.option_name, context) or '.'}"
    if isinstance(error, click.BadOptionUsage):  # click gives no context
        named = [one for one in command.params if error.option_name in one.opts and one.nargs > 1]
        form = f": {error.option_name} {named[0].metavar}." if named else "."
        return f"{error.format_message().rstrip('.')}{form}"
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option):
        says = (error.param.help or "").partition(". ")[0].rstrip(".")
        return f"{error.format_message().rstrip('.')}{f': {says}' * bool(says)}."
    return error.format_message()


def _hint_of_option(wrong: str, context: click.Context) -> str:
    import difflib  # here and below: imported only after a mistake

    known = sorted({name for one in context.command.get_params(context) for name in one.opts if name.startswith("--")})
    if wrong in _VARIABLES and "--model" in known:
        return f": {_VARIABLES[wrong]}."
    if wrong == "--model" and wrong not in known:
        return f": {context.command_path} asks no model."
    if not wrong.startswith("--"):
        near = [name for name in known if name.startswith(f"--{wrong.lstrip('-')[:1]}")]
    else:
        near = [name for name in known if difflib.SequenceMatcher(None, wrong[2:], name[2:]).ratio() >= _ALIKE]
    return f": did you mean {', '.join(near[:-1])}{' or ' * (len(near) > 1)}{near[-1]}?" if near else ""


def refuse_misspelt_task(argument: str, tasks: list[str], noun: str, context: click.Context) -> None:
    """Reject a first argument that resembles the name of a task, and is neither an option nor a file.

    Raises:
        UsageError: it resembles one.
    """
    if argument.startswith("-") or os.path.exists(argument):
        return
    letters = Counter(argument)
    may_be_near = [
        task for task in tasks if 2.0 * (letters & Counter(task)).total() / (len(argument) + len(task)) >= _NEAR
    ]
    if not may_be_near:  # the common case, the default task's own arguments: avoid the import
        return
    import difflib

    if near := difflib.get_close_matches(argument, may_be_near, n=2, cutoff=_NEAR):
        fault = f'"{argument}" names no {noun} and no file; did you mean {" or ".join(near)}?'
        raise click.UsageError(fault, context)
