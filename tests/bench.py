"""Benchmarks: start-up beside a bare click program, stream speed and memory. Printed, never asserted."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from conftest import ABSTRACT, BIN, ROOT, environment

BARE = "import click\n@click.command()\n@click.version_option('0')\ndef main(): pass\nmain()\n"
RUNS = 15


def main() -> None:
    start_up()
    streams()


def start_up() -> None:
    """Median wall time of --help and --version, in turn with the bare program so that both see the same machine."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        print(f"{'start-up, median of ' + str(RUNS):28}{'ms':>8}{'bare click':>12}{'ratio':>8}")
        for command in sorted(path.name for path in (ROOT / "bin").iterdir()):
            for option in ("--help", "--version"):
                pairs = [
                    (seconds([BIN / command, option]), seconds([sys.executable, bare, option])) for _ in range(RUNS)
                ]
                ours, plain = (statistics.median(column) for column in zip(*pairs, strict=True))
                print(f"{command + ' ' + option:28}{ours * 1000:8.0f}{plain * 1000:12.0f}{ours / plain:8.2f}")


def seconds(line: list) -> float:
    start = time.perf_counter()
    subprocess.run(line, capture_output=True, check=True, env=environment())
    return time.perf_counter() - start


def streams() -> None:
    """Records a second through st-facets, and the peak memory of the process, at two lengths."""
    print(f"\n{'st-facets':28}{'records/s':>12}{'peak MB':>10}")
    for count in (10_000, 100_000):
        rate, peak = stream(count)
        print(f"{f'{count:,} records':28}{rate:12.0f}{peak:10.1f}")


def stream(count: int) -> tuple[float, float]:
    line = json.dumps({"id": "p", "abstract": ABSTRACT}).encode() + b"\n"
    start = time.perf_counter()
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([BIN / "st-facets"], stdin=subprocess.PIPE, stdout=nowhere, env=environment())
        for _ in range(count // 100):
            process.stdin.write(line * 100)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return count / (time.perf_counter() - start), usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()
