"""Read Parquet files, with their own types."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from scholartools.errors import InputFault
from scholartools.table_files.libraries import extra

if TYPE_CHECKING:
    import pyarrow

_BATCH = 1000


def rows(file: BinaryIO, name: str) -> Iterator[tuple[int, list[Any]]]:
    """The headings as row 1, then the rows.

    Raises:
        InputFault: it is not a valid Parquet file.
        UsageFault: pyarrow is not installed.
    """
    with extra("parquet", "pyarrow"):
        from pyarrow import parquet
    try:
        found = parquet.ParquetFile(file if file.seekable() else io.BytesIO(file.read()))
        yield 1, list(found.schema_arrow.names)
        number = 1
        for batch in found.iter_batches(batch_size=_BATCH):
            for row in zip(*map(_values_of, batch.columns), strict=True):
                number += 1
                yield number, list(row)
    except (ValueError, OSError) as error:  # ArrowInvalid is a ValueError
        reason = " ".join(str(error).split())[:100]
        raise InputFault(f"{name}: the Parquet file cannot be read: {reason}", kind="not-a-table") from None


def _values_of(column: pyarrow.Array) -> list[Any]:
    """The values of a column; of single precision, the shortest decimals that stand for them: .1, not .10000000149."""
    import pyarrow

    texts = _with_singles_as(column.type, pyarrow.string())
    if texts == column.type:
        return column.to_pylist()  # type: ignore[no-any-return]
    doubles = _with_singles_as(column.type, pyarrow.float64())
    return column.cast(texts).cast(doubles).to_pylist()  # type: ignore[no-any-return]


def _with_singles_as(kind: pyarrow.DataType, other: pyarrow.DataType) -> pyarrow.DataType:
    """A type with another in the place of numbers of single precision, in lists, maps and structures, too."""
    import pyarrow

    types = pyarrow.types
    if types.is_float32(kind):
        return other
    if types.is_fixed_size_list(kind):
        return pyarrow.list_(kind.value_field.with_type(_with_singles_as(kind.value_type, other)), kind.list_size)
    for is_one, make in ((types.is_list, pyarrow.list_), (types.is_large_list, pyarrow.large_list)):
        if is_one(kind):
            return make(kind.value_field.with_type(_with_singles_as(kind.value_type, other)))
    if types.is_map(kind):
        return pyarrow.map_(*(_with_singles_as(one, other) for one in (kind.key_type, kind.item_type)))
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(_with_singles_as(field.type, other)) for field in kind])
    return kind
