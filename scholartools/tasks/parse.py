"""A file of a paper in, a paper record out: by the reader its content asks for, with where it came from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import PurePath

from scholartools import __version__
from scholartools.errors import InputFault
from scholartools.records import Record, add_provenance
from scholartools.signature import signature

COMMAND = "st-parse"


def stub(path: str) -> Record:
    """What is known of a paper before it is read: its id (the file's name without ending) and its path."""
    shown = path.encode(errors="surrogateescape").decode(errors="backslashreplace")
    return {"id": PurePath(shown).stem if path != "-" else "stdin", "source": {"path": shown}}


def parse(record: Record, *, stdin: bytes | None = None, real: Mapping[str, str] | None = None) -> Record:
    """Read the file that ``record["source"]["path"]`` names and return the paper record.

    Args:
        record: as :func:`stub` makes it.
        stdin: the bytes of the paper whose path is ``-``.
        real: by the path in the record, the path to open, for names that are not UTF-8 and so not JSON.

    Raises:
        InputFault: the file cannot be read, or is not a paper with text; the reason says what it is instead.
    """
    path = record["source"]["path"]
    data = stdin if path == "-" and stdin is not None else _bytes((real or {}).get(path, path))
    from scholartools.readers import pdf

    paper = pdf.read(data)
    source = {
        "path": path,
        "format": paper.pop("format"),
        "sha256": hashlib.sha256(data).hexdigest(),
        "pages": paper.pop("pages"),
    }
    parsed: Record = {"id": record["id"], "source": source, **paper}
    mark = signature(COMMAND, {"reader": source["format"], "library": pdf.library(), "input": source["sha256"]})
    add_provenance(parsed, COMMAND, __version__, mark)
    return parsed


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise InputFault(str(error.strerror), kind="unreadable") from None
