"""Who is given which item, and in which order: balanced designs, repeats, and items of which the answer is known.

All of it follows from the seed, the items and the names of the raters, whatever the order of the input.
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

#: A repeat comes at least so many places behind its first, or half of a shorter list.
REPEAT_DISTANCE = 20
# What is given out whole.
_NAMES: dict[Together, Callable[[Item], str]] = {
    "none": lambda item: item.id, "group": lambda item: item.group, "paper": lambda item: item.paper,
}  # fmt: skip
# All sets of raters are looked at where there are no more of them; else they are drawn rater by rater.
_MOST_SETS = 1000


@dataclass(frozen=True)
class Plan:
    """How items are given out.

    Attributes:
        raters: their names.
        per_item: how many raters an item has, in blocks.
        design: blocks: every item by ``per_item`` raters, all pairs of raters alike; overlap: a share of the items by
            all, the others by one; full: all by all.
        overlap: that share.
        together: what one set of raters is given whole, and reads in one run.
        repeat: share of a rater's items that come a second time.
        gold_share: share of a rater's items that are of those with a known answer.
        seed: of all that is drawn.
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
        """Refuse what cannot be done.

        Raises:
            UsageFault: so.
        """
        if self.design == "blocks" and self.per_item > len(self.raters):
            few = f"{len(self.raters)} rater{'s' * (len(self.raters) > 1)}"
            hint = ": write commas between names" if len(self.raters) == 1 and " " in self.raters[0] else ""
            raise UsageFault(f"{parameter('per_item', self.per_item)}: {parameter('raters')} names only {few}{hint}")


class Place(NamedTuple):
    """An item in a rater's list; ``copy`` 1: its second time."""

    item: Item
    copy: int = 0
    control: Control | None = None


def assign(items: Sequence[Item], gold: Sequence[Item], plan: Plan) -> dict[str, list[Place]]:
    """Each rater's list, in the order in which it is worked on.

    Args:
        items: to be answered; each has an id of its own.
        gold: items of which the answer is known, which are mixed with the others.
        plan: how.

    Raises:
        UsageFault: the plan is impossible.
    """
    plan.check()
    groups = groups_of(items, plan)
    own: dict[str, list[list[Item]]] = {rater: [] for rater in plan.raters}
    for group, raters in zip(groups, _raters_of(groups, plan), strict=True):
        for rater in raters:
            own[rater].append(group)
    return {rater: order_list(rater, own[rater], gold, plan) for rater in plan.raters}


def draw_sample(items: Sequence[Item], n: int, seed: int, *, by_stratum: bool) -> list[Item]:
    """``n`` items drawn by the seed; by stratum in the shares of all, rounded by the largest remainder.

    Raises:
        UsageFault: there are fewer.
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
    """What is given out whole, large ones first, else in an order that the seed draws."""
    found: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.id):
        found.setdefault(_NAMES[plan.together](item), []).append(item)
    drawn = sorted(found, key=lambda name: (-len(found[name]), fingerprint([plan.seed, "group", name])))
    return [found[name] for name in drawn]


def _raters_of(groups: Sequence[Sequence[Item]], plan: Plan) -> list[tuple[str, ...]]:
    """The raters of each group."""
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
    """For each group the set of raters that leaves loads, then numbers of shared items, as even as can be."""
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
    """``n`` pairs of raters: no pair comes twice more often than another, no rater twice more often than another.

    All pairs as often as they go into ``n``; then a graph whose degrees differ by one at most (Havel and Hakimi).
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
    """A set drawn rater by rater, each the least loaded of those who share least with those before."""
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
    """A rater's list: groups, and what is in them, in an order of the rater's own; then gold and repeats."""

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
        if own:  # away from what it belongs to it would be conspicuous
            own[0].append(known)
            own[0].sort(key=lambda place: rank("item", place.item.id))
        else:
            at = int(rank("gold place", item.id), 16) % (len(blocks) + 1)
            blocks.insert(at, [known])
    return [place for block in blocks for place in block]


def _with_repeats(blocks: Sequence[list[Place]], n: int, rank: Callable[..., str]) -> list[list[Place]]:
    """Blocks with ``n`` of their items a second time between them, each far enough behind its first.

    Its place is drawn before which item it is of, so that repeats are not crowded at the end.
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
        if not able:  # those so early are taken
            at = len(blocks)
            able = [name for name in firsts if firsts[name] + distance <= starts[at]]
        if name := min(able, key=lambda name: rank("repeat", name), default=None):
            del firsts[name]
            repeated.setdefault(at, []).append([Place(items[name], 1, "repeat")])
    return [
        one for number in range(len(blocks) + 1) for one in (*repeated.get(number, ()), *blocks[number : number + 1])
    ]
