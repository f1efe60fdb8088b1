"""Split a bibliography into entries, parse the fields of each, and resolve dashes in place of repeated authors."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from scholartools.readers.common.hyphenation import Vocabulary, join_lines
from scholartools.readers.common.page import Line
from scholartools.readers.references import links as reference_links
from scholartools.readers.references import tagger
from scholartools.readers.references.identifiers import find_arxiv, find_doi, find_url, find_year
from scholartools.readers.references.links import Links
from scholartools.readers.references.names import (
    Names,
    are_whole,
    cuts_name,
    has_initial,
    is_full_name,
    is_person,
    leading_names,
    people_in,
)
from scholartools.readers.references.starts import entry_starts
from scholartools.readers.references.titles import agreed_title, find_title
from scholartools.readers.references.venues import find_venue

_LONGEST = 20_000  # characters of an entry that are parsed; author lists of collaborations take up to half of them
_QUOTES = " “”\"„«‘`'"
_SHORTEST = 12  # entries must have more characters
_AT_ONCE = 64  # batch size of the tagger, limited because the longest reference determines the size of its arrays
# Minimum margins of the tagger's authors: if the rules find the same, with and without a title, and otherwise.
_AGREED, _UNTITLED, _ALONE = 0.2, 3.0, 2.0
_BETWEEN = re.compile(r"\bet\.? al\b|\band others\b|\b(?:and|und|et|e|y|others)\b(?![.,])", re.IGNORECASE)
_FEW = 3  # minimum number of lists of several people to tell how a bibliography prints names
_LABEL = re.compile(r"\A\s*(?:\[[^\[\]]{1,60}\]|\(?\d{1,3}[.)]|\d{1,3}(?=\s+[^\W\d_]))\s*")
_SAME = re.compile(r"(?:[—–―]{2,}|—(?=[.,])|[_-]{2,})[\s.,:]")  # "———, On mud", "______. 2010. On mud"


def split_entries(lines: list[Line], vocabulary: Vocabulary, links: Links | None = None) -> list[dict[str, Any]]:
    """The entries in the lines of a bibliography, in order, without ids; ``links`` are the links of the pages."""
    starts = entry_starts(lines)
    entries = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)])]
    texts = [(join_lines(one, vocabulary), reference_links.links_over(one, links or {})) for one in entries]
    texts = [(text, linked) for text, linked in texts if len(text) > _SHORTEST]
    parsed = parse_entries([text for text, _ in texts])
    parsed = [reference_links.complete_entry(one, linked) for one, (_, linked) in zip(parsed, texts)]
    return with_same_authors(_drop_unlike_authors(parsed))


def with_same_authors(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give entries that open with a dash for "same authors" the authors of the previous entry, if these are known.

    Args:
        entries: the entries of one bibliography, in order.
    """
    found: list[dict[str, Any]] = []
    for entry in entries:
        same = entry["authors"] is None and _SAME.match(_LABEL.sub("", entry["text"][:_LONGEST], count=1))
        found.append(entry | {"authors": copy.copy(found[-1]["authors"])} if same and found else entry)
    return found


def _drop_unlike_authors(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Remove single authors such as "Red Hat" if no list of several people prints names in full, given name first."""
    several = [entry["authors"] for entry in entries if len(entry["authors"] or ()) > 1]
    if len(several) < _FEW or any(is_full_name(people[0]) for people in several):
        return entries
    firsts = [entry["authors"][0] if len(entry["authors"] or ()) == 1 else "" for entry in entries]
    lone = [is_full_name(first) and not has_initial(first) for first in firsts]
    return [entry | {"authors": None} if alone else entry for entry, alone in zip(entries, lone)]


def parse_entry(text: str) -> dict[str, Any]:
    """Parse one reference: see :func:`parse_entries`."""
    return parse_entries([text])[0]


def parse_entries(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Parse the fields of references; a field that is absent or uncertain is None.

    Titles and authors are read twice: by rules on the forms of names and citation styles, and by :mod:`.tagger`. A
    value that only one of them finds is accepted if that one is confident.

    Args:
        texts: each reference on one line, with or without its label ("[3]", "3.", "[Knu84]").

    Returns:
        For each reference ``text`` as given, ``authors`` (as printed), ``title``, ``venue`` (journal, proceedings or
        book), ``year`` (of publication, not of access), ``doi`` (as printed, without the resolver's address),
        ``arxiv`` (without "arXiv:" and version) and ``url`` (an address that is neither of these).
    """
    different = list(dict.fromkeys(texts))  # each repeated text is parsed once
    plain = [_LABEL.sub("", text[:_LONGEST], count=1) for text in different]
    readings = [one for at in range(0, len(plain), _AT_ONCE) for one in tagger.read(plain[at : at + _AT_ONCE])]
    found = {text: _fields(text, own, reading) for text, own, reading in zip(different, plain, readings)}
    return [{**found[text], "authors": copy.copy(found[text]["authors"])} for text in texts]


def _fields(text: str, plain: str, reading: tagger.Reading) -> dict[str, Any]:
    names = leading_names(plain)
    ruled = find_title(plain, names)
    found = agreed_title(plain, ruled, names, reading)
    found = None if found and cuts_name(plain.partition(found)[0]) else found
    told = found or ruled
    opening = _opening_names(plain, names, ruled)
    confirmed = names and found and plain[names.rest :].lstrip(_QUOTES).startswith(found)  # title right after them
    dated = names.year if names else None
    return {
        "text": text,
        "authors": opening if confirmed else _agreed_names(plain, opening, reading.authors, titled=told is not None),
        "title": found,
        "venue": find_venue(plain, told, names),
        "year": dated or find_year(plain.replace(told, " ") if told else plain),
        "doi": find_doi(plain),
        "arxiv": find_arxiv(plain),
        "url": find_url(plain),
    }


def _agreed_names(plain: str, ruled: list[str] | None, part: tagger.Part | None, *, titled: bool) -> list[str] | None:
    """The names on which the rules and the tagger agree; else the names that make up the tagger's confident span.

    Without a title the margin must be higher, because a journal may read like a name: "Z. Soziol."
    """
    if part is None:
        return None
    within = plain[part.start : part.end]
    if ruled and _letters_of(" ".join(ruled)) == _letters_of(within):
        return ruled if part.margin > (_AGREED if titled else _UNTITLED) else None
    again = leading_names(within.rstrip(" .,;:") + ". X")
    own = list(again.people) if again and again.certain else people_in(within)
    whole = (
        own
        and are_whole(own)
        and _letters_of(" ".join(own)) == _letters_of(within)
        and (len(own) > 1 or has_initial(own[0]))
    )
    return own if whole and part.margin > _ALONE else None


def _letters_of(people: str) -> str:
    """The case-folded letters of names, without "and" and "et al."."""
    return "".join(filter(str.isalpha, _BETWEEN.sub(" ", people))).casefold()


def _opening_names(plain: str, names: Names | None, title: str | None) -> list[str] | None:
    """The names at the start of a reference; None if uncertain: half a name, or no clear end before the title."""
    if names is None:
        return people_in(plain.partition(title)[0]) if title else None
    if not names.people or not are_whole(names.people):
        return None
    if len(names.people) == 1 and not has_initial(names.people[0]):
        followed = title is not None and plain.find(title) >= names.rest
        return list(names.people) if followed and is_person(names.people[0]) else None
    return list(names.people) if names.certain else None
