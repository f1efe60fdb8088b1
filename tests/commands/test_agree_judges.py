"""st-agree runs, bias, efficiency, levels, conformal, errors in long form: from outside."""

from __future__ import annotations

import json
import random
import statistics

import numpy as np
import pytest
from scipy import stats
from support.run import Result, jsonl
from support.run import st as run

from scholartools.metrics.statistics import partial
from scholartools.metrics.statistics.resampling import Resampling

NOISE = {"direct": 2.0, "geval": 0.7, "flat": None}
TOKENS = {"direct": 900, "geval": 2000, "flat": 100}


def make_records():
    """Three runs of three methods over 120 questions of 40 papers; geval likes length, flat always gives 4."""
    draw = random.Random(3)
    records = []
    for paper in range(40):
        for question in range(3):
            for aspect, top in (("problem", 2), ("type", 1)):
                words, human = draw.randrange(12, 60), draw.randrange(top + 1)
                shared = {"item": f"{paper}#{question}", "paper": paper, "aspect": aspect, "words": words}
                shared |= {"human": human, "year": 2016 + paper % 8}
                for method, noise in NOISE.items():
                    usage = {"prompt_tokens": TOKENS[method], "completion_tokens": 10, "cost": TOKENS[method] / 1e6}
                    for number in (1, 2, 3):
                        mean = 1 + human * 3 / top + (words / 60 if method == "geval" else 0)
                        score = 4 if noise is None else min(5, max(1, mean + draw.gauss(0, noise)))
                        records.append({**shared, "method": method, "run": number, "score": score, "usage": usage})
    return records


RUNS = make_records()
ONE = [record for record in RUNS if record["run"] == 1]
KEYS = ("--x", "score", "--y", "human", "--item", "item", "--method", "method", "--each", "aspect")


def agree(*args, data=ONE, status=0) -> Result:
    result = run("st-agree", *args, input=jsonl(*data))
    assert result.status == status, result.err
    assert b"NaN" not in result.out and b"Infinity" not in result.out
    return result


def column(aspect, method, key="score", number=1):
    return [one[key] for one in RUNS if (one["aspect"], one["method"], one["run"]) == (aspect, method, number)]


def find(records, **wanted):
    found = [one for one in records if all(one.get(key) == value for key, value in wanted.items())]
    assert len(found) == 1, found
    return found[0]


ARGS = [
    ("runs", "--run", "run", *KEYS),
    ("bias", "--of", "words", "--cluster", "paper", *KEYS),
    ("efficiency", "--cluster", "paper", *KEYS),
    ("levels", "--group", "paper", *KEYS),
    ("levels", "--summary", "--group", "paper", *KEYS),
    ("conformal", "--group", "paper", *KEYS),
    ("errors", "--bins", "truth", *KEYS),
    ("errors", "--items", "--keep", "year", *KEYS),
    ("mean", "--cluster", "paper", *KEYS),
]


@pytest.mark.slow
@pytest.mark.parametrize("args", ARGS, ids=lambda args: " ".join(args[:2]))
def test_the_order_of_the_records_is_nothing_and_tables_are_made(args):
    data = RUNS if args[0] == "runs" else ONE
    shuffled = random.Random(9).sample(data, len(data))
    first = agree(*args, data=data)
    assert first.out == agree(*args, data=shuffled).out and first.out
    if args[:2] != ("levels", "--group"):
        assert "problem" in agree(*args, "--table", data=data).out.decode()


LACKING = {
    "scores of a part": ("aspect", "type", "score"),
    "people of a part": ("aspect", "type", "human"),
    "scores of a method": ("method", "geval", "score"),
}


@pytest.mark.parametrize("lacking", LACKING)
@pytest.mark.parametrize(
    "args",
    [one for one in [*ARGS, ("conformal", "--intervals", *KEYS)] if one[:2] != ("errors", "--items")],
    ids=lambda args: " ".join(args[:2]),
)
def test_what_a_part_or_a_method_lacks_takes_nothing_from_the_others(args, lacking):
    key, victim, lost = LACKING[lacking]
    data = RUNS if args[0] == "runs" else ONE
    if "--intervals" in args:
        data = [{**one, "human": None} if int(one["paper"]) % 5 == 0 else one for one in data]
    less = [{**one, lost: "NA"} if one[key] == victim else one for one in data]
    whole, rest = (values_without(victim, agree(*args, data=made).records) for made in (data, less))
    assert whole == pytest.approx(rest) and rest


def values_without(victim: str, records: list[dict]) -> dict[str, float | None]:
    """The values that are not of a method or a part, by all that says what a value is of."""
    names = ("stat", "x", "method", "y", "each", "item", "label", "rater", "measure", "of", "methods", "score")
    single = [one for one in records if one.get("stat") != "efficiency" or one["method"]]  # the last is of all methods
    made = [(json.dumps({name: one.get(name) for name in names}), one.get("value", one.get("low"))) for one in single]
    return {name: value for name, value in made if victim not in name}


def test_runs():
    found = agree("runs", "--run", "run", *KEYS, data=RUNS).records
    entry = find(found, each={"aspect": "problem", "method": "direct"}, measure="spearman")
    values = [
        stats.spearmanr(column("problem", "direct", number=k), column("problem", "direct", "human")).statistic
        for k in (1, 2, 3)
    ]
    assert [one["value"] for one in entry["runs"]] == pytest.approx(values, abs=1e-9)
    assert (entry["value"], entry["low"], entry["high"]) == pytest.approx(
        (sorted(values)[1], min(values), max(values)), abs=1e-9
    )
    assert entry["sd"] == pytest.approx(statistics.stdev(values), abs=1e-9)
    scores = [column("problem", "direct", number=k) for k in (1, 2, 3)]
    moved = find(found, each={"aspect": "problem", "method": "direct"}, measure="item-sd")
    assert moved["value"] == pytest.approx(np.std(scores, axis=0, ddof=1).mean())
    bins = [np.digitize(side, np.percentile(side, [100 / 3, 200 / 3])) for side in scores]
    changed = find(found, each={"aspect": "problem", "method": "direct"}, measure="changed")
    assert changed["value"] == pytest.approx(np.mean([len(set(of)) > 1 for of in zip(*bins, strict=True)]))
    flat = find(found, each={"aspect": "type", "method": "flat"}, measure="changed")
    assert (flat["value"], flat["reason"]) == (None, "run 1 is not binned: constant")
    assert find(found, each={"aspect": "type", "method": "flat"}, measure="item-sd")["value"] == 0


def test_one_run_says_nothing_of_changes():
    args = ("runs", "--run", "run", *KEYS)
    entry = find(agree(*args, data=ONE).records, each={"aspect": "problem", "method": "direct"}, measure="changed")
    assert (entry["value"], entry["n"], entry["reason"]) == (None, 0, "fewer than two runs")
    assert {one["changed"] for one in agree(*args, "--items", data=ONE).records} == {None}


def test_the_items_of_runs_add_up_to_what_is_told_of_all():
    of = {"aspect": "problem", "method": "direct"}
    items = [one for one in agree("runs", "--items", "--run", "run", *KEYS, data=RUNS).records if one["each"] == of]
    whole = [one for one in agree("runs", "--run", "run", *KEYS, data=RUNS).records if one["each"] == of]
    assert len(items) == 120
    assert find(whole, measure="item-sd")["value"] == pytest.approx(np.mean([one["value"] for one in items]))
    assert find(whole, measure="changed")["n_changed"] == sum(one["changed"] for one in items)
    one = items[0]
    scores = [
        entry["score"]
        for entry in RUNS
        if (entry["item"], entry["aspect"], entry["method"]) == (one["item"], *of.values())
    ]
    assert one["value"] == pytest.approx(statistics.stdev(scores)) and (one["low"], one["high"]) == (
        min(scores),
        max(scores),
    )
    assert one["in_bins"].keys() == {"1", "2", "3"}
    alone = agree("runs", "--items", "--run", "run", *KEYS, data=ONE).records[0]
    assert (alone["value"], alone["reason"]) == (None, "fewer than two runs with a score")
    assert "bins" in agree("runs", "--items", "--run", "run", *KEYS, "--table", data=RUNS).out.decode()


def test_bias_finds_the_method_that_likes_length():
    found = agree("bias", "--of", "words", "--cluster", "paper", *KEYS).records
    of = {(one["each"]["aspect"], one["x"]): one for one in found}
    assert of["problem", "geval"]["interval"]["low"] > 0
    assert of["problem", "direct"]["interval"]["low"] < 0 < of["problem", "direct"]["interval"]["high"]
    assert of["problem", "flat"]["value"] == 0
    human = np.array(column("problem", "geval", "human"))
    design = np.column_stack([column("problem", "geval", "words"), *(human == level for level in (0, 1, 2))])
    expected = np.linalg.lstsq(design.astype(float), np.array(column("problem", "geval")), rcond=None)[0][0]
    assert of["problem", "geval"]["value"] == pytest.approx(expected, abs=1e-10)


def test_bias_of_a_condition_is_that_of_a_flag():
    data = [{**one, "opens": "can" if one["words"] % 2 else "how", "odd": one["words"] % 2} for one in ONE]
    found = agree("bias", "--of", "opens=can", "--of", "odd", *KEYS, data=data).records
    for flag, number in zip(found[::2], found[1::2], strict=True):
        assert (flag["of"], number["of"]) == ("opens=can", "odd")
        assert (flag["value"], flag["interval"]) == (number["value"], number["interval"])
    some = [{**one, "own": None if one["paper"] == 3 else one["words"] > 30} for one in ONE]
    assert agree("bias", "--of", "own=true", *KEYS, data=some).records[0]["n_missing"] == 3
    wrong = agree("bias", "--of", "nothing=1", *KEYS, data=ONE, status=2)
    assert 'no record has "nothing"' in wrong.err


@pytest.mark.parametrize("interval", ["bootstrap", "jackknife"])
def test_efficiency_names_the_cheapest_method_that_will_do(interval):
    """The best will always do: it differs from itself by nothing, of which a jackknife has no interval."""
    found = agree("efficiency", "--interval", interval, "--margin", "0.1", "--cluster", "paper", *KEYS).records
    best = find(found, each={"aspect": "problem"}, method="geval")
    assert (best["tokens"], best["cost"], best["cheapest"], best["cheapest_by"]) == (2010, 0.002, True, "cost")
    assert best["cost_per_point"] == pytest.approx(0.002 / (100 * best["value"]))
    assert best["tokens_per_point"] == pytest.approx(2010 / (100 * best["value"]))
    poor = find(found, each={"aspect": "problem"}, method="direct")
    assert poor["from_best"]["high"] < 0 and poor["adequate"] is poor["cheapest"] is False
    assert poor["from_best"]["value"] == pytest.approx(poor["value"] - best["value"])
    flat = find(found, each={"aspect": "problem"}, method="flat")
    assert (flat["value"], flat["adequate"], flat["cheapest"], flat["reason"]) == (None, None, False, "x is constant")
    assert find(found, each={"aspect": "problem"}, method=None)["n"] == 2


@pytest.mark.parametrize("interval", ["bootstrap", "jackknife"])
def test_a_cheaper_method_that_is_as_good_is_the_cheapest_and_without_costs_by_tokens(interval):
    data = [{**one, "usage": {**one["usage"], "cost": None}} for one in ONE if one["method"] == "geval"]
    copies = [{**one, "method": "same", "usage": {**one["usage"], "prompt_tokens": 5}} for one in data]
    found = agree("efficiency", "--interval", interval, "--margin", "0.1", *KEYS, data=[*data, *copies]).records
    entry = find(found, each={"aspect": "problem"}, method="same")
    assert (entry["cheapest"], entry["cheapest_by"], entry["cost"], entry["tokens"]) == (True, "tokens", None, 15)
    assert find(found, each={"aspect": "problem"}, method="geval")["cheapest"] is False


def test_the_difference_from_the_best_says_of_which_texts_it_is():
    """The best by its few texts is compared on these alone; the two coefficients stand beside their difference."""
    draw = random.Random(5)
    noise = [("near", 0.4, 14), ("far", 1.5, 40)]
    data = [
        {
            "item": item,
            "method": method,
            "score": item % 5 + draw.gauss(0, spread),
            "human": item % 5,
            "tokens": n,
            "cost": 1,
        }
        for method, spread, n in noise
        for item in range(n)
    ]
    keys = (*KEYS[:-2], "--tokens", "tokens", "--cost", "cost")
    entry = find(agree("efficiency", *keys, data=data).records, method="far")
    own = [[one["score"] for one in data if one["method"] == name][:14] for name in ("far", "near")]
    both = [stats.spearmanr(side, [item % 5 for item in range(14)]).statistic for side in own]
    assert entry["n"] == 40 and entry["best"] == "near"
    assert (entry["from_best"]["n"], entry["from_best"]["unpaired"]) == (14, [26, 0])
    assert entry["from_best"]["values"] == pytest.approx(both)
    assert entry["from_best"]["value"] == pytest.approx(both[0] - both[1])
    table = agree("efficiency", "--table", *keys, data=data).out.decode()
    told = f"far, human: from the best: {both[0]:.3f} - {both[1]:.3f}, over the 14 texts that both it and near scored"
    assert told in table


def test_one_order_of_few_texts_makes_no_method_adequate():
    """Other scores in the order of the best method's have its coefficient, of which four texts show nothing."""
    scores = {"best": (1, 2, 3, 4), "other": (1, 5, 6, 9)}
    data = [
        {"item": item, "method": method, "score": score, "human": human, "tokens": 1, "cost": len(method)}
        for method, row in scores.items()
        for item, (score, human) in enumerate(zip(row, (0, 1, 1, 2), strict=True))
    ]
    keys = (*KEYS[:-2], "--tokens", "tokens", "--cost", "cost", "--margin", "0.1")
    other = find(agree("efficiency", *keys, data=data).records, method="other")
    assert (other["from_best"]["value"], other["adequate"], other["cheapest"]) == (0, None, False)
    told = "other, human: from the best: no interval: the value is the same whichever item is left out"
    assert told in agree("efficiency", *keys, "--table", data=data).out.decode()


def test_what_is_not_shown_to_be_near_the_best_is_not_adequate():
    """A judge that is noise is not significantly worse on 17 texts, and it is not adequate either."""
    draw = random.Random(1)
    few = [one for one in ONE if one["aspect"] == "problem" and one["method"] == "geval"][:17]
    data = [*few, *({**one, "method": "noise", "score": draw.random()} for one in few)]
    found = find(agree("efficiency", "--margin", "0.1", *KEYS, data=data).records, method="noise")
    assert found["from_best"]["low"] < -0.1 and found["adequate"] is found["cheapest"] is False
    entries = agree("efficiency", *KEYS, data=data).records
    assert {one["adequate"] for one in entries if one["method"]} == {None}
    table = agree("efficiency", "--table", *KEYS, data=data).out.decode()
    assert table.count("no method is called adequate without a margin") == 1


def test_an_adequate_method_is_behind_by_less_than_the_margin():
    """At a margin that a method is just behind by, one in 40 data sets at most calls it adequate (4 standard errors)."""
    wrong = n = 0
    rng = np.random.default_rng(7)
    for _ in range(400):
        y = rng.normal(size=60)
        good, poor = 0.8 * y + 0.6 * rng.normal(size=60), 0.6 * y + 0.8 * rng.normal(size=60)
        _, _, found = partial.coefficient_difference(poor, good, y, [], "pearson", Resampling())
        n, wrong = n + 1, wrong + (found.interval.low > -0.2)
    assert wrong / n <= 0.025 + 4 * (0.025 * 0.975 / n) ** 0.5


def test_what_fitting_took_is_in_the_price_of_a_rating():
    line = ("--fit-cost", "geval=0.6", "--fit-tokens", "geval=1200")
    entry = find(agree("efficiency", *line, *KEYS).records, each={"aspect": "problem"}, method="geval")
    plain = find(agree("efficiency", *KEYS).records, each={"aspect": "problem"}, method="geval")
    assert entry["n_ratings"] == 240, "of both aspects"
    assert entry["cost"] == pytest.approx(plain["cost"] + 0.6 / 240)
    assert entry["tokens"] == pytest.approx(plain["tokens"] + 5)
    for wrong in ("geval", "geval=x", "=1", "geval=-1", "nobody=1"):
        agree("efficiency", "--fit-cost", wrong, *KEYS, status=2)


def test_levels_are_shown_on_papers_that_the_thresholds_do_not_know():
    rated = agree("levels", "--group", "paper", *KEYS).records
    summary = agree("levels", "--summary", "--group", "paper", *KEYS).records
    people = {one["item"]: one["value"] for one in rated if (one["label"], one["rater"]) == ("problem", "human")}
    geval = {one["item"]: one["value"] for one in rated if (one["label"], one["rater"]) == ("problem", "geval")}
    assert people.keys() == geval.keys() and len(people) == 60
    papers = {item.split("#")[0] for item in people}
    assert len(papers) == 20, "whole papers"
    entry = find(summary, each={"aspect": "problem"}, x="geval")
    assert entry["value"] == pytest.approx(np.mean([abs(people[item] - geval[item]) for item in people]))
    assert (entry["n"], entry["n_fitted"], len(entry["thresholds"])) == (60, 60, 2)
    assert entry["fitted"] <= entry["value"] + 0.2 and entry["value"] < entry["constant"]
    low, high = entry["thresholds"]
    scores = {one["item"]: one["score"] for one in ONE if (one["aspect"], one["method"]) == ("problem", "geval")}
    assert geval == {item: (scores[item] >= low) + (scores[item] >= high) for item in geval}
    kappa = run("st-agree", "kappa", "--weights", "quadratic", input=jsonl(*rated))
    assert find(kappa.records, label="problem", raters=["geval", "human"])["n_items"] == 60


def test_another_seed_is_another_split():
    first, second = (agree("levels", "--group", "paper", "--seed", str(seed), *KEYS).records for seed in (0, 1))
    assert {one["item"] for one in first} != {one["item"] for one in second}


def test_conformal_intervals_hold_and_are_for_those_that_nobody_rated():
    data = [{**one, "human": None} if one["paper"] == 7 else one for one in ONE]
    found = agree("conformal", "--group", "paper", *KEYS, data=data).records
    entry = find(found, each={"aspect": "problem"}, x="geval")
    assert entry["n_groups"] == {"fit": 13, "calibration": 13, "apart": 13}
    assert entry["n"] == {"fit": 39, "calibration": 39, "apart": 39}
    assert entry["value"] > 0.7 and entry["levels_held"] < entry["without"]["levels_held"] == 3
    made = agree("conformal", "--intervals", "--group", "paper", *KEYS, data=data).records
    assert {one["item"] for one in made} == {"7#0", "7#1", "7#2"} and len(made) == 18
    assert all(0 <= one["low"] <= one["high"] <= 2 for one in made)
    few = agree("conformal", "--group", "paper", "--confidence", "0.99", *KEYS, data=data).records[0]
    assert (few["value"], few["reason"]) == (None, "13 groups of the calibration with a score are too few for 0.99")


def test_a_split_of_too_few_groups_is_refused():
    result = agree("levels", "--group", "aspect", *KEYS, data=ONE, status=3)
    assert "there is only 1 group of items, too few for a split into 2 parts" in result.err


def test_errors_of_items_can_be_set_beside_years():
    shares = agree("errors", "--bins", "truth", *KEYS).records
    assert {one["bins"] for one in shares if one["each"] == {"aspect": "type"}} == {2}
    items = agree("errors", "--items", "--keep", "year", "--bins", "truth", *KEYS).records
    of_type = [one for one in items if one["each"] == {"aspect": "type"}]
    share = next(one for one in shares if one["each"] == {"aspect": "type"} and one["methods"] == ["direct"])
    assert sum(one["wrong"]["direct"] for one in of_type) == share["n_errors"] and len(of_type) == 120
    assert {one["wrong"]["flat"] for one in of_type} == {None}
    both = next(one for one in shares if one["each"] == {"aspect": "type"} and one["methods"] == ["direct", "geval"])
    assert sum(one["n_wrong"] == 2 for one in of_type) == both["n_both"]
    years = run("st-agree", "correlate", "--x", "n_wrong", "--y", "kept.year", input=jsonl(*of_type)).records
    expected = stats.pearsonr([one["n_wrong"] for one in of_type], [one["kept"]["year"] for one in of_type]).statistic
    assert years[0]["value"] == pytest.approx(expected, abs=1e-9)


def test_pairs_of_errors_are_the_same_in_both_orders():
    data = [
        {"item": one["item"], "human": one["human"]}
        for one in ONE
        if (one["aspect"], one["method"]) == ("problem", "flat")
    ]
    for name in ("direct", "geval"):
        data = [{**one, name: score} for one, score in zip(data, column("problem", name), strict=True)]
    pairs = [
        agree("errors", *(part for name in names for part in ("--x", name)), "--y", "human", data=data).records[-1]
        for names in (("direct", "geval"), ("geval", "direct"))
    ]
    assert pairs[0]["methods"] == pairs[1]["methods"][::-1]
    assert [pairs[0][key] for key in ("value", "n_both", "n_either")] == [
        pairs[1][key] for key in ("value", "n_both", "n_either")
    ]


def test_signed_errors():
    data = [one for one in ONE if one["aspect"] == "problem"]
    args = ("errors", "--signed", *KEYS[:-2], "--x-range", "1", "5", "--y-range", "0", "2", "--cluster", "paper")
    found = find(agree(*args, data=data).records, methods=["flat"])
    assert found["value"] == pytest.approx(0.75 - np.mean(column("problem", "flat", "human")) / 2)
    assert found["interval"]["low"] < found["value"] < found["interval"]["high"]
    wrong = agree("errors", "--signed", *KEYS[:-2], data=data, status=2)
    assert '"human" has 2, ' in wrong.err and "which is outside 0 to 1" in wrong.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("runs", *KEYS), "runs needs one --x, --y, --run and --item"),
        (("bias", *KEYS), "bias needs --x, one --y (people's score) and --of"),
        (
            ("efficiency", "--x", "score", "--y", "human"),
            "efficiency needs one --x, one --y (people's score) and --method",
        ),
        (("levels", "--table", *KEYS), "--table needs --summary"),
        (("conformal", "--x", "score", "--y", "human"), "one --y (people's score) and --item (the key of the item)"),
        (("errors", "--bins", "1", *KEYS), '--bins: expected 2 or more, or "truth"; not "1"'),
        (("errors", "--items", "--signed", *KEYS), "--items cannot be used with --signed"),
        (("errors", "--signed", "--y-range", "0", "2", *KEYS), "--y-range cannot be used with --each"),
        (("errors", "--signed", "--x-range", "2", "1", *KEYS), "a range needs a lowest number below its highest"),
        (("errors", "--y-range", "0", "1", *KEYS), "--y-range needs --signed"),
    ],
)
def test_wrong_usage_is_one_line(args, said):
    result = agree(*args, status=2)
    assert said in result.err and result.out == b""


@pytest.mark.parametrize("interval", [(), ("--interval", "jackknife")], ids=["default", "jackknife"])
def test_a_signature_tells_the_parts_apart(interval):
    for args in ARGS:
        if args[:2] == ("levels", "--group"):
            continue
        if interval and "--ci" not in args and args[0] not in ("bias", "efficiency", "mean"):
            continue
        args = (*args, *interval)
        found = agree(*args, data=RUNS if args[0] == "runs" else ONE).records
        told = [json.dumps({key: one[key] for key in one if key in ("item",)}) + one["signature"] for one in found]
        assert len(set(told)) == len(told), args


@pytest.mark.parametrize(
    "args", [("errors",), ("efficiency",), ("bias", "--of", "words"), ("correlate",)], ids=lambda args: args[0]
)
def test_two_judges_are_told_apart_as_the_message_says(args):
    data = [{**one, "by": by} for one in ONE if one["method"] == "geval" for by in ("a", "b")]
    found = agree(*args, *KEYS, data=data, status=2)
    assert found.out == b"" and '"by": --method method --method by distinguishes them' in found.err
    assert found.err.count("\n") == 1
    assert agree(*args, *KEYS, "--method", "by", data=data).records


def test_aspects_that_nobody_keeps_apart_are_one_reason_and_no_result():
    keys = ("--x", "score", "--y", "human", "--item", "item", "--method", "method")
    shared = [{**one, "human": 1} for one in ONE]
    found = agree("efficiency", *keys, data=shared, status=2)
    assert found.out == b"" and 'they differ in "aspect": --each aspect distinguishes them' in found.err
    assert agree("efficiency", *keys, "--each", "aspect", data=shared).records
    twice = agree("efficiency", *keys, "--each", "aspect", data=[*shared, *shared], status=1)
    assert twice.records[0]["dropped"] == {"duplicate": len(shared)}


def test_a_mean_from_few_labels_and_a_judge():
    data = [{**one, "human": one["human"] if one["paper"] % 4 == 0 else None} for one in ONE]
    found = agree("mean", "--cluster", "paper", *KEYS, data=data).records
    entry = find(found, each={"aspect": "problem"}, x="geval")
    rows = [one for one in data if (one["aspect"], one["method"]) == ("problem", "geval")]
    x, y = zip(*((one["score"], one["human"]) for one in rows if one["human"] is not None), strict=True)
    others = [one["score"] for one in rows if one["human"] is None]
    weight = np.cov(x, y)[0, 1] / ((1 + len(x) / len(others)) * np.var([*x, *others], ddof=1))
    assert entry["weight"] == pytest.approx(weight)
    assert entry["value"] == pytest.approx(np.mean(y) + weight * (np.mean(others) - np.mean(x)))
    assert (entry["n"], entry["n_judged"], entry["without"]["value"]) == (30, 90, pytest.approx(np.mean(y)))
    shorter, longer = (one["interval"]["high"] - one["interval"]["low"] for one in (entry, entry["without"]))
    assert shorter < longer
    flat = find(found, each={"aspect": "problem"}, x="flat")
    assert (flat["weight"], flat["value"]) == (0, flat["without"]["value"])
    every = agree("mean", *KEYS).records[0]
    assert (every["value"], every["reason"]) == (None, "no text without a score by people")


@pytest.mark.slow
def test_what_ratings_and_runs_lack_is_told():
    data = [{**one, "usage": {**one["usage"], "cost": None}} if one["paper"] == 3 else one for one in ONE]
    entry = find(agree("efficiency", *KEYS, data=data).records, each={"aspect": "problem"}, method="geval")
    assert (entry["n_without_cost"], entry["n_without_tokens"], entry["n"]) == (3, 0, 120)
    table = agree("efficiency", *KEYS, "--table", data=data).out.decode()
    assert "geval, problem human: 3 ratings without cost" in table
    gone = [one for one in RUNS if one["run"] != 2 or one["paper"]]
    found = agree("runs", "--run", "run", *KEYS, data=gone).records
    assert {one["n_missing"] for one in found if one["measure"] in ("item-sd", "changed")} == {3}
    assert (
        "3 items without a score in some run" in agree("runs", "--run", "run", *KEYS, "--table", data=gone).out.decode()
    )
