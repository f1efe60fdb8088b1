"""Text for generated PDFs."""

from __future__ import annotations

import pymupdf

WORDS = "readers of printed pages follow one column down before they start with the next and tell its end".split()


def prose(tag: str, count: int, words: int = 13) -> list[str]:
    """Lines of running text; the last one ends a sentence."""
    made = [
        f"{tag}{index} " + " ".join(WORDS[(index + at) % len(WORDS)] for at in range(words)) for index in range(count)
    ]
    return [*made[:-1], made[-1][:40] + "."]


def write(page: pymupdf.Page, rows: list[str], x: float, y: float, size: float = 10, font: str = "tiro") -> float:
    for text in rows:
        page.insert_text((x, y), text, fontsize=size, fontname=font)
        y += 1.2 * size
    return y
