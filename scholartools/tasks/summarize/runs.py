"""Several runs of one system: each metric of each run, then mean and spread over the runs (CLAIMCHECK, C.1).

Never the metric of all runs pooled: the mean of three F1 is not the F1 of three runs together.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.signature import fingerprint, signature
from scholartools.tasks.score.metric import COMMAND
from scholartools.tasks.summarize.groups import Group, Key, find_uneven


def parse_runs(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """The names of each group of runs: "s0,s42,s2025".

    Raises:
        UsageFault: fewer than two, an empty name, or one twice.
    """
    groups = [tuple(text.split(",")) for text in texts]
    for group in groups:
        if len(group) < 2 or not all(group) or len(set(group)) < len(group):
            reason = f'expected two systems or more, each once, with commas between; not "{",".join(group)}"'
            raise UsageFault(reason, parameter="runs")
    return groups


def check_records(groups: Mapping[Key, Group], runs: Sequence[tuple[str, ...]]) -> None:
    """Refuse runs that have entries of different records: their spread would be that of records, not of runs.

    Raises:
        UsageFault: there are some.
    """
    for names in runs:
        if uneven := find_uneven({key: set(group.places) for key, group in groups.items() if key.system in names}):
            metric, told = uneven
            reason = f"{metric} of the runs is of different records ({told}): make up what is missing"
            raise UsageFault(f"{reason}, or leave these records out", parameter="runs")


def over_runs(results: Sequence[Record], groups: Sequence[tuple[str, ...]]) -> Iterator[Record]:
    """For each metric, part of the input and group of runs a record of mean, SD, lowest and highest value.

    A value of a run is its mean over records, and its value over the whole input under ``corpus``; SD is that of a
    sample (n - 1). A value that is null in one run is null, with the reason. ``identical`` lists the runs of which all
    that is scored is the same: one run under several names has a spread of 0 that says nothing of the model.

    Args:
        results: the summaries of all systems.
        groups: systems that are runs of one.

    Raises:
        UsageFault: a run has no scores at all, or none of a metric that another one has.
    """
    summaries = [entry for entry in results if "compare" not in entry]
    parts: dict[tuple[str, str], dict[str, Record]] = {}
    for entry in summaries:
        parts.setdefault((entry["metric"], fingerprint(entry.get("by"))), {})[entry["system"]] = entry
    known = {entry["system"] for entry in summaries}
    for group in groups:
        if unknown := [name for name in group if name not in known]:
            raise UsageFault(f'no system "{unknown[0]}" has scores', parameter="runs")
        for (metric, _), systems in parts.items():
            found = [systems.get(name) for name in group]
            if not any(found):
                continue
            if missing := [name for name, entry in zip(group, found) if entry is None]:
                raise UsageFault(f'{parameter("runs")}: "{missing[0]}" has no scores of {metric}')
            yield _run_record(metric, group, [entry for entry in found if entry is not None])


def _run_record(metric: str, group: Sequence[str], entries: Sequence[Record]) -> Record:
    values = _spread_records([{name: value["mean"] for name, value in entry["values"].items()} for entry in entries])
    whole = [{name: value["value"] for name, value in entry.get("corpus", {}).items()} for entry in entries]
    first = entries[0]
    parameters = {"runs": metric, "systems": list(group), "input": fingerprint([one["signature"] for one in entries])}
    return {
        "metric": metric,
        "runs": list(group),
        **({"by": first["by"]} if "by" in first else {}),
        "n": len(group),
        **({"identical": identical} if (identical := _find_identical(group, entries)) else {}),
        "values": values,
        **({"corpus": _spread_records(whole)} if any(whole) else {}),
        "signature": signature(COMMAND, parameters),
    }


def _find_identical(group: Sequence[str], entries: Sequence[Record]) -> list[list[str]]:
    """The runs that have one signature, which names no system: what is scored and its numbers are the same."""
    alike: dict[str, list[str]] = {}
    for name, entry in zip(group, entries, strict=True):
        alike.setdefault(entry["signature"], []).append(name)
    return [names for names in alike.values() if len(names) > 1]


def _spread_records(rows: Sequence[Mapping[str, float | None]]) -> dict[str, Record]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _spread_record([row.get(name) for row in rows]) for name in names}


def _spread_record(numbers: Sequence[float | None]) -> Record:
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        empty: dict[str, Any] = dict.fromkeys(("mean", "sd", "min", "max"))
        return {**empty, "n": len(known), "reason": f"null in {len(numbers) - len(known)} of {len(numbers)} runs"}
    return {
        "mean": statistics.fmean(known),
        "sd": statistics.stdev(known),
        "min": min(known),
        "max": max(known),
        "n": len(known),
    }
