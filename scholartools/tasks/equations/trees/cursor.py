"""A position in a sequence of items, with lookahead for the parser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tokens import Group, Item, Token
from scholartools.tasks.equations.trees.tree import Unread

# Signs after which an operand must follow.
_WAITING = v.RELATIONS | v.SIGNS | v.LOOSE_OPERATORS | v.TIGHT_OPERATORS | {"/", "\\cdot", ",", ";", "|", "\\mid"}
_CONTINUING = v.RELATIONS | v.LOOSE_OPERATORS | v.TIGHT_OPERATORS | {"/", "\\cdot", ")", "]", "\\}"}


@dataclass
class Reading:
    """State shared by all cursors of one formula.

    Attributes:
        choices: kinds of ambiguity for which the less usual reading is taken, or single places of such.
        doubts: kinds of ambiguity that occurred, each with its places.
        integrals: number of enclosing integrals, in which ``dx`` is a differential.
        innermost: whether the innermost integral has one variable.
    """

    choices: frozenset[str] = frozenset()
    doubts: dict[str, set[str]] = field(default_factory=dict)
    integrals: int = 0
    innermost: bool = False


class Cursor:
    """A position in a sequence of items; skips row and column separators that do not end a statement.

    Attributes:
        reading: state shared by all cursors of a formula.
        nested: whether the items are within brackets, where a new row does not start a statement.
        script: whether the items are a subscript or superscript, in which operators may have no operands.
    """

    def __init__(self, items: Sequence[Item], reading: Reading, *, nested: bool, script: bool = False) -> None:
        self.items = items
        self.reading = reading
        self.nested = nested
        self.script = script
        self.place = 0
        self.closers: list[frozenset[str]] = []
        self.until_big = False  # a product ends where the next big operator begins
        self.related = False  # a relation has been read in this statement

    def choose(self, doubt: str) -> bool:
        """Record an ambiguity at this position; return whether to take the less usual reading."""
        item = self.peek()
        last = self.items[-1].end if self.items else 0  # brackets and scripts have an end of their own
        here = f"{doubt} at {item.start if item is not None else f'the end at {last}'}"
        self.reading.doubts.setdefault(doubt, set()).add(here)
        return doubt in self.reading.choices or here in self.reading.choices

    def peek(self) -> Item | None:
        """The next item, or None at the end."""
        while self.place < len(self.items):
            item = self.items[self.place]
            if isinstance(item, Token):
                if (item.kind == "row" or item.text == "&") and _is_break(item) and not self._ends(item):
                    self.place += 1
                elif item.text == "||" and not item.kind:
                    self._replace(self._bars(item))
                else:
                    return item
            elif item.kind == "braces" and self._is_loose(item):
                self._replace(item.items)
            else:
                return item
        return None

    def _replace(self, items: Sequence[Item]) -> None:
        """Replace the next item by other items."""
        self.items = [*self.items[: self.place], *items, *self.items[self.place + 1 :]]

    def _bars(self, item: Token) -> list[Item]:
        """The tokens of ``||``: one double bar, or two single bars if the first one closes an absolute value."""
        before = self.items[self.place - 1] if self.place else None
        if "|" in self.closing() and before is not None and sign(before) not in _WAITING | set(v.OPENING):
            middle = item.start + 1
            return [Token("|", "", item.start, middle), Token("|", "", middle, item.end)]
        return [Token("\\|", "", item.start, item.end)]

    def closing(self) -> frozenset[str]:
        """The signs that close the innermost open bracket."""
        return self.closers[-1] if self.closers else frozenset()

    def next(self) -> Item:
        """Consume and return the next item."""
        item = self.peek()
        if item is None:
            raise Unread("incomplete", "an operand or an argument is missing at the end")
        self.place += 1
        return item

    def sign(self) -> str:
        """The text of the next item if it is a sign, else an empty string."""
        return sign(self.peek())

    def take(self, *signs: str) -> bool:
        """Consume the next item if it is one of the given signs; return whether it was."""
        if self.sign() in signs:
            self.place += 1
            return True
        return False

    def next_whole(self) -> Item:
        """Consume and return the next item without removing its braces."""
        while self.place < len(self.items) and _is_break(self.items[self.place]):
            self.place += 1
        if self.place == len(self.items):
            raise Unread("incomplete", "an operand or an argument is missing at the end")
        self.place += 1
        return self.items[self.place - 1]

    def take_argument(self) -> tuple[Item, ...]:
        """Consume the next argument and return its items, without braces."""
        item = self.next_whole()
        return item.items if isinstance(item, Group) and item.kind == "braces" else (item,)

    def ends_at_row(self) -> bool:
        """Whether the next item is a row or column separator that ends the statement."""
        item = self.peek()
        return isinstance(item, Token) and (item.kind == "row" or sign(item) == "&")

    def _ends(self, item: Token) -> bool:
        """Whether a row or column separator ends the statement."""
        if self.nested or self.script:
            return False
        before = next((one for one in reversed(self.items[: self.place]) if not _is_break(one)), None)
        after = self.place + 1
        while after < len(self.items) and (_is_break(self.items[after]) or _is_empty(self.items[after])):
            after += 1
        if before is None or after == len(self.items) or sign(before) in _WAITING:
            return False
        rows = any(isinstance(one, Token) and one.kind == "row" for one in self.items[self.place : after])
        following = sign(self.items[after])
        if following in _CONTINUING:
            return False
        if following in v.SIGNS:
            return rows and self._states_anew(after)
        return rows or self.related

    def _states_anew(self, place: int) -> bool:
        """Whether a row that begins with a plus or minus is a new statement: a left side, ``&`` and a relation."""
        for index in range(place, len(self.items)):
            item = self.items[index]
            if isinstance(item, Token) and item.kind == "row":
                return False
            if sign(item) == "&" and index + 1 < len(self.items):
                return sign(self.items[index + 1]) in v.RELATIONS
        return False

    def _is_loose(self, group: Group) -> bool:
        """Whether braces can be removed, because their content is not a complete expression."""
        items = group.items
        following = self.items[self.place + 1] if self.place + 1 < len(self.items) else None
        if not items:
            return sign(following) not in ("^", "_")
        if len(items) == 1:
            return True
        scripted = len(items) > 1 and sign(items[-2]) in ("^", "_")
        if sign(items[0]) in ("^", "_", "'") or sign(items[0]) in _LONELY - v.SIGNS:
            return True
        if sign(items[-1]) in _LONELY and not scripted:
            return True
        return any(sign(item) in _SPLITTING or _is_break(item) for item in items) or not _is_balanced(items)


_LONELY = _WAITING - v.BARS
_SPLITTING = v.RELATIONS | {",", ";"}


def _is_empty(item: Item) -> bool:
    return isinstance(item, Group) and item.kind == "braces" and not item.items


def _is_break(item: Item) -> bool:
    return isinstance(item, Token) and (item.kind == "row" or sign(item) == "&")


def _is_balanced(items: Sequence[Item]) -> bool:
    """Whether as many brackets open as close, and bars are even in number."""
    counts = Counter(sign(item) for item in items)
    opening = sum(counts[one] for one in v.OPENING)
    return opening == sum(counts[one] for one in v.CLOSING) and not any(counts[bar] % 2 for bar in v.BARS)


def bar_side(item: Item | None) -> str:
    """``open`` or ``close`` for an explicitly opening or closing bar, else an empty string."""
    if isinstance(item, Token) and item.text in v.BARS and item.kind in ("open", "close"):
        return item.kind
    return ""


def sign(item: Item | None) -> str:
    """The text of a sign or delimiter; empty for words, names, numbers and groups."""
    if isinstance(item, Token) and (not item.kind or item.kind in ("open", "close", "sized")):
        return item.text
    return ""
