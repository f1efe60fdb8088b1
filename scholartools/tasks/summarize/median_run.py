"""Select the median run of several, as a whole (AAAR-1.0, appendix B.2).

Separate medians of columns would mix runs, so that F1 would not correspond to precision and recall.
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
    """For each name, the summary of its median run, by metric and part of the input.

    The runs of a name are the systems ``NAME#1``, ``NAME#2`` etc., as written for several samples. Ties are resolved by
    the lowest number. A metric without a median run is null with a ``reason``: a run or its value is missing, the
    number of runs is even, or the runs have different records.

    Args:
        results: summaries of all systems.
        groups: groups behind the summaries.
        by: the value that ranks runs: the corpus-level one if a metric has it, as published; else the mean over
            records.

    Raises:
        UsageFault: a name has no runs or is itself a system, or none of its metrics has a median run.
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
    """Summaries of the runs of a name.

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
    """Number of a run of a name; None for other systems."""
    found = re.fullmatch(rf"{re.escape(name)}#([1-9]\d*)", system)
    return int(found[1]) if found else None


def _why_no_median(name: str, runs: Sequence[Record], n_runs: int, by: str, uneven: str | None) -> str | None:
    """Why a metric has no median run; None if it has."""
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
    """Summary of the median run under the name, or with the reason why there is none."""
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
    """Summary without a median run: all values are null, with the reason."""
    empty = {"n": 0, "low": None, "high": None, "reason": reason}
    kept: Record = {key: entry[key] for key in ("metric", "by", "failed", "interval") if key in entry}
    found: Record = {**kept, "system": None, "n": 0, "reason": reason}
    found["values"] = {key: {**empty, "mean": None, "median": None, "nulls": {}} for key in entry["values"]}
    if "corpus" in entry:
        found["corpus"] = {key: {**empty, "value": None} for key in entry["corpus"]}
    return found


def _values_of(entry: Entry) -> dict[str, float | None]:
    """Values by which runs may be ranked: means over records, replaced by corpus-level values."""
    values = {name: value["mean"] for name, value in entry["values"].items()}
    return values | {name: value["value"] for name, value in entry.get("corpus", {}).items()}
