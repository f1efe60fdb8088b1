"""Two results of one signature are the same result: every option of every command is varied, on an input where it bites."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
from support import varied
from support.run import ROOT, Result, st
from support.server import Server

SUMMARIES = [json.loads((ROOT / "fixtures" / "summaries.jsonl").read_text().splitlines()[0])]
COMMANDS = {" ".join(words): command for words, command in varied.command_paths()}


class Tried(NamedTuple):
    """One command line that differs from a plain one in an option.

    Attributes:
        option: its name in Python.
        is_signed: whether a result has a signature that the plain line does not give.
        bites: whether such a result is another result beside its signature.
        is_seen: whether standard output or standard error are other ones.
        fault: two results of one signature that are not the same.
    """

    option: str
    args: tuple[str, ...]
    status: int
    is_signed: bool
    bites: bool
    is_seen: bool
    fault: tuple[str, str] | None
    err: str


def values_of(name: str, option: click.Option, args: tuple[str, ...]) -> list[str]:
    """Other values of an option than a line has, as words of a command line."""
    key, long = str(option.name), max(option.opts, key=len)
    if option.is_flag:
        return [""]
    if isinstance(option.type, click.Choice):
        now = args[args.index(long) + 1] if long in args else option.default
        return [value for value in option.type.choices if value != now]
    for known in (f"{name} {key}", key):
        if known in varied.VALUES:
            return varied.VALUES[known]
    if isinstance(option.type, (click.IntRange, click.types.IntParamType)):
        least = getattr(option.type, "min", None) or 0
        return [str(value) for value in (least, least + 1, 7)]
    return ["0.1", "0.9"] if isinstance(option.type, (click.FloatRange, click.types.FloatParamType)) else []


def lines_of(name: str, option: click.Option, line: varied.Line, folder: Path) -> Iterator[tuple[str, ...]]:
    """The line with other values of an option, in place of the one that it has, and what they need beside them."""
    long = max(option.opts, key=len)
    plain = tuple(map(str, line.args))
    for value in values_of(name, option, plain):
        beside, _, words = value.rpartition("|")
        other = (long, *words.format(f=folder).split())
        args = plain
        if long in args and not option.is_flag:
            place = args.index(long)
            args = (*args[:place], *args[place + len(other) :])
        if beside.split()[:1] and beside.split()[0] in args:
            beside = ""
        yield (*args, *beside.format(f=folder).split(), *other)


def parts_of(result: Result, command: str) -> list[tuple[tuple[str, ...], str]]:
    """Of each record and each result that the command made: whose it is and its signature, and the rest without provenance."""
    made = []
    for line in result.out.splitlines():
        try:
            record = json.loads(line)
        except ValueError:  # a table
            continue
        if not isinstance(record, dict):
            continue
        name = str(record.get("id"))
        provenance = record.pop("provenance", None) or [{}]
        own = [one["signature"] for one in provenance if one.get("command") == command]
        if own:
            made.append(((name, "", *own), json.dumps(without_calls(record), sort_keys=True)))
        for one in [record, *(record.get("scores") or ()), record.get("value_parsed") or {}]:
            if str(one.get("signature")).startswith(command):
                key = (name, str(one.get("system")), one.pop("signature"))
                made.append((key, json.dumps(one, sort_keys=True)))
    return made


def without_calls(value: Any) -> Any:
    """A value without the names and the prices of the calls that it was made of."""
    if isinstance(value, dict):
        return {key: without_calls(inner) for key, inner in value.items() if key not in ("calls", "usage")}
    return [without_calls(inner) for inner in value] if isinstance(value, list) else value


def vary(name: str, folder: Path) -> Iterator[Tried]:
    """Each line of a command with each value of each of its options."""
    varied.files(folder)
    command = name.split()[0]
    has_asked = False
    with Server(respond=varied.Mindful()) as server:
        env = {**server.environment, "ST_CACHE": str(folder / "cache.sqlite")}
        for line in varied.LINES[name]:
            data = line.make(folder)
            plain = st(*line.args, input=data, env=env, is_described=False)
            assert plain.status in (0, 1), (line.args, plain.err)
            seen = dict(parts_of(plain, command))
            signatures, rests = set(seen), set(seen.values())
            for option in COMMANDS[name].params:
                if not isinstance(option, click.Option) or option.name in varied.ELSEWHERE:
                    continue
                if option.name in varied.ASKING and line.asks and has_asked:
                    continue
                for args in lines_of(name, option, line, folder):
                    done = st(*args, input=data, env=env, is_described=False)
                    parts = parts_of(done, command) if done.status in (0, 1) else []
                    new = [rest for signature, rest in parts if signature not in signatures]
                    faults = [(seen[one], rest) for one, rest in parts if seen.setdefault(one, rest) != rest]
                    is_seen = done.status in (0, 1) and shown(done) != shown(plain)
                    bites = any(rest not in rests for rest in new)
                    yield Tried(
                        str(option.name),
                        args,
                        done.status,
                        bool(new),
                        bites,
                        is_seen,
                        next(iter(faults), None),
                        done.err,
                    )
            has_asked = has_asked or line.asks


def shown(result: Result) -> tuple[bytes, str]:
    """What a person sees, without times and counts."""
    return re.sub(rb'"provenance":.*', b"", result.out), re.sub(r"[\d.:/]+", "", result.err)
