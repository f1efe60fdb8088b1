"""The metrics of st-score: values computed by hand and by reference libraries, undefined values, faults."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from rouge_score.rouge_scorer import RougeScorer
from support.everything import whole_record
from support.run import ROOT, jsonl, st

from scholartools import io
from scholartools.errors import InputFault
from scholartools.metrics.vectors import similarities
from scholartools.tasks import score
from scholartools.tasks.score.registry import METRICS, Options
from scholartools.text.embeddings.sentence import embedder

LIMITATIONS = ROOT / "fixtures" / "score-limitations.jsonl"
JUDGED = ROOT / "fixtures" / "score-judged.jsonl"


def records(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def entries(record: dict, metric: str, **options) -> dict[str, dict]:
    made = score.score(record, [metric], Options(**options))["scores"]
    return {f"{entry['system']}:{entry['item']}" if "item" in entry else entry["system"]: entry for entry in made}


def values(record: dict, metric: str, **options) -> dict[str, float | None]:
    (entry,) = entries(record, metric, **options).values()
    assert entry["reasons"].keys() == {name for name, value in entry["values"].items() if value is None}
    return entry["values"]


def pair(reference: str, candidate: str, **options) -> dict[str, float | None]:
    return values(
        {"gold": reference, "answer": candidate}, "text", reference="gold", candidate="answer", **options
    )  # fmt: skip


# Facet score: the worked example, and its edges.


def rated(**ratings) -> dict:
    return {"judgements": {"facets": [{"system": "s", "ratings": ratings}]}}


def test_the_facet_score_leaves_out_what_the_reference_lacks_and_renormalises():
    found = values(rated(background=3, method=None, result=3, conclusion=3), "facets")
    assert found["overall.score"] == pytest.approx((0.1 * 1 + 0.3 * 0.75 + 0.3 * 1) / 0.7, abs=1e-15)
    assert found["result.score"] == 0.75 and found["method.score"] is None


def test_all_facets_rated_highest_score_1_and_lowest_by_the_formula():
    highest = values(rated(background=3, method=4, result=4, conclusion=3), "facets")
    lowest = values(rated(background=1, method=1, result=1, conclusion=1), "facets")
    assert highest["overall.score"] == pytest.approx(1)
    assert lowest["overall.score"] == pytest.approx(0.1 / 3 + 0.3 / 4 + 0.3 / 4 + 0.3 / 3)


def test_a_facet_nobody_rated_leaves_the_score_undefined_and_is_not_taken_for_absent():
    entry = entries(rated(background=3, result=3, conclusion=3), "facets")["s"]
    assert entry["values"]["overall.score"] is None
    assert entry["reasons"]["overall.score"] == "no rating of method"


@pytest.mark.parametrize("ratings", [{"method": 5}, {"background": 0}, {"conclusion": 4}, {"claim": 1}])
def test_a_rating_out_of_range_is_refused(ratings):
    with pytest.raises(InputFault):
        score.facet_score(ratings)


def test_ratings_stand_beside_the_rouge_of_the_same_system():
    text = "Bees decline."
    extract = {"text": text, "spans": [{"in": "abstract", "start": 0, "end": 13}]}
    other = dict.fromkeys(("method", "result", "conclusion"))
    here = {**extract, "spans": [{"in": "summary:s", "start": 0, "end": 13}]}
    facets = [
        {"in": "abstract", "by": "hand", "background": extract, **other},
        {"in": "summary:s", "by": "hand", "background": here, **other},
    ]
    record = {"abstract": text, "summaries": [{"system": "s", "text": text}], "facets": facets}
    plain = values(record, "facets")
    both = values({**record, **rated(background=3, method=None, result=None, conclusion=None)}, "facets")
    assert plain.items() <= both.items() and both["overall.score"] == 1 and both["overall.rouge1"] == 1


# Text.


def test_text_by_hand():
    found = pair("the cat sat on the mat", "the cat sat on a mat")
    assert found["rouge1"] == pytest.approx(5 / 6) and found["rouge2"] == pytest.approx(3 / 5)
    assert found["token_precision"] == found["token_recall"] == pytest.approx(5 / 6)
    assert found["jaccard"] == pytest.approx(5 / 6)  # the cat sat on mat, and a
    assert found["count_cosine"] == pytest.approx((2 + 4) / math.sqrt(8 * 5))  # "a" is too short to count
    assert found["bleu"] == pytest.approx((5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)
    assert found["edit_similarity"] == pytest.approx(1 - 3 / 22)


@settings(max_examples=25)
@given(some.text(max_size=60), some.text(max_size=60), some.booleans())
def test_rouge_is_rouge_score_s_and_everything_is_bounded_or_null(reference, candidate, stemmer):
    aimed = {"reference": "gold", "candidate": "answer", "stemmer": stemmer}
    entry = entries({"gold": reference, "answer": candidate}, "text", **aimed)["answer"]
    expected = RougeScorer(["rougeL"], use_stemmer=stemmer).score(reference, candidate)["rougeL"]
    if entry["values"]["rougeL"] is not None:
        assert entry["values"]["rougeL_precision"] == pytest.approx(expected.precision)
        assert entry["values"]["rougeL"] == pytest.approx(expected.fmeasure)
    for name, value in entry["values"].items():
        assert value is None or -1 <= value <= 1
        assert (value is None) == (name in entry["reasons"])


def test_a_text_against_itself_is_1_and_an_empty_candidate_0_or_undefined():
    same = pair("Marked bees return to hedges in spring.", "Marked bees return to hedges in spring.")
    assert {round(value, 6) for value in same.values()} == {1.0}
    empty = pair("Marked bees return.", "")
    assert {value for value in empty.values() if value is not None} == {0.0}
    assert [name for name, value in empty.items() if value is None] == ["token_precision"]


def test_nothing_in_the_reference_is_null_throughout():
    assert set(pair("", "Marked bees return.").values()) == {None}


def test_the_embedding_cosine_is_the_embedder_s():
    texts = ["Bees live near hedges.", "Colonies feed on hedgerows."]
    vectors = embedder().vectors(texts)
    assert pair(*texts)["embedding_cosine"] == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-6)


# Paths.

NESTED = {
    "answers": [{"system": "a", "runs": [{"text": "one two"}, {"text": "three"}]}, {"system": "b", "runs": []}],
    "gold": [{"text": "one"}, {"text": "two three"}],
}


def test_a_path_takes_every_entry_of_a_list_or_the_one_of_an_index():
    every = entries(NESTED, "text", reference="gold", candidate="answers.runs.text")
    assert list(every) == ["a", "b"]
    assert every["a"]["values"]["jaccard"] == 1 and every["b"]["values"]["jaccard"] == 0
    first = entries(NESTED, "text", reference="gold.0.text", candidate="answers.0.runs.1.text")
    assert first["a"]["values"]["jaccard"] == 0
    assert entries(NESTED, "text", reference="gold", candidate="answers.runs") == every


@pytest.mark.parametrize(
    ("reference", "candidate", "reason"),
    [
        ("gold", "answers.text", 'entry 1 has no "text"'),
        ("gold", "nowhere.text", 'no "nowhere.text" (name another key with candidate)'),
        ("gold.9", "answers.runs", 'no "gold.9" (name another key with reference)'),
        ("answers.runs", "gold", "several systems (a, b)"),
        ("number", "gold", "a value without a text"),
    ],
)
def test_a_path_that_leads_nowhere_says_so(reference, candidate, reason):
    with pytest.raises(InputFault) as fault:
        entries({**NESTED, "number": 3}, "text", reference=reference, candidate=candidate)
    assert reason in fault.value.reason


def test_two_entries_of_one_system_are_refused():
    record = {"abstract": "a", "summaries": [{"system": "x", "text": "a"}, {"system": "x", "text": "b"}]}
    with pytest.raises(InputFault, match="duplicate"):
        score.score(record, ["text"])


# Matches.


def matched(n_truths: int, n_items: int, pairs: set[tuple[int, int]]) -> dict:
    judged = [
        {"reference": f"l{i}", "candidate": f"g{j}", "match": (i, j) in pairs}
        for i in range(n_truths)
        for j in range(n_items)
    ]
    items = [{"id": f"g{j}", "text": f"item number {j}"} for j in range(n_items)]
    return {
        "limitations": [{"id": f"l{i}", "text": f"truth number {i}"} for i in range(n_truths)],
        "generated": {"limitations": [{"system": "s", "items": items}]},
        "judgements": {"match": [{"system": "s", "pairs": judged}]},
    }


# Two truths share an item, one of them has another item too: three pairs, two components of one, one unmatched each.
CHAIN = matched(4, 3, {(0, 0), (1, 0), (1, 1)})


@pytest.mark.parametrize(("reading", "tp"), [("one-to-one", 2), ("pairs", 3), ("distinct-gt", 2), ("components", 1)])
def test_coverage_and_the_four_readings_of_a_true_positive(reading, tp):
    found = values(CHAIN, "match", tp=reading)
    assert (found["c_gt"], found["c_llm"]) == (2 / 4, pytest.approx(2 / 3))
    assert (found["tp"], found["fp"], found["fn"]) == (tp, 2, 1)
    precision, recall = tp / (tp + 2), tp / (tp + 1)
    assert found["f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert found["judged"] == 1


def test_pair_quality_is_the_mean_over_matched_pairs_of_stemmed_rouge():
    found = values(CHAIN, "match")
    scorer = RougeScorer(["rouge1"], use_stemmer=True)
    pairs = [("0", "0"), ("1", "0"), ("1", "1")]
    expected = [scorer.score(f"truth number {i}", f"item number {j}")["rouge1"].fmeasure for i, j in pairs]
    assert found["pairs.rouge1"] == pytest.approx(sum(expected) / 3)
    assert found["pairs.heading_cosine"] is None and found["pairs.jaccard"] == pytest.approx(
        (2 / 4 + 1 / 5 + 2 / 4) / 3
    )


def test_pairs_that_were_not_judged_are_told():
    partly = json.loads(json.dumps(CHAIN))
    del partly["judgements"]["match"][0]["pairs"][5:]
    assert values(partly, "match")["judged"] == pytest.approx(5 / 12)


def test_a_judgement_that_is_missing_leaves_everything_undefined():
    record = matched(1, 2, {(0, 0)})
    record["judgements"]["match"][0]["pairs"][1]["match"] = None
    entry = entries(record, "match")["s"]
    assert set(entry["values"].values()) == {None}
    assert set(entry["reasons"].values()) == {"1 of 2 judgements are missing"}


def test_a_system_without_judgements_is_undefined_unless_a_side_is_empty():
    record = matched(1, 1, set())
    record["judgements"]["match"][0]["system"] = "other"
    record["generated"]["limitations"].append({"system": "other", "items": []})
    record["judgements"]["match"][0]["pairs"] = []
    found = entries(record, "match")
    assert found["s"]["reasons"]["c_gt"] == "no judgements of this system"
    silent = found["other"]
    assert [silent["values"][name] for name in ("c_gt", "precision", "f1", "fp", "c_llm", "recall")] == [
        0, 0, 0, 1, None, None]  # fmt: skip
    assert silent["reasons"]["recall"] == "nothing generated" and silent["n_empty"] == 1


def test_a_paper_without_ground_truth_is_null_throughout_and_no_silence():
    for n_items in (0, 2):
        entry = entries(matched(0, n_items, set()), "match")["s"]
        assert set(entry["values"].values()) == {None} and "n_empty" not in entry
        assert entry["reasons"]["c_llm"] == entry["reasons"]["tp"] == "no ground truth"


@pytest.mark.parametrize("tp", ["one-to-one", "pairs", "distinct-gt", "components"])
def test_silence_on_the_hard_papers_does_not_beat_trying(tp):
    """Two easy papers that both systems solve, four hard ones on which one tries in vain and the other says nothing."""

    def record(place: int, hard: bool) -> dict:
        made = matched(2, 2, set() if hard else {(0, 0), (1, 1)})
        (tries,) = made["generated"]["limitations"]
        silent = {"system": "silent", "items": [] if hard else tries["items"]}
        pairs = [] if hard else made["judgements"]["match"][0]["pairs"]
        made["generated"]["limitations"].append(silent)
        made["judgements"]["match"].append({"system": "silent", "pairs": pairs})
        return {"id": f"p{place}", **made}

    data = jsonl(*(record(place, place > 1) for place in range(6)))
    result = st("st-score", "match", "--tp", tp, "--summary", "--compare", "s", "silent", input=data)
    assert result.status == 0, result.err
    tries, silent, difference = result.records
    for entry in (tries, silent):
        for name in ("c_gt", "precision", "f1"):
            value = entry["values"][name]
            assert (value["n"], value["mean"]) == (6, pytest.approx(1 / 3))
    assert "n_empty" not in tries and silent["n_empty"] == 4
    assert silent["values"]["recall"]["nulls"] == {"nothing generated": 4}
    assert difference["counts"] == {"n_empty": [0, 4]} and difference["values"]["f1"]["difference"]["value"] == 0
    assert difference["values"]["recall"]["nulls"] == [0, 4]
    table = st("st-score", "match", "--tp", tp, "--table", "--compare", "s", "silent", input=data).out.decode()
    assert (
        "silent: records without an item of the system although the reference has items, counted as 0: 4 of 6" in table
    )
    assert "recall, c_llm" in table or "c_llm, recall" in table
    rows = st("st-score", "match", "--csv", input=data).out.decode().splitlines()
    assert rows[0].endswith(",counts,mean_without_empty,mean_without_refused")
    assert any(row.endswith("n_empty=4,1.0,") for row in rows if ",silent,,f1," in row)
    assert silent["values"]["f1"]["without_empty"] == {"n": 2, "mean": 1}
    assert "silent: means of the 2 others, in which it said something:" in table


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda r: r["judgements"]["match"][0]["pairs"][0].update(candidate="g9"), "is not in"),
        (lambda r: r["judgements"]["match"][0]["pairs"].append(r["judgements"]["match"][0]["pairs"][0]), "duplicate"),
        (lambda r: r["limitations"].append(r["limitations"][0]), 'the id "l0" of another'),
        (lambda r: r["judgements"]["match"][0]["pairs"][0].update(match="yes"), "judgements.match.0.pairs.0.match"),
        (lambda r: r["judgements"].update(match=[]), "is empty"),
    ],
)
def test_judgements_that_do_not_fit_the_items_are_refused(change, reason):
    record = json.loads(json.dumps(CHAIN))
    change(record)
    with pytest.raises(InputFault) as fault:
        score.score(record, ["match"])
    assert reason in fault.value.reason


def test_judgements_of_a_system_that_is_not_there_are_told_beside_the_null_of_the_one_that_is():
    record = json.loads(json.dumps(CHAIN))
    record["judgements"]["match"][0].update(system="else")
    scored = score.score(record, ["match"])
    assert set(scored["scores"][0]["values"].values()) == {None}
    assert scored["scores"][0]["reasons"]["f1"] == "no judgements of this system"
    assert 'is of "else"' in scored["errors"][0]["reason"] and scored["errors"][0]["parts"] == ["else"]


# Soft matching and entailment.


def test_soft_scores_take_each_reviewer_by_itself():
    texts = {"r1": ["Bees were few.", "Nets are biased."], "r2": ["One valley only."]}
    predicted = ["One valley was used.", "The nets bias the counts."]
    record = {
        "weaknesses": [{"id": text, "text": text, "spans": [{"in": f"review:{review}", "start": 0, "end": 1}]}
                       for review, part in texts.items() for text in part],
        "generated": {"weaknesses": [{"system": "s", "items": [{"text": text} for text in predicted]},
                                     {"system": "silent", "items": []}]},
    }  # fmt: skip
    embed = embedder().vectors
    sims = [similarities(embed(predicted), embed(part)) for part in texts.values()]
    precision = sum(max(sim[i]) for sim in sims for i in range(2)) / 4
    recall = (sum(max(sims[0][:, j]) for j in range(2)) / 2 + max(sims[1][:, 0])) / 2
    found = entries(record, "soft")
    assert found["s"]["n_reviewers"] == 2
    assert found["s"]["values"]["precision"] == pytest.approx(precision)
    assert found["s"]["values"]["recall"] == pytest.approx(recall)
    assert found["s"]["values"]["f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert set(found["silent"]["values"].values()) == {0.0}


# Two reviewers, of three and one item. By hand, from the cosines of the default embedder: S-P is the mean over items of
# the mean over reviewers of the best, S-R the mean over reviewers of the mean over their items of the best.
FIRST, SECOND = ["Bees were few in number.", "The nets are biased.", "No drought year is seen."], ["One valley only."]
PREDICTED = ["Only one valley was studied.", "The nets bias the counts."]


def by_hand() -> list[float]:
    def best(text: str, others: list[str]) -> float:
        return max(float(embedder().vectors([text])[0] @ embedder().vectors([other])[0]) for other in others)

    precision = sum((best(text, FIRST) + best(text, SECOND)) / 2 for text in PREDICTED) / 2
    recall = (sum(best(text, PREDICTED) for text in FIRST) / 3 + best(SECOND[0], PREDICTED)) / 2
    return [precision, recall, 2 * precision * recall / (precision + recall)]


def soft(given: object, path: str | None = None, **more) -> dict:
    record = {"weaknesses": given, "generated": {"weaknesses": [{"system": "s", "items": PREDICTED}]}, **more}
    return entries(record, "soft", **({"reference": path} if path else {}))["s"]


NAMED = [{"text": text, "review": 1} for text in FIRST] + [{"text": text, "review": 2} for text in SECOND]
REVIEWS = [{"id": "r1", "weak": FIRST, "said": {"weak": FIRST}}, {"id": "r2", "weak": SECOND, "said": {"weak": SECOND}}]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ([FIRST, SECOND], None),
        ([FIRST, [], SECOND], None),
        ([[{"text": text} for text in FIRST], SECOND], None),
        ([[{"text": text, "review": "r1"} for text in FIRST], SECOND], None),
        ([{"id": "r1", "items": FIRST}, {"id": "r2", "items": SECOND}], None),
        (NAMED, None),
        (NAMED[::-1], None),
        (
            [
                {**{key: value for key, value in item.items() if key != "review"}, "reviewer": item["review"]}
                for item in NAMED
            ],
            None,
        ),
        ([{"system": "people", "items": NAMED}], None),
        ({"What are the weaknesses?": [FIRST, SECOND]}, "weaknesses.What are the weaknesses?"),
        (REVIEWS, "weaknesses.weak"),
        (REVIEWS, "weaknesses.said.weak"),
    ],
)
def test_reviewers_are_told_apart_whatever_the_shape(given, path):
    entry = soft(given, path)
    assert list(entry["values"].values()) == pytest.approx(by_hand(), abs=1e-6)
    assert entry["n_reviewers"] == 2
    assert entry.get("n_empty_reviewers", 0) == sum(part == [] for part in given)


def test_one_flat_list_is_one_reviewer_and_not_the_two():
    assert soft([*FIRST, *SECOND])["n_reviewers"] == 1
    assert soft([*FIRST, *SECOND])["values"]["precision"] > by_hand()[0] + 0.05
    assert soft([[], []])["reasons"]["f1"] == soft([])["reasons"]["f1"] == "no reviewer has any item"


def test_an_entry_of_reviews_is_a_reviewer():
    reviews = [{"id": "a", "text": FIRST[0]}, {"id": "b", "text": SECOND[0]}]
    expected = soft([FIRST[:1], SECOND])["values"]
    assert soft([], "reviews", reviews=reviews)["values"] == soft([], "reviews.text", reviews=reviews)["values"]
    assert soft([], "reviews", reviews=reviews)["values"] == expected
    alone = soft([], "reviews.0.weak", reviews=REVIEWS)
    assert (alone["values"], alone["n_reviewers"]) == (soft(FIRST)["values"], 1)


@pytest.mark.parametrize(
    ("given", "path", "reason"),
    [
        ([FIRST, SECOND[0]], None, "1 of 2 entries are lists and the others are texts"),
        ([[FIRST], SECOND], None, "lists in the lists"),
        ([NAMED], None, r"one list has items of several reviews \(1, 2\)"),
        ([NAMED[:2], NAMED[2:3]], None, '2 lists are of the review "1"'),
        (NAMED, "weaknesses.text", "takes texts from 4 entries without their reviewers"),
        ([{"parts": [{"weak": FIRST}]}] * 2, "weaknesses.parts.weak", "takes every entry of 2 lists"),
        ([{"system": "a", "items": FIRST}, {"system": "b", "items": SECOND}], None, r"several systems \(a, b\)"),
        ([{"system": "a", "items": FIRST}, {"system": "a", "items": SECOND}], None, 'duplicate "a"'),
        ({"r1": FIRST, "r2": SECOND}, None, "a value without a text"),
    ],
)
def test_lists_that_leave_open_whose_items_they_are_are_refused(given, path, reason):
    with pytest.raises(InputFault, match=reason):
        soft(given, path)


@pytest.mark.parametrize("candidate", ["weaknesses", "generated.weaknesses", "reviews.weak"])
def test_several_lists_of_one_system_are_refused_and_not_made_one(candidate):
    items = {"weaknesses": [{"system": "s", "items": [FIRST, SECOND]}]}
    record = {"weaknesses": [FIRST, SECOND], "reviews": REVIEWS, "generated": items}
    with pytest.raises(InputFault, match="several lists for one system"):
        entries(record, "soft", candidate=candidate)


def test_items_of_which_only_some_name_a_review_are_refused():
    items = [{"text": "a", "review": "r1"}, {"text": "b"}]
    record = {"weaknesses": items, "generated": {"weaknesses": [{"system": "s", "items": []}]}}
    with pytest.raises(InputFault, match="1 of 2 items name no review"):
        score.score(record, ["soft"])


def entailed(*verdicts: bool | None) -> list[dict]:
    return [{"id": str(place), "entailed": verdict} for place, verdict in enumerate(verdicts)]


def test_entailment_by_hand_and_an_item_without_a_judgement_is_missing():
    judged = {"system": "s", "candidates": entailed(True, False, True), "references": entailed(True, False)}
    record = {"judgements": {"entail": [judged]}}
    found = values(record, "entail")
    assert (found["precision"], found["recall"]) == (pytest.approx(2 / 3), 1 / 2)
    assert found["f1"] == pytest.approx(4 / 7)
    items = [{"id": str(place), "text": "an experiment"} for place in range(4)]
    entry = entries({**record, "generated": {"experiments": [{"system": "s", "items": items}]}}, "entail")["s"]
    assert entry["reasons"] == {
        "precision": "1 of 4 judgements are missing", "f1": "1 of 6 judgements are missing"
    } and entry["values"]["recall"] == 1 / 2  # fmt: skip


def test_votes_split_in_halves_cover_nothing_and_are_counted():
    votes = {"c": [[True, False], [True, True]], "r": [[False, True, True, False], [True, None]]}
    sides = {
        side: [{"id": f"{side}{n}", "entailed": None if None in one else all(one), "votes": one}
               for n, one in enumerate(votes[side])]
        for side in votes
    }  # fmt: skip
    judged = {"system": "s", "candidates": sides["c"], "references": sides["r"]}
    assert entries({"judgements": {"entail": [judged]}}, "entail")["s"]["n_tied"] == 2


def test_explanations_are_matched_in_their_order():
    wanted, given = ["To see the effect.", "To rule out chance."], ["To see the effect."]
    record = {"explanations": wanted, "generated": {"explanations": [{"system": "s", "items": given}]}}
    found = values(record, "entail")
    assert found["explanations.paired.s_match"] == pytest.approx(1) and found["explanations.paired.rouge1"] == 1
    assert found["explanations.s_match"] == pytest.approx(1 / 2) and found["explanations.rouge1"] == 1 / 2


def explained(wanted: list, given: list, **more) -> dict:
    record = {"explanations": wanted, "generated": {"explanations": [{"system": "s", "items": given}]}, **more}
    return entries(record, "entail")["s"]


X1 = {"id": "x1", "text": "To test whether the loss helps."}
X2 = {"id": "x2", "text": "To see if it holds in other languages."}


def test_explanations_are_paired_by_id_where_both_sides_have_ids():
    entry = explained([X1, X2], [X2])
    for part, mean in (("", 1 / 2), ("paired.", 1)):
        found = [entry["values"][f"explanations.{part}{name}"] for name in ("s_match", "rouge1", "rougeL")]
        assert found == pytest.approx([mean] * 3)
    assert (entry["n_paired"], entry["paired_by"], entry["missing"], entry["n_missing"]) == (1, "id", ["x1"], 1)
    assert explained([X1, X2], [X2, X1])["values"]["explanations.s_match"] == pytest.approx(1)
    other = explained([X1], [X2])
    assert other["values"]["explanations.s_match"] == other["values"]["explanations.rouge1"] == 0
    assert (other["n_paired"], other["missing"], other["extra"]) == (0, ["x1"], ["x2"])


@pytest.mark.parametrize("ids", [("\u00e91", "e\u03011"), ("x1", "x1 "), ("x1", "x\u200b1"), ("X1", "x1"), (1, "1.0")])
def test_ids_that_look_alike_and_are_not_equal_are_no_silence(ids):
    """S-Match was 0 with status 0, as if the system had explained nothing; the other system stands."""
    text = "To see whether it works."
    given = [
        {"system": system, "items": [{"id": name, "text": text}, {"id": "x2", "text": text}]}
        for system, name in (("m", ids[1]), ("k", ids[0]))
    ]
    wanted = [{"id": ids[0], "text": text}, {"id": "x2", "text": text}]
    done = st(
        "st-score", "entail", input=jsonl({"id": "p", "explanations": wanted, "generated": {"explanations": given}})
    )
    assert done.status == 1 and "look alike and are not equal" in done.err
    [entry] = [one for one in done.records[0]["scores"] if one["values"]["explanations.s_match"] is not None]
    assert entry["system"] == "k" and entry["values"]["explanations.s_match"] == pytest.approx(1)


def test_explanations_without_ids_on_a_side_are_paired_by_place():
    for wanted in ([X1, X2], [X1["text"], X2["text"]]):
        entry = explained(wanted, [X2["text"]])
        assert entry["values"]["explanations.s_match"] < 0.5
        assert (entry["n_paired"], entry["paired_by"], entry["n_missing"]) == (1, "place", 1) and "missing" not in entry
        assert entry["n_by_place"] == 1


@pytest.mark.parametrize(
    ("wanted", "given", "reason"),
    [
        ([X1, X2], [X2, X2], 'explanations: predicted item 2 has the id "x2" of another'),
        ([X1, X1], [X2], 'explanations: reference item 2 has the id "x1" of another'),
        ([X1, X2], [X2, "and more"], "explanations: predicted item 2 has no id"),
    ],
)
def test_explanations_with_unclear_ids_are_refused(wanted, given, reason):
    with pytest.raises(InputFault, match=reason):
        explained(wanted, given)


def test_what_is_missing_of_the_explanations_stands_in_the_summary():
    def record(name: str, given: list) -> dict:
        return {"id": name, "explanations": [X1, X2], "generated": {"explanations": [{"system": "s", "items": given}]}}

    data = jsonl(record("a", [X2]), record("b", []), record("c", [X1, X2]))
    by_place = jsonl(record("a", ["To see if it holds."]), record("b", ["To test.", "To rule out chance."]))
    assert (
        "by their position in the list, because ids are missing: 3"
        in st("st-score", "entail", "--table", input=by_place).out.decode()
    )
    (entry,) = st("st-score", "entail", "--summary", input=data).records
    found = entry["values"]["explanations.s_match"]
    assert (found["n"], found["mean"]) == (3, pytest.approx((1 / 2 + 0 + 1) / 3))
    assert entry["values"]["explanations.paired.s_match"]["n"] == 2
    assert (entry["n_missing"], entry["n_empty"]) == (3, 1)
    table = st("st-score", "entail", "--table", input=data).out.decode()
    assert "s: explanations that the system lacks, counted as 0: 3" in table and "weaknesses" not in table


def test_a_system_without_experiments_scores_0_even_if_nobody_judged_it():
    judged = {"system": "s", "candidates": entailed(True), "references": entailed(True)}
    experiments = [{"system": "s", "items": [{"id": "0", "text": "an experiment"}]}, {"system": "silent", "items": []},
                   {"system": "new", "items": [{"id": "0", "text": "another"}]}]  # fmt: skip
    record = {"experiments": [{"id": "0", "text": "a test"}], "judgements": {"entail": [judged]},
              "generated": {"experiments": experiments}}  # fmt: skip
    found = entries(record, "entail")
    assert set(found["silent"]["values"].values()) == {0.0} and found["silent"]["n_empty"] == 1
    assert set(found["new"]["reasons"].values()) == {"no judgements of this system"}
    nothing = entries({**record, "experiments": [], "judgements": {"entail": [{**judged, "references": []}]}}, "entail")
    assert set(nothing["s"]["reasons"].values()) == {"no references"}


# Decisions.


def test_equations_count_an_unreadable_answer_as_the_wrong_one():
    options = [
        {"correct": True, "answer": None},
        {"correct": False, "answer": None},
        {"correct": False, "answer": False},
    ]
    found = values({"judgements": {"equation": [{"system": "s", "options": options}]}}, "equations")
    assert [found[name] for name in ("tp", "fp", "fn", "tn", "unparsed")] == [0, 1, 1, 1, 2]
    assert found["precision"] == 0 and found["all_positive.recall"] == 1


def test_every_review_has_an_entry_with_both_prompts_and_both_ensembles():
    found = entries(records(JUDGED)[0], "review")
    assert list(found) == ["critic:r1", "critic:r2"]
    first = found["critic:r1"]["values"]  # deficient 1, 4; labelled 1, 2; selected 1, 4
    assert (first["labeling-all.precision"], first["labeling-all.recall"]) == (0.5, 0.5)
    assert (first["select-deficient.precision"], first["select-deficient.recall"]) == (1, 1)
    assert (first["both-no.precision"], first["both-no.recall"]) == (1, 0.5)
    assert (first["either-no.precision"], first["either-no.recall"]) == (pytest.approx(2 / 3), 1)
    assert found["critic:r2"]["values"]["select-deficient.f1"] == 0, "as published, never undefined"
    counted = entries(records(JUDGED)[2], "review")["critic:r1"]
    assert counted["n_none_deficient"] == 1 and "n_none_deficient" not in found["critic:r1"]
    assert first["select-deficient.rouge1"] == 0, "selected without an explanation"
    people, model = "The claim of novelty cites nothing.", "It cites nothing for the claim of novelty."
    expected = RougeScorer(["rouge2"], use_stemmer=True).score(people, model)["rouge2"].fmeasure
    assert first["labeling-all.rouge2"] == pytest.approx(expected)


def test_a_prompt_that_was_not_used_is_null_and_so_are_the_ensembles():
    segments = [{"deficient": True, "answers": {"labeling-all": {"deficient": True}}}]
    record = {"judgements": {"review": [{"system": "s", "reviews": [{"id": "r", "segments": segments}]}]}}
    entry = entries(record, "review")["s:r"]
    assert entry["values"]["labeling-all.f1"] == 1
    assert entry["reasons"]["select-deficient.f1"] == entry["reasons"]["both-no.f1"] == "no answers of select-deficient"


# Spans and extraction.


def test_spans_by_hand():
    record = {"claims": ["abcd", "xy"], "generated": {"claims": [{"system": "s", "items": ["abce", "xy", "q"]}]}}
    found = values(record, "spans")
    assert found["edit"] == pytest.approx(2 * (0.75 + 1) / 5) and found["exact"] == pytest.approx(2 / 5)


def test_extraction_joins_the_items_and_counts_words():
    record = {
        "gold": {"limitations": "One valley. Two summers."},
        "limitations": [{"text": "One valley."}, {"text": "Nets."}],
    }
    found = values(record, "extraction")
    assert (found["precision"], found["recall"]) == (pytest.approx(2 / 3), pytest.approx(2 / 4))


# From outside.


def test_metrics_are_chosen_by_what_a_record_holds_and_everything_else_passes_through():
    result = st("st-score", input=jsonl({**records(LIMITATIONS)[0], "mine": {"ö": [1, None]}}, records(JUDGED)[1]))
    assert result.status == 0, result.err
    first, second = ({entry["metric"] for entry in record["scores"]} for record in result.records)
    assert first == {"match", "soft", "extraction"} and second == {"facets", "entail", "equations", "review"}
    assert result.records[0]["mine"] == {"ö": [1, None]}
    given = records(LIMITATIONS)[0]
    assert {key: result.records[0][key] for key in given} == given
    assert b"NaN" not in result.out


def test_split_input_and_several_processes_give_the_same_bytes():
    whole = st("st-score", "match", "soft", LIMITATIONS).out
    assert whole == b"".join(
        io.dumps(score.score(record, ["match", "soft"])) + b"\n" for record in records(LIMITATIONS)
    )
    assert whole == st("st-score", "match", "soft", "--jobs", "2", LIMITATIONS).out


def test_the_list_needs_no_input_and_names_every_metric():
    text = st("st-score", "--list").out.decode()
    assert all(f"\n{name}\n  needs" in f"\n{text}" for name in METRICS)
    assert "judgements.match" in text and "judgements.review" in text


def test_a_word_is_what_the_list_says():
    said = "runs of letters, digits and underscores of the lower-cased text, in any script"
    for text in (st("st-score", "--list").out.decode(), (ROOT / "docs" / "score.md").read_text()):
        assert "BLEU" in text and "Jaccard" in text
        assert said in " ".join(text.split()) or said.replace("runs", "run") in " ".join(text.split())
    found = pair("State-of-the-art Müller's 人工知能 x_1!", "state of the ART; müller S, 人工知能. X_1")
    assert found["jaccard"] == found["token_f1"] == 1 and found["bleu"] == pytest.approx(1)
    assert pair("人工知能", "人工")["jaccard"] == 0, "a run without spaces is one word"
    assert pair("one two three", "one two three")["bleu"] == 0, "no run of four words"
    assert pair("人工知能", "人工知能")["rouge1"] is None and pair("a b", "a b")["count_cosine"] is None


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (
            ["text", "--candidate", "no.where"],
            3,
            'st-score: -:1: no "no.where" (name another key with --candidate): the keys of the record are "id", "abstract"\n',
        ),
        (["equations", "--tp", "pairs"], 2, "st-score: --tp cannot be used with equations\n"),
        (["soft", "--embedder", "/nowhere/at all"], 2, None),
        (
            ["match", "--by", "year"],
            2,
            "st-score: --by needs --summary, --table, --csv, --compare, --runs or --median-of\n",
        ),
        (["soft", "--summary", "--itf-idf-threshold", "2"], 2, None),
    ],
)
def test_what_cannot_be_is_one_line(args, status, message):
    result = st("st-score", *args, input=jsonl({"id": "x", "abstract": "Bees decline."}))
    assert (result.status, result.out.count(b"scores")) == (status, 0)
    assert result.err.count("\n") == 1 and (message is None or result.err == message)


def test_the_signature_changes_with_every_option_and_input():
    reference, candidate = "The nets biased the counts.", "Nets bias a count."
    record = {"gold": reference, "answer": candidate}
    base = entries(record, "text", reference="gold", candidate="answer")["answer"]["signature"]
    stemmed = entries(record, "text", reference="gold", candidate="answer", stemmer=True)["answer"]["signature"]
    changed = entries({**record, "gold": reference[:-1]}, "text", reference="gold", candidate="answer")["answer"]
    assert len({base, stemmed, changed["signature"]}) == 3
    assert "wordllama" in base and "rouge-score" in base and "rapidfuzz" in base
    marks = {entries(CHAIN, "match", tp=tp)["s"]["signature"] for tp in ("pairs", "one-to-one")}
    assert len(marks) == 2


_ANOTHER = "name another key with "
_RUN = "run {} first, or " + _ANOTHER


@pytest.mark.parametrize(
    ("metric", "path", "value", "said"),
    [
        *((metric, path, None, f'"{path}" is null ({made}--{called})') for metric, path, called, made in (
            ("match", "limitations", "reference", _ANOTHER), ("match", "generated", "candidate", _RUN.format("st-generate limitations")),
            ("match", "generated.limitations", "candidate", _RUN.format("st-generate limitations")),
            ("soft", "generated.weaknesses", "candidate", _ANOTHER), ("soft", "weaknesses", "reference", _ANOTHER),
            ("spans", "claims", "reference", _ANOTHER), ("spans", "generated.claims", "candidate", _RUN.format("st-claims extract")),
            ("text", "abstract", "reference", _ANOTHER), ("text", "summaries", "candidate", _ANOTHER))),
        ("match", "generated", {}, f'"generated" is empty ({_RUN.format("st-generate limitations")}--candidate)'),
        ("match", "generated.limitations.0.items", [{"text": None}], 'without a text: "text" is null'),
        ("match", "generated.limitations.0.items", [{}], "without a text: an entry without keys"),
        ("match", "generated.limitations.0.items", [{"id": "g", "txt": "A"}], 'without a text: an entry with "id", "txt"'),
        ("match", "generated.limitations.0.items", [7], "without a text: 7"),
        ("match", "generated.limitations.0.system", None, 'has a "system" that is not a text: null'),
        ("review", "judgements.review", None, 'no "judgements.review": run st-judge review first'),
        ("entail", "judgements.entail.0.references.0.id", "x", '"judgements.entail" has "x", which is not an item'),
    ],
)  # fmt: skip
def test_a_fault_says_what_is_wrong(metric: str, path: str, value: object, said: str) -> None:
    """Null was told as: no "limitations" (reference): the keys of the record are "id", "limitations", ..."""
    record = at = whole_record(1)
    *before, last = path.split(".")
    for key in before:
        at = at[int(key) if key.isdigit() else key]
    at[last] = value
    (made,) = st("st-score", metric, input=jsonl(record)).records
    assert said in made["errors"][-1]["reason"]
