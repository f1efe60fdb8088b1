"""Built-in extraction of claims: sentences of the paper, selected by position and cue words.

A weak baseline, since being a claim depends on the meaning. The command's help has figures on our fixture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.records import Record, read
from scholartools.signature import library
from scholartools.tasks.claims import cues
from scholartools.tasks.claims.base import BUILTIN, sign_step, with_rejected
from scholartools.tasks.claims.entries import with_claims
from scholartools.tasks.claims.sources import sources_of
from scholartools.text.sentences import paragraphs, spans

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

STEP = "extract"

_CLAIMS = [(role, re.compile(rf"(?is){pattern}")) for role, pattern in cues.CLAIMS]
_NONE = [(reason, re.compile(pattern if "[A-Z]" in pattern else rf"(?i){pattern}")) for reason, pattern in cues.NONE]
_OWN = re.compile(cues.OWN)
_NAMES = re.compile(cues.NAMES)
_MEASURED = re.compile(rf"(?i){cues.MEASURED}")
_ASSERTS = re.compile(cues.ASSERTS)
_NUMBER = re.compile(r"(?<![\w\[.])\d+(?:[.,]\d+)*(?![\w\]])")
_NAME = re.compile(r"[^\W\d_][\w-]*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SHORTEST = 3  # words; shorter sentences are headings or fragments


class Place(NamedTuple):
    """A sentence within a text, with the role of its section."""

    name: str
    text: str
    start: int
    end: int
    role: str


def extract(
    record: Record, *, roles: Sequence[str] = cues.ROLES, captions: bool = False, system: str | None = None
) -> Record:
    """Add ``claims`` to a copy of the record, in the order of the paper, replacing those of an earlier run.

    Each has ``id``, ``by``, ``text``, one span, ``role`` (novelty, relation, finding, result or contribution) and
    ``cue``, the matched cue words.

    Args:
        roles: roles of sections from which claims are taken; a section of role "other" inherits the role of its parent.
        captions: whether captions are included. CLAIMCHECK excludes them.
        system: name under ``generated.claims`` where the claims are stored; None for ``claims``.

    Raises:
        InputFault: ``abstract`` and ``sections`` are both missing, or malformed.
    """
    sources = sources_of(record, roles, captions)
    results = _labelled_stretches(record) if "abstract" in roles else []
    own = _own_words(record)
    places = (place for place in _iter_sentences(sources) if place.role != "introduction" or _is_own(place, own))
    claims = [claim for place in places if (claim := _claim_of(place, results, own)) is not None]
    for number, claim in enumerate(claims, 1):
        claim["id"] = f"c{number}"
    made = with_rejected(with_claims(record, claims, BUILTIN, system), STEP, [], system)
    options = {"roles": list(roles), "captions": captions, "system": system, "sentences": library("nupunkt")}
    return sign_step(made, STEP, options, [[name, text] for name, text, _ in sources])


def _labelled_stretches(record: Record) -> list[tuple[int, int]]:
    """Stretches of the abstract that the built-in facets label as result or conclusion."""
    abstract = read(record, "abstract")
    if not (abstract or "").strip():
        return []
    from scholartools.tasks import facets

    labelled = facets.label({"abstract": abstract})["facets"][0]
    found = (labelled[name] for name in ("result", "conclusion"))
    return [(span["start"], span["end"]) for facet in found if facet for span in facet["spans"]]


def _own_words(record: PaperRecord) -> frozenset[str]:
    """Names for the paper's contribution from its title or abstract, such as "Minimap2: pairwise ..."."""
    hits = (hit for key in ("title", "abstract") for hit in _NAMES.finditer(read(record, key) or ""))
    head, colon, _ = (read(record, "title") or "").partition(":")
    titled = [head, head.lower(), head.capitalize()] if colon and len(head.split()) == 1 else []
    return frozenset([*(hit["given"] or hit["camel"] for hit in hits), *titled])


def _is_own(place: Place, names: frozenset[str]) -> bool:
    sentence = place.text[place.start : place.end]
    return _OWN.search(sentence) is not None or not names.isdisjoint(_NAME.findall(sentence))


def _iter_sentences(sources: Sequence[tuple[str, str, str]]) -> Iterator[Place]:
    for name, text, role in sources:
        for first, last in paragraphs(text):
            for start, end in spans(text[first:last]):
                yield Place(name, text, first + start, first + end, role)


def _claim_of(place: Place, results: Sequence[tuple[int, int]], own: frozenset[str]) -> Record | None:
    """Turn a sentence into a claim without an id; None if it is no claim."""
    sentence = place.text[place.start : place.end]
    if len(_WORD.findall(sentence)) < _SHORTEST or any(rule.search(sentence) for _, rule in _NONE):
        return None
    found = _find_cue(place, sentence, results, own)
    if found is None:
        return None
    role, cue = found
    span = {"in": place.name, "start": place.start, "end": place.end}
    return {"id": "", "by": BUILTIN, "text": sentence, "spans": [span], "role": role, "cue": cue}


def _find_cue(
    place: Place, sentence: str, results: Sequence[tuple[int, int]], own: frozenset[str]
) -> tuple[str, str] | None:
    """Role and cue words of a claim; None for no claim."""
    for role, pattern in _CLAIMS:
        if cue := pattern.search(sentence):
            return role, " ".join(cue.group().split())
    if place.name == "abstract" and any(start <= place.start and place.end <= end for start, end in results):
        return "result", "facet"
    is_measured = place.role in ("abstract", "result", "discussion", "conclusion") and _NUMBER.search(sentence)
    if is_measured and (cue := _MEASURED.search(sentence)):
        return "result", cue.group()
    if place.role in ("conclusion", "discussion") and (cue := _ASSERTS.search(sentence)) and _is_own(place, own):
        return "contribution", " ".join(cue.group().split())
    return None
