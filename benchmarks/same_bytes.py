"""Check that two source trees produce the same output, for refactorings.

``same_bytes.py record OLD-TREE FILE``, then ``same_bytes.py compare FILE NEW-TREE [WORD...]``.

The examples of README and docs/ are run block by block, then each command and task on good and odd records and on
invalid lines, without a model and with a mock model. The exit status, standard output, standard error (without rates
and times) and all written files are compared. Words select the runs whose names contain one of them. The exit status is
1 if something differs.
"""

from __future__ import annotations

import difflib
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import zstandard
from docs.test_docs import answer
from support import everything, examples
from support.run import BIN, ROOT, environment, jsonl
from support.server import Server

from scholartools.commands.shared import man

# Text that differs between runs: rates and times on standard error, times and durations of calls, ports, paths.
PASSING = re.compile(
    rb"[\d.]+/s(, [\d:]+)?(, [\d:]+ left)?|in [\d.]+ s\b|\"(?:created|latency|seconds|time)\":[\d.e-]+"
    rb"|\d{4}-\d\d-\d\d[T ][\d:.+Z]+|/tmp/\w+|127\.0\.0\.1:\d+|\"bundle\":.*"
)
ODD_LINES = b"\n".join(
    [
        b'{"id": "twice", "abstract": "We test.", "id": "again"}',
        b'{"id": "deep", "abstract": "We test.", "x": [{"a": 1, "b": {"a": 1, "a": 2}}]}',
        b'{"id": "zero", "abstract": "A.", "x": [-0, -0.0, 2.50, 1e2, 1E+2, 0.1, 1e-400, 1234567890123456789012]}',
        b'{"id": "long", "abstract": "We test.", "x": 0.12345678901234567890, "y": {"z": 100000000000000000000}}',
        b'{"id":"kept","abstract":"We test. It works.","x":2.5,"y":[1.0,1e5,123456789012345680000.0]}',
        b'{"id": "huge", "x": 1e400}',
        b'{"id": "nan", "x": NaN}',
        b'{"id": "half", "abstract": "We test. \\ud83d It works."}',
        b'{"id": "pair", "abstract": "We test \\ud83d\\ude00 it. It works. \\u00e9\\/"}',
        '{"id": "é", "abstract": "We test \U0001f600 it. Yes.\u2028 So do all.", "2.50": "1e400 -0 \\" 2.50"}'.encode(),
        b'\xef\xbb\xbf{"id": "mark", "abstract": "We test."}\r',
        b"",
        b"   \t",
        b' {"id" : "spaced" , "abstract" : "We test. It works." , "x" : [ 1 , 2.0 ] } ',
        b'{"id": 7, "abstract": "We test. It works."}',
        b'{"id": true, "abstract": 3}',
        b'{"abstract": "", "summaries": [{"system": "a", "text": "We test."}, {"system": "a", "text": 3}]}',
        b"[1]",
        b"null",
        b'{"id": "cut", ',
        b"caf\xe9",
        b"\x00",
        b'{"id": "deep", "abstract": "We test.", "x": ' + b"[" * 300 + b"1.50" + b"]" * 300 + b"}",
        b'{"id": "failed", "errors": [{"command": "st-parse", "kind": "unreadable", "reason": "it is gone"}]}',
        b'{"line": "x", "errors": [{"command": "st-facets", "kind": "not-json", "reason": "no"}], "abstract": "A."}',
        b'{"item": 1, "rater": "a", "value": 1, "id": "r"}',
        b'{"item": 1, "rater": "b", "value": 2.0}',
        b'{"item": "2", "rater": "a", "value": 1.50}',
        b'{"item": "2", "rater": "b", "value": null}',
        b'{"id": "last", "abstract": "We test. It works. We conclude that it does."}',
    ]
)  # fmt: skip
# Runs of every command on all.jsonl (the paper, two records with all keys, and the lines above) and its parts.
EACH = {
    "all": "{line} all.jsonl",
    "stop": "{line} --on-error stop good.jsonl odd.jsonl | cat",
    "jobs": "{line} --jobs 2 --on-error skip --output out.jsonl < odd.jsonl",
    "model": "{line} --model openai/mock all.jsonl",
}
MORE = [
    "cat all.jsonl | st-facets --quiet | st-extract-limits --quiet | st-score",
    "st-facets odd.jsonl --html page.html; st-facets --format article good.jsonl",
    "st-facets all.jsonl missing.jsonl", "st-facets .", "st-facets < /dev/null", "st-facets fixtures/paper/paper.pdf",
    "gzip -nk all.jsonl; st-facets all.jsonl.gz; gunzip -c all.jsonl.gz | st-facets - good.jsonl",
    "printf '[{\"id\": 1}]' > list.json; st-facets list.json; st-facets fixtures/questions/dataset.csv",
    "st-facets --output /dev/full good.jsonl; st-facets good.jsonl > /dev/full; st-facets good.jsonl >&-",
    "st-facets --output none/x good.jsonl",
    "yes \"$(head -1 good.jsonl)\" | head -100 | st-facets --jobs 2 | cksum",
    "st-parse good.jsonl fixtures/paper/paper.pdf fixtures/paper/paper.tex none.pdf --jobs 2 | cksum",
    "st-score --summary good.jsonl; st-score --summary --table out.csv good.jsonl; cat out.csv",
    "st-score text facets match good.jsonl", "st-agree alpha fixtures/ratings.jsonl odd.jsonl",
    "st-judge match --truth odd.jsonl good.jsonl",
    "st-generate limitations --corpus odd.jsonl good.jsonl --model openai/mock",
    "st-facets --model openai/mock --dry-run all.jsonl; st-facets --model openai/mock --replay good.jsonl",
    "st-facets --model openai/mock --max-calls 2 good.jsonl; st-facets --model openai/mock good.jsonl odd.jsonl",
]  # fmt: skip


class Step(NamedTuple):
    """Shell lines, and whether they get a mock model; or, with ``file``, the text of a file to save."""

    text: str
    file: str = ""
    has_model: bool = True


class Found(NamedTuple):
    """Result of a step: its exit status, its output, and the files that it wrote."""

    status: int
    out: bytes
    err: bytes
    files: dict[str, bytes]


def main() -> None:
    """Run ``record TREE FILE [WORD...]`` or ``compare FILE TREE [WORD...]``."""
    action, one, other, *words = sys.argv[1:]
    tree, file = (Path(one), Path(other)) if action == "record" else (Path(other), Path(one))
    kept: dict[str, list[Found]] = {} if action == "record" else pickle.loads(file.read_bytes())
    with Server(answer=answer) as server, tempfile.TemporaryDirectory() as place:
        folder, inputs = Path(place) / "run", make_inputs(Path(place) / "inputs", tree)
        told = []
        for name, steps in runs():
            if (words and not any(word in name for word in words)) or (action != "record" and name not in kept):
                continue
            found = run_steps(tree, steps, folder, inputs, server)
            if action == "record":
                kept[name] = found
                continue
            lines = [step.text for step in steps if not step.file]
            for text, before, after in zip(lines, kept[name], found, strict=True):
                count = len(re.findall(r"\bst-[a-z-]+(?= )", text))
                told.append((count, list(differences(before, after))))
                if told[-1][1]:
                    print(f"\n{name}: {text.strip()[:400]}\n  " + "\n  ".join(told[-1][1]), flush=True)
    if action == "record":
        file.write_bytes(pickle.dumps(kept))
        return
    different = sum(bool(lines) for _, lines in told)
    print(f"{sum(count for count, _ in told)} commands in {len(told)} steps: {different} steps differ")
    sys.exit(different > 0)


def runs() -> Iterator[tuple[str, list[Step]]]:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        yield page.name, [step for block in examples.blocks(page.read_text()) for step in steps_of(block)]
    for line in lines_of():
        for name, text in EACH.items():
            yield f"{line} {name}", [Step(text.format(line=line))]
    for number, text in enumerate(MORE):
        yield f"more {number}", [Step(text)]


def steps_of(block: examples.Block) -> Iterator[Step]:
    """Steps of a block: a named file is saved; a Makefile or a program is saved and run."""
    if block.file:
        yield Step(block.text, block.file)
    elif block.kind in ("sh", "bash") and not block.text.startswith(("make demo", "make test")):
        yield Step(block.text, has_model=block.kind == "bash")
    elif block.kind in ("python", "make"):
        file, line = {"python": ("program.py", "python3 program.py"), "make": ("Makefile", "make")}[block.kind]
        yield from (Step(block.text, file), Step(line))


def lines_of() -> Iterator[str]:
    """Names of all commands without tasks, and of all tasks, except for st-parse and st-cache."""
    for module in man.COMMANDS:
        command = man.load_command(module)
        if command.name not in ("st-parse", "st-cache"):
            tasks = getattr(command, "commands", None)
            yield from [f"{command.name} {task}" for task in tasks] if tasks else [str(command.name)]


def make_inputs(place: Path, tree: Path) -> Path:
    """Create a folder with the fixtures and the input records of the commands."""
    place.mkdir()
    examples.furnish(place)
    whole = jsonl(*(everything.whole_record(seed, f"p{seed}") for seed in (1, 2)))
    env = environment_of(tree, {})
    parsed = examples.shell(place, "st-parse fixtures/paper/paper.pdf", env).stdout
    (place / "good.jsonl").write_bytes(whole + parsed)
    (place / "odd.jsonl").write_bytes(ODD_LINES)
    (place / "all.jsonl").write_bytes(whole + parsed + ODD_LINES)
    return place


def environment_of(tree: Path, more: Mapping[str, str]) -> dict[str, str]:
    path = os.pathsep.join(map(str, (tree / "bin", BIN, os.environ["PATH"])))
    return {**environment(**more), "PATH": path, "PYTHONPATH": str(tree)}


def run_steps(tree: Path, steps: list[Step], folder: Path, inputs: Path, server: Server) -> list[Found]:
    """Run the steps with a tree, in a new folder with a new cache, one model call at a time; return their results."""
    cache = folder.with_name("cache")
    for old in (folder, cache):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(inputs, folder)
    before = files_of(folder)
    found = []
    for step in steps:
        more = (
            {**server.environment, "ST_CACHE": str(cache / "cache.sqlite"), "ST_CONCURRENCY": "1"}
            if step.has_model
            else {}
        )
        if step.file:
            (folder / step.file).write_text(step.text)
            continue
        done = examples.shell(folder, step.text, environment_of(tree, more))
        now = files_of(folder)
        written = {name: data for name, data in now.items() if before.get(name) != data}
        found.append(Found(done.returncode, done.stdout, done.stderr, written))
        before = now
    return found


def files_of(folder: Path) -> dict[str, bytes]:
    kept = (path for path in folder.rglob("*") if path.is_file() and ".sqlite" not in path.name)
    return {str(path.relative_to(folder)): _unpacked(path) for path in kept}


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    return zstandard.ZstdDecompressor().decompressobj().decompress(data) if path.suffix == ".zst" else data


def differences(old: Found, new: Found) -> Iterator[str]:
    if old.status != new.status:
        yield f"status {old.status}, then {new.status}"
    parts = [("standard output", old.out, new.out), ("standard error", old.err, new.err)]
    parts += [(name, old.files.get(name, b""), new.files.get(name, b"")) for name in sorted({*old.files, *new.files})]
    for name, before, after in parts:
        one, other = (PASSING.sub(b"*", text).decode(errors="replace").splitlines() for text in (before, after))
        if one != other:
            yield name
            yield from (line[:300] for line in list(difflib.unified_diff(one, other, lineterm="", n=0))[2:8])


if __name__ == "__main__":
    main()
