"""Layout on plain page data: order, furniture, headings, joined lines, references, roles."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.readers.common.authors import find_authors
from scholartools.readers.common.hyphenation import (
    Vocabulary,
    compose_accents,
    join_texts,
    vocabulary_of,
)
from scholartools.readers.common.page import (
    Body,
    Line,
    Page,
    Span,
    Style,
    body_of,
)
from scholartools.readers.common.roles import number_of, role_of
from scholartools.readers.pdf import columns, layout, page_furniture
from scholartools.readers.pdf.sections import heading_levels, headings
from scholartools.readers.references import entries
from scholartools.vocabulary import ROLES

BODY = Body(10.0, "Times", 12.0)


def line(text: str, x: float = 50, y: float = 100, size: float = 10, *, page: int = 1, **style: bool) -> Line:
    """A line of half an em a character."""
    return Line(page, [Span(text, Style("Times", size, **style))], x, y, x + 0.5 * size * len(text), y + size)


def words(*counted: str) -> Vocabulary:
    return vocabulary_of(f"a {word} z" for word in counted)


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("1 Introduction", "introduction"), ("I. INTRODUCTION AND STATE OF THE ART", "introduction"), ("2.1 Related Work", "related"),
        ("Limitations and Future Work", "limitation"), ("6. Conclusion and Limitations", "limitation"),
        ("Threats to Validity", "limitation"), ("Broader Impact", "ethics"), ("Ethics Statement", "ethics"),
        ("4 Experimental Setup", "experiment"), ("5 Results and Discussion", "discussion"), ("Results", "result"),
        ("3 Data", "data"), ("Materials and Methods", "method"), ("Our Approach", "method"), ("Preliminaries", "background"),
        ("Acknowledgements", "acknowledgement"), ("References", "reference"), ("Appendix A Proofs", "appendix"),
        ("Future Directions", "future"), ("7 Conclusions and Future Work", "conclusion"), ("Abstract", "abstract"),
        ("Einleitung", "introduction"), ("Verwandte Arbeiten", "related"), ("Zusammenfassung und Ausblick", "conclusion"),
        ("Einschränkungen", "limitation"), ("Literaturverzeichnis", "reference"), ("Travaux connexes", "related"),
        ("Résultats", "result"), ("1 引言", "introduction"), ("参考文献 (References)", "reference"), ("はじめに", "introduction"), ("Remerciements", "acknowledgement"), ("Introducción", "introduction"), ("Limitaciones", "limitation"),
        ("Conclusões", "conclusion"), ("Metodologia", "method"), ("Trabalhos relacionados", "related"), ("Limiti", "limitation"),
        ("Ringraziamenti", "acknowledgement"), ("Bibliografia", "reference"), ("The Octopus", "other"), ("", "other"),
        ("Motivation", "introduction"), ("1.1 Background & Motivation", "introduction"), ("Our motivation", "introduction"),
        ("2.1 A schedule for human motivation", "other"),
    ],
)  # fmt: skip
def test_roles(heading: str, role: str) -> None:
    assert role_of(heading) == role


@given(st.text(max_size=400))
def test_every_heading_has_one_of_the_roles(heading: str) -> None:
    assert role_of(heading) in ROLES


@pytest.mark.parametrize(
    ("heading", "number", "rest"),
    [
        ("3.1 Setup", "3.1", "Setup"), ("3. Setup", "3", "Setup"), ("IV. RESULTS", "IV", "RESULTS"), ("A Proofs", "A", "Proofs"),
        ("A.2 Proofs", "A.2", "Proofs"), ("Appendix B Proofs", "Appendix B", "Proofs"), ("1) Setup:", "1)", "Setup:"),
        ("A limit", None, "A limit"), ("3D vision", None, "3D vision"), ("Results", None, "Results"), ("2020", None, "2020"),
    ],
)  # fmt: skip
def test_numbers_of_headings(heading: str, number: str | None, rest: str) -> None:
    assert number_of(heading) == (number, rest)


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("the token-", "izer", "the tokenizer"), ("a well-", "known one", "a well-known one"),
        ("an LSTM-", "based tagger", "an LSTM-based tagger"), ("the Kullback-", "Leibler term", "the Kullback-Leibler term"),
        ("SQuAL-", "ITY is", "SQuALITY is"), ("soft\u00ad", "ware", "software"), ("in 2019-", "2020", "in 2019-2020"),
        ("one", "two", "one two"), ("贷款，", "利率", "贷款，利率"), ("and/", "or", "and/or"), ("words —", "and more", "words — and more"),
        ("sequence-", "aligned recurrence", "sequence-aligned recurrence"), ("re-", "view", "re-view"), ("re-", "sults", "results"),
    ],
)  # fmt: skip
def test_hyphens_at_line_ends(before: str, after: str, joined: str) -> None:
    known = words("tokenizer", "well-known", "SQuALITY", "sequence", "aligned", "re-view", "results")
    assert join_texts([before, after], known) == joined


def test_the_document_decides_on_compounds() -> None:
    assert join_texts(["a data-", "base"], words("database")) == "a database"
    assert join_texts(["a data-", "base"], words("data-base", "data-base", "database")) == "a data-base"


@pytest.mark.parametrize(
    ("printed", "composed"),
    [
        ("Nystr¨om", "Nyström"),
        ("P´erez", "Pérez"),
        ("Garc´ıa", "García"),
        ("cafe\u0301", "café"),
        ("¸c", "ç"),
        ("x² ﬁ", "x² ﬁ"),
    ],
)
def test_accents_are_composed_and_mathematics_is_not_changed(printed: str, composed: str) -> None:
    assert compose_accents(printed) == composed


def test_columns_are_read_down_between_spanning_lines() -> None:
    lines = [
        line(name, y=y) for name, y in (("title", 0), ("l1", 20), ("r1", 20), ("l2", 40), ("r2", 41), ("foot", 60))
    ]
    for one, column in zip(lines, (0, 1, 2, 1, 2, 0)):
        one.column = column
    assert [one.text for one in columns.in_order(reversed(lines))] == ["title", "l1", "l2", "r1", "r2", "foot"]


def test_number_and_heading_are_one_row_but_columns_are_not() -> None:
    left = [line("some words that fill half of a page", 50, 100 + 12 * i) for i in range(30)]
    right = [line("other words that fill the other half", 310, 100 + 12 * i) for i in range(30)]
    left[0] = line("3", 50, 100)
    heading = line("Methods", 70, 100)
    page = Page(1, 612, 792, [*left, heading, *right])
    columns.arrange_pages([page], BODY)
    assert page.lines[0].text == "3 Methods" and page.lines[30].text == "other words that fill the other half"
    assert [one.column for one in page.lines] == [1] * 30 + [2] * 30


def test_running_heads_page_numbers_and_line_numbers_go() -> None:
    pages = []
    for number in (1, 2, 3):
        text = [
            line(f"{'abc'[number - 1]} line of the body with more words {'x' * i}", 80, 80 + 14 * i, page=number)
            for i in range(40)
        ]
        counted = [line(str(40 * number + i), 30, 80 + 14 * i, 6, page=number) for i in range(40)]
        edges = [
            line(f"A Paper on Reading {number}", 200, 30, page=number),
            line(f"Page {number} of 3", 280, 770, page=number),
        ]
        pages.append(Page(number, 612, 792, [*text, *counted, *edges]))
    page_furniture.strip_furniture(pages, body_of(pages))
    assert all(len(page.lines) == 40 and all("line of the body" in one.text for one in page.lines) for page in pages)


def test_a_column_of_numbers_in_a_table_is_no_line_numbering() -> None:
    rows = [line(str(i), 100, 200 + 12 * i) for i in range(1, 9)]
    page = Page(
        1, 612, 792, [*rows, *(line("words that stand above the table " * 2, 80, 100 + 12 * i) for i in range(6))]
    )
    assert page_furniture.line_numbers(page) == set()


def test_headings_by_number_and_by_weight() -> None:
    text = []
    y = 0.0
    for heading in ("1 Introduction", "2 Methods", "2.1 Data", "3 Results"):
        text.append(line(heading, y=(y := y + 30), size=12, bold=True))
        text += [line("The body of the section goes on for a while here.", y=(y := y + 12)) for _ in range(3)]
    text.append(line("Limitations", y=(y := y + 30), size=12, bold=True))
    text.append(line("We only looked at one language and one kind of page.", y=y + 12))
    found = heading_levels.with_levels(headings.find_headings(text, BODY))
    assert [(one.number, one.words, one.level) for one in found] == [
        ("1", "Introduction", 1), ("2", "Methods", 1), ("2.1", "Data", 2), ("3", "Results", 1), (None, "Limitations", 1),
    ]  # fmt: skip


def test_items_of_lists_are_no_headings() -> None:
    text = [line("1 Introduction", size=12, bold=True)]
    for step in range(1, 13):
        text.append(
            line(f"{(step - 1) % 4 + 1}. Keep a copy of all that you ever wrote.", y=100 + 30 * step, bold=True)
        )
        text.append(line("It will be of use when the first one is lost.", y=112 + 30 * step))
    assert [one.words for one in headings.find_headings(text, BODY)] == ["Introduction"]


def test_run_in_headings_open_a_paragraph_and_stay_in_the_text() -> None:
    text = [line(f"{'Body text runs over the whole width of the column here.'} {i}", y=12.0 * i) for i in range(5)]
    run_in = Line(
        1,
        [Span("Limitations. ", Style("Times", 10, bold=True)), Span("We saw one page.", Style("Times", 10))],
        50,
        60,
        195,
        70,
    )
    text[-1].spans[0].text = "The paragraph ends here with words to the right side."
    section = layout.build_paper([Page(1, 612, 792, [*text, run_in])])["sections"][0]
    assert section["text"].split("\n\n")[-1] == "Limitations. We saw one page."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[3] A. Author. A title of some length. In Proc. X, pages 1999–2010, 2018a.", ("A title of some length", 2018, None, None)),
        ("Author, A. (2017). On the length of titles. Journal, 3(2), 1–9. https://doi.org/10.1145/3292500.3330701.",
         ("On the length of titles", 2017, "10.1145/3292500.3330701", None)),
        ("A. Author, “Quoted titles are easy,” IEEE Trans., vol. 2, 2011.", ("Quoted titles are easy", 2011, None, None)),
        ("B. Author. Preprints everywhere we look. arXiv preprint arXiv:1912.01703, 2019.",
         ("Preprints everywhere we look", 2019, None, "1912.01703")),
        ("C. Author. CoRR, abs/1412.6980, 2014.", (None, 2014, None, "1412.6980")),
    ],
)  # fmt: skip
def test_what_a_reference_holds(text: str, found: tuple) -> None:
    entry = entries.parse_entry(text)
    assert (entry["title"], entry["year"], entry["doi"], entry["arxiv"]) == found


def test_references_by_hanging_indent() -> None:
    lines = []
    for number in range(5):
        lines.append(line(f"Author, {'ABCDE'[number]}. 20{number}0. Some title of the work", 50, 24.0 * number))
        lines.append(line("that goes on in a second line. Journal.", 60, 24.0 * number + 12))
    found = entries.split_entries(lines, words())
    assert len(found) == 5 and all(entry["text"].endswith("second line. Journal.") for entry in found)


def test_numbered_references_ignore_numbers_that_open_other_lines() -> None:
    lines = [line(text, 50, 12.0 * i) for i, text in enumerate(
        ["1. Author A. First title. Journal of Things 12:", "34–56, 1999. More words.", "2. Author B. Second title.", "3. Author C. Third."]
    )]  # fmt: skip
    assert [entry["text"][:2] for entry in entries.split_entries(lines, words())] == ["1.", "2.", "3."]


@given(st.lists(st.text(alphabet="ab-‐ .", max_size=12), max_size=8))
def test_joining_loses_nothing_but_hyphens_and_spaces(texts: list[str]) -> None:
    def kept(text: str) -> str:
        return "".join(char for char in text if char not in "-‐ ")

    assert kept(join_texts(texts, words())) == kept("".join(texts))


def test_empty_pages_give_an_empty_paper() -> None:
    paper = layout.build_paper([Page(1, 612, 792), Page(2, 612, 792)])
    assert paper["title"] is None and paper["sections"] == [] and paper["references"] == []


@pytest.mark.parametrize("junk", ["a", "A. ", "1.", " ", "-", "“", "a-", ".", "10.1000/", "a, ", "é", "[1]", "Fig. "])
def test_junk_takes_linear_time(junk: str) -> None:
    text = (junk * 200_000)[:200_000]
    layout.build_paper(
        [
            Page(
                1,
                612,
                792,
                [line("Title of the Paper", size=18), line(text, y=150), line("References", y=200), line(text, y=300)],
            )
        ]
    )
    role_of(text)
    entries.parse_entry(text)


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("Güne¸s", "Güneş"), ("Franc¸ois", "François"), ("Fran¸cois", "François"), ("Gar¸con", "Garçon"), ("S¸tefan", "Ştefan"),
        ("¸Stefan", "Ştefan"), ("M¨uller", "Müller"), ("na¨ıve", "naïve"), ("ˆλ", "λ\u0302"),
    ],
)  # fmt: skip
def test_accents_set_apart_go_on_the_letter_that_carries_them(printed, read):
    assert compose_accents(printed) == read


def names(*rows: str) -> list[str]:
    """The authors in rows of spans: ``^1^`` is raised, ``*IEEE*`` in italics, ``=Uni=`` bold, ``_in_`` small."""
    lines = []
    for index, row in enumerate(rows):
        spans = [Span(part.strip("^*=_") if part[0] in "^*=_" else part, _style(part[0]))
                 for part in re.findall(r"\^[^^]+\^|\*[^*]+\*|=[^=]+=|_[^_]+_|[^*^=_]+", row)]  # fmt: skip
        lines.append(Line(1, spans, 100, 100 + 12 * index, 500, 110 + 12 * index, cells=row.count("   ") + 1))
    return find_authors(lines, BODY)


def _style(mark: str) -> Style:
    size = {"^": 7.0, "_": 8.0}.get(mark, 11.0)
    return Style("Times", size, bold=mark == "=", italic=mark == "*", raised=mark == "^")


LISTS = {
    "raised marks": ("Ada Lovelace^1,2^, Charles Babbage^1,*^ and Mary Somerville^2^", "^1^ Engine Department, London",
                     "^2^ Department of Physical and Molecular Genetics, Oxford"),
    "marks between names": ("Ada Lovelace^♠∗^ Charles Babbage^♢^ Mary Somerville^♠^", "^♠^University of Engines"),
    "stars, e-mails in the address": ("=Ada Lovelace *, Charles Babbage and Mary Somerville=",
                    "Department of Engines, University of London, London 31006,",
                    "UK; E-Mails: c.babbage@engines.org (C.B.); mary@engines.org (M.S.)"),
    "ORCID": ("Ada Lovelace^[0000−0002−3723−6960]^, Charles Babbage[0000-0002-9468-0822],",
              "and Mary Somerville \ue000"),
    "an icon of letters": ("Ada Lovelace ^1^ iD , Charles Babbage ^2^ iD and Mary Somerville",),
    "members of a society": ("Ada Lovelace, *Member, IEEE,* Charles Babbage, *Fellow, IEEE,* and Mary Somerville",),
    "the same in one face": ("Ada Lovelace, Senior Member, IEEE, Charles Babbage, and Mary Somerville, Fellow, IEEE",),
    "address beside each": ("Ada Lovelace_, University of London, UK_", "Charles Babbage_, Analytical Engines Ltd, UK_",
                            "Mary Somerville_, Royal Society, London_"),
    "e-mail beside each": ("Ada Lovelace   ADA@ENGINES.ORG", "*Engine Works, London*",
                           "Charles Babbage   CB@ENGINES.ORG", "Mary Somerville   MS@ENGINES.ORG"),
    "a name over two lines": ("Ada Lovelace^1^, Charles Babbage^2^, Mary", "Somerville^3^"),
    "a stack": ("Ada Lovelace", "Charles Babbage", "Mary Somerville", "ada@engines.org"),
    "a label": ("=Authors:= Ada Lovelace^1^, Charles Babbage^2^, Mary Somerville^1^", "^1^ University of Engines"),
    "titles and degrees": ("Prof. Dr. Ada Lovelace, MPhil, Dr Charles Babbage PhD, M.D., and Mary Somerville, B.Sc.",),
    "places in brackets": ("Ada Lovelace (University of London), Charles Babbage (Royal Society) and Mary Somerville",),
    "surnames first": ("Lovelace, Ada^1^; Babbage, Charles^2^; and Somerville, Mary^1^", "_^1^ University of London_"),
    "surnames first, over lines": ("Lovelace, Ada; Babbage, Charles;", "Somerville, Mary"),
    "side by side": ("=Ada Lovelace=   =Charles Babbage=   =Mary Somerville=", "Engine Works   Santa Barbara   Oxford"),
}  # fmt: skip


@pytest.mark.parametrize("rows", LISTS.values(), ids=LISTS)
def test_authors(rows: tuple[str, ...]) -> None:
    assert names(*rows) == ["Ada Lovelace", "Charles Babbage", "Mary Somerville"]


@pytest.mark.parametrize(
    "rows",
    [
        ("Maria de la Cruz^1^, Li Wei^2^ and the ENGINE Consortium",),
        ("Maria de la Cruz^1^, Li Wei^2^ and the", "ENGINE Consortium"),
        ("Maria de la Cruz, Li Wei and ENGINE", "Consortium", "_Avenida de la Paz, Quito_"),
    ],
)
def test_a_consortium_is_an_author_beside_people(rows: tuple[str, ...]) -> None:
    assert names(*rows) == ["Maria de la Cruz", "Li Wei", "ENGINE Consortium"]


@pytest.mark.parametrize(
    "rows", [("Santa Barbara, CA; Ann Arbor, MI",), ("Key Points",), ("Calle de la Rosa, Avenida de la Paz",)]
)
def test_what_reads_like_names_but_is_none(rows: tuple[str, ...]) -> None:
    assert names(*rows) == []


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("Aidan N. Gomez, Francesca Toni, Theo Inman", ["Aidan N. Gomez", "Francesca Toni", "Theo Inman"]),
        ("Ludwig van Beethoven and Gabriele d’Annunzio", ["Ludwig van Beethoven", "Gabriele d’Annunzio"]),
        ("Yi Ma and Bo Li", ["Yi Ma", "Bo Li"]),
        ("Martin Luther King, Jr., C. Titus Brown", ["Martin Luther King, Jr.", "C. Titus Brown"]),
        ("Pablo E. Branchi y Ignacio R. Matias", ["Pablo E. Branchi", "Ignacio R. Matias"]),
        ("Anonymous ACL submission", []), ("Received: 13 November 2013 / Accepted: 10 January 2014", []),
        ("East Lansing, MI, USA", []), ("Google Research", []), ("Allen Institute for AI", []), ("ada@engines.org", []),
        ("ADA LOVELACE", ["ADA LOVELACE"]), ("Department of Microbiology and Molecular Genetics", []),
        ("1 School of Music, Graham Bell Building, London", []),
    ],
)  # fmt: skip
def test_what_is_an_author(printed: str, found: list[str]) -> None:
    assert names(printed) == found


def test_an_address_set_like_the_names_gives_no_author() -> None:
    rows = "Ada Lovelace, Charles Babbage", "Institute of Engines, Old Mill", "Santa Barbara", "ada@engines.org"
    assert names(*rows) == ["Ada Lovelace", "Charles Babbage"]
    beside = "Ada Lovelace   Charles Babbage", "Engine Works, Santa Barbara   Old Mill"
    assert names(*beside) == ["Ada Lovelace", "Charles Babbage"]
