"""Benchmark of what odd texts and records cost, each at two lengths, and beside prose.

    python benchmarks/bombs.py [--minutes M] [--kinds N] [--only texts|records] [PLACE ...]
    python benchmarks/bombs.py --drawn N [--seed S] [--minutes M] [PLACE ...]

The law, at 80,000 characters: a text or a record takes at most 4 times the processor time, and 4 times the memory, that
as much prose takes in its place; where it holds more words and signs, sentences or lines than prose of its length, 4
times what prose with as many takes (a word for 5 characters, a sentence for 60, a line for 80). From 20,000 to 80,000
characters its time grows with an exponent of 1.3 at most. Less than 0.05 s, and less than 60 MB, are no matter. The
least of three runs counts.

Shorter texts come first: where they show that the law is kept, even if all but the least cost grew as the square of the
length, or as it does between them and a little more, the larger size is not measured.

First each text of ``tests/support/bombs.py`` is given to each function that reads texts, in this process, with caches
emptied; then each record of ``tests/support/bomb_records.py`` to each command that reads such, as a whole, in a process
of its own. Prints what breaks the law, or ends in what is no fault of the input, then by place how many do, and the
texts that come nearest to it. The run ends after M minutes of processor time (default 40), and then names what was not
measured; ``--kinds N`` measures N kinds drawn anew at each place. A PLACE is the beginning of a name, such as ``score``
or ``parse latex``.

``--drawn N`` measures only texts that repeat a unit of one to three tokens, N units drawn from the seed S at each place
of ``BY_LENGTH``. They are held beside prose of their length, however many sentences they have.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Mapping, Sequence

from support import bomb_records
from support.bombs import (
    BY_LENGTH,
    NO_MEMORY,
    NOTHING,
    PLACES,
    SHAPES,
    STRUCTURES,
    Cost,
    cost_at,
    drawn_unit,
    repeated,
)

MAKERS = {**SHAPES, **STRUCTURES}

Measure = Callable[[str], Cost | None]


def told(found: Cost) -> str:
    """A cost, on one line."""
    if found.error:
        return f"{found.large:.2f} s, {found.error}"
    parts = [f"{found.large:.2f} s"]
    if found.growth is not None:
        parts.append(f"grows with length ** {found.growth:.1f}")
    if found.plain is not None and found.ratio is not None:
        parts.append(f"{found.large / found.plain:.1f} times prose, {found.ratio:.1f} times prose of as many units")
    if found.memory > NO_MEMORY:
        parts.append(f"{found.memory / 1e6:.0f} MB, prose {found.plain_memory / 1e6:.0f} MB")
    return ", ".join(parts)


def sweep(place: str, kinds: Sequence[str], measure: Measure, end: float) -> int:
    """Measure all kinds at a place, print those that break the law, and return how many there was no time for."""
    costs: dict[str, Cost] = {}
    n_seen = 0
    for kind in kinds:
        if processor_time() > end:
            break
        n_seen += 1
        cost = measure(kind)
        if cost is None:
            continue
        costs[kind] = cost
        if cost.is_too_much:
            asked = bomb_records.ASKED.get((place, kind)) if cost.error is None else None
            print(f"{place:26} {kind:34} {told(cost)}{f' ({asked})' if asked else ''}", flush=True)
    left = len(kinds) - n_seen
    n_over = sum(
        cost.is_too_much and (cost.error is not None or (place, kind) not in bomb_records.ASKED)
        for kind, cost in costs.items()
    )
    nearest = [
        f"largest {name} {worst[1]:.1f} ({worst[0]})"
        for name in ("ratio", "growth")
        if (worst := _worst(costs, name)) is not None
    ]
    parts = [f"{n_over} of {n_seen} break the law", f"{len(costs)} measured at the larger size", *nearest]
    print(f"{place}: {'; '.join(parts)}{f'; {left} not measured: no time is left' if left else ''}", flush=True)
    return left


def _worst(costs: Mapping[str, Cost], name: str) -> tuple[str, float] | None:
    """The kind with the largest ratio or growth, of those that take long enough to be told apart."""
    found = {kind: getattr(cost, name) for kind, cost in costs.items() if cost.large >= NOTHING}
    found = {kind: value for kind, value in found.items() if value is not None}
    return max(found.items(), key=lambda pair: pair[1]) if found else None


def _drawn(place: str, count: int, seed: str) -> tuple[str, Sequence[str], Measure]:
    draw = random.Random(f"drawn {seed} {place}")
    units = {repr(unit): unit for unit in (drawn_unit(draw) for _ in range(count))}
    return place, list(units), lambda kind: cost_at(place, repeated(units[kind]), by_length=True)


def processor_time() -> float:
    """Seconds of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--kinds", type=int)
    parser.add_argument("--only", choices=["texts", "records"])
    parser.add_argument("--drawn", type=int)
    parser.add_argument("--seed", default="0")
    parser.add_argument("places", nargs="*", default=[""])
    asked = parser.parse_args()
    end = processor_time() + 60 * asked.minutes
    work: list[tuple[str, Sequence[str], Measure]] = []
    if asked.drawn:
        work += [_drawn(place, asked.drawn, asked.seed) for place in BY_LENGTH]
    elif asked.only != "records":
        work += [(place, list(MAKERS), lambda kind, place=place: cost_at(place, MAKERS[kind])) for place in PLACES]
    if asked.only != "texts" and not asked.drawn:
        bomb_records.prepare()
        work += [
            (name, list(command.makes), lambda kind, name=name: bomb_records.cost_of(name, kind))
            for name, command in bomb_records.COMMANDS.items()
        ]
    chosen = [one for one in work if one[0].startswith(tuple(asked.places))]
    # Where there is no time for all, each run reaches others.
    random.shuffle(chosen)
    if asked.kinds is not None:
        chosen = [
            (name, random.sample(kinds, min(asked.kinds, len(kinds))), measure) for name, kinds, measure in chosen
        ]
    left = sum(sweep(*one, end) for one in chosen)
    total = sum(len(kinds) for _, kinds, _ in chosen)
    print(f"{len(chosen)} places, {total} measured but for {left}; {processor_time() / 60:.1f} minutes")


if __name__ == "__main__":
    main()
