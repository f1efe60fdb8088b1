"""Build running text from pieces of markup: paragraphs, white space, and formulas with their offsets."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_CLOSED = frozenset(".:!?…")
_SIGNS = frozenset("+−-–")


@dataclass(frozen=True)
class Formula:
    """A display formula in LaTeX: ``text[start:end]`` of its prose."""

    start: int
    end: int
    latex: str
    label: str | None


class Prose:
    """A text built piece by piece.

    White space is collapsed; paragraphs are one line each, with an empty line between them. A superscript or subscript
    number right after a digit keeps a mark, because "10" with a raised "5" is not 105.
    """

    def __init__(self) -> None:
        self.formulas: list[Formula] = []
        self._parts: list[str] = []
        self._length = 0
        self._space = False
        self._break = False
        self._held = False
        self._after_formula = False
        self._mark = ""

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._parts)

    def write(self, text: str | None) -> None:
        """Add text to the paragraph; without white space between them, it continues the last word."""
        if not text:
            return
        words = text.replace("\u00ad", "").split()
        self._space = self._space or text[0].isspace()
        if words:
            self._put_piece(unicodedata.normalize("NFC", " ".join(words)))
            self._space = text[-1].isspace()

    def space(self) -> None:
        """End the word."""
        self._space = True

    def paragraph(self) -> None:
        """End the paragraph."""
        if not self._held:
            self._break = True

    def item(self, mark: str) -> None:
        """Begin a paragraph with the mark of a list item; the next piece continues its line."""
        self.paragraph()
        if mark:
            self._put_piece(mark)
            self._space = self._held = True

    def shift(self, mark: str) -> None:
        """Mark the next piece as superscript ("^") or subscript ("_"); the mark is written only between numbers."""
        self._mark = mark

    def formula(self, text: str, *, latex: str | None = None, label: str | None = None) -> None:
        """Add a display formula without breaking the sentence around it; ``text`` is its form in the running text."""
        if self._break and self._last and self._last not in _CLOSED:
            self._break = False
        self._space = True
        self._put_piece(text)
        if latex is not None:
            self.formulas.append(Formula(self._length - len(text), self._length, latex, label))
        if label:
            self._space = True
            self._put_piece(label)
        self._space = self._after_formula = True

    @property
    def _last(self) -> str:
        return self._parts[-1][-1] if self._parts else ""

    def _put_piece(self, piece: str) -> None:
        goes_on = self._after_formula and (piece[0].islower() or piece[0] in ",;.")
        if self._break and self._length and not goes_on:
            self._add_piece("\n\n")
        elif (self._space or self._break) and self._length and not (self._after_formula and piece[0] in ",;."):
            self._add_piece(" ")
        elif self._mark and self._last.isdigit() and (piece[0].isdigit() or piece[0] in _SIGNS):
            self._add_piece(self._mark)
        self._add_piece(piece)
        self._space = self._break = self._held = self._after_formula = False
        self._mark = ""

    def _add_piece(self, piece: str) -> None:
        self._parts.append(piece)
        self._length += len(piece)


def closes_sentence(text: str) -> bool:
    """Whether a text ends with the punctuation of a sentence or a label."""
    return text[-1:] in _CLOSED


def with_label(label: str, text: str) -> str:
    """Join a label and a text: ``Figure 1: text``; final punctuation of the label is kept instead of the colon."""
    if not label or not text:
        return label or text
    return f"{label} {text}" if closes_sentence(label) else f"{label}: {text}"
