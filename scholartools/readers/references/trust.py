"""Estimate the odds that a title of :mod:`.tagger` is right, by logistic regression.

The evidence is how clearly the tagger's chain labels the words of the title as title and its neighbours as other,
whether the rules of :mod:`.titles` find the same title, and the text before and after it. The weighted sum is the
logarithm of the odds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from scholartools.readers.references.names import Names
from scholartools.readers.references.tagger import TITLE, UNIT, Reading

_YEAR_BEFORE = re.compile(r"\d{4}[^\d\s]{0,2}\W{0,4}\Z")
_OPENING = "“\"„‘»«'"
_INNER = '“”"„'


class Found(NamedTuple):
    """A title found at ``text[start:end]``.

    Attributes:
        title: the title after clean-up.
        printed: whether publication details follow it.
    """

    title: str
    start: int
    end: int
    printed: bool

    @property
    def letters(self) -> str:
        return letters_of(self.title)


def letters_of(text: str) -> str:
    """The letters and digits of a text, case folded."""
    return "".join(filter(str.isalnum, text)).casefold()


def log_odds(weights: Sequence[float], evidence: Sequence[float]) -> float:
    """The logarithm of the odds that a title is right."""
    return sum(weight * value for weight, value in zip(weights, evidence))


def begins_at(text: str, place: int, own: Found) -> bool:
    """Whether a title begins at an offset of the text, apart from punctuation."""
    return letters_of(text[place : own.end]) == letters_of(text[own.start : own.end])


def evidence_for(text: str, own: Found, other: Found | None, reading: Reading, names: Names | None) -> list[float]:
    """The features of the regression for a title of the tagger, in the order of the weights.

    Args:
        text: the reference without its label.
        own: the tagger's title.
        other: the rules' title, if any.
        names: the names at the start of the reference, if any.
    """
    before, first, inner, last, after, following = _of_chain(reading, own)
    start, end = min(before, first), min(last, after)
    least = min(start, end, inner)
    same = other is not None and other.letters == own.letters
    title, behind = own.title, text[own.end : own.end + 1]
    return [
        1.0, start, end, inner, least, same, least * same, least * own.printed,
        other is None,
        other is not None and other.start == own.start,
        other is not None and abs(other.end - own.end) < 2,
        other is not None and not same and own.start <= other.start and other.end <= own.end,
        other is not None and not same and other.start <= own.start and own.end <= other.end,
        other is not None and other.printed,
        own.printed,
        names is not None and (names.certain or names.dated),
        names is None,
        names is not None and begins_at(text, names.rest, own),
        own.start > 0 and text[own.start - 1] in _OPENING,
        _YEAR_BEFORE.search(text[max(0, own.start - 12) : own.start]) is not None,
        behind == ".", behind == ",", behind == ";",
        following == "J", following == "D",
        reading.labels.count(TITLE[0]) > 1,
        math.log1p(title.count(" ")), title[0].islower(), ". " in title, ", " in title,
        any(sign in title for sign in _INNER), len(own.letters) < len(letters_of(text[own.start : own.end])),
    ]  # fmt: skip


def _of_chain(reading: Reading, own: Found) -> tuple[float, float, float, float, float, str]:
    """Damped log margins by which the tagger excludes the token before a title, includes its first token, all of its
    tokens, and its last token, and excludes the token after it; and the label of the text that follows."""
    inside = [at for at, start in enumerate(reading.starts) if own.start <= start < own.end]
    if not inside:
        return (0.0,) * 5 + ("",)
    first, last = inside[0], inside[-1]
    before = reading.gaps[first - 1] if first else None
    after = reading.gaps[last + 1] if last + 1 < len(reading.gaps) else None
    following = reading.labels[last + 1 : last + 6].lstrip("O")[:1]
    start, end = _squashed(reading.gaps[first]), _squashed(reading.gaps[last])
    inner = _squashed(min(reading.gaps[first : last + 1]))
    return (
        start if before is None else -_squashed(before), start, inner, end,
        end if after is None else -_squashed(after), following,
    )  # fmt: skip


def _squashed(units: int) -> float:
    return math.copysign(math.log1p(abs(units) / UNIT), units)
