"""Convert a value of a record to page nodes: text, links within the page, lists, and name-value pairs.

Generic, so that a page shows all keys of a record, including those added by future commands.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from scholartools.json_text import dumps

UNDEFINED = "\N{EN DASH}"
# More deeply nested values, which no record type has, are shown as JSON.
_DEPTH = 6


class Node(NamedTuple):
    """An element of a page.

    Attributes:
        kind: "text", "link" (``target`` is an anchor), "list" (``value`` has nodes), "facts" (pairs of name and node).
    """

    kind: str
    value: Any
    target: str = ""


class Links:
    """Anchors of the items of a record on a page, by kind and id."""

    def __init__(self) -> None:
        self._targets: dict[tuple[str, str], tuple[str, str]] = {}

    def add(self, kind: str, id: str, shown: str, anchor: str) -> None:
        """Register an item; the first of several with the same id is used, and non-text ids are ignored."""
        if isinstance(id, str):
            self._targets.setdefault((kind, id), (shown, anchor))

    def find(self, kind: str, id: Any) -> Node | None:
        """Link to an item; None if the page does not show it."""
        found = self._targets.get((kind, id)) if isinstance(id, str) else None
        return Node("link", found[0], found[1]) if found else None


# Keys whose values are ids, with the kind of the referenced items.
_NAMES_KIND = {
    "claim": "claim", "claims": "claim", "tentative": "claim", "inside": "claim", "disputed by": "weakness",
    "weakness": "weakness", "review": "text", "section": "text", "sections": "text", "limitation": "limitation",
    "reviewer": "verification", "model": "verification", "in": "text",
}  # fmt: skip


def describe(value: Any, links: Links, kind: str = "", depth: int = 0) -> Node:
    """Convert a value to a node.

    Args:
        links: links within the page.
        kind: kind of the items that ids in the value refer to.
    """
    if isinstance(value, Mapping) and depth < _DEPTH:
        return Node("facts", facts(value, links, depth=depth + 1))
    if isinstance(value, list) and depth < _DEPTH:
        if value and all(_is_span(one) for one in value):
            return Node("list", [_describe_span(one, links) for one in value])
        return Node("list", [describe(one, links, kind, depth + 1) for one in value])
    return (links.find(kind, value) if kind else None) or Node("text", as_text(value))


def facts(
    item: Mapping[str, Any], links: Links, without: Collection[str] = (), depth: int = 0
) -> list[tuple[str, Node]]:
    """Names and nodes of the values of an item; empty ones are omitted, as is null unless there is a reason.

    Args:
        without: keys to omit.
    """
    has_reason = bool(item.get("reason"))
    return [
        (name.replace("_", " "), describe(value, links, _NAMES_KIND.get(name, ""), depth))
        for name, value in item.items()
        if name not in without and (value is not None or has_reason) and value != [] and value != {}
    ]


def as_text(value: Any) -> str:
    """Format a value: numbers to four decimals, null as a dash, objects as JSON."""
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return as_number(value)
    return dumps(value).decode()


def as_number(value: float | None, digits: int = 4) -> str:
    """Format a number to so many decimals, more if it would round to 0; null as a dash."""
    if value is None:
        return UNDEFINED
    if value and abs(value) < 10**-digits and math.isfinite(value):
        return f"{value:.2g}"
    rounded = round(value, digits)
    return str(int(rounded)) if float(rounded).is_integer() and abs(rounded) < 2**53 else str(rounded)


def _is_span(value: Any) -> bool:
    """Whether a value is a plain span."""
    return isinstance(value, Mapping) and value.keys() == {"in", "start", "end"}


def _describe_span(span: Mapping[str, Any], links: Links) -> Node:
    place = f"{span['in']}, {span['start']} to {span['end']}"
    found = links.find("text", span["in"])
    return Node("link", place, found.target) if found else Node("text", place)
