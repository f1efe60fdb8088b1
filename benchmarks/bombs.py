"""Benchmark of what odd texts and records cost, each at two lengths, and beside prose.

    python benchmarks/bombs.py [--minutes M] [--only texts|records] [PLACE ...]

The law: foreign text costs at most 4 times what as much prose costs. It is kept where a text or a record takes less
than 0.1 s of processor time at 80,000 characters; or where its cost grows from 20,000 to 80,000 characters with an
exponent of 1.3 at most, so that its length does not matter; or where it takes less than 4 times what prose takes
and less than 0.5 s, or than prose. The least of three runs counts. First each text of ``tests/support/bombs.py`` is
given to each function that reads texts, in this process, with caches emptied; then each record of
``tests/support/bomb_records.py`` to each command that reads such, as a whole, in a process of its own. Prints what
breaks the law, or ends in what is no fault of the input, then by place how many do. The run ends after M minutes of
processor time (default 40), and then names what was not measured. A PLACE is the beginning of a name, such as
``score`` or ``parse latex``.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Sequence

from support import bomb_records
from support.bombs import PLACES, SHAPES, STRUCTURES, Cost, cost_at

MAKERS = {**SHAPES, **STRUCTURES}

Measure = Callable[[str], Cost]


def told(found: Cost) -> str:
    """A cost that breaks the law, on one line."""
    if found.error:
        return f"{found.large:7.2f} s, {found.error}"
    plain = f", prose {found.plain:.3f} s, {found.large / found.plain:.0f} times" if found.plain else ""
    return f"{found.large:7.2f} s, grows with length ** {found.growth:.1f}{plain}"


def sweep(place: str, kinds: Sequence[str], measure: Measure, end: float) -> int:
    """Measure all kinds at a place, print those that cost too much, and return how many there was no time for."""
    found = 0
    for number, kind in enumerate(kinds):
        if processor_time() > end:
            print(f"{place}: {len(kinds) - number} of {len(kinds)} not measured: no time is left", flush=True)
            return len(kinds) - number
        cost = measure(kind)
        asked = bomb_records.ASKED.get((place, kind)) if cost.error is None else None
        if cost.is_too_much:
            found += asked is None
            print(f"{place:26} {kind:34} {told(cost)}{f' ({asked})' if asked else ''}", flush=True)
    print(f"{place}: {found} of {len(kinds)} cost too much", flush=True)
    return 0


def processor_time() -> float:
    """Seconds of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--only", choices=["texts", "records"])
    parser.add_argument("places", nargs="*", default=[""])
    asked = parser.parse_args()
    end = processor_time() + 60 * asked.minutes
    work: list[tuple[str, Sequence[str], Measure]] = []
    if asked.only != "records":
        work += [(place, list(MAKERS), lambda kind, place=place: cost_at(place, MAKERS[kind])) for place in PLACES]
    if asked.only != "texts":
        bomb_records.prepare()
        work += [
            (name, list(command.makes), lambda kind, name=name: bomb_records.cost_of(name, kind))
            for name, command in bomb_records.COMMANDS.items()
        ]
    chosen = [one for one in work if one[0].startswith(tuple(asked.places))]
    # Where there is no time for all, each run reaches others.
    random.shuffle(chosen)
    left = sum(sweep(*one, end) for one in chosen)
    total = sum(len(kinds) for _, kinds, _ in chosen)
    print(f"{len(chosen)} places, {total} measured but for {left}; {processor_time() / 60:.1f} minutes")


if __name__ == "__main__":
    main()
