"""Parse scores from models' replies, per record, and summarise how many replies have one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.paths import ABSENT, Selection, keys_of, lookup
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.agree.results import sign_result
from scholartools.text import reply_score
from scholartools.text.reply_score import Parsed

NO_REPLY = "no reply"


@dataclass(frozen=True)
class Reading:
    """Parameters of parsing a score from a reply.

    Attributes:
        reply: path of the reply.
        value: output key of the score; ``VALUE_parsed`` gets the details.
        published: whether to use the published patterns; otherwise only an unambiguous number is accepted.
        range: the lowest and the highest possible score; None with the published patterns, which have no range.

    Raises:
        UsageFault: neither the published patterns nor a range, both of them, or an invalid range.
    """

    reply: str = "reply"
    value: str = "value"
    published: bool = False
    range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        """Validate the range."""
        if self.published and self.range is not None:
            raise UsageFault("cannot be used with the published patterns, which have no range", parameter="range")
        if not self.published and self.range is None:
            raise UsageFault("the lowest and the highest score, or the published patterns", parameter="range")
        if self.range is not None and not -1e15 < self.range[0] < self.range[1] < 1e15:
            ends = f"{self.range[0]:g} {self.range[1]:g}"
            raise UsageFault(f'the first number must be lower than the second, not "{ends}"', parameter="range")

    @property
    def about(self) -> str:
        """Output key of the details of parsing."""
        return f"{self.value}_parsed"

    def parameters(self) -> Record:
        """The parameters that affect a score, for the signature."""
        method = "published" if self.published else "strict"
        return {"stat": "parse-score", "method": method, "range": self.range and [f"{end:.15g}" for end in self.range]}

    def read(self, reply: str) -> Parsed:
        """The score in a reply."""
        return reply_score.read_published(reply) if self.range is None else reply_score.read_strict(reply, *self.range)


def parse(record: Record, reading: Reading) -> Record:
    """The record with the parsed score added, or null and the ``reason``; a null reply has no score.

    Raises:
        InputFault: the reply is absent or not a string, or an output key exists already.
    """
    reply = _reply_of(record, reading)
    parsed = Parsed(None, reason=NO_REPLY) if reply is None else reading.read(reply)
    about: Record = {"pattern": parsed.pattern} if reading.published else {}
    parameters = {**reading.parameters(), "input": fingerprint(reply)}
    about |= {"reason": parsed.reason, "signature": sign_result(parameters, Counter(), None)}
    return {**record, reading.value: parsed.value, reading.about: about}


class Replies:
    """Counts the replies with a score.

    Attributes:
        dropped: number of records left out, by the kind of their fault.
        n_taken: number of records accepted.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.dropped: Counter[str] = Counter()
        self.selection = Selection(())
        self.n_taken = 0
        self._patterns: Counter[int | None] = Counter()
        self._nulls: Counter[str] = Counter()
        self._marks: list[str] = []

    def add(self, record: Record) -> None:
        """Parse and count one reply.

        Raises:
            InputFault: see :func:`parse`.
        """
        try:
            made = parse(record, self._reading)
        except InputFault as fault:
            self.dropped[fault.kind] += 1
            raise
        self.n_taken += 1
        about = made[self._reading.about]
        self._marks.append(fingerprint(about["signature"]))
        if about["reason"] is None:
            self._patterns[about.get("pattern")] += 1
        else:
            self._nulls[about["reason"]] += 1

    def notes(self) -> Iterator[str]:
        """No notes: the summary reports everything."""
        yield from ()

    def check(self) -> None:
        """No check: replies without a score are counted, not rejected."""

    def summary(self) -> Iterator[Record]:
        """One record: the share of replies with a score, counts of reasons of the others, and matches per pattern."""
        n_parsed = self.n_taken - self._nulls.total()
        entry: Record = {
            "stat": "parse-score", "value": n_parsed / self.n_taken if self.n_taken else None, "n_parsed": n_parsed,
            "n_replies": self.n_taken, "nulls": dict(sorted(self._nulls.items())),
        }  # fmt: skip
        if self._reading.published:
            entry["patterns"] = {str(number): self._patterns[number] for number in range(1, 6)}
        parameters = {**self._reading.parameters(), "input": fingerprint(sorted(self._marks))}
        return iter([{
            **entry, "reason": None if self.n_taken else "no replies", "dropped": dict(sorted(self.dropped.items())),
            "signature": sign_result(parameters, self.dropped, None),
        }])  # fmt: skip


def _reply_of(record: Record, reading: Reading) -> str | None:
    reply = lookup(record, reading.reply)
    if reply is ABSENT:
        hint = f"name another key with {parameter('reply')}, or write null for a missing reply"
        raise InputFault(f'no "{reading.reply}" ({hint}): {keys_of(record)}', kind="missing-key")
    if reply is not None and not isinstance(reply, str):
        raise InputFault(f'"{reading.reply}" is not a string', kind="invalid-key")
    if taken := [key for key in (reading.value, reading.about) if key in record]:
        raise InputFault(
            f'"{taken[0]}" exists already: name another key for the score ({parameter("value")})', kind="invalid-key"
        )
    return reply
