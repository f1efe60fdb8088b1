"""Parse identifiers of papers in the spellings of people and services."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from scholartools.errors import InputFault
from scholartools.readers.references.identifiers import ARCHIVES
from scholartools.sources import Id
from scholartools.sources.base import arxiv_of_doi, plain_doi

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_NEW_ARXIV = r"\d{4}\.\d{4,5}(?:v\d+)?"
_OLD_ARXIV = rf"(?:{ARCHIVES})(?:\.[A-Z]{{2}})?/\d{{7}}(?:v\d+)?"
# Patterns of identifiers without a prefix; the first match decides.
_FORMS = (
    ("arxiv", re.compile(rf"(?:arxiv:)?({_NEW_ARXIV}|{_OLD_ARXIV})", re.I)),
    ("openalex", re.compile(r"(?:openalex:)?(W\d{4,})", re.I)),
    ("s2", re.compile(r"(?:s2:)?([0-9a-f]{40})", re.I)),
    ("corpus", re.compile(r"corpus(?:id)?:(\d+)", re.I)),
    ("pmid", re.compile(r"pmid:\s*(\d+)", re.I)),
    ("pmcid", re.compile(r"(?:pmcid:)?(PMC\d+)", re.I)),
    ("acl", re.compile(r"(?:acl:)?(\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+|[A-Z]\d{2}-\d{4})", re.I)),
    ("dblp", re.compile(r"dblp:((?:conf|journals|books|phd|series|tr|reference)/[\w/.+-]+)", re.I)),
    ("openreview", re.compile(r"openreview:([\w-]{6,20})", re.I)),
)
_FORUM = re.compile(r"(?=[\w-]*[A-Z0-9])(?=[\w-]*[A-Za-z])[\w-]{9,14}")
_KNOWN_KINDS = ("doi", "arxiv", "openreview", "openalex", "s2", "acl", "pmid", "pmcid")
# Kinds of ids that name a record, in order of preference.
_NAMING = ("openreview", "arxiv", "acl", "openalex", "s2", "doi", "pmcid", "pmid", "corpus", "dblp")

FORMS = (
    "a DOI, an arXiv id, an OpenAlex id (W...), a Semantic Scholar id (40 hexadecimal digits), CorpusId:N, PMID:N, "
    "PMC..., an ACL id, openreview:ID, dblp:KEY"
)


def parse_id(text: str) -> Id:
    """Parse a word, or the address of a page on a paper, as an identifier.

    Raises:
        InputFault: kind ``unknown-id``.
    """
    word = text.strip()
    found = _of_address(word) if "://" in word else None
    doi = plain_doi(unquote(word) if "://" in word else word)
    if doi is not None:
        number = arxiv_of_doi(doi)
        return Id("arxiv", number) if number else Id("doi", doi)
    if found is not None:
        return found
    for kind, form in _FORMS:
        if match := form.fullmatch(word):
            return Id(kind, _one_spelling(kind, match[1]))
    if _FORUM.fullmatch(word):
        return Id("openreview", word)
    raise InputFault(f'"{text}" is not an identifier: {FORMS}', kind="unknown-id")


def _of_address(address: str) -> Id | None:
    """The paper identified by a page address."""
    parts = urlsplit(address)
    host = (parts.hostname or "").removeprefix("www.").removeprefix("export.")
    path = unquote(parts.path).strip("/")
    query = parse_qs(parts.query)
    last = path.rpartition("/")[2]
    if host == "arxiv.org" and path.startswith(("abs/", "pdf/", "src/", "e-print/")):
        return parse_id(path.partition("/")[2].removesuffix(".pdf"))
    if host == "openreview.net" and query.get("id"):
        return Id("openreview", query["id"][0])
    if host == "aclanthology.org":
        return parse_id(f"acl:{path.removesuffix('.pdf')}")
    if host in ("openalex.org", "api.openalex.org") or host == "semanticscholar.org":
        return parse_id(last)
    return None


def _one_spelling(kind: str, value: str) -> str:
    if kind in ("openalex", "pmcid"):
        return value.upper()
    if kind == "acl":  # ids before 2020 start with a capital
        return value.upper() if re.fullmatch(r"[A-Za-z]\d{2}-\d{4}", value) else value.lower()
    if kind == "arxiv":
        value = re.sub(r"V(\d+)$", r"v\1", value)
        archive, slash, number = value.partition("/")
        group, dot, subject = archive.partition(".")
        return f"{group.lower()}{dot}{subject.upper()}/{number}" if slash else value
    return value.lower() if kind == "s2" else value


def ids_of(record: PaperRecord) -> tuple[Id, ...]:
    """Distinct identifiers of a record, from ``ids``, ``doi``, ``arxiv``, or else a parsable ``id``.

    Raises:
        InputFault: kind ``invalid-key`` or ``unknown-id``: a value is invalid.
    """
    given: list[tuple[str, Any]] = []
    own = record.get("ids")
    if own is not None and not isinstance(own, dict):
        raise InputFault('"ids" is not an object', kind="invalid-key")
    given += [(kind, own[kind]) for kind in _KNOWN_KINDS if own and own.get(kind)]
    given += [(kind, record[kind]) for kind in ("doi", "arxiv") if record.get(kind)]
    found = [_of_kind(kind, value) for kind, value in given]
    if not found and isinstance(record.get("id"), str):
        try:
            found = [parse_id(record["id"])]
        except InputFault:
            found = []
    return tuple(dict.fromkeys(found))


def _of_kind(kind: str, value: Any) -> Id:
    if not isinstance(value, str):
        raise InputFault(f'"{kind}" is not a text', kind="invalid-key")
    prefix = {"doi": "", "arxiv": "arxiv:", "openalex": "openalex:", "s2": "s2:", "pmid": "pmid:"}.get(kind, f"{kind}:")
    made = parse_id(prefix + value.strip().removeprefix("arXiv:"))
    if kind != made.kind and not (kind == "doi" and made.kind == "arxiv"):
        raise InputFault(f'"{kind}" is "{value}", which is not a valid identifier', kind="unknown-id")
    return made


def record_id(ids: dict[str, str]) -> str:
    """Id of a record from its identifiers: an arXiv id without version, a DOI with ``_`` for ``/``."""
    kind = next(kind for kind in _NAMING if ids.get(kind))
    value = re.sub(r"v\d+$", "", ids[kind]) if kind == "arxiv" else ids[kind]
    return value.replace("/", "_")


def as_ids(one: Id) -> dict[str, str]:
    """An identifier in the form of a record's ``ids``."""
    value = re.sub(r"v\d+$", "", one.value) if one.kind == "arxiv" else one.value
    return {one.kind: value}
