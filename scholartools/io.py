"""Read JSONL and tables, report every invalid line, and keep standard output for records."""

from __future__ import annotations

import base64
import codecs
import contextlib
import errno
import io
import itertools
import os
import re
import secrets
import shutil
import stat
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from scholartools import parameters
from scholartools.compression import bounded_lines, packer_for, unpacked, without_ending
from scholartools.errors import InputFault, OutputFault, UsageFault
from scholartools.file_kinds import HEAD, lines_without_json, other_format
from scholartools.json_text import DuplicateKey, dumps, dumps_exactly, loads, loads_exactly
from scholartools.shards import Piece, Shard, lines_from, pieces_of
from scholartools.table_files.reading import JSON_LINES, Reading, read_rows
from scholartools.terminal import discard_output, printable

__all__ = [
    "Line", "Output", "RawLine", "Record", "dumps", "loads", "new_folder", "open_input", "open_output", "part_of",
    "read_lines",
]  # fmt: skip

Record = dict[str, Any]
_Make = Callable[[str, bytes], Any]

_CHUNK = 1 << 16  # bytes per read: the capacity of a pipe
_FLUSH_SECONDS = 0.2  # longest delay before records are passed to a reader


class Line(NamedTuple):
    """One record of the input, or one line that is not a record.

    Attributes:
        where: ``FILE:LINE``, human-readable.
        record: the record; for an invalid line, an object that contains the line.
        fault: why the line is not a record, else None.
        kept: raw JSON of the values whose numbers would be reformatted, by key: see :meth:`encode`.
    """

    where: str
    record: Record
    fault: InputFault | None = None
    kept: Mapping[str, bytes] | None = None

    def encode(self, made: Record) -> bytes:
        """Encode a record derived from this one as JSON; unchanged values are written exactly as they were read."""
        return dumps_exactly(made, self.record, self.kept) if self.kept else dumps(made)


class RawLine(NamedTuple):
    """One line of the input that is not blank, not yet decoded.

    Attributes:
        where: as of :class:`Line`.
        text: the line without its end.
    """

    where: str
    text: bytes

    def decode(self) -> Line:
        """The record, or why the line is not one."""
        return _read_line(self.where, self.text)


def read_lines(
    paths: Iterable[str],
    parameter: str | None = None,
    reading: Reading = JSON_LINES,
    waits: Callable[[], None] | None = None,
    shard: Shard | None = None,
    make: _Make | None = None,
) -> Iterator[Any]:
    """Iterate over the records of JSONL files and tables in order; ``-`` is standard input; blank lines and rows are
    skipped.

    A line that is not a JSON object becomes a :class:`Line` with a fault, not an exception.

    Args:
        paths: the files; if empty, standard input.
        parameter, waits: as in :func:`open_input`.
        reading: how tables are read, and which files are tables.
        shard: the part of the lines to read; None: all.
        make: makes the items from the place and the JSON of each record, e.g. :class:`RawLine`; default: a Line.

    Raises:
        InputFault: a file cannot be opened; all files but named pipes are checked before the first is read.
        UsageFault: the same, if ``parameter`` names the file; columns are renamed in a file that is not a table; or a
            shard is requested of something other than JSONL files, or of a file whose size changes meanwhile.
    """
    paths = list(paths) or ["-"]
    for path in paths:
        if not _is_named_pipe(path):
            with open_input(path, parameter) as file:
                if _is_plain(path, reading) and stat.S_ISREG(os.fstat(file.fileno()).st_mode) and path != "-":
                    _refuse_other_format(path, file.read(HEAD), reading, parameter)
        if reading.mapping and reading.format_of(path) == "jsonl":
            raise UsageFault(f"{path} is no table", parameter="map")
        if shard and not (_is_plain(path, reading) and path != "-"):
            told = f"{path} is not a file of JSON lines, so it cannot be split: convert it to JSON lines first"
            piped = (
                "standard input cannot be split: name files, or let GNU parallel give each process its part of a pipe"
            )
            raise UsageFault(piped if path == "-" else told, parameter="shard")
    make = make or _read_line
    if shard:
        return (line for piece in pieces_of(paths, shard) for line in _lines_of_piece(piece, waits, make))
    return (line for path in paths for line in _lines_of(path, reading, waits, make))


class Output:
    """Destination of records: standard output, or a file that gets its name only when complete.

    Compressed if its name ends in ``.gz`` or ``.zst``.
    """

    def __init__(self, path: str | None) -> None:
        """Open the output.

        Raises:
            OutputFault: it cannot be opened.
        """
        self.path = None if path in _STDOUT else _real_path(str(path))
        self._part = part_of(self.path)
        try:
            self._file = _claim_stdout() if self.path is None else self._open_file(self.path)
        except OSError as error:
            raise OutputFault(f"{path or 'standard output'}: {error.strerror}", kind="unwritable") from None
        self._packer = None if self.path is None else packer_for(self.path)
        self._is_terminal = self._file.isatty()
        self._has_reader = not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
        self._due = 0.0  # time by which buffered data must be passed to a reader
        self._waits = False

    def write(self, made: Record | bytes | str) -> None:
        """Write one record (or its encoding by :func:`dumps`) and a line end, or a human-readable text unchanged.

        On a terminal, control characters are escaped (:func:`.terminal.printable`); the JSON stays equivalent.

        A reader of a pipe gets the data at the next :meth:`flush`, or with the first record that is written more than
        0.2 seconds after the previous flush.

        Raises:
            OutputFault: a write error, e.g. a full disk.
            BrokenPipeError: the reader closed the pipe.
        """
        try:
            if isinstance(made, str):
                data = made.encode(errors="replace")
            else:
                data = (made if isinstance(made, bytes) else dumps(made)) + b"\n"
            self._put(printable(data.decode()).encode() if self._is_terminal else data)
        except OSError as error:
            raise self._write_fault(error) from None
        if self._has_reader:
            self._waits = True
            if time.monotonic() >= self._due:
                self.flush()

    def flush(self) -> None:
        """Pass buffered data to the reader of a pipe; called before each step that may take long.

        Raises:
            OutputFault, BrokenPipeError: as :meth:`write`.
        """
        if not self._waits:
            return
        try:
            if self._packer is not None:
                packer, mode = self._packer
                self._file.write(packer.flush(mode))
            self._file.flush()
        except OSError as error:
            raise self._write_fault(error) from None
        self._due, self._waits = time.monotonic() + _FLUSH_SECONDS, False

    def write_bytes(self, data: bytes) -> None:
        """Write bytes unchanged.

        Raises:
            OutputFault, BrokenPipeError: as :meth:`write`.
        """
        try:
            self._put(data)
        except OSError as error:
            raise self._write_fault(error) from None

    def _put(self, data: bytes) -> None:
        self._file.write(data if self._packer is None else self._packer[0].compress(data))

    def close(self, *, whole: bool) -> None:
        """Close the output; a file gets its final name only if ``whole``, else it stays as ``NAME.part``."""
        try:
            if self._packer is not None:
                self._file.write(self._packer[0].flush())
            if whole:
                self._file.flush()
                self._give_name()
            self._file.close()
        except OSError as error:
            if whole:
                raise self._write_fault(error) from None
        finally:
            with contextlib.suppress(OSError):
                self._file.close()

    def _give_name(self) -> None:
        """Rename the complete file while its lock is held."""
        if self._part is None or self.path is None:
            return
        if not _names_file(self._part, self._file.fileno()):
            raise OutputFault(f"{self.path}: {self._part} was removed or replaced while it was written")
        try:
            if os.path.exists(self.path):
                shutil.copymode(self.path, self._part)
            os.replace(self._part, self.path)
        except OSError as error:
            raise OutputFault(f"{self.path}: {error.strerror}") from None

    def _open_file(self, path: str) -> BinaryIO:
        """Open the file for writing; a regular file is locked for this run."""
        descriptor = None if self._part is None else claim_part(path, self._part)
        return open(path if descriptor is None else descriptor, "wb", _CHUNK)

    def _write_fault(self, error: OSError) -> Exception:
        if isinstance(error, BrokenPipeError):
            return error
        kept = f"; what was written is in {self._part}" if self._part else ""
        return OutputFault(f"{self.path or 'standard output'}: {error.strerror}{kept}")


@contextlib.contextmanager
def open_output(path: str | None) -> Iterator[Output]:
    """Open an :class:`Output`; it is complete when the block ends, and partial when the block raises."""
    output = Output(path)
    try:
        yield output
    except BaseException:
        output.close(whole=False)
        raise
    output.close(whole=True)


def open_input(path: str, parameter: str | None = None, *, waits: Callable[[], None] | None = None) -> BinaryIO:
    """Open a file for reading bytes; ``-`` is standard input, which stays open when the file is closed.

    Args:
        path: path of the file.
        parameter: the parameter that names the file, if it is not the main input.
        waits: called before every read, which may block.

    Raises:
        InputFault: the file cannot be opened.
        UsageFault: the same, if ``parameter`` names the file.
    """
    try:
        # Not sys.stdin: a thread that blocks on sys.stdin cannot be abandoned at exit.
        file = _Input(0 if path == "-" else path, waits)
    except OSError as error:
        reason = why_unreadable(path, error)
        if parameter is not None:
            raise UsageFault(f"{parameters.parameter(parameter, path)}: {reason}") from None
        raise InputFault(f"{path}: {reason}", kind="unreadable") from None
    return io.BufferedReader(file, _CHUNK)


class _Input(io.FileIO):
    """File that calls a function before every read."""

    def __init__(self, file: str | int, waits: Callable[[], None] | None) -> None:
        super().__init__(file, closefd=file != 0)
        self._waits = waits

    def readinto(self, buffer: Any) -> int | None:
        """Read available bytes into the buffer, at least one."""
        if self._waits is not None:
            self._waits()
        return super().readinto(buffer)


def why_unreadable(path: str, error: OSError) -> str:
    """Reason of an error on opening a file; a URL gets its own message."""
    return "an address on the web, not a file: download it first" if "://" in path else str(error.strerror)


def is_blank(path: str) -> bool:
    """Whether a file of at most :data:`HEAD` bytes has only white space; others are not read."""
    if os.path.getsize(path) > HEAD:
        return False
    with open(path, "rb") as file:
        return not file.read().removeprefix(codecs.BOM_UTF8).strip()


def is_same_file(one: str, other: str) -> bool:
    """Whether both paths exist and are the same file."""
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)


def _lines_of(path: str, reading: Reading, waits: Callable[[], None] | None, make: _Make) -> Iterator[Any]:
    """Iterate over the records of one file."""
    with open_input(path, waits=waits) as file:
        try:
            if reading.format_of(path) != "jsonl":
                yield from (Line(*row) for row in read_rows(file, path, reading))
            else:
                yield from _json_lines(file if _is_plain(path, reading) else unpacked(file), path, reading, make)
        except BrokenPipeError:  # raised by the output, which was flushed before this read
            raise
        except (OSError, EOFError, zlib.error) as error:
            raise InputFault(f"{path}: {getattr(error, 'strerror', None) or error}", kind="unreadable") from None


def _lines_of_piece(piece: Piece, waits: Callable[[], None] | None, make: _Make) -> Iterator[Any]:
    """Records of a part of a JSONL file; if the part does not begin the file, places are byte offsets."""
    with open_input(piece.path, waits=waits) as file:
        for number, (start, raw) in enumerate(lines_from(file, piece), 1):
            if line := _line_of(raw, piece.path, number if piece.start == 0 else f"byte {start + 1}", make):
                yield line


def _is_named_pipe(path: str) -> bool:
    """Whether a file is a named pipe, which can be opened only once because its writer closes it afterwards."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError:
        return False


def _is_plain(path: str, reading: Reading) -> bool:
    """Whether a file is uncompressed JSONL."""
    return reading.format_of(path) == "jsonl" and without_ending(path) == path


def _json_lines(file: BinaryIO, path: str, reading: Reading, make: _Make) -> Iterator[Any]:
    """Records of a JSONL file that supports ``peek``; blank lines are skipped."""
    numbered = enumerate(bounded_lines(file, path), 1)
    first = _until_json(numbered)
    found = next((line for number, raw in first if (line := _line_of(raw, path, number, _read_line))), None)
    if found is not None and found.fault is not None and found.fault.kind != "duplicate-key":
        head = b"".join(raw for _, raw in first) + file.peek(HEAD)  # type: ignore[attr-defined]
        _refuse_other_format(path, head, reading)
    for number, raw in itertools.chain(first, numbered):
        if line := _line_of(raw, path, number, make):
            yield line


def _until_json(numbered: Iterator[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Lines up to the first one that begins like JSON, or up to :data:`HEAD` bytes.

    They suffice to recognise other formats, however slowly a pipe delivers them.
    """
    taken: list[tuple[int, bytes]] = []
    size = 0
    for number, raw in numbered:
        taken.append((number, raw))
        size += len(raw)
        if size >= HEAD or raw.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"["):
            break
    return taken


def _line_of(raw: bytes, path: str, number: int | str, make: _Make) -> Any:
    text = raw.rstrip(b"\r\n").removeprefix(codecs.BOM_UTF8)
    return make(f"{path}:{number}", text) if text and not text.isspace() else None


def _refuse_other_format(path: str, head: bytes, reading: Reading, parameter: str | None = None) -> None:
    """Raise if a file is in a recognised format other than JSONL: one message instead of one per line.

    Raises:
        InputFault: the file is in another format; UsageFault if ``parameter`` names the file.
    """
    told = other_format(head, reading.has_option) or lines_without_json(head, reading.has_option)
    if told is None:
        return
    name = "standard input" if path == "-" else path
    if parameter is not None:
        raise UsageFault(f"{parameters.parameter(parameter, name)}: not JSON lines but {told}")
    raise InputFault(f"{name}: not JSON lines but {told}", kind="not-jsonl")


def _read_line(where: str, text: bytes) -> Line:
    try:
        record, kept = loads_exactly(text)
    except (ValueError, RecursionError) as error:
        return _faulty_line(where, text, error)
    if isinstance(record, dict):
        return Line(where, record, None, kept or None)
    how = "; jq -c '.[]' writes the items of a list one on each line" if isinstance(record, list) else ""
    reason = f"JSON, but not an object: each line must hold one record in braces{how}"
    return Line(where, {"line": text.decode()}, InputFault(reason, kind="not-an-object"))


def _faulty_line(where: str, line: bytes, cause: BaseException) -> Line:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        kept = {"line_base64": base64.b64encode(line).decode()}
        reason = f"not UTF-8 at byte {error.start + 1} of the line (Latin-1 or Windows-1252?): save it as UTF-8"
        return Line(where, kept, InputFault(reason, kind="not-utf8"))
    if isinstance(cause, DuplicateKey):
        return Line(where, {"line": text}, InputFault(str(cause), kind="duplicate-key"))
    return Line(where, {"line": text}, InputFault(f"not JSON: {_json_fault_reason(text, cause)}", kind="not-json"))


def _json_fault_reason(text: str, cause: BaseException) -> str:
    """Error message of orjson without the line number, which is always 1."""
    if text.lstrip().startswith("{'"):
        return "single quotes, as Python prints a dict; json.dumps writes the double quotes of JSON"
    reason = re.sub(r": line 1 column (\d+) \(char \d+\)$", r" at column \1", str(cause))
    rest = text[getattr(cause, "pos", len(text)) :].lstrip()
    told = next((told for pattern, told in _JSON_FAULTS if pattern.match(rest)), "")
    return (reason or type(cause).__name__) + told


# What stands where a line is not JSON, and how to mend it.
_JSON_FAULTS = (
    (re.compile(r"-?(?:NaN|Infinity|inf|nan)\b"), ": JSON has no such number; write null"),
    (re.compile(r"(?:None|True|False)\b"), ": so Python writes it; json.dumps writes JSON"),
    (re.compile(r"\{"), ": several records on a line; jq -c . FILE writes one on each line"),
)
# Names of standard output; opening such a path would replace the file that standard output is redirected to.
_STDOUT = (None, "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def _real_path(path: str) -> str:
    """Real path of a file, so that a symbolic link is kept; a pipe or a device keeps its path."""
    return path if os.path.exists(path) and not os.path.isfile(path) else os.path.realpath(path)


def part_of(path: str | None) -> str | None:
    """Name of an output file until it is complete; None if the output is not a regular file (a pipe, /dev/null)."""
    if path in _STDOUT or (os.path.exists(path) and not os.path.isfile(path)):
        return None
    return _real_path(path) + ".part"


def claim_part(path: str, part: str) -> int:
    """Open the empty part file of an output with an exclusive lock that ends with the descriptor or the process.

    Raises:
        OutputFault: another run is writing the file.
    """
    import fcntl

    while True:
        is_new, descriptor = _open_part(part)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise OutputFault(f"{path}: another run is writing it ({part})", kind="unwritable") from None
        except OSError:  # a file system without locks: an existing file may belong to another run
            if not is_new:
                os.close(descriptor)
                reason = (
                    "exists: another run is writing the file, or was killed; remove the file if no run is writing it"
                )
                raise OutputFault(f"{part} {reason}", kind="unwritable") from None
        if _names_file(part, descriptor):
            os.ftruncate(descriptor, 0)
            return descriptor
        os.close(descriptor)  # another run has renamed it since it was opened


def _open_part(part: str) -> tuple[bool, int]:
    """Return whether the part file is new, and its descriptor.

    Raises:
        OutputFault: the existing file is not a part file of a run, e.g. a link, through which another file would be
            overwritten.
    """
    try:
        return True, os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        pass
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    except OSError as error:
        reason = (
            "exists already: a link, or a named pipe" if error.errno in (errno.ELOOP, errno.ENXIO) else error.strerror
        )
        raise OutputFault(f"{part}: {reason}", kind="unwritable") from None
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
        return False, descriptor
    os.close(descriptor)
    raise OutputFault(f"{part}: exists already, and is a pipe or a file with several names", kind="unwritable")


def _names_file(path: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _claim_stdout() -> BinaryIO:
    """Reserve standard output for records: other output of the process goes to standard error from now on.

    Raises:
        OSError: standard output is closed or not writable.
    """
    import fcntl

    if fcntl.fcntl(1, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    records = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:
        discard_output(1)
    sys.stdout.flush()
    return os.fdopen(records, "wb", _CHUNK)


@contextlib.contextmanager
def new_folder(path: str | None, what: str) -> Iterator[Path]:
    """Create a folder that gets its final name when the block succeeds and is removed when it fails.

    An existing folder must be empty. ``what`` describes the contents in messages, e.g. "data set".

    Raises:
        OutputFault: the folder is not empty or cannot be written.
        UsageFault: no folder is given.
    """
    if path in (None, "-"):
        raise UsageFault(f"is missing: name the folder to which the {what} is written", parameter="output")
    wanted = os.path.realpath(str(path))
    part = f"{wanted}.{secrets.token_hex(4)}.part"
    try:
        if os.path.exists(wanted) and os.listdir(wanted):
            raise OutputFault(
                f"{path}: the folder exists and is not empty; no file of it is overwritten", kind="unwritable"
            )
        os.mkdir(part)
    except OSError as error:
        raise OutputFault(f"{path}: {error.strerror}", kind="unwritable") from None
    try:
        yield Path(part)
    except BaseException as error:
        shutil.rmtree(part, ignore_errors=True)
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise OutputFault(f"{path}: {error.strerror or error}") from None
        raise
    try:
        os.rename(part, wanted)  # replaces only an empty folder
    except OSError as error:
        raise OutputFault(f"{path}: {error.strerror}; the {what} is in {part}") from None
