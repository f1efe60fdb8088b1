"""Budget of a run: requests, USD and bytes, reserved before a request is sent."""

from __future__ import annotations

from collections import Counter

from scholartools.errors import ModelFault
from scholartools.money import usd
from scholartools.parameters import parameter
from scholartools.web.request import Ask
from scholartools.web.settings import WebSettings

_RUN_AGAIN = "what was answered is in the cache: run again to go on"


class Budget:
    """Counts requests, USD and bytes of a run.

    Attributes:
        sent: number of requests by source, including retries.
        cached: number of requests answered from the cache, by source.
        cost: USD spent.
        received: bytes received.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self.sent: Counter[str] = Counter()
        self.cached: Counter[str] = Counter()
        self.cost = 0.0
        self.received = 0

    def reserve(self, ask: Ask) -> None:
        """Count a request that is about to be sent.

        Raises:
            ModelFault: the request would exceed a limit.
        """
        most = self._settings
        if most.max_calls is not None and self.sent.total() + 1 > most.max_calls:
            raise _spent(f"{parameter('max_calls', most.max_calls)} is used up")
        if most.max_cost is not None and usd(self.cost, ask.price) > most.max_cost:
            told = f"{parameter('max_cost', f'{most.max_cost:g}')} USD does not allow the next request"
            raise _spent(f"{told} ({ask.source}: {ask.price:g} USD, {self.cost:g} spent)")
        if most.max_bytes is not None and self.received >= most.max_bytes:
            raise _spent(f"{parameter('max_bytes', most.max_bytes)} are received")
        self.sent[ask.source] += 1
        self.cost = usd(self.cost, ask.price)

    def receive(self, size: int) -> bool:
        """Count received bytes of all responses in progress; return whether they are within the limit."""
        self.received += size
        most = self._settings.max_bytes
        return most is None or self.received <= most


def _spent(reason: str) -> ModelFault:
    return ModelFault(f"{reason}; {_RUN_AGAIN}", kind="budget")
