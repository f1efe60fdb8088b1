"""What tests of a session build once and share: one build of many processes, faults that are told, builders that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.run import ROOT
from support.studies import once

#: A process that asks for the folder of a place; a build adds a line to a file, and ends as its argument says.
ASKS = """
import os, signal, sys
from pathlib import Path
from support.studies import once

place, ends = Path(sys.argv[1]), sys.argv[2]

def build(folder):
    (folder / "half").write_text("half")
    with open(place.parent / "builds", "a") as builds:
        builds.write("built" + chr(10))
    if ends == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if ends == "fails":
        sys.exit("no paper")
    (folder / "whole").write_text("whole")

print((once(place, build) / "whole").read_text())
"""


def ask(place: Path, ends: str = "well") -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    line = [sys.executable, "-c", ASKS, str(place), ends]
    return subprocess.Popen(line, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def fill(folder: Path, text: str) -> None:
    (folder / "whole").write_text(text)


def builds(place: Path) -> int:
    return len((place.parent / "builds").read_text().splitlines())


@pytest.mark.slow
def test_many_processes_build_once(tmp_path):
    asking = [ask(tmp_path / "shared") for _ in range(5)]
    assert [one.communicate()[0] for one in asking] == ["whole\n"] * 5
    assert builds(tmp_path / "shared") == 1


def test_a_build_that_fails_is_told_to_all_and_not_tried_again(tmp_path):
    asking = [ask(tmp_path / "shared", "fails") for _ in range(3)]
    said = [one.communicate()[1] for one in asking]
    assert all("no paper" in one for one in said) and all(one.returncode for one in asking)
    assert builds(tmp_path / "shared") == 1
    with pytest.raises(AssertionError, match="SystemExit: no paper"):
        once(tmp_path / "shared", lambda _: pytest.fail("built again"))


def test_a_builder_that_is_killed_is_replaced(tmp_path):
    """Its half of a folder is not what the next one gets."""
    killed = ask(tmp_path / "shared", "killed")
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    found = once(tmp_path / "shared", lambda folder: fill(folder, "mine"))
    assert [path.name for path in found.iterdir()] == ["whole"]
    other = ask(tmp_path / "shared")
    assert other.communicate()[0] == "mine\n"
    assert builds(tmp_path / "shared") == 1
