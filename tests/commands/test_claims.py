"""st-claims from the command line: pipes without a model, and a model behind a server, down to what that received."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.claims import TYPES, answer, prompt_of, targeted
from support.pictures import pictures_of, png
from support.run import PAPER, ROOT, environment, jsonl, shell, st
from support.server import Server
from support.spans import check_spans

from scholartools.text.ngrams import ngrams

FIXTURE = [json.loads(line) for line in (ROOT / "fixtures" / "claims.jsonl").read_text().splitlines()]
MODEL = ("--model", "openai/mock")


def cached(server: Server, folder: Path) -> dict[str, str]:
    return {**server.environment, "ST_CACHE": str(folder / "cache.sqlite")}


TARGETED = targeted(FIXTURE[0])


def with_pictures(record: dict, folder: Path) -> dict:
    captions = []
    for number in (1, 2):
        path = folder / f"table{number}.png"
        path.write_bytes(png(number))
        caption = {
            "id": f"table{number}",
            "kind": "table",
            "label": f"Table {number}",
            "text": f"Table {number}: Scores.",
        }
        captions.append({**caption, "image": str(path)})
    lost = {"id": "figure1", "kind": "figure", "label": "Figure 1", "text": "Figure 1: A curve.", "image": None}
    return {**record, "captions": [*captions, lost]}


# Without a model


@pytest.mark.slow
def test_the_actions_in_a_pipe_without_a_model():
    line = (
        f"st-parse --reviews {ROOT}/fixtures/reviews.json {PAPER} | st-claims select | st-claims extract"
        " | st-claims weaknesses | st-claims associate | st-claims label"
    )
    done = shell(f"set -o pipefail; {line}")
    assert done.status == 0, done.err
    [record] = done.records
    assert record["claims"] and record["weaknesses"] and check_spans(record) > 20
    assert all(weakness["targets"] and weakness["labels"] for weakness in record["weaknesses"])


@pytest.mark.parametrize("action", ["edit", "verify"])
def test_what_needs_a_model_says_so(action):
    done = st("st-claims", action, input=jsonl(TARGETED))
    assert (done.status, done.out) == (4, b"") and "needs a model" in done.err
    assert st("st-claims", "select", "--topic", "x", input=jsonl(TARGETED)).status == 4


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("nonsense",), 2),
        ((), 2),
        (("label", "--orders", "2"), 2),
        (("label", "--images", "none"), 2),
        (("extract", "--roles", "prologue"), 2),
        (("extract", "--chunk-words", "9"), 2),
        (("associate", "--max-targets", "4"), 2),
        (("select", "--drop", "--topic", "x"), 2),
        (("select", "--keywords", "claim*,!"), 2),
        (("verify", "--side", "reviewer", "--controls", *MODEL), 2),
        (("label", "--free-anchors", *MODEL), 2),
        (("associate", "--samples", "2", *MODEL), 2),
    ],
)
def test_wrong_usage(arguments, status):
    done = st("st-claims", *arguments, input=jsonl(TARGETED))
    assert (done.status, done.out) == (status, b"")


def test_exit_status_by_what_could_be_done():
    nothing = st("st-claims", "extract", input=jsonl({"id": "x"}))
    assert nothing.status == 3 and nothing.records[0]["errors"][0]["kind"] == "missing-key"
    half = st("st-claims", "extract", input=jsonl({"id": "x"}, FIXTURE[0]))
    assert half.status == 1 and [record["id"] for record in half.records] == ["x", "hedge"]
    assert "claims" in half.records[1]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"claims": [TARGETED["claims"][0]] * 2}, "duplicate"),
        ({"claims": None}, "st-claims extract"),
        ({"weaknesses": None}, "st-claims weaknesses"),
        ({"weaknesses": [{"id": "w1", "review": 3, "text": "x"}]}, "review"),
        ({"abstract": "half \ud83d a character"}, "surrogate|half a character|not-json|JSON"),
    ],
)
def test_bad_records_are_told_and_go_on(change, reason):
    lines = [json.dumps(record).encode() for record in ({**TARGETED, **change}, TARGETED)]
    done = st("st-claims", "associate", input=b"\n".join(lines))
    assert done.status == 1 and re.search(reason, done.err), done.err
    assert done.records[-1]["weaknesses"][0]["targets"][-1]["system"] == "builtin"


@pytest.mark.slow
def test_ten_thousand_candidates():
    """Quotations are sought in the paper, not in each claim, and every claim is compared by its vector."""
    text = " ".join(f"Claim number {number} holds for group {number}." for number in range(10_000))
    claims, start = [], 0
    for number in range(10_000):
        one = f"Claim number {number} holds for group {number}."
        span = {"in": "s1", "start": start, "end": start + len(one)}
        claims.append({"id": f"c{number}", "by": "b", "text": one, "spans": [span]})
        start += len(one) + 1
    section = {"id": "s1", "number": None, "heading": "R", "level": 1, "role": "result", "text": text}
    weakness = {"id": "w1", "review": "r", "text": 'That "claim number 7777 holds for group 7777" is not shown.'}
    done = st(
        "st-claims",
        "associate",
        input=jsonl({"id": "p", "sections": [section], "claims": claims, "weaknesses": [weakness]}),
    )
    assert done.status == 0, done.err
    assert [item["claim"] for item in done.records[0]["weaknesses"][0]["targets"][0]["items"]] == ["c7777"]


@pytest.mark.slow
def test_ten_thousand_weaknesses_stream_in_flat_memory(tmp_path):
    """What a run holds at most does not grow with its input."""
    peaks = {}
    for count in (250, 5_000):  # records of two weaknesses
        (tmp_path / "in.jsonl").write_bytes(jsonl(TARGETED) * count)
        code = (
            "import resource, subprocess\n"
            "subprocess.run(['st-claims', 'label', '--quiet', 'in.jsonl'], stdout=subprocess.DEVNULL, check=True)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
        )
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, check=True
        )
        peaks[count] = int(run.stdout)
    assert peaks[5_000] < 1.2 * peaks[250], peaks


def test_dropped_reviews_are_counted():
    done = st("st-claims", "select", "--drop", "--keywords", "overclaim*", "--jobs", "2", input=jsonl(*FIXTURE))
    assert done.status == 0 and "11 of 12 reviews" in done.err
    assert sum(len(record["reviews"]) for record in done.records) == 1


@pytest.mark.slow
def test_parts_of_the_input_give_parts_of_the_output():
    whole = st("st-claims", "extract", input=jsonl(*FIXTURE)).out
    parts = [st("st-claims", "extract", input=jsonl(*some)).out for some in (FIXTURE[:2], FIXTURE[2:])]
    assert whole == b"".join(parts) and st("st-claims", "extract", "--jobs", "2", input=jsonl(*FIXTURE)).out == whole


# With a model


def run(server: Server, folder: Path, action: str, *records: dict, more: tuple = (), **options: Any):
    return st("st-claims", action, *MODEL, *more, input=jsonl(*records), env=cached(server, folder), **options)


def test_extract_keeps_what_is_located_and_rejects_the_rest(tmp_path):
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "extract", FIXTURE[0])
    assert done.status == 0, done.err
    [record] = done.records
    pieces = 1 + len(FIXTURE[0]["sections"])
    assert server.requests == pieces and len(record["rejected"]) >= pieces
    assert {one["step"] for one in record["rejected"]} == {"extract"} and all(
        one["reason"] for one in record["rejected"]
    )
    last = record["provenance"][-1]
    counts = last["counts"]
    assert counts["given"] == len(record["claims"]) + counts["merged"] + len(record["rejected"])
    assert last["task"] == "extract" and check_spans(record) == len(record["claims"]) + check_spans(FIXTURE[0])
    assert {claim["by"] for claim in record["claims"]} == {"openai/mock"}


def test_a_second_system_stands_beside_the_first(tmp_path):
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "extract", TARGETED, more=("--system", "s0"))
    [record] = done.records
    assert record["claims"] == TARGETED["claims"] and record["generated"]["claims"][0]["system"] == "s0"


def test_weaknesses_of_a_model_and_of_a_rater(tmp_path):
    with Server(answer=answer) as server:
        [record] = run(server, tmp_path, "weaknesses", FIXTURE[0]).records
        [rated] = run(server, tmp_path, "weaknesses", TARGETED, more=("--rater", "gpt")).records
    assert record["weaknesses"] and {one["groundedness"] for one in record["weaknesses"]} == {4}
    assert rated["weaknesses"] == TARGETED["weaknesses"]
    assert [one["review"] for one in rated["annotations"]["weaknesses"]] == ["r1", "r2"]
    check_spans(record)


def test_all_weaknesses_of_a_model_need_no_claim(tmp_path):
    review = {"id": "r1", "text": "Cons:\n- The text is hard to read.\n- The claim of Table 2 is wrong."}
    quotes = [("The text is hard to read.", None), ("The claim of Table 2 is wrong.", 5), ("Not in it.", None)]
    reply = json.dumps({"weaknesses": [{"quote": quote, "groundedness": grade} for quote, grade in quotes]})
    with Server(answer=lambda _: reply) as server:
        [every] = run(server, tmp_path, "weaknesses", {"id": "p", "reviews": [review]}, more=("--all",)).records
        [some] = run(server, tmp_path, "weaknesses", {"id": "p", "reviews": [review]}).records
    assert [(one["text"], one["groundedness"]) for one in every["weaknesses"]] == quotes[:2]
    assert [one["text"] for one in every["rejected"]] == ["Not in it."]
    assert some["errors"] and [(one["text"], one["groundedness"]) for one in some["weaknesses"]] == quotes[1:2]
    assert every["provenance"][-1]["signature"] != some["provenance"][-1]["signature"]


def test_topic(tmp_path):
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "select", *FIXTURE[:2], more=("--topic", "meteorology"))
    assert [record["topic"]["relevant"] for record in done.records] == [False, True]


def test_two_orders_tell_a_position_bias(tmp_path):
    """The mock always answers number 1."""
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "associate", TARGETED, more=("--orders", "2", "--system", "both"))
        assert server.requests == 4
    [record] = done.records
    entry = record["weaknesses"][0]["targets"][-1]
    assert (entry["system"], entry["items"], entry["flips"]) == ("both", [], 1.0)
    assert [vote["targets"] for vote in entry["votes"]] == [["g1"], ["g11"]]
    assert entry["tentative"] == ["g1", "g11"] and [vote["ranks"] for vote in entry["votes"]] == [[1], [1]]
    assert record["weaknesses"][0]["targets"][0] == TARGETED["weaknesses"][0]["targets"][0]


def test_groundedness_is_shown_unless_it_is_not(tmp_path):
    with Server(answer=answer) as server:
        run(server, tmp_path, "associate", TARGETED)
        run(server, tmp_path, "associate", TARGETED, more=("--no-groundedness", "--context", "claims"))
    shown = [prompt_of(body["messages"]) for body in server.bodies]
    assert ["from 1 to 5: 5" in prompt for prompt in shown] == [True, True, False, False]
    assert ["We set the weight" in prompt for prompt in shown] == [True, True, False, False]
    assert all(prompt.startswith("The paper:\n") for prompt in shown)
    heads = {prompt.split("Claims of the paper")[0] for prompt in shown[:2]}
    assert len(heads) == 1  # one prefix for all questions about a paper


def test_labels_and_edits_in_one_call_and_apart(tmp_path):
    with Server(answer=answer) as server:
        [both] = run(server, tmp_path, "label", TARGETED, more=("--edit",)).records
        [labelled] = run(server, tmp_path, "label", TARGETED).records
        [edited] = run(server, tmp_path, "edit", TARGETED).records
        assert server.requests == 6
    weakness = both["weaknesses"][0]
    assert {key: weakness["labels"][0][key] for key in ("objectivity", "agreement", "types")} == {
        "objectivity": 4,
        "agreement": 2,
        "types": ["insufficient"],
    }
    assert "edited" not in labelled["weaknesses"][0] and "labels" not in edited["weaknesses"][0]
    anchors = weakness["edited"][0]["anchors"]
    assert anchors["unfounded"] == ["table 9"] and weakness["edited"][0]["changed"]
    assert anchors["lost"] == ["quote generalises to any field in which caution is marked by words"]


def test_the_published_prompt_does_not_ask_to_keep_anchors(tmp_path):
    with Server(answer=answer) as server:
        run(server, tmp_path, "edit", TARGETED)
        run(server, tmp_path, "edit", TARGETED, more=("--free-anchors",))
    assert ["Keep every place" in prompt_of(body["messages"]) for body in server.bodies] == [True, True, False, False]


def test_only_targeted_weaknesses_are_labelled_unless_all_are_wanted(tmp_path):
    record = targeted(FIXTURE[0], 6)
    assert record["weaknesses"][5]["targets"][0]["items"] == []
    with Server(answer=answer) as server:
        [some] = run(server, tmp_path, "label", record).records
        [every] = run(server, tmp_path, "label", record, more=("--all",)).records
    assert ["labels" in one for one in some["weaknesses"]] == [True] * 5 + [False]
    assert all("labels" in one for one in every["weaknesses"])


def test_targets_of_other_texts_or_of_several_systems_are_refused(tmp_path):
    fresh = json.loads(st("st-claims", "associate", input=jsonl({**TARGETED, "weaknesses": [
        {key: value for key, value in one.items() if key != "targets"} for one in TARGETED["weaknesses"]
    ]})).out)  # fmt: skip
    stale = json.loads(json.dumps(fresh))
    stale["weaknesses"][0]["text"] = "Something else."
    with Server(answer=answer) as server:
        assert run(server, tmp_path, "label", fresh).status == 0
        done = run(server, tmp_path, "label", stale)
        assert done.status == 3 and done.records[0]["errors"][0]["kind"] == "stale"
        several = json.loads(st("st-claims", "associate", input=jsonl(TARGETED)).out)
        assert run(server, tmp_path, "label", several).status == 2
        assert run(server, tmp_path, "label", several, more=("--targets", "gold")).status == 0


def test_values_that_are_none_are_asked_about_once_more_then_null(tmp_path):
    def off_the_scale(messages: list[dict]) -> str:
        made = json.loads(answer(messages))
        bad = "Fluency" in prompt_of(messages) or "first decoder" in prompt_of(messages).split("The weakness")[1]
        return json.dumps({**made, "objectivity": 0}) if bad else json.dumps({**made, "objectivity": "4"})

    with Server(answer=off_the_scale) as server:
        done = run(server, tmp_path, "label", TARGETED)
    [record] = done.records
    assert done.status == 1 and server.requests == 3
    first, second = (one["labels"][0] for one in record["weaknesses"])
    assert first["objectivity"] == 4 and record["provenance"][-1]["counts"]["repaired"] == 1
    assert (second["objectivity"], second["types"]) == (None, None) and second["reasons"]["types"]
    [error] = record["errors"]
    assert (error["task"], error["missing"], error["of"]) == ("label", 1, 2)


# Pictures


def test_pictures_go_to_the_model_as_they_are(tmp_path):
    record = with_pictures(TARGETED, tmp_path)
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "label", record)
        assert done.status == 0, done.err
        assert all(pictures_of(body) == [png(1), png(2)] for body in server.bodies)
        assert "The pictures, in this order: Table 1, Table 2." in prompt_of(server.bodies[0]["messages"])
        assert done.records[0]["provenance"][-1]["counts"]["images_missing"] == ["figure1"]
        for images in ("captions", "none"):
            run(server, tmp_path, "label", record, more=("--images", images))
    rest = server.bodies[2:]
    assert not any(pictures_of(body) for body in rest)
    assert ["Table 1: Scores." in prompt_of(body["messages"]) for body in rest] == [True, True, False, False]


@pytest.mark.parametrize(("action", "calls"), [("label", 1), ("edit", 1), ("verify", 1)])
def test_too_many_pictures_cost_one_weakness_and_the_way_on_is_told(tmp_path, action, calls):
    """The second weakness cites a paper with a picture of its own: three, where two may be."""
    record = with_pictures(TARGETED, tmp_path)
    [figure] = with_pictures(RELATED, tmp_path)["captions"][:1]
    (tmp_path / "corpus.jsonl").write_bytes(jsonl({**RELATED, "captions": [figure]}))
    more = ("--max-images", "2", "--corpus", str(tmp_path / "corpus.jsonl"))
    side = ("--side", "reviewer") if action == "verify" else ()
    with Server(answer=answer) as server:
        done = run(server, tmp_path, action, record, more=(*more, *side))
        assert server.requests == calls
    [made] = done.records
    assert done.status == 1 and "3 pictures go with a question, --max-images is 2" in done.err
    [error] = made["errors"]
    assert (error["missing"], error["of"]) == (1, 2) and "--images captions" in error["reason"]
    key = {"label": "labels", "edit": "edited"}.get(action)
    answers = [one[key][0] for one in made["weaknesses"]] if key else made["verifications"]
    found = [one["types"] if action == "label" else one["text"] for one in answers]
    assert found[0] and found[1] is None


def test_pictures_are_counted_before_they_are_paid_for(tmp_path):
    record = with_pictures(TARGETED, tmp_path)
    with Server(answer=answer) as server:
        tokens = {}
        for images in ("all", "captions"):
            done = run(server, tmp_path, "label", record, more=("--images", images, "--dry-run"))
            tokens[images] = done.records[0]["dry_run"]["estimate"]["prompt_tokens"]
        assert server.requests == 0
    assert 2 * 2 * 2000 <= tokens["all"] - tokens["captions"] <= 2 * 2 * 2000 + 200


def test_a_limit_in_dollars_holds_for_what_pictures_may_cost(tmp_path):
    """What pictures take is not known before: as much as the model can read is set aside, of others what is sent."""
    record = with_pictures(TARGETED, tmp_path)
    line = ("--model", "openai/gpt-4o-mini", "--max-tokens", "500", "--max-cost", "0.01")
    with Server(answer=answer) as server:
        env = cached(server, tmp_path)
        captions = st("st-claims", "label", *line, "--images", "captions", input=jsonl(record), env=env)
        assert captions.status == 0 and server.requests == 2
        every = st("st-claims", "label", *line, input=jsonl(record), env=env)
        assert server.requests == 2
        enough = st("st-claims", "label", *line[:-1], "0.05", input=jsonl(record), env=env)
        assert server.requests == 4
    assert every.status == 4 and "--max-cost 0.01" in every.err
    assert enough.status == 0 and enough.records[0]["weaknesses"][1]["labels"][0]["types"] == ["insufficient"]


def test_a_run_is_replayed_by_the_hashes_of_its_pictures(tmp_path):
    record = with_pictures(TARGETED, tmp_path)
    with Server(answer=answer) as server:
        first = run(server, tmp_path, "label", record)
    env = {"ST_CACHE": str(tmp_path / "cache.sqlite")}
    again = st("st-claims", "label", *MODEL, "--replay", input=jsonl(record), env=env)
    assert again.out == first.out and again.status == 0
    (tmp_path / "run.jsonl").write_bytes(first.out)
    bundle = st("st-cache", "export", "--used-by", str(tmp_path / "run.jsonl"), env=env)
    hashes = {hashlib.sha256(png(number)).hexdigest() for number in (1, 2)}
    assert all(name.encode() in bundle.out for name in hashes) and b"base64" not in bundle.out
    (tmp_path / "bundle.jsonl").write_bytes(bundle.out)
    other = {"ST_CACHE": str(tmp_path / "other.sqlite")}
    assert st("st-cache", "import", str(tmp_path / "bundle.jsonl"), env=other).status == 0
    elsewhere = st("st-claims", "label", *MODEL, "--replay", input=jsonl(record), env=other)
    assert elsewhere.out == first.out
    (tmp_path / "table1.png").write_bytes(png(3))
    changed = st("st-claims", "label", *MODEL, "--replay", input=jsonl(record), env=other)
    assert changed.status == 4 and "claims-label" in changed.err


# Related papers


RELATED = {"id": "ortiz", "title": "Modal Verbs in Beam Search", "authors": ["A. Ortiz", "C. Bell"], "year": 2021,
           "abstract": "Modal verbs are rewarded during search."}  # fmt: skip


def test_papers_that_a_weakness_cites_are_shown_and_others_told(tmp_path):
    record = targeted(FIXTURE[0], 2)
    (tmp_path / "corpus.jsonl").write_bytes(jsonl(RELATED, {**RELATED, "id": "other", "authors": ["X. Else"]}))
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "label", record, more=("--corpus", str(tmp_path / "corpus.jsonl")))
        none = run(server, tmp_path, "label", record)
    shown = [prompt_of(body["messages"]) for body in server.bodies]
    assert sum("Modal verbs are rewarded" in prompt for prompt in shown) == 1
    assert done.records[0]["provenance"][-1]["counts"]["related"] == ["ortiz"]
    assert "Ortiz and Bell (2021)" in none.records[0]["provenance"][-1]["counts"]["citations_unresolved"]


def test_a_corpus_that_cannot_be_read_is_wrong_usage(tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"title": "no id"}\n')
    done = st("st-claims", "label", *MODEL, "--corpus", str(tmp_path / "bad.jsonl"), input=jsonl(TARGETED))
    assert done.status == 2 and "bad.jsonl:1" in done.err


# Verification


def test_verify_distils_pairs_and_verifies_distinct_claims(tmp_path):
    record = targeted(FIXTURE[0], 5)
    extra = {**record["weaknesses"][0], "id": "again"}
    record["weaknesses"].append(extra)
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "verify", record, more=("--system", "s0"))
    assert done.status == 0, done.err
    made = done.records[0]["verifications"]
    pairs = sum(len(one["targets"][0]["items"]) for one in record["weaknesses"])
    assert [one["side"] for one in made].count("reviewer") == pairs == 7
    assert [one["side"] for one in made].count("model") == 6
    assert server.requests == 12  # the weakness that is there twice is asked about once
    assert all(one["evidence"][0]["label"] == "text_0" and one["cited"] == ["text_0"] for one in made)
    assert check_spans(done.records[0])


def test_the_model_side_sees_no_review(tmp_path):
    record = targeted(FIXTURE[0], 5)
    with Server(answer=answer) as server:
        run(server, tmp_path, "verify", record, more=("--side", "model"))
    own = {
        gram for text in [record["abstract"], *(one["text"] for one in record["sections"])] for gram, _ in ngrams(text)
    }
    of_reviews = {gram for review in record["reviews"] for gram, _ in ngrams(review["text"])} - own
    sent = {gram for body in server.bodies for message in body["messages"] for gram, _ in ngrams(message["content"])}
    assert server.bodies and of_reviews and not sent & of_reviews


def test_a_prompt_that_holds_a_review_is_not_sent(tmp_path):
    record = targeted(FIXTURE[0], 1)
    (tmp_path / "own").mkdir()
    original = (ROOT / "scholartools" / "prompts" / "claims-verify.txt").read_text()
    review = record["reviews"][1]["text"].split("\n")[1]
    record["captions"] = []
    (tmp_path / "own" / "claims-verify.txt").write_text(original)
    record["title"] = "T"
    # The review's words in what is shown, as a claim that no text of the paper has.
    place = [{"in": "s99", "start": 0, "end": len(review)}]
    record["weaknesses"][0]["targets"][0]["items"] = [{"claim": None, "custom": True, "text": review, "spans": place}]
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "verify", record, more=("--side", "model"))
    assert server.requests == 0 and done.status == 1 and "would show the model a review" in done.err


def test_presumption_and_controls(tmp_path):
    record = targeted(FIXTURE[0], 2)

    def nothing_wrong(messages: list[dict]) -> str:
        made = json.loads(answer(messages))
        return json.dumps({**made, "types": dict.fromkeys(TYPES, False)})

    with Server(answer=nothing_wrong) as server:
        done = run(server, tmp_path, "verify", record, more=("--side", "model", "--presume", "no", "--controls"))
        made = done.records[0]["verifications"]
        presumed = run(server, tmp_path, "verify", record, more=("--side", "model"))
    assert done.status == 0 and [one.get("control", False) for one in made] == [False, False, True, True]
    assert all(one["types"] == [] for one in made)
    disputed = [one["claim"]["id"] for one in made[:2]]
    assert not {one["claim"]["id"] for one in made[2:]} & set(disputed)
    assert presumed.status == 1 and all(one["text"] is None for one in presumed.records[0]["verifications"])


def test_the_line_around_the_paper_is_no_text_of_a_verification(tmp_path):
    def copy(messages: list[dict]) -> str:
        if len(messages) > 2:  # asked once more
            return answer(messages[:2])
        [line] = {*re.findall(r"^paper-[0-9a-f]+$", prompt_of(messages), re.M)}
        return json.dumps({**json.loads(answer(messages)), "reasoning": f"{line}\nIt is not tested."})

    with Server(answer=copy) as server:
        done = run(server, tmp_path, "verify", targeted(FIXTURE[0], 1), more=("--side", "model"))
        told = [body["messages"][-1]["content"] for body in server.bodies if len(body["messages"]) > 2]
    assert done.status == 0 and "paper-" not in json.dumps(done.records[0]["verifications"])
    assert told and all('copies the line "paper-' in one for one in told)


def test_controls_that_there_are_no_claims_for_are_told(tmp_path):
    """What another system disputes is no control either, and a paper may have too few of the others."""
    record = targeted(FIXTURE[0], 2)
    disputed = record["weaknesses"][0]["targets"][0]["items"] + record["weaknesses"][1]["targets"][0]["items"]
    others = [one for one in record["claims"] if one["id"] not in {target["claim"] for target in disputed}]
    items = [{"claim": one["id"], "custom": False, "text": one["text"], "spans": one["spans"]} for one in others[1:]]
    record["weaknesses"][0]["targets"].append({"system": "other", "items": items})
    more = ("--side", "model", "--controls", "--targets", record["weaknesses"][0]["targets"][0]["system"])
    with Server(answer=answer) as server:
        done = run(server, tmp_path, "verify", record, more=more)
    [made] = done.records
    found = [one["claim"]["id"] for one in made["verifications"] if one.get("control")]
    assert found == [others[0]["id"]] and made["provenance"][-1]["counts"]["controls_missing"] == 1
    assert "1 of 2 controls: the paper has no more undisputed claims" in done.err


# Calls, faults


@pytest.mark.parametrize(
    ("action", "more", "calls"),
    [
        ("extract", (), 5),
        ("weaknesses", (), 2),
        ("associate", ("--orders", "2"), 10),
        ("label", (), 5),
        ("edit", (), 5),
        ("verify", (), 12),
        ("select", ("--topic", "x"), 1),
    ],
)
def test_dry_run_counts_the_calls_that_are_made(tmp_path, action, more, calls):
    record = targeted(FIXTURE[0], 5)
    with Server(answer=answer) as server:
        dry = run(server, tmp_path, action, record, more=(*more, "--dry-run"))
        assert dry.status == 0 and server.requests == 0
        assert dry.records[0]["dry_run"]["to_send"] == calls
        run(server, tmp_path, action, record, more=more)
        assert server.requests == calls


def test_one_missing_reply_costs_one_weakness(tmp_path):
    def mute(messages: list[dict]) -> str:
        return "" if "Ortiz and Bell" in prompt_of(messages).split("The weakness")[1] else answer(messages)

    with Server(answer=mute) as server:
        done = run(server, tmp_path, "associate", TARGETED)
    first, second = (one["targets"][-1] for one in done.records[0]["weaknesses"])
    assert done.status == 1 and first["items"] and second["items"] is None and second["reason"]
    with Server(answer=answer) as server:
        again = run(server, tmp_path, "associate", *done.records)
        assert server.requests <= 2  # of the first weakness nothing is asked
    assert again.status == 0 and "errors" not in again.records[0]
