"""The fenced examples of a page of documentation, and how they are run: as they stand, in a copy of the fixtures."""

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

from support.run import ROOT, environment

FENCED = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```", re.S | re.M)


class Block(NamedTuple):
    """A fenced block: of what kind it is, the file it is to be saved as (or none), its text."""

    kind: str
    file: str
    text: str


def blocks(page: str) -> list[Block]:
    """The blocks of a page in their order."""
    return [Block(*found) for found in FENCED.findall(page)]


def furnish(folder: Path) -> Path:
    """A folder with a copy of the fixtures and of the program in docs, where examples can be run."""
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "verify_certificates.py", folder / "docs")
    return folder


def shell(folder: Path, text: str, env: dict[str, str]) -> subprocess.CompletedProcess:
    """Run a block of shell as the pages say that it is to be run."""
    return subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=env, capture_output=True)


def run_shell(folder: Path, text: str, **more: str) -> None:
    """Run a block of shell, which must end well and say or write something."""
    done = shell(folder, text, environment(**more))
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    written = re.findall(r"(?:--output|[^<]>) ?(\S+)", text)
    assert done.stdout or written or "eval" in text
    assert all((folder / name).stat().st_size for name in written)


def commands(text: str) -> list[str]:
    """The commands of ours, and the scripts of the page, that a text runs, in their order."""
    return list(dict.fromkeys(re.findall(r"\bst-[a-z-]+(?= )|\bpython3(?= )", text)))


def failing(folder: Path, name: str, *, call: int = 1, works: bool = False, **more: str) -> dict[str, str]:
    """An environment in which one call of a command, counted from the first, fails: with 1, its work done, or with 4."""
    place = Path(tempfile.mkdtemp(dir=folder.parent))
    real = shutil.which(name, path=environment()["PATH"])
    fault = f'{shlex.quote(str(real))} "$@"\n  exit 1' if works else "exit 4"
    (place / name).write_text(
        # Each call makes a folder of its number: those of one pipe run at once.
        f'#!/bin/sh\nn=1\nwhile ! mkdir "{place}/$n" 2> /dev/null; do n=$((n + 1)); done\n'
        f"if [ $n -eq {call} ]; then\n  {fault}\nfi\n"
        f'exec {shlex.quote(str(real))} "$@"\n'
    )
    (place / name).chmod(0o755)
    env = environment(**more)
    return {**env, "PATH": f"{place}{os.pathsep}{env['PATH']}"}


def hollow(folder: Path, names: Sequence[str], fails: str = "") -> dict[str, str]:
    """An environment in which commands read their input, write empty files, and end with 0, but for one: with 4.

    What a shell makes of the statuses of a block does not depend on what its commands write.
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
    """The lines that make would run."""
    return subprocess.run(["make", "-n"], cwd=folder, env=env, capture_output=True, text=True, check=True).stdout


def run_failing_make(folder: Path, text: str, **more: str) -> int:
    """Run a Makefile with each of its commands failing in turn, each time from what there is; returns how many it ran.

    Every time make must fail, and must have the step still to do: no target of it is left.
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
    """Run a block of Python, which must print something."""
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, env=environment(**more), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout


def run_make(folder: Path, text: str, **more: str) -> None:
    """Run a Makefile twice: the second time everything is up to date."""
    (folder / "Makefile").write_text(text)
    for _ in range(2):
        done = subprocess.run(["make"], cwd=folder, env=environment(**more), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert "up to date" in done.stdout or "Nothing to be done" in done.stdout
