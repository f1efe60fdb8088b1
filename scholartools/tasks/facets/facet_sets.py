"""Labels, input texts and the FacetSet structure, shared by both methods of labelling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Entry, Record, need, read, replace_rejected, spans_text, summary_faults, texts
from scholartools.signature import fingerprint
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

COMMAND = "st-facets"

#: Labels of sentences; ``other`` is for sentences outside the argument.
LABELS: tuple[str, ...] = (*FACETS, "other")


def named_texts(record: Record) -> dict[str, str]:
    """The texts to label, by name.

    Malformed summaries are skipped; the caller reports them with ``tell_missing_summaries`` of ``tasks.shared.items``.

    Raises:
        InputFault: there are no texts, or a value has the wrong type.
    """
    named = texts({key: record[key] for key in ("id", "abstract", "summaries") if key in record})
    if not any(name != "abstract" or text.strip() for name, text in named.items()):
        for fault in summary_faults(record).values():
            raise fault
        empty = 'the "abstract" is empty, and there are no "summaries"'
        reason = (
            empty
            if "abstract" in record
            else 'no "abstract" or "summaries": name the key or column of it "abstract", or run st-parse first'
        )
        raise InputFault(reason, kind="missing-key")
    read(record, "provenance")
    return named


def facet_set(name: str, text: str, by: str, runs: dict[str, list[Record]]) -> Record:
    """The FacetSet of one text from the spans of each label, with the text's fingerprint; null for labels without
    spans."""
    extracts = {facet: _extract_spans(text, runs[facet]) if runs.get(facet) else None for facet in LABELS}
    return {"in": name, "by": by, "texts": fingerprint(text), **extracts}


def with_rejected(record: Record, rejected: Sequence[Record]) -> Record:
    """Replace the rejected passages of an earlier run."""
    return replace_rejected(record, rejected, lambda entry: entry["command"] == COMMAND)


def _extract_spans(text: str, run: Iterable[Record]) -> Record:
    """Extract of the distinct spans, in the order of the text."""
    spans = sorted({(span["start"], span["end"]): span for span in run}.values(), key=lambda span: span["start"])
    return {"text": spans_text(text, spans), "spans": spans}


RUN_FACETS = "run st-facets first"


def verify_facets(record: Record) -> None:
    """Check that the facets still match the texts, which may have been edited since.

    Raises:
        InputFault: a text is another one than the one that was divided into facets.
    """
    for fault in changed_facets(record).values():
        raise fault


def changed_facets(record: Record) -> dict[str, InputFault]:
    """The texts that changed since their facets were determined, by name, each with the error."""
    named = texts({key: record.get(key) for key in ("abstract", "summaries")})
    faults: dict[str, InputFault] = {}
    for found in record["facets"]:
        source = named.get(found["in"])
        if source is not None and found.get("texts") not in (None, fingerprint(source)):
            reason = f'the facets of "{found["in"]}" are those of another text than the record has: run st-facets again'
            faults.setdefault(found["in"], InputFault(reason, kind="stale"))
        for facet in FACETS:
            extract = found[facet]
            if source is not None and extract is not None and extract["text"] != spans_text(source, extract["spans"]):
                reason = f'the {facet} of "{found["in"]}" is not in that text any more: run st-facets again'
                faults.setdefault(found["in"], InputFault(reason, kind="stale"))
    return faults


def facets_of(record: PaperRecord, name: str) -> Record:
    """The facets of a text by name.

    Raises:
        InputFault: there are none, or several samples, among which the choice would be arbitrary.
    """
    found = [entry for entry in need(record, "facets", RUN_FACETS) if entry["in"] == name]
    if not found:
        raise InputFault(f'no facets of "{name}": run st-facets on a record that has it', kind="missing-key")
    if len(found) > 1:
        raise InputFault(f'{len(found)} samples of the facets of "{name}": keep one of them', kind="invalid-key")
    if found[0].get("reason") is not None:
        raise InputFault(f'the facets of "{name}" are missing: {found[0]["reason"]}', kind="missing-key")
    labelled: Entry = found[0]
    return {facet: labelled[facet] for facet in FACETS}
