"""Benchmarks of the metrics against the underlying libraries, in one run. Figures are printed, not asserted."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

from support.run import ABSTRACT, BIN, environment

from scholartools.metrics.agreement.intervals import alpha_interval
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.metrics.texts.overlap import Rouge

SAMPLES = 1000
# The loop over the package is slow, so that its time is extrapolated from few resamples.
LOOPED = 20


def main() -> None:
    alpha()
    rouge()
    diversity()


def alpha(items: int = 2000, raters: int = 5) -> None:
    """Print the time of alpha's bootstrap interval, and of as many calls of the krippendorff package."""
    draw = random.Random(1)
    units = [[_rating(draw, centre) for _ in range(raters)] for centre in draw.choices(range(1, 6), k=items)]
    print(f"{f'alpha, {items} x {raters}, {SAMPLES} samples':36}{'s':>8}{'package, s':>12}{'ratio':>8}")
    for level in ("nominal", "ordinal", "interval", "ratio"):
        ours = taken(lambda level=level: alpha_interval(units, level, Resampling(SAMPLES, method="bootstrap")))
        theirs = taken(lambda level=level: _looped(units, level)) * SAMPLES / LOOPED
        print(f"{level:36}{ours:8.2f}{theirs:12.1f}{theirs / ours:8.0f}")


def _rating(draw: random.Random, centre: int) -> int | None:
    return None if draw.random() < 0.05 else min(5, max(1, centre + draw.randint(-1, 1)))


def _looped(units: list[list[int | None]], level: str) -> None:
    import krippendorff
    import numpy as np

    table = np.array([[np.nan if rating is None else rating for rating in unit] for unit in units], dtype=float).T
    draw = np.random.default_rng(1)
    for _ in range(LOOPED):
        places = draw.integers(0, table.shape[1], table.shape[1])
        krippendorff.alpha(reliability_data=table[:, places], level_of_measurement=level)


def rouge(count: int = 3000) -> None:
    """Print pairs per second of our ROUGE and of the package rouge-score."""
    from rouge_score.rouge_scorer import RougeScorer

    pairs = [(f"{ABSTRACT} {number}", f"{number} {ABSTRACT}") for number in range(count)]
    ours, theirs = Rouge(), RougeScorer(["rouge1", "rouge2", "rougeL"])
    rates = [count / taken(lambda score=score: [score(*pair) for pair in pairs]) for score in (theirs.score, ours)]
    print(f"\n{'ROUGE-1/2/L':36}{'pairs/s':>8}\n{'rouge-score':36}{rates[0]:8.0f}\n{'ours':36}{rates[1]:8.0f}")


def diversity(papers: int = 1000, items: int = 30) -> None:
    """Print the time of ITF-IDF over many papers by st-score, and the peak memory of all child processes so far."""
    draw = random.Random(1)
    words = [f"word{number}" for number in range(2000)]
    lines = []
    for paper in range(papers):
        texts = [" ".join(draw.choices(words, k=25)) for _ in range(items)]
        generated = {"weaknesses": [{"system": "s", "items": texts}]}
        lines.append(json.dumps({"id": str(paper), "weaknesses": [{"text": "None."}], "generated": generated}))
    data = "\n".join(lines).encode()
    line = [BIN / "st-score", "soft", "--summary"]
    seconds = taken(lambda: subprocess.run(line, input=data, capture_output=True, check=True, env=environment()))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)
    print(f"\n{f'ITF-IDF, {papers} papers x {items} items':36}{seconds:8.1f} s{peak:8.0f} MB")


def taken(work: Callable[[], object]) -> float:
    """Wall time in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
