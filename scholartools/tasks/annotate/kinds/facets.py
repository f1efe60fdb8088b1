"""Facets marked in abstracts and summaries (Facet-aware Metric, section 3.2)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from scholartools.metrics.items.facet_score import MAXIMA
from scholartools.records import Entry, Record, read, spans_text
from scholartools.tasks.annotate.description import Item, Kind, Part, Scale, Spans, only_rater
from scholartools.tasks.judge.entries import Sampled, heading, with_judgements
from scholartools.tasks.judge.facet_ratings.prompted import judgement, pairs_of
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_LABELS = (*FACETS, "other")
_LACKS = "(none)"
_BROAD = {
    "1": "The summary lacks this facet, or contradicts it.",
    "2": "The summary states part of it.",
    "3": "The summary states the same.",
}
_DETAILED = {
    "1": "The summary lacks this facet, or contradicts it.",
    "2": "The summary states the main point without details.",
    "3": "The summary states the main point and some details.",
    "4": "The summary states the same with all details.",
}


def _texts(record: PaperRecord) -> Iterator[Item]:
    paper = str(record.get("id"))
    if abstract := read(record, "abstract"):
        yield Item(f"{paper}/abstract", paper, paper, (Part("text", "Text", abstract, "abstract"),))
    for summary in read(record, "summaries") or ():
        name = f"summary:{summary['system']}"
        yield Item(f"{paper}/{name}", paper, paper, (Part("text", "Text", summary["text"], name),))


def _put(record: Record, given: Mapping[str, Mapping[str, Record]]) -> Record:
    paper = str(record.get("id"))
    earlier = read(record, "annotations") or {}
    entries: list[Entry] = list(earlier.get("facets") or ())
    texts = {item.id.removeprefix(f"{paper}/"): item.parts[0].text for item in _texts(record)}
    for item, said in given.items():
        name = item.removeprefix(f"{paper}/")
        for rater, answers in said.items():
            if (spans := answers.get("facets")) is not None:
                entry = {"in": name, "by": rater, **{label: _extract(spans, label, texts[name]) for label in _LABELS}}
                entries = [one for one in entries if (one["in"], one["by"]) != (name, rater)] + [entry]
    return {**record, "annotations": {**earlier, "facets": entries}} if entries else record


def _extract(spans: list[Record], label: str, text: str) -> Record | None:
    own = [{key: span[key] for key in ("in", "start", "end")} for span in spans if span["label"] == label]
    return {"text": spans_text(text, own), "spans": own} if own else None


def _rated(record: Record) -> Iterator[Item]:
    """Each summary with the reference, by facet."""
    paper = str(record.get("id"))
    for system, pairs in itertools.groupby(pairs_of(record, None, None), key=lambda pair: pair.system):
        parts = []
        for pair in pairs:
            parts.append(Part(f"{pair.facet}-0", f"{pair.facet}: reference", pair.reference or _LACKS))
            parts.append(Part(f"{pair.facet}-1", f"{pair.facet}: summary", pair.candidate or _LACKS))
        yield Item(f"{paper}/{system}", paper, paper, tuple(parts), stratum=system)


def _put_ratings(record: Record, given: Mapping[str, Mapping[str, Record]]) -> Record:
    """The only rater's ratings as ``judgements.facets``; none if the reference lacks a facet."""
    by, entries = only_rater(given), []
    for system, pairs in itertools.groupby(pairs_of(record, None, None), key=lambda pair: pair.system):
        if (said := given.get(f"{record.get('id')}/{system}")) is not None:
            own = list(pairs)
            given_ = [said[by].get(pair.facet) for pair in own]
            rated = [
                None if pair.reference is None else Sampled(value, [value], None if value is not None else "no answer")
                for pair, value in zip(own, given_, strict=True)
            ]
            entries.append({**heading(system, None, None, by), **judgement(own, rated)})
    return with_judgements(record, "facets", entries)


KINDS = (
    Kind(
        "facet-spans",
        "Facets of a text",
        "an abstract or a summary",
        "Mark every passage with its facet. background: introduction, problem, objectives. "
        "method: methods, comparisons. result: observations, analysis. conclusion: conclusions, "
        "limitations, outlook. other: text outside the argument, such as copyright or "
        "registration.",
        (Spans("facets", "Which passage belongs to which facet?", part="text", labels=_LABELS),),
        _texts,
        _put,
    ),
    Kind(
        "facet-ratings",
        "Facets of a summary",
        "a summary and its reference, facet by facet",
        "For each facet, rate how well the summary agrees with the reference. If the reference "
        "lacks the facet, leave the rating empty. If only the summary lacks it, the rating is 1.",
        tuple(
            Scale(
                facet,
                f"How far does the summary have the reference's {facet}?",
                is_required=False,
                high=MAXIMA[facet],
                levels=_DETAILED if MAXIMA[facet] == 4 else _BROAD,
            )
            for facet in FACETS
        ),
        _rated,
        _put_ratings,
    ),
)
