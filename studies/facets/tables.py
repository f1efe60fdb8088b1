"""The tables of the facet-aware metric's paper, from the files that the Makefile made."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from layout import mean, number, page, read, result, write  # noqa: E402

FACETS = {"Background": 3, "Method": 4, "Result": 4, "Conclusion": 3}
#: Of the first set of papers (`dataset` of a record), and of the second.
TABLES, FIGURES = ("table3", "table4"), ("figure5", "figure6")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
WORD = re.compile(r"[^\W\d_]+")
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


def by_dataset(rows: list[dict]) -> dict[str, list[dict]]:
    """Rows or results of each set of papers, in their order."""
    found: dict[str, list[dict]] = {}
    for row in rows:
        found.setdefault(row["dataset"] if "dataset" in row else row["each"]["dataset"], []).append(row)
    return found


def systems_of(rows: list[dict]) -> list[str]:
    return list(dict.fromkeys(row["system"] for row in rows))


def texts() -> None:
    """Figure 4 (a) and (b), as numbers."""
    words: dict[str, Counter[str]] = {}
    numbers: dict[str, list[int]] = {}
    for paper in read("faceted.jsonl", "facets"):
        written = {f"summary:{one['system']}": one["text"] for one in paper["summaries"]}
        for entry in paper["facets"]:
            name = entry["in"].removeprefix("summary:")
            numbers.setdefault(name, []).append(len(NUMBER.findall(written.get(entry["in"], paper["abstract"]))))
            facets = {facet: (entry.get(facet.lower()) or {}).get("text") or "" for facet in FACETS}
            words.setdefault(name, Counter()).update({facet: len(text.split()) for facet, text in facets.items()})
    write(
        "figure4",
        "Figure 4 (a), (b): Words of each facet in the words of all facets (percent), and numbers in a text (means).",
        [
            {
                "id": name,
                **{facet: number(found[facet] / found.total()) if found.total() else "--" for facet in FACETS},
                "numbers": number(mean(numbers[name]), times=1),
            }
            for name, found in words.items()
        ],
    )


def popularity() -> None:
    """Figure 4 (c), as numbers: in how many of the papers themselves a word of a text stands."""
    papers = read("faceted.jsonl", "facets")
    spread: Counter[str] = Counter()
    for paper in papers:
        parts = [paper.get("abstract") or "", *(one["text"] for one in paper.get("sections") or ())]
        spread.update({word.lower() for part in parts for word in WORD.findall(part)})
    said: dict[str, list[float]] = {}
    for paper in papers:
        texts = [("abstract", paper.get("abstract")), *((one["system"], one["text"]) for one in paper["summaries"])]
        for name, text in texts:
            words = WORD.findall(text or "")
            said.setdefault(name, []).extend(spread[word.lower()] / len(papers) for word in words)
    write(
        "figure4-words",
        "Figure 4 (c): Popularity of words: the share of the papers in which a word of a text stands (percent; means over words).",
        [{"id": name, "papers": number(mean(shares)), "words": str(len(shares))} for name, shares in said.items()],
    )


def ways_of_rating(rows: list[dict]) -> None:
    """Figure 4 (d), as numbers: means of resampled papers, by ratings of facets and by a rating of the whole."""
    found = []
    for name in systems_of(rows):
        cells = {"id": name}
        for head, key in (("by facets", "human"), ("as a whole", "overall")):
            values = [row[key] for row in rows if row["system"] == name and row[key] is not None]
            chance = random.Random(f"{name} {key}")
            means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(1000)) if values else []
            ends = (means[249], means[749]) if means else (None, None)
            cells |= {head: number(mean(values), *ends, times=1)}
        found.append(cells)
    write(
        "figure4-ways",
        "Figure 4 (d): People's mean scores of a system, by facets and as a whole, each with the quartiles of 1,000 resamples of papers.",
        found,
    )


def systems(rows: list[dict]) -> None:
    for table, (dataset, own) in zip(TABLES, by_dataset(rows).items(), strict=False):
        means = {
            (name, key): mean(row[key] for row in own if row["system"] == name)
            for name in systems_of(own)
            for key in MEASURES.values()
        }
        write(
            table,
            f"Table {table[5:]}: Performance of the summarization systems in different metrics on {dataset} (means over papers).",
            [
                {"id": name, **{head: number(means[name, key], times=1) for head, key in MEASURES.items()}}
                for name in systems_of(own)
            ],
        )
    scores = {one["system"]: one["values"] for one in read("summary.jsonl") if one["metric"] == "facets"}
    write(
        "table3-facets",
        "Not in the paper: the facet score of the model with its interval, and its ratings by facet as shares of the highest.",
        [
            {"id": name, "FM": result(scores.get(name, {}).get("overall.score"), 1), **{
                facet: result(scores.get(name, {}).get(f"{facet.lower()}.score"), 1) for facet in FACETS
            }}
            for name in systems_of(rows)
        ],
    )  # fmt: skip
    write(
        "figure10",
        "Figure 10: People's ratings of the systems by facet (means over papers; the highest rating is that of Table 2).",
        [
            {"id": name, **{
                facet: number(mean((row["ratings"] or {}).get(facet.lower()) for row in rows if row["system"] == name), times=1)
                for facet in FACETS
            }}
            for name in systems_of(rows)
        ],
    )  # fmt: skip


def correlations() -> None:
    found, matrices = by_dataset(read("correlations.jsonl")), by_dataset(read("matrix.jsonl"))
    measures = {"Pearson": "pearson", "Spearman": "spearman", "Kendall": "kendall"}
    for figure, (dataset, results) in zip(FIGURES, found.items(), strict=False):
        rows = []
        for head, key in MEASURES.items():
            own = {one["measure"]: one for one in results if one["x"] == key and "compare" not in one}
            if own:
                rows.append({"id": head, **{name: result(own.get(measure), 1) for name, measure in measures.items()}})
        matrix = {(one["x"], one["y"]): one.get("value") for one in matrices[dataset]}
        write(
            f"{figure}-matrix",
            f"Figure {figure[6:]}: Spearman correlation between metrics, over summaries of {dataset}.",
            [
                {"id": row, **{head: number(matrix.get((key, other)), times=1) for head, other in MEASURES.items()}}
                for row, key in MEASURES.items()
            ],
        )
        write(
            figure,
            f"Figure {figure[6:]}, column of people: correlation of each metric with human scores on {dataset}, with 95 % intervals.",
            rows,
        )
    power = {one["of"]: one for one in read("power.jsonl") if one["systems"] is None}
    write(
        "power",
        "Figure 9: power of metrics: the share of resamples in which a t-test tells two systems apart (p < 0.05), mean over pairs of systems.",
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
    texts()
    popularity()
    ways_of_rating(read("measures.jsonl"))
    correlations()
    own = len(by_dataset(read("measures.jsonl")))
    figures = [name for figure in FIGURES[:own] for name in (f"{figure}-matrix", figure)]
    page(
        "Facet-aware Metric",
        [
            "table2",
            *TABLES[:own],
            "table3-facets",
            "figure4",
            "figure4-words",
            "figure4-ways",
            *figures,
            "power",
            "figure10",
            "weights",
        ],
    )
