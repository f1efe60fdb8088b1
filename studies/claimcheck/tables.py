"""The tables of CLAIMCHECK, and what its text tells, from the files that the Makefile made."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from layout import counts, histograms, number, page, read, result, share, write  # noqa: E402

LABELS = {
    "Agr": "agreement", "Sub": "objectivity", "Con": "types:contradictory", "Ins": "types:insufficient",
    "Nov": "types:novelty", "Rel": "types:related_work", "Cla": "types:clarity", "Oth": "types:other",
}  # fmt: skip


def agreement_of_pilot() -> None:
    found = {(one["label"], one.get("without")): one for one in read("pilot-alpha.jsonl")}
    rows = [("Humans Only", "model"), ("Humans + Model", None)]
    write(
        "table2",
        "Table 2: Agreement (alpha, times 100, with 95 % intervals over papers) on the labels of the pilot, without and"
        " with the model as one more annotator. Agr and Sub are ordinal (1 to 5), the rest nominal.",
        [
            {"id": name, **{head: result(found.get((label, who))) for head, label in LABELS.items()}}
            for name, who in rows
        ],
    )
    spans = [one for one in read("pilot-spans.jsonl") if "raters" in one and one["raters"] is None]
    write(
        "pilot-weaknesses",
        "Section 3.4: agreement of annotators on the spans of weaknesses in the pilot (F1, times 100).",
        [{"id": "all raters", **{f"F1 {one['measure']}": number(one["value"]) for one in spans}}],
    )
    pilot = read("pilot-claims.jsonl")
    people = [one for one in pilot if "rater" in one and one["rater"] != "model"]
    said = {
        "Humans Only": [one for one in pilot if one.get("without") == "model" and one.get("raters", 0) is None],
        "Humans + Model": [one for one in pilot if "without" not in one and one.get("raters", 0) is None],
        "Model, mean of its pairs": [one for one in pilot if one.get("rater") == "model"],
        "Worst human, mean of pairs": [
            min((one for one in people if one["measure"] == measure), key=lambda one: one["mean_of_pairs"])
            for measure in ("edit", "exact")
        ],
    }
    write(
        "pilot-claims",
        "Sections 3.4 and 4.1: agreement on target claims in the pilot (F1, times 100).",
        [
            {"id": name, **{f"F1 {one['measure']}": number(one.get("mean_of_pairs", one["value"])) for one in ones}}
            for name, ones in said.items()
        ],
    )


def statistics(people: list[dict]) -> None:
    """Table 3, and Figure 2 as the numbers of its bars."""
    weaknesses = [(paper["id"], one) for paper in people for one in paper["weaknesses"]]
    gold = {
        (paper, one["id"]): next((entry for entry in one.get("targets") or () if entry["system"] == "gold"), None)
        for paper, one in weaknesses
    }
    items = {name: (entry or {}).get("items") or [] for name, entry in gold.items()}
    texts = {(name[0], item["text"]) for name, found in items.items() for item in found}
    rows = [
        ("Papers", len(people)),
        ("Reviews", sum(len(paper["reviews"]) for paper in people)),
        ("Related Work Papers", "--"),  # the study shows none
        ("Target Claims (distinct)", len(texts)),
        ("Pairs of Weakness and Target Claim", sum(map(len, items.values()))),
        ("Weaknesses", len(weaknesses)),
        ("-> w/ Target Claims", sum(bool(found) for found in items.values())),
        (
            "-> of which nobody said what they dispute",
            sum((entry or {}).get("items") is None for entry in gold.values()),
        ),
    ]
    write("table3", "Table 3: Summary statistics (main part).", [{"id": name, "number": str(n)} for name, n in rows])
    labels = [entry for _, one in weaknesses for entry in one.get("labels") or () if entry["system"] == "gold"]
    scale = [1, 2, 3, 4, 5]
    rows = [{"id": "groundedness", **counts((one.get("groundedness") for _, one in weaknesses), scale)}]
    rows += [
        {"id": name, **counts((entry[key] for entry in labels), scale)}
        for name, key in (("subjectivity (5: objective)", "objectivity"), ("agreement", "agreement"))
    ]
    histograms(
        "figure2",
        "Figure 2: Distribution of groundedness, subjectivity and agreement scores: how many weaknesses have each value.",
        [{key: str(value) for key, value in row.items()} for row in rows],
    )
    types = Counter(name for entry in labels for name in entry["types"] or ())
    histograms(
        "figure2-types",
        "Figure 2, top right: Distribution of weakness types (a weakness may have several).",
        [
            {
                "id": "weaknesses",
                **{head: str(types[label.removeprefix("types:")]) for head, label in list(LABELS.items())[2:]},
            }
        ],
    )


def results(scores: list[dict]) -> None:
    runs = {one["metric"]: one["corpus"] for one in scores if "runs" in one}
    first = {one["metric"]: one["corpus"] for one in scores if one.get("system") == "s0"}
    same = next(one["corpus"] for one in scores if one["metric"] == "same-issue")
    rows = [("mean of runs", runs), ("run s0, with its interval", first)]
    write(
        "claim-association",
        "Section 4.1: claim association (F1, times 100), over all weaknesses and over those with a target.",
        [
            {
                "id": name,
                **{key: result(found["targets"][path]) for key, path in (
                    ("F1 edit", "f1_edit"), ("F1 exact", "f1_exact"), ("targeted: F1 edit", "targeted.f1_edit"),
                    ("targeted: F1 exact", "targeted.f1_exact"),
                )},
            }
            for name, found in rows
        ],
    )  # fmt: skip
    write(
        "claim-verification",
        "Section 4.2: the model's weakness of a claim beside the reviewer's, by the judge (percent of pairs).",
        [
            {
                "id": "model",
                **{name: result(same[name]) for name in ("different", "similar", "same", "controls.accuracy")},
            }
        ],
    )
    names = {head: label.removeprefix("types:") for head, label in LABELS.items()}
    write(
        "table5",
        "Table 5: Agreement (alpha, times 100) between the model and people on the labels.",
        [
            {"id": name, **{head: result(found["labels"][f"{label}.alpha"]) for head, label in names.items()}}
            for name, found in rows
        ],
    )
    winners = [one["answers"]["winner"] for one in read("main-specificity.answers") if one["control"] is None]
    said = [one for one in winners if one is not None]
    write(
        "table6",
        "Table 6: Weakness editing. Win%: cases in which a human judge deemed the revised weakness more specific than"
        f" the original one, of {len(said)}. R: ROUGE-1 F1 with the original. BS: BERTScore F1"
        " (st-score edits --bertscore MODEL:LAYER).",
        [{
            "id": "model", "Win%": share(said.count("revised"), len(said)), "Tie%": share(said.count("tie"), len(said)),
            "R": result(first["edits"]["rouge1"]), "BS": result(first["edits"].get("bertscore")),
        }],
    )  # fmt: skip


def examples(papers: list[dict]) -> None:
    """The first revisions that are not more specific than the reviewer's own words, as people say."""
    said = {one["item"]: one["answers"]["winner"] for one in read("main-specificity.answers") if one["control"] is None}
    names = {"original": "the original is more specific", "tie": "neither is more specific"}
    pairs = [
        (weakness["text"], entry["text"], said.get(f"{paper['id']}/{weakness['id']}/{entry['system']}"))
        for paper in papers
        for weakness in paper["weaknesses"]
        for entry in weakness.get("edited") or ()
        if entry.get("text")
    ]
    rows = [
        {"id": text, "Revised": revised, "Human judge": names[winner]}
        for verdict in names
        for text, revised, winner in [pair for pair in pairs if pair[2] == verdict][:2]
    ]
    write(
        "table4",
        "Table 4: Examples of pairs of an original weakness (first column) and a revised weakness, where the model does not"
        " improve the specificity of the original weakness.",
        rows,
    )


if __name__ == "__main__":
    agreement_of_pilot()
    statistics(read("people.jsonl", "weaknesses"))
    results(read("scores.jsonl"))
    examples(read("first.jsonl", "weaknesses"))
    page(
        "CLAIMCHECK",
        ["pilot-weaknesses", "pilot-claims", "table2", "table3", "figure2", "figure2-types", "claim-association",
         "claim-verification", "table4", "table5", "table6"],
    )  # fmt: skip
