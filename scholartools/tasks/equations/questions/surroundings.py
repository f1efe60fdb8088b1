"""Statistics of the formulas around an equation, computed from the context of a question only."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from scholartools.tasks.equations.questions import shortcuts
from scholartools.tasks.equations.questions.context import names_of

_COMMANDS = frozenset(
    "\\frac \\sqrt \\sum \\prod \\exp \\log \\sin \\cos \\max \\min \\cap \\cup \\operatorname \\left \\right".split()
)


_WORD = re.compile(r"[A-Za-z]{3,}")


class Surroundings:
    """Letters, words and token n-grams in the context of an equation.

    Attributes:
        formulas: LaTeX of the formulas.
        names: letters with their scripts in the formulas, typeset.
        words: words of three letters or more in the prose.

    Args:
        context: context of the question, with ``before`` and ``after``.
        equation: LaTeX of the equation in the paper.
    """

    def __init__(self, context: Mapping[str, Any], equation: str) -> None:
        formulas = shortcuts.formulas_of(f"{context['before']} {context['after']}")
        self.formulas = formulas
        self.names = list(dict.fromkeys(name for formula in formulas for name in names_of(formula)))
        prose = shortcuts.without_formulas(f"{context['before']} {context['after']}")
        self.words = frozenset(_WORD.findall(prose))
        self._equation = equation

    @cached_property  # not needed for many equations
    def habits(self) -> shortcuts.Habits:
        """Counts of token n-grams in the formulas."""
        return shortcuts.Habits(map(shortcuts.option_tokens, self.formulas))

    @cached_property
    def kinds(self) -> shortcuts.Habits:
        """Counts of n-grams of token classes in the formulas."""
        return shortcuts.Habits(shortcuts.kinds_of(shortcuts.option_tokens(formula)) for formula in self.formulas)

    def tells_apart(self, options: Sequence[str]) -> bool:
        """Whether the formulas contain a token n-gram that is more frequent in one option than in another."""
        return any(self.habits.counts[len(run) - 1][run] for run in shortcuts.find_telling_runs(options))

    def undefined_letters(self, latex: str) -> list[str]:
        """The letters of an option that occur neither in the paper's equation nor in the formulas around it."""
        letters = {token for token in shortcuts.option_tokens(latex) if token[-1].isalpha()}
        known = {token for (token,) in self.habits.counts[0]} | set(shortcuts.option_tokens(self._equation))
        unknown = letters - known - _COMMANDS
        return sorted(token for token in unknown if not token.startswith(("name:", "text:")))

    def rank_first(self, options: Sequence[str]) -> dict[str, float]:
        """The rank of the first option by each shortcut; rank 1 is the shortcut's guess."""
        values = shortcuts.values_of(options, self.habits)
        return {name: shortcuts.rank(column, 0) for name, column in values.items()}
