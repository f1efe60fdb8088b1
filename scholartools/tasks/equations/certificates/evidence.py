"""Infer which letters and calls of formulas are numbers or integers, and which operators probes compute."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from scholartools.tasks.equations.certificates.relations import ORDERS
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

# Letters that are commonly complex numbers.
COMPLEX = frozenset("i j \\mathrm{i} \\mathrm{j} \\imath \\jmath z \\zeta \\psi \\Psi".split())
COMMONLY_WHOLE = frozenset("k l m n p q K L M N".split())


def whole_letters(nodes: Iterable[Node]) -> frozenset[str]:
    """The letters in limits of sums and products, in factorials and in binomial coefficients, which are integers.

    The upper number of a binomial coefficient may be real, except letters that commonly are integers.
    """
    found: set[str] = set()
    for node in nodes:
        for one in node.walk():
            if one.kind == "bind" and one.value in v.BIG:
                for end in one.parts[:2]:
                    found |= _free_letters(end)
            elif one.kind == "call" and one.value in ("!", "!!"):
                for part in one.parts[1:]:
                    found |= _free_letters(part)
            elif one.kind == "call" and one.value == "binom":
                above, below = map(_free_letters, one.parts[1:])
                found |= below | (above & COMMONLY_WHOLE)
    return frozenset(found)


def chosen_letters(nodes: Iterable[Node]) -> frozenset[str]:
    """The letters in binomial coefficients, which are numbers in any case."""
    calls = (one for node in nodes for one in node.walk() if one.kind == "call" and one.value == "binom")
    return frozenset(name for call in calls for part in call.parts[1:] for name in _free_letters(part))


def counted_calls(nodes: Iterable[Node]) -> frozenset[Node]:
    """The calls in limits of sums and products, which are integers: ``|S|``."""
    ends = (
        end
        for node in nodes
        for one in node.walk()
        if one.kind == "bind" and one.value in v.BIG
        for end in one.parts[:2]
    )
    return frozenset(one for end in ends for one in end.walk() if one.kind == "call" and one.value not in _STEPPED)


_STEPPED = frozenset("floor ceil min max ! binom".split())


def letter_key(node: Node) -> str:
    """The key of a letter, which distinguishes a letter with indices from the same letter without any."""
    return f"{node.value}_" if node.parts else node.value


def number_letters(nodes: Iterable[Node]) -> frozenset[str]:
    """The letters that are numbers: bound variables, indices, limits, exponents, denominators; vectors are excluded."""
    found: set[str] = set()
    vectors: set[str] = set()
    for node in nodes:
        for one in node.walk():
            found |= _numbers_of(one)
            vectors |= _vectors_of(one)
    return frozenset(found - vectors)


def conventional_numbers(nodes: Sequence[Node], whole: frozenset[str]) -> frozenset[str]:
    """The lower-case letters of formulas that compute with numbers and contain no likely vector or operator.

    Each formula has a sum, a quotient, a power, an integral or an elementary function, and consists of arithmetic,
    functions of numbers, sums and integrals without capital letters. One letter without indices may be bold or have
    an accent, because products of one vector or operator with numbers commute.
    """
    within = [one for node in nodes for one in node.walk()]
    if not all(map(_is_arithmetic, within)) or not all(any(map(_reckons, node.walk())) for node in nodes):
        return frozenset()
    sides = {part for node in nodes if node.kind == "relation" for part in node.parts}
    letters = {one for one in within if one.kind == "symbol"}
    small = {one for one in letters if _SMALL.match(one.value) or one.value in _NO_VECTORS or letter_key(one) in whole}
    marked = letters - small - sides
    if len(marked) > 1 or any(one.parts or not _MARKED.match(one.value) for one in marked):
        return frozenset()
    called = {one.value for one in within if one.kind == "call"}
    return frozenset(map(letter_key, small | marked)) - called


def _is_arithmetic(node: Node) -> bool:
    """Whether a node is arithmetic, a function of numbers, a sum, a product or an integral."""
    if node.kind == "call":
        return node.value in _OF_NUMBERS or bool(_SMALL.match(node.value)) or node.value in _FUNCTION_LETTERS
    if node.kind == "bind":
        return node.value in v.BIG | v.INTEGRALS
    return node.kind in _ARITHMETIC


_NO_VECTORS = frozenset(["e", "\\%", v.DOTS, v.ENDLESS])
_ARITHMETIC = frozenset("number symbol add mul neg div pow relation derivative empty list tuple".split())
_SMALL = re.compile(
    r"(?:[a-z]|\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|tau|omega|sigma))(?:'*)$"
)
_MARKED = re.compile(r"\\(?:hat|bar|tilde|mathbf|boldsymbol|vec)\{(?:[a-z]|\\[a-z]+)\}$")
_FUNCTION_LETTERS = frozenset("F G \\phi \\psi \\varphi \\chi".split())
_OF_NUMBERS = frozenset(
    "exp log ln lg sin cos tan sinh cosh tanh abs max min floor ceil ! !! binom erf sgn sign ^\\circ".split()
)


def _reckons(node: Node) -> bool:
    is_order = node.kind == "relation" and set(node.value.split(" ")) <= ORDERS
    if is_order or node.kind in ("add", "div", "pow"):
        return True
    return (node.kind == "call" and node.value in _OF_NUMBERS) or (node.kind == "bind" and is_computed(node))


def _vectors_of(node: Node) -> set[str]:
    """The letters in a transpose or a norm."""
    if node.kind == "transpose" or (node.kind == "call" and node.value == "norm"):
        return {letter_key(part) for part in node.parts if part.kind == "symbol"}
    return set()


def _numbers_of(node: Node) -> set[str]:
    if node.kind == "symbol" and node.parts:
        return {name for part in node.parts for name in _free_letters(part)}
    if node.kind == "bind":
        variables = () if node.parts[0] is EMPTY else node.parts[4:]  # elements of a set may be vectors
        return {name for part in (*node.parts[:2], *variables) for name in _free_letters(part)}
    if node.kind == "pow":
        exponent = _free_letters(node.parts[1])
        is_exponential = node.parts[0] == Node("symbol", "e")
        return {name for name in exponent if _SMALL.match(name.removesuffix("_"))} if is_exponential else exponent
    if node.kind == "div":
        return set() if any(map(_shows_matrix, node.parts[1].walk())) else _free_letters(node.parts[1])
    if node.kind == "derivative" and not any(map(_vectors_of, node.walk())):
        return {name for part in node.parts[1:] for name in _free_letters(part)}
    if node.kind == "call":
        return {name for part in node.parts[: None if "'" in node.value else 1] for name in _free_letters(part)}
    return set()


def _shows_matrix(node: Node) -> bool:
    """Whether a node of a denominator shows that its factors may be vectors, matrices or words."""
    if node.kind == "pow":
        is_inverse = node.parts[1].kind == "neg" and node.parts[0].kind in ("add", "call")
        return (is_inverse or node.parts[0].value == "e") and any(_CAPITAL.match(one.value) for one in node.walk())
    if node.kind == "mul":
        return any(one.kind == "symbol" and _WORD.match(one.value) for one in node.parts[1:-1])
    is_marked = node.kind == "symbol" and _OF_VECTORS.search(node.value) is not None
    return is_marked or node.kind == "transpose"


_OF_VECTORS = re.compile(r"\^(?:\*|\\(?:dagger|ast|star|mathsf|top))|\\(?:mathbf|boldsymbol|vec|nabla)")
_WORD = re.compile(r"[a-z ]{2,}$")
_CAPITAL = re.compile(r"[A-Z]$")


def _free_letters(node: Node) -> set[str]:
    """The letters of a formula outside calls, derivatives, transposes and tuples."""
    if node.kind in ("call", "derivative", "transpose", "tuple"):
        return set()
    names = {letter_key(node)} if node.kind == "symbol" else set()
    for part in node.parts if node.kind != "symbol" else ():
        names |= _free_letters(part)
    return names


@lru_cache(maxsize=512)
def is_computed(node: Node) -> bool:
    """Whether probes compute an integral (two finite limits) or a derivative (its variable occurs in the body)."""
    if node.kind == "bind":
        ends = node.parts[:2]
        is_finite = all(end is not EMPTY and all(one.value != v.ENDLESS for one in end.walk()) for end in ends)
        return node.value == "\\int" and is_finite and len(node.parts) == 5
    if node.kind != "derivative" or len(node.parts) < 2:
        return False
    return is_second(node) or (len(node.parts) == 2 and node.parts[1] in node.parts[0].walk())


def is_second(node: Node) -> bool:
    """Whether a node is a second derivative with one variable, which occurs in its body."""
    if node.kind != "derivative" or len(node.parts) < 2 or node.parts[1].kind != "pow":
        return False
    letter, order = node.parts[1].parts
    is_single = node.parts[2:] in ((), (EMPTY, order))
    is_shown = letter.kind == "symbol" and letter in node.parts[0].walk()
    return is_single and is_shown and order == Node("number", "2")


def all_computed(nodes: Iterable[Node]) -> bool:
    """Whether probes compute all integrals and derivatives of statements, and no letter is marked as a derivative.

    Up to two primes of a function of one argument are computed.
    """
    for node in nodes:
        for one in node.walk():
            is_primed = one.kind == "call" and len(one.parts) == 2 and _PRIMED.match(one.value)
            if one.kind in ("call", "symbol") and _DERIVED.search(one.value) and not is_primed:
                return False
            if _is_calculus(one) and not is_computed(one):
                return False
    return True


_PRIMED = re.compile(r"(?:[A-Za-z]|\\(?!nabla|partial|Delta)[A-Za-z]+)'{1,2}$")
_DERIVED = re.compile(r"'|\\(?:d*dot|nabla|partial|Delta)(?![a-z])|^D$")


def works_out(first: Node, second: Node) -> bool:
    """Whether one statement may contain the worked-out value of an integral, limit or derivative of the other."""
    if all_computed([first, second]):
        return False
    signs = [sum(one.kind == "bind" and one.value in v.INTEGRALS for one in node.walk()) for node in (first, second)]
    if signs[0] and signs[1] and signs[0] != signs[1]:  # one of several integrals
        return True
    counts = [sum(_is_calculus(one) for one in node.walk()) for node in (first, second)]
    computable = [sum(_is_computable(one) for one in node.walk()) for node in (first, second)]
    return counts[0] != counts[1] and computable[0] != computable[1]


def _is_calculus(node: Node) -> bool:
    if node.kind == "bind":
        return node.value in v.INTEGRALS or node.value in ("lim", "limsup", "liminf")
    return node.kind == "derivative" or (node.kind == "call" and node.value == "at")


def _is_computable(node: Node) -> bool:
    if node.kind == "derivative":
        return any(variable in node.parts[0].walk() for variable in node.parts[1:])
    if node.kind == "call":
        return node.value == "at"
    if _is_calculus(node):
        return not any(one.kind == "call" and one.value not in _CALCULABLE for one in node.parts[3].walk())
    return False


_CALCULABLE = frozenset("exp log ln sin cos tan sinh cosh tanh abs".split())


def renames(first: Node, second: Node) -> bool:
    """Whether two statements differ only by the names of free letters that may have any value.

    These are indices, and arguments of a side that is a call, that occur on more than one side: ``a_i = b_i`` for all
    ``i`` is ``a_j = b_j`` for all ``j``.
    """
    names: dict[str, str] = {}
    if not pair_names(first, second, names) or len(set(names.values())) != len(names):
        return False
    changed = {before for before, after in names.items() if before != after}
    return bool(changed) and all(stands_for_any(first, name) or _names_entries(first, name) for name in changed)


def _names_entries(statement: Node, name: str) -> bool:
    """Whether a letter only tells entries apart, or is bound by a transform.

    ``A = (a_{ij})``, ``S = \\{a_n\\}`` and ``X_n \\to X`` may have other indices, and a transform another letter.
    """
    if statement.kind != "relation" or len(statement.parts) != 2:
        return False
    sides = [side for side in statement.parts if any(one.value == name for one in side.walk())]
    if len(sides) != 1:
        return False
    (side,), (beside,) = sides, [one for one in statement.parts if one not in sides]
    if "arrow" in statement.value or "\\to" in statement.value:
        return _is_index(side, name)
    entry = side
    while entry.kind == "call" and entry.value in _OF_ENTRIES and len(entry.parts) == 2:
        entry = entry.parts[1]
    is_entry = entry.kind == "symbol" and Node("symbol", name) in entry.parts
    if is_entry and (entry != side or _in_one_case(entry.value) == _in_one_case(beside.value)):
        return True
    calls = [one for one in side.walk() if one.kind == "call" and one.value.startswith(("\\mathcal{", "\\mathscr{"))]
    held = [sum(one == Node("symbol", name) for one in node.walk()) for node in (side, *calls)]
    return held[0] > 0 and held[0] in held[1:] and any(part.kind == "call" for one in calls for part in one.parts)


def _in_one_case(name: str) -> str:
    """A letter in lower case and without its font."""
    return re.sub(r"\\(?:math[a-z]+|boldsymbol|vec|bar|hat)\{(.*)\}", r"\1", name).casefold()


_OF_ENTRIES = frozenset("() [] \\{\\} diag det".split())


def pair_names(first: Node, second: Node, names: dict[str, str]) -> bool:
    """Add the pairs of corresponding letters to ``names``; return whether the trees have the same shape."""
    if first.kind != second.kind or len(first.parts) != len(second.parts):
        return False
    if first.kind == "symbol":
        if names.setdefault(first.value, second.value) != second.value:
            return False
    elif first.value != second.value:
        return False
    return all(pair_names(one, other, names) for one, other in zip(first.parts, second.parts))


def stands_for_any(statement: Node, name: str) -> bool:
    """Whether a letter is a free index, an argument of a side that is a call, or the variable of a set.

    Free indices and arguments must occur on more than one side.
    """
    if _is_of_a_set(statement, name):
        return True
    sides = statement.parts if statement.kind == "relation" else (statement,)
    holding = [side for side in sides if any(one.kind == "symbol" and one.value == name for one in side.walk())]
    if len(holding) < 2:
        return False
    free = [side for side in holding if _stands_free(side, name)]
    return (len(free) > 1 and any(_names_only(side, name) for side in free)) or all(
        _is_index(side, name) for side in holding
    )


_BRACKETS = frozenset(["()", "[]", "\\{\\}", "\\{.", "\\langle\\rangle"])


def _stands_free(node: Node, name: str) -> bool:
    """Whether a letter has a free occurrence."""
    letter = Node("symbol", name)
    if node == letter:
        return True
    if node.kind == "bind" and letter in node.parts[4:]:
        return any(_stands_free(end, name) for end in node.parts[:2])
    return any(_stands_free(part, name) for part in node.parts)


def _names_only(side: Node, name: str) -> bool:
    """Whether a side is a letter or call with the named letter among its indices or arguments."""
    if side.kind == "pow":
        return _names_only(side.parts[0], name)
    is_named = side.kind == "symbol" or (side.kind == "call" and side.value not in _BRACKETS)
    arguments = side.parts if is_named else ()
    within = [one for part in arguments for one in part.walk() if part.kind in ("symbol", "list", "tuple", "add")]
    return any(one == Node("symbol", name) for one in within)


def _is_of_a_set(statement: Node, name: str) -> bool:
    """Whether a letter occurs only in one set that is defined by a condition."""
    sets = [one for one in statement.walk() if one.kind == "call" and one.value in ("\\{\\}", "\\{.")]
    told = [one for one in sets if any(part.value in ("|", ":") or part.kind == "relation" for part in one.walk())]
    counts = [sum(one.kind == "symbol" and one.value == name for one in node.walk()) for node in (statement, *told)]
    return counts[0] > 0 and counts[0] in counts[1:]


def _is_index(node: Node, name: str) -> bool:
    """Whether a letter occurs only in indices, or is bound."""
    if node.kind == "symbol":
        return node.value != name
    if node.kind == "bind" and Node("symbol", name) in node.parts[4:]:
        return True
    return all(_is_index(part, name) for part in (node.parts[1:] if node.kind == "call" else node.parts))
