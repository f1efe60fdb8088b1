"""Asks each question once: from the cache, from a call in flight, or by a call; in a dry run or a replay, by none.

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

# Words of a provider that does not give several replies to one call.
_OF_SEVERAL = re.compile(r"\bn\b|multiple|several|number of (choices|completions|generations)", re.I)
# Seconds between looks at what another process asks: the first time, and at most.
_FIRST_LOOK, _LONGEST_LOOK = 0.2, 2.0


class Engine:
    """The one way to a model."""

    def __init__(
        self, settings: Settings, cache: Cache | None, *, connect: Callable[[Settings], Provider] = connect,
        warn: Callable[[str], None] = lambda message: None, begun: float | None = None,
    ) -> None:  # fmt: skip
        """Ask nothing yet.

        Args:
            begun: when the run began, by the clock of the cache, where it goes on from an earlier start.
            warn: is given what a person should know of the run while it goes on, each thing once.

        Raises:
            ModelFault: a budget in USD for a model whose price, or longest reply, is not known.
        """
        self.settings = settings
        self.counts = Counts()
        self._warn = warn
        self._warned: set[str] = set()
        self._format = ResponseFormat(settings.response_format, settings.model)
        # With a seed samples differ by seed, which is one for a call.
        self._takes_n = settings.several_per_call and settings.seed is None
        self._endpoint = endpoint_of_run(settings.model, settings.endpoint_name)
        self._takes_any = settings.any_endpoint or settings.replay
        # The limits of batches hold over all starts of a run: those who send them know what was spent before.
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
        self._held: set[bytes] = set()  # keys of samples that are asked together
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
        asked = Question(prompt, messages, sample, schema, sampling)
        hit, keys = await self._find_cached(asked)
        if hit is not None:
            return hit
        if self.settings.replay:
            await self._fail_as_before(keys)
            option = parameter("replay", True)
            told = f'{option}: no reply in the cache to prompt "{prompt}": run without {option}'
            raise ModelFault(told, kind="replay-miss")
        question = keys[-1]  # one name in whichever format it is asked
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
        """Several samples of one question, each as :meth:`complete` gives it, or why that one is missing.

        What is in no cache and not on its way is asked for in one call, where the provider gives several replies to
        one (and the run has no seed); each sample is kept under its own key, as if it had been asked for alone.

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
        """The kept reply to a question, and its keys in the formats that were looked up."""
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
        """Put in flight, as one call, what is not on its way of these questions; a dry run counts that call."""
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
        """Whether a reply was in the cache before this run, and could be asked for anew."""
        return self._kept.is_of_earlier_run(bytes.fromhex(call.key))

    def is_of_this_run(self, call: Call) -> bool:
        """Whether a reply came in this run."""
        return self._kept.is_of_this_run(bytes.fromhex(call.key))

    def is_replaced(self, key: bytes) -> bool:
        """Whether the reply that is kept under a key is asked for anew."""
        return self._kept.is_replaced(key)

    def withdraw(self, call: Call) -> None:
        """Take the reply of an earlier run for none: the question is asked anew, and the new reply takes its place."""
        self._kept.withdraw(bytes.fromhex(call.key))
        self.counts.cached -= 1

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
        return self._forecast.describe(self.settings.model)

    def forecast_sums(self) -> str:
        """What a dry run found, in a line for people.

        Raises:
            ModelFault: there are calls to send to a model of which no price is known: its name may be misspelt.
        """
        model = self.settings.model
        if self.counts.to_send and budget.price_of(model) is None and not is_local(model):
            near = budget.near_names(model)
            meant = f"did you mean {' or '.join(near)}?" if near else "its name may be misspelt"
            told = f"the price of {model} is not known, so the cost cannot be estimated: {meant}"
            raise ModelFault(told, kind="price")
        return self._forecast.sums()

    def forecast_stages(self, stage: str) -> list[dict[str, Any]]:
        """What a dry run found of the questions asked under :data:`STAGE`, prompt by prompt, as far as they are open.

        ``replies`` are the samples that ``calls`` would bring.
        """
        return self._forecast.describe_stage(stage)

    def warn_once(self, message: str) -> None:
        """Tell what a person should know of the run, the first time."""
        if message not in self._warned:
            self._warned.add(message)
            self._warn(message)

    def stop(self) -> None:
        """Send no more, from any thread; what is asked from now on fails, and what is on its way comes home."""
        self._sender.stop(ModelFault("the run has ended", kind="ended"))

    def close_soon(self) -> None:
        """Let :meth:`close` wait a few seconds at most: a person, or the system, wants the run to end."""
        self._kept.close_soon()
        self._sender.close_soon()

    async def close(self) -> None:
        """Send no more, wait for what is on its way (it is paid for), then close connections and cache."""
        await self._sender.finish()
        await self._kept.close()
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await self._sender.disconnect()

    @property
    def n_unsaved(self) -> int:
        """Replies that were paid for and are not in the cache; final once :meth:`close` has returned."""
        return self._kept.n_unsaved

    def _key_of(self, asked: Question, name: str) -> bytes:
        """The key of a question in a format."""
        return self._keyer(asked.sample, asked.schema, name, asked.sampling)(asked.messages)

    def _request_of(self, asked: Question, count: int = 1) -> dict[str, Any]:
        """The request for a question in the format that is asked in now, for so many samples."""
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
        """Count who gave a reply that is to be used.

        Raises:
            ModelFault: another endpoint gave it than the one that is asked now, and that was not allowed.
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
        """Raise what a run raised whose last reply to a question, in any format, could not be used."""
        if (found := await self._kept.last_unusable(keys)) is not None:
            self.counts.failed += 1
            raise self._with_advice(unusable_reply_fault(found[0]), found[1])

    def _with_advice(self, fault: ScholartoolsError, key: bytes) -> ScholartoolsError:
        """The fault with the call it is about, and what may be done about it."""
        details = {**fault.details, "calls": [key.hex()]}
        if fault.kind != OVERFLOW:
            return ScholartoolsError(fault.reason, kind=fault.kind, details=details)
        shorter = self.settings.shortened_by
        advice = f"lower {parameter(shorter)}" if shorter else f"shorten the text, or lower {parameter('max_tokens')}"
        reason = f"{fault.reason}; {advice}, or take a model with a longer context"
        return ScholartoolsError(reason, kind=fault.kind, details=details)

    async def _ask_in_first_format(self, question: Question, keys: list[bytes]) -> Call:
        """The reply, in the first format that the server takes."""
        while True:
            name = self._format.format_of_request(question.schema)
            key, request = self._key_of(question, name), self._request_of(question)  # both of one format
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
        """None where this process is to ask a question; else the reply, once another process has it.

        Raises:
            ModelFault: the run has ended meanwhile.
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
        """The samples of one question by one call; what that does not give is asked for one by one."""
        name = self._format.format_of_request(questions[0].schema)
        parts = [(self._key_of(question, name), self._request_of(question)) for question in questions]
        claimed = await self._claim_together([key for key, _ in parts]) if self._takes_n else set()
        if len(claimed) < len(parts):  # another process asks some of them
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
        """Begin to ask all of some questions, or none of them.

        Another run in files soon has written what it asks; that is waited for as a whole, not sample by sample.
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
        """The samples of one question in one format, all of which no other process asks."""
        request = _for_samples(parts[0][1], len(parts))  # in the format of the parts: others may step down meanwhile
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
        """One sample of a call for several; where its reply cannot be used, it is asked for alone."""
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
        """The reply to a question that was refused among several: where there is one, several were the reason."""
        if fault.kind not in ("refused", "parameter"):
            return []
        outcome = await self._use_sample(question, key, name, None)
        return [outcome.reply] if isinstance(outcome, Call) else []

    def _stop_taking_n(self, reason: str) -> None:
        """Ask for samples one by one from now on."""
        if self._takes_n:
            self._takes_n = False
            self._warn(
                f"the provider does not give several samples in one call ({reason}): "
                "each sample is now a call of its own"
            )

    async def _answer_or_record(self, sending: Sending) -> list[Reply]:
        """The replies to a call; where there is none, the reason is kept, so that a replay gives the same fault."""
        prompt, key, request, parts = sending
        try:
            replies = await self._sender.send(sending)
            for reply in replies:  # another run, of another endpoint, may have kept its own meanwhile
                self._note_endpoint(reply)
            return replies
        except (FormatRefused, ClaimLost):
            raise
        except ModelFault as fault:
            if not (parts and _names_n(fault)):
                self._sender.stop(fault)
            if self._sender.is_part_of_outage(key):
                await self._kept.keep_fault(prompt, key, request, PROVIDER, fault.reason)
            raise
        except ScholartoolsError as fault:
            if parts:  # each sample has its own key
                raise
            raise await self._record_fault(prompt, key, request, fault) from None

    async def _record_fault(
        self, prompt: str, key: bytes, request: dict[str, Any], fault: ScholartoolsError
    ) -> ScholartoolsError:
        """Keep why a question has no reply; the fault that names its call."""
        self.counts.failed += 1
        if fault.kind != UNUSABLE:
            await self._kept.keep_fault(prompt, key, request, fault.kind, fault.reason)
        return self._with_advice(fault, key)

    def _check_current(self, request: dict[str, Any]) -> None:
        """Refuse a request whose format, or whose asking for several samples, was refused while it waited."""
        if self._format.is_stale(request):
            raise FormatRefused("not sent")
        if "n" in request["parameters"] and not self._takes_n:
            raise ScholartoolsError("not sent, because the server refuses several samples in one call", kind="refused")

    def _step_down(self, refused: str, reason: str) -> None:
        """Go on in the next format; calls in flight that are refused too find that done.

        Raises:
            ModelFault: the format was chosen by the user.
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
    """The request that asks for so many samples at once."""
    return request if count == 1 else {**request, "parameters": {**request["parameters"], "n": count}}


async def _outcome_at(together: asyncio.Future[list[Call | ScholartoolsError]], place: int) -> Call:
    """One of the outcomes of a call for several samples.

    Raises:
        ScholartoolsError: that sample is missing.
    """
    outcome = (await asyncio.shield(together))[place]
    if isinstance(outcome, ScholartoolsError):
        raise outcome
    return outcome


def _tell_other_endpoint(kept: Endpoint, now: Endpoint) -> str:
    """Whose reply the cache has, who is asked now, and what may be done."""
    theirs, ours = ("the provider itself" if one.shown == DEFAULT else one.shown for one in (kept, now))
    return (
        f"the cache has the reply of {theirs} to this question, but {ours} is asked now: "
        f"{parameter('any_endpoint', True)} or {parameter('replay', True)} uses the stored reply, "
        f"{parameter('refresh', True)} replaces it by a new one, {parameter('namespace', 'NAME')} keeps both"
    )


def _names_n(fault: ScholartoolsError) -> bool:
    """Whether a call was refused for asking for several samples, as far as its reason says so."""
    return fault.kind in ("refused", "parameter") and bool(_OF_SEVERAL.search(fault.reason))
