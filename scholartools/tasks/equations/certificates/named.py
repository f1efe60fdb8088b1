"""Laws of what letters and functions commonly name: signs, steps, densities, probabilities that sum to 1.

Probes treat these as arbitrary letters or functions. :func:`spell_out_named` rewrites two statements by one law at a
time, so that they can be compared again.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from scholartools.tasks.equations.certificates.canonical import canonical, negative, spell
from scholartools.tasks.equations.certificates.evidence import COMMONLY_WHOLE
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_ONE = Node("number", "1")
_MINUS_ONES = (Node("neg", "", (_ONE,)), Node("number", "-1"))
_STEPS = frozenset("\\theta \\Theta H u I \\chi \\mathbf{1} \\mathbb{1} \\mathbb{I} \\mathbf{I} \\mathrm{1} 1".split())
_NORMALS = frozenset("\\mathcal{N} N \\mathrm{N} \\phi \\varphi".split())
_ENTROPIES = frozenset("H h \\mathrm{H} \\mathrm{h} \\mathcal{H} \\mathbb{H}".split())
_SIZES = frozenset(["abs", "card", "\\#"])
_WEIGHTS = v.DENSITIES | frozenset("w \\alpha \\gamma \\lambda \\omega \\rho".split())


def spell_out_named(first: Node, second: Node) -> Iterator[tuple[Node, Node, str]]:
    """Yield the two statements rewritten by each law that changes one of them, with a description of the law."""
    for law, reason in _LAWS:
        if law is _squash and _defines_sigma(first) and _defines_sigma(second):
            continue
        spelled = _everywhere(first, law), _everywhere(second, law)
        if spelled != (first, second):
            yield *spelled, reason


def _defines_sigma(node: Node) -> bool:
    return node.kind == "relation" and node.parts[0].kind == "call" and node.parts[0].value == "\\sigma"


def _everywhere(node: Node, law: Callable[[Node], Node]) -> Node:
    """Apply a law bottom-up to all nodes of a tree."""
    parts = tuple(_everywhere(part, law) for part in node.parts)
    is_changed = any(one is not before for one, before in zip(parts, node.parts))
    return law(replace(node, parts=parts) if is_changed else node)


def _take_sign(node: Node) -> Node:
    """Rewrite a power of -1 as a product of signs, one for each term of the exponent."""
    if node.kind != "pow" or node.parts[0] not in _MINUS_ONES:
        return node
    exponent = node.parts[1]
    terms = exponent.parts if exponent.kind == "add" else (exponent,)
    signs = [sign for term in terms for sign in _signs_of(term)]
    return Node("mul", "", tuple(signs)) if len(signs) > 1 else signs[0] if signs else _ONE


def _signs_of(term: Node) -> Iterator[Node]:
    while term.kind == "neg":  # an integer and its negative give the same sign
        term = term.parts[0]
    factors = term.parts if term.kind == "mul" else (term,)
    numbers = [int(one.value) for one in factors if one.kind == "number" and one.value.lstrip("-").isdigit()]
    others = tuple(one for one in factors if not (one.kind == "number" and one.value.lstrip("-").isdigit()))
    if any(number % 2 == 0 for number in numbers):
        return
    if others:
        yield Node("call", "sgn", (Node("list", ""), Node("symbol", "sign", tuple(sorted(others, key=spell)))))
    elif numbers:
        yield _MINUS_ONES[0]


def _step_once(node: Node) -> Node:
    """Reduce powers and repeated factors of a step function, which is 0 or 1, to one factor."""
    if node.kind == "pow" and _is_step(node.parts[0]) and node.parts[1].kind == "number":
        return node.parts[0]
    if node.kind != "mul":
        return node
    kept = [one for place, one in enumerate(node.parts) if not (_is_step(one) and one in node.parts[:place])]
    return Node("mul", node.value, tuple(kept)) if len(kept) > 1 else kept[0]


def _step_by_sign(node: Node) -> Node:
    """Rewrite a step function by the sign of its argument, which a positive factor does not change."""
    if node.kind != "call" or node.value not in _STEPS or len(node.parts) != 2:
        return node
    argument = canonical(node.parts[1])
    terms = argument.parts if argument.kind == "add" else (argument,)
    factors = [one.parts if one.kind == "mul" and one.parts[0].kind == "number" else (_ONE, one) for one in terms]
    first = min(factors, key=lambda parts: (parts[-1].kind == "number", *map(spell, parts[1:])))[0]
    scaled = Node("add", "", tuple(Node("div", "", (one, first)) for one in terms))
    step = replace(node, parts=(node.parts[0], canonical(scaled)))
    return Node("add", "", (_ONE, Node("neg", "", (step,)))) if first.value.startswith("-") else step


def _is_step(node: Node) -> bool:
    """Whether a node is a step, an indicator or a Kronecker delta of one argument."""
    is_of_set = node.kind == "symbol" and len(node.parts) == 1
    return node.value in _STEPS | {"\\delta"} and (node.kind == "call" or (is_of_set and node.value in _STEPS))


def _center(node: Node) -> Node:
    """Rewrite a normal density as a function of the squared distance from its mean."""
    if node.kind != "call" or node.value not in _NORMALS:
        return node
    parts = [*node.parts[1:]]
    if parts and parts[0].kind == "tuple" and len(parts[0].parts) == 2:
        parts = [*parts[0].parts, *parts[1:]]
    if parts and parts[0].value == ";,":
        parts = parts[1:]
    if len(parts) != 3:
        return node
    distance = Node("add", "", (parts[0], negative(parts[1])))
    return Node("call", node.value, (node.parts[0], Node("pow", "", (distance, Node("number", "2"))), parts[2]))


def _balance(node: Node) -> Node:
    """Rewrite the entropy of one probability p as a function of p (1 - p), which is symmetric in p and 1 - p."""
    if node.kind != "call" or node.value not in _ENTROPIES or len(node.parts) != 2:
        return node
    whole = Node("add", "", (_ONE, negative(node.parts[1])))
    return Node("call", node.value, (node.parts[0], Node("mul", "", (node.parts[1], whole))))


def _normalise(node: Node) -> Node:
    """Divide each probability or weight in a sum over all values by the total."""
    if node.kind != "bind" or node.value not in ("\\sum", "\\int") or len(node.parts) != 5:
        return node
    if node.value == "\\int" and any(end != EMPTY and v.ENDLESS not in spell(end) for end in node.parts[:2]):
        return node
    *around, body, variable = node.parts

    def divide(part: Node) -> Node:
        if not _is_weight_of(part, variable) or (part.value not in v.DENSITIES and EMPTY not in around[:2]):
            return replace(part, parts=tuple(map(divide, part.parts))) if part.parts else part
        return Node("div", "", (part, Node("bind", node.value, (*around, part, variable))))

    return Node("bind", node.value, (*around, divide(body), variable))


def _is_weight_of(node: Node, variable: Node) -> bool:
    if node.value not in _WEIGHTS:
        return False
    if node.kind == "symbol":
        return variable in node.parts and all(one.kind == "symbol" for one in node.parts)
    places = node.parts[1:] if node.kind == "call" else ()
    if len(places) == 1 and places[0].kind == "tuple" and places[0].value == "|":
        return places[0].parts[0] == variable and variable not in places[0].parts[1:]
    return places == (variable,)


def _squash(node: Node) -> Node:
    """Rewrite a sigma of one argument as the logistic function."""
    if node.kind != "call" or node.value != "\\sigma" or len(node.parts) != 2 or node.parts[0].parts:
        return node
    power = Node("pow", "", (Node("symbol", "e"), negative(node.parts[1])))
    return Node("div", "", (_ONE, Node("add", "", (_ONE, power))))


def _choose(node: Node) -> Node:
    """Rewrite a C of two arguments as a binomial coefficient."""
    is_choice = node.kind == "call" and node.value == "C" and len(node.parts) == 3 and not node.parts[0].parts
    return replace(node, value="binom") if is_choice else node


def _complement(node: Node) -> Node:
    """Rewrite q as 1 - p."""
    if node != Node("symbol", "q"):
        return node
    return Node("add", "", (_ONE, Node("neg", "", (Node("symbol", "p"),))))


def _quantile(node: Node) -> Node:
    """Rewrite a quantile of a distribution around 0 as an odd function of the probability minus a half."""
    if node.kind == "call" and node.value == "\\Phi^-1" and len(node.parts) == 2:
        share = node.parts[1]
    elif node.kind == "symbol" and node.value in "zt" and Node("symbol", "\\alpha") in node.walk():
        share = node.parts[0]
    else:
        return node
    distance = Node("add", "", (share, Node("number", "-1/2")))
    even = Node("call", node.value, (Node("list", ""), Node("pow", "", (distance, Node("number", "2")))))
    return Node("mul", "", (distance, even))


def count_terms(first: Node, second: Node) -> Iterator[tuple[Node, Node, str]]:
    """Yield the two statements with sums instead of products, and with the number of terms of a sum without a range.

    Probes draw the number of terms of a sum without a range independently of ``n``, ``|S|`` and of products.
    """
    added = _everywhere(first, _add_logarithms), _everywhere(second, _add_logarithms)
    if added != (first, second):
        yield *added, "a product is the exponential of a sum of logarithms"
    held = [Counter(filter(_may_be_count, one.walk())) for one in added]
    added_in = [frozenset(held[0] - held[1]), frozenset(held[1] - held[0])]  # counts of several sums at once
    numbers = {frozenset([one]) for counts in held for one in counts} | {counts for counts in added_in if counts}
    sums = [one for node in added for one in node.walk() if _is_endless(one, "\\sum")]
    totals = {replace(one, parts=(*one.parts[:3], _ONE, *one.parts[4:])) for one in sums}
    ordered = sorted(numbers, key=lambda few: sorted(map(spell, few)))
    for number, counts in itertools.product(sorted(totals, key=spell), ordered):
        yield *(_put_number(one, counts, number) for one in added), "the number of terms has a name"  # type: ignore[misc]


def _put_number(node: Node, counts: frozenset[Node], number: Node) -> Node:
    """Replace the names of the number of terms, but not within conditions of sums."""
    if node in counts:
        return number
    if node.kind == "bind":
        return replace(node, parts=(*node.parts[:3], _put_number(node.parts[3], counts, number), *node.parts[4:]))
    return replace(node, parts=tuple(_put_number(part, counts, number) for part in node.parts)) if node.parts else node


def _may_be_count(node: Node) -> bool:
    """Whether a node is a letter that commonly is a whole number, or the number of elements of a set."""
    if node.kind == "symbol":
        return not node.parts and (node.value in COMMONLY_WHOLE or (len(node.value) == 1 and node.value.isupper()))
    if node.kind == "mul":
        return node.parts[0].value == "\\#" and len(node.parts) == 2
    return node.kind == "call" and node.value in _SIZES and node.parts[-1].kind == "symbol"


def _is_endless(node: Node, name: str) -> bool:
    """Whether a node is a sum or a product with a variable, and without a finite end."""
    if node.kind != "bind" or node.value != name or len(node.parts) < 5:
        return False
    return node.parts[1] is EMPTY or any(one.value == v.ENDLESS for one in node.parts[1].walk())


def _add_logarithms(node: Node) -> Node:
    """Rewrite a product without a finite end as the exponential of a sum of logarithms."""
    if not _is_endless(node, "\\prod"):
        return node
    logarithm = Node("call", "ln", (Node("list", ""), node.parts[3]))
    total = Node("bind", "\\sum", (*node.parts[:3], logarithm, *node.parts[4:]))
    return Node("pow", "", (Node("symbol", "e"), total))


def find_noise(statements: Iterable[Node]) -> Iterator[Node]:
    """Yield the letters that statements draw from a distribution with location 0."""
    for one in statements:
        if one.kind != "relation" or one.value != "\\sim" or one.parts[0].kind != "symbol":
            continue
        if one.parts[1].kind == "call" and Node("number", "0") in one.parts[1].parts[1:2]:
            yield one.parts[0]


def turn(node: Node, letter: Node) -> Node:
    """Replace a letter by its negative."""
    return _everywhere(node, lambda one: negative(one) if one == letter else one)


_LAWS: tuple[tuple[Callable[[Node], Node], str], ...] = (
    (_take_sign, "whole numbers stand above -1"),
    (_step_once, "a function is 0 or 1"),
    (_step_by_sign, "a function is 0 for negative and 1 for positive numbers"),
    (_center, "a normal density depends on the distance from its mean alone"),
    (_balance, "the entropy of a probability is that of its complement"),
    (_normalise, "probabilities or weights add up to 1"),
    (_squash, "sigma is the logistic function"),
    (_choose, "a C of two numbers is a binomial coefficient"),
    (_quantile, "quantiles of a distribution around 0 are opposite for p and 1 - p"),
    (_complement, "q is the complement of p"),
)
