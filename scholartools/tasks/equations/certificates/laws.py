"""Laws of operators and functions that probes do not compute, by which statements with different values may agree.

The softmax of ``z + c`` is that of ``z``, ``O(n + 1)`` is ``O(n)``, and Bayes' rule relates ``p(x | z)`` to
``p(z | x)``. If two statements differ within such parts, different values prove nothing.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from scholartools.tasks.equations.certificates import (
    bounds,
    comparison,
    conditions,
    joints,
    notation,
    probes,
    relations,
)
from scholartools.tasks.equations.certificates.canonical import canonical, negative, spell
from scholartools.tasks.equations.certificates.evidence import pair_names
from scholartools.tasks.equations.certificates.identities import changes_in_and_around, leave_out, letters, outermost
from scholartools.tasks.equations.certificates.solving import is_nought
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

# Named functions that probes compute or treat as linear.
_COMPUTABLE = frozenset(
    "exp log ln lg sin cos tan sinh cosh tanh erf abs norm max min sup inf argmax argmin lim limsup liminf tr Tr trace "
    "det diag mean avg vec binom floor ceil index apply at".split()
)
# Orders of growth, and functions with a single letter as their name that have known laws.
_GROWTH = frozenset(
    "O o \\mathcal{O} \\mathrm{O} \\Omega \\Theta \\omega \\tilde{O} \\tilde{\\mathcal{O}} \\tilde{\\Omega} "
    "\\tilde{\\Theta} \\Gamma \\mathbb{V} \\mathbf{V}".split()
)
_RELATIONAL = frozenset("\\sigma \\pi \\Pi \\rho \\gamma".split())
_OF_MANY = v.BIG - {"\\sum", "\\prod"}
_MODULO = frozenset("\\pmod \\pod mod".split())
# Names of functions that may be applied without brackets, and keywords.
_WORDS = frozenset(
    "rank rk Var Cov corr Corr std Std sign sgn erf erfc softmax sigmoid ReLU relu median mode span card sinc relint "
    "arctanh arcsinh vol conv tr Tr trace det diag if then else let in case of match with while do return".split()
)
_PARITY = frozenset("\\sigma \\Phi \\phi \\varphi \\delta \\Psi \\psi \\theta \\chi \\Lambda H".split())
_ENTROPIES = frozenset("H h I \\mathcal{H} \\mathbb{H} \\mathbb{I} \\mathcal{I} \\mathrm{H} \\mathrm{I}".split())
_ORDERS = frozenset("= \\neq < > \\leq \\geq".split())
_MEANS = frozenset("E \\mathbb{E} \\mathbf{E} \\mathrm{E}".split())
# Letters that do not commonly denote special matrices, such as the identity, ones or permutations.
_PLAIN = "ABCDFGHKLMQRSTUVWabcdfghkmpqrstuvwxyz"
_FACTORS = {f"\\{font}{{{one}}}" for font in ("mathbf", "boldsymbol", "mathrm", "mathcal") for one in _PLAIN} | {
    *_PLAIN
}
_OF_TRUTH = frozenset("\\mathbb{1} \\mathbf{1} \\mathbb{I} \\mathbf{I} \\mathrm{1}".split())
_OF_SIGN = frozenset("abs norm max min sign sgn".split())

Part = Callable[[Node], bool]


def may_follow_by_law(first: Node, second: Node) -> str | None:
    """Why two statements with different values may be the same by a law; None if no law is known."""
    one, other = canonical(first), canonical(second)
    if any(part.value in _MODULO for node in (one, other) for part in node.walk()):
        return "numbers are compared modulo another one"
    if any(_may_absorb(part) for node in (one, other) for part in node.walk()):
        return _OF_ORDER
    if _differ_in(one, other, _has_dots) and not _lists_apart(one, other):
        return "terms that dots stand for may be written out"
    is_plain = _multiplies_numbers(first, second)
    if _differ_in(one, other, lambda part: _has_a_name(part) and not (is_plain and part.value == "*")):
        return "the arguments of an operator differ that is not computed"
    is_moved = changes_in_and_around(one, other, _joins_sets) or changes_in_and_around(one, other, _is_of_a_union)
    if is_moved or (_differ_in(one, other, _joins_sets) and letters(one) == letters(other)):
        return "what joins sets may be moved out of a function, a union or an intersection of many"
    if _differ_in_sign_of_arguments(one, other):
        return "a function may be odd or even"
    kept = [spell(canonical(_without_constants(node))) for node in (first, second)]
    if kept[0] == kept[1] or _adds_to_derivatives(one, other):
        return "the terms of a derivative differ that may be constant"
    if _n_means(one) != _n_means(other) and any(map(_has_mean_of_mean, (one, other))):
        return "an expectation may be taken of what is one already"
    if _takes_conditional_means(one, other):
        return "an expectation may be taken of a conditional one"
    if _differ_in_ties(one, other) and not joints.compare(first, second).apart:
        return "probabilities with conditions may be tied to each other"
    if _differ_in_grids(one, other) or _differ_in_tuples(one, other):
        return "a matrix, tuple or case may only be written otherwise"
    if _differ_in_conditions(one, other):
        return "a condition may only be written otherwise"
    if conditions.may_agree_within(first, second):
        return "what differs may be equal where a condition of it holds"
    return None


def may_turn_round(first: Node, second: Node) -> str | None:
    """Why two equations without equal sides may be the same, because an operation may be its own inverse.

    ``v = P w`` is ``w = P v`` for a permutation of two, ``x = y \\pm z`` is ``y = x \\pm z``, and ``A = B^c`` is
    ``B = A^c``. A term of some order has any sign and factor.
    """
    nodes = [*first.walk(), *second.walk()]
    if any(one.kind == "call" and one.value in _GROWTH for one in nodes):
        return _OF_ORDER
    is_turned = any(one.kind == "signed" or one.value in v.GRIDS | {"\\neg"} for one in nodes)
    is_plain = _multiplies_numbers(first, second)
    others = (one for one in nodes if not (is_plain and one.kind == "binary" and one.value == "*"))
    if is_turned or (_leaves(first) == _leaves(second) and any(map(_may_cancel_itself, others))):
        return "what is applied twice may cancel, so that the sides may change places"
    names: dict[str, str] = {}
    if pair_names(first, second, names) and _name_operands(first, {old for old, new in names.items() if old != new}):
        return "what holds for any two letters may only name them the other way round"
    return None


_OF_ORDER = "a term of some order may have any sign and factor"


def _may_absorb(node: Node) -> bool:
    """Whether a node is an order of growth, which may absorb signs, factors and other terms.

    Omega and theta also name frequencies and angles, so they count as orders only for numbers ``n``, ``m`` or ``N``.
    """
    if node.kind != "call" or node.value not in _ABSORBING | _ALSO_FUNCTIONS:
        return False
    return node.value in _ABSORBING or any(one.value in ("n", "m", "N") for one in node.walk())


_ABSORBING = frozenset(
    "O o \\mathcal{O} \\mathrm{O} \\mathrm{o} \\mathcal{o} \\tilde{O} \\tilde{\\mathcal{O}} poly polylog".split()
)
_ALSO_FUNCTIONS = frozenset("\\Omega \\Theta \\omega \\tilde{\\Omega} \\tilde{\\Theta}".split())


def _may_cancel_itself(node: Node) -> bool:
    """Whether a node is a mark or an operator that may be its own inverse."""
    if node.kind == "pow":
        return node.parts[1].kind == "symbol" and node.parts[1].value.lstrip("\\") in _MARKS
    is_operator = node.kind == "call" and not _is_of_paper(node)
    return is_operator or node.kind in ("transpose", "binary") or (node.kind == "symbol" and "^" in node.value)


_MARKS = frozenset("c C R H T r top perp circ".split())


def _is_of_paper(call: Node) -> bool:
    """Whether a function is computed, or has a single letter as its name, so that it is arbitrary.

    Words may name functions that return a sign or reverse a list. Letters of some fonts name operators that are their
    own inverses: parity, conjugation, time reversal, the Legendre transform.
    """
    name = call.value
    is_letter = len(name) == 1 or name in v.LETTERS or (name[0] == "\\" and notation.is_named_by_paper(name))
    return name in probes.COMPUTED or (is_letter and not _OF_OPERATOR.match(name))


_OF_OPERATOR = re.compile(r"\\math(?:cal|scr|frak|sf|bf|rm)\{[CIJKLPRST]\}")


def _name_operands(statement: Node, letters: set[str]) -> bool:
    """Whether all given letters occur in each side, one of which is a call, an operator or a tuple."""
    held = [{one.value for one in side.walk()} for side in statement.parts]
    if not letters or not all(letters <= names for names in held):
        return False
    return any(side.kind in ("call", "binary", "tuple", "derivative", "bind") for side in statement.parts)


def _count(node: Node, is_part: Part) -> Counter[str]:
    """Count the outermost parts of a kind."""
    return Counter(map(spell, outermost(node, is_part)))


def _around(node: Node, is_part: Part) -> str:
    """The text of a statement without its parts of a kind."""
    return spell(canonical(leave_out(node, is_part)))


def _differ_in(first: Node, second: Node, is_part: Part) -> bool:
    return _count(first, is_part) != _count(second, is_part)


def _has_dots(node: Node) -> bool:
    """Whether dots are among the direct parts of a node."""
    return any(part.value == v.DOTS for part in node.parts)


def _lists_apart(first: Node, second: Node) -> bool:
    """Whether a side of each statement is a list with dots in the same place, and the lists certainly differ.

    Elements before the dots are compared from the start of the list, those after them from the end. Two sets differ if
    their elements have different shapes, because the omitted elements have the shape of others. Permutations are not
    counted as different, because generators of an ideal have no order.
    """
    if _around(first, _has_dots) != _around(second, _has_dots):
        return False
    found = [list(outermost(node, _has_dots)) for node in (first, second)]
    if any(len(parts) != 1 or parts[0] not in node.parts for parts, node in zip(found, (first, second))):
        return False
    lists = found[0][0], found[1][0]
    if any(one.kind != "call" or one.value not in _LISTS or one.parts[0].parts for one in lists):
        return False
    elements = [one.parts[1:] for one in lists]
    places = [[part.value == v.DOTS for part in parts] for parts in elements]
    is_plain = all(one.kind in _LISTED for parts in elements for part in parts for one in part.walk())
    if lists[0].value != lists[1].value or places[0] != places[1] or not is_plain:
        return False
    if Counter(elements[0]) == Counter(elements[1]):
        return False
    if lists[0].value == "\\{\\}":
        shapes = [{spell(canonical(_without_indices(part))) for part in parts} for parts in elements]
        return shapes[0] != shapes[1] and not any(part.kind == "number" for parts in elements for part in parts)
    return any(spell(one) != spell(other) for one, other in zip(*elements))


_LISTS = frozenset(["()", "[]", "\\{\\}"])
_LISTED = frozenset("symbol number call list".split())


def _without_indices(node: Node) -> Node:
    """Remove the indices of all letters."""
    if node.kind in ("symbol", "list"):
        return Node(node.kind, node.value)
    return Node(node.kind, node.value, tuple(map(_without_indices, node.parts))) if node.parts else node


def _has_a_name(node: Node) -> bool:
    """Whether a node is a named or binary operator that is not computed."""
    if probes.is_of_sets(node):
        return False
    if node.kind == "binary":
        return True
    if node.kind == "mul":
        return any(one.kind == "symbol" and one.value in _WORDS for one in node.parts)
    if _is_relational(node):
        return True
    if node.kind != "call" or node.value in _COMPUTABLE or node.value in v.GRIDS | v.CASES:
        return False
    if _is_divergence(node):
        return False
    return node.value in _GROWTH or (len(node.value) > 1 and node.value.replace("-", "").isalnum())


def _multiplies_numbers(first: Node, second: Node) -> bool:
    """Whether a star certainly denotes a product: each statement has one next to a number other than 0, 1 and -1.

    The statements must also have the same letters, numbers and operations. If one were computed by an operation that
    the paper defines, its numbers would differ.
    """
    if _leaves(first) != _leaves(second):
        return False
    for node in (first, second):
        stars = [one for one in node.walk() if one.kind == "binary" and one.value == "*"]
        if not any(_is_great(part) for one in stars if len(one.parts) == 2 for part in one.parts):
            return False
    return True


def _leaves(node: Node) -> Counter[tuple[str, str]]:
    """Count the letters, numbers and operations of a statement."""
    return Counter((one.kind, one.value) for one in node.walk() if not one.parts or one.kind in ("binary", "call"))


def _is_great(node: Node) -> bool:
    """Whether a node is a number other than 0, 1 and -1, which may be constants of an algebra."""
    return node.kind == "number" and node.value.lstrip("-") not in ("0", "1")


def _is_relational(node: Node) -> bool:
    """Whether a node may be a selection or projection of relational algebra, ``\\sigma_p(S)``."""
    if node.kind != "call" or node.value not in _RELATIONAL or len(node.parts) != 2 or not node.parts[0].parts:
        return False
    inner = node.parts[1]
    is_table = inner.kind == "symbol" and inner.value.isupper()
    return is_table or inner.kind == "binary" or _is_relational(inner)


def _is_of_a_union(node: Node) -> bool:
    """Whether a function or power has a set operation as an argument, over which it may distribute."""
    sets = (one for one in node.parts[1:] if one.kind == "binary" and probes.is_of_sets(one))
    return node.kind in ("call", "pow") and next(sets, None) is not None


def _joins_sets(node: Node) -> bool:
    return node.kind == "bind" and node.value in _OF_MANY


def _differ_in_sign_of_arguments(first: Node, second: Node) -> bool:
    """Whether what may be odd or even has an order or argument in one statement and its negative in the other."""
    arguments = [[pair for one in node.walk() for pair in _parts_with_parity(one)] for node in (first, second)]
    parts = [{(name, spell(part)) for name, part in one} for one in arguments]
    turned = {(name, spell(negative(part))) for name, part in arguments[0]}
    return bool((turned - parts[0]) & (parts[1] - parts[0]))


def _parts_with_parity(node: Node) -> list[tuple[str, Node]]:
    """The orders and arguments of what may be odd or even in each (functions, harmonics), with its name."""
    name = node.value.removesuffix("^*")
    orders = node.parts if node.kind == "symbol" else node.parts[0].parts if node.kind == "call" else ()
    arguments = node.parts[1:] if node.kind == "call" else ()
    is_known = (node.kind == "call" and name in _PARITY) or (orders and name in v.WITH_ORDERS)
    return [(name, part) for part in (*orders, *arguments)] if is_known else []


def _without_constants(node: Node) -> Node:
    """Remove terms of derivatives without the variable, or, if this is not named, without any call."""
    parts = tuple(map(_without_constants, node.parts))
    if node.kind == "derivative" and parts:
        variables = {one.value for part in parts[1:] for one in part.walk() if one.kind == "symbol"}
        return Node(node.kind, node.value, (_keep_terms(parts[0], variables), *parts[1:]))
    if node.kind == "call" and node.value.startswith(("\\nabla", "\\partial")) and len(parts) == 2:
        variables = {one.value for one in parts[0].walk() if one.kind == "symbol"}
        return Node(node.kind, node.value, (parts[0], _keep_terms(parts[1], variables)))
    return Node(node.kind, node.value, parts) if parts else node


def _is_derivative(node: Node) -> bool:
    is_prefix = node.value.startswith(("\\nabla", "\\partial"))
    is_product = node.kind == "mul" and node.parts[0].kind == "symbol" and node.parts[0].value in v.PREFIXES
    return node.kind == "derivative" or (node.kind == "call" and is_prefix) or is_product


def _adds_to_derivatives(first: Node, second: Node) -> bool:
    """Whether statements differ only in derivatives, one of which has all terms of the other and more."""
    if _around(first, _is_derivative) != _around(second, _is_derivative):
        return False
    pairs = zip(outermost(first, _is_derivative), outermost(second, _is_derivative))
    terms = [[Counter(map(spell, _terms_of(one))) for one in pair] for pair in pairs]
    return any(one < other or other < one for one, other in terms)


def _terms_of(derivative: Node) -> tuple[Node, ...]:
    body = derivative.parts[0] if derivative.kind == "derivative" else derivative.parts[-1]
    return body.parts if body.kind == "add" else (body,)


def _is_mean(node: Node) -> bool:
    return node.kind in ("call", "bind") and node.value in _MEANS


def _n_means(node: Node) -> int:
    return sum(map(_is_mean, node.walk()))


def _takes_conditional_means(first: Node, second: Node) -> bool:
    """Whether statements with conditional expectations differ in the number of expectations, or in those of such."""
    if not _conditional_means(first) + _conditional_means(second):
        return False

    def is_mean_of_conditional(node: Node) -> bool:
        return _is_mean(node) and any(part is not node for part in _conditional_means(node))

    return _n_means(first) != _n_means(second) or _differ_in(first, second, is_mean_of_conditional)


def _has_mean_of_mean(node: Node) -> bool:
    means = filter(_is_mean, node.walk())
    return any(part is not mean and _is_mean(part) for mean in means for part in mean.walk())


def _conditional_means(node: Node) -> list[Node]:
    return [one for one in node.walk() if _is_mean(one) and _is_given(one)]


def _keep_terms(body: Node, variables: set[str]) -> Node:
    """The terms of a sum with one of the variables; without variables, those with a call, or else all but numbers."""
    if body.kind != "add":
        return body
    if variables:
        kept = [term for term in body.parts if variables & {one.value for one in term.walk()}]
    else:
        kept = [term for term in body.parts if any(one.kind == "call" for one in term.walk())]
        kept = kept or [term for term in body.parts if term.kind != "number"]
    return Node("add", "", tuple(kept)) if len(kept) > 1 else (kept or [EMPTY])[0]


def _differ_in_ties(first: Node, second: Node) -> bool:
    """Whether probabilities or entropies with conditions differ, other than one call in the same position."""
    names = {one.value for node in (first, second) for one in node.walk() if one.kind == "call" and _is_given(one)}
    for family in (v.DENSITIES, _ENTROPIES):
        names |= family if names & family else set()
    counts = [_count(node, lambda one: one.kind == "call" and one.value in names) for node in (first, second)]
    lost, new = counts[0] - counts[1], counts[1] - counts[0]
    if not lost and not new:
        return False
    if lost.total() != 1 or new.total() != 1:
        return True
    is_lost, is_new = _is_spelled(*lost), _is_spelled(*new)
    calls = [next(outermost(first, is_lost)), next(outermost(second, is_new))]
    if _turns_divergence(*calls):
        return True
    if any(one.kind == "relation" for call in calls for one in call.walk()) or _is_summed(first, is_lost):
        return True
    return _around(first, is_lost) != _around(second, is_new)


def _turns_divergence(first: Node, second: Node) -> bool:
    """Whether two calls differ by the order around a bar, and the function may be a symmetric divergence."""
    if first.value in v.DENSITIES | _ENTROPIES or first.value != second.value or first.parts[0] != second.parts[0]:
        return False
    letters = first.value + "".join(one.value for one in first.parts[0].walk())
    sides = [sorted(spell(part) for one in call.parts[1:] for part in one.parts) for call in (first, second)]
    return sides[0] == sides[1] and "KL" not in letters


def _is_given(call: Node) -> bool:
    bars = {part.value for part in call.parts[1:] if part.kind == "tuple"}
    return not bars.isdisjoint(("|", "\\nmid")) or ("\\|" in bars and not _is_divergence(call))


def _is_divergence(call: Node) -> bool:
    """Whether a call is a Kullback-Leibler divergence, which is asymmetric; other divergences may be symmetric."""
    named = "".join([call.value, *(one.value for one in call.parts[0].parts)])
    return "KL" in named and any(part.kind == "tuple" and part.value == "\\|" for part in call.parts[1:])


def _is_spelled(text: str) -> Part:
    return lambda node: spell(node) == text


def _is_summed(statement: Node, is_call: Part) -> bool:
    """Whether a call is the whole body of a sum or an integral: probabilities sum to 1 for any condition."""
    return any(one.kind == "bind" and is_call(one.parts[3]) for one in statement.walk())


def _is_grid(node: Node) -> bool:
    return node.kind == "call" and (node.value in v.GRIDS | v.CASES or _is_brace(node))


def _is_brace(node: Node) -> bool:
    """Whether a node is an array after a left brace, which denotes cases."""
    return node.value == "\\{." and len(node.parts) == 2 and node.parts[1].value in v.GRIDS


def _differ_in_grids(first: Node, second: Node) -> bool:
    """Whether matrices or cases differ, other than in entries of a side that is a matrix or cases."""
    if not _differ_in(first, second, _is_grid):
        return False
    if first.kind != "relation" or _around(first, _is_grid) != _around(second, _is_grid):
        return True
    grids = [list(outermost(node, _is_grid)) for node in (first, second)]
    if any(not _have_like_rows(*pair) for pair in zip(*grids)):
        return True
    if _holds_for_multiples(first, second):
        return True
    if all(one in node.parts for node, found in zip((first, second), grids) for one in found):
        return False
    apart = [pair for pair in zip(*grids) if spell(pair[0]) != spell(pair[1])]
    return len(apart) > 1 or not all(_is_multiplied(*pair) for pair in zip((first, second), apart[0]))


def _holds_for_multiples(first: Node, second: Node) -> bool:
    """Whether a statement has a zero side or a proportionality, and may hold for any multiple of a matrix or list."""
    sides = (*first.parts, *second.parts) if first.kind == "relation" else ()
    letters = [any(one.kind == "symbol" and not is_nought(one) for one in side.walk()) for side in sides]
    return "\\propto" in first.value or not all(letters)


def _is_multiplied(statement: Node, grid: Node) -> bool:
    """Whether a matrix occurs once in a statement, in a product with letters that may be any factor."""
    if sum(one == grid for one in statement.walk()) != 1:
        return False
    products = [side for side in statement.parts if side.kind == "mul" and grid in side.parts]
    others = [one for side in products for one in side.parts if one != grid]
    return bool(products) and all(one.kind == "symbol" and one.value in _FACTORS for one in others)


def _have_like_rows(first: Node, second: Node) -> bool:
    """Whether two grids differ only in entries; for cases, not in conditions."""
    if _is_brace(first) and _is_brace(second):
        first, second = (Node("call", "cases", one.parts[1].parts) for one in (first, second))
    if first.value != second.value or first.value.startswith(("v", "V")) or len(first.parts) != len(second.parts):
        return False
    first, second = (
        Node(one.kind, one.value, (one.parts[0], *map(_split_cell, one.parts[1:]))) for one in (first, second)
    )
    rows = list(zip(first.parts[1:], second.parts[1:]))
    if any(len(one.parts) != len(other.parts) for one, other in rows):
        return False
    if first.value in v.GRIDS:
        return True
    within = [[row.parts[1:] for row in node.parts[1:]] for node in (first, second)]
    exact = any("=" in one.value.split(" ") for node in (first, second) for one in node.walk())
    signed = any(one.value in _OF_SIGN for node in (first, second) for one in node.walk())
    if within[0] != within[1] or not all(within[0]):
        return False
    apart = [(one.parts[0], other.parts[0]) for one, other in rows if one.parts[0] != other.parts[0]]
    stated = [part for row in within[0] for part in row]
    if not _names(part for pair in apart for part in pair) & _names(stated) and not any(map(_names_in_words, stated)):
        return True  # the conditions do not restrict the differing values
    return not exact and not signed and not any(conditions.may_agree(stated, pair) for pair in apart)


def _names(nodes: Iterable[Node]) -> set[str]:
    """The names of letters and functions in nodes."""
    return {one.value for node in nodes for one in node.walk() if one.kind in ("symbol", "call")}


def _names_in_words(node: Node) -> bool:
    """Whether words may name a letter, as in ``if n is even``."""
    return any(one.kind == "words" and _LETTER_IN_WORDS.search(one.value) for one in node.walk())


_LETTER_IN_WORDS = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|\$|\\(?!text)")


def _split_cell(row: Node) -> Node:
    """Move the condition in a row of cases to a separate cell, if only a comma precedes it."""
    cell = row.parts[0] if len(row.parts) == 1 else EMPTY
    is_both = cell.kind == "tuple" and len(cell.parts) == 2 and cell.parts[1].kind == "relation"
    return Node(row.kind, row.value, cell.parts) if is_both else row


def _is_tuple(node: Node) -> bool:
    return node.kind == "call" and node.value in ("()", "[]") and len(node.parts) > 2


def _differ_in_tuples(first: Node, second: Node) -> bool:
    """Whether tuples and their surroundings differ, so that a factor may have been moved into a tuple."""
    if not _differ_in(first, second, _is_tuple):
        return False
    return _around(first, _is_tuple) != _around(second, _is_tuple) or _holds_for_multiples(first, second)


def _differ_in_conditions(first: Node, second: Node) -> bool:
    """Whether relations within two statements differ, other than only by their signs."""
    sides = [Counter(tuple(sorted(map(spell, one.parts))) for one in _conditions(node)) for node in (first, second)]
    if sides[0] != sides[1]:
        return not _contradicts_in_brackets(first, second)
    spelled = [Counter(map(spell, _conditions(node))) for node in (first, second)]
    return spelled[0] != spelled[1] and _around(first, _is_condition_of(first)) != _around(
        second, _is_condition_of(second)
    )


def _contradicts_in_brackets(first: Node, second: Node) -> bool:
    """Whether two statements differ only in the condition of one indicator, and these conditions differ at a point."""
    found = [[one for one in node.walk() if one.kind == "call" and one.value in _OF_TRUTH] for node in (first, second)]
    lost, new = (list(Counter(one) - Counter(other)) for one, other in (found, found[::-1]))
    if len(lost) != 1 or len(new) != 1 or lost[0].value != new[0].value or lost[0].parts[0] != new[0].parts[0]:
        return False
    if _around(first, lost[0].__eq__) != _around(second, new[0].__eq__):
        return False
    conditions = [one.parts[1] for one in (lost[0], new[0]) if len(one.parts) == 2]
    is_free = not any(part.value.startswith("#") for one in conditions for part in one.walk())
    if len(conditions) < 2 or not is_free or any(set(one.value.split(" ")) - relations.ORDERS for one in conditions):
        return False
    settings = comparison.Settings(conditions[:1], conditions[1:])
    return bounds.contradict(conditions[0], conditions[1], settings, signs=(False,)) is not None


def _is_condition_of(statement: Node) -> Part:
    return lambda node: node is not statement and node.kind == "relation" and bool(set(node.value.split(" ")) & _ORDERS)


def _conditions(statement: Node) -> Iterator[Node]:
    """Yield the comparisons within a statement, and other conditions below operators: ``\\langle i, j \\rangle``."""
    is_condition = _is_condition_of(statement)
    below = (one.parts[2] for one in statement.walk() if one.kind == "bind")
    others = (one for one in below if one.kind not in ("relation", "empty"))
    return itertools.chain(filter(is_condition, statement.walk()), others)
