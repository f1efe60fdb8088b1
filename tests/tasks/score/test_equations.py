"""st-score equations: the published table from counts, recall by kind of slip, guessers, what is not counted."""

from __future__ import annotations

import math

import pytest
from support.run import jsonl, st

N = 1049  # questions, each with one right option of four
# AAAR-1.0, table 1: F1, precision and recall as printed, and the true and false positives that give them.
TABLE_1 = {
    "OLMo-7B": ("13.64", "11.93", "15.91", 167, 1232),
    "Mistral-7B": ("28.45", "19.28", "54.24", 569, 2381),
    "Mixtral-8x22B-MoE": ("40.90", "26.15", "93.80", 984, 2778),
    "Llama 3.1-70B": ("33.08", "22.14", "65.39", 686, 2412),
    "Gemini 1.5 Pro": ("46.74", "32.05", "86.27", 905, 1918),
    "Claude 3.5 sonnet": ("45.13", "29.48", "96.18", 1009, 2413),
    "GPT-4o": ("40.35", "30.79", "58.53", 614, 1380),
    "o1-preview": ("46.35", "31.43", "88.27", 926, 2020),
    "o3-mini": ("47.98", "34.34", "79.59", 835, 1596),
}  # fmt: skip
ALL_POSITIVE = ("40.00", "25.00", "100.00")
NAMES = ("f1", "precision", "recall")


def cut(share: float) -> str:
    """A percentage with two digits, cut and not rounded."""
    return f"{math.floor(share * 10_000 + 1e-9) / 100:.2f}"


def records() -> list[dict]:
    """Questions whose counts, pooled over all, are those of the table."""
    made: list[dict] = []
    for number in range(N):
        entries = []
        for system, (*_, tp, fp) in TABLE_1.items():
            wrong = fp // N + (number < fp % N)
            said = [number < tp, *(place < wrong for place in range(3))]
            truth = [True, False, False, False]
            options = [{"correct": one, "answer": answer} for one, answer in zip(truth, said)]
            entries.append({"system": system, "options": options})
        made.append({"id": f"q{number}", "judgements": {"equation": entries}})
    return made


@pytest.fixture(scope="module")
def summaries() -> dict[str, dict]:
    done = st("st-score", "equations", "--summary", input=jsonl(*records()))
    assert done.status == 0, done.err
    return {one["system"]: one["corpus"] for one in done.records}


@pytest.mark.parametrize("system", TABLE_1)
def test_the_published_table_from_counts(summaries, system):
    """Nine of ten rows; Qwen's 26.28 and 57.40 would give an F1 of 36.05, and 31.22 is printed."""
    *printed, _, _ = TABLE_1[system]
    corpus = summaries[system]
    assert [cut(corpus[name]["value"]) for name in NAMES] == printed
    assert tuple(cut(corpus[f"all_positive.{name}"]["value"]) for name in NAMES) == ALL_POSITIVE


def counts_that_give(printed: tuple[str, ...], spell) -> list[tuple[int, int]]:
    """The true and false positives of which all three percentages are as printed."""
    f1, precision, recall = (float(text) / 100 for text in printed)
    near = range(math.floor((recall - 0.0002) * N), math.ceil((recall + 0.0002) * N) + 1)
    pairs = [(tp, fp) for tp in near for fp in range(round(tp / precision - tp) - 9, round(tp / precision - tp) + 10)]
    return [
        (tp, fp) for tp, fp in pairs if (spell(2 * tp / (tp + fp + N)), spell(tp / (tp + fp)), spell(tp / N)) == printed
    ]


def test_percentages_are_cut_and_not_rounded():
    rows = {**{name: row[:3] for name, row in TABLE_1.items()}, "Qwen 2.5-72B": ("31.22", "26.28", "57.40")}
    cuts = {name: counts_that_give(row, cut) for name, row in rows.items()}
    assert {name for name, found in cuts.items() if not found} == {"Qwen 2.5-72B"}
    assert all(TABLE_1[name][3:] in cuts[name] for name in TABLE_1)
    assert sum(bool(counts_that_give(row, lambda share: f"{100 * share:.2f}")) for row in rows.values()) == 3


def test_guessers_stand_beside_the_table(summaries):
    """Who says yes with rate q has precision 1/4, recall q and F1 = q / 2 / (1/4 + q)."""
    corpus = summaries["o3-mini"]
    rate = (835 + 1596) / (4 * N)
    assert corpus["yes_rate"]["value"] == pytest.approx(rate)
    for name, q in (("yes_1_in_4", 1 / 4), ("yes_1_in_2", 1 / 2), ("yes_at_own_rate", rate), ("all_positive", 1)):
        assert corpus[f"{name}.f1"]["value"] == pytest.approx(0.5 * q / (0.25 + q))


def edit(op: str) -> dict:
    return {"op": op, "start": 0, "end": 1, "from": "a", "to": "b"}


def question(number: int, answers: dict[str, bool | None], **more: dict) -> dict:
    options = [
        {"id": "o1", "latex": "a", "correct": True, "origin": "paper"},
        {"id": "o2", "latex": "b", "correct": False, "edits": [edit("sign")], "aligned": True},
        {"id": "o3", "latex": "c", "correct": False, "edits": [edit("index")], "aligned": False},
        {"id": "o4", "latex": "d", "correct": False, "edits": [edit("index"), edit("sign")], "aligned": False},
        {"id": "o5", "latex": "e", "correct": True, "edits": [edit("swap-sides")], "aligned": True},
    ]
    given = [
        {"id": one["id"], "correct": one["correct"], "answer": answers.get(one["id"]), **more.get(one["id"], {})}
        for one in options
    ]
    return {"id": f"q{number}", "options": options, "judgements": {"equation": [{"system": "m", "options": given}]}}


def test_recall_by_kind_of_slip_and_by_alignment():
    """By hand: an unread answer is a slip that was not seen, and a rewriting that was not accepted."""
    data = jsonl(
        question(1, {"o1": True, "o2": False, "o3": True, "o4": False, "o5": True}),
        question(2, {"o1": True, "o2": False, "o3": False, "o4": None, "o5": None}),
    )
    scores = [one["scores"][0]["values"] for one in st("st-score", "equations", input=data).records]
    kinds = ("caught.sign", "caught.index", "caught.two-slips", "caught.aligned", "caught.unaligned",
             "accepted.swap-sides")  # fmt: skip
    assert [[values[name] for name in kinds] for values in scores] == [[1, 0, 1, 1, 0.5, 1], [1, 1, 0, 1, 0.5, 0]]
    [told] = st("st-score", "equations", "--summary", input=data).records
    assert told["values"]["caught.index"]["mean"] == 0.5 and told["values"]["caught.index"]["n"] == 2
    assert told["corpus"]["unparsed"]["value"] == pytest.approx(2 / 10)
    assert told["corpus"]["yes_rate"]["value"] == pytest.approx(4 / 8), "of the answers that could be read"


def test_letters_that_change_places_throughout_are_one_slip():
    """However many places they stand at; an exchange beside another slip makes two."""
    record = question(1, {"o1": True, "o2": False, "o3": True, "o4": False, "o5": True})
    exchange, sign = edit("exchange"), edit("sign")
    for option, edits in zip(record["options"][1:4], ([exchange] * 3, [exchange, exchange], [exchange, sign])):
        option["edits"] = edits
    [scored] = st("st-score", "equations", input=jsonl(record)).records
    values = scored["scores"][0]["values"]
    assert values["caught.exchange"] == 0.5 and values["caught.two-slips"] == 1


def test_a_question_with_a_failed_call_is_in_no_pooled_count():
    lost = {"o2": {"reason": "no reply after 5 calls", "failed": True}}
    whole = question(1, {"o1": True, "o2": False, "o3": True, "o4": False, "o5": True})
    broken = question(2, {"o1": True, "o3": True, "o4": True, "o5": True}, **lost)
    [told] = st("st-score", "equations", "--summary", input=jsonl(whole, broken)).records
    assert told["n_failed"] == 1 and told["values"]["tp"]["n"] == 1
    assert told["corpus"]["precision"] == {**told["corpus"]["precision"], "n": 1, "value": pytest.approx(2 / 3)}
    assert told["values"]["caught.sign"]["n"] == 1, "the answer that failed is in no share either"
    assert told["values"]["caught.index"]["n"] == 2
    table = st("st-score", "equations", "--table", input=jsonl(whole, broken)).out.decode()
    assert "answers about equations for which no reply came, left out: 1" in table


def test_systems_of_both_forms_are_summarised_and_compared_by_what_they_have():
    record = question(1, {"o1": True, "o2": False, "o3": True, "o4": False, "o5": True})
    chosen = {
        "system": "c", "format": "choice", "choice": "o1", "options": record["judgements"]["equation"][0]["options"],
        "orders": [{"order": ["o1", "o2"], "choice": "o1"}],
    }  # fmt: skip
    record["judgements"]["equation"].append(chosen)
    found = {one["system"]: one for one in st("st-score", "equations", "--summary", input=jsonl(record)).records}
    assert "tp" not in found["c"]["values"] and "precision" not in found["c"].get("corpus", {})
    assert found["c"]["values"]["choice.accuracy"]["mean"] == 1
    assert found["c"]["values"]["choice.chance"]["mean"] == pytest.approx(2 / 5)
    assert st("st-score", "equations", "--compare", "m", "c", "--table", input=jsonl(record)).status == 0


def test_a_choice_that_missing_orders_cannot_change_is_counted():
    """Three orders of four agree, no reply came to the other: the choice stands, what is told of orders does not."""
    record = question(1, {})
    orders = [{"order": ["o1", "o2"], "choice": "o1"}] * 3
    lost = {"order": ["o2", "o1"], "choice": None, "reason": "no reply after 5 calls", "failed": True}
    options = [{"id": "o1", "correct": True, "answer": True}, {"id": "o2", "correct": False, "answer": False}]
    judged = {"system": "c", "format": "choice", "choice": "o1", "options": options, "orders": [*orders, lost]}
    record["judgements"]["equation"] = [judged]
    [score] = st("st-score", "equations", input=jsonl(record)).records[0]["scores"]
    assert score["values"]["choice.accuracy"] == 1 and score["values"]["choice.order_accuracy"] is None
    open_ = {**judged, "choice": None, "failed": True, "orders": [orders[0], lost]}
    record["judgements"]["equation"] = [open_]
    [score] = st("st-score", "equations", input=jsonl(record)).records[0]["scores"]
    assert score["values"]["choice.accuracy"] is None and score["n_failed"] == 1
