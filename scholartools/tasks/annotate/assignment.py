"""Assign items to raters and order them: balanced designs, repeats, and items with known answers.

Determined by the seed, the items and the raters' names, independently of the order of the input.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.signature import fingerprint
from scholartools.tasks.annotate.description import Item

Design = Literal["blocks", "overlap", "full"]
Together = Literal["none", "group", "paper"]
Control = Literal["gold", "repeat"]

#: Minimum distance of a repeat from its first occurrence, or half the list if shorter.
REPEAT_DISTANCE = 20
# The unit that is assigned as a whole.
_NAMES: dict[Together, Callable[[Item], str]] = {
    "none": lambda item: item.id, "group": lambda item: item.group, "paper": lambda item: item.paper,
}  # fmt: skip
# Up to this number, all sets of raters are considered; otherwise a set is built rater by rater.
_MOST_SETS = 1000


@dataclass(frozen=True)
class Plan:
    """Design of an assignment.

    Attributes:
        raters: names of the raters.
        per_item: raters per item, with blocks.
        design: blocks: every item by ``per_item`` raters, with balanced pairs; overlap: a share of the items by all
            raters, the others by one; full: all items by all raters.
        overlap: the share of items with all raters.
        together: unit that is assigned as a whole and in consecutive order.
        repeat: share of a rater's items that are repeated.
        gold_share: share of items with known answers among a rater's items.
        seed: random seed of the assignment.
    """

    raters: tuple[str, ...]
    per_item: int = 2
    design: Design = "blocks"
    overlap: float = 0.3
    together: Together = "none"
    repeat: float = 0.0
    gold_share: float = 0.05
    seed: int = 0

    def check(self) -> None:
        """Check that the plan is feasible.

        Raises:
            UsageFault: it is not.
        """
        if self.design == "blocks" and self.per_item > len(self.raters):
            few = f"{len(self.raters)} rater{'s' * (len(self.raters) > 1)}"
            hint = ": write commas between names" if len(self.raters) == 1 and " " in self.raters[0] else ""
            raise UsageFault(f"{parameter('per_item', self.per_item)}: {parameter('raters')} names only {few}{hint}")


class Place(NamedTuple):
    """A position in a rater's list; ``copy`` is 1 for a repeat."""

    item: Item
    copy: int = 0
    control: Control | None = None


def assign(items: Sequence[Item], gold: Sequence[Item], plan: Plan) -> dict[str, list[Place]]:
    """Assign items to raters; each list is in working order.

    Args:
        items: items to be answered, with unique ids.
        gold: items with known answers, mixed among the others.
        plan: the design.

    Raises:
        UsageFault: the plan is not feasible.
    """
    plan.check()
    groups = groups_of(items, plan)
    own: dict[str, list[list[Item]]] = {rater: [] for rater in plan.raters}
    for group, raters in zip(groups, _raters_of(groups, plan), strict=True):
        for rater in raters:
            own[rater].append(group)
    return {rater: order_list(rater, own[rater], gold, plan) for rater in plan.raters}


def draw_sample(items: Sequence[Item], n: int, seed: int, *, by_stratum: bool) -> list[Item]:
    """Draw ``n`` items at random, optionally in proportional strata, rounded by largest remainders.

    Raises:
        UsageFault: there are fewer items.
    """
    if n > len(items):
        raise UsageFault(f"{parameter('sample', n)}: there are {len(items)} items")
    strata: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: fingerprint([seed, "sample", item.id])):
        strata.setdefault(str(item.stratum) if by_stratum else "", []).append(item)
    exact = {name: n * len(one) / len(items) for name, one in strata.items()}
    counts = {name: math.floor(share) for name, share in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (counts[name] - exact[name], name))
    for name in by_remainder[: n - sum(counts.values())]:
        counts[name] += 1
    return [item for name, one in strata.items() for item in one[: counts[name]]]


def groups_of(items: Sequence[Item], plan: Plan) -> list[list[Item]]:
    """Groups that are assigned as a whole, by descending size, in random order among equals."""
    found: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.id):
        found.setdefault(_NAMES[plan.together](item), []).append(item)
    drawn = sorted(found, key=lambda name: (-len(found[name]), fingerprint([plan.seed, "group", name])))
    return [found[name] for name in drawn]


def _raters_of(groups: Sequence[Sequence[Item]], plan: Plan) -> list[tuple[str, ...]]:
    """Raters of each group."""
    everyone = plan.raters
    if plan.design == "full":
        return [everyone] * len(groups)
    if plan.design == "blocks":
        return _balanced(groups, everyone, plan.per_item, plan.seed)
    by_hash = sorted(range(len(groups)), key=lambda place: fingerprint([plan.seed, "overlap", groups[place][0].id]))
    shared = set(by_hash[: round(plan.overlap * len(groups))])
    single = [group for place, group in enumerate(groups) if place not in shared]
    others = iter(_balanced(single, everyone, 1, plan.seed))
    return [everyone if place in shared else next(others) for place in range(len(groups))]


def _balanced(groups: Sequence[Sequence[Item]], raters: Sequence[str], size: int, seed: int) -> list[tuple[str, ...]]:
    """Choose raters for each group so that loads, then numbers of shared items, are as even as possible."""
    if size == 2 and len({len(group) for group in groups}) == 1:
        return _even_pairs(len(groups), raters, seed)
    loads: Counter[str] = Counter(dict.fromkeys(raters, 0))
    shared: Counter[tuple[str, ...]] = Counter(dict.fromkeys(combinations(raters, 2), 0))
    few = math.comb(len(raters), size) <= _MOST_SETS
    chosen = []
    for number, group in enumerate(groups):
        sets = combinations(raters, size) if few else [_least_loaded(raters, size, loads, shared, [seed, number])]

        def cost(one: tuple[str, ...], number: int = number) -> tuple[float, float, str]:
            return (
                sum(loads[rater] for rater in one),
                sum((shared[pair] + 1) ** 2 - shared[pair] ** 2 for pair in combinations(one, 2)),
                fingerprint([seed, "raters", number, list(one)]),
            )

        best = min(sets, key=cost)
        loads.update(dict.fromkeys(best, len(group)))
        shared.update(dict.fromkeys(combinations(best, 2), len(group)))
        chosen.append(best)
    return chosen


def _even_pairs(n: int, raters: Sequence[str], seed: int) -> list[tuple[str, ...]]:
    """Choose ``n`` pairs of raters so that the frequencies of pairs, and of raters, differ as little as possible.

    Full rounds of all pairs, then a nearly regular graph for the rest (Havel-Hakimi).
    """
    everyone = sorted(raters, key=lambda rater: fingerprint([seed, "pairs", rater]))
    whole = [*combinations(raters, 2)]
    cycles, rest = divmod(n, len(whole))
    least, more = divmod(2 * rest, len(everyone))
    left = {rater: least + (number < more) for number, rater in enumerate(everyone)}
    chosen = whole * cycles
    while any(left.values()):
        one, *others = sorted(left, key=lambda rater: -left[rater])
        for other in others[: left.pop(one)]:
            left[other] -= 1
            chosen.append((one, other) if raters.index(one) < raters.index(other) else (other, one))
    order = sorted(range(n), key=lambda number: fingerprint([seed, "pair", number]))
    return [chosen[number] for number in order]


def _least_loaded(
    raters: Sequence[str], size: int, loads: Counter[str], shared: Counter[tuple[str, ...]], seeds: list[int]
) -> tuple[str, ...]:
    """Build a set of raters greedily by load, then by the number of items shared with those already chosen."""
    taken: list[str] = []
    while len(taken) < size:
        taken.append(
            min(
                (rater for rater in raters if rater not in taken),
                key=lambda one: (
                    loads[one],
                    sum(shared[tuple(sorted((one, other), key=raters.index))] for other in taken),
                    fingerprint([*seeds, one]),
                ),
            )
        )
    return tuple(sorted(taken, key=raters.index))


def order_list(rater: str, groups: Sequence[Sequence[Item]], gold: Sequence[Item], plan: Plan) -> list[Place]:
    """A rater's list: groups and their items in a random order per rater, then gold items and repeats inserted."""

    def rank(*names: str) -> str:
        return fingerprint([plan.seed, rater, *names])

    blocks = [
        [Place(item) for item in sorted(group, key=lambda item: rank("item", item.id))]
        for group in sorted(groups, key=lambda group: rank("group", group[0].id))
    ]
    n = sum(map(len, blocks))
    blocks = _with_repeats(blocks, round(plan.repeat * n), rank)
    wanted = min(len(gold), round(plan.gold_share * n) or 1) if n else 0
    for item in sorted(gold, key=lambda item: rank("gold", item.id))[:wanted]:
        name, known = _NAMES[plan.together](item), Place(item, control="gold")
        own = [one for one in blocks if not one[0].copy and _NAMES[plan.together](one[0].item) == name]
        if own:  # in another place, it would be recognisable as a control
            own[0].append(known)
            own[0].sort(key=lambda place: rank("item", place.item.id))
        else:
            at = int(rank("gold place", item.id), 16) % (len(blocks) + 1)
            blocks.insert(at, [known])
    return [place for block in blocks for place in block]


def _with_repeats(blocks: Sequence[list[Place]], n: int, rank: Callable[..., str]) -> list[list[Place]]:
    """Insert repeats of ``n`` items between blocks, at the minimum distance from the first occurrence.

    The position is drawn before the item, so that repeats do not accumulate at the end.
    """
    starts = [sum(map(len, blocks[:number])) for number in range(len(blocks) + 1)]
    firsts = {place.item.id: number for number, place in enumerate(place for block in blocks for place in block)}
    distance = min(REPEAT_DISTANCE, max(1, -(-len(firsts) // 2)))
    items = {place.item.id: place.item for block in blocks for place in block}
    ends = [number for number, start in enumerate(starts) if start >= distance]
    repeated: dict[int, list[list[Place]]] = {}
    for number in range(n if ends else 0):
        at = ends[int(rank("repeat place", str(number)), 16) % len(ends)]
        able = [name for name in firsts if firsts[name] + distance <= starts[at]]
        if not able:  # no candidates are left for such an early position
            at = len(blocks)
            able = [name for name in firsts if firsts[name] + distance <= starts[at]]
        if name := min(able, key=lambda name: rank("repeat", name), default=None):
            del firsts[name]
            repeated.setdefault(at, []).append([Place(items[name], 1, "repeat")])
    return [
        one for number in range(len(blocks) + 1) for one in (*repeated.get(number, ()), *blocks[number : number + 1])
    ]
