"""Process each record; a result or an exception becomes its outcome."""

from __future__ import annotations

import functools
import math
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools import io
from scholartools.errors import NothingUsable, ScholartoolsError
from scholartools.io import Line, RawLine, Record
from scholartools.pipeline import parallel
from scholartools.pipeline.bounds import Guard
from scholartools.pipeline.workers import Limits, Workers
from scholartools.records import failures

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

# Deeply nested records are pickled for other processes.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))


class SeveralRecords(NamedTuple):
    """Result of a task that makes any number of records from one.

    Attributes:
        records: the records in order, possibly none.
        notes: counts to report at the end, summed over all input records; each name begins with a singular noun.
    """

    records: list[Record]
    notes: Mapping[str, int]


Transform = Callable[[Record], Record | SeveralRecords]
TransformMany = Callable[[Iterable[Record]], Iterator[Record | ScholartoolsError]]
Render = Callable[[Record], Any]


class Outcome(NamedTuple):
    """Result of one line: the content to write (for a failed record, the record with ``errors``) and the fault, if
    any.
    """

    where: str
    content: Any
    fault: ScholartoolsError | None = None
    failed_before: bool = False  # failed in an earlier command, and lacks a key that this one needs
    missing: str | None = None  # parts without a usable reply of a model; the rest of the record is done
    notes: Mapping[str, int] | None = None  # messages for the end of the run, with their counts
    is_parked: bool = False  # a request is pending, so there is no result yet


def outcomes(
    command: str,
    transform: Transform,
    lines: Iterable[Line | RawLine],
    *,
    many: TransformMany | None = None,
    render: Render = io.dumps,
    workers: Workers | None = None,
    chunk: int = 16,
    bounds: Limits | None = None,
    waits: Callable[[], None] | None = None,
) -> Generator[Outcome, None, None]:
    """Outcomes of all lines, in order, with bounded read-ahead.

    Args:
        command: name of the command for ``errors``, with its task if it has several: "st-judge match".
        transform: makes a new record from a record, or raises ScholartoolsError.
        many: equivalent of ``transform`` for several records in less time.
        render: makes the content of the outcome from each new record.
        workers: worker processes; None for this process.
        chunk: number of records passed to a worker, or to ``many``, at once.
        bounds: limits of time and memory per record, in any process; see :mod:`.bounds`.
        waits: called in this process before waiting for the next outcome; its exceptions end the run.
    """
    guard = Guard(bounds, waits if workers is None else None) if bounds is not None else None
    work: Any = functools.partial(attempt_all, command, transform, many=many, render=render, guard=guard)
    if workers is not None:
        work = functools.partial(_decode_and_attempt, work)
    on_death = functools.partial(_worker_died, command)
    return parallel.ordered_map(
        work, lines, workers, chunk=chunk, one_at_a_time=not many, on_death=on_death, waits=waits
    )


def attempt_all(
    command: str,
    transform: Transform,
    lines: Iterable[Line],
    *,
    many: TransformMany | None = None,
    render: Render = io.dumps,
    guard: Guard | None = None,
) -> Iterator[Outcome]:
    """Transform lines one by one, or a list of several by ``many``. ``guard`` limits time and memory per record."""
    run = guard.run if guard is not None else None
    transform = functools.partial(run, transform) if run else transform
    if many and isinstance(lines, list) and len(lines) > 1:
        made = many(line.record for line in lines if line.fault is None)
        take = functools.partial(run, next, made) if run else functools.partial(next, made)
        transform = functools.partial(_take_next, take, transform)
    return (_attempt_line(command, transform, line, render) for line in lines)


def _decode_and_attempt(
    work: Callable[[list[Line]], Iterator[Outcome]], lines: list[Line | RawLine]
) -> Iterator[Outcome]:
    """Outcomes of a chunk of lines, which are decoded in the process of the worker."""
    return work([_decode(line) for line in lines])


def _take_next(
    take: Callable[[], Record | SeveralRecords | ScholartoolsError], transform: Transform, record: Record
) -> Record | SeveralRecords:
    """Result for a record from a batch; if the batch failed with an unexpected exception, of the record alone."""
    try:
        found = take()
    except Exception:
        return transform(record)
    if isinstance(found, ScholartoolsError):
        raise found
    return found


def _attempt_line(command: str, transform: Transform, line: Line, render: Render) -> Outcome:
    """Transform one line; an exception becomes part of the outcome."""
    if line.fault is not None:
        return failure(command, line, line.fault, render)
    try:
        return success(line, transform(line.record), render)
    except (Exception, SystemExit) as error:  # a library may call sys.exit
        return failure(command, line, error, render)


def success(line: Line, record: Record | SeveralRecords, render: Render = io.dumps) -> Outcome:
    """Outcome of a successful line.

    Raises:
        ValueError: a number in the added values is not finite.
    """
    if isinstance(record, SeveralRecords):
        return _success_of_several(line, record, render)
    if render is io.dumps:
        content: Any = _encode(line, record)
    else:
        refuse_nan(line.record, record)
        content = render(record)
    return Outcome(line.where, content, missing=_missing_reason(line.record, record))


def _encode(line: Line, record: Record) -> bytes:
    """Record as JSON. A number that is not finite is encoded as null, so a text without null needs no check."""
    try:
        content = line.encode(record)
    except (TypeError, ValueError):
        refuse_nan(line.record, record)
        raise
    if b"null" in content:
        refuse_nan(line.record, record)
    return content


def _success_of_several(line: Line, several: SeveralRecords, render: Render) -> Outcome:
    for one in several.records:
        refuse_nan({}, one)
    parts = [render(one) for one in several.records]
    content = parts if render is identity else b"\n".join(parts) or ""
    missing = [reason for one in several.records if (reason := _missing_reason(line.record, one))]
    return Outcome(line.where, content, missing="; ".join(missing) or None, notes=dict(several.notes))


def _missing_reason(before: PaperRecord, after: PaperRecord) -> str | None:
    """Reasons of the errors that this run added to a record that is done in part, without duplicates."""
    if after.get("errors") is before.get("errors"):
        return None
    earlier = {id(entry) for entry in failures(before)}
    new = dict.fromkeys(entry["reason"] for entry in failures(after) if id(entry) not in earlier)
    return "; ".join(new) or None


def failure(command: str, line: Line, error: BaseException, render: Render | None = None) -> Outcome:
    """Record with an additional entry in ``errors``, without its position: split input must give the same bytes.

    It is encoded here if records are rendered as JSON, so that the process of the worker encodes it.

    If the fault supplies a record without an earlier result of the command, that one is used, so that the old result is
    not mistaken for a new one.

    What an earlier run made goes where the fault says so: it would pass for what this one made.
    """
    fault = error if isinstance(error, ScholartoolsError) else _internal_error(error)
    earlier = failures(line.record)
    if fault.kind == "missing-key" and earlier:
        return Outcome(line.where, _failed_content(line, line.record, render), failed_before=True)
    program, _, task = command.partition(" ")
    named = {"command": program, "task": task} if task else {"command": program}
    entry = {**named, "kind": fault.kind, "reason": fault.reason, **fault.details}
    going_on = error.record if isinstance(error, NothingUsable) else None
    record = {**(line.record if going_on is None else going_on), "errors": [*earlier, entry]}
    return Outcome(line.where, _failed_content(line, record, render), fault)


def _failed_content(line: Line, record: Record, render: Render | None) -> Record | bytes:
    """The record, or its JSON if records are written as JSON or values must be written as they were read."""
    return line.encode(record) if render is io.dumps or line.kept else record


def _internal_error(error: BaseException) -> ScholartoolsError:
    if isinstance(error, MemoryError):
        return ScholartoolsError("it needs more memory than allowed", kind="memory")
    print_traceback(error)
    fault = ScholartoolsError(f"internal error, please report: {type(error).__name__}: {error}", kind="internal")
    fault.__cause__ = error
    return fault


def print_traceback(error: BaseException) -> None:
    """Print the traceback of an exception to standard error if ST_TRACEBACK is set."""
    if os.environ.get("ST_TRACEBACK"):
        import traceback

        traceback.print_exception(error)


def identity(record: Record) -> Record:
    """Return the record."""
    return record


def _decode(line: Line | RawLine) -> Line:
    return line.decode() if isinstance(line, RawLine) else line


def _worker_died(command: str, line: Line | RawLine, reason: str) -> Outcome:
    return failure(command, _decode(line), ScholartoolsError(reason, kind="process-died"))


def refuse_nan(before: Record, after: Record) -> None:
    """Raise ValueError for a new value with a number that is not finite, which orjson would silently encode as null."""
    for key, value in after.items():
        if type(value) not in _PLAIN and value is not before.get(key) and not _is_finite(value):
            raise ValueError(f'a number in "{key}" is not finite')


# Types of most values, which contain no floats.
_PLAIN = {str, int, bool, type(None)}


def _is_finite(value: Any) -> bool:
    """Whether all numbers in a value are finite, at any depth."""
    values = [value]
    for value in values:  # nested values are appended during the iteration
        if isinstance(value, dict):
            value = value.values()
        elif not isinstance(value, (list, tuple)):
            if isinstance(value, float) and not math.isfinite(value):
                return False
            continue
        for inner in value:  # a comprehension for each small container takes 50% longer
            if type(inner) not in _PLAIN:
                values.append(inner)
    return True
