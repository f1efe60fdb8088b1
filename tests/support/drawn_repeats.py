"""Random PDFs whose text repeats between pages, with and without running heads; all sentences are known."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pymupdf

_WORDS = (
    "birds farms hedges fields winter counted slowly seeds autumn villages river measured samples models training "
    "language results simple careful north between during often rarely several younger"
).split()


@dataclass
class Drawn:
    """A PDF, the number of occurrences of each sentence, and the words of its running heads and feet."""

    file: bytes
    sentences: Counter[str]
    heads: list[str]


def _sentence(chance: random.Random, tag: str) -> str:
    words = [chance.choice(_WORDS) for _ in range(chance.randint(7, 11))]
    return f"The {tag} {' '.join(words)}."


class _Layout:
    """Layout of the pages of a file."""

    def __init__(self, chance: random.Random) -> None:
        self.size = chance.choice([10, 11, 12])
        self.leading = round(self.size * chance.choice([1.15, 1.2, 1.3, 1.6, 2.0]), 1)
        self.top = chance.choice([50, 60, 72, 90])
        self.has_head = chance.random() < 0.4
        self.gap = chance.choice([0.0, 0.0, 0.6]) * self.leading  # extra space between paragraphs
        self.per_page = chance.choice([4, 8, 20])


def draw(seed: int) -> Drawn:
    """A file whose pages are identical, begin or end with the same lines, or differ only in numbers."""
    chance = random.Random(seed)
    layout = _Layout(chance)
    kind = chance.choice(["pages", "opening", "closing", "numbers"])
    drawn = Drawn(b"", Counter(), [])
    with pymupdf.open() as file:
        same = [_sentence(chance, f"same{at}") for at in range(layout.per_page)]
        for number in range(chance.randint(2, 5)):
            own = [_sentence(chance, f"own{chr(97 + number)}{at}") for at in range(layout.per_page)]
            shared = chance.randint(1, 3) if kind in ("opening", "closing") else 0
            lines = {
                "pages": same, "opening": same[:shared] + own[shared:], "closing": own[shared:] + same[:shared],
                "numbers": [f"The person number {number * 7 + 2} told us of {at} birds in {number + 3} of the fields." for at in range(layout.per_page)],
            }[kind]  # fmt: skip
            _write_page(file.new_page(), lines, layout, number, drawn)
        drawn.file = file.tobytes()
    return drawn


def _write_page(page: Any, lines: list[str], layout: _Layout, number: int, drawn: Drawn) -> None:
    if layout.has_head:
        drawn.heads = ["Counting birds in the hedges of the north"]
        page.insert_text((90, 36), drawn.heads[0], fontsize=8, fontname="tiit")
        page.insert_text((300, page.rect.height - 30), str(number + 1), fontsize=8, fontname="tiro")
    y = float(layout.top)
    for at, line in enumerate(lines):
        page.insert_text((72, y), line, fontsize=layout.size, fontname="tiro")
        y += layout.leading + (layout.gap if at % 3 == 2 else 0)
    drawn.sentences.update(lines)
