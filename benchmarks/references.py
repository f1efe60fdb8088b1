"""Benchmark of the parsing of references, on titles and authors marked by people. Figures are printed with their goals.

REFERENCES_DATA names a folder with ``held.jsonl``, references not used in training, one per line: {"set", "text",
"title", "author_text"}, null if absent. Without it, the benchmark does nothing. A title is correct if its letters equal
those of the gold title; authors are correct if the letters of the names are the same.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

from goals import Goal, print_goals

from scholartools.readers.references.entries import parse_entries

# There are no figures of 0.1.0 on this data. The rules alone had, on a random sample of 4,498 references of EXCITE,
# ParsCit and UMass: titles right .54, wrong .22, false titles .12; .93 of the given authors were right.
GOALS = {
    "title right": Goal(None, 0.88),
    "title wrong": Goal(None, 0.03, lower=True),
    "a title where there is none": Goal(None, 0.03, lower=True),
    "authors given": Goal(None, None),
    "of these right": Goal(None, 0.92),
}
_AT_ONCE = 50
_BETWEEN = re.compile(r"\b(et\.? ?al|and others|and|und|e|y|eds?|hrsg|editors?|u\.a)\b\.?", re.IGNORECASE)


def main() -> int:
    folder = os.environ.get("REFERENCES_DATA")
    if not folder:
        print("bench_references: skipped: REFERENCES_DATA names no folder")
        return 0
    held = Path(folder) / "held.jsonl"
    if not held.is_file():
        print(f"bench_references: no {held}", file=sys.stderr)
        return 2
    gold = [json.loads(line) for line in held.read_text(encoding="utf-8").splitlines()]
    began = time.process_time()
    found = [one for at in range(0, len(gold), _AT_ONCE) for one in parse_entries(texts_of(gold[at : at + _AT_ONCE]))]
    taken = time.process_time() - began
    for name in ["all", *sorted({one["set"] for one in gold})]:
        own = [(one, got) for one, got in zip(gold, found) if name in ("all", one["set"])]
        print_goals(f"{name}: {len(own)} references", GOALS, figures(own))
    print(f"\n{1000 * taken / len(gold):.2f} ms a reference, the start with it")
    return 0


def texts_of(gold: list[dict[str, Any]]) -> list[str]:
    return [one["text"] for one in gold]


def figures(own: list[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, float | None]:
    """Shares of correct, wrong and false titles, and of given and correct authors."""
    counts: Counter[str] = Counter()
    for one, got in own:
        title, said = letters(one["title"]), letters(got["title"])
        counts["titled" if title else "untitled"] += 1
        counts["right"] += bool(title) and said == title
        counts["wrong"] += bool(title) and bool(said) and said != title
        counts["false"] += not title and bool(said)
        authors, people = letters_of_people(one["author_text"]), letters_of_people(" ".join(got["authors"] or ()))
        counts["authored"] += bool(authors)
        counts["given"] += bool(people)
        counts["same"] += bool(people) and sorted(people) == sorted(authors)
    return {
        "title right": share(counts["right"], counts["titled"]),
        "title wrong": share(counts["wrong"], counts["titled"]),
        "a title where there is none": share(counts["false"], counts["untitled"]),
        "authors given": share(counts["given"], counts["authored"]),
        "of these right": share(counts["same"], counts["given"]),
    }


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def letters(text: str | None) -> str:
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKD", text or "").casefold()))


def letters_of_people(text: str | None) -> str:
    """Letters of names, without conjunctions and the like between them."""
    return letters(_BETWEEN.sub(" ", text or ""))


if __name__ == "__main__":
    sys.exit(main())
