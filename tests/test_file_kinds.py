"""Files of another kind given to a command: one line that names them, and papers in plain text that are still read."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import shutil
import subprocess
import zipfile

import pytest
import zstandard
from support.run import PAPER, ROOT, jsonl, st

from scholartools.errors import InputFault
from scholartools.file_kinds import HEAD, other_format
from scholartools.readers.formats import format_of

ROWS = [{"item": f"p{n}", "a": "yes", "b": 'so "what", then', "c": n / 7} for n in range(300)]
PLAIN = jsonl(*ROWS)


def table(delimiter: str) -> bytes:
    made = io.StringIO()
    writer = csv.DictWriter(made, list(ROWS[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(ROWS)
    return made.getvalue().encode()


def packed() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("[Content_Types].xml", "x")
        archive.writestr("xl/workbook.xml", "x")
    return made.getvalue()


KINDS = {
    "CSV": (table(","), "a table (CSV)"),
    "TSV": (table("\t"), "a table (TSV)"),
    "semicolons": (table(";"), "a table (CSV with semicolons)"),
    "CSV with a mark": (b"\xef\xbb\xbf" + table(","), "a table (CSV)"),
    "array": (json.dumps(ROWS).encode(), "a JSON array: jq -c '.[]'"),
    "pretty array": (json.dumps(ROWS, indent=1).encode(), "a JSON array: jq -c '.[]'"),
    "pretty object": (json.dumps(ROWS[0], indent=2).encode(), "JSON over several lines: jq -c ."),
    "PDF": (PAPER.read_bytes(), "a PDF: run st-parse"),
    "gzip": (gzip.compress(PLAIN), "compressed with gzip: zcat"),
    "zstd": (zstandard.compress(PLAIN), "compressed with zstd: zstdcat"),
    "workbook": (packed(), "an Excel workbook: --input-format xlsx"),
    "zip": (b"PK\x03\x04" + bytes(100), "a ZIP archive"),
    "Parquet": (b"PAR1\x15\x04" + bytes(50), "Parquet: --input-format parquet"),
    "HTML": (b"\n<!DOCTYPE html><html><body>x</body></html>", "an HTML page"),
    "TEI": (b'<?xml version="1.0"?><TEI></TEI>', "XML: where it is a paper"),
    "LaTeX": (b"% a paper\n\\documentclass{article}\n", "LaTeX source: run st-parse"),
    "UTF-16": ("x,y\n1,2\n".encode("utf-16"), "text in UTF-16"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_another_kind_is_one_line_and_status_3(kind, tmp_path):
    data, told = KINDS[kind]
    (tmp_path / "x").write_bytes(data)
    named = st("st-score", tmp_path / "x", "--output", tmp_path / "out")
    piped = st("st-facets", input=data)
    for result, name in ((named, tmp_path / "x"), (piped, "standard input")):
        assert (result.status, result.out, result.err.count("\n")) == (3, b"", 1)
        assert f": {name}: not JSON lines but {told}" in result.err
    assert not (tmp_path / "out").exists()


def test_what_is_told_to_do_works(tmp_path):
    for name, ending in (("CSV", "csv"), ("TSV", "tsv"), ("semicolons", "csv")):
        (tmp_path / "x").write_bytes(KINDS[name][0])
        (tmp_path / f"x.{ending}").write_bytes(KINDS[name][0])
        told = st("st-agree", tmp_path / "x").err
        assert f"--input-format {ending}, or a name that ends in .{ending}, has it read" in told
        expected = st("st-agree", "majority", "--raters", "a,b", input=PLAIN).records
        for line in (("--input-format", ending, tmp_path / "x"), (tmp_path / f"x.{ending}",)):
            assert st("st-agree", "majority", "--raters", "a,b", *line).records == expected


def test_a_second_file_of_another_kind_stops_before_any_output(tmp_path):
    (tmp_path / "a").write_bytes(PLAIN)
    (tmp_path / "b").write_bytes(table(","))
    result = st("st-facets", tmp_path / "a", tmp_path / "b")
    assert (result.status, result.out, result.err.count("\n")) == (3, b"", 1)


def test_json_lines_are_never_taken_for_anything_else():
    draw = random.Random(5)
    values = ["a,b", "\\documentclass{x}", "<html>", "x\ty;z", '"', 1, 2.5, None, [1, {"a": []}], {"b": "%PDF-1"}]
    for _ in range(500):
        rows = [
            {draw.choice("abcdef") * draw.randint(1, 3): draw.choice(values) for _ in range(draw.randint(0, 6))}
            for _ in range(draw.randint(1, 30))
        ]
        separators = draw.choice([(",", ":"), (", ", ": "), (" , ", " : ")])
        text = "".join(json.dumps(row, separators=separators) + "\n" for row in rows).encode()
        assert other_format(text) is None
        assert other_format(b"not json\n" + text) is None, "a first line that is broken costs that line"
        assert other_format((b'{"a": "' + b"x, " * HEAD)[:HEAD]) is None, "a long record"


# Papers


PROSE = {
    "paper.txt": "On Tests\n\nAnn Example\n\nAbstract\n\nWe test, and it works: a, b, c.\n\n1 Introduction\n\nTests are old.\n",
    "review.txt": "Rating: 5\nConfidence: 4\nSummary: The paper tests things.\nWeaknesses: It is short.\n",
    "list.md": "# Limits\n\n- few items;\n- few raters;\n- one domain;\n",
    "code.md": "# A tool\n\n```python\nimport x\nx = 1\nfor y in x:\n    z(y)\n```\n\nThat is all.\n",
    "chinese.txt": "测试\n\n摘要\n\n我们测试了一种方法,结果很好。\n",
    "one line.txt": "The paper is well written, and I like it.",
    "commas.txt": "Dear editors,\n\nI read it, slowly.\nIt is good, mostly.\n",
}
NO_PAPERS = {
    "passwd": b"root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n" * 9,
    "script": b"#!/bin/sh\n# Runs the tests of the paper, all of them.\nmake test\n",
    "program": b"import os\n\n\ndef main(x):\n    y = os.path.join(x)\n    return f(y)\n\n\nmain(1)\n",
    "C": b'#include <stdio.h>\n\nint main(void) {\n    printf("x");\n    return 0;\n}\n',
    "CSV": table(","),
    "TSV": table("\t"),
    "JSON lines": PLAIN,
    "array": json.dumps(ROWS, indent=1).encode(),
    "pretty": json.dumps(ROWS[0], indent=1).encode(),
}


@pytest.mark.parametrize("name", PROSE)
def test_prose_is_read(name):
    assert format_of(PROSE[name].encode()) == "text"


def test_texts_of_this_project_are_read():
    for path in [ROOT / "README.md", *ROOT.glob("docs/*.md"), ROOT / "LICENSE"]:
        assert format_of(path.read_bytes()) in ("text", "latex"), path  # one of them shows a whole LaTeX file


@pytest.mark.parametrize("name", NO_PAPERS)
def test_what_is_no_paper_is_refused_unless_the_format_is_named(name, tmp_path):
    with pytest.raises(InputFault, match="not a paper; format=text reads it as plain text") as caught:
        format_of(NO_PAPERS[name])
    assert caught.value.kind == "not-a-paper"
    if name == "passwd":
        (tmp_path / "passwd").write_bytes(NO_PAPERS[name])
        refused = st("st-parse", "passwd", cwd=tmp_path)
        assert refused.status == 3 and "st-parse: passwd: a table of fields, not a paper; --format text" in refused.err
        assert st("st-parse", "--format", "text", "passwd", cwd=tmp_path).status == 0


def test_the_commands_and_modules_of_this_project_are_no_papers():
    modules = [ROOT / "scholartools" / f"{name}.py" for name in ("io", "errors", "paths", "records", "json_text")]
    for path in [*ROOT.glob("bin/st-*"), *modules, ROOT / "fixtures/reviews.json"]:
        with pytest.raises(InputFault, match="not a paper"):
            format_of(path.read_bytes())


def test_a_folder_of_pdfs_is_its_pdfs_and_one_with_latex_is_a_paper(tmp_path):
    from scholartools.tasks.parse import papers_in

    for name in ("b.pdf", "a.PDF", "sub/c.pdf", ".hidden/d.pdf", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    expected = [str(tmp_path / name) for name in ("a.PDF", "b.pdf", "sub/c.pdf")]
    assert papers_in(str(tmp_path), "auto") == papers_in(str(tmp_path), "pdf") == expected
    assert papers_in(str(tmp_path), "latex") == [str(tmp_path)] and papers_in(expected[0], "auto") == expected[:1]
    (tmp_path / "paper.tex").write_text("x")
    assert papers_in(str(tmp_path), "auto") == [str(tmp_path)]


def test_st_parse_reads_the_pdfs_of_a_folder(tmp_path):
    shutil.copy(PAPER, tmp_path / "b.pdf")
    shutil.copy(PAPER, tmp_path / "a.pdf")
    result = st("st-parse", tmp_path)
    assert result.status == 0 and [record["id"] for record in result.records] == ["a", "b"]
    assert result.records[0]["source"]["path"] == str(tmp_path / "a.pdf")


# Man pages


@pytest.mark.skipif(shutil.which("man") is None or shutil.which("make") is None, reason="no man or no make here")
def test_man_finds_the_pages_of_an_editable_installation(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "man", tmp_path / "man")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    subprocess.run(["make", "-s", ".venv/share/man/man1"], cwd=tmp_path, check=True)
    env = {"PATH": f"{tmp_path}/.venv/bin:/usr/bin:/bin"}
    found = subprocess.run(["man", "-w", "st-judge-match"], env=env, capture_output=True, text=True)
    assert found.stdout.strip().startswith(str(tmp_path)) and "st-judge-match" in found.stdout, found.stderr
