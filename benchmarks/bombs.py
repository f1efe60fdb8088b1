"""Benchmark of what odd texts cost: each text of ``tests/support/bombs.py`` at each place, beside as much prose.

    python benchmarks/bombs.py [--size N ...] [--minutes M] [PLACE ...]

Prints each text that takes more than 4 times the processor time of prose of its length and 0.03 s, or that raises what
is no fault of the input; then, by place, how many do and the largest ratio. Prose is new each time, and caches are
emptied. Beside the ratio stand two figures that sort what is found. One is how the cost grows from a quarter of the
length to the whole, as an exponent: clearly above 1.2, it is no matter of a constant. The other is the ratio to prose
of that length that is broken into as many lines and sentences as the text: where only the first ratio is large, a line
or a sentence costs what one of prose costs, and the text has more of them. Only the first ratio decides what is
printed. A text that takes half of that at the largest size is measured at twice the size, too. The run ends after M
minutes of processor time (default 40), and then names what was not measured. A PLACE is the beginning of a name, such
as ``score`` or ``parse latex``.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence

from support.bombs import LEAST, MOST, PLACES, SHAPES, STRUCTURES, Excess, broken_like, excess, measure

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


def sorted_out(place: str, make: Callable[[int], str], size: int, found: Excess) -> str:
    """Whether it grows faster than its length, and what prose costs that has as many lines and sentences."""
    if found.error:
        return f" {found.error}"
    quarter, broken = make(size // 4), broken_like(make(size))
    before, divided = (min(measure(PLACES[place], text)[0] for _ in range(3)) for text in (quarter, broken))
    grows = math.log(found.seconds / max(before, LEAST), 4)
    return f", grows with length ** {grows:.1f}, {found.seconds / max(divided, LEAST):.1f} times prose so divided"


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
            told = f"{found.seconds:7.2f} s, prose {found.plain:.3f} s, {ratios[-1]:.0f} times"
            told += sorted_out(place, make, size, found)
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
