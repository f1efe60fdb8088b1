"""Benchmark of st-judge facets without a model: agreement with the ratings of fixtures/facet-pairs.jsonl.

The pairs are split into halves by reference: the thresholds maximise the number of equal ratings on one half (the
middle of several optima), and are tested on the other. Figures are printed only.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Sequence
from typing import Any

from support.run import ROOT

from scholartools.metrics.agreement.coefficients import cohen_kappa
from scholartools.tasks.judge.facet_ratings import builtin

PAIRS = ROOT / "fixtures" / "facet-pairs.jsonl"
STEPS = [step / 100 for step in range(5, 96)]
SCALES = {"1 to 3": ("background", "conclusion"), "1 to 4": ("method", "result")}

# Rating and similarity of each pair.
Said = Sequence[tuple[int, float]]


def main() -> int:
    with PAIRS.open(encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    for pair in pairs:
        pair["similarity"] = builtin.similarity(pair["reference"], pair["candidate"])
    print(f"{'scale':8}{'half':8}{'pairs':>8}{'right':>8}{'kappa':>8}  thresholds")
    for scale, facets in SCALES.items():
        show(scale, [pair for pair in pairs if pair["facet"] in facets], builtin.THRESHOLDS[facets[0]])
    return 0


def show(scale: str, pairs: Sequence[dict[str, Any]], used: Sequence[float]) -> None:
    """Print the thresholds chosen on one half, and accuracy and kappa on both, and on test ratings of 2 and more."""
    halves = {
        half: [(pair["rating"], pair["similarity"]) for pair in pairs if pair["half"] == half]
        for half in ("choose", "test")
    }
    best = chosen(halves["choose"], len(used))
    halves["test, 2 and more"] = [said for said in halves["test"] if said[0] > 1]
    for half, said in halves.items():
        equal = cohen_kappa([gold for gold, _ in said], [builtin.rating(found, best) for _, found in said]).value
        told = f"  {best} (in use: {tuple(used)})" if half == "choose" else ""
        print(f"{scale:8}{half:18}{len(said):4}{right(said, best):8}{equal:8.2f}{told}")


def chosen(said: Said, count: int) -> tuple[float, ...]:
    tried = list(itertools.combinations(STEPS, count))
    counts = [right(said, thresholds) for thresholds in tried]
    best = [thresholds for thresholds, found in zip(tried, counts) if found == max(counts)]
    return best[len(best) // 2]


def right(said: Said, thresholds: Sequence[float]) -> int:
    return sum(gold == builtin.rating(found, thresholds) for gold, found in said)


if __name__ == "__main__":
    sys.exit(main())
