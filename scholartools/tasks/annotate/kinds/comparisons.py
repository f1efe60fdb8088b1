"""The tasks of model judges, for human raters: comparisons of texts, and equations (CLAIMCHECK, 4; AAAR-1.0)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Record, need, read
from scholartools.tasks.annotate.description import (
    Candidate,
    Choice,
    Item,
    Kind,
    Part,
    Pick,
    Spans,
    Text,
    Winner,
    YesNo,
    only_rater,
)  # fmt: skip
from scholartools.tasks.claims.base import items_of, reviews_of
from scholartools.tasks.judge.entailment import inputs as entailment
from scholartools.tasks.shared.questions import read_question
from scholartools.text.sentences import spans as cut

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_SAME = {
    "same": "Both find the same fault with the claim.",
    "similar": "They find related faults: correcting one corrects part of the other.",
    "different": "They find different faults.",
}
_SUPPORTED = {
    "supported": "The passage shows that the criticism of the claim is correct.",
    "not-supported": "The passage does not show it, or contradicts it.",
    "unclear": "The passage is not sufficient to decide.",
}


def _rewritings(record: PaperRecord) -> Iterator[Item]:
    """Each weakness with each of its rewritings, blinded."""
    paper = str(record.get("id"))
    for weakness in items_of(record, "weaknesses", "weaknesses"):
        for entry in weakness.get("edited") or ():
            if entry["text"] is None or entry["text"] == weakness["text"]:
                continue
            sides = (Candidate("original", weakness["text"]), Candidate("revised", entry["text"]))
            name = f"{paper}/{weakness['id']}/{entry['system']}"
            yield Item(name, paper, f"{paper}/{weakness['review']}", (), sides, stratum=entry["system"])


def _verified_pairs(record: PaperRecord) -> Iterator[Item]:
    """Verifications of the same claim by a reviewer and by a system; undisputed claims are in no pair."""
    paper = str(record.get("id"))
    usable = [
        one
        for one in need(record, "verifications", "run st-claims verify first")
        if one["text"] and not one.get("control")
    ]
    for reviewer in (one for one in usable if one["side"] == "reviewer"):
        for model in (one for one in usable if one["side"] == "model"):
            if model["claim"]["text"] == reviewer["claim"]["text"]:
                sides = (Candidate("reviewer", reviewer["text"] or ""), Candidate("model", model["text"] or ""))
                parts = (Part("claim", "Claim", model["claim"]["text"]),)
                yield Item(f"{paper}/{reviewer['id']}/{model['id']}", paper, paper, parts, sides, model["system"])


def _verifications(record: PaperRecord) -> Iterator[Item]:
    """Each verification with each passage of its evidence."""
    paper = str(record.get("id"))
    for one in need(record, "verifications", "run st-claims verify first"):
        name = f"{paper}/{one['id']}"
        for number, evidence in enumerate(one.get("evidence") or (), 1):
            passage = evidence.get("text") or ""
            if one["text"] is not None and passage.strip():
                parts = (
                    Part("claim", "Claim", one["claim"]["text"]),
                    Part("said", "Criticism", one["text"]),
                    Part("passage", "Passage", passage),
                )
                yield Item(f"{name}/{number}", paper, name, parts, stratum=one["system"])


def _entailments(record: Record) -> Iterator[Item]:
    """Each experiment of one side with the list of the other side, blinded."""
    paper = str(record.get("id"))
    for question in entailment.questions(entailment.read_sides(record, None, None)):
        if not question.needs_call:
            continue
        listed = tuple(Candidate(str(other.id), other.text) for other in question.others)
        name = f"{paper}/{question.system}/{question.side}/{question.item.id}"
        parts = (Part("item", "Experiment", question.item.text),)
        yield Item(name, paper, paper, parts, listed, stratum=question.system)


def _options(record: Record) -> Iterator[Item]:
    """Each option of a question about an equation, in its context."""
    paper = str(record.get("id"))
    asked = read_question(record)
    for name, option in asked.options.items():
        parts = (
            Part("before", "Text before", asked.before),
            Part("equation", "Equation", option["latex"]),
            Part("after", "Text after", asked.after),
        )
        yield Item(f"{paper}/{name}", paper, paper, parts)


def _questions(record: Record) -> Iterator[Item]:
    paper = str(record.get("id"))
    asked = read_question(record)
    parts = (Part("before", "Text before", asked.before), Part("after", "Text after", asked.after))
    yield Item(paper, paper, paper, parts, tuple(Candidate(name, one["latex"]) for name, one in asked.options.items()))


def _deficiencies(record: PaperRecord) -> Iterator[Item]:
    """Each segment of a review, within the review."""
    paper, found = str(record.get("id")), False
    for review in read(record, "reviews") or ():
        for number, segment in enumerate(review.get("segments") or (), 1):
            found = True
            text = review["text"][segment["start"] : segment["end"]]
            parts = (Part("review", "Review", review["text"]), Part("segment", "Segment", text))
            yield Item(f"{paper}/{review['id']}/{number}", paper, f"{paper}/{review['id']}", parts)
    if not found:
        raise InputFault('no review has "segments": st-judge review has an option that cuts them', kind="missing-key")


def _reviews(record: Record) -> Iterator[Item]:
    paper = str(record.get("id"))
    for review in reviews_of(record):
        parts = (Part("review", "Review", review["text"], f"review:{review['id']}"),)
        yield Item(f"{paper}/{review['id']}", paper, f"{paper}/{review['id']}", parts)


def _put_segments(record: Record, given: Mapping[str, Mapping[str, Record]]) -> Record:
    """Segments of each review by the only rater: deficient passages, and the sentences in between."""
    by, made = only_rater(given), []
    for review in record["reviews"]:
        said = given.get(f"{record.get('id')}/{review['id']}")
        spans = None if said is None else said[by].get("segments")
        if spans is not None:
            segments, position = [], 0
            for start, end in [*((span["start"], span["end"]) for span in spans), (len(review["text"]), None)]:
                if start < position:
                    raise InputFault(f'review "{review["id"]}": two passages overlap', kind="invalid-key")
                rest = [(position + one, position + other) for one, other in cut(review["text"][position:start])]
                segments += [{"start": one, "end": other, "deficient": False} for one, other in rest]
                if end is not None:
                    segments.append({"start": start, "end": end, "deficient": True})
                    position = end
            review = {**review, "segments": segments}
        made.append(review)
    return {**record, "reviews": made}


def _put_deficiencies(record: Record, given: Mapping[str, Mapping[str, Record]]) -> Record:
    """Add the only rater's answers to the segments."""
    by, made = only_rater(given), []
    for review in record["reviews"]:
        segments = []
        for number, segment in enumerate(review.get("segments") or (), 1):
            answers = given.get(f"{record.get('id')}/{review['id']}/{number}", {}).get(by, {})
            new = {key: answers[key] for key in ("deficient", "explanation") if answers.get(key) is not None}
            segments.append({**segment, **new})
        made.append({**review, "segments": segments} if segments else review)
    return {**record, "reviews": made}


KINDS = (
    Kind(
        "segments",
        "Deficient passages of a review",
        "a review",
        "A passage is deficient if it is wrong, unfair, or useless for the authors.",
        (
            Spans("segments", "Which passages are deficient?", part="review", labels=("deficient",)),
            Text("explanation", "Why?", is_required=False),
        ),
        _reviews,
        _put_segments,
    ),
    Kind(
        "specificity",
        "Which version is more specific",
        "two versions of one criticism",
        "A criticism is more specific if it describes more clearly what is wrong and how to correct it.",
        (Winner("winner", "Which version is more specific?"),),
        _rewritings,
    ),
    Kind(
        "same-issue",
        "Two criticisms of one claim",
        "two criticisms of one claim",
        "",
        (Choice("verdict", "Do both find the same fault?", values=tuple(_SAME), meanings=_SAME),),
        _verified_pairs,
    ),
    Kind(
        "verifications",
        "Criticisms and their evidence",
        "a criticism of a claim, with a passage of the paper",
        "",
        (
            Choice(
                "verdict",
                "Does the passage support the criticism of the claim?",
                values=tuple(_SUPPORTED),
                meanings=_SUPPORTED,
            ),
        ),
        _verifications,
    ),
    Kind(
        "entailment",
        "Experiments covered by a list",
        "an experiment and a list of other experiments",
        "An experiment is covered if anyone who did the experiments in the list would also have done this one.",
        (
            YesNo("entailed", "Is the experiment covered by the candidates?"),
            Pick("which", "Which candidates cover it?", is_required=False, at_most=10),
        ),
        _entailments,
    ),
    Kind(
        "equations",
        "Equations in their context",
        "an equation in its context",
        "",
        (
            YesNo("correct", "Is the equation right here?"),
            Text("why", "Why not?", is_required=False),
        ),
        _options,
    ),
    Kind(
        "equation-choice",
        "The right one of several equations",
        "a place of a paper with several equations for it",
        "",
        (Pick("correct", "Which equation is right here?"),),
        _questions,
    ),
    Kind(
        "segment-labels",
        "Deficient segments of reviews",
        "a segment of a review",
        "A segment is deficient if it is wrong, unfair, or useless for the authors.",
        (
            YesNo("deficient", "Is the segment deficient?"),
            Text("explanation", "Why?", is_required=False),
        ),
        _deficiencies,
        _put_deficiencies,
    ),
)
