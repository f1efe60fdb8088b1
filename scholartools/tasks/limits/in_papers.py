"""The limitations that authors state: where they stand in a paper, and which sentences about limitations are noise.

Explicit limitations stand under a heading that names them: a section, with its subsections, or a run-in heading at the
start of a paragraph. A section whose heading names other things too ("Discussion and limitations") is searched, not
taken whole. Implicit ones are passages that begin at a sentence with a keyword, in any section but those where
limitations of the paper itself are rarely discussed. Keyword sentences that speak of other people's work, or of
limitations overcome, are noise by the rules of :data:`paper_cues.NOISE`. (BAGELS, section 3.2, step 1.) Sentences that
admit a limitation without a keyword are implicit ones too: by :data:`paper_cues.ADMISSIONS` where the sentence speaks
of the paper's own work, by :data:`paper_cues.PHRASES` and :data:`paper_cues.CONCESSIONS` in sections that discuss.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.limits import paper_cues
from scholartools.tasks.limits.passages import (
    Block,
    Found,
    Noise,
    Place,
    announces_list,
    announces_several,
    opens_item,
    sentence_places,
)
from scholartools.text.sentences import paragraphs

Reach = Literal["paragraph", "section", "paper"]
_Kind = Literal["whole", "searched", ""]


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """What finds any of the patterns, in either case, with "n't" wherever one says "not" after a verb."""
    joined = "|".join(patterns).replace(r"can\s+not", r"can\s+not|can['\u2019]t")
    return re.compile("(?i)" + joined.replace(r")\s+not", r")(?:\s+not|n['\u2019]t)"))


_HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+|[(\[]?(?:[a-z]|[ivx]{1,4})[)\]]\s+|[A-Z]\.\s+)?"
    r"(?P<title>[A-Z](?:(?!\n\n)[^.:;?!\u2014]){2,80}?)\s*(?:[.:\u2014](?=\s|$)\s*|$)"
)
_NO_TITLE = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|can|could|may|might|must|should|will|would|do|does|did|we|it|they"
    r"|there|includes?|exists?|remains?|need|suffer|shares?|see|note|et al|an?)\b"
)
_NUMBER = re.compile(r"^\W*(?:(?:\d{1,2}(?:\.\d{1,2})*|[A-Z]|[IVX]{1,5})[.):]?\s+)?")
_PARTS = re.compile(r"(?i)\s+(?:and|und|et|y)\s+|[&,/:;\u2013\u2014]|\s-\s")
_OWN = re.compile(rf"(?i){paper_cues.OWN}")
_OWN_SUBJECT = re.compile(rf"(?i){paper_cues.OWN_SUBJECT}")
_NAMED = re.compile(rf"(?i)\b{paper_cues.NAMES}\b")
_NAMED_OTHERWISE = re.compile(rf"(?i){paper_cues.OTHER_NAMES}$")
_NAMED_BARE = re.compile(rf"(?i){paper_cues.BARE_NAMES}$")
_BESIDE = re.compile(rf"(?i){paper_cues.BESIDE}")
_NOT_OURS = re.compile(
    rf"(?i)\b{paper_cues.OTHERS}\W+(?:\w+\W+){{0,4}}?{paper_cues.NAMES}|\b{paper_cues.NAMES}\s+(?:of|in|with)\s+(?:the\s+)?{paper_cues.OTHERS}"
)
_SUBJECT_MATTER = re.compile(rf"(?i){paper_cues.SUBJECT_MATTER}")
_REPORTING = re.compile(rf"(?i){paper_cues.REPORTING}")
_FINDING = re.compile(rf"(?i){paper_cues.FINDING}")
_CONTRAST = re.compile(rf"(?i){paper_cues.CONTRAST}")
_NOVEL = re.compile(rf"(?i){paper_cues.NOVEL}")
_OTHERS = re.compile(
    rf"(?i)\b(?:{paper_cues.OTHERS}\b|(?:some|many|several)\s+(?:authors|researchers|scholars|studies)\b)"
)
_CITED = re.compile(paper_cues.CITED)
_PRESENTED = re.compile(paper_cues.PRESENTED)
_SUBJECT = re.compile(paper_cues.SUBJECT)
_CONDITION = re.compile(
    r"(?i)\W*(?:if|when|where|unless|suppose)\b(?!\s+(?:this|these|the|our)\s+assumption)[^,;]*[,;]"
)
_ADMITTED = _any_of(paper_cues.PLAIN_ADMISSIONS)
_ADMITTED_OWN = _any_of((*paper_cues.PLAIN_ADMISSIONS, *paper_cues.ADMISSIONS))
_DISCUSSED = _any_of((*paper_cues.PHRASES, *paper_cues.PLAIN_ADMISSIONS, *paper_cues.CONCESSIONS))
_DISCUSSED_OWN = _any_of(
    (
        *paper_cues.PHRASES,
        *paper_cues.PLAIN_ADMISSIONS,
        *paper_cues.CONCESSIONS,
        *paper_cues.ADMISSIONS,
        *paper_cues.OWN_CONCESSIONS,
    )
)
_KEPT_OUT = re.compile(rf"(?i){paper_cues.KEPT_OUT}")
_TERMINAL = re.compile(rf"(?i){paper_cues.TERMINAL}")
_TURN = re.compile(rf"(?i)\W*{paper_cues.TURN}")
_FOLLOW = re.compile(rf"(?i)\W*(?:(?:and|but|however),?\s+)?{paper_cues.FOLLOW}")
_TITLE_WORDS = 10

# What the rules of paper_cues.NOISE may look at, in characters on each side of the keyword.
_WINDOW = 300

# Two things said this far apart, in characters, stand in clauses of their own.
_CLAUSE = 12

# An introduction from so many words on, if it has more than half of the paper's, has swallowed other sections.
_SWALLOWED = 1200

# So many plain sentences belong to one that names a limitation, and to one that announces several.
_FEW, _MANY = 2, 1000

# A name opens at least so many sentences.
_SUBJECTS = 3

_Range = TypeVar("_Range", Place, Noise)


class _Search(NamedTuple):
    """How a paper is searched: for keywords, for sentences without one, and by what names it calls its own work."""

    cue: re.Pattern[str] | None
    reach: Reach
    has_phrases: bool
    own: re.Pattern[str]


def find_in_papers(sections: list[Record], keywords: Sequence[str], reach: Reach, title: str = "") -> list[Found]:
    """The blocks of each section, and what was noise; the arguments are those of :func:`limits.extract`.

    Raises:
        UsageFault: a keyword without a letter.
    """
    if reach == "paper":
        return [whole_section(section, kind) for section, kind in zip(sections, _heading_kinds(sections))]
    has_phrases = reach == "paragraph" and tuple(keywords) == paper_cues.KEYWORDS
    search = _Search(_cue_pattern(tuple(keywords)), reach, has_phrases, _own_names(title, sections))
    return [
        Found(
            section["id"],
            section["text"],
            "author",
            *_find_in_section(section, roles, kind, is_silent, search),
        )
        for section, roles, kind, is_silent in zip(
            sections, _section_roles(sections), _heading_kinds(sections), _without_implicit(sections)
        )
    ]


def whole_section(section: Record, kind: _Kind) -> Found:
    """A section as one passage, whatever it says: for a model that shall see all of a paper."""
    text = section["text"]
    is_shown = text.strip() and section["role"] not in paper_cues.NO_TEXT
    block = (
        Block(0, len(text), section["heading"].strip() or None, None)
        if kind == "whole"
        else Block(0, len(text), None, "")
    )
    return Found(section["id"], text, "author", [block] if is_shown else [], [])


# Where limitations stand


def _section_roles(sections: list[Record]) -> list[frozenset[str]]:
    """For each section, its role and those of the sections it stands in."""
    found: list[frozenset[str]] = []
    above: list[Record] = []
    for section in sections:
        while above and above[-1]["level"] >= section["level"]:
            above.pop()
        above.append(section)
        found.append(frozenset(one["role"] for one in above))
    return found


def _without_implicit(sections: list[Record]) -> list[bool]:
    """For each section, whether no implicit passage is taken from it.

    One heading that the reader lost must not silence a paper: what stands in an introduction or in related work but is
    headed as a method, a result or a discussion is searched, and so is an introduction with most of the paper's words.
    """
    roles = _section_roles(sections)
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


def _heading_kinds(sections: list[Record]) -> Iterator[_Kind]:
    """For each section, how far its heading, or that of a section it stands in, names limitations of the paper."""
    inside: tuple[int, _Kind] | None = None
    for place, (section, roles) in enumerate(zip(sections, _section_roles(sections))):
        own = "" if "related" in roles else _heading_kind(section, roles, 2 * place >= len(sections))
        if inside is not None and section["level"] > inside[0]:
            yield own or ("" if section["role"] in paper_cues.NO_SUBSECTION else inside[1])
            continue
        inside = (section["level"], own) if own else None
        yield own


def _heading_kind(section: Record, roles: frozenset[str], is_late: bool) -> _Kind:
    heading = section["heading"]
    if section["role"] in paper_cues.NO_EXPLICIT or _NOT_OURS.search(heading) or _SUBJECT_MATTER.search(heading):
        return ""
    is_named = section["role"] == "limitation" or _NAMED.search(heading) is not None
    if not is_named and not _is_named_otherwise(heading, is_late and roles.isdisjoint(paper_cues.NO_BARE)):
        return ""
    beside = [part for part in _PARTS.split(heading) if _BESIDE.match(part.strip()) and not _NAMED.search(part)]
    return "searched" if beside or re.match(r"(?i)strengths?\b", heading.strip()) else "whole"


def _is_named_otherwise(heading: str, is_bare_enough: bool) -> bool:
    """Whether a heading names limitations in other words; by a bare one only where authors discuss their work."""
    words = " ".join(_NUMBER.sub("", heading).split()).rstrip(" .:")
    return _NAMED_OTHERWISE.match(words) is not None or (is_bare_enough and _NAMED_BARE.match(words) is not None)


def _find_in_section(
    section: Record,
    roles: frozenset[str],
    kind: _Kind,
    is_silent: bool,
    search: _Search,
) -> tuple[list[Block], list[Noise]]:
    """The blocks of one section in order, never overlapping, and what was noise."""
    text = section["text"]
    heading = section["heading"].strip() or None
    if kind == "whole":
        return [Block(0, len(text), heading, None)], []
    named = (
        list(_run_ins(text, not roles.isdisjoint(paper_cues.DISCUSSING))) if not roles & paper_cues.NO_EXPLICIT else []
    )
    if is_silent and not kind:
        return named, []
    is_discussing = bool(kind) or not roles.isdisjoint(paper_cues.DISCUSSING)
    free = _places_outside(list(paragraphs(text)), named)
    passages, noise = _implicit_passages(text, free, search, is_discussing)
    if search.reach == "section":
        passages = _stretch_passages(text, free, passages, [block.start for block in named])
        noise = _places_outside(noise, passages)
    if kind:
        passages = [block._replace(heading=heading, cue=None) for block in passages]
    return sorted([*named, *passages], key=lambda block: block.start), noise


def _places_outside(places: list[_Range], blocks: list[Block]) -> list[_Range]:
    """The places that end in none of the blocks. Both are in order."""
    starts = [block.start for block in blocks]
    before = [bisect_right(starts, place[1]) - 1 for place in places]
    return [place for place, at in zip(places, before) if at < 0 or place[1] > blocks[at].end]


def _run_ins(text: str, is_discussing: bool) -> Iterator[Block]:
    """Paragraphs that open with a heading that names limitations.

    A following paragraph belongs to the heading where it opens as an item of a list, or where the heading is a
    paragraph of its own; in either case no paragraph does from the next one on that opens with a heading.
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
    """The heading a paragraph opens with: by its form, for bold type is not known here."""
    found = _HEADING.match(text, start, end)
    if not found or len(found["title"].split()) > _TITLE_WORDS or _NO_TITLE.search(found["title"]):
        return None
    return found


def _implicit_passages(
    text: str, places: list[Place], search: _Search, is_discussing: bool
) -> tuple[list[Block], list[Noise]]:
    """Implicit passages of the paragraphs, and the noise in them."""
    passages: list[Block] = []
    noise: list[Noise] = []
    lead: int | None = None
    for place in places:
        if lead is not None and opens_item(text, *place):
            passages.append(passages[lead]._replace(start=place[0], end=place[1]))
            continue
        lead = None
        if _is_heading(text, *place) or not _may_state(text, place, search, is_discussing):
            continue
        made, dropped = _passages_of_paragraph(text, place, search, is_discussing)
        if made and made[-1].end == place[1] and announces_list(text, made[-1]):
            lead = len(passages) + len(made) - 1
        passages += made
        noise += dropped
    return passages, noise


def _may_state(text: str, place: Place, search: _Search, is_discussing: bool) -> bool:
    if search.cue is not None and search.cue.search(text, *place):
        return True
    return search.has_phrases and (_DISCUSSED_OWN if is_discussing else _ADMITTED_OWN).search(text, *place) is not None


def _passages_of_paragraph(
    text: str, place: Place, search: _Search, is_discussing: bool
) -> tuple[list[Block], list[Noise]]:
    """The passages of one paragraph.

    A keyword opens one, which goes on to the paragraph's end, to a sentence that is noise or one that turns to other
    things; after a keyword that announces no list, and outside a discussion, over few sentences but those that go on
    with the one before. A sentence that admits a limitation
    without a keyword is one by itself. Those that follow each other are one.
    """
    passages: list[Block] = []
    noise: list[Noise] = []
    is_open = is_next = False
    plain = 0
    for start, end in sentence_places(text, *place):
        word = search.cue.search(text, start, end) if search.cue else None
        said = _find_admission(text[start:end], search, is_discussing)
        reason = _noise_reason(text, start, end, word, search, not is_discussing and not is_open) if word else None
        if word and reason and not (said and _is_apart(word, start, said)):
            noise.append(Noise(start, end, reason))
            is_open = is_next = False
            continue
        opens = word is not None and reason is None
        goes_on = is_open and _continues_passage(text, start, end, is_discussing and plain > 0)
        is_open = opens or goes_on
        plain = _sentences_left(text[start:end]) if opens else plain - (not said)
        if (opens or goes_on or said) and (is_next or goes_on):
            passages[-1] = passages[-1]._replace(end=end)
        elif found := word if opens else said:
            passages.append(Block(start, end, None, found.group()))
        is_next = bool(opens or goes_on or said)
    return passages, noise


def _sentences_left(sentence: str) -> int:
    """How many plain sentences may follow one with a keyword: any number where it announces several limitations."""
    return _MANY if announces_several(sentence) else _FEW


def _continues_passage(text: str, start: int, end: int, is_any: bool) -> bool:
    if _TURN.match(text, start, end):
        return False
    return is_any or _FOLLOW.match(text, start, end) is not None


def _is_apart(word: re.Match[str], start: int, said: re.Match[str]) -> bool:
    """Whether what a sentence that starts there admits stands in another clause than its keyword."""
    gap = max(start + said.start() - word.end(), word.start() - start - said.end())
    return gap >= _CLAUSE


def _find_admission(sentence: str, search: _Search, is_discussing: bool) -> re.Match[str] | None:
    """What admits a limitation of the paper's own work in a sentence without a keyword."""
    if not search.has_phrases or sentence.endswith(("?", ":")) or _KEPT_OUT.search(sentence) or _NOVEL.search(sentence):
        return None
    stated = sentence if is_discussing else _REPORTING.sub("", sentence)
    is_cited = _CITED.search(sentence) is not None
    is_own = _OWN.search(stated) is not None or (search.own.search(stated) is not None and not is_cited)
    if not is_own and (is_cited or _OTHERS.search(sentence)):
        return None
    if is_own or _OWN_SUBJECT.match(sentence):
        admits = _DISCUSSED_OWN if is_discussing else _ADMITTED_OWN
    else:
        admits = _DISCUSSED if is_discussing else _ADMITTED
    condition = _CONDITION.match(sentence)
    said = admits.search(sentence, condition.end() if condition else 0)
    return None if said is None or _CONTRAST.search(sentence, 0, said.start()) else said


def _own_names(title: str, sections: list[Record]) -> re.Pattern[str]:
    """What finds the names that a paper gives to its own work.

    They stand before a colon in its title, or where it presents them; and one that looks like no word of the language
    and opens more sentences than any other such is taken for one.
    """
    head = re.match(r"\s*([\w-]{2,24})\s*[:\u2013\u2014]\s", title)
    names = {head[1]} if head else set()
    subjects: Counter[str] = Counter()
    for section in sections:
        if section["role"] in paper_cues.OPENING:
            names |= {found[1] for found in _PRESENTED.finditer(section["text"])}
        if section["role"] not in paper_cues.NO_EXPLICIT:
            subjects.update(_SUBJECT.findall(section["text"]))
    names |= {name for name, count in subjects.most_common(1) if count >= _SUBJECTS}
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)" if names else r"(?!)")


def _stretch_passages(text: str, places: list[Place], passages: list[Block], stops: list[int]) -> list[Block]:
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
    title = _opening_heading(text, start, end)
    return title is not None and title.end() == end


def _is_terminal(text: str, start: int, end: int) -> bool:
    title = _opening_heading(text, start, end)
    return title is not None and _TERMINAL.search(title["title"]) is not None


# What is noise


def check_keywords(keywords: Sequence[str]) -> None:
    """Refuse keywords that nothing can be searched with.

    Raises:
        UsageFault: one has neither letter nor digit.
    """
    for keyword in keywords:
        if not re.search(r"\w", keyword):
            raise UsageFault(f'{parameter("keywords")}: "{keyword}" has no letter')


@functools.lru_cache(maxsize=8)
def _cue_pattern(keywords: tuple[str, ...]) -> re.Pattern[str] | None:
    """What finds a keyword, singular or plural; None where there is no keyword."""
    if not keywords:
        return None
    check_keywords(keywords)
    forms = (r"\s+".join(re.escape(word) for word in keyword.split()) for keyword in keywords)
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(forms)})(?:e?s)?(?!\w)")


@functools.lru_cache(maxsize=8)
def _noise_rules(cue: re.Pattern[str]) -> list[tuple[str | None, re.Pattern[str]]]:
    word = cue.pattern.removeprefix("(?i)")
    return [(reason, re.compile("(?i)" + rule.replace("CUE", word))) for reason, rule in paper_cues.NOISE]


def _noise_reason(
    text: str,
    start: int,
    end: int,
    word: re.Match[str],
    search: _Search,
    must_own: bool,
) -> str | None:
    """Why a keyword sentence is noise, None where it is a limitation."""
    around = text[max(start, word.start() - _WINDOW) : min(end, word.end() + _WINDOW)]
    verdict = next((reason for reason, rule in _noise_rules(word.re) if rule.search(around)), None)
    if verdict is None and must_own and not _OWN.search(around) and not search.own.search(around):
        return "outside a discussion, it does not name the paper's own work"
    if verdict is None and _FINDING.search(around) and not _OWN.search(_FINDING.sub("", around)):
        return "it reports limitations as a finding"
    return verdict
