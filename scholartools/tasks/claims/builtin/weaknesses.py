"""Built-in extraction of weaknesses from reviews: those that dispute a claim (CLAIMCHECK, 3.3), or all (AAAR-1.0).

Of the critical passages that the extraction of limitations finds, those are kept that refer to a claim, quote the
paper, or mention a place of it. A weak baseline, since whether a passage disputes a claim depends on its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.records import Record, read
from scholartools.signature import library
from scholartools.tasks.claims import cues
from scholartools.tasks.claims.base import BUILTIN, paper_texts, reviews_of, sign_step, with_rejected
from scholartools.tasks.claims.mentions import LONG_QUOTE_WORDS, Places, mentions
from scholartools.tasks.claims.similarity import Claims
from scholartools.tasks.claims.weakness_sets import refuse_people_weaknesses, with_weaknesses
from scholartools.tasks.limits import in_reviews
from scholartools.tasks.limits.passages import sentence_places
from scholartools.tasks.limits.review_cues import GOES_ON

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Review

STEP = "weaknesses"

#: Minimum similarity to a claim for the groundedness "plausible" (3 of 1..5).
PLAUSIBLE = 0.40

_POINTS = re.compile(rf"(?i){cues.POINTS_TO_CLAIM}")
_SAYS = re.compile(rf"(?i){cues.SAYS_CLAIMS}")
_NOT_ABOUT = re.compile(rf"(?i){cues.NOT_ABOUT_CLAIMS}")
# "That the gain holds is not shown" starts a new point; "That is weak" continues one.
_GOES_ON = re.compile(rf"(?i)(?!that\s+(?:the|an?|their|this|these)\b)(?:{GOES_ON})")


def weaknesses(record: Record, *, rater: str | None = None, every: bool = False) -> Record:
    """Add ``weaknesses`` to a copy of the record, in the order of the reviews, replacing those of an earlier run.

    Each has ``groundedness`` by rule: 5 if it says that the paper claims something or quotes five words of the paper; 4
        if it mentions a place that the record has; 3 if it is similar to one of the ``claims``; else 2. 1 is never
        assigned.
    Critical passages that refer to no claim are stored under ``rejected``.

    Args:
        record: with ``reviews``.
        rater: name of the set under ``annotations.weaknesses``; None for ``weaknesses``.
        every: take all critical passages, including remarks on writing and questions; those that refer to no claim have
            no ``groundedness``.

    Raises:
        InputFault: ``reviews`` are missing or malformed; human weaknesses would be replaced.
    """
    reviews = reviews_of(record)
    refuse_people_weaknesses(record, rater)
    claims = read(record, "claims") or ()
    index = Claims([claim["text"] for claim in claims])
    places = Places({key: record.get(key) for key in ("abstract", "sections", "captions", "references", "lines")})
    found: dict[str, list[Record]] = {review["id"]: [] for review in reviews}
    rejected: list[Record] = []
    for name, text, start, end in _critical_passages(reviews, every):
        item, reason = _new_weakness(name, text, start, end, places, index)
        if every and reason is not None:
            found[item["review"]].append({**item, "groundedness": None})
        elif reason is None:
            found[item["review"]].append(item)
        else:
            rejected.append({"text": item["text"], "span": item["spans"][0], "reason": reason})
    made = with_rejected(with_weaknesses(record, list(found.items()), rater, BUILTIN), STEP, rejected, rater)
    inputs = (
        [[review["id"], review["text"]] for review in reviews],
        paper_texts(record),
        [one["text"] for one in claims],
    )
    options = {"rater": rater, "plausible": PLAUSIBLE, "embedder": index.name, "sentences": library("nupunkt")}
    if every:
        options["all"] = True
    return sign_step(made, STEP, options, inputs)


def _critical_passages(reviews: Sequence[Review], remarks: bool) -> Iterator[tuple[str, str, int, int]]:
    """Critical passages of the reviews, split into points: name and text of the review, start and end offset."""
    for found in in_reviews.find_in_reviews(reviews, remarks):
        for block in found.blocks:
            for start, end in in_reviews.cut_criticism(found.text, block)[0]:
                yield from ((found.name, found.text, *place) for place in _split_points(found.text, start, end))


def _split_points(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a passage before each sentence that itself refers to a claim and does not continue the previous point.

    A sentence about something other than claims forms a point by itself.
    """
    points: list[tuple[int, int]] = []
    is_open = False
    for first, last in sentence_places(text, start, end):
        sentence = text[first:last]
        is_aside = _is_aside(sentence)
        if is_open and not is_aside and (_GOES_ON.match(sentence) or not _POINTS.search(sentence)):
            points[-1] = (points[-1][0], last)
        else:
            points.append((first, last))
        is_open = not is_aside
    return points


def _is_aside(sentence: str) -> bool:
    """Whether a sentence concerns writing, missing work or a request, rather than what the paper says."""
    return _NOT_ABOUT.search(sentence) is not None and _SAYS.search(sentence) is None


def _new_weakness(
    name: str, text: str, start: int, end: int, places: Places, index: Claims
) -> tuple[Record, str | None]:
    """Turn a passage into a weakness without an id; also the reason if it is to be rejected."""
    passage = text[start:end]
    found = mentions(text, name, start, end, places)
    points = [" ".join(hit.group().split()) for hit in _POINTS.finditer(passage)]
    quoted = [one for one in found if one["kind"] == "quote" and one["at"]]
    item = {
        "review": name.removeprefix("review:"),
        "by": BUILTIN,
        "text": passage,
        "spans": [{"in": name, "start": start, "end": end}],
        "groundedness": _rate_groundedness(passage, found, quoted, index),
        "cues": list(dict.fromkeys(points)),
        "mentions": found,
    }
    if _is_aside(passage) and not quoted:
        return item, "it is about writing, missing work or a request"
    if not points and not any(one["at"] for one in found):
        return item, "it points to no claim"
    return item, None


def _rate_groundedness(passage: str, found: Sequence[Record], quoted: Sequence[Record], index: Claims) -> int:
    if _SAYS.search(passage) or any(len(one["text"].split()) >= LONG_QUOTE_WORDS for one in quoted):
        return 5
    if any(one["at"] for one in found):
        return 4
    likenesses: list[Any] = index.similarities(passage)
    return 3 if any(one.score >= PLAUSIBLE for one in likenesses) else 2
