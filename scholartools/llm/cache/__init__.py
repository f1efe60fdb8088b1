"""Every reply a model gave, in an SQLite file, under a key made of all that was asked.

- ``database``: what is stored of a reply, and how it is stored, found, listed and deleted.
- ``file``: the SQLite file: its path, its tables, how it is opened and locked.
- ``store``: the same for an event loop, where writing must not hold up other calls. ``reserve``: room on a disk.
- ``bundle``: the calls of a run as a JSONL file, with which anyone can repeat it. ``packing``: such files, compressed.
- ``salvage``: how much of a damaged cache is intact, copied to a new file. ``pages``: its pages, read one by one.
"""

from scholartools.llm.cache.database import (
    UNREADABLE,
    Cache,
    Entry,
    Reply,
    Selection,
    failed_reply,
    fault_of,
)
from scholartools.llm.cache.file import Locked, cache_path, default_path
from scholartools.llm.request import call_key, make_key_function

__all__ = [
    "UNREADABLE", "Cache", "Entry", "Locked", "Reply", "Selection", "cache_path", "call_key", "default_path",
    "failed_reply", "fault_of", "make_key_function",
]  # fmt: skip
