"""st-score soft: the median of runs as a whole run, people's row, lengths of lists and means without silence."""

from __future__ import annotations

import random

import pytest
from support.run import jsonl, st

# Directions in the plane, in degrees; the text of an item is its direction.
VECTORS = {"v": {str(angle): [1.0, angle / 10] for angle in range(50)}}
ARGS = ("soft", "--embedder", "vectors:v")


def record(name: str, people: list[list[int]], /, **systems: list[int]) -> dict:
    weaknesses = [
        {"id": f"w{n}{k}", "review": f"r{n}", "text": str(one)}
        for n, own in enumerate(people, 1)
        for k, one in enumerate(own)
    ]
    entries = [
        {"system": system.replace("_", "#"), "items": [{"id": f"g{k}", "text": str(one)} for k, one in enumerate(own)]}
        for system, own in systems.items()
    ]
    return {"id": name, "weaknesses": weaknesses, "generated": {"weaknesses": entries}, "vectors": VECTORS}


RUNS = [
    record("p1", [[0, 10], [5]], m_1=[9], m_2=[1, 9, 4], m_3=[40]),
    record("p2", [[20], [30, 7]], m_1=[21], m_2=[8, 19], m_3=[3]),
]


def summaries(*args: str, data=RUNS) -> dict[str, dict]:
    done = st("st-score", *ARGS, "--summary", *args, input=jsonl(*data))
    assert done.status == 0, done.err
    return {entry["system"]: entry for entry in done.records}


def test_the_median_run_is_a_whole_run():
    found = summaries("--median-of", "m")
    f1 = {name: found[name]["values"]["f1"]["mean"] for name in ("m#1", "m#2", "m#3")}
    middle = sorted(f1, key=lambda name: f1[name])[1]
    assert len(set(f1.values())) == 3
    assert found["m"]["run"] == middle and found["m"]["median_of"] == ["m#1", "m#2", "m#3"]
    for part in ("values", "corpus", "n"):
        assert found["m"][part] == found[middle][part]
    assert found["m"]["signature"] not in {found[name]["signature"] for name in f1}
    recall = {name: found[name]["values"]["recall"]["mean"] for name in f1}
    assert summaries("--median-of", "m", "--median-by", "recall")["m"]["run"] == sorted(f1, key=recall.get)[1]
    itf_idf = {name: found[name]["corpus"]["itf_idf"]["value"] for name in f1}
    tied = [name for name in f1 if itf_idf[name] == sorted(itf_idf.values())[1]]
    assert len(tied) == 2, "of equal ones that of the lowest number is taken"
    assert summaries("--median-of", "m", "--median-by", "itf_idf")["m"]["run"] == tied[0]
    table = st("st-score", *ARGS, "--table", "--median-of", "m", input=jsonl(*RUNS)).out.decode()
    assert f"m: the run {middle}, median of 3 by f1" in table


def test_the_median_of_pooled_scores_is_by_the_pooled_one():
    """Many right answers in one long record weigh more in the pooled F1 than in the mean over records."""

    def judged(name: str, **runs: list[tuple[bool, bool]]) -> dict:
        entries = [
            {
                "system": run.replace("_", "#"),
                "options": [{"correct": correct, "answer": said} for correct, said in options],
            }
            for run, options in runs.items()
        ]
        return {"id": name, "judgements": {"equation": entries}}

    right, wrong = (True, True), (True, False)
    data = [
        judged("p1", m_1=[right] * 8, m_2=[wrong] * 8, m_3=[right] * 4 + [wrong] * 4),
        judged("p2", m_1=[wrong], m_2=[right], m_3=[right]),
    ]
    done = st("st-score", "equations", "--summary", "--median-of", "m", input=jsonl(*data))
    assert done.status == 0, done.err
    found = {entry["system"]: entry for entry in done.records}
    pooled = {name: found[name]["corpus"]["f1"]["value"] for name in ("m#1", "m#2", "m#3")}
    means = {name: found[name]["values"]["f1"]["mean"] for name in pooled}
    assert sorted(pooled, key=pooled.get)[1] == "m#3" == found["m"]["run"] != sorted(means, key=means.get)[1]


@pytest.mark.parametrize(("data", "args", "reason"), [
    (RUNS, ("--median-of", "n"), '--median-of: no system "n#1" has scores'),
    ([record("p", [[1]], m_1=[1], m_2=[2])], ("--median-of", "m"), "an even number of runs, 2, have scores of soft"),
    ([record("p", [[1]], m_1=[1], m_3=[2])], ("--median-of", "m"), "2 of 3 runs have scores of soft"),
    ([*RUNS, record("p3", [[1]], m_1=[1], m_2=[2])], ("--median-of", "m"),
     "its runs have a f1 of soft on different records (m#1 has 3, m#3 2, both 2)"),
    ([record("p3", [[1]], m_2=[2], m_3=[2]), *RUNS, record("p4", [[1]], m_1=[1], m_2=[2])], ("--median-of", "m"),
     "(m#2 has 4, m#3 3, both 3)"),
    (RUNS, ("--median-of", "m", "--median-by", "accuracy"), "--median-by: soft of"),
    ([record("p", [[1]], m=[1], m_1=[1])], ("--median-of", "m"), 'a system "m" has scores of its own'),
    (RUNS, ("--median-by", "recall"), "--median-by needs --median-of"),
])  # fmt: skip
def test_runs_without_a_middle_are_refused(data, args, reason):
    done = st("st-score", *ARGS, "--summary", *args, input=jsonl(*data))
    assert done.status == 2 and reason in done.err and not done.out


def test_papers_of_which_only_the_beginning_was_shown_are_counted():
    data = [record(f"p{n}", [[n]], m=[n], whole=[n]) for n in (1, 2, 3)]
    for one in data[:2]:
        one["generated"]["weaknesses"][0]["cut"] = 1200
    data[2]["generated"]["weaknesses"][1]["missing"] = [{"piece": 2, "reason": "no reply"}]
    found = summaries(data=data)
    assert found["m"]["n_shortened"] == 2 and "n_shortened" not in found["whole"]
    assert found["whole"]["n_incomplete"] == 1 and "n_incomplete" not in found["m"]
    table = st("st-score", *ARGS, "--table", input=jsonl(*data)).out.decode()
    assert "because the papers are too long: 2 of 3" in table
    plans = [{"system": "m", "items": [{"id": "g1", "text": "Vary."}], "given": {"cut": 7}}]
    plan = {"id": "p", "experiments": [{"id": "x1", "text": "Vary."}], "generated": {"experiments": plans}}
    judged = st("st-judge", "entail", input=jsonl(plan), is_described=False).out
    scored = st("st-score", "entail", input=judged, is_described=False).records[0]
    assert scored["scores"][0]["n_shortened"] == 1


def test_people_s_diversity_has_every_paper_in_it():
    data = [record("p1", [[0], [5]], m=[1]), record("p2", [[20]], m=[2]), record("p3", [], m=[3])]
    bare = [{key: value for key, value in one.items() if key != "generated"} for one in data]
    found = [
        next(entry for entry in st("st-score", *ARGS, "--people", "--summary", input=jsonl(*some)).records
             if entry["system"] == "people")
        for some in (data, bare)
    ]  # fmt: skip
    assert [entry["corpus"]["itf_idf"]["n"] for entry in found] == [3, 3]
    assert found[0]["corpus"]["itf_idf"]["value"] == found[1]["corpus"]["itf_idf"]["value"]
    assert all("n_absent" not in entry for entry in found)


def test_people_are_scored_each_beside_the_others():
    data = [record("p1", [[0, 10], [5], [0]]), record("p2", [[20]])]
    for one in data:
        del one["generated"]
    done = st("st-score", *ARGS, "--people", input=jsonl(*data))
    first = {entry["item"]: entry for entry in done.records[0]["scores"]}
    assert list(first) == ["r1", "r2", "r3"] and {one["system"] for one in first.values()} == {"people"}
    assert [first[name]["n_items"] for name in first] == [2, 1, 1] and first["r1"]["n_reviewers"] == 2
    alone = st("st-score", *ARGS, input=jsonl(record("p", [[5], [0]], m=[0, 10]))).records[0]["scores"][0]
    assert first["r1"]["values"] == pytest.approx(alone["values"]), "as a system with the same list against the others"
    [only] = done.records[1]["scores"]
    assert only["values"]["f1"] is None and only["reasons"]["f1"] == "no reviewer has any item"
    found = summaries("--people", "--cluster", "id", data=data)["people"]
    assert found["n"] == 4 and found["values"]["f1"]["nulls"] == {"no reviewer has any item": 1}
    whole = [record(one["id"], [[0]], m=[int(w["text"]) for w in one["weaknesses"]]) for one in data]
    assert found["corpus"]["itf_idf"]["value"] == summaries(data=whole)["m"]["corpus"]["itf_idf"]["value"]
    named = record("p", [[1], [2]], people=[1])
    done = st("st-score", *ARGS, "--people", input=jsonl(named))
    assert done.status == 3 and 'has a system "people"' in done.err


def test_lengths_of_lists_and_means_without_silence_stand_beside_f1():
    data = [record("p1", [[0, 10]], m=[0, 3, 5]), record("p2", [[20]], m=[])]
    found = summaries(data=data)["m"]
    one = summaries(data=data[:1])["m"]
    assert found["values"]["n_items"]["mean"] == 1.5 and found["n_empty"] == 1
    for name in ("precision", "recall", "f1"):
        value = found["values"][name]
        assert value["mean"] == pytest.approx(one["values"][name]["mean"] / 2)
        assert value["without_empty"] == {"n": 1, "mean": one["values"][name]["mean"]}
        assert "without_empty" not in one["values"][name]
    table = st("st-score", *ARGS, "--table", input=jsonl(*data)).out.decode()
    assert "m: means of the 1 others, in which it said something: precision " in table
    assert "n_items" in table


def test_silence_on_experiments_is_counted_and_left_out_of_the_other_mean():
    def plan(name, items, entailed):
        judged = {"system": "m", "by": "x", "candidates": [{"id": "g", "entailed": entailed}] * len(items),
                  "references": [{"id": "x", "entailed": entailed}]}  # fmt: skip
        return {"id": name, "experiments": [{"id": "x", "text": "e"}], "judgements": {"entail": [judged]},
                "generated": {"experiments": [{"system": "m", "items": items}]}}  # fmt: skip

    data = [plan("p1", [{"id": "g", "text": "a"}], True), plan("p2", [], False)]
    found = st("st-score", "entail", "--summary", input=jsonl(*data)).records[0]
    assert found["values"]["f1"]["mean"] == 0.5 and found["n_empty"] == 1
    assert found["values"]["f1"]["without_empty"] == {"n": 1, "mean": 1}


def test_a_metric_that_runs_have_unevenly_is_null_alone(tmp_path):
    """Drawn inputs in which soft and equations are whole, lack a run, or lack one record of a run, each by itself."""
    rng = random.Random(4)
    for _ in range(6):
        kinds = {metric: rng.choice(["whole", "no run", "one record less"]) for metric in ("soft", "equations")}
        kinds[rng.choice(list(kinds))] = "whole"
        data = [uneven_record(rng, n, kinds) for n in range(3)]
        args = ("--embedder", "vectors:v", "--median-of", "m", "--runs", "m#1,m#2,m#3")
        done = st("st-score", "soft", "equations", "--summary", *args, input=jsonl(*data))
        assert done.status == 0, done.err
        plain = st("st-score", "soft", "equations", "--summary", "--embedder", "vectors:v", input=jsonl(*data)).records
        made = done.records[len(plain) :]
        assert done.records[: len(plain)] == plain and len(made) == 4
        for entry in made:
            is_whole = kinds[entry["metric"]] == "whole"
            numbers = [value["mean"] for value in entry["values"].values()]
            numbers += [value.get("mean", value.get("value")) for value in entry.get("corpus", {}).values()]
            assert is_whole == ("reason" not in entry) and (is_whole or not any(one is not None for one in numbers))
            assert not is_whole or entry["values"]["f1"]["mean"] is not None
            assert is_whole or f"{entry['reason']}\n" in done.err
        for form in ("--table", "--csv"):
            out = st("st-score", "soft", "equations", form, *args, input=jsonl(*data)).out.decode().replace('""', '"')
            assert all(
                entry["reason"] in out for entry in made if "reason" in entry and ("runs" in entry or form[2] == "t")
            )


def uneven_record(rng: random.Random, n: int, kinds: dict[str, str]) -> dict:
    """The n-th record of three runs; the second one lacks what the kinds of the metrics say."""
    made = record(f"p{n}", [[1, 9], [5]], **{f"m_{run}": [rng.randint(0, 20)] for run in (1, 2, 3)})
    options = [{"correct": True, "answer": True}, {"correct": False, "answer": rng.random() < 0.5}]
    entries = {"soft": made["generated"]["weaknesses"]}
    entries["equations"] = [{"system": f"m#{run}", "options": options} for run in (1, 2, 3)]
    for metric, kind in kinds.items():
        if kind == "no run" or (kind == "one record less" and n == 1):
            del entries[metric][1]
    made["judgements"] = {"equation": entries["equations"]}
    return made
