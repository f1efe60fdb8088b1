"""Whether a paper was submitted before the end of a model's training data; later papers cannot be in the data."""

from __future__ import annotations

import datetime

from scholartools.errors import InputFault
from scholartools.paths import ABSENT, lookup
from scholartools.records import Record
from scholartools.tasks.claims.base import sign_step

STEP = "contamination"

#: Timestamps before this year in milliseconds are probably in seconds: OpenReview has no such submissions.
FIRST_YEAR = 1990


def mark_side(record: Record, date: datetime.date, key: str) -> Record:
    """Add ``cut_off`` to a copy of the record: the cut-off date, the submission date, and ``side``.

    ``side`` is "before", "after" (including the day itself), or "unknown" if the record has no value at the key.

    Args:
        date: last day of the training data.
        key: dotted path of the submission date: YYYY-MM-DD, optionally with a time, or milliseconds since 1970, as in
            OpenReview.

    Raises:
        InputFault: the value is not such a date.
    """
    value = lookup(record, key)
    submitted = None if value is ABSENT or value is None else _read_day(value, key)
    side = "unknown" if submitted is None else "before" if submitted < date else "after"
    entry = {"date": date.isoformat(), "submitted": submitted and submitted.isoformat(), "side": side}
    return sign_step({**record, "cut_off": entry}, STEP, {"cut_off": date.isoformat(), "submitted": key}, entry)


def _read_day(value: object, key: str) -> datetime.date:
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            day = datetime.datetime.fromtimestamp(value / 1000, datetime.UTC).date()
            if day.year >= FIRST_YEAR:
                return day
        if isinstance(value, str) and value[10:11] in ("", "T", " "):
            return datetime.date.fromisoformat(value[:10])
    except (ValueError, OverflowError, OSError):
        pass
    expected = f"no day such as 2023-05-17, nor milliseconds since 1970 of {FIRST_YEAR} or later"
    raise InputFault(f'"{key}" is {expected}: {str(value)[:40]!r}', kind="invalid-key")
