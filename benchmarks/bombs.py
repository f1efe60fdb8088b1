"""Benchmark of what odd texts cost: each text of ``tests/support/bombs.py`` at each place, beside as much prose.

    python benchmarks/bombs.py [--size N ...] [PLACE ...]

Prints each text that takes more than 4 times the processor time of prose of its length and a fifth of a second, or that
raises what is no fault of the input. A PLACE is the beginning of a name, such as ``score`` or ``parse latex``.
"""

from __future__ import annotations

import argparse

from support.bombs import PLACES, SHAPES, STRUCTURES, excess


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, nargs="+", default=[20_000, 40_000])
    parser.add_argument("places", nargs="*", default=[""])
    asked = parser.parse_args()
    makers = {**SHAPES, **STRUCTURES}
    places = [place for place in PLACES if place.startswith(tuple(asked.places))]
    total = 0
    for place in places:
        for kind, make in makers.items():
            for size in asked.size:
                found = excess(place, make(size))
                if found.is_too_much:
                    total += 1
                    print(
                        f"{place:26} {kind:28} {size:7} {found.seconds:7.2f} s, prose {found.plain:.2f} s",
                        found.error or "",
                    )
                    break
        print(f"{place}: done", flush=True)
    print(f"{total} of {len(places) * len(makers)} texts cost too much ({len(makers)} texts, {len(places)} places)")


if __name__ == "__main__":
    main()
