"""Pages of three columns and more: which papers have them, and how they are read."""

from __future__ import annotations

import pymupdf

from scholartools.readers.common.page import Body, Line, Page, Span, Style
from scholartools.readers.pdf import columns, footnotes, many_columns, text_order
from scholartools.readers.pdf import reader as pdf

BODY = Body(10.0, "Times", 12.0)
WORDS = "words of text that stand in one of the columns of a page"


def line(text: str, x: float, y: float, width: float = 150, *, page: int = 1, size: float = 10) -> Line:
    return Line(page, [Span(text, Style("Times", size))], x, y, x + width, y + size)


def sheet(number: int, starts: tuple[float, ...], rows: int = 20, size: float = 10) -> Page:
    """A page with a heading over columns that begin at ``starts``; the lines say their column and their row."""
    width = starts[1] - starts[0] - 12
    held = [
        line(f"{column}.{row} {WORDS}", x, 100 + 12 * row, width, page=number, size=size)
        for row in range(rows)
        for column, x in enumerate(starts, 1)
    ]
    return Page(number, 612, 792, [line("A heading over all of the columns", 50, 60, 400, page=number), *held])


def places(page: Page) -> list[str]:
    return [one.text.split()[0] for one in page.lines]


def test_columns_are_read_one_after_the_other_however_many_there_are() -> None:
    for starts in ((50, 212, 374), (50, 180, 310, 440)):
        # The second page has too little text of the body's size to tell its columns.
        pages = [sheet(1, starts), sheet(2, starts, rows=5, size=7)]
        columns.arrange_pages(pages, BODY)
        for page, rows in zip(pages, (20, 5)):
            assert places(page) == ["A", *(f"{at + 1}.{row}" for at in range(len(starts)) for row in range(rows))]
            assert [one.column for one in page.lines] == [0] + [
                at + 1 for at in range(len(starts)) for _ in range(rows)
            ]


def test_what_spans_two_of_three_columns_ends_these_alone() -> None:
    page = sheet(1, (50, 212, 374), rows=8)
    wide = line("wide caption over the first and the second column", 50, 100 + 12 * 4, 312)
    page.lines = [one for one in page.lines if one.x0 > 360 or not one.text.split()[0].endswith(".4")] + [wide]
    columns.arrange_pages([page], BODY)
    above, below = [[f"{at}.{row}" for at in (1, 2) for row in rows] for rows in (range(4), range(5, 8))]
    assert places(page) == ["A", *above, "wide", *below, *(f"3.{row}" for row in range(8))]


def test_the_columns_of_a_table_are_none_of_its_page() -> None:
    uneven = [
        line(f"{WORDS} {row}", x, 12 * row, width)
        for row in range(20)
        for x, width in ((50, 80), (150, 200), (370, 190))
    ]
    assert many_columns.gutters_of_pages([Page(1, 612, 792, uneven), Page(2, 612, 792)]) == [(), ()]
    text = [line(f"{WORDS} {WORDS}", 50, 12 * row, 500) for row in range(30)]
    pages = [Page(1, 612, 792, text), Page(2, 612, 792, text), sheet(3, (50, 212, 374))]
    alone = many_columns.gutters_of_pages(pages)
    assert alone[:2] == [(), ()] and len(alone[2]) == 2
    ruled = sheet(1, (50, 212, 374))
    ruled.rules = [(40.0, 200.0, 540.0, 200.5)]
    assert many_columns.gutters_of_pages([ruled]) == [()]
    pages[2].lines.append(line("Table 3. What the towns had in their books", 50, 80, 200))
    assert many_columns.gutters_of_pages(pages) == [(), (), ()]


def test_a_page_of_two_columns_among_others_of_three_is_read_as_such() -> None:
    pages = [sheet(1, (50, 293), rows=30), *(sheet(at, (50, 212, 374)) for at in (2, 3))]
    columns.arrange_pages(pages, BODY)
    assert places(pages[0]) == ["A", *(f"{at}.{row}" for at in (1, 2) for row in range(30))]
    assert places(pages[2])[-1] == "3.19"


def test_references_at_the_foot_of_a_first_page_are_no_notes_of_it() -> None:
    text = [line(WORDS, 50, 100 + 12 * row) for row in range(40)]
    entries = [line(f"[{at}] Ada Lovelace. {WORDS}", 50, 600 + 9 * at, size=7) for at in (1, 2, 3)]
    for heading, notes in (("References", []), ("the last line of the text", [entries])):
        page = Page(1, 612, 792, [*text, line(heading, 50, 586, 60), *entries])
        assert footnotes.take_footnotes(page, BODY) == notes
        assert (entries[-1] in page.lines) is not bool(notes)


def test_text_beside_text_that_is_read_across_is_told() -> None:
    page = sheet(1, (50, 212, 374))
    page.lines.sort(key=lambda one: (one.y0, one.x0))
    (notice,) = text_order.mixed_text_warnings([page])
    assert (notice["kind"], notice["page"], notice["bbox"]) == ("text-order", 1, [212, 100, 524, 338])
    assert notice["text"].startswith("40 rows of text beside text were read across") and "2.0 words" in notice["text"]
    columns.arrange_pages([page], BODY)
    assert text_order.mixed_text_warnings([page]) == []
    joined = [line(f"{WORDS}{columns.CELL}{WORDS}", 50, 12 * row, 400) for row in range(9)]
    cells = [line(f"Aldwick{columns.CELL}412{columns.CELL}{WORDS}", 50, 12 * row, 400) for row in range(9)]
    told = [text_order.mixed_text_warnings([Page(1, 612, 792, lines)]) for lines in (joined, joined[:4], cells)]
    assert list(map(len, told)) == [1, 0, 0]


def test_a_magazine_of_three_columns_is_read_whole() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    page.insert_text((40, 60), "A Paper on How Magazines Are Read", fontsize=20, fontname="tibo")
    text = [f"s{row} the quick reader sees every word" for row in range(110)]
    for at, row in enumerate([*text, "References"]):
        font = "tibo" if row == "References" else "tiro"
        page.insert_text((40 + 180 * (at // 40), 100 + 12 * (at % 40)), row, fontname=font, fontsize=10)
    for at in range(6):
        entry = f"[{at + 1}] A. Reader. The order of words. 200{at}."
        page.insert_text((400, 490 + 9 * at), entry, fontname="tiro", fontsize=7)
    record = pdf.read(document.tobytes())
    assert " ".join(one["text"] for one in record["sections"]).split() == " ".join(text).split()
    assert [one["year"] for one in record["references"]] == [2000 + at for at in range(6)]
    assert record["warnings"] == []
