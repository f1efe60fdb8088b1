"""Text of a paper as shown to a model: abstract and sections with headings, in chunks that fit a request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholartools.errors import InputFault
from scholartools.records import Record, read, texts
from scholartools.text.chunks import first_words, n_words, pack_sizes, split_words

# Length in words of the excerpt that replaces a missing abstract.
_SUMMARY_WORDS = 300

# The role of the bibliography section.
_REFERENCES = "reference"


class Part(NamedTuple):
    """The abstract or a section; the text may be blank."""

    name: str
    heading: str
    role: str
    level: int
    text: str


def all_parts(record: Record) -> list[Part]:
    """The abstract and the sections of a paper, in order.

    A section of the role abstract is left out where the record has an ``abstract``.

    Raises:
        InputFault: there is neither an abstract nor a section, or a key has the wrong type.
    """
    named = texts({key: record[key] for key in ("abstract", "sections") if key in record})
    if not named:
        raise InputFault('no "abstract" or "sections": run st-parse first', kind="missing-key")
    abstract = named.get("abstract", "")
    parts = [Part("abstract", "Abstract", "abstract", 1, abstract)] if abstract.strip() else []
    return parts + [
        Part(one["id"], one["heading"].strip(), one["role"], one["level"], one["text"])
        for one in read(record, "sections") or ()
        if not (parts and one["role"] == "abstract")
    ]


def paper_parts(record: Record) -> list[Part]:
    """Like :func:`all_parts`, without the bibliography.

    Raises:
        InputFault: for the same reasons, or there is no text.
    """
    parts = [part for part in all_parts(record) if part.role != _REFERENCES]
    if not any(part.text.strip() for part in parts):
        raise InputFault("there is no text in the paper", kind="no-text")
    return parts


def title_and_abstract(title: str, parts: Sequence[Part]) -> tuple[str, str]:
    """Title and abstract, or without an abstract the beginning of the text; and the name of the part used."""
    part = next((part for part in parts if part.text and part.role == "abstract"), None)
    if part is not None:
        return f"{title}\n\n{part.text}".strip(), part.name
    first = next(part for part in parts if part.text)
    return f"{title}\n\n{split_words(first.text, _SUMMARY_WORDS)[0]}".strip(), first.name


def beginning(parts: Sequence[Part], limit: int) -> tuple[list[Part], int]:
    """The first parts of a paper, up to a number of words; the last one is cut at a sentence boundary.

    A first sentence that is longer than the limit is cut between words.

    Returns:
        The parts, and the number of words left out.
    """
    kept: list[Part] = []
    rest = limit
    for part in parts:
        text = first_words(part.text, rest)
        if not kept and part.text.strip():
            text = text or split_words(part.text, limit)[0]
        kept += [part._replace(text=text)] if text else []
        rest = rest - n_words(text) if n_words(text) == n_words(part.text) else 0
    total = sum(n_words(part.text) for part in parts)
    return kept, total - sum(n_words(part.text) for part in kept)


def pieces(title: str, parts: Sequence[Part], limit: int | None) -> list[str]:
    """Split the paper into chunks of whole sections where possible, each under the paper's title.

    Args:
        limit: maximum words per chunk, without headings; None: a single chunk.
    """
    limit = limit or max(1, sum(n_words(part.text) for part in parts))
    cuts = [(part.heading, text) for part in parts for text in split_words(part.text, limit)]
    groups = pack_sizes([n_words(text) for _, text in cuts], limit)
    head = f"# {title}\n\n" if title else ""
    return [head + "\n\n".join(_section_text(*cuts[place]) for place in group) for group in groups]


def _section_text(heading: str, text: str) -> str:
    return f"## {heading}\n\n{text}" if heading else text
