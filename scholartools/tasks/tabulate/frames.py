"""Tables in Python: rows as dictionaries, and as data frames of pandas, polars and pyarrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.records import Record
from scholartools.tables.columnar_out import check, lists_of, schema_of
from scholartools.tables.formats import Column
from scholartools.tables.libraries import extra
from scholartools.tasks.tabulate.listing import ALL
from scholartools.tasks.tabulate.rows import Row, Rows

_PANDAS = {
    "text": "string", "json": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean", "texts": "object"
}  # fmt: skip


def rows(name: str, records: Iterable[Record], columns: Sequence[str] = ()) -> Iterator[Record]:
    """The rows of a table, each with all columns: null and what is not there are None.

    Args:
        name: of the table, as ``st-table list`` tells it.
        records: papers, or results of st-score and st-agree for the tables of results; read one by one.
        columns: headings that are wanted, in their order; none: all.

    Raises:
        UsageFault: there is no such table or column.
        InputFault: what stands at the place of a list, an item or a value is something else.
    """
    maker = _maker(name, columns)
    headings = [column.heading for column in maker.columns]
    return (dict(zip(headings, row, strict=True)) for row in _made(maker, records))


def frame(name: str, records: Iterable[Record], to: str = "pandas", columns: Sequence[str] = ()) -> Any:
    """A table as a data frame, with types by the schema of records and not by what is there.

    Args:
        name, records, columns: see :func:`rows`.
        to: "pandas" (nullable types: string, Int64, Float64, boolean; lists are objects), "polars", or "arrow" (the
            schema of the Parquet files that st-table writes).

    Raises:
        UsageFault: see :func:`rows`; or the library is not installed.
        InputFault: see :func:`rows`; or a number does not fit into 64 bits.
    """
    maker = _maker(name, columns)
    make = {"pandas": _to_pandas, "polars": _to_polars, "arrow": _to_arrow}.get(to)
    if make is None:
        raise UsageFault(f'"pandas", "polars" or "arrow", not "{to}"', parameter="to")
    return make(name, maker.columns, _made(maker, records, checked=True))


def records(frame: Any) -> list[Record]:
    """The rows of a data frame of pandas, polars or pyarrow as dictionaries; missing values are None.

    NaN is a missing value in pandas alone. Its index is left out.

    Raises:
        UsageFault: it is no such frame, or two of its columns have one name.
    """
    library = type(frame).__module__.partition(".")[0]
    if library == "polars" and hasattr(frame, "iter_rows"):
        return list(frame.iter_rows(named=True))
    if library not in ("pandas", "pyarrow") or not hasattr(frame, "columns"):
        raise UsageFault(f"a {type(frame).__name__} is no data frame of pandas, polars or pyarrow")
    names = list(frame.columns if library == "pandas" else frame.column_names)
    if len(set(names)) < len(names):
        raise UsageFault("two columns of the frame have one name")
    if library == "pyarrow":
        cells = [column.to_pylist() for column in frame.columns]
    else:
        cells = [[_of_pandas(cell) for cell in frame[name].tolist()] for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]


def _maker(name: str, columns: Sequence[str]) -> Rows:
    if name not in ALL:
        raise UsageFault(f'there is no table "{name}": st-table list tells which there are')
    return Rows(ALL[name], list(columns))


def _made(maker: Rows, records: Iterable[Record], *, checked: bool = False) -> Iterator[Row]:
    for number, record in enumerate(records, 1):
        try:
            found = maker.of(record)
            for row in found if checked else ():
                check(maker.columns, row)
        except InputFault as fault:
            raise InputFault(f"record {number}: {fault.reason}", kind=fault.kind) from None
        yield from found


def _to_pandas(_: str, columns: Sequence[Column], made: Iterator[Row]) -> Any:
    with extra("pandas", "pandas"):
        import pandas
    cells = lists_of(columns, list(made))
    kinds = {column.heading: _PANDAS[column.kind] for column in columns}
    series = {heading: pandas.Series(some, dtype=kinds[heading]) for heading, some in cells.items()}
    return pandas.DataFrame(series, columns=list(cells))


def _to_polars(_: str, columns: Sequence[Column], made: Iterator[Row]) -> Any:
    with extra("polars", "polars"):
        import polars
    kinds: dict[str, Any] = {
        "text": polars.String, "json": polars.String, "integer": polars.Int64, "number": polars.Float64,
        "boolean": polars.Boolean, "texts": polars.List(polars.String),
    }  # fmt: skip
    return polars.DataFrame(
        lists_of(columns, list(made)), schema={column.heading: kinds[column.kind] for column in columns}
    )


def _to_arrow(name: str, columns: Sequence[Column], made: Iterator[Row]) -> Any:
    schema = schema_of(name, columns)
    import pyarrow

    return pyarrow.table(lists_of(columns, list(made)), schema=schema)


def _of_pandas(cell: Any) -> Any:
    """A cell as JSON has it: None for what is missing, a list for an array."""
    import pandas

    if hasattr(cell, "tolist"):
        cell = cell.tolist()
    if isinstance(cell, (list, dict)):
        return cell
    return None if pandas.isna(cell) else cell
