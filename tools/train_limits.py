"""Trains the weights of ``tasks/limits/likelihood.py`` and writes them: ``make limit-model``.

The data are sentences that state a limitation of the paper's own work, or do not:

- of the papers in the folder LIMITS_DATA, as ``fixtures/limitation-labels.jsonl`` marks them (arguable ones left out),
  in the sections where implicit limitations are searched; the last three sets are left out; of the eleventh and the
  thirteenth, sentences that the weights before them find unlikely and that have no keyword count as stating none
- of biomedical papers: DATA/limitation_sentences_final.txt of kilicogluh/limitation-recognizer (MIT), which
  LIMITS_SENTENCES names; the texts are of PMC's open access subset

Nothing of them but the weights goes into the package. The weights are those of a logistic regression over what
sentences hold, rounded; the same data give the same file. It prints what to expect of papers not learnt from: precision
at several shares of the marked sentences found, each paper judged by weights learnt from others.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from support.limit_labels import NAMED, PAPERS, Record, key, read_labels, read_papers

from scholartools.signature import fingerprint
from scholartools.tasks.limits import likelihood
from scholartools.tasks.limits.headings import without_implicit
from scholartools.text.sentences import spans

SENTENCES = Path(os.environ.get("LIMITS_SENTENCES", "limitation_sentences_final.txt"))

# What each sentence counts: of our papers one that states a limitation, and one that does not; any other.
STATING, NOT_STATING, BIOMEDICAL = 3.0, 1.0, 0.2
# What is held by fewer sentences is left out. Values of features: they say how freely a weight may grow.
FEWEST = 15
OF_WORDS, OF_KINDS = 0.2, 0.3
STRENGTH = 2.0
LEAST_WEIGHT = 5
FOLDS = 10
# The twelfth and the fourteenth set are to measure on, and the texts of the thirteenth have no licence.
KEPT_APART = ("twelfth", "thirteenth", "fourteenth")
SOURCES = {
    "our marks of open papers": "fixtures/limitation-labels.jsonl says where each is",
    "limitation-recognizer": "MIT; texts PMC open access",
}
RECALLS = (0.3, 0.4, 0.5, 0.6)


class Sentence(NamedTuple):
    """A sentence of a paper (its id, empty for the biomedical ones), what it holds, and what it states and counts."""

    paper: str
    holds: frozenset[str]
    states: bool
    weight: float


def labelled_sentences(record: Record, label: Record) -> Iterator[Sentence]:
    """The sentences of a paper in sections that are searched and not headed by limitations."""
    for section, is_silent in zip(record["sections"], without_implicit(record["sections"])):
        if is_silent or NAMED.search(section["heading"]):
            continue
        for start, end in spans(section["text"]):
            text = section["text"][start:end]
            states = key(text) in label["limits"]
            if states or key(text) not in label["open"]:
                yield Sentence(record["id"], held_by(text), states, STATING if states else NOT_STATING)


def biomedical_sentences() -> Iterator[Sentence]:
    with SENTENCES.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Sentence("", held_by(row[-1]), row[5] == "POS", BIOMEDICAL)


def held_by(text: str) -> frozenset[str]:
    return frozenset(feature.name for feature in likelihood.sentence_features(text))


def train(sentences: list[Sentence]) -> tuple[int, dict[str, int]]:
    """The bias and the weights, in thousandths."""
    counts = Counter(name for sentence in sentences for name in sentence.holds)
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    columns = {name: column for column, name in enumerate(names)}
    values = np.array([OF_KINDS if "<" in name else OF_WORDS for name in names])
    held = [sorted(columns[name] for name in sentence.holds if name in columns) for sentence in sentences]
    indices = np.concatenate([np.array(row, int) for row in held])
    rows = csr_matrix((values[indices], indices, np.cumsum([0, *map(len, held)])), (len(sentences), len(names)))
    states, counted = ([sentence[place] for sentence in sentences] for place in (2, 3))
    fitted = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=300).fit(rows, states, sample_weight=counted)
    weights = np.rint(1000 * fitted.coef_[0] * values).astype(int).tolist()
    kept = {name: weight for name, weight in zip(names, weights) if abs(weight) >= LEAST_WEIGHT}
    return round(1000 * float(fitted.intercept_[0])), kept


def expected_precisions(sentences: list[Sentence]) -> Iterator[tuple[float, float]]:
    """Recall and precision over papers each of which was left out of what its weights were learnt from."""
    papers = sorted({sentence.paper for sentence in sentences if sentence.paper})
    scored: list[tuple[int, bool]] = []
    for fold in range(FOLDS):
        left_out = set(papers[fold::FOLDS])
        bias, weights = train([sentence for sentence in sentences if sentence.paper not in left_out])
        for sentence in sentences:
            if sentence.paper in left_out:
                scored.append((bias + sum(weights.get(name, 0) for name in sentence.holds), sentence.states))
    ranked = np.array([states for _, states in sorted(scored, key=lambda one: -one[0])])
    found = np.cumsum(ranked)
    for recall in RECALLS:
        place = int(np.searchsorted(found, recall * found[-1]))
        yield recall, float(found[place] / (place + 1))


def main() -> int:
    labels = {name: label for name, label in read_labels().items() if label["set"] not in KEPT_APART}
    records = [record for record in read_papers() if record["id"] in labels]
    if len(records) < len(labels) or not SENTENCES.is_file():
        print(
            f"train_limits: {len(records)} of {len(labels)} papers in {PAPERS}; sentences: {SENTENCES}", file=sys.stderr
        )
        return 2
    sentences = [one for record in records for one in labelled_sentences(record, labels[record["id"]])]
    sentences += biomedical_sentences()
    for recall, precision in expected_precisions(sentences):
        print(f"papers left out: recall {recall:.0%}, precision {precision:.0%}")
    bias, weights = train(sentences)
    written = {"kinds": fingerprint(likelihood.KINDS), "sources": SOURCES, "bias": bias, "weights": weights}
    likelihood.PATH.write_text(json.dumps(written, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{likelihood.PATH}: {len(weights)} weights")
    return 0


if __name__ == "__main__":
    sys.exit(main())
