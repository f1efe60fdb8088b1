"""A server of PostgreSQL for the tests of caches, and a new database in it for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A running server, one for all tests of a process."""
    if reason := postgres.missing():
        pytest.skip(reason)
    with postgres.running_server() as server:
        yield server


@pytest.fixture
def database(postgres_server) -> str:
    """The address of a new database."""
    return postgres_server.new_database()
