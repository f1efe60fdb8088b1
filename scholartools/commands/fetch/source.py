"""st-fetch source: LaTeX sources, JATS and PDF files of papers, each with its licence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.fetch.options import (
    entries,
    fetch_action,
    names_of,
    source_option,
    web_options,
    web_settings,
)
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.fetch.entries import Entry, Made
    from scholartools.web.client import WebClient


@fetch_action(
    "source",
    examples=[
        (
            "st-fetch source papers.jsonl --dir sources --output fetched.jsonl",
            "Fetch the sources whose licence allows redistribution.",
        ),
        (
            "st-fetch source 2401.00001 --dir sources --any-licence",
            "Fetch one source for your own reading, under any licence.",
        ),
    ],
)
@source_option
@option("--dir", "folder", metavar="DIR", required=True, type=click.Path(), help="Folder for the downloaded files.")
@option(
    "--kind",
    "kinds",
    metavar="KIND,...",
    default="latex,jats,pdf",
    show_default=True,
    help="Kinds of files to download (latex, jats, pdf), the preferred kind first.",
)
@option(
    "--any-licence", is_flag=True,
    help="Also download files that you may not redistribute, only for your own reading and analysis.",
)  # fmt: skip
@option(
    "--paper-version", metavar="VERSION",
    help="Version of the paper to fetch: first, latest, vN, or reviewed, the version before the first review "
        "(default: the version in the identifier, else the latest).",
)  # fmt: skip
@web_options
def source(stream: Stream, source: str | None, **options: Any) -> int:
    """Fetch the files of papers (LaTeX sources of arXiv, JATS, PDFs).

    st-fetch source adds `files` to each record, and `st-parse --fetched` reads the fetched files. The licence is
    checked first: a paper whose files may not be redistributed is written with `errors`, and its files are not fetched.
    DIR/LICENCES.jsonl lists each file with its licence.
    """
    from scholartools.errors import OutputFault
    from scholartools.pipeline.fetching import chosen_sources, fetch_singly, show_forecast
    from scholartools.sources import Job
    from scholartools.tasks.fetch.files import Wanted, fetch_file
    from scholartools.tasks.fetch.papers import id_for

    settings = web_settings(options)
    sources = chosen_sources(names_of(source), "source", settings.contact)
    wanted = Wanted(
        _kinds(options), Path(options["folder"]), options["any_licence"], _version(options["paper_version"])
    )
    asked = entries(stream, options)
    if options["dry_run"]:
        places = [
            (of, next(kind for kind in wanted.kinds if kind in of.files), id)
            for entry in asked
            for of in sources
            if of.files.keys() & set(wanted.kinds) and (id := id_for(of, entry.ids)) is not None
        ]
        known = [ask for of, _, id in places for ask in of.requests(Job("licence", (id,)))]
        files = [of.files[kind](id, {}, wanted.version) for of, kind, id in places]
        following = [ask for ask in files if not isinstance(ask, str)]
        return show_forecast(
            stream, settings, known, "A file of each paper whose licence permits redistribution.", following
        )
    try:
        wanted.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFault(f"{wanted.folder}: {error.strerror}") from None

    async def one(client: WebClient, entry: Entry) -> Made:
        return await fetch_file(client, sources, entry, wanted)

    return fetch_singly(stream, settings, asked, one)


def _kinds(options: dict[str, Any]) -> tuple[str, ...]:
    from scholartools.errors import UsageFault
    from scholartools.tasks.fetch.files import KINDS

    kinds = tuple(names_of(options["kinds"]))
    if unknown := [one for one in kinds if one not in KINDS]:
        raise UsageFault(f'"{unknown[0]}" is not one of {", ".join(KINDS)}', parameter="kind")
    return kinds


def _version(version: str | None) -> str | None:
    import re

    from scholartools.errors import UsageFault

    if version is not None and not re.fullmatch(r"first|latest|reviewed|v[1-9]\d?", version):
        raise UsageFault(f'"{version}" is not one of first, latest, reviewed, vN', parameter="paper_version")
    return version
