"""The tree of a formula, whose nodes have spans in the LaTeX."""

from __future__ import annotations

from dataclasses import dataclass, field


class Unread(Exception):
    """A formula that cannot be parsed completely; the reason is one line of text that begins with a stable kind."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.reason = str(self)


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node of a formula's tree.

    Attributes:
        kind: type of the node, e.g. ``add``, ``symbol``, ``frac``.
        value: name, sign or number.
        parts: child nodes.
        start: start offset in the LaTeX, in code points; ignored by comparison.
        end: end offset, exclusive; ignored by comparison.
        needs: letters and calls on whose values the node depends, cached by probes; ignored by comparison.
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
        """This node and its descendants in preorder; the descendants are cached, because trees are traversed often."""
        try:
            return (self, *self._within)
        except AttributeError:
            found: list[Node] = []
            for part in self.parts:
                found += part.walk()
            object.__setattr__(self, "_within", tuple(found))  # without the node itself: a reference cycle
            return (self, *found)

    def __eq__(self, other: object) -> bool:
        """Compare kind, value and parts; the value first, because unequal nodes mostly differ in it."""
        if self is other:
            return True
        if not isinstance(other, Node):
            return NotImplemented
        return self.value == other.value and self.kind == other.kind and self.parts == other.parts

    def __hash__(self) -> int:
        """Hash of kind, value and parts, cached because trees are often dictionary keys."""
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash((self.kind, self.value, self.parts)))
            return self._hash


EMPTY = Node("empty")


def join(kind: str, value: str, parts: list[Node], start: int | None = None, end: int | None = None) -> Node:
    """Make a node; its span is that of its parts unless ``start`` and ``end`` are given."""
    placed = [part for part in parts if part.end]
    first = start if start is not None else (placed[0].start if placed else 0)
    last = end if end is not None else (placed[-1].end if placed else 0)
    return Node(kind, value, tuple(parts), first, last)
