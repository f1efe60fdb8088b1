"""A PostgreSQL server for the tests, started by an unprivileged user in a temporary folder."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

USER = "cache"


def missing() -> str | None:
    """Reason why no server can be started here; None if one can."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    if not glob.glob("/usr/lib/postgresql/*/bin/initdb") and not shutil.which("initdb"):
        return "no server of PostgreSQL is installed (the package postgresql of Debian)"
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        return "a server of PostgreSQL is not started by root, and setpriv is missing"
    return None


class Server:
    """A PostgreSQL server in a folder."""

    def __init__(self, folder: str, programs: str) -> None:
        self.folder, self._programs, self._count = folder, programs, 0
        self.data = os.path.join(folder, "data")

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL as an unprivileged user."""
        plain = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [*plain, os.path.join(self._programs, program), *arguments], capture_output=True, text=True, cwd="/tmp",
            env={"PATH": os.environ["PATH"], "HOME": self.folder, "LC_ALL": "C"}, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")

    def start(self) -> None:
        """Start the server, and wait until it is ready."""
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off -c max_connections=40"
        self.run("pg_ctl", "-D", self.data, "-l", f"{self.folder}/log", "-o", options, "-w", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop the server; the mode "immediate" is like a crash."""
        self.run("pg_ctl", "-D", self.data, "-m", how, "-w", "stop")

    def url(self, database: str) -> str:
        """URL of a database."""
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """URL of a new, empty database."""
        import psycopg

        self._count += 1
        name = f"d{self._count}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        return self.url(name)


@contextlib.contextmanager
def running_server() -> Iterator[Server]:
    """Yield a server that runs during the block."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    programs = found[-1] if found else os.path.dirname(shutil.which("initdb") or "")
    folder = tempfile.mkdtemp(prefix="pg", dir="/tmp")
    try:
        if os.geteuid() == 0:
            os.chown(folder, 65534, 65534)
        server = Server(folder, programs)
        server.run("initdb", "-D", server.data, "-A", "trust", "-U", USER, "-E", "UTF8", "--no-sync")
        server.start()
        try:
            yield server
        finally:
            with contextlib.suppress(RuntimeError):
                server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    with running_server() as one:
        print(one.new_database(), flush=True)
        sys.stdin.read()
