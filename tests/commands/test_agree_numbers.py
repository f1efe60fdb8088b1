"""st-agree concordance, confusion, ceiling: from outside."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from support.run import ROOT, jsonl, st

RATINGS = ROOT / "fixtures" / "ratings.jsonl"


def rows(n=40):
    rng = np.random.default_rng(2)
    for item, true in enumerate(rng.normal(size=n)):
        for label in ("clear", "new"):
            for rater, noise in (("anna", 1), ("ben", 1), ("cem", 1), ("judge", 0.4), ("noise", None)):
                value = rng.normal() if noise is None else true + noise * rng.normal()
                yield {"item": item, "paper": item // 2, "label": label, "rater": rater, "value": round(value, 3)}


ROWS = list(rows())


def agree(*args, data=ROWS, status=0):
    done = st("st-agree", *args, input=jsonl(*data))
    assert done.status == status, done.err
    assert b"NaN" not in done.out
    return done


def column(rater, label="clear"):
    return [one["value"] for one in ROWS if (one["rater"], one["label"]) == (rater, label)]


def test_a_judge_beside_the_human_ceiling():
    line = ("ceiling", "--judge", "judge", "--judge", "noise", "--cluster", "paper")
    found = agree(*line).records
    assert [(one["label"], one["judge"]) for one in found] == [
        (label, judge) for label in ("clear", "new") for judge in ("judge", "noise")
    ]
    people = [column(name) for name in ("anna", "ben", "cem")]
    rest = [np.mean([p for j, p in enumerate(people) if j != left], axis=0) for left in range(3)]
    own = np.mean([stats.pearsonr(p, r).statistic for p, r in zip(people, rest, strict=True)])
    first, noise = found[0], found[1]
    assert first["value"] == noise["value"] == pytest.approx(own)
    assert first["judge_value"] == pytest.approx(np.mean([stats.pearsonr(column("judge"), r).statistic for r in rest]))
    assert first["difference"]["value"] > 0 > noise["difference"]["value"] and noise["difference"]["p"] < 0.05
    assert first["interval"]["n_drawn"] == 20 and first["interval"]["over"] == "paper"
    assert {one["difference"]["n_compared"] for one in found} == {4}
    table = agree(*line, "--adjust", "bh", "--table").out.decode()
    assert "p (BH over 4)" in table and "judge - person" in table
    alone = agree("ceiling", "--where", "label=new").records
    assert [(one["judge"], one["difference"], one["n_raters"]) for one in alone] == [(None, None, 5)]
    assert "--judge" in agree("ceiling", "--judge", "zoe", status=2).err
    agree("ceiling", "--adjust", "bh", status=2)


def test_concordance_of_each_pair():
    found = agree("concordance", "--where", "label=clear").records
    assert len(found) == 10
    one = next(one for one in found if one["raters"] == ["anna", "judge"])
    x, y = np.array(column("anna")), np.array(column("judge"))
    expected = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    assert one["value"] == pytest.approx(expected) and one["bias"]["value"] == pytest.approx((x - y).mean())
    assert one["limits"][1]["value"] == pytest.approx((x - y).mean() + stats.norm.ppf(0.975) * (x - y).std(ddof=1))
    assert one["limits"][0]["interval"]["method"] == "noncentral t" and one["interval"]["method"] == "jackknife"
    clustered = agree("concordance", "--cluster", "paper").records[0]
    assert clustered["limits"][0]["interval"]["method"] == "jackknife"
    table = agree("concordance", "--table").out.decode()
    assert "upper limit" in table and table.count("noncentral t") == 1


def test_confusion_of_values_and_agreement_on_each():
    made = [
        {"item": i, "rater": rater, "label": "l", "value": value}
        for i, pair in enumerate([("a", "a")] * 6 + [("a", "b")] * 2 + [("b", "b")] * 4)
        for rater, value in zip(("x", "y"), pair, strict=True)
    ]
    found = agree("confusion", data=made).records
    assert found[0]["counts"] == [[6, 2], [0, 4]] and found[0]["values"] == ["a", "b"]
    assert found[0]["value"] == pytest.approx(10 / 12)
    assert {one["category"]: one["value"] for one in found[1:]} == pytest.approx({"a": 12 / 14, "b": 8 / 10})
    table = agree("confusion", "--table", data=made).out.decode()
    assert "confusion of x and y" in table and "x: a" in table and "y: b" in table
    weighted = agree("confusion", "--weights", "linear", "--order", "b,a", data=made).records[-1]
    assert (weighted["measure"], weighted["weights"]) == ("weighted", "linear")
    assert weighted["value"] == pytest.approx(10 / 12), "of two values each distance is the largest"
    agree("confusion", "--order", "b,a", data=made, status=2)
    assert agree("alpha", "agreement", "--table", data=made).out.count(b"fitting") == 0
