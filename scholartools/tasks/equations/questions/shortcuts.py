"""Shortcuts that guess the paper's formula among options by length, frequency or similarity.

Each shortcut computes a value for every option, and guesses the option with the largest. Options are sequences of
tokens as made by :func:`option_tokens`.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tokens import flat, read
from scholartools.tasks.equations.trees.tree import Unread

Tokens = tuple[str, ...]

_FORMULA = re.compile(r"(?<!\\)\$([^$]+)(?<!\\)\$|\\\[(.*?)\\\]", re.DOTALL)
_BRACES = frozenset(["{", "}"])
_KINDS = {
    token: kind
    for kind, tokens in {
        "Greek": {f"\\{name}" for name in v.GREEK.split()},
        "relation": v.RELATIONS,
        "operator": v.SIGNS | v.LOOSE_OPERATORS | v.TIGHT_OPERATORS | {"\\cdot", "/"},
        "opening": v.OPENING,
        "closing": v.CLOSING,
        "function": v.FUNCTIONS | v.LIMIT_FUNCTIONS,
        "big": v.BIG | v.INTEGRALS,
        "accent": v.ACCENTS | v.FONTS,
    }.items()
    for token in tokens
}
_BACKOFF = 0.4  # factor of stupid backoff


@lru_cache(maxsize=2048)  # a formula of a paper occurs in the contexts of many equations
def option_tokens(latex: str) -> Tokens:
    """The tokens of a formula without braces; split at white space if it cannot be tokenised."""
    try:
        return tuple(text for text in flat(read(latex)) if text not in _BRACES)
    except Unread:
        return tuple(latex.split())


@lru_cache(maxsize=2048)
def kinds_of(tokens: Tokens) -> Tokens:
    """The class of each token, such as letter, Greek, number, function, operator or opening; else the token itself."""
    return tuple(map(_name_kind, tokens))


def _name_kind(token: str) -> str:
    if len(token) == 1 and token.isalpha():
        return "letter"
    if token.startswith("name:"):
        return "function"
    if token.startswith("text:"):
        return "words"
    return _KINDS.get(token, "number" if token.replace(".", "").isdigit() else token)


def formulas_of(text: str) -> list[str]:
    """The formulas in a text: between dollar signs, or between ``\\[`` and ``\\]``."""
    return [found[1] or found[2] or "" for found in _FORMULA.finditer(text)]


def without_formulas(text: str) -> str:
    """A text without its formulas."""
    return _FORMULA.sub(" ", text)


def runs_of(formula: Tokens, size: int) -> list[Tokens]:
    """All n-grams of ``size`` tokens, with markers for the start and the end of the formula."""
    padded = ("<", *formula, ">")
    return [padded[place : place + size] for place in range(len(padded) - size + 1)]


@lru_cache(maxsize=2048)
def _runs_by_size(formula: Tokens) -> tuple[tuple[Tokens, ...], ...]:
    """The n-grams of one, two, three and four tokens, by :func:`runs_of`."""
    return tuple(tuple(runs_of(formula, size)) for size in (1, 2, 3, 4))


@lru_cache(maxsize=2048)
def list_runs(latex: str) -> Counter[Tokens]:
    """Counts of the n-grams of two to four tokens of a formula; cached, must not be modified."""
    return Counter(itertools.chain(*_runs_by_size(option_tokens(latex))[1:]))


def find_telling_runs(options: Sequence[str]) -> frozenset[Tokens]:
    """The n-grams of two to four tokens whose counts differ between options."""
    counts = [list_runs(option) for option in options]
    return frozenset(run for run in set().union(*counts) if len({count[run] for count in counts}) > 1)


class Habits:
    """Counts of the n-grams of one to four tokens in formulas."""

    def __init__(self, formulas: Iterable[Tokens]) -> None:
        by_formula = list(map(_runs_by_size, formulas))
        self.counts: list[Counter[Tokens]] = [
            Counter(itertools.chain.from_iterable(runs[size] for runs in by_formula)) for size in range(4)
        ]

    def add(self, formula: Tokens, times: int = 1) -> None:
        """Add the counts of a formula ``times`` times; subtract them if negative."""
        for counts, runs in zip(self.counts, _runs_by_size(formula)):
            for run in runs:
                counts[run] += times

    def trigram_share(self, formula: Tokens) -> float:
        """The share of the trigrams of a formula that occur in these formulas."""
        runs = [formula[place : place + 3] for place in range(len(formula) - 2)]
        return sum(self.counts[2][run] > 0 for run in runs) / len(runs) if runs else 0.0

    def frequency(self, formula: Tokens) -> float:
        """The mean log frequency (log1p) of the formula's tokens in these formulas."""
        return sum(math.log1p(max(0, self.counts[0][(token,)])) for token in formula) / max(1, len(formula))

    def attestation(self, formula: Tokens) -> tuple[float, ...]:
        """The log frequencies of the formula's n-grams of two, three and four tokens in these formulas and in itself.

        Returns:
            for each size a sum of logarithms, 0 or more.
        """
        own = map(Counter, _runs_by_size(formula)[1:])
        return tuple(
            sum(count * math.log(count + max(0, known[run])) for run, count in runs.items())
            for runs, known in zip(own, self.counts[1:])
        )

    def support(self, formula: Tokens) -> tuple[float, ...]:
        """As :meth:`attestation`, but in these formulas only: for each size a sum of logarithms, at least 0."""
        return tuple(
            sum(math.log1p(max(0, known[run])) for run in runs)
            for runs, known in zip(_runs_by_size(formula)[1:], self.counts[1:])
        )

    def likelihood(self, formula: Tokens) -> float:
        """The mean log probability of the formula's tokens in a trigram model with stupid backoff."""
        padded = ("<", *formula, ">")
        total = sum(self.counts[0].values()) + 1
        logs = [math.log(self._after(padded, place, total)) for place in range(1, len(padded))]
        return sum(logs) / max(1, len(logs))

    def _after(self, padded: Tokens, place: int, total: int) -> float:
        single, double, triple, _ = self.counts
        if place > 1 and (seen := triple[padded[place - 2 : place + 1]]) > 0:
            return seen / double[padded[place - 2 : place]]
        if (seen := double[padded[place - 1 : place + 1]]) > 0:
            return _BACKOFF * seen / single[padded[place - 1 : place]]
        return _BACKOFF**2 * max(0.5, single[padded[place : place + 1]]) / total


def option_similarities(options: Sequence[Tokens]) -> list[float]:
    """For each option, the negative sum of its token edit distances to all others."""
    from rapidfuzz.distance import Levenshtein

    return [-float(sum(Levenshtein.distance(one, other) for other in options)) for one in options]


def rank(values: Sequence[float], place: int) -> float:
    """The rank of a value among all, 1 for the largest; ties have the mean of their ranks."""
    greater = sum(value > values[place] for value in values)
    equal = sum(value == values[place] for value in values)
    return greater + (equal + 1) / 2


def values_of(options: Sequence[str], context: Habits, others: Habits | None = None) -> dict[str, list[float]]:
    """The values of all shortcuts for the options.

    Args:
        options: LaTeX of the options.
        context: counts of the formulas around.
        others: counts of formulas of other papers, for ``model``; default: ``context``.
    """
    tokens = [option_tokens(option) for option in options]
    near = option_similarities(tokens)
    return {
        "longest": [float(len(option)) for option in options],
        "shortest": [-float(len(option)) for option in options],
        "medoid": near,
        "odd-one-out": [-value for value in near],
        "model": [(others or context).likelihood(one) for one in tokens],
        "n-grams": [context.trigram_share(one) for one in tokens],
        "frequency": [context.frequency(one) for one in tokens],
    }
