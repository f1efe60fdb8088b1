"""Whether a paper was submitted before a model's training data end: what came after, the model cannot have read."""

from __future__ import annotations

import datetime

from scholartools.errors import InputFault
from scholartools.paths import ABSENT, lookup
from scholartools.records import Record
from scholartools.tasks.claims.base import sign_step

STEP = "contamination"

#: A number of milliseconds before this year is one of seconds: no paper was submitted to OpenReview then.
FIRST_YEAR = 1990


def mark_side(record: Record, date: datetime.date, key: str) -> Record:
    """A copy of the record with ``cut_off``: the date, when the paper was submitted, and ``side``.

    ``side`` is "before", "after" (that day included), or "unknown" where the record has nothing at the key.

    Args:
        date: on which the training data end.
        key: dotted path of the day of submission: YYYY-MM-DD, with or without a time after it, or milliseconds since
            1970, as OpenReview has them.

    Raises:
        InputFault: what is there is no such day.
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
