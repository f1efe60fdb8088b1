"""Agreement against published examples, the reference libraries and plain definitions; then from ratings to results."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.agreement import coefficients, intervals
from scholartools.metrics.agreement.majority import majority
from scholartools.metrics.statistics.resampling import Resampling, weights
from scholartools.tasks.agree.coefficients import DEFAULT_STATS, PLAIN, Choices, coefficient_records
from scholartools.tasks.agree.ratings import Keys, Ratings, collect

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]
PUBLISHED = [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]


@pytest.fixture(params=["package", "pairs"])
def way(request, monkeypatch):
    """Both ways to alpha's number: the package's table, and the pairs that large data needs."""
    if request.param == "pairs":
        monkeypatch.setattr(coefficients, "_TABLE_CELLS", 0)


@pytest.mark.parametrize(("level", "value"), PUBLISHED)
def test_alpha_of_krippendorff_2011(level, value, way):
    result = coefficients.alpha(UNITS, level)
    assert round(result.value, 3) == value
    assert (result.n_items, result.n_raters, result.n_ratings, result.n_unpaired) == (11, 4, 40, 1)
    assert result.reason is None


def test_alpha_of_words_with_an_order_is_that_of_their_numbers(way):
    names = ["very low", "low", "mid", "high", "very high"]
    words = [[value and names[value - 1] for value in unit] for unit in UNITS]
    assert coefficients.alpha(words, "ordinal", names) == coefficients.alpha(UNITS, "ordinal")
    assert coefficients.alpha(words) == coefficients.alpha(UNITS)
    assert coefficients.alpha(words, "ordinal", names[::-1]).value == pytest.approx(
        coefficients.alpha(UNITS, "ordinal").value
    )
    assert coefficients.alpha(words, "ordinal", [names[i] for i in (2, 0, 4, 1, 3)]).value < 0.8


def test_alpha_of_two_raters_by_hand(way):
    # Coincidences: a-a 2, b-b 2, a-b 1 and b-a 1; D_o = 2/6, D_e = 2*3*3/(6*5) = .6, alpha = 1 - 5/9.
    assert coefficients.alpha([["a", "a"], ["b", "b"], ["a", "b"]]).value == pytest.approx(4 / 9, abs=1e-12)


DELTAS = {
    "nominal": lambda c, k, n: float(c != k),
    "interval": lambda c, k, n: (c - k) ** 2,
    "ratio": lambda c, k, n: ((c - k) / (c + k)) ** 2 if c + k else 0.0,
    "ordinal": lambda c, k, n: (sum(n[g] for g in n if min(c, k) <= g <= max(c, k)) - (n[c] + n[k]) / 2) ** 2,
}


def alpha_by_definition(units, level):
    """1 - D_o / D_e from the coincidence matrix, as the 2011 paper writes it out; None where D_e is 0."""
    units = [[value for value in unit if value is not None] for unit in units]
    coincidences = {}
    for unit in units:
        for c, k in permutations(unit, 2):
            coincidences[c, k] = coincidences.get((c, k), 0) + 1 / (len(unit) - 1)
    marginals = {}
    for (c, _), count in coincidences.items():
        marginals[c] = marginals.get(c, 0) + count
    n = sum(marginals.values())
    delta = DELTAS[level]
    observed = sum(count * delta(c, k, marginals) for (c, k), count in coincidences.items())
    expected = sum(marginals[c] * marginals[k] * delta(c, k, marginals) for c in marginals for k in marginals)
    return 1 - (n - 1) * observed / expected if expected else None


def tables(values):
    ratings = st.none() | values
    return st.integers(1, 5).flatmap(
        lambda raters: st.lists(st.lists(ratings, min_size=raters, max_size=raters), max_size=12)
    )


numbers = st.integers(0, 4) | st.sampled_from([0.5, 2.25, 100.0])


@pytest.mark.parametrize("cells", [coefficients._TABLE_CELLS, 0])
@given(tables(numbers), st.sampled_from([*DELTAS]))
def test_alpha_is_its_definition(cells, units, level):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coefficients, "_TABLE_CELLS", cells)
        result = coefficients.alpha(units, level)
    expected = alpha_by_definition(units, level)
    assert (result.value is None) == (expected is None) == (result.reason is not None)
    if expected is not None:
        assert type(result.value) is float
        assert result.value == pytest.approx(expected, abs=1e-9)


@given(tables(st.sampled_from(["ja", "nein", "日本", "", "é", True, False, "1", 1])))
def test_nominal_alpha_takes_any_values(units):
    expected = alpha_by_definition([[value and repr(value) for value in unit] for unit in spelled(units)], "nominal")
    assert coefficients.alpha(units).value == (expected if expected is None else pytest.approx(expected, abs=1e-9))


def spelled(units):
    return [[None if value is None else f"{type(value).__name__} {value}" for value in unit] for unit in units]


@pytest.mark.slow
@given(tables(st.integers(-5, 5)), st.integers(1, 7), st.integers(-9, 9))
def test_alpha_ignores_what_its_level_ignores(units, factor, shift):
    moved = [[None if value is None else factor * value + shift for value in unit] for unit in units]
    cubed = [[None if value is None else value**3 for value in unit] for unit in units]
    assert close(coefficients.alpha(units, "interval"), coefficients.alpha(moved, "interval"))
    assert close(coefficients.alpha(units, "ordinal"), coefficients.alpha(cubed, "ordinal"))


def close(one, other):
    if one.value is None:
        return one == other
    return replace(one, value=0.0) == replace(other, value=0.0) and abs(one.value - other.value) < 1e-9


def test_many_different_values_need_no_table_of_them():
    source = random.Random(1)
    units = [[source.random() + item for _ in range(5)] for item in range(1000)]
    value = coefficients.alpha(units, "interval").value
    ratings = np.array(units)
    within = ratings.var(axis=1, ddof=1).mean()  # interval alpha with no missing rating is 1 - this / total variance
    assert value == pytest.approx(1 - within / ratings.var(ddof=1), abs=1e-9)


def test_a_thousand_items_of_five_raters_are_quick():
    source = random.Random(2)
    rows = [dict(item=i, rater=r, value=source.randint(1, 5)) for i in range(1000) for r in "abcde"]
    entries = coefficient_records(collect(rows), DEFAULT_STATS, Choices("ordinal"))
    assert len(entries) == 1 + 11 + 1
    assert all(abs(entry["value"]) < 0.3 for entry in entries)


@pytest.mark.parametrize("factor", [1e-320, 1e-200, 1e200, 1e307])
@pytest.mark.parametrize("level", ["interval", "ratio", "ordinal"])
def test_numbers_at_the_ends_of_their_range_do_not_overflow(factor, level, recwarn, way):
    scaled = [[None if value is None else value * factor for value in unit] for unit in UNITS]
    assert coefficients.alpha(scaled, level).value == pytest.approx(coefficients.alpha(UNITS, level).value, rel=1e-2)
    assert not recwarn


def test_numbers_in_words_are_numbers_where_the_level_needs_them(way):
    words = [[None if value is None else f"{value}.0" for value in unit] for unit in UNITS]
    for level in ("ordinal", "interval", "ratio"):
        assert coefficients.alpha(words, level) == coefficients.alpha(UNITS, level)
    ten_after_nine = [["9", "10"], ["10", "10"], ["9", "9"], ["1", "1"]]
    as_numbers = [[int(value) for value in unit] for unit in ten_after_nine]
    assert coefficients.alpha(ten_after_nine, "ordinal") == coefficients.alpha(as_numbers, "ordinal")


def test_true_and_1_and_the_word_1_are_three():
    assert coefficients.percent_agreement([[True, 1], ["1", 1], [True, "True"]]).value == 0
    assert coefficients.cohen_kappa([True, 1], [1, True]).value < 0
    assert coefficients.alpha([[True, 1], [1, 1]]).value < 1
    assert coefficients.alpha([[1, 1.0], [2, 2]]).value == 1


@pytest.mark.parametrize(
    ("value", "level"),
    [("many", "interval"), ("", "ratio"), (True, "interval"), ("1_000", "interval"), ("nan", "ratio")]
    + [
        ("inf", "interval"),
        (10**400, "interval"),
        ("9" * 100_000 + "x", "ratio"),
        (-1, "ratio"),
        ("-0.5", "ratio"),
        (math.nan, "nominal"),
    ],
)
def test_a_value_that_is_not_of_the_level_is_named(value, level):
    with pytest.raises(InputFault) as fault:
        coefficients.alpha([[1, value], [2, 2]], level)
    assert repr(value)[:10] in fault.value.reason
    assert len(fault.value.reason) < 260


def test_scales_that_are_none():
    with pytest.raises(UsageFault, match="'low'.*order=LOW"):
        coefficients.alpha([["low", "high"]], "ordinal")
    with pytest.raises(InputFault, match="'mid' is not in the order low,high"):
        coefficients.alpha([["low", "mid"]], "ordinal", ["low", "high"])
    with pytest.raises(UsageFault, match="different values"):
        coefficients.alpha(UNITS, "ordinal", ["a", "b", "a"])
    with pytest.raises(UsageFault, match="different values"):
        coefficients.alpha(UNITS, "ordinal", ["a"])
    with pytest.raises(UsageFault, match="order needs level=ordinal, not interval"):
        coefficients.alpha(UNITS, "interval", [1, 2, 3, 4, 5])
    with pytest.raises(UsageFault, match="not a level"):
        coefficients.alpha(UNITS, "cardinal")


def test_an_order_spells_values_as_json_does():
    units = [[True, False], [True, True], [False, False]]
    zeros = [[int(value) for value in unit] for unit in units]
    assert coefficients.alpha(units, "ordinal", ["false", "true"]) == coefficients.alpha(zeros, "ordinal", ["0", "1"])
    assert coefficients.alpha([[1.0, 2], [2, 2]], "ordinal", ["1", "2"]) == coefficients.alpha(
        [[1, 2], [2, 2]], "ordinal"
    )


@given(st.lists(st.tuples(*[st.none() | st.sampled_from(["a", "b", "ü"])] * 2), max_size=30))
def test_kappa_is_scikit_learn_s(pairs):
    both = [pair for pair in pairs if None not in pair]
    result = coefficients.cohen_kappa([first for first, _ in pairs], [second for _, second in pairs])
    assert (result.n_items, result.n_ratings, result.n_pairs) == (len(both), 2 * len(both), len(both))
    if len({value for pair in both for value in pair}) < 2:
        assert result.value is None and result.reason
    else:
        assert result.value == pytest.approx(cohen_kappa_score(*zip(*both, strict=True)), abs=1e-12)


def test_kappa_of_two_values_by_hand():
    # p_o = 35/50, p_e = (25*30 + 25*20)/2500 = 0.5, kappa = 0.4
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert coefficients.cohen_kappa(*zip(*pairs, strict=True)).value == pytest.approx(0.4, abs=1e-12)


def test_kappa_of_three_values_by_hand():
    table = [[44, 5, 1], [7, 20, 3], [9, 5, 6]]
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    # p_o = 70/100, p_e = (50*60 + 30*30 + 20*10)/10000 = .41, kappa = .29/.59 = .492
    assert coefficients.cohen_kappa(*zip(*pairs, strict=True)).value == pytest.approx(0.29 / 0.59, abs=1e-12)


def test_kappa_at_its_ends():
    assert coefficients.cohen_kappa(["a", "b"], ["a", "b"]).value == 1
    assert coefficients.cohen_kappa(["a", "b"], ["b", "a"]).value == -1
    assert coefficients.cohen_kappa(["a", "a"], ["a", "b"]).value == 0
    with pytest.raises(ValueError):
        coefficients.cohen_kappa(["a"], ["a", "b"])


# Cohen (1960), Table 1: percentages of 200 patients in three diagnoses by two judges; kappa .492
COHEN_1960 = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]


def rated(table):
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [list(side) for side in zip(*pairs, strict=True)]


def test_kappa_of_cohen_s_own_example():
    result = coefficients.cohen_kappa(*rated(COHEN_1960))
    assert (round(result.value, 3), result.n_items) == (0.492, 200)


# Viera and Garrett (2005), "Understanding interobserver agreement: the kappa statistic": 100 readings by two, kappa .57
VIERA_GARRETT_2005 = [[15, 5], [10, 70]]


def test_kappa_of_a_published_tutorial():
    result = coefficients.cohen_kappa(*rated(VIERA_GARRETT_2005))
    assert (round(result.value, 2), result.n_items) == (0.57, 100)


# Fleiss (1971), Table 1: thirty patients, six psychiatrists, five diagnoses; kappa .430
FLEISS_1971 = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 "
    "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
).split()  # fmt: skip


def test_fleiss_own_example():
    result = coefficients.fleiss_kappa(units_of(FLEISS_1971))
    assert (round(result.value, 3), result.n_items, result.n_raters) == (0.430, 30, 6)


# The ten items by fourteen raters that many textbooks work through; kappa .210
TEN_ITEMS = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip


def units_of(counts):
    return [[value for value, count in enumerate(row) for _ in range(int(count))] for row in counts]


def test_fleiss_of_the_textbooks():
    result = coefficients.fleiss_kappa(units_of(TEN_ITEMS))
    assert (round(result.value, 3), result.n_items, result.n_raters) == (0.210, 10, 14)


def test_fleiss_by_hand():
    # Shares of equal pairs 1, 1/3, 1/3; of the values 5/9 and 4/9: (5/9 - 41/81) / (1 - 41/81) = 4/40
    units = [["a", "a", "a"], ["a", "b", "b"], ["a", "b", "b"]]
    assert coefficients.fleiss_kappa(units).value == pytest.approx(0.1, abs=1e-12)
    assert coefficients.fleiss_kappa([["a", "a"], ["b", "b"]]).value == 1
    assert coefficients.fleiss_kappa([["a", "a"], ["a", "a"]]).reason == "only one value occurs"
    assert "2 to 3 ratings" in coefficients.fleiss_kappa([["a", "b", "a"], ["a", None, "a"]]).reason


@given(st.lists(st.tuples(*[st.integers(1, 5)] * 2), min_size=1, max_size=30), st.sampled_from(coefficients.WEIGHTINGS))
def test_weighted_kappa_is_scikit_learn_s_with_all_labels(pairs, weighting):
    result = coefficients.cohen_kappa(*zip(*pairs, strict=True), weighting)
    if len({value for pair in pairs for value in pair}) < 2:
        assert (result.value, result.reason) == (None, "only one value occurs")
    else:
        expected = cohen_kappa_score(*zip(*pairs, strict=True), labels=[1, 2, 3, 4, 5], weights=weighting)
        assert result.value == pytest.approx(expected, abs=1e-9)


def test_weighted_kappa_by_hand():
    # Observed (0 + 1 + 0) / 3; by chance (0+2+2 + 1+1+1 + 2+0+0) / 9: 1 - 1/3
    assert coefficients.cohen_kappa([1, 2, 3], [1, 3, 3], "linear").value == pytest.approx(2 / 3)
    words = coefficients.cohen_kappa(["low", "mid", "high"], ["low", "high", "high"], "linear", ["low", "mid", "high"])
    assert words.value == coefficients.cohen_kappa([1, 2, 3], [1, 3, 3], "linear").value
    with pytest.raises(UsageFault, match="'low' is not a number: name the scale"):
        coefficients.cohen_kappa(["low", "mid"], ["low", "high"], "quadratic")


def test_majority():
    assert majority([3, 3, 1]).value == 3
    assert majority([3, 3, None]).counts == ((3, 2),)
    assert majority([1, 2, 3]).reason == "no value has 2 votes"
    assert majority([1, 1, 2, 2]).reason == "a tie"
    assert majority([1, True, "1", 1.0]).value == 1, "1 and 1.0 are one value, true and the word are not"
    assert majority([1, 1, 2], min_votes=3).value is None
    assert majority([None, None]).reason == "no rating"
    assert majority([False, False]).value is False


# Intervals


def resampled(units, drawn):
    return [unit for unit, count in zip(units, drawn, strict=True) for _ in range(int(count))]


def percentiles(units, statistic, how, clusters=None):
    """The interval by a plain loop over the same samples, and how many have none."""
    units = [unit for unit in units if sum(value is not None for value in unit) > 1]
    values = [statistic(resampled(units, row)).value for block in weights(len(units), how, clusters) for row in block]
    known = [value for value in values if value is not None]
    tail = (1 - how.confidence) / 2
    return np.quantile(known, [tail, 1 - tail]).tolist(), values.count(None)


SAMPLES = [
    (
        "alpha",
        lambda units: coefficients.alpha(units),
        lambda units, how: intervals.alpha_interval(units, "nominal", how),
    ),
    *(
        (
            level,
            lambda units, level=level: coefficients.alpha(units, level),
            lambda units, how, level=level: intervals.alpha_interval(units, level, how),
        )
        for level in ("ordinal", "interval", "ratio")
    ),
    ("percent", coefficients.percent_agreement, intervals.percent_interval),
    ("perfect", coefficients.perfect_agreement, intervals.perfect_interval),
]


@pytest.mark.parametrize(("name", "statistic", "interval"), SAMPLES, ids=[name for name, *_ in SAMPLES])
def test_an_interval_is_that_of_the_coefficient_of_each_sample(name, statistic, interval):
    how = Resampling(samples=120, confidence=0.9, seed=3, method="bootstrap")
    few = [unit for unit in UNITS if unit[1] in (3, 5, 1)][:4]
    for units in (UNITS, few):
        found = interval(units, how)
        expected, undefined = percentiles(units, statistic, how)
        assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-9)
        assert found.n_undefined == undefined


@pytest.mark.parametrize("weighting", [None, "linear", "quadratic"])
def test_intervals_of_kappa(weighting):
    how = Resampling(samples=120, seed=1, method="bootstrap")
    first, second = ([unit[rater] for unit in UNITS] for rater in (1, 2))
    found = intervals.kappa_interval(first, second, how, weighting=weighting)
    pairs = list(zip(first, second, strict=True))
    expected, undefined = percentiles(
        pairs, lambda units: coefficients.cohen_kappa(*zip(*units, strict=True), weighting), how
    )
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-9)
    assert found.n_undefined == undefined


def test_intervals_of_fleiss():
    how, units = Resampling(samples=120, seed=1, method="bootstrap"), units_of(TEN_ITEMS)
    found = intervals.fleiss_interval(units, how)
    assert (found.low, found.high) == pytest.approx(
        tuple(percentiles(units, coefficients.fleiss_kappa, how)[0]), abs=1e-9
    )


def test_undefined_samples_are_counted():
    # One item of two values: of 8 items it is missing from (7/8)^8 = 34% of the samples, which then hold one value.
    units = [["a", "b"]] + [["a", "a"]] * 7
    found = intervals.alpha_interval(units, "nominal", Resampling(1000, method="bootstrap"))
    assert 280 < found.n_undefined < 400 and found.low is not None
    same = intervals.alpha_interval([["a", "a"]] * 3, "nominal", Resampling(100, method="bootstrap"))
    assert (same.low, same.n_undefined, same.reason) == (None, 100, "not defined in any of the samples")
    assert intervals.alpha_interval([["a", "b"]], "nominal", Resampling(method="bootstrap")).reason.startswith(
        "fewer than two items"
    )
    assert intervals.alpha_interval([], "interval", Resampling(method="bootstrap")).low is None


def test_clusters_are_drawn_whole():
    units = UNITS[:10]
    doubled = [unit for unit in units for _ in range(2)]
    clusters = [item for item in range(10) for _ in range(2)]
    how = Resampling(200, method="bootstrap")
    found = intervals.percent_interval(doubled, how, clusters)
    assert (found.low, found.high, found.n_drawn) == (*percentiles(units, coefficients.percent_agreement, how)[0], 10)
    assert intervals.percent_interval(doubled, how).n_drawn == 20
    assert "fewer than two clusters" in intervals.percent_interval(units, how, ["p"] * 10).reason


def test_selections_of_raters():
    rows = long_form(UNITS)
    entries = results(rows, "alpha", choices=Choices(pairs=True, without=["r2"], leave_one_out=True))
    assert [entry.get("raters", entry.get("without")) for entry in entries] == [
        None, ["r0", "r1"], ["r0", "r2"], ["r0", "r3"], ["r1", "r2"], ["r1", "r3"], ["r2", "r3"], "r0", "r1", "r2", "r3"
    ]  # fmt: skip
    without = [[value for rater, value in enumerate(unit) if rater != 2] for unit in UNITS]
    assert entries[-2]["value"] == pytest.approx(coefficients.alpha(without).value, abs=1e-12)
    assert len({entry["signature"] for entry in entries}) == len(entries)
    with pytest.raises(UsageFault, match='no rating by "r9"'):
        results(rows, "alpha", choices=Choices(without=["r9"]))


def test_pooled_labels_are_drawn_by_item():
    rows = [{**row, "label": label} for label in "ab" for row in long_form(UNITS)]
    *_, pooled = results(rows, "agreement", choices=Choices(how=Resampling(100, method="bootstrap"), pooled=True))
    assert (pooled["pooled"], pooled["n_items"], pooled["interval"]["n_drawn"]) == (True, 22, 11)
    assert pooled["value"] == pytest.approx(coefficients.percent_agreement(UNITS).value)


def test_percent_agreement_by_hand():
    # Equal pairs: 1 of 1, 1 of 3, none from the item with one rating.
    result = coefficients.percent_agreement([["a", "a", None], ["a", "b", "a"], ["a", None, None]])
    assert result == coefficients.Agreement(0.5, n_items=2, n_raters=3, n_ratings=5, n_pairs=4, n_unpaired=1)


@given(tables(st.sampled_from("abc")))
def test_percent_agreement_counts_pairs(units):
    pairs = [pair for unit in units for pair in combinations(filter(None, unit), 2)]
    result = coefficients.percent_agreement(units)
    assert result.n_pairs == len(pairs)
    assert result.value == (sum(one == other for one, other in pairs) / len(pairs) if pairs else None)


UNDEFINED = [
    ([], "fewer than two raters"),
    ([[None, None]], "fewer than two raters"),
    ([["a"], ["b"]], "fewer than two raters"),
    ([["a", None], [None, "b"]], "no item with two ratings"),
]


@pytest.mark.parametrize(("units", "reason"), UNDEFINED)
def test_nothing_to_compare_is_null(units, reason):
    for result in (coefficients.alpha(units), coefficients.percent_agreement(units)):
        assert (result.value, result.reason, result.n_pairs) == (None, reason, 0)


def test_one_value_throughout_is_null_for_what_chance_enters():
    assert coefficients.alpha([["a", "a"], ["a", "a"]]).reason == "only one value occurs"
    assert coefficients.alpha([["a", "a"], ["b", None]]).reason == "only one value occurs"
    assert coefficients.cohen_kappa(["a", "a", "b"], ["a", "a", None]).reason == "only one value occurs"
    assert coefficients.cohen_kappa(["a", None], [None, "a"]).reason == "no item rated by both"
    assert coefficients.percent_agreement([["a", "a"], ["a", "a"]]).value == 1


# From ratings to results


def long_form(units):
    return [
        {"item": item, "rater": f"r{rater}", "value": value}
        for item, unit in enumerate(units)
        for rater, value in enumerate(unit)
    ]


def results(rows, *stats, choices=PLAIN, **others):
    return coefficient_records(collect(rows), stats or DEFAULT_STATS, replace(choices, **others))


def test_one_record_per_statistic_and_label():
    rows = [{**row, "label": label} for label in ("überzeugend", "novel") for row in long_form(UNITS)]
    entries = results(rows, "agreement", "alpha", level="ordinal")
    assert [(entry["stat"], entry["label"]) for entry in entries] == [
        ("agreement", "novel"), ("agreement", "überzeugend"), ("alpha", "novel"), ("alpha", "überzeugend")
    ]  # fmt: skip
    entry = entries[2]
    signature = entry.pop("signature")
    assert entry.pop("value") == pytest.approx(0.815, abs=5e-4)
    assert entry == {
        "stat": "alpha", "level": "ordinal", "label": "novel", "n_items": 11, "n_raters": 4, "n_ratings": 40,
        "n_pairs": 55, "n_unpaired": 1, "n_missing": 7, "reason": None,
        "dropped": {},
    }  # fmt: skip
    assert signature.startswith("st-agree ") and "krippendorff-" in signature


def test_labels_are_not_pooled():
    agreed = [{**row, "label": "a", "value": row["item"]} for row in long_form(UNITS)]
    mixed = [{**row, "label": "b"} for row in long_form(UNITS)]
    values = [entry["value"] for entry in results(agreed + mixed, "alpha")]
    assert values == [1, coefficients.alpha(UNITS).value]


def test_results_do_not_depend_on_the_order_of_ratings():
    rows = long_form(UNITS)
    shuffled = random.Random(1).sample(rows, len(rows))

    choices = Choices(how=Resampling(100, method="bootstrap"), pooled=True, pairs=True, leave_one_out=True)
    assert results(shuffled, choices=choices) == results(rows, choices=choices), "to the last bit, signatures as well"


def test_a_missing_label_is_null_and_so_is_null():
    rows = [{"item": 1, "rater": "a", "value": 1}, {"item": 1, "rater": "b", "label": None, "value": 1}]
    (entry,) = results(rows, "agreement")
    assert (entry["label"], entry["value"]) == (None, 1)


def test_kappa_has_every_pair_and_their_mean():
    *pairs, mean = results(long_form(UNITS), "kappa")
    assert [entry["raters"] for entry in pairs] == [
        ["r0", "r1"], ["r0", "r2"], ["r0", "r3"], ["r1", "r2"], ["r1", "r3"], ["r2", "r3"]
    ]  # fmt: skip
    for entry in pairs:
        first, second = (OBSERVERS[int(name[1])] for name in entry["raters"])
        both = [(one, other) for one, other in zip(first, second, strict=True) if one and other]
        assert entry["value"] == pytest.approx(cohen_kappa_score(*zip(*both, strict=True)))
        assert (entry["n_items"], entry["n_missing"]) == (len(both), first.count(None) + second.count(None))
    assert (mean["raters"], mean["n_kappas"], mean["n_undefined"], mean["n_missing"]) == (None, 6, 0, 7)
    assert mean["value"] == pytest.approx(sum(entry["value"] for entry in pairs) / 6)


def test_pairs_without_a_kappa_are_counted_and_not_averaged():
    rows = long_form([["x", "x", None], ["y", "x", None], ["y", "y", None], [None, None, "x"]])
    first, *others, mean = results(rows, "kappa")
    assert [entry["reason"] for entry in others] == ["no item rated by both"] * 2
    assert (mean["value"], mean["n_kappas"], mean["n_undefined"]) == (first["value"], 1, 2)
    *_, alone = results([{"item": 1, "rater": "a", "value": 1}], "kappa")
    assert (alone["value"], alone["reason"], alone["n_kappas"]) == (None, "fewer than two raters", 0)
    *_, same = results(long_form([["x", "x"]]), "kappa")
    assert (same["value"], same["reason"]) == (None, "kappa is defined for no pair of raters")


def test_who_rated_nothing_of_a_label_is_in_none_of_its_pairs():
    rows = [{**row, "label": "a"} for row in long_form([["x", "y"], ["y", "y"]])]
    rows += [{"item": 1, "rater": "other", "label": "b", "value": "x"}]
    assert [entry["raters"] for entry in results(rows, "kappa") if entry["label"] == "a"] == [["r0", "r1"], None]


@settings(max_examples=50)
@given(tables(st.sampled_from([0, 1, "a", True, 2.5])))
def test_numbers_are_plain_and_null_has_a_reason(units):
    for entry in results(long_form(units)):
        assert (entry["value"] is None) == (entry["reason"] is not None)
        assert entry["value"] is None or (type(entry["value"]) is float and math.isfinite(entry["value"]))
        assert all(type(entry[key]) is int for key in entry if key.startswith("n_"))
        assert json.loads(json.dumps(entry, allow_nan=False)) == entry


def test_every_rating_is_in_a_count():
    source = random.Random(3)
    rows = [row for row in long_form([[source.choice([None, 1, 2]) for _ in "abc"] for _ in range(20)])]
    for entry in results(rows, "alpha", "agreement"):
        assert entry["n_ratings"] + entry["n_unpaired"] + entry["n_missing"] == 60


def test_nothing_rated_is_no_result():
    assert results([]) == []


def test_a_second_rating_of_an_item_is_refused_even_a_missing_one():
    for value in (1, None):
        taken = collect([{"item": "é", "rater": 7, "label": "x", "value": value}])
        with pytest.raises(InputFault, match='item "é" is rated twice by 7 for label "x"'):
            taken.add({"item": "é", "rater": 7, "label": "x", "value": 2})
        taken.add({"item": "é", "rater": "7", "label": "x", "value": 2})
        taken.add({"item": "é", "rater": 7, "value": 2})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"item": ...}, 'no "item"'),
        ({"rater": ...}, 'no "rater"'),
        ({"value": ...}, 'no "value"'),
        ({"item": None}, '"item" is null'),
        ({"item": 1.5}, '"item" is neither'),
        ({"rater": True}, '"rater" is neither'),
        ({"label": ["a"]}, '"label" is neither'),
        ({"value": {}}, '"value" is no'),
        ({"value": [1]}, '"value" is no'),
    ],
)
def test_a_record_that_is_no_rating_is_refused_and_leaves_no_trace(change, reason):
    record = {"item": 1, "rater": "a", "value": 1, **change}
    taken = Ratings()
    with pytest.raises(InputFault) as fault:
        taken.add({key: value for key, value in record.items() if value is not ...})
    assert reason in fault.value.reason
    assert taken.labels == [] and taken.fingerprint() == Ratings().fingerprint()


def test_other_key_names():
    rows = [{"paper": 1, "judge": judge, "aspect": "a", "score": 2} for judge in "xy"]
    taken = collect(rows, Keys("paper", "judge", "aspect", "score"))
    assert [(entry["label"], entry["value"]) for entry in coefficient_records(taken, ["agreement"], Choices())] == [
        ("a", 1)
    ]
    with pytest.raises(InputFault, match='no "paper"'):
        taken.add({"item": 1})


def test_item_1_and_item_word_1_are_two():
    rows = [{"item": 1, "rater": "a", "value": 1}, {"item": "1", "rater": "b", "value": 1}]
    assert results(rows, "agreement")[0]["reason"] == "no item with two ratings"


def test_a_value_that_is_not_of_the_level_is_refused_as_it_comes():
    for level, order, value in [("interval", None, "many"), ("ratio", None, -1), ("ordinal", ["a", "b"], "c")]:
        with pytest.raises(InputFault):
            Ratings(level=level, order=order).add({"item": 1, "rater": "a", "value": value})
        Ratings(level=level, order=order).add({"item": 1, "rater": "a", "value": None})
    with pytest.raises(UsageFault):
        Ratings(level="nominal", order=["a", "b"])


def test_what_is_no_statistic_or_scale_is_refused_whatever_else_is_asked():
    taken = collect(long_form(UNITS))
    with pytest.raises(UsageFault, match="alhpa"):
        coefficient_records(taken, ["kappa", "alhpa"], Choices())
    with pytest.raises(UsageFault, match="order"):
        coefficient_records(taken, ["kappa"], Choices("interval", ["a", "b"]))


def signatures(rows, *stats, **options):
    return [entry["signature"] for entry in results(rows, *stats, **options)]


def test_a_signature_names_one_result():
    labels = (None, "none", "null", "1", 1)
    rows = [{**row, "label": label} for label in labels for row in long_form(UNITS)]
    made = signatures(rows)
    assert len(set(made)) == len(made) == 5 * (1 + 7 + 1)
    assert made == signatures(rows)


def test_a_signature_changes_with_what_changes_the_result():
    base = long_form(UNITS)
    changed = [*base[:-2], {**base[-2], "value": 7}, base[-1]]
    made = [
        *signatures(base, "alpha"),
        *signatures(changed, "alpha"),
        *signatures(base[:-1], "alpha"),
        *signatures(base, "alpha", level="ordinal"),
        *signatures(base, "alpha", level="ordinal", order=["1", "2", "3", "4", "5"]),
        *signatures(base, "alpha", level="ordinal", order=["5", "1", "2", "3", "4"]),
        *signatures(base, "agreement"),
    ]
    assert len(set(made)) == len(made)
    assert signatures(base, "kappa") == signatures(base, "kappa", level="ordinal"), "the level is nothing to kappa"
