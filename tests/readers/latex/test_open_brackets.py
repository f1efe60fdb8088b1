"""Brackets that nothing closes: each is looked past once, not read anew by every command before it."""

from __future__ import annotations

import random

import pytest

from scholartools.readers.latex import reader
from scholartools.readers.latex.tex import stream

N = 2000


@pytest.mark.parametrize("command", ["\\\\", "\\item ", "\\\\ * "])
def test_an_open_bracket_costs_no_reading_of_what_follows(command, monkeypatch):
    """Tokens are read some times each at most; where the bound on these was met, the rest of the text was lost."""
    monkeypatch.setattr(stream, "MAX_TOKENS", 60_000)
    body = f"{command}[ bee " * N
    source = f"\\documentclass{{article}}\\begin{{document}}\\section{{A}}{body} The end.\\end{{document}}"
    record = reader.read({"p.tex": source.encode()})
    [section] = record["sections"]
    assert section["text"].endswith("The end.") and section["text"].count("bee") == N
    assert not [one for one in record["warnings"] if "too much" in one["text"]]


def test_an_optional_argument_ends_at_its_own_bracket():
    rng = random.Random(4)
    for _ in range(200):
        inner = "".join(rng.choice(["a", "{]}", "{b]c}", " ", "[d"]) for _ in range(rng.randint(0, 9)))
        source = f"\\newcommand{{\\q}}[2][x]{{<#1|#2>}}\\section{{A}}\\q[{inner}]{{z}} end"
        text = reader.read(
            {"p.tex": f"\\documentclass{{article}}\\begin{{document}}{source}\\end{{document}}".encode()}
        )
        shown = " ".join(inner.replace("{", "").replace("}", "").split())
        [section] = text["sections"]
        assert "".join(section["text"].split()) == f"<{shown}|z>end".replace(" ", ""), (inner, section["text"])


@pytest.mark.parametrize("unit", ["\\begin{a}[1 ", "\n# ;\\begin{a}[1", "\\\\[2019 ", "\\begin{a}[{]} "])
def test_brackets_that_nothing_closes_are_not_looked_for_far_each_time(unit, monkeypatch):
    """Each looked through 4,000 tokens: a caption of 48,000 characters took 80 times what prose does."""
    looked, look_ahead = 0, stream.Stream._look_ahead

    def count(self, most):
        nonlocal looked
        for token in look_ahead(self, most):
            looked += 1
            yield token

    monkeypatch.setattr(stream.Stream, "_look_ahead", count)
    source = f"\\documentclass{{article}}\\begin{{document}}\\section{{A}}{unit * N} The end.\\end{{document}}"
    reader.read({"p.tex": source.encode()})
    assert looked < 700_000
