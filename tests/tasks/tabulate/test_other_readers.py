"""What other libraries find in the CSV of every table: the same cells, however hostile the texts are."""

from __future__ import annotations

import csv

import pytest
from support import filled

from scholartools.tasks.tabulate.descriptions import TABLES
from scholartools.tasks.tabulate.writing import make_format, writer

RECORDS = [filled.filled_record(seed, f"p{seed}") for seed in range(4)]
LARGEST = 1 << 30


def by_pandas(path):
    found = pytest.importorskip("pandas").read_csv(path, dtype=str, keep_default_na=False)
    return [list(found.columns), *found.to_numpy().tolist()]


def by_polars(path):
    found = pytest.importorskip("polars").read_csv(path, infer_schema=False)
    return [found.columns, *([cell or "" for cell in row] for row in found.rows())]


def by_duckdb(path):
    how = r"all_varchar=true, header=true, delim=',', quote='\"', escape='\"', max_line_size=40000000"
    found = pytest.importorskip("duckdb").sql(f"select * from read_csv('{path}', {how})".replace("\\", ""))
    return [found.columns, *([cell or "" for cell in row] for row in found.fetchall())]


def by_csvkit(path):
    pytest.importorskip("csvkit")
    from agate import csv_py3

    with open(path, newline="", encoding="utf-8") as file:
        return list(csv_py3.reader(file, field_size_limit=LARGEST))


@pytest.mark.parametrize("read", [by_pandas, by_polars, by_duckdb, by_csvkit])
def test_the_cells_are_those_of_the_rows(read, tmp_path):
    for name, table in TABLES.items():
        of = writer(table, "csv", None)
        rows = [row for record in RECORDS for row in of._rows.of(record)]
        form = make_format("csv", name, of._rows.columns)
        path = tmp_path / f"{name}.csv"
        path.write_bytes((form.head() + form.add(rows)).encode())
        csv.field_size_limit(LARGEST)
        with path.open(newline="", encoding="utf-8") as file:
            wanted = list(csv.reader(file, strict=True))
        assert read(path) == wanted and len(wanted) == len(rows) + 1, name
