"""Every reply a model gave, in an SQLite file, under a key made of all that was asked.

- ``request``: what a call is, and the key made of that. ``replies``: what is stored of an answer.
- ``database``: how replies are stored, found, listed and deleted. ``sqlite``: the file they are in.
- ``store``: the same for an event loop, where writing must not hold up other calls. ``reserve``: room on a disk.
- ``bundle``: the calls of a run as a JSONL file, with which anyone can repeat it. ``packing``: such files, compressed.
- ``salvage``: how much of a damaged cache is intact, copied to a new file. ``pages``: its pages, read one by one.
"""

from scholartools.cache.database import Cache
from scholartools.cache.replies import UNREADABLE, Entry, Reply, Selection, failed_reply, fault_of
from scholartools.cache.request import call_key, make_key_function
from scholartools.cache.sqlite import Locked, cache_path, default_path

__all__ = [
    "UNREADABLE", "Cache", "Entry", "Locked", "Reply", "Selection", "cache_path", "call_key", "default_path",
    "failed_reply", "fault_of", "make_key_function",
]  # fmt: skip
