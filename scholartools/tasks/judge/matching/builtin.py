"""Matching without a model: embeddings at a threshold. Weak, and named so wherever it is offered.

Similar vectors are not the same limitation: statements that share most words but name another shortcoming come out more
alike than paraphrases that share none. ``make bench-match`` measures it on ``fixtures/match-pairs.jsonl``, one half of
which the threshold was chosen on.
"""

from __future__ import annotations

from scholartools.records import Record, nonzero
from scholartools.tasks.judge.entries import finish_cosine_judge
from scholartools.tasks.judge.matching.inputs import Sides, cosine_matrix, read_sides
from scholartools.tasks.judge.matching.report import report
from scholartools.text.embeddings.cached import embedder as embedder_of
from scholartools.text.embeddings.cached import n_truncated

# Of the greatest Cohen's kappa on one half of the fixture (the middle one of several such), with the default embedder.
THRESHOLD = 0.69


def match_builtin(
    record: Record,
    *,
    threshold: float = THRESHOLD,
    embedder: str | None = None,
    reference: str | None = None,
    candidate: str | None = None,
) -> Record:
    """A copy of the record with an entry for each system under ``judgements.match``: every pair, with its similarity.

    Args:
        threshold: least cosine of a match, in -1..1.
        embedder: a name that :func:`scholartools.text.embeddings.sentence.embedder` knows.
        reference: dotted path of the ground truth, ``limitations`` if not given.
        candidate: dotted path of the systems' items, ``generated.limitations`` if not given.

    Raises:
        InputFault: a side is missing or has items without ids.
        UsageFault: there is no such embedder.
    """
    sides = read_sides(record, reference, candidate, leave_out_unnamed=True)
    entries = [_entry(sides, system, threshold, embedder) for system in sides.systems]
    options = {"threshold": threshold, "embedder": embedder_of(embedder).name}
    return finish_cosine_judge(record, "match", entries, sides.candidate, sides.compared(), options)


def _entry(sides: Sides, system: str, threshold: float, embedder: str | None) -> Record:
    items = sides.systems[system]
    cosines = cosine_matrix(sides.truths, items, embedder)
    pairs = [
        {"reference": truth.id, "candidate": item.id, "match": cosine >= threshold, "similarity": cosine}
        for truth, row in zip(sides.truths, cosines)
        for item, cosine in zip(items, row)
    ]
    read_in_part = nonzero(n_cut=n_truncated([item.text for item in (*sides.truths, *items)], embedder))
    return {**sides.heading(system, "builtin"), "pairs": pairs, "report": report(pairs), **read_in_part}
