"""Output of a source being read, as atoms, and their conversion to text when all labels and citations are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby

_GAPS = ("", " ", "\n", "\n\n")
_SPACE, _LINE, _PARAGRAPH = 1, 2, 3


@dataclass(frozen=True)
class Break:
    """An end of a line or of a paragraph."""

    gap: int


LINE = Break(_LINE)
PARAGRAPH = Break(_PARAGRAPH)


@dataclass(frozen=True)
class LateText:
    """Text that is known only at the end of the document: a cross-reference or a citation."""

    command: str
    keys: tuple[str, ...]
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class InlineMath:
    """Inline mathematics, as LaTeX without dollar signs."""

    latex: str


@dataclass(frozen=True)
class Display:
    """A display equation: its LaTeX, white space collapsed, and the labels of its rows."""

    latex: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Block:
    """Verbatim lines."""

    text: str


@dataclass(frozen=True)
class Mark:
    """A position without text, such as the start of a part of a reference."""

    name: str


Atom = str | Break | LateText | InlineMath | Display | Block | Mark


@dataclass
class Sink:
    """A target of output: atoms in order.

    Attributes:
        kept: whether the atoms are part of the text; if not, they are discarded.
        around: the sink that receives the display equations: for content of a float, the text that contains the float.
        left_out: receives discarded words, if they are to be counted.
    """

    name: str = ""
    kept: bool = True
    around: Sink | None = None
    left_out: list[str] | None = None
    atoms: list[Atom] = field(default_factory=list)
    _floated: list[Atom] = field(default_factory=list)

    def add(self, atom: Atom) -> None:
        if self.kept:
            self.atoms.append(atom)
            if self._floated and atom == PARAGRAPH:
                self.settle()
        elif self.left_out is not None:
            self.left_out.append(atom if isinstance(atom, str) else " ")
        if self.around is not None and isinstance(atom, Display):
            self.around.add_behind([atom])

    def add_behind(self, atoms: list[Atom]) -> None:
        """Add atoms after the end of the current paragraph, so as not to interrupt its sentences."""
        text = self.around or self
        text._floated += (*atoms, PARAGRAPH)

    def inner(self, name: str, left_out: list[str] | None = None, *, kept: bool = False) -> Sink:
        """A sink for content that is not part of this text, but may have display equations of it."""
        around = self.around or (self if self.kept else None)
        if left_out:
            left_out.append(" ")
        return Sink(name, kept=kept, around=around, left_out=left_out if around is not None else None)

    def has_text(self) -> bool:
        return any(atom != " " and not isinstance(atom, Break) for atom in self.atoms)

    def settle(self) -> None:
        """Add the deferred atoms at the end of a paragraph or of the text."""
        if self._floated:
            self.atoms += (PARAGRAPH, *self._floated)
            self._floated.clear()


@dataclass
class Rendered:
    """Text with its equations, as (equation, start, end), and marks, as (name, offset)."""

    text: str
    equations: list[tuple[Display, int, int]]
    marks: list[tuple[str, int]]


def render(
    sink: Sink, resolve: Callable[[LateText], str], *, math: Callable[[str], str] = lambda latex: f"${latex}$"
) -> Rendered:
    """The text of a sink: single spaces between words, empty lines between paragraphs, displays on separate lines.

    Args:
        resolve: returns the text of a cross-reference or a citation.
        math: returns the text of inline mathematics.
    """
    sink.settle()
    setter = _Setter()
    for kind, atoms in groupby(sink.atoms, key=type):
        if kind is str:
            setter.words("".join(atoms))  # type: ignore[arg-type]  # all of them are text
            continue
        for atom in atoms:
            setter.atom(atom, resolve, math)
    return Rendered("".join(setter.parts), setter.equations, setter.marks)


class _Setter:
    """Collects text; a gap is written only before further text, so that the text has no leading or trailing gap."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.gap = 0
        self.equations: list[tuple[Display, int, int]] = []
        self.marks: list[tuple[str, int]] = []

    def atom(self, atom: Atom, resolve: Callable[[LateText], str], math: Callable[[str], str]) -> None:
        """Write an atom that is not plain text."""
        if isinstance(atom, Break):
            self.wait(atom.gap)
        elif isinstance(atom, InlineMath):
            self.put(math(atom.latex))
        elif isinstance(atom, LateText):
            self.words(resolve(atom))
        elif isinstance(atom, Display):
            self.display(atom)
        elif isinstance(atom, Block):
            self.block(atom.text)
        elif isinstance(atom, Mark):
            self.marks.append((atom.name, self.length))

    def wait(self, gap: int) -> None:
        self.gap = max(self.gap, gap)

    def put(self, text: str) -> None:
        if not text:
            return
        gap = _GAPS[self.gap] if self.length else ""
        self.parts += (gap, text)
        self.length += len(gap) + len(text)
        self.gap = 0

    def words(self, text: str) -> None:
        if text[:1].isspace():
            self.wait(_SPACE)
        self.put(" ".join(text.split()))
        if text[-1:].isspace():
            self.wait(_SPACE)

    def display(self, equation: Display) -> None:
        self.wait(_LINE)
        self.put(equation.latex)
        if equation.latex:
            self.equations.append((equation, self.length - len(equation.latex), self.length))
        self.wait(_LINE)

    def block(self, text: str) -> None:
        lines = [line.rstrip() for line in text.strip("\n").expandtabs(4).splitlines()]
        self.wait(_PARAGRAPH)
        self.put("\n".join(line for line in lines if line))
        self.wait(_PARAGRAPH)
