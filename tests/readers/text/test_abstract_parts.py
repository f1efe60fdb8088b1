"""Abstracts in Markdown whose parts have headings, and abstracts without a text."""

from __future__ import annotations

import random

import pytest

from scholartools.readers.text import reader

_NAMES = ("Background", "Aims", "Methods", "Design", "Results", "Findings", "Conclusions")
_SECTIONS = "## Introduction\n\nWe see it, and that is so.\n\n## Methods\n\nWe count again.\n"


@pytest.mark.parametrize("seed", range(40))
def test_parts_below_deeper_headings_are_the_abstract(seed: int) -> None:
    chance = random.Random(seed)
    opening = chance.choice(["", "We open in 2019.\n\n"])
    parts = [
        (name, f"We saw {chance.randrange(99)} bees, as of 20{chance.randrange(10, 99)}.")
        for name in chance.sample(_NAMES, chance.randint(1, 5))
    ]
    mark = chance.choice(["", ":", "."])
    made = "".join(f"{'#' * 3} {name}{mark}\n\n{text}\n\n" for name, text in parts)
    keywords = chance.choice(["", "Keywords: bees, hives\n\n", "### Keywords\n\nbees, hives\n\n"])
    paper = reader.read(f"# On bees\n\nAnn Roe\n\n## Abstract\n\n{opening}{made}{keywords}{_SECTIONS}".encode())
    wanted = [opening.strip(), *(f"{name}: {text}" for name, text in parts)]
    assert paper["abstract"] == "\n\n".join(filter(None, wanted))
    assert [one["heading"] for one in paper["sections"]] == ["Introduction", "Methods"]
    kept = [one["text"] for one in paper.get("front_matter", [])]
    assert ("Keywords: bees, hives" in kept) == bool(keywords)


def test_a_heading_of_the_abstract_without_a_text_is_told() -> None:
    paper = reader.read(f"# On bees\n\nAnn Roe\n\n## Abstract\n\n{_SECTIONS}".encode())
    assert paper["abstract"] is None and [one["kind"] for one in paper["warnings"]] == ["empty-abstract"]


def test_deeper_headings_above_long_texts_are_those_of_sections() -> None:
    long = "We see it, and that is so. " * 60
    paper = reader.read(
        f"# On bees\n\n## Abstract\n\nWe open.\n\n### Hives\n\n{long}\n\n## References\n\nA.\n".encode()
    )
    assert paper["abstract"] == "We open." and paper["sections"][0]["heading"] == "Hives"
