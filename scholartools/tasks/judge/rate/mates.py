"""Whether batcheval scores of a text depend on the other texts of its batch, and on its place in the batch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault
from scholartools.metrics.statistics.resampling import Resampling, ratio_interval
from scholartools.parameters import parameter
from scholartools.records import Entry, Record, read
from scholartools.signature import fingerprint, library, signature
from scholartools.tasks.judge.entries import COMMAND

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_GROUP = ("method", "aspect", "by")


class _Placement(NamedTuple):
    """A score in one round, the slot, and the others of the batch, by name."""

    score: float
    slot: int
    mates: list[str]


class BatchScores:
    """Collects the rounds of all items, and reports how scores depend on the batch."""

    def __init__(self) -> None:
        self._placements: dict[tuple[str, ...], dict[str, list[_Placement]]] = {}

    def add(self, record: PaperRecord) -> None:
        """Take the entries of a record that have rounds.

        Raises:
            InputFault: it has none, or one whose rounds cannot be distinguished; nothing of the record is taken then.
        """
        rated = (read(record, "judgements") or {}).get("rate") or ()
        entries: list[Entry] = [entry for entry in rated if entry.get("batch")]
        if not entries:
            way = f"st-judge rate {parameter('method', 'batcheval')}"
            reason = f'no ratings in batches under "judgements.rate": run {way} first'
            raise InputFault(reason, kind="missing-key")
        for entry, placements in [(one, _placements_of(one["batch"])) for one in entries]:
            name = f"{record.get('id', '')}/{entry['system']}/{entry['item']}"
            items = self._placements.setdefault(tuple(entry[key] for key in _GROUP), {})
            if name in items:
                raise InputFault(f'"{name}" occurs twice: each record needs its own id', kind="duplicate")
            items[name] = placements

    def report(self, how: Resampling) -> Iterator[Record]:
        """A record for each method, aspect and judge; the order in which records came is nothing to it."""
        for key in sorted(self._placements):
            about = dict(zip(_GROUP, key, strict=True))
            items = dict(sorted(self._placements[key].items()))
            signed = {**about, "task": "mates", "input": fingerprint(items), **how.signed()}
            signed["library"] = [library(name) for name in how.libraries()]
            made = {**describe_batch_effects(items, how), "interval": {**how.entry(), "over": "text"}}
            yield {**about, **made, "signature": signature(COMMAND, signed)}


def _placements_of(batch: Record) -> list[_Placement]:
    rounds = [batch[key] for key in ("round_scores", "slots", "mates")]
    if len({len(one) for one in rounds}) > 1:
        reason = '"judgements.rate": "round_scores", "slots" and "mates" of a batch are of different numbers of rounds'
        raise InputFault(reason, kind="invalid-key")
    return [_Placement(*one) for one in zip(*rounds) if one[0] is not None]


def describe_batch_effects(items: dict[str, list[_Placement]], how: Resampling) -> Record:
    """How scores depend on the other texts of the batch (mates) and on the place in it, over items and rounds.

    ``slope``: of an item's score, less its own mean over rounds, on the mean of its mates' own means, less the mean of
    that over its rounds. An honest judge has about 0; one that adds its mates' mean about 1. ``slots``: the mean of a
    score less the item's own mean, by place in the batch. Intervals are over items.

    Args:
        items: by name "PAPER/SYSTEM/ITEM", each with the rounds in which it has a score.
        how: of the intervals.
    """
    rated = {name: placements for name, placements in items.items() if placements}
    means = {name: math.fsum(one.score for one in placements) / len(placements) for name, placements in rated.items()}
    sums = [_product_sums(placements, means[name], means) for name, placements in rated.items()]
    above, below = [one[0] for one in sums], [one[1] for one in sums]
    return {
        "n_items": len(means),
        "n_scores": sum(map(len, items.values())),
        "slope": _ratio(above, below, how, "no text was with other texts in another round"),
        "slots": [
            {"slot": slot, **_slot_deviation(items, means, slot, how)}
            for slot in sorted({placement.slot for placements in items.values() for placement in placements})
        ],
    }


def _product_sums(placements: Sequence[_Placement], own: float, means: dict[str, float]) -> tuple[float, float]:
    """Of one item the sums of the products and of the squares, both sides less their means."""
    around = []
    for placement in placements:
        others = [means[name] for name in placement.mates if name in means]
        if others:
            around.append((placement.score - own, math.fsum(others) / len(others)))
    if not around:
        return 0.0, 0.0
    middle = math.fsum(x for _, x in around) / len(around)
    return math.fsum(y * (x - middle) for y, x in around), math.fsum((x - middle) ** 2 for _, x in around)


def _slot_deviation(
    items: dict[str, list[_Placement]], means: dict[str, float], slot: int, how: Resampling
) -> dict[str, Any]:
    sums, counts = [], []
    for name, mean in means.items():
        here = [placement.score - mean for placement in items[name] if placement.slot == slot]
        sums.append(math.fsum(here))
        counts.append(float(len(here)))
    return {"n": int(sum(counts)), **_ratio(sums, counts, how, "no score")}


def _ratio(above: Sequence[float], below: Sequence[float], how: Resampling, reason: str) -> dict[str, Any]:
    """The ratio of two sums over items with its interval; null with a reason where it is not defined."""
    whole = math.fsum(below)
    if whole <= 1e-12:
        return {"value": None, "low": None, "high": None, "reason": reason}
    found = ratio_interval(above, below, how)
    made = {"value": math.fsum(above) / whole, "low": found.low, "high": found.high}
    return {**made, **({"reason": found.reason} if found.reason else {})}
