"""The built-in methods of st-claims: every text is a span, nothing depends on order, figures on our own fixture hold."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.run import ROOT
from support.spans import check_spans

from scholartools import records
from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.items.targets import Targets, target_scores, target_sums
from scholartools.tasks.claims.anchor_changes import compare_anchors, known_keys, rewriter_sources
from scholartools.tasks.claims.base import MOST_TARGETS
from scholartools.tasks.claims.builtin.associate import associate
from scholartools.tasks.claims.builtin.extract import extract
from scholartools.tasks.claims.builtin.label import label
from scholartools.tasks.claims.builtin.select import select
from scholartools.tasks.claims.builtin.weaknesses import weaknesses
from scholartools.tasks.claims.mentions import Places, mentions
from scholartools.tasks.claims.similarity import Claims
from scholartools.tasks.claims.sources import inherited_roles
from scholartools.text.anchors import anchors, keys

FIXTURE = [json.loads(line) for line in (ROOT / "fixtures" / "claims.jsonl").read_text().splitlines()]
TEST = [record for record in FIXTURE if record["split"] == "test"]


def all_steps(record: dict) -> dict:
    return label(associate(weaknesses(extract(select(record)))))


@pytest.mark.parametrize("record", FIXTURE, ids=lambda record: record["id"])
def test_every_text_is_the_slice_it_names_and_fits_the_schema(record):
    made = all_steps(record)
    assert check_spans(made) > 20
    for key in ("reviews", "claims", "weaknesses", "rejected"):
        records.read(made, key)
    assert {entry["task"] for entry in made["provenance"]} == {"select", "extract", "weaknesses", "associate", "label"}


pieces = st.text(st.sampled_from("aé😀 .\"“”'\n[3]Table 2line 7 we show that "), max_size=120)


@settings(max_examples=60)
@given(pieces, pieces, pieces)
def test_every_text_is_a_slice_whatever_the_texts(abstract, section, review):
    section_record = {"id": "s1", "number": "1", "heading": "R", "level": 1, "role": "result", "text": section}
    record = {"abstract": abstract, "sections": [section_record], "reviews": [{"id": "r", "text": review}]}
    check_spans(all_steps(record))


def test_nothing_depends_on_the_order_of_claims_reviews_and_records():
    record = weaknesses(extract(TEST[0]))
    plain = associate(record)["weaknesses"]
    shuffled = {**record, "claims": random.Random(4).sample(record["claims"], len(record["claims"]))}
    assert [one["targets"][0]["items"] for one in associate(shuffled)["weaknesses"]] == [
        one["targets"][0]["items"] for one in plain
    ]
    turned = weaknesses({**extract(TEST[0]), "reviews": TEST[0]["reviews"][::-1]})
    assert sorted(one["text"] for one in turned["weaknesses"]) == sorted(one["text"] for one in plain)
    assert [all_steps(one) for one in FIXTURE[::-1]] == [all_steps(one) for one in FIXTURE][::-1]


def test_a_rerun_replaces_its_own_entries_alone():
    record = all_steps(TEST[1])
    record["weaknesses"][0]["targets"].append({"system": "anna", "items": []})
    record["rejected"] = [
        *record.get("rejected", ()),
        {"command": "st-claims", "step": "verify", "text": "x", "reason": "y"},
    ]
    again = associate(record)
    assert [entry["system"] for entry in again["weaknesses"][0]["targets"]] == ["builtin", "anna"]
    named = associate(record, system="mine")["weaknesses"][0]["targets"]
    assert [entry["system"] for entry in named] == ["builtin", "anna", "mine"]
    rejected = [entry.get("step") for entry in weaknesses(record)["rejected"]]
    assert rejected.count("verify") == 1
    assert rejected.count("weaknesses") == sum(one.get("step") == "weaknesses" for one in record["rejected"])


# Select


def test_keywords_are_stems_of_whole_words():
    review = "We claim that Overclaiming is unsupported. It reclaims; the over-claim is not fully  supported."
    hits = select({"reviews": [{"id": "r", "text": review}]})["reviews"][0]["claim_related"]["hits"]
    assert [hit["text"] for hit in hits] == ["claim", "Overclaiming", "unsupported", "over-claim", "fully  supported"]


def test_drop_leaves_the_record_and_tells():
    record = {"reviews": [{"id": "a", "text": "A claim."}, {"id": "b", "text": "Fine."}]}
    kept = select(record, drop=True)
    assert [review["id"] for review in kept["reviews"]] == ["a"] and kept["provenance"][-1]["counts"]["dropped"] == 1
    assert len(select(record)["reviews"]) == 2 and "claim_related" not in record["reviews"][0]
    with pytest.raises(UsageFault):
        select(record, keywords=["*"])


# Extract


def test_a_section_without_a_role_has_that_of_the_one_above():
    sections = [("result", 1), ("other", 2), ("other", 3), ("method", 2), ("other", 3), ("other", 1)]
    given_ = [{"role": role, "level": level} for role, level in sections]
    assert inherited_roles(given_) == ["result", "result", "result", "method", "method", "other"]


def test_no_claims_is_an_empty_list_and_no_text_is_told():
    assert extract({"abstract": "Cats sleep on mats."})["claims"] == []
    with pytest.raises(InputFault, match="st-parse"):
        extract({"id": "x"})


@pytest.mark.parametrize(
    ("sentence", "is_claim"),
    [
        ("Recent work has achieved significant improvements by factorization.", False),
        ("Saccades are usually faster than pursuit movements, unlike fixations.", False),
        ("Our tracker is faster than all others.", True),
        ("EyeNet is faster than all others.", True),
        ("It needs fewer labels than other methods.", True),
        ("It has been shown that gaze is faster than thought.", False),
    ],
)
def test_introductions_tell_claims_from_what_is_known_of_the_field(sentence, is_claim):
    section = {
        "id": "s1",
        "number": "1",
        "heading": "Introduction",
        "level": 1,
        "role": "introduction",
        "text": sentence,
    }
    made = extract({"title": "EyeNet follows gaze", "sections": [section]})
    assert [claim["text"] for claim in made["claims"]] == ([sentence] if is_claim else [])


def test_thanks_and_plans_are_no_claims():
    text = (
        "We are grateful to all raters. We are excited and plan to apply it elsewhere. Our model is faster than others."
    )
    section = {"id": "s1", "number": "1", "heading": "Conclusion", "level": 1, "role": "conclusion", "text": text}
    assert [claim["text"] for claim in extract({"sections": [section]})["claims"]] == [
        "Our model is faster than others."
    ]


def scored(found: set, gold: set) -> tuple[float, float]:
    return len(found & gold) / len(found), len(found & gold) / len(gold)


def test_figures_of_extract_that_the_help_tells():
    found, gold = set(), set()
    for record in TEST:
        found |= {(record["id"], claim["text"]) for claim in extract(record)["claims"]}
        gold |= {(record["id"], claim["text"]) for claim in record["gold"]["claims"]}
    precision, recall = scored(found, gold)
    assert (len(gold), round(precision, 2), round(recall, 2)) == (33, 0.88, 0.67)


# Weaknesses


def overlapping(one: dict, other: dict) -> bool:
    first, second = one["spans"][0], other["spans"][0]
    shared = min(first["end"], second["end"]) - max(first["start"], second["start"])
    return first["in"] == second["in"] and shared > max(len(one["text"]), len(other["text"])) / 2


def test_figures_of_weaknesses_that_the_help_tells():
    right = found = hit = wanted = equal = 0
    for record in TEST:
        items, gold = weaknesses(extract(record))["weaknesses"], record["gold"]["weaknesses"]
        found, wanted = found + len(items), wanted + len(gold)
        for item in items:
            match = next((one for one in gold if overlapping(item, one)), None)
            right += match is not None
            equal += match is not None and match["groundedness"] == item["groundedness"]
        hit += sum(any(overlapping(item, one) for item in items) for one in gold)
    assert (found, right, wanted, hit, equal) == (20, 20, 23, 20, 8)


def test_groundedness_by_its_rules():
    paper = {
        "abstract": "Our method is better than all others on every task.",
        "captions": [{"id": "table2", "kind": "table", "label": "Table 2", "text": "Table 2: x"}],
    }
    reviews = {
        "said": "Weaknesses:\nThe authors claim that all tasks improve, without evidence.",
        "quoted": 'Weaknesses:\nThat it is "better than all others on every task" lacks evidence.',
        "placed": "Weaknesses:\nThe improvement in Table 2 is not significant.",
        "unknown": "Weaknesses:\nThe improvement in Table 9 is not significant.",
    }
    made = weaknesses(extract({**paper, "reviews": [{"id": key, "text": text} for key, text in reviews.items()]}))
    assert [one["groundedness"] for one in made["weaknesses"]][:3] == [5, 5, 4]
    assert made["weaknesses"][3]["groundedness"] in (2, 3)


def test_a_sentence_about_what_is_said_begins_a_weakness_of_its_own():
    text = (
        "Weaknesses:\nThe claim to be the first is overstated. That the model generalizes well is not convincing. "
        "That is a pity. The effect of length scales is reported and not supported."
    )
    made = weaknesses({"abstract": "We are the first.", "reviews": [{"id": "r", "text": text}]})
    assert [one["text"] for one in made["weaknesses"]] == [
        "The claim to be the first is overstated.",
        "That the model generalizes well is not convincing. That is a pity.",
        "The effect of length scales is reported and not supported.",
    ]


def test_what_points_to_no_claim_is_kept_as_rejected():
    record = {
        "abstract": "We sort.",
        "reviews": [{"id": "r", "text": "Weaknesses:\n- Typos in the captions.\n- The claim is false."}],
    }
    made = weaknesses(record)
    assert [one["text"] for one in made["weaknesses"]] == ["The claim is false."]
    assert [(one["step"], one["text"]) for one in made["rejected"]] == [("weaknesses", "Typos in the captions.")]


def test_mentions_resolve_or_are_null():
    paper = {
        "abstract": "The rate is halved by rest alone.",
        "sections": [
            {"id": "s4", "number": "4.1", "heading": "H", "level": 1, "role": "result", "text": "Lines one and two."}
        ],
        "captions": [{"id": "table2", "kind": "table", "label": "Table 2", "text": "Table 2: x"}],
        "references": [{"id": "b7", "text": "[7] Ito, K. 2020. Whispers."}],
        "lines": [{"n": 78, "in": "s4", "start": 0, "end": 9}, {"n": 79, "in": "s4", "start": 10, "end": 18}],
    }
    text = (
        'In Table 2, lines 78-79, Section 4.1 and [7], Ito et al. (2020), Figure 3, line 400: "halved by rest alone".'
    )
    found = {one["text"]: one["at"] for one in mentions(text, "review:r", 0, len(text), Places(paper))}
    assert found == {
        "Table 2": "table2",
        "lines 78-79": [{"in": "s4", "start": 0, "end": 18}],
        "Section 4.1": "s4",
        "[7]": "b7",
        "Ito et al. (2020)": "b7",
        "Figure 3": None,
        "line 400": None,
        '"halved by rest alone"': [{"in": "abstract", "start": 12, "end": 32}],
    }


# Associate


def gold_targets(record: dict) -> tuple[dict, list[list[str]]]:
    """A record with the claims and weaknesses of the reference, and the texts of the reference targets."""
    claims = [{**claim, "by": "gold"} for claim in record["gold"]["claims"]]
    keys = ("id", "review", "text", "spans", "groundedness")
    items = [{key: one[key] for key in keys} for one in record["gold"]["weaknesses"]]
    texts = {claim["id"]: claim["text"] for claim in claims}
    targets = [[texts[name] for name in one["targets"]] for one in record["gold"]["weaknesses"]]
    return {**record, "claims": claims, "weaknesses": items}, targets


def test_figures_of_associate_that_the_help_tells():
    ours, first, none = [], [], []
    for record in TEST:
        given_, targets = gold_targets(record)
        for one, wanted in zip(associate(given_)["weaknesses"], targets):
            texts = [item["text"] for item in one["targets"][0]["items"]]
            ours.append(Targets(wanted, texts))
            none.append(Targets(wanted, []))
            scores = Claims([claim["text"] for claim in given_["claims"]]).similarities(one["text"])
            best = max(range(len(scores)), key=lambda place: scores[place].score)
            first.append(Targets(wanted, [given_["claims"][best]["text"]]))
    values = {name: value.value for name, value in target_scores(target_sums(ours)).items()}
    assert [round(values[name], 2) for name in ("precision_exact", "recall_exact", "f1_exact")] == [0.95, 0.86, 0.9]
    assert round(values["has_target.accuracy"], 2) == 0.91
    assert target_scores(target_sums(none))["f1_exact"].value == 0.0
    assert round(target_scores(target_sums(first))["f1_exact"].value, 2) == 0.89


def test_quotations_go_before_likeness_and_may_be_custom():
    record = {
        "abstract": "Rest halves the rate of errors. We slept well in the laboratory last night.",
        "claims": [
            {
                "id": "c1",
                "by": "b",
                "text": "Rest halves the rate of errors.",
                "spans": [{"in": "abstract", "start": 0, "end": 31}],
            }
        ],
        "weaknesses": [
            {"id": "w1", "review": "r", "text": 'That "rest halves the rate" is not shown.'},
            {"id": "w2", "review": "r", "text": 'That you "slept well in the laboratory" is not shown.'},
            {"id": "w3", "review": "r", "text": "The font is small."},
        ],
    }
    items = [one["targets"][0]["items"] for one in associate(record)["weaknesses"]]
    assert [(item["claim"], item["custom"]) for item in items[0]] == [("c1", False)]
    assert [(item["claim"], item["custom"], item["text"]) for item in items[1]] == [
        (None, True, "We slept well in the laboratory last night.")
    ]
    assert items[2] == []


def test_limits_of_targets():
    record = weaknesses(extract(TEST[0]))
    assert all(len(one["targets"][0]["items"]) <= 1 for one in associate(record, max_targets=1)["weaknesses"])
    with pytest.raises(UsageFault):
        associate(record, max_targets=MOST_TARGETS + 1)
    with pytest.raises(InputFault, match="st-claims extract"):
        associate({"abstract": "x"})
    with pytest.raises(InputFault, match="duplicate"):
        associate({**record, "claims": [*record["claims"], record["claims"][0]]})
    assert associate({**record, "claims": []})["weaknesses"][0]["targets"][0]["items"] is not None


# Label


def test_figures_of_types_that_the_help_tells():
    counts = {
        name: [0, 0, 0] for name in ("insufficient", "contradictory", "novelty", "clarity", "related_work", "other")
    }
    for record in TEST:
        given_, _ = gold_targets(record)
        for one, gold in zip(label(given_)["weaknesses"], record["gold"]["weaknesses"]):
            entry = one["labels"][0]
            assert (entry["objectivity"], entry["agreement"]) == (None, None) and entry["reasons"]["objectivity"]
            found = set(entry["types"] or ())
            for name, count in counts.items():
                count[0] += name in found and name in gold["types"]
                count[1] += name in found and name not in gold["types"]
                count[2] += name not in found and name in gold["types"]
    assert counts["insufficient"] == [12, 0, 3] and counts["other"] == [0, 0, 1]
    assert [sum(count[place] for count in counts.values()) for place in range(3)] == [21, 3, 5]


# Anchors


SOURCE = {
    "abstract": "Rest halves the rate by 4.2 points.",
    "captions": [{"id": "table2", "kind": "table", "label": "Table 2", "text": "Table 2: Rates."}],
    "reviews": [{"id": "r", "text": "In Table 2, line 78, 'x' is wrong [3]."}],
}


def ledger_of(revised: str) -> dict:
    weakness = {"id": "w1", "review": "r", "text": SOURCE["reviews"][0]["text"]}
    sources = rewriter_sources(SOURCE, weakness)
    return compare_anchors(weakness["text"], revised, sources, known_keys(SOURCE, sources))


def test_anchors_that_a_rewriting_loses():
    found = ledger_of("The paper should say what is wrong [3].")
    assert found == {"kept": ["citation 3"], "lost": ["table 2", "line 78", "quote x"], "added": [], "unfounded": []}


def test_anchors_that_a_rewriting_makes_up():
    revised = (
        'In Tab. 2 and Table 9, line 78, "x" [3], of 4.2 points and 7% and "halves the rate" and "doubles the rate".'
    )
    found = ledger_of(revised)
    assert found["lost"] == []
    assert found["added"] == [
        "table 9",
        "number 4.2 points",
        "number 7 %",
        "quote halves the rate",
        "quote doubles the rate",
    ]
    assert found["unfounded"] == ["table 9", "number 7 %", "quote doubles the rate"]


def test_a_citation_leads_to_the_reference_of_its_first_author():
    texts = ["N. Srivastava, I. Lee, 2014. Dropout.", "[2] Ilya Lee and O. Vinyals. Sequences. 2014.", "Leech, 2014."]
    paper = {"references": [{"id": f"b{place}", "text": text} for place, text in enumerate(texts)]}
    review = "Lee et al. (2014), Vinyals (2014), Leech (2014), [2] and Lee (2015)"
    found = [one["at"] for one in mentions(review, "review:r", 0, len(review), Places(paper))]
    assert found == ["b1", None, "b2", "b1", None]


def test_numbers_that_a_paper_prints_as_roman_ones_are_found_by_either():
    paper = {
        "captions": [{"id": "table2", "kind": "table", "label": "TABLE II", "text": "TABLE II: Rates."}],
        "sections": [{"id": "s4", "number": "IV", "heading": "H", "level": 1, "role": "other", "text": ""}],
    }
    review = "Table 2 and TABLE II say what Section 4, Section IV and Table 3 do not."
    found = mentions(review, "review:r", 0, len(review), Places(paper))
    assert [one["at"] for one in found] == ["table2", "table2", "s4", "s4", None]
    assert "section 4" in known_keys(paper, ["TABLE II"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("lines 12-15 and l. 7", ["line 12-15", "line 7"]),
        ("the authors' method and the models' results", []),
        (
            "Section 4.1, \u00a72, Appendix B.2, Eq. (3), Alg. 1, Figs. 3b",
            ["section 4.1", "section 2", "section B.2", "equation 3", "algorithm 1", "figure 3"],
        ),
        ("TABLE IV, Tab. II's, Section III-B; in the table I see", ["table 4", "table 2", "section 3"]),
        ("Smith and Lee (2019) and (Ito et al., 2020)", ["citation smith 2019", "citation ito 2020"]),
        ("as in [3, 5\u20137] and [10-90]", [f"citation {number}" for number in (3, 5, 6, 7, 10)]),
        ("12% of 30 papers, 3.5 ms, 0.93", ["number 12 %", "number 3.5 ms", "number 0.93"]),
        ("\u201cit's so\u201d and 'don't do it'", ["quote it's so", "quote don't do it"]),
    ],
)
def test_kinds_of_anchors(text, found):
    assert list(keys(text)) == found


def test_a_citation_ends_before_a_parenthesis_that_it_did_not_open():
    text = "By Ito (2020), by others (Smith et al., 2019) and (Lee, 2018)"
    assert [text[one.start : one.end] for one in anchors(text)] == ["Ito (2020)", "Smith et al., 2019", "Lee, 2018"]
