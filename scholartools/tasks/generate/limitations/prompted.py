"""Limitations by a model, from the paper alone or with passages of related papers (BAGELS, section 4).

The model does not see the limitations that the paper states (``redaction.py``), and every entry has a leakage check of
its input (``leakage.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scholartools.records import Record
from scholartools.tasks.generate.corpus import Corpus
from scholartools.tasks.generate.entries import COMMAND, with_generated, with_rejected
from scholartools.tasks.generate.leakage import with_warnings
from scholartools.tasks.generate.limitations.inputs import TASK, Task, make_entry, prepare_task
from scholartools.tasks.generate.limitations.options import (
    DEFAULT,
    Options,
    parameters,
)
from scholartools.tasks.shared.systems import sample_names

if TYPE_CHECKING:
    from scholartools.llm.answers import Answer, Missing
    from scholartools.llm.engine import Engine


async def limitations(
    engine: Engine, record: Record, options: Options = DEFAULT, corpus: Corpus | None = None
) -> Record:
    """Add an entry under ``generated.limitations`` to a copy of the record, replacing an earlier one of the system.

    With several samples there is an entry for each, named ``SYSTEM#1`` etc. A failed one has null ``items`` and a
    ``reason``; chunks without a usable reply are listed under ``missing``, unusable items under ``rejected`` of the
    record, and both are reported under ``errors``.

    Args:
        corpus: related papers; None: use the paper alone.

    Raises:
        InputFault: no ``limitations``, no text, or none of the chosen sections.
        ModelFault: the run must end.
    """
    from scholartools.llm.task import Found, ask_all, finish
    from scholartools.tasks.generate.limitations import drafts

    task = prepare_task(record, options, corpus)
    samples = range(engine.settings.samples)
    written = await ask_all([_write_sample(engine, task, options, sample) for sample in samples])
    draws = task.passages is not None
    name = options.system or engine.settings.model + ("+rag" if draws else "")
    names = sample_names(name, len(samples))
    parts = {name: one.value for name, one in zip(names, written) if one.value is not None}
    entries = [make_entry(name, engine.settings.model, task, made) for name, made in parts.items()]
    made = with_warnings(with_rejected(with_generated(record, TASK, entries), TASK, parts), entries)
    asked = [(name, answer) for name, part in parts.items() for answer in part["answers"]]
    prompts = [*drafts.PROMPTS, *(drafts.RELATED_PROMPTS if draws else ())]
    chosen = parameters(options, corpus, model=True)
    shown = [task.pieces, task.summary, task.passages, task.given.withheld]
    return finish(engine, COMMAND, TASK, Found(made, "replies", asked, prompts, chosen, shown))


async def _write_sample(engine: Engine, task: Task, options: Options, sample: int) -> Answer[Record]:
    """Items, passages, missing chunks and, on failure, the reason of one sample."""
    from scholartools.llm.answers import Answer
    from scholartools.tasks.generate.limitations import drafts

    passages, answers = task.passages or [], []
    if passages and options.rerank == "model":
        answers = await drafts.rate_relevance(engine, task.summary, passages, sample)
        passages = [_rate_passage(one, rating, options) for one, rating in zip(passages, answers)]
    used = [one for one in passages if one["used"]]
    found = await drafts.write_limitations(engine, task.pieces, used, sample)
    made: Record = {"items": found.items, "used": used, "rejected": found.rejected}
    made["answers"] = [*answers, *found.answers]
    made |= {key: value for key in ("missing", "drafts") if (value := getattr(found, key))}
    reasons = [found.reason] if found.reason else []
    if task.passages is not None:
        made["passages"] = passages
        reasons += [] if used else [_paper_alone(passages)]
    if reasons:
        made["reason"] = "; ".join(reasons)
    return Answer(made, [key for answer in made["answers"] for key in answer.calls], None)


def _paper_alone(passages: Sequence[Record]) -> str:
    """Reason why no passage was used."""
    unrated = sum("reason" in one for one in passages)
    none = "no passage was relevant" if passages else "no passage of a related paper"
    lost = f", and {unrated} of {len(passages)} could not be rated" if unrated else ""
    return f"{none}{lost}: written from the paper alone"


def _rate_passage(passage: Record, rating: Answer[int] | Missing, options: Options) -> Record:
    """Add a model's rating to a passage; without a usable rating the passage is not used."""
    scores = {**passage["scores"], "relevance": rating.value}
    if rating.value is None:
        return {**passage, "scores": scores, "used": False, "reason": rating.reason}
    return {**passage, "scores": scores, "used": rating.value >= options.min_relevance}
