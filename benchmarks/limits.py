"""Benchmark of the built-in limitations, on labelled passages and pairs, and on papers. Figures are printed only.

``fixtures/limitation-passages.jsonl`` has passages written for this benchmark, with the spans of sentences that state
limitations: ``keyword`` ones with a keyword, ``plain`` ones without, ``mixed`` ones beside limitations of other work;
the others state none. ``fixtures/limits-merge.jsonl`` has limitations by authors and a reviewer, with the equivalent
pairs. LIMITS_DATA names a folder with papers, of which sections of limitations are counted;
``fixtures/limitation-labels.jsonl`` labels the sentences of 190 papers that state limitations, and names their sources.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from support.limit_labels import NAMED, PAPERS, Record, key, read_labels, read_papers
from support.run import ROOT

from scholartools.tasks import limits
from scholartools.text.sentences import spans

FIXTURES = ROOT / "fixtures"

# Precision / recall of implicit limitations. Each set was labelled before the rules were run on it, and the figures of
# the first run (FIRST) estimate those on new papers. All sets but the last have since been used to improve the rules.
# BEFORE has the figures of 0.1.0, if measured.
GOAL = "75 / 60"
BEFORE = {
    "build": "62.5 / 11.4",
    "report": "50.0 / 8.8",
    "second": "57.1 / 14.8",
    "third": "50.0 / 11.8",
}
FIRST = {
    "build": "built on",
    "report": "60.0 / 17.6",
    "second": "43.8 / 25.9",
    "third": "60.0 / 35.3",
    "fourth": "57.6 / 31.7",
    "fifth": "63.5 / 52.2",
    "sixth": "41.2 / 30.4",
    "seventh": "60.5 / 46.0",
    "eighth": "60.0 / 42.9",
    "ninth": "86.7 / 68.4",
    "tenth": "54.7 / 60.3",
    "eleventh": "52.8 / 42.2",
    "twelfth": "50.0 / 45.0",
    "fourteenth": "60.0 / 47.4",
}
STATING = ("keyword", "plain", "mixed")
THRESHOLDS = (0.35, 0.45, 0.5, limits.THRESHOLD, 0.6, 0.65, 0.75)


class Counts(NamedTuple):
    """Numbers of true positives, false positives and false negatives."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def with_sets(self, gold: set, found: set) -> Counts:
        return Counts(
            self.right + len(gold & found),
            self.wrong + len(found - gold),
            self.missed + len(gold - found),
        )

    def line(self) -> str:
        precision, recall = share(self.right, self.wrong), share(self.right, self.missed)
        return f"{self.right:7}{self.wrong:7}{self.missed:7}{precision:>11}{recall:>8}"


def main() -> int:
    records = read(FIXTURES / "limitation-passages.jsonl")
    title("sentences of passages, by kind")
    show(records, lambda record: record["kind"], sentence_sets)
    title("sentences of passages, by role of their section")
    show(records, lambda record: record["sections"][0]["role"], sentence_sets)
    title("sentences of passages, by field")
    show(records, lambda record: record["field"], sentence_sets)
    title("passages, by kind")
    show(records, lambda record: record["kind"], passage_sets)
    title("authors' and reviewers' pairs, by threshold of merging")
    merging()
    title("sentences of reviews in plain prose")
    show(
        read(FIXTURES / "review-prose.jsonl"),
        lambda record: record["half"],
        review_sets,
    )
    papers()
    return 0


def read(path: Path) -> list[Record]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def title(what: str, more: str = "") -> None:
    print(f"\n{what:34}{'right':>7}{'wrong':>7}{'missed':>7}{'precision':>11}{'recall':>8}{more}")


def share(part: int, rest: int) -> str:
    return f"{100 * part / (part + rest):.1f}" if part + rest else "-"


# Passages


def show(
    records: Sequence[Record],
    group: Callable[[Record], str],
    sets: Callable[[Record], tuple[set, set]],
) -> None:
    counts: dict[str, Counts] = defaultdict(Counts)
    for record in records:
        gold, found = sets(record)
        for name in (group(record), "all"):
            counts[name] = counts[name].with_sets(gold, found)
    for name in sorted(counts, key=lambda name: (name == "all", name not in STATING, name)):
        print(f"{name:34}{counts[name].line()}")


def sentence_sets(record: Record) -> tuple[set, set]:
    """Positions of the gold sentences, and of those that the built-in method extracts."""
    places = spans(record["sections"][0]["text"])
    found = [span for item in limits.extract(record)["limitations"] for span in item["spans"]]
    return within(places, record["gold"]), within(places, found)


def within(places: Iterable[tuple[int, int]], marked: Sequence[Record]) -> set:
    return {place for place in places if any(span["start"] < place[1] and place[0] < span["end"] for span in marked)}


def passage_sets(record: Record) -> tuple[set, set]:
    """Gold and found sets for a whole passage: {1} for a limitation, {2} for extracted sentences that miss the gold."""
    gold, found = sentence_sets(record)
    return {1} if gold else set(), ({1} if gold & found or not gold else {2}) if found else set()


def review_sets(record: Record) -> tuple[set, set]:
    """Positions of the gold (critical) sentences of a review, and of the extracted ones."""
    places = spans(record["reviews"][0]["text"])
    found = [span for item in limits.extract(record)["limitations"] for span in item["spans"]]
    return (
        {(record["id"], place) for place in within(places, record["gold"])},
        {(record["id"], place) for place in within(places, found)},
    )


# Merging


def merging() -> None:
    records = read(FIXTURES / "limits-merge.jsonl")
    for threshold in THRESHOLDS:
        counts = Counts()
        for record in records:
            counts = counts.with_sets(*pair_sets(record, threshold))
        print(f"{threshold:<34}{counts.line()}")


def pair_sets(record: Record, threshold: float) -> tuple[set, set]:
    """Pairs of ids of equivalent limitations by authors and reviewers, and the pairs that are merged."""
    items = limits.extract(record)["limitations"]
    authors, reviewers = ([one["id"] for one in items if one["origin"] == origin] for origin in ("author", "review"))
    merged = limits.extract(record, merging=limits.Merging(threshold))["limitations"]
    groups = [{member["id"] for member in item.get("members", ())} for item in merged]
    found = {(one, two) for group in groups for one in group & {*authors} for two in group & {*reviewers}}
    return {(authors[one], reviewers[two]) for one, two in record["same"]}, found


# Papers


def papers() -> None:
    """Print the results on real papers: sections with headings of limitations, and labelled sentences.

    Introductions, related work and back matter are not labelled.
    """
    records = read_papers()
    if not records:
        print(f"\nno papers in {PAPERS}: set LIMITS_DATA to a folder with papers to score them")
        return
    explicit(records)
    labels = read_labels()
    known = [record for record in records if record["id"] in labels]
    if known:
        title("sentences of real papers")
        show(
            known,
            lambda record: record["id"],
            lambda record: marked_sets(record, labels[record["id"]], ""),
        )
        by_set(known, labels)


def by_set(records: Sequence[Record], labels: dict[str, Record]) -> None:
    """Print the results by set of papers: now, of 0.1.0 (:data:`BEFORE`), and of the first run (:data:`FIRST`)."""
    title("implicit, by set", f"{'0.1.0':>14}{'first seen':>14}{'goal':>10}")
    for name in FIRST:
        sets = [
            marked_sets(record, labels[record["id"]], "implicit")
            for record in records
            if labels[record["id"]]["set"] == name
        ]
        if sets:
            print(f"{name:34}{sum_of(sets).line()}{BEFORE.get(name, '-'):>14}{FIRST[name]:>14}{GOAL:>10}")


def sum_of(sets: Iterable[tuple[set, set]]) -> Counts:
    counts = Counts()
    for gold, found in sets:
        counts = counts.with_sets(gold, found)
    return counts


def marked_sets(record: Record, label: Record, mode: str) -> tuple[set, set]:
    """Gold and extracted sentences of a paper.

    Args:
        mode: "explicit" for sections with headings of limitations, "implicit" for the others, "" for all.
    """
    spans_found = [span for item in limits.extract(record)["limitations"] for span in item["spans"]]
    gold, found, lost = set(), set(), {*label["limits"]}
    for section in record["sections"]:
        places = spans(section["text"])
        keys = {place: key(section["text"][slice(*place)]) for place in places}
        lost -= {*keys.values()}
        if mode and (mode == "explicit") != bool(NAMED.search(section["heading"])):
            continue
        taken = within(places, [span for span in spans_found if span["in"] == section["id"]])
        gold |= {(section["id"], place) for place in places if keys[place] in label["limits"]}
        found |= {(section["id"], place) for place in taken if keys[place] not in label["open"]}
    if lost and not mode:
        print(f"{record['id']}: {len(lost)} of {len(label['limits'])} marked sentences are not in what st-parse reads")
    return gold, found


def explicit(records: Sequence[Record]) -> None:
    """Print how many of the sections and subsections with headings of limitations are found."""
    named = found = items = 0
    for record in records:
        extracted = limits.extract(record)["limitations"]
        places = {item["spans"][0]["in"] for item in extracted}
        own = [one["id"] for one in record["sections"] if NAMED.search(one["heading"]) and one["text"].strip()]
        named, found, items = (
            named + len(own),
            found + sum(one in places for one in own),
            items + len(extracted),
        )
    print(
        f"\n{len(records)} papers: {found} of {named} sections headed by limitations found; {items} limitations in all"
    )


if __name__ == "__main__":
    sys.exit(main())
