"""Match items without a model: a threshold on embedding similarity. A weak baseline.

Similar vectors need not be the same limitation: statements with mostly the same words on different shortcomings are
    more similar than paraphrases without common words. ``make bench-match`` evaluates it on
    ``fixtures/match-pairs.jsonl``; the
threshold was tuned on one half of these.
"""

from __future__ import annotations

from scholartools.records import Record, nonzero
from scholartools.tasks.judge.entries import finish_cosine_judge
from scholartools.tasks.judge.matching.inputs import Sides, cosine_matrix, read_sides
from scholartools.tasks.judge.matching.report import report
from scholartools.text.embeddings.cached import embedder as embedder_of
from scholartools.text.embeddings.cached import n_truncated

# Maximises Cohen's kappa on one half of the fixture with the default embedder (the median of equally good thresholds).
THRESHOLD = 0.69


def match_builtin(
    record: Record,
    *,
    threshold: float = THRESHOLD,
    embedder: str | None = None,
    reference: str | None = None,
    candidate: str | None = None,
) -> Record:
    """Add an entry per system under ``judgements.match`` to a copy of the record, with the similarity of every pair.

    Args:
        threshold: minimum cosine of a match, in -1..1.
        embedder: a name supported by :func:`scholartools.text.embeddings.sentence.embedder`.
        reference: dotted path of the ground truth, by default ``limitations``.
        candidate: dotted path of the systems' items, by default ``generated.limitations``.

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
