"""Scores from what a record holds: which metric, on which texts, with which signature.

``facets``   each system's summary against the abstract, facet by facet: ROUGE F1 (Facet-aware Metric, section 4).
``support``  the abstract against the body of its own paper: which facets it has, and how much of each is found again
             in the sections of the matching roles (ROUGE recall against the best passages, with their places).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from scholartools import __version__
from scholartools.errors import InputFault
from scholartools.metrics import overlap
from scholartools.records import FACETS, Record, add_provenance, need, read, spans_text, texts
from scholartools.signature import fingerprint, library, signature
from scholartools.text import sentences

COMMAND = "st-score"
OVERALL = "overall"

# Where the body says again what a facet of the abstract says. "other" holds sections with headings of their own
# ("Model Architecture"), which are a paper's method or results more often than anything else.
BODY_ROLES: dict[str, tuple[str, ...]] = {
    "background": ("introduction", "related", "background"),
    "method": ("method", "data", "experiment", "other"),
    "result": ("result", "experiment", "discussion", "other"),
    "conclusion": ("conclusion", "discussion", "future", "limitation"),
}

# Sentences a passage may span: a claim of an abstract is seldom spread over more.
WINDOW = 3


def score(record: Record, metrics: Sequence[str] = ()) -> Record:
    """The record with ``scores`` added; metrics are chosen by what the record holds unless they are named.

    Raises:
        InputFault: the record has no facets, or not what a named metric needs.
    """
    need(record, "facets", "run st-facets first")
    _verify_facets(record)
    made = [entry for name in metrics or _fitting(record) for entry in METRICS[name](record)]
    names = {entry["metric"] for entry in made}
    kept = [entry for entry in read(record, "scores") or () if entry["metric"] not in names]
    scored = {**record, "scores": [*kept, *made]}
    add_provenance(scored, COMMAND, __version__, signature(COMMAND, {"metrics": sorted(names)}))
    return scored


def facet_scores(record: Record) -> Iterator[Record]:
    """ROUGE F1 of each system's summary against the abstract, overall and by facet.

    A facet the abstract lacks is null; one that the abstract has and the summary lacks is 0.
    """
    reference = _facets_of(record, "abstract")
    abstract = need(record, "abstract", "a reference is needed to score summaries")
    summaries = need(record, "summaries", "nothing to score")
    if not summaries:
        raise InputFault('"summaries" is empty: nothing to score', kind="missing-key")
    for summary in summaries:
        candidate = _facets_of(record, f"summary:{summary['system']}")
        values, reasons = _rouge_values(OVERALL, abstract, summary["text"])
        for facet in FACETS:
            if reference[facet] is None:
                pair = _undefined(facet, f"no {facet} in the abstract")
            elif candidate[facet] is None:
                pair = ({f"{facet}.{name}": 0.0 for name in overlap.ROUGE}, {})
            else:
                pair = _rouge_values(facet, reference[facet]["text"], candidate[facet]["text"])
            values |= pair[0]
            reasons |= pair[1]
        inputs = fingerprint([abstract, summary["text"], reference, candidate])
        yield _entry("facets", summary["system"], values, reasons, inputs)


def support_scores(record: Record) -> Iterator[Record]:
    """How much of each facet of the abstract the body says again: ROUGE recall against its best passages.

    For every sentence of the facet the passage (up to WINDOW sentences of one section of a matching role) with the
    highest ROUGE-1 plus ROUGE-2 recall is taken, the first of equals; the facet is then scored against them all.
    ``overall`` is the mean over the facets that have a value.
    """
    facets = _facets_of(record, "abstract")
    sections = need(record, "sections", "run st-parse first")
    values: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    evidence: dict[str, list[Record]] = {}
    for facet in FACETS:
        values[f"{facet}.present"] = float(facets[facet] is not None)
        found, why = _evidence(record, facets[facet], facet, sections)
        evidence[facet] = found
        new = _recalls(facet, facets[facet]["text"], found) if found else _undefined(facet, why, RECALLS)
        values |= new[0]
        reasons |= new[1]
    for name in ("present", *RECALLS):
        known = [value for facet in FACETS if (value := values[f"{facet}.{name}"]) is not None]
        values[f"{OVERALL}.{name}"] = sum(known) / len(known) if known else None
        if not known:
            reasons[f"{OVERALL}.{name}"] = "no facet has a value"
    body = [[section[key] for key in ("id", "level", "role", "text")] for section in sections]
    inputs = fingerprint([record["abstract"], facets, body])
    yield {**_entry("support", "abstract", values, reasons, inputs, window=WINDOW), "evidence": evidence}


METRICS: dict[str, Callable[[Record], Iterable[Record]]] = {"facets": facet_scores, "support": support_scores}
RECALLS = tuple(f"{name}_recall" for name in overlap.ROUGE)


def _fitting(record: Record) -> list[str]:
    has_body = bool(read(record, "sections")) and any(entry["in"] == "abstract" for entry in record["facets"])
    fitting = [name for name, fits in (("facets", bool(read(record, "summaries"))), ("support", has_body)) if fits]
    if not fitting:
        raise InputFault('neither "summaries" nor "sections" to score against the abstract', kind="missing-key")
    return fitting


def _verify_facets(record: Record) -> None:
    """Refuse facets that are not of the texts beside them: a text that changed since would be scored without a word."""
    named = texts(record)
    for entry in record["facets"]:
        source = named.get(entry["in"])
        for facet in FACETS:
            extract = entry[facet]
            if source is not None and extract is not None and extract["text"] != spans_text(source, extract["spans"]):
                reason = f'the {facet} of "{entry["in"]}" is not in that text any more: run st-facets again'
                raise InputFault(reason, kind="stale")


def _facets_of(record: Record, name: str) -> Record:
    for entry in need(record, "facets", "run st-facets first"):
        if entry["in"] == name:
            return {facet: entry[facet] for facet in FACETS}
    raise InputFault(f'no facets of "{name}": run st-facets on a record that has it', kind="missing-key")


def _rouge_values(prefix: str, reference: str, candidate: str) -> tuple[dict[str, float | None], dict[str, str]]:
    scores = _rouge()(reference, candidate)
    if scores is None:
        return _undefined(prefix, "the reference has no words")
    return {f"{prefix}.{name}": value.f1 for name, value in scores.items()}, {}


def _recalls(facet: str, reference: str, evidence: list[Record]) -> tuple[dict[str, float | None], dict[str, str]]:
    scores = _rouge()(reference, " ".join(span["text"] for span in evidence))
    if scores is None:
        return _undefined(facet, "the facet has no words", RECALLS)
    return {f"{facet}.{name}_recall": value.recall for name, value in scores.items()}, {}


def _undefined(
    prefix: str, reason: str, names: Sequence[str] = overlap.ROUGE
) -> tuple[dict[str, float | None], dict[str, str]]:
    keys = [f"{prefix}.{name}" for name in names]
    return dict.fromkeys(keys), dict.fromkeys(keys, reason)


def _evidence(record: Record, extract: Record | None, facet: str, sections: list[Record]) -> tuple[list[Record], str]:
    """The best passages for a facet's sentences, in the paper's order; if none, why."""
    if extract is None:
        return [], f"no {facet} in the abstract"
    matching = [section for section, role in zip(sections, _roles(sections)) if role in BODY_ROLES[facet]]
    windows = [window for section in matching for window in _windows(section)]
    if not windows:
        return [], f"no text in a section of the roles {', '.join(BODY_ROLES[facet])}"
    source = record["abstract"]
    chosen = set()
    for span in extract["spans"]:
        text = source[span["start"] : span["end"]]
        for start, end in sentences.spans(text):
            chosen.add(_best(text[start:end], windows))
    return _merged(sorted(chosen), windows), ""


def _roles(sections: list[Record]) -> Iterator[str]:
    """The role of each section; a subsection whose own heading says none has that of the section it is in."""
    above: dict[int, str] = {}
    for section in sections:
        level, role = section["level"], section["role"]
        above = {upper: known for upper, known in above.items() if upper < level}
        if role == "other" and above:
            role = above[max(above)]
        above[level] = role
        yield role


def _windows(section: Record) -> Iterator[tuple[Record, int, int, Counter, Counter]]:
    """Every run of up to WINDOW sentences of a section, with its words and pairs of words."""
    places = sentences.spans(section["text"])
    for first in range(max(len(places) - WINDOW + 1, min(len(places), 1))):
        start, end = places[first][0], places[min(first + WINDOW, len(places)) - 1][1]
        tokens = overlap.words(section["text"][start:end])
        yield section, start, end, overlap.ngrams(tokens, 1), overlap.ngrams(tokens, 2)


def _best(sentence: str, windows: list[tuple[Record, int, int, Counter, Counter]]) -> int:
    tokens = overlap.words(sentence)
    single, double = overlap.ngrams(tokens, 1), overlap.ngrams(tokens, 2)
    fit = [overlap.recall(single, window[3]) + overlap.recall(double, window[4]) for window in windows]
    return max(range(len(windows)), key=fit.__getitem__)


def _merged(chosen: list[int], windows: list[tuple[Record, int, int, Counter, Counter]]) -> list[Record]:
    """Spans of the chosen windows, joined where they overlap."""
    joined: list[tuple[Record, int, int]] = []
    for index in chosen:
        section, start, end, *_ = windows[index]
        if joined and joined[-1][0] is section and start <= joined[-1][2]:
            joined[-1] = (section, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((section, start, end))
    return [
        {"in": section["id"], "start": start, "end": end, "text": section["text"][start:end]}
        for section, start, end in joined
    ]


def _entry(metric: str, system: str, values: Record, reasons: dict[str, str], inputs: str, **options: Any) -> Record:
    parameters = {"metric": metric, "stemmer": False, "input": inputs, "rouge": library("rouge-score"), **options}
    if metric == "support":
        parameters["sentences"] = library("nupunkt")
    mark = signature(COMMAND, parameters)
    return {"metric": metric, "system": system, "signature": mark, "values": values, "reasons": reasons}


@functools.cache
def _rouge() -> overlap.Rouge:
    return overlap.Rouge()
