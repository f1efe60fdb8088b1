"""Commands defined by ``\\NewDocumentCommand``, with argument specifications and tests of optional arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scholartools.readers.latex.tex.macros import Arguments, Macro, fill_body

_SIGNATURE = re.compile(r"(?:[+!]?(?=[moOs])|m|o|O\s*\{[^{}]*\}|s|\s)*")
_ARGUMENT = re.compile(r"[mos]|O\s*\{([^{}]*)\}")
_READ = re.compile(r"[soOm]*m|s?[oO]?")  # spaces before the last optional argument would be lost
_PARAMETER = re.compile(r"#(\d)")

# The tests, and for each of their branches the result with which it is chosen.
_TESTS = {
    **{"\\IfBooleanTF": (True, False), "\\IfBooleanT": (True,), "\\IfBooleanF": (False,)},
    **{"\\IfValueTF": (True, False), "\\IfValueT": (True,), "\\IfValueF": (False,)},
    **{"\\IfNoValueTF": (False, True), "\\IfNoValueT": (False,), "\\IfNoValueF": (True,)},
}


@dataclass(frozen=True)
class SignedMacro(Macro):
    """A macro with an argument specification; ``body`` is its expansion if all arguments are given.

    Attributes:
        code: the body with its tests.
        signature: the letters of the arguments, with default values.
    """

    code: tuple[str, ...] = ()
    signature: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def expand(self, stream: Arguments) -> list[str] | None:
        """The body, filled with arguments from the stream."""
        given: list[list[str]] = []
        holds: list[bool] = []
        for letter, default in self.signature:
            found: list[str] | None = None
            if letter == "s":
                while stream.take(" "):
                    pass
                found = ["*"] if stream.take("*") else None
            else:
                found = stream.argument() if letter == "m" else stream.optional()
            holds.append(found is not None or letter == "O")
            given.append([*default] if found is None else found)
        return fill_body(tuple(_decide(list(self.code), holds)), given, stream.room)


def signed_macro(signature: str, body: list[str]) -> Macro | None:
    """A macro with an argument specification; None if the specification is not supported."""
    found = list(_ARGUMENT.finditer(signature))
    letters = "".join(one[0][0] for one in found)
    if not _SIGNATURE.fullmatch(signature) or not _READ.fullmatch(letters):
        return None
    if not letters.strip("m"):
        return Macro(tuple(body), len(letters))
    arguments = tuple((one[0][0], tuple((one[1] or "").split())) for one in found)
    given = _decide(body, [True] * len(letters))
    return SignedMacro(tuple(given), len(letters), code=tuple(body), signature=arguments)


def _decide(body: list[str], holds: list[bool]) -> list[str]:
    """The body with its tests of arguments evaluated: ``\\IfBooleanTF{#1}{yes}{no}``."""
    found: list[str] = []
    place = 0
    while place < len(body):
        wanted = _TESTS.get(body[place], ())
        arguments, end = _split_arguments(body, place + 1, 1 + len(wanted)) if wanted else ([], place)
        asked = _PARAMETER.fullmatch("".join(arguments[0])) if arguments else None
        if asked is None or int(asked[1]) > len(holds):
            found.append(body[place])
            place += 1
            continue
        place = end
        for value, argument in zip(wanted, arguments[1:]):
            found += _decide(argument, holds) if value == holds[int(asked[1]) - 1] else []
    return found


def _split_arguments(tokens: list[str], place: int, count: int) -> tuple[list[list[str]], int]:
    """Arguments within tokens, braced or single, and the index after them."""
    found: list[list[str]] = []
    while place < len(tokens) and len(found) < count:
        start, depth = place, 0
        while place < len(tokens):
            depth += {"{": 1, "}": -1}.get(tokens[place], 0)
            place += 1
            if not depth:
                break
        if tokens[start] == "{":
            found.append(tokens[start + 1 : place - 1])
        elif tokens[start] != " ":
            found.append(tokens[start:place])
    return found, place
