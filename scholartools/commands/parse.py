"""st-parse: papers in, paper records out."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from scholartools.commands._common import command
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.commands._stream import Stream


@command(
    "st-parse",
    examples=[
        ("st-parse paper.pdf | st-facets | st-score --table", "From a PDF to a table of what its abstract holds."),
        (
            "find papers -name '*.pdf' | st-parse --files-from - --jobs 2 --output papers.jsonl",
            "A folder, two at once.",
        ),
    ],
)
@click.option(
    "--files-from",
    metavar="LIST",
    type=click.Path(),
    help="Read names from LIST, one a line or NUL-ended; - is standard input.",
)
@click.option("--outline", is_flag=True, help="Print title and headings with their roles, not records.")
@click.option("--text", is_flag=True, help="Print the sections as readable text, not records.")
def main(stream: Stream, files_from: str | None, outline: bool, text: bool) -> int:
    """Turn PDF files into paper records: title, abstract, sections, references, captions.

    With no FILE, one PDF is read from standard input. Each file gives one record, in the order given; a file that
    cannot be read gives a record with `errors` that say why.
    """
    from scholartools.io import Line, open_input
    from scholartools.tasks import parse, views

    if outline and text:
        raise UsageFault("--outline and --text: choose one")
    names = _names(stream, files_from)
    stdin = open_input("-").read() if "-" in names else None
    lines = [Line(stub["source"]["path"], stub) for stub in map(parse.stub, names)]
    real = {line.where: name for line, name in zip(lines, names) if line.where != name}
    render = views.outline if outline else views.text if text else None
    work = functools.partial(parse.parse, stdin=stdin, real=real)
    return stream.each(work, lines, render=render, total=len(lines), chunk=1)


def _names(stream: Stream, files_from: str | None) -> list[str]:
    """The files to read, in order; standard input where none is named.

    Raises:
        UsageFault: standard input would be read twice, or a paper would be overwritten.
    """
    if files_from == "-" and "-" in stream.files:
        raise UsageFault("standard input is the list of files: it cannot be a paper too")
    names = [*stream.files, *(_listed(files_from) if files_from else ())]
    if not names and not files_from:
        stream.tell_if_terminal("a PDF")
        names = ["-"]
    if stream.output and any(_same_file(stream.output, name) for name in names):
        raise UsageFault(f"--output {stream.output} is one of the papers")
    return names


def _same_file(one: str, other: str) -> bool:
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)


def _listed(path: str) -> Iterator[str]:
    from scholartools.io import open_input

    with open_input(path) as file:
        data = file.read()
    names = data.split(b"\0") if b"\0" in data else data.splitlines()
    return (os.fsdecode(name) for name in names if name.strip())
