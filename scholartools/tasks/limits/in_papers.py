"""The limitations that authors state: where they are in a paper, and which sentences about limitations are noise.

Explicit limitations are under a heading that names them: a section, with its subsections, or a run-in heading at the
start of a paragraph. A section whose heading names other things too ("Discussion and limitations") is searched, not
taken whole, and the rest of it is noise. Implicit ones are passages that begin at a sentence with a keyword, in any
section but those where limitations of the paper itself are rarely discussed: there a sentence must say that it is about
this study. Keyword sentences that speak of other people's work, or of limitations overcome, are noise by the rules of
:data:`paper_cues.NOISE`. (BAGELS, section 3.2, step 1.) Sentences that admit a limitation without a keyword are
implicit ones too: by :data:`paper_cues.ADMISSIONS` where the sentence speaks of the paper's own work, by
:data:`paper_cues.PHRASES` and :data:`paper_cues.CONCESSIONS` in sections that discuss.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from scholartools.records import Entry
from scholartools.tasks.limits import paper_cues
from scholartools.tasks.limits.headings import (
    Kind,
    heading_kinds,
    is_terminal,
    run_in_headings,
    section_roles,
    without_implicit,
)
from scholartools.tasks.limits.implicit import Reach, Search, cue_pattern, implicit_passages, own_names
from scholartools.tasks.limits.passages import (
    Block,
    Found,
    Noise,
    Place,
    sentence_places,
)
from scholartools.text.sentences import paragraphs

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Section

_Range = TypeVar("_Range", Place, Noise)


def find_in_papers(sections: Sequence[Section], keywords: Sequence[str], reach: Reach, title: str = "") -> list[Found]:
    """The blocks of each section, and what was noise; the arguments are those of :func:`limits.extract`.

    Raises:
        UsageFault: a keyword without a letter.
    """
    if reach == "paper":
        return [whole_section(section, kind) for section, kind in zip(sections, heading_kinds(sections))]
    has_phrases = reach == "paragraph" and tuple(keywords) == paper_cues.KEYWORDS
    search = Search(cue_pattern(tuple(keywords)), reach, has_phrases, own_names(title, sections))
    return [
        Found(
            section["id"],
            section["text"],
            "author",
            *_find_in_section(section, roles, kind, is_silent, search),
        )
        for section, roles, kind, is_silent in zip(
            sections, section_roles(sections), heading_kinds(sections), without_implicit(sections)
        )
    ]


def whole_section(section: Entry, kind: Kind) -> Found:
    """A section as one passage, whatever it says: for a model that shall see all of a paper."""
    text = section["text"]
    is_shown = text.strip() and section["role"] not in paper_cues.NO_TEXT
    block = (
        Block(0, len(text), section["heading"].strip() or None, None)
        if kind == "whole"
        else Block(0, len(text), None, "")
    )
    return Found(section["id"], text, "author", [block] if is_shown else [], [])


def _find_in_section(
    section: Section,
    roles: frozenset[str],
    kind: Kind,
    is_silent: bool,
    search: Search,
) -> tuple[list[Block], list[Noise]]:
    """The blocks of one section in order, never overlapping, and what was noise."""
    text = section["text"]
    heading = section["heading"].strip() or None
    if kind == "whole":
        return [Block(0, len(text), heading, None)], []
    named = (
        list(run_in_headings(text, not roles.isdisjoint(paper_cues.DISCUSSING)))
        if not roles & paper_cues.NO_EXPLICIT
        else []
    )
    if is_silent and not kind:
        if search.reach == "section" or roles & paper_cues.NO_KEYWORD:
            return named, []
        search = search._replace(has_phrases=False, must_name_own=True)
    is_discussing = bool(kind) or not roles.isdisjoint(paper_cues.DISCUSSING)
    free = _places_outside(list(paragraphs(text)), named)
    passages, noise = implicit_passages(text, free, search, is_discussing)
    if search.reach == "section":
        passages = _stretch_passages(text, free, passages, [block.start for block in named])
        noise = _places_outside(noise, passages)
    if kind:
        passages = [block._replace(heading=heading, cue=None) for block in passages]
        noise = sorted([*noise, *_passed_over(text, free, [*passages, *noise])])
    return sorted([*named, *passages], key=lambda block: block.start), noise


def _passed_over(text: str, places: list[Place], ranges: Sequence[Block | Noise]) -> list[Noise]:
    """The sentences in none of the ranges, of paragraphs under a heading that names limitations and other things."""
    sentences = [sentence for place in places for sentence in sentence_places(text, *place)]
    left = _places_outside(sentences, sorted(ranges, key=lambda one: one.start))
    return [Noise(*place, "the heading names other things too, and no rule finds a limitation in it") for place in left]


def _places_outside(places: list[_Range], blocks: Sequence[Block | Noise]) -> list[_Range]:
    """The places that end in none of the blocks. Both are in order."""
    starts = [block.start for block in blocks]
    before = [bisect_right(starts, place[1]) - 1 for place in places]
    return [place for place, at in zip(places, before) if at < 0 or place[1] > blocks[at].end]


def _stretch_passages(text: str, places: list[Place], passages: list[Block], stops: list[int]) -> list[Block]:
    """The passages, each going on to the end of the section, to one of the stops or to a terminal heading."""
    stops = sorted([*stops, *(start for start, end in places if is_terminal(text, start, end))])
    ends = [end for _, end in places]
    stretched: list[Block] = []
    for passage in passages:
        if stretched and passage.start < stretched[-1].end:
            continue
        following = bisect_right(stops, passage.start)
        stop = stops[following] if following < len(stops) else len(text)
        last = ends[bisect_right(ends, stop) - 1] if ends[0] <= stop else passage.end
        stretched.append(passage._replace(end=max(passage.end, last)))
    return stretched
