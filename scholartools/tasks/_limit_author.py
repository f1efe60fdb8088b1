"""The limitations that authors state: where they stand in a paper, and which sentences about limitations are noise.

Explicit limitations stand under a heading that names them: a section, with its subsections, or a run-in heading at the
start of a paragraph. Implicit ones are passages that begin at a sentence with a keyword, in any section but those where
limitations of the paper itself are rarely discussed. Keyword sentences that speak of other people's work, or of
limitations overcome, are noise by the rules of :data:`cues.NOISE`. (BAGELS, section 3.2, step 1.) In sections that
discuss, sentences with a phrase that says so without a keyword (:data:`cues.PHRASES`) are implicit ones too.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from scholartools.errors import UsageFault
from scholartools.records import Record
from scholartools.tasks import _limit_cues as cues
from scholartools.tasks._limit_blocks import Block, Found, Noise, Place, opens_item, sentences
from scholartools.text.sentences import paragraphs

Reach = Literal["paragraph", "section"]

_HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+|[(\[]?(?:[a-z]|[ivx]{1,4})[)\]]\s+|[A-Z]\.\s+)?"
    r"(?P<title>[A-Z](?:(?!\n\n)[^.:;?!\u2014]){2,80}?)\s*(?:[.:\u2014](?=\s|$)\s*|$)"
)
_NO_TITLE = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|can|could|may|might|must|should|will|would|do|does|did|we|it|they"
    r"|there|includes?|exists?|remains?|need|suffer|shares?|see|note|et al|an?)\b"
)
_OWN = re.compile(rf"(?i){cues.OWN}")
_NAMED = re.compile(rf"(?i)\b{cues.NAMES}\b")
_NOT_OURS = re.compile(
    rf"(?i)\b{cues.OTHERS}\W+(?:\w+\W+){{0,4}}?{cues.NAMES}|\b{cues.NAMES}\s+(?:of|in|with)\s+(?:the\s+)?{cues.OTHERS}"
)
_OTHERS = re.compile(rf"(?i)\b(?:{cues.OTHERS}\b|(?:some|many|several)\s+(?:authors|researchers|scholars|studies)\b)")
_PHRASE = re.compile(rf"(?i){'|'.join(cues.PHRASES)}")
_KEPT_OUT = re.compile(rf"(?i){cues.KEPT_OUT}")
_TERMINAL = re.compile(rf"(?i){cues.TERMINAL}")
_TITLE_WORDS = 10

# What the rules of cues.NOISE may look at, in characters on each side of the keyword.
_WINDOW = 300

_Range = TypeVar("_Range", Place, Noise)


def found(sections: list[Record], keywords: Sequence[str], reach: Reach) -> list[Found]:
    """The blocks of each section, and what was noise; the arguments are those of :func:`limits.extract`.

    Raises:
        UsageFault: a keyword without a letter.
    """
    cue = _cue(tuple(keywords))
    phrases = _PHRASE if reach == "paragraph" and tuple(keywords) == cues.KEYWORDS else None
    return [
        Found(section["id"], section["text"], "author", *_found(section, roles, is_explicit, cue, phrases, reach))
        for section, roles, is_explicit in zip(sections, _roles(sections), _explicit(sections))
    ]


# Where limitations stand


def _roles(sections: list[Record]) -> list[frozenset[str]]:
    """For each section, its role and those of the sections it stands in."""
    found: list[frozenset[str]] = []
    above: list[Record] = []
    for section in sections:
        while above and above[-1]["level"] >= section["level"]:
            above.pop()
        above.append(section)
        found.append(frozenset(one["role"] for one in above))
    return found


def _explicit(sections: list[Record]) -> Iterator[bool]:
    """For each section, whether its heading, or that of a section it stands in, names limitations of the paper."""
    inside: int | None = None
    for section, roles in zip(sections, _roles(sections)):
        if inside is not None and section["level"] > inside:
            yield section["role"] not in cues.NO_SUBSECTION
            continue
        is_named = "related" not in roles and _names_limitations(section)
        inside = section["level"] if is_named else None
        yield is_named


def _names_limitations(section: Record) -> bool:
    if section["role"] in cues.NO_EXPLICIT or _NOT_OURS.search(section["heading"]):
        return False
    return section["role"] == "limitation" or _NAMED.search(section["heading"]) is not None


def _found(
    section: Record,
    roles: frozenset[str],
    is_explicit: bool,
    cue: re.Pattern[str] | None,
    phrases: re.Pattern[str] | None,
    reach: Reach,
) -> tuple[list[Block], list[Noise]]:
    """The blocks of one section in order, never overlapping, and what was noise."""
    text = section["text"]
    if is_explicit:
        return [Block(0, len(text), section["heading"].strip() or None, None)], []
    named = list(_run_ins(text)) if not roles & cues.NO_EXPLICIT else []
    if roles & cues.NO_IMPLICIT:
        return named, []
    is_discussing = not roles.isdisjoint(cues.DISCUSSING)
    free = _outside(list(paragraphs(text)), named)
    passages, noise = _passages(text, free, cue, must_own=not is_discussing) if cue else ([], [])
    if reach == "section":
        passages = _stretched(text, free, passages, [block.start for block in named])
        noise = _outside(noise, passages)
    if phrases and is_discussing:
        passages += _phrased(text, free, phrases, [*passages, *noise])
    return sorted([*named, *passages], key=lambda block: block.start), noise


def _outside(places: list[_Range], blocks: list[Block]) -> list[_Range]:
    """The places that end in none of the blocks. Both are in order."""
    starts = [block.start for block in blocks]
    before = [bisect_right(starts, place[1]) - 1 for place in places]
    return [place for place, at in zip(places, before) if at < 0 or place[1] > blocks[at].end]


def _run_ins(text: str) -> Iterator[Block]:
    """Paragraphs that open with a heading that names limitations.

    A following paragraph belongs to the heading where it opens as an item of a list, or where the heading is a
    paragraph of its own; in either case no paragraph does from the next one on that opens with a heading.
    """
    places = list(paragraphs(text))
    position = 0
    while position < len(places):
        start, end = places[position]
        title = _heading(text, start, end)
        position += 1
        if not title or not _NAMED.search(title["title"]) or _NOT_OURS.search(title["title"]):
            continue
        is_alone = title.end() == end
        while position < len(places) and _goes_on(text, places[position], is_alone):
            end = places[position][1]
            position += 1
        if title.end() < end:
            yield Block(title.end(), end, " ".join(title["title"].split()), None)


def _goes_on(text: str, place: Place, is_alone: bool) -> bool:
    return opens_item(text, *place) or (is_alone and _heading(text, *place) is None)


def _heading(text: str, start: int, end: int) -> re.Match[str] | None:
    """The heading a paragraph opens with: by its form, for bold type is not known here."""
    found = _HEADING.match(text, start, end)
    if not found or len(found["title"].split()) > _TITLE_WORDS or _NO_TITLE.search(found["title"]):
        return None
    return found


def _passages(text: str, places: list[Place], cue: re.Pattern[str], must_own: bool) -> tuple[list[Block], list[Noise]]:
    """Implicit passages of the paragraphs: from a keyword sentence to the paragraph's end, or to a noise sentence."""
    passages: list[Block] = []
    noise: list[Noise] = []
    for first, last in places:
        if not cue.search(text, first, last) or _is_heading(text, first, last):
            continue
        is_open = False
        for start, end in sentences(text, first, last):
            word = cue.search(text, start, end)
            reason = _reason(text, start, end, word, cue, must_own and not is_open) if word else None
            if reason:
                noise.append(Noise(start, end, reason))
                is_open = False
            elif is_open:
                passages[-1] = passages[-1]._replace(end=end)
            elif word:
                passages.append(Block(start, end, None, word.group()))
                is_open = True
    return passages, noise


def _phrased(text: str, places: list[Place], phrases: re.Pattern[str], taken: Sequence[Block | Noise]) -> list[Block]:
    """The sentences with a phrase that are not taken yet; those that follow each other are one passage."""
    passages: list[Block] = []
    for first, last in places:
        if not phrases.search(text, first, last) or _is_heading(text, first, last):
            continue
        before = -1
        for start, end in sentences(text, first, last):
            said = phrases.search(text, start, end)
            if said is None or _is_others(text[start:end]) or any(one.start < end and start < one.end for one in taken):
                continue
            if passages and before == passages[-1].end and not text[before:start].strip():
                passages[-1] = passages[-1]._replace(end=end)
            else:
                passages.append(Block(start, end, None, said.group()))
            before = end
    return passages


def _is_others(sentence: str) -> bool:
    """Whether a sentence with a phrase speaks of other people's work, or of a bias that was kept out."""
    return (_OTHERS.search(sentence) is not None and not _OWN.search(sentence)) or _KEPT_OUT.search(
        sentence
    ) is not None


def _stretched(text: str, places: list[Place], passages: list[Block], stops: list[int]) -> list[Block]:
    """The passages, each going on to the end of the section, to one of the stops or to a terminal heading."""
    stops = sorted([*stops, *(start for start, end in places if _is_terminal(text, start, end))])
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


def _is_heading(text: str, start: int, end: int) -> bool:
    title = _heading(text, start, end)
    return title is not None and title.end() == end


def _is_terminal(text: str, start: int, end: int) -> bool:
    title = _heading(text, start, end)
    return title is not None and _TERMINAL.search(title["title"]) is not None


# What is noise


@functools.lru_cache(maxsize=8)
def _cue(keywords: tuple[str, ...]) -> re.Pattern[str] | None:
    """What finds a keyword, singular or plural; None where there is no keyword."""
    if not keywords:
        return None
    if not all(re.search(r"\w", keyword) for keyword in keywords):
        raise UsageFault("a keyword must hold a letter")
    forms = (r"\s+".join(re.escape(word) for word in keyword.split()) for keyword in keywords)
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(forms)})(?:e?s)?(?!\w)")


@functools.lru_cache(maxsize=8)
def _noise_rules(cue: re.Pattern[str]) -> list[tuple[str | None, re.Pattern[str]]]:
    word = cue.pattern.removeprefix("(?i)")
    return [(reason, re.compile("(?i)" + rule.replace("CUE", word))) for reason, rule in cues.NOISE]


def _reason(text: str, start: int, end: int, word: re.Match[str], cue: re.Pattern[str], must_own: bool) -> str | None:
    """Why a keyword sentence is noise, None where it is a limitation."""
    around = text[max(start, word.start() - _WINDOW) : min(end, word.end() + _WINDOW)]
    verdict = next((reason for reason, rule in _noise_rules(cue) if rule.search(around)), None)
    if verdict is None and must_own and not _OWN.search(around):
        return "outside a discussion, it does not name the paper's own work"
    return verdict
