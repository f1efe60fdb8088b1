"""What holds of every action of st-claims and of its judges: order, parts, faults, replays, counts before a run."""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.claims import TYPES, answer, fenced, prompt_of, targeted
from support.model_runs import MODEL
from support.run import BIN, ROOT, environment, jsonl, st
from support.server import Server

FIXTURE = [json.loads(line) for line in (ROOT / "fixtures" / "claims.jsonl").read_text().splitlines()]
TARGETED = [targeted(record, 5) for record in FIXTURE]

#: Every action that asks a model, with what it is given; then the judges, which read what the actions make.
ACTIONS: dict[str, tuple[str, ...]] = {
    "select": ("st-claims", "select", "--topic", "rain"),
    "extract": ("st-claims", "extract"),
    "weaknesses": ("st-claims", "weaknesses"),
    "associate": ("st-claims", "associate", "--orders", "2", "--system", "two"),
    "label": ("st-claims", "label", "--edit"),
    "edit": ("st-claims", "edit"),
    "verify": ("st-claims", "verify", "--controls"),
    "same-issue": ("st-judge", "same-issue"),
    "specificity": ("st-judge", "specificity", "--targets", "gold"),
}
# Every action is run by make test-all, two of them by make test too.
MOST_SLOW = [name if name in ("extract", "verify") else pytest.param(name, marks=pytest.mark.slow) for name in ACTIONS]


def environment_of(server: Server, folder: Path) -> dict[str, str]:
    return {**server.environment, "ST_CACHE": str(folder / "cache.sqlite")}


def run(server: Server, folder: Path, name: str, records: list[dict], *more: str) -> Any:
    return st(*ACTIONS[name], *MODEL, *more, input=jsonl(*records), env=environment_of(server, folder))


@pytest.fixture(scope="module")
def given(tmp_path_factory) -> dict[str, list[dict]]:
    """What each action is given: the fixture with people's targets, for judges with what the actions make of it."""
    folder = tmp_path_factory.mktemp("given")
    with Server(answer=answer) as server:
        verified = run(server, folder, "verify", TARGETED).records
        edited = run(server, folder, "edit", TARGETED).records
    judged = {"same-issue": verified, "specificity": edited}
    # As if read from a file of another run: no call of its own.
    for record in (*verified, *edited):
        record["provenance"] = [
            {key: value for key, value in one.items() if key != "calls"} for one in record["provenance"]
        ]
    return {name: judged.get(name, TARGETED) for name in ACTIONS}


def without_calls(record: dict) -> dict:
    """A record without how many of its calls were in the cache."""
    kept = [{key: value for key, value in one.items() if key != "calls"} for one in record["provenance"]]
    return {**record, "provenance": kept}


# Counts before a run


@pytest.mark.parametrize("name", MOST_SLOW)
def test_what_a_dry_run_counts_is_what_the_server_sees(tmp_path, given, name):
    with Server(answer=answer) as server:
        dry = run(server, tmp_path, name, given[name], "--dry-run")
        assert dry.status == 0 and server.requests == 0
        counted = dry.records[0]["dry_run"]["to_send"]
        assert run(server, tmp_path, name, given[name]).status == 0
        assert server.requests == counted > 0


# Parts and order


@pytest.mark.parametrize("name", MOST_SLOW)
def test_parts_of_the_input_make_the_bytes_of_the_whole(tmp_path, given, name):
    records = given[name]
    with Server(answer=answer) as server:
        folders = [tmp_path / part for part in ("whole", "first", "rest")]
        for folder in folders:
            folder.mkdir()
        whole, first, rest = (
            run(server, folder, name, some, "--concurrency", "3").out
            for folder, some in zip(folders, (records, records[:2], records[2:]))
        )
    assert whole == first + rest


@pytest.mark.slow
@pytest.mark.parametrize("name", ["select", "extract", "weaknesses", "associate", "label"])
def test_parts_make_the_whole_without_a_model_too(name):
    records = [{key: value for key, value in record.items() if key != "gold"} for record in TARGETED]
    whole = st("st-claims", name, input=jsonl(*records))
    parts = [st("st-claims", name, input=jsonl(*some)).out for some in (records[:1], records[1:])]
    assert whole.status == 0 and whole.out == b"".join(parts)
    assert st("st-claims", name, "--jobs", "2", input=jsonl(*records)).out == whole.out


@pytest.mark.parametrize("name", ["select", "extract", "weaknesses", "associate", "label"])
def test_items_do_not_depend_on_the_order_of_records_and_reviews(name):
    drawn = random.Random(7)
    shuffled = [{**record, "reviews": record["reviews"][::-1]} for record in TARGETED]
    drawn.shuffle(shuffled)

    def items(records: list[dict]) -> dict[str, Any]:
        done = st("st-claims", name, input=jsonl(*records))
        return {one["id"]: by_text(one, name) for one in done.records}

    assert items(shuffled) == items(TARGETED)


def by_text(record: dict, name: str) -> dict[str, Any]:
    """What an action adds to each review, claim or weakness, by its id or, where the action names it, by its text."""
    if name == "select":
        return {one["id"]: one["claim_related"] for one in record["reviews"]}
    if name == "extract":
        return {one["id"]: one for one in record["claims"]}
    if name == "weaknesses":
        return {one["text"]: {key: one[key] for key in one if key != "id"} for one in record["weaknesses"]}
    return {one["id"]: one for one in record["weaknesses"]}


def test_shuffled_claims_have_the_same_targets():
    drawn = random.Random(11)
    shuffled = [{**record, "claims": drawn.sample(record["claims"], len(record["claims"]))} for record in TARGETED]
    made = [st("st-claims", "associate", input=jsonl(*some)).records for some in (TARGETED, shuffled)]
    targets = [[[one["targets"] for one in record["weaknesses"]] for record in records] for records in made]
    assert targets[0] == targets[1]


# Replays


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_SLOW)
def test_a_bundle_rebuilds_every_action_elsewhere_without_the_client(tmp_path, given, name):
    with Server(answer=answer) as server:
        first = run(server, tmp_path, name, given[name])
    (tmp_path / "run.jsonl").write_bytes(first.out)
    env = {"ST_CACHE": str(tmp_path / "cache.sqlite")}
    bundle = st("st-cache", "export", "--used-by", str(tmp_path / "run.jsonl"), env=env).out
    (tmp_path / "bundle.jsonl").write_bytes(bundle)
    elsewhere = {"ST_CACHE": str(tmp_path / "other.sqlite")}
    assert st("st-cache", "import", str(tmp_path / "bundle.jsonl"), env=elsewhere).status == 0
    command, *arguments = ACTIONS[name]
    # The same script in an interpreter that says what it imported.
    traced = [str(BIN / "python"), "-X", "importtime", str(BIN / command), *arguments, *MODEL, "--replay"]
    done = subprocess.run(
        traced, input=jsonl(*given[name]), capture_output=True, timeout=120, env=environment(**elsewhere)
    )
    assert done.stdout == first.out and done.returncode == 0
    imported = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    assert b"scholartools" in imported and not imported & {b"litellm", b"aiohttp", b"openai"}


# Faults


FAULTS = {name: 0.05 for name in ("429", "500", "drop", "cut", "fence", "prose", "invalid", "empty", "refusal")}


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_SLOW)
def test_faults_cost_parts_and_never_an_answer(tmp_path, given, name):
    """Where a record has no error it is as without faults, and what a model answered is not asked again."""
    plain, rough = tmp_path / "plain", tmp_path / "rough"
    plain.mkdir()
    rough.mkdir()
    with Server(answer=answer) as server:
        wanted = run(server, plain, name, given[name])
        assert wanted.status == 0
    with Server(FAULTS, answer=answer) as server:
        done = run(server, rough, name, given[name], "--concurrency", "4")
        assert server.again_after_good == 0
    assert len(done.records) == len(given[name]) and done.status in (0, 1)
    for before, after in zip(wanted.records, done.records):
        assert after.get("errors") or without_calls(after) == without_calls(before)


def test_a_model_that_always_refuses_leaves_nulls_with_its_words(tmp_path):
    with Server({"refusal": 1.0}, answer=answer, heals=False) as server:
        done = run(server, tmp_path, "label", TARGETED[:1])
    assert done.status == 1 and done.records[0]["errors"]
    labels = [entry for one in done.records[0]["weaknesses"] for entry in one["labels"]]
    assert labels and all(one["types"] is None and "refus" in one["reasons"]["types"] for one in labels)


# Replies that are no answer


def changed(made: dict, **more: Any) -> dict:
    return {**made, **more}


NONE_TRUE = dict.fromkeys(TYPES, False)


@pytest.mark.parametrize("more", [(), ("--edit",)])
@pytest.mark.parametrize(
    "broken",
    [
        {"objectivity": 0},
        {"objectivity": 6},
        {"agreement": 3.5},
        {"agreement": True},
        {"agreement": None},
        {"types": NONE_TRUE},
        {"types": {**NONE_TRUE, "novelty": "yes, somewhat"}},
        {"types": {name: value for name, value in NONE_TRUE.items() if name != "other"}},
    ],
)
def test_labels_that_are_none_are_asked_about_once_more(tmp_path, more, broken):
    def reply(messages: list[dict]) -> str:
        is_again = len(messages) > 2
        return json.dumps(json.loads(answer(messages)) | ({} if is_again else broken))

    record = targeted(FIXTURE[0], 1)
    with Server(answer=reply) as server:
        done = st("st-claims", "label", *MODEL, *more, input=jsonl(record), env=environment_of(server, tmp_path))
        assert server.requests == 2
    assert done.status == 0 and done.records[0]["weaknesses"][0]["labels"][0]["types"] == ["insufficient"]


RELATED = {"id": "ortiz", "title": "Modal Verbs in Beam Search", "authors": ["A. Ortiz", "C. Bell"], "year": 2021,
           "abstract": "Modal verbs are rewarded during search."}  # fmt: skip


@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        ({"paper": 0, "label": "table_9", "quote": None}, "there is no table 9"),
        ({"paper": 0, "label": "text_1", "quote": "Modal verbs are rewarded during search."}, "stands in paper 1"),
        ({"paper": 1, "label": "text_1", "quote": "REVIEW"}, "in the review"),
        ({"paper": 0, "label": "text_1", "quote": "Nothing of the kind was ever written."}, "not in the paper"),
    ],
)
def test_evidence_that_is_none_is_rejected_and_the_rest_stays(tmp_path, piece, reason):
    record = targeted(FIXTURE[0], 2)
    weakness = record["weaknesses"][1]
    record["weaknesses"] = [weakness]
    (tmp_path / "corpus.jsonl").write_bytes(jsonl(RELATED))

    def reply(messages: list[dict]) -> str:
        made = json.loads(answer(messages))
        quote = weakness["text"] if piece["quote"] == "REVIEW" else piece["quote"]
        return json.dumps(changed(made, evidence=[*made["evidence"], {**piece, "quote": quote}]))

    with Server(answer=reply) as server:
        env = environment_of(server, tmp_path)
        corpus = ("--side", "reviewer", "--corpus", str(tmp_path / "corpus.jsonl"))
        done = st("st-claims", "verify", *corpus, *MODEL, input=jsonl(record), env=env)
    assert done.status == 0, done.err
    [made] = done.records
    assert [one["label"] for one in made["verifications"][0]["evidence"]] == ["text_0"]
    [rejected] = [one for one in made["rejected"] if one["verification"] == made["verifications"][0]["id"]]
    assert reason in rejected["reason"] and (rejected["command"], rejected["step"]) == ("st-claims", "verify")


def test_a_citation_of_evidence_that_is_not_given_is_asked_about_once_more(tmp_path):
    def reply(messages: list[dict]) -> str:
        made = json.loads(answer(messages))
        return json.dumps(made if len(messages) > 2 else changed(made, reasoning="By <text_9> it is too little."))

    with Server(answer=reply) as server:
        done = run(server, tmp_path, "verify", [targeted(FIXTURE[0], 1)], "--side", "model")
        told = [prompt_of(body["messages"][-1:]) for body in server.bodies if len(body["messages"]) > 2]
    assert done.status == 0 and told and all("text_9" in text for text in told)
    assert all(one["cited"] == ["text_0"] for one in done.records[0]["verifications"])


def of_claim(record: dict, place: int, text: str | None = None) -> dict:
    return {"number": place, "text": text or record["claims"][place - 1]["text"]}


def test_targets_of_a_reply_that_contradicts_itself(tmp_path):
    """Four targets and number 3 with the text of claim 5 are asked about again; a custom candidate is the candidate."""
    record = targeted(FIXTURE[0], 1)
    review = next(one["text"] for one in record["reviews"] if one["id"] == record["weaknesses"][0]["review"])
    claims = record["claims"]
    cases: list[tuple[dict, int, list[str | None], str | None]] = [
        ({"targets": [of_claim(record, place) for place in (1, 2, 3, 4)], "custom": None}, 2, ["g1"], None),
        ({"targets": [of_claim(record, 3, claims[4]["text"])], "custom": None}, 2, ["g1"], None),
        ({"targets": [], "custom": claims[4]["text"]}, 1, [claims[4]["id"]], None),
        ({"targets": [], "custom": record["weaknesses"][0]["text"]}, 1, [], "in the review"),
        ({"targets": [of_claim(record, place) for place in (1, 2, 3)], "custom": review[:80]}, 2, ["g1"], None),
        ({"targets": [], "custom": ["one", "two"]}, 2, ["g1"], None),
    ]
    for number, (said, requests, wanted, rejected) in enumerate(cases):

        def reply(messages: list[dict], said: dict = said) -> str:
            return answer(messages) if len(messages) > 2 else json.dumps({"reasoning": "r", **said})

        folder = tmp_path / str(number)
        folder.mkdir()
        with Server(answer=reply) as server:
            env = environment_of(server, folder)
            done = st("st-claims", "associate", "--system", "m", *MODEL, input=jsonl(record), env=env)
            assert server.requests == requests, said
        entry = done.records[0]["weaknesses"][0]["targets"][-1]
        assert [item["claim"] for item in entry["items"]] == wanted, said
        told = [one["reason"] for one in done.records[0].get("rejected") or ()]
        assert len(told) == (rejected is not None) and all(rejected in one for one in told)


def test_quotes_that_say_something_else_are_rejected_with_reason_and_step(tmp_path):
    abstract = (
        "Our parser gains 4.2 points. It does not need labels. The gain holds on all five corpora. Speed is kept."
    )
    quotes = [
        "Our parser gains 4.3 points.",
        "It does need labels.",
        "Our parser gains 4.2 points. Speed is kept.",
        "The gain holds not on all five corpora.",
        "Speed is kept.",
    ]
    with Server(answer=lambda _: json.dumps({"claims": quotes})) as server:
        env = environment_of(server, tmp_path)
        done = st("st-claims", "extract", *MODEL, input=jsonl({"id": "p", "abstract": abstract}), env=env)
    [record] = done.records
    assert [claim["text"] for claim in record["claims"]] == ["Speed is kept."]
    assert [one["text"] for one in record["rejected"]] == quotes[:4]
    assert all(one["reason"] and one["step"] == "extract" for one in record["rejected"])


@pytest.mark.parametrize("rater", [None, "m"])
def test_weaknesses_of_an_earlier_run_are_never_taken_for_those_of_one_that_failed(tmp_path, rater):
    """Where no review has a usable reply there are no weaknesses, and the next command says so."""
    more = ("--rater", rater) if rater else ()
    earlier = st("st-claims", "weaknesses", *more, input=jsonl(FIXTURE[0])).records
    assert FIXTURE[0]["reviews"] and (earlier[0].get("weaknesses") or earlier[0]["annotations"]["weaknesses"])
    with Server(answer=lambda _: "I cannot.") as server:
        failed = run(server, tmp_path, "weaknesses", earlier, *more)
        on = run(server, tmp_path, "associate", failed.records)
    [record] = failed.records
    assert failed.status == 1 and len(record["errors"]) == 1 and record["errors"][0]["task"] == "weaknesses"
    if rater:
        assert all(entry["items"] is None for entry in record["annotations"]["weaknesses"])
    else:
        assert "weaknesses" not in record and not any(one.get("weaknesses_by") for one in record["reviews"])
        assert on.status != 0 and "targets" not in str(on.records[0].get("weaknesses"))


# Records that are not as they must be


UNKNOWN_REVIEW = {**TARGETED[0], "weaknesses": [{**TARGETED[0]["weaknesses"][0], "review": "r9"}]}


@pytest.mark.parametrize("name", ["associate", "label", "edit", "verify"])
def test_a_weakness_of_an_unknown_review_is_told_and_its_record_goes_on(tmp_path, name):
    with Server(answer=answer) as server:
        done = run(server, tmp_path, name, [UNKNOWN_REVIEW, TARGETED[1]])
    assert done.status == 1 and [record["id"] for record in done.records] == [UNKNOWN_REVIEW["id"], TARGETED[1]["id"]]
    assert '"r9"' in done.records[0]["errors"][0]["reason"] and not done.records[1].get("errors")


def test_an_empty_review_has_no_weakness_and_asks_nothing(tmp_path):
    record = {**FIXTURE[0], "reviews": [{"id": "r1", "text": ""}, FIXTURE[0]["reviews"][1]]}
    built_in = st("st-claims", "weaknesses", input=jsonl(record))
    assert built_in.status == 0 and {one["review"] for one in built_in.records[0]["weaknesses"]} <= {"r2"}
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "weaknesses", [record])
        assert done.status == 0 and server.requests == 1


@pytest.mark.slow
def test_code_points_of_emoji_are_counted_one_by_one(tmp_path):
    text = "\U0001f600\U0001f680 We show that caf\u00e9 \U0001f468\u200d\U0001f469\u200d\U0001f467 models outperform all others. \u05e9\u05dc\u05d5\u05dd"
    quote = "We show that caf\u00e9 \U0001f468\u200d\U0001f469\u200d\U0001f467 models outperform all others."
    review = f'\U0001f600 The authors claim that "{quote}" but this is not supported.'
    record = {"id": "p", "abstract": text, "reviews": [{"id": "r", "text": review}]}
    line = [("extract",), ("weaknesses",), ("associate",)]
    for action in line:
        done = st("st-claims", *action, input=jsonl(record))
        assert done.status == 0, done.err
        [record] = done.records
    [item] = record["weaknesses"][0]["targets"][0]["items"]
    [span] = item["spans"]
    assert text[span["start"] : span["end"]] == item["text"] == record["claims"][0]["text"]
    [weakness] = record["weaknesses"]
    assert review[weakness["spans"][0]["start"] : weakness["spans"][0]["end"]] == weakness["text"]


# What was made of another text


@pytest.mark.slow
def test_what_was_made_of_another_text_is_refused(tmp_path):
    record = targeted(FIXTURE[0], 2)
    with Server(answer=answer) as server:
        labelled = run(server, tmp_path, "label", [record], "--system", "m").records
        for weakness in labelled[0]["weaknesses"]:
            weakness["labels"].append({**weakness["labels"][0], "system": "gold"})
        [made] = run(server, tmp_path, "verify", labelled, "--labels", "m").records
        lines = {
            "label": ("st-score", "labels"),
            "edit": ("st-score", "edits"),
            "specificity": ("st-judge", "specificity", "--targets", "gold", *MODEL),
            "verify": ("st-judge", "same-issue", *MODEL),
        }
        env = environment_of(server, tmp_path)
        assert all(st(*line, input=jsonl(made), env=env).status == 0 for line in lines.values())
        made["weaknesses"][1]["text"] += " And more."
        made["weaknesses"][1]["spans"] = []
        for line in lines.values():
            done = st(*line, input=jsonl(made), env=env, is_described=False)
            assert done.status == 3 and "again" in done.err and '"w2"' in done.err, done.err


@pytest.mark.slow
def test_a_system_that_nobody_has_is_refused_before_a_call(tmp_path):
    record = targeted(FIXTURE[0], 2)
    with Server(answer=answer) as server:
        [edited] = run(server, tmp_path, "edit", [record]).records
        labelled = run(server, tmp_path, "label", [record], "--system", "m").records
        before = server.requests
        for name, given, option in [
            *((name, record, "--targets") for name in ("label", "edit", "verify")),
            ("specificity", edited, "--targets"),
            ("verify", labelled[0], "--labels"),
        ]:
            done = run(server, tmp_path, name, [given], option, "Gold")
            assert done.status == 3, (name, done.err)
            assert f'"Gold", which {option} names' in done.err, (name, done.err)
        assert server.requests == before


@pytest.mark.slow
def test_judgements_and_verifications_of_other_texts_are_not_scored(tmp_path):
    record = targeted(FIXTURE[0], 2)
    with Server(answer=answer) as server:
        [edited] = run(server, tmp_path, "edit", [record]).records
        [won] = run(server, tmp_path, "specificity", [edited]).records
        [verified] = run(server, tmp_path, "verify", [record]).records
        [compared] = run(server, tmp_path, "same-issue", [verified]).records
    changed = json.loads(json.dumps([won, compared, verified, won]))
    changed[0]["weaknesses"][0]["edited"][0]["text"] += " And more."
    changed[3]["weaknesses"][0]["targets"][0]["items"] = []
    changed[1]["verifications"][0]["text"] += " And more."
    for weakness in changed[2]["weaknesses"]:
        weakness["targets"][0]["items"] = []
    tasks = ("specificity", "same-issue", "verifications", "specificity")
    for task, whole, other in zip(tasks, (won, compared, verified, won), changed):
        table = st("st-score", task, "--table", input=jsonl(whole))
        assert table.status == 0 and re.search(r"\d on targets of gold by anna", table.out.decode()), table.out
        done = st("st-score", task, input=jsonl(other), is_described=False)
        assert done.status == 3 and "again" in done.err, (task, done.err)


@pytest.mark.slow
def test_pairs_of_which_a_side_is_null_are_told(tmp_path):
    with Server(answer=answer) as server:
        [verified] = run(server, tmp_path, "verify", TARGETED[:1]).records
        sides = [one for one in verified["verifications"] if one["side"] == "reviewer"]
        assert len(sides) > 1
        sides[0] |= dict.fromkeys(("types", "text", "evidence", "cited"))
        compared = run(server, tmp_path, "same-issue", [verified])
    done = st("st-score", "same-issue", input=jsonl(*compared.records))
    [score] = done.records[0]["scores"]
    assert done.status == 1 and "1" in done.err
    assert score["n_unjudged"] == 1 and score["values"]["n_pairs"] == len(sides) - 1


@pytest.mark.slow
def test_a_paper_of_which_all_pictures_are_missing_is_not_asked_about(tmp_path):
    record = targeted(FIXTURE[0], 1)
    place = {"id": "f1", "kind": "figure", "label": "Figure 1", "page": 1, "image": str(tmp_path / "absent.png")}
    record["captions"] = [{**place, "text": "Figure 1: Rain."}]
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "label", [record])
        assert done.status != 0 and "absent.png" in done.err and server.requests == 0
        assert run(server, tmp_path, "label", [record], "--images", "captions").status == 0


@pytest.mark.slow
def test_targets_from_a_part_of_the_claims_are_told():
    lost = {"command": "st-claims", "kind": "missing-parts", "task": "extract", "missing": 3, "parts": ["a"]}
    record = {**targeted(FIXTURE[0], 1), "errors": [{**lost, "reason": "3 of 5 pieces are missing: timeout"}]}
    done = st("st-claims", "associate", input=jsonl(record))
    assert done.status == 1 and "3 of 5 pieces" in done.err
    record["errors"] = []
    assert st("st-claims", "associate", input=jsonl(record)).status == 0


def test_silence_of_the_built_in_labels_earns_nothing():
    record = targeted(FIXTURE[0], 1)
    gold = {"system": "gold", "by": "gold", "objectivity": None, "agreement": None, "types": ["novelty"]}
    record["weaknesses"][0]["labels"] = [gold, {**gold, "system": "builtin", "by": "builtin", "types": None}]
    [score] = st("st-score", "labels", input=jsonl(record)).records[0]["scores"]
    assert (score["values"]["novelty.fn"], score["values"]["novelty.recall"]) == (1, 0)


def test_targets_that_no_more_say_what_stands_there_are_refused():
    record = targeted(FIXTURE[0], 2)
    weakness = next(one for one in record["weaknesses"] if one["targets"][0]["items"])
    place = record["weaknesses"].index(weakness)
    weakness["targets"].append({**weakness["targets"][0], "system": "s0", "by": "m"})
    assert st("st-score", "targets", input=jsonl(record)).status == 0
    texts, claims = json.loads(json.dumps([record, record]))
    texts["weaknesses"][place]["targets"][1]["items"][0]["text"] += " And more."
    name = weakness["targets"][0]["items"][0]["claim"]
    for claim in claims["claims"]:
        claim["text"] += " And more." if claim["id"] == name else ""
    for other in (texts, claims):
        done = st("st-score", "targets", input=jsonl(other), is_described=False)
        assert done.status == 3 and f'no longer the text of claim "{name}"' in done.err
    refused = st("st-claims", "associate", input=jsonl(claims), is_described=False)
    assert refused.status == 3 and "differs from the text at its position" in refused.err


# What is shown of the paper


@pytest.mark.slow
def test_of_a_long_paper_the_passages_that_bear_on_the_question_are_shown_in_its_order(tmp_path):
    """Of forty sections of 150 words those are shown that speak of mites, in the order of the paper; none is cut."""
    filler = [f"Paragraph {number} is about glaciers, ice and snow in the far north. " * 12 for number in range(40)]
    mites = {7: "Mites kill bees in winter, and colonies with mites die first. ", 31: "Mites were never counted. "}
    sections = [
        {
            "id": f"s{n}",
            "number": str(n),
            "heading": "Ice",
            "level": 1,
            "role": "result",
            "text": mites.get(n, "") + text,
        }
        for n, text in enumerate(filler)
    ]
    claim = {"id": "c1", "by": "gold", "text": mites[7].split(",")[0], "spans": [{"in": "s7", "start": 0, "end": 25}]}
    target = {"claim": "c1", "custom": False, "text": claim["text"], "spans": claim["spans"]}
    text = "That mites kill bees in winter is not shown: mites were never counted."
    weakness = {"id": "w1", "review": "r", "text": text, "spans": [{"in": "review:r", "start": 0, "end": len(text)}]}
    weakness["targets"] = [{"system": "gold", "items": [target]}]
    record = {"id": "p", "title": "Bees", "sections": sections, "reviews": [{"id": "r", "text": text}]}
    record |= {"claims": [{**claim, "role": "result"}], "weaknesses": [{**weakness, "groundedness": 4}]}
    prompts = {}
    for action, context in (("label", "retrieved"), ("verify", "retrieved"), ("edit", "full"), ("label", "none")):
        with Server(answer=answer) as server:
            done = run(server, tmp_path, action, [record], "--context", context, "--images", "none")
            prompts[action, context] = [prompt_of(body["messages"]) for body in server.bodies]
        assert done.records[0]["provenance"][-1]["options"]["context"] == context
    for (_, context), asked in prompts.items():
        shown = [fenced(prompt, "paper")[0] for prompt in asked]
        assert shown
        for paper in shown:
            places = [int(number) for number in re.findall(r"Paragraph (\d+) is", paper)]
            assert places == sorted(places)
            assert len(set(places)) == {"full": 40, "none": 0}.get(context, len(set(places)))
            if context == "retrieved":
                assert mites[7].strip() in paper and 0 < len(set(places)) <= 13


def test_targets_of_several_systems_are_not_mixed(tmp_path):
    record = targeted(FIXTURE[0], 2)
    record["weaknesses"][0]["targets"][0] |= {"system": "builtin", "by": "builtin"}
    with Server(answer=answer) as server:
        for name in ("label", "verify"):
            done = run(server, tmp_path, name, [record])
            assert done.status == 2 and "targets of several systems (builtin, gold)" in done.err, done.err
        assert server.requests == 0
        [made] = run(server, tmp_path, "verify", [record], "--targets", "builtin", "--side", "model").records
    [whose] = {tuple(one["targets"].items()) for one in made["verifications"]}
    assert whose == (("system", "builtin"), ("by", "builtin"))
