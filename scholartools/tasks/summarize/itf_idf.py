"""ITF-IDF of each system's items over the whole input (AAAR-1.0, equations 6 to 8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scholartools.errors import UsageFault
from scholartools.metrics.items import itf_idf as diversity
from scholartools.metrics.items.itf_idf import Empty
from scholartools.metrics.values import Value
from scholartools.paths import ABSENT, Name, lookup
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.score.reviewers import reviewers
from scholartools.tasks.score.soft import GENERATED_WEAKNESSES, PEOPLE, systems_at
from scholartools.tasks.shared.embedder import embedder_for, is_precomputed
from scholartools.text.embeddings.cached import embedder, vectors

if TYPE_CHECKING:
    from numpy import ndarray

METRIC = "soft"


@dataclass(frozen=True)
class _Paper:
    """Items of a system for one paper; ``mark`` is a fingerprint of the texts."""

    name: object
    ids: list[str | None]
    mark: str
    vectors: ndarray


class Diversities:
    """Collects item embeddings (4 bytes per dimension); see ``metrics.items.itf_idf`` for the cost of comparison.

    Args:
        candidate: path of the items, None for the default.
        name: name of the embedder, None for the default.
        threshold: similarity threshold, None for none.
        items: whether to report values of every paper and item.
        empty: treatment of papers without items.
        people: path of the reviewers' items, combined per paper; None to omit the human row.
    """

    def __init__(
        self,
        candidate: str | None,
        name: str | None,
        threshold: float | None,
        *,
        items: bool = False,
        empty: Empty = "zero",
        people: str | None = None,
    ) -> None:
        self._people = people
        self._path = candidate or GENERATED_WEAKNESSES
        self._name, self._threshold, self._items, self._empty = name, threshold, items, empty
        self._papers: dict[tuple[Name | None, str], list[_Paper]] = {}

    def add(self, record: Record, by: Name | None, item: str, scored: Collection[str]) -> None:
        """Add the items of all scored systems of a record.

        Raises:
            InputFault: there are no items.
        """
        name, source = lookup(record, item), embedder_for(record, self._name)
        systems = systems_at(record, self._path, people=self._people is not None)
        if self._people is not None:
            systems |= {PEOPLE: [one for items in reviewers(record, self._people) for one in items]}
        for system, items in systems.items():
            if system not in scored:
                continue
            texts = [one.text for one in items]
            made = vectors(texts, source)
            ids = [one.id for one in items]
            paper = _Paper(None if name is ABSENT else name, ids, fingerprint(texts), made)
            self._papers.setdefault((by, system), []).append(paper)

    def parameters(self, by: Name | None, system: str) -> Record:
        """Parameters that affect a system's values, for the signature; with item values, also the ids."""
        some_empty = not all(paper.ids for paper in self._papers.get((by, system), ()))
        shown = sorted([str([paper.name, paper.ids]) for papers in self._papers.values() for paper in papers])
        return {
            **({"itf_idf_ids": fingerprint(shown)} if self._items else {}),
            "candidate": self._people if system == PEOPLE and self._people else self._path,
            "embedder": self._name if is_precomputed(self._name) else embedder(self._name).name,
            "itf_idf_threshold": self._threshold,
            "itf_idf_items": self._items,
            **({"empty": self._empty} if some_empty else {}),
        }

    def results(self, by: Name | None, system: str) -> tuple[dict[str, Record], dict[str, list[Record]]]:
        """Values of a system with and without threshold; with item values, also ``papers`` with details."""
        papers = sorted(self._papers.get((by, system), ()), key=lambda paper: (paper.mark, str(paper.name)))
        found, plain = _itf_idf(papers, self._threshold, self._empty)
        values = {"itf_idf": _value_record(found), "itf_idf_unthresholded": _value_record(plain)}
        if not self._items or isinstance(found, Value):
            return values, {}
        return values, {"papers": [_of_paper(*parts) for parts in zip(papers, found.papers, found.items, strict=True)]}


def threshold(text: str) -> float | None:
    """Parse a similarity threshold: a number in 0..1, or ``none``.

    Raises:
        UsageFault: it is invalid.
    """
    try:
        number = None if text == "none" else float(text)
    except ValueError:
        number = -1.0
    if number is not None and not 0 <= number <= 1:
        raise UsageFault(f'"{text}" is not a similarity threshold: a number in 0..1, or none')
    return number


def _itf_idf(
    papers: Sequence[_Paper], limit: float | None, empty: Empty
) -> Sequence[diversity.Diversity] | tuple[Value, Value]:
    """Diversity of all papers with and without limit, or the reason why a text has no embedding."""
    import numpy as np

    for paper in papers:
        lengths = np.abs(paper.vectors).sum(axis=1) if len(paper.ids) else np.ones(0)
        if not lengths.all():
            place = int(np.argmin(lengths != 0)) + 1
            fault = Value(None, f'item {place} of "{paper.name}" has no word that the embedder knows')
            return fault, fault
    filled = [paper.vectors for paper in papers if len(paper.ids)]
    rows = np.concatenate(filled) if filled else np.zeros((0, 1))
    return diversity.itf_idf_at(rows, [len(paper.ids) for paper in papers], (limit, None), empty=empty)


def _value_record(found: diversity.Diversity | Value) -> Record:
    """The value with ``n``, which includes the ``n_empty`` papers unless they are dropped."""
    if isinstance(found, Value):
        return {"n": 0, "value": None, "low": None, "high": None, "reason": found.reason}
    entry = {"n": found.n_papers, "n_empty": found.n_empty, "value": found.value.value, "low": None, "high": None}
    return entry if found.value.value is not None else {**entry, "reason": found.value.reason}


def _of_paper(paper: _Paper, value: Value, items: Sequence[Value]) -> Record:
    of_items = [{"id": name, **_itf_record(item)} for name, item in zip(paper.ids, items, strict=True)]
    return {"id": paper.name, **_itf_record(value), "items": of_items}


def _itf_record(value: Value) -> Record:
    return {"itf_idf": value.value} if value.value is not None else {"itf_idf": None, "reason": value.reason}
