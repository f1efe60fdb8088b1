"""The replies of one cache put into another, as they are: served and others, in files and databases alike."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from scholartools.cache.database import Cache
from scholartools.cache.replies import Entry, same_content
from scholartools.cache.salvage import whole_entry

# Replies written at once: other processes wait meanwhile.
_BATCH = 500


@dataclass
class Merged:
    """What became of the replies of a cache.

    Attributes:
        replies: in it.
        new: now in the other cache.
        known: in the other cache before.
        conflicts: to a call of which the other cache serves another reply, which stayed.
        damaged: that cannot be read, or are not under the key of their own request.
    """

    replies: int = 0
    new: int = 0
    known: int = 0
    conflicts: int = 0
    damaged: int = 0


def merge(source: Cache, target: Cache) -> Merged:
    """Put all replies of ``source`` into ``target``; doing so again changes nothing.

    Raises:
        ModelFault: one cannot be read, or the other not be written.
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
            # Served ones by their keys, so that two runs do not wait for each other in a circle; others as they came.
            for entry in sorted(new, key=lambda entry: entry.key if entry.reply.is_usable else b""):
                if not target.put(entry.key, entry.request, entry.reply, entry.prompt, replace=False):
                    late.append(entry)
        counts.new += len(new) - len(late)
    if late:  # another process has answered them meanwhile
        _put_new(late, target, counts)
