"""The files that pictures of figures are written to: names and resolution."""

from __future__ import annotations

import re
from pathlib import Path

from scholartools.errors import OutputFault

DPI = 180
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80  # maximum characters of the paper's name in a file name


def picture_name(stem: str, name: str, taken: set[str]) -> str:
    """A portable file name that is not yet in ``taken``, to which it is added."""
    plain = "-".join(part for part in (_safe_name(stem)[:_LONGEST], _safe_name(name)) if part)
    free, count = plain, 1
    while free in taken:
        count += 1
        free = f"{plain}.{count}"
    taken.add(free)
    return f"{free}.png"


def _safe_name(name: str) -> str:
    return _UNSAFE.sub("_", name).lstrip(".-")


def write_picture(path: Path, data: bytes) -> None:
    """Write the bytes of a picture, and create its folder if needed.

    Raises:
        OutputFault: the folder cannot be created, or the file not written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise OutputFault(f"{path}: {error.strerror}") from None
