"""Squares that the text around tells nothing of once some of its formulas are masked, those with fewest masks first.

A formula is masked where it holds a run of two to four tokens that occurs in one of the four options more often than in
another. That hangs on the four options alike, so that the masks point at none of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from scholartools.tasks.equations.questions.shortcuts import Tokens, find_telling_runs, list_runs
from scholartools.tasks.equations.questions.squares import Change, Pair, Variant, Workshop, draw

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
