"""Facets without a model: runs of consecutive sentences with the same label from ``decoding.py``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from scholartools.errors import InputFault
from scholartools.records import Record, add_provenance
from scholartools.signature import library
from scholartools.tasks.facets import cues
from scholartools.tasks.facets.decoding import label_sentences
from scholartools.tasks.facets.facet_sets import (
    COMMAND,
    LABELS,
    facet_set,
    named_texts,
    with_rejected,
)
from scholartools.tasks.facets.headings import Sentence
from scholartools.tasks.facets.network import packaged_model
from scholartools.tasks.shared.items import tell_missing_summaries

# Batch size in characters: large enough for speed, small enough for memory and latency.
_BATCH_CHARACTERS = 100_000


def label_all(records: Iterable[Record]) -> Iterator[Record | InputFault]:
    """The result of ``facets.label`` for each record, or the error it would raise, computed in batches."""
    some: list[tuple[Record, dict[str, str] | InputFault]] = []
    size = 0
    for record in records:
        try:
            named = named_texts(record)
            size += sum(map(len, named.values()))
            some.append((record, named))
        except InputFault as fault:
            some.append((record, fault))
        if size >= _BATCH_CHARACTERS:
            yield from _label_batch(some)
            some, size = [], 0
    yield from _label_batch(some)


def _label_batch(some: Sequence[tuple[Record, dict[str, str] | InputFault]]) -> Iterator[Record | InputFault]:
    texts = [text for _, named in some if not isinstance(named, InputFault) for text in named.values()]
    divided = iter(label_sentences(texts))
    for record, named in some:
        yield named if isinstance(named, InputFault) else _add_facets(record, named, list(islice(divided, len(named))))


def _add_facets(record: Record, named: dict[str, str], divided: list[list[Sentence]]) -> Record:
    found = [_facet_set(name, text, parts) for (name, text), parts in zip(named.items(), divided)]
    labelled = with_rejected({**record, "facets": found}, [])
    tell_missing_summaries(labelled, COMMAND)
    options = {"network": packaged_model().version, "rules": cues.VERSION, "sentences": library("nupunkt")}
    add_provenance(labelled, COMMAND, None, method="builtin", options=options, input=named)
    return labelled


def _facet_set(name: str, text: str, divided: list[Sentence]) -> Record:
    runs: dict[str, list[Record]] = {facet: [] for facet in LABELS}
    last = None
    for facet, start, end in divided:
        if facet == last:
            runs[facet][-1]["end"] = end
        else:
            runs[facet].append({"in": name, "start": start, "end": end})
        last = facet
    return facet_set(name, text, "builtin", runs)
