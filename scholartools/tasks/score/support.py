"""The abstract against the body of its paper: how much of each facet the body repeats, and where."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scholartools.metrics.items.facet_score import OVERALL
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.texts import overlap
from scholartools.metrics.values import Value
from scholartools.records import Record, need, read
from scholartools.signature import library
from scholartools.tasks.facets.facet_sets import facets_of, verify_facets
from scholartools.tasks.score.metric import (
    LeftOut,
    Metric,
    Options,
    all_undefined,
    entry,
    rouge,
    values_in,
    with_prefix,
)
from scholartools.text import sentences
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Section

# Roles of the sections that may repeat a facet. "other" has sections with paper-specific headings ("Model
# Architecture"), which most often describe a method or results.
BODY_ROLES: dict[str, tuple[str, ...]] = {
    "background": ("introduction", "related", "background"),
    "method": ("method", "data", "experiment", "other"),
    "result": ("result", "experiment", "discussion", "other"),
    "conclusion": ("conclusion", "discussion", "future", "limitation"),
}

# Maximum number of sentences in a passage: the body seldom spreads a claim of the abstract over more.
WINDOW = 3

RECALLS = tuple(f"{name}_recall" for name in overlap.ROUGE)

# A section, the offsets of a passage in it, and the passage's unigram and bigram counts.
_Window = tuple["Section", int, int, Counter, Counter]
_Counted = dict[str, tuple[Counter, Counter]]


def support_scores(record: Record, _: Options | None = None) -> Iterator[Record | LeftOut]:
    """Measure by ROUGE recall how far the body of a paper repeats each facet (such as the method) of the abstract.

    For each sentence of a facet, ``support_scores`` chooses the passage of the body with the highest sum of ROUGE-1 and
    ROUGE-2 recall (the first such passage if several are equal). A passage has up to WINDOW sentences of one section
    with a matching role. The score of a facet is its ROUGE recall against all chosen passages. ``overall`` is the mean
    over the facets that have a score.
    """
    need(record, "facets", "run st-facets first")
    verify_facets({key: record.get(key) for key in ("abstract", "facets")})
    facets = facets_of(record, "abstract")
    need(record, "abstract", "run st-parse first")
    sections = need(record, "sections", "run st-parse first")
    values: dict[str, Value] = {}
    evidence: dict[str, list[Record]] = {}
    for facet in FACETS:
        found, why = _find_evidence(record, facets[facet], facet, sections)
        evidence[facet] = found
        recalls = _recall_values(facets[facet]["text"], found) if found else all_undefined(RECALLS, why)
        values |= with_prefix(facet, {"present": Value(float(facets[facet] is not None)), **recalls})
    for name in ("present", *RECALLS):
        values[f"{OVERALL}.{name}"] = _mean_value([values[f"{facet}.{name}"] for facet in FACETS])
    body = [[section[key] for key in ("id", "level", "role", "text")] for section in sections]
    versions = {
        "stemmer": False, "rouge": library("rouge-score"), "window": WINDOW, "sentences": library("nupunkt")
    }  # fmt: skip
    yield entry("support", "abstract", values, [record["abstract"], facets, body], versions, evidence=evidence)


def _mean_value(values: list[Value]) -> Value:
    known = [value.value for value in values if value.value is not None]
    return Value(math.fsum(known) / len(known)) if known else Value(None, "no facet has a value")


def _recall_values(reference: str, evidence: list[Record]) -> dict[str, Value]:
    scores = rouge(False)(reference, " ".join(span["text"] for span in evidence))
    if scores is None:
        return all_undefined(RECALLS, "the facet has no words")
    return {f"{name}_recall": Value(score.recall) for name, score in scores.items()}


def _find_evidence(
    record: PaperRecord, extract: Record | None, facet: str, sections: Sequence[Section]
) -> tuple[list[Record], str]:
    """The best passages for a facet's sentences, in document order; if there are none, the reason."""
    if extract is None:
        return [], f"no {facet} in the abstract"
    matching = [section for section, role in zip(sections, _section_roles(sections)) if role in BODY_ROLES[facet]]
    known: _Counted = {}
    windows = [window for section in matching for window in _iter_windows(section, known)]
    if not windows:
        return [], f"no text in a section of the roles {', '.join(BODY_ROLES[facet])}"
    source = record["abstract"]
    chosen = set()
    for span in extract["spans"]:
        text = source[span["start"] : span["end"]]
        for start, end in sentences.spans(text):
            chosen.add(_best_window(text[start:end], windows))
    return _merge_windows(sorted(chosen), windows), ""


def _section_roles(sections: Sequence[Section]) -> Iterator[str]:
    """The role of each section; a subsection with the role "other" inherits that of its parent section."""
    above: dict[int, str] = {}
    for section in sections:
        level: int = section["level"]
        role: str = section["role"]
        above = {upper: known for upper, known in above.items() if upper < level}
        if role == "other" and above:
            role = above[max(above)]
        above[level] = role
        yield role


def _iter_windows(section: Section, known: _Counted) -> Iterator[_Window]:
    """Windows of WINDOW sentences of a section (fewer if the section is shorter), with unigram and bigram counts.

    Windows with the same text share their counters, so that repeated text is compared only once.
    """
    places = sentences.spans(section["text"])
    for first in range(max(len(places) - WINDOW + 1, min(len(places), 1))):
        start, end = places[first][0], places[min(first + WINDOW, len(places)) - 1][1]
        text = section["text"][start:end]
        if text not in known:
            tokens = overlap.words(text)
            known[text] = overlap.ngrams(tokens, 1), overlap.ngrams(tokens, 2)
        yield section, start, end, *known[text]


def _best_window(sentence: str, windows: list[_Window]) -> int:
    tokens = overlap.words(sentence)
    single, double = overlap.ngrams(tokens, 1), overlap.ngrams(tokens, 2)
    different = {id(window[3]): window for window in windows}
    fit = {
        kind: overlap.recall(single, window[3]) + overlap.recall(double, window[4])
        for kind, window in different.items()
    }
    return max(range(len(windows)), key=lambda place: fit[id(windows[place][3])])


def _merge_windows(chosen: list[int], windows: list[_Window]) -> list[Record]:
    """Spans of the chosen windows; overlapping ones are merged."""
    joined: list[tuple[Section, int, int]] = []
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


def _has_keys(record: PaperRecord) -> bool:
    faceted = any(found["in"] == "abstract" for found in read(record, "facets") or ())
    return faceted and bool(read(record, "sections"))


METRICS = {
    "support": Metric(
        "facets of the abstract (st-facets), sections (st-parse)",
        "ROUGE-1/2/L recall of each facet against the best passages of the body, with their spans",
        values_in(SHARE, "*.present", *(f"*.{name}" for name in RECALLS)),
        _has_keys,
        support_scores,
    )
}
