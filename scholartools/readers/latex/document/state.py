"""The state of a LaTeX document being read: tokens in, parts of a paper out, token by token without recursion."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scholartools.readers.latex.document import symbols
from scholartools.readers.latex.document.counters import Counters, Target, style_of
from scholartools.readers.latex.document.math import SPELLED_OUT, is_blank, read_formula
from scholartools.readers.latex.document.output import (
    LINE,
    PARAGRAPH,
    Block,
    Display,
    InlineMath,
    Sink,
)
from scholartools.readers.latex.document.parts import (
    Float,
    List,
    Parts,
    Theorem,
)
from scholartools.readers.latex.tex.source import DISTRIBUTED, Source
from scholartools.readers.latex.tex.stream import Stream
from scholartools.readers.latex.tex.tokens import (
    INLINE,
    PAR,
    PRIMITIVE,
    VERBATIM,
)

_DEPTH = 200_000  # maximum number of open groups and environments
_INPUTS = 100  # maximum number of inputs of one file
_BEGIN_GROUP = "\\begingroup"  # scope name of groups opened by this command


@dataclass
class Scope:
    """An open group or environment; ``restore`` is the sink before its text was captured, if it was."""

    name: str  # the name of the environment; "" for a group
    restore: Sink | None
    on_close: Callable[[], None] | None
    target: Target


Command = Callable[["Document"], None]
Opening = Callable[["Document", str], None]


@dataclass
class Meanings:
    """The tables of handlers of commands and environments."""

    commands: Mapping[str, Command]
    steps: Mapping[str, Command]  # commands of pseudo-code
    environments: Mapping[str, Opening]
    dropped: Mapping[str, str]  # arguments of commands that print nothing: "*" star, "o" optional, "m" mandatory
    arguments: Mapping[str, str]  # arguments that are not printed, of environments that print their content
    definitions: Mapping[str, Callable[[Stream], None]]

    def knows(self, token: str) -> bool:
        return token in self.commands or token in self.dropped or symbols.printed_symbol(token) is not None


class Document:
    """The state of reading, which handlers of commands and environments modify.

    Attributes:
        stream, source, counters, parts: the input tokens, the files, the counters, and the parts found so far.
        sink: the current target of text.
        float: the open figure, table or algorithm, or part of one.
        lists, theorems: the open lists; the known theorem-like environments.
        in_body, in_appendix: whether the document, or the appendix, has begun.
        at_begin: tokens deferred by ``\\AtBeginDocument``.
        title_is_set: whether ``\\maketitle`` has printed the title.
        inputs: number of inputs by file.
        missing, faults: reasons by missing file; number of faults by kind.
    """

    def __init__(self, source: Source, meanings: Meanings) -> None:
        self.source = source
        self.meanings = meanings
        self.stream = Stream(
            meanings.definitions, meanings.knows, frozenset(meanings.commands), frozenset(meanings.environments)
        )
        self.stream.macros.update(SPELLED_OUT)
        self.counters = Counters(style_of(""), self.stream.macros)
        self.stream.counters = self.counters.values
        self.parts = Parts()
        self.sink = Sink("preamble", kept=False)
        self.float: Float | None = None
        self.lists: list[List] = []
        self.theorems: dict[str, Theorem] = {}
        self.in_body = False
        self.in_appendix = False
        self.at_begin: list[str] = []
        self.title_is_set = False
        self.ended = False
        self.equation_parent: str | None = None
        self.missing: dict[str, str] = {}
        self.faults: Counter[str] = Counter()
        self.inputs: Counter[str] = Counter()
        self._scopes: list[Scope] = []
        self._open: Counter[str] = Counter()
        self._captures = 0
        self._accent: tuple[str, str] | None = None

    def use_class(self, name: str) -> None:
        """Set the document class, which determines numbering and captions."""
        self.parts.document_class = name
        self.counters = Counters(style_of(name), self.stream.macros)
        self.stream.counters = self.counters.values

    def begin_body(self) -> None:
        """End the preamble: the tokens that follow are text."""
        self.in_body = self.stream.in_text = True
        self.close_captures()
        self.sink = self.parts.front

    def read(self, tokens: list[str], file: str) -> None:
        """Read a file to its end or to that of the document."""
        self.stream.push(tokens, file)
        self.ended = False
        while not self.ended:
            if (token := self.stream.next()) is not None:
                self._take_token(token)
            elif self.stream.peek() is None:
                break
        if self.ended:
            self.stream.drop()
        self.close_captures()

    def apart(self, tokens: list[str]) -> Sink:
        """Read tokens into a separate sink."""
        outer, self.sink = self.sink, Sink("apart")
        found = self.sink
        self.read(tokens, "")
        self.sink = outer
        return found

    def _take_token(self, token: str) -> None:
        kind = token[0]
        if kind == "\\":
            self._run_command(token)
        elif kind == "{":
            self._open_scope("")
        elif kind == "}":
            self._close_group()
        elif kind == "$":
            self._read_dollar()
        elif kind == " ":
            self.sink.add(" ")
        elif kind == VERBATIM:
            self.sink.add(Block(token[1:]))
        elif kind == PRIMITIVE:
            if not self.stream.step(token):
                self._run_meaning(token[1:])
        elif kind == "&" and self.sink.name == "author":
            self.sink.add(PARAGRAPH)
        else:
            self.write(token[1:] if kind == INLINE else symbols.LIGATURES.get(token, token))

    def write(self, text: str) -> None:
        """Add printed text; a pending accent is put on its first character."""
        if self._accent is not None and text:
            text = (
                symbols.put_accent(text, self._accent[1])
                if text[0].isalpha()
                else symbols.spacing_accent(self._accent[0]) + text
            )
            self._accent = None
        self.sink.add(text)

    def _run_command(self, token: str) -> None:
        if not self.stream.step(token):
            self._run_meaning(token)

    def _run_meaning(self, token: str) -> None:
        in_steps = self.sink.name == "steps" and token in self.meanings.steps
        if command := (self.meanings.steps if in_steps else self.meanings.commands).get(token):
            command(self)
        elif token == PAR:
            self.sink.add(PARAGRAPH)
        elif token in symbols.ACCENTS:
            self._write_accented(token)
        elif token in self.meanings.dropped:
            self.drop(self.meanings.dropped[token])
        elif token.startswith("\\the") and token[4:] in self.counters.values:
            self.write(self.counters.number(token[4:]))
        else:
            if token[-1].isalpha():
                self.stream.skip_spaces()
            self.write(symbols.printed_symbol(token) or "")

    def _write_accented(self, token: str) -> None:
        if token[-1].isalpha():
            self.stream.skip_spaces()
        if self.stream.take("{") and not self.stream.take("}"):
            self._open_scope("")
        elif self.stream.peek() in (None, PAR, " ") or self.sink.name == "":
            self.write(symbols.spacing_accent(token))
            return
        self._accent = (token, symbols.ACCENTS[token])

    def drop(self, arguments: str) -> None:
        """Read arguments that print nothing."""
        for kind in arguments:
            if kind == "*":
                self.stream.take("*")
            elif kind == "o":
                self.stream.optional()
            else:
                self.stream.argument()

    def _read_dollar(self) -> None:
        if self.stream.take("$"):
            self.display("$$")
        else:
            self.inline("$")

    def inline(self, close: str) -> None:
        """Read inline mathematics up to ``close``."""
        found = read_formula(self.stream, close)
        if not found.closed:
            self.faults["mathematics without end"] += 1
        if not is_blank(found.latex):
            self.sink.add(InlineMath(found.latex))

    def display(self, close: str, numbered: bool | None = None) -> None:
        """Read a display equation, number it, and set its labels.

        Args:
            close: the token or the name of the environment that ends it.
            numbered: True if each row has a number, False for a single number, None for no number.
        """
        found = read_formula(self.stream, close)
        if not found.closed:
            self.faults["mathematics without end"] += 1
        rows = found.rows if numbered else [found.rows[0]]
        if not numbered:
            rows[0].labels = [label for row in found.rows for label in row.labels]
            rows[0].tag = next((row.tag for row in found.rows if row.tag), None)
            rows[0].numbered = all(row.numbered for row in found.rows)
        for row in rows:
            if row.tag is not None:
                self.counters.current = Target(row.tag, "equation")
            elif numbered is not None and row.numbered:
                self._number_equation()
            for label in row.labels:
                self.counters.label(label)
        if not is_blank(found.latex):
            self.sink.add(Display(found.latex, tuple(label for row in rows for label in row.labels)))

    def _number_equation(self) -> None:
        if self.equation_parent is None:
            self.counters.refer("equation")
            return
        self.counters.step("subequation")
        letter = chr(96 + min(26, self.counters.values["subequation"]))
        self.counters.current = Target(self.equation_parent + letter, "equation")

    def capture(self, sink: Sink, on_close: Callable[[], None] | None = None) -> None:
        """Direct the text of the next argument to a sink."""
        self.stream.skip_spaces()
        token = self.stream.next()
        if token is None or token in ("}", PAR):
            if token is not None:
                self.stream.back(token)
            return
        if token != "{":
            self.stream.push([token, "}"])
        self._open_scope("", sink, on_close)

    def open_environment(self, name: str, sink: Sink | None = None, on_close: Callable[[], None] | None = None) -> None:
        """Open an environment, and direct its text to a sink if one is given."""
        self._open_scope(name, sink, on_close)

    def _open_scope(self, name: str, sink: Sink | None = None, on_close: Callable[[], None] | None = None) -> None:
        if len(self._scopes) >= _DEPTH and sink is None:
            return
        self.stream.scopes.begin()
        self._scopes.append(Scope(name, self.sink if sink else None, on_close, self.counters.current))
        if name not in ("", _BEGIN_GROUP):
            self._open[name] += 1
        if sink:
            self._captures += 1
            self.sink = sink

    def open_group(self) -> None:
        """``\\begingroup``."""
        self._open_scope(_BEGIN_GROUP)

    def close_group(self) -> None:
        """``\\endgroup``; ignored unless the innermost scope is such a group."""
        if self._scopes and self._scopes[-1].name == _BEGIN_GROUP:
            self._close_scope()

    def _close_group(self) -> None:
        while self._scopes and self._scopes[-1].name == _BEGIN_GROUP:
            self._close_scope()
        if self._scopes and not self._scopes[-1].name:
            self._close_scope()
        else:
            self.faults["unbalanced braces"] += 1

    def close_environment(self, name: str) -> None:
        """Close an environment and all scopes that are open within it."""
        if not self._open[name]:
            self.faults["environments ended that did not begin"] += 1
            return
        while self._scopes[-1].name != name:
            if self._scopes[-1].name != _BEGIN_GROUP:
                self.faults["groups or environments without end"] += 1
            self._close_scope()
        self._close_scope()

    def _close_scope(self) -> None:
        scope = self._scopes.pop()
        self.stream.scopes.end()
        self._accent = None
        if scope.name not in ("", _BEGIN_GROUP):
            self._open[scope.name] -= 1
            self.counters.current = scope.target
        if scope.restore is not None:
            self._captures -= 1
            self.sink = scope.restore
        if scope.on_close:
            scope.on_close()

    def is_open(self, name: str) -> bool:
        return self._open[name] > 0

    def close_captures(self) -> None:
        """Close all scopes that capture text, since headings and the end of a paper cannot be within them."""
        while self._captures:
            if self._scopes[-1].restore is not None:
                self.faults["groups or environments without end"] += 1
            self._close_scope()

    def paragraph(self) -> None:
        self.sink.add(PARAGRAPH)

    def line(self) -> None:
        self.sink.add(LINE)

    def note_missing(self, name: str) -> None:
        """Record a requested file that is not in the source, unless TeX distributions include it."""
        if posixpath.splitext(name.strip())[0] not in DISTRIBUTED:
            climbs = posixpath.normpath(name).startswith(("/", "..", "|", "~"))
            self.missing.setdefault(name[:200], "outside the source" if climbs else "not in the source")

    def include(self, name: str, *, folder: str = "") -> None:
        """Read a file of the source in place; missing files, those outside the source, and cycles are recorded."""
        found = self.source.find(name, folder=folder, reader=self.stream.files[-1] if self.stream.files else "")
        if found is None:
            self.note_missing(name)
            return
        self.inputs[found] += 1
        if found == self.source.main or found in self.stream.files or self.inputs[found] > _INPUTS:
            self.missing.setdefault(found, "the file the file inputs itself, or is input too often")
            return
        self.stream.push(self.source.body(found), found)
