"""A row for each summary: what people and measures say of it, for st-agree."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from layout import read  # noqa: E402

VANILLA = 4


def values(path: str, metric: str) -> dict[tuple[str, str], dict]:
    return {
        (paper["id"], one["system"]): one["values"]
        for paper in read(path, "scores")
        for one in paper["scores"]
        if one["metric"] == metric
    }


def judged(path: str, what: str) -> dict[tuple[str, str], dict]:
    papers = read(path, f"judgements.{what}")
    return {(paper["id"], one["system"]): one for paper in papers for one in paper["judgements"][what]}


def share(value: float | None, of: float) -> float | None:
    return None if value is None else value / of


people, words, model = (
    values("people.jsonl", "facets"),
    values("people.jsonl", "text"),
    values("judged.jsonl", "facets"),
)
ratings, whole = judged("people.jsonl", "facets"), judged("judged.jsonl", "vanilla")
# Items of the kind of overall.yaml are named by their place in `summaries`.
order = {paper["id"]: [one["system"] for one in paper["summaries"]] for paper in read("people.jsonl", "summaries")}
overall = {
    (one["paper"], order[one["paper"]][int(one["item"].rpartition("/")[2]) - 1]): one["answers"].get("overall")
    for one in read("overall.answers")
}
sets = {paper["id"]: paper.get("dataset") or "the papers" for paper in read("people.jsonl", "summaries")}
nothing: dict = {}
FACETS = ("background", "method", "result", "conclusion")
for name, human in people.items():
    paper, system = name
    row = {
        "item": f"{paper}/{system}",
        "paper": paper,
        "dataset": sets[paper],
        "system": system,
        "human": human.get("overall.score"),
    }
    row |= {
        "fm": model.get(name, nothing).get("overall.score"),
        "vanilla": share(whole.get(name, nothing).get("rating"), VANILLA),
    }
    row |= {key: words.get(name, nothing).get(key) for key in ("rouge1", "rougeL")}
    print(
        json.dumps(
            {
                **row,
                "ratings": ratings.get(name, nothing).get("ratings") or dict.fromkeys(FACETS),
                "overall": share(overall.get(name), 100),
            }
        )
    )
