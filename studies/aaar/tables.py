"""The tables of AAAR-1.0, from the files that the Makefile made."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from layout import histograms, number, page, read, result, share, write  # noqa: E402

PRF = {"F1": "f1", "Precision": "precision", "Recall": "recall"}
LIKE = {
    "S-Match": "explanations.s_match",
    "ROUGE-L": "explanations.rougeL",
    "ROUGE-1": "explanations.rouge1",
}
READINGS = {
    "Labeling-All": "labeling-all",
    "Select-Deficient": "select-deficient",
    'Both "No"': "both-no",
    'Either "No"': "either-no",
}
#: What the first model is named with in runs of its own.
WAYS = {
    "tables": "w/ tables", "figures": "w/ figures", "figures-tables": "w/ tables & figures",
}  # fmt: skip
SCORES = read("scores.jsonl")


def by_system(metric: str, scores: list[dict[str, Any]] = SCORES) -> dict[str, dict[str, Any]]:
    """The values of each system, those of all papers together among them."""
    found = (one for one in scores if one["metric"] == metric and "system" in one)
    return {one["system"]: {**(one.get("values") or {}), **(one.get("corpus") or {})} for one in found}


def row(name: str, values: Mapping[str, Any], heads: Mapping[str, str]) -> dict[str, str]:
    return {"id": name, **{head: result(values.get(key)) for head, key in heads.items()}}


def models(found: Mapping[str, Any]) -> list[str]:
    """The systems that are a model without anything added: those that judged equations."""
    return [name for name in by_system("equations") if name in found and name != "all-positive"]


def way_of(system: str, first: str) -> str | None:
    """What a run of the first model has added to its name."""
    return system.removeprefix(f"{first}-") if system.startswith(f"{first}-") else None


def equations() -> None:
    found = by_system("equations")
    write(
        "table1",
        "Table 1: Equation inference: F1, precision and recall over all options of all questions (percent). A guess of"
        " yes to all is all-positive.",
        [row(name, values, PRF) for name, values in found.items()],
    )


def experiments() -> None:
    found = by_system("entail")
    names = models(found)
    design = {f"En-{head}": key for head, key in PRF.items()}
    write(
        "table2",
        "Table 2: Experiment design (left) and explanation of the experiments that people wrote down (right; percent).",
        [row(name, found[name], design | LIKE) for name in ("copy-input", *names) if name in found],
    )
    write(
        "table4",
        "Table 4: S-Match of explanations where a model is shown one experiment, or the whole list (percent).",
        [
            {
                "id": name,
                "One-by-One": result(found[name].get(LIKE["S-Match"])),
                "Whole-List": result(found.get(f"{name}-list", {}).get(LIKE["S-Match"])),
            }
            for name in names
        ],
    )
    first = names[0] if names else ""
    write(
        "table14",
        "Table 14: Figures in the input: the first model without and with them (percent).",
        [
            row(title, found[name], design | LIKE)
            for name, title in ((first, first), (f"{first}-figures", WAYS["figures"]))
            if name in found
        ],
    )


def _system_of(item: str) -> str:
    """Of the name of an item: PAPER/SYSTEM/ID."""
    return item.rsplit("/", 2)[1]


def people_on_experiments() -> None:
    rated = [one for one in read("novel.jsonl") if one["answers"]["necessity"] is not None]
    said: dict[str, list[str]] = {}
    for one in rated:
        said.setdefault(_system_of(one["item"]), []).append(one["answers"]["necessity"])
    write(
        "table3",
        "Table 3: Experiments that a model plans and the paper's list does not cover, and how far the paper needs them"
        " (percent). A: necessary; B: optional; the rest: unrelated.",
        [
            {
                "id": name,
                "# of novel EXP": str(len(ones)),
                **{level: share(ones.count(level), len(ones)) for level in "AB"},
            }
            for name, ones in said.items()
        ],
    )
    papers = {one["id"]: one for one in read("plans.jsonl", "generated.experiments")}
    planned = {  # people may have rated what a later run has not
        f"{name}/{entry['system']}/{item['id']}": item["text"]
        for name, paper in papers.items()
        for entry in paper["generated"]["experiments"]
        for item in entry["items"] or ()
    }
    rows = []
    for level in "ABC":
        for one in [one for one in rated if one["answers"]["necessity"] == level and one["item"] in planned][:1]:
            paper = papers[one["item"].rsplit("/", 2)[0]]
            own = " ".join(f"{n}. {item['text']}" for n, item in enumerate(paper["experiments"], 1))
            heads = {"Original Experiments (by human)": own, "Novel Experiment (by models)": planned[one["item"]]}
            rows.append({"id": paper["title"], **heads, "Rating": level})
    write("table13", "Table 13: Novel experiments of papers (first column) by models, and the rating of people.", rows)
    accepted: dict[str, list[bool]] = {}
    for one in read("acceptable.answers"):
        if one["control"] is None and one["answers"]["acceptable"] is not None:
            accepted.setdefault(_system_of(one["item"]), []).append(one["answers"]["acceptable"])
    scores = by_system("entail")
    write(
        "table5",
        "Table 5: Explanations that people accept (percent), beside S-Match of Table 2.",
        [
            {"id": name, "Acc. ratio": share(sum(ones), len(ones)), "n": str(len(ones)), "S-Match": result(scores[name].get(LIKE["S-Match"]))}
            for name, ones in sorted(accepted.items(), key=lambda one: fmean(one[1]))
        ],
    )  # fmt: skip


def weaknesses() -> None:
    heads = {f"S-{head}": key for head, key in PRF.items()}
    found = by_system("soft")

    def soft(name: str, title: str) -> dict[str, str]:
        diversity = {"ITF-IDF": number((found[name].get("itf_idf") or {}).get("value"), times=1)}
        return {**row(title, found[name], heads), **diversity, "items": number(found[name]["n_items"]["mean"], times=1)}

    names = models(found)
    first = names[0] if names else ""
    write(
        "table6",
        "Table 6: Weaknesses of papers: soft scores (percent), diversity (ITF-IDF), items of a list. The row of people is"
        " each reviewer's list beside those of the paper's others.",
        [
            soft(name, title)
            for name, title in (
                ("people", "Human Review"),
                *((one, one) for one in names),
                (f"{first}-agent", f"AI-SCI ({first})"),
            )
            if name in found
        ],
    )
    numbers = sorted(int(way) for name in found if (way := way_of(name, first)) and way.isdigit())
    rows = []
    for name, title in ((first, first), (f"{first}-agent", "AI-SCI")):
        inputs = (
            [("split-combine", numbers[0], name), *(("no-split", most, f"{name}-{most}") for most in numbers)]
            if numbers
            else []
        )
        for how, most, system in inputs:
            if system in found:
                window = {"Input Context Processing": how, "Window Size (in words)": f"{most:,}"}
                rows.append({"id": title, **window, **soft(system, title)})
    write("table12", "Table 12: Scaling the input: the whole paper in pieces, or at once. First model.", rows)
    ways = {way: name for name in found if (way := way_of(name, first)) in WAYS}
    rows = [soft(first, first)] if first else []
    rows += [soft(ways[way], WAYS[way]) for way in ("tables", "figures", "figures-tables") if way in ways]
    write("table15", "Table 15: Pictures of tables and figures in the input. First model.", rows)


def reviews() -> None:
    found = by_system("review")
    names = [*models(found), *(name for name in found if name == "all")]
    write(
        "table7",
        "Table 7: Deficient sentences of reviews: precision / recall / F1 (percent, means over reviews). The system all"
        " calls every sentence deficient.",
        [
            {
                "id": name,
                **{
                    head: " / ".join(
                        number((found[name].get(f"{key}.{one}") or {}).get("mean"))
                        for one in ("precision", "recall", "f1")
                    )
                    for head, key in READINGS.items()
                },
                'F1 of Either "No"': result(found[name].get("either-no.f1")),
            }
            for name in names
        ],
    )
    like = {f"ROUGE-{head}": f"labeling-all.rouge{head}" for head in ("1", "2", "L")} | {
        "BERTScore": "labeling-all.bertscore"
    }
    write(
        "table8",
        "Table 8: Explanations of deficient sentences beside people's (percent). BERTScore: st-score review --bertscore.",
        [row(name, found[name], like) for name in models(found)],
    )


def spread(groups: Mapping[str, Iterable[float]]) -> list[dict[str, str]]:
    """The means of all groups, then the most, then the least, a row each."""
    ones = {name: list(values) for name, values in groups.items()}
    return [
        {"id": f"{word} {name}", "value": number(of(values), times=1) if values else "--"}
        for word, of in (("ave.", fmean), ("max", max), ("min", min))
        for name, values in ones.items()
    ]


def words(text: str) -> int:
    return len(text.split())


def data() -> None:
    """Tables 9 to 11; a word is what stands between spaces, and an equation is the characters of its LaTeX."""
    asked = read("asked.jsonl", "options")
    lengths = {
        sign: [len(one["latex"]) for record in asked for one in record["options"] if one["correct"] == sign]
        for sign in (True, False)
    }
    rows = [
        {"id": name, "value": str(count)}
        for name, count in (
            ("# of positive equations", len(lengths[True])),
            ("# of negative equations", len(lengths[False])),
            ("# of source papers", len({one["paper"] for one in asked})),
        )
    ]
    rows += spread(
        {
            f'"{side}" input context length (in words)': [one["context"]["words"][place] for one in asked]
            for place, side in enumerate(("left", "right"))
        }
    )
    rows += spread(
        {
            f'"{name}." output equation length (in characters)': lengths[sign]
            for name, sign in (("pos", True), ("neg", False))
        }
    )
    write("table9", "Table 9: Statistics of equation inference; input is what is shown.", rows)
    plans = read("plans.jsonl", "generated.experiments")
    entries = [(one["generated"]["experiments"][0], one["generated"]["experiments"][-1]) for one in plans]
    rows = [{"id": f"# of {name}", "value": str(len(plans))} for name in ("instances", "source papers")]
    rows += spread(
        {"input context length (in words)": [one["given"]["words"] for one, _ in entries if one.get("given")]}
    )
    rows += spread(
        {"# of input figures": [len(one.get("images") or ()) for _, one in entries if one["items"] is not None]}
    )
    texts = {
        f"length per {kind} (in words)": [words(item["text"]) for one in plans for item in one[f"{kind}s"]]
        for kind in ("experiment", "explanation")
    }
    rows += spread({"length of Experiment&Explanation list": [len(one["experiments"]) for one in plans]} | texts)
    write("table10", "Table 10: Statistics of experiment design.", rows)
    papers = [one for one in read("copied.jsonl", "weaknesses") if one["weaknesses"]]
    rows = [{"id": f"# of {name}", "value": str(len(papers))} for name in ("instances", "source papers")]
    texts = [sum(words(part["text"]) for part in one["sections"]) for one in papers]
    rows += spread({"input context length (in words)": texts})
    for kind in ("figure", "table"):
        rows += spread(
            {f"# of input {kind}s": [sum(part["kind"] == kind for part in one["captions"]) for one in papers]}
        )
    lists = [
        [item for item in one["weaknesses"] if item["review"] == review["id"]]
        for one in papers
        for review in one["reviews"]
    ]
    rows += spread({"# of reviewers per paper": [len(one["reviews"]) for one in papers]})
    rows += spread({"# of weaknesses per reviewer": [len(one) for one in lists]})
    rows += spread({"length of weakness (in words)": [words(item["text"]) for one in lists for item in one]})
    write("table11", "Table 11: Statistics of weaknesses.", rows)


def _score(paper: Mapping[str, Any]) -> int | None:
    """The mean of what its reviewers gave a paper, rounded; conferences have two names for it."""
    given = [review.get("scores") or {} for review in paper["reviews"]]
    found = [next((one[name]["value"] for name in ("recommendation", "rating") if name in one), None) for one in given]
    values = [one for one in found if one is not None]
    return round(fmean(values)) if values else None


def submissions() -> None:
    """Figure 3: a histogram for each decision."""
    papers = read("read.jsonl", "reviews")
    for name, caption, value in (
        ("scores", "papers by their score, the rounded mean of their reviews", _score),
        ("tracks", "papers by their track", lambda paper: paper.get("track")),
    ):
        found = Counter((value(paper), paper.get("decision")) for paper in papers)
        decisions = sorted({str(decision) for _, decision in found})
        values = sorted({one for one, _ in found}, key=lambda one: (one is None, one))
        of = {
            (one, word): sum(n for (key, said), n in found.items() if (key, str(said)) == (one, word))
            for one in values
            for word in decisions
        }
        histograms(
            f"figure3-{name}",
            f"Figure 3: {caption} (--: not known).",
            [{"id": word, **{"--" if one is None else str(one): str(of[one, word]) for one in values}} for word in decisions],
        )  # fmt: skip


def lengths() -> None:
    """Figures 4 and 5, as numbers: a row for each model and number of words."""
    scores = read("lengths.jsonl")
    design = {f"En-{head}": key for head, key in PRF.items()}
    for name, metric, heads, caption in (
        ("figure4", "equations", PRF, "Figure 4: Equation inference by the words of context on each side (percent)."),
        ("figure5", "entail", design | LIKE, "Figure 5: Experiment design by the words of the paper that a model sees (percent)."),
    ):  # fmt: skip
        found = by_system(metric, scores)
        scaled = {system: system.rsplit("-", 1) for system in found if system != "all-positive"}
        write(
            name,
            caption,
            [row(f"{model}, {words} words", found[system], heads) for system, (model, words) in scaled.items()],
        )


if __name__ == "__main__":
    equations()
    experiments()
    people_on_experiments()
    weaknesses()
    reviews()
    data()
    submissions()
    lengths()
    figures = ["figure3-scores", "figure3-tracks", "figure4", "figure5"]
    page("AAAR-1.0", [*(f"table{number}" for number in range(1, 16)), *figures])
