"""Benchmark of what odd texts cost: each text of ``tests/support/bombs.py`` at each place, beside as much prose.

    python benchmarks/bombs.py [--size N ...] [--minutes M] [PLACE ...]

Prints each text that takes more than 4 times the processor time of prose of its length and 0.03 s, or that raises what
is no fault of the input; then, by place, how many do and the largest ratio. Prose is new each time, and caches are
emptied. A text that takes half of that at the largest size is measured at twice the size, too. The run ends after M
minutes of processor time (default 40), and then names what was not measured. A PLACE is the beginning of a name, such
as ``score`` or ``parse latex``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from support.bombs import MOST, PLACES, SHAPES, STRUCTURES, Excess, excess

MAKERS = {**SHAPES, **STRUCTURES}


def worst(place: str, make: Callable[[int], str], sizes: Sequence[int]) -> tuple[int, Excess]:
    """The first size that is too much, else the largest; twice that where it is near the limit."""
    for size in sizes:
        found = excess(place, make(size))
        if found.is_too_much:
            return size, found
    if found.seconds > MOST / 2 * found.plain + 0.03:
        size *= 2
        found = excess(place, make(size))
    return size, found


def sweep(place: str, sizes: Sequence[int], end: float) -> int:
    """Measure all texts at a place, print those that cost too much, and return how many texts there was no time for."""
    ratios = []
    for number, (kind, make) in enumerate(MAKERS.items()):
        if time.process_time() > end:
            print(f"{place}: {len(MAKERS) - number} of {len(MAKERS)} texts not measured: no time is left", flush=True)
            return len(MAKERS) - number
        size, found = worst(place, make, sizes)
        if found.is_too_much:
            ratios.append(found.seconds / found.plain)
            told = f"{found.seconds:7.2f} s, prose {found.plain:.3f} s, {ratios[-1]:.0f} times {found.error or ''}"
            print(f"{place:26} {kind:28} {size:7} {told}".rstrip(), flush=True)
    largest = f", the largest {max(ratios):.0f} times" if ratios else ""
    print(f"{place}: {len(ratios)} of {len(MAKERS)} cost too much{largest}", flush=True)
    return 0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, nargs="+", default=[5_000, 20_000])
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("places", nargs="*", default=[""])
    asked = parser.parse_args()
    end = time.process_time() + 60 * asked.minutes
    places = [place for place in PLACES if place.startswith(tuple(asked.places))]
    left = sum(sweep(place, asked.size, end) for place in places)
    print(
        f"{len(places)} places, {len(MAKERS)} texts each; {left} not measured; {time.process_time() / 60:.1f} minutes"
    )


if __name__ == "__main__":
    main()
