"""Render compared texts side by side: differing words, verdict, and votes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.records import Record
from scholartools.tasks.shared.items import Item, unordered_mark
from scholartools.tasks.tabulate import both_sides
from scholartools.tasks.views.describing import Links, Node, facts

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord, Specificity

# Maximum number of non-matching pairs shown; lists of n and m items have n times m pairs.
_MOST_UNMATCHED = 200
_EXPERIMENTS = ("experiments", "generated.experiments")


class Side(NamedTuple):
    """One text of a pair.

    Attributes:
        words: pieces of the text, each with whether it differs from the other side; None: the text is missing.
    """

    name: str
    words: list[tuple[str, bool]] | None


class Pair(NamedTuple):
    """Two texts, or one without a counterpart.

    Attributes:
        tone: "yes", "no" or "open", for styling.
    """

    verdict: str
    tone: str
    left: Side | None
    right: Side | None
    facts: list[tuple[str, Node]]


class Comparison(NamedTuple):
    """The judgements of one judge on one system.

    Attributes:
        heading: the judged question.
        sides: headings of the two columns.
        left_out: number of non-matching pairs not shown.
    """

    heading: str
    system: str
    sides: tuple[str, str]
    facts: list[tuple[str, Node]]
    pairs: list[Pair]
    left_out: int = 0

    @property
    def apart(self) -> list[Pair]:
        """The pairs with a negative verdict."""
        return [pair for pair in self.pairs if pair.tone == "no"]


def comparisons(record: Record, judgements: Record, links: Links) -> Iterator[Comparison]:
    """All comparisons in a record, by task."""
    for entry in judgements.get("match") or ():
        yield _matches(record, entry, links)
    for entry in judgements.get("entail") or ():
        yield _entailed(record, entry, links)
    for entry in judgements.get("same_issue") or ():
        yield _same_issue(record, entry, links)
    for entry in judgements.get("specificity") or ():
        yield _specificity(record, entry, links)


def differing_words(left: str, right: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Pieces of both texts, each with whether it differs, by word alignment."""
    from rapidfuzz.distance import LCSseq

    cut = [re.findall(r"^\s+|\S+\s*", text) or [text] for text in (left, right)]
    keys = [[word.strip().casefold() for word in words] for words in cut]
    made: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([], [])
    for step in LCSseq.opcodes(*keys):
        places = ((step.src_start, step.src_end), (step.dest_start, step.dest_end))
        for side, words, (start, end) in zip(made, cut, places, strict=True):
            if start < end:
                side.append(("".join(words[start:end]), step.tag != "equal"))
    return made


def _pair(names: tuple[str, str], texts: Sequence[str | None], verdict: str, tone: str, more: list[Any]) -> Pair:
    left, right = texts
    if left is None or right is None:
        cut = [None if text is None else [(text, False)] for text in texts]
    else:
        cut = list(differing_words(left, right))
    return Pair(verdict, tone, Side(names[0], cut[0]), Side(names[1], cut[1]), more)


def _single(item: Item, verdict: str, side: int) -> Pair:
    """An item without a counterpart, of the reference (side 0) or the system (side 1)."""
    shown = Side(item.id or "", [(item.text, False)])
    return Pair(verdict, "open", shown if side == 0 else None, shown if side == 1 else None, [])


def _matches(record: Record, entry: Record, links: Links) -> Comparison:
    sides, tell = both_sides.items_of(record, entry), both_sides.texts_of(record, entry)
    pairs: dict[Any, list[Pair]] = {True: [], None: [], False: []}
    matched: tuple[set[str], set[str]] = (set(), set())
    left_out = 0
    for pair in entry["pairs"]:
        if pair["match"]:
            matched[0].add(pair["reference"])
            matched[1].add(pair["candidate"])
        if not pair["match"] and len(pairs[pair["match"]]) >= _MOST_UNMATCHED:
            left_out += 1
            continue
        verdict, tone = {True: ("match", "yes"), False: ("no match", "no"), None: ("undecided", "open")}[pair["match"]]
        more = facts(pair, links, ("reference", "candidate", "match"))
        pairs[pair["match"]].append(_pair((pair["reference"], pair["candidate"]), tell(pair), verdict, tone, more))
    singles = [
        _single(item, ("missed: no item matches it", "matches nothing in the reference")[side], side)
        for side, items in enumerate(sides or ())
        for item in items
        if item.id not in matched[side]
    ]
    shown = [*pairs[True], *pairs[None], *singles, *pairs[False]]
    return Comparison(
        "Do they say the same?", entry["system"], ("reference", "system"), _about(entry, links), shown, left_out
    )


def _entailed(record: Record, entry: Record, links: Links) -> Comparison:
    """Items of both lists, with whether the other list covers them."""
    sides = both_sides.items_of(record, entry, _EXPERIMENTS, unordered_mark)
    found = [{item.id: item.text for item in side} for side in sides] if sides else [{}, {}]
    pairs = []
    for side, key in enumerate(("references", "candidates")):
        for judged in entry[key]:
            verdict, tone = {True: ("covered", "yes"), False: ("not covered", "no"), None: ("undecided", "open")}[
                judged["entailed"]
            ]
            text = found[side].get(judged.get("id"))
            shown = Side(judged.get("id") or "", None if text is None else [(text, False)])
            more = facts(judged, links, ("id", "entailed"))
            left, right = (shown, None) if side == 0 else (None, shown)
            pairs.append(Pair(verdict, tone, left, right, more))
    heading = "Does each item follow from the other list?"
    return Comparison(heading, entry["system"], ("reference", "system"), _about(entry, links), pairs)


def _same_issue(record: PaperRecord, entry: Specificity, links: Links) -> Comparison:
    texts = {item["id"]: item["text"] for item in record.get("verifications") or ()}
    tones = {"same": "yes", "similar": "yes", "different": "no"}
    return _of_known(
        "Do reviewer and model find the same fault?", entry, links, ("reviewer", "model"),
        lambda pair: (pair["reviewer"], pair["model"]),
        lambda pair: (texts.get(pair["reviewer"]), texts.get(pair["model"])),
        "verdict", tones,
    )  # fmt: skip


def _specificity(record: PaperRecord, entry: Specificity, links: Links) -> Comparison:
    texts: dict[str, tuple[str | None, str | None]] = {}
    for item in record.get("weaknesses") or ():
        edited = [one["text"] for one in item.get("edited") or () if one["system"] == entry["system"]]
        texts[item["id"]] = (item["text"], edited[0] if edited else None)
    return _of_known(
        "Which version is more specific?", entry, links, ("original", "revised"),
        lambda pair: (pair["weakness"], pair["weakness"]), lambda pair: texts.get(pair["weakness"], (None, None)),
        "winner", {"revised": "yes", "original": "no"},
    )  # fmt: skip


def _of_known(
    heading: str, entry: Specificity, links: Links, sides: tuple[str, str], names: Callable[[Record], tuple[str, str]],
    texts: Callable[[Record], tuple[str | None, str | None]], key: str, tones: dict[str, str],
) -> Comparison:  # fmt: skip
    """Pairs of an entry with a verdict in words, followed by its controls."""
    pairs = []
    for pair in (*entry["pairs"], *(entry.get("controls") or ())):
        verdict = pair[key] or "undecided"
        told = f"{verdict} (control: {pair['expected']})" if "expected" in pair else verdict
        shown = (None, None) if "expected" in pair else texts(pair)
        more = facts(pair, links, (key, "expected", "weakness"))
        pairs.append(_pair(names(pair), shown, told, tones.get(verdict, "open"), more))
    return Comparison(heading, entry["system"], sides, _about(entry, links), pairs)


def _about(entry: Entry, links: Links) -> list[tuple[str, Node]]:
    return facts(entry, links, ("system", "pairs", "controls", "texts", "candidates", "references"))
