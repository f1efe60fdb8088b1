"""Squares that the text around tells nothing of once some of its formulas are masked, those with fewest masks first.

A formula is masked where it holds a run of two to four tokens that occurs in one of the four options more often than in
another. That hangs on the four options alike, so that the masks point at none of them.
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

PROVEN = 24  # changes that are wrong for sure, of which squares are made
TRIED = 60  # and of how many of them


def find_masked_squares(
    workshop: Workshop,
    changes: Sequence[Change],
    formulas: Sequence[str],
    most: int,
    is_wrong: Callable[[Variant], bool] = bool,
    turned: Sequence[Change] = (),
) -> Iterator[tuple[list[Variant], frozenset[Tokens]]]:
    """Squares with what must not be around them, in the order of how many formulas the two changes need masked.

    Args:
        workshop: of the equation.
        changes: balanced ones.
        formulas: those around.
        most: formulas that may have to be masked.
        is_wrong: whether a change is proven to say something else.
        turned: further changes, one of which each square then has.

    Returns:
        the four options, and the runs of tokens that some hold more often than others.
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
    """Squares of changes that alter what is counted, and those of changes that alter it the opposite way.

    Where a square of each of four pairs of signs is found, and which pair is taken is drawn, the paper's option has
    more of what is counted than the others as often as less.

    Args:
        workshop: of the equation.
        changes: in the order drawn; also such as alter the tokens of the formula.
        formulas: those around.
        most: formulas that may have to be masked.
        is_wrong: whether a change is proven to say something else.

    Returns:
        four pairs of directions, of which one is to be drawn, and the squares of each in the order drawn.
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
    """Which of some formulas hold runs of tokens; only what is asked for is looked up, and once."""

    def __init__(self, formulas: Sequence[str]) -> None:
        self._runs = list(map(list_runs, formulas))
        self._places: dict[Tokens, set[int]] = {}

    def look_up(self, runs: frozenset[Tokens]) -> None:
        """Look up some runs in all formulas."""
        new = runs - self._places.keys()
        self._places |= {run: set() for run in new}
        for place, held in enumerate(self._runs if new else ()):
            for run in new.intersection(held):
                self._places[run].add(place)

    def find(self, runs: frozenset[Tokens]) -> set[int]:
        """The places of the formulas that hold one of some runs."""
        self.look_up(runs)
        return set().union(*(self._places[run] for run in runs))
