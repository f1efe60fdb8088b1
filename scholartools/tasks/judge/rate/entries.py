"""Entries of ``judgements.rate``: one per system, item, method, aspect and judge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.calls import CallKey
from scholartools.records import Entry, Record, read
from scholartools.tasks.judge.rate.contract import Aspect, Item, Method, Rating
from scholartools.tasks.judge.rate.inputs import took_part_in_fit

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

TASK = "rate"
_KEY = ("system", "item", "method", "aspect", "by")


def make_entry(item: Item, method: Method, aspect: Aspect, by: str, rating: Rating) -> Record:
    """Build an entry; optional keys that do not apply are omitted."""
    scale = None if rating.scale is None else list(rating.scale)
    more = {
        "reason": rating.reason,
        "samples": rating.samples,
        "unparsed": _count_unparsed(rating),
        "spread": rating.spread,
        "distribution": rating.distribution,
        "mass": rating.mass,
        "sub_scores": rating.sub_scores,
        "explanation": rating.explanation,
        "batch": rating.batch,
    }
    calls = [key for answer in rating.answers for key in answer.calls]
    entry: Record = {
        "system": item.system,
        "item": item.id,
        "in": item.path,
        "method": method.name,
        "aspect": aspect.name,
        "by": by,
        "score": rating.score,
        "normal": None if rating.score is None or scale is None else _normal(rating.score, scale),
        "scale": scale,
        **{name: value for name, value in more.items() if value is not None},
        **({"explanation": None} if rating.is_explained and rating.explanation is None else {}),
        "from": rating.made_of,
        "text": item.fingerprint,
        "seen_in_fit": took_part_in_fit(aspect.spec.fitted, item),
        "usage": sum_usage(rating.answers, rating.shares),
    }
    if not method.is_builtin:
        entry["calls"] = list(dict.fromkeys(map(str, calls)))
    if method.how.keep_replies and not method.is_builtin:
        entry["replies"] = [_raw(answer) for answer in rating.answers]
    return entry


def _normal(score: float, scale: Sequence[float]) -> float:
    low, high = scale
    return (score - low) / (high - low)


def _count_unparsed(rating: Rating) -> Record | None:
    count = sum(rating.unparsed.values())
    return {"n": count, "reasons": dict(rating.unparsed)} if count else None


def _raw(answer: object) -> str | None:
    if isinstance(answer, Missing):
        return answer.reply
    keys = [key for key in getattr(answer, "calls", ()) if isinstance(key, CallKey)]
    return keys[-1].reply.text if keys else None


def sum_usage(answers: Sequence[Answer[Any] | Missing], shares: Sequence[float] | None = None) -> Record:
    """Replies, tokens and USD used by a rating; null if the provider reported none.

    Args:
        answers: the answers, with the keys of their calls.
        shares: share of each answer's calls to count; None: all.
    """
    parts = [1.0] * len(answers) if shares is None else shares
    calls = [(key, part) for answer, part in zip(answers, parts, strict=True) for key in answer.calls]
    used: Record = {"replies": sum(part for _, part in calls)}
    for name in ("prompt_tokens", "completion_tokens", "cost"):
        replies = [(key.reply, part) for key, part in calls if isinstance(key, CallKey)]
        told = [value * part for reply, part in replies if (value := getattr(reply, name)) is not None]
        used[name] = sum(told) if told else None
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value for name, value in used.items()
    }


def refuse_other_texts(record: PaperRecord, items: Sequence[Item], aspects: Collection[str]) -> None:
    """Check that the record has no ratings for these aspects of items with the same names at another path.

    Raises:
        InputFault: it has; readers of the ratings would confuse the texts.
    """
    paths = {(item.system, item.id): item.path for item in items}
    for entry in (read(record, "judgements") or {}).get("rate") or ():
        path = paths.get((entry["system"], entry["item"]), entry["in"])
        if path != entry["in"] and entry["aspect"] in aspects:
            named = f'ratings of "{entry["in"]}" for "{entry["aspect"]}", with an item of the same name'
            raise InputFault(f'the record has {named}: rate "{path}" in records without them', kind="other-texts")


def with_ratings(record: Record, entries: Sequence[Record]) -> Record:
    """Add entries to a copy of the record, replacing earlier ones with the same key.

    Raises:
        InputFault: ``judgements`` is present but malformed.
    """
    earlier: Entry = read(record, "judgements") or {}
    made = {_key(entry) for entry in entries}
    kept = [entry for entry in earlier.get(TASK) or () if _key(entry) not in made]
    return {**record, "judgements": {**earlier, TASK: [*kept, *entries]}}


def _key(entry: Record) -> tuple[str, ...]:
    return tuple(entry[name] for name in _KEY)
