"""Man pages from the click definitions: ``python -m scholartools.commands.shared.man FOLDER``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from scholartools import __version__
from scholartools.commands.shared.command import EXIT_STATUS, Edge, StreamCommand, StreamGroup

COMMANDS = (
    "parse", "facets", "extract_limits", "claims", "eqsynth", "generate", "judge", "score", "agree", "annotate",
    "table", "view", "cache", "fetch",
)  # fmt: skip


def load_command(module: str) -> Edge:
    """The click command defined by a module in ``commands/``."""
    return importlib.import_module(f"scholartools.commands.{module}").main


def render_pages(command: Edge) -> dict[str, str]:
    """Man pages of a command and of its tasks, as troff, by page name ("st-judge-match")."""
    name = str(command.name)
    lines: dict[str, click.Command] = {name: command}
    if isinstance(command, StreamGroup):
        lines |= {f"{name} {task.name}": task for task in command.commands.values()}
    return {line.replace(" ", "-"): "\n".join(_page_lines(made, line)) + "\n" for line, made in lines.items()}


def write_pages(folder: Path) -> None:
    """Write the man pages of all commands into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for command in map(load_command, COMMANDS):
        for name, text in render_pages(command).items():
            (folder / f"{name}.1").write_text(text, encoding="utf-8")


def _page_lines(command: click.Command, line: str) -> Iterator[str]:
    """Lines of the page of a command or task; ``line`` is its command line: "st-judge match"."""
    page = line.replace(" ", "-")
    summary, *paragraphs = (" ".join(paragraph.split()) for paragraph in (command.help or "").split("\n\n"))
    yield f'.TH {page.upper()} 1 "" "scholartools {__version__}" "scholartools"'
    yield from (".SH NAME", f"{_escape_troff(page)} \\- {_escape_troff(summary[0].lower() + summary[1:].rstrip('.'))}")
    yield from (".SH SYNOPSIS", f".B {_escape_troff(line)}", _argument_text(command))
    yield ".SH DESCRIPTION"
    for paragraph in (summary, *paragraphs):
        yield from (".PP", _escape_troff(paragraph))
    yield from _task_lines(command) if isinstance(command, StreamGroup) else _option_lines(command)
    yield from _example_lines(command)
    yield ".SH EXIT STATUS"
    for status, meaning in EXIT_STATUS.items():
        yield from (".TP", f".B {status}", _escape_troff(meaning))
    yield from _environment_lines(command)
    yield from (".SH SEE ALSO", ", ".join(_other_pages(page)))


def _argument_text(command: click.Command) -> str:
    if isinstance(command, StreamGroup):
        return f"{command.noun.upper()} [OPTIONS] [ARG]..."
    arguments = [str(p.metavar) for p in command.params if isinstance(p, click.Argument) and p.metavar]
    return _escape_troff(" ".join(["[OPTIONS]", *arguments]))


def _other_pages(page: str) -> Iterator[str]:
    names = [str(load_command(module).name) for module in COMMANDS]
    return (f"\\fB{_escape_troff(name)}\\fR(1)" for name in names if name != page)


def _task_lines(command: StreamGroup) -> Iterator[str]:
    yield f".SH {command.noun.upper()}S"
    for name, task in command.commands.items():
        yield from (
            ".TP",
            f".B {_escape_troff(name)}",
            _escape_troff(f"{_first_sentence(task)} See {command.name}-{name}(1)."),
        )


def _first_sentence(task: click.Command) -> str:
    return " ".join((task.help or "").split("\n\n")[0].split())


def _option_lines(command: click.Command) -> Iterator[str]:
    """Lines of the options, made from their definitions, since click's help texts differ between versions."""
    context = click.Context(command)
    sections = command.options_by_heading(context) if isinstance(command, StreamCommand) else [("", command.params)]
    yield ".SH OPTIONS"
    for heading, options in sections:
        if heading:
            yield f".SS {_escape_troff(heading)}"
        for option in options:
            if isinstance(option, click.Option) and option.opts != ["--help"]:
                default = f" [default: {option.default}]" if option.show_default else ""
                yield from (
                    ".TP",
                    f".B {_escape_troff(option.opts[0] + _option_value(option))}",
                    _escape_troff(f"{option.help}{default}"),
                )
    yield from (".TP", f".B {_escape_troff('--help')}", "Show this help and exit.")


def _example_lines(command: click.Command) -> Iterator[str]:
    if examples := getattr(command, "examples", ()):
        yield ".SH EXAMPLES"
        for line, meaning in examples:
            yield from (".TP", f".B {_escape_troff(line)}", _escape_troff(meaning))


def _environment_lines(command: click.Command) -> Iterator[str]:
    """Lines of the environment variables, each with its option."""
    options = [option for option in command.params if isinstance(option, click.Option) and option.envvar]
    if options:
        yield ".SH ENVIRONMENT"
    for option in options:
        name, value = option.opts[0], "=1" if option.is_flag else ""
        text = f"The environment variable {option.envvar}{value} sets {name} if {name} is not on the command line."
        yield from (".TP", f".B {option.envvar}", _escape_troff(text))


def _option_value(option: click.Option) -> str:
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        return f" {'|'.join(map(str, option.type.choices))}"
    return f" {option.metavar or option.type.name.upper()}"


def _escape_troff(text: str) -> str:
    """Escape the characters that are special in troff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
