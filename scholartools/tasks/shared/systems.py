"""Names of systems and their samples."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from scholartools.records import Entry

E = TypeVar("E", bound=Entry)


def sample_names(name: str, samples: int) -> list[str]:
    """Names of the samples of a system: ``NAME#1`` and so on; the plain name for a single sample."""
    return [f"{name}#{sample + 1}" if samples > 1 else name for sample in range(samples)]


def of_other_runs(entries: Iterable[E], names: Collection[str]) -> list[E]:
    """Entries to keep beside those of a new run: those of other systems.

    Samples that an earlier, larger run left over are removed, too: ``NAME#3`` beside new ``NAME#1`` and ``NAME#2``
        would count as a sample of the new run.
    """
    return [one for one in entries if not is_of_run(one["system"], names)]


def is_of_run(system: str, names: Collection[str]) -> bool:
    """Whether a system belongs to a run, or is a left-over sample of an earlier run under the same name."""
    base, _, number = system.rpartition("#")
    return system in names or (number.isdecimal() and f"{base}#1" in names and f"{base}#2" in names)
