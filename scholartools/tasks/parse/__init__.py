"""Parse papers into records.

- ``paper``: chooses a reader and completes its record; also joins reviews to papers by id, title or order (by the
  rules of :mod:`scholartools.readers.reviews`). ``sources``: loads files and archives.
- ``completeness``: warns of parts that a record lacks and long papers usually have.
"""

from scholartools.tasks.parse.paper import (
    Reading,
    add_title,
    join_reviews,
    parse,
    parse_fetched,
    read_reviews,
    stub,
    stub_of_fetched,
)
from scholartools.tasks.parse.sources import papers_in

__all__ = [
    "Reading", "add_title", "join_reviews", "papers_in", "parse", "parse_fetched", "read_reviews", "stub",
    "stub_of_fetched",
]  # fmt: skip
