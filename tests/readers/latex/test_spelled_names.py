r"""Names that ``\csname`` spells, and what ``\expandafter`` expands before them: defined, copied, asked for and used."""

from __future__ import annotations

import itertools
import random

import pytest
from support.latex import body, said

# Ways to define a command that prints a text, to give it the meaning of another one, and to use it, by its name.
DEFINED = (
    r"\expandafter\def\csname NAME\endcsname{TEXT}",
    r"\expandafter\gdef\csname NAME\endcsname{TEXT}",
    r"\expandafter\newcommand\csname NAME\endcsname{TEXT}",
    r"\expandafter\newcommand\expandafter*\expandafter{\csname NAME\endcsname}{TEXT}",
    r"\expandafter\def\csname\prefix NAME\endcsname{TEXT}",
    r"\@namedef{NAME}{TEXT}",
    r"\csdef{NAME}{TEXT}",
    r"\define{NAME}{TEXT}",
)
COPIED = (
    r"\expandafter\let\csname NAME\expandafter\endcsname\csname OTHER\endcsname",
    r"\expandafter\def\csname NAME\endcsname{\csname OTHER\endcsname}",
    r"\expandafter\def\csname NAME\expandafter\endcsname\expandafter{\csname OTHER\endcsname}",
)
USED = (
    r"\csname NAME\endcsname{}",
    r"\csname \prefix NAME\endcsname ",
    r"\@nameuse{NAME}",
    r"\csuse{NAME}",
    r"\get{NAME} ",
    r"\expandafter\same\csname NAME\endcsname ",
    r"\expandafter\same\expandafter{\csname NAME\endcsname}",
    r"\ifcsname NAME\endcsname\csname NAME\endcsname\else never\fi",
    r"\expandafter\ifx\csname NAME\endcsname\relax never\else\csname NAME\endcsname\fi",
    r"\ifone\expandafter\@firstoftwo\else\expandafter\@secondoftwo\fi{\csname NAME\endcsname}{never}",
)
PREAMBLE = (
    r"\makeatletter\newcommand{\prefix}{}\newcommand{\get}[1]{\csname #1\endcsname}\newcommand{\same}[1]{#1}"
    r"\newcommand{\define}[2]{\expandafter\def\csname #1\endcsname{#2}}\newif\ifone\onetrue "
)


def spell(chance: random.Random, number: int) -> str:
    """A name of letters, or one that only ``\\csname`` can spell."""
    return "own" + chance.choice(["", ":", "@", ".", "/a-", " key "]) + "abcdefgh"[number]


@pytest.mark.parametrize("seeds", [range(120), pytest.param(range(1_000, 6_000), marks=pytest.mark.slow)])
def test_what_a_spelled_name_stands_for_is_printed_once(seeds: range) -> None:
    for seed in seeds:
        chance = random.Random(seed)
        meanings: dict[str, str] = {}
        source, wanted, counted = [], [], itertools.count()
        for _ in range(chance.randint(1, 12)):
            if meanings and chance.random() < 0.5:
                name = chance.choice([*meanings])
                source.append(chance.choice(USED).replace("NAME", name))
                wanted.append(meanings[name])
                continue
            name = spell(chance, chance.randrange(8))
            if (others := [*{*meanings} - {name}]) and chance.random() < 0.3:
                other = chance.choice(sorted(others))
                source.append(chance.choice(COPIED[:1]).replace("NAME", name).replace("OTHER", other))
                meanings[name] = meanings[other]
            else:
                meanings[name] = f"w{next(counted)}x"
                source.append(chance.choice(DEFINED).replace("NAME", name).replace("TEXT", meanings[name]))
        record = body("\\makeatletter Start " + "{} ".join(source) + "{} end", PREAMBLE)
        assert record["sections"][0]["text"].split() == ["Start", *wanted, "end"], (seed, source)
        assert record["warnings"] == []


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (r"\csname nowhere\endcsname", ""),
        (r"\csname no:where\endcsname", ""),
        (r"\expandafter\ifx\csname no:where\endcsname\relax free\else taken\fi", "free"),
        (r"\csname textbf\endcsname{bold} \csname alpha\endcsname", "bold α"),
        (r"$\csname frac\endcsname{1}{2}$", r"$\frac{1}{2}$"),
        (r"\csname emph\endcsname{x\csname textit\endcsname{y}}", "xy"),
        (r"\def\pair#1#2{(#1,#2)}\def\ab{ab}\expandafter\pair\ab", "(a,b)"),
        (r"\def\pair#1#2{(#1,#2)}\def\ab{ab}\expandafter\pair\expandafter{\ab}{c}", "(ab,c)"),
        (r"\def\list{a}\expandafter\def\expandafter\list\expandafter{\list,b}\list", "a,b"),
        (r"\def\one#1{[#1]}\def\two{\three}\def\three{x}\expandafter\expandafter\expandafter\one\two", "[x]"),
        (r"\expandafter\newif\csname ifown\endcsname\owntrue\ifown yes\else no\fi", "yes"),
        (r"\newenvironment{own}{\csname emph\endcsname{(}}{)}\begin{own}x\end{own}", "(x)"),
    ],
)
def test_spelled_names_in_text_and_formulas(source: str, printed: str) -> None:
    assert said(f"Start {source}{{}} end").split() == ["Start", *printed.split(), "end"]


def test_a_spelled_heading_opens_a_section() -> None:
    record = body(r"before \csname section\endcsname{Two} after")
    assert [(one["heading"], one["text"]) for one in record["sections"]] == [("One", "before"), ("Two", "after")]


@pytest.mark.parametrize(
    "source",
    [r"\csname own\number\count1\endcsname", r"\csname own\string\x\endcsname", r"{\csname own}", "\\csname own\n\n"],
)
def test_a_name_that_only_tex_could_spell_is_told(source: str) -> None:
    record = body(f"Start {source} end")
    assert record["sections"][0]["text"].split()[-1] == "end"
    assert [one["text"] for one in record["warnings"]] == ["a name that only TeX could spell"]


@pytest.mark.parametrize(
    "bomb",
    [
        r"\def\z{\csname z\endcsname}\z",
        r"\def\z{\expandafter\z\z}\z",
        r"\def\z{\csname z\z\endcsname}\z",
        r"\expandafter" * 20_000 + r"\z",
        r"\csname " * 3_000,
    ],
)
def test_spelled_names_without_end_do_not_hang(bomb: str) -> None:
    record = body(f"before {bomb} \\section{{B}} after")
    assert record["sections"][-1]["text"] == "after"
