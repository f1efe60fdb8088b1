"""Handlers of labels, cross-references, citations, entries of the bibliography, theorems and counters."""

from __future__ import annotations

import functools
import re

from scholartools.readers.latex.document import symbols
from scholartools.readers.latex.document.counters import NUMERALS
from scholartools.readers.latex.document.output import LateText, Mark, Sink
from scholartools.readers.latex.document.parts import Entry, Theorem
from scholartools.readers.latex.document.state import Command, Document
from scholartools.readers.latex.tex.tokens import INLINE

MAX_ENTRIES = 5_000  # maximum number of entries of a bibliography
_REFERENCES = "ref eqref pageref autoref cref Cref vref Vref nameref subref labelcref autopageref fref Fref".split()
_CITATIONS = (
    "cite citep citet Citep Citet citealp citealt citeauthor citeyear citeyearpar citenum onlinecite newcite shortcite "
    "citeA parencite Parencite textcite Textcite autocite Autocite footcite supercite fullcite cites citename "
    "citeN citeNP citeasnoun shortciteN shortciteA"
).split()
_VALUES = {"-\\maxdimen": "-999", "\\z@": "0", "\\m@ne": "-1"}  # symbolic values; Pandoc disables numbering this way
_NOTE = re.compile(r"---?|~|\\[A-Za-z]+|\\.|[{}]")


def _read_label(document: Document) -> None:
    document.counters.label(document.stream.text_argument())


def _read_reference(document: Document, command: str) -> None:
    document.stream.take("*")
    keys = tuple(key.strip() for key in document.stream.text_argument().split(","))
    document.sink.add(LateText(command, keys))


def _reference_range(document: Document) -> None:
    document.stream.take("*")
    keys = (document.stream.text_argument(), document.stream.text_argument())
    document.sink.add(LateText("range", keys))


def _hyper_reference(document: Document) -> None:
    if document.stream.optional() is None:
        document.drop("mmm")


def _read_citation(document: Document, command: str) -> None:
    starred = document.stream.take("*")
    first, second = document.stream.text_optional(), document.stream.text_optional()
    before, after = (first or "", second) if second is not None else ("", first or "")
    before, after = (_NOTE.sub(_plain_note, note).strip() for note in (before, after))
    keys = tuple(key.strip() for key in document.stream.text_argument().split(",") if key.strip())
    document.parts.cited.update(dict.fromkeys(keys))
    document.sink.add(LateText(command + "*" * starred, keys, before, after))


def _plain_note(found: re.Match[str]) -> str:
    return symbols.LIGATURES.get(found[0], " " if found[0] == "\\ " else "")


def _no_cite(document: Document) -> None:
    keys = (key.strip() for key in document.stream.text_argument().split(","))
    document.parts.cited.update(dict.fromkeys(key for key in keys if key))


def _read_bibliography(document: Document) -> None:
    document.drop("o")
    document.parts.bibliographies += [name.strip() for name in document.stream.text_argument().split(",")]


def _bibliography_style(document: Document) -> None:
    document.parts.bibliography_style = document.stream.text_argument()


def _bib_item(document: Document) -> None:
    """Start an entry of the bibliography, which extends to the next one."""
    label = document.stream.optional()
    start_entry(document, document.stream.text_argument(), label)


def start_entry(document: Document, key: str, label: list[str] | None) -> None:
    """Start an entry of the bibliography with the label by which it is cited, if it has one."""
    if document.is_open("thebibliography") and len(document.parts.entries) < MAX_ENTRIES:
        document.parts.entries.append(Entry(key, label, Sink("reference")))
        document.sink = document.parts.entries[-1].text


def _new_block(document: Document) -> None:
    document.sink.add(Mark("block"))
    document.write(" ")


def _bib_info(document: Document) -> None:
    """``\\bibinfo{title}{...}``: a named part of a reference."""
    name = document.stream.text_argument()
    document.sink.add(Mark(name))
    document.capture(document.sink, lambda: document.sink.add(Mark(f"/{name}")))


def _bib_field(document: Document) -> None:
    """``\\bibfield{author}{...}``: a group of parts with ``\\bibinfo``; only its name is skipped."""
    document.stream.argument()


def _bib_end(document: Document) -> None:
    """``\\BibitemShut{NoStop}``: the end of an entry; ``NoStop`` means that it lacks its full stop."""
    atoms = document.sink.atoms
    while atoms and atoms[-1] == " ":
        atoms.pop()
    document.write("." if document.stream.text_argument() == "NoStop" else "")


def _article_title(document: Document) -> None:
    document.sink.add(Mark("title"))
    document.capture(document.sink, lambda: document.sink.add(Mark("/title")))


def _read_link(document: Document) -> None:
    document.drop("o")
    address = "".join(token.removeprefix(INLINE) for token in document.stream.argument())
    document.sink.add(Mark(f"link:{address[:300]}"))


def _read_doi(document: Document) -> None:
    document.write("doi:")


def _define_theorem(document: Document) -> None:
    starred = document.stream.take("*")
    name = document.stream.text_argument()
    shared = document.stream.text_optional()
    title = document.stream.text_argument()
    within = document.stream.text_optional()
    counter = shared if shared in document.counters.values else name
    if counter == name and not starred:
        document.counters.new(name, within)
    document.theorems[name] = Theorem(title, None if starred else counter)


def _new_counter(document: Document) -> None:
    document.counters.new(document.stream.text_argument(), document.stream.text_optional())


def _number_within(document: Document) -> None:
    document.stream.take("*")
    document.drop("o")
    document.counters.reset_within(document.stream.text_argument(), document.stream.text_argument())


def _set_counter(document: Document, *, add: bool) -> None:
    name, value = document.stream.text_argument(), document.stream.text_argument()
    value = _VALUES.get(value, value)
    if not re.fullmatch(r"-?\d{1,6}", value):
        return
    if name == "secnumdepth":
        document.counters.depth = int(value)
    elif re.fullmatch(r"enumi{1,3}v?", name) and document.lists:
        document.lists[-1].count = int(value)
    else:
        document.counters.set(name, int(value) + add * document.counters.values.get(name, 0))


def _step_counter(document: Document) -> None:
    document.counters.refer(document.stream.text_argument())


def _print_numeral(document: Document, name: str) -> None:
    counter = document.stream.text_argument()
    document.write(NUMERALS[name](document.counters.values.get(counter, 0)))


COMMANDS: dict[str, Command] = {
    "\\label": _read_label,
    **{f"\\{name}": functools.partial(_read_reference, command=name) for name in _REFERENCES},
    "\\crefrange": _reference_range,
    "\\Crefrange": _reference_range,
    "\\hyperref": _hyper_reference,
    **{f"\\{name}": functools.partial(_read_citation, command=name) for name in _CITATIONS},
    "\\nocite": _no_cite,
    **dict.fromkeys(("\\bibliography", "\\addbibresource", "\\addglobalbib"), _read_bibliography),
    "\\bibliographystyle": _bibliography_style,
    "\\bibitem": _bib_item,
    "\\newblock": _new_block,
    "\\bibinfo": _bib_info,
    "\\bibfield": _bib_field,
    "\\BibitemShut": _bib_end,
    "\\showarticletitle": _article_title,
    **dict.fromkeys(("\\href", "\\Eprint"), _read_link),
    "\\doi": _read_doi,
    **dict.fromkeys(("\\newtheorem", "\\spnewtheorem", "\\declaretheorem"), _define_theorem),
    "\\newcounter": _new_counter,
    **dict.fromkeys(("\\numberwithin", "\\counterwithin"), _number_within),
    "\\setcounter": functools.partial(_set_counter, add=False),
    "\\addtocounter": functools.partial(_set_counter, add=True),
    **dict.fromkeys(("\\stepcounter", "\\refstepcounter"), _step_counter),
    **{f"\\{name}": functools.partial(_print_numeral, name=name) for name in NUMERALS},
}  # fmt: skip
