"""A pass over the input, if requests are answered later: the output is written once no request is pending.

Each run of a command is one pass. A record with a pending request is dropped; the next run processes it again, finds
the reply, and may add the next request. The pass without pending requests writes the output.
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

#: Exit status if replies are pending; and internal status if they have arrived and another pass is due.
WAITS, AGAIN = 5, -5


class Wave:
    """State of one pass."""

    def __init__(self, stream: Stream, offline: Offline, tally: Tally) -> None:
        """Check the input and look for replies.

        Raises:
            UsageFault: the input is standard input, which cannot be read again.
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
        """Whether an outcome is to be written: none is after a pending one."""
        self._n_parked += outcome.is_parked
        return not self._n_parked

    def write(self, made: Any) -> None:
        """Store a content, to be written if no request is pending."""
        self._kept.write(made.encode(errors="replace") if isinstance(made, str) else _line(made))

    @contextlib.contextmanager
    def open_output(self) -> Iterator[Wave]:
        """Write all stored contents at the end of the block if no request is pending."""
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
        """Finish the requests of this pass: return 0 if none is pending, else the exit status."""
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
