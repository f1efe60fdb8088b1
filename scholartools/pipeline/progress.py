"""A line on standard error that tells how far a command is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from scholartools.wording import count_of

# Seconds between two updates: on a terminal, and in a log.
_TERMINAL, _LOG = 0.2, 10.0


class Progress:
    """Counts records and shows them; errors are printed through it, so that the two do not mix."""

    def __init__(
        self,
        command: str,
        mode: str,
        *,
        quiet: bool = False,
        total: int | None = None,
        more: Callable[[float], str] | None = None,
    ) -> None:
        """``more`` adds to the line what else there is to tell, given the seconds so far."""
        self.command = command
        self.total = total
        self.more = more
        self.done = 0
        self.failed = 0
        self.partial = 0
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown = not quiet and (mode == "on" or (mode == "auto" and self._terminal))
        # What a model was asked and what it cost is always reported at the end.
        self._always = more is not None and not quiet and mode != "off"
        self.held: list[str] | None = None  # what is said is reported later, or not at all
        self._start = time.monotonic()
        self._last = self._start
        self._width = 0

    def count(self, *, failed: bool, partial: bool = False) -> None:
        """One record more; ``partial``: something of it is missing, which a model gave no usable reply to."""
        self.done += 1
        self.failed += failed
        self.partial += partial
        if self._shown and time.monotonic() - self._last >= (_TERMINAL if self._terminal else _LOG):
            self._draw_line()

    def say(self, message: str) -> None:
        """Print a line for people."""
        if self.held is not None:
            self.held.append(message)
            return
        self._clear_line()
        print(f"{self.command}: {message}", file=sys.stderr, flush=True)

    def release(self) -> None:
        """Say what was held back."""
        held, self.held = self.held, None
        for message in held or ():
            self.say(message)

    def close(self) -> None:
        """End with the final counts, where progress is shown; once."""
        if self._shown or (self._always and (self.done or self._more_counts())):
            self._clear_line()
            print(self._status_line(), file=sys.stderr, flush=True)
        self._shown = self._always = False

    def silence(self) -> None:
        """Show no counts any more, not even at the end."""
        self._clear_line()
        self._shown = self._always = False

    def _draw_line(self) -> None:
        self._last = time.monotonic()
        if not self._terminal:
            print(self._status_line(), file=sys.stderr, flush=True)
            return
        line = self._status_line()
        print("\r" + line.ljust(self._width), end="", file=sys.stderr, flush=True)
        self._width = len(line)

    def _clear_line(self) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr)
            self._width = 0

    def _more_counts(self) -> str:
        return self.more(self._elapsed_seconds()) if self.more else ""

    def _elapsed_seconds(self) -> float:
        return max(time.monotonic() - self._start, 1e-9)

    def _status_line(self) -> str:
        seconds = self._elapsed_seconds()
        rate = self.done / seconds
        left = ""
        if self.total is not None and 0 < self.done < self.total:
            left = f", {_clock_text((self.total - self.done) / rate)} left"
        more = f"; {told}" if (told := self._more_counts()) else ""
        partial = f", {self.partial} partial" if self.partial else ""
        done = (
            count_of(self.done, "record") if self.total is None else f"{self.done} of {count_of(self.total, 'record')}"
        )
        counts = f"{done}, {self.failed} failed{partial}, {rate:.1f}/s, {_clock_text(seconds)}{left}"
        return f"{self.command}: {counts}{more}"


def _clock_text(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
