"""What comes of a question: an answer, or why it is missing; and how a record tells what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from scholartools.errors import NothingUsable
from scholartools.llm.replies import ReplyFault
from scholartools.records import Record, failures

Result = TypeVar("Result")


class Answer(NamedTuple, Generic[Result]):
    """What verification made of a reply, and the keys of the calls it took (two where it was asked once more).

    ``lacks`` says of each item that the reply should have had and that cannot be used why.
    """

    value: Result
    calls: Sequence[str]
    repair: str | None
    lacks: Sequence[str] = ()


class Missing(NamedTuple):
    """In place of an answer that is missing: why, the kind of the fault, its calls, the raw reply if any."""

    reason: str
    kind: str
    calls: Sequence[str]
    reply: str | None = None

    @property
    def value(self) -> None:
        """Nothing, as JSON has it."""
        return None


class PartlyUsable(ReplyFault):
    """Some items of a reply cannot be used; the model is asked once more with the reason, then the others are kept."""

    def __init__(self, value: Any, lacks: Sequence[str]) -> None:
        """``value``: what verification makes of the other items; ``lacks``: of each item that cannot be used, why."""
        super().__init__("; ".join(lacks))
        self.value = value
        self.lacks = lacks


#: The kind of the ``errors`` entry of a record some of whose parts are missing.
MISSING_PARTS = "missing-parts"


def refuse_all_missing(what: str, answers: Sequence[Answer[Any] | Missing], clear: Callable[[], Record]) -> None:
    """Fail the record where not one question has an answer and a null would be read as one: no facet, no limitation.

    Args:
        what: the parts, in the plural.
        clear: makes the record without what an earlier run, by this method or another, left where the answers would go.

    Raises:
        NothingUsable: nothing could be had; names all calls.
    """
    lost = [answer for answer in answers if isinstance(answer, Missing)]
    if not lost or len(lost) < len(answers):
        return
    counted = _count_missing(what, [("", answer) for answer in lost], len(lost), "")
    reason = counted["reason"] if len(lost) > 1 else lost[0].reason
    details = {key: counted[key] for key in ("reply", "calls") if counted.get(key)}
    fault = NothingUsable(reason, kind=lost[0].kind, details=details)
    fault.record = clear()
    raise fault


def tell_missing(
    record: Record,
    command: str,
    what: str,
    asked: Iterable[tuple[str, Answer[Any] | Missing]],
    *,
    task: str | None = None,
    so: str = "",
) -> None:
    """Add to ``errors`` one entry that counts what is missing, without changing the list other copies hold.

    An entry that an earlier run left for the same parts goes: they have been asked about anew.

    Args:
        record: a copy, as for :func:`sign`.
        what: the parts, in the plural: "ratings".
        asked: each answer with what it is of, as a later run will call it too: the system, or the text.
        task: of the command, where it has several.
        so: what comes of it, for the reason.
    """
    asked = list(asked)
    lost = [(name, answer) for name, answer in asked if isinstance(answer, Missing) or answer.lacks]
    earlier = failures(record)
    if not lost and not earlier:
        return
    parts = {name for name, _ in asked}
    same = {"command": command, "kind": MISSING_PARTS, **({"task": task} if task else {})}
    kept = [entry for entry in earlier if not _is_anew(entry, same, parts)]
    if lost:
        record["errors"] = [*kept, {**same, **_count_missing(what, lost, len(asked), so)}]
    elif kept:
        record["errors"] = kept if len(kept) < len(earlier) else record["errors"]
    elif earlier:
        del record["errors"]


def _is_anew(entry: Any, same: Record, parts: set[str]) -> bool:
    """Whether an entry counts what the same task could not have of parts that have been asked about now."""
    return isinstance(entry, dict) and same.items() <= entry.items() and parts.issuperset(entry.get("parts") or ())


def _count_missing(what: str, lost: Sequence[tuple[str, Answer[Any] | Missing]], of: int, so: str) -> Record:
    """The counts and reasons of an entry, the first raw reply, and the calls."""
    answers = [answer for _, answer in lost]
    reasons = Counter(answer.reason if isinstance(answer, Missing) else "; ".join(answer.lacks) for answer in answers)
    first, *others = reasons
    is_whole = all(isinstance(answer, Missing) for answer in answers)
    verb = f"{'is' if len(lost) == 1 else 'are'} {'missing' if is_whole else 'missing or not whole'}"
    more = f" (and {len(others)} other reasons)" if len(others) > 1 else f" (and: {others[0]})" if others else ""
    reply = next((answer.reply for answer in answers if isinstance(answer, Missing) and answer.reply is not None), None)
    return {
        "reason": f"{len(lost)} of {of} {what} {verb}: {first}{more}{f'; {so}' if so else ''}",
        "missing": len(lost),
        "of": of,
        "reasons": dict(reasons),
        "parts": list(dict.fromkeys(name for name, _ in lost)),
        **({} if reply is None else {"reply": reply}),
        "calls": [key for answer in answers for key in answer.calls],
    }
