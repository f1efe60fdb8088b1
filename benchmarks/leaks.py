"""Benchmark of what the built-in way takes for leaks in papers before their experiments, and of where these are cut.

LEAKS_DATA names a folder with checkouts of the repositories of papers, as OWNER+NAME; ``fixtures/leak-labels.jsonl``
marks the sentences that leak. The weights were made from the set ``learn``; the other four, each opened once,
are what to expect. Printed only.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Sequence

from support.leak_labels import Marked, read_labels, read_marked

from scholartools.errors import InputFault
from scholartools.tasks.generate.experiments.first_experiment import first_experiment
from scholartools.tasks.generate.experiments.likelihood import find_likely

Z = 1.959964
PARTS = {"abstract": "abstract, introduction", "introduction": "abstract, introduction"}


def main() -> int:
    for kept in ("blind", "second", "third", "fourth", "learn"):
        papers = read_marked(kept)
        print(f"\n{kept}: {len(papers)} of {len(read_labels(kept))} papers in LEAKS_DATA")
        if papers:
            by_part(papers)
            cuts(papers)
    return 0


def by_part(papers: Sequence[Marked]) -> None:
    """What is taken out, by the cues alone and by the weights: of all sentences, and by the part of the paper."""
    ways = {
        "cues": [one.cue is not None for paper in papers for one in paper.seen],
        "weights": [one for paper in papers for one in find_likely(paper.seen)],
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


def share(part: int, whole: int) -> str:
    """A share with its 95% interval of Wilson, which takes sentences as drawn one by one."""
    if not whole:
        return "-"
    rate, more = part / whole, Z * Z / whole
    middle = (rate + more / 2) / (1 + more)
    half = Z * math.sqrt(rate * (1 - rate) / whole + more / whole / 4) / (1 + more)
    return f"{part}/{whole} {rate:.0%} [{middle - half:.0%}, {middle + half:.0%}]"


def cuts(papers: Sequence[Marked]) -> None:
    """Where papers are cut, beside the section that the label names."""
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
