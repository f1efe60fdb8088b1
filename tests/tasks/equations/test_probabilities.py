"""Verdicts on pairs about probabilities, beside an oracle that computes both over random joint tables."""

import json

import numpy as np
import pytest

from scholartools.tasks.equations import certify
from tests.support import joint_tables
from tests.support.run import ROOT

PAIRS = joint_tables.read_pairs((ROOT / "tests" / "support" / "equation-probabilities.txt").read_text())
TIED = joint_tables.read_pairs((ROOT / "tests" / "support" / "equation-tied.txt").read_text())
EVENTS = [pair for pair in PAIRS if "P(" in pair[1]]


@pytest.mark.slow
def test_the_rows_are_what_random_tables_make_of_them():
    assert all(joint_tables.judge(one, other) == verdict for verdict, one, other in PAIRS)
    assert min(sum(pair[0] == verdict for pair in PAIRS) for verdict in ("same", "different")) >= 60


def count_decided(pairs):
    decided = 0
    for number, (verdict, one, other) in enumerate(pairs):
        pair = (one, other) if number % 2 else (other, one)
        found = certify(*pair)["verdict"]
        assert found in (verdict, "undecided"), pair
        decided += found != "undecided"
    return decided


def test_no_verdict_is_wrong():
    assert count_decided(PAIRS[::7]) >= 10


@pytest.mark.slow
def test_no_verdict_is_wrong_of_all_pairs_and_most_are_decided():
    assert count_decided(PAIRS) >= 80
    assert count_decided(TIED) >= 20


@pytest.mark.parametrize(("verdict", "one", "other"), EVENTS[10:12])
def test_the_order_of_two_statements_does_not_matter(verdict, one, other):
    assert certify(one, other)["verdict"] == certify(other, one)["verdict"]


def test_a_witness_of_tables_holds_probabilities_that_fit_together():
    one, other = r"p(x \mid z) = \frac{p(z \mid x) p(x)}{p(z)}", r"p(x \mid z) = \frac{p(z \mid x) p(z)}{p(x)}"
    witness = json.loads(json.dumps(certify(one, other)["witness"]))
    ((name, indices, cells),) = witness["tables"]["cells"]
    assert (name, indices, [axis for axis, _ in witness["tables"]["axes"]]) == ("p", [], ["x", "z"])
    table = np.reshape(cells, (2, 2))
    assert table.sum() == pytest.approx(1) and (table > 0).all()
    assert witness["holds"] == [True, False] and "p" not in [call[0] for call in witness["calls"]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # What may be one variable, or a part of another, is read in no table.
        (r"p(x \mid z) = \frac{p(z \mid x) p(x)}{p(z)}", r"p(x \mid z') = \frac{p(z' \mid x) p(x)}{p(z)}"),
        (r"p(\mathbf{x} \mid z) p(z) = p(x)", r"p(z \mid \mathbf{x}) p(\mathbf{x}) = p(z)"),
        (r"p(x_{1:t} \mid z) p(z) = p(x_t)", r"p(z \mid x_{1:t}) p(x_t) = p(z)"),
        # Nor is what is over a part of the values of a variable.
        (r"u = \int_0^1 p(x \mid z) p(z) dz", r"u = \int_0^1 p(z \mid x) p(x) dz"),
        (r"\theta = \arg\max_z p(x \mid z) p(z)", r"\theta = \arg\max_z p(z \mid x)"),
        # Bayes' rule holds of one table for both functions.
        (
            r"\pi(z \mid x) = \frac{p(x \mid z) \pi(z)}{p(x)}",
            r"\pi(z \mid x) = \frac{p(x \mid z) \pi(z)}{\int p(x \mid z) \pi(z) dz}",
        ),
        (
            r"P(M_i \mid D) = \frac{P(M_i) p(D \mid M_i)}{\sum_j P(M_j) p(D \mid M_j)}",
            r"P(M_i \mid D) = \frac{P(M_i) p(D \mid M_i)}{\sum_j P(D) p(M_j \mid D)}",
        ),
    ],
)
def test_what_no_table_tells_apart_is_not_different(one, other):
    assert "different" not in (certify(one, other)["verdict"], certify(other, one)["verdict"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a^2 + b c = a b + a c", "a^2 + b d = a b + a d"),
        ("a^2 + f(b) c = a f(b) + a c", "a^2 + f(b) d = a f(b) + a d"),
        (r"p(x \mid z) = \frac{p(z \mid x) p(x)}{p(z)}", r"p(z \mid x) = \frac{p(z \mid x) p(x)}{p(z)}"),
    ],
)
def test_a_root_in_common_does_not_make_two_equations_the_same(one, other):
    assert "same" not in (certify(one, other)["verdict"], certify(other, one)["verdict"])
