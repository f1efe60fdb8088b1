"""Kinds of faults that published papers of many fields showed, each on pages made so that what is right is known."""

from __future__ import annotations

import pymupdf
import pytest
from support.set_text import prose, write

from scholartools.readers.common.authors import find_authors
from scholartools.readers.common.page import Body, Line, Span, Style
from scholartools.readers.common.roles import role_of
from scholartools.readers.pdf import reader as pdf
from scholartools.readers.pdf.sections import headings
from scholartools.readers.references.starts import find_unheaded

TITLE, NAMES = "A Paper on How Pages Are Read", "Ada Lovelace and Charles Babbage"
BODY = Body(10.0, "Times", 12.0)


def front(page: pymupdf.Page, y: float = 90) -> float:
    """Write the title and the authors of a paper; returns the height below them."""
    y = write(page, [TITLE], 150, y, 17, "tibo")
    return write(page, [NAMES], 200, y + 8, 11)


def section(page: pymupdf.Page, head: str, y: float, count: int = 8, size: float = 12) -> float:
    """Write a heading and its text; returns the height below them."""
    y = write(page, [head], 72, y + 24, size, "tibo")
    return write(page, prose(head[:3].strip().lower(), count), 72, y + 6)


def new_page(document: pymupdf.Document) -> pymupdf.Page:
    return document.new_page(width=612, height=792)


def outline(record: dict) -> list[tuple[str | None, str, int, str]]:
    return [(one["number"], one["heading"], one["level"], one["role"]) for one in record["sections"]]


def test_an_abstract_across_the_page_ends_where_columns_begin():
    document = pymupdf.open()
    page = new_page(document)
    y = write(page, ["Abstract"], 50, front(page) + 20, 10, "tibo")
    abstract = prose("abs", 8, 24)
    y = write(page, abstract, 50, y + 6) + 20
    for x, tag in ((50, "left"), (320, "right")):
        write(page, prose(tag, 30, 8), x, y)
    page = new_page(document)
    for x, tag in ((50, "next"), (320, "last")):
        write(page, prose(tag, 40, 8), x, 80)
    record = pdf.read(document.tobytes())
    assert record["abstract"] == " ".join(abstract)
    [text] = [one["text"] for one in record["sections"]]
    assert text.startswith("left0 ") and "last39" in text


@pytest.mark.parametrize(
    "line", ["2014 The Authors. Published by Elsevier Inc. All rights reserved.", "Referee Status:"]
)
def test_what_a_publisher_prints_below_an_abstract_is_not_in_it(line):
    document = pymupdf.open()
    page = new_page(document)
    y = write(page, ["Abstract"], 72, front(page) + 20, 12, "tibo")
    y = write(page, [*prose("abs", 8), line], 72, y + 6)
    y = section(page, "1  Introduction", y)
    section(page, "2  Methods", y)
    assert pdf.read(document.tobytes())["abstract"] == " ".join(prose("abs", 8))


def test_an_abstract_that_ends_within_a_sentence_is_told():
    document = pymupdf.open()
    page = new_page(document)
    y = write(page, ["Abstract"], 72, front(page) + 20, 12, "tibo")
    cut = prose("abs", 9)[:8]
    y = write(page, cut, 72, y + 6)
    y = section(page, "1  Introduction", y)
    section(page, "2  Methods", y)
    record = pdf.read(document.tobytes())
    assert record["abstract"] == " ".join(cut)
    assert [one["page"] for one in record["warnings"] if one["kind"] == "abstract-end"] == [1]


@pytest.mark.parametrize(("font", "bold", "italic"), [("AdvGulliv-B", True, False), ("AdvGulliv-I", False, True),
                                                      ("AdvOT1ef757c0.I", False, True), ("AdvP-BI", True, True),
                                                      ("AdvGulliv-R", False, False), ("ArialMT", False, False)])  # fmt: skip
def test_fonts_of_typesetters_have_their_style_in_the_last_letter(font, bold, italic):
    from scholartools.readers.pdf.lines import upright_page

    span = {"text": "words", "font": font, "size": 10.0, "flags": 4, "char_flags": 16, "bbox": (50, 50, 90, 60)}
    raw = {"spans": [span], "bbox": (50, 50, 90, 60), "dir": (1.0, 0.0)}
    [line] = upright_page([raw], 1, 612, 792, 0).lines
    assert (line.bold, line.italic) == (bold, italic)


def test_an_affiliation_with_a_small_number_is_no_heading():
    small, large = Style("Sans-Bold", 7, bold=True), Style("Sans-Bold", 10, bold=True)
    line = Line(1, [Span("1", small), Span("Institute of Biodiversity, Animal Health", large)], 50, 100, 250, 110)
    own = Line(1, [Span("1 ", large), Span("Introduction", large)], 50, 200, 250, 210)
    text = [Line(1, [Span(words, Style("Times", 10))], 50, y + 14 + 12 * at, 300, y + 24 + 12 * at)
            for y in (100, 200) for at, words in enumerate(prose("body", 4))]  # fmt: skip
    found = headings.find_headings([line, *text[:4], own, *text[4:]], BODY)
    assert [one.words for one in found] == ["Introduction"]


def test_a_bibliography_whose_entries_have_only_dated_identifiers_is_found():
    entries = [f"[{at}] A. Roe, K. Doe and T. Poe, arXiv:1506.0{at}{at}{at}{at} [Inspire]." for at in range(1, 8)]
    texts = [*prose("body", 10), *entries]
    lines = [Line(1, [Span(text, Style("Times", 10))], 50, 100 + 12 * at, 300, 110 + 12 * at)
             for at, text in enumerate(texts)]  # fmt: skip
    assert find_unheaded(lines) == (10, 17)


@pytest.mark.parametrize(("heading", "role"), [("IV. Summary", "conclusion"), ("5 Summary", "conclusion"),
                                               ("Summary", "abstract"), ("1 Summary", "abstract"),
                                               ("6. Zusammenfassung", "conclusion")])  # fmt: skip
def test_a_numbered_summary_after_the_first_section_concludes(heading, role):
    assert role_of(heading) == role


def test_a_list_of_contents_without_page_numbers_is_no_text_although_its_lines_break_elsewhere():
    heads = ["1. Pages before the challenge of many readers and new demands on them", "2. What readers say of pages",
             "3. Columns and lines as the parts of pages that readers know the best"]  # fmt: skip
    document = pymupdf.open()
    page = new_page(document)
    y = write(page, ["Inhalt:"], 72, front(page) + 40, 12)
    for head in heads:
        y = write(page, [head[:34].rpartition(" ")[0], head[len(head[:34].rpartition(" ")[0]) :].strip()], 72, y + 6)
    write(page, ["Literatur"], 72, y + 6)
    page = new_page(document)
    y = section(page, "Zusammenfassung", 80)
    for head in heads:
        y = section(page, head, y)
    y = write(page, ["Literatur"], 72, y + 24, 12, "tibo")
    write(page, [f"Roe, J. (199{at}): Die Form der Seiten. Berlin: Verlag." for at in range(4)], 72, y + 6)
    record = pdf.read(document.tobytes())
    assert [one["number"] for one in record["sections"]] == ["1", "2", "3"]
    assert {one["role"] for one in record["sections"]} == {"other"}
    assert record["abstract"] == " ".join(prose("zus", 8))
    assert "contents" in [one["kind"] for one in record["front_matter"]]


def test_the_title_in_the_language_of_a_second_abstract_is_no_section():
    document = pymupdf.open()
    page = new_page(document)
    y = write(page, ["ABSTRACT"], 72, front(page) + 20, 10, "tibo")
    y = write(page, prose("abs", 6), 72, y + 4)
    y = write(page, ["Como as páginas são lidas", "por muitos leitores"], 72, y + 30, 15, "tibo")
    y = write(page, ["RESUMO"], 72, y + 10, 10, "tibo")
    y = write(page, prose("res", 6), 72, y + 4)
    for head in ("INTRODUCTION", "METHODS", "RESULTS"):
        y = section(page, head, y, 5, 13)
    record = pdf.read(document.tobytes())
    assert outline(record) == [(None, "RESUMO", 1, "abstract"), (None, "INTRODUCTION", 1, "introduction"),
                               (None, "METHODS", 1, "method"), (None, "RESULTS", 1, "result")]  # fmt: skip
    assert any("páginas" in one["text"] for one in record["front_matter"])


def test_a_translated_title_above_a_run_in_abstract_has_the_role_of_an_abstract():
    document = pymupdf.open()
    page = new_page(document)
    y = write(page, ["Zusammenfassung"], 72, front(page) + 20, 10, "tibo")
    y = write(page, prose("zus", 6), 72, y + 4)
    y = write(page, ["How Pages Are Read by Many"], 72, y + 24, 12, "tibo")
    y = write(page, ["Abstract: " + prose("abs", 2, 10)[0], *prose("abs", 5)], 72, y + 6)
    y = section(page, "1  Einleitung", y)
    section(page, "2  Methoden", y)
    roles = {heading: role for _, heading, _, role in outline(pdf.read(document.tobytes()))}
    assert roles["How Pages Are Read by Many"] == "abstract" and roles["Einleitung"] == "introduction"


def test_page_numbers_beside_the_text_are_in_no_heading():
    document = pymupdf.open()
    for number in range(1, 7):
        page = new_page(document)
        write(page, prose(f"p{number}w", 20), 72, 80)
        page.insert_text((30 if number % 2 == 0 else 580, 400), str(number), fontsize=12, fontname="hebo")
        page.insert_text((250, 400), f"Section of Page {number}x", fontsize=14, fontname="tibo")
        write(page, prose(f"q{number}w", 20), 72, 430)
    record = pdf.read(document.tobytes())
    assert [one["heading"] for one in record["sections"] if one["heading"]] == [
        f"Section of Page {number}x"
        for number in range(2, 7)  # the first is the title
    ]
    assert {one["number"] for one in record["sections"]} == {None}


def test_a_heading_of_two_lines_in_widely_set_text_is_one():
    document = pymupdf.open()
    heads = ["1. Readers of pages and what they find on the way to an end of the book in",
             "2. Columns as parts of pages that all of the readers of a book soon know in"]  # fmt: skip
    page = new_page(document)
    y = front(page) + 20
    for head in (*heads, "3. Ends"):
        for at, text in enumerate([head, "many of the cases"] if head in heads else [head]):
            page.insert_text((72 if not at else 90, y + 36 + 18 * at), text, fontsize=12, fontname="hebo")
        y += 36 + 18 * (head in heads) + 18
        for text in prose(head[3:6].lower(), 6, 10):
            y += 18
            page.insert_text((72, y), text, fontsize=12, fontname="helv")
    record = pdf.read(document.tobytes())
    assert [one["heading"] for one in record["sections"]][:2] == [f"{head[3:]} many of the cases" for head in heads]


@pytest.mark.parametrize("after", [
    ["Zur Person", "Ada Lovelace, Prof. Dr., Universität London, Institut für Maschinen"],
    ["E-Mail: ada@lovelace.org", "Charles Babbage, Universität London"],
    ["This article was submitted to the journal Pages of Many."],
    ["[email: ada@lovelace.org]"],
    ["This is an open-access article distributed under the terms of the Creative Commons Attribution License."],
    ["Conflict of Interest Statement: The authors declare that they have none."],
    [f"0.00{at} 2.61{at} 0.016 41.0{at} <0.001 2.000" for at in range(1, 9)],
])  # fmt: skip
def test_what_follows_a_bibliography_is_no_reference(after):
    document = pymupdf.open()
    page = new_page(document)
    y = section(page, "1  Introduction", front(page))
    y = section(page, "2  Methods", y)
    y = write(page, ["References"], 72, y + 24, 12, "tibo")
    entries = [f"Roe, J., Doe, K. (199{at}). The form of pages. Journal of Pages {at}, 1-20." for at in range(5)]
    y = write(page, entries, 72, y + 6)
    write(page, after, 72, y + 30)
    found = pdf.read(document.tobytes())["references"]
    assert [one["text"] for one in found] == entries


def test_a_name_broken_beside_a_side_bar_is_whole():
    large, small = Style("Sans", 15), Style("Sans", 10)
    lines = [Line(1, [Span("Kate Roe1, Rong Doe2, Zhihe", large)], 221, 190, 436, 205),
             Line(1, [Span("Journal of open pages", small)], 44, 204, 166, 214),
             Line(1, [Span("Zhang2, Tong Poe3 and Ann Lee1", large)], 221, 213, 470, 228)]  # fmt: skip
    assert find_authors(lines, BODY) == ["Kate Roe", "Rong Doe", "Zhihe Zhang", "Tong Poe", "Ann Lee"]


def test_a_plain_line_with_a_deep_number_right_above_its_text_is_a_heading():
    document = pymupdf.open()
    page = new_page(document)
    y = section(page, "1. Introduction", front(page), 4)
    y = write(page, ["2. Interest in Pages"], 72, y + 24, 12, "tibo") + 6
    for head in ("2.1 Where do they read of pages?", "2.2 How often do they read?", "2.3 Readers of many pages"):
        y = write(page, [head, *prose(head[:3].replace(".", "x"), 4)], 72, y + 14)
    section(page, "3. Ends", y, 4)
    found = [(one["number"], one["level"]) for one in pdf.read(document.tobytes())["sections"]]
    assert found == [("1", 1), ("2", 1), ("2.1", 2), ("2.2", 2), ("2.3", 2), ("3", 1)]


def test_a_second_abstract_in_small_print_at_the_foot_of_the_page_is_no_note():
    document = pymupdf.open()
    page = new_page(document)
    y = write(page, ["Resumo"], 72, front(page) + 20, 10, "tibo")
    y = write(page, prose("res", 12), 72, y + 4, 8)
    page.draw_line((72, 600), (200, 600))
    write(page, ["Abstract"], 72, 615, 10, "tibo")
    write(page, prose("abs", 10), 72, 628, 8)
    page = new_page(document)
    y = section(page, "Introduction", 60, 20)
    section(page, "Methods", y, 20)
    record = pdf.read(document.tobytes())
    assert [(one["role"], one["text"][:5]) for one in record["sections"]][0] == ("abstract", "abs0 ")
    assert record["abstract"] == " ".join(prose("res", 12))


def test_a_marked_note_below_an_abstract_in_its_column_is_not_in_it():
    document = pymupdf.open()
    page = new_page(document)
    y = write(page, ["ABSTRACT"], 50, front(page) + 20, 10, "tibo")
    y = write(page, prose("abs", 20, 8), 50, y + 4)
    write(page, ["*Part of the work was done while the", "authors read pages."], 50, y + 10)
    y = write(page, ["1.  INTRODUCTION"], 320, 150, 12, "tibo")
    write(page, prose("intro", 30, 8), 320, y + 4)
    assert pdf.read(document.tobytes())["abstract"] == " ".join(prose("abs", 20, 8))
