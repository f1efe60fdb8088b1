"""Report errors of temporary files as errors of the temporary folder, not of the output."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

from scholartools.errors import OutputFault


@contextlib.contextmanager
def in_temporary_folder() -> Iterator[None]:
    """Turn OSError in the block into an OutputFault about the temporary folder.

    Raises:
        OutputFault: the folder is full or missing; the message names it and the variable that selects another.
    """
    try:
        yield
    except OSError as error:
        folder = tempfile.tempdir or os.environ.get("TMPDIR", "")
        raise OutputFault(
            f"temporary folder {folder}: {error.strerror or error}; TMPDIR=FOLDER names another"
        ) from None
