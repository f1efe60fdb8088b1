"""Formulas of titles, headings and references: no macro is dropped without its sign or its name."""

from __future__ import annotations

import itertools

import pytest

from scholartools.readers.latex.document import symbols

# From LaTeX's own and amsmath's lists of commands, not from the tables of the code.
COMMANDS = """gets to leftarrow Leftarrow iff implies impliedby ne neq le leq ge geq equiv approx sim propto in notin ni owns
subset subseteq cup cap setminus land lor lnot neg wedge vee forall exists bot top perp models vdash mid parallel prec succ
ll gg pm mp times div cdot ast star circ bullet oplus otimes sum prod int partial nabla infty emptyset hbar ell Re Im aleph
alpha beta gamma epsilon varepsilon Gamma Omega ldots cdots max min sup inf lim limsup liminf arg deg det dim exp gcd hom
ker lg ln log Pr sin cos tan bmod pmod lVert rVert lvert rvert langle rangle lfloor rceil coloneqq triangleq leqslant
nleq hookrightarrow mapsto rightsquigarrow xrightarrow binom overset underset stackrel phantom choose over atop unheardof
argmin argmax lessgtr barwedge Vdash""".split()


@pytest.mark.parametrize(("formula", "printed"), [
    (r"x \gets 1", "x ← 1"),
    (r"a \ne b", "a ≠ b"),
    (r"\dfrac{1}{2}", "1/2"),
    (r"\texttt{BERT} + \mbox{k}", "BERT + k"),
    (r"\operatorname*{argmin} x", "argmin x"),
    (r"\left. x \right|", "x |"),
    (r"\|x\|", "‖x‖"),
    (r"\boldsymbol{x} \bmod 2", "x mod 2"),
    (r"\binom{n}{k}", r"$\binom{n}{k}$"),
    (r"\sqrt[3]{x}", r"$\sqrt[3]{x}$"),
    (r"n \choose k", r"$n \choose k$"),
    (r"\begin{unheardof}a\end{unheardof}", r"$\begin{unheardof}a\end{unheardof}$"),
    (r"\frac{a+b}{c}", "(a+b)/c"),
    (r"\frac{1}{2n}", "1/(2n)"),
    (r"2\frac12", r"$2\frac12$"),
    (r"x^{2n}", "x^{2n}"),
    (r"x_{ij} + L_{\mathrm{max}}^{-1}", "x_ij + L_max^-1"),
    (r"^{13}C", "^{13}C"),
    (r"\widehat{xy}", r"$\widehat{xy}$"),
    (r"\overrightarrow{AB}", r"$\overrightarrow{AB}$"),
])  # fmt: skip
def test_a_formula_is_printed_whole_or_kept_as_it_is_written(formula, printed):
    assert symbols.unicode_math(formula) == printed


@pytest.mark.parametrize("form", ["x \\{} y", "x\\{}{{a}}{{b}} y"])
def test_no_command_of_mathematics_is_lost(form):
    plain = form.replace("\\{}", "").replace("{{", "").replace("}}", "").replace(" ", "")
    lost = [name for name in COMMANDS if symbols.unicode_math(form.format(name)).replace(" ", "") == plain]
    assert lost == []


def test_two_commands_are_not_taken_for_one_another():
    same = {"to rightarrow", "gets leftarrow", "ne neq", "le leq", "ge geq", "ni owns", "lnot neg", "bot perp"}
    printed = {name: symbols.unicode_math(f"x \\{name} y") for name in COMMANDS}
    equal = {f"{a} {b}" for a, b in itertools.combinations(COMMANDS, 2) if printed[a] == printed[b]}
    assert {one for one in equal if one not in same and " ".join(reversed(one.split())) not in same} <= {
        "land wedge", "lor vee", "lVert rVert", "lvert rvert", "mid lvert", "mid rvert", "parallel lVert", "parallel rVert",
        "le leqslant", "leq leqslant", "epsilon varepsilon",
    }  # fmt: skip


def _formulas(depth: int) -> list[str]:
    """Formulas that all mean different things, and have braces wherever there is more than one sign."""
    if not depth:
        return ["a", "b", "1", "2"]
    inner = _formulas(depth - 1)
    more = inner if depth == 1 else [one for one in inner if len(one) > 1][::5]
    return [
        *inner,
        *(one + other for one in inner for other in ("a", "2") if one != "1"),
        *(f"a{sign}{{{one}}}" for one in more for sign in "^_"),
        *(f"{{{one}}}^{{{other}}}b" for one in more for other in ("2", "12")),
        *(f"\\frac{{{one}}}{{{other}}}" for one in more for other in inner[:20]),
        *(f"2\\frac{{{one}}}{{b}}" for one in more),
        *(f"\\sqrt{{{one}}}{other}" for one in more for other in ("", "b")),
        *(f"\\{mark}{{{one}}}" for one in more for mark in ("overline", "widehat", "hat")),
    ]


def test_two_formulas_of_one_generator_are_never_printed_alike():
    printed: dict[str, str] = {}
    found = dict.fromkeys(_formulas(2))
    assert len(found) > 500
    alike = [
        (one, printed[text])
        for one in found
        if (text := symbols.unicode_math(one).replace(" ", "")) and printed.setdefault(text, one) != one
    ]
    assert alike == []
