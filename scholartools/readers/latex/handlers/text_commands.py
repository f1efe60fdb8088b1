"""Handlers of commands in running text: notes, items, lengths, boxes."""

from __future__ import annotations

import re

from scholartools.readers.latex.document.counters import NUMERALS, Target, fill_format
from scholartools.readers.latex.document.output import Sink
from scholartools.readers.latex.document.parts import List
from scholartools.readers.latex.document.state import Command, Document
from scholartools.readers.latex.tex.tokens import PAR

_UNIT = re.compile(r"\d*(?:pt|em|ex|cm|mm|in|pc|bp|sp|dd|mu|true|fil{1,3})?")
_SKIPS = (
    "\\raise \\lower \\hsize \\hskip \\vskip \\kern \\mkern \\penalty "
    "\\parindent \\parskip \\baselineskip \\leftskip \\rightskip"
).split()
_NUMBERISH = frozenset("+-.,=")
_LENGTHS = re.compile(r"\\(?:[a-z]*(?:width|height|skip|sep|size|space|indent|margin|depth)|p@|z@|jot|unitlength)")
# Sinks in which footnotes are read: those of text, and those of omitted content.
_PRINTED = frozenset("section front abstract heading footnote steps caption".split())
_LEFT_OUT = frozenset(("float", "cells"))
_BOX_TOKENS = 8  # maximum number of tokens before the content of a box
_DEEPEST = 8  # maximum number of enclosing lists that are examined for the depth of a list
_MARKERS = ("•", "–", "∗", "·")
_FORMATS = ("\\arabic{i}.", "(\\alph{i})", "\\roman{i}.", "\\Alph{i}.")


def print_nothing(document: Document) -> None:
    """A command that prints nothing."""


def _read_footnote(document: Document) -> None:
    document.stream.optional()
    wanted = document.sink.name in _PRINTED if document.sink.kept else document.sink.name in _LEFT_OUT
    note = Sink("footnote", kept=wanted)
    if wanted:
        document.parts.footnotes.append(note)
    document.capture(note)


def _read_item(document: Document) -> None:
    """Start an item as a separate paragraph (unless the list is inline), with its number, label or bullet."""
    open_list = document.lists[-1] if document.lists else List("itemize", "")
    label = document.stream.optional()
    document.write(" ") if open_list.inline else document.paragraph()
    if label is not None:
        document.stream.push([*label, " "])
        return
    if open_list.kind != "enumerate":
        document.write(open_list.format + " " if open_list.kind == "itemize" else "")
        return
    open_list.count += 1
    shown = fill_format(open_list.format, {"i": open_list.count}, lambda _: "")
    document.counters.current = Target(shown.strip("().: "), "item")
    document.write(shown + " ")


def open_list(document: Document, kind: str, options: str | None, *, inline: bool) -> None:
    """Open a list, with the item labels given by its options or its depth."""
    depth = sum(one.kind == kind for one in document.lists[-_DEEPEST:])
    usual = _MARKERS if kind == "itemize" else _FORMATS
    format_ = _label_format(options) if options and kind == "enumerate" else None
    document.lists.append(List(kind, format_ or usual[min(depth, 3)], inline=inline))


def _label_format(options: str) -> str | None:
    """The format of enumitem's ``label=(\\alph*)`` or enumerate's ``[(a)]``; None if there is none."""
    found = re.search(r"label\s*=\s*(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[^,]*)", options)
    if found:
        return re.sub(r"\\(" + "|".join(NUMERALS) + r")\s?\*", r"\\\1{i}", found[1].strip("{}"))
    if "=" in options or not (short := re.search(r"[1aAiI]", options)):
        return None
    name = {"1": "arabic", "a": "alph", "A": "Alph", "i": "roman", "I": "Roman"}[short[0]]
    return f"{options[: short.start()]}\\{name}{{i}}{options[short.end() :]}".strip("{}")


def _skip_length(document: Document) -> None:
    """Skip a length after a primitive: ``1em plus 0.5em minus .4em``."""
    stream = document.stream
    for _ in range(3):
        stream.skip_spaces()
        while (token := stream.peek()) is not None and (
            token in _NUMBERISH or (token[0].isdigit() and _UNIT.fullmatch(token))
        ):
            stream.next()
        if token is not None and (_LENGTHS.fullmatch(token) or (token[0].isalpha() and _UNIT.fullmatch(token))):
            stream.next()
        stream.skip_spaces()
        if stream.peek() not in ("plus", "minus"):
            return
        stream.next()


def _skip_adjustment(document: Document) -> None:
    """``\\vadjust pre{...}``: space or an anchor between lines, which pandoc writes before each reference."""
    stream = document.stream
    stream.skip_spaces()
    if stream.peek() == "pre":
        stream.next()
        stream.skip_spaces()
    if stream.peek() == "{":
        stream.argument()


def _set_box(document: Document) -> None:
    """``\\setbox0=\\hbox{...}``: skip a box that is not printed here."""
    stream = document.stream
    for _ in range(_BOX_TOKENS):
        token = stream.peek()
        if token == "{":
            stream.argument()
        if token in (None, "{", "\\bgroup", PAR):
            return
        stream.next()


def _open_box(document: Document) -> None:
    """``\\hbox to 3cm{...}``: skip the width; the content of the box is text."""
    document.stream.skip_spaces()
    token = document.stream.peek() or ""
    word = next((one for one in ("to", "spread") if token.startswith(one)), "")
    if word and (token == word or token[len(word)].isdigit()):
        document.stream.next()
        document.stream.push([token[len(word) :]] if token != word else [])
        _skip_length(document)


def _write_xspace(document: Document) -> None:
    """``\\xspace``: write a space if the next token starts a word or formula."""
    token = document.stream.peek() or " "
    if (
        token[0].isalnum()
        or token in ("$", "(", "``", "`")
        or (token[0] == "\\" and token[1:2].isalpha() and token != PAR)
    ):
        document.write(" ")


def _if_then_else(document: Document) -> None:
    """``\\ifthenelse``: the test is taken to fail, so that the third argument is read."""
    document.drop("mm")


def _write_file(document: Document) -> None:
    """``\\write18{...}``, ``\\write\\file{...}``: skip text written to a file."""
    stream = document.stream
    stream.skip_spaces()
    stream.take("-")
    file = stream.peek() or ""
    if file.isdigit() or (file[:1] == "\\" and file != PAR):
        stream.next()
    stream.skip_spaces()
    if stream.peek() == "{":
        stream.argument()


def _for_print(document: Document) -> None:
    """``\\texorpdfstring{printed}{for bookmarks}``: read the first argument."""
    printed, _ = document.stream.argument(), document.stream.argument()
    document.stream.push(printed)


def _end_document(document: Document) -> None:
    document.ended = True


COMMANDS: dict[str, Command] = {
    **dict.fromkeys(("\\footnote", "\\footnotetext", "\\endnote", "\\tablefootnote"), _read_footnote),
    "\\item": _read_item,
    "\\texorpdfstring": _for_print,
    "\\ensuremath": lambda document: document.stream.push(["\\(", *document.stream.argument(), "\\)"]),
    "\\(": lambda document: document.inline("\\)"),
    "\\[": lambda document: document.display("\\]"),
    **dict.fromkeys(_SKIPS, _skip_length),
    "\\vadjust": _skip_adjustment,
    "\\ifthenelse": _if_then_else,
    "\\xspace": _write_xspace,
    "\\write": _write_file,
    "\\setbox": _set_box,
    **dict.fromkeys(("\\hbox", "\\vbox", "\\vtop"), _open_box),
    "\\enddocument": _end_document,
    **dict.fromkeys(("\\url", "\\nolinkurl"), print_nothing),  # the address itself is read next
    **dict.fromkeys(("\\begingroup", "\\bgroup"), Document.open_group),
    **dict.fromkeys(("\\endgroup", "\\egroup"), Document.close_group),
}  # fmt: skip
