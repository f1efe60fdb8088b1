r"""Read numbers as TeX does, from digits, macros, registers and counters; set and change registers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from scholartools.readers.latex.tex.macros import Macro
from scholartools.readers.latex.tex.tokens import untokenize

Answer = TypeVar("Answer")
Value = TypeVar("Value", int, float)

_MOST = 60  # maximum number of tokens before a value
_HIGHEST = 10**9
_DIGITS = re.compile(r"\d{1,9}(?!\d)")
_NUMERALS = ("\\arabic", "\\value")


class Counting(Protocol):
    """The interface of ``stream.Stream`` from which numbers are read."""

    macros: dict[str, Macro]
    registers: dict[str, int]
    counters: Mapping[str, int]

    def next(self) -> str | None: ...
    def peek(self) -> str | None: ...
    def take(self, token: str) -> bool: ...
    def back(self, token: str) -> None: ...
    def push(self, tokens: list[str]) -> None: ...
    def step(self, token: str) -> bool: ...
    def skip_spaces(self) -> None: ...
    def argument(self) -> list[str]: ...
    def text_argument(self) -> str: ...
    def within(self, tokens: list[str], read: Callable[[], Answer]) -> Answer: ...
    def is_conditional(self, token: str) -> bool: ...
    def set_register(self, name: str, value: int) -> None: ...


def read_number(stream: Counting) -> int | None:
    """Read a number and the space that ends it; None if there is none, after reading only macros."""

    def number_at(token: str) -> Callable[[], int | None] | None:
        if token[0].isdigit():
            return lambda: _read_digits(stream, token)
        if token in stream.registers:
            return lambda: stream.registers[token]
        if token in _NUMERALS:
            return lambda: stream.counters.get(stream.text_argument())
        if token.startswith("\\the") and token[4:] in stream.counters and token not in stream.macros:
            return lambda: stream.counters[token[4:]]
        return None

    return read_signed(stream, number_at, skipped=("\\the", "\\number"))


def read_signed(
    stream: Counting, value_at: Callable[[str], Callable[[], Value | None] | None], skipped: tuple[str, ...] = ()
) -> Value | None:
    """Read a value with its signs, expanding macros before it; None if there is none.

    Args:
        value_at: returns a function that reads the value starting with a token; None if no value starts there.
        skipped: commands to skip before the value.
    """
    sign = 1
    for _ in range(_MOST):
        stream.skip_spaces()
        token = stream.next()
        if token is None:
            return None
        if token in ("-", "+", "--", "---"):
            sign *= -1 if token in ("-", "---") else 1
        elif (read := value_at(token)) is not None:
            value = read()
            return None if value is None else sign * value
        elif not (token in skipped or expand_name(stream, token)):
            stream.back(token)
            return None
    return None


def expand_name(stream: Counting, token: str) -> bool:
    """Expand a macro, a conditional or a ``\\csname``; whether the token was expanded."""
    return (token in stream.macros or token == "\\csname" or stream.is_conditional(token)) and stream.step(token)


def _read_digits(stream: Counting, token: str) -> int | None:
    """Read a number whose first digits are in ``token``, which may have letters after them, or in further tokens."""
    written = ""
    while True:
        found = _DIGITS.match(token)
        if found is None:
            return None
        written += found[0]
        if found.end() < len(token):
            stream.push([token[found.end() :]])
            break
        following = stream.peek() or " "
        if not following[0].isdigit() or len(written) > 9:
            stream.take(" ")
            break
        token = stream.next() or ""
    return int(written)


def read_all(stream: Counting, tokens: list[str], read: Callable[[Counting], Answer | None]) -> Answer | None:
    """Apply ``read`` to some tokens; None if it fails or does not consume them all."""

    def read_to_end() -> Answer | None:
        found = read(stream)
        stream.skip_spaces()
        return found if stream.peek() is None else None

    return stream.within(tokens, read_to_end)


def compare_numbers(stream: Counting) -> bool | None:
    r"""Evaluate a comparison such as ``1 < \count``; None if it is unknown."""
    if (sides := read_sides(stream, read_number)) is None:
        return None
    first, sign, second = sides
    return {"<": first < second, ">": first > second, "=": first == second}[sign]


def read_sides(stream: Counting, read: Callable[[Counting], Value | None]) -> tuple[Value, str, Value] | None:
    """Read two values and the sign between them; None if one of the three is missing or unknown."""
    first = read(stream)
    stream.skip_spaces()
    sign = stream.next() if stream.peek() in ("<", ">", "=") else None
    second = read(stream) if sign else None
    return None if first is None or sign is None or second is None else (first, sign, second)


def expand_number(stream: Counting, token: str) -> bool:
    r"""Replace ``\the\count``, ``\number\count`` and ``\arabic{counter}`` by digits; whether the value is known."""
    if token == "\\arabic":
        name = stream.text_argument()
        stream.push([str(stream.counters[name])] if name in stream.counters else [token, "{", name, "}"])
        return name in stream.counters
    following = stream.peek() or " "
    is_number = following in stream.registers or following in _NUMERALS
    number = read_number(stream) if is_number or (token == "\\number" and following[0].isdigit()) else None
    if number is not None:
        stream.push([*("-" * (number < 0)), str(abs(number))])
    return number is not None


def assign(stream: Counting, name: str) -> None:
    r"""Read the value of an assignment such as ``\count=3``."""
    stream.skip_spaces()
    stream.take("=")
    value = read_number(stream)
    if value is not None:
        stream.set_register(name, value)


def _change(how: Callable[[int, int], int]) -> Callable[[Counting], None]:
    r"""A handler of ``\advance\count by 2`` or similar, for known registers."""

    def change(stream: Counting) -> None:
        stream.skip_spaces()
        name = stream.next() or ""
        stream.skip_spaces()
        if (stream.peek() or "").startswith("by"):
            rest = (stream.next() or "")[2:]
            stream.push([rest] if rest else [])
        value = read_number(stream)
        if name in stream.registers and value is not None:
            stream.set_register(name, max(-_HIGHEST, min(how(stream.registers[name], value), _HIGHEST)))

    return change


def _divide(number: int, by: int) -> int:
    return int(number / by) if by else number


def _new_count(stream: Counting) -> None:
    r"""``\newcount\name``."""
    name = untokenize(stream.argument()).strip()
    if name[:1] == "\\":
        stream.set_register(name, 0)


REGISTERS: dict[str, Callable[[Counting], None]] = {
    "\\newcount": _new_count,
    "\\advance": _change(lambda number, by: number + by),
    "\\multiply": _change(lambda number, by: number * by),
    "\\divide": _change(_divide),
}
