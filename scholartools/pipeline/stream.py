"""The main loop of the commands: read records, process them, write records, and handle failed ones."""

from __future__ import annotations

import contextlib
import difflib
import functools
import os
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from scholartools import io
from scholartools.address import is_loopback
from scholartools.errors import InputFault, UsageFault
from scholartools.io import Line, Record
from scholartools.parameters import parameter
from scholartools.pipeline.bounds import DEFAULT
from scholartools.pipeline.outcome import (
    Outcome,
    Render,
    Transform,
    TransformMany,
    failure,
    identity,
    outcomes,
    refuse_nan,
)
from scholartools.pipeline.progress import Progress
from scholartools.pipeline.workers import Limits, Workers, make_workers
from scholartools.shards import Shard
from scholartools.table_files.reading import JSON_LINES, Reading
from scholartools.wording import count_of

# Maximum number of messages about one reason; all are in the ``errors`` of the records.
_LINES = 20
# Up to this number of records that all lack the same key, each is reported; more become one message and a count.
_FEW = 4
# Parts of a reason that vary between records: quoted texts and numbers.
_DETAIL = re.compile(r'"[^"]*"|\d+')


class Stop(Exception):
    """Stop the run (``--on-error stop``, or no usable record). Raised through the output, which stays incomplete."""


class Taking(Protocol):
    """Destination of outcomes."""

    def write(self, made: Any) -> None:
        """Write a content."""


class Writer(Protocol):
    """Writer of a format other than records: beginning, one part per record, end."""

    def begin(self, output: Any) -> None:
        """Write the part before the first record."""

    def make(self, record: Record) -> Any:
        """Make the part for a record; an exception makes the record a failed one."""

    def write(self, output: Any, made: Any) -> None:
        """Write a part; an exception ends the run."""

    def end(self, output: Any, n_failed: int) -> None:
        """Write the part after the last record; ``n_failed`` records were left out."""


@dataclass
class Stream:
    """Common options of a command, and the loops that implement them."""

    command: str
    files: tuple[str, ...]
    output: str | None
    on_error: str
    jobs: int
    quiet: bool
    progress: str
    watch: Callable[[Record], None] | None = None  # called with every record that is read
    task: str = ""  # name of the task, if the command has several
    bounds: Limits = DEFAULT  # limits per record of work without a model
    reading: Reading = JSON_LINES  # how tables are read
    shard: Shard | None = None  # part of the input to process
    scheduler: str | None = None  # address of a Dask cluster to use instead of local processes
    _output: io.Output | None = field(default=None, init=False)  # the open output
    _writer: int = field(default=0, init=False)  # id of the thread that writes into it

    @property
    def worker(self) -> str:
        """The command with its task, for ``errors``."""
        return f"{self.command} {self.task}".rstrip()

    def map_records(
        self,
        transform: Transform,
        lines: Iterable[Line] | None = None,
        *,
        many: TransformMany | None = None,
        render: Render | None = None,
        total: int | None = None,
        chunk: int = 16,
        limits: Limits | None = None,
        path_of: Callable[[Line], str | None] | None = None,
    ) -> int:
        """Write ``transform(record)`` for every record, in order; return the exit status.

        Args:
            lines: the lines to process; default: the records of the files.
            render: makes human-readable text from each record, written instead of the record.
            total: number of lines, if known.
            limits: limits of time and memory for each chunk, which is then processed in another process.
            path_of: returns the file that the work on a line opens.
            transform, many, chunk: see :func:`outcomes`.
        """
        found = outcomes(
            self.worker, transform, self._read_for_workers(limits) if lines is None else lines, many=many,
            render=render or io.dumps, chunk=chunk, workers=self._workers(limits, path_of),
            bounds=self.bounds if limits is None else None, waits=self.flush,
        )  # fmt: skip
        tally = Tally(self, total, keep_failed=self.on_error == "keep" and render is None)
        with tally, self.open_output() as output:
            for outcome in found:
                tally.record(outcome, output)
            tally.stop_if_all_failed()
        return tally.status()

    def transform_quietly(
        self, transform: Transform, lines: Iterable[Line], limits: Limits, path_of: Callable[[Line], str | None]
    ) -> Iterator[Record | None]:
        """Yield ``transform(record)`` for every record, in order, None if it fails; nothing is written or reported."""
        found = outcomes(
            self.worker, transform, lines, render=identity, chunk=1, workers=self._workers(limits, path_of)
        )
        return (None if outcome.fault else outcome.content for outcome in found)

    def reduce_records(
        self,
        add: Callable[[Record], None],
        finish: Callable[[int], Iterable[Record | str] | str | bytes],
        transform: Transform | None = None,
        *,
        keep_failed: bool = False,
    ) -> int:
        """Pass every record to ``add``, then write the result of ``finish``: records, text, or the bytes of a file.

        A rejected record is reported and left out; ``finish`` receives the number of failed records. Nothing is written
        if no record is usable.

        Args:
            transform: applied to each record first, in the processes of ``--jobs``.
            keep_failed: whether failed records are written after the others if the error policy is to keep them.
        """
        self._refuse_loss()
        tally = Tally(self)
        kept: list[Record] = []
        with tally, io.open_output(self.output) as output:
            for outcome in self._transform_all(transform):
                usable = outcome.fault is None and not outcome.failed_before
                outcome = _add_record(self.worker, add, outcome) if usable else outcome
                tally.record(outcome, None)
                if keep_failed and self.on_error == "keep" and (outcome.fault or outcome.failed_before):
                    kept.append(_with_fault(self.worker, outcome))
            tally.stop_if_all_failed()
            result = finish(tally.progress.failed)
            if isinstance(result, bytes):
                output.write_bytes(result)
                result = []
            for part in [*([result] if isinstance(result, str) else result), *kept]:
                if not isinstance(part, str):
                    refuse_nan({}, part)
                output.write(part)
        return tally.status()

    def write_with(
        self, writer: Writer, output: AbstractContextManager[Any] | None = None, *, allow_empty: bool = False
    ) -> int:
        """Pass every record to a writer as it is read; return the exit status.

        A rejected record is reported and left out. Records with ``errors`` are passed like others.

        Args:
            writer: the writer.
            output: its destination, if that is not a file.
            allow_empty: whether to write an output without any part, provided that a record can be read.
        """
        self._refuse_loss()
        tally, made, is_read = Tally(self), list[Any](), False
        with tally, output or self.open_output() as opened:
            writer.begin(opened)
            for line in self.read():
                made.clear()
                outcome = Outcome(line.where, line.record, line.fault)
                if line.fault is None:
                    is_read = True
                    outcome = _add_record(self.worker, lambda record: made.append(writer.make(record)), outcome)
                tally.record(outcome, None)
                for one in made:
                    writer.write(opened, one)
            if not (allow_empty and is_read):
                tally.stop_if_all_failed()
            writer.end(opened, tally.progress.failed)
        return min(tally.status(), 1) if allow_empty and is_read else tally.status()

    def _refuse_loss(self) -> None:
        """Reject a shard of the input, and an output that would overwrite the input."""
        self.refuse_shard()
        self._refuse_output_as_input("which would be overwritten")

    def _refuse_output_as_input(self, told: str) -> None:
        if self.output and any(io.is_same_file(self.output, name) for name in self.files):
            raise UsageFault(f"--output {self.output} is also an input file, {told}")

    def _transform_all(self, transform: Transform | None) -> Iterator[Outcome]:
        if transform is None:
            return (Outcome(line.where, line.record, line.fault) for line in self.read())
        lines, workers = self._read_for_workers(None), self._workers(None)
        return outcomes(self.worker, transform, lines, render=identity, workers=workers, bounds=self.bounds)

    def _workers(self, limits: Limits | None, path_of: Callable[[Line], str | None] | None = None) -> Workers | None:
        if self.scheduler is not None:
            from scholartools.pipeline.workers.cluster import host_of

            if not is_loopback(host_of(self.scheduler)) and not self.scheduler.startswith("tls:"):
                risk = "anyone who can connect to it can run programs as you"
                self.tell(f"{self.scheduler} is not a tls:// address: {risk}")
        return make_workers(self.jobs, limits, self.scheduler, path_of, self.tell, forks=True)

    @contextlib.contextmanager
    def open_output(self) -> Iterator[io.Output]:
        """Open the output, which :meth:`flush` flushes during the block."""
        with io.open_output(self.output) as output:
            self._output, self._writer = output, threading.get_ident()
            try:
                yield output
            finally:
                self._output = None

    def flush(self) -> None:
        """Flush the output before a record that may take long; only in the thread that writes.

        Raises:
            OutputFault, BrokenPipeError: see :meth:`Output.write`.
        """
        if self._output is not None and threading.get_ident() == self._writer:
            self._output.flush()

    def take_names(
        self, known: Iterable[str], what: str, explain: Callable[[str], str | None] = lambda _: None
    ) -> list[str]:
        """Remove the names of metrics or statistics from the arguments; the rest are files.

        ``explain`` returns a hint about a well-known name that is not supported, or None.

        Raises:
            UsageFault: an argument is neither a known name nor a file.
        """
        known = list(known)
        names = [argument for argument in self.files if argument in known]
        self.files = tuple(argument for argument in self.files if argument not in known)
        for argument in self.files:
            if argument != "-" and not os.path.exists(argument) and not set(argument) & set("./"):
                near = difflib.get_close_matches(argument, known, n=2)
                hint = f"did you mean {' or '.join(near)}?" if near else f"a {what} is one of {', '.join(known)}"
                raise UsageFault(f'"{argument}" is neither a {what} nor a file; {explain(argument) or hint}')
        return names

    def read(self) -> Iterator[Line]:
        """Lines of the files, or of standard input."""
        lines = self._read_lines(None)
        return lines if self.watch is None else map(functools.partial(_show_record, self.watch), lines)

    def _read_for_workers(self, limits: Limits | None) -> Iterator[Line | io.RawLine]:
        """Lines as :meth:`read` gives them, but not decoded if workers can do that: nothing else needs the records."""
        has_workers = self.jobs > 1 or limits is not None or self.scheduler is not None
        return self._read_lines(io.RawLine) if has_workers and self.watch is None else self.read()

    def _read_lines(self, make: Callable[[str, bytes], Any] | None) -> Iterator[Any]:
        if "-" in (self.files or ("-",)):
            self.warn_if_terminal("records")
        self._refuse_own_part()
        if self.shard is not None:
            self._refuse_output_as_input("of which only this part would be left for the runs on the other parts")
        reading = self.reading._replace(tell=self.tell)
        lines = io.read_lines(self.files, reading=reading, waits=self.flush, shard=self.shard, make=make)
        for path in filter(os.path.isfile, self.files):  # files that can be opened, as read_lines has checked
            if not os.path.getsize(path):
                self.tell(f"{path}: an empty file")
            elif io.is_blank(path):
                self.tell(f"{path}: a file without records, only blank lines")
        return lines

    def read_checked(self, check: Callable[[Record], None]) -> Iterator[Line]:
        """Lines in order, each record passed to ``check``; an InputFault of ``check`` becomes the fault of the line."""
        for line in self.read():
            try:
                if line.fault is None:
                    check(line.record)
            except InputFault as fault:
                line = line._replace(fault=fault)
            yield line

    def refuse_shard(self) -> None:
        """Raise if only a part of the records is read, by tasks that need all of them.

        Raises:
            UsageFault: a shard is requested.
        """
        if self.shard is not None:
            reason = "the result is of all records together: write the records of all parts first, then run it on these"
            raise UsageFault(reason, parameter="shard")

    def _refuse_own_part(self) -> None:
        """Raise if an input is the partial file of the output, which would be truncated before it is read.

        Raises:
            UsageFault: an input is that file.
        """
        part = io.part_of(self.output)
        for name in self.files if part else ():
            if os.path.exists(name) and os.path.exists(str(part)) and os.path.samefile(name, str(part)):
                named = parameter("output", self.output)
                raise UsageFault(f"{name} is both an input and the partial file of {named}: rename the input")

    def tell(self, message: str) -> None:
        """Print a message for the user, unless ``quiet``."""
        if not self.quiet:
            print(f"{self.command}: {message}", file=sys.stderr)

    def warn_if_terminal(self, what: str) -> None:
        """Tell the user that the command waits for input from the terminal."""
        if os.isatty(0) and not self.quiet:
            print(f"{self.command}: reading {what} from the terminal (Ctrl-D ends)", file=sys.stderr)


class Tally:
    """Counts outcomes, reports faults, and determines the exit status."""

    def __init__(
        self,
        stream: Stream,
        total: int | None = None,
        *,
        keep_failed: bool = False,
        more: Callable[[float], str] | None = None,
    ) -> None:
        self.stream = stream
        self.keep_failed = keep_failed
        self.progress = Progress(stream.command, stream.progress, quiet=stream.quiet, total=total, more=more)
        self.unusable = 0  # failed because of invalid input
        self.failed_before = 0  # failed in an earlier command
        self.notes: Counter[str] = Counter()
        self._told: Counter[str] = Counter()  # number of faults by reason, without details
        self._first: dict[str, str] = {}  # first reported reason of each
        self._keyless: list[str] | None = []  # messages withheld while all records lack a key; None once one does not

    def __enter__(self) -> Tally:
        """Return the tally."""
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> bool:
        """End the progress line and print the summary; a Stop is suppressed."""
        self.progress.release()
        self.progress.close()
        if not self.stream.quiet:
            if self._keyless and len(self._keyless) < _FEW:
                self._tell_keyless()
            shown = 1 if self._keyless else _LINES
            for alike, count in self._told.items():
                if count > shown:
                    more = count_of(count - shown, "more record")
                    self.progress.say(f"{more} failed for the same reason: {self._first[alike]}")
            for note, count in self.notes.most_common():
                what, _, rest = note.partition(" ")
                self.progress.say(f"{count_of(count, what)} {rest}")
        if self.failed_before and not self.stream.quiet:
            self.progress.say(f"{self.failed_before} of {count_of(self.progress.done, 'record')} had failed before")
        if isinstance(error, Stop) and self.stream.output and not self.stream.quiet:
            part = f"{self.stream.output}.part"
            there = f"; the incomplete output is in {part}" if os.path.isfile(part) else ""
            self.progress.say(f"the run stopped before the output {self.stream.output} was complete{there}")
        return isinstance(error, Stop)

    def record(self, outcome: Outcome, output: Taking | None) -> None:
        """Write an outcome, if there is an output, subject to the error policy."""
        failed = outcome.fault is not None or outcome.failed_before
        if output is not None and (not failed or self.keep_failed):
            output.write(outcome.content)
        self._count_outcome(outcome, failed)
        if (failed or outcome.missing) and self.stream.on_error == "stop":
            raise Stop

    def hold(self) -> None:
        """Hold back messages about records until the end, when it is known whether any request is pending."""
        self.progress.held = []

    def forget(self) -> None:
        """Drop all counts and held messages: requests are pending, and all records will be processed again."""
        self.progress.held = None
        self.progress.silence()
        self._told.clear()
        self._keyless = []
        self.notes.clear()
        self.failed_before = 0

    def warn(self, message: str) -> None:
        """Print a message during the run, unless ``quiet``."""
        if not self.stream.quiet:
            self.progress.say(message)

    def stop_if_all_failed(self) -> None:
        """End the run if no record was usable, so that an existing output file is kept."""
        if self.status() == 3:
            raise Stop

    def status(self) -> int:
        """0: all done; 1: some records failed, in whole or in part; 3: no record of the input was usable.

        For a shard, the latter is 1, since other parts may be usable.
        """
        if not self.progress.failed:
            return int(self.progress.partial > 0)
        nothing_usable = self.unusable + self.failed_before == self.progress.done
        return 3 if nothing_usable and self.stream.shard is None else 1

    def _count_outcome(self, outcome: Outcome, failed: bool) -> None:
        self.progress.count(failed=failed, partial=outcome.missing is not None)
        self.failed_before += outcome.failed_before
        if outcome.notes:
            self.notes.update(outcome.notes)
        self.unusable += isinstance(outcome.fault, InputFault)
        reason = outcome.missing if outcome.fault is None else outcome.fault.reason
        lacks_key = isinstance(outcome.fault, InputFault) and outcome.fault.kind == "missing-key"
        if self._keyless is not None and not lacks_key:
            self._tell_keyless()
        if reason is not None and not self.stream.quiet:
            self._tell_reason(outcome.where, reason)

    def _tell_reason(self, where: str, reason: str) -> None:
        """Print why a record failed, at most a few times for reasons that differ only in names and numbers.

        While all records lack the same key, which is probably misspelt, only the first message is printed.
        """
        alike = _DETAIL.sub("", reason)
        self._first.setdefault(alike, reason)
        self._told[alike] += 1
        if self._keyless is not None and len(self._first) > 1:
            self._tell_keyless()
        if self._told[alike] > _LINES:
            return
        line = f"{where}: {reason}"
        if self._keyless is None or self._told[alike] == 1:
            self.progress.say(line)
        else:
            self._keyless.append(line)

    def _tell_keyless(self) -> None:
        """Print the withheld messages, because not all records lack the same key, or few."""
        for line in self._keyless or ():
            self.progress.say(line)
        self._keyless = None


def _add_record(command: str, add: Callable[[Record], None], outcome: Outcome) -> Outcome:
    """Pass a record to ``add``; an exception makes it a failed record."""
    try:
        add(outcome.content)  # type: ignore[arg-type]
    except Exception as error:
        return failure(command, Line(outcome.where, outcome.content), error)  # type: ignore[arg-type]
    return outcome


def _with_fault(command: str, outcome: Outcome) -> Record:
    """Record of an outcome with its fault in ``errors``."""
    if outcome.fault is None or outcome.content.get("errors"):
        return outcome.content  # type: ignore[no-any-return]
    return failure(command, Line(outcome.where, outcome.content), outcome.fault).content  # type: ignore[no-any-return]


def _show_record(watch: Callable[[Record], None], line: Line) -> Line:
    if line.fault is None:
        watch(line.record)
    return line
