"""st-score rate: ratings in long form beside people's scores, and their summary."""

from __future__ import annotations

import json
import statistics

import pytest
from support.model_runs import MODEL
from support.raters import questions, rate
from support.run import Result, jsonl, st
from support.server import Server

HUMAN = {"problem": 2, "method": 1, "type": 0}


def make_papers() -> list[dict]:
    """Two papers; the texts bear their ratings, one of them none that is on the scale; people's scores in the items."""
    papers = [questions("Can hedges help? [2]", "Why bees? [0]"), questions("Is it so? [1]", name="p2", system="t")]
    for paper in papers:
        for place, item in enumerate(paper["generated"]["questions"][0]["items"]):
            item["human"] = {aspect: score if place == 0 else 0 for aspect, score in HUMAN.items()}
        paper["generated"]["questions"][0]["by"] = "openai/mock" if paper["id"] == "p1" else "openai/other"
    return papers


@pytest.fixture(scope="module")
def judged(tmp_path_factory) -> list[dict]:
    """The papers rated by direct and by a baseline, and once more with another context."""
    env = {"ST_CACHE": str(tmp_path_factory.mktemp("cache") / "cache")}
    with Server(sample=rate) as server:
        env |= server.environment
        first = st("st-judge", "rate", *MODEL, "--method", "direct", input=jsonl(*make_papers()), env=env)
        args = ("--method", "words", "--context", "abstract")
        second = st("st-judge", "rate", *args, input=first.out, env=env)
    assert first.status == second.status == 0, first.err + second.err
    return second.records


def score(*args, data, status=0) -> Result:
    result = st("st-score", "rate", *map(str, args), input=jsonl(*data))
    assert result.status == status, result.err
    return result


def test_one_record_for_each_rating_with_people_s_scores(judged):
    found = score("--truth", "human", "--aspects", "builtin:rq", data=judged).records
    assert len(found) == 3 * 3 * 2
    first = next(one for one in found if (one["method"], one["aspect"]) == ("direct", "problem"))
    wanted = {"item": "p1/s/q1", "paper": "p1", "system": "s", "by": MODEL[1], "score": 2, "normal": 1, "human": 2}
    wanted |= {"human_normal": 1, "words": 4, "opens": "can", "seen_in_fit": False, "scale": [0, 2]}
    assert {key: first[key] for key in wanted} == wanted
    assert first["usage"]["replies"] == 1 and first["usage"]["prompt_tokens"] > 0
    of_words = [one for one in found if one["method"] == "words"]
    assert {one["score"] for one in of_words} == {4, 3} and {one["by"] for one in of_words} == {"builtin"}
    assert all(one["normal"] is None for one in of_words)


def test_own_tells_whether_the_judge_wrote_the_text(judged):
    data = [{**paper, "generated": {"questions": [{**paper["generated"]["questions"][0], "by": by}]}}
            for paper, by in zip(judged, (MODEL[1], "openai/other"), strict=True)]  # fmt: skip
    found = [one for one in score(data=data).records if one["method"] == "direct"]
    assert {(one["paper"], one["own"]) for one in found} == {("p1", True), ("p2", False)}
    for paper in data:
        del paper["generated"]["questions"][0]["by"]
    assert {one["own"] for one in score(data=data).records} == {None}


def test_scores_of_a_file_by_the_item_s_name(judged, tmp_path):
    truth = tmp_path / "truth.jsonl"
    truth.write_bytes(jsonl({"name": "p1/q1", **HUMAN}, {"name": "p2/t/q1", "type": 1}))
    found = score("--truth", truth, "--key", "name", data=judged).records
    people = {(one["item"], one["aspect"]): one["human"] for one in found}
    assert people["p1/s/q1", "problem"] == 2 and people["p1/s/q2", "problem"] is None
    assert people["p2/t/q1", "type"] == 1 and people["p2/t/q1", "problem"] is None


def test_scores_of_a_file_as_csv_readers_give_them_and_what_of_it_is_of_no_text(judged, tmp_path):
    truth, keys = tmp_path / "truth.jsonl", ("--truth", tmp_path / "truth.jsonl", "--key", "name")
    rows = [{"name": "p1/s/q1", "type": "1", "metod": 2, "problem": "", "note": "4/5"}, {"name": "p3/s/q1", "type": 1}]
    truth.write_bytes(jsonl(*rows))
    found = score(*keys, data=judged)
    assert {one["human"] for one in found.records if (one["item"], one["aspect"]) == ("p1/s/q1", "type")} == {1}
    assert '1 name in the file of people\'s scores belongs to no rated text: "p3/s/q1"' in found.err
    assert '1 aspect in the file of people\'s scores has no rating: "metod"' in found.err
    truth.write_bytes(jsonl(rows[1], rows[0] | {"type": "4/5"}))
    found = score(*keys, data=judged, status=1)
    assert f"{truth}:2: people's score '4/5' of \"type\" is not a number" in found.err


def test_a_score_that_may_be_of_two_texts_is_refused(judged, tmp_path):
    truth, paper = tmp_path / "truth.jsonl", json.loads(json.dumps(judged[0]))
    paper["generated"]["questions"] += [{**paper["generated"]["questions"][0], "system": "other"}]
    truth.write_bytes(jsonl({"name": "p1/q1", "type": 1}))
    found = score("--truth", truth, "--key", "name", data=[paper, judged[1]], status=1)
    assert '"p1/q1" in the file of --truth may be any of "q1" of "other" of "p1", "q1" of "s" of "p1"' in found.err
    assert "give PAPER/SYSTEM/ITEM at --key" in found.err
    truth.write_bytes(jsonl({"name": "p1/s/q1", "type": 1}))
    assert score("--truth", truth, "--key", "name", data=[paper]).records
    found = score("--truth", "people", data=[{**judged[0], "people": {"type": 1}}, judged[1]], status=1)
    assert '"people" of the record may be of any of its 2 texts' in found.err
    found = score("--truth", "people", data=[{**judged[1], "people": {"type": 1}}]).records
    assert {one["human"] for one in found if one["aspect"] == "type"} == {1}


def test_a_text_with_two_names_in_the_file_has_no_score_of_either(judged, tmp_path):
    truth = tmp_path / "truth.jsonl"
    for rows in ([("p1/s/q1", 2), ("p1/q1", 0)], [("p1/q1", 0), ("p1/s/q1", 2)]):
        truth.write_bytes(jsonl(*({"name": name, "problem": score} for name, score in rows)))
        found = score("--truth", truth, "--key", "name", data=judged, status=1)
        assert 'scores for "p1/s/q1" and "p1/q1", which are the same text: delete one' in found.err
        assert "belong" not in found.err


def test_an_aspect_may_be_named_value(judged, tmp_path):
    truth, data = tmp_path / "truth.jsonl", json.loads(json.dumps(judged).replace('"problem"', '"value"'))
    truth.write_bytes(jsonl({"name": "p1/s/q1", "value": 2, "type": 1}))
    found = score("--truth", truth, "--key", "name", data=data).records
    people = {one["aspect"]: one["human"] for one in found if one["item"] == "p1/s/q1"}
    assert people["value"] == 2 and people["type"] == 1


def test_a_misspelt_aspect_at_a_path_is_named_and_a_blank_cell_is_no_score(judged):
    data = json.loads(json.dumps(judged))
    first, second = data[0]["generated"]["questions"][0]["items"]
    first["human"], second["human"] = {"problem ": 2, "type": "1", "note": "why"}, "NA"
    found = score("--truth", "human", data=data)
    assert '1 aspect in people\'s scores at "human" has no rating: "problem "' in found.err
    assert "3 scores by people are blank, and missing" in found.err
    people = {(one["item"], one["aspect"]): one["human"] for one in found.records}
    assert people["p1/s/q1", "type"] == 1 and people["p1/s/q1", "problem"] is None
    assert people["p1/s/q2", "type"] is None


@pytest.mark.parametrize("args", [(), ("--jobs", 2), ("--summary",)])
def test_texts_of_two_records_that_have_one_name_are_refused(judged, args):
    def rename(record, paper, system):
        made = json.loads(json.dumps(record).replace('"system": "s"', f'"system": "{system}"'))
        return {**made, "id": paper}

    first, second = rename(judged[0], "a", "b/c"), rename(judged[0], "a/b", "c")
    found = score(*args, data=[first, first, second], status=1)
    reason = '"a/b/c/q1" is item "q1" of "b/c" of "a" and item "q1" of "c" of "a/b"'
    assert found.err.count(reason) == 1 and "-:3: " in found.err


def test_scales_have_rows_of_their_own_and_duplicates_are_counted(judged):
    other = json.loads(json.dumps(judged[1]))
    for entry in other["judgements"]["rate"]:
        if entry["method"] == "direct":
            entry |= {"score": 90, "scale": [0, 100], "normal": 0.9}
    data = [judged[0], judged[0], other]
    made = score(data=data)
    found = [
        one for one in score("--summary", data=data).records if (one["method"], one["aspect"]) == ("direct", "type")
    ]
    assert [(one["scale"], one["n"], one.get("n_repeated"), one["mean"]) for one in found] == [
        ([0, 1], 4, 2, found[0]["mean"]), ([0, 100], 1, None, 90)
    ]  # fmt: skip
    assert "2 of n are from duplicate records; all are counted" in score("--table", data=data).out.decode()
    keys = ("--x", "score", "--y", "words", "--method", "method", "--item", "item", "--each", "aspect")
    of_one = st("st-agree", "correlate", *keys, input=jsonl(*made.records[:12], *made.records[24:]))
    assert of_one.status == 1 and of_one.records[0]["dropped"] == {"other-scale": 3}
    assert '"score" is on 0 to 100 here and was on 0 to 2 before' in of_one.err


def test_integers_that_name_a_record_are_their_text(judged):
    paper = json.loads(json.dumps(judged[1])) | {"id": 7, "paper": 3}
    found = score(data=[paper]).records
    assert {(one["item"].partition("/")[0], one["paper"]) for one in found} == {("7", "3")}


def test_ratings_without_a_score_by_people_are_counted(judged):
    found = score("--truth", "nowhere", data=judged)
    assert {one["human"] for one in found.records} == {None}
    assert f"{len(found.records)} ratings without a score by people" in found.err
    keys = ", ".join(json.dumps(key) for key in [*judged[0]][:3])
    assert 'no rated text or record has "nowhere" (--truth; a file of scores needs --key)' in found.err
    assert f"the keys of the record are {keys}" in found.err
    assert "without a score" not in score(data=judged).err


def test_what_people_s_majority_is_can_be_the_truth(judged, tmp_path):
    ratings = [
        {"item": "p1/q1", "rater": rater, "label": "type", "value": value}
        for rater, value in (("a", 1), ("b", 1), ("c", 0))
    ]
    truth = tmp_path / "truth.jsonl"
    truth.write_bytes(st("st-agree", "majority", input=jsonl(*ratings)).out)
    found = score("--truth", truth, "--key", "item", data=judged).records
    assert {one["human"] for one in found if (one["item"], one["aspect"]) == ("p1/s/q1", "type")} == {1}


@pytest.mark.parametrize("part", ["text", "abstract"])
def test_a_text_that_changed_since_it_was_judged_is_refused(judged, part):
    paper = json.loads(json.dumps(judged[0]))
    if part == "text":
        paper["generated"]["questions"][0]["items"][0]["text"] += " Really?"
    else:
        paper["abstract"] += " And more."
    result = score(data=[paper, judged[1]], status=1)
    assert "-:1: " in result.err and "has changed since" in result.err
    assert {one.get("paper") for one in result.records} == {None, "p2"}, "the record itself goes on, with its fault"


@pytest.mark.parametrize(
    ("human", "said"),
    [
        ({"problem": "2/3"}, "people's score '2/3' of \"problem\" is not a number"),
        ({"problem": True}, 'people\'s score True of "problem" is not a number'),
        ({"problem": 3}, 'people\'s score 3 of "problem" is not on 0 to 2'),
        (2, '"human" is no object of scores by aspect'),
    ],
)
def test_a_score_by_people_that_is_none_is_refused(judged, human, said):
    paper = json.loads(json.dumps(judged[0]))
    paper["generated"]["questions"][0]["items"][0]["human"] = human
    result = score("--truth", "human", "--aspects", "builtin:rq", data=[paper, judged[1]], status=1)
    assert said in result.err


def test_ratings_without_a_score_are_told_with_their_count(judged):
    """As after a run of st-judge of which every call failed: rows of nulls are no rating of anything."""
    failed = json.loads(json.dumps(judged))
    for record in failed:
        for one in record["judgements"]["rate"]:
            one.update(score=None, normal=None, reason="no answer")
    n = len(score(data=failed).records)
    assert f"{n} ratings without a score\n" in score(data=failed).err
    for form in ("--summary", "--table"):
        told = score(form, data=failed).err
        assert f"st-score: {n} of {n} ratings without a score\n" in told, told
        assert "without a score" not in score(form, data=judged).err


def test_the_summary_counts_nulls_and_the_share_of_the_top(judged):
    paper = json.loads(json.dumps(judged[0]))
    for entry in paper["judgements"]["rate"]:
        if (entry["item"], entry["method"], entry["aspect"]) == ("q2", "direct", "problem"):
            entry |= {"score": None, "normal": None, "reason": "no number"}
    found = score("--summary", "--truth", "human", "--aspects", "builtin:rq", data=[paper, judged[1]]).records
    entry = next(one for one in found if (one["method"], one["aspect"]) == ("direct", "problem"))
    assert (entry["n"], entry["null_share"], entry["nulls"]) == (3, pytest.approx(1 / 3), {"no number": 1})
    assert (entry["mean"], entry["sd"]) == (1.5, pytest.approx(statistics.stdev([2, 1])))
    assert (entry["top_share"], entry["human_top_share"], entry["n_human"]) == (0.5, 1, 3)
    assert entry["tokens"] > 0
    words = next(one for one in found if (one["method"], one["aspect"]) == ("words", "problem"))
    assert (words["top_share"], words["cost"], words["mean"]) == (None, None, pytest.approx(11 / 3))
    table = score("--table", "--truth", "human", data=[paper, judged[1]]).out.decode()
    assert "direct" in table and "0.333" in table


def test_what_st_agree_makes_of_it(judged):
    made = score("--truth", "human", data=judged)
    keys = ("--x", "score", "--y", "human", "--method", "method", "--item", "item", "--each", "aspect")
    found = st("st-agree", "correlate", *keys, input=made.out)
    entry = next(one for one in found.records if (one["x"], one["measure"]) == ("direct", "spearman"))
    assert found.status == 0 and entry["n"] == 3


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("rate", "match"), "rate cannot be combined with match"),
        (("rate", "--csv"), "rate cannot be combined with --csv"),
        (("match", "--truth", "human"), "--truth needs rate"),
        (("rate", "--key", "id"), "--key needs --truth"),
        (("rate", "--aspects", "builtin:none"), "--aspects builtin:none"),
    ],
)
def test_wrong_usage_is_one_line(args, said):
    result = st("st-score", *args, input=b"{}\n")
    assert result.status == 2 and said in result.err and result.out == b""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"name": "p1/q1", "type": float("nan")}, ":1: not JSON"),
        ({"type": 1}, ':1: no item\'s name at "name"'),
        ({"name": "p1/q1", "label": "type", "value": "1/1"}, ":1: people's score '1/1' of \"type\" is not a number"),
    ],
)
def test_a_truth_that_cannot_be_read_is_told_by_its_line(tmp_path, line, said):
    truth = tmp_path / "truth.jsonl"
    truth.write_bytes(jsonl(line))
    result = st("st-score", "rate", "--truth", truth, "--key", "name", input=b"{}\n")
    assert result.status == 2 and said in result.err


def test_records_without_ratings_are_refused():
    result = st("st-score", "rate", input=jsonl({"id": "p1", "judgements": {"match": []}}))
    assert result.status == 3 and 'no "judgements.rate": run st-judge rate first' in result.err


@pytest.mark.parametrize(
    "wrong",
    [
        {"scales": 7}, {"scales": {"problem": 7}}, {"methods": True}, {"methods": [{}]}, {"where": {"candidate": 7}},
        {"where": {"candidate": "title", "context": 7}}, {"where": {"candidate": "title", "context": [None]}},
        {"where": {"candidate": "title", "context_words": "x"}},
    ],
)  # fmt: skip
def test_options_of_the_wrong_type_in_the_provenance_are_told(judged, wrong):
    data = json.loads(json.dumps(judged))
    data[0]["provenance"][-1]["options"] |= wrong
    done = st("st-score", "rate", input=jsonl(*data), is_described=False)
    assert done.status == 1 and "an option of st-judge rate has the wrong type" in done.err


def test_a_run_without_the_place_of_its_texts_is_passed_over(judged):
    data = json.loads(json.dumps(judged))
    data[0]["provenance"][-1]["options"]["where"] = {}
    assert "internal" not in st("st-score", "rate", input=jsonl(*data), is_described=False).err
