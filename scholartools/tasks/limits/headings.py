"""Find the sections and run-in headings of a paper that name limitations, by words and position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from scholartools.tasks.limits import paper_cues
from scholartools.tasks.limits.passages import (
    Block,
    Place,
    opens_item,
)
from scholartools.text.sentences import paragraphs

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Section

Kind = Literal["whole", "searched", ""]

_HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+|[(\[]?(?:[a-z]|[ivx]{1,4})[)\]]\s+|[A-Z]\.\s+)?"
    r"(?P<title>[A-Z](?:(?!\n\n)[^.:;?!\u2014]){2,80}?)\s*(?:[.:\u2014](?=\s|$)\s*|$)"
)
_NO_TITLE = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|can|could|may|might|must|should|will|would|do|does|did|we|it|they"
    r"|there|includes?|exists?|remains?|need|suffer|shares?|see|note|et al|an?)\b"
)
_NUMBER = re.compile(r"^\W*(?:(?:\d{1,2}(?:\.\d{1,2})*|[A-Z]|[IVX]{1,5})[.):]?\s+)?")
# A run of spaces is only matched from its start, or after a dash, to keep matching linear.
_PARTS = re.compile(r"(?i)(?:(?<!\s)|(?<=\s-\s))\s+(?:and|und|et|y)\s+|[&,/:;\u2013\u2014]|\s-\s")
_NAMED = re.compile(rf"(?i)\b{paper_cues.NAMES}\b")
_NAMED_OTHERWISE = re.compile(rf"(?i){paper_cues.OTHER_NAMES}$")
_NAMED_BARE = re.compile(rf"(?i){paper_cues.BARE_NAMES}$")
_BESIDE = re.compile(rf"(?i){paper_cues.BESIDE}")
_NOT_OURS = re.compile(
    rf"(?i)\b{paper_cues.OTHERS}\W+(?:\w+\W+){{0,4}}?{paper_cues.NAMES}|\b{paper_cues.NAMES}\s+(?:of|in|with)\s+(?:the\s+)?{paper_cues.OTHERS}"
)
_SUBJECT_MATTER = re.compile(rf"(?i){paper_cues.SUBJECT_MATTER}")
_TERMINAL = re.compile(rf"(?i){paper_cues.TERMINAL}")
_TITLE_WORDS = 10
_OF_MATTER = re.compile(paper_cues.OF_MATTER)

# With this many words before "limitations", a heading names another topic.
_MANY_BEFORE = 5

# An introduction of at least this many words that exceeds half of the paper probably contains other sections, too.
_SWALLOWED = 1200


def section_roles(sections: Sequence[Section]) -> list[frozenset[str]]:
    """For each section, its role and those of its ancestors."""
    found: list[frozenset[str]] = []
    above: list[Section] = []
    for section in sections:
        while above and above[-1]["level"] >= section["level"]:
            above.pop()
        above.append(section)
        found.append(frozenset(one["role"] for one in above))
    return found


def without_implicit(sections: Sequence[Section]) -> list[bool]:
    """For each section, whether it is excluded from the search for implicit passages.

    Headings may have been lost in parsing. So sections with the role of a method, result or discussion are searched
    even if nested in an introduction or related work, and so is an introduction with most of the paper's words.
    """
    roles = section_roles(sections)
    words = [len(section["text"].split()) for section in sections]
    opening = sum(count for count, own in zip(words, roles) if "introduction" in own)
    is_swallowed = opening >= _SWALLOWED and 2 * opening > sum(words)
    return [
        _has_no_implicit(section["role"], own, is_swallowed) or _NOT_OURS.search(section["heading"]) is not None
        for section, own in zip(sections, roles)
    ]


def _has_no_implicit(role: str, roles: frozenset[str], is_swallowed: bool) -> bool:
    silencing = roles & paper_cues.NO_IMPLICIT
    if is_swallowed:
        silencing -= {"introduction"}
    if role in paper_cues.MISPLACED:
        silencing -= paper_cues.OPENING
    return bool(silencing)


def heading_kinds(sections: Sequence[Section]) -> Iterator[Kind]:
    """For each section, to what extent its heading or an ancestor's names limitations of the paper."""
    inside: tuple[int, Kind] | None = None
    for place, (section, roles) in enumerate(zip(sections, section_roles(sections))):
        own = "" if "related" in roles else _heading_kind(section, roles, 2 * place >= len(sections))
        if inside is not None and section["level"] > inside[0]:
            yield own or ("" if section["role"] in paper_cues.NO_SUBSECTION else inside[1])
            continue
        inside = (section["level"], own) if own else None
        yield own


def _heading_kind(section: Section, roles: frozenset[str], is_late: bool) -> Kind:
    heading = section["heading"]
    if section["role"] in paper_cues.NO_EXPLICIT or _NOT_OURS.search(heading) or _SUBJECT_MATTER.search(heading):
        return ""
    is_named = section["role"] == "limitation" or _NAMED.search(heading) is not None
    if not is_named and not _is_named_otherwise(heading, is_late and roles.isdisjoint(paper_cues.NO_BARE)):
        return ""
    beside = [part for part in _PARTS.split(heading) if _BESIDE.match(part.strip()) and not _NAMED.search(part)]
    is_mixed = beside or re.match(r"(?i)strengths?\b", heading.strip()) or _is_of_something_else(heading)
    return "searched" if is_mixed else "whole"


def _is_of_something_else(heading: str) -> bool:
    """Whether a heading concerns limitations of something other than the study: a crop, a process, a result."""
    words = " ".join(_NUMBER.sub("", heading).split())
    named = _NAMED.search(words)
    if named is None:
        return False
    if len(words[: named.start()].split()) >= _MANY_BEFORE:
        return True
    return _OF_MATTER.match(words, named.end()) is not None


def _is_named_otherwise(heading: str, is_bare_enough: bool) -> bool:
    """Whether a heading names limitations by other words; bare words only count where authors discuss their work."""
    words = " ".join(_NUMBER.sub("", heading).split()).rstrip(" .:")
    return _NAMED_OTHERWISE.match(words) is not None or (is_bare_enough and _NAMED_BARE.match(words) is not None)


def run_in_headings(text: str, is_discussing: bool) -> Iterator[Block]:
    """Paragraphs that start with a heading of limitations.

    Following paragraphs belong to the heading if they start as list items, or if the heading is a separate paragraph;
    in both cases up to the next paragraph that starts with a heading.
    """
    places = list(paragraphs(text))
    position = 0
    while position < len(places):
        start, end = places[position]
        title = _opening_heading(text, start, end)
        position += 1
        if not title or not _opens_limitations(title["title"], is_discussing):
            continue
        is_alone = title.end() == end
        while position < len(places) and _goes_on(text, places[position], is_alone):
            end = places[position][1]
            position += 1
        if title.end() < end:
            yield Block(title.end(), end, " ".join(title["title"].split()), None)


def _opens_limitations(title: str, is_discussing: bool) -> bool:
    if _NOT_OURS.search(title) or _SUBJECT_MATTER.search(title):
        return False
    return _NAMED.search(title) is not None or _is_named_otherwise(title, is_discussing)


def _goes_on(text: str, place: Place, is_alone: bool) -> bool:
    return opens_item(text, *place) or (is_alone and _opening_heading(text, *place) is None)


def _opening_heading(text: str, start: int, end: int) -> re.Match[str] | None:
    """The heading at the start of a paragraph, recognised by its form, since bold type is unknown."""
    found = _HEADING.match(text, start, end)
    if not found or len(found["title"].split()) > _TITLE_WORDS or _NO_TITLE.search(found["title"]):
        return None
    return found


def is_heading(text: str, start: int, end: int) -> bool:
    title = _opening_heading(text, start, end)
    return title is not None and title.end() == end


def is_terminal(text: str, start: int, end: int) -> bool:
    title = _opening_heading(text, start, end)
    return title is not None and _TERMINAL.search(title["title"]) is not None
