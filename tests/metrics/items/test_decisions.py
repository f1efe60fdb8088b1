"""Equation inference and review critique, by hand, against scikit-learn, and the published baseline."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.errors import InputFault
from scholartools.metrics.items.decisions import (
    all_positive,
    critique_readings,
    equation_inference,
    review_critique,
)
from scholartools.metrics.values import Value

ONE_IN_FOUR = [True, False, False, False] * 1049
decisions = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)


def test_the_published_all_positive_row():
    scores = all_positive(ONE_IN_FOUR).scores
    assert [f"{100 * score.value:.2f}" for score in (scores.f1, scores.precision, scores.recall)] == [
        "40.00",
        "25.00",
        "100.00",
    ]


@given(decisions)
def test_pooled_scores_are_scikit_learns(pairs):
    from sklearn.metrics import precision_recall_fscore_support

    correct, answers = map(list, zip(*pairs))
    result = equation_inference(correct, answers)
    expected = precision_recall_fscore_support(correct, answers, average="binary", zero_division=float("nan"))
    for score, wanted in zip(result.scores, expected):
        assert (score.value is None) == (wanted != wanted)
        assert score.value is None or score.value == pytest.approx(wanted)
    assert result.tp + result.fp + result.fn + result.tn == len(pairs)


def test_an_answer_that_cannot_be_read_is_the_wrong_one():
    result = equation_inference([True, False, True, False], [None, None, True, False])
    assert (result.tp, result.fp, result.fn, result.tn, result.n_unparsed) == (1, 1, 1, 1, 2)
    assert [score.value for score in result.scores] == [0.5, 0.5, 0.5]


def test_what_is_undefined_says_why():
    silent = equation_inference([True, False], [False, False]).scores
    assert silent.precision == Value(None, "no item was called correct")
    assert (silent.recall, silent.f1) == (Value(0.0), Value(0.0))
    assert all(score.value is None and score.reason for score in equation_inference([False], [False]).scores)
    assert all(score.value is None for score in equation_inference([], []).scores)


def test_both_prompts_and_both_ensembles_by_hand():
    deficient = [True, True, False, False, True]
    readings = critique_readings(deficient, [True, False, True, False, False], [True, True, False, False, False])
    found = {name: (scores.precision.value, scores.recall.value) for name, scores in readings.items()}
    assert found == {
        "labeling-all": (1 / 2, 1 / 3),
        "select-deficient": (1.0, 2 / 3),
        "both-no": (1.0, 1 / 3),
        "either-no": (2 / 3, 2 / 3),
    }
    assert readings["labeling-all"].f1.value == pytest.approx(0.4)


@given(decisions)
def test_a_review_is_scored_as_scikit_learn_does_with_zero_for_undefined(pairs):
    from sklearn.metrics import precision_recall_fscore_support

    deficient, said = map(list, zip(*pairs))
    expected = precision_recall_fscore_support(deficient, said, average="binary", zero_division=0)
    scores = review_critique(deficient, said)
    assert [score.value for score in scores] == pytest.approx(list(expected[:3]))


def test_a_review_without_segments_has_no_score():
    assert review_critique([], []).f1 == Value(None, "the review has no segments")


def test_decisions_about_different_things_are_refused():
    with pytest.raises(InputFault, match="2 decisions against 1"):
        equation_inference([True, False], [True])
    with pytest.raises(InputFault):
        critique_readings([True], [True], [])
