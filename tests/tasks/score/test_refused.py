"""What a system gave and verification refused counts as given and wrong: as an item more that is like nothing would."""

from __future__ import annotations

import copy
import json
import random

import pytest
from support.claims import prompt_of
from support.everything import SYSTEMS, entries_at, whole_record
from support.model_runs import MODEL
from support.run import jsonl, st
from support.server import Server

from scholartools.tasks.score import score
from scholartools.tasks.score.metric import Options

# A script that no reference has: like nothing, character by character and word by word.
FOREIGN = "ᏣᎳᎩᎦᏬᏂᎯᏍᏗ"
LISTS = {"match": "limitations", "soft": "weaknesses", "entail": "experiments"}


def refuse(record: dict, metric: str, system: str) -> None:
    """Give the record one thing more that the system said and that was refused."""
    if metric in LISTS:
        place = {"command": "st-generate", "in": f"generated.{LISTS[metric]}"}
    elif metric == "extraction":
        place, system = {"command": "st-extract-limits", "in": "s1"}, None
    else:
        step = {"targets": "associate", "weaknesses": "weaknesses", "spans": "extract"}[metric]
        place = {"command": "st-claims", "step": step, "in": "review:r1"}
    place |= {"weakness": "w1"} if metric == "targets" else {}
    refused = {**place, "text": FOREIGN, "reason": "it stands nowhere"}
    record.setdefault("rejected", []).append({**refused, **({"system": system} if system else {})})


def give(record: dict, metric: str, system: str) -> None:
    """Give the record the same as an item that was taken, judged to be nothing that is wanted."""
    item = {"id": "more", "text": FOREIGN}
    if metric in LISTS:
        own = next(one for one in record["generated"][LISTS[metric]] if one["system"] == system)
        own["items"].append(item)
        judged = next(one for one in record["judgements"].get(metric, ()) if one["system"] == system)
        if metric == "match":
            judged["pairs"] += [{"reference": f"l{n}", "candidate": "more", "match": False} for n in range(3)]
        else:
            judged["candidates"].append({"id": "more", "entailed": False})
    elif metric == "extraction":
        record["limitations"].append(item)
    elif metric == "spans":
        next(one for one in record["generated"]["claims"] if one["system"] == system)["items"].append(item)
    else:
        span = [{"in": "elsewhere", "start": 0, "end": 9}]
        if metric == "weaknesses":
            [own] = [one for one in record["annotations"]["weaknesses"] if one["rater"] == system]
            own["items"].append({**item, "review": "r1", "spans": span})
        else:
            own = next(one for one in record["weaknesses"][1]["targets"] if one["system"] == system)
            own["items"].append({"claim": None, "custom": True, "text": FOREIGN, "spans": span})


def scored(record: dict, metric: str) -> dict[str, dict]:
    return {one["system"]: one for one in score(record, [metric])["scores"]}


@pytest.mark.parametrize("metric", ["match", "entail", "extraction", "spans", "targets", "weaknesses"])
@pytest.mark.parametrize("seed", range(5))
def test_what_was_refused_counts_as_what_is_like_nothing(metric, seed):
    record = whole_record(seed)
    system = "limitations" if metric == "extraction" else random.Random(seed).choice(SYSTEMS)
    before = scored(record, metric)
    refused, given = copy.deepcopy(record), copy.deepcopy(record)
    for _ in range(2 if metric in ("match", "entail") and seed % 2 else 1):
        refuse(refused, metric, system)
    give(given, metric, system)
    found, expected = scored(refused, metric), scored(given, metric)
    if len(refused["rejected"]) == 1:
        wanted = expected[system]["values"]
        same = {name for name in wanted if name not in ("judged", "ratio")}
        assert {name: found[system]["values"][name] for name in same} == pytest.approx(
            {name: wanted[name] for name in same}, nan_ok=False
        )
    assert found[system]["n_refused"] == len(refused["rejected"])
    without = found[system]["without_refused"]
    assert without == {name: before[system]["values"][name] for name in without} and without
    changed = {name for name, value in found[system]["values"].items() if value != before[system]["values"][name]}
    assert changed and changed <= set(without)
    assert {name: one for name, one in found.items() if name != system} == {
        name: one for name, one in before.items() if name != system
    }
    assert found[system]["signature"] != before[system]["signature"]


@pytest.mark.parametrize("seed", range(5))
def test_soft_precision_has_what_was_refused_below_and_recall_has_not(seed):
    record = whole_record(seed)
    before = scored(record, "soft")["a"]
    n = before["n_items"]
    for _ in range(seed + 1):
        refuse(record, "soft", "a")
    after = scored(record, "soft")["a"]
    assert after["values"]["precision"] == pytest.approx(before["values"]["precision"] * n / (n + seed + 1))
    assert after["values"]["recall"] == before["values"]["recall"] and after["n_refused"] == seed + 1
    assert after["without_refused"] == before["values"]


def test_quotations_that_extract_rejected_count_where_its_own_list_is_scored():
    """``claims`` is the list of st-claims extract, whose rejected quotations name no system: F1 was 1.0 for .667."""
    record = {
        "id": "p",
        "gold": {"claims": [{"id": "g1", "text": "It is fast."}]},
        "claims": [{"id": "c1", "text": "It is fast."}],
    }
    refuse(record, "spans", "")
    found = score(record, ["spans"], Options(reference="gold.claims", candidate="claims"))["scores"][0]
    assert found["values"]["exact"] == pytest.approx(2 / 3) and found["n_refused"] == 1
    assert found["without_refused"]["exact"] == 1


@pytest.mark.parametrize("metric", ["spans", "match"])
def test_quotations_that_extract_limits_rejected_count_in_each_metric_of_lists(metric):
    """``limitations`` of two passages, of which one is in no text: F1 was 1.0 for .667."""
    one = {"id": "l", "text": "It is slow."}
    judged = {"system": "limitations", "pairs": [{"reference": "l", "candidate": "l", "match": True}]}
    record = {"id": "p", "gold": {"limitations": [one]}, "limitations": [one], "judgements": {"match": [judged]}}
    options, key = Options(reference="gold.limitations", candidate="limitations"), {"spans": "exact", "match": "f1"}
    assert score(record, [metric], options)["scores"][0]["values"][key[metric]] == 1
    refuse(record, "extraction", "")
    found = score(record, [metric], options)["scores"][0]
    assert found["values"][key[metric]] == pytest.approx(2 / 3) and found["n_refused"] == 1
    assert found["without_refused"][key[metric]] == 1


@pytest.mark.parametrize("metric", ["match", "soft", "entail", "spans"])
def test_who_gave_nothing_but_what_was_refused_is_wrong_and_not_silent(metric):
    record = whole_record(1)
    entry = next(one for one in entries_at(record, f"generated.{LISTS.get(metric, 'claims')}") if one["system"] == "a")
    entry["items"] = []
    for judged in record["judgements"].get(metric, ()):
        if judged["system"] == "a":
            judged.update({key: [] for key in ("pairs", "candidates") if key in judged})
    silent = scored(record, metric)["a"]
    refuse(record, metric, "a")
    wrong = scored(record, metric)["a"]
    name = "edit" if metric == "spans" else "f1"
    assert silent["values"][name] == wrong["values"][name] == 0
    assert silent["n_empty"] == 1 and "n_empty" not in wrong and wrong["n_refused"] == 1


def test_an_invented_target_is_no_right_answer_that_there_is_none():
    record = whole_record(2)
    for entry in record["weaknesses"][1]["targets"]:
        if entry["system"] in ("gold", "a"):
            entry["items"] = []
    silent = scored(record, "targets")["a"]["values"]
    refuse(record, "targets", "a")
    found = scored(record, "targets")["a"]
    assert (silent["tn"], silent["fp"]) == (1, 0) and (found["values"]["tn"], found["values"]["fp"]) == (0, 1)
    assert found["without_refused"]["has_target.accuracy"] == silent["has_target.accuracy"]
    votes = [{"order": order, "targets": []} for order in ("given", "reversed")]
    own = next(one for one in record["weaknesses"][1]["targets"] if one["system"] == "a")
    own["votes"] = votes
    assert "n_refused" not in scored(record, "targets")["a"], "of two orders only what is chosen in both is given"
    refuse(record, "targets", "a")
    assert scored(record, "targets")["a"]["n_refused"] == 1


def test_summaries_have_both_readings():
    records = [whole_record(seed, f"p{seed}") for seed in range(3)]
    before = {one["system"]: one for one in st("st-score", "targets", "--summary", input=jsonl(*records)).records}
    refuse(records[0], "targets", "a")
    refuse(records[1], "targets", "a")
    after = {one["system"]: one for one in st("st-score", "targets", "--summary", input=jsonl(*records)).records}
    value, old = (found["a"]["corpus"]["precision_edit"] for found in (after, before))
    n = before["a"]["corpus"]["n_given"]["value"]
    assert value["value"] == pytest.approx(old["value"] * n / (n + 2))
    assert value["without_refused"] == {"n": 3, "value": old["value"]} and after["a"]["n_refused"] == 2
    assert after["b"] == before["b"]
    table = st("st-score", "targets", "--table", input=jsonl(*records)).out.decode()
    assert "a: items of the system that were rejected, counted as wrong: 2" in table
    assert f"a: without what was refused: f1_edit {before['a']['corpus']['f1_edit']['value']:.3f}" in table
    csv = st("st-score", "targets", "--csv", input=jsonl(*records)).out.decode()
    assert csv.splitlines()[0].endswith(",mean_without_refused")


def test_drafts_and_passages_left_out_by_rule_are_not_refused_answers():
    record = whole_record(1)
    before = scored(record, "match")["a"], scored(record, "extraction")["limitations"]
    refuse(record, "match", "a")
    record["rejected"][0]["step"] = "draft"
    refuse(record, "extraction", "")
    record["rejected"][1] |= {"span": {"in": "s1", "start": 0, "end": 3}}
    assert (scored(record, "match")["a"], scored(record, "extraction")["limitations"]) == before


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_weaknesses_that_a_model_invents_are_given_and_wrong(tmp_path, seed):
    """From the model's reply to the score: precision is over what it gave, invented quotations included."""
    rng = random.Random(seed)
    reviews, gold, said = [], [], {}
    n_right = n_given = n_invented = 0
    for name in ("r1", "r2", "r3"):
        sentences = [f"Fault {n} of {name} is that claim {'abcdef'[n] * 4} lacks proof." for n in range(6)]
        text = " ".join(sentences)
        reviews.append({"id": name, "text": text, "weaknesses_by": "gold"})
        wanted, own = rng.sample(sentences, rng.randint(1, 4)), rng.sample(sentences, rng.randint(1, 4))
        for one in wanted:
            span = {"in": f"review:{name}", "start": text.index(one), "end": text.index(one) + len(one)}
            found = {"id": f"w{len(gold)}", "review": name, "by": "gold", "text": one, "spans": [span]}
            gold.append({**found, "groundedness": 3})
        invented = [f"Nowhere in {name} stands {n} of this." for n in range(rng.randint(0, 3))]
        said[text] = rng.sample([*own, *invented], len(own) + len(invented))
        n_right += len(set(wanted) & set(own))
        n_given += len(said[text])
        n_invented += len(invented)

    def answer(messages: list[dict]) -> str:
        [quotes] = [quotes for text, quotes in said.items() if text in prompt_of(messages)]
        return json.dumps({"weaknesses": [{"quote": one, "groundedness": 4} for one in quotes]})

    record = {**whole_record(seed), "reviews": reviews, "weaknesses": gold}
    del record["annotations"]
    with Server(answer=answer) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        marked = st("st-claims", "weaknesses", "--rater", "m", *MODEL, input=jsonl(record), env=env, is_described=False)
    [one] = score(marked.records[0], ["weaknesses"])["scores"]
    assert one["n_refused"] == n_invented > 0
    assert one["values"]["precision_exact"] == pytest.approx(n_right / n_given)
    assert one["values"]["recall_exact"] == pytest.approx(n_right / len(gold))
    assert one["without_refused"]["precision_exact"] == pytest.approx(n_right / (n_given - n_invented))
