"""The house rules: imports go down only, start-up stays light, what is generated is current, what is listed exists."""

from __future__ import annotations

import ast
import configparser
import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BIN, ROOT, environment

PACKAGE = ROOT / "scholartools"
COMMANDS = sorted(path.name for path in (ROOT / "bin").iterdir())

# From the roof to the ground; a module may import from its own floor and those below.
FLOORS = [
    ["commands"],
    ["tasks"],
    ["llm", "readers", "text"],
    ["metrics"],
    ["records", "io", "parallel"],
    ["paper"],
    ["signature", "errors", "vocabulary", "__init__"],
]
HEAVY = ["litellm", "pymupdf", "sklearn", "scipy", "rouge_score", "onnxruntime", "torch", "numpy", "pydantic", "orjson"]
ONLY_IN = {"pymupdf": "readers/pdf.py", "litellm": "llm/client.py"}


def modules() -> dict[str, Path]:
    return {str(path.relative_to(PACKAGE).with_suffix("")).replace("/", "."): path for path in PACKAGE.rglob("*.py")}


def imports(path: Path) -> set[str]:
    """Every module a file imports, anywhere in it, as dotted names; ours without the package's name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


def ours(path: Path) -> set[str]:
    known = modules()
    names = {name.removeprefix("scholartools.") for name in imports(path) if name.startswith("scholartools.")}
    return {name for name in names if name in known} | (
        {"__init__"} if "scholartools.__version__" in imports(path) else set()
    )


def floor(module: str) -> int:
    return next(height for height, rooms in enumerate(FLOORS) if module.split(".")[0] in rooms)


def test_every_module_has_a_floor_and_imports_go_down_only():
    upward = [
        f"{module} imports {name}"
        for module, path in modules().items()
        for name in ours(path)
        if floor(name) < floor(module)
    ]
    assert upward == []


def test_metrics_know_nothing_of_ours_but_errors():
    for module, path in modules().items():
        if module.startswith("metrics."):
            assert {name for name in ours(path) if not name.startswith("metrics")} <= {"errors"}, module


def test_no_import_cycles():
    graph = {module: ours(path) - {module} for module, path in modules().items()}
    while leaves := [module for module, below in graph.items() if not below & graph.keys()]:
        for module in leaves:
            del graph[module]
    assert graph == {}


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_has_one_door(library):
    doors = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(name.split(".")[0] == library for name in imports(path))
    ]
    assert set(doors) <= {ONLY_IN[library]}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_imports_nothing_heavy(command):
    code = (
        "import sys, runpy\n"
        f"sys.argv = [{command!r}, '--help']\n"
        "try:\n"
        f"    runpy.run_path({str(BIN / command)!r}, run_name='__main__')\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        f"print('HEAVY', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.stdout.splitlines()[-1] == "HEAVY []", done.stdout + done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_version_has_one_source(command):
    from scholartools import __version__

    done = subprocess.run([BIN / command, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"{command} {__version__}\n")


def test_every_command_is_listed_installed_documented_and_works_alike():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    listed = setup["options"]["scripts"].split()
    assert listed == [f"bin/{name}" for name in COMMANDS]
    assert setup["options.data_files"]["share/man/man1"].split() == [f"man/{name}.1" for name in COMMANDS]
    readme = (ROOT / "README.md").read_text()
    for name in COMMANDS:
        assert f"`{name}" in readme


def test_man_pages_are_current(tmp_path):
    subprocess.run([sys.executable, "-m", "scholartools.commands._man", tmp_path], check=True)
    fresh = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in (ROOT / "man").iterdir()}
    assert fresh == kept, "run make man"


def test_man_pages_have_the_exit_table_and_two_examples():
    from scholartools.commands._common import EXIT_STATUS

    for path in (ROOT / "man").iterdir():
        page = path.read_text()
        assert all(f".B {status}\n" in page for status in EXIT_STATUS)
        examples = page.split(".SH EXAMPLES")[1].split(".SH")[0]
        assert examples.count(".TP") >= 2


def test_the_schema_is_current():
    fresh = subprocess.run([sys.executable, "-m", "scholartools.paper"], check=True, capture_output=True, text=True)
    assert fresh.stdout == (PACKAGE / "schema" / "paper.json").read_text(), "run make schema"


def test_what_is_taken_for_plain_text_is_typed_so():
    from scholartools import records
    from scholartools.paper import Paper

    plain = [key for key, field in Paper.model_fields.items() if field.annotation in (str, str | None)]
    assert plain == list(records._TEXTS)


def test_records_follow_the_schema(parsed):
    from scholartools import records
    from scholartools.paper import Paper

    for key in json.loads(parsed):
        if key in Paper.model_fields:
            records.read(json.loads(parsed), key)


@pytest.mark.parametrize("command", COMMANDS)
def test_shell_completion(command):
    variable = f"_{command.replace('-', '_').upper()}_COMPLETE"
    done = subprocess.run([BIN / command], env=environment(**{variable: "bash_source"}), capture_output=True, text=True)
    assert done.returncode == 0 and "complete " in done.stdout and command in done.stdout
    words = {variable: "bash_complete", "COMP_WORDS": f"{command} --outp", "COMP_CWORD": "1"}
    done = subprocess.run([BIN / command], env=environment(**words), capture_output=True, text=True)
    assert done.stdout.strip() == "plain,--output"
