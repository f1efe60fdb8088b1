"""One reply that cannot be used costs one part of a record, is told, and is all that a later run asks for (rule 10)."""

from __future__ import annotations

import json
import re

import pytest
from support.judges import CANDIDATE, record
from support.limits import REVIEW_TEXT, paper, review, section, sentences
from support.run import jsonl, st
from support.server import Server, fenced

from scholartools.tasks import score

MODEL = ("--model", "openai/mock")
TWO = record(good={**CANDIDATE, "background": "Bees matter."}, bad={**CANDIDATE, "background": "Bees garble."})


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache")}


def rates(messages) -> str:
    """A rating, but of what is garbled."""
    return "I cannot tell." if "garble" in messages[1]["content"] else '{"rating": 3}'


def judge(server: Server | None, cache: dict, *args: str, data: bytes | None = None):
    env = {**cache, **(server.environment if server else {})}
    return st("st-judge", *args, *MODEL, input=data or jsonl(TWO), env=env)


def entries(made: dict, task: str = "facets") -> dict[str, dict]:
    return {entry["system"]: entry for entry in made["judgements"][task]}


def test_a_rating_that_is_missing_costs_no_other_and_is_told(cache):
    with Server(answer=rates) as server:
        result = judge(server, cache, "facets")
    [made] = result.records
    good, bad = entries(made)["good"], entries(made)["bad"]
    assert good["ratings"] == {"background": 3, "method": 1, "result": 3, "conclusion": None} and "missing" not in good
    assert bad["ratings"] == {"background": None, "method": 1, "result": 3, "conclusion": None}
    assert bad["missing"] == ["background"]
    assert bad["reasons"]["background"] == "reply not usable: there is no JSON in the reply"
    [told] = made["errors"]
    assert told["reason"] == "1 of 4 ratings is missing: reply not usable: there is no JSON in the reply"
    assert (told["command"], told["task"], told["kind"]) == ("st-judge", "facets", "missing-parts")
    assert (told["missing"], told["of"], told["parts"]) == (1, 4, ["bad"]) and len(told["calls"]) == 2
    assert result.status == 1 and f"st-judge: -:1: {told['reason']}\n" in result.err
    assert "1 record, 0 failed, 1 partial" in result.err


def test_a_missing_rating_is_not_a_facet_that_the_reference_lacks(cache):
    """The weights of the others must not be renormalised: that would be a score of other facets than its neighbours'."""
    with Server(answer=rates) as server:
        [made] = judge(server, cache, "facets").records
    values = {entry["system"]: entry["values"]["overall.score"] for entry in score.score(made, ["facets"])["scores"]}
    assert values["good"] == pytest.approx((0.1 + 0.3 / 4 + 0.3 * 3 / 4) / 0.7) and values["bad"] is None


def test_a_later_run_asks_for_the_missing_part_alone_and_takes_back_what_it_told(cache):
    with Server(answer=rates) as server:
        first = judge(server, cache, "facets")
        asked = server.requests
        assert asked == 4, "both systems have one result; the garbled background is asked about twice"
        again = judge(server, cache, "facets")
        assert server.requests == asked + 1 and again.out == first.out, "no better reply came"
        assert "1 call (" in again.err and "1 asked again" in again.err
    replayed = judge(None, cache, "facets", "--replay")
    assert replayed.out == first.out and "asked again" not in replayed.err
    with Server(answer=lambda messages: '{"rating": 2}') as server:
        forecast = judge(server, cache, "facets", "--dry-run")
        assert forecast.records[-1]["dry_run"]["to_send"] == 1 and server.requests == 0
        healed = judge(server, cache, "facets")
        assert server.requests == 1 and healed.status == 0 and "errors" not in healed.records[0]
        assert entries(healed.records[0])["bad"]["ratings"]["background"] == 2
        assert entries(healed.records[0])["good"] == entries(first.records[0])["good"]
    assert judge(None, cache, "facets", "--replay").out == healed.out
    [made] = first.records
    mended = {**made, "facets": json.loads(json.dumps(made["facets"]).replace("garble", "gather"))}
    mended["summaries"] = json.loads(json.dumps(made["summaries"]).replace("garble", "gather"))
    with Server(answer=rates) as server:
        whole = judge(server, cache, "facets", data=jsonl(mended))
        assert server.requests == 1
    assert whole.status == 0 and "errors" not in whole.records[0] and "partial" not in whole.err
    assert entries(whole.records[0])["bad"]["ratings"]["background"] == 3


def test_a_second_reply_from_the_cache_is_read_once(cache):
    """It was counted as repaired twice, once to see whether it can be used and once to use it."""
    with Server(answer=lambda messages: '```json\n{"rating": 2}\n```' if len(messages) > 2 else "no") as server:
        first = judge(server, cache, "facets")
        asked = server.requests
        again = judge(server, cache, "facets")
        assert server.requests == asked and again.out == first.out
    told = re.search(r"(\d+) repaired", first.err)
    assert told and f"{told[1]} repaired" in again.err and "asked again" not in again.err


def test_other_faults_and_those_of_other_parts_stay_under_errors(cache):
    others = [
        {"command": "st-judge", "task": "facets", "kind": "missing-parts", "reason": "one", "parts": ["elsewhere"]},
        {"command": "st-judge", "task": "match", "kind": "missing-parts", "reason": "two", "parts": ["bad"]},
        {"command": "st-parse", "kind": "no-ocr", "reason": "three"},
    ]
    with Server(answer=rates) as server:
        [made] = judge(server, cache, "facets", data=jsonl({**TWO, "errors": others})).records
    assert made["errors"][:3] == others and made["errors"][3]["missing"] == 1


def test_of_several_samples_one_is_missing_and_the_rating_is_the_median_of_the_others():
    from support.judges import Model, judged

    turns = iter([3, "no", 2, "no"])
    model = Model(lambda _: json.dumps({"rating": next(turns)}))
    [entry] = judged(model, record(mine={**CANDIDATE, "result": None}), samples=3)["judgements"]["facets"]
    assert entry["samples"] == {"background": [3, None, 2]}
    assert entry["ratings"]["background"] == 2.5 and "missing" not in entry
    assert entry["reasons"]["background"].startswith("1 of 3 samples missing: reply not usable")


def test_vanilla(cache):
    with Server(answer=rates) as server:
        result = judge(server, cache, "facets", "--vanilla")
    [made] = result.records
    good, bad = entries(made, "vanilla")["good"], entries(made, "vanilla")["bad"]
    assert good["rating"] == 3 and bad["rating"] is None and bad["reason"].startswith("reply not usable")
    assert result.status == 1 and made["errors"][0]["reason"].startswith("1 of 2 ratings is missing")


@pytest.mark.parametrize(("policy", "kept"), [("keep", [0, 1, 2]), ("skip", [1, 2]), ("stop", [])])
def test_a_partial_record_is_kept_by_skip_and_ends_a_run_with_stop(cache, policy, kept):
    data = jsonl({"id": "0", "abstract": 7}, {**TWO, "id": "1"}, {**record(fine=CANDIDATE), "id": "2"})
    with Server(answer=rates) as server:
        result = judge(server, cache, "facets", "--on-error", policy, data=data)
    assert [int(made["id"]) for made in result.records] == kept
    assert result.status == (3 if policy == "stop" else 1)
    assert policy == "stop" or "3 records, 1 failed, 1 partial" in result.err


def test_stop_ends_at_a_partial_record(cache, tmp_path):
    data = jsonl({**TWO, "id": "1"}, {**record(fine=CANDIDATE), "id": "2"})
    out = tmp_path / "out.jsonl"
    with Server(answer=rates) as server:
        result = judge(server, cache, "facets", "--on-error", "stop", "--output", str(out), data=data)
    assert result.status == 1 and not out.exists() and '"id":"1"' in (tmp_path / "out.jsonl.part").read_text()


def test_what_ends_a_run_is_no_missing_part(cache):
    with Server(answer=rates) as server:
        result = judge(server, cache, "facets", "--max-calls", "2", "--concurrency", "1")
    assert result.status == 4 and result.out == b"" and "--max-calls 2 reached" in result.err


# Facets


def quotes(messages) -> str:
    text = fenced(messages)
    return (
        "no" if "garble" in text else json.dumps({"background": [text], "method": [], "result": [], "conclusion": []})
    )


def facets(cache: dict, *records: dict):
    with Server(answer=quotes) as server:
        return st("st-facets", *MODEL, input=jsonl(*records), env={**cache, **server.environment})


def test_a_text_without_a_usable_reply_costs_that_text(cache):
    data = {
        "id": "p",
        "abstract": "Bees.",
        "summaries": [{"system": "good", "text": "Bees."}, {"system": "bad", "text": "To garble."}],
    }
    result = facets(cache, data)
    [made] = result.records
    assert [one["in"] for one in made["facets"]] == ["abstract", "summary:good", "summary:bad"]
    assert made["facets"][1]["background"]["text"] == "Bees."
    assert made["facets"][2]["background"] is None and made["facets"][2]["reason"].startswith("reply not usable")
    assert result.status == 1 and made["errors"][0]["reason"].startswith("1 of 3 texts is missing")
    scored = st("st-score", "facets", input=result.out)
    assert scored.status == 1 and "bad" in scored.err
    [bad] = [one for one in scored.records[0]["scores"] if one["system"] == "bad"]
    assert bad["values"]["background.rouge1"] is None and bad["values"]["overall.rouge1"] == 0.0, (
        "null is not: no facet"
    )


def test_a_record_of_which_no_text_has_a_usable_reply_fails(cache):
    result = facets(cache, {"id": "p", "abstract": "To garble."}, {"id": "q", "abstract": "Bees."})
    assert result.status == 1 and "2 records, 1 failed," in result.err and "partial" not in result.err
    assert "facets" not in result.records[0] and result.records[0]["errors"][0]["kind"] == "reply"


# Limitations


def extract(cache: dict, *records: dict, args=()):
    def answer(messages):
        return "no" if "garble" in messages[1]["content"] else sentences(messages)

    with Server(answer=answer) as server:
        return st("st-extract-limits", *MODEL, *args, input=jsonl(*records), env={**cache, **server.environment})


def test_a_passage_without_a_usable_reply_is_rejected_whole_and_costs_no_other(cache):
    lost = section("To garble is human.", id="s2")
    data = {**paper(review()), "sections": [section("Our sample is small."), lost]}
    result = extract(cache, data)
    [made] = result.records
    assert [item["text"] for item in made["limitations"]] == [
        "Our sample is small.",
        *REVIEW_TEXT.split("\n")[1].replace(". ", ".\n").split("\n"),
    ]
    [told] = made["rejected"]
    assert told["span"] == {"in": "s2", "start": 0, "end": len(lost["text"])} and told["text"] == lost["text"]
    assert told["reason"].startswith("no usable reply about this passage: reply not usable")
    assert result.status == 1 and made["errors"][0]["parts"] == ["s2"]
    assert made["errors"][0]["reason"].startswith("1 of 3 replies is missing")


def test_a_paper_of_which_no_passage_has_a_usable_reply_fails(cache):
    """An empty list would say that it states no limitation."""
    result = extract(cache, {"id": "p", "sections": [section("To garble is human.")]})
    assert result.status == 1 and "limitations" not in result.records[0]
