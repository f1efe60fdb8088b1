"""st-score from outside: facets of summaries against the abstract, and the abstract against its own paper."""

from __future__ import annotations

import json
import random

import pytest
from rouge_score.rouge_scorer import RougeScorer
from support.intervals import halls
from support.run import ABSTRACT, ROOT, jsonl, shell, st
from support.scores import CANDIDATE, REFERENCE, extract, record

SUMMARIES = ROOT / "fixtures" / "summaries.jsonl"


def scores(result) -> dict:
    assert result.status == 0, result.err
    return result.records[0]["scores"][0]


def test_rouge_by_facet_is_the_reference_package_s():
    entry = scores(st("st-score", input=jsonl(record(REFERENCE, {"mine": CANDIDATE}))))
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
    for facet in ("method", "result"):
        expected = scorer.score(REFERENCE[facet], CANDIDATE[facet])
        for name in expected:
            assert entry["values"][f"{facet}.{name}"] == pytest.approx(expected[name].fmeasure, abs=1e-12)
    assert entry["values"]["method.rouge1"] == pytest.approx(2 * 1 * 0.75 / 1.75)  # 3 of 3 and 3 of 4 words


def test_a_facet_only_the_abstract_has_scores_0_and_one_only_the_summary_has_is_null():
    entry = scores(st("st-score", input=jsonl(record(REFERENCE, {"mine": CANDIDATE}))))
    assert entry["values"]["background.rouge1"] == 0
    assert entry["values"]["conclusion.rouge1"] is None
    assert entry["reasons"]["conclusion.rouge1"] == "no conclusion in the abstract"
    assert set(entry["reasons"]) == {name for name, value in entry["values"].items() if value is None}


def test_an_empty_summary_scores_0_wherever_the_abstract_has_something():
    data = record(REFERENCE, {"silent": dict.fromkeys(REFERENCE)})
    entry = scores(st("st-score", "facets", input=jsonl(data)))
    assert entry["values"]["overall.rougeL"] == 0 and entry["values"]["method.rouge2"] == 0


def test_a_record_without_facets_names_the_command_to_run_first():
    result = st("st-score", input=jsonl({"id": "x", "abstract": ABSTRACT}))
    assert result.status == 3
    assert result.err == 'st-score: -:1: no "facets": run st-facets first\n'


def test_an_unknown_metric_is_wrong_usage():
    result = st("st-score", "fasets", input=b"")
    assert result.status == 2
    assert result.err == 'st-score: "fasets" is neither a metric nor a file; did you mean facets or targets?\n'


def test_scores_of_other_metrics_stay():
    data = {**record(REFERENCE, {"mine": CANDIDATE}), "scores": [
        {"metric": "other", "system": "mine", "signature": "s", "values": {"x": 1.0}, "reasons": {}}]}  # fmt: skip
    metrics = [entry["metric"] for entry in st("st-score", input=jsonl(data)).records[0]["scores"]]
    assert metrics == ["other", "facets"]


def test_support_points_to_the_passages_it_counts(parsed):
    result = shell_pipe(parsed, "st-facets | st-score support")
    paper = result.records[0]
    entry = next(entry for entry in paper["scores"] if entry["metric"] == "support")
    sections = {section["id"]: section for section in paper["sections"]}
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
    found = 0
    for facet, spans in entry["evidence"].items():
        for span in spans:
            assert sections[span["in"]]["text"][span["start"] : span["end"]] == span["text"]
        if spans:
            found += 1
            expected = scorer.score(paper["facets"][0][facet]["text"], " ".join(span["text"] for span in spans))
            assert entry["values"][f"{facet}.rouge1_recall"] == pytest.approx(expected["rouge1"].recall)
    assert found >= 3
    assert entry["values"]["overall.present"] == sum(entry["values"][f"{f}.present"] for f in entry["evidence"]) / 4


def shell_pipe(data: bytes, line: str):
    return shell(line, input=data)


def test_support_finds_a_sentence_that_is_said_again():
    body = "Many words stand here. " * 30 + "The model beats the baseline by four points. " + "More words follow. " * 30
    section = {"id": "s1", "number": "4", "heading": "Results", "level": 1, "role": "result", "text": body.strip()}
    abstract = "The model beats the baseline by four points."
    facets = {"in": "abstract", "by": "hand", **dict.fromkeys(["background", "method", "conclusion"])}
    facets["result"] = extract("abstract", abstract, abstract)
    data = {"id": "p", "abstract": abstract, "sections": [section], "facets": [facets]}
    entry = scores(st("st-score", input=jsonl(data)))
    assert entry["values"]["result.rougeL_recall"] == 1
    assert abstract in entry["evidence"]["result"][0]["text"]
    assert entry["values"]["method.present"] == 0 and entry["values"]["method.rouge1_recall"] is None


def test_support_without_a_matching_section_is_null_with_the_reason():
    data = record({**dict.fromkeys(REFERENCE), "conclusion": "So plant hedges."}, {})
    data["sections"] = [
        {"id": "s1", "number": None, "heading": "Method", "level": 1, "role": "method", "text": "We dig."}
    ]
    entry = scores(st("st-score", "support", input=jsonl(data)))
    assert entry["values"]["conclusion.rouge1_recall"] is None
    assert entry["reasons"]["conclusion.rouge1_recall"].startswith("no text in a section of the roles conclusion")


def test_a_subsection_takes_the_role_of_the_section_it_is_in():
    abstract = "So plant hedges."
    data = record({**dict.fromkeys(REFERENCE), "conclusion": abstract}, {})
    data["sections"] = [
        {"id": "s1", "number": "5", "heading": "Discussion", "level": 1, "role": "discussion", "text": ""},
        {"id": "s2", "number": "5.1", "heading": "Farms", "level": 2, "role": "other", "text": "So plant hedges."},
    ]
    entry = scores(st("st-score", "support", input=jsonl(data)))
    assert entry["evidence"]["conclusion"][0]["in"] == "s2"


def summary(*args: str, data: bytes | None = None):
    faceted = st("st-facets", SUMMARIES).out if data is None else data
    return st("st-score", "facets", "--summary", *args, input=faceted)


def test_summary_has_one_record_per_system_with_n_mean_and_interval():
    per_record = [
        json.loads(line) for line in st("st-score", "facets", input=st("st-facets", SUMMARIES).out).out.splitlines()
    ]
    result = summary()
    assert [entry["system"] for entry in result.records] == ["lead-2", "model-a"]
    for entry in result.records:
        values = [
            made["values"]["overall.rouge1"]
            for one in per_record
            for made in one["scores"]
            if made["system"] == entry["system"]
        ]
        cell = entry["values"]["overall.rouge1"]
        assert (entry["n"], cell["n"]) == (4, 4)
        assert cell["mean"] == pytest.approx(sum(values) / 4)
        low, high, *_ = halls(values, 0.95)
        assert (cell["low"], cell["high"]) == pytest.approx((max(low, 0), min(high, 1)))


def test_nulls_are_counted_with_their_reasons():
    for entry in summary().records:
        for cell in entry["values"].values():
            assert cell["n"] + sum(cell["nulls"].values()) == entry["n"]
    nulls = summary().records[0]["values"]["conclusion.rouge1"]["nulls"]
    assert all(reason == "no conclusion in the abstract" for reason in nulls)


def test_one_record_has_no_interval_and_says_why():
    cell = summary(data=st("st-facets", input=SUMMARIES.read_bytes().splitlines(True)[0]).out).records[0]["values"][
        "overall.rouge1"
    ]
    assert cell["low"] is None and cell["high"] is None and cell["reason"]


def test_the_same_seed_gives_the_same_bytes_and_every_option_another_signature():
    base = summary()
    assert base.out == summary().out
    others = [summary("--seed", "1"), summary("--confidence", "0.9")]
    others += [summary("--interval", "bootstrap"), summary("--interval", "bootstrap", "--bootstrap", "200")]
    assert len({entry.records[0]["signature"] for entry in [base, *others]}) == 5
    changed = st("st-facets", input=SUMMARIES.read_text().replace("38%", "39%")).out
    assert summary(data=changed).records[0]["signature"] != base.records[0]["signature"]


def test_failed_records_are_counted_and_in_no_number():
    faceted = st("st-facets", SUMMARIES).out
    result = summary(data=b"garbage\n" + faceted + jsonl({"id": "none"}))
    assert result.status == 1
    assert result.records[0]["failed"] == 2
    clean = summary(data=faceted).records[0]
    less = result.records[0]
    assert less.pop("signature") != clean.pop("signature")
    assert {**less, "failed": 0} == clean


def test_nothing_to_summarise_writes_nothing():
    result = st("st-score", "--summary", input="garbage\n")
    assert (result.status, result.out) == (3, b"")


def test_table_is_for_people():
    result = st("st-score", "facets", "--table", input=st("st-facets", SUMMARIES).out)
    lines = result.out.decode().splitlines()
    assert lines[0].split() == ["facets", "n", "rouge1", "rouge2", "rougeL"]
    assert any(line.startswith("model-a") and "overall" in line and "[" in line for line in lines)
    assert "no conclusion in the abstract" in result.out.decode()
    assert "95% jackknife interval, by t" in result.out.decode()


def test_split_input_scores_to_the_same_bytes():
    lines = st("st-facets", SUMMARIES).out.splitlines(True)
    random.Random(0).shuffle(lines)
    whole = st("st-score", input=b"".join(lines)).out
    assert whole == b"".join(st("st-score", input=line).out for line in lines)


def test_facets_of_another_text_are_refused():
    data = record(REFERENCE, {"mine": CANDIDATE})
    data["abstract"] = data["abstract"].replace("38%", "83%")
    result = st("st-score", input=jsonl(data))
    assert result.status == 3 and "run st-facets again" in result.err


def test_two_systems_of_one_name_are_refused():
    data = record(REFERENCE, {"mine": CANDIDATE})
    data["summaries"] *= 2
    assert '"summary:mine"' in st("st-score", input=jsonl(data)).err


def test_the_signature_changes_with_what_decides_the_role_of_a_section():
    data = record({**dict.fromkeys(REFERENCE), "method": "We dig."}, {})
    marks = set()
    for level in (1, 2):
        data["sections"] = [
            {
                "id": "s1",
                "number": None,
                "heading": "Related Work",
                "level": 1,
                "role": "related",
                "text": "Others dig.",
            },
            {"id": "s2", "number": None, "heading": "Digging", "level": level, "role": "other", "text": "We dig."},
        ]
        entry = scores(st("st-score", "support", input=jsonl(data)))
        marks.add((entry["signature"], entry["values"]["method.rouge1_recall"]))
    assert len({mark for mark, _ in marks}) == len({value for _, value in marks}) == 2


def test_a_cell_that_stands_on_fewer_records_says_so():
    table = st("st-score", "facets", "--table", input=st("st-facets", SUMMARIES).out).out.decode()
    rows = [line.split("  ") for line in table.splitlines() if "  conclusion  " in line]
    assert len(rows) == 2 and all(cell.endswith(" n=2") for row in rows for cell in row if "[" in cell)


def test_a_user_s_own_score_may_have_any_name():
    data = {**record(REFERENCE, {"mine": CANDIDATE}), "scores": [
        {"metric": "own", "system": "my\nsystem", "signature": "s", "values": {"q": 1.0}, "reasons": {}}]}  # fmt: skip
    result = st("st-score", "--table", input=jsonl(data))
    assert result.status == 0 and "my system" in result.out.decode()


def test_summaries_in_several_processes_are_the_same():
    faceted = st("st-facets", SUMMARIES).out
    assert summary("--jobs", "2", data=faceted).out == summary(data=faceted).out


def test_nothing_to_tabulate_prints_nothing():
    assert st("st-score", "--table").out == b""


def test_variables_of_other_commands_do_not_disturb():
    result = st("st-score", "--summary", input=st("st-facets", SUMMARIES).out, env={"ST_SAMPLES": "3"})
    assert result.status == 0


def test_several_samples_of_facets_are_refused_not_chosen_from():
    record = {"id": "a", "abstract": "We tried it. It works.", "summaries": [{"system": "s", "text": "It works."}]}
    [labelled] = st("st-facets", input=jsonl(record)).records
    labelled["facets"].append({**labelled["facets"][0], "sample": 1})
    result = st("st-score", "facets", input=jsonl(labelled))
    assert result.status == 3 and "2 samples" in result.err
