"""Handlers of environments."""

from __future__ import annotations

import re
from collections.abc import Callable

from scholartools.readers.latex.document.math import ARGUMENTS as MATH_ARGUMENTS
from scholartools.readers.latex.document.math import DISPLAYS
from scholartools.readers.latex.document.output import PARAGRAPH, Sink
from scholartools.readers.latex.document.parts import Picture, Theorem
from scholartools.readers.latex.document.state import Document, Opening
from scholartools.readers.latex.handlers.algorithms import begin_steps
from scholartools.readers.latex.handlers.captions import (
    add_caption,
    add_picture,
    close_float,
    open_float,
)
from scholartools.readers.latex.handlers.ignored import DRAWINGS, INNARDS, WITH_EQUATIONS
from scholartools.readers.latex.handlers.structure import define_all, open_section
from scholartools.readers.latex.handlers.text_commands import open_list
from scholartools.readers.latex.tex.tokens import (
    PAR,
    VERBATIM,
    VERBATIM_ENVIRONMENTS,
    clean_source,
    tokenize,
)

_FLOATS = {
    **dict.fromkeys("figure figure* wrapfigure sidewaysfigure sidewaysfigure* SCfigure SCfigure* teaserfigure "
                    "marginfigure".split(), "figure"),
    **dict.fromkeys("table table* wraptable sidewaystable sidewaystable* longtable longtable* deluxetable "
                    "deluxetable* threeparttable margintable".split(), "table"),
    **dict.fromkeys("algorithm algorithm* algorithm2e algorithm2e* procedure".split(), "algorithm"),
    **dict.fromkeys("listing listing* lstlisting".split(), "listing"),
    **dict.fromkeys("subfigure subtable subfigure* subtable* subcaptionblock".split(), "part"),
}  # fmt: skip
_TABLES = frozenset("longtable longtable* deluxetable deluxetable*".split())
# Arguments of floats and long tables.
_FLOAT_ARGUMENTS = {
    **dict.fromkeys(_TABLES, "m"),
    **dict.fromkeys(("wrapfigure", "wraptable"), "mom"),
    **dict.fromkeys("subfigure subtable subfigure* subtable* subcaptionblock".split(), "oom"),
    **dict.fromkeys(("SCfigure", "SCfigure*"), "o"),
}
_COLUMNS = {
    **dict.fromkeys("tabular* tabularx tabulary".split(), "mom"),
    **dict.fromkeys("tabbing tabu longtabu".split(), ""),
}
_LISTS = {
    **dict.fromkeys("itemize compactitem asparaitem itemize* inparaitem".split(), "itemize"),
    **dict.fromkeys("enumerate compactenum asparaenum enumerate* inparaenum".split(), "enumerate"),
    **dict.fromkeys("description compactdesc labeling description*".split(), "description"),
    **dict.fromkeys(("list", "trivlist", "tablenotes"), "plain"),
}
_ACKNOWLEDGEMENTS = "acks ack acknowledgments acknowledgements acknowledgment acknowledgement Acknowledgments".split()
_THEOREMS = (
    "theorem lemma corollary proposition definition example remark claim conjecture assumption problem observation "
    "fact exercise property question note case hypothesis axiom"
).split()

_BRACED = r"\{((?:[^{}]|\{[^{}]*\})*+)\}"
_OPTIONS = re.compile(rf"\A[ \t]*\[((?:[^\]{{}}]|{_BRACED})*+)\]")
_CAPTION = re.compile(rf"\bcaption\s*=\s*(?:{_BRACED}|([^,{{}}]*))")


def begin_environment(document: Document) -> None:
    """``\\begin{name}``."""
    name = document.stream.text_argument()
    if name in document.stream.left_out:
        document.stream.skip_environment(name)
    elif name in document.stream.environments:
        opening, _ = document.stream.environments[name]
        document.open_environment(name)
        document.stream.push(opening.expand(document.stream))
    elif name in ENVIRONMENTS:
        ENVIRONMENTS[name](document, name)
    elif name in document.theorems or name.rstrip("*") in _THEOREMS:
        _begin_theorem(document, name)
    else:
        document.open_environment(name)
        document.drop(document.meanings.arguments.get(name, "o"))
        if not document.lists:
            document.line()


def end_environment(document: Document) -> None:
    """``\\end{name}``; the ending of an environment defined in the paper is read before it is closed."""
    name = document.stream.text_argument()
    if name == "document":
        document.ended = document.in_body
    elif name in document.stream.environments and document.is_open(name):
        document.stream.push([*document.stream.environments[name][1], "\\end@environment", "{", name, "}"])
    else:
        document.close_environment(name)


def _end_own(document: Document) -> None:
    document.close_environment(document.stream.text_argument())


def _begin_document(document: Document, name: str) -> None:
    if not document.in_body:
        document.begin_body()
        define_all(document, document.at_begin)


def _begin_display(document: Document, name: str) -> None:
    document.drop(MATH_ARGUMENTS.get(name, ""))
    document.display(name, DISPLAYS[name])


def _boxed_display(document: Document, name: str) -> None:
    """``\\begin{empheq}[left=\\{]{align}``: a display environment with delimiters or a box around it."""
    document.stream.optional()
    inner = document.stream.text_argument().partition("=")[0]
    document.display(name, DISPLAYS.get(inner))


def _begin_subequations(document: Document, name: str) -> None:
    """Equations that are numbered 1a, 1b within one number."""
    outer = document.equation_parent
    document.open_environment(name, on_close=lambda: setattr(document, "equation_parent", outer))
    document.equation_parent = document.counters.refer("equation")
    document.counters.set("subequation", 0)


def _begin_abstract(document: Document, name: str) -> None:
    document.stream.optional()
    if document.parts.abstract is None:
        document.parts.abstract = Sink("abstract")
    document.parts.abstract.add(PARAGRAPH)
    document.open_environment(name, document.parts.abstract)


def _begin_float(document: Document, name: str) -> None:
    """Open a float, of which only captions, display equations and pseudo-code are kept."""
    outer = document.float
    opened = outer if outer and name == "threeparttable" else open_float(document, _FLOATS[name])
    document.drop("o")

    def close() -> None:
        document.float = outer
        if opened is not outer:
            close_float(document, opened)

    has_steps = opened.kind in ("algorithm", "listing")
    left_out = document.parts.cells if name in _TABLES else document.parts.beside
    document.open_environment(name, opened.steps if has_steps else document.sink.inner("float", left_out), close)
    document.float = opened
    document.drop(_FLOAT_ARGUMENTS.get(name, ""))


def _skip_float_content(document: Document, name: str) -> None:
    """Skip tables, pictures and the like; a table that lays out authors or the steps of an algorithm is read."""
    if document.sink.name == "author" or (document.sink.name == "steps" and name in WITH_EQUATIONS):
        document.open_environment(name)
        document.drop("" if name == "tabbing" else "om")
        return
    if name in DRAWINGS:
        add_picture(document, Picture())
    if name not in WITH_EQUATIONS:
        document.open_environment(name, Sink("unread", kept=False))
        return
    document.open_environment(name, document.sink.inner("cells", document.parts.cells))
    document.drop(_COLUMNS.get(name, "om"))
    if name in ("tabu", "longtabu"):
        document.stream.until(("{",), long=False)  # "to \\linewidth"
        document.drop("m")


def _begin_list(document: Document, name: str) -> None:
    inline = name.endswith("*") or name.startswith("inpara")
    options = document.stream.text_optional()
    depth = len(document.lists)

    def close() -> None:
        del document.lists[depth:]
        if not inline:
            document.paragraph()

    document.open_environment(name, on_close=close)
    if name == "list":
        document.drop("mm")
    open_list(document, _LISTS[name], options, inline=inline)


def _begin_theorem(document: Document, name: str) -> None:
    """A theorem-like environment starts a paragraph with its printed name and number."""
    known = document.theorems.get(name)
    if known is None:
        counter = None if name.endswith("*") else name
        known = document.theorems[name] = Theorem(name.rstrip("*").capitalize(), counter)
        if counter:
            document.counters.new(counter)
    document.open_environment(name, on_close=document.paragraph)
    note = document.stream.optional()
    document.paragraph()
    number = " " + document.counters.refer(known.counter, known.title.casefold()) if known.counter else ""
    document.write(known.title + number)
    document.stream.push([" ", "(", *note, ")", ".", " "] if note else [".", " "])


def _begin_proof(document: Document, name: str) -> None:
    document.open_environment(name, on_close=document.paragraph)
    head = document.stream.optional()
    document.paragraph()
    document.stream.push([*(head if head is not None else ["Proof"]), ".", " "])


def _read_verbatim(document: Document, name: str) -> None:
    """Keep verbatim lines as text or as content of a float, unless they are a comment or another file."""
    inner = document.stream.next()
    if inner is None or inner[0] != VERBATIM:
        if inner is not None:
            document.stream.back(inner)
        document.open_environment(name)
        return
    caption = _listing_caption(inner[1:]) if name == "lstlisting" else None
    if caption:
        _begin_float(document, name)
    else:
        document.open_environment(name, document.float.steps if document.float else None)
    if name.startswith("filecontents"):
        _add_file(document, inner[1:])
    elif name not in INNARDS:
        document.stream.push([VERBATIM + _without_options(inner[1:])])
    if caption:
        document.stream.push(["{", *tokenize(caption), "}"])
        add_caption(document, "listing")


def _note_listing(document: Document) -> None:
    """``\\lstinputlisting[options]{file}``: the file is not read, but reported as missing."""
    document.drop("*o")
    name = document.stream.text_argument()
    document.missing.setdefault(name[:200], "a listing, which is not read")


def _note_minted_listing(document: Document) -> None:
    """``\\inputminted[options]{language}{file}``."""
    document.drop("om")
    _note_listing(document)


def _without_options(text: str) -> str:
    """The lines of a listing, without the options and the language before them."""
    first, newline, rest = _OPTIONS.sub("[]", text).partition("\n")
    return rest if newline and first.strip()[:1] in ("[", "{") else text


def _listing_caption(text: str) -> str | None:
    """The LaTeX of ``caption={...}`` in a listing's options."""
    options = _OPTIONS.match(text)
    found = _CAPTION.search(options[1]) if options else None
    return found and (found[1] or found[2] or "").strip()


def _add_file(document: Document, text: str) -> None:
    name, _, content = text.lstrip("[abcdefghijklmnopqrstuvwxyz] ").removeprefix("{").partition("}")
    if 0 < len(name) < 100 and "\n" not in name and name not in document.source.files:
        document.source.added.setdefault(name, clean_source(content))


def _begin_acknowledgements(document: Document, name: str) -> None:
    document.close_captures()
    document.drop("o")
    if document.in_body:
        open_section(document, "section", None, "Acknowledgments")
    document.open_environment(name)


def _begin_columns(document: Document, name: str) -> None:
    """``\\begin{multicols}{2}[\\section{...}]``: text that spans the columns is read as normal text."""
    document.open_environment(name)
    document.drop("m")
    document.stream.push([*(document.stream.optional() or []), PAR])
    document.drop("o")


def _begin_appendix(document: Document, name: str) -> None:
    document.counters.appendix()
    document.in_appendix = True
    document.open_environment(name)


def _begin_bibliography(document: Document, name: str) -> None:
    document.close_captures()
    document.open_environment(name, Sink("references", kept=False))
    document.stream.argument()


def _inline_math(document: Document, name: str) -> None:
    document.inline(name)


def _skip_rule(document: Document) -> None:
    """``\\cmidrule[width](lr){1-2}``."""
    document.drop("o")
    if document.stream.take("("):
        document.stream.until((")",), long=False)
    document.drop("m")


ENVIRONMENTS: dict[str, Opening] = {
    "document": _begin_document,
    **dict.fromkeys(INNARDS, _skip_float_content),
    **dict.fromkeys(("algorithmic", "algorithmicx"), begin_steps),
    **dict.fromkeys(_FLOATS, _begin_float),
    **dict.fromkeys(_LISTS, _begin_list),
    **dict.fromkeys(VERBATIM_ENVIRONMENTS, _read_verbatim),
    **dict.fromkeys(DISPLAYS, _begin_display),
    **dict.fromkeys(("empheq", "empheq*"), _boxed_display),
    **dict.fromkeys(_ACKNOWLEDGEMENTS, _begin_acknowledgements),
    **dict.fromkeys(("appendix", "appendices", "subappendices"), _begin_appendix),
    **dict.fromkeys(("abstract", "abstract*", "onecolabstract", "Abstract"), _begin_abstract),
    **dict.fromkeys(("multicols", "multicols*"), _begin_columns),
    "math": _inline_math,
    "subequations": _begin_subequations,
    "proof": _begin_proof,
    "thebibliography": _begin_bibliography,
}
COMMANDS: dict[str, Callable[[Document], None]] = {
    "\\begin": begin_environment,
    "\\end": end_environment,
    "\\end@environment": _end_own,
    **dict.fromkeys(("\\lstinputlisting", "\\verbatiminput", "\\VerbatimInput"), _note_listing),
    "\\inputminted": _note_minted_listing,
    "\\cmidrule": _skip_rule,
}
