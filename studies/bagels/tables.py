"""The tables of BAGELS, from the files that the Makefile made."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from layout import mean, number, page, read, result, share, write  # noqa: E402

COVERAGE = {"C GT": "c_gt", "C LLM": "c_llm", "P": "precision", "R": "recall", "F1": "f1"}
#: The paper's names of its measures of matched pairs; Keyword and Heading stand beside them in its program.
PERFORMANCE = {
    "R-1": "pairs.rouge1", "R-2": "pairs.rouge2", "R-L": "pairs.rougeL", "BLEU": "pairs.bleu", "BS": "pairs.bertscore",
    "JS": "pairs.jaccard", "CS": "pairs.embedding_cosine", "Keyword": "pairs.keyword_jaccard", "Heading": "pairs.heading_cosine",
}  # fmt: skip
RAG = {
    "plain": "no passages",
    "rag-cited-in": "cited in",
    "rag-cited-by": "cited by",
    "rag-similar": "similar",
    "rag-all": "all",
}


def row(name: str, values: dict, heads: dict[str, str]) -> dict[str, str]:
    return {"id": name, **{head: result(values.get(key)) for head, key in heads.items()}}


def people() -> None:
    said: dict[str, list[str]] = {}
    for one in read("check.answers"):
        if one["control"] is None and one["answers"]["verdict"] is not None:
            said.setdefault(one["rater"], []).append(one["answers"]["verdict"])
    write(
        "table1",
        "Table 1: Evaluating the model as an extractor: passages that annotators call limitations (percent).",
        [
            {"id": name, "yes": share(ones.count("limitation"), len(ones)), "n": str(len(ones))}
            for name, ones in said.items()
        ],
    )
    kappas = [one for one in read("kappa.jsonl") if one["raters"]]
    write(
        "table7",
        "Table 7: Agreement of people and judge on whether two limitations match (Cohen's kappa).",
        [{"id": " and ".join(one["raters"]), "kappa": result(one, 1), "n": str(one["n_items"])} for one in kappas],
    )


def extraction() -> None:
    heads = {"CS": "cosine", "P": "precision", "R": "recall", "F1": "f1", "Fuzzy": "ratio"}
    found = [one["values"] for one in read("marks.jsonl") if one["metric"] == "extraction"]
    write(
        "table2",
        "Table 2: limitations that a person marked in the papers and those that were extracted (percent; means over papers).",
        [row("the papers", one, heads) for one in found],
    )


def examples() -> None:
    """Pairs of each verdict of the judge, those first on which people say something else."""
    said: dict[str, dict[str, str]] = {}
    for one in read("ratings.part"):
        if one["label"] == "verdict" and one["value"] is not None:
            said.setdefault(one["item"], {})[one["rater"]] = one["value"]
    people = {one["rater"] for one in read("pairs.answers")}
    texts = {}  # people may have judged what a later run has not
    for paper in read("judged.jsonl", "generated.limitations"):
        for entry in paper["generated"]["limitations"]:
            for item in entry["items"] or ():
                for truth in paper["limitations"]:
                    name = f"{paper['id']}/{entry['system']}/{truth['id']}/{item['id']}"
                    texts[name] = (truth["text"], item["text"])
    rows = []
    for verdict in ("same", "different"):
        known = [name for name in said if name in texts]
        judged = [name for name in known if verdict in (said[name][who] for who in said[name].keys() - people)]
        for name in sorted(judged, key=lambda name: len(set(said[name].values())) == 1)[:2]:
            rows.append({"id": texts[name][0], "generated limitation": texts[name][1], **said[name]})
    write(
        "table9", "Table 9: Verdicts of annotators and judge on a limitation (first column) and a generated one.", rows
    )


def systems() -> None:
    found = {
        one["system"]: one["values"]
        for one in read("scores.jsonl")
        if one["metric"] == "match" and "compare" not in one
    }
    write(
        "table3",
        "Table 3: coverage of each system (percent; means over papers).",
        [row(name, one, COVERAGE) for name, one in found.items()],
    )
    write(
        "table3-performance",
        "Table 3: performance on matched pairs (percent). BS: st-score match --bertscore MODEL:LAYER.",
        [row(name, one, PERFORMANCE) for name, one in found.items()],
    )
    write(
        "table4",
        "Table 4: coverage by the kind of related papers that passages are taken from.",
        [row(title, found[name], COVERAGE | PERFORMANCE) for name, title in RAG.items() if name in found],
    )
    of: dict[str, dict] = {"authors": {}, "reviewers": {}, "both": found}
    for one in read("origins.jsonl"):
        if one["metric"] == "match":
            of["authors" if one["of"] == "author" else "reviewers"][one["system"]] = one["values"]
    write(
        "table5",
        "Table 5: ablation: the whole paper, and its three most telling sections, beside limitations of authors, of reviewers, and of both.",
        [
            row(f"{whose}, {title}", values[name], COVERAGE | PERFORMANCE)
            for whose, values in of.items()
            for name, title in (("plain", "all sections"), ("top3", "three sections"))
            if name in values
        ],
    )
    write(
        "table6",
        "Table 6: passages that a model chose of those retrieved, and the first ones.",
        [
            row(title, found[name], COVERAGE | PERFORMANCE)
            for name, title in (("rag-all", "re-ranked by the model"), ("rag-top-k", "first three"))
            if name in found  # RELATIONS may leave out `all`
        ],
    )


def numbers() -> None:
    """Figures 6 to 8 as numbers: how many limitations a paper has, of whom."""
    merged = [len(one["limitations"]) for one in read("truth.jsonl", "limitations")]
    apart = [Counter(item["origin"] for item in one["limitations"]) for one in read("apart.jsonl", "limitations")]
    rows = []
    for title, counts in (
        ("authors", [one["author"] for one in apart]),
        ("reviewers", [one["review"] for one in apart]),
        ("merged", merged),
    ):
        rows.append({"id": title, "papers": str(len(counts)), "limitations": str(sum(counts)), "a paper": number(mean(counts), times=1),
                     "fewest": str(min(counts, default="--")), "most": str(max(counts, default="--"))})  # fmt: skip
    write(
        "figure6", "Figures 6 to 8: limitations that authors and reviewers name, and what is left of them merged.", rows
    )


def sections() -> None:
    found = [(one["system"], one["values"]["embedding_cosine"]) for one in read("sections.jsonl") if "system" in one]
    write(
        "table8",
        "Table 8: Cosine similarity between each section and the section of limitations (means over papers that have both).",
        [
            {"id": role, "cosine": result(value, 1), "papers": str(value["n"])}
            for role, value in sorted(found, key=lambda one: -(one[1]["mean"] or 0))
        ],
    )


if __name__ == "__main__":
    people()
    extraction()
    examples()
    systems()
    numbers()
    sections()
    later = (f"table{number}" for number in range(4, 10))
    page("BAGELS", ["table1", "table2", "figure6", "table3", "table3-performance", *later])
