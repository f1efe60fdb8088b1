"""People's experiments, the planned ones that a paper lacks, and explanations: from the record to the sheet and back."""

from __future__ import annotations

import json

import pytest
from support.annotators import FILLERS, PAPERS, batch_of, fill_csv, items_of, key_of
from support.run import jsonl, st

from scholartools.tasks.shared.items import Item, unordered_mark

SECTIONS = [
    {"id": "s1", "heading": "Introduction", "level": 1, "role": "introduction", "text": "Bees hum."},
    {"id": "s2", "heading": "Experiments", "level": 1, "role": "experiment", "text": ""},
    {"id": "s3", "heading": "Flight", "level": 2, "role": "other", "text": "We let bees fly, and rest."},
    {"id": "s4", "heading": "Wings", "level": 2, "role": "other", "text": "Their wings are glass."},
    {"id": "s5", "heading": "Conclusion", "level": 1, "role": "conclusion", "text": "Bees fly."},
]
PAPER = {"id": "p", "title": "Bees", "abstract": "On bees.", "sections": SECTIONS}
ESSAY = {"id": "essay", "title": "On bees", "sections": SECTIONS[:1]}
BOTH = {"reports": True, "experiment": "Fly.\nRest.", "explanation": "To see wings.\nTo see sleep."}


def apply(tmp_path, said, *papers):
    path = tmp_path / "papers.jsonl"
    path.write_bytes(jsonl(*papers))
    done = st(
        "st-annotate",
        "assign",
        "experiments",
        path,
        "--raters",
        "anna",
        "--per-item",
        "1",
        "--output",
        tmp_path / "batch",
    )
    answers = {(one["item"], 0): said[one["item"]] for one in key_of(tmp_path / "batch")}
    st("st-annotate", "export", tmp_path / "batch", "--to", "csv")
    assert st("st-annotate", "import", tmp_path / "batch", fill_csv(tmp_path / "batch", "anna", answers)).status == 0
    return done, st("st-annotate", "apply", tmp_path / "batch", path)


def test_a_line_is_an_experiment_with_its_reason_and_its_place(tmp_path):
    no = {"reports": False, "experiment": None, "explanation": None}
    given, applied = apply(tmp_path, {"p/s3": BOTH, "p/s4": no}, PAPER, ESSAY)
    assert given.status == 1 and "no section of the role experiment or result" in given.err
    paper, essay = applied.records
    assert applied.status == 0 and "experiments" not in essay
    span = {"in": "s3", "start": 0, "end": len(SECTIONS[2]["text"])}
    assert paper["experiments"] == [
        {"id": "s3-1", "text": "Fly.", "spans": [span]},
        {"id": "s3-2", "text": "Rest.", "spans": [span]},
    ]
    assert paper["explanations"] == [{"id": "s3-1", "text": "To see wings."}, {"id": "s3-2", "text": "To see sleep."}]


@pytest.mark.parametrize(
    "said",
    [
        BOTH | {"explanation": "To see wings."},
        BOTH | {"reports": False},
        {"reports": True, "experiment": None, "explanation": None},
    ],
)
def test_experiments_that_do_not_fit_their_reasons_are_refused(said, tmp_path):
    """Reasons are of experiments by their order: one too few would move all that follow."""
    _, applied = apply(tmp_path, {"p/s3": said, "p/s4": BOTH}, PAPER)
    assert applied.status == 3 and 'section "s3" has' in applied.err
    assert "experiments" not in applied.records[0]


def test_only_what_nothing_covers_is_novel(papers):
    """An experiment that is covered, one without a judgement, and judgements of other texts."""
    record = json.loads(papers.read_bytes().split(b"\n")[0])
    for verdict, count in ((False, 1), (True, 0), (None, 0)):
        record["judgements"]["entail"][0]["candidates"] = [{"id": "1", "entailed": verdict}]
        papers.write_bytes(jsonl(*[record, *PAPERS[1:]]))
        batch = batch_of(papers, "novel-experiments", name=f"batch-{verdict}")
        items = [one for one in items_of(batch).values() if one["paper"] == "p0"]
        assert len(items) == count and all(
            one["candidates"] == [{"id": "e1", "text": "Count bees 0."}] for one in items
        )
    record["generated"]["experiments"][0]["items"][0]["text"] = "Count them twice."
    papers.write_bytes(jsonl(record))
    refused = st(
        "st-annotate", "assign", "novel-experiments", papers, "--raters", "anna,ben", "--output", papers.parent / "x"
    )
    assert "is about other texts than the record: run st-judge entail again" in refused.err


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_a_list_beside_an_item_is_shown_whole(count, papers):
    """A list was taken for the two sides of a comparison where nothing is to be chosen from it: sheets showed two of its
    texts, and JSON lines could not be written."""
    record = json.loads(papers.read_bytes().split(b"\n")[0])
    record["experiments"] = [{"id": f"e{n}", "text": f"Experiment {n} is made."} for n in range(count)]
    sides = ([Item(one["id"], one["text"]) for one in record["experiments"]], [Item("1", "Count them.")])
    record["judgements"]["entail"][0]["texts"] = unordered_mark(*sides)
    papers.write_bytes(jsonl(record))
    batch = batch_of(papers, "novel-experiments")
    said = {(one["item"], 0): {"necessity": "B"} for one in key_of(batch)}
    for form, fill in FILLERS.items():
        assert st("st-annotate", "export", batch, "--to", form).status == 0
        done = st("st-annotate", "import", batch, fill(batch, "anna", said))
        assert [one["answers"] for one in done.records] == [{"necessity": "B"}], done.err
        (batch / "answers.jsonl").unlink()
    sheets = [path for path in (batch / "raters" / "anna").iterdir() if path.suffix in (".csv", ".jsonl", ".json")]
    assert len(sheets) == 2
    for path in sheets:
        text = path.read_text(encoding="utf-8-sig")
        assert ",A,B," not in text and '"name": "A"' not in text, "A and B are answers"
        assert all(f"Experiment {n} is made." in text for n in range(count)), path
