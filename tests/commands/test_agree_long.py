"""st-agree correlate over records in long form: methods, aspects, groups, what is held and what is compared."""

from __future__ import annotations

import json
import math
import random

import pytest
from scipy import stats
from support.run import Result, jsonl, st

MEASURES = ("pearson", "spearman", "kendall")
ASPECTS = ("method", "problem")


def make_records():
    """Ratings of 24 questions of 8 papers by three methods: one follows people, one length, one is constant."""
    draw = random.Random(5)
    records = []
    for item in range(24):
        words = 10 + draw.randrange(30)
        for aspect in ASPECTS:
            human = draw.randrange(3)
            scores = {"close": human + draw.random(), "long": words / 10, "flat": 4}
            shared = {"item": f"q{item}", "paper": f"p{item // 3}", "aspect": aspect, "human": human, "words": words}
            records += [{**shared, "method": method, "score": score} for method, score in scores.items()]
    return records


RECORDS = make_records()
LONG = ("--x", "score", "--y", "human", "--method", "method", "--item", "item", "--each", "aspect")


def correlate(*args, data=RECORDS, status=0) -> Result:
    result = st("st-agree", "correlate", *args, input=jsonl(*data))
    assert result.status == status, result.err
    return result


def column(aspect, method, key="score"):
    return [entry[key] for entry in RECORDS if (entry["aspect"], entry["method"]) == (aspect, method)]


@pytest.mark.slow
def test_one_run_has_every_method_and_aspect():
    found = correlate(*LONG).records
    assert len(found) == 3 * 3 * 2
    for entry in found:
        aspect, method = entry["each"]["aspect"], entry["x"]
        if method == "flat":
            assert (entry["value"], entry["reason"], entry["n"]) == (None, "x is constant", 24)
        elif entry["measure"] == "kendall":
            expected = stats.kendalltau(column(aspect, method), column(aspect, method, "human")).statistic
            assert entry["value"] == pytest.approx(expected, abs=1e-12)


def test_each_is_a_run_with_where_and_long_form_is_wide_form():
    wide: dict = {}
    for entry in RECORDS:
        kept = {key: entry[key] for key in ("item", "paper", "aspect", "human", "words")}
        wide.setdefault((entry["item"], entry["aspect"]), kept)[entry["method"]] = entry["score"]
    long = correlate(*LONG, "--ci", "--cluster", "paper").records
    x = ("--x", "close", "--x", "flat", "--x", "long", "--y", "human")
    for aspect in ASPECTS:
        args = (*x, "--where", f"aspect={aspect}", "--ci", "--cluster", "paper")
        alone = correlate(*args, data=wide.values()).records
        assert [(entry["x"], entry["measure"], entry["value"], entry["interval"]) for entry in alone] == [
            (entry["x"], entry["measure"], entry["value"], entry["interval"])
            for entry in long if entry["each"] == {"aspect": aspect}
        ]  # fmt: skip


@pytest.mark.slow
def test_the_order_of_the_records_is_nothing():
    args = (
        *LONG,
        "--ci",
        "--cluster",
        "paper",
        "--within",
        "paper",
        "--control",
        "words",
        "--compare",
        "close",
        "long",
    )
    shuffled = random.Random(1).sample(RECORDS, len(RECORDS))
    assert correlate(*args).out == correlate(*args, data=shuffled).out


@pytest.mark.slow
def test_within_groups():
    found = correlate(*LONG, "--within", "paper").records
    entry = next(one for one in found if (one["of"], one["x"], one["measure"]) == ("groups", "close", "spearman"))
    papers: dict = {}
    for one in RECORDS:
        if (one["aspect"], one["method"]) == ("method", "close"):
            papers.setdefault(one["paper"], []).append((one["score"], one["human"]))
    varying = [pairs for pairs in papers.values() if len({human for _, human in pairs}) > 1]
    values = [stats.spearmanr(*zip(*pairs, strict=True)).statistic for pairs in varying]
    assert entry["value"] == pytest.approx(sum(values) / len(values), abs=1e-9)
    assert (entry["n"], entry["n_constant"], entry["n_small"]) == (len(values), 8 - len(values), 0)
    flat = next(one for one in found if (one["of"], one["x"]) == ("groups", "flat"))
    assert (flat["value"], flat["n_constant"], flat["reason"]) == (None, 8, "both sides vary in none of the groups")


def test_what_is_held():
    found = correlate(*LONG, "--control", "words").records
    entry = next(one for one in found if (one["of"], one["x"], one["measure"]) == ("partial", "close", "pearson"))
    sides = [column("method", "close", key) for key in ("score", "human", "words")]
    xy, xz, yz = (stats.pearsonr(sides[a], sides[b]).statistic for a, b in ((0, 1), (0, 2), (1, 2)))
    assert entry["value"] == pytest.approx((xy - xz * yz) / ((1 - xz**2) * (1 - yz**2)) ** 0.5, abs=1e-9)
    assert entry["control"] == ["words"]
    long = next(one for one in found if (one["of"], one["x"]) == ("partial", "long"))
    assert (long["value"], long["reason"]) == (None, "x, y and the controlled variables determine each other")


def test_compared_methods():
    args = ("--ci", "--cluster", "paper", "--compare", "close", "long", "--compare", "long", "close")
    found = [one for one in correlate(*LONG, *args).records if one["of"] == "difference"]
    assert len(found) == 2 * 3 * 2
    for one, reverse in zip(found[::2], found[1::2], strict=True):
        assert one["value"] == pytest.approx(one["values"][0] - one["values"][1], abs=1e-12)
        assert reverse["value"] == pytest.approx(-one["value"], abs=1e-12)
        assert (one["p"], one["p_holm"]) == (reverse["p"], reverse["p_holm"])
        assert one["interval"]["low"] == pytest.approx(-reverse["interval"]["high"])
    spearman = next(one for one in found if one["measure"] == "spearman")
    assert spearman["p"] < 0.05 and spearman["interval"]["low"] > 0
    for one in found:
        error = (one["interval"]["high"] - one["interval"]["low"]) / (2 * stats.t.ppf(0.975, one["interval"]["df"]))

        effect = abs(one["value"]) / error / math.sqrt(one["interval"]["n_drawn"])

        def power(n, effect=effect):
            return stats.nct.sf(stats.t.ppf(0.975, n - 1), n - 1, effect * math.sqrt(n))

        needed = one["needed"]["n"]
        assert one["needed"] == {"n": needed, "over": "paper", "power": 0.8}
        assert (power(needed) >= 0.799 or needed > 1000) and (needed == 2 or power(needed - 1) < 0.801)
    line = ("--interval", "bootstrap", "--ci", "--cluster", "paper", "--compare", "close", "long")
    for one in (one for one in correlate(*LONG, *line).records if one["of"] == "difference"):
        error = (one["interval"]["high"] - one["interval"]["low"]) / (2 * stats.norm.ppf(0.975))
        wanted = 8 * ((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * error / one["value"]) ** 2
        assert one["needed"] == {"n": max(2, math.ceil(wanted)), "over": "paper", "power": 0.8}


KINDS = ("--within", "paper", "--control", "words", "--by", "system")
PAIRS = ("--ci", "--cluster", "paper", "--compare", "close", "long", "--compare", "flat", "close")


def holm_by_hand(p_values):
    """As Holm wrote it: the least p times how many there are, the next times one less, never falling, never above 1."""
    ranked, corrected, highest = sorted(range(len(p_values)), key=lambda i: p_values[i]), {}, 0.0
    for rank, place in enumerate(ranked):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = highest
    return [corrected[place] for place in range(len(p_values))]


@pytest.mark.slow
@pytest.mark.parametrize("drop", [0.0, 0.15])
def test_each_difference_is_of_two_numbers_that_stand_in_the_table(drop):
    chance = random.Random(5)
    data = [{**one, "system": f"s{int(one['item'][1:]) % 4}", "score": one["score"] + chance.gauss(0, 0.4)}
            for one in RECORDS if chance.random() >= drop]  # fmt: skip
    found = correlate(*LONG, *KINDS, *PAIRS, data=data).records
    differences = [one for one in found if one["of"] == "difference"]
    assert {one["between"] for one in differences} == {"records", "partial", "groups", "means"}
    for one in differences:
        # The same coefficients of the things that both methods have, by a run that compares nothing.
        both = {(r["item"], r["aspect"]) for r in data if r["method"] == one["compare"][0]}
        both &= {(r["item"], r["aspect"]) for r in data if r["method"] == one["compare"][1]}
        shared = data if not drop else [r for r in data if (r["item"], r["aspect"]) in both]
        own = found if not drop else correlate(*LONG, *KINDS, data=shared).records
        for name, value in zip(one["compare"], one["values"], strict=True):
            wanted = [r for r in own if r.get("x") == name and r["of"] == one["between"]
                      and all(r[key] == one[key] for key in ("measure", "each", "y"))]  # fmt: skip
            assert [r["value"] for r in wanted] == [pytest.approx(value, abs=1e-12)]
        assert one["value"] == pytest.approx(one["values"][0] - one["values"][1], abs=1e-12)
        if drop and one["between"] == "means":
            break  # enough of runs
    # One family of all that the run shows: four kinds, three coefficients, two pairs, two aspects.
    with_p = [one for one in differences if one["p"] is not None]
    assert [one["p_holm"] for one in with_p] == pytest.approx(holm_by_hand([one["p"] for one in with_p]))
    assert {one["n_compared"] for one in differences} == {len(with_p)} and len(differences) == 48
    table = correlate(*LONG, *KINDS, *PAIRS, "--table", data=data).out.decode()
    for title in ("coefficients", "partial coefficients (words held)", "mean coefficients within paper",
                  "coefficients of means by system"):  # fmt: skip
        assert f"correlate kendall difference of {title}" in table
    assert f"p (Holm over {len(with_p)})" in table and " 1 papers" not in table
    assert "[the p values are corrected for all differences of this output" in table


def test_what_is_drawn_again_of_systems_means_is_named():
    data = [{**one, "system": f"s{int(one['item'][1:]) % 6}"} for one in RECORDS]
    line = (*LONG, "--by", "system", "--ci", "--cluster", "paper", "--measure", "pearson")
    found = {}
    for redraw, over in (("items", "paper"), ("systems", "system"), ("both", "paper and system")):
        means = [one for one in correlate(*line, "--redraw", redraw, data=data).records if one["of"] == "means"]
        assert {one["interval"]["over"] for one in means} == {over}
        found[redraw] = next(one for one in means if one["x"] == "long")
    assert len({one["value"] for one in found.values()}) == len({one["signature"] for one in found.values()}) - 2 == 1
    wide = {redraw: one["interval"]["high"] - one["interval"]["low"] for redraw, one in found.items()}
    assert wide["both"] > wide["systems"] and wide["both"] > wide["items"]
    assert "--redraw" in correlate(*LONG, "--ci", "--redraw", "both", data=data, status=2).err


def test_all_pairs_of_methods_are_one_family():
    line = (*LONG, "--ci", "--cluster", "paper", "--measure", "pearson")
    found = [one for one in correlate(*line, "--compare-all").records if one["of"] == "difference"]
    names = sorted({one["method"] for one in RECORDS})
    pairs = {tuple(one["compare"]) for one in found}
    assert pairs == {(a, b) for place, a in enumerate(names) for b in names[place + 1 :]}
    each = [word for pair in sorted(pairs) for word in ("--compare", *pair)]
    one_by_one = [one for one in correlate(*line, *each).records if one["of"] == "difference"]
    key = lambda one: (one["compare"], one["each"]["aspect"])  # noqa: E731
    assert sorted(found, key=key) == sorted(one_by_one, key=key), "the same results by the same signatures"


def test_rates_of_false_discovery_and_a_family_of_one_coefficient():
    line = (*LONG, *PAIRS, "--measure", "spearman", "--adjust", "bh")
    found = [one for one in correlate(*line).records if one["of"] == "difference"]
    assert {one["measure"] for one in found} == {"spearman"} and not any("p_holm" in one for one in found)
    p_values = [one["p"] for one in found if one["p"] is not None]
    wanted = stats.false_discovery_control(p_values, method="bh")
    assert [one["p_bh"] for one in found if one["p"] is not None] == pytest.approx(wanted) and len(p_values) > 1
    assert f"p (BH over {len(p_values)})" in correlate(*line, "--table").out.decode()


def test_a_measure_that_is_held_has_no_partial_coefficient_to_compare():
    data = [{**one, "words": one["words"] + 0.0} for one in RECORDS]
    args = ("--x", "words", "--control", "words", "--ci", "--compare", "close", "words")
    found = [one for one in correlate(*LONG, *args, data=data).records if one["of"] == "difference"]
    assert {(one["between"], one["value"] is None) for one in found} == {("records", False), ("partial", True)}
    assert {one["reason"] for one in found if one["between"] == "partial"} == {
        '"words" is controlled for, and has no partial coefficient'
    }


def test_the_interval_of_a_difference_inside_groups_draws_groups():
    found = correlate(*LONG, "--within", "paper", "--ci", "--compare", "close", "long").records
    own = {(one["x"], one["measure"], one["each"]["aspect"]): one for one in found if one["of"] == "groups"}
    for one in (one for one in found if one["of"] == "difference" and one["between"] == "groups"):
        sides = [own[name, one["measure"], one["each"]["aspect"]] for name in one["compare"]]
        assert one["interval"]["over"] == "paper" and one["n"] == one["interval"]["n_drawn"] == sides[0]["n"]
        assert one["interval"]["low"] <= one["value"] <= one["interval"]["high"]


def test_a_constant_method_is_compared_with_nobody():
    found = correlate(*LONG, "--ci", "--compare", "close", "flat").records[-1]
    assert (found["value"], found["p"], found["p_holm"], found["reason"]) == (None, None, None, "x is constant")


def test_a_method_with_the_name_of_another_column_keeps_apart_from_it():
    data = [{**one, "method": "words"} if one["method"] == "long" else one for one in RECORDS]
    args = ("--control", "words", "--ci", "--compare", "close", "method=words")
    found = correlate(*LONG, *args, data=data).records
    named = {one["x"] for one in found if "x" in one}
    assert named == {"close", "flat", "method=words"}
    own = [one["value"] for one in correlate(*LONG).records if one["x"] == "long"]
    assert [one["value"] for one in found if one.get("x") == "method=words" and one["of"] == "records"] == own


@pytest.mark.parametrize("mark", ["true", 1, "false", "", []])
def test_a_mark_of_a_fit_that_is_neither_true_nor_false_is_refused(mark):
    data = [{**entry, "seen_in_fit": mark if place < 3 else None} for place, entry in enumerate(RECORDS)]
    done = correlate(*LONG, data=data, status=1)
    assert f'-:1: "seen_in_fit" is {json.dumps(mark)}, neither true nor false' in done.err
    assert done.records[0]["dropped"] == {"invalid-key": 3}
    correlate(*LONG, "--with-seen", data=data)


def test_a_control_that_is_the_only_y_is_refused():
    assert (
        "--control needs a --y that is not itself controlled for"
        in correlate(*LONG, "--control", "human", status=2).err
    )
    found = correlate(*LONG, "--y", "words", "--control", "words").records
    assert {entry["y"] for entry in found if entry["of"] == "partial"} == {"human"}


def test_a_difference_counts_the_items_that_it_leaves_out():
    data = [entry for entry in RECORDS if entry["item"] not in ("q3", "q4") or entry["method"] != "close"]
    found = correlate(*LONG, "--ci", "--compare", "close", "long", data=data).records
    differences = [entry for entry in found if entry["of"] == "difference"]
    assert {(entry["n"], entry["n_missing"]) for entry in differences} == {(22, 2)} and len(differences) == 6


def test_what_was_seen_in_a_fit_is_left_out():
    data = [{**entry, "seen_in_fit": entry["item"] in ("q1", "q2")} for entry in RECORDS]
    found = correlate(*LONG, data=data).records[0]
    assert (found["n"], found["dropped"]) == (22, {"seen-in-fit": 12})
    faulty = correlate(*LONG, data=[*data, {"item": "q1"}], status=1).records[0]
    assert faulty["dropped"] == {"missing-key": 1, "seen-in-fit": 12}
    every = [{**entry, "seen_in_fit": True} for entry in RECORDS]
    assert "all 144 records took part in a fit (--with-seen takes them)" in correlate(*LONG, data=every, status=3).err
    garbled = st("st-agree", "correlate", *LONG, input=jsonl(*data) + b"no JSON\n").records[0]
    assert garbled["dropped"] == {"no-record": 1, "seen-in-fit": 12}
    found = correlate(*LONG, "--with-seen", data=data).records[0]
    assert (found["n"], found["dropped"]) == (24, {})


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (RECORDS[0], 'duplicate "item" "q0" for close'),
        (
            {**RECORDS[0], "method": "new", "human": 9},
            '"item" "q0" has other values than in an earlier record of the item, apart from "score"',
        ),
        ({**RECORDS[0], "aspect": None}, '"aspect" is null'),
    ],
)
def test_a_record_that_does_not_fit_is_named_and_left_out(extra, said):
    result = correlate(*LONG, data=[*RECORDS, extra], status=1)
    assert f"st-agree: -:{len(RECORDS) + 1}: {said}" in result.err
    assert [one["value"] for one in result.records] == [one["value"] for one in correlate(*LONG).records]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--x", "score", "--y", "human", "--method", "method"), "--method needs --item"),
        ((*LONG, "--compare", "close", "long"), "--compare needs --ci"),
        ((*LONG, "--ci", "--compare", "close", "nobody"), '"nobody" is not one of the measures close, flat, long'),
    ],
)
def test_wrong_usage_is_one_line(args, said):
    result = correlate(*args, status=2)
    assert said in result.err and result.out == b""


def test_the_table_has_a_row_for_each_method_and_a_column_for_each_aspect():
    table = correlate(*LONG, "--table").out.decode()
    heads = [line.split() for line in table.splitlines() if line.startswith("correlate spearman")]
    assert heads == [["correlate", "spearman", "records", "method", "human", "problem", "human"]]
    assert "flat, method human: x is constant" in table
