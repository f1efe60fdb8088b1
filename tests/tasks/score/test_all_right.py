"""st-score equations: accuracy of single answers, and questions all of whose options are judged rightly, by hand."""

from __future__ import annotations

import csv
import io
import itertools
import random

import pytest
from support.run import jsonl, st

from scholartools.metrics.items import decisions

ONE_OF_FOUR = (True, False, False, False)


def question(number: int, answers: list[bool | None], *, failed: tuple[int, ...] = (), paper: str = "p") -> dict:
    options = [{"id": f"o{place}", "latex": "a", "correct": one} for place, one in enumerate(ONE_OF_FOUR)]
    given = [
        {"id": f"o{place}", "correct": one, "answer": answer, **({"failed": True} if place in failed else {})}
        for place, (one, answer) in enumerate(zip(ONE_OF_FOUR, answers))
    ]
    entry = {"system": "m", "options": given}
    return {"id": f"q{number}", "paper": paper, "options": options, "judgements": {"equation": [entry]}}


# Answers to four options of which the first is right, with the accuracy and whether all are right.
BY_HAND = [
    ([True, False, False, False], 1, 1),
    ([True, True, False, False], 3 / 4, 0),
    ([False, False, False, False], 3 / 4, 0),
    ([True, True, True, True], 1 / 4, 0),
    ([False, True, True, True], 0, 0),
    ([True, False, False, None], 3 / 4, 0),  # what cannot be read is wrong, for an option that is wrong too
    ([None, False, False, False], 3 / 4, 0),
    ([None, None, None, None], 0, 0),
]


def test_values_by_hand():
    data = jsonl(*(question(number, answers) for number, (answers, *_) in enumerate(BY_HAND)))
    scores = [one["scores"][0]["values"] for one in st("st-score", "equations", input=data).records]
    assert [(one["accuracy"], one["all_right"]) for one in scores] == [tuple(row[1:]) for row in BY_HAND]
    assert {(one["all_positive.accuracy"], one["all_negative.accuracy"]) for one in scores} == {(1 / 4, 3 / 4)}
    assert scores[0]["by_lot.all_right"] == pytest.approx(27 / 256)


def test_summary_table_and_csv_tell_both():
    data = jsonl(*(question(number, answers) for number, (answers, *_) in enumerate(BY_HAND)))
    [told] = st("st-score", "equations", "--summary", input=data).records
    share = sum(row[1] for row in BY_HAND) / len(BY_HAND)
    assert told["values"]["all_right"]["mean"] == 1 / 8
    assert told["values"]["accuracy"]["mean"] == told["corpus"]["accuracy"]["value"] == pytest.approx(share)
    assert told["corpus"]["all_negative.accuracy"]["value"] == 3 / 4
    assert told["corpus"]["all_positive.accuracy"]["value"] == 1 / 4
    table = st("st-score", "equations", "--table", input=data).out.decode().splitlines()
    assert [line.split()[1] for line in table if line.split()[:1] == ["all_right"]] == ["0.125"]
    rows = [*csv.reader(io.StringIO(st("st-score", "equations", "--csv", input=data).out.decode()))]
    assert any("all_right" in cell for row in rows for cell in row)
    assert any("corpus.accuracy" in cell or cell == "accuracy" for row in rows for cell in row)


def test_a_question_without_a_reply_is_neither_right_nor_wrong():
    """Were one that is lost already counted as wrong, lost replies would only ever lower the share."""
    data = jsonl(question(1, [True, False, False, False]), question(2, [False, True, False, None], failed=(3,)))
    lines = st("st-score", "equations", input=data).records
    assert [lines[1]["scores"][0]["values"][name] for name in ("accuracy", "all_right")] == [None, None]
    assert "no reply came" in lines[1]["scores"][0]["reasons"]["all_right"]
    [told] = st("st-score", "equations", "--summary", input=data).records
    assert (told["values"]["all_right"]["mean"], told["values"]["all_right"]["n"]) == (1, 1)


@pytest.mark.parametrize("keep", [[0, 1, 2], [0, 1, 2, 2], [0, 1, 2, 3, 3]])
def test_judgements_that_leave_an_option_out_are_no_question_all_right(keep: list[int]):
    record = question(1, [True, False, False, False])
    entry = record["judgements"]["equation"][0]
    entry["options"] = [entry["options"][place] for place in keep]
    done = st("st-score", "equations", input=jsonl(record, question(2, [True, False, False, False])))
    assert done.status == 1 and "must answer each option of the question once" in done.err
    broken, whole = done.records
    assert "scores" not in broken and whole["scores"][0]["values"]["all_right"] == 1


def test_a_choice_judges_no_option_by_itself():
    record = question(1, [True, False, False, False])
    entry = record["judgements"]["equation"][0]
    entry |= {"format": "choice", "choice": "o0", "orders": [{"order": ["o0", "o1", "o2", "o3"], "choice": "o0"}]}
    [scored] = st("st-score", "equations", input=jsonl(record)).records
    values = scored["scores"][0]["values"]
    assert values["choice.accuracy"] == 1 and not {"accuracy", "all_right", "by_lot.all_right"} & set(values)


def test_answers_by_lot_are_all_right_as_often_as_counting_says():
    """Over all ways to answer, weighted by their probability; no other rate of yes does better."""
    chance = random.Random(5)
    for _ in range(60):
        correct = [chance.random() < 0.4 for _ in range(chance.randint(1, 6))]

        def by_counting(rate: float, correct: list[bool] = correct) -> float:
            total = 0.0
            for said in itertools.product((True, False), repeat=len(correct)):
                found = decisions.equation_inference(correct, said).all_right.value
                yes = sum(said)
                total += (found or 0) * rate**yes * (1 - rate) ** (len(said) - yes)
            return total

        value = decisions.all_right_by_lot(correct).value
        assert value == pytest.approx(by_counting(sum(correct) / len(correct)))
        assert all(by_counting(rate / 20) <= value + 1e-12 for rate in range(21))
    assert decisions.all_right_by_lot([]).value is None
    assert decisions.equation_inference([], []).all_right.value is None
