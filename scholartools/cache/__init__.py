"""Every reply a model gave, in an SQLite file or a PostgreSQL database, under a key made of all that was asked.

- ``request``: what a call is, and the key made of that. ``replies``: what is stored of an answer.
- ``database``: how replies are stored, found, listed and deleted. ``place``: where.
- ``backend``: what keeps the tables: ``sqlite``, ``postgres``. ``statements``: the SQL that both understand.
- ``store``: the same for an event loop, where writing must not hold up other calls. ``reserve``: room on a disk.
- ``flights``: which questions are on their way, for all processes that share a cache. ``budgets``: what these may
  spend together. ``batches``: which questions are asked in files.
- ``bundle``: the calls of a run as a JSONL file, with which anyone can repeat it. ``packing``: such files, compressed.
- ``answers``: what web services answered.
- ``merge``: the replies of one cache put into another.
- ``salvage``: how much of a damaged cache is intact, copied to a new file. ``pages``: its pages, read one by one.
"""

from scholartools.cache.database import Cache
from scholartools.cache.place import Locked, Place, ServerAddress, cache_file, cache_place, default_place
from scholartools.cache.replies import UNREADABLE, Entry, Reply, Selection, failed_reply, fault_of
from scholartools.cache.request import call_key, make_key_function

__all__ = [
    "UNREADABLE", "Cache", "Entry", "Locked", "Place", "Reply", "Selection", "ServerAddress", "cache_file",
    "cache_place", "call_key", "default_place", "failed_reply", "fault_of", "make_key_function",
]  # fmt: skip
