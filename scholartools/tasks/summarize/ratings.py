"""Ratings of judges as records in long form, one a rating, beside people's scores; and a summary of each judge."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scholartools import io
from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.paths import ABSENT, lookup
from scholartools.records import Record, need, read
from scholartools.schemas.criteria import Criteria
from scholartools.signature import fingerprint, signature
from scholartools.tasks.judge.rate.inputs import Owner, Where, items_of, owners_of
from scholartools.tasks.score.metric import COMMAND

RATE = "rate"
# What makes a rating one of several of the same text.
_JUDGE = ("method", "by", "aspect")
_PATHS = ("candidate", "context", "reference", "context_words", "system_key", "item_key")


@dataclass(frozen=True)
class Truth:
    """Where people's scores are.

    Attributes:
        path: of an object of scores by aspect, in the item, else in the record; None where there is none.
        table: scores by aspect of a file, by "PAPER/SYSTEM/ITEM" or "PAPER/ITEM".
        scales: people's lowest and highest score of each aspect, where criteria tell them.
    """

    path: str | None = None
    table: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def score(self, record: Record, item: Record, names: Sequence[str], aspect: str) -> float | None:
        """People's score of an item for an aspect; None where there is none.

        Raises:
            InputFault: what stands there is no score, or not on people's scale.
        """
        scores: Any = next((self.table[name] for name in names if name in self.table), None)
        if self.path is not None:
            scores = next((found for part in (item, record) if (found := lookup(part, self.path)) is not ABSENT), None)
        if scores is None:
            return None
        if not isinstance(scores, dict):
            raise InputFault(f'"{self.path}" is no object of scores by aspect', kind="invalid-key")
        return self.check(scores.get(aspect), aspect)

    def check(self, score: Any, aspect: str) -> float | None:
        """A score as it stands.

        Raises:
            InputFault: it is no number, or not on people's scale.
        """
        if score is None:
            return None
        if isinstance(score, bool) or not isinstance(score, (int, float)) or not math.isfinite(score):
            raise InputFault(f'people\'s score {score!r} of "{aspect}" is not a number', kind="invalid-key")
        low, high = self.scales.get(aspect, (-math.inf, math.inf))
        if not low <= score <= high:
            raise InputFault(
                f'people\'s score {score:g} of "{aspect}" is not on {low:g} to {high:g}', kind="invalid-key"
            )
        return score

    def normal(self, score: float | None, aspect: str) -> float | None:
        """A score in 0..1 of people's scale; None without a score or a scale."""
        if score is None or aspect not in self.scales:
            return None
        low, high = self.scales[aspect]
        return (score - low) / (high - low)


def make_truth(path: str | None, key: str | None, criteria: Criteria | None) -> Truth:
    """People's scores at a path of the records or, with a key, in a file.

    A record of the file has an item's name at the key, and scores under the names of aspects; or, as st-agree majority
    writes them, one score at ``value`` for the aspect at ``label``.

    Raises:
        UsageFault: the file cannot be read, or a record of it is none of these, with its line; or names an item twice.
    """
    scales = {aspect.name: (aspect.scale[0], aspect.scale[1]) for aspect in criteria.aspects} if criteria else {}
    if path is None or key is None:
        return Truth(path, scales=scales)
    table: dict[str, dict[str, float | None]] = {}
    known = Truth(scales=scales)
    for line in io.read_lines([path]):
        try:
            if line.fault is not None:
                raise line.fault
            _add_scores(table, line.record, key, known)
        except InputFault as fault:
            raise UsageFault(f"{line.where}: {fault.reason}", parameter="truth") from None
    return Truth(table=table, scales=scales)


def _add_scores(table: dict[str, dict[str, float | None]], record: Record, key: str, known: Truth) -> None:
    name = lookup(record, key)
    if isinstance(name, bool) or not isinstance(name, (str, int)):
        raise InputFault(f'no item\'s name at "{key}"', kind="missing-key")
    if "value" in record:
        found = {str(record.get("label")): record["value"]}
    else:
        found = {name: value for name, value in record.items() if isinstance(value, (int, float)) and name != key}
    scores = table.setdefault(str(name), {})
    for aspect, score in found.items():
        if aspect in scores:
            raise InputFault(f'"{name}" has a score of "{aspect}" already', kind="duplicate")
        scores[aspect] = known.check(score, aspect)


def long_records(record: Record, truth: Truth) -> list[Record]:
    """One record for each entry of ``judgements.rate``, which st-agree reads.

    ``item`` is "PAPER/SYSTEM/ITEM", ``words`` the number of words of the text, ``opens`` its first word, ``own``
    whether the judge is the model that wrote it (null where that is not known), ``usage`` what the rating took.

    Raises:
        InputFault: there are no ratings, no id, a text changed since it was judged, or people's scores are given on
            another scale than that of the criteria that it was judged by.
    """
    judged = (need(record, "judgements", "run st-judge rate first").get(RATE)) or []
    if not judged:
        raise InputFault('no "judgements.rate": run st-judge rate first', kind="missing-key")
    paper = record.get("id")
    if not isinstance(paper, str):
        raise InputFault('no "id", by which the items of papers are told apart', kind="missing-key")
    texts = _texts_by_mark(record)
    _refuse_other_scales(record, judged, truth)
    return [_long_record(record, paper, entry, *_text_of(entry, texts), truth) for entry in judged]


def _refuse_other_scales(record: Record, judged: Sequence[Record], truth: Truth) -> None:
    """Refuse people's scores on another scale than that of the criteria, as the last run of a method tells it."""
    rated_on: dict[tuple[str, str], Any] = {}
    for made in read(record, "provenance") or []:
        options = (made.get("options") or {}) if made.get("task") == RATE else {}
        for aspect, scale in (options.get("scales") or {}).items():
            rated_on |= {(method, aspect): scale for method in options.get("methods") or ()}
    for entry in judged:
        aspect = entry["aspect"]
        rated, wanted = rated_on.get((entry["method"], aspect)), truth.scales.get(aspect)
        if rated and wanted and rated != list(wanted):
            reason = f'"{aspect}" was rated by criteria with the scale {_show_scale(rated)}'
            raise InputFault(f"{reason}, and {parameter('aspects')} has {_show_scale(wanted)}", kind="other-scale")


def _show_scale(scale: Sequence[Any]) -> str:
    return " to ".join(f"{end:g}" if isinstance(end, (int, float)) else str(end) for end in scale)


def _texts_by_mark(record: Record) -> dict[tuple[str, str, str], tuple[str, Owner]]:
    """The text of each system and item and what it stands in, by the fingerprint of it and of what was shown beside."""
    found: dict[tuple[str, str, str], tuple[str, Owner]] = {}
    for where in _iter_text_paths(record):
        try:
            items = items_of(record, where)
        except InputFault:  # what was shown then is gone: its entries will not be found
            continue
        owners = owners_of(record, where, items)
        found |= {
            (item.system, item.id, item.fingerprint): (item.text, owner)
            for item, owner in zip(items, owners, strict=True)
        }
    return found


def _iter_text_paths(record: Record) -> Iterator[Where]:
    """Where the runs of st-judge rate found the texts and what they showed, as the provenance tells."""
    for made in read(record, "provenance") or []:
        where = (made.get("options") or {}).get("where") if made.get("task") == RATE else None
        if isinstance(where, dict):
            given = {name: where[name] for name in _PATHS if where.get(name) is not None}
            yield Where(**{**given, "context": tuple(given.get("context", ()))})


def _text_of(entry: Record, texts: Mapping[tuple[str, str, str], tuple[str, Owner]]) -> tuple[str, Owner]:
    found = texts.get((entry["system"], entry["item"], entry["text"]))
    if found is None:
        named = f'item "{entry["item"]}" of "{entry["system"]}"'
        reason = f"{named}: the text, or what was shown beside it, has changed since {entry['method']} judged it"
        raise InputFault(reason, kind="changed-text")
    return found


def _long_record(record: Record, paper: str, entry: Record, text: str, owner: Owner, truth: Truth) -> Record:
    system, item = entry["system"], entry["item"]
    names = [f"{paper}/{system}/{item}", f"{paper}/{item}"]
    human = truth.score(record, owner.record, names, entry["aspect"])
    words = text.split()
    group = record.get("paper")
    made = {
        "item": names[0], "paper": group if isinstance(group, str) else paper, "system": system,
        "aspect": entry["aspect"], "method": entry["method"], "by": entry["by"], "score": entry["score"],
        "normal": entry["normal"], "scale": entry["scale"], "human": human,
        "human_normal": truth.normal(human, entry["aspect"]), "words": len(words),
        "opens": words[0].casefold() if words else None,
        "own": None if owner.writer is None else owner.writer == entry["by"],
        "seen_in_fit": entry["seen_in_fit"], "usage": entry["usage"],
    }  # fmt: skip
    return {**made, "reason": entry["reason"]} if entry.get("reason") else made


class RatingSummary:
    """Counts and means of ratings for each method, judge and aspect."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, ...], list[Record]] = {}

    def add(self, made: Record) -> None:
        """Take one record of :func:`long_records`."""
        self._groups.setdefault(tuple(made[key] for key in _JUDGE), []).append(made)

    def records(self) -> Iterator[Record]:
        """One record per method, judge and aspect, in the order of their names.

        ``null_share`` is the share of ratings without a score; ``mean`` and ``sd`` (n - 1) are of the scores as they
        stand; ``top_share`` is the share of scores that are the highest of the scale, ``human_top_share`` that of
        people's (inflation is the first above the second): both of the texts that have both, or where none has, of
        all; ``cost`` and ``tokens`` are means of a rating.
        """
        for names in sorted(self._groups):
            yield {**dict(zip(_JUDGE, names, strict=True)), **_summary_record(self._groups[names])}


def _summary_record(made: Sequence[Record]) -> Record:
    scores = [one["score"] for one in made if one["score"] is not None]
    rated = [one for one in made if one["score"] is not None]
    shared = [one for one in rated if one["human_normal"] is not None]
    reasons = [str(one.get("reason") or "no score") for one in made if one["score"] is None]
    inputs = fingerprint(sorted([one["item"], one["score"], one["human"]] for one in made))
    return {
        "n": len(made), "null_share": 1 - len(scores) / len(made),
        "nulls": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        "mean": _mean_of(scores), "sd": statistics.stdev(scores) if len(scores) > 1 else None,
        "top_share": _share_of_top(_known_numbers(one["normal"] for one in shared or rated)),
        "human_top_share": _share_of_top([one["human_normal"] for one in shared]),
        "n_human": sum(one["human"] is not None for one in made),
        "tokens": _mean_of(_known_numbers(_total_tokens(one["usage"]) for one in made)),
        "cost": _mean_of(_known_numbers(one["usage"]["cost"] for one in made)),
        "signature": signature(COMMAND, {"metric": RATE, "input": inputs}),
    }  # fmt: skip


def _total_tokens(usage: Record) -> float | None:
    parts = [usage["prompt_tokens"], usage["completion_tokens"]]
    return None if None in parts else sum(parts)


def _known_numbers(numbers: Any) -> list[float]:
    return [number for number in numbers if number is not None]


def _mean_of(numbers: Sequence[float]) -> float | None:
    return math.fsum(numbers) / len(numbers) if numbers else None


def _share_of_top(normal: Sequence[float]) -> float | None:
    return sum(number >= 1 - 1e-9 for number in normal) / len(normal) if normal else None


def ratings_table(summaries: Sequence[Record]) -> str:
    """The summaries for people."""
    from tabulate import tabulate

    keys = (*_JUDGE, "n", "null_share", "mean", "sd", "top_share", "human_top_share", "tokens", "cost")
    rows = [[_format_cell(one[key]) for key in keys] for one in summaries]
    return tabulate(rows, [key.replace("_", " ") for key in keys], "simple", disable_numparse=True) + "\n"


def _format_cell(value: str | float | None) -> str:
    return "-" if value is None else value if isinstance(value, str) else f"{value:.3g}"
