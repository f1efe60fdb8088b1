"""Cost of a million papers: extrapolated from measurements of a paper and dry runs, and written into docs/scale.md.

Products are computed from the rounded numbers in the tables, so that a reader (and a test) can reproduce them.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path

import zstandard
from support.run import BIN, PAPER, ROOT, environment
from support.schema_replies import Drawing
from support.server import Server

from scholartools.llm.usage.budget import price_of

PAGE = ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- made by `make bench-scale` -->\n", "<!-- end -->\n"
MODEL = "openai/gpt-4o-mini"
PAPERS, CORES = 1_000_000, 32
REPLY, LATENCY, CALLS = 150, 2.0, 200  # tokens of a reply, seconds of a call, calls in flight
LINES, PART = 50_000, 190e6  # limits of a batch: requests, bytes
COPIES, MANY = 8, 200  # additional papers that are timed: PDF files, records
BUILTIN = ["st-parse", "st-extract-limits", "st-claims extract", "st-facets"]
ASKED = [
    "st-facets", "st-extract-limits", "st-claims extract", "st-generate weaknesses", "st-generate experiments",
    "st-generate questions",
]  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as named:
        folder = Path(named)
        record = run(["st-parse", PAPER], folder).stdout
        (folder / "one.jsonl").write_bytes(record)
        text = "\n".join([*sizes(record), *times(folder, record), *questions(folder)])
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    PAGE.write_text(before + BEGIN + text + "\n" + END + rest.partition(END)[2])
    print(text)


def sizes(record: bytes) -> list[str]:
    rows = {
        "PDF file": PAPER.stat().st_size,
        "record in JSON": len(record),
        "record in JSON, compressed by zstd": len(zstandard.compress(record, 3)),
    }
    lines = ["| file | size for one paper (kB) | size for a million papers (GB) |", "|---|--:|--:|"]
    for name, size in rows.items():
        each = three(size / 1000)
        lines.append(f"| {name} | {each} | {three(float(each) * PAPERS / 1e6)} |")
    return [*lines, ""]


def times(folder: Path, record: bytes) -> list[str]:
    """Table of the processor time per additional paper: (time of many papers - time of one) / (number - 1)."""
    lines = [
        "| command without a model | processor time for one paper (seconds on one core) | "
        "processor time for a million papers (hours on one core) | time for a million papers (hours on 32 cores) |",
        "|---|--:|--:|--:|",
    ]
    value = json.loads(record)
    copies = (json.dumps({**value, "id": f"copy-{number}"}).encode() + b"\n" for number in range(MANY + 1))
    (folder / "many.jsonl").write_bytes(b"".join(copies))
    for number in range(COPIES + 1):
        (folder / f"{number}.pdf").symlink_to(PAPER)
    for command in BUILTIN:
        several = sorted(folder.glob("*.pdf")) if command == "st-parse" else [folder / "many.jsonl"]
        one = [PAPER] if command == "st-parse" else [folder / "one.jsonl"]
        many = min(seconds([*command.split(), *several], folder) for _ in range(3))
        each = three(
            (many - min(seconds([*command.split(), *one], folder) for _ in range(3)))
            / (COPIES if command == "st-parse" else MANY)
        )
        hours = float(each) * PAPERS / 3600
        lines.append(f"| `{command}` | {each} | {three(hours)} | {three(hours / CORES)} |")
    return [*lines, ""]


def questions(folder: Path) -> list[str]:
    price, batch = price_of(MODEL), price_of(MODEL, in_batch=True)
    assert price is not None and batch is not None
    share = batch.prompt / price.prompt
    lines = [
        textwrap.fill(
            f"The costs in the following table are for `{MODEL}`, at {price.prompt * 1e6:g} USD for a million tokens "
            f"sent and {price.completion * 1e6:g} USD for a million tokens of replies. In batches (files of requests "
            f"that the provider processes later), the prices of `{MODEL}` are multiplied by {share:g}. The following "
            f"table of costs assumes replies of {REPLY} tokens, {LATENCY:g} s for each call, and {CALLS} calls at the "
            "same time.",
            120,
            break_long_words=False,
            break_on_hyphens=False,
        ),
        "",
        "| command (its first requests to a model) | calls for one paper | tokens sent for one paper | "
        "kB sent for one paper | kB in the cache for one paper | cost of a million papers (USD) | "
        "cost of a million papers in batches (USD) | hours for a million papers, 1 process | "
        "hours for a million papers, 8 processes | number of batches for a million papers | "
        "GB in the cache for a million papers |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for command in ASKED:
        calls, tokens, sent, kept = (three(found) for found in asked(command, folder))
        usd = PAPERS * (float(tokens) * price.prompt + float(calls) * REPLY * price.completion)
        hours = float(calls) * PAPERS * LATENCY / (CALLS * 3600)
        parts = max(math.ceil(float(calls) * PAPERS / LINES), math.ceil(float(sent) * 1000 * PAPERS / PART))
        made = [three(usd), three(usd * share), three(hours), three(hours / 8), str(parts), three(float(kept))]
        lines.append(f"| `{command}` | {' | '.join([calls, tokens, sent, kept, *made])} |")
    return lines


def asked(command: str, folder: Path) -> tuple[float, float, float, float]:
    """For one paper: number of first requests, their tokens, their size (KB), and the size of the cache (KB)."""
    line = [*command.split(), "--model", MODEL, folder / "one.jsonl"]
    dry = json.loads(run([*line, "--dry-run"], folder).stdout)["dry_run"]
    files = folder / f"files {command}"
    run([*line, "--batch-file", files], folder, status=5)
    sent = sum(path.stat().st_size for path in files.iterdir())
    with Server(respond=Drawing(5)) as server:
        cache = folder / f"cache {command}"
        env = {**server.environment, "ST_CACHE": str(cache)}
        run(line, folder, status=None, **env)
        with sqlite3.connect(cache / "calls.sqlite") as db:
            [(kept,)] = db.execute("SELECT avg(length(key) + length(reply) + length(request)) FROM calls")
    return dry["to_send"], dry["estimate"]["prompt_tokens"], sent / 1000, kept * dry["to_send"] / 1000


def run(line: Sequence[object], folder: Path, status: int | None = 0, **env: str) -> subprocess.CompletedProcess[bytes]:
    env = {"ST_CACHE": str(folder / "calls"), "OPENAI_API_KEY": "sk-none", **env}
    done = subprocess.run([BIN / str(line[0]), *map(str, line[1:])], env=environment(**env), capture_output=True)
    if status is not None and done.returncode != status:
        sys.exit(f"{line}: {done.returncode}\n{done.stderr.decode()}")
    return done


def seconds(line: Sequence[object], folder: Path) -> float:
    """Processor time of a command in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(line, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def three(value: float) -> str:
    """Format with three significant digits."""
    return f"{float(f'{value:.3g}'):.10g}"


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    main()
