"""What a source of papers is: data, and two pure functions: the requests of a job, and what their answers say.

Shapes of a work: the keys of a paper record (``ids``, ``title``, ``authors``, ``abstract``, ``year``, ``date``,
``venue``, ``doi``, ...), and ``unknown``, which says for each of ``WANTED`` that the source leaves out why it is null.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scholartools.readers.common.tags import without_tags
from scholartools.web.request import Answer, Ask, Service

Record = dict[str, Any]

# The keys that a work always has, as null where the source does not say it.
WANTED = ("title", "authors", "abstract", "year", "date", "venue", "doi")

# Keys of a work that are for the requests that follow, and are in no record.
INTERNAL = ("venues", "checksum", "types", "api", "reviewed", "asks")

# Why an answer may not be passed on as it is: some in it only some people may read; it holds what people wrote about
# papers, of which no licence is stated; or the source's terms, or those of publishers, do not say that it may.
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
        """As one word."""
        return f"{self.kind}:{self.value}"


class Venue(NamedTuple):
    """A venue by its name in a source (or the short name of a conference), and the year."""

    name: str
    year: int | None = None

    def __str__(self) -> str:
        """As one word."""
        return f"{self.name} {self.year}" if self.year else self.name


class Job(NamedTuple):
    """What is wanted of a source: the works of some ids, of a venue, or those related to one.

    Attributes:
        action: "papers", "reviews", "venue", "licence", "search", "references", "citations" or "similar".
        limit: of related works at most; None for all.
        venue: of "venue".
        query: a title, of "search".
        with_reviews: whether works of a venue have their reviews.
        public_comments: whether comments of other people belong to a discussion.
        revisions: whether reviews have their earlier versions.
        version: of the paper whose file is wanted ("licence"), where finding it takes more requests: "reviewed".
        asides: what the requests of ``second`` said, by the first of their items; of one for a part that has no answer
            the reason as a text.
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
    """A related work in the source's order: the id of one whose work comes by another request, or the work itself."""

    item: str | None
    work: Record | None = None
    tie: Record | None = None


@dataclass
class Page:
    """What an answer says.

    Attributes:
        works: by item (``str(Id)``).
        missing: items that the source says it does not know, with the reason.
        ties: related works, in the source's order.
        candidates: works that a title may be of, in the source's order.
        next: what must be asked for the rest.
        total: how many related works the source says there are, or None.
        total_is_exact: whether fewer than ``total`` mean that some were left out.
        listed: how many works of a venue the answer lists, with those that not everyone may see.
        asides: of a request of ``second``: what it says, by the first of its items.
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
        id_kinds: of the ids that it can be asked by, the best first.
        actions: that it knows.
        terms: what may be done with its answers, in a sentence.
        checked: when and where limits and terms were read.
        doubt: says of a body that can be served why it may be wrong all the same.
        files: by kind ("latex", "jats", "pdf"), what is asked for a file: a function of the id, the work as the source
            has it and the version that is wanted; it returns the request, or why there is no such file.
        restricts: says of a body why it may not be passed on as it is, one of :data:`RESTRICTIONS`, or None.
        probe: a request that costs nothing, by which a person sees whether it answers, and what it says of its limits.
        second: requests that the works of a job make necessary: the first of their items names what they say, the
            others are the works that are read again with it.
        by_default: whether it is asked where no source is named.
        follows: as many requests as come at most after the first of a job for related works, alike in lane and price;
            None where nobody knows how many.
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
    """An answer has another shape than the source is known to give."""


def work(
    source: str, ids: Mapping[str, str | None], said: Mapping[str, Any], why: Mapping[str, str] | None = None
) -> Record:
    """A work: what the source says, null and the reason for what it does not.

    Args:
        said: keys of a paper record; what is None or empty counts as not said.
        why: reasons by key, where more is known than that the source does not say it.
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
    """A DOI without resolver, in lower case; None where it is none."""
    if not isinstance(value, str):
        return None
    found = re.sub(r"^(https?://)?(dx\.)?(doi\.org/|doi:)\s*", "", value.strip(), flags=re.I)
    return found.lower() if re.fullmatch(r"10\.\d{4,9}/\S+", found) else None


def arxiv_of_doi(doi: str | None) -> str | None:
    """The arXiv id that a DOI of arXiv stands for, without version."""
    found = _ARXIV_DOI.fullmatch(doi or "")
    return re.sub(r"v\d+$", "", found[1]) if found else None


def licence(said: Any, by: str, url: str | None = None) -> Record | None:
    """The licence of a paper as a record has it: ``id`` is that of SPDX where the source says version and all.

    Args:
        said: an address of Creative Commons or arXiv, or words such as "CC BY 4.0".
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
    """The licence of a paper by a service's own short name, such as "cc by", which has no version and so no SPDX id."""
    if not isinstance(said, str) or not said.strip() or said.strip().lower() in ("cc_no", "na", "none"):
        return None
    return {"id": None, "said": said.strip(), "url": url if isinstance(url, str) else None, "of": "paper", "by": by}


def is_open(found: Any) -> bool:
    """Whether a licence lets everybody pass the paper on: CC0, or one of Creative Commons' that has a version.

    Europe PMC says none, and hands the files of these licences to everybody: all versions of them allow that.
    """
    if not isinstance(found, dict) or found.get("of") != "paper":
        return False
    name = found.get("id")
    if name is None and found.get("by") == "europe-pmc":
        return re.fullmatch(r"cc[ -]?(0|by([ -]nc)?([ -](sa|nd))?)", str(found.get("said")).lower()) is not None
    return isinstance(name, str) and (name == "CC0-1.0" or name.startswith("CC-BY"))


def restricts_nothing(body: bytes) -> None:
    """What a source that may be passed on says of all its answers."""


def one_line(text: Any, *, has_tags: bool = False) -> str | None:
    """A text on one line, without the tags that it may have, or None."""
    if not isinstance(text, str):
        return None
    return " ".join((without_tags(text) if has_tags else text).split()) or None


def as_object(value: Any, what: str) -> Record:
    """The value, which must be an object.

    Raises:
        Unreadable: it is not.
    """
    if not isinstance(value, dict):
        raise Unreadable(f"{what} is no object")
    return value


def as_list(value: Any, what: str) -> list[Any]:
    """The value, which must be a list.

    Raises:
        Unreadable: it is not.
    """
    if not isinstance(value, list):
        raise Unreadable(f"{what} is no list")
    return value


def batches(ids: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """The ids, so many at once."""
    return [ids[start : start + size] for start in range(0, len(ids), size)]
