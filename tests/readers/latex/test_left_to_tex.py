"""Code of expl3 and other conditions that only TeX could decide, in LaTeX sources."""

from __future__ import annotations

import random

import pytest
from support.latex import body, read, said
from support.run import st

_CODE_OF_TEX = "a macro that only TeX could run: its arguments are read as text"
_CODE_OF_EXPL3 = "code of expl3 that only TeX could run: left out"


def _condition(draw: random.Random) -> tuple[str, bool]:
    """A test without the letters for its branches, and whether it is true."""
    one, other = (draw.choice(("", "a", "b c", "17")) for _ in range(2))
    number, limit, sign = draw.randrange(5), draw.randrange(5), draw.choice("<=>")
    truth = {"<": number < limit, "=": number == limit, ">": number > limit}[sign]
    boolean = draw.choice((True, False))
    name = f"\\{draw.choice('lg')}_yes_bool" if boolean else "\\l_no_bool"
    return draw.choice(
        [
            (f"\\tl_if_eq:nn@ {{{one}}} {{{other}}}", one.replace(" ", "") == other.replace(" ", "")),
            (f"\\str_if_eq:nn@{{{one}}}{{{other}}}", one.replace(" ", "") == other.replace(" ", "")),
            (f"\\tl_if_empty:n@ {{{one}}}", not one),
            (f"\\tl_if_blank:n@ {{{one}}}", not one),
            (f"\\int_compare:nNn@ {{{number}}} {sign} {{{limit}}}", truth),
            (f"\\bool_if:N@ {name}", boolean),
        ]
    )


def _program(draw: random.Random, depth: int, words: list[int]) -> tuple[str, list[str]]:
    """Code with nested tests, and the words that it prints."""
    if depth == 0 or draw.random() < 0.3:
        words[0] += 1
        return f"~word{words[0]}~\n ", [f"word{words[0]}"]
    test, is_true = _condition(draw)
    (yes, says), (no, denies) = (_program(draw, depth - 1, words) for _ in range(2))
    kind = draw.choice(("TF", "T", "F"))
    code = test.replace("@", kind) + "".join(
        f" {{ {one} }}" for one, letter in ((yes, "T"), (no, "F")) if letter in kind
    )
    printed = says if is_true else denies
    return code, printed if ("T" if is_true else "F") in kind else []


@pytest.mark.parametrize("seed", range(60))
def test_nested_tests_of_expl3_print_the_branches_that_are_taken(seed):
    draw = random.Random(seed)
    words = [0]
    parts = [_program(draw, 3, words) for _ in range(4)]
    preamble = (
        "\\ExplSyntaxOn\n\\bool_new:N \\l_no_bool % a comment\n\n\\bool_new:N \\l_yes_bool \\bool_new:N \\g_yes_bool\n"
        "\\bool_set_true:N \\l_yes_bool \\bool_gset_true:N \\g_yes_bool\n"
        + "".join(
            f"\\cs_new_protected:Npn \\own_{name}:n #1 {{ {code} }}\n"
            f"\\NewDocumentCommand \\{name} {{ m }} {{ \\own_{name}:n {{ #1 }} }}\n"
            for name, (code, _) in zip(("one", "two", "three", "four"), parts, strict=True)
        )
        + "\\ExplSyntaxOff"
    )
    record = body("Start \\one{x} \\two{x} \\three{x} \\four{x} end.", preamble)
    expected = ["Start", *(word for _, printed in parts for word in printed), "end."]
    assert record["sections"][0]["text"].split() == expected
    assert record["warnings"] == []


def test_code_of_expl3_that_has_no_meaning_here_is_left_out_and_told(tmp_path):
    paper = tmp_path / "paper.tex"
    paper.write_text(
        "\\documentclass{article}\\ExplSyntaxOn\\NewDocumentCommand\\kind{m}"
        "{\\str_case:nnF{#1}{{a}{first~kind}{b}{second~kind}}{no~kind}}\\ExplSyntaxOff"
        "\\begin{document}\\section{One}Before \\kind{a} after.\\end{document}"
    )
    (record,) = st("st-parse", paper).records
    assert record["sections"][0]["text"] == "Before after."
    assert [one["text"] for one in record["warnings"]] == [_CODE_OF_EXPL3]


def test_names_with_an_underscore_are_whole_between_the_switches_of_expl3_alone():
    assert said("$a_b:c$ \\ExplSyntaxOn \\l_my_tl ~ a b \\ExplSyntaxOff c d") == "$a_b:c$ abc d"


@pytest.mark.parametrize(
    ("text", "said_text", "reason"),
    [
        ("A \\ifthispageodd{odd}{even} b.", "A even b.", "a condition that only TeX could decide: taken as false"),
        ("A \\whileboolexpr{test{\\ifodd}}{word} b.", "A b.", "a condition that only TeX could decide: taken as false"),
        (
            "A \\csname iffalse\\endcsname no\\else yes\\fi{} b.", "A noyes b.",
            "a condition whose end is not read: all its branches are",
        ),
        ("A \\later[x] b.", "A [x] b.", _CODE_OF_TEX),
    ],
)  # fmt: skip
def test_what_only_tex_could_decide_is_told(text, said_text, reason):
    record = body(text, "\\def\\later{\\futurelet\\next\\choose}")
    assert record["sections"][0]["text"] == said_text
    assert [one["text"] for one in record["warnings"]] == [reason]


_APACITE = r"""\begin{thebibliography}{}
\bibitem [\protect \citeauthoryear {%
Smith%
, Lee%
\BCBL {}\ \BBA {} Ek%
}{%
Smith%
\ \protect \BOthers {.}}{%
{\protect \APACyear {2001}}%
}]{%
a}
\APACinsertmetastar {%
a}%
\begin{APACrefauthors}%
Smith, J.%
, Lee, A\BPBI B.%
\BCBL {}\ \BBA {} Ek, B.%
\end{APACrefauthors}%
\unskip\
\newblock
\APACrefYearMonthDay{2001}{\APACmonth{05}}{3}.
\newblock
{\BBOQ}\APACrefatitle {On things that matter} {On things that matter}.{\BBCQ}
\newblock
\APACjournalVolNumPages{Journal of Things}{1}{2}{3--4}.
\newblock
\PrintBackRefs{\CurrentBib}
\bibitem [\protect \citeauthoryear {Roe}{Roe}{{\protect \APACyear {1999}}}]{b}
\begin{APACrefauthors}Roe, C.\end{APACrefauthors}\unskip\ \newblock
\APACrefYear{1999}. \newblock
\APACrefbtitle {A book of things} {A book of things}\ (\BVOL~2). \newblock
\APACaddressPublisher{Berlin}{Springer}.
\end{thebibliography}"""


def test_entries_of_apacite_are_read_as_they_are_printed():
    record = body(r"As \cite{a}. \bibliography{x}", r"\usepackage{apacite}", main_bbl=_APACITE)
    first, second = record["references"]
    assert record["sections"][0]["text"] == "As (Smith, Lee, & Ek, 2001)."
    assert first["text"] == (
        "Smith, J., Lee, A. B., & Ek, B. (2001, May 3). On things that matter. Journal of Things, 1(2), 3–4."
    )
    assert (first["authors"], first["title"], first["year"]) == (
        ["Smith, J.", "Lee, A. B.", "Ek, B."],
        "On things that matter",
        2001,
    )
    assert second["title"] == "A book of things"
    assert second["text"].endswith("A book of things (Vol. 2). Berlin: Springer.")


def test_entries_of_harvard_are_entries():
    item = "\\harvarditem[Smith et~al.]{Smith, Lee and Ek}{2001}{a} Smith, J., Lee, A. and Ek, B. (2001). On things."
    bbl = f"\\begin{{thebibliography}}{{9}}\n{item}\n\\end{{thebibliography}}"
    record = read(
        "\\documentclass{article}\\usepackage{harvard}\\begin{document}\\section{One}As \\cite{a}.\n"
        "\\bibliography{x}\\end{document}",
        main_bbl=bbl,
    )
    assert record["sections"][0]["text"] == "As (Smith et al., 2001)."
    assert [one["authors"] for one in record["references"]] == [["Smith, J.", "Lee, A.", "Ek, B."]]
