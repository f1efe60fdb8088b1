"""Copies of the studies with generated data, and a folder that one process builds for all tests of a session."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path

import pytest
from support.examples import environment
from support.run import ROOT

STUDIES = sorted(path.parent.name for path in (ROOT / "studies").glob("*/Makefile"))
# A study takes up to a minute: tests run each with one of three seeds, and `make check-studies` with all.
SEED = {study: str(at % 3) for at, study in enumerate(STUDIES)}


def copy_of(study: str, place: Path) -> Path:
    """Copy the studies to a folder, as another group would, with a link to the tests; return the folder of a study."""
    shutil.copytree(ROOT / "studies", place / "studies", ignore=_made_by_studies)
    (place / "tests").symlink_to(ROOT / "tests")
    return place / "studies" / study


def _made_by_studies(folder: str, names: list[str]) -> set[str]:
    """Names of the files that `make studies` made, by studies/.gitignore."""
    if Path(folder).parent != ROOT / "studies":
        return {"__pycache__"}
    lines = (ROOT / "studies" / ".gitignore").read_text().splitlines()
    kept = [line.removeprefix("!/*/") for line in lines if line.startswith("!")]
    made = [line.removeprefix("/*/") for line in lines if line.startswith("/") and line != "/*/*"]
    return {
        name for name in names if any(fnmatch(name, one) for one in made) or not any(fnmatch(name, one) for one in kept)
    }


def copy_of_made(folder: Path, place: Path) -> Path:
    """Copy a study with all files that it made, with their modification times."""
    copy = copy_of(folder.name, place)
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    return copy


def begin(folder: Path, *targets: str, **more: str) -> subprocess.Popen[str]:
    """Start make for targets of a copied study with generated data, in a new session (process group)."""
    line = [sys.executable, "../made/run.py", "make", "--silent", *targets]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        line, cwd=folder, env=environment(**more), stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def make(folder: Path, *targets: str, **more: str) -> str:
    """Make targets and return the standard output. If the test is interrupted, all processes of make are killed."""
    running = begin(folder, *targets, **more)
    try:
        out, err = running.communicate()
    except BaseException:
        os.killpg(running.pid, signal.SIGKILL)
        raise
    assert running.returncode == 0, out[-3000:] + err[-3000:]
    return out


def steps(folder: Path) -> list[tuple[str, str]]:
    """Targets of a study that are files, each with the lines that make it, by a dry run."""
    line = ["make", "--no-print-directory", "-n", "--trace", "tables", "PEOPLE=true", "SUMMARIES=python"]
    told = subprocess.run(line, cwd=folder, env=environment(VENUE="x"), capture_output=True, text=True)
    where = r"(?:Makefile|\w+\.mk):\d+: "
    return re.findall(rf"^{where}.*target '(\S+\.\S+)'.*\n((?:(?!{where}).*\n)+)", told.stdout, re.M)


def rules(folder: Path) -> dict[str, list[str]]:
    """Prerequisites of each target of a study, by make's database of rules."""
    line = ["make", "--no-print-directory", "--no-builtin-rules", "-n", "-p", "tables"]
    told = subprocess.run(line, cwd=folder, env=environment(VENUE="x"), capture_output=True, text=True)
    return {target: needs.split() for target, needs in re.findall(r"^([\w.-]+):(?: (.*))?$", told.stdout, re.M)}


def files(folder: Path) -> dict[str, bytes]:
    """Files that a study has made, by name."""
    made = [*folder.glob("*.jsonl"), *folder.glob("*.answers"), *folder.glob("tables/*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in made}


def session_folder(factory: pytest.TempPathFactory) -> Path:
    """Folder shared by the workers of a session."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def once(place: Path, build: Callable[[Path], None]) -> Path:
    """Folder filled by ``build``, once for all processes with the same place; it must not be changed.

    The other processes wait for a file lock. If the building process is killed, the system releases the lock, and the
    next process builds in another folder. A failed build fails in all processes and is not repeated.
    """
    place.mkdir(parents=True, exist_ok=True)
    told = place / "told.json"
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            folder = Path(tempfile.mkdtemp(dir=place))
            try:
                build(folder)
            except BaseException as fault:
                _tell(told, {"fault": f"{type(fault).__name__}: {fault}"})
                raise
            _tell(told, {"folder": str(folder)})
    found = json.loads(told.read_text())
    assert "fault" not in found, f"what several tests share could not be built: {found['fault']}"
    return Path(found["folder"])


def _tell(told: Path, found: dict[str, str]) -> None:
    """Write the result atomically, since the process may be killed at any point."""
    part = told.with_suffix(".part")
    part.write_text(json.dumps(found))
    part.replace(told)
