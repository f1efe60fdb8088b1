"""A run of tokens being read, and where the conditions in it can go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Jump = tuple[int | None, int]  # to the ``\else`` if any, and to the ``\fi``


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


def _find_jumps(tokens: list[str], is_conditional: Callable[[str], bool]) -> dict[int, Jump]:
    found: dict[int, Jump] = {}
    open_: list[tuple[int, int | None]] = []
    for index, token in enumerate(tokens):
        if token[:3] == "\\if" and is_conditional(token):
            open_.append((index, None))
        elif token in ("\\else", "\\or") and open_ and open_[-1][1] is None:
            open_[-1] = (open_[-1][0], index)
        elif token == "\\fi" and open_:
            start, middle = open_.pop()
            found[start] = (middle, index)
            if middle is not None:
                found[middle] = (None, index)
    return found
