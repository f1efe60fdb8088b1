"""Find the limitations that authors state in a paper, and reject noise.

Explicit limitations are under a heading that names them: a section with its subsections, or a run-in heading of a
paragraph. If a section heading also names other topics ("Discussion and limitations"), the section is searched, and the
rest of it is noise. Implicit limitations are passages that start at a sentence with a keyword, in any section except
those that rarely discuss limitations of the paper itself: there a sentence must refer to this study. Sentences with a
keyword about the work of others, or about limitations overcome, are noise by the rules of :data:`paper_cues.NOISE`
(BAGELS, section 3.2, step 1). Sentences that admit a limitation without a keyword are implicit, too: by
:data:`paper_cues.ADMISSIONS` if they are about the paper's own work, by :data:`paper_cues.PHRASES` and
:data:`paper_cues.CONCESSIONS` in sections with a discussion.
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
    """Blocks and noise of each section; for the arguments see :func:`limits.extract`.

    Raises:
        UsageFault: a keyword has no letter.
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
    """A whole section as one passage, for a model that is shown the entire paper."""
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
    """Disjoint blocks of a section in order, and noise."""
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
    """Sentences outside the ranges, in paragraphs under a heading that also names other topics."""
    sentences = [sentence for place in places for sentence in sentence_places(text, *place)]
    left = _places_outside(sentences, sorted(ranges, key=lambda one: one.start))
    return [Noise(*place, "the heading names other things too, and no rule finds a limitation in it") for place in left]


def _places_outside(places: list[_Range], blocks: Sequence[Block | Noise]) -> list[_Range]:
    """The places that end outside all blocks; both are sorted."""
    starts = [block.start for block in blocks]
    before = [bisect_right(starts, place[1]) - 1 for place in places]
    return [place for place, at in zip(places, before) if at < 0 or place[1] > blocks[at].end]


def _stretch_passages(text: str, places: list[Place], passages: list[Block], stops: list[int]) -> list[Block]:
    """Extend passages to the end of the section, to a stop, or to a terminal heading."""
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
