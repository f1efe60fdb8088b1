"""st-judge facets: who is asked, on which scale, and what becomes of the answers."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.judges import CANDIDATE, REFERENCE, Model, judged, passages, record
from support.run import ROOT, environment, jsonl, st
from support.server import Server, facets

from scholartools.errors import InputFault, UsageFault
from scholartools.tasks import score
from scholartools.tasks.judge.facet_ratings.builtin import facets_builtin
from scholartools.tasks.judge.facet_ratings.few_shot import read_examples
from scholartools.tasks.judge.facet_ratings.overall import rate_overall
from scholartools.tasks.judge.facet_ratings.prompted import facets as rate_facets
from scholartools.vocabulary import FACETS

MODEL = ("--model", "openai/mock")
SUMMARIES = ROOT / "fixtures" / "summaries.jsonl"


def says(rating: int | str) -> Model:
    return Model(lambda _: json.dumps({"rating": rating}) if isinstance(rating, int) else rating)


def scale(prompt: str) -> int:
    return int(re.search(r"whole number from 1 to (\d)", prompt)[1])


# Who is asked


def test_only_facets_that_both_texts_have_are_asked_about():
    model = says(3)
    [entry] = judged(model, record(mine=CANDIDATE))["judgements"]["facets"]
    assert [passages(prompt) for prompt in model.prompts] == [
        ["Bees decline.", "Bees matter."],
        ["Hedges add 38% bees.", "Hedges add bees."],
    ]
    assert entry["ratings"] == {"background": 3, "method": 1, "result": 3, "conclusion": None}
    assert entry["reasons"] == {
        "method": "no method in the candidate: rated 1 without a model call",
        "conclusion": "no conclusion in the reference",
    }
    assert (entry["system"], entry["in"], entry["by"]) == ("mine", "summary:mine", "openai/mock")


def test_each_facet_has_the_scale_of_the_paper():
    model = says(1)
    full = {facet: f"A {facet}." for facet in CANDIDATE}
    data = record(mine=full)
    data["facets"][0] = {**data["facets"][1], "in": "abstract"}
    data["abstract"] = data["summaries"][0]["text"]
    judged(model, data)
    scales = {passages(prompt)[1]: scale(prompt) for prompt in model.prompts}
    assert scales == {"A background.": 3, "A method.": 4, "A result.": 4, "A conclusion.": 3}
    sent = [
        request["response_format"]["json_schema"]["schema"]
        for request in model.requests
        if "response_format" in request
    ]
    assert all(schema["additionalProperties"] is False for schema in sent)


def test_an_empty_summary_is_rated_1_throughout_and_nobody_is_asked():
    model = says(3)
    [entry] = judged(model, record(silent=dict.fromkeys(REFERENCE)))["judgements"]["facets"]
    assert list(entry["ratings"].values()) == [1, 1, 1, None] and model.requests == []


def test_the_model_sees_no_system_s_name():
    model = says(2)
    judged(model, record(zanzibar=CANDIDATE))
    assert "zanzibar" not in json.dumps(model.requests)


# What becomes of the answers


def test_the_facet_score_is_computed_from_the_ratings_and_renormalised():
    ratings = {"Bees matter.": 2, "Hedges add bees.": 3}
    model = Model(lambda prompt: json.dumps({"rating": ratings[passages(prompt)[1]]}))
    made = judged(model, record(mine=CANDIDATE))
    [entry] = score.score(made, ["facets"])["scores"]
    # background 2 of 3, method 1 of 4 (absent), result 3 of 4; the abstract has no conclusion
    expected = (0.1 * 2 / 3 + 0.3 * 1 / 4 + 0.3 * 3 / 4) / 0.7
    assert entry["values"]["overall.score"] == pytest.approx(expected, abs=1e-12)
    assert entry["values"]["conclusion.score"] is None


@pytest.mark.parametrize(
    "reply", ['{"rating": 5}', '{"rating": 0}', '{"rating": true}', '{"rating": 3 or 2}', '{"score": 3}', "good"]
)
def test_a_reply_that_is_no_rating_is_asked_once_more_and_then_missing(reply):
    model = says(reply)
    made = judged(model, record(mine={**CANDIDATE, "result": None}))
    assert len(model.requests) == 2 and "cannot be used" in model.requests[1]["messages"][-1]["content"]
    [entry], [lost] = made["judgements"]["facets"], made["errors"]
    assert entry["ratings"] == {"background": None, "method": 1, "result": 1, "conclusion": None}
    assert entry["missing"] == ["background"] and entry["reasons"]["background"].startswith("reply not usable")
    assert lost["reply"] == reply and (lost["missing"], lost["of"], len(lost["calls"])) == (1, 1, 2)


def test_4_is_no_rating_of_a_background():
    made = judged(says(4), record(mine={**CANDIDATE, "result": None}))
    assert "Input should be 1, 2 or 3" in made["errors"][0]["reason"]


def test_a_number_alone_is_a_rating():
    [entry] = judged(says("2"), record(mine=CANDIDATE))["judgements"]["facets"]
    assert entry["ratings"]["result"] == 2


@pytest.mark.parametrize(("given", "middle"), [((1, 3, 3), 3), ((2, 3), 2.5), ((3, 1, 2, 2), 2), ((1,), 1)])
def test_samples_are_kept_and_the_rating_is_their_median(given, middle):
    turns = itertools.cycle(given)
    data = record(mine={**CANDIDATE, "background": None})
    [entry] = judged(Model(lambda _: json.dumps({"rating": next(turns)})), data, samples=len(given))["judgements"][
        "facets"
    ]
    assert entry["ratings"]["result"] == middle
    assert entry.get("samples") == ({"result": list(given)} if len(given) > 1 else None)


MATCHED = {"system": "mine", "pairs": []}


def test_systems_judged_anew_replace_their_entries_and_all_else_stays():
    hand = {"system": "people", "ratings": {"background": 3, "method": 4, "result": 4, "conclusion": None}}
    old = {**hand, "system": "mine"}
    data = {**record(mine=CANDIDATE), "judgements": {"match": [MATCHED], "facets": [old, hand]}, "mine": 1}
    made = judged(says(2), data)
    assert [entry["system"] for entry in made["judgements"]["facets"]] == ["people", "mine"]
    assert made["judgements"]["facets"][1]["ratings"]["result"] == 2
    assert made["judgements"]["match"] == [MATCHED] and made["mine"] == 1
    assert data["judgements"]["facets"] == [old, hand], "the record given is not changed"


# What is refused


def without(data: dict, key: str) -> dict:
    return {name: value for name, value in data.items() if name != key}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: without(data, "facets"), "run st-facets first"),
        (lambda data: without(data, "summaries"), "add the summaries to judge"),
        (lambda data: {**data, "summaries": []}, '"summaries" is empty'),
        (lambda data: {**data, "facets": data["facets"][:1]}, 'no facets of "summary:mine"'),
        (lambda data: {**data, "abstract": data["abstract"].replace("38", "83")}, "run st-facets again"),
        (lambda data: {**data, "facets": data["facets"] * 2}, '"facets" has "abstract" 2 times'),
        (lambda data: {**data, "judgements": [1]}, '"judgements": '),
    ],
)
def test_what_cannot_be_judged_is_refused_with_the_reason(change, words):
    with pytest.raises(InputFault, match=re.escape(words)):
        judged(says(3), change(record(mine=CANDIDATE)))


def test_without_a_model_the_command_rates_by_similarity_and_says_that_this_is_weak():
    result = st("st-judge", "facets", input=jsonl(record(mine=CANDIDATE)))
    assert (result.status, len(result.records)) == (0, 1)
    assert result.err.startswith(
        "st-judge: without --model, a weak built-in method rates the facets by common words and embeddings"
    )
    assert result.records[0] == facets_builtin(record(mine=CANDIDATE))
    assert st("st-judge", "facets", "--quiet", input=jsonl(record(mine=CANDIDATE))).err == ""


def pairs() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ROOT / "fixtures" / "facet-pairs.jsonl").read_text().splitlines()]


def alone(pair: dict[str, Any]) -> dict[str, Any]:
    texts = [{**dict.fromkeys(FACETS), pair["facet"]: pair[side]} for side in ("reference", "candidate")]
    made = facets_builtin({"r": texts[0], "c": texts[1]}, reference="r", candidate="c")
    return made["judgements"]["facets"][0]


def test_the_built_in_judge_is_as_often_right_as_its_help_says():
    held_out = [pair for pair in pairs() if pair["half"] == "test"]
    found = [(pair["rating"], alone(pair)["ratings"][pair["facet"]]) for pair in held_out]
    assert sum(gold == said for gold, said in found) == 25
    assert [said for gold, said in found if gold == 1].count(1) == 0
    assert [len(found), sum(gold == 1 for gold, _ in found)] == [42, 12]
    text = " ".join(st("st-judge", "facets", "--help").out.decode().split())
    assert "recognises none of 12 contradictions, and gives 25 of 42 test pairs the same rating as we do" in text


def test_the_built_in_judge_keeps_the_similarity_that_made_a_rating():
    entry = alone({"facet": "method", "reference": "We filmed thirty cats.", "candidate": "We filmed thirty cats."})
    assert entry["ratings"] == {"background": None, "method": 4, "result": None, "conclusion": None}
    assert entry["similarity"] == {"method": pytest.approx(1, abs=1e-6)}
    assert (entry["by"], entry["system"]) == ("builtin", "c")
    assert "samples" not in entry


@pytest.mark.parametrize("text", ["Мы обучили 12 сетей на страницах.", "我们训练了12个网络。", "Léon a mesuré l'été."])
def test_the_built_in_judge_rates_one_text_beside_itself_highest_in_any_script(text):
    entry = alone({"facet": "method", "reference": text, "candidate": text})
    assert entry["ratings"]["method"] == 4


def test_a_reference_without_words_is_refused():
    with pytest.raises(InputFault, match="the method of the reference has no words to compare"):
        alone({"facet": "method", "reference": "\U0001f41d!", "candidate": "Bees."})


def test_the_built_in_judge_replaces_no_rating_but_its_own():
    own = facets_builtin(record(mine=CANDIDATE))
    assert facets_builtin(own)["judgements"] == own["judgements"]
    entry = {**own["judgements"]["facets"][0], "by": "human"}
    with pytest.raises(InputFault, match='the facets of "mine" are rated by "human"'):
        facets_builtin({**own, "judgements": {"facets": [entry]}})


def test_a_score_of_built_in_ratings_says_so_in_its_signature():
    marks = [
        found["signature"]
        for found in score.score(facets_builtin(record(mine=CANDIDATE)))["scores"]
        if found["metric"] == "facets"
    ]
    assert marks and all(" ratings=builtin " in f"{mark} " for mark in marks)


def test_the_built_in_judge_rates_1_what_the_candidate_lacks():
    made = facets_builtin(
        {"r": {**dict.fromkeys(FACETS), "result": "x"}, "c": dict.fromkeys(FACETS)}, reference="r", candidate="c"
    )
    entry = made["judgements"]["facets"][0]
    assert entry["ratings"] == {"background": None, "method": None, "result": 1, "conclusion": None}
    assert entry["similarity"] == {}


@pytest.mark.parametrize("blank", ["None", " nan", "NA", "n/a", "null", "", " "])
def test_a_blank_cell_is_no_facet_on_either_side(blank):
    given = {"r": {**dict.fromkeys(FACETS, blank), "result": "x"}, "c": dict.fromkeys(FACETS, blank)}
    ratings = facets_builtin(given, reference="r", candidate="c")["judgements"]["facets"][0]["ratings"]
    assert ratings == {**dict.fromkeys(FACETS), "result": 1}


def test_another_embedder_option_or_text_is_another_signature():
    made = [alone(pair) for pair in pairs()[:1]]
    assert made == [alone(pair) for pair in pairs()[:1]]
    marks = {
        facets_builtin(
            {"r": {**dict.fromkeys(FACETS), "result": text}, "c": dict.fromkeys(FACETS)}, reference="r", candidate="c"
        )["provenance"][0]["signature"]
        for text in ("one", "two")
    }
    assert len(marks) == 2


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "the first argument must name a task (facets, match"),
        ((), 'not "--model"'),
        (("fasets",), 'not "fasets"'),
        (("facets", "--vanilla", "--few-shot", "builtin"), "--few-shot cannot be used with --vanilla"),
        (("facets", "--few-shot", "no-such.jsonl"), "no-such.jsonl"),
    ],
)
def test_wrong_usage(args, words):
    result = st("st-judge", *args, *MODEL)
    assert result.status == 2 and words in result.err


# Examples


def test_our_examples_show_every_rating_of_both_scales():
    examples = read_examples("builtin")
    broad = {example.rating for example in examples if example.facet in ("background", "conclusion")}
    detailed = {example.rating for example in examples if example.facet in ("method", "result")}
    assert (broad, detailed) == ({1, 2, 3}, {1, 2, 3, 4})


def example(facet: str, rating: int, **more: object) -> dict:
    return {"facet": facet, "reference": f"R {facet}", "candidate": f"C {facet}", "rating": rating, **more}


def test_a_user_s_examples_are_shown_with_the_facets_of_their_scale(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_bytes(jsonl(example("conclusion", 2), example("method", 4, note="kept by its owner")))
    model, plain = says(3), says(3)
    made = judged(model, record(mine=CANDIDATE), read_examples(str(path)))
    without_examples = judged(plain, record(mine=CANDIDATE))
    background, result = model.prompts
    assert 'Candidate: "C conclusion"\nReply: {"rating": 2}' in background and "C method" not in background
    assert 'Candidate: "C method"\nReply: {"rating": 4}' in result and "C conclusion" not in result
    assert all("Example" not in prompt for prompt in plain.prompts)
    ends = [data["provenance"][-1] for data in (made, without_examples)]
    assert ends[0]["signature"] != ends[1]["signature"]
    assert ends[0]["options"]["examples"] and ends[1]["options"]["examples"] is None


GOOD = [example("background", 1), example("result", 4)]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([*GOOD, example("background", 4)], "own.jsonl:3: the rating 4 of background is not in 1..3"),
        ([*GOOD, example("background", 0)], 'own.jsonl:3: "rating": input should be 1, 2, 3 or 4'),
        ([*GOOD, example("aim", 1)], 'own.jsonl:3: "facet": '),
        ([{"facet": "method", "rating": 1, "reference": "x"}], 'own.jsonl:1: "candidate": field required'),
        ([[1]], "own.jsonl:1: JSON, but not an object"),
        (GOOD[:1], "own.jsonl: no example on the scale of method, 1..4"),
        ([], "own.jsonl: no example on the scale of background, 1..3"),
    ],
)
def test_examples_that_cannot_serve_are_refused_by_line(tmp_path, lines, words):
    path = tmp_path / "own.jsonl"
    path.write_bytes(jsonl(*lines))
    with pytest.raises(UsageFault) as refused:
        read_examples(str(path))
    assert f"{tmp_path}/{words}" in refused.value.reason


# Without facets


def test_vanilla_rates_whole_texts_and_needs_no_facets():
    model = says(3)
    data = {"id": "r", "abstract": "Bees decline. So plant hedges.", "summaries": [
        {"system": "a", "text": "Plant hedges."}, {"system": "empty", "text": " "}]}  # fmt: skip
    made = asyncio.run(rate_overall(model.engine(samples=2), data))["judgements"]["vanilla"]
    assert [passages(prompt) for prompt in model.prompts] == [["Bees decline. So plant hedges.", "Plant hedges."]] * 2
    assert [(entry["rating"], entry["maximum"]) for entry in made] == [(3, 4), (1, 4)]
    assert made[0]["samples"] == [3, 3] and "without a model call" in made[1]["reason"]


def test_vanilla_without_an_abstract_is_refused():
    with pytest.raises(InputFault, match='"abstract" is empty'):
        asyncio.run(rate_overall(says(3).engine(), {"abstract": " ", "summaries": [{"system": "a", "text": "x"}]}))


# A user's own fields

OWN = {
    "aims": {"people": REFERENCE},
    "answers": [{"system": "a", **CANDIDATE}, {"system": "b", **REFERENCE, "result": ""}],
}


def test_paths_lead_to_a_user_s_own_facets():
    model = says(2)
    made = asyncio.run(rate_facets(model.engine(), OWN, reference="aims.people", candidate="answers"))
    first, second = made["judgements"]["facets"]
    assert passages(model.prompts[0]) == ["Bees decline.", "Bees matter."]
    assert (first["reference"], first["in"], first["system"]) == ("aims.people", "answers", "a")
    assert second["ratings"] == {"background": 2, "method": 2, "result": 1, "conclusion": None}
    one = asyncio.run(rate_facets(says(3).engine(), {**record(), "own": CANDIDATE}, candidate="own"))
    assert (
        one["judgements"]["facets"][0]["system"] == "own" and one["judgements"]["facets"][0]["reference"] == "abstract"
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({**OWN, "aims": {}}, 'no "aims.people" (reference)'),
        ({**OWN, "answers": []}, '"answers" is empty'),
        ({**OWN, "answers": [CANDIDATE]}, '"answers": entry 1 has no system'),
        ({**OWN, "answers": OWN["answers"][:1] * 2}, '"answers": entry 2 has the system "a" of another'),
        ({**OWN, "answers": [{"system": "a", **CANDIDATE, "method": 1}]}, '"answers.0.method": '),
        ({**OWN, "aims": {"people": without(REFERENCE, "method")}}, '"aims.people.method": field required'),
    ],
)
def test_own_fields_that_are_no_facets_are_refused(data, words):
    with pytest.raises(InputFault, match=re.escape(words)):
        asyncio.run(rate_facets(says(3).engine(), data, reference="aims.people", candidate="answers"))


def test_vanilla_reads_texts_at_paths():
    model = says(4)
    data = {"gold": "Bees decline.", "said": [{"system": "x", "text": "Bees fall."}]}
    [entry] = asyncio.run(rate_overall(model.engine(), data, reference="gold", candidate="said"))["judgements"][
        "vanilla"
    ]
    assert passages(model.prompts[0]) == ["Bees decline.", "Bees fall."]
    assert (entry["rating"], entry["reference"], entry["in"]) == (4, "gold", "said")


# The whole chain, through processes


def answer(messages: list[dict]) -> str:
    """Quotes facets, or rates: more words in common, a higher rating."""
    prompt = next(message["content"] for message in messages if message["role"] == "user")
    if not prompt.startswith("Rate the "):
        return facets(messages)
    reference, candidate = (set(text.lower().split()) for text in passages(prompt))
    return json.dumps({"rating": min(1 + 4 * len(reference & candidate) // len(reference), scale(prompt))})


def by_hand(made: dict, system: str) -> float:
    """The facet score of a system's ratings (section 3.2, equation 1)."""
    [ratings] = [entry["ratings"] for entry in made["judgements"]["facets"] if entry["system"] == system]
    scales = {"background": (0.1, 3), "method": (0.3, 4), "result": (0.3, 4), "conclusion": (0.3, 3)}
    rated = [(*scales[facet], rating) for facet, rating in ratings.items() if rating is not None]
    return sum(weight * rating / top for weight, top, rating in rated) / sum(weight for weight, *_ in rated)


def chain(folder: Path, env: dict, *args: str) -> tuple[bytes, bytes, str]:
    """What st-judge and st-score wrote in one pipe, and what all said on standard error."""
    model = " ".join([*MODEL, *args])
    line = (
        f"st-facets {model} {SUMMARIES} | st-judge facets {model} --few-shot builtin | tee rated.jsonl"
        " | st-score facets --summary --table"
    )
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, cwd=folder, env=environment(**env), timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()
    return (folder / "rated.jsonl").read_bytes(), done.stdout, done.stderr.decode()


@pytest.mark.slow
def test_the_chain_replays_with_no_server_to_the_same_bytes(tmp_path):
    cache = {"ST_CACHE": str(tmp_path / "cache")}
    with Server({"fence": 0.3, "prose": 0.3}, answer=answer) as server:
        rated, table, _ = chain(tmp_path, {**cache, **server.environment})
        assert server.again_after_good == 0
    again, same, said = chain(tmp_path, cache, "--replay")
    assert (again, same) == (rated, table) and "0 calls" in said
    records = [json.loads(line) for line in rated.splitlines()]
    for system in ("lead-2", "model-a"):
        mean = sum(by_hand(made, system) for made in records) / len(records)
        rows = [line for line in table.decode().splitlines() if re.match(rf"{system}\s+overall", line)]
        assert len(rows) == 1 and f" {mean:.3f}" in rows[0], (mean, table.decode())


def test_dry_run_budget_and_a_bad_record_are_those_of_every_command(tmp_path):
    cache = {"ST_CACHE": str(tmp_path)}
    data = jsonl(record(a=CANDIDATE, b={**CANDIDATE, "result": "Bees add hedges."}), {"id": "no facets"})
    with Server(answer=answer) as server:
        env = {**cache, **server.environment}
        dry = st("st-judge", "facets", *MODEL, "--dry-run", input=data, env=env)
        assert server.requests == 0 and dry.records[0]["dry_run"]["to_send"] == 3, (
            "one question is asked of both systems"
        )
        short = st("st-judge", "facets", *MODEL, "--max-calls", "1", "--concurrency", "1", input=data, env=env)
        assert short.status == 4 and server.requests == 1 and "--max-calls 1 reached" in short.err
        whole = st("st-judge", "facets", *MODEL, input=data, env=env)
        assert server.requests == 3, "both systems have one background; a question is asked once"
    assert whole.status == 1
    assert whole.records[1]["errors"][0]["reason"] == 'no "facets": run st-facets first'
    assert len(whole.records[0]["provenance"][-1]["calls"]) == 4
    missed = st("st-judge", "facets", *MODEL, "--replay", "--temperature", "0", input=data, env=cache)
    assert missed.status == 4 and 'no reply in the cache to prompt "judge-facets-' in missed.err
