"""Code shared by benchmarks: tables of figures of 0.1.0, current figures and goals; the time to read papers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from support.run import ROOT, environment

ROUNDS = 5
PATHS = os.pathsep.join(map(str, (ROOT, ROOT / "tests")))


class Goal(NamedTuple):
    """A figure of version 0.1.0 on the same data, and a goal.

    Attributes:
        before: figure of 0.1.0; None if unknown.
        goal: figure to reach; None for no goal.
        lower: whether a lower figure is better.
    """

    before: float | None
    goal: float | None
    lower: bool = False

    def is_reached(self, now: float | None) -> bool:
        """Whether a figure, rounded to two decimals, reaches the goal; true without a figure or goal."""
        if now is None or self.goal is None:
            return True
        return round(now, 2) <= self.goal if self.lower else round(now, 2) >= self.goal


def print_goals(title: str, goals: Mapping[str, Goal], now: Mapping[str, float | None]) -> None:
    """Print a line for each figure, with a star if it misses its goal."""
    print(f"\n{title:40}{'0.1.0':>8}{'now':>8}{'goal':>8}")
    for name, aim in goals.items():
        figures = "".join(f"{shown(figure):>8}" for figure in (aim.before, now.get(name), aim.goal))
        print(f"{name:40}{figures}{'' if aim.is_reached(now.get(name)) else '  *'}")


def shown(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"


def times_of_raw(papers: Sequence[Path]) -> float:
    """Processor time of reading papers relative to ``get_text("dict")``, measured in a separate process.

    The memory of this process would otherwise be counted as that of commands which it starts later.
    """
    line = [sys.executable, __file__, *map(str, papers)]
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=environment(PYTHONPATH=PATHS))
    return float(done.stdout)


def measure_times(papers: Sequence[Path]) -> float:
    """The same ratio, measured in this process: for each paper the fastest of several alternating rounds."""
    raw = own = 0.0
    read_paper(papers[0])  # imports what it needs
    for paper in papers:
        rounds = [(processor_time(read_raw, paper), processor_time(read_paper, paper)) for _ in range(ROUNDS)]
        fastest = [min(times) for times in zip(*rounds, strict=True)]
        raw, own = raw + fastest[0], own + fastest[1]
    return own / raw


def read_paper(paper: Path) -> None:
    from scholartools.readers.pdf import reader

    reader.read(paper.read_bytes())


def read_raw(paper: Path) -> None:
    from scholartools.readers.common.mupdf import import_mupdf

    with import_mupdf().open(paper) as document:
        for page in document:
            page.get_text("dict")


def processor_time(read: Callable[[Path], None], paper: Path) -> float:
    start = time.process_time()
    read(paper)
    return time.process_time() - start


if __name__ == "__main__":
    print(measure_times([Path(name) for name in sys.argv[1:]]))
