"""Whether formulas compile: by pdflatex where it is installed, else by KaTeX, else only by our own tree.

pdflatex may run no command, reads and writes nothing outside an empty folder, and has a time limit; nothing of a paper
but the formula is compiled. Several formulas are compiled at once; where that fails, in halves, for one brace that is
missing spoils what follows it.
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

TIMEOUT = 30  # seconds, of one run
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
    """``pdflatex``, ``katex`` or None: what is installed and compiles a plain formula, in this order."""
    if shutil.which("pdflatex") and _compile(["a = b"]) is None:
        return "pdflatex"
    if shutil.which("node") and _run(["node", "-e", "require('katex')"], "") is not None:
        return "katex"
    return None


def check(formulas: Sequence[str], engine: str | None) -> list[Check]:
    """For each formula ``engine``, whether it is ``ok`` (null where there is no engine), and what the engine said."""
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
    """What pdflatex has against each formula."""
    said = _compile(formulas)
    if said is None:
        return [None] * len(formulas)
    if len(formulas) == 1:
        return [said]
    half = len(formulas) // 2
    return _pdflatex(formulas[:half]) + _pdflatex(formulas[half:])


def _compile(formulas: Sequence[str]) -> str | None:
    """What pdflatex has against some formulas together."""
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
    """What a program prints; None where it fails."""
    try:
        done = subprocess.run(line, input=text.encode(), capture_output=True, timeout=TIMEOUT)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode() if not done.returncode else None
