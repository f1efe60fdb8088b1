"""Change an existing batch: raters, a shared project, suggested answers.

Assigned rows and answers are kept; the changes become part of the signature.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.signature import fingerprint, signature
from scholartools.tasks.annotate.answers import read_answers
from scholartools.tasks.annotate.assignment import Plan, groups_of, order_list
from scholartools.tasks.annotate.batch import (
    COMMAND,
    SUGGESTED,
    Batch,
    Row,
    changing,
    check_raters,
    rows_of,
    write_lines,
    write_rows,
)
from scholartools.tasks.annotate.description import Item


def add_rater(batch: Batch, name: str, n: int | None) -> int:
    """Assign ``n`` items (None: the median load) to a new rater, those with fewest raters first; returns the number.

    Items that the design gives to all raters come first. Groups are kept whole.

    Raises:
        UsageFault: the name is invalid or taken; there are fewer items.
    """
    name = check_raters([*batch.raters, name])[-1]
    plan = _plan_of(batch)
    with changing(batch):
        done = _done(batch)
        own = [row for rows in batch.rows.values() for row in rows if row.control is None]
        n_given = Counter(row.item.id for row in own)
        votes = Counter(row.item.id for row in own if row.rater not in batch.dropped or row.mark in done)
        loads = [
            sum(row.control is None for row in batch.rows[one]) for one in batch.raters if one not in batch.dropped
        ]
        wanted = round(statistics.median(loads or [len(n_given)])) if n is None else n
        if wanted > len(n_given):
            raise UsageFault(f"{parameter('sample', wanted)}: there are {len(n_given)} items")

        def rank(group: Sequence[Item]) -> tuple[bool, float, str]:
            is_for_all = plan.design == "overlap" and n_given[group[0].id] > 1
            seed = fingerprint([plan.seed, "added", name, group[0].id])
            return not is_for_all, sum(votes[one.id] for one in group) / len(group), seed

        chosen: list[list[Item]] = []
        for group in sorted(groups_of([batch.items[one] for one in n_given], plan), key=rank):
            if sum(map(len, chosen)) < wanted:
                chosen.append(group)
        places = order_list(name, chosen, [batch.items[one] for one in batch.truth], plan)
        count = sum(map(len, chosen))
        given = {name: list(rows_of(batch.id, name, places, plan.seed))}
        _write(batch, given, [*batch.raters, name], {"added": name, "items": count})
    return count


def drop_rater(batch: Batch, name: str) -> tuple[int, int]:
    """Reassign the unfinished items of a rater and assign the rater nothing more.

    Each group goes to the least loaded rater without any of its items, as a new part of the list. Repeats and items
    with known answers are not reassigned. Answers of the rater still count, including later ones.

    Returns:
        The number of reassigned items, and of those that all other raters already have.

    Raises:
        UsageFault: there is no such rater, or no other one.
    """
    others = [one for one in batch.raters if one != name and one not in batch.dropped]
    if name not in batch.raters or name in batch.dropped or not others:
        raise UsageFault(f"{parameter('drop_rater', name)}: the others are {', '.join(others) or 'nobody'}")
    plan = _plan_of(batch)
    with changing(batch):
        done = _done(batch)
        undone = [row.item for row in batch.rows[name] if row.control is None and row.mark not in done]
        has = {one: {row.item.id for row in batch.rows[one]} for one in others}
        to_do = {one: sum(row.mark not in done for row in batch.rows[one]) for one in others}
        taken: dict[str, list[list[Item]]] = {one: [] for one in others}
        n_lost = 0
        for group in groups_of(undone, plan):
            able = [one for one in others if not has[one] & {item.id for item in group}]
            if not able:
                n_lost += len(group)
                continue
            best = min(able, key=lambda one: (to_do[one], fingerprint([plan.seed, "dropped", one, group[0].id])))
            taken[best].append(group)
            to_do[best] += len(group)
        given = {one: _later(batch, one, groups) for one, groups in taken.items()}
        count = len(undone) - n_lost
        _write(batch, given, batch.raters, {"dropped": name, "items": count, "lost": n_lost})
    return count, n_lost


def share(batch: Batch) -> None:
    """Switch to one project for all raters, in which they see each other's answers.

    Raises:
        UsageFault: the raters have different items, or there are repeats.
    """
    had = {frozenset((row.item.id, row.copy) for row in rows) for rows in batch.rows.values()}
    if len(had) > 1 or any(row.copy for rows in batch.rows.values() for row in rows):
        told = f"everybody sees all tasks: it takes {parameter('design', 'full')}, and no {parameter('repeat')}"
        raise UsageFault(told, parameter="shared")
    _change(batch, {"shared": True})


def suggest(batch: Batch, answers: Mapping[str, Record]) -> None:
    """Set suggested answers by item, from which raters start.

    Raises:
        UsageFault: other suggestions were exported before.
    """
    if batch.suggested and batch.suggested != answers:
        raise UsageFault("other suggestions were exported before", parameter="suggest")
    write_lines(batch.folder / SUGGESTED, ({"item": name, "answers": one} for name, one in answers.items()))
    _change(batch, {"suggested": fingerprint(answers), "items": len(answers)})


def _change(batch: Batch, change: Record) -> None:
    """Record a change, once."""
    with changing(batch):
        if change not in batch.about.get("changes", ()):
            _write(batch, {}, batch.raters, change)


def _done(batch: Batch) -> set[str]:
    """Marks of finished rows."""
    return {one["row"] for one in read_answers(batch) if one["state"] in ("done", "skipped")}


def _later(batch: Batch, rater: str, groups: Sequence[Sequence[Item]]) -> list[Row]:
    """Rows assigned later, as a new part."""
    before = batch.rows[rater]
    part = max((row.part for row in before), default=0) + 1
    plan = replace(_plan_of(batch), repeat=0.0)
    made = rows_of(batch.id, rater, order_list(rater, groups, [], plan), plan.seed)
    return [row._replace(place=row.place + len(before), part=part) for row in made]


def _plan_of(batch: Batch) -> Plan:
    return Plan(tuple(batch.raters), **batch.about["plan"])


def _write(batch: Batch, given: dict[str, list[Row]], raters: Sequence[str], change: Record) -> None:
    rows = [row for rater in raters for row in (*batch.rows.get(rater, ()), *given.get(rater, ()))]
    about = {**batch.about, "raters": list(raters), "changes": [*batch.about.get("changes", ()), change]}
    decided = {key: one for key, one in about.items() if key not in ("batch", "counts", "signature")}
    key = fingerprint([[row.mark, row.part] for row in rows])
    about["signature"] = signature(f"{COMMAND} assign", {**decided, "key": key})
    write_rows(batch.folder, about, rows)
