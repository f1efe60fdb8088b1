"""Facets that people mark in abstracts and summaries (Facet-aware Metric, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scholartools.records import Entry, Record, read, spans_text
from scholartools.tasks.annotate.description import Item, Kind, Part, Spans
from scholartools.vocabulary import FACETS

_LABELS = (*FACETS, "other")


def _texts(record: Record) -> Iterator[Item]:
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


KINDS = (
    Kind(
        "facet-spans",
        "Facets of a text",
        "an abstract or a summary",
        "Mark every passage by what it says: background (introduction, problem, objectives), method (methods, "
        "comparisons), result (observations, analysis), conclusion (conclusions, limitations, outlook); other is "
        "what is no part of the argument, such as copyright or registration.",
        (Spans("facets", "Which passages are of which facet?", part="text", labels=_LABELS),),
        _texts,
        _put,
    ),
)
