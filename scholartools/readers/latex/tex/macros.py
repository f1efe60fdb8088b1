"""Macros and their expansion."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from scholartools.readers.latex.tex.tokens import INLINE, PRIMITIVE, untokenize

_PARAMETER = re.compile(r"#(\d)")
_LONGEST = 2_000  # maximum length of a URL, in characters
_MOST = 20  # maximum number of arguments in a URL

# Commands of a macro body that cannot be expanded without running TeX.
_PROGRAMMING = frozenset(
    (
        "\\futurelet \\catcode "
        "\\setbox \\box \\copy \\write \\read \\afterassignment \\aftergroup \\lowercase \\uppercase \\newlinechar "
        "\\meaning \\string \\IfBooleanTF \\IfNoValueTF \\IfValueTF"
    ).split()
)


class Arguments(Protocol):
    """A source of arguments of macros; ``room`` is the maximum number of tokens that an expansion may produce."""

    @property
    def room(self) -> int: ...
    def take(self, token: str) -> bool: ...
    def peek(self) -> str | None: ...
    def optional(self) -> list[str] | None: ...
    def argument(self) -> list[str]: ...
    def until(self, closing: tuple[str, ...], *, long: bool) -> list[str] | None: ...


@dataclass(frozen=True)
class Macro:
    """A macro with ``parameters`` arguments, the first of which is optional if ``default`` is not None.

    Attributes:
        starred: the body of the starred form, if there is one.
        opening: tokens required before the arguments.
        closings: the delimiter of each argument (``\\b`` in ``\\def\\a#1\\b{...}``), empty for an undelimited one; if
            there are no closings, all arguments are undelimited.
        long: whether delimited arguments may have several paragraphs.
    """

    body: tuple[str, ...]
    parameters: int = 0
    default: tuple[str, ...] | None = None
    starred: tuple[str, ...] | None = None
    opening: tuple[str, ...] = ()
    closings: tuple[tuple[str, ...], ...] = ()
    long: bool = False

    def expand(self, stream: Arguments) -> list[str] | None:
        """The body, filled with arguments from the stream; None if a required delimiter is missing."""
        body = self.body
        if self.starred is not None and stream.take("*"):
            body = self.starred
        given: list[list[str]] = []
        if self.default is not None:
            optional = stream.optional()
            given.append(list(self.default) if optional is None else optional)
        if not all(map(stream.take, self.opening)):
            return None
        for closing in self.closings or ((),) * (self.parameters - len(given)):
            found = stream.until(closing, long=self.long) if closing else stream.argument()
            if found is None:
                return None
            given.append(found)
        return fill_body(body, given, stream.room)


#: The meaning ``\relax``: TeX treats a name with it as defined, LaTeX as undefined.
RELAX = Macro((PRIMITIVE + "\\relax",))


def fill_body(body: tuple[str, ...], given: list[list[str]], room: int) -> list[str]:
    """The body with ``#1`` replaced and ``##`` halved; truncated just above ``room`` tokens."""
    filled: list[str] = []
    for token in body:
        if token[0] == INLINE and "#" in token:
            filled.append(_PARAMETER.sub(lambda found: _source_of_argument(given, found), token, _MOST)[:_LONGEST])
        elif token[0] != "#":
            filled.append(token)
        elif token[1:].isdigit() and 0 < int(token[1:]) <= len(given):
            filled += given[int(token[1:]) - 1]
        else:
            filled.append(token[1:] if token.startswith("##") else token)
        if len(filled) > room:
            break
    return filled


def _source_of_argument(given: list[list[str]], found: re.Match[str]) -> str:
    """An argument within a URL, which is a single token: ``\\url{https://doi.org/#1}``."""
    index = int(found[1])
    return untokenize(given[index - 1])[:_LONGEST] if 0 < index <= len(given) else found[0]


def is_programming(body: Iterable[str]) -> bool:
    """Whether a body has commands that cannot be expanded without running TeX."""
    return not _PROGRAMMING.isdisjoint(body)
