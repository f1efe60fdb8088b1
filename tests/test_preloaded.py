"""A command that is forked from a preloaded process does what it does in an interpreter of its own."""

from __future__ import annotations

import subprocess

import pytest
from support import preloaded
from support.run import BIN, PAPER, ROOT, environment, jsonl

SCORES = jsonl(*({"id": str(n), "a": n, "b": n * n % 7} for n in range(9)))


@pytest.mark.parametrize(
    ("command", "args", "data"),
    [
        ("st-parse", [str(PAPER)], b""),
        ("st-facets", ["--jobs", "2"], jsonl({"id": "p", "abstract": "We propose a method. It beats the baseline."})),
        ("st-agree", ["correlate", "--x", "a", "--y", "b"], SCORES),
        ("st-agree", ["nothing"], b""),
        ("st-judge", ["match"], b"\xff\n"),
    ],
)
def test_forked_is_as_started(command: str, args: list[str], data: bytes):
    line, env = [str(BIN / command), *args], environment(ST_QUIET="1")
    forked = preloaded.run(line, data, env, str(ROOT), 60)
    started = subprocess.run(line, input=data, capture_output=True, env=env, cwd=ROOT, timeout=60)
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("import sys; sys.exit('no')", 1, b"no\n"),
        ("import os; os.kill(os.getpid(), 9)", -9, b""),
        ("raise ValueError('bad')", 1, b"ValueError: bad\n"),
        ("import os; print(os.environ['OWN'], end=''); import sys; sys.stderr.write(os.getcwd())", 0, b"/"),
    ],
)
def test_the_end_of_a_script_is_told(tmp_path, code: str, status: int, said: bytes):
    script = tmp_path / "script.py"
    script.write_text(code)
    done = preloaded.run([str(script)], b"", environment(OWN="mine"), "/", 60)
    assert (done.returncode, done.stdout) == (status, b"mine" if "OWN" in code else b"")
    assert done.stderr.endswith(said)


def test_what_an_interpreter_reads_at_its_start_cannot_be_changed_by_a_fork():
    assert preloaded.is_possible(environment(ST_MODEL="openai/mock"))
    assert not preloaded.is_possible(environment(PYTHONHASHSEED="3"))
