"""Sets of options: a square of two changes, or a star of single ones, and which of many to take.

In a square (neither, one, the other, both changes) each option is one change from two others and two from the third, so
that none is the hub. Of many squares that one is taken whose truth has, by length, likelihood, n-grams and frequency,
the ranks that were drawn for it.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scholartools.tasks.equations.questions.edits import Edit, apply, are_apart
from scholartools.tasks.equations.questions.shortcuts import Habits, option_tokens, rank
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.tree import Unread
from scholartools.tasks.equations.trees.typesetting import typeset

Edits = tuple[Edit, ...]

DRAWN = 200  # changes drawn, each pair of which is looked at
KEPT = 180  # pairs that are tried, those nearest to the ranks that were drawn
_AT_ONCE = 60  # of these that are made, to be put in order exactly, before the first is given
# Signs that nobody writes, which two changes of one term leave: "a + - b", "(+ b)".
_LONE_SIGN = re.compile(r"[+-]\s*[+-]|[(=\[&]\s*\+\s*[\w\\(]")
#: What is balanced, and how much each counts.
WEIGHTS = {"length": 3.0, "model": 1.0, "n-grams": 2.0, "frequency": 1.5}


def draw(*parts: object) -> float:
    """A number in [0, 1), drawn by hash of some words."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


@dataclass(frozen=True)
class Variant:
    """A formula with some changes, and what the shortcuts that are balanced say of it."""

    latex: str
    edits: tuple[Edit, ...]
    traits: tuple[float, ...]


class Workshop:
    """Makes variants of a formula.

    Args:
        latex: the formula, typeset.
        context: the formulas around it.
        seed, name: what draws depend on.
    """

    def __init__(self, latex: str, context: Habits, seed: int, name: str) -> None:
        self.latex = latex
        self.context = context
        self.key = (seed, name)
        self.original = Variant(latex, (), self._traits(latex))

    def variant(self, edits: Sequence[Edit]) -> Variant | None:
        """The formula with some changes; None where that cannot be read, changes nothing, or leaves a lone sign."""
        try:
            made = typeset(apply(self.latex, edits))
            parse(made)
        except Unread:
            return None
        if made == self.latex or len(_LONE_SIGN.findall(made)) > len(_LONE_SIGN.findall(self.latex)):
            return None
        return Variant(made, tuple(edits), self._traits(made))

    def _traits(self, latex: str) -> tuple[float, ...]:
        tokens = option_tokens(latex)
        context = self.context
        return float(len(latex)), context.likelihood(tokens), context.trigram_share(tokens), context.frequency(tokens)

    def draw_edits(self, edits: Sequence[Edit], count: int) -> Iterator[Edit]:
        """Changes drawn by hash, each kind of slip as often as any other."""
        kinds: dict[str, list[Edit]] = {}
        for edit in edits:
            kinds.setdefault(edit.op, []).append(edit)
        names = sorted(kinds)
        for turn in range(count if names else 0):
            kind = kinds[names[int(draw(*self.key, "op", turn) * len(names))]]
            yield kind[int(draw(*self.key, "edit", turn) * len(kind))]

    def squares(self, edits: Sequence[Edit], partners: Sequence[Edit] | None = None) -> Iterator[list[Variant]]:
        """Squares, the best balanced first: the second change is one of ``partners``, if there are any."""
        first = self._singles(edits)
        second = first if partners is None else self._singles(partners)
        targets = self.targets()
        rough = [
            (self._distance([self.original.traits, a.traits, b.traits, self._sum(a, b)], targets), a.edits, b.edits)
            for a, b in (itertools.combinations(first, 2) if partners is None else itertools.product(first, second))
            if are_apart(a.edits[0], b.edits[0])
        ]
        made = {one.edits: one for one in [*first, *second]}
        nearest = sorted(rough)[:KEPT]
        for start in range(0, len(nearest), _AT_ONCE):
            pairs = [(one, other) for _, one, other in nearest[start : start + _AT_ONCE]]
            yield from self._ordered_squares(pairs, made, targets)

    def _ordered_squares(
        self, pairs: Sequence[tuple[Edits, Edits]], made: Mapping[Edits, Variant], targets: Sequence[int]
    ) -> Iterator[list[Variant]]:
        """The squares of some pairs of changes, those nearest to the ranks first."""
        exact = []
        for one, other in pairs:
            both = self.variant(sorted(one + other))
            if both is not None:
                options = [self.original, made[one], made[other], both]
                exact.append((self._distance([option.traits for option in options], targets), one, other, options))
        for *_, options in sorted(exact, key=lambda found: found[:3]):
            yield options

    def _singles(self, edits: Sequence[Edit]) -> list[Variant]:
        """Variants of one change each, of all kinds of slips alike."""
        drawn = dict.fromkeys(self.draw_edits(edits, DRAWN))
        return [one for one in map(lambda edit: self.variant([edit]), drawn) if one is not None]

    def _sum(self, one: Variant, other: Variant) -> tuple[float, ...]:
        """About what the shortcuts will say of both changes together."""
        return tuple(a + b - c for a, b, c in zip(one.traits, other.traits, self.original.traits))

    def stars(self, edits: Sequence[Edit], count: int) -> Iterator[list[Variant]]:
        """Stars of single changes."""
        drawn = list(dict.fromkeys(self.draw_edits(edits, DRAWN)))
        made = [one for one in map(lambda edit: self.variant([edit]), drawn) if one is not None]
        for place in range(0, max(0, len(made) - count + 1)):
            yield [self.original, *made[place : place + count]]

    def targets(self) -> list[int]:
        """The ranks that the truth should have, one for each of what is balanced."""
        return [1 + int(draw(*self.key, "rank", name) * 4) for name in WEIGHTS]

    def _distance(self, traits: Sequence[tuple[float, ...]], targets: Sequence[int]) -> float:
        ranks = [rank(column, 0) for column in zip(*traits)]
        return sum(weight * abs(one - target) for weight, one, target in zip(WEIGHTS.values(), ranks, targets))


def pairs_of(options: Sequence[Variant]) -> Iterator[tuple[Variant, Variant]]:
    """Each two options that are not the original."""
    return itertools.combinations([option for option in options if option.edits], 2)
