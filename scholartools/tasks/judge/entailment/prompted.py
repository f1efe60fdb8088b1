"""Judge by a model whether a list covers an item (AAAR-1.0, section 4, equations 1 and 2): n + m calls per system.

The model sees neither names of systems nor ids, nor the side of an item. The list is shuffled by its texts and the
seed, so that the order of items in the record affects neither prompts nor judgements.
"""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt, json_lines
from scholartools.llm.replies import Closed
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.judge.entailment.inputs import Question, heading, judge_without_call, questions, read_sides
from scholartools.tasks.judge.entries import COMMAND, with_judgements
from scholartools.tasks.judge.matching.votes import verdict
from scholartools.tasks.shared.items import tell_missing_items


class Covered(Closed):
    """A reply about one item and a list."""

    entailed: bool


_PROMPT: Prompt[Covered] = Prompt("judge-entail", Covered)


async def entail(
    engine: Engine, record: Record, *, reference: str | None = None, candidate: str | None = None
) -> Record:
    """Add an entry for each system under ``judgements.entail`` to a copy of the record, with a judgement per item.

    With several samples, an item is entailed by a majority of votes, which are kept under ``votes``. An item that
    missing votes leave undecided is null, with the reason, and reported under ``errors``.

    Args:
        reference: dotted path of the reference items, by default ``experiments``.
        candidate: dotted path of the systems' items, by default ``generated.experiments``.

    Raises:
        InputFault: a side is missing or has items without ids.
        ModelFault: the run must end.
    """
    sides = read_sides(record, reference, candidate, leave_out_unnamed=True)
    every = questions(sides)
    samples = range(engine.settings.samples)
    asked = [question for question in every if question.needs_call]
    answers = await ask_all([_ask_coverage(engine, question, sample) for question in asked for sample in samples])
    groups = iter([answers[start : start + len(samples)] for start in range(0, len(answers), len(samples))])
    judged = [_judge_item(one, next(groups)) if one.needs_call else judge_without_call(one) for one in every]
    entries = [
        {
            **heading(sides, system, engine.settings.model),
            **{side: _select_side(every, judged, system, side) for side in ("candidates", "references")},
        }
        for system in sides.systems
    ]
    made = with_judgements(record, "entail", entries)
    tell_missing_items(made, COMMAND, sides.candidate, "entail", by_id=True)
    named = zip((question.system for question in asked for _ in samples), answers)
    return finish(engine, COMMAND, "entail", Found(made, "judgements", named, [_PROMPT], {}, sides.compared()))


def _select_side(asked: Sequence[Question], judged: Sequence[Record], system: str, side: str) -> list[Record]:
    return [one for question, one in zip(asked, judged) if (question.system, question.side) == (system, side)]


async def _ask_coverage(engine: Engine, question: Question, sample: int) -> Answer[bool]:
    texts = [item.text for item in question.others]
    shown = sorted(texts, key=lambda text: fingerprint([engine.settings.seed, text]))
    inputs = {"list": json_lines({"text": text} for text in shown), "item": json_lines([{"text": question.item.text}])}
    return await ask(engine, _PROMPT, inputs, lambda reply: reply.entailed, sample=sample)


def _judge_item(question: Question, answers: Sequence[Answer[bool] | Missing]) -> Record:
    votes = [answer.value for answer in answers]
    judged: Record = {"id": question.item.id, "entailed": verdict([{"match": vote} for vote in votes], "majority")}
    reasons = [answer.reason for answer in answers if isinstance(answer, Missing)]
    if len(votes) > 1:
        judged["votes"] = votes
    return {**judged, "reason": reasons[0]} if reasons else judged
