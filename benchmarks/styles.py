"""Benchmark of st-parse on typeset styles with exact gold records: figures, those of 0.1.0, and goals. Printed only.

STYLES_DATA names a folder with ``dev/ID.pdf`` and ``dev/ID.gold.json``; without it, the benchmark does nothing.
STYLES_SCORERS names the folder of ``score_parse.py`` and ``score_refs.py`` (default: ``tools`` two folders above the
data).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

from goals import Goal, print_goals, times_of_raw
from support.run import BIN, environment

# Figures of 0.1.0 are those of its last commit (23f8bf7) on the same 23 styles.
GOALS = {
    "title": Goal(1.00, 0.98),
    "abst": Goal(0.94, 0.97),
    "headF": Goal(0.94, 0.97),
    "level": Goal(0.98, 0.97),
    "capR": Goal(0.93, 0.98),
    "refErr": Goal(0.12, 0.03, lower=True),
    "whole": Goal(0.88, 0.97),
    "ref title": Goal(0.77, 0.92),
    "year": Goal(0.87, 0.97),
    "first": Goal(0.88, 0.96),
    "ref authors": Goal(None, None),
    "of these right": Goal(None, 1.00),
    "doi": Goal(0.89, 0.95),
    "falseDoi": Goal(0.78, 0.0, lower=True),
    "authors": Goal(0.70, 0.92),
    "notes": Goal(0.89, 0.92),
    "silent": Goal(29, 0, lower=True),
}
TIMES = {
    "styles without a watermark": Goal(2.94, 2.5, lower=True),
    "a watermark on each page": Goal(34.91, 2.5, lower=True),
}
WATERMARK = "watermark"
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LEAST = 40  # minimum number of letters of a sentence that is searched for


def main() -> int:
    folder = os.environ.get("STYLES_DATA")
    if not folder:
        print("bench_styles: skipped: STYLES_DATA names no folder")
        return 0
    data = Path(folder)
    scorers = Path(os.environ.get("STYLES_SCORERS", data.parent.parent / "tools"))
    papers = sorted((data / "dev").glob("*.pdf"))
    if not papers or not (scorers / "score_refs.py").is_file():
        print(f"bench_styles: no papers in {data / 'dev'}, or no scorers in {scorers}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as place:
        records = parse(papers, Path(place))
        found = structure(scorers, data, Path(place)) | entries(scorers, data, Path(place))
    found |= reference_authors(data, records)
    found["silent"] = float(sum(lost_in_silence(data, name, record) for name, record in records.items()))
    print_goals(f"{len(papers)} styles", GOALS, found)
    print_goals('processor time, times get_text("dict")', TIMES, times(papers))
    return 0


def times(papers: list[Path]) -> dict[str, float]:
    """Times to read the styles, relative to raw text; separately for the style with a watermark on each page."""
    marked = [paper for paper in papers if paper.stem == WATERMARK]
    plain = [paper for paper in papers if paper.stem != WATERMARK]
    return {name: times_of_raw(part) for name, part in zip(TIMES, (plain, marked)) if part}


def parse(papers: list[Path], place: Path) -> dict[str, dict[str, Any]]:
    """Records by the name of the paper; they are also written for the scorers, separately and to ``records.jsonl``."""
    done = subprocess.run([BIN / "st-parse", "--jobs", "2", *papers], capture_output=True, env=environment())
    (place / "records.jsonl").write_bytes(done.stdout)
    records = {Path(record["source"]["path"]).stem: record for record in map(json.loads, done.stdout.splitlines())}
    for name, record in records.items():
        (place / f"{name}.json").write_text(json.dumps(record))
    return records


def structure(scorers: Path, data: Path, place: Path) -> dict[str, float]:
    result = place / "scores.out"
    line = [sys.executable, scorers / "score_parse.py", "--gold", data / "dev", "--pred", place, "--json", result]
    subprocess.run(line, check=True, capture_output=True)
    macro = json.loads(result.read_text())["macro"]
    return {column: macro[column] for column in ("title", "abst", "headF", "level", "capR", "refErr")}


def entries(scorers: Path, data: Path, place: Path) -> dict[str, float]:
    line = [sys.executable, scorers / "score_refs.py", "--gold", data / "dev", place / "records.jsonl"]
    rows = subprocess.run(line, check=True, capture_output=True, text=True).stdout.splitlines()
    macro = dict(zip(rows[0].split(), rows[-1].split()[1:]))
    names = {"whole": "whole", "title": "ref title", "year": "year", "first": "first", "doi": "doi",
             "falseDoi": "falseDoi", "authors": "authors", "notes": "notes"}  # fmt: skip
    return {name: float(macro[column]) for column, name in names.items()}


def reference_authors(data: Path, records: dict[str, dict[str, Any]]) -> dict[str, float]:
    """Share of references with ``authors``, and the share of these whose first author has the gold surname.

    The scorer's "first" searches for the surname in the text of an entry, which measures how entries are split.
    """
    total, told = 0, []
    for name, record in records.items():
        gold = json.loads((data / "dev" / f"{name}.gold.json").read_text())["references"]
        pairs = list(zip(gold, record["references"])) if len(gold) == len(record["references"]) else []
        total += len(gold)
        told += [(entry["authors"][0], got["authors"][0]) for entry, got in pairs if got["authors"]]
    right = sum(letters(wanted.split()[-1]) in letters(shown) for wanted, shown in told)
    return {"ref authors": len(told) / max(1, total), "of these right": right / max(1, len(told))}


def lost_in_silence(data: Path, name: str, record: dict[str, Any]) -> int:
    """Number of gold sentences missing from a record without a warning of missing text; 0 with such a warning.

    Formulas and citations differ, so that a sentence counts as missing if most of its word trigrams are missing.
    """
    if any(warning["kind"] == "text-missing" for warning in record["warnings"]):
        return 0
    gold = json.loads((data / "dev" / f"{name}.gold.json").read_text())
    held = letters(json.dumps(record, ensure_ascii=False))
    texts = [section["text"] for section in gold["sections"]] + [gold["abstract"]]
    texts += [caption["text"] for caption in gold["captions"]]
    return sum(is_lost(sentence, held) for text in texts for sentence in _SENTENCE.split(text))


def is_lost(sentence: str, held: str) -> bool:
    words = [letters(word) for word in re.findall(r"[^\W\d_]{2,}", sentence)]
    runs = ["".join(words[at : at + 3]) for at in range(len(words) - 2)]
    return sum(map(len, words)) >= _LEAST and sum(run in held for run in runs) < 0.5 * len(runs)


def letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", unicodedata.normalize("NFKD", text).casefold())


if __name__ == "__main__":
    sys.exit(main())
