"""All papers of a venue and year, their reviews if wanted, and which of them are taken."""

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
    """Which papers of a venue are taken.

    Attributes:
        decisions: of :data:`DECISIONS`; none: any.
        sample: so many at most, drawn by ``seed``; None: all.
        strata: paths of keys, over whose values the sample is spread as evenly as it goes.
    """

    decisions: tuple[str, ...] = ()
    sample: int | None = None
    strata: tuple[str, ...] = ()
    seed: int = 0

    def options(self) -> dict[str, Any]:
        """What of it changes a result."""
        if self.sample is None:
            return {"status": list(self.decisions)} if self.decisions else {}
        named = {"status": list(self.decisions), "stratify": list(self.strata)}
        return {**{name: value for name, value in named.items() if value}, "sample": self.sample, "seed": self.seed}


async def fetch_venue(
    client: WebClient, source: Source, job: Job, choice: Choice, warn: Any, *, task: str = "papers"
) -> list[Made]:
    """A record for each paper of a venue that is taken, in the source's order, and one more for what is missing.

    Args:
        warn: is given what a person should know of the choice.

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
        if item in found.failed:  # it is drawn or not as if it were whole: no other paper takes its place
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
    """A record for each entry, by what the venue's own list says of it: a few requests for all of them.

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
    """The records that are taken, in their order, and what is to be reported of the choice.

    A sample is drawn by the hash of seed and id: it is the same whatever the order, and one that is larger holds it
    where there are no strata. Strata give the same number each, as far as they have so many.
    """
    wanted = [one for one in records if not choice.decisions or one.get("decision") in choice.decisions]
    counts = Counter(str(one.get("decision") or "without a decision") for one in records)
    told = [", ".join(f"{count} {name}" for name, count in sorted(counts.items()))]
    drawn, lines = draw(wanted, choice)
    return [wanted[place] for place in drawn], [*told, *lines]


def draw(records: Sequence[Record], choice: Choice) -> tuple[list[int], list[str]]:
    """The places of those that are drawn, in order, and what is to be reported: all and nothing without ``sample``."""
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
    """What a record is ranked by, wherever it is: its id, that of a work that is none yet, or its title."""
    return str(record.get("id") or sorted((record.get("ids") or {}).items()) or record.get("title"))


def _quotas(sizes: Mapping[tuple[str, ...], int], choice: Choice) -> dict[tuple[str, ...], int]:
    """How many each stratum gives: one after another, the next in turn, until there are enough or none is left."""
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
