"""st-parse: convert papers to paper records."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, option
from scholartools.errors import UsageFault
from scholartools.readers.formats import FORMATS

if TYPE_CHECKING:
    from scholartools.io import Line
    from scholartools.pipeline.stream import Stream
    from scholartools.pipeline.workers import Limits
    from scholartools.records import Record

_EXAMPLES = [
    (
        "st-parse paper.pdf | st-facets | st-score --table",
        "Print scores of the background, method, results and conclusion in the abstract of a PDF.",
    ),
    (
        "find papers -name '*.pdf' | st-parse --files-from - --jobs 2 --output papers.jsonl",
        "Parse the PDFs of a folder with two processes.",
    ),
    ("st-parse arXiv-source.tar.gz", "Parse a LaTeX source, including its display equations."),
    ("st-parse --reviews notes.json papers/*.pdf", "Parse papers, and add their reviews from OpenReview."),
]


@command("st-parse", examples=_EXAMPLES, reads="files")
@option(
    "--files-from",
    metavar="LIST",
    type=click.Path(),
    help="Read the names of paper files from LIST, one per line or separated by NUL characters; - is standard input.",
)
@option(
    "--format",
    type=click.Choice(["auto", *FORMATS]),
    default="auto",
    show_default=True,
    help="Format of the paper files; auto detects the format from the content of each file.",
)
@option(
    "--reviews",
    metavar="FILE|DIR",
    multiple=True,
    help="Add the reviews in FILE, or in the JSON files of DIR, to the papers, matched by id, title or order; may be "
    "repeated.",
)
@option(
    "--fetched",
    metavar="FILE",
    multiple=True,
    conditions=(excludes("--reviews"), excludes("--files-from")),
    help="FILE has records that st-fetch source wrote: parse the first paper file that each record names, and keep "
    "the other keys of the record.",
)
@option(
    "--figures",
    metavar="DIR",
    type=click.Path(),
    help="For PDF and LaTeX: write the figures, tables and algorithms that have a caption to DIR as PNG files.",
)
@option("--ocr", is_flag=True, help="For PDF: recognise the text of scanned pages with Tesseract.")
@option(
    "--keep-hidden",
    is_flag=True,
    help="For PDF: keep invisible text (white, covered or outside the page) in the sections.",
)
@option(
    "--outline",
    is_flag=True,
    conditions=excludes("--text"),
    help="Print the title, and the heading of each section with its role (such as method), instead of JSONL.",
)
@option("--text", is_flag=True, help="Print the sections as human-readable text instead of JSONL.")
def main(
    stream: Stream, files_from: str | None, reviews: tuple[str, ...], fetched: tuple[str, ...], outline: bool,
    text: bool, **options: Any,
) -> int:  # fmt: skip
    """Turn papers into paper records: title, abstract, sections, references, captions.

    FILE is a PDF, LaTeX source (a file, a folder, or an archive of arXiv), TEI (GROBID), JATS (PubMed Central, PeerJ),
    plain text or Markdown. If a folder has no LaTeX source, st-parse reads the PDFs in the folder. Without FILE,
    st-parse reads standard input as one paper. st-parse writes one record for each paper file, in the order of the
    arguments. If a file cannot be read, its record has `errors` with the reason.

    st-parse leaves out text that is invisible on the page of a PDF, or whose position is unclear, and reports it in
    `warnings`. Read the `warnings` of a record before you use it. docs/parse.md describes input, output and how reviews
    are added to papers.
    """
    from dataclasses import replace
    from pathlib import Path

    from scholartools.io import open_input
    from scholartools.tasks import parse
    from scholartools.tasks.views import plain_text

    render = plain_text.outline if outline else plain_text.text if text else None
    figures = None if options["figures"] is None else Path(options["figures"])
    if figures is not None and figures.exists() and not figures.is_dir():
        raise UsageFault(f"--figures {figures}: a file, not a folder")
    if fetched:
        lines = _fetched_lines(stream, fetched)
        lines = lines[slice(*stream.shard.bounds(len(lines)))] if stream.shard else lines
        _check_ids(
            (line.record for line in lines if line.fault is None),
            keeps_pictures=figures is not None,
            quiet=stream.quiet,
        )
        work = functools.partial(parse.parse_fetched, reading=parse.Reading(**options | {"figures": figures}))
        return stream.map_records(
            work, lines, render=render, total=len(lines), chunk=1, limits=stream.bounds, path_of=_path_of({})
        )
    given = _file_names(stream, files_from)
    names = [name for one in given for name in parse.papers_in(one, options["format"])]
    stdin = open_input("-").read() if "-" in names else None
    stubs = [parse.stub(name) for name in names]
    _check_ids(stubs, keeps_pictures=figures is not None, quiet=stream.quiet)
    real = {stub["source"]["path"]: name for stub, name in zip(stubs, names) if stub["source"]["path"] != name}
    limits = stream.bounds
    reading = parse.Reading(**options | {"figures": None})
    title = functools.partial(parse.add_title, reading=reading, stdin=stdin, real=real)
    if reviews:
        read_titles = functools.partial(_read_titles, stream, title, limits, _path_of(real))
        stubs = _join_reviews_to(stream, stubs, reviews, read_titles)
    if stream.shard:
        stubs = stubs[slice(*stream.shard.bounds(len(stubs)))]
    lines = _number_stubs(stubs)
    work = functools.partial(parse.parse, reading=replace(reading, figures=figures), stdin=stdin, real=real)
    return stream.map_records(
        work, lines, render=render, total=len(lines), chunk=1, limits=limits, path_of=_path_of(real)
    )


def _fetched_lines(stream: Stream, paths: tuple[str, ...]) -> list[Line]:
    """Stubs of the papers in records of st-fetch; a record without a file gets a fault.

    Raises:
        UsageFault: files are given as arguments too.
    """
    from scholartools.errors import InputFault
    from scholartools.io import read_lines
    from scholartools.tasks import parse

    if stream.files:
        raise UsageFault("--fetched names the papers: leave out other files")
    lines = []
    for line in read_lines(paths, "fetched"):
        try:
            lines.append(line if line.fault is not None else line._replace(record=parse.stub_of_fetched(line.record)))
        except InputFault as fault:
            lines.append(line._replace(fault=fault))
    return lines


def _path_of(real: Mapping[str, str]) -> Callable[[Line], str | None]:
    """Function that returns the path of a line's file; ``real`` maps paths in records to names that are not UTF-8."""

    def path_of(line: Line) -> str | None:
        path = line.record["source"]["path"] if line.fault is None else None
        return None if path is None else real.get(path, path)

    return path_of


def _read_titles(
    stream: Stream,
    title: Callable[[Record], Record],
    limits: Limits,
    path_of: Callable[[Line], str | None],
    stubs: Iterable[Record],
) -> Iterator[Record | None]:
    """Yield the stubs with the titles read from their files; None if a file cannot be read."""
    return stream.transform_quietly(title, _number_stubs(stubs), limits, path_of)


def _check_ids(stubs: Iterable[Record], *, keeps_pictures: bool, quiet: bool) -> None:
    """Warn of two papers with the same id.

    Raises:
        UsageFault: two papers have the same id, and ``keeps_pictures``: their pictures would overwrite each other.
    """
    twice = next((one for one, count in Counter(stub["id"] for stub in stubs).items() if count > 1), None)
    if twice is not None and keeps_pictures:
        raise UsageFault(f'--figures: two papers have the id "{twice}", so their pictures would have the same names')
    if twice is not None and not quiet:
        click.echo(
            f'st-parse: warning: two papers have the id "{twice}": commands that count papers count them as one',
            err=True,
        )


def _number_stubs(stubs: Iterable[Record]) -> list[Line]:
    from scholartools.io import Line

    return [Line(stub["source"]["path"], stub) for stub in stubs]


def _join_reviews_to(
    stream: Stream,
    stubs: list[Record],
    names: tuple[str, ...],
    titled: Callable[[list[Record]], Iterator[Record | None]],
) -> list[Record]:
    """The stubs with their reviews; ``titled`` adds titles to the stubs that can only be matched by title."""
    from scholartools.readers.reviews.reader import papers_without_title
    from scholartools.tasks import parse

    files = [path for name in names for path in _files_of_reviews(name)]
    given = parse.read_reviews([_read_content(path) for path in files], len(stubs), files)
    places = papers_without_title(stubs, given)
    for place, found in zip(places, titled([stubs[place] for place in places])):
        stubs[place] = found or stubs[place]
    joined, notices = parse.join_reviews(stubs, given)
    for notice in () if stream.quiet else notices:
        click.echo(f"st-parse: --reviews {' '.join(names)}: {notice}", err=True)
    return joined


def _files_of_reviews(name: str) -> list[str]:
    """The file, or the JSON files of a folder, sorted by name.

    Raises:
        UsageFault: the file is a table, or the folder has no JSON file.
    """
    from pathlib import Path

    if name.lower().endswith((".csv", ".tsv", ".xlsx")):
        form = '{"PAPER": ["text of a review", "text of another"]}'
        raise UsageFault(f"{name}: a table: save the reviews as JSON, such as {form}", parameter="reviews")
    if not Path(name).is_dir():
        return [name]
    found = sorted(str(path) for path in Path(name).iterdir() if path.suffix.lower() in (".json", ".jsonl"))
    if not found:
        raise UsageFault(f"{name}: the folder has no .json or .jsonl file", parameter="reviews")
    return found


def _read_content(name: str) -> bytes:
    from scholartools.io import open_input

    with open_input(name, "reviews") as file:
        return file.read()


def _file_names(stream: Stream, files_from: str | None) -> list[str]:
    """Names of the files to read, in order; "-" (standard input) if none is given.

    Raises:
        UsageFault: standard input would be read twice, or the output would overwrite a paper.
    """
    if files_from == "-" and "-" in stream.files:
        raise UsageFault("standard input is already the list of files, so it cannot also be a paper")
    from scholartools.io import is_same_file

    names = [*stream.files, *(_names_in_list(files_from) if files_from else ())]
    if not names and not files_from:
        stream.warn_if_terminal("a paper")
        names = ["-"]
    if stream.output and any(is_same_file(stream.output, name) for name in names):
        raise UsageFault(f"--output {stream.output} is one of the papers to parse, and would be overwritten")
    return names


def _names_in_list(path: str) -> Iterator[str]:
    from scholartools.io import open_input

    with open_input(path, "files_from") as file:
        data = file.read()
    names = data.split(b"\0") if b"\0" in data else data.splitlines()
    return (os.fsdecode(name) for name in names if name.strip())
