"""The habits of CONTRIBUTING.md that a file or a number sets: commit subjects, style, coverage, short functions."""

from __future__ import annotations

import ast
import configparser
import functools
import itertools
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
import yaml
from support.run import ROOT

LONGEST = 80  # lines of a function at most: more hide a name
HOOKS = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
}


@functools.cache
def nodes_of_files() -> dict[Path, list[ast.AST]]:
    """The syntax of every file of the package."""
    files = sorted((ROOT / "scholartools").rglob("*.py"))
    return {path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8")))) for path in files}


@pytest.mark.parametrize(
    ("message", "is_good"),
    [
        ("Read the abstract of two-column papers", True),
        ("Read the abstract\n\nIt stands under the authors.\n", True),
        ("Read the abstract\n\n# Please enter the commit message for your changes.\n", True),
        ("R" + "x" * 71, True),
        ("R" + "x" * 72, False),
        ("Read the abstract\nIt stands under the authors.", False),
        ("Read the abstract.", False),
        ("read the abstract", False),
        ("", False),
    ],
)
def test_subjects_of_commits(message, is_good):
    """pre-commit reads the file as bytes, and fails where --negate finds nothing."""
    hook = HOOKS["commit-subject"]
    assert hook["args"] == ["--multiline", "--negate"] and hook["stages"] == ["commit-msg"]
    assert bool(re.search(hook["entry"].encode(), message.encode(), re.MULTILINE | re.DOTALL)) is is_good


def test_style_has_one_source():
    commands = (ROOT / "Makefile").read_text() + " ".join(hook["entry"] for hook in HOOKS.values())
    assert not re.search(r"--(select|ignore|line-length|isolated)\b", commands)
    assert (ROOT / ".ci/run").read_text().count("make ") == 2


def test_coverage_counts_branches_and_the_processes_of_commands():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    assert setup["coverage:run"]["branch"] == "True" and setup["coverage:run"]["patch"] == "subprocess"


def test_no_function_is_longer_than_a_screen():
    """From `def` to the last line, docstring included; a nested function counts with the one around it as well."""
    lengths = {
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}": node.end_lineno - node.lineno + 1
        for path, nodes in nodes_of_files().items()
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def short_helpers() -> set[str]:
    """Private functions without a docstring that are called once, and whose body is one or two plain statements."""
    compound = (ast.For, ast.While, ast.If, ast.Try, ast.With, ast.AsyncFor, ast.AsyncWith, ast.FunctionDef, ast.Match)
    found = set()
    for path, nodes in nodes_of_files().items():
        uses = Counter(node.id for node in nodes if isinstance(node, ast.Name))
        uses += Counter(node.attr for node in nodes if isinstance(node, ast.Attribute))
        called = {ast.unparse(node.func).rpartition(".")[2] for node in nodes if isinstance(node, ast.Call)}
        for node in nodes:
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.decorator_list:
                continue
            is_private = node.name.startswith("_") and not node.name.startswith("__")
            is_short = len(node.body) < 3 and not any(isinstance(one, compound) for one in node.body)
            once = is_private and uses[node.name] == 1 and node.name in called
            if once and is_short and ast.get_docstring(node) is None:
                found.add(f"{path.relative_to(ROOT / 'scholartools')}: {node.name}")
    return found


def test_a_small_helper_earns_its_name():
    """One that is called once and is one or two statements is written where it is called, unless its docstring says
    what the statements cannot. Those in the list were there before the rule; it only gets shorter."""
    allowed = set((ROOT / "tests" / "support" / "small_helpers.txt").read_text().splitlines())
    found = short_helpers()
    assert found - allowed == set(), "write it where it is called, or say what its statements do not"
    assert allowed - found == set(), "these are gone: take them off the list"


def test_a_private_name_of_a_module_is_used_there():
    """A constant whose last use was deleted is dead code, which no linter reports."""
    dead = []
    for path in (ROOT / "scholartools").rglob("*.py"):
        text = path.read_text()
        for node in ast.parse(text).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = [one.id for target in targets if target for one in ast.walk(target) if isinstance(one, ast.Name)]
            names += [node.name] if hasattr(node, "name") else []
            private = (name for name in names if re.match("_[a-zA-Z]", name))
            dead += [f"{path.name}: {name}" for name in private if len(re.findall(rf"\b{name}\b", text)) == 1]
    assert not dead


def faults_of_docstring(text: str) -> list[str]:
    """Lines that continue a sentence whose beginning was replaced, and entries without the header of their section."""
    found = []
    header = re.search(r"^(Attributes|Args|Returns|Raises):$", text, re.MULTILINE)
    for above, line in itertools.pairwise(text.split("\n")):
        goes_on = re.match(r"\s*[a-z]\w*[ .]", line) and above.endswith(".") and not re.match(r"\s*\S+/", line)
        if goes_on or (above == "" and re.match(r"[a-z]\w*: [a-z]", line) and header is None):
            found.append(line.strip())
    return found


def test_docstrings_have_no_remains_of_earlier_ones():
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
    found = {
        f"{path.relative_to(ROOT)}: {line}"
        for path, nodes in nodes_of_files().items()
        for node in nodes
        if isinstance(node, kinds)
        for line in faults_of_docstring(ast.get_docstring(node) or "")
    }
    assert not found


@pytest.mark.slow
def test_a_benchmark_runs_by_its_make_target():
    """The helpers that it shares with the tests are found."""
    done = subprocess.run(
        ["make", "-s", "-o", ".venv/installed-test", "bench-match"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0 and "kappa" in done.stdout.lower(), done.stderr
