"""The formulas around an equation: what they make known, so that it can be found again from a question alone."""

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
    """What the formulas in the context of an equation tell.

    Attributes:
        formulas: their LaTeX.
        names: the letters with their scripts that occur there, typeset.
        words: of three letters or more, in the prose.

    Args:
        context: of the question, with ``before`` and ``after``.
        equation: its LaTeX, as the paper has it.
    """

    def __init__(self, context: Mapping[str, Any], equation: str) -> None:
        formulas = shortcuts.formulas_of(f"{context['before']} {context['after']}")
        self.formulas = formulas
        self.names = list(dict.fromkeys(name for formula in formulas for name in names_of(formula)))
        prose = shortcuts.without_formulas(f"{context['before']} {context['after']}")
        self.words = frozenset(_WORD.findall(prose))
        self._equation = equation

    @cached_property  # many equations have no options that these could tell apart
    def habits(self) -> shortcuts.Habits:
        """How often tokens, and runs of them, occur there."""
        return shortcuts.Habits(map(shortcuts.option_tokens, self.formulas))

    @cached_property
    def kinds(self) -> shortcuts.Habits:
        """How often kinds of tokens do."""
        return shortcuts.Habits(shortcuts.kinds_of(shortcuts.option_tokens(formula)) for formula in self.formulas)

    def tells_apart(self, options: Sequence[str]) -> bool:
        """Whether a formula around holds a run of tokens that occurs in one option more often than in another."""
        return any(self.habits.counts[len(run) - 1][run] for run in shortcuts.find_telling_runs(options))

    def undefined_letters(self, latex: str) -> list[str]:
        """The letters of an option that occur neither in the paper's equation nor in a formula around it."""
        letters = {token for token in shortcuts.option_tokens(latex) if token[-1].isalpha()}
        known = {token for (token,) in self.habits.counts[0]} | set(shortcuts.option_tokens(self._equation))
        unknown = letters - known - _COMMANDS
        return sorted(token for token in unknown if not token.startswith(("name:", "text:")))

    def rank_first(self, options: Sequence[str]) -> dict[str, float]:
        """The rank that each shortcut gives the first of some options, 1 for its guess."""
        values = shortcuts.values_of(options, self.habits)
        return {name: shortcuts.rank(column, 0) for name, column in values.items()}
