"""Measure whether batcheval scores depend on the other texts of a batch and on the slot."""

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
    """A score in one round, its slot, and the names of the other texts of the batch."""

    score: float
    slot: int
    mates: list[str]


class BatchScores:
    """Collects the rounds of all items, and reports batch effects."""

    def __init__(self) -> None:
        self._placements: dict[tuple[str, ...], dict[str, list[_Placement]]] = {}

    def add(self, record: PaperRecord) -> None:
        """Add the batched ratings of a record.

        Raises:
            InputFault: there are none, or their rounds are ambiguous; then nothing of the record is added.
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
        """Yield a record per method, aspect and judge, independent of the order of the input."""
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
    """Effects of the other texts of a batch (mates) and of the slot on scores, over items and rounds.

    ``slope``: regression of the deviation of a score from the item's mean on the mean of the mates' means, centred per
        item. About 0 for an unbiased judge, and about 1 for one that adds the mates' mean. ``slots``: mean deviation by
        slot.
    Confidence intervals are over items.

    Args:
        items: by name "PAPER/SYSTEM/ITEM", the rounds with a score.
        how: options of the intervals.
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
    """Centred sums of products and squares for one item."""
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
    """Ratio of two sums over items with confidence interval; null with a reason if undefined."""
    whole = math.fsum(below)
    if whole <= 1e-12:
        return {"value": None, "low": None, "high": None, "reason": reason}
    found = ratio_interval(above, below, how)
    made = {"value": math.fsum(above) / whole, "low": found.low, "high": found.high}
    return {**made, **({"reason": found.reason} if found.reason else {})}
