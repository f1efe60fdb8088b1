"""Benchmarks of start-up (relative to a bare click program), streams, and model calls (relative to bare clients)."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support import postgres
from support.run import ABSTRACT, BIN, ROOT, environment
from support.server import Server

BARE = """import sys, click
text = "What the option does to each record, in a sentence or two of plain words."
options = [click.Option([f"--option-{number}"], help=text) for number in range(int(sys.argv[1]))]
click.Command("bare", params=options)(sys.argv[2:])
"""
RUNS = 15
ROUNDS, FEW, MANY = 3, 500, 3000
START_GOAL = 1.1  # relative to the start of a bare click program


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder
    ):  # bytecode is cached, as in an installed package, in all runs but the first
        os.environ |= {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        start_up()
        stream(1)
        streams()
        calls()
        warm()
        warm_on_a_server()
        one_process()


def start_up() -> None:
    """Print the processor time of --help, alternating with a click program with as many options."""
    print(f"{'--help, median of ' + str(RUNS):28}{'ms':>8}{'bare click':>12}{'ratio':>8}{'goal':>8}")
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        env = environment()
        for command in help_pages():
            ours = [BIN / command[0], *command[1:], "--help"]
            count = subprocess.run(ours, capture_output=True, text=True, env=env).stdout.count("\n  --")
            pairs = [
                (processor_seconds(ours, env), processor_seconds([sys.executable, bare, count, "--help"], env))
                for _ in range(RUNS)
            ]
            own, plain = (statistics.median(column) for column in zip(*pairs, strict=True))
            print(f"{' '.join(command):28}{own * 1000:8.1f}{plain * 1000:12.1f}{own / plain:8.2f}{START_GOAL:8.2f}")


def help_pages() -> list[list[str]]:
    """Command lines of all commands, and of one task of some commands."""
    tasks = {"st-judge": "match", "st-generate": "limitations", "st-claims": "label", "st-agree": "alpha"}
    names = sorted(path.name for path in (ROOT / "bin").iterdir())
    return [[name] for name in names] + [[name, task] for name, task in tasks.items()]


def processor_seconds(line: list, env: dict[str, str]) -> float:
    process = subprocess.Popen([str(part) for part in line], stdout=subprocess.DEVNULL, env=env)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return usage.ru_utime + usage.ru_stime


def streams() -> None:
    """Print the throughput of st-facets (records/s) and its peak memory, for two numbers of records."""
    print(f"\n{'st-facets':28}{'records/s':>12}{'peak MB':>10}")
    for count in (10_000, 100_000):
        rate, peak = stream(count)
        print(f"{f'{count:,} records':28}{rate:12.0f}{peak:10.1f}")


def stream(count: int) -> tuple[float, float]:
    line = json.dumps({"id": "p", "abstract": ABSTRACT}).encode() + b"\n"
    part = line * min(count, 100)
    start = time.perf_counter()
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([BIN / "st-facets"], stdin=subprocess.PIPE, stdout=nowhere, env=environment())
        for _ in range(0, count, 100):
            process.stdin.write(part)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return count / (time.perf_counter() - start), usage.ru_maxrss / 1024


def calls(count: int = 3000, latency: float = 0.2) -> None:
    """Print the wall time of many calls relative to the ideal and to a bare aiohttp client; also of litellm alone."""
    with Server(answer=lambda _: EMPTY) as server, tempfile.TemporaryDirectory() as folder:
        timed([BIN / "st-facets", "--model", "openai/mock"], questions(1), server, folder)
    head = f"{f'{count} calls of {latency * 1000:.0f} ms':28}{'concurrency':>12}{'seconds':>10}{'over ideal':>12}"
    print(f"\n{head}{'over bare aiohttp':>19}")
    for concurrency in (64, 200):
        ideal = count * latency / concurrency
        limit = str(concurrency)
        lines = {
            "bare aiohttp": [sys.executable, "-c", AIOHTTP, str(count), limit],
            "st-facets, openai/...": [BIN / "st-facets", "--model", "openai/mock", "--concurrency", limit],
            "st-facets, through litellm": [BIN / "st-facets", "--model", "lm_studio/mock", "--concurrency", limit],
            "litellm and a semaphore": [sys.executable, "-c", LITELLM, str(count), limit],
        }
        bare = None
        for name, line in lines.items():
            with Server(latency=latency, answer=lambda _: EMPTY) as server, tempfile.TemporaryDirectory() as folder:
                taken = timed(line, questions(count), server, folder)
            bare = bare or taken
            print(f"{name:28}{concurrency:12}{taken:10.1f}{taken / ideal:12.2f}{taken / bare:19.2f}", flush=True)


def warm(count: int = 10_000) -> None:
    """Print the throughput of a run with cached calls only, and of a bare loop over the same SQLite file."""
    with Server(answer=lambda _: EMPTY) as server, tempfile.TemporaryDirectory() as folder:
        line = [BIN / "st-facets", "--model", "openai/mock", "--concurrency", "64"]
        timed(line, questions(count), server, folder)
        taken = timed(line, questions(count), server, folder)
        bare = bare_hits(Path(folder))
    print(
        f"\n{f'{count:,} cached calls':28}{taken:8.2f} s{count / taken:12.0f} records/s; bare SQLite {bare:.0f} hits/s"
    )


def warm_on_a_server(count: int = 10_000) -> None:
    """Print the times of that run with the cache in PostgreSQL and in SQLite, alternating; the goal is 1.3 times."""
    if reason := postgres.missing():
        print(f"cached calls in PostgreSQL: not measured: {reason}")
        return
    line = [BIN / "st-facets", "--model", "openai/mock", "--concurrency", "64"]
    with (
        Server(answer=lambda _: EMPTY) as server,
        tempfile.TemporaryDirectory() as folder,
        postgres.running_server() as database,
    ):
        places = {"SQLite": folder, "PostgreSQL": database.new_database()}
        taken: dict[str, list[float]] = {name: [] for name in places}
        for _ in range(1 + ROUNDS):  # the first round fills the caches
            for name, place in places.items():
                taken[name].append(timed(line, questions(count), server, place))
    of = {name: statistics.median(times[1:]) for name, times in taken.items()}
    told = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in of.items())
    print(f"{f'{count:,} cached calls':28}{told}: {of['PostgreSQL'] / of['SQLite']:.2f} times; goal 1.30")


def bare_hits(folder: Path) -> float:
    path = next(folder.rglob("*.sqlite"))
    connection = sqlite3.connect(path)
    keys = [row[0] for row in connection.execute("SELECT key FROM calls")]
    start = time.perf_counter()
    for key in keys:
        connection.execute("SELECT reply FROM calls WHERE key = ?", (key,)).fetchone()
    return len(keys) / (time.perf_counter() - start)


def one_process() -> None:
    """Print throughputs per second of processor time without the start-up, which other load hardly affects."""
    print(f"\n{'in a second of one processor':40}{'now':>8}{'goal':>8}")
    texts = [json.loads(line)["sentences"] for line in (ROOT / "fixtures" / "facet-abstracts.jsonl").open()]
    lines = [json.dumps({"id": n, "abstract": " ".join(text)}).encode() + b"\n" for n, text in enumerate(texts)]
    facets = [BIN / "st-facets"]
    rates = [
        (len(lines) - 100) / (seconds_on(facets, b"".join(lines)) - seconds_on(facets, b"".join(lines[:100])))
        for _ in range(ROUNDS)
    ]
    print(f"{'abstracts labelled by st-facets':40}{statistics.median(rates):8.0f}{2500:8}", flush=True)
    with Server(answer=lambda _: EMPTY) as server, tempfile.TemporaryDirectory() as folder:
        line = [BIN / "st-facets", "--model", "openai/mock", "--concurrency", "64"]
        env = environment(ST_CACHE=folder, **server.environment)
        seconds_on(line, questions(MANY), env)
        rates = [
            (MANY - FEW) / (seconds_on(line, questions(MANY), env) - seconds_on(line, questions(FEW), env))
            for _ in range(ROUNDS)
        ]
    print(f"{'records whose call is cached':40}{statistics.median(rates):8.0f}{20_000:8}", flush=True)
    for name, line, aim in (
        ("calls, concurrency 200", [BIN / "st-facets", "--model", "openai/mock", "--concurrency", "200"], 600),
        ("calls of bare aiohttp", [sys.executable, "-c", AIOHTTP], None),
    ):
        rates = [(MANY - FEW) / (seconds_of_calls(line, MANY) - seconds_of_calls(line, FEW)) for _ in range(ROUNDS)]
        print(f"{name:40}{statistics.median(rates):8.0f}{aim or '-':>8}", flush=True)


def seconds_of_calls(line: list, count: int) -> float:
    """Processor time (s) of calls to a server with a latency of 0.2 s."""
    more = [str(count), "200"] if "-c" in line else []
    with Server(latency=0.2, answer=lambda _: EMPTY) as server, tempfile.TemporaryDirectory() as folder:
        return seconds_on([*line, *more], questions(count), environment(ST_CACHE=folder, **server.environment))


def seconds_on(line: list, data: bytes, env: dict[str, str] | None = None) -> float:
    """Processor time (s) of a command with the given standard input."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(line, input=data, capture_output=True, check=True, env=env or environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def questions(count: int) -> bytes:
    return b"".join(json.dumps({"id": n, "abstract": f"Number {n}. {ABSTRACT}"}).encode() + b"\n" for n in range(count))


def timed(line: list, data: bytes, server: Server, folder: str) -> float:
    start = time.perf_counter()
    address = f"http://127.0.0.1:{server.port}/v1"
    env = environment(ST_CACHE=folder, LM_STUDIO_API_BASE=address, LM_STUDIO_API_KEY="none", **server.environment)
    subprocess.run(line, input=data, capture_output=True, check=True, env=env)
    return time.perf_counter() - start


EMPTY = '{"background": [], "method": [], "result": [], "conclusion": []}'
LITELLM = """
import asyncio, os, sys
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm
async def main(count, concurrency):
    gate = asyncio.Semaphore(concurrency)
    async def one(n):
        async with gate:
            await litellm.acompletion(model="openai/mock", messages=[{"role": "user", "content": str(n)}])
    await asyncio.gather(*map(one, range(count)))
asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
"""
AIOHTTP = """
import asyncio, os, sys
import aiohttp
async def main(count, concurrency):
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=concurrency)) as session:
        async def one(n):
            body = {"model": "mock", "messages": [{"role": "user", "content": str(n)}]}
            async with session.post(url, json=body) as response:
                await response.json()
        await asyncio.gather(*map(one, range(count)))
asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
"""


if __name__ == "__main__":
    main()
