"""Classes of layout that typeset styles bring: what is kept, where, and what is told when it is not."""

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
from scholartools.readers.common.pdf_resources import Resources
from scholartools.readers.pdf import columns, coverage
from scholartools.readers.pdf import (
    reader as pdf,
)
from scholartools.readers.pdf.fonts import fonts_of
from scholartools.readers.pdf.sections import heading_levels, headings, run_ins
from scholartools.readers.references import entries as references
from scholartools.readers.references.starts import find_unheaded

BODY = Body(10.0, "Times", 12.0)
WORDS = "the quick brown reader sees every word of this page and keeps them all in order for later use".split()


def line(text: str, x: float = 50, y: float = 100, size: float = 10, *, page: int = 1, **style: bool) -> Line:
    """A line of half an em a character."""
    return Line(page, [Span(text, Style("Times", size, **style))], x, y, x + 0.5 * size * len(text), y + size)


def prose(tag: str, count: int) -> list[str]:
    return [f"{tag}{index} " + " ".join(WORDS[(index + at) % len(WORDS)] for at in range(11)) for index in range(count)]


class Sheet:
    """Sets lines on pages, from above."""

    def __init__(self) -> None:
        self.document = pymupdf.open()
        self.page = self.document.new_page(width=612, height=792)
        self.y = 90.0

    def write(self, *texts: str, x: float = 72, size: float = 10, font: str = "tiro", gap: float = 0) -> Sheet:
        self.y += gap
        for text in texts:
            self.page.insert_text((x, self.y), text, fontsize=size, fontname=font)
            self.y += 1.2 * size
        return self

    def front(self, *below: str) -> Sheet:
        self.write("A Paper on How Pages Are Read", x=150, size=17, font="tibo")
        self.write("Ada Lovelace and Charles Babbage", x=200, size=11, gap=8)
        self.write("Department of Engines, University of London", x=190, size=9)
        self.write("Abstract", x=280, font="tibo", gap=8)
        self.write(*prose("abs", 5), x=90, size=9)
        return self.write(*below, x=90, size=9, gap=6)

    def record(self) -> dict:
        return pdf.read(self.document.tobytes())


def told(record: dict) -> list[str]:
    return [warning["text"] for warning in record["warnings"] if warning["kind"] == "text-missing"]


def test_running_text_that_no_key_holds_is_told_with_share_and_place() -> None:
    kept, lost = [line(text, y=100 + 12 * at) for at, text in enumerate(prose("kept", 4))], []
    lost = [line(text, y=300 + 12 * at, page=2) for at, text in enumerate(prose("lost", 3))]
    pages = [Page(1, 612, 792, kept), Page(2, 612, 792, lost)]
    shown = coverage.visible_lines(pages, [])
    record = {"sections": [{"text": " ".join(one.text for one in kept)}]}
    (notice,) = coverage.missing_text_warnings(shown, record, {id(lost[0]): "Figure 1"})
    assert (notice["kind"], notice["page"]) == ("text-missing", 2)
    assert (
        notice["text"].startswith("3 lines of text (4") and "Figure 1" in notice["text"] and "lost0" in notice["text"]
    )
    assert notice["bbox"][1] == 300 and notice["bbox"][3] == 334
    both = {"sections": [{"text": " ".join(one.text for one in [*kept, *lost])}]}
    assert coverage.missing_text_warnings(shown, both, {}) == []


def test_a_line_shown_twice_and_held_once_is_told() -> None:
    twice = [line(text, y=100 + 12 * at) for at, text in enumerate(prose("same", 2) * 2)]
    shown = coverage.visible_lines([Page(1, 612, 792, twice)], [])
    once = {"sections": [{"text": " ".join(one.text for one in twice[:2])}]}
    assert len(coverage.missing_text_warnings(shown, once, {})) == 1


def test_rows_names_and_addresses_are_no_running_text() -> None:
    rows = [line(f"Model {at}   0.{at}   0.9", y=100 + 12 * at) for at in range(4)]
    for row in rows:
        row.cells = 3
    address = line("Department of Engines, University of London, United Kingdom", y=300)
    assert (
        coverage.missing_text_warnings(coverage.visible_lines([Page(1, 612, 792, [*rows, address])], []), {}, {}) == []
    )


@pytest.mark.parametrize(
    ("cells", "is_told"),
    [
        (["A2", "NAVIGATION", "The subject navigates to find the page they need."], True),
        (["A3", "The subject reads the page and then writes."], True),
        (["A4", "Navigation", "What was found there?"], False),
        (["Size", "Number of pages", "Share of the pages that were read"], False),
        (["Vinyals & Kaiser et al.", "WSJ only, discriminative", "88.3"], False),
        (["Bee, A.", "Department of Engines, University of London, United Kingdom.", "UK"], False),
    ],
)
def test_a_sentence_in_a_lost_row_of_a_table_is_told(cells: list[str], is_told: bool) -> None:
    row = line("   ".join(cells), y=100)
    row.cells = len(cells)
    shown = coverage.visible_lines([Page(1, 612, 792, [row])], [])
    assert bool(coverage.missing_text_warnings(shown, {}, {})) == is_told
    assert coverage.missing_text_warnings(shown, {"captions": [{"content": "   ".join(cells)}]}, {}) == []


def test_a_lost_line_of_figures_below_a_line_of_text_is_told() -> None:
    texts = ["Brandt AB, Tanaka C. Slow tides in sheltered bays. J Coast", "2001;12(3):44-50.", "12 (3)"]
    lines = [line(text, y=100 + 12 * at) for at, text in enumerate(texts)]
    shown = coverage.visible_lines([Page(1, 612, 792, lines)], [])
    (notice,) = coverage.missing_text_warnings(shown, {"references": [{"text": texts[0]}]}, {})
    assert notice["text"].startswith("1 line of text") and "2001;12(3):44-50." in notice["text"]
    whole = {"references": [{"text": " ".join(texts)}]}
    assert coverage.missing_text_warnings(shown, whole, {}) == []
    numbered = [line("as all readers of the page must do.", y=100), line("IV. RESULTS", y=112)]
    shown = coverage.visible_lines([Page(1, 612, 792, numbered)], [])
    record = {"sections": [{"text": numbered[0].text}, {"number": "IV", "heading": "RESULTS"}]}
    assert coverage.missing_text_warnings(shown, record, {}) == []


def test_the_caption_of_a_table_in_small_capitals_is_in_the_record() -> None:
    sheet = Sheet().front().write("1 Introduction", size=12, font="tibo", gap=12).write(*prose("body", 12))
    for words in ("TABLE I", "PAGES THAT ALL OF THE READERS READ"):
        sheet.y += 14
        x = 200.0
        for word in words.split():
            sheet.page.insert_text((x, sheet.y), word[0], fontsize=9, fontname="tiro")
            x += pymupdf.get_text_length(word[0], "tiro", 9)
            sheet.page.insert_text((x, sheet.y), word[1:], fontsize=7, fontname="tiro")
            x += pymupdf.get_text_length(word[1:], "tiro", 7) + 3
    sheet.y += 14
    for row in ("one", "two", "three"):
        sheet.page.insert_text((200, sheet.y), row, fontsize=8, fontname="tiro")
        sheet.write("12", x=300, size=8)
    record = sheet.write(*prose("more", 10), gap=20).record()
    assert [one["text"] for one in record["captions"]] == ["TABLE I PAGES THAT ALL OF THE READERS READ"]
    assert "more9" in record["sections"][-1]["text"] and told(record) == []


def test_text_behind_key_words_is_text_and_key_words_are_front_matter() -> None:
    sheet = Sheet().front("Keywords: reading, pages, engines", "and looms")
    sheet.write(*prose("body", 30), gap=14)
    record = sheet.record()
    assert record["abstract"].startswith("abs0") and "Keywords" not in record["abstract"]
    assert any("body0" in section["text"] for section in record["sections"])
    kinds = {one["kind"]: one["text"] for one in record["front_matter"]}
    assert kinds["keywords"] == "Keywords: reading, pages, engines and looms"
    assert kinds["affiliation"] == "Department of Engines, University of London"
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage"] and told(record) == []


ENTRIES = [
    f"[{at}] A. Author, B. Other, Reading pages in part {at}, J. Engines {at}, 1{at} (200{at})." for at in range(1, 8)
]


def test_a_bibliography_without_a_heading_is_found() -> None:
    sheet = Sheet().front().write("1 Introduction", size=12, font="tibo", gap=12).write(*prose("body", 20))
    sheet.page, sheet.y = sheet.document.new_page(width=612, height=792), 90.0
    record = sheet.write(*prose("more", 5)).write(*ENTRIES, size=9, gap=30).record()
    assert [one["text"] for one in record["references"]] == ENTRIES
    assert "[1]" not in record["sections"][-1]["text"]


def test_a_numbered_list_in_the_text_is_no_bibliography() -> None:
    listed = [line(f"{at}. Take the page and turn it over", y=100 + 12 * at) for at in range(1, 8)]
    assert find_unheaded(listed) is None
    assert find_unheaded([line(text, y=100 + 12 * at) for at, text in enumerate(ENTRIES)]) == (0, 7)


def test_references_under_a_table_are_kept() -> None:
    sheet = Sheet().front().write("1 Introduction", size=12, font="tibo", gap=12).write(*prose("body", 6))
    sheet.write("References", size=12, font="tibo", gap=12).write(*ENTRIES[:3], size=8)
    sheet.page = sheet.document.new_page(width=612, height=792)
    sheet.y = 90
    sheet.write("Table 1: Numbers of pages.", size=8)
    for row in ("one", "two", "three"):
        sheet.page.insert_text((200, sheet.y), row, fontsize=8, fontname="tiro")
        sheet.write("12", x=260, size=8)
    record = sheet.write(*ENTRIES[3:], size=8, gap=14).record()
    assert [one["text"] for one in record["references"]] == ENTRIES


def test_run_in_headings_of_the_first_level_are_headings_where_one_is_usual() -> None:
    def opened(head: str, y: float) -> Line:
        spans = [Span(head + " ", Style("Times", 10, bold=True)), Span("We begin the text here", Style("Times", 10))]
        return Line(1, spans, 50, y, 350, y + 10)

    lines = [opened("1. Introduction.", 100), opened("2. Shape of the engine.", 200)]
    assert [one.text for one in run_ins.split_numbered(lines)][::2] == ["1. Introduction", "2. Shape of the engine"]
    items = [opened("1. Take it.", 100), opened("2. Turn it.", 200)]
    assert len(run_ins.split_numbered(items)) == 2


def test_headings_are_told_apart_by_centring() -> None:
    lines: list[Line] = []
    y = 100.0
    for head, x in (("Results", 150.0), ("Speed of it", 50.0), ("Size of it", 50.0), ("Discussion", 150.0)):
        y += 24
        lines.append(Line(1, [Span(head, Style("Times", 10, bold=True))], x, y, 350 - x if x > 50 else 110, y + 10))
        y += 18
        for text in prose(head[:3], 5):
            lines.append(Line(1, [Span(text, Style("Times", 10))], 50, y, 300, y + 10))
            y += 12
    levels = [(one.words, one.level) for one in heading_levels.with_levels(headings.find_headings(lines, BODY))]
    assert levels == [("Results", 1), ("Speed of it", 2), ("Size of it", 2), ("Discussion", 1)]


def test_a_label_that_stands_alone_is_joined_with_its_caption() -> None:
    sheet = Sheet().front().write("1 Introduction", size=12, font="tibo", gap=12).write(*prose("body", 8))
    sheet.write("Figure 1", font="tibo", gap=60).write(
        "Pages that were read by all of the readers.", font="tiit", gap=10
    )
    (caption,) = sheet.write(*prose("more", 8), gap=30).record()["captions"]
    assert caption["text"] == "Figure 1 Pages that were read by all of the readers."


def test_pieces_of_a_row_join_from_left_to_right() -> None:
    pieces = [line("one two", 50, 100.3), line("six seven", 145, 99.9), line("three four", 90, 100.1)]
    page = Page(1, 612, 792, pieces)
    columns.arrange_pages([page], BODY)
    assert [one.text for one in page.lines] == ["one two three four six seven"]


@pytest.mark.parametrize(
    ("codes", "shown"), [({27, 28, 97, 98, 99, 170}, (28, "fi")), ({11, 12, 97, 98, 99}, (12, "fi"))]
)
def test_bitmap_fonts_of_tex_are_read_by_its_encodings(codes: set[int], shown: tuple[int, str]) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "x")
    font = page.get_fonts()[0][0]
    names = " ".join(f"{code} /a{code}" for code in sorted(codes))
    document.update_object(
        font, f"<</Type/Font/Subtype/Type3/Name/F1/Encoding<</Type/Encoding/Differences[{names}]>>>>"
    )
    (table,) = fonts_of(document, Resources(document)).tables.values()
    assert table[shown[0]] == shown[1]
    document.update_object(font, "<</Type/Font/Subtype/Type3/Name/F1/Encoding<</Differences[97 /a97 98 /zero]>>>>")
    assert fonts_of(document, Resources(document)).tables == {}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Endo, N., Brandt, T., 2000. Disks for all, in: Proceedings of Storage, Press, Vienna. pp. 1-2.", "Disks for all"),
        ("Huang, N., & Xiang, O. 2003, Recovery of storage (Leiden: University Press)", "Recovery of storage"),
        ("8. Halloran, F. & Xu, R. Models for bipartite graphs (University Press, Leiden, 2022).", "Models for bipartite graphs"),
        ("1. Irene Abernathy, Moth visits to campion in grassland, Journal of Ecology 5 (2005), no. 1, 11-20.",
         "Moth visits to campion in grassland"),
        ("Faria TK. Harbour dredging for all [Internet]. 2007 [cited 2023 May 3]. Available from: https://a.org", "Harbour dredging for all"),
        ("Müller, H. (1980), Bank erosion for all, Rotterdam: Harbour Press.", "Bank erosion for all"),
        ("Müller, H. (1980), Bank erosion for all, University of Bergen Press, Bergen.", "Bank erosion for all"),
        ("Faria, Elin K., and Hendrik A. Müller. 1997. Water quality in bays. Rotterdam: Harbour Press.", "Water quality in bays"),
        ("Faria TK. Harbour dredging [dissertation]. Bergen: University of Bergen; 2011.", "Harbour dredging"),
    ],
)  # fmt: skip
def test_titles_end_where_the_place_of_print_begins(text: str, title: str) -> None:
    assert references.parse_entry(text)["title"] == title


def test_the_link_over_an_entry_gives_its_doi() -> None:
    sheet = Sheet().front().write("1 Introduction", size=12, font="tibo", gap=12).write(*prose("body", 10))
    sheet.write("References", size=12, font="tibo", gap=12)
    for at, text in enumerate(ENTRIES[:4]):
        area = pymupdf.Rect(100, sheet.y - 6, 200, sheet.y)
        sheet.page.insert_link({"kind": pymupdf.LINK_URI, "from": area, "uri": f"https://doi.org/10.1000/part_{at}"})
        sheet.write(text)
    assert [one["doi"] for one in sheet.record()["references"]] == [f"10.1000/part_{at}" for at in range(4)]


def test_narrow_notes_in_either_margin_are_notes_and_no_words_of_the_text() -> None:
    for edge in (70, 420):
        sheet = Sheet().front().write("1 Introduction", size=12, font="tibo", gap=12)
        sheet.page, sheet.y = sheet.document.new_page(width=612, height=792), 90.0
        sheet.write(*(text[:48] for text in prose("body", 14)), x=150)
        for at, words in enumerate(("Editor: this", "claim was", "checked twice.")):
            sheet.page.insert_text((edge, sheet.y - 60 + 10 * at), words, fontsize=8, fontname="tiro")
        record = sheet.record()
        assert [one["text"] for one in record["footnotes"]] == ["Editor: this claim was checked twice."], edge
        assert "body13" in record["sections"][0]["text"] and "claim" not in record["sections"][0]["text"]


def test_notes_in_the_margin_are_notes_and_no_words_of_the_text() -> None:
    sheet = Sheet().front().write("1 Introduction", size=12, font="tibo", gap=12)
    sheet.page, sheet.y = sheet.document.new_page(width=612, height=792), 90.0
    sheet.write(*(text[:60] for text in prose("body", 14)))
    sheet.page.insert_text((420, sheet.y - 60), "1", fontsize=5, fontname="tiro")
    sheet.page.insert_text((424, sheet.y - 60), "Moths were counted by hand", fontsize=8, fontname="tiro")
    sheet.page.insert_text((424, sheet.y - 50), "in each of the years.", fontsize=8, fontname="tiro")
    record = sheet.record()
    assert [(one["mark"], one["text"]) for one in record["footnotes"]] == [
        ("1", "Moths were counted by hand in each of the years.")
    ]
    assert "body13" in record["sections"][0]["text"] and "Moths" not in record["sections"][0]["text"]
