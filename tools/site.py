"""Writes the pages of the site into a folder: ``python tools/site.py FOLDER``. `make docs` builds the site of them.

README, docs/, what else README links to, and three references: the help of every command, the keys of a record
from its JSON Schema, and the public functions of Python with their docstrings.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from scholartools.commands.shared.command import EXIT_STATUS, StreamGroup
from scholartools.commands.shared.man import COMMANDS, load_command

ROOT = Path(__file__).parent.parent
#: Modules whose ``__all__`` is for programs of users.
PUBLIC = (
    "pipeline", "tasks.facets", "tasks.limits", "tasks.claims", "tasks.generate", "tasks.judge", "tasks.score",
    "tasks.agree",
)  # fmt: skip
_NAMES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md"}


def write_pages(folder: Path) -> None:
    """Write all pages into a new folder."""
    folder.mkdir(parents=True)
    others = (ROOT / name for name in ("README.md", "CHANGELOG.md", "SECURITY.md", "CITATION.cff"))
    pages = (path for path in (ROOT / "docs").iterdir() if path.is_file())  # __pycache__ is none
    for path in (*pages, *others):
        if path.suffix != ".md":
            shutil.copy(path, folder)
            continue
        text = re.sub(r"\]\(docs/", "](", path.read_text(encoding="utf-8"))
        # a file's name behind the language of a block is a title there
        text = re.sub(r"^```(\w+) (\S+)$", r'```\1 title="\2"', text, flags=re.M)
        name = _NAMES.get(path.name, path.name)
        (folder / name).write_text(text, encoding="utf-8")
    made = {"commands": _command_lines(), "records": _record_lines(), "functions": _function_lines()}
    for name, lines in made.items():
        (folder / f"reference-{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _command_lines() -> Iterator[str]:
    yield "# All commands\n"
    yield "As `--help` and the man pages have them. All commands end with one of these statuses:\n"
    yield "| status | meaning |\n|---|---|"
    yield from (f"| {status} | {meaning} |" for status, meaning in EXIT_STATUS.items())
    for command in map(load_command, COMMANDS):
        name = str(command.name)
        yield from _help_lines(command, name, "##")
        for task in command.commands.values() if isinstance(command, StreamGroup) else ():
            yield from _help_lines(task, f"{name} {task.name}", "###")


def _help_lines(command: click.Command, line: str, heading: str) -> Iterator[str]:
    context = click.Context(command, info_name=line, max_content_width=100, terminal_width=100)
    yield f"\n{heading} {line}\n\n```text\n{command.get_help(context)}\n```"


def _record_lines() -> Iterator[str]:
    schema = json.loads((ROOT / "scholartools" / "schemas" / "paper.json").read_text(encoding="utf-8"))
    yield "# The keys of a record\n"
    yield f"{schema['description']}\n\nMade of the package's JSON Schema, `scholartools/schemas/paper.json`.\n"
    yield from _key_lines("A record", schema)
    for name, shape in schema["$defs"].items():
        yield from _key_lines(name, shape)


def _key_lines(name: str, shape: dict[str, Any]) -> Iterator[str]:
    yield f"\n## {name}\n"
    if name != "A record":
        yield f"{_cell(shape.get('description', ''))}\n"
    if shape.get("properties"):
        yield "| key | value | meaning |\n|---|---|---|"
    for key, value in shape.get("properties", {}).items():
        optional = "" if key in shape.get("required", ()) else " (optional)"
        yield f"| `{key}`{optional} | {_type_of(value)} | {_cell(value.get('description', ''))} |"


def _type_of(value: dict[str, Any]) -> str:
    """A type in words, with links to the shapes that it names."""
    if reference := value.get("$ref"):
        name = reference.rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if several := value.get("anyOf"):
        return " or ".join(_type_of(one) for one in several)
    if "enum" in value or "const" in value:
        return ", ".join(f"`{json.dumps(one)}`" for one in value.get("enum", [value.get("const")]))
    if value.get("type") == "array":
        return f"list of {_type_of(value['items'])}" if value.get("items") else "list"
    if value.get("type") == "object" and isinstance(more := value.get("additionalProperties"), dict):
        return f"object of {_type_of(more)}"
    return str(value.get("type", "any"))


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())


def _function_lines() -> Iterator[str]:
    yield "# Functions in Python\n\n[python.md](python.md) shows how to use the Python functions."
    for name in PUBLIC:
        module = importlib.import_module(f"scholartools.{name}")
        found = [(one, getattr(module, one)) for one in getattr(module, "__all__", ())]
        shown = [(one, value) for one, value in found if inspect.isfunction(value) or inspect.isclass(value)]
        if shown:
            yield f"\n## scholartools.{name}"
        for one, value in shown:
            signature = inspect.signature(value) if inspect.isfunction(value) else ""
            yield f"\n### {one}\n\n```text\n{one}{signature}\n\n{inspect.getdoc(value) or ''}\n```"


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
