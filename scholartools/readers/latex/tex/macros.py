"""A macro and what a use of it expands to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from scholartools.readers.latex.tex.tokens import INLINE, PRIMITIVE, untokenize

_PARAMETER = re.compile(r"#(\d)")
_LONGEST = 2_000  # characters of an address
_MOST = 20  # arguments in an address

# A body that programs TeX says nothing that could be expanded without running it.
_PROGRAMMING = frozenset(
    (
        "\\futurelet \\catcode "
        "\\setbox \\box \\copy \\write \\read \\afterassignment \\aftergroup \\lowercase \\uppercase \\newlinechar "
        "\\meaning \\string \\IfBooleanTF \\IfNoValueTF \\IfValueTF"
    ).split()
)


class Arguments(Protocol):
    """What gives a macro its arguments; ``room`` is how many tokens it may make."""

    @property
    def room(self) -> int: ...
    def take(self, token: str) -> bool: ...
    def peek(self) -> str | None: ...
    def optional(self) -> list[str] | None: ...
    def argument(self) -> list[str]: ...
    def until(self, closing: tuple[str, ...], *, long: bool) -> list[str] | None: ...


@dataclass(frozen=True)
class Macro:
    """A macro: ``parameters`` arguments, the first of them optional where ``default`` is not None.

    Attributes:
        starred: the body of the form with a star, where there is one.
        opening: what must come before the arguments.
        closings: what ends each of them (``\\def\\a#1\\b{...}``: ``\\b``), empty where braces or one token do; no
            closings: so it is for all.
        long: whether such arguments may hold several paragraphs.
    """

    body: tuple[str, ...]
    parameters: int = 0
    default: tuple[str, ...] | None = None
    starred: tuple[str, ...] | None = None
    opening: tuple[str, ...] = ()
    closings: tuple[tuple[str, ...], ...] = ()
    long: bool = False

    def expand(self, stream: Arguments) -> list[str] | None:
        """The body with the arguments that the stream gives; None where they do not end as they should."""
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


#: What a name means that LaTeX takes for free, though TeX does not.
RELAX = Macro((PRIMITIVE + "\\relax",))


def fill_body(body: tuple[str, ...], given: list[list[str]], room: int) -> list[str]:
    """The body with ``#1`` replaced and ``##`` halved; cut off where it outgrows what may still be read."""
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
    """An argument in an address, which is no sequence of tokens: ``\\url{https://doi.org/#1}``."""
    index = int(found[1])
    return untokenize(given[index - 1])[:_LONGEST] if 0 < index <= len(given) else found[0]


def is_programming(body: Iterable[str]) -> bool:
    """Whether a body does more than stand for other source text."""
    return not _PROGRAMMING.isdisjoint(body)
