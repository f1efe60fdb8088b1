"""Agreement and resampling against published examples, the reference libraries and plain definitions."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics import agreement
from scholartools.metrics.resampling import mean_interval
from scholartools.tasks import agree

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_krippendorff_2011(level, value):
    result = agreement.alpha(UNITS, level)
    assert round(result.value, 3) == value
    assert (result.n_items, result.n_raters, result.n_ratings) == (11, 4, 40)


DELTAS = {
    "nominal": lambda c, k, n: float(c != k),
    "interval": lambda c, k, n: (c - k) ** 2,
    "ratio": lambda c, k, n: ((c - k) / (c + k)) ** 2 if c + k else 0.0,
    "ordinal": lambda c, k, n: (sum(n[g] for g in n if min(c, k) <= g <= max(c, k)) - (n[c] + n[k]) / 2) ** 2,
}


def alpha_by_definition(units, level):
    """1 - D_o / D_e from the coincidences, as the 2011 paper writes it out."""
    units = [[value for value in unit if value is not None] for unit in units]
    units = [unit for unit in units if len(unit) > 1]
    marginals = {value: sum(unit.count(value) for unit in units) for unit_ in units for value in unit_}
    n = sum(marginals.values())
    delta = DELTAS[level]
    observed = sum(delta(c, k, marginals) / (len(unit) - 1) for unit in units for c, k in permutations(unit, 2))
    expected = sum(marginals[c] * marginals[k] * delta(c, k, marginals) for c in marginals for k in marginals)
    return 1 - (n - 1) * observed / expected


tables = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.none() | st.integers(0, 4), min_size=raters, max_size=raters), min_size=1, max_size=12
    )
)


@settings(deadline=None)
@given(tables, st.sampled_from(agreement.LEVELS))
def test_alpha_is_its_definition(units, level):
    result = agreement.alpha(units, level)
    if result.value is None:
        assert result.reason in ("no item with two ratings", "only one value occurs")
    else:
        assert math.isfinite(result.value) and result.value <= 1
        assert result.value == pytest.approx(alpha_by_definition(units, level), abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30))
def test_kappa_is_scikit_learn_s(pairs):
    result = agreement.cohen_kappa(pairs)
    first, second = zip(*pairs, strict=True)
    if len(set(first) | set(second)) == 1:
        assert result.value is None and result.reason
    else:
        expected = cohen_kappa_score(first, second)
        assert (result.value is None) == math.isnan(expected)
        if result.value is not None:
            assert result.value == pytest.approx(expected, abs=1e-12)


def test_kappa_by_hand():
    # p_o = 35/50, p_e = (25*30 + 25*20)/2500 = 0.5, kappa = 0.4
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert agreement.cohen_kappa(pairs).value == pytest.approx(0.4, abs=1e-12)


def test_kappa_of_three_values_by_hand():
    table = [[44, 5, 1], [7, 20, 3], [9, 5, 6]]
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    # p_o = 70/100, p_e = (50*60 + 30*30 + 20*10)/10000 = .41, kappa = .29/.59 = .492
    assert round(agreement.cohen_kappa(pairs).value, 3) == 0.492


def test_percent_agreement_by_hand():
    # pairs: 1 of 1, 1 of 3, none from the item with one rating
    units = [["a", "a", None], ["a", "b", "a"], ["a", None, None]]
    result = agreement.percent_agreement(units)
    assert result.value == pytest.approx(2 / 4)
    assert (result.n_items, result.n_raters, result.n_ratings) == (2, 3, 5)


def test_true_is_not_1_and_words_are_not_numbers():
    assert agreement.percent_agreement([[True, 1]]).value == 0
    assert agreement.percent_agreement([["1", 1]]).value == 0
    assert agreement.alpha([[True, 1], [1, 1]]).value < 1


@pytest.mark.parametrize("units", [[], [[1, None]], [[None, None]]])
def test_nothing_to_compare_is_null(units):
    for result in (agreement.alpha(units), agreement.percent_agreement(units), agreement.cohen_kappa(units)):
        assert result.value is None and result.reason


def test_values_that_are_not_of_the_level_are_named():
    with pytest.raises(InputFault, match="'many'"):
        agreement.alpha([["1", "many"]], "interval")
    with pytest.raises(InputFault, match="below zero"):
        agreement.alpha([[-1, 1]], "ratio")
    with pytest.raises(UsageFault, match="--order"):
        agreement.alpha([["low", "high"]], "ordinal")
    with pytest.raises(InputFault, match="not in the order"):
        agreement.alpha([["low", "mid"]], "ordinal", ["low", "high"])
    with pytest.raises(InputFault):
        agreement.alpha([[True, 2]], "interval")


def test_numbers_in_words_count_as_numbers():
    words = [[None if value is None else str(value) for value in unit] for unit in UNITS]
    assert agreement.alpha(words, "interval") == agreement.alpha(UNITS, "interval")


def ratings(rows, **keys):
    taken = agree.Ratings(agree.Keys(**keys))
    for row in rows:
        taken.add(row)
    return taken


def long_form(units):
    return [
        {"item": item, "rater": f"r{rater}", "value": value}
        for item, unit in enumerate(units)
        for rater, value in enumerate(unit)
    ]


def test_results_do_not_depend_on_the_order_of_ratings():
    rows = long_form(UNITS)
    base = [entry["value"] for entry in agree.results(ratings(rows), ["alpha", "agreement"], "ratio")]
    random.Random(1).shuffle(rows)
    shuffled = [entry["value"] for entry in agree.results(ratings(rows), ["alpha", "agreement"], "ratio")]
    assert shuffled == pytest.approx(base, abs=1e-12)


def test_missing_ratings_are_counted():
    entry = next(iter(agree.results(ratings(long_form(UNITS)), ["alpha"])))
    assert (entry["n_missing"], entry["n_ratings"]) == (7, 40)


def test_kappa_has_every_pair_and_their_mean():
    entries = list(agree.results(ratings(long_form(UNITS)), ["kappa"]))
    *pairs, mean = entries
    assert [entry["raters"] for entry in pairs] == [
        ["r0", "r1"], ["r0", "r2"], ["r0", "r3"], ["r1", "r2"], ["r1", "r3"], ["r2", "r3"]
    ]  # fmt: skip
    assert mean["value"] == pytest.approx(sum(entry["value"] for entry in pairs) / 6)


def test_a_second_rating_of_an_item_is_refused():
    with pytest.raises(InputFault, match="twice"):
        ratings([{"item": 1, "rater": "a", "value": 1}, {"item": 1, "rater": "a", "value": 1}])


@pytest.mark.parametrize(
    "row",
    [
        {"rater": "a", "value": 1},
        {"item": 1, "value": 1},
        {"item": 1, "rater": "a"},
        {"item": None, "rater": "a", "value": 1},
    ],
)
def test_a_missing_key_is_named(row):
    with pytest.raises(InputFault, match='no "'):
        ratings([row])


def test_item_1_and_item_word_1_are_two():
    taken = ratings([{"item": 1, "rater": "a", "value": 1}, {"item": "1", "rater": "b", "value": 2}])
    assert next(iter(agree.results(taken, ["agreement"])))["value"] is None


def test_the_signature_changes_with_a_rating_and_with_the_level():
    base = long_form(UNITS)
    changed = [*base[:-1], {**base[-1], "value": 9}]
    marks = [
        next(iter(agree.results(ratings(rows), ["alpha"], level)))["signature"]
        for rows, level in [(base, "nominal"), (changed, "nominal"), (base, "ordinal")]
    ]
    assert len(set(marks)) == 3


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-100, 100), min_size=2, max_size=40), st.integers(0, 5))
def test_an_interval_holds_together(values, seed):
    (low, high), reason = mean_interval(values, samples=200, seed=seed)
    assert reason is None
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert mean_interval(values, samples=200, seed=seed)[0] == (low, high)


def test_an_interval_is_the_percentiles_of_resampled_means():
    import numpy as np

    values = [random.Random(3).gauss(0, 1) for _ in range(30)]
    generator = np.random.Generator(np.random.PCG64(7))
    means = [np.mean([values[i] for i in row]) for row in generator.integers(0, 30, size=(500, 30))]
    low, high = np.quantile(means, [0.05, 0.95])
    assert mean_interval(values, samples=500, confidence=0.9, seed=7)[0] == pytest.approx((low, high))


def test_blocks_change_nothing(monkeypatch):
    from scholartools.metrics import resampling

    values = [float(i % 7) for i in range(50)]
    whole = mean_interval(values, seed=1)
    monkeypatch.setattr(resampling, "_BLOCK", 333)
    assert mean_interval(values, seed=1)[0] == pytest.approx(whole[0])


def test_intervals_cover_the_mean_about_as_often_as_they_say():
    source = random.Random(5)
    covered = 0
    for trial in range(300):
        values = [source.gauss(10, 3) for _ in range(60)]
        (low, high), _ = mean_interval(values, samples=400, seed=trial)
        covered += low <= 10 <= high
    assert 0.90 <= covered / 300 <= 0.98


@pytest.mark.parametrize("values", [[], [1.0]])
def test_too_few_values_have_no_interval(values):
    assert mean_interval(values) == (None, "fewer than two values")
