"""Room on a disk that is held for what is about to be written there.

It is a file without a name: the disk has its space back when the process ends, however it ends.
"""

from __future__ import annotations

import errno
import os
import resource
import tempfile
from pathlib import Path

# Bytes written at once where space cannot be reserved without writing.
_BLOCK = 2**20


class Reserve:
    """Room in a folder, none at first. For one thread at a time.

    Attributes:
        size: bytes that are held.
    """

    def __init__(self, folder: Path) -> None:
        self.size = 0
        self._folder = folder
        self._file: int | None = None

    def grow(self, size: int) -> None:
        """Hold so many bytes.

        Raises:
            OSError: there is no space, or the folder may not be written; what was held still is.
        """
        if size <= self.size:
            return
        if self._file is None:
            self._file = _open_nameless(self._folder)
        try:
            _allocate(self._file, self.size, size - self.size)
        except OSError:
            os.ftruncate(self._file, self.size)
            raise
        self.size = size

    def give_back(self, size: int) -> None:
        """Hold so many bytes less."""
        if self._file is not None:
            self.size = max(0, self.size - size)
            os.ftruncate(self._file, self.size)

    def close(self) -> None:
        """Give all of it back."""
        self.give_back(self.size)
        if self._file is not None:
            os.close(self._file)
            self._file = None


def largest_file() -> int | None:
    """Bytes that a file of this process may have at most (``ulimit -f``); None where it may have any number."""
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return None if limit == resource.RLIM_INFINITY else limit


def _open_nameless(folder: Path) -> int:
    flags = getattr(os, "O_TMPFILE", None)
    if flags is not None:
        try:
            return os.open(folder, flags | os.O_RDWR, 0o600)
        except OSError as error:  # of a file system, or a kernel, that has no such files
            if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
                raise
    file, name = tempfile.mkstemp(dir=folder)
    os.unlink(name)
    return file


def _allocate(file: int, start: int, size: int) -> None:
    allocate = getattr(os, "posix_fallocate", None)
    if allocate is not None:
        try:
            return allocate(file, start, size)
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
                raise
    for place in range(start, start + size, _BLOCK):
        os.pwrite(file, bytes(min(_BLOCK, start + size - place)), place)
