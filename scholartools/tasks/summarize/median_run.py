"""The median of several runs as one whole run (AAAR-1.0, appendix B.2).

A median of each column by itself would mix runs: its F1 is then no longer that of its precision and recall.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from scholartools.errors import UsageFault
from scholartools.records import Record
from scholartools.signature import fingerprint, signature
from scholartools.tasks.score.metric import COMMAND
from scholartools.tasks.summarize.groups import Group, Key, find_uneven


def median_runs(results: Sequence[Record], names: Sequence[str], by: str) -> Iterator[Record]:
    """For each name the summary of its median run, of every metric and part of the input that its runs have scores of.

    The runs of a name are the systems ``NAME#1``, ``NAME#2`` and so on, as several samples are written. Of equal ones
    that of the lowest number is taken.

    Args:
        results: the summaries of all systems.
        by: the value whose median is looked for: that over the whole input where a metric has one of the name, for
            that is the published one then, else the mean over records.

    Raises:
        UsageFault: a name has no runs, or an even number of them, a run is lacking, or its value is null.
    """
    for name in names:
        own = [entry for entry in results if "system" in entry and _run_number(entry["system"], name) is not None]
        if not own:
            raise UsageFault(f'no system "{name}#1" has scores', parameter="median_of")
        groups: dict[tuple[str, str], list[Record]] = {}
        for entry in own:
            groups.setdefault((entry["metric"], fingerprint(entry.get("by"))), []).append(entry)
        n_runs = max(_run_number(entry["system"], name) or 0 for entry in own)
        for runs in groups.values():
            yield _median_run(name, sorted(runs, key=lambda entry: _run_number(entry["system"], name) or 0), n_runs, by)


def check_runs(groups: Mapping[Key, Group], names: Sequence[str], by: str) -> None:
    """Refuse runs of a name that have the value of different records: their median would compare records, not runs.

    A system that has the name itself is refused, too.

    Raises:
        UsageFault: there are some.
    """
    for name in names:
        if any(key.system == name for key in groups):
            reason = f'a system "{name}" has scores of its own: rename it, or the median run would stand under its name'
            raise UsageFault(reason, parameter="median_of")
        runs = {key: group.places_of(by) for key, group in groups.items() if _run_number(key.system, name) is not None}
        if (uneven := find_uneven(runs)) is not None:
            metric, told = uneven
            reason = (
                f'"{name}": its runs have a {by} of {metric} on different records ({told}): make up what is '
                "missing, or leave these records out"
            )
            raise UsageFault(reason, parameter="median_of")


def _run_number(system: str, name: str) -> int | None:
    """The number of a run of a name, None where a system is none."""
    found = re.fullmatch(rf"{re.escape(name)}#([1-9]\d*)", system)
    return int(found[1]) if found else None


def _median_run(name: str, runs: Sequence[Record], n_runs: int, by: str) -> Record:
    metric = runs[0]["metric"]
    if len(runs) < n_runs or n_runs % 2 == 0:
        told = f"{len(runs)} of {n_runs} runs have" if len(runs) < n_runs else f"an even number of runs, {n_runs}, have"
        raise UsageFault(f'"{name}": {told} scores of {metric}, so that none is in the middle', parameter="median_of")
    values = [_value_by(entry, by) for entry in runs]
    chosen = runs[values.index(sorted(values)[n_runs // 2])]
    parameters = {"median_of": name, "by": by, "input": fingerprint([entry["signature"] for entry in runs])}
    names = [entry["system"] for entry in runs]
    return {**chosen, "system": name, "median_of": names, "median_by": by, "run": chosen["system"],
            "signature": signature(COMMAND, parameters)}  # fmt: skip


def _value_by(entry: Record, by: str) -> float:
    values = {name: value["mean"] for name, value in entry["values"].items()}
    values |= {name: value["value"] for name, value in entry.get("corpus", {}).items()}
    if values.get(by) is None:
        why = "is null" if by in values else f"is none of {', '.join(values)}"
        raise UsageFault(f'{entry["metric"]} of "{entry["system"]}": {by} {why}', parameter="median_by")
    return values[by]
