"""The tables of the facet-aware metric's paper, from the files that the Makefile made."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from layout import mean, number, page, read, result, write  # noqa: E402

FACETS = {"Background": 3, "Method": 4, "Result": 4, "Conclusion": 3}
MEASURES = {"ROUGE-1": "rouge1", "ROUGE-L": "rougeL", "Vanilla LLM": "vanilla", "FM": "fm", "Human": "human"}


def agreement() -> None:
    found = {(one["stat"], one["label"]): one for one in read("agreement.jsonl")}
    write(
        "table2",
        "Table 2: Inter-annotator agreement before disputes were settled (proportion of agreement, Cohen's kappa).",
        [
            {
                "id": facet,
                "Classes": str(classes),
                "Agreement": result(found.get(("agreement", facet.lower())), 1),
                "kappa": result(found.get(("kappa", facet.lower())), 1),
            }
            for facet, classes in FACETS.items()
        ],
    )


def systems(rows: list[dict]) -> None:
    names = list(dict.fromkeys(row["system"] for row in rows))
    means = {
        (name, key): mean(row[key] for row in rows if row["system"] == name)
        for name in names
        for key in MEASURES.values()
    }
    write(
        "table3",
        "Tables 3 and 4: Performance of the summarization systems in different metrics (means over papers).",
        [{"id": name, **{head: number(means[name, key], times=1) for head, key in MEASURES.items()}} for name in names],
    )
    scores = {one["system"]: one["values"] for one in read("summary.jsonl") if one["metric"] == "facets"}
    write(
        "table3-facets",
        "Not in the paper: the facet score of the model with its interval, and its ratings by facet as shares of the highest.",
        [
            {"id": name, "FM": result(scores.get(name, {}).get("overall.score"), 1), **{
                facet: result(scores.get(name, {}).get(f"{facet.lower()}.score"), 1) for facet in FACETS
            }}
            for name in names
        ],
    )  # fmt: skip


def correlations() -> None:
    found = read("correlations.jsonl")
    measures = {"Pearson": "pearson", "Spearman": "spearman", "Kendall": "kendall"}
    rows = []
    for head, key in MEASURES.items():
        own = {one["measure"]: one for one in found if one["x"] == key and "compare" not in one}
        if own:
            rows.append({"id": head, **{name: result(own.get(measure), 1) for name, measure in measures.items()}})
    matrix = {(one["x"], one["y"]): one for one in read("matrix.jsonl")}
    write(
        "figure5-matrix",
        "Figure 5: Spearman correlation between metrics, over summaries.",
        [
            {
                "id": row,
                **{
                    head: number(matrix.get((key, other), {}).get("value"), times=1) for head, other in MEASURES.items()
                },
            }
            for row, key in MEASURES.items()
        ],
    )
    write(
        "figure5",
        "Figure 5, column of people: correlation of each metric with human scores, with 95 % intervals.",
        rows,
    )
    power = {one["of"]: one for one in read("power.jsonl") if one["systems"] is None}
    write(
        "power",
        "Power: the share of resamples in which a t-test tells two systems apart (p < 0.05), mean over pairs of systems.",
        [
            {
                "id": head,
                "unpaired (published)": number(power[key]["value"], times=1),
                "paired": number(power[key]["paired"], times=1),
            }
            for head, key in MEASURES.items()
            if key in power
        ],
    )
    weights = read("weights.jsonl")[0]
    write(
        "weights",
        f"Section 4.2: weights of the facets by least squares of overall ratings (n = {weights['n']}; published: 0.1, 0.3, 0.3, 0.3).",
        [
            {"id": name, **{facet: number((weights[key] or {}).get(facet.lower()), times=1) for facet in FACETS}}
            for name, key in (("weights", "weights"), ("normalised", "normalised"))
        ],
    )


if __name__ == "__main__":
    agreement()
    systems(read("measures.jsonl"))
    correlations()
    page("Facet-aware Metric", ["table2", "table3", "table3-facets", "figure5-matrix", "figure5", "power", "weights"])
