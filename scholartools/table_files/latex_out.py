"""Tables as LaTeX: a document of one table that goes over pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scholartools.table_files.formats import PLAIN, Column, Row, Style
from scholartools.table_files.text_out import text_of

_HEAD = r"""\documentclass{article}
\usepackage[landscape,margin=1cm]{geometry}
\usepackage{array,booktabs,iftex,longtable}
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage{textcomp}\else\usepackage{fontspec}\fi
\tracinglostchars=3
\begin{document}
"""
_TAIL = "\\bottomrule\n\\end{longtable}\n\\end{document}\n"
_NULL = "--"
_NEW_LINE = r"\newline{}"
_NUMBERS = ("integer", "number")
_COMMANDS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
    "\t": " ", "\xa0": "~",
}  # fmt: skip
# What LaTeX gives a meaning to; hyphens and commas that would become one sign with the next; ends of lines; controls.
_MARKED = re.compile(r"\r\n|[\\{}$&#%_^~<>|\"'`\x00-\x1f\x7f\x85\xa0\u2028\u2029]|-(?=-)|,(?=,)|[?!](?=`)")
_ENDS = frozenset(["\r\n", "\r", "\n", "\v", "\f", "\x85", "\u2028", "\u2029"])


class Latex:
    """A longtable with the rules of booktabs. None is ``--``; other control characters are spelled out."""

    def __init__(self, columns: Sequence[Column], style: Style = PLAIN) -> None:
        self._columns, self._style = columns, style
        self._null = _NULL if style.null is None else _MARKED.sub(_escape, style.null)

    def head(self) -> str:
        """The document up to the first row; the headings stand on each page."""
        n_texts = sum(column.kind not in _NUMBERS for column in self._columns)
        width = round(0.9 / (n_texts + 0.4 * (len(self._columns) - n_texts)), 3)
        wrapped = rf">{{\raggedright\arraybackslash}}p{{{width}\linewidth}}"
        kinds = "".join("r" if column.kind in _NUMBERS else wrapped for column in self._columns)
        headings = self._line(self._cell(column.heading) for column in self._columns)
        rules = f"\\toprule\n{headings}\\midrule\n"
        start = f"{_HEAD}\\begin{{longtable}}{{@{{}}{kinds}@{{}}}}\n"
        if self._style.caption is None and self._style.label is None:
            return f"{start}{rules}\\endhead\n"
        label = "" if self._style.label is None else f"\\label{{{self._style.label}}}"
        caption = _MARKED.sub(_escape, self._style.caption or "").replace(_NEW_LINE, " ")
        return f"{start}\\caption{{{caption}}}{label}\\\\\n{rules}\\endfirsthead\n{rules}\\endhead\n"

    def check(self, row: Row) -> None:
        """Any row will do."""

    def add(self, rows: Sequence[Row]) -> str:
        """A line for each row."""
        kinds = [column.kind for column in self._columns]
        return "".join(
            self._line(self._cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)) for row in rows
        )

    def tail(self) -> Iterator[str]:
        """The end of the document."""
        yield _TAIL

    def _line(self, cells: Iterable[str]) -> str:
        # Without the braces an asterisk or a bracket would be taken for an argument of the row before.
        return f"{{}}{' & '.join(cells)} \\\\\n"

    def _cell(self, cell: Any, kind: str = "text") -> str:
        if (number := self._style.number(cell, kind)) is not None:
            return number
        text = self._null if cell is None else _MARKED.sub(_escape, text_of(cell))
        return rf"\leavevmode{text}" if text.startswith(_NEW_LINE) else text


def _escape(found: re.Match[str]) -> str:
    mark = found.group()
    if mark in _ENDS:
        return _NEW_LINE
    return _COMMANDS.get(mark) or (
        f"\\textbackslash{{}}x{ord(mark):02x}" if ord(mark) < 128 and not mark.isprintable() else rf"{mark}\/"
    )  # braces do not part two hyphens in LuaLaTeX
