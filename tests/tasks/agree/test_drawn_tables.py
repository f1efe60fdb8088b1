"""Small tables drawn by chance, of numbers that break arithmetic, through every statistic: what must not change does not.

``DRAWN_SEEDS`` in the environment (as "1000 1200") takes other tables.
"""

from __future__ import annotations

import json
import math
import os
import random
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from support.result_faults import faults_of
from support.run import jsonl, st

from scholartools.tasks.summarize.summary import Keys, Summary

Rows = list[dict[str, Any]]

SEEDS = range(*map(int, os.environ.get("DRAWN_SEEDS", "0 1").split()))
MEASURES = ("x", "z", "human")
RATERS = ("a", "b", "c")
_SIDES = ("--x", "x", "--x", "z", "--y", "human", "--item", "item")
_ONE = ("--x", "x", "--y", "human", "--item", "item")
_RATED = ("--raters", "a,b,c")

#: Statistics of measures: their coefficients are the same of numbers on another scale.
CORRELATED = [
    ("correlate", *_SIDES, "--ci", "--compare", "x", "z"),
    ("correlate", *_SIDES, "--ci", "--compare-all", "--cluster", "paper"),
    ("correlate", *_SIDES, "--ci", "--within", "system", "--compare", "x", "z"),
    ("correlate", *_SIDES, "--ci", "--control", "a", "--cluster", "paper"),
    ("correlate", *_SIDES, "--ci", "--by", "system", "--redraw", "systems"),
    ("correlate", *_SIDES, "--ci", "--by", "system", "--redraw", "items"),
    ("correlate", *_SIDES, "--ci", "--by", "system", "--redraw", "both"),
    ("pairwise", "--x", "x", "--x", "z", "--y", "human", "--item", "text", "--by", "system"),
    ("pairwise", "--x", "x", "--y", "human", "--item", "text", "--by", "system", "--grouping", "none"),
    ("rank", "--x", "x", "--x", "z", "--y", "human", "--item", "text", "--by", "system", "--draws", "100"),
    ("rank", "--x", "x", "--x", "z", "--y", "human", "--item", "text", "--by", "system", "--draws", "100",
     "--grouping", "none", "--measure", "pearson", "--measure", "tau-b"),
    ("rank", "--x", "x", "--x", "z", "--y", "human", "--item", "text", "--by", "system", "--draws", "100",
     "--level", "system", "--measure", "soft", "--measure", "spearman"),
    ("rank", "--x", "x", "--x", "z", "--y", "human", "--item", "text", "--by", "system", "--draws", "100",
     "--grouping", "system", "--measure", "spearman"),
    ("efficiency", *_ONE, "--tokens", "cost", "--cost", "cost", "--margin", "0.1", "--method", "method"),
    ("runs", *_ONE, "--run", "run"),
]  # fmt: skip
CORRELATED += [
    ("correlate", *_SIDES, "--ci", "--compare-all", "--interval", "bootstrap", "--resamples", "100"),
    (
        "correlate",
        *_SIDES,
        "--ci",
        "--within",
        "system",
        "--cluster",
        "paper",
        "--interval",
        "bootstrap",
        "--resamples",
        "100",
    ),
    (
        "efficiency",
        *_ONE,
        "--tokens",
        "cost",
        "--cost",
        "cost",
        "--method",
        "method",
        "--interval",
        "bootstrap",
        "--resamples",
        "100",
    ),
]
#: Others.
RATED = [
    *((name, "--ci", "--interval", "bootstrap", "--resamples", "100", *_RATED) for name in ("alpha", "kappa", "agreement", "gwet")),
    ("effect", "--interval", "bootstrap", "--resamples", "100", *_RATED), ("confusion", "--ci", "--interval", "bootstrap", *_RATED),
    ("bias", "--x", "x", "--y", "human", "--of", "cost", "--item", "item", "--interval", "bootstrap", "--resamples", "100"),
    ("errors", *_SIDES, "--signed", "--interval", "bootstrap", "--resamples", "100"),
    ("mean", "--x", "x", "--y", "a", "--item", "item", "--interval", "bootstrap", "--resamples", "100"),
    *((name, "--ci", *_RATED) for name in ("alpha", "kappa", "agreement", "fleiss", "gwet", "perfect")),
    ("alpha", "kappa", "gwet", "--ci", "--cluster", "paper", "--pairs", "--leave-one-rater-out", *_RATED),
    *(("alpha", "--ci", "--level", level, *_RATED) for level in ("ordinal", "interval", "ratio")),
    *(("kappa", "gwet", "--ci", "--weights", weights, *_RATED) for weights in ("linear", "quadratic")),
    ("icc", *_RATED), ("icc", "--cluster", "paper", *_RATED),
    ("concordance", *_RATED), ("concordance", "--cluster", "paper", *_RATED),
    ("confusion", "--ci", *_RATED), ("confusion", "--ci", "--weights", "linear", "--cluster", "paper", *_RATED),
    ("ceiling", "--judge", "c", *_RATED), ("ceiling", "--judge", "c", "--cluster", "paper", *_RATED),
    ("alt-test", "--judge", "c", "--epsilon", "0.1", "--min-items", "2", *_RATED),
    ("report", "--without", "c", *_RATED), ("majority", *_RATED),
    ("effect", *_RATED), ("effect", "--cluster", "paper", *_RATED), ("power", "--resamples", "100", *_RATED),
    ("errors", *_SIDES), ("errors", *_SIDES, "--signed"),
    ("bias", "--x", "x", "--y", "human", "--of", "cost", "--of", "a", "--item", "item"),
    ("bias", "--x", "x", "--y", "human", "--of", "cost", "--item", "item", "--cluster", "paper"),
    ("mean", "--x", "x", "--y", "a", "--item", "item"), ("mean", "--x", "x", "--y", "a", "--item", "item", "--cluster", "paper"),
    ("levels", "--x", "x", "--y", "a", "--item", "item", "--summary"),
    ("conformal", "--x", "x", "--y", "a", "--item", "item", "--confidence", "0.5"),
    ("calibrate", "--x", "p", "--y", "right", "--item", "item", "--folds", "2", "--summary"),
    ("fit-weights", "--x", "x", "--x", "z", "--max", "3", "--max", "4", "--y", "human"),
]  # fmt: skip

# What depends on chance that is drawn for items in the order of their names, or is biased as the docs say.
_POINT_MAY_BE_OUTSIDE = {"calibrate"}


def table(seed: int) -> Rows:
    """Up to twelve records; the numbers of each column are of a kind of their own."""
    rng = random.Random(seed)
    n = rng.choice([1, 2, 3, 4, 5, 6, 8, 12, 12, 24, 40])
    kinds = {name: rng.choice(KINDS) for name in (*MEASURES, "cost")}
    levels = rng.choice([1, 2, 3, 5])
    n_papers, n_systems = rng.choice([1, 2, n]), rng.choice([1, 2, 3, 7])
    share = rng.choice([0, 0, 0.1, 0.5])
    rows = []
    for place in range(n):
        true = rng.randint(1, levels)
        row: dict[str, Any] = {
            "item": f"i{place}", "paper": f"p{place % n_papers}", "system": f"s{place % n_systems}",
            "text": f"t{place // n_systems}", "run": f"r{place % 2}", "method": "m", "g": "one",
        }  # fmt: skip
        row |= {name: kind(rng, place) for name, kind in kinds.items()}
        row |= {one: true if rng.random() < 0.6 else rng.randint(1, levels) for one in RATERS}
        row |= {"p": round(rng.random(), 2), "right": rng.randint(0, 1)}
        for name in (*MEASURES, *RATERS, "cost", "p"):
            if rng.random() < share:
                row[name] = None
        rows.append(row)
    return rows


KINDS = [
    lambda rng, place: rng.gauss(0, 1),
    lambda rng, place: rng.randint(1, 3),
    lambda rng, place: place,
    lambda rng, place: 2,
    lambda rng, place: float(rng.random() < 0.1),
    lambda rng, place: rng.choice([0.0, -0.0, 1.0]),
    lambda rng, place: rng.gauss(0, 1) * 1e300,
    lambda rng, place: rng.gauss(0, 1) * 1e-300,
    lambda rng, place: 2**53 + rng.randint(0, 3),
    lambda rng, place: 10**17 + rng.randint(0, 40),
    lambda rng, place: 0.1 + 0.2 if rng.random() < 0.5 else 0.3,
    lambda rng, place: math.exp(4 * rng.gauss(0, 1)),
    lambda rng, place: rng.choice([1e16, 1.0, 3.0]),
]


def asked(rows: Rows, args: tuple[str, ...]) -> list[dict[str, Any]] | str:
    """The results, or why there are none."""
    done = st("st-agree", *args, input=jsonl(*rows), is_described=False)
    assert done.status in (0, 1, 2, 3), (args, done.err)
    assert "internal error" not in done.err and "Warning" not in done.err, (args, done.err)
    return done.records if done.out.startswith(b"{") else done.err


def nested(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, list):
        for place, one in enumerate(value):
            yield from nested(one, f"{path}.{place}")
    elif isinstance(value, dict):
        yield path, value
        for key, one in value.items():
            yield from nested(one, f"{path}.{key}")


def faults(found: list[dict[str, Any]], name: str) -> Iterator[Any]:
    for one in found:
        yield from faults_of(one)
        for path, part in nested(one):
            for key, p in part.items():
                if (key == "p" or key.startswith("p_")) and isinstance(p, float) and not 0 <= p <= 1:
                    yield path, key, p
            interval, value = part.get("interval"), part.get("value")
            if not isinstance(interval, dict) or interval.get("low") is None or value is None:
                continue
            slack = 1e-9 * max(abs(interval["low"]), abs(interval["high"]), abs(value))
            inside = interval["low"] - slack <= value <= interval["high"] + slack
            if not inside and name not in _POINT_MAY_BE_OUTSIDE:
                yield path, value, interval


def differences(first: Any, second: Any, path: str = "", tolerance: float = 1e-7) -> Iterator[str]:
    """Where two results are not the same but for rounding, signatures and lists of reasons."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in first.keys() | second.keys():
            if key not in ("signature", "family"):
                yield from differences(first.get(key), second.get(key), f"{path}.{key}", tolerance)
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for place, pair in enumerate(zip(first, second, strict=True)):
            yield from differences(*pair, f"{path}.{place}", tolerance)
    elif isinstance(first, (int, float)) and isinstance(second, (int, float)):
        if not math.isclose(
            first, second, rel_tol=tolerance, abs_tol=tolerance * 1e-3 if abs(first) < 1e-200 else tolerance
        ):
            yield f"{path}: {first} and {second}"
    elif first != second:
        yield f"{path}: {first!r} and {second!r}"


def assert_same(first: Any, second: Any, about: Any) -> None:
    found = list(differences(first, second))
    assert not found, (about, found[:6])


@pytest.mark.parametrize("seed", SEEDS)
def test_no_table_gives_what_is_no_number_or_no_reason(seed):
    rows = table(seed)
    for args in (*CORRELATED, *RATED):
        found = asked(rows, args)
        if not isinstance(found, str):
            wrong = list(faults(found, args[0]))
            assert not wrong, (seed, args, wrong[:4])


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_records_changes_nothing(seed):
    rows = table(seed)
    mixed = random.Random(seed).sample(rows, len(rows))
    for args in (*CORRELATED, *RATED):
        first, second = asked(rows, args), asked(mixed, args)
        if args[0] == "majority" and not isinstance(first, str):
            first, second = (sorted(one, key=lambda row: row["item"]) for one in (first, second))
        if not isinstance(first, str):
            assert_same(in_order(first), in_order(second), (seed, args))


def in_order(found: Any) -> Any:
    """Results of one kind in the order of what they are about."""
    about = ("stat", "form", "of", "measure", "kind", "x", "y", "compare", "raters", "rater", "without", "label")
    return sorted(found, key=lambda one: [str(one.get(name)) for name in about])


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_other_records_change_nothing_of_a_part(seed):
    rows, others = table(seed), [row | {"g": "two"} for row in table(seed + 1)]
    for args in (*CORRELATED, *RATED):
        each = ("--label", "g") if "--raters" in args else ("--each", "g")
        if args[0] == "fit-weights":
            continue
        first, second = asked(rows, (*args, *each)), asked([*rows, *others], (*args, *each))
        if isinstance(first, str) or isinstance(second, str):
            continue
        kept = [one for one in second if (one.get("each") or one).get("g", one.get("label") or "one") == "one"]
        assert_same(uncorrected(first), uncorrected(kept), (seed, args))


def uncorrected(found: Any) -> Any:
    """Results without what is of the whole run: corrected p, and how many they are."""
    if isinstance(found, list):
        return [uncorrected(one) for one in found]
    if isinstance(found, dict):
        whole = (
            "failed",
            "n_tests",
            "n_t_tests",
            "p_holm",
            "p_bh",
            "n_compared",
            "rank_corrected",
            "dropped",
            "runs_without_scores",
            "every_label",
        )
        return {key: uncorrected(one) for key, one in found.items() if key not in whole}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_the_same_order_change_nothing(seed):
    rows = table(seed)
    renamed = [{{"a": "ra", "b": "rb", "c": "rc"}.get(key, key): value for key, value in row.items()} for row in rows]
    for args in RATED:
        if "--raters" not in args:
            continue
        changed = tuple("ra,rb,rc" if one == "a,b,c" else "rc" if one == "c" else one for one in args)
        first, second = asked(rows, args), asked(renamed, changed)
        if not isinstance(first, str):
            assert_same(first, plain_names(second), (seed, args))


def plain_names(found: Any) -> Any:
    if isinstance(found, list):
        return [plain_names(one) for one in found]
    if isinstance(found, dict):
        return {plain_names(key): plain_names(one) for key, one in found.items()}
    return found[1] if found in ("ra", "rb", "rc") else found


@pytest.mark.parametrize("seed", SEEDS)
def test_raters_in_another_order_agree_as_far(seed):
    rows = table(seed)
    turned = [row | {"a": row["c"], "c": row["a"]} for row in rows]
    for args in RATED:
        if args[0] not in ("alpha", "fleiss", "gwet", "agreement", "perfect", "kappa", "icc") or "--pairs" in args:
            continue
        first, second = asked(rows, args), asked(turned, args)
        if isinstance(first, str):
            continue
        whole = [[one for one in found if len(one.get("raters") or "abc") == 3] for found in (first, second)]
        assert_same(*whole, (seed, args))


@pytest.mark.parametrize("seed", SEEDS)
def test_another_scale_changes_no_coefficient(seed):
    """Numbers times a power of two, by which nothing is rounded."""
    rows = table(seed)
    largest = max((abs(row[name]) for row in rows for name in MEASURES if row[name] is not None), default=0)
    factors = {"x": 4.0, "z": 0.25, "human": 0.5 if largest > 1e300 else 8.0}
    scaled = [
        {
            key: value if value is None else value * factors.get(key, 1) if key in factors else value
            for key, value in row.items()
        }
        for row in rows
    ]
    for args in CORRELATED:
        first, second = asked(rows, args), asked(scaled, args)
        if isinstance(first, str):
            continue
        if args[0] in ("runs",):
            first, second = (
                [one for one in found if one.get("measure") in ("pearson", "spearman", "kendall")]
                for found in (first, second)
            )
        assert_same(without_units(first), without_units(second), (seed, args))


def without_units(found: Any) -> Any:
    """Results without what is in the units of a measure: thresholds of ties."""
    if isinstance(found, list):
        return [without_units(one) for one in found]
    if isinstance(found, dict):
        return {key: without_units(one) for key, one in found.items() if key not in ("threshold", "mean", "means")}
    return found


# st-score.


def summaries(rows: Rows, **options: Any) -> list[dict[str, Any]]:
    """Of two systems, whose values are the numbers of two columns, the summaries and their comparison."""
    made = Summary(samples=100, confidence=0.95, seed=0, pairs=[("x", "z")], **options)
    for row in rows:
        entries = [
            {"metric": metric, "system": system, "values": {"rouge1" if metric == "text" else "f": row[system]},
             "reasons": {} if row[system] is not None else {"f": "none"}, "signature": f"{row['item']}{system}"}
            for metric in ("text", "mine") for system in ("x", "z")
        ]  # fmt: skip
        made.add({"id": row["item"], "paper": row["paper"], "g": row["g"], "scores": entries})
    return list(made.records(0))


WAYS: list[dict[str, Any]] = [
    {"keys": Keys()}, {"keys": Keys(cluster="paper")}, {"keys": Keys(), "interval": "bootstrap"},
    {"keys": Keys(by="g"), "adjust": "bh"},
]  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_summaries_and_comparisons_hold_on_small_tables(seed):
    rows, others = table(seed), [row | {"g": "two", "item": f"o{row['item']}"} for row in table(seed + 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for options in WAYS:
            found = summaries(rows, **options)
            json.dumps(found, allow_nan=False)
            wrong = list(faults(found, "st-score"))
            assert not wrong, (seed, options, wrong[:4])
            for one in found:
                for name, value in one["values"].items():
                    low, high, mean = value.get("low"), value.get("high"), value.get("mean")
                    if low is not None and mean is not None:
                        slack = 1e-9 * max(abs(low), abs(high), abs(mean))
                        assert low - slack <= mean <= high + slack, (seed, options, name, value)
            mixed = summaries(random.Random(seed).sample(rows, len(rows)), **options)
            assert_same(in_order(found), in_order(mixed), (seed, options))
            turned = summaries([row | {"x": row["z"], "z": row["x"]} for row in rows], **options)
            for one, other in zip(compared(found), compared(turned), strict=True):
                first, second = one["difference"], other["difference"]
                if first["low"] is not None and options.get("interval") != "bootstrap":
                    ends = [first["low"], first["high"], first["p"]]
                    assert ends == pytest.approx([-second["high"], -second["low"], second["p"]], rel=1e-6), (
                        seed,
                        options,
                    )
        alone = [one for one in summaries(rows, keys=Keys(by="g"))]
        beside = [one for one in summaries([*rows, *others], keys=Keys(by="g")) if one["by"]["g"] == "one"]
        assert_same(uncorrected(alone), uncorrected(beside), seed)


def compared(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [value for one in found if "compare" in one for value in one["values"].values()]
