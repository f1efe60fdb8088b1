"""Summaries against the abstract, by facet: ROUGE and the facet score ("A Facet-aware Metric", sections 3, 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault
from scholartools.metrics.items.facet_score import OVERALL, facet_score, lacks_facet
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.texts import overlap
from scholartools.metrics.values import Value
from scholartools.records import Record, failures, need, nonzero, read
from scholartools.signature import library
from scholartools.tasks.facets.compared import refuse_other_facets
from scholartools.tasks.facets.facet_sets import RUN_FACETS, changed_facets, facets_of
from scholartools.tasks.score.metric import (
    LeftOut,
    Metric,
    Options,
    all_undefined,
    each_system,
    entry,
    rouge,
    values_in,
    with_prefix,
)
from scholartools.tasks.shared.judgements import judgements_or_faults, sound
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord, Summary


class _Compared(NamedTuple):
    """ROUGE of one system's summary, the inputs for the signature, and the fault of its facets, if any."""

    values: dict[str, Value]
    inputs: list[Any]
    is_silent: bool
    fault: InputFault | None = None


def facet_scores(record: Record, _: Options | None = None) -> Iterator[Record | LeftOut]:
    """Compute ROUGE F1 of each summary against the abstract, overall and by facet, and the facet score.

    The facet score is computed only if the facets are rated. The ROUGE of a facet that the abstract lacks is null, and
    the ROUGE of a facet that only the abstract has is 0. ``n_unrated`` counts the facets whose rating is missing
    because judging failed; the facet score is then undefined. ``n_renormalised`` is 1 if the facet score leaves out a
    facet that the reference lacks. If either the facets or the ratings of a system are invalid, the values from the
    other input are computed.
    """
    record, textless = _without_null_texts(record)
    rated, failed = judgements_or_faults(record, "facets"), judging_failure(record)
    compared: dict[str, _Compared] = {}
    try:
        if rated is None or record.get("facets") and record.get("summaries"):
            compared = _compare_texts(record)
    except InputFault as fault:
        if rated is None:
            raise
        yield LeftOut("ROUGE", fault)
    yield from textless

    def make(system: str) -> Iterator[Record | LeftOut]:
        return _score_system(record, system, compared.get(system), rated, failed)

    yield from each_system(dict.fromkeys([*compared, *(rated or ())]), make)


def _without_null_texts(record: Record) -> tuple[Record, list[LeftOut]]:
    """The record without null summaries, and their systems; unchanged if all summaries are null."""
    given = record.get("summaries")
    listed = given if isinstance(given, list) else []
    lost = [one for one in listed if isinstance(one, dict) and "system" in one and one.get("text") is None]
    if len(lost) == len(listed):
        return record, []
    reasons = {one["system"]: one.get("reason") or "it is null" for one in lost}
    faults = {
        system: InputFault(f'the summary by "{system}" is missing: {why}', kind="missing-key")
        for system, why in reasons.items()
    }
    rest = {**record, "summaries": [one for one in listed if one not in lost]}
    return rest, [LeftOut(system, fault) for system, fault in faults.items()]


def _score_system(
    record: PaperRecord,
    system: str,
    compared: _Compared | None,
    rated: Mapping[str, Record | InputFault] | None,
    failed: str | None,
) -> Iterator[Record | LeftOut]:
    values, inputs, is_silent, fault = compared or _Compared({}, [], False)
    faults = [fault] if fault is not None else []
    counts, versions = nonzero(n_empty=is_silent), {"stemmer": False, "rouge": library("rouge-score")}
    versions = versions if compared else {}
    if rated is not None or failed:
        judged: Record | None = None
        try:
            judged = sound(rated[system]) if rated is not None and system in rated else None
            if judged is not None:
                refuse_other_facets(record, judged)
            found, more = _score_ratings(record, judged, failed)
        except InputFault as wrong:
            faults.append(wrong)
            found, more = all_undefined([f"{part}.score" for part in (OVERALL, *FACETS)], wrong.reason), {}
        values, counts, inputs = values | found, counts | more, [*inputs, judged["ratings"] if judged else failed]
        versions |= {"ratings": "builtin"} if judged and judged.get("by") == "builtin" else {}
    if faults and all(value.value is None for value in values.values()):
        raise faults[0]
    yield entry("facets", system, values, inputs, versions, **counts)
    yield from (LeftOut(system, one) for one in faults)


def _compare_texts(record: Record) -> dict[str, _Compared]:
    """The ROUGE values by system.

    Raises:
        InputFault: the abstract or its facets are missing, the facets are outdated, or there is no summary.
    """
    need(record, "facets", RUN_FACETS)
    changed = changed_facets(record)
    if "abstract" in changed:
        raise changed["abstract"]
    reference = facets_of(record, "abstract")
    abstract = need(record, "abstract", "a reference is needed to score summaries")
    summaries = need(record, "summaries", "nothing to score")
    if not summaries:
        raise InputFault('"summaries" is empty: nothing to score', kind="missing-key")
    return {one["system"]: _compare_summary(record, one, (abstract, reference), changed) for one in summaries}


def _compare_summary(
    record: PaperRecord, summary: Summary, against: tuple[str, Record], changed: Mapping[str, InputFault]
) -> _Compared:
    name, text = f"summary:{summary['system']}", summary["text"]
    abstract, reference = against
    values = with_prefix(OVERALL, rouge_f1(abstract, text))
    candidate, fault = None, changed.get(name)
    try:
        candidate = facets_of(record, name) if fault is None else None
    except InputFault as wrong:
        fault = wrong
    for facet in FACETS:
        if candidate is not None:
            values |= with_prefix(facet, _facet_rouge(facet, reference[facet], candidate[facet]))
        elif fault is not None:
            values |= with_prefix(facet, all_undefined(overlap.ROUGE, fault.reason))
    return _Compared(values, [abstract, text, reference, candidate], not text.strip(), fault)


def _facet_rouge(facet: str, reference: Record | None, candidate: Record | None) -> dict[str, Value]:
    if reference is None:
        return all_undefined(overlap.ROUGE, f"no {facet} in the abstract")
    if candidate is None:
        return dict.fromkeys(overlap.ROUGE, Value(0.0))
    return rouge_f1(reference["text"], candidate["text"])


def rouge_f1(reference: str, candidate: str) -> dict[str, Value]:
    """ROUGE-1, -2 and -L F1, unstemmed."""
    scores = rouge(False)(reference, candidate)
    if scores is None:
        return all_undefined(overlap.ROUGE, overlap.NO_REFERENCE_WORDS)
    return {name: Value(score.f1) for name, score in scores.items()}


def judging_failure(record: PaperRecord) -> str | None:
    """The reason in ``errors`` why st-judge could not rate the facets of a record at all; None if there is none."""
    told = [
        fault.get("reason", "no reason given")
        for fault in failures(record)
        if isinstance(fault, dict)
        and fault.get("command") == "st-judge"
        and fault.get("task") in (None, "facets")
        and fault.get("kind") != "missing-parts"
    ]
    return f"judging failed: {told[-1]}" if told else None


def _score_ratings(record: PaperRecord, judged: Record | None, failed: str | None) -> tuple[dict[str, Value], Record]:
    """The facet scores of one system from its ratings, and counts of missing ratings."""
    if judged is None:
        wanted = [facet for facet in FACETS if facet in (_facets_in_abstract(record) or FACETS)]
        why = failed or "no ratings of this system"
        reasons = {part: why if part in (OVERALL, *wanted) else lacks_facet(part) for part in (OVERALL, *FACETS)}
        values = {f"{part}.score": Value(None, reason) for part, reason in reasons.items()}
        return values, nonzero(n_unrated=len(wanted) if failed else 0)
    missing = _missing_ratings(record, judged)
    ratings = {facet: rating for facet, rating in judged["ratings"].items() if facet not in missing}
    scores = facet_score(ratings) | {facet: Value(None, reason) for facet, reason in missing.items()}
    if missing:
        scores[OVERALL] = Value(None, f"{scores[OVERALL].reason}: {next(iter(missing.values()))}")
    lacking = scores[OVERALL].value is not None and None in ratings.values()
    counts = nonzero(n_unrated=len(set(FACETS) - set(ratings)), n_renormalised=lacking)
    return {f"{part}.score": value for part, value in scores.items()}, counts


def _missing_ratings(record: PaperRecord, judged: Entry) -> dict[str, str]:
    """Facets whose rating is null although the reference has them, with the reasons."""
    reasons, known = judged.get("reasons") or {}, _facets_in_abstract(record)
    missing = {}
    for facet in (facet for facet, rating in judged["ratings"].items() if rating is None):
        told = reasons.get(facet)
        if facet in (judged.get("missing") or ()) or told not in (None, lacks_facet(facet)):
            missing[facet] = told or "judging failed"
        elif facet in known and judged.get("reference", "abstract") == "abstract":
            missing[facet] = f"{facet} is in the abstract, and has no rating"
    return missing


def _facets_in_abstract(record: PaperRecord) -> set[str]:
    found = [entry for entry in read(record, "facets") or () if entry["in"] == "abstract"]
    return {facet for facet in FACETS if found and found[0].get(facet) is not None}


def _has_keys(record: PaperRecord) -> bool:
    rated = isinstance(record.get("judgements"), dict) and bool(record["judgements"].get("facets"))
    return rated or bool(record.get("facets") and read(record, "summaries"))


METRICS = {
    "facets": Metric(
        "facets of abstract and summaries (st-facets), for the score judgements.facets",
        "ROUGE-1/2/L F1 overall and per facet; facet score overall and per facet, renormalised",
        values_in(SHARE, "*.score", *(f"*.{name}" for name in overlap.ROUGE)),
        _has_keys,
        facet_scores,
    )
}
