"""Files of another kind given to a command: one line that names them, and papers in plain text that are still read."""

from __future__ import annotations

import contextlib
import csv
import gzip
import importlib.util
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import time
import zipfile

import pytest
import zstandard
from support.run import PAPER, ROOT, jsonl, st

from scholartools.errors import InputFault
from scholartools.file_kinds import HEAD, lines_without_json, other_format
from scholartools.io import read_lines
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


def archive(*names: str, mimetype: str = "") -> bytes:
    """A document as offices save it: a ZIP archive, the type first in some."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        if mimetype:
            file.writestr(zipfile.ZipInfo("mimetype"), mimetype)
        for name in names:
            file.writestr(name, "<x/>" * 50)
    return made.getvalue()


def tarred() -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as file:
        file.addfile(tarfile.TarInfo("rows.jsonl"))
    return made.getvalue()


OASIS = "application/vnd.oasis.opendocument."
DOCUMENTS = {
    "Word": (archive("[Content_Types].xml", "_rels/.rels", "word/document.xml"), "a Word document: save it as PDF"),
    "slides": (archive("[Content_Types].xml", "ppt/presentation.xml"), "slides of PowerPoint: save it as PDF"),
    "OpenDocument": (archive("content.xml", mimetype=OASIS + "text"), "an OpenDocument file: save it as PDF"),
    "ODS": (archive("content.xml", mimetype=OASIS + "spreadsheet"), "an OpenDocument table: save it as XLSX or CSV"),
    "EPUB": (archive("a.xhtml", mimetype="application/epub+zip"), "an EPUB book: save it as PDF"),
}
KINDS = {
    **DOCUMENTS,
    "CSV": (table(","), "a table (CSV)"),
    "TSV": (table("\t"), "a table (TSV)"),
    "semicolons": (table(";"), "a table (CSV with semicolons)"),
    "CSV with a mark": (b"\xef\xbb\xbf" + table(","), "a table (CSV)"),
    "array": (json.dumps(ROWS).encode(), "a JSON array: jq -c '.[]'"),
    "pretty array": (json.dumps(ROWS, indent=1).encode(), "a JSON array: jq -c '.[]'"),
    "pretty object": (json.dumps(ROWS[0], indent=2).encode(), "JSON over several lines: jq -c ."),
    "object of a list": (
        b'{"papers": [\n' + b",\n".join(json.dumps(row).encode() for row in ROWS) + b"\n]}\n",
        "a JSON object with a list: jq -c '.papers[]'",
    ),
    "pretty object of a list": (
        json.dumps({"papers": ROWS}, indent=1).replace('{\n "papers', '{"papers').encode(),
        "a JSON object with a list: jq -c '.papers[]'",
    ),
    "PDF": (PAPER.read_bytes(), "a PDF: run st-parse"),
    "gzip": (gzip.compress(PLAIN), "compressed with gzip: zcat"),
    "zstd": (zstandard.compress(PLAIN), "compressed with zstd: zstdcat"),
    "workbook": (packed(), "an Excel workbook: --input-format xlsx"),
    "zip": (b"PK\x03\x04" + bytes(100), "a ZIP archive"),
    "empty zip": (b"PK\x05\x06" + bytes(18), "an empty ZIP archive"),
    "tar": (tarred(), "a tar archive: tar -xf unpacks it"),
    "7-Zip": (b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(60), "compressed with 7-Zip"),
    "RAR": (b"Rar!\x1a\x07\x01\x00" + bytes(60), "a RAR archive"),
    "PNG": (b"\x89PNG\r\n\x1a\n" + bytes(60), "a picture (PNG)"),
    "JPEG": (b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(60), "a picture (JPEG)"),
    "Arrow": (b"ARROW1\x00\x00" + bytes(60), "an Arrow file: save it as Parquet"),
    "NumPy": (b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}\n" + bytes(24), "an array of NumPy"),
    "RTF": (b"{\\rtf1\\ansi Bees\\par\n}\n", "a document in RTF: save it as PDF"),
    "Parquet": (b"PAR1\x15\x04" + bytes(50), "Parquet: --input-format parquet"),
    "HTML": (b"\n<!DOCTYPE html><html><body>x</body></html>", "an HTML page"),
    "HTML after a comment": (b"<!-- saved -->\n<!DOCTYPE html>\n<html>\n", "an HTML page"),
    "a tag": (b"<div>Not found</div>\n", "XML or HTML"),
    "BibTeX": (b"% of us\n@article{a,\n title={x},\n}\n", "a bibliography (BibTeX): pandoc"),
    "Python": (b"".join(b"%r\n" % row for row in ROWS), "dictionaries as Python prints them: python3 -c"),
    "commas": (PLAIN.rstrip().replace(b"\n", b",\n"), "JSON with a comma after each record: sed"),
    "Latin-1": ("".join(f'{{"id": "\xe9{n}"}}\n' for n in range(9)).encode("latin-1"), "no text in UTF-8 (Latin-1 or"),
    "UTF-16 without a mark": (PLAIN.decode().encode("utf-16-le"), "text in UTF-16: iconv -f UTF-16LE"),
    "UTF-16 of high bytes first": (PLAIN.decode().encode("utf-16-be"), "text in UTF-16: iconv -f UTF-16BE"),
    "TEI": (b'<?xml version="1.0"?><TEI></TEI>', "XML: where it is a paper"),
    "LaTeX": (b"% a paper\n\\documentclass{article}\n", "LaTeX source: run st-parse"),
    "one column": (
        b"rating\n" + b"".join(b"%d\n" % (n % 5) for n in range(300)),
        "text without JSON; if it is a table of one column, --input-format csv",
    ),
    "one column of texts": (
        b'text\r\n"The sample, it is small."\r\n"He said ""no""."\r\nAll is well.\r\n',
        "text without JSON; if it is a table of one column, --input-format csv",
    ),
    "YAML": (
        b"# A paper\nid: p1\nabstract: >\n  We test it.\n  It works.\nsummaries:\n  - system: a\n    text: x\n",
        "YAML: ",
    ),
    "YAML list": (b"- id: p1\n  title: A\n- id: p2\n  title: B\n", "YAML: "),
    "YAML documents": (b"---\nid: p1\n---\nid: p2\n", "YAML: "),
    "CR": (PLAIN.replace(b"\n", b"\r"), "JSON lines that end with carriage returns: tr"),
    "CR without an end": (PLAIN.rstrip().replace(b"\n", b"\r"), "JSON lines that end with carriage returns: tr"),
    "CSV with CR": (table(",").replace(b"\r\n", b"\r"), "a table (CSV)"),
    "UTF-16": (PLAIN.decode().encode("utf-16"), "text in UTF-16: save it as UTF-8"),
    "UTF-32": (PLAIN.decode().encode("utf-32"), "text in UTF-32: save it as UTF-8"),
    "CSV in UTF-16": (table(",").decode().encode("utf-16"), "a table (CSV): --input-format csv"),
    "TSV in UTF-16": (b"\xfe\xff" + table("\t").decode().encode("utf-16-be"), "a table (TSV): --input-format tsv"),
}


def test_a_workbook_is_no_archive_of_latex():
    with pytest.raises(InputFault, match="an Excel workbook, not a paper"):
        format_of(archive("[Content_Types].xml", "xl/workbook.xml"))


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_of_an_office_is_no_archive_of_latex(kind):
    data, told = DOCUMENTS[kind]
    with pytest.raises(InputFault, match=told) as caught:
        format_of(data)
    assert caught.value.kind == "not-a-paper"


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


TABLES = {"CSV": "csv", "TSV": "tsv", "semicolons": "csv", "CSV in UTF-16": "csv", "TSV in UTF-16": "tsv"}


def test_the_option_that_is_named_has_a_table_read(tmp_path):
    expected = st("st-agree", "majority", "--raters", "a,b", input=PLAIN).records
    for name, ending in TABLES.items():
        (tmp_path / "x").write_bytes(KINDS[name][0])
        (tmp_path / f"x.{ending}").write_bytes(KINDS[name][0])
        told = st("st-agree", tmp_path / "x").err
        assert f"--input-format {ending}, or a name that ends in .{ending}, has it read" in told
        for line in (("--input-format", ending, tmp_path / "x"), (tmp_path / f"x.{ending}",)):
            assert st("st-agree", "majority", "--raters", "a,b", *line).records == expected


def test_the_option_that_is_named_has_one_column_read():
    texts = st("st-facets", "--input-format", "csv", input=KINDS["one column of texts"][0]).records
    assert [record["abstract"] for record in texts] == ["The sample, it is small.", 'He said "no".', "All is well."]


def test_the_lines_of_a_shell_that_are_named_make_json_lines(tmp_path):
    ids = [{"id": "p1"}, {"id": "p2"}]
    kinds = ("CR", "Python", "commas", "UTF-16 without a mark", "UTF-16 of high bytes first")
    expected = {kind: [{"item": row["item"]} for row in ROWS] for kind in kinds}
    if importlib.util.find_spec("yaml"):
        expected |= {"YAML list": ids, "YAML documents": ids, "YAML": ids[:1]}
    for name, rows in expected.items():
        (tmp_path / "x").write_bytes(KINDS[name][0])
        told = st("st-agree", "alpha", tmp_path / "x").err
        line = (
            re.search(r"(python3|tr|sed|iconv) .*? FILE", told)[0]
            .replace("FILE", "x")
            .replace("python3", sys.executable)
        )
        made = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, check=True).stdout.splitlines()
        assert [{key: json.loads(row)[key] for key in rows[0]} for row in made] == rows, name


def test_a_file_beside_the_records_is_told_without_the_option(tmp_path):
    (tmp_path / "x").write_bytes(table(","))
    result = st("st-generate", "weaknesses", "--corpus", tmp_path / "x", input=b"{}")
    assert result.status == 2 and "--corpus" in result.err
    assert "a table (CSV): a name that ends in .csv has it read" in result.err and "--input-format" not in result.err


def test_what_is_compressed_is_told_apart_too(tmp_path):
    (tmp_path / "x.gz").write_bytes(gzip.compress(table(",")))
    result = st("st-agree", tmp_path / "x.gz")
    assert (result.status, result.out, result.err.count("\n")) == (3, b"", 1)
    assert "x.gz: not JSON lines but a table (CSV)" in result.err


GARBAGE = ["loading", "a b", "INFO: read", "- x", "", "  ", "x,y", "1", '"q"', "---"]


def test_what_a_pipe_gives_slowly_is_what_it_gives_at_once(tmp_path):
    """Lines before the first record cost themselves, and where there is none the whole is told, however it comes."""
    draw = random.Random(11)
    for seed in range(60):
        before = [draw.choice(GARBAGE) for _ in range(draw.randint(1, 6))]
        records = [{"id": str(n)} for n in range(draw.choice([0, 1, 5]))]
        data = "".join(f"{line}\n" for line in [*before, *map(json.dumps, records)]).encode()
        (tmp_path / f"{seed}").write_bytes(data)
        os.mkfifo(tmp_path / f"{seed}.pipe")
        cuts = sorted(draw.randrange(len(data) + 1) for _ in range(3))
        pieces = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        writer = threading.Thread(target=_write_pieces, args=(tmp_path / f"{seed}.pipe", pieces))
        writer.start()
        slow, at_once = found_in(tmp_path / f"{seed}.pipe"), found_in(tmp_path / f"{seed}")
        writer.join()
        assert slow == at_once, data
        if records:
            told = sum(bool(line.strip()) for line in before)
            assert [record for record, fault in slow if fault is None] == records
            assert len(slow) == told + len(records)


def _write_pieces(path, pieces):
    with open(path, "wb", buffering=0) as pipe:
        for piece in pieces:
            pipe.write(piece)
            time.sleep(0.001)


def found_in(path):
    try:
        return [(line.record, line.fault and line.fault.reason) for line in read_lines([str(path)])]
    except InputFault as fault:
        return fault.reason.partition(": ")[2]


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
        assert lines_without_json(text) is None
        assert other_format(text.replace(b"\n", b"\r\n")) is None
        assert other_format((b'{"a": "' + b"x, " * HEAD)[:HEAD]) is None, "a long record"


# Papers


PROSE = {
    "paper.txt": "On Tests\n\nAnn Example\n\nAbstract\n\nWe test, and it works: a, b, c.\n\n1 Introduction\n\nTests are old.\n",
    "review.txt": "Rating: 5\nConfidence: 4\nSummary: The paper tests things.\nWeaknesses: It is short.\n",
    "list.md": "# Limits\n\n- few items;\n- few raters;\n- one domain;\n",
    "code.md": "# A tool\n\n```python\nimport x\nx = 1\nfor y in x:\n    z(y)\n```\n\nThat is all.\n",
    "chinese.txt": "测试\n\n摘要\n\n我们测试了一种方法,结果很好。\n",
    "one line.txt": "The paper is well written, and I like it.",
    "head.txt": "Title: On tests\nAuthor: Ann <a@x.org>\nDate: 3 June 2024\n\nAbstract\n\nWe test that it works.\n",
    "from.txt": "Subject: bees\nFrom: a farm\n\n1 Introduction\n\nBees are few.\n",
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
    "subtitles": b"1\r\n00:00:01,000 --> 00:00:04,000\r\nHello there, this is a talk.\r\n",
    "subtitles of the web": b"WEBVTT\n\n00:01.000 --> 00:04.000\nHello there, this is a talk.\n",
    "address": b"BEGIN:VCARD\nVERSION:3.0\nFN:Bob\nEND:VCARD\n",
    "reply": b"HTTP/1.1 200 OK\nContent-Type: text/plain\n\nWe test that it works.\n",
    "RIS": b"TY  - JOUR\nTI  - On tests\nPY  - 2019\nER  - \n",
    "numbers": b"[1, 2, 3]\n",
    "null": b"null\n",
    "empty records": b"{}\n\n{}\n",
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg"><text>We test that it works.</text></svg>\n',
    "EndNote": b"%0 Journal Article\n%A Ann Example\n%T On tests\n",
    "patch": b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-We test.\n+We tested.\n",
    **{
        f"mail {number}": f"{head}\n\nDear Ann,\n\nI read the draft, and it is good.\n".encode()
        for number, head in enumerate(
            (
                "From: Bob <b@x.org>\nSubject: Draft",
                "To: a@y.org\r\nX-A: 1\r\n  2\r\nFrom: b@x.org\r\nDate: Mon",
                "Received: from x\n\tby y; Mon\nFrom: Bob",
                "From b@x.org Mon Jun  3 10:00:00 2024\nFrom: Bob",
                "X-Status: 1\nMessage-ID: <1@x>",
                "date: Mon\nmime-version: 1.0",
            )
        )
    },
}


@pytest.mark.parametrize("name", PROSE)
def test_prose_is_read(name):
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        assert format_of(PROSE[name].encode(encoding)) == "text"


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


SETTINGS = b"# How it is built.\n[build]\nname = 1\n[run]\n# none\njobs = 2\n[test]\nslow = false\n"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Makefile", b"# Builds it.\nCC = gcc\n\nall: a.o b.o\n\t$(CC) -o all a.o b.o\n\na.o: a.c\n\tcc a.c\n\nb.o: b.c\n\tcc b.c\n"),
        ("pyproject.toml", SETTINGS), ("tox.ini", SETTINGS), ("setup.cfg", SETTINGS.replace(b"#", b";")),
        ("id.pem", b"-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n"),
        ("x.f90", b"! Adds.\nsubroutine add(a, b, c)\n  integer :: a, b, c\n  c = a + b\nend subroutine add\n" * 5),
        ("x.css", b"/* The look of it. */\nbody {\n  margin: 0;\n}\np {\n  color: red;\n}\n"),
        ("x.rs", b"/// Adds two.\npub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n\nfn main() {\n    println!(\"{}\", add(1, 2));\n}\n"),
        ("x.diff", b"--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y = f(x, 3)\n" * 5),
    ],
)  # fmt: skip
def test_programs_and_settings_are_refused_by_content_and_by_name(name, data, tmp_path):
    with pytest.raises(InputFault, match="not a paper; format=text reads it as plain text"):
        format_of(data)
    (tmp_path / name).write_bytes(b"We test the idea that papers can be told from programs, and it works.\n")
    refused = st("st-parse", name, cwd=tmp_path)
    ending = name.rpartition(".")[2].casefold()
    assert refused.status == 3 and f"{ending}) by its name, not a paper; --format text reads it" in refused.err
    assert st("st-parse", "--format", "text", name, cwd=tmp_path).status == 0


@pytest.mark.parametrize(
    "name", ["2401.00001", "smith.et.al", "a.b.md", "paper.v2", "PAPER.TXT", "notes", "my.paper.final"]
)
def test_a_name_that_says_nothing_is_read_by_its_content(name, tmp_path):
    (tmp_path / name).write_text(PROSE["paper.txt"])
    assert st("st-parse", name, cwd=tmp_path).status == 0


@pytest.mark.parametrize(
    "unit", ["/* ", "/*x*/", "# x\n", "a:\n\t", "[a]\n", '"""a', "```\n", "a = b\n", "a: b\n c\n", "From: a\n"]
)
def test_telling_a_paper_takes_no_longer_for_odd_texts(unit):
    start = time.process_time()
    with contextlib.suppress(InputFault):
        format_of(unit.encode() * (200_000 // len(unit)))
    assert time.process_time() - start < 2


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


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"# A title\n\nBees are few, as we know.\n" * 200, "text without JSON"),
        ("{'é': 1}\n"[1:].encode("latin-1") * 200, "no text in UTF-8"),
        (b"\x7fELF\0\0\n\0\1\n" * 200, "no text in UTF-8"),
        (b"\x88PNG\r\n\x1a\n" + bytes(range(100)) * 3, "no text in UTF-8"),
    ],
)
def test_a_file_of_an_unknown_kind_is_told_in_one_line(data, told):
    """Each of its lines was named, 20 of each reason."""
    for line in (["st-facets"], ["st-agree", "alpha"], ["st-score"]):
        made = st(*line, input=data)
        assert (made.status, made.out, made.err.count("\n")) == (3, b"", 1) and f"not JSON lines but {told}" in made.err


def test_a_few_lines_of_an_unknown_kind_are_kept_one_by_one():
    made = st("st-facets", input=b"so it is (bad)\n" * 20)
    assert (made.status, len(made.records)) == (3, 20) and all(record["line"] for record in made.records)
    assert (
        "line"
        in st("st-facets", input=b"so it is (bad)\n" * 30 + b'{"id": 1, "abstract": "Bees are few."}\n').records[0]
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"id": 1, "score": NaN}', "JSON has no such number; write null"),
        (b'{"id": 1, "score": -Infinity}', "JSON has no such number; write null"),
        (b'{"id": 1, "score": None}', "so Python writes it; json.dumps writes JSON"),
        (b'{"id": 1} {"id": 2}', "several records on a line; jq -c . FILE writes one on each line"),
        ('{"id": "\xe9"}'.encode("latin-1"), "at byte 9 of the line (Latin-1 or Windows-1252?): save it as UTF-8"),
    ],
)
def test_a_line_that_is_no_json_is_told_with_what_to_do(line, told):
    made = st("st-facets", input=line + b'\n{"id": 2, "abstract": "Bees are few."}\n')
    assert (made.status, made.err.count("\n"), len(made.records)) == (1, 1, 2) and told in made.err


@pytest.mark.parametrize("data", [b"\n \n\n", b"\xef\xbb\xbf", b"  "])
def test_a_file_of_blank_lines_is_told(data, tmp_path):
    (tmp_path / "x").write_bytes(data)
    assert "x: a file without records, only blank lines" in st("st-facets", "x", cwd=tmp_path).err
    (tmp_path / "x").write_bytes(b"\n" * 70_000 + b'{"id": "1", "abstract": "We count."}\n')
    late = st("st-facets", "x", cwd=tmp_path)
    assert late.status == 0 and len(late.records) == 1 and "blank" not in late.err


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (table(","), "a table (CSV, TSV)"),
        (PAPER.read_bytes(), "a PDF"),
        (gzip.compress(PLAIN), "compressed or an archive"),
        (b"import os\nfrom re import sub\nimport sys\n", "a program"),
        (b"null\n", "JSON or JSON lines"),
        (b"<html><p>It is weak.</p></html>", "an HTML page"),
        ("It is \xe9.".encode("latin-1"), "not UTF-8 at byte 7"),
    ],
)
def test_a_file_that_holds_no_reviews_is_told_by_its_name_and_kind(data, told, tmp_path):
    (tmp_path / "x").write_bytes(data)
    (tmp_path / "paper.txt").write_text(PROSE["paper.txt"])
    made = st("st-parse", "--reviews", "x", "paper.txt", cwd=tmp_path)
    assert (made.status, made.out, made.err.count("\n")) == (3, b"", 1)
    assert f"st-parse: x: reviews: {told}: reviews are read from JSON, JSON lines or plain text" in made.err


@pytest.mark.parametrize("line", [b'"We count the bees. They are few."\n', '["One\u2028two.", 2]\n'.encode(), b"1.5\n"])
@pytest.mark.parametrize("size", [10, 70_000, 200_000])
def test_lines_of_json_that_are_no_objects_are_no_paper_however_long_they_are(line, size, tmp_path):
    (tmp_path / "x.txt").write_bytes(line * (size // len(line) + 1))
    made = st("st-parse", "x.txt", cwd=tmp_path)
    assert made.status == 3 and "x.txt: JSON or JSON lines, not a paper" in made.err


def test_one_line_of_json_is_no_paper_however_long_it_is(tmp_path):
    (tmp_path / "x.txt").write_text(json.dumps(["We count the bees. They are few."] * 5000))
    made = st("st-parse", "x.txt", cwd=tmp_path)
    assert made.status == 3 and "x.txt: JSON or JSON lines, not a paper" in made.err


def test_reviews_are_read_in_the_encoding_of_their_byte_order_mark(tmp_path):
    (tmp_path / "x").write_bytes("It is weak, as we saw.".encode("utf-16"))
    made = st("st-parse", "--reviews", tmp_path / "x", input=PROSE["paper.txt"])
    assert made.records[0]["reviews"][0]["text"] == "It is weak, as we saw."
