"""Fetch references, citing and similar papers, from one source, in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault, ScholartoolsError
from scholartools.records import Record, nonzero
from scholartools.sources import Job, Source, Tie
from scholartools.sources.base import work
from scholartools.tasks.fetch.asking import Gathered, gather
from scholartools.tasks.fetch.entries import Entry, Made, of_nothing, of_work
from scholartools.tasks.fetch.papers import id_for
from scholartools.tasks.fetch.venues import Choice, draw
from scholartools.web.client import WebClient
from scholartools.web.request import Answer, Ask


class Bounds(NamedTuple):
    """Restrictions on related papers.

    Attributes:
        before: only papers published before a day (YYYY-MM-DD), or before the first "review" of the paper; papers of
            unknown date are excluded. None: no limit.
        drop_retracted: exclude retracted and withdrawn papers.
        choice: sample of the remaining ones.
    """

    before: str | None = None
    drop_retracted: bool = False
    choice: Choice = Choice()

    def options(self) -> dict[str, Any]:
        """Options that affect a result."""
        named = {"before": self.before, "drop-retracted": self.drop_retracted, **self.choice.options()}
        return {name: value for name, value in named.items() if value}

    def of(self, entry: Entry) -> Bounds:
        """Replace "review" by the date of the first review of a record.

        Raises:
            InputFault: kind ``missing-key``: no review has a date.
        """
        if self.before != "review":
            return self
        reviews = (entry.record or {}).get("reviews") or ()
        days = [str(one["date"]) for one in reviews if isinstance(one, dict) and one.get("date")]
        if not days:
            raise InputFault('no "reviews" with a "date": the first of them is the bound', kind="missing-key")
        return self._replace(before=min(days))

    def why_not(self, work: Record) -> str | None:
        """Why a work is excluded: "later", "undated", "retracted"; None if it is included."""
        status = work.get("status") or {}
        if self.drop_retracted and (status.get("retracted") or status.get("withdrawn")):
            return "retracted"
        if self.before is None:
            return None
        day = str(work.get("date") or work.get("year") or "")
        if not day or self.before.startswith(day):  # only the year or month is known, and it contains the bound
            return "undated" if day != self.before else "later"
        return None if day < self.before else "later"


ANY = Bounds()
RELATIONS = {"references": "cited-in", "citations": "cited-by", "similar": "similar"}


def first_requests(
    sources: Sequence[Source], entries: Iterable[Entry], action: str, limit: int | None
) -> tuple[list[Ask], list[Ask] | None]:
    """Requests that are certain, the first for each entry; and the maximum of following ones, if known."""
    asks: list[Ask] = []
    following: list[Ask] | None = []
    for entry in entries:
        for source in sources:
            if (one := id_for(source, entry.ids)) is not None:
                job = Job(action, (one,), limit)
                asks += source.requests(job)
                more = source.follows(job)
                if more is None or following is None:
                    following = None
                else:
                    following += more
                break
    return asks, following


async def fetch_related(
    client: WebClient, sources: Sequence[Source], entry: Entry, action: str, limit: int | None,
    bounds: Bounds = ANY, warn: Callable[[str], None] = lambda line: None,
) -> Made:  # fmt: skip
    """Papers related to an entry, from the first source that knows it, with ``relation`` and ``related_to``.

    Args:
        limit: maximum number of papers of the source's list, before ``bounds`` are applied.
        warn: receives a message about excluded papers.

    Raises:
        ModelFault: the run must end.
    """
    if entry.fault is not None:
        return Made([], entry.fault)
    try:
        bounds = bounds.of(entry)
    except InputFault as fault:
        return Made([_of_seed(entry, action, fault.kind, fault.reason, ())], fault)
    reasons: list[tuple[str, str]] = []
    heard: list[str] = []
    for source in sources:
        one = id_for(source, entry.ids)
        if one is None:
            continue
        found = await gather(client, source, Job(action, (one,), limit))
        item = str(one)
        heard += found.answers
        if item in found.missing:
            reasons.append(("missing", found.missing[item]))
            continue
        if item in found.failed or (found.faults and not found.ties):
            reasons.append(("provider", found.failed.get(item) or found.faults[0]))
            break  # a fallback to another source would make the records depend on temporary failures
        return _related(entry, source, found, action, limit, heard, bounds, warn)
    if not reasons:
        named = ", ".join(map(str, entry.ids)) or "a record without ids"
        reasons.append(("no-source", f"no service that is asked for {action} finds papers by {named}"))
    kind = reasons[-1][0]
    told = "; ".join(dict.fromkeys(reason for _, reason in reasons))
    return Made([_of_seed(entry, action, kind, told, heard)], ScholartoolsError(told, kind=kind))


def _related(
    entry: Entry, source: Source, found: Gathered, action: str, limit: int | None, heard: Sequence[str], bounds: Bounds,
    warn: Callable[[str], None],
) -> Made:  # fmt: skip
    """The records, followed by one on missing papers, if any."""
    whole: dict[Any, tuple[Tie, _Said]] = {}
    repeated, lost = 0, []
    for tie, answer in found.ties[:limit]:
        said = _work_of(tie, answer, found)
        if isinstance(said, str):
            lost.append(said)
            continue
        key = tie.item or tuple(sorted(said.work["ids"].items())) or (said.work["title"], len(whole))
        repeated += key in whole
        whole.setdefault(key, (tie, said))
    of = {} if found.total is None else {"of": found.total}
    refused = {key: why for key, (_, said) in whole.items() if (why := bounds.why_not(said.work))}
    left = dict(sorted(Counter(refused.values()).items()))
    taken = [one for key, one in whole.items() if key not in refused]
    drawn, told_of_draw = draw([said.work for _, said in taken], bounds.choice)
    undrawn = len(taken) - len(drawn)
    taken = [taken[place] for place in drawn]
    for line in told_of_draw:
        warn(f"{entry.name}: {line}")
    counts = {"taken": len(taken), **of, **nonzero(repeated=repeated, undrawn=undrawn), **left}
    options = {**({} if limit is None else {"limit": limit}), **bounds.options()}
    records = [_record(entry, source, action, tie, said, options, counts, heard) for tie, said in taken]
    if left:
        told = ", ".join(f"{n} {why}" for why, n in left.items())
        warn(f"{entry.name}: left out of {len(whole)}: {told}")
    if reasons := _missing(source, found, len(whole), lost, limit):
        told = "; ".join(reasons)
        return Made([*records, _of_seed(entry, action, "missing-parts", told, heard)], missing=told)
    return Made(records)


class _Said(NamedTuple):
    """A related work, its response, and a reason if the source has no details."""

    work: Record
    answer: Answer
    doubt: str | None = None


def _work_of(tie: Tie, answer: Answer, found: Gathered) -> _Said | str:
    """The work of a relation, or the reason why it is missing."""
    if tie.work is not None:
        return _Said(tie.work, answer)
    item = str(tie.item)
    if item in found.works:
        return _Said(*found.works[item])
    if item in found.missing:
        kind, _, value = item.partition(":")
        return _Said(work("the source", {kind: value}, {}), answer, found.missing[item])
    return found.failed.get(item, "no answer")


def _record(
    entry: Entry, source: Source, action: str, tie: Tie, said: _Said, options: Record, counts: Record,
    heard: Sequence[str],
) -> Record:  # fmt: skip
    more: Record = {"relation": RELATIONS[action], "related_to": entry.name}
    if tie.tie:
        more["tie"] = tie.tie
    if said.doubt is not None or not said.work["ids"]:
        more["matched"] = None
        more["unmatched"] = said.doubt or f"{source.name} has no id for it"
    return of_work(
        said.work, source.name, said.answer.time, task=action, answers=[said.answer.key, *heard],
        asked=f"{action} {entry.name}", options=options, counts=counts, **more,
    )  # fmt: skip


def _missing(source: Source, found: Gathered, n_whole: int, lost: list[str], limit: int | None) -> list[str]:
    """Reasons why the list is incomplete; empty if it is not."""
    reasons = []
    total = found.total
    if total is not None and found.total_is_exact:
        wanted = total if limit is None else min(total, limit)
        n_listed = n_whole + len(lost)
        if n_listed < wanted:
            reasons.append(f"{source.name} lists {n_listed} of {wanted}")
    if found.faults:
        reasons.append(f"the list breaks off: {found.faults[0]}")
    if lost:
        reasons.append(f"{len(lost)} without an answer: {lost[0]}")
    return reasons


def _of_seed(entry: Entry, action: str, kind: str, reason: str, answers: Sequence[str]) -> Record:
    """A record for the missing part of a list, with a relation to the seed and no text."""
    where = {"relation": RELATIONS[action], "related_to": entry.name}
    return of_nothing(entry, action, kind, reason, answers, **where)
