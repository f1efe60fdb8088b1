"""Studies of which all is drawn: who says what, who errs how often, and in which files and parts it comes back.

Everything that st-annotate says of a study is computed here a second time, from what was drawn.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections import Counter, defaultdict

import krippendorff
import numpy as np
import pytest
from support.annotators import FILLERS, batch_of, items_of, key_of
from support.run import jsonl, st

OWN = """
questions:
  - {type: scale, name: rated, text: "How good?", low: 0, high: 4, step: 0.5}
  - {type: choice, name: one, text: "Which?", values: [left, right, "n/a"]}
  - {type: choice, name: many, text: "Which of these?", values: [a, b, c], is_many: true}
  - {type: yes_no, name: sure, text: "Are you sure?"}
  - {type: number, name: n, text: "How many?", low: -10, high: null, is_required: false}
  - {type: winner, name: better, text: "Which is better?"}
  - {type: spans, name: bad, text: "Which?", part: text, labels: [wrong, dull]}
items: pairs
parts: [{name: text, heading: Text, text: text}]
candidates: sides
"""
NAMES = ["rated", "one", "many", "sure", "n", "better", "bad"]
WORDS = "bees 🐝 wrong-headed =sum(1) 007 e\u0301clair α $x_i$ Fig.".split()


def drawn_papers(draw):
    def text(name):
        return " ".join(draw.choice(WORDS) + f"{name}{n}" + draw.choice(["", "", "", "\r\n"]) for n in range(8))

    return [
        {
            "id": f"p{paper}",
            "pairs": [
                {"id": f"i{n}", "text": text(f"{paper}{n}"), "sides": [{"id": "x", "text": "one"}, {"id": "y", "text": "two"}]}
                for n in range(6)
            ],
        }
        for paper in range(3)
    ]  # fmt: skip


def drawn(draw, item):
    """An answer to every question; a passage is a word that stands once."""
    text = item["parts"][0]["text"]
    words = [(hit.start(), hit.end()) for hit in re.finditer(r"\S+", text) if text.count(hit[0]) == 1]
    spans = [
        {"in": "text", "start": start, "end": end, "text": text[start:end], "label": draw.choice(["wrong", "dull"])}
        for start, end in sorted(draw.sample(words, draw.randint(0, min(3, len(words)))))
    ]
    return {
        "rated": draw.choice([0, 0.5, 1, 1.5, 2, 4]), "one": draw.choice(["left", "right", "n/a"]),
        "many": [one for one in "abc" if draw.random() < 0.4], "sure": draw.random() < 0.5,
        "n": draw.choice([None, draw.randint(-10, 50), 2.25]), "better": draw.choice(["x", "y", "tie"]), "bad": spans,
    }  # fmt: skip


def said_by(draw, rows, items, truth, error):
    """What a rater says of each row: the truth but for errors, some blanks and skips; some rows are not reached."""
    said = {}
    for row in rows:
        name, chance = row["item"], draw.random()
        right, wrong = truth[name], drawn(draw, items[name])
        answers = {key: wrong[key] if draw.random() < error else right[key] for key in NAMES}
        if draw.random() < 0.15:
            answers[draw.choice(["rated", "one", "many", "sure", "better"])] = None
        if chance > 0.06:
            said[name, row["copy"]] = "skip" if chance < 0.14 else answers
    return said


def returned(draw, batch, rater, said, folder):
    """The files of a rater: parts in formats of their own, rows that come again, and one that was half done before."""
    names = draw.sample(list(said), len(said))
    half = next(name for name in names if said[name] != "skip")
    before = {half: {key: one if draw.random() < 0.5 else None for key, one in said[half].items()}}
    cut = len(names) // 2
    parts = [before, *({name: said[name] for name in [*some, *names[:2]]} for some in (names[:cut], names[cut:]))]
    for number, part in enumerate(parts):
        form = draw.choice(list(FILLERS))
        shutil.rmtree(batch / "raters", ignore_errors=True)
        assert st("st-annotate", "export", batch, "--to", form).status == 0
        (place := folder / str(number) / rater).mkdir(parents=True)
        yield shutil.copy(FILLERS[form](batch, rater, part), place)


def as_vote(name, value):
    return [[one["start"], one["end"], one["label"]] for one in value] if name == "bad" and value else value


def as_rating(value):
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def check_alpha(found, votes, raters, name, level):
    items = sorted({item for _, item in votes})
    table = [[as_rating(votes.get((rater, item), {}).get(name)) for item in items] for rater in raters]
    values = sorted({one for row in table for one in row if one is not None}, key=str)
    code = {one: values.index(one) if level == "nominal" else one for one in values}
    data = np.array([[np.nan if one is None else code[one] for one in row] for row in table], float)
    assert found["value"] == pytest.approx(krippendorff.alpha(data, level_of_measurement=level), abs=1e-12)
    assert found["n_paired"] == sum((~np.isnan(data)).sum(0) > 1)


def is_disputed(given, when):
    """Whether the votes of an item differ, by question."""
    for name in NAMES:
        values = [one[name] for one in given if one[name] is not None]
        counts = Counter(json.dumps(as_vote(name, one)) for one in values)
        if len(counts) > 1 and (
            when == "any"
            or (when == "no-majority" and 2 * max(counts.values()) <= len(values))
            or (when == "range>1" and (name not in ("rated", "n") or max(values) - min(values) > 1))
        ):
            return True
    return False


def settled(given, decided, name, *, by_majority):
    values = [one[name] for one in given if one[name] is not None]
    counts = Counter(json.dumps(as_vote(name, one)) for one in values).most_common()
    if len(counts) == 1:
        return values[0], "agreed" if len(values) > 1 else "single"
    if decided.get(name) is not None:
        return decided[name], "adjudicated"
    if not values:
        return None, "no-votes"
    if by_majority and 2 * counts[0][1] > len(values):
        return next(one for one in values if json.dumps(as_vote(name, one)) == counts[0][0]), "majority"
    return None, "disputed"


@pytest.mark.parametrize("seed", range(3))
def test_all_that_is_said_of_a_study(papers, tmp_path, seed):
    draw = random.Random(seed)
    papers.write_bytes(jsonl(*drawn_papers(draw)))
    (papers.parent / "own.yaml").write_text(OWN)
    design = [["--design", "full", "--repeat", ".3"], ["--per-item", "2"], ["--design", "overlap", "--overlap", ".4"]]
    raters = ["anna", "ben", "zoë"]
    batch = batch_of(papers, "own.yaml", *design[seed], "--seed", str(seed), raters=",".join(raters))
    items, key = items_of(batch), key_of(batch)
    truth = {name: drawn(draw, item) for name, item in items.items()}
    said, files = {}, []
    for rater in raters:
        rows = [one for one in key if one["rater"] == rater]
        said[rater] = said_by(draw, rows, items, truth, draw.choice([0, 0.2, 0.5]))
        files += returned(draw, batch, rater, said[rater], tmp_path / "back")
    draw.shuffle(files)
    for some in (files[:4], files[4:]):
        done = st("st-annotate", "import", batch, *some)
        assert done.status == 0, done.err
    wanted = {(rater, *name): one for rater, own in said.items() for name, one in own.items()}
    found = {(one["rater"], one["item"], one["copy"]): one for one in done.records}
    assert {name: "skip" if one["state"] == "skipped" else one["answers"] for name, one in found.items()} == wanted

    votes = {name[:2]: one for name, one in wanted.items() if one != "skip" and not name[2]}
    rated = {
        (one["rater"], one["item"], one["label"]): one["value"] for one in st("st-annotate", "ratings", batch).records
    }
    assert {name: rated[(*name, "better")] for name in votes} == {name: one["better"] for name, one in votes.items()}
    assert {name[:2] for name in rated} == set(votes)
    status = st("st-annotate", "status", batch).records
    alphas = {one["label"]: one for one in status if one["stat"] == "alpha"}
    for name, level in {
        "rated": "ordinal",
        "one": "nominal",
        "sure": "nominal",
        "n": "interval",
        "better": "nominal",
    }.items():
        check_alpha(alphas[name], votes, raters, name, level)

    given = defaultdict(list)
    for (_, item), answers in votes.items():
        given[item].append(answers)
    for when in ("no-majority", "range>1", "any"):
        shutil.rmtree(tmp_path / "disputes", ignore_errors=True)
        st("st-annotate", "adjudicate", batch, "--judge", "dora", "--when", when, "--output", tmp_path / "disputes")
        asked = {one["item"] for one in key_of(tmp_path / "disputes")}
        assert asked == {item for item, some in given.items() if is_disputed(some, when)}
    decided = {item: drawn(draw, items[item]) for item in sorted(asked)[:-2]}
    st("st-annotate", "export", tmp_path / "disputes", "--to", "xlsx")
    back = FILLERS["xlsx"](tmp_path / "disputes", "dora", {(item, 0): one for item, one in decided.items()})
    assert st("st-annotate", "import", tmp_path / "disputes", back).status == 0
    for more in ([], ["--majority"]):
        for record in st("st-annotate", "gold", batch, "--adjudicated", tmp_path / "disputes", *more).records:
            name = record["item"]
            told = {**record["by"], **record["reasons"]}
            answers = {key: (record["answers"][key], told[key]) for key in NAMES}
            assert answers == {
                key: settled(given[name], decided.get(name, {}), key, by_majority=bool(more)) for key in NAMES
            }
