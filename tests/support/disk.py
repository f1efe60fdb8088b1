"""A small disk: a tmpfs in a mount namespace, which disappears with the process that holds it."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.run import BIN, environment

_BLOCK = 4096


class Disk:
    """A disk of a few megabytes.

    Attributes:
        path: folder of the disk within its namespace.
        seen: the same folder as seen by this process.
    """

    def __init__(self, path: Path, holder: int) -> None:
        self.path = path
        self._enter = ["nsenter", "-t", str(holder), "-m", "--"]
        self.seen = Path(f"/proc/{holder}/root") / path.relative_to("/")

    def start(self, command: str, *args: str | Path, **env: str) -> subprocess.Popen:
        """Start a command in the disk's namespace, with its cache on the disk."""
        line = [*self._enter, BIN / command, *args]
        run_in = environment(ST_CACHE=str(self.path / "calls.sqlite"), **env)
        return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=run_in)

    def free(self) -> int:
        """Free space in bytes."""
        found = os.statvfs(self.seen)
        return found.f_bavail * found.f_bsize

    def fill(self, left: int = 0) -> None:
        """Fill the disk except for ``left`` bytes."""
        with (self.seen / "other").open("ab") as other:
            for _ in range((self.free() - left) // _BLOCK):
                other.write(bytes(_BLOCK))
                other.flush()

    def clear(self) -> None:
        """Remove the file that fills the disk."""
        (self.seen / "other").unlink(missing_ok=True)


@contextlib.contextmanager
def small_disk(path: Path, size: int, files: int = 0) -> Iterator[Disk]:
    """Yield a disk of ``size`` bytes mounted at ``path``; skip the test if mounting is not permitted.

    Args:
        files: number of files and folders that the disk can hold, itself included; 0 for any number.
    """
    made = f'mount -t tmpfs -o size={size},nr_inodes={files} tmpfs "$1" && echo ready && exec cat'
    with subprocess.Popen(
        ["unshare", "-m", "sh", "-c", made, "sh", path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as holder:  # fmt: skip
        if holder.stdout.readline() != b"ready\n":
            pytest.skip("a disk of its own needs the right to mount one")
        yield Disk(path, holder.pid)
        holder.stdin.close()
