"""Controls for verification: undisputed claims, and pairs of weaknesses that dispute no common claim.

Passages may make the same point if they overlap, one contains the words of the other (as in abstract and conclusion),
they share six consecutive words, or a common subsequence of more than a third of the longer words of the shorter
passage. So paraphrases with other citations or endings are excluded as controls. This rarely excludes passages that are
similar by chance: in fixtures/claims.jsonl, 6 of 321 pairs of claims and none of 134 pairs of weaknesses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.records import Entry, Record, read
from scholartools.tasks.claims.base import COMMAND
from scholartools.tasks.claims.weakness_sets import sets_of_raters
from scholartools.text.quotes import fold_text

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim, PaperRecord, Target, Weakness

_WORD = re.compile(r"\w+")
_LONGER = 4  # minimum letters of words that are compared
_IN_A_ROW = 6


class _Said(NamedTuple):
    """Words of a passage, for comparison.

    Attributes:
        line: the words joined and surrounded by spaces, so that substring search matches whole words.
        longer: the longer words, without numbers, such as those of citations.
        runs: all n-grams of _IN_A_ROW words.
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
        """Whether both passages may make the same point."""
        from rapidfuzz.distance import LCSseq

        if self.line in other.line or other.line in self.line or self.runs & other.runs:
            return True
        shorter = min(len(self.longer), len(other.longer))
        return 3 * LCSseq.similarity(self.longer, other.longer) > shorter


class Passages:
    """Passages of a record, to be compared by location and words."""

    def __init__(self, items: Iterable[Entry]) -> None:
        """From items with ``text`` and ``spans``: claims, targets or weaknesses."""
        self._places: list[tuple[str, int, int]] = []
        self._said: list[_Said] = []
        self.add(items)

    def add(self, items: Iterable[Entry]) -> None:
        """Add more passages."""
        for item in items:
            self._places += [(span["in"], span["start"], span["end"]) for span in item.get("spans") or ()]
            self._said.append(_Said.of(item))

    def touch(self, item: Entry) -> bool:
        """Whether an item overlaps one of the passages or may make the same point."""
        return any(map(_Said.of(item).is_like, self._said)) or any(
            span["in"] == name and span["start"] < end and start < span["end"]
            for span in item.get("spans") or ()
            for name, start, end in self._places
        )


def disputed(record: PaperRecord) -> list[Record]:
    """Targets of all weaknesses by any author, also in ``annotations`` and ``rejected``, and the claims of reviewer
    verifications.
    """
    weaknesses = [*(read(record, "weaknesses") or ()), *_of_raters(record)]
    sides: list[Any] = [one["claim"] for one in read(record, "verifications") or () if one["side"] == "reviewer"]
    claims = _claims_by_id(record)
    named = (target for weakness in weaknesses for target in targets_by_anybody(weakness, claims))
    return [*named, *(target for targets in _refused_targets(record).values() for target in targets), *sides]


def _refused_targets(record: PaperRecord) -> dict[str | None, list[Record]]:
    """The texts that models named as targets and that the paper does not have, by weakness: perhaps a claim in other
    words.
    """
    found: dict[str | None, list[Record]] = {}
    for one in read(record, "rejected") or ():
        if (one["command"], one.get("step")) == (COMMAND, "associate"):
            found.setdefault(one.get("weakness"), []).append({"text": one["text"]})
    return found


def _of_raters(record: PaperRecord) -> list[Any]:
    """The weaknesses of raters under ``annotations``."""
    return [one for entry in sets_of_raters(record) for one in entry["items"] or ()]


def _claims_by_id(record: PaperRecord) -> dict[str, Any]:
    return {claim["id"]: claim for claim in read(record, "claims") or ()}


def targets_by_anybody(weakness: Weakness, claims: Mapping[str, Any]) -> list[Record]:
    """The targets of a weakness by any author, including tentative ones and those of single votes.

    Args:
        weakness: weakness with ``targets``.
        claims: the claims of the record, by id.
    """
    found: list[Any] = []
    for entry in weakness.get("targets") or ():
        votes = entry.get("votes") or ()
        named = [*(entry.get("tentative") or ()), *(name for vote in votes for name in vote["targets"] or ())]
        found += [*(entry["items"] or ()), *(claims[name] for name in named if name in claims)]
        found += [{"text": vote["custom"]} for vote in votes if vote.get("custom")]
    return found


def count_unknown(record: PaperRecord) -> int:
    """Number of ``weaknesses`` without an answer on targets: these may dispute any claim."""
    weaknesses = read(record, "weaknesses") or ()
    return sum(all(entry["items"] is None for entry in one.get("targets") or ()) for one in weaknesses)


def undisputed_controls(record: PaperRecord, claims: Sequence[Claim], beside: Sequence[Target]) -> list[Target]:
    """For each verified claim, choose an undisputed claim of the same role and the closest length, as a target.

    Controls are distinct and do not overlap; there are fewer if not enough claims are undisputed.

    Args:
        record: its ``weaknesses`` determine what is disputed.
        claims: candidates for controls.
        beside: the targets that are verified.
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
    """The claims that each weakness of a record disputes, by its targets and the reviewers' verifications.

    Weaknesses of raters with the same passage are treated as the same weakness.
    """

    def __init__(self, record: Record, sides: Iterable[Entry]) -> None:
        weaknesses, claims = read(record, "weaknesses") or (), _claims_by_id(record)
        self._passages = {one["id"]: [one] for one in weaknesses}
        self._claims: dict[str | None, list[Record]] = {
            one["id"]: targets_by_anybody(one, claims) for one in weaknesses
        }
        rated, refused = _of_raters(record), _refused_targets(record)
        for one in weaknesses:
            self._claims[one["id"]] += refused.get(one["id"], ())
            passage = Passages([one])
            for other in rated:
                if passage.touch(other):
                    self._claims[one["id"]] += targets_by_anybody(other, claims)
        for side in sides:
            self._claims.setdefault(side.get("weakness"), []).append(side["claim"])

    def are_apart(self, first: Entry, second: Entry) -> bool:
        """Whether two reviewer verifications come from weaknesses that share no passage and dispute no common claim."""
        one, other = first.get("weakness"), second.get("weakness")
        if one is None or other is None or one == other:
            return False
        return all(
            not any(map(Passages(of.get(one, ())).touch, of.get(other, ()))) for of in (self._passages, self._claims)
        )
