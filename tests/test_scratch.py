"""A full temporary folder is told as that folder, whatever is written there; the output has room."""

from __future__ import annotations

import resource

import pytest
from support.run import jsonl, st

RECORDS = [
    {"id": f"p{n}", "title": "On bees", "references": [{"id": f"b{m}", "text": f"{n * 7919 % 104729} {m} " * 40} for m in range(20)]}
    for n in range(60)
]  # fmt: skip
SIZE = 8192  # of a file at most


@pytest.mark.parametrize(
    "line",
    [
        ("references", "--to", "xlsx", "--output", "OUT.xlsx"),
        ("references", "--to", "xlsx"),
        ("references", "--to", "parquet", "--output", "OUT.parquet"),
        ("dataset", "references", "--output", "OUT"),
    ],
)
def test_a_full_temporary_folder_is_named(tmp_path, line):
    (folder := tmp_path / "scratch").mkdir()
    line = [one.replace("OUT", str(tmp_path / "out")) for one in line]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (SIZE, SIZE))

    done = st("st-table", *line, input=jsonl(*RECORDS), env={"TMPDIR": str(folder)}, preexec_fn=limit)
    assert done.status == 6, done.err
    told = [one for one in done.err.splitlines() if "File too large" in one]
    assert len(told) == 1 and f"temporary folder {folder}" in told[0] and "TMPDIR" in told[0], done.err
    assert "Traceback" not in done.err and not [*folder.iterdir()]
