"""Parse scores in replies, and aggregate samples."""

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

#: Position of the line ``Rating: N`` in a reply, unless the reply is only the number.
ANYWHERE, FIRST, LAST = "anywhere", "first", "last"

_NO_ANALYSIS = "a rating without the analysis before it"

_LABELLED = re.compile(
    r"^[\s*_#>\"'(\[{-]*(?:final\s+|overall\s+)?(?:rating|score)\b(?:\s*\([^()]*\))?[\s*_\"')\]]*[:=]", re.I
)


def read_rating(text: str, aspect: Aspect, how: How, place: str = ANYWHERE) -> float:
    """Parse the score in a reply; only the reply is used, not the rated text.

    Args:
        text: the reply.
        aspect: aspect with the scale.
        how: options; ``parse`` selects the parser.
        place: required position of the rating line among the non-blank lines.

    Raises:
        ReplyFault: there is no score, or it is ambiguous; scores are never guessed.
    """
    return find_rating(text if how.parse == "published" else _rating_part(text, place), aspect, how)[0]


def find_rating(text: str, aspect: Aspect, how: How) -> tuple[float, Sequence[tuple[int, int]]]:
    """The score in a reply and its start and end offsets; several if it is repeated.

    Raises:
        ReplyFault: see :func:`read_rating`.
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
    """The line with the rating; the whole reply if no line is labelled."""
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
    """Aggregate samples to a rating; samples without a score are counted as missing.

    The distribution is over the available scores.
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
    """The mean, the median, or the mode (the mean of several modes)."""
    if how == "mean":
        return float(statistics.fmean(values))
    if how == "median":
        return float(statistics.median(values))
    return float(statistics.fmean(statistics.multimode(values)))


def share_scores(values: Sequence[float]) -> dict[str, float] | None:
    """Share of each score in ascending order; None without scores."""
    counts = Counter(values)
    return {f"{value:g}": counts[value] / len(values) for value in sorted(counts)} or None
