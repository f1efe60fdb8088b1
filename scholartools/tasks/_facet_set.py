"""What both ways of labelling share: the labels, the texts of a record, and the FacetSet of one of them."""

from __future__ import annotations

from collections.abc import Iterable

from scholartools.errors import InputFault
from scholartools.records import Record, read, spans_text, texts
from scholartools.vocabulary import FACETS

COMMAND = "st-facets"

#: What a sentence can be; ``other`` takes what is no part of the argument.
LABELS: tuple[str, ...] = (*FACETS, "other")


def named_texts(record: Record) -> dict[str, str]:
    """The texts to label, by name.

    Raises:
        InputFault: there is none, or a value is of the wrong type.
    """
    named = texts({key: record[key] for key in ("id", "abstract", "summaries") if key in record})
    if not any(name != "abstract" or text.strip() for name, text in named.items()):
        raise InputFault('no "abstract" or "summaries": run st-parse first', kind="missing-key")
    read(record, "provenance")
    return named


def facet_set(name: str, text: str, by: str, runs: dict[str, list[Record]]) -> Record:
    """The FacetSet of one text from the spans of each label; null for a label that has none."""
    extracts = {facet: _extract(text, runs[facet]) if runs.get(facet) else None for facet in LABELS}
    return {"in": name, "by": by, **extracts}


def _extract(text: str, run: Iterable[Record]) -> Record:
    """The spans in the text's order, each once."""
    spans = sorted({(span["start"], span["end"]): span for span in run}.values(), key=lambda span: span["start"])
    return {"text": spans_text(text, spans), "spans": spans}
