"""How a model designs the experiments of a paper that it sees only the beginning of (AAAR-1.0, section 3.2 and 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import Closed, Items
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.records import Record
from scholartools.tasks.generate.entries import COMMAND, number_items, with_generated, with_rejected
from scholartools.tasks.generate.experiments.inputs import (
    BUILTIN,
    MODEL,
    ModelInput,
    Showing,
    build_input,
    cut_paper,
)
from scholartools.tasks.generate.experiments.leaks import LEAKS, ask_leaks
from scholartools.tasks.generate.leakage import with_warnings
from scholartools.tasks.generate.replies import check_items
from scholartools.tasks.shared.pictures import picture_account
from scholartools.tasks.shared.systems import sample_names

TASK = "experiments"
WITHHELD = "the experiments of the paper"
_DEFAULT = Showing()
# Words of numbered sentences in one question about leaks.
_LEAK_WORDS = 3000


class _Item(Closed):
    text: str


class Plan(Closed):
    """The experiments of a plan."""

    experiments: Items[_Item]


PLAN: Prompt[Plan] = Prompt("generate-experiments", Plan)


class Shown(NamedTuple):
    """What is shown of a paper, and the answers it took; None where not all leaks could be looked for."""

    given: ModelInput | None
    answers: list[Answer[Any] | Missing]
    reason: str | None


async def show(engine: Engine, record: Record, showing: Showing) -> Shown:
    """The paper before its first experiment, with leaks taken out as the options say.

    Raises:
        InputFault: there is nothing to show.
        ModelFault: the run must end.
    """
    before = cut_paper(record, showing)
    if showing.leaks != MODEL:
        return Shown(build_input(before, [], showing.leaks, showing), [], None)
    build_input(before, [], BUILTIN, showing)  # what fails whatever leaks, such as too many pictures, fails unpaid
    leaks, answers = await ask_leaks(engine, before.candidates, _LEAK_WORDS)
    if lost := [answer.reason for answer in answers if isinstance(answer, Missing)]:
        return Shown(None, answers, f"leaks could not be looked for in the whole text: {lost[0]}")
    return Shown(build_input(before, leaks, engine.settings.model, showing), answers, None)


async def experiments(
    engine: Engine, record: Record, showing: Showing = _DEFAULT, *, system: str | None = None
) -> Record:
    """A copy of the record with an entry under ``generated.experiments``; of several samples one each, ``SYSTEM#1``.

    An entry without a usable reply has ``items`` null and the ``reason``; the record then has one more of ``errors``.

    Args:
        system: name of the entry, None for the model's.

    Raises:
        InputFault: no sections, no place of a first experiment, or nothing before it.
        ModelFault: the run must end.
    """
    shown = await show(engine, record, showing)
    names = sample_names(system or engine.settings.model, engine.settings.samples)
    plans: list[Answer[list[Record]] | Missing] = []
    if shown.given is not None:
        plans = await ask_all([_ask_plan(engine, shown.given, sample) for sample in range(len(names))])
    made = {name: _read_plan(shown, plans[n] if plans else None) for n, name in enumerate(names)}
    entries = [
        build_entry(name, engine.settings.model, shown, one["items"], one["reason"]) for name, one in made.items()
    ]
    result = with_warnings(with_rejected(with_generated(record, TASK, entries), TASK, made), entries, WITHHELD)
    asked = [*((names[0], answer) for answer in shown.answers), *zip(names, plans)]
    sign_result(engine, result, TASK, (showing, shown), PLAN, asked, {"system": system})
    return result


def sign_result(
    engine: Engine,
    result: Record,
    task: str,
    seen: tuple[Showing, Shown],
    prompt: Prompt,
    asked: Sequence[tuple[str, Answer[Any] | Missing]],
    told: Record,
    inputs: Any = None,
) -> None:
    """Tell what is missing of a record made from what was shown, and sign it.

    Args:
        seen: how the paper was to be shown, and what was.
        asked: the system and the answer of each question.
        told: the options beside those of showing.
        inputs: what else went into the questions.
    """
    showing, shown = seen
    options = {**showing.provenance_options(), **told}
    sent = shown.given and [shown.given.text, picture_account([shown.given.pictures])]
    prompts = [LEAKS, prompt] if showing.leaks == MODEL else [prompt]
    finish(engine, COMMAND, task, Found(result, "replies", asked, prompts, options, [inputs, sent]))


async def _ask_plan(engine: Engine, seen: ModelInput, sample: int) -> Answer[list[Record]]:
    def verify(reply: Plan) -> list[Record]:
        return check_items([{"text": one.text.strip()} for one in reply.experiments], lambda _: None)

    return await ask(engine, PLAN, {"paper": seen.text}, verify, sample=sample, images=seen.pictures.urls)


def _read_plan(shown: Shown, plan: Answer[list[Record]] | Missing | None) -> Record:
    """The items of a plan and those that cannot be used, or why there are none."""
    if plan is None or isinstance(plan, Missing):
        return {"items": None, "reason": shown.reason if plan is None else plan.reason, "rejected": []}
    usable = [item for item in plan.value if "reason" not in item]
    return {"items": number_items(usable), "reason": None, "rejected": [one for one in plan.value if "reason" in one]}


def build_entry(name: str, by: str, shown: Shown, items: Sequence[Record] | None, reason: str | None) -> Record:
    """An entry with the account of what was shown."""
    entry: Record = {"system": name, "by": by, "items": items}
    if reason is not None:
        entry["reason"] = reason
    return {**entry, **({"sections": []} if shown.given is None else shown.given.entry())}
