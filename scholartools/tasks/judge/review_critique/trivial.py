"""Baselines that call no segment, or every segment, deficient."""

from __future__ import annotations

from scholartools.records import Record, add_provenance
from scholartools.signature import Digest
from scholartools.tasks.judge.entries import COMMAND, with_judgements
from scholartools.tasks.judge.review_critique.inputs import build_review, cut_reviews, mark, with_segments
from scholartools.tasks.judge.review_critique.replies import PROMPTS

#: The trivial systems and their constant judgement.
TRIVIAL = {"none": False, "all": True}


def review_trivial(record: Record, system: str, *, segment: bool = False) -> Record:
    """Add the entry of a trivial system under ``judgements.review`` to a copy of the record.

    Args:
        system: one of :data:`TRIVIAL`.
        segment: split reviews without segments into sentences.

    Raises:
        InputFault: no reviews, or a review without segments.
    """
    reviews = cut_reviews(record, segment=segment)
    said = {name: {"deficient": TRIVIAL[system]} for name in PROMPTS}
    judged = [build_review(one, [said for _ in one.texts], [{} for _ in one.texts]) for one in reviews]
    entry = {"system": system, "by": "builtin", "texts": mark(reviews), "reviews": judged}
    made = with_judgements(with_segments(record, reviews), "review", [entry])
    options = {"system": system, "segment": segment}
    add_provenance(made, COMMAND, "review", method="builtin", options=options, input=Digest(mark(reviews)))
    return made
