"""Identify papers across records by their identifiers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from scholartools.readers.common.tags import without_tags
from scholartools.readers.references.identifiers import arxiv_number
from scholartools.records import Record, name_of

_WORD = re.compile(r"[^\W_]+")
_ARXIV_DOI = re.compile(r"10\.48550[/_]arxiv\.", re.IGNORECASE)
_PREFIX = re.compile(
    r"(https?://)?(www\.|dx\.|export\.)?(doi\.org/|arxiv\.org/(abs|pdf)/|openalex\.org/)|(doi|arxiv|openalex):\s*", re.I
)
# Identifiers that are recognised by their form, under any key; a slash may be written as an underscore, as in record
# ids.
_OTHERS = re.compile(r"10\.\d{4,9}_\S+|w\d{4,}|[0-9a-f]{40}|pmc\d+|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+|[a-z]\d\d-\d{4}")


def identifiers(record: Record) -> frozenset[tuple[str, str]]:
    """Identifiers of a paper, as (kind, value); records that share one describe the same paper.

    The record's id, title, DOI, arXiv number without version, all of ``ids``, the ids of ``versions`` and ``same_as``,
    and the file hash; arXiv DOIs are reduced to the arXiv number. Titles are compared without case, accents, markup,
    spaces and punctuation.

    Raises:
        InputFault: the record's id is neither text nor an integer.
    """
    return frozenset((kind, name) for kind, name in _names(record) if name)


def _names(record: Record) -> Iterator[tuple[str, str]]:
    if isinstance(title := record.get("title"), str):
        plain = unicodedata.normalize("NFKD", without_tags(title).casefold())
        yield "title", "".join(_WORD.findall("".join(c for c in plain if not unicodedata.combining(c))))
    source = record.get("source")
    if isinstance(source, dict) and isinstance(source.get("sha256"), str):
        yield "sha256", source["sha256"]
    ids = record.get("ids")
    versions, same = (of if isinstance(of := record.get(key), list) else () for key in ("versions", "same_as"))
    given = [*(ids.items() if isinstance(ids, dict) else ()), *((kind, record.get(kind)) for kind in ("doi", "arxiv"))]
    given += [("openreview", name_of(record, "id")), *(("openreview", one) for one in same)]
    given += [("openreview", one.get("id")) for one in versions if isinstance(one, dict)]
    for kind, name in given:
        if isinstance(name, str):
            yield _named(kind, name.strip())


def _named(kind: str, name: str) -> tuple[str, str]:
    """Normalise an identifier of a known form; others are compared verbatim, within their kind.

    The id of a record may be a forum id, a file name or any user-defined word, none of which has a known form.
    """
    word = _PREFIX.sub("", name, count=1) if _PREFIX.match(name) else name
    word = _ARXIV_DOI.sub("", word.casefold().replace("/", "_"))
    if number := arxiv_number(word):
        return "identifier", number[0]
    return ("identifier", word) if _OTHERS.fullmatch(word) else (kind, word if kind == "doi" else name)
