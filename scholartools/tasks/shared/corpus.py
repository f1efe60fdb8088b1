"""Read the records of a corpus, for tasks that retrieve from other papers."""

from __future__ import annotations

from collections.abc import Iterator

from scholartools import io
from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record


def iter_corpus(paths: tuple[str, ...]) -> Iterator[tuple[str, Record]]:
    """Yield the records of JSONL files with file and line. Ids may repeat, if a paper is related to several others.

    Raises:
        UsageFault: a file cannot be read, or a line is not a record with an id; names file and line.
    """
    if "-" in paths:
        raise UsageFault(f"{parameter('corpus')}: standard input is for the papers; name a file")
    try:
        for line in io.read_lines(paths):
            if line.fault is not None:
                raise UsageFault(f"{parameter('corpus')} {line.where}: {line.fault.reason}")
            if not isinstance(line.record.get("id"), str):
                raise UsageFault(f'{parameter("corpus")} {line.where}: no "id"')
            yield line.where, line.record
    except InputFault as fault:
        raise UsageFault(f"{parameter('corpus')} {fault.reason}") from None
