"""How questions are asked, and what is shown: texts alone, nothing of what is right or how options were made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scholartools.llm.prompts import json_lines
from scholartools.records import Record
from scholartools.tasks.shared.questions import Question

BINARY, CHOICE = "binary", "choice"
Format = Literal["binary", "choice"]

#: The letters that stand for options in a choice.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_WORD = re.compile(r"\S+")
_NO_TEXT = "(no text is shown)"


@dataclass(frozen=True)
class Answering:
    """How questions are answered.

    Attributes:
        format: each option alone (``binary``), or one of all (``choice``).
        rotations: of a choice, whether options are shown in as many orders as there are options, each in each place.
        context_words: most words shown on each side, None for all that the record holds.
        system: name of the entry, None for one made of the model and of what differs from the defaults.
    """

    format: Format = "binary"
    rotations: bool = False
    context_words: int | None = None
    system: str | None = None

    def name(self, model: str) -> str:
        """The name of the entry: without ``system`` runs in other ways are side by side in a record."""
        words = self.context_words
        shown = [] if words is None else [f"{words} words" if words else "no context"]
        return self.system or " ".join([model, *([self.format] if self.format == CHOICE else []), *shown])

    def provenance_options(self) -> Record:
        """What changes the judgements, for provenance and signature."""
        return {"format": self.format, "rotations": self.rotations, "context_words": self.context_words}


class Shown(NamedTuple):
    """One call: the ids of the options that it shows, in their order, and what fills its prompt."""

    names: tuple[str, ...]
    inputs: dict[str, str]


def shown_parts(question: Question, how: Answering) -> list[Shown]:
    """What each call about a question shows, in the order of the calls."""
    context = _context(question, how.context_words)
    if how.format == BINARY:
        return [Shown((name,), {**context, "equation": one["latex"]}) for name, one in question.options.items()]
    return [Shown(tuple(order), {**context, "options": _lines(question, order)}) for order in _orders(question, how)]


def shown_words(question: Question, how: Answering) -> list[int]:
    """How many words of the text are shown before and after the equation."""
    return [len(_cut(*side, how.context_words).split()) for side in ((question.before, True), (question.after, False))]


def _orders(question: Question, how: Answering) -> list[list[str]]:
    """The order of the record; with rotations also each that begins with another option."""
    order = list(question.options)
    turns = range(len(order) if how.rotations else 1)
    return [order[turn:] + order[:turn] for turn in turns]


def _lines(question: Question, order: Sequence[str]) -> str:
    return json_lines(
        {"letter": letter, "equation": question.options[name]["latex"]} for letter, name in zip(LETTERS, order)
    )


def _context(question: Question, words: int | None) -> dict[str, str]:
    sides = {"before": _cut(question.before, True, words), "after": _cut(question.after, False, words)}
    return {name: text or _NO_TEXT for name, text in sides.items()}


def _cut(text: str, is_before: bool, words: int | None) -> str:
    """The words of a side that are nearest to the equation."""
    found = list(_WORD.finditer(text))
    if words is None or len(found) <= words:
        return text
    if not words:
        return ""
    return text[found[-words].start() :] if is_before else text[: found[words - 1].end()]
