"""A Dask cluster whose parts can be killed separately: a scheduler, and machines with one worker each."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from support.run import BIN, environment


class Machines:
    """The running scheduler and workers, each a process group: a nanny and its worker die together."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._log = (folder / "machines.log").open("ab")
        self._scheduler: subprocess.Popen | None = None
        self._workers: list[subprocess.Popen] = []

    def start_scheduler(self, **more: str) -> None:
        self._scheduler = self._start(more, "scheduler", "--host", "127.0.0.1", "--port", str(self.port))

    def start_workers(self, count: int = 2, **more: str) -> None:
        worker = ["worker", self.address, "--nworkers", "1", "--nthreads", "1"]
        self._workers += [self._start(more, *worker) for _ in range(count)]

    def kill_worker(self, draw: random.Random) -> None:
        """Kill a random machine, if there is one."""
        if self._workers:
            _end(self._workers.pop(draw.randrange(len(self._workers))))

    def kill_workers(self) -> None:
        while self._workers:
            _end(self._workers.pop())

    def kill_all(self) -> None:
        if self._scheduler is not None:
            _end(self._scheduler)
            self._scheduler = None
        self.kill_workers()

    def close(self) -> None:
        self.kill_all()
        self._log.close()

    def _start(self, more: dict[str, str], *words: str) -> subprocess.Popen:
        line = [BIN / "dask", *words, "--no-dashboard"]
        env = environment(**more)
        return subprocess.Popen(line, stdout=self._log, stderr=self._log, start_new_session=True, env=env)


def _end(process: subprocess.Popen) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def machines(folder: Path, **more: str) -> Iterator[Machines]:
    """Yield a scheduler and two machines with one worker each; ``more``: environment variables of the scheduler."""
    made = Machines(folder)
    try:
        made.start_scheduler(**more)
        made.start_workers()
        yield made
    finally:
        made.close()


def draw_deaths(draw: random.Random, running: Machines) -> list[Callable[[], None]]:
    """Random sequence of failures and restarts; the last entry starts workers, so that the work can end."""

    def lose_worker() -> None:
        running.kill_worker(draw)

    def restart() -> None:
        running.kill_all()
        running.start_scheduler()
        running.start_workers()

    kinds = [lose_worker, running.kill_workers, running.start_workers, restart]
    return [draw.choice(kinds) for _ in range(4)] + [running.start_workers]
