"""Controls of verification: claims that nobody disputes, and weaknesses that dispute nothing in common.

Two passages are one where their places overlap, or where one says the words of the other, as an abstract and a
conclusion do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.records import Entry, Record, read
from scholartools.tasks.claims.weakness_sets import sets_of_raters
from scholartools.text.quotes import fold_text

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim

_WORD = re.compile(r"\w+")


class Passages:
    """Passages of a record, by their places and words."""

    def __init__(self, items: Iterable[Entry]) -> None:
        """Of ``items`` with ``text`` and ``spans``: claims, targets or weaknesses."""
        self._places: list[tuple[str, int, int]] = []
        self._words: set[str] = set()
        self.add(items)

    def add(self, items: Iterable[Entry]) -> None:
        """Take more of them."""
        for item in items:
            self._places += [(span["in"], span["start"], span["end"]) for span in item.get("spans") or ()]
            self._words.add(_words(item))

    def touch(self, item: Entry) -> bool:
        """Whether an item is one of them, in whole or in part."""
        words = _words(item)
        return any(words in one or one in words for one in self._words if one) or any(
            span["in"] == name and span["start"] < end and start < span["end"]
            for span in item.get("spans") or ()
            for name, start, end in self._places
        )


def _words(item: Entry) -> str:
    """The words of an item between blanks, so that none is found within another word, whatever signs stand by them."""
    return f" {' '.join(_WORD.findall(fold_text(item['text'])))} "


def disputed(record: Record) -> list[Record]:
    """The targets of all weaknesses by anybody, those under ``annotations`` too, and what reviewers' sides are of."""
    sets = sets_of_raters(record)
    weaknesses = [*(read(record, "weaknesses") or ()), *(one for entry in sets for one in entry["items"] or ())]
    sides: list[Any] = [one["claim"] for one in read(record, "verifications") or () if one["side"] == "reviewer"]
    return [*(target for weakness in weaknesses for target in targets_by_anybody(weakness)), *sides]


def targets_by_anybody(weakness: Entry) -> list[Record]:
    """The targets of a weakness by all systems and people."""
    return [target for entry in weakness.get("targets") or () for target in entry["items"] or ()]


def count_unknown(record: Record) -> int:
    """How many ``weaknesses`` nobody gave targets or none: any claim may be disputed by these."""
    weaknesses = read(record, "weaknesses") or ()
    return sum(all(entry["items"] is None for entry in one.get("targets") or ()) for one in weaknesses)


def undisputed_controls(record: Record, claims: Sequence[Claim], beside: Sequence[Record]) -> list[Record]:
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
    chosen: list[Record] = []
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
    """What each weakness of a record disputes, by its targets and by the reviewers' sides of its verifications."""

    def __init__(self, record: Record, sides: Iterable[Entry]) -> None:
        weaknesses = read(record, "weaknesses") or ()
        self._passages = {one["id"]: [one] for one in weaknesses}
        self._claims: dict[str | None, list[Record]] = {one["id"]: targets_by_anybody(one) for one in weaknesses}
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
