"""Mean and spread of metrics over several runs of one system (CLAIMCHECK, C.1).

Runs are never pooled: the mean of three F1 values differs from the F1 of the pooled runs.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import UsageFault
from scholartools.paths import Name
from scholartools.records import Record
from scholartools.signature import fingerprint, signature
from scholartools.tasks.score.metric import COMMAND
from scholartools.tasks.summarize import corpus_level
from scholartools.tasks.summarize.groups import Group, Key, find_uneven, part_of

if TYPE_CHECKING:
    from scholartools.records import Entry


def parse_runs(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Parse groups of runs: "s0,s42,s2025".

    Raises:
        UsageFault: there are fewer than two names, or one is empty or duplicate.
    """
    groups = [tuple(text.split(",")) for text in texts]
    for group in groups:
        if len(group) < 2 or not all(group) or len(set(group)) < len(group):
            reason = f'name two or more different systems, separated by commas, not "{",".join(group)}"'
            raise UsageFault(reason, parameter="runs")
    return groups


def over_runs(
    results: Sequence[Record], groups: Mapping[Key, Group], runs: Sequence[tuple[str, ...]]
) -> Iterator[Record]:
    """Mean, SD, minimum and maximum over runs, by metric, part of the input and group of runs.

    The value of a run is its mean over records, or under ``corpus`` its corpus-level value; SD is the sample SD (n -
    1). A value that is null in a run is null, with the reason. ``identical`` lists runs with identical scores, whose
    spread of 0 is uninformative. A metric that a run lacks, or that runs have for different records, is null with a
    ``reason``, because the spread would include that of records. A value that only some runs have for a record is kept,
    with the numbers of records of each run (``n_each``) and of all (``n_common``).

    Args:
        results: summaries of all systems.
        groups: groups behind the summaries.
        runs: systems that are runs of one system.

    Raises:
        UsageFault: a run has no scores, or no metric has a spread, because the records differ.
    """
    summaries = [entry for entry in results if "system" in entry]
    parts: dict[tuple[str, Name | None], dict[str, Record]] = {}
    for entry in summaries:
        parts.setdefault((entry["metric"], part_of(entry)), {})[entry["system"]] = entry
    known = {entry["system"] for entry in summaries}
    for names in runs:
        if unknown := [name for name in names if name not in known]:
            others = ", ".join(sorted(known)) or "none"
            unscored = f'no system "{unknown[0]}" has scores (systems with scores: {others})'
            raise UsageFault(unscored, parameter="runs")
        uneven = find_uneven({key: set(group.places) for key, group in groups.items() if key.system in names})
        made = []
        for place, systems in parts.items():
            if any(name in systems for name in names):
                reason = _why_no_spread(place[0], names, systems, uneven.get(place))
                entry = _run_record(names, [systems[name] for name in names if name in systems], reason)
                if reason is None:
                    _add_uneven(entry, [groups[Key(place[0], place[1], name)] for name in names])
                made.append(entry)
        if all("reason" in entry for entry in made):
            raise UsageFault(made[0]["reason"], parameter="runs")
        yield from made


def _why_no_spread(metric: str, names: Sequence[str], systems: Mapping[str, Record], uneven: str | None) -> str | None:
    """Why a metric has no mean and spread over runs; None if it has."""
    if missing := [name for name in names if name not in systems]:
        return f'"{missing[0]}" has no scores of {metric}'
    if uneven:
        told = f"{metric} of the runs is of different records ({uneven})"
        return f"{told}: make up what is missing, or leave these records out"
    return None


def _run_record(group: Sequence[str], entries: Sequence[Record], reason: str | None) -> Record:
    """Spread of a metric over runs, or the reason why it is null."""
    first = entries[0]
    values = [{name: value["mean"] for name, value in entry["values"].items()} for entry in entries]
    whole = [{name: value["value"] for name, value in entry.get("corpus", {}).items()} for entry in entries]
    identical = [] if reason else _find_identical(group, entries)
    parameters = {"runs": first["metric"], "systems": list(group)}
    parameters |= {
        "input": fingerprint([one["signature"] for one in entries]),
        **({"reason": reason} if reason else {}),
    }
    return {
        "metric": first["metric"],
        "runs": list(group),
        **({"by": first["by"]} if "by" in first else {}),
        "n": len(group),
        **({"reason": reason} if reason else {}),
        **({"identical": identical} if identical else {}),
        "values": _spread_records(values, reason),
        **({"corpus": _spread_records(whole, reason)} if any(whole) else {}),
        "signature": signature(COMMAND, parameters),
    }


def _add_uneven(entry: Entry, groups: Sequence[Group]) -> None:
    """Add to values with different records the numbers of records of each run and of all."""
    found = [(value, [group.places_of(name) for group in groups]) for name, value in entry["values"].items()]
    for name, value in entry.get("corpus", {}).items():
        found.append((value, [corpus_level.places_of(entry["metric"], group, name) for group in groups]))
    for value, places in found:
        common = set.intersection(*places)
        if any(one != common for one in places):
            value |= {"n_each": [len(one) for one in places], "n_common": len(common)}


def uneven_values(entry: Record) -> dict[str, Record]:
    """Values of runs whose means are over different records."""
    corpus = {f"corpus.{name}": value for name, value in entry.get("corpus", {}).items()}
    found = {**entry["values"], **corpus}
    return {name: value for name, value in found.items() if "n_each" in value and value["mean"] is not None}


def value_notes(entry: Record, values: Mapping[str, Record]) -> list[str]:
    """Notes on null values of runs and on values with different records, each with the names of its values."""
    notes: dict[str, list[str]] = {}
    for name, value in values.items():
        for note in value_note(entry, value):
            notes.setdefault(note, []).append(name)
    return [f"{', '.join(names)}: {note}" for note, names in notes.items()]


def value_note(entry: Record, value: Record) -> list[str]:
    """Note on a value of runs that is null or over different records."""
    if "reason" in value:
        return [value["reason"]]
    return [f"runs of different records ({_counts_of(entry, value)})"] if "n_each" in value else []


def _counts_of(entry: Record, value: Record) -> str:
    runs = (f"{run} has {count}" for run, count in zip(entry["runs"], value["n_each"], strict=True))
    return f"{', '.join(runs)}, all have {value['n_common']}"


def _find_identical(group: Sequence[str], entries: Sequence[Record]) -> list[list[str]]:
    """Groups of runs with the same signature, which excludes the system name: their inputs and scores are identical."""
    alike: dict[str, list[str]] = {}
    for name, entry in zip(group, entries, strict=True):
        alike.setdefault(entry["signature"], []).append(name)
    return [names for names in alike.values() if len(names) > 1]


def _spread_records(rows: Sequence[Mapping[str, float | None]], reason: str | None) -> dict[str, Record]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _spread_record([row.get(name) for row in rows], reason) for name in names}


def _spread_record(numbers: Sequence[float | None], reason: str | None) -> Record:
    known = [number for number in numbers if number is not None]
    if reason or len(known) < len(numbers):
        empty: dict[str, Any] = dict.fromkeys(("mean", "sd", "min", "max"))
        why = reason or f"null in {len(numbers) - len(known)} of {len(numbers)} runs"
        return {**empty, "n": len(known), "reason": why}
    return {
        "mean": statistics.fmean(known),
        "sd": statistics.stdev(known),
        "min": min(known),
        "max": max(known),
        "n": len(known),
    }
