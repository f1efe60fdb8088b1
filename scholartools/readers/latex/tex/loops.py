r"""Loops over literal lists: ``\foreach`` of pgffor, ``\forcsvlist`` and ``\docsvlist``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from scholartools.readers.latex.tex.branches import Reading
from scholartools.readers.latex.tex.tokens import untokenize

_NUMBER = re.compile(r"-?\d{1,6}(?:\.\d{1,6})?")
_LETTER = re.compile(r"[A-Za-z]")
_MOST = 400  # maximum number of items of a list
_HEAD = 60  # maximum number of tokens before the list of a ``\foreach``


def _split_list(tokens: list[str]) -> list[list[str]]:
    """Split a list at commas outside braces, and strip spaces."""
    items: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token == "{") - (token == "}")
        if token == "," and not depth:
            items.append([])
        else:
            items[-1].append(token)
    stripped = [_strip(item) for item in items]
    return [item for item in stripped if item][:_MOST]


def _strip(item: list[str]) -> list[str]:
    start = next((at for at, token in enumerate(item) if token != " "), len(item))
    end = next((at for at in range(len(item), start, -1) if item[at - 1] != " "), start)
    return item[start:end]


def _with_dots(items: list[list[str]]) -> list[list[str]]:
    """The items, with ``1,...,4`` and ``a,...,d`` expanded."""
    written: list[list[str]] = []
    for at, item in enumerate(items):
        if untokenize(item).strip() not in ("...", "\\dots", "\\ldots") or not written or at + 1 == len(items):
            written.append(item)
            continue
        before = [untokenize(one).strip() for one in written[-2:]]
        # Two items before the dots give the step.
        known = before if at > 1 else before[-1:]
        written += [[*text] for text in _between(known, untokenize(items[at + 1]).strip())]
    return written[:_MOST]


def _between(before: list[str], last: str) -> Iterator[str]:
    """The items between those before the dots and ``last``, exclusive."""
    if all(map(_NUMBER.fullmatch, (*before, last))):
        start, end = Decimal(before[-1]), Decimal(last)
        step = start - Decimal(before[0]) if len(before) > 1 else Decimal(1 if end > start else -1)
        value = start + step
        for _ in range(_MOST):
            if not step or (value >= end if step > 0 else value <= end):
                return
            yield str(value)
            value += step
    elif all(map(_LETTER.fullmatch, (before[-1], last))):
        way = 1 if last > before[-1] else -1
        yield from map(chr, range(ord(before[-1]) + way, ord(last), way))


def _for_each(stream: Reading) -> None:
    r"""``\foreach \one/\other [count=\i] in {a/b, c/d} {text}``: repeat the text for each item."""
    names: list[str] = []
    options: list[str] = []
    for _ in range(_HEAD):
        stream.skip_spaces()
        token = stream.next()
        if token is None or token == "{":
            return
        if token == "[":
            stream.back(token)
            options += stream.optional() or []
            if stream.take("["):
                return
        elif token == "in":
            break
        elif token[0] == "\\":
            names.append(token)
    stream.skip_spaces()
    listed = stream.expanded(stream.argument())
    stream.skip_spaces()
    if stream.peek() == "\\foreach":
        return
    text = stream.argument()
    counted = re.search(r"count\s*=\s*(\\[A-Za-z]+)", untokenize(options))
    told: list[str] = []
    for number, item in enumerate(_with_dots(_split_list(listed)), 1):
        told += ["{", *(_define(counted[1], [str(number)]) if counted else [])]
        for name, value in _paired(names, item):
            told += _define(name, value)
        told += [*text, "}"]
    stream.push(told)


def _define(name: str, value: list[str]) -> list[str]:
    return ["\\def", name, "{", *value, "}"]


def _paired(names: list[str], item: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Pair names with the parts of an item between slashes; surplus names get the last part."""
    parts: list[list[str]] = [[]]
    for token in item:
        if token == "/" and len(parts) < len(names):
            parts.append([])
        else:
            parts[-1].append(token)
    for at, name in enumerate(names):
        yield name, parts[min(at, len(parts) - 1)]


def _apply(stream: Reading, command: list[str]) -> None:
    for item in reversed(_split_list(stream.argument())):
        stream.push([*command, "{", *item, "}"])


LOOPS: dict[str, Callable[[Reading], None]] = {
    "\\foreach": _for_each,
    "\\forcsvlist": lambda stream: _apply(stream, stream.argument()),
    "\\docsvlist": lambda stream: _apply(stream, ["\\do"]),
}
