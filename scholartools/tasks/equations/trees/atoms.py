"""Parse the atoms of a formula: letters, brackets, fractions, roots, matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.cursor import Cursor, sign
from scholartools.tasks.equations.trees.tokens import Group, Item, Token
from scholartools.tasks.equations.trees.tree import (
    EMPTY,
    Node,
    Unread,
    join,
)

_PLAIN = frozenset('?"`@.')
# Means and parts of numbers: a power after their round brackets, but not after square ones, may be within.
_RAISED_IN_ROUND_BRACKETS = frozenset(["\\mathbb{E}", "\\mathbf{E}", "\\mathrm{E}", "E", "\\Re", "\\Im"])


class Atoms(Cursor):
    """Parses one atom with its scripts."""

    def expression(self) -> Node:
        """Parse a sum; implemented by the subclass."""
        raise NotImplementedError

    def content(self) -> Node:
        """Parse the content of brackets: a list of relations; implemented by the subclass."""
        raise NotImplementedError

    def starts_factor(self) -> bool:
        """Whether the next item continues a product; implemented by the subclass."""
        raise NotImplementedError

    def factor(self) -> Node:
        """Parse an atom with scripts, primes and factorials; a bracket after a letter becomes a node ``maybe``."""
        start = self._start()
        node = self._take_factorial(self.scripts(self.atom(), start), start)
        if _can_be_called(node) and self._opens_bracket():
            return self._call(node, start)
        return node

    def _take_factorial(self, node: Node, start: int) -> Node:
        marks = ""
        while self.take("!"):
            marks += "!"
        return join("factorial", marks, [node], start, self._last()) if marks else node

    def _call(self, head: Node, start: int) -> Node:
        place = self._start()
        bracket = self._take_factorial(self.scripts(self.atom(), place), place)
        if _may_raise_argument(head, bracket) and self.choose("raised argument"):
            bracket = join("bracket", "()", [bracket])
        return join("maybe", "", [head, bracket], start, self._last())

    def _opens_bracket(self) -> bool:
        item = self.peek()
        if isinstance(item, Group):
            return item.kind == "fence" and item.opening in ("(", "[", "\\{")
        return sign(item) in ("(", "[", "\\{") and sign(item) not in self.closing()

    def scripts(self, base: Node, start: int) -> Node:
        """Parse the scripts after a base."""
        lower = upper = EMPTY
        primes = ""
        while True:
            if self.take("'"):
                primes += "'"
            elif self.take("_"):
                if lower is not EMPTY:
                    raise Unread("double subscript")
                lower = self.script_argument()
            elif self.take("^"):
                script = self.script_argument()
                is_applied = self._opens_bracket() or self.sign() == "_"
                if is_applied and script.kind == "name" and f"\\{script.value}" in v.FUNCTIONS:
                    raise Unread("incomplete", "a function in a script, with its argument behind it")
                if script.kind == "primes":
                    primes += script.value
                elif upper is not EMPTY:
                    raise Unread("double superscript")
                else:
                    upper = script
            else:
                break
        if lower is EMPTY and upper is EMPTY and not primes:
            return base
        return join("scripts", primes, [base, lower, upper], start, self._last())

    def script_argument(self) -> Node:
        """Parse the argument of a script."""
        item = self.next_whole()
        if isinstance(item, Token) and item.text in ("^", "_", "&") and not item.kind:
            raise Unread("incomplete", "a script without an argument")
        if isinstance(item, Token) and item.kind == "" and item.text in _TAKES_ARGUMENTS:
            self.place -= 1
            return self.atom()
        items = item.items if isinstance(item, Group) and item.kind == "braces" else (item,)
        if items and all(sign(one) == "'" for one in items):
            return Node("primes", "'" * len(items), (), item.start, item.end)
        mark = "".join(sign(one) for one in items)
        if items and all(sign(one) in v.MARKS for one in items):
            return Node("mark", mark, (), item.start, item.end)
        if not items:
            return Node("symbol", "{}", (), item.start, item.end)
        return self.inside(items, script=True)

    def inside(self, items: Sequence[Item], *, script: bool = False) -> Node:
        """Parse items as a complete expression or script."""
        inner = type(self)(items, self.reading, nested=True, script=script)
        node = inner.content() if script else inner.expression()
        inner.finish()
        return node

    def finish(self) -> None:
        """Check that all items have been consumed.

        Raises:
            Unread: an item is left over.
        """
        item = self.peek()
        if item is not None:
            raise Unread("unexpected", _name(item))

    def atom(self) -> Node:
        """Parse one atom."""
        item = self.next()
        if isinstance(item, Group):
            return self._group(item)
        text, place = item.text, (item.start, item.end)
        if item.kind == "number":
            return Node("number", text, (), *place)
        if item.kind in ("text", "name"):
            return Node(item.kind, text, (), *place)
        if text in v.OPENING or (text == "|" or text == "\\|"):
            return self._bracket(text, item)
        if (len(text) == 1 and text.isalpha() and text.isascii()) or text in v.LETTERS or text in _PLAIN - {"."}:
            return Node("symbol", text, (), *place)
        if text == "\\arg" and self.sign() in ("\\min", "\\max"):
            after = self.next()
            return Node("name", "arg" + sign(after)[1:], (), item.start, after.end)
        if text in v.FUNCTIONS or text in v.LIMIT_FUNCTIONS:
            return Node("name", text[1:], (), *place)
        if text in v.PREFIXES:
            return Node("symbol", text, (), *place)
        if text in _TAKES_ARGUMENTS:
            return self._command(text, item)
        if text in _PLACEHOLDERS and (self.script or (text == "\\cdot" and not self.starts_factor())):
            return Node("symbol", text, (), *place)
        known = (
            text in v.RELATIONS | v.SIGNS | v.LOOSE_OPERATORS | v.TIGHT_OPERATORS
            or not text.startswith("\\")
            or len(text) == 2
        )
        raise Unread("unexpected" if known else "unknown macro", _name(item))

    def _group(self, group: Group) -> Node:
        if group.kind == "fence":
            return self._fence(group)
        if group.kind == "environment":
            return self._environment(group)
        if not group.items:
            return Node("symbol", "{}", (), group.start, group.end)
        inner = self.inside(group.items)
        return Node("group", "", (inner,), group.start, group.end)

    def _fence(self, group: Group) -> Node:
        if group.opening == "." and group.closing in v.BARS:
            return Node("at", "", (self.inside(group.items),), group.start, group.end)
        inner = type(self)(group.items, self.reading, nested=True)
        if group.closing == "." and group.opening == "\\{":
            inner.nested = False
        node = inner.content() if group.items else EMPTY
        inner.finish()
        if group.opening == group.closing == ".":
            return Node("group", "", (node,), group.start, group.end)
        return Node("bracket", group.opening + group.closing, (node,), group.start, group.end)

    def _bracket(self, opening: str, item: Token) -> Node:
        bars = opening in v.BARS
        closers = frozenset(["\\rangle" if self._is_ket() else opening]) if bars else _closers(opening)
        self.closers.append(closers)
        nested, self.nested = self.nested, True
        node = EMPTY if self.sign() in closers and not bars else self.content()
        self.nested = nested
        self.closers.pop()
        closing = self.sign()
        if closing not in closers:
            raise Unread("brackets", f"{opening} without {v.OPENING.get(opening, opening)}")
        end = self.next().end
        return Node("bracket", opening + closing, (node,), item.start, end)

    def _command(self, name: str, item: Token) -> Node:
        """Parse a command with arguments."""
        if name in v.FONTS:
            return self._font(name, item)
        if name in v.TRANSPARENT:
            inner = type(self)(self.take_argument(), self.reading, nested=True)
            node = inner.content()
            inner.finish()
            return join("group", "", [node], item.start, self._last())
        if name in ("\\frac", "\\binom"):
            parts = [self.inside(self.take_argument()) for _ in range(2)]
            return join(name[1:], "", parts, item.start, self._last())
        if name in _LABELS:
            label = self.inside(self.take_argument(), script=True)
            base = self.inside(self.take_argument())
            if name != "\\underset" and base.kind not in _NAMED:
                return join("labelled", "", [base, label], item.start, self._last())
            scripts = [base, label, EMPTY] if name == "\\underset" else [base, EMPTY, label]
            return join("scripts", "", scripts, item.start, self._last())
        if name == "\\sqrt":
            return self._root(item)
        if name == "\\substack":
            return self._stack(item)
        if name in ("\\underbrace", "\\overbrace"):
            return join("braced", name, [self.inside(self.take_argument())], item.start, self._last())
        if name in ("\\pmod", "\\pod"):
            return join("function", name, [self.inside(self.take_argument())], item.start, self._last())
        if name == "\\mathop":
            return join("operator", "", [self.inside(self.take_argument())], item.start, self._last())
        return join("accent", name, [self.inside(self.take_argument())], item.start, self._last())

    def _stack(self, item: Token) -> Node:
        """Parse stacked lines as a list."""
        lines: list[list[Item]] = [[]]
        for one in self.take_argument():
            if isinstance(one, Token) and one.kind == "row":
                lines.append([])
            else:
                lines[-1].append(one)
        parts = [self.inside(line, script=True) for line in lines if line]
        return parts[0] if len(parts) == 1 else join("list", ",", parts, item.start, self._last())

    def _root(self, item: Token) -> Node:
        index = None
        if self.place < len(self.items) and sign(self.items[self.place]) == "[":
            self.place += 1
            inside: list[Item] = []
            while not self.take("]"):
                inside.append(self.next())
            index = self.inside(inside)
        argument = self.inside(self.take_argument())
        return join("root", "", [argument, index] if index else [argument], item.start, self._last())

    def _font(self, font: str, item: Token) -> Node:
        """Parse the argument of a font command: a name or symbols."""
        items = self.take_argument()
        letters = "".join(one.text if isinstance(one, Token) else "" for one in items)
        plain = all(
            isinstance(one, Token) and (one.kind == "number" or (len(one.text) == 1 and one.text not in "()[]|^_&,"))
            for one in items
        )
        end = self._last()
        if not items:
            return Node("symbol", "{}", (), item.start, end)
        if plain and letters and (len(items) == 1 or font in v.NAME_FONTS):
            if len(letters) == 1 or font not in v.NAME_FONTS or not letters[0].isalpha():
                return Node("symbol", f"{font}{{{letters}}}", (), item.start, end)
            known = f"\\{letters}" in v.FUNCTIONS | v.LIMIT_FUNCTIONS
            return Node("name" if known else "word", letters, (), item.start, end)
        inner = self.inside(items, script=True)
        return join("group", "", [_in_font(inner, font)], item.start, end)

    def _environment(self, group: Group) -> Node:
        name = group.opening
        if name in v.GRIDS or name in v.CASES or name == "subarray":
            return self._grid(group)
        if name not in v.ROW_WRAPPERS:
            raise Unread("unknown environment", name)
        inner = type(self)(group.items, self.reading, nested=False)
        parts = inner.statements()
        return parts[0] if len(parts) == 1 else Node("rows", "", tuple(parts), group.start, group.end)

    def statements(self) -> list[Node]:
        """Parse statements up to the end; implemented by the subclass."""
        raise NotImplementedError

    def _grid(self, group: Group) -> Node:
        kind = "cases" if group.opening in v.CASES else "matrix"
        rows = [self._cells(row) for row in _split(group.items, "row") if row]
        if not rows:
            raise Unread("unknown environment", f"{group.opening} without rows")
        name = group.opening.rstrip("*").replace("smallmatrix", "matrix").replace("array", "matrix")
        return Node(kind, name, tuple(rows), group.start, group.end)

    def _cells(self, row: Sequence[Item]) -> Node:
        cells = [self._cell(cell) for cell in _split(row, "&")]
        return join("row", "", cells)

    def _cell(self, items: Sequence[Item]) -> Node:
        if not items:
            return EMPTY
        inner = type(self)(items, self.reading, nested=True)
        parts = inner.statements()
        return parts[0] if len(parts) == 1 else join("rows", "", parts)

    def _start(self) -> int:
        item = self.peek()
        return item.start if item is not None else 0

    def _last(self) -> int:
        return self.items[self.place - 1].end if self.place else 0

    def _is_ket(self) -> bool:
        """Whether an opening bar has a closing angle bracket, as in a ket."""
        for item in self.items[self.place :]:
            text = sign(item)
            if text == "\\rangle":
                return True
            if text in v.BARS or text in v.OPENING or text in v.RELATIONS or text == ",":
                return False
        return False

    def bars_left(self, bar: str) -> int:
        """The number of bars from here to the end of the innermost open bracket."""
        depth = count = 0
        for item in self.items[self.place :]:
            text = sign(item)
            if text in v.OPENING:
                depth += 1
            elif text in v.CLOSING:
                depth -= 1
                if depth < 0:
                    break
            elif not depth and (text == "," or (isinstance(item, Token) and item.kind == "row")):
                break
            count += not depth and text in (bar, "||" if bar == "\\|" else bar)
        return count


# Operators that may have no operands in a script.
_PLACEHOLDERS = v.TIGHT_OPERATORS | v.LOOSE_OPERATORS | {":", "\\cdot", "-", "+", "/"}
_NAMED = frozenset(["name", "word", "operator"])  # bases that have a label as a limit
_LABELS = frozenset("\\overset \\underset \\stackrel \\accentset".split())
_TAKES_ARGUMENTS = (
    _LABELS
    | v.FONTS
    | v.TRANSPARENT
    | v.ACCENTS
    | frozenset("\\frac \\binom \\sqrt \\substack \\underbrace \\overbrace \\mathop \\pmod \\pod".split())
)


def _closers(opening: str) -> frozenset[str]:
    return frozenset([")", "]"]) if opening in "([" else frozenset([v.OPENING[opening]])


def _name(item: Item) -> str:
    return item.text if isinstance(item, Token) else item.opening


def _split(items: Sequence[Item], separator: str) -> list[list[Item]]:
    found: list[list[Item]] = [[]]
    for item in items:
        if isinstance(item, Token) and (item.kind == separator or (separator == "&" and sign(item) == "&")):
            found.append([])
        else:
            found[-1].append(item)
    return found


def _can_be_called(node: Node) -> bool:
    """Whether a bracket after the node may contain its arguments."""
    base = node.parts[0] if node.kind == "scripts" else node
    while base.kind == "group" or base.kind == "accent" or base.kind == "operator":
        base = base.parts[0]
    return base.kind in ("symbol", "name", "word", "text", "scripts") and base.value not in (v.DOTS, "{}", "\\infty")


def _may_raise_argument(head: Node, bracket: Node) -> bool:
    """Whether a power or factorial behind brackets may belong to the argument: ``\\log (x)^2``, ``E(X - c)^2``."""
    while head.kind in ("scripts", "group", "operator"):
        head = head.parts[0]
    inner = bracket.parts[0] if bracket.kind in ("scripts", "factorial") else EMPTY
    is_raised = bracket.kind == "factorial" or (bracket.kind == "scripts" and bracket.parts[2] is not EMPTY)
    if not is_raised or inner.kind != "bracket" or inner.parts[0].kind == "list":
        return False
    is_function = head.kind == "name" and f"\\{head.value}" in v.FUNCTIONS
    return is_function or (head.value in _RAISED_IN_ROUND_BRACKETS and inner.value == "()")


def is_call(node: Node) -> bool:
    """Whether a ``maybe`` node has round brackets around one letter or around a call."""
    bracket = node.parts[1]
    while bracket.kind == "scripts":
        bracket = bracket.parts[0]
    if bracket.kind != "bracket" or bracket.value != "()":
        return False
    content = bracket.parts[0]
    while content.kind in ("group", "accent"):
        content = content.parts[0]
    if content.kind == "scripts" and content.parts[2] is EMPTY:
        content = content.parts[0]
    return content.kind == "symbol" or (content.kind == "maybe" and is_call(content))


def _in_font(node: Node, font: str) -> Node:
    """Apply a font to the letters of a node."""
    if node is EMPTY:
        return node
    if node.kind == "symbol" and not node.value.startswith(tuple(v.FONTS)):
        return Node("symbol", f"{font}{{{node.value}}}", (), node.start, node.end)
    return Node(node.kind, node.value, tuple(_in_font(part, font) for part in node.parts), node.start, node.end)


def count_names(node: Node) -> Counter[str]:
    """The number of occurrences of each letter or name in a tree."""
    return Counter(one.value for one in node.walk() if one.kind in ("symbol", "name", "word"))
