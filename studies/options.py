#!/usr/bin/env python3
"""What a study does with its options: those of an earlier make hold until others are given, and what used another value is made again.

    options.py FLAGS NAME=VALUE...

NAME=VALUE are the variables of make's command line. The file that make includes is told: it sets the options of before, and lets
each file that is there depend on the options that its rule uses, each of which is a file in the folder `options`. With the flag n
of make, which makes nothing, nothing is stored. Batches that people have are never made again: where an option that they hang on
has changed, this is told.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

#: How a study runs, and not what it makes.
OF_THE_RUN = {"PEOPLE"}
ASSIGNED = re.compile(r"^(?:export )?(\w+) (\?|:)?= ?(.*)$", re.M)
DEFINED = re.compile(r"^define (\w+)\n(.*?)^endef$", re.M | re.S)
RULE = re.compile(r"^([^\s#:=][^:=\n]*):(?!=)(?: ([^#\n]*))?.*\n((?:\t.*\n?)+)", re.M)
#: Commands that ask the model of MODEL, but where it is taken from them.
ASKS = re.compile(r"(?<!env -u ST_MODEL )\bst-(?:claims|eqsynth|extract-limits|facets|generate|judge)\b")
PLACE, INCLUDED = Path("options"), Path("options.mk")


def used(text: str, variables: dict[str, str], seen: frozenset[str] = frozenset()) -> set[str]:
    """The variables that a text uses, also by way of others."""
    found = set(re.findall(r"\$\((?:call )?(\w+)", text)) & variables.keys() - seen
    found |= {"MODEL"} if ASKS.search(text) else set()
    return found.union(*(used(variables[one], variables, seen | found) for one in found - seen if one in variables))


def store(given: dict[str, str], defaults: dict[str, str]) -> dict[str, str]:
    """The options that hold: those of before, and those that are given; the file of one that is another is new."""
    PLACE.mkdir(exist_ok=True)
    held = {path.name: path.read_text(encoding="utf-8") for path in PLACE.iterdir()}
    for name, value in given.items():
        if held.get(name) != value:
            path = PLACE / name
            path.write_text(value, encoding="utf-8")
            if name not in held and value == defaults[name]:
                os.utime(path, (0, 0))
    return held | given


def rules_of(folder: Path) -> tuple[dict[str, str], list[tuple[str, str, set[str]]]]:
    """The options of a study with their defaults; the targets of each rule, what it needs, and the options that its lines use."""
    names = [folder / "Makefile", folder / "../rules.mk", *sorted(set(folder.glob("*.mk")) - {folder / INCLUDED})]
    text = re.sub(r"\\\n", " ", "\n".join(path.read_text(encoding="utf-8") for path in names))
    assigned = ASSIGNED.findall(text)
    defaults = {name: value for name, kind, value in reversed(assigned) if kind == "?" and name not in OF_THE_RUN}
    variables = {name: value for name, _, value in assigned} | dict(DEFINED.findall(text))
    rules = [(targets, needs, used(lines, variables) & defaults.keys()) for targets, needs, lines in RULE.findall(text)]
    return defaults, rules


def included(held: dict[str, str], rules: list[tuple[str, str, set[str]]]) -> Iterator[str]:
    """The lines for make."""
    for name, value in sorted(held.items()):
        kept = value.replace("$", "$$").replace("#", r"\#")
        yield f"ifneq ($(filter file undefined,$(origin {name})),)\n{name} := {kept}\nendif\n"
    for targets, needs, names in rules:
        hangs = " ".join(f"{PLACE}/{name}" for name in sorted(names & held.keys()))
        first = next(iter(needs.split()), "%")
        is_made = "%" in first or "$" in first or Path(first).exists()  # else a group brought it, and it stays as it is
        for path in sorted(Path().glob("*.jsonl")) if hangs and is_made else ():
            if any(fnmatch(path.name, one.replace("%", "*")) for one in targets.split()):
                yield f"{path}: {hangs}\n"


def changed_since(held: dict[str, str], rules: list[tuple[str, str, set[str]]]) -> Iterator[str]:
    """What is told of each batch that people have, and that another value than now made, at once or by a file before it."""
    for folder in sorted(path.parent for path in Path().glob("*/batch.json")):
        todo, seen, names = [f"{folder}.answers"], set[str](), set[str]()
        while todo:
            seen.add(name := todo.pop())
            for targets, needs, uses in rules:
                if any(fnmatch(name, one.replace("%", "*")) for one in targets.split()):
                    names |= uses
                    todo += [one for one in needs.split() if Path(one).exists() and one not in seen]
        given = (folder / "batch.json").stat().st_mtime_ns
        if newer := [one for one in sorted(names & held.keys()) if (PLACE / one).stat().st_mtime_ns > given]:
            told = f"{folder} was given out before {' and '.join(newer)} got the present value, and stays as it is"
            yield f"{told}: to give it out anew, remove {folder} and {folder}.answers"


def main(flags: str, *given: str) -> None:
    defaults, rules = rules_of(Path())
    own = dict(one.split("=", 1) for one in given)
    is_dry = "n" in flags and not flags.startswith("--")
    held = {} if is_dry else store({name: own[name] for name in own.keys() & defaults.keys()}, defaults)
    part = INCLUDED.with_suffix(".part")
    part.write_text("".join(included(held, rules)), encoding="utf-8")
    part.replace(INCLUDED)
    for told in changed_since(held, rules):
        print(told, file=sys.stderr)
    print(INCLUDED)


if __name__ == "__main__":
    main(*sys.argv[1:])
