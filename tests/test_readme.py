"""Every example of the README is run as it stands, in a copy of the fixtures."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, environment

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.S | re.M)
MAKES_THE_ENVIRONMENT = ("make demo", "make test")


def blocks(kind: str) -> list[str]:
    return [text for name, text in BLOCKS if name == kind]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The blocks build on each other, so they share a folder."""
    path = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "fixtures", path / "fixtures")
    return path


@pytest.mark.parametrize("text", [text for text in blocks("sh") if not text.startswith(MAKES_THE_ENVIRONMENT)])
def test_shell_examples(folder, text):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=environment(), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout or "--output" in text or "eval" in text


@pytest.mark.parametrize("text", blocks("python"))
def test_python_examples(folder, text):
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout


@pytest.mark.parametrize("text", blocks("make"))
def test_make_examples(tmp_path, text):
    folder = tmp_path
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    (folder / "Makefile").write_text(text)
    for _ in range(2):
        done = subprocess.run(["make"], cwd=folder, env=environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert "up to date" in done.stdout


def test_the_exit_table_is_the_code_s():
    from scholartools.commands._common import EXIT_STATUS

    rows = dict(re.findall(r"^\| (\d+) \| (.*) \|$", README, re.M))
    assert rows == {str(status): meaning for status, meaning in EXIT_STATUS.items()}


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text()
    for line in MAKES_THE_ENVIRONMENT:
        assert line in README
        assert re.search(rf"^{line.split()[1]}:", makefile, re.M)
