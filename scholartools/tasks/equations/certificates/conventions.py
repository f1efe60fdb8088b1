"""Conventions of notation, by which two statements with different values may have the same meaning.

Each row of the table has a convention, a pair that may be the same by it, and a similar pair that is not; tests check
both. :func:`rewrite` makes what a convention implies explicit, so that the statements can be compared again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scholartools.tasks.equations.certificates import relations
from scholartools.tasks.equations.certificates.canonical import canonical, negative, spell
from scholartools.tasks.equations.certificates.evidence import all_computed
from scholartools.tasks.equations.certificates.identities import changes_in_and_around, letters, outermost
from scholartools.tasks.equations.certificates.named import count_terms, spell_out_named
from scholartools.tasks.equations.certificates.notation import is_named_by_paper
from scholartools.tasks.equations.certificates.probes import COMPUTED, IMAGINARY
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.parser import DIFFERENTIALS
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_TENSORS = frozenset("\\delta g \\eta \\epsilon \\varepsilon".split())
_NAME = re.compile("[A-Za-z]*[a-z][A-Za-z]*$(?<=..)")
_EMPTY_BASE = Node("symbol", "{}")
_LEVI_CIVITA = frozenset(["\\epsilon", "\\varepsilon"])
_CONSTANTS = frozenset("const Const constant constants".split())
_DIFFERENCES = frozenset("\\triangle \\bigtriangleup \\Delta".split())
_SETS = frozenset("\\cup \\cap \\setminus".split())
_LOGIC = frozenset(["\\vee", "\\wedge"])
_BARS = frozenset(["|", "\\nmid"])
_SHOWS_LOGIC = frozenset("\\vee \\neg \\forall \\exists".split())
_CONJUGATES = ("^*", "^\\star", "^\\ast", "^\\dagger", "^{*}")
_PRIMES = frozenset(["'", "''", "^'", "\\prime", "^\\prime"])
_PRIME = re.compile(r"\^?(?:'|\\prime)+$")
_UNITS = frozenset(
    name if len(name) > 1 else f"\\mathrm{{{name}}}"
    for name in "m cm mm km nm um g kg mg t s ms ns min h d Hz kHz MHz GHz eV keV MeV GeV J kJ cal kcal N kN Pa kPa "
    "MPa bar atm K A mA V mV kV W kW MW L mL l ml mol mmol M mM T G B kB MB GB TB bit bits byte bytes".split()
)
_VALUES = frozenset("symbol number add mul div neg pow".split())
_JOINED = "signs of logic may join relations"
_WEDGES = "a wedge may be the product of forms, which changes sign with its order"


class Convention(NamedTuple):
    """A convention: a predicate on two statements, the reason, an example and a counter-example."""

    applies: Callable[[Node, Node], bool]
    reason: str
    example: tuple[str, str]
    counter: tuple[str, str]


def may_be_convention(first: Node, second: Node) -> str | None:
    """The convention by which two statements with different values may be the same; None if no row applies."""
    one, other = canonical(first), canonical(second)
    return next((row.reason for row in CONVENTIONS if row.applies(one, other)), None)


def rewrite(first: Node, second: Node) -> Iterator[tuple[Node, Node, str]]:
    """Yield the two statements with the implications of a convention made explicit, and the convention."""
    summed = _sum_repeated(first), _sum_repeated(second)
    if summed != (first, second):
        yield *summed, "an index that stands twice is summed over"
    spelled = _spell_means(first, second), _spell_means(second, first)
    if spelled != (first, second):
        yield *spelled, "a letter with a bar is the mean of that letter"
    turned = _turn_conditions(first), _turn_conditions(second)
    if turned != (first, second):
        yield *turned, "the relation below a sum holds both ways"
    elements = _spell_elements(first), _spell_elements(second)
    if elements != (first, second):
        yield *elements, "a power or a transpose of a letter with two indices is that of a matrix"
    # An accent over more than a letter, as in ``\\widehat{x + y}``, may be a Fourier transform or an estimate.
    is_wide = any(
        _ACCENTED.match(f"{one.value}{{}}") for node in (first, second) for one in node.walk() if one.kind == "call"
    )
    spread = (_spread_accents(first), _spread_accents(second)) if is_wide else (first, second)
    linear = _as_map(spread[0], "mul"), _as_map(spread[1], "mul")
    if linear != (first, second):
        yield *linear, "a function is linear"
    counts = [
        _counts(node, lambda one: one.kind == "call" and bool(_MULTIPLICATIVE.match(one.value)))
        for node in (first, second)
    ]
    if counts[0] != counts[1]:  # a call of a product, or a call of each factor
        yield _as_map(first, "pow"), _as_map(second, "pow"), "a function takes products to products"
    values = [
        one for node in (first, second) for one in node.walk() if one.kind == "call" and _ADDITIVE.match(one.value)
    ]
    if any(part.kind in ("mul", "div", "pow") for one in values for part in one.parts[1:]):
        yield _as_map(first, "ln"), _as_map(second, "ln"), "a function takes products to sums"
    problems = _as_problem(first), _as_problem(second)
    if None not in problems:
        yield *problems, "an extreme without a relation is a problem, whose solutions count"  # type: ignore[misc]
    yield from spell_out_named(first, second)
    yield from count_terms(first, second)


def _as_problem(node: Node) -> Node | None:
    """The solution of a problem of optimisation, which is an extreme without a relation; None for other statements."""
    found = [one for one in outermost(node, lambda one: one.kind == "bind") if one.value in ("max", "sup")]
    if node.kind == "relation" or len(found) != 1:
        return None
    return Node("relation", "=", (Node("symbol", "solution"), replace(found[0], value="argmax")))


def _as_map(node: Node, way: str) -> Node:
    """Replace functions by factors, powers or logarithms, if they may be linear, or take products to products or sums.

    Args:
        way: ``mul``, ``pow`` or ``ln``.
    """
    parts = tuple(_as_map(part, way) for part in node.parts)
    if node.kind != "call" or len(parts) != 2 or not _MAPS[way].match(node.value):
        return Node(node.kind, node.value, parts) if parts else node
    held = Node("symbol", f"of {node.value}", parts[0].parts)
    if way == "ln":
        return Node("mul", "", (held, Node("call", "ln", (Node("list"), parts[1]))))
    return Node(way, "", (held, parts[1]) if way == "mul" else (parts[1], held))


_LINEAR = re.compile(r"(?:\\mathbf\{)?[A-EH-Z]\}?$|\\(?:mathcal|mathscr)\{[A-Z]\}(?:\^-1)?$|\\(?:hat|tilde|underline)$")
_ACCENTED = re.compile(r"(\\(?:hat|tilde|underline))\{(.*)\}$")
_MULTIPLICATIVE = re.compile(r"\\(?:phi|varphi|rho|chi|psi|pi|mu)$|[fgh]$")
_ADDITIVE = re.compile(r"(?:[vwhdIS]|\\(?:nu|omega|Omega|ell))$")
_MAPS = {"mul": _LINEAR, "pow": _MULTIPLICATIVE, "ln": _ADDITIVE}


def _spread_accents(node: Node) -> Node:
    """Replace accented letters by calls of the accent."""
    found = _ACCENTED.match(node.value) if node.kind == "symbol" else None
    if found is not None:
        return Node("call", found[1], (Node("list"), Node("symbol", found[2], node.parts)))
    return Node(node.kind, node.value, tuple(map(_spread_accents, node.parts))) if node.parts else node


def _turn_conditions(node: Node) -> Node:
    """Sort the sides of relations below operators, unless the relation is asymmetric."""
    parts = tuple(map(_turn_conditions, node.parts))
    is_told = node.kind == "bind" and node.value in v.BIG and parts[2].kind == "relation"
    if is_told and not relations.is_one_way(parts[2].value):
        sides = sorted(parts[2].parts, key=spell)
        letters = sorted({*parts[4:], *(side for side in sides if side.kind == "symbol")}, key=spell)
        parts = (*parts[:2], Node("relation", parts[2].value, tuple(sides)), parts[3], *letters)
    return Node(node.kind, node.value, parts) if parts else node


def _spell_elements(node: Node) -> Node:
    """Spell out elements of transposes and squares of matrices: ``A^\\top_{ij}`` is ``A_{ji}``."""
    parts = tuple(map(_spell_elements, node.parts))
    if node.kind not in ("transpose", "pow") or parts[0].kind != "symbol" or len(parts[0].parts) != 2:
        return Node(node.kind, node.value, parts) if parts else node
    name, (row, column) = parts[0].value, parts[0].parts
    if node.kind == "transpose":
        return Node("symbol", name, (column, row))
    if parts[1] == Node("number", "2"):
        beside = Node("symbol", "\\iota")
        product = Node("mul", "", (Node("symbol", name, (row, beside)), Node("symbol", name, (beside, column))))
        return Node("bind", "\\sum", (EMPTY, EMPTY, EMPTY, product, beside))
    return Node(node.kind, node.value, parts)


def may_be_inverted(first: Sequence[Node], second: Sequence[Node]) -> str | None:
    """Why two formulas may differ in an element of an inverse: ``A^{-1}_{ij}`` may be more than ``1 / A_{ij}``."""
    counts = [
        Counter(one for node in statements for one in node.walk() if _inverts(one)) for statements in (first, second)
    ]
    return (
        "a negative power of a letter with two indices may be an element of an inverse"
        if counts[0] != counts[1]
        else None
    )


def _inverts(node: Node) -> bool:
    if node.kind != "pow" or node.parts[0].kind != "symbol" or len(node.parts[0].parts) != 2:
        return False
    letter = node.parts[0].value.removeprefix("\\")
    return node.parts[1].kind == "neg" and (letter[:1].isupper() or "bold" in letter or letter.startswith("mathbf"))


def _counts(node: Node, holds: Callable[[Node], bool]) -> Counter[str]:
    return Counter(one.value for one in node.walk() if holds(one))


def _is_in_corners(node: Node) -> bool:
    return node.kind == "call" and "corner" in node.value


def _contracts(first: Node, second: Node) -> bool:
    counts = [_counts(node, _is_tensor) for node in (first, second)]
    return counts[0] != counts[1]


def _is_tensor(node: Node) -> bool:
    """Whether a node is a tensor with several indices, or with upper indices, which look like an exponent."""
    if node.kind == "pow" and node.parts[1].kind == "mul":
        return node.parts[0].value in _TENSORS
    return node.kind == "symbol" and node.value in _TENSORS and len(node.parts) > 1


def _raises_delta(first: Node, second: Node) -> bool:
    """Whether powers or absolute values with a Kronecker delta, which is 0 or 1, differ."""
    powers = [
        _counts(node, lambda one: _is_raised(one) and any(_is_delta(part) for part in one.walk()))
        for node in (first, second)
    ]
    return powers[0] != powers[1]


def _is_raised(node: Node) -> bool:
    return node.kind == "pow" or (node.kind == "call" and node.value == "abs")


def _is_delta(node: Node) -> bool:
    return node.kind == "symbol" and node.value == "\\delta" and len(node.parts) > 1


def _reckons_with_infinity(first: Node, second: Node) -> bool:
    """Whether infinity is a term, a factor or an argument, where laws of arithmetic do not hold."""
    sides = [side for node in (first, second) for side in (node.parts if node.kind == "relation" else (node,))]
    return any(_holds_infinity(side) for side in sides if side.value != "\\infty")


def _holds_infinity(node: Node) -> bool:
    if node.kind == "symbol":
        return node.value == "\\infty"
    if node.kind == "pow":  # infinity as a superscript of a letter may be a label
        is_label = node.parts[0].kind == "symbol" and node.parts[0].value not in ("e", "\\pi")
        return any(map(_holds_infinity, node.parts[: 1 if is_label and node.parts[1].value == v.ENDLESS else 2]))
    is_base = node.kind == "call" and node.value == "log"
    skipped = {"bind": slice(3, 4), "call": slice(0 if is_base else 1, None)}.get(node.kind, slice(None))
    return any(map(_holds_infinity, node.parts[skipped]))


def _permutes(first: Node, second: Node) -> bool:
    indices = frozenset(part for one in first.walk() if _is_levi_civita(one) for part in one.parts)
    return bool(indices) and spell(_without_names(first, indices)) == spell(_without_names(second, indices))


def _is_levi_civita(node: Node) -> bool:
    """Whether a letter is an epsilon with several indices; one without is a small number."""
    return node.kind == "symbol" and node.value in _LEVI_CIVITA and len(node.parts) > 1


def _without_names(node: Node, indices: frozenset[Node]) -> Node:
    """Remove signs and the names of some indices, and sort factors, terms and sides."""
    if node in indices:
        return EMPTY
    if node.kind == "number":
        return Node("number", node.value.removeprefix("-"))
    parts = [_without_names(part, indices) for part in node.parts]
    if node.kind == "mul":
        parts = [part for part in parts if part != Node("number", "1")]
    if node.kind == "mul" and len(parts) == 1 < len(node.parts):
        return parts[0]
    if node.kind in ("add", "mul", "relation"):
        parts.sort(key=spell)
    return Node(node.kind, node.value, tuple(parts))


def _differ_in_degrees(first: Node, second: Node) -> bool:
    counts = [_counts(node, lambda one: one.value.endswith(("^\\circ", "\\degree"))) for node in (first, second)]
    return counts[0].total() != counts[1].total()


def _hold_constants(first: Node, second: Node) -> bool:
    def is_free(one: Node) -> bool:
        is_named = one.kind == "symbol" and one.value.removeprefix("\\mathrm{").removesuffix("}") in _CONSTANTS
        return is_named or (one.kind == "bind" and one.value == "\\int" and one.parts[:3] == (EMPTY, EMPTY, EMPTY))

    sides = [Counter(node.parts) for node in (first, second)]
    apart = [*(sides[0] - sides[1]), *(sides[1] - sides[0])]
    is_added = any(one.kind == "add" and any(map(is_free, one.parts)) for side in apart for one in side.walk())
    is_held = any(is_free(one) for node in (first, second) for one in node.walk())
    return is_added or (is_held and any(side.kind == "add" for side in apart))


def _differ_in_difference(first: Node, second: Node) -> bool:
    if not any(one.value in _SETS for node in (first, second) for one in node.walk()):
        return False
    counts = [_counts(node, lambda one: one.value in _DIFFERENCES) for node in (first, second)]
    return counts[0] != counts[1]


def _joins_by_dashes(first: Node, second: Node) -> bool:
    return all(node.kind == "add" and len(node.parts) > 2 and not _is_reckoned(node) for node in (first, second))


def _is_reckoned(node: Node) -> bool:
    """Whether a sum contains more than letters and minus signs."""
    return any(one.kind not in ("symbol", "number", "add", "mul") or one.value == "+" for one in node.walk())


def _joins_relations(first: Node, second: Node) -> bool:
    return any(map(_holds_joined, (first, second)))


def _holds_joined(node: Node) -> bool:
    """Whether a chain of relations has a sign of logic, or between orders of numbers one of sets, in a middle side."""
    if node.value in _BARS and any(part.value in _BARS for part in node.parts):  # a chain of "divides"
        return any(part.value in _LOGIC for part in node.walk())
    if node.kind != "relation" or " " not in node.value:
        return False
    signs = _LOGIC | _SETS if set(node.value.split(" ")) <= relations.ORDERS else _LOGIC
    return any(part.value in signs for part in node.parts)


def may_be_joined(first: Sequence[Node], second: Sequence[Node]) -> str | None:
    """Why two formulas may differ although their chains have equal sides; None if no sign may join relations.

    ``a < b \\wedge b < c`` is two relations and not a chain in which ``b \\wedge b`` is ``b``.
    """
    joined = [
        Counter(part for one in statements for part in outermost(one, _holds_joined)) for statements in (first, second)
    ]
    return _JOINED if joined[0] != joined[1] else None


def _turns_wedges(first: Node, second: Node) -> bool:
    """Whether wedge products differ, and no sign shows that the wedge is a logical one."""
    if any(one.value in _SHOWS_LOGIC for node in (first, second) for one in node.walk()):
        return False
    wedges = [Counter(map(spell, outermost(node, lambda one: one.value == "\\wedge"))) for node in (first, second)]
    return wedges[0] != wedges[1]


def may_be_of_forms(first: Sequence[Node], second: Sequence[Node]) -> str | None:
    """Why two formulas may differ by the order of a product of forms; None if their wedges are equal."""
    return _WEDGES if any(_turns_wedges(one, other) for one, other in zip(first, second)) else None


def _differ_in_limits(first: Node, second: Node) -> bool:
    limits = [
        Counter(map(spell, outermost(node, lambda one: one.kind == "bind" and one.value.startswith("lim"))))
        for node in (first, second)
    ]
    return limits[0] != limits[1] and bool(limits[0]) and bool(limits[1])


def _has_other_factors(first: Node, second: Node) -> bool:
    if first.value != second.value or first.value not in relations.UP_TO_FACTORS - {"\\sim"}:
        return False
    letters = [{one.value for one in node.walk() if one.kind == "symbol"} for node in (first, second)]
    return letters[0] != letters[1]


def _takes_complements(first: Node, second: Node) -> bool:
    """Whether probabilities and their surroundings differ, one of a complement, or as a term beside a number."""
    sums = [one for node in (first, second) for one in node.walk() if one.kind == "add"]
    rests = [one for one in sums if any(part.kind == "number" for part in one.parts)]
    calls = [one for node in (first, second) for one in node.walk() if _is_probability(one)]
    is_shown = any(_COMPLEMENT.match(part.value) for call in calls for part in call.walk())
    if not is_shown and not any(_is_probability(part) for one in rests for part in one.walk()):
        return False
    return changes_in_and_around(first, second, _is_probability)


_COMPLEMENT = re.compile(r"\\(?:bar|tilde)(?:\{|$)|\\(?:neg|sim|complement)$|[cC]$|[A-Z]'|[A-Z]\^")


def _is_probability(node: Node) -> bool:
    return node.kind == "call" and node.value in v.PROBABILITIES


def _runs_otherwise(first: Node, second: Node) -> bool:
    """Whether sums without two finite limits differ only in how letters and functions depend on the index."""
    sums = [list(outermost(node, _has_no_ends)) for node in (first, second)]
    if len(sums[0]) != len(sums[1]) or Counter(sums[0]) == Counter(sums[1]):
        return False
    if all(len(one.parts) == 5 and not any(map(_has_no_ends, one.parts[3].walk())) for found in sums for one in found):
        return False  # substitutions of a single variable are tried elsewhere
    holes = [Counter(spell(_without_index(one, one.parts[4:])) for one in found) for found in sums]
    return holes[0] == holes[1]


def _has_no_ends(node: Node) -> bool:
    return (
        node.kind == "bind"
        and node.value in ("\\sum", "\\prod")
        and (node.parts[1] is EMPTY or any(one.value == "\\infty" for part in node.parts[:2] for one in part.walk()))
    )


def _without_index(node: Node, variables: Sequence[Node]) -> Node:
    """Replace each index, argument or exponent that contains a bound variable by a placeholder."""
    parts = []
    for place, part in enumerate(node.parts):
        is_slot = node.kind in ("symbol", "list") or (place > 0 and node.kind in ("call", "pow"))
        holds = any(one in variables for one in part.walk())
        parts.append(EMPTY if is_slot and holds else _without_index(part, variables))
    return Node(node.kind, node.value, tuple(parts))


def _differ_in_conjugates(first: Node, second: Node) -> bool:
    nodes = [list(node.walk()) for node in (first, second)]
    counts = [sum(one.value.startswith("\\bar") or one.value.endswith(_CONJUGATES) for one in line) for line in nodes]
    return counts[0] != counts[1] and any(one in IMAGINARY for line in nodes for one in line)


def _differ_in_primes(first: Node, second: Node) -> bool:
    """Whether both primes and other parts differ: ``(x^2)' = 2x``; statements that differ only by primes are different.

    False if all derivatives of the same functions are computed: ``f'(2x)`` is half of ``df(2x)/dx``.
    """
    called = [{one.value.rstrip("'") for one in node.walk() if one.kind == "call"} for node in (first, second)]
    if called[0] == called[1] and all_computed([first, second]):
        return False
    counts = [sum(map(_has_prime, node.walk())) for node in (first, second)]
    return counts[0] != counts[1] and spell(_without_primes(first)) != spell(_without_primes(second))


def _without_primes(node: Node) -> Node:
    parts = tuple(map(_without_primes, node.parts))
    if node.kind == "call" and node.value in _PRIMES:
        return parts[-1]
    return Node(node.kind, _PRIME.sub("", node.value), parts)


def _marks_inverses(first: Node, second: Node) -> bool:
    """Whether both the marks of letters and the inverses in two statements differ."""
    marks = [_counts(node, lambda one: one.kind == "symbol" and "^" in one.value) for node in (first, second)]
    inverses = [
        Counter(one for one in node.walk() if one.kind == "pow" and spell(one.parts[1]).startswith("number:-"))
        for node in (first, second)
    ]
    return marks[0] != marks[1] and inverses[0] != inverses[1]


def _turns_primes(first: Node, second: Node) -> bool:
    """Whether a prime moves between two adjacent letters or sides, and may be a transpose: ``x' y`` of two vectors."""
    if _without_turned(first) != first and _without_turned(first) == _without_turned(second):
        return True
    # ``x'(t) = y(t)`` is ``x(t) = y'(t)``: both sides are transposed.
    sides = [tuple(any(map(_has_prime, side.walk())) for side in node.parts) for node in (first, second)]
    return set(sides) == {(True, False), (False, True)} and _without_primes(first) == _without_primes(second)


def _has_prime(node: Node) -> bool:
    return _PRIME.search(node.value) is not None


def _without_turned(node: Node) -> Node:
    parts = tuple(map(_without_turned, node.parts))
    primed = [one.value.endswith("'") for one in parts if one.kind == "symbol"]
    if node.kind == "mul" and primed == [True, False] and parts[-1].kind == parts[-2].kind == "symbol":
        pair = sorted((Node("symbol", one.value.rstrip("'"), one.parts) for one in parts[-2:]), key=spell)
        parts = (*parts[:-2], *pair)
    return Node(node.kind, node.value, parts) if parts else node


def _converts_units(first: Node, second: Node) -> bool:
    """Whether both units and numbers differ, or units of several letters."""
    units = [_counts(node, lambda one: one.kind == "symbol" and one.value in _UNITS) for node in (first, second)]
    numbers = [_counts(node, lambda one: one.kind == "number") for node in (first, second)]
    amounts = [_amount_units(node) for node in (first, second)]
    upright = [set(filter(_is_upright_amount, node.parts)) for node in (first, second)]
    names = [Counter(one.value for side in sides for one in side.walk() if one.kind == "symbol") for sides in upright]
    is_compound = names[0] != names[1] and any(not one.keys() <= _UNITS for one in names)
    if all(names) and (is_compound or (upright[0] != upright[1] and any(len(one) > 1 for one in names))):
        return True  # a unit may be a product of others
    beside = [_upright_beside_numbers(node) for node in (first, second)]
    symbols = [_counts(node, lambda one: one.kind == "symbol") for node in (first, second)]
    if beside[0] != beside[1] and symbols[0] != symbols[1] and numbers[0] != numbers[1]:
        return True
    is_converted = any(all(found) and found[0] != found[1] for found in (units, amounts))
    return is_converted and numbers[0] != numbers[1]


def _upright_beside_numbers(node: Node) -> Counter[str]:
    """The upright letters and signs of shares that are factors of numbers."""
    products = (one.parts for one in node.walk() if one.kind == "mul" and one.parts[0].kind == "number")
    bases = (one.parts[0] if one.kind == "pow" else one for parts in products for one in parts)
    return Counter(one.value for one in bases if one.kind == "symbol" and _SIGN_OF_UNIT.match(one.value))


def _is_upright_amount(side: Node) -> bool:
    """Whether a side consists of a number and upright letters, as in ``8 \\mathrm{J \\, mol^{-1}}``, or is a unit."""
    letters = [one.value for one in side.walk() if one.kind == "symbol"]
    if side.kind == "symbol":  # a factor 1 is left out
        return bool(_UNIT_ALONE.match(side.value))
    is_plain = all(one.kind in ("mul", "pow", "symbol", "number") for one in side.walk())
    return is_plain and any(one.kind == "number" for one in side.parts) and all(map(_UPRIGHT.match, letters))


_UPRIGHT = re.compile(r"\\mathrm\{|[A-Za-z/]{2,}$")
_SIGN_OF_UNIT = re.compile(r"\\(?:mathrm\{|text\{|[%$]$)|[A-Za-z/]{2,}$")
_UNIT_ALONE = re.compile(r"\\mathrm\{[A-Z]\}$|(?:[mkMG]?(?:[NmsAVWJCKT]|Pa|Hz|mol|kg)/?){2,}$")


def _turns_units(first: Node, second: Node) -> bool:
    """Whether units of quaternions or spin matrices are multiplied in another order, and ``i`` or ``j`` occurs."""
    terms = [
        [term for side in node.parts for term in (side.parts if side.kind == "add" else (side,)) if term.kind == "mul"]
        for node in (first, second)
    ]
    pairs = [
        Counter(pair for one in found for pair in zip(one.parts, one.parts[1:]) if _are_units(*pair)) for found in terms
    ]
    return pairs[0] != pairs[1] and any(
        one.value in _UNITS_OF_NUMBERS for node in (first, second) for one in node.walk()
    )


def _are_units(one: Node, other: Node) -> bool:
    is_of_quaternions = not one.parts and one.value in _UNITS_OF_NUMBERS and other.value in _UNITS_OF_NUMBERS
    is_of_spin = (
        one.kind == other.kind == "symbol" and one.value == other.value and len(one.parts) == len(other.parts) == 1
    )
    return one != other and (is_of_quaternions or is_of_spin)


_UNITS_OF_NUMBERS = frozenset(
    f"{font}{one}{end}" for font, end in (("", ""), ("\\mathbf{", "}"), ("\\mathrm{", "}")) for one in "ijk"
)


def _leaves_unit_out(first: Node, second: Node) -> bool:
    """Whether only one statement has a quantity with a unit, which the text may give for the other.

    A letter behind a number may stand for zeros: ``n = 10k`` may be ``n = 10000``.
    """
    sides = [set(node.parts) for node in (first, second)]
    apart = sides[0] - sides[1], sides[1] - sides[0]
    is_spelled = any(
        all(_is_number_with_letter(side) for side in one) and all(side.kind == "number" for side in other)
        for one, other in (apart, apart[::-1])
        if one and other
    )
    nodes = [list(node.walk()) for node in (first, second)]
    names = [{one.value for one in line if one.kind == "symbol"} for line in nodes]
    beside = [_upright_beside_numbers(node) for node in (first, second)]
    units = [
        {name for name in found if name in _UNITS or "/" in name} | numbered.keys()
        for found, numbered in zip(names, beside)
    ]
    is_left_out = any(units[one] and not units[other] | (units[one] & names[other]) for one, other in ((0, 1), (1, 0)))
    is_of_both = beside[0] != beside[1] and any(one.kind == "signed" for line in nodes for one in line)
    is_amount = [bool(_amount_units(node)) for node in (first, second)]
    return is_spelled or is_left_out or is_of_both or is_amount[0] != is_amount[1]


def _is_number_with_letter(side: Node) -> bool:
    """Whether a side is a number times a letter, which may be a unit or stand for zeros."""
    return side.kind == "mul" and [part.kind for part in side.parts] == ["number", "symbol"]


def _amount_units(node: Node) -> set[str | None]:
    """The units of sides that are quantities."""
    return set(map(_unit_of, node.parts if node.kind == "relation" else (node,))) - {None}


def _unit_of(side: Node) -> str | None:
    """The unit of a side that is a quantity, such as ``3 \\text{m/s}`` or ``28 \\%``; None for other sides."""
    leaves = [one for one in side.walk() if not one.parts]
    units = [one.value for one in leaves if one.kind == "symbol"]
    is_plain = len(units) == 1 and all(one.kind in ("symbol", "number") for one in leaves)
    if not is_plain or (side.kind != "mul" and (side.kind != "symbol" or "{" in units[0])):  # ``1 kg`` is a letter
        return None
    return units[0] if units[0] in _UNITS or (side.kind == "mul" and _UNIT.match(units[0])) else None


_UNIT = re.compile(r"[A-Za-z]{2,}$|[A-Za-z]+/[A-Za-z]+$|\\[$%]$|\\(?:pounds|euro|EUR)$|\\mathrm\{[^\x00-\x7F]\}$")


def _differ_in_labels(first: Node, second: Node) -> bool:
    labels = [Counter(one.parts[0] for one in node.walk() if one.value == "label") for node in (first, second)]
    return labels[0] != labels[1]


def _may_be_fractional(first: Node, second: Node) -> bool:
    counts = [sum(map(_is_braced, node.walk())) for node in (first, second)]
    return counts[0] != counts[1]


def _is_braced(node: Node) -> bool:
    """Whether a node is a single value in braces."""
    return node.kind == "call" and node.value == "\\{\\}" and len(node.parts) == 2 and node.parts[1].kind in _VALUES


def _spares_signs(first: Node, second: Node) -> bool:
    """Whether only one statement has plus-minus signs, which state two equations at once."""
    counts = [sum(one.kind == "signed" for one in node.walk()) for node in (first, second)]
    return counts[0] != counts[1] and 0 in counts


def _integrates_differentials(first: Node, second: Node) -> bool:
    """Whether one statement has more differentials as factors, and the other more integrals or derivatives."""
    one, other = (sum(map(_is_differential, node.walk())) for node in (first, second))
    counts = [sum(one.kind == "derivative" or _is_integral(one) for one in node.walk()) for node in (first, second)]
    return (one > other) == (counts[0] < counts[1]) and one != other and counts[0] != counts[1]


def _names_derivative(first: Node, second: Node) -> bool:
    """Whether a function of only one statement may be a derivative or an integral that only the other writes out."""
    nodes = [list(node.walk()) for node in (first, second)]
    names = [{one.value for one in line if one.kind == "call" and is_named_by_paper(one.value)} for line in nodes]
    written = [Counter(one for one in line if one.kind == "derivative" or _is_integral(one)) for line in nodes]
    return any(names[one] - names[other] and written[other] - written[one] for one, other in ((0, 1), (1, 0)))


def _is_differential(node: Node) -> bool:
    return node.kind == "mul" and any(one.value in DIFFERENTIALS | {"\\delta", "\\Delta"} for one in node.parts[:-1])


def _is_integral(node: Node) -> bool:
    return node.kind == "bind" and node.value in v.INTEGRALS


def _works_out_signs(first: Node, second: Node) -> bool:
    """Whether constants with known laws, or idempotent or self-inverse signs that occur twice, differ."""
    counts = [Counter(one for one in node.walk() if _has_laws(one)) for node in (first, second)]
    return counts[0] != counts[1]


def _has_laws(node: Node) -> bool:
    parts = node.parts
    if node.kind == "symbol":
        return node.value in _WITH_LAWS or bool(_TWICE.search(node.value))  # a repeated mean or closure
    if node.kind == "pow":  # a repeated complement or differential
        is_second = parts[0].value in DIFFERENTIALS and parts[1] == Node("number", "2")
        return is_second or (parts[0].kind == "pow" and parts[0].parts[1] == parts[1])
    if node.kind == "mul":
        return any(one == other and one.value in _CANCELLING for one, other in zip(parts, parts[1:]))
    if node.kind != "call":
        return False
    if node.value in _IDEMPOTENT and (parts[-1].kind, parts[-1].value) == ("call", node.value):
        return True
    held = {one.value for one in parts}
    if node.value == "\\vec":
        return parts[-1].kind == "number"
    if node.value == "norm":  # of a vector of ones, which depends on its length
        return any(one.value in _WITH_LAWS for one in node.walk())
    return (node.value in v.PROBABILITIES and "\\Omega" in held) or (node.value == "abs" and "\\{\\}" in held)


_WITH_LAWS = frozenset(
    "\\emptyset \\bot \\top \\mathrm{e} \\mathbf{0} \\mathbf{1} \\boldsymbol{0} \\boldsymbol{1} \\mathbb{1}".split()
)
_CANCELLING = DIFFERENTIALS | {"\\neg", "not", "\\Re"}
_IDEMPOTENT = v.ACCENTS - {"\\dot", "\\ddot", "\\dddot"} | {"\\Re", "Re"}
_TWICE = re.compile(r"(\*|\\(?:dagger|ast|star))\^?\1$|(\\(?!d*dot\b)[a-z]+)\{\2\{")


def _chooses(first: Node, second: Node) -> bool:
    """Whether ``C`` with two scripts is more frequent or rarer, and so are factorials or binomial coefficients."""
    counts = [[sum(map(holds, node.walk())) for holds in (_is_choice, _is_chosen)] for node in (first, second)]
    return counts[0][0] != counts[1][0] and counts[0][1] != counts[1][1]


def _is_choice(node: Node) -> bool:
    return node.kind == "pow" and node.parts[0].value == "C" and len(node.parts[0].parts) == 1


def _is_chosen(node: Node) -> bool:
    return node.kind == "call" and node.value in ("!", "binom")


def _averages(first: Node, second: Node) -> bool:
    """Whether the mean of a letter occurs, and sums over this letter without a number of terms differ."""
    sums = [Counter(outermost(node, _has_no_ends)) for node in (first, second)]
    if sums[0] == sums[1]:
        return False
    names = {one.value[5:-1] for node in (first, second) for one in node.walk() if one.value.startswith("\\bar{")}
    return any(one.value in names and one.parts for found in sums for total in found for one in total.walk())


def _scales_impulse(first: Node, second: Node) -> bool:
    """Whether both the arguments and the surroundings of a Dirac delta differ."""
    return changes_in_and_around(first, second, lambda one: one.kind == "call" and one.value == "\\delta")


def _spreads(first: Node, second: Node) -> bool:
    """Whether calls of mu or sigma differ that may be the mean, spread or measure of what has capital letters."""

    def is_spread(one: Node) -> bool:
        if one.kind == "pow":
            return one.parts[0].kind == "call" and one.parts[0].value == "\\sigma"
        return one.kind == "call" and one.value in ("\\mu", "\\sigma") and _has_capitals_only(one.parts[1:])

    return _differ_in(first, second, is_spread)


def _has_capitals_only(arguments: Sequence[Node]) -> bool:
    """Whether the letters of some arguments are capital letters without indices, as for random variables and sets."""
    found = [one for argument in arguments for one in argument.walk() if one.kind == "symbol"]
    return bool(found) and all(not one.parts and _CAPITAL.search(one.value) for one in found)


_CAPITAL = re.compile(r"(?:^|\{)[A-Z](?:$|\}|\^)")


def _measures(first: Node, second: Node) -> bool:
    """Whether entropies of random variables and their surroundings differ."""

    def is_entropy(one: Node) -> bool:
        return (
            one.kind == "call"
            and one.value in "hH"
            and any(part.kind == "symbol" and part.value.isupper() for part in one.walk())
        )

    return changes_in_and_around(first, second, is_entropy)


def _conjugates_brackets(first: Node, second: Node) -> bool:
    """Whether brackets of two states differ, and marks of conjugates or bars over brackets occur."""
    conjugated = [_counts(node, _is_conjugated).total() for node in (first, second)]
    is_bracket = _differ_in(first, second, lambda one: one.kind == "call" and one.value == "\\langle\\rangle")
    return is_bracket and conjugated[0] + conjugated[1] > 0


def _is_conjugated(node: Node) -> bool:
    """Whether a node has a mark of a conjugate, or is an expression under a bar."""
    return node.value.endswith(_CONJUGATES) or (node.kind == "call" and node.value == "\\bar")


def _joins_by_triangle(first: Node, second: Node) -> bool:
    """Whether a side is a triangle between two capital letters, and both statements have the same letters."""
    letters = [{one.value for one in node.walk() if one.kind == "symbol"} for node in (first, second)]
    sides = [side.parts for node in (first, second) for side in node.parts if side.kind == "mul"]
    joined = [one for one in sides if len(one) == 3 and one[1].value in _DIFFERENCES]
    return letters[0] == letters[1] and any(one[0].value.isupper() and one[2].value.isupper() for one in joined)


def _turns_arrows(first: Node, second: Node) -> bool:
    """Whether arrows between two points differ."""

    def is_arrow(one: Node) -> bool:
        return one.kind == "call" and one.value == "\\vec" and one.parts[1].kind == "mul"

    return _differ_in(first, second, is_arrow)


def _differ_in(first: Node, second: Node, is_part: Callable[[Node], bool]) -> bool:
    return Counter(outermost(first, is_part)) != Counter(outermost(second, is_part))


def _differ_in_empty(first: Node, second: Node) -> bool:
    counts = [Counter(outermost(node, lambda one: _EMPTY_BASE in one.parts)) for node in (first, second)]
    return counts[0] != counts[1]


def _differ_in_named(first: Node, second: Node) -> bool:
    named = [Counter(pair for part in node.walk() for pair in _named_factors(part)) for node in (first, second)]
    return named[0] != named[1]


def _named_factors(node: Node) -> list[tuple[Node, ...]]:
    """The factors that have a name in small letters, each with the factor behind it."""
    if node.kind != "mul":
        return []
    bases = [one.parts[0] if one.kind == "pow" else one for one in node.parts]
    is_name = [base.kind == "symbol" and bool(_NAME.match(base.value)) for base in bases]
    return [tuple(pair) for named, *pair in zip(is_name, node.parts, node.parts[1:]) if named]


def _differ_in_differentials(first: Node, second: Node) -> bool:
    """Whether a ``d`` stands before different functions, and before a letter in one of two statements."""
    behind = [
        Counter(
            after
            for part in node.walk()
            for before, after in zip(part.parts, part.parts[1:])
            if part.kind == "mul" and before.value in DIFFERENTIALS
        )
        for node in (first, second)
    ]
    is_shown = any(one.kind == "symbol" for counts in behind for one in counts)
    worked = [{one: count for one, count in counts.items() if one.kind != "symbol"} for counts in behind]
    return is_shown and worked[0] != worked[1]


def _obeys_law(first: Node, second: Node) -> bool:
    """Whether a sequence or a function may obey a law that turns one statement into the other.

    ``F_{n+1} = F_n + F_{n-1}``, ``N(-d) = 1 - N(d)`` and ``(1 - L) y_t = y_t - y_{t-1}``. A statement that only lacks
    a term or factor of the other differs.
    """
    if _token_counts(first) == _token_counts(second):  # letters or signs are exchanged
        return False
    nodes = [[one for one in node.walk() if _places(one)] for node in (first, second)]
    for name in sorted({one.value.rstrip("'") for line in nodes for one in line}):
        counts = [Counter(one for one in line if one.value.rstrip("'") == name) for line in nodes]
        if counts[0] != counts[1] and _may_be_derived(first, second, counts):
            return True
    return False


def _token_counts(node: Node) -> list[tuple[str, int]]:
    """How often each letter, number and function of a statement occurs, without names and signs."""
    kept = (one for one in node.walk() if one.kind in ("symbol", "number", "call") and one.value != "-1")
    return sorted((kind, count) for (kind, _), count in Counter((one.kind, one.value) for one in kept).items())


def _may_be_derived(first: Node, second: Node, counts: Sequence[Counter[Node]]) -> bool:
    """Whether a law may derive the values of a sequence or function in one statement from those in the other."""
    told = {*counts[0], *counts[1]}
    is_shifted = any(place.kind == "add" for one in told for place in _places(one))
    is_special = any(map(_is_special, told))
    lacking = _lack(first, told), _lack(second, told)
    if is_shifted and any(map(_OPERATOR.match, letters(lacking[0]) ^ letters(lacking[1]))):
        return True
    if counts[0].total() == counts[1].total():
        is_told = is_shifted or any(map(_has_order, told)) or {*map(_turn_places, counts[0])} & {*counts[1]}
        return is_special and bool(is_told) and changes_in_and_around(first, second, told.__contains__)
    is_part = counts[0] <= counts[1] or counts[1] <= counts[0]
    return (is_shifted or is_special) and not (is_part and canonical(lacking[0]) == canonical(lacking[1]))


_OPERATOR = re.compile(r"(?:[A-Zzq]|\\Delta|\\nabla)$")
# Capital and Greek letters, except those of expectations, probabilities and variances.
_SPECIAL = re.compile(
    r"(?:[A-DF-OQ-UW-Z]|\\(?:[Gg]amma|[Pp]hi|varphi|[Pp]si|zeta|eta|digamma|[Tt]heta|vartheta|beta|mu|[Ll]ambda|tau|[Ss]igma"
    r"|[Pp]i|chi|wp))$"
)


def _places(node: Node) -> tuple[Node, ...]:
    """The indices of a letter, or the arguments of a function that is not computed."""
    if node.kind == "call":
        return () if node.value in COMPUTED else node.parts[1:]
    return node.parts if node.kind == "symbol" else ()


def _is_special(node: Node) -> bool:
    """Whether a node is a call of a function that may be a distribution, a special function or a polynomial."""
    return node.kind == "call" and (bool(_SPECIAL.match(node.value)) or _has_order(node))


def _has_order(node: Node) -> bool:
    return node.kind == "call" and node.value in v.WITH_ORDERS and bool(node.parts[0].parts)


def _turn_places(node: Node) -> Node:
    n_kept = len(node.parts) - len(_places(node))
    return Node(node.kind, node.value, (*node.parts[:n_kept], *map(negative, _places(node))))


def _lack(node: Node, told: set[Node]) -> Node:
    """A statement without the terms, factors and sides that are among some nodes."""
    if node in told:
        return EMPTY
    parts = [_lack(part, told) for part in node.parts]
    if node.kind in ("add", "mul"):
        parts = [part for part in parts if part is not EMPTY]
        if len(parts) < 2:
            return parts[0] if parts else EMPTY
    return Node(node.kind, node.value, tuple(parts))


def _gives_number(first: Node, second: Node) -> bool:
    """Whether a letter with a number as its place is in one statement, and a number in the other: ``\\Phi(0)``."""
    counts = [Counter(one for one in node.walk() if _is_constant(one)) for node in (first, second)]
    numbers = [_numbers_outside(node) for node in (first, second)]
    return any(
        counts[one] - counts[other] and not counts[other] - counts[one] and numbers[other] - numbers[one]
        for one, other in ((0, 1), (1, 0))
    )


def _is_constant(node: Node) -> bool:
    places = _places(node)
    return bool(places) and all(one.kind == "number" for one in places)


def _numbers_outside(node: Node) -> Counter[str]:
    """Count the numbers outside of letters with a number as their place."""
    found = outermost(node, lambda one: _is_constant(one) or one.kind == "number")
    return Counter(one.value for one in found if one.kind == "number")


def _sorts_indices(first: Node, second: Node) -> bool:
    """Whether two statements differ only by signs and by the order of indices of tensors that may have symmetries."""
    tensors = [Counter(filter(_may_be_symmetric, node.walk())) for node in (first, second)]
    return tensors[0] != tensors[1] and spell(_sort_tensors(first)) == spell(_sort_tensors(second))


def _may_be_symmetric(node: Node) -> bool:
    """Whether a letter has four or more indices, or several Greek ones, as tensors have."""
    is_greek = all(one.value.removeprefix("\\") in v.GREEK.split() for one in node.parts)
    return node.kind == "symbol" and (len(node.parts) > 3 or (len(node.parts) > 1 and is_greek))


def _sort_tensors(node: Node) -> Node:
    sorted_parts = tuple(_sort_tensors(part) for part in node.parts)
    if _may_be_symmetric(node):
        sorted_parts = tuple(sorted(sorted_parts, key=spell))
    return _without_names(Node(node.kind, node.value, sorted_parts), frozenset())


CONVENTIONS = (
    Convention(
        _obeys_law, "a sequence or a function may obey a law, such as a recurrence",
        ("y = F_{n+1}", "y = F_n + F_{n-1}"), ("y = F_{n+1} + F_n", "y = F_{n+1}"),
    ),
    Convention(
        _gives_number, "a letter with a number as its index or argument may be a known number",
        ("y = \\Phi(0)", "y = \\frac12"), ("y = \\Phi(0)", "y = \\Phi(1)"),
    ),
    Convention(
        _sorts_indices, "a tensor may be symmetric in some of its indices",
        ("y = R_{abcd}", "y = R_{cdab}"), ("y = R_{abcd}", "y = R_{abce}"),
    ),
    Convention(
        _differ_in_empty, "scripts of an empty base may belong to what stands before",
        ("y = x{}^2", "y = x^2"), ("y = x{}^2", "y = z{}^2"),
    ),
    Convention(
        _differ_in_named, "a name before a factor may be a function of it",
        ("y = \\mathrm{sech} \\, x", "y = \\frac{1}{\\cosh x}"),
        ("y = \\mathrm{lr} \\, x + a", "y = \\mathrm{lr} \\, x - a"),
    ),
    Convention(
        _differ_in_differentials, "a d before a function may be the sign of a differential",
        ("w = d \\ln x", "w = \\frac{dx}{x}"), ("w = d \\ln x", "w = d \\ln y"),
    ),
    Convention(
        lambda one, other: _counts(one, _is_in_corners) != _counts(other, _is_in_corners),
        "what stands in corners may be rounded, or quoted",
        ("y = \\ulcorner 8 \\urcorner a", "y = 8 a"),
        ("y = \\ulcorner x \\urcorner", "y = \\ulcorner z \\urcorner"),
    ),
    Convention(
        _chooses, "a C with two scripts may be a binomial coefficient",
        ("y = C_n^k", "y = \\binom{n}{k}"), ("y = C_n^k", "y = C_m^k"),
    ),
    Convention(
        _works_out_signs, "a constant, or a sign that stands twice, may be left out by its own laws",
        ("(A^\\dagger)^\\dagger = B", "A = B"), ("(A^\\dagger)^\\dagger = B", "(A^\\dagger)^\\dagger = C"),
    ),
    Convention(
        _spares_signs, "plus-minus states two things at once",
        ("x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}", "a x^2 + b x + c = 0"), ("y = a \\pm b", "y = a \\pm c"),
    ),
    Convention(
        _integrates_differentials, "differentials may have been integrated",
        ("dx = a \\, dt", "x = b + \\int_0^t a \\, ds"), ("dx = a \\, dt", "dx = b \\, dt"),
    ),
    Convention(
        _reckons_with_infinity, "no law of numbers holds for infinity",
        ("y = 2 \\infty", "y = \\infty"), ("y = \\sum_{i=1}^\\infty a_i b_i", "y = \\sum_{i=1}^\\infty a_i c_i"),
    ),
    Convention(
        _raises_delta,
        "Kronecker's delta is its own square and absolute value",
        ("y = \\delta_{ij}^2 a", "y = \\delta_{ij} a"),
        ("y = a_{ij}^2 b", "y = a_{ij} b"),
    ),
    Convention(
        _averages, "a letter with a bar may be the mean of that letter",
        ("r = \\frac{\\sum_i (x_i - \\bar{x})^2}{n}", "r = \\frac{1}{n} \\sum_i x_i^2 - \\bar{x}^2"),
        ("r = \\frac{1}{n} \\sum_i (x_i - \\bar{x})^2", "r = \\frac{2}{n} \\sum_i (x_i - \\bar{x})^2"),
    ),
    Convention(
        _runs_otherwise, "the index of a sum may run over the same in another order",
        ("y = \\sum_{n, m} a_{nm}", "y = \\sum_{n, m} a_{mn}"),
        ("y = \\sum_{n, m} a_{nm} b_n", "y = \\sum_{n, m} a_{nm} c_n"),
    ),
    Convention(
        _differ_in_conjugates, "both sides may be conjugated",
        ("\\bar{z} = a - i b", "z = a + i b"), ("z^* = a - i b", "z^* = a + i b"),
    ),
    Convention(
        _differ_in_primes, "a prime may be a derivative that was worked out",
        ("y = (x^2)'", "y = 2 x"), ("y = (x^2)' + a", "y = (x^2)' - a"),
    ),
    Convention(
        _names_derivative, "a function may be the derivative or the integral that the other writes out",
        ("y = 2 v(t) + a", "y = 2 \\frac{dx(t)}{dt} + a"), ("y = 2 v(t) + a", "y = 3 v(t) + a"),
    ),
    Convention(
        _marks_inverses, "a marked letter may be an inverse",
        ("Y = A^+", "Y = A^{-1}"), ("Y = A^+ + B^{-1}", "Y = A^+ - B^{-1}"),
    ),
    Convention(
        _turns_primes, "a prime may be a transpose",
        ("c = x' y", "c = y' x"), ("c = x' y", "c = x' z"),
    ),
    Convention(
        _leaves_unit_out, "the unit of an amount may be left out",
        ("y = 28\\%", "y = 28"), ("y = 28\\%", "y = 29\\%"),
    ),
    Convention(
        _turns_units, "units of quaternions and spin matrices need not commute",
        ("\\sigma_x \\sigma_y = i \\sigma_z", "\\sigma_y \\sigma_x = -i \\sigma_z"),
        ("w = a \\sigma_x \\sigma_y", "w = b \\sigma_x \\sigma_y"),
    ),
    Convention(
        _converts_units, "an amount may be given in another unit",
        ("m = 1 \\, \\mathrm{kg}", "m = 1000 \\, \\mathrm{g}"), ("m = 1 \\, \\mathrm{kg}", "m = 2 \\, \\mathrm{kg}"),
    ),
    Convention(
        _differ_in_labels, "a label beside a brace, or above a value, may be a remark",
        ("y = \\underbrace{a b}_{n} + c", "y = a b + c"), ("y = \\overset{i}{x} + b", "y = \\overset{i}{x} - b"),
    ),
    Convention(
        _may_be_fractional, "braces may take the fractional part",
        ("y = \\lfloor x \\rfloor + \\{x\\}", "y = x"), ("y = \\{x\\} + a", "y = \\{x\\} - a"),
    ),
    Convention(
        _contracts, "a Kronecker delta, a metric or a Levi-Civita symbol may be worked out",
        ("y = \\delta_{ij} x_j", "y = x_i"), ("y = \\delta_{ij} x_j", "y = 2 \\delta_{ij} x_j"),
    ),
    Convention(
        _joins_by_dashes, "letters between dashes may be a chain that is read from either end",
        ("X - Y - Z", "Z - Y - X"), ("w = X - Y - Z", "w = Z - Y - X"),
    ),
    Convention(
        _permutes, "the indices of a Levi-Civita symbol may be in another order",
        ("y = \\epsilon_{ijk} a_k", "y = \\epsilon_{jki} a_k"), ("y = \\epsilon_{ijk} a_k", "y = \\epsilon_{ijk} b_k"),
    ),
    Convention(
        _differ_in_degrees, "an angle may be in degrees in one and in radians in the other",
        ("y = 90^\\circ + x", "y = 90 + x"), ("y = 90^\\circ + x", "y = 90^\\circ - x"),
    ),
    Convention(
        _hold_constants, "a constant that has no value may hold others",
        ("y = -x + \\text{const}", "y = -x + 1 + \\text{const}"), ("y = x + c", "y = x + 1 + c"),
    ),
    Convention(
        _differ_in_difference, "a triangle may be the symmetric difference of sets",
        ("C = A \\triangle B", "C = (A \\setminus B) \\cup (B \\setminus A)"), ("y = \\Delta a", "y = \\Delta b"),
    ),
    Convention(
        _joins_relations, _JOINED,
        ("a b = 0", "a = 0 \\vee b = 0"), ("a b = c", "a + b = c"),
    ),
    Convention(
        _turns_wedges, _WEDGES,
        ("a \\wedge b = w", "-b \\wedge a = w"), ("f(x) = a \\wedge b", "f(2 x) = a \\wedge b"),
    ),
    Convention(
        _differ_in_limits, "limits of two expressions may be equal",
        ("y = \\lim_{n \\to \\infty} a_n", "y = \\lim_{n \\to \\infty} a_{n+1}"),
        ("y = 2 \\lim_{n \\to \\infty} a_n", "y = 3 \\lim_{n \\to \\infty} a_n"),
    ),
    Convention(
        _has_other_factors, "what is proportional may have another factor",
        ("p(x) \\propto e^{-x + c}", "p(x) \\propto e^{-x}"), ("y \\propto a x", "y \\propto \\frac{a}{x}"),
    ),
    Convention(
        _takes_complements,
        "probabilities of two events may be tied to each other",
        ("y = P(A^c)", "y = 1 - P(A)"), ("y = P(A) + b", "y = P(A) - b"),
    ),
    Convention(
        _scales_impulse, "the argument of a delta function may have a factor",
        ("y = \\delta(2 x)", "y = \\frac{1}{2} \\delta(x)"), ("y = \\delta(x) + b", "y = \\delta(x) - b"),
    ),
    Convention(
        _spreads, "a mu or a sigma may be the mean, the spread or the measure of a variable",
        ("y = \\sigma^2(X + c)", "y = \\sigma^2(X)"), ("y = \\sigma^2(X) + b", "y = \\sigma^2(X) - b"),
    ),
    Convention(
        _measures, "the entropy of a scaled variable may be worked out",
        ("y = h(a X)", "y = h(X) + \\log a"), ("y = h(X) + b", "y = h(X) - b"),
    ),
    Convention(
        _conjugates_brackets, "brackets of two states may be conjugated",
        ("c = \\langle \\psi | A | \\phi \\rangle", "c^* = \\langle \\phi | A^\\dagger | \\psi \\rangle"),
        ("c^* = \\langle \\psi | A | \\phi \\rangle + b", "c^* = \\langle \\psi | A | \\phi \\rangle - b"),
    ),
    Convention(
        _turns_arrows, "an arrow between two points may be turned round",
        ("\\overrightarrow{AB} = v", "-\\overrightarrow{BA} = v"),
        ("\\overrightarrow{AB} = v + a", "\\overrightarrow{AB} = v - a"),
    ),
    Convention(
        _joins_by_triangle, "a triangle may be the symmetric difference of sets",
        ("A \\triangle B = C", "A \\triangle C = B"), ("y = a \\Delta b + c", "y = a \\Delta b - c"),
    ),
)  # fmt: skip


def _sum_repeated(statement: Node) -> Node:
    """Add sums over the indices that occur twice in a term and on no other side (Einstein notation)."""
    if statement.kind != "relation":
        return statement
    indices = [_index_counts(side) for side in statement.parts]
    sides = []
    for place, side in enumerate(statement.parts):
        elsewhere = {name for other, counts in enumerate(indices) if other != place for name in counts}
        sides.append(_sum_in_terms(side, elsewhere))
    return Node("relation", statement.value, tuple(sides))


def _sum_in_terms(node: Node, elsewhere: set[str]) -> Node:
    if node.kind == "pow":  # of a single letter, such as a variance
        return node
    if node.kind in ("add", "neg", "div"):
        node = Node(node.kind, node.value, tuple(_sum_in_terms(part, elsewhere) for part in node.parts))
    if node.kind in ("add", "neg"):
        return node
    for name, count in sorted(_index_counts(node).items()):
        if count > 1 and name not in elsewhere:
            node = Node("bind", "\\sum", (EMPTY, EMPTY, EMPTY, node, Node("symbol", name)))
    return node


def _index_counts(node: Node) -> Counter[str]:
    """Count the free letters in lower and upper indices."""
    if node.kind == "symbol":
        return Counter(part.value for part in node.parts if part.kind == "symbol" and not part.parts)
    found: Counter[str] = Counter()
    for part in node.parts:
        found += _index_counts(part)
    if node.kind == "pow" and node.parts[0].kind == "symbol":
        exponent = node.parts[1]
        if exponent.kind == "symbol":
            found[exponent.value] += 1
        elif exponent == Node("number", "2"):
            found += _index_counts(node.parts[0])
    if node.kind == "bind":
        for variable in node.parts[4:]:
            found.pop(variable.value, None)
    return found


def _spell_means(statement: Node, beside: Node) -> Node:
    """Replace each letter with a bar by the mean over the sum in which that letter has an index."""
    sums = [one for node in (statement, beside) for one in node.walk() if one.kind == "bind" and one.value == "\\sum"]
    defined = {*statement.parts, *beside.parts}  # letters that a statement defines are kept
    means = {one for one in statement.walk() if one.kind == "symbol" and one.value.startswith("\\bar{")} - defined
    for mean in means:
        name = mean.value.removeprefix("\\bar{")[:-1]
        for total in sums:
            letters = [one for one in total.parts[3].walk() if one.value == name and one.kind == "symbol"]
            if len(total.parts) == 5 and letters and total.parts[4] in letters[0].parts:
                statement = _put(statement, mean, _mean_over(total, letters[0]))
                break
    return statement


def _mean_over(total: Node, letter: Node) -> Node:
    sums = [Node("bind", "\\sum", (*total.parts[:3], body, total.parts[4])) for body in (letter, Node("number", "1"))]
    return Node("div", "", tuple(sums))


def _put(node: Node, old: Node, new: Node) -> Node:
    if node == old:
        return new
    return Node(node.kind, node.value, tuple(_put(part, old, new) for part in node.parts)) if node.parts else node
