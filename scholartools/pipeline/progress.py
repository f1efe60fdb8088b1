"""The progress line on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from scholartools.wording import count_of

# Seconds between two updates: on a terminal, and in a log.
_TERMINAL, _LOG = 0.2, 10.0


class Progress:
    """Counts records and shows progress; messages are printed through it so that they do not mix with the line."""

    def __init__(
        self,
        command: str,
        mode: str,
        *,
        quiet: bool = False,
        total: int | None = None,
        more: Callable[[float], str] | None = None,
    ) -> None:
        """``more`` returns additional text for the line, given the elapsed seconds."""
        self.command = command
        self.total = total
        self.more = more
        self.done = 0
        self.failed = 0
        self.partial = 0
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown = not quiet and (mode == "on" or (mode == "auto" and self._terminal))
        # Model calls and their cost are always reported at the end.
        self._always = more is not None and not quiet and mode != "off"
        self.held: list[str] | None = None  # messages that are reported later, or not at all
        self._start = time.monotonic()
        self._last = self._start
        self._width = 0

    def count(self, *, failed: bool, partial: bool = False) -> None:
        """Count one record; ``partial``: a part of it is missing for lack of a usable reply."""
        self.done += 1
        self.failed += failed
        self.partial += partial
        if self._shown and time.monotonic() - self._last >= (_TERMINAL if self._terminal else _LOG):
            self._draw_line()

    def say(self, message: str) -> None:
        """Print a message on its own line."""
        if self.held is not None:
            self.held.append(message)
            return
        self._clear_line()
        print(f"{self.command}: {message}", file=sys.stderr, flush=True)

    def release(self) -> None:
        """Print the held messages."""
        held, self.held = self.held, None
        for message in held or ():
            self.say(message)

    def close(self) -> None:
        """Print the final counts, if progress is shown; only once."""
        if self._shown or (self._always and (self.done or self._more_counts())):
            self._clear_line()
            print(self._status_line(), file=sys.stderr, flush=True)
        self._shown = self._always = False

    def silence(self) -> None:
        """Stop showing counts, also at the end."""
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
