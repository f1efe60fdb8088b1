"""st-judge fit and pools: criteria made from labels, and what rating makes of them."""

from __future__ import annotations

import json
import re

import pytest
from support.model_runs import MODEL
from support.raters import fenced, prompt_of, questions, rate, score_of
from support.run import jsonl, st
from support.server import Server


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache")}


def labelled(count: int = 12, label=lambda n: n % 3) -> list[dict]:
    """Papers with two questions each, which people scored by what they bear."""
    made = []
    for n in range(count):
        paper = questions(f"Why {n}? [{n % 3}]", f"Can {n}? [{(n + 1) % 3}]", name=f"p{n}")
        for place, item in enumerate(paper["generated"]["questions"][0]["items"]):
            item["human"] = {"problem": label(n + place), "method": label(n + place)}
        made.append(paper)
    return made


ARGS = ("--only", "problem", "--sizes", "2,3", "--trials", "2", "--top", "1", "--refinements", "2")


class Knowing:
    """Drafts criteria A, C, D, E, refines the best to B; knows the labels by B, by others it errs more or less."""

    def __init__(self) -> None:
        self.drafts = iter("ACDE")

    def __call__(self, messages, number):
        prompt = prompt_of(messages)
        if "Write down criteria" in prompt:
            return f"Criteria {next(self.drafts)}"
        if "Write the criteria anew" in prompt:
            return "Criteria B" if "Criteria A" in prompt else "Criteria Z"
        if (told := re.search(r"Criteria ([A-Z])", prompt)) is None:
            return rate(messages, number)
        text = fenced(messages)[-1]
        truth, place = score_of(text), int(re.search(r"\d+", text)[0])
        errs = {"A": place % 4 == 0, "B": False}.get(told[1], place % 2 == 0)
        return f"Rating: {2 - truth if errs else truth}"


def fit(server: Server | None, cache: dict, *args: str, data: bytes, **options):
    env = {**cache, **(server.environment if server else {})}
    return st("st-judge", "fit", *args, input=data, env=env, is_described=False, **options)


def test_autocalibrate_finds_the_criteria_that_people_used(cache, tmp_path):
    data = jsonl(*labelled())
    args = ("autocalibrate", *MODEL, *ARGS, "--concurrency", "1")
    with Server(sample=Knowing()) as server:
        told = fit(server, cache, *args, "--dry-run", data=data).records
        assert server.requests == 0
        result = fit(server, cache, *args, data=data)
        assert result.status == 0, result.err
        n_golden = 12
        assert server.requests == 4 + 2 + (4 + 1) * n_golden, "both refinements came out the same"
    assert told[0]["dry_run"]["to_send"] == 4 + 2 + (4 + 2) * n_golden
    [problem] = [one for one in json.loads(result.out)["aspects"] if one["name"] == "problem"]
    found = problem["fitted"]["autocalibrate"]
    assert found["definition"] == "Criteria B" and found["spearman"] == 1
    assert [one["kind"] for one in found["tried"]] == ["draft"] * 4 + ["refined"]
    assert "hypothesis" not in problem["definition"] and problem["definition"].startswith("How accurately")
    assert len(problem["fitted"]["papers"]) == 6 and len(problem["fitted"]["texts"]) == found["n"] == n_golden
    replayed = fit(None, cache, *args, "--replay", data=data)
    assert replayed.out == result.out
    turned = fit(None, cache, *args, "--replay", data=jsonl(*labelled()[::-1]))
    assert turned.out == result.out, "the order of the input changes nothing"
    check_rating(cache, tmp_path, result.out, set(problem["fitted"]["papers"]))


@pytest.mark.parametrize("method", ["autocalibrate", "geval", "coascore"])
def test_a_bundle_of_the_criteria_repeats_the_fit(cache, tmp_path, method):
    """Also where drafts cannot be used, or come out the same: nothing is missing elsewhere, and nothing is there beside."""
    args = (method, *MODEL, *(ARGS if method == "autocalibrate" else ARGS[:2]), "--concurrency", "1")
    data = jsonl(*labelled()) if method == "autocalibrate" else b""
    path, bundle = tmp_path / "fitted.json", tmp_path / "calls.jsonl"
    with Server(sample=Sparse() if method == "autocalibrate" else rate) as server:
        path.write_bytes(fit(server, cache, *args, data=data).out)
        another = ("--only", "method") if method != "autocalibrate" else (*ARGS, "--seed", "1")
        fit(server, cache, method, *MODEL, *another, data=data)  # what is not of this fit is not in its bundle
    [aspect] = [one for one in json.loads(path.read_text())["aspects"] if one["name"] == "problem"]
    exported = st("st-cache", "export", "--used-by", path, "--output", bundle, env=cache, is_described=False)
    assert exported.status == 0, exported.err
    keys = {one["key"] for one in map(json.loads, bundle.read_text().splitlines()) if "key" in one}
    assert keys == set(aspect["fitted"][method]["calls"]) != set()
    elsewhere = {"ST_CACHE": str(tmp_path / "elsewhere")}
    st("st-cache", "import", bundle, env=elsewhere, is_described=False)
    assert fit(None, elsewhere, *args, "--replay", data=data).out == path.read_bytes()


def check_rating(cache: dict, tmp_path, criteria: bytes, papers: set[str]) -> None:
    path = tmp_path / "fitted.json"
    path.write_bytes(criteria)
    with Server(sample=Knowing()) as server:
        args = ("--method", "autocalibrate", "--aspects", path, "--only", "problem")
        env = {**cache, **server.environment}
        result = st("st-judge", "rate", *MODEL, *args, input=jsonl(*labelled()), env=env, is_described=False)
        assert server.requests == 12, "those of the fit are in the cache"
    assert result.status == 0, result.err
    for record in result.records:
        for entry in record["judgements"]["rate"]:
            assert entry["seen_in_fit"] is (record["id"] in papers)
            assert entry["method"] == "autocalibrate"


class Sparse(Knowing):
    """Scores two texts alone by criteria A, rightly, and most of the texts by C; one draft is empty."""

    def __init__(self) -> None:
        self.drafts = iter("ACED" + 99 * "D")

    def __call__(self, messages, number):
        said = super().__call__(messages, number)
        told = re.search(r"Criteria ([A-Z])", prompt_of(messages))
        if said == "Criteria D":
            return ""
        if not told or "Write" in prompt_of(messages):
            return said
        text = fenced(messages)[-1]
        place = int(re.search(r"\d+", text)[0])
        few = place < 2 if told[1] == "A" else place % 5
        return f"Rating: {score_of(text)}" if few else "Hm."


def test_criteria_that_score_few_texts_do_not_win_and_what_is_lost_is_told(cache):
    args = ("autocalibrate", *MODEL, *ARGS[:-1], "0", "--concurrency", "1")
    with Server(sample=Sparse()) as server:
        result = fit(server, cache, *args, data=jsonl(*labelled()))
    assert result.status == 1 and '"problem": 1 unusable drafts, ' in result.err, result.err
    made = json.loads(result.out)
    assert "errors" not in made
    found = made["aspects"][0]["fitted"]["autocalibrate"]
    tried = {one["definition"]: one for one in found["tried"]}
    assert tried["Criteria A"]["n_unscored"] > 6 and found["definition"] != "Criteria A"
    assert len(found["unusable"]) == 1 and "empty" in found["unusable"][0]


def test_one_file_for_all_eight_methods(cache, tmp_path):
    """Each fit keeps what others have put into the file."""
    data, path = jsonl(*labelled(20)), "builtin:rq"
    with Server(sample=Knowing()) as server:
        server.sample.drafts = iter("ACDE" * 10)
        for number, method in enumerate(["autocalibrate", "geval", "coascore", "icl"]):
            named = MODEL if method != "icl" else ()
            more = ARGS[2:] if method == "autocalibrate" else ()
            only = ("--only", "problem", "--aspects", path)
            result = fit(server, cache, method, *named, *more, *only, data=data)
            assert result.status == 0, result.err
            path = str(tmp_path / f"{number}.json")
            (tmp_path / f"{number}.json").write_bytes(result.out)
        [problem] = [one for one in json.loads(result.out)["aspects"] if one["name"] == "problem"]
        assert len(problem["steps"]) == len(problem["sub_aspects"]) == len(problem["examples"]) == 5
        seen = {example["id"].split("#")[0] for example in problem["examples"]}
        assert len(seen) == 5 and seen <= set(problem["fitted"]["papers"])
        assert sorted(example["score"] for example in problem["examples"]) in (
            [0, 0, 1, 1, 2],
            [0, 0, 1, 2, 2],
            [0, 1, 1, 2, 2],
        )
        kept = [one for one in labelled(20) if one["id"] not in problem["fitted"]["papers"]]
        args = ("--method", "all", "--aspects", path, "--only", "problem", "--samples", "2", "--temperature", "1")
        env = {**cache, **server.environment}
        rated = st("st-judge", "rate", *MODEL, *args, "--no-cache", input=jsonl(*kept), env=env, is_described=False)
    assert rated.status == 0, rated.err
    methods = {entry["method"] for record in rated.records for entry in record["judgements"]["rate"]}
    assert methods == {
        "autocalibrate", "direct", "geval", "analyze-rate", "rate-explain", "batcheval", "coascore", "icl"
    }  # fmt: skip


def test_the_choice_of_examples_repeats_with_its_seed(cache):
    data = jsonl(*labelled(30))
    runs = [fit(None, cache, "icl", "--only", "problem", "--seed", seed, data=data).out for seed in ("1", "1", "2")]
    assert runs[0] == runs[1] != runs[2]
    by_chance = fit(None, cache, "icl", "--only", "problem", "--choice", "random", data=data)
    assert len(json.loads(by_chance.out)["aspects"][0]["examples"]) == 5


def apart(count: int = 12) -> list[dict]:
    """Records of one question each, two to a paper, of which two of three have other sources."""
    made = []
    for n in range(count):
        record = questions(f"Why {n}? [{n % 3}]", name=f"q{n}")
        record["generated"]["questions"][0]["items"][0]["human"] = {"problem": n % 3}
        made.append({**record, "abstract": f"Ants of {n}.", "of": {"paper": n // 2}})
    return made


def test_the_group_tells_papers_apart_in_fit_and_in_rating(cache, tmp_path):
    path = tmp_path / "icl.json"
    args = ("icl", "--only", "problem", "--group", "of.paper", "--examples", "3", "--seed", "3")
    assert fit(None, cache, *args, "--output", path, data=jsonl(*apart())).status == 0
    [problem] = [one for one in json.loads(path.read_bytes())["aspects"] if one["name"] == "problem"]
    papers = [one["group"]["of.paper"] for one in problem["examples"]]
    assert len(set(papers)) == 3 and problem["fitted"]["groups"] == {"of.paper": sorted(papers)}
    args = ("rate", *MODEL, "--aspects", path, "--only", "problem", "--method", "icl", "--method", "direct")
    data = jsonl(*apart(), questions("Why? [1]"))
    with Server(sample=rate) as server:
        result = st("st-judge", *args, input=data, env={**cache, **server.environment}, is_described=False)
    assert result.status == 1 and 'the fit of the criteria distinguishes papers by "of.paper"' in result.err
    for record in result.records[:-1]:
        for entry in record["judgements"]["rate"]:
            is_seen = str(record["of"]["paper"]) in papers
            assert entry["seen_in_fit"] is is_seen
            assert (entry["score"] is None) is (is_seen and entry["method"] == "icl")


@pytest.mark.parametrize(
    ("examples", "wanted"),
    [("2", {(1, 5)}), ("3", {(1, 3, 5)}), ("4", {(1, 2, 3, 5), (1, 3, 4, 5)}), ("5", {(1, 2, 3, 4, 5)})],
)
def test_examples_cover_the_range_and_a_level_tries_its_further_texts(cache, tmp_path, examples, wanted):
    """The two texts of level 4 are of papers whose other text has another level."""
    path = tmp_path / "criteria.json"
    aspect = {"name": "problem", "scale": [1, 5], "definition": "Whether it is clear."}
    path.write_text(json.dumps({"task": "a question", "candidate": "text", "aspects": [aspect]}))
    labels = [1, 2, 3, 5, 5, 1, 1, 2, 3, 5, 4, 4]
    records = [
        {"id": f"q{n}", "paper": n % 10, "text": {"text": f"Why {n}?", "human": label}}
        for n, label in enumerate(labels)
    ]
    for seed in range(3):
        args = ("--group", "paper", "--split", "1", "--label", "human", "--seed", seed, "--examples", examples)
        result = fit(None, cache, "icl", "--aspects", path, *args, data=jsonl(*records))
        assert result.status == 0, result.err
        chosen = json.loads(result.out)["aspects"][0]["examples"]
        assert tuple(sorted(one["score"] for one in chosen)) in wanted
        assert len({one["group"]["paper"] for one in chosen}) == int(examples)


@pytest.mark.parametrize(
    ("records", "args", "status", "reason"),
    [
        (labelled(6, lambda n: 1), (), 3, "in the papers that are used for fitting"),
        ([questions("Why?")], (), 3, "no text has a score by people at"),
        (labelled(4, lambda n: "2"), (), 3, "-:1: the label '2'"),
        (labelled(4, lambda n: 7), (), 3, "no number on the scale 0 to 2"),
        (labelled(4, lambda n: True), (), 3, "no number on the scale"),
        (labelled(6), ("--examples", "9"), 2, "--examples 9: labelled texts are of 3 papers only"),
        (
            labelled(6),
            ("--label", "human.problem", "--only", "method"),
            2,
            "write {aspect} in place of the aspect's name",
        ),
        (labelled(6), ("--group", "paper"), 3, '-:1: no "paper"'),
        (
            [{**one, "paper": "\u200b "} for one in labelled(6)],
            ("--group", "paper"),
            3,
            '-:1: no "paper": the cell is empty',
        ),
    ],
)
def test_labels_that_cannot_be_used(cache, records, args, status, reason):
    result = fit(None, cache, "icl", "--only", "problem", *args, data=jsonl(*records))
    assert result.status == status and reason in result.err and result.out == b"", result.err


def test_a_blank_text_is_no_example(cache):
    papers = labelled(6)
    for paper in papers:
        paper["generated"]["questions"][0]["items"][0]["text"] = " "
    result = fit(None, cache, "icl", "--only", "problem", "--examples", "2", "--split", "1", data=jsonl(*papers))
    assert result.status == 0 and "only 6 labelled texts" in result.err


def test_few_labels_are_warned_of_and_a_model_is_needed(cache):
    result = fit(None, cache, "icl", "--only", "problem", "--examples", "2", data=jsonl(*labelled(6)))
    assert result.status == 0 and "only 6 labelled texts" in result.err
    result = fit(None, cache, "autocalibrate", data=jsonl(*labelled()))
    assert result.status == 4 and "asks a model" in result.err
    assert fit(None, cache, "gevall", data=b"").status == 2
    result = fit(None, cache, "geval", *MODEL, "-", data=b"")
    assert result.status == 2 and "leave out -" in result.err
    result = st("st-judge", "rate", *MODEL, "--method", "autocalibrate", input=jsonl(*labelled(1)), env=cache)
    assert result.status == 2 and "run st-judge fit autocalibrate first" in result.err


def test_pools_are_drawn_by_seed_and_written_down():
    records = [{"id": f"p{n}"} for n in range(10)]
    result = st("st-judge", "pools", "--size", "4", input=jsonl(*records), is_described=False)
    assert (
        result.status == 0
        and [one["pool"] for one in result.records] == ["pool-1"] * 4 + ["pool-2"] * 4 + ["pool-3"] * 2
    )
    assert sorted(one["id"] for one in result.records) == sorted(one["id"] for one in records)
    turned = st("st-judge", "pools", "--size", "4", input=jsonl(*records[::-1]), is_described=False)
    assert turned.out == result.out
    other = st("st-judge", "pools", "--size", "4", "--seed", "1", input=jsonl(*records), is_described=False)
    assert other.out != result.out
    again = st("st-judge", "pools", "--size", "4", input=result.out, is_described=False)
    assert again.status == 3 and 'has "pool" already' in again.err


def test_records_that_cannot_be_drawn_stand_behind_the_pools():
    data = jsonl({"id": "p1"}, {"id": "p2", "pool": "mine"}) + b"no json\n"
    result = st("st-judge", "pools", "--size", "4", input=data, is_described=False)
    assert result.status == 1 and '-:2: the record has "pool" already' in result.err
    assert [(one.get("pool"), "errors" in one) for one in result.records] == [
        ("pool-1", False), ("mine", True), (None, True)
    ]  # fmt: skip
