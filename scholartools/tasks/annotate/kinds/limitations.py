"""Validation of extracted limitations, and pairs of limitations (BAGELS, sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Entry, Record, need, read
from scholartools.tasks.annotate.description import Candidate, Choice, Item, Kind, Part, Winner, only_rater
from scholartools.tasks.judge.entries import with_judgements
from scholartools.tasks.judge.matching.inputs import read_sides
from scholartools.tasks.shared.items import candidates, references

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_STATES = {
    "limitation": "The passage states a limitation of the paper itself.",
    "not-a-limitation": "The passage states no limitation of the paper: it is about other work, or praises the paper.",
    "wrong-passage": "The passage contains a limitation, but it begins or ends at the wrong place.",
}
_MATCHES = {"same": True, "not-same": False}
_SAME = {
    "same": "Both name the same shortcoming.",
    "not-same": "They name different shortcomings.",
    "unsure": "The two texts are not sufficient to decide.",
}


def _extracted(record: PaperRecord) -> Iterator[Item]:
    paper = str(record.get("id"))
    for limitation in need(record, "limitations", "run st-extract-limits first"):
        parts = [Part("title", "Title", title)] if (title := read(record, "title")) else []
        parts.append(Part("limitation", "Passage", limitation["text"]))
        yield Item(f"{paper}/{limitation['id']}", paper, paper, tuple(parts), stratum=limitation["mode"])


def _put_checks(record: Record, given: Mapping[str, Mapping[str, Record]]) -> Record:
    paper = str(record.get("id"))
    earlier = read(record, "annotations") or {}
    entries: list[Entry] = list(earlier.get("limitations") or ())
    for item, said in given.items():
        name = item.removeprefix(f"{paper}/")
        for rater, answers in said.items():
            if answers.get("verdict") is not None:
                entry = {"limitation": name, "rater": rater, "verdict": answers["verdict"], "mode": answers.get("mode")}
                entries = [one for one in entries if (one["limitation"], one["rater"]) != (name, rater)] + [entry]
    return {**record, "annotations": {**earlier, "limitations": entries}} if entries else record


def _pairs(record: Record) -> Iterator[Item]:
    """Each known limitation paired with each generated one; the order of sides differs between raters."""
    paper = str(record.get("id"))
    known = references(record, "limitations")
    for system, items in candidates(record, "generated.limitations").items():
        for truth in known:
            for item in items:
                sides = (Candidate(f"known:{truth.id}", truth.text), Candidate(f"generated:{item.id}", item.text))
                yield Item(f"{paper}/{system}/{truth.id}/{item.id}", paper, paper, (), sides, stratum=str(system))


def _put_pairs(record: Record, given: Mapping[str, Mapping[str, Record]]) -> Record:
    """The pairs as ``judgements.match`` of each system, by the one who answered; all of them, since a pair that is not
    there counts as no match."""
    by, paper, sides = only_rater(given), record.get("id"), read_sides(record, "limitations", "generated.limitations")
    entries = []
    for system, items in sides.systems.items():
        names = {(one.id, item.id): f"{paper}/{system}/{one.id}/{item.id}" for one in sides.truths for item in items}
        if not any(name in given for name in names.values()):
            continue
        if lacking := sum(name not in given for name in names.values()):
            reason = f"{lacking} of {len(names)} pairs of {system} were not asked about, and would count as no match"
            raise InputFault(reason, kind="missing-key")
        pairs = []
        for (reference, candidate), name in names.items():
            said = given[name][by].get("verdict")
            pair: Record = {"reference": reference, "candidate": candidate, "match": _MATCHES.get(str(said))}
            pairs.append(pair if pair["match"] is not None else {**pair, "reason": str(said or "no answer")})
        entries.append({**sides.heading(str(system), by), "pairs": pairs})
    return with_judgements(record, "match", entries)


KINDS = (
    Kind(
        "limits-check",
        "Passages as limitations",
        "a passage that was extracted",
        "A limitation is a shortcoming of the paper that its authors or reviewers name.",
        (
            Choice("verdict", "Does the passage state a limitation?", values=tuple(_STATES), meanings=_STATES),
            Choice(
                "mode",
                "Is the limitation explicit (named as a limitation) or implicit?",
                is_required=False,
                values=("explicit", "implicit"),
            ),
        ),
        _extracted,
        _put_checks,
    ),
    Kind(
        "limits-pairs",
        "Pairs of limitations",
        "two limitations of one paper",
        "Two limitations are the same if they name the same shortcoming, even in different words.",
        (
            Choice("verdict", "Are both limitations the same?", values=tuple(_SAME), meanings=_SAME),
            Winner("broader", "Which one is broader?", is_required=False),
        ),
        _pairs,
        _put_pairs,
    ),
)
