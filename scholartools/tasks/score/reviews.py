"""Review critique: verdicts on review segments against human labels, by prompt and by ensemble (AAAR-1.0)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault
from scholartools.metrics.items import decisions
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.texts import overlap
from scholartools.metrics.values import Value
from scholartools.records import Entry, Record, nonzero, read
from scholartools.signature import library
from scholartools.tasks.score.metric import (
    DEFAULT,
    UNBOUNDED,
    LeftOut,
    Metric,
    Options,
    all_undefined,
    each_system,
    entry,
    mean,
    prf_values,
    rouge,
    values_in,
    with_prefix,
)
from scholartools.tasks.score.text import (
    BERTSCORE_NAMES,
    bertscore_values,
    bertscore_version,
)
from scholartools.tasks.shared.items import holds
from scholartools.tasks.shared.judgements import by_name, mark_segments, need_judgements, refuse_other_texts, sound

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

PROMPTS = ("labeling-all", "select-deficient")


_PRF = ("precision", "recall", "f1")

# F1 of reviews with a deficient segment; unlike that of F1, its mean has no zeros from the other reviews.
_WITH = "f1_with_deficient"
_NONE_DEFICIENT = "people called no segment deficient"


def review_scores(record: Record, options: Options = DEFAULT) -> Iterator[Record | LeftOut]:
    """One entry per system and review, whose ``item`` is the review: P/R/F1 by prompt and by ensemble.

    ``rouge1``, ``rouge2`` and ``rougeL`` of a prompt are stemmed F1 of its explanations against the human ones, as
    means over the segments that both label deficient and that have a human explanation; a missing explanation scores
    0. BERTScore is computed likewise, but is undefined if an explanation is missing. Reviews with unlabelled segments
    are left out, as are systems whose judgements refer to outdated texts.
    """
    judgements = need_judgements(record, "review")

    def make(system: str) -> Iterator[Record | LeftOut]:
        judged = sound(judgements[system])
        _check_judgements(record, system, judged)
        reviews = by_name(judged["reviews"], "id", "judgements.review")
        for review in [*reviews.values(), *_unjudged_reviews(record, reviews)]:
            if any(part["deficient"] is None for part in review["segments"]):
                reason = f'review "{review["id"]}" has segments that nobody judged: nothing to score "{system}" against'
                yield LeftOut(f"{system}/{review['id']}", InputFault(reason, kind="missing-key"))
            else:
                yield _score_review(system, review, options)

    return each_system(judgements, make)


def _score_review(system: str, review: Record, options: Options) -> Record:
    segments = review["segments"]
    values = {**_critique_values(segments), **_explanation_values(segments, options.bertscore)}
    versions = {"stemmer": True, "rouge": library("rouge-score"), **bertscore_version(options.bertscore)}
    counts = nonzero(n_none_deficient=bool(segments) and not any(part["deficient"] for part in segments))
    counts |= nonzero(n_unjudged=sum(list(part["answers"].values()).count(None) for part in segments))
    return entry("review", system, values, segments, versions, item=review["id"], **counts)


def _unjudged_reviews(record: PaperRecord, judged: Collection[str]) -> list[Record]:
    """The reviews with human labels that a system did not judge, with null answers."""
    return [
        {
            **review,
            "segments": [
                {"deficient": None, **part, "answers": dict.fromkeys(PROMPTS)} for part in review.get("segments") or ()
            ],
        }
        for review in read(record, "reviews") or ()
        if review["id"] not in judged
        and any(part.get("deficient") is not None for part in review.get("segments") or ())
    ]


def check_segments(record: PaperRecord, system: str, judged: Entry) -> None:
    """Check that the judgements refer to the current texts and places of the segments of the record.

    Raises:
        InputFault: a text or a place has changed.
    """
    if (mark := _mark_of_judged(record, judged)) is not None:
        refuse_other_texts(judged, "review", mark)
    placed = [one for one in judged["reviews"] if all(map(_is_placed, one["segments"]))]
    _refuse_other_segments(record, system, placed, ("start", "end"))


def _check_judgements(record: PaperRecord, system: str, judged: Record) -> None:
    """Check that the judgements have a review, and refer to the current segments and human labels of the record.

    Raises:
        InputFault: there is no review, or the texts, the segments or their labels have changed.
    """
    if not judged["reviews"]:
        raise InputFault(f'"judgements.review" has no review by "{system}"', kind="missing-key")
    check_segments(record, system, judged)
    _refuse_other_segments(record, system, judged["reviews"], ("start", "end", "deficient", "explanation"))


def _refuse_other_segments(record: PaperRecord, system: str, reviews: Sequence[Entry], keys: Sequence[str]) -> None:
    given: dict[str, Any] = {one["id"]: one["segments"] for one in read(record, "reviews") or () if one.get("segments")}
    for review in (one for one in reviews if one["id"] in given):
        if _segment_facts(review["segments"], keys) != _segment_facts(given[review["id"]], keys):
            reason = f'"judgements.review" of "{system}" is about other segments than the record'
            raise InputFault(f"{reason}: run st-judge review again", kind="invalid-key")


def _mark_of_judged(record: PaperRecord, judged: Entry) -> str | None:
    """Fingerprint of the judged segments as they are in the record; None if it lacks a judged review or an offset."""
    texts = {one["id"]: one["text"] for one in read(record, "reviews") or ()}
    parts = [(one["id"], one["segments"]) for one in judged["reviews"]]
    if any(name not in texts for name, _ in parts):
        return None
    if not all(_is_placed(part) for _, segments in parts for part in segments):
        return None
    return mark_segments(
        (name, [texts[name][part["start"] : part["end"]] for part in segments]) for name, segments in parts
    )


def _is_placed(segment: Entry) -> bool:
    return segment.get("start") is not None and segment.get("end") is not None


def _segment_facts(segments: Sequence[Entry], keys: Sequence[str]) -> list[tuple[Any, ...]]:
    """The values of some keys of the placed segments, to compare judged segments with current ones."""
    placed = [one for one in segments if _is_placed(one)]
    return sorted(tuple(one.get(key) or "" if key == "explanation" else one.get(key) for key in keys) for one in placed)


def _critique_values(segments: Sequence[Record]) -> dict[str, Value]:
    """P/R/F1 of every prompt and ensemble; null if a required answer is missing."""
    deficient = [segment["deficient"] for segment in segments]
    missing = {prompt: _missing_reason(segments, prompt) for prompt in PROMPTS}
    said = {prompt: [_is_deficient(segment, prompt) for segment in segments] for prompt in PROMPTS}
    found = decisions.critique_readings(deficient, *(said[prompt] for prompt in PROMPTS))
    values: dict[str, Value] = {}
    for reading, scores in found.items():
        needed = [reading] if reading in PROMPTS else PROMPTS
        reason = next((missing[prompt] for prompt in needed if missing[prompt]), None)
        values |= with_prefix(reading, all_undefined(_PRF, reason) if reason else prf_values(scores))
        values[f"{reading}.{_WITH}"] = values[f"{reading}.f1"] if any(deficient) else Value(None, _NONE_DEFICIENT)
    return values


def _missing_reason(segments: Sequence[Record], prompt: str) -> str | None:
    """Why a prompt has no scores; None if it has scores."""
    lacking = sum(_prompt_answer(segment, prompt) is None for segment in segments)
    if lacking == len(segments):
        return f"no answers of {prompt}" if segments else None
    return f"{lacking} of {len(segments)} answers of {prompt} are missing" if lacking else None


def _prompt_answer(segment: Record, prompt: str) -> Record | None:
    return segment["answers"].get(prompt)


def _is_deficient(segment: Record, prompt: str) -> bool:
    answer = _prompt_answer(segment, prompt)
    return answer is not None and answer["deficient"]


def _explanation_values(segments: Sequence[Record], bertscore: str | None) -> dict[str, Value]:
    """Mean ROUGE of each prompt's explanations, and mean BERTScore if a model is named."""
    names = (*overlap.ROUGE, *(BERTSCORE_NAMES if bertscore else ()))
    values: dict[str, Value] = {}
    for prompt in PROMPTS:
        pairs = [
            (segment["explanation"], (_prompt_answer(segment, prompt) or {}).get("explanation") or "")
            for segment in segments
            if segment["deficient"] and segment.get("explanation") and _is_deficient(segment, prompt)
        ]
        reason = _missing_reason(segments, prompt)
        values |= with_prefix(prompt, all_undefined(names, reason) if reason else _likeness_values(pairs, bertscore))
    return values


def _likeness_values(pairs: Sequence[tuple[str, str]], bertscore: str | None) -> dict[str, Value]:
    """The means over pairs of a human and a generated explanation."""
    each = [{**_rouge_values(*pair), **bertscore_values(*pair, bertscore)} for pair in pairs]
    names = (*overlap.ROUGE, *(BERTSCORE_NAMES if bertscore else ()))
    none = "no segment that both call deficient is explained"
    return {name: mean([values[name] for values in each], none) for name in names}


def _rouge_values(wanted: str, given: str) -> dict[str, Value]:
    scores = rouge(True)(wanted, given)
    if scores is None:
        return all_undefined(overlap.ROUGE, "an explanation by people has no words")
    return {name: Value(scores[name].f1) for name in overlap.ROUGE}


METRICS = {
    "review": Metric(
        "judgements.review",
        "one entry per review: P/R/F1 by prompt and by ensemble; of the explanations ROUGE, BERTScore ({bertscore})",
        values_in(SHARE, *(f"*.{name}" for name in (*_PRF, _WITH, *overlap.ROUGE)))
        | values_in(UNBOUNDED, *(f"*.{name}" for name in BERTSCORE_NAMES)),
        lambda record: holds(record, "judgements.review"),
        review_scores,
        ("bertscore",),
    ),
}
