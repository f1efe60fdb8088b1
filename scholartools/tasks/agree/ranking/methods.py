"""Result records of a ranking of measures by agreement with human scores, and of the underlying tests."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Literal, NamedTuple, get_args

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import pairwise
from scholartools.metrics.statistics.multiple_tests import Adjustment
from scholartools.metrics.statistics.permutation import (
    Coefficient,
    Level,
    Ranking,
    Texts,
    Way,
    crossed_test,
    permutation_test,
    significance_clusters,
    standardise,
)
from scholartools.records import Record
from scholartools.signature import fingerprint, library
from scholartools.tasks.agree.columns import Columns, Row, Table
from scholartools.tasks.agree.ranking.pairwise import Grouping
from scholartools.tasks.agree.results import correct_results, sign_result
from scholartools.tasks.shared.families import corrected_p

Swap = Literal["texts", "items", "systems", "both"]
SWAPS: tuple[Swap, ...] = get_args(Swap)
# A measure with at most so many distinct values is discrete, and not exchangeable with one that has more.
_LEVELS = 10
# How often p is below .05 by chance if measures favour systems and these stay, by level and grouping: not inside of
# systems, where what a measure thinks of a system changes nothing (benchmarks/inference.py).
_FAVOURS = ": if a measure favours some of them, {} are below .05 with no difference among all systems"
_LIKING = {
    ("segment", "item"): _FAVOURS.format("up to .14"), ("segment", "none"): _FAVOURS.format(".06 to .23"),
    ("segment", "system"): "", **{("system", one): _FAVOURS.format(".12 to .64") for one in ("item", "system", "none")},
}  # fmt: skip
# With fewer systems no two-sided p below .05 is possible if systems are swapped, since k have only 2^k permutations.
_FEWEST_SYSTEMS = 6


@dataclass(frozen=True)
class Contest:
    """Parameters of a ranking of measures.

    Attributes:
        coefficients: the coefficients, each with a separate ranking.
        level: whether to compare texts, or means of systems.
        grouping: the groups within which texts are compared.
        swap: the unit that the tests permute; None to choose by :meth:`taken_swap`.
        draws: number of permutations of a test.
        seed: random seed of the permutations.
        alpha: significance level at which ranks are separated.
        adjust: correction of the p-values for multiple testing.
        fits_ties: see :class:`~scholartools.metrics.statistics.permutation.Ranking`.
    """

    coefficients: tuple[Coefficient, ...]
    level: Level = "segment"
    grouping: Grouping = "item"
    swap: Swap | None = None
    draws: int = 2000
    seed: int = 0
    alpha: float = 0.05
    adjust: Adjustment = "holm"
    fits_ties: bool = False

    def taken_swap(self, *, is_clustered: bool) -> Swap:
        """The requested swap, or else one that is valid if texts of one item, or of one system, are dependent.

        Comparison within items, or of means of systems, removes the effect of items on a measure, and comparison
        within systems removes that of systems. With clusters, both have to be swapped again.
        """
        if self.swap is not None:
            return self.swap
        if self.level == "segment" and self.grouping == "system":
            return "items"
        return "both" if is_clustered or self.level == "segment" and self.grouping == "none" else "systems"


def rank_records(columns: Columns, x: Sequence[str], y: str, contest: Contest) -> list[Record]:
    """For each part and coefficient one record per measure with its rank, best first, then one per pair of measures.

    All use the texts that have human scores and the numbers of all measures.

    Raises:
        UsageFault: there is only one measure, or soft accuracy is requested for texts.
    """
    names = columns.expand(x)
    if len(names) < 2:
        raise UsageFault(f'only one measure, "{names[0]}": ranking needs at least two')
    if "soft" in contest.coefficients and contest.level == "segment":
        raise UsageFault("soft accuracy compares systems", parameter="level")
    parts = columns.parts()
    family = fingerprint([[[*part.sign().values()] for part in parts], sorted(names), y, list(contest.coefficients)])
    rankings = [_Ranked(part, names, y, one, contest, family) for part in parts for one in contest.coefficients]
    correct_results([test for ranked in rankings for test in ranked.tests], contest.adjust)
    return [record for ranked in rankings for record in ranked.records()]


class _Swapped(NamedTuple):
    """One kind of permutation: the ranking, the numbers of all measures, and the unit of each text."""

    ranking: Ranking
    sides: list[list[float]]
    units: Sequence[Hashable]


class _Ranked:
    """One ranking, with the tests of all pairs of measures."""

    def __init__(
        self, part: Table, names: Sequence[str], y: str, coefficient: Coefficient, contest: Contest, family: str
    ) -> None:
        self._part, self._contest = part, contest
        places = [part.paths.index(name) for name in (y, *names)]
        rows = [row for row in part.rows() if None not in (row.numbers[place] for place in places)]
        true, *sides = [[row.numbers[place] or 0.0 for row in rows] for place in places]
        texts = Texts(true, [row.group for row in rows], [row.item for row in rows])
        self._about: Record = {
            "stat": "rank", "measure": coefficient, "level": contest.level,
            "grouping": contest.grouping if contest.level == "segment" else "none",
            "ties": "fitted" if contest.fits_ties and coefficient in pairwise.WITH_TIES else "equal numbers", "y": y,
        }  # fmt: skip
        self._family = family
        ranking = Ranking(
            texts, coefficient, contest.level, contest.grouping, contest.seed, fits_ties=contest.fits_ties
        )
        found = [float(ranking.values(standardise(side)[None])[0]) for side in sides]
        values = [value if math.isfinite(value) else None for value in found]
        order = sorted(range(len(names)), key=lambda at: (values[at] is None, -(values[at] or 0.0), names[at]))
        self._names, self._values = [names[at] for at in order], [values[at] for at in order]
        self._counts = {
            "n": ranking.n_texts, "n_missing": len(part.rows()) - len(rows), "n_groups": ranking.n_groups,
            "n_systems": len({row.group for row in rows}), "n_items": len({row.item for row in rows}),
        }  # fmt: skip
        self._swap = contest.taken_swap(is_clustered=part.keys.cluster is not None)
        # For "both", texts are also swapped to estimate the noise in the difference.
        self._ways: list[_Swapped] = []
        ordered = [sides[at] for at in order]
        for swap in ("items", "systems", "texts") if self._swap == "both" else (self._swap,):
            if swap == "systems" and contest.level == "system" and coefficient != "soft":
                # The means are swapped, so that these are standardised instead of the texts' numbers.
                self._ways.append(_Swapped(*_of_means(texts, ordered, coefficient)))
            else:
                self._ways.append(_Swapped(ranking, ordered, [self._unit(row, swap) for row in rows]))
        self.tests = [self._test(pair) for pair in combinations(range(len(names)), 2)]

    def records(self) -> Iterator[Record]:
        """Records of the measures, best first, then of the tests, whose p-values must have been corrected."""
        ranks, corrected = self._ranks(), self._ranks(is_corrected=True)
        for place, (name, value) in enumerate(zip(self._names, self._values, strict=True)):
            yield {
                **self._about, "of": "measures", **self._part.each_entry(), "x": name, "value": value,
                "rank": None if value is None else ranks[place],
                "rank_corrected": None if value is None else corrected[place], "alpha": self._contest.alpha,
                **self._counts, "reason": "not defined" if value is None else None, **self._ending({"x": name}),
            }  # fmt: skip
        for test in self.tests:
            ending = {key: test.pop(key) for key in ("reason", "dropped", "signature")}
            yield {**test, **ending}

    def _ranks(self, *, is_corrected: bool = False) -> list[int]:
        n = len(self._names)
        p_values: list[list[float | None]] = [[None] * n for _ in range(n)]
        for (i, j), test in zip(combinations(range(n), 2), self.tests, strict=True):
            p_values[i][j] = corrected_p(test)[1] if is_corrected else test["p_one_sided"]
        return significance_clusters(p_values, self._contest.alpha)

    def _test(self, places: tuple[int, int]) -> Record:
        """The test of two measures, in the order of their names, so that all parts have the same pairs."""
        pair = sorted(places, key=self._names.__getitem__)
        names = [self._names[at] for at in pair]
        first, second = pair
        ways = [Way(way.ranking, way.sides[first], way.sides[second], way.units) for way in self._ways]
        draws, seed = self._contest.draws, self._contest.seed
        is_crossed = self._swap == "both"
        found = crossed_test(ways[:2], ways[2], draws, seed) if is_crossed else permutation_test(*ways[0], draws, seed)
        counts = asdict(found)
        p = {key: counts.pop(key) for key in ("value", "p", "p_one_sided")}
        reason, p_of = counts.pop("reason"), counts.pop("p_of")
        if is_crossed:
            p["p_of"] = dict(zip(("items", "systems", "sum"), p_of or [None] * 3, strict=True))
        swap = {"swap": self._swap, "over": self._part.keys.cluster}
        return {
            **self._about, "of": "difference", **self._part.each_entry(), "compare": names, **p,
            "values": [self._values[at] for at in pair], **swap, **counts, **self._counts,
            "assumes": None if p["p"] is None else self._assumes(ways[0].first, ways[0].second), "reason": reason,
            **self._ending({"compare": names, **swap}),
        }  # fmt: skip

    def _assumes(self, *sides: Sequence[float]) -> str:
        """The assumptions of p, and the false positive rate if they do not hold (benchmarks/inference.py)."""
        contest, there, swap = self._contest, self._counts, self._swap
        what = "items and systems" if swap == "both" else swap
        told = [f"{what} of two measures could be exchanged"]
        shares_items = contest.level == "segment" and contest.grouping != "item" and there["n_items"] < there["n"]
        if shares_items and (swap == "texts" or (swap == "systems" and contest.grouping == "none")):
            told.append(
                "where a measure thinks more of some items, and of all their texts, .06 to .21 of p are below .05 with "
                f"no difference: swap {'both' if contest.grouping == 'none' else 'items'}"
            )
        if swap in ("systems", "both") and (n := there["n_systems"]) < _FEWEST_SYSTEMS:
            told.append(
                f"with {n} systems p cannot be below {2.0 ** (1 - n):.4g}: to swap items speaks of these systems alone"
            )
        if swap in ("texts", "items"):
            told.append(f"it applies only to these systems{_LIKING[contest.level, contest.grouping]}")
        few, many = sorted(len(set(side)) for side in sides)
        if few <= _LEVELS < many and swap != "both":
            told.append(
                f"one has {few} different numbers and the other {many}: with the same coefficient up to .09 are "
                "below .05; st-agree correlate compares coefficients without assuming it"
            )
        return "; ".join(told)

    def _unit(self, row: Row, swap: str) -> Hashable:
        """The unit with which a text is swapped."""
        item = (row.item,) if self._part.keys.cluster is None else (row.cluster,)
        return {"texts": (*item, row.group), "items": item, "systems": (row.group,)}[swap]

    def _ending(self, more: Record) -> Record:
        contest = self._contest
        parameters = {**self._about, **more, **self._part.sign(), "swap": self._swap, "draws": contest.draws}
        parameters |= {"seed": contest.seed, "alpha": contest.alpha, "adjust": contest.adjust, "family": self._family}
        parameters |= {"over": self._part.keys.cluster, "library": [library("numpy"), library("scipy")]}
        dropped = self._part.dropped
        return {"dropped": dict(sorted(dropped.items())), "signature": sign_result(parameters, dropped, None)}


def _of_means(
    texts: Texts, sides: Sequence[Sequence[float]], coefficient: Coefficient
) -> tuple[Ranking, list[list[float]], Sequence[Hashable]]:
    """The ranking of the systems' means, the means by measure, and the systems."""
    systems = list(dict.fromkeys(texts.systems))
    means = [
        [fmean(one for one, of in zip(side, texts.systems, strict=True) if of == system) for system in systems]
        for side in (texts.y, *sides)
    ]
    return Ranking(Texts(means[0], systems, systems), coefficient), means[1:], systems
