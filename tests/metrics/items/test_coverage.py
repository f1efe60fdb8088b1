"""PointWise coverage by hand, and its matching against trying every choice."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.items.coverage import READINGS, coverage
from scholartools.metrics.values import Value

# Four ground truths, five generated: 0 matches 0 and 1, 1 matches 1, 2 matches 3; the other items match nothing.
PAIRS = [(0, 0), (0, 1), (1, 1), (2, 3)]
TP = {"one-to-one": 3, "pairs": 4, "distinct-gt": 3, "components": 2}

sides = st.tuples(st.integers(1, 5), st.integers(1, 5))
graphs = sides.flatmap(
    lambda side: st.tuples(
        st.just(side),
        st.lists(st.tuples(st.integers(0, side[0] - 1), st.integers(0, side[1] - 1)), max_size=8, unique=True),
    )
)


def largest_matching(pairs):
    """The most pairs that share no item, by trying all choices."""
    return max(
        size
        for size in range(len(pairs) + 1)
        for chosen in combinations(pairs, size)
        if len({truth for truth, _ in chosen}) == len({item for _, item in chosen}) == size
    )


def linked_groups(pairs):
    """Groups of pairs that share items, by joining sets until nothing changes."""
    groups = []
    for truth, item in pairs:
        touching = [group for group in groups if group & {("truth", truth), ("item", item)}]
        groups = [group for group in groups if group not in touching]
        groups.append(set().union(*touching) | {("truth", truth), ("item", item)})
    return len(groups)


@pytest.mark.parametrize("reading", READINGS)
def test_one_paper_by_hand(reading):
    result = coverage(4, 5, PAIRS, reading)
    assert (result.c_gt, result.c_llm) == (Value(3 / 4), Value(3 / 5))
    assert [count.value for count in (result.tp, result.fp, result.fn)] == [TP[reading], 1, 2]
    precision, recall = TP[reading] / (TP[reading] + 1), TP[reading] / (TP[reading] + 2)
    assert (result.scores.precision.value, result.scores.recall.value) == (precision, recall)
    assert result.scores.f1.value == pytest.approx(2 * precision * recall / (precision + recall))


def test_two_components_need_not_be_two_matches():
    # A path of four: one group, two pairs without a shared item.
    path = [(0, 0), (1, 0), (1, 1)]
    assert [coverage(2, 2, path, reading).tp.value for reading in READINGS] == [2, 3, 2, 1]


@given(graphs)
def test_readings_against_trying_everything(graph):
    (n_truths, n_items), pairs = graph
    tp = {reading: coverage(n_truths, n_items, pairs, reading).tp.value for reading in READINGS}
    assert tp == {
        "one-to-one": largest_matching(pairs),
        "pairs": len(pairs),
        "distinct-gt": len({truth for truth, _ in pairs}),
        "components": linked_groups(pairs),
    }


@given(graphs, st.randoms(use_true_random=False))
def test_order_and_repeats_of_pairs_change_nothing(graph, random):
    (n_truths, n_items), pairs = graph
    shuffled = pairs * 2
    random.shuffle(shuffled)
    for reading in READINGS:
        assert coverage(n_truths, n_items, shuffled, reading) == coverage(n_truths, n_items, pairs, reading)


def test_no_match_at_all_is_zero():
    result = coverage(2, 3, [])
    shown = (result.c_gt, result.c_llm, result.tp, result.fp, result.fn)
    assert [value.value for value in shown] == [0, 0, 0, 2, 3]
    assert [score.value for score in result.scores] == [0, 0, 0]


@pytest.mark.parametrize("reading", READINGS)
def test_nothing_generated_scores_0_where_there_was_something_to_find(reading):
    result = coverage(2, 0, [], reading)
    silent = Value(None, "nothing generated")
    assert (result.c_gt, result.c_llm) == (Value(0.0), silent)
    assert result.scores == (Value(0.0), silent, Value(0.0))
    assert (result.tp, result.fp, result.fn) == (Value(0.0), Value(2.0), Value(0.0))


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("n_generated", [0, 2])
def test_without_ground_truth_everything_is_undefined(reading, n_generated):
    result = coverage(0, n_generated, [], reading)
    found = {result.c_gt, result.c_llm, result.tp, result.fp, result.fn, *result.scores}
    assert found == {Value(None, "no ground truth")}


@pytest.mark.slow
@given(graphs, st.sampled_from(READINGS))
def test_f1_is_0_exactly_where_there_is_no_true_positive(graph, reading):
    (n_truths, n_items), pairs = graph
    result = coverage(n_truths, n_items, pairs, reading)
    assert (result.scores.f1.value == 0) == (result.tp.value == 0) == (not pairs)


@pytest.mark.parametrize("pair", [(4, 0), (0, 5), (-1, 0)])
def test_a_pair_of_what_is_not_there_is_refused(pair):
    with pytest.raises(InputFault, match="lies outside 4 ground truths and 5 generated items"):
        coverage(4, 5, [pair])


def test_an_unknown_reading_is_refused():
    with pytest.raises(UsageFault, match="one-to-one, pairs, distinct-gt, components"):
        coverage(1, 1, [], "all")
