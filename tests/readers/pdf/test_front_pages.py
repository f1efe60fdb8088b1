"""First pages that are set unlike those of most journals: panels at the side, titles of no size, theses."""

from __future__ import annotations

import pymupdf
import pytest
from support.set_text import prose, write

from scholartools.readers.pdf import reader as pdf


def write_title(page: pymupdf.Page) -> None:
    write(page, ["Sensors That Float in Deep Water"], 150, 80, 17, "tibo")
    write(page, ["Ada Lovelace, Charles Babbage"], 200, 110, 12)


def centre(page: pymupdf.Page, rows: list[str], y: float) -> None:
    for at, text in enumerate(rows):
        width = pymupdf.get_text_length(text, fontname="tiro", fontsize=12)
        page.insert_text(((612 - width) / 2, y + 24 * at), text, fontsize=12, fontname="tiro")


def test_small_print_beside_the_text_of_a_first_page_is_not_mixed_with_it() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Mud, Tides and Barriers"], 57, 90, 18, "hebo")
    write(page, ["Ada Lovelace, Charles Babbage"], 57, 115)
    write(
        page, ["1 Institute of Coastal Studies, University of Bergen, Norway, reaching far across the page"], 57, 132, 8
    )
    write(
        page,
        ["Citation: Lovelace A, Babbage C", "(2021) Mud, Tides and Barriers.", "Received: May 4, 2020"],
        57,
        163.5,
        6,
    )
    y = write(page, ["Abstract"], 200, 160, 14, "hebo")
    y = write(page, prose("abs", 6, 10), 200, y)
    y = write(page, ["Introduction"], 200, y + 12, 14, "hebo")
    write(page, prose("body", 25, 10), 200, y)
    record = pdf.read(document.tobytes())
    assert " ".join(prose("abs", 6, 10)) == record["abstract"]
    assert record["sections"][0]["text"] == " ".join(prose("body", 25, 10))
    notes = " ".join(one["text"] for one in record["footnotes"])
    assert "Citation: Lovelace A, Babbage C (2021) Mud, Tides and Barriers. Received: May 4, 2020" in notes


def test_a_title_of_the_texts_size_is_centred_over_the_names() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    centre(
        page,
        ["Mud, Tides and Barriers in the Records of", "Three Small Estuaries", "Ada Lovelace1 and Charles Babbage2"],
        90,
    )
    centre(page, ["1 Institute of Coastal Studies, University of Bergen"], 162)
    y = write(page, ["Abstract"], 72, 200, 12, "tibo")
    y = write(page, prose("abs", 5, 12), 72, y, 12)
    y = write(page, ["Introduction"], 72, y, 12, "tibo")
    write(page, prose("body", 12, 12), 72, y, 12)
    record = pdf.read(document.tobytes())
    assert record["title"] == "Mud, Tides and Barriers in the Records of Three Small Estuaries"
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage"]


def test_chapters_have_their_numbers_and_contents_are_no_abstract() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Mud, Tides and Barriers"], 150, 200, 24, "tibo")
    write(page, ["Ada Lovelace"], 250, 260, 14)
    page = document.new_page(width=612, height=792)
    write(page, prose("abs", 6), 72, write(page, ["Abstract"], 280, 200, 11, "tibo"))
    page = document.new_page(width=612, height=792)
    write(
        page,
        [f"{at} Mud and tides . . . . . . . . . . . . {at}" for at in (1, 2)],
        72,
        write(page, ["Contents"], 72, 150, 24, "tibo"),
    )
    for number, heading in enumerate(["Introduction", "Tides of mud"], 1):
        page = document.new_page(width=612, height=792)
        y = write(page, [f"Chapter {number}"], 72, 140, 20, "tibo")
        y = write(page, [heading], 72, y + 20, 24, "tibo")
        write(page, prose(heading[:3], 20), 72, y + 10)
    record = pdf.read(document.tobytes())
    assert record["abstract"] == " ".join(prose("abs", 6))
    assert [(one["number"], one["heading"], one["level"]) for one in record["sections"]] == [
        ("Chapter 1", "Introduction", 1), ("Chapter 2", "Tides of mud", 1)
    ]  # fmt: skip


THESES = {
    "english": ("Abstract", "Table of Contents", "List of Figures", "Introduction", "Literature cited"),
    "spanish": ("Resumen", "Contenido", "Lista de figuras", "Introducción", "Literatura citada"),
    "portuguese": ("Resumo", "Sumário", "Lista de Figuras", "Introdução", "Referências Bibliográficas"),
    "german": ("Zusammenfassung", "Inhaltsverzeichnis", "Abbildungsverzeichnis", "Einleitung",
               "Literatur- und Quellenverzeichnis"),
    "french": ("Résumé", "Table des matières", "Table des figures", "Introduction", "Ouvrages cités"),
    "italian": ("Riassunto", "Indice generale", "Indice delle figure", "Introduzione", "Opere citate"),
}  # fmt: skip


@pytest.mark.parametrize("language", THESES)
def test_theses_have_their_abstract_and_chapters_and_their_contents_are_no_headings(language: str) -> None:
    abstract, contents, figures, opening, cited = THESES[language]
    chapters = [opening, "Mud of the Estuary", "Tides and Barriers"]
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Mud, Tides and Barriers"], 150, 200, 24, "tibo")
    write(page, ["Ada Lovelace"], 250, 260, 14)
    write(document.new_page(width=612, height=792), prose("law", 6), 72, 400)
    page = document.new_page(width=612, height=792)
    write(page, prose("abs", 9), 72, write(page, [abstract], 72, 150, 20, "tibo") + 10)
    page = document.new_page(width=612, height=792)
    y = write(page, [contents], 72, 150, 20, "tibo")
    for at, chapter in enumerate(chapters, 1):
        y = write(page, [f"{at} {chapter}"], 72, y + 8, 10, "tibo")
        y = write(page, [f"{at}.{part} Of part {part} . . . . . . . . . ." for part in (1, 2)], 90, y)
    write(page, [cited], 72, y + 8, 10, "tibo")
    page = document.new_page(width=612, height=792)
    write(page, ["1.1 A map of the mud . . . . . . . . 4"], 72, write(page, [figures], 72, 150, 20, "tibo"))
    for at, chapter in enumerate(chapters, 1):
        page = document.new_page(width=612, height=792)
        y = write(page, [f"{at} {chapter}"], 72, 140, 20, "tibo")
        for part in (1, 2):
            y = write(page, [f"{at}.{part} Of part {part}"], 72, y + 14, 14, "tibo")
            y = write(page, prose(f"c{at}{part}", 9), 72, y + 6)
    page = document.new_page(width=612, height=792)
    entries = [
        f"[{at}] Roe, J. and Doe, K. Notes on mud {at}. Journal of Mud, {at}(2):1–9, 200{at}." for at in range(1, 8)
    ]
    write(page, entries, 72, write(page, [cited], 72, 140, 20, "tibo") + 10)
    record = pdf.read(document.tobytes())
    assert record["abstract"] == " ".join(prose("abs", 9))
    assert [(one["number"], one["heading"], one["level"]) for one in record["sections"]] == [
        each for at, chapter in enumerate(chapters, 1)
        for each in [(f"{at}", chapter, 1), (f"{at}.1", "Of part 1", 2), (f"{at}.2", "Of part 2", 2)]
    ]  # fmt: skip
    assert len(record["references"]) == 7
    assert [one["kind"] for one in record["front_matter"]].count("contents") == 2


def test_sizes_of_an_ocr_layer_that_differ_from_word_to_word_cut_no_title() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    scan = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 80))
    scan.clear_with(240)
    page.insert_image(page.rect, pixmap=scan)
    rows = [("Mud, Tides and Barriers in the Records", 15.0), ("of Three Small Estuaries", 15.4)]
    rows += [
        ("Ada Lovelace and Charles Babbage", 11.0),
        ("Abstract", 10.2),
        *((text, 10.0) for text in prose("abs", 6)),
    ]
    rows += [("1 Introduction", 13.0), *((text, 10.0) for text in prose("body", 20))]
    y = 80.0
    for number, (text, size) in enumerate(rows):
        x = 72.0
        for at, word in enumerate(text.split()):
            own = size * (1 + 0.02 * ((at + number) % 3 - 1))
            page.insert_text((x, y), word, fontsize=own, fontname="tiro", render_mode=3)
            x += pymupdf.get_text_length(word + " ", "tiro", own)
        y += 1.3 * size
    record = pdf.read(document.tobytes())
    assert record["title"] == "Mud, Tides and Barriers in the Records of Three Small Estuaries"
    assert [one["heading"] for one in record["sections"]] == ["Introduction"]


def test_names_with_their_places_on_one_line_each_and_a_label_below() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Mud, Tides and Barriers"], 72, 90, 18, "hebo")
    names = ["ADA LOVELACE", "CHARLES BABBAGE", "MARY SOMERVILLE"]
    y = write(page, [f"{name}, University of Bergen, Norway" for name in names], 72, 120)
    write(page, ["Key Points:"], 72, y + 20, 10, "tibo")
    y = write(page, ["Abstract"], 72, y + 60, 11, "tibo")
    y = write(page, prose("abs", 5), 72, y)
    y = write(page, ["1 Introduction"], 72, y + 10, 14, "tibo")
    write(page, prose("body", 20), 72, y)
    assert pdf.read(document.tobytes())["authors"] == names


def test_a_structured_abstract_without_heading_is_not_mixed_with_the_key_points_beside_it() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Credit and Readmission in Three Towns"], 60, 90, 17, "hebo")
    y = write(page, ["Ada Lovelace, MD; Charles Babbage, PhD"], 60, 112, 7) + 8
    write(page, prose("key", 7, 6), 430, y, 6, "helv")
    parts = {label: prose(label.lower(), 2, 14) for label in ("OBJECTIVE", "RESULTS", "CONCLUSIONS")}
    for label, rows in parts.items():
        page.insert_text((60, y), label, fontsize=6, fontname="hebo")
        page.insert_text((107, y), rows[0], fontsize=6, fontname="helv")
        y = write(page, rows[1:], 60, y + 7, 6, "helv") + 3
    y = write(page, prose("opening", 12, 19), 60, y + 60)
    y = write(page, ["Methods"], 60, y + 10, 12, "hebo")
    y = write(page, prose("method", 12, 19), 60, y)
    entries = [
        f"{at}. Lovelace A, Babbage C. Engines of the town {at}. J Engines. 19{at + 30};4:{at}-9." for at in range(1, 9)
    ]
    write(page, entries, 60, y + 12, 6)
    record = pdf.read(document.tobytes())
    assert " ".join(record["abstract"].split()) == " ".join(
        f"{label} {' '.join(rows)}" for label, rows in parts.items()
    )
    assert "key6" in str(record["front_matter"])
    assert [one["text"] for one in record["sections"]] == [
        " ".join(prose(tag, 12, 19)) for tag in ("opening", "method")
    ]
    assert [one["text"] for one in record["references"]] == entries
    assert not record["footnotes"] and not record["warnings"]


@pytest.mark.parametrize(
    "second", ["2. Sensors that float", "SENSORS THAT FLOAT IN DEEP WATER", "Materials and methods"]
)
@pytest.mark.parametrize("has_heading", [True, False])
def test_a_first_page_with_the_words_of_covers_is_no_cover(second: str, has_heading: bool) -> None:
    """Publishers print "please cite" and "all rights reserved" there; page 2 may repeat a title or an entry of it."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Sensors That Float in Deep Water"], 72, 80, 17, "tibo")
    write(page, ["Ada Lovelace, Charles Babbage"], 72, 110, 12)
    contents = [
        "Contents",
        "1. Introduction . . . . 1",
        "2. Sensors that float . . . . 2",
        "3. Materials and methods . . . . 3",
    ]
    write(page, contents, 72, 140, 8)
    y = write(page, ["Abstract"], 72, 200, 12, "tibo")
    y = write(page, prose("abs", 6, 10), 72, y)
    if has_heading:
        y = write(page, ["1. Introduction"], 72, y + 12, 12, "tibo")
    write(page, prose("body", 20, 10), 72, y + 12)
    write(
        page,
        ["Please cite this article as: A. Lovelace, Sensors That Float in Deep Water.", "All rights reserved."],
        72,
        740,
        7,
    )
    page = document.new_page(width=612, height=792)
    y = write(page, [second], 72, 50, 10 if second.isupper() else 13, "tiro" if second.isupper() else "tibo")
    write(page, prose("next", 40, 10), 72, y + 12)
    record = pdf.read(document.tobytes())
    assert record["title"] == "Sensors That Float in Deep Water"
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage"]
    assert record["abstract"].startswith(" ".join(prose("abs", 6, 10)))


@pytest.mark.parametrize("kind", ["PREPRINT", "Accepted Manuscript", "DRAFT", "Research article", "Short article"])
def test_a_first_page_of_the_kind_of_the_document_alone_is_a_cover(kind: str) -> None:
    document = pymupdf.open()
    write(document.new_page(width=612, height=792), [kind], 206, 370, 36, "hebo")
    page = document.new_page(width=612, height=792)
    write_title(page)
    y = write(page, ["Abstract"], 72, 160, 12, "tibo")
    y = write(page, ["Abstract: Beginning anew.", *prose("abs", 6, 10)], 72, y)
    y = write(page, ["1 Introduction"], 72, y + 12, 12, "tibo")
    y = write(page, prose("body", 20, 10), 72, y)
    for row in ("configs.py", "experiments/", "results(", "models.py"):
        y = write(page, [row], 72, y, 10, "cour")
    record = pdf.read(document.tobytes())
    assert record["title"] == "Sensors That Float in Deep Water"
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage"]
    assert record["abstract"] == " ".join(["Beginning anew.", *prose("abs", 6, 10)])
    assert [one["heading"] for one in record["sections"]] == ["Introduction"]
    assert kind in str(record["front_matter"])


def test_a_title_page_of_few_words_is_no_cover() -> None:
    document = pymupdf.open()
    write(document.new_page(width=612, height=792), ["Deep Sensors"], 206, 370, 36, "hebo")
    page = document.new_page(width=612, height=792)
    write(page, ["1 Introduction"], 72, 80, 12, "tibo")
    write(page, prose("body", 30, 10), 72, 100)
    assert pdf.read(document.tobytes())["title"] == "Deep Sensors"


def test_a_line_of_text_in_pieces_is_read_from_its_left_though_a_sign_is_raised() -> None:
    """The authors and a title with a power in it, far apart as in justified text."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Sensors That Float in Deep Water"], 150, 60, 17, "tibo")
    y = write(page, ["1 Introduction"], 72, 110, 12, "tibo")
    y = write(page, prose("body", 20, 10), 72, y)
    page.insert_text((72, y), "We follow", fontsize=10, fontname="tiro")
    page.insert_text((140, y), "Avelin and Gerardo Barrera.", fontsize=10, fontname="tiro")
    x = 300 + pymupdf.get_text_length("The K", fontname="tiro", fontsize=10)
    page.insert_text((300, y), "The K", fontsize=10, fontname="tiro")
    page.insert_text((x, y - 6), "2", fontsize=8, fontname="tiro")
    x += pymupdf.get_text_length("2", fontname="tiro", fontsize=8)
    page.insert_text((x, y), "-cutoff in spaces is Galerkin pro-", fontsize=10, fontname="tiro")
    write(page, ["jections of equations with more text that follows.", *prose("next", 10, 10)], 72, y + 13)
    text = pdf.read(document.tobytes())["sections"][0]["text"]
    assert "We follow Avelin and Gerardo Barrera. The K2-cutoff in spaces is Galerkin" in text


@pytest.mark.parametrize(
    ("size", "rows", "is_talk"), [((720, 540), 5, True), ((842, 595), 32, False), ((612, 792), 5, False)]
)
def test_slides_are_reported(size: tuple[int, int], rows: int, is_talk: bool) -> None:
    document = pymupdf.open()
    for number in range(4):
        page = document.new_page(width=size[0], height=size[1])
        y = write(page, [f"{number + 1} Introduction"], 72, 60, 14, "tibo")
        write(page, prose(f"p{number}", rows, 10), 72, y)
    warnings = pdf.read(document.tobytes())["warnings"]
    assert ("slides" in [one["kind"] for one in warnings]) == is_talk


@pytest.mark.parametrize(
    "foot",
    [
        "Abbreviations: AI, Artificial Intelligence; SD, Standard Deviation.",
        "* Corresponding author at: Department of Tides, 12 Harbour Street, Bergen.",
        "E-mail address: ada@example.org (A. Lovelace).",
        "Received 30 November 2025; Accepted 3 March 2026",
        "Available online 5 March 2026",
        "© 2025 The Authors. Published by a press.",
        "This is an open access article under the CC BY license.",
        "AMS 2000 subject classifications: Primary 62G08; secondary 62G05.",
        "Sea Research (2019) 44:711-720; https://doi.org/10.1234/s41386-018-0195-5",
    ],
)
def test_what_a_publisher_prints_below_an_abstract_is_no_part_of_it(foot: str) -> None:
    """The abstract fills the first page, and the foot is set in the same letters."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write_title(page)
    y = write(page, ["Abstract"], 72, 160, 12, "tibo")
    y = write(page, prose("abs", 12, 12), 72, y, 8)
    write(page, [foot], 72, y + 20, 8)
    page = document.new_page(width=612, height=792)
    y = write(page, ["1 Introduction"], 72, 80, 12, "tibo")
    write(page, prose("body", 40, 10), 72, y)
    record = pdf.read(document.tobytes())
    assert record["abstract"] == " ".join(prose("abs", 12, 12))
    assert foot[2:40] in str(record["front_matter"]) + str(record["footnotes"])


def test_an_abstract_in_another_font_above_a_figure_is_kept() -> None:
    """The layout of Bioinformatics: bold labels in sans serif across the page, a figure below on the right."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Sensors That Float in Deep Water"], 72, 80, 17, "hebo")
    write(page, ["Ada Lovelace, Charles Babbage"], 72, 105, 12, "hebo")
    write(page, ["Abstract"], 72, 140, 10, "hebo")
    labels = ("Motivation:", "Scope:", "Outlook:")
    for at, label in enumerate(labels):
        y = 155 + 24 * at
        page.insert_text((72, y), label, fontsize=8, fontname="hebo")
        x = 72 + pymupdf.get_text_length(f"{label} ", fontname="hebo", fontsize=8)
        page.insert_text((x, y), " ".join(prose(f"a{at}x", 2, 13)[:1]), fontsize=8, fontname="helv")
        page.insert_text((72, y + 12), "using size measurements.", fontsize=8, fontname="helv")
    page.draw_line((72, 232), (530, 232))
    y = write(page, ["1 Introduction"], 72, 250, 10, "tibo")
    y = write(page, prose("body", 30, 7), 72, y, 8)
    page.draw_rect((320, 240, 530, 380))
    page.draw_rect((340, 260, 500, 350), fill=(0.5, 0.5, 0.5))
    write(page, ["Fig. 1. Distribution of sizes."], 320, 395, 7)
    write(page, prose("right", 20, 7), 320, 430, 8)
    record = pdf.read(document.tobytes())
    for at, label in enumerate(labels):
        assert f"{label} a{at}x0" in record["abstract"]
    assert record["abstract"].count("using size measurements.") == 3


@pytest.mark.parametrize(
    "rows",
    [
        ["1 Physics of Fluids Group, Max Planck Center Twente for Complex Fluid Dynamics,",
         "and J. M. Burgers Center for Fluid Dynamics, University of Twente, P.O. Box 217,",
         "7500AE Enschede, Netherlands, and Max Planck Institute for Dynamics and",
         "Self-Organisation, Am Fassberg 17, 37077 Goettingen, Germany, Sorbonne University",
         "and CNRS, Institut Jean Le Rond, 75005 Paris, France, Department of Physics"],
        [f"S{at} = - b (I + bL L + bA A) S, L = (1 - a) b (I + bL L + bA A) S - (s + x) L," for at in range(4)],
    ],
)  # fmt: skip
def test_addresses_and_formulas_are_no_abstract(rows: list[str]) -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write_title(page)
    y = write(page, rows, 72, 150, 9)
    y = write(page, ["1 Introduction"], 72, y + 30, 12, "tibo")
    write(page, prose("body", 30, 10), 72, y)
    assert pdf.read(document.tobytes())["abstract"] is None


def test_a_remark_behind_the_label_of_an_abstract_is_no_part_of_it() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write_title(page)
    y = write(page, ["Abstract (opening paragraph)"], 220, 160, 10, "tibo")
    y = write(page, prose("abs", 6, 10), 72, y, 9)
    y = write(page, ["1 Introduction"], 72, y + 12, 12, "tibo")
    write(page, prose("body", 30, 10), 72, y)
    assert pdf.read(document.tobytes())["abstract"] == " ".join(prose("abs", 6, 10))


def test_two_names_at_the_end_of_a_line_and_the_next_are_two_without_a_comma() -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Sensors That Float in Deep Water"], 150, 80, 17, "tibo")
    x = 150.0
    for text, size, y in (("Ada Lovelace", 10, 110), ("2", 6, 106), (", Charles Babbage", 10, 110), ("3", 6, 106),
                          (", Jorge Aguilera-Ipar", 10, 110)):  # fmt: skip
        page.insert_text((x, y), text, fontsize=size, fontname="tibo")
        x += pymupdf.get_text_length(text, fontname="tibo", fontsize=size)
    write(page, ["Rafael Bombarelli, Timothy Hirzel, Tjeerd V. olde Sch"], 150, 122, 10, "tibo")
    y = write(page, ["Harvard University"], 250, 134, 10)
    y = write(page, ["Abstract"], 250, y + 20, 12, "tibo")
    y = write(page, prose("abs", 6, 10), 72, y)
    y = write(page, ["1 Introduction"], 72, y + 12, 12, "tibo")
    write(page, prose("body", 30, 10), 72, y)
    names = ["Ada Lovelace", "Charles Babbage", "Jorge Aguilera-Ipar"]
    names += ["Rafael Bombarelli", "Timothy Hirzel", "Tjeerd V. olde Sch"]
    assert pdf.read(document.tobytes())["authors"] == names


@pytest.mark.parametrize(
    "sentence",
    [
        "PLEASE SCROLL DOWN FOR ARTICLE",
        "This article was downloaded by: [A University Library]",
        "Full Terms & Conditions of access and use can be found at a page of the publisher",
        "Provided for non-commercial research and educational use only.",
    ],
)
def test_a_page_that_says_what_only_covers_of_publishers_say_is_a_cover(sentence: str) -> None:
    """Such a page may cut the title otherwise, and the second may begin with what is not the title."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, [sentence], 72, 80, 13, "tibo")
    write(page, ["Sensors That Float, Babbage & al."], 72, 120, 9)
    write(page, prose("rights", 8, 12), 72, 500, 9)
    page = document.new_page(width=612, height=792)
    write_title(page)
    y = write(page, ["Abstract"], 72, 160, 12, "tibo")
    y = write(page, prose("abs", 6, 10), 72, y)
    y = write(page, ["1 Introduction"], 72, y + 12, 12, "tibo")
    write(page, prose("body", 20, 10), 72, y)
    record = pdf.read(document.tobytes())
    assert record["title"] == "Sensors That Float in Deep Water"
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage"]
    assert record["abstract"] == " ".join(prose("abs", 6, 10))


@pytest.mark.parametrize("label", ["Résumé", "Zusammenfassung", "Resumen"])
def test_an_abstract_in_a_second_language_behind_the_text_is_not_the_abstract(label: str) -> None:
    """It was, and the text before it was front matter."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write_title(page)
    y = write(page, prose("abs", 8, 10), 100, 160, 8)
    y = write(page, prose("opening", 12, 10), 72, y + 20)
    y = write(page, ["Method"], 72, y + 12, 12, "tibo")
    write(page, prose("method", 12, 10), 72, y)
    for tag in ("second", "third"):
        page = document.new_page(width=612, height=792)
        write(page, prose(tag, 50, 10), 72, 80)
    page = document.new_page(width=612, height=792)
    y = write(page, ["Results"], 72, 80, 12, "tibo")
    y = write(page, prose("results", 12, 10), 72, y)
    y = write(page, [label], 72, y + 12, 12, "tibo")
    write(page, prose("last", 8, 10), 72, y)
    record = pdf.read(document.tobytes())
    assert record["abstract"] == " ".join(prose("abs", 8, 10))
    assert [one["heading"] for one in record["sections"]] == ["", "Method", "Results", label]


def write_columns(page: pymupdf.Page, y: float) -> None:
    write(page, ["1. Introduction"], 60, y, 10, "tibo")
    write(page, prose("left", 18, 8), 60, y + 16, 9)
    write(page, prose("right", 18, 8), 320, y + 16, 9)


@pytest.mark.parametrize("label", ["a b s t r a c t", "Abstract", ""])
@pytest.mark.parametrize("is_right", [False, True])
def test_a_panel_of_dates_and_addresses_beside_an_abstract_is_not_mixed_with_it(label: str, is_right: bool) -> None:
    """The text below is set in two columns, of which the abstract is wider: its rows were joined with the panel's."""
    panel = ["Article history:", "Received 16 May 2019", "Accepted 7 March 2020", "Keywords:", "Sensors in deep water",
             "Tidal energy", "Estimation", "Correspondence", "ada@example.org"]  # fmt: skip
    abstract = [f"{row} and {row[5:27].strip()}" for row in prose("abs", 9, 10)]
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Sensors That Float in Deep Water and Tell"], 60, 80, 17, "tibo")
    write(page, ["Ada Lovelace, Charles Babbage"], 60, 110, 11)
    write(
        page, ["Department of Tides, 12 Harbour Street, Bergen, Norway, and what follows it on this line"], 60, 126, 7
    )
    write(page, panel, 450 if is_right else 60, 162, 6.5)
    if label:
        write(page, [label], 60 if is_right else 190, 150, 9, "tibo")
    for at, row in enumerate(abstract):  # no row of the panel is on the next row's height
        page.insert_text((60 if is_right else 190, 162 + 9.5 * at), row, fontsize=7.5, fontname="tiro")
    write_columns(page, 280)
    for _ in range(2):
        page = document.new_page(width=612, height=792)
        write_columns(page, 80)
    record = pdf.read(document.tobytes())
    assert record["title"] == "Sensors That Float in Deep Water and Tell"
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage"]
    assert record["abstract"] == " ".join(abstract)
    assert record["sections"][0]["heading"] == "Introduction"
    assert record["sections"][0]["text"].startswith("left0")


@pytest.mark.parametrize("is_flush", [False, True])
def test_small_print_beside_the_rows_of_a_title_is_no_part_of_it(is_flush: bool) -> None:
    """Publishers print the name of the journal, the pages, the DOI and the address for permissions there."""
    rows = ["Sensors That Float in Deep Water", "and Tell the Height of the Tides", "to Whom It May Concern"]
    notes = ["Sea Research", "2019, Vol. 27(11) 1451-1460", "© The Author(s) 2019", "Reprints and permissions:",
             "example.org/permissions", "DOI: 10.1234/0956", "sea.example.org"]  # fmt: skip
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    for at, row in enumerate(rows):
        page.insert_text((60, 99 + 20 * at), row, fontsize=18, fontname="tibo")
    for at, row in enumerate(notes):
        x = 550 - pymupdf.get_text_length(row, fontname="tiro", fontsize=7) if is_flush else 440
        page.insert_text((x, 90 + 8.5 * at), row, fontsize=7, fontname="tiro")
    write(page, ["Ada Lovelace and Charles Babbage"], 60, 190, 12, "tibo")
    y = write(page, ["Abstract"], 60, 230, 10, "tibo")
    write(page, [f"{row} {row}"[:105] for row in prose("abs", 6, 10)], 60, y)
    write_columns(page, 400)
    page = document.new_page(width=612, height=792)
    write_columns(page, 80)
    record = pdf.read(document.tobytes())
    assert record["title"] == " ".join(rows)
    assert record["authors"] == ["Ada Lovelace", "Charles Babbage"]


@pytest.mark.parametrize("is_small", [True, False])
def test_a_bibliography_that_begins_in_both_columns_below_text_is_whole(is_small: bool) -> None:
    """Behind its left column the text of the right one was read, and the rest of the list was in that section."""
    size = 7 if is_small else 9
    entries = [f"{at}. Lovelace A (19{at + 10}) Sensors that float. Tides {at}: 1-9." for at in range(1, 51)]
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Sensors That Float in Deep Water and Tell"], 60, 80, 17, "tibo")
    write(page, ["Ada Lovelace, Charles Babbage"], 60, 110, 11)
    write_columns(page, 160)
    page = document.new_page(width=612, height=792)
    y = write(page, prose("left", 24, 7), 60, 60, 9)
    write(page, ["References"], 60, y + 24, 11, "tibo")
    end = write(page, prose("before", 12, 7), 320, 60, 9)
    write(page, ["Author Contributions"], 320, end + 12, 11, "tibo")
    write(page, prose("after", 7, 7), 320, end + 30, 9)
    for at, entry in enumerate(entries[:24]):
        page.insert_text((60 + 260 * (at // 12), y + 44 + 15 * (at % 12)), entry, fontsize=size, fontname="tiro")
    page = document.new_page(width=612, height=792)
    for at, entry in enumerate(entries[24:]):
        page.insert_text((60 + 260 * (at // 13), 60 + 15 * (at % 13)), entry, fontsize=size, fontname="tiro")
    record = pdf.read(document.tobytes())
    assert [one["text"] for one in record["references"]] == entries
    assert record["sections"][-1]["heading"] == "Author Contributions"
    assert record["sections"][-1]["text"] == " ".join(prose("after", 7, 7))


@pytest.mark.parametrize("marks", [40, 1200])
def test_the_marks_of_a_plot_in_a_font_of_signs_are_no_letters(marks: int) -> None:
    """R sets the points of its plots as letters of ZapfDingbats: there may be more of them than letters of text."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    y = write(page, ["1 Introduction"], 72, 80, 12, "tibo")
    write(page, prose("body", 30, 10), 72, y)
    plot = document.new_page(width=612, height=792)
    for at in range(marks):
        plot.insert_text((80 + (at * 37) % 400, 60 + (at * 61) % 300), "l" * (1 + at % 3), fontsize=4, fontname="zadb")
    for font in plot.get_fonts():
        document.xref_set_key(
            font[0], "Encoding", "null"
        )  # as R's files have it: the library makes letters of the marks
    y = write(plot, ["2 Results"], 72, 420, 12, "tibo")
    write(plot, prose("result", 20, 10), 72, y)
    record = pdf.read(document.tobytes())
    assert [one["heading"] for one in record["sections"]] == ["Introduction", "Results"]
    assert record["sections"][1]["text"].startswith("result0")
    assert "G" not in "".join(one["text"] for one in record["sections"])


@pytest.mark.parametrize("gap", [15, 12])
def test_bold_words_that_open_a_paragraph_do_not_belong_to_the_heading_above(gap: float) -> None:
    """Set off from its text by more than a line, the heading is one; else the bold words may run on over two lines."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Sensors That Float in Deep Water"], 150, 60, 17, "tibo")
    y = write(page, ["4 Experiments"], 72, 90, 12, "tibo") + 4
    for number, heading in enumerate(("Setup of the trials", "Results of the trials", "Sources of error"), 1):
        page.insert_text((72, y), f"4.{number} {heading}", fontsize=10, fontname="tibo")
        y += gap
        page.insert_text((72, y), "Metrics.", fontsize=10, fontname="tibo")
        x = 74 + pymupdf.get_text_length("Metrics. ", fontname="tibo", fontsize=10)
        page.insert_text(
            (x, y), "In addition to the first one we count the others by hand.", fontsize=10, fontname="tiro"
        )
        y = write(page, prose(f"p{number}", 8, 12), 72, y + 12) + 8
    numbers = [one["number"] for one in pdf.read(document.tobytes())["sections"]]
    assert numbers == (["4", "4.1", "4.2", "4.3"] if gap > 12 else ["4"])
