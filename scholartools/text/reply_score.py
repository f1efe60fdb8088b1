"""Extract the score from a model's reply, with the published patterns or with a strict parser.

Both take time linear in the length of the reply.
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
    """The score parsed from a reply.

    Attributes:
        value: the score; None if the reply has none.
        pattern: number of the published pattern that matched, from 1; None in strict parsing.
        reason: why the value is None, else None.
        places: start and end offsets of the number in the reply; several if it is repeated.
    """

    value: float | None
    pattern: int | None = None
    reason: str | None = None
    places: tuple[tuple[int, int], ...] = ()


def read_published(reply: str) -> Parsed:
    r"""Parse the score as the published code does (RQ evaluation, appendix A.3.5).

    Uses the first match of the first pattern that matches anywhere. Only unsigned integers are recognised, so 4.5 is
    read as 4 and -1 as 1:

    1. ``Score:\s*(?:.*?:\s*)?(\d+)``
    2. ``Score \(1-5\):\s*(\d+)``
    3. ``Rating:\s*(?:.*?:\s*)?(\d+)``
    4. ``\b(\d+)\b``
    5. ``:\s*(\d+)``

    A number too large for a float, which the published code reads as infinite, is None here.
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
    """The only number in low..high that a reply can mean; None if the reply is ambiguous or has no score.

    Mentions of the range itself (``1-5``, ``1 to 5``) and of its maximum after a number (``4/5``, ``4 out of 5``) are
    ignored. If the word score or rating precedes a colon, ``=`` or "is", only the rest of that line is read; otherwise
    the whole reply. All numbers there must be equal, and other tokens with digits make the reply ambiguous: ``95%``,
    ``4,5``, ``3-4``, ``GPT-4``. So do words that change the number (``not 3``, ``minus 3``, ``at least 3``, ``3 or
    more``, ``3 out of 3`` where 3 is not the maximum), express doubt (``maybe 3``) or attribute it to others (``typical
    is 3``). Numbers in words are not read, but make the reply ambiguous if they may be the score beside a number in
    digits (``three or 4``). Thinking in tags (``<think>``) is ignored; see :mod:`.reply_words`.

    Args:
        reply: the reply of the model.
        low: lowest score of the scale.
        high: highest score of the scale.
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
    """Whether a word contains a digit or a numeric sign such as ½, or consists of numerals."""
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
        barren = -1  # end of the last line that has a label but no number after a colon
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

# Characters of numbers; a longer word that contains a digit is not a number.
_WORDS = re.compile(r"[\w.,/%+−–-]+")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_ENDINGS = ".,–−-"
# Markdown and brackets between a label, its colon and its number.
_MARKS = r"[\s*_\"'()\[\]{}]*+"
_LABEL = re.compile(rf"\b(?:score|rating)\b{_MARKS}(?:[:=]|is\b){_MARKS}", re.I)


# Words that change the adjacent number or make it ambiguous.
_BEFORE = re.compile(
    r"(?:\b(?:minus|negative|below|under|above|over|beyond|than|at\s+(?:least|most)|up\s+to|almost|nearly)"
    r"(?:\s+(?:an?|the)\b)?[\s*_\"'()\[\]]+"
    r"|(?:\b(?:not|never|nor|cannot|hardly)\b|n['’]t\b)[^.:;!?\n]*?"
    # At the start of a line ">" alone is a Markdown quotation mark; "<4>" is a number in brackets.
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
    """Blank out everything but the text after labels, up to the end of each line; None without a label."""
    kept: list[str] = []
    place = 0
    while label := _LABEL.search(text, place):
        kept.append(" " * (label.end() - place) if not kept else "\n".ljust(label.end() - place))
        line_end = text.find("\n", label.end())
        place = len(text) if line_end < 0 else line_end
        kept.append(text[label.end() : place])
    return "".join(kept) if place else None


def _without_range(text: str, low: float, high: float) -> str:
    """Blank out mentions of the scale's range and of its maximum."""
    bottom, top = (rf"{re.escape(f'{end:.15g}')}(?:\.0+)?" for end in (low, high))
    for mention in (
        rf"(?<![\w.,/%+−–-]){bottom}\s*+(?:-|–|−|\.\.|to)\s*+{top}(?![\w%/]|[.,–−-]\d)",
        rf"(?<=[0-9])\s*+(?:/|out of)\s*+{top}(?![\w%/]|[.,–−-]\d)",
    ):
        text = re.sub(mention, lambda found: " " * len(found[0]), text)
    return without_end(text, top, high)
