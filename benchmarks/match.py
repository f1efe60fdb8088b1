"""Benchmark of st-judge match without a model: agreement with the labels of fixtures/match-pairs.jsonl.

The pairs are split into halves by field: the threshold maximises Cohen's kappa on one half (the middle of several
optima), and is tested on the other. Arguments name embedders; the default is wordllama. Figures are printed only.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from support.run import ROOT

from scholartools.metrics.agreement.coefficients import cohen_kappa
from scholartools.tasks.judge.matching.builtin import THRESHOLD, match_builtin
from scholartools.text.embeddings.sentence import DEFAULT

PAIRS = ROOT / "fixtures" / "match-pairs.jsonl"
STEPS = [step / 100 for step in range(101)]

Record = dict[str, Any]
# Label and similarity of each pair.
Said = Sequence[tuple[bool, float]]


def main() -> int:
    with PAIRS.open(encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    print(f"{len(records)} pairs, {sum(record['gold'] for record in records)} of them matches")
    for embedder in sys.argv[1:] or [DEFAULT]:
        show(records, embedder)
    return 0


def show(records: Sequence[Record], embedder: str) -> None:
    """Print the threshold chosen on one half, and the accuracy and kappa on the other, also by kind of pair."""
    pairs = [(record, similarity(record, embedder)) for record in records]
    halves = {half: [pair for pair in pairs if pair[0]["half"] == half] for half in ("choose", "test")}
    threshold = chosen([(record["gold"], cosine) for record, cosine in halves["choose"]])
    print(f"\n{embedder}: threshold {threshold}" + (f" (in use: {THRESHOLD})" if embedder == DEFAULT else ""))
    print(f"{'':14}{'pairs':>8}{'right':>8}{'kappa':>8}")
    for half, own in halves.items():
        line(half, [(record["gold"], cosine) for record, cosine in own], threshold)
    for kind in dict.fromkeys(record["kind"] for record in records):
        own = [(record["gold"], cosine) for record, cosine in halves["test"] if record["kind"] == kind]
        line(f"  {kind}", own, threshold)


def similarity(record: Record, embedder: str) -> float:
    made = match_builtin(record, embedder=embedder, reference="truth", candidate="said")
    return made["judgements"]["match"][0]["pairs"][0]["similarity"]


def chosen(said: Said) -> float:
    kappas = {step: kappa(said, step) for step in STEPS}
    best = [step for step in STEPS if kappas[step] == max(kappas.values())]
    return best[len(best) // 2]


def kappa(said: Said, threshold: float) -> float:
    """Cohen's kappa; 0 if undefined because predictions or labels are constant."""
    return cohen_kappa([gold for gold, _ in said], [cosine >= threshold for _, cosine in said]).value or 0.0


def line(name: str, said: Said, threshold: float) -> None:
    right = sum(gold == (cosine >= threshold) for gold, cosine in said)
    agreed = f"{kappa(said, threshold):8.2f}" if {gold for gold, _ in said} == {True, False} else ""
    print(f"{name:14}{len(said):8}{right:8}{agreed}")


if __name__ == "__main__":
    sys.exit(main())
