"""What becomes of each record: the work is done on it, and whatever is raised becomes part of the outcome."""

from __future__ import annotations

import functools
import math
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools import io
from scholartools.errors import NothingUsable, ScholartoolsError
from scholartools.io import Line, Record
from scholartools.pipeline import parallel
from scholartools.pipeline.bounds import Guard
from scholartools.pipeline.workers import Limits, Workers
from scholartools.records import failures

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

# Records as deep as JSON may be go to other processes, by pickle.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))


class SeveralRecords(NamedTuple):
    """What is made of one record where that is not one record.

    Attributes:
        records: in their order; there may be none.
        notes: counts to report at the end, summed over all records; each name begins with a noun in the singular.
    """

    records: list[Record]
    notes: Mapping[str, int]


Transform = Callable[[Record], Record | SeveralRecords]
TransformMany = Callable[[Iterable[Record]], Iterator[Record | ScholartoolsError]]
Render = Callable[[Record], Any]


class Outcome(NamedTuple):
    """What became of one line: what to write (a record with ``errors`` if it failed) and the fault, if any."""

    where: str
    content: Any
    fault: ScholartoolsError | None = None
    failed_before: bool = False  # it had failed in an earlier command, and lacks what this one needs
    missing: str | None = None  # what a model gave no usable reply to; the rest of the record is done
    notes: Mapping[str, int] | None = None  # what to say of it at the end, with how often
    is_parked: bool = False  # a question about it is answered later: nothing has become of it yet


def outcomes(
    command: str,
    transform: Transform,
    lines: Iterable[Line],
    *,
    many: TransformMany | None = None,
    render: Render = io.dumps,
    workers: Workers | None = None,
    chunk: int = 16,
    bounds: Limits | None = None,
    waits: Callable[[], None] | None = None,
) -> Generator[Outcome, None, None]:
    """What becomes of every line, in order; bounded look-ahead.

    Args:
        command: who does the work, for ``errors``; with its task, where it has several: "st-judge match".
        transform: takes a record, returns a new one, raises ScholartoolsError when it cannot.
        many: makes of several records what ``transform`` makes of each, or what that raises, in less time.
        render: makes the content of the outcome of each new record.
        workers: who does the work; None where that is this process.
        chunk: records sent to a worker at once, or given to ``many``.
        bounds: of the time and memory for each record, in whatever process; see :mod:`.bounds`.
        waits: called in this process before the next outcome is waited for; what it raises ends the run.
    """
    guard = Guard(bounds, waits if workers is None else None) if bounds is not None else None
    work = functools.partial(attempt_all, command, transform, many=many, render=render, guard=guard)
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
    """Run the transform on lines as they come; by ``many`` on a list of several. A guard bounds what a record takes."""
    run = guard.run if guard is not None else None
    transform = functools.partial(run, transform) if run else transform
    if many and isinstance(lines, list) and len(lines) > 1:
        made = many(line.record for line in lines if line.fault is None)
        take = functools.partial(run, next, made) if run else functools.partial(next, made)
        transform = functools.partial(_take_next, take, transform)
    return (_attempt_line(command, transform, line, render) for line in lines)


def _take_next(
    take: Callable[[], Record | SeveralRecords | ScholartoolsError], transform: Transform, record: Record
) -> Record | SeveralRecords:
    """What was made of a record among others; where a fault that is none of them ended that, of it alone."""
    try:
        found = take()
    except Exception:
        return transform(record)
    if isinstance(found, ScholartoolsError):
        raise found
    return found


def _attempt_line(command: str, transform: Transform, line: Line, render: Render) -> Outcome:
    """Run the transform on one line; whatever it raises becomes part of the outcome."""
    if line.fault is not None:
        return failure(command, line, line.fault)
    try:
        return success(line, transform(line.record), render)
    except (Exception, SystemExit) as error:  # a library may end the program; a record does not
        return failure(command, line, error)


def success(line: Line, record: Record | SeveralRecords, render: Render = io.dumps) -> Outcome:
    """The outcome of a line whose work is done.

    Raises:
        ValueError: a number in what was added is not finite.
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
    """The record as JSON. A number that is none would be a null in it: one without nulls needs no closer look."""
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
    """What this run says is missing of a record that is done in part: the reasons of its new ``errors``, each once."""
    if after.get("errors") is before.get("errors"):
        return None
    earlier = {id(entry) for entry in failures(before)}
    new = dict.fromkeys(entry["reason"] for entry in failures(after) if id(entry) not in earlier)
    return "; ".join(new) or None


def failure(command: str, line: Line, error: BaseException) -> Outcome:
    """The record with one more ``errors`` entry. No place in it: split input must give the same bytes.

    What an earlier run made goes where the fault says so: it would pass for what this one made.
    """
    fault = error if isinstance(error, ScholartoolsError) else _internal_error(error)
    earlier = failures(line.record)
    if fault.kind == "missing-key" and earlier:
        return Outcome(line.where, _as_read(line, line.record), failed_before=True)
    program, _, task = command.partition(" ")
    named = {"command": program, "task": task} if task else {"command": program}
    entry = {**named, "kind": fault.kind, "reason": fault.reason, **fault.details}
    going_on = error.record if isinstance(error, NothingUsable) else None
    record = {**(line.record if going_on is None else going_on), "errors": [*earlier, entry]}
    return Outcome(line.where, _as_read(line, record), fault)


def _as_read(line: Line, record: Record) -> Record | bytes:
    """The record, or its JSON where values of the line are to be written as they were read."""
    return line.encode(record) if line.kept else record


def _internal_error(error: BaseException) -> ScholartoolsError:
    if isinstance(error, MemoryError):
        return ScholartoolsError("it needs more memory than allowed", kind="memory")
    print_traceback(error)
    fault = ScholartoolsError(f"internal error, please report: {type(error).__name__}: {error}", kind="internal")
    fault.__cause__ = error
    return fault


def print_traceback(error: BaseException) -> None:
    """Show where an exception came from on standard error, for who set ST_TRACEBACK."""
    if os.environ.get("ST_TRACEBACK"):
        import traceback

        traceback.print_exception(error)


def identity(record: Record) -> Record:
    """The record itself."""
    return record


def _worker_died(command: str, line: Line, reason: str) -> Outcome:
    return failure(command, line, ScholartoolsError(reason, kind="process-died"))


def refuse_nan(before: Record, after: Record) -> None:
    """orjson writes NaN as null without a word; a number that is none must not leave unnoticed."""
    for key, value in after.items():
        if type(value) not in _PLAIN and value is not before.get(key) and not _is_finite(value):
            raise ValueError(f'a number in "{key}" is not finite')


# Types of values in which there is no such number; most values are of one of them.
_PLAIN = {str, int, bool, type(None)}


def _is_finite(value: Any) -> bool:
    """Whether all numbers in a value, however deep, are finite."""
    values = [value]
    for value in values:  # those within it are added while it goes on
        if isinstance(value, dict):
            value = value.values()
        elif not isinstance(value, (list, tuple)):
            if isinstance(value, float) and not math.isfinite(value):
                return False
            continue
        for inner in value:  # a comprehension for each of these small containers takes half as long again
            if type(inner) not in _PLAIN:
                values.append(inner)
    return True
