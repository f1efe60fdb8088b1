"""Text of cross-references and citations, as LaTeX would print them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scholartools.readers.latex.document.counters import Target
from scholartools.readers.latex.document.output import LateText

_NAMES = {
    "figure": ("figure", "figures"),
    "table": ("table", "tables"),
    "equation": ("equation", "equations"),
    "algorithm": ("algorithm", "algorithms"),
    "listing": ("listing", "listings"),
    "chapter": ("chapter", "chapters"),
    "section": ("section", "sections"),
    "subsection": ("section", "sections"),
    "subsubsection": ("section", "sections"),
    "item": ("item", "items"),
}
_CAPITAL = ("autoref", "Cref", "Vref", "Fref")
_NAMED = (*_CAPITAL, "cref", "fref")
_AUTHOR_YEAR_STYLES = re.compile(
    r"natbib$|^acl|apalike|chicago|plainnat|abbrvnat|unsrtnat|apa|agsm|dcu|icml|iclr|neurips|jmlr"
)
_AUTHOR_YEAR_CLASSES = re.compile(r"jmlr|acl|iclr|icml|apa|mnras|aastex", re.IGNORECASE)
_TEXTUAL = frozenset("citet Citet textcite Textcite newcite citeN citeasnoun shortciteN citealt".split())
_PARENTHETICAL = frozenset(
    (
        "citep citealp parencite Parencite autocite Autocite footcite citeA shortcite shortciteA cites fullcite "
        "supercite"
    ).split()
)


@dataclass(frozen=True)
class Label:
    """Parts of a citation of an entry: its number or label in the bibliography, its short author list, its year."""

    number: str
    names: str | None = None
    year: str | None = None


@dataclass(frozen=True)
class Resolver:
    """Resolves references and citations after the whole document has been read.

    Attributes:
        targets: targets of labels, by name.
        headings: headings of the sections, in order, for references by name.
        labels: citation labels of the bibliography, by key.
        by_author: whether citations print author and year instead of numbers.
        bare_is_textual: whether a plain ``\\cite`` is textual (with authors outside the brackets), as in natbib.
    """

    targets: Mapping[str, Target]
    headings: tuple[str, ...]
    labels: Mapping[str, Label]
    by_author: bool
    bare_is_textual: bool

    def text(self, later: LateText) -> str:
        """The text of a reference or citation; undefined labels and unknown keys are printed as they are."""
        command = later.command.rstrip("*")
        if command == "range":
            return "–".join(map(self._number_of, later.keys))
        if "cite" in command.casefold():
            return self._print_citation(command, later)
        if command == "nameref":
            return _join_list([self._title_of(key) for key in later.keys])
        return self._print_reference(command, later.keys)

    def _number_of(self, key: str) -> str:
        target = self.targets.get(key)
        return target.number if target and target.number else key

    def _title_of(self, key: str) -> str:
        target = self.targets.get(key)
        known = target is not None and target.title.isdigit() and int(target.title) < len(self.headings)
        return self.headings[int(target.title)] if target and known else self._number_of(key)

    def _print_reference(self, command: str, keys: tuple[str, ...]) -> str:
        kinds = [self.targets[key].kind if key in self.targets else "" for key in keys]
        equation = command == "eqref" or (command in ("cref", "Cref") and kinds[0] == "equation")
        numbers = [f"({self._number_of(key)})" if equation else self._number_of(key) for key in keys]
        if command not in _NAMED or not kinds[0]:
            return _join_list(numbers)
        name = _NAMES.get(kinds[0], (kinds[0], kinds[0] + "s"))[len(keys) > 1]
        return f"{name.capitalize() if command in _CAPITAL else name} {_join_list(numbers)}"

    def _print_citation(self, command: str, later: LateText) -> str:
        """``[see 3, 4, p. 5]`` or ``(see Babbage, 1832; Lovelace, 1843, p. 5)``, and the textual forms."""
        keys = [key for key in later.keys if key]
        before = f"{later.before} " if later.before else ""
        after = f", {later.after}" if later.after else ""
        if command in ("citeauthor", "citename"):
            return _join_list([self._names_of(key) for key in keys])
        if command in ("citeyear", "citeyearpar", "citenum"):
            found = ", ".join(self._year_of(key) if command != "citenum" else self._place_of(key) for key in keys)
            return f"({before}{found}{after})" if command == "citeyearpar" else found
        if self._is_textual(command):
            return self._textual_citation(keys, before, after, bare=command == "citealt")
        if not self.by_author:
            return f"[{before}{', '.join(map(self._place_of, keys))}{after}]"
        pairs = (f"{self._names_of(key)}, {self._year_of(key)}" if self._is_known(key) else key for key in keys)
        inner = f"{before}{'; '.join(pairs)}{after}"
        return inner if command == "citealp" else f"({inner})"

    def _is_textual(self, command: str) -> bool:
        return command in _TEXTUAL or (command not in _PARENTHETICAL and self.by_author and self.bare_is_textual)

    def _textual_citation(self, keys: list[str], before: str, after: str, *, bare: bool) -> str:
        if not self.by_author:
            return _join_list([f"{self._names_and_year(key)}[{before}{self._place_of(key)}{after}]" for key in keys])
        return _join_list(
            [self._citation_in_sentence(key, before, after, bare) for key in keys], last="; " if bare else ", "
        )

    def _citation_in_sentence(self, key: str, before: str, after: str, bare: bool) -> str:
        if not self._is_known(key):
            return f"[{key}]"
        year = f"{before}{self._year_of(key)}{after}"
        return f"{self._names_of(key)} {year}" if bare else f"{self._names_of(key)} ({year})"

    def _names_and_year(self, key: str) -> str:
        label = self.labels.get(key)
        return f"{label.names} " if label and label.names else ""

    def _is_known(self, key: str) -> bool:
        label = self.labels.get(key)
        return label is not None and bool(label.names and label.year)

    def _names_of(self, key: str) -> str:
        label = self.labels.get(key)
        return label.names if label and label.names else key

    def _year_of(self, key: str) -> str:
        label = self.labels.get(key)
        return label.year if label and label.year else key

    def _place_of(self, key: str) -> str:
        return self.labels[key].number if key in self.labels else key


def cites_by_author(style: str, document_class: str, packages: Mapping[str, str], labelled: bool) -> bool:
    """Whether citations print author and year, by package options, labels, bibliography style, class and packages.

    Args:
        labelled: whether the entries of the bibliography have author-year labels.
    """
    options = ",".join(packages.get(name, "") for name in ("natbib", "biblatex"))
    if re.search(r"\b(numbers|super|numeric|ieee)\b", options):
        return False
    if labelled or re.search(r"authoryear|apa\b", options):
        return True
    named = _AUTHOR_YEAR_CLASSES.search(document_class) or any(_AUTHOR_YEAR_CLASSES.match(name) for name in packages)
    return bool(_AUTHOR_YEAR_STYLES.search(style) or named)


def _join_list(parts: list[str], last: str = " and ") -> str:
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + last + parts[-1]
