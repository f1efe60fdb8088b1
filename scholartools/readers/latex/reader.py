"""Read a paper record from LaTeX source, without running TeX.

Conventions: run-in headings (``\\paragraph``) stay in the text; citations and cross-references are written as LaTeX
would print them, as numbers or as authors and years (unknown keys verbatim); verbatim lines are kept, tables and
pictures are left out of the text; mathematics remains LaTeX with white space collapsed and the paper's macros expanded,
inline as ``$...$`` and display equations on separate lines; in titles, headings and references it is converted to
Unicode.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scholartools.errors import InputFault
from scholartools.readers.common.file_types import kind_of
from scholartools.readers.common.ids import (
    last_number,
    left_out_words,
    new_warning,
    with_caption_ids,
    with_ids,
)
from scholartools.readers.common.roles import role_of
from scholartools.readers.latex import authors as author_block
from scholartools.readers.latex import bibliography
from scholartools.readers.latex.bibliography import Reference
from scholartools.readers.latex.cross_references import Resolver, cites_by_author
from scholartools.readers.latex.document.output import (
    Display,
    Rendered,
    Sink,
    render,
)
from scholartools.readers.latex.document.parts import Caption, Section
from scholartools.readers.latex.document.state import Document, Meanings
from scholartools.readers.latex.document.symbols import unicode_math
from scholartools.readers.latex.handlers import (
    algorithms,
    apacite,
    ignored,
    siunitx,
    structure,
    text_commands,
)
from scholartools.readers.latex.handlers import (
    captions as caption_handlers,
)
from scholartools.readers.latex.handlers import (
    citations as citation_handlers,
)
from scholartools.readers.latex.handlers import (
    environments as environment_handlers,
)
from scholartools.readers.latex.pictures import PictureFiles, save_pictures
from scholartools.readers.latex.publication import of_latex
from scholartools.readers.latex.tex.definitions import DEFINITIONS
from scholartools.readers.latex.tex.main_file import Choice, choose_main_file
from scholartools.readers.latex.tex.source import Source, looks_like
from scholartools.readers.latex.tex.tokens import clean_source, tokenize, untokenize
from scholartools.readers.references.entries import parse_entries, with_same_authors
from scholartools.readers.references.publication import publication_keys
from scholartools.readers.text.other_text import other_text
from scholartools.wording import count_of

__all__ = ["looks_like", "read"]

_LEVELS = {"part": 0, "chapter": 0, "section": 1, "subsection": 2, "subsubsection": 3}
_WORDS = 3  # minimum number of words before the first heading that make a section
_MOST = 100  # maximum number of warnings about missing files
_NAMED = 5  # maximum number of files or keys listed in one warning
_WORD = re.compile(r"[^\W\d_]{2,}")
_role = lru_cache(maxsize=4096)(role_of)
_MODULES = (
    structure, algorithms, citation_handlers, apacite, text_commands, caption_handlers, environment_handlers, siunitx,
)  # fmt: skip
_MEANINGS = Meanings(
    commands={name: command for module in _MODULES for name, command in module.COMMANDS.items()},
    steps=algorithms.STEPS,
    environments=environment_handlers.ENVIRONMENTS,
    dropped=ignored.DROPPED,
    arguments=ignored.ARGUMENTS,
    definitions=DEFINITIONS,
)
_EMPTY = Resolver({}, (), {}, False, False)
_NOTHING = Rendered("", [], [])


def read(source: Mapping[str, bytes], *, main: str | None = None, album: PictureFiles | None = None) -> dict[str, Any]:
    """Read the part of a paper record that a LaTeX source provides.

    Args:
        source: contents of the paper's files by relative POSIX path.
        main: path of the main file; by default it is detected from the contents.
        album: picture files, to render the floats; captions without a picture cause warnings of kind ``no-figure``.

    Returns:
        ``format``, ``pages`` (None), ``title``, ``authors``, ``abstract``, ``sections``, ``references``, ``captions``,
        ``footnotes``, ``equations`` and ``warnings``, as :class:`scholartools.schemas.paper.Paper` types them. Each
        reference also has its citation ``key``.

    Raises:
        InputFault: kind ``not-latex`` (no file is LaTeX), ``unreadable`` (no such main file) or ``no-text``.
        OutputFault: the folder for pictures cannot be made or written to.
    """
    if main is not None and main not in source:
        raise InputFault(f"{main}: not in the source", kind="unreadable")
    choice = Choice(main) if main else choose_main_file(source)
    if choice.main is None:
        raise InputFault(_reason_without_latex(source), kind="not-latex")
    document = _read_document(Source(source, choice.main))
    reading = _Paper(document)
    paper = reading.record()
    others = [name for name in choice.others if name not in document.inputs]
    paper["warnings"] = [*_warn_of_documents(choice.main, others), *paper["warnings"]]
    if not paper["sections"] and not paper["abstract"]:
        raise InputFault("no text: LaTeX without sections, abstract or paragraphs", kind="no-text")
    if album is not None:
        paper["warnings"] += reading.save_pictures(album, paper["captions"])
    return paper


def _reason_without_latex(source: Mapping[str, bytes]) -> str:
    if len(source) != 1:
        return "a folder or archive without a LaTeX file; name papers of other formats one by one"
    (data,) = source.values()
    kind = kind_of(data)
    if kind == "plain text":
        kind = other_text(data.decode()) or kind
    return f"a packed or compressed file that holds only {kind}, not LaTeX; unpack it first if it is a paper"


def _warn_of_documents(main: str, others: list[str]) -> list[dict[str, Any]]:
    """A warning if other files may also be the main file."""
    shown = ", ".join(others[:_NAMED]) + (", ..." if len(others) > _NAMED else "")
    text = f"the paper is read from {main}, not from {shown}: each file is a complete document"
    return [new_warning("main-file", text)] if others else []


def _read_document(source: Source) -> Document:
    """Read the files of a paper; a main file without ``\\begin{document}`` is read as the body of a document."""
    document = Document(source, _MEANINGS)
    tokens = source.tokens(source.main)
    document.read(tokens, source.main)
    if not document.in_body:
        document = Document(source, _MEANINGS)
        document.faults["no \\begin{document}"] += 1
        document.begin_body()
        document.read(tokens, source.main)
    if not document.parts.entries:
        _read_bbl(document)
    return document


def _read_bbl(document: Document) -> None:
    """Read the ``.bbl`` file of the paper, unless biblatex wrote it: those have data instead of text."""
    source = document.source
    for name in _own_bbl(document):
        if "\\entry{" not in source.text(name):
            document.sink = Sink("references", kept=False)
            document.read(source.tokens(name), name)


def _own_bbl(document: Document) -> list[str]:
    """The ``.bbl`` file named after the main file, else the only one in its folder if it has most of the cited keys.

    A folder may have several papers, and the bibliography of another one would make every reference wrong.
    """
    source = document.source
    folder, stem = posixpath.dirname(source.main), posixpath.splitext(source.main)[0]
    names = source.others(".bbl")
    if f"{stem}.bbl" in names:
        return [f"{stem}.bbl"]
    beside = [name for name in names if posixpath.dirname(name) == folder]
    cited = [key for key in document.parts.cited if key != "*"]
    if len(beside) != 1 or not cited:
        return []
    text = source.text(beside[0])
    return beside if sum(f"{{{key}}}" in text for key in cited) > len(cited) / 2 else []


class _Paper:
    """Converts a document to a record."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.parts = document.parts
        self.has_chapters = any(one.kind == "chapter" for one in self.parts.sections)
        # In papers without \section, the highest headings are at the first level.
        self.highest = min((_LEVELS[one.kind] for one in self.parts.sections), default=1)
        self.resolver = _EMPTY
        self.references = self._find_references()
        self.headings = tuple(self._one_line(section.heading) for section in self.parts.sections)
        self.resolver = Resolver(
            document.counters.labels,
            self.headings,
            bibliography.citation_labels(self.references),
            self._cites_by_author(),
            "natbib" in self.parts.packages and "acl" not in " ".join(self.parts.packages),
        )
        self.captions = self._caption_records()

    def record(self) -> dict[str, Any]:
        abstract = self._render_sink(self.parts.abstract) if self.parts.abstract else _NOTHING
        sections = self._section_records()
        opening = next((at for at, (one, _) in enumerate(sections) if one["heading"]), 0)
        if sections and sections[opening][0]["role"] == "abstract" and not abstract.text:
            abstract = sections.pop(opening)[1]
        named = with_ids("s", [section for section, _ in sections])
        texts = [("abstract", abstract), *((section["id"], text) for section, (_, text) in zip(named, sections))]
        return {
            "format": "latex",
            "pages": None,
            "title": (self._one_line(self.parts.title) if self.parts.title else "") or None,
            "authors": author_block.find_authors([self._author_lines(one) for one in self.parts.authors]),
            **publication_keys(of_latex(self.document.source.text(self.document.source.main))),
            "abstract": abstract.text or None,
            "sections": named,
            "references": with_ids("b", [one.record for one in self.references]),
            "captions": with_caption_ids([record for _, record in self.captions], _caption_number),
            "footnotes": self._footnote_records(),
            "equations": _equation_records(texts),
            "warnings": self._new_warnings(),
        }

    def _render_sink(self, sink: Sink) -> Rendered:
        return render(sink, self.resolver.text)

    def _one_line(self, sink: Sink) -> str:
        """The text on one line, with mathematics in Unicode."""
        return " ".join(render(sink, self.resolver.text, math=unicode_math).text.split())

    def _author_lines(self, sink: Sink) -> str:
        return render(sink, self.resolver.text, math=lambda _: ", ").text

    def _text_of(self, latex: str) -> str:
        """LaTeX of a bibliography as plain text."""
        sink = self.document.apart(tokenize(clean_source(latex)))
        return self._one_line(sink)

    def _section_records(self) -> list[tuple[dict[str, Any], Rendered]]:
        """The sections, without ids and bibliography; text before the first heading is a section without heading."""
        found = [self._section_record(one, heading) for one, heading in zip(self.parts.sections, self.headings)]
        front = self._render_sink(self.parts.front)
        if len(_WORD.findall(front.text)) >= _WORDS:
            opening: dict[str, Any] = {"number": None, "heading": "", "level": 1, "role": "other", "pages": []}
            found.insert(0, ({**opening, "text": front.text}, front))
        return [one for one in found if one[0]["role"] != "reference"]

    def _section_record(self, one: Section, heading: str) -> tuple[dict[str, Any], Rendered]:
        text = self._render_sink(one.text)
        role = _role(heading)
        record: dict[str, Any] = {
            "number": one.number,
            "heading": heading.rstrip(":.") if one.number else heading,
            "level": max(1, _LEVELS[one.kind] + self.has_chapters - max(0, self.highest - 1)),
            "role": "appendix" if role == "other" and one.appendix else role,
            "pages": [],
            "text": text.text,
        }
        return record, text

    def save_pictures(self, album: PictureFiles, captions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Render the pictures of the record's captions: see :func:`pictures.save_pictures`."""
        pictures = [one.pictures for one, _ in self.captions]
        # Paths are relative to the folder of the main file; some sources expect to be run from the top folder instead.
        beside = dict.fromkeys((posixpath.dirname(self.document.source.main), ""))
        folders = [posixpath.join(place, own) for place in beside for own in ("", *self.parts.picture_folders)]
        return save_pictures(album, captions, pictures, folders)

    def _caption_records(self) -> list[tuple[Caption, dict[str, Any]]]:
        found = [(one, self._caption_record(one)) for one in self.parts.captions]
        return [(one, record) for one, record in found if record["text"] or "content" in record]

    def _caption_record(self, one: Caption) -> dict[str, Any]:
        style = self.document.counters.style
        names = {"figure": style.figure, "table": style.table}
        own = self.document.stream.macros.get(f"\\{one.kind}name")
        name = self._text_of(untokenize(own.body)) if own else names.get(one.kind, one.kind.capitalize())
        label = f"{name} {one.number}" if one.number else name
        kind = "algorithm" if one.kind == "listing" else one.kind
        parts = ((f"({part.letter}) " if part.letter else "", self._render_sink(part.text).text) for part in one.parts)
        text = " ".join(
            [self._render_sink(one.text).text, *(letter + words for letter, words in parts if words)]
        ).strip()
        printed = f"{label}{style.mark} {text}" if one.number else text
        lines = filter(None, self._render_sink(one.content).text.split("\n"))
        content = {"content": "\n".join(lines)} if one.content.has_text() else {}
        return {"kind": kind, "label": label, "text": printed, "page": None, "bbox": None, **content}

    def _footnote_records(self) -> list[dict[str, Any]]:
        texts = (self._render_sink(one).text for one in self.parts.footnotes)
        return [{"text": text, "page": None} for text in texts if text]

    def _cites_by_author(self) -> bool:
        labelled = sum(one.names is not None for one in self.references)
        from_items = bool(self.parts.entries) and labelled > len(self.references) / 2
        return cites_by_author(
            self.parts.bibliography_style, self.parts.document_class, self.parts.packages, from_items
        )

    def _find_references(self) -> list[Reference]:
        """The entries of the document or its ``.bbl``, else of its databases, else of a section of references."""
        if self.parts.entries:
            items = [
                bibliography.from_item(
                    one.key,
                    None if one.label is None else untokenize(one.label),
                    render(one.text, self.resolver.text, math=unicode_math),
                    self._text_of,
                )
                for one in self.parts.entries
            ]
            records = with_same_authors([one.record for one in items])
            return [replace(one, record=record) for one, record in zip(items, records)]
        source = self.document.source
        for name in _own_bbl(self.document):
            if found := bibliography.from_biblatex(source.text(name), self._text_of):
                return found
        named = {name: source.find(name, suffix=".bib") for name in self.parts.bibliographies if name}
        for name, file in named.items():
            if file is None:
                self.document.note_missing(f"{name.removesuffix('.bib')}.bib")
        files = [*dict.fromkeys(filter(None, named.values()))] or source.others(".bib")
        style = self.parts.bibliography_style or self.parts.packages.get("biblatex", "")
        found = bibliography.from_databases(map(source.text, files), list(self.parts.cited), style, self._text_of)
        return found or self._written_out()

    def _written_out(self) -> list[Reference]:
        """References from the paragraphs of sections whose heading is that of a bibliography."""
        chosen = (one for one in self.parts.sections if _role(self._one_line(one.heading)) == "reference")
        texts = (self._render_sink(one.text).text for one in chosen)
        paragraphs = [paragraph for text in texts for paragraph in text.split("\n\n") if len(paragraph) > 12]
        return [Reference("", record) for record in with_same_authors(parse_entries(paragraphs))]

    def _new_warnings(self) -> list[dict[str, Any]]:
        document = self.document
        found = [("missing-file", f"{name}: {reason}") for name, reason in document.missing.items()][:_MOST]
        found += self._missing_references()
        found += [("macros", _count_reason(*one)) for one in (+document.stream.dropped).items()]
        faults = [("damaged-latex", _count_reason(*one)) for one in document.faults.items()]
        kinds = {"of tables": "".join(self.parts.cells), "beside captions": "".join(self.parts.beside)}
        return [new_warning(*one) for one in found] + left_out_words(kinds) + [new_warning(*one) for one in faults]

    def _missing_references(self) -> list[tuple[str, str]]:
        """A warning of cited keys that the bibliography lacks, if it has any entries."""
        known = {one.key.casefold() for one in self.references if one.key}
        missing = [key for key in self.parts.cited if key != "*" and key.casefold() not in known]
        if not known or not missing:
            return []
        named = ", ".join(missing[:_NAMED]) + (" ..." if missing[_NAMED:] else "")
        return [
            ("missing-reference", f"{count_of(len(missing), 'cited key')} without an entry that can be read: {named}")
        ]


def _count_reason(reason: str, count: int) -> str:
    return reason if count == 1 else f"{reason} ({count} times)"


def _equation_records(texts: list[tuple[str, Rendered]]) -> list[dict[str, Any]]:
    """The display equations of the texts, in order, each with the span of its LaTeX."""
    return with_ids("e", [_equation_record(name, *one) for name, text in texts for one in text.equations])


def _equation_record(name: str, equation: Display, start: int, end: int) -> dict[str, Any]:
    """The record of an equation in the text ``name``; ``labels`` is added if several of its rows have a label."""
    span = {"in": name, "start": start, "end": end}
    labels = equation.labels
    record = {"latex": equation.latex, "span": span, "label": labels[0] if labels else None}
    return record | ({"labels": list(labels)} if len(labels) > 1 else {})


def _caption_number(caption: dict[str, Any]) -> str:
    """The number in a caption's label; "" if the caption has none and the label is its kind."""
    number = last_number(caption)
    return number if number[:1].isdigit() or " " in caption["label"] else ""
