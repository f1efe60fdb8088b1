"""Papers to records.

- ``paper``: chooses a reader and completes its record; also joins reviews to papers, by id, title or order (what counts
  as the same is in :mod:`scholartools.readers.reviews`). ``sources``: loads files and archives.
- ``completeness``: tells of parts that long papers have and a record lacks.
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
