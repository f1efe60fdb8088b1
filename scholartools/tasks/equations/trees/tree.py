"""The tree of a formula, with the place of each part in the LaTeX."""

from __future__ import annotations

from dataclasses import dataclass, field


class Unread(Exception):
    """A formula that cannot be read whole; the reason is one line for people, and begins with a stable kind."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.reason = str(self)


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A part of a formula.

    Attributes:
        kind: what it is, e.g. ``add``, ``symbol``, ``fraction``.
        value: its name, sign or number.
        parts: what it is made of.
        start: where it begins in the LaTeX (code points); not compared.
        end: where it ends, exclusive; not compared.
        needs: the letters and calls whose value it needs, kept by probes; not compared.
    """

    kind: str
    value: str = ""
    parts: tuple[Node, ...] = ()
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    needs: frozenset[Node] | None = field(default=None, init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)
    _within: tuple[Node, ...] = field(init=False, repr=False, compare=False)

    def walk(self) -> tuple[Node, ...]:
        """This node and all within it, outer ones first; what is within is kept, for trees are gone through often."""
        try:
            return (self, *self._within)
        except AttributeError:
            found: list[Node] = []
            for part in self.parts:
                found += part.walk()
            object.__setattr__(self, "_within", tuple(found))  # without itself, which would be a cycle
            return (self, *found)

    def __eq__(self, other: object) -> bool:
        """Of kind, value and parts; most of what differs does so in its value, which is compared first."""
        if self is other:
            return True
        if not isinstance(other, Node):
            return NotImplemented
        return self.value == other.value and self.kind == other.kind and self.parts == other.parts

    def __hash__(self) -> int:
        """Of kind, value and parts, kept: trees are looked up often."""
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash((self.kind, self.value, self.parts)))
            return self._hash


EMPTY = Node("empty")


def join(kind: str, value: str, parts: list[Node], start: int | None = None, end: int | None = None) -> Node:
    """A node over some parts, whose place is theirs unless it is given."""
    placed = [part for part in parts if part.end]
    first = start if start is not None else (placed[0].start if placed else 0)
    last = end if end is not None else (placed[-1].end if placed else 0)
    return Node(kind, value, tuple(parts), first, last)
