"""Asks each question once: cache, single flight, budget, limits, retries, replay.

A reply is stored before it is used. Everything here runs in one event loop.
"""

from __future__ import annotations

import asyncio
import functools
import math
import random
import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.llm import budget
from scholartools.llm.cache import UNREADABLE, Cache, Reply, failed_reply, fault_of, make_key_function, without_secrets
from scholartools.llm.cache.store import CLOSE_SECONDS, Store
from scholartools.llm.client import connect
from scholartools.llm.faults import OVERFLOW, FormatRefused, Transient
from scholartools.llm.outage import Outage
from scholartools.llm.reading import split_reply
from scholartools.llm.response_format import ResponseFormat, describe_format
from scholartools.llm.sampling import AS_THE_RUN, Sampling
from scholartools.llm.settings import Settings, endpoint_of
from scholartools.llm.throttle import Throttle
from scholartools.parameters import parameter
from scholartools.vocabulary import AUTO

# The number of the record that is worked on: the calls of earlier records go first.
RECORD: ContextVar[int] = ContextVar("record", default=0)

# On whose behalf questions are asked, for the forecast of a dry run.
STAGE: ContextVar[str] = ContextVar("stage", default="")

# How often a reply that is kept but not used (cut, filtered, refused, empty) is asked for again at most.
UNUSABLE_RETRIES = 2
# The kind of the fault of such a reply.
UNUSABLE = "unserved-reply"
_PROVIDER = "provider"
# A provider that says "too much" is asked at least this often before a record fails of it.
LIMITED_RETRIES = 12
# Seconds of a pause that a provider asks for and a person should know of.
_LONG_PAUSE = 30.0
# Seconds between two looks at a budget that calls in flight have reserved.
_SETTLING = 0.02
# Seconds that an interrupted run waits for replies on their way.
_CLOSE_SECONDS = 3.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
# Words of a provider that does not give several replies to one call.
_OF_SEVERAL = re.compile(r"\bn\b|multiple|several|number of (choices|completions|generations)", re.I)


class Provider(Protocol):
    """A way to a model."""

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """Send one request; see :mod:`scholartools.llm.client`."""

    async def close(self) -> None:
        """Close connections."""


class CallKey(str):
    """The name of a question and its reply in the cache.

    Attributes:
        response_format: that in which it was asked.
        reply: what it names.
    """

    response_format: str
    reply: Reply

    def __new__(cls, key: bytes, response_format: str, reply: Reply) -> CallKey:
        """The key in hexadecimal digits."""
        made = super().__new__(cls, key.hex())
        made.response_format = response_format
        made.reply = reply
        return made


class Call(NamedTuple):
    """A question and its reply; ``key`` names both in the cache."""

    key: CallKey
    reply: Reply


class _Question(NamedTuple):
    """What is asked: in each format it is another call, with another key."""

    prompt: str
    messages: list[dict[str, Any]]
    sample: int
    schema: str | None
    sampling: Sampling


class _Sending(NamedTuple):
    """A call to send: the name of its prompt, its key and request.

    A call for several samples has ``parts``: of each the key and the request that it is kept under, as if it had been
    asked for alone.
    """

    prompt: str
    key: bytes
    request: dict[str, Any]
    parts: Sequence[tuple[bytes, dict[str, Any]]] = ()


@dataclass
class Counts:
    """What a run has used so far."""

    sent: int = 0
    answered: int = 0
    cached: int = 0
    to_send: int = 0
    failed: int = 0
    repaired: int = 0
    asked_again: int = 0
    other_endpoint: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0
    odd_usage: int = 0
    bound_prompt_tokens: int = 0
    bound_reply_tokens: int = 0
    bound_cost: float = 0.0
    prompts_cost: float = 0.0

    def line(self, seconds: float) -> str:
        """The counts in a line for people; empty while no reply was got and no question given up."""
        if not (self.answered or self.cached or self.failed):
            return ""
        parts = [
            f"{self.sent} calls ({self.sent / seconds:.1f}/s)",
            f"{self.cached} cached",
            *(f"{count} {name}" for count, name in self._count_troubles() if count),
            f"{self.prompt_tokens} tokens in, {self.completion_tokens} out",
            self._price_text(),
        ]
        return ", ".join(parts)

    def _price_text(self) -> str:
        if self.unpriced and not self.cost:
            return "price unknown"
        return f"{self.cost:.4f} USD" + (f" and {self.unpriced} calls of unknown price" if self.unpriced else "")

    def _count_troubles(self) -> tuple[tuple[int, str], ...]:
        return (
            (self.failed, "without a usable reply"),
            (self.repaired, "repaired"),
            (self.asked_again, "asked again"),
            (self.other_endpoint, "cached from another endpoint"),
            (self.odd_usage, "with a usage that cannot be right"),
        )


class WouldSend(ScholartoolsError):
    """A dry run came to a call that it does not send."""

    kind = "dry-run"


class Engine:
    """The one way to a model."""

    _provider: Provider | None = None
    _stopped: ModelFault | None = None
    _bounded = True

    # What calls of this run took beyond the bound that was set for them.
    _beyond = budget.Bound(0, 0)

    def __init__(
        self, settings: Settings, cache: Cache | None, *, connect: Callable[[str, int], Provider] = connect,
        warn: Callable[[str], None] = lambda message: None,
    ) -> None:  # fmt: skip
        """Ask nothing yet.

        Args:
            warn: is given what a person should know of the run while it goes on, each thing once.

        Raises:
            ModelFault: a budget in USD for a model whose price, or longest reply, is not known.
        """
        _check_price(settings)
        self.settings = settings
        self._warn = warn
        self._warned: set[str] = set()
        self.counts = Counts()
        self._store = None if cache is None else Store(cache)
        self._connect = connect
        self._price = budget.price_of(settings.model)
        self._format = ResponseFormat(settings.response_format, settings.model)
        # With a seed samples differ by seed, which is one for a call.
        self._takes_n = settings.several_per_call and settings.seed is None
        self._endpoint = without_secrets(endpoint_of(settings.model))
        self._budget = budget.Budget(settings.max_cost, settings.max_calls)
        self._throttle = Throttle(settings.concurrency, may_begin=self._may_begin)
        self._pausing: list[int] = []
        self._outage = Outage()
        self._flights: dict[bytes, asyncio.Future[Call]] = {}
        self._random = random.Random()
        self._sending: set[asyncio.Future[Any]] = set()
        self._patience = settings.timeout
        self._of_this_run: set[bytes] = set()
        self._withdrawn: set[bytes] = set()
        self._forecast: set[bytes] = set()
        self._stages: dict[tuple[str, str], Counts] = {}
        self._keyer = functools.lru_cache(1024)(lambda *rest: make_key_function(self._build_request([], *rest)))

    async def complete(
        self,
        prompt: str,
        messages: list[dict[str, Any]],
        *,
        sample: int = 0,
        schema: str | None = None,
        sampling: Sampling = AS_THE_RUN,
    ) -> Call:
        """The reply to messages: from the cache, from a call in flight, or from the provider.

        Args:
            schema: JSON, of the reply.
            sampling: parameters of the prompt.

        Raises:
            ModelFault: the run must end (budget, key, unreachable server, replay miss).
            ScholartoolsError: this question has no usable reply.
        """
        asked = _Question(prompt, messages, sample, schema, sampling)
        hit, keys = await self._find_cached(asked)
        if hit is not None:
            return hit
        if self.settings.replay:
            await self._fail_as_before(keys)
            raise ModelFault(
                f'{parameter("replay", True)}: no reply in the cache to prompt "{prompt}"', kind="replay-miss"
            )
        question = keys[-1]  # one name in whichever format it is asked
        if self.settings.dry_run:
            if question not in self._forecast:
                self._forecast.add(question)
                self._add_estimate(prompt, self._request_of(asked))
            raise WouldSend(f"not sent: {parameter('dry_run', True)}")
        flight = self._flights.get(question)
        if flight is None:
            flight = asyncio.ensure_future(self._ask_in_first_format(asked, keys))
            self._begin_flight(question, flight)
        return await asyncio.shield(flight)

    async def complete_samples(
        self,
        prompt: str,
        messages: list[dict[str, Any]],
        samples: Sequence[int],
        *,
        schema: str | None = None,
        sampling: Sampling = AS_THE_RUN,
    ) -> list[Call | ScholartoolsError]:
        """Several samples of one question, each as :meth:`complete` gives it, or why that one is missing.

        What is in no cache and not on its way is asked for in one call, where the provider gives several replies to
        one (and the run has no seed); each sample is kept under its own key, as if it had been asked for alone.

        Raises:
            ModelFault: the run must end.
        """
        asked = [_Question(prompt, messages, sample, schema, sampling) for sample in samples]
        kept = [(await self._find_cached(question))[0] for question in asked]
        missing = [question for question, hit in zip(asked, kept) if hit is None]
        if self._takes_n and not self.settings.replay and len(missing) > 1:
            self._begin_together(missing)
        alone = (
            self.complete(prompt, messages, sample=question.sample, schema=schema, sampling=sampling)
            for question in missing
        )
        found = await asyncio.gather(*alone, return_exceptions=True)
        for outcome in found:
            if isinstance(outcome, BaseException) and (
                isinstance(outcome, ModelFault) or not isinstance(outcome, ScholartoolsError)
            ):
                raise outcome
        answers = iter(found)
        return [next(answers) if hit is None else hit for hit in kept]  # type: ignore[misc]

    async def _find_cached(self, asked: _Question) -> tuple[Call | None, list[bytes]]:
        """The kept reply to a question, and its keys in the formats that were looked up."""
        keys = []
        for name in self._format.formats_of_cache(asked.schema):
            keys.append(self._key_of(asked, name))
            if (hit := await self._look_up(keys[-1], name)) is not None:
                return hit, keys
        return None, keys

    def _begin_together(self, asked: Sequence[_Question]) -> None:
        """Put in flight, as one call, what is not on its way of these questions; a dry run counts that call."""
        named = [
            (self._key_of(question, self._format.formats_of_cache(question.schema)[-1]), question) for question in asked
        ]
        unasked = [(name, one) for name, one in named if name not in self._flights and name not in self._forecast]
        if len(unasked) < 2:
            return
        if self.settings.dry_run:
            self._forecast |= {name for name, _ in unasked}
            self._add_estimate(asked[0].prompt, self._request_of(unasked[0][1], len(unasked)))
            return
        together = asyncio.ensure_future(self._ask_together([question for _, question in unasked]))
        for place, (name, _) in enumerate(unasked):
            self._begin_flight(name, asyncio.ensure_future(_outcome_at(together, place)))

    def is_of_earlier_run(self, call: Call) -> bool:
        """Whether a reply was in the cache before this run, and could be asked for anew."""
        may_ask = self._store is not None and not self.settings.replay and not self._store.readonly
        return may_ask and not self.is_of_this_run(call)

    def is_of_this_run(self, call: Call) -> bool:
        """Whether a reply came in this run."""
        return bytes.fromhex(call.key) in self._of_this_run

    def withdraw(self, call: Call) -> None:
        """Take the reply of an earlier run for none: the question is asked anew, and the new reply takes its place."""
        self._withdrawn.add(bytes.fromhex(call.key))
        self.counts.cached -= 1

    def _is_replaced(self, key: bytes) -> bool:
        """Whether a reply of this run takes the place of an earlier one."""
        return self.settings.refresh or key in self._withdrawn

    def _is_out_of_date(self, key: bytes) -> bool:
        """Whether a kept reply is not served: it is to be replaced, and has not been yet."""
        return self._is_replaced(key) and key not in self._of_this_run

    def _begin_flight(self, name: bytes, flight: asyncio.Future[Call]) -> None:
        self._flights[name] = flight
        flight.add_done_callback(lambda _: self._flights.pop(name, None))

    def forecast(self) -> dict[str, Any]:
        """What a dry run found: calls in the cache and not; tokens and USD of those that would be sent, each once.

        ``estimate`` is of the prompts alone, at 4 bytes a token: how long replies will be is not known. ``bound`` is
        what these calls cannot exceed, whatever the tokenizer: a token for each byte sent, and replies of
        ``max_tokens`` (else the model's longest); it is what ``max_cost`` sets aside. A call that fails or must be
        asked again is sent more than once, and what a model would be asked after its first reply is not known.
        """
        counts, price = self.counts, self._price
        return {
            "dry_run": {
                "model": self.settings.model,
                "cached": counts.cached,
                "to_send": counts.to_send,
                "estimate": {
                    "prompt_tokens": counts.prompt_tokens,
                    "prompt_usd": round(counts.prompts_cost, 6) if price else None,
                },
                "bound": {
                    "prompt_tokens": counts.bound_prompt_tokens if self._bounded else None,
                    "reply_tokens": counts.bound_reply_tokens if self._bounded else None,
                    "usd": math.ceil(counts.bound_cost * 1e6) / 1e6 if price and self._bounded else None,
                },
            }
        }

    def forecast_stages(self, stage: str) -> list[dict[str, Any]]:
        """What a dry run found of the questions asked under :data:`STAGE`, prompt by prompt, as far as they are open.

        ``replies`` are the samples that ``calls`` would bring.
        """
        return [
            {
                "prompt": prompt,
                "calls": counts.to_send,
                "replies": counts.answered,
                "prompt_tokens": counts.prompt_tokens,
                "prompt_usd": round(counts.prompts_cost, 6) if self._price else None,
            }
            for (of, prompt), counts in self._stages.items()
            if of == stage
        ]

    def warn_once(self, message: str) -> None:
        """Tell what a person should know of the run, the first time."""
        if message not in self._warned:
            self._warned.add(message)
            self._warn(message)

    def close_soon(self) -> None:
        """Let :meth:`close` wait a few seconds at most: a person, or the system, wants the run to end."""
        self._patience = _CLOSE_SECONDS
        if self._store is not None:
            self._store.close_soon()
            if self._store.is_locked:  # what comes home cannot be kept
                self._patience = CLOSE_SECONDS

    async def close(self) -> None:
        """Send no more, wait for what is on its way (it is paid for), then close connections and cache."""
        self._stopped = self._stopped or ModelFault("the run has ended", kind="ended")
        if self._sending:
            await asyncio.wait(self._sending, timeout=self._patience)
        for sending in self._sending:
            sending.cancel()
        if self._store is not None:
            await self._store.close()
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        if self._provider is not None:
            await self._provider.close()

    @property
    def unsaved(self) -> int:
        """Replies that were paid for and are not in the cache; final once :meth:`close` has returned."""
        return 0 if self._store is None else self._store.unsaved

    def _key_of(self, asked: _Question, name: str) -> bytes:
        """The key of a question in a format."""
        return self._keyer(asked.sample, asked.schema, name, asked.sampling)(asked.messages)

    def _request_of(self, asked: _Question, count: int = 1) -> dict[str, Any]:
        """The request for a question in the format that is asked in now, for so many samples."""
        name = self._format.format_of_request(asked.schema)
        request = self._build_request(asked.messages, asked.sample, asked.schema, name, asked.sampling)
        return request if count == 1 else {**request, "parameters": {**request["parameters"], "n": count}}

    def _build_request(
        self, messages: list[dict[str, Any]], sample: int, schema: str | None, name: str, sampling: Sampling
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.settings.model,
            "messages": messages,
            "parameters": self.settings.parameters(sample, sampling),
            "sample": sample,
            "namespace": self.settings.namespace,
        }
        if (response_format := describe_format(name, schema)) is not None:
            request["response_format"] = response_format
        return request

    async def _look_up(self, key: bytes, name: str) -> Call | None:
        if self._store is None or self._is_out_of_date(key) or (reply := await self._store.get(key)) is None:
            return None
        self.counts.cached += 1
        self.counts.other_endpoint += reply.endpoint != self._endpoint and not self.settings.replay
        return Call(CallKey(key, name, reply), reply)

    async def _fail_as_before(self, keys: list[bytes]) -> None:
        """Raise what a run raised whose last reply to a question, in any format, could not be used."""
        if self._store is None:
            return
        found = [(reply, key) for key in keys if (reply := await self._store.last_unusable(key)) is not None]
        if found:
            reply, key = max(found, key=lambda entry: entry[0].time)
            self.counts.failed += 1
            raise self._with_advice(_unusable_reply_fault(reply), key)

    def _with_advice(self, fault: ScholartoolsError, key: bytes) -> ScholartoolsError:
        """The fault with the call it is about, and what may be done about it."""
        details = {**fault.details, "calls": [key.hex()]}
        if fault.kind != OVERFLOW:
            return ScholartoolsError(fault.reason, kind=fault.kind, details=details)
        shorter = self.settings.shortened_by
        advice = f"lower {parameter(shorter)}" if shorter else f"shorten the text, or lower {parameter('max_tokens')}"
        reason = f"{fault.reason}; {advice}, or take a model with a longer context"
        return ScholartoolsError(reason, kind=fault.kind, details=details)

    def _add_estimate(self, prompt: str, request: dict[str, Any]) -> None:
        usual = budget.estimate_prompt(request["messages"])
        of_stage = self._stages.setdefault((STAGE.get(), prompt), Counts())
        of_stage.answered += request["parameters"].get("n", 1)
        for counts in (self.counts, of_stage):
            counts.to_send += 1
            counts.prompt_tokens += usual
            if self._price is not None:
                counts.prompts_cost += self._price.of(usual, 0)
        if (bound := self._bound_tokens(request)) is None:
            self._bounded = False
            return
        self.counts.bound_prompt_tokens += bound.prompt
        self.counts.bound_reply_tokens += bound.reply
        if self._price is not None:
            self.counts.bound_cost += self._price.maximum_cost(bound)

    def _bound_tokens(self, request: dict[str, Any]) -> budget.Bound | None:
        """Tokens that a call does not exceed; None where nothing bounds them."""
        prompt = budget.most_prompt_tokens(request, self._price.window if self._price else None)
        reply = self.settings.max_tokens or (self._price.longest if self._price else None)
        if prompt is None or reply is None:
            return None
        replies = request["parameters"].get("n", 1)
        return budget.Bound(prompt + self._beyond.prompt, replies * (reply + self._beyond.reply))

    async def _ask_in_first_format(self, question: _Question, keys: list[bytes]) -> Call:
        """The reply, in the first format that the server takes."""
        while True:
            name = self._format.format_of_request(question.schema)
            key = self._key_of(question, name)
            try:
                [reply] = await self._answer_or_record(_Sending(question.prompt, key, self._request_of(question)))
            except FormatRefused as refusal:
                self._step_down(name, refusal.reason)
                continue
            await self._forget_others(keys, key)
            return Call(CallKey(key, name, reply), reply)

    async def _forget_others(self, keys: Sequence[bytes], key: bytes) -> None:
        """Of a question that was asked afresh keep no reply in another format."""
        if self._store is not None and any(self._is_replaced(other) for other in keys):
            for other in set(keys) - {key}:
                await self._store.forget(other)

    async def _ask_together(self, questions: list[_Question]) -> list[Call | ScholartoolsError]:
        """The samples of one question by one call; what that does not give is asked for one by one."""
        name = self._format.format_of_request(questions[0].schema)
        parts = [(self._key_of(question, name), self._request_of(question)) for question in questions]
        request = self._request_of(questions[0], len(questions))
        replies: list[Reply] = []
        try:
            if self._takes_n:
                replies = await self._answer_or_record(_Sending(questions[0].prompt, parts[0][0], request, parts))
        except FormatRefused as refusal:
            self._step_down(name, refusal.reason)
            return await self._ask_together(questions)
        except ScholartoolsError as fault:
            if isinstance(fault, ModelFault) and not _names_n(fault):
                raise
            replies = await self._ask_first_alone(questions[0], parts[0][0], name, fault)
            if not replies and not _names_n(fault):
                return [await self._record_fault(questions[0].prompt, key, one, fault) for key, one in parts]
            self._stop_taking_n(fault.reason)
        if self._takes_n and len(replies) < len(questions):
            self._stop_taking_n("it gives fewer replies than a call asks for")
        given = [*replies, *[None] * (len(questions) - len(replies))]
        return await asyncio.gather(
            *(self._use_sample(one, key, name, reply) for one, (key, _), reply in zip(questions, parts, given))
        )

    async def _use_sample(
        self, question: _Question, key: bytes, name: str, reply: Reply | None
    ) -> Call | ScholartoolsError:
        """One sample of a call for several; where its reply cannot be used, it is asked for alone."""
        keys = [self._key_of(question, name) for name in self._format.formats_of_cache(question.schema)]
        if reply is not None and reply.is_usable:
            await self._forget_others(keys, key)
            return Call(CallKey(key, name, reply), reply)
        try:
            return await self._ask_in_first_format(question, keys)
        except ModelFault:
            raise
        except ScholartoolsError as fault:
            return fault

    async def _ask_first_alone(
        self, question: _Question, key: bytes, name: str, fault: ScholartoolsError
    ) -> list[Reply]:
        """The reply to a question that was refused among several: where there is one, several were the reason."""
        if fault.kind not in ("refused", "parameter"):
            return []
        outcome = await self._use_sample(question, key, name, None)
        return [outcome.reply] if isinstance(outcome, Call) else []

    def _stop_taking_n(self, reason: str) -> None:
        """Ask for samples one by one from now on."""
        if self._takes_n:
            self._takes_n = False
            self._warn(f"the provider does not give several samples by one call ({reason}): one call each from now on")

    async def _answer_or_record(self, sending: _Sending) -> list[Reply]:
        """The replies to a call; where there is none, the reason is kept, so that a replay gives the same fault."""
        try:
            if self._store is not None:
                await self._store.need_writing()
            return await self._send_with_retries(sending)
        except FormatRefused:
            raise
        except ModelFault as fault:
            if not (sending.parts and _names_n(fault)):
                self._stopped = self._stopped or fault
            if self._outage.has(sending.key):
                await self._keep_fault(sending.prompt, sending.key, sending.request, _PROVIDER, fault.reason)
            raise
        except ScholartoolsError as fault:
            if sending.parts:  # each sample has its own key
                raise
            raise await self._record_fault(sending.prompt, sending.key, sending.request, fault) from None

    async def _record_fault(
        self, prompt: str, key: bytes, request: dict[str, Any], fault: ScholartoolsError
    ) -> ScholartoolsError:
        """Keep why a question has no reply; the fault that names its call."""
        self.counts.failed += 1
        if fault.kind != UNUSABLE:
            await self._keep_fault(prompt, key, request, fault.kind, fault.reason)
        return self._with_advice(fault, key)

    async def _keep_fault(self, prompt: str, key: bytes, request: dict[str, Any], kind: str, reason: str) -> None:
        if self._store is not None:
            await self._store.put(key, request, failed_reply(kind, reason), prompt, replace=True)

    async def _has_failed_before(self, key: bytes) -> bool:
        """Whether the server could not answer a question in an earlier run either: then it says nothing of an outage.

        Else texts that a server cannot take, where several stand together, would end every run at the same place.
        """
        kept = None if self._store is None else await self._store.last_unusable(key)
        fault = None if kept is None else fault_of(kept)
        return fault is not None and fault[0] == _PROVIDER

    def _step_down(self, refused: str, reason: str) -> None:
        """Go on in the next format; calls in flight that are refused too find that done.

        Raises:
            ModelFault: the format was chosen by the user.
        """
        if self.settings.response_format != AUTO:
            named = parameter("response_format", refused)
            told = f"{named}: the server does not take it: {reason}; use auto, or another format"
            self._stopped = self._stopped or ModelFault(told, kind="response-format")
            raise self._stopped
        if (taken := self._format.step_down(refused)) is not None:
            self._warn(
                f"the server does not take {parameter('response_format', refused)} ({reason}): {taken} from now on"
            )

    async def _send_with_retries(self, sending: _Sending) -> list[Reply]:
        """Send until a reply is usable, or the reasons to send again run out; of several, whatever they are."""
        failures = unusable = 0
        while True:
            try:
                replies = await self._send_once(sending, again=failures + unusable > 0)
            except Transient as error:
                failures += 1
                if error.limited:
                    self._outage.end()
                    self._tell_long_pause(error)
                elif error.unreachable or not await self._has_failed_before(sending.key):
                    self._outage.add(sending.key)
                self._give_up(sending.key, error, failures)
                if not error.limited:
                    await self._pause(max(self._retry_pause(failures), error.pause or 0.0))
                continue
            except ScholartoolsError:
                self._outage.end()
                raise
            self._outage.end()
            if sending.parts or replies[0].is_usable:
                return replies
            unusable += 1
            if unusable > UNUSABLE_RETRIES:
                raise _unusable_reply_fault(replies[0])

    def _tell_long_pause(self, error: Transient) -> None:
        if error.pause is not None and error.pause > _LONG_PAUSE and "pause" not in self._warned:
            self._warned.add("pause")
            self._warn(f"the provider asks for a pause ({error.reason}): no call is sent for {error.pause:.0f} s")

    async def _pause(self, seconds: float) -> None:
        """Pause before a call is sent again."""
        record = RECORD.get()
        self._pausing.append(record)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._pausing.remove(record)

    def _may_begin(self, record: int, again: bool, begun: int) -> bool:
        """Whether a call may be sent while others, which have failed, pause.

        Not a new one where nothing comes back at all; nor one for which ``max_calls`` leaves no call once those of
        earlier records have been sent again.
        """
        if not self._pausing:
            return True
        if self._outage.is_suspected and not again:
            return False
        left = float("inf") if self.settings.max_calls is None else self.settings.max_calls - begun
        return left > sum(earlier < record for earlier in self._pausing)

    async def _send_once(self, sending: _Sending, *, again: bool) -> list[Reply]:
        """One call: a place, money, the provider, the cache."""
        entered = await self._throttle.enter(RECORD.get(), again=again)
        try:
            task = asyncio.ensure_future(self._send_and_store(sending, entered))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
            return await asyncio.shield(task)
        finally:
            self._throttle.leave()

    async def _send_and_store(self, sending: _Sending, entered: float) -> list[Reply]:
        """The replies, in the cache before they are used; where another run has put one there meanwhile, that one."""
        prompt, key, request, parts = sending
        try:
            reply = await self._send_with_budget(request, entered)
        except Transient as error:
            if error.reply is not None and self._store is not None and not parts:
                await self._store.put(key, request, error.reply, prompt, replace=True)
            raise
        replies = split_reply(reply, len(parts)) if parts else [reply]
        kept = (self._keep_reply(prompt, part, one) for part, one in zip(parts or [(key, request)], replies))
        return await asyncio.gather(*kept)

    async def _keep_reply(self, prompt: str, part: tuple[bytes, dict[str, Any]], reply: Reply) -> Reply:
        key, request = part
        if self._store is not None:
            reply = await self._store.put(key, request, reply, prompt, replace=self._is_replaced(key))
        self._of_this_run.add(key)
        return reply

    async def _send_with_budget(self, request: dict[str, Any], entered: float) -> Reply:
        """Send one call with money set aside for it; where its true cost is not known, all of that counts as spent."""
        if self._format.is_stale(request):  # refused while this one waited for its place
            raise FormatRefused("not sent")
        if "n" in request["parameters"] and not self._takes_n:  # likewise
            raise ScholartoolsError("not sent: several are refused", kind="refused")
        bound, reserved = await self._reserve_cost(request)
        cost = reserved
        try:
            self.counts.sent += 1
            reply = await self._connect_once().send(request, self.settings.timeout)
            cost = reserved if reply.cost is None else reply.cost
            self._learn_usage(reply, bound)
        except Transient as error:
            cost = reserved if error.billed else 0.0
            if error.limited:
                self._throttle.slow_down(entered, error.pause)
            raise
        except ScholartoolsError:
            cost = 0.0
            raise
        finally:
            self._budget.settle(reserved, cost)
        self._throttle.recover()
        self._record_usage(reply)
        return reply

    async def _reserve_cost(self, request: dict[str, Any]) -> tuple[budget.Bound | None, float]:
        """Set money aside; while calls in flight may still turn out cheaper than what is set aside for them, wait.

        Returns the tokens of the call at most, where there is a limit in USD, and their cost.
        """
        bound, most = None, 0.0
        if self.settings.max_cost is not None and self._price is not None:
            bound = self._bound_tokens(request)
            if bound is None:
                unknown = f"{self.settings.model} has no known limit for images"
                reason = f"{parameter('max_cost')}: {unknown}; use {parameter('max_calls')}"
                raise ModelFault(reason, kind="budget")
            most = self._price.maximum_cost(bound)
        while self._stopped is None and self._budget.may_free(most):
            await asyncio.sleep(_SETTLING)
        if self._stopped is not None:
            raise self._stopped
        return bound, self._budget.reserve(most)

    def _learn_usage(self, reply: Reply, bound: budget.Bound | None) -> None:
        """Set more aside from now on, where a provider counts more than can have been sent or received."""
        if bound is None:
            return
        prompt = max((reply.prompt_tokens or 0) - bound.prompt, 0)
        more = max((reply.completion_tokens or 0) - bound.reply, 0)
        if prompt or more:
            self._beyond = budget.Bound(self._beyond.prompt + prompt, self._beyond.reply + more)
            self.warn_once(
                "the provider bills more tokens than were sent and allowed: "
                f"{parameter('max_cost')} may be passed by that"
            )

    def _connect_once(self) -> Provider:
        if self._provider is None:
            self._provider = self._connect(self.settings.model, self.settings.concurrency)
        return self._provider

    def _record_usage(self, reply: Reply) -> None:
        self.counts.answered += 1
        self.counts.prompt_tokens += reply.prompt_tokens or 0
        self.counts.completion_tokens += reply.completion_tokens or 0
        if reply.cost is None:
            self.counts.unpriced += 1
        else:
            self.counts.cost += reply.cost
        if reply.defect is not None and "usage" in reply.defect:
            self.counts.odd_usage += 1
            self.warn_once(
                "the provider tells a usage that cannot be right: such calls count as the most they may cost"
            )

    def _give_up(self, key: bytes, error: Transient, failures: int) -> None:
        """Raise what ends the question, or the run, when it has been sent often enough."""
        if self._stopped is not None:
            raise self._stopped
        if error.unreachable and failures > min(self.settings.retries, 2) and not self.counts.answered:
            self._stopped = ModelFault(f"cannot reach the model: {error.reason}", kind="unreachable")
            raise self._stopped
        patient = error.limited and self.settings.retries > 0
        allowed = max(self.settings.retries, LIMITED_RETRIES) if patient else self.settings.retries
        if failures <= allowed:
            return
        if self._outage.is_lasting(key, failures, unreachable=error.unreachable):
            reason = f"no reply to the last {self._outage.failures} calls ({error.reason})"
            going_on = "what was answered is in the cache: run again to go on"
            raise ModelFault(f"{reason}; {going_on}", kind="unreachable")
        raise ScholartoolsError(f"no reply after {failures} calls: {error.reason}", kind=_PROVIDER)

    def _retry_pause(self, failures: int) -> float:
        """Seconds before the next try: doubled each time, with jitter so that calls do not come back in step."""
        return min(_FIRST_PAUSE * 2 ** (failures - 1), _LONGEST_PAUSE) * self._random.uniform(0.5, 1.0)


async def _outcome_at(together: asyncio.Future[list[Call | ScholartoolsError]], place: int) -> Call:
    """One of the outcomes of a call for several samples.

    Raises:
        ScholartoolsError: that sample is missing.
    """
    outcome = (await asyncio.shield(together))[place]
    if isinstance(outcome, ScholartoolsError):
        raise outcome
    return outcome


def _names_n(fault: ScholartoolsError) -> bool:
    """Whether a call was refused for asking for several samples, as far as its reason says so."""
    return fault.kind in ("refused", "parameter") and bool(_OF_SEVERAL.search(fault.reason))


def _check_price(settings: Settings) -> None:
    if settings.max_cost is None or settings.replay:
        return
    price = budget.price_of(settings.model)
    if price is None:
        unknown = f"the price of {settings.model} is not known"
        reason = f"{parameter('max_cost')}: {unknown}; use {parameter('max_calls')}, or leave it out"
        raise ModelFault(reason, kind="budget")
    if price.longest is None and settings.max_tokens is None:
        unknown = f"the longest reply of {settings.model} is not known"
        reason = f"{parameter('max_cost')}: {unknown}; set {parameter('max_tokens')}"
        raise ModelFault(reason, kind="budget")


def _unusable_reply_fault(reply: Reply) -> ScholartoolsError:
    """The fault of a question whose last reply, or the want of one, is this."""
    if (fault := fault_of(reply)) is not None:
        kind, reason = fault
        return ScholartoolsError(reason, kind=kind)
    return ScholartoolsError(_why_unusable(reply), kind=UNUSABLE, details={"reply": reply.text})


def _why_unusable(reply: Reply) -> str:
    if reply.finish == UNREADABLE:
        return f"the provider's answer cannot be read: {reply.defect}"
    if reply.finish.lower() in ("length", "max_tokens", "model_length"):
        return f"the reply was cut off at its length limit: raise {parameter('max_tokens')}"
    if reply.refusal:
        return f"the model refused: {reply.refusal}"
    if reply.finish == "content_filter":
        return "the provider's filter held the reply back"
    if reply.text.strip() or reply.finish.lower() not in ("stop", "end_turn"):
        return f"the provider ended the reply early: {reply.finish}"
    return "the reply was empty"
