"""Semantic trees: brackets and scripts become calls, indices, powers or marks, and bound variables are identified.

:mod:`canonical` orders and :mod:`probes` evaluates the nodes made here:

- ``number``; ``symbol`` (parts: its indices); ``add``, ``mul``, ``neg``, ``div``, ``pow``; ``transpose``;
- ``call``: a function call; the first part is the list of indices, the others are the arguments;
- ``bind``: an operator over bound variables; parts: lower limit, upper limit, condition, body, and the variables;
- ``derivative``, ``binary``, ``signed`` (a term after plus-minus), ``tuple``, ``relation``, ``words``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.atoms import count_names, is_call
from scholartools.tasks.equations.trees.tree import (
    EMPTY,
    Node,
    Unread,
    join,
)

NONE = Node("list")
_BRACKETS = {"||": "abs", "\\|\\|": "norm", "\\lfloor\\rfloor": "floor", "\\lceil\\rceil": "ceil"}
_EXPECTATIONS = frozenset(["\\mathbb{E}", "\\mathbf{E}", "\\mathrm{E}", "E", "\\mathbb{P}", "\\mathbb{V}"])
_UPRIGHT_E = Node("symbol", "\\mathrm{e}")
# Brackets around superscripts that are labels; a floor, ceiling or norm in a superscript is an exponent.
_LABELLING = frozenset(["()", "[]", "\\{\\}", "\\langle\\rangle"])
_DIFFERENCES = frozenset("\\Delta \\delta d \\mathrm{d} \\partial".split())
_BINDING = frozenset(["\\in", "\\sim", "\\subset", "\\subseteq", "\\rightarrow"])


@dataclass(frozen=True)
class Evidence:
    """How both formulas of a pair use their letters, and which readings of ambiguous notation to take.

    Attributes:
        bare: letters that occur at least once without a bracket after them.
        plain: letters that occur at least once other than alone in a superscript.
        called: letters before brackets around one letter, which are unlikely factors, and never without brackets.
        alone: letters that occur at least once as a side, a term, a last factor or a numerator, where a sign of
            differences or derivatives cannot occur.
        factor: whether a letter before a bracket is a factor if the formulas do not show otherwise.
        exponent: whether ``T`` in a superscript is an exponent if the formulas do not show otherwise.
        product: whether a number before a letter in an index is a factor rather than a separate index.
        whole: whether an accent over a letter with an index covers both rather than only the letter.
        upright: whether an upright e differs from the base of exponentials.
        raised: whether a superscript in brackets on a number is a rising factorial rather than an exponent.
        iterated: whether a superscript between a function and its argument denotes an iterate or another function
            rather than a power of the value.
        upper: whether letters in superscripts are indices rather than exponents.
        numbered: whether numbers in superscripts are indices rather than exponents.
        joined: whether a power after a difference applies to both: ``\\Delta x^2`` is ``(\\Delta x)^2``.
    """

    bare: frozenset[str]
    plain: frozenset[str]
    called: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    factor: bool = False
    exponent: bool = False
    product: bool = False
    whole: bool = False
    upright: bool = False
    raised: bool = False
    iterated: bool = False
    upper: bool = False
    numbered: bool = False
    joined: bool = False


def gather(statements: Iterable[Node], **flags: bool) -> Evidence:
    """Collect evidence from statements; ``flags`` are the Boolean attributes of :class:`Evidence`."""
    bare: set[str] = set()
    plain: set[str] = set()
    called: set[str] = set()
    alone: set[str] = set()
    for statement in statements:
        _gather(statement, bare, plain)
        called |= {_letter(one.parts[0]) for one in statement.walk() if one.kind == "maybe" and is_call(one)}
        alone |= {name for one in statement.walk() for name in _names_alone(one)}
    shown = frozenset() if flags.get("factor") else frozenset(called - bare)
    return Evidence(frozenset(bare), frozenset(plain), shown, frozenset(alone), **flags)


def _names_alone(node: Node) -> set[str]:
    """The letters among the parts of a node that cannot be signs of differences, because no operand follows them."""
    parts = node.parts
    if node.kind == "mul":
        parts = parts[-1:]
    elif node.kind == "frac":  # in ``d / dx`` the numerator is not a letter
        parts = parts if parts[0].value not in {one.value for one in parts[1].walk()} else ()
    elif node.kind not in ("chain", "add", "minus", "bracket", "list", "root"):
        return set()
    return {one.value for one in parts if one.kind == "symbol"}


def _gather(node: Node, bare: set[str], plain: set[str]) -> None:
    if node.kind == "maybe":
        head = node.parts[0]
        _gather_parts(_shown_scripts(head) if head.kind == "scripts" else (), bare, plain)
        plain.add(_letter(head))
        _gather(node.parts[1], bare, plain)
    elif node.kind == "scripts":
        _gather_parts((node.parts[0], *_shown_scripts(node)), bare, plain)
    elif node.kind == "symbol":
        bare.add(node.value)
        plain.add(node.value)
    else:
        _gather_parts(node.parts, bare, plain)


def _shown_scripts(node: Node) -> tuple[Node, ...]:
    """The scripts, except a superscript that is a single letter."""
    upper = node.parts[2]
    if upper.kind == "mark":  # an explicit sign of a transpose shows that T is not one
        return (*node.parts[1:2], Node("symbol", upper.value))
    alone = upper.kind == "symbol" or (upper.kind == "minus" and upper.parts[0].kind == "symbol")
    return node.parts[1:2] if alone else node.parts[1:]


def _gather_parts(parts: Iterable[Node], bare: set[str], plain: set[str]) -> None:
    for part in parts:
        _gather(part, bare, plain)


def _letter(node: Node) -> str:
    while node.kind in ("scripts", "group", "accent", "operator") and node.parts:
        node = node.parts[0]
    return node.value


class Meaning:
    """Converts the syntax tree of one statement to a semantic tree; ``doubts`` collects the kinds of ambiguity."""

    def __init__(self, evidence: Evidence, statement: Node) -> None:
        self.evidence = evidence
        self.counts: Counter[str] = count_names(statement)
        self.doubts: set[str] = set()

    def read(self, node: Node) -> Node:
        """The semantic tree of a node.

        Raises:
            Unread: the kind of node has no known meaning.
        """
        way: Callable[[Node], Node] | None = getattr(self, f"_{node.kind}", None)
        if way is None:
            raise Unread("unexpected", node.kind)
        return way(node)

    def read_all(self, nodes: Iterable[Node]) -> list[Node]:
        """The semantic trees of several nodes."""
        return [self.read(node) for node in nodes]

    def _number(self, node: Node) -> Node:
        return node

    def _symbol(self, node: Node) -> Node:
        return node

    def _name(self, node: Node) -> Node:
        name = node.value if len(node.value) > 1 else f"\\mathrm{{{node.value}}}"
        return Node("symbol", name, (), node.start, node.end)

    _text = _word = _name

    def _mark(self, node: Node) -> Node:
        return Node("symbol", node.value, (), node.start, node.end)

    def _empty(self, node: Node) -> Node:
        return EMPTY

    def _words(self, node: Node) -> Node:
        return node

    def _group(self, node: Node) -> Node:
        return self.read(node.parts[0])

    _operator = _braced = _group

    def _add(self, node: Node) -> Node:
        return join("add", "", self.read_all(node.parts), node.start, node.end)

    def _mul(self, node: Node) -> Node:
        factors = self.read_all(self._join_differences(node.parts))
        return factors[0] if len(factors) == 1 else join("mul", "", factors, node.start, node.end)

    def _join_differences(self, factors: Sequence[Node]) -> list[Node]:
        """The factors of a product; a power after a difference, as in ``\\Delta x^2``, may apply to both."""
        found: list[Node] = []
        for factor in factors:
            is_behind = bool(found) and found[-1].value in _DIFFERENCES and found[-1].kind == "symbol"
            upper = factor.parts[2] if factor.kind == "scripts" else EMPTY
            if is_behind and found[-1].value in self.evidence.alone:
                is_behind = False
            if is_behind and upper is not EMPTY and not self._is_transpose(upper):
                self.doubts.add("difference")
                if self.evidence.joined:
                    of_both = join("mul", "", [found.pop(), Node("scripts", factor.value, (*factor.parts[:2], EMPTY))])
                    factor = join("scripts", "", [of_both, EMPTY, upper], factor.start, factor.end)
            found.append(factor)
        return found

    def _minus(self, node: Node) -> Node:
        return join("neg", "", self.read_all(node.parts), node.start, node.end)

    def _sign(self, node: Node) -> Node:
        return join("signed", node.value, self.read_all(node.parts), node.start, node.end)

    def _frac(self, node: Node) -> Node:
        return join("div", "", self.read_all(node.parts), node.start, node.end)

    def _root(self, node: Node) -> Node:
        parts = self.read_all(node.parts)
        index = parts[1] if len(parts) == 2 else Node("number", "2")
        return join("pow", "", [parts[0], join("div", "", [Node("number", "1"), index])], node.start, node.end)

    def _binom(self, node: Node) -> Node:
        return join("call", "binom", [NONE, *self.read_all(node.parts)], node.start, node.end)

    def _function(self, node: Node) -> Node:
        return join("call", node.value, [NONE, *self.read_all(node.parts)], node.start, node.end)

    _factorial = _matrix = _cases = _function

    def _differential(self, node: Node) -> Node:
        return Node("number", "1", (), node.start, node.end)

    def _binary(self, node: Node) -> Node:
        parts = self.read_all(node.parts)
        if node.value == "\\times" and any(part.kind == "number" for part in parts):
            return join("mul", "", parts, node.start, node.end)
        return join("binary", node.value, parts, node.start, node.end)

    def _accent(self, node: Node) -> Node:
        inner = self.read(node.parts[0])
        if inner.kind == "symbol" and inner.parts:
            self.doubts.add("accent")
        if inner.kind == "symbol" and not (inner.parts and self.evidence.whole):
            return Node("symbol", f"{node.value}{{{inner.value}}}", inner.parts, node.start, node.end)
        return join("call", node.value, [NONE, inner], node.start, node.end)

    def _list(self, node: Node) -> Node:
        return join("tuple", node.value, self.read_all(node.parts), node.start, node.end)

    def _given(self, node: Node) -> Node:
        """A bar outside brackets, indices and ranges: alternatives, parallel processes, "divides" or a condition."""
        return join("binary", node.value or "|", self.read_all(node.parts), node.start, node.end)

    def _condition(self, node: Node) -> Node:
        """A node in a position where a bar separates a condition."""
        if not _sets_apart(node):
            return self.read(node)
        sign = "\\|" if node.value == "\\parallel" else node.value or "|"
        return join("tuple", sign, [self._condition(one) for one in node.parts], node.start, node.end)

    def _chain(self, node: Node) -> Node:
        return join("relation", node.value, self.read_all(node.parts), node.start, node.end)

    def _rows(self, node: Node) -> Node:
        return join("tuple", "rows", self.read_all(node.parts), node.start, node.end)

    def _row(self, node: Node) -> Node:
        return join("tuple", "row", self.read_all(node.parts), node.start, node.end)

    def _at(self, node: Node) -> Node:
        return join("call", "at", [NONE, *self.read_all(node.parts)], node.start, node.end)

    def _bracket(self, node: Node) -> Node:
        inner = node.parts[0]
        if node.value in _BRACKETS:
            return join("call", _BRACKETS[node.value], [NONE, self.read(inner)], node.start, node.end)
        single = inner.kind not in ("list", "chain", "given", "empty", "words", "rows")
        is_plain = node.value in ("()", "\\lgroup\\rgroup") or (node.value == "[]" and inner.kind != "symbol")
        if single and is_plain:
            return self.read(inner)
        if inner.kind in ("chain", "given") and node.value == "()":
            return self.read(inner)
        return join("call", node.value, [NONE, *self._arguments(inner)], node.start, node.end)

    def _arguments(self, inner: Node) -> list[Node]:
        """The arguments in brackets."""
        if inner.kind == "empty":
            return []
        return self._list_parts(inner) if inner.kind == "list" else [self._condition(inner)]

    def _list_parts(self, node: Node) -> list[Node]:
        """The parts of a list, preceded by the separators as a symbol if these include semicolons."""
        divided = [Node("symbol", node.value)] if node.value != "," else []
        return divided + [self._condition(one) for one in node.parts]

    def _scripts(self, node: Node) -> Node:
        base, lower, upper = node.parts
        while base.kind == "group":
            base = base.parts[0]
        if base.kind == "braced":
            return self._label(base, lower if upper is EMPTY else upper, node)
        if base.kind == "bracket" and lower is not EMPTY and _binds(lower):
            body = self.read(base)
            return self._power(self._bind("family" + base.value, lower, upper, body, node), EMPTY, "", node)
        return self._power(self._index_letter(base, lower, node), upper, node.value, node)

    def _labelled(self, node: Node) -> Node:
        base, label = node.parts
        return self._label(base, label, node)

    def _label(self, base: Node, label: Node, node: Node) -> Node:
        """A base with a label, which is not a power: it may be a count, a name or a remark."""
        return join("call", "label", [join("list", "", self._indices(label)), self.read(base)], node.start, node.end)

    def _index_letter(self, base: Node, lower: Node, node: Node) -> Node:
        """A letter with indices, or for any other base a call with the indices."""
        inner = self.read(base)
        if lower is EMPTY:
            return inner
        indices = self._indices(lower)
        is_part = base.kind == "bracket" and [one.value for one in indices] in (
            ["+"],
            ["-"],
        )  # positive or negative part of a value
        if inner.kind == "symbol" and not is_part:
            return join("symbol", inner.value, [*inner.parts, *indices], node.start, node.end)
        if inner.kind == "call" and inner.parts[0] is NONE and inner.value in ("norm", "abs", "at", "\\{\\}"):
            return join("call", inner.value, [join("list", "", indices), *inner.parts[1:]], node.start, node.end)
        return join("call", "index", [join("list", "", indices), inner], node.start, node.end)

    def _indices(self, lower: Node) -> list[Node]:
        """The indices in a subscript; adjacent letters are separate indices."""
        if lower.kind == "group":
            return self._indices(lower.parts[0])
        if lower.kind == "list":
            return self._list_parts(lower)
        if lower.kind == "mul" and all(
            part.kind in ("symbol", "number", "scripts", "name", "word") for part in lower.parts
        ):
            if lower.parts[0].kind == "number" and len(lower.parts) == 2:
                self.doubts.add("index")
                return [self.read(lower)] if self.evidence.product else self.read_all(lower.parts)
            return self.read_all(lower.parts)
        return [self._condition(lower)]

    def _power(self, base: Node, upper: Node, primes: str, node: Node) -> Node:
        """Apply a superscript and primes to a base."""
        if primes:
            base = self._mark_letter(base, primes, node)
        if upper is EMPTY:
            return base
        while upper.kind == "group":
            upper = upper.parts[0]
        if self._is_transpose(upper):
            return join("transpose", "", [base], node.start, node.end)
        if upper.kind == "minus" and self._is_transpose(upper.parts[0]):
            inverse = join("pow", "", [base, Node("neg", "", (Node("number", "1"),))])
            return join("transpose", "", [inverse], node.start, node.end)
        if upper.kind in ("mark", "text", "name", "word"):
            return self._mark_letter(base, f"^{upper.value}", node)
        is_label = upper.kind == "bracket" and upper.value in _LABELLING
        if is_label and base.kind == "number":
            self.doubts.add("superscript")
            is_label = self.evidence.raised
        if upper.kind in ("list", "chain", "given") or is_label:
            return self._mark_letter(base, "^" + upper.kind, node, self._arguments(_content(upper)))
        if base.kind == "symbol" and base.value.startswith("\\mathbb{"):
            return self._mark_letter(base, "^", node, self._dimensions(upper))
        if upper.kind == "symbol" and upper.value in v.MARKS - {"*"}:
            return self._mark_letter(base, f"^{upper.value}", node)
        if base == _UPRIGHT_E:
            is_power = not any(one.kind == "symbol" for one in upper.walk())  # maybe of another quantity
            if is_power:
                self.doubts.add("euler")
            base = base if self.evidence.upright and is_power else Node("symbol", "e", (), base.start, base.end)
        if base.kind != "number" and base.value != "e" and self._is_index(upper):
            return self._mark_letter(base, "^indices", node, self._indices(upper))
        return join("pow", "", [base, self.read(upper)], node.start, node.end)

    def _is_index(self, upper: Node) -> bool:
        """Whether a superscript is read as indices; adjacent letters, 0 and 1 are ambiguous: ``x^1 + x^2``."""
        if upper.kind == "number":
            if upper.value.startswith("0") or upper.value == "1":
                self.doubts.add("numbered")
            return self.evidence.numbered
        parts = upper.parts if upper.kind == "mul" else (upper,)
        if any(one.kind not in ("symbol", "number") for one in parts):
            return False
        if parts[0].kind == "number" and parts[0].value not in ("0", "1"):  # ``2k`` is a product
            return False
        if len(parts) > 1:
            self.doubts.add("indices")
        return self.evidence.upper

    def _dimensions(self, upper: Node) -> list[Node]:
        if upper.kind == "binary" and upper.value == "\\times":
            return [one for part in upper.parts for one in self._dimensions(part)]
        return [self.read(upper)]

    def _is_transpose(self, upper: Node) -> bool:
        if upper.kind == "group":
            return self._is_transpose(upper.parts[0])
        name = upper.value if upper.kind in ("symbol", "mark") else ""
        if name != "T" or "T" in self.evidence.plain:
            return name in v.TRANSPOSES and name != "T"
        if "\\top" in self.evidence.plain:
            return True
        self.doubts.add("transpose")
        return not self.evidence.exponent

    def _mark_letter(self, base: Node, mark: str, node: Node, indices: Iterable[Node] = ()) -> Node:
        """A letter with a mark is a different letter; any other base with a mark is a function of the base."""
        if base.kind == "symbol":
            return join("symbol", base.value + mark, [*base.parts, *indices], node.start, node.end)
        return join("call", mark, [join("list", "", list(indices)), base], node.start, node.end)

    def _maybe(self, node: Node) -> Node:
        """A bracket after a letter: arguments or a factor."""
        head, bracket = node.parts
        if bracket.kind == "factorial":
            return self._call_with_factorial(head, bracket, node)
        inner, lower, upper, primes = bracket, EMPTY, EMPTY, ""
        if bracket.kind == "scripts":
            (inner, lower, upper), primes = bracket.parts, bracket.value
        if inner.kind != "bracket" or self._is_factor(head, inner):
            return join("mul", "", [self.read(head), self.read(bracket)], node.start, node.end)
        call = self._call_function(head, self._arguments(inner.parts[0]), inner, node)
        return self._power(self._indexed_call(call, lower, node), upper, primes, node)

    def _call_with_factorial(self, head: Node, factorial: Node, node: Node) -> Node:
        """``n (n - 1)!``: the factorial of the bracket or of a call."""
        inner = factorial.parts[0]
        if inner.kind != "bracket" or self._is_factor(head, inner):
            return join("mul", "", [self.read(head), self.read(factorial)], node.start, node.end)
        call = self._maybe(join("maybe", "", [head, inner], node.start, node.end))
        return join("call", factorial.value, [NONE, call], node.start, node.end)

    def _indexed_call(self, call: Node, lower: Node, node: Node) -> Node:
        if lower is EMPTY:
            return call
        return join("call", "index", [join("list", "", self._indices(lower)), call], node.start, node.end)

    def _is_factor(self, head: Node, bracket: Node) -> bool:
        base, upper = head, EMPTY
        while base.kind in ("scripts", "group", "accent", "operator") and base.parts:
            upper = base.parts[2] if base.kind == "scripts" and base.parts[2] is not EMPTY else upper
            base = base.parts[0]
        if base.kind in ("name", "word", "text") or base.value in v.PREFIXES:
            return False
        if upper is not EMPTY and self._is_transpose(upper):
            return True
        content = bracket.parts[0]
        if content.kind == "list" or _sets_apart(content) or base.value in _EXPECTATIONS - {"E"} | {"\\mathbb{1}"}:
            return False
        if content.kind in ("add", "minus") and base.value in self.evidence.bare and head.kind != "operator":
            return True
        if base.value in self.evidence.called:
            return False
        self.doubts.add("call")
        return self.evidence.factor

    def _call_function(self, head: Node, arguments: list[Node], bracket: Node, node: Node) -> Node:
        """The call of a function; powers of the head are powers of the value."""
        base, lower, upper, primes = head, EMPTY, EMPTY, ""
        if head.kind == "scripts":
            (base, lower, upper), primes = head.parts, head.value
        while base.kind == "group":
            base = base.parts[0]
        if base.kind == "scripts":
            inner = self._call_function(base, arguments, bracket, node)
            return self._power(self._indexed_call(inner, lower, node), upper, primes, node)
        name = self.read(base)
        if name.kind != "symbol":
            return join("call", "apply", [NONE, name, *arguments], node.start, node.end)
        marks = primes
        if base.value in v.PREFIXES and upper.kind == "number":  # a repeated operator
            marks, upper = f"{primes}^{upper.value}", EMPTY
        while upper.kind == "group":
            upper = upper.parts[0]
        if upper.kind == "minus" and upper.parts[0].value == "1":
            marks, upper = f"{primes}^-1", EMPTY
        if upper.kind in ("mark", "bracket", "text", "name", "word", "list"):
            label = self._mark_letter(Node("symbol", ""), "^" + upper.kind, node, [self.read(upper)])
            marks, arguments, upper = marks + label.value, [*label.parts, *arguments], EMPTY
        is_iterable = base.kind != "name" or base.value in ("log", "ln", "lg")
        if upper is not EMPTY and is_iterable and base.value not in _EXPECTATIONS:
            self.doubts.add("iterate")
            if self.evidence.iterated:
                label = self._mark_letter(Node("symbol", ""), "^iterate", node, [self.read(upper)])
                marks, arguments, upper = marks + label.value, [*label.parts, *arguments], EMPTY
        if lower is not EMPTY and (_binds(lower) or _is_limited(base)):
            body = arguments[0] if len(arguments) == 1 else join("tuple", ",", arguments)
            made = self._bind(name.value + marks, lower, EMPTY, body, node)
        else:
            indices = NONE if lower is EMPTY else join("list", "", self._indices(lower))
            if bracket.value == "\\{\\}" and len(name.value) == 1:  # a set as the argument, or braces used as brackets
                arguments = [join("call", bracket.value, [NONE, *arguments])]
            made = join("call", name.value + marks, [indices, *name.parts, *arguments], node.start, node.end)
        return self._power(made, upper, "", node)

    def _apply(self, node: Node) -> Node:
        """A function without brackets, or an operator with limits."""
        head, body = node.parts
        base = head
        while base.kind in ("scripts", "group", "operator") and base.parts:
            base = base.parts[0]
        limited = _is_limited(base)
        content = body
        while content.kind == "group":
            content = content.parts[0]
        listed = content.kind == "bracket" and (content.parts[0].kind == "list" or not limited)
        if listed and content.value not in _BRACKETS:
            brackets = Node("bracket", "()") if limited else content
            return self._call_function(_unwrap(head), self._arguments(content.parts[0]), brackets, node)
        if limited and head.kind == "scripts" and head.parts[1] is not EMPTY:
            bound = self._bind(base.value, head.parts[1], EMPTY, self.read(body), node)
            return self._power(bound, head.parts[2], head.value, node)
        return self._call_function(_unwrap(head), [self.read(body)], Node("bracket", "()"), node)

    def _big(self, node: Node) -> Node:
        lower, upper, body = node.parts
        return self._bind(node.value, lower, upper, self.read(body), node)

    def _integral(self, node: Node) -> Node:
        lower, upper, body = node.parts
        differentials = _differentials(body)
        variables = [self.read(part.parts[1]) for part in differentials]
        ends = [self.read(part) if part is not EMPTY else EMPTY for part in (lower, upper)]
        # A power of the d, as in ``d^3 x``, is a factor that is unlike any letter.
        powers = [self.read(part.parts[0].parts[2]) for part in differentials if part.parts[0].kind == "scripts"]
        factors = [self.read(body), *(Node("symbol", "d^", (power,)) for power in powers)]
        held = join("mul", "", factors) if powers else factors[0]
        return join("bind", node.value, [*ends, EMPTY, held, *variables], node.start, node.end)

    def _derivative(self, node: Node) -> Node:
        body = EMPTY if node.parts[0] is EMPTY else self.read(node.parts[0])
        return join("derivative", node.value, [body, *self.read_all(node.parts[1:])], node.start, node.end)

    def _bind(self, name: str, lower: Node, upper: Node, body: Node, node: Node) -> Node:
        """An operator over the variables in its lower limit."""
        variables, start, condition = self._range(lower, node)
        end = EMPTY if upper is EMPTY else self.read(upper)
        return join("bind", name, [start, end, condition, body, *variables], node.start, node.end)

    def _range(self, lower: Node, node: Node) -> tuple[list[Node], Node, Node]:
        """The bound variables, their start, and the condition on them."""
        while lower.kind == "group":
            lower = lower.parts[0]
        if lower is EMPTY:
            return [], EMPTY, EMPTY
        if lower.kind == "list" and any(part.kind == "chain" for part in lower.parts):
            return self._ranges(lower, node)
        if lower.kind in ("symbol", "scripts", "list", "accent"):
            return self._variables(lower), EMPTY, EMPTY
        is_equation = lower.kind == "chain" and lower.value == "="
        if is_equation and _names_letters(*lower.parts[:2]):
            return self._variables(lower.parts[0]), self.read(lower.parts[1]), EMPTY
        if lower.kind == "chain" and lower.value in _BINDING:
            return self._variables(lower.parts[0]), EMPTY, self.read(lower)
        if lower.kind == "given" or (lower.kind == "chain" and lower.value.startswith(":")):
            return self._variables(lower.parts[0]), EMPTY, self._condition(lower)
        inside = count_names(node)
        # Any other limit, such as an equation of a norm or product, is a condition. The letters of its right side are
        # not bound, nor are letters that occur only in the condition, such as the matrix of a product.
        shown = lower.parts[0] if is_equation else lower
        asked = count_names(lower)
        names = [one for one in shown.walk() if one.kind == "symbol" and one.value not in (v.DOTS, "\\infty")]
        free = [one for one in names if self.counts[one.value] <= inside[one.value] > asked[one.value]]
        return _unique(free or names[:1]), EMPTY, self.read(lower)

    def _ranges(self, lower: Node, node: Node) -> tuple[list[Node], Node, Node]:
        """Several conditions, or several letters before one condition."""
        variables: list[Node] = []
        for part in lower.parts:
            variables += self._range(part, node)[0]
        return _unique(variables), EMPTY, self.read(lower)

    def _variables(self, node: Node) -> list[Node]:
        while node.kind in ("bracket", "group"):
            node = node.parts[0]
        if node.kind in ("list", "mul"):
            return [one for part in node.parts for one in self._variables(part)]
        made = self.read(node)
        return [made] if made.kind == "symbol" else []


def _names_letters(node: Node, start: Node) -> bool:
    """Whether an equation in a lower limit sets the start of one or several letters.

    Adjacent letters are a product, except index letters that start at a number: ``ij = 1``.
    """
    while node.kind == "group" or (node.kind == "bracket" and node.value == "()"):
        node = node.parts[0]
    if node.kind == "mul":
        return start.kind == "number" and all(one.value in _INDICES for one in node.parts)
    if node.kind == "list":
        return all(_names_letters(one, start) for one in node.parts)
    return node.kind in ("symbol", "accent", "empty") or (node.kind == "scripts" and node.parts[2] is EMPTY)


_INDICES = frozenset("ijklmnpqrst")


def _unique(nodes: Iterable[Node]) -> list[Node]:
    return list(dict.fromkeys(nodes))


def _sets_apart(node: Node) -> bool:
    """Whether a node has a conditioning bar, or ``\\parallel`` as a double bar."""
    return node.kind == "given" or (node.kind == "chain" and node.value == "\\parallel")


def _content(node: Node) -> Node:
    return node.parts[0] if node.kind == "bracket" else node


def _is_limited(base: Node) -> bool:
    """Whether the index of a function names its bound variable."""
    return base.kind == "name" and (f"\\{base.value}" in v.LIMIT_FUNCTIONS or base.value.startswith("arg"))


def _unwrap(node: Node) -> Node:
    while node.kind in ("group", "operator") and node.parts:
        node = node.parts[0]
    return node


def _binds(lower: Node) -> bool:
    """Whether a subscript names bound variables: ``i=1``, ``x \\in S``, ``x \\sim p``."""
    while lower.kind == "group":
        lower = lower.parts[0]
    if lower.kind == "list":
        return any(_binds(part) for part in lower.parts)
    return lower.kind == "chain" and lower.value in _BINDING | {"="} and lower.parts[0] is not EMPTY


def _differentials(node: Node) -> list[Node]:
    """The differentials of an integral, except those of nested integrals."""
    if node.kind == "differential":
        return [node]
    if node.kind == "integral":
        return []
    return [one for part in node.parts for one in _differentials(part)]
