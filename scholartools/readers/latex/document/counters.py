"""Counters and labels: the numbers that LaTeX would print."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from scholartools.readers.latex.tex.macros import Macro
from scholartools.readers.latex.tex.tokens import plain_text

_COMMAND = re.compile(r"\\([A-Za-z@]+)(?: ?(\{[^{}]*\}))?")
_DEPTH = 6  # maximum depth of expansion: \theequation -> \thesection -> ...
LEVELS = {"part": -1, "chapter": 0, "section": 1, "subsection": 2, "subsubsection": 3}
_HIGHEST = 100_000
_MOST = 400  # maximum number of counters


@dataclass(frozen=True)
class Style:
    """Numbering of a document class: names and separators of captions, and formats of counters.

    Attributes:
        the: formats of counters that differ from LaTeX's defaults.
        shown: formats in headings, if shorter than in references (IEEE's "A" and "I-A").
        mark: separator after the label of a caption.
        depth: the deepest numbered level of headings.
        chapters: whether chapters are the top level.
    """

    the: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    figure: str = "Figure"
    table: str = "Table"
    mark: str = ":"
    depth: int = 3
    chapters: bool = False


_ROMAN_SECTIONS = {"section": "\\Roman{section}", "table": "\\Roman{table}"}
_STYLES: tuple[tuple[tuple[str, ...], Style], ...] = (
    (
        ("ieeetran", "ieeeconf", "ieeecolor"),
        Style(
            {**_ROMAN_SECTIONS, "subsection": "\\thesection-\\Alph{subsection}",
             "subsubsection": "\\thesubsection\\arabic{subsubsection}"},
            {"subsection": "\\Alph{subsection}", "subsubsection": "\\arabic{subsubsection})"},
            "Fig.", "TABLE", ".",
        ),
    ),
    (
        ("revtex",),
        Style(
            {**_ROMAN_SECTIONS, "subsection": "\\thesection.\\Alph{subsection}",
             "subsubsection": "\\thesubsection.\\arabic{subsubsection}"},
            {"subsection": "\\Alph{subsection}", "subsubsection": "\\arabic{subsubsection}"},
            "FIG.", "TABLE", ".",
        ),
    ),
    (("llncs", "svjour", "svproc", "lipics"), Style(figure="Fig.", mark=".", depth=2)),
    (("svmult", "svmono"), Style(figure="Fig.", mark=".", depth=2, chapters=True)),
    (("amsart", "amsproc", "acmart", "sig-alternate"), Style(mark=".")),
    (("memoir",), Style(depth=1, chapters=True)),
    (("book", "report", "scrbook", "scrreprt", "amsbook", "thesis"), Style(depth=2, chapters=True)),
)  # fmt: skip


def style_of(name: str) -> Style:
    """The numbering of a document class, by its name."""
    plain_name = name.casefold()
    return next((style for names, style in _STYLES if any(one in plain_name for one in names)), Style())


@dataclass(frozen=True)
class Target:
    """The target of a label: its number as printed in references, its kind (a counter) and its title."""

    number: str
    kind: str = "section"
    title: str = ""


class Counters:
    """The counters of a document, their formats, and the labels set so far."""

    def __init__(self, style: Style, macros: Mapping[str, Macro]) -> None:
        self.style = style
        self.macros = macros  # the paper's \theNAME take precedence over those of the class
        self.depth = style.depth
        self.in_main_matter = True  # False in the front and back matter of a book
        self.values: dict[str, int] = dict.fromkeys(
            ("part", "chapter", "section", "subsection", "subsubsection", "equation", "figure", "table", "algorithm",
             "listing"), 0,
        )  # fmt: skip
        top = {"section": "chapter"} if style.chapters else {}
        self.within: dict[str, str] = {**top, "subsection": "section", "subsubsection": "subsection"}
        self.formats: dict[str, str] = {"part": "\\Roman{part}", **style.the}
        if style.chapters:
            for name in ("equation", "figure", "table"):
                self.reset_within(name, "chapter")
        self.current = Target("")
        self.labels: dict[str, Target] = {}

    def new(self, name: str, within: str | None = None) -> None:
        """Add a counter, up to a maximum number."""
        if len(self.values) < _MOST:
            self.values.setdefault(name, 0)
        if within:
            self.reset_within(name, within)

    def reset_within(self, name: str, parent: str) -> None:
        """Reset ``name`` whenever ``parent`` steps, unless that would be circular."""
        if parent == name or self._is_under(parent, name):
            return
        self.within[name] = parent

    def _is_under(self, name: str, above: str) -> bool:
        seen: set[str] = set()
        while name in self.within and name not in seen:
            seen.add(name)
            name = self.within[name]
            if name == above:
                return True
        return False

    def step(self, name: str) -> None:
        self.set(name, self.values.get(name, 0) + 1)
        for other in [other for other in self.values if self._is_under(other, name)]:
            self.values[other] = 0

    def set(self, name: str, value: int) -> None:
        if name in self.values or len(self.values) < _MOST:
            self.values[name] = max(-_HIGHEST, min(value, _HIGHEST))

    def numbers(self, kind: str) -> bool:
        """Whether headings of a kind are numbered here; chapters in the front and back matter of a book are not."""
        return LEVELS[kind] <= self.depth and (self.in_main_matter or kind != "chapter")

    def refer(self, name: str, kind: str | None = None) -> str:
        """Step a counter, make it the target of the next label, and return its number as printed in references."""
        self.step(name)
        number = self.number(name)
        self.current = Target(number, kind or name)
        return number

    def label(self, name: str) -> None:
        self.labels.setdefault(name, self.current)

    def appendix(self) -> None:
        """Restart the numbering of the top level with letters."""
        top = "chapter" if self.style.chapters else "section"
        self.values[top] = 0
        for name in [name for name in self.values if self._is_under(name, top)]:
            self.values[name] = 0
        self.formats[top] = f"\\Alph{{{top}}}"
        if "subsection" in self.style.shown:
            self.formats["subsection"] = "\\thesection.\\arabic{subsection}"

    def number(self, name: str) -> str:
        """The counter's value as printed in references."""
        return self._expand_format(f"\\the{name}", 0).strip()

    def number_after_step(self, name: str) -> str:
        """The value of :meth:`number` after the next step of an existing counter."""
        self.values[name] += 1
        number = self.number(name)
        self.values[name] -= 1
        return number

    def heading_number(self, name: str) -> str:
        """The counter's value as printed in headings, without a final dot."""
        format_ = self.style.shown.get(name) if f"\\the{name}" not in self.macros else None
        return (self._evaluate_format(format_, 0) if format_ else self.number(name)).strip().rstrip(".:")

    def _expand_format(self, the: str, depth: int) -> str:
        name = the.removeprefix("\\the")
        if depth > _DEPTH or name not in self.values:
            return ""
        if the in self.macros:
            return self._evaluate_format(plain_text(self.macros[the].body), depth)
        if name in self.formats:
            return self._evaluate_format(self.formats[name], depth)
        parent = self.within.get(name)
        prefix = self._expand_format(f"\\the{parent}", depth + 1) if parent else ""
        unset = parent == "chapter" and name != "section" and prefix == "0"
        return f"{prefix}.{self.values[name]}" if prefix and not unset else str(self.values[name])

    def _evaluate_format(self, format_: str, depth: int) -> str:
        return fill_format(format_, self.values, lambda the: self._expand_format(the, depth + 1))


def fill_format(format_: str, values: Mapping[str, int], the: Callable[[str], str]) -> str:
    """Fill a format such as ``\\thesection.\\alph{equation}`` with numbers; other commands are removed."""

    def put(found: re.Match[str]) -> str:
        name, counter = found[1], (found[2] or "").strip(" {}")
        if name in NUMERALS:
            return NUMERALS[name](values.get(counter, 0))
        return the(f"\\{name}") if name.startswith("the") else ""

    return re.sub(r"[{}\\]", "", _COMMAND.sub(put, format_))


def _alphabetic(value: int) -> str:
    return chr(96 + value) if 0 < value < 27 else str(value)


def roman_digits(value: int) -> str:
    """Lower-case Roman numerals; decimal digits for numbers below 1 and from 400."""
    if not 0 < value < 400:
        return str(value)
    written = ""
    for worth, digits in (
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ):
        written += digits * (value // worth)
        value %= worth
    return written


NUMERALS: dict[str, Callable[[int], str]] = {
    "arabic": str,
    "alph": _alphabetic,
    "Alph": lambda value: _alphabetic(value).upper(),
    "roman": roman_digits,
    "Roman": lambda value: roman_digits(value).upper(),
    "fnsymbol": str,
}
