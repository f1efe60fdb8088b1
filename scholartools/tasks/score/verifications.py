"""Evidence of verifications, and how often a model faults claims that nobody disputed (CLAIMCHECK, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.metrics.values import Value
from scholartools.records import Record, nonzero, read
from scholartools.tasks.claims.base import paper_texts
from scholartools.tasks.claims.entries import count_authors
from scholartools.tasks.claims.marks import refuse_stale_verifications
from scholartools.tasks.score.metric import (
    NOT_NEGATIVE,
    LeftOut,
    Metric,
    Options,
    each_system,
    entry,
    read_entries,
    values_in,
)
from scholartools.tasks.shared.judgements import by_name
from scholartools.text.ngrams import LENGTH, ngrams

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

#: The counts; the values over the whole input are ratios of these.
COUNTS = (
    "n_disputed", "n_disputed_faulted", "n_controls", "n_controls_faulted", "n_model", "n_model_leaked", "n_reviewer",
    "n_reviewer_copied", "n_evidence", "n_evidence_cited", "n_evidence_related", "n_evidence_rejected",
)  # fmt: skip


def verification_entries(record: Record, _: Options) -> Iterator[Record | LeftOut]:
    """Counts over each system's verifications.

    ``faulted``: the model names a type of weakness, for claims that a reviewer disputed and for undisputed controls; if
    the model was instructed that something is wrong, all disputed claims are faulted by design. ``leaked``: the
    reasoning of the model shares eight consecutive words with a review, but not with the paper, although it was not
    given the reviews. ``copied``: the reviewer's side shares them with the weakness that it should paraphrase. Evidence
    is counted as kept, cited by the reasoning, from related papers, and rejected because it does not occur. A
    verification with null reasoning counts in ``faulted`` and by its evidence. A system with verifications of outdated
    texts is left out.
    """
    verifications, left_out = read_entries(record, "verifications")
    if verifications is None:
        raise InputFault('no "verifications": run st-claims verify first', kind="missing-key")
    yield from left_out
    by_name(verifications, "id", "verifications")
    foreign = _words_of_reviews(record)
    rejected = [one.get("verification") for one in read(record, "rejected") or () if one.get("step") == "verify"]

    def make(system: str) -> Iterator[Record]:
        own = [one for one in verifications if one["system"] == system]
        refuse_stale_verifications(record, own)
        yield _score_system(system, own, foreign, rejected)

    yield from each_system(dict.fromkeys(one["system"] for one in verifications), make)


def _score_system(system: str, own: Sequence[Record], foreign: set[str], rejected: Sequence[str | None]) -> Record:
    usable = [one for one in own if one["text"] is not None or _has_verdict(one)]
    counts = _count_sides(usable, foreign) | _count_evidence(usable)
    counts["n_evidence_rejected"] = sum(rejected.count(one["id"]) for one in usable)
    values = {name: Value(float(counts[name])) for name in COUNTS}
    lost = nonzero(n_unjudged=len(own) - len(usable))
    inputs = [
        [one["side"], one.get("types"), one["text"], one.get("evidence"), one.get("copied"), one.get("targets")]
        for one in usable
    ]
    disputed = [one for one in usable if not one.get("control")]
    inputs = [inputs, sorted(foreign)]
    return entry("verifications", system, values, inputs, {"words": LENGTH}, **count_authors(disputed), **lost)


def _has_verdict(verification: Record) -> bool:
    """Whether a verification without reasoning has evidence and, for the model's side, types."""
    needed = ("evidence", "types") if verification["side"] == "model" else ("evidence",)
    return all(verification.get(name) is not None for name in needed)


def _words_of_reviews(record: PaperRecord) -> set[str]:
    """The word n-grams of the reviews that do not occur in the paper."""
    own = {gram for text in paper_texts(record).values() for gram, _ in ngrams(text)}
    return {gram for review in read(record, "reviews") or () for gram, _ in ngrams(review["text"])} - own


def _count_sides(usable: Sequence[Record], foreign: set[str]) -> dict[str, int]:
    of_model = [one for one in usable if one["side"] == "model"]
    in_words = [one for one in of_model if one["text"] is not None]
    of_reviewer = [one for one in usable if one["side"] == "reviewer" and one["text"] is not None]
    controls = [one for one in of_model if one.get("control")]
    disputed = [one for one in of_model if not one.get("control")]
    leaked = [one for one in in_words if any(gram in foreign for gram, _ in ngrams(one["text"]))]
    return {
        "n_disputed": len(disputed),
        "n_disputed_faulted": sum(bool(one.get("types")) for one in disputed),
        "n_controls": len(controls),
        "n_controls_faulted": sum(bool(one.get("types")) for one in controls),
        "n_model": len(in_words),
        "n_model_leaked": len(leaked),
        "n_reviewer": len(of_reviewer),
        "n_reviewer_copied": sum(bool(one.get("copied")) for one in of_reviewer),
    }


def _count_evidence(usable: Sequence[Record]) -> dict[str, int]:
    evidence = [(piece, one) for one in usable for piece in one.get("evidence") or ()]
    return {
        "n_evidence": len(evidence),
        "n_evidence_cited": sum(piece["label"] in (one.get("cited") or ()) for piece, one in evidence),
        "n_evidence_related": sum(piece.get("paper") is not None for piece, _ in evidence),
    }


METRICS = {
    "verifications": Metric(
        "verifications",
        "share of disputed claims and of controls that a model faults; shares that repeat a review or the weakness; "
        "evidence cited, from related papers, rejected; over all records",
        values_in(NOT_NEGATIVE, *COUNTS),
        lambda record: bool(record.get("verifications")),
        verification_entries,
    ),
}
