"""What lacks its input is missing alone: one metric or one system without it changes no number of another.

The truth is known by construction: what a damage does not touch must be as it was in the whole record.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from support.everything import LISTS, OF_WEAKNESSES, SYSTEMS, damages, drop, entries_at, whole_record
from support.run import jsonl, st

from scholartools.errors import InputFault
from scholartools.tasks.score import METRICS, score
from scholartools.tasks.score.metric import DEFAULT
from scholartools.tasks.summarize import prepare, writer

CASES = [(metric, name) for metric in METRICS for name in damages(metric)]


def entries_of(record: dict, metric: str | None = None) -> dict[tuple, dict]:
    """The values by metric, system and item, without what says how they were made."""
    return {
        (one["metric"], one["system"], one.get("item")): one["values"]
        for one in record["scores"]
        if metric in (None, one["metric"])
    }


def test_the_record_has_the_input_of_every_metric_and_of_every_system():
    scored = score(whole_record(1))
    assert {one["metric"] for one in scored["scores"]} == set(METRICS) - {"text"}
    assert "errors" not in scored and set(damages_of_every_metric()) == set(METRICS) - {"support", "extraction"}


def damages_of_every_metric() -> dict:
    return {metric: damages(metric) for metric in METRICS if damages(metric)}


@pytest.mark.parametrize(("metric", "damage"), CASES, ids=[f"{metric}: {name}" for metric, name in CASES])
def test_what_one_system_lacks_costs_no_other(metric, damage):
    rng = random.Random(f"{metric} {damage}")
    for seed in rng.sample(range(1000), 2):
        record = whole_record(seed)
        system = rng.choice(SYSTEMS)
        before = entries_of(score(record, [metric]))
        damaged = copy.deepcopy(record)
        damages(metric)[damage](damaged, system)
        result = score(damaged, [metric])
        after = {key: values for key, values in entries_of(result).items() if key[1] != "system: null"}
        assert {key: values for key, values in after.items() if key[1] != system} == {
            key: values for key, values in before.items() if key[1] != system
        }
        lost = [key for key in before if key not in after]
        nulls = [key for key, values in after.items() if None in values.values() and key[1] == system]
        is_absent = damage.endswith("absent") or "empty" in damage or "null" in damage
        assert is_absent or lost or nulls or "errors" in result


@pytest.mark.parametrize("metric", METRICS)
def test_what_one_metric_lacks_costs_no_other(metric):
    rng = random.Random(metric)
    record = whole_record(rng.randrange(1000))
    for name, damage in [*damages(metric).items(), *whole_damages(metric).items()]:
        damaged = copy.deepcopy(record)
        for system in SYSTEMS:
            damage(damaged, system)
        alone, refused = {}, set()
        for one in METRICS:
            try:
                alone[one] = entries_of(score(damaged, [one]))
            except InputFault:
                alone[one] = {}
                refused.add(one)
        other = rng.choice([one for one in METRICS if one != metric])
        for names in ([metric, other], []):
            if names and refused.issuperset(names):
                with pytest.raises(InputFault):
                    score(damaged, names)
                continue
            result = score(damaged, names)
            scored = entries_of(result)
            asked = {key[0] for key in scored} | set(names)
            assert scored == {key: values for one in asked for key, values in alone[one].items()}, (name, names)
            told = {fault["task"] for fault in result.get("errors", ()) if fault["kind"] == "missing-metric"}
            assert told == refused & (told | set(names))


def of_two_systems(metric: str, record: dict) -> dict:
    """The record without the third system in what a metric reads, so that two damages leave nothing whole."""
    for path, _ in LISTS.get(metric, ()):
        drop(entries_at(record, path), SYSTEMS[2])
    for one in record["weaknesses"] if metric in OF_WEAKNESSES else ():
        drop(one[OF_WEAKNESSES[metric][0]], SYSTEMS[2])
    return record


@pytest.mark.parametrize("metric", [metric for metric in METRICS if damages(metric)])
@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(10, 16), marks=pytest.mark.slow)])
def test_a_metric_is_the_same_whichever_are_named_beside_it(metric, seeds):
    """Where one system is damaged in one way and the other in another, as values, nulls, faults and in a summary."""
    others = [one for one in METRICS if one not in (metric, "text")]
    for seed in seeds:
        rng = random.Random(f"{metric} {seed}")
        record = of_two_systems(metric, whole_record(rng.randrange(1000)))
        pairs = [*itertools.product(damages(metric).values(), repeat=2)]
        for one, other in rng.sample(pairs, min(len(pairs), 12)):
            damaged = copy.deepcopy(record)
            one(damaged, SYSTEMS[0])
            other(damaged, SYSTEMS[1])
            beside = rng.sample(others, rng.randint(1, 3))
            assert results_of(damaged, [metric], metric) == results_of(damaged, [metric, *beside], metric), beside


def results_of(record: dict, names: list[str], metric: str) -> tuple:
    """What becomes of one metric: its entries, its faults, its summary; nothing and why where the record is refused."""
    summary = {key: one for key, one in summaries([record], names).items() if key[0] == metric}
    try:
        scored = score(record, names)
    except InputFault as fault:
        reason = fault.reason
        for one in names if len(names) > 1 else ():  # the reasons of all, each behind its name
            reason = re.split(rf"(?:^|; ){re.escape(one)}: ", reason)[0 if one != metric else -1]
        return (), {"missing-metric": f"{metric}: {reason}"}, summary
    entries = [one for one in scored["scores"] if one["metric"] == metric]
    faults = {one["kind"]: one["reason"] for one in scored.get("errors", ()) if one.get("task") == metric}
    return tuple(map(json.dumps, entries)), faults, summary


def whole_damages(metric: str) -> dict:
    """What is taken from all systems of a metric at once: its reference."""
    keys = {
        "facets": "facets", "support": "sections", "text": "abstract", "match": "limitations", "soft": "weaknesses",
        "entail": "explanations", "spans": "claims", "extraction": "gold", "weaknesses": "reviews",
        "review": "judgements", "verifications": "verifications", "contamination": "contamination",
    }  # fmt: skip
    if metric not in keys:
        return {}
    key = keys[metric]
    return {
        f"{key} is {what}": lambda record, _, value=value: record.update({key: value})
        for what, value in (("null", None), ("empty", type(whole_record(0)[key])()), ("no list", 3))
    }


def unlabelled(record: dict) -> dict:
    """The record with a review whose segments nobody judged, and nothing else for st-score review."""
    segments = [{"deficient": None, "answers": {"labeling-all": {"deficient": True}}}]
    record["judgements"]["review"] = [{"system": "a", "reviews": [{"id": "r8", "segments": segments}]}]
    return record


OPTIONS = {
    "resamples": 50, "confidence": 0.9, "seed": 0, "interval": "bootstrap", "adjust": "holm", "by": None, "cluster": None, "item": "id",
    "compare": (), "compare_values": (), "runs": (), "median_of": (), "median_by": "f1", "itf_idf_threshold": "0.5", "itf_idf_items": False,
    "empty": "zero", "csv": False, "table": False,
}  # fmt: skip


def without_family(value: Any) -> Any:
    """A comparison without what depends on the family of tests, which is all that one run makes."""
    if isinstance(value, dict):
        return {key: without_family(one) for key, one in value.items() if key not in FAMILY}
    return [without_family(one) for one in value] if isinstance(value, list) else value


FAMILY = ("n_tests", "n_t_tests", "p_holm", "p_bh", "t_p_holm", "t_p_bh", "signature", "family")


def summaries(records: list[dict], names: list[str], **options) -> dict[tuple, dict]:
    """The summaries and comparisons of some records as st-score makes them, by metric and system or pair."""
    chosen = {**OPTIONS, **options}
    totals, failed = prepare(names, DEFAULT, chosen), 0
    for record in records:
        try:
            totals.add(score(record, names, keep_earlier=False))
        except InputFault:
            failed += 1
    found = writer(chosen)(list(totals.records(failed)))
    return (
        found
        if chosen["table"]
        else {
            (one["metric"], str(one.get("system", one.get("compare")))): without_family(one)
            if "compare" in one
            else one
            for one in found
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_summary_is_the_same_alone_in_pairs_and_without_a_name(seed):
    """With comparisons, signatures and the counts of what failed; every record keeps the keys of every metric."""
    rng = random.Random(seed)
    records = []
    for number in range(3):
        record = whole_record(rng.randrange(1000), f"p{number}")
        for metric in rng.sample([*damages_of_every_metric()], 4):
            rng.choice([*damages(metric).values()])(record, rng.choice(SYSTEMS))
        records.append(unlabelled(record) if number == 1 else record)
    compare = {"compare": (("a", "b"),)}
    paired = [metric for metric in METRICS if metric not in ("support", "extraction")]  # which have no such systems
    alone = {metric: summaries(records, [metric], **(compare if metric in paired else {})) for metric in METRICS}
    together = summaries(records, list(METRICS), **compare)
    assert together == {key: one for found in alone.values() for key, one in found.items()}
    without_name = summaries(records, [], **compare)
    assert without_name == {key: one for key, one in together.items() if key[0] != "text"}
    first, second = rng.sample(paired, 2)
    assert summaries(records, [first, second], **compare) == {**alone[first], **alone[second]}
    whole = summaries(records, list(METRICS), table=True)
    assert all(summaries(records, [metric], table=True) in whole for metric in METRICS)


def test_a_review_that_nobody_labelled_is_told_and_costs_nothing_else():
    records = [whole_record(1, "p1"), unlabelled(whole_record(2, "p2"))]
    result = st("st-score", "review", "soft", "--summary", input=jsonl(*records))
    found = {(one["metric"], one["system"]): one for one in result.records}
    assert result.status == 1 and 'review: review "r8" has segments that nobody judged' in result.err
    assert (found["soft", "a"]["n"], found["soft", "a"]["failed"]) == (2, 0)
    assert (found["review", "a"]["n"], found["review", "a"]["failed"]) == (2, 1)
    again = st("st-score", "soft", input=st("st-score", input=jsonl(records[1])).out).records[0]
    assert [fault["task"] for fault in again["errors"]] == ["review"], "what is told stays until it is scored anew"


def test_a_system_without_experiments_keeps_its_explanations_and_takes_nothing_from_others():
    record = whole_record(3)
    record["generated"]["experiments"][0] = {"system": "a", "items": None, "reason": "no usable reply"}
    result = st("st-score", "entail", input=jsonl(record))
    values = {one["system"]: one for one in result.records[0]["scores"]}
    whole = entries_of(score(whole_record(3), ["entail"]))
    assert result.status == 1 and "no usable reply" in result.err
    assert values["a"]["values"]["f1"] is None and "no usable reply" in values["a"]["reasons"]["f1"]
    name = "explanations.s_match"
    assert values["a"]["values"][name] == whole["entail", "a", None][name] is not None
    assert json.dumps(values["b"]["values"]) == json.dumps(whole["entail", "b", None])


@pytest.mark.parametrize("metric", [*METRICS, "rate"])
def test_an_input_without_a_record_is_told(metric):
    for more in ((), ("--summary",), ("--table",)):
        done = st("st-score", metric, *more)
        assert (done.status, done.err) == (0, "st-score: no record was read: there is nothing to score\n")
    assert not st("st-score", metric, "--quiet").err


def test_a_metric_of_which_no_record_has_anything_to_score_is_told():
    """Of each metric that makes no entry of a record, and finds no fault in it, a summary says so."""
    empty = everything_empty()
    silent = [metric for metric in METRICS if not is_told(empty, metric)]
    assert {"targets", "verifications", "contamination"} <= {*silent}
    done = st("st-score", *silent, "--summary", input=jsonl(empty), is_described=False)
    assert (done.status, done.out) == (0, b"")
    assert done.err == f"st-score: no record has anything to score by {', '.join(silent)}\n"
    whole = st("st-score", *silent, "--summary", input=jsonl(empty, whole_record(1)), is_described=False)
    assert whole.err == "" and {one["metric"] for one in whole.records} == {*silent}


def everything_empty() -> dict:
    """The record with all its lists empty."""
    record = whole_record(1)
    inner = {key: dict.fromkeys(record[key], []) for key in ("generated", "judgements", "annotations", "gold")}
    return {**{key: type(value)() for key, value in record.items()}, **inner, "id": "empty"}


def is_told(record: dict, metric: str) -> bool:
    """Whether a metric makes an entry of a record, or refuses it."""
    try:
        return bool(score(record, [metric])["scores"])
    except InputFault:
        return True


ODD = [
    None, 5, "x", [], [5], {}, {"x": 1}, True, [{"text": 5}], [["a"]], [[]], [None, "a"], [{"items": ["a"]}], [{"system": "c", "items": ["a"]}],
    [{"text": "a", "review": {}}], [{"id": "x"}, {"id": "x"}], [{"text": "a b", "id": "x"}] * 2,
]  # fmt: skip


def lists_of_systems(record: dict) -> list[tuple]:
    """The paths of all lists of a record with an entry for each system."""
    nested = [(key, task) for key in ("generated", "judgements") for task in record[key]]
    of_weaknesses = [("weaknesses", 0, part) for part in ("targets", "labels", "edited")]
    return [("summaries",), ("verifications",), ("contamination",), ("facets",), ("annotations", "weaknesses"), *nested, *of_weaknesses]  # fmt: skip


def at(record: dict, path: tuple) -> Any:
    for step in path:
        record = record[step]
    return record


def places_within(value: Any, steps: tuple = ()) -> Iterator[tuple]:
    """The paths to all values within one."""
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield (*steps, step)
        yield from places_within(inner, (*steps, step))


def owner_of(entry: dict) -> str:
    return entry.get("system") or entry.get("rater") or entry["in"].removeprefix("summary:")


@pytest.mark.parametrize("metric", METRICS)
def test_an_odd_value_anywhere_in_what_one_system_has_costs_no_other(metric):
    rng = random.Random(f"odd {metric}")
    record = json.loads(json.dumps(whole_record(rng.randrange(1000))))
    before = entries_of(score(record, [metric]))
    entries = [(path, n) for path in lists_of_systems(record) for n, one in enumerate(at(record, path))]
    entries = [(path, n) for path, n in entries if owner_of(at(record, path)[n]) in SYSTEMS]
    inside = [(path, n, steps) for path, n in entries for steps in places_within(at(record, path)[n])]
    inside = [one for one in inside if one[2][0] not in ("system", "rater", "in")]
    outermost = [one for one in inside if len(one[2]) == 1]
    of_soft = [(*one, odd) for one in outermost if one[0][-1] == "weaknesses" for odd in ODD]
    drawn = [(*one, rng.choice(ODD)) for one in rng.sample(inside, 25) + outermost]
    for path, n, steps, odd in drawn + (of_soft if metric == "soft" else []):
        damaged = copy.deepcopy(record)
        at(damaged, (*path, n, *steps[:-1]))[steps[-1]] = odd
        check_the_others(damaged, metric, before, owner_of(at(record, path)[n]), (path, n, steps, odd))
    for path, n in entries:
        damaged = copy.deepcopy(record)
        at(damaged, path).append(copy.deepcopy(at(damaged, path)[n]))
        check_the_others(damaged, metric, before, owner_of(at(record, path)[n]), (path, n, "twice"))


def check_the_others(damaged: dict, metric: str, before: dict, owner: str, told: object) -> None:
    kept = {of: values for of, values in before.items() if of[1] != owner}
    try:
        after = entries_of(score(damaged, [metric]))
    except InputFault as fault:
        assert not kept, (told, str(fault))
    else:
        assert {of: values for of, values in after.items() if of[1] != owner} == kept, told


@pytest.mark.parametrize(("task", "key"), [("match", "limitations"), ("entail", "experiments")])
@pytest.mark.parametrize("damage", ["no id", "an id twice"])
def test_a_system_whose_items_cannot_be_told_apart_costs_no_other_its_judgements(task, key, damage):
    record = whole_record(4)
    del record["judgements"]
    whole = st("st-judge", task, input=jsonl(record)).records[0]["judgements"][task]
    own = record["generated"][key][0]["items"]
    own.append({**own[0], "id": None if damage == "no id" else own[0]["id"], "text": "Other words."})
    done = st("st-judge", task, input=jsonl(record))
    assert done.status == 1 and '"a" are missing' in done.err
    assert done.records[0]["judgements"][task] == [one for one in whole if one["system"] != "a"]
    scored = {one["system"] for one in score(done.records[0], [task])["scores"] if one["values"]["f1"] is not None}
    assert scored == {"b", "c"}


def test_a_system_without_items_is_told_where_texts_are_rated(tmp_path):
    aspect = {"name": "clear", "scale": [1, 5], "definition": "Is it clear?", "low": "bad", "high": "good"}
    criteria = tmp_path / "clear.json"
    criteria.write_text(json.dumps({"task": "a limitation", "candidate": "generated.limitations", "aspects": [aspect]}))
    line = ["rate", "--aspects", str(criteria), "--method", "words"]
    record = whole_record(4)
    del record["judgements"]
    whole = st("st-judge", *line, input=jsonl(record)).records[0]["judgements"]["rate"]
    record["generated"]["limitations"][0] |= {"items": None, "reason": "no reply"}
    done = st("st-judge", *line, input=jsonl(record))
    assert done.status == 1 and 'the items of "a" are missing: no reply; left out' in done.err
    assert done.records[0]["judgements"]["rate"] == [one for one in whole if one["system"] != "a"]
    record["generated"]["limitations"][0]["items"] = []
    assert st("st-judge", *line, input=jsonl(done.records[0] | record)).records[0].get("errors") is None
