"""Entries of ``judgements.equation``: an answer per option, or a choice per order, with missing ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.calls import UNUSABLE
from scholartools.records import Record
from scholartools.tasks.judge.equation.inputs import BINARY, Answering, Shown, shown_words
from scholartools.tasks.shared.questions import Question

# Kinds of faults of unreadable replies, which count as wrong answers, as published.
_UNREADABLE = frozenset(["reply", UNUSABLE])

Given = Answer[bool | str] | Missing


def make_entry(
    question: Question, how: Answering, system: str, by: str, asked: Sequence[Shown], answers: Sequence[Given]
) -> Record:
    """Build the entry of a system.

    Args:
        asked: the calls of one sample; ``answers`` has the result of each.
    """
    heading = {
        "system": system,
        "by": by,
        "format": how.format,
        "context_words": how.context_words,
        "words": shown_words(question, how),
        "texts": question.mark(),
    }
    if how.format == BINARY:
        given = {shown.names[0]: answer for shown, answer in zip(asked, answers)}
        return {**heading, "options": [_option(question, name, given[name]) for name in question.options]}
    orders = [_order(shown, answer) for shown, answer in zip(asked, answers)]
    choice = _most_chosen(orders)
    options = [
        {
            "id": name,
            "correct": one["correct"],
            "answer": None if choice["choice"] is None else name == choice["choice"],
        }
        for name, one in question.options.items()
    ]
    return {**heading, "options": options, **choice, "orders": orders}


def _option(question: Question, name: str, answer: Given) -> Record:
    given = {"id": name, "correct": question.options[name]["correct"], "answer": answer.value}
    return {**given, **_lack(answer)}


def _order(shown: Shown, answer: Given) -> Record:
    return {"order": list(shown.names), "choice": answer.value, **_lack(answer)}


def _lack(answer: Given) -> Record:
    """Reason of a missing answer, and whether the call failed, so that no reply can be counted as wrong."""
    if not isinstance(answer, Missing):
        return {}
    return {"reason": answer.reason, **({} if answer.kind in _UNREADABLE else {"failed": True})}


def _most_chosen(orders: Sequence[Record]) -> Record:
    """The option chosen in most orders; none in case of a tie, or if missing answers might change the result."""
    counts = Counter(one["choice"] for one in orders if one["choice"] is not None).most_common(2)
    lost = [one for one in orders if one["choice"] is None]
    most = counts[0][1] if counts else 0
    next_most = counts[1][1] if len(counts) > 1 else 0
    if most > next_most + len(lost):
        return {"choice": counts[0][0]}
    if not lost:
        return {"choice": None, "reason": "as many orders chose one option as another"}
    failed = {"failed": True} if any(one.get("failed") for one in lost) else {}
    reason = lost[0]["reason"] if len(orders) == 1 else f"{len(lost)} of {len(orders)} orders have no answer"
    return {"choice": None, "reason": reason, **failed}
