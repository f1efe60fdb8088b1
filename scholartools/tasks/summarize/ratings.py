"""Ratings of judges in long form with human scores, and a summary of each judge."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault
from scholartools.metrics.values import mean_of_known
from scholartools.parameters import parameter
from scholartools.paths import as_json
from scholartools.records import Record, name_of, need, nonzero
from scholartools.signature import fingerprint, signature
from scholartools.tasks.judge.rate.entries import TASK
from scholartools.tasks.judge.rate.inputs import Owner
from scholartools.tasks.judge.rate.rated_texts import options_of_runs, text_of, texts_by_mark
from scholartools.tasks.score.metric import COMMAND
from scholartools.tasks.shared.text_names import KnownTexts, TextName
from scholartools.tasks.summarize.groups import COUNTS
from scholartools.tasks.summarize.truth import Truth

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Rated

# Keys that distinguish ratings of the same text.
_JUDGE = ("method", "by", "aspect")


def long_records(record: Record, truth: Truth, known: KnownTexts) -> list[Record]:
    """One record per entry of ``judgements.rate``, in the format of st-agree.

    ``item`` is "PAPER/SYSTEM/ITEM", ``words`` the number of words of the text, ``opens`` its first word, ``own``
    whether the judge is the model that wrote it (null if unknown), ``usage`` the cost of the rating.

    Args:
        record: record with ratings.
        truth: human scores.
        known: texts of earlier records; those of this record are added.

    Raises:
        InputFault: there are no ratings or no id, a text changed since it was judged, its name is ambiguous, or human
            scores are on another scale than the criteria of the rating.
        UsageFault: a human score in a file is invalid.
    """
    judged = (need(record, "judgements", "run st-judge rate first").get("rate")) or []
    if not judged:
        raise InputFault('no "judgements.rate": run st-judge rate first', kind="missing-key")
    paper = name_of(record, "id")
    if paper is None:
        raise InputFault('no "id", which distinguishes the items of papers', kind="missing-key")
    texts = texts_by_mark(record)
    _refuse_other_scales(record, judged, truth)
    found = [text_of(entry, texts) for entry in judged]
    places = {(entry["system"], entry["item"]) for entry in judged} | {mark[:2] for mark in texts}
    names = sorted(TextName(paper, *place) for place in places)
    for name in names:
        known.add(name)
    people = [
        truth.score(record, owner.record, TextName(paper, entry["system"], entry["item"]), names, entry["aspect"])
        for entry, (_, owner) in zip(judged, found, strict=True)
    ]
    group = name_of(record, "paper") or paper
    return [
        _long_record(group, paper, entry, *text, human, truth)
        for entry, text, human in zip(judged, found, people, strict=True)
    ]


def _refuse_other_scales(record: PaperRecord, judged: Sequence[Rated], truth: Truth) -> None:
    """Check that human scores have the scale of the criteria recorded in the provenance."""
    rated_on: dict[tuple[str, str], Any] = {}
    for options in options_of_runs(record):
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


def _long_record(
    group: str, paper: str, entry: Rated, text: str, owner: Owner, human: float | None, truth: Truth
) -> Record:
    system, item = entry["system"], entry["item"]
    words = text.split()
    made = {
        "item": TextName(paper, system, item).long(), "paper": group, "system": system,
        "aspect": entry["aspect"], "method": entry["method"], "by": entry["by"], "score": entry["score"],
        "normal": entry["normal"], "scale": entry["scale"], "human": human,
        "human_normal": truth.normal(human, entry["aspect"]), "words": len(words),
        "opens": words[0].casefold() if words else None,
        "own": None if owner.writer is None else owner.writer == entry["by"],
        "seen_in_fit": entry["seen_in_fit"], "usage": entry["usage"],
    }  # fmt: skip
    return {**made, "reason": entry["reason"]} if entry.get("reason") else made


class RatingSummary:
    """Summary of ratings by method, judge, aspect and scale: scores on different scales are not averaged."""

    def __init__(self) -> None:
        self._groups: dict[tuple[Any, ...], list[Record]] = {}

    def add(self, made: Record) -> None:
        """Add a record of :func:`long_records`."""
        key = (*(made[name] for name in _JUDGE), tuple(made["scale"] or ()))
        self._groups.setdefault(key, []).append(made)

    def notes(self) -> Iterator[str]:
        """Number of ratings without a score, if any."""
        ratings = [one for made in self._groups.values() for one in made]
        if n_null := sum(one["score"] is None for one in ratings):
            yield f"{n_null} of {len(ratings)} ratings without a score"

    def records(self) -> Iterator[Record]:
        """One record per method, judge, aspect and scale, sorted.

        ``null_share`` is the share of ratings without a score; ``mean`` and ``sd`` (n - 1) are of the raw scores;
        ``top_share`` is the share of scores at the maximum of the scale, ``human_top_share`` that of human scores (a
        higher ``top_share`` is inflation), both over texts with both scores, or else over all; ``cost`` and ``tokens``
        are means per rating; ``n_repeated``, if not 0, counts ratings of texts seen before in the input.
        """
        for names in sorted(self._groups):
            yield _summary_record(self._groups[names])


def _summary_record(made: Sequence[Record]) -> Record:
    about = {name: made[0][name] for name in (*_JUDGE, "scale")}
    rated = [one for one in made if one["score"] is not None]
    scores = [one["score"] for one in rated]
    shared = [one for one in rated if one["human_normal"] is not None]
    reasons = [str(one.get("reason") or "no score") for one in made if one["score"] is None]
    used = ("item", "score", "normal", "human", "human_normal", "usage", "reason")
    inputs = fingerprint([about, sorted(as_json([one.get(name) for name in used]) for one in made)])
    return {
        **about, "n": len(made), **nonzero(n_repeated=len(made) - len({one["item"] for one in made})),
        "null_share": 1 - len(scores) / len(made),
        "nulls": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        "mean": mean_of_known(scores), "sd": statistics.stdev(scores) if len(scores) > 1 else None,
        "top_share": _share_of_top([one["normal"] for one in shared or rated if one["normal"] is not None]),
        "human_top_share": _share_of_top([one["human_normal"] for one in shared]),
        "n_human": sum(one["human"] is not None for one in made),
        "tokens": mean_of_known(_total_tokens(one["usage"]) for one in made),
        "cost": mean_of_known(one["usage"]["cost"] for one in made),
        "signature": signature(COMMAND, {"metric": TASK, "input": inputs}),
    }  # fmt: skip


def _total_tokens(usage: Record) -> float | None:
    parts = [usage["prompt_tokens"], usage["completion_tokens"]]
    return None if None in parts else sum(parts)


def _share_of_top(normal: Sequence[float]) -> float | None:
    return sum(number >= 1 - 1e-9 for number in normal) / len(normal) if normal else None


def ratings_table(summaries: Sequence[Record]) -> str:
    """Format the summaries as a text table."""
    from tabulate import tabulate

    keys = (
        *_JUDGE,
        "scale",
        "n",
        "null_share",
        "mean",
        "sd",
        "top_share",
        "n_human",
        "human_top_share",
        "tokens",
        "cost",
    )
    rows = [[_format_cell(one[key]) for key in keys] for one in summaries]
    notes = [
        f"{' '.join(one[key] for key in _JUDGE)}: {COUNTS['n_repeated'].format(count=one['n_repeated'])}\n"
        for one in summaries
        if "n_repeated" in one
    ]
    shown = tabulate(rows, [key.replace("_", " ") for key in keys], "simple", disable_numparse=True)
    return "".join([shown, "\n", *["\n"][: len(notes)], *notes])


def _format_cell(value: Any) -> str:
    if isinstance(value, list):
        return _show_scale(value)
    return "-" if value is None else value if isinstance(value, str) else f"{value:.3g}"
