"""By what a paper is known again, whatever record it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scholartools.records import Record

_WORD = re.compile(r"\w+")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)
_VERSION = re.compile(r"v\d+$")


def identifiers(record: Record) -> frozenset[tuple[str, str]]:
    """The names of a paper, one of which is enough to know it by.

    Its id, title, DOI, arXiv number without version, all of ``ids``, and the hash of its file; a DOI that arXiv gave is
    the number that stands in it.
    """
    return frozenset((kind, name) for kind, name in _names(record) if name)


def _names(record: Record) -> Iterator[tuple[str, str]]:
    if isinstance(record.get("id"), str):
        yield "id", record["id"]
    if isinstance(title := record.get("title"), str):
        yield "title", " ".join(_WORD.findall(title.casefold()))
    source = record.get("source")
    if isinstance(source, dict) and isinstance(source.get("sha256"), str):
        yield "sha256", source["sha256"]
    ids = record.get("ids")
    given = [*(ids.items() if isinstance(ids, dict) else ()), *((kind, record.get(kind)) for kind in ("doi", "arxiv"))]
    for kind, name in given:
        if not isinstance(name, str):
            continue
        name = name.strip().casefold()
        if kind == "doi" and _ARXIV_DOI.match(name):
            kind, name = "arxiv", _ARXIV_DOI.sub("", name)
        yield kind, _VERSION.sub("", name.removeprefix("arxiv:")) if kind == "arxiv" else name
