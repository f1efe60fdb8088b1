"""The limitations a paper states, word for word: the tool stage of BAGELS (section 3.2, step 1).

Explicit limitations stand under a heading that names them: a section, with its subsections, or a run-in heading at the
start of a paragraph. Implicit ones are passages that begin at a sentence with a keyword, in any section but those where
limitations of the paper itself are rarely discussed. Keyword sentences that speak of other people's work, or of
limitations overcome, are noise by the rules of :data:`cues.NOISE`; they are kept under ``rejected`` with the reason.

Both are cut into limitations at paragraphs and at sentences that open with an enumeration (:data:`cues.ITEM`). No
sentence is cut, changed or moved.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

from scholartools import __version__
from scholartools.errors import InputFault, UsageFault
from scholartools.records import Record, add_provenance, need, texts
from scholartools.signature import fingerprint, library, signature
from scholartools.tasks import _limit_cues as cues
from scholartools.text.sentences import paragraphs, spans

COMMAND = "st-extract-limits"

Reach = Literal["paragraph", "section"]
Place = tuple[int, int]

_HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+|[(\[]?(?:[a-z]|[ivx]{1,4})[)\]]\s+|[A-Z]\.\s+)?"
    r"(?P<title>[A-Z](?:(?!\n\n)[^.:;?!\u2014]){2,80}?)\s*(?:[.:\u2014](?=\s|$)\s*|$)"
)
_NO_TITLE = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|can|could|may|might|must|should|will|would|do|does|did|we|it|they"
    r"|there|includes?|exists?|remains?|need|suffer|see|note|et al)\b"
)
_OWN = re.compile(rf"(?i){cues.OWN}")
_NAMED = re.compile(rf"(?i)\b{cues.NAMES}\b")
_NOT_OURS = re.compile(
    rf"(?i)\b{cues.OTHERS}\W+(?:\w+\W+){{0,4}}?{cues.NAMES}|\b{cues.NAMES}\s+(?:of|in|with)\s+(?:the\s+)?{cues.OTHERS}"
)
_TERMINAL = re.compile(rf"(?i){cues.TERMINAL}")
_ITEM = re.compile(rf"(?i){cues.ITEM}")
_LEAD = re.compile(r"(?i)\b(?:limitations|shortcomings|drawbacks|caveats|weaknesses|threats)\b")
_LEAD_WORDS = 14
_TITLE_WORDS = 10

# What the rules of cues.NOISE may look at, in characters on each side of the keyword.
_WINDOW = 300


class _Block(NamedTuple):
    """A stretch of one section that states limitations; ``cue`` is None where a heading says so."""

    start: int
    end: int
    heading: str | None
    cue: str | None


class _Noise(NamedTuple):
    """A stretch of one section that looked like a limitation."""

    start: int
    end: int
    reason: str


_Range = TypeVar("_Range", Place, _Noise)


def extract(record: Record, *, keywords: Sequence[str] = cues.KEYWORDS, reach: Reach = "paragraph") -> Record:
    """A copy of the record with ``limitations``, in the paper's order, and with ``rejected`` where something was.

    Each limitation is a :class:`scholartools.records.Limitation` with one span. ``heading`` is the one the paper gives
    it, or None; implicit ones have ``cue``, the keyword as it stands in the text. A paper that states no limitation
    gets an empty list. Limitations and rejections of an earlier run are replaced. The record itself is not changed.

    Args:
        keywords: what begins an implicit passage, singular or plural, in either case; none at all: explicit ones only.
        reach: how far an implicit passage goes on after the sentence with the keyword: to the end of its paragraph, or
            before it where a sentence is noise; or ("section", BAGELS' own reading) to the end of its section, or to a
            paragraph that opens with a heading of :data:`cues.TERMINAL`.

    Raises:
        InputFault: no ``sections``, sections of the wrong form, or two of one id.
        UsageFault: a keyword without a letter, or an unknown reach.
    """
    if reach not in ("paragraph", "section"):
        raise UsageFault(f'reach is "paragraph" or "section", not "{reach}"')
    sections = need(record, "sections", "run st-parse first")
    texts({"sections": sections})
    cue = _cue(tuple(keywords))
    limitations: list[Record] = []
    rejected = _rejected_by_others(record)
    for section, roles, is_explicit in zip(sections, _roles(sections), _explicit(sections)):
        blocks, noise = _found(section, roles, is_explicit, cue, reach)
        for block in blocks:
            limitations += (_item(section, block, *place) for place in _cut(section["text"], block))
        rejected += (_rejection(section, one) for one in noise)
    for number, item in enumerate(limitations, 1):
        item["id"] = f"l{number}"
    extracted = {**record, "limitations": limitations}
    if rejected or "rejected" in record:
        extracted["rejected"] = rejected
    add_provenance(extracted, COMMAND, __version__, _signature(sections, keywords, reach))
    return extracted


def _rejected_by_others(record: Record) -> list:
    rejected = record.get("rejected") or []
    if not isinstance(rejected, list):
        raise InputFault('"rejected" is not a list', kind="invalid-key")
    return [entry for entry in rejected if not isinstance(entry, dict) or entry.get("command") != COMMAND]


def _signature(sections: list[Record], keywords: Sequence[str], reach: Reach) -> str:
    parameters = {
        "method": "builtin",
        "keywords": list(keywords),
        "reach": reach,
        "sentences": library("nupunkt"),
        "input": fingerprint(
            [{key: one[key] for key in ("id", "heading", "level", "role", "text")} for one in sections]
        ),
    }
    return signature(COMMAND, parameters)


def _item(section: Record, block: _Block, start: int, end: int) -> Record:
    item = {
        "id": "",
        "origin": "author",
        "mode": "implicit" if block.cue else "explicit",
        "by": "builtin",
        "heading": block.heading,
        "text": section["text"][start:end],
        "spans": [{"in": section["id"], "start": start, "end": end}],
    }
    return {**item, "cue": block.cue} if block.cue else item


def _rejection(section: Record, noise: _Noise) -> Record:
    span = {"in": section["id"], "start": noise.start, "end": noise.end}
    return {
        "command": COMMAND,
        "text": section["text"][noise.start : noise.end],
        "span": span,
        "reason": noise.reason,
    }


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
    section: Record, roles: frozenset[str], is_explicit: bool, cue: re.Pattern[str] | None, reach: Reach
) -> tuple[list[_Block], list[_Noise]]:
    """The blocks of one section in order, never overlapping, and what was noise."""
    text = section["text"]
    if is_explicit:
        return [_Block(0, len(text), section["heading"].strip() or None, None)], []
    named = list(_run_ins(text)) if not roles & cues.NO_EXPLICIT else []
    if cue is None or roles & cues.NO_IMPLICIT or not cue.search(text):
        return named, []
    free = _outside(list(paragraphs(text)), named)
    passages, noise = _passages(text, free, cue, must_own=not roles & cues.DISCUSSING)
    if reach == "section":
        passages = _stretched(text, free, passages, [block.start for block in named])
        noise = _outside(noise, passages)
    return sorted([*named, *passages], key=lambda block: block.start), noise


def _outside(places: list[_Range], blocks: list[_Block]) -> list[_Range]:
    """The places that end in none of the blocks. Both are in order."""
    starts = [block.start for block in blocks]
    before = [bisect_right(starts, place[1]) - 1 for place in places]
    return [place for place, at in zip(places, before) if at < 0 or place[1] > blocks[at].end]


def _run_ins(text: str) -> Iterator[_Block]:
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
            yield _Block(title.end(), end, " ".join(title["title"].split()), None)


def _goes_on(text: str, place: Place, is_alone: bool) -> bool:
    return _ITEM.match(text, *place) is not None or (is_alone and _heading(text, *place) is None)


def _heading(text: str, start: int, end: int) -> re.Match[str] | None:
    """The heading a paragraph opens with: by its form, for bold type is not known here."""
    found = _HEADING.match(text, start, end)
    if not found or len(found["title"].split()) > _TITLE_WORDS or _NO_TITLE.search(found["title"]):
        return None
    return found


def _passages(
    text: str, places: list[Place], cue: re.Pattern[str], must_own: bool
) -> tuple[list[_Block], list[_Noise]]:
    """Implicit passages of the paragraphs: from a keyword sentence to the paragraph's end, or to a noise sentence."""
    passages: list[_Block] = []
    noise: list[_Noise] = []
    for first, last in places:
        if not cue.search(text, first, last) or _is_heading(text, first, last):
            continue
        is_open = False
        for start, end in _sentences(text, first, last):
            word = cue.search(text, start, end)
            reason = _reason(text, start, end, word, cue, must_own and not is_open) if word else None
            if reason:
                noise.append(_Noise(start, end, reason))
                is_open = False
            elif is_open:
                passages[-1] = passages[-1]._replace(end=end)
            elif word:
                passages.append(_Block(start, end, None, word.group()))
                is_open = True
    return passages, noise


def _stretched(text: str, places: list[Place], passages: list[_Block], stops: list[int]) -> list[_Block]:
    """The passages, each going on to the end of the section, to one of the stops or to a terminal heading."""
    stops = sorted([*stops, *(start for start, end in places if _is_terminal(text, start, end))])
    ends = [end for _, end in places]
    stretched: list[_Block] = []
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


# Blocks into limitations


def _cut(text: str, block: _Block) -> list[Place]:
    """The limitations of a block: whole sentences, cut at paragraphs and where a sentence opens as an item of a list.

    A paragraph or a sentence that only announces ("This study has several limitations.") stays with what it announces.
    """
    groups: list[Place] = []
    starts = {block.start + start for start, _ in paragraphs(text[block.start : block.end])}
    sentences = _sentences(text, block.start, block.end)
    is_lead = False
    for start, end in sentences:
        begins = start in starts or _ITEM.match(text, start, end)
        if groups and (is_lead or not begins):
            groups[-1] = (groups[-1][0], end)
            is_lead = False
        else:
            groups.append((start, end))
            is_lead = _announces(text[start:end])
    return groups


def _announces(sentence: str) -> bool:
    if sentence.endswith(":"):
        return True
    return len(sentence.split()) <= _LEAD_WORDS and _LEAD.search(sentence) is not None


def _sentences(text: str, start: int, end: int) -> list[Place]:
    return [(start + first, start + last) for first, last in spans(text[start:end])]
