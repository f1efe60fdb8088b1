"""Prompts and replies: yes or no for one option, or the letter of one of several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import Closed, ReplyFault
from scholartools.tasks.judge.equation.inputs import BINARY, CHOICE, LETTERS, Shown


class Verdict(Closed):
    """Whether the option that is shown is right."""

    correct: bool


class Selection(Closed):
    """The letter of the option that is right."""

    answer: str


class _Way(NamedTuple):
    """A prompt and its reply parser, which returns a yes or no, or the id of the chosen option."""

    prompt: Prompt
    read: Callable[[Any, Shown], bool | str]


def _read_verdict(reply: Verdict, _: Shown) -> bool:
    return reply.correct


def _read_selection(reply: Selection, shown: Shown) -> str:
    """Id of the option with the letter in a reply.

    Raises:
        ReplyFault: there is no such option.
    """
    letter = reply.answer.strip().upper()
    letters = LETTERS[: len(shown.names)]
    if len(letter) != 1 or letter not in letters:
        raise ReplyFault(f'"answer" is one letter of {", ".join(letters)}, not "{reply.answer}"')
    return shown.names[letters.index(letter)]


PROMPTS: dict[str, _Way] = {
    BINARY: _Way(Prompt("judge-equation-binary", Verdict), _read_verdict),
    CHOICE: _Way(Prompt("judge-equation-choice", Selection), _read_selection),
}
