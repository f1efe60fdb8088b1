"""A text cut where its facets begin and end, for the page that highlights them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from scholartools.records import Record
from scholartools.tasks.facets.facet_sets import LABELS
from scholartools.vocabulary import FACETS


class Piece(NamedTuple):
    """A stretch of a text that the same facets cover throughout.

    Attributes:
        facets: those that cover it, in the order of LABELS; none where no span is.
        begins: of these, the ones of which a span begins here.
    """

    text: str
    facets: tuple[str, ...]
    begins: tuple[str, ...]


def split_pieces(text: str, found: Record) -> Iterator[Piece]:
    """The text in pieces, nothing left out; joined they are the text.

    Args:
        found: a FacetSet of this text. Spans may overlap, as those of a model do.
    """
    begins: dict[int, set[str]] = defaultdict(set)
    changes: dict[int, Counter[str]] = defaultdict(Counter)
    for label, start, end in _iter_spans(text, found):
        begins[start].add(label)
        changes[start][label] += 1
        changes[end][label] -= 1
    depth: Counter[str] = Counter()
    for start, end in pairwise(sorted({0, len(text), *changes})):
        depth.update(changes[start])
        covering = tuple(label for label in LABELS if depth[label])
        yield Piece(text[start:end], covering, tuple(label for label in covering if label in begins[start]))


def absent_facets(found: Record) -> list[str]:
    """The facets of which the text has nothing."""
    return [facet for facet in FACETS if not found[facet]]


def _iter_spans(text: str, found: Record) -> Iterator[tuple[str, int, int]]:
    """Label, start and end of every span that holds text."""
    for label in LABELS:
        for span in (found.get(label) or {"spans": ()})["spans"]:
            if span["start"] < min(span["end"], len(text)):
                yield label, span["start"], min(span["end"], len(text))
