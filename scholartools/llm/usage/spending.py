"""Reservations of the maximum costs of calls, and actual costs."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from typing import Any

from scholartools.cache import Reply
from scholartools.cache.budgets import Amount, Books, Grant
from scholartools.errors import ModelFault
from scholartools.llm.settings import Settings
from scholartools.llm.usage import budget
from scholartools.llm.usage.counts import Counts
from scholartools.money import usd
from scholartools.parameters import parameter
from scholartools.wording import count_of

# Interval in seconds between checks of a budget that calls in flight have reserved; its maximum for a shared budget.
_SETTLING, _LONGEST_LOOK = 0.02, 1.0


class Spending:
    """Costs of a run, and their limits.

    Attributes:
        price: price of the model; None if unknown.
        part_size: maximum number of requests in a batch; None without batches. ``batch_price``: price in batches.
    """

    # Tokens by which calls of this run exceeded their bounds; later bounds include them.
    _beyond = budget.Bound(0, 0)

    def __init__(self, settings: Settings, counts: Counts, warn_once: Callable[[str], None]) -> None:
        """No cost is reserved yet.

        Raises:
            ModelFault: a limit in USD for a model with unknown price or unknown maximum length of a reply.
        """
        _check_price(settings)
        self.price = budget.price_of(settings.model)
        self.part_size = settings.part_size if settings.batch else None
        self.batch_price = budget.price_of(settings.model, in_batch=True) if settings.batch else None
        self._settings = settings
        self._counts = counts
        self._warn_once = warn_once
        self._budget = budget.Budget(settings.max_cost, settings.max_calls)
        self._take: Callable[[Amount], Awaitable[Grant]] | None = None
        self._taking = asyncio.Lock()

    def share(self, take: Callable[[Amount], Awaitable[Grant]]) -> None:
        """Use a budget shared with other processes: only what ``take`` grants may be spent."""
        self._take = take
        self._budget = budget.Budget(0.0, 0)

    def books(self) -> Books:
        """Costs and calls of the run so far."""
        own = self._budget
        return Books(own.spent, own.reserved, own.calls, own.in_flight)

    def bound_tokens(self, request: dict[str, Any]) -> budget.Bound | None:
        """Upper bound on the tokens of a call; None if there is none."""
        prompt = budget.most_prompt_tokens(request, self.price.window if self.price else None)
        reply = self._settings.max_tokens or (self.price.longest if self.price else None)
        if prompt is None or reply is None:
            return None
        replies = request["parameters"].get("n", 1)
        return budget.Bound(prompt + self._beyond.prompt, replies * (reply + self._beyond.reply))

    async def reserve(
        self, request: dict[str, Any], why_stopped: Callable[[], ModelFault | None]
    ) -> tuple[budget.Bound | None, float]:
        """Reserve the maximum cost of a call; wait while calls in flight may cost less than reserved for them.

        Returns:
            The bound on the tokens of the call (None without a limit in USD), and the reserved cost in USD.

        Raises:
            ModelFault: a limit would be exceeded, or the run has been stopped.
        """
        bound, most = None, 0.0
        if self._settings.max_cost is not None and self.price is not None:
            bound = self.bound_tokens(request)
            if bound is None:
                unknown = f"{self._settings.model} has no known limit for images"
                reason = f"{parameter('max_cost')}: {unknown}; use {parameter('max_calls')}"
                raise ModelFault(reason, kind="budget")
            most = self.price.maximum_cost(bound)
        if self._take is not None:
            async with self._taking:  # no other call may spend from the granted part while it is extended
                await self._take_more(most, self._take, why_stopped)
                return bound, self._budget.reserve(most)
        while why_stopped() is None and self._budget.may_free(most):
            await asyncio.sleep(_SETTLING)
        if (fault := why_stopped()) is not None:
            raise fault
        return bound, self._budget.reserve(most)

    async def _take_more(
        self, most: float, take: Callable[[Amount], Awaitable[Grant]], why_stopped: Callable[[], ModelFault | None]
    ) -> None:
        """Take the maximum cost of a call from the shared budget; wait while this or another run may release some.

        Raises:
            ModelFault: the budget is exhausted, or the run has been stopped.
        """
        own, pause = self._budget, _SETTLING
        while (fault := why_stopped()) is None and not own.fits(most):
            grant = await take(Amount(most, 1))
            own.max_cost, own.max_calls = grant.limit
            if own.fits(most):
                return
            if not (grant.may_come or own.in_flight):
                raise self._refuse(most, grant)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_LOOK)
        if fault is not None:
            raise fault

    def _refuse(self, most: float, grant: Grant) -> ModelFault:
        """The fault that ends a run when too little is left of the shared budget."""
        name, own = str(self._settings.budget), self._budget
        lacks = "no call is left"
        if grant.left.calls > own.calls:
            lacks = f"{max(grant.left.usd - own.spent, 0.0):.4f} USD are left, the next call may cost {most:.4f}"
        held = f"; runs that were killed hold {grant.lost.usd:.4f} USD and {count_of(int(grant.lost.calls), 'call')}"
        settle = (
            f"{held}: `st-cache budget {shlex.quote(name)} {parameter('settle', True)}` frees them"
            if any(grant.lost)
            else ""
        )
        reason = f"{parameter('budget', name)}: {lacks}{settle}"
        return ModelFault(
            f"{reason}; the replies so far are in the cache: run again with another budget", kind="budget"
        )

    def settle(self, reserved: float, cost: float) -> None:
        """Replace the reservation of a call by its actual cost."""
        self._budget.settle(reserved, cost)

    def learn_usage(self, reply: Reply, bound: budget.Bound | None) -> None:
        """Raise the bounds of later calls if a provider reports more tokens than the bound of this call."""
        if bound is None:
            return
        prompt = max((reply.prompt_tokens or 0) - bound.prompt, 0)
        more = max((reply.completion_tokens or 0) - bound.reply, 0)
        if prompt or more:
            self._beyond = budget.Bound(self._beyond.prompt + prompt, self._beyond.reply + more)
            self._warn_once(
                f"the provider bills more tokens than were sent and allowed: {parameter('max_cost')} may be exceeded"
            )

    def record_usage(self, reply: Reply) -> None:
        """Count a reply, its tokens and its cost."""
        counts = self._counts
        counts.answered += 1
        counts.prompt_tokens += reply.prompt_tokens or 0
        counts.completion_tokens += reply.completion_tokens or 0
        if reply.cost is None:
            counts.unpriced += 1
        else:
            counts.cost = usd(counts.cost, reply.cost)
        if reply.defect is not None and "usage" in reply.defect:
            counts.odd_usage += 1
            self._warn_once(
                "the provider reports a usage that cannot be right: such calls count with their maximum cost"
            )


def _check_price(settings: Settings) -> None:
    if settings.max_cost is None or settings.replay:
        return
    price = budget.price_of(settings.model)
    if price is None:
        unknown = f"the price of {settings.model} is not known"
        reason = f"{parameter('max_cost')}: {unknown}; use {parameter('max_calls')} instead"
        raise ModelFault(reason, kind="budget")
    if price.longest is None and settings.max_tokens is None:
        unknown = f"the longest reply of {settings.model} is not known"
        reason = f"{parameter('max_cost')}: {unknown}; set {parameter('max_tokens')}"
        raise ModelFault(reason, kind="budget")
