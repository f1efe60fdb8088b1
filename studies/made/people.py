"""Raters who are simulated: they read what a sheet shows, know what is true of it, and err at a known rate.

    python people.py BATCH...

fills in the sheets that `st-annotate export BATCH --to jsonl` wrote.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import aaar
from world import (
    ERRORS,
    Weakness,
    claims,
    draw,
    facet_rated,
    labels_from,
    limitations,
    named_limitations,
    questions,
    rated,
    said,
    summaries,
    weaknesses,
)

#: A weakness that a rater overlooks, and a remark that one takes for a weakness.
MISSES, ADDS = 0.2, 0.1
#: How often a rewriting is more specific, or neither is (as in CLAIMCHECK's Table 6).
WINS = {"revised": 0.2, "tie": 0.478, "original": 0.322}


def text_of(row: dict[str, Any], part: str) -> str:
    return next(one["text"] for one in row["shown"] if one["name"] == part)


def fresh_labels(rater: str, weakness: Weakness) -> dict[str, Any]:
    return labels_from(draw("fresh", rater, weakness.text))


def labels(row: dict[str, Any], rater: str) -> dict[str, Any]:
    weakness = weaknesses()[text_of(row, "weakness")]
    fresh = fresh_labels(rater, weakness)
    return {
        name: said(rater, weakness.text, name, weakness.labels[name], fresh[name])
        for name in ("objectivity", "agreement", "types")
    }


def mark_weaknesses(row: dict[str, Any], rater: str) -> dict[str, Any]:
    """The weaknesses that a rater sees, and now and then a remark."""
    text, marked = text_of(row, "review"), []
    for weakness in weaknesses().values():
        if (start := text.find(weakness.text)) < 0:
            continue
        share = ADDS if weakness.text.startswith("Some symbols") else 1 - MISSES
        if draw("sees", rater, weakness.text).random() < share:
            grounded = said(rater, weakness.text, "groundedness", weakness.labels, fresh_labels(rater, weakness))
            marked.append((start, weakness.text, grounded["groundedness"]))
    spans = [
        {"start": at, "end": at + len(words), "text": words, "label": "weakness", "groundedness": rated}
        for at, words, rated in sorted(marked)
    ]
    return {"weaknesses": spans}


def choose_targets(row: dict[str, Any], rater: str) -> dict[str, Any]:
    weakness = weaknesses()[text_of(row, "weakness")]
    chosen = target_of(weakness, rater, "targets")
    if chosen is None:
        return {"targets": []}
    listed = {one["text"]: one["name"] for one in row["candidates"]}
    return {"targets": [listed[chosen]] if chosen in listed else [{"text": chosen}]}


def target_of(weakness: Weakness, who: str, name: str, run: Any = None) -> str | None:
    """The claim that somebody takes for the target; who errs takes another of the six."""
    if weakness.claim is None:
        return None
    paper = next(found for found, _ in claims().values() if found.id == weakness.paper)
    others = [one for number, one in enumerate(paper.claims) if number != weakness.claim]
    other = draw("other target", who, weakness.text, run).choice(others)
    return said(who, weakness.text, name, paper.claims[weakness.claim], other, run)


def compare(row: dict[str, Any], rater: str) -> dict[str, Any]:
    """Which of two versions is more specific; the one that stands in a review is the original."""
    is_original = [one["text"] in weaknesses() for one in row["candidates"]]
    assert is_original.count(True) == 1
    text = row["candidates"][is_original.index(True)]["text"]
    winner = draw("wins", text).choices(list(WINS), list(WINS.values()))[0]
    return {"winner": "tie" if winner == "tie" else "AB"[is_original.index(winner == "original")]}


def rate(row: dict[str, Any], rater: str) -> dict[str, Any]:
    text = next(one["text"] for one in row["shown"] if one["text"] in questions())
    return {one["name"]: rated(rater, text, one["name"]) for one in row["questions"]}


def rate_facets(row: dict[str, Any], rater: str) -> dict[str, Any]:
    """Ratings of a summary, facet by facet."""
    texts = {one["name"].removesuffix("-1"): one["text"] for one in row["shown"] if one["name"].endswith("-1")}
    return {facet: facet_rated(rater, text) for facet, text in texts.items()}


def rate_overall(row: dict[str, Any], _: str) -> dict[str, Any]:
    return {"overall": summaries()[text_of(row, "summary")].overall}


def check_limitation(row: dict[str, Any], rater: str) -> dict[str, Any]:
    """Whether a passage states a limitation: all that the made model extracts do; raters err as often as they do."""
    text = " ".join(one["text"] for one in row["shown"])
    is_wrong = draw("checks", rater, text).random() < ERRORS[rater] / 2
    return {"verdict": next(one for one in row["questions"][0]["values"] if (one == "limitation") != is_wrong)}


def mark_limitations(row: dict[str, Any], rater: str) -> dict[str, Any]:
    """The limitations that authors state in a section, but for those that the rater overlooks."""
    text = text_of(row, "section")
    found = [one for known in limitations().values() for one in known if one in text]
    kept = [one for one in found if draw("marks", rater, one).random() >= ERRORS[rater]]
    return {
        "limitations": [
            {"start": text.index(one), "end": text.index(one) + len(one), "text": one, "label": "limitation"}
            for one in kept
        ]
    }


def compare_limitations(row: dict[str, Any], rater: str) -> dict[str, Any]:
    """Whether two limitations say the same; who errs says what is mostly so: not the same."""
    ways = [named_limitations(way) for way in ("plain", "related")]
    texts = [one["text"] for one in row["candidates"]] or [one["text"] for one in row["shown"]]
    same = any(way.get(one) in texts for way in ways for one in texts if way.get(one))
    truth, fresh = ("same" if same else "not-same"), draw("fresh pair", rater, *texts).choice(["same", "not-same"])
    return {"verdict": said(rater, "|".join(sorted(texts)), "pair", truth, fresh)}


FILL = {
    "limits": mark_limitations,
    "limits-check": check_limitation,
    "limits-pairs": compare_limitations,
    "facet-ratings": rate_facets,
    "overall": rate_overall,
    "questions": rate,
    "labels": labels,
    "weaknesses": mark_weaknesses,
    "targets": choose_targets,
    "specificity": compare,
    **aaar.FILL,
}


def main(batches: list[str]) -> None:
    for batch in batches:
        kind = json.loads((Path(batch) / "batch.json").read_text())["kind"]
        for sheet in sorted(Path(batch).glob("raters/*/*.jsonl")):
            rows = [json.loads(line) for line in sheet.read_text().splitlines()]
            for row in rows:
                row["answers"] = FILL[kind](row, sheet.stem)
            part = sheet.with_suffix(".part")  # a run may be interrupted here, too
            part.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
            part.replace(sheet)


if __name__ == "__main__":
    main(sys.argv[1:])
