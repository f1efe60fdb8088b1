"""The LaTeX of st-table is compiled, and the pages show each text."""

from __future__ import annotations

import re
import subprocess

import pytest
from support import filled
from support.latex import compiles

from scholartools.table_files.formats import PLAIN, Column, Style
from scholartools.table_files.text_out import text_of
from scholartools.tasks.tabulate.writing import make_format

COLUMNS = [Column("text", "text", "a[].text"), Column("n", "integer", "a[].n")]
# What no Latin font of TeX has.
BEYOND = [text for text in filled.HOSTILE if re.search("[\u0370-\u1fff\U00010000-\U0001ffff]", text)]
LATIN = [text for text in filled.HOSTILE if text not in BEYOND and len(text) < 1000]
PACKAGES = {"pdflatex": "texlive-latex-recommended", "lualatex": "texlive-luatex"}


def compiled(rows, engine, tmp_path, style=PLAIN):
    """The status, what was printed, and the text of the pages without any blanks."""
    if not compiles(engine):
        pytest.skip(f"{engine} is not there: apt-get install {PACKAGES[engine]}")
    form = make_format("latex", "a", COLUMNS, style)
    (tmp_path / "t.tex").write_text(form.head() + form.add(rows) + "".join(form.tail()), encoding="utf-8")
    line = [engine, "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
    if not (tmp_path / "t.pdf").exists():
        return done.returncode, done.stdout.decode("utf-8", "replace"), ""
    import pymupdf

    with pymupdf.open(tmp_path / "t.pdf") as document:
        shown = "".join(page.get_text() for page in document)
    return done.returncode, done.stdout.decode("utf-8", "replace"), "".join(shown.split())


@pytest.mark.slow
@pytest.mark.parametrize("engine", PACKAGES)
def test_hostile_texts_compile_and_are_shown(engine, tmp_path):
    rows = [[text_of(text), n] for n, text in enumerate(LATIN)]
    status, told, shown = compiled(rows, engine, tmp_path)
    assert status == 0 and len(rows) > 40, told[-2000:]
    for text in LATIN if engine == "lualatex" else ():
        wanted = re.sub(r"[\x00-\x08\x0e-\x1b\x7f]", lambda one: f"\\x{ord(one[0]):02x}", text)
        assert re.sub(r"[\s\x1c-\x1f\ufeff]", "", wanted) in shown.replace("\xad", ""), text


@pytest.mark.slow
@pytest.mark.parametrize("engine", PACKAGES)
@pytest.mark.parametrize("text", BEYOND)
def test_a_letter_that_the_font_lacks_is_an_error_and_never_left_out(text, engine, tmp_path):
    status, told, _ = compiled([[text_of(text), 1]], engine, tmp_path)
    assert status == 1 and re.search(r"Unicode character|Missing character", told)


@pytest.mark.slow
@pytest.mark.parametrize("engine", PACKAGES)
def test_a_hostile_caption_compiles_and_is_shown(engine, tmp_path):
    """A paragraph in a caption would end the run; a label may stand there alone."""
    caption = "".join(text for text in LATIN if text.strip("\x00\x01")).replace("\ufeff", "")
    status, told, shown = compiled([["x", 1]] * 200, engine, tmp_path, Style(caption=caption, label="tab:a-1"))
    assert status == 0 and "multiply defined" not in told, told[-2000:]
    if engine == "lualatex":
        assert "Table1:" + "".join(caption.split()) in shown.replace("\xad", "")
        assert shown.count("Table1:") == 1 and shown.count("textn") > 3, "headings stand on each page"
    assert compiled([["x", 1]], engine, tmp_path, Style(label="tab:a"))[0] == 0
