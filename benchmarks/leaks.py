"""Benchmark of the built-in detection of leaks in the text before the experiments, and of the cut before these.

LEAKS_DATA names a folder with checkouts of the repositories of papers, as OWNER+NAME; ``fixtures/leak-labels.jsonl``
labels the sentences that leak. The classifier was trained on the first six sets; the last set, used once, estimates its
accuracy on new papers. Figures are printed, not asserted.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
from support.leak_labels import Marked, read_labels, read_marked

from scholartools.errors import InputFault
from scholartools.tasks.generate.experiments.first_experiment import first_experiment
from scholartools.tasks.generate.experiments.likelihood import find_likely

Z = 1.959964
RESAMPLES = 10_000
REMOVALS = ("precise", "wide")
PARTS = {"abstract": "abstract, introduction", "introduction": "abstract, introduction"}


def main() -> int:
    for kept in ("learn", "blind", "second", "third", "fourth", "fifth", "sixth"):
        papers = read_marked(kept)
        print(f"\n{kept}: {len(papers)} of {len(read_labels(kept))} papers in LEAKS_DATA")
        if papers:
            by_part(papers)
            for removal in REMOVALS:
                by_paper(papers, removal)
            cuts(papers)
    return 0


def by_part(papers: Sequence[Marked]) -> None:
    """Print precision and recall of removed sentences, by cues alone and by classifier, overall and by part."""
    ways = {
        "cues": [one.cue is not None for paper in papers for one in paper.seen],
        **{
            removal: [one for paper in papers for one in find_likely(paper.seen, paper.later, removal)]
            for removal in REMOVALS
        },
    }
    parts = [PARTS.get(one.role, "further sections") for paper in papers for one in paper.seen]
    leaks = [one for paper in papers for one in paper.leaks]
    arguable = [one for paper in papers for one in paper.arguable]
    for part in ("all", *dict.fromkeys(parts)):
        here = [n for n, one in enumerate(parts) if part in ("all", one)]
        for way, taken in ways.items():
            out = [n for n in here if taken[n]]
            right, clear = sum(leaks[n] for n in out), sum(not arguable[n] for n in out)
            print(
                f"{part:24}{way:9}{len(here):6} sentences  right {share(right, len(out))}"
                f"  of clear ones {share(right, clear)}  found {share(right, sum(leaks[n] for n in here))}"
            )


def by_paper(papers: Sequence[Marked], removal: str) -> None:
    """Print precision and recall with bootstrap intervals over papers, for sentences and for runs of adjacent ones."""
    print(removal)
    taken = [find_likely(paper.seen, paper.later, removal) for paper in papers]
    counts = np.array([count_sentences(paper, out) for paper, out in zip(papers, taken, strict=True)])
    runs = np.array([count_runs(paper, out) for paper, out in zip(papers, taken, strict=True)])
    drawn = np.random.default_rng(0).integers(len(papers), size=(RESAMPLES, len(papers)))
    for name, one in (("sentences", counts), ("runs", runs)):
        sums, samples = one.sum(axis=0), one[drawn].sum(axis=1)
        for share_name, part, whole in (("right", 0, 1), ("right of clear ones", 0, 2), ("found", 3, 4)):
            low, high = np.nanpercentile(samples[:, part] / samples[:, whole], [2.5, 97.5])
            rate = sums[part] / sums[whole]
            print(f"{name}, {share_name}: {sums[part]}/{sums[whole]} {rate:.0%} [{low:.0%}, {high:.0%}]")
    harmless = sum(not leak for paper in papers for leak in paper.leaks)
    print(f"harmless sentences taken out: {share(int(counts[:, 1].sum() - counts[:, 0].sum()), harmless)}")


def count_sentences(paper: Marked, taken: Sequence[bool]) -> tuple[int, int, int, int, int]:
    """Numbers of sentences: removed and leaking, removed, removed and not arguable, leaking and removed, leaking."""
    out = [n for n, one in enumerate(taken) if one]
    right = sum(paper.leaks[n] for n in out)
    return right, len(out), sum(not paper.arguable[n] for n in out), right, sum(paper.leaks)


def count_runs(paper: Marked, taken: Sequence[bool]) -> tuple[int, int, int, int, int]:
    """The same numbers for runs of adjacent sentences of a section; at least half of a run must leak, or be removed."""
    out, leaking = find_runs(paper, taken), find_runs(paper, paper.leaks)
    right = sum(2 * sum(paper.leaks[n] for n in run) >= len(run) for run in out)
    clear = sum(not all(paper.arguable[n] for n in run) for run in out)
    return right, len(out), clear, sum(2 * sum(taken[n] for n in run) >= len(run) for run in leaking), len(leaking)


def find_runs(paper: Marked, held: Sequence[bool]) -> list[list[int]]:
    places = [one.place for one in paper.seen]
    runs: list[list[int]] = []
    for number in (n for n, one in enumerate(held) if one):
        if runs and runs[-1][-1] == number - 1 and places[number - 1] == places[number]:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def share(part: int, whole: int) -> str:
    """A share with its 95% Wilson interval, which treats sentences as independent."""
    if not whole:
        return "-"
    rate, more = part / whole, Z * Z / whole
    middle = (rate + more / 2) / (1 + more)
    half = Z * math.sqrt(rate * (1 - rate) / whole + more / whole / 4) / (1 + more)
    return f"{part}/{whole} {rate:.0%} [{middle - half:.0%}, {middle + half:.0%}]"


def cuts(papers: Sequence[Marked]) -> None:
    """Print how the cuts of papers relate to the sections that the labels name."""
    print("cut:", ", ".join(f"{state} {count}" for state, count in sorted(Counter(map(cut_state, papers)).items())))


def cut_state(paper: Marked) -> str:
    order = [one["id"] for one in paper.record["sections"]]
    try:
        found = order.index(first_experiment(paper.record, []).section)
    except InputFault:
        return "refused"
    wanted = order.index(paper.label["before"])
    return "right" if found == wanted else "early" if found < wanted else "late"


if __name__ == "__main__":
    sys.exit(main())
