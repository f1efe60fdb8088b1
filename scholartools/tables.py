"""Tables in Python: dictionaries, data frames of pandas, polars and pyarrow, and notebook output.

After the last record, Python warnings report data that the rows omit: null in place of a list, keys without a column.
"""

from __future__ import annotations

import html
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.records import Record
from scholartools.table_files.columnar_out import check, lists_of, schema_of
from scholartools.table_files.formats import Column
from scholartools.table_files.libraries import extra
from scholartools.table_files.text_out import Markdown, text_of
from scholartools.tasks.tabulate.ids import Ids
from scholartools.tasks.tabulate.results import ALL, long_table
from scholartools.tasks.tabulate.rows import Row, Rows

_PANDAS = {
    "text": "string", "json": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean", "texts": "object"
}  # fmt: skip


def rows(
    name: str, records: Iterable[Record], columns: Sequence[str] = (), *, keys: Sequence[str] = ()
) -> Iterator[Record]:
    """Iterate over the rows of a table as dictionaries with all columns; missing values are None.

    Args:
        name: name of the table, as listed by ``st-table list``.
        records: papers, or results of st-score and st-agree for the tables of results; consumed one by one.
        columns: selected headings in their order; empty: all.
        keys: keys or paths that become rows of the table "long"; not allowed for other tables.

    Raises:
        UsageFault: the table or a column does not exist.
        InputFault: a list, an item or a value has another type.
    """
    maker = _maker(name, records, columns, keys)
    headings = [column.heading for column in maker.columns]
    return (dict(zip(headings, row, strict=True)) for row in _made(maker, records))


def frame(
    name: str, records: Iterable[Record], to: str = "pandas", columns: Sequence[str] = (), *, keys: Sequence[str] = ()
) -> Any:
    """Table as a data frame, with types from the schema of records and not inferred from the values.

    Args:
        name, records, columns, keys: see :func:`rows`.
        to: "pandas" (nullable types string, Int64, Float64, boolean; lists as objects), "polars", or "arrow" (the
            schema of the Parquet files of st-table).

    Raises:
        UsageFault: see :func:`rows`; or the library is not installed.
        InputFault: see :func:`rows`; or a number does not fit into 64 bits.
    """
    make = {"pandas": _to_pandas, "polars": _to_polars, "arrow": _to_arrow}.get(to)
    if make is None:
        raise UsageFault(f'"pandas", "polars" or "arrow", not "{to}"', parameter="to")
    maker = _maker(name, records, columns, keys)
    return make(name, maker.columns, _made(maker, records, checked=True))


class Shown(NamedTuple):
    """Table for display: HTML with escaped texts in a notebook, Markdown with ``print``.

    Attributes:
        columns: columns of the table.
        rows: all of them.
        most: number of rows to show; the rest is only counted.
    """

    columns: Sequence[Column]
    rows: Sequence[Row]
    most: int

    def _repr_html_(self) -> str:
        parts = [
            "<table><thead><tr>",
            *(f"<th>{html.escape(one.heading)}</th>" for one in self.columns),
            "</tr></thead>",
        ]
        for row in self.rows[: self.most]:
            parts += ["<tr>", *(self._cell(*pair) for pair in zip(row, self.columns, strict=True)), "</tr>"]
        return "".join([*parts, "</table>", f"<p>{more}</p>" if (more := self._more()) else ""])

    def __repr__(self) -> str:
        made = Markdown(self.columns)
        return made.head() + made.add(self.rows[: self.most]) + (f"\n{more}\n" if (more := self._more()) else "")

    def _more(self) -> str:
        n = len(self.rows)
        return f"{self.most} of {n} rows" if n > self.most else ""

    def _cell(self, cell: Any, column: Column) -> str:
        if cell is None:
            return "<td><i>null</i></td>"
        text = html.escape(text_of(cell))
        is_number = column.kind in ("integer", "number")
        return f'<td style="text-align: {"right" if is_number else "left"}" dir="auto">{text}</td>'


def show(
    name: str,
    records: Iterable[Record],
    columns: Sequence[str] = (),
    *,
    keys: Sequence[str] = (),
    most: int = 20,
) -> Shown:
    """Table for display in a notebook; needs no further library.

    Args:
        name, records, columns, keys: see :func:`rows`.
        most: number of rows to show, at least 1.

    Raises:
        UsageFault: see :func:`rows`; or ``most`` is less than 1.
        InputFault: see :func:`rows`.
    """
    if most < 1:
        raise UsageFault("1 or more", parameter="most")
    maker = _maker(name, records, columns, keys)
    return Shown(maker.columns, list(_made(maker, records)), most)


def records(frame: Any) -> list[Record]:
    """Rows of a data frame of pandas, polars or pyarrow as dictionaries; missing values are None.

    NaN counts as missing in pandas only. The index of pandas is dropped.

    Raises:
        UsageFault: not a data frame of these libraries, or two columns have the same name.
    """
    library = type(frame).__module__.partition(".")[0]
    if library == "polars" and hasattr(frame, "iter_rows"):
        return list(frame.iter_rows(named=True))
    if library not in ("pandas", "pyarrow") or not hasattr(frame, "columns"):
        raise UsageFault(f"a {type(frame).__name__} is not a data frame of pandas, polars or pyarrow")
    names = list(frame.columns if library == "pandas" else frame.column_names)
    if len(set(names)) < len(names):
        raise UsageFault("two columns of the frame have the same name")
    if library == "pyarrow":
        cells = [column.to_pylist() for column in frame.columns]
    else:
        cells = [[_of_pandas(cell) for cell in frame[name].tolist()] for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]


def _maker(name: str, records: Any, columns: Sequence[str], keys: Sequence[str]) -> Rows:
    if name not in ALL:
        raise UsageFault(f'there is no table "{name}": {", ".join(ALL)}')
    for parameter, value in (("columns", columns), ("keys", keys)):
        if isinstance(value, str):
            raise UsageFault(f'expected a list of names, as in ["{value}"]', parameter=parameter)
    if (name == "long") != bool(keys):
        raise UsageFault("only the table long takes keys", parameter="keys")
    if isinstance(records, (Mapping, str)) or not isinstance(records, Iterable):
        raise UsageFault(f"expected a list of records, not one {type(records).__name__}", parameter="records")
    return Rows(long_table(list(keys)) if keys else ALL[name], list(columns))


def _made(maker: Rows, records: Iterable[Record], *, checked: bool = False) -> Iterator[Row]:
    ids = Ids(maker.table)
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise InputFault(f"record {number}: a {type(record).__name__} is not a record", kind="not-an-object")
        try:
            found = maker.of(record)
            for row in found if checked else ():
                check(maker.columns, row)
        except InputFault as fault:
            raise InputFault(f"record {number}: {fault.reason}", kind=fault.kind) from None
        ids.add(record)
        yield from found
    maker.check()
    for note in (*maker.notes(), *ids.notes()):
        warnings.warn(f"{maker.table.name}: {note}", stacklevel=3)


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
    """Cell as a JSON value: None for a missing value, a list for an array."""
    import pandas

    if hasattr(cell, "tolist"):
        cell = cell.tolist()
    if isinstance(cell, (list, dict)):
        return cell
    return None if pandas.isna(cell) else cell
