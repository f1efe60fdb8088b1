"""The number in a model's reply: as published with the evaluation of research questions, and by a strict definition.

Both take time linear in the reply, whatever is in it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from scholartools.text.reply_words import THINKING, why_ambiguous, without_end, without_tags, without_thoughts

NO_NUMBER = "no number"


class Parsed(NamedTuple):
    """The score in a reply.

    Attributes:
        value: it, or None where the reply holds none.
        pattern: which of the five published patterns found it, from 1; None in strict parsing.
        reason: why the value is None, else None.
        places: where in the reply the number is that was read: start and end, several where it occurs again.
    """

    value: float | None
    pattern: int | None = None
    reason: str | None = None
    places: tuple[tuple[int, int], ...] = ()


def read_published(reply: str) -> Parsed:
    r"""The score that the published code takes from a reply (RQ evaluation, appendix A.3.5).

    The first of five patterns that is found anywhere decides, with what it finds first; only whole numbers without a
    sign are found, so that 4.5 is 4 and -1 is 1:

    1. ``Score:\s*(?:.*?:\s*)?(\d+)``
    2. ``Score \(1-5\):\s*(\d+)``
    3. ``Rating:\s*(?:.*?:\s*)?(\d+)``
    4. ``\b(\d+)\b``
    5. ``:\s*(\d+)``

    A number beyond the range of a float, infinite there, is None here.
    """
    for number, find in enumerate(_PUBLISHED, 1):
        if (place := find(reply)) is not None:
            value = float(reply[slice(*place)])
            is_number = math.isfinite(value)
            return (
                Parsed(value, number, None, (place,)) if is_number else Parsed(None, number, "the number is too large")
            )
    return Parsed(None, None, NO_NUMBER)


def read_strict(reply: str, low: float, high: float) -> Parsed:
    """The one number in low..high that a reply can mean; None where it could mean another one, or none.

    Mentions of the range itself (``1-5``, ``1 to 5``) and of its end behind a number (``4/5``, ``4 out of 5``) are not
    looked at. Where the word score or rating comes before a colon, ``=`` or "is", only what follows these on the line
    is; else the whole reply. All numbers there must be equal, and nothing else there may hold a digit: ``95%``,
    ``4,5``, ``3-4`` and ``GPT-4`` are no numbers, and leave open what is meant, and so do words beside a number
    that change it (``not 3``, ``minus 3``, ``at least 3``, ``3 or more``, ``3 out of 3`` where 3 is not the highest),
    doubt it (``maybe 3``) or give it to others (``typical is 3``). Numbers in words are not read, and one that could be
    the score beside another in digits (``three or 4``) leaves open what is meant. Thinking in tags (``<think>``) is no
    part of the answer; see :mod:`.reply_words`.

    Args:
        reply: what a model said.
        low: the lowest score there is.
        high: the highest.
    """
    answer = without_thoughts(reply)
    if answer is None:
        return Parsed(None, reason=THINKING)
    text = _without_range(without_tags(answer), low, high)
    labelled = _behind_labels(text)
    said = text if labelled is None else labelled
    words = [word for word in _WORDS.finditer(said) if _holds_number(word[0])]
    digits = [word[0].rstrip(_ENDINGS) for word in words]
    if not digits:
        return Parsed(None, reason=NO_NUMBER if labelled is None else "no number behind the word score or rating")
    if not all(map(_NUMBER.fullmatch, digits)):
        return Parsed(None, reason="digits that are no plain number")
    if _BEFORE.search(said) or _BEHIND.search(said):
        return Parsed(None, reason="a number that the words beside it change")
    values = set(map(float, digits))
    if len(values) > 1:
        return Parsed(None, reason="several numbers")
    (value,) = values
    if not low <= value <= high:
        return Parsed(None, reason="a number out of the range")
    if reason := why_ambiguous(text, said, low, high, value, is_labelled=labelled is not None):
        return Parsed(None, reason=reason)
    return Parsed(value, places=tuple((word.start(), word.start() + len(one)) for word, one in zip(words, digits)))


def _holds_number(word: str) -> bool:
    """Whether a word has a digit or a sign such as ½ in it, or is made of numerals alone."""
    return any(unicodedata.category(sign)[0] == "N" for sign in word) or all(map(str.isnumeric, word))


def _first_match(pattern: str) -> Callable[[str], tuple[int, int] | None]:
    compiled = re.compile(pattern)

    def find(text: str) -> tuple[int, int] | None:
        found = compiled.search(text)
        return found and found.span(1)

    return find


def _find_labelled(label: str) -> Callable[[str], tuple[int, int] | None]:
    r"""The places of what ``LABEL:\s*(?:.*?:\s*)?(\d+)`` finds; no line is looked at once for every label in it."""
    labels, behind = re.compile(rf"{label}:\s*+"), re.compile(r"(?:.*?:\s*+)?(\d+)")

    def find(text: str) -> tuple[int, int] | None:
        barren = -1  # the end of the last line in which, from a label on, no colon has a number behind it
        for place in labels.finditer(text):
            start = place.end()
            if start <= barren:
                continue
            if found := behind.match(text, start):
                return found.span(1)
            end = text.find("\n", start)
            barren = len(text) if end < 0 else end
        return None

    return find


_PUBLISHED = (
    _find_labelled("Score"),
    _first_match(r"Score \(1-5\):\s*+(\d+)"),
    _find_labelled("Rating"),
    _first_match(r"\b(\d+)\b"),
    _first_match(r":\s*+(\d+)"),
)

# What numbers are written with; a longer word that has a digit in it is no number.
_WORDS = re.compile(r"[\w.,/%+−–-]+")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_ENDINGS = ".,–−-"
# What Markdown and brackets put between a label, its colon and its number.
_MARKS = r"[\s*_\"'()\[\]{}]*+"
_LABEL = re.compile(rf"\b(?:score|rating)\b{_MARKS}(?:[:=]|is\b){_MARKS}", re.I)


# Words that make another number of the one beside them, or leave it open.
_BEFORE = re.compile(
    r"(?:\b(?:minus|negative|below|under|above|over|beyond|than|at\s+(?:least|most)|up\s+to|almost|nearly)"
    r"(?:\s+(?:an?|the)\b)?[\s*_\"'()\[\]]+"
    r"|(?:\b(?:not|never|nor|cannot|hardly)\b|n['’]t\b)[^.:;!?\n]*?"
    # At the start of a line ">" alone is Markdown's mark of a quotation; "<4>" is a number in brackets.
    r"|(?:<(?![0-9.]{1,20}+>)|[≤≥~≈≠±]|>(?==)|(?<=[^\n])>)[\s*_=]*)[0-9]",
    re.I,
)
_BEHIND = re.compile(
    r"[0-9][\s*_\"'()\[\]]*+(?:\b(?:or|and)\s+(?:more|less|higher|lower|above|below|up|better|worse)\b"
    r"|\band\s+(?:an?|one)\s+(?:half|quarter|third)\b|\b(?:plus|minus)\b|\bpoint\b(?=\s+(?:[0-9]|zero|one|two|three|four|five|six|seven|eight|nine)\b)"
    r"|\b(?:out\s+)?of\b[^0-9\n.;:]{0,20}[0-9])",
    re.I,
)


def _behind_labels(text: str) -> str | None:
    """The text with blanks for all but what follows labels, each to the end of its line; None without a label."""
    kept: list[str] = []
    place = 0
    while label := _LABEL.search(text, place):
        kept.append(" " * (label.end() - place) if not kept else "\n".ljust(label.end() - place))
        line_end = text.find("\n", label.end())
        place = len(text) if line_end < 0 else line_end
        kept.append(text[label.end() : place])
    return "".join(kept) if place else None


def _without_range(text: str, low: float, high: float) -> str:
    """The text with blanks for mentions of the range and of its end."""
    bottom, top = (rf"{re.escape(f'{end:.15g}')}(?:\.0+)?" for end in (low, high))
    for mention in (
        rf"(?<![\w.,/%+−–-]){bottom}\s*+(?:-|–|−|\.\.|to)\s*+{top}(?![\w%/]|[.,–−-]\d)",
        rf"(?<=[0-9])\s*+(?:/|out of)\s*+{top}(?![\w%/]|[.,–−-]\d)",
    ):
        text = re.sub(mention, lambda found: " " * len(found[0]), text)
    return without_end(text, top, high)
