"""st-parse from outside: formats by content, LaTeX in all its wrappings, reviews, limits of time and memory."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from support import varied
from support.run import ROOT, st

PAPER = ROOT / "fixtures" / "paper"
TEX = rb"""\documentclass{article}\title{A Title}\author{Ann Able}\begin{document}\maketitle
\begin{abstract}We study one thing.\end{abstract}
\section{Introduction} Some words of prose here. \input{more}
\end{document}"""
MORE = rb"\section{Method} We add \begin{equation}\label{eq:a} a + b = c \end{equation} and stop."
TEI = b"""<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title level="a" type="main">A Title</title></titleStmt></fileDesc><profileDesc><abstract><p>We study.</p></abstract>
</profileDesc></teiHeader><text><body><div><head n="1">Introduction</head><p>Some words.</p></div></body></text></TEI>"""
JATS = b"""<?xml version="1.0"?><article><front><article-meta><title-group><article-title>A Title</article-title>
</title-group><abstract><p>We study.</p></abstract></article-meta></front><body><sec><title>Introduction</title>
<p>Some words.</p></sec></body></article>"""
MARKDOWN = b"# A Title\n\n## Abstract\n\nWe study.\n\n## Introduction\n\nSome words.\n"


@pytest.mark.parametrize(
    ("data", "format"),
    [(TEX, "latex"), (TEI, "tei"), (JATS, "jats"), (MARKDOWN, "text")],
    ids=lambda value: str(value)[:8],
)
@pytest.mark.parametrize("name", ["paper.dat", "paper.xml", "-"])
def test_the_content_decides_what_a_file_is(tmp_path, data, format, name):
    (tmp_path / "paper.dat").write_bytes(data)
    (tmp_path / "paper.xml").write_bytes(data)
    result = st("st-parse", name, input=data if name == "-" else b"", cwd=tmp_path)
    assert result.status == 0, result.err
    [record] = result.records
    assert record["source"]["format"] == format and record["source"]["sha256"] == hashlib.sha256(data).hexdigest()
    assert (record["title"], record["sections"][0]["heading"]) == ("A Title", "Introduction")
    assert record["abstract"].startswith("We study")


def test_a_page_of_text_with_the_name_of_a_pdf_is_refused_unless_asked_for(tmp_path):
    (tmp_path / "paper.pdf").write_bytes(MARKDOWN)
    refused = st("st-parse", "paper.pdf", cwd=tmp_path)
    assert refused.status == 3 and "plain text, although its name ends in .pdf" in refused.err
    assert st("st-parse", "--format", "text", "paper.pdf", cwd=tmp_path).records[0]["title"] == "A Title"
    assert st("st-parse", "--format", "pdf", "paper.pdf", cwd=tmp_path).status == 3


def packed(kind: str) -> bytes:
    out = io.BytesIO()
    files = {"paper.tex": TEX, "more.tex": MORE}
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w:gz" if kind == "tar.gz" else "w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize("kind", ["file", "folder", "tar", "tar.gz", "zip"])
def test_latex_is_the_same_in_every_wrapping(tmp_path, kind):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "paper.tex").write_bytes(TEX)
    (folder / "more.tex").write_bytes(MORE)
    if kind not in ("file", "folder"):
        (tmp_path / f"p.{kind}").write_bytes(packed(kind))
    path = {"file": folder / "paper.tex", "folder": folder}.get(kind, tmp_path / f"p.{kind}")
    result = st("st-parse", path)
    [record] = result.records
    assert [section["heading"] for section in record["sections"]] == ["Introduction", "Method"], result.err
    [equation] = record["equations"]
    span = equation["span"]
    text = next(section["text"] for section in record["sections"] if section["id"] == span["in"])
    assert (
        (equation["latex"], equation["label"]) == ("a + b = c", "eq:a") == (text[span["start"] : span["end"]], "eq:a")
    )
    if kind in ("file", "folder"):
        lines = "".join(
            f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in (("more.tex", MORE), ("paper.tex", TEX))
        )
        assert record["source"]["sha256"] == hashlib.sha256(lines.encode()).hexdigest()


def test_one_gzipped_file_is_a_paper(tmp_path):
    (tmp_path / "2001.00001.gz").write_bytes(gzip.compress(TEX))
    assert st("st-parse", "2001.00001.gz", cwd=tmp_path).records[0]["title"] == "A Title"


def test_pdf_and_latex_of_one_paper_have_one_outline():
    views = (st("st-parse", "--outline", PAPER / name).out.decode() for name in ("paper.pdf", "paper.tex"))
    pdf, latex = (view.partition(" footnotes, ")[0] for view in views)  # a PDF has warnings that its source has not
    assert [line.split("  ")[1:2] for line in pdf.splitlines()] == [
        line.split("  ")[1:2] for line in latex.splitlines()
    ]
    assert pdf.count("\n") > 15


REVIEWS = [
    {"paper_id": "b", "review": "Good."},
    {"paper_id": "a", "review": "Bad."},
    {"paper_id": "a", "review": "Ugly."},
]


def test_reviews_go_to_the_papers_they_name(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.md").write_bytes(MARKDOWN)
    (tmp_path / "reviews.json").write_text(json.dumps(REVIEWS))
    result = st("st-parse", "--reviews", "reviews.json", "a.md", "b.md", "c.md", cwd=tmp_path)
    assert result.status == 0 and "1 of 3 papers has no reviews" in result.err
    texts = {record["id"]: [review["text"] for review in record.get("reviews", ())] for record in result.records}
    assert texts == {"a": ["Bad.", "Ugly."], "b": ["Good."], "c": []}


def titled(folder, **titles):
    for name, title in titles.items():
        (folder / f"{name}.md").write_text(f"# {title}\n\n## Abstract\n\nThis is the paper {name}.\n")


def test_every_file_of_reviews_is_read(tmp_path):
    titled(tmp_path, a="One", b="Two")
    (tmp_path / "first.json").write_text(json.dumps({"a": ["It is a good one."]}))
    (tmp_path / "second.json").write_text(json.dumps({"b": ["It is a bad one."], "a": ["It is a fair one."]}))
    result = st("st-parse", "--reviews", "first.json", "--reviews", "second.json", "a.md", "b.md", cwd=tmp_path)
    assert [[one["text"] for one in made["reviews"]] for made in result.records] == [
        ["It is a good one.", "It is a fair one."], ["It is a bad one."]]  # fmt: skip
    assert result.status == 0 and result.err == ""


FORUM = {"id": "F77", "title": "On Raters: a Study", "reviews": [{"id": "x", "text": "Few raters."}]}


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_reviews_are_joined_by_title(tmp_path, jobs):
    titled(tmp_path, a="Other things", b="On raters -- A study")
    (tmp_path / "reviews.json").write_text(json.dumps([FORUM]))
    result = st("st-parse", "--jobs", jobs, "--reviews", "reviews.json", "a.md", "b.md", "missing.md", cwd=tmp_path)
    assert [len(made.get("reviews", ())) for made in result.records] == [0, 1, 0] and result.status == 1
    assert result.records[1]["title"] == "On raters -- A study" and "2 of 3 papers have no reviews" in result.err


def test_two_papers_of_one_title_are_refused(tmp_path):
    titled(tmp_path, a="On Raters: A Study", b="On raters -- A study")
    (tmp_path / "reviews.json").write_text(json.dumps([FORUM]))
    refused = st("st-parse", "--reviews", "reviews.json", "a.md", "b.md", cwd=tmp_path)
    assert refused.status == 3 and refused.out == b""
    assert 'two papers have the title "On Raters: a Study"' in refused.err


def test_reviews_without_names_go_by_order_and_must_be_as_many(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_bytes(MARKDOWN)
    (tmp_path / "reviews.json").write_text(json.dumps([["One."], ["Two.", "Three."]]))
    result = st("st-parse", "--reviews", "reviews.json", "a.md", "b.md", cwd=tmp_path)
    assert [len(record["reviews"]) for record in result.records] == [1, 2]
    refused = st("st-parse", "--reviews", "reviews.json", "a.md", cwd=tmp_path)
    assert refused.status == 3 and refused.out == b"" and "must agree" in refused.err


@pytest.mark.parametrize(
    ("option", "words"), [(("--max-seconds", "0.05"), "0.05 s"), (("--max-memory", "256"), "memory")]
)
def test_a_file_beyond_the_limits_costs_one_record(tmp_path, option, words):
    huge = b"\n\n".join(
        b"## Heading %d\n\n%s" % (number, b"Some words of a long text. " * 400) for number in range(8000)
    )
    (tmp_path / "huge.md").write_bytes(MARKDOWN + huge)
    (tmp_path / "small.md").write_bytes(MARKDOWN)
    result = st("st-parse", *option, "huge.md", cwd=tmp_path)
    assert result.status in (1, 3) and words in result.err and len(result.records) == 1
    if option[0] == "--max-memory":
        both = st("st-parse", *option, "huge.md", "small.md", cwd=tmp_path)
        assert both.status == 1 and [("errors" in record) for record in both.records] == [True, False]


def test_options_that_change_the_record_are_in_its_signature(tmp_path):
    shown, plain = (st("st-parse", *option, PAPER / "paper.pdf").records[0] for option in (("--keep-hidden",), ()))
    assert "keep-hidden=yes" in shown["provenance"][0]["signature"]
    assert shown["provenance"][0]["signature"] != plain["provenance"][0]["signature"]


def test_files_as_arxiv_names_them_are_papers_of_their_own(tmp_path):
    """The point in such a name begins no ending: all papers of a month had one id."""
    text = "# A paper\n\n## Introduction\n\nWe count things that nobody counted before. We find that they are few.\n"
    for name in ("2401.00001", "2401.00002v3", "2401.00003.md"):
        (tmp_path / name).write_text(text)
    done = st("st-parse", "--format", "text", *sorted(map(str, tmp_path.iterdir())))
    assert [one["id"] for one in done.records] == ["2401.00001", "2401.00002v3", "2401.00003"]


def test_papers_of_one_id_cannot_share_a_folder_of_pictures(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.md").write_bytes(MARKDOWN)
    result = st("st-parse", "--figures", "figures", "a/p.md", "b/p.md", cwd=tmp_path)
    assert result.status == 2 and 'id "p"' in result.err
    told = st("st-parse", "a/p.md", "b/p.md", cwd=tmp_path)
    assert told.status == 0 and 'warning: two papers have the id "p"' in told.err and len(told.records) == 2


def test_figures_are_written_and_named(tmp_path):
    [record] = st("st-parse", "--figures", tmp_path / "figures", PAPER / "paper.pdf").records
    paths = [caption["image"] for caption in record["captions"] if caption.get("image")]
    assert len(paths) == len(set(paths)) >= 3
    assert all(Path(path).read_bytes().startswith(b"\x89PNG") for path in paths)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed")
def test_the_signature_of_a_recognised_scan_names_the_data_that_recognise(tmp_path):
    """Other language data read other words: two machines had two texts under one signature."""
    (tmp_path / "scan.pdf").write_bytes(varied.scanned_pdf())
    command = "import pymupdf; print(pymupdf.get_tessdata())"
    folder = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout.strip()
    data = Path(folder, "eng.traineddata").read_bytes()
    (tmp_path / "eng.traineddata").write_bytes(data + b"\0")
    made = [
        st("st-parse", "--ocr", "scan.pdf", cwd=tmp_path, env=env).records[0]["provenance"][0]["signature"]
        for env in ({}, {"TESSDATA_PREFIX": str(tmp_path)})
    ]
    assert f"tessdata-eng-{hashlib.sha256(data).hexdigest()[:12]}" in made[0] and made[0] != made[1]
