"""Options and inputs of questions on equations; the prompts reveal neither the answer nor how options were made."""

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

#: Letters of the options in a choice.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_WORD = re.compile(r"\S+")
_NO_TEXT = "(no text is shown)"


@dataclass(frozen=True)
class Answering:
    """Options of answering.

    Attributes:
        format: judge each option separately (``binary``), or choose one (``choice``).
        rotations: for a choice, whether to repeat it with all rotations of the options.
        context_words: maximum words of context on each side, None for all.
        system: name of the entry; by default the model and the non-default options.
    """

    format: Format = "binary"
    rotations: bool = False
    context_words: int | None = None
    system: str | None = None

    def name(self, model: str) -> str:
        """Name of the entry; without ``system``, runs with other options have different names."""
        words = self.context_words
        shown = [] if words is None else [f"{words} words" if words else "no context"]
        return self.system or " ".join([model, *([self.format] if self.format == CHOICE else []), *shown])

    def provenance_options(self) -> Record:
        """Options that affect the judgements, for provenance and signature."""
        return {"format": self.format, "rotations": self.rotations, "context_words": self.context_words}


class Shown(NamedTuple):
    """One call: ids of the displayed options, in order, and the inputs of the prompt."""

    names: tuple[str, ...]
    inputs: dict[str, str]


def shown_parts(question: Question, how: Answering) -> list[Shown]:
    """Contents of each call on a question, in order."""
    context = _context(question, how.context_words)
    if how.format == BINARY:
        return [Shown((name,), {**context, "equation": one["latex"]}) for name, one in question.options.items()]
    return [Shown(tuple(order), {**context, "options": _lines(question, order)}) for order in _orders(question, how)]


def shown_words(question: Question, how: Answering) -> list[int]:
    """Number of context words displayed before and after the equation."""
    return [len(_cut(*side, how.context_words).split()) for side in ((question.before, True), (question.after, False))]


def _orders(question: Question, how: Answering) -> list[list[str]]:
    """Orders of the options: that of the record; with rotations, all its rotations."""
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
    """The words of a side that are closest to the equation."""
    found = list(_WORD.finditer(text))
    if words is None or len(found) <= words:
        return text
    if not words:
        return ""
    return text[found[-words].start() :] if is_before else text[: found[words - 1].end()]
