"""Prompts of ``st-judge match``: two layouts, three paraphrases for each, and two orders.

In the layout ``pair`` a call is about one truth and one item. In the layout ``row`` it asks which of several items
match a truth; the orders are the truth before the items, and the truth after the items in reverse.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple, TypeVar

from scholartools.llm.answers import Answer
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import Closed, ReplyFault
from scholartools.llm.task import ask
from scholartools.records import Record
from scholartools.tasks.judge.entries import WholeNumber
from scholartools.tasks.judge.matching.votes import ORDERS, Order
from scholartools.tasks.shared.items import Item

Layout = Literal["pair", "row"]

Block = TypeVar("Block")


class Same(Closed):
    """A reply about one truth and one item."""

    match: bool


class Chosen(Closed):
    """A reply about one truth and several items: the numbers of those that say the same."""

    matches: list[WholeNumber]


class Row(NamedTuple):
    """A truth, and the items of a system to compare with it."""

    system: str
    truth: Item
    items: Sequence[Item]


class Question(NamedTuple):
    """A call: whether the displayed items match a truth."""

    row: Row
    shown: Sequence[Item]
    prompt: Prompt
    order: Order
    sample: int

    def vote(self, match: bool | None) -> Record:
        """A vote on one item as stored in the record."""
        sampled = {"sample": self.sample} if self.sample else {}
        return {"prompt": self.prompt.name, "order": self.order, **sampled, "match": match}

    def put_in_order(self, truth: Block, shown: Block) -> tuple[Block, Block]:
        """The first and second block of the prompt."""
        return (truth, shown) if self.order == "reference-first" else (shown, truth)


def questions(row: Row, layout: Layout, samples: int) -> Iterator[Question]:
    """All calls on a row; none if it has no items."""
    asking = _ASKING[layout]
    for group, prompt, order, sample in product(asking.groups(row.items), asking.prompts, ORDERS, range(samples)):
        yield Question(row, group if order == "reference-first" else group[::-1], prompt, order, sample)


def prompts(layout: Layout) -> tuple[Prompt, ...]:
    """The prompts of a layout."""
    return _ASKING[layout].prompts


async def answer(engine: Engine, question: Question, layout: Layout) -> Answer[list[bool]]:
    """For each displayed item, whether it matches the truth.

    Raises:
        ScholartoolsError: no usable reply.
        UsageFault: a custom prompt is incomplete.
        ModelFault: the run must end.
    """
    asking = _ASKING[layout]

    def verify(reply: Any) -> list[bool]:
        return asking.verify(reply, len(question.shown))

    return await ask(engine, question.prompt, asking.inputs(question), verify, sample=question.sample)


class _Asking(NamedTuple):
    """Definition of a layout: grouping of items, inputs of the prompt, and parsing of replies."""

    prompts: tuple[Prompt, ...]
    groups: Callable[[Sequence[Item]], list[Sequence[Item]]]
    inputs: Callable[[Question], dict[str, str]]
    verify: Callable[[Any, int], list[bool]]


def _each_item(items: Sequence[Item]) -> list[Sequence[Item]]:
    return [[item] for item in items]


def _whole_list(items: Sequence[Item]) -> list[Sequence[Item]]:
    return [items] if items else []


def _two_texts(question: Question) -> dict[str, str]:
    first, second = question.put_in_order(question.row.truth.text, question.shown[0].text)
    return {"first": first, "second": second}


def _text_and_list(question: Question) -> dict[str, str]:
    truth, items = ("Statement", question.row.truth.text), ("List", _number_lines(question.shown))
    (first_name, first), (second_name, second) = question.put_in_order(truth, items)
    return {"first_name": first_name, "first": first, "second_name": second_name, "second": second}


def _number_lines(items: Sequence[Item]) -> str:
    """Number the items, one per line, as JSON strings without line breaks, so that no text can imitate another item."""
    texts = [json.dumps(" ".join(item.text.split()), ensure_ascii=False) for item in items]
    return "\n".join(f"{number}: {text}" for number, text in enumerate(texts, 1))


def _read_same(reply: Same, _: int) -> list[bool]:
    return [reply.match]


def _matches_by_item(reply: Chosen, n_items: int) -> list[bool]:
    if unknown := [number for number in reply.matches if not 1 <= number <= n_items]:
        raise ReplyFault(f"there is no number {unknown[0]}: the list has 1 to {n_items}")
    return [number in reply.matches for number in range(1, n_items + 1)]


_ASKING: dict[Layout, _Asking] = {
    "pair": _Asking(tuple(Prompt(f"judge-match-{n}", Same) for n in (1, 2, 3)), _each_item, _two_texts, _read_same),
    "row": _Asking(
        tuple(Prompt(f"judge-match-row-{n}", Chosen) for n in (1, 2, 3)), _whole_list, _text_and_list, _matches_by_item
    ),
}
