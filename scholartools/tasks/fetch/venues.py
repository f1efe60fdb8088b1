"""Fetch all papers of a venue and year, optionally with reviews, and select from them."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scholartools.errors import ScholartoolsError
from scholartools.paths import lookup
from scholartools.records import Record
from scholartools.sources import Id, Job, Source
from scholartools.tasks.fetch.asking import Gathered, gather
from scholartools.tasks.fetch.entries import COMMAND, Entry, Made
from scholartools.tasks.fetch.papers import id_for, made_of, missing
from scholartools.web.client import WebClient
from scholartools.wording import count_of

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

DECISIONS = ("accepted", "rejected", "withdrawn", "desk-rejected")


@dataclass(frozen=True)
class Choice:
    """Selection of papers of a venue.

    Attributes:
        decisions: accepted values of :data:`DECISIONS`; empty: any.
        sample: maximum number of papers, drawn by ``seed``; None: all.
        strata: paths of keys over whose values the sample is spread as evenly as possible.
    """

    decisions: tuple[str, ...] = ()
    sample: int | None = None
    strata: tuple[str, ...] = ()
    seed: int = 0

    def options(self) -> dict[str, Any]:
        """Options that affect a result."""
        if self.sample is None:
            return {"status": list(self.decisions)} if self.decisions else {}
        named = {"status": list(self.decisions), "stratify": list(self.strata)}
        return {**{name: value for name, value in named.items() if value}, "sample": self.sample, "seed": self.seed}


async def fetch_venue(
    client: WebClient, source: Source, job: Job, choice: Choice, warn: Any, *, task: str = "papers"
) -> list[Made]:
    """A record for each selected paper of a venue, in the source's order, followed by one on missing papers.

    Args:
        warn: receives messages on the selection.

    Raises:
        ModelFault: the run must end.
    """
    found = await gather(client, source, job)
    group = next(iter(found.missing), None) if not found.works else None
    if found.faults or (group is not None and found.listed == 0):
        reason = found.faults[0] if found.faults else found.missing[str(group)]
        kind = "provider" if found.faults else "missing"
        about = {"id": str(job.venue), "errors": [{"command": COMMAND, "task": task, "kind": kind, "reason": reason}]}
        return [Made([about], ScholartoolsError(reason, kind=kind))]
    listed: list[Record] = []
    made: dict[str, Made] = {}
    for item in found.works:
        entry = Entry(str(job.venue), (Id(*item.split(":", 1)),))
        whole = job._replace(action=task)
        one = made_of(entry, source, found, item, whole, choice.options(), before=found.answers)
        listed += one.records
        if item in found.failed:  # the draw ignores failures, so that no other paper replaces this one
            one = missing(entry, [("provider", found.failed[item])], found.answers, task)
        made[listed[-1]["id"]] = one
    kept, told = choose(listed, choice)
    for line in told:
        warn(f"{job.venue}: {line}")
    results = [made[record["id"]] for record in kept]
    if found.missing:
        warn(f"{job.venue}: {count_of(len(found.missing), 'paper')} that not everyone may read")
    if found.total_is_exact and found.total is not None and found.listed < found.total:
        reason = f"{source.name} lists {found.listed} of {found.total}"
        fault = {"command": COMMAND, "task": task, "kind": "missing-parts", "reason": reason}
        results.append(Made([{"id": str(job.venue), "errors": [fault]}], missing=reason))
    return results


async def of_venue(client: WebClient, source: Source, job: Job, entries: Sequence[Entry], task: str) -> list[Made]:
    """A record for each entry from the venue's own list, which takes few requests.

    Raises:
        ModelFault: the run must end.
    """
    found = await gather(client, source, job)
    return [_of_list(source, job, found, entry, task) for entry in entries]


def _of_list(source: Source, job: Job, found: Gathered, entry: Entry, task: str) -> Made:
    one = id_for(source, entry.ids)
    if entry.fault is not None or one is None:
        return missing(entry, [], [], task)
    if str(one) in found.works and str(one) not in found.failed:
        whole = job._replace(action=task)
        return made_of(entry, source, found, str(one), whole, before=found.answers)
    if lost := found.failed.get(str(one)) or next(iter(found.faults), None):
        return missing(entry, [("provider", lost)], found.answers, task)
    told = found.missing.get(str(one), f"none of the papers of {job.venue}")
    return missing(entry, [("missing", told)], found.answers, task)


def choose(records: Sequence[Record], choice: Choice) -> tuple[list[Record], list[str]]:
    """Select records, in order; also return messages on the selection.

    Sampling uses the hash of seed and id, so it is independent of the order, and a larger sample contains a smaller one
    if there are no strata. Strata contribute equal numbers, as far as possible.
    """
    wanted = [one for one in records if not choice.decisions or one.get("decision") in choice.decisions]
    counts = Counter(str(one.get("decision") or "without a decision") for one in records)
    told = [", ".join(f"{count} {name}" for name, count in sorted(counts.items()))]
    drawn, lines = draw(wanted, choice)
    return [wanted[place] for place in drawn], [*told, *lines]


def draw(records: Sequence[Record], choice: Choice) -> tuple[list[int], list[str]]:
    """Sorted indices of the sampled records, and messages; all records and no message without ``sample``."""
    if choice.sample is None:
        return list(range(len(records))), []
    strata: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, one in enumerate(records):
        strata[tuple(str(lookup(one, path)) for path in choice.strata)].append(place)
    quotas = _quotas({name: len(members) for name, members in strata.items()}, choice)
    taken: list[int] = []
    told = []
    even = -(-choice.sample // max(1, len(strata)))
    for name, members in sorted(strata.items()):
        ranked = sorted(members, key=lambda place: _rank(choice.seed, _name_of(records[place])))
        taken += ranked[: quotas[name]]
        label = " ".join(name) or "all"
        short = f", fewer than {even}" if quotas[name] < min(even, choice.sample // max(1, len(strata))) else ""
        told.append(f"{label}: {quotas[name]} of {len(members)}{short}")
    if len(taken) < choice.sample:
        told.append(f"{len(taken)} in all, where {choice.sample} were wanted")
    return sorted(taken), told


def _name_of(record: PaperRecord) -> str:
    """Key by which a record is ranked, independent of its position: its id, the ids of a work, or its title."""
    return str(record.get("id") or sorted((record.get("ids") or {}).items()) or record.get("title"))


def _quotas(sizes: Mapping[tuple[str, ...], int], choice: Choice) -> dict[tuple[str, ...], int]:
    """Number of records from each stratum, distributed round-robin."""
    quotas = dict.fromkeys(sizes, 0)
    left = min(choice.sample or 0, sum(sizes.values()))
    turn = sorted(sizes, key=lambda name: _rank(choice.seed, " ".join(name)))
    while left:
        for name in turn:
            if left and quotas[name] < sizes[name]:
                quotas[name] += 1
                left -= 1
    return quotas


def _rank(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{name}".encode()).digest()
