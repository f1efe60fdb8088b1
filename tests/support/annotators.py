"""Simulated raters, who fill in the files of a batch as a person would, with known answers."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from support.run import st

from scholartools.tasks.shared.items import Item, unordered_mark

SIDES = ("A", "B")
HOSTILE = [
    "🐝 bees and 𝒙 in R² 🐝", "one line\r\nand a second\rand a third", "=1+1 is a formula", "'=1 has an apostrophe",
    "+49 30 1234", "@handle; and, a \"quotation\"", "- a dash first", "\ttab first", "עברית and العربية mixed",
    "e\u0301 combining, no\u00a0break, zero\u200bwidth", "<b>tags</b> &amp; entities", "$x_{i}$ and $\\nu$\r\n$\\nabla$",
    "line\u2028separator and \u0085 next line", " blank at both ends ", "007", "1e5", "NA", "None", "a" * 40_000,
    "Ünïcode “quotes” – dashes…",
]  # fmt: skip
OWN = """
name: own
questions:
  - {type: scale, name: rated, text: "How good?", low: 0, high: 10, step: 0.5}
  - {type: choice, name: one, text: "Which?", values: [left, right, none of them]}
  - {type: choice, name: many, text: "Which of these?", values: [a, b, c], is_many: true}
  - {type: yes_no, name: sure, text: "Are you sure?"}
  - {type: number, name: n, text: "How many?", low: 0, high: null}
  - {type: winner, name: better, text: "Which is better?"}
  - {type: text, name: why, text: "Why?", is_required: false}
items: pairs
parts: [{name: text, heading: Text, text: text}]
candidates: sides
"""
SPAN = {"in": "abstract", "start": 0, "end": 4}


def facets_of(name: str, text: str) -> dict[str, Any]:
    """Facets of a text, one sentence each, in order; facets without a sentence are None."""
    made: dict[str, Any] = {"in": name, "by": "gold", **dict.fromkeys(("background", "method", "result", "conclusion"))}
    for facet, hit in zip(
        ("background", "method", "result", "conclusion"), re.finditer(r"[^ .][^.]*\.", text), strict=False
    ):
        made[facet] = {"text": hit[0], "spans": [{"in": name, "start": hit.start(), "end": hit.end()}]}
    return {**made, "other": None}


PAPERS = [
    {
        "id": f"p{paper}", "title": f"Paper {paper}",
        "abstract": f"Bees {paper} are small. We count bees number {paper}. They fly 🐝 far. So bees matter, {paper} times.",
        "sections": [{"id": "s1", "heading": "Introduction", "level": 1, "role": "introduction", "text": f"Why bees {paper}? They hum."}],
        "summaries": [{"system": "secret-system", "text": f"Bees {paper} are tiny. We count. They fly."}],
        "reviews": [{"id": "r1", "text": f"I like it. The count of bees {paper} is wrong. The 🐝 claim {paper} lacks proof.", "segments": [{"start": 0, "end": 10}, {"start": 11, "end": 30}]}],
        "claims": [
            {"id": f"c{n}", "text": f"claim {n} of {paper}", "by": "gold", "spans": [{"in": "abstract", "start": 0, "end": 4}]}
            for n in (1, 2, 3)
        ],
        "weaknesses": [
            {"id": "w1", "review": "r1", "text": f"The count of bees {paper} is wrong.",
             "edited": [{"system": "secret-system", "by": "m", "text": f"Bees {paper} were counted twice.", "changed": True}]},
            {"id": "w2", "review": "r1", "text": f"The 🐝 claim {paper} lacks proof."},
        ],
        "limitations": [
            {"id": "l1", "text": f"We only looked at {paper} bees.", "spans": [{"in": "abstract", "start": 0, "end": 4}], "origin": "author", "mode": "explicit", "by": "builtin"}
        ],
        "verifications": [
            {"id": "v1", "system": "m", "side": "reviewer", "claim": {"text": f"claim {paper}", "spans": [SPAN]}, "text": "No control.", "weakness": "w1"},
            {"id": "v2", "system": "m", "side": "model", "claim": {"text": f"claim {paper}", "spans": [SPAN]}, "text": "It lacks 🐝.",
             "evidence": [{"label": "text_0", "text": "We count.", "spans": [SPAN]}]},
        ],
        "options": [{"id": str(n), "latex": f"b_{n} = {paper}", "correct": n == 1} for n in range(4)],
        "order": ["2", "0", "1", "3"], "context": {"before": "Let $b$ be bees: ", "after": " hold."},
        "experiments": [{"id": "e1", "text": f"Count bees {paper}."}],
        "generated": {"questions": [{"system": "secret-system", "items": [{"id": "q1", "text": f"How many bees, {paper}?"}, {"id": "q2", "text": "=Why?"}]}], "experiments": [{"system": "secret-system", "by": "m", "items": [{"id": "1", "text": "Count them."}]}], "explanations": [{"system": "secret-system", "by": "m", "items": [{"id": "e1", "text": f"To know {paper}."}]}], "limitations": [{"system": "secret-system", "by": "m", "items": [{"id": "1", "text": f"Few bees, {paper}."}]}]},
        "pairs": [
            {"id": f"i{n}", "text": HOSTILE[(5 * paper + n) % len(HOSTILE)], "sides": [{"id": "original", "text": "one"}, {"id": "revised", "text": HOSTILE[-1]}]}
            for n in range(5)
        ],
    }
    for paper in range(4)
]  # fmt: skip
for _paper in PAPERS:
    _summary = _paper["summaries"][0]  # type: ignore[index]
    _texts = {"abstract": _paper["abstract"], f"summary:{_summary['system']}": _summary["text"]}
    _new = [{"id": "1", "entailed": False}]
    _sides = ([Item("e1", _paper["experiments"][0]["text"])], [Item("1", "Count them.")])  # type: ignore[index]
    _entry = {
        "system": "secret-system",
        "by": "m",
        "texts": unordered_mark(*_sides),
        "candidates": _new,
        "references": [],
    }
    _paper["judgements"] = {"entail": [_entry]}
    _paper["facets"] = [facets_of(name, str(text)) for name, text in _texts.items()]


def batch_of(papers, kind, *options, raters="anna,ben,eve", name="batch"):
    folder = papers.parent / name
    kind = papers.parent / kind if kind.endswith(".yaml") else kind
    done = st("st-annotate", "assign", kind, papers, "--raters", raters, "--output", folder, *options)
    assert done.status == 0, done.err
    return folder


def drawn(question, item, draw):
    """A random answer to a question; None at times if the question is an optional text."""
    kind = question["type"]
    if kind == "scale":
        steps = round((question["high"] - question["low"]) / question["step"])
        value = question["low"] + draw.randint(0, steps) * question["step"]
        return int(value) if float(value).is_integer() else value
    if kind == "choice" and question["is_many"]:
        chosen = draw.sample(question["values"], draw.randint(min(1, question["at_least"]), len(question["values"])))
        return [one for one in question["values"] if one in chosen]
    if kind == "choice":
        return draw.choice(question["values"])
    if kind == "yes_no":
        return draw.random() < 0.5
    if kind == "number":
        return draw.randint(0, 40)
    if kind == "winner":
        return draw.choice([*(one["id"] for one in item["candidates"]), "tie"])
    if kind == "text":
        return draw.choice(["= as I think; “so”", "007", *([] if question["is_required"] else [None])])
    part = next(
        (one for one in item["parts"] if one["name"] == (question.get("part") or question.get("custom_in"))), None
    )
    sentences = [] if part is None else [(hit.start(), hit.end()) for hit in re.finditer(r"[^ .][^.]*\.", part["text"])]
    spans = [
        {"in": part["in_"] or part["name"], "start": start, "end": end, "text": part["text"][start:end]}
        for start, end in draw.sample(sentences, draw.randint(0, len(sentences)))
    ]
    if kind == "pick":
        ids = [one["id"] for one in item["candidates"]]
        return sorted(draw.sample(ids, draw.randint(0, min(2, question["at_most"], len(ids))))) + spans[:1]
    rated = {} if question["rated"] is None else {question["rated"]["name"]: None}
    made = [
        {**span, "label": draw.choice(question["labels"]), **{name: draw.randint(1, 5) for name in rated}}
        for span in spans
    ]
    return sorted(made, key=lambda one: one["start"])


def answers_of(batch, rater, seed):
    items, draw = items_of(batch), random.Random(seed)
    rows = [one for one in key_of(batch) if one["rater"] == rater]
    return {
        (row["item"], row["copy"]): "skip" if draw.random() < 0.1 else {
            question["name"]: drawn(question, items[row["item"]], draw) for question in questions_of(batch)
        }
        for row in rows
    }  # fmt: skip


#: Kinds of items whose answers are not added to records.
RATED = [
    "specificity", "same-issue", "verifications", "entailment", "equations", "equation-choice", "own.yaml",
    "novel-experiments", "explanations",
]  # fmt: skip
#: Kinds for which a record holds one answer: that of one rater, or the adjudicated one.
SINGLE = ["limits-pairs", "segments", "segment-labels", "facet-ratings", "questions"]
KINDS = ["weaknesses", "targets", "labels", "edits", "claims", "facet-spans", "limits-check", *SINGLE, *RATED]


def key_of(batch: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (batch / "key.jsonl").read_text().split("\n")[:-1]]


def items_of(batch: Path) -> dict[str, dict[str, Any]]:
    return {one["item"]: one for one in map(json.loads, (batch / "items.jsonl").read_text().split("\n")[:-1])}


def questions_of(batch: Path) -> list[dict[str, Any]]:
    return json.loads((batch / "batch.json").read_text())["questions"]


def cells_of(question: dict[str, Any], value: Any, row: dict[str, Any]) -> dict[str, str]:
    """Cells that a person fills in for a question, by the beginning of the column's heading."""
    name = question["name"]
    if value is None:
        return {}
    if question["type"] == "choice" and question["is_many"]:
        return {f"{name}: {one} (": "x" for one in value} or {f"{name}: {question['values'][0]} (": "none"}
    if question["type"] == "spans":
        several = len(question["labels"]) > 1
        cells: dict[str, list[str]] = {}
        for span in value:
            head = f"{name}: {span['label']}" if several else name
            cells.setdefault(f"{head} (", []).append(span["text"])
            if question["rated"] is not None:
                scale = question["rated"]["name"]
                cells.setdefault(f"{head}, {scale} (", []).append(str(span[scale]))
        empty = f"{name}: {question['labels'][0]} (" if several else f"{name} ("
        return {head: "\n".join(texts) for head, texts in cells.items()} or {empty: "none"}
    if question["type"] == "pick":
        chosen = [str(row["order"].index(one) + 1) if isinstance(one, str) else one["text"] for one in value]
        return {f"{name} (": "\n".join(chosen) or "none"}
    if question["type"] == "winner":
        return {f"{name} (": value if value == "tie" else SIDES[row["order"].index(value)]}
    if question["type"] == "yes_no":
        return {f"{name} (": "yes" if value else "no"}
    return {f"{name} (": str(value)}


def fill_rows(headings: list[str], rows: list[dict[str, str]], batch: Path, rater: str, answers: dict) -> None:
    """Write answers into the rows of a sheet; ``answers``: by (item, copy), each a dict by question name or "skip"."""
    key = {one["row"]: one for one in key_of(batch) if one["rater"] == rater}
    for row in rows:
        known = key[row["row"]]
        said = answers.get((known["item"], known["copy"]))
        if said == "skip":
            row["skip"] = "x"
        for question in questions_of(batch) if isinstance(said, dict) else ():
            for start, cell in cells_of(question, said[question["name"]], known).items():
                (heading,) = (one for one in headings if one.startswith(start))
                row[heading] = cell


def fill_csv(batch: Path, rater: str, answers: dict, *, divider: str = ",") -> Path:
    path = batch / "raters" / rater / f"{rater}.csv"
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
    fill_rows(list(rows[0]), rows, batch, rater, answers)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=divider)
        writer.writeheader()
        writer.writerows(rows)
    return path


def fill_workbook(batch: Path, rater: str, answers: dict) -> Path:
    import openpyxl

    path = batch / "raters" / rater / f"{rater}.xlsx"
    book = openpyxl.load_workbook(path)
    sheet = book["answers"]
    headings = [cell.value for cell in sheet[1]]
    rows = [{headings[0]: cells[0].value} for cells in sheet.iter_rows(min_row=2)]
    fill_rows(headings, rows, batch, rater, answers)
    for number, row in enumerate(rows, 2):
        for heading, cell in row.items():
            # A spreadsheet program stores typed digits as a number.
            value = int(cell) if cell.isdigit() and str(int(cell)) == cell else cell
            if heading != "row":
                place = sheet.cell(number, headings.index(heading) + 1)
                place.value = value
                if isinstance(value, str):
                    place.data_type = "s"  # the cells have the text format: "=..." is not a formula
    book.save(path)
    return path


def fill_tasks(batch: Path, rater: str, answers: dict, *, units: bool = False, offsets: bool = True) -> Path:
    """``units``: whether offsets are in UTF-16 units. ``offsets``: whether spans have offsets, or only their text."""
    path = batch / "raters" / rater / f"{rater}.jsonl"
    key, texts = {one["row"]: one for one in key_of(batch) if one["rater"] == rater}, items_of(batch)
    tasks = [json.loads(line) for line in path.read_text().split("\n")[:-1]]
    for task in tasks:
        known = key[task["row"]]
        said = answers.get((known["item"], known["copy"]))
        if said == "skip":
            task["skip"] = True
        parts = {part["in_"] or part["name"]: part["text"] for part in texts[known["item"]]["parts"]}
        for question in questions_of(batch) if isinstance(said, dict) else ():
            task["answers"][question["name"]] = json_value(
                question, said[question["name"]], known, parts, units, offsets
            )
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks))
    return path


def json_value(question, value, row, parts, units, offsets) -> Any:
    def passage(span: dict) -> dict:
        made = {name: one for name, one in span.items() if name not in ("in", "start", "end")}
        if not offsets:
            return made
        text = parts[span["in"]]
        places = [len(text[: span[end]].encode("utf-16-le")) // 2 if units else span[end] for end in ("start", "end")]
        return {**made, "start": places[0], "end": places[1]}

    if value is None:
        return None
    if question["type"] == "spans":
        return [passage(span) for span in value]
    if question["type"] == "pick":
        return [str(row["order"].index(one) + 1) if isinstance(one, str) else passage(one) for one in value]
    if question["type"] == "winner":
        return value if value == "tie" else SIDES[row["order"].index(value)]
    return value


def fill_label_studio(batch: Path, rater: str, answers: dict) -> Path:
    """Write the JSON export of Label Studio 1.23 for the exported tasks and labelling configuration."""
    folder = batch / "raters" / rater / "label-studio"
    config = ElementTree.parse(folder / "config.xml").getroot()
    key, texts = {one["row"]: one for one in key_of(batch) if one["rater"] == rater}, items_of(batch)
    exported = []
    for number, task in enumerate(json.loads((folder / "tasks.json").read_text()), 11):
        known = key[task["data"]["st"]["row"]]
        said = answers.get((known["item"], known["copy"]))
        if said is None:
            continue
        parts = {part["in_"] or part["name"]: part["text"] for part in texts[known["item"]]["parts"]}
        result = []
        for place, question in enumerate(questions_of(batch) if isinstance(said, dict) else ()):
            result += regions_of(config, place, question, said[question["name"]], known, parts)
        done = {"id": number, "completed_by": 3, "result": result, "was_cancelled": said == "skip", "lead_time": 12.5}
        exported.append(
            {"id": number, **task, "annotations": [{**done, "created_at": "2026-01-01T00:00:00Z"}], "drafts": []}
        )
    path = folder / "export.json"
    path.write_text(json.dumps(exported))
    return path


def regions_of(
    config: ElementTree.Element, place: int, question: dict, value: Any, row: dict, parts: dict
) -> list[dict]:
    """Regions that Label Studio stores for an answer, by the controls of the configuration."""
    name = f"q_{place}"

    def region(control: str, kind: str, value: dict, more: str = "") -> dict:
        (tag,) = (one for one in config.iter() if one.get("name") == control)
        assert tag.tag.lower() == kind
        about = {
            "from_name": control,
            "to_name": tag.get("toName"),
            "type": kind,
            "id": f"x{place}{more}",
            "origin": "manual",
        }
        return {**about, "value": value}

    def choice(control: str, chosen: list[str]) -> dict:
        tags = [one for one in config.iter("Choices") if one.get("name") == control]
        alias = {one.get("value"): one.get("alias") for one in tags[0].iter("Choice")}
        return region(control, "choices", {"choices": [alias[one] for one in chosen]})

    def spans(control: str, given: list[dict]) -> list[dict]:
        made = []
        for span in given:
            text = parts[span["in"]][span["start"] : span["end"]].replace("\r", "\\n").replace("\n", "\\n")
            places = {"start": span["start"], "end": span["end"], "text": text}
            labels = {**places, "labels": [span.get("label", "passage")]}
            made.append(region(control, "labels", labels, str(span["start"])))
            for scale in [question["rated"]["name"]] if question.get("rated") else ():
                graded = choice(f"{control}_rated", [str(span[scale])])
                made.append({**graded, "id": made[-1]["id"], "value": {**places, **graded["value"]}})
        return made

    kind = question["type"]
    if value is None:
        return []
    if kind == "spans":
        return spans(name, value) or [choice(f"{name}_none", ["There is none"])]
    if kind == "pick":
        numbers = [str(row["order"].index(one) + 1) for one in value if isinstance(one, str)]
        made = spans(f"{name}_own", [one for one in value if not isinstance(one, str)])
        return [*made, *([choice(name, numbers)] if numbers else [])] or [choice(name, ["none of them"])]
    if kind == "text":
        return [region(name, "textarea", {"text": [value]})]
    if kind == "number":
        return [region(name, "number", {"number": value})]
    if kind == "choice" and question["is_many"]:
        return [choice(name, value)] if value else [choice(f"{name}_none", ["None of them"])]
    shown = {"yes_no": lambda: "yes" if value else "no", "scale": lambda: f"{value:g}"}.get(kind, lambda: str(value))()
    if kind == "winner":
        shown = value if value == "tie" else SIDES[row["order"].index(value)]
    return [choice(name, [shown])]


FILLERS = {"csv": fill_csv, "xlsx": fill_workbook, "jsonl": fill_tasks, "label-studio": fill_label_studio}
