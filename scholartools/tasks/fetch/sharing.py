"""Which answers of services may be passed on in a bundle, and why others may not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scholartools.cache.answers import StoredAnswer
from scholartools.sources import SOURCES
from scholartools.web.files import Facts


def restriction(source: str, answer: StoredAnswer) -> str | None:
    """Why an answer may not be passed on as it is: one of ``sources.base.RESTRICTIONS``, or None.

    Of a file only size and hash are kept, which may always be.
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
    """The keys of the answers that are passed on, and how many are not, by source and reason.

    Args:
        sources: only answers of these; none: of all.
        allowed: reasons that count for nothing. "private" is never one.
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
