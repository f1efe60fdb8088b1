"""Check that every text of a record equals the slices of its spans."""

from __future__ import annotations

from typing import Any

from scholartools import records


def spans_of(node: Any):
    """Yield every object with a text and spans, anywhere in a record."""
    if isinstance(node, dict):
        if isinstance(node.get("text"), str) and isinstance(node.get("spans"), list):
            yield node
        for value in node.values():
            yield from spans_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from spans_of(value)


def check_spans(record: dict) -> int:
    """Assert that every text equals the slices of its spans; return the number of texts."""
    sources = records.texts(record)
    sources |= {f"caption:{caption['id']}": caption["text"] for caption in record.get("captions") or ()}
    found = list(spans_of(record))
    for item in found:
        slices = [sources[span["in"]][span["start"] : span["end"]] for span in item["spans"]]
        assert item["text"] == " ".join(slices)
    return len(found)
