"""A run of tokens being read, and where the conditions in it can go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Jump = tuple[int | None, int]  # to the next ``\else`` or ``\or`` if any, and to the ``\fi``


@dataclass(eq=False)
class Frame:
    """Tokens being read; ``file`` names the file they are, None for what a macro or an argument put there."""

    tokens: list[str]
    at: int = 0
    file: str | None = None
    _jumps: dict[int, Jump] | None = field(default=None, repr=False)

    def jump(self, is_conditional: Callable[[str], bool]) -> Jump | None:
        """Where the condition, or the ``\\else``, that was read last can go; None where it is not closed."""
        if self._jumps is None:
            self._jumps = _find_jumps(self.tokens, is_conditional)
        return self._jumps.get(self.at - 1)

    def case(self, number: int | None, start: int) -> int:
        """Where a case of the ``\\ifcase`` at ``start`` begins, else what is behind its ``\\else`` or ``\\fi``."""
        assert self._jumps is not None  # the ``\ifcase`` has been found there
        place, (middle, end) = start, self._jumps[start]
        while number != 0 and middle is not None:
            place, (middle, _) = middle, self._jumps[middle]
            if self.tokens[place] == "\\else":
                return place + 1
            number = None if number is None else number - 1
        return (place if number == 0 else end) + 1


# How many names follow that are defined, copied or compared: a conditional among them opens no condition.
_NAMES = {
    **dict.fromkeys(("\\newif", "\\def", "\\gdef", "\\edef", "\\xdef", "\\ifdefined", "\\undef"), 1),
    **dict.fromkeys(("\\newcommand", "\\renewcommand", "\\providecommand", "\\string", "\\ifdef", "\\ifundef"), 1),
    **dict.fromkeys(("\\let", "\\ifx"), 2),
}
_BEFORE_NAMES = frozenset((" ", "=", "{", "*", "\\expandafter"))


def _find_names(tokens: list[str]) -> set[int]:
    """The places of conditionals that are only named."""
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
