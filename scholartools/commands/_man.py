"""Man pages from the click definitions: ``python -m scholartools.commands._man FOLDER``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from scholartools import __version__
from scholartools.commands._common import EXIT_STATUS, StreamCommand

COMMANDS = ("parse", "facets", "extract_limits", "generate", "judge", "score", "agree", "cache")


def load(module: str) -> StreamCommand:
    """The click command that a file in ``commands/`` defines."""
    return importlib.import_module(f"scholartools.commands.{module}").main


def page(command: StreamCommand) -> str:
    """The man page of a command, as troff."""
    return "\n".join(_lines(command)) + "\n"


def write(folder: Path) -> None:
    """Write every command's page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for command in map(load, COMMANDS):
        (folder / f"{command.name}.1").write_text(page(command), encoding="utf-8")


def _lines(command: StreamCommand) -> Iterator[str]:
    name = str(command.name)
    summary, *paragraphs = (command.help or "").split("\n\n")
    yield f'.TH {name.upper()} 1 "" "scholartools {__version__}" "scholartools"'
    yield from (".SH NAME", f"{_text(name)} \\- {_text(summary[0].lower() + summary[1:].rstrip('.'))}")
    arguments = next(str(p.metavar) for p in command.params if isinstance(p, click.Argument))
    yield from (".SH SYNOPSIS", f".B {_text(name)}", f"[OPTIONS] {_text(arguments)}")
    yield ".SH DESCRIPTION"
    yield from _paragraphs([summary, *paragraphs])
    yield ".SH OPTIONS"
    yield from _options(command)
    yield ".SH EXAMPLES"
    for line, meaning in command.examples:
        yield from (".TP", f".B {_text(line)}", _text(meaning))
    yield ".SH EXIT STATUS"
    for status, meaning in EXIT_STATUS.items():
        yield from (".TP", f".B {status}", _text(meaning))
    yield ".SH ENVIRONMENT"
    yield "Options can be set by variables:"
    yield ", ".join(_variables(command)) + "."
    yield ".SH SEE ALSO"
    yield ", ".join(f"\\fB{_text(str(other.name))}\\fR(1)" for other in map(load, COMMANDS) if other.name != name)


def _options(command: StreamCommand) -> Iterator[str]:
    """Each option, from its definition alone: how click words its help differs between versions."""
    for option in command.params:
        if isinstance(option, click.Option):
            default = f" [default: {option.default}]" if option.show_default else ""
            yield from (".TP", f".B {_text(option.opts[0] + _value(option))}", _text(f"{option.help}{default}"))
    yield from (".TP", f".B {_text('--help')}", "Show the options and exit.")


def _variables(command: StreamCommand) -> Iterator[str]:
    for option in command.params:
        if isinstance(option, click.Option) and option.allow_from_autoenv and option.expose_value:
            yield f"\\fBST_{str(option.name).upper()}\\fR"


def _value(option: click.Option) -> str:
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        return f" {'|'.join(map(str, option.type.choices))}"
    return f" {option.metavar or option.type.name.upper()}"


def _paragraphs(paragraphs: list[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield from (".PP", _text(" ".join(paragraph.split())))


def _text(text: str) -> str:
    """Text in which troff reads nothing but itself."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    write(Path(sys.argv[1]))
