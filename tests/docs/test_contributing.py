"""What CONTRIBUTING.md and docs/architecture.md tell is done to a copy of the package, or looked up in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from support.run import ROOT, environment, jsonl

PACKAGE = ROOT / "scholartools"
BLOCK = re.compile(r"^   `(\S+)`\n\n   ```(\w+)\n(.*?)^   ```$", re.M | re.S)
ROW = re.compile(r"^\| ([^|]+) \| `([^`]+)` names `([^`]+)` \| `([^`]+)` \|$", re.M)


def steps(heading: str) -> list[tuple[str, str, str]]:
    """The blocks under a heading of CONTRIBUTING.md: the file that each is of, its kind, and its text."""
    text = (ROOT / "CONTRIBUTING.md").read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    return [(file, kind, textwrap.dedent(block)) for file, kind, block in BLOCK.findall(text)]


def apply(folder: Path, file: str, kind: str, text: str) -> None:
    """Write a new file, or change one by a block of lines that stay, go (-) and come (+)."""
    if kind == "python":
        assert not (folder / file).exists(), file
        (folder / file).write_text(text)
        return
    lines = text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] != "+")
    after = "".join(line[1:] for line in lines if line[0] != "-")
    whole = (folder / file).read_text()
    assert whole.count(before) == 1, f"{file} has not these lines once:\n{before}"
    (folder / file).write_text(whole.replace(before, after))


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the package to which the list was applied."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, folder / "scholartools", ignore=shutil.ignore_patterns("__pycache__"))
    found = steps("Add a metric")
    assert [kind for _, kind, _ in found] == ["python", "python", "diff", "diff"]
    for step in found:
        apply(folder, *step)
    return folder


def score(copy: Path, *args: str, data: bytes = b"") -> str:
    """Run st-score of the copy."""
    code = (
        "import sys, scholartools; from scholartools.commands.score import main; "
        "assert scholartools.__file__.startswith(sys.argv.pop(1)); main()"
    )
    env = environment(PYTHONPATH=str(copy))
    line = [sys.executable, "-c", code, str(copy), *args]
    done = subprocess.run(line, input=data, capture_output=True, env=env, cwd=copy, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


RECORD = {
    "id": "p", "abstract": "Four words are here.",
    "summaries": [{"system": "short", "text": "Two words."}, {"system": "long", "text": "Six words stand in this one."}],
}  # fmt: skip


def test_the_list_for_a_metric_makes_one_that_works(copy):
    import json

    (record,) = map(json.loads, score(copy, "length", data=jsonl(RECORD)).splitlines())
    values = {entry["system"]: entry["values"]["length_ratio"] for entry in record["scores"]}
    assert values == {"short": 0.5, "long": 1.5}
    (empty,) = map(json.loads, score(copy, "length", data=jsonl({**RECORD, "abstract": " "})).splitlines())
    assert empty["scores"][0]["values"]["length_ratio"] is None
    assert empty["scores"][0]["reasons"]["length_ratio"] == "the reference has no word"


def test_the_new_metric_is_listed_and_summarised(copy):
    assert "words of the candidate over words of the reference" in score(copy, "--list")
    assert "length_ratio" in score(copy, "length", "--compare", "short", "long", "--table", data=jsonl(RECORD))


ROWS = ROW.findall((ROOT / "docs" / "architecture.md").read_text())


def test_there_are_twelve_behaviours():
    assert len(ROWS) == 12


@pytest.mark.parametrize(("behaviour", "first", "name", "second"), ROWS, ids=[row[0] for row in ROWS])
def test_a_behaviour_is_found_in_two_opens(behaviour, first, name, second):
    assert re.search(rf"\b{re.escape(name)}\b", (PACKAGE / first).read_text()), f"{first} does not name {name}"
    assert (PACKAGE / second).is_file()
    assert (PACKAGE / second).stem == name and (PACKAGE / second).parent == (PACKAGE / first).parent
