"""Every key that the code reads from a record is a key of the schema, or is written somewhere in the package.

mypy finds a misspelt key where a value has a type; here each place where a key is read by a literal is looked at, also
those where a record or one of its items is a plain dictionary.
"""

from __future__ import annotations

import ast
import functools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.run import ROOT

PACKAGE = ROOT / "scholartools"
#: Where mappings hold records, and not the replies of services or the attributes of other formats.
HOLD_RECORDS = ("commands", "metrics", "pipeline", "readers/pdf", "records.py", "tables.py", "tasks", "text")
#: Keys of other formats that are read there, by the format.
FOREIGN = {
    "environment": ["ST_TRACEBACK", "ST_CACHE"],
    "pydantic": ["loc", "msg"],
    "JSON Schema": ["properties", "anyOf"],
    "Label Studio": [
        "was_cancelled", "lead_time", "completed_by", "user", "created_at", "total_predictions", "email", "access",
    ],
    "PDF": ["dir", "char_flags", "chars", "c", "on", "stroked", "subject"],
    "tokenizers": ["input_ids", "special_tokens_mask"],
    "Dask": ["require_encryption", "ssl_context", "daemon"],
    "Python": ["__main__", "ENGLISH_STOP_WORDS"],
    "data files": ["heading qualifier", "certainly other", "certainly conclusion", "decimals", "surface", "distances"],
    "names that are given to a call": ["done", "reports"],
    "LaTeX": [r"\sqrt"],
    "options whose names are made": ["cache_namespace", "show_input"],
    "paths of values": ["overall.score"],
}  # fmt: skip


@functools.cache
def tree_of(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def literal(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def method(node: ast.AST, *names: str) -> str | None:
    """The first argument of a call of one of the methods, where it is a literal."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names
    return literal(node.args[0]) if is_call and node.args else None


@functools.cache
def read_keys() -> list[tuple[str, str]]:
    """Each literal key that is read, with its file and line."""
    return [pair for name in HOLD_RECORDS for path in files(name) for pair in read_keys_of(path)]


def read_keys_of(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree_of(path)):
        is_read = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
        key = literal(node.slice) if is_read else method(node, "get", "pop")
        if key is not None:
            yield key, f"{path.relative_to(ROOT)}:{node.lineno}"


def given_keys(tree: ast.AST) -> Iterator[str | None]:
    """Each key that is written: in a literal of a dictionary, an assignment, a field, a keyword, an option, a group."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield from (literal(key) for key in node.keys if key)
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield literal(node.slice)
        elif isinstance(node, ast.ClassDef):
            fields = (part.target for part in node.body if isinstance(part, ast.AnnAssign))
            yield from (field.id for field in fields if isinstance(field, ast.Name))
        elif isinstance(node, ast.Call):
            makes_keys = isinstance(node.func, ast.Name) and node.func.id in ("dict", "nonzero")
            yield from (word.arg for word in node.keywords if makes_keys)
            yield from (
                name[2:].replace("-", "_") for arg in node.args if (name := literal(arg) or "").startswith("--")
            )
            yield method(node, "setdefault")
        elif literal(node):
            yield from re.findall(r"\(\?P<(\w+)>", node.value)


def described_keys(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        schema = list(schema.values())
    for part in schema if isinstance(schema, list) else ():
        yield from described_keys(part)


@functools.cache
def known_keys() -> set[str | None]:
    known: set[str | None] = {key for keys in FOREIGN.values() for key in keys}
    for path in (PACKAGE / "schemas").glob("*.json"):
        known.update(described_keys(json.loads(path.read_text(encoding="utf-8"))))
    for path in PACKAGE.rglob("*.py"):
        known.update(given_keys(tree_of(path)))
    return known


def files(name: str) -> list[Path]:
    return [PACKAGE / name] if name.endswith(".py") else sorted((PACKAGE / name).rglob("*.py"))


@pytest.mark.slow
def test_every_key_that_is_read_is_known():
    unknown = [f"{place}: {key}" for key, place in read_keys() if key not in known_keys()]
    assert not unknown, "keys that neither the schema nor the package writes:\n" + "\n".join(unknown)


def misspelt(key: str, random: random.Random) -> str:
    """A key with a letter left out, doubled or exchanged with the next one."""
    at = random.randrange(len(key) - 1)
    return random.choice(
        [key[:at] + key[at + 1 :], key[: at + 1] + key[at:], key[:at] + key[at + 1] + key[at] + key[at + 2 :]]
    )


def test_a_misspelt_key_is_found():
    """Each key of the schema misspelt where it is read: found, but where that is another key ("id" to "d")."""
    known, generator = known_keys(), random.Random(27)
    described = set(described_keys(json.loads((PACKAGE / "schemas/paper.json").read_text(encoding="utf-8"))))
    read = [key for key, _ in read_keys() if key in described and len(key) > 1]
    wrong = [(key, misspelt(key, generator)) for key in read]
    wrong = [(key, other) for key, other in wrong if key != other]
    missed = [other for _, other in wrong if other in known]
    assert len(wrong) > 2500 and len(missed) < 0.08 * len(wrong), f"{len(missed)} of {len(wrong)}: {set(missed)}"
