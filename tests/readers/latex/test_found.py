"""What first users of the LaTeX and text readers found wrong, each from outside."""

from __future__ import annotations

import gzip
import io
import json
import re
import stat
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.latex import body, check, read, said, zipped
from support.run import ROOT

from scholartools import records
from scholartools.errors import InputFault
from scholartools.readers.latex import reader as latex
from scholartools.readers.latex.tex import archive as tex_archive
from scholartools.readers.text import reader as text


def equations(record: dict) -> list[tuple[str, str | None]]:
    check(record)
    return [(one["latex"], one["label"]) for one in record["equations"]]


# Display equations, wherever they stand


@pytest.mark.parametrize(
    "around",
    [
        r"\begin{figure*}[t] HERE \caption{C.}\end{figure*}",
        r"\begin{table}\centering\begin{tabular}{l} a & HERE \\ b \end{tabular}\end{table}",
        r"\begin{figure}\begin{minipage}{3cm} HERE \end{minipage}\end{figure}",
        r"\begin{algorithm}\caption{C.}\begin{algorithmic}[1]\State set HERE\end{algorithmic}\end{algorithm}",
        r"\begin{algorithm2e} set HERE \caption{C.}\end{algorithm2e}",
    ],
)
def test_an_equation_of_a_float_stands_behind_the_paragraph(around):
    record = body(
        "A sentence that "
        + around.replace("HERE", r"\begin{equation}\label{e} a=b \end{equation}")
        + " goes on.\n\nThe next is \\ref{e}."
    )
    assert record["sections"][0]["text"] == "A sentence that goes on.\n\na=b\n\nThe next is 1."
    assert equations(record) == [("a=b", "e")]


def test_equations_of_floats_end_with_their_section_and_pictures_have_none():
    record = read(
        r"""\documentclass{article}\begin{document}
        \begin{abstract}Short. \begin{figure}\[ x \]\end{figure}\end{abstract}
        \section{A} One.\begin{figure}\[ y \]\begin{tikzpicture}\node{$$n$$};\end{tikzpicture}\end{figure}
        \section{B} Two.\end{document}"""
    )
    assert (record["abstract"], [one["text"] for one in record["sections"]]) == ("Short.\n\nx", ["One.\n\ny", "Two."])
    assert equations(record) == [("x", None), ("y", None)]


@pytest.mark.parametrize(
    ("definitions", "use"),
    [
        (r"\def\bea#1\eea{\begin{eqnarray}#1\end{eqnarray}}", r"\bea BODY \eea"),
        (r"\long\def\be #1\ee {\begin{equation}#1\end{equation}}", r"\be BODY \ee"),
        (r"\def\eq[#1]#2;{\begin{align}\label{#1}#2\end{align}}", r"\eq[l]BODY;"),
        (r"\newcommand{\beq}{\begin{equation}} \newcommand{\eeq}{\end{equation}}", r"\beq BODY \eeq"),
        (r"\def\be{\equation}\def\ee{\endequation}", r"\be BODY \ee"),
        (r"\newenvironment{own}{\align}{\endalign}", r"\begin{own} BODY \end{own}"),
        ("", r"\begin{empheq}[left=\empheqlbrace]{align} BODY \end{empheq}"),
        ("", r"\begin{empheq}[box=\fbox]{alignat=2} BODY \end{empheq}"),
    ],
)
def test_equations_by_macros_and_in_boxes(definitions, use):
    latex_body = r"x^{2} &= \frac{1}{2} \\ \text{if } y"
    label = "" if r"\label" in definitions else r"\label{l}"
    record = body("Before " + use.replace("BODY", label + latex_body) + " after.", definitions)
    assert equations(record) == [(latex_body, "l")]
    assert record["sections"][0]["text"] == f"Before\n{latex_body}\nafter."


def test_macros_with_text_between_their_parameters():
    definitions = r"\def\pair#1,#2;{(#1 and #2)}\def\norm|#1|{[#1]}\long\def\skipped#1\endskipped{}"
    assert said("\\pair {a,b},c; \\norm|x| \\skipped one\n\ntwo \\endskipped y", definitions) == "(a,b and c) [x] y"


def test_an_argument_that_does_not_end_is_kept_as_text():
    record = body(
        r"Words \bea x = y. More \bea words. \section{Two} after", r"\def\bea#1\eea{\begin{eqnarray}#1\end{eqnarray}}"
    )
    assert [one["text"] for one in record["sections"]] == ["Words x = y. More words.", "after"]
    assert [one["kind"] for one in record["warnings"]] == ["macros"]


def test_every_label_of_an_equation_is_kept_and_names_its_row():
    record = body(
        r"\begin{align}a&=b\label{x}\\c&=d\label{y}\end{align}\begin{empheq}{align}e\label{z}\\f\label{w}\end{empheq}"
        r" \ref{x} \ref{y} \ref{z} \ref{w}"
    )
    assert [one["labels"] for one in record["equations"]] == [["x", "y"], ["z", "w"]]
    assert equations(record) == [(r"a&=b\\c&=d", "x"), (r"e\\f", "z")]
    assert record["sections"][0]["text"].endswith("1 2 3 4")
    assert "labels" not in body(r"\begin{align}a\label{x}\end{align}")["equations"][0]


PIECES = st.sampled_from(
    [
        "word ", "\n\n", "{", "}", "$$", r"\[", r"\]", r"\begin{align}", r"\end{align}", r"\\", r"\label{a}",
        r"\section{S}", r"\begin{figure}", r"\end{figure}", r"\begin{tabular}{l}", r"\end{tabular}", "&",
        r"\begin{subfigure}{1in}", r"\end{subfigure}", r"\caption{c}", r"\subfloat[s]{", r"\subcaptionbox{s}{",
        r"\bea ", r"\eea ", r"\begin{empheq}{align}", r"\end{empheq}", r"\begin{abstract}", r"\end{abstract}",
        r"\footnote{", r"\qtyrange{1}{2}{m}", r"\SIlist{1;2}{", r"\equation", r"\endequation",
    ]
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=30))
def test_whatever_floats_and_macros_there_are_spans_name_their_latex(pieces):
    definition = r"\def\bea#1\eea{\begin{eqnarray}#1\end{eqnarray}}"
    check(body("Some text. " + "".join(pieces), definition))


# Macros that do not end


@pytest.mark.parametrize(
    "bomb",
    [
        r"\def\z#1#2{#2#1\z}{\z}",  # it takes nothing from the file, but looks at it again and again
        r"\def\x{\x\x}\x word " * 200,
        "".join(rf"\def\x{chr(97 + i)}{{\x{chr(98 + i)}\x{chr(98 + i)}}}" for i in range(24)) + r"\xa word " * 300,
    ],
)
def test_macros_that_do_not_end_cost_no_more_than_themselves(bomb):
    record = read(rf"\documentclass{{article}}\begin{{document}}\section{{A}} before {bomb} \section{{B}} after")
    assert [one["text"] for one in record["sections"]][-1] == "after"
    assert "macros" in {one["kind"] for one in record["warnings"]}


def test_macros_that_make_too_much_leave_the_text_of_the_rest():
    paper = "".join(rf"\def\x{chr(97 + i)}{{\x{chr(98 + i)}\x{chr(98 + i)}}}" for i in range(14)) + r"\def\xo{}"
    record = body(r"\xa word " * 60 + r"\section{B} after", paper)
    assert record["sections"][1]["text"] == "after"
    assert any("make too much" in one["text"] for one in record["warnings"])


# Bibliographies of the American Physical Society

PREAMBLE = r"""%merlin.mbs apsrev4-1.bst
\makeatletter
\providecommand \@ifx [1]{%
 \ifx #1\expandafter \@firstoftwo
 \else \expandafter \@secondoftwo
 \fi
}%
\providecommand \natexlab [1]{#1}%
\providecommand \enquote  [1]{``#1''}%
\providecommand \bibnamefont  [1]{#1}%
\providecommand \bibfnamefont [1]{#1}%
\providecommand \citenamefont [1]{#1}%
\providecommand \href@noop [0]{\@secondoftwo}%
\providecommand \href [0]{\begingroup \@sanitize@url \@href}%
\providecommand \url  [0]{\begingroup\@sanitize@url \@url }%
\providecommand \Eprint [0]{\href }%
\providecommand \doibase [0]{http://dx.doi.org/}%
\providecommand \bibinfo  [0]{\@secondoftwo}%
\providecommand \bibfield  [0]{\@secondoftwo}%
\providecommand \BibitemOpen [0]{}%
\providecommand \BibitemShut  [1]{\csname bibitem#1\endcsname}%
"""
ENTRIES = r"""\bibitem [{\citenamefont {Able}\ and\ \citenamefont {Baker}(2011)}]{one}%
  \BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibfnamefont {S.}~\bibnamefont
  {Able}}\ and\ \bibinfo {author} {\bibfnamefont {A.}~\bibnamefont
  {Baker}},\ }\href {\doibase 10.1103/PhysRevA.12.33} {\bibfield  {journal} {\bibinfo
  {journal} {Phys. Rev. A}\ }\textbf {\bibinfo {volume} {12}},\ \bibinfo {pages}
  {33} (\bibinfo {year} {2011})},\ \Eprint
  {http://arxiv.org/abs/1001.1234} {arXiv:1001.1234 [quant-ph]} \BibitemShut {NoStop}%
\bibitem [{\citenamefont {Cee}(1999{\natexlab{a}})}]{two}%
  \BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibfnamefont {C.}~\bibnamefont {Cee}},\ }\bibfield  {title} {\enquote
  {\bibinfo {title} {A long study of things},}\ }\href@noop {} {\bibfield  {journal} {\bibinfo  {journal} {Nature}\ }
  \textbf {\bibinfo {volume} {1}},\ \bibinfo {pages} {1950} (\bibinfo {year} {1999}{\natexlab{a}})}, \url
  {http://x.y/z}.\BibitemShut {Stop}%
"""


@pytest.mark.parametrize("preamble", [PREAMBLE, ""], ids=["as-made", "without-its-preamble"])
def test_references_of_apsrev_are_clean(preamble):
    bbl = "\\begin{thebibliography}{2}%\n" + preamble + ENTRIES + "\\end{thebibliography}%\n"
    one, two = body(r"\cite{one,two}", r"\usepackage{natbib}\makeatletter", main_bbl=bbl)["references"]
    assert one["text"] == "S. Able and A. Baker, Phys. Rev. A 12, 33 (2011), arXiv:1001.1234 [quant-ph]."
    assert (one["title"], one["year"]) == (None, 2011)
    assert (one["doi"], one["arxiv"]) == ("10.1103/PhysRevA.12.33", "1001.1234")
    assert (two["title"], two["year"], two["doi"]) == ("A long study of things", 1999, None)
    if preamble:
        assert two["text"] == "C. Cee, “A long study of things,” Nature 1, 1950 (1999a), http://x.y/z."


def test_a_block_of_identifiers_is_no_title():
    bbl = r"""\begin{thebibliography}{1}\bibitem{a} D.~Able, P.~Baker, Automation and new tasks: How technology
    displaces labor, Journal of Things 33~(2) (2019) 3--30. \newblock
    \href {http://dx.doi.org/10.1000/abc} {\path{doi:10.1000/abc}}.
    \end{thebibliography}"""
    reference = body(r"\cite{a}", main_bbl=bbl)["references"][0]
    assert (reference["title"], reference["doi"]) == (
        "Automation and new tasks: How technology displaces labor", "10.1000/abc",
    )  # fmt: skip


def test_arguments_of_macros_stand_in_addresses():
    assert said(r"\eprint{hep-th/97} \same{}", r"\newcommand{\eprint}[2][]{\url{http://x/#2}}"
                r"\newcommand{\same}{\url{http://x/#1}}") == "http://x/hep-th/97 http://x/#1"  # fmt: skip


def test_what_is_provided_does_not_replace_what_is_there():
    definitions = r"\newcommand{\x}{one}\providecommand{\x}{two}\providecommand{\y}{three}\providecommand{\eg}{eg.,}"
    assert said(r"\x \y{} \eg", definitions) == "onethree eg.,"


# Headings by name


def test_headings_that_classes_name():
    record = read(
        r"""\documentclass{llncs}\begin{document}\section*{\abstractname} Short.\section{One} Text.
        \begin{credits}\subsubsection{\ackname} We thank.\subsubsection{\discintname} None.\end{credits}
        \section*{\refname} \end{document}"""
    )
    assert record["abstract"] == "Short."
    assert [(one["heading"], one["level"], one["text"]) for one in record["sections"]] == [
        ("One", 1, "Text."), ("Acknowledgments", 3, "We thank."), ("Disclosure of Interests", 3, "None."),
    ]  # fmt: skip
    assert record["sections"][1]["role"] == "acknowledgement"
    own = body(r"\subsubsection{\ackname} We.", r"\renewcommand{\ackname}{Danksagung}")
    assert own["sections"][1]["heading"] == "Danksagung"


# Captions of parts

PARTS = r"""Text. \begin{figure}\begin{subfigure}[b]{.3\textwidth}\includegraphics{a}
\caption{First $x$.}\label{a}\end{subfigure} \begin{subfigure}{3cm}innards
\caption{Second.}\label{b}\end{subfigure}\caption{Whole.}\label{f}\end{figure}
\begin{figure}\subfloat[One\label{o}]{innards}\subfloat[List][Two]{\includegraphics{x}\label{t}}\subfloat{bare}
\caption{Next.}\label{g}\end{figure} See \ref{a}, \ref{b}, \ref{f}, \ref{o}, \ref{t}, \ref{g}."""


def test_captions_of_parts_are_kept_with_the_whole():
    record = body(PARTS)
    assert [(one["id"], one["text"]) for one in record["captions"]] == [
        ("figure1", "Figure 1: Whole. (a) First $x$. (b) Second."),
        ("figure2", "Figure 2: Next. (a) One (b) Two"),
    ]
    assert record["sections"][0]["text"] == "Text. See 1a, 1b, 1, 2a, 2b, 2."
    check(record)


@pytest.mark.parametrize(
    ("source", "captions"),
    [
        (r"\begin{table}\caption{T}\subcaptionbox*{Box}[3cm]{junk}\subtable[Old]{junk}\end{table}",
         ["Table 1: T Box (a) Old"]),
        (r"\begin{figure}\begin{subfigure}{1in}\caption{A}\end{subfigure}\end{figure}", ["(a) A"]),
        (r"\begin{figure}\begin{minipage}{1in}junk\subcaption{A}\end{minipage}\caption{F}\end{figure}",
         ["Figure 1: F (a) A"]),
        (r"\begin{figure}\subfloat[]{junk}\subfloat[B]{junk}\caption{F}\end{figure}", ["Figure 1: F (b) B"]),
        (r"\begin{figure}\subfloat[A]{x}\caption{F}\subfloat[B]{x}\caption{G}\end{figure}",
         ["Figure 1: F (a) A", "Figure 2: G (b) B"]),
        (r"\begin{figure}\begin{subfigure}{1in}\caption{}\end{subfigure}\end{figure}", []),
        (r"\subfloat[A]{junk}\subcaptionbox{B}{junk}", []),
    ],
)  # fmt: skip
def test_captions_of_parts_in_many_forms(source, captions):
    record = body(f"Before {source} after.")
    assert [one["text"] for one in record["captions"]] == captions
    assert re.sub(r"\s+", " ", record["sections"][0]["text"]) == "Before after."
    check(record)


# Numbers with units


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (r"\SIrange{10}{20}{\metre}", "10 m to 20 m"),
        (r"\qtyrange[range-phrase=--]{1}{2}{\kHz}", "1 kHz to 2 kHz"),
        (r"\numrange{3}{4}", "3 to 4"),
        (r"\SIlist{1; 2 ;3}{\metre\per\second\squared}", "1 m/s², 2 m/s² and 3 m/s²"),
        (r"\qtylist{1;2}{\milli\gram}", "1 mg and 2 mg"),
        (r"\numlist{1;2;3}", "1, 2 and 3"),
        (r"\qtyproduct{2 x 3}{m}", "2 m × 3 m"),
        (r"\SI[mode=text]{\n}{\percent}", "17 %"),
        (r"\num[x=y]{1e5} \ang{45} \si{\kilo\watt\hour} \unit{\mL}", "1e5 45° kWh mL"),
    ],
)
def test_numbers_with_units_read_as_printed(source, printed):
    assert said(f"a {source} b", r"\newcommand{\n}{17}") == f"a {printed} b"


# Files

WHOLE = rb"\documentclass{article}\begin{document}\section{%s} text\end{document}"
TWO = {"a.tex": WHOLE % b"Short", "b.tex": WHOLE % b"The longer one"}


def heading(files: dict[str, bytes]) -> tuple[str, list[str]]:
    record = latex.read(files)
    return record["sections"][0]["heading"], [one["text"] for one in record["warnings"] if one["kind"] == "main-file"]


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("00README.XXX", "a.tex toplevelfile\nc.tex include\n"),
        ("00README.XXX", "b.tex   ignore\n"),
        ("00README.json", json.dumps({"sources": [{"filename": "a.tex", "usage": "toplevel"}]})),
        ("00README.json", json.dumps({"version": 1, "sources": [{"filename": "b.tex", "usage": "ignore"}, 7, {}]})),
        ("00readme.yaml", "version: 1\nsources:\n- usage: toplevel\n  filename: a.tex\n"),
        ("00README.yml", "sources:\n- {filename: ./b.tex, usage: ignore}\n"),
    ],
)
def test_what_arxiv_was_told_decides(name, notes, tmp_path):
    files = {**TWO, name: notes.encode()}
    for file, data in files.items():
        (tmp_path / file).write_bytes(data)
    for source in (files, tex_archive.from_archive(zipped(files)), tex_archive.from_folder(tmp_path)):
        assert heading(source) == ("Short", [])
    inside = {f"paper/{file}": data for file, data in files.items()}
    assert heading(inside) == ("Short", [])


@pytest.mark.parametrize(
    "notes", [b"{", b"[]", b'{"sources": 3}', b"sources: [", b"a.tex", b"", b"!!python/x 1", b"9" * 200_000]
)
def test_notes_that_say_nothing_decide_nothing(notes):
    told = "the paper is read from b.tex, not from a.tex: each file is a complete document"
    for name in ("00README.json", "00README.yaml", "00README.XXX", "00README"):
        assert heading({**TWO, name: notes}) == ("The longer one", [told])


def test_a_document_that_the_paper_inputs_is_no_rival():
    part = rb"\documentclass{article}\begin{document} part \end{document}"
    main = rb"\documentclass{article}\begin{document}\section{Whole} \input{part}\end{document}"
    assert heading({"main.tex": main, "part.tex": part}) == ("Whole", [])
    assert latex.read(TWO, main="a.tex")["warnings"] == []


def test_links_in_zip_archives_are_no_files():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("paper.tex", WHOLE % b"Real")
        link = zipfile.ZipInfo("main.tex")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, r"\documentclass{article}\begin{document} not this text \end{document}")
    assert set(tex_archive.from_archive(made.getvalue())) == {"paper.tex"}


def test_one_packed_file_is_read_or_told():
    assert heading(tex_archive.from_archive(gzip.compress(WHOLE % b"Alone"))) == ("Alone", [])
    for data, told in ((b"%PDF-1.5\n...", "a PDF"), (b"%!PS-Adobe", "PostScript")):
        with pytest.raises(InputFault) as caught:
            tex_archive.from_archive(gzip.compress(data))
        assert caught.value.kind == "unreadable" and caught.value.reason.startswith(f"{told} packed with gzip")


def test_reading_a_file_again_is_not_counted_again(tmp_path, monkeypatch):
    monkeypatch.setattr(tex_archive, "MAX_BYTES", 1000)
    for name in ("a.tex", "b.tex", "c.tex"):
        (tmp_path / name).write_bytes(b"x" * 400)
    files = tex_archive.from_folder(tmp_path)
    assert {len(files[name]) for name in ("a.tex", "b.tex") for _ in range(9)} == {400}
    with pytest.raises(InputFault):
        files["c.tex"]


# Markdown


def markdown(source: str) -> list[tuple[str, str | None]]:
    """LaTeX and label of each equation, its span checked."""
    record = text.read(source.encode())
    records.read(record, "equations")
    texts = records.texts(record)
    for one in record["equations"]:
        span = one["span"]
        assert texts[span["in"]][span["start"] : span["end"]] == one["latex"] != ""
    return [(one["latex"], one["label"]) for one in record["equations"]]


def test_display_formulas_of_markdown_are_equations():
    paper = (
        "# T\n\n## Abstract\n\nIn short $$e=1$$ it is.\n\n## 1 One\n\nSo\n\n$$\na_1 * b_1\n= c \\label{x}\n$$\n\n"
        "and \\[ d \\\\ \\] and $f$ and \\(g\\).\n\n- item $$ h $$\n\n## 2 Two\n\n"
        "```\n$$ code $$\necho $$ $$\n```\n\n    \\[ code \\]\n\nEnd $$a_1$$."
    )
    assert markdown(paper) == [
        ("e=1", None), (r"a_1 * b_1 = c \label{x}", "x"), (r"d \\", None), ("h", None), ("a_1", None),
    ]  # fmt: skip
    assert "equations" not in text.read(b"1 Introduction\n\nPlain text with $$ x $$ in it, and some words.\n")


@settings(max_examples=150)
@given(
    st.lists(
        st.sampled_from(
            [
                "$$",
                "$",
                r"\[",
                r"\]",
                " ",
                "\n",
                "\n\n",
                "a",
                "é",
                "e\u0301",
                "-",
                "\u00ad",
                "`",
                "```\n",
                "\\",
                "# H\n",
            ]
        )
    )
)
def test_whatever_the_markdown_spans_name_their_latex(pieces):
    markdown("# T\n\n## A\n\nSome prose.\n\nwords " + "".join(pieces))


def test_the_fixture_has_every_label():
    record = latex.read(tex_archive.from_folder(ROOT / "fixtures" / "paper"))
    assert record["equations"][0]["labels"] == ["eq:do", "eq:de"]
