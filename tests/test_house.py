"""The rules of the code: imports go down only, start-up stays light, what is generated is current, what is listed exists."""

from __future__ import annotations

import ast
import configparser
import functools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.run import BIN, ROOT, environment

from scholartools.commands.shared import man

PACKAGE = ROOT / "scholartools"
COMMANDS = sorted(path.name for path in (ROOT / "bin").iterdir())

# From the top down, for the whole package and for packages with packages: a module may import from its own package and
# from the layers below. Packages of one layer do not know each other.
LAYERS = {
    "": [
        ["commands"],
        ["pipeline", "tables"],
        ["tasks"],
        ["sources"],
        ["llm", "readers", "text", "web"],
        ["cache", "metrics"],
        ["io", "paths"],
        ["table_files"],
        ["records"],
        ["shards"],
        ["schemas", "json_text", "file_kinds", "compression", "proxies", "interrupts", "scratch"],
        ["signature", "vocabulary", "errors", "parameters", "terminal", "wording", "address", "secrets", "money",
         "pauses"],
        ["parameters"],
        ["__init__"],
    ],
    "tasks": [
        ["views"],
        ["tabulate"],
        ["annotate", "summarize"],
        ["agree", "generate", "judge", "score"],
        ["claims"],
        ["equations", "facets", "fetch", "limits", "parse"],
        ["shared"],
    ],
    "readers": [
        ["formats"],
        ["latex", "pdf", "reviews"],
        ["text", "xml"],
        ["references"],
        ["common"],
    ],
}  # fmt: skip
HEAVY = [
    "litellm", "pymupdf", "sklearn", "scipy", "rouge_score", "onnxruntime", "torch", "numpy", "pydantic", "orjson",
    "asyncio", "dataclasses", "matplotlib",
]  # fmt: skip
ONLY_IN = {
    "pymupdf": "readers/common/mupdf.py",
    "litellm": "llm/client.py",
    "matplotlib": "tasks/agree/figures/page.py",
}


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def modules() -> dict[str, Path]:
    return {
        str(path.relative_to(PACKAGE).with_suffix("")).replace("/", ".").removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }


@functools.cache
def imports(path: Path) -> set[str]:
    """Every module a file imports, anywhere in it, as dotted names."""
    found, known = set(), {f"scholartools.{module}" for module in modules()}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            # what a package itself offers is imported from it; a module in it is imported for its own sake
            found |= (names & known) | ({node.module} if names - known else set())
    return found


@functools.cache
def ours(path: Path) -> set[str]:
    """The modules of the package that a file imports, without the package's name."""
    names = imports(path)
    found = {name.removeprefix("scholartools.") for name in names if name.startswith("scholartools.")}
    return found | ({"__init__"} if "scholartools" in names else set())


def part(module: str, parent: str) -> str:
    """The part of a parent (a package, or "" for the whole) in which a module is; "" for what the parent offers."""
    inside = module.removeprefix(f"{parent}.") if parent else module
    return "" if module == parent else inside.split(".")[0]


def modules_of(parent: str) -> list[str]:
    return [module for module in modules() if not parent or module == parent or module.startswith(f"{parent}.")]


def arrows(parent: str) -> dict[str, dict[str, str]]:
    """For every part of a parent the packages it imports from, each with one import as an example."""
    found: dict[str, dict[str, str]] = {}
    inside = modules_of(parent)
    for module in inside:
        for name in ours(modules()[module]) & set(inside):
            source, target = part(module, parent), part(name, parent)
            if source != target:
                found.setdefault(source, {})[target] = f"{module} imports {name}"
    return found


@pytest.mark.parametrize("parent", LAYERS)
def test_every_package_has_a_layer_and_imports_go_down_only(parent):
    heights = {name: height for height, layer in enumerate(LAYERS[parent]) for name in layer}
    assert {part(module, parent) for module in modules_of(parent)} - {""} == set(heights), "every package has a layer"
    upward = [
        example
        for source, targets in arrows(parent).items()
        for target, example in targets.items()
        if source and target and heights[target] <= heights[source]
    ]
    assert upward == []


def packages() -> list[str]:
    return sorted({str(path.parent.relative_to(PACKAGE)).replace("/", ".") for path in PACKAGE.rglob("*/*.py")})


def cycles(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """What is left of a graph once whatever imports nothing of it is taken away, again and again."""
    while leaves := [source for source, below in graph.items() if not below & graph.keys()]:
        for source in leaves:
            del graph[source]
    return graph


def test_rooms_know_each_other_in_one_direction():
    for parent in ["", *packages()]:
        graph = {source: set(targets) for source, targets in arrows(parent).items() if source}
        assert cycles(graph) == {}, parent


def test_a_package_is_small_and_says_what_is_in_it():
    for parent in packages():
        folder = PACKAGE / parent.replace(".", "/")
        names = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
        assert len(names) <= 22, parent
        assert not [name for name in names if name.startswith(("_", f"{folder.name}_")) or name == folder.name]
        said = ast.get_docstring(tree_of(folder / "__init__.py")) or ""
        folders = {path.parent.name for path in folder.glob("*/__init__.py")}
        assert [name for name in {*names, *folders} if not re.search(rf"\b{name}\b", said)] == [], parent


def test_the_package_and_its_map_say_what_is_on_top():
    """Each module and package right below the package, in its docstring and in docs/architecture.md."""
    names = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    said = ast.get_docstring(tree_of(PACKAGE / "__init__.py")) or ""
    assert {name for name in names | folders if f"``{name}``" not in said} == set()
    drawn = (ROOT / "docs" / "architecture.md").read_text()
    on_map = [*(f"{name}.py" for name in names), *(f"{name}/" for name in folders)]
    assert [name for name in on_map if not re.search(rf"^  {re.escape(name)} +\w", drawn, re.M)] == []


def test_a_module_says_what_it_does_beyond_its_name():
    heads = {module: ast.get_docstring(tree_of(path)) or "" for module, path in modules().items()}
    assert [module for module, head in heads.items() if len(head.splitlines()[0].split()) < 3] == []


def test_metrics_know_nothing_of_ours_but_errors():
    for module, path in modules().items():
        if module.startswith("metrics."):
            assert {name for name in ours(path) if not name.startswith("metrics")} <= {
                "errors",
                "parameters",
                "vocabulary",
            }, module


def test_only_commands_know_how_an_option_is_written():
    """Tasks and what is below them name parameters (``parameters.py``); a command says which option that is."""
    found = [
        f"{module}:{node.lineno}: {ast.unparse(node)}"
        for module, path in modules().items()
        if module.split(".")[0] not in ("commands", "pipeline", "schemas") and module != "parameters"
        for node in ast.walk(tree_of(path))
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and re.search(r"(?<![-\w])--[a-z{]", ast.unparse(node))
    ]
    assert found == []


def test_provenance_and_signatures_of_records_are_made_in_one_place():
    """No other module puts anything into ``provenance``: each entry has the one shape of ``add_provenance``."""
    written = [
        f"{module}:{node.lineno}"
        for module, path in modules().items()
        for node in ast.walk(tree_of(path))
        if isinstance(node, (ast.Assign, ast.AugAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if "'provenance'" in ast.unparse(target)
    ]
    assert [place.split(":")[0] for place in written] == ["records"], written


def test_no_import_cycles():
    assert cycles({module: ours(path) - {module} for module, path in modules().items()}) == {}


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_has_one_door(library):
    doors = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(name.split(".")[0] == library for name in imports(path))
    ]
    assert set(doors) <= {ONLY_IN[library]}


# Modules whose names are not those of their distributions, with "_" for "-".
DISTRIBUTIONS = {"yaml": "pyyaml", "sklearn": "scikit_learn", "markdown_it": "markdown_it_py"}


def requirements(setup: configparser.ConfigParser, section: str, option: str) -> set[str]:
    """The names of required distributions, as module names are spelled."""
    lines = setup[section][option].split("\n")
    return {re.match(r"[\w-]+", line)[0].lower().replace("-", "_") for line in lines if line.strip()}


def test_what_is_required_is_imported_and_what_is_imported_is_required():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    extras = [name for name in setup["options.extras_require"] if name != "test"]
    required = requirements(setup, "options", "install_requires").union(
        *(requirements(setup, "options.extras_require", name) for name in extras)
    )
    modules_imported = {name.split(".")[0] for path in PACKAGE.rglob("*.py") for name in imports(path)}
    others = modules_imported - sys.stdlib_module_names - {"scholartools"}
    assert {DISTRIBUTIONS.get(name, name) for name in others} == required


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


def test_the_help_of_no_task_imports_anything_heavy():
    code = (
        "import sys\n"
        "from scholartools.commands.shared import man\n"
        "for command in map(man.load_command, man.COMMANDS):\n"
        "    man.render_pages(command)\n"
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
    assert setup["options.data_files"]["share/man/man1"] == "man/*.1"
    assert {f"{name}.1" for name in COMMANDS} <= {path.name for path in (ROOT / "man").iterdir()}
    for page in ("README.md", "docs/overview.md"):
        for name in COMMANDS:
            assert f"`{name}" in (ROOT / page).read_text(), page


def test_man_pages_are_current(tmp_path):
    subprocess.run([sys.executable, "-m", "scholartools.commands.shared.man", tmp_path], check=True)
    fresh = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in (ROOT / "man").glob("st-*.1")}
    assert fresh == kept, "run make man"
    # whatis and apropos read one line.
    assert [name for name, text in kept.items() if text.split(".SH NAME\n")[1].splitlines()[1] != ".SH SYNOPSIS"] == []


def test_man_pages_have_the_exit_table_and_two_examples():
    from scholartools.commands.shared.command import EXIT_STATUS

    for path in (ROOT / "man").glob("st-*.1"):
        page = path.read_text()
        assert all(f".B {status}\n" in page for status in EXIT_STATUS)
        examples = page.split(".SH EXAMPLES")[1].split(".SH")[0]
        assert examples.count(".TP") >= 2


def test_the_schema_is_current():
    fresh = subprocess.run(
        [sys.executable, "-m", "scholartools.schemas.paper"], check=True, capture_output=True, text=True
    )
    assert fresh.stdout == (PACKAGE / "schemas" / "paper.json").read_text(), "run make schema"


def test_the_types_of_records_are_those_of_the_schema():
    made = subprocess.run([sys.executable, "-m", "scholartools.schemas.typed_dicts"], check=True, capture_output=True)
    style = [Path(sys.executable).with_name("ruff"), "format", "--stdin-filename", "shapes.pyi"]
    fresh = subprocess.run(style, input=made.stdout, check=True, capture_output=True, cwd=ROOT)
    assert fresh.stdout == (PACKAGE / "schemas" / "shapes.pyi").read_bytes(), "run make schema"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('[one["text"] for one in read(record, "sections") or ()]', None),
        ('[one["txet"] for one in read(record, "sections") or ()]', "typeddict-item"),
        ('[one["spans"][0]["star"] for one in need(record, "claims", "")]', "typeddict-item"),
        ('[one for one in read(record, "sections")]', "union-attr"),
        ('read(record, "secsions")', "call-overload"),
        ('need(record, "abstract", "") + 1', "operator"),
    ],
)
def test_a_misspelt_key_fails_lint(line, fault, tmp_path):
    (tmp_path / "trial.py").write_text(
        f"from scholartools.records import Record, need, read\n\n\ndef f(record: Record) -> object:\n    return {line}\n"
    )
    words = [sys.executable, "-m", "mypy", "--config-file", ROOT / "setup.cfg", tmp_path / "trial.py"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert (f"[{fault}]" in done.stdout) if fault else done.returncode == 0, done.stdout


def test_what_is_taken_for_plain_text_is_typed_so():
    from scholartools import records
    from scholartools.schemas.paper import Paper

    plain = [key for key, field in Paper.model_fields.items() if field.annotation in (str, str | None)]
    assert plain == list(records._TEXTS)


def test_records_follow_the_schema(parsed):
    from scholartools import records
    from scholartools.schemas.paper import Paper

    for key in json.loads(parsed):
        if key in Paper.model_fields:
            records.read(json.loads(parsed), key)


@pytest.mark.parametrize("command", COMMANDS)
def test_shell_completion(command):
    variable = f"_{command.replace('-', '_').upper()}_COMPLETE"
    done = subprocess.run([BIN / command], env=environment(**{variable: "bash_source"}), capture_output=True, text=True)
    assert done.returncode == 0 and "complete " in done.stdout and command in done.stdout
    tasks = {"st-judge": "match", "st-generate": "limitations", "st-claims": "extract", "st-agree": "correlate"}
    tasks |= {"st-cache": "list", "st-eqsynth": "compare", "st-annotate": "assign", "st-fetch": "papers"}
    task = tasks.get(command)
    line = f"{command} {task} --outp" if task else f"{command} --outp"
    words = {variable: "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    done = subprocess.run([BIN / command], env=environment(**words), capture_output=True, text=True)
    assert done.stdout.strip() == "plain,--output"


@pytest.mark.parametrize("module", ["agree", "annotate", "cache", "claims", "eqsynth", "fetch", "generate", "judge"])
def test_shell_completion_lists_the_tasks(module):
    """Also of a group that has a default task; and the summary of each task fits on a line of the help."""
    group, command = man.load_command(module), f"st-{module}"
    words = {
        f"_{command.replace('-', '_').upper()}_COMPLETE": "bash_complete",
        "COMP_WORDS": f"{command} ",
        "COMP_CWORD": "1",
    }
    done = subprocess.run([BIN / command], env=environment(**words), capture_output=True, text=True)
    assert done.stdout.split() == [f"plain,{task}" for task in group.commands]
    widest = max(map(len, group.commands))
    assert {name: text for name, text in group.summaries.items() if len(text) + widest + 4 > 80} == {}


def test_the_schema_of_criteria_is_current():
    fresh = subprocess.run(
        [sys.executable, "-m", "scholartools.schemas.criteria"], check=True, capture_output=True, text=True
    )
    assert fresh.stdout == (PACKAGE / "schemas" / "criteria.json").read_text(), "run make schema"
