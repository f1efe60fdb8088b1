"""One pass over the input, where questions may be answered later: an output only where no record waits.

Each start of a command is one pass. A record with a question that is not answered is dropped; the next start comes to
it again, finds the reply, and may ask the next question. The pass in which no record waits writes the output.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from scholartools import io
from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.wording import count_of

if TYPE_CHECKING:
    from scholartools.llm.batch.offline import Offline
    from scholartools.pipeline.outcome import Outcome
    from scholartools.pipeline.stream import Stream, Tally

#: The exit status where replies are waited for; and what a command returns that has them, and is to be run once more.
WAITS, AGAIN = 5, -5


class Wave:
    """What comes of a pass."""

    def __init__(self, stream: Stream, offline: Offline, tally: Tally) -> None:
        """Nothing yet.

        Raises:
            UsageFault: the input cannot be read again.
        """
        self._stream, self._offline, self._tally = stream, offline, tally
        self._n_parked = 0
        self._kept: Any = None
        if "-" in (stream.files or ("-",)):
            reason = "reads its input again when replies are there: name files, not standard input"
            raise UsageFault(f"{parameter(offline.option, 'DIR')} {reason}")
        offline.find_replies()
        tally.hold()

    def takes(self, outcome: Outcome) -> bool:
        """Whether an outcome counts: not once a record waits."""
        self._n_parked += outcome.is_parked
        return not self._n_parked

    def write(self, made: Any) -> None:
        """Keep what is to be written where no record waits."""
        self._kept.write(made.encode(errors="replace") if isinstance(made, str) else _line(made))

    @contextlib.contextmanager
    def open_output(self) -> Iterator[Wave]:
        """Write all of it at the end of the block, or nothing."""
        part = io.part_of(self._stream.output)  # of a file
        folder = os.path.dirname(os.path.abspath(part)) if part else None
        with tempfile.TemporaryFile(dir=folder) as kept:
            self._kept = kept
            yield self
            if self._n_parked:
                return
            kept.seek(0)
            with self._stream.open_output() as output:
                for line in kept:
                    output.write(line.decode())

    def end(self) -> int:
        """Let the questions be answered: 0 where all are, else what the command ends with."""
        if not self._n_parked:
            self._offline.end_run()
            return 0
        self._tally.forget()
        waiting = self._offline.finish()
        for part in waiting:
            questions = count_of(part.lines, "question")
            where = self._offline.where_replies_are(part)
            self._tally.warn(f"{part.path}: {questions}; {where}")
        for folder, count in self._offline.waiting_elsewhere:
            self._tally.warn(f"{count_of(count, 'question')} in files of another run, in {folder}")
        if self._offline.wait():
            return AGAIN
        self._tally.warn("no output is written yet: run the same command again when the replies have arrived")
        return WAITS


def _line(made: Any) -> bytes:
    return (made if isinstance(made, bytes) else io.dumps(made)) + b"\n"
