"""Copy all replies of one cache to another, usable or not, between files and databases alike."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from scholartools.cache.database import Cache
from scholartools.cache.replies import Entry, same_content
from scholartools.cache.salvage import whole_entry

# Replies written per transaction, during which other processes wait.
_BATCH = 500


@dataclass
class Merged:
    """Result of a merge, as numbers of replies.

    Attributes:
        replies: in the source.
        new: added to the target.
        known: already in the target.
        conflicts: not copied because the target has a different usable reply to the call.
        damaged: unreadable, or under a key that does not match the request.
    """

    replies: int = 0
    new: int = 0
    known: int = 0
    conflicts: int = 0
    damaged: int = 0


def merge(source: Cache, target: Cache) -> Merged:
    """Copy all replies of ``source`` to ``target``; repeating it changes nothing.

    Raises:
        ModelFault: the source cannot be read, or the target cannot be written.
    """
    counts = Merged()
    rows = iter(source.raw_rows())
    while batch := list(itertools.islice(rows, _BATCH)):
        entries = [entry for row in batch if (entry := whole_entry(row)) is not None]
        counts.replies += len(batch)
        counts.damaged += len(batch) - len(entries)
        _put_new(entries, target, counts)
    return counts


def _put_new(entries: Sequence[Entry], target: Cache, counts: Merged) -> None:
    served = target.get_many([entry.key for entry in entries if entry.reply.is_usable])
    new = []
    for entry in entries:
        kept = served.get(entry.key) if entry.reply.is_usable else None
        if kept is not None and not same_content(kept, entry.reply):
            counts.conflicts += 1
        elif kept is not None or (not entry.reply.is_usable and entry.reply in target.unusable(entry.key)):
            counts.known += 1
        else:
            new.append(entry)
    late = []
    if new:
        with target.transaction():
            # Usable ones sorted by key to avoid deadlocks between two runs; the others in the order of storage.
            for entry in sorted(new, key=lambda entry: entry.key if entry.reply.is_usable else b""):
                if not target.put(entry.key, entry.request, entry.reply, entry.prompt, replace=False):
                    late.append(entry)
        counts.new += len(new) - len(late)
    if late:  # stored meanwhile by another process
        _put_new(late, target, counts)
