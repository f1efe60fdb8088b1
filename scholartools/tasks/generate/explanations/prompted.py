"""Explain experiments with a model that is shown the paper before them, and one experiment or all.

Explanations are matched by experiment id. If a reply omits one, only that one is missing, with a reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from scholartools.llm.answers import Answer, Missing, PartlyUsable
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt, json_lines
from scholartools.llm.replies import Closed, Items, ReplyFault
from scholartools.llm.task import ask, ask_all
from scholartools.records import Record
from scholartools.tasks.generate.entries import with_generated
from scholartools.tasks.generate.experiments.inputs import ModelInput, Showing
from scholartools.tasks.generate.experiments.prompted import WITHHELD, Shown, build_entry, show, sign_result
from scholartools.tasks.generate.explanations.builtin import TASK, read_experiments
from scholartools.tasks.generate.leakage import with_warnings
from scholartools.tasks.shared.items import Item
from scholartools.tasks.shared.systems import sample_names

Layout = Literal["each", "list"]
_DEFAULT = Showing()


class Explanation(Closed):
    """Why one experiment is made."""

    explanation: str


class _Listed(Closed):
    id: str
    text: str


class Explanations(Closed):
    """Why each experiment of a list is made."""

    explanations: Items[_Listed]


EACH: Prompt[Explanation] = Prompt("generate-explanation", Explanation)
LIST: Prompt[Explanations] = Prompt("generate-explanations", Explanations)

# Explanations by experiment id.
_Found = dict[str, str]


async def explanations(
    engine: Engine,
    record: Record,
    showing: Showing = _DEFAULT,
    *,
    layout: Layout = "each",
    experiments: str = "experiments",
    system: str | None = None,
) -> Record:
    """Add an entry under ``generated.explanations`` to a copy of the record; samples are named ``SYSTEM#1`` etc.

    An experiment without a usable explanation is listed under ``unexplained`` of the entry with the reason, not among
    its items, and is reported under ``errors``.

    Args:
        layout: "each": one call per experiment; "list": one call for all.
        experiments: dotted path of the experiments, overriding that of ``showing``.
        system: name of the entry, None for the model.

    Raises:
        InputFault: no experiments, one without an id, or no text before them.
        ModelFault: the run must end.
    """
    wanted = read_experiments(record, experiments)
    showing = replace(showing, experiments=experiments)
    shown = await show(engine, record, showing)
    names = sample_names(system or engine.settings.model, engine.settings.samples)
    groups = [wanted] if layout == "list" else [[one] for one in wanted]
    answers = await _ask_groups(engine, shown.given, groups, layout, len(names)) if shown.given else []
    size, model = len(groups), engine.settings.model
    of_sample = [answers[n * size : (n + 1) * size] for n in range(len(names))]
    entries = [_build_entry(name, model, shown, groups, own) for name, own in zip(names, of_sample)]
    result = with_warnings(with_generated(record, TASK, entries), entries, WITHHELD)
    asked: list[tuple[str, Answer[Any] | Missing]] = [(names[0], answer) for answer in shown.answers]
    asked += [(names[place // size], answer) for place, answer in enumerate(answers)]
    told = {"layout": layout, "experiments": experiments, "system": system}
    prompt, texts = LIST if layout == "list" else EACH, [[one.id, one.text] for one in wanted]
    sign_result(engine, result, TASK, (showing, shown), prompt, asked, told, texts)
    return result


async def _ask_groups(
    engine: Engine, seen: ModelInput, groups: Sequence[Sequence[Item]], layout: Layout, samples: int
) -> list[Answer[_Found] | Missing]:
    """The answers on all groups, sample by sample."""
    asked = [(sample, group) for sample in range(samples) for group in groups]
    return await ask_all([_ask_group(engine, seen, group, layout, sample) for sample, group in asked])


async def _ask_group(
    engine: Engine, seen: ModelInput, group: Sequence[Item], layout: Layout, sample: int
) -> Answer[_Found]:
    images = seen.pictures.urls
    if layout == "each":
        shown = {"paper": seen.text, "experiment": json_lines([{"text": group[0].text}])}
        return await ask(engine, EACH, shown, lambda reply: _read_one(reply, group[0]), sample=sample, images=images)
    shown = {"paper": seen.text, "experiments": json_lines({"id": one.id, "text": one.text} for one in group)}
    return await ask(engine, LIST, shown, lambda reply: _read_by_id(reply, group), sample=sample, images=images)


def _build_entry(
    name: str, by: str, shown: Shown, groups: Sequence[Sequence[Item]], answers: Sequence[Answer[_Found] | Missing]
) -> Record:
    """The entry of a sample; without any usable reply ``items`` is null, as opposed to empty."""
    items, lost = _collect_items(groups, answers)
    reasons = [answer.reason for answer in answers if isinstance(answer, Missing)]
    is_lost = len(reasons) == len(answers)
    reason = reasons[0] if is_lost and reasons else shown.reason
    entry = build_entry(name, by, shown, None if is_lost else items, reason)
    return {**entry, "unexplained": lost} if lost else entry


def _read_one(reply: Explanation, experiment: Item) -> _Found:
    if not reply.explanation.strip():
        raise ReplyFault("the explanation is empty")
    return {str(experiment.id): reply.explanation.strip()}


def _read_by_id(reply: Explanations, group: Sequence[Item]) -> _Found:
    """Explanations of a reply by id, exactly one per experiment.

    Raises:
        PartlyUsable: an id is unknown, missing or duplicate, or a text is empty.
    """
    counts = Counter(one.id for one in reply.explanations)
    known = [str(one.id) for one in group]
    lacks = [f'there is no experiment "{name}"' for name in counts if name not in known]
    found = {
        one.id: one.text.strip()
        for one in reply.explanations
        if one.id in known and counts[one.id] == 1 and one.text.strip()
    }
    lacks += [_describe_lack(name, counts[name]) for name in known if name not in found]
    if lacks:
        raise PartlyUsable(found, lacks)
    return found


def _describe_lack(name: str, count: int) -> str:
    how = "is not explained" if not count else "is explained twice" if count > 1 else "has an empty explanation"
    return f'experiment "{name}" {how}'


def _collect_items(
    groups: Sequence[Sequence[Item]], answers: Sequence[Answer[_Found] | Missing]
) -> tuple[list[Record], list[Any]]:
    """Explanations of a sample in the order of the experiments, and the missing ones."""
    items, lost = [], []
    for group, answer in zip(groups, answers):
        for one in group:
            if isinstance(answer, Missing):
                lost.append({"id": one.id, "reason": answer.reason})
            elif str(one.id) in answer.value:
                items.append({"id": one.id, "text": answer.value[str(one.id)]})
            else:
                lost.append({"id": one.id, "reason": next(why for why in answer.lacks if f'"{one.id}"' in why)})
    return items, lost
