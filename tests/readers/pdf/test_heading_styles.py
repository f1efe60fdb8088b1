"""Headings that only their style tells from the text, and what opens or surrounds them."""

from __future__ import annotations

import pymupdf
import pytest

from scholartools.readers.common.page import (
    Body,
    Line,
    Page,
    Span,
    Style,
)
from scholartools.readers.pdf import columns, page_furniture
from scholartools.readers.pdf import (
    reader as pdf,
)
from scholartools.readers.pdf.sections import heading_styles

WORDS = "readers of printed pages follow one column down before they start with the next and tell its end".split()
HEADS = ["Study area", "Tide records and their gaps", "Statistical model"]


def prose(tag: str, count: int) -> list[str]:
    """Lines of running text, the last one the end of a sentence."""
    made = [f"{tag}{index} " + " ".join(WORDS[(index + at) % len(WORDS)] for at in range(13)) for index in range(count)]
    return [*made[:-1], made[-1][:40] + "."]


def word_processor_paper(heads: list[str], font: str, size: float) -> dict:
    """A paper of one column, double-spaced, its lower headings in a style of their own without room around them."""
    document = pymupdf.open()
    page, y = document.new_page(width=612, height=792), 72.0
    rows = [("A Paper on Tides", "tibo", 16.0), ("Abstract", "tibo", 12.0)]
    rows += [(text, "tiro", 12.0) for text in prose("abs", 3)] + [("Introduction", "tibo", 12.0)]
    rows += [(text, "tiro", 12.0) for text in prose("intro", 6)] + [("Methods", "tibo", 12.0)]
    for head in heads:
        rows += [(head, font, size), *((text, "tiro", 12.0) for text in prose(head[:3], 5))]
    rows += [("References", "tibo", 12.0), ("Brandt, A. (2001). Tides. Water 3, 1-9.", "tiit", 12.0)]
    for text, face, points in rows:
        if y > 720:
            page, y = document.new_page(width=612, height=792), 72.0
        page.insert_text((72, y), text, fontsize=points, fontname=face)
        y += 24
    return pdf.read(document.tobytes())


@pytest.mark.parametrize(("font", "size"), [("tiit", 12.0), ("helv", 10.0)])
def test_a_style_that_only_headings_have_makes_headings_of_the_second_level(font: str, size: float) -> None:
    sections = word_processor_paper(HEADS, font, size)["sections"]
    found = [(one["heading"], one["level"]) for one in sections]
    assert found == [("Introduction", 1), ("Methods", 1), *((head, 2) for head in HEADS)]


def line(text: str, y: float, x: float = 50, **style: bool) -> Line:
    return Line(1, [Span(text, Style("Times", 10, **style))], x, y, x + 5 * len(text), y + 10)


def test_lines_in_italics_within_the_text_are_no_headings() -> None:
    body = Body(10.0, "Times", 12.0)
    texts = prose("body", 24)
    lines = [line(text, 100 + 12 * at, italic=at in (5, 11, 17)) for at, text in enumerate(texts)]
    assert heading_styles.lines_of_own_style(lines, body) == set()


@pytest.mark.parametrize(
    ("text", "bold", "left"),
    [("■ RESULTS", False, "RESULTS"), ("► Our results", True, "Our results"), ("● one of the items", False, None)],
)
def test_the_ornament_of_a_heading_is_no_part_of_it(text: str, bold: bool, left: str | None) -> None:
    (found,) = heading_styles.strip_ornaments([line(text, 100, bold=bold)])
    assert found.text == (left or text)


def test_a_short_rule_in_the_middle_ends_both_columns() -> None:
    texts = [(x, y) for x in (50.0, 320.0) for y in (*range(100, 200, 12), *range(240, 340, 12))]
    lines = [line(f"column {x:.0f} height {y} of a page that is read", y, x) for x, y in texts]
    page = Page(1, 612, 792, list(lines), rules=[(190.0, 220.0, 420.0, 220.4)])
    columns.arrange_pages([page], Body(10.0, "Times", 12.0))
    assert [(one.x0, one.y0) for one in page.lines] == sorted(texts, key=lambda at: (at[1] > 220, at[0], at[1]))


def test_a_year_alone_on_the_first_line_of_a_page_is_no_page_number() -> None:
    pages = [Page(at, 612, 792, [line("(2007).", 60), *(line(text, 80 + 12 * row) for row, text in enumerate(prose("b", 9))),
             line(str(at), 760, 300)]) for at in (1, 2)]  # fmt: skip
    page_furniture.strip_furniture(pages, Body(10.0, "Times", 12.0))
    assert [[one.text for one in page.lines if one.letters < 5] for page in pages] == [["(2007)."], ["(2007)."]]


def test_small_lines_of_figures_are_kept_in_the_references() -> None:
    document = pymupdf.open()
    page, y = document.new_page(width=612, height=792), 72.0
    entry = [
        "1. Brandt AB, Tanaka C. Slow tides in sheltered bays and what they tell the engineers. J Coast",
        "2001;12(3):44-50.",
    ]
    rows = [("1 Introduction", 14.0), *((text, 10.0) for text in prose("body", 30)), ("References", 14.0)]
    for text, size in [*rows, *((text, 6.5) for text in entry)]:
        page.insert_text((72, y), text, fontsize=size, fontname="tibo" if size == 14 else "tiro")
        y += 1.2 * size
    (found,) = pdf.read(document.tobytes())["references"]
    assert found["year"] == 2001 and found["text"].endswith("J Coast 2001;12(3):44-50.")


def two_columns(left: list[str], right: list[str], x: float = 320.0) -> list[Line]:
    made = [line(text, 100 + 12 * at, 50) for at, text in enumerate(left)]
    return [*made, *(line(text, 100 + 12 * at, x) for at, text in enumerate(right))]


@pytest.mark.parametrize("reach", [-0.5, 60.0])
def test_a_line_too_long_for_its_column_stays_in_it(reach: float) -> None:
    """One that touches the line beside it, and one that reaches into the other column."""
    left = [f"left {at} of a page that is read in columns" for at in range(12)]
    lines = two_columns(left, [text.replace("left", "right") for text in left], x=270.0)
    lines[5].x1 = 270.0 + reach
    page = Page(1, 612, 792, list(lines))
    columns.arrange_pages([page], Body(10.0, "Times", 12.0))
    assert [id(one) for one in page.lines] == [id(one) for one in lines]


def test_a_heading_in_another_font_right_under_a_table_is_no_note_of_it() -> None:
    document = pymupdf.open()
    page, y = document.new_page(width=612, height=792), 72.0
    rows = [
        ("1 Introduction", 14.0),
        *((text, 10.0) for text in prose("body", 12)),
        ("Table 1: Numbers of pages.", 9.0),
    ]
    for text, size in rows:
        page.insert_text((72, y), text, fontsize=size, fontname="tibo" if size == 14 else "tiro")
        y += 1.2 * size
    for name in ("one", "two", "three"):
        page.insert_text((150, y), name, fontsize=10, fontname="tiro")
        page.insert_text((300, y), "12.4", fontsize=10, fontname="tiro")
        y += 12
    page.insert_text((72, y + 12), "Networks of gauges", fontsize=10, fontname="cour")
    for at, text in enumerate(prose("more", 10)):
        page.insert_text((72, y + 32 + 12 * at), text, fontsize=10, fontname="tiro")
    record = pdf.read(document.tobytes())
    assert record["footnotes"] == []
    assert "Networks of gauges" in record["sections"][0]["text"]
