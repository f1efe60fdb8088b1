"""Benchmark of the certificates of equations: how many labelled pairs they decide, and how fast. Nothing is asserted.

EQUATIONS_DATA names a folder with ``pairs.jsonl`` (objects with ``positive``, ``alternative``, ``verdict``, ``kind``)
and ``src``, a folder of LaTeX sources, whose display equations are read and made into questions. EQUATIONS_PAPERS (or
--papers) names a JSONL file of papers from st-parse, of which all possible questions are made, to print how many
displays yield one, the reasons for the others, and the accuracy of shortcuts. --pairs names a JSONL file of further
pairs (``positive``, ``alternative``, ``verdict``, and ``source``, by which they are grouped). --printed is the number
of pairs printed by sympy, whose verdicts come from their values; if sympy is installed, its parse_latex and simplify
are compared on labelled pairs.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from support.equation_pairs import Pair, iterate
from support.run import BIN, ROOT, environment

from scholartools.tasks.equations import Unread, certify, parse
from scholartools.tasks.equations.questions.making import Options, find_candidates, make_questions
from scholartools.tasks.equations.questions.shortcut_table import Table

DATA = Path(os.environ.get("EQUATIONS_DATA", ROOT.parent / "shared" / "data" / "equations"))
MANY = 11_000
MEMORY_AT = (1_000, 5_000, MANY)
SETS = 8  # number of seeds for the sets of questions
_FEW = 3  # minimum number of pairs for a line of a kind
SYMPY_PAIRS = 60  # number of pairs compared by sympy, which is slow

Record = dict[str, Any]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--generated", type=int, default=2000, help="pairs of known truth that are generated")
    options.add_argument("--printed", type=int, default=500, help="pairs that sympy makes and prints")
    options.add_argument("--seed", type=int, default=0, help="of these pairs")
    options.add_argument("--pairs", help="JSONL of pairs of known verdict; nothing else is tried")
    options.add_argument("--only-generated", action="store_true", help="leave out all else")
    options.add_argument(
        "--papers", default=os.environ.get("EQUATIONS_PAPERS"), help="JSONL of papers to make questions of"
    )
    options.add_argument("--only-papers", action="store_true", help="leave out all but these")
    chosen = options.parse_args()
    if chosen.papers:
        with Path(chosen.papers).open(encoding="utf-8") as file:
            show_yield(Path(chosen.papers).name, map(json.loads, file))
    if chosen.only_papers:
        return 0
    if chosen.pairs:
        show_labelled(chosen.pairs, read_pairs(Path(chosen.pairs)))
        return 0
    show_labelled(f"generated, seed {chosen.seed}", iterate(chosen.generated, chosen.seed), "field")
    if chosen.printed:
        show_printed(chosen.printed, chosen.seed)
    if chosen.only_generated:
        return 0
    path = DATA / "pairs.jsonl"
    if not path.is_file():
        print(f"bench_equations: no pairs.jsonl in {DATA}: set EQUATIONS_DATA to a folder that has it", file=sys.stderr)
        return 2
    pairs = read_pairs(path)
    show_labelled(path.name, pairs)
    show_sympy(pairs[:: max(1, len(pairs) // SYMPY_PAIRS)])
    show_reading()
    show_many(chosen.seed + 1)
    show_sets()
    return 0


def read_pairs(path: Path) -> list[Pair]:
    """Read labelled pairs with their sources; the kind defaults to the verdict."""
    with path.open(encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    return [
        Pair(
            *(one[key] for key in ("positive", "alternative", "verdict")),
            one.get("kind", one["verdict"]),
            one.get("source", one.get("paper", path.name)),
        )
        for one in records
    ]


def show_labelled(name: str, pairs: Iterable[Pair], group: str = "source") -> None:
    """Print the shares of wrong and decided pairs, with intervals, by verdict, by kind, and by ``group``."""
    seconds = 0.0  # processor time of the certificates only
    tallies: dict[str, Counter[str]] = {}
    for pair in pairs:
        start = time.process_time()
        verdict = certify(pair.positive, pair.alternative)["verdict"]
        seconds += time.process_time() - start
        result = "undecided" if verdict == "undecided" else "right" if verdict == pair.verdict else "wrong"
        for row in (
            "all",
            f"truth: {pair.verdict}",
            f"{group}: {pair.field}",
            f"kind: {pair.kind.split(' beside')[0]}",
        ):
            tallies.setdefault(row, Counter())[result] += 1
        if result == "wrong":
            print(f"wrong: {verdict}, {pair.kind}: {pair.positive} | {pair.alternative}")
    print(f"{name}: {tallies['all'].total() / seconds:.0f} pairs a second of processor time")
    kinds = {row: tally for row, tally in tallies.items() if row.startswith("kind: ")}
    right = {row: tally for row, tally in kinds.items() if not tally["wrong"]}
    plain = {row for row, tally in right.items() if tally.total() < _FEW or not tally["undecided"]}
    for row, tally in sorted(tallies.items()):
        if row in plain:
            continue
        total = tally.total()
        wrong, decided = (interval(part, total) for part in (tally["wrong"], tally["right"] + tally["wrong"]))
        print(f"  {row:40}{total:6} pairs; wrong {wrong}; decided {decided}")
    few = [kinds[row] for row in plain if kinds[row]["undecided"]]
    whole = [kinds[row] for row in plain if not kinds[row]["undecided"]]
    print(f"  {len(whole)} kinds wholly decided, none wrong: {sum(one.total() for one in whole)} pairs")
    print(
        f"  {len(few)} kinds of fewer than {_FEW} pairs, none wrong: {sum(one.total() for one in few)} pairs, "
        f"{sum(one['undecided'] for one in few)} undecided"
    )


def show_printed(count: int, seed: int) -> None:
    """Show the results for pairs printed by sympy, if it is installed."""
    try:
        from support import sympy_pairs
    except ImportError as error:
        print(f"no pairs printed by sympy: {error}; pip install '.[test]' installs what is needed")
        return
    show_labelled(f"printed by sympy, seed {seed}", sympy_pairs.iterate(count, seed))


def interval(part: int, total: int) -> str:
    """A share in percent with its 95% Wilson interval."""
    z, share = 1.96, part / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{100 * share:.1f}% ({100 * max(0, middle - half):.1f} to {100 * min(1, middle + half):.1f})"


def show(name: str, pairs: list[Pair], judge: Callable[[Pair], str]) -> None:
    """Print a method's verdicts by the true verdict, and its time."""
    start = time.process_time()
    verdicts = Counter((pair.verdict, judge(pair)) for pair in pairs)
    seconds = time.process_time() - start
    print(f"{name}: {len(pairs)} pairs, {len(pairs) / seconds:.0f} a second, {seconds:.2f} s")
    for truth in ("different", "same"):
        total = sum(count for (true, _), count in verdicts.items() if true == truth)
        cells = [f"{verdict} {verdicts[truth, verdict]}" for verdict in ("different", "same", "undecided")]
        decided = interval(total - verdicts[truth, "undecided"], total)
        print(f"  {truth:10}{total:5}: {', '.join(cells)}; decided {decided}")


def show_sympy(pairs: list[Pair]) -> None:
    """Show the results of sympy's parse_latex and simplify on some of the pairs."""
    try:
        from sympy import simplify
        from sympy.parsing.latex import parse_latex

        parse_latex("x")
    except ImportError:
        print("sympy or the parser of LaTeX that it needs is not installed: pip install '.[test]' installs both")
        return

    def judge(pair: Pair) -> str:
        try:
            sides = [parse_latex(latex) for latex in (pair.positive, pair.alternative)]
            gaps = [side.lhs - side.rhs for side in sides]
            return "same" if simplify(gaps[0] - gaps[1]) == 0 else "different"
        except Exception:
            return "undecided"

    show(
        "certificates on the pairs for sympy",
        pairs,
        lambda pair: certify(pair.positive, pair.alternative)["verdict"],
    )
    show("sympy, parse_latex and simplify", pairs, judge)


def show_reading() -> None:
    """Print how many display equations are read, and the reasons for the others."""
    for folder in sorted((DATA / "src").iterdir()):
        equations = json.loads(read_source(folder))["equations"]
        reasons = Counter(reason for one in equations if (reason := unread(one["latex"])))
        skipped = ", ".join(f"{reason} ({count})" for reason, count in reasons.items())
        print(
            f"{folder.name}: {len(equations) - reasons.total()} of {len(equations)} equations read"
            f"{': ' * bool(skipped)}{skipped}"
        )


def unread(latex: str) -> str | None:
    try:
        parse(latex)
    except Unread as error:
        return error.reason
    return None


def show_sets() -> None:
    """Print the accuracy of shortcuts on questions about the papers' equations, for the designs square and star."""
    papers = [json.loads(read_source(folder)) for folder in sorted((DATA / "src").iterdir())]
    papers.append(json.loads(read_source(ROOT / "fixtures" / "paper" / "paper.tex")))
    show_yield("papers of EQUATIONS_DATA", papers)
    for design in ("square", "star"):
        start = time.process_time()
        table = Table()
        for seed in range(SETS):
            for paper in papers:
                options = Options(design=design, seed=seed, per_paper=99, rows="all")
                for question in make_questions(paper, options).questions:
                    table.add({**question, "id": f"{question['id']} seed {seed}"})
        print(f"\n{design}, {SETS} seeds, {time.process_time() - start:.0f} s")
        print("\n".join(table.lines()))


def show_yield(name: str, papers: Iterable[Record]) -> None:
    """Print how many displays yield a question, the reasons for the others, and the accuracy of shortcuts."""
    table, skipped = Table(learns=True), Counter[str]()
    total = usable = 0
    options = Options(per_paper=MANY)
    for paper in papers:
        if not paper.get("equations"):
            continue
        made = make_questions(paper, options)
        total += len(paper["equations"])
        usable += len(find_candidates(paper, options).usable)
        skipped += made.skipped
        for question in made.questions:
            table.add(question)
    count = len(table.questions)
    print(f"{name}: {count} questions of {total} displays, of which {usable} are read and state one relation")
    if usable:
        print(f"  of all displays {interval(count, total)}; of those {interval(count, usable)}")
    for reason, times in skipped.most_common():
        print(f"  {times:6} {reason}")
    print("\n".join(table.lines()))


def read_source(source: Path) -> str:
    """Output of st-parse for a source."""
    main_file = source / "main.tex"
    line = [BIN / "st-parse", main_file if main_file.is_file() else source]
    return subprocess.run(line, capture_output=True, text=True, env=environment()).stdout


def show_many(seed: int) -> None:
    """Print the time and memory of many certificates of new pairs."""
    memory, seconds = [], 0.0
    for place, pair in enumerate(iterate(MANY, seed), 1):
        start = time.process_time()
        certify(pair.positive, pair.alternative)
        seconds += time.process_time() - start
        if place in MEMORY_AT:
            memory.append(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB after {place}")
    print(f"{MANY} certificates, seed {seed}: {MANY / seconds:.0f} a second; memory at most {', '.join(memory)}")


if __name__ == "__main__":
    sys.exit(main())
