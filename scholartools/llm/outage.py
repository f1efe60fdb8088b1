"""When a provider has gone away in the middle of a run, so that every later record would fail too."""

from __future__ import annotations

from collections import Counter

# Failures since the last reply that are needed: of calls to an address where nothing answers, and of different
# questions where something does (an error of the server, a broken connection, silence until the time is up): one text
# can make a server fail again and again, and several may come together.
FAILURES_WITHOUT_CONNECTION = 3
QUESTIONS_WITHOUT_REPLY = 8


class Outage:
    """The calls that have failed since a reply last came, by question."""

    def __init__(self) -> None:
        self._failures: Counter[bytes] = Counter()

    def end(self) -> None:
        """Something came back: a reply, a refusal, or word that it is too much."""
        self._failures.clear()

    def add(self, question: bytes) -> None:
        """A call failed."""
        self._failures[question] += 1

    def has(self, question: bytes) -> bool:
        """Whether a call of a question has failed since a reply last came."""
        return question in self._failures

    @property
    def failures(self) -> int:
        """How many calls have failed."""
        return self._failures.total()

    @property
    def is_suspected(self) -> bool:
        """Whether so many different questions have failed that no new one should be asked."""
        return len(self._failures) >= QUESTIONS_WITHOUT_REPLY

    def is_lasting(self, question: bytes, tries: int, *, unreachable: bool) -> bool:
        """Whether the run must end, now that a question has been asked in vain as often as it may be.

        Not where anything has come back since it was first asked: then it alone has failed.
        """
        if self._failures[question] < tries:
            return False
        if unreachable:
            return self.failures >= FAILURES_WITHOUT_CONNECTION
        return self.is_suspected
