"""Report votes of a judge: disagreement of prompts and position bias, for one list of pairs or pooled.

Counts are summed, and shares are computed from the sums, so that pooled shares are weighted by votes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.signature import fingerprint, signature
from scholartools.tasks.judge.entries import COMMAND
from scholartools.tasks.judge.matching.votes import ORDERS, inconsistent, majority
from scholartools.tasks.shared.judgements import judgements

# Name of the results over all prompts; prompt names start with "judge-match-".
ALL = "all"

# Shares by prompt: name, numerator, denominator, and reason if the denominator is 0.
_SHARES = (
    ("yes", "yes", "votes", "no vote could be had"),
    ("against_majority", "against", "beside_majority", "no vote on a pair that has a majority"),
    ("flips", "flips", "both_orders", "no pair was judged in both orders"),
    ("order_difference", "order_difference", "both_orders", "no pair was judged in both orders"),
)
_COUNTED = ("asked", "matched", "inconsistent", "undecided")

Votes = Sequence[Record]


class Counts:
    """Counts over pairs.

    Attributes:
        totals: ``pairs``, ``asked``, ``prefiltered``, ``matched``, ``inconsistent``, ``undecided``.
        prompts: counts named in _SHARES, by prompt and over all prompts.
    """

    def __init__(self) -> None:
        self.totals: Counter[str] = Counter()
        self.prompts: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, pairs: Sequence[Record], prefiltered: int) -> None:
        """Count the pairs of a list, and the number removed by the prefilter."""
        self.totals["pairs"] += len(pairs) + prefiltered
        self.totals["prefiltered"] += prefiltered
        for pair in pairs:
            votes = pair.get("votes") or []
            counted = (bool(votes), pair["match"], inconsistent(votes), pair["match"] is None)
            self.totals.update(name for name, holds in zip(_COUNTED, counted) if holds)
            self._votes(votes)

    def figures(self) -> Record:
        """The counts, and under ``prompts`` the shares by prompt and over all; null with a reason if undefined."""
        names = ("pairs", "asked", "prefiltered", *_COUNTED[1:])
        return {
            **{name: self.totals[name] for name in names},
            "prompts": {name: _shares(self.prompts[name]) for name in sorted(self.prompts, key=lambda one: one == ALL)},
        }

    def _votes(self, votes: Votes) -> None:
        most = majority(votes)
        for prompt in dict.fromkeys(vote["prompt"] for vote in votes):
            own = [vote for vote in votes if vote["prompt"] == prompt]
            counted = _count_votes(own, most)
            self.prompts[prompt].update(counted)
            self.prompts[ALL].update(counted)


def report(pairs: Sequence[Record], prefiltered: int = 0) -> Record:
    """Report on one system and record.

    ``pairs`` counts all pairs of items, ``asked`` those with votes, ``prefiltered`` those removed by the prefilter,
    ``inconsistent`` those with different votes, ``undecided`` those with a null decision. By prompt: numbers of
    ``votes`` and ``unusable`` replies; ``yes``, the share of positive votes; ``against_majority``, the share of votes
    against the majority on the pair; ``flips``, how often the answer changes with the order; ``order_difference``, the
    share of positive votes with the reference first minus that with the candidate first.
    """
    counts = Counts()
    counts.add(pairs, prefiltered)
    return counts.figures()


class Reports:
    """Pools reports over records, by system and judge in order of first occurrence."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], Counts] = defaultdict(Counts)
        self._inputs: dict[tuple[str, str], list[str]] = defaultdict(list)

    def add(self, record: Record) -> None:
        """Add the judged pairs of a record; entries not written by st-judge have no report and are skipped.

        Raises:
            InputFault: the record has no such entries.
        """
        entries = list(_entries_with_report(record))
        if not entries:
            how = f"run st-judge match without {parameter('summary')} first"
            raise InputFault(f'no "judgements.match" in the record: {how}', kind="missing-key")
        for entry, prefiltered in entries:
            key = (entry["system"], entry.get("by") or "")
            self._counts[key].add(entry["pairs"], prefiltered)
            self._inputs[key].append(fingerprint([entry["pairs"], prefiltered]))

    def records(self) -> Iterator[Record]:
        """Yield a record per system and judge, independent of the order of the input."""
        for (system, by), counts in self._counts.items():
            inputs = sorted(self._inputs[system, by])
            options = {"task": "match-report", "system": system, "by": by, "input": fingerprint(inputs)}
            yield {
                "task": "match", "system": system, "by": by, "records": len(inputs), **counts.figures(),
                "signature": signature(COMMAND, options),
            }  # fmt: skip


def table(reports: Iterable[Record]) -> str:
    """Format pooled reports as text: a line per system, then one per prompt."""
    from tabulate import tabulate

    made = list(reports)
    totals = ("records", "pairs", "asked", "prefiltered", "matched", "inconsistent", "undecided")
    shares = ("votes", "unusable", *(name for name, *_ in _SHARES))
    systems = [[one["system"], one["by"], *(one[name] for name in totals)] for one in made]
    prompts = [
        [one["system"], name, *(_format_cell(figures[share]) for share in shares)]
        for one in made
        for name, figures in one["prompts"].items()
    ]
    blocks = [(["system", "by", *totals], systems), (["system", "prompt", *shares], prompts)]
    return "\n".join(
        tabulate(rows, names, "simple", disable_numparse=True, colalign=["left", "left"] + ["right"] * (len(names) - 2))
        + "\n"
        for names, rows in blocks
        if rows
    )


def _format_cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _count_votes(votes: Votes, most: bool | None) -> Counter[str]:
    """Counts of one prompt's votes on one pair.

    Args:
        most: majority over all prompts on the pair; None without one.
    """
    said = [vote["match"] for vote in votes if vote["match"] is not None]
    both = list(_in_both_orders(votes))
    return Counter(
        votes=len(said),
        unusable=len(votes) - len(said),
        yes=sum(said),
        beside_majority=0 if most is None else len(said),
        against=0 if most is None else sum(match != most for match in said),
        both_orders=len(both),
        flips=sum(first != second for first, second in both),
        order_difference=sum(first - second for first, second in both),
    )


def _in_both_orders(votes: Votes) -> Iterator[tuple[bool, bool]]:
    """Pairs of answers of a prompt, with the reference first and with the candidate first, by sample."""
    found = {(vote["order"], vote.get("sample", 0)): vote["match"] for vote in votes if vote["match"] is not None}
    for order, sample in found:
        if order == ORDERS[0] and (ORDERS[1], sample) in found:
            yield found[order, sample], found[ORDERS[1], sample]


def _shares(counts: Counter[str]) -> Record:
    values = {name: counts[above] / counts[below] if counts[below] else None for name, above, below, _ in _SHARES}
    reasons = {name: reason for name, _, _, reason in _SHARES if values[name] is None}
    return {"votes": counts["votes"], "unusable": counts["unusable"], **values, "reasons": reasons}


def _entries_with_report(record: Record) -> Iterator[tuple[Record, int]]:
    """Entries with a report, and the number of pairs removed from each by the prefilter."""
    for system, entry in (judgements(record, "match") or {}).items():
        if entry.get("report") is None:
            continue
        prefiltered = entry["report"].get("prefiltered")
        if not isinstance(prefiltered, int):
            raise InputFault(f'"judgements.match": the report of "{system}" is not by st-judge', kind="invalid-key")
        yield entry, prefiltered
