"""Benchmarks of st-parse: quality on papers with gold records compared with other tools, speed, memory. Printed only.

PARSE_DATA names a folder with ``dev/ID.pdf``, ``dev/ID.gold.json`` and a README with a table of other tools' figures;
PARSE_SCORER names the script that compares records with the gold records (``--gold DIR --pred DIR --json FILE``).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from goals import Goal, print_goals, times_of_raw
from support.run import BIN, ROOT, environment

DATA = Path(os.environ.get("PARSE_DATA", ROOT.parent / "shared" / "data" / "parse"))
SCORER = Path(os.environ.get("PARSE_SCORER", DATA.parent.parent / "tools" / "score_parse.py"))
# Figures of 0.1.0 are those of its last commit (23f8bf7) on the same 15 papers; no figure may get worse.
GOALS = {
    "title": Goal(1.00, 1.00),
    "abst": Goal(1.00, 1.00),
    "headF": Goal(0.98, 0.98),
    "level": Goal(0.98, 0.98),
    "textA": Goal(0.98, 0.98),
    "capR": Goal(0.99, 0.99),
    "refErr": Goal(0.0, 0.0, lower=True),
}
TIMES = {"all papers": Goal(2.33, 2.5, lower=True)}
LOWER_IS_BETTER = {"lkHead", "lkPage", "lkLine", "hyph", "capBody", "refErr"}
Row = dict[str, float]

READ = """
import sys, time
tool, *files = sys.argv[1:]
if tool == "st-parse":
    from scholartools.readers.common.mupdf import import_mupdf
    from scholartools.readers.pdf import reader
    import_mupdf()
    read = lambda path: reader.read(open(path, "rb").read())["pages"]
elif tool == "pymupdf4llm":
    import pymupdf, pymupdf4llm
    def read(path):
        with pymupdf.open(path) as document:
            pymupdf4llm.to_markdown(document)
            return document.page_count
else:
    import pymupdf
    def read(path):
        with pymupdf.open(path) as document:
            for page in document:
                page.get_text("dict")
            return document.page_count
read(files[0])
start = time.perf_counter()
pages = sum(map(read, files))
print(pages / (time.perf_counter() - start))
"""


def main() -> int:
    given = arguments()
    papers = sorted((DATA / "dev").glob("*.pdf"))
    if not papers:
        print(f"bench_parse: no papers in {DATA / 'dev'}: set PARSE_DATA to a folder that has them", file=sys.stderr)
        return 2
    if not SCORER.is_file():
        print(f"bench_parse: no scorer {SCORER}: set PARSE_SCORER", file=sys.stderr)
        return 2
    quality(papers)
    speed(papers, given.rounds, given.with_pymupdf4llm)
    jobs(papers * given.repeat, given.rounds)
    memory(papers)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often each time is taken, in turn (default 3)")
    parser.add_argument("--repeat", type=int, default=3, help="how often the papers are read for --jobs (default 3)")
    parser.add_argument(
        "--with-pymupdf4llm", default=sys.executable, metavar="PYTHON", help="an interpreter that has it"
    )
    return parser.parse_args()


def quality(papers: list[Path]) -> None:
    """Print the figures of other tools and of st-parse, with a star if another tool's figure is better."""
    rows = others()
    rows["st-parse"] = now = scores(papers)
    columns = list(next(iter(rows.values())))
    behind = [column for column in columns if not is_best(column, rows)]
    width = max(map(len, rows))
    print(f"{f'{len(papers)} papers (* = not the best)':{width}}" + "".join(f"{column:>9}" for column in columns))
    for tool, row in rows.items():
        marks = {column: "*" if tool == "st-parse" and column in behind else " " for column in columns}
        print(f"{tool:{width}}" + "".join(f"{shown(row.get(column)):>8}{marks[column]}" for column in columns))
    print("not the best in: " + (", ".join(behind) or "nothing"))
    print_goals(f"{len(papers)} papers", GOALS, now)
    print_goals('processor time, times get_text("dict")', TIMES, {"all papers": times_of_raw(papers)})


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def is_best(column: str, rows: dict[str, Row]) -> bool:
    """Whether no other tool's figure is better, at the two decimals of the table."""
    sign = -1 if column in LOWER_IS_BETTER else 1
    ours = rows["st-parse"].get(column)
    theirs = [row[column] for tool, row in rows.items() if tool != "st-parse"]
    return ours is not None and all(sign * round(ours, 2) >= sign * figure for figure in theirs)


def others() -> dict[str, Row]:
    """Figures of other tools: the table in the README whose first column is "tool"."""
    lines = [
        line.strip().strip("|").split("|") for line in (DATA / "README.md").read_text().splitlines() if "|" in line
    ]
    cells = [[cell.strip() for cell in line] for line in lines]
    start = next(index for index, row in enumerate(cells) if row[0] == "tool")
    table = [row for row in cells[start + 2 :] if len(row) == len(cells[start])]
    return {row[0]: dict(zip(cells[start][1:], map(float, row[1:]))) for row in table}


def scores(papers: list[Path]) -> Row:
    """The scorer's macro averages of the command's records; a failed paper counts as an empty one."""
    done = subprocess.run([BIN / "st-parse", "--jobs", "1", *papers], capture_output=True, env=environment())
    with tempfile.TemporaryDirectory() as folder:
        for line in done.stdout.splitlines():
            record = json.loads(line)
            (Path(folder) / f"{record['id']}.json").write_bytes(line)
            for error in record.get("errors", ()):
                print(f"failed: {record['id']}: {error['reason']}")
        result = Path(folder) / "scores.out"
        paths: list[str | Path] = ["--gold", DATA / "dev", "--pred", folder, "--json", result]
        subprocess.run([sys.executable, SCORER, "--quiet", *paths], check=True, capture_output=True)
        return json.loads(result.read_text())["macro"]


def speed(papers: list[Path], rounds: int, python: str) -> None:
    """Print pages per second of the tools, in alternating separate processes, without imports."""
    few = sorted(papers, key=lambda path: path.stat().st_size)[:3]
    print(f"\n{f'pages/s, median of {rounds} (lowest - highest)':44}")
    compare("all papers", {'get_text("dict")': sys.executable, "st-parse": sys.executable}, papers, rounds)
    if not subprocess.run([python, "-c", "import pymupdf4llm"], capture_output=True).returncode:
        compare(f"the {len(few)} smallest files", {"pymupdf4llm": python, "st-parse": sys.executable}, few, rounds)
    else:
        print("pymupdf4llm is not installed: name an interpreter that has it with --with-pymupdf4llm")


def compare(name: str, tools: dict[str, str], papers: list[Path], rounds: int) -> None:
    rates: dict[str, list[float]] = {tool: [] for tool in tools}
    for _ in range(rounds):
        for tool, python in tools.items():
            line = [python, "-c", READ, tool, *map(str, papers)]
            done = subprocess.run(
                line, capture_output=True, text=True, check=True, env=environment(PYTHONPATH=str(ROOT))
            )
            rates[tool].append(float(done.stdout.split()[-1]))  # a library may print before it
    for tool, found in rates.items():
        print(f"{f'  {name}: {tool}':44}{spread(found, 1)}")
    other, ours = (statistics.median(rates[tool]) for tool in tools)
    print(f"{f'  st-parse over {next(iter(tools))}':44}{ours / other:8.2f}")


def spread(values: list[float], decimals: int) -> str:
    low, high = min(values), max(values)
    return f"{statistics.median(values):8.{decimals}f}  ({low:.{decimals}f} - {high:.{decimals}f})"


def jobs(papers: list[Path], rounds: int) -> None:
    """Print the wall time of the whole command with one and two processes, alternating."""
    taken: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for count, times in taken.items():
            start = time.perf_counter()
            line = [str(BIN / "st-parse"), "--jobs", str(count), *map(str, papers)]
            subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
            times.append(time.perf_counter() - start)
    print(f"\n{f'{len(papers)} papers, s, median of {rounds}':44}")
    for count, times in taken.items():
        print(f"{f'  --jobs {count}':44}{spread(times, 1)}")
    print(f"{'  --jobs 2 over --jobs 1':44}{statistics.median(taken[1]) / statistics.median(taken[2]):8.2f}")


def memory(papers: list[Path]) -> None:
    """Print the peak memory of the command on each paper; of its processes, the largest counts."""
    peaks = {path.stem: peak(path) for path in papers}
    print(f"\n{'peak memory, MB':44}")
    for name, found in sorted(peaks.items(), key=lambda item: -item[1]):
        print(f"  {name:42}{found:8.0f}")


def peak(paper: Path) -> float:
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([BIN / "st-parse", paper], stdout=nowhere, stderr=nowhere, env=environment())
        _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
