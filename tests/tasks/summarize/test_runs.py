"""Runs of one system: the spread of means, and means that are of different records."""

from __future__ import annotations

import csv
import io
import random
import re
import statistics

import pytest
from support.run import jsonl, st

from scholartools.tasks.summarize.summary import Summary, results_csv, table

RUNS = ("r1", "r2", "r3")


def drawn_record(draw: random.Random, name: str, share: float) -> dict:
    """An entry a run: two values of one metric, and what a pooled metric sums; some null for a reason."""
    entries = []
    for metric, values in (("m", ("f", "g")), ("spans", ("edit_sum", "exact_sum", "n_spans"))):
        for run in RUNS:
            found = {value: None if draw.random() < share else draw.randint(1, 9) / 4 for value in values}
            reasons = {value: "no reply" for value, number in found.items() if number is None}
            made = {"metric": metric, "system": run, "signature": f"{name}{run}", "values": found, "reasons": reasons}
            entries.append(made)
    return {"id": name, "scores": entries}


def spread(numbers: list[float]) -> dict[str, float]:
    ends = {"min": min(numbers), "max": max(numbers)}
    return {"mean": statistics.fmean(numbers), "sd": statistics.stdev(numbers), **ends}


def expected_of(records: list[dict], metric: str, above: dict[str, int], below: dict[str, int]) -> dict:
    """The spread of the runs' ratios of sums (of the mean, where nothing is below), by hand, and of which records."""
    values: list[float | None] = []
    places: list[set[str]] = []
    for run in RUNS:
        rows = {
            record["id"]: entry["values"]
            for record in records
            for entry in record["scores"]
            if entry["metric"] == metric and entry["system"] == run
            and all(entry["values"][name] is not None for name in {*above, *below})
        }  # fmt: skip
        top = sum(weight * row[name] for row in rows.values() for name, weight in above.items())
        bottom = (
            sum(weight * row[name] for row in rows.values() for name, weight in below.items()) if below else len(rows)
        )
        values.append(top / bottom if bottom else None)
        places.append(set(rows))
    common = set.intersection(*places)
    expected = {} if None in values else spread([value for value in values if value is not None])
    if any(own != common for own in places):
        expected |= {"n_each": [len(own) for own in places], "n_common": len(common)}
    return expected


PARTS = {
    ("m", "values", "f"): ({"f": 1}, {}),
    ("m", "values", "g"): ({"g": 1}, {}),
    ("spans", "corpus", "edit"): ({"edit_sum": 2}, {"n_spans": 1}),
    ("spans", "corpus", "exact"): ({"exact_sum": 2}, {"n_spans": 1}),
}


@pytest.mark.parametrize("seed", range(12))
def test_values_that_runs_have_of_different_records_are_told(seed):
    draw = random.Random(seed)
    records = [drawn_record(draw, f"p{n}", draw.choice([0, 0.02, 0.3])) for n in range(draw.randint(2, 12))]
    totals = Summary(samples=20, confidence=0.9, seed=1, runs=[RUNS])
    for record in records:
        totals.add(record)
    results = list(totals.records(0))
    found = {entry["metric"]: entry for entry in results if "runs" in entry}
    notes, shown = totals.notes(), table(results)
    rows = {
        (row["metric"], row["value"]): row for row in csv.DictReader(io.StringIO(results_csv(list(found.values()))))
    }
    for (metric, part, name), sums in PARTS.items():
        value, expected = found[metric][part][name], expected_of(records, metric, *sums)
        for key in ("mean", "sd", "min", "max"):
            assert value[key] == pytest.approx(expected.get(key), abs=1e-12)
        assert {key: value[key] for key in ("n_each", "n_common") if key in value} == {
            key: expected[key] for key in ("n_each", "n_common") if key in expected
        }
        label = name if part == "values" else f"corpus.{name}"
        told = [
            note
            for note in notes
            if note.startswith(f"{metric} of r1, r2, r3: ") and re.search(rf"[:;,] {label}[,:]", note)
        ]
        assert len(told) == ("n_each" in expected and "mean" in expected)
        if told:
            counts = ", ".join(f"{run} has {n}" for run, n in zip(RUNS, expected["n_each"], strict=True))
            counts = f"runs of different records ({counts}, all have {expected['n_common']})"
            assert counts in told[0] and counts in shown and counts in rows[metric, label]["reasons"]
    assert len(notes) <= 2, "one line for each metric"


def test_runs_of_the_same_records_are_as_they_were():
    draw = random.Random(1)
    totals = Summary(samples=20, confidence=0.9, seed=1, runs=[RUNS])
    for n in range(5):
        totals.add(drawn_record(draw, f"p{n}", 0))
    results = list(totals.records(0))
    assert totals.notes() == [] and "different records" not in table(results) and "n_each" not in str(results)


def test_st_score_tells_it_on_stderr_and_in_table_and_csv():
    """A model had nothing to say of one facet in one record: that record is in one mean only."""
    ratings = {"background": 3, "method": 4, "result": 4, "conclusion": 3}
    records = [
        {"id": f"p{n}", "judgements": {"facets": [
            {"system": run, "ratings": {**ratings, **({"method": None} if run == "b" and n == 1 else {})}}
            for run in ("a", "b")
        ]}}
        for n in range(3)
    ]  # fmt: skip
    told = "method.score: runs of different records (a has 3, b has 2, all have 2)"
    for form in ("--table", "--csv"):
        done = st("st-score", "facets", "--runs", "a,b", form, input=jsonl(*records))
        assert f"st-score: facets of a, b: {told}" in done.err and done.err.count("different records") == 1
        assert told.partition(": ")[2] in done.out.decode()
    *_, runs = st("st-score", "facets", "--runs", "a,b", "--summary", input=jsonl(*records)).records
    assert (runs["values"]["method.score"]["n_each"], runs["values"]["method.score"]["n_common"]) == ([3, 2], 2)
    assert runs["values"]["method.score"]["mean"] == 1 and "n_each" not in runs["values"]["result.score"]
