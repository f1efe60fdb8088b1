"""Compare sides of statements by their values at several seeds."""

from __future__ import annotations

import copy
import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from scholartools.tasks.equations.certificates import probes, relations, values
from scholartools.tasks.equations.certificates.canonical import spell
from scholartools.tasks.equations.certificates.evidence import (
    COMMONLY_WHOLE,
    COMPLEX,
    chosen_letters,
    conventional_numbers,
    counted_calls,
    letter_key,
    number_letters,
    whole_letters,
)
from scholartools.tasks.equations.certificates.probes import Probe, Setting
from scholartools.tasks.equations.certificates.values import Undefined, Value
from scholartools.tasks.equations.trees.tree import Node

SEEDS = 12
VALID = 4  # minimum number of seeds with equal values for two equal sides
MANY = 24  # seeds with equal values that are needed if signs of letters matter, to cover combinations of signs
CLEAR = 2  # minimum number of seeds with clearly different values for two different sides
_PLAIN = frozenset("number symbol add mul neg div pow relation".split())


@dataclass
class Tally:
    """Counts of seeds at which two sides are equal or differ."""

    equal: int = 0
    different: int = 0
    clear: int = 0  # differences without roots of negative numbers
    witness: tuple[int, Value, Value] | None = None

    @property
    def status(self) -> str:
        """``equal``, ``different`` or ``unknown``."""
        if self.equal >= VALID and not self.different:
            return "equal"
        if self.clear >= CLEAR or (self.different >= VALID and self.equal <= 1):
            return "different"
        return "unknown"

    def is_settled(self, enough: int = VALID + 1) -> bool:
        """Whether further seeds are not needed, if ``enough`` seeds with equal values suffice."""
        return self.clear >= CLEAR or self.equal >= enough or (self.equal > 1 and self.different > 1)


class Side(NamedTuple):
    """The value of a side at a seed, whether digits were lost or few remain, and the kinds of roots of negatives."""

    value: Value
    lost: bool
    branched: int
    faint: bool


@dataclass
class Settings:
    """How letters of a pair of formulas are assigned values.

    Attributes:
        original: settings of the pair that this one rewrites; letters of equal types have the same values in both, so
            that a formula in both is evaluated once.
    """

    first: Sequence[Node]
    second: Sequence[Node]
    original: Settings | None = None
    base: Setting = field(init=False)
    conventional: frozenset[str] = field(init=False)
    idle: frozenset[str] = field(init=False)  # changes of the setting without an effect on these formulas
    _made: dict[tuple[int, frozenset[str]], Setting] = field(init=False)
    _shared: dict[Setting, dict[tuple[int, frozenset[str]], Setting]] = field(init=False)  # with rewritings

    def __post_init__(self) -> None:
        """Infer types of letters from both formulas."""
        shown = [number_letters(nodes) for nodes in (self.first, self.second)]
        held = [{letter_key(one) for node in nodes for one in node.walk()} for nodes in (self.first, self.second)]
        numbers = (shown[0] | shown[1]) - (held[0] - shown[0]) - (held[1] - shown[1])
        both = [*self.first, *self.second]
        whole = whole_letters(both)
        self.conventional = conventional_numbers(both, whole)
        if self.original is None:
            salt = hashlib.sha256("".join(sorted(map(spell, both))).encode()).hexdigest()[:12]
            self._shared = {}
        else:
            salt, self._shared = self.original.base.salt, self.original._shared
        scalars = numbers | whole | chosen_letters(both) | self.conventional
        self.base = Setting(0, salt=salt, whole=whole, counts=counted_calls(both), scalars=scalars)
        self.idle = probes.idle_changes(both, scalars | whole)
        self._made = self._shared.setdefault(self.base, {})

    def readings(self, nodes: Sequence[Node]) -> Iterator[tuple[Settings, str]]:
        """Yield other settings that the statements allow, each with a description of its assumption."""
        whole = {one.value for node in nodes for one in node.walk() if one.kind == "symbol" and not one.parts}
        whole &= COMMONLY_WHOLE if any(map(has_period, nodes)) else set()
        if whole - self.base.whole:
            yield self._with(whole=self.base.whole | whole), f"whole numbers stand for {', '.join(sorted(whole))}"
        if any(_is_plain_logarithm(one) for node in nodes for one in node.walk()):
            for base in (2.0, 10.0):
                yield self._with(base=base), f"logarithms are to the base {base:.0f}"
        if any(one.value == "e" and one.kind == "symbol" and not one.parts for node in nodes for one in node.walk()):
            yield self._with(euler=True), "e is the base of exponentials"
        if any(one.kind == "pow" and _is_odd_root(one.parts[1]) for node in nodes for one in node.walk()):
            yield self._with(odd=True), "odd roots of negative numbers are real"
        if "even" not in self.idle:
            yield self._with(even=True), "matrices have an even number of rows"
        if any(map(_may_hold_a_root, nodes)):
            yield self._with(imaginary=True, whole=self.base.whole | whole), "i or j is the root of -1"

    def _with(self, **changes: Any) -> Settings:
        found = copy.copy(self)
        found.base = replace(self.base, **changes)
        found._made = self._shared.setdefault(found.base, {})
        return found

    def at(self, seed: int, **changes: bool) -> Setting:
        """The setting of a seed; it is cached, with the values that were computed at it."""
        changed = {name: True for name, is_set in changes.items() if is_set and name not in self.idle - {"matrices"}}
        key = seed, frozenset(changed)
        if key not in self._made:
            caches: dict[str, Any] = {"known": {}, "drawn": {}, "roots": {}}
            self._made[key] = Setting(**{**vars(self.base), **changed, "seed": seed, **caches})
        return self._made[key]


def _may_hold_a_root(node: Node) -> bool:
    """Whether a formula has ``i`` or ``j`` other than as an index or a bound variable."""
    if node in probes.IMAGINARY:
        return True
    if node.kind == "symbol":
        return False
    parts = node.parts[1:] if node.kind == "call" else node.parts
    if node.kind == "bind" and probes.IMAGINARY & set(node.parts[4:]):
        return False
    return any(map(_may_hold_a_root, parts))


def has_period(node: Node) -> bool:
    """Whether a formula has parts that are simpler for integers: powers of -1, periodic functions, floors."""
    calls = (one for one in node.walk() if one.kind == "call" and one.value in _PERIODIC)
    return next(calls, None) is not None or _may_hold_a_root(node) or any(map(_is_power_of_negative, node.walk()))


def _is_odd_root(exponent: Node) -> bool:
    """Whether an exponent without letters may be a fraction with an odd denominator."""
    leaves = [one for one in exponent.walk() if not one.parts]
    is_plain = exponent.kind != "number" and all(one.kind == "number" for one in leaves)
    return is_plain and any(one.value.isdigit() and int(one.value) % 2 and one.value != "1" for one in leaves)


def _is_plain_logarithm(node: Node) -> bool:
    return node.kind == "call" and node.value == "log" and not node.parts[0].parts


def _is_power_of_negative(node: Node) -> bool:
    base = node.parts[0] if node.kind == "pow" else None
    return base is not None and (base.kind == "neg" or base.value.startswith("-"))


_PERIODIC = frozenset("sin cos tan floor ceil".split())


def is_plain(nodes: Sequence[Node]) -> bool:
    """Whether formulas consist of letters, numbers and arithmetic only."""
    return all(one.kind in _PLAIN and one not in probes.IDENTITIES for node in nodes for one in node.walk())


def evaluate(probe: Probe, node: Node) -> Side | None:
    """The value of a side; None if it is undefined."""
    probe.lost = 0
    probe.branched = probe.steps = 0
    try:
        value = probe.value(node)
        values.size(value)
    except (Undefined, RecursionError):
        return None
    return Side(value, bool(probe.lost & values.LOST), probe.branched, bool(probe.lost & values.FAINT))


def evaluate_all(setting: Setting, nodes: Sequence[Node]) -> list[Value] | None:
    """The values of sides; None if one is undefined or lost its digits."""
    probe = Probe(setting)
    found = []
    for node in nodes:
        side = evaluate(probe, node)
        if side is None or side.lost:
            return None
        found.append(side.value)
    return found


def note(tally: Tally, seed: int, first: Side | None, second: Side | None, *, real: bool = False) -> None:
    """Update a tally by a seed; with ``real``, ignore differences where neither side has a real value."""
    if first is None or second is None or first.lost or second.lost:
        return
    try:
        equal = values.compare(first.value, second.value)
    except Undefined:
        return
    if equal:
        tally.equal += not (first.faint or second.faint)
    elif equal is False and (first.branched, second.branched) == (probes.NO_REAL, probes.NO_REAL) and real:
        return
    elif equal is False:
        tally.different += 1
        tally.clear += not (first.branched or second.branched)
        if tally.witness is None:
            tally.witness = (seed, first.value, second.value)


def relate(
    first: Sequence[Node],
    second: Sequence[Node],
    settings: Settings,
    *,
    enough: int = VALID + 1,
    real: bool = False,
    **changes: bool,
) -> list[list[Tally]]:
    """Tally each side of the first statement with each side of the second.

    Args:
        enough: number of seeds with equal values that suffice.
        real: whether to ignore differences where neither side has a real value.
        changes: attributes of the setting to set, such as ``matrices``, ``signed``, ``loose`` or ``apart``.
    """
    tallies = [[Tally() for _ in second] for _ in first]
    for seed in range(SEEDS * 4 if enough == MANY else SEEDS):
        probe = Probe(settings.at(seed, kin=real and seed % 2 == 1, **changes))
        shown = [[tally.clear >= CLEAR for tally in row] for row in tallies]  # cells that are settled as different
        left = [None if all(row) else evaluate(probe, node) for row, node in zip(shown, first)]
        right = [None if all(column) else evaluate(probe, node) for column, node in zip(zip(*shown), second)]
        for row, one in zip(tallies, left):
            for tally, other in zip(row, right):
                note(tally, seed, one, other, real=real)
        if seed and all(tally.is_settled(enough) for row in tallies for tally in row):
            return tallies
    if not changes and not enough > VALID + 1:
        _relate_within_unit(first, second, tallies, settings)
    return tallies


def _relate_within_unit(
    first: Sequence[Node], second: Sequence[Node], tallies: list[list[Tally]], settings: Settings
) -> None:
    """Update tallies without any result by letters between 0 and 1, where more roots and logarithms are real."""
    for (one, other), tally in zip(itertools.product(first, second), itertools.chain.from_iterable(tallies)):
        if tally.equal or tally.clear or not _holds_root([one, other]):
            continue
        for seed in range(SEEDS):
            probe = Probe(settings.at(seed, unit=True))
            note(tally, seed, evaluate(probe, one), evaluate(probe, other))
            if tally.is_settled():
                break


def _holds_root(nodes: Sequence[Node]) -> bool:
    """Whether a formula has a power or a logarithm, which may have no real value."""
    return any(one.kind == "pow" or one.value in _LOGARITHMS for node in nodes for one in node.walk())


def differ(first: Node, second: Node, settings: Settings) -> bool:
    """Whether two sides also differ if functions have their usual properties, and at points with real values."""
    if _agree_where_real(first, second, settings):
        return False
    if is_plain([first, second]):
        return True
    calls = _linear_calls(first), _linear_calls(second)
    moved = calls[0] != calls[1] and calls[0].total() == calls[1].total()
    means = [False, True] if moved else [False]
    tallies = [relate([first], [second], settings, loose=True, means=one)[0][0] for one in means]
    return all(tally.status == "different" for tally in tallies)


def _agree_where_real(first: Node, second: Node, settings: Settings) -> bool:
    """Whether two sides are equal wherever no root of a negative number is taken, or nowhere have real values.

    ``\\sqrt{-a}\\sqrt{-b}`` equals ``\\sqrt{ab}`` where both are real.
    """
    if not _holds_root([first, second]):
        return False
    tally = Tally()
    n_real = n_branched = 0
    for seed, changes in itertools.product(range(SEEDS), ({"signed": True}, {"unit": True})):
        if "unit" in changes and n_real:
            continue
        probe = Probe(settings.at(seed, loose=True, **changes))
        sides = [evaluate(probe, node) for node in (first, second)]
        is_real = all(side is not None and not side.branched for side in sides)
        if is_real:
            note(tally, seed, *sides)
        n_real += is_real
        n_branched += all(side is not None and side.branched == probes.NO_REAL for side in sides)
        if tally.different:
            return False
    return tally.equal > 0 or (n_branched > 0 and not n_real)


_LOGARITHMS = frozenset(["log", "ln", "lg"])


def _linear_calls(node: Node) -> Counter[Node]:
    """The calls of linear functions, out of which a factor may have been moved."""
    return Counter(one for one in node.walk() if one.kind in ("call", "bind") and one.value in probes.LINEAR)


def agree(pairs: Sequence[tuple[Node, Node]], settings: Settings) -> bool:
    """Whether pairs of sides that are equal for positive numbers are also equal for negative ones and matrices."""
    for first, second in pairs:
        real = not any(map(_may_be_complex, (first, second)))
        for changes in _all_changes([first, second], settings):
            enough = _enough([first, second], changes)
            is_real = real and enough == MANY
            tally = relate([first], [second], settings, enough=enough, real=is_real, **changes)[0][0]
            if tally.different or (tally.status != "equal" and changes != _FEW):
                return False
    return True


def hides_arguments(first: Sequence[Node], second: Sequence[Node], settings: Settings) -> bool:
    """Whether a maximum, minimum or absolute value of only one formula never took one of its arguments at any point.

    ``settings`` must be those of the comparison, so that the points are those at which the sides were compared.
    """
    found = [set(itertools.chain.from_iterable(map(_choices, nodes))) for nodes in (first, second)]
    for pick, arguments in found[0] ^ found[1]:
        if not any(map(_holds_letters, arguments)):
            continue  # the same number is taken at each point
        counted: set[int] = set()
        for changes, seed in itertools.product(_ALL_SIGNS, range(0, MANY, 2)):  # signs may differ at odd seeds
            numbers = evaluate_all(settings.at(seed, **changes), arguments)
            if numbers and all(isinstance(one, float) for one in numbers):
                best = (min if pick == "min" else max)(numbers)  # type: ignore[type-var]
                counted |= {numbers.index(best)} if numbers.count(best) == 1 else set()
        if len(counted) < len(arguments):
            return True
    return False


class _Watcher(Probe):
    """A probe that records the distinct values of some nodes."""

    keeps = False

    def __init__(self, setting: Setting, seen: dict[Node, set[Value]]) -> None:
        super().__init__(setting)
        self.seen = seen

    def value(self, node: Node) -> Value:
        found = super().value(node)
        if node in self.seen:
            self.seen[node].add(found)
        return found


def vanishes(first: Sequence[Node], second: Sequence[Node], settings: Settings) -> bool:
    """Whether a product or binomial coefficient of only one formula was zero at all points, or a floor always the same.

    Then the formulas may differ at larger numbers: ``\\binom{n}{20}`` is zero for ``n`` below 20. A power of a sign
    counts as well, since no drawn number is 0.
    """
    found = [{one for node in nodes for one in node.walk() if _may_vanish(one)} for nodes in (first, second)]
    seen: dict[Node, set[Value]] = {node: set() for node in found[0] ^ found[1]}
    for seed, changes in itertools.product(range(VALID), _VANISHING if seen else ()):
        probe = _Watcher(settings.at(seed, **changes), seen)
        for node in (*first, *second):
            evaluate(probe, node)
    return any(
        found == {0.0} or (node.value in _ROUNDED and len(found) == 1) or node.kind == "pow"
        for node, found in seen.items()
    )


def _may_vanish(node: Node) -> bool:
    """Whether a node with letters may be zero, or constant, at many whole numbers."""
    if node.kind == "pow":
        return node.parts[0].kind == "call" and node.parts[0].value in _STEPS
    if node.kind == "call":
        return node.value in _ROUNDED | {"binom"} and any(map(_holds_letters, node.parts))
    is_product = node.kind == "mul" and any(one.kind in ("add", "call", "bind") for one in node.parts)
    return (is_product or node.value == "\\prod") and _holds_letters(node)


_ROUNDED = frozenset(["floor", "ceil"])
_STEPS = frozenset(["sgn", "sign"])
_VANISHING: list[dict[str, bool]] = [{}, {"signed": True}, {"long": True}]


def _choices(node: Node) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """Yield maxima and minima with their arguments; an absolute value is a maximum of a value and its negative.

    So are roots and logarithms of squares, which hide the sign of the base.
    """
    for one in node.walk():
        if one.kind == "call" and one.value in ("max", "min"):
            yield one.value, one.parts[1:]
        elif one.kind == "call" and one.value in _OF_TWO_SIGNS and len(one.parts) == 2:
            yield from _both_signs(one.parts[1])
        elif _has_corner(one):
            squared = (part.parts[0] for part in one.walk() if part.kind == "pow" and part.parts[1] in _EVEN_POWERS)
            yield from itertools.chain.from_iterable(_both_signs(base) for base in squared if base.kind != "symbol")


def _has_corner(node: Node) -> bool:
    """Whether the analytic form of a node changes with a sign."""
    if node.kind == "call" and node.value not in _LOGARITHMS:
        return node.value in _CORNERS
    if node.kind != "call" and not (_tells_sign(node) and not _holds_letters(node.parts[1])):
        return False
    return any(one.kind == "add" or (one.kind == "pow" and one.parts[1] in _EVEN_POWERS) for one in node.walk())


def _holds_letters(node: Node) -> bool:
    return any(one.kind in ("symbol", "call", "bind") for one in node.walk())


def _both_signs(node: Node) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """A value and its negative; for a product also of each factor, and of the joint factors of each letter."""
    found = [node]
    if node.kind == "mul":
        factors = [
            one
            for one in node.parts
            if one.kind != "pow" or (one.parts[1] not in _EVEN_POWERS and one.parts[0] != probes.EULER)
        ]
        letters = {one for one in node.walk() if one.kind == "symbol"}
        joined = ([one for one in factors if letter in one.walk()] for letter in letters)
        found += [*factors, *(Node("mul", "", tuple(some)) for some in joined if len(some) > 1)]
    return (("max", (one, Node("neg", "", (one,)))) for one in found)


def _enough(nodes: Sequence[Node], changes: dict[str, bool]) -> int:
    """The number of equal seeds that show equality everywhere.

    Few suffice for analytic functions; with roots, logarithms or absolute values all combinations of signs must occur.
    """
    if changes == _FEW:
        return SEEDS
    return MANY if changes.get("signed") and any(map(tells_signs, nodes)) else VALID + 1


def tells_signs(node: Node) -> bool:
    """Whether a formula has a root, a logarithm or another function whose form depends on the sign of its argument."""
    return any(map(_tells_sign, node.walk()))


def _tells_sign(node: Node) -> bool:
    return node.value in _OF_SIGN if node.kind == "call" else node.kind == "pow" and _takes_root(*node.parts)


def _takes_root(base: Node, exponent: Node) -> bool:
    """Whether a power of a base that may be negative may be a root."""
    is_positive = base == probes.EULER or (base.kind == "number" and not base.value.startswith("-"))
    return not is_positive and exponent not in _WHOLE_POWERS


_WHOLE_POWERS = frozenset(Node("number", str(power)) for power in range(10))
_EVEN_POWERS = frozenset(Node("number", str(power)) for power in range(2, 10, 2))


def _may_be_complex(node: Node) -> bool:
    """Whether a formula has a letter that is commonly complex."""
    letters = (one.value for one in node.walk() if one.kind == "symbol" and one not in probes.IMAGINARY)
    return _may_hold_a_root(node) or any(letter in COMPLEX for letter in letters)


def _all_changes(nodes: Sequence[Node], settings: Settings) -> list[dict[str, bool]]:
    """The changes of the setting under which sides that are equal for positive numbers must remain equal."""
    found = [{"signed": True}, *({name: True} for name in ("matrices", "apart", "even") if name not in settings.idle)]
    if settings.base.whole:
        found += [{"long": True}, _FEW]
    has_corners = any(_has_corner(one) for node in nodes for one in node.walk())
    return found + _ALL_SIGNS[1:] if has_corners else found


_FEW = {"few": True}  # some formulas are undefined if sums have few terms: it suffices that no value differs
_ALL_SIGNS = [{"signed": True}, {"wide": True, "signed": True}, {"grid": True, "signed": True}]
_OF_TWO_SIGNS = frozenset(["abs", "sgn", "sign"])
_CORNERS = frozenset("abs max min floor ceil sgn sign".split())
_OF_SIGN = _CORNERS | {"norm", "log", "ln", "lg", "\\|\\|"}


def are_proportional(first: Node, second: Node, settings: Settings) -> bool:
    """Whether the differences of the sides of two statements have a constant ratio, so that both are the same.

    The ratio must be positive for orders and nonzero for equations.
    """
    gaps = [Node("add", "", (node.parts[0], Node("neg", "", (node.parts[1],)))) for node in (first, second)]
    factor: Value | None = None
    for changes in ({}, *_all_changes(gaps, settings)):
        enough = _enough(gaps, changes)
        seeds = range(SEEDS * 4 if enough == MANY else SEEDS)
        points = (settings.at(seed, **changes) for seed in seeds)
        valued = ((point, found) for point in points if (found := evaluate_all(point, gaps)))
        count = 0
        if "even" in changes and first.value == "=":  # another factor for other sizes does not change the solutions
            factor = None
        for point, (one, other) in itertools.islice(valued, enough):
            if factor is None and isinstance(one, float) and isinstance(other, float) and one and other:
                factor = one / other
            if factor is None or values.compare(one, values.multiply(factor, other)) is not True:
                return False
            count += not any(_hides_terms(point, gap) for gap in gaps)
        if count < VALID and changes != _FEW:
            return False
    return isinstance(factor, float) and (factor > 0 or first.value == "=")


def _hides_terms(setting: Setting, node: Node) -> bool:
    """Whether few digits of a term of a sum remain, so that the term may equal its approximation."""
    if node.kind in ("add", "neg"):
        return any(_hides_terms(setting, part) for part in node.parts)
    side = evaluate(Probe(setting), node)
    return side is not None and side.faint


def differ_by_a_factor(first: Node, second: Node, settings: Settings) -> bool:
    """Whether two proportionalities, or relations up to a constant, differ only by a factor on their sides."""
    is_loose = first.value == second.value and first.value in relations.UP_TO_FACTORS
    if not is_loose or len(first.parts) != 2 or len(second.parts) != 2:
        return False
    zero = Node("number", "0")
    sides = [[Node("relation", "=", (side, zero)) for side in one.parts] for one in (first, second)]
    return all(one == other or are_proportional(one, other, settings) for one, other in zip(*sides))


def differ_as_matrices(first: Node, second: Node, settings: Settings) -> Tally | None:
    """The tally of two sides with matrices as capital letters; None unless both contain matrices and always differ."""
    if not shows_matrices(first, second):
        return None
    tallies = [relate([first], [second], settings, matrices=True, loose=loose)[0][0] for loose in (False, True)]
    return tallies[0] if all(tally.status == "different" for tally in tallies) else None


def shows_matrices(*nodes: Node) -> bool:
    """Whether formulas are matrix algebra of capital letters, with a transpose or a bold letter."""
    shown = False
    for one in (part for node in nodes for part in node.walk()):
        if one.kind == "symbol":
            letter = _CAPITAL.match(one.value)
            if letter is None or one.parts:
                return False
            shown |= bool(letter[1])
        elif one.kind == "transpose":
            shown = True
        elif one.kind not in ("add", "mul", "neg", "pow", "number"):
            return False
    return shown


_CAPITAL = re.compile(r"(\\mathbf\{|\\boldsymbol\{)?[A-Z]\}?$")
