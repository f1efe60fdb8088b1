"""Runs of commands as by a user: installed scripts, in separate processes, with real pipes."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support import described, preloaded

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent
PAPER = ROOT / "fixtures" / "paper" / "paper.pdf"
TIMEOUT = 120  # seconds


class Result:
    """Exit status and output of a command."""

    def __init__(self, done: subprocess.CompletedProcess) -> None:
        self.status: int = done.returncode
        self.out: bytes = done.stdout
        self.err: str = done.stderr.decode()
        assert "Traceback" not in self.err, self.err

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


def environment(**more: str) -> dict[str, str]:
    """Environment with the installed commands first on the path, without the user's settings, API keys and servers."""
    private = re.compile(r"^ST_|_(API_KEY|BASE_URL|API_BASE)$")
    kept = {key: value for key, value in os.environ.items() if not private.search(key)}
    return {**kept, "PATH": f"{BIN}{os.pathsep}{kept['PATH']}", **more}


def st(
    command: str,
    *args: str | Path,
    input: bytes | str = b"",
    env: dict | None = None,
    is_described: bool = True,
    **options: Any,
) -> Result:
    """Run a command with the given standard input.

    The records that it writes must match the published types, unless ``is_described`` is false.
    """
    data = input.encode() if isinstance(input, str) else input
    done = _run([str(BIN / command), *map(str, args)], data, environment(**(env or {})), options)
    if is_described:
        described.check(command, tuple(map(str, args)), data, done.stdout, Path(options.get("cwd") or "."))
    return Result(done)


def _run(line: list[str], data: bytes, env: dict[str, str], options: dict) -> subprocess.CompletedProcess:
    is_forked = preloaded.is_wanted and preloaded.n_interpreters == 0
    preloaded.n_interpreters = max(0, preloaded.n_interpreters - 1)
    if is_forked and options.keys() <= {"cwd"} and preloaded.is_possible(env):
        return preloaded.run(line, data, env, str(options.get("cwd") or Path.cwd()), TIMEOUT)
    return subprocess.run(line, input=data, capture_output=True, timeout=TIMEOUT, env=env, **options)


def shell(line: str, env: dict[str, str] | None = None, **options: Any) -> Result:
    """Run a line of bash with its defaults, without pipefail."""
    run_in = environment(**(env or {}))
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=TIMEOUT, env=run_in, **options)
    return Result(done)


@contextlib.contextmanager
def ends(seconds: float = 90) -> Iterator[None]:
    """End the process with a traceback if the block takes longer than ``seconds``."""
    faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def jsonl(*records: Any) -> bytes:
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


ABSTRACT = (
    "Peer review is slow and its outcome is hard to predict. We propose a small classifier that reads only the first "
    "page of a paper. Experiments on three corpora show that it beats a strong baseline by 4.2 points. We conclude "
    "that first pages carry more of the decision than is commonly assumed."
)
