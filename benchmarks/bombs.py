"""Benchmark of the costs of odd texts and records, each at two lengths, relative to prose.

    python benchmarks/bombs.py [--minutes M] [--kinds N] [--only texts|records] [PLACE ...]
    python benchmarks/bombs.py --drawn N [--seed S] [--minutes M] [PLACE ...]

The limits ("the law"), at 80,000 characters: a text or record takes at most 4 times the processor time and 4 times the
memory of prose of the same length; if it has more words and symbols, sentences or lines than that, at most 4 times the
costs of prose with as many (5 characters per word, 60 per sentence, 80 per line). From 20,000 to 80,000 characters, the
time grows with an exponent of at most 1.3. Costs below 0.05 s or 60 MB are ignored. The minimum of three runs counts.

Shorter texts are measured first. The larger size is not measured if the costs extrapolated from them keep the limits:
either as the square of the length, or by the exponent between shorter texts plus a margin.

First, each text of ``tests/support/bombs.py`` is given to each function that reads texts, in this process, with cleared
caches; then each record of ``tests/support/bomb_records.py`` to each command that reads such records, in a separate
process. The output lists the cases that exceed a limit or end in an error that is not a fault of the input, then, by
place, their number and the cases nearest to the limits. The run ends after M minutes of processor time (default 40),
and reports how many cases were not measured; ``--kinds N`` measures N random kinds at each place. A PLACE is the
beginning of a name, such as ``score`` or ``parse latex``.

``--drawn N`` measures only texts that repeat a unit of one to three tokens: N random units, by the seed S, at each
place of ``BY_LENGTH``. They are compared with prose of the same length, whatever their number of sentences.
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
    """Describe a cost in one line."""
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
    """Measure the kinds at a place, print those that exceed a limit, and return the number for which time ran out."""
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
    """The kind with the largest ratio or growth, among those that take at least ``NOTHING`` seconds."""
    found = {kind: getattr(cost, name) for kind, cost in costs.items() if cost.large >= NOTHING}
    found = {kind: value for kind, value in found.items() if value is not None}
    return max(found.items(), key=lambda pair: pair[1]) if found else None


def _drawn(place: str, count: int, seed: str) -> tuple[str, Sequence[str], Measure]:
    draw = random.Random(f"drawn {seed} {place}")
    units = {repr(unit): unit for unit in (drawn_unit(draw) for _ in range(count))}
    return place, list(units), lambda kind: cost_at(place, repeated(units[kind]), by_length=True)


def processor_time() -> float:
    """Processor time (s) of this process and of the child processes that have ended."""
    return sum(os.times()[:4])


def main() -> None:
    """Run the benchmark."""
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
    # If time runs out, each run measures other places.
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
