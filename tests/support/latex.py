"""Reading of LaTeX sources in memory, and a check of the resulting records."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import zipfile

from scholartools import records
from scholartools.readers.latex import reader as latex


def read(text: str | bytes, **others: str) -> dict:
    """Record of a main file and other files, in whose names "_" stands for the dot."""
    data = text.encode() if isinstance(text, str) else text
    return latex.read({"main.tex": data, **{name.replace("_", "."): body.encode() for name, body in others.items()}})


def body(text: str, preamble: str = "", **others: str) -> dict:
    """Record of an article with one section."""
    return read(
        f"\\documentclass{{article}}{preamble}\n\\begin{{document}}\\section{{One}}{text}\\end{{document}}", **others
    )


def said(text: str, preamble: str = "", **others: str) -> str:
    """Text of the section of an article with one section."""
    return body(text, preamble, **others)["sections"][0]["text"]


def check(record: dict) -> None:
    """Assert that a record is valid, its ids are unique, and the spans of equations contain their LaTeX."""
    for key in ("title", "authors", "abstract", "sections", "references", "captions", "footnotes", "equations"):
        records.read(record, key)
    records.read(record, "warnings")
    texts = records.texts(record)
    for equation in record["equations"]:
        span = equation["span"]
        assert texts[span["in"]][span["start"] : span["end"]] == equation["latex"] != ""
    ids = [one["id"] for key in ("sections", "captions", "equations", "references") for one in record[key]]
    assert len(ids) == len(set(ids))
    json.dumps(record, ensure_ascii=False).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def compiles(engine: str) -> bool:
    """Whether a TeX engine is installed, for lualatex with its font loader, which is in another package."""
    if not shutil.which(engine) or engine != "lualatex":
        return shutil.which(engine) is not None
    return subprocess.run(["kpsewhich", "luaotfload-main.lua"], capture_output=True).returncode == 0
