"""Reserve disk space for data that is about to be written.

The space is held by an unlinked file, so that it is freed when the process ends in any way.
"""

from __future__ import annotations

import errno
import os
import resource
import tempfile
from pathlib import Path

# Bytes written at once on file systems without fallocate.
_BLOCK = 2**20


class Reserve:
    """Reserved space in a folder, initially none. Not thread-safe.

    Attributes:
        size: reserved bytes.
    """

    def __init__(self, folder: Path) -> None:
        self.size = 0
        self._folder = folder
        self._file: int | None = None

    def grow(self, size: int) -> None:
        """Increase the reservation to ``size`` bytes.

        Raises:
            OSError: the disk is full or the folder is not writable; the earlier reservation is kept.
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
        """Reduce the reservation by ``size`` bytes."""
        if self._file is not None:
            self.size = max(0, self.size - size)
            os.ftruncate(self._file, self.size)

    def close(self) -> None:
        """Free all reserved space."""
        self.give_back(self.size)
        if self._file is not None:
            os.close(self._file)
            self._file = None


def largest_file() -> int | None:
    """Maximum size of a file of this process in bytes (``ulimit -f``); None if unlimited."""
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return None if limit == resource.RLIM_INFINITY else limit


def _open_nameless(folder: Path) -> int:
    flags = getattr(os, "O_TMPFILE", None)
    if flags is not None:
        try:
            return os.open(folder, flags | os.O_RDWR, 0o600)
        except OSError as error:  # the file system or kernel does not support O_TMPFILE
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
