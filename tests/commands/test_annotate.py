"""st-annotate from outside: batches, the files of raters in every format, and what comes back."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from support.annotators import (
    FILLERS,
    KINDS,
    OWN,
    PAPERS,
    RATED,
    answers_of,
    batch_of,
    fill_csv,
    fill_tasks,
    items_of,
    key_of,
    questions_of,
)  # fmt: skip
from support.run import jsonl, shell, st


@pytest.mark.parametrize("kind", KINDS)
def test_all_formats_bring_the_same_answers_back(papers, kind):
    batch = batch_of(papers, kind, "--repeat", ".2", "--seed", "3")
    said = {rater: answers_of(batch, rater, rater) for rater in ("anna", "ben", "eve")}
    found = {}
    for form, fill in FILLERS.items():
        (batch / "answers.jsonl").unlink(missing_ok=True)
        assert st("st-annotate", "export", batch, "--to", form).status == 0
        files = [fill(batch, rater, answers) for rater, answers in said.items()]
        done = st("st-annotate", "import", batch, *files)
        assert done.status == 0, done.err
        for record in done.records:
            wanted = said[record["rater"]][record["item"], record["copy"]]
            assert record["state"] == ("skipped" if wanted == "skip" else "done")
            assert wanted == "skip" or record["answers"] == wanted
        found[form] = [{**one, "source": None, "seconds": None} for one in done.records]
        again = st("st-annotate", "import", batch, *reversed(files))
        assert again.out == done.out == (batch / "answers.jsonl").read_bytes()
    for path in (batch / "raters").rglob("*"):
        assert path.is_dir() or not re.search(rb"secret-system|revised", path.read_bytes()), path
    assert found["csv"] == found["xlsx"] == found["jsonl"] == found["label-studio"] and len(found["csv"]) == len(
        key_of(batch)
    )
    applied = st("st-annotate", "apply", batch, papers)
    assert (applied.status == 2) == (kind in RATED), applied.err
    rows = st("st-annotate", "ratings", batch).records
    assert bool(rows) == (kind != "edits") and not [row for row in rows if "#" in row["item"]]


def test_repeats_and_known_answers_stand_apart_and_cannot_be_told(papers):
    known = {"item": "p0/w1", "answers": {"objectivity": 2, "agreement": 4, "types": ["novelty"], "comment": None}}
    gold = papers.parent / "gold.jsonl"
    gold.write_text(json.dumps(known) + "\n")
    batch = batch_of(papers, "labels", "--repeat", ".5", "--gold", gold, "--gold-share", ".2", "--design", "full")
    st("st-annotate", "export", batch, "--to", "csv")
    st("st-annotate", "export", batch, "--to", "jsonl")
    for path in (batch / "raters").rglob("*"):
        text = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
        for told in ("secret-system", "revised", "gold", "p0", "/w1", "repeat", "copy"):
            assert told not in text.lower(), (path, told)
    key = key_of(batch)
    for rater in ("anna", "ben", "eve"):
        own = [one for one in key if one["rater"] == rater]
        assert Counter(one["control"] for one in own) == {None: 7, "repeat": 4, "gold": 1}
        assert len({one["row"] for one in own}) == len(own)
        first = {one["item"]: one["place"] for one in own if one["copy"] == 0}
        assert all(one["place"] - first[one["item"]] >= 4 for one in own if one["copy"])
    right = {(one["item"], one["copy"]): known["answers"] for one in key}
    st("st-annotate", "import", batch, fill_csv(batch, "anna", right))
    wrong = {name: {**known["answers"], "agreement": 1} for name in right}
    wrong |= {name: {**said, "types": ["other"]} for name, said in wrong.items() if name[1]}
    st("st-annotate", "import", batch, fill_csv(batch, "ben", wrong))
    anna, ben, eve, *labels, items = st("st-annotate", "status", batch).records
    assert items == {"stat": "items", "n": 7, "enough": 0, "by_votes": {"2": 7}}
    assert (anna["gold"]["right"], anna["gold"]["n"], anna["left"]) == (3, 3, 0)
    assert (anna["repeats"], ben["repeats"]) == ({"n": 12, "same": 12}, {"n": 12, "same": 8})
    assert (ben["gold"]["right"], eve["gold"]["n"], eve["left"]) == (2, 0, 12)
    agreement = next(one for one in labels if one["label"] == "agreement")
    assert agreement["n_items"] == 7 and agreement["value"] is not None
    assert agreement["low"] is None and "an interval needs 14" in agreement["reason"]
    assert agreement["reason"] in st("st-annotate", "status", batch, "--table").out.decode()
    assert all(
        "known" not in row["item"] and row["item"] != "p0/w1" for row in st("st-annotate", "ratings", batch).records
    )
    only = st("st-annotate", "ratings", batch, "--controls", "only").records
    assert {row["item"] for row in only} >= {"p0/w1"} and any(row["item"].endswith("#2") for row in only)


def test_two_hundred_items_for_three_raters_are_balanced(tmp_path):
    papers = tmp_path / "papers.jsonl"
    record = {**PAPERS[0], "weaknesses": [{"id": f"w{n}", "review": "r1", "text": f"Fault {n}."} for n in range(200)]}
    papers.write_bytes(jsonl(record))
    batch = batch_of(papers, "labels")
    rows = key_of(batch)
    assert sorted(Counter(one["rater"] for one in rows).values()) == [133, 133, 134]
    raters = {}
    for one in rows:
        raters.setdefault(one["item"], []).append(one["rater"])
    shared = Counter(pair for names in raters.values() for pair in combinations(sorted(names), 2))
    assert len(raters) == 200 and set(shared.values()) <= {66, 67} and len(shared) == 3
    papers.write_bytes(jsonl({**record, "weaknesses": record["weaknesses"][::-1]}))
    other = batch_of(papers, "labels", name="other")
    assert (other / "key.jsonl").read_bytes() == (batch / "key.jsonl").read_bytes()
    places = [one["item"] for one in rows if one["rater"] == "anna"]
    assert places != sorted(places)


@pytest.mark.parametrize("divider", [",", ";", "\t"])
def test_headings_may_have_the_marks_that_divide_cells(papers, divider):
    """As spreadsheets of other countries save a sheet; the values of a choice stand in its heading."""
    (papers.parent / "own.yaml").write_text(
        OWN.replace("[left, right, none of them]", "[left, right, a, b, c, d, e, f, g, h, i, j]")
    )
    batch = batch_of(papers, "own.yaml")
    st("st-annotate", "export", batch, "--to", "csv")
    said = answers_of(batch, "anna", 6)
    done = st("st-annotate", "import", batch, fill_csv(batch, "anna", said, divider=divider))
    assert done.status == 0, done.err
    assert all(said[one["item"], 0] in ("skip", one["answers"]) for one in done.records) and len(done.records) == len(
        said
    )


@pytest.mark.parametrize("together", ["group", "paper"])
def test_what_is_kept_together_has_one_set_of_raters_and_stands_together(papers, together):
    batch = batch_of(papers, "labels", "--keep-together", together, "--per-item", "1", raters="anna,ben")
    rows = key_of(batch)
    for rater in ("anna", "ben"):
        own = [one["paper"] for one in sorted(rows, key=lambda one: one["place"]) if one["rater"] == rater]
        runs = [name for place, name in enumerate(own) if place == 0 or own[place - 1] != name]
        assert len(runs) == len(set(runs)) == 2


def test_a_second_round_takes_other_items_or_the_same(papers):
    pilot = batch_of(papers, "labels", "--sample", "3", name="pilot")
    main = batch_of(papers, "labels", "--after", pilot, name="main")
    again = batch_of(papers, "labels", "--after", pilot, "--same", "--round", "again", name="again")
    used = set(items_of(pilot))
    assert len(used) == 3 and len(items_of(main)) == 5 and not used & set(items_of(main))
    assert set(items_of(again)) == used
    assert not {one["row"] for one in key_of(again)} & {one["row"] for one in key_of(pilot)}


BAD = {
    "9": "off-scale", "0": "off-scale", "3.5": "off-scale", "four": "unknown-value", "NA": "blank", "  ": "blank", "4": None,
    "4,0": None,
}  # fmt: skip


@pytest.mark.parametrize(("cell", "reason"), BAD.items())
def test_a_cell_that_no_question_takes_costs_that_cell(papers, cell, reason):
    batch = batch_of(papers, "labels", raters="anna,ben")
    st("st-annotate", "export", batch, "--to", "csv")
    said = answers_of(batch, "anna", 1)
    path = fill_csv(batch, "anna", {name: one for name, one in said.items() if one != "skip"})
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    place = next(number for number, row in enumerate(rows) if row["objectivity (1 to 5)"])
    rows[place]["objectivity (1 to 5)"] = cell
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    done = st("st-annotate", "import", batch, path)
    record = next(one for one in done.records if one["row"] == rows[place]["row"])
    assert record["reasons"].get("objectivity") == reason
    assert record["answers"]["objectivity"] == (None if reason else 4) and record["answers"]["types"]
    assert done.status == int(reason not in (None, "blank"))
    assert len(done.records) == sum(one != "skip" for one in said.values())
    assert record["state"] == ("partial" if reason else "done")
    assert ("objectivity" in done.err) == bool(done.status)


def test_offsets_in_code_points_and_in_utf16_units(papers):
    batch = batch_of(papers, "weaknesses", raters="anna,ben", name="batch")
    st("st-annotate", "export", batch, "--to", "jsonl")
    text = PAPERS[0]["reviews"][0]["text"]
    start = text.index("claim")
    span = {"in": "review:r1", "start": start, "end": start + 5, "text": "claim", "label": "weakness"}
    said = {(row["item"], 0): {"weaknesses": [span]} for row in key_of(batch) if row["item"].startswith("p0")}
    points = st("st-annotate", "import", batch, fill_tasks(batch, "anna", said)).records
    units = st("st-annotate", "import", batch, fill_tasks(batch, "ben", said, units=True)).records
    kept = {**span, "groundedness": None}
    assert [one["answers"]["weaknesses"] for one in units] == [[kept], [kept]] and len(points) == 1
    shifted = {name: {"weaknesses": [{**span, "start": start + 2, "end": start + 7}]} for name in said}
    (batch / "answers.jsonl").unlink()
    moved = st("st-annotate", "import", batch, fill_tasks(batch, "anna", shifted))
    assert moved.records[0]["answers"]["weaknesses"] == [kept] and "1 passage found by their words" in moved.err


def test_passages_that_stand_twice_or_nowhere_are_no_spans(papers):
    batch = batch_of(papers, "facet-spans", "--per-item", "1", raters="anna")
    st("st-annotate", "export", batch, "--to", "jsonl")
    for text, told in (("bees", "times"), ("wasps are large", "is not in the text")):
        span = {"in": "abstract", "start": 0, "end": 4, "text": text, "label": "method"}
        said = {(row["item"], 0): {"facets": [span]} for row in key_of(batch)}
        done = st("st-annotate", "import", batch, fill_tasks(batch, "anna", said, offsets=False))
        assert done.status == 1 and told in done.err
        assert {reason for one in done.records for reason in one["reasons"].values()} == {"moved-span"}
        (batch / "answers.jsonl").unlink(missing_ok=True)


def export_again(batch, rater):
    (batch / "raters" / rater / f"{rater}.csv").unlink()
    assert st("st-annotate", "export", batch, "--to", "csv", "--rater", rater).status == 0


def test_a_second_export_of_any_format_is_the_same(papers):
    batch = batch_of(papers, "labels")
    for form in ("csv", "xlsx", "jsonl", "label-studio"):
        first = st("st-annotate", "export", batch, "--to", form)
        before = {path: path.read_bytes() for path in batch.rglob("*") if path.is_file()}
        assert first.status == 0 and st("st-annotate", "export", batch, "--to", form).out == first.out
        assert {path: path.read_bytes() for path in batch.rglob("*") if path.is_file()} == before


def test_one_rater_two_answers(papers):
    batch = batch_of(papers, "limits-check", raters="anna,ben", name="batch")
    st("st-annotate", "export", batch, "--to", "csv")
    rows = [(row["item"], 0) for row in key_of(batch) if row["rater"] == "anna"]
    first = {name: {"verdict": None, "mode": "explicit"} for name in rows}
    assert [one["state"] for one in st("st-annotate", "import", batch, fill_csv(batch, "anna", first)).records] == [
        "partial"
    ] * 4
    whole = {name: {"verdict": "limitation", "mode": "explicit"} for name in rows}
    refused = st("st-annotate", "export", batch, "--to", "csv")
    assert refused.status == 2 and "not overwritten" in refused.err, "a filled sheet stays"
    export_again(batch, "anna")
    done = st("st-annotate", "import", batch, fill_csv(batch, "anna", whole))
    assert [one["state"] for one in done.records] == ["done"] * 4
    other = {name: {"verdict": "not-a-limitation", "mode": "explicit"} for name in rows}
    export_again(batch, "anna")
    refused = st("st-annotate", "import", batch, fill_csv(batch, "anna", other))
    assert refused.status == 3 and "another answer" in refused.err
    assert (batch / "answers.jsonl").read_bytes() == done.out


def test_files_of_others_are_refused(papers):
    batch = batch_of(papers, "labels", raters="anna,ben", name="batch")
    other = batch_of(papers, "labels", "--seed", "9", raters="anna,ben", name="other")
    for folder in (batch, other):
        for form in ("csv", "jsonl"):
            st("st-annotate", "export", folder, "--to", form)
    for path in (other / "raters" / "anna" / "anna.csv", other / "raters" / "anna" / "anna.jsonl"):
        refused = st("st-annotate", "import", batch, path)
        assert refused.status == 2 and "of another" in refused.err
    strange = papers.parent / "x" / "Anna.csv"
    strange.parent.mkdir()
    strange.write_bytes((batch / "raters" / "anna" / "anna.csv").read_bytes())
    refused = st("st-annotate", "import", batch, strange)
    assert refused.status == 2 and 'is it "anna"?' in refused.err
    assert st("st-annotate", "import", batch, "--rater", "anna", strange).status == 0


def test_a_sheet_with_another_text_gives_no_answers(papers):
    batch = batch_of(papers, "labels", "--per-item", "1", raters="anna")
    st("st-annotate", "export", batch, "--to", "csv")
    path = fill_csv(batch, "anna", answers_of(batch, "anna", 4))
    path.write_text(
        path.read_text(encoding="utf-8-sig").replace("The count of bees 0 is wrong.,", "Nothing is wrong.,")
    )
    done = st("st-annotate", "import", batch, path)
    stale = [one for one in done.records if "stale-text" in one["reasons"].values()]
    assert done.status == 1 and [one["item"] for one in stale] == ["p0/w1"]
    assert set(stale[0]["answers"].values()) == {None}


def test_labels_in_records_are_those_that_people_gave(papers):
    batch = batch_of(papers, "labels", raters="anna,ben")
    st("st-annotate", "export", batch, "--to", "csv")
    said = {rater: answers_of(batch, rater, rater) for rater in ("anna", "ben")}
    st("st-annotate", "import", batch, *(fill_csv(batch, rater, one) for rater, one in said.items()))
    done = st("st-annotate", "apply", batch, papers)
    assert done.status == 0
    for record in done.records:
        for weakness in record["weaknesses"]:
            entries = {entry["system"]: entry for entry in weakness.get("labels") or ()}
            for rater, answers in said.items():
                given = answers[f"{record['id']}/{weakness['id']}", 0]
                assert (rater in entries) == (given != "skip")
                for name in ("objectivity", "agreement", "types") if given != "skip" else ():
                    assert entries[rater][name] == given[name]
        assert record["provenance"][-1]["command"] == "st-annotate"
    changed = [{**PAPERS[0], "weaknesses": [{**PAPERS[0]["weaknesses"][0], "text": "Another text."}]}]
    refused = st("st-annotate", "apply", batch, input=jsonl(*changed))
    assert refused.status in (1, 3) and "another text" in refused.err


VARIED = [
    ["--per-item", "1"], ["--design", "full"], ["--design", "overlap"], ["--design", "overlap", "--overlap", ".5"],
    ["--keep-together", "paper"], ["--keep-together", "group"], ["--sample", "3"], ["--sample", "3", "--stratify"],
    ["--repeat", ".3"], ["--round", "pilot"], ["--seed", "4"], ["--raters", "eve,ben,anna"], ["--raters", "anna,ben"],
    ["--gold", "GOLD"], ["--gold", "GOLD", "--gold-share", ".5"], ["--after", "PILOT"], ["--after", "PILOT", "--same"],
]  # fmt: skip


def test_no_two_batches_have_one_signature(papers):
    """Whatever differs in what raters see, or in who sees it, is in the signature."""
    gold = papers.parent / "gold.jsonl"
    gold.write_text(json.dumps({"item": "p0/l1", "answers": {"verdict": "limitation"}}) + "\n")
    pilot = batch_of(papers, "limits-check", "--sample", "2", name="pilot")
    found: dict[str, bytes] = {}
    for number, options in enumerate([[], *VARIED]):
        named = [{"GOLD": gold, "PILOT": pilot}.get(one, one) for one in options]
        raters = {} if "--raters" not in named else {"raters": named.pop(named.index("--raters") + 1)}
        batch = batch_of(
            papers, "limits-check", *(one for one in named if one != "--raters"), **raters, name=f"b{number}"
        )
        about = json.loads((batch / "batch.json").read_text())
        assert (
            found.setdefault(about["signature"], (batch / "key.jsonl").read_bytes())
            == (batch / "key.jsonl").read_bytes()
        )
        again = batch_of(
            papers, "limits-check", *(one for one in named if one != "--raters"), **raters, name=f"again{number}"
        )
        assert (again / "key.jsonl").read_bytes() == (batch / "key.jsonl").read_bytes()
    assert len(found) == len(VARIED) + 1


def test_plans_that_cannot_be(papers):
    line = ["st-annotate", "assign", "labels", papers, "--output", papers.parent / "b"]
    for options, told in (
        (["--raters", "anna", "--per-item", "2"], "names only 1"),
        (["--raters", "anna,Anna"], "twice"),
        (["--raters", "anna,gold"], "another author"),
        (["--raters", "a/b,c"], "cannot be the name of a folder"),
        (["--raters", "anna,ben", "--sample", "99"], "there are 8 items"),
    ):
        refused = st(*line, *options)
        assert refused.status == 2 and told in refused.err, refused.err
        assert not (papers.parent / "b").exists()
    assert (
        st("st-annotate", "assign", "nothing", papers, "--raters", "a,b", "--output", papers.parent / "b").status == 2
    )
    assert st(*line, "--raters", "a,b", input="").status == 0
    refused = st(*line, "--raters", "a,b")
    assert refused.status == 2 and "no file of it is overwritten" in refused.err


def test_half_a_surrogate_pair_is_refused_before_it_is_given_out(tmp_path):
    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"id": "p", "abstract": "half \\ud83d of it."}\n{"id": "q", "abstract": "Whole."}\n')
    done = st("st-annotate", "assign", "facet-spans", papers, "--raters", "a,b", "--output", tmp_path / "b")
    assert done.status == 1 and "surrogate" in done.err
    assert list(items_of(tmp_path / "b")) == ["q/abstract"]


def test_nothing_to_give_out_is_status_3(tmp_path):
    done = st(
        "st-annotate", "assign", "facet-spans", "--raters", "a,b", "--output", tmp_path / "b", input='{"id": "p"}\n'
    )
    assert done.status == 3 and not (tmp_path / "b").exists()


def test_alpha_of_simulated_raters_is_that_of_the_package(papers):
    import krippendorff
    import numpy as np

    record = {**PAPERS[0], "weaknesses": [{"id": f"w{n}", "review": "r1", "text": f"Fault {n}."} for n in range(60)]}
    papers.write_bytes(jsonl(record))
    batch = batch_of(papers, "labels")
    st("st-annotate", "export", batch, "--to", "csv")
    draw, truth = random.Random(5), {f"p0/w{n}": random.Random(n).randint(1, 5) for n in range(60)}
    table = {}
    for rater in ("anna", "ben", "eve"):
        rows = [(row["item"], 0) for row in key_of(batch) if row["rater"] == rater]
        value = {name: truth[name[0]] if draw.random() < 0.7 else draw.randint(1, 5) for name in rows}
        said = {
            name: {"objectivity": one, "agreement": 3, "types": ["novelty"], "comment": None}
            for name, one in value.items()
        }
        table[rater] = [value.get((item, 0), np.nan) for item in sorted(truth)]
        st("st-annotate", "import", batch, fill_csv(batch, rater, said))
    wanted = krippendorff.alpha(np.array(list(table.values())), level_of_measurement="ordinal")
    found = next(one for one in st("st-annotate", "status", batch).records if one.get("label") == "objectivity")
    assert found["value"] == pytest.approx(wanted, abs=1e-12) and found["n_paired"] == 60
    rows = st("st-annotate", "ratings", batch).out
    line = ["st-agree", "alpha", "--level", "ordinal", "--ci", "--where", "label=objectivity"]
    agreed = st(*line, input=rows).records[0]
    assert agreed["value"] == pytest.approx(wanted, abs=1e-12)
    assert (agreed["interval"]["low"], agreed["interval"]["high"]) == (found["low"], found["high"])


def test_disputes_are_decided_and_settled(papers):
    """Three raters, of whom one differs where it is drawn; the judge decides these and nothing else."""
    batch = batch_of(papers, "labels", "--design", "full", "--repeat", ".3")
    st("st-annotate", "export", batch, "--to", "csv")
    draw, names = random.Random(8), sorted(items_of(batch))
    truth = {
        name: {"objectivity": draw.randint(1, 5), "agreement": 3, "types": ["novelty"], "comment": name}
        for name in names
    }
    wrong, split = set(names[:3]), set(names[2:3])
    for number, rater in enumerate(("anna", "ben", "eve")):
        said = {name: dict(one) for name, one in truth.items()}
        for name in wrong if rater == "eve" else split if rater == "ben" else ():
            said[name]["objectivity"] = (truth[name]["objectivity"] + number) % 5 + 1
        rows = {(one["item"], one["copy"]): said[one["item"]] for one in key_of(batch)}
        assert st("st-annotate", "import", batch, fill_csv(batch, rater, rows)).status == 0
    agreed = papers.parent / "agreed"
    none = st("st-annotate", "adjudicate", batch, "--judge", "dora", "--when", "range>9", "--output", agreed)
    assert none.status == 0 and "no item meets --when range>9" in none.err and items_of(agreed) == {}
    assert st("st-annotate", "export", agreed, "--to", "csv").status == 0
    sheet = agreed / "raters" / "dora" / "dora.csv"
    read = st("st-annotate", "import", agreed, sheet)
    assert (read.status, read.out) == (0, b""), read.err
    undecided = st("st-annotate", "gold", batch, "--adjudicated", agreed)
    assert undecided.out == st("st-annotate", "gold", batch).out
    assert f"no decision on {len(wrong)} items on which raters differ" in undecided.err
    for when, wanted in (("any", wrong), ("no-majority", split)):
        folder = papers.parent / when
        line = ["st-annotate", "adjudicate", batch, "--judge", "dora", "--when", when, "--output", folder]
        assert st(*line, "--show-votes").status == 0 and set(items_of(folder)) == wanted
        st("st-annotate", "export", folder, "--to", "csv")
        sheet = (folder / "raters" / "dora" / "dora.csv").read_text(encoding="utf-8-sig")
        assert "What others said" in sheet and not re.search("anna|ben|eve", sheet)
    folder = papers.parent / "any"
    decided = {(name, 0): {**truth[name], "objectivity": 1} for name in wrong}
    assert st("st-annotate", "import", folder, fill_csv(folder, "dora", decided)).status == 0
    done = st("st-annotate", "gold", batch, "--adjudicated", folder)
    assert "no decision" not in done.err
    found = done.records
    assert {one["item"]: one["answers"]["objectivity"] for one in found} == {
        name: 1 if name in wrong else truth[name]["objectivity"] for name in names
    }
    assert {one["by"]["objectivity"] for one in found if one["item"] in wrong} == {"adjudicated"}
    plain = {one["item"]: one for one in st("st-annotate", "gold", batch).records}
    assert {plain[name]["reasons"].get("objectivity") for name in wrong} == {"disputed"}
    most = st("st-annotate", "gold", batch, "--majority").records
    assert {one["item"]: one["answers"]["objectivity"] for one in most if one["item"] not in split} == {
        name: truth[name]["objectivity"] for name in names if name not in split
    }
    path = papers.parent / "gold.jsonl"
    path.write_bytes(st("st-annotate", "gold", batch, "--adjudicated", folder).out)
    applied = st("st-annotate", "apply", batch, "--truth", path, papers)
    assert applied.status == 0, applied.err
    labels = {f"{one['id']}/{w['id']}": w["labels"] for one in applied.records for w in one["weaknesses"]}
    assert {name: [(one["system"], one["objectivity"]) for one in found] for name, found in labels.items()} == {
        name: [("gold", 1 if name in wrong else truth[name]["objectivity"])] for name in names
    }
    assert "disputes" not in st("st-annotate", "ratings", batch).out.decode()
    changed = [
        {**one, "weaknesses": [{**w, "text": w["text"] + " Really."} for w in one["weaknesses"]]} for one in PAPERS
    ]
    other = papers.parent / "other.jsonl"
    other.write_bytes(jsonl(*changed))
    line = [
        "st-annotate",
        "assign",
        "labels",
        other,
        "--raters",
        "a,b",
        "--gold",
        path,
        "--output",
        papers.parent / "o",
    ]
    refused = st(*line)
    assert refused.status == 2 and "another text" in refused.err, "a known answer is about the text that people saw"
    refused = st("st-annotate", "gold", batch, "--adjudicated", batch)
    assert refused.status == 2 and "does not decide on items of" in refused.err
    assert st("st-annotate", "adjudicate", batch, "--judge", "anna", "--output", papers.parent / "x").status == 2


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (("heading: Text", "heading: skip"), "another column"),
        (("heading: Text", 'heading: "rated (0 to 10)"'), "another column"),
        (("heading: Text", 'heading: "Text (2)"'), "another column"),
        (("{name: text, heading: Text, text: text}", "{name: a, heading: T, text: text}, {name: b, heading: T, text: text}"), "two parts"),
        (("name: many", "name: one"), "two questions"),
        (("type: yes_no", "type: yesno"), "one of scale"),
        (("low: 0, high: 10", "low: 10, high: 1"), "not below"),
        (("candidates: sides", ""), "needs"),
        (("values: [a, b, c]", "values: [a, A]"), "two of them are equal"),
        (("items: pairs", "itemz: pairs"), "no key"),
        (("step: 0.5", "size: 0.5"), "has no"),
        (("step: 0.5", "step: 20"), "a step of 20"),
        (("step: 0.5", "step: yes"), "must be a number"),
        (("low: 0", "low: none"), "must be a number"),
        (("high: 10", "high: null"), '"high" of "rated" must be a number'),
        (("low: 0, high: null", "low: null, high: 9"), '"low" of "n" must be a number'),
        (("values: [a, b, c]", "values: [2024-13-01, b]"), "no YAML"),
        (("step: 0.5", "levels: [bad, good]"), "must be keys with values"),
        (("step: 0.5", "levels: {11: good}"), 'the level "11"'),
        (("values: [a, b, c]", "values: abc"), "must be a list of texts"),
        (("values: [a, b, c]", "values: []"), "are empty"),
        (("values: [a, b, c], is_many: true", "is_many: true"), "are empty"),
        (("is_many: true", 'is_many: "no"'), "must be true or false"),
        (("is_many: true", "is_many: true, at_most: two"), "must be a whole number"),
        (("is_many: true", "is_many: true, at_least: 4"), "4 to 3 of 3"),
        (("is_many: true", "is_many: true, meanings: {d: odd}"), "is not one of a, b, c"),
        (("name: sure", "name: 5"), "must be a text"),
        (("questions:\n", "questions:\n  - sure\n"), "has none"),
    ],
)  # fmt: skip
def test_a_description_that_makes_no_sense_is_one_line(papers, changed, told):
    path = papers.parent / "own.yaml"
    path.write_text(OWN.replace(*changed))
    done = st("st-annotate", "assign", path, papers, "--raters", "a,b", "--output", papers.parent / "b")
    assert done.status == 2 and told in done.err and len(done.err.splitlines()) == 1, done.err


def test_a_part_named_as_a_question_shows_its_text(papers):
    path = papers.parent / "own.yaml"
    path.write_text(OWN.replace("heading: Text", "heading: rated"))
    batch = batch_of(papers, "own.yaml")
    st("st-annotate", "export", batch, "--to", "csv")
    done = st("st-annotate", "import", batch, fill_csv(batch, "anna", answers_of(batch, "anna", 1)))
    assert done.status == 0 and "stale-text" not in done.out.decode()


def test_records_that_cannot_be_given_out(tmp_path):
    (tmp_path / "own.yaml").write_text(OWN)
    record = {"text": "x", "sides": [{"id": "1", "text": "one"}]}
    lines = jsonl({"id": "p", "pairs": [{"id": 1, **record}]}, {"pairs": [{"id": 2, **record}]})
    done = st(
        "st-annotate", "assign", tmp_path / "own.yaml", "--raters", "a,b", "--output", tmp_path / "b", input=lines
    )
    assert done.status == 3 and "not two sides" in done.err and 'no "id"' in done.err


def test_imports_at_one_time_lose_no_answers(papers):
    batch = batch_of(papers, "labels", raters="anna,ben,eve,dora", name="batch")
    st("st-annotate", "export", batch, "--to", "csv")
    files = [fill_csv(batch, rater, answers_of(batch, rater, rater)) for rater in ("anna", "ben", "eve", "dora")]
    shell(" & ".join(f"st-annotate import {batch} {path} > /dev/null" for path in files) + " & wait")
    found = [json.loads(line) for line in (batch / "answers.jsonl").read_text().split("\n")[:-1]]
    assert len(found) == len(key_of(batch))


def test_judges_of_records_are_raters_beside_people(papers):
    """Rows of people as without records; of a system the claims that it chose, by name or text; "gold" is no rater."""
    batch = batch_of(papers, "targets", "--design", "full", raters="anna,ben")
    assert st("st-annotate", "export", batch, "--to", "jsonl").status == 0
    for rater in ("anna", "ben"):
        fill_tasks(batch, rater, answers_of(batch, rater, len(rater)))
    assert st("st-annotate", "import", batch, *batch.glob("raters/*/*.jsonl")).status == 0
    custom = {"claim": None, "custom": True, "text": "They fly", "spans": [{"in": "abstract", "start": 0, "end": 8}]}
    chosen = [{"claim": "c2", "custom": False, "text": "claim 2 of 0", "spans": custom["spans"]}, custom]
    entries = [
        {"system": "m", "by": "m", "items": chosen}, {"system": "gold", "by": "anna", "items": chosen[:1]},
        {"system": "silent", "by": "m", "items": None},
    ]  # fmt: skip
    record = {**PAPERS[0], "weaknesses": [{**PAPERS[0]["weaknesses"][0], "targets": entries}]}
    for options, mine in (([], ["c2", "They fly"]), (["--level", "spans"], ["claim 2 of 0", "They fly"])):
        alone = st("st-annotate", "ratings", batch, *options).records
        beside = st("st-annotate", "ratings", batch, "-", *options, input=jsonl(record)).records
        assert alone and beside[: len(alone)] == alone and {one["rater"] for one in alone} == {"anna", "ben"}
        said = {one["rater"]: one for one in beside[len(alone) :]}
        assert said.keys() == {"m", "silent"} and said["m"]["value"] == mine and said["m"]["item"] == "p0/w1"
        assert said["silent"]["value"] is None and said["silent"]["reason"] == "no-verdict"
    other = batch_of(papers, "weaknesses", "--design", "full", raters="anna,ben", name="other")
    refused = st("st-annotate", "ratings", other, "-", input=jsonl(record))
    assert refused.status == 2 and "have judges" in refused.err


def test_a_judge_of_a_known_item_is_apart_as_people_are(papers):
    """Judges' rows on known items stood among the others, and changed alpha of two judges."""
    gold = papers.parent / "gold.jsonl"
    said = {"objectivity": 2, "agreement": 4, "types": ["novelty"]}
    gold.write_bytes(jsonl({"item": "p0/w1", "answers": said}))
    batch = batch_of(papers, "labels", "--gold", gold, "--gold-share", ".2", "--design", "full")
    judged = [{**one, "labels": [{"system": "m", "by": "m", **said}]} for one in PAPERS[0]["weaknesses"]]
    record = jsonl({**PAPERS[0], "weaknesses": judged})
    for controls, items in (("without", {"p0/w2"}), ("only", {"p0/w1"}), ("with", {"p0/w1", "p0/w2"})):
        done = st("st-annotate", "ratings", batch, "-", "--controls", controls, input=record)
        assert {one["item"] for one in done.records} == items, controls


def test_no_item_has_all_answers_while_a_question_is_left_open(papers):
    """A batch in which nobody had answered one of the questions had all its votes."""
    batch = batch_of(papers, "labels", "--design", "full", raters="anna,ben", name="open")
    said = {"objectivity": 2, "agreement": 4, "types": ["novelty"], "comment": None}
    st("st-annotate", "export", batch, "--to", "csv")
    for left_open, enough in ((True, 0), (False, 8)):
        answers = {(one["item"], 0): {**said, "agreement": None} if left_open else said for one in key_of(batch)}
        st("st-annotate", "import", batch, *(fill_csv(batch, rater, answers) for rater in ("anna", "ben")))
        assert st("st-annotate", "status", batch).records[-1]["enough"] == enough


def test_no_item_has_all_votes_while_somebody_is_to_answer_or_nobody_did(papers):
    """What a dropped rater said counted for what another has still to say; what one had skipped had all of no votes."""
    batch = batch_of(papers, "labels", "--design", "full", raters="anna,ben", name="full")
    said = {"objectivity": 2, "agreement": 4, "types": ["novelty"], "comment": None}
    st("st-annotate", "export", batch, "--to", "csv")
    answers = {(one["item"], 0): said for one in key_of(batch)}
    for rater, enough in (("ben", 0), ("anna", 8)):
        st("st-annotate", "import", batch, fill_csv(batch, rater, answers))
        st("st-annotate", "assign", batch, "--drop-rater", "ben")
        assert st("st-annotate", "status", batch).records[-1]["enough"] == enough
    batch = batch_of(papers, "labels", "--per-item", "1", raters="anna,ben", name="one")
    st("st-annotate", "export", batch, "--to", "csv")
    skipped = dict.fromkeys(answers, "skip")
    files = [fill_csv(batch, rater, one) for rater, one in (("anna", answers), ("ben", skipped))]
    assert st("st-annotate", "import", batch, *files).status == 0
    assert st("st-annotate", "assign", batch, "--drop-rater", "ben").status == 0
    items = st("st-annotate", "status", batch).records[-1]
    assert items == {"stat": "items", "n": 8, "enough": 4, "by_votes": {"0": 4, "1": 4}}


def test_judges_beside_people(papers):
    """A judge whose errors are known, on items that people settled; recomputed here."""
    records = [
        {**one, "weaknesses": [{"id": f"w{n}", "review": "r1", "text": f"Fault {n}."} for n in range(20)]}
        for one in PAPERS
    ]
    papers.write_bytes(jsonl(*records))
    batch = batch_of(papers, "labels", "--design", "full", raters="anna,ben")
    st("st-annotate", "export", batch, "--to", "csv")
    draw, names = random.Random(3), sorted(items_of(batch))
    said = {
        rater: {
            (name, 0): {"objectivity": draw.randint(1, 2), "agreement": 3, "types": ["novelty"], "comment": None}
            for name in names
        }
        for rater in ("anna", "ben")
    }
    st("st-annotate", "import", batch, *(fill_csv(batch, rater, one) for rater, one in said.items()))
    verdict = {name: draw.choice([1, 2, None]) for name in names}
    for record in records:
        for weakness in record["weaknesses"]:
            entry = {
                "system": "m",
                "by": "m",
                "objectivity": verdict[f"{record['id']}/{weakness['id']}"],
                "agreement": 3,
                "types": None,
            }
            weakness["labels"] = [entry]
    done = st("st-annotate", "agree", batch, input=jsonl(*records))
    assert done.status == 0, done.err
    found = {one["label"]: one for one in done.records}
    people = {name: [said[rater][name, 0]["objectivity"] for rater in said] for name in names}
    settled = {name: one[0] for name, one in people.items() if one[0] == one[1]}
    pairs = [(settled[name], verdict[name]) for name in settled if verdict[name]]
    one = found["objectivity"]
    assert (one["n"], one["n_unsettled"]) == (len(pairs), len(names) - len(settled))
    assert one["n_without_verdict"] == sum(value is None for value in verdict.values())
    assert one["equal"] == sum(a == b for a, b in pairs) / len(pairs) and one["low"] < one["equal"] < one["high"]
    assert found["agreement"]["equal"] == 1 and "types" not in found
    table = st("st-annotate", "agree", batch, "--table", input=jsonl(*records)).out.decode()
    assert f"{one['equal']:.3f}" in table and "kappa" in table


JUDGED = {
    "limits-pairs": ("match", {"system": "secret-system", "by": "j", "pairs": [{"reference": "l1", "candidate": "1", "match": True}]}, "verdict", "same"),
    "entailment": ("entail", {"system": "secret-system", "by": "j", "candidates": [{"id": "1", "entailed": True}], "references": [{"id": "e1", "entailed": True}]}, "entailed", True),
    "equations": ("equation", {"system": "j", "options": [{"id": str(n), "correct": n == 1, "answer": True} for n in range(4)]}, "correct", True),
    "equation-choice": ("equation", {"system": "j", "options": [], "choice": "1"}, "correct", ["1"]),
    "same-issue": ("same_issue", {"system": "m", "by": "j", "pairs": [{"reviewer": "v1", "model": "v2", "verdict": "same"}]}, "verdict", "same"),
    "specificity": ("specificity", {"system": "secret-system", "by": "j", "pairs": [{"weakness": "w1", "winner": "revised"}]}, "winner", "revised"),
    "segment-labels": ("review", {"system": "j", "reviews": [{"id": "r1", "segments": [{"deficient": None, "answers": {"p": {"deficient": True}}}] * 2}]}, "deficient", True),
}  # fmt: skip


@pytest.mark.parametrize("kind", JUDGED)
def test_what_each_judge_says_is_found(papers, kind):
    task, entry, question, value = JUDGED[kind]
    batch = batch_of(papers, kind, "--design", "full", raters="anna,ben")
    st("st-annotate", "export", batch, "--to", "csv")
    blank = {one["name"]: None for one in questions_of(batch)}
    for rater in ("anna", "ben"):
        said = {(row["item"], 0): {**blank, question: value} for row in key_of(batch)}
        assert st("st-annotate", "import", batch, fill_csv(batch, rater, said)).status == 0
    judged = [{**one, "judgements": {task: [entry]}} for one in PAPERS]
    done = st("st-annotate", "agree", batch, input=jsonl(*judged))
    assert done.status == 0, done.err
    (found,) = (one for one in done.records if one["label"] == question)
    assert (found["n"], found["equal"]) == (len(items_of(batch)), 1.0)
    assert found["judge"] == ("j p" if kind == "segment-labels" else "j")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "together"), [("blocks", "none"), ("full", "none"), ("overlap", "none"), ("blocks", "group")]
)
def test_a_rater_more_and_one_less_change_nothing_that_was_given(papers, design, together):
    """Files and answers of before stay byte for byte; each item that can have a second rater again has one."""
    weaknesses = [{"id": f"w{n}", "review": f"r{n % 2 + 1}", "text": f"Fault {n}."} for n in range(14)]
    reviews = [{"id": f"r{n}", "text": "x"} for n in (1, 2)]
    papers.write_bytes(jsonl(*({**one, "reviews": reviews, "weaknesses": weaknesses} for one in PAPERS)))
    batch = batch_of(
        papers, "labels", "--design", design, "--keep-together", together, "--repeat", ".2",
        *(["--overlap", ".5"] if design == "overlap" else []),
    )  # fmt: skip
    for form in FILLERS:
        st("st-annotate", "export", batch, "--to", form)
    said = {rater: answers_of(batch, rater, rater) for rater in ("anna", "ben", "eve")}
    half = dict(list(said["eve"].items())[::2])
    done = st("st-annotate", "import", batch, fill_csv(batch, "anna", said["anna"]), fill_csv(batch, "eve", half))
    given = {path: path.read_bytes() for path in (batch / "raters").rglob("*") if path.is_file()}
    before = key_of(batch)
    added, dropped = (
        st("st-annotate", "assign", batch, *line)
        for line in (("--add-rater", "dora", "--sample", "6"), ("--drop-rater", "eve"))
    )
    assert (added.status, dropped.status) == (0, 0), (added.err, dropped.err)
    after = key_of(batch)
    assert [one for one in after if one in before] == before, "the rows of before, in their order"
    csvs = {
        path.stem: path
        for path in map(
            Path,
            st("st-annotate", "export", batch, "--to", "csv", "--rater", "dora", "--rater", "anna", "--rater", "ben")
            .out.decode()
            .split(),
        )
    }
    assert not [path for path, content in given.items() if path.read_bytes() != content]
    own = [one["item"] for one in after if one["rater"] == "dora" and one["part"] == 1 and one["control"] is None]
    assert len(set(own)) == len(own) and (len(own) == 6 or together == "group")
    answered = {
        one["item"]
        for one in done.records
        if one["rater"] == "eve" and one["state"] in ("done", "skipped") and not one["copy"]
    }
    undone = {one["item"] for one in before if one["rater"] == "eve" and one["control"] is None} - answered
    later = [one for one in after if one["part"] > 1]
    assert all(one["rater"] != "eve" and one["control"] is None for one in later)
    assert len({(one["rater"], one["item"], one["copy"]) for one in after}) == len(after)
    lost = undone - {one["item"] for one in later}
    have = {name: {one["rater"] for one in after if one["item"] == name} for name in undone}
    assert (
        len(later) + len(lost) == len(undone)
        and all(have[name] >= {"anna", "ben", "dora"} for name in lost)
        or together == "group"
    )
    assert f"{len(later)} item" in dropped.err and (not lost or str(len(lost)) in dropped.err)
    again = st("st-annotate", "import", batch)  # nothing is named
    assert again.status == 2
    more = answers_of(batch, "dora", 4) | said["anna"]
    whole = [fill_csv(batch, "ben", said["ben"]), fill_csv(batch, "eve", said["eve"]), fill_csv(batch, "dora", more)]
    back = st("st-annotate", "import", batch, *whole, csvs.get("anna-2", whole[0]))
    assert back.status == 0, back.err
    found = {(one["rater"], one["row"]): one for one in back.records}
    assert all(found[one["rater"], one["row"]] == one for one in done.records), "answers of before are what they were"
    assert {one["rater"] for one in back.records} == {"anna", "ben", "dora", "eve"}
    rest = {
        one["rater"]: one["left"] for one in st("st-annotate", "status", batch).records if one["stat"] == "progress"
    }
    assert rest["eve"] == 0 and rest["anna"] == sum(one["rater"] == "anna" for one in later)
    for line, told in (
        (("--add-rater", "dora"), "twice"), (("--drop-rater", "eve"), "the others are"), (("--drop-rater", "zoe"), "the others are"),
        (("--add-rater", "fay", "--sample", "900"), "there are"), (("--add-rater", "fay", "--seed", "3"), "--seed"),
        (("--drop-rater", "ben", "--sample", "3"), "--sample"), (("--add-rater", "gold"), "another author"),
    ):  # fmt: skip
        refused = st("st-annotate", "assign", batch, *line)
        assert refused.status == 2 and told in refused.err, refused.err
    assert key_of(batch) == after


@pytest.mark.parametrize("kind", ["weaknesses", "labels", "limits-pairs"])
def test_a_batch_may_be_empty_where_it_is_allowed(kind, tmp_path):
    """Records without an item, or with nothing that items are made of; lines that are no records are a fault still."""
    kinds = {
        "none.jsonl": "",
        "without.jsonl": '{"id": "a", "title": "A"}\n',
        "empty.jsonl": '{"id": "a", "reviews": [], "weaknesses": [], "limitations": [], "abstracts": []}\n',
        "bad.jsonl": "no record\n",
    }
    for name, text in kinds.items():
        (tmp_path / name).write_text(text)
        line = (
            "st-annotate",
            "assign",
            kind,
            tmp_path / name,
            "--raters",
            "anna,ben",
            "--design",
            "full",
            "--sample",
            "9",
        )
        batch = tmp_path / f"{name}-batch"
        refused = st(*line, "--output", batch)
        assert refused.status == 3 and not batch.exists(), name
        done = st(*line, "--allow-empty", "--output", batch)
        if name == "bad.jsonl":
            assert done.status == 3 and not batch.exists()
            continue
        assert done.status in (0, 1) and "0 items" in done.err, (name, done.err)
        assert (batch / "key.jsonl").read_text() == "" and json.loads((batch / "batch.json").read_text())["counts"][
            "items"
        ] == 0
        for more in (("gold", batch), ("ratings", batch), ("export", batch, "--to", "jsonl")):
            assert st("st-annotate", *more).status == 0, more


@pytest.mark.parametrize("kind", ["xlsx", "csv", "jsonl"])
def test_a_sheet_without_rows_is_read(kind, tmp_path):
    """More raters than items: the sheets of some have no rows, and the answers of the others count."""
    batch, path = tmp_path / "batch", tmp_path / "papers.jsonl"
    path.write_text('{"id": "a", "title": "A", "reviews": [{"id": "r1", "text": "It is slow. It is dear."}]}\n')
    line = ("st-annotate", "assign", "weaknesses", path, "--raters", "anna,ben,eve", "--per-item", "1")
    assert st(*line, "--output", batch).status == 0
    assert st("st-annotate", "export", batch, "--to", kind).status == 0
    sheets = sorted(batch.glob(f"raters/*/*.{kind}"))
    done = st("st-annotate", "import", batch, *sheets)
    assert len(sheets) == 3 and done.status == 0 and "0 answers" in done.err, done.err
