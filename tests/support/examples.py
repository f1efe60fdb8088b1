"""The fenced examples of a documentation page, and functions that run them unchanged in a copy of the fixtures."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from support import preloaded, run
from support.run import ROOT

FENCED = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```", re.S | re.M)


def environment(**more: str) -> dict[str, str]:
    """Environment of a shell that finds the installed commands, or, in slow tests, commands that are forked."""
    env = run.environment(**more)
    if preloaded.in_shells:
        env["PATH"] = f"{preloaded.parent().path(run.BIN)}{os.pathsep}{env['PATH']}"
    return env


class Block(NamedTuple):
    """A fenced block: its language, the file name under which to save it ("" for none), its text."""

    kind: str
    file: str
    text: str


def blocks(page: str) -> list[Block]:
    """Blocks of a page in order."""
    return [Block(*found) for found in FENCED.findall(page)]


def furnish(folder: Path) -> Path:
    """Copy the fixtures and the program in docs to a folder, so that examples run there; return the folder."""
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "verify_certificates.py", folder / "docs")
    return folder


def shell(folder: Path, text: str, env: dict[str, str]) -> subprocess.CompletedProcess:
    """Run a shell block with the options that the pages prescribe."""
    return subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=env, capture_output=True)


def run_shell(folder: Path, text: str, **more: str) -> None:
    """Run a shell block, which must succeed and print or write something."""
    done = shell(folder, text, environment(**more))
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    written = re.findall(r"(?:--output|[^<]>) ?(\S+)", text)
    assert done.stdout or written or "eval" in text
    assert all((folder / name).stat().st_size for name in written)


def commands(text: str) -> list[str]:
    """Names of the commands (st-..., python3) in a block, in order, without duplicates."""
    return list(dict.fromkeys(re.findall(r"\bst-[a-z-]+(?= )|\bpython3(?= )", text)))


def failing(folder: Path, name: str, *, call: int = 1, works: bool = False, **more: str) -> dict[str, str]:
    """Environment in which one call of a command, counted from 1, fails: with 1 after its work, or at once with 4."""
    place = Path(tempfile.mkdtemp(dir=folder.parent))
    real = shutil.which(name, path=environment()["PATH"])
    fault = f'{shlex.quote(str(real))} "$@"\n  exit 1' if works else "exit 4"
    (place / name).write_text(
        # Each call creates a folder with its number, an atomic counter: calls of one pipe run at the same time.
        f'#!/bin/sh\nn=1\nwhile ! mkdir "{place}/$n" 2> /dev/null; do n=$((n + 1)); done\n'
        f"if [ $n -eq {call} ]; then\n  {fault}\nfi\n"
        f'exec {shlex.quote(str(real))} "$@"\n'
    )
    (place / name).chmod(0o755)
    env = environment(**more)
    return {**env, "PATH": f"{place}{os.pathsep}{env['PATH']}"}


def hollow(folder: Path, names: Sequence[str], fails: str = "") -> dict[str, str]:
    """Environment in which commands only read their input, create empty files, and exit with 0 (``fails``: with 4).

    The exit status of a block does not depend on the output of its commands.
    """
    place = Path(tempfile.mkdtemp(dir=folder.parent))
    for name in names:
        (place / name).write_text(
            "#!/bin/sh\n[ -t 0 ] || cat > /dev/null\n"
            'while [ $# -gt 0 ]; do [ "$1" = --output ] && : > "$2"; shift; done\n'
            f"exit {4 if name == fails else 0}\n"
        )
        (place / name).chmod(0o755)
    env = environment()
    return {**env, "PATH": f"{place}{os.pathsep}{env['PATH']}"}


def to_do(folder: Path, env: dict[str, str]) -> str:
    """Lines that make would run."""
    return subprocess.run(["make", "-n"], cwd=folder, env=env, capture_output=True, text=True, check=True).stdout


def run_failing_make(folder: Path, text: str, **more: str) -> int:
    """Run make with each of its commands failing in turn; return the number of runs.

    Each run must fail and leave no target of the failed step, so that the step is still to do.
    """
    (folder / "Makefile").write_text(text)
    ran = 0
    for name in commands(to_do(folder, environment(**more))):
        before = to_do(folder, environment(**more)).count(f"{name} ")
        for works in (False, True) if before else ():
            env = failing(folder, name, works=works, **more)
            done = subprocess.run(["make"], cwd=folder, env=env, capture_output=True, text=True)
            assert done.returncode != 0, (name, works, done.stdout)
            assert to_do(folder, env).count(f"{name} ") == before, (name, works, done.stderr)
            ran += 1
    return ran


def run_python(folder: Path, text: str, **more: str) -> None:
    """Run a Python block, which must print something."""
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, env=environment(**more), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout


def run_make(folder: Path, text: str, **more: str) -> None:
    """Run a Makefile twice; in the second run everything must be up to date."""
    (folder / "Makefile").write_text(text)
    for _ in range(2):
        done = subprocess.run(["make"], cwd=folder, env=environment(**more), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert "up to date" in done.stdout or "Nothing to be done" in done.stdout
