"""Answer each question once: from the cache, a call in flight, or a new call; dry runs and replays send no calls.

A reply is stored before it is used. Everything here runs in one event loop.
"""

from __future__ import annotations

import asyncio
import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from scholartools.cache import Cache, Reply, make_key_function
from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.llm.calls import (
    PROVIDER,
    UNUSABLE,
    Call,
    CallKey,
    ClaimLost,
    Question,
    Sending,
    unusable_reply_fault,
)
from scholartools.llm.client import connect
from scholartools.llm.endpoint import DEFAULT, Endpoint, endpoint_of_kept, endpoint_of_run, is_local
from scholartools.llm.faults import OVERFLOW, FormatRefused
from scholartools.llm.kept_replies import KeptReplies
from scholartools.llm.outage import OUTAGE
from scholartools.llm.parking import Parked, mark_parked
from scholartools.llm.response_format import ResponseFormat, describe_format
from scholartools.llm.sampling import AS_THE_RUN, Sampling
from scholartools.llm.sender import Provider, Sender
from scholartools.llm.settings import Settings
from scholartools.llm.usage import budget
from scholartools.llm.usage.counts import Counts
from scholartools.llm.usage.forecast import Forecast, WouldSend
from scholartools.llm.usage.spending import Spending
from scholartools.parameters import parameter
from scholartools.vocabulary import AUTO

# Error messages of providers that do not return several replies to one call.
_OF_SEVERAL = re.compile(r"\bn\b|multiple|several|number of (choices|completions|generations)", re.I)
# First and longest interval in seconds between lookups of a question that another process has claimed.
_FIRST_LOOK, _LONGEST_LOOK = 0.2, 2.0


class Engine:
    """The interface to the model of a run."""

    def __init__(
        self, settings: Settings, cache: Cache | None, *, connect: Callable[[Settings], Provider] = connect,
        warn: Callable[[str], None] = lambda message: None, begun: float | None = None,
    ) -> None:  # fmt: skip
        """No call is sent yet.

        Args:
            begun: start of the run, by the clock of the cache, if an earlier invocation began it.
            warn: receives warnings for the user.

        Raises:
            ModelFault: a limit in USD for a model with unknown price or unknown maximum length of a reply.
        """
        self.settings = settings
        self.counts = Counts()
        self._warn = warn
        self._warned: set[str] = set()
        self._format = ResponseFormat(settings.response_format, settings.model)
        # With a seed, each sample needs a call of its own with another seed.
        self._takes_n = settings.several_per_call and settings.seed is None
        self._endpoint = endpoint_of_run(settings.model, settings.endpoint_name)
        self._takes_any = settings.any_endpoint or settings.replay
        # Limits of batches apply to all invocations of a run together; the sender of the batches enforces them.
        limits = settings if settings.batch is None else replace(settings, max_cost=None, max_calls=None)
        spending = Spending(limits, self.counts, self.warn_once)
        self._forecast = Forecast(self.counts, spending)
        self._kept = KeptReplies(settings, cache, self._endpoint, begun)
        if settings.budget is not None and not (settings.dry_run or settings.replay):
            spending.share(self._kept.share_budget(settings, spending.books))
        self._sender = Sender(
            settings, self._kept, spending, self.counts, connect=connect, check=self._check_current, warn=warn
        )
        self._flights: dict[bytes, asyncio.Future[Call]] = {}
        self._held: set[bytes] = set()  # claimed keys of samples that are requested in one call
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
            schema: JSON schema of the reply.
            sampling: parameters of the prompt.

        Raises:
            ModelFault: the run must end (budget, key, unreachable server, replay miss).
            ScholartoolsError: this question has no usable reply.
        """
        asked = Question(prompt, messages, sample, schema, sampling)
        hit, keys = await self._find_cached(asked)
        if hit is not None:
            return hit
        if self.settings.replay:
            await self._fail_as_before(keys)
            option = parameter("replay", True)
            told = f'{option}: no reply in the cache to prompt "{prompt}": run without {option}'
            raise ModelFault(told, kind="replay-miss")
        question = keys[-1]  # identifies the question, whatever the format of its request
        if self.settings.dry_run:
            if question not in self._forecast:
                self._forecast.add({question}, prompt, self._request_of(asked))
            raise WouldSend(f"not sent: {parameter('dry_run', True)}")
        flight = self._flights.get(question)
        if flight is None:
            flight = asyncio.ensure_future(self._ask_in_first_format(asked, keys))
            self._begin_flight(question, flight)
        try:
            return await asyncio.shield(flight)
        except Parked:
            mark_parked()
            raise

    async def complete_samples(
        self,
        prompt: str,
        messages: list[dict[str, Any]],
        samples: Sequence[int],
        *,
        schema: str | None = None,
        sampling: Sampling = AS_THE_RUN,
    ) -> list[Call | ScholartoolsError]:
        """Several samples of one question, each as from :meth:`complete`, or the fault if it is missing.

        Samples that are neither cached nor in flight are requested in one call if the provider supports this and the
        run has no seed. Each sample is cached under its own key, as if it had been requested alone.

        Raises:
            ModelFault: the run must end.
        """
        asked = [Question(prompt, messages, sample, schema, sampling) for sample in samples]
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

    async def _find_cached(self, asked: Question) -> tuple[Call | None, list[bytes]]:
        """The cached reply to a question or None, and its keys in the formats that were looked up."""
        keys = []
        for name in self._format.formats_of_cache(asked.schema):
            keys.append(key := self._key_of(asked, name))
            if (reply := await self._kept.find(key)) is not None:
                self._note_endpoint(reply)
                self.counts.cached += 1
                if self.settings.dry_run:
                    self._forecast.learn(asked.prompt, reply.completion_tokens)
                return Call(CallKey(key, name, reply), reply), keys
        return None, keys

    def _begin_together(self, asked: Sequence[Question]) -> None:
        """Start one call for those questions that are not in flight, if there are two; a dry run only counts it."""
        named = [
            (self._key_of(question, self._format.formats_of_cache(question.schema)[-1]), question) for question in asked
        ]
        unasked = [(name, one) for name, one in named if name not in self._flights and name not in self._forecast]
        if len(unasked) < 2:
            return
        if self.settings.dry_run:
            request = self._request_of(unasked[0][1], len(unasked))
            self._forecast.add({name for name, _ in unasked}, asked[0].prompt, request)
            return
        together = asyncio.ensure_future(self._ask_together([question for _, question in unasked]))
        for place, (name, _) in enumerate(unasked):
            self._begin_flight(name, asyncio.ensure_future(_outcome_at(together, place)))

    def is_of_earlier_run(self, call: Call) -> bool:
        """Whether a reply was cached before this run and may be requested again."""
        return self._kept.is_of_earlier_run(bytes.fromhex(call.key))

    def is_of_this_run(self, call: Call) -> bool:
        """Whether a reply was received in this run."""
        return self._kept.is_of_this_run(bytes.fromhex(call.key))

    def is_replaced(self, key: bytes) -> bool:
        """Whether an earlier reply under a key is to be replaced by a new one."""
        return self._kept.is_replaced(key)

    def withdraw(self, call: Call) -> None:
        """Ignore the reply of an earlier run: the question is asked again, and the new reply replaces it."""
        self._kept.withdraw(bytes.fromhex(call.key))
        self.counts.cached -= 1

    def _begin_flight(self, name: bytes, flight: asyncio.Future[Call]) -> None:
        self._flights[name] = flight
        flight.add_done_callback(lambda _: self._flights.pop(name, None))

    def forecast(self) -> dict[str, Any]:
        """Result of a dry run: numbers of cached calls and of calls to send; tokens and USD of the latter.

        ``estimate`` covers only the prompts, at 4 bytes per token: the lengths of the replies are unknown. ``bound`` is
        an upper bound for any tokenizer: one token per byte sent, and replies of ``max_tokens`` (else the model's
        maximum); ``max_cost`` reserves the same amount. Each call counts once: retries, and corrections of unusable
        replies, are not included.
        """
        return self._forecast.describe(self.settings.model)

    def forecast_sums(self) -> str:
        """Result of a dry run as one line of text.

        Raises:
            ModelFault: there are calls to send, but the price of the model is unknown: its name may be misspelt.
        """
        model = self.settings.model
        if self.counts.to_send and budget.price_of(model) is None and not is_local(model):
            near = budget.near_names(model)
            meant = f"did you mean {' or '.join(near)}?" if near else "its name may be misspelt"
            told = f"the price of {model} is not known, so the cost cannot be estimated: {meant}"
            raise ModelFault(told, kind="price")
        return self._forecast.sums()

    def forecast_stages(self, stage: str) -> list[dict[str, Any]]:
        """Result of a dry run by prompt, for the questions of a stage (:data:`STAGE`) that would be sent.

        ``replies``: number of samples that ``calls`` would return.
        """
        return self._forecast.describe_stage(stage)

    def warn_once(self, message: str) -> None:
        """Warn the user, unless the same warning has been given before."""
        if message not in self._warned:
            self._warned.add(message)
            self._warn(message)

    def stop(self) -> None:
        """Send no further calls: new ones fail, and those in flight are completed. Any thread may call this."""
        self._sender.stop(ModelFault("the run has ended", kind="ended"))

    def close_soon(self) -> None:
        """Limit the wait of :meth:`close` to a few seconds, after an interrupt by the user or the system."""
        self._kept.close_soon()
        self._sender.close_soon()

    async def close(self) -> None:
        """Send no further calls, wait for those in flight (they are paid for), then close cache and connections."""
        await self._sender.finish()
        await self._kept.close()
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await self._sender.disconnect()

    @property
    def n_unsaved(self) -> int:
        """Number of replies that were paid for but are not in the cache; final after :meth:`close`."""
        return self._kept.n_unsaved

    def _key_of(self, asked: Question, name: str) -> bytes:
        """The cache key of a question in a response format."""
        return self._keyer(asked.sample, asked.schema, name, asked.sampling)(asked.messages)

    def _request_of(self, asked: Question, count: int = 1) -> dict[str, Any]:
        """The request for a question in the current response format, for ``count`` samples."""
        name = self._format.format_of_request(asked.schema)
        request = self._build_request(asked.messages, asked.sample, asked.schema, name, asked.sampling)
        return _for_samples(request, count)

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

    def _note_endpoint(self, reply: Reply) -> None:
        """Count the endpoint of a reply that is used.

        Raises:
            ModelFault: the reply is from another endpoint than that of the run, and the settings do not allow this.
        """
        counted, origin = self.counts.endpoints, reply.origin
        counted[origin] = counted.get(origin, 0) + 1
        now = self._endpoint
        if self._takes_any or (reply.endpoint == now.address and reply.endpoint_name == now.name):
            return
        kept = endpoint_of_kept(self.settings.model, reply.endpoint, reply.endpoint_name)
        is_same = kept.is_same(now)
        if is_same is None:
            self.warn_once(
                "some replies in the cache have no address of a server, because an earlier version stored none"
            )
        elif not is_same:
            raise self._sender.stop(ModelFault(_tell_other_endpoint(kept, now), kind="endpoint"))

    async def _fail_as_before(self, keys: list[bytes]) -> None:
        """Raise the fault of the last unusable reply to a question in any format, if there is one."""
        if (found := await self._kept.last_unusable(keys)) is not None:
            self.counts.failed += 1
            raise self._with_advice(unusable_reply_fault(found[0]), found[1])

    def _with_advice(self, fault: ScholartoolsError, key: bytes) -> ScholartoolsError:
        """The fault with the key of its call, and advice if the context is exceeded."""
        details = {**fault.details, "calls": [key.hex()]}
        if fault.kind != OVERFLOW:
            return ScholartoolsError(fault.reason, kind=fault.kind, details=details)
        shorter = self.settings.shortened_by
        advice = f"lower {parameter(shorter)}" if shorter else f"shorten the text, or lower {parameter('max_tokens')}"
        reason = f"{fault.reason}; {advice}, or take a model with a longer context"
        return ScholartoolsError(reason, kind=fault.kind, details=details)

    async def _ask_in_first_format(self, question: Question, keys: list[bytes]) -> Call:
        """The reply, in the first format that the server accepts."""
        while True:
            name = self._format.format_of_request(question.schema)
            key, request = self._key_of(question, name), self._request_of(question)  # both of the same format
            if (reply := await self._claim_or_find(key)) is not None:
                self._note_endpoint(reply)
                return Call(CallKey(key, name, reply), reply)
            try:
                [reply] = await self._answer_or_record(Sending(question.prompt, key, request))
            except FormatRefused as refusal:
                self._step_down(name, refusal.reason)
                continue
            except ClaimLost:
                continue
            finally:
                if key not in self._held:
                    self._kept.release([key])
            await self._kept.forget_others(keys, key)
            return Call(CallKey(key, name, reply), reply)

    async def _claim_or_find(self, key: bytes) -> Reply | None:
        """None if this process has claimed the question; else wait for the reply that another process receives.

        Raises:
            ModelFault: the run has ended in the meantime.
        """
        pause = _FIRST_LOOK
        while key not in self._held:
            with self._sender.expecting():
                if await self._kept.claim([key]):
                    return None
            if (reply := await self._kept.find_elsewhere(key)) is not None:
                self.counts.elsewhere += 1
                return reply
            await self._sender.wait(pause)
            pause = min(_LONGEST_LOOK, 1.5 * pause)
        return None

    async def _ask_together(self, questions: list[Question]) -> list[Call | ScholartoolsError]:
        """Request samples of one question by one call, and those that it does not return one by one."""
        name = self._format.format_of_request(questions[0].schema)
        parts = [(self._key_of(question, name), self._request_of(question)) for question in questions]
        claimed = await self._claim_together([key for key, _ in parts]) if self._takes_n else set()
        if len(claimed) < len(parts):  # another process has some of them, or one call cannot have several
            alone = (self._use_sample(one, key, name, None) for one, (key, _) in zip(questions, parts))
            return await asyncio.gather(*alone)
        self._held |= claimed
        try:
            return await self._ask_claimed(questions, name, parts)
        except FormatRefused as refusal:
            reason = refusal.reason
        except ClaimLost:
            return await self._ask_together(questions)
        finally:
            self._held -= claimed
            self._kept.release(claimed)
        self._step_down(name, reason)
        return await self._ask_together(questions)

    async def _claim_together(self, keys: Sequence[bytes]) -> set[bytes]:
        """Claim all of the questions or none.

        With batch files, wait for claims of another run, which it releases as soon as its requests are written.
        """
        while len(claimed := await self._kept.claim(keys)) < len(keys):
            self._kept.release(claimed)
            if self.settings.batch_folder is None or any([await self._kept.find(key) for key in keys]):
                return set()
            await self._sender.wait(_FIRST_LOOK)
        return claimed

    async def _ask_claimed(
        self, questions: list[Question], name: str, parts: list[tuple[bytes, dict[str, Any]]]
    ) -> list[Call | ScholartoolsError]:
        """Request samples of one question in one format, all of which this process has claimed."""
        request = _for_samples(parts[0][1], len(parts))  # in the format of the parts: the current one may have changed
        replies: list[Reply] = []
        try:
            replies = await self._answer_or_record(Sending(questions[0].prompt, parts[0][0], request, parts))
        except (FormatRefused, ClaimLost):
            raise
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
        self, question: Question, key: bytes, name: str, reply: Reply | None
    ) -> Call | ScholartoolsError:
        """One sample of a call for several; if its reply is missing or unusable, it is requested alone."""
        keys = [self._key_of(question, name) for name in self._format.formats_of_cache(question.schema)]
        if reply is not None and reply.is_usable:
            await self._kept.forget_others(keys, key)
            return Call(CallKey(key, name, reply), reply)
        try:
            return await self._ask_in_first_format(question, keys)
        except ModelFault:
            raise
        except ScholartoolsError as fault:
            return fault

    async def _ask_first_alone(
        self, question: Question, key: bytes, name: str, fault: ScholartoolsError
    ) -> list[Reply]:
        """Request one sample alone after a call for several was refused; a reply means that ``n`` was the cause."""
        if fault.kind not in ("refused", "parameter"):
            return []
        outcome = await self._use_sample(question, key, name, None)
        return [outcome.reply] if isinstance(outcome, Call) else []

    def _stop_taking_n(self, reason: str) -> None:
        """Request samples one by one from now on."""
        if self._takes_n:
            self._takes_n = False
            self._warn(
                f"the provider does not give several samples in one call ({reason}): "
                "each sample is now a call of its own"
            )

    async def _answer_or_record(self, sending: Sending) -> list[Reply]:
        """The replies to a call; if there is none, store the fault, so that a replay raises it again."""
        prompt, key, request, parts = sending
        try:
            replies = await self._sender.send(sending)
            for reply in replies:  # perhaps of a run with another endpoint
                self._note_endpoint(reply)
            return replies
        except (FormatRefused, ClaimLost):
            raise
        except ModelFault as fault:
            if not (parts and _names_n(fault)):
                self._sender.stop(fault)
            if fault.kind == OUTAGE and self._sender.is_part_of_outage(key):
                for own_key, own_request in parts or [(key, request)]:
                    await self._kept.keep_fault(prompt, own_key, own_request, PROVIDER, fault.reason)
            raise
        except ScholartoolsError as fault:
            if parts:  # each sample has its own key
                raise
            raise await self._record_fault(prompt, key, request, fault) from None

    async def _record_fault(
        self, prompt: str, key: bytes, request: dict[str, Any], fault: ScholartoolsError
    ) -> ScholartoolsError:
        """Store the fault of a question without a reply; return it with the key of its call."""
        self.counts.failed += 1
        if fault.kind != UNUSABLE:
            await self._kept.keep_fault(prompt, key, request, fault.kind, fault.reason)
        return self._with_advice(fault, key)

    def _check_current(self, request: dict[str, Any]) -> None:
        """Reject a request if the server has refused its format, or several samples per call, while it waited."""
        if self._format.is_stale(request):
            raise FormatRefused("not sent")
        if "n" in request["parameters"] and not self._takes_n:
            raise ScholartoolsError("not sent, because the server refuses several samples in one call", kind="refused")

    def _step_down(self, refused: str, reason: str) -> None:
        """Switch to the next format, unless the refusal of another call has already done so.

        Raises:
            ModelFault: the user has chosen the format.
        """
        if self.settings.response_format != AUTO:
            named = parameter("response_format", refused)
            told = f"{named}: the server does not support this format: {reason}; use auto, or another format"
            raise self._sender.stop(ModelFault(told, kind="response-format"))
        if (taken := self._format.step_down(refused)) is not None:
            self._warn(
                f"the server does not support {parameter('response_format', refused)} ({reason}): {taken} from now on"
            )


def _for_samples(request: dict[str, Any], count: int) -> dict[str, Any]:
    """The request for ``count`` samples in one call."""
    return request if count == 1 else {**request, "parameters": {**request["parameters"], "n": count}}


async def _outcome_at(together: asyncio.Future[list[Call | ScholartoolsError]], place: int) -> Call:
    """The outcome of one sample of a call for several.

    Raises:
        ScholartoolsError: that sample is missing.
    """
    outcome = (await asyncio.shield(together))[place]
    if isinstance(outcome, ScholartoolsError):
        raise outcome
    return outcome


def _tell_other_endpoint(kept: Endpoint, now: Endpoint) -> str:
    """Message that a cached reply is from another endpoint, with the parameters that resolve this."""
    theirs, ours = ("the provider itself" if one.shown == DEFAULT else one.shown for one in (kept, now))
    return (
        f"the cache has the reply of {theirs} to this question, but {ours} is asked now: "
        f"{parameter('any_endpoint', True)} or {parameter('replay', True)} uses the stored reply, "
        f"{parameter('refresh', True)} replaces it by a new one, {parameter('namespace', 'NAME')} keeps both"
    )


def _names_n(fault: ScholartoolsError) -> bool:
    """Whether the message of a refusal mentions the request for several samples."""
    return fault.kind in ("refused", "parameter") and bool(_OF_SEVERAL.search(fault.reason))
