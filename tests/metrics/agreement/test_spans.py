"""Agreement on spans, by hand and against every assignment there is."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.errors import InputFault
from scholartools.metrics.agreement.spans import match, pool_matches
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.tasks.agree.coefficients import Choices
from scholartools.tasks.agree.ratings import SpanRatings
from scholartools.tasks.agree.span_f1 import span_records


def levenshtein(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def similarity(one: str, other: str) -> float:
    return 1 - levenshtein(one, other) / max(len(one), len(other))


texts = st.lists(st.text("abé日", min_size=1, max_size=5), max_size=4)


@given(texts, texts)
def test_the_assignment_is_the_best_there_is(first, second):
    short, long = sorted((first, second), key=len)
    found = match(first, second)
    sums = [sum(map(similarity, short, chosen)) for chosen in permutations(long, len(short))]
    assert found.edit == pytest.approx(max(sums, default=0))
    exact = [sum(a == b for a, b in zip(short, chosen, strict=True)) for chosen in permutations(long, len(short))]
    assert found.exact == max(exact, default=0)
    assert match(second, first).edit == pytest.approx(found.edit)
    assert match(first[::-1], second).edit == found.edit


def test_f1_by_hand():
    # "abcd"-"abce" .75 beats taking "abcd"-"xyz" 0; item 2: nothing against one span
    matches = [match(["abcd", "xyz"], ["abce", "xyz"]), match([], ["q"])]
    found = pool_matches(matches)
    assert (found.edit, found.exact, found.n_spans) == (2 * 1.75 / 5, 2 * 1 / 5, 5)
    assert pool_matches([match([], [])]).reason == "no span was marked"
    assert pool_matches([]).reason == "no item rated by both"
    assert pool_matches([match(["a"], [])]).edit == 0


ROWS = [
    {"item": 1, "rater": "a", "value": ["abcd", {"text": "xyz", "start": 3}]},
    {"item": 1, "rater": "b", "value": ["abce", "xyz"]},
    {"item": 1, "rater": "c", "value": []},
    {"item": 2, "rater": "a", "value": []},
    {"item": 2, "rater": "b", "value": ["q"]},
    {"item": 2, "rater": "c", "value": None},
]


def taken(rows):
    ratings = SpanRatings()
    for row in rows:
        ratings.add(row)
    return ratings


def named(entries, measure):
    return {
        str(entry.get("without") or entry.get("rater") or entry["raters"]): entry
        for entry in entries
        if entry["measure"] == measure
    }


def test_pairs_raters_and_all():
    entries = list(span_records(taken(ROWS), Choices(leave_one_out=True, how=Resampling(100, method="bootstrap"))))
    edit, exact = named(entries, "edit"), named(entries, "exact")
    assert edit["['a', 'b']"]["value"] == pytest.approx(3.5 / 5)
    assert exact["['a', 'b']"]["value"] == pytest.approx(2 / 5)
    assert edit["['a', 'c']"]["value"] == 0 and edit["['a', 'c']"]["n_items"] == 1
    assert edit["None"]["value"] == pytest.approx(3.5 / (5 + 2 + 2))
    rater_a = [entry for entry in entries if entry.get("rater") == "a" and entry["measure"] == "edit"][0]
    assert rater_a["value"] == pytest.approx(3.5 / 7) and rater_a["mean_of_pairs"] == pytest.approx((0.7 + 0) / 2)
    without_c = [entry for entry in entries if entry.get("without") == "c" and entry["measure"] == "edit"][0]
    assert without_c["value"] == pytest.approx(0.7)
    low, high = without_c["interval"]["low"], without_c["interval"]["high"]
    assert 0 <= low <= 0.7 <= high <= 1
    assert len({entry["signature"] for entry in entries}) == len(entries)


def test_the_order_of_the_input_is_nothing():
    choices = Choices(how=Resampling(100, method="bootstrap"))
    assert list(span_records(taken(ROWS[::-1]), choices)) == list(span_records(taken(ROWS), choices))


@pytest.mark.parametrize("value", ["abc", ["a", ""], [{"start": 1}], [1], {"text": "a"}])
def test_what_is_no_list_of_spans_is_refused(value):
    with pytest.raises(InputFault, match='"value"'):
        taken([{"item": 1, "rater": "a", "value": value}])
