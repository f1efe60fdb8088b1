"""Answer by a model which equation is correct in its context (AAAR-1.0, sections 3.1 and 5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.llm.answers import Answer
from scholartools.llm.engine import Engine
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.records import Record
from scholartools.tasks.judge.entries import COMMAND, with_judgements
from scholartools.tasks.judge.equation.answers import make_entry
from scholartools.tasks.judge.equation.inputs import CHOICE, Answering, Shown, shown_parts
from scholartools.tasks.judge.equation.replies import PROMPTS
from scholartools.tasks.shared.questions import read_question
from scholartools.tasks.shared.systems import sample_names


async def equation(engine: Engine, record: Record, how: Answering | None = None) -> Record:
    """Add an entry for each sample under ``judgements.equation`` to a copy of the record.

    A call shows one option in its context, or all with letters, but neither the answer nor how options were made or
    named. An option without a usable answer is null, with the reason, and reported under ``errors``.

    Raises:
        InputFault: the record is not a question of st-eqsynth.
        ModelFault: the run must end.
    """
    how = how or Answering()
    question = read_question(record)
    parts = shown_parts(question, how)
    names = sample_names(how.name(engine.settings.model), engine.settings.samples)
    answers = await ask_all([_ask_once(engine, how, part, sample) for sample in range(len(names)) for part in parts])
    by_sample = [answers[start : start + len(parts)] for start in range(0, len(answers), len(parts))]
    entries = [
        make_entry(question, how, name, engine.settings.model, parts, given)
        for name, given in zip(names, by_sample, strict=True)
    ]
    made = with_judgements(record, "equation", entries)
    asked = [(name, answer) for name, given in zip(names, by_sample) for answer in given]
    inputs = [names, question.mark(), list(question.options)]
    prompts, options = [PROMPTS[how.format].prompt], how.provenance_options()
    found = Found(made, "answers", asked, prompts, options, inputs, so=_describe_open(entries))
    return finish(engine, COMMAND, "equation", found)


async def _ask_once(engine: Engine, how: Answering, part: Shown, sample: int) -> Answer[bool | str]:
    way = PROMPTS[how.format]
    return await ask(engine, way.prompt, part.inputs, lambda reply: way.read(reply, part), sample=sample)


def _describe_open(entries: Sequence[Record]) -> str:
    """Message on the options or choices without an answer."""
    if entries[0]["format"] == CHOICE:
        count = sum(entry["choice"] is None for entry in entries)
        return f"{count} of {len(entries)} choices {'is' if count == 1 else 'are'} open"
    answers = [option["answer"] for entry in entries for option in entry["options"]]
    count = answers.count(None)
    return f"{count} of {len(answers)} options {'has' if count == 1 else 'have'} no answer"
