"""Kinds of faults that outlines of unseen papers showed, each on pages made so that what is right is known."""

from __future__ import annotations

import random

import pymupdf
import pytest
from support.set_text import WORDS, prose, write

from scholartools.readers.common import person_names
from scholartools.readers.common.authors import find_authors
from scholartools.readers.common.page import Body, Line, Page, Span, Style
from scholartools.readers.pdf import columns, front_matter
from scholartools.readers.pdf import reader as pdf
from scholartools.readers.pdf.abstract import find_abstract
from scholartools.readers.pdf.sections import heading_levels, headings

BODY = Body(10.0, "Times", 12.0)
BANNER = (
    ("bioRxiv preprint ", "doi: ", "https://doi.org/10.1101/2022.12.13.51", "; ", "this version posted May 3, 2022. ",
     "The copyright holder"),
    ("(which was not certified by peer review) is the author.",),
    ("available under a ", "CC-BY-NC-ND 4.0 International license", "."),
)  # fmt: skip


def row(y: float, *pieces: tuple[str, Style]) -> Line:
    return Line(1, [Span(*piece) for piece in pieces], 50, y, 300, y + 10)


def text_below(y: float) -> list[Line]:
    return [row(y + 14 + 12 * at, (text, Style("Times", 10))) for at, text in enumerate(prose("body", 4))]


def outline(lines: list[Line]) -> list[tuple[str | None, str, int]]:
    return [
        (one.number, one.words, one.level) for one in heading_levels.with_levels(headings.find_headings(lines, BODY))
    ]


def paper(*heads: list[Line]) -> list[Line]:
    """Lines of a text with the headings at their heights."""
    return [line for head in heads for line in (*head, *text_below(head[-1].y0))]


BOLD, PLAIN = Style("Times-Bold", 10, bold=True), Style("Times", 10)


def heading(text: str, y: float, style: Style = BOLD) -> list[Line]:
    return [row(y, (text, style))]


def test_a_heading_with_a_symbol_that_is_not_bold_is_one():
    symbol = [row(200, ("2 Flux of [", BOLD), ("O", PLAIN), (" ii", Style("Times-SC", 10)), ("] in young stars", BOLD))]
    found = outline(paper(heading("1 Introduction", 0), symbol, heading("3 Results", 400)))
    assert found == [("1", "Introduction", 1), ("2", "Flux of [O ii] in young stars", 1), ("3", "Results", 1)]


def test_a_heading_whose_last_line_ends_with_a_formula_is_whole():
    long = [row(200, ("2 A SURVEY OF CLUSTERS", BOLD)), row(211, ("SEEN AT ", BOLD), ("Z < ", PLAIN), ("0.5", PLAIN))]
    found = outline(paper(heading("1 INTRODUCTION", 0), long, heading("3 RESULTS", 400)))
    assert [words for _, words, _ in found] == ["INTRODUCTION", "A SURVEY OF CLUSTERS SEEN AT Z < 0.5", "RESULTS"]


def test_bold_words_that_open_a_paragraph_are_none():
    opened = [row(200, ("An important word of warning. ", BOLD), ("We saw few.", PLAIN))]
    found = outline(paper(heading("1 Introduction", 0), opened, heading("2 Methods", 400), heading("3 Results", 600)))
    assert [words for _, words, _ in found] == ["Introduction", "Methods", "Results"]


def test_numbers_of_addresses_take_no_number_from_headings():
    address = [
        row(0, ("3 Institute for Stars, Department of Physics, Stanford", Style("Times-Italic", 9, italic=True)))
    ]
    heads = [
        heading(text, 200 * at) for at, text in enumerate(("1 Introduction", "2 Methods", "3 Results", "4 Ends"), 1)
    ]
    assert [number for number, _, _ in outline(paper(address, *heads))] == ["1", "2", "3", "4"]


def test_headings_below_each_other_without_text_are_no_steps():
    large = Style("Times-Bold", 14, bold=True)
    last = [line for at, text in enumerate(("2 The Algorithm", "3 Its Refinements", "4 Conclusion"))
            for line in heading(text, 300 + 24 * at, large)]  # fmt: skip
    found = outline([*paper(heading("1 Introduction", 0, large)), *last, *text_below(350)])
    assert [number for number, _, _ in found] == ["1", "2", "3", "4"]


def test_the_number_of_an_axis_beside_a_larger_title_heads_nothing():
    axis = row(100, ("15.5 ", Style("Sans-Bold", 9.5, bold=True)), ("Masses by their Kind", Style("Sans", 13)))
    own = row(100, ("15.5 ", Style("Sans-Bold", 13, bold=True)), ("Masses by their Kind", Style("Sans", 13)))
    assert not headings.looks_like_heading(axis, BODY)
    assert headings.looks_like_heading(own, BODY)


def test_a_larger_line_that_stands_alone_puts_no_heading_a_level_deeper():
    large, small = Style("Times-Bold", 14, bold=True), Style("Times-Bold", 11, bold=True)
    heads = [heading("Introduction", 0, large), heading("Models of giving", 200, large), heading("Males", 400, small),
             heading("Search for all gifts", 600, Style("Sans", 16)), heading("Results", 800, large)]  # fmt: skip
    levels = {words: level for _, words, level in outline(paper(*heads))}
    assert (levels["Introduction"], levels["Models of giving"], levels["Males"], levels["Results"]) == (1, 1, 2, 1)


def test_a_summary_within_a_section_is_below_it():
    large, small = Style("Times-Bold", 14, bold=True), Style("Times-Bold", 11, bold=True)
    heads = [heading("Introduction", 0, large), heading("Background", 200, small), heading("Discussion", 400, large),
             heading("Summary", 600, small), heading("Influence of artifacts", 800, small)]  # fmt: skip
    assert [level for _, _, level in outline(paper(*heads))] == [1, 2, 1, 2, 2]


def test_legends_of_supporting_figures_are_no_headings():
    heads = [heading(text, 200 * at) for at, text in enumerate(("Results", "S7 Fig. Currents of all cells", "Funding"))]
    assert [words for _, words, _ in outline(paper(*heads))] == ["Results", "Funding"]


@pytest.mark.parametrize("seed", range(8))
def test_a_banner_written_in_pieces_is_no_text_and_says_when_and_where(seed):
    lot = random.Random(seed)
    document = pymupdf.open()
    abstract = prose("abs", 24)
    for number, rows in enumerate((abstract[:12], abstract[12:], prose("intro", 30), prose("end", 30))):
        page = document.new_page(width=612, height=792)
        y = 90.0
        if number == 0:
            y = write(page, ["A Paper on How Pages Are Read"], 150, y, 17, "tibo")
            y = write(page, ["Ada Lovelace and Charles Babbage"], 200, y + 8, 11)
            y = write(page, ["Abstract"], 72, y + 24, 12, "tibo") + 10
        write(page, rows[: len(rows) if number else 12], 72, y, 11)
        if number == 1:
            write(page, ["Introduction"], 72, y + 13.2 * 12 + 30, 12, "tibo")
            write(page, prose("intro", 20), 72, y + 13.2 * 12 + 50, 11)
        pieces = [(piece, at, line) for line, texts in enumerate(BANNER) for at, piece in enumerate(texts)]
        starts = {
            (line, at): 60 + sum(pymupdf.get_text_length(text, fontsize=8) for text in BANNER[line][:at])
            for _, at, line in pieces
        }
        for piece, at, line in sorted(pieces, key=lambda one: (-one[2], lot.random() if seed else -one[1])):
            page.insert_text((starts[line, at], 12 + 8 * line), piece, fontsize=8, fontname="helv")
    record = pdf.read(document.tobytes())
    assert record["abstract"] == " ".join(abstract)
    held = " ".join(section["text"] for section in record["sections"])
    assert "license" not in held and "certified" not in held
    assert (record["year"], record["venue"], record["doi"]) == (2022, "bioRxiv", "10.1101/2022.12.13.51")


def test_a_title_in_double_spacing_is_whole():
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    for at, text in enumerate(("A general model for the evolution of", "nuptial giving")):
        page.insert_text((120, 90 + 41 * at), text, fontsize=18, fontname="hebo")
    page.insert_text((150, 170), "Ada Lovelace, Charles Babbage, Mary Somerville", fontsize=12, fontname="tiro")
    page.insert_text((72, 220), "Abstract", fontsize=14, fontname="hebo")
    for number in range(3):
        page = page if number == 0 else document.new_page(width=612, height=792)
        for at, text in enumerate(prose(f"p{number}w", 18)):
            page.insert_text((72, 250 + 27.6 * at), text, fontsize=12, fontname="tiro")
    record = pdf.read(document.tobytes())
    assert record["title"] == "A general model for the evolution of nuptial giving"
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage", "Mary Somerville"]


def test_key_words_under_a_heading_of_their_own_are_no_section():
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    y = write(page, ["A Paper on How Pages Are Read"], 150, 90, 17, "tibo")
    y = write(page, ["Ada Lovelace and Charles Babbage"], 200, y + 8, 11)
    y = write(page, ["ABSTRACT"], 72, y + 20, 12, "tibo")
    y = write(page, prose("abs", 8), 72, y + 6)
    y = write(page, ["KEYWORDS"], 72, y + 20, 12, "tibo")
    y = write(page, ["Heterogeneous Computing, Access Patterns of Memory"], 72, y + 6)
    y = write(page, ["1  INTRODUCTION"], 72, y + 24, 12, "tibo")
    y = write(page, prose("intro", 12), 72, y + 8)
    y = write(page, ["2  METHOD"], 72, y + 24, 12, "tibo")
    write(page, prose("method", 8), 72, y + 8)
    record = pdf.read(document.tobytes())
    assert [section["heading"] for section in record["sections"]] == ["INTRODUCTION", "METHOD"]
    assert record["abstract"] == " ".join(prose("abs", 8))
    assert any("Access Patterns" in one["text"] for one in record["front_matter"])


def test_a_remark_between_label_and_stop_leaves_a_caption_one():
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    y = write(page, prose("body", 12), 72, 90)
    y = write(page, ["Figure S2.3 (Tf = 10.0): Choice and search over time in all of the trials."], 72, y + 200)
    write(page, prose("more", 12), 72, y + 40)
    [caption] = pdf.read(document.tobytes())["captions"]
    assert caption["label"] == "Figure S2.3"


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        ("Chun-Kai (Karl) Huang1, Cameron Neylon1,2", ("Chun-Kai (Karl) Huang", "Cameron Neylon")),
        ("William “Bill” Smith and Ada Lovelace", ("William “Bill” Smith", "Ada Lovelace")),
        ("By: Ari Alexander Etin", ("Ari Alexander Etin",)),
        ("1 German Environment Agency, Environmental Hygiene, Berlin, Germany", ()),
        ("Ada Lovelace (University of London), Mary Somerville", ("Ada Lovelace", "Mary Somerville")),
        ("Hye-In Lee1, Ada Lovelace2 and Jung-Box Kim", ("Hye-In Lee", "Ada Lovelace", "Jung-Box Kim")),
        ("Chapter Outline", ()),
    ],
)
def test_names_with_what_people_are_called(listed, names):
    assert person_names.names_in(listed) == names


def front(lot: random.Random, label: str, *, notes: bool) -> tuple[pymupdf.Document, str]:
    """A page with a title in capitals of the text's size and, below the abstract, notes that are set larger or bold."""
    made = pymupdf.open()
    page = made.new_page()
    title = f"A SURVEY OF {lot.choice(['FAINT', 'BRIGHT'])} STARS AND THEIR PLANETS"
    page.insert_text((150, 80), title, fontsize=10, fontname="tiro")
    page.insert_text((240, 100), "Jane A. Doe and Rosa B. Roe", fontsize=9, fontname="tiro")
    page.insert_text((270, 130), label, fontsize=10, fontname="tiro")
    y = write(page, prose("we", 6, 12), 90, 150)
    if notes:
        size, font = lot.choice([(10, "tibo"), (12.5, "tiro"), (10, "tibi")])
        page.insert_text((60, y + 20), "Why do we do this and what is the question?", fontsize=size, fontname=font)
    y = write(page, prose("one", 5, 18), 60, y + 50)
    return made, title


@pytest.mark.parametrize("label", ["ABSTRACT", "Abstract"])
def test_what_is_emphasised_below_the_abstract_is_no_title(label: str):
    for seed in range(6):
        made, title = front(random.Random(seed), label, notes=seed % 3 > 0)
        with made:
            assert pdf.read(made.tobytes())["title"] == title


def test_an_abstract_ends_where_text_in_another_font_begins_on_the_next_page():
    with pymupdf.open() as made:
        page = made.new_page()
        page.insert_text((60, 80), "How error hides what differs", fontsize=18, fontname="tibo")
        rows = prose("abstract", 7, 14)
        page.insert_text((60, 150), "ABSTRACT", fontsize=10, fontname="helv")
        write(page, rows, 60, 165, font="helv")
        for tag in ("first", "second", "third"):
            write(made.new_page(), prose(tag, 40, 14), 60, 80)
        record = pdf.read(made.tobytes())
    assert record["abstract"] == " ".join(rows)
    assert record["sections"][0]["text"].startswith("first0")


def test_a_date_is_no_heading_and_names_without_a_heading_below_are_no_text():
    with pymupdf.open() as made:
        page = made.new_page()
        page.insert_text((100, 80), "A reply to some comments", fontsize=17, fontname="tiro")
        page.insert_text((150, 110), "J. Doe, R. Roe, and A. Poe", fontsize=12, fontname="tiro")
        page.insert_text((220, 135), "November 2, 2018", fontsize=12, fontname="tiro")
        rows = prose("text", 30, 14)
        write(page, rows, 60, 175)
        record = pdf.read(made.tobytes())
    assert record["authors"] == ["J. Doe", "R. Roe", "A. Poe"]
    assert [(one["heading"], one["text"]) for one in record["sections"]] == [("", " ".join(rows))]


def test_the_item_of_a_list_takes_no_number_from_a_heading():
    for numbers in (("1", "2"), ("1", "2", "3")):
        items = [
            row(200 + 30 * at, (f"{number}. Are the results as expected?", PLAIN)) for at, number in enumerate(numbers)
        ]
        lines = [*heading("1. Introduction", 0), *text_below(0), *items, *text_below(300), *heading("2. Theory", 400),
                 *text_below(400), *heading("3. Results", 500), *text_below(500)]  # fmt: skip
        assert [words for _, words, _ in outline(lines)] == ["Introduction", "Theory", "Results"]


def test_headings_right_below_each_other_are_each_found_in_double_spacing():
    body = Body(12.0, "Times", 24.0)
    bold, plain = Style("Times-Bold", 12, bold=True), Style("Times", 12)
    texts = [("1 Introduction", 0), ("2 Methods", 150), ("2.1 Trees", 170), ("2.1.1 Definitions of trees", 190),
             ("2.2 Time", 320), ("3 Results", 450)]  # fmt: skip
    lines = [row(y, (text, bold)) for text, y in texts]
    for y in (24, 214, 344, 474):
        lines += [row(y + 24 * at, (text, plain)) for at, text in enumerate(prose("body", 3))]
    lines.sort(key=lambda line: line.y0)
    found = [one.number for one in headings.find_headings(lines, body)]
    assert found == ["1", "2", "2.1", "2.1.1", "2.2", "3"]


@pytest.mark.parametrize("below", ["- last we stop", "w = a + b"])
def test_what_stands_below_the_last_rule_of_an_algorithm_is_text(below: str):
    with pymupdf.open() as made:
        page = made.new_page()
        y = write(page, prose("text", 12, 14), 60, 80)
        for at in (y, y + 16, y + 80):
            page.draw_line((60, at), (480, at), width=0.8)
        page.insert_text((60, y + 12), "Algorithm 1: How to read", fontsize=10, fontname="tiro")
        write(page, ["Data: a page", "initialise the state;", "read the line;"], 70, y + 34)
        page.insert_text((70, y + 104), below, fontsize=10, fontname="tiro")
        write(page, prose("more", 12, 14), 60, y + 130)
        record = pdf.read(made.tobytes())
    assert record["captions"][0]["content"].split("\n") == ["Data: a page", "initialise the state;", "read the line;"]
    assert below in record["sections"][0]["text"]


def name(text: str, x: float, y: float, height: float = 9.0, style: Style = PLAIN) -> Line:
    return Line(1, [Span(text, style)], x, y, x + 5 * len(text), y + height)


def test_bars_between_names_are_no_line_of_the_list():
    """Wiley sets them as pieces of their own, a little lower than the names."""
    rows = [
        name("Ada Lovelace", 50, 100),
        name("|", 200, 103),
        name("Charles Babbage", 220, 100),
        name("| |", 320, 107),
    ]
    rows += [name("Mary Somerville", 50, 114), name("| |", 180, 121), name("Jodie Rummer", 50, 128)]
    for row in rows[::2]:
        row.spans.append(Span("1", PLAIN._replace(raised=True)))
    assert find_authors([*rows, name("Correspondence", 50, 150)], BODY) == [
        "Ada Lovelace",
        "Charles Babbage",
        "Mary Somerville",
        "Jodie Rummer",
    ]


def test_names_beside_each_other_are_in_the_order_of_the_page():
    lines = [name("Paul Royden", 300, 148.1, 10.8), name("Jay Farrell", 200, 149.9)]  # the first has a raised mark
    assert find_authors(lines, BODY) == ["Jay Farrell", "Paul Royden"]
    assert find_authors([name("Ada Byron", 300, 100), name("Jay Farrell", 200, 113)], BODY)[0] == "Ada Byron"


@pytest.mark.parametrize(
    ("roles", "found"),
    [
        ("Autor   Directora   Co-Director", ["Ada Byron"]),
        ("Supervisor   Author   Advisor:", ["Mary Godwin"]),
        ("Physics   Music   Logic", ["Ada Byron", "Mary Godwin", "Jane Austen"]),
    ],
)
def test_who_advised_a_thesis_is_no_author(roles, found):
    lines = [name(roles, 100, 500, style=BOLD), name("Ada Byron   Mary Godwin   Jane Austen", 100, 514)]
    assert find_authors(lines, BODY) == found


@pytest.mark.parametrize("text", ["KU Leuven", "TU Delft", "UC Berkeley", "UC San Diego", "RWTH Aachen"])
def test_a_university_by_its_letters_and_town_is_no_name(text):
    assert not person_names.is_name(text)
    assert person_names.is_name("JD Vance") and person_names.is_name("AJ Ayer")


@pytest.mark.parametrize("tall", [None, 3, 6, 9])
def test_an_abstract_without_a_label_goes_on_behind_a_tall_line(tall):
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Violations of a Relation in Foam"], 180, 80, 16, "tibo")
    write(page, ["Ada Lovelace"], 270, 105, 11)
    rows, y = [f"{text[:-2]} g" for text in prose("abs", 12)], 150.0
    for at, text in enumerate(rows):
        left = text if at < 11 else "abs11 ends it here."
        page.insert_text((110, y), left, fontsize=9, fontname="tiro")
        if at < 11:  # the lines are full
            page.insert_text((430, y), "end of line", fontsize=9, fontname="tiro")
        y += 16 if at == tall else 10
    write(page, ["1  Introduction"], 72, y + 30, 13, "tibo")
    y = write(page, prose("body", 20), 72, y + 55, 11)
    for _ in range(2):
        write(document.new_page(width=612, height=792), prose("more", 40), 72, 72, 11)
    record = pdf.read(document.tobytes())
    assert (record["abstract"] or "").startswith("abs0 ")
    assert record["abstract"].endswith("abs11 ends it here.")


def test_contents_whose_heading_has_its_accent_apart_are_no_headings():
    texts = ["´Indice general", "1. Introducci´on 1", "1.1. Motivaci´on 1", "2. Aportes 20", "4. Fin 57"]
    lines = [row(100 + 14 * at, (text, BOLD)) for at, text in enumerate(texts)]
    kept, lists = front_matter.split_contents([*lines, *text_below(400)])
    assert len(kept) == 4 and [len(one) for one in lists] == [5]


def test_the_label_of_an_abstract_may_open_a_page_behind_the_contents():
    lines = [
        Line(5, [Span(text, PLAIN)], 50, 80 + 12 * at, 500, 90 + 12 * at) for at, text in enumerate(prose("abs", 9))
    ]
    before, label = row(100, ("1 2020", PLAIN)), Line(5, [Span("Resumen", BOLD)], 200, 50, 260, 60)
    first = headings.Heading(11, 12, "1", "Motivos", headings.Look(10.0, True, False, False))
    text = [Line(6, [Span(text, PLAIN)], 50, 80, 500, 90) for text in ("1 Motivos", *prose("text", 9))]
    found = find_abstract([before, label, *lines, *text], [first], BODY)
    assert found is not None and (found.start, found.end) == (2, 11)


def test_a_replication_has_its_title_and_its_whole_summary():
    parts = ("Scope of Reproducibility", "Methodology", "Results", "What was easy", "What was difficult")
    with pymupdf.open() as made:
        page = made.new_page(height=900)
        write(page, ["[Re] Counting Readers of Printed", "Pages in Libraries"], 90, 100, 17, "hebo")
        write(page, ["Ada Lovelace, Charles Babbage and Mary Somerville"], 90, 150, 9, "helv")
        y = write(page, ["Reproducibility Summary"], 90, 200, 14, "helv") + 8
        for part in parts:
            page.insert_text((90, y), f"{part} - ", fontsize=10, fontname="hebo")
            page.insert_text((230, y), "we read few pages of each of some books", fontsize=10, fontname="tiro")
            y = write(page, prose(part.split()[-1].lower(), 4, 10), 90, y + 12) + 12
        y = write(page, ["1 Introduction"], 90, y + 10, 14, "hebo") + 8
        write(page, prose("text", 9, 12), 90, y)
        made.set_metadata({"title": "Reproducibility Summary"})
        record = pdf.read(made.tobytes())
    assert record["title"] == "[Re] Counting Readers of Printed Pages in Libraries"
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage", "Mary Somerville"]
    assert [part for part in parts if part in record["abstract"]] == list(parts)
    assert [one["heading"] for one in record["sections"]] == ["Introduction"]


@pytest.mark.parametrize(("place", "second"), [(" • Universita di Roma, Italy", " • IRISA, France"),
                                               (", University of Lund", ", Engine Works Ltd")])  # fmt: skip
def test_names_below_each_other_have_their_places_behind_a_dot_or_a_comma(place, second):
    lines = [row(100, ("Ada Lovelace" + place, BOLD)), row(112, ("Mary Somerville" + second, BOLD))]
    assert find_authors(lines, BODY) == ["Ada Lovelace", "Mary Somerville"]


def test_a_block_of_many_names_is_above_the_text_and_no_part_of_a_figure():
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["A Graph of Readers in Columns"], 120, 70, 15, "hebo")
    given, surnames = ("Ada", "Mary", "Zhaolin", "Ingrid"), ("Chen", "Haddad", "Iyer", "Novak", "Egan", "Rossi")
    names = [f"{one} {other}" for other in surnames for one in given]
    rows = [", ".join(names[at : at + 5]) + "," * (at < 20) for at in range(0, 24, 5)]
    write(page, rows, 100, 90, 12, "tibo")
    page.draw_rect(pymupdf.Rect(320, 200, 540, 300))
    write(page, ["Figure 1: A part of the graph of readers."], 320, 320, 10)
    y = write(page, prose("abs", 8, 5), 80, write(page, ["Abstract"], 140, 190, 12, "tibo"), 10)
    y = write(page, ["1  Introduction"], 80, y + 10, 12, "tibo")
    write(page, prose("intro", 20, 5), 80, y + 4)
    write(page, prose("more", 24, 5), 320, 350)
    assert pdf.read(document.tobytes())["authors"] == names


def test_the_last_word_of_a_heading_in_capitals_may_have_few_letters():
    head = [row(200, ("II. SETTING THE STAGE AT", PLAIN)), row(212, ("HDM", PLAIN))]
    found = outline(paper(heading("I. INTRODUCTION", 0, PLAIN), head, heading("III. RESULTS", 400, PLAIN)))
    assert [words for _, words, _ in found] == ["INTRODUCTION", "SETTING THE STAGE AT HDM", "RESULTS"]


def test_a_numbered_heading_may_open_with_a_bracket():
    head = [*heading("2 [D3] Paper cards with", 200), *heading("Context", 212)]
    found = outline(paper(heading("1 Introduction", 0), head, heading("3 Results", 400)))
    assert [words for _, words, _ in found] == ["Introduction", "[D3] Paper cards with Context", "Results"]


def test_a_sentence_that_a_displayed_formula_continues_is_no_heading():
    lines = paper(heading("Introduction", 0), heading("Results", 400))
    lines[5:5] = heading("Two events of readers are concurrent if", 90, PLAIN) + text_below(120)
    assert [words for _, words, _ in outline(lines)] == ["Introduction", "Results"]


@pytest.mark.parametrize(("opening", "told"), [("to achieve a common goal", [1]), ("A common goal", [])])
def test_an_abstract_that_begins_within_a_sentence_is_told(opening, told):
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    y = write(page, ["A Trial of Reading in Columns"], 120, 90, 20, "hebo")
    rows = [f"{opening} is what readers of columns do", *prose("abs", 5)]
    y = write(page, rows, 100, write(page, ["Abstract"], 100, y + 20, 12, "tibo"), 10)
    y = write(page, ["Introduction"], 80, y + 14, 12, "tibo")
    write(page, prose("intro", 12), 80, y + 4)
    warnings = pdf.read(document.tobytes())["warnings"]
    assert [one["page"] for one in warnings if one["kind"] == "abstract-start"] == told


def test_a_name_cut_behind_its_particle_goes_on_where_bars_separate_the_names():
    mark = Style("Times-Bold", 6, bold=True, raised=True)
    pieces = [("Ada Lovelace", BOLD), ("1", mark), ("   ", BOLD), ("Mary Somerville", BOLD), ("1", mark), ("   ", BOLD)]
    first = row(100, *pieces, ("Ana Franco da", BOLD))
    first.cells = 3
    second = row(112, ("Silva", BOLD), ("1", mark), ("   Carolin Rubner", BOLD), ("2", mark))
    second.cells = 2
    assert find_authors([first, second], BODY) == [
        "Ada Lovelace", "Mary Somerville", "Ana Franco da Silva", "Carolin Rubner"
    ]  # fmt: skip


def test_an_ogonek_printed_before_its_letter_is_composed():
    lines = [row(100, ("J˛edrzej Kowalczuk, Eric T. Psota, and Lance C. Pérez", BOLD))]
    assert find_authors(lines, BODY) == ["Jędrzej Kowalczuk", "Eric T. Psota", "Lance C. Pérez"]


def test_small_capitals_of_private_code_points_are_letters():
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    page.insert_text((100, 90), "M", fontsize=20, fontname="tiro")
    page.insert_text((118, 90), "eep", fontsize=20, fontname="tibo")
    page.insert_text((148, 90), ": a package for the tides", fontsize=20, fontname="tiro")
    [font] = [one[0] for one in page.get_fonts() if "Bold" in one[3]]
    document.update_object(codes := document.get_new_xref(), "<<>>")
    pairs = b"2 beginbfchar\n<65> <F765>\n<70> <F770>\nendbfchar"
    space = b"1 begincodespacerange\n<00> <FF>\nendcodespacerange"
    document.update_stream(
        codes, b"/CIDInit /ProcSet findresource begin\nbegincmap\n" + space + b"\n" + pairs + b"\nendcmap"
    )
    document.xref_set_key(font, "ToUnicode", f"{codes} 0 R")
    write(page, prose("text", 20), 80, 140)
    assert pdf.read(document.tobytes())["title"] == "Meep: a package for the tides"


def test_the_cover_of_a_repository_that_speaks_of_its_faculty_is_one():
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["A Package for the Tides"], 80, 90, 16, "hebo")
    write(page, ["The Faculty has made this article openly available. Please share."], 80, 130)
    write(page, ["Citable Link", "Detailed Terms"], 80, 170, 14, "hebo")
    page = document.new_page(width=612, height=792)
    write(page, ["A Package for the Tides"], 150, 90, 16)
    y = write(page, prose("abs", 5), 80, write(page, ["Ada Lovelace, Mary Somerville", "", "Abstract"], 180, 120, 12))
    write(page, prose("intro", 20), 80, write(page, ["1  Introduction"], 80, y + 20, 12, "tibo"))
    assert pdf.read(document.tobytes())["authors"] == ["Ada Lovelace", "Mary Somerville"]


def test_a_large_heading_may_end_with_letters_that_are_not_bold():
    large = Style("Times-Bold", 12, bold=True)
    last = [row(200, ("2 The Subuniverse of ", large), ("JJ", Style("Times", 12)))]
    found = outline(paper(heading("1 Introduction", 0, large), last, heading("3 Results", 400, large)))
    assert [words for _, words, _ in found] == ["Introduction", "The Subuniverse of JJ", "Results"]


def test_headings_in_another_bitmap_font_are_headings():
    head, text = Style("F17", 10), Style("F16", 10)
    long = [row(200, ("2 Progressive decompositions in spaces of", head)), row(211, ("tensors", head))]
    lines = [
        Line(1, [Span(line.text, text if line.style == PLAIN else line.style)], line.x0, line.y0, line.x1, line.y1)
        for line in paper(heading("1 Readers", 0, head), long, heading("3 Examples", 400, head))
    ]
    found = headings.find_headings(lines, Body(10.0, "F16", 12.0))
    assert [one.words for one in found] == ["Readers", "Progressive decompositions in spaces of tensors", "Examples"]


def test_entries_of_a_bibliography_that_open_in_bold_are_no_headings():
    listed = [line for at in range(4) for line in (
        row(300 + 40 * at, ("Lovelace, Ada, Charles Babbage, and Mary", BOLD)),
        Line(1, [Span("Somerville. ", BOLD), Span("1843. Notes of readers of pages in columns.", PLAIN)], 60, 311 + 40 * at,
             300, 321 + 40 * at),
    )]  # fmt: skip
    lines = [*paper(heading("Introduction", 0), heading("Results", 150)), *heading("REFERENCES", 280, PLAIN), *listed]
    assert [words for _, words, _ in outline(lines)] == ["Introduction", "Results", "REFERENCES"]


def test_a_heading_in_capitals_may_stand_right_above_the_next():
    lines = paper(heading("INTRODUCTION", 0), heading("RESULTS", 400))
    pair = [*heading("MATERIALS AND METHODS", 200), *heading("Spatial and Temporal", 211), *heading("Waves", 222)]
    lines[5:5] = [*pair, *text_below(226)]
    found = [words for _, words, _ in outline(lines)]
    assert found == ["INTRODUCTION", "MATERIALS AND METHODS", "Spatial and Temporal Waves", "RESULTS"]


@pytest.mark.parametrize("text", ["P(fnow|n, pow) = pfnow · pn−fnow", "ArXiv ePrint: 0807.3577", "Notes:"])
def test_formulas_identifiers_and_the_notes_of_floats_are_no_headings(text):
    style = Style("Times-BoldItalic", 10, bold=":" in text, italic=True)
    lines = paper(heading("Introduction", 0), heading(text, 200, style), heading("Results", 400))
    assert [words for _, words, _ in outline(lines)] == ["Introduction", "Results"]


def test_numbered_headings_of_appendices_may_end_with_a_stop():
    lines = paper(heading("1 Introduction", 0), heading("2 Methods", 150), heading("3 Results", 300),
                  heading("Appendix A. Details", 450), heading("A.1. Data of Readers.", 600),
                  heading("A.2. Quality of Data.", 750))  # fmt: skip
    assert [number for number, _, _ in outline(lines)][-2:] == ["A.1", "A.2"]


@pytest.mark.parametrize("name", ["N.Montés", "J.R.Falcó"])
def test_initials_right_before_a_surname_are_of_a_name(name):
    assert person_names.is_name(name)
    assert not person_names.is_name("U.S.")


def write_row(page: pymupdf.Page, *pieces: tuple[float, float, str, float, str]) -> None:
    for x, y, text, size, font in pieces:
        page.insert_text((x, y), text, fontsize=size, fontname=font)


def test_a_mark_after_the_last_name_of_a_row_stays_at_its_end():
    bold, small = Style("Sans-Bold", 11, bold=True), Style("Sans", 8)
    pieces = [(167, 241, 227.1, 211, [Span("Michael Morris", bold)]),
              (252, 344, 227.1, 210.4, [Span("1", small), Span(", Paul J. Kushner", bold)]),
              (356, 466, 227.1, 210.4, [Span("1", small), Span(", and Karen L. Smith", bold)]),
              (478, 482, 221.6, 210.4, [Span("2", small)])]  # fmt: skip
    page = Page(1, 595, 842, [Line(1, spans, x0, y0, x1, y1) for x0, x1, y1, y0, spans in pieces])
    columns.arrange_pages([page], BODY)
    assert find_authors(page.lines, BODY) == ["Michael Morris", "Paul J. Kushner", "Karen L. Smith"]


def test_a_note_beside_a_heading_with_its_number_in_the_margin_is_no_part_of_it():
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["A Replication of Readers in Columns"], 130, 100, 20, "hebo")
    write(page, ["Ada Lovelace, Charles Babbage"], 130, 130, 11)
    for y, notes in ((220, ("Edited by", "Mary Somerville")), (260, ("Reviewed by", "Charles Babbage")),
                     (300, ("Published", "28 March 2022"))):  # fmt: skip
        write(page, list(notes), 40, y, 7, "helv")
    write_row(page, (115, 300, "1", 14, "hebo"), (130, 300, "Introduction", 14, "hebo"))
    y = write(page, prose("intro", 18), 130, 320)
    write_row(page, (115, y + 20, "2", 14, "hebo"), (130, y + 20, "Methods", 14, "hebo"))
    write(page, prose("more", 12), 130, y + 40)
    sections = pdf.read(document.tobytes())["sections"]
    assert [(one["number"], one["heading"]) for one in sections][:1] == [("1", "Introduction")]


def test_the_number_of_a_heading_at_the_top_of_pages_is_no_running_head():
    document = pymupdf.open()
    for number in range(1, 5):
        page = document.new_page(width=612, height=792)
        top = [(72, 78, f"SI 1.{number}", 12, "hebo"), (130, 78, f"Skew of {WORDS[number]} in columns", 12, "hebo")]
        write_row(page, *top)
        write(page, prose(f"p{number}", 40), 72, 100, 12)
    sections = pdf.read(document.tobytes())["sections"]
    assert [one["heading"][:6] for one in sections if one["heading"]] == ["SI 1.2", "SI 1.3", "SI 1.4"]


def american_review(*fronts: tuple[list[str], int, str]) -> pymupdf.Document:
    """A paper of an economic review: blocks of text with their indents and fonts, and then "I. Set-up"."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Evolution of Readers in Columns"], 180, 80, 16, "helv")
    y = write(page, ["Ada Lovelace"], 260, 110, 11)
    for rows, x, font in fronts:
        y = write(page, rows, x, y + 24, 10, font)
    y = write(page, ["I.  Set-up of Readers"], 240, y + 24, 10, "tibo")
    write(page, prose("text", 12, 15), 72, y + 10)
    return document


def test_an_introduction_without_a_heading_is_no_abstract():
    document = american_review((prose("opening", 14, 15), 72, "tiro"))
    assert pdf.read(document.tobytes())["abstract"] is None


def test_the_block_in_italics_above_an_introduction_without_a_heading_is_the_abstract():
    abstract = prose("summary", 8, 11)
    document = american_review((abstract, 120, "tiit"), (prose("opening", 14, 15), 72, "tiro"))
    assert pdf.read(document.tobytes())["abstract"] == " ".join(abstract)


def test_an_epigraph_is_no_abstract():
    epigraph = [*prose("precious", 6, 11), "-- David Ricardo (1816)"]
    document = american_review((epigraph, 120, "tiit"), (prose("opening", 14, 15), 72, "tiro"))
    assert pdf.read(document.tobytes())["abstract"] is None


def bibliography(rows: list[tuple[float, float, str]], *more: list[tuple[float, float, str]]) -> pymupdf.Document:
    """A paper whose last pages hold a bibliography, each line at its place."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["A Trial of Reading in Columns"], 120, 90, 20, "hebo")
    y = write(page, ["1  Introduction"], 80, 150, 14, "tibo")
    y = write(page, prose("intro", 20), 80, y + 4)
    write(page, ["References"], 80, y + 20, 14, "tibo")
    for listed in (rows, *more):
        page = document.new_page(width=612, height=792)
        for x, y, text in listed:
            page.insert_text((x, y), text, fontsize=10, fontname="tiro")
    return document


def test_numbers_of_references_apart_from_their_entries_are_no_line_numbers():
    rows = [one for at in range(14) for one in (
        (91, 80 + 36 * at, str(at + 1)),
        (115, 80 + 36 * at, f"A. Writer{at} and B. Reader. A report on columns of pages and on how they"),
        (115, 92 + 36 * at, f"are read down before the next one starts. Journal of Pages, {1990 + at}."),
    )]  # fmt: skip
    references = pdf.read(bibliography(rows).tobytes())["references"]
    assert [one["text"].split()[0] for one in references] == [str(at + 1) for at in range(14)]


def entries(x: float, count: int, first: int = 0) -> list[tuple[float, float, str]]:
    """Entries of five lines with a hanging indent, in alphabetical order."""
    rows: list[tuple[float, float, str]] = []
    for at in range(first, first + count):
        y = 80 + 62 * (at - first)
        name = f"{chr(65 + at // 8)}writer{chr(97 + at % 8)}"
        rows += [(x, y, f"{name}, A., Readerson, B., & Columnson, C."),
                 (x + 15, y + 12, f"R., Pagerson, D., ({1950 + at}). A report of columns"),
                 (x + 15, y + 24, "of pages and of how they are read down to"),
                 (x + 15, y + 36, "their last lines by readers, as told by B."),
                 (x + 15, y + 48, f"Pageson. Journal of Pages, {at + 3}(2), 100-110.")]  # fmt: skip
    return rows


def test_entries_of_a_page_with_other_margins_are_whole():
    pages = [[*entries(67, 11, 22 * at), *entries(324, 11, 22 * at + 11)] for at in range(3)]
    document = bibliography(*pages, [*entries(48, 5, 66), *entries(305, 3, 71)])
    assert len(pdf.read(document.tobytes())["references"]) == 74


def test_a_list_of_the_works_that_cite_a_paper_is_no_part_of_its_bibliography():
    cited = [(60.0, 80.0, "This article has been cited by:")]
    cited += [
        (60.0, 100.0 + 12 * at, f"{at + 1}. A. Citing{at}. 2022. A later report. Journal of Pages 3, 10-20.")
        for at in range(6)
    ]
    references = pdf.read(bibliography(entries(80, 8), cited).tobytes())["references"]
    assert len(references) == 8


def test_a_heading_in_a_narrow_column_may_have_wide_spaces():
    first = row(200, ("3. Implementing   the   External   Accountability", BOLD))
    first.cells = 5
    lines = paper(heading("1. Introduction", 0), heading("2. Methods", 100), heading("4. Results", 400))
    last = Line(1, [Span("Requirement", BOLD)], 50, 211, 110, 221)
    lines[10:10] = [first, last, *text_below(215)]
    found = [words for _, words, _ in outline(lines)]
    assert found == ["Introduction", "Methods", "Implementing the External Accountability Requirement", "Results"]


def test_the_last_word_of_a_sentence_at_the_top_of_a_page_is_no_heading():
    lines = paper(heading("1. Introduction", 0), heading("2. Data", 100), heading("methods.", 250, PLAIN),
                  heading("3. Results", 400))  # fmt: skip
    assert [words for _, words, _ in outline(lines)] == ["Introduction", "Data", "Results"]


def test_numbers_of_supporting_information_make_bold_lines_headings():
    large = Style("Times-Bold", 12, bold=True)
    lines = paper(heading("1 Introduction", 0, large), heading("2 Data", 100, large), heading("3 Results", 200, large),
                  heading("SI 1.1.1 Balance of readers", 400))  # fmt: skip
    assert [words for _, words, _ in outline(lines)][-1] == "SI 1.1.1 Balance of readers"


def test_ligatures_whose_glyphs_have_names_of_several_letters_are_spelt():
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Xe Structure of Columns aZer Reading"], 100, 90, 20, "tibo")
    y = write(page, ["1  Introduction"], 80, 150, 14, "tibo")
    write(page, ["Xis is what readers oZen see in Qiet columns.", *prose("intro", 12)], 80, y + 4, 10, "tibo")
    for font in document.get_page_fonts(0):
        glyphs = "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [ 81 /Q_u 88 /T_h 90 /f_t ] >>"
        document.xref_set_key(font[0], "Encoding", glyphs)
    record = pdf.read(document.tobytes())
    assert record["title"] == "The Structure of Columns after Reading"
    assert record["sections"][0]["text"].startswith("This is what readers often see in Quiet columns.")


@pytest.mark.parametrize(("line", "size", "title"), [("Running title:", 10, None),
                                                     ("(Empirical) Bayes Approaches to Trends", 16,
                                                      "(Empirical) Bayes Approaches to Trends")])  # fmt: skip
def test_a_label_without_text_is_no_title_and_a_title_may_open_with_a_word_in_brackets(line, size, title):
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    y = write(page, [line], 80, 90, size, "hebo")
    y = write(page, prose("opening", 12), 80, y + 20)
    y = write(page, ["1  Introduction"], 80, y + 14, 14, "tibo")
    write(page, prose("intro", 12), 80, y + 4)
    assert pdf.read(document.tobytes())["title"] == title
