"""Outcomes of questions: an answer, or the reason why it is missing; and ``errors`` entries for missing answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from scholartools.errors import NothingUsable
from scholartools.llm.replies import ReplyFault
from scholartools.records import Record, failures

Result = TypeVar("Result")


class Answer(NamedTuple, Generic[Result]):
    """The verified value of a reply, and the keys of its calls (two if the question was repeated).

    ``lacks`` gives the reason for each expected item that is unusable.
    """

    value: Result
    calls: Sequence[str]
    repair: str | None
    lacks: Sequence[str] = ()


class Missing(NamedTuple):
    """A missing answer: the reason, the kind of the fault, the keys of its calls, and the raw reply if any."""

    reason: str
    kind: str
    calls: Sequence[str]
    reply: str | None = None

    @property
    def value(self) -> None:
        """None, for a null in JSON."""
        return None


class PartlyUsable(ReplyFault):
    """Some items of a reply are unusable: the model is asked again with the reason, then the usable items are kept."""

    def __init__(self, value: Any, lacks: Sequence[str]) -> None:
        """``value``: the verified value of the usable items; ``lacks``: the reason for each unusable item."""
        super().__init__("; ".join(lacks))
        self.value = value
        self.lacks = lacks


#: The ``kind`` of the ``errors`` entry of a record in which some parts are missing.
MISSING_PARTS = "missing-parts"


def refuse_all_missing(what: str, answers: Sequence[Answer[Any] | Missing], clear: Callable[[], Record]) -> None:
    """Fail the record if no question has an answer, where null would be misread as an answer, such as "no limitation".

    Args:
        what: the parts, as a plural noun.
        clear: returns the record without earlier results, by any method, in the place of the answers.

    Raises:
        NothingUsable: all answers are missing; names all calls.
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
    """Add one entry to ``errors`` that counts missing parts, without modifying the list shared with other copies.

    An earlier entry for the same parts is removed, since they have been asked again.

    Args:
        record: a copy, as for :func:`sign`.
        what: the parts, as a plural noun: "ratings".
        asked: each answer with the name of its part (a system or a text), the same in later runs.
        task: the task, if the command has several.
        so: the consequence, appended to the reason.
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
    """Whether an entry is of the same task and covers only parts that have been asked again."""
    return isinstance(entry, dict) and same.items() <= entry.items() and parts.issuperset(entry.get("parts") or ())


def _count_missing(what: str, lost: Sequence[tuple[str, Answer[Any] | Missing]], of: int, so: str) -> Record:
    """The counts and reasons of an entry, the first raw reply, and the keys of the calls."""
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
