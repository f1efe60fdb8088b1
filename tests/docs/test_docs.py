"""Every example of the pages in docs/ is run as it stands, page by page and in order; models are played by a server here.

Blocks of ``sh`` run as they are, ``bash`` and ``python`` ones with the server. A block with a file's name is saved.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess

import pytest
from support import claims, equations, examples, raters, server
from support.pictures import text_of
from support.run import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))


# What is answered to the tasks of AAAR-1.0, by the form of reply that a prompt asks for.
AAAR = {
    '{"entailed": true}': {"entailed": True},
    '{"correct": true}': {"correct": True},
    '{"answer": "LETTER"}': {"answer": "A"},
    '{"aligned": true, ': {"aligned": True, "undefined": []},
    '"reliable": true': {
        "segments": [
            {"id": 1, "reliable": True, "explanation": ""},
            {"id": 2, "reliable": False, "explanation": "It gives no reason."},
        ]
    },
    '{"deficient": [': {"deficient": [{"id": 2, "explanation": "It gives no reason."}]},
    '{"leaking": [': {"leaking": []},
    '{"experiments": [': {"experiments": [{"text": "Compare the coverage of the intervals."}]},
    '{"explanation": "..."}': {"explanation": "To see which interval is right."},
    '{"weaknesses": [{"text": "..."}]}': {"weaknesses": [{"text": "All studies are simulated."}]},
}
# What is answered to the variants of st-generate questions.
QUESTIONS = {
    "Reply with that one question": "Can the width of an interval be chosen by the size of the sample?",
    "Reply with <thinking> first": (
        "<thinking>It sizes samples.</thinking><research_question><problem>width</problem><method>size</method>"
        "<question>Can the width of an interval be chosen by the size of the sample?</question></research_question>"
    ),
}
# What is answered, by the form of reply that a prompt asks for; SENTENCE is the first of the text it shows.
ANSWERS = {
    '{"rating": N}': {"rating": 3},
    '{"relevance": N}': {"relevance": 8},
    '{"match": true}': {"match": True},
    '{"matches": [N': {"matches": [1]},
    '{"groups": ': {"groups": []},
    '"quotes": ["..."]': {"limitations": [{"title": "As it stands", "quotes": ["SENTENCE"]}]},
    '"drafts": [1': {"limitations": [{"heading": "Few data", "text": "There are few data.", "drafts": [1]}]},
    '"passages": ["p1"]': {"limitations": [{"heading": "Few data", "text": "There are few data.", "passages": ["p1"]}]},
    '{"heading": "...", "text": "..."}': {"limitations": [{"heading": "Few data", "text": "There are few data."}]},
}


def answer(messages):
    """What the prompt's form of reply asks for; facets where none of them is."""
    asked = text_of(messages[-1])
    if form := next((form for form in QUESTIONS if form in asked), None):
        return QUESTIONS[form]
    if reply := next((reply for form, reply in AAAR.items() if form in asked), None):
        return json.dumps(reply)
    if equations.is_asked(messages):
        return equations.answer(messages)
    if claims.is_asked(messages):
        return claims.answer(messages)
    if raters.is_asked(messages):
        return raters.rate(messages, 0)
    reply = next((reply for form, reply in ANSWERS.items() if form in asked), None)
    if reply is None:
        return server.facets(messages)
    first = server.SENTENCE.search(server.fenced(messages))
    return json.dumps(reply).replace('"SENTENCE"', json.dumps(first.group() if first else ""))


# The pages that lead through a whole published system take longest.
LONG_PAGES = ("aaar", "claims", "equations", "limitations", "meta-evaluation", "questions")
SYSTEMS = dict.fromkeys(LONG_PAGES, pytest.mark.slow)
SYSTEMS["notebook"] = pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="it needs pandas")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """What points a command at a server of its own, with a cache of its own."""
    with server.Server(answer=answer) as running:
        yield {**running.environment, "ST_CACHE": str(tmp_path_factory.mktemp("cache") / "cache.sqlite")}


@pytest.mark.slow
@pytest.mark.parametrize("page", [pytest.param(page, marks=SYSTEMS.get(page.stem, ()), id=page.name) for page in PAGES])
def test_examples_of_a_page(page, tmp_path, model):
    folder = examples.furnish(tmp_path)
    for block in examples.blocks(page.read_text()):
        if block.file:
            (folder / block.file).write_text(block.text)
        elif block.kind in ("sh", "bash"):
            examples.run_shell(folder, block.text, **(model if block.kind == "bash" else {}))
        elif block.kind == "python":
            examples.run_python(folder, block.text, **model)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.parametrize("variables", [{}, {"MODEL": "openai/gpt-4o-mini"}], ids=["builtin", "model"])
def test_makefiles_of_a_page(page, variables, tmp_path, model):
    folder = examples.furnish(tmp_path)
    found = examples.blocks(page.read_text())
    for block in found:
        if block.file:
            (folder / block.file).write_text(block.text)
    for block in found:
        if block.kind == "make":
            examples.run_make(folder, block.text, **model, **variables)


ALL = [ROOT / "README.md", *PAGES]
RUNS = [{}, {"MODEL": "openai/gpt-4o-mini"}]


@pytest.mark.slow
@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
@pytest.mark.parametrize("variables", RUNS, ids=["builtin", "model"])
def test_makefiles_of_a_page_fail_with_each_of_their_steps(page, variables, tmp_path, model):
    folder = examples.furnish(tmp_path / "page")
    found = examples.blocks(page.read_text())
    for block in found:
        if block.file:
            (folder / block.file).write_text(block.text)
    for block in found:
        if block.kind == "make":
            assert examples.run_failing_make(folder, block.text, **model, **variables) >= 4
            examples.run_make(folder, block.text, **model, **variables)


@pytest.mark.slow
@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_pipes_of_a_page_fail_with_each_of_their_commands(page, tmp_path, model):
    """With the option that the page tells of, which a shell does not set by itself."""
    folder, text = examples.furnish(tmp_path / "page"), page.read_text()
    blocks = [one for one in examples.blocks(text) if one.kind in ("sh", "bash") and not one.text.startswith("make ")]
    assert "`set -o pipefail`" in text or not any(" | " in block.text for block in blocks)
    for block in examples.blocks(text):
        if block.file:
            (folder / block.file).write_text(block.text)
        elif block in blocks and " | " in block.text:
            names = examples.commands(block.text)
            # Where commands that do nothing will do, the shell is tried with these: a page costs seconds, not a minute.
            is_hollow = examples.shell(folder, block.text, examples.hollow(folder, names)).returncode == 0
            more = model if block.kind == "bash" else {}
            for name in names:
                env = examples.hollow(folder, names, name) if is_hollow else examples.failing(folder, name, **more)
                done = examples.shell(folder, block.text, env)
                assert done.returncode != 0, (name, block.text)
            examples.shell(folder, block.text, examples.environment(**more))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "call"), [("st-parse", 1), ("st-parse", 2), ("st-facets", 1), ("st-facets", 2), ("st-score", 1)])  # fmt: skip
def test_the_demonstration_fails_with_each_of_its_steps(name, call, tmp_path):
    folder = examples.furnish(tmp_path / "page")
    line = ["sh", "fixtures/demo.sh", "fixtures/paper/paper.pdf"]
    done = subprocess.run(line, cwd=folder, env=examples.failing(folder, name, call=call), capture_output=True)
    assert done.returncode != 0


def test_the_imported_ratings_give_the_published_scores(tmp_path):
    """The facet score of each summary of the fixture is the one that stands in it."""
    from scholartools.tasks import score

    folder = examples.furnish(tmp_path)
    importer = next(
        block for block in examples.blocks((ROOT / "docs/facets.md").read_text()) if block.file == "scholarsum.py"
    )
    (folder / "scholarsum.py").write_text(importer.text)
    examples.run_shell(folder, "python3 scholarsum.py < fixtures/scholarsum.jsonl > records.jsonl")
    cases = [json.loads(line) for line in (folder / "fixtures/scholarsum.jsonl").open()]
    records = [json.loads(line) for line in (folder / "records.jsonl").open()]
    assert len(records) == len(cases) == 4
    for case, record in zip(cases, records, strict=True):
        scores = {entry["system"]: entry["values"] for entry in score.score(score_input(record), ["facets"])["scores"]}
        assert set(scores) == {"gpt35", "llama2_70b", "bartlarge"}
        for system, values in scores.items():
            assert values["overall.score"] == pytest.approx(case[f"{system}_human"])


PUBLISHED = "fixtures/published"


@pytest.fixture
def published(tmp_path):
    """The records that each reader of the page on published data makes of its files, by the reader's name."""
    folder = examples.furnish(tmp_path)
    for block in examples.blocks((ROOT / "docs/published.md").read_text()):
        if block.file:
            assert len(block.text.splitlines()) <= 30
            (folder / block.file).write_text(block.text)

    def read(name, *files):
        done = examples.shell(folder, " ".join(["python3", name, *files]), examples.environment())
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    return folder, read


def test_the_readers_of_published_equations_keep_the_right_one(published):
    folder, read = published
    name = f"{PUBLISHED}/aaar/Equation_Inference/equation.json"
    rows = json.loads((folder / name).read_text())
    status, records = read("equations.py", name)
    assert status == 0 and len(records) == len(rows) == 2
    for row, record in zip(rows, records, strict=True):
        shown = f"({row['answer']}). `{next(one['latex'] for one in record['options'] if one['correct'])}`"
        assert shown in row["options"] and [one["latex"] for one in record["options"]] == row["options_list"]
    for wrong in ({"answer": "E"}, {"options_list": rows[0]["options_list"][:3]}):
        (folder / "wrong.json").write_text(json.dumps([rows[0] | wrong]))
        assert read("equations.py", "wrong.json")[0] != 0


def test_the_readers_of_published_experiments_and_weaknesses_keep_pairs_and_reviewers(published):
    folder, read = published
    for path in sorted((folder / PUBLISHED).glob("aaar/Experiment_Design/*/data_text.json")):
        row = json.loads(path.read_text())
        status, [record] = read("experiments.py", str(path))
        pairs = zip(*row["output"].values(), strict=True)
        found = zip(record["experiments"], record["explanations"], strict=True)
        for (experiment, reason), (planned, explained) in zip(pairs, found, strict=True):
            assert planned["id"] == explained["id"]
            assert experiment.endswith(planned["text"]) and reason.endswith(explained["text"])
            assert not planned["text"][0].isdigit()
    for path in sorted((folder / PUBLISHED).glob("aaar/Paper_Weakness/*/*/data_text.json")):
        row = json.loads(path.read_text())
        status, [record] = read("weaknesses.py", str(path))
        by_reviewer = {}
        for item in record["weaknesses"]:
            by_reviewer.setdefault(item["review"], []).append(item["text"])
        assert list(by_reviewer.values()) == row["output"]


def test_the_reader_of_published_review_critiques_keeps_segments_and_verdicts(published):
    folder, read = published
    name = f"{PUBLISHED}/review-critique.jsonl"
    rows = [json.loads(line) for line in (folder / name).open()]
    status, records = read("critique.py", name)
    assert status == 0 and len(records) == len(rows) == 2
    for row, record in zip(rows, records, strict=True):
        assert [review["id"] for review in record["reviews"]] == ["model_a", "model_b"]
        for review in record["reviews"]:
            cut = [review["text"][one["start"] : one["end"]] for one in review["segments"]]
            assert cut == [one["segment_text"] for one in row[review["id"]]["review"]]
            verdicts = ["No" if one["deficient"] else "Yes" for one in review["segments"]]
            assert verdicts == [one["reliability"] for one in row[review["id"]]["review"]]
    segment = rows[0]["model_a"]["review"][0]
    odd = [
        segment | {"segment_text": float("nan")},
        segment | {"reliability": float("nan")},
        segment | {"reliability": "No "},
    ]
    (folder / "odd.jsonl").write_text(json.dumps(rows[0] | {"review#1": {"review": odd}}))
    status, [record] = read("critique.py", "odd.jsonl")
    assert [one["deficient"] for one in record["reviews"][-1]["segments"]] == [None, True]
    (folder / "bare.jsonl").write_text('{"title": "None", "body_text": "None."}\n')
    assert read("critique.py", "bare.jsonl")[0] != 0


def test_the_reader_of_bagels_takes_the_limitations_and_not_the_checklist(published):
    folder, read = published
    path = folder / PUBLISHED / "bagels/ACL_23_with_limitation/1.json"
    row = json.loads(path.read_text())
    status, [record] = read("bagels.py", str(path))
    asked = [heading for heading in row if "?" in heading]
    headings = [section["heading"] for section in record["sections"]]
    assert len(asked) == 1 and headings == [name for name in list(row)[3:] if name not in asked]
    assert record["gold"]["limitations"] == [row["Limitations"]]
    (folder / "none.json").write_text(json.dumps({key: text for key, text in row.items() if key != "Limitations"}))
    assert read("bagels.py", "none.json") == (0, [])


def test_the_reader_of_claimcheck_keeps_weaknesses_and_their_targets(published):
    folder, read = published
    name = f"{PUBLISHED}/claimcheck/main.json"
    rows = json.loads((folder / name).read_text())
    status, records = read("claimcheck.py", name)
    assert status == 0 and [record["id"] for record in records] == list(rows)
    for row, record in zip(rows.values(), records, strict=True):
        texts = {"s1": record["sections"][0]["text"], "review:r1": record["reviews"][0]["text"]}
        marks = row["response"]["Weakness associated with claims"]
        assert [one["text"] for one in record["weaknesses"]] == [mark["Weakness span"] for mark in marks]
        for mark, weakness in zip(marks, record["weaknesses"], strict=True):
            items = weakness["targets"][0]["items"]
            assert [item["text"] for item in items] == [text.split(": ", 1)[1] for text in mark["Target claims"]]
            assert [item["custom"] for item in items] == [
                text not in row["meta"]["claims"] for text in mark["Target claims"]
            ]
            for item in [weakness, *items, *record["claims"]]:
                [span] = item["spans"]
                assert texts[span["in"]][span["start"] : span["end"]] == item["text"]
    first = next(iter(rows.values()))
    first["response"]["Weakness associated with claims"][0]["Weakness span"] = "It says nothing of the kind."
    (folder / "moved.json").write_text(json.dumps({"moved": first}))
    status, [record] = read("claimcheck.py", "moved.json")
    assert [one["id"] for one in record["weaknesses"]] == ["w2", "w3"]


def score_input(record):
    """Ratings alone: no facets are needed to score them."""
    return {key: record[key] for key in ("id", "judgements")}
