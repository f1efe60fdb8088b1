"""The studies on made data: what must come out comes out, runs that are interrupted end alike, little is done again."""

from __future__ import annotations

import ast
import gzip
import itertools
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
from support.run import BIN, ROOT, environment
from support.studies import SEED, STUDIES, copy_of, copy_of_made, files, make, rules, steps

WORLDS = list(SEED.items())
if seeds := os.environ.get("STUDY_SEEDS"):
    WORLDS = list(itertools.product(STUDIES, seeds.split()))


def test_a_study_is_short_and_says_what_it_must():
    for study in STUDIES:
        folder = ROOT / "studies" / study
        page = (folder / "README.md").read_text()
        assert len((folder / "Makefile").read_text().splitlines()) <= 80, study
        assert len(page.split()) <= 1050, study  # a page, however its lines are divided
        for heading in ("What differs, and why", "Costs and time", "What may be published"):
            assert f"## {heading}" in page, study
        assert f"| `{study}` |" in (ROOT / "studies" / "README.md").read_text()


@pytest.mark.parametrize("study", STUDIES)
def test_each_step_stands_on_files_that_are_made(study, tmp_path):
    """Without running it: every prerequisite has a rule, and no target is made by two."""
    folder = copy_of(study, tmp_path)
    env = environment(VENUE="x")
    (folder / "reviews.json").write_text("{}")  # what a group brings to studies/new
    done = subprocess.run(["make", "-n", "tables"], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0 and "overriding" not in done.stderr, done.stderr
    assert re.search(r"\bst-view --report\b", done.stdout)


#: What a group may bring to a study, in place of what is fetched.
BROUGHT = {
    "aaar": [("parsed.jsonl", "read.jsonl")],
    "bagels": [("parsed.jsonl", "corpus.jsonl")],
    "claimcheck": [("parsed.jsonl",)],
    "facets": [("parsed.jsonl",), ("summaries.jsonl",)],
    "new": [("parsed.jsonl",)],
    "questions": [("parsed.jsonl",)],
}


@pytest.mark.parametrize("study", STUDIES)
def test_files_that_a_group_brings_are_taken_as_they_are(study, tmp_path):
    """Nothing is fetched where they are there, and they are not made: they would be lost."""
    for number, names in enumerate(BROUGHT[study]):
        folder = copy_of(study, tmp_path / str(number))
        for name in names:
            (folder / name).touch()
        found = steps(folder)
        assert len(found) > 6 and not {target for target, _ in found} & set(names), names
        assert not any(re.search(r"\bst-(fetch|parse)\b", lines) for _, lines in found), names


#: What reads records and gives each back, with its reason where it has a fault: this must stop nothing.
BY_RECORD = r"st-(judge (?!fit )|generate |extract-limits |facets |parse |claims (?!select )|score |annotate (apply|gold|ratings) )"


@pytest.fixture
def statuses(tmp_path, monkeypatch):
    """Commands that end with a status, by the number in their names; tools that change files do nothing."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("st-0", "st-1", "st-3", "st-130", "st-141", "cp", "mv", "jq", "head", "tail", "sed", "grep", "touch"):
        path = folder / name
        path.write_text('#!/bin/sh\ncase $0 in */st-*) exit "${0##*/st-}";; esac\n')
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_a_command_that_stops_stops_its_step(study, tmp_path, statuses):
    """Each command of each step in turn ends as where money is spent (3), or as where it is interrupted; the others beside it
    end as where one record has a fault."""
    folder = copy_of(study, tmp_path)
    (folder / "reviews.json").write_text("{}")
    made = subprocess.run(
        ["make", "--no-print-directory", "-n", "tables"],  # under another make, as in CI, it would name the folder
        cwd=folder,
        env=environment(VENUE="x"),
        capture_output=True,
        text=True,
    )
    steps = [one for one in re.sub(r"\\\n", "", made.stdout).splitlines() if "st-" in one and "[ -" not in one]
    command = re.compile(r"(?<![\w./-])st-[a-z][a-z-]*(?= )")

    def status(step: str, ends: str, of: int, others: str) -> int:
        places = itertools.count()
        line = command.sub(lambda _: f"st-{ends if next(places) == of else others}", step)
        line = re.sub(r"\bpython ", "true ", line)
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", line],
            cwd=folder,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
        ).returncode

    assert len(steps) > 8
    for step in steps:
        assert status(step, "0", 0, "0") == 0, step
        if re.search(BY_RECORD, step):
            assert status(step, "1", 0, "1") == 0, step
        for place in range(len(command.findall(step))):
            for ends in ("3", "130"):
                # A metric that no record has anything for is one of several; no model is asked, so that no money is spent.
                goes_on = ends == "3" and "[013]" in step and command.findall(step) == ["st-score"]
                assert (status(step, ends, place, "1") == 0) == goes_on, (place, step)


@pytest.mark.parametrize("study", STUDIES)
def test_a_step_depends_on_all_that_it_reads(study, tmp_path):
    """Files and batches that other steps make, in the lines of a step and in the programs of the study that it runs."""
    folder = copy_of(study, tmp_path)
    (folder / "reviews.json").write_text("{}")
    needs, found = rules(folder), steps(folder)
    known = {target for target in needs if target.endswith((".jsonl", ".json", ".answers"))}
    batches = {target.removesuffix(".answers"): target for target in known if target.endswith(".answers")}
    assert len(found) > 6
    for target, lines in [*found, ("tables", "python tables.py")]:
        programs = (folder / one for one in re.findall(r"python (\w+\.py)", lines))
        text = "\n".join([lines, *(path.read_text() for path in programs)])
        named = set(re.findall(r"(?<![\w./-])[\w-]+\.(?:jsonl|json|answers)(?![\w.])", text)) & known
        words = set(re.findall(r"(?<![\w./-])[\w-]+(?![\w./-])", lines)) & batches.keys()
        reads = named | {batches[word] for word in words}
        assert reads - {target} <= closure(needs, target), target


def closure(needs: dict[str, list[str]], target: str) -> set[str]:
    """All that a target is made of."""
    found: set[str] = set()
    todo = [target]
    while todo:
        new = [one for one in needs.get(todo.pop(), ()) if one not in found]
        found.update(new)
        todo += new
    return found


#: Stands for any tool that reads and writes: half of what it writes, then the whole of it; of the command whose turn it is, half, and then
#: all processes of the step are killed, with the shell.
WRITER = """#!/bin/sh
turn=1
while ! mkdir "$TURNS/$turn" 2> /dev/null; do turn=$((turn + 1)); done
target= previous=
for word; do [ "$previous" = --output ] && target=$word; previous=$word; done
cat > /dev/null
case $target in
  "") printf half;;
  *.*) printf half > "$target.part";;
esac
[ $turn = $KILLED ] && kill -9 0
case $target in
  "") printf whole;;
  *.*) printf whole >> "$target.part"; mv "$target.part" "$target";;
  *) mkdir -p "$target";;
esac
"""


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_a_step_that_is_killed_leaves_no_target(study, tmp_path):
    """Whichever command of a step is killed while it writes: the target is not there, or make would go on with half of it."""
    folder, tools = copy_of(study, tmp_path), tmp_path / "tools"
    (folder / "reviews.json").write_text("{}")
    tools.mkdir()
    for name in ("jq", "head", "tail", "sed", "python", *(path.name for path in BIN.glob("st-*"))):
        (tools / name).write_text(WRITER)
        (tools / name).chmod(0o755)
    found = steps(folder)
    known = {target for target, _ in found}
    assert len(known) > 6

    def step(lines: str, target: str, turn: int, place: Path) -> bool:
        """Whether the step came to its end."""
        for name in known - {target}:
            (place / name).write_text("before")
        env = {"PATH": f"{tools}:{os.environ['PATH']}", "TURNS": str(place / "turns"), "KILLED": str(turn)}
        (place / "turns").mkdir()
        shell = ["bash", "-e", "-o", "pipefail", "-c", lines]
        done = subprocess.run(
            shell, cwd=place, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
        )
        return done.returncode == 0

    for number, (target, lines) in enumerate(found):
        for turn in itertools.count(1):
            place = tmp_path / f"{number}-{turn}"
            place.mkdir()
            if step(lines, target, turn, place):
                assert (place / target).exists() and turn > 1, (target, turn)
                break
            assert not (place / target).exists(), (target, turn, lines)


#: The rows of all tables of a study, as they are before st-table has them.
ROWS = """
import json, runpy, sys
sys.path.insert(0, "..")
import layout
layout.write = lambda *table: print(json.dumps(table))
layout.page = lambda *_: None
runpy.run_path("tables.py", run_name="__main__")
"""
FAILED = (
    json.dumps({"id": "failed", "title": "Failed", "errors": [{"command": "st-parse", "reason": "no text"}]}) + "\n"
)


def python(folder: Path, *line: str) -> tuple[str, str]:
    env = environment(PYTHONPATH=os.pathsep.join([str(folder.parent / "made"), str(ROOT / "tests"), str(folder)]))
    done = subprocess.run([sys.executable, *line], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_a_paper_that_failed_is_left_out_of_tables_and_told(tmp_path):
    bagels, facets = copy_of("bagels", tmp_path / "one"), copy_of("facets", tmp_path / "two")
    paper = {"id": "a", "limitations": [{"origin": "author"}, {"origin": "review"}, {"origin": "review"}]}
    for name in ("truth", "apart"):
        (bagels / f"{name}.jsonl").write_text(json.dumps(paper) + "\n" + FAILED)
    out, err = python(bagels, "-c", "import tables; tables.write = lambda *table: print(table[2]); tables.numbers()")
    assert [one["limitations"] for one in ast.literal_eval(out)] == ["1", "2", "3"]
    assert err.splitlines() == [
        f"{name}.jsonl: 1 of 2 records have no limitations, and are left out" for name in ("truth", "apart")
    ]
    rated = {"system": "s", "ratings": {"method": 2}, "rating": 2}
    scores = [
        {"metric": name, "system": "s", "values": {"overall.score": 0.5, "rouge1": 0.25}} for name in ("facets", "text")
    ]
    paper = {
        "id": "a",
        "summaries": [{"system": "s"}],
        "judgements": {"facets": [rated], "vanilla": [rated]},
        "scores": scores,
    }
    (facets / "people.jsonl").write_text(json.dumps(paper) + "\n" + FAILED)
    skipped = {"paper": "a", "item": "a/1", "answers": {"overall": None}}
    (facets / "overall.answers").write_text(json.dumps(skipped) + "\n")
    row = {
        "item": "a/s",
        "paper": "a",
        "dataset": "the papers",
        "system": "s",
        "human": 0.5,
        "rouge1": 0.25,
        "rougeL": None,
        "ratings": {"method": 2},
        "overall": None,
    }
    for judged, said in (
        (json.dumps(paper) + "\n", {"fm": 0.5, "vanilla": 0.5}),
        (FAILED, {"fm": None, "vanilla": None}),
    ):
        (facets / "judged.jsonl").write_text(judged)
        assert json.loads(python(facets, "measures.py")[0]) == row | said


def test_tables_need_no_system_that_an_option_leaves_out(tmp_path):
    """Who takes passages of one relation alone has no system of all of them."""
    folder = copy_of("bagels", tmp_path)
    rows = [{"metric": "match", "system": one, "values": {}} for one in ("plain", "top3", "rag-cited-in", "rag-top-k")]
    (folder / "scores.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    (folder / "origins.jsonl").write_text(json.dumps({**rows[0], "of": "review"}) + "\n")
    line = (
        "import tables; tables.write = lambda name, _, rows: print(name, [one['id'] for one in rows]); tables.systems()"
    )
    told = python(folder, "-c", line)[0].splitlines()
    assert told[2:] == [
        "table4 ['no passages', 'cited in']", "table5 ['reviewers, all sections', 'both, all sections', 'both, three sections']",
        "table6 ['first three']",
    ]  # fmt: skip


def test_a_table_without_rows_says_so(tmp_path):
    """Where no paper has what a table counts; a table of an earlier run is gone."""
    folder = copy_of("bagels", tmp_path)
    line = "import sys; sys.path.insert(0, '..'); import layout; layout.write('table8', 'Table 8: Cosines.', {rows})"
    for rows in ([{"id": "method", "cosine": "0.5"}], []):
        python(folder, "-c", line.format(rows=rows))
    assert [path.name for path in (folder / "tables").iterdir()] == ["table8.md"]
    assert (folder / "tables" / "table8.md").read_text().startswith("Table 8: Cosines.\n\nThe study has no rows")


@pytest.mark.slow
def test_a_section_without_text_has_no_cosine(tmp_path):
    """A heading that has text in its subsections alone is no section that resembles nothing."""
    folder = copy_of("bagels", tmp_path)
    parts = {
        "limitation": "We saw ten owls in one wood.",
        "result": "",
        "other": " \n",
        "method": "We count owls in a wood.",
    }
    sections = [{"role": role, "text": text} for role, text in parts.items()]
    (folder / "parsed.jsonl").write_text(json.dumps({"id": "a", "abstract": None, "sections": sections}) + "\n")
    line = ["make", "-o", "parsed.jsonl", "sections.jsonl"]
    subprocess.run(line, cwd=folder, env=environment(VENUE="x"), check=True, capture_output=True)
    rows = [json.loads(one) for one in (folder / "sections.jsonl").read_text().splitlines()]
    assert [one["system"] for one in rows if "system" in one] == ["method"]


@pytest.mark.slow
def test_the_check_of_limitations_can_fail(tmp_path):
    folder = copy_of("bagels", tmp_path)
    for name in ("scores.jsonl", "origins.jsonl", "kappa.jsonl", "generated.jsonl", "marks.jsonl"):
        (folder / name).touch()
    (folder / "check.answers").write_text('{"answers": {"verdict": "limitation"}}\n')
    (folder / "ratings.part").write_text('{"rater": "model", "label": "verdict", "value": "same"}\n')
    line = """
import json, check
all_of_them = [check.limitations()[one.name] for one in check.papers() if one.is_accepted]
for found in (all_of_them, all_of_them[1:]):
    with open("apart.jsonl", "w") as file:
        file.writelines(json.dumps({"limitations": list(range(len(one)))}) + chr(10) for one in found)
    print(list(check.of_bagels())[-1].holds)
"""
    assert python(folder, "-c", line)[0].split() == ["True", "False"]


def test_people_who_are_not_done_stop_a_study_and_lose_nothing(tmp_path):
    """The program that waits for people ends with the folder to give out; when it is told so, it lets the study go on."""
    (tmp_path / "batch").mkdir()
    line = [str(ROOT / "studies" / "people.sh"), "batch"]
    waits = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert waits.returncode == 1 and "batch/raters" in waits.stderr and "touch batch/back" in waits.stderr
    (tmp_path / "batch" / "back").touch()
    assert subprocess.run(line, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("study", STUDIES)
def test_a_sheet_that_is_corrected_is_read_again(study, tmp_path):
    """A sheet in the folder of a rater is something that the answers are made of, beside what the batch was made of."""
    folder = copy_of(study, tmp_path)
    (folder / "reviews.json").write_text("{}")
    before = rules(folder)
    batches = {target.removesuffix(".answers") for target in before if target.endswith(".answers")}
    sheets = {name: f"{name}/raters/anna/anna.xlsx" for name in batches}
    for path in sheets.values():
        (folder / path).parent.mkdir(parents=True)
        (folder / path).touch()
    after = rules(folder)
    for name, path in sheets.items():
        assert after[f"{name}.answers"] == [*before[f"{name}.answers"], path]


def test_a_pilot_of_all_papers_stops_before_people_are_asked(tmp_path):
    folder = copy_of("claimcheck", tmp_path)
    (folder / "claims.jsonl").write_text('{"id": "a"}\n' * 3)
    line = ["make", "-o", "claims.jsonl", "pilot.jsonl"]
    for pilot, status in (("3", 2), ("2", 0)):
        done = subprocess.run(
            [*line, f"PILOT={pilot}"], cwd=folder, env=environment(VENUE="x"), capture_output=True, text=True
        )
        assert done.returncode == status and (folder / "pilot.jsonl").exists() == (status == 0), done.stderr
        assert ("PILOT=3 takes all papers" in done.stderr) == (status != 0)


sys.path.insert(0, str(ROOT / "studies"))
import options  # noqa: E402

#: A study of four files: one that the group brought, and three of which one uses the option.
OPTIONAL = """
A ?= 1
all: third.jsonl second.jsonl
include ../rules.mk
fetched.jsonl:
	echo $(A) > $@
parsed.jsonl: fetched.jsonl
	echo $(A) > $@
first.jsonl: parsed.jsonl
	echo "$(A)" > $@
second.jsonl: first.jsonl
	cat $< parsed.jsonl > $@
third.jsonl: parsed.jsonl
	cp $< $@
"""


def test_options_hold_until_others_are_given(tmp_path):
    """What a changed option makes is what it makes in a fresh folder, and nothing else is made again."""
    folder = copy_of("new", tmp_path)
    (folder / "Makefile").write_text(OPTIONAL)
    (folder / "parsed.jsonl").write_text("brought\n")
    for given, made, again in (
        (["A=2"], "2", {"first", "second", "third"}), ([], "2", set()), (["A=2"], "2", set()),
        (["A=it's #3"], "it's #3", {"first", "second"}), ([], "it's #3", set()),
        (["-n", "A=4"], "it's #3", set()), (["--no-print-directory", "A=1"], "1", {"first", "second"}),
    ):  # fmt: skip
        ages = {path.stem: path.stat().st_mtime_ns for path in folder.glob("*.jsonl")}
        done = subprocess.run(["make", *given], cwd=folder, env=environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert {path.stem for path in folder.glob("*.jsonl") if ages.get(path.stem) != path.stat().st_mtime_ns} == again
        assert (folder / "second.jsonl").read_text() == f"{made}\nbrought\n"


#: A study in which people have two batches, one of which hangs on a file that an option makes; nobody fills them in.
GIVEN_OUT = """
A ?= 1
B ?= 1
all: near.answers far.answers
include ../rules.mk
first.jsonl:
	echo $(A) > $@
near.answers: first.jsonl
	[ -d near ] || { mkdir near; echo $(RATERS) > near/batch.json; }
	touch $@
far.answers:
	[ -d far ] || { mkdir far; echo $(B) > far/batch.json; }
	touch $@
"""


def test_options_that_a_batch_of_people_was_not_made_by_are_told(tmp_path):
    """People keep their batches: who changes an option is told which, at each make until they are given out anew."""
    folder = copy_of("new", tmp_path)
    (folder / "Makefile").write_text(GIVEN_OUT)

    def told(*given: str) -> list[str]:
        done = subprocess.run(["make", *given], cwd=folder, env=environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return re.findall(r"^(\w+ was given out before .*) got", done.stderr, re.M)

    assert told("A=2", "B=1", "RATERS=anna,ben") == []
    assert told() == told("B=1", "A=2") == told("-n", "B=3") == []
    assert told("B=2", "A=3") == ["far was given out before B", "near was given out before A"]
    assert told("RATERS=cleo") == ["far was given out before B", "near was given out before A and RATERS"]
    assert (folder / "near" / "batch.json").read_text() == "anna,ben\n"
    shutil.rmtree(folder / "near")
    (folder / "near.answers").unlink()
    assert told() == ["far was given out before B"]
    assert (folder / "near" / "batch.json").read_text() == "cleo\n"


@pytest.mark.parametrize("study", STUDIES)
def test_the_options_that_a_step_uses_are_known(study, tmp_path):
    """The lines that another value of an option changes, as make expands them, are of rules that are known to use it."""
    folder = copy_of(study, tmp_path)
    (folder / "reviews.json").write_text("{}")
    defaults, known = options.rules_of(folder)
    before = dict(steps(folder))
    makefile = (folder / "Makefile").read_text()
    assert len(defaults) > 3
    for name in sorted(defaults.keys() - {"PEOPLE", "SUMMARIES"}):
        (folder / "Makefile").write_text(f"override {name} := 77 {defaults[name]}\n{makefile}")
        differ = {target for target, lines in steps(folder) if before.get(target, lines) != lines}
        users = [one.replace("%", "*") for targets, _, names in known if name in names for one in targets.split()]
        assert [one for one in differ if not any(fnmatch(one, user) for user in users)] == [], name


#: What a study on made data has no numbers of: models that need a download, and prices of a made model.
UNKNOWN = {"BS", "BERTScore", "USD"}


def empty_columns(folder: Path) -> list[tuple[str, str]]:
    """Tables of a study with a column in which each cell is a dash."""
    found = []
    for path in (folder / "tables").glob("*.jsonl"):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        heads = {head for row in rows for head in row} - UNKNOWN
        found += [(path.name, head) for head in heads if all(row.get(head, "--") == "--" for row in rows)]
    return found


def without_replies(lines: str) -> str:
    """Records of which the first has no usable reply: each of its entries is null with the reason."""
    first, *others = lines.splitlines()
    record = json.loads(first)
    for task, entries in (record.get("generated") or {}).items():
        record["generated"][task] = [
            {"system": one["system"], "by": one["by"], "items": None, "reason": "reply not usable"} for one in entries
        ]
    for weakness in record.get("weaknesses") or ():
        for key, value in (("edited", "text"), ("targets", "items")):
            for entry in weakness.get(key) or ():
                entry[value] = None
    return "".join(line + "\n" for line in (json.dumps(record), *others))


@pytest.mark.slow
@pytest.mark.parametrize(("study", "seed"), WORLDS)
def test_what_is_true_by_construction_comes_out(study, seed, made, tmp_path):
    folder = copy_of_made(made(study, seed), tmp_path)
    out = (made(study, seed).parents[1] / "said").read_text()
    counted = re.search(rf"^{study}: (\d+) of (\d+) as they must be; (\d+) without interval$", out, re.M)
    assert counted and counted[1] == counted[2] and int(counted[2]) >= max(5, 2 * int(counted[3])), out
    assert not empty_columns(folder)
    calls = gzip.decompress((folder / "calls.jsonl.gz").read_bytes()).splitlines()
    caches = [sqlite3.connect(path) for path in folder.glob("cache/**/calls.sqlite")]
    kept = sum(one.execute("select count(*) from calls").fetchone()[0] for one in caches)
    assert sum("prompt" in json.loads(line) for line in calls) == kept > 0
    rows = python(folder, "-c", ROWS)[0]
    for path in folder.glob("*.jsonl"):
        if '"title"' in path.read_text():
            path.write_text(path.read_text() + FAILED)
    errors = '"papers with an error in some step", "number": "'
    assert python(folder, "-c", ROWS)[0].replace(f'{errors}1"', f'{errors}0"') == rows
    for path in folder.glob("*.jsonl"):
        if '"title"' in path.read_text():
            path.write_text(without_replies(path.read_text()))
    python(folder, "-c", ROWS)


@pytest.mark.slow
def test_replies_of_a_study_make_its_tables_elsewhere(made, tmp_path):
    """What `make calls` writes is all that another machine needs to repeat a study: no call, and the same bytes."""
    here, elsewhere = made("new"), copy_of("new", tmp_path)
    env = environment(XDG_CACHE_HOME=str(elsewhere / "cache"))
    line = [BIN / "st-cache", "import", here / "calls.jsonl.gz"]
    subprocess.run(line, cwd=elsewhere, env=env, check=True, capture_output=True)
    log = tmp_path / "log"
    make(elsewhere, "tables", ST_REPLAY="1", MADE_LOG=str(log), MADE_SEED=SEED["new"])
    assert log.read_text() == ""
    made = {name: data for name, data in files(here).items() if name.endswith(".md")}
    assert len(made) > 3 and made == {name: files(elsewhere)[name] for name in made}


#: People who fill in their sheets, and one who spoils the second row of each batch: it is cut off, or of nobody.
SPOIL = """
import itertools, sys
from pathlib import Path
import people
people.main(sys.argv[1:])
sheet = sorted(Path(sys.argv[1]).glob("raters/*/*.jsonl"))[0]
lines = sheet.read_text().splitlines()
lines[1] = lines[1][:90] if sys.argv[1].startswith("pilot") else lines[1].replace('"row": "m', '"row": "n', 1)
sheet.write_text("".join(line + chr(10) for line in lines))
"""


@pytest.mark.slow
def test_a_bad_row_of_a_rater_costs_that_row_not_the_study(made, tmp_path):
    """Replies of the model are at hand: it is asked about what is new alone."""
    folder = copy_of("claimcheck", tmp_path)
    shutil.copytree(made("claimcheck") / "cache", folder / "cache")
    (folder / "spoil.py").write_text(SPOIL)
    make(
        folder,
        "-j2",
        "tables",
        f"PEOPLE=env PYTHONPATH={folder.parent / 'made'}:{ROOT / 'tests'} {sys.executable} spoil.py",
        MADE_SEED=SEED["claimcheck"],
    )
    page = (folder / "tables" / "tables.md").read_text()
    batches = [path.parent for path in folder.glob("*/batch.json")]
    assert len(batches) == 7
    assert {json.loads(line)["decision"] for line in (folder / "reviewed.jsonl").open()} == {"rejected"}
    for batch in batches:
        sheet = min(batch.glob("raters/*/*.jsonl")).relative_to(folder)
        told = "not JSON" if batch.name.startswith("pilot") else "no row of this rater"
        assert f"- `{sheet}:2: {told}" in page, batch.name
        given = len((batch / "key.jsonl").read_text().splitlines())
        assert len((folder / f"{batch.name}.answers").read_text().splitlines()) == given - 1, batch.name


#: Stands for a command that works record by record: it marks the lines of its part; a line that reads "bad" ends it.
MARKER = """
import sys
words, part = sys.argv[1:], (0, 1)
if "--shard" in words:
    at = words.index("--shard")
    part = [int(one) for one in words[at + 1].split("/")]
    part, words = (part[0] - 1, part[1]), words[:at]
lines = (sys.stdin if words[0] == "-" else open(words[0])).read().splitlines()
own = lines[len(lines) * part[0] // part[1] : len(lines) * (part[0] + 1) // part[1]]
if "bad" in own:
    sys.exit(4)
out = open(words[2], "w") if words[1:] else sys.stdout
out.write("".join(line + "*" + chr(10) for line in own))
"""
STEPS = """
include ../rules.mk
piped.jsonl: records.jsonl
	st-facets $< | st-facets - --output $@ $(OK)
looped.jsonl: records.jsonl
	cp $< $@.part
	for one in 1 2 3; do $(call add,st-facets); done
	mv $@.part $@
whole.jsonl: records.jsonl
	tail -n +2 $< | st-facets - --output $@
sorted.jsonl: records.jsonl
	st-facets $< | sort -r > $@
"""


def test_a_step_in_parts_is_all_of_them_or_nothing(tmp_path):
    """The first command that reads a file gets a part, no other; where a part fails there is no target, and nothing is left half made."""
    folder, tools = copy_of("new", tmp_path), tmp_path / "tools"
    tools.mkdir()
    (tools / "st-facets").write_text(f"#!{sys.executable}\n{MARKER}")
    (tools / "st-facets").chmod(0o755)
    (folder / "Makefile").write_text(STEPS)
    env = {"PATH": f"{tools}:{os.environ['PATH']}"}

    def run(*line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", "--no-print-directory", *line], cwd=folder, env=env, capture_output=True, text=True
        )

    lines = [f"record {number}" for number in range(5)]
    (folder / "records.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert run("SHARDS=6", "piped.jsonl", "looped.jsonl", "whole.jsonl", "sorted.jsonl").returncode == 0
    assert (folder / "piped.jsonl").read_text() == "".join(f"{line}**\n" for line in lines)
    assert (folder / "looped.jsonl").read_text() == "".join(f"{line}***\n" for line in lines)
    assert (folder / "whole.jsonl").read_text() == "".join(f"{line}*\n" for line in lines[1:])
    assert (folder / "sorted.jsonl").read_text() == "".join(f"{line}*\n" for line in reversed(lines))
    assert list((folder / "parts").iterdir()) == []
    (folder / "piped.jsonl").unlink()
    (folder / "records.jsonl").write_text("record 0\nrecord 1\nbad\n")
    done = run("SHARDS=2", "piped.jsonl")
    assert done.returncode != 0 and not (folder / "piped.jsonl").exists()
    assert "a part ended with" in done.stderr
