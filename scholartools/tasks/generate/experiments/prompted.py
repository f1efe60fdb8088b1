"""Generate the experiments of a paper by a model that sees only its beginning (AAAR-1.0, sections 3.2 and 5.2)."""

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
# Words of numbered sentences per request on leaks.
_LEAK_WORDS = 3000


class _Item(Closed):
    text: str


class Plan(Closed):
    """The experiments of a plan."""

    experiments: Items[_Item]


PLAN: Prompt[Plan] = Prompt("generate-experiments", Plan)


class Shown(NamedTuple):
    """The input for a model and the answers used to build it; None if the search for leaks is incomplete."""

    given: ModelInput | None
    answers: list[Answer[Any] | Missing]
    reason: str | None


async def show(engine: Engine, record: Record, showing: Showing) -> Shown:
    """Build the part of a paper before its first experiment, with leaks removed according to the options.

    Raises:
        InputFault: there is nothing to show.
        ModelFault: the run must end.
    """
    before = cut_paper(record, showing)
    if showing.leaks != MODEL:
        return Shown(build_input(before, [], showing.leaks, showing), [], None)
    build_input(before, [], BUILTIN, showing)  # fail before paid requests
    leaks, answers = await ask_leaks(engine, before.candidates, _LEAK_WORDS)
    if lost := [answer.reason for answer in answers if isinstance(answer, Missing)]:
        return Shown(None, answers, f"leaks could not be looked for in the whole text: {lost[0]}")
    return Shown(build_input(before, leaks, engine.settings.model, showing), answers, None)


async def experiments(
    engine: Engine, record: Record, showing: Showing = _DEFAULT, *, system: str | None = None
) -> Record:
    """Add an entry under ``generated.experiments`` to a copy of the record; samples are named ``SYSTEM#1`` etc.

    An entry without a usable reply has null ``items`` and a ``reason``, and is reported under ``errors``.

    Args:
        system: name of the entry, None for the model.

    Raises:
        InputFault: no sections, no first experiment, or no text before it.
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
    """Report missing answers and add provenance to a result.

    Args:
        seen: options of the input, and the input.
        asked: system and answer of each request.
        told: further options.
        inputs: further inputs of the requests.
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
    """Usable and unusable items of a plan, or the reason why there are none."""
    if plan is None or isinstance(plan, Missing):
        return {"items": None, "reason": shown.reason if plan is None else plan.reason, "rejected": []}
    usable = [item for item in plan.value if "reason" not in item]
    return {"items": number_items(usable), "reason": None, "rejected": [one for one in plan.value if "reason" in one]}


def build_entry(name: str, by: str, shown: Shown, items: Sequence[Record] | None, reason: str | None) -> Record:
    """An entry with the report on its input."""
    entry: Record = {"system": name, "by": by, "items": items}
    if reason is not None:
        entry["reason"] = reason
    return {**entry, **({"sections": []} if shown.given is None else shown.given.entry())}
