"""A record with the input of every metric of st-score for three systems, and functions that damage a system's input."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Record = dict[str, Any]

SYSTEMS = ("a", "b", "c")
WORDS = "bees hedges soil rain corpus model table baseline error sample rater label noise claim proof".split()
TYPES = ("insufficient", "contradictory", "novelty", "clarity", "related_work", "other")
FACETS = ("background", "method", "result", "conclusion")

#: Inputs of each metric: paths of lists with an entry for each system, and the key of the entry that can be null.
LISTS = {
    "text": [("summaries", "text")],
    "facets": [("summaries", "text"), ("judgements.facets", "ratings")],
    "match": [("generated.limitations", "items"), ("judgements.match", "pairs")],
    "soft": [("generated.weaknesses", "items")],
    "entail": [
        ("generated.experiments", "items"), ("generated.explanations", "items"), ("judgements.entail", "candidates"),
    ],
    "equations": [("judgements.equation", "options")],
    "review": [("judgements.review", "reviews")],
    "spans": [("generated.claims", "items")],
    "contamination": [("contamination", "reviews")],
    "specificity": [("judgements.specificity", "pairs")],
    "same-issue": [("judgements.same_issue", "pairs")],
}  # fmt: skip
#: List of each weakness and key of its entries, by metric; the lists have an entry of ``gold`` too.
OF_WEAKNESSES = {"targets": ("targets", "items"), "labels": ("labels", "types"), "edits": ("edited", "text")}


def whole_record(seed: int, name: str = "p") -> Record:
    rng = random.Random(seed)
    abstract = {facet: sentence(rng) for facet in FACETS}
    summaries = {system: {facet: sentence(rng) for facet in FACETS if rng.random() < 0.8} for system in SYSTEMS}
    sections = [{"id": "s1", "number": "1", "heading": "Results", "level": 1, "role": "result", "text": sentence(rng)}]
    record: Record = {"id": name, "abstract": " ".join(abstract.values()), "sections": sections}
    record["summaries"] = [{"system": one, "text": " ".join(parts.values())} for one, parts in summaries.items()]
    named = {"abstract": abstract, **{f"summary:{one}": parts for one, parts in summaries.items()}}
    record["facets"] = [facet_set(where, parts) for where, parts in named.items()]
    record["gold"] = {"limitations": texts(rng, 2)}
    record["limitations"] = texts(rng, 3, "l")
    record["experiments"], record["explanations"] = texts(rng, 2, "e"), texts(rng, 3, "x")
    record["claims"] = [claim for n in range(4) for claim in [{"id": f"c{n}", "by": "h", **place(record, n)}]]
    record["generated"] = {
        task: [{"system": one, "items": texts(rng, rng.randint(1, 3), letter)} for one in SYSTEMS]
        for task, letter in (("limitations", "g"), ("weaknesses", "g"), ("experiments", "g"), ("explanations", "x"))
    }
    record["generated"]["claims"] = [
        {"system": one, "items": [{"id": "c0", "by": "m", **place(record, n)}]} for n, one in enumerate(SYSTEMS)
    ]
    review = " ".join(sentence(rng) for _ in range(3))
    record["reviews"] = [{"id": "r1", "text": review, "weaknesses_by": "gold"}]
    record["weaknesses"] = [weakness(rng, record, n) for n in range(3)]
    record["annotations"] = {
        "weaknesses": [
            {"rater": one, "review": "r1", "items": [passage(rng, record, rng.randrange(3))]} for one in SYSTEMS
        ]
    }
    record["contamination"] = [
        {"system": one, "reviews": [{"review": "r1", "longest": rng.randint(0, 20), "run": None}]} for one in SYSTEMS
    ]
    record["verifications"] = [verification(record, n, one) for n, one in enumerate(SYSTEMS)]
    record["judgements"] = judgements(rng, record)
    return record


def verified_record(seed: int) -> Record:
    """A record without judgements, with verifications of a claim by a reviewer and a model, and a long review."""
    rng = random.Random(seed)
    record = whole_record(seed)
    del record["judgements"]
    text = " ".join([record["reviews"][0]["text"], *(sentence(rng) for _ in range(30))])
    record["reviews"][0]["text"] = text
    cut = text.index(" ", 9)
    record["reviews"][0]["segments"] = [
        {"start": 0, "end": cut, "deficient": True}, {"start": cut + 1, "end": len(text), "deficient": False},
    ]  # fmt: skip
    both = [(side, n) for n, side in enumerate(("reviewer", "model"))]
    record["verifications"] = [{**verification(record, n, "a"), "side": side, "weakness": "w0"} for side, n in both]
    return record


def sentence(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(6)).capitalize() + "."


def texts(rng: random.Random, n: int, letter: str = "t") -> list[Record]:
    return [{"id": f"{letter}{place}", "text": sentence(rng)} for place in range(n)]


def facet_set(where: str, parts: dict[str, str]) -> Record:
    """Facets of a text that consists of these parts, in order."""
    found: Record = dict.fromkeys(FACETS)
    start = 0
    for facet, text in parts.items():
        found[facet] = {"text": text, "spans": [{"in": where, "start": start, "end": start + len(text)}]}
        start += len(text) + 1
    return {"in": where, "by": "h", **found}


def place(record: Record, n: int, name: str = "abstract") -> Record:
    """Text and span of the n-th sentence of the abstract or of the review, from 0."""
    text = record["abstract"] if name == "abstract" else record["reviews"][0]["text"]
    sentences = text.split(". ")
    start = sum(len(one) + 2 for one in sentences[:n])
    end = start + len(sentences[n])
    return {"text": text[start:end], "spans": [{"in": name, "start": start, "end": end}]}


def target(record: Record, n: int) -> Record:
    return {"claim": f"c{n}", "custom": False, **place(record, n)}


def passage(rng: random.Random, record: Record, n: int) -> Record:
    return {"id": f"w{n}", "review": "r1", **place(record, n, "review:r1"), "groundedness": rng.randint(1, 5)}


def weakness(rng: random.Random, record: Record, n: int) -> Record:
    made = {**passage(rng, record, n), "by": "gold"}
    raters = ("gold", *SYSTEMS)
    made["targets"] = [{"system": one, "items": [target(record, rng.randint(0, 3))]} for one in raters]
    made["labels"] = [
        {"system": one, "objectivity": rng.randint(1, 5), "agreement": rng.randint(1, 5), "types": [rng.choice(TYPES)]}
        for one in raters
    ]
    made["edited"] = [{"system": one, "text": sentence(rng)} for one in SYSTEMS]
    return made


def verification(record: Record, n: int, system: str) -> Record:
    spans = record["weaknesses"][0]["targets"][0]["items"][0]
    claim = {key: spans[key] for key in ("text", "spans")}
    made = {"id": f"v{n}", "system": system, "side": "model", "claim": claim, "types": ["novelty"], "text": "It is so."}
    return {**made, "evidence": [], "cited": []}


def judgements(rng: random.Random, record: Record) -> Record:
    def said() -> bool:
        return rng.random() < 0.6

    found: Record = {}
    found["facets"] = [
        {"system": one, "ratings": {facet: float(rng.randint(1, 3)) for facet in FACETS}} for one in SYSTEMS
    ]
    found["match"] = [
        {
            "system": one["system"],
            "pairs": [
                {"reference": truth["id"], "candidate": item["id"], "match": said()}
                for truth in record["limitations"]
                for item in one["items"]
            ],
        }
        for one in record["generated"]["limitations"]
    ]
    found["entail"] = [
        {
            "system": one["system"],
            "candidates": [{"id": item["id"], "entailed": said()} for item in one["items"]],
            "references": [{"id": item["id"], "entailed": said()} for item in record["experiments"]],
        }
        for one in record["generated"]["experiments"]
    ]
    found["equation"] = [
        {"system": one, "options": [{"correct": not place, "answer": said()} for place in range(3)]} for one in SYSTEMS
    ]
    truth = [said() for _ in range(4)]
    found["review"] = [
        {
            "system": one,
            "reviews": [
                {
                    "id": review,
                    "segments": [
                        {
                            "deficient": sound,
                            "answers": {
                                "labeling-all": {"deficient": said()},
                                "select-deficient": {"deficient": said()},
                            },
                        }
                        for sound in truth
                    ],
                }
                for review in ("r8", "r9")
            ],
        }
        for one in SYSTEMS
    ]
    found["specificity"] = [
        {"system": one, "pairs": [{"weakness": "w0", "winner": rng.choice(["revised", "tie"])}]} for one in SYSTEMS
    ]
    found["same_issue"] = [
        {"system": one, "pairs": [{"reviewer": "v0", "model": "v1", "verdict": rng.choice(["same", "similar"])}]}
        for one in SYSTEMS
    ]
    return found


def entries_at(record: Record, path: str) -> list[Record]:
    here: Any = record
    for key in path.split("."):
        here = here[key]
    return here


def damages(metric: str) -> dict[str, Callable[[Record, str], None]]:
    """Functions that damage a system's input of a metric, by name; each changes the record in place."""
    found: dict[str, Callable[[Record, str], None]] = {}
    for path, key in LISTS.get(metric, ()):
        found[f"{path} is absent"] = lambda record, system, path=path: drop(entries_at(record, path), system)
        found[f"{path} has no name"] = lambda record, system, path=path: change(
            entries_at(record, path), system, "system", None
        )
        found[f"{path}.{key} is null"] = lambda record, system, path=path, key=key: change(
            entries_at(record, path), system, key, None
        )
        if key not in ("text", "ratings"):
            found[f"{path}.{key} is empty"] = lambda record, system, path=path, key=key: change(
                entries_at(record, path), system, key, []
            )
            found[f"{path}.{key} has a null"] = lambda record, system, path=path, key=key: spoil(
                entries_at(record, path), system, key
            )
    if metric in OF_WEAKNESSES:
        name, key = OF_WEAKNESSES[metric]
        found[f"{name} is absent"] = lambda record, system: [drop(one[name], system) for one in record["weaknesses"]]
        found[f"{name} is null once"] = lambda record, system: change(record["weaknesses"][0][name], system, key, None)
        found[f"{name} is of another text"] = lambda record, system: change(
            record["weaknesses"][1][name], system, "texts", "00"
        )
        found[f"{name} is of another shape"] = lambda record, system: change(
            record["weaknesses"][2][name], system, key, 2.5
        )
    if metric in ("verifications", "same-issue"):
        found["a verification is of another shape"] = lambda record, system: change(
            record["verifications"], system, "cited", 2.5
        )
    if metric == "verifications":
        found["text is null"] = lambda record, system: change(record["verifications"], system, "text", None)
        found["it is on no target"] = lambda record, system: change(
            record["verifications"], system, "claim", {"text": "x", "spans": [{"in": "abstract", "start": 0, "end": 1}]}
        )
    if metric == "facets":
        found["facets are missing"] = lambda record, system: [
            record["facets"].remove(one) for one in [*record["facets"]] if one["in"] == f"summary:{system}"
        ]
        found["facets are of another text"] = lambda record, system: [
            one.update(method={"text": "x", "spans": [{"in": one["in"], "start": 0, "end": 1}]})
            for one in record["facets"]
            if one["in"] == f"summary:{system}"
        ]
        found["facets are of another shape"] = lambda record, system: [
            one.update(by=2.5) for one in record["facets"] if one["in"] == f"summary:{system}"
        ]
    if metric in ("facets", "text"):
        found["a summary is of another shape"] = lambda record, system: change(record["summaries"], system, "text", {})
    if metric == "weaknesses":
        found["a passage is of another shape"] = lambda record, system: [
            one["items"][0].update(groundedness=9)
            for one in record["annotations"]["weaknesses"]
            if one["rater"] == system
        ]
        found["items are null"] = lambda record, system: [
            one.update(items=None) for one in record["annotations"]["weaknesses"] if one["rater"] == system
        ]
    if metric in ("match", "entail", "review", "specificity", "same-issue"):
        task = metric.replace("-", "_")
        found["judgements are of other texts"] = lambda record, system: change(
            entries_at(record, f"judgements.{task}"), system, "texts", "00"
        )
    return found


def drop(entries: list[Record], system: str) -> None:
    entries[:] = [one for one in entries if one["system"] != system]


def change(entries: list[Record], system: str, key: str, value: Any) -> None:
    for one in entries:
        if one["system"] == system:
            one[key] = value


def spoil(entries: list[Record], system: str, key: str) -> None:
    """Set the values of the first item in the system's list to null."""
    said = ("text", "match", "entailed", "answer", "verdict", "winner", "longest", "segments")
    for one in entries:
        for name in said if one["system"] == system and one[key] else ():
            if name in one[key][0]:
                one[key][0][name] = None
