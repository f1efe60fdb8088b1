"""The alternative annotator test: its authors' numbers on made ratings, twenty lines of other code, and its error rate."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats
from support.run import jsonl, st

from scholartools.metrics.agreement.advantage import advantage
from scholartools.metrics.statistics.multiple_tests import benjamini_yekutieli


def made(kind: str) -> list[dict]:
    """Ratings 1 to 5 of 40 items by three people, one of whom leaves out a fifth, and a judge."""
    rng, rows = random.Random(kind), []
    for i in range(40):
        truth = rng.randint(1, 5)
        for rater, noise in (("anna", 0.3), ("ben", 0.4), ("cleo", 0.5), ("judge", 0.35)):
            if rater != "cleo" or i % 5:
                value = truth if rng.random() > noise else rng.randint(1, 5)
                rows.append({"item": f"i{i}", "rater": rater, "value": value, "paper": f"p{i // 2}"})
    return rows


# Winning rate and advantage by the authors' code (github.com/nitaytech/AltTest, commit 18428b1) on these ratings. On its
# released data sets (wax, mtbench, framing, cebab_aspects, summeval, 10k_prompts, cebab_stars, lesion; two models each)
# the two were equal to nine digits when this test was written.
AUTHORS = {
    ("a", "accuracy", 0.1): (0, 0.8375), ("a", "accuracy", 0.2): (2 / 3, 0.8375), ("a", "rmse", 0.2): (2 / 3, 0.8291666667),
    ("b", "accuracy", 0.2): (1 / 3, 0.8375), ("b", "rmse", 0.3): (2 / 3, 0.7791666667), ("b", "rmse", 0.2): (0, 0.7791666667),
    ("c", "accuracy", 0.2): (1 / 3, 0.8270833333), ("c", "rmse", 0.3): (1, 0.7958333333),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "by", "epsilon"), AUTHORS)
def test_the_authors_numbers(kind, by, epsilon):
    line = ("st-agree", "alt-test", "--judge", "judge", "--epsilon", str(epsilon), "--alignment", by)
    *people, whole = st(*line, input=jsonl(*made(kind))).records
    rate, mean = AUTHORS[kind, by, epsilon]
    assert (whole["value"], whole["advantage"]) == pytest.approx((rate, mean), abs=1e-9)
    assert whole["passes"] == (rate >= 0.5) and [one["rater"] for one in people] == ["anna", "ben", "cleo"]
    assert [one["n"] for one in people] == [40, 40, 32] and whole["n_won"] == sum(one["is_won"] for one in people)
    # The p of each, by hand.
    rows = {(one["item"], one["rater"]): one["value"] for one in made(kind)}
    for one in people:
        behind = []
        for item in dict.fromkeys(item for item, rater in rows if rater == one["rater"]):
            others = [
                rows[item, rater]
                for rater in ("anna", "ben", "cleo")
                if rater != one["rater"] and (item, rater) in rows
            ]
            near = [
                np.mean([value == other for other in others]) if by == "accuracy"
                else -np.sqrt(np.mean([(value - other) ** 2 for other in others]))
                for value in (rows[item, "judge"], rows[item, one["rater"]])
            ]  # fmt: skip
            behind.append(int(near[1] > near[0]) - int(near[0] > near[1]))
        assert one["p"] == pytest.approx(stats.ttest_1samp(behind, epsilon, alternative="less").pvalue)


def test_benjamini_and_yekutieli_are_scipys():
    rng = np.random.default_rng(1)
    for n in (1, 2, 5, 12):
        p = rng.random(n) ** 2
        assert benjamini_yekutieli(p.tolist()) == pytest.approx(stats.false_discovery_control(p, method="by"))
    assert benjamini_yekutieli([None, 0.01, None]) == [None, 0.01, None]


@pytest.mark.parametrize("clustered", [False, True])
def test_a_judge_behind_by_the_margin_is_found_no_more_than_five_times_in_a_hundred(clustered):
    """People agree with the one other person on .8 of 60 items, the judge on .6: it is behind by .2, the margin."""
    rng, found, repeats = np.random.default_rng(4), 0, 1500
    papers = [i // 3 for i in range(60)] if clustered else None
    for _ in range(repeats):
        # Items of one paper are judged alike where they are clustered.
        draws = np.repeat(rng.random((20, 2)), 3, axis=0) if clustered else rng.random((60, 2))
        person, judge = (draws[:, 0] < 0.8).astype(int), (draws[:, 1] < 0.6).astype(int)
        result = advantage(judge.tolist(), person.tolist(), [[1]] * 60, 0.2, clusters=papers, least=10)
        found += result.p <= 0.05
    assert found / repeats <= 0.065
    plain = advantage(judge.tolist(), person.tolist(), [[1]] * 60, 0.2, least=10)
    assert (result.n_drawn, plain.n_drawn) == ((20, 60) if clustered else (60, 60))


def test_where_all_items_come_out_alike_p_is_the_largest_that_the_margin_allows():
    same = advantage([1] * 30, [1] * 30, [[1]] * 30, 0.2)
    assert (same.judge, same.person, same.p) == (1, 1, pytest.approx(0.8**30))
    ahead = advantage([1] * 30, [2] * 30, [[1]] * 30, 0.2)
    assert (ahead.judge, ahead.person, ahead.p) == (1, 0, pytest.approx(0.4**30))
    assert advantage([2] * 30, [1] * 30, [[1]] * 30, 0.2).p == 1
    papers = [i // 10 for i in range(30)]
    assert advantage([1] * 30, [1] * 30, [[1]] * 30, 0.2, clusters=papers, least=3).p == pytest.approx(0.8**3)


def test_who_cannot_be_tested_is_told():
    few = advantage([1] * 29, [1] * 29, [[1]] * 29, 0.2)
    assert few.p is None and few.reason == "29 items, fewer than the 30 that the test needs" and few.judge == 1
    alone = advantage([1, 1], [1, None], [[], [1]], 0.2)
    assert (alone.n, alone.p) == (0, None) and alone.reason.startswith("no item that the judge")
    short = [one for one in made("a") if one["item"] < "i2"]
    done = st("st-agree", "alt-test", "--judge", "judge", "--epsilon", "0.2", input=jsonl(*short))
    assert [one["p"] for one in done.records[:-1]] == [None] * 3
    assert (done.records[-1]["value"], done.records[-1]["passes"]) == (None, None) and done.records[-1]["reason"]
    table = st("st-agree", "alt-test", "--judge", "judge", "--epsilon", "0.2", "--table", input=jsonl(*short)).out
    assert b"fewer than the 30 that the test needs" in table


def test_judges_are_no_people_and_must_be_there():
    two = [*made("a"), *({**one, "rater": "other"} for one in made("b") if one["rater"] == "judge")]
    line = ("st-agree", "alt-test", "--epsilon", "0.2", "--judge", "judge")
    both = st(*line, "--judge", "other", input=jsonl(*two)).records
    assert [one["value"] for one in both[:4]] == [one["value"] for one in st(*line, input=jsonl(*made("a"))).records]
    assert {one["judge"] for one in both} == {"judge", "other"} and len({one["signature"] for one in both}) == 8
    done = st("st-agree", "alt-test", "--epsilon", "0.2", "--judge", "gtp", input=jsonl(*two))
    assert done.status == 2 and 'no rating by "gtp": the raters are anna, ben' in done.err
    assert st("st-agree", "alt-test", "--judge", "judge", input=jsonl(*two)).status == 2


def test_true_is_not_one_and_blanks_are_missing():
    rows = [{"item": i, "rater": r, "value": v} for i in range(30) for r, v in (("a", True), ("b", True), ("judge", 1))]
    *people, _ = st("st-agree", "alt-test", "--judge", "judge", "--epsilon", "0.2", input=jsonl(*rows)).records
    assert [one["value"] for one in people] == [0, 0]
    rows[2]["value"] = "NA"
    *people, _ = st("st-agree", "alt-test", "--judge", "judge", "--epsilon", "0.2", input=jsonl(*rows)).records
    assert [one["n"] for one in people] == [29, 29]
