"""S-F1, S-Match, entailment and ITF-IDF against loops written from the formulas, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.items.itf_idf import itf_idf, itf_idf_at
from scholartools.metrics.items.soft_match import (
    Likeness,
    entailment_scores,
    explanation_rouge,
    pair_items,
    soft_match,
    soft_scores,
)
from scholartools.metrics.texts.overlap import Rouge
from scholartools.metrics.values import Value
from scholartools.metrics.vectors import similarities


def values(scores):
    return [score.value for score in scores]


def angles(*degrees):
    """Unit vectors in the plane: the similarity of two is the cosine of the angle between them."""
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1)


def test_similarities_are_cosines_whatever_the_lengths():
    first, second = np.array([[3.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 2.0], [5.0, 5.0], [-1.0, 0.0]])
    assert similarities(first, second) == pytest.approx(np.array([[0, math.sqrt(0.5), -1], [0, 0, 0]]))


def test_soft_scores_by_hand():
    # Two predictions; a reviewer with three items, one with one. S-P: mean of (.9, .5; .6, .4).
    # S-R: mean of (.9 + .4 + .6) / 3 and .5.
    first, second = np.array([[0.9, 0.1, 0.2], [0.3, 0.4, 0.6]]), np.array([[0.5], [0.4]])
    precision, recall = (0.9 + 0.5 + 0.6 + 0.4) / 4, ((0.9 + 0.4 + 0.6) / 3 + 0.5) / 2
    f1 = 2 * precision * recall / (precision + recall)
    assert values(soft_scores([first, second])) == pytest.approx([precision, recall, f1])


def naive_soft_scores(matrices):
    reviewers = [matrix for matrix in matrices if matrix.shape[1]]
    n_predicted = len(reviewers[0])
    precision = 0.0
    for i in range(n_predicted):
        precision += sum(max(matrix[i]) for matrix in reviewers) / len(reviewers)
    recall = 0.0
    for matrix in reviewers:
        n_items = matrix.shape[1]
        recall += sum(max(matrix[i][j] for i in range(n_predicted)) for j in range(n_items)) / n_items
    return precision / n_predicted, recall / len(reviewers)


@given(st.integers(1, 5), st.lists(st.integers(0, 5), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_soft_scores_are_the_formula(n_predicted, sizes, seed):
    rng = np.random.default_rng(seed)
    matrices = [rng.uniform(-0.1, 1, size=(n_predicted, size)) for size in sizes]
    scores = soft_scores(matrices)
    if not any(sizes):
        assert {score for score in scores} == {Value(None, "no reviewer has any item")}
    else:
        assert values(scores)[:2] == pytest.approx(naive_soft_scores(matrices))


def test_an_empty_prediction_scores_zero_and_an_empty_reviewer_is_left_out():
    assert values(soft_scores([np.zeros((0, 3))])) == [0, 0, 0]
    one = np.array([[0.25, 0.75]])
    assert soft_scores([one, np.zeros((1, 0))]) == soft_scores([one])
    assert soft_scores([]).f1.value is None


def test_similarities_are_not_clipped_and_f1_is_0_where_one_is_negative():
    """A null would leave the paper out of the mean, and reward what has nothing to do with the reviews."""
    assert values(soft_scores([np.array([[-0.5]])])) == [-0.5, -0.5, 0]
    assert values(soft_scores([np.array([[0.0]])])) == [0, 0, 0]


def test_reviewers_are_of_one_prediction():
    with pytest.raises(InputFault, match="differ in the number of predicted items"):
        soft_scores([np.zeros((1, 2)), np.zeros((2, 2))])


@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_soft_match_takes_the_pairs_both_lists_have(shape):
    matrix = np.full(shape, 0.9)
    matrix[0, 0], matrix[1, 1] = 0.2, 0.6
    pairs = pair_items([None] * shape[0], [None] * shape[1])
    assert (pairs.pairs, pairs.by_id) == ([(0, 0), (1, 1)], False)
    assert (pairs.missing, pairs.extra) == (([2], []) if shape == (2, 3) else ([], [2]))
    found = soft_match(matrix, pairs.pairs)
    assert found.paired.value == pytest.approx(0.4)
    assert found.whole.value == pytest.approx(0.8 / shape[1])


def test_pairs_are_of_one_id_where_both_sides_have_ids():
    found = pair_items(["c", "x", "a"], ["a", "b", "c"])
    assert (found.pairs, found.missing, found.extra, found.by_id) == ([(0, 2), (2, 0)], [1], [1], True)
    matrix = np.array([[0, 0, 0.8], [0, 0, 0], [0.4, 0, 0]])
    assert soft_match(matrix, found.pairs) == Likeness(Value(pytest.approx(0.4)), Value(pytest.approx(0.6)))
    silent = pair_items([], ["a", "b"])
    assert (silent.pairs, silent.missing, silent.by_id) == ([], [0, 1], True)
    assert not pair_items(["a", "b"], [None, None]).by_id and not pair_items([None], ["a"]).by_id


@pytest.mark.parametrize(
    ("sides", "reason"),
    [
        ((["a", "a"], ["a"]), 'predicted item 2 has the id "a" of another'),
        ((["a"], ["b", "b"]), 'reference item 2 has the id "b" of another'),
        ((["a", None], ["a", "b"]), "predicted item 2 has no id, others do"),
        ((["a"], [None, "b"]), "reference item 1 has no id, others do"),
    ],
)
def test_ids_that_leave_open_what_belongs_together_are_refused(sides, reason):
    with pytest.raises(InputFault, match=reason):
        pair_items(*sides)


def test_soft_match_of_nothing():
    silent = Likeness(Value(0.0), Value(None, "no reference has a partner"))
    assert soft_match(np.zeros((0, 2)), []) == silent
    assert soft_match(np.zeros((2, 2)), []) == silent, "none of the predictions is of a reference"
    none = Value(None, "no references")
    assert soft_match(np.zeros((2, 0)), []) == Likeness(none, none)


def test_explanation_rouge_is_the_mean_over_the_same_pairs():
    rouge = Rouge(stemmer=True)
    scores = explanation_rouge(["models", "a b c d", "left over"], ["a model", "d c b a"], [(0, 0), (1, 1)], rouge)
    # Stemmed, "model" of "a model": P 1, R 1/2. Four shared words, of which one is in sequence.
    assert scores["rouge1"].whole.value == pytest.approx((2 / 3 + 1) / 2)
    assert scores["rougeL"].whole.value == pytest.approx((2 / 3 + 1 / 4) / 2)
    fewer = explanation_rouge(["models"], ["a model", "d c b a"], [(0, 0)], rouge)
    assert (fewer["rouge1"].whole.value, fewer["rouge1"].paired.value) == pytest.approx((1 / 3, 2 / 3))


def test_explanation_rouge_of_nothing():
    rouge = Rouge(stemmer=True)
    assert explanation_rouge([], ["a"], [], rouge)["rougeL"].whole == Value(0.0)
    assert explanation_rouge(["a"], [], [], rouge)["rouge1"].whole == Value(None, "no references")
    both = [(0, 0), (1, 1)]
    found = explanation_rouge(["a", "b"], ["a", "?"], both, rouge)["rougeL"]
    assert found.whole == found.paired == Value(None, "reference 2 has no words")


@pytest.mark.parametrize("seed", range(20))
def test_whoever_leaves_out_explanations_gains_nothing(seed):
    """Similarities of 0 or more: with a reference less that is paired the mean over all references is never higher."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    matrix = rng.random((n, n))
    order = [(place, place) for place in rng.permutation(n).tolist()]
    found = [soft_match(matrix, order[:kept]).whole.value for kept in range(n + 1)]
    assert found == sorted(found) and found[0] == 0
    assert found[-1] == pytest.approx(sum(matrix[pair] for pair in order) / n)


def test_entailment_by_hand():
    precision, recall = 1 / 4, 2 / 3
    scores = entailment_scores([True, False, False, False], [True, True, False])
    assert values(scores) == pytest.approx([precision, recall, 2 * precision * recall / (precision + recall)])
    assert values(entailment_scores([False], [False, False])) == [0, 0, 0]


def test_entailment_of_nothing():
    assert values(entailment_scores([], [None, None])) == [0, 0, 0]
    assert entailment_scores([True], []).f1 == Value(None, "no references")
    assert entailment_scores([True, None], [None]).f1 == Value(None, "2 of 3 judgements are missing")


def test_a_missing_judgement_leaves_the_share_of_the_other_side():
    scores = entailment_scores([True, None], [True, False, False, True])
    assert values(scores) == [None, 0.5, None] and scores.precision.reason == "1 of 2 judgements are missing"
    assert values(entailment_scores([True, False], [None])) == [0.5, None, None]


def naive_itf_idf(papers, threshold, empty):
    """Item values by paper, straight from the formula, with Python's own rounding of decimals."""
    n_papers = len(papers) if empty == "zero" else sum(len(paper) > 0 for paper in papers)

    def similar(one, other):
        return float(np.float32(min(1.0, float(one @ other) / math.sqrt(float(one @ one) * float(other @ other)))))

    papers = [paper for paper in papers if len(paper)]
    result = []
    for place, paper in enumerate(papers):
        result.append([])
        for item in paper:
            own = [similar(item, other) for other in paper]
            best = [max(similar(item, o) for o in other) for where, other in enumerate(papers) if where != place]
            if threshold is not None:
                own = [value for value in own if value >= np.float32(threshold)]
                best = [round(value, 2) for value in best if round(value, 2) >= threshold]
            occurrence, spread = math.fsum(own), 1 + math.fsum(best)
            if occurrence > 0 and spread > 0:
                result[-1].append(math.log(len(paper) / occurrence) * math.log(n_papers / spread))
            else:
                result[-1].append(None)
    return result


def corpus(sizes, seed, dimensions=3):
    """Vectors in few dimensions, some of them repeated, so that all kinds of similarity occur."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(sum(sizes), dimensions)).astype(np.float32)
    repeated = rng.random(len(vectors)) < 0.3
    vectors[repeated] = vectors[rng.integers(0, max(len(vectors), 1), size=repeated.sum())]
    return vectors


sizes_of_papers = st.lists(st.integers(0, 5), min_size=1, max_size=6)
thresholds = st.sampled_from([None, 0.0, 0.3, 0.5, 0.7, 1.0])


@given(sizes_of_papers, st.integers(0, 2**32 - 1), thresholds, st.sampled_from(["zero", "drop"]))
def test_itf_idf_is_the_formula(sizes, seed, threshold, empty):
    vectors = corpus(sizes, seed)
    result = itf_idf(vectors, sizes, threshold, empty=empty)
    exact = vectors.astype(np.float64)
    expected = naive_itf_idf(np.split(exact, np.cumsum(sizes)[:-1]), threshold, empty)
    filled = [[item.value for item in paper] for paper in result.items if paper]
    assert [len(paper) for paper in result.items] == sizes
    assert (result.n_papers, result.n_empty) == (len(sizes) if empty == "zero" else len(expected), sizes.count(0))
    for given_paper, wanted_paper in zip(filled, expected, strict=True):
        for got, wanted in zip(given_paper, wanted_paper, strict=True):
            assert (got is None and wanted is None) or got == pytest.approx(wanted, abs=1e-9)


@given(sizes_of_papers, st.integers(0, 2**32 - 1), thresholds, st.integers(1, 60))
def test_the_size_of_groups_and_other_thresholds_beside_it_change_nothing(sizes, seed, threshold, group):
    vectors = corpus(sizes, seed)
    whole = itf_idf(vectors, sizes, threshold)
    _, parts = itf_idf_at(vectors, sizes, [0.9, threshold], group=group)
    for one, other in zip(sum(whole.items, []), sum(parts.items, []), strict=True):
        assert one.reason == other.reason
        assert one.value is None or one.value == pytest.approx(other.value, abs=1e-9)


def test_itf_idf_by_hand():
    # Paper 1: items at 0 and 90 degrees; paper 2: one at 30; paper 3: nothing; paper 4: two at 0.
    result = itf_idf(angles(0, 90, 30, 0, 0), [2, 1, 0, 2], empty="drop")
    # Item 1: O = 1, m = 2; greatest similarities .87 (cos 30, rounded) and 1, so R = 2.87 of n = 3.
    first = math.log(2) * math.log(3 / 2.87)
    # Item 2: cos 60 = .5 counts, cos 90 does not.
    second = math.log(2) * math.log(3 / 1.5)
    assert values(result.items[0]) == pytest.approx([first, second])
    assert result.papers[0].value == pytest.approx((first + second) / 2)
    assert values(result.items[1]) == [0.0] and values(result.items[3]) == [0.0, 0.0]
    assert result.papers[2] == Value(None, "no item")
    assert result.value.value == pytest.approx((first + second) / 2 / 3)
    assert (result.n_papers, result.n_empty) == (3, 1)


def test_a_paper_without_items_scores_0_and_is_counted():
    # As if paper 3 had one item that is like no other, as the authors' caller makes of an empty list.
    result = itf_idf(angles(0, 90, 30, 0, 0), [2, 1, 0, 2])
    first, second = math.log(2) * math.log(4 / 2.87), math.log(2) * math.log(4 / 1.5)
    assert values(result.items[0]) == pytest.approx([first, second])
    assert values(result.papers) == pytest.approx([(first + second) / 2, 0, 0, 0])
    assert result.value.value == pytest.approx((first + second) / 2 / 4)
    assert (result.n_papers, result.n_empty) == (4, 1)
    stand_in = itf_idf(np.vstack([np.c_[angles(0, 90, 30), np.zeros(3)], [[0, 0, 1]], np.c_[angles(0, 0), [0, 0]]]),
                       [2, 1, 1, 2])  # fmt: skip
    assert stand_in.value.value == pytest.approx(result.value.value)


def test_a_similarity_rounded_up_to_the_threshold_counts_across_papers_but_not_within():
    just_below = math.degrees(math.acos(0.4951))  # rounds to .50
    across = itf_idf(angles(0, 90, just_below), [2, 1])
    assert across.items[0][0].value == pytest.approx(math.log(2) * math.log(2 / 1.5))
    within = itf_idf(angles(0, just_below, 180), [2, 1])
    assert within.items[0][0].value == pytest.approx(math.log(2 / 1) * math.log(2 / 1))


@pytest.mark.parametrize(("similarity", "rounded"), [(0.625, 0.62), (0.875, 0.88), (0.615, 0.62), (0.645, 0.64)])
def test_rounding_is_half_to_even_as_python_rounds(similarity, rounded):
    assert round(float(np.float32(similarity)), 2) == rounded
    vectors = np.array([[1, 0], [0, 1], [similarity, math.sqrt(1 - similarity**2)]])
    result = itf_idf(vectors, [2, 1], threshold=0.6)
    assert result.items[0][0].value == pytest.approx(math.log(2) * math.log(2 / (1 + rounded)), abs=1e-12)


def test_without_a_threshold_every_similarity_counts_unrounded():
    result = itf_idf(angles(0, 50, 20), [2, 1], threshold=None)
    own, other = 1 + math.cos(math.radians(50)), 1 + math.cos(math.radians(20))
    assert result.items[0][0].value == pytest.approx(math.log(2 / own) * math.log(2 / other))


def test_an_item_whose_similarities_sum_to_nothing_is_undefined_and_so_is_its_paper():
    result = itf_idf(angles(0, 180, 90), [2, 1], threshold=None)
    assert result.items[0][0].reason == "negative similarities outweigh the others"
    assert result.papers[0] == Value(None, "2 of 2 items are undefined")
    assert result.value == result.papers[1]


def test_one_paper_alone_is_not_specific():
    assert itf_idf(angles(0, 90), [2]).value == Value(0.0)


def test_no_paper_with_items_has_no_value():
    assert itf_idf(np.zeros((0, 2)), [0, 0], empty="drop").value == Value(None, "no paper has a value")
    assert itf_idf(np.zeros((0, 2)), [0, 0]).value == Value(0.0)
    assert itf_idf(np.zeros((0, 2)), []).value.value is None


def test_itf_idf_refuses_what_it_cannot_count():
    with pytest.raises(InputFault, match="2 vectors for papers of 3 items"):
        itf_idf(angles(0, 1), [3])
    with pytest.raises(InputFault, match="item 2 has a vector of zeros"):
        itf_idf(np.array([[1.0, 0.0], [0.0, 0.0]]), [1, 1])
    with pytest.raises(UsageFault, match="not 1.5"):
        itf_idf(angles(0), [1], threshold=1.5)
