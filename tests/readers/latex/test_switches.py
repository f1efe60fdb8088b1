r"""Switches made and set in branches, stray ends of conditions, and what TeX writes to its log or to files."""

from __future__ import annotations

import random

import pytest
from support.latex import body, said


def write(chance: random.Random, deep: int, state: dict[str, bool], printed: bool, words: list[str]) -> str:
    """Conditions on switches that are made, copied and set in branches; ``words`` takes what is printed."""
    parts = []
    for _ in range(chance.randint(1, 5)):
        kind, name = chance.randrange(6), chance.choice("abcd")
        if kind == 0:
            parts.append(rf"\newif\ifown{name} " if chance.random() < 0.5 else rf"\newif \ifown{name}")
            state[name] = state[name] and not printed
        elif kind == 1:
            value = chance.random() < 0.5
            parts.append(rf"\own{name}{str(value).casefold()} ")
            state[name] = value if printed else state[name]
        elif kind == 2:
            value = chance.random() < 0.5
            parts.append(rf"\let\ifown{name}{chance.choice(['', '=', ' = '])}\if{str(value).casefold()} ")
            state[name] = value if printed else state[name]
        elif kind == 3 and deep:
            test, holds = chance.choice(
                [(rf"\ifown{name} ", state[name]), (rf"\ifx\ifown{name}\undefined ", False),
                 (rf"\ifdefined\ifown{name} ", True), (r"\iffalse ", False)]
            )  # fmt: skip
            yes = write(chance, deep - 1, state, printed and holds, words)
            no = write(chance, deep - 1, state, printed and not holds, words)
            parts.append(rf"{test}{yes}\else {no}\fi ")
        elif kind == 4:
            written = chance.choice([r"\typeout", r"\message", r"\immediate\write16", r"\PackageWarning{own}"])
            parts.append(written + "{never}")
        else:
            word = f"w{chance.getrandbits(40)}"
            words += [word] if printed else []
            parts.append(f" {word} ")
    return "".join(parts)


@pytest.mark.parametrize("seeds", [range(300), pytest.param(range(5_000, 15_000), marks=pytest.mark.slow)])
def test_switches_have_the_value_that_the_branches_read_gave_them(seeds: range) -> None:
    made = "".join(rf"\newif\ifown{name}" for name in "abcd")
    for seed in seeds:
        chance, words = random.Random(seed), []
        text = write(chance, 4, dict.fromkeys("abcd", False), True, words)
        assert said(f"Start {text} end", made).split() == ["Start", *words, "end"], (seed, text)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        (r"one \else two \fi three", "one two three"),
        (r"one \fi two \else three", "one two three"),
        (r"\newif\ifown one \else two \fi three", "one two three"),
        (r"\let\ifown\iftrue one \else two \fi three", "one two three"),
        (r"\iffalse\newif\ifown\fi one", "one"),
        (r"\iftrue\let\ifown\iffalse\else\let\ifown\iftrue\fi\ifown one\else two\fi", "two"),
        (r"one \typeout{two {three}} \message{two}\wlog{three} four", "one four"),
        (r"one \write\file{two}\immediate\write18{three} four", "one four"),
        (r"one \write two \write-1{three}", "one two"),
        (r"one \PackageError{two}{three}{four} five", "one five"),
    ],
)
def test_what_is_read_of_stray_ends_and_of_the_log(text: str, printed: str) -> None:
    record = body(f"Start {text}{{}} end", r"\newwrite\file")
    assert record["sections"][0]["text"].split() == ["Start", *printed.split(), "end"]
    assert record["warnings"] == []
