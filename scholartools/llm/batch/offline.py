"""Files of requests in a folder: ``part-0001.jsonl`` has requests, ``part-0001.out.jsonl`` has their replies.

The files are answered by a program of the user, or by a provider to which a :class:`Courier` sends them.

For a run, this is a provider like others. The replies to a request are returned in the order of the parts that contain
it, so that unusable replies are handled as in other runs. If there is no further reply, the request is written to the
next part, and its record is postponed.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import functools
import hashlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

from scholartools.cache import Place, Reply, call_key
from scholartools.cache.batches import DONE, WAITING, WRITING, Answered, Asked, Batches, Part
from scholartools.cache.flights import BEAT_EVERY
from scholartools.cache.request import canonical_json
from scholartools.cache.store import Together
from scholartools.errors import ModelFault, ScholartoolsError, UsageFault
from scholartools.llm.batch.courier import Courier
from scholartools.llm.batch.endpoints import connect_batches
from scholartools.llm.batch.lines import answers_in, line_of, reply_in
from scholartools.llm.body import TooLarge
from scholartools.llm.client import connect
from scholartools.llm.endpoint import endpoint_of_run
from scholartools.llm.faults import FormatRefused, Transient
from scholartools.llm.parking import Parked
from scholartools.llm.settings import Settings
from scholartools.llm.usage.budget import Budget, Price, price_of
from scholartools.llm.usage.counts import Counts
from scholartools.llm.usage.spending import Spending
from scholartools.money import usd
from scholartools.parameters import parameter
from scholartools.wording import count_of

Made = TypeVar("Made")

# Maximum number of bytes of a part: providers accept files of 200 MB.
_LARGEST = 190_000_000
# Maximum number of direct requests of a kind if they are refused.
_PROBES = 3


class _New(NamedTuple):
    """A request to write: its line, its maximum cost in USD, and the key of its first sample."""

    line: bytes
    most: float
    first: bytes


class Offline:
    """A provider that writes requests to the files of a folder, and reads replies from them.

    Attributes:
        run: the run in the folder, which may span many invocations of the command.
        is_replaced: whether the reply under a key is to be replaced by a new one; then replies that other runs found
            before this run are not used.
    """

    def __init__(self, settings: Settings, place: Place, tell: Callable[[str], None]) -> None:
        """Create and lock the folder.

        Args:
            tell: receives messages for the user.

        Raises:
            UsageFault: the folder cannot be created, or another run uses it.
            ModelFault: the records of batches next to the cache cannot be used.
        """
        self._settings = settings
        self._place = place
        self._endpoint = endpoint_of_run(settings.model, settings.endpoint_name)
        self._written = threading.Event()  # set while no part is being written
        self._written.set()
        self._name = settings.model.split("/", 1)[1]
        self._most = settings.part_size
        self._tell = tell
        self._folder, self._lock = _take_folder(str(settings.batch or settings.batch_file))
        self._batches = Batches(place)
        self.run = self._batches.run_in(self._folder)
        self.is_replaced: Callable[[bytes], bool] = lambda key: False
        self._taken: Counter[bytes] = Counter()
        self._new: dict[bytes, _New] = {}
        self._elsewhere: Counter[Part] = Counter()
        self._part: Part | None = None
        self._file: BinaryIO | None = None
        self._n_lines = self._n_bytes = 0
        self._reserved = 0.0
        self._opened: dict[str, BinaryIO] = {}
        self._thread = ThreadPoolExecutor(1, "batch")
        self._looking: Together[list[Asked]] = Together(self._thread, self._look)
        self._sampling: Together[list[tuple[Part, bool]]] = Together(
            self._thread, functools.partial(self._batches.waiting_for_samples, self.run)
        )
        self._parking: Together[None] = Together(self._thread, self._park)
        self._courier = self._probe = None
        self._purse: Purse | None = None
        if settings.batch is not None:
            self._courier = Courier(settings, lambda: connect_batches(settings), self._batches, tell, self.run.id)
            self._probe = Probe(settings, self._courier, self._thread)
            self._most = self._courier.most_lines(self._most)

    def find_replies(self) -> None:
        """Find the replies that have arrived since the last invocation.

        Raises:
            ModelFault: they cannot be fetched, read or recorded.
        """
        parts = self._batches.parts(self.run.id)
        if self._courier is not None:
            for part in (part for part in parts if part.state == WRITING):
                self._take_up(part)
            self._courier.go()
            parts = self._batches.parts(self.run.id)
        for part in parts:
            self._take_up(part)
        if self._courier is not None:  # now that the costs of the replies are known
            self._purse = Purse(self._settings, *self._courier.spent(), self._courier.uncertain())

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """The next available reply to a request.

        Raises:
            Parked: there is none yet.
            ModelFault, ScholartoolsError: the request was refused, in a file or when sent directly.
        """
        key = call_key(request)
        asked = await self._looking.ask(key) or []
        ours = [line for line in asked if line.part.run == self.run.id]
        loop = asyncio.get_running_loop()
        if self._taken[key] < len(ours):
            line = ours[self._taken[key]]
            if line.part.state == DONE:
                self._taken[key] += 1
                return await loop.run_in_executor(self._thread, self._reply, key, request, line)
            raise Parked
        if others := asked[len(ours) :]:
            found = await loop.run_in_executor(self._thread, self._reply_of_others, key, request, others)
            if found is not None:
                return found
        first = _key_of_first(request)
        for part, was_sent in await self._sampling.ask(first) or []:  # another run has requested it
            if was_sent or _is_there(part):
                self._elsewhere[part] += 1
                raise Parked
        if self._purse is None or self._probe is None:
            self._new[key] = _New(line_of(key, self._name, request), 0.0, first)
            await self._parking.ask(key)
        elif (reply := await self._probe_or_park(key, request, timeout, self._probe, self._purse)) is not None:
            return reply
        raise Parked

    async def _probe_or_park(
        self, key: bytes, request: dict[str, Any], timeout: float, probe: Probe, purse: Purse
    ) -> Reply | None:
        """The reply to the first request of a kind; others are written to a batch if the limits permit."""
        async with probe.turn:  # requests in the meantime are not the first, and cheaper
            if (reply := await probe.ask(request, timeout, purse)) is not None:
                return reply._replace(time=round(reply.time + self._batches.ahead, 3))
            most = purse.take(request, at_once=False)
        if most is None:
            return None
        self._new[key] = _New(line_of(key, self._name, request), most, _key_of_first(request))
        await self._parking.ask(key)
        return None

    async def close(self) -> None:
        """Close the connections of direct requests; :meth:`finish` completes the part."""
        if self._probe is not None:
            await self._probe.close()

    def finish(self) -> list[Part]:
        """Complete the part that is being written, and send it if there is a courier; return the parts without replies.

        Raises:
            ModelFault: sending fails, or the limits permit no further request and no reply is awaited.
        """
        if self._part is not None:
            self._end_part()
        if self._courier is not None and self._purse is not None:
            self._courier.go()
            self._purse.tell_refused(self._tell if self._courier.waiting or self._elsewhere else None)
        return [part for part in self._batches.parts(self.run.id) if part.state == WAITING]

    @property
    def option(self) -> str:
        """Name of the parameter that gives the folder."""
        return "batch_file" if self._courier is None else "batch"

    def where_replies_are(self, part: Part) -> str:
        """Text for the user that says where the replies to a part are expected."""
        sent = [sent for sent in self._courier.live if sent.part == part.id] if self._courier else []
        if not sent:
            return f"their replies are expected in {part.replies}"
        return f"sent as {sent[0].remote} ({sent[0].told})" if sent[0].remote else "not sent yet"

    def wait(self) -> bool:
        """Wait for replies of the provider, if there is one; return whether all have been fetched."""
        return self._courier is not None and self._courier.wait(self._settings.batch_wait, self._others_wait)

    def _others_wait(self) -> bool:
        """Whether other runs wait for replies to requests that this run also has."""
        return self._batches.has_waiting(self._elsewhere)

    @property
    def waiting_elsewhere(self) -> list[tuple[str, int]]:
        """The folders of other runs that wait for replies to requests of this run, with the numbers of requests."""
        counts: Counter[str] = Counter()
        for part, count in self._elsewhere.items():
            counts[part.folder] += count
        return sorted(counts.items())

    def end_run(self) -> None:
        """End the run after all requests are answered; later requests in the folder are those of a new run."""
        self._batches.end_run(self.run)

    def end(self) -> None:
        """Close all files, and drop a part that was not completed."""
        self._written.set()
        self._thread.shutdown()
        if self._courier is not None:
            self._courier.close()
        for file in (self._file, *self._opened.values()):
            if file is not None:
                file.close()
        if self._part is not None:
            with contextlib.suppress(ModelFault, OSError):
                self._drop(self._part)
        self._batches.close()
        os.close(self._lock)

    def _take_up(self, part: Part) -> None:
        """Continue with a part of an earlier invocation, in any state."""
        if part.state == WRITING:
            self._drop(part)
        elif part.state == WAITING:
            if not part.path.exists() and part.unfinished.exists():
                part.unfinished.rename(part.path)
            if part.replies.exists():
                self._collect(part)
            elif not part.path.exists():
                if self._courier is not None and any(sent.part == part.id for sent in self._courier.waiting):
                    return  # the courier handles it
                self._tell(f"{part.path} was deleted: its questions are asked again")
                self._drop(part)

    def _drop(self, part: Part) -> None:
        self._batches.drop_part(part)
        part.unfinished.unlink(missing_ok=True)

    def _collect(self, part: Part) -> None:
        try:
            found = list(answers_in(part.replies))
        except OSError as error:
            raise ModelFault(f"{part.replies}: {error.strerror}", kind="batch") from None
        answers = [answer for answer in found if answer is not None]
        taken, n_doubled = self._batches.collect(part, answers, len(found) - len(answers))
        n_lacking = part.lines - len(taken)
        if self._courier is not None:  # what is lacking may have been paid for
            self._courier.note_cost(part, None if n_lacking else self._cost_of(part, taken))
        n_odd = len(found) - len(taken) - n_doubled
        counts = {"without a reply": n_lacking, "answered twice": n_doubled, "of no question": n_odd}
        troubles = [f"{count} {what}" for what, count in counts.items() if count]
        if troubles:
            self._tell(f"{part.replies}: {len(taken)} of {part.lines} questions answered ({', '.join(troubles)})")

    def _cost_of(self, part: Part, answers: Sequence[Answered]) -> float | None:
        """Cost of the replies to a part in USD, or None if that of any reply is unknown."""
        cost = 0.0
        with part.replies.open("rb") as file:
            for answer in answers:
                file.seek(answer.place)
                try:
                    reply = reply_in(file.read(answer.size), answer.key, self._price, format_sent=False)
                except Transient as error:
                    if error.reply is not None:  # it is paid for too
                        return None
                except TooLarge:
                    return None
                except ScholartoolsError:
                    pass
                else:
                    if reply.cost is None:
                        return None
                    cost = usd(cost, reply.cost)
        return cost

    def _look(self, keys: Sequence[bytes]) -> dict[bytes, list[Asked]]:
        return self._batches.asked(self.run, keys)

    def _reply(self, key: bytes, request: dict[str, Any], asked: Asked) -> Reply:
        try:
            return self._read(key, request, asked)
        except OSError as error:
            raise ModelFault(f"{asked.part.replies}: {error.strerror}", kind="batch") from None
        except ModelFault as fault:
            self._batches.drop_failed(asked.part)
            reason = f"{fault.reason} (in {asked.part.replies}); run again to send the refused questions again"
            raise ModelFault(reason, kind=fault.kind) from None

    def _reply_of_others(self, key: bytes, request: dict[str, Any], lines: Sequence[Asked]) -> Reply | None:
        """A usable reply to a request that another run has found, or None.

        Raises:
            Parked: another run waits for a reply.
        """
        for line in lines:
            if line.part.state == DONE and not (self._is_older(line) and self.is_replaced(_key_of_first(request))):
                with contextlib.suppress(OSError, Transient, ScholartoolsError):
                    if (reply := self._read(key, request, line)).is_usable:
                        return reply
        waits = [line for line in lines if line.part.state != DONE and (_is_there(line.part) or line.was_sent)]
        if not waits:
            return None
        self._elsewhere[waits[0].part] += 1
        raise Parked

    def _is_older(self, asked: Asked) -> bool:
        """Whether a reply was found before this run began."""
        return _time_of(asked) <= self.run.started

    def _read(self, key: bytes, request: dict[str, Any], asked: Asked) -> Reply:
        """Read the reply to the request in a line.

        Raises:
            OSError: the file cannot be read.
            Transient, ScholartoolsError: it has no reply.
        """
        if asked.place is None or asked.size is None:
            raise Transient("the file of replies has no line for the question")
        file = self._opened.get(asked.part.id) or asked.part.replies.open("rb")
        self._opened[asked.part.id] = file
        file.seek(asked.place)
        line = file.read(asked.size)
        price = self._price if asked.was_sent else None
        try:
            reply = reply_in(line, key, price, format_sent="response_format" in request)
        except Transient as error:
            if error.reply is not None:
                error.reply = _placed(error.reply, asked)
            raise
        return _placed(reply, asked)

    @functools.cached_property
    def _price(self) -> Price | None:
        """Price of the model in batches."""
        return price_of(self._settings.model, in_batch=True)

    def _park(self, keys: Sequence[bytes]) -> dict[bytes, None]:
        """Write requests to the part."""
        for key in keys:
            new = self._new.pop(key)
            self._write(key, new)
            self._reserved += new.most
        if self._file is not None:
            self._file.flush()
        return {}

    def _write(self, key: bytes, new: _New) -> None:
        if self._part is not None and (self._n_lines >= self._most or self._n_bytes + len(new.line) > _LARGEST):
            self._end_part()
        try:
            if self._part is None or self._file is None:
                self._part = self._batches.begin_part(self.run, self._folder, self._next_number(), self._endpoint)
                self._begin_beating()
                self._file = self._part.unfinished.open("xb")
                self._n_lines = self._n_bytes = 0
            self._batches.add_line(self._part, key, new.first)
            self._file.write(new.line)
        except OSError as error:
            raise ModelFault(f"{self._folder}: {error.strerror}", kind="batch") from None
        self._n_lines += 1
        self._n_bytes += len(new.line)

    def _next_number(self) -> int:
        """A number that no part of the folder has or had, including files that are not recorded."""
        names = [path.name.split(".")[0].removeprefix("part-") for path in Path(self._folder).glob("part-*.jsonl*")]
        return 1 + max([self._batches.last_number(self._folder), *(int(name) for name in names if name.isdigit())])

    def _end_part(self) -> None:
        """Complete the part: it is recorded before its file is renamed, so that a crash in between loses nothing."""
        part, file = self._part, self._file
        if part is None or file is None:
            return
        try:
            file.flush()
            os.fsync(file.fileno())
            file.close()
            with self._batches.transaction():
                self._batches.end_part(part, self._n_lines)
                if self._courier is not None:
                    self._courier.note_part(part, self._n_lines, self._reserved)
                    self._reserved = 0.0
            part.unfinished.rename(part.path)
        except OSError as error:
            raise ModelFault(f"{part.path}: {error.strerror}", kind="batch") from None
        self._part = self._file = None
        self._written.set()

    def _begin_beating(self) -> None:
        """Show other runs by a heartbeat that the part is being written."""
        self._written = written = threading.Event()

        def beat() -> None:
            if not written.wait(BEAT_EVERY):
                with contextlib.suppress(ModelFault), contextlib.closing(Batches(self._place)) as batches:
                    batches.beat(self.run)
                    while not written.wait(BEAT_EVERY):
                        batches.beat(self.run)

        threading.Thread(target=beat, daemon=True, name="batch-beat").start()


class Purse:
    """The limits on the cost and calls of a batch run, over all its invocations.

    Attributes:
        n_refused: number of requests that were not sent because of the limits.
    """

    def __init__(self, settings: Settings, spent: float, calls: int, uncertain: float) -> None:
        """``spent`` USD are spent or reserved; of these, ``uncertain`` USD may not have been charged."""
        self._spending = Spending(settings, Counts(), lambda _: None)
        self._full = self._spending.price
        self._price = price_of(settings.model, in_batch=True) or self._full
        self._budget = Budget(settings.max_cost, settings.max_calls)
        self._budget.spent, self._budget.calls = spent, calls
        self._uncertain = uncertain
        self._refusal: ModelFault | None = None
        self.n_refused = 0

    def take(self, request: dict[str, Any], *, at_once: bool) -> float | None:
        """Reserve the maximum cost of a request, and return it in USD; None if a limit would be exceeded.

        Args:
            at_once: whether the request is sent directly, at the full price.
        """
        try:
            return self._budget.reserve(self._most(request, self._full if at_once else self._price))
        except ModelFault as fault:
            self._refusal = self._refusal or self._with_uncertain(fault)
            self.n_refused += 1
            return None

    def _with_uncertain(self, fault: ModelFault) -> ModelFault:
        if not self._uncertain:
            return fault
        why = "a start of this run was ended before it had the reply to a question, which may have been paid for"
        return ModelFault(f"{fault.reason} (of what is spent, {self._uncertain:.4f} USD: {why})", kind=fault.kind)

    def settle(self, most: float, cost: float) -> None:
        """Replace the reservation of a direct request by its actual cost."""
        self._budget.settle(most, cost)

    def _most(self, request: dict[str, Any], price: Price | None) -> float:
        if self._budget.max_cost is None or price is None:
            return 0.0
        if (bound := self._spending.bound_tokens(request)) is None:
            reason = "the model has no known limit for images"
            raise ModelFault(f"{parameter('max_cost')}: {reason}; use {parameter('max_calls')}", kind="budget")
        return price.maximum_cost(bound)

    def tell_refused(self, tell: Callable[[str], None] | None) -> None:
        """Report requests that were not sent because of the limits.

        Raises:
            ModelFault: ``tell`` is None, since no awaited reply can release a reservation.
        """
        if self._refusal is None:
            return
        if tell is None:
            raise ModelFault(self._refusal.reason, kind=self._refusal.kind)
        tell(f"{count_of(self.n_refused, 'question')} not asked yet: {self._refusal.reason}")


class Probe:
    """Sends the first request of each kind directly, which reveals a wrong key, model, parameter or format at once.

    Attributes:
        turn: lock that the caller of :meth:`ask` must hold.
    """

    def __init__(self, settings: Settings, courier: Courier, thread: ThreadPoolExecutor) -> None:
        """No connection is opened yet; ``thread`` is that of the courier."""
        self._settings, self._courier, self._thread = settings, courier, thread
        probed = courier.probed()
        self._probed = {kind for kind, refusal in probed.items() if refusal is None}
        self._faults: dict[str, ScholartoolsError] = {
            kind: FormatRefused(refusal) for kind, refusal in probed.items() if refusal is not None
        }
        self._refusals: Counter[str] = Counter()
        self.turn = asyncio.Lock()
        self._online: Any = None

    async def ask(self, request: dict[str, Any], timeout: float, purse: Purse) -> Reply | None:
        """The reply to the first request of a kind; None for others, and after a transient fault.

        Raises:
            Parked: a limit would be exceeded.
            ModelFault, FormatRefused: all requests of the kind would be refused.
            ScholartoolsError: this request is refused.
        """
        kind = _kind_of(request)
        if kind in self._faults:
            raise self._faults[kind]
        if kind in self._probed:
            return None
        most = purse.take(request, at_once=True)
        if most is None:
            raise Parked
        probe = await self._run(self._courier.begin_probe, kind, most)  # a run killed from now on may have paid it
        try:
            reply = await self._send(request, timeout)
        except (Transient, ScholartoolsError) as fault:
            is_billed = fault.billed if isinstance(fault, Transient) else isinstance(fault, TooLarge)
            purse.settle(most, most if is_billed else 0.0)
            self._learn(kind, fault)
            if isinstance(fault, FormatRefused):  # so that no later invocation tries it again
                await self._run(self._courier.end_probe, probe, 0.0, fault.reason)
            elif is_billed:
                await self._run(self._courier.end_probe, probe, most)
            else:
                await self._run(self._courier.drop_probe, probe)
            if not isinstance(fault, Transient):
                raise
            if fault.unreachable:
                raise ModelFault(f"cannot reach the model: {fault.reason}", kind="unreachable") from None
            return None
        cost = most if reply.cost is None else reply.cost
        purse.settle(most, cost)
        await self._run(self._courier.end_probe, probe, cost)
        self._probed.add(kind)
        return reply

    def _learn(self, kind: str, fault: Transient | ScholartoolsError) -> None:
        """Note what the fault of a direct request implies for others of its kind."""
        if isinstance(fault, (FormatRefused, ModelFault)):
            self._faults[kind] = fault
        elif isinstance(fault, Transient):
            self._probed.add(kind)
        else:
            self._refusals[kind] += 1
            if self._refusals[kind] >= _PROBES:
                self._probed.add(kind)

    async def _send(self, request: dict[str, Any], timeout: float) -> Reply:
        if self._online is None:
            self._online = connect(self._settings)
        reply: Reply = await self._online.send(request, timeout)
        return reply

    async def _run(self, note: Callable[..., Made], *what: Any) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._thread, note, *what)

    async def close(self) -> None:
        """Close the connections."""
        if self._online is not None:
            await self._online.close()


def _placed(reply: Reply, asked: Asked) -> Reply:
    """Set the time of a reply to when it was found, and its endpoint to that of the run that wrote the request."""
    asker = asked.part
    reply = reply._replace(endpoint=asker.endpoint, endpoint_name=asker.endpoint_name)
    return reply._replace(time=_time_of(asked), latency=0.0)


def _time_of(asked: Asked) -> float:
    return round(asked.part.collected or 0.0, 3)


def _is_there(part: Part) -> bool:
    """Whether the file of a part exists under either name; checked again, as it may be renamed between the checks."""
    return part.path.exists() or part.unfinished.exists() or part.path.exists()


def _key_of_first(request: dict[str, Any]) -> bytes:
    """The cache key of the reply, or of the first of several samples."""
    alone = {name: value for name, value in request["parameters"].items() if name != "n"}
    return call_key({**request, "parameters": alone})


def _kind_of(request: dict[str, Any]) -> str:
    """Hash of what makes requests be refused alike: names of the parameters and response format, not the texts."""
    named = {"names": sorted(request["parameters"]), "format": request.get("response_format")}
    return hashlib.sha256(canonical_json(named)).hexdigest()[:32]


def _take_folder(named: str) -> tuple[str, int]:
    """Create the folder if needed, and lock it; return its path and the file descriptor of the lock."""
    try:
        folder = Path(named).absolute()
        str(folder).encode()
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(str(folder))
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or "its name is not UTF-8"
        raise UsageFault(f"{reason}", parameter="batch_file") from None
    if lock is None:
        reason = f"{parameter('batch_file', named)}: another run uses the folder; each run, and each shard, has its own"
        raise UsageFault(reason)
    return str(folder), lock


def lock_folder(folder: str) -> int | None:
    """Lock a folder; return the file descriptor, whose closing releases the lock, or None if another process has it.

    Raises:
        OSError: the folder cannot be opened.
    """
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
