"""Kinds of faults that sources of unseen papers showed, and loops and lengths, each with what is right known."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from support.latex import body, read

INCH = Fraction("72.27")
UNITS = {"pt": Fraction(1), "pc": Fraction(12), "in": INCH, "cm": INCH / Fraction("2.54"), "mm": INCH / Fraction("25.4"),
         "bp": INCH / 72, "sp": Fraction(1, 65536)}  # fmt: skip


def text_of(record: dict) -> str:
    return " ".join(section["text"] for section in record["sections"])


@pytest.mark.parametrize("seed", range(30))
def test_lengths_are_compared_as_tex_does(seed):
    lot = random.Random(seed)
    wanted, written = [], []
    for number in range(12):
        (first, one), (second, other) = (draw_length(lot) for _ in range(2))
        if abs(one - other) < Fraction(1, 1000):
            continue
        sign = lot.choice("<>")
        holds = one < other if sign == "<" else one > other
        named = lot.random() < 0.3
        first = rf"\def\width{{{first}}}" + (r"\ifdim\width " if named else rf"\ifdim {first}")
        how = rf"{first}{sign}{second} yes{number}\else no{number}\fi."
        if not named and lot.random() < 0.3:
            how = rf"\ifdimcomp{{{first.partition('ifdim ')[2]}}}{{{sign}}}{{{second}}}{{yes{number}}}{{no{number}}}."
        written.append(how)
        wanted.append(f"{'yes' if holds else 'no'}{number}.")
    record = body("Begin. " + " ".join(written))
    assert text_of(record) == " ".join(["Begin.", *wanted])
    assert not any(one["kind"] == "macros" for one in record["warnings"])


def draw_length(lot: random.Random) -> tuple[str, Fraction]:
    unit = lot.choice(list(UNITS))
    digits = lot.choice([str(lot.randint(0, 900)), f"{lot.randint(0, 99)}.{lot.randint(1, 99)}"])
    minus = lot.choice(["", "", "-"])
    space = lot.choice(["", " "])
    return f"{minus}{digits}{space}{unit}", (-1 if minus else 1) * Fraction(digits) * UNITS[unit]


def test_a_length_that_depends_on_the_page_is_told():
    record = body(r"We \ifdim\textwidth>2em say\else keep\fi\ it.")
    assert text_of(record) == "We keep it."
    assert any(one["kind"] == "macros" for one in record["warnings"])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a", "b", True),
        ("a", "1", False),
        ("1", ".", True),
        (r"\relax", "a", False),
        (r"\relax", r"\noindent ", True),
        (r"\letter ", "b", True),
        ("b", r"\letter ", True),
        (r"\letter", "2", False),
    ],
)
def test_categories_are_compared(one, other, same):
    written = rf"\def\letter{{a}}We \ifcat {one}{other}keep\else drop\fi\ it."
    assert text_of(body(written)) == f"We {'keep' if same else 'drop'} it."


@pytest.mark.parametrize("seed", range(30))
def test_loops_over_lists_print_each_item(seed):
    lot = random.Random(seed)
    wanted, written = [], []
    for number in range(5):
        kind = lot.choice(["plain", "pairs", "range", "step", "letters", "list", "do", "counted"])
        items = lot.sample(["oak", "fir tree", "elm", "ash", "{yew, box}", "alder"], lot.randint(1, 4))
        shown = [item.strip("{}") for item in items]
        start, count, step = lot.randint(-3, 5), lot.randint(2, 6), lot.choice([-2, 1, 2, 3])
        match kind:
            case "plain":
                how, said = rf"\foreach \x in {{{', '.join(items)}}} {{\x; }}", [f"{one};" for one in shown]
            case "pairs":
                pairs = ",".join(f"{at}/{one}" for at, one in enumerate(items))
                how = rf"\foreach \a/\b in {{{pairs}}}{{\a:\b; }}"
                said = [f"{at}:{one};" for at, one in enumerate(shown)]
            case "range":
                how = rf"\foreach \n in {{{start},...,{start + count}}} {{\n; }}"
                said = [f"{start + at};" for at in range(count + 1)]
            case "step":
                values = [start + step * at for at in range(count + 2)]
                how = rf"\foreach \n in {{{values[0]}, {values[1]}, ..., {values[-1]}}} {{\n; }}"
                said = [f"{value};" for value in values]
            case "letters":
                how, said = r"\foreach \n in {b,...,e}{\n; }", ["b;", "c;", "d;", "e;"]
            case "list":
                how, said = rf"\forcsvlist{{\named}}{{{','.join(items)}}}", [f"[{one}]" for one in shown]
            case "do":
                how, said = rf"\renewcommand\do[1]{{#1; }}\docsvlist{{{','.join(items)}}}", [f"{one};" for one in shown]
            case "counted":
                how = rf"\foreach \x [count=\i] in {{{','.join(items)}}}{{\i.\x; }}"
                said = [f"{at}.{one};" for at, one in enumerate(shown, 1)]
        written.append(f"Loop{number}: {how}")
        wanted.append(f"Loop{number}: {' '.join(said)}")
    record = body(r"\newcommand\named[1]{[#1] }" + "\n" + " ".join(written))
    assert text_of(record).replace("  ", " ") == " ".join(wanted)


def test_environments_of_xparse_print_what_they_hold_and_no_columns():
    record = read(
        r"""\documentclass{article}
        \NewDocumentEnvironment{longtabl}{m}{\renewcommand{\arraystretch}{2}\begin{longtable}{#1}}{\end{longtable}}
        \NewDocumentEnvironment{note}{O{Note} m}{\begin{quote}#1 on #2: }{\end{quote}}
        \NewDocumentEnvironment{odd}{m O{x} D(){}}{\begin{center}Much later: }{\end{center}}
        \begin{document}\section{A} First.
        \begin{longtabl}{>{$}l<{$}p{3cm}}a & b\end{longtabl}
        \begin{note}{trees}Leaves fall.\end{note} \begin{odd}{time}Winds blow.\end{odd} Last.\end{document}"""
    )
    assert " ".join(text_of(record).split()) == "First. Note on trees: Leaves fall. Much later: Winds blow. Last."
    assert not any(one["kind"] == "damaged-latex" for one in record["warnings"])


def test_sources_of_pandoc_have_no_numbers_and_begin_at_the_first_level():
    record = read(
        r"""\documentclass{article}\setcounter{secnumdepth}{-\maxdimen} % remove section numbering
        \xapptocmd\appendix{\xapptocmd\section{\addcontentsline{toc}{section}{A}}{}{}}{}{}
        \begin{document}\subsection{Introduction} One.\subsubsection{Aims} Two.\subsection{Methods} Three.\end{document}"""
    )
    found = [(one["number"], one["heading"], one["level"], one["role"]) for one in record["sections"]]
    assert found == [
        (None, "Introduction", 1, "introduction"),
        (None, "Aims", 2, "other"),
        (None, "Methods", 1, "method"),
    ]


def test_an_abstract_below_names_and_addresses_is_the_abstract():
    record = read(
        r"""\documentclass{article}\begin{document}\begin{flushleft}Ada Lovelace, University of London, all of it.
        \end{flushleft}\section*{Abstract}We read pages.\section*{Introduction}Pages are read.\end{document}"""
    )
    assert record["abstract"] == "We read pages."
    assert [one["heading"] for one in record["sections"]] == ["", "Introduction"]


def test_names_that_end_like_titles_of_people_are_whole():
    written = r"\author{Barnaby Norris \and Aleksandr Petrov \and Toby Smith}\maketitle\section{A} A text."
    record = read(r"\documentclass{article}\title{T}\begin{document}" + written + r"\end{document}")
    assert record["authors"] == ["Barnaby Norris", "Aleksandr Petrov", "Toby Smith"]


def test_an_entry_with_a_field_twice_is_read_and_a_key_without_an_entry_is_told():
    bib = """@article{once, author={Ada Roe}, title={One}, year={2001}, url={x.org}}
        @article{twice, author="Bo Poe", title={Two}, year={2002}, url={a.org}, note={First}, URL={b.org}, note={Then}}
        @article{broken title={Three}, year={2003}}
        @article{after, author={Di Zoe}, title={Four}, year={2004}}"""
    record = body(r"\cite{once,twice,broken} \cite{absent} \cite{AFTER}\bibliography{refs}", refs_bib=bib)
    found = {one["key"]: (one["title"], one["year"], one["url"]) for one in record["references"]}
    assert found.pop("after")[:2] == ("Four", 2004)
    assert found.pop("once")[:2] == ("One", 2001)
    assert found.pop("twice")[:2] == ("Two", 2002) and found == {}
    assert [one["text"] for one in record["references"]][0] == "Bo Poe. Two. First, 2002."
    told = [one["text"] for one in record["warnings"] if one["kind"] == "missing-reference"]
    assert told == ["2 cited keys without an entry that can be read: broken, absent"]
    assert not any(
        one["kind"] == "missing-reference" for one in body(r"\cite{once}\bibliography{refs}", refs_bib=bib)["warnings"]
    )
