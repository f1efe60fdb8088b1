"""The median of several runs as one whole run (AAAR-1.0, appendix B.2).

A median of each column by itself would mix runs: its F1 is then no longer that of its precision and recall.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import UsageFault
from scholartools.paths import Name
from scholartools.records import Record
from scholartools.signature import fingerprint, signature
from scholartools.tasks.score.metric import COMMAND
from scholartools.tasks.summarize.groups import Group, Key, find_uneven, part_of

if TYPE_CHECKING:
    from scholartools.records import Entry


def median_runs(
    results: Sequence[Record], groups: Mapping[Key, Group], names: Sequence[str], by: str
) -> Iterator[Record]:
    """For each name the summary of its median run, of every metric and part of the input that its runs have scores of.

    The runs of a name are the systems ``NAME#1``, ``NAME#2`` and so on, as several samples are written. Of equal ones
    that of the lowest number is taken. A metric of which no run is in the middle is null with the ``reason``: a run is
    lacking, its value is null or there is none, or the runs have it of different records.

    Args:
        results: the summaries of all systems.
        groups: what they are made of.
        by: the value whose median is looked for: that over the whole input where a metric has one of the name, for
            that is the published one then, else the mean over records.

    Raises:
        UsageFault: a name has no runs, or is that of a system itself, or no metric of it has a median run.
    """
    for name in names:
        own = _runs_of(results, groups, name)
        places = {key: group.places_of(by) for key, group in groups.items() if _run_number(key.system, name)}
        uneven = find_uneven(places)
        n_runs = max(_run_number(entry["system"], name) or 0 for entry in own)
        parts: dict[tuple[str, Name | None], list[Record]] = {}
        for entry in sorted(own, key=lambda entry: _run_number(entry["system"], name) or 0):
            parts.setdefault((entry["metric"], part_of(entry)), []).append(entry)
        reasons = {place: _why_no_median(name, runs, n_runs, by, uneven.get(place)) for place, runs in parts.items()}
        if all(reasons.values()):
            reason, runs = next(zip(reasons.values(), parts.values(), strict=True))
            is_by = len(runs) == n_runs and any(_values_of(entry).get(by) is None for entry in runs)
            raise UsageFault(reason or "", parameter="median_by" if is_by else "median_of")
        yield from (_median_run(name, runs, by, reasons[place]) for place, runs in parts.items())


def _runs_of(results: Sequence[Record], groups: Mapping[Key, Group], name: str) -> list[Record]:
    """The summaries of the runs of a name.

    Raises:
        UsageFault: there are none, or a system has the name itself.
    """
    if any(key.system == name for key in groups):
        reason = f'a system "{name}" has scores of its own: rename it, because the median run would replace it'
        raise UsageFault(reason, parameter="median_of")
    own = [entry for entry in results if "system" in entry and _run_number(entry["system"], name) is not None]
    if not own:
        raise UsageFault(f'no system "{name}#1" has scores', parameter="median_of")
    return own


def _run_number(system: str, name: str) -> int | None:
    """The number of a run of a name, None where a system is none."""
    found = re.fullmatch(rf"{re.escape(name)}#([1-9]\d*)", system)
    return int(found[1]) if found else None


def _why_no_median(name: str, runs: Sequence[Record], n_runs: int, by: str, uneven: str | None) -> str | None:
    """Why none of the runs of a metric is its median; None where one is."""
    metric = runs[0]["metric"]
    if uneven:
        told = f'"{name}": its runs have a {by} of {metric} on different records ({uneven})'
        return f"{told}: make up what is missing, or leave these records out"
    if len(runs) < n_runs or n_runs % 2 == 0:
        told = f"{len(runs)} of {n_runs} runs have" if len(runs) < n_runs else f"an even number of runs, {n_runs}, have"
        return f'"{name}": {told} scores of {metric}, so that none is in the middle'
    for entry in runs:
        values = _values_of(entry)
        if values.get(by) is None:
            why = "is null" if by in values else f"is none of {', '.join(values)}"
            return f'{metric} of "{entry["system"]}": {by} {why}'
    return None


def _median_run(name: str, runs: Sequence[Record], by: str, reason: str | None) -> Record:
    """The summary of the run in the middle under the name, or that there is none."""
    parameters = {"median_of": name, "by": by, "input": fingerprint([entry["signature"] for entry in runs])}
    parameters |= {"reason": reason} if reason else {}
    if reason is None:
        values = [_values_of(entry)[by] or 0.0 for entry in runs]
        chosen = runs[values.index(sorted(values)[len(runs) // 2])]
    else:
        chosen = _without_values(runs[0], reason)
    return {**chosen, "system": name, "median_of": [entry["system"] for entry in runs], "median_by": by,
            "run": chosen["system"], "signature": signature(COMMAND, parameters)}  # fmt: skip


def _without_values(entry: Entry, reason: str) -> Record:
    """The summary of no run: every value that one of them has is null, with the reason."""
    empty = {"n": 0, "low": None, "high": None, "reason": reason}
    kept: Record = {key: entry[key] for key in ("metric", "by", "failed", "interval") if key in entry}
    found: Record = {**kept, "system": None, "n": 0, "reason": reason}
    found["values"] = {key: {**empty, "mean": None, "median": None, "nulls": {}} for key in entry["values"]}
    if "corpus" in entry:
        found["corpus"] = {key: {**empty, "value": None} for key in entry["corpus"]}
    return found


def _values_of(entry: Entry) -> dict[str, float | None]:
    """The values that may rank a run: the means over records, and those over the whole input in their place."""
    values = {name: value["mean"] for name, value in entry["values"].items()}
    return values | {name: value["value"] for name, value in entry.get("corpus", {}).items()}
