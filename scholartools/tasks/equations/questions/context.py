"""The text around an equation: some words on each side, the equation cut out, what restates it masked."""

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
_LEAST = 5  # tokens of a side that is masked where it occurs again
_MORE = 2  # letters and numbers by which a formula with all those of an equation may be longer, to be masked
_LAYOUT = frozenset("\\frac \\left \\right \\cdot \\times".split())
_INLINE = re.compile(r"(?<!\\)\$[^$]+(?<!\\)\$")
_PARTING = ("\\\\", "\\quad", "\\qquad")  # what is between statements that are equations of their own
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Formula:
    """A formula in a text of the paper: ``text[start:end]``; a display has no dollar signs around it."""

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
    """The formulas of the texts of a paper, in the order of their places.

    Raises:
        InputFault: the span of an equation does not name its LaTeX.
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
    """The statements of an equation that line breaks, wide spaces or words part, as equations of their own.

    Statements that commas alone part stay together: they may be one, of which a list is a side.

    Returns:
        the equation itself where it has but one part, or cannot be read.
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
    """The formulas of a paper with the parts of a display in its place; signs between parts go with the one before."""
    source, first = display["span"]["in"], display["span"]["start"]
    starts = [first, *(part["span"]["start"] for part in parts[1:]), display["span"]["end"]]
    placed = [Formula(source, start, end, part["latex"], True) for start, end, part in zip(starts, starts[1:], parts)]
    at = next(at for at, one in enumerate(formulas) if one.display and (one.source, one.start) == (source, first))
    return [*formulas[:at], *placed, *formulas[at + 1 :]]


@lru_cache(maxsize=2048)
def sides_of(latex: str) -> tuple[set[str], set[str]]:
    """The statements of a formula, and their sides of some length, each in a form that can be compared."""
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
    """The letters with scripts in a formula, typeset."""
    try:
        written = typeset(latex)
        nodes = [node for statement in parse(written).statements for node in statement.walk()]
    except Unread:
        return ()
    scripted = [node for node in nodes if node.kind == "scripts" and node.parts[0].kind == "symbol"]
    plain = [node.parts[0] for node in scripted] + [node for node in nodes if node.kind == "symbol" and node.end]
    return tuple(dict.fromkeys(written[node.start : node.end] for node in [*scripted, *plain]))


def find_restatement(formula: Formula, own: tuple[set[str], set[str]], tokens: Tokens) -> str | None:
    """Why a formula must not be shown beside an equation; None where it may.

    Args:
        own: what :func:`sides_of` tells of the equation.
        tokens: of the equation.

    Returns:
        "restated": it states the equation again, or one of its longer sides, or holds it; "same names": it has all its
        letters and numbers and few more, that is its terms in another order.
    """
    whole, sides = sides_of(formula.latex)
    if own[0] & whole or own[1] & sides:
        return "restated"
    if len(tokens) < _LEAST:
        return None  # nothing that is asked below holds of so few
    written = option_tokens(formula.latex)
    if f" {' '.join(tokens)} " in f" {' '.join(written)} ":
        return "restated"
    names, others = _count_names(tokens), _count_names(written)
    has_all = names.total() >= _LEAST and names <= others and others.total() <= names.total() + _MORE
    return "same names" if has_all else None


@lru_cache(maxsize=2048)
def _count_names(tokens: Tokens) -> Counter[str]:
    """How often each letter and number occurs among some tokens; not to be changed."""
    return Counter(token for token in tokens if token[-1].isalnum() and token not in _LAYOUT)


def make_context(pieces: Pieces, equation: Record, words: int, telling: frozenset[Tokens] = frozenset()) -> Record:
    """``before``, ``after``, their ``words``, and the spans that are ``masked`` within what is shown.

    Args:
        pieces: of the paper.
        telling: runs of tokens that no formula may show.
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
    """The texts of a paper in pieces, made once for all its equations.

    Attributes:
        all: the pieces in order: text, place and formula, if it is one.
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
        """The place of the first formula that ends where a part of it does, or behind."""
        # Of the largest end so far the first that reaches the part's is its own.
        return self._places[source][bisect_left(self._ends[source], end)]


def _pieces(paper: PaperRecord, formulas: Sequence[Formula]) -> Iterator[tuple[str, Any, Formula | None]]:
    """The texts of a paper in pieces: headings, prose, formulas; displays within their brackets."""
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
    """Pieces up to a number of words, those nearest to the equation."""
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
