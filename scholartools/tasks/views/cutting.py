"""Split a text at the ends of spans, so that each piece is covered by a constant set of spans."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from scholartools.records import Record
from scholartools.tasks.facets.facet_sets import LABELS
from scholartools.vocabulary import FACETS


class Piece(NamedTuple):
    """A stretch of a text covered by a constant set of spans.

    Attributes:
        names: names of the covering spans, in the given order; empty if there are none.
        begins: names of the spans that start here.
    """

    text: str
    names: tuple[str, ...]
    begins: tuple[str, ...]

    @property
    def kinds(self) -> list[str]:
        """Kinds of the covering spans: names without numbers."""
        return list(dict.fromkeys(name.partition("-")[0] for name in self.names))


def cut(text: str, spans: Iterable[tuple[str, int, int]]) -> Iterator[Piece]:
    """Split a text into pieces whose concatenation is the text.

    Args:
        spans: name, start and end of each. They may overlap and share names; empty ones are ignored, and those beyond
            the end are truncated.
    """
    order: dict[str, int] = {}
    begins: dict[int, set[str]] = defaultdict(set)
    changes: dict[int, Counter[str]] = defaultdict(Counter)
    for name, start, end in spans:
        if start < min(end, len(text)):
            order.setdefault(name, len(order))
            begins[start].add(name)
            changes[start][name] += 1
            changes[min(end, len(text))][name] -= 1
    depth: Counter[str] = Counter()
    for start, end in pairwise(sorted({0, len(text), *changes})):
        depth.update(changes[start])
        for name in changes[start]:
            if not depth[name]:
                del depth[name]
        covering = tuple(sorted(depth, key=order.__getitem__))
        yield Piece(text[start:end], covering, tuple(name for name in covering if name in begins[start]))


def cut_facets(text: str, found: Record) -> Iterator[Piece]:
    """Split a text at the facets of its FacetSet; names are facets."""
    spans = ((label, (found.get(label) or {"spans": ()})["spans"]) for label in LABELS)
    return cut(text, ((label, span["start"], span["end"]) for label, of_label in spans for span in of_label))


def absent_facets(found: Record) -> list[str]:
    """The facets that the text lacks."""
    return [facet for facet in FACETS if not found[facet]]
