"""Texts that once took minutes or gigabytes for their length; ``make bench-bombs`` times many more beside prose."""

from __future__ import annotations

import random
import re

import pytest
from support.bombs import PLACES, SHAPES, STRUCTURES

from scholartools.errors import ScholartoolsError
from scholartools.metrics.texts.overlap import Rouge
from scholartools.readers.references.identifiers import find_year
from scholartools.tasks import equations, parse


@pytest.mark.parametrize(
    ("place", "kind", "n"),
    [
        ("parse plain authors", "'('", 60_000),  # names with surnames first
        ("parse plain authors", "authors in lines", 60_000),
        ("parse plain references", "','", 60_000),  # "et al." behind commas
        ("generate experiments", "'A'", 30_000),  # names of data sets
        ("generate questions", "questions", 12_000),
        ("claims associate", "'1,'", 40_000),  # places in a paper
        ("eqsynth questions", "'$x$ '", 60_000),
    ],
)
def test_a_text_that_once_cost_its_square(place, kind, n):
    """An hour or so by what it was; that it ends is the test. A fault of the input is an answer too."""
    make = {**SHAPES, **STRUCTURES}[kind]
    try:
        assert PLACES[place](make(n))
    except ScholartoolsError as fault:
        assert fault.reason


def test_rouge_of_long_texts_has_no_table():
    """Two texts of 40,000 words: a table of Python's would have 1.6 thousand million cells."""
    scores = Rouge()("a b " * 20_000, "b a " * 20_000)
    assert scores["rougeL"].recall == 39_999 / 40_000


def test_a_year_after_very_many_digits():
    assert find_year("1" * 100_000 + ". A title, 2019.") == 2019


@pytest.mark.parametrize("formula", ["x" + "!" * 290, "x" + "!" * 900, "-" * 400 + "x"])
def test_a_tree_that_is_very_deep_has_a_verdict_that_is_not_wrong(formula):
    assert equations.certify(formula, formula + "+1")["verdict"] in ("undecided", "different")


def test_a_sentence_ends_once_in_a_run_of_ideographic_stops():
    from scholartools.text import sentences

    text = "很好。。。真的！？是。"
    assert [text[start:end] for start, end in sentences.spans(text)] == ["很好。。。", "真的！？", "是。"]


def test_front_matter_with_aliases_is_refused():
    """468 bytes stood for 9 ** 9 words."""
    levels = "".join(
        f"{name}: &{name} [{','.join('*' + below for _ in range(9))}]\n" for below, name in zip("abcdefgh", "bcdefghi")
    )
    text = f"---\na: &a [x,x,x]\n{levels}title: *i\n---\n\n# One\n\nText is here.\n\n# Two\n\nMore of it.\n"
    assert parse.parse(parse.stub("-"), stdin=text.encode())["title"] is None


def test_a_title_that_is_a_huge_integer_is_none():
    text = f"---\ntitle: 0x{'f' * 9000}\n---\n# One\n\nText is here.\n\n# Two\n\nMore of it.\n"
    assert parse.parse(parse.stub("-"), stdin=text.encode())["sections"]


def test_formulas_share_the_tables_that_they_are_read_with(monkeypatch):
    """The library's tables, made anew for each formula of a reference, took a hundred times what prose takes."""
    from pylatexenc.macrospec import LatexContextDb

    from scholartools.readers.latex.document.symbols import unicode_math

    unicode_math("\\frac{a}{b}")
    made, add = [], LatexContextDb.add_context_category
    monkeypatch.setattr(LatexContextDb, "add_context_category", lambda *a, **k: made.append(1) or add(*a, **k))
    assert [unicode_math(f"\\frac{{\\alpha}}{n}") for n in range(3)] == ["α/0", "α/1", "α/2"]
    assert not made


def test_simple_formulas_are_printed_as_the_library_prints_them():
    from scholartools.readers.latex.document import symbols

    draw = random.Random(25)
    signs = [*"abxN01 +-=()[],.;:_^*|{}", "\\alpha ", "\\ell", "\\in ", "\\times", "\\frac{a}{b}", "_{1}", "{ a}", "--"]
    formulas = ["".join(draw.choices(signs, k=draw.randrange(1, 9))) for _ in range(300)]
    simple = {formula: text for formula in formulas if (text := symbols._print_simple(formula)) is not None}
    assert len(simple) > 100
    assert simple == {formula: symbols._print_any(formula) for formula in simple}


def test_a_line_of_dashes_says_nothing_and_a_letter_after_it_ends():
    """5,000 dashes took their cube: minutes under a heading of limitations, in what a review lists."""
    from scholartools.tasks.limits import review_cues

    rule = re.compile("(?is)" + dict(review_cues.NOTHING)["it says nothing"])
    former = re.compile(r"(?is)\W*(?:none|no|-+)\W*$")
    draw = random.Random(25)
    for _ in range(2000):
        text = "".join(draw.choices(["-", "-", " ", ".", "a", "no", "None", "\n"], k=draw.randrange(6)))
        assert bool(rule.match(text)) == bool(former.match(text)), text
    assert not rule.match("-" * 100_000 + "a")


def test_what_stands_in_another_is_told_once_without_comparing_all():
    from scholartools.tasks.limits.merging import _tell_once

    def member(*places):
        return {"spans": [{"in": name, "start": start, "end": end} for name, start, end in places]}

    draw = random.Random(25)
    for _ in range(300):
        members = [
            member(*((draw.choice("ab"), start := draw.randrange(9), start + draw.randrange(1, 5)) for _ in range(draw.randrange(3))))
            for _ in range(draw.randrange(8))
        ]  # fmt: skip
        told = []
        for number, one in enumerate(members):
            before = [span for other in members[:number] for span in other["spans"]]
            is_held = (
                any(b["in"] == s["in"] and b["start"] <= s["start"] and s["end"] <= b["end"] for b in before)
                for s in one["spans"]
            )
            if not all(is_held):
                told.append(one)
        assert _tell_once(members) == told
    assert len(_tell_once([member(("s1", 2 * n, 2 * n + 1)) for n in range(50_000)])) == 50_000


def test_marks_inside_names_are_no_proposals(monkeypatch):
    """Each cost a proposal of a sentence and five patterns, though none of them begins one."""
    from scholartools.text import sentences

    asked, inside = [], sentences._is_inside
    monkeypatch.setattr(sentences, "_is_inside", lambda *a: asked.append(1) or inside(*a))
    assert sentences.spans("a? " * 500 + "b. We go.") == [(0, 1502), (1503, 1509)]
    assert len(asked) <= 2
