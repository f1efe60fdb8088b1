"""What is written while a source is read, and how it becomes text once every label and citation is known."""

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
    """Text that is known only at the end: a reference to a label, a citation."""

    command: str
    keys: tuple[str, ...]
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class InlineMath:
    """Mathematics in a line, as LaTeX without its dollar signs."""

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
    """A place of no width: where a part of a reference begins."""

    name: str


Atom = str | Break | LateText | InlineMath | Display | Block | Mark


@dataclass
class Sink:
    """Where text goes: atoms in order.

    Attributes:
        kept: false for what a reader of the paper does not read as text.
        around: the text that display equations go to, if any: of what is in a float, the one that the float is in.
        left_out: takes the words that a reader of the paper would miss, where they are counted.
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
        """Add what follows the paragraph, whose sentences go on."""
        text = self.around or self
        text._floated += (*atoms, PARAGRAPH)

    def inner(self, name: str, left_out: list[str] | None = None, *, kept: bool = False) -> Sink:
        """A sink for what is no text of this one but may hold display equations of it."""
        around = self.around or (self if self.kept else None)
        if left_out:
            left_out.append(" ")
        return Sink(name, kept=kept, around=around, left_out=left_out if around is not None else None)

    def has_text(self) -> bool:
        return any(atom != " " and not isinstance(atom, Break) for atom in self.atoms)

    def settle(self) -> None:
        """Add what floats: the paragraph ends here, or the text."""
        if self._floated:
            self.atoms += (PARAGRAPH, *self._floated)
            self._floated.clear()


@dataclass
class Rendered:
    """Text with what it contains: equations and marks, each with where it begins (and ends)."""

    text: str
    equations: list[tuple[Display, int, int]]
    marks: list[tuple[str, int]]


def render(
    sink: Sink, resolve: Callable[[LateText], str], *, math: Callable[[str], str] = lambda latex: f"${latex}$"
) -> Rendered:
    """The text of a sink: words apart by one space, paragraphs by an empty line, display equations on their own lines.

    Args:
        resolve: the text of a reference or a citation.
        math: the text of mathematics in a line.
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
    """Text being set; a gap is written only when something follows it, so that none begins or ends the text."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.gap = 0
        self.equations: list[tuple[Display, int, int]] = []
        self.marks: list[tuple[str, int]] = []

    def atom(self, atom: Atom, resolve: Callable[[LateText], str], math: Callable[[str], str]) -> None:
        """Set what is not plain text."""
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
