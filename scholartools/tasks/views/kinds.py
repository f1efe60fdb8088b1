"""The items of a record that a page shows as cards, by kind: marks in the text and properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault
from scholartools.records import Record, read

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord


class Item(NamedTuple):
    """An item of a record.

    Attributes:
        id: id by which other items refer to it.
        title: short description.
        text: verbatim text; None if there is none.
        spans: spans to mark, each with the expected text (None: unknown).
        rest: all further properties, by name.
        beside: the text next to which its card is placed if it has no span.
    """

    id: str
    title: str
    text: str | None
    spans: Sequence[tuple[Mapping[str, Any], str | None]]
    rest: Mapping[str, Any]
    beside: str | None = None


class Kind(NamedTuple):
    """A kind of items: name (a CSS class), letter, heading, and function that finds the items."""

    name: str
    letter: str
    heading: str
    find: Callable[[Record], Iterator[Item]]


def entries(record: Mapping[str, Any], key: str) -> list[Record]:
    """The items of a list, which may lack keys that commands write, since it may be human-made.

    Raises:
        InputFault: it is not a list of objects.
    """
    found = record.get(key) or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise InputFault(f'"{key}" is not a list of objects', kind="invalid-key")
    return found


_SHOWN = frozenset({"id", "text", "spans"})


def _rest(item: Mapping[str, Any], *without: str) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name not in _SHOWN and name not in without}


def _spans(item: Mapping[str, Any], text: str | None = None) -> list[tuple[Mapping[str, Any], str | None]]:
    """Spans of an item with expected texts: of a single span the item's text, of merged items those of the members."""
    if members := item.get("members"):
        return [one for member in members for one in _spans(member, member["text"])]
    spans = item.get("spans") or []
    return [(span, (text if text is not None else item.get("text")) if len(spans) == 1 else None) for span in spans]


def _limitations(record: Record) -> Iterator[Item]:
    checks: dict[str, list[Record]] = {}
    for check in (read(record, "annotations") or {}).get("limitations") or ():
        checks.setdefault(check["limitation"], []).append(_rest(check, "limitation"))
    for item in entries(record, "limitations"):
        rest = _rest(item, "origin", "mode", "by")
        if item["id"] in checks:
            rest["checked by people"] = checks[item["id"]]
        title = ", ".join(filter(None, (item.get("origin"), item.get("mode"), item.get("by"))))
        yield Item(item["id"], title, item["text"], _spans(item), rest)


def _claims(record: Record) -> Iterator[Item]:
    disputed: dict[str, list[str]] = {}
    for weakness in entries(record, "weaknesses"):
        for answer in weakness.get("targets") or ():
            for target in answer["items"] or ():
                disputed.setdefault(target.get("claim"), []).append(weakness["id"])
    for item in entries(record, "claims"):
        title = ", ".join(filter(None, (item.get("role"), item.get("by"))))
        by = {"disputed by": list(dict.fromkeys(disputed[item["id"]]))} if item["id"] in disputed else {}
        yield Item(item["id"], title, item["text"], _spans(item), {**_rest(item, "role", "by"), **by})
    for entry in (read(record, "generated") or {}).get("claims") or ():
        for claim in entry["items"]:
            id, title = f"{entry['system']}/{claim['id']}", f"by {entry['system']}"
            yield Item(id, title, claim["text"], _spans(claim), _rest(claim))


def _weaknesses(record: Record) -> Iterator[Item]:
    sets: list[Mapping[str, Any]] = [{"rater": None, "items": entries(record, "weaknesses")}]
    sets += (read(record, "annotations") or {}).get("weaknesses") or []
    for one in sets:
        rater = one["rater"]
        for item in one["items"] or ():
            title = f"review {item.get('review')}, {rater or item.get('by') or 'given'}"
            customs = [
                (span, target["text"])
                for answer in item.get("targets") or ()
                for target in answer["items"] or ()
                for span in (target.get("spans") or () if target.get("custom") else ())
            ]
            id = item["id"] if rater is None else f"{rater}/{item['id']}"
            spans = [*_spans(item), *customs]
            rest = _rest(item, "review", "by")
            if item.get("targets"):
                rest["targets"] = [_answer(answer) for answer in item["targets"]]
            yield Item(id, title, item["text"], spans, rest, f"review:{item.get('review')}")


def _answer(answer: Record) -> Record:
    """Targets by a system or rater: claims by id, custom ones by text."""
    rest = {name: value for name, value in answer.items() if name not in ("items", "texts")}
    if answer["items"] is None:
        return {**rest, "claims": None}
    claims = [target.get("claim") or target["text"] for target in answer["items"]]
    return {"system": answer["system"], "claims": claims or "none", **rest}


def _verifications(record: Record) -> Iterator[Item]:
    for item in entries(record, "verifications"):
        title = f"{item['side']}'s side, {item['system']}" + (" (control)" if item.get("control") else "")
        spans = [
            (span, evidence.get("text"))
            for evidence in item.get("evidence") or ()
            for span in evidence.get("spans") or ()
            if not evidence.get("paper")
        ]
        rest = _rest(item, "side", "system", "claim", "control")
        rest = {"claim": item["claim"].get("id") or item["claim"]["text"], **rest}
        yield Item(item["id"], title, item["text"], spans, rest)


def _experiments(record: Record) -> Iterator[Item]:
    for key in ("experiments", "explanations"):
        for item in entries(record, key):
            yield Item(f"{key}/{item['id']}", key.removesuffix("s"), item["text"], _spans(item, ""), _rest(item))


def _segments(record: PaperRecord) -> Iterator[Item]:
    """Segments of reviews annotated as deficient."""
    for review in read(record, "reviews") or ():
        name = f"review:{review['id']}"
        for place, segment in enumerate(review.get("segments") or (), 1):
            span = {"in": name, "start": segment["start"], "end": segment["end"]}
            if segment.get("deficient"):
                yield Item(
                    f"{name}/{place}", "deficient", None, [(span, None)], {"explanation": segment.get("explanation")}
                )


def _instructions(record: PaperRecord) -> Iterator[Item]:
    """Warnings with a passage, such as instructions to a model."""
    for place, notice in enumerate(read(record, "warnings") or (), 1):
        if span := notice.get("span"):
            yield Item(str(place), notice["kind"], notice.get("text"), [(span, None)], _rest(notice, "kind", "span"))


def _rejected(record: Record) -> Iterator[Item]:
    for place, item in enumerate(entries(record, "rejected"), 1):
        spans = [(item["span"], None)] if item.get("span") else []
        rest = _rest(item, "span", "command")
        yield Item(str(place), f"not taken by {item.get('command')}", item["text"], spans, rest)


#: All kinds, in display order.
KINDS = (
    Kind("limitation", "L", "Limitations", _limitations),
    Kind("claim", "C", "Claims", _claims),
    Kind("weakness", "W", "Weaknesses", _weaknesses),
    Kind("verification", "V", "Verifications", _verifications),
    Kind("experiment", "E", "Experiments and explanations", _experiments),
    Kind("segment", "S", "Deficient segments", _segments),
    Kind("instruction", "!", "Instructions to a model", _instructions),
    Kind("rejected", "R", "Rejected passages", _rejected),
)
