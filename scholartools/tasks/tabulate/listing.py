"""List the tables, and the columns of a table, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scholartools.errors import UsageFault
from scholartools.paths import as_json
from scholartools.tasks.tabulate.results import ALL
from scholartools.tasks.tabulate.rows import Rows


def tables(rest: Sequence[str]) -> str:
    """A line per table.

    Raises:
        UsageFault: there are extra arguments.
    """
    if rest:
        raise UsageFault(f'"list" reads no file: "{rest[0]}"')
    return _aligned((table.name, table.about) for table in ALL.values())


def columns(rest: Sequence[str]) -> str:
    """A line per column of a table: heading, kind, path in a record, meaning.

    Raises:
        UsageFault: the arguments are not the name of one table.
    """
    if len(rest) != 1 or rest[0] not in ALL:
        wrong = f"{as_json(rest[0])} is not a table" if len(rest) == 1 else "columns needs the name of one table"
        raise UsageFault(f"{wrong}: st-table list shows the names of tables")
    return _aligned(Rows(ALL[rest[0]]).columns)


def _aligned(rows: Iterable[Sequence[str]]) -> str:
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "".join(f"{line}\n" for line in lines)
