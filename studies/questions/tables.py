"""The tables and figures of the study of research questions, from the files that the Makefile made."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from layout import histograms, mean, number, page, read, result, write  # noqa: E402

ASPECTS = {"Problem": "problem", "Method": "method", "Format": "type"}
FIRST = next(iter(ASPECTS.values()))
SIGNS = {"rho": "spearman", "tau": "kendall", "r": "pearson"}


def by_method(path: str, measure: str | None = None) -> dict[tuple[str, str], dict]:
    """Results by method and aspect."""
    made: dict[tuple[str, str], dict] = {}
    for one in read(path):
        if measure in (None, one["measure"]) and "aspect" in one["each"]:
            name = one["each"].get("method") or one.get("method") or one.get("x") or one.get("methods", [""])[0]
            made[name, one["each"]["aspect"]] = one
    return made


#: Prompts of st-generate questions, and what they have, as in Table 3.
VARIANTS = {"plain": ("no", "yes", "no"), "format": ("yes", "no", "no"), "structured": ("no", "yes", "yes")}
#: Methods of st-judge rate, after whom they are, and what their prompts have, in the order of FEATURES.
FUNCTIONS = {
    "autocalibrate": ("Liu et al., 2023b", "yes", "yes", "yes", "by a model", "Single", "no", "no", "no", "no"),
    "direct": ("Wang et al., 2023", "yes", "yes", "yes", "yes", "Single", "no", "no", "no", "no"),
    "geval": ("Liu et al., 2023a", "yes", "yes", "yes", "yes", "Single", "yes", "yes", "no", "no"),
    "analyze-rate": ("Chiang and Lee, 2023", "yes", "yes", "yes", "yes", "Single", "yes", "yes", "yes", "no"),
    "rate-explain": ("Chiang and Lee, 2023", "yes", "yes", "yes", "yes", "Single", "yes", "yes", "yes", "no"),
    "batcheval": ("Yuan et al., 2023", "yes", "yes", "yes", "yes", "Batch", "no", "yes", "yes", "no"),
    "coascore": ("Gong and Mao, 2023", "yes", "with sub-aspects", "yes", "yes", "Single", "no", "no", "no", "no"),
    "icl": ("Jain et al., 2023", "no", "no", "no", "no", "Single", "no", "no", "no", "yes"),
}
FEATURES = (
    "of", "Instruction", "Aspect", "Output Space", "Criteria", "Data Sample", "Eval-procedure", "Multiple Score", "Score-explain", "ICL",
)  # fmt: skip


def prompts_and_criteria(criteria: Mapping[str, Any]) -> None:
    """What the questions were asked by, and rated by."""
    write(
        "table2",
        "Table 2: Elements of each evaluation function, as the paper lists them (st-judge rate --method).",
        [{"id": name, **dict(zip(FEATURES, said, strict=True))} for name, said in FUNCTIONS.items()],
    )
    own = os.environ.get("ST_PROMPT_DIR")
    folder = Path(own) if own else resources.files("scholartools.prompts")
    texts = {name: (folder / f"generate-question-{name}.txt").read_text(encoding="utf-8") for name in VARIANTS}
    write(
        "table6",
        "Table 6: Prompts that the research questions were extracted by.",
        [{"id": name, "content": " ".join(text.split())} for name, text in texts.items()],
    )
    aspects = criteria["aspects"]
    write(
        "table8",
        "Table 8: Criteria by which models rate, written by people (builtin:rq).",
        [{"id": one["name"], "criteria": one["definition"]} for one in aspects],
    )
    write(
        "table9",
        f"Table 9: The steps that the model inferred for the aspect {FIRST}, used by geval, analyze-rate and rate-explain.",
        [{"id": str(number), "inferred evaluation step": step} for number, step in enumerate(aspects[0]["steps"], 1)],
    )
    write(
        "table12",
        "Table 12: Description of each item that people rate.",
        [
            {
                "id": one["name"],
                "Description": one.get("definition_for_people", one["definition"]),
                "Data Type": "int",
                "Content": " ".join(f"{level}: {said}" for level, said in one["levels"].items()),
            }
            for one in aspects
        ],
    )


def prompts_and_people(papers: list[dict]) -> None:
    heads = ("Explicit RQ Type", "Explicit RQ Nature", "Elicit Thinking")
    write(
        "table3",
        "Table 3: Categorization of prompts (st-generate questions --variant).",
        [{"id": name, **dict(zip(heads, said, strict=True))} for name, said in VARIANTS.items()],
    )
    rated = [
        (entry["variant"], paper["title"], item)
        for paper in papers
        for entry in paper["generated"]["questions"]
        for item in entry["items"] or ()
        if item.get("human")
    ]
    write(
        "table4",
        "Table 4: Example of human annotations (the score of most raters).",
        [
            {
                "id": title,
                "extracted RQ": item["text"],
                **{f"{name} score": f"{item['human'].get(key)}" for name, key in ASPECTS.items()},
            }
            for _, title, item in rated[:3]
        ],
    )
    rows = []
    for variant in VARIANTS:
        scores = [item["human"] for name, _, item in rated if name == variant]
        means = {name: number(mean(one.get(key) for one in scores), times=1) for name, key in ASPECTS.items()}
        rows.append({"id": f"{variant} ({len(scores)} questions)", **means})
    histograms("figure5", "Figure 5: Average scores of people for each prompt.", rows)
    found = {(one["stat"], one["label"]): one for one in read("agreement.jsonl")}
    write(
        "agreement",
        "Agreement of the raters (alpha, ordinal, times 100; share of equal pairs, percent). The paper has none by aspect.",
        [
            {"id": stat, **{name: result(found.get((stat, key))) for name, key in ASPECTS.items()}}
            for stat in ("alpha", "agreement")
        ],
    )


def correlations() -> None:
    for name, path, caption in (
        (
            "table5",
            "table5.jsonl",
            "Table 5: Correlation coefficients between methods and people (times 1, with 95 % intervals over papers).",
        ),
        ("length", "length.jsonl", "Not in the paper: the same with the number of words held constant."),
    ):
        found = {sign: by_method(path, measure) for sign, measure in SIGNS.items()}
        if name == "length":
            found = {sign: _controlled(path, measure) for sign, measure in SIGNS.items()}
        methods = list(dict.fromkeys(method for method, _ in found["rho"]))
        rows = [
            {
                "id": method,
                **{
                    f"{head} {sign}": result(found[sign].get((method, key)), 1)
                    for head, key in ASPECTS.items()
                    for sign in SIGNS
                },
            }
            for method in methods
        ]
        write(name, caption, rows)


def steps() -> None:
    found = {
        ("5 (default)", one["measure"], one["each"]["aspect"]): one
        for one in read("table5.jsonl")
        if one["x"] == "geval"
    }
    for one in read("steps.jsonl"):
        found[str(one["each"]["steps"]), one["measure"], one["each"]["aspect"]] = one
    write(
        "table10",
        "Table 10: Correlation coefficients of geval and people by the number of evaluation steps (times 1).",
        [
            {
                "id": number,
                **{
                    f"{head} {sign}": result(found.get((number, SIGNS[sign], key)), 1)
                    for head, key in ASPECTS.items()
                    for sign in ("rho", "tau")
                },
            }
            for number in dict.fromkeys(number for number, *_ in found)
        ],
    )


def _controlled(path: str, measure: str) -> dict[tuple[str, str], dict]:
    found = [one for one in read(path) if one["measure"] == measure and one.get("control")]
    return {(one["x"], one["each"]["aspect"]): one for one in found}


def errors_and_costs() -> None:
    shares = [one for one in read("errors.jsonl") if one["measure"] == "share"]
    overlaps = [one for one in read("errors.jsonl") if one["measure"] != "share"]
    methods = list(dict.fromkeys(one["methods"][0] for one in shares))
    for aspect in ASPECTS.values():
        pairs = {frozenset(one["methods"]): one for one in overlaps if one["each"]["aspect"] == aspect}
        rows = [
            {
                "id": row,
                **{column: result(pairs.get(frozenset((row, column)))) if row != column else "" for column in methods},
            }
            for row in methods
        ]
        write(
            f"figure2-{aspect}",
            f"Figures 2 and 6: overlap of the questions that two methods get wrong ({aspect}, percent).",
            rows,
        )
    signed, costs = by_method("signed.jsonl"), by_method("costs.jsonl", "spearman")
    judges = list(dict.fromkeys(method for method, _ in costs if method))
    write(
        "figure10",
        "Figure 10: how far methods score above (+) or below (-) people, on scales made 0 to 1 (times 100).",
        [{"id": one, **{name: result(signed.get((one, key))) for name, key in ASPECTS.items()}} for one in judges],
    )
    write(
        "figure7",
        "Figure 7 and costs: Spearman's rho and the tokens of a rating.",
        [
            {
                "id": one,
                **{f"{name} rho": result(costs.get((one, key)), 1) for name, key in ASPECTS.items()},
                "tokens": number(mean(costs.get((one, key), {}).get("tokens") for key in ASPECTS.values()), times=1),
                "USD": next(
                    (f"{found['cost']:.5f}" for (name, _), found in costs.items() if name == one and found.get("cost")),
                    "--",
                ),
            }
            for one in judges
        ],
    )
    runs = {sign: by_method("spread.jsonl", measure) for sign, measure in SIGNS.items()}
    repeated = list(dict.fromkeys(method for method, _ in runs["rho"]))
    write(
        "figure3",
        "Figures 3, 4, 8 and 9: coefficients of repeated runs (mean, lowest and highest); spread.svg has the violins.",
        [
            {
                "id": one,
                **{
                    f"{name} {sign}": result(runs[sign].get((one, key)), 1)
                    for name, key in ASPECTS.items()
                    for sign in ("rho", "tau")
                },
            }
            for one in repeated
        ],
    )


if __name__ == "__main__":
    prompts_and_criteria(json.loads(Path("criteria.json").read_text(encoding="utf-8")))
    prompts_and_people(read("people.jsonl", "generated.questions"))
    correlations()
    steps()
    errors_and_costs()
    figures = [f"figure2-{aspect}" for aspect in ASPECTS.values()]
    page(
        "Research questions",
        [
            "table2",
            "table3",
            "table4",
            "figure5",
            "agreement",
            "table5",
            "table6",
            *(f"table{number}" for number in (8, 9, 10, 12)),
            "length",
            *figures,
            "figure3",
            "figure7",
            "figure10",
        ],
    )
