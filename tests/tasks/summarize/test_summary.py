"""Summaries and comparisons of st-score: means, intervals, nulls, values over the whole input, tests."""

from __future__ import annotations

import csv
import io
import json
import math
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats
from support.run import ROOT, st

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.items import itf_idf as diversity
from scholartools.metrics.statistics import resampling
from scholartools.tasks import score, summarize
from scholartools.tasks.summarize.summary import Diversities, Keys, Summary
from scholartools.text.embeddings.sentence import embedder

LIMITATIONS = ROOT / "fixtures" / "score-limitations.jsonl"
JUDGED = ROOT / "fixtures" / "score-judged.jsonl"


def scored(name: str, metric: str = "m", more: dict | None = None, **systems: float | None) -> dict:
    """A record with one value per system."""
    made = [
        {"metric": metric, "system": system, "signature": f"{name}{system}", "values": {"f": value},
         "reasons": {"f": "nothing there"} if value is None else {}}
        for system, value in systems.items()
    ]  # fmt: skip
    return {"id": name, **(more or {}), "scores": made}


def summary(records: list[dict], **options) -> list[dict]:
    totals = Summary(**{"samples": 300, "confidence": 0.9, "seed": 3, "interval": "bootstrap", **options})
    for record in records:
        totals.add(record)
    return list(totals.records(0))


def cell(records: list[dict], **options) -> dict:
    return summary(records, **options)[0]["values"]["f"]


ROWS = [scored("a", s=0.1), scored("b", s=0.7), scored("c", s=None), scored("d", s=0.4), scored("e", s=0.4)]


def test_n_mean_median_interval_and_nulls():
    found = cell(ROWS)
    assert (found["n"], found["mean"], found["median"]) == (4, pytest.approx(0.4), 0.4)
    expected, _ = resampling.mean_interval(
        [0.1, 0.4, 0.4, 0.7], samples=300, confidence=0.9, seed=3, method="bootstrap"
    )
    assert (found["low"], found["high"]) == expected
    by_t = stats.ttest_1samp([0.1, 0.4, 0.4, 0.7], 0).confidence_interval(0.9)
    found = cell(ROWS, interval="jackknife")
    assert (found["low"], found["high"]) == pytest.approx(tuple(by_t))
    assert found["nulls"] == {"nothing there": 1}


def test_a_value_that_some_records_do_not_have_is_counted_as_null():
    other = scored("f", s=0.5)
    other["scores"][0]["values"] = {"g": 0.5}
    found = summary([*ROWS, other])[0]
    assert found["values"]["f"]["nulls"] == {"nothing there": 1, "the scores of the record lack this value": 1}
    assert found["values"]["g"]["nulls"] == {"the scores of the record lack this value": 5}


def test_a_count_that_is_null_counts_nothing():
    """An entry of ``scores`` may have any key of the schema as null; the second one of a group ended in a TypeError."""
    rows = [scored(name, s=0.5) for name in ("a", "b", "c")]
    for row, count in zip(rows, (None, None, 2), strict=True):
        row["scores"][0]["n_negative"] = count
    assert summary(rows)[0]["n_negative"] == 2 and summary(rows[:2])[0].get("n_negative") is None


def test_nothing_but_nulls_has_no_mean():
    found = cell([scored("a", s=None), scored("b", s=None)])
    assert (found["n"], found["mean"], found["median"], found["low"]) == (0, None, None, None)
    assert found["nulls"] == {"nothing there": 2} and found["reason"]


NUMBERS = some.one_of(
    some.none(), some.integers(-(10**9), 10**9).map(lambda n: n / 10**9), some.sampled_from([0.1, 0.3])
)
RECORDS = some.lists(some.tuples(some.integers(0, 2), NUMBERS, NUMBERS), min_size=1, max_size=12)


@settings(max_examples=25)
@given(RECORDS, some.randoms(use_true_random=False), some.booleans())
def test_the_order_of_the_records_changes_nothing_but_the_order_of_the_results(rows, source, clustered):
    records = [
        scored(f"r{place}", more={"year": year}, s=one, t=other) for place, (year, one, other) in enumerate(rows)
    ]
    keys = Keys(by=None if clustered else "year", cluster="year" if clustered else None)
    options = {"samples": 50, "keys": keys, "pairs": [("s", "t")]}

    def by_name(results: list[dict]) -> dict[str, dict]:
        return {
            json.dumps([entry["metric"], entry.get("system"), entry.get("compare"), entry.get("by")]): entry
            for entry in results
        }

    first = by_name(summary(records, **options))
    source.shuffle(records)
    assert by_name(summary(records, **options)) == first
    assert "NaN" not in json.dumps(first) and "Infinity" not in json.dumps(first)


def test_clusters_are_drawn_whole():
    records = [scored(f"r{place}", more={"paper": place // 5}, s=float(place // 5)) for place in range(10)]
    found = cell(records, keys=Keys(cluster="paper"))
    assert (found["low"], found["mean"], found["high"], found["n_clusters"]) == (0, 0.5, 1, 2)
    alone = cell(records)
    assert alone["low"] > 0 and alone["high"] < 1, "ten independent records vary less than two papers"
    single = cell(records[:5], keys=Keys(cluster="paper"))
    assert single["low"] is None and single["reason"] == "fewer than two clusters to draw from"


def test_by_summarises_every_part_by_itself():
    records = [scored("a", more={"venue": {"year": 1}}, s=0.2), scored("b", more={"venue": {"year": 2}}, s=0.4)]
    found = summary([*records, scored("c", more={"venue": {"year": 1}}, s=0.6)], keys=Keys(by="venue.year"))
    assert [(entry["by"], entry["n"], entry["values"]["f"]["mean"]) for entry in found] == [
        ({"venue.year": 1}, 2, pytest.approx(0.4)), ({"venue.year": 2}, 1, 0.4)]  # fmt: skip
    with pytest.raises(InputFault, match=r'no "venue.year"'):
        summary([scored("d", s=1.0)], keys=Keys(by="venue.year"))


# Comparisons.

FIRST = [0.62, 0.55, 0.71, 0.4, 0.93]
SECOND = [0.5, 0.57, 0.6, 0.31, 0.8]
BOTH = [
    scored(f"r{place}", x=one, y=other, z=0.5) for place, (one, other) in enumerate(zip(FIRST, SECOND, strict=True))
]
UNPAIRED = [scored("only-x", x=9.0), scored("null-y", x=9.0, y=None), scored("only-y", y=9.0)]


def compared(records: list[dict], *pairs: tuple[str, str], **options) -> list[dict]:
    return [entry for entry in summary(records, pairs=pairs, **options) if "compare" in entry]


def test_a_comparison_is_of_the_items_both_have_and_counts_the_others():
    (entry,) = compared([*BOTH, *UNPAIRED], ("x", "y"))
    found = entry["values"]["f"]
    assert (found["n"], found["unpaired"]) == (5, [2, 1])
    differences = [one - other for one, other in zip(FIRST, SECOND, strict=True)]
    assert found["difference"]["value"] == pytest.approx(sum(differences) / 5)
    assert min(differences) <= found["difference"]["low"] <= found["difference"]["high"] <= max(differences)
    expected = stats.ttest_rel(FIRST, SECOND)
    assert (found["t_test"]["t"], found["t_test"]["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    spread = math.sqrt((stats.tvar(FIRST) * 0.8 + stats.tvar(SECOND) * 0.8) / 2)
    assert found["cohen_d"]["value"] == pytest.approx(sum(differences) / 5 / spread)


def test_values_that_are_named_are_compared_alone_and_corrected_for_their_number():
    args = ("st-score", "match", "--compare", "careful", "vague", LIMITATIONS)
    runs = (st(*args), st(*args, "--compare-values", "f1"))
    whole, one = (next(entry for entry in run.records if "compare" in entry) for run in runs)
    assert len(whole["values"]) > 1 and [*one["values"]] == ["f1"]
    free = ("p_holm", "p_bh")
    alone, among = (
        {key: value for key, value in entry["values"]["f1"]["difference"].items() if key not in free}
        for entry in (one, whole)
    )
    assert alone == among and (one["n_tests"], one["values"]["f1"]["difference"]["p_holm"]) == (1, alone["p"])
    assert one["signature"] != whole["signature"]


def test_pooled_values_are_compared_over_the_items_of_both():
    found = {
        entry["metric"]: entry
        for entry in st("st-score", "equations", "--compare", "guesser", "solver", JUDGED).records
        if "compare" in entry
    }["equations"]["corpus"]
    summaries = whole("equations", "--summary", str(JUDGED))
    for name in ("precision", "f1", "unparsed"):
        values = [summaries[system]["corpus"][name]["value"] for system in ("guesser", "solver")]
        assert found[name]["means"] == pytest.approx(values)
        assert found[name]["difference"]["value"] == pytest.approx(values[0] - values[1])
        assert found[name]["difference"]["low"] <= found[name]["difference"]["high"]
        assert found[name]["difference"]["p_holm"] >= found[name]["difference"]["p"] > 0.1, "three records only"
        assert (
            found[name]["t_test"]["p"] is None and found[name]["t_test"]["reason"] == found[name]["cohen_d"]["reason"]
        )
    mean = st("st-score", "equations", "--compare", "guesser", "solver", "--csv", JUDGED).out.decode()
    rows = {row["value"]: row for row in csv.DictReader(io.StringIO(mean))}
    assert float(rows["corpus.f1"]["difference"]) == pytest.approx(found["f1"]["difference"]["value"])
    assert rows["corpus.f1"]["difference"] != rows["f1"]["difference"] and rows["corpus.f1"]["t_p"] == ""
    table = st("st-score", "equations", "--compare", "guesser", "solver", "--table", JUDGED).out.decode()
    assert "corpus.f1" in table.split("guesser - solver")[1]


def test_pooled_values_of_unpaired_items_are_left_out():
    def record(name, **systems):
        made = [
            {"metric": "spans", "system": system, "signature": f"{name}{system}", "reasons": {},
             "values": {"edit_sum": above, "exact_sum": 0.0, "n_spans": below}}
            for system, (above, below) in systems.items()
        ]  # fmt: skip
        return {"id": name, "scores": made}

    data = [record("a", x=(1.0, 4.0), y=(2.0, 4.0)), record("b", x=(1.0, 2.0), y=(0.0, 3.0)), record("c", x=(9.0, 9.0))]
    edit = compared(data, ("x", "y"))[0]["corpus"]["edit"]
    assert (edit["n"], edit["unpaired"], edit["means"]) == (2, [1, 0], [4 / 6, 4 / 7])
    assert edit["difference"]["value"] == pytest.approx(4 / 6 - 4 / 7)
    empty = [record("a", x=(0.0, 0.0), y=(0.0, 2.0)), record("b", x=(0.0, 0.0), y=(1.0, 2.0))]
    assert compared(empty, ("x", "y"))[0]["corpus"]["edit"]["difference"]["reason"] == "the divisor is 0"


@pytest.mark.parametrize("cluster", [None, "id"])
@pytest.mark.parametrize("large", [1e308, -1e308])
def test_numbers_too_large_to_be_added_have_no_mean(large, cluster):
    records = [scored(f"r{place}", x=large, y=0.5) for place in range(4)]
    found = summary(records, pairs=[("x", "y")], keys=Keys(cluster=cluster))
    values = {entry.get("system", "both"): entry["values"]["f"] for entry in found}
    assert (values["x"]["n"], values["x"]["mean"], values["x"]["low"]) == (4, None, None) and values["x"]["reason"]
    assert values["y"]["mean"] == 0.5
    for part in ("difference", "t_test", "cohen_d"):
        assert values["both"][part]["reason"] == "the numbers are too large"
    assert not {"NaN", "Infinity"} & set(json.dumps(found).replace(",", " ").split())


def test_numbers_too_large_end_in_nulls_from_outside_as_well():
    records = b"".join(
        json.dumps({**scored(f"r{place}", x=1e308, y=0.5), "abstract": "a b", "summaries": [{"system": "x", "text": "a"}]})
        .encode() + b"\n" for place in range(3)
    )  # fmt: skip
    for form in ("--summary", "--table", "--csv"):
        result = st("st-score", "text", "--compare", "x", "y", form, input=records)
        assert (result.status, result.err) == (0, "") and not re.search(rb"(?i)\b-?inf(inity)?\b", result.out)


def test_clusters_compared_are_t_tested_by_their_means():
    source = random.Random(3)
    rows = [(paper, source.random(), 0.1 * paper - 0.1, source.random() / 10) for paper in range(6) for _ in range(10)]
    records = [
        scored(f"r{place}", more={"paper": paper}, x=score, y=score + shift + noise)
        for place, (paper, score, shift, noise) in enumerate(rows)
    ]
    (entry,), (items,) = (compared(records, ("x", "y"), keys=Keys(cluster=cluster)) for cluster in ("paper", None))
    means = [
        [sum(record["scores"][side]["values"]["f"] for record in records if record["paper"] == paper) / 10
         for paper in range(6)] for side in (0, 1)
    ]  # fmt: skip
    found, test = entry["values"]["f"], entry["values"]["f"]["t_test"]
    expected = stats.ttest_rel(*means)
    assert (test["t"], test["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found["n"], test["n"], test["df"], test["over"]) == (60, 6, 5, "paper")
    assert items["values"]["f"]["t_test"]["n"] == 60 and items["values"]["f"]["t_test"]["p"] < test["p"] / 100
    assert items["values"]["f"]["cohen_d"] == found["cohen_d"], "d is of items"
    assert "f: t-test of the mean differences by paper, n=6" in summarize.table([entry])


def test_equal_means_differ_by_nothing_from_outside():
    entry = next(entry for entry in st("st-score", "facets", "--compare", "model-a", "lead-2", JUDGED).records
                 if "compare" in entry)  # fmt: skip
    found = entry["values"]["background.score"]
    assert (found["difference"]["value"], found["cohen_d"]["value"], found["t_test"]["t"]) == (0, 0, 0)
    table = st("st-score", "facets", "--compare", "model-a", "lead-2", "--table", JUDGED).out.decode()
    assert "-0.000" not in table and "e-16" not in table


def test_the_other_way_round_changes_signs_alone():
    (one,), (other,) = compared(BOTH, ("x", "y")), compared(BOTH, ("y", "x"))
    for key in ("value", "low"):
        mirrored = {"value": "value", "low": "high"}[key]
        assert one["values"]["f"]["difference"][key] == pytest.approx(-other["values"]["f"]["difference"][mirrored])
    assert one["values"]["f"]["t_test"]["p"] == pytest.approx(other["values"]["f"]["t_test"]["p"])


def test_a_difference_of_shares_has_limits_among_the_possible_differences():
    """Three papers whose ratings differ by nearly all that they can; the limits by t alone are beyond 1."""
    of_paper = [(4, 1, 1), (4, 1, 1), (3, 1, 1)]
    records = [
        {
            "id": f"p{n}",
            "judgements": {
                "facets": [
                    {"system": "a", "ratings": {"method": high}},
                    {"system": "b", "ratings": {"method": low, "result": result}},
                ]
            },
        }
        for n, (high, low, result) in enumerate(of_paper)
    ]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (found,) = [one for one in st("st-score", "facets", "--compare", "a", "b", input=lines).records if "compare" in one]
    difference = found["values"]["method.score"]["difference"]
    assert difference["value"] == pytest.approx((0.75 + 0.75 + 0.5) / 3)
    assert (difference["low"] > -1, difference["high"]) == (True, 1)


def test_holm_over_all_that_the_table_of_a_metric_shows():
    """Each p against Holm's formula over every value of every pair; the counts are those of the p that there are."""
    for pairs in ([("x", "y"), ("x", "z"), ("y", "z")], [("x", "y")]):
        entries = compared(BOTH, *pairs)
        shown = [value for entry in entries for value in {**entry["values"], **entry.get("corpus", {})}.values()]
        for test, count in (("difference", "n_tests"), ("t_test", "n_t_tests")):
            tests = [value[test] for value in shown if value[test]["p"] is not None]
            assert {entry[count] for entry in entries} == {len(tests)} and tests
            highest = 0.0
            for rank, one in enumerate(sorted(tests, key=lambda one: one["p"])):
                highest = max(highest, min(1, (len(tests) - rank) * one["p"]))
                assert one["p_holm"] == pytest.approx(highest)


def test_one_family_over_metrics_and_parts_of_the_input():
    """Facets x metrics x pairs: all that a run shows is one family, each kind of test by itself."""
    records = [
        {**scored(f"{metric}{part}{place}", metric, x=one + shift, y=other, z=0.5), "venue": part}
        for part, shift in (("a", 0.0), ("b", 0.4))
        for metric in ("m", "other")
        for place, (one, other) in enumerate(zip(FIRST, SECOND, strict=True))
    ]
    pairs = (("x", "y"), ("x", "z"))
    for adjust, key, by_hand in (("holm", "p_holm", None), ("bh", "p_bh", stats.false_discovery_control)):
        entries = compared(records, *pairs, keys=Keys(by="venue"), interval="jackknife", adjust=adjust)
        assert len(entries) == 8
        for test, count in (("difference", "n_tests"), ("t_test", "n_t_tests")):
            tests = [entry["values"]["f"][test] for entry in entries]
            p_values = [one["p"] for one in tests if one["p"] is not None]
            assert {entry[count] for entry in entries} == {len(p_values)} and len(p_values) > 4
            assert min(one[key] for one in tests if one["p"] is not None) > min(p_values)
            if by_hand:
                assert [one[key] for one in tests if one["p"] is not None] == pytest.approx(by_hand(p_values))


def test_equal_systems_differ_by_nothing_and_say_why_there_is_no_test():
    records = [scored(f"r{place}", x=value, y=value) for place, value in enumerate(FIRST)]
    found = compared(records, ("x", "y"))[0]["values"]["f"]
    assert (found["difference"]["value"], found["difference"]["p"]) == (0, 1)
    assert found["t_test"]["p"] is None and found["t_test"]["reason"] == "all differences are equal"
    found = compared(records, ("x", "y"), interval="jackknife")[0]["values"]["f"]["difference"]
    assert (found["value"], found["p"], found["reason"]) == (
        0,
        None,
        "the value is the same whichever item is left out",
    )


def test_a_metric_that_one_system_lacks_pairs_nothing():
    records = [scored(f"r{place}", metric="n", x=value) for place, value in enumerate(FIRST)]
    found = next(entry for entry in compared([*BOTH, *records], ("x", "y"), keys=Keys(item="scores.0.signature"))
                 if entry["metric"] == "n")["values"]["f"]  # fmt: skip
    assert (found["n"], found["unpaired"], found["difference"]["value"]) == (0, [5, 0], None)


def test_who_is_not_there_cannot_be_compared():
    with pytest.raises(UsageFault, match=r'no system "w" has scores \(systems with scores: x, y, z\)'):
        compared(BOTH, ("x", "w"))
    with pytest.raises(UsageFault, match="with itself"):
        compared(BOTH, ("x", "x"))


def test_an_item_that_comes_twice_is_refused_whole():
    totals = Summary(samples=100, confidence=0.9, seed=0, pairs=[("x", "y")])
    totals.add(BOTH[0])
    with pytest.raises(InputFault, match='"r0" was scored before'):
        totals.add({**BOTH[0], "scores": [*scored("r0", new=1.0)["scores"], *BOTH[0]["scores"]]})
    counts = {entry["system"]: entry["n"] for entry in totals.records(1) if "system" in entry}
    assert counts == {"x": 1, "y": 1, "z": 1}


def test_signatures_tell_what_was_compared_apart():
    marks = {entry["signature"] for entry in compared(BOTH, ("x", "y"), ("x", "z"))}
    marks |= {compared(BOTH, ("x", "y"))[0]["signature"], compared(BOTH, ("x", "y"), seed=4)[0]["signature"]}
    renamed = [{**record, "id": f"q{record['id']}"} for record in BOTH]
    marks.add(compared([*renamed[:2], *BOTH[2:]], ("x", "y"))[0]["signature"])
    assert len(marks) == 5


# Over the whole input.


def whole(*args: str) -> dict[str, dict]:
    result = st("st-score", *args)
    assert result.status == 0, result.err
    return {entry["system"]: entry for entry in result.records}


def test_equations_are_pooled_and_stand_beside_all_positive():
    found = whole("equations", "--summary", str(JUDGED))
    guesser = found["guesser"]["corpus"]
    assert guesser["precision"]["value"] == pytest.approx(2 / 10) and guesser["recall"]["value"] == pytest.approx(2 / 3)
    assert guesser["f1"]["value"] == pytest.approx(2 * 2 / (2 * 2 + 8 + 1))
    assert guesser["unparsed"]["value"] == pytest.approx(2 / 12)
    for entry in found.values():
        percent = [
            f"{100 * entry['corpus'][f'all_positive.{name}']['value']:.2f}" for name in ("f1", "precision", "recall")
        ]
        assert percent == ["40.00", "25.00", "100.00"]


def soft_summary(records: list[dict], limit: float | None) -> dict[str, dict]:
    diversities = Diversities(None, None, limit, items=True)
    made = summary([score.score(record, ["soft"]) for record in records], diversities=diversities)
    return {entry["system"]: entry for entry in made}


def test_itf_idf_is_that_of_the_whole_input_with_and_without_threshold():
    records = [json.loads(line) for line in LIMITATIONS.read_text().splitlines()]
    lists = [[item["text"] for item in record["generated"]["weaknesses"][0]["items"]] for record in records]
    vectors, sizes = embedder().vectors([text for part in lists for text in part]), [len(part) for part in lists]
    for text in ("0.3", "none"):
        limit = summarize.threshold(text)
        entry = soft_summary(records, limit)["careful"]
        expected = diversity.itf_idf(vectors, sizes, limit)
        assert entry["corpus"]["itf_idf"]["value"] == pytest.approx(expected.value.value, abs=1e-9)
        bare = diversity.itf_idf(vectors, sizes, None).value.value
        assert entry["corpus"]["itf_idf_unthresholded"]["value"] == pytest.approx(bare, abs=1e-9)
        papers = {paper["id"]: paper for paper in entry["papers"]}
        for record, paper, items in zip(records, expected.papers, expected.items, strict=True):
            assert papers[record["id"]]["itf_idf"] == pytest.approx(paper.value, abs=1e-9)
            found = [item["itf_idf"] for item in papers[record["id"]]["items"]]
            assert found == pytest.approx([item.value for item in items], abs=1e-9)


def test_a_paper_without_items_is_0_in_itf_idf_or_dropped_and_told_either_way():
    counted, dropped = (
        st("st-score", "soft", "--summary", *more, LIMITATIONS).records[1] for more in ((), ("--empty", "drop"))
    )
    assert counted["system"] == "vague" and counted["n_empty"] == 1
    one, other = counted["corpus"]["itf_idf"], dropped["corpus"]["itf_idf"]
    assert (one["n"], one["n_empty"], other["n"], other["n_empty"]) == (4, 1, 3, 1)
    lists = [json.loads(line)["generated"]["weaknesses"][1]["items"] for line in LIMITATIONS.read_text().splitlines()]
    vectors = embedder().vectors([item["text"] for part in lists for item in part])
    sizes = [len(part) for part in lists]
    assert sizes.count(0) == 1
    assert one["value"] == pytest.approx(diversity.itf_idf(vectors, sizes).value.value, abs=1e-9)
    assert other["value"] == pytest.approx(diversity.itf_idf(vectors, sizes, empty="drop").value.value, abs=1e-9)
    assert one["value"] != other["value"] and counted["signature"] != dropped["signature"]
    assert counted["values"] == dropped["values"], "S-F1 counts silence as 0 in either case"
    careful = [st("st-score", "soft", "--summary", *more, LIMITATIONS).records[0] for more in ((), ("--empty", "drop"))]
    assert careful[0] == careful[1], "no list is empty: the option changes nothing, nor the signature"


def test_records_in_which_a_system_has_no_entry_are_told():
    found = {entry["system"]: entry for entry in summary([*ROWS, scored("f", t=0.5)])}
    assert (found["s"]["n_absent"], found["t"]["n_absent"]) == (1, 5)
    alone = summary(ROWS)[0]
    assert "n_absent" not in alone and alone["signature"] != found["s"]["signature"]
    assert "s: records without an entry of this system, left out: 1" in summarize.table(
        summary([*ROWS, scored("f", t=0.5)])
    )


def test_spans_are_summed_before_they_are_divided():
    def record(name: str, wanted: list[str], given: list[str]) -> dict:
        return {"id": name, "claims": wanted, "generated": {"claims": [{"system": "s", "items": given}]}}

    data = [record("a", ["abcd"], ["abce", "q"]), record("b", ["xy"], ["xy"]), record("c", [], [])]
    entry = summary([score.score(one, ["spans"]) for one in data])[0]
    assert entry["corpus"]["edit"]["value"] == pytest.approx(2 * 1.75 / 5)
    assert entry["corpus"]["exact"]["value"] == pytest.approx(2 * 1 / 5)
    assert entry["values"]["edit"]["nulls"] == {"no span was marked": 1}


def test_reviews_not_papers_are_what_critique_is_averaged_over():
    entry = whole("review", "--summary", "--cluster", "id", str(JUDGED))["critic"]
    found = entry["values"]["labeling-all.precision"]
    assert (entry["n"], found["n_clusters"], found["mean"]) == (4, 3, pytest.approx((0.5 + 1 + 1 + 0) / 4))


# Output.

ALL = ("match", "soft", "--compare", "careful", "vague")


def test_the_whole_summary_is_the_same_in_any_order_and_in_several_processes():
    lines = LIMITATIONS.read_bytes().splitlines(True)
    base = st("st-score", *ALL, input=b"".join(lines))
    random.Random(1).shuffle(lines)
    shuffled = st("st-score", *ALL, "--jobs", "2", input=b"".join(lines))
    assert base.status == shuffled.status == 0
    assert base.out == shuffled.out
    assert sorted(entry["metric"] for entry in base.records) == ["match"] * 3 + ["soft"] * 3


def test_csv_has_a_row_per_value_and_the_comparisons_by_themselves():
    rows = list(csv.DictReader(io.StringIO(st("st-score", "match", "--csv", LIMITATIONS).out.decode())))
    row = next(row for row in rows if (row["system"], row["value"]) == ("vague", "c_llm"))
    assert (row["n"], row["nulls"], row["reasons"]) == ("3", "1", "1 x nothing generated")
    assert row["counts"] == "n_empty=1"
    assert float(row["mean"]) == pytest.approx((1 / 2 + 1 / 3 + 1 / 2) / 3)
    rows = list(csv.DictReader(io.StringIO(st("st-score", "match", *ALL[2:], "--csv", LIMITATIONS).out.decode())))
    row = next(row for row in rows if row["value"] == "c_gt")
    assert (row["first"], row["second"], row["n"]) == ("careful", "vague", "4")
    expected = stats.ttest_rel([2 / 3, 1, 1 / 2, 1], [1 / 3, 1 / 2, 1 / 2, 0])
    assert float(row["t_p"]) == pytest.approx(expected.pvalue)


def test_tables_for_people_say_what_is_undefined_and_what_was_left_out():
    text = st("st-score", *ALL, "--table", LIMITATIONS).out.decode()
    assert "corpus.itf_idf" in text and "match: careful - vague" in text
    assert "vague: 1 of 4 undefined: nothing generated" in text
    assert "items left out, with a number of careful alone: 1" in text
    assert (
        "Holm over all values, pairs, metrics and parts of this output: " in text
        and "named as in BAGELS" in text
        and "nan" not in text.lower().split()
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ("--compare", "careful", "nobody"),
            '--compare: no system "nobody" has scores (systems with scores: careful, vague)',
        ),
        (
            ("--compare", "careful", "vague", "--compare-values", "f2"),
            '--compare-values: no compared metric has the value "f2": the values are precision, recall, f1, n_items',
        ),
        (("--compare-values", "f1"), "--compare-values needs --compare"),
        (("--table", "--csv"), "--table cannot be used with --csv"),
        (("--summary", "--item", "id"), "--item needs --compare or --itf-idf-items"),
        (("--item", "id"), "--item needs --compare or --itf-idf-items"),
        (("--empty", "drop"), "--empty needs --summary, --table, --csv, --compare, --runs or --median-of"),
        (("--bertscore", "roberta-large:17"), "--bertscore cannot be used with soft"),
    ],
)
def test_what_cannot_be_summarised_is_wrong_usage(args, message):
    result = st("st-score", "soft", *args, LIMITATIONS)
    assert (result.status, result.out, result.err) == (2, b"", f"st-score: {message}\n")


def test_an_empty_item_leaves_itf_idf_undefined_with_the_place():
    items = [{"text": "Bees decline."}, {"text": ""}]
    record = {"id": "p", "weaknesses": ["w"], "generated": {"weaknesses": [{"system": "s", "items": items}]}}
    entry = soft_summary([record], 0.5)["s"]
    assert entry["corpus"]["itf_idf"]["reason"] == 'item 2 of "p" has no word that the embedder knows'


def test_every_option_changes_the_signature():
    options = [
        {},
        {"samples": 200},
        {"confidence": 0.8},
        {"seed": 5},
        {"interval": "jackknife"},
        {"keys": Keys(cluster="id")},
        {"keys": Keys(by="id")},
    ]
    assert len({summary(ROWS, **more)[0]["signature"] for more in options}) == len(options)
    assert len({summarize.threshold(text) for text in ("none", "0", "0.5")}) == 3
