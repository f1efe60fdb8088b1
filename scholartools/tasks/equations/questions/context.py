"""The text around an equation: words on each side, without the equation and with its restatements masked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault
from scholartools.tasks.equations.certificates.canonical import canonical, spell
from scholartools.tasks.equations.questions.shortcuts import Tokens, list_runs, option_tokens
from scholartools.tasks.equations.trees.meaning import Meaning, gather
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.tree import Node, Unread
from scholartools.tasks.equations.trees.typesetting import typeset

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

Record = dict[str, Any]

MASK = "[masked equation]"
TELLS = "tells options apart"
_LEAST = 5  # minimum number of tokens or leaves of a repeated side that is masked
_MORE = 2  # maximum number of further letters and numbers in a masked formula that has all those of the equation
_LAYOUT = frozenset("\\frac \\left \\right \\cdot \\times".split())
_INLINE = re.compile(r"(?<!\\)\$[^$]+(?<!\\)\$")
_PARTING = ("\\\\", "\\quad", "\\qquad")  # separators of statements that are separate equations
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Formula:
    """A formula at ``text[start:end]`` of a text of the paper; the span of an inline one includes dollar signs."""

    source: str
    start: int
    end: int
    latex: str
    display: bool


def texts_of(paper: PaperRecord) -> list[tuple[str, str, str]]:
    """Name, heading and text of the abstract and of each section, in order."""
    found = [("abstract", "Abstract", paper["abstract"])] if paper.get("abstract") else []
    for section in paper.get("sections") or ():
        heading = " ".join(part for part in (section.get("number"), section.get("heading")) if part)
        found.append((section["id"], heading, section["text"]))
    return found


def find_formulas(paper: PaperRecord) -> list[Formula]:
    """The formulas in the texts of a paper, in the order of text names and offsets.

    Raises:
        InputFault: the span of an equation does not match its LaTeX.
    """
    texts = {name: text for name, _, text in texts_of(paper)}
    found = []
    for equation in paper.get("equations") or ():
        span = equation["span"]
        if texts.get(span["in"], "")[span["start"] : span["end"]] != equation["latex"]:
            raise InputFault(f'the span of equation "{equation["id"]}" does not name its LaTeX', kind="invalid-key")
        found.append(Formula(span["in"], span["start"], span["end"], equation["latex"], True))
    displays = {name: bytearray(len(text)) for name, text in texts.items()}
    for one in found:
        if one.latex:
            displays[one.source][one.start : one.end] = b"\1" * len(one.latex)
    for name, text in texts.items():
        for match in _INLINE.finditer(text):
            if not any(displays[name][match.start() : match.end()]):
                found.append(Formula(name, match.start(), match.end(), match[0].strip("$"), False))
    return sorted(found, key=lambda one: (one.source, one.start))


def split_statements(equation: Record) -> list[Record]:
    """Split an equation at line breaks, wide spaces or words between statements into separate equations.

    Statements that are separated only by commas stay together, because a side may be a list.

    Returns:
        the equation itself if it has only one part or cannot be parsed.
    """
    latex, span = equation["latex"], equation["span"]
    try:
        statements = parse(latex).statements
    except Unread:
        return [equation]
    groups: list[list[Node]] = []
    for one in statements:
        parted = not groups or "words" in (one.kind, groups[-1][-1].kind)
        if parted or any(mark in latex[groups[-1][-1].end : one.start] for mark in _PARTING):
            groups.append([one])
        else:
            groups[-1].append(one)
    if len(groups) < 2:
        return [equation]
    places = [(group[0].start, group[-1].end) for group in groups]
    return [
        {
            **equation,
            "id": f"{equation['id']}.{number}",
            "latex": latex[start:end],
            "span": {**span, "start": span["start"] + start, "end": span["start"] + end},
        }
        for number, (start, end) in enumerate(places, 1)
    ]


def place_statements(formulas: Sequence[Formula], display: Record, parts: Sequence[Record]) -> list[Formula]:
    """Replace a display among the formulas of a paper by its parts; text between parts belongs to the part before."""
    source, first = display["span"]["in"], display["span"]["start"]
    starts = [first, *(part["span"]["start"] for part in parts[1:]), display["span"]["end"]]
    placed = [Formula(source, start, end, part["latex"], True) for start, end, part in zip(starts, starts[1:], parts)]
    at = next(at for at, one in enumerate(formulas) if one.display and (one.source, one.start) == (source, first))
    return [*formulas[:at], *placed, *formulas[at + 1 :]]


@lru_cache(maxsize=2048)
def sides_of(latex: str) -> tuple[set[str], set[str]]:
    """The statements of a formula and their longer sides, as canonical texts."""
    try:
        statements = parse(latex).statements
        evidence = gather(statements)
        meanings = [Meaning(evidence, statement).read(statement) for statement in statements]
    except Unread:
        return set(), set()
    whole = {spell(canonical(one)) for one in meanings if one.kind == "relation"}
    sides = {
        spell(canonical(side))
        for one in meanings
        for side in (one.parts if one.kind == "relation" else (one,))
        if sum(not one.parts for one in side.walk()) >= _LEAST
    }
    return whole, sides


@lru_cache(maxsize=2048)
def names_of(latex: str) -> tuple[str, ...]:
    """The letters of a formula with and without their scripts, typeset."""
    try:
        written = typeset(latex)
        nodes = [node for statement in parse(written).statements for node in statement.walk()]
    except Unread:
        return ()
    scripted = [node for node in nodes if node.kind == "scripts" and node.parts[0].kind == "symbol"]
    plain = [node.parts[0] for node in scripted] + [node for node in nodes if node.kind == "symbol" and node.end]
    return tuple(dict.fromkeys(written[node.start : node.end] for node in [*scripted, *plain]))


def find_restatement(formula: Formula, own: tuple[set[str], set[str]], tokens: Tokens) -> str | None:
    """Why a formula must be masked in the context of an equation; None if it need not be.

    Args:
        own: :func:`sides_of` of the equation.
        tokens: tokens of the equation.

    Returns:
        "restated": the formula repeats or contains the equation, or repeats one of its longer sides; "same names": it
        has all letters and numbers of the equation and few more, such as its terms in another order.
    """
    whole, sides = sides_of(formula.latex)
    if own[0] & whole or own[1] & sides:
        return "restated"
    if len(tokens) < _LEAST:
        return None  # too short for the conditions below
    written = option_tokens(formula.latex)
    if f" {' '.join(tokens)} " in f" {' '.join(written)} ":
        return "restated"
    names, others = _count_names(tokens), _count_names(written)
    has_all = names.total() >= _LEAST and names <= others and others.total() <= names.total() + _MORE
    return "same names" if has_all else None


@lru_cache(maxsize=2048)
def _count_names(tokens: Tokens) -> Counter[str]:
    """Counts of letters and numbers among tokens; cached, must not be modified."""
    return Counter(token for token in tokens if token[-1].isalnum() and token not in _LAYOUT)


def make_context(pieces: Pieces, equation: Record, words: int, telling: frozenset[Tokens] = frozenset()) -> Record:
    """Make the context: ``before``, ``after``, their numbers of ``words``, and the ``masked`` spans in them.

    Args:
        pieces: pieces of the paper.
        telling: n-grams whose formulas are masked.
    """
    span = equation["span"]
    own, tokens = sides_of(equation["latex"]), option_tokens(equation["latex"])
    at = pieces.find(span["in"], span["end"])
    masked: list[Record] = []

    def mask_piece(piece: tuple[str, Any, Formula | None]) -> str:
        text, _, formula = piece
        if formula is None:
            return text
        why = find_restatement(formula, own, tokens) or (
            None if telling.isdisjoint(list_runs(formula.latex)) else TELLS
        )
        if why is None:
            return text
        masked.append({"in": formula.source, "start": formula.start, "end": formula.end, "why": why})
        return f" {MASK} " if formula.display else MASK

    before = _take(map(pieces.all.__getitem__, range(at - 1, -1, -1)), mask_piece, words, backwards=True)
    after = _take(map(pieces.all.__getitem__, range(at + 1, len(pieces.all))), mask_piece, words, backwards=False)
    counts = [len(before.split()), len(after.split())]
    masked.sort(key=lambda one: (one["in"], one["start"]))
    return {"before": before, "after": after, "words": counts, "masked": masked}


class Pieces:
    """The texts of a paper in pieces, shared by all its equations.

    Attributes:
        all: the pieces in order: text, location and formula (None for other pieces).
    """

    def __init__(self, paper: Record, formulas: Sequence[Formula]) -> None:
        self.all = list(_pieces(paper, formulas))
        self._ends: dict[str, list[int]] = {}
        self._places: dict[str, list[int]] = {}
        for place, (_, _, formula) in enumerate(self.all):
            if formula is not None:
                ends = self._ends.setdefault(formula.source, [])
                ends.append(max(formula.end, *ends[-1:]) if ends else formula.end)
                self._places.setdefault(formula.source, []).append(place)

    def find(self, source: str, end: int) -> int:
        """The index of the first formula of a text that ends at an offset or after it."""
        # Running maxima of the ends are sorted; the first that reaches ``end`` is the end of the formula itself.
        return self._places[source][bisect_left(self._ends[source], end)]


def _pieces(paper: PaperRecord, formulas: Sequence[Formula]) -> Iterator[tuple[str, Any, Formula | None]]:
    """Yield the texts of a paper in pieces: headings, prose and formulas, with brackets around displays."""
    by_source: dict[str, list[Formula]] = {}
    for formula in formulas:
        by_source.setdefault(formula.source, []).append(formula)
    for name, heading, text in texts_of(paper):
        yield f"\n\n{heading}\n\n", None, None
        place = 0
        for formula in by_source.get(name, ()):
            yield text[place : formula.start], None, None
            shown = f" \\[ {formula.latex} \\] " if formula.display else text[formula.start : formula.end]
            yield shown, (name, formula.start, formula.end), formula
            place = formula.end
        yield text[place:], None, None


def _take(pieces: Any, mask: Any, words: int, *, backwards: bool) -> str:
    """Join the pieces nearest to the equation up to a number of words."""
    texts: list[str] = []
    count = 0
    for piece in pieces:
        if count >= words:
            break
        text = mask(piece)
        count += len(text.split())
        texts.append(text)
    joined = "".join(reversed(texts)) if backwards else "".join(texts)
    found = list(_WORD.finditer(joined))
    if len(found) > words:
        joined = joined[found[-words].start() :] if backwards else joined[: found[words - 1].end()]
    return joined.strip() if words else ""
