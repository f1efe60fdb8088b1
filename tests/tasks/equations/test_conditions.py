"""Conditions that fix letters, dotted sums that are spelled out, and stars that are products: what is still decided."""

import pytest

from scholartools.tasks.equations import certify


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Bounds, number sets and letters that stand for sets leave letters free.
        ("y = a x, x \\in \\mathbb{R}^n", "y = b x, x \\in \\mathbb{R}^n"),
        ("y = \\sqrt{x} + a, x \\geq 0", "y = \\sqrt{x} - a, x \\geq 0"),
        ("y_k = x_k + w, k \\in \\mathbb{N}", "y_k = x_k - w, k \\in \\mathbb{N}"),
        (
            "v_i = \\begin{cases} r_i + \\frac{s_i}{p}, i \\in S \\\\ r_i, i \\notin S \\end{cases}",
            "v_i = \\begin{cases} r_i + \\frac{p}{s_i}, i \\in S \\\\ r_i, i \\notin S \\end{cases}",
        ),
        # Sums that dots abbreviate have values once they are spelled out.
        ("y = a_1 + a_2 + \\dots + a_n", "y = a_0 + a_1 + \\dots + a_n"),
        ("y = 1 + 2 + \\dots + n", "y = \\frac{n(n - 1)}{2}"),
        # Beside a number that is no unit a star is a product.
        ("y = 40 * 2^{s - 1}", "y = 40 * 2^{1 - s}"),
    ],
)
def test_what_no_condition_hides_is_different(one, other):
    assert certify(one, other)["verdict"] == certify(other, one)["verdict"] == "different"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("y = a x, x \\in \\{1\\}", "y = a, x \\in \\{1\\}"),
        ("y = \\sum_{i + j = n} a_i b_j", "y = \\sum_{i - j = n} a_i b_j"),
        ("y = \\sup_{|x| = 1} a x", "y = \\sup_{x = 1} a x"),
        ("y = a_1 + a_2 + \\dots + a_n", "y = a_1 + a_3 + \\dots + a_n"),
        ("y = a * b + c", "y = b + a * c"),
        ("y = 2 * 3 + c", "y = 11 + c"),
    ],
)
def test_what_may_be_hidden_is_undecided(one, other):
    assert certify(one, other)["verdict"] == certify(other, one)["verdict"] == "undecided"
