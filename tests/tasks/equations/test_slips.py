"""Slips leave words as they are and write nothing that nobody writes; options that are left out are counted."""

from __future__ import annotations

import random
import re

import pytest

from scholartools.tasks.equations.questions.edits import apply
from scholartools.tasks.equations.questions.making import Options, make_questions
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, Slips
from scholartools.tasks.equations.questions.squares import count_oddities
from scholartools.tasks.equations.questions.verifying import verify_record
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.typesetting import typeset

WORDS = "autonomy elapsedtime MultiNetLoss min score VaR".split()


def slips_of(latex: str, ops: frozenset[str] = DEFAULT_OPS, words: frozenset[str] = frozenset()) -> tuple[str, list]:
    written = typeset(latex)
    return written, Slips(written, parse(written).statements, (), words).find(ops)


def paper(latex: str, prose: str) -> dict:
    text = f"{prose} {latex} {prose}"
    span = {"in": "s1", "start": len(prose) + 1, "end": len(prose) + 1 + len(latex)}
    own = {"number": None, "heading": "One", "level": 1, "role": "method", "pages": []}
    equation = {"id": "e1", "latex": latex, "span": span, "label": None}
    return {"id": "p", "sections": [{"id": "s1", "text": text, **own}], "equations": [equation]}


@pytest.mark.parametrize("seed", range(30))
def test_a_word_written_as_letters_stays_whole_or_goes_as_a_whole(seed):
    rng = random.Random(seed)
    word, other = rng.sample(WORDS, 2)
    letters = rng.sample("bcghkq", 3)
    latex = rf"{letters[0]} = \frac{{{word} - {letters[1]}}}{{{other} + {letters[2]}}} + {letters[1]} {letters[0]}"
    written, slips = slips_of(latex, words=frozenset(["VaR"]))
    assert {"exchange", "sign"} <= {slip.op for slip in slips}
    for slip in slips:
        runs = re.findall(r"(?<![A-Za-z\\])[A-Za-z]{3,}", typeset(apply(written, [slip])))
        assert set(runs) <= {word, other}, slip


def test_a_short_run_of_letters_is_a_word_only_where_the_text_has_it():
    _, slips = slips_of("y = mgh + c")
    assert any(slip.op == "exchange" and 4 <= slip.start < 7 for slip in slips)
    _, slips = slips_of("y = mgh + c", words=frozenset(["mgh"]))
    assert not any(4 <= slip.start < 7 and slip.op in ("exchange", "symbol") for slip in slips)


@pytest.mark.parametrize(
    ("latex", "wrong"),
    [
        (r"\gamma_{in} = a + b_{out}", r"\gamma_{ni}"),
        (r"\gamma_{in} = a + b_{out}", r"b_{otu}"),
        (r"\gamma_{min} = a + b_{max}", r"b_{mxa}"),
        (r"u = \int \frac{dy}{y} + a", r"\frac{y}{dy}"),
        (r"u = \frac{1}{t^2} + a", r"\frac{t^2}{1}"),
    ],
)
def test_what_nobody_writes_is_no_slip(latex, wrong):
    written, slips = slips_of(latex)
    assert slips and not any(typeset(wrong) in typeset(apply(written, [slip])) for slip in slips)


def test_a_letter_as_its_own_power_is_odd():
    assert count_oddities("x = m^m")["scripts"] == 1 and count_oddities("x = m^k")["scripts"] == 0
    assert count_oddities(r"x = \frac{4}{1}")["over 1"] == 1 and count_oddities(r"x = \frac{1}{4}")["over 1"] == 0


def test_options_that_are_left_out_are_counted_with_the_reason():
    """`softmax` is not known, so that what is changed in it is not proven to differ."""
    latex = r"y_i = a_i b_j + c_j d_k e_i - f_j g_k \operatorname{softmax}(u_i v_j + k w_k)"
    made = make_questions(paper(latex, "The count of bees."), Options())
    [question] = made.questions
    counts = question["left_out"]
    assert set(counts) <= {"its certificate says undecided", "its certificate says same"} and sum(counts.values()) > 0
    assert len(question["rejected"]) == min(10, sum(counts.values()))
    assert verify_record(question)
