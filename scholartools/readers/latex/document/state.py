"""A LaTeX document being read: tokens in, the parts of a paper out, one token at a time and without recursion."""

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

_DEPTH = 200_000  # groups and environments open at once
_INPUTS = 100  # times that one file is read
_BEGIN_GROUP = "\\begingroup"  # the name of such a group


@dataclass
class Scope:
    """A group or an environment that is open; ``restore`` is where text went before it was captured."""

    name: str  # of the environment; "" for a group
    restore: Sink | None
    on_close: Callable[[], None] | None
    target: Target


Command = Callable[["Document"], None]
Opening = Callable[["Document", str], None]


@dataclass
class Meanings:
    """What commands and environments do; the tables of the reader."""

    commands: Mapping[str, Command]
    steps: Mapping[str, Command]  # commands of pseudo-code
    environments: Mapping[str, Opening]
    dropped: Mapping[str, str]  # commands whose arguments print nothing: "*" a star, "o" optional, "m" mandatory
    arguments: Mapping[str, str]  # environments that print their content, not these arguments
    definitions: Mapping[str, Callable[[Stream], None]]

    def knows(self, token: str) -> bool:
        return token in self.commands or token in self.dropped or symbols.printed_symbol(token) is not None


class Document:
    """The state of the reading; commands and environments act on it.

    Attributes:
        stream, source, counters, parts: what is read, from which files, what is counted, what is found.
        sink: where text goes now.
        float: the figure, table or algorithm that is open, or the part of one.
        lists, theorems: the lists that are open; the theorem-like environments that are known.
        in_body: whether the document has begun; in_appendix: whether the appendix has.
        at_begin: what ``\\AtBeginDocument`` puts off until then.
        title_is_set: whether ``\\maketitle`` has printed the title.
        inputs: the files that were input, with how often.
        missing, faults: files that are not there; what is damaged, with how often.
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
        """Number and caption as a document class does."""
        self.parts.document_class = name
        self.counters = Counters(style_of(name), self.stream.macros)
        self.stream.counters = self.counters.values

    def begin_body(self) -> None:
        """The preamble is over: what follows is text."""
        self.in_body = self.stream.in_text = True
        self.close_captures()
        self.sink = self.parts.front

    def read(self, tokens: list[str], file: str) -> None:
        """Read a file to its end, or to the document's."""
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
        """What tokens print, read apart from the document."""
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
            self._run_meaning(token[1:])
        elif kind == "&" and self.sink.name == "author":
            self.sink.add(PARAGRAPH)
        else:
            self.write(token[1:] if kind == INLINE else symbols.LIGATURES.get(token, token))

    def write(self, text: str) -> None:
        """Add printed text; an accent that waits goes on its first character."""
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
        """Read mathematics of a line, up to what closes it."""
        found = read_formula(self.stream, close)
        if not found.closed:
            self.faults["mathematics without end"] += 1
        if not is_blank(found.latex):
            self.sink.add(InlineMath(found.latex))

    def display(self, close: str, numbered: bool | None = None) -> None:
        """Read a display equation, count it, and set its labels.

        Args:
            numbered: whether each row has a number, False for one number, None for none.
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
        """Send the next argument's text to a sink."""
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
        """Note that an environment is open, and send its text to a sink where one is given."""
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
        """``\\endgroup``; where no such group is open, it means nothing."""
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
        """Close an environment and what is still open in it."""
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
        """Close all that sends text elsewhere than into the body: no heading, and no end of a paper, is in it."""
        while self._captures:
            if self._scopes[-1].restore is not None:
                self.faults["groups or environments without end"] += 1
            self._close_scope()

    def paragraph(self) -> None:
        self.sink.add(PARAGRAPH)

    def line(self) -> None:
        self.sink.add(LINE)

    def note_missing(self, name: str) -> None:
        """Note a file that is asked for and not in the source, unless TeX distributions bring it."""
        if posixpath.splitext(name.strip())[0] not in DISTRIBUTED:
            climbs = posixpath.normpath(name).startswith(("/", "..", "|", "~"))
            self.missing.setdefault(name[:200], "outside the source" if climbs else "not in the source")

    def include(self, name: str, *, folder: str = "") -> None:
        """Read a file of the source in place; what it misses, lies outside or reads itself is noted."""
        found = self.source.find(name, folder=folder, reader=self.stream.files[-1] if self.stream.files else "")
        if found is None:
            self.note_missing(name)
            return
        self.inputs[found] += 1
        if found == self.source.main or found in self.stream.files or self.inputs[found] > _INPUTS:
            self.missing.setdefault(found, "the file the file inputs itself, or is input too often")
            return
        self.stream.push(self.source.body(found), found)
