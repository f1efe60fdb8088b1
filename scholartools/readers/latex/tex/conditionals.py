"""Frames of tokens being read, and the jump targets of the conditionals in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Jump = tuple[int | None, int]  # indices of the next ``\else`` or ``\or``, if any, and of the ``\fi``


@dataclass(eq=False)
class Frame:
    """Tokens being read; ``file`` is the file they come from, None for those of a macro or an argument."""

    tokens: list[str]
    at: int = 0
    file: str | None = None
    _jumps: dict[int, Jump] | None = field(default=None, repr=False)

    def jump(self, is_conditional: Callable[[str], bool]) -> Jump | None:
        """The jump targets of the conditional or ``\\else`` that was read last; None if it is not closed."""
        if self._jumps is None:
            self._jumps = _find_jumps(self.tokens, is_conditional)
        return self._jumps.get(self.at - 1)

    def case(self, number: int | None, start: int) -> int:
        """Index of the start of a case of the ``\\ifcase`` at ``start``, else after its ``\\else`` or ``\\fi``."""
        assert self._jumps is not None  # the ``\ifcase`` has been found there
        place, (middle, end) = start, self._jumps[start]
        while number != 0 and middle is not None:
            place, (middle, _) = middle, self._jumps[middle]
            if self.tokens[place] == "\\else":
                return place + 1
            number = None if number is None else number - 1
        return (place if number == 0 else end) + 1


# Number of names that follow to be defined, copied or compared: a conditional among them is not executed.
_NAMES = {
    **dict.fromkeys(("\\newif", "\\def", "\\gdef", "\\edef", "\\xdef", "\\ifdefined", "\\undef"), 1),
    **dict.fromkeys(("\\newcommand", "\\renewcommand", "\\providecommand", "\\string", "\\ifdef", "\\ifundef"), 1),
    **dict.fromkeys(("\\let", "\\ifx"), 2),
}
_BEFORE_NAMES = frozenset((" ", "=", "{", "*", "\\expandafter"))


def _find_names(tokens: list[str]) -> set[int]:
    """Indices of conditionals that are only named, not executed."""
    named: set[int] = set()
    for index, token in enumerate(tokens):
        place = index + 1
        for _ in range(_NAMES.get(token, 0)):
            while place < len(tokens) and tokens[place] in _BEFORE_NAMES:
                place += 1
            if place < len(tokens) and tokens[place][:3] == "\\if":
                named.add(place)
            place += 1
    return named


def _find_jumps(tokens: list[str], is_conditional: Callable[[str], bool]) -> dict[int, Jump]:
    found: dict[int, Jump] = {}
    open_: list[list[int]] = []
    named = _find_names(tokens)
    for index, token in enumerate(tokens):
        if token[:3] == "\\if" and index not in named and is_conditional(token):
            open_.append([index])
        elif open_ and (token == "\\else" or (token == "\\or" and tokens[open_[-1][0]] == "\\ifcase")):
            open_[-1].append(index)
        elif token == "\\fi" and open_:
            places = open_.pop()
            found.update((place, (following, index)) for place, following in zip(places, [*places[1:], None]))
    return found
