"""Parse a formula: statements, relations, sums, products, and operators that apply to the rest of a product."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.atoms import Atoms, is_call
from scholartools.tasks.equations.trees.cursor import Reading, bar_side, sign
from scholartools.tasks.equations.trees.tokens import (
    Group,
    Item,
    Token,
    flat,
    read,
    spell_items,
)
from scholartools.tasks.equations.trees.tree import (
    EMPTY,
    Node,
    Unread,
    join,
)

DIFFERENTIALS = frozenset(["d", "\\mathrm{d}", "\\mathsf{d}", "\\mathit{d}", "\\mathbf{d}"])
_LIMIT_NAMES = frozenset(name[1:] for name in v.LIMIT_FUNCTIONS)
_TAKING = v.FUNCTIONS | v.LIMIT_FUNCTIONS | v.BIG | v.INTEGRALS | v.PREFIXES
_STOPS = frozenset([",", ";", ".", "&"]) | v.RELATIONS | v.SIGNS | v.LOOSE_OPERATORS | v.TIGHT_OPERATORS
_NO_FACTORS = _STOPS | v.CLOSING | v.CONDITIONS | v.QUANTIFIERS | {"/", "\\cdot", "\\not", "\\mathbin", "\\mathrel"}
_SINGLE_INTEGRALS = frozenset(["\\int", "\\oint", "\\smallint", "\\fint"])
_IN_SIGNS = {">=": "\\geq", "==": "="}  # "<=" may be an arrow
_TIMES = frozenset(["\\times", "*", "\\div"])
_GOING_ON = v.TIGHT_OPERATORS | {"/", "\\cdot"}
# Letters of expectations and variances, whose argument may have no brackets.
_EXPECTATIONS = frozenset(["\\mathbb{E}", "\\mathbf{E}", "\\mathbb{V}"])
_NO_FACTORS |= {"^", "_", "'", "\\xrightarrow", "\\xleftarrow"}


# Maximum depth of a tree; recursion over deeper ones might exceed Python's stack.
_DEEPEST = 120


class Tree(NamedTuple):
    """A parsed formula: statements, kinds of ambiguity, and the places of kinds that occur more than once."""

    statements: tuple[Node, ...]
    doubts: frozenset[str]
    places: frozenset[str]


@lru_cache(maxsize=512)
def parse(latex: str, choices: frozenset[str] = frozenset()) -> Tree:
    """Parse a formula.

    Args:
        choices: kinds of ambiguity for which the less usual reading is taken, or single places of such.

    Raises:
        Unread: the formula cannot be parsed completely.
    """
    reading = Reading(choices)
    parser = Parser(_unwrap_items(read(latex)), reading, nested=False)
    try:
        found = parser.statements()
    except RecursionError:
        raise Unread("too deep") from None
    if not found:
        raise Unread("empty")
    if _count_levels(found) > _DEEPEST:
        raise Unread("too deep", f"more than {_DEEPEST} levels")
    places = (one for met in reading.doubts.values() if len(met) > 1 for one in met)
    return Tree(tuple(found), frozenset(reading.doubts), frozenset(places))


def _count_levels(nodes: Sequence[Node]) -> int:
    """The depth of the trees, counted up to one more than ``_DEEPEST``."""
    level = 0
    while nodes and level <= _DEEPEST:
        nodes, level = [part for node in nodes for part in node.parts], level + 1
    return level


def _unwrap_items(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Remove an environment or braces around the whole formula."""
    end = len(items)
    while end and sign(items[end - 1]) in (".", ",", ";"):
        end -= 1
    if end == 1 and isinstance(items[0], Group):
        first = items[0]
        if first.kind == "braces" or first.opening in v.ROW_WRAPPERS or _is_column_of_relations(first):
            return _unwrap_items(first.items)
    return items


def _is_column_of_relations(group: Group) -> bool:
    """Whether an array has a column of relations only, so that its rows are statements."""
    signs = [sign(item) for item in group.items]
    return group.opening == "array" and any(
        before == after == "&" and text in v.RELATIONS for before, text, after in zip(signs, signs[1:], signs[2:])
    )


class Parser(Atoms):
    """Recursive-descent parser of statements, relations, sums and products."""

    def statements(self) -> list[Node]:
        """Parse statements and the words between them, up to the end."""
        found: list[Node] = []
        while (item := self.peek()) is not None:
            if self.ends_at_row() or sign(item) in (",", ";", "."):
                self.place += 1
                self.related = False
            elif _is_words(item) or sign(item) in v.QUANTIFIERS:
                self.place += 1
                found.append(Node("words", item.text, (), item.start, item.end))  # type: ignore[union-attr]
            else:
                found.append(self._statement())
        return found

    def _statement(self) -> Node:
        self.related = False
        node = self.chain()
        item = self.peek()
        ended = item is None or self.ends_at_row() or sign(item) in (",", ";", ".") or _is_words(item)
        if not ended and sign(item) not in v.QUANTIFIERS:
            raise Unread("unexpected", item.text if isinstance(item, Token) else item.opening)  # type: ignore[union-attr]
        return node

    def content(self) -> Node:
        """Parse a list with commas, semicolons or words between its parts."""
        parts = [] if self.sign() in v.QUANTIFIERS else [self.condition()]
        separators = ""
        while True:
            item = self.peek()
            if sign(item) in (",", ";"):
                self.place += 1
                separators += sign(item)
            elif _is_words(item) or sign(item) in v.QUANTIFIERS:
                self.place += 1
                parts.append(Node("words", item.text, (), item.start, item.end))  # type: ignore[union-attr]
            else:
                break
            item = self.peek()
            if item is None or sign(item) in (",", ";", *self.closing(), *v.QUANTIFIERS) or _is_words(item):
                continue
            parts.append(self.condition())
        if len(parts) == 1 and not separators:
            if parts[0].kind == "words":
                raise Unread("incomplete", f"nothing behind {parts[0].value}")
            return parts[0]
        return join("list", separators if ";" in separators else ",", parts)

    def condition(self) -> Node:
        """Parse a relation, or several that are separated by conditioning bars."""
        parts, bars = [self.chain()], []
        while self._divides():
            bars.append(sign(self.next()))
            parts.append(self.chain())
        name = " ".join(bars) if "\\nmid" in bars else "\\|" if "\\|" in bars else ""
        return parts[0] if len(parts) == 1 else join("given", name, parts)

    def _divides(self) -> bool:
        text = self.sign()
        return text in v.CONDITIONS or (text in v.BARS and text not in self.closing() and not bar_side(self.peek()))

    def chain(self) -> Node:
        """Parse sides with relations between them; the first side may be missing, and in scripts the last."""
        start = self._start()
        sides = [EMPTY if self._relation_ahead() else self.side()]
        names = []
        while (relation := self._relation()) is not None:
            names.append(relation)
            self.related = True
            ended = self.peek() is None or self.sign() in (",", ";", *self.closing())
            missing = ended and (self.script or names[-1] == ":")
            sides.append(EMPTY if missing else self.side())
        return sides[0] if not names else join("chain", " ".join(names), sides, start, self._last())

    def side(self) -> Node:
        """Parse one side of a relation; outside brackets a bar binds tighter than relations."""
        node = self._loose()
        while not self.nested and not self.closers and self._divides():
            bar = sign(self.next())
            node = join("given", bar if bar in ("\\|", "\\nmid") else "", [node, self._loose()])
        return node

    def _loose(self) -> Node:
        """Parse sums with operators between them; mixed operators have ambiguous precedence."""
        operands, names = [self.expression()], []
        while (operator := self.sign()) in v.LOOSE_OPERATORS:
            self.place += 1
            names.append(operator)
            operands.append(self.expression())
        if names and any(one.kind in ("add", "minus", "sign") for one in operands):
            self.choose("sums")
        return self._group_operands(operands, names)

    def _group_operands(self, operands: list[Node], names: list[str]) -> Node:
        """Combine operands from the left, or by another reading if mixed operators are ambiguous."""
        if len(set(names)) > 1 or (len(names) > 1 and names[0] not in v.COMMUTATIVE):
            for tight in sorted(set(names)):
                if self.choose(f"tighter {tight}") and len(set(names)) > 1:
                    operands, names = _join_tighter(operands, names, tight)
            if self.choose("right"):
                return _join_from_right(operands, names)
        node = operands[0]
        for name, operand in zip(names, operands[1:]):
            node = join("binary", name, [node, operand])
        return node

    def _relation_ahead(self) -> bool:
        text = self.sign()
        return text in v.RELATIONS or text in ("\\not", "\\xrightarrow") or self._compound("\\mathrel", v.RELATIONS)

    def _relation(self) -> str | None:
        """Parse the relation at this position, if any; adjacent signs are one relation."""
        names: list[str] = []
        while self._relation_ahead():
            text = self.sign()
            if self.script and names and text == ":":
                break
            item = self.next()
            if text == "\\not":
                item = self.next()
                names.append(v.NEGATED.get(sign(item), f"\\not{sign(item)}"))
            elif text == "\\xrightarrow":
                names.append(f"\\overset{{{spell_items(self.take_argument())}}}{{\\rightarrow}}")
            elif text in v.RELATIONS:
                names.append(self._scripted_relation(text))
            else:
                count = 1 if text == "\\mathrel" else 2
                names.append(text + "".join(f"{{{spell_items(self.take_argument())}}}" for _ in range(count)))
        name = "".join(names)
        return _IN_SIGNS.get(name, name) or None

    def _scripted_relation(self, name: str) -> str:
        """The name of a relation, with a subscript or superscript as a label below or above."""
        command = {"_": "\\underset", "^": "\\overset"}.get(self.sign())
        if command is None:
            return name
        self.place += 1
        return f"{command}{{{spell_items(self.take_argument())}}}{{{name}}}"

    def _compound(self, wrapper: str, core: frozenset[str]) -> bool:
        """Whether a sign of ``core`` follows in the command ``wrapper`` or with a label above or below."""
        text = self.sign()
        if text == wrapper:
            return True
        if text not in ("\\overset", "\\underset", "\\stackrel") or self.place + 2 >= len(self.items):
            return False
        base = self.items[self.place + 2]
        items = base.items if isinstance(base, Group) and base.kind == "braces" else (base,)
        return len(items) == 1 and sign(items[0]) in core

    def expression(self) -> Node:
        """Parse a sum."""
        start = self._start()
        terms = [self._read_signed()]
        while self.sign() in v.SIGNS and not (self.script and self._is_last()):
            terms.append(self._read_signed())
        return terms[0] if len(terms) == 1 else join("add", "", terms, start, self._last())

    def _is_last(self) -> bool:
        return self.place + 1 == len(self.items)

    def _read_signed(self) -> Node:
        start, text = self._start(), self.sign()
        if text not in v.SIGNS:
            return self.term()
        self.place += 1
        inner = self._read_signed() if self.sign() in v.SIGNS else self.term()
        return inner if text == "+" else join("minus" if text == "-" else "sign", text, [inner], start, self._last())

    def term(self) -> Node:
        """Parse a product with all its operators."""
        start = self._start()
        node = _product_of(self._run())
        while True:
            text = self.sign()
            if text == "\\cdot" and not (self.script and self._is_last()):
                self.place += 1
                node = _product_of([node, *self._operand_run()])
            elif text in ("/", "\\div"):
                self.place += 1
                node = self._divide_by(node)
            elif text in v.TIGHT_OPERATORS or self._compound("\\mathbin", v.TIGHT_OPERATORS | {"\\cdot"}):
                name, label = self._operator()
                node = self._operate(name, node, self._operand_run(), label)
            elif text in v.LOOSE_OPERATORS and "sums" in self.reading.choices and not self.script:
                self.place += 1
                node = join("binary", text, [node, _product_of(self._operand_run())])
            else:
                return node if node.kind == "empty" else Node(node.kind, node.value, node.parts, start, self._last())

    def _operate(self, name: str, left: Node, right: list[Node], label: list[Node]) -> Node:
        """Apply an operator to whole products, or, by the other reading, to the adjacent factors."""
        is_product = left.kind == "mul" or len(right) > 1
        if left.kind == "binary" and left.value != name and self.choose("operators"):
            inner = join("binary", name, [left.parts[1], _product_of(right), *label])
            return join("binary", left.value, [left.parts[0], inner, *left.parts[2:]])
        if not is_product or name in _TIMES or not self.choose("factors"):
            return join("binary", name, [left, _product_of(right), *label])
        before = list(left.parts) if left.kind == "mul" else [left]
        inner = join("binary", name, [before[-1], right[0], *label])
        return _product_of([*before[:-1], inner, *right[1:]])

    def _operator(self) -> tuple[str, list[Node]]:
        """The name of an operator between factors, and its label below or above, if any."""
        text = sign(self.next())
        if text in v.TIGHT_OPERATORS:
            return (text, []) if self.sign() != "_" else (f"\\underset{text}", [self._read_index()])
        items = self.take_argument()
        if text == "\\mathbin":
            if not items or sign(items[0]) not in ("\\underset", "\\overset") or len(items) != 3:
                return spell_items(items), []
            text, first, items = sign(items[0]), items[1], items[2:]
        else:
            first, items = Group(items, "braces", "{", "}", 0, 0), self.take_argument()
        label = first.items if isinstance(first, Group) and first.kind == "braces" else (first,)
        return text + spell_items(tuple(items)), [self.inside(label, script=True)]

    def _read_index(self) -> Node:
        """The index of an operator; a range, as a big operator has, is rejected."""
        self.place += 1
        index = self.inside(self.take_argument(), script=True)
        if index.kind == "chain" or self.sign() == "^":
            raise Unread("unexpected", "_")
        return index

    def _operand_run(self) -> list[Node]:
        if self.sign() in v.SIGNS:
            return [self._read_signed()]
        return self._run()

    def _divide_by(self, node: Node) -> Node:
        """Parse the denominator after a slash: one factor, or, by the other reading, the rest of the product."""
        factors = self._open_first(self._operand_run(), "slash bracket")
        before = node.parts[:-1] if node.kind == "mul" else ()
        last = node.parts[-1] if node.kind == "mul" else node
        if last.kind == "apply" and last.parts[1].kind != "bracket" and self.choose("slash in argument"):
            argument = join("frac", "", [last.parts[1], factors[0]])
            return _product_of([*before, join("apply", "", [last.parts[0], argument]), *factors[1:]])
        if len(factors) > 1 and self.choose("slash"):
            return join("frac", "", [node, _product_of(factors)])
        return _product_of([join("frac", "", [node, factors[0]]), *factors[1:]])

    def _run(self, limit: int = 0) -> list[Node]:
        """Parse adjacent factors."""
        factors = [self.operand()]
        while self.starts_factor() and len(factors) != limit:
            if self.reading.integrals and self._ends_integral(factors):
                break
            if self.reading.integrals > 1 and _is_differential(factors[-1]) and self._ends_inner_integral(factors):
                break
            if self.until_big and self.sign() in v.BIG and not self.choose("product"):
                break
            start = self._start()
            factors.append(self.operand())
            if _is_mixed_number(factors[-2:]) and (_is_one_and(*factors[-2:]) or self.choose("mixed number")):
                factors[-2:] = [join("add", "", factors[-2:], start, self._last())]
        return factors

    def _ends_integral(self, factors: list[Node]) -> bool:
        """Whether the integral ends here: its differential came after the integrand."""
        behind = _is_differential(factors[-1]) and not _is_differential(factors[0])
        return behind and not self._differential_ahead()

    def _ends_inner_integral(self, factors: list[Node]) -> bool:
        """Whether the last differential belongs to the innermost integral and the next one to an enclosing integral."""
        if not self.reading.innermost or not self._differential_ahead():
            return False
        if all(_is_differential(one) for one in factors):
            raise Unread("unexpected", "several differentials before what several integrals are over")
        return True

    def starts_factor(self) -> bool:
        """Whether the next item continues a product."""
        item = self.peek()
        if item is None or _is_words(item):
            return False
        text = sign(item)
        if bar_side(item):
            return bar_side(item) == "open"
        if self.script and text == "\\cdot" and self._is_last():
            return True
        if text in self.closing() or text in _NO_FACTORS or (isinstance(item, Token) and item.kind == "row"):
            return False
        if text in v.BARS:
            after = self.items[self.place + 1] if self.place + 1 < len(self.items) else None
            return sign(after) == "_" or self.bars_left(text) % 2 == 0 or self._opens_ket()
        return not self._compound("\\mathrel", v.RELATIONS) and not self._compound("\\mathbin", v.TIGHT_OPERATORS)

    def _opens_ket(self) -> bool:
        self.place += 1
        found = self._is_ket() and "\\rangle" not in self.closing()
        self.place -= 1
        return found

    def operand(self) -> Node:
        """Parse a factor, including the factors that follow if it is an operator or function of them."""
        text, start = self.sign(), self._start()
        if text in v.BIG:
            return self._big(start)
        if text in v.INTEGRALS:
            return self._integral(start)
        if text in v.BARS and self._evaluates(text):
            self.place += 1
            return self.scripts(join("at", "", [EMPTY], start, self._last()), start)
        place = self.place
        node = self.factor()
        if self._goes_on_behind(node) and not self.choose("extreme"):
            self.place = place
            return self._apply_function(self.scripts(self.atom(), start), start)
        if self.reading.integrals and _is_d(node) and self.starts_factor() and not self._opens_bracket():
            return join("differential", "", [node, self._variable_of_integral()], start, self._last())
        if node.kind == "frac" and (derivative := _read_derivative(node)) is not None:
            return self._derivative_of(derivative, start)
        # A minus after an extremum over an index begins the body: nothing is subtracted from the bare operator.
        is_applied = self.starts_factor() or (node.kind == "scripts" and _takes_rest(node) and self.sign() == "-")
        return self._apply_function(node, start) if _is_function(node) and is_applied else node

    def _variable_of_integral(self) -> Node:
        """The letter or function behind a ``d``; brackets behind a small letter are a factor, as in ``dx (a + b)``."""
        place, start = self.place, self._start()
        node = self.factor()
        if node.kind != "maybe":
            return node
        letter, bracket = node.parts
        is_plain = bracket.kind == "bracket" and bracket.value == "()" and bracket.parts[0].kind in _ARGUMENTS
        is_within = any(one.value == letter.value for one in bracket.walk() if one.kind == "symbol")
        if not is_within and (is_plain or not _NO_MEASURE.match(letter.value)):
            return node
        self.place = place
        return self.scripts(self.atom(), start)

    def _goes_on_behind(self, node: Node) -> bool:
        """Whether brackets after an extremum over an index may only begin its body: ``\\min_w (y - Xw)^T (y - Xw)``."""
        if node.kind != "maybe" or node.parts[0].kind != "scripts" or not _takes_rest(node.parts[0]):
            return False
        (_, lower, _), bracket = node.parts[0].parts, node.parts[1]
        if lower is EMPTY or (bracket.kind == "bracket" and bracket.parts[0].kind == "list"):
            return False
        return bracket.kind != "bracket" or self.starts_factor() or self.sign() in _GOING_ON

    def _evaluates(self, bar: str) -> bool:
        """Whether a bar with a subscript evaluates the expression before it at a point."""
        after = self.items[self.place + 1] if self.place + 1 < len(self.items) else None
        return self.place > 0 and sign(after) == "_" and bar not in self.closing()

    def _derivative_of(self, node: Node, start: int) -> Node:
        """Apply a derivative with an empty numerator to what follows."""
        if node.parts[0] is not EMPTY or not self.starts_factor():
            return node
        factors = self._open_first(self._run(), "derivative")
        if len(factors) == 1 or not self.choose("derivative"):
            return join("derivative", node.value, [_product_of(factors), *node.parts[1:]], start, self._last())
        derived = join("derivative", node.value, [factors[0], *node.parts[1:]], start)
        return _product_of([derived, *factors[1:]])

    def _open_first(self, factors: list[Node], doubt: str) -> list[Node]:
        """The factors; by the other reading, an initial letter is separated from the bracket after it."""
        first = factors[0]
        is_open = first.kind == "maybe" and _base_of(first.parts[0]).kind == "symbol" and not is_call(first)
        return [*first.parts, *factors[1:]] if is_open and self.choose(doubt) else factors

    def _apply_function(self, head: Node, start: int) -> Node:
        """Apply a function without brackets to the factors that follow, or, by the other reading, to one of them."""
        if _takes_rest(head):
            body = self._read_signed() if self.sign() == "-" else self.term()
            if self.sign() in v.SIGNS and not _is_list(body) and self.choose("wide"):
                body = self._rest_of_sum(body)
        else:
            body = _product_of(self._function_run())
        return join("apply", "", [head, body], start, self._last())

    def _function_run(self) -> list[Node]:
        first = self._run(limit=1)
        if first[0].kind == "number" and self.starts_factor():
            first += self._run(limit=1)
        if not self._goes_on() or self.choose("argument"):
            return first
        while self._goes_on():
            first.append(self.operand())
        return first

    def _goes_on(self) -> bool:
        """Whether the next factor may belong to the argument of a function."""
        if not self.starts_factor() or (self.reading.integrals and self._differential_ahead()):
            return False
        item = self.peek()
        if isinstance(item, Token) and item.kind == "name":
            return False
        return sign(item) not in _TAKING

    def _rest_of_sum(self, first: Node) -> Node:
        terms = [first]
        while self.sign() in v.SIGNS:
            terms.append(self._read_signed())
        return join("add", "", terms)

    def _big(self, start: int) -> Node:
        """Parse a big operator: its limits, and the product after it."""
        name, lower, upper = self._operator_with_limits(start)
        before, self.until_big = self.until_big, name == "\\prod"
        body = self._read_signed() if self.sign() == "-" else self.term()
        self.until_big = before
        if self.sign() in v.SIGNS and self._stands_behind(lower) and self.choose("wide sum"):
            body = self._rest_of_sum(body)
        return join("big", name, [lower, upper, body], start, self._last())

    def _operator_with_limits(self, start: int) -> tuple[str, Node, Node]:
        """A big operator or an integral sign, with its lower and upper limit.

        Raises:
            Unread: it has a prime, which leaves terms out by a rule of the paper.
        """
        name = sign(self.next())
        limits = self.scripts(Node("operator", name), start)
        if limits.kind != "scripts":
            return name, EMPTY, EMPTY
        if limits.value:
            raise Unread("unexpected", f"a prime on {name}")
        return name, limits.parts[1], limits.parts[2]

    def _stands_behind(self, lower: Node) -> bool:
        """Whether the letter of a lower limit occurs in the terms that follow, up to the end of the side."""
        while lower.kind in ("group", "chain", "list"):
            lower = lower.parts[0]
        ahead: list[str] = []
        for item in self.items[self.place :]:
            if sign(item) in v.RELATIONS | {",", ";"} or sign(item) in self.closing() or _is_words(item):
                break
            ahead += flat((item,)) if sign(item) not in v.BIG else [""]
            if not ahead[-1]:
                break
        return lower.kind == "symbol" and lower.value in ahead

    def _integral(self, start: int) -> Node:
        name, lower, upper = self._operator_with_limits(start)
        self.reading.integrals += 1
        before, self.reading.innermost = self.reading.innermost, name in _SINGLE_INTEGRALS
        body = self.term()
        if self.sign() in v.SIGNS and not has_differential(body) and self._differential_before_end():
            body = self._rest_of_sum(body)
        self.reading.integrals -= 1
        self.reading.innermost = before
        return join("integral", name, [lower, upper, body], start, self._last())

    def _differential_ahead(self) -> bool:
        place, item = self.place, self.peek()
        ahead = _is_d_item(item) or (isinstance(item, Group) and len(item.items) == 1 and _is_d_item(item.items[0]))
        self.place = place
        return ahead or sign(item) == "\\mathrm" and self._font_d(place)

    def _font_d(self, place: int) -> bool:
        after = self.items[place + 1] if place + 1 < len(self.items) else None
        return flat((after,)) == ["d"] if after is not None else False

    def _differential_before_end(self) -> bool:
        for index in range(self.place, len(self.items)):
            item = self.items[index]
            if sign(item) in v.RELATIONS or sign(item) in v.INTEGRALS or sign(item) in self.closing():
                return False
            if _is_d_item(item) or (sign(item) == "\\mathrm" and self._font_d(index)):
                return True
        return False


def _is_d_item(item: Item | None) -> bool:
    return sign(item) == "d" or (isinstance(item, Token) and item.kind in ("text", "name") and item.text == "d")


def _join_tighter(operands: list[Node], names: list[str], tight: str) -> tuple[list[Node], list[str]]:
    """Combine the operands of one operator; return the remaining operands and operators."""
    found, left = [operands[0]], []
    for name, operand in zip(names, operands[1:]):
        if name == tight:
            found[-1] = join("binary", name, [found[-1], operand])
        else:
            found.append(operand)
            left.append(name)
    return found, left


def _join_from_right(operands: list[Node], names: list[str]) -> Node:
    node = operands[-1]
    for name, operand in zip(reversed(names), reversed(operands[:-1])):
        node = join("binary", name, [operand, node])
    return node


def _product_of(factors: list[Node]) -> Node:
    """The product of factors, with nested products flattened."""
    parts = [part for factor in factors for part in (factor.parts if factor.kind == "mul" else (factor,))]
    return parts[0] if len(parts) == 1 else join("mul", "", parts)


def _is_words(item: Item | None) -> bool:
    """Whether an item is prose between statements."""
    if not isinstance(item, Token) or item.kind != "text":
        return False
    words = item.text.casefold().replace(",", " ").replace("$", " $ ").split()
    return bool(words) and (words[0] in v.WORDS or words[0].strip("().:") in v.WORDS)


def _is_mixed_number(factors: list[Node]) -> bool:
    """Whether a number comes before a fraction of numbers: ``1\\frac12`` may be a sum or a product."""
    whole, part = factors if len(factors) == 2 else (EMPTY, EMPTY)
    return whole.kind == "number" and part.kind == "frac" and all(one.kind == "number" for one in part.parts)


def _is_one_and(whole: Node, part: Node) -> bool:
    """Whether 1 comes before a fraction between 0 and 1: nobody writes 1 as a factor, so the two are added."""
    above, below = (float(one.value) for one in part.parts)
    return whole.value == "1" and 0 < above < below


def _base_of(node: Node) -> Node:
    while node.kind in ("scripts", "group", "operator") and node.parts:
        node = node.parts[0]
    return node


def _is_function(node: Node) -> bool:
    """Whether a factor is a function of what follows."""
    base = _base_of(node)
    if base.kind == "name":
        return True
    return (
        base.value in v.PREFIXES
        or base.value in _EXPECTATIONS
        or (node.kind in ("operator", "scripts") and _has_operator(node))
    )


def _takes_rest(head: Node) -> bool:
    """Whether a function applies to the whole product after it: a limit or an extremum."""
    name = _base_of(head).value
    return name in _LIMIT_NAMES or name.startswith("arg")


def _has_operator(node: Node) -> bool:
    while node.kind in ("scripts", "group"):
        node = node.parts[0]
    return node.kind == "operator"


def _is_d(node: Node) -> bool:
    base = _base_of(node)
    return base.kind in ("symbol", "text", "name") and (base.value in DIFFERENTIALS) and base.kind != "maybe"


# Letters that are commonly integrated over, and no measures or distributions.
_NO_MEASURE = re.compile(
    r"(?:\\(?:mathbf|boldsymbol|vec)\{)?(?:[a-z]|\\(?:alpha|beta|gamma|zeta|eta|theta|kappa|xi|tau|phi|varphi|omega))\}?$"
)
_ARGUMENTS = frozenset("symbol scripts accent list given".split())


def _is_differential(node: Node) -> bool:
    return node.kind == "differential"


def has_differential(node: Node) -> bool:
    """Whether a product, fraction, sum or group contains a differential."""
    if node.kind in ("mul", "frac", "minus", "add", "group"):
        return any(has_differential(part) for part in node.parts)
    return node.kind == "differential"


def _is_list(node: Node) -> bool:
    return node.kind == "bracket" and node.parts[0].kind == "list"


def _read_derivative(node: Node) -> Node | None:
    """The derivative that a fraction denotes, or None; its numerator may be empty."""
    above, below = _read_differential(node.parts[0]), _read_differential(node.parts[1])
    if above is None or below is None or below[1] is EMPTY or above[0] != below[0]:
        return None
    return join("derivative", above[0], [above[1], below[1], *above[2]], node.start, node.end)


def _read_differential(node: Node) -> tuple[str, Node, list[Node]] | None:
    """The sign, argument and scripts of a node that begins with a differential, or None."""
    if node.kind in ("apply", "maybe"):
        head, rest = node.parts[0], node.parts[1]
    elif node.kind == "mul":
        head, rest = node.parts[0], _product_of(list(node.parts[1:]))
        if head.kind in ("apply", "maybe"):
            head, rest = head.parts[0], _product_of([head.parts[1], *node.parts[1:]])
    else:
        head, rest = node, EMPTY
    base = _base_of(head)
    if base.value not in DIFFERENTIALS | {"\\partial"} or base.kind == "maybe":
        return None
    return base.value, rest, list(head.parts[1:]) if head.kind == "scripts" else []
