"""Write tables as LaTeX: a document with one table across pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scholartools.table_files.formats import PLAIN, Best, Column, Style, Undefined, bare
from scholartools.table_files.text_out import Lines, cut, parts_of, text_of

_HEAD = r"""\documentclass{article}
\usepackage[landscape,margin=1cm]{geometry}
\usepackage{array,booktabs,iftex,longtable}
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage{textcomp}\else\usepackage{fontspec}\fi
\tracinglostchars=3
\begin{document}
"""
_TAIL = "\\bottomrule\n\\end{longtable}\n"
_END = "\\end{document}\n"
# Maximum number of reasons listed below the table; more should be in a column.
_MOST_REASONS = 30
_NULL = "--"
_NEW_LINE = r"\newline{}"
_NUMBERS = ("integer", "number")
_COMMANDS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
    "\t": " ", "\xa0": "~",
}  # fmt: skip
# Special characters of LaTeX; hyphens and commas that would form a ligature; line ends; control characters.
_MARKED = re.compile(r"\r\n|[\\{}$&#%_^~<>|\"'`\x00-\x1f\x7f\x85\xa0\u2028\u2029]|-(?=-)|,(?=,)|[?!](?=`)")
_ENDS = frozenset(["\r\n", "\r", "\n", "\v", "\f", "\x85", "\u2028", "\u2029"])


class Latex(Lines):
    """A longtable with booktabs rules. None is ``--``; other control characters are spelled out.

    Numbers that may have a fraction take two columns without space between them, to align the decimal points.

    Attributes:
        n_cut: number of texts truncated to the width of the style.
    """

    def __init__(self, columns: Sequence[Column], style: Style = PLAIN) -> None:
        self._columns, self._style = columns, style
        self._null = _NULL if style.null is None else _escaped(style.null)
        self._reasons: dict[str, int] = {}
        self.n_cut = self._n_more = 0

    def head(self) -> str:
        """Document up to the first row; the headings are repeated on each page."""
        n_texts = sum(column.kind not in _NUMBERS for column in self._columns)
        of_a_number = 0.8 if self._style.has_intervals else 0.4
        width = round(0.9 / (n_texts + of_a_number * (len(self._columns) - n_texts)), 3)
        wrapped = rf">{{\raggedright\arraybackslash}}p{{{width}\linewidth}}"
        marks = {"integer": "r", "number": "r@{}l"}
        kinds = "".join(marks.get(column.kind, wrapped) for column in self._columns)
        headings = self._line(self._heading(place) for place in range(len(self._columns)))
        rules = f"\\toprule\n{headings}\\midrule\n"
        start = f"{_HEAD}\\begin{{longtable}}{{@{{}}{kinds}@{{}}}}\n"
        if self._style.caption is None and self._style.label is None:
            return f"{start}{rules}\\endhead\n"
        label = "" if self._style.label is None else f"\\label{{{self._style.label}}}"
        caption = _escaped(self._style.caption or "").replace(_NEW_LINE, " ")
        return f"{start}\\caption{{{caption}}}{label}\\\\\n{rules}\\endfirsthead\n{rules}\\endhead\n"

    def tail(self, signature: str | None = None) -> Iterator[str]:
        """End of the table, reasons of undefined values, and end of the document."""
        yield _TAIL
        for reason, number in self._reasons.items():
            mark = rf"\textsuperscript{{{number}}}"
            yield f"{{\\footnotesize\\noindent{mark} {_escaped(reason).replace(_NEW_LINE, ' ')}\\par}}\n"
        if self._n_more:
            yield f"{{\\footnotesize\\noindent {self._n_more} more are undefined for other reasons.\\par}}\n"
        yield _END

    def _line(self, cells: Iterable[str]) -> str:
        # Without the braces, an asterisk or bracket would be parsed as an argument of the previous \\.
        return f"{{}}{' & '.join(cells)} \\\\\n"

    def _heading(self, place: int) -> str:
        column = self._columns[place]
        text = _started(_escaped(column.heading))
        if column.kind != "number":
            return text
        last = "@{}" if place == len(self._columns) - 1 else ""
        return rf"\multicolumn{{2}}{{r{last}}}{{{text}}}" if place else f"{text} &"

    def _cell(self, cell: Any, kind: str) -> str:
        """Cell; in a numeric column two cells, split at the decimal point."""
        if bare(cell) is None:
            return f"{self._null}{self._reason(cell)}" + (" &" if kind == "number" else "")
        if kind not in _NUMBERS:
            return self._text(text_of(cell))
        number, interval = parts_of(cell, kind, self._style)
        whole, point, rest = number.partition(".")
        parts = [whole, point + rest] if kind == "number" else [number]
        if isinstance(cell, Best):
            parts = [rf"\textbf{{{part}}}" if part else "" for part in parts]
        return " & ".join(parts) + interval

    def _text(self, text: str) -> str:
        short = cut(text, self._style)
        self.n_cut += short != text
        return _started(_escaped(short))

    def _reason(self, cell: Any) -> str:
        if not isinstance(cell, Undefined):
            return ""
        if cell.reason not in self._reasons and len(self._reasons) == _MOST_REASONS:
            self._n_more += 1
            return ""
        return rf"\textsuperscript{{{self._reasons.setdefault(cell.reason, len(self._reasons) + 1)}}}"


def _escaped(text: str) -> str:
    return _MARKED.sub(_escape, text)


def _started(cell: str) -> str:
    return rf"\leavevmode{cell}" if cell.startswith(_NEW_LINE) else cell


def _escape(found: re.Match[str]) -> str:
    mark = found.group()
    if mark in _ENDS:
        return _NEW_LINE
    return _COMMANDS.get(mark) or (
        f"\\textbackslash{{}}x{ord(mark):02x}" if ord(mark) < 128 and not mark.isprintable() else rf"{mark}\/"
    )  # braces do not separate hyphens in LuaLaTeX
