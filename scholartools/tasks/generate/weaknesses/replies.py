"""Parse and validate replies on the weaknesses of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scholartools.llm.answers import PartlyUsable
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import Closed, Items, ReplyFault
from scholartools.records import Record
from scholartools.tasks.generate.replies import check_items, plain_text

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Weakness


class _Item(Closed):
    text: str


class Weaknesses(Closed):
    """The weaknesses of a piece."""

    weaknesses: Items[_Item]


class _MergedItem(_Item):
    drafts: list[int]


class Merged(Closed):
    """One list of several, each item with the drafts it is made of."""

    weaknesses: Items[_MergedItem]


class Repeats(Closed):
    """Groups of items that say the same."""

    groups: list[list[int]]


DRAFT: Prompt[Weaknesses] = Prompt("generate-weaknesses", Weaknesses)
REFLECT: Prompt[Weaknesses] = Prompt("generate-weaknesses-reflect", Weaknesses)
MERGE: Prompt[Merged] = Prompt("generate-weaknesses-merge", Merged)
REPEATS: Prompt[Repeats] = Prompt("generate-weaknesses-repeats", Repeats)


def read_weaknesses(reply: Weaknesses) -> list[Record]:
    """Items of a list, including repetitions, which ITF-IDF penalises; items without text have a ``reason``.

    Raises:
        PartlyUsable: some items are unusable.
        ReplyFault: all are.
    """
    return check_items([{"text": item.text.strip()} for item in reply.weaknesses], lambda _: None, keep_repeats=True)


def read_merged(reply: Merged, n_drafts: int) -> list[Record]:
    """Items of a merged list, each with the numbers of its ``drafts``.

    Raises:
        PartlyUsable: some items are unusable, or refer to an unknown draft.
        ReplyFault: all do.
    """
    items: list[Record] = [
        {"text": item.text.strip(), "drafts": list(dict.fromkeys(item.drafts))} for item in reply.weaknesses
    ]

    def fault(item: Record) -> str | None:
        if not item["drafts"]:
            return "names no draft that it is made of"
        unknown = [number for number in item["drafts"] if not 1 <= number <= n_drafts]
        return f"names draft {unknown[0]}, which there is not" if unknown else None

    return check_items(items, fault, keep_repeats=True)


def read_repeats(reply: Repeats, n_items: int) -> list[list[int]]:
    """Groups of two or more numbers of equivalent items, sorted.

    Raises:
        PartlyUsable: some groups have a number that is unknown or in several groups; their items are kept.
        ReplyFault: all groups do.
    """
    groups = [sorted(set(group)) for group in reply.groups]
    counts = Counter(number for group in groups for number in group)
    usable, lacks = [], []
    for group in groups:
        unknown = [number for number in group if not 1 <= number <= n_items]
        twice = [number for number in group if counts[number] > 1]
        if unknown or twice:
            lacks.append(f"there is no item {unknown[0]}" if unknown else f"item {twice[0]} is in two groups")
        elif len(group) > 1:
            usable.append(group)
    if lacks and len(lacks) == len(groups):
        raise ReplyFault(lacks[0])
    if lacks:
        raise PartlyUsable(usable, lacks)
    return usable


def drop_repeats(items: Sequence[Record], groups: Sequence[Sequence[int]]) -> list[Record]:
    """Keep the first item of each group unchanged, with the numbers of the group as its ``drafts``."""
    members: dict[int, Any] = {group[0]: list(group) for group in groups}
    dropped = {number for group in groups for number in group[1:]}
    return [
        {**item, "drafts": members.get(number, [number])}
        for number, item in enumerate(items, 1)
        if number not in dropped
    ]


def count_repeats(items: Sequence[Weakness]) -> int:
    """Number of items that repeat an earlier one of the list verbatim."""
    return len(items) - len({plain_text(item["text"]) for item in items})
