"""Detect an outage of the provider during a run, in which every later record would fail too."""

from __future__ import annotations

from collections import Counter

# Kind of the fault that ends a run in an outage of a server that is reachable. Other faults that end a run, such as a
# spent limit on calls, say nothing about the questions whose calls had failed before, and are not stored for them.
OUTAGE = "outage"

# Failures since the last reply that make an outage: of calls to an address that is unreachable, and of different
# questions to a server that is reachable (server error, broken connection, timeout). The second is higher, since a
# single text can make a server fail repeatedly, and several such texts may occur together.
FAILURES_WITHOUT_CONNECTION = 3
QUESTIONS_WITHOUT_REPLY = 8


class Outage:
    """Calls that have failed since the last response, counted by question."""

    def __init__(self) -> None:
        self._failures: Counter[bytes] = Counter()

    def end(self) -> None:
        """Reset after any response: a reply, a refusal, or a rate limit."""
        self._failures.clear()

    def add(self, question: bytes) -> None:
        """Count a failed call."""
        self._failures[question] += 1

    def has(self, question: bytes) -> bool:
        """Whether a call of a question has failed since the last response."""
        return question in self._failures

    @property
    def failures(self) -> int:
        """Number of failed calls since the last response."""
        return self._failures.total()

    @property
    def is_suspected(self) -> bool:
        """Whether enough different questions have failed that no new one should be sent."""
        return len(self._failures) >= QUESTIONS_WITHOUT_REPLY

    def is_lasting(self, question: bytes, tries: int, *, unreachable: bool) -> bool:
        """Whether the run must end: this question has failed ``tries`` times, and the failures of all make an outage.

        Any response resets the counts: then the server is up, and only this question fails.
        """
        if self._failures[question] < tries:
            return False
        if unreachable:
            return self.failures >= FAILURES_WITHOUT_CONNECTION
        return self.is_suspected
