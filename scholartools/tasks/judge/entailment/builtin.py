"""Entailment without a model: cosine with the nearest item. A weak baseline, and described as such in the help.

An item that several others cover jointly is near none of them; one with the same data but another purpose is near.
"""

from __future__ import annotations

from scholartools.records import Record
from scholartools.tasks.judge.entailment.inputs import heading, judge_without_call, questions, read_sides
from scholartools.tasks.judge.entries import finish_cosine_judge
from scholartools.tasks.judge.matching.builtin import THRESHOLD
from scholartools.tasks.judge.matching.inputs import cosine_matrix
from scholartools.tasks.shared.embedder import embedder_for
from scholartools.text.embeddings.cached import embedder as embedder_of


def entail_builtin(
    record: Record,
    *,
    threshold: float = THRESHOLD,
    embedder: str | None = None,
    reference: str | None = None,
    candidate: str | None = None,
) -> Record:
    """Add an entry for each system under ``judgements.entail`` to a copy of the record, each judgement with its cosine.

    Args:
        threshold: minimum cosine to the nearest item of the other list, in -1..1.
        embedder: a name supported by :func:`scholartools.tasks.shared.embedder.embedder_for`.
        reference: dotted path of the reference items, by default ``experiments``.
        candidate: dotted path of the systems' items, by default ``generated.experiments``.

    Raises:
        InputFault: a side is missing or has items without ids.
        UsageFault: there is no such embedder.
    """
    sides, source = read_sides(record, reference, candidate, leave_out_unnamed=True), embedder_for(record, embedder)
    entries = {
        system: {**heading(sides, system, "builtin"), "candidates": [], "references": []} for system in sides.systems
    }
    for question in questions(sides):
        judged = judge_without_call(question)
        if question.needs_call:
            cosine = max(cosine_matrix([question.item], question.others, source)[0])
            judged = {"id": question.item.id, "entailed": cosine >= threshold, "similarity": cosine}
        entries[question.system][question.side].append(judged)
    options = {"threshold": threshold, "embedder": embedder_of(source).name}
    return finish_cosine_judge(record, "entail", list(entries.values()), sides.candidate, sides.compared(), options)
