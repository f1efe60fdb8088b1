"""The questions of ``st-judge match``: two layouts, three differently worded prompts for each, and two orders.

In the layout ``pair`` a call asks about one truth and one item. In the layout ``row`` it asks which of several items
say what one truth says; the orders then are the truth before the items in their order, and behind them in reverse.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple, TypeVar, get_args

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
LAYOUTS: tuple[str, ...] = get_args(Layout)

Block = TypeVar("Block")


class Same(Closed):
    """A reply about one truth and one item."""

    match: bool


class Chosen(Closed):
    """A reply about one truth and several items: the numbers of those that say the same."""

    matches: list[WholeNumber]


class Row(NamedTuple):
    """A truth of a record, and the items of a system that it is to be compared with."""

    system: str
    truth: Item
    items: Sequence[Item]


class Question(NamedTuple):
    """One call: whether items, in the order they are shown, say what a truth says."""

    row: Row
    shown: Sequence[Item]
    prompt: Prompt
    order: Order
    sample: int

    def vote(self, match: bool | None) -> Record:
        """An answer about one item as the record has it."""
        sampled = {"sample": self.sample} if self.sample else {}
        return {"prompt": self.prompt.name, "order": self.order, **sampled, "match": match}

    def put_in_order(self, truth: Block, shown: Block) -> tuple[Block, Block]:
        """What comes first in the prompt, and what second."""
        return (truth, shown) if self.order == "reference-first" else (shown, truth)


def questions(row: Row, layout: Layout, samples: int) -> Iterator[Question]:
    """All questions about a row: none where it has no items."""
    asking = _ASKING[layout]
    for group, prompt, order, sample in product(asking.groups(row.items), asking.prompts, ORDERS, range(samples)):
        yield Question(row, group if order == "reference-first" else group[::-1], prompt, order, sample)


def prompts(layout: Layout) -> tuple[Prompt, ...]:
    """The prompts of a layout."""
    return _ASKING[layout].prompts


async def answer(engine: Engine, question: Question, layout: Layout) -> Answer[list[bool]]:
    """For each item that is shown whether it says what the truth says.

    Raises:
        ScholartoolsError: no usable reply.
        UsageFault: a prompt of the user's own lacks something.
        ModelFault: the run must end.
    """
    asking = _ASKING[layout]

    def verify(reply: Any) -> list[bool]:
        return asking.verify(reply, len(question.shown))

    return await ask(engine, question.prompt, asking.inputs(question), verify, sample=question.sample)


class _Asking(NamedTuple):
    """What makes a layout: what one call is about, what is shown, and what a reply says of each item."""

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
    """One item a line, as a JSON string without line breaks of any kind: no text can pass for another item."""
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
