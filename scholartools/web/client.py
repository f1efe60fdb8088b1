"""Responses to requests, from the cache or from the service, with rate limits and retries; stored before use."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

from scholartools.cache.answers import Answers, StoredAnswer, answer_key
from scholartools.cache.flights import BEAT_EVERY, Flights
from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.parameters import parameter
from scholartools.secrets import current_redactor
from scholartools.web.budget import Budget
from scholartools.web.faults import Again, check
from scholartools.web.files import Facts, Sink
from scholartools.web.limiter import Limiter, late_fault, told_interval
from scholartools.web.login import Keys, has_access
from scholartools.web.request import Answer, Ask, Service
from scholartools.web.sender import Sender
from scholartools.web.settings import WebSettings

# Consecutive refusals without a requested delay after which waiting is considered useless.
_REFUSALS = 5
# Number of times that a doubtful response is requested again.
_DOUBTS = 2
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_DAY = 86_400.0
# Maximum number of responses in memory if none are stored.
_HELD = 200
# Seconds between checks for a response that another process is requesting.
_LOOK_EVERY = 0.1

Doubt = Callable[[Ask, bytes], str | None]
Verify = Callable[[Answer], object]


class WebClient:
    """Sends the requests of one run. Belongs to one event loop.

    Attributes:
        budget: accounts of requests, USD and bytes.
    """

    def __init__(self, settings: WebSettings, services: Mapping[str, Service], warn: Callable[[str], None]) -> None:
        """``warn`` receives messages for the user during the run."""
        self.settings, self._services, self._warn = settings, services, warn
        self.budget = Budget(settings)
        self._answers = None if settings.place is None else Answers(settings.place)
        self._flights: Flights | None = None
        self._beating: asyncio.Task[None] | None = None
        self._limiter: Limiter | None = None
        self._sender = Sender(settings)
        self._keys = Keys()
        self._busy: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        # Keys requested by this run; responses in the cache are read from there, so that memory does not grow with the
        # run.
        self._asked: dict[bytes, Answer | None] = {}
        self._refused: Counter[str] = Counter()
        self._told_pause: set[str] = set()

    async def close(self) -> None:
        """Close connections and files."""
        await self._sender.close()
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        if self._flights is not None:
            # requests in progress find no Flights to release
            flights, self._flights = self._flights, None
            flights.close()
        if self._answers is not None:
            self._answers.close()
        if self._limiter is not None:
            self._limiter.close()

    @property
    def limiter(self) -> Limiter:
        """The rate limiter."""
        if self._limiter is None:
            scope = f"{self.settings.base} " if self.settings.base else ""
            self._limiter = Limiter(pace=self.settings.pace, max_wait=self.settings.max_wait, scope=scope)
        return self._limiter

    def is_known(self, ask: Ask) -> bool:
        """Whether the cache has a response to a request."""
        ask = self._with_access(ask)
        return self._find(answer_key(ask.request(self.settings.namespace))) is not None

    async def ask(self, ask: Ask, *, verify: Verify, doubt: Doubt | None = None, sink: Sink | None = None) -> Answer:
        """Response to a request, from the cache or from the service.

        Args:
            verify: parses a response; if it raises ValueError, KeyError, TypeError or AttributeError, the response is
                invalid, and the request is repeated.
            doubt: returns why a valid body may be wrong nevertheless; the request is then repeated up to twice.
            sink: receives a file, whose response consists of its facts; a file that was removed is downloaded again.

        Raises:
            ModelFault: the run must end.
            ScholartoolsError: this request failed.
        """
        ask = self._with_access(ask)
        key = answer_key(ask.request(self.settings.namespace))
        lock = self._busy.setdefault(key, asyncio.Lock())
        async with lock:
            if (found := self._find_whole(ask, key, sink)) is not None:
                return found
            if self.settings.replay:
                about = ", ".join(ask.items[:3]) or ask.path
                reason = f"the cache holds no answer of {ask.source} about {about}: run without "
                raise ModelFault(reason + parameter("replay", True), kind="cache-miss")
            async with self._only_asker(key):
                if (found := self._find_whole(ask, key, sink)) is not None:  # another process stored it meanwhile
                    return found
                answer = await self._send(ask, key, verify, doubt, sink)
            self._asked[key] = answer if self._answers is None else None
            while self._answers is None and len(self._asked) > _HELD:
                del self._asked[next(iter(self._asked))]
            return answer

    def _find_whole(self, ask: Ask, key: bytes, sink: Sink | None) -> Answer | None:
        """Known response whose file, if any, is in place; counted as cached."""
        found = self._find(key)
        if found is None or not self._is_in_place(found, sink):
            return None
        self.budget.cached[ask.source] += 1
        return found

    @contextlib.asynccontextmanager
    async def _only_asker(self, key: bytes) -> AsyncIterator[None]:
        """Block in which no other process that shares the cache sends the same request; ``refresh`` does not wait for
        others.
        """
        if self.settings.place is None or self.settings.refresh:
            yield
            return
        if self._flights is None:
            self._flights = Flights(self.settings.place)
            self._beating = asyncio.create_task(_beat(self._flights))
        while self._flights is not None and not self._flights.claim([key]):
            await asyncio.sleep(_LOOK_EVERY)
        try:
            yield
        finally:
            if self._flights is not None:
                self._flights.release([key])

    def _with_access(self, ask: Ask) -> Ask:
        """Request with or without authentication, which have separate responses in the cache.

        A replay prefers stored responses with authentication.

        A replay takes what there is: answers that were had with an account, where there are some.
        """
        if ask.auth != "login":
            return ask
        service = self._services[ask.source]
        anonymous = ask._replace(auth="none")
        if not self.settings.replay:
            return ask if has_access(service) else anonymous
        known = self._find(answer_key(ask.request(self.settings.namespace))) is not None
        return ask if known else anonymous

    def _is_in_place(self, found: Answer, sink: Sink | None) -> bool:
        """Whether the file of a known response exists with the downloaded bytes.

        Raises:
            ModelFault: it does not, and a replay cannot download it.
        """
        if sink is None or found.status != 200 or sink.is_there(facts := Facts.of(found.body)):
            return True
        if self.settings.replay:
            reason = f"{sink.path_of(facts)} is not the file that was fetched (SHA-256 {facts.sha256[:12]}...)"
            raise ModelFault(f"{reason}: run without {parameter('replay', True)}", kind="cache-miss")
        return False

    def _find(self, key: bytes) -> Answer | None:
        """Known response, unless it must be requested again."""
        if held := self._asked.get(key):
            return held
        is_own = key in self._asked
        if self._answers is None or (self.settings.refresh and not is_own):
            return None
        stored = self._answers.get(key)
        if stored is None:
            return None
        age = self.settings.max_age
        if age is not None and not is_own and not self.settings.replay and time.time() - stored.created > age * _DAY:
            return None
        return Answer.of(stored, key)

    async def _send(self, ask: Ask, key: bytes, verify: Verify, doubt: Doubt | None, sink: Sink | None) -> Answer:
        """Send a request until there is a usable response, or retries are exhausted."""
        service = self._services[ask.source]
        failures = doubts = 0
        while True:
            try:
                answer = await self._send_once(service, ask, key, verify, sink)
            except Again as again:
                if again.limited:
                    await self._wait_for_leave(service, ask, again)
                    continue
                failures += 1
                self._give_up(again, failures)
                if (again.pause or 0.0) > self.settings.max_wait:
                    raise late_fault(f"{service.name} ({again.reason})", again.pause or 0.0) from None
                await asyncio.sleep(_pause(failures, again.pause) * max(self.settings.pace, 0.02))
                continue
            except ScholartoolsError:
                self._refused[service.name] = 0
                raise
            self._refused[service.name] = 0
            if doubt is None or doubts == _DOUBTS or doubt(ask, answer.body) is None:
                return self._keep(ask, key, answer)
            doubts += 1
            self._store(ask, answer, served=False)

    async def _send_once(self, service: Service, ask: Ask, key: bytes, verify: Verify, sink: Sink | None) -> Answer:
        secret = await self._key_of(service, ask)
        async with self.limiter.turn(service.lanes[ask.lane]):
            self.budget.reserve(ask)
            try:
                sending = self._sender.send(service, ask, self.budget.receive, key=secret, sink=sink)
                status, head, body = await sending
            except BaseException:
                if sink is not None:
                    sink.discard()
                raise
        if (told := told_interval(head)) > service.lanes[ask.lane].interval:  # its limit is stricter
            self.limiter.pause(service.lanes[ask.lane], time.time() + told)
        is_file = sink is not None and status == 200
        if status == 401 and self._keys.may_renew(service):
            raise Again(f"{service.name}: the key of the login is no longer taken")
        if not is_file:
            body = _without_secrets(body)
        made = Answer(status, head, body, round(time.time(), 3), key.hex())
        try:
            check(service, ask, status, head, body)
            _verify(service, verify, made)
        except (Again, ScholartoolsError):
            if sink is not None:
                sink.discard()
            self._store(ask, made, served=False)
            raise
        if is_file and sink is not None:
            sink.name_it(Facts.of(body))
        return made

    async def _key_of(self, service: Service, ask: Ask) -> str | None:
        """API key for a request; a login is a separate request that is not stored."""

        async def log_in(question: Ask) -> tuple[int, bytes]:
            async with self.limiter.turn(service.lanes[""]):
                self.budget.reserve(question)
                status, _, body = await self._sender.send(service, question)
            return status, body

        async with self._busy.setdefault(service.name.encode(), asyncio.Lock()):
            return await self._keys.key_of(service, ask, log_in)

    def _keep(self, ask: Ask, key: bytes, answer: Answer) -> Answer:
        self._store(ask, answer, served=True)
        return answer

    def _store(self, ask: Ask, answer: Answer, *, served: bool) -> None:
        if self._answers is None:
            return
        request = ask.request(self.settings.namespace)
        stored = StoredAnswer(request, answer.status, answer.head, answer.body, answer.time, ask.price)
        self._answers.put(stored, source=ask.source, served=served)

    async def _wait_for_leave(self, service: Service, ask: Ask, again: Again) -> None:
        """Wait as long as the service requests, for all requests of the lane.

        Raises:
            ModelFault: the delay exceeds ``max_wait``, or the service keeps refusing.
        """
        lane = service.lanes[ask.lane]
        self._refused[service.name] += 1
        refused = self._refused[service.name]
        variable = service.key_variable
        has_key = variable is None or has_access(service)
        if again.pause is None and refused >= _REFUSALS:
            hint = "" if has_key else f": without {variable} all users of the service without a key share one limit"
            raise ModelFault(f"{service.name} refused {refused} requests in a row{hint}", kind="limited")
        own = min(_FIRST_PAUSE * 2 ** (refused - 1), _LONGEST_PAUSE) * self.settings.pace
        pause = max(again.pause or 0.0, own)
        self.limiter.pause(lane, time.time() + pause)
        if pause > self.settings.max_wait:
            raise late_fault(f"{service.name} ({again.reason})", pause)
        if refused > 50:
            raise ModelFault(f"{service.name} refused {refused} requests in a row", kind="limited")
        if pause > 30 and service.name not in self._told_pause:
            self._told_pause.add(service.name)
            self._warn(f"{service.name} asks for a pause: no request for {pause:.0f} s")

    def _give_up(self, again: Again, failures: int) -> None:
        """Raise the error that ends the request, or the run, if it was sent often enough."""
        if again.unreachable and failures > min(self.settings.retries, 2):
            raise ModelFault(again.reason, kind="unreachable")
        if failures > self.settings.retries:
            told = f"{failures} tries" if failures > 1 else "one try"
            raise ScholartoolsError(f"{again.reason}, after {told}", kind="provider")

    def forecast(self, asks: Sequence[Ask], following: Sequence[Ask] | None) -> list[dict[str, Any]]:
        """Forecast by lane: requests not in the cache, USD, and the minimum duration in seconds.

        Args:
            following: upper bound on the subsequent requests, by lanes and prices; None if unknown. With them each row
                has ``most``.
        """
        found: dict[str, dict[str, Any]] = {}
        for ask, is_known in [*((ask, True) for ask in asks), *((ask, False) for ask in following or ())]:
            lane = self._services[ask.source].lanes[ask.lane]
            row = found.setdefault(lane.name, {
                "lane": lane.name, "requests": 0, "cached": 0, "usd": 0.0, "seconds": 0.0,
                "most": None if following is None else {"requests": 0, "usd": 0.0, "seconds": 0.0},
            })  # fmt: skip
            is_cached = is_known and self.is_known(ask)
            row["cached"] += is_cached
            for part in () if is_cached else [*([row] if is_known else []), *([row["most"]] if row["most"] else [])]:
                part["requests"] += 1
                part["usd"] = round(part["usd"] + ask.price, 6)
                part["seconds"] = round(self.limiter.least_seconds(lane, part["requests"]), 1)
        return list(found.values())


async def _beat(flights: Flights) -> None:
    while True:
        await asyncio.sleep(BEAT_EVERY)
        flights.beat()


def _verify(service: Service, verify: Verify, answer: Answer) -> None:
    try:
        verify(answer)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        told = str(error) if type(error) is not KeyError else f"no {error}"
        raise Again(f"{service.name} sent something else than was requested: {told[:200]}") from None


def _pause(failures: int, told: float | None) -> float:
    own = min(_FIRST_PAUSE * 2 ** (failures - 1), _LONGEST_PAUSE) * random.uniform(0.5, 1.0)
    return max(own, told or 0.0)


def _without_secrets(body: bytes) -> bytes:
    """Redact complete secrets of this environment, which a service might echo."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return body
    clean = current_redactor().reply(text)
    return body if clean == text else clean.encode()
