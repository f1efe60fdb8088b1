"""Running text put together from pieces of markup: paragraphs, white space, formulas with their places."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_OPENERS = frozenset("([{“‘«¿¡/–—‑-")
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
    """Text that grows piece by piece.

    White space is collapsed; paragraphs are one line each, with an empty line between them. Text that a printer raises
    right after a digit keeps a mark, because "10" with a raised "5" is not 105.
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
        """What has been written."""
        return "".join(self._parts)

    def write(self, text: str | None) -> None:
        """Add text to the paragraph; a word may go on where the last piece ended."""
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
        """Begin a paragraph with the mark of a list item; what follows stays beside it."""
        self.paragraph()
        if mark:
            self._put_piece(mark)
            self._space = self._held = True

    def shift(self, mark: str) -> None:
        """Say that the next piece is raised ("^") or lowered ("_"): the mark is written between two numbers."""
        self._mark = mark

    def formula(self, text: str, *, latex: str | None = None, label: str | None = None) -> None:
        """Add a display formula; the sentence it is in goes on around it."""
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
    """Whether a text ends as a sentence or a label does."""
    return text[-1:] in _CLOSED


def with_label(label: str, text: str) -> str:
    """A label and what it comes before: ``Figure 1: text``; the label's own punctuation is kept."""
    if not label or not text:
        return label or text
    return f"{label} {text}" if closes_sentence(label) else f"{label}: {text}"
