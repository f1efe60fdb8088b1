"""Conditions of LaTeX: the branch that a run of TeX would print, and which file of a source is the paper."""

from __future__ import annotations

import random

import pytest
from support.latex import body, read, said

from scholartools.readers.latex import reader as latex

PREAMBLE = (
    r"\usepackage{etoolbox,ifthen}\newif\ifyes\yestrue\newif\ifno\newbool{b}\booltrue{b}\newbool{c}\providebool{c}"
    r"\setbool{c}{false}\newtoggle{t}\toggletrue{t}\newtoggle{u}\settoggle{u}{false}\newboolean{d}\setboolean{d}{true}"
    r"\newcommand{\one}{1}\newcommand{\nil}{}\newcommand{\same}{1}\newcommand{\word}{abc}\newcommand{\taking}[1]{#1}"
)
# Tests of two branches in braces, and whether they hold under the preamble.
ARGUMENTS = {
    r"\ifbool{b}": True, r"\ifbool{c}": False, r"\notbool{b}": False, r"\notbool{c}": True, r"\iftoggle{t}": True,
    r"\iftoggle{u}": False, r"\nottoggle{u}": True, r"\ifdef{\one}": True, r"\ifdef{\nowhere}": False,
    r"\ifundef{\nowhere}": True, r"\ifundef\one": False, r"\ifcsdef{one}": True, r"\ifcsundef{one}": False,
    r"\IfStrEq{a b}{a b}": True, r"\IfStrEq{a}{b}": False,
    r"\ifstrequal{a b}{a b}": True, r"\ifstrequal{a}{b}": False, r"\ifblank{ }": True, r"\ifblank{x}": False,
    r"\notblank{x}": True, r"\ifstrempty{}": True, r"\ifstrempty{ }": False,
    r"\ifdefempty{\nil}": True, r"\ifdefempty{\one}": False,
    r"\ifdefvoid{\nowhere}": True, r"\ifdefmacro{\one}": True, r"\ifdefstring{\word}{abc}": True,
    r"\ifdefstring{\word}{abd}": False, r"\ifdefstrequal{\one}{\same}": True, r"\ifnumcomp{2}{>}{1}": True,
    r"\ifnumcomp{\one}{=}{2}": False, r"\ifnumequal{3}{3}": True, r"\ifnumless{3}{2}": False, r"\ifnumgreater{3}{2}": True,
    r"\ifnumodd{3}": True, r"\ifthenelse{\equal{\word}{abc}}": True, r"\ifthenelse{\equal{a}{b}}": False,
    r"\ifthenelse{\boolean{d}}": True, r"\ifthenelse{\NOT \boolean{d}}": False, r"\ifthenelse{1<2}": True,
    r"\ifthenelse{\one=2 \OR \boolean{d}}": True, r"\ifthenelse{\not\(1<2 \and 3<2\)}": True,
    r"\ifcsempty{nil}": True, r"\ifcsempty{one}": False, r"\ifcsempty{nowhere}": False, r"\ifdefempty\nowhere": False,
    r"\ifcsvoid{nowhere}": True, r"\ifcsvoid{nil}": True, r"\ifcsvoid{one}": False, r"\ifdefvoid{\one}": False,
    r"\ifcsmacro{one}": True, r"\ifcsmacro{nowhere}": False, r"\ifdefparam{\taking}": True, r"\ifdefparam{\one}": False,
    r"\ifcsparam{taking}": True, r"\ifcsparam{one}": False, r"\ifcsstring{word}{abc}": True, r"\ifcsstring{one}{2}": False,
    r"\ifcsstrequal{one}{same}": True, r"\ifcsstrequal{one}{word}": False, r"\ifdefequal{\one}{\same}": True,
    r"\ifdefequal\one\nil": False, r"\ifcsequal{one}{same}": True, r"\ifcsequal{one}{nowhere}": False,
    r"\ifdefprotected{\nowhere}": False, r"\ifcsprefix{nowhere}": False, r"\ifcscounter{nowhere}": False,
    r"\ifthenelse{\isodd{2}}": False, r"\ifthenelse{\isundefined{\nowhere}}": True, r"\@ifundefined{one}": False,
}  # fmt: skip
PRIMITIVES = {
    r"\ifyes ": True, r"\ifno ": False, r"\iftrue ": True, r"\iffalse ": False, r"\ifdefined\one ": True,
    r"\ifdefined\nowhere ": False, r"\ifx\one\same ": True, r"\ifx\one\nil ": False, r"\ifx\nil\empty ": True,
    r"\ifx\nowhere\undefined ": True, r"\ifnum1<2 ": True, r"\ifnum\one>2 ": False, r"\ifnum 3=3 ": True, r"\ifodd3 ": True,
    r"\if11 ": True, r"\if01 ": False, r"\if1\one ": True, r"\if0\one ": False, r"\ifcsname one\endcsname ": True,
    r"\ifcsname nowhere\endcsname ": False, r"\ifmmode ": False, r"\unless\ifno ": True, r"\unless\ifyes ": False,
    r"\unless\ifx\one\nil ": True, r"\unless\ifnum1<2 ": False, r"\ifcase 0 ": True, r"\ifcase 1 ": False,
    r"\ifcase\one ": False,
}  # fmt: skip


def write(chance: random.Random, deep: int, words: list[str], printed: bool) -> str:
    """Nested conditions around words; ``words`` takes those that are printed."""
    parts = []
    for _ in range(chance.randint(1, 3)):
        if deep and chance.random() < 0.6:
            argued = chance.random() < 0.6
            test, holds = chance.choice([*(ARGUMENTS if argued else PRIMITIVES).items()])
            if not argued and chance.random() < 0.3:  # as many cases as please, one of which is printed
                number, cases = write_cases(chance, deep - 1, words, printed)
                parts.append(f"\\ifcase {number} {cases}\\fi ")
                continue
            yes = write(chance, deep - 1, words, printed and holds)
            no = write(chance, deep - 1, words, printed and not holds)
            parts.append(f"{test}{{{yes}}}{{{no}}}" if argued else f"{test}{yes}\\else {no}\\fi")
        else:
            word = f"w{chance.getrandbits(40)}"
            words += [word] if printed else []
            parts.append(f" {word} ")
    return "".join(parts)


def write_cases(chance: random.Random, deep: int, words: list[str], printed: bool) -> tuple[int, str]:
    """The number of an ``\\ifcase``, and its cases with what stands behind its ``\\else``, if it has one."""
    number, count, other = chance.randint(-1, 4), chance.randint(1, 4), chance.random() < 0.5
    cases = [write(chance, deep, words, printed and number == case) for case in range(count)]
    rest = "\\else " + write(chance, deep, words, printed and not 0 <= number < count) if other else ""
    return number, "\\or ".join(cases) + rest


@pytest.mark.parametrize("seeds", [range(250), pytest.param(range(5_000, 12_000), marks=pytest.mark.slow)])
def test_nested_conditions_print_the_branches_that_hold(seeds: range) -> None:
    for seed in seeds:
        chance = random.Random(seed)
        words: list[str] = []
        text = rf"\makeatletter {write(chance, chance.randint(1, 4), words, True)}"
        record = body(f"\\makeatletter Start {text} end", PREAMBLE)
        assert record["sections"][0]["text"].split()[1:-1] == words, (seed, text)
        assert record["warnings"] == []


STRINGS = {
    "IfSubStr": lambda one, other: bool(other) and other in one, "IfStrEq": str.__eq__,
    "IfBeginWith": lambda one, other: bool(other) and one.startswith(other),
    "IfEndWith": lambda one, other: bool(other) and one.endswith(other),
    "IfEq": lambda one, other: float(one) == float(other) if one.isdigit() and other.isdigit() else one == other,
}  # fmt: skip


@pytest.mark.parametrize("test", STRINGS)
def test_texts_of_xstring_print_the_branch_that_holds(test: str) -> None:
    """The texts are drawn, plain or behind macros; a macro that nobody knows leaves the test unknown, which is told."""
    chance = random.Random(test)
    for _ in range(300):
        one = "".join(chance.choice("ab1") for _ in range(chance.randint(0, 5)))
        start, end = sorted(chance.choices(range(len(one) + 1), k=2))
        other = chance.choice([one[start:end], one[:end], one[start:], one, "".join(chance.choices("ab1", k=2))])
        shown = [chance.choice([text, rf"\{name}"]) for name, text in (("first", one), ("second", other))]
        star = chance.choice(["", "", "*"])
        asked = rf"\{test}{star}{{{shown[0]}}}{{{shown[1]}}}{{yes}}{{no}}"
        record = body(f"Start {asked} end", rf"\usepackage{{xstring}}\def\first{{{one}}}\def\second{{{other}}}")
        holds = STRINGS[test](one, other)
        assert record["sections"][0]["text"] == f"Start {'yes' if holds else 'no'} end", (asked, one, other)
        assert record["warnings"] == []
        unknown = body(rf"Start \{test}{{{one}\nobody}}{{{other}}}{{yes}}{{no}} end")
        assert [one["kind"] for one in unknown["warnings"]] == ["macros"], (one, other)


@pytest.mark.parametrize(("asked", "holds"), [
    (r"\IfSubStr[2]{aba}{a}", True), (r"\IfSubStr[2]{aba}{b}", False), (r"\IfEq{1.0}{1}", True), (r"\IfEq{1,5}{1.5}", True),
    (r"\IfEq{1.0}{1a}", False), (r"\IfBeginWith{ ab}{a}", False), (r"\IfSubStr{a b}{a  b}", True), (r"\IfStrEq{}{}", True),
])  # fmt: skip
def test_cases_of_xstring(asked: str, holds: bool) -> None:
    assert said(rf"{asked}{{yes}}{{no}}") == ("yes" if holds else "no")


@pytest.mark.parametrize("test", ["IfStrEqCase", "IfEqCase"])
def test_cases_by_text_print_the_branch_of_the_first_equal_one(test: str) -> None:
    """The cases, their names and the other branches were printed too."""
    chance = random.Random(test)
    for _ in range(100):
        words = [chance.choice(["a", "b", "ab", "1", "1.0", "12"]) for _ in range(6)]
        wanted, *names = words[: chance.randint(2, 6)]
        cases = chance.choice(["", " "]).join(f"{{{name}}}{{case {place}}}" for place, name in enumerate(names))
        shown, star = chance.choice([wanted, r"\asked", r"\nobody"]), chance.choice(["", "*"])
        asked = rf"\{test}{star}{{{shown}}}{{{cases}}}{chance.choice(['', '[none]'])}"
        record = body(f"Start {asked} end", rf"\usepackage{{xstring}}\def\asked{{{wanted}}}")
        of_numbers = test == "IfEqCase" and wanted[0] == "1"
        held = [
            f"case {place}"
            for place, name in enumerate(names)
            if name == wanted or (of_numbers and name[0] == "1" and float(name) == float(wanted))
        ]
        none = "none" if "[none]" in asked else ""
        said = none if shown == r"\nobody" else (held or [none])[0]
        assert record["sections"][0]["text"].replace(" ", "") == f"Start{said}end".replace(" ", ""), asked
        assert bool(record["warnings"]) == (shown == r"\nobody"), asked


@pytest.mark.parametrize("test", [r"\ifx", r"\if"])
def test_two_characters_are_the_same_or_not(test: str) -> None:
    r"""Of two characters, ``\ifx`` held whatever they were, so a test of an optional argument always did."""
    for one in "ab1*!":
        for other in "ab1*!":
            word = "yes" if one == other else "no"
            assert said(rf"{test} {one}{other}yes\else no\fi") == word, (one, other)
            macro = rf"\newcommand\ask[2][{one}]{{{test} {other}#1#2\else no\fi}}"
            assert said(r"\ask{yes}", macro) == word and said(rf"\ask[{other}]{{yes}}", macro) == "yes", (one, other)


@pytest.mark.parametrize("name", [r"\nowhere", r"\relax", r"\section", r"\word"])
def test_a_character_is_no_command(name: str) -> None:
    for asked in (rf"\ifx a{name} ", rf"\ifx{name} a"):
        record = body(rf"{asked}yes\else no\fi", PREAMBLE)
        assert record["sections"][0]["text"] == "no" and record["warnings"] == [], asked
    copied = body(r"\let\letter=a\ifx\letter a yes\else no\fi")  # only TeX knows this from \def\letter{a}
    assert [one["kind"] for one in copied["warnings"]] == ["macros"]


ETOOLBOX = (
    "def undef macro param prefix protected ltxprotect empty void equal string strequal counter length dimen".split()
)


@pytest.mark.parametrize("kind", ETOOLBOX)
def test_each_test_of_etoolbox_of_a_command_prints_one_branch_or_none(kind: str) -> None:
    """What is not known is told; never are both branches printed, or the name that is tested."""
    n_more = {"equal": 1, "strequal": 1, "string": 1}.get(kind, 0)
    families = [(f"\\if{kind}" if kind in ("def", "undef") else f"\\ifdef{kind}", "\\one"), (f"\\ifcs{kind}", "one")]
    for test, name in families:
        more = f"{{{name}}}" * n_more
        words = body(f"Start {test}{{{name}}}{more}{{yes}}{{no}} end", PREAMBLE)["sections"][0]["text"].split()
        assert words in (["Start", "yes", "end"], ["Start", "no", "end"]), test


@pytest.mark.parametrize(
    ("defined", "used", "printed"),
    [
        (r"\newcommand{\asks}{\@ifstar{with}{without}}", r"\asks* \asks{} \asks *", "with without with"),
        (r"\def\asks{\@ifstar\starred\plain}\def\starred#1{S-#1}\def\plain#1{P-#1}", r"\asks*{a} \asks{b}", "S-a P-b"),
        (r"\def\asks{\@ifstar{\two{S}}{\two{P}}}\newcommand{\two}[2]{#1-#2}", r"\asks*{a} \asks{b} \asks*word", "S-a P-b S-word"),
        (r"\newcommand\asks{\@ifstar\@asks\@@asks}\def\@asks#1{S-#1}\newcommand\@@asks[2][o]{P-#1#2}",
         r"\asks*{a} \asks{b} \asks[c]{d}", "S-a P-ob P-cd"),
    ],
)  # fmt: skip
def test_commands_that_ask_for_their_star(defined: str, used: str, printed: str) -> None:
    assert said(used, rf"\makeatletter{defined}\makeatother") == printed


def write_expression(chance: random.Random, deep: int) -> tuple[str, bool]:
    """An expression of etoolbox, and whether it holds: from left to right, without precedence."""
    text, holds = write_operand(chance, deep)
    for _ in range(chance.randint(0, 3)):
        joint, (more, other) = chance.choice(("and", "or")), write_operand(chance, deep)
        text += f"{chance.choice((' ', '  ', chr(10)))}{joint}{chance.choice((' ', ''))}{more}"
        holds = holds and other if joint == "and" else holds or other
    return text, holds


def write_operand(chance: random.Random, deep: int) -> tuple[str, bool]:
    gap = chance.choice(("", " "))
    kind = chance.choice(("bool", "togl", "test", "not", "brackets") if deep else ("bool", "togl", "test"))
    if kind == "not":
        text, holds = write_operand(chance, deep - 1)
        return f"not {text}", not holds
    if kind == "brackets":
        text, holds = write_expression(chance, deep - 1)
        return f"({gap}{text}{gap})", holds
    if kind == "test":
        text, holds = chance.choice([*ARGUMENTS.items()])
        return f"test{gap}{{{gap}{text}{gap}}}", holds
    name, holds = chance.choice(
        {"bool": [("b", True), ("c", False), ("yes", True)], "togl": [("t", True), ("u", False)]}[kind]
    )
    return f"{kind}{gap}{{{name}}}", holds


@pytest.mark.parametrize("seeds", [range(300), pytest.param(range(5_000, 12_000), marks=pytest.mark.slow)])
def test_boolean_expressions_hold_as_their_operands_do(seeds: range) -> None:
    """39 of 1,200 drawn documents had the wrong branch: ``\\ifboolexpr`` was read by nobody."""
    for seed in seeds:
        text, holds = write_expression(random.Random(seed), 3)
        record = body(rf"\makeatletter Start \ifboolexpr{{{text}}}{{yes}}{{no}} end", PREAMBLE)
        assert record["sections"][0]["text"] == f"Start {'yes' if holds else 'no'} end", (seed, text)
        assert record["warnings"] == []


@pytest.mark.parametrize(
    "expression",
    ["", "bool", "not", "bool{b} and", "bool{b} bool{b}", "bool{unset} and bool{b}", "(bool{b}", "bool{b})", "xor{b}",
     "test{}", r"test{\nowhere}", r"test{\ifdimless{1em}{2pt}}", r"\and bool{b}", "not " * 5_000 + "bool{b}", "(" * 5_000,
     r"test{\ifboolexpr{" * 500 + "bool{b}" + "}}" * 500],
)  # fmt: skip
def test_an_expression_that_nobody_can_evaluate_is_told(expression: str) -> None:
    record = body(rf"Start \ifboolexpr{{{expression}}}{{yes}}{{no}} end", PREAMBLE)
    assert record["sections"][0]["text"] == "Start no end"
    assert "only TeX could decide" in record["warnings"][0]["text"]


@pytest.mark.parametrize("opening", ["\\(", "\\not "])
def test_brackets_in_brackets_end_no_stack(opening: str) -> None:
    assert said(rf"\ifthenelse{{{opening * 5_000}}}{{yes}}{{no}}", PREAMBLE) == "no"


@pytest.mark.parametrize("test", [*ARGUMENTS, *PRIMITIVES])
def test_each_condition(test: str) -> None:
    holds = {**ARGUMENTS, **PRIMITIVES}[test]
    text = rf"\makeatletter {test}{{yes}}{{no}}" if test in ARGUMENTS else rf"{test}yes\else no\fi"
    assert said(text, PREAMBLE).strip() == ("yes" if holds else "no")


@pytest.mark.parametrize(
    "text", [r"\ifbool{unset}{yes}{no}", r"\ifdim\textwidth>3pt yes\else no\fi", r"\ifthenelse{\lengthtest{1pt<2pt}}{yes}{no}",
             r"\iftoggle{unset}{yes}{no}", r"\ifdimcomp{1em}{<}{2pt}{yes}{no}", r"\ifcase\x yes\or no\fi"]
)  # fmt: skip
def test_a_condition_that_nobody_knows_is_told(text: str) -> None:
    record = body(f"Start {text} end")
    assert "yes" not in record["sections"][0]["text"]
    assert [one["kind"] for one in record["warnings"]] == ["macros"]
    assert "only TeX could decide" in record["warnings"][0]["text"]


def test_a_case_that_nobody_knows_prints_no_numbered_one() -> None:
    record = body(r"Start \ifcase\value{x} yes\or yes\or yes\else rest\fi{} end")
    assert record["sections"][0]["text"] == "Start rest end"
    assert "only TeX could decide" in record["warnings"][0]["text"]


@pytest.mark.parametrize("command", [r"\excludecomment", r"\excludeversion"])
@pytest.mark.parametrize("name", ["hidden", "proof", "abstract", "figure"])
def test_environments_that_a_source_leaves_out(command: str, name: str) -> None:
    left_out = f"\\begin{{{name}}}\nno {{\\em no}} \\begin{{center}}no\\end{{center}}\n\\end{{{name}}}"
    record = body(f"Start {left_out} end", f"{command}{{{name}}}")
    assert (record["sections"][0]["text"], record["abstract"]) == ("Start end", None)
    back = rf"{command}{{{name}}}\includecomment{{{name}}}"
    assert "no" not in said(f"Start {left_out} end", rf"{command}{{{name}}}").split()
    if name == "hidden":
        assert said(f"Start {left_out} end", back).split() == ["Start", "no", "no", "no", "end"]


@pytest.mark.parametrize(
    ("spec", "code", "without", "given"),
    [
        ("o m", r"\IfNoValueTF{#1}{none #2}{one #1 #2}", "none a", "one o a"),
        ("o m", r"\IfValueTF{#1}{one #1 #2}{none #2}", "none a", "one o a"),
        ("o m", r"\IfValueT{#1}{one #1 }#2\IfNoValueT{#1}{ none}", "a none", "one o a"),
        ("O{x} m", r"\IfValueTF{#1}{one #1 #2}{none}", "one x a", "one o a"),
    ],
)  # fmt: skip
def test_commands_that_ask_for_their_optional_argument(spec: str, code: str, without: str, given: str) -> None:
    preamble = rf"\NewDocumentCommand{{\asks}}{{{spec}}}{{{code}}}"
    assert said(r"\asks{a}", preamble) == without
    assert said(r"\asks[o]{a}", preamble) == given


def test_the_blind_version_of_a_template_prints_what_it_says() -> None:
    source = r"\newcommand{\blind}{0}\begin{document}\if0\blind{\title{Open}\author{Jane Doe}\maketitle}\fi"
    source += r"\if1\blind{\title{Blind}}\fi \section{A}Text of it.\end{document}"
    record = read(rf"\documentclass{{article}}{source}")
    assert (record["title"], record["authors"]) == ("Open", ["Jane Doe"])


def test_a_title_after_the_title_is_another_document() -> None:
    record = read(
        r"\documentclass{article}\title{First}\author{Jane Doe}\begin{document}\maketitle\section{A}Text."
        r"\title{Supplement}\author{Bad Man}\maketitle More.\end{document}"
    )
    assert (record["title"], record["authors"]) == ("First", ["Jane Doe"])
    assert "Supplement" not in str(record["sections"])


@pytest.mark.parametrize(
    "named", [r"\authorsnames[1,{2,3}]{Jane B. Doe, John Roe}\authorsaffiliations{{Univ A},{Univ B}}", r"\twoauthors{Jane B. Doe}{John Roe}"]
)  # fmt: skip
def test_authors_of_apa(named: str) -> None:
    record = read(
        rf"\documentclass{{apa7}}\title{{T}}{named}\begin{{document}}\maketitle Some text here.\end{{document}}"
    )
    assert record["authors"] == ["Jane B. Doe", "John Roe"]


@pytest.mark.parametrize(
    "label",
    [
        r"{Smith {\em et~al.\ }\relax(2019)Smith, Roe}", r"\protect\citename{Smith {\em et~al.\ }\relax}2019",
        r"\citename{Smith {\em et~al.\ }\relax, }2019", r"\astroncite{Smith et~al.}{2019}",
        r"\protect\BCAY{Smith {\em et~al.\ }\relax}{Smith {\em et~al.}}{2019}",
        r"{\protect\citeauthoryear{Smith {\em et~al.\ }\relax}{Smith, Roe}{2019}}",
    ],
)  # fmt: skip
def test_labels_of_bibliographies_leave_no_commands(label: str) -> None:
    text = rf"As \citet{{a}}.\begin{{thebibliography}}{{}}\bibitem[{label}]{{a}} J. Smith. On cells. 2019.\end{{thebibliography}}"
    assert said(text, r"\usepackage{natbib}") == "As Smith et al. (2019)."


PAPER = r"\title{Cells}\maketitle\begin{abstract}Short.\end{abstract}\section{One}Text.\input{two}\bibliography{x}\end{document}"
SMALL = rb"\documentclass{article}\begin{document}A figure.\end{document}"


@pytest.mark.parametrize(
    "files",
    [
        {"ms.tex": r"\input{preamble}\begin{document}" + PAPER, "preamble.tex": r"\documentclass{article}"},
        {"ms.tex": r"\input preamble" + "\n" + r"\begin{document}" + PAPER, "preamble.tex": r"\documentclass{article}"},
        {"z.tex": r"\documentclass{article}\begin{document}\input{all}\end{document}", "all.tex": PAPER},
        {"p.tex": r"\documentclass{article}\begin{document}" + PAPER, "main.tex": SMALL.decode()},
        {"p.tex": r"\documentclass{article}\begin{document}" + PAPER,
         "a-supplement.tex": r"\documentclass{article}\begin{document}\section{S}" + PAPER.replace("Cells", "S") + "x" * 9000},
        {"p.tex": r"\documentclass{article}\begin{document}" + PAPER,
         "a.tex": r"\documentclass{beamer}\begin{document}" + PAPER.replace("Cells", "S") + "x" * 9000},
    ],
)  # fmt: skip
def test_the_paper_among_other_documents(files: dict[str, str]) -> None:
    source = {"fig.tex": SMALL, "two.tex": b"More text.", **{name: text.encode() for name, text in files.items()}}
    record = latex.read(source)
    assert record["title"] == "Cells"
    assert any(one["kind"] == "main-file" and "fig.tex" in one["text"] for one in record["warnings"])
