"""Merge records of the same paper: copies from several services, preprint and publication. Uncertain ones are kept.

Copies have a common id and similar titles; or, without conflicting ids, equal titles and first authors and years at
most two apart. Records related to other papers are only merged if they have the same relation to the same paper.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.records import Record, add_provenance
from scholartools.signature import fingerprint
from scholartools.sources.base import arxiv_of_doi
from scholartools.tasks.fetch.entries import COMMAND
from scholartools.tasks.fetch.matching import conflicts, equal_titles, folded_words, surname

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord

TASK = "merge"
_YEARS = 2
# Minimum similarity of titles with a common id; less similar ones are reported and not merged.
_ONE_TITLE = 0.6
_PREPRINTS = re.compile(r"10\.(48550/arxiv\.|1101/|21203/rs\.|31234/|31219/|26434/|20944/preprints|2139/ssrn\.)", re.I)
_ID_KINDS = ("doi", "arxiv", "openreview", "openalex", "s2", "acl", "pmid", "pmcid", "dblp")
# Keys on the publication, taken from the published version.
_OF_PUBLICATION = ("title", "venue", "year", "date", "doi", "type")
_LISTS = ("versions", "fetched", "files", "warnings", "provenance", "errors")

Problem = tuple[int, int, str, str]  # indices of two records, kind of the warning, text


def merge(records: Sequence[Record]) -> tuple[list[Record], list[Problem]]:
    """Merge copies of a paper at the position of the first; also return undecided cases.

    Records that may be the same paper have ``same_as`` with the ids of the others, and a warning with the reason.
    """
    groups, problems = _groups(records)
    made = []
    for members in groups:
        one = _as_one([records[place] for place in members]) if len(members) > 1 else dict(records[members[0]])
        for ours, theirs, kind, text in problems:
            other = theirs if ours in members else ours if theirs in members else None
            if other is not None and (ours in members) != (theirs in members):
                one["same_as"] = list(dict.fromkeys([*(one.get("same_as") or ()), str(records[other].get("id"))]))
                one["warnings"] = [*(one.get("warnings") or ()), {"kind": kind, "page": None, "text": text}]
        made.append(one)
    return made, problems


def _groups(records: Sequence[Record]) -> tuple[list[list[int]], list[Problem]]:
    """Indices of records by paper; groups and their members are in order."""
    sets = _Sets(len(records))
    problems: list[Problem] = []
    known: dict[Any, int] = {}
    for place, record in enumerate(records):
        for name in _names(record):
            first = known.setdefault((*_relation(record), *name), place)
            if sets.find(first) == sets.find(place):
                continue
            if _are_two_titles(records[first], record):
                told = f"{name[0]} {name[1]} is that of two titles"
                problems.append((first, place, "id-conflict", told))
            else:
                sets.join(first, place)
    by_title: dict[Any, list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        if words := folded_words(record.get("title")):
            by_title["".join(words), _relation(record)].append(sets.find(place))
    for roots in by_title.values():
        alike = list(dict.fromkeys(roots))
        if len(alike) > 1:
            _join_by_title(records, alike, sets, problems)
    return [sets.members[root] for root in sorted(sets.members)], problems


class _Sets:
    """Disjoint sets of indices (union-find), named by their smallest index."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))
        self.members = {place: [place] for place in range(size)}

    def find(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = place = self._parent[self._parent[place]]
        return place

    def join(self, one: int, other: int) -> None:
        low, high = sorted((self.find(one), self.find(other)))
        if low != high:
            self._parent[high] = low
            self.members[low] = sorted([*self.members[low], *self.members.pop(high)])


def _join_by_title(records: Sequence[Record], roots: Sequence[int], sets: _Sets, problems: list[Problem]) -> None:
    """Merge groups with the same title if all are certainly one paper; else report each pair that may be one."""
    roots = list(dict.fromkeys(map(sets.find, roots)))
    firsts = [_as_one([records[place] for place in sets.members[root]]) for root in roots]
    pairs = [(i, j) for i in range(len(roots)) for j in range(i)]
    reasons = {pair: _why_two(firsts[pair[0]], firsts[pair[1]]) for pair in pairs}
    if all(reason is None for reason in reasons.values()):
        for root in roots[1:]:
            sets.join(roots[0], root)
        return
    for (i, j), reason in reasons.items():
        if reason != ("other", ""):
            kind, text = reason or ("undecided", "the same title stands for more than one paper")
            problems.append((roots[j], roots[i], kind, text))


def _why_two(one: Record, other: Record) -> tuple[str, str] | None:
    """Why two records with one title are not certainly one: kind and text; None if they are; "other" if different."""
    ours, theirs = surname(one), surname(other)
    if ours is not None and theirs is not None and ours != theirs:
        later = [name for record in (one, other) for name in (record.get("authors") or ())[1:]]
        if {ours, theirs} & {surname({"authors": [name]}) for name in later}:
            return "undecided", "the same title, and the first author of one is a later one of the other"
        return "other", ""
    years = one.get("year"), other.get("year")
    if all(isinstance(year, int) for year in years) and abs(years[0] - years[1]) > _YEARS:  # type: ignore[operator]
        return "undecided", f"the same title, {years[1]} and {years[0]}"
    if different := [kind for kind in conflicts(_published_ids(one), _published_ids(other))]:
        return "id-conflict", f"the same title with two ids of one kind: {', '.join(different)}"
    if ours is None or theirs is None:
        return "undecided", "the same title, and the authors of one are not known"
    return None


def _published_ids(record: PaperRecord) -> Record:
    """Ids by which two records can conflict, without DOIs of preprints."""
    ids = {kind: value for kind, value in (record.get("ids") or {}).items() if kind in _ID_KINDS}
    if record.get("doi"):
        ids["doi"] = record["doi"]
    return {"ids": {kind: value for kind, value in ids.items() if kind != "doi" or not _PREPRINTS.match(str(value))}}


def is_unnamed(record: Entry) -> bool:
    """Whether a record has neither title nor id, so that it cannot be merged."""
    return not folded_words(record.get("title")) and not any(_names(record))


def _names(record: Entry) -> Iterator[tuple[str, str]]:
    """Ids of a record, each of which identifies its paper."""
    ids = record.get("ids") if isinstance(record.get("ids"), dict) else {}
    for kind in _ID_KINDS:
        for value in {str(one) for one in ((ids or {}).get(kind), record.get(kind)) if one}:
            number = arxiv_of_doi(value) if kind == "doi" else None
            if number is not None or kind == "arxiv":
                yield "arxiv", re.sub(r"v\d+$", "", (number or value).casefold().removeprefix("arxiv:"))
            else:
                yield kind, value.casefold()
    for other in record.get("same_as") or ():
        if isinstance(other, str):
            yield "record", other
    if isinstance(record.get("id"), str):
        yield "record", record["id"]


def _relation(record: Entry) -> tuple[str, str]:
    return str(record.get("relation")), str(record.get("related_to"))


def _are_two_titles(one: PaperRecord, other: PaperRecord) -> bool:
    from rapidfuzz import fuzz

    ours, theirs = folded_words(one.get("title")), folded_words(other.get("title"))
    return bool(ours and theirs) and fuzz.ratio("".join(ours), "".join(theirs)) / 100 < _ONE_TITLE


def _is_published(record: PaperRecord) -> bool:
    """Whether a record is from a journal or proceedings rather than a preprint."""
    doi = record.get("doi") or (record.get("ids") or {}).get("doi")
    return bool(record.get("venue")) and record.get("type") not in ("preprint", "submission") and not (
        doi and _PREPRINTS.match(str(doi))
    )  # fmt: skip


def _united(members: Sequence[Record]) -> Record:
    """Combined values of copies of a record, by key."""
    published = sorted(members, key=lambda one: not _is_published(one))
    made: Record = {}
    for record in members:
        made |= {key: value for key, value in record.items() if made.get(key) in (None, "", [])}
    for one in reversed(published):
        made |= {key: one[key] for key in _OF_PUBLICATION if one.get(key) not in (None, "", [])}
    made["ids"] = {kind: value for one in reversed(published) for kind, value in (one.get("ids") or {}).items()}
    for key in _LISTS:
        every = [entry for one in members for entry in one.get(key) or ()]
        if every:
            made[key] = [entry for place, entry in enumerate(every) if entry not in every[:place]]
    if states := [one["status"] for one in members if isinstance(one.get("status"), dict)]:
        made["status"] = {key: value for state in reversed(states) for key, value in state.items()}
    return made


def _as_one(members: Sequence[Record]) -> Record:
    """Merge copies: publication data from the published version, other values from the first that has them."""
    if len(members) == 1:
        return members[0]
    made = _united(members)
    others = [str(one["id"]) for one in members if isinstance(one.get("id"), str) and one["id"] != made.get("id")]
    if others:
        made["same_as"] = list(dict.fromkeys([*(made.get("same_as") or ()), *others]))
    if isinstance(made.get("unknown"), dict):
        made["unknown"] = {key: why for key, why in made["unknown"].items() if made.get(key) in (None, "", [])}
    titles = [one.get("title") for one in members if one.get("title")]
    if any(not equal_titles(titles[0], title) for title in titles):
        text = "; ".join(dict.fromkeys(map(str, titles)))
        made["warnings"] = [*(made.get("warnings") or ()), {"kind": "titles-differ", "page": None, "text": text}]
    add_provenance(made, COMMAND, TASK, method="builtin", options={}, input=fingerprint(list(members)))
    return made
