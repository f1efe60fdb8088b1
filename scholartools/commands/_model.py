"""The loop of commands that ask a model: many records at once, written in order."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import itertools
import math
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scholartools.commands._common import Terminated
from scholartools.commands._stream import Outcome, Render, Stream, Tally, failure, success
from scholartools.errors import ModelFault, UsageFault

if TYPE_CHECKING:
    from scholartools.io import Line, Record
    from scholartools.llm.engine import Engine

    Ask = Callable[[Engine, Record], Awaitable[Record]]

# Records read ahead of the oldest unanswered one, beyond two for each call in flight.
_LOOK_AHEAD = 256
# Records given to the event loop at once, where so many are there: what passes between threads costs time.
_BATCH = 32


def ask_each(stream: Stream, options: dict[str, Any], ask: Ask, *, render: Render | None = None) -> int:
    """Like :meth:`Stream.each`, with a coroutine that asks a model; many records are under way at once.

    Records come out in input order. When the run must end early (budget, key, replay miss), what came before the
    record that could not be answered is written, and replies still in flight reach the cache.
    """
    from scholartools import io
    from scholartools.llm.engine import Engine

    settings = _settings(options)
    engine = Engine(settings, _cache(settings))
    work = functools.partial(_attempt, stream.command, ask, engine, render)
    if settings.dry_run:
        return _dry_run(stream, engine, work)
    tally = Tally(stream, keep_failed=stream.on_error == "keep" and render is None, more=engine.counts.line)
    with tally, io.open_output(stream.output) as output, contextlib.closing(_asked(stream, engine, work)) as answers:
        for line, outcome, more in answers:
            if isinstance(outcome, ModelFault):
                raise ModelFault(_ended(outcome, line, tally), kind=outcome.kind)
            if isinstance(outcome, BaseException):
                raise outcome
            tally.settle(outcome, output, more=more)
        tally.refuse_nothing()
    return tally.status()


def _asked(
    stream: Stream, engine: Engine, work: Callable[[Line], Coroutine[Any, Any, Outcome]]
) -> Generator[tuple[Line, Outcome | BaseException, bool], None, None]:
    """Lines with their outcomes, or with what ends the run, from an event loop in a thread of its own.

    The third of each says whether the next outcome is there already.
    """
    from scholartools import parallel

    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_: None)  # what a call raises is told by the record that wanted it
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    window = 2 * engine.settings.concurrency + _LOOK_AHEAD

    def submit(batch: list[Line]) -> _Answers:
        answers = _Answers()
        loop.call_soon_threadsafe(answers.ask, map(work, batch))
        return answers

    try:
        for batch, answers in parallel.in_order(submit, parallel.batches(stream.read(), _BATCH), window):
            yield from ((line, outcome, more) for line, (outcome, more) in zip(batch, answers))
    except (KeyboardInterrupt, Terminated):
        engine.hurry()
        raise
    finally:
        asyncio.run_coroutine_threadsafe(engine.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class _Answers:
    """What becomes of a batch of records, in their order, handed from the event loop's thread to the one that asks."""

    def __init__(self) -> None:
        self._handed: queue.SimpleQueue[list[tuple[int, Outcome | BaseException]]] = queue.SimpleQueue()
        self._done: list[tuple[int, Outcome | BaseException]] = []
        self._tasks: list[asyncio.Task[Outcome]] = []

    def ask(self, questions: Iterable[Coroutine[Any, Any, Outcome]]) -> None:
        """Begin with all of them; called in the event loop."""
        for number, question in enumerate(questions):
            try:
                wait = question.send(None)
            except StopIteration as done:  # all from the cache: a task would cost as much as the answer
                self._note(number, done.value)
            except BaseException as fault:
                self._note(number, fault)
            else:
                self._tasks.append(asyncio.ensure_future(_rest(_Begun(question, wait))))
                self._tasks[-1].add_done_callback(functools.partial(self._end, number))

    def _end(self, number: int, task: asyncio.Task[Outcome]) -> None:
        if not task.cancelled():
            self._note(number, task.exception() or task.result())

    def _note(self, number: int, outcome: Outcome | BaseException) -> None:
        if not self._done:
            # What is done in the same turn of the loop goes over at once: each wake of a thread costs time.
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._done.append((number, outcome))

    def _hand_over(self) -> None:
        self._handed.put(self._done)
        self._done = []

    def __iter__(self) -> Iterator[tuple[Outcome | BaseException, bool]]:
        early: dict[int, Outcome | BaseException] = {}
        for expected in itertools.count():
            while expected not in early:
                early.update(self._handed.get())
            yield early.pop(expected), expected + 1 in early


class _Begun(Generator[Any, Any, Outcome]):
    """A coroutine that has run up to its first wait; to be awaited in a task, which goes on from there."""

    def __init__(self, coroutine: Coroutine[Any, Any, Outcome], wait: Any) -> None:
        self._coroutine = coroutine
        self._waits = [wait]

    def __await__(self) -> Generator[Any, Any, Outcome]:
        """Itself."""
        return self

    def send(self, value: Any) -> Any:
        """Go on to the next wait; the first one was there already."""
        return self._waits.pop() if self._waits else self._coroutine.send(value)

    def throw(self, *fault: Any) -> Any:
        """What is raised where it waits."""
        return self._coroutine.throw(*fault)


async def _rest(begun: _Begun) -> Outcome:
    return await begun


async def _attempt(command: str, ask: Ask, engine: Engine, render: Render | None, line: Line) -> Outcome:
    """Ask about one line; whatever is raised becomes part of the outcome, but what ends the run."""
    if line.fault is not None:
        return failure(command, line, line.fault)
    try:
        return success(line, await ask(engine, line.record), render)
    except (ModelFault, UsageFault):
        raise
    except Exception as error:
        return failure(command, line, error)


def _ended(fault: ModelFault, line: Line, tally: Tally) -> str:
    written = tally.progress.done
    return f"{line.where}: {fault.reason} ({written} record{'s' * (written != 1)} before it done)"


def _dry_run(stream: Stream, engine: Engine, work: Callable[[Line], Coroutine[Any, Any, Outcome]]) -> int:
    """Go through the input without sending anything, and print one record that says what it would take.

    It goes to standard output, for it is not what ``--output`` was named for.
    """
    from scholartools import io

    tally = Tally(stream)
    with tally, io.open_output(None) as output:
        for _, outcome, _ in _asked(stream, engine, work):
            if isinstance(outcome, BaseException):
                raise outcome
            tally.settle(
                outcome if outcome.fault is None or outcome.fault.kind != "dry-run" else _unsent(outcome), None
            )
        output.write(engine.forecast())
    return tally.status()


def _unsent(outcome: Outcome) -> Outcome:
    return outcome._replace(fault=None)


def _settings(options: dict[str, Any]) -> Any:
    from scholartools.llm.settings import Settings

    named = {**options, "cache": not options["no_cache"], "namespace": options["cache_namespace"]}
    settings = Settings(**{field.name: named[field.name] for field in dataclasses.fields(Settings)})
    if not all(map(math.isfinite, (value for value in named.values() if isinstance(value, float)))):
        raise UsageFault("an option is a number that is not finite")
    if settings.replay and (settings.refresh or not settings.cache):
        raise UsageFault("--replay reads the cache: it goes neither with --refresh nor with --no-cache")
    return settings


def _cache(settings: Any) -> Any:
    from scholartools.llm.cache import Cache, default_path

    return Cache.open(default_path()) if settings.cache else None
