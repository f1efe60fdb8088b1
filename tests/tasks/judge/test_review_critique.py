"""st-judge review: two prompts over numbered segments, verified by number; ensembles; trivial systems."""

from __future__ import annotations

import json
import re

import pytest
from support.run import jsonl, st
from support.server import Server

MODEL = ("--model", "openai/mock")
SEGMENTS = ["The paper is short.", "It has no baseline.", "Bad work.", "What is k?"]
TRUTH = [False, True, True, False]


def review(name: str, segments: list[str] = SEGMENTS, truth: list[bool] | None = TRUTH) -> dict:
    text, cut = " ".join(segments), []
    for place, segment in enumerate(segments):
        start = text.index(segment)
        found = {} if truth is None else {"deficient": truth[place]}
        cut.append({"start": start, "end": start + len(segment), **found})
    return {"id": name, "text": text, "segments": cut}


def record(*reviews: dict, words: int = 20) -> dict:
    section = {
        "id": "s1",
        "heading": "Method",
        "level": 1,
        "role": "method",
        "text": " ".join(f"w{n}." for n in range(words)),
    }
    return {"id": "p", "title": "T", "sections": [section], "reviews": list(reviews or [review("r1")])}


def shown(messages: list[dict]) -> dict[int, str]:
    prompt = next(message["content"] for message in messages if message["role"] == "user")
    return {
        one["id"]: one["text"] for one in map(json.loads, re.findall(r'^\{"id": \d.*$', prompt, re.M)) if "text" in one
    }


def is_labelling(messages: list[dict]) -> bool:
    return '"reliable": true' in messages[1]["content"]


def labels(bad: dict[int, str], numbers) -> str:
    return json.dumps(
        {"segments": [{"id": n, "reliable": n not in bad, "explanation": bad.get(n, "")} for n in numbers]}
    )


def selection(bad: dict[int, str]) -> str:
    return json.dumps({"deficient": [{"id": n, "explanation": why} for n, why in bad.items()]})


def answer(messages: list[dict]) -> str:
    """Labels call 2 and 3 deficient, the selection 3 and 4."""
    known = shown(messages)
    said = {2: "The baseline is there.", 3: "Says nothing."} if is_labelling(messages) else {3: "Rude.", 4: "Answered."}
    bad = {n: why for n, why in said.items() if n in known}
    return labels(bad, known) if is_labelling(messages) else selection(bad)


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache.sqlite")}


def judge(data: dict, env: dict, *args: str):
    return st("st-judge", "review", *MODEL, *args, input=jsonl(data), env=env)


def answers(made: dict, prompt: str, place: int = 0) -> list[bool | None]:
    segments = made["judgements"]["review"][-1]["reviews"][place]["segments"]
    return [one["answers"][prompt] and one["answers"][prompt]["deficient"] for one in segments]


def test_both_prompts_and_both_ensembles_as_by_hand(cache):
    with Server({"fence": 0.3}, answer=answer) as server:
        done = judge(record(), {**cache, **server.environment})
    assert done.status == 0 and len(server.bodies) == 2, done.err
    [made] = done.records
    assert answers(made, "labeling-all") == [False, True, True, False]
    assert answers(made, "select-deficient") == [False, False, True, True]
    segment = made["judgements"]["review"][0]["reviews"][0]["segments"][1]
    assert segment["answers"]["labeling-all"]["explanation"] == "The baseline is there."
    assert made["reviews"][0]["text"][segment["start"] : segment["end"]] == SEGMENTS[1]
    values = st("st-score", "review", input=done.out).records[0]["scores"][0]["values"]
    by_hand = {"labeling-all": (1, 1), "select-deficient": (0.5, 0.5), "both-no": (1, 0.5), "either-no": (2 / 3, 1)}
    for reading, (precision, recall) in by_hand.items():
        assert (values[f"{reading}.precision"], values[f"{reading}.recall"]) == pytest.approx((precision, recall))
    again = judge(record(), cache, "--replay")
    assert (again.status, again.out) == (0, done.out)


def test_no_prompt_holds_what_people_found_or_a_name(cache):
    data = record({**review("r1"), "ratings": {"soundness": 4321}})
    data["reviews"][0]["segments"][1]["explanation"] = "people-say-so"
    with Server(answer=answer) as server:
        judge(data, {**cache, **server.environment}, "--system", "zanzibar")
    sent = json.dumps([body["messages"] for body in server.bodies])
    assert not [word for word in ("people-say-so", "4321", "zanzibar") if word in sent] and "w19" in sent


@pytest.mark.parametrize(("bad", "good"), [
    (labels({9: "?"}, [1, 2, 3, 4, 9]), None),
    (labels({}, [1, 2, 3, 3, 4]), None),
    (labels({}, [1, 2, 4]), None),
    (labels({2: ""}, [1, 2, 3, 4]), None),
])  # fmt: skip
def test_a_reply_with_wrong_numbers_is_asked_for_once_more(cache, bad, good):
    def once(messages):
        return bad if is_labelling(messages) and len(messages) == 2 else answer(messages)

    with Server(answer=once) as server:
        done = judge(record(), {**cache, **server.environment})
    assert done.status == 0 and len(server.bodies) == 3
    assert answers(done.records[0], "labeling-all") == [False, True, True, False]


def test_what_stays_unlabelled_is_null_with_a_reason_and_alone(cache):
    def lacking(messages):
        return labels({2: "There is one."}, [1, 2, 4, 4, 7]) if is_labelling(messages) else answer(messages)

    with Server(answer=lacking) as server:
        done = judge(record(), {**cache, **server.environment})
    [made] = done.records
    assert done.status == 1 and answers(made, "labeling-all") == [False, True, None, None]
    assert answers(made, "select-deficient") == [False, False, True, True]
    reasons = [one.get("reasons", {}) for one in made["judgements"]["review"][0]["reviews"][0]["segments"]]
    assert [one.get("labeling-all") for one in reasons[2:]] == [
        "segment 3 is not labelled",
        "segment 4 is labelled twice",
    ]
    assert (
        "there is no segment 7" in made["errors"][0]["reason"]
        and "2 of 8 segments have no answer" in made["errors"][0]["reason"]
    )
    values = st("st-score", "review", input=done.out).records[0]["scores"][0]["values"]
    assert values["labeling-all.f1"] is None and values["either-no.f1"] is None and values["select-deficient.f1"] == 0.5


def test_a_selection_that_names_no_segment_says_nothing_of_those_it_does_not_name(cache):
    def off_by_one(messages):
        return answer(messages) if is_labelling(messages) else selection({0: "Vague.", 3: "Rude."})

    with Server(answer=off_by_one) as server:
        done = judge(record(), {**cache, **server.environment})
    assert done.status == 1 and answers(done.records[0], "select-deficient") == [None, None, True, None]
    values = st("st-score", "review", input=done.out).records[0]["scores"][0]["values"]
    assert values["select-deficient.f1"] is None and values["labeling-all.f1"] is not None


def test_of_several_pieces_one_that_says_deficient_is_enough(cache):
    def by_piece(messages):
        if is_labelling(messages):
            return labels({1: "Wrong."} if "w39" in messages[1]["content"] else {}, shown(messages))
        return "none" if "w39" in messages[1]["content"] else selection({2: "Wrong."})

    with Server(answer=by_piece) as server:
        done = judge(record(words=40), {**cache, **server.environment}, "--split-words", "20")
    assert done.status == 1
    assert answers(done.records[0], "labeling-all") == [True, False, False, False]
    assert answers(done.records[0], "select-deficient") == [None, True, None, None], "another piece might have said so"


def test_segments_are_asked_about_in_groups_with_their_own_numbers(cache):
    with Server(answer=answer) as server:
        done = judge(record(), {**cache, **server.environment}, "--segments-per-call", "3")
    assert len(server.bodies) == 4 and {tuple(shown(body["messages"])) for body in server.bodies} == {(1, 2, 3), (4,)}
    assert answers(done.records[0], "select-deficient") == [False, False, True, True]


def test_samples_are_systems_and_a_dry_run_counts_them(cache):
    with Server(answer=answer) as server:
        done = judge(record(), {**cache, **server.environment}, "--samples", "2", "--system", "critic")
    assert [one["system"] for one in done.records[0]["judgements"]["review"]] == ["critic#1", "critic#2"]
    told = st("st-judge", "review", "--model", "openai/gpt-4o-mini", "--samples", "2", "--dry-run",
              input=jsonl(record()), env={**cache, "OPENAI_API_KEY": "none"})  # fmt: skip
    assert told.records[0]["dry_run"]["to_send"] == 4


def test_trivial_systems_stand_beside_each_other():
    first = st(
        "st-judge", "review", "--system", "all", input=jsonl(record(review("r1"), review("r2", truth=[False] * 4)))
    )
    done = st("st-judge", "review", "--system", "none", input=first.out)
    found = {(one["system"], one["item"]): one for one in st("st-score", "review", input=done.out).records[0]["scores"]}
    assert found["all", "r1"]["values"]["either-no.precision"] == 0.5
    assert found["all", "r1"]["values"]["either-no.recall"] == 1
    assert found["none", "r1"]["values"]["both-no.f1"] == 0
    assert found["none", "r2"]["n_none_deficient"] == 1
    both = st("st-score", "review", "--summary", input=done.out).records
    means = {
        one["system"]: {name: one["values"][f"either-no.{name}"] for name in ("f1", "f1_with_deficient")}
        for one in both
    }
    assert means["all"]["f1"]["mean"] == pytest.approx(1 / 3) and means["all"]["f1_with_deficient"][
        "mean"
    ] == pytest.approx(2 / 3)
    assert means["all"]["f1_with_deficient"]["nulls"] == {"people called no segment deficient": 1}


def test_reviews_without_segments_are_cut_by_sentences_only_where_that_is_asked_for():
    bare = {key: value for key, value in review("r1").items() if key != "segments"}
    refused = st("st-judge", "review", "--system", "all", input=jsonl(record(bare)))
    assert refused.status == 3 and "--segment" in refused.err
    done = st("st-judge", "review", "--system", "all", "--segment", input=jsonl(record(bare)))
    [cut] = done.records[0]["judgements"]["review"][0]["reviews"]
    assert [bare["text"][one["start"] : one["end"]] for one in cut["segments"]] == SEGMENTS and cut["by"] == "builtin"
    unjudged = st("st-score", "review", input=done.out)
    assert unjudged.status == 3 and "nobody judged" in unjudged.err
    [made] = done.records
    written = made["reviews"][0]["segments"]
    assert [bare["text"][one["start"] : one["end"]] for one in written] == SEGMENTS
    for one, found in zip(written, TRUTH):
        one["deficient"] = found
    again = st("st-judge", "review", "--system", "all", input=jsonl(made))
    scored = st("st-score", "review", input=again.out)
    assert scored.status == 0 and scored.records[0]["scores"][0]["values"]["labeling-all.precision"] == 0.5


def test_judgements_of_other_segments_are_refused():
    [made] = st("st-judge", "review", "--system", "all", input=jsonl(record())).records
    made["reviews"][0]["segments"][0]["deficient"] = True
    done = st("st-score", "review", input=jsonl(made))
    assert done.status == 3 and "about other segments" in done.err


def test_judgements_of_another_text_and_two_reviews_of_one_id_are_refused():
    [made] = st("st-judge", "review", "--system", "all", input=jsonl(record())).records
    made["reviews"][0]["text"] = made["reviews"][0]["text"].replace("baseline", "vaseline")
    done = st("st-score", "review", input=jsonl(made))
    assert done.status == 3 and "about other texts" in done.err
    twice = st("st-judge", "review", "--system", "all", input=jsonl(record(review("r1"), review("r1"))))
    assert twice.status == 3 and 'has a duplicate "r1"' in twice.err


def test_a_review_that_a_system_has_not_judged_is_counted_and_told():
    [made] = st("st-judge", "review", "--system", "all", input=jsonl(record())).records
    made["reviews"].append(review("r2"))
    done = st("st-score", "review", "--summary", input=jsonl(made))
    assert done.status == 1 and done.records[0]["values"]["either-no.f1"]["n"] == 1
    assert done.records[0]["n"] == 2 and done.records[0]["n_unjudged"] == 8


@pytest.mark.parametrize(("args", "status", "words"), [
    ((), 4, "--system none writes a baseline that calls no segment deficient"),
    (("--system", "critic"), 2, '"none" or "all"'),
    (("--segments-per-call", "2"), 2, "needs --model"),
])  # fmt: skip
def test_wrong_usage(args, status, words):
    done = st("st-judge", "review", *args, input=jsonl(record()))
    assert done.status == status and words in done.err


@pytest.mark.parametrize(
    "cut", [[{"start": 0, "end": 5}, {"start": 4, "end": 9}], [{"start": 3, "end": 3}], [{"start": 0, "end": 9999}]]
)
def test_segments_that_do_not_lie_in_the_text_are_refused(cut):
    data = record({"id": "r1", "text": "A review of little worth.", "segments": cut})
    done = st("st-judge", "review", "--system", "all", input=jsonl(data))
    assert done.status == 3 and "segment" in done.err
