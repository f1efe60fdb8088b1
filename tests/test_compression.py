"""Files whose names end in .gz or .zst: compressed on the way out, whatever writes them, and read on the way in."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import threading
import zlib

import pytest
import zstandard
from support.run import BIN, environment, st

from scholartools.compression import packer_for, unpacked
from scholartools.errors import InputFault

PAPERS = "".join(
    f'{{"id": "{n:03}", "title": "Of \\u00fcber {n}", "year": {2000 + n}, "abstract": "We count bees."}}\n'
    for n in range(60)
)
UNPACK = {
    ".gz": gzip.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().stream_reader(data).read(),
}  # fmt: skip


@pytest.mark.parametrize("packing", UNPACK)
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".md", ".tex", ".xlsx", ".parquet", ".jsonl"])
def test_the_file_holds_the_bytes_of_the_plain_one(ending, packing, tmp_path):
    pytest.importorskip({".xlsx": "xlsxwriter", ".parquet": "pyarrow"}.get(ending, "json"))
    line = ["st-facets"] if ending == ".jsonl" else ["st-table", "papers", "--columns", "id,title,year"]
    plain, packed = tmp_path / f"a{ending}", tmp_path / f"a{ending}{packing}"
    for path in (plain, packed):
        assert st(*line, "--output", path, input=PAPERS).status == 0
    data = packed.read_bytes()
    assert data != plain.read_bytes() and UNPACK[packing](data) == plain.read_bytes()
    assert st(*line, "--output", packed, input=PAPERS).status == 0 and packed.read_bytes() == data
    if ending in (".csv", ".tsv"):
        assert (tmp_path / f"a{ending}{packing}.meta.json").exists()
    if ending not in (".md", ".tex"):
        found = [st("st-table", "papers", "--columns", "id,title,year", path) for path in (plain, packed)]
        assert found[0].status == 0 and found[1].out == found[0].out and len(found[0].out.splitlines()) == 61


@pytest.mark.parametrize("packing", UNPACK)
def test_what_a_failed_run_leaves_is_a_whole_file(packing, tmp_path):
    path = tmp_path / f"a.csv{packing}"
    done = st(
        "st-table", "papers", "--columns", "id,year", "--output", path, input=PAPERS + '{"id": "x", "year": "n.d."}\n'
    )
    assert done.status == 1 and len(UNPACK[packing](path.read_bytes()).splitlines()) == 61


@pytest.mark.parametrize("packing", UNPACK)
def test_a_reader_of_a_named_pipe_gets_what_there_is(packing, tmp_path):
    """A record is there once it is written, not at the end of the run."""
    pipe, source = tmp_path / f"p.jsonl{packing}", tmp_path / "source.jsonl"
    os.mkfifo(pipe)
    os.mkfifo(source)
    got, whole = threading.Event(), []

    def read():
        with pipe.open("rb") as file:
            data = b""
            while part := os.read(file.fileno(), 65536):
                data += part
                got.set()
            whole.append(data)

    reader = threading.Thread(target=read)
    reader.start()
    done = subprocess.Popen([BIN / "st-facets", "--output", pipe, source], env=environment(), stderr=subprocess.DEVNULL)
    with source.open("w") as file:
        file.write(PAPERS.splitlines(keepends=True)[0])
        file.flush()
        assert got.wait(60), "nothing before the end of the input"
        file.write(PAPERS.splitlines(keepends=True)[1])
    assert done.wait(60) in (0, 1)
    reader.join(60)
    assert len(UNPACK[packing](whole[0]).splitlines()) == 2


@pytest.mark.parametrize("packing", UNPACK)
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_a_damaged_file_is_named(name, packing, tmp_path):
    path = tmp_path / f"{name}{packing}"
    assert st("st-table" if name == "a.csv" else "st-facets", *(["papers"] if name == "a.csv" else []), "--output", path, input=PAPERS).status == 0  # fmt: skip
    data = path.read_bytes()
    for damaged in (data[: len(data) // 2], data[:40] + bytes(20) + data[60:]):
        path.write_bytes(damaged)
        done = st("st-table", "papers", path)
        assert done.status == 3 and str(path) in done.err and "Traceback" not in done.err, done.err


@pytest.mark.parametrize("packing", UNPACK)
def test_a_file_that_is_cut_anywhere_is_refused_and_joined_files_are_one(packing):
    (packer, _), data = packer_for(f"a{packing}"), os.urandom(3000) + bytes(300_000) + b"end"
    packed = packer.compress(data) + packer.flush()
    for cut in [*range(4, len(packed), 97), len(packed) - 1]:
        with pytest.raises((OSError, EOFError, zlib.error)):
            unpacked(io.BufferedReader(io.BytesIO(packed[:cut]))).read()
    assert unpacked(io.BufferedReader(io.BytesIO(packed * 3))).read() == data * 3


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl.gz", b'{"id": 1, "abstract": "We do."}\n{"id": 2, "abstract": "' + b" " * 5000 + b'"}\n{"id": 3}\n'),
        ("a.jsonl.gz", b" " * 5000),
        ("a.csv.gz", b"id,abstract\n1,We do.\n2," + b"x" * 5000 + b"\n"),
        ("a.csv.gz", b'id,abstract\n1,We do.\n2,"' + b"x\n" * 5000 + b'"\n'),
    ],
)
def test_a_line_that_unpacks_to_more_than_is_read_ends_the_file(name, data, tmp_path, monkeypatch):
    """600 kB of gzip became a line of 600 MB and 4.5 GB of memory in each command."""
    from scholartools import compression
    from scholartools import io as files
    from scholartools.table_files import delimited
    from scholartools.table_files.reading import Reading

    for module in (compression, delimited):
        monkeypatch.setattr(module, "LONGEST_LINE", 1000)
    (path := tmp_path / name).write_bytes(gzip.compress(data))
    found = []
    with pytest.raises(InputFault, match="more than 0 MB, the most that is read|field larger than field limit"):
        found += files.read_lines([str(path)], reading=Reading())
    monkeypatch.undo()
    assert len([*files.read_lines([str(path)], reading=Reading())]) >= (not data.isspace())
