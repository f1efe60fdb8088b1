"""The delay that a server requests before the next request, in all formats in use."""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Mapping
from datetime import MAXYEAR, UTC, datetime

_SECONDS = re.compile(r"\d++(\.\d++)?", re.ASCII)


def asked_pause(headers: Mapping[str, str], until: object = None) -> float | None:
    """Seconds that a server asks to wait, 0 if the time has passed; None if it gives no valid delay.

    ``Retry-After`` holds seconds or a date, ``retry-after-ms`` milliseconds; the longest of several delays counts.

    Args:
        headers: HTTP headers of the response.
        until: a delay in seconds or a date from elsewhere in the response.
    """
    told: list[float | None] = []
    for name, value in headers.items():
        if name.lower() == "retry-after":
            parts = [part.strip() for part in value.split(",")]  # a date contains a comma, too
            are_seconds = all(map(_SECONDS.fullmatch, parts))
            told += map(float, parts) if are_seconds else [_seconds_until(value.strip())]
        elif name.lower() == "retry-after-ms" and _SECONDS.fullmatch(value.strip()):
            told.append(float(value) / 1000)
    if isinstance(until, (int, float, str)) and not isinstance(until, bool):
        text = str(until).strip()
        told.append(float(text) if _SECONDS.fullmatch(text) else _seconds_until(text))
    return max((one for one in told if one is not None), default=None)


def _seconds_until(date: str) -> float | None:
    """Seconds until a date (ISO 8601 or e-mail format; UTC if it has no zone), at least 0; None for an invalid date."""
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        try:
            moment = email.utils.parsedate_to_datetime(date)
        except (ValueError, OverflowError):
            parsed = email.utils.parsedate_tz(date)
            return math.inf if parsed and parsed[0] > MAXYEAR else None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, moment.timestamp() - time.time())


def clock_time(seconds: float) -> str:
    """Local time in so many seconds, with the date if it is at least twelve hours away."""
    try:
        then = time.localtime(time.time() + seconds)
        return time.strftime("%H:%M:%S" if seconds < 3600 * 12 else "%H:%M:%S on %Y-%m-%d", then)
    except (OverflowError, ValueError, OSError):
        return "a year that no clock has"
