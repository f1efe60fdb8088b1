"""Benchmarks of streams: records passed through, relative to a bare loop of orjson, and the speed-up by processes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.run import ABSTRACT, BIN, environment

ROUNDS = 7
COUNT = 20_000
PASS_GOAL, JOBS_GOAL, FAILING_GOAL = 4.0, 1.6, 1.0

BARE = """
import sys, orjson
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(orjson.dumps(orjson.loads(line)) + b"\\n")
"""
# A command whose task returns each record unchanged: only reading, counting and writing are left.
PASS = """
import sys, time
from scholartools.commands.shared.command import command

@command("st-pass", examples=())
def main(stream):
    \"\"\"Pass records through.\"\"\"
    return stream.map_records(lambda record: record)

main()
"""


def main() -> None:
    print(f"processor time of a whole process, {COUNT:,} records to a pipe; median of {ROUNDS} pairs; load {load()}")
    print(f"{'passed through':40}{'bare s':>9}{'ours s':>9}{'ratio':>8}{'goal':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name, make in RECORDS.items():
            path = Path(folder) / "records.jsonl"
            count = 300 if "paper" in name else COUNT
            path.write_bytes(b"".join(make(number) for number in range(count)))
            bare, own = medians(path, [[sys.executable, "-c", BARE], [sys.executable, "-c", PASS]])
            empty = Path(folder) / "empty.jsonl"
            empty.write_bytes(b"")
            bare_start, own_start = medians(empty, [[sys.executable, "-c", BARE], [sys.executable, "-c", PASS]])
            bare, own = bare - bare_start, own - own_start
            print(f"{name:40}{bare:9.3f}{own:9.3f}{own / bare:8.2f}{PASS_GOAL:7.1f}", flush=True)
        print(f"\n{'wall time of st-facets':40}{'1 process':>9}{'2':>9}{'gain':>8}{'goal':>7}")
        for name, data, goal in (
            ("abstracts", lambda n: line({"id": n, "abstract": ABSTRACT}), JOBS_GOAL),
            ("records that fail", lambda n: line({"id": n, "title": "No abstract."}), FAILING_GOAL),
        ):
            path.write_bytes(b"".join(data(number) for number in range(COUNT)))
            one, two = medians(path, [[BIN / "st-facets", "--quiet", "--jobs", jobs] for jobs in "12"], wall)
            print(f"{name:40}{one:9.2f}{two:9.2f}{one / two:8.2f}{goal:7.1f}", flush=True)


def load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def line(record: dict, **how: Any) -> bytes:
    return json.dumps(record, **how).encode() + b"\n"


def scores(n: int) -> list[dict]:
    return [{"system": f"s{k}", "values": {"rouge": (n * k % 97) / 97, "bleu": k / 10}} for k in range(10)]


def sections() -> list[dict]:
    return [{"id": f"s{k}", "text": ABSTRACT * 10, "pages": [k]} for k in range(20)]


RECORDS: dict[str, Callable[[int], bytes]] = {
    "an abstract, as orjson writes it": lambda n: line({"id": n, "abstract": ABSTRACT, "n": n}, separators=(",", ":")),
    "an abstract, as json writes it": lambda n: line({"id": n, "abstract": ABSTRACT, "x": 0.5, "y": [1.25, n]}),
    "scores of ten systems": lambda n: line({"id": f"p{n}", "scores": scores(n)}),
    "numbers written otherwise (2.50)": lambda n: b'{"id":%d,"values":[2.50, -0, 1e5],"abstract":"We test."}\n' % n,
    "a paper of 60 kB": lambda n: line({"id": n, "title": "Té", "sections": sections()}),
}


def medians(path: Path, lines: list[list], clock: Callable | None = None) -> list[float]:
    pairs = [[(clock or processor)(line, path) for line in lines] for _ in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*pairs, strict=True)]


def processor(command: list, path: Path) -> float:
    return measure(command, path)[1]


def wall(command: list, path: Path) -> float:
    return measure(command, path)[0]


def measure(command: list, path: Path) -> tuple[float, float]:
    """Wall time and processor time in seconds, with output to a pipe."""
    start = time.perf_counter()
    with path.open("rb") as data, subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as sink:
        pipes = {"stdin": data, "stdout": sink.stdin, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([str(part) for part in command], env=environment(), **pipes)
        _, status, usage = os.wait4(process.pid, 0)
        sink.stdin.close()
    assert os.waitstatus_to_exitcode(status) in (0, 1, 3)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
