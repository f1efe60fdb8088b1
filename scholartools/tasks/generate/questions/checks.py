"""Describe research questions by rules: flags, form, and overlap with the source; no judgement of quality.

No question is rejected because of a flag: raters and judges may assess all kinds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scholartools.records import Record
from scholartools.tasks.shared.pieces import Part
from scholartools.text import sentences

_FEWEST, _MOST = 8, 80
# Minimum words of a sentence for copying; shorter ones may be shared by chance.
_COPIED_WORDS = 8
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_FIXED = re.compile(r"(?:can|could)\b.+\b(?:by|through|via|using|with)\b.+\?", re.I | re.S)
_OPENINGS = ("can", "could", "how", "what", "which", "why", "when", "does", "do", "is", "are", "to what extent")


def describe_question(text: str, source: str) -> Record:
    """The form, flags and share of new words of a question.

    ``form`` is "can-by" if it asks whether something can be achieved by something, else its opening word, or "other".
    ``new_words`` is the share of its distinct case-folded words that do not occur in the source.

    Args:
        text: the question.
        source: the text that it was generated from.
    """
    words = _words(text)
    known = set(_words(source))
    different = set(words)
    flags = [
        flag
        for flag, holds in (
            ("no-question-mark", not text.rstrip("\"'”’ ").endswith("?")),
            ("short", len(words) < _FEWEST),
            ("long", len(words) > _MOST),
            ("several-sentences", len(sentences.spans(text)) > 1),
            ("copied-sentence", _is_copied(text, source)),
        )
        if holds
    ]
    new = len(different - known) / len(different) if different else None
    return {"form": name_form(text), "flags": flags, "new_words": new}


def name_form(text: str) -> str:
    """The form of a question: "can-by", its opening word, or "other"."""
    plain = " ".join(text.split())
    if _FIXED.match(plain):
        return "can-by"
    folded = plain.casefold()
    return next((word for word in _OPENINGS if folded.startswith(f"{word} ")), "other")


def locate_phrase(phrase: str, parts: Sequence[Part]) -> Record | None:
    """Span of the first verbatim occurrence of a phrase; None without one."""
    for part in parts:
        start = part.text.find(phrase) if phrase else -1
        if start >= 0:
            return {"in": part.name, "start": start, "end": start + len(phrase)}
    return None


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _is_copied(text: str, source: str) -> bool:
    """Whether the question equals a sentence of the source, or contains a long one."""
    own = f" {' '.join(_words(text))} "
    for start, end in sentences.spans(source):
        words = _words(source[start:end])
        if len(words) >= _COPIED_WORDS and f" {' '.join(words)} " in own:
            return True
    return False
