"""Fixtures and options of all tests; support/run.py runs commands."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from support import no_network, postgres, preloaded
from support.cases import spread_cases
from support.run import PAPER, ROOT, st

# No deadlines, so that a busy machine fails no test; all examples of a test share its folders and servers.
settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("untimed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: some tests wait for servers (4 min 36 s on two processors for 5 min 12 s)."""
    return (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that decide how commands are started and how many cases run."""
    text = "Fork commands from a process that has imported the libraries, in place of starting an interpreter for each."
    parser.addoption("--preloaded", action="store_true", help=text)
    text = (
        "With --preloaded: each test function of this folder that is not slow starts an interpreter for its first command "
        "with its first parameters."
    )
    parser.addoption("--interpreters-in", action="append", default=[], metavar="FOLDER", help=text)
    text = "Run at most N cases of each parametrized test function: those that show most values of its parameters."
    parser.addoption("--most-cases", type=int, metavar="N", help=text)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep at most --most-cases cases of each test function, the same ones in each run."""
    if (most := config.getoption("most_cases")) is None:
        return
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    kept = {item for each in cases.values() for item in spread_cases(each, most)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def pytest_configure() -> None:
    """Forbid connections to other machines, in this process and in forked commands."""
    no_network.forbid()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Set in ``preloaded`` how this test and its fixtures start commands."""
    folders = [ROOT / folder for folder in item.config.getoption("interpreters_in")]
    # Only the first parameters: 680 interpreters instead of 2,200, each at half a second or more of processor time.
    is_first = not any(getattr(getattr(item, "callspec", None), "indices", {}).values())
    is_slow = item.get_closest_marker("slow") is not None
    is_chosen = is_first and not is_slow
    preloaded.is_wanted = item.config.getoption("preloaded")
    preloaded.in_shells = preloaded.is_wanted and is_slow
    preloaded.n_interpreters = int(is_chosen and any(item.path.is_relative_to(folder) for folder in folders))


@pytest.fixture(scope="session")
def parsed() -> bytes:
    """Output of st-parse for the fixture paper."""
    result = st("st-parse", PAPER, cwd=ROOT)
    assert result.status == 0, result.err
    return result.out


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A running PostgreSQL server, shared by all tests of a process."""
    if reason := postgres.missing():
        pytest.skip(reason)
    with postgres.running_server() as server:
        yield server


@pytest.fixture
def database(postgres_server) -> str:
    """URL of a new database."""
    return postgres_server.new_database()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, tmp_path) -> str:
    """Value of ST_CACHE for a cache in a file, and for one in a database."""
    if request.param == "sqlite":
        return str(tmp_path / "cache")
    if reason := postgres.missing():
        pytest.skip(reason)
    return request.getfixturevalue("database")
