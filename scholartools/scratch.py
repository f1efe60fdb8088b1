"""The temporary folder: what goes wrong in a file there is reported as that folder's, not as the output's."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

from scholartools.errors import OutputFault


@contextlib.contextmanager
def in_temporary_folder() -> Iterator[None]:
    """Work with files in the temporary folder.

    Raises:
        OutputFault: there is no space, or no such folder; with its name, and how another is named.
    """
    try:
        yield
    except OSError as error:
        folder = tempfile.tempdir or os.environ.get("TMPDIR", "")
        raise OutputFault(
            f"temporary folder {folder}: {error.strerror or error}; TMPDIR=FOLDER names another"
        ) from None
