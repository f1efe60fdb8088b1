"""Headings that open a paragraph, and the levels of what journals print behind the text."""

from __future__ import annotations

import random

import pymupdf
import pytest
from support.set_text import prose, write

from scholartools.readers.common.page import Body, Line, Span, Style
from scholartools.readers.common.roles import is_end_matter
from scholartools.readers.pdf import reader as pdf
from scholartools.readers.pdf.sections import heading_levels
from scholartools.readers.pdf.sections.headings import Heading, Look
from scholartools.readers.pdf.sections.run_ins import open_paragraphs

HEADS = ["Participants.", "Apparatus and stimuli.", "Design.", "Procedure.", "Data analysis.", "Who was asked?"]
TERMS = ["Theorem 1.", "Lemma 2 (Zorn).", "Proof of Theorem 1.", "Remark.", "Definition 2.1.", "Note.",
         "Hypothesis 1 (H1).", "Beweis.", "Corollary 4."]  # fmt: skip


def open_paragraph(page: pymupdf.Page, words: str, tag: str, y: float, font: str, indent: float = 20) -> float:
    """A paragraph that words in another font open."""
    page.insert_text((72 + indent, y), words, fontsize=10, fontname=font)
    beside = 72 + indent + pymupdf.get_text_length(f"{words} ", fontname=font, fontsize=10)
    rows = prose(tag, 4)
    page.insert_text((beside, y), f"At {rows[0]}"[: int((470 - beside) / 4.4)], fontsize=10, fontname="tiro")
    return write(page, rows[1:], 72, y + 12)


def manuscript(openings: list[str], font: str, *, counted: bool) -> dict:
    """A paper of two sections whose paragraphs open with words in another font."""
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Mud, Tides and Barriers"], 200, 80, 17, "tibo")
    write(page, ["Ada Lovelace, Charles Babbage"], 220, 110, 12)
    y = write(page, prose("abs", 4), 72, write(page, ["Abstract"], 280, 150, 11, "tibo"))
    for number, (head, words) in enumerate((("Method", openings), ("Results", []), ("Discussion", [])), 1):
        y = write(page, [f"{number}. {head}" if counted else head], 72, y + 20, 13, "tibo") + 4
        y = write(page, prose(head[:3], 4), 72, y)
        for at, one in enumerate(words):
            y = open_paragraph(page, one, f"w{at}", y, font)
        page, y = document.new_page(width=612, height=792), 72.0
    return pdf.read(document.tobytes())


@pytest.mark.parametrize("font", ["tibo", "tibi", "tiit"])
def test_words_that_open_paragraphs_are_headings_below_those_above_and_no_text_is_lost(font: str) -> None:
    record = manuscript(HEADS, font, counted=False)
    found = [(one["heading"], one["level"]) for one in record["sections"]]
    inner = [(head.rstrip("."), 2) for head in HEADS]
    assert found == [("Method", 1), *inner, ("Results", 1), ("Discussion", 1)]
    assert [one["text"].split()[1] for one in record["sections"][1:7]] == [f"w{at}0" for at in range(6)]


@pytest.mark.parametrize("font", ["tibo", "tiit"])
def test_names_of_statements_and_paragraphs_below_numbered_headings_are_no_sections(font: str) -> None:
    for openings, counted in ((TERMS, False), (HEADS, True)):
        record = manuscript(openings, font, counted=counted)
        assert [one["heading"] for one in record["sections"]] == ["Method", "Results", "Discussion"]
        text = " ".join(record["sections"][0]["text"].split())
        assert all(words in text for words in openings)


def test_terms_of_a_list_whose_lines_hang_are_no_headings() -> None:
    bold, plain = Style("Times", 10, bold=True), Style("Times", 10)
    lines = [Line(1, [Span("Method", bold)], 72, 60, 110, 70)]
    for at in range(4):
        y = 80.0 + 24 * at
        lines.append(
            Line(1, [Span(f"Term {'abcd'[at]}. ", bold), Span("It is what it is.", plain)], 72, y, 300, y + 10)
        )
        lines.append(
            Line(1, [Span("and what goes on is further right than the term.", plain)], 92, y + 12, 300, y + 22)
        )
    one = Heading(0, 1, None, "Method", Look(10, True, False, False))
    assert open_paragraphs(lines, [one], Body(10, "Times", 12)) == (lines, [one])


@pytest.mark.parametrize("counted", [True, False])
def test_end_matter_that_opens_paragraphs_is_of_the_first_level(counted: bool) -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    write(page, ["Mud, Tides and Barriers"], 200, 80, 17, "tibo")
    y = write(page, prose("abs", 4), 72, write(page, ["Abstract"], 280, 150, 11, "tibo"))
    for number, head in enumerate(("Introduction", "Methods", "Conclusions"), 1):
        y = write(page, [f"{number}. {head}" if counted else head], 72, y + 20, 13, "tibo") + 4
        y = write(page, prose(head[:3], 4), 72, y)
    ends = ["Author Contributions:", "Funding:", "Data Availability Statement:", "Conflicts of Interest:"]
    for at, words in enumerate(ends):
        y = open_paragraph(page, words, f"e{at}", y, "tibo", 0)
    found = [(one["heading"], one["level"]) for one in pdf.read(document.tobytes())["sections"]]
    texts = ["Introduction", "Methods", "Conclusions"]
    assert found == [*((head, 1) for head in texts), *((words.rstrip(":"), 1) for words in ends)]


def test_end_matter_is_of_the_first_level_however_it_is_set() -> None:
    """Drawn orders of headings: only end matter that nothing of the text comes behind is lifted, parts of it are below."""
    draw = random.Random(31)
    large, small = Look(12, True, False, False), Look(10, True, False, False)
    for _ in range(200):
        text = [("Introduction", large), ("Methods", large), ("Data availability", small), ("Results", large),
                ("Numbers of mud", small), ("Discussion", large)]  # fmt: skip
        ends = draw.sample(["Funding", "Acknowledgments", "Code availability", "Supporting information"], 3)
        plain = [(words, draw.choice((large, small))) for words in ends]
        grouped = [("Declarations", large), ("Ethics approval", small), ("Consent to participate", small)]
        given = [*text, *plain, *(grouped if draw.random() < 0.5 else []), ("References", large)]
        made = heading_levels.with_levels([Heading(at, at + 1, None, *one) for at, one in enumerate(given)])
        levels = {one.words: one.level for one in made}
        assert [levels[words] for words, _ in text] == [1, 1, 2, 1, 2, 1]
        assert {levels[words] for words in ends} == {1}
        assert [levels.get(words, level) for (words, _), level in zip(grouped, (1, 2, 2))] == [1, 2, 2]


@pytest.mark.parametrize(
    ("heading", "is_end"),
    [
        ("Acknowledgements", True), ("CRediT authorship contribution statement", True), ("Funding information", True),
        ("Declaration of competing interest", True), ("Data and Code Availability", True), ("ORCID iDs", True),
        ("Conflict of Interest Statement", True), ("AUTHORS’ CONTRIBUTIONS", True), ("Data", False),
        ("Funding of public schools", False), ("Materials and methods", False), ("Conflict", False),
    ],
)  # fmt: skip
def test_end_matter_by_its_words(heading: str, is_end: bool) -> None:
    assert is_end_matter(heading) is is_end
