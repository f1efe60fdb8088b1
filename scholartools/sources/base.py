"""Interface of a source of papers: metadata, and two pure functions that make requests and parse their responses.

A work has the keys of a paper record (``ids``, ``title``, ``authors``, ``abstract``, ``year``, ``date``, ``venue``,
``doi``, ...), and ``unknown`` with the reason for each key of ``WANTED`` that is null.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scholartools.readers.common.tags import without_tags
from scholartools.web.request import Answer, Ask, Service

Record = dict[str, Any]

# Keys that every work has, null if the source does not provide them.
WANTED = ("title", "authors", "abstract", "year", "date", "venue", "doi")

# Keys of a work that are only used for later requests, and are removed from records.
INTERNAL = ("venues", "checksum", "types", "api", "reviewed", "asks")

# Reasons why a response may not be redistributed: it contains data that is not public; it contains reviews or comments
# without a stated licence; or the terms of the source or of publishers do not permit it.
RESTRICTIONS = ("private", "reviews", "terms")

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.I)

_CREATIVE = re.compile(
    r"(creativecommons\.org-licenses-|cc-)(?P<terms>by(-nc)?(-sa|-nd)?)-(?P<version>[1-4]\.0)(-[a-z]+)*"
)


class Id(NamedTuple):
    """An identifier and its kind: doi, arxiv, openreview, openalex, s2, corpus, acl, pmid, pmcid, dblp."""

    kind: str
    value: str

    def __str__(self) -> str:
        """KIND:VALUE."""
        return f"{self.kind}:{self.value}"


class Venue(NamedTuple):
    """A venue by its name in a source, or by the short name of a conference, and the year."""

    name: str
    year: int | None = None

    def __str__(self) -> str:
        """NAME YEAR."""
        return f"{self.name} {self.year}" if self.year else self.name


class Job(NamedTuple):
    """Works requested from a source: by ids, of a venue, or related to a work.

    Attributes:
        action: "papers", "reviews", "venue", "licence", "search", "references", "citations" or "similar".
        limit: maximum number of related works; None for all.
        venue: venue for "venue".
        query: a title for "search".
        with_reviews: whether to include reviews of the works of a venue.
        public_comments: whether to include comments by other people in a discussion.
        revisions: whether to include earlier versions of reviews.
        version: version of the requested file ("licence"), if finding it takes more requests: "reviewed".
        asides: parsed responses to the requests of ``second``, by the first of their items; for a failed request for a
            part, the reason as text.
    """

    action: str
    ids: tuple[Id, ...] = ()
    limit: int | None = None
    venue: Venue | None = None
    query: str = ""
    with_reviews: bool = False
    public_comments: bool = False
    revisions: bool = False
    version: str | None = None
    asides: Mapping[str, Any] = {}


class Tie(NamedTuple):
    """A related work, in the order of the source: its id if the work needs another request, or the work itself."""

    item: str | None
    work: Record | None = None
    tie: Record | None = None


@dataclass
class Page:
    """Parsed response.

    Attributes:
        works: works by item (``str(Id)``).
        missing: items that the source does not know, with the reason.
        ties: related works, in the order of the source.
        candidates: possible matches of a title, in the order of the source.
        next: requests for the rest.
        total: number of related works according to the source, or None.
        total_is_exact: whether fewer works than ``total`` mean that some were omitted.
        listed: number of works of a venue in the response, including those that are not public.
        asides: parsed response to a request of ``second``, by the first of its items.
    """

    works: dict[str, Record] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)
    candidates: list[Record] = field(default_factory=list)
    next: list[Ask] = field(default_factory=list)
    total: int | None = None
    total_is_exact: bool = False
    listed: int = 0
    asides: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """A source of papers.

    Attributes:
        id_kinds: kinds of ids that it accepts, the best first.
        actions: supported actions.
        terms: one sentence on the permitted use of its responses.
        checked: when and where limits and terms were read.
        doubt: returns why a valid body may be wrong nevertheless, or None.
        files: by kind ("latex", "jats", "pdf"), a function of the id, the work from this source and the requested
            version; it returns the request for the file, or why there is no such file.
        restricts: returns why a body may not be redistributed, one of :data:`RESTRICTIONS`, or None.
        probe: a free request that shows whether the source responds, and its rate limits.
        second: additional requests for the works of a job: the first of their items names the response, the others are
            the works that are parsed again with it.
        by_default: whether it is used if no source is named.
        follows: upper bound on the requests after the first one of a job for related works, with the same lane and
            price; None if unknown.
    """

    name: str
    service: Service
    id_kinds: tuple[str, ...]
    actions: tuple[str, ...]
    terms: str
    checked: str
    requests: Callable[[Job], list[Ask]]
    read: Callable[[Job, Ask, Answer], Page]
    doubt: Callable[[Ask, bytes], str | None] | None = None
    files: Mapping[str, Callable[[Id, Record, str | None], Ask | str]] = field(default_factory=dict)
    restricts: Callable[[bytes], str | None] = lambda body: "terms"
    probe: Ask | None = None
    follows: Callable[[Job], list[Ask] | None] = lambda job: []
    by_default: bool = True
    second: Callable[[Job, Mapping[str, Record]], list[Ask]] = lambda job, works: []


class Unreadable(ValueError):
    """A response does not have the format that the source is known to use."""


def work(
    source: str, ids: Mapping[str, str | None], said: Mapping[str, Any], why: Mapping[str, str] | None = None
) -> Record:
    """Make a work from the values that a source provides, with null and a reason for missing ones.

    Args:
        said: keys of a paper record; None and empty values count as missing.
        why: reasons by key, if more specific than that the source does not provide it.
    """
    made: Record = {"ids": {kind: value for kind, value in ids.items() if value}}
    doi = made["ids"].get("doi")
    unknown: dict[str, str] = {}
    for key in WANTED:
        value = doi if key == "doi" else said.get(key)
        made[key] = value if value not in (None, "", []) else None
        if made[key] is None:
            unknown[key] = (why or {}).get(key, f"{source} does not say it")
    made |= {key: value for key, value in said.items() if key not in WANTED and value not in (None, "", [], {})}
    return {**made, **({"unknown": unknown} if unknown else {})}


def plain_doi(value: Any) -> str | None:
    """DOI without resolver, in lower case; None if invalid."""
    if not isinstance(value, str):
        return None
    found = re.sub(r"^(https?://)?(dx\.)?(doi\.org/|doi:)\s*", "", value.strip(), flags=re.I)
    return found.lower() if re.fullmatch(r"10\.\d{4,9}/\S+", found) else None


def arxiv_of_doi(doi: str | None) -> str | None:
    """arXiv id in a DOI of arXiv, without version."""
    found = _ARXIV_DOI.fullmatch(doi or "")
    return re.sub(r"v\d+$", "", found[1]) if found else None


def licence(said: Any, by: str, url: str | None = None) -> Record | None:
    """Licence of a paper as in a record; ``id`` is an SPDX id if the source states an exact licence.

    Args:
        said: a URL of Creative Commons or arXiv, or text such as "CC BY 4.0".
    """
    if not isinstance(said, str) or not said.strip():
        return None
    text = said.strip()
    words = re.sub(r"[\s_/-]+", "-", re.sub(r"^https?://(www\.)?", "", text.lower())).strip("-")
    found = _CREATIVE.fullmatch(words)
    if found:
        terms = re.sub(r"[^a-z]+", "-", found["terms"])
        name = f"CC-{terms.upper()}-{found['version']}"
    elif re.fullmatch(r"(creativecommons\.org-publicdomain-zero-1\.0.*|cc0(-1\.0)?)", words):
        name = "CC0-1.0"
    elif "arxiv.org-licenses-nonexclusive-distrib-1.0" in words:
        name = "arxiv-nonexclusive-1.0"
    else:
        name = None
    return {"id": name, "said": text, "url": text if "://" in text else url, "of": "paper", "by": by}


def named_licence(said: Any, by: str, url: Any = None) -> Record | None:
    """Licence of a paper by a short name such as "cc by", which has no version and thus no SPDX id."""
    if not isinstance(said, str) or not said.strip() or said.strip().lower() in ("cc_no", "na", "none"):
        return None
    return {"id": None, "said": said.strip(), "url": url if isinstance(url, str) else None, "of": "paper", "by": by}


def is_open(found: Any) -> bool:
    """Whether a licence permits redistribution by everybody: CC0, or a Creative Commons licence with a version.

    Europe PMC states no version but distributes the files with these licences; all versions permit that.
    """
    if not isinstance(found, dict) or found.get("of") != "paper":
        return False
    name = found.get("id")
    if name is None and found.get("by") == "europe-pmc":
        return re.fullmatch(r"cc[ -]?(0|by([ -]nc)?([ -](sa|nd))?)", str(found.get("said")).lower()) is not None
    return isinstance(name, str) and (name == "CC0-1.0" or name.startswith("CC-BY"))


def restricts_nothing(body: bytes) -> None:
    """Restriction function of a source whose responses may all be redistributed."""


def one_line(text: Any, *, has_tags: bool = False) -> str | None:
    """Text on one line, optionally with tags removed; None if empty or not a text."""
    if not isinstance(text, str):
        return None
    return " ".join((without_tags(text) if has_tags else text).split()) or None


def as_object(value: Any, what: str) -> Record:
    """Return the value if it is an object.

    Raises:
        Unreadable: it is not an object.
    """
    if not isinstance(value, dict):
        raise Unreadable(f"{what} is no object")
    return value


def as_list(value: Any, what: str) -> list[Any]:
    """Return the value if it is a list.

    Raises:
        Unreadable: it is not a list.
    """
    if not isinstance(value, list):
        raise Unreadable(f"{what} is no list")
    return value


def batches(ids: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """The ids in batches of ``size``."""
    return [ids[start : start + size] for start in range(0, len(ids), size)]
