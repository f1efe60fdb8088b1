"""st-agree from outside: every statistic, every form of input, and input that is none."""

from __future__ import annotations

import random
import re

import pytest
from scipy import stats
from support.run import ROOT, jsonl, st

from scholartools.errors import UsageFault
from scholartools.tasks.agree.ratings import Keys, collect

RATINGS = ROOT / "fixtures" / "ratings.jsonl"


def agree(*args, data=b"", status=0):
    result = st("st-agree", *args, input=data)
    assert result.status == status, result.err
    assert b"NaN" not in result.out and b"Infinity" not in result.out
    return result


def wide(n=24):
    source = random.Random(8)
    rows = []
    for item in range(n):
        quality = source.random()
        rows.append(
            {
                "item": item,
                "paper": f"p{item // 2}",
                "system": "ABC"[item % 3],
                "anna": round(3 * quality),
                "ben": round(3 * quality * source.random()),
                "scores": {"rouge": quality + source.random() / 2, "judge": quality if item else None},
                "human": quality,
                "same": 1,
            }
        )
    return rows


WIDE = jsonl(*wide())


def long_form(rows, raters=("anna", "ben")):
    return jsonl(*({"item": row["item"], "rater": rater, "value": row[rater]} for row in rows for rater in raters))


def test_wide_form_is_long_form():
    stats = ("alpha", "kappa", "agreement", "fleiss", "perfect", "--ci")
    assert agree(*stats, "--raters", "anna,ben", data=WIDE).out == agree(*stats, data=long_form(wide())).out


def test_a_number_that_a_csv_file_gives_as_text_is_the_number():
    numbers = [{"item": n, "rater": rater, "value": (n * n + (rater == "b" and n % 3 == 0)) % 4}
               for n in range(12) for rater in "ab"]  # fmt: skip
    texts = [row | {"value": str(row["value"])} if row["rater"] == "a" else row for row in numbers]
    for args in (("alpha", "kappa", "agreement", "fleiss", "perfect"), ("majority",), ("report",)):
        assert agree(*args, data=jsonl(*texts)).out == agree(*args, data=jsonl(*numbers)).out
    labels = [{"item": n, "rater": rater, "value": value} for n in range(2) for rater, value in (("a", "01"), ("b", 1))]
    assert agree("agreement", data=jsonl(*labels)).records[0]["value"] == 0


def test_a_kappa_of_chance_alone_is_0():
    rows = [{"item": n, "a": 3, "b": 1 + n % 7} for n in range(49)]
    assert agree("kappa", "--weights", "quadratic", "--raters", "a,b", data=jsonl(*rows)).records[0]["value"] == 0


def test_the_order_of_the_lines_is_nothing():
    lines = RATINGS.read_bytes().splitlines(True)
    shuffled = b"".join(random.Random(1).sample(lines, len(lines)))
    for args in (
        ("--ci", "--pooled", "--leave-one-rater-out"),
        ("majority", "--summary"),
    ):
        assert agree(*args, data=shuffled).out == agree(*args, data=b"".join(lines)).out
    rows = jsonl(*random.Random(2).sample(wide(), 24))
    for args in (
        ("correlate", "--x", "scores.rouge", "--x", "scores.judge", "--y", "human", "--by", "system", "--ci"),
        ("effect", "--raters", "anna,ben,human"),
    ):
        assert agree(*args, data=rows).out == agree(*args, data=WIDE).out


def test_with_and_without_a_rater():
    whole, without = agree("alpha", "--without", "judge", "--where", "label=specific", RATINGS).records
    assert "without" not in whole and without["without"] == "judge"
    humans = b"".join(line for line in RATINGS.read_bytes().splitlines(True) if b"judge" not in line)
    (alone,) = agree("alpha", "--where", "label=specific", data=humans).records
    assert without["value"] == alone["value"] != whole["value"]
    assert whole["dropped"] == {"where": 24}
    table = agree("alpha", "--without", "judge", "--table", RATINGS).out.decode()
    assert "without judge" in table and "grounded" in table.splitlines()[0]


def test_weighted_kappa_from_outside():
    data = jsonl(*({"item": i, "rater": r, "value": v} for r, vs in {"a": (1, 2, 3), "b": (1, 3, 3)}.items()
                   for i, v in enumerate(vs)))  # fmt: skip
    pair, mean = agree("kappa", "--weights", "linear", data=data).records
    assert pair["value"] == mean["value"] == pytest.approx(2 / 3) and pair["weights"] == "linear"
    plain, _ = agree("kappa", data=data).records
    assert plain["value"] == pytest.approx(0.5) and plain["signature"] != pair["signature"]


def test_every_option_that_changes_a_number_changes_the_signature():
    base = ("alpha", "--ci", "--where", "label=specific", RATINGS)
    made = [
        agree(*base, *more).records[0]["signature"]
        for more in (
            (),
            ("--seed", "1"),
            ("--confidence", "0.9"),
            ("--level", "ordinal"),
            ("--interval", "bootstrap"),
            ("--interval", "bootstrap", "--resamples", "200"),
        )  # fmt: skip
    ]
    assert len(set(made)) == len(made)
    assert agree(*base).out == agree(*base).out


def test_clusters():
    args = ("alpha", "--raters", "anna,ben", "--ci")
    (entry,) = agree(*args, "--cluster", "paper", data=WIDE).records
    assert (entry["interval"]["over"], entry["interval"]["n_drawn"]) == ("paper", 12)
    moved = jsonl(
        {"item": 1, "rater": "a", "paper": "p", "value": 1}, {"item": 1, "rater": "b", "paper": "q", "value": 1}
    )
    result = agree("alpha", "--ci", "--cluster", "paper", data=moved, status=1)
    assert '-:2: item 1 is of "paper" "p" before' in result.err


def clustered():
    """Ten items of each of six papers; what tells the systems apart is the paper."""
    source = random.Random(3)
    for paper in range(6):
        shift = source.gauss(0.1, 0.15)
        for item in range(10):
            score = source.random()
            other = score + shift + source.gauss(0, 0.05)
            yield {"item": f"{paper}-{item}", "paper": f"p{paper}", "a": score, "b": other}


def test_with_clusters_t_tests_are_of_their_means():
    rows = list(clustered())
    means = [
        [sum(row[name] for row in rows if row["paper"] == f"p{paper}") / 10 for paper in range(6)] for name in "ab"
    ]
    args = ("effect", "--raters", "a,b")
    (items,), (papers,) = (agree(*args, *more, data=jsonl(*rows)).records for more in ((), ("--cluster", "paper")))
    expected = stats.ttest_rel(*means)
    test = papers["t_test"]
    assert (test["t"], test["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (test["n"], test["df"], test["over"]) == (6, 5, "paper") and papers["difference"]["n"] == 60
    assert (items["t_test"]["n"], items["t_test"]["over"]) == (60, "item") and items["t_test"]["p"] < 0.01 < test["p"]
    assert papers["value"] == items["value"], "d is of items"
    assert "by paper, n=6" in agree(*args, "--cluster", "paper", "--table", data=jsonl(*rows)).out.decode()
    power = ("power", *args[1:], "--cluster", "paper")
    pair, _ = agree(*power, data=jsonl(*rows)).records
    of_means = jsonl(*({"item": item, "a": a, "b": b} for item, (a, b) in enumerate(zip(*means, strict=True))))
    plain, _ = agree("power", *args[1:], data=of_means).records
    assert (pair["value"], pair["paired"]) == (plain["value"], plain["paired"])
    assert (pair["n"], pair["n_shared"], pair["over"]) == ([6, 6], 6, "paper")
    assert "n=6, 6, shared 6" in agree(*power, "--table", data=jsonl(*rows)).out.decode()


def test_power_where_there_is_no_test_is_null_and_in_no_mean():
    rows = [{"item": i, "a": 1, "b": 1, "c": 2, "d": 2 + i % 4} for i in range(12)]
    *pairs, mean = agree("power", "--raters", "a,b,c,d", data=jsonl(*rows)).records
    found = {"".join(entry["systems"]): entry for entry in pairs}
    for names in ("ab", "ac", "bc"):
        assert (found[names]["value"], found[names]["paired"]) == (None, None)
        assert found[names]["n_undefined"] == [1000, 1000] and "no sample has" in found[names]["reason"]
    known = [found[names]["value"] for names in ("ad", "bd", "cd")]
    assert mean["value"] == pytest.approx(sum(known) / 3)
    assert (mean["n_pairs"], mean["n_paired"], mean["n_undefined_pairs"]) == (3, 3, 3)
    table = agree("power", "--raters", "a,b,c,d", "--table", data=jsonl(*rows)).out.decode()
    assert "a - b: no sample has an unpaired t-test" in table and "mean: unpaired over 3 of 6 pairs" in table
    few = jsonl(*({"item": i, "a": 1, "b": 2 + (i == 0)} for i in range(4)))
    assert (
        "samples, counted as no difference found" in agree("power", "--raters", "a,b", "--table", data=few).out.decode()
    )


@pytest.mark.parametrize(
    "args",
    [
        *((stat, "--raters", "anna,ben,nobody") for stat in ("alpha", "majority", "effect", "power")),
        ("correlate", "--x", "human", "--y", "nobody"),
        ("correlate", "--x", "human", "--x", "nobody", "--x", "same"),
        ("errors", "--x", "human", "--x", "nobody", "--y", "same"),
        ("fit-weights", "--x", "human", "--max", "1", "--y", "nobody"),
    ],
)
def test_a_key_that_no_record_has_is_refused(args):
    result = agree(*args, data=WIDE, status=2)
    assert result.out == b"" and result.err.startswith('st-agree: no record has "nobody": the keys of the record are ')
    once = jsonl(*wide(), {**wide(25)[24], "nobody": None})
    agree(*args, data=once)


def test_majority():
    rows = [(1, "x", "aab"), (1, "y", "abc"), (2, "x", "aaa"), (2, "y", "bb"), (3, "x", "ab"), (3, "y", "cc")]
    data = jsonl(*({"item": i, "label": label, "rater": n, "value": value} for i, label, values in rows
                   for n, value in enumerate(values)))  # fmt: skip
    found = {(entry["item"], entry["label"]): entry for entry in agree("majority", data=data).records}
    assert {key: entry["value"] for key, entry in found.items()} == {
        (1, "x"): "a", (1, "y"): None, (2, "x"): "a", (2, "y"): "b", (3, "x"): None, (3, "y"): "c"
    }  # fmt: skip
    assert [found[item, "x"]["every_label"] for item in (1, 2, 3)] == [False, True, False]
    assert found[1, "x"]["votes"] == [{"value": "a", "votes": 2}, {"value": "b", "votes": 1}]
    *_, whole = agree("majority", "--summary", data=data).records
    assert (whole["n_kept"], whole["n_items"], whole["value"]) == (1, 3, pytest.approx(1 / 3))
    strict = agree("majority", "--summary", "--min-votes", "3", data=data).records[0]
    assert strict["n_kept"] == 1 and strict["nulls"] == {"no value has 3 votes": 2}


@pytest.mark.parametrize("n", [3, 4, 31])
def test_one_reason_of_many_results_is_one_line(n):
    rows = [{"item": item, "rater": rater, "value": rater} for item in range(n) for rater in "abc"]
    told = agree("majority", "--table", data=jsonl(*rows)).out.decode().split("\n\n")[1].splitlines()
    wanted = [f"{item}: no value has 2 votes" for item in range(n)]
    assert told == (wanted if n == 3 else [f"no value has 2 votes ({n} times): 0; 1; 2; ..."])
    rows = [
        {"item": item, "method": method, "each": f"e{part}", "x": item if method == "geval" else None, "y": -item}
        for item in range(5) for method in ("geval", "gevla") for part in range(n)
    ]  # fmt: skip
    keys = ("--x", "x", "--y", "y", "--item", "item", "--method", "method", "--each", "each")
    told = agree("correlate", *keys, "--table", data=jsonl(*rows)).out.decode()
    assert told.count("fewer than two pairs of numbers") == (9 if n == 3 else 3)
    assert n == 3 or f"fewer than two pairs of numbers ({n} times): gevla, e0 y; gevla, e1 y; " in told


def test_correlations_of_every_pair_and_level():
    args = ("correlate", "--x", "scores.rouge", "--x", "scores.judge", "--y", "human", "--y", "same", "--by", "system")
    entries = agree(*args, data=WIDE).records
    assert len(entries) == 2 * 3 * 4
    by_name = {(e["measure"], e["x"], e["y"], e["of"]): e for e in entries}
    judge = by_name["pearson", "scores.judge", "human", "records"]
    assert (judge["value"], judge["n"], judge["n_missing"]) == (pytest.approx(1), 23, 1)
    constant = by_name["kendall", "scores.rouge", "same", "records"]
    assert (constant["value"], constant["reason"]) == (None, "y is constant")
    assert by_name["spearman", "scores.rouge", "human", "means"]["n"] == 3
    assert (
        len(agree("correlate", *("--x", "scores.rouge", "--x", "scores.judge", "--x", "human"), data=WIDE).records) == 9
    )


def test_power_and_effect_of_systems():
    data = jsonl(*({"doc": i, "system": s, "score": i % 5 + shift} for i in range(20)
                   for s, shift in (("A", 0), ("B", 100), ("C", 0.1 * (i % 2)))))  # fmt: skip
    keys = ("--item", "doc", "--rater", "system", "--value", "score")
    *pairs, mean = agree("power", *keys, data=data).records
    assert {tuple(e["systems"]): e["value"] for e in pairs}["A", "B"] == 1
    assert mean["value"] == pytest.approx(sum(e["value"] for e in pairs) / 3)
    effects = {tuple(e["systems"]): e for e in agree("effect", *keys, data=data).records}
    assert effects["A", "B"]["difference"]["value"] == -100 and effects["A", "B"]["t_test"]["p"] is None
    assert effects["A", "B"]["value"] == pytest.approx(-100 / 2**0.5)
    assert effects["A", "C"]["difference"]["p_holm"] >= effects["A", "C"]["difference"]["p"]
    alone = jsonl({"item": 1, "rater": "A", "value": 1})
    for stat in ("power", "effect"):
        (entry,) = agree(stat, data=alone).records
        assert (entry["value"], entry["reason"]) == (None, "fewer than two systems")
        assert b"A - B" in agree(stat, *keys, "--table", data=data).out


def test_a_table_of_effects_tells_that_d_and_the_difference_are_of_different_items():
    """Over the three items of both A is the lower system, over all numbers the higher one."""
    values = {"A": {1: 5, 2: 1, 3: 2, 4: 2}, "B": {2: 3, 3: 3, 4: 5, 5: 0, 6: 0, 7: 0, 8: 0}}
    data = jsonl(*({"item": i, "rater": s, "value": v} for s, row in values.items() for i, v in row.items()))
    (entry,) = agree("effect", data=data).records
    assert entry["value"] > 0 > entry["difference"]["value"] and entry["difference"]["n"] == 3
    told = b"A - B: d is of all 4 and 7 numbers of the two systems, the difference of the 3 items of both"
    assert told in agree("effect", "--table", data=data).out


def test_fit_weights():
    source, rows = random.Random(3), []
    for item in range(30):
        ratings = {"background": source.randint(1, 3), "method": source.randint(1, 4), "result": source.randint(1, 4)}
        ratings["conclusion"] = source.randint(1, 3)
        tops = {"background": (0.1, 3), "method": (0.3, 4), "result": (0.3, 4), "conclusion": (0.3, 3)}
        overall = sum(w * ratings[facet] / top for facet, (w, top) in tops.items())
        rows.append({"id": item, "ratings": ratings, "overall": overall})
    rows.append({"id": 99, "ratings": {**rows[0]["ratings"], "method": None}, "overall": 0.5})
    (entry,) = agree("fit-weights", "--y", "overall", data=jsonl(*rows)).records
    assert entry["weights"] == pytest.approx({"background": 0.1, "method": 0.3, "result": 0.3, "conclusion": 0.3})
    assert (entry["n"], entry["n_missing"]) == (30, 1) and entry["mse"] < 1e-20
    named = agree("fit-weights", "--x", "ratings.method", "--max", "4", "--y", "overall", data=jsonl(*rows)).records
    assert list(named[0]["weights"]) == ["method"]
    assert "normalised" in agree("fit-weights", "--y", "overall", "--table", data=jsonl(*rows)).out.decode()


def test_spans():
    data = jsonl({"item": 1, "a": ["abcd"], "b": ["abce"]}, {"item": 2, "a": [], "b": None})
    entries = agree("spans", "--raters", "a,b", data=data).records
    assert {e["measure"]: e["value"] for e in entries if e["raters" if "raters" in e else "rater"] == ["a", "b"]} == {
        "edit": 0.75, "exact": 0
    }  # fmt: skip
    assert "spans edit" in agree("spans", "--raters", "a,b", "--table", data=data).out.decode()


@pytest.mark.slow
def test_a_span_of_no_text_is_refused_for_what_it_is():
    data = jsonl({"item": 1, "a": ["x", ""], "b": []}, {"item": 2, "a": [{"text": ""}], "b": []},
                 {"item": 3, "a": ["x", 4], "b": []}, {"item": 4, "a": ["x"], "b": ["x"]})  # fmt: skip
    result = agree("spans", "--raters", "a,b", data=data, status=1)
    first, second, third = result.err.splitlines()
    assert first.endswith('"a" holds a blank text (""): [] means that nothing was marked')
    assert second.split(":")[3:] == first.split(":")[3:]
    assert "neither a text nor an object" in third
    assert result.records[0]["dropped"] == {"invalid-key": 3}


def test_a_correlation_of_two_points_is_one_without_an_interval():
    data = jsonl({"a": 1.1, "b": 3}, {"a": 1.7, "b": 3.3})
    for entry in agree("correlate", "--x", "a", "--y", "b", "--ci", data=data).records:
        assert entry["value"] == 1 and entry["interval"]["low"] is None and "two pairs" in entry["interval"]["reason"]


def test_what_is_dropped_is_counted_and_named():
    good = long_form(wide())
    bad = (
        good
        + b'{"item": 0, "rater": "anna", "value": 1}\nnot json\n\xff\xfe\n{"item": 77, "rater": "anna", "value": "x"}\n'
    )
    result = agree("alpha", "--level", "interval", data=bad, status=1)
    (entry,) = result.records
    assert entry["dropped"] == {"duplicate": 1, "invalid-key": 1, "no-record": 2}
    assert [line.split(": ")[1] for line in result.err.splitlines()] == ["-:49", "-:50", "-:51", "-:52"]
    (clean,) = agree("alpha", "--level", "interval", data=good).records
    assert clean["value"] == entry["value"] and clean["signature"] != entry["signature"]


def test_raters_left_out_of_spans_are_one_family():
    marked = [["x"], ["y"], ["x", "y"], []]
    source = random.Random(3)
    data = jsonl(*({"item": i, "rater": r, "value": source.choice(marked)} for i in range(24) for r in "abc"))
    found = agree("spans", "--ci", "--leave-one-rater-out", "--adjust", "bh", data=data).records
    tests = [one["difference"] for one in found if "difference" in one]
    assert [one["n_compared"] for one in tests] == [6] * 6
    assert all(one["p_bh"] >= one["p"] for one in tests)
    assert (
        "BH over 6"
        in agree(
            "spans",
            "--ci",
            "--without",
            "a",
            "--without",
            "b",
            "--without",
            "c",
            "--adjust",
            "bh",
            "--table",
            data=data,
        ).out.decode()
    )


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("alpha", "fleiss", "perfect", "--ci"),
        ("majority",),
        ("spans",),
        ("power",),
        ("effect",),
        ("correlate", "--x", "a", "--y", "b", "--ci"),
        ("fit-weights", "--y", "overall"),
    ],
)
def test_empty_input_and_input_that_is_none(args):
    for entry in agree(*args).records:
        assert entry.get("value", entry.get("mse")) is None and entry["reason"]
    agree(*args, "--table")
    result = agree(*args, data=b"\xff\n[1]\n{}\n", status=3)
    assert result.out == b"" and result.err.count("\n") == 3


@pytest.mark.parametrize("value", [1, "x", True])
def test_one_rater_and_constant_ratings_are_null_with_a_reason(value):
    alone = jsonl(*({"item": i, "rater": "a", "value": value} for i in range(3)))
    same = jsonl(*({"item": i, "rater": r, "value": value} for i in range(3) for r in "ab"))
    for data, reason in ((alone, "fewer than two raters"), (same, "only one value occurs")):
        for entry in agree("alpha", "fleiss", "--ci", data=data).records:
            assert (entry["value"], entry["reason"]) == (None, reason)
            assert entry["interval"]["low"] is None and entry["interval"]["reason"] == reason


@pytest.mark.slow
def test_many_items():
    source = random.Random(5)
    data = b"".join(b'{"item":%d,"rater":"%s","value":%d}\n' % (i, r, source.randint(1, 4)) for i in range(20_000)
                    for r in (b"a", b"b"))  # fmt: skip
    (entry,) = agree("alpha", "--level", "ordinal", "--ci", data=data).records
    assert entry["n_items"] == 20_000
    assert entry["interval"]["low"] < entry["value"] < entry["interval"]["high"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("alpha", "majority"), "majority cannot be combined with alpha"),
        (("majority", "alpha"), "majority cannot be combined with alpha"),
        (("--item", "paper", "majority"), "majority must be the first argument"),
        (("alpha", "--min-votes", "3"), "No such option"),
        (("fleiss", "perfect", "--level", "ratio"), "--level cannot be used with fleiss, perfect"),
        (("kappa", "--pairs"), "--pairs cannot be used with kappa"),
        (("--rater", "who", "--raters", "a,b"), "--rater cannot be used with --raters"),
        (("alpha", "--seed", "3"), "--seed needs --ci"),
        (("correlate", "--x", "a"), "two or more --x"),
        (("fit-weights",), "one --y"),
        (("fit-weights", "--x", "a", "--y", "b"), 'highest possible rating of "a"'),
        (("fit-weights", "--x", "a", "--max", "0", "--y", "b"), "needs 1 number above 0"),
        (("alpha", "--where", "x"), "KEY=VALUE"),
        (("alpha", "--without", "zoe", str(RATINGS)), 'no rating by "zoe"'),
        (("alhpa",), "neither a statistic"),
        (("alpha", "--raters", "a,a"), '--raters: duplicate or empty key in "a,a"'),
        (("alpha", "--raters", "a,"), "--raters: duplicate or empty key"),
        (("correlate", "--x", "a", "--x", "a"), '--x and --y name the key "a" twice'),
        (("correlate", "--x", "a", "--y", "a"), '--x and --y name the key "a" twice'),
    ],
)
def test_wrong_usage_is_one_line(args, said):
    result = agree(*args, status=2)
    assert said in result.err and result.err.count("\n") == 1


def test_a_rating_that_is_there_twice_counts_once():
    lines = RATINGS.read_bytes().splitlines(True)
    (base,) = agree("alpha", "--where", "label=specific", data=b"".join(lines)).records
    result = agree("alpha", "--where", "label=specific", data=b"".join(lines + lines), status=1)
    (entry,) = result.records
    counts = ("value", "n_items", "n_ratings") if "n_ratings" in base else ("value", "n_items")
    assert [entry[key] for key in counts] == [base[key] for key in counts]
    assert entry["dropped"]["duplicate"] == base["n_ratings"] + base["n_missing"] and "is rated twice by" in result.err


@pytest.mark.slow
def test_a_record_of_measures_that_is_there_twice_is_refused_where_records_are_named():
    args = ("correlate", "--x", "scores.rouge", "--y", "human")
    base = agree(*args, "--item", "item", data=WIDE).records
    result = agree(*args, "--item", "item", data=WIDE + WIDE, status=1)
    assert [entry["value"] for entry in result.records] == [entry["value"] for entry in base]
    assert {(entry["n"], entry["dropped"]["duplicate"]) for entry in result.records} == {(24, 24)}
    assert '-:25: duplicate "item" 0' in result.err
    by_system = agree(*args, "--item", "paper", "--by", "system", data=WIDE).records
    assert by_system[0]["n"] == 24, "an item of another system is another record"


def test_p_is_corrected_for_all_that_the_table_of_effects_shows():
    """Two systems and three labels are a family of three; Holm by hand: the least p times 3, the next times 2."""
    shifts = {"clear": 1.0, "some": 0.5, "none": 0.1}
    data = jsonl(*({"item": i, "rater": r, "label": label, "value": (i * 7 % 5) * (r == "a") * 0.4 + shift * (r == "b")}
                   for label, shift in shifts.items() for i in range(20) for r in "ab"))  # fmt: skip
    found = agree("effect", data=data).records
    for test in ("difference", "t_test"):
        ranked = sorted((entry[test]["p"], entry[test]["p_holm"]) for entry in found)
        by_hand = [min(1, p * (3 - place)) for place, (p, _) in enumerate(ranked)]
        assert [p for _, p in ranked] == pytest.approx([max(by_hand[: place + 1]) for place in range(3)])
        assert {entry[test]["n_compared"] for entry in found} == {3} and ranked[0][0] < ranked[0][1]
    table = agree("effect", "--table", data=data).out
    assert b"jackknife p (Holm over 3)" in table and b"t-test p (Holm over 3)" in table
    alone = agree("effect", "--table", "--where", "label=clear", data=data).out
    assert b"jackknife p" in alone and b"Holm" not in alone


def test_p_of_raters_left_out_are_corrected_for_all_that_are_shown():
    line = ("alpha", "agreement", "--ci", "--leave-one-rater-out", RATINGS)
    changes = [entry["difference"] for entry in agree(*line).records if "difference" in entry]
    p_values = [one["p"] for one in changes if one["p"] is not None]
    assert {one["n_compared"] for one in changes} == {len(p_values)} and len(p_values) > 6
    assert min(one["p_holm"] for one in changes) == pytest.approx(min(1, min(p_values) * len(p_values)))
    assert f"Holm over {len(p_values)}: " in agree(*line, "--table").out.decode()
    reported = agree("report", "--without", "judge", "--without", "ben", "--adjust", "bh", RATINGS).records
    changes = [change["difference"] for entry in reported for change in entry["changes"]]
    p_values = [one["p"] for one in changes if one["p"] is not None]
    wanted = stats.false_discovery_control(p_values, method="bh")
    assert [one["p_bh"] for one in changes if one["p"] is not None] == pytest.approx(wanted)


def test_few_items_have_no_small_bootstrap_p():
    data = jsonl(*({"item": i, "rater": r, "value": i / 100 + (r == "b")} for i in range(2) for r in "ab"))
    (entry,) = agree("effect", "--interval", "bootstrap", data=data).records
    assert entry["difference"]["p"] == entry["difference"]["p_holm"] == 0.5


def test_conditions_that_nothing_fulfils():
    assert "--where" in agree("alpha", "--where", "label=nothing", RATINGS, status=3).err


@pytest.mark.slow
def test_numbers_that_are_none_or_too_large():
    data = jsonl({"a": 1, "b": 2}, {"a": "many", "b": 1}, {"a": True, "b": 1}, {"a": 1e305, "b": 1}, {"a": 3, "b": 3})
    result = agree("correlate", "--x", "a", "--y", "b", data=data, status=1)
    assert {entry["n"] for entry in result.records} == {2}
    assert result.records[0]["dropped"] == {"invalid-key": 3} and result.err.count("\n") == 3


def test_a_rater_nobody_knows_is_refused_by_the_library_too():
    keys = Keys(raters=("a", "bb"))
    with pytest.raises(UsageFault, match='no record has "bb"'):
        collect([{"item": 1, "a": 1}, {"item": 2, "a": 2}], keys)
    assert collect([{"item": 1, "a": 1}, {"item": 2, "bb": None}], keys).n_taken == 2
    assert collect([], keys).n_taken == 0


def test_the_help_of_a_statistic_has_its_own_options_alone():
    text = agree("correlate", "--help").out.decode()
    named = set(re.findall(r"^  (--[a-z-]+)", text.split("Common options:")[0], re.M))
    assert named == {
        "--x", "--y", "--item", "--where", "--method", "--each", "--with-seen", "--by", "--within", "--control",
        "--compare", "--ci", "--resamples", "--interval", "--confidence", "--seed", "--cluster", "--table", "--missing", "--keep-blank",
        "--measure", "--adjust", "--compare-all", "--redraw",
    }  # fmt: skip
    assert "--min-votes" in agree("majority", "--help").out.decode()
    assert "--level" in agree("alpha", "--help").out.decode(), "alpha and its kin are one task"


@pytest.mark.parametrize("stat", ["alpha", "kappa", "agreement", "fleiss", "perfect", "gwet"])
def test_a_coefficient_alone_needs_no_first_word(stat):
    """ "perfect" was refused as a misspelt "effect"."""
    rows = jsonl(
        *({"item": item, "rater": rater, "value": rater if item == 1 else "x"} for item in range(3) for rater in "ab")
    )
    short, whole = st("st-agree", stat, input=rows), st("st-agree", "coefficients", stat, input=rows)
    assert short.status == 0 and short.out == whole.out and short.records[0]["stat"] == stat


def test_the_command_and_the_library_know_the_same_coefficients():
    from scholartools.tasks.agree import coefficients
    from scholartools.vocabulary import COEFFICIENTS

    assert tuple(coefficients.STATS) == COEFFICIENTS


def test_a_whole_number_is_one_item_however_it_is_written():
    rated = [{"item": n, "rater": rater, "value": (n * k) % 3} for n in range(9) for k, rater in enumerate("ab", 1)]
    floats = [{**one, "item": float(one["item"])} if one["rater"] == "b" else one for one in rated]
    assert agree("alpha", data=jsonl(*rated)).out == agree("alpha", data=jsonl(*floats)).out
    for item in (1.5, 2.0**60, True):
        refused = agree("alpha", data=jsonl({"item": item, "rater": "a", "value": 1}), status=3)
        assert '"item" is neither a string nor an integer' in refused.err


@pytest.mark.parametrize("statistic", ["alpha", "kappa", "report", "majority"])
def test_a_misspelt_label_gives_no_number(statistic):
    """The first rating of each item and rater was taken, whatever its label: an alpha of two labels in one."""
    rows = [
        {"item": item, "rater": rater, "label": label, "value": value}
        for item, value in (("i1", 1), ("i2", 2), ("i3", 1))
        for rater in "ab"
        for label in ("clear", "sound")
    ]
    done = st("st-agree", statistic, "--label", "lable", input=jsonl(*rows))
    assert (done.status, done.out) == (2, b"")
    assert 'no record has "lable": the keys of the record are "item", "rater", "label", "value"' in done.err
    assert 'is rated twice by "a", and has no "lable"' in done.err
    assert st("st-agree", statistic, "--label", "label", input=jsonl(*rows)).status == 0
