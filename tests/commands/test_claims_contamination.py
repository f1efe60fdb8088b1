"""st-claims contamination: what a model goes on with word for word, and what was submitted before its data end."""

from __future__ import annotations

import json

from support.claims import fenced, prompt_of
from support.model_runs import MODEL
from support.run import jsonl, st
from support.server import Server

SHOWN = " ".join(f"word{number}" for number in range(30)) + "."
PAPER = "Bees decline in the north of the country because of mites and of cold winters."
HIDDEN = f"The authors never measured the mites in winter, so cold remains a guess at best. {PAPER}"
REVIEWS = [{"id": "r1", "text": f"{SHOWN} {HIDDEN}"}, {"id": "r2", "text": "Too short."}]
RECORD = {"id": "p", "title": "Bees", "abstract": PAPER, "reviews": REVIEWS, "submitted": "2023-05-17T10:00:00Z"}


def scored(tmp_path, said: str | None) -> tuple[dict, dict]:
    """The entry of a model that says this, and its pooled scores."""
    reply = "I will not." if said is None else json.dumps({"continuation": said})
    with Server(answer=lambda messages: reply) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / str(said)[:20].replace("/", ""))}
        line = ("st-claims", "contamination", "--cut-off", "2023-10-01", *MODEL)
        dry = st(*line, "--dry-run", input=jsonl(RECORD), env=env).records[0]["dry_run"]["to_send"]
        done = st(*line, input=jsonl(RECORD), env=env)
        assert dry == 1 and bool(done.status) == (said is None), done.err
        if said is None:
            return done.records[0], {}
        [shown] = fenced(prompt_of(server.bodies[0]["messages"]))
    assert SHOWN.split()[22] in shown and "never measured" not in shown
    [made] = done.records
    [pooled] = st("st-score", "contamination", "--summary", "--by", "cut_off.side", input=done.out).records
    assert pooled["by"] == {"cut_off.side": "before"} and made["cut_off"]["submitted"] == "2023-05-17"
    return made["contamination"][0]["reviews"][0], pooled["corpus"]


def test_its_own_words_count_and_the_papers_do_not(tmp_path):
    review, corpus = scored(tmp_path, "Surely. THE authors never measured the mites in winter - as I said.")
    assert (review["longest"], review["run"]) == (8, "the authors never measured the mites in winter")
    assert (corpus["repeated"]["value"], corpus["longest"]["value"], corpus["n_reviews"]["value"]) == (1.0, 8.0, 1.0)
    review, corpus = scored(tmp_path, f"{PAPER} {SHOWN} Cold remains unknown.")
    assert (review["longest"], corpus["repeated"]["value"]) == (2, 0.0)  # "cold remains"
    review, _ = scored(tmp_path, "")
    assert (review["longest"], review["run"]) == (0, None)


def test_no_usable_reply_is_told_and_is_no_silence(tmp_path):
    made, _ = scored(tmp_path, None)
    assert made["errors"] and "contamination" not in made


def test_the_side_of_the_cut_off_needs_no_model():
    days = ["2023-09-30", "2023-10-01", 1696118400000, None, "spring"]  # the number is 2023-10-01
    records = [{"id": str(place), "reviews": [], "made": {"on": day}} for place, day in enumerate(days)]
    mark = ("--cut-off", "2023-10-01", "--submitted", "made.on")
    done = st("st-claims", "contamination", *mark, input=jsonl(*records), is_described=False)
    assert [one.get("cut_off", {}).get("side") for one in done.records] == ["before", "after", "after", "unknown", None]
    assert done.status == 1 and "is no day such as 2023-05-17" in done.err
    assert st("st-claims", "contamination", input=jsonl(RECORD)).status == 4
    assert st("st-claims", "contamination", "--submitted", "x", input=jsonl(RECORD)).status == 2


def test_a_day_in_seconds_is_no_day_of_1970():
    record = {"id": "p", "submitted": 1684281600}
    done = st("st-claims", "contamination", "--cut-off", "2023-10-01", input=jsonl(record))
    assert done.status == 3 and "of 1990 or later" in done.err


def test_continuations_of_another_text_of_a_review_are_refused(tmp_path):
    """A sentence was appended to a review that a model had continued: its counts stood as before."""
    reply = json.dumps({"continuation": "I do not know."})
    with Server(answer=lambda messages: reply) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        (made,) = st("st-claims", "contamination", *MODEL, input=jsonl(RECORD), env=env).records
    assert st("st-score", "contamination", input=jsonl(made)).status == 0
    changed = {**made, "reviews": [{**REVIEWS[0], "text": REVIEWS[0]["text"] + " I am sure."}, REVIEWS[1]]}
    done = st("st-score", "contamination", input=jsonl(changed))
    assert done.status == 3 and "about other texts of the reviews than the record" in done.err
    for fits in ({**made, "reviews": REVIEWS[::-1]}, {**made, "reviews": REVIEWS[:1]}):
        assert st("st-score", "contamination", input=jsonl(fits)).status == 0
    del changed["contamination"][0]["texts"]  # as in records of earlier versions
    assert st("st-score", "contamination", input=jsonl(changed)).status == 0
