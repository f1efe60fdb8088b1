"""Squares that need masks, so that n-gram counts in the text do not reveal the right option; fewest masks first.

A formula is masked if it contains an n-gram of two to four tokens that is more frequent in one of the four options than
in another. This rule is symmetric in the options, so that the masks reveal none of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from scholartools.tasks.equations.questions.shortcuts import Tokens, find_telling_runs, list_runs
from scholartools.tasks.equations.questions.squares import (
    Change,
    Direction,
    Pair,
    Variant,
    Workshop,
    draw,
    opposite,
    without_sign,
)

PROVEN = 24  # maximum number of changes that are proven wrong, of which squares are made
TRIED = 60  # maximum number of changes that are tried


def find_masked_squares(
    workshop: Workshop,
    changes: Sequence[Change],
    formulas: Sequence[str],
    most: int,
    is_wrong: Callable[[Variant], bool] = bool,
    turned: Sequence[Change] = (),
) -> Iterator[tuple[list[Variant], frozenset[Tokens]]]:
    """Yield squares with the n-grams to mask, ordered by affected sides and by the number of formulas to mask.

    Args:
        workshop: workshop of the equation.
        changes: balanced changes.
        formulas: formulas around the equation.
        most: maximum number of formulas to mask.
        is_wrong: whether a variant is proven wrong.
        turned: further changes, one of which each square must have if there are any.

    Returns:
        the four options, and the n-grams whose counts differ between them.
    """
    made = workshop.find_singles([*turned, *changes], alike=True)
    first = {one.latex for one in made if one.edits in turned}
    if len(made) < 2 or (turned and not first):
        return
    holders = _Holders(formulas)
    telling = [find_telling_runs([workshop.latex, one.latex]) for one in made]
    holders.look_up(frozenset().union(*telling))
    fewest = sorted(
        ((holders.find(runs), one) for runs, one in zip(telling, made)),
        key=lambda pair: (pair[1].latex not in first, len(pair[0])),
    )
    shown = [(needs, one) for needs, one in fewest if len(needs) <= most][:TRIED]
    if turned and not any(one.latex in first and is_wrong(one) for _, one in shown):
        return
    wrong = list(itertools.islice(((needs, one) for needs, one in shown if is_wrong(one)), PROVEN))
    needed, singles = [needs for needs, _ in wrong], [one for _, one in wrong]
    pairs = sorted(
        (
            workshop.count_sides(singles[a].edits, singles[b].edits),
            len(needed[a] | needed[b]),
            draw(*workshop.key, "masked", singles[a].edits, singles[b].edits),
            a,
            b,
        )
        for a, b in itertools.combinations(range(len(singles)), 2)
        if (not turned or not first.isdisjoint([singles[a].latex, singles[b].latex]))
        and len(needed[a] | needed[b]) <= most
        and workshop.join(singles[a].edits, singles[b].edits)
    )

    def complete(some: Iterable[Pair]) -> Iterator[list[Variant]]:
        for options in workshop.complete(some):
            texts = [one.latex for one in options]
            if len(holders.find(find_telling_runs(texts))) <= most and workshop.repeats_alike(options[3]):
                yield options

    for options in workshop.balance([(singles[a], singles[b]) for *_, a, b in pairs], complete, masked=True):
        yield options, find_telling_runs([one.latex for one in options])


#: The directions of the two changes of a square.
Signs = tuple[Direction, ...]


def find_mirrored_squares(
    workshop: Workshop,
    changes: Sequence[Change],
    formulas: Sequence[str],
    most: int,
    is_wrong: Callable[[Variant], bool],
) -> Iterator[tuple[list[Signs], Mapping[Signs, Iterator[list[Variant]]]]]:
    """Yield groups of squares whose changes alter counts in opposite directions.

    If each of the four pairs of signs has a square, and the pair is drawn at random, the paper's option has higher
    counts than the others as often as lower ones.

    Args:
        workshop: workshop of the equation.
        changes: changes in random order, including those that alter the tokens of the formula.
        formulas: formulas around the equation.
        most: maximum number of formulas to mask.
        is_wrong: whether a variant is proven wrong.

    Returns:
        four pairs of directions, one of which is to be drawn, and the squares of each in random order.
    """
    holders = _Holders(formulas)

    def needs_few(*options: Variant) -> bool:
        return len(holders.find(find_telling_runs([workshop.latex, *(one.latex for one in options)]))) <= most

    made = itertools.islice(filter(needs_few, workshop.find_singles(changes, balanced=False)), TRIED)
    singles = list(itertools.islice(filter(is_wrong, made), PROVEN))
    pairs = [pair for pair in itertools.combinations(singles, 2) if workshop.join(pair[0].edits, pair[1].edits)]
    pairs.sort(key=lambda pair: draw(*workshop.key, "mirrored", pair[0].edits, pair[1].edits))
    groups: dict[Signs, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(tuple(sorted(map(workshop.direction_of_counts, pair))), []).append(pair)
    for one, other in dict.fromkeys(tuple(sorted(map(without_sign, group))) for group in groups):
        signs = [tuple(sorted([a, b])) for a in (one, opposite(one)) for b in (other, opposite(other))]
        if groups.keys() >= set(signs):
            yield (
                signs,
                {
                    sign: (square for square in workshop.complete(groups[sign], balanced=False) if needs_few(*square))
                    for sign in signs
                },
            )


class _Holders:
    """Lazy index of the formulas that contain given n-grams."""

    def __init__(self, formulas: Sequence[str]) -> None:
        self._runs = list(map(list_runs, formulas))
        self._places: dict[Tokens, set[int]] = {}

    def look_up(self, runs: frozenset[Tokens]) -> None:
        """Add n-grams to the index."""
        new = runs - self._places.keys()
        self._places |= {run: set() for run in new}
        for place, held in enumerate(self._runs if new else ()):
            for run in new.intersection(held):
                self._places[run].add(place)

    def find(self, runs: frozenset[Tokens]) -> set[int]:
        """The indices of the formulas that contain at least one of the n-grams."""
        self.look_up(runs)
        return set().union(*(self._places[run] for run in runs))
