"""Benchmark of the built-in facets: accuracy by source of the test data, and speed. Figures are printed, not asserted.

The first table has sources outside medicine that distinguish all four facets: the test abstracts of
``fixtures/facet-abstracts.jsonl`` (physics and mathematics, with `fresh` ones labelled before the last training;
natural sciences and psychology of PLOS; finance, social networks and history in arXiv; economics, statistics, law and
others in arXiv, labelled before any run on them, and `later` ones), and those of ``qabstracts.jsonl`` (software
engineering; made by ``tools/qabstracts.py``) if FACETS_DATA has it. The column `before` has the figures of VERSION "5"
of tasks/facets/cues.py on the same sentences.

FACETS_DATA names a folder with ``test.jsonl`` and, to measure the time, ``train.jsonl``: objects with ``source``,
``sentences`` and ``labels``. A label ``a|b`` is ambiguous: each of its labels is correct. Sentences with the label
"other" are left out, and facets that a source does not distinguish are merged.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import nan
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from goals import Goal, print_goals
from support.run import ROOT, environment

from scholartools.tasks import facets
from scholartools.tasks.facets.decoding import decode_labels
from scholartools.tasks.facets.lexicon import _lexicons
from scholartools.tasks.facets.network import PATH
from scholartools.text import sentences
from scholartools.vocabulary import FACETS

DATA = Path(os.environ.get("FACETS_DATA", ROOT.parent / "shared" / "data" / "facets"))
OWN = ROOT / "fixtures" / "facet-abstracts.jsonl"
RUNS = 7
BATCH = 64
CUTS = 10
#: Merged facets by source: CSAbstruct has one class for results and conclusions.
MERGED = {"csabstruct": {"conclusion": "result"}}
#: Earlier accuracy in percent, on whole abstracts and on one to three of their sentences.
BEFORE = {
    "arxiv": 69.1,
    "arxiv-fresh": 70.8,
    "plos": 83.1,
    "arxiv-society": 73.0,
    "qabstracts": 87.7,
    "csabstruct": 83.2,
    "evidence-inference": 96.0,
    "other medical": 94.1,
}
BEFORE_CUT = {"csabstruct": 73.7, "evidence-inference": 86.4, "other medical": 80.9}
#: Accuracy in percent of 0.1.0 (its last commit, 23f8bf7) on the same whole abstracts, and goals.
GOALS = {
    "arxiv": Goal(48.4, 70),
    "arxiv-fresh": Goal(48.3, 70),
    "plos": Goal(80.4, None),
    "arxiv-society": Goal(60.0, None),
    "qabstracts": Goal(None, None),
    "csabstruct": Goal(83.9, None),
    "evidence-inference": Goal(95.7, None),
    "other medical": Goal(93.5, None),
}
#: Goal for physics and mathematics, and agreement of a second labelling on arxiv and arxiv-fresh.
GOAL = 70
AGREED = "94.9% of 352 (kappa 0.92) and 95.1% of 288 sentences (kappa 0.93)"
FIRST = (
    "import time; start = time.perf_counter(); from scholartools.tasks import facets; "
    "facets.label({'id': 'p', 'abstract': 'We asked why. We measured it.'}); print(time.perf_counter() - start)"
)

Pairs = list[tuple[str, str]]
Record = dict[str, Any]


def main() -> int:
    path = DATA / "test.jsonl"
    if not path.is_file():
        print(f"bench_facets: no test.jsonl in {DATA}: set FACETS_DATA to a folder that has it", file=sys.stderr)
        return 2
    now = outside()
    records = read("test.jsonl")
    print_head("whole abstracts")
    now |= show(records, BEFORE)
    print_goals("accuracy of whole abstracts, percent", GOALS, now)
    print_head("one to three sentences")
    show(drawn(records), BEFORE_CUT)
    speed(read("train.jsonl"))
    return 0


def read(name: str) -> list[Record]:
    with (DATA / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


# Accuracy


def outside() -> dict[str, float]:
    """Print a line for each source outside medicine with all four facets; return the accuracies in percent."""
    records = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]
    records += read("qabstracts.jsonl") if (DATA / "qabstracts.jsonl").is_file() else []
    found: dict[str, Pairs] = defaultdict(list)
    for record in records:
        if record["set"] == "test":
            found[record["source"]] += pairs(record)
    print_head("outside medicine")
    for source, judged in found.items():
        print_line(source, judged, BEFORE)
    print(f"goal for arxiv: {GOAL}; a second pass agreed on {AGREED}")
    return {source: accuracy(judged) for source, judged in found.items()}


def print_head(title: str) -> None:
    columns = "".join(f"{name:>12}" for name in ("sentences", "accuracy", "before", "macro-F1", *FACETS))
    print(f"\n{title:20}{columns}  conclusions found")


def print_line(source: str, judged: Pairs, before: dict[str, float]) -> None:
    """Print accuracy (now and ``before``), macro F1 and F1 by facet in percent; - if undefined."""
    figures = [
        accuracy(judged),
        before.get(source, nan),
        100 * macro_f1(judged),
        *(100 * f1(judged, one) for one in FACETS),
    ]
    said = [label for gold, label in judged if gold == "conclusion"]
    columns = "".join(f"{figure:12.1f}" for figure in figures).replace("nan", "  -")
    print(f"{source:20}{len(judged):12}{columns}  {said.count('conclusion')} of {len(said)}")


def accuracy(judged: Pairs) -> float:
    return 100 * mean(gold == said for gold, said in judged)


def show(records: Sequence[Record], before: dict[str, float]) -> dict[str, float]:
    """Print a line for each source, and one for all that are not in ``before``; return the accuracies in percent."""
    found: dict[str, Pairs] = defaultdict(list)
    for record in records:
        own = pairs(record)
        found[record["source"]] += own
        if record["source"] not in before:
            found["other medical"] += own
    for source, judged in sorted(found.items()):
        print_line(source, judged, before)
    return {source: accuracy(judged) for source, judged in found.items()}


def pairs(record: Record) -> Pairs:
    """Gold label and predicted label of each sentence that has a facet."""
    merged = MERGED.get(record["source"], {})
    judged = []
    for known, said in zip(record["labels"], decode_labels([record["sentences"]])[0]):
        gold = [merged.get(label, label) for label in known.split("|")]
        said = merged.get(said, said)
        if gold != ["other"]:
            judged.append((said if said in gold else gold[0], said))
    return judged


def macro_f1(judged: Pairs) -> float:
    """Mean F1 of the facets that occur in the gold labels."""
    return mean(f1(judged, facet) for facet in FACETS if any(gold == facet for gold, _ in judged))


def f1(judged: Pairs, facet: str) -> float:
    both = sum(gold == said == facet for gold, said in judged)
    either = sum(gold == facet for gold, _ in judged) + sum(said == facet for _, said in judged)
    return 2 * both / either if either else nan


def drawn(records: Sequence[Record]) -> list[Record]:
    """CUTS random excerpts of one to three sentences of each abstract, in order, by a fixed seed."""
    random = np.random.default_rng(0)
    return [_cut(record, random) for _ in range(CUTS) for record in records]


def _cut(record: Record, random: np.random.Generator) -> Record:
    count = len(record["sentences"])
    kept = sorted(random.choice(count, min(count, int(random.integers(1, 4))), replace=False).tolist())
    return {**record, **{key: [record[key][place] for place in kept] for key in ("sentences", "labels")}}


# Speed


def speed(records: Sequence[Record]) -> None:
    line = [sys.executable, "-c", FIRST]
    firsts = [
        float(subprocess.run(line, capture_output=True, check=True, env=environment()).stdout) for _ in range(RUNS)
    ]
    texts = [{"id": record["id"], "abstract": " ".join(record["sentences"])} for record in records]
    print(f"\nfirst label in a new process, median of {RUNS}: {1000 * median(firsts):.0f} ms")
    given = [record["sentences"] for record in records]
    length = mean(len(text["abstract"]) for text in texts)
    print(f"of {len(texts)} abstracts of {length:.0f} characters, none of them labelled before:")
    print(f"sentences given: {rate(lambda: in_batches(decode_labels, given), len(given)):.0f} abstracts/s")
    print(f"whole records: {rate(lambda: [*facets.label_all(texts)], len(texts)):.0f} abstracts/s")
    print(f"weights file: {PATH.stat().st_size / 1e6:.2f} MB")


def in_batches(function: Callable[[Sequence[Any]], Any], items: Sequence[Any]) -> None:
    """Process items in batches, like the command."""
    for first in range(0, len(items), BATCH):
        function(items[first : first + BATCH])


def rate(run: Callable[[], Any], count: int) -> float:
    """Items per second in the fastest of three runs, each with cleared caches."""
    seconds = []
    for _ in range(3):
        _lexicons.cache_clear()
        sentences._load_segmenter().clear_decision_cache()
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return count / min(seconds)


if __name__ == "__main__":
    sys.exit(main())
