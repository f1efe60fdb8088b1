"""Run a task over many records from Python, with or without a model.

Records are yielded in input order, and a bounded number is read ahead.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import weakref
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scholartools.errors import ModelFault, ScholartoolsError, Terminated, UsageFault
from scholartools.io import Line, Record
from scholartools.pipeline.bounds import DEFAULT
from scholartools.pipeline.guard import check_guard
from scholartools.pipeline.outcome import Outcome, Transform, TransformMany, identity, outcomes
from scholartools.pipeline.own_task import OwnAsk, OwnTransform, check_ask, check_transform, innermost
from scholartools.pipeline.session import ENDED, Session, without_dry_run_fault
from scholartools.pipeline.workers import make_workers

if TYPE_CHECKING:
    from scholartools.llm.engine import Engine
    from scholartools.llm.settings import Settings
    from scholartools.llm.usage.counts import Counts
    from scholartools.pipeline.workers import Limits

    Ask = Callable[[Engine, Record], Awaitable[Record]]

#: Policies for a failed record: keep it with an entry in ``errors``, skip it, or raise.
ON_ERROR = ("keep", "skip", "raise")


def run(
    records: Iterable[Record],
    task: Transform,
    *,
    on_error: str = "keep",
    jobs: int = 1,
    many: TransformMany | None = None,
    chunk: int = 16,
    limits: Limits | None = None,
    bounds: Limits | None = DEFAULT,
    scheduler: str | None = None,
    name: str | None = None,
) -> Iterator[Record]:
    """Run a task without a model over records, and yield the new records in order: ``run(records, facets.label)``.

    Args:
        records: records to process. If ``jobs`` is 1, ``run`` reads a record when its result is requested. If ``jobs``
            is higher, a separate thread reads the records.
        task: a function that takes a record and returns a new record, or raises ScholartoolsError if it cannot. If
            ``jobs`` is higher than 1, Python must be able to import the task (or the function of a partial), and a
            script must call ``run`` under ``if __name__ == "__main__":``.
        on_error: what to do with a failed record: "keep" yields the record with an entry in ``errors``, "skip" leaves
            the record out, and "raise" raises an exception.
        jobs: number of processes. With 1, the current process does the work, unless ``limits`` are set.
        many: a function that processes many records in one call, with the same results as ``task`` in less time:
            ``many=facets.label_all``.
        chunk: number of records that are sent to a process, or passed to ``many``, at once.
        limits: limits of time and memory for each chunk of records. A chunk with limits is processed in another
            process.
        bounds: limits of processor time and memory for each record (:mod:`.bounds`); None means no limits.
        scheduler: address of a Dask cluster that processes the records. The workers of the cluster must be able to
            import the task; docs/scale.md lists the other requirements.
        name: name of the task in the entries of ``errors`` (default: the command of the task, or the name of the
            function).

    Raises:
        UsageFault: an argument is out of range or has a wrong type, or a script with several processes calls ``run``
            outside of ``if __name__ == "__main__":``.
        ScholartoolsError: a record failed, and ``on_error`` is "raise". The reason names the number of the record,
            counted from 1.
    """
    _check_on_error(on_error)
    check_transform(task)
    for limit in (limits, bounds):
        _check_limits(limit)
    for text in (scheduler, name):
        if not (text is None or isinstance(text, str)):
            raise UsageFault(f"run: {text!r:.40} is not a text")
    _check_processes(many or task, jobs, chunk, limits, scheduler)
    found = outcomes(
        name or _name_of(task), OwnTransform(task), _number_records(records), many=many, render=identity,
        workers=make_workers(jobs, limits, scheduler), chunk=chunk, bounds=bounds if limits is None else None,
    )  # fmt: skip
    return _results_of(found, on_error)


def ask(
    records: Iterable[Record],
    task: Ask | None = None,
    settings: Settings | None = None,
    *,
    on_error: str = "keep",
    warn: Callable[[str], None] | None = None,
    name: str | None = None,
) -> Answers:
    """Run a task that calls a model over records, in order: ``ask(records, facets.ask, Settings(model=...))``.

    A separate thread processes many records at the same time, so ``ask`` works in a notebook and inside an event loop.
    ``ask`` reads replies from the cache (``ST_CACHE``, as for the commands), and stores each reply of the model in the
    cache before it uses the reply. ``ask`` calls the model only when the first record is requested.

    Args:
        records: records to process. A separate thread reads a limited number of records in advance.
        task: a coroutine function that takes an engine and a record, such as ``facets.ask`` (or a partial of it).
        settings: settings for the calls of the model, such as its name, the budget and replay.
        on_error: what to do with a failed record: "keep", "skip" or "raise", as in :func:`run`. If only parts of a
            record failed, "skip" yields the record, and "raise" raises an exception.
        warn: a function that receives each message for the user once (default: the messages are logged).
        name: name of the task in the entries of ``errors``, as in :func:`run`.

    Raises:
        UsageFault: an argument is out of range, ``task`` is not a function of an engine and a record, or (during the
            run) a record is not a dictionary.
        ModelFault: the cache or the budget cannot be used, or (during the run) the run must end because of the budget,
            the API key, or a missing reply in a replay.
        ScholartoolsError: a record failed, and ``on_error`` is "raise".
    """
    _check_on_error(on_error)
    settings = _need_settings(settings, "ask")
    if settings.dry_run:
        raise UsageFault("dry_run: call estimate() instead")
    _refuse_files(settings)
    task = check_ask(task, "ask")
    lines = _number_records(records)
    warn = warn or _log_message
    session = Session(settings, warn=warn)
    found = _iter_outcomes(session, lines, OwnAsk(task), name or _name_of(task), warn)
    return Answers(session, _results_of(found, on_error))


class Answers(Iterator[Record]):
    """An iterator over the records that :func:`ask` makes.

    A run of :func:`ask` ends early if ``close()`` of the iterator is called, its ``with`` block ends, or the iterator
    is deleted. :func:`ask` then sends no more calls, but waits for the replies to the calls that were sent, so that no
    paid reply is lost. The same run, started again, continues at the first record without a reply. Any thread or task
    of an event loop may call ``close()``, also while another thread waits for the next record.
    """

    def __init__(self, session: Session, results: Generator[Record, None, None]) -> None:
        """``results`` are the records of the session."""
        self._session = session
        self._results = results
        self._taking = threading.RLock()
        self._is_closed = False
        _close_at_exit().add(self)

    def __next__(self) -> Record:
        """Return the next record."""
        with self._taking:
            if self._is_closed:
                self._results.close()
            try:
                return next(self._results)
            except ModelFault as fault:
                if self._is_closed and fault.kind == ENDED:  # its call was not sent
                    raise StopIteration from None
                raise

    def __enter__(self) -> Answers:
        """Return the iterator, which is closed at the end of the block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        """Close; after an interrupt, wait only a few seconds for calls in flight."""
        if kind is not None and issubclass(kind, (KeyboardInterrupt, Terminated)):
            self._session.engine.close_soon()
        self.close()

    def close(self) -> None:
        """Send no more calls, wait for those in flight, and store their replies."""
        self._is_closed = True
        self._session.engine.stop()
        if self._session.runs_here():  # the next call of __next__ closes it
            return
        with self._taking, contextlib.suppress(ValueError):  # ValueError: called within __next__ of this thread
            self._results.close()

    @property
    def counts(self) -> Counts:
        """Calls sent, replies from the cache, tokens, USD and problems so far."""
        return self._session.engine.counts

    @property
    def n_unsaved(self) -> int:
        """Number of paid replies that could not be stored; final after the end of the run."""
        return self._session.engine.n_unsaved


def estimate(records: Iterable[Record], task: Ask | None = None, settings: Settings | None = None) -> Record:
    """Estimate the calls, the tokens and the cost in USD of a run of :func:`ask`, without calling the model.

    Returns:
        A dictionary with the estimate of :meth:`Engine.forecast`, and ``failed``: the number of records that fail
        before the model is called.

    Raises:
        UsageFault: ``task`` is not a function of an engine and a record.
    """
    settings = _need_settings(settings, "estimate")
    task = check_ask(task, "estimate")
    lines = _number_records(records)
    session = Session(replace(settings, dry_run=True), warn=_log_message)
    failed = 0
    with contextlib.closing(session.outcomes(lines, OwnAsk(task), _name_of(task), render=identity)) as answers:
        for outcome in answers:
            failed += without_dry_run_fault(outcome).fault is not None
    return {**session.engine.forecast()["dry_run"], "failed": failed}


def _iter_outcomes(
    session: Session, lines: Iterable[Line], task: Ask, name: str, warn: Callable[[str], None]
) -> Generator[Outcome, None, None]:
    found = session.outcomes(lines, task, name, render=identity)
    with session.report_losses(warn), contextlib.closing(found) as answers:
        yield from answers


def _results_of(found: Generator[Outcome, None, None], on_error: str) -> Generator[Record, None, None]:
    """Records of the outcomes, with failed ones treated according to ``on_error``."""
    with contextlib.closing(found) as each:
        for outcome in each:
            failed = outcome.fault is not None or outcome.failed_before
            if on_error == "raise" and (failed or outcome.missing is not None):
                raise _fault_of(outcome)
            if on_error == "keep" or not failed:
                yield outcome.content


def _fault_of(outcome: Outcome) -> ScholartoolsError:
    """Error of a failed record, with its position; an exception of the task is its cause."""
    if (fault := outcome.fault) is None:
        kind, reason = ("missing-parts", outcome.missing) if outcome.missing else ("failed-before", "it failed before")
        return ScholartoolsError(f"{outcome.where}: {reason}", kind=kind)
    placed = type(fault)(f"{outcome.where}: {fault.reason}", kind=fault.kind, details=fault.details)
    placed.__cause__ = fault.__cause__
    return placed


def _number_records(records: Iterable[Record]) -> Iterator[Line]:
    """Records with their numbers.

    Raises:
        UsageFault: not iterable, or (during iteration) a record is not a dictionary.
    """
    try:
        found = iter(records)
    except TypeError:
        raise UsageFault(f"the records are of the type {type(records).__name__}, not a list of dict") from None
    return _iter_lines(found)


def _iter_lines(records: Iterator[Record]) -> Iterator[Line]:
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise UsageFault(f"record {number} is of the type {type(record).__name__}, not dict")
        yield Line(f"record {number}", record)


def _name_of(task: Callable) -> str:
    """Command of the task, as its module names it; else the name of the function."""
    task = innermost(task)
    module = getattr(task, "__module__", type(task).__module__)
    name = getattr(task, "__qualname__", type(task).__qualname__)
    return getattr(sys.modules.get(module), "COMMAND", f"{module}.{name}")


@functools.cache
def _close_at_exit() -> weakref.WeakSet[Answers]:
    """Iterators to close when the program ends.

    ``atexit`` is too late: before it, concurrent.futures stops accepting work, so that replies in flight could not be
    stored; after it, other threads are frozen, and closing would wait for them forever.
    """
    import concurrent.futures.thread  # noqa: F401  its exit function, registered first, runs last

    alive: weakref.WeakSet[Answers] = weakref.WeakSet()

    def close_all() -> None:
        for answers in list(alive):
            answers.close()

    threading._register_atexit(close_all)  # type: ignore[attr-defined]
    return alive


def _check_processes(task: Callable, jobs: int, chunk: int, limits: Limits | None, scheduler: str | None) -> None:
    if any(not isinstance(number, int) or number < 1 for number in (jobs, chunk)):
        raise UsageFault("jobs and chunk must be whole numbers of 1 or more")
    if scheduler is not None and (jobs > 1 or getattr(innermost(task), "__module__", None) == "__main__"):
        wrong = "jobs" if jobs > 1 else "a task of the program's own file, which workers of a cluster do not have"
        raise UsageFault(f"scheduler: it cannot be used with {wrong}")
    if jobs > 1 or limits is not None or scheduler is not None:
        import pickle

        try:
            pickle.dumps(task)
        except Exception as error:
            raise UsageFault(f"the task cannot be sent to another process (it must be importable): {error}") from None
        if scheduler is None:
            check_guard()


def _check_limits(limits: Limits | None) -> None:
    """Check limits, which would have no effect if they were of a wrong type."""
    from scholartools.pipeline.workers import Limits

    if limits is None:
        return
    if not isinstance(limits, Limits):
        raise UsageFault(f"{limits!r:.40} is not Limits(seconds, megabytes)")
    for limit in limits:
        is_number = isinstance(limit, (int, float)) and not isinstance(limit, bool)
        if limit is not None and not (is_number and limit > 0):
            raise UsageFault(f"{limit!r:.40} is not a limit: more than 0 seconds or megabytes, or None")


def _need_settings(settings: Any, caller: str) -> Settings:
    from scholartools.llm.settings import need_settings

    return need_settings(settings, caller)


def _refuse_files(settings: Settings) -> None:
    """Raise for settings with batch files, since the program would have to be started again for the replies."""
    if settings.batch_folder is not None:
        name = "batch" if settings.batch else "batch_file"
        raise UsageFault(f"{name}: only a command resumes an earlier run", parameter=name)


def _check_on_error(on_error: str) -> None:
    if on_error not in ON_ERROR:
        raise UsageFault(f'on_error must be one of {", ".join(ON_ERROR)}, not "{on_error}"')


def _log_message(message: str) -> None:
    import logging

    logging.getLogger("scholartools").warning(message)
