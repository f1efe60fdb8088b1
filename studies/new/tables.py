"""One page: does the model find what reviewers find?"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from layout import number, page, read, result, write  # noqa: E402


def main() -> None:
    found = read("summary.jsonl")
    by = {(one["metric"], one.get("system")): one for one in found if "compare" not in one}
    names = {
        "model": "the model",
        "related": "baseline: weaknesses from reviews of other papers",
        "people": "reviewers of the same paper",
    }
    rows = []
    for system, name in names.items():
        matched, soft = by.get(("match", system), {}).get("values", {}), by.get(("soft", system), {}).get("values", {})
        rows.append({
            "id": name, "found of reviewers' (%)": result(matched.get("c_gt")), "right of its own (%)": result(matched.get("c_llm")),
            "F1": result(matched.get("f1")), "soft recall": result(soft.get("recall")),
            "soft precision": result(soft.get("precision")), "soft F1": result(soft.get("f1")),
            "items": result(soft.get("n_items"), 1),
        })  # fmt: skip
    judged = read("judged.jsonl", "judgements.match")
    n = sum(len(paper.get("weaknesses") or ()) for paper in judged)
    write(
        "found",
        f"Share found of {n} weaknesses in reviews of {len(judged)} papers, with 95 % intervals over papers. Found: a judge matches"
        " an item of the list with the reviewer's. Soft: cosine of embeddings, which distinguishes topics but not faults."
        " Reviewers are compared with the other reviewers of their paper only by the soft measure.",
        rows,
    )
    tests = [one for one in found if one.get("compare") and one["metric"] == "match"]
    # BAGELS' precision is the share of the reviewers' list, and its recall that of the model's.
    named = {"found of reviewers' (%)": "c_gt", "right of its own (%)": "c_llm", "F1": "f1"}
    values = {name: one["values"][key]["difference"] for one in tests for name, key in named.items()}
    write(
        "difference",
        "The model minus the baseline: differences in percent, with p corrected for all tests of the run.",
        [
            {"id": name, "difference": number(one["value"], one.get("low"), one.get("high")),
             "p": "< 0.001" if (p := one.get("p_holm", one.get("p"))) is not None and p < 0.001 else number(p, times=1)}
            for name, one in values.items()
        ],
    )  # fmt: skip
    known = by["contamination", next(system for metric, system in by if metric == "contamination")]["corpus"]
    votes = [entry["report"] for paper in judged for entry in paper["judgements"]["match"] if entry.get("report")]
    unsure = sum(report.get("inconsistent") or 0 for report in votes)
    write(
        "doubts",
        "What may be wrong with these numbers.",
        [
            {"id": "reviews that the model goes on with by heart (%)", "number": result(known["repeated"])},
            {"id": "pairs on which the judge's votes differ", "number": str(unsure)},
            {
                "id": "papers with an error in some step",
                "number": str(sum(bool(paper.get("errors")) for paper in read("judged.jsonl"))),
            },
        ],
    )
    costs = read("costs.jsonl")
    write(
        "costs",
        "What it took, by prompt.",
        [
            {"id": one["prompt"], "calls": str(one["calls"]), "tokens in": str(one["prompt_tokens"]),
             "tokens out": str(one["completion_tokens"]), "USD": "--" if one["cost"] is None else f"{one['cost']:.2f}"}
            for one in costs
        ],
    )  # fmt: skip
    page("Does my model find what reviewers find?", ["found", "difference", "doubts", "costs"])


if __name__ == "__main__":
    main()
