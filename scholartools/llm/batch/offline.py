"""Questions in the files of a folder: ``part-0001.jsonl`` to be answered, ``part-0001.out.jsonl`` with the replies.

To a run this is a provider like others. The replies to a question come in the order of the parts that asked it, so
that whatever a run does with a reply that cannot be used, it does here too; where there is none, the question goes into
the next part and its record waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from scholartools.cache import Place, Reply, call_key
from scholartools.cache.batches import DONE, WAITING, WRITING, Asked, Batches, Part
from scholartools.cache.store import Together
from scholartools.errors import ModelFault, UsageFault
from scholartools.llm.batch.lines import answers_in, line_of, reply_in
from scholartools.llm.calls import Parked
from scholartools.llm.faults import Transient
from scholartools.llm.settings import Settings
from scholartools.parameters import parameter

Made = TypeVar("Made")

# Bytes of a part at most: providers take files of 200 MB.
_LARGEST = 190_000_000


class Offline:
    """The files of a folder as a provider.

    Attributes:
        run: what goes on in the folder, over many starts of the command.
    """

    def __init__(self, settings: Settings, place: Place, tell: Callable[[str], None]) -> None:
        """Take the folder.

        Args:
            tell: is given what a person should know of the replies in it.

        Raises:
            UsageFault: the folder cannot be made, or another run uses it.
            ModelFault: what is beside the cache cannot be used.
        """
        self._model = settings.model
        self._name = settings.model.split("/", 1)[1]
        self._most = settings.part_size
        self._tell = tell
        self._folder, self._lock = _take_folder(str(settings.batch_file))
        self._batches = Batches(place)
        self.run = self._batches.run_in(self._folder)
        self._taken: Counter[bytes] = Counter()
        self._new: dict[bytes, bytes] = {}
        self._elsewhere: Counter[str] = Counter()
        self._part: Part | None = None
        self._file: BinaryIO | None = None
        self._n_lines = self._n_bytes = 0
        self._opened: dict[str, BinaryIO] = {}
        self._thread = ThreadPoolExecutor(1, "batch")
        self._looking: Together[list[Asked]] = Together(self._thread, self._look)
        self._parking: Together[None] = Together(self._thread, self._park)

    def find_replies(self) -> None:
        """Find the replies that have come since the last start.

        Raises:
            ModelFault: they cannot be read, or that cannot be written down.
        """
        for part in self._batches.parts(self.run.id):
            self._take_up(part)

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """The next reply to a request that is there.

        Raises:
            Parked: there is none yet.
        """
        key = call_key(request)
        asked = await self._looking.ask(key) or []
        if self._taken[key] < len(asked):
            line = asked[self._taken[key]]
            if line.part.state == DONE:
                self._taken[key] += 1
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, self._reply, key, request, line)
        else:
            self._new[key] = line_of(key, self._name, request)
            await self._parking.ask(key)
        raise Parked

    async def close(self) -> None:
        """Nothing: a part is ended by :meth:`finish`."""

    def finish(self) -> list[Part]:
        """End the part that is being written; the parts that wait for replies."""
        if self._part is not None:
            self._end_part()
        return [part for part in self._batches.parts(self.run.id) if part.state == WAITING]

    @property
    def waiting_elsewhere(self) -> list[tuple[str, int]]:
        """The folders of other runs that ask questions of this one, and how many."""
        return sorted(self._elsewhere.items())

    def end_run(self) -> None:
        """All is answered: what is asked in the folder from now on is asked by another run."""
        self._batches.end_run(self.run)

    def end(self) -> None:
        """Close all files; a part that was not ended is dropped."""
        self._thread.shutdown()
        for file in (self._file, *self._opened.values()):
            if file is not None:
                file.close()
        if self._part is not None:
            with contextlib.suppress(ModelFault, OSError):
                self._drop(self._part)
        self._batches.close()
        os.close(self._lock)

    def _take_up(self, part: Part) -> None:
        """Go on with a part of an earlier start, whatever that came to."""
        if part.state == WRITING:
            self._drop(part)
        elif part.state == WAITING:
            if not part.path.exists() and part.unfinished.exists():
                part.unfinished.rename(part.path)
            if part.replies.exists():
                self._collect(part)
            elif not part.path.exists():
                self._tell(f"{part.path} is gone: its questions are asked anew")
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
        n_known, n_doubled = self._batches.collect(part, answers, len(found) - len(answers))
        n_odd = len(found) - n_known - n_doubled
        counts = {"without a reply": part.lines - n_known, "answered twice": n_doubled, "of no question": n_odd}
        troubles = [f"{count} {what}" for what, count in counts.items() if count]
        if troubles:
            self._tell(f"{part.replies}: {n_known} of {part.lines} questions answered ({', '.join(troubles)})")

    def _look(self, keys: Sequence[bytes]) -> dict[bytes, list[Asked]]:
        return self._batches.asked(self.run, keys)

    def _reply(self, key: bytes, request: dict[str, Any], asked: Asked) -> Reply:
        if asked.place is None or asked.size is None:
            raise Transient("its line is not in the file of replies")
        try:
            file = self._opened.get(asked.part.id) or asked.part.replies.open("rb")
            self._opened[asked.part.id] = file
            file.seek(asked.place)
            line = file.read(asked.size)
        except OSError as error:
            raise ModelFault(f"{asked.part.replies}: {error.strerror}", kind="batch") from None
        try:
            reply = reply_in(line, key, self._model, format_sent="response_format" in request)
        except ModelFault as fault:
            self._batches.drop_failed(asked.part)
            reason = f"{fault.reason} (in {asked.part.replies}); run again to ask anew what was refused there"
            raise ModelFault(reason, kind=fault.kind) from None
        except Transient as error:
            if error.reply is not None:
                error.reply = self._placed(error.reply, asked)
            raise
        return self._placed(reply, asked)

    def _placed(self, reply: Reply, asked: Asked) -> Reply:
        """A reply as it is kept: when it came is when it was found, and what it cost is not known."""
        return reply._replace(time=round(asked.part.collected or 0.0, 3), latency=0.0, cost=None)

    def _park(self, keys: Sequence[bytes]) -> dict[bytes, None]:
        """Write questions into the part, but those that another run waits for."""
        elsewhere = self._batches.waiting_elsewhere(self.run, keys)
        there = {key: part for key, part in elsewhere.items() if part.path.exists() or part.unfinished.exists()}
        self._elsewhere.update(part.folder for part in there.values())
        for key in keys:
            line = self._new.pop(key)
            if key not in there:
                self._write(key, line)
        if self._file is not None:
            self._file.flush()
        return {}

    def _write(self, key: bytes, line: bytes) -> None:
        if self._part is not None and (self._n_lines >= self._most or self._n_bytes + len(line) > _LARGEST):
            self._end_part()
        try:
            if self._part is None or self._file is None:
                self._part = self._batches.begin_part(self.run, self._folder, self._next_number())
                self._file = self._part.unfinished.open("xb")
                self._n_lines = self._n_bytes = 0
            self._batches.add_line(self._part, key)
            self._file.write(line)
        except OSError as error:
            raise ModelFault(f"{self._folder}: {error.strerror}", kind="batch") from None
        self._n_lines += 1
        self._n_bytes += len(line)

    def _next_number(self) -> int:
        """One that no part of the folder has or had, whoever wrote it."""
        names = [path.name.split(".")[0].removeprefix("part-") for path in Path(self._folder).glob("part-*.jsonl*")]
        return 1 + max([self._batches.last_number(self._folder), *(int(name) for name in names if name.isdigit())])

    def _end_part(self) -> None:
        """Let the part appear; it is written down before, so that a crash in between loses nothing."""
        part, file = self._part, self._file
        if part is None or file is None:
            return
        try:
            file.flush()
            os.fsync(file.fileno())
            file.close()
            self._batches.end_part(part, self._n_lines)
            part.unfinished.rename(part.path)
        except OSError as error:
            raise ModelFault(f"{part.path}: {error.strerror}", kind="batch") from None
        self._part = self._file = None


def _take_folder(named: str) -> tuple[str, int]:
    """The folder, made where there is none, and what locks it for this run."""
    try:
        folder = Path(named).absolute()
        str(folder).encode()
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or "its name is not UTF-8"
        raise UsageFault(f"{reason}", parameter="batch_file") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        reason = f"{parameter('batch_file', named)}: another run uses the folder; each run, and each shard, has its own"
        raise UsageFault(reason) from None
    return str(folder), lock
