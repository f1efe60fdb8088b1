"""What papers of law, history and the humanities, theses and chapters bring: notes, contents, works cited."""

from __future__ import annotations

from scholartools.readers.common.hyphenation import vocabulary_of
from scholartools.readers.common.page import Body, Line, Page, Span, Style
from scholartools.readers.pdf import front_matter, layout, page_furniture, paragraphs

BODY = Body(10.0, "Times", 12.0)


def line(text: str, y: float, size: float = 10, *, x: float = 50, page: int = 1, **style: bool) -> Line:
    """A line of half an em a character."""
    return Line(page, [Span(text, Style("Times", size, **style))], x, y, x + 0.5 * size * len(text), y + size)


def text_of_page(number: int, last: float) -> list[Line]:
    return [line(f"All the readers of page {number} read row {y} of it and go on.", y, page=number)
            for y in range(60, round(last), 12)]  # fmt: skip


def test_notes_and_sentences_below_the_text_of_other_pages_stay_on_their_page() -> None:
    feet = [
        line("1See the ledgers of the merchants.", 720, 8, page=1),
        line("2Another note that is longer than", 716, 8, page=2),
        line("its first line.", 725, 8, page=2),
        line("and the last row of the paragraph is on this page alone, as it must be.", 718, page=3),
        line("Vol. 3, printed in May", 745, 8, page=4),
    ]
    pages = [Page(n, 400, 792, [*text_of_page(n, 700), *(f for f in feet if f.page == n)]) for n in range(1, 6)]
    entry = line("[1] Lovelace, Ada. Debts.", 742, 8, page=5)
    pages[4].lines += [line("References", 720, 12, page=5), entry]
    apart = page_furniture.strip_furniture(pages, BODY)
    assert apart == feet[-1:] and entry in pages[4].lines
    assert [one in page.lines for one in feet for page in pages if page.number == one.page] == [True] * 4 + [False]


def test_items_of_lists_are_paragraphs_wherever_the_page_breaks() -> None:
    """A list of nine lines, three an item, turned to the next page behind each of its lines."""
    for mark, ends in (("•", ";"), ("•", "."), ("{}.", "."), ("({})", ":")):
        items = [[f"{mark.format(n)} The lamps of yard {n} were", "read by two people in turn, and both of",
                  f"them wrote down what they saw{ends}"] for n in (1, 2, 3)]  # fmt: skip
        texts = [text for item in items for text in item]
        for cut in range(1, len(texts)):
            lines = [line(text, 12 * (at % cut), page=1 + (at >= cut)) for at, text in enumerate(texts)]
            found = paragraphs.join_paragraphs(lines, BODY, paragraphs.edges_of(lines), vocabulary_of(texts))
            assert found.split("\n\n") == [" ".join(item) for item in items], (mark, ends, cut)


def test_tables_of_contents_are_front_matter_up_to_the_first_heading() -> None:
    texts = ["Some words before 3", "Contents", "Introduction . . . . . . 1", "2 A long heading that goes", "on . . . 4",
             "2.1 Notes 4", "List of Figures", "1.1 A map 2", "1.2 A town 5", "1.3 A court 5", "Introduction", "In 5",
             "Contents", "are not listed here"]  # fmt: skip
    lines = [line(text, 12 * at) for at, text in enumerate(texts)]
    kept, lists = front_matter.split_contents(lines)
    assert [one.text for one in kept] == [*texts[:1], *texts[10:]]
    assert [[one.text for one in listed] for listed in lists] == [texts[1:6], texts[6:10]]
    record = front_matter.contents_record(lists[0])
    assert record["kind"] == "contents"
    assert record["text"].splitlines()[1:3] == ["Introduction 1", "2 A long heading that goes"]


def test_a_list_of_contents_goes_on_past_a_section_of_the_name_of_another() -> None:
    texts = ["Contents", "1 Data 1", "1.1 Discussion 2", "2 Discussion", "A Sources 9"]
    lines = [line(text, 60 + 12 * at) for at, text in enumerate(texts)]
    lines += [line(text, 60 + 40 * at, 14, page=2) for at, text in enumerate(["1 Data", "2 Discussion"])]
    kept, (listed,) = front_matter.split_contents(lines)
    assert [one.text for one in listed] == texts and kept == lines[5:]


def test_figures_within_letters_make_no_appendix_and_chapters_have_titles() -> None:
    heads = [
        "I. INTRODUCTION",
        "A. The Rule",
        "1. Its Reach",
        "2. Limitations",
        "B. The Reform",
        "II. CONCLUSION",
        "Works Cited",
    ]
    lines = [line("A Paper about Rules and Reforms", 20, 16, bold=True)]
    for at, head in enumerate(heads):
        lines += [line(head, 80 + 90 * at, bold=at < 6)]
        lines += [line(f"Readers of all the rows {at} read them from left to right.", 80 + 90 * at + dy) for dy in (14, 26, 38, 50)]  # fmt: skip
    record = layout.build_paper([Page(1, 400, 900, lines)])
    assert [one["role"] for one in record["sections"]] == [
        "introduction", "other", "other", "limitation", "other", "conclusion"
    ]  # fmt: skip
    assert record["references"]
    pages = [Page(9, 400, 792, [line("Rates of the Towns, a Thesis", 300, 24, page=9)])]
    for number, title in enumerate(("Introduction", "Sources of the Towns", "Rates"), 1):
        above = [line(f"Chapter {number}", 150, 18, page=number), line(title, 190, 22, page=number)]
        section = [line(f"{number}.1 Its Parts", 300, 12, page=number, bold=True)]
        rows = [one for one in text_of_page(number, 700) if one.y0 > 220 and not 280 < one.y0 < 320]
        pages.append(Page(number, 400, 792, [*above, *rows, *section]))
    sections = layout.build_paper(pages)["sections"]
    assert [one["heading"] for one in sections[::2]] == ["Introduction", "Sources of the Towns", "Rates"]
    assert [one["number"] for one in sections[::2]] == ["Chapter 1", "Chapter 2", "Chapter 3"]


def test_the_steps_of_an_algorithm_are_its_content_as_far_as_its_rules_reach() -> None:
    steps = ["1: Require the debts of all towns, sorted by their date, and a budget.", "2: for each debt do",
             "3: settle it if the budget covers it, and carry it over if it does not.", "4: end for"]  # fmt: skip
    rows = [one for one in text_of_page(1, 700) if not 200 < one.y0 < 300]
    lines = [
        line("A Paper about Debts of the Towns", 20, 16, bold=True),
        *rows,
        line("Algorithm 1: Settling of debts", 214),
    ]
    lines += [line(step, 230 + 12 * at, bold=at == 3) for at, step in enumerate(steps)]
    rules = [(50.0, y, 350.0, y + 0.4) for y in (211, 226, 279)]
    record = layout.build_paper([Page(1, 400, 792, lines, rules=rules)])
    (caption,) = record["captions"]
    assert (caption["id"], caption["content"]) == ("algorithm1", "\n".join(steps))
    assert "budget" not in str(record["sections"]) and record["warnings"] == []
    assert all(str(one.text) in record["sections"][0]["text"] for one in rows)


def title_of(*rows: str) -> str | None:
    """The title of a first page of one size with these rows, all of them bold, above its text."""
    above = [line(row, 60 + 14 * at, bold=True) for at, row in enumerate(rows)]
    return layout.build_paper([Page(1, 400, 792, [*above, *text_of_page(1, 700)[20:]])])["title"]


def test_titles_under_the_name_of_a_series_and_behind_a_label() -> None:
    names = ("Ada Lovelace", "Charles Babbage", "Mary Somerville")
    series = (
        "TOWN WORKING PAPERS IN HISTORY",
        "",
        "DEBTS OF TOWNS",
        "AND THEIR COURTS",
        "",
        *names,
        "Working Paper 2113",
    )
    assert title_of(*series) == "DEBTS OF TOWNS AND THEIR COURTS"
    labelled = ("Title: Debts of Towns and the", "Courts of Judges", "Authors: Ada Lovelace", "Word count: 3,000")
    assert title_of(*labelled) == "Debts of Towns and the Courts of Judges"


def test_a_page_number_beside_a_running_foot_is_none_of_the_text() -> None:
    feet = [
        [line(str(n), 760, 8, x=50, page=n), line("Debts of Towns, May 3", 760, 8, x=60, page=n)] for n in (1, 2, 3)
    ]
    pages = [Page(n, 400, 792, [*text_of_page(n, 700), *foot]) for n, foot in enumerate(feet, 1)]
    page_furniture.strip_furniture(pages, BODY)
    assert [page.lines for page in pages if any(one.y0 > 700 for one in page.lines)] == []


def test_lettered_headings_in_italics_are_below_those_in_capitals_larger_or_not() -> None:
    heads = [
        ("I. INTRODUCTION", 9.0),
        ("II. DATA", 9.0),
        ("(a). The Ledgers", 10.5),
        ("(b). The Letters", 10.5),
        ("III. RESULTS", 9.0),
    ]
    lines = [line("A Paper about Debts of the Towns", 20, 16, bold=True)]
    for at, (head, size) in enumerate(heads):
        lines += [line(head, 80 + 90 * at, size, italic=size > 9)]
        lines += [line(f"Readers of all the rows {at} read them from left to right.", 80 + 90 * at + dy) for dy in (14, 26, 38, 50)]  # fmt: skip
    sections = layout.build_paper([Page(1, 400, 900, lines)])["sections"]
    assert [(one["heading"], one["level"]) for one in sections] == [
        ("INTRODUCTION", 1), ("DATA", 1), ("(a). The Ledgers", 2), ("(b). The Letters", 2), ("RESULTS", 1)
    ]  # fmt: skip
