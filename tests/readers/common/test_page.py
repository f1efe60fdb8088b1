"""Lines of a page, and the letters of a text."""

from __future__ import annotations

import re

import pytest

from scholartools.readers.common.page import Line, Span, Style, is_caps, letters_of


def test_the_letters_of_ascii_are_those_that_the_pattern_for_all_others_finds() -> None:
    signs = "".join(map(chr, range(128)))
    assert letters_of(signs) == "".join(re.findall(r"[^\W\d_]", signs))
    assert letters_of(signs + "é") == letters_of(signs) + "é"


@pytest.mark.parametrize(
    ("text", "caps"),
    [("RESULTS", True), ("4.1 RESULTS OF A STUDy", True), ("ÜBER UNS", True), ("IEEE", True), ("IEE", False),
     ("Results", False), ("12 345", False), ("", False)],
)  # fmt: skip
def test_capitals_are_four_letters_or_more_that_are_hardly_ever_small(text: str, caps: bool) -> None:
    assert is_caps(text) is caps


def test_a_line_tells_of_the_spans_that_it_has_now() -> None:
    plain, bold = Style("Times", 10.0), Style("Times", 12.0, bold=True)
    line = Line(1, [Span("Some words", plain)], 0, 0, 100, 10)
    seen = (line.text, line.style, line.largest, line.letters, line.bold, line.italic, line.caps)
    assert seen == ("Some words", plain, 10.0, 9, False, False, False)
    line.spans = [Span("LARGE WORDS", bold)]
    line.forget()
    seen = (line.text, line.style, line.largest, line.letters, line.bold, line.italic, line.caps)
    assert seen == ("LARGE WORDS", bold, 12.0, 10, True, False, True)
