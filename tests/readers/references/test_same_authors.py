"""Entries that print a mark for the authors of the entry before."""

from __future__ import annotations

import pytest

from scholartools.readers.common.hyphenation import vocabulary_of
from scholartools.readers.common.page import Line, Span, Style
from scholartools.readers.references.entries import split_entries

FIRST = "[1] J. Roe and K. Doe, “The structure of mud,” Journal of Farms, vol. 12, pp. 1–20, 1990."
LAST = "[4] T. Poe, “A map of barriers,” Journal of Maps, vol. 3, pp. 4–9, 2001."
NAMES = ["J. Roe", "K. Doe"]


def authors_of(texts: list[str]) -> list[list[str] | None]:
    lines = [Line(1, [Span(text, Style("Times", 10))], 50, 100 + 12 * at, 450, 110 + 12 * at)
             for at, text in enumerate(texts)]  # fmt: skip
    return [one["authors"] for one in split_entries(lines, vocabulary_of(texts))]


@pytest.mark.parametrize("mark", ["——,", "———.", "—,", "______,", "--- ,", "__ ,"])
def test_a_mark_says_the_authors_of_the_entry_before_and_goes_on(mark: str) -> None:
    marked = [f"[{at}] {mark} “The weight of tides {at},” Journal of Tides, vol. 2, pp. 3–5, 1992." for at in (2, 3)]
    assert authors_of([FIRST, *marked, LAST]) == [NAMES, NAMES, NAMES, ["T. Poe"]]


@pytest.mark.parametrize("opening", ["__docformat__ = restructuredtext, a file of code,", "–1 is the root,"])
def test_what_only_begins_with_a_dash_names_nobody(opening: str) -> None:
    marked = f"[2] {opening} “The weight of tides,” Journal of Tides, vol. 2, pp. 3–5, 1992."
    assert authors_of([FIRST, marked])[1] != NAMES


def test_a_mark_behind_authors_that_are_not_sure_gives_none() -> None:
    marked = "[2] ——, “The weight of tides,” Journal of Tides, vol. 2, pp. 3–5, 1992."
    unsure = "[1] D. Hanahan and R. Weinberg The hallmarks of cancer. Cell 2000."
    assert authors_of([unsure, marked]) == [None, None]
