"""From claims, weaknesses and labels of several authors to CLAIMCHECK's tables: st-agree, st-score, st-judge."""

from __future__ import annotations

import json
import random
import re
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from rapidfuzz.distance.Levenshtein import normalized_similarity
from scipy.optimize import linear_sum_assignment
from support.claims import fenced
from support.run import ROOT, jsonl, st
from support.server import Server
from support.spans import check_spans

RATINGS = ROOT / "fixtures" / "claims-ratings.jsonl"
SPANS = ROOT / "fixtures" / "claims-spans.jsonl"
ROWS = [json.loads(line) for line in RATINGS.read_text().splitlines()]
MARKED = [json.loads(line) for line in SPANS.read_text().splitlines()]
MODEL = ("--model", "openai/mock")
ORDINAL = ("agreement", "objectivity")


# Table 2: alpha of every label in one run, with and without the model


def alpha_by_hand(label: str, without: str | None) -> float | None:
    rows = [row for row in ROWS if row["label"] == label and row["rater"] != without]
    raters, items = (sorted({row[key] for row in rows}) for key in ("rater", "item"))
    given = {(row["rater"], row["item"]): row["value"] for row in rows}
    table = [[given.get((rater, item), np.nan) for item in items] for rater in raters]
    if len(set(given.values())) < 2:
        return None
    return krippendorff.alpha(table, level_of_measurement="ordinal" if label in ORDINAL else "nominal")


def test_alpha_of_every_label_in_one_run_with_and_without_the_model():
    levels = [part for label in ORDINAL for part in ("--level-of", f"{label}=ordinal")]
    done = st("st-agree", "alpha", *levels, "--without", "gpt", "--ci", "--cluster", "paper", RATINGS)
    assert done.status == 0, done.err
    assert len({row["label"] for row in ROWS}) == 8 and len(done.records) == 16
    for entry in done.records:
        wanted = alpha_by_hand(entry["label"], entry.get("without"))
        assert entry["value"] == (None if wanted is None else pytest.approx(wanted))
        assert entry["level"] == ("ordinal" if entry["label"] in ORDINAL else "nominal")
        assert entry["n_items"] == 14
    both = {(entry["label"], "without" in entry): entry for entry in done.records}
    for label in {row["label"] for row in ROWS}:
        whole, rest = both[label, False], both[label, True]
        if whole["value"] is None:
            assert label == "other" and rest["difference"]["reason"]
            continue
        found = rest["difference"]
        assert found["value"] == pytest.approx(whole["value"] - rest["value"])
        assert found["low"] is None is found["high"] and "3 clusters, fewer than the 40" in found["reason"]
        assert 0 < found["p"] <= 1 and found["test"] == "permutation of raters" and found["n_drawn"] == 3


@pytest.mark.parametrize("text", ["agreement", "agreement=cardinal", "=ordinal", "nowhere=ordinal"])
def test_levels_of_labels_that_cannot_be(text):
    assert st("st-agree", "alpha", "--level-of", text, RATINGS).status == 2
    assert st("st-agree", "alpha", "--level-of", "agreement=ordinal", "--pooled", RATINGS).status == 2


# Section 3.4: F1 of spans, both ways, per pair, per rater and of all


def f1_by_hand(label: str, exact: bool, raters: list[str]) -> tuple[float, dict[str, float]]:
    """The pooled F1 of all pairs, and each rater's mean over its pairs."""
    given = {(row["rater"], row["item"]): row["value"] for row in MARKED if row["label"] == label}
    items = sorted({item for _, item in given})
    pairs = {}
    for pair in combinations(raters, 2):
        above = below = 0.0
        for item in items:
            first, second = (given[rater, item] for rater in pair)
            if first and second:
                table = np.array(
                    [[float(a == b) if exact else normalized_similarity(a, b) for b in second] for a in first]
                )
                above += table[linear_sum_assignment(table, maximize=True)].sum()
            below += len(first) + len(second)
        pairs[pair] = (2 * above, below)
    pooled = sum(above for above, _ in pairs.values()) / sum(below for _, below in pairs.values())
    means = {
        rater: float(np.mean([above / below for pair, (above, below) in pairs.items() if rater in pair]))
        for rater in raters
    }
    return pooled, means


@pytest.mark.parametrize(("label", "n_raters", "n_items"), [("weaknesses", 6, 5), ("targets", 6, 14)])
def test_span_f1_both_ways_with_the_individual_means(label, n_raters, n_items):
    done = st("st-agree", "spans", "--where", f"label={label}", SPANS)
    raters = sorted({row["rater"] for row in MARKED if row["label"] == label})
    assert len(raters) == n_raters
    for entry in done.records:
        pooled, means = f1_by_hand(label, entry["measure"] == "exact", raters)
        if "rater" in entry:
            assert entry["mean_of_pairs"] == pytest.approx(means[entry["rater"]])
        elif entry["raters"] is None:
            assert entry["value"] == pytest.approx(pooled) and entry["n_items"] == n_items


def test_the_table_shows_the_mean_of_pairs_and_the_change_with_its_p():
    line = (
        "st-agree",
        "spans",
        "--where",
        "label=targets",
        "--without",
        "gpt",
        "--ci",
        "--table",
        SPANS,
    )
    table = st(*line).out.decode()
    _, means = f1_by_hand("targets", False, sorted({row["rater"] for row in MARKED if row["label"] == "targets"}))
    assert re.search(rf"mean of pairs with gpt\s+{means['gpt']:.3f}", table)
    assert re.search(r"all less without gpt\s+-0\.\d+, p=\d\.\d+", table)
    assert "no interval of the difference: 14 items, fewer than the 40" in table


def test_a_report_has_what_the_coefficients_have():
    levels = ("--level-of", "objectivity=ordinal", "--level-of", "agreement=ordinal", "--without", "gpt")
    found = {one["label"]: one for one in st("st-agree", "report", *levels, "--cluster", "paper", RATINGS).records}
    alphas = st("st-agree", "alpha", *levels, "--ci", "--cluster", "paper", RATINGS).records
    for one in alphas:
        report = found[one["label"]]
        if "without" in one:
            [change] = report["changes"]
            assert (change["rater"], change["without"], change["difference"]) == (
                "gpt",
                one["value"],
                one["difference"],
            )
        else:
            assert (report["value"], report["interval"]) == (one["value"], one["interval"])
    kappas = st("st-agree", "kappa", "--weights", "quadratic", "--where", "label=agreement", RATINGS).records
    assert found["agreement"]["kappa"] == pytest.approx(kappas[-1]["value"])
    assert found["other"]["value"] is None and found["other"]["least_detectable"] is None
    assert found["agreement"]["pairs"][0]["n_differ"] == 12 and found["agreement"]["least_detectable"] > 0.3
    assert st("st-agree", "report", "--level-of", "nothing=ordinal", RATINGS).status == 2


# st-score: targets, labels, runs


def target(text: str, custom: bool = False) -> dict:
    return {
        "claim": None if custom else text,
        "custom": custom,
        "text": text,
        "spans": [{"in": "s1", "start": 0, "end": 1}],
    }


def entry(system: str, *texts: str | dict) -> dict:
    return {"system": system, "items": [one if isinstance(one, dict) else target(one) for one in texts]}


def record(name: str, *weaknesses: list[dict]) -> dict:
    return {
        "id": name,
        "abstract": "x",
        "weaknesses": [
            {"id": f"w{number}", "review": "r", "text": "t", "targets": targets}
            for number, targets in enumerate(weaknesses)
        ],
    }


# The reference has the claim for w0; s0 gives it to w1, s42 to w0, s2025 to neither.
RUNS = [
    record("p", [entry("gold", "A claim."), entry("s0"), entry("s42", "A claim."), entry("s2025")],
           [entry("gold"), entry("s0", "A claim."), entry("s42"), entry("s2025")]),
    record("q", [entry("gold", "abcd"), entry("s0", "abcd"), entry("s42", "abce"), entry("s2025", target("abcd", True))],
           [entry("gold", "xy", "zw"), entry("s0", "xy"), entry("s42"), entry("s2025", "xy", "zw")]),
]  # fmt: skip


def scored(*arguments: str, records: list[dict] = RUNS, status: int = 0) -> list[dict]:
    done = st("st-score", *arguments, input=jsonl(*records))
    assert done.status == status, done.err
    return done.records


def test_targets_are_compared_weakness_by_weakness():
    values = {(one["id"], score["system"]): score for one in scored("targets") for score in one["scores"]}
    assert values["p", "s0"]["values"]["f1_exact"] == 0.0 and values["p", "s0"]["values"]["f1_edit"] == 0.0
    assert values["p", "s42"]["values"]["f1_exact"] == 1.0
    assert values["q", "s42"]["values"]["f1_edit"] == pytest.approx(2 * 0.75 / 4)
    assert values["q", "s2025"]["values"]["custom"] == pytest.approx(1 / 3)
    assert values["p", "s0"]["values"]["targeted.f1_exact"] == 0.0
    assert values["q", "s0"]["weaknesses"] == [
        {"weakness": "w0", "edit_sum": 1.0, "exact_sum": 1.0, "offset_sum": 1.0, "n_reference": 1.0, "n_given": 1.0},
        {"weakness": "w1", "edit_sum": 1.0, "exact_sum": 1.0, "offset_sum": 1.0, "n_reference": 2.0, "n_given": 1.0},
    ]


def test_weaknesses_without_the_reference_are_counted():
    made = record("p", [entry("gold", target("A claim.", True)), entry("m", target("A claim.", True))])
    made["weaknesses"].append({**made["weaknesses"][0], "id": "w9", "targets": [entry("m", target("A claim.", True))]})
    [one] = scored("targets", "--summary", records=[made])
    assert one["n_unreferenced"] == 1 and one["values"]["n_reference"]["mean"] == 1.0


def test_places_that_decide_are_told():
    """One system always takes the first of its list in both orders, another the same claims whatever their place."""
    claims = [{"id": f"c{n}", "by": "b", "text": f"Claim {n}.", "spans": [{"in": "abstract", "start": n, "end": n + 1}]}
              for n in range(4)]  # fmt: skip

    def chosen(system: str, given: int, back: int, flips: float) -> dict:
        votes = [
            {"order": order, "targets": ["c"], "ranks": [rank]}
            for order, rank in (("given", given), ("reversed", back))
        ]
        return {**entry(system, target("A claim.", True)), "votes": votes, "flips": flips}

    made = {
        **record("p", [entry("gold", target("A claim.", True)), chosen("first", 1, 1, 1.0), chosen("fair", 1, 4, 0.0)]),
        "claims": claims,
    }
    found = {one["system"]: one["corpus"] for one in scored("targets", "--summary", records=[made])}
    shares = {
        name: (one["position.first_half"]["value"], one["position.flips"]["value"]) for name, one in found.items()
    }
    assert shares == {"first": (1.0, 1.0), "fair": (0.5, 0.0)}
    assert all("position.flips" not in one["corpus"] for one in scored("targets", "--summary"))


@pytest.mark.slow
def test_pooled_targets_are_those_of_two_raters():
    """What st-agree says of the reference and a system, each weakness an item."""
    summary = {one["system"]: one for one in scored("targets", "--summary")}
    rows = [
        {
            "item": f"{one['id']}/{weakness['id']}",
            "rater": given["system"],
            "value": [item["text"] for item in given["items"]],
        }
        for one in RUNS
        for weakness in one["weaknesses"]
        for given in weakness["targets"]
    ]
    pairs = {
        (tuple(one["raters"]), one["measure"]): one["value"]
        for one in st("st-agree", "spans", input=jsonl(*rows)).records
        if one.get("raters")
    }
    for system in ("s0", "s42", "s2025"):
        for measure in ("edit", "exact"):
            value = summary[system]["corpus"][f"f1_{measure}"]["value"]
            assert value == pytest.approx(pairs[tuple(sorted(["gold", system])), measure])
    assert summary["s0"]["corpus"]["has_target.accuracy"]["value"] == pytest.approx(2 / 4)


def test_runs_are_averaged_and_never_pooled():
    found = scored("targets", "--runs", "s0,s42,s2025")
    [runs] = [one for one in found if "runs" in one]
    each = [one["corpus"]["f1_exact"]["value"] for one in found if "runs" not in one]
    assert runs["corpus"]["f1_exact"]["mean"] == pytest.approx(np.mean(each))
    assert runs["corpus"]["f1_exact"]["sd"] == pytest.approx(np.std(each, ddof=1)) and runs["n"] == 3
    assert (runs["corpus"]["f1_exact"]["min"], runs["corpus"]["f1_exact"]["max"]) == (min(each), max(each))
    above = below = 0
    for one in RUNS:
        for weakness in one["weaknesses"]:
            gold, *others = [{item["text"] for item in given["items"]} for given in weakness["targets"]]
            above += sum(2 * len(gold & other) for other in others)
            below += sum(len(gold) + len(other) for other in others)
    assert runs["corpus"]["f1_exact"]["mean"] != pytest.approx(above / below)
    table = st("st-score", "targets", "--runs", "s0,s42,s2025", "--table", input=jsonl(*RUNS)).out.decode()
    assert "runs s0, s42, s2025" in table and "SD" in table
    rows = st("st-score", "targets", "--runs", "s0,s42", "--csv", input=jsonl(*RUNS)).out.decode().splitlines()
    assert rows[0] == "metric,runs,by,value,n,mean,sd,min,max,reasons"


def test_runs_that_are_one_run_are_told():
    """The spread of one run under several names is no spread."""
    records = json.loads(json.dumps(RUNS))
    for one in records:
        for weakness in one["weaknesses"]:
            weakness["targets"] += [
                {**given, "system": "copy"} for given in weakness["targets"] if given["system"] == "s0"
            ]
    told = "runs s0, copy are identical in all that is scored"
    for form in ("--table", "--csv"):
        assert told in st("st-score", "targets", form, "--runs", "s0,copy,s42", input=jsonl(*records)).out.decode()
        assert (
            "identical" not in st("st-score", "targets", form, "--runs", "s0,s42", input=jsonl(*records)).out.decode()
        )
    [runs] = [one for one in scored("targets", "--runs", "s0,copy,s42", records=records) if "runs" in one]
    assert runs["identical"] == [["s0", "copy"]]


@pytest.mark.parametrize("names", ["s0", "s0,s0", "s0,", "s0,nobody"])
def test_runs_that_cannot_be(names):
    assert st("st-score", "targets", "--runs", names, input=jsonl(*RUNS)).status == 2


def test_runs_of_different_records_are_refused():
    records = json.loads(json.dumps(RUNS))
    for weakness in records[1]["weaknesses"]:
        weakness["targets"] = [one for one in weakness["targets"] if one["system"] != "s42"]
    done = st("st-score", "targets", "--table", "--runs", "s0,s42", input=jsonl(*records))
    assert done.status == 2 and "s0 has 2, s42 1, both 1" in done.err


def test_a_missing_answer_is_counted_and_is_no_silence():
    lost = json.loads(json.dumps(RUNS[:1]))
    lost[0]["weaknesses"][0]["targets"][1]["items"] = None
    [one] = scored("targets", records=lost, status=1)
    s0 = next(score for score in one["scores"] if score["system"] == "s0")
    assert s0["n_unjudged"] == 1 and s0["values"]["n_reference"] == 0.0


def test_other_names_of_the_reference():
    assert st("st-score", "targets", "--reference", "anna", input=jsonl(*RUNS)).status == 3
    [one] = [one for one in scored("targets", "--reference", "s42", "--candidate", "s0")][:1]
    assert [score["system"] for score in one["scores"]] == ["s0"]


def labels(system: str, objectivity: int | None, agreement: int | None, *types: str) -> dict:
    return {"system": system, "objectivity": objectivity, "agreement": agreement, "types": list(types) or None}


LABELLED = {
    "id": "p",
    "weaknesses": [
        {
            "id": "a",
            "review": "r",
            "text": "t",
            "labels": [labels("gold", 1, 5, "novelty"), labels("m", 2, 5, "novelty", "other")],
        },
        {
            "id": "b",
            "review": "r",
            "text": "t",
            "labels": [labels("gold", 4, 3, "other"), labels("m", 4, None, "novelty")],
        },
        {"id": "c", "review": "r", "text": "t", "labels": [labels("gold", 4, 3, "other")]},
    ],
}


def test_labels_by_hand():
    [one] = scored("labels", records=[LABELLED])
    [score] = one["scores"]
    values = score["values"]
    assert (values["objectivity.equal"], values["objectivity.mae"], values["agreement.equal"]) == (0.5, 0.5, 1.0)
    assert (values["novelty.precision"], values["novelty.recall"]) == (0.5, 1.0)
    assert (values["other.precision"], values["other.recall"], values["other.f1"]) == (0.0, 0.0, 0.0)
    assert values["clarity.f1"] is None and score["n_missing"] == 1
    [pooled] = scored("labels", "--summary", records=[LABELLED, {**LABELLED, "id": "q"}])
    assert pooled["corpus"]["novelty.precision"]["value"] == 0.5 and pooled["corpus"]["objectivity.mae"]["value"] == 0.5


# Edits, judges


def edited(*pairs: tuple[str, str | None]) -> dict:
    return {
        "id": "p",
        "abstract": "A.",
        "reviews": [{"id": "r", "text": " ".join(original for original, _ in pairs)}],
        "weaknesses": [
            {"id": f"w{number}", "review": "r", "text": original, "edited": [{"system": "m", "text": revised}],
             "targets": [{"system": "gold", "items": []}]}
            for number, (original, revised) in enumerate(pairs)
        ],
    }  # fmt: skip


EDITED = edited(
    ("In Table 2, line 78, 'x' is wrong.", "It is wrong in Table 9."),
    ("The claims are overstated.", "The claims are overstated."),
    ("Lost.", None),
)


def test_edits_by_hand():
    [one] = scored("edits", records=[EDITED], status=1)
    [score] = one["scores"]
    values = score["values"]
    assert (values["unchanged"], values["n"], score["n_unjudged"]) == (0.5, 2.0, 1)
    assert [values[f"anchors.{name}"] for name in ("kept", "lost", "added", "unfounded")] == [0.0, 3.0, 1.0, 1.0]
    # In: in table 2 line 78 x is wrong; it is wrong in table 9: 5 shared of 8 and 6... and 1.
    shared = 2 * len({"in", "table", "is", "wrong"}) / (8 + 6)
    assert values["rouge1"] == pytest.approx((shared + 1) / 2)


def judge(messages: list[dict]) -> str:
    prompt = messages[-1]["content"]
    if "more specific feedback" in prompt:
        return json.dumps({"more_specific": "first"})
    return json.dumps({"verdict": "same" if "nothing but" in prompt else "similar"})


def verification(name: str, side: str, text: str, start: int, **more) -> dict:
    claim = {"id": f"c{start}", "text": f"{start}", "spans": [{"in": "abstract", "start": start, "end": start + 1}]}
    about = {"weakness": f"w{start}"} if side == "reviewer" else {}
    return {"id": name, "system": "m", "side": side, "claim": claim, "text": text, "evidence": [], **about, **more}


VERIFIED = {
    "id": "p",
    "abstract": "0123456789",
    "verifications": [
        verification("v1", "reviewer", "Too few runs.", 0),
        verification("v2", "reviewer", "It is nothing but noise.", 1),
        verification("v3", "model", "One run only.", 0),
        verification("v4", "model", "It is nothing but noise.", 1),
        verification("v5", "model", "Fine.", 2, control=True),
        verification("v6", "model", None, 3),
    ],
}


def test_same_issue_in_both_orders_without_names(tmp_path):
    with Server(answer=judge) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "c")}
        done = st("st-judge", "same-issue", *MODEL, input=jsonl(VERIFIED), env=env)
        # The pair of equal texts is one question in both orders.
        assert done.status == 1 and server.requests == 3
        assert "1 of 6 verifications is null and left out" in done.err
        assert not any("openai" in str(body["messages"]) or "model:" in str(body["messages"]) for body in server.bodies)
    [judged] = done.records[0]["judgements"]["same_issue"]
    assert [(pair["reviewer"], pair["model"], pair["verdict"]) for pair in judged["pairs"]] == [
        ("v1", "v3", "similar"),
        ("v2", "v4", "same"),
    ]
    assert judged["report"]["by_order"]["reviewer-first"] == judged["report"]["by_order"]["model-first"]
    [pooled] = st("st-score", "same-issue", "--summary", input=done.out).records
    assert pooled["corpus"]["same"]["value"] == 0.5 and pooled["corpus"]["different"]["value"] == 0.0


def test_controls_tell_how_good_the_judge_is(tmp_path):
    """A judge to whom all is similar is right on no control; one that compares texts is right on all."""
    more = verification("v7", "model", "Few runs.", 0) | {"system": "n"}
    record = {**VERIFIED, "verifications": [*VERIFIED["verifications"], more]}
    usual = judge

    def compare(messages: list[dict]) -> str:
        first, second = (part.split("Evidence:")[0].strip() for part in fenced(messages[-1]["content"])[-2:])
        return json.dumps({"verdict": "same" if first == second else "different"})

    accuracy = {}
    for name, answer in (("similar", usual), ("compare", compare)):
        with Server(answer=answer) as server:
            env = {**server.environment, "ST_CACHE": str(tmp_path / name)}
            dry = st("st-judge", "same-issue", "--controls", "--dry-run", *MODEL, input=jsonl(record), env=env).records
            done = st("st-judge", "same-issue", "--controls", *MODEL, input=jsonl(record), env=env)
            assert done.status == 1, "one verification has no text"
            assert server.requests == dry[0]["dry_run"]["to_send"]
        judged = {one["system"]: one for one in done.records[0]["judgements"]["same_issue"]}
        assert all(len(one["controls"][0]["votes"]) == 2 for one in judged.values())
        found = scored("same-issue", "--summary", records=done.records)
        accuracy[name] = {one["system"]: one["corpus"]["controls.accuracy"]["value"] for one in found}
        assert judged["m"]["report"]["controls"]["same"]["pairs"] == 2 and judged["n"]["report"]["pairs"] == 1
    # The second side of the fixture is "nothing but noise", which the first judge takes for the same as itself.
    assert accuracy["compare"] == {"m": 1.0, "n": 1.0} and accuracy["similar"]["m"] < 0.5
    [record] = done.records
    controls = next(one["controls"] for one in record["judgements"]["same_issue"] if one["system"] == "m")
    for reason, n, status in (("a vote is missing", len(controls) - 1, 1), ("inconsistent", len(controls), 0)):
        controls[0] |= {"verdict": None, "reason": reason}
        [told] = scored("same-issue", records=[record], status=status)
        [scores] = [one for one in told["scores"] if one["system"] == "m"]
        counts = (scores["values"]["n_controls"], scores["values"]["n_controls_right"])
        assert counts == (n, len(controls) - 1), "an answer that is not there is no wrong one"


def test_two_weaknesses_in_the_same_words_are_no_pair_of_different_issues(tmp_path):
    others = [
        verification("v7", "reviewer", "too few  runs", 4),
        verification("v8", "model", "One run only.", 4),
        verification("v9", "reviewer", "TOO FEW RUNS.", 5),
        verification("v10", "model", "One run only.", 5),
    ]
    record = {**VERIFIED, "verifications": [*VERIFIED["verifications"][:1], *VERIFIED["verifications"][2:3], *others]}
    with Server(answer=judge) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "c")}
        done = st("st-judge", "same-issue", "--controls", *MODEL, input=jsonl(record), env=env)
    [made] = done.records
    [judged] = made["judgements"]["same_issue"]
    assert {pair["expected"] for pair in judged["controls"]} == {"same"} and "3 of 3 controls" in done.err


def test_a_judge_that_answers_by_place_settles_nothing(tmp_path):
    with Server(answer=judge) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "c")}
        both = st("st-judge", "specificity", *MODEL, input=jsonl(EDITED), env=env)
        assert both.status == 1 and server.requests == 2  # the unchanged one is a tie without a call
        one = st("st-judge", "specificity", "--orders", "1", *MODEL, input=jsonl(EDITED), env=env)
    [judged] = both.records[0]["judgements"]["specificity"]
    assert [(pair["winner"], pair.get("reason")) for pair in judged["pairs"]] == [
        (None, "inconsistent"),
        ("tie", "unchanged"),
    ]
    assert (judged["report"]["first_wins"], judged["report"]["votes_with_winner"]) == (2, 2)
    assert one.records[0]["judgements"]["specificity"][0]["pairs"][0]["winner"] == "original"
    [pooled] = st("st-score", "specificity", "--summary", input=both.out).records
    assert pooled["corpus"]["tie"]["value"] == 1.0 and pooled["corpus"]["undecided"]["value"] == 0.5
    assert pooled["corpus"]["position.flips"]["value"] == pooled["corpus"]["position.first"]["value"] == 1.0
    assert pooled["corpus"]["sign_test_p"]["value"] is None


def test_controls_of_specificity_have_a_known_winner(tmp_path):
    """A judge that answers by place is wrong on every control; one that prefers what names a place is right on all."""

    def compare(messages: list[dict]) -> str:
        first, second = fenced(messages[-1]["content"])[-2:]
        named = ["Table" in one or "table" in one for one in (first, second)]
        said = "tie" if named[0] == named[1] else "first" if named[0] else "second"
        return json.dumps({"more_specific": said, "confidence": 5})  # a key more costs nothing

    for name, answer, right in (("by-place", judge, 0.0), ("compare", compare, 1.0)):
        with Server(answer=answer) as server:
            env = {**server.environment, "ST_CACHE": str(tmp_path / name)}
            line = ("st-judge", "specificity", "--controls", *MODEL)
            counted = st(*line, "--dry-run", input=jsonl(EDITED), env=env).records[0]["dry_run"]["to_send"]
            made = st(*line, input=jsonl(EDITED), env=env)
            # Beside itself a weakness is the same question in both orders.
            assert server.requests == counted == 2 + 1 + 2, made.err
        [pooled] = scored("specificity", "--summary", records=made.records, status=1)  # a rewriting is lost
        values = {key: one["value"] for key, one in pooled["corpus"].items()}
        assert [values[f"controls.{part}"] for part in ("accuracy", "tie", "original")] == [right] * 3
        assert values["n_pairs"] == 2.0 and values["position.flips"] == 1.0 - right


def test_how_a_judge_leans_to_what_it_is_shown_first():
    """Of four pairs two are judged otherwise in the other order, and "same" is said more often with the reviewer first."""
    said = [("same", "same"), ("same", "similar"), ("same", "different"), ("different", "different")]
    pairs = [
        {
            **{"claim": "c", "reviewer": f"v{place}", "model": f"m{place}", "verdict": None, "reason": "inconsistent"},
            "votes": [
                {"order": f"{side}-first", "verdict": verdict} for side, verdict in zip(("reviewer", "model"), both)
            ],
        }
        for place, both in enumerate(said)
    ]
    lost = {**pairs[0], "reviewer": "v9", "votes": [{"order": "reviewer-first", "verdict": "same"}]}
    judged = {"system": "m", "by": "j", "pairs": [*pairs, lost]}
    [found] = scored("same-issue", "--summary", records=[{"id": "p", "judgements": {"same_issue": [judged]}}])
    assert found["corpus"]["position.flips"]["value"] == 0.5
    assert found["corpus"]["position.same_gap"]["value"] == 0.5


@pytest.mark.parametrize(("task", "record"), [("same-issue", VERIFIED), ("specificity", EDITED)])
def test_judges_without_a_model_say_so(task, record):
    done = st("st-judge", task, input=jsonl(record))
    assert done.status == 4 and "needs a model" in done.err


def test_a_paper_of_which_no_claim_is_disputed_lacks_nothing(tmp_path):
    """About a third of weaknesses have no target: a record with none but these must not end a pipe with status 1."""
    quiet = {**EDITED, "id": "q", "weaknesses": [{"id": "w0", "review": "r", "text": "t", "targets": []}]}
    quiet["weaknesses"][0]["targets"] = [{"system": "gold", "items": []}]
    env = {"ST_CACHE": str(tmp_path / "c"), "OPENAI_API_KEY": "k"}  # nothing is asked
    for action, judge, metric in (("edit", "specificity", "edits"), ("verify", "same-issue", "verifications")):
        made = st("st-claims", action, *MODEL, input=jsonl(quiet), env=env)
        judged = st("st-judge", judge, *MODEL, input=made.out, env=env)
        scores = [st("st-score", name, input=judged.out) for name in (judge, metric)]
        assert [made.status, judged.status, *(one.status for one in scores)] == [0, 0, 0, 0], judged.err
        assert all(one.records[0]["scores"] == [] for one in scores)
    none = {**quiet, "weaknesses": []}
    for metric in ("targets", "labels", "edits"):
        assert st("st-score", metric, input=jsonl(none)).status == 0
    assert st("st-score", "edits", input=jsonl(quiet)).status == 3  # rewritings were never asked for


@pytest.mark.parametrize(
    ("task", "record", "name"),
    [
        ("same-issue", {**VERIFIED, "verifications": [*VERIFIED["verifications"], VERIFIED["verifications"][0]]}, "v1"),
        ("specificity", {**EDITED, "weaknesses": [*EDITED["weaknesses"], EDITED["weaknesses"][0]]}, "w0"),
    ],
    ids=["same-issue", "specificity"],
)
def test_votes_on_two_things_of_one_id_are_not_mixed(tmp_path, task, record, name):
    env = {"ST_CACHE": str(tmp_path / "c"), "OPENAI_API_KEY": "k"}  # nothing is asked
    done = st("st-judge", task, *MODEL, input=jsonl(record), env=env, is_described=False)
    assert done.status == 3 and f'duplicate "{name}"' in done.err


def test_published_shares_from_counts():
    """Tables 6 and section 4.2 from 115 pairs, over records of several sizes."""
    verdicts = ["different"] * 84 + ["similar"] * 23 + ["same"] * 8
    winners = ["revised"] * 23 + ["tie"] * 55 + ["original"] * 37
    records = []
    for number, start in enumerate(range(0, 115, 10)):
        issues = [
            {"claim": "c", "reviewer": "a", "model": "b", "verdict": one, "votes": []}
            for one in verdicts[start : start + 10]
        ]
        pairs = [{"weakness": "w", "winner": one, "votes": []} for one in winners[start : start + 10]]
        judged = {"same_issue": [{"system": "m", "pairs": issues}], "specificity": [{"system": "m", "pairs": pairs}]}
        records.append({"id": str(number), "judgements": judged})
    found = {one["metric"]: one["corpus"] for one in scored("same-issue", "specificity", "--summary", records=records)}
    shares = [round(100 * found["same-issue"][name]["value"], 1) for name in ("different", "similar", "same")]
    assert shares == [73.0, 20.0, 7.0]
    assert [round(100 * found["specificity"][name]["value"], 1) for name in ("win", "tie", "loss")] == [
        20.0,
        47.8,
        32.2,
    ]
    assert found["specificity"]["sign_test_p"]["value"] == pytest.approx(0.0924610, abs=1e-6)


# People's files


WEAK = {"id": "p", "abstract": "It is the first. It is fast.", "weaknesses": [
    {"id": "w1", "review": "r", "text": "Not the first."}, {"id": "w2", "review": "r", "text": "Slow."}],
    "claims": [{"id": "c1", "by": "b", "text": "It is the first.", "spans": [{"in": "abstract", "start": 0, "end": 16}]}]}  # fmt: skip


def from_file(tmp_path, action: str, text: str, *more: str, name: str = "people.csv"):
    (tmp_path / name).write_text(text)
    return st("st-claims", action, "--from", str(tmp_path / name), *more, input=jsonl(WEAK))


def test_labels_of_people_from_csv(tmp_path):
    text = "\ufeffpaper,weakness,rater,label,value\r\np,w1,anna,objectivity,4\r\np,w1,anna,agreement,\r\np,w1,anna,novelty,1\r\np,w1,ben,novelty,0\r\np,w1,ben,other,1\r\n"
    done = from_file(tmp_path, "label", text)
    assert done.status == 0, done.err
    first, second = done.records[0]["weaknesses"]
    assert [(one["system"], one["objectivity"], one["agreement"], one["types"]) for one in first["labels"]] == [
        ("anna", 4, None, ["novelty"]),
        ("ben", None, None, ["other"]),
    ]
    assert "labels" not in second


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("p,w1,anna,agreement,6", "1 to 5"),
        ("p,w1,anna,agreement,3.5", "1 to 5"),
        ("p,w1,anna,novelty,maybe", "0 or 1"),
        ("p,w1,anna,beauty,1", "not a label"),
        ("p,w1,,agreement,1", "rater"),
        ("p,w1,anna,agreement,1\np,w1,anna,agreement,1", "twice"),
        ("p,w1,anna,subjectivity,1", "two things"),
        ("p,w1,anna,novelty,1,as they say, it is old", "needs quotation marks"),
    ],
)
def test_rows_that_cannot_be_are_told_with_their_line(tmp_path, row, reason):
    done = from_file(tmp_path, "label", f"paper,weakness,rater,label,value\n{row}\n")
    assert done.status == 2 and reason in done.err and re.search(r"people\.csv:[23]:", done.err)


@pytest.mark.parametrize(
    "text", ["", "paper,weakness,rater,label,value\n", "paper,weakness,rater,label,value\np,w1,anna,novelty,\n"]
)
def test_a_sheet_that_nobody_filled_in_is_told(tmp_path, text):
    done = from_file(tmp_path, "label", text)
    assert done.status == 2 and "people.csv: no row has an answer" in done.err


def test_weaknesses_that_a_rater_left_blank_have_no_labels_of_theirs(tmp_path):
    text = "paper,weakness,rater,label,value\np,w1,anna,novelty,1\np,w2,anna,novelty,\np,w2,anna,agreement,\n"
    done = from_file(tmp_path, "label", text)
    assert '2 cells are blank and missing among the labels: "" (2)' in done.err
    assert "blank" not in from_file(tmp_path, "label", text, "--quiet").err
    assert done.status == 0 and [bool(one.get("labels")) for one in done.records[0]["weaknesses"]] == [True, False]


def test_a_target_that_is_a_candidate_but_for_capitals_is_the_candidate(tmp_path):
    text = "paper,weakness,rater,target\np,w1,gold,IT IS THE FIRST.\n"
    [item] = from_file(tmp_path, "associate", text).records[0]["weaknesses"][0]["targets"][0]["items"]
    assert (item["claim"], item["custom"]) == ("c1", False)
    twice = from_file(tmp_path, "associate", f"{text}p,w1,gold,c1\n")
    assert twice.status != 0 and 'duplicate "c1"' in twice.err


def test_subjectivity_has_a_declared_direction(tmp_path):
    text = "paper,weakness,rater,label,value\np,w1,anna,subjectivity,2\n"
    values = {
        direction: from_file(tmp_path, "label", text, "--subjectivity", direction).records[0]["weaknesses"][0][
            "labels"
        ][0]
        for direction in ("as-objectivity", "reversed")
    }
    assert {name: one["objectivity"] for name, one in values.items()} == {"as-objectivity": 2, "reversed": 4}


def test_targets_of_people_from_jsonl_are_scored(tmp_path):
    rows = [
        ("w1", "gold", "c1"),
        ("w1", "anna", "It is the first."),
        ("w2", "gold", "It is fast"),
        ("w2", "anna", " None "),
    ]
    text = "".join(json.dumps({"paper": "p", "weakness": w, "rater": r, "target": t}) + "\n" for w, r, t in rows)
    done = from_file(tmp_path, "associate", text, name="people.jsonl")
    assert done.status == 0, done.err
    first, second = done.records[0]["weaknesses"]
    assert [one["items"][0]["claim"] for one in first["targets"]] == ["c1", "c1"]
    assert second["targets"][0]["items"][0] == {
        "claim": None,
        "custom": True,
        "text": "It is fast.",
        "spans": [{"in": "abstract", "start": 17, "end": 28}],
    }
    assert second["targets"][1]["items"] == []
    [score] = scored("targets", records=done.records)[0]["scores"]
    assert (score["system"], score["values"]["f1_exact"]) == ("anna", pytest.approx(2 / 3))


def test_weaknesses_of_a_file_that_no_record_has_are_told(tmp_path):
    done = from_file(tmp_path, "label", "paper,weakness,rater,label,value\nq,w1,anna,agreement,3\n")
    assert done.status == 1 and "q/w1" in done.err


LABELS = "paper,weakness,rater,label,value"


def test_a_second_file_of_a_rater_adds_to_the_first(tmp_path):
    first = from_file(tmp_path, "label", f"{LABELS}\np,w1,anna,objectivity,4\np,w1,anna,novelty,1\n").records
    assert first[0]["weaknesses"][0]["labels"][0]["texts"]

    def again(rows: str, *records: dict):
        (tmp_path / "more.csv").write_text(f"{LABELS}\n{rows}")
        return st("st-claims", "label", "--from", str(tmp_path / "more.csv"), input=jsonl(*(records or first)))

    done = again("p,w1,anna ,agreement,2\np,w1, anna,other,0\n")
    [entry] = done.records[0]["weaknesses"][0]["labels"]
    assert done.status == 0 and entry["system"] == "anna"
    assert (entry["objectivity"], entry["agreement"], entry["types"]) == (4, 2, ["novelty"])
    for rows, reason in {
        "p,w1,anna,objectivity,3\n": "two values of objectivity: 4 before, 3 in the file",
        "p,w1,anna,other,1\n": "two values of other",
        "p,w1,Anna,agreement,1\n": "differ only in case or spaces",
    }.items():
        refused = again(rows)
        assert refused.status == 3 and reason in refused.err and "missing from the records" not in refused.err
    twice = again("p,w1,anna,agreement,2\n", *first, *first)
    assert twice.status == 1 and 'a second record of paper "p"' in twice.err
    assert twice.records[1]["weaknesses"][0]["labels"][0]["agreement"] is None
    edited = json.loads(json.dumps(first).replace("Not the first.", "Not the fastest."))
    assert "other texts" in again("p,w1,anna,agreement,2\n", *edited).err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{LABELS}\np,w1,anna,novelty,1\np,w2,Anna,novelty,1", "differ only in case"),
        (f"{LABELS}\np,w1,Gold,novelty,1", '"Gold" and "gold" differ only in case'),
        (f"{LABELS},label\np,w1,anna,novelty,1,other", 'two columns are "label"'),
        ("paper,weakness,rater,lable,value\np,w1,anna,novelty,1", 'no column is "lable": is it "label"?'),
        ("paper,weakness,rater,value\np,w1,anna,1", 'no "label"'),
        ("paper;weakness;rater;label;value\np;w1;anna;novelty;1", "separated by ';'"),
        (f"{LABELS},text\np,w1,anna,novelty,1,Slow.", '"text" is not that of weakness "w1"'),
    ],
)
def test_files_of_which_a_row_would_be_misread_are_refused(tmp_path, text, reason):
    done = from_file(tmp_path, "label", f"{text}\n")
    assert done.status in (2, 3) and reason in done.err


def test_people_and_models_do_not_replace_each_other(tmp_path):
    text = "paper,weakness,rater,target\np,w1,gold,c1\n"
    for line in (("associate", "--system", "gold"), ("weaknesses", "--rater", " Gold")):
        refused = st("st-claims", *line, input=jsonl(WEAK))
        assert refused.status == 2 and "is reserved for people's answers" in refused.err
    people = from_file(tmp_path, "associate", text.replace("gold", "anna")).records
    refused = st("st-claims", "associate", "--system", "anna", input=jsonl(*people))
    assert refused.status == 3 and "are by anna, not by builtin" in refused.err
    other = from_file(tmp_path, "associate", text.replace("c1", "none"), name="other.csv")
    assert other.status == 0
    (tmp_path / "run.csv").write_text(text.replace("gold", "s0"))
    run = st("st-claims", "associate", "--system", "s0", input=jsonl(WEAK)).records
    refused = st("st-claims", "associate", "--from", str(tmp_path / "run.csv"), input=jsonl(*run))
    assert refused.status == 3 and "are by builtin, not by s0" in refused.err


# Table 5 in one line: alpha of the labels of each run against the reference's


def labelled_records(seed: int) -> list[dict]:
    """Papers whose weaknesses gold and three runs labelled, drawn at random, with some answers missing."""
    drawn = random.Random(seed)
    types = ("novelty", "insufficient", "other")

    def given(system: str) -> dict:
        chosen = [name for name in types if drawn.random() < 0.5] or ["other"]
        return labels(system, drawn.randint(1, 5), drawn.choice([None, 2, 3, 4]), *chosen)

    return [
        {
            "id": f"p{paper}",
            "weaknesses": [
                {"id": f"w{n}", "review": "r", "text": "t", "labels": [given(name) for name in ("gold", "s0", "s1")]}
                for n in range(1 + paper % 4)
            ],
        }
        for paper in range(12)
    ]


def test_alpha_of_labels_is_that_of_st_agree_and_averaged_over_runs():
    records = labelled_records(3)
    found = scored("labels", "--runs", "s0,s1", records=records)
    each = {one["system"]: one["corpus"] for one in found if "runs" not in one}
    [runs] = [one for one in found if "runs" in one]
    ratings = [
        {"item": f"{one['id']}/{weakness['id']}", "paper": one["id"], "rater": side["system"], "label": label, "value": value}
        for one in records
        for weakness in one["weaknesses"]
        for side in weakness["labels"]
        if side["system"] != "s1"
        for label, value in (
            ("agreement", side["agreement"]),
            ("objectivity", side["objectivity"]),
            *((name, int(name in side["types"])) for name in ("novelty", "insufficient", "other", "clarity")),
        )
    ]  # fmt: skip
    levels = [part for label in ORDINAL for part in ("--level-of", f"{label}=ordinal")]
    whole = ("--ci", "--cluster", "paper")
    for entry in st("st-agree", "alpha", *levels, *whole, input=jsonl(*ratings)).records:
        ours = each["s0"][f"{entry['label']}.alpha"]
        assert ours["value"] == pytest.approx(entry["value"]) and ours["n"] == entry["n_items"]
        if entry["value"] is None:
            assert entry["label"] == "clarity" and ours["reason"] == "only one value occurs"
            continue
        assert ours["low"] <= ours["value"] <= ours["high"]
    kappas = {one["label"]: one["value"] for one in st("st-agree", "kappa", input=jsonl(*ratings)).records}
    assert each["s0"]["novelty.kappa"]["value"] == pytest.approx(kappas["novelty"])
    for name in ("agreement.alpha", "novelty.alpha", "objectivity.kappa"):
        values = [each[run][name]["value"] for run in ("s0", "s1")]
        assert runs["corpus"][name]["mean"] == pytest.approx(np.mean(values))
    assert runs["corpus"]["clarity.alpha"]["mean"] is None
    shuffled = scored("labels", "--runs", "s0,s1", records=records[::-1])
    assert [one["corpus"] for one in shuffled] == [one["corpus"] for one in found]


def test_tables_of_labels_show_the_whole_input_alone_with_alpha_first():
    line = ("st-score", "labels", "--runs", "s0,s1")
    table = st(*line, "--table", input=jsonl(*labelled_records(3))).out.decode()
    first, _, runs = table.partition("labels, runs s0, s1")
    rows = [row.split()[0] for row in first.splitlines()[2:] if row.strip()]
    assert rows[:2] == ["objectivity.alpha", "agreement.alpha"] and not any(row.endswith(".tp") for row in rows)
    assert "value over the whole input" in first and runs.splitlines()[2].startswith("objectivity.alpha")
    assert "clarity.precision" in first and first.count("nothing was counted") == 2  # a note for each run
    assert re.search(r"clarity.alpha,.*: null in 2 of 2 runs", runs)
    rows = st("st-score", "labels", "--csv", input=jsonl(*labelled_records(3))).out.decode()
    assert "corpus.objectivity.alpha" in rows and "objectivity.n_equal" in rows


def test_a_model_that_a_variable_names_does_not_stand_in_the_way_of_people(tmp_path):
    text = "paper,weakness,rater,label,value\np,w1,anna,agreement,3\n"
    (tmp_path / "people.csv").write_text(text)
    line = ("st-claims", "label", "--from", str(tmp_path / "people.csv"))
    done = st(*line, input=jsonl(WEAK), env={"ST_MODEL": "openai/mock"})
    assert done.status == 0 and done.records[0]["weaknesses"][0]["labels"][0]["agreement"] == 3
    for more in (MODEL, ("--images", "none"), ("--system", "x"), ("--targets", "gold"), ("--edit",)):
        refused = st(*line, *more, input=jsonl(WEAK), env={"ST_MODEL": "openai/mock"})
        assert refused.status == 2 and "--from" in refused.err


def test_rewritings_are_averaged_over_weaknesses_and_never_over_papers():
    """One paper has two weaknesses that stay as they are, another a single one of which no word stays."""
    changed = edited(("Alpha beta.", "Gamma delta."))
    records = [edited(("One two.", "One two."), ("Three.", "Three.")), {**changed, "id": "q"}]
    [found] = scored("edits", "--summary", records=records)
    assert found["corpus"]["rouge1"]["value"] == pytest.approx(2 / 3)
    assert found["values"]["rouge1"]["mean"] == pytest.approx(1 / 2)
    assert (found["corpus"]["unchanged"]["value"], found["corpus"]["n"]["value"]) == (pytest.approx(2 / 3), 3.0)
    assert "bertscore" not in found["corpus"]
    table = st("st-score", "edits", "--table", input=jsonl(*records)).out.decode()
    assert re.search(r"^rouge1 +0\.667", table, re.M) and "0.500" not in table.split("\n")[2]


# Weaknesses that people mark


REVIEWED = {
    "id": "p",
    "abstract": "We are the first. We are fast.",
    "reviews": [
        {"id": "r1", "text": "The claim to be first is wrong. It is slow, whatever they claim."},
        {"id": "r2", "text": "It is slow. It is slow."},
    ],
}
MARKS = """paper,review,rater,text,groundedness
p,r1,gold,The claim to be first is wrong.,5
p,r1,gold,"It is slow, whatever they claim.",4
p,r2,gold,none,
p,r1,anna,The claim to be first is wrong.,4
p,r2,anna,It is slow.,2
p,r1,ben,"It is slow, whatever",
"""


def marked(tmp_path, rows: str = MARKS, record: dict = REVIEWED):
    (tmp_path / "marks.csv").write_text(rows)
    return st("st-claims", "weaknesses", "--from", str(tmp_path / "marks.csv"), input=jsonl(record))


def test_weaknesses_of_people_are_spans_of_the_reviews(tmp_path):
    done = marked(tmp_path)
    assert done.status == 0, done.err
    [made] = done.records
    assert [(one["id"], one["by"], one["groundedness"]) for one in made["weaknesses"]] == [
        ("w1", "gold", 5),
        ("w2", "gold", 4),
    ]
    sets = {(one["rater"], one["review"]): one["items"] for one in made["annotations"]["weaknesses"]}
    assert (
        list(sets) == [("anna", "r1"), ("anna", "r2"), ("ben", "r1")] and sets["ben", "r1"][0]["groundedness"] is None
    )
    assert check_spans(made) == 5


def test_whoever_marks_nothing_may_rate_it(tmp_path):
    """The rating made a passage of "none", which stands in no review."""
    assert "p,r2,gold,none,\n" in MARKS
    done = marked(tmp_path, MARKS.replace("p,r2,gold,none,\n", "p,r2,gold,None,1\n"))
    assert done.status == 0, done.err
    assert done.records == marked(tmp_path).records


def test_weaknesses_are_compared_review_by_review(tmp_path):
    made = marked(tmp_path).records
    [scores] = [one["scores"] for one in scored("weaknesses", records=made)]
    values = {one["system"]: one["values"] for one in scores}
    # anna has one of two of r1, and one of r2 where the reference has none: one right of two and of two.
    assert values["anna"]["f1_exact"] == 2 * 1 / (2 + 2) and values["anna"]["f1_offset"] == 0.5
    assert (values["anna"]["groundedness.mae"], values["anna"]["groundedness.n"]) == (1.0, 1.0)
    # ben did not read r2; of 32 characters of one of the two of r1 he has 20.
    shared = len("It is slow, whatever") / len("It is slow, whatever they claim.")
    assert values["ben"]["f1_offset"] == pytest.approx(2 * shared / 3) and values["ben"]["f1_exact"] == 0.0
    assert {one["system"]: one.get("n_missing", 0) for one in scores} == {"anna": 0, "ben": 1}
    [pooled] = [one for one in scored("weaknesses", "--summary", records=made) if one["system"] == "anna"]
    assert pooled["corpus"]["f1_exact"]["value"] == 0.5 and pooled["corpus"]["groundedness.alpha"]["n"] == 1
    [other] = [one["scores"] for one in scored("weaknesses", "--reference", "anna", records=made)]
    assert [one["system"] for one in other] == ["ben"]


def test_equal_words_at_two_places_are_not_one_place(tmp_path):
    """r2 says one thing twice: by its words a rater who marks the second is right, by its place he is not."""
    [record] = marked(tmp_path, "paper,review,rater,text\np,r2,gold,It is slow.\np,r2,anna,It is slow.\n").records
    [anna] = record["annotations"]["weaknesses"][0]["items"]
    anna["spans"] = [{"in": "review:r2", "start": 12, "end": 23}]
    [score] = scored("weaknesses", records=[record])[0]["scores"]
    assert (score["values"]["f1_exact"], score["values"]["f1_offset"]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("rows", "status", "reason"),
    [
        ("p,r1,anna,It is not there.,3", 3, "anna marks what is not in review"),
        ("p,r1,anna,It is slow,6", 2, "1 to 5"),
        ("p,r1,anna,be,3", 3, "too short to be a claim or a weakness"),
        ("p,,anna,It is slow,3", 2, '"review"'),
        ("p,r1,anna,none,\np,r1,anna,It is slow,3", 2, "has both a weakness and"),
        ("p,r9,anna,It is slow,3", 1, "p/r9"),
        ("p,r1,anna,It is slow,3\np,r1,anna,It is  slow,3", 2, "the same passage of p/r1 twice"),
    ],
)
def test_marks_that_cannot_be_are_told(tmp_path, rows, status, reason):
    done = marked(tmp_path, f"paper,review,rater,text,groundedness\n{rows}\n")
    assert done.status == status and reason in done.err


def test_a_second_file_of_marks_adds_to_the_first(tmp_path):
    header = "paper,review,rater,text,groundedness\n"
    [whole] = marked(tmp_path).records
    for rater in ("gold", "anna"):
        rows = [row for row in MARKS.splitlines() if f",{rater}," in row]
        [first] = marked(tmp_path, header + "\n".join(row for row in rows if ",r1," in row)).records
        done = marked(tmp_path, header + "\n".join(rows), first)
        assert done.status == 0, done.err
        if rater == "gold":
            assert done.records[0]["weaknesses"] == whole["weaknesses"]
        else:
            sets = {one["review"]: one["items"][0]["id"] for one in done.records[0]["annotations"]["weaknesses"]}
            assert sets == {"r1": "w1", "r2": "w2"}
        other = marked(tmp_path, f"{header}p,r1,{rater},It is slow,3\n", first)
        assert other.status == 3 and "something else in review" in other.err
    built_in = st("st-claims", "weaknesses", input=jsonl(whole))
    assert built_in.status == 3 and "which a person marked" in built_in.err


def test_where_nobody_marked_a_method_does_not_speak_for_people(tmp_path):
    """Of three reviews of two papers "gold" read one: what the built-in method finds in the others is no reference."""
    built_in = st("st-claims", "weaknesses", input=jsonl(REVIEWED, {**REVIEWED, "id": "q"})).records
    assert [one["weaknesses_by"] for record in built_in for one in record["reviews"]] == ["builtin"] * 4
    rows = [*(row for row in MARKS.splitlines() if "gold" not in row), "q,r1,anna,It is slow,3"]
    (tmp_path / "people.csv").write_text("\n".join(rows))
    from_people = ("st-claims", "weaknesses", "--from", str(tmp_path / "people.csv"))
    alone = st(*from_people, input=jsonl(*built_in))
    refused = st("st-score", "weaknesses", input=alone.out)
    assert refused.status == 3 and "there are those of builtin, anna, ben" in refused.err
    against = st("st-score", "weaknesses", "--reference", "builtin", "--summary", input=alone.out)
    assert against.status == 0 and {one["system"] for one in against.records} == {"anna", "ben"}
    (tmp_path / "people.csv").write_text("\n".join([*rows, "p,r2,gold,none,"]))
    done = st(*from_people, input=jsonl(*built_in))
    assert done.status == 0 and "3 reviews have no row of the rater gold, such as p/r1" in done.err
    first, second = done.records
    assert first["weaknesses"] == [] and "weaknesses" not in second
    assert [one.get("weaknesses_by") for one in first["reviews"]] == [None, "gold"]
    scores = st("st-score", "weaknesses", "--summary", input=done.out)
    [anna, ben] = scores.records
    assert scores.status == 1 and anna["failed"] == 1 and '"gold"' in scores.err
    assert (anna["corpus"]["precision_exact"]["value"], anna["n_unreferenced"]) == (0.0, 1)
    assert ben["corpus"]["precision_exact"]["value"] is None and ben["n_missing"] == 1
    (tmp_path / "people.csv").write_text("\n".join([rows[0], "p,r2,gold,It is slow.,3"]))
    assert "something else in review" in st(*from_people, input=done.out).err
    overwritten = st("st-claims", "weaknesses", input=jsonl(first))
    assert overwritten.status == 3 and "which a person marked" in overwritten.err


# Verifications: false alarms, repeated words, evidence


def test_false_alarms_leaks_and_evidence_are_counted():
    review = "Only one seed was used and so the gain of two points may well be luck alone."
    leaked = "I think the gain of two points may well be luck alone here."
    piece = {"label": "text_0", "text": "0", "spans": [{"in": "abstract", "start": 0, "end": 1}]}
    made = {
        **VERIFIED,
        "reviews": [{"id": "r", "text": review}],
        "rejected": [{"command": "st-claims", "step": "verify", "verification": "v1", "text": "x", "reason": "y"}],
        "verifications": [
            verification("v1", "reviewer", review, 0, copied=9, types=["novelty"], cited=[]),
            verification("v2", "model", leaked, 0, types=["novelty"], cited=["text_0"]),
            verification("v3", "model", "It is the first indeed.", 1, types=[], cited=[]),
            verification("v4", "model", "No fault.", 2, types=["other"], control=True, cited=[]),
            verification("v5", "model", None, 3, types=None, control=True, cited=None),
        ],
    }
    made["verifications"][1]["evidence"] = [piece, {**piece, "label": "text_1", "paper": "ortiz"}]
    [found] = scored("verifications", "--summary", records=[made], status=1)
    values = {name: one["value"] for name, one in found["corpus"].items()}
    assert (values["disputed.faulted"], values["controls.faulted"], values["n_controls"]) == (0.5, 1.0, 1.0)
    assert (values["model.leaked"], values["reviewer.copied"]) == (pytest.approx(1 / 3), 1.0)
    assert (values["evidence.cited"], values["evidence.related"]) == (0.5, 0.5)
    assert values["evidence.rejected"] == pytest.approx(1 / 3) and found["n_unjudged"] == 1
    made["abstract"] += " " + review  # words of the paper itself are no leak
    [found] = scored("verifications", "--summary", records=[made], status=1)
    assert found["corpus"]["model.leaked"]["value"] == 0.0
