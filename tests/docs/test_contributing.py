"""What CONTRIBUTING.md and docs/architecture.md tell is done to a copy of the package, or looked up in it."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from support.run import ROOT, environment, jsonl
from support.server import Server

from scholartools.pipeline.workers import Workers

# The lists with blocks: how many new files each makes, and how many files that exist it changes.
LISTS = {
    "Add a metric": (1, 3),
    "Add a task to st-judge, st-generate or st-claims": (4, 3),
    "Add a statistic to st-agree": (3, 3),
    "Add an option": (0, 2),
    "Change or add a prompt": (0, 1),
    "Add a command": (2, 3),
    "Add a reader": (2, 3),
}
PACKAGE = ROOT / "scholartools"
BLOCK = re.compile(r"^   `(\S+)`\n\n   ```(\w+)\n(.*?)^   ```$", re.M | re.S)
ROW = re.compile(r"^\| ([^|]+) \| `([^`]+)` names `([^`]+)` \| `([^`]+)` \|$", re.M)


# A task of st-judge, which the same steps add; the page shows one of st-generate.
JUDGE_TASK = ("tests/support/judge-task.md", "Add the task tone", (4, 3))


def steps(heading: str, page: str = "CONTRIBUTING.md") -> list[tuple[str, str, str]]:
    """The blocks under a heading of a page: the file that each is of, its kind, and its text."""
    text = (ROOT / page).read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    return [(file, kind, textwrap.dedent(block)) for file, kind, block in BLOCK.findall(text)]


def apply(folder: Path, file: str, kind: str, text: str) -> None:
    """Write a new file, or change one by a block of lines that stay, go (-) and come (+)."""
    if kind != "diff":
        assert not (folder / file).exists(), file
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
        return
    lines = [line if line.strip() else f" {line}" for line in text.splitlines(keepends=True)]
    before = "".join(line[1:] for line in lines if line[0] != "+")
    after = "".join(line[1:] for line in lines if line[0] != "-")
    whole = (folder / file).read_text()
    assert whole.count(before) == 1, f"{file} has not these lines once:\n{before}"
    (folder / file).write_text(whole.replace(before, after))


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the package to which the lists were applied."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, folder / "scholartools", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests").mkdir()
    for file in ("setup.cfg", "tests/test_house.py"):
        shutil.copy(ROOT / file, folder / file)
    of_page = [("CONTRIBUTING.md", heading, counts) for heading, counts in LISTS.items()]
    for page, heading, counts in [*of_page, JUDGE_TASK]:
        found = steps(heading, page)
        new, changed = ({file for file, kind, _ in found if (kind == "diff") is told} for told in (False, True))
        assert (len(new), len(changed - new)) == counts, heading
        for step in found:
            apply(folder, *step)
    line = [sys.executable, "-m", "scholartools.schemas.paper"]
    made = subprocess.run(line, env=environment(PYTHONPATH=str(folder)), cwd=folder, capture_output=True, check=True)
    (folder / "scholartools" / "schemas" / "paper.json").write_bytes(made.stdout)
    return folder


@pytest.fixture(scope="module")
def house(copy):
    """The rules of the house, which look at the copy."""
    place = importlib.util.spec_from_file_location("house_of_copy", copy / "tests" / "test_house.py")
    rules = importlib.util.module_from_spec(place)
    place.loader.exec_module(rules)
    rules.PACKAGE = copy / "scholartools"
    return rules


def run(copy: Path, command: str, *args: str, data: bytes = b"", env: dict[str, str] | None = None) -> str:
    """Run a command of the copy."""
    code = (
        "import sys, scholartools; from scholartools.commands.shared.man import load_command; "
        "assert scholartools.__file__.startswith(sys.argv.pop(1)); load_command(sys.argv.pop(1))()"
    )
    line = [sys.executable, "-c", code, str(copy), command.removeprefix("st-"), *args]
    done = subprocess.run(
        line,
        input=data,
        capture_output=True,
        env=environment(PYTHONPATH=str(copy), **(env or {})),
        cwd=copy,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


RECORD = {
    "id": "p", "abstract": "Four words are here.",
    "summaries": [{"system": "short", "text": "Two words."}, {"system": "long", "text": "Six words stand in this one."}],
}  # fmt: skip


@pytest.mark.slow
def test_the_list_for_a_metric_makes_one_that_works(copy):
    (record,) = map(json.loads, run(copy, "st-score", "length", data=jsonl(RECORD)).splitlines())
    values = {entry["system"]: entry["values"]["length_ratio"] for entry in record["scores"]}
    assert values == {"short": 0.5, "long": 1.5}
    (empty,) = map(json.loads, run(copy, "st-score", "length", data=jsonl({**RECORD, "abstract": " "})).splitlines())
    assert empty["scores"][0]["values"]["length_ratio"] is None
    assert empty["scores"][0]["reasons"]["length_ratio"] == "the reference has no word"


def test_the_new_metric_is_listed_and_summarised(copy):
    assert "words of the candidate over words of the reference" in run(copy, "st-score", "--list")
    assert "length_ratio" in run(
        copy, "st-score", "length", "--compare", "short", "long", "--table", data=jsonl(RECORD)
    )


def test_the_list_for_a_statistic_makes_one_that_works(copy):
    data = jsonl({"score": 1, "human": 2}, {"score": 4.5})
    found = [json.loads(line) for line in run(copy, "st-agree", "extent", "--x", "score", data=data).splitlines()]
    assert [(one["stat"], one["value"], one["n"]) for one in found] == [("extent", 3.5, 2)]
    assert "3.500 (2)" in run(copy, "st-agree", "extent", "--x", "score", "--y", "human", "--table", data=data)


@pytest.mark.slow
def test_the_list_for_a_task_makes_one_that_works(copy, tmp_path):
    """A key word that does not stand in the abstract is refused, and the list asked for once more."""
    papers = jsonl({"id": "p", "abstract": "We counted bees on farms."})
    replies = iter([["birds"], ["bees", "farms"]])
    with Server(answer=lambda _: json.dumps({"keywords": next(replies)})) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache.sqlite")}
        args = ("keywords", "--model", "openai/mock")
        (record,) = map(json.loads, run(copy, "st-generate", *args, data=papers, env=env).splitlines())
        again = run(copy, "st-generate", *args, "--replay", data=papers, env=env)
        assert server.requests == 2
    assert "--samples" not in run(copy, "st-generate", "keywords", "--help"), "it would change nothing"
    [entry] = record["generated"]["keywords"]
    assert [item["text"] for item in entry["items"]] == ["bees", "farms"] and json.loads(again) == record
    assert "keywords,openai/mock" in run(copy, "st-table", "generated", data=jsonl(record)), "by the schema alone"
    assert "farms" in run(copy, "st-view", "--output", "-", data=jsonl(record))


@pytest.mark.slow
def test_the_list_for_a_task_adds_one_of_st_judge_with_its_tables(copy, tmp_path):
    """A quotation that is not in the review is refused; the schema alone tells st-table of both lists."""
    reviews = [{"id": "r1", "text": "A silly paper, and a bad joke."}, {"id": "r2", "text": "Well done."}]
    replies = {"silly": iter([["dull"], ["silly paper", "bad joke"]]), "Well": iter([[]])}
    with Server(
        answer=lambda asked: json.dumps(
            {"phrases": next(next(one for word, one in replies.items() if word in json.dumps(asked)))}
        )
    ) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache.sqlite")}
        data = jsonl({"id": "p", "reviews": reviews})
        (record,) = map(
            json.loads, run(copy, "st-judge", "tone", "--model", "openai/mock", data=data, env=env).splitlines()
        )
        assert server.requests == 3
    tables = {
        name: run(copy, "st-table", name, data=jsonl(record)).splitlines()
        for name in ("tone-reviews", "tone-reviews-phrases")
    }
    assert tables == {
        "tone-reviews": [
            "id,system,by,review_place,review,polite,reason,n_phrases",
            "p,openai/mock,openai/mock,1,r1,false,,2",
            "p,openai/mock,openai/mock,2,r2,true,,0",
        ],
        "tone-reviews-phrases": [
            "id,system,by,review_place,review,polite,reason,phrase,text",
            "p,openai/mock,openai/mock,1,r1,false,,1,silly paper",
            "p,openai/mock,openai/mock,1,r1,false,,2,bad joke",
        ],
    }
    assert "a review, and whether it is polite" in run(copy, "st-table", "list")


def test_the_list_for_an_option_makes_one_that_works(copy):
    review = {"id": "r1", "text": "They overclaim, and claim too much."}
    data = jsonl({"id": "p", "reviews": [review, {"id": "r2", "text": "A claim."}, {"id": "r3", "text": "Fine."}]})
    found = {}
    for args in ((), ("--least", "2")):
        (record,) = map(json.loads, run(copy, "st-claims", "select", "--drop", *args, data=data).splitlines())
        found[args] = [one["id"] for one in record["reviews"]], record["provenance"][0]["signature"]
    assert [ids for ids, _ in found.values()] == [["r1", "r2"], ["r1"]]
    (_, before), (_, after) = found.values()
    assert "least" not in before and "least=2" in after


def test_a_changed_prompt_has_another_digest(copy):
    from scholartools.tasks.claims.prompted.select import PROMPT

    code = "from scholartools.tasks.claims.prompted.select import PROMPT; print(PROMPT.digest(None))"
    line, env = [sys.executable, "-c", code], environment(PYTHONPATH=str(copy))
    done = subprocess.run(line, env=env, cwd=copy, capture_output=True)
    assert done.stdout.decode().strip() not in ("", PROMPT.digest(None)), done.stderr


def test_the_list_for_a_command_makes_one_that_works(copy):
    data = jsonl({"id": "p", "abstract": RECORD["abstract"], "sections": []})
    (record,) = map(json.loads, run(copy, "st-support", data=data).splitlines())
    assert record["facets"] and [entry["metric"] for entry in record["scores"]] == ["support"]
    assert 'run("support")' in (copy / "bin" / "st-support").read_text()


def test_the_list_for_a_reader_makes_one_that_works(copy, tmp_path):
    (tmp_path / "paper.org").write_text("#+TITLE: Of Bees\n\n* Introduction\nBees are few.\n** Hedges\nThey help.\n")
    (record,) = map(json.loads, run(copy, "st-parse", str(tmp_path / "paper.org")).splitlines())
    assert (record["source"]["format"], record["title"]) == ("org", "Of Bees")
    found = [(section["heading"], section["level"], section["text"]) for section in record["sections"]]
    assert [one[0::2] for one in found] == [("Introduction", "Bees are few."), ("Hedges", "They help.")]
    assert found[1][1] == found[0][1] + 1


@pytest.mark.slow
def test_what_the_lists_make_keeps_the_rules_of_the_house(copy, house):
    house.test_rooms_know_each_other_in_one_direction()
    house.test_a_package_is_small_and_says_what_is_in_it()
    for name in house.LAYERS:
        house.test_every_package_has_a_layer_and_imports_go_down_only(name)
    house.test_a_module_says_what_it_does_beyond_its_name()
    house.test_metrics_know_nothing_of_ours_but_errors()
    house.test_only_commands_know_how_an_option_is_written()
    house.test_no_import_cycles()
    found = [*(step for heading in LISTS for step in steps(heading)), *steps(JUDGE_TASK[1], JUDGE_TASK[0])]
    made = sorted({file for file, _, _ in found if file.startswith("scholartools/") and file.endswith(".py")})
    ruff = [Path(sys.executable).parent / "ruff", "check", "--no-cache", "--config", ROOT / "ruff.toml", *made]
    checked = subprocess.run(ruff, cwd=copy, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_the_files_and_tables_of_the_tests_that_a_page_names_are_there(page):
    text = " ".join((ROOT / page).read_text().split())
    named = set(re.findall(r"`(tests/[\w/.]+)`", text))
    assert named and [file for file in named if not (ROOT / file).exists()] == []
    for table, file in re.findall(r"`([A-Z_]{4,})` (?:in|of) `(tests/[\w/.]+)`", text):
        assert re.search(rf"^{table}\b", (ROOT / file).read_text(), re.M), f"{file} has no {table}"


def test_the_methods_of_a_type_of_worker_are_told():
    told = (ROOT / "docs" / "architecture.md").read_text().split("A type of worker (")[1].split(" with the methods ")[1]
    methods = {name for name, one in vars(Workers).items() if callable(one) and not name.startswith("_")}
    assert set(re.findall(r"`(\w+)`", told.split(" (")[0])) == methods


ROWS = ROW.findall((ROOT / "docs" / "architecture.md").read_text())


def test_there_are_ten_behaviours_or_more():
    assert len(ROWS) >= 10


@pytest.mark.parametrize(("behaviour", "first", "name", "second"), ROWS, ids=[row[0] for row in ROWS])
def test_a_behaviour_is_found_in_two_opens(behaviour, first, name, second):
    assert re.search(rf"\b{re.escape(name)}\b", (PACKAGE / first).read_text()), f"{first} does not name {name}"
    assert (PACKAGE / second).is_file()
    assert (PACKAGE / second).stem == name and (PACKAGE / second).parent == (PACKAGE / first).parent
