"""A value of a record as the nodes of a page: texts, links to what the page shows, lists, and names with values.

Whatever a command adds to an item is shown without being named here, so that its page has all that a record holds.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from scholartools.json_text import dumps

UNDEFINED = "\N{EN DASH}"
# Values that are deeper than any type of a record goes are shown as JSON.
_DEPTH = 6


class Node(NamedTuple):
    """A part of a page.

    Attributes:
        kind: "text", "link" (``target`` is an anchor), "list" (``value`` has nodes), "facts" (pairs of name and node).
    """

    kind: str
    value: Any
    target: str = ""


class Links:
    """The anchors of what a page shows of one record, by the kind and the id with which items name each other."""

    def __init__(self) -> None:
        self._targets: dict[tuple[str, str], tuple[str, str]] = {}

    def add(self, kind: str, id: str, shown: str, anchor: str) -> None:
        """Take an item; of several with one id the first is meant. What is no text names nothing."""
        if isinstance(id, str):
            self._targets.setdefault((kind, id), (shown, anchor))

    def find(self, kind: str, id: Any) -> Node | None:
        """A link to an item, None where the page has no such item."""
        found = self._targets.get((kind, id)) if isinstance(id, str) else None
        return Node("link", found[0], found[1]) if found else None


# The keys whose values are ids, with the kind of what they name.
_NAMES_KIND = {
    "claim": "claim", "claims": "claim", "tentative": "claim", "inside": "claim", "disputed by": "weakness",
    "weakness": "weakness", "review": "text", "section": "text", "sections": "text", "limitation": "limitation",
    "reviewer": "verification", "model": "verification", "in": "text",
}  # fmt: skip


def describe(value: Any, links: Links, kind: str = "", depth: int = 0) -> Node:
    """The node of a value.

    Args:
        links: to what the page shows.
        kind: of the items that texts in the value may name.
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
    """Name and node of each value of an item that says something: of what is null, only where a reason is beside.

    Args:
        without: names that are shown elsewhere, or nowhere.
    """
    has_reason = bool(item.get("reason"))
    return [
        (name.replace("_", " "), describe(value, links, _NAMES_KIND.get(name, ""), depth))
        for name, value in item.items()
        if name not in without and (value is not None or has_reason) and value != [] and value != {}
    ]


def as_text(value: Any) -> str:
    """A value in words: numbers to four places behind the point, null as a dash, objects as JSON."""
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
    """A number to so many places behind the point, at least as many digits as tell it from 0; null as a dash."""
    if value is None:
        return UNDEFINED
    if value and abs(value) < 10**-digits and math.isfinite(value):
        return f"{value:.2g}"
    rounded = round(value, digits)
    return str(int(rounded)) if float(rounded).is_integer() and abs(rounded) < 2**53 else str(rounded)


def _is_span(value: Any) -> bool:
    """Whether a value is a span and nothing more."""
    return isinstance(value, Mapping) and value.keys() == {"in", "start", "end"}


def _describe_span(span: Mapping[str, Any], links: Links) -> Node:
    place = f"{span['in']}, {span['start']} to {span['end']}"
    found = links.find("text", span["in"])
    return Node("link", place, found.target) if found else Node("text", place)
