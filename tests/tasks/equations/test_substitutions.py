"""Pairs of a stranger to the code; and variables that are replaced within what binds them, which says nothing new."""

import pytest
from support.run import ROOT

from scholartools.tasks.equations import certify

OPPOSITE = {"same": "different", "different": "same"}
# Operators over what each of these ways to name their points leaves as it is, with a body in two functions.
OPERATORS = (
    "y = \\int_{-\\infty}^\\infty @ dx", "y = \\int_{\\mathbb{R}} @ dx", "y = \\int @ dx", "y = \\sup_{x \\in \\mathbb{R}} @",
    "y = \\max_x @", "y = \\inf_{x} @", "y = \\sum_{x \\in \\mathbb{Z}} @", "y = \\prod_{x \\in \\mathbb{Z}} @",
    "\\forall x: @ > 0", "y = \\mathbb{E}_{x \\sim \\mathcal{N}(0, 1)} [@]",
)  # fmt: skip
WAYS = ("-x", "x + 1", "x - c", "c - x")
BODIES = ("f(x)", "f(x) g(2 x)", "h(x, x - b)", "f_{i, x}(x) f(x + 1)")


def _rows(name: str) -> list[list[str]]:
    lines = (ROOT / "tests" / "support" / f"equation-{name}.txt").read_text(encoding="utf-8").splitlines()[1:]
    return [line.split(" ;; ") for line in lines]


def _verdicts(rows: list[list[str]]) -> list[str]:
    return [certify(*row[1:])["verdict"] for row in rows]


@pytest.mark.parametrize("name", ["strangers", "foreigners", "textbooks", "conditions", "turned"])
def test_no_pair_of_a_stranger_gets_a_wrong_verdict(name):
    rows = _rows(name)[::6]
    assert [row for row, found in zip(rows, _verdicts(rows)) if found == OPPOSITE[row[0]]] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("strangers", 220), ("foreigners", 180), ("textbooks", 60)])
def test_of_the_pairs_of_a_stranger_none_is_judged_wrongly_and_most_are_decided(name, least):
    rows = _rows(name)
    for ordered in (rows, [[truth, other, one] for truth, one, other in rows]):
        found = _verdicts(ordered)
        assert [row for row, verdict in zip(ordered, found) if verdict == OPPOSITE[row[0]]] == []
        assert len([one for one in found if one != "undecided"]) >= least


@pytest.mark.parametrize("operator", OPERATORS)
def test_another_name_of_the_points_of_an_operator_makes_no_difference(operator):
    for body, way in [*zip(BODIES, WAYS), *zip(BODIES, WAYS[2:] + WAYS[:2])]:
        pair = [operator.replace("@", text) for text in (body, _put(body, way))]
        assert certify(*pair)["verdict"] != "different", pair


@pytest.mark.parametrize("operator", OPERATORS[:7])
def test_another_name_in_one_function_of_two_makes_one(operator):
    for body in ("f(x) g(-x)", "f(x) g(x + 1)", "f(2 x) g(x)"):
        pair = [operator.replace("@", text) for text in ("f(x) g(x)", body)]
        assert certify(*pair)["verdict"] == "different", pair


def _put(body: str, way: str) -> str:
    return "".join(f"({way})" if letter == "x" else letter for letter in body)
