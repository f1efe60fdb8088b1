"""The files that pictures of figures are written to: their names, their resolution."""

from __future__ import annotations

import re
from pathlib import Path

from scholartools.errors import OutputFault

DPI = 180
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80  # characters of a file name's stem


def picture_name(stem: str, name: str, taken: set[str]) -> str:
    """A file name that is safe everywhere and that no other caption of the paper has."""
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
    """Write the bytes of a picture, and make its folder.

    Raises:
        OutputFault: the folder cannot be made or written to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise OutputFault(f"{path}: {error.strerror}") from None
