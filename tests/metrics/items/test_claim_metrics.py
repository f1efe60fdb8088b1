"""The numbers of claims and weaknesses: against CLAIMCHECK's own tables, values by hand, and plain definitions."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholartools.metrics.agreement import coefficients, intervals, spans
from scholartools.metrics.agreement.offsets import match_places, overlap
from scholartools.metrics.items import labels, verdicts
from scholartools.metrics.items.anchors import compare_anchors
from scholartools.metrics.items.targets import SUMS, Targets, target_scores, target_sums
from scholartools.metrics.statistics.resampling import SAME_IN_SAMPLES, Resampling

# What the paper prints (tables 2, 3, 5 and 6; sections 3.4 and 4).
COUNTS = {"papers": 41, "reviews": 60, "related": 56, "targets": 154, "weaknesses": 168, "targeted": 120}
PILOT_EDIT, PILOT_WITH_MODEL, MODEL_INDIVIDUAL = 45.8, 43.2, 32.6
HUMANS = [18.2, 13.1, 17.9, 44.6, 77.6, 52.4, 0.0, 22.8]
WITH_MODEL = [18.1, 9.8, 16.4, 40.4, 78.3, 52.4, -1.1, 17.5]
EDITS = (20.0, 47.8)
ISSUES = (73.0, 20.0, 7.0)


def percent(value) -> float:
    return round(100 * value.value, 1)


def fits(shares, n: int) -> bool:
    """Whether whole counts of n, which sum to n, round to these percentages."""
    counts = [round(share * n / 100) for share in shares]
    return sum(counts) == n and all(abs(100 * count / n - share) <= 0.05 for count, share in zip(counts, shares))


def test_shares_of_table_3():
    assert round(100 * COUNTS["targeted"] / COUNTS["weaknesses"], 1) == 71.4
    assert round(COUNTS["targets"] / COUNTS["targeted"], 2) == 1.28 <= 3


def test_the_published_total_is_no_mean_of_pairs():
    pairs_of_people, pairs_of_model = len(list(combinations(range(5), 2))), 5
    mean = (pairs_of_people * PILOT_EDIT + pairs_of_model * MODEL_INDIVIDUAL) / (pairs_of_people + pairs_of_model)
    assert round(mean, 1) == 41.4 != PILOT_WITH_MODEL
    # Were all of them micro: the model's pairs would hold a share x of the spans, (1 - x) 45.8 + x F = 43.2.
    share_at = {f1: (PILOT_EDIT - PILOT_WITH_MODEL) / (PILOT_EDIT - f1) for f1 in (32.55, 32.65)}
    assert all(0.19 < share < 0.205 for share in share_at.values())


def test_micro_and_mean_of_pairs_part_where_raters_mark_unequally_much():
    """One rater marks much and agrees little: the pooled F1 and the plain mean of pairs are two numbers."""
    first = ["aa", "bb"]
    marked = [first, first, ["aa", *(f"{letter}{letter}" for letter in "uvwxyz")]]
    matches = [spans.match(one, other) for one, other in combinations(marked, 2)]
    pooled = spans.pool_matches(matches).exact
    mean = sum(spans.pool_matches([match]).exact for match in matches) / 3
    assert pooled == pytest.approx(2 * (2 + 1 + 1) / (4 + 9 + 9))
    assert mean == pytest.approx((1 + 2 / 9 + 2 / 9) / 3)
    assert pooled != pytest.approx(mean)


def test_changes_of_table_2():
    changes = [round(after - before, 1) for before, after in zip(HUMANS, WITH_MODEL)]
    assert changes == [-0.1, -3.3, -1.5, -4.2, 0.7, 0.0, -1.1, -5.3]
    assert [sum(map(sign, changes)) for sign in (lambda c: c < 0, lambda c: c == 0, lambda c: c > 0)] == [6, 1, 1]


def test_which_numbers_of_pairs_tables_can_be_of():
    loss = round(100 - sum(EDITS), 1)
    assert loss == 32.2 and not fits((*EDITS, loss), COUNTS["targeted"])
    assert [n for n in range(1, 171) if fits((*EDITS, loss), n)] == [90, 115]
    assert sum(ISSUES) == 100 and not fits(ISSUES, COUNTS["targets"])
    assert [n for n in range(1, 161) if fits(ISSUES, n)] == [100, 115]


def test_our_shares_give_table_6_and_section_4_2_from_115_pairs():
    issues = verdicts.shares(["different"] * 84 + ["similar"] * 23 + ["same"] * 8, verdicts.ISSUES)
    assert [percent(issues[name]) for name in ("different", "similar", "same")] == list(ISSUES)
    won = verdicts.shares(["revised"] * 23 + ["tie"] * 55 + ["original"] * 37, verdicts.WINNERS)
    assert [percent(won[name]) for name in ("revised", "tie", "original")] == [*EDITS, 32.2]


def test_pairs_without_a_verdict_are_in_no_share():
    found = verdicts.shares(["same", None, "same", None], verdicts.ISSUES)
    assert (found["same"].value, found["different"].value, found["undecided"].value) == (1.0, 0.0, 0.5)
    nothing = verdicts.shares([None], verdicts.ISSUES)
    assert nothing["same"].value is None and nothing["same"].reason
    assert verdicts.shares([], verdicts.ISSUES)["undecided"].value is None


def test_sign_test_by_hand():
    assert verdicts.sign_test(1, 3).value == pytest.approx(2 * (1 + 4) / 16)
    assert verdicts.sign_test(5, 5).value == 1.0
    assert verdicts.sign_test(0, 6).value == pytest.approx(2 / 64)
    assert verdicts.sign_test(0, 0).value is None


@given(st.integers(0, 60), st.integers(0, 60))
def test_sign_test_is_scipys(wins, losses):
    from scipy.stats import binomtest

    found = verdicts.sign_test(wins, losses).value
    if wins + losses:
        assert found == pytest.approx(binomtest(wins, wins + losses).pvalue)
        assert found == verdicts.sign_test(losses, wins).value


# Targets


def scores(*weaknesses: Targets) -> dict[str, float | None]:
    return {name: value.value for name, value in target_scores(target_sums(weaknesses)).items()}


def test_a_target_of_another_weakness_earns_nothing():
    """The lists of a paper pooled would be equal: edit 1, exact 1."""
    found = scores(Targets(["It is the first."], []), Targets([], ["It is the first."]))
    assert (found["f1_edit"], found["f1_exact"], found["has_target.accuracy"]) == (0.0, 0.0, 0.0)


def test_targets_by_hand():
    found = scores(Targets(["abcd", "xyz"], ["abcd"]), Targets([], []), Targets(["abcd"], ["abce", "qq"], 1))
    # Of the first weakness 1 of 1 given and 1 of 2 wanted; of the third 3/4 by edits.
    assert found["precision_exact"] == pytest.approx(1 / 3) and found["recall_exact"] == pytest.approx(1 / 3)
    assert found["f1_exact"] == pytest.approx(2 / 6)
    assert found["f1_edit"] == pytest.approx(2 * 1.75 / 6)
    assert found["precision_edit"] == found["recall_edit"] == pytest.approx(1.75 / 3)
    assert found["has_target.accuracy"] == 1.0 and found["custom"] == pytest.approx(1 / 3)


def test_nobody_is_rewarded_for_silence():
    silent = scores(Targets(["a claim"], []))
    assert [silent[name] for name in ("f1_edit", "precision_edit", "recall_edit", "f1_exact")] == [0, 0, 0, 0]
    assert (silent["has_target.precision"], silent["has_target.recall"]) == (0.0, 0.0)


def test_what_has_no_target_on_either_side_is_undefined_with_a_reason():
    values = target_scores(target_sums([Targets([], [])]))
    assert values["f1_edit"].value is None and values["f1_edit"].reason
    assert values["has_target.accuracy"].value == 1.0 and values["has_target.recall"].value is None
    eager = target_scores(target_sums([Targets([], ["made up"])]))
    assert (eager["f1_edit"].value, eager["precision_edit"].value, eager["recall_edit"].value) == (0.0, 0.0, None)


texts = st.lists(st.text("abc", min_size=1, max_size=5), max_size=3)
weaknesses = st.lists(st.builds(Targets, texts, texts), min_size=1, max_size=5)


@given(weaknesses)
def test_f1_is_that_of_two_raters_and_sums_add_up(some):
    """As st-agree has it: the reference and the system are two raters, a weakness is an item."""
    found = scores(*some)
    pooled = spans.pool_matches([spans.match(one.reference, one.given) for one in some])
    assert (found["f1_edit"], found["f1_exact"]) == (pytest.approx(pooled.edit), pytest.approx(pooled.exact))
    parts = [target_sums([one]) for one in some]
    whole = target_sums(some)
    names = [name for name in SUMS if name != "offset_sum"]  # texts alone have no places
    assert "offset_sum" not in whole or not some
    assert {name: pytest.approx(sum(part[name] for part in parts)) for name in names} == {n: whole[n] for n in names}
    assert all(value is None or 0 <= value <= 1 for value in found.values())


# Labels


def test_scales_by_hand():
    found = labels.scale_scores([1, 5, 3, None], [2, 5, None, 4])
    assert (found["equal"].value, found["mae"].value) == (0.5, 0.5)
    assert labels.scale_scores([1], [None])["mae"].reason


def test_types_by_hand():
    reference, given_ = [{"novelty"}, {"other", "novelty"}, {"clarity"}], [{"novelty"}, {"other"}, None]
    counts = labels.type_counts("novelty", reference, given_)
    assert counts == {"tp": 1, "fp": 0, "fn": 1, "tn": 0}
    found = labels.type_scores(counts["tp"], counts["fp"], counts["fn"])
    assert (found.precision.value, found.recall.value, found.f1.value) == (1.0, 0.5, pytest.approx(2 / 3))
    silent = labels.type_scores(0, 0, 3)
    assert (silent.precision.value, silent.recall.value, silent.f1.value) == (0.0, 0.0, 0.0)
    absent = labels.type_scores(0, 0, 0)
    assert absent.f1.value is None and absent.f1.reason
    made_up = labels.type_scores(0, 2, 0)
    assert (made_up.precision.value, made_up.recall.value, made_up.f1.value) == (0.0, None, 0.0)


def test_the_direction_of_a_scale_is_nothing_to_alpha_and_everything_to_means():
    """Objectivity x and subjectivity 6 - x: one ordinal alpha, other values."""
    random.seed(3)
    units = [[random.randint(1, 5), random.randint(1, 5)] for _ in range(12)]
    turned = [[6 - value for value in unit] for unit in units]
    assert coefficients.alpha(units, "ordinal").value == pytest.approx(coefficients.alpha(turned, "ordinal").value)
    one_turned = [[first, 6 - second] for first, second in units]
    assert coefficients.alpha(units, "ordinal").value != pytest.approx(coefficients.alpha(one_turned, "ordinal").value)


# Anchors


def test_ledger_by_hand():
    found = compare_anchors(["line 78", "Table 2", "'x'", "Table 2"], ["Table 2", "Table 9", "p < .05"], {"p < .05"})
    assert found == (["Table 2"], ["line 78", "'x'"], ["Table 9", "p < .05"], ["Table 9"])


# The difference that a rater makes


HOW = Resampling(400, 0.95, 7, method="bootstrap")
ratings = st.lists(st.lists(st.sampled_from([1, 2, 3, None]), min_size=4, max_size=4), min_size=2, max_size=9)


@settings(max_examples=40)
@given(ratings, st.sampled_from(["alpha", "agreement", "perfect"]))
def test_the_paired_difference_is_that_of_the_values_and_of_the_samples(units, coefficient):
    value = {
        "alpha": coefficients.alpha,
        "agreement": coefficients.percent_agreement,
        "perfect": coefficients.perfect_agreement,
    }
    rest = [unit[:3] for unit in units]
    found = intervals.coefficient_difference(coefficient, units, rest, HOW)
    sides = [value[coefficient](side).value for side in (units, rest)]
    if None in sides:
        assert found.value is None and found.reason
        return
    assert found.value == pytest.approx(sides[0] - sides[1])
    if found.interval.low is not None:
        assert found.interval.low <= found.interval.high
        assert found.p is not None and 0 < found.p <= 1


def test_samples_of_a_difference_hold_the_same_items_on_both_sides():
    """A fourth rater who says what the first says: in every sample both alphas are of one set of items."""
    from scholartools.metrics.statistics.resampling import weights

    random.seed(11)
    units = [[random.randint(1, 3) for _ in range(3)] for _ in range(8)]
    whole = [[*unit, unit[0]] for unit in units]
    how = Resampling(50, 0.9, 3, method="bootstrap")
    found = intervals.coefficient_difference("alpha", whole, units, how, level="ordinal")
    import numpy as np

    plain = []
    for block in weights(8, how):
        for counts in block:
            drawn = [i for i, count in enumerate(counts) for _ in range(int(count))]
            sides = [coefficients.alpha([side[i] for i in drawn], "ordinal").value for side in (whole, units)]
            plain.append(sides[0] - sides[1])
    low, high = np.quantile(plain, [0.05, 0.95])
    assert (found.interval.low, found.interval.high) == (pytest.approx(low), pytest.approx(high))


def test_a_rater_without_effect_has_no_interval_and_a_reason():
    units = [[1, 1], [2, 2], [1, 2], [3, 3]]
    found = intervals.coefficient_difference("alpha", [[*unit, None] for unit in units], units, HOW)
    assert (found.value, found.interval.low, found.interval.high, found.p) == (0.0, None, None, 1.0)
    assert found.reason == SAME_IN_SAMPLES


def test_clusters_are_drawn_whole():
    units = [[1, 1, 2], [2, 2, 2], [1, 2, 1], [3, 3, 3]]
    found = intervals.coefficient_difference("alpha", units, [unit[:2] for unit in units], HOW, ["p", "p", "q", "q"])
    assert found.interval.n_drawn == 2


# Places


PLACES = st.lists(st.tuples(st.sampled_from(["abstract", "s1"]), st.integers(0, 20), st.integers(1, 9)), max_size=4)


@given(PLACES, PLACES)
def test_overlaps_of_places_are_symmetric_and_bounded(first, second):
    sides = [[[(name, start, start + length)] for name, start, length in side] for side in (first, second)]
    found = match_places(*sides)
    assert found == pytest.approx(match_places(*sides[::-1])) and 0 <= found <= min(map(len, sides))
    assert match_places(sides[0], sides[0]) == pytest.approx(len(sides[0]))


def test_overlap_by_hand():
    assert overlap([("s1", 0, 10)], [("s1", 5, 15)]) == 5 / 15
    assert overlap([("s1", 0, 10)], [("s2", 0, 10)]) == 0.0
    assert overlap([("s1", 0, 4), ("s1", 6, 10)], [("s1", 0, 10)]) == 0.8
