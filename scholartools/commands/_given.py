"""Which options stand on the command line, and that some of them would do nothing there."""

from __future__ import annotations

from collections.abc import Iterable

import click

from scholartools.errors import UsageFault


def given() -> set[str]:
    """The names of the options on the command line of the command that runs; those set by a variable are not there."""
    context = click.get_current_context()
    return {
        name for name in context.params if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }


def refuse(names: Iterable[str], why: str) -> None:
    """Refuse the first of these options that is on the command line: ``--NAME why``.

    Raises:
        UsageFault: there is one.
    """
    for name in sorted(given().intersection(names)):
        raise UsageFault(f"--{name.replace('_', '-')} {why}")
