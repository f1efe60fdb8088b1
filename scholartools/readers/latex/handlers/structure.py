"""Handlers of document structure: headings, files, packages, title and authors."""

from __future__ import annotations

import functools

from scholartools.readers.latex.document.counters import LEVELS, Target
from scholartools.readers.latex.document.output import PARAGRAPH, Sink
from scholartools.readers.latex.document.parts import Section
from scholartools.readers.latex.document.state import Command, Document
from scholartools.readers.latex.handlers.package_files import read_package
from scholartools.readers.latex.tex.packages import PACKAGES
from scholartools.readers.latex.tex.tokens import PAR

_LONGEST = 200  # maximum number of characters of a file name


def read_section(document: Document, kind: str, *, numbered: bool = True) -> None:
    """Read a heading: end all captures of text, step the counter, and open a section."""
    if not document.in_body:
        return
    document.stream.skip_spaces()
    starred = document.stream.take("*") or not numbered
    document.stream.optional()
    if _names_part_of_abstract(document):
        _run_in(document)
        return
    document.close_captures()
    number = None
    if not starred and document.counters.numbers(kind):
        document.counters.refer(kind)
        number = document.counters.heading_number(kind) or None
    open_section(document, kind, number)
    document.capture(document.parts.sections[-1].heading)


def _names_part_of_abstract(document: Document) -> bool:
    """Whether a heading names a part of the abstract ("Motivation:"), and so does not end the abstract."""
    if document.sink.name != "abstract":
        return False
    heading = document.stream.argument()
    document.stream.push(["{", *heading, "}"])
    return "".join(heading).rstrip().endswith(":")


def open_section(document: Document, kind: str, number: str | None, words: str = "") -> None:
    """Open a new section for the text that follows."""
    heading = Sink("heading")
    if words:
        heading.add(words)
    opened = Section(kind, number, heading, Sink("section"), document.in_appendix)
    document.parts.sections.append(opened)
    target = document.counters.current
    document.counters.current = Target(target.number, target.kind, str(len(document.parts.sections) - 1))
    document.sink = opened.text


def _read_named_section(document: Document, words: str) -> None:
    """``\\introduction[Motivation]``: the Copernicus class has commands for two named sections."""
    if document.parts.document_class == "copernicus":
        document.stream.push(["{", *(document.stream.optional() or [words]), "}"])
        read_section(document, "section")


def _run_in(document: Document) -> None:
    """A run-in heading starts a paragraph of the current section."""
    document.paragraph()
    document.stream.take("*")
    document.stream.optional()
    document.capture(document.sink, lambda: document.write(" "))


def _begin_appendix(document: Document) -> None:
    if document.in_body:  # in the preamble it is only named, to redefine it
        document.counters.appendix()
        document.in_appendix = True


def _begin_matter(document: Document, *, main: bool) -> None:
    """``\\frontmatter``, ``\\mainmatter`` and ``\\backmatter`` of classes with chapters."""
    document.counters.in_main_matter = main or not document.counters.style.chapters


def _number_down_to(document: Document) -> None:
    """``\\setsecnumdepth{subsection}`` of memoir."""
    document.counters.depth = {"none": -10, "all": 10, **LEVELS}.get(
        document.stream.text_argument().strip(), document.counters.depth
    )


def _read_acknowledgements(document: Document) -> None:
    """``\\acks{...}``, or ``\\acknowledgments`` before the text."""
    document.close_captures()
    if document.in_body:
        open_section(document, "section", None, "Acknowledgments")


def _two_columns(document: Document) -> None:
    """``\\twocolumn[...]``: text that spans both columns is read as normal text."""
    document.stream.push(document.stream.optional() or [])


def _make_title(document: Document) -> None:
    """``\\maketitle``: drop front text before it; titles and authors after it belong to another document."""
    document.title_is_set = document.parts.title is not None and document.parts.title.has_text()
    if not document.parts.sections and document.sink is document.parts.front:
        document.parts.front.atoms.clear()


def _read_input(document: Document) -> None:
    document.stream.skip_spaces()
    if document.stream.peek() == "{":
        document.include(document.stream.text_argument())
        return
    name = ""
    while document.stream.peek() not in (None, " ", PAR, "{", "}") and len(name) < _LONGEST:
        name += document.stream.next() or ""
    document.include(name)


def _read_include(document: Document) -> None:
    document.paragraph()
    _read_input(document)


def _read_import(document: Document) -> None:
    document.stream.take("*")
    folder = document.stream.text_argument()
    document.include(document.stream.text_argument(), folder=folder)


def _if_file(document: Document) -> None:
    found = document.source.find(document.stream.text_argument()) is not None
    yes, no = document.stream.argument(), document.stream.argument()
    document.stream.push(yes if found else no)


def _input_if(document: Document) -> None:
    name = document.stream.text_argument()
    yes, no = document.stream.argument(), document.stream.argument()
    found = document.source.find(name) is not None
    document.stream.push(yes if found else no)
    if found:
        document.include(name)


def _document_class(document: Document) -> None:
    """``\\documentclass``: the class determines the numbering of headings and captions."""
    options = document.stream.text_optional() or ""
    name = document.stream.text_argument()
    if document.parts.document_class:
        return
    document.use_class(name)
    document.parts.class_options = options
    document.parts.packages.update(dict.fromkeys(options.replace(" ", "").split(","), ""))


def _use_package(document: Document) -> None:
    options = document.stream.text_optional() or ""
    for name in document.stream.text_argument().split(","):
        name = name.strip()
        if not name or name in document.parts.packages:
            continue
        document.parts.packages[name] = options
        document.stream.loaded.add(name)
        if found := document.source.find(name, suffix=".sty"):
            read_package(document, found, options)
        else:
            document.stream.provide(PACKAGES.get(name, {}))


def define_all(document: Document, tokens: list[str]) -> None:
    """Read only the definitions among some tokens."""
    for token in document.stream.apart(tokens, ""):
        if definition := document.meanings.definitions.get(token):
            definition(document.stream)


def _put_off(document: Document) -> None:
    """``\\AtBeginDocument{...}``: definitions are read at the start of the document, or now if it has begun."""
    tokens = document.stream.argument()
    if document.in_body:
        define_all(document, tokens)
    else:
        document.at_begin += tokens


def _read_title(document: Document) -> None:
    document.stream.take("*")
    document.stream.optional()
    sink = Sink("title", kept=not document.title_is_set)
    document.parts.title = document.parts.title if document.title_is_set else sink
    document.capture(sink)


def _read_author(document: Document) -> None:
    document.stream.take("*")
    document.stream.optional()
    sink = Sink("author", kept=not document.title_is_set)
    document.parts.authors += [sink] if sink.kept else []
    document.capture(sink)


def _read_several_authors(document: Document, left: int) -> None:
    """``\\threeauthors{...}{...}{...}`` of apa6."""
    following = functools.partial(_read_several_authors, document, left - 1) if left > 1 else None
    document.parts.authors.append(Sink("author"))
    document.capture(document.parts.authors[-1], following)


def _read_abstract(document: Document) -> None:
    """``\\abstract{...}``, with several arguments in the class that has a structured abstract (aa)."""
    document.stream.skip_spaces()
    if document.stream.peek() != "{":
        return
    if document.parts.abstract is None:
        document.parts.abstract = Sink("abstract")
    document.parts.abstract.add(PARAGRAPH)
    parts = document.parts.document_class == "aa"
    document.capture(document.parts.abstract, (lambda: _read_abstract(document)) if parts else None)


def _between_authors(document: Document) -> None:
    if document.sink.name == "author":
        document.paragraph()


def _name_block(document: Document) -> None:
    if document.sink.name == "author":
        document.paragraph()
        document.capture(document.sink, document.paragraph)


def _to_names(document: Document) -> None:
    """``\\name``, ``\\addr`` and ``\\email`` without an argument: start a new line of the author block."""
    if document.sink.name == "author":
        document.line()


def _read_address(document: Document) -> None:
    document.stream.take("*")
    document.stream.optional()
    document.stream.skip_spaces()
    if document.stream.peek() == "{":
        document.capture(Sink("address", kept=False), lambda: _to_names(document))
    else:
        _to_names(document)


def _read_raised(document: Document) -> None:
    """A superscript; after an author's name it is a mark that separates names."""
    if document.sink.name == "author":
        document.write(", ")
        document.capture(Sink("mark", kept=False))


def _read_mark(document: Document) -> None:
    """A mark of a note or an affiliation after a name."""
    document.stream.optional()
    if document.sink.name == "author":
        document.write(", ")
    document.stream.skip_spaces()
    if document.stream.peek() == "{":
        document.capture(Sink("mark", kept=False))


def _read_wide_space(document: Document) -> None:
    """A wide space, which separates authors."""
    document.write(", " if document.sink.name == "author" else " ")
    document.stream.skip_spaces()


def _horizontal_space(document: Document) -> None:
    document.stream.take("*")
    width = document.stream.text_argument()
    if not width.lstrip().startswith("-"):
        document.write(", " if document.sink.name == "author" else " ")


def _new_line(document: Document) -> None:
    document.stream.take("*")
    document.stream.optional()
    if document.sink.name == "author":
        document.line()
    document.write(" ")


COMMANDS: dict[str, Command] = {
    "\\AtBeginDocument": _put_off,
    "\\endinput": lambda document: document.stream.end_file(),
    **{f"\\{kind}": functools.partial(read_section, kind=kind) for kind in LEVELS},
    **{
        f"\\{name}": functools.partial(read_section, kind=kind, numbered=False)
        for name, kind in (("addpart", "part"), ("addchap", "chapter"), ("addsec", "section"))
    },
    "\\introduction": functools.partial(_read_named_section, words="Introduction"),
    "\\conclusions": functools.partial(_read_named_section, words="Conclusions"),
    **dict.fromkeys(("\\paragraph", "\\subparagraph"), _run_in),
    **dict.fromkeys(("\\appendix", "\\appendices"), _begin_appendix),
    **dict.fromkeys(("\\acks", "\\acknowledgments", "\\acknowledgements", "\\acknowledgment"), _read_acknowledgements),
    **dict.fromkeys(("\\ack", "\\Acknowledgments"), _read_acknowledgements),
    **{
        f"\\{part}matter": functools.partial(_begin_matter, main=part == "main") for part in ("front", "main", "back")
    },
    **dict.fromkeys(("\\setsecnumdepth", "\\maxsecnumdepth"), _number_down_to),
    "\\maketitle": _make_title,
    **dict.fromkeys(("\\input", "\\subfile", "\\@input"), _read_input),
    **dict.fromkeys(("\\include", "\\subfileinclude"), _read_include),
    **dict.fromkeys(("\\import", "\\subimport", "\\includefrom", "\\subincludefrom", "\\inputfrom"), _read_import),
    "\\IfFileExists": _if_file,
    "\\InputIfFileExists": _input_if,
    **dict.fromkeys(("\\documentclass", "\\documentstyle"), _document_class),
    **dict.fromkeys(("\\usepackage", "\\RequirePackage"), _use_package),
    **dict.fromkeys(("\\title", "\\icmltitle", "\\aistatstitle", "\\Title", "\\papertitle"), _read_title),
    **dict.fromkeys(
        "\\author \\icmlauthor \\aistatsauthor \\Author \\coltauthor \\name@author \\authorsnames".split(), _read_author
    ),
    **{
        f"\\{number}authors": functools.partial(_read_several_authors, left=left)
        for left, number in enumerate(("two", "three", "four", "five", "six"), 2)
    },
    "\\abstract": _read_abstract,
    **dict.fromkeys(("\\and", "\\And", "\\AND", "\\authorcr"), _between_authors),
    **dict.fromkeys(("\\IEEEauthorblockN", "\\Name", "\\aclauthor"), _name_block),
    "\\name": _to_names,
    **dict.fromkeys(
        "\\IEEEauthorblockA \\affiliation \\affil \\affiliations \\address \\institute \\institution \\email \\Email "
        "\\addr \\orcidID \\orcid \\authornote \\authoremail \\emailAdd \\ead \\homepage \\altaffiliation "
        "\\authorsaffiliations \\collaboration \\streetaddress \\city \\country \\department \\organization "
        "\\IEEEmembership \\icmladdress \\aistatsaddress".split(),
        _read_address,
    ),
    **dict.fromkeys(("\\textsuperscript", "\\up", "\\ts"), _read_raised),
    **dict.fromkeys(
        "\\inst \\thanks \\footnotemark \\authormark \\corref \\fnref \\tnoteref \\thanksref \\affmark \\samethanks "
        "\\textsuperscriptmark \\equalcontrib \\corresp".split(),
        _read_mark,
    ),
    **dict.fromkeys(("\\quad", "\\qquad", "\\hfill", "\\hfil"), _read_wide_space),
    "\\hspace": _horizontal_space,
    **dict.fromkeys(("\\\\", "\\newline", "\\tabularnewline"), _new_line),
    "\\twocolumn": _two_columns,
}  # fmt: skip
