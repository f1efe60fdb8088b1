"""Decide which responses of services may be redistributed in a bundle, and why others may not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scholartools.cache.answers import StoredAnswer
from scholartools.sources import SOURCES
from scholartools.web.files import Facts


def restriction(source: str, answer: StoredAnswer) -> str | None:
    """Why a response may not be redistributed: one of ``sources.base.RESTRICTIONS``, or None.

    For files, only size and hash are stored, which are always permitted.
    """
    if source not in SOURCES:
        return "terms"
    if answer.status != 200:
        return None
    try:
        Facts.of(answer.body)
    except (ValueError, TypeError):
        return SOURCES[source].restricts(answer.body)
    return None


def choose_shared(
    entries: Iterable[tuple[bytes, str, StoredAnswer]], *, sources: Iterable[str] = (), allowed: Iterable[str] = ()
) -> tuple[list[bytes], Counter[tuple[str, str]]]:
    """Keys of the responses to redistribute, and the number of others by source and reason.

    Args:
        sources: only responses of these; empty: all.
        allowed: restrictions to ignore, except "private".
    """
    wanted, kept, left = set(sources), [], Counter[tuple[str, str]]()
    for key, source, answer in entries:
        if wanted and source not in wanted:
            continue
        reason = restriction(source, answer)
        if reason is None or (reason in allowed and reason != "private"):
            kept.append(key)
        else:
            left[source, reason] += 1
    return kept, left
