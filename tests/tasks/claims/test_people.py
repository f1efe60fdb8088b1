"""What people copied from a paper is found again as what a model copied is: typography, case, a final period."""

from __future__ import annotations

import json
import random

import pytest

from scholartools.errors import InputFault
from scholartools.tasks.claims import human_labels, human_weaknesses

CLAIMS = [
    "Murmur halves the error rate, from 31% to 15%.",
    "We present \N{LEFT DOUBLE QUOTATION MARK}Murmur\N{RIGHT DOUBLE QUOTATION MARK}, the first "
    "speaker-independent model\N{EM DASH}to our knowledge.",
    "It doesn't need a single transcribed whisper!",
    "No loss is seen on normal speech",
    "The ef\N{LATIN SMALL LIGATURE FI}cient variant is 4.2 points better than [12]; see Table 3.",
]
#: What people's tools do to a text.
VARIANTS = [
    lambda text: text.rstrip(".!"),
    lambda text: f"{text.rstrip('.!')}.",
    lambda text: text.replace("\N{LEFT DOUBLE QUOTATION MARK}", '"').replace("\N{RIGHT DOUBLE QUOTATION MARK}", '"'),
    lambda text: text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"),
    lambda text: text.replace("\N{EM DASH}", "\N{EN DASH}"),
    lambda text: text.replace("\N{LATIN SMALL LIGATURE FI}", "fi"),
    lambda text: "\n ".join(text.split(" ", 3)),
    lambda text: f'"{text}"',
    lambda text: f"  {text}\t",
    lambda text: text[0].lower() + text[1:],
    lambda text: text,
]
#: What makes another text of it.
CHANGES = [
    (0, "31%", "32%"), (2, "doesn't need", "does need"), (3, "No loss", "Loss"),
    (4, "4.2", "42"), (4, "better", "worse"),
]  # fmt: skip


def paper() -> dict:
    text, claims = "Before.", []
    for number, claim in enumerate(CLAIMS, 1):
        start = len(text) + 1
        text = f"{text} {claim}"
        span = {"in": "abstract", "start": start, "end": len(text)}
        claims.append({"id": f"c{number}", "by": "m", "text": claim, "spans": [span]})
    weakness = {"id": "w1", "review": "r1", "by": "gold", "text": "Too few runs.", "spans": [], "mentions": []}
    review = {"id": "r1", "text": "Too few runs."}
    return {"id": "p", "abstract": f"{text} After.", "claims": claims, "reviews": [review], "weaknesses": [weakness]}


def target_of(tmp_path, text: str) -> dict:
    path = tmp_path / "people.jsonl"
    row = {"paper": "p", "weakness": "w1", "rater": "anna", "target": text, "text": "too few runs"}
    path.write_text(json.dumps(row))
    made = human_labels.add(paper(), human_labels.read_targets(str(path)), lambda _: None)
    return made["weaknesses"][0]["targets"][0]["items"][0]


def test_a_claim_that_somebody_copied_is_that_claim(tmp_path):
    rng = random.Random(0)
    for _ in range(400):
        number = rng.randrange(len(CLAIMS))
        text = CLAIMS[number]
        for change in rng.sample(VARIANTS, rng.randint(1, 4)):
            text = change(text)
        found = target_of(tmp_path, text)
        assert found["claim"] == f"c{number + 1}" and found["text"] == CLAIMS[number], text


@pytest.mark.parametrize(("number", "before", "after"), CHANGES)
def test_another_text_is_no_claim(tmp_path, number, before, after):
    assert before in CLAIMS[number]
    try:
        found = target_of(tmp_path, CLAIMS[number].replace(before, after))
    except InputFault:
        return
    assert found["claim"] is None


def test_a_part_of_a_claim_is_a_target_of_its_own(tmp_path):
    found = target_of(tmp_path, "the first speaker-independent model")
    assert found["custom"] and found["text"] == "the first speaker-independent model"


def test_a_target_of_its_own_is_one_however_it_is_copied(tmp_path):
    """One rater copies the sentence with its full stop, another one without: F1_exact takes them for one."""
    rng = random.Random(1)
    record = paper()
    sentences = [
        "Murmur needs no tuning at all.",
        "It gains 1.5 points over [3]!",
        "We saw “tests” on 3 farms: few agree.",
    ]
    body = " ".join(["We begin here.", *sentences, "That is all"])
    record["sections"] = [{"id": "s1", "heading": "", "level": 1, "role": "other", "text": body}]
    for _ in range(200):
        sentence = rng.choice(sentences)
        text = rng.choice([sentence, sentence, sentence[sentence.index(" ") + 1 :]])
        found = [{"claim": None, "custom": True, "text": text, "spans": [
            {"in": "s1", "start": body.index(text), "end": body.index(text) + len(text)}]}]  # fmt: skip
        for change in rng.sample(VARIANTS, rng.randint(1, 3)):
            text = change(text)
        path = tmp_path / "people.jsonl"
        path.write_text(json.dumps({"paper": "p", "weakness": "w1", "rater": "anna", "target": text}))
        made = human_labels.add(record, human_labels.read_targets(str(path)), lambda _: None)
        assert made["weaknesses"][0]["targets"][0]["items"] == found, text


def test_a_part_of_a_sentence_gets_no_mark_of_what_follows(tmp_path):
    record = paper()
    body = "It gains 1.5 points, e.g., on farms; and 2 on the rest."
    record["sections"] = [{"id": "s1", "heading": "", "level": 1, "role": "other", "text": body}]
    path = tmp_path / "people.jsonl"
    for said in ("gains 1.5 points,", "on farms; and 2", "1.5 points, e.g"):
        path.write_text(json.dumps({"paper": "p", "weakness": "w1", "rater": "anna", "target": said}))
        made = human_labels.add(record, human_labels.read_targets(str(path)), lambda _: None)
        assert made["weaknesses"][0]["targets"][0]["items"][0]["text"] == said.rstrip(",")


@pytest.mark.parametrize("blank", ["", " ", "NA", "n/a", "NaN", "null", "<NA>", None])
def test_a_blank_answer_costs_no_other(tmp_path, blank):
    """A target "NA" was a text that is no claim, and took the targets of all weaknesses of the paper."""
    path = tmp_path / "people.jsonl"
    rows = [
        {"paper": "p", "weakness": "w1", "rater": rater, "target": told}
        for rater, told in (("anna", "c1"), ("ben", blank))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = human_labels.add(paper(), human_labels.read_targets(str(path)), lambda _: None)
    assert [one["by"] for one in made["weaknesses"][0]["targets"]] == ["anna"]


BLANKS = ["", " ", "NA", "n/a", "NaN", "null", "#N/A"]


@pytest.mark.parametrize("kind", ["labels", "targets", "weaknesses"])
def test_blank_cells_of_people_are_counted_and_told(tmp_path, kind):
    """How many cells are blank is drawn; the note counts them, and no answer is made of them."""
    columns = {
        "labels": "weakness,rater,label,value",
        "targets": "weakness,rater,target",
        "weaknesses": "review,rater,text",
    }
    answers = {"labels": "3", "targets": "c1", "weaknesses": "Too few runs."}
    read = {
        "labels": human_labels.read_labels, "targets": human_labels.read_targets, "weaknesses": human_weaknesses.read_weaknesses,
    }[kind]  # fmt: skip
    for seed in range(30):
        rng = random.Random(f"{kind}{seed}")
        cells = [answers[kind], *(rng.choice([*BLANKS, answers[kind]]) for _ in range(rng.randint(0, 12)))]
        middle = "agreement," if kind == "labels" else ""
        rows = [f"p,w{number},anna,{middle}{cell}" for number, cell in enumerate(cells)]
        path = tmp_path / "people.csv"
        path.write_text("\n".join([f"paper,{columns[kind]}", *rows]) + "\n")
        found = read(str(path))
        n_blank = sum(cell != answers[kind] for cell in cells)
        assert len(found.given) == len(cells) - n_blank
        told = f"{n_blank} {'cell is' if n_blank == 1 else 'cells are'} blank and missing among the {kind}: "
        assert [note[: len(told)] for note in found.notes] == ([told] if n_blank else [])


def test_a_blank_comment_is_no_missing_answer(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("paper,weakness,rater,label,value\np,w1,anna,agreement,3\np,w1,anna,comment,\n")
    assert human_labels.read_labels(str(path)).notes == []
