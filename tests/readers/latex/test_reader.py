"""The LaTeX reader from outside: the files of a source in, a paper record or a one-line fault out."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import tarfile
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.latex import body, check, read, said, zipped
from support.run import ROOT

from scholartools.errors import InputFault
from scholartools.readers.latex import reader as latex
from scholartools.readers.latex.tex import archive as tex_archive
from scholartools.readers.pdf import reader as pdf
from scholartools.tasks.equations import parse

PAPER = ROOT / "fixtures" / "paper"
GOLD = json.loads((PAPER / "gold.json").read_text())


def outline(record: dict) -> list[tuple]:
    return [(one["number"], one["heading"], one["level"], one["role"]) for one in record["sections"]]


# The fixture: LaTeX and PDF of one paper


@pytest.fixture(scope="module")
def source() -> dict[str, bytes]:
    return dict(tex_archive.from_folder(PAPER))


@pytest.fixture(scope="module")
def paper(source) -> dict:
    return latex.read(source)


@pytest.fixture(scope="module")
def printed() -> dict:
    return pdf.read((PAPER / "paper.pdf").read_bytes())


def test_the_fixture_has_the_outline_of_its_pdf(paper, printed):
    assert outline(paper) == outline(printed)
    wanted = [one for one in GOLD["headings"] if one["heading"] not in ("Abstract", "References")]
    assert [(one["number"], one["heading"], one["level"]) for one in wanted] == [one[:3] for one in outline(paper)]
    assert (paper["title"], paper["authors"]) == (printed["title"], printed["authors"])


def agreement(one: str, other: str) -> float:
    """F1 of the multisets of words."""
    first, second = (Counter(re.findall(r"\w+", text.casefold())) for text in (one, other))
    return 2 * sum((first & second).values()) / (sum(first.values()) + sum(second.values()))


def test_the_fixture_says_what_its_pdf_says(paper, printed):
    assert agreement(paper["abstract"], printed["abstract"]) == 1.0
    whole = [" ".join(section["text"] for section in one["sections"]) for one in (paper, printed)]
    assert agreement(*whole) > 0.95
    displays = {equation["span"]["in"] for equation in paper["equations"]}
    for mine, theirs in zip(paper["sections"], printed["sections"]):
        plain = mine["id"] not in displays and mine["text"] and "$" not in mine["text"]
        if plain:
            assert agreement(mine["text"], theirs["text"]) > 0.99, mine["heading"]
        elif mine["text"]:
            assert agreement(mine["text"], theirs["text"]) > 0.75, mine["heading"]


def test_the_fixture_has_its_captions_references_and_notes(paper, printed):
    names = {one["id"]: one["label"] for one in printed["captions"]}
    assert {one["id"]: one["label"] for one in paper["captions"]} == names
    assert len(paper["captions"]) == GOLD["n_figures"] + GOLD["n_tables"]
    assert len(paper["references"]) == len(printed["references"]) == GOLD["n_references"]
    for mine, theirs in zip(paper["references"], printed["references"]):
        assert (mine["year"], mine["doi"]) == (theirs["year"], theirs["doi"])
        assert agreement(mine["text"], theirs["text"].partition("] ")[2]) > 0.85
    assert paper["references"][8]["title"] == "High agreement but low kappa: I. The problems of two paradoxes"
    assert paper["references"][15]["title"] == "ROUGE: A package for automatic evaluation of summaries"
    assert len(paper["footnotes"]) == GOLD["n_footnotes"]
    assert [one["kind"] for one in paper["warnings"]] == ["text-missing"]
    check(paper)


def test_the_limitations_of_the_fixture_are_word_for_word(paper):
    text = next(one["text"] for one in paper["sections"] if one["role"] == "limitation").replace("\u2009", " ")
    for limitation in GOLD["limitations"]:
        assert limitation.replace("%", " %") in text


def test_the_equations_of_the_fixture_have_macros_expanded(paper):
    assert [one["label"] for one in paper["equations"]] == [
        "eq:do", "eq:alpha", "eq:bca", "eq:agree", "eq:pop", "eq:floor", None, "eq:example",
    ]  # fmt: skip
    assert paper["equations"][1]["latex"] == r"\hat{\alpha} = 1 - \frac{D_{\mathrm{o}}}{D_{\mathrm{e}}} ."
    sections = {one["id"]: one["number"] for one in paper["sections"]}
    assert [sections[one["span"]["in"]] for one in paper["equations"]][-2:] == ["A.1", "A.3"]


def test_without_its_bbl_the_fixture_has_its_references_from_the_bib(source, paper):
    made = latex.read({name: data for name, data in source.items() if not name.endswith(".bbl")})
    assert [one["key"] for one in made["references"]] == [one["key"] for one in paper["references"]]
    for mine, theirs in zip(made["references"], paper["references"]):
        assert (mine["title"].casefold(), mine["year"], mine["doi"]) == (
            theirs["title"].casefold(), theirs["year"], theirs["doi"],
        )  # fmt: skip
    assert made["sections"][0]["text"] == paper["sections"][0]["text"]


# Text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"na\"ive \'{\i}\'i \c{c} \ss{} \o{} \AE \~n \v s \H{o} {\aa}", "naïve íí ç ß ø Æñ š ő å"),
        (r"``quoted'' `one' --- a--b ?`x", "“quoted” ‘one’ — a–b ¿x"),
        (r"100\% \$5 \& \# \_ \{x\} 95\,\% a~b c\ d\-e", "100% $5 & # _ {x} 95 % a b c de"),
        (r"\textbf{bold} {\em em} \emph{e\textit{f}} \textsc{Sc}{\small\bfseries x}", "bold em ef Scx"),
        ("a % comment\n b 5\\% % more\nc", "a b 5% c"),
        ("a%\n  b\n\n\n%\nc", "ab\n\nc"),
        (r"a\iffalse hidden\else shown\fi{} b\iftrue c\else d\fi", "ashown bc"),
        (r"\verb|a%b_{c}| \url{http://x.y/a%20b_c} \href{http://z}{link}", "a%b_{c} http://x.y/a%20b_c link"),
        ("\\begin{comment}\nno \\end{x\n\\end{comment}yes", "yes"),
        (r"$a<b$ and \(c\) and $\text{if $x$}$", "$a<b$ and $c$ and $\\text{if $x$}$"),
        (r"\unknown{kept} \vspace{3pt}\textcolor{red}{red} \SI{10}{\milli\metre} \LaTeX\ x", "kept red 10 mm LaTeX x"),
        (r"\begin{itemize}\item one \item[x] two\end{itemize}", "• one\n\nx two"),
        (r"\begin{enumerate}\item a\begin{enumerate}\item b\end{enumerate}\item c\end{enumerate}", "1. a\n\n(a) b\n\n2. c"),
        (r"\begin{enumerate}[label=(\roman*)]\item a\item b\end{enumerate}", "(i) a\n\n(ii) b"),
        (r"\paragraph{Run in.} Text.\paragraph*{More} text", "Run in. Text.\n\nMore text"),
        (r"a\begin{tabular}{ll}x & y\\\end{tabular} b", "a b"),
        ("\\begin{verbatim}\nif x: # 5%\n    y\n\\end{verbatim}", "if x: # 5%\n    y"),
        (r"a\footnote{note \emph{x}} b\label{z} c", "a b c"),
        (r"\begin{proof}Easy.\end{proof}", "Proof. Easy."),
        (r"\hskip 1em plus 0.5em minus 0.4em\relax x \kern-2pt y", "x y"),
    ],
)  # fmt: skip
def test_text_reads_as_printed(source, text):
    assert said(source) == text


@pytest.mark.parametrize(
    ("definitions", "use", "text"),
    [
        (r"\newcommand{\x}{ex}", r"\x y \x{} z", "exy ex z"),
        (r"\newcommand\x[2][d]{#1-#2}", r"\x{a} \x[b]{c}", "d-a b-c"),
        (r"\def\x#1#2{#2#1}", r"\x{a}{b} \x cd", "ba dc"),
        (r"\newcommand*{\m}{\ensuremath{\alpha}}", r"\m{} and $\m^2$", r"$\alpha$ and $\alpha^2$"),
        (r"\DeclareMathOperator*{\am}{arg\,min}", r"$\am_x f$", r"$\operatorname*{arg\,min}_x f$"),
        (r"\newcommand{\our}{\textsc{Sys}\xspace}", r"\our works, \our.", "Sys works, Sys."),
        (r"\newcommand{\a}[1]{\newcommand{\b}[1]{##1#1}}", r"\a{x}\b{y}", "yx"),
        (r"\let\old\emph\newcommand{\x}[1]{\old{#1}!}", r"\x{a}", "a!"),
        (r"\let\p\phi\let\phi\varphi\let\varphi\p", r"$\phi\varphi$", r"$\varphi\phi$"),
        (r"\newif\ifdraft\drafttrue", r"\ifdraft yes\else no\fi{} \draftfalse\ifdraft yes\else no\fi", "yes no"),
        (r"\newenvironment{q}[1]{\begin{itemize}\item #1: }{\end{itemize}}", r"\begin{q}{T}x\end{q}", "• T: x"),
        (r"\NewDocumentCommand{\x}{O{d} m}{#1#2}", r"\x{a}\x[b]{c}", "dabc"),
        (r"\renewcommand{\footnote}[1]{(#1)}", r"a\footnote{b}", "a"),
    ],
)  # fmt: skip
def test_macros_of_the_paper_are_expanded(definitions, use, text):
    assert said(use, definitions) == text


def test_macros_come_from_packages_and_inputs_of_the_source_too():
    style = r"\newcommand{\fromstyle}{style}\def\title{no}\newcommand{\hard}[1]{\@inner{#1}}"
    text = said(
        r"\fromstyle{} \frominput", r"\usepackage{own}\input{defs}", own_sty=style, defs_tex=r"\def\frominput{input}"
    )
    assert text == "style input"


@pytest.mark.parametrize(
    "bomb",
    [
        r"\def\a{\a}\a",
        r"\def\a{x\a}\a",
        r"\def\a{\a\a}\a",
        "".join(rf"\def\x{chr(97 + i)}{{\x{chr(98 + i)}\x{chr(98 + i)}}}" for i in range(24)) + r"\xa",
        r"\newcommand{\d}[1]{\e{#1#1}}\newcommand{\e}[1]{\d{#1#1}}\d{aaaa}",
        r"$\def\a{y\a}\a$",
    ],
)
def test_macros_that_do_not_end_are_stopped_and_told(bomb):
    record = read(rf"\documentclass{{article}}\begin{{document}}\section{{A}} before {bomb} \section{{B}} after")
    assert [one["heading"] for one in record["sections"]] == ["A", "B"]
    assert record["sections"][1]["text"] == "after"
    assert "macros" in {one["kind"] for one in record["warnings"]}


# Numbers, labels, citations


def test_numbers_are_those_latex_prints():
    record = read(
        r"""\documentclass{article}\begin{document}
        \section{A}\subsection{B}\subsubsection{C}\subsection*{D}\section{E}\subsection{F}
        \setcounter{secnumdepth}{1}\subsection{G}\appendix\section{H}\section{Limitations}\end{document}"""
    )
    assert outline(record) == [
        ("1", "A", 1, "other"), ("1.1", "B", 2, "other"), ("1.1.1", "C", 3, "other"), (None, "D", 2, "other"),
        ("2", "E", 1, "other"), ("2.1", "F", 2, "other"), (None, "G", 2, "other"), ("A", "H", 1, "appendix"),
        ("B", "Limitations", 1, "limitation"),
    ]  # fmt: skip


def test_classes_and_papers_number_in_their_own_ways():
    text = r"\begin{document}\section{A}\subsection{B}\label{b}\subsubsection{C} See \ref{b}.\appendix\section{D}\end{document}"
    assert [one[0] for one in outline(read(r"\documentclass{IEEEtran}" + text))] == ["I", "A", "1)", "A"]
    assert read(r"\documentclass{IEEEtran}" + text)["sections"][2]["text"] == "See I-A."
    assert [one[0] for one in outline(read(r"\documentclass{llncs}" + text))] == ["1", "1.1", None, "A"]
    own = r"\documentclass{article}\renewcommand{\thesection}{\Roman{section}}"
    assert [one[0] for one in outline(read(own + text))][:2] == ["I", "I.1"]
    book = r"\documentclass{book}\begin{document}\chapter{A}\section{B}\appendix\chapter{C}\section{D}\end{document}"
    assert [one[:3] for one in outline(read(book))] == [("1", "A", 1), ("1.1", "B", 2), ("A", "C", 1), ("A.1", "D", 2)]


def test_references_print_numbers_or_the_label():
    text = said(
        r"""\label{s}\begin{equation}a\label{e}\end{equation}\begin{align}b\label{f}\\c\nonumber\\d\label{g}\end{align}
        \begin{figure}\caption{F}\label{fig}\end{figure}\begin{thm}\label{t}T\end{thm}\begin{equation}z\tag{X}\label{x}\end{equation}
        [\ref{s} \eqref{e} \ref{f} \ref{g} \autoref{fig} \Cref{e,g} \ref{t} \ref{x} \ref{nowhere}]""",
        r"\newtheorem{thm}{Theorem}[section]",
    )
    assert text.endswith("[1 (1) 2 3 Figure 1 Equations (1) and (3) 1.1 X nowhere]")
    assert "Theorem 1.1. T" in text


def test_equation_numbers_within_sections_and_under_one_number():
    text = said(
        r"\begin{equation}a\label{a}\end{equation}\begin{subequations}\label{s}\begin{align}b\label{b}\\c\label{c}\end{align}"
        r"\end{subequations}\ref{a} \ref{s} \ref{b} \ref{c}",
        r"\numberwithin{equation}{section}",
    )
    assert text.endswith("1.1 1.2 1.2a 1.2b")


BBL = r"""\begin{thebibliography}{2}
\bibitem[{Doe(2020)}]{doe}
Jane Doe. 2020.
\newblock \href {https://doi.org/10.1000/abc} {A Ti{TL}e: \"uber $\alpha$}.
\newblock In \emph{Proc.}

\bibitem[{Smith et~al.(2019)Smith, Doe, and Roe}]{smith}
A.~Smith, J.~Doe, and R.~Roe. 2019.
\newblock The other one.
\newblock \emph{arXiv preprint arXiv:1901.00001}.
\end{thebibliography}"""


def test_citations_read_as_printed():
    cites = r"\citet{smith} \citep[see][p.~3]{smith,doe} \cite{doe} \citeauthor{doe} \citeyearpar{doe} \citep{new}"
    by_author = "Smith et al. (2019) (see Smith et al., 2019; Doe, 2020, p. 3) Doe (2020) Doe (2020) (new)"
    assert said(cites, r"\usepackage{natbib}", main_bbl=BBL) == by_author
    numbers = said(cites, r"\usepackage[numbers]{natbib}", main_bbl=BBL)
    assert numbers == "Smith et al. [2] [see 2, 1, p. 3] [1] Doe (2020) [new]"
    assert said(r"\cite{a,b} and \cite[Thm.~2]{c}") == "[a, b] and [c, Thm. 2]"


def test_references_of_a_bbl_have_their_parts():
    first, second = body(r"\cite{doe}", main_bbl=BBL)["references"]
    assert first == {
        "id": "b1", "text": "Jane Doe. 2020. A TiTLe: über α. In Proc.", "title": "A TiTLe: über α", "year": 2020,
            "venue": None,
        "doi": "10.1000/abc", "arxiv": None, "url": None, "key": "doe", "authors": ["Jane Doe"],
    }  # fmt: skip
    assert (second["arxiv"], second["title"], second["year"]) == ("1901.00001", "The other one", 2019)


def test_references_inside_the_document_are_no_section():
    record = body(
        r"Text.\section*{References}\begin{thebibliography}{9}\bibitem{a} A. Bee, ``The title here,'' \emph{J}, 2001."
        r"\bibitem{b} C. Dee. \bibinfo{title}{Named title}. 2002.\end{thebibliography}\section{Two} More."
    )
    assert [one["heading"] for one in record["sections"]] == ["One", "Two"]
    assert [(one["title"], one["year"]) for one in record["references"]] == [
        ("The title here", 2001),
        ("Named title", 2002),
    ]


def test_references_written_by_hand_under_a_heading():
    record = body("Text.\\section*{References}\n\nA. Bee. 2001. The title here.\n\nC. Dee. 2002. Another title.")
    assert [one["year"] for one in record["references"]] == [2001, 2002]


BIB = r"""@string{j = "Journal"}
@article{k1, title={The {T}itle of \"Uber}, author={Lee, Ann and Bob Ray and others}, year=2001, journal=j, doi={10.1145/12.34}}
@misc{k2, title="Unused", year = 1999}
@inproceedings{broken, title = {No end
@article{a0, author={Aa, Ann}, title={First}, year={1990}, eprint={1234.56789}}
"""


def test_references_of_a_bib_are_those_cited():
    record = body(r"\cite{k1} \cite{a0}\bibliographystyle{plain}\bibliography{refs}", refs_bib=BIB)
    assert [one["key"] for one in record["references"]] == ["a0", "k1"]
    assert record["sections"][0]["text"] == "[2] [1]"
    assert [one["venue"] for one in record["references"]] == [None, "Journal"]
    assert record["references"][0]["arxiv"] == "1234.56789"
    last = record["references"][1]
    assert last["text"] == "Ann Lee, Bob Ray et al. The Title of Über. Journal, 2001. doi:10.1145/12.34."
    unsorted = body(r"\cite{k1} \cite{a0}\bibliographystyle{unsrt}\bibliography{refs}", refs_bib=BIB)
    assert [one["key"] for one in unsorted["references"]] == ["k1", "a0"]
    every = body(r"\nocite{*}\bibliography{refs} Text.", refs_bib=BIB)
    assert {one["key"] for one in every["references"]} == {"k1", "k2", "a0"}


def test_the_bbl_of_biblatex():
    bbl = (
        '\\entry{k}{article}{}\n \\name{author}{2}{}{%\n {{hash=1}{%\n family={Kn{\\"u}th},\n given={Don}}}%\n'
        " {{hash=2}{%\n family={Roe},\n given={R.}}}%\n }\n \\field{title}{The Art}\n \\field{year}{1968}\n"
        " \\field{journaltitle}{J}\n \\verb{doi}\n \\verb 10.1000/xyz\n \\endverb\n\\endentry\n"
    )
    record = body(r"\textcite{k} \parencite[12]{k}", r"\usepackage[style=authoryear]{biblatex}", main_bbl=bbl)
    assert record["sections"][0]["text"] == "Knüth and Roe (1968) (Knüth and Roe, 1968, 12)"
    assert record["references"][0]["text"] == "Don Knüth and R. Roe. The Art. J, 1968. doi:10.1000/xyz."


# Front matter, in many styles

FRONTS = {
    "article": r"\documentclass{article}\title{A Title:\\ of two lines\thanks{T}}\author{Ann Lee\thanks{x} \and Bob van Ray\\Univ}",
    "acl": r"\documentclass{article}\usepackage{acl}\title{A Title: of two lines}\author{Ann Lee \\ Affiliation / Address \\ "
           r"\texttt{a@b} \\\And Bob van Ray \\ Univ. of X \\ \texttt{b@c} \\}",
    "neurips": r"\documentclass{article}\title{A Title: of two lines}\author{Ann Lee$^{1}$\thanks{Equal.} \quad Bob van Ray$^{1,2}$\\"
               r"$^1$Google Research \quad $^2$University of X\\\texttt{\{a,b\}@c.d}}",
    "ieee": r"\documentclass{IEEEtran}\title{A Title: of two lines}\author{\IEEEauthorblockN{1\textsuperscript{st} Ann Lee}"
            r"\IEEEauthorblockA{\textit{dept.} \\ City} \and \IEEEauthorblockN{Bob van Ray}\IEEEauthorblockA{City}}",
    "acm": r"\documentclass{acmart}\title[Short]{A Title: of two lines}\author{Ann Lee}\authornote{B.}\email{a@b}\orcid{1}"
           r"\affiliation{\institution{Univ}\city{X}}\author{Bob van Ray}\affiliation{\institution{Univ}}",
    "llncs": r"\documentclass{llncs}\title{A Title: of two lines}\author{Ann Lee\inst{1}\orcidID{0000-1} \and Bob van Ray\inst{2}}"
             r"\institute{Princeton University \and Springer \email{x@y}}",
    "revtex": r"\documentclass{revtex4-2}\title{A Title: of two lines}\author{Ann Lee}\email{a@b}\affiliation{X}\author{Bob van Ray}",
    "amsart": r"\documentclass{amsart}\title[S]{A Title: of two lines}\author[A. Lee]{Ann Lee}\address{X}\author{Bob van Ray}",
    "authblk": r"\documentclass{article}\title{A Title: of two lines}\author[1,*]{Ann Lee}\author[2]{Bob van Ray}\affil[1]{Univ}",
    "jmlr": r"\documentclass{article}\title{A Title: of two lines}\author{\name Ann Lee \email a@b.c \\ \addr Dept \\ X "
            r"\AND \name Bob van Ray \email b@c.d \\ \addr Dept}",
    "icml": r"\documentclass{article}\begin{document}\twocolumn[\icmltitle{A Title: of two lines}\begin{icmlauthorlist}"
            r"\icmlauthor{Ann Lee}{x}\icmlauthor{Bob van Ray}{y}\end{icmlauthorlist}\icmlaffiliation{x}{Univ}]",
    "aistats": r"\documentclass[twoside]{article}\begin{document}\twocolumn[\aistatstitle{A Title: of two lines}"
               r"\aistatsauthor{ Ann Lee \And Bob van Ray } \aistatsaddress{ Univ of X \And Univ of Y } ]",
}  # fmt: skip


@pytest.mark.parametrize(
    ("printed", "authors"),
    [
        (r"Ann Lee, PhD \and Prof. Dr. Bob van Ray, M.D.", ["Ann Lee", "Bob van Ray"]),
        (r"C, PhD \\ University of X", []),
        (r"Ann Lee and the HEDGE Consortium", ["Ann Lee", "HEDGE Consortium"]),
        (r"Lee, Ann; van Ray, Bob", ["Ann Lee", "Bob van Ray"]),
        (r"Ann Lee; Bob van Ray; Madonna", ["Ann Lee", "Bob van Ray", "Madonna"]),
        (r"Ann Lee and Bob van Ray, \emph{Senior Member}", ["Ann Lee", "Bob van Ray"]),
        (r"Ann Lee\\ KAUST\\ Saudi Arabia \And Bob van Ray\\ Sri Lanka", ["Ann Lee", "Bob van Ray"]),
        (r"\textbf{Autor}\\ Ann Lee \and \textbf{Co-Director}\\ Bob van Ray", ["Ann Lee", "Bob van Ray"]),
    ],
)
def test_titles_and_degrees_are_no_authors(printed, authors):
    source = r"\documentclass{article}\title{T}\author{%s}\begin{document}\maketitle\section{One} Text.\end{document}"
    assert read(source % printed)["authors"] == authors


@pytest.mark.parametrize("style", FRONTS)
def test_title_authors_and_abstract_of(style):
    abstract = r"\begin{abstract} What we did\footnote{F.} in \emph{short}. \[ x \] \end{abstract}"
    start = "" if "begin{document}" in FRONTS[style] else r"\begin{document}\maketitle"
    record = read(FRONTS[style] + start + abstract + r"\section{One} Text.\end{document}")
    assert (record["title"], record["authors"]) == ("A Title: of two lines", ["Ann Lee", "Bob van Ray"])
    assert record["abstract"] == "What we did in short.\nx"
    assert record["equations"][0]["span"] == {"in": "abstract", "start": 22, "end": 23}
    assert [one["text"] for one in record["sections"]] == ["Text."]
    check(record)


@pytest.mark.parametrize(
    "place",
    [r"\abstract{Short.}\begin{document}\maketitle", r"\begin{document}\begin{abstract}Short.\end{abstract}\maketitle",
     r"\begin{document}\maketitle\section*{Abstract} Short."],
)  # fmt: skip
def test_abstracts_stand_in_many_places(place):
    record = read(r"\documentclass{article}" + place + r"\section{One} Text.\end{document}")
    assert (record["abstract"], [one["heading"] for one in record["sections"]]) == ("Short.", ["One"])


def test_headings_of_a_structured_abstract_do_not_end_it():
    begin = r"\documentclass{bioinfo}\begin{document}\begin{abstract}\section{Aim:} Short. \section*{Results:} Fast."
    record = read(begin + r"\end{abstract}\section{One} Text.\end{document}")
    assert (record["abstract"], outline(record)) == ("Aim: Short.\n\nResults: Fast.", [("1", "One", 1, "other")])
    unclosed = read(begin + r"\section{One} Text.\end{document}")
    assert unclosed["abstract"].endswith("Fast.") and [one["heading"] for one in unclosed["sections"]] == ["One"]


def test_text_before_the_first_heading_is_kept():
    record = read(r"\documentclass{revtex4}\begin{document}\title{T}\maketitle Body without any heading.\end{document}")
    assert outline(record) == [(None, "", 1, "other")]
    assert record["sections"][0]["text"] == "Body without any heading."


def test_acknowledgements_by_command_or_environment():
    for form in (r"\begin{acks}Thanks.\end{acks}", r"\acknowledgments Thanks.", r"\section*{Acknowledgments} Thanks."):
        last = body("Text." + form)["sections"][-1]
        assert (last["role"], last["text"], last["number"]) == ("acknowledgement", "Thanks.", None)


# Macros


@pytest.mark.parametrize(("written", "expanded"), [
    (r"\dv{x}{t} + \pdv[2]{u}{x}", r"\frac{\mathrm{d} x}{\mathrm{d} t} + \frac{\partial^{2} u}{\partial x^{2}}"),
    (r"\pdv{f}{x}{y} = \pdv{x} g", r"\frac{\partial^{2} f}{\partial x\partial y} = \frac{\partial}{\partial x} g"),
    (r"\norm{\grad a} = \abs*{b}", r"\left\lVert \nabla a \right\rVert = \left\lvert b \right\rvert"),
    (r"\ev{A}{\psi} = \braket{a}{b}", r"\langle \psi | A | \psi \rangle = \langle a | b \rangle"),
    (r"\qty(x) \tr A", r"(x) \operatorname{tr} A"),
])  # fmt: skip
def test_formulas_say_what_the_macros_of_physics_mean(written, expanded):
    packages = r"\usepackage{amsmath, physics}"
    assert body(rf"\[ {written} \]", packages)["equations"][0]["latex"] == expanded
    assert body(rf"\[ {written} \]")["equations"][0]["latex"] == written, "without the package, they are unknown"
    own = packages + r"\newcommand{\abs}[1]{\lVert #1\rVert_1}"
    assert body(r"\[ \abs{b} \]", own)["equations"][0]["latex"] == r"\lVert b\rVert_1"


def test_a_paper_with_macros_of_many_kinds_is_read_whole():
    """Optional arguments, pairs of delimiters, macros of macros, an own style, what a later file defines."""
    main = r"""\documentclass{article}\usepackage{amsmath,mine}\input{defs}
    \DeclareMathOperator*{\argmin}{arg\,min}\def\bx{\mathbf{x}}\let\eps\varepsilon
    \newcommand{\norm}[2][2]{\left\lVert #2 \right\rVert_{#1}}\newcommand{\be}{\begin{equation}}\newcommand{\ee}{\end{equation}}
    \newcommand{\reg}[1][\lambda]{\loss + #1 \norm{\theta}^2}\DeclarePairedDelimiter\ceil{\lceil}{\rceil}
    \newcommand{\one}{\addtocounter{equation}{1}\tag{\theequation}}\def\pair#1#2{\langle #1, #2 \rangle}
    \begin{document}\section{One}\be \theta = \argmin_{\theta \in \R^d} \reg \ee \[ \pair{\bx}{y} = \ceil*{\frac{a}{\eps}} \one \]
    \[ \Prob{A} = \tX_{i} + \norm[1]{\bx} \] \[ \begin{array}{rcl} a & = & b \\ c & = & d \end{array} \]
    \end{document}"""
    defs = (
        r"\newcommand{\loss}{\mathcal{L}}\def\R{\mathbb R}\newcommand{\tens}[1]{\bm{\mathsfit{#1}}}\def\tX{{\tens{X}}}"
    )
    record = read(main, defs_tex=defs, mine_sty=r"\newcommand{\Prob}[1]{\mathbb{P}\left(#1\right)}")
    assert len(record["equations"]) == 4
    assert [len(parse(one["latex"]).statements) for one in record["equations"]] == [1, 1, 1, 2]


# Floats, notes, equations


def test_captions_are_apart_from_the_text():
    record = body(
        r"""Before. \begin{figure*}[t]\includegraphics[width=1in]{x}\caption[S]{A \emph{figure} of $x$.}\end{figure*}
        \begin{table}\begin{tabular}{l}innards\end{tabular}\caption{Tab.}\end{table}
        \begin{algorithm}\caption{Algo}\begin{algorithmic}\State innards\end{algorithmic}\end{algorithm}
        \begin{figure}\begin{subfigure}{1in}\caption{part}\end{subfigure}\caption{Whole.}\caption*{Bare.}\end{figure}
        \captionof{table}{Outside.} After."""
    )
    assert [(one["id"], one["kind"], one["label"], one["text"]) for one in record["captions"]] == [
        ("figure1", "figure", "Figure 1", "Figure 1: A figure of $x$."),
        ("table1", "table", "Table 1", "Table 1: Tab."),
        ("algorithm1", "algorithm", "Algorithm 1", "Algorithm 1: Algo"),
        ("figure2", "figure", "Figure 2", "Figure 2: Whole. (a) part"),
        ("figure", "figure", "Figure", "Bare."),
        ("table2", "table", "Table 2", "Table 2: Outside."),
    ]
    assert record["sections"][0]["text"] == "Before. After."
    check(record)


@pytest.mark.parametrize(
    "display",
    [r"$$ BODY $$", r"\[ BODY \]", r"\begin{displaymath}BODY\end{displaymath}"]
    + [f"\\begin{{{name}}}\\label{{l}}\n BODY\n\\end{{{name}}}" for name in
       "equation equation* align align* gather gather* multline eqnarray eqnarray* flalign dmath".split()]
    + [r"\begin{alignat}{2} BODY \end{alignat}", r"\be BODY \ee"],
)  # fmt: skip
def test_every_display_equation_is_listed(display):
    latex_body = r"x^{2} &= \frac{1}{2} \\ \text{if } y"
    record = body("Before " + display.replace("BODY", latex_body) + " after.",
                  r"\newcommand{\be}{\begin{equation}}\newcommand{\ee}{\end{equation}}")  # fmt: skip
    assert [one["latex"] for one in record["equations"]] == [latex_body]
    assert record["equations"][0]["label"] == ("l" if "label" in display else None)
    assert record["sections"][0]["text"] == f"Before\n{latex_body}\nafter."
    check(record)


PIECES = st.sampled_from(
    [
        "word ", "word", " ", "\n\n", "% c\n", "{", "}", "$", "$$", r"\[", r"\]", r"\begin{align}", r"\end{align}", "x^2", r"\\",
        r"\begin{equation}", r"\end{equation}", r"\label{a}", r"\section{", r"\footnote{", r"\cite{k}", r"\ref{a}", "&", "#1",
        r"\begin{itemize}", r"\item ", r"\end{itemize}", r"\begin{figure}", r"\caption{", r"\end{figure}", r"\'", "é", r"\def\m{",
        r"\m", r"\newcommand{\n}[1]{", r"\n{", r"\iffalse", r"\else", r"\fi", r"\begin{abstract}", r"\end{abstract}", "[", "]",
        r"\bibitem{k}", r"\begin{thebibliography}{9}", r"\end{thebibliography}", r"\verb|", r"\begin{verbatim}", r"\input{main}",
    ]
)  # fmt: skip


@settings(max_examples=100)
@given(st.lists(PIECES, max_size=40))
def test_whatever_the_source_spans_name_their_latex(pieces):
    record = body("Some text. " + "".join(pieces))
    check(record)
    assert latex.read({"main.tex": (r"\section{One} Some text. " + "".join(pieces)).encode()})["sections"]


# Files


def test_inputs_are_joined_within_the_source_only():
    record = latex.read(
        {
            "paper/main.tex": rb"\documentclass{article}\begin{document}\section{A}\input{one}\include{sub/two.tex}"
            rb"\import{sub/}{three}\input{../../etc/passwd}\input{/etc/passwd}\input{gone}\input{|ls}\end{document}",
            "paper/one.tex": rb"one \input{one} \input{main}",
            "paper/sub/two.tex": rb"\documentclass[../main]{subfiles}\begin{document}two\end{document} not this",
            "paper/sub/three.tex": b"three \\input three-b\n end",
            "paper/sub/three-b.tex": b"four",
            "etc/passwd": b"secret",
        }
    )
    assert record["sections"][0]["text"] == "one\n\ntwo three four end"
    told = {one["text"].partition(":")[0] for one in record["warnings"] if one["kind"] == "missing-file"}
    assert told == {"../../etc/passwd", "/etc/passwd", "gone", "|ls", "paper/one.tex", "paper/main.tex"}


def test_the_main_file_is_found_by_content():
    part = rb"\section{Part} \input{x} \input{y} text"
    whole = rb"\documentclass{article}\begin{document}\section{Whole}\input{part}\end{document}"
    other = (
        rb"\documentclass{letter}\begin{document} A letter to the editor, long and without any inputs. \end{document}"
    )
    files = {"a-part.tex": part, "part.tex": b"included", "z.tex": whole, "letter.tex": other, "notes.txt": b"no"}
    assert latex.read(files)["sections"][0]["heading"] == "Whole"
    assert latex.read(files, main="a-part.tex")["sections"][0]["heading"] == "Part"
    listed = json.dumps({"sources": [{"filename": "letter.tex", "usage": "toplevel"}]}).encode()
    assert "letter" in latex.read({**files, "00README.json": listed})["sections"][0]["text"]


PAPER_TEXT = (
    r"\title{Bees}\maketitle\begin{abstract}We count.\end{abstract}\section{Whole}Bees are few.\bibliography{b}"
)


@pytest.mark.parametrize(
    "name", ["template.tex", "sample.tex", "rebuttal.tex", "cover-paper.tex", "supplement.tex", "si.tex"]
)
def test_the_only_paper_is_the_main_file_whatever_its_name(name):
    """A file of notes was taken for the paper, or ended in an error, because the name of the paper is a usual name of others."""
    notes = (
        rb"\documentclass{article}\begin{document}Notes only, which are long enough to be read as a text.\end{document}"
    )
    whole = rf"\documentclass{{article}}\begin{{document}}{PAPER_TEXT}\end{{document}}".encode()
    for other in ("old/notes.tex", "zz.tex"):
        record = latex.read({name: whole, other: notes})
        assert (record["title"], [one["heading"] for one in record["sections"]]) == ("Bees", ["Whole"])


def test_a_paper_may_open_its_document_in_an_input():
    files = {"ms.tex": rf"\input{{start}}{PAPER_TEXT}\end{{document}}".encode()}
    files["start.tex"] = b"\\documentclass{article}\n\\usepackage{x}\n\\begin{document}\n"
    assert latex.read(files)["title"] == "Bees"


def test_looks_like_goes_by_content():
    assert latex.looks_like(rb"\documentclass{article}") and latex.looks_like(b"text \\section{A} text")
    assert latex.looks_like("\\section{é}".encode("utf-16"))
    for data in (b"", b"plain text", b"% \\documentclass{x}\n", b"%PDF-1.5 \x00\\section{", b'{"a": 1}', b"<xml/>"):
        assert not latex.looks_like(data)


@pytest.mark.parametrize(
    ("coding", "preamble"),
    [("utf-8", ""), ("utf-8-sig", ""), ("latin-1", ""), ("utf-16", ""), ("latin-1", r"\usepackage[latin1]{inputenc}"),
     ("mac-roman", r"\usepackage[applemac]{inputenc}")],
)  # fmt: skip
def test_sources_in_old_codings(coding, preamble):
    record = read(
        (rf"\documentclass{{article}}{preamble}\begin{{document}}\section{{Über}} né" + "\r\n\r\nx").encode(coding)
    )
    assert (record["sections"][0]["heading"], record["sections"][0]["text"]) == ("Über", "né\n\nx")


@pytest.mark.parametrize(
    ("files", "kind"),
    [({}, "not-latex"), ({"a.tex": b"just words"}, "not-latex"), ({"a.bib": b"@article{a,}"}, "not-latex"),
     ({"a.tex": rb"\documentclass{article}\begin{document}\end{document}"}, "no-text")],
)  # fmt: skip
def test_what_is_no_paper_is_told_in_one_line(files, kind):
    with pytest.raises(InputFault) as caught:
        latex.read(files)
    assert caught.value.kind == kind and "\n" not in caught.value.reason


START = r"\documentclass{article}\begin{document}\section{A} some words here "


@pytest.mark.slow
@pytest.mark.parametrize(
    "junk",
    ["{" * 50_000, "}" * 50_000, r"\a" * 20_000, "$" * 50_000, r"\begin{a}" * 20_000, r"\begin{equation}" * 20_000,
     r"\begin{figure}" * 20_000, r"\footnote{" * 20_000, r"\footnote{" * 8_000 + "}" * 8_000, r"\emph{" * 50_000,
     r"\section{" * 3_000, r"\iffalse " * 20_000, r"\'" * 50_000, r"\item[" * 1_000, r"\begin{itemize}" * 20_000,
     "a" * 1_000_000, " " * 1_000_000, "%" * 1_000_000, r"\cite[" * 1_000, "$" + "{" * 50_000, r"\ensuremath{" * 20_000,
     r"\begin{a}" * 8_000 + r"\end{b}" * 8_000, r"\documentclass" + " " * 50_000, r"\section{$" + r"{\frac{" * 5_000 + "$}",
     r"\newcommand{\w}[1]{\emph{#1}}" + r"\w{" * 20_000, r"\verb|" * 50_000, r"\title{" * 20_000],
    ids=lambda junk: junk[:12],
)  # fmt: skip
def test_junk_ends_as_a_record(junk):
    record = read(START + junk)
    assert record["sections"][0]["text"].startswith("some words here")
    check(record)


def test_what_is_not_closed_ends_at_the_next_heading():
    for opening in (
        r"\footnote{",
        r"\begin{figure}",
        r"\begin{tabular}{l}",
        r"\begin{abstract}",
        r"\caption{",
        "$x",
        r"\[x",
    ):
        record = read(START + opening + r" lost? \section{B} after \end{document}")
        assert record["sections"][1]["text"] == "after", opening
        assert record["warnings"], opening


@pytest.mark.slow
def test_mutations_of_the_fixture_end_as_records_or_faults(source):
    random_ = random.Random(4)
    names = ["macros.tex", "paper.bbl", "paper.tex", "sec-appendix.tex"]
    for _ in range(200):
        files = {name: source[name] for name in names}
        name = random_.choice(names)
        data = bytearray(files[name])
        for _ in range(random_.randint(1, 12)):
            at = random_.randrange(len(data))
            end = min(len(data), at + random_.randint(1, 60))
            piece = bytes(data[at:end])
            change = random_.choice(
                [b"", b"{", b"}", b"$", b"\\", b"%", b"\xff", piece * 3, b"\\begin{x}", b"\\input{paper}"]
            )
            data[at:end] = change
        files[name] = bytes(data)
        try:
            check(latex.read(files))
        except InputFault as fault:
            assert fault.reason


# Archives

FILES = {
    "paper.tex": rb"\documentclass{article}\begin{document}\section{A}\input{in/b}\end{document}",
    "in/b.tex": b"b text",
}


def tarred(files: dict[str, bytes], mode: str = "w:gz", *others: tarfile.TarInfo) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for member in others:
            archive.addfile(member)
    return made.getvalue()


@pytest.mark.parametrize("data", [tarred(FILES), tarred(FILES, "w"), tarred(FILES, "w:bz2"), zipped(FILES)])
def test_archives_give_their_files(data):
    assert latex.read(tex_archive.from_archive(data))["sections"][0]["text"] == "b text"


def test_one_gzipped_file_is_a_source():
    assert latex.read(tex_archive.from_archive(gzip.compress(b"\\section{A} text")))["sections"][0]["text"] == "text"


def test_names_that_lead_outside_are_left_out():
    bad = {"../up.tex": b"x", "/abs.tex": b"x", "a/../../b.tex": b"x", "C:\\x.tex": b"x", "figure.png": b"x"}
    link = tarfile.TarInfo("link.tex")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    assert set(tex_archive.from_archive(tarred({**FILES, **bad}, "w:gz", link))) == set(FILES)
    assert set(tex_archive.from_archive(zipped({**FILES, **bad}))) == set(FILES)


@pytest.mark.parametrize(
    "data",
    [b"", b"plain", b"PK\x03\x04 no", tarred(FILES)[:60], zipped(FILES)[:-30], gzip.compress(b"\0" * (tex_archive.MAX_BYTES + 9)),
     zipped({"a.tex": b"\0" * (tex_archive.MAX_BYTES + 9)}), tarred({f"{i}.tex": b"" for i in range(tex_archive.MAX_FILES + 2)})],
    ids=["empty", "plain", "not-zip", "cut-tar", "cut-zip", "gzip-bomb", "zip-bomb", "many-files"],
)  # fmt: skip
def test_damaged_archives_and_bombs_are_faults(data):
    with pytest.raises(InputFault) as caught:
        tex_archive.from_archive(data)
    assert caught.value.kind == "unreadable" and "\n" not in caught.value.reason


def test_folders_are_read_without_links_out_of_them(tmp_path):
    (tmp_path / "paper" / "in").mkdir(parents=True)
    for name, data in FILES.items():
        (tmp_path / "paper" / name).write_bytes(data)
    (tmp_path / "secret.tex").write_text("secret")
    (tmp_path / "paper" / "link.tex").symlink_to(tmp_path / "secret.tex")
    (tmp_path / "paper" / "same.tex").symlink_to(tmp_path / "paper" / "paper.tex")
    files = tex_archive.from_folder(tmp_path / "paper")
    assert set(files) == {*FILES, "same.tex"}
    assert files["in/b.tex"] == b"b text"
    with pytest.raises(InputFault):
        tex_archive.from_folder(tmp_path / "nowhere")
    with pytest.raises(KeyError):
        files["../secret.tex"]


def test_nothing_behind_the_end_of_the_document_is_read():
    tail = r"\end{document} Old words. \section{Old} More. \begin{equation}old=1\end{equation}"
    body = r"\documentclass{article}\begin{document}\section{New} Words \cite{a}.\bibliography{r}" + tail
    bib = "@article{a, title={A Good Title}, author={Ann Able}, year={2001}}"
    paper = latex.read({"p.tex": body.encode(), "r.bib": bib.encode()})
    assert [section["heading"] for section in paper["sections"]] == ["New"] and not paper["equations"]
    assert [reference["title"] for reference in paper["references"]] == ["A Good Title"]


def test_the_bibliography_of_another_paper_is_not_taken():
    body = rb"\documentclass{article}\begin{document}\section{New} Words \cite{a}.\bibliography{r}\end{document}"
    bib = b"@article{a, title={A Good Title}, author={Ann Able}, year={2001}}"
    other = rb"\begin{thebibliography}{1}\bibitem{x} B. Baker. \newblock Another title. 1999.\end{thebibliography}"
    paper = latex.read({"p.tex": body, "r.bib": bib, "q.bbl": other, "sub/s.bbl": other}, main="p.tex")
    assert [reference["title"] for reference in paper["references"]] == ["A Good Title"]


@pytest.mark.parametrize(
    ("asks", "files", "told"),
    [
        (rb"\bibliography{refs}", {}, ["refs.bib"]),
        (rb"\addbibresource{refs.bib}", {}, ["refs.bib"]),
        (rb"\bibliography{refs,more}", {"refs.bib": b"@article{a, title={A Good Title}, year={2001}}"}, ["more.bib"]),
        (rb"\bibliography{IEEEabrv,refs}", {"refs.bib": b"@article{a, title={A Good Title}, year={2001}}"}, []),
        (rb"\bibliography{refs}", {"p.bbl": rb"\begin{thebibliography}{1}\bibitem{a} A. A good title."}, []),
        (rb"\begin{thebibliography}{1}\bibitem{a} A.\end{thebibliography}\bibliography{refs}", {}, []),
        (rb"\bibliography{}", {}, []),
    ],
)
def test_a_bibliography_that_is_not_there_is_told(asks, files, told):
    body = rb"\documentclass{article}\begin{document}\section{New} Words \cite{a}. " + asks + rb"\end{document}"
    warnings = latex.read({"p.tex": body, **files})["warnings"]
    assert [one["text"] for one in warnings if one["kind"] == "missing-file"] == [
        f"{n}: not in the source" for n in told
    ]


def test_texorpdfstring_prints_its_first_argument():
    body = rb"\documentclass{article}\begin{document}\section{\texorpdfstring{$k$}{k}-Nets} Words.\end{document}"
    assert latex.read({"p.tex": body})["sections"][0]["heading"] == "k-Nets"


@pytest.mark.parametrize(
    ("definitions", "use", "latex"),
    [
        ("\\newcommand{\\name}[1]{\\mathsf{#1}}", "x = \\name{key}", "x = \\mathsf{key}"),
        ("\\newcommand{\\name}[1]{\\mathsf{#1}}\\newcommand{\\key}{\\name{key}}", "\\key_i", "\\mathsf{key}_i"),
        ("\\DeclarePairedDelimiter{\\abs}{\\lvert}{\\rvert}", "\\abs[\\big]{x}", "\\big\\lvert x \\big\\rvert"),
        ("\\DeclarePairedDelimiter{\\abs}{\\lvert}{\\rvert}", "\\abs*{x}", "\\left\\lvert x \\right\\rvert"),
        (
            "\\DeclarePairedDelimiterX{\\inner}[2]{\\langle}{\\rangle}{#1 \\delimsize| #2}",
            "\\inner*{x}{y}",
            "\\left\\langle x \\middle| y \\right\\rangle",
        ),
        ("\\NewDocumentCommand{\\p}{s m}{p\\IfBooleanTF{#1}{[#2]}{(#2)}}", "\\p{x} \\p*{x}", "p(x) p[x]"),
        ("\\newcommand{\\bw}{\\mathbf{w}}", "\\hat\\bw + a^\\bw", "\\hat{\\mathbf{w}} + a^{\\mathbf{w}}"),
        ("\\newcommand{\\bw}{\\bm w}", "\\frac\\bw\\bw \\bw", "\\frac{\\bm w}{\\bm w} \\bm w"),
        ("\\newcommand{\\bw}{\\bm w}", "\\frac{1}\\bw \\sqrt{2}\\bw", "\\frac{1}{\\bm w} \\sqrt{2}\\bm w"),
        ("\\newcommand{\\x}{x}", "\\hat\\x", "\\hat x"),
    ],
)
def test_macros_in_formulas_are_expanded(definitions, use, latex):
    equation = body(f"Text. \\[ {use} \\]", definitions)["equations"][0]["latex"]
    assert re.sub(r"(?<![A-Za-z]) | (?![A-Za-z])", "", equation) == re.sub(r"(?<![A-Za-z]) | (?![A-Za-z])", "", latex)


def test_a_name_that_formulas_use_keeps_its_meaning_elsewhere():
    record = read(
        "\\documentclass{article}\\newcommand{\\name}[1]{\\mathsf{#1}}\\title{T}\\author{\\name Ann Bo}"
        "\\begin{document}\\maketitle\\section{One} Text $\\name{a}$.\\end{document}"
    )
    assert "\\mathsf{a}" in record["sections"][0]["text"]


@pytest.mark.parametrize(
    "before", [r"\leavevmode\vadjust pre{\hypertarget{ref-a}{}}%", r"\vadjust{\vskip 2pt}", r"\vadjust  pre {}%"]
)
def test_what_pandoc_sets_before_a_reference_prints_nothing(before):
    entry = "Azami, H. (2017). Refined measures of entropy. Journal of Signals, 3, 1--9."
    source = (
        r"\documentclass{article}\title{T}\begin{document}\maketitle\section{One} Text.\section*{References}"
        f"\n{before}\n{entry}\n\\end{{document}}"
    )
    [found] = read(source)["references"]
    assert found["text"] == entry.replace("--", "–")
    assert (found["authors"], found["title"], found["year"]) == (["Azami, H."], "Refined measures of entropy", 2017)
