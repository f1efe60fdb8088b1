"""Controls of verification: claims that nobody disputes, and weaknesses that dispute nothing in common.

Two passages may be one where their places overlap, where one says the words of the other, as an abstract and a
conclusion do, where they share six words in a row, or more than a third of the longer words of the shorter one in one
order: so the same said with other citations, a word more or another end is no control. What shares words by chance is
none either: in fixtures/claims.jsonl 6 of 321 pairs of claims and none of 134 pairs of weaknesses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.records import Entry, Record, read
from scholartools.tasks.claims.weakness_sets import sets_of_raters
from scholartools.text.quotes import fold_text

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim, PaperRecord, Target, Weakness

_WORD = re.compile(r"\w+")
_LONGER = 4  # letters of a word that counts
_IN_A_ROW = 6


class _Said(NamedTuple):
    """What a passage says.

    Attributes:
        line: its words between blanks, so that none is found within another word, whatever signs are next to them.
        longer: those that count, without numbers, as those of citations.
        runs: all runs of so many words.
    """

    line: str
    longer: list[str]
    runs: set[tuple[str, ...]]

    @classmethod
    def of(cls, item: Entry) -> _Said:
        words = _WORD.findall(fold_text(item["text"]))
        plain = [word for word in words if word.isalpha()]
        runs = {tuple(plain[n : n + _IN_A_ROW]) for n in range(len(plain) - _IN_A_ROW + 1)}
        return cls(f" {' '.join(words)} ", [word for word in plain if len(word) >= _LONGER], runs)

    def is_like(self, other: _Said) -> bool:
        """Whether both may say one thing."""
        from rapidfuzz.distance import LCSseq

        if self.line in other.line or other.line in self.line or self.runs & other.runs:
            return True
        shorter = min(len(self.longer), len(other.longer))
        return 3 * LCSseq.similarity(self.longer, other.longer) > shorter


class Passages:
    """Passages of a record, by their places and words."""

    def __init__(self, items: Iterable[Entry]) -> None:
        """Of ``items`` with ``text`` and ``spans``: claims, targets or weaknesses."""
        self._places: list[tuple[str, int, int]] = []
        self._said: list[_Said] = []
        self.add(items)

    def add(self, items: Iterable[Entry]) -> None:
        """Take more of them."""
        for item in items:
            self._places += [(span["in"], span["start"], span["end"]) for span in item.get("spans") or ()]
            self._said.append(_Said.of(item))

    def touch(self, item: Entry) -> bool:
        """Whether an item may be one of them, in whole or in part."""
        return any(map(_Said.of(item).is_like, self._said)) or any(
            span["in"] == name and span["start"] < end and start < span["end"]
            for span in item.get("spans") or ()
            for name, start, end in self._places
        )


def disputed(record: PaperRecord) -> list[Record]:
    """The targets of all weaknesses by anybody, those under ``annotations`` too, and what reviewers' sides are of."""
    weaknesses = [*(read(record, "weaknesses") or ()), *_of_raters(record)]
    sides: list[Any] = [one["claim"] for one in read(record, "verifications") or () if one["side"] == "reviewer"]
    claims = _claims_by_id(record)
    return [*(target for weakness in weaknesses for target in targets_by_anybody(weakness, claims)), *sides]


def _of_raters(record: PaperRecord) -> list[Any]:
    """The weaknesses of raters beside those of the record."""
    return [one for entry in sets_of_raters(record) for one in entry["items"] or ()]


def _claims_by_id(record: PaperRecord) -> dict[str, Any]:
    return {claim["id"]: claim for claim in read(record, "claims") or ()}


def targets_by_anybody(weakness: Weakness, claims: Mapping[str, Any]) -> list[Record]:
    """The targets of a weakness by all systems and people, and what a first look or one vote alone took for such.

    Args:
        weakness: with ``targets``.
        claims: of the record, by their ids.
    """
    found: list[Any] = []
    for entry in weakness.get("targets") or ():
        votes = entry.get("votes") or ()
        named = [*(entry.get("tentative") or ()), *(name for vote in votes for name in vote["targets"] or ())]
        found += [*(entry["items"] or ()), *(claims[name] for name in named if name in claims)]
        found += [{"text": vote["custom"]} for vote in votes if vote.get("custom")]
    return found


def count_unknown(record: PaperRecord) -> int:
    """How many ``weaknesses`` nobody gave targets or none: any claim may be disputed by these."""
    weaknesses = read(record, "weaknesses") or ()
    return sum(all(entry["items"] is None for entry in one.get("targets") or ()) for one in weaknesses)


def undisputed_controls(record: PaperRecord, claims: Sequence[Claim], beside: Sequence[Target]) -> list[Target]:
    """For each claim that is verified one that nobody disputes, of the same role and the nearest length, as a target.

    None is taken twice, nor one that overlaps another; where there are not enough, there are fewer.

    Args:
        record: whose ``weaknesses`` say what anybody disputes.
        claims: to choose from.
        beside: targets that are verified.
    """
    roles = {claim["id"]: claim.get("role") for claim in claims}
    taken = Passages([*disputed(record), *beside])
    free = [claim for claim in claims if not taken.touch(claim)]
    chosen: list[Target] = []
    for target in beside:
        role = roles.get(target.get("claim") or "")
        alike = [claim for claim in free if claim.get("role") == role] or free
        if alike:
            best = min(alike, key=lambda claim: (abs(len(claim["text"]) - len(target["text"])), claim["id"]))
            own = Passages([best])
            free = [claim for claim in free if not own.touch(claim)]
            chosen.append({"claim": best["id"], "custom": False, "text": best["text"], "spans": best["spans"]})
    return chosen


class Disputes:
    """What each weakness of a record disputes, by its targets and by the reviewers' sides of its verifications.

    A rater's weakness of the same passage is the same one.
    """

    def __init__(self, record: Record, sides: Iterable[Entry]) -> None:
        weaknesses, claims = read(record, "weaknesses") or (), _claims_by_id(record)
        self._passages = {one["id"]: [one] for one in weaknesses}
        self._claims: dict[str | None, list[Record]] = {
            one["id"]: targets_by_anybody(one, claims) for one in weaknesses
        }
        rated = _of_raters(record)
        for one in weaknesses:
            passage = Passages([one])
            for other in rated:
                if passage.touch(other):
                    self._claims[one["id"]] += targets_by_anybody(other, claims)
        for side in sides:
            self._claims.setdefault(side.get("weakness"), []).append(side["claim"])

    def are_apart(self, first: Entry, second: Entry) -> bool:
        """Whether two reviewers' sides are of two weaknesses that share no passage and dispute no claim in common."""
        one, other = first.get("weakness"), second.get("weakness")
        if one is None or other is None or one == other:
            return False
        return all(
            not any(map(Passages(of.get(one, ())).touch, of.get(other, ()))) for of in (self._passages, self._claims)
        )
