"""The score in a reply, and one score of many samples."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.replies import ReplyFault
from scholartools.tasks.judge.rate.contract import Aspect, How, Rating
from scholartools.text.reply_score import NO_NUMBER, read_published, read_strict

#: Where a reply must have its line ``Rating: N``; anywhere where it has nothing else.
ANYWHERE, FIRST, LAST = "anywhere", "first", "last"

_NO_ANALYSIS = "a rating without the analysis before it"

_LABELLED = re.compile(
    r"^[\s*_#>\"'(\[{-]*(?:final\s+|overall\s+)?(?:rating|score)\b(?:\s*\([^()]*\))?[\s*_\"')\]]*[:=]", re.I
)


def read_rating(text: str, aspect: Aspect, how: How, place: str = ANYWHERE) -> float:
    """The score in a reply, which alone is read: nothing of the rated text reaches this.

    Args:
        text: the reply.
        aspect: on whose scale it must be.
        how: whose ``parse`` says which definition holds.
        place: where the line with the rating must be among the lines that are not blank.

    Raises:
        ReplyFault: there is none, or it is not clear which; never a guess, never the lowest score.
    """
    return find_rating(text if how.parse == "published" else _rating_part(text, place), aspect, how)[0]


def find_rating(text: str, aspect: Aspect, how: How) -> tuple[float, Sequence[tuple[int, int]]]:
    """The score in a reply, and its place in it: start and end, several where it occurs again.

    Raises:
        ReplyFault: as :func:`read_rating`.
    """
    low, high = aspect.scale
    parsed = read_published(text) if how.parse == "published" else read_strict(text, low, high)
    if parsed.value is None:
        reason = parsed.reason or NO_NUMBER
        raise ReplyFault("out of range" if reason == "a number out of the range" else reason)
    if not low <= parsed.value <= high:
        raise ReplyFault("out of range")
    return parsed.value, parsed.places


def _rating_part(text: str, place: str) -> str:
    """The line that holds the rating; the whole reply where no line says that it does."""
    if place == ANYWHERE:
        return text
    lines = [line for line in text.splitlines() if line.strip()]
    labelled = [number for number, line in enumerate(lines) if _LABELLED.match(line)]
    if not labelled and place == LAST and not re.search(r"[^\W\d_]", text):
        raise ReplyFault(_NO_ANALYSIS)
    if not labelled:
        return text
    wanted = 0 if place == FIRST else len(lines) - 1
    if wanted not in labelled:
        raise ReplyFault(f"the {place} line has no rating")
    if place == LAST and len(lines) == 1:
        raise ReplyFault(_NO_ANALYSIS)
    return lines[wanted]


def combine_samples(
    values: Sequence[float | None], answers: Sequence[Answer[Any] | Missing], aspect: Aspect, how: How
) -> Rating:
    """One rating of its samples; None for one without a score, which is counted and no number.

    The distribution is over the samples that have one.
    """
    given = [value for value in values if value is not None]
    reasons = Counter(answer.reason for answer in answers if isinstance(answer, Missing))
    made = Rating(None, aspect.scale, "samples" if len(values) > 1 else "single", answers=answers)
    made.unparsed = dict(reasons)
    if len(values) > 1:
        made.samples = list(values)
        made.spread = statistics.pstdev(given) if given else None
        made.distribution = share_scores(given)
    least = min(how.min_samples, len(values)) if how.min_samples is not None else -(-len(values) // 2)
    if not given:
        made.reason = next(iter(reasons), NO_NUMBER)
    elif len(given) < least:
        made.reason = f"{len(given)} of {len(values)} samples have a score, and {least} must"
    else:
        made.score = combine(given, how.combine)
    return made


def combine(values: Sequence[float], how: str) -> float:
    """The mean, the median, or the most frequent value (of several the mean of these)."""
    if how == "mean":
        return float(statistics.fmean(values))
    if how == "median":
        return float(statistics.median(values))
    return float(statistics.fmean(statistics.multimode(values)))


def share_scores(values: Sequence[float]) -> dict[str, float] | None:
    """The share of each score, the lowest first; None without any."""
    counts = Counter(values)
    return {f"{value:g}": counts[value] / len(values) for value in sorted(counts)} or None
