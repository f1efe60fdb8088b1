"""Trains the weights of ``tasks/generate/experiments/likelihood.py`` and writes them: ``make leak-model``.

The data are papers in the folder LEAKS_DATA, a checkout of each repository that ``fixtures/leak-labels.jsonl`` names,
as OWNER+NAME; the set ``learn`` of them is learnt from, the others are kept to measure on (``make bench-leaks``).

- ``zone`` learns from where sentences stand: in a section on experiments, or before the first of them
- the weights of leaks learn from the marks, an arguable sentence counting half as one that does not leak; what these
  have of ``zone`` comes from weights learnt from other papers

Nothing of the papers but the weights goes into the package. They are those of logistic regressions, rounded; the same
data give the same file. The threshold is the lowest at which, each paper judged by weights learnt from others, RIGHT of
what is taken out leaks, arguable sentences left out. What other thresholds would give is printed beside it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from support.leak_labels import Marked, read_labels, read_marked

from scholartools.tasks.generate.experiments.likelihood import (
    PATH,
    ZONES,
    Model,
    leak_log_odds,
    sentence_features,
    zone_features,
    zone_log_odds,
    zone_values,
)
from scholartools.text.sentences import spans

RIGHT = 0.85
OTHERS = (0.95, 0.9, 0.8, 0.75, 0.7, 0.6)
# What is held by fewer sentences is left out; how freely weights may grow; values of words beside those of kinds.
FEWEST, FEWEST_ZONE = 10, 6
STRENGTH, STRENGTH_ZONE = 0.5, 0.05
OF_WORDS, OF_KINDS, OF_ZONE = 0.35, 1.0, 0.5
ARGUABLE = 0.5
LEAST_WEIGHT = 5
FOLDS, FOLDS_INSIDE = 8, 5
SHORTEST = 25
_EXPERIMENTS = ("experiment", "result", "discussion", "data")
_BEFORE = ("introduction", "related", "method", "background", "other")
SOURCES = "our marks of open papers: fixtures/leak-labels.jsonl says where each is"

Weights = tuple[int, dict[str, int]]


def placed_sentences(paper: Marked) -> Iterator[tuple[str, bool]]:
    """Sentences of a paper, and whether they stand in a section on experiments."""
    is_past = False
    for section in paper.record["sections"]:
        is_past = is_past or section["id"] == paper.label["before"]
        if section["role"] in (_EXPERIMENTS if is_past else (*_BEFORE, "data")):
            for start, end in spans(section["text"]):
                if end - start > SHORTEST:
                    yield section["text"][start:end], is_past or section["role"] == "data"


def fit(
    held: Sequence[dict[str, float]], states: Sequence[bool], fewest: int, strength: float, counted=None
) -> Weights:
    """The bias and the weights, in thousandths, of a logistic regression."""
    counts = Counter(name for one in held for name in one)
    names = sorted(name for name, count in counts.items() if count >= fewest)
    columns = {name: column for column, name in enumerate(names)}
    kept = [sorted((columns[name], value) for name, value in one.items() if name in columns) for one in held]
    ends = np.cumsum([0, *map(len, kept)])
    indices = np.array([column for one in kept for column, _ in one])
    values = np.array([value for one in kept for _, value in one])
    rows = csr_matrix((values, indices, ends), (len(held), len(names)))
    fitted = LogisticRegression(C=strength, solver="liblinear", max_iter=400).fit(rows, states, sample_weight=counted)
    scale = [_value(name) for name in names]
    weights = np.rint(1000 * fitted.coef_[0] * scale).astype(int).tolist()
    return round(1000 * float(fitted.intercept_[0])), {
        name: weight for name, weight in zip(names, weights, strict=True) if abs(weight) >= LEAST_WEIGHT
    }


def _value(name: str) -> float:
    return OF_ZONE if name in ZONES else OF_KINDS if name.startswith(("<cue", "<role", "<part")) else OF_WORDS


def train_zone(papers: Sequence[Marked]) -> Weights:
    placed = [one for paper in papers for one in placed_sentences(paper)]
    held = [dict.fromkeys(zone_features(text), OF_WORDS) for text, _ in placed]
    return fit(held, [is_later for _, is_later in placed], FEWEST_ZONE, STRENGTH_ZONE / OF_WORDS**2)


def held_by(paper: Marked, zone: Weights) -> list[dict[str, float]]:
    """What each sentence of a paper holds, with the values that these have for learning."""
    model = Model("", 0, 0, {}, *zone)
    places = [one.place for one in paper.seen]
    rows = zone_values(places, [zone_log_odds(one.text, model) for one in paper.seen])
    return [
        {name: _value(name) for name in names} | {name: OF_ZONE * value / 1000 for name, value in zip(ZONES, values)}
        for names, values in zip(sentence_features(paper.seen), rows, strict=True)
    ]


def train(papers: Sequence[Marked]) -> Model:
    """A model of papers; what they have of ``zone`` comes from others of them."""
    held = []
    for fold in range(FOLDS_INSIDE):
        zone = train_zone([paper for number, paper in enumerate(papers) if number % FOLDS_INSIDE != fold])
        held += [row for paper in papers[fold::FOLDS_INSIDE] for row in held_by(paper, zone)]
    ordered = [paper for fold in range(FOLDS_INSIDE) for paper in papers[fold::FOLDS_INSIDE]]
    states = [one for paper in ordered for one in paper.leaks]
    counted = [ARGUABLE if one else 1.0 for paper in ordered for one in paper.arguable]
    return Model("", 0, *fit(held, states, FEWEST, STRENGTH, counted), *train_zone(papers))


def judged_by_others(papers: Sequence[Marked]) -> list[tuple[int, bool, bool]]:
    """Of each sentence the log odds by a model of other papers, and whether it leaks or is arguable; highest first."""
    judged = []
    for fold in range(FOLDS):
        model = train([paper for number, paper in enumerate(papers) if number % FOLDS != fold])
        for paper in papers[fold::FOLDS]:
            judged += zip(leak_log_odds(paper.seen, model), paper.leaks, paper.arguable, strict=True)
    return sorted(judged, key=lambda one: -one[0])


def choose_threshold(judged: Sequence[tuple[int, bool, bool]], right: float) -> int:
    """The lowest log odds down to which this share of the sentences leaks, arguable ones left out."""
    leaks = np.cumsum([leak for _, leak, _ in judged])
    counted = np.cumsum([not arguable for _, _, arguable in judged])
    return judged[int(np.flatnonzero(leaks >= right * counted)[-1])][0]


def describe_threshold(judged: Sequence[tuple[int, bool, bool]], threshold: int) -> str:
    """What a threshold takes out: how much of it leaks, how many of the leaks it is, and of the harmless sentences."""
    out = [one for one in judged if one[0] >= threshold]
    right, clear = sum(leak for _, leak, _ in out), sum(not arguable for _, _, arguable in out)
    leaks = sum(leak for _, leak, _ in judged)
    harmless = (len(out) - right) / (len(judged) - leaks)
    return (
        f"{threshold}: {right / len(out):.0%} right ({right / clear:.0%} of the clear ones), {right / leaks:.0%} found,"
        f" {harmless:.1%} of the harmless sentences taken out"
    )


def main() -> int:
    papers = sorted(read_marked("learn"), key=lambda paper: paper.label["id"])
    if len(papers) < (wanted := len(read_labels("learn"))):
        print(f"train_leaks: {len(papers)} of {wanted} papers in LEAKS_DATA", file=sys.stderr)
        return 2
    judged = judged_by_others(papers)
    threshold = choose_threshold(judged, RIGHT)
    print("papers left out, by threshold:")
    for one in (threshold, *(choose_threshold(judged, right) for right in OTHERS)):
        print(describe_threshold(judged, one))
    model = train(papers)
    zone = {"bias": model.zone_bias, "weights": model.zone}
    written = {"sources": SOURCES, "threshold": threshold, "bias": model.bias, "weights": model.weights, "zone": zone}
    PATH.write_text(json.dumps(written, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{PATH}: {len(model.weights)} weights and {len(model.zone)} of zone")
    return 0


if __name__ == "__main__":
    sys.exit(main())
