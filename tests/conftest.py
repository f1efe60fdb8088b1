"""Fixtures of all tests; what runs commands is in support/run.py."""

from __future__ import annotations

import pytest
from support import preloaded
from support.run import PAPER, ROOT, st


def pytest_addoption(parser: pytest.Parser) -> None:
    """How commands are started."""
    text = "Fork commands from a process that has imported the libraries, in place of starting an interpreter for each."
    parser.addoption("--preloaded", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    """Hand the option on to what runs commands."""
    preloaded.is_wanted = config.getoption("preloaded")


@pytest.fixture(scope="session")
def parsed() -> bytes:
    """The fixture paper as st-parse writes it."""
    result = st("st-parse", PAPER, cwd=ROOT)
    assert result.status == 0, result.err
    return result.out
