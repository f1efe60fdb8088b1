"""Yes-or-no answers against the truth: equations and segments of reviews (AAAR-1.0, sections 4, 5.1 and 5.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from scholartools.errors import InputFault
from scholartools.metrics import decisions, overlap
from scholartools.metrics.values import Value
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks._score_base import Metric, Options, all_undefined, entry, prefixed, rouge, spelled
from scholartools.tasks._score_records import by_name, holds, judgements

PROMPTS = ("labeling-all", "select-deficient")

_PRF = ("precision", "recall", "f1")


def equation_scores(record: Record, _: Options | None = None) -> Iterator[Record]:
    """Counts and scores of each system's answers in this record; "correct" is positive.

    The published scores are those of the counts pooled over the whole input, in the summary's ``corpus``.
    """
    for system, judged in _needed(record, "equation").items():
        correct = [option["correct"] for option in judged["options"]]
        answers = [option["answer"] for option in judged["options"]]
        found = decisions.equation_inference(correct, answers)
        counts = {name: getattr(found, name) for name in ("tp", "fp", "fn", "tn")} | {"unparsed": found.n_unparsed}
        values = spelled(found.scores) | {name: Value(float(count)) for name, count in counts.items()}
        values |= prefixed("all_positive", spelled(decisions.all_positive(correct).scores))
        yield entry("equations", system, values, [correct, answers], {})


def review_scores(record: Record, _: Options | None = None) -> Iterator[Record]:
    """One entry per system and review, whose ``item`` is the review: P/R/F1 by prompt and by ensemble.

    ``rouge1``, ``rouge2`` and ``rougeL`` of a prompt are stemmed F1 of its explanations against people's, the mean over
    the segments that both call deficient and people explained; an explanation that is not given scores 0.
    """
    for system, judged in _needed(record, "review").items():
        if not judged["reviews"]:
            raise InputFault(f'"judgements.review" has no review by "{system}"', kind="missing-key")
        for review in by_name(judged["reviews"], "id", "judgements.review").values():
            segments = review["segments"]
            values = {**_critique(segments), **_explanations(segments)}
            versions = {"stemmer": True, "rouge": library("rouge-score")}
            yield entry("review", system, values, segments, versions, item=review["id"])


def _needed(record: Record, task: str) -> dict[str, Record]:
    judged = judgements(record, task)
    if judged is None:
        raise InputFault(f'no "judgements.{task}": nothing to score', kind="missing-key")
    return judged


def _critique(segments: Sequence[Record]) -> dict[str, Value]:
    """P/R/F1 of every reading, null where an answer that it needs is missing."""
    deficient = [segment["deficient"] for segment in segments]
    missing = {prompt: _missing(segments, prompt) for prompt in PROMPTS}
    said = {prompt: [_is_deficient(segment, prompt) for segment in segments] for prompt in PROMPTS}
    found = decisions.critique_readings(deficient, *(said[prompt] for prompt in PROMPTS))
    values: dict[str, Value] = {}
    for reading, scores in found.items():
        needed = [reading] if reading in PROMPTS else PROMPTS
        reason = next((missing[prompt] for prompt in needed if missing[prompt]), None)
        values |= prefixed(reading, all_undefined(_PRF, reason) if reason else spelled(scores))
    return values


def _missing(segments: Sequence[Record], prompt: str) -> str | None:
    """Why a prompt has no scores, None if it has."""
    lacking = sum(_answer(segment, prompt) is None for segment in segments)
    if lacking == len(segments):
        return f"no answers of {prompt}" if segments else None
    return f"{lacking} of {len(segments)} answers of {prompt} are missing" if lacking else None


def _answer(segment: Record, prompt: str) -> Record | None:
    return segment["answers"].get(prompt)


def _is_deficient(segment: Record, prompt: str) -> bool:
    answer = _answer(segment, prompt)
    return answer is not None and answer["deficient"]


def _explanations(segments: Sequence[Record]) -> dict[str, Value]:
    """Mean ROUGE of each prompt's explanations."""
    values: dict[str, Value] = {}
    for prompt in PROMPTS:
        pairs = [
            (segment["explanation"], (_answer(segment, prompt) or {}).get("explanation") or "")
            for segment in segments
            if segment["deficient"] and segment.get("explanation") and _is_deficient(segment, prompt)
        ]
        reason = _missing(segments, prompt)
        values |= prefixed(prompt, all_undefined(overlap.ROUGE, reason) if reason else _mean_rouge(pairs))
    return values


def _mean_rouge(pairs: Sequence[tuple[str, str]]) -> dict[str, Value]:
    scores = [rouge(True)(*pair) for pair in pairs]
    if not scores:
        return all_undefined(overlap.ROUGE, "no segment that both call deficient is explained")
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        return all_undefined(overlap.ROUGE, "an explanation by people has no words")
    return {name: Value(math.fsum(score[name].f1 for score in known) / len(known)) for name in overlap.ROUGE}


METRICS = {
    "equations": Metric(
        "judgements.equation",
        "counts and P/R/F1 of answers; pooled over the whole input, beside All-Positive, with --summary",
        lambda record: holds(record, "judgements.equation"),
        equation_scores,
    ),
    "review": Metric(
        "judgements.review",
        "one entry per review: P/R/F1 by prompt and by ensemble, ROUGE of the explanations",
        lambda record: holds(record, "judgements.review"),
        review_scores,
    ),
}
