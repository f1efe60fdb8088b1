"""Compare two bounds: find points at which only one holds, and check conventions under which they agree."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from scholartools.tasks.equations.certificates import values
from scholartools.tasks.equations.certificates.canonical import spell
from scholartools.tasks.equations.certificates.comparison import CLEAR, SEEDS, Settings, evaluate, evaluate_all
from scholartools.tasks.equations.certificates.evidence import COMMONLY_WHOLE
from scholartools.tasks.equations.certificates.probes import Probe, Setting
from scholartools.tasks.equations.certificates.values import Value
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import Node

_POINTS = 40  # number of points at which conventions are tried
_MOST = 12  # maximum number of letters that are made negative one by one
_WHOLE = COMMONLY_WHOLE | {"i", "j"}
Draw = Callable[[Probe, Node], float]


def contradict(
    first: Node, second: Node, settings: Settings, signs: tuple[bool, ...] = (False, True)
) -> tuple[int, bool, bool, bool] | None:
    """Find a point at which one of two chains of bounds holds and the other does not.

    ``x < a y`` and ``x / a < y`` agree for positive letters, ``n > 0`` and ``n >= 1`` for integers: the bounds must
    also differ for such letters, unless then both always hold or both never hold.

    Returns:
        Seed, whether letters are signed, and both truth values; None unless several seeds show a difference.
    """
    found = None
    for loose in (True, False):
        count = 0
        for seed in range(SEEDS):
            for signed in signs:
                probe = Probe(settings.at(seed, loose=loose, signed=signed))
                one = find_truth(probe, first, apart=True)
                other = None if one is None else find_truth(probe, second, apart=True)
                if one is not None and other is not None and one != other:
                    count += 1
                    found = found if found and not loose else (seed, signed, one, other)
            if count >= CLEAR:
                break
        if count < CLEAR:
            return None
    return None if _may_agree_by_convention(first, second, settings) else found


def _may_agree_by_convention(first: Node, second: Node, settings: Settings) -> bool:
    """Whether two bounds agree, without always or never holding, for integers or positive letters.

    Either all letters are positive, or all but one.
    """
    letters = list(dict.fromkeys(one for node in (first, second) for one in node.walk() if one.kind == "symbol"))
    whole = [one for one in letters if one.value in _WHOLE]
    for least in (0, -3) if whole else ():
        if _agree_in_part(first, second, map(Probe, _give(settings, letters, _draw_whole(whole, least)))):
            return True
    points, again = itertools.tee(_give(settings, letters, _draw_positive))
    agree = _agree_in_part(first, second, map(Probe, points))
    if agree is not None:  # bounds that differ for positive letters also differ if one may be negative
        return agree
    positive = list(again)
    return any(_agree_in_part(first, second, _turn(positive, letter)) for letter in letters[:_MOST])


def are_one_sided(names: tuple[str, str], left: Node, right: Node, settings: Settings) -> bool:
    """Whether two relations between the same sides may differ only at values that a side cannot have.

    ``x \\neq 0`` and ``x > 0`` agree for a count, ``P(A) = 1`` and ``P(A) \\geq 1`` for a probability. ``H < G`` may
    denote any subgroup.
    """
    if set(names) in _DIFFERENT_BETWEEN and all(_GROUP.match(side.value) and not side.parts for side in (left, right)):
        return True
    differs_below = set(names) in _DIFFERENT_BELOW
    if not differs_below and set(names) not in _DIFFERENT_ABOVE:
        return False
    if not differs_below and left.value in v.PROBABILITIES and right == Node("number", "1"):
        return True
    for seed in range(_POINTS):
        found = evaluate_all(settings.at(seed, loose=True), [left, right])
        name = "<" if differs_below else ">"
        if found and _relate(found[0], name, found[1]):
            return False
    return True


_GROUP = re.compile(r"[A-JO-Z]$|\\math(?:cal|bf|frak)\{[A-Z]\}$")
_DIFFERENT_BETWEEN = [{"<", "\\leq"}, {">", "\\geq"}]
_DIFFERENT_BELOW = [{"\\neq", ">"}, {"=", "\\leq"}]
_DIFFERENT_ABOVE = [{"\\neq", "<"}, {"=", "\\geq"}]


def _draw_whole(whole: list[Node], least: int) -> Draw:
    def draw(probe: Probe, letter: Node) -> float:
        positive = _draw_positive(probe, letter)
        return float(least + int(positive * 1e6) % 6) if letter in whole else positive

    return draw


def _draw_positive(probe: Probe, letter: Node) -> float:
    first, by = probe.draw(f"bound {spell(letter)}", 2)
    return first * 20 if int(by * 1e6) % 3 == 0 else first


def _give(settings: Settings, letters: list[Node], draw: Draw) -> Iterator[Setting]:
    """Yield settings with values of letters that are drawn for bounds."""
    for seed in range(_POINTS):
        setting = settings.at(seed, loose=True)
        given: dict[Node, Value] = {letter: draw(Probe(setting), letter) for letter in letters}
        yield replace(setting, given=given, known=dict(given), roots={})


def _turn(points: Sequence[Setting], letter: Node) -> Iterator[Probe]:
    """The points with a letter negated at every other seed; values without the letter are cached."""
    for point in points:
        turned = values.multiply(-1.0, point.given[letter])
        yield Probe(point, {letter: turned} if point.seed % 2 else {})


def _agree_in_part(first: Node, second: Node, points: Iterable[Probe]) -> bool | None:
    """Whether two bounds hold at the same points; None if both hold at all points or at none."""
    found = set()
    for probe in points:
        one, other = find_truth(probe, first), find_truth(probe, second)
        if one is None or other is None:
            continue
        if one != other:
            return False
        found.add(one)
    return True if len(found) == 2 else None


def find_truth(probe: Probe, node: Node, *, apart: bool = False) -> bool | None:
    """Whether a chain of relations holds at a point; None if a side has no value or sides are too close.

    Args:
        apart: return None if adjacent sides are equal, where strict and other bounds differ.
    """
    sides = [evaluate(probe, side) for side in node.parts]
    if any(one is None or one.lost or one.branched for one in sides):
        return None
    found = [one.value for one in sides if one is not None]
    if apart and any(values.compare(*pair) is not False for pair in zip(found, found[1:])):
        return None
    truths = [_relate(*pair) for pair in zip(found, node.value.split(" "), found[1:])]
    if False in truths:
        return False
    return None if None in truths else True


def _relate(left: Value, name: str, right: Value) -> bool | None:
    """Whether a relation holds between two values; None if they are too close or not ordered."""
    equal = values.compare(left, right)
    if name in ("=", "\\neq") or equal is None:
        return equal if equal is None or name == "=" else not equal
    if not isinstance(left, float) or not isinstance(right, float):
        return None
    if equal:
        return name in ("\\leq", "\\geq")
    return (left < right) == (name in ("<", "\\leq"))
