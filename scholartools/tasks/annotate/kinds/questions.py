"""Texts rated with a criteria file, the human counterpart of st-judge rate (RQ evaluation, section 4)."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence

from scholartools.errors import InputFault
from scholartools.records import Record
from scholartools.schemas.criteria import AspectCriteria, Criteria
from scholartools.tasks.annotate.description import Item, Kind, Part, Scale, only_rater
from scholartools.tasks.judge.rate.criteria import read_criteria
from scholartools.tasks.judge.rate.inputs import Where, items_of, owners_of
from scholartools.tasks.shared.text_names import TextName

#: Key of an item under which ``st-judge fit`` expects human scores.
SCORES = "human"


def criteria_kind(criteria: Criteria, name: str, *, is_own: bool = False) -> Kind:
    """The kind of a criteria file: each text with its source, and a scale per aspect."""
    where = Where.of(criteria)

    def items(record: Record) -> Iterator[Item]:
        paper = str(record.get("id"))
        for one in items_of(record, where):
            if one.text.strip():
                source = (Part("source", criteria.source_name, one.source),) if one.source.strip() else ()
                parts = (*source, Part("text", criteria.candidate_name, one.text))
                yield Item(TextName(paper, one.system, one.id).long(), paper, paper, parts, stratum=one.system)

    def put(record: Record, given: Mapping[str, Mapping[str, Record]]) -> Record:
        only_rater(given)
        made, paper = copy.deepcopy(record), str(record.get("id"))
        found = items_of(made, where)
        for item, owner in zip(found, owners_of(made, where, found), strict=True):
            name = TextName(paper, item.system, item.id).long()
            for answers in given.get(name, {}).values():
                before, said = (
                    owner.record.get(SCORES) or {},
                    {key: one for key, one in answers.items() if one is not None},
                )
                if other := next((key for key in said if before.get(key) not in (None, said[key])), None):
                    told = f"{name} has {before[other]} for {other}, and {said[other]} in the batch: take one away"
                    raise InputFault(told, kind="duplicate")
                owner.record[SCORES] = {**answers, **before, **said}
        return made

    guide = f"Each text is {criteria.task}. Rate every aspect by itself."
    return Kind(name, criteria.candidate_name, "a text", guide, scales_of(criteria.aspects), items, put, is_own)


def scales_of(specs: Sequence[AspectCriteria]) -> tuple[Scale, ...]:
    """Questions for human raters on the aspects."""
    return tuple(
        Scale(
            spec.name,
            " ".join((spec.definition_for_people or spec.definition).split()),
            low=spec.scale[0],
            high=spec.scale[1],
            step=spec.step,
            levels={level: spec.levels[level] for level in sorted(spec.levels, key=float)},
        )
        for spec in specs
    )


KINDS = (criteria_kind(read_criteria("builtin:rq"), "questions"),)
