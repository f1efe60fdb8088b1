"""Concurrent calls of a model for many records, with outcomes in the order of the records."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import threading
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Iterator
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any

from scholartools import io
from scholartools.errors import ModelFault, Terminated, UsageFault
from scholartools.interrupts import await_result
from scholartools.llm.parking import PARKED, Parked
from scholartools.pipeline import parallel
from scholartools.pipeline.outcome import Outcome, Render, SeveralRecords, failure, success
from scholartools.pipeline.own_task import OwnAsk

if TYPE_CHECKING:
    from scholartools.cache import Cache
    from scholartools.io import Line, Record
    from scholartools.llm.engine import Engine
    from scholartools.llm.settings import Settings

    Ask = Callable[[Engine, Record], Awaitable[Record | SeveralRecords]]
    _Work = Coroutine[Any, Any, Outcome | BaseException]

# Kind of the fault of calls that are not sent because the run has been closed.
ENDED = "ended"
# Records read ahead of the oldest unfinished one, in addition to two per concurrent call.
_LOOK_AHEAD = 256
# Maximum number of records passed to the event loop at once: one by one, 10,000 cached ones take 1.22 s instead of 0.95
# s.
_BATCH = 32


class Session:
    """A model, its cache and its budget, for one run over many records.

    Attributes:
        engine: the engine; its ``counts`` are the usage so far.
        offline: the batch files, if requests are written to files.
    """

    def __init__(self, settings: Settings, *, warn: Callable[[str], None]) -> None:
        """Open the cache and the budget; nothing is sent.

        Args:
            warn: receives messages for the user during the run.

        Raises:
            ModelFault: the cache cannot be opened, or the budget needs an unknown price.
        """
        from scholartools.llm.engine import Engine

        self.offline = None
        self._thread: threading.Thread | None = None
        if settings.batch_folder is None or settings.dry_run:
            self.engine = Engine(settings, _open_cache(settings), warn=warn)
            return
        from scholartools.cache import default_place
        from scholartools.llm.batch.offline import Offline

        cache = _open_cache(settings)
        self.offline = offline = Offline(settings, default_place(), warn)
        self.engine = Engine(settings, cache, connect=lambda _: offline, warn=warn, begun=offline.run.started)
        offline.is_replaced = self.engine.is_replaced

    def outcomes(
        self,
        lines: Iterable[Line],
        ask: Ask,
        command: str,
        *,
        render: Render = io.dumps,
        waits: Callable[[], None] | None = None,
    ) -> Generator[Outcome, None, None]:
        """Outcomes of all lines, in order, with many in progress; can be called once per session.

        One thread reads the lines and another runs the event loop, so that the caller may run its own event loop. In
        any case, calls in flight are awaited and their replies stored at the end.

        Args:
            ask: makes a new record from a record, or raises ScholartoolsError.
            command: name of the command for ``errors``.
            render: makes the content of the outcome from each new record.
            waits: called before waiting for the next outcome.

        Raises:
            ModelFault: the run must end (budget, API key, replay miss); the message names the line.
        """
        work = functools.partial(_attempt_line, self.engine, ask, command, render)
        loop = asyncio.new_event_loop()
        loop.set_exception_handler(lambda *_: None)  # reported by the record that made the call
        has_ended = threading.Event()
        thread = self._thread = threading.Thread(target=_keep_running, args=(loop, has_ended), daemon=True)
        thread.start()
        window = 2 * self.engine.settings.concurrency + _LOOK_AHEAD
        # A user's function may need asyncio.current_task().
        starter = _Starter(loop, work, begins_at_once=not isinstance(ask, OwnAsk))
        try:
            with (
                self.close_soon_on_interrupt(),
                contextlib.closing(
                    parallel.in_order(starter.start, lines, lambda: (_BATCH, window), waits, _Answer.done)
                ) as answers,
            ):
                for number, (line, answer) in enumerate(answers):
                    found: Any = answer.result() if answer.done() else await_result(answer)
                    yield _check_outcome(found, line, number)
        finally:
            await_result(asyncio.run_coroutine_threadsafe(self.engine.close(), loop))
            has_ended.set()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    @contextlib.contextmanager
    def close_soon_on_interrupt(self) -> Iterator[None]:
        """Shorten the waiting time of the engine after an interrupt or a termination signal."""
        try:
            yield
        except (KeyboardInterrupt, Terminated):
            self.engine.close_soon()
            raise

    def runs_here(self) -> bool:
        """Whether this is the thread of the event loop, in which waiting for a record would deadlock."""
        return threading.current_thread() is self._thread

    def close(self) -> None:
        """Close the batch files."""
        if self.offline is not None:
            self.offline.end()

    @contextlib.contextmanager
    def report_losses(self, tell: Callable[[str], None]) -> Iterator[None]:
        """Report at the end, in any case, how many replies were lost."""
        try:
            yield
        finally:
            if self.engine.n_unsaved:
                tell(f"replies that were paid for but could not be stored in the cache: {self.engine.n_unsaved}")


def _keep_running(loop: asyncio.AbstractEventLoop, has_ended: threading.Event) -> None:
    """Run the loop until the session ends, even if a user's function stops it or calls sys.exit."""
    while not has_ended.is_set():
        with contextlib.suppress(KeyboardInterrupt, SystemExit):  # the waiting thread gets the exception
            loop.run_forever()


class _Answer:
    """Result of a line, passed from the thread of the event loop to the waiting thread.

    It takes a tenth of the time of a future, and has no lock that a signal may leave acquired: each callback is called
    by the thread that removes it from the list.
    """

    __slots__ = ("_calls", "_found")

    def __init__(self) -> None:
        self._found: Outcome | BaseException | None = None
        self._calls: list[Callable[[_Answer], object]] = []

    def set_result(self, found: Outcome | BaseException) -> None:
        """Set the outcome of the line."""
        self._found = found
        self._call_all()

    def done(self) -> bool:
        """Whether the outcome is available."""
        return self._found is not None

    def result(self) -> Outcome | BaseException | None:
        """Outcome of the line, or the exception that ended the run."""
        return self._found

    def add_done_callback(self, call: Callable[[_Answer], object], /) -> None:
        """Call with this object once the outcome is available."""
        self._calls.append(call)
        if self._found is not None:
            self._call_all()

    def _call_all(self) -> None:
        with contextlib.suppress(IndexError):
            while self._calls:
                self._calls.pop()(self)


class _Starter:
    """Starts the work on records in an event loop of another thread."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Callable[[Line], _Work],
        *,
        begins_at_once: bool,
    ) -> None:
        self._loop = loop
        self._work = work
        self._begins_at_once = begins_at_once
        self._numbers = itertools.count()
        self._tasks: set[asyncio.Task[Outcome | BaseException]] = set()
        self._ended: list[tuple[_Answer, Outcome | BaseException]] = []

    def start(self, batch: list[Line]) -> list[tuple[Line, _Answer]]:
        """Start a batch of lines; called by the waiting thread."""
        answers = [_Answer() for _ in batch]
        self._loop.call_soon_threadsafe(self._start_tasks, batch, answers)
        return list(zip(batch, answers))

    def _start_tasks(self, batch: list[Line], answers: list[_Answer]) -> None:
        from scholartools.llm.sender import RECORD

        for line, answer in zip(batch, answers):
            context = copy_context()
            context.run(RECORD.set, next(self._numbers))
            work = self._work(line)
            ended, rest = _begin(work, context) if self._begins_at_once else (None, work)
            if ended is not None:
                self._ended.append((answer, ended))
            if rest is not None:
                task = self._loop.create_task(rest, context=context)
                self._tasks.add(task)
                task.add_done_callback(functools.partial(self._hand_over, answer))
        self._hand_over_all()

    def _hand_over(self, answer: _Answer, task: asyncio.Task[Outcome | BaseException]) -> None:
        self._tasks.discard(task)
        found: Outcome | BaseException = (
            ModelFault("its task was cancelled before it began", kind="cancelled")
            if task.cancelled()
            else task.exception() or task.result()
        )
        if not self._ended:
            self._loop.call_soon(self._hand_over_all)
        self._ended.append((answer, found))

    def _hand_over_all(self) -> None:
        """Pass on all results of one iteration of the loop together, so that the other thread wakes up once."""
        ended, self._ended = self._ended, []
        for answer, found in ended:
            answer.set_result(found)


def _begin(work: _Work, context: Context) -> tuple[Outcome | BaseException | None, _Work | None]:
    """Run the work on a record until it first waits; return the outcome, or the rest of the work.

    If all replies are in the cache, nothing waits, and no task is needed.
    """
    try:
        awaited = context.run(work.send, None)
    except StopIteration as ended:
        return ended.value, None
    except BaseException as error:
        return error, None

    async def rest() -> Outcome | BaseException:
        return await _go_on(work, awaited)

    return None, rest()


@types.coroutine
def _go_on(work: _Work, awaited: Any) -> Generator[Any, Any, Outcome | BaseException]:
    """Continue a coroutine that waits for a future."""
    while True:
        try:
            step = functools.partial(work.send, (yield awaited))
        except BaseException as error:
            step = functools.partial(work.throw, error)
        try:
            awaited = step()
        except StopIteration as ended:
            return ended.value  # type: ignore[no-any-return]


async def _attempt_line(engine: Engine, ask: Ask, command: str, render: Render, line: Line) -> Outcome | BaseException:
    """Process one line; an exception becomes part of the outcome, except those that end the run, which are returned.

    Raised in a task, such an exception would end the event loop, and no other record would be finished.
    """
    if line.fault is not None:
        return failure(command, line, line.fault)
    parked: list[bool] = []
    PARKED.set(parked)
    try:
        made = await ask(engine, line.record)
        if parked:
            raise Parked
        return success(line, made, render)
    except Parked:
        return Outcome(line.where, None, is_parked=True)
    except (ModelFault, UsageFault) as fault:
        return fault
    except (Exception, SystemExit, asyncio.CancelledError) as error:
        if parked:
            return Outcome(line.where, None, is_parked=True)
        return failure(command, line, error)
    except BaseException as error:
        return error


def _check_outcome(result: Outcome | BaseException, line: Line, done: int) -> Outcome:
    """Outcome of a line, after ``done`` earlier lines.

    Raises:
        ModelFault: the run ended at this line; the message has the number of earlier lines.
    """
    if isinstance(result, ModelFault):
        earlier = f"{done} record{'s were' if done != 1 else ' was'} finished before"
        raise ModelFault(f"{line.where}: {result.reason} ({earlier})", kind=result.kind)
    if isinstance(result, BaseException):
        raise result
    return result


def without_dry_run_fault(outcome: Outcome) -> Outcome:
    """Outcome of a line in a dry run, in which an unsent call is not a fault."""
    return outcome._replace(fault=None) if outcome.fault and outcome.fault.kind == "dry-run" else outcome


def _open_cache(settings: Settings) -> Cache | None:
    from scholartools.cache import Cache, default_place

    return Cache.open(default_place()) if settings.cache else None
