"""Read Parquet files, with their own types."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

from scholartools.errors import InputFault
from scholartools.table_files.libraries import extra

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
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                number += 1
                yield number, list(row)
    except (ValueError, OSError) as error:  # ArrowInvalid is a ValueError
        reason = " ".join(str(error).split())[:100]
        raise InputFault(f"{name}: the Parquet file cannot be read: {reason}", kind="not-a-table") from None
