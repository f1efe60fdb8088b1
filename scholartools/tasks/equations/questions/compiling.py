"""Check whether formulas compile, by pdflatex if it is installed, else by KaTeX.

pdflatex cannot run commands or access files outside an empty folder, and has a time limit; only formulas are compiled,
not the paper. Several formulas are compiled at once; if that fails, each half is compiled again, because one missing
brace also affects the formulas after it.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TIMEOUT = 30  # seconds for one run
_NONE = "no LaTeX here; brackets, arguments and scripts are in order"
_HEAD = "\\documentclass{article}\\usepackage{amsmath,amssymb}\\begin{document}\n"
_KATEX = (
    "const katex = require('katex'); let text = ''; process.stdin.on('data', part => text += part).on('end', () => {"
    "const say = latex => { try { katex.renderToString(latex, {displayMode: true, strict: 'ignore', trust: false,"
    "maxExpand: 1000}); return null; } catch (error) { return error.message; } };"
    "process.stdout.write(JSON.stringify(JSON.parse(text).map(say))); });"
)

Check = dict[str, Any]


@functools.cache
def find_engine() -> str | None:
    """The first of ``pdflatex`` and ``katex`` that is installed and works; None if neither does."""
    if shutil.which("pdflatex") and _compile(["a = b"]) is None:
        return "pdflatex"
    if shutil.which("node") and _run(["node", "-e", "require('katex')"], "") is not None:
        return "katex"
    return None


def check(formulas: Sequence[str], engine: str | None) -> list[Check]:
    """For each formula the ``engine``, whether it compiles (``ok``, None without an engine), and the message."""
    if engine == "pdflatex":
        return [_report(engine, said) for said in _pdflatex(list(formulas))]
    if engine == "katex":
        said = _run(["node", "-e", _KATEX], json.dumps([_align_rows(one) for one in formulas]))
        if said is not None:
            return [_report(engine, one) for one in json.loads(said)]
    return [{"engine": None, "ok": None, "reason": _NONE} for _ in formulas]


def _report(engine: str, said: str | None) -> Check:
    return {"engine": engine, "ok": said is None} | ({"log": said[:200]} if said is not None else {})


def _align_rows(latex: str) -> str:
    return f"\\begin{{aligned}} {latex} \\end{{aligned}}"


def _pdflatex(formulas: list[str]) -> list[str | None]:
    """The error of pdflatex for each formula; None for formulas that compile."""
    said = _compile(formulas)
    if said is None:
        return [None] * len(formulas)
    if len(formulas) == 1:
        return [said]
    half = len(formulas) // 2
    return _pdflatex(formulas[:half]) + _pdflatex(formulas[half:])


def _compile(formulas: Sequence[str]) -> str | None:
    """The first error of pdflatex for formulas in one document; None if all compile."""
    body = "\n".join(f"\\[ {_align_rows(one)} \\]" for one in formulas)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "formula.tex").write_text(f"{_HEAD}{body}\n\\end{{document}}\n", encoding="utf-8")
        line = [
            "pdflatex",
            "-draftmode",
            "-no-shell-escape",
            "-interaction=nonstopmode",
            "-halt-on-error",
            "formula.tex",
        ]
        limits = {"openin_any": "p", "openout_any": "p", "TEXMFOUTPUT": folder}
        try:
            done = subprocess.run(
                line,
                cwd=folder,
                env={**os.environ, **limits},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            return f"it took more than {TIMEOUT} seconds"
        except OSError as error:
            return f"pdflatex cannot be run: {error.strerror}"
    if not done.returncode:
        return None
    errors = [line for line in done.stdout.decode(errors="replace").splitlines() if line.startswith("!")]
    return errors[0] if errors else f"pdflatex ended with status {done.returncode}"


def _run(line: Sequence[str], text: str) -> str | None:
    """The standard output of a program; None if it fails."""
    try:
        done = subprocess.run(line, input=text.encode(), capture_output=True, timeout=TIMEOUT)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode() if not done.returncode else None
