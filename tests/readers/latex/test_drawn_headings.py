"""Headings in the arguments of commands, in groups, boxes and macros: each is a heading, with its number and text."""

from __future__ import annotations

import re

import pytest
from support.drawn_headings import Headings
from support.latex import body, check, read

_WORD = re.compile(r"q[a-z]+z", re.IGNORECASE)


def differences(paper: Headings) -> list[str]:
    """Where the record and the paper differ."""
    record = read(paper.source)
    check(record)
    found = [
        (one["number"], one["level"], _WORD.findall(one["heading"].lower()), _WORD.findall(one["text"]))
        for one in record["sections"]
    ]
    wanted = [(one.number, one.level, one.words, one.text) for one in paper.found]
    told = [one["text"] for one in record["warnings"]]
    count = [f"{len(found)} for {len(wanted)}"] * (len(found) != len(wanted))
    return [*(f"{one} for {other}" for one, other in zip(found, wanted) if one != other), *count, *told]


@pytest.mark.parametrize("seeds", [range(150), pytest.param(range(5_000, 7_000), marks=pytest.mark.slow)])
def test_a_heading_is_one_wherever_it_stands(seeds: range) -> None:
    for seed in seeds:
        paper = Headings(seed)
        assert differences(paper) == [], (seed, paper.source)


def headings(document_class: str, text: str) -> list[tuple[str | None, str]]:
    record = read(f"\\documentclass{{{document_class}}}\\begin{{document}}{text} End.\\end{{document}}")
    return [(one["number"], one["heading"]) for one in record["sections"]]


@pytest.mark.parametrize(
    ("document_class", "text", "wanted"),
    [
        ("copernicus", r"\introduction We. \conclusions[Summary] So.", [("1", "Introduction"), ("2", "Summary")]),
        ("memoir", r"\frontmatter\chapter{A}\mainmatter\chapter{B}\subsection{C}", [(None, "A"), ("1", "B"), (None, "C")]),
        ("memoir", r"\setsecnumdepth{subsection}\section{B}\subsection{C}", [("0.1", "B"), ("0.1.1", "C")]),
        ("article", r"\frontmatter\section{A}", [("1", "A")]),
        ("article", r"\AddToHook{cmd/section/before}{\clearpage}\section{A}", [("1", "A")]),
    ],
)  # fmt: skip
def test_classes_have_headings_of_their_own(
    document_class: str, text: str, wanted: list[tuple[str | None, str]]
) -> None:
    assert headings(document_class, text) == wanted


@pytest.mark.parametrize(
    ("call", "wanted"),
    [(r"\x{a}", "[] plain a"), (r"\x[o]{a}", "[o] plain a"), (r"\x*{a}", "[] star a"), (r"\x *[o] {a}", "[o] star a")],
)
def test_arguments_that_a_command_describes_are_asked_for(call: str, wanted: str) -> None:
    definition = r"\NewDocumentCommand{\x}{s o m}{[\IfValueT{#2}{#2}] \IfBooleanTF{#1}{star}{plain} #3}"
    assert body(definition + call)["sections"][0]["text"] == wanted
