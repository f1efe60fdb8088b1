"""Many records' scores in one record per metric and system: n, mean, interval, and what was undefined and why."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scholartools.metrics import resampling
from scholartools.records import Record, read
from scholartools.signature import signature


@dataclass
class _Column:
    """The values of one name, and the reasons of those that are null."""

    known: list[float] = field(default_factory=list)
    nulls: Counter[str] = field(default_factory=Counter)


@dataclass
class _Group:
    """What one system scored in one metric."""

    n: int = 0
    columns: dict[str, _Column] = field(default_factory=dict)
    marks: Any = field(default_factory=hashlib.sha256)


class Summary:
    """Takes scored records one by one; memory grows by a few numbers a record.

    Args:
        samples: bootstrap samples.
        confidence: of the interval, in 0..1.
        seed: of the bootstrap.
    """

    def __init__(self, *, samples: int, confidence: float, seed: int) -> None:
        self._options: dict[str, Any] = {"samples": samples, "confidence": confidence, "seed": seed}
        self._groups: dict[tuple[str, str], _Group] = {}

    def add(self, record: Record) -> None:
        """Take the ``scores`` of one record."""
        for entry in read(record, "scores") or ():
            group = self._groups.setdefault((entry["metric"], entry["system"]), _Group())
            group.n += 1
            group.marks.update(entry["signature"].encode() + b"\n")
            for name, value in entry["values"].items():
                column = group.columns.setdefault(name, _Column())
                if value is None:
                    column.nulls[entry["reasons"].get(name, "no reason given")] += 1
                else:
                    column.known.append(value)

    def records(self, failed: int) -> Iterator[Record]:
        """One record per metric and system, in the order they were first seen.

        ``failed`` is how many records of the input could not be scored and are in no number.
        """
        for (metric, system), group in self._groups.items():
            parameters = {"summary": metric, "input": group.marks.hexdigest()[:16], **self._options}
            yield {
                "metric": metric,
                "system": system,
                "n": group.n,
                "failed": failed,
                "values": {name: self._interval(column) for name, column in group.columns.items()},
                "signature": signature("st-score", parameters),
            }

    def _interval(self, column: _Column) -> Record:
        n = len(column.known)
        interval, reason = resampling.mean_interval(column.known, **self._options)
        low, high = interval or (None, None)
        mean = math.fsum(column.known) / n if n else None
        entry: Record = {"n": n, "mean": mean, "low": low, "high": high, "nulls": dict(column.nulls)}
        return entry if reason is None else {**entry, "reason": reason}


def table(summaries: list[Record]) -> str:
    """Summary records for people: one table per metric, a row per system and part, an interval in each cell."""
    from tabulate import tabulate

    blocks = []
    for metric in dict.fromkeys(entry["metric"] for entry in summaries):
        entries = [entry for entry in summaries if entry["metric"] == metric]
        measures = list(dict.fromkeys(_part(name)[1] for entry in entries for name in entry["values"]))
        rows = [row for entry in entries for row in _rows(entry, measures)]
        headers = [metric, "", "n", *measures]
        blocks.append(tabulate(rows, headers, "simple", disable_numparse=True, colalign=("left", "left", "right")))
        blocks.append("\n".join([*_notes(entries), *_shape_note(entries)]))
    return "\n\n".join(block for block in blocks if block) + "\n" if blocks else ""


def _rows(entry: Record, measures: list[str]) -> Iterator[list[str]]:
    values = {_part(name): value for name, value in entry["values"].items()}
    for part in dict.fromkeys(part for part, _ in values):
        cells = [_cell(values.get((part, measure)), entry["n"]) for measure in measures]
        yield [" ".join(entry["system"].split()), part, str(entry["n"]), *cells]


def _part(name: str) -> tuple[str, str]:
    """What a value is of, and what it measures: ``result.rouge1`` is of the result."""
    part, dot, measure = name.partition(".")
    return (part, measure) if dot else ("", name)


def _cell(value: Record | None, n: int) -> str:
    """A mean with its interval, and on how many it stands where those are fewer than the row's."""
    if value is None or value["mean"] is None:
        return "-"
    interval = "" if value["low"] is None else f" [{value['low']:.3f}, {value['high']:.3f}]"
    fewer = "" if value["n"] == n else f" n={value['n']}"
    return f"{value['mean']:.3f}{interval}{fewer}"


def _notes(entries: list[Record]) -> Iterator[str]:
    """Why cells are empty or stand on fewer records than n."""
    for entry in entries:
        seen = set()
        for name, value in entry["values"].items():
            part = _part(name)[0]
            for reason, count in value["nulls"].items():
                if (part, reason) not in seen:
                    seen.add((part, reason))
                    yield f"{entry['system']}, {part}: {count} of {entry['n']} undefined: {reason}"
    if failed := entries[0]["failed"]:
        yield f"records that failed and are in no number: {failed}"


def _shape_note(entries: list[Record]) -> Iterator[str]:
    if any(value["low"] is not None for entry in entries for value in entry["values"].values()):
        options = dict(pair.split("=", 1) for pair in entries[0]["signature"].split(" ")[2:])
        yield (
            f"mean [{float(options['confidence']):.0%} bootstrap interval, "
            f"{options['samples']} samples, seed {options['seed']}]"
        )
