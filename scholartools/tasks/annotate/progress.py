"""Progress of raters, accuracy on controls, and agreement so far."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.errors import InputFault
from scholartools.metrics.agreement.coefficients import alpha
from scholartools.metrics.agreement.intervals import alpha_interval
from scholartools.metrics.statistics.reliability import wilson_interval
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.records import Record
from scholartools.tasks.annotate.batch import Batch
from scholartools.tasks.annotate.description import Text
from scholartools.tasks.annotate.disputes import compared, votes_of
from scholartools.tasks.annotate.ratings import COUNTED, hashable_rating, rating_rows

# Maximum plausible time per answer in seconds; longer ones include breaks.
_LONG = 30 * 60


def status_records(batch: Batch, answers: Sequence[Record]) -> Iterator[Record]:
    """Progress of each rater, then agreement by label, then the number of votes per item."""
    for rater in batch.raters:
        yield _rater_record(batch, rater, [one for one in answers if one["rater"] == rater])
    yield from _agreement(batch, answers)
    voted = {name: {one["rater"] for one in found} for name, found in votes_of(batch, answers).items()}
    awaited = {
        row.item.id
        for rater, rows in batch.rows.items()
        for row in rows
        if rater not in batch.dropped and rater not in voted[row.item.id]
    }
    votes = {name: len(raters) for name, raters in voted.items() if name not in batch.truth}
    awaited |= {one["item"] for one in answers if one["state"] == "partial" and one["rater"] not in batch.dropped}
    # items may have no votes if all their raters were dropped
    enough = sum(n > 0 for name, n in votes.items() if name not in awaited)
    entry: Record = {"stat": "items", "n": len(votes), "enough": enough}
    yield {**entry, "by_votes": {str(n): count for n, count in sorted(Counter(votes.values()).items())}}


def _rater_record(batch: Batch, rater: str, own: Sequence[Record]) -> Record:
    n = len(batch.rows[rater])
    states = {name: sum(one["state"] == name for one in own) for name in ("done", "skipped", "partial", "draft")}
    left = 0 if rater in batch.dropped else n - states["done"] - states["skipped"]
    times = [one["seconds"] for one in own if one["seconds"] is not None and one["state"] == "done"]
    seconds = statistics.median(times) if times else None
    right, known = _gold(batch, own)
    low, high = wilson_interval(right, known, 0.95) if known else (None, None)
    equal, repeated = _repeats(batch, own)
    return {
        "stat": "progress", "rater": rater, "n": n, **states, "left": left, "seconds": seconds,
        "n_long": sum(one > _LONG for one in times),
        "hours_left": None if seconds is None else round(left * seconds / 3600, 2),
        "gold": {"n": known, "right": right, "low": low, "high": high},
        "repeats": {"n": repeated, "same": equal}, "blind": not batch.is_shared, "signature": batch.about["signature"],
    }  # fmt: skip


def _gold(batch: Batch, own: Sequence[Record]) -> tuple[int, int]:
    """Number of correct answers of a rater on items with known answers, and number of such questions."""
    right = n = 0
    for record in own:
        truth = batch.truth.get(record["item"])
        if truth is None or record["control"] != "gold" or record["state"] not in COUNTED:
            continue
        for question in batch.questions:
            if isinstance(question, Text) or truth.get(question.name) is None:
                continue
            n += 1
            said = record["answers"][question.name]
            right += said is not None and compared(question, said) == compared(question, truth[question.name])
    return right, n


def _repeats(batch: Batch, own: Sequence[Record]) -> tuple[int, int]:
    """Number of questions that a rater answered consistently on repeats, and number of repeated questions."""
    first = {one["item"]: one for one in own if not one["copy"] and one["state"] in COUNTED}
    equal = n = 0
    for record in own:
        if not record["copy"] or record["state"] not in COUNTED or record["item"] not in first:
            continue
        for question in batch.questions:
            said = [one["answers"][question.name] for one in (first[record["item"]], record)]
            if isinstance(question, Text) or None in said:
                continue
            n += 1
            equal += compared(question, said[0]) == compared(question, said[1])
    return equal, n


def _agreement(batch: Batch, answers: Sequence[Record]) -> Iterator[Record]:
    """Krippendorff's alpha by label so far; passages are compared by st-agree spans instead.

    Answers with suggestions are a separate label, because suggestions inflate agreement.
    """
    rated: dict[tuple[str, bool], dict[str, list[Any]]] = {}
    levels: dict[str, str] = {}
    for row in rating_rows(batch, answers):
        levels[row["label"]] = row["level"]
        own = rated.setdefault((row["label"], "suggested" in row), {})
        own.setdefault(row["item"], []).append(hashable_rating(row["value"]))
    for (label, is_suggested), by_item in rated.items():
        if levels[label] == "spans":
            continue
        units = [by_item[item] for item in sorted(by_item)]
        paired = sum(sum(value is not None for value in unit) > 1 for unit in units)
        entry: Record = {"stat": "alpha", "label": label, "level": levels[label], "n_items": len(units)}
        entry |= {"suggested": True} if is_suggested else {}
        yield {**entry, "n_paired": paired, **_alpha_of(units, levels[label])}


def _alpha_of(units: Sequence[Sequence[Any]], level: str) -> Record:
    try:
        found = alpha(units, level)  # type: ignore[arg-type]
    except InputFault as fault:
        return {"value": None, "reason": fault.reason}
    if found.value is None:
        return {"value": None, "reason": found.reason}
    interval = alpha_interval(units, level, Resampling())  # type: ignore[arg-type]
    reason = {"reason": interval.reason} if interval.low is None else {}
    return {"value": found.value, "low": interval.low, "high": interval.high, **reason}


def status_table(found: Sequence[Record]) -> str:
    """Format the results of :func:`status_records` as a text table."""
    from tabulate import tabulate

    heads = [
        "rater",
        "items",
        "done",
        "skipped",
        "partial",
        "left",
        "median seconds",
        "hours left",
        "known answers right",
        "repeats the same",
    ]
    rows = []
    for one in (record for record in found if record["stat"] == "progress"):
        gold, repeats = one["gold"], one["repeats"]
        interval = f" [{gold['low']:.2f}, {gold['high']:.2f}]" if gold["n"] else ""
        known = f"{gold['right']} of {gold['n']}{interval}" if gold["n"] else "-"
        twice = f"{repeats['same']} of {repeats['n']}" if repeats["n"] else "-"
        times = ["-" if one[key] is None else f"{one[key]:g}" for key in ("seconds", "hours_left")]
        rows.append(
            [one["rater"], *(one[key] for key in ("n", "done", "skipped", "partial", "left")), *times, known, twice]
        )
    blocks = [tabulate(rows, heads, "simple", disable_numparse=True)]
    labels = [
        [
            one["label"] + (" (suggested)" if one.get("suggested") else ""),
            one["level"],
            one["n_paired"],
            "-" if one["value"] is None else f"{one['value']:.3f}",
            "-" if one.get("low") is None else f"[{one['low']:.3f}, {one['high']:.3f}]",
            one.get("reason", ""),
        ]
        for one in found
        if one["stat"] == "alpha"
    ]
    if labels:
        blocks.append(
            tabulate(
                labels,
                ["label", "level", "items with two or more", "alpha", "95% interval", "reason"],
                "simple",
                disable_numparse=True,
            )
        )
    blocks += [
        f"{one['enough']} of {one['n']} items have the answers of all their raters to all questions."
        for one in found
        if one["stat"] == "items"
    ]
    if any(one.get("blind") is False for one in found):
        blocks.append("Not blind: raters share a project, and see what others answer.")
    return "\n\n".join(blocks) + "\n"
