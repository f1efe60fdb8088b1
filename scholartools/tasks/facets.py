"""Which passages of an abstract or a summary say background, method, result and conclusion.

The facets are those of the Facet-aware Metric (section 3.2): background holds introduction and objectives, method the
methods and comparisons, result observations and analysis, conclusion also limitations and outlook. A fifth class,
``other``, takes what is no part of the argument: copyright, registration, key words.

:func:`label` is the built-in way: every sentence gets one label, by the headings above it and by the trained network of
``_facet_model.py``, decoded over the whole text in ``_facet_rules.py``.
:func:`ask` is a model's way: it quotes the passages of each facet, and every quotation is located in the text.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from scholartools import __version__
from scholartools.errors import InputFault
from scholartools.records import Record, add_provenance, read, spans_text, texts
from scholartools.signature import fingerprint, library, signature
from scholartools.tasks import _facet_cues as tables
from scholartools.tasks._facet_model import model
from scholartools.tasks._facet_rules import LABELS, Sentence, sentences
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.llm.engine import Engine
    from scholartools.llm.task import Answer
    from scholartools.tasks._facet_reply import Reply

__all__ = ["LABELS", "ask", "label", "label_all", "sentences"]

COMMAND = "st-facets"


def label(record: Record) -> Record:
    """A copy of the record with ``facets``: a FacetSet for the abstract, then one for each of ``summaries``.

    A facet no sentence has is null; a text with no sentence has nulls only. The record itself is not changed.

    Raises:
        InputFault: neither an abstract nor summaries, a value of the wrong type, or two systems of one name.
    """
    found = next(label_all([record]))
    if isinstance(found, InputFault):
        raise found
    return found


def label_all(records: Iterable[Record]) -> Iterator[Record | InputFault]:
    """What :func:`label` makes of each record, or the fault it would raise, in less time for many records.

    Some records are taken at once, as many as have _TOGETHER characters.
    """
    some: list[tuple[Record, dict[str, str] | InputFault]] = []
    size = 0
    for record in records:
        try:
            named = _named(record)
            size += sum(map(len, named.values()))
            some.append((record, named))
        except InputFault as fault:
            some.append((record, fault))
        if size >= _TOGETHER:
            yield from _together(some)
            some, size = [], 0
    yield from _together(some)


async def ask(engine: Engine, record: Record) -> Record:
    """Like :func:`label`, with the passages a model quotes (Facet-aware Metric, section 3.3): one call a text.

    A passage that cannot be located in the text is kept under ``rejected`` with the reason. With several samples each
    text has one FacetSet per sample, numbered by ``sample``.

    Raises:
        InputFault: as :func:`label`.
        ScholartoolsError: a text got no usable reply.
        ModelFault: the run must end.
    """
    from scholartools.llm.task import sign, together

    named = _named(record)
    samples = range(engine.settings.samples)
    answers = await together([_asked(engine, name, named[name], sample) for name in named for sample in samples])
    rejected = [entry for answer in answers for entry in answer.value[1]]
    made = {**record, "facets": [answer.value[0] for answer in answers]}
    if rejected:
        made["rejected"] = [*(read(record, "rejected") or ()), *rejected]
    sign(engine, made, COMMAND, [_prompt()], answers, fingerprint(named))
    return made


def _named(record: Record) -> dict[str, str]:
    """The texts to label, by name."""
    named = texts({key: record[key] for key in ("id", "abstract", "summaries") if key in record})
    if not any(name != "abstract" or text.strip() for name, text in named.items()):
        raise InputFault('no "abstract" or "summaries": run st-parse first', kind="missing-key")
    read(record, "provenance")
    return named


# The built-in way

# Characters of text that are labelled at once: enough for speed, few enough for memory, and none waits long.
_TOGETHER = 25_000


def _together(some: Sequence[tuple[Record, dict[str, str] | InputFault]]) -> Iterator[Record | InputFault]:
    texts = [text for _, named in some if not isinstance(named, InputFault) for text in named.values()]
    divided = iter(sentences(texts))
    for record, named in some:
        yield named if isinstance(named, InputFault) else _labelled(record, named, list(islice(divided, len(named))))


def _labelled(record: Record, named: dict[str, str], divided: list[list[Sentence]]) -> Record:
    found = [_runs(name, text, parts) for (name, text), parts in zip(named.items(), divided)]
    labelled = {**record, "facets": found}
    parameters = {
        "method": "network",
        "model": model().version,
        "rules": tables.VERSION,
        "sentences": library("nupunkt"),
        "input": fingerprint(named),
    }
    add_provenance(labelled, COMMAND, __version__, signature(COMMAND, parameters))
    return labelled


def _runs(name: str, text: str, divided: list[Sentence]) -> Record:
    runs: dict[str, list[Record]] = {facet: [] for facet in LABELS}
    last = None
    for facet, start, end in divided:
        if facet == last:
            runs[facet][-1]["end"] = end
        else:
            runs[facet].append({"in": name, "start": start, "end": end})
        last = facet
    return _facet_set(name, text, "builtin", runs)


# The model's way


@functools.cache
def _prompt() -> Any:
    from scholartools.llm.task import Prompt
    from scholartools.tasks._facet_reply import Reply

    return Prompt("facets", Reply)


async def _asked(engine: Engine, name: str, text: str, sample: int) -> Answer[tuple[Record, list[Record]]]:
    """The FacetSet of one text, and the passages that were rejected."""
    from scholartools.llm.task import Answer, ask

    number = {"sample": sample} if engine.settings.samples > 1 else {}
    if not text.strip():
        return Answer(({**_facet_set(name, text, engine.settings.model, {}), **number}, []), [], None)

    def verify(reply: Reply) -> tuple[Record, list[Record]]:
        runs, rejected = _located(name, text, reply)
        return {**_facet_set(name, text, engine.settings.model, runs), **number}, rejected

    return await ask(engine, _prompt(), {"text": text}, verify, sample=sample)


def _located(name: str, text: str, reply: Reply) -> tuple[dict[str, list[Record]], list[Record]]:
    """The spans of the passages a model quoted, by facet, and what is not in the text.

    Raises:
        ReplyFault: passages were quoted and none of them is in the text.
    """
    from scholartools.llm.replies import ReplyFault
    from scholartools.text.quotes import Miss, locate_all

    runs: dict[str, list[Record]] = {}
    rejected: list[Record] = []
    for facet in FACETS:
        quoted: list[str] = getattr(reply, facet)
        if not quoted:
            continue
        for quote, found in zip(quoted, locate_all(quoted, text)):
            if isinstance(found, Miss):
                entry = {"command": COMMAND, "in": name, "facet": facet, "text": quote, "reason": found.reason}
                rejected.append(entry)
                continue
            span = {"in": name, "start": found.start, "end": found.end}
            runs.setdefault(facet, []).append(span if found.kind == "exact" else {**span, "match": found.kind})
    if rejected and not runs:
        raise ReplyFault(f"none of the passages is in the text; the first: {rejected[0]['reason']}")
    return runs, rejected


# Both


def _facet_set(name: str, text: str, by: str, runs: dict[str, list[Record]]) -> Record:
    extracts = {facet: _extract(text, runs[facet]) if runs.get(facet) else None for facet in LABELS}
    return {"in": name, "by": by, **extracts}


def _extract(text: str, run: Iterable[Record]) -> Record:
    """The spans in the text's order, each once."""
    spans = sorted({(span["start"], span["end"]): span for span in run}.values(), key=lambda span: span["start"])
    return {"text": spans_text(text, spans), "spans": spans}
