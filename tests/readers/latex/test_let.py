r"""Meanings that ``\let`` gives, takes and copies: in a paper, in a ``.sty`` beside it, before and after definitions.

The truth of a generated source is kept beside it by a model of its own: what each name stands for after each step.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from support.latex import body, said

NEW = tuple(rf"\own{letter}" for letter in "abcd")  # names that no format knows
SYMBOLS = (r"\epsilon", r"\phi", r"\iota")  # names that the reader knows as symbols
COMMANDS = (r"\l", r"\P")  # names of text commands, which formulas may give another meaning
NAMES = (*NEW, *SYMBOLS, *COMMANDS)
UNDEFINED, RELAX = "undefined", r"\relax"
NEVER = (
    "never"  # not defined so far: a copy of such a name stands for it, for a package that is not there may define it
)


class Meanings:
    """What each name stands for in a formula, as TeX would have it."""

    def __init__(self) -> None:
        self.of = {name: NEVER if name in NEW else name for name in NAMES}

    def step(self, chance: random.Random) -> str:
        """Source that changes one meaning, and that change."""
        name, other = chance.choice(NAMES), chance.choice(NAMES)
        body = f"{chance.choice('ABCDEFG')}_{{{chance.randrange(10**6)}}}"
        equals = chance.choice(["", "=", "= ", " "])
        if chance.random() < 0.3:
            cleared = chance.choice([r"\undefined", r"\relax", r"\@undefined"])
            self.of[name] = RELAX if cleared == r"\relax" else UNDEFINED
            if chance.random() < 0.3:
                return rf"\expandafter\let\csname {name[1:]}\endcsname{equals}{cleared}"
            return rf"\let{name}{equals}{cleared}"
        if chance.random() < 0.4 and self.of[other] != NEVER:
            self.of[name] = self.of[other]
            return rf"\let{name}{equals}{other}"
        free = self.of[name] in (NEVER, UNDEFINED, RELAX)
        if chance.random() < 0.4 and (free or name in NEW):
            self.of[name] = body if free else self.of[name]
            return rf"\providecommand{{{name}}}{{{body}}}"
        if chance.random() < 0.3:
            test = chance.choice([rf"\@ifundefined{{{name[1:]}}}", rf"\ifundef{{{name}}}"])
            self.of[name] = body if free else self.of[name]
            return rf"{test}{{\def{name}{{{body}}}}}{{}}"
        how = r"\newcommand{%s}{%s}" if free else chance.choice([r"\renewcommand{%s}{%s}", r"\def%s{%s}"])
        if name not in NEW and not free and self.of[name] == name:
            how = r"\let%s= %s"  # packages that say nothing of how symbols look are passed over but for this
            body = chance.choice("XYZ")
        self.of[name] = body
        return how % (name, body)


def write(seed: int) -> tuple[str, str, dict[str, str]]:
    """A preamble, the package that it loads, and what the names stand for in the end."""
    chance, meanings = random.Random(seed), Meanings()

    def steps() -> str:
        return "\n".join(meanings.step(chance) for _ in range(chance.randint(0, 5)))

    before, package, after = steps(), steps(), steps()
    preamble = "\\usepackage{etoolbox}\\makeatletter\n" + before + "\n\\usepackage{own}\n" + after + "\n\\makeatother"
    return preamble, package, meanings.of


def formulas(names: Iterable[str], preamble: str, package: str) -> list[str]:
    """What each name stands for between two letters, as the reader has it."""
    text = "Text. " + " and ".join(rf"\begin{{equation*}}p{name} q\end{{equation*}}" for name in names)
    record = body(text, preamble, own_sty=package)
    return [one["latex"].removeprefix("p").removesuffix("q").strip() for one in record["equations"]]


@pytest.mark.parametrize("seeds", [range(150), pytest.param(range(10_000, 14_000), marks=pytest.mark.slow)])
def test_names_stand_for_what_was_said_of_them_last(seeds: range) -> None:
    for seed in seeds:
        preamble, package, truth = write(seed)
        wanted = {name: name if stands in (NEVER, UNDEFINED) else stands for name, stands in truth.items()}
        found = dict(zip(NAMES, formulas(NAMES, preamble, package), strict=True))
        assert found == wanted, f"seed {seed}\n{preamble}\n--- own.sty\n{package}"


@pytest.mark.parametrize(
    ("preamble", "text", "wanted"),
    [
        (r"\let\ifdraft\iffalse", r"a \ifdraft secret\else open\fi", "a open"),
        (r"\let\ifdraft=\iftrue", r"a \ifdraft draft\else open\fi", "a draft"),
        (r"\newif\ifone\onetrue\let\iftwo\ifone\onefalse", r"\iftwo yes\else no\fi", "yes"),
        (r"\let\own\relax", r"\ifx\own\relax yes\else no\fi", "yes"),
        (r"\let\phi\undefined", r"\ifx\phi\undefined yes\else no\fi", "yes"),
        (r"\newcommand{\own}{x}\undef\own", r"\ifdef{\own}{yes}{no}", "no"),
        (r"\newcommand{\own}{x}\csundef{own}", r"\ifcsdef{own}{yes}{no}", "no"),
        (r"\let\own\empty", r"$x\own y$", "$x y$"),
        (r"\let\own xyz", r"$a\own b$", "$ax b$"),
        (r"\newcommand{\one}{x}\let\two\one\renewcommand{\one}{y}", r"$\two\one$", "$xy$"),
    ],
)
def test_what_let_says_is_what_stands_there(preamble: str, text: str, wanted: str) -> None:
    assert said(f"Start {text}{{}} end", rf"\usepackage{{etoolbox}}{preamble}") == f"Start {wanted} end"


def test_a_package_defines_what_the_paper_has_cleared_for_it() -> None:
    names = (r"\vx", r"\E", r"\epsilon", r"\KL", r"\argmax")
    cleared = "".join(rf"\let{name}\undefined" for name in names) + r"\usepackage{own}"
    package = (
        r"\newcommand{\vx}{\mathbf{x}}\providecommand{\E}{\mathbb{E}}\newcommand{\epsilon}{\varepsilon}"
        r"\def\KL{D_{\mathrm{KL}}}\DeclareMathOperator{\argmax}{argmax}"
    )
    wanted = [r"\mathbf{x}", r"\mathbb{E}", r"\varepsilon", r"D_{\mathrm{KL}}", r"\operatorname{argmax}"]
    assert formulas(names, cleared, package) == wanted
