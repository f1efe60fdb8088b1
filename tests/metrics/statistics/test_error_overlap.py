"""Errors of methods and their overlap: by hand, by numpy, by properties, and from the command line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from support.run import jsonl, st

from scholartools.errors import UsageFault
from scholartools.metrics.statistics.error_overlap import (
    error_overlap,
    errors,
    percentile_bins,
    truth_bins,
)

TRUTH = [0, 0, 1, 1, 2, 2]
# Thirds of 10, 20, .., 60: edges 26.67 and 43.33.
RIGHT = [10, 20, 30, 40, 50, 60]
SWAPPED = [20, 10, 50, 40, 30, 60]  # wrong about the third and the fifth


def test_thirds_by_hand():
    bins = percentile_bins(RIGHT, 3)
    assert bins.places == [0, 0, 1, 1, 2, 2] and bins.sizes == [2, 2, 2]
    assert bins.edges == pytest.approx([80 / 3, 130 / 3])


def test_shares_and_overlap_by_hand():
    truth = truth_bins(TRUTH, 3)
    right, swapped = errors(RIGHT, truth, 3), errors(SWAPPED, truth, 3)
    other = errors([10, 20, 60, 30, 40, 50], truth, 3)  # wrong about the third and the fifth of its own scale
    assert (right.share, swapped.share, swapped.n_errors) == (0, 1 / 3, 2)
    assert swapped.wrong == [False, False, True, False, True, False]
    assert error_overlap(right.wrong, right.wrong).reason == "neither method has an error"
    found = error_overlap(swapped.wrong, other.wrong)
    assert (found.value, found.n_both, found.n_either, found.n) == (1.0, 2, 2, 6)
    assert error_overlap([True, True, None, False], [True, False, True, None]).value == 0.5
    assert error_overlap([None], [True]).reason.startswith("no item for which")


def test_a_number_on_an_edge_is_of_the_bin_above_it():
    assert percentile_bins([1, 2, 3], 2).places == [0, 1, 1]
    tied = percentile_bins([4, 4, 4, 4, 5, 1], 3)
    assert tied.edges == [4, 4] and tied.places == [2, 2, 2, 2, 2, 0] and tied.sizes == [1, 0, 5]


def test_as_many_values_as_bins_are_the_bins_of_the_truth():
    skewed = [2, 2, 2, 2, 2, 2, 1, 0]
    assert truth_bins(skewed, 3).places == skewed
    assert percentile_bins(skewed, 3).places != skewed
    assert truth_bins([0, 10, 20, 30, 40, None], 2).places == [0, 0, 1, 1, 1, None]
    assert truth_bins([0, 1, 1], 3).reason == "only 2 different values, fewer than the 3 bins"


def test_what_is_not_binned_has_a_reason():
    truth = truth_bins(TRUTH, 3)
    assert errors([3] * 6, truth, 3).reason == "not binned: constant"
    assert errors([None] * 6, truth, 3).reason == "not binned: no number"
    assert errors(RIGHT, truth_bins([1] * 6, 3), 3).reason == "the truth is not binned: constant"
    with pytest.raises(UsageFault):
        percentile_bins(RIGHT, 1)


def test_missing_numbers_move_no_edge():
    truth = truth_bins([*TRUTH, None, 1], 3)
    found = errors([*SWAPPED, 1000, None], truth, 3)
    assert (found.n, found.n_missing, found.n_errors) == (6, 2, 2)
    assert found.bins.edges == percentile_bins(SWAPPED, 3).edges
    assert found.wrong[6:] == [None, None]


numbers = some.lists(some.none() | some.integers(-4, 4).map(float) | some.floats(-1e300, 1e300), max_size=30)


@settings(max_examples=150)
@given(numbers, some.integers(2, 5))
def test_bins_are_numpys(values, n_bins):
    known = [value for value in values if value is not None]
    bins = percentile_bins(values, n_bins)
    if len(set(known)) < 2:
        assert bins.edges is None and bins.reason
        return
    edges = np.percentile(known, np.arange(1, n_bins) * 100 / n_bins)
    assert [place for place in bins.places if place is not None] == np.digitize(known, edges).tolist()
    assert sum(bins.sizes) == len(known) and len(bins.sizes) == n_bins


@settings(max_examples=100)
@given(some.lists(some.tuples(*[some.none() | some.booleans()] * 2), max_size=12))
def test_overlap_is_the_jaccard_index_of_sets(pairs):
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    shared = {place for place, pair in enumerate(pairs) if None not in pair}
    sets = [{place for place in shared if side[place]} for side in (first, second)]
    found = error_overlap(first, second)
    either = sets[0] | sets[1]
    assert found.value == (len(sets[0] & sets[1]) / len(either) if either else None)
    assert found.value == error_overlap(second, first).value and found.n == len(shared)


# From the command line.

ROWS = [
    {"id": place, "truth": true, "scores": {"a": one, "b": other}, "flat": 1}
    for place, (true, one, other) in enumerate(zip(TRUTH, SWAPPED, RIGHT, strict=True))
]


def agree(*args, data=b"", status=0):
    result = st("st-agree", "errors", *args, input=data)
    assert result.status == status, result.err
    return result


METHODS = ("--x", "scores.a", "--x", "scores.b", "--x", "flat", "--y", "truth")


def test_one_record_per_method_and_pair():
    records = agree(*METHODS, data=jsonl(*ROWS)).records
    found = {tuple(entry["methods"]): entry for entry in records}
    assert list(found) == [("scores.a",), ("scores.b",), ("flat",), ("scores.a", "scores.b"), ("scores.a", "flat"),
                           ("scores.b", "flat")]  # fmt: skip
    assert (found["scores.a",]["value"], found["scores.a",]["n_errors"]) == (pytest.approx(1 / 3), 2)
    assert found["scores.a",]["sizes"] == found["scores.a",]["truth_sizes"] == [2, 2, 2]
    both = found["scores.a", "scores.b"]
    assert (both["measure"], both["value"], both["n_both"], both["n_either"]) == ("jaccard", 0, 0, 2)
    assert (found["flat",]["value"], found["flat",]["reason"]) == (None, "not binned: constant")
    assert found["scores.b", "flat"]["reason"] == "not binned: constant"
    assert len({entry["signature"] for entry in records}) == len(records)


def test_the_order_of_the_records_is_nothing_and_every_option_something():
    base = agree(*METHODS, data=jsonl(*ROWS)).out
    assert agree(*METHODS, data=jsonl(*ROWS[::-1])).out == base
    two = agree(*METHODS, "--bins", "2", data=jsonl(*ROWS)).records[0]
    assert two["bins"] == 2 and two["signature"] not in base.decode()


def test_missing_numbers_bad_ones_and_repeated_items_are_counted():
    more = [{"id": 6, "truth": None, "scores": {"a": 1, "b": 2}}, {"id": 7, "truth": 1, "scores": {"a": "x"}}, ROWS[0]]
    args = ("--x", "scores.a", "--y", "truth", "--item", "id")
    result = agree(*args, data=jsonl(*ROWS, *more), status=1)
    (entry,) = result.records
    assert (entry["n"], entry["n_missing"], entry["dropped"]) == (6, 1, {"duplicate": 1, "invalid-key": 1})
    assert '-:9: duplicate "id" 0' in result.err
    assert agree(*args[:4], data=jsonl(*ROWS, ROWS[0])).records[0]["n"] == 7


def test_a_table_for_people():
    text = agree(*METHODS, "--table", data=jsonl(*ROWS)).out.decode()
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line}
    assert text.splitlines()[0].split()[-4:] == ["errors", "scores.a", "scores.b", "flat"]
    assert rows["scores.a"][1:] == ["0.333", "(6)", "0.000", "-"] and "flat: not binned: constant" in text


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--x", "a"), "errors needs --x (the methods) and one --y"),
        (("--y", "a"), "errors needs --x (the methods) and one --y"),
        (("--x", "a", "--x", "a", "--y", "b"), '--x and --y name the key "a" twice'),
        (("--x", "a", "--y", "a"), '--x and --y name the key "a" twice'),
        (("--x", "a", "--y", "b", "--ci"), "No such option"),
        (("--x", "a", "--y", "b", "--bins", "1"), "--bins"),
    ],
)
def test_wrong_usage(args, said):
    result = agree(*args, status=2)
    assert said in result.err and result.err.count("\n") == 1


def test_no_records_have_no_errors():
    for entry in agree(*METHODS).records:
        assert entry["value"] is None and entry["reason"]
