"""Replies of models, in an SQLite file or a PostgreSQL database, each under a hash of its complete request.

- ``request``: the canonical request and its key. ``replies``: the stored reply.
- ``database``: storing, finding, listing and deleting replies. ``place``: location of a cache.
- ``backend``: the database connection: ``sqlite``, ``postgres``. ``statements``: SQL for both.
- ``store``: asynchronous access with writes in a thread. ``reserve``: reserved disk space.
- ``flights``: requests in progress, for all processes that share a cache. ``budgets``: their shared budgets.
  ``batches``: requests written to batch files.
- ``bundle``: the calls of a run as a JSONL file for replay. ``packing``: compressed bundles.
- ``answers``: responses of web services.
- ``merge``: copying the replies of one cache to another.
- ``salvage``: recovery of the intact replies of a damaged cache. ``pages``: reading SQLite pages.
"""

from scholartools.cache.database import Cache
from scholartools.cache.place import Locked, Place, ServerAddress, cache_file, cache_place, default_place
from scholartools.cache.replies import UNREADABLE, Entry, Reply, Selection, failed_reply, fault_of
from scholartools.cache.request import call_key, make_key_function

__all__ = [
    "UNREADABLE", "Cache", "Entry", "Locked", "Place", "Reply", "Selection", "ServerAddress", "cache_file",
    "cache_place", "call_key", "default_place", "failed_reply", "fault_of", "make_key_function",
]  # fmt: skip
