"""Decide whether two formulas have the same meaning, by tokens, trees, values or solving; else undecided.

A certificate names the method and a witness that can be recomputed: seed, side, and both values.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scholartools.tasks.equations.certificates import (
    bounds,
    comparison,
    conditions,
    conventions,
    definitions,
    identities,
    joints,
    laws,
    named,
    notation,
    relations,
    solving,
    substitution,
    witness,
)
from scholartools.tasks.equations.certificates.canonical import (
    canonical,
    fingerprint,
    spell,
)
from scholartools.tasks.equations.certificates.comparison import Settings, Tally
from scholartools.tasks.equations.certificates.evidence import renames, works_out
from scholartools.tasks.equations.certificates.probes import WORK, Exhausted, limit_work
from scholartools.tasks.equations.certificates.relations import mirror
from scholartools.tasks.equations.certificates.values import Value
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.meaning import Evidence, Meaning, gather
from scholartools.tasks.equations.trees.parser import Tree, parse
from scholartools.tasks.equations.trees.tokens import flat, read
from scholartools.tasks.equations.trees.tree import EMPTY, Node, Unread

VERSION = 27

_FLAGS = {
    "call": "factor",
    "transpose": "exponent",
    "index": "product",
    "accent": "whole",
    "euler": "upright",
    "superscript": "raised",
    "iterate": "iterated",
    "indices": "upper",
    "numbered": "numbered",
    "difference": "joined",
}  # kind of ambiguity to attribute of Evidence
_FEW_DOUBTS = 4
_FEW_DIGITS = 4
_FAR = 0.25  # minimum relative difference of numbers that are not nearly equal
_ONLY_SOME = "equal for positive numbers, but not for matrices, negative or great numbers as well"
_NO_VALUES = "values do not tell whether the sides are equal"
SAME, DIFFERENT, UNDECIDED = "same", "different", "undecided"


@dataclass(frozen=True)
class Finding:
    """A verdict on two statements, with its method and witness or reason."""

    verdict: str
    by: str | None = None
    witness: dict[str, Any] | None = None
    reason: str | None = None


def certify(positive: str, alternative: str) -> dict[str, Any]:
    """Make the certificate of two formulas in LaTeX.

    Returns:
        ``verdict`` (same, different, undecided), ``by`` (tokens, tree, definition, probe, solve, or null), ``witness``,
        ``reason`` (if undecided), ``tree`` (fingerprints of both formulas, null if not parsed), ``risk`` (assumptions
        that the formulas cannot confirm) and ``version`` of the method.
    """
    try:
        typeset = [_trim_punctuation(flat(read(latex))) for latex in (positive, alternative)]
    except Unread as error:
        return _make_certificate(Finding(UNDECIDED, reason=error.reason))
    if typeset[0] == typeset[1]:
        return _make_certificate(Finding(SAME, "tokens"))
    try:
        trees = parse(positive), parse(alternative)
    except Unread as error:
        return _make_certificate(Finding(UNDECIDED, reason=error.reason))
    if _are_one_tree(positive, alternative, trees) and not notation.groups_otherwise(positive, alternative, trees):
        return _make_certificate(Finding(SAME, "tokens"))
    try:
        with limit_work():
            return _by_readings(positive, alternative, trees)
    except Unread as error:
        return _make_certificate(Finding(UNDECIDED, reason=error.reason))
    except Exhausted:
        return _make_certificate(Finding(UNDECIDED, reason=f"more than {WORK} steps to evaluate"))


def _are_one_tree(positive: str, alternative: str, trees: tuple[Tree, Tree]) -> bool:
    """Whether two formulas have equal trees in each reading."""
    doubts = trees[0].doubts | trees[1].doubts
    others = ((parse(latex, frozenset([doubt])) for latex in (positive, alternative)) for doubt in doubts)
    return all(one.statements == other.statements for one, other in (trees, *others))


def _make_certificate(
    finding: Finding, tree: list[str | None] | None = None, risk: Sequence[str] = ()
) -> dict[str, Any]:
    found: dict[str, Any] = {"verdict": finding.verdict, "by": finding.by, "witness": finding.witness}
    if finding.reason:
        found["reason"] = finding.reason
    return {**found, "risk": list(risk), "tree": tree or [None, None], "version": VERSION}


def _trim_punctuation(texts: list[str]) -> list[str]:
    """Remove the punctuation at the end."""
    while texts and texts[-1] in (".", ",", ";"):
        texts = texts[:-1]
    return texts


@dataclass(frozen=True)
class Formula:
    """The semantic trees of a formula in one reading: its statements as written, and in canonical form."""

    statements: list[Node]
    canonical: list[Node]
    doubts: frozenset[str]


def _by_readings(positive: str, alternative: str, trees: tuple[Tree, Tree]) -> dict[str, Any]:
    """The verdict on which all readings agree, else undecided."""
    formulas = _read_pair(trees)
    first = _judge_formulas(formulas[0], formulas[1])
    if reason := _doubt_as_written(first, positive, alternative, trees):
        first = Finding(UNDECIDED, reason=reason)
    hashes: list[str | None] = [fingerprint(one.canonical) for one in formulas]
    doubts = sorted({*trees[0].doubts, *trees[1].doubts, *formulas[0].doubts, *formulas[1].doubts})
    if first.verdict != UNDECIDED:
        for chosen in _choose(doubts):
            other = _judge_formulas(*_read_again(positive, alternative, trees, chosen))
            if other.verdict != first.verdict:
                reason = f"{first.verdict} by one reading, {other.verdict} by another ({', '.join(chosen)})"
                first = Finding(UNDECIDED, reason=reason)
                break
    if first.verdict == DIFFERENT and _agree_where_read_in_turn(positive, alternative, trees):
        first = Finding(UNDECIDED, reason="what is written alike may be read in two ways within one formula")
    return _make_certificate(first, hashes, _form_risks(formulas) if first.verdict == DIFFERENT else ())


def _doubt_as_written(finding: Finding, positive: str, alternative: str, trees: tuple[Tree, Tree]) -> str | None:
    """Why the LaTeX of two formulas may say something else than their trees; None if no reason is known."""
    both, is_different = (positive, alternative), finding.verdict == DIFFERENT
    if any(map(notation.has_odd_number, both)):
        return "a number may have an exponent behind e, other digits than decimals, or an uncertainty in brackets"
    symbols = list(map(notation.find_legendre, both))
    if symbols[0] != symbols[1] or (is_different and symbols[0]):
        return "a fraction in brackets may be a symbol of Legendre"
    if finding.verdict != UNDECIDED and notation.groups_otherwise(*both, trees, doubled=is_different):
        return "brackets or commas may do more than group letters"
    if is_different and notation.may_be_written_in_brackets(*both):
        return "brackets may be a floor, or name a value by its rank"
    if is_different and notation.spelled_functions(positive) != notation.spelled_functions(alternative):
        return "letters may be the name of a function"
    for others, reason, verdicts in notation.rewrite(positive, alternative):
        if (finding.verdict in verdicts or finding.by in verdicts) and (
            _judge_formulas(*_read_pair((parse(others[0]), parse(others[1])))).verdict != finding.verdict
        ):
            return reason
    return None


def _agree_where_read_in_turn(positive: str, alternative: str, trees: tuple[Tree, Tree]) -> bool:
    """Whether two formulas may agree if one place of a repeated ambiguity is read otherwise in one of them.

    An ambiguity of another kind may be read otherwise in both formulas at the same time.
    """
    kinds = sorted((trees[0].doubts | trees[1].doubts).difference(_FLAGS)) if trees[0].places | trees[1].places else []
    for chosen in (frozenset[str](), *(frozenset([kind]) for kind in kinds)):
        both = (parse(positive, chosen), parse(alternative, chosen)) if chosen else trees
        readings = [
            *((parse(positive, chosen | {place}), both[1]) for place in trees[0].places),
            *((both[0], parse(alternative, chosen | {place})) for place in trees[1].places),
        ]
        if any(_judge_formulas(*_read_pair(one)).verdict != DIFFERENT for one in readings):
            return True
    return False


def _choose(doubts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the sets of ambiguities to read otherwise: all subsets of few; of many, singletons, pairs and all."""
    few = len(doubts) if len(doubts) <= _FEW_DOUBTS else 2
    for count in range(1, few + 1):
        yield from itertools.combinations(doubts, count)
    if few < len(doubts):
        yield tuple(doubts)


def _read_again(
    positive: str, alternative: str, trees: tuple[Tree, Tree], chosen: tuple[str, ...]
) -> tuple[Formula, Formula]:
    choices = frozenset(chosen).difference(_FLAGS)
    read = (parse(positive, choices), parse(alternative, choices)) if choices else trees
    return _read_pair(read, **{_FLAGS[doubt]: True for doubt in chosen if doubt in _FLAGS})


def _read_pair(trees: tuple[Tree, Tree], **flags: bool) -> tuple[Formula, Formula]:
    """The formulas of two trees; ``flags`` are attributes of :class:`Evidence`."""
    evidence = gather([*trees[0].statements, *trees[1].statements], **flags)
    return _formula_of(trees[0], evidence), _formula_of(trees[1], evidence)


def _formula_of(tree: Tree, evidence: Evidence) -> Formula:
    doubts: set[str] = set()
    statements = []
    for statement in tree.statements:
        meaning = Meaning(evidence, statement)
        statements.append(identities.normalise_extremes(meaning.read(statement)))
        doubts |= meaning.doubts
    return Formula(statements, [canonical(one) for one in statements], frozenset(doubts))


def _judge_formulas(first: Formula, second: Formula) -> Finding:
    """The verdict on two formulas in one reading."""
    finding = _judge_all(first, second)
    if finding.verdict == DIFFERENT and finding.by != "tree" and _may_agree_unjoined(first, second):
        return Finding(UNDECIDED, reason="a sign or a word may join statements, and not the sides beside it")
    for may_differ in (conventions.may_be_of_forms, conventions.may_be_joined, conventions.may_be_inverted):
        if finding.verdict == SAME and (reason := may_differ(first.statements, second.statements)):
            return Finding(UNDECIDED, reason=reason)
    if finding.verdict == SAME and finding.by in ("probe", "solve", "definition"):
        settings = Settings(first.statements, second.statements)
        if comparison.hides_arguments(first.canonical, second.canonical, settings):
            return Finding(UNDECIDED, reason="an argument of a maximum or a minimum is never the one that counts")
        if comparison.vanishes(first.statements, second.statements, settings):
            return Finding(UNDECIDED, reason="a part is zero, or rounded to one number, at all points")
    if finding.verdict == SAME and finding.by in ("probe", "solve") and _long_numbers(first) != _long_numbers(second):
        return Finding(UNDECIDED, reason="numbers of many digits are not compared in all of them")
    if (finding.verdict == SAME and finding.by != "definition") and (
        reason := notation.may_differ(first.statements, second.statements)
    ):
        return Finding(UNDECIDED, reason=reason)
    return finding


def _may_agree_unjoined(first: Formula, second: Formula) -> bool:
    """Whether two formulas may agree if relations, signs of logic and words join statements."""
    unjoined = [relations.unjoin(one.statements) for one in (first, second)]
    if unjoined != [first.statements, second.statements]:
        read = [Formula(statements, list(map(canonical, statements)), frozenset()) for statements in unjoined]
        if _judge_all(*read).verdict != DIFFERENT:
            return True
    nested = [Counter(one for part in form.statements for one in _joined_within(part)) for form in (first, second)]
    return nested[0] != nested[1]


def _joined_within(statement: Node) -> list[Node]:
    """The chains within the sides of a statement in which a relation or a sign of logic may join statements."""
    within = (one for side in statement.parts for one in side.walk())
    return [one for one in within if one.kind == "relation" and relations.unjoin([one]) != [one]]


def _long_numbers(formula: Formula) -> set[str]:
    """The digits of long numbers of a formula, which may differ by less than the tolerance of value comparisons."""
    numbers = (one.value for node in formula.canonical for one in node.walk() if one.kind == "number")
    digits = (re.sub(r"[^\d/]", "", number).strip("0") for number in numbers)
    return {one for one in digits if len(one) > _FEW_DIGITS}


def _judge_all(first: Formula, second: Formula) -> Finding:
    """The verdict on all statements of two formulas."""
    left, right = _unmatched_places(first, second)
    if not left and not right:
        return Finding(SAME, "tree")
    if left == right and len(left) == 1 and _says_otherwise(first, second, left[0]):
        words = [one.statements[left[0]].value for one in (first, second)]
        return Finding(DIFFERENT, "tree", {"statement": [left[0], left[0]], "words": words})
    if len(left) != len(right):
        return Finding(UNDECIDED, reason="one has more statements than the other")
    if len(left) > 1:
        if _exchanges_condition(first, second):
            return Finding(DIFFERENT, "tree", {"statement": [0, 2], "exchanged": "if"})
        together = Finding(UNDECIDED, reason="several statements differ, which may say the same together")
        return _judge_quantifiers(first, second) or together
    (one,), (other,) = left, right
    return _judge_where_apart(first, one, second, other)


def _judge_where_apart(first: Formula, one: int, second: Formula, other: int) -> Finding:
    """The verdict on the only statement of each formula, by its index, without an equal in the other formula."""
    settings = Settings(first.statements, second.statements)
    judged = first.statements[one], second.statements[other], settings
    finding = _judge_and_doubt(*judged)
    if finding.verdict == UNDECIDED and (spelled := _spell_dots(*judged[:2])):
        found = _judge_and_doubt(*spelled)
        finding, judged = (found, spelled) if found.verdict == DIFFERENT else (finding, judged)
    if finding.verdict == UNDECIDED and _agree_by_definition(first.statements[one], second.statements[other]):
        return Finding(SAME, "definition")
    if finding.verdict != DIFFERENT:
        return finding
    if _turns_noise(first.statements, *judged[:2]):
        return Finding(UNDECIDED, reason="noise may have the other sign")
    apart = first.statements, one, second.statements[other]
    if _are_tied(*apart) or conditions.may_agree_beside(*apart):
        return Finding(UNDECIDED, reason="what another statement says may make them say the same")
    shown = _find_witness(finding, *judged)
    return Finding(DIFFERENT, finding.by, {"statement": [one, other], **(finding.witness or {}), **shown})


def _turns_noise(statements: Sequence[Node], first: Node, second: Node) -> bool:
    """Whether two statements may agree if a letter that is distributed around 0 changes its sign."""
    others = (named.turn(second, letter) for letter in named.find_noise(statements) if first.value != "\\sim")
    return _agree_with_any(first, others)


def _judge_and_doubt(first: Node, second: Node, settings: Settings) -> Finding:
    """The verdict on two statements; "different" only if no known rule may make them agree."""
    finding = _judge(first, second, settings)
    return _doubt_finding(finding, first, second, settings) if finding.verdict == DIFFERENT else finding


def _judge(first: Node, second: Node, settings: Settings) -> Finding:
    """The verdict on two statements by values of free functions, tables of probabilities, or solving."""
    finding = _judge_statements(first, second, settings)
    if finding.verdict == UNDECIDED and joints.compare(first, second).apart:
        return Finding(DIFFERENT, "probe", {"tables": "joint"})
    if finding.verdict == UNDECIDED and relations.are_equated(first, second):
        found = _solve_both((first.parts[0], first.parts[1]), (second.parts[0], second.parts[1]), settings)
        if found.verdict == DIFFERENT and (first.value not in relations.NEARLY or _is_far(found)):
            return found
    return finding


def _is_far(solved: Finding) -> bool:
    """Whether the sides of an equation that does not hold are too far apart to be nearly equal."""
    left, right = (solved.witness or {})["sides"]
    numbers = isinstance(left, float) and isinstance(right, float)
    return numbers and abs(left - right) > _FAR * max(abs(left), abs(right))


def _spell_dots(first: Node, second: Node) -> tuple[Node, Node, Settings] | None:
    """Two statements with sums instead of dots, and their settings; None if there are no dots or some remain."""
    if not definitions.has_dots(first) and not definitions.has_dots(second):
        return None
    spelled = definitions.spell_dots(first), definitions.spell_dots(second)
    if any(map(definitions.has_dots, spelled)):
        return None
    return *spelled, Settings(spelled[:1], spelled[1:])


def _agree_by_definition(first: Node, second: Node) -> bool:
    """Whether two statements are the same after definitions are spelled out."""
    mean = definitions.name_of_mean(first, second)
    spelled = [definitions.spell_out(node, mean) for node in (first, second)]
    if spelled == [first, second]:
        return False
    return _judge_statements(spelled[0], spelled[1], Settings(spelled[:1], spelled[1:])).verdict == SAME


def _exchanges_condition(first: Formula, second: Formula) -> bool:
    """Whether a statement and its condition are exchanged and have no letter in common: ``a > 0`` if ``b = 1``."""
    one, other = first.canonical, second.canonical
    if len(one) != 3 or one != other[::-1] or one[1].kind != "words":
        return False
    return one[1].value.removeprefix("\\text{").strip("} ") == "if" and _are_free_of_each_other(one[0], one[2])


def _judge_quantifiers(first: Formula, second: Formula) -> Finding | None:
    """The verdict on two exchanged quantifiers with their letters: the same if both quantifiers are equal.

    Different quantifiers before an equation for a function of both letters have a different meaning if exchanged.
    """
    ones, others = first.canonical, second.canonical
    if len(ones) != 4 or len(others) != 4 or not {ones[0].value, ones[2].value} <= {"\\forall", "\\exists"}:
        return None
    (outer, equation), (outer_there, equation_there) = ones[1::2], others[1::2]
    is_turned = [ones[0], ones[2]] == [others[2], others[0]] and equation.kind == equation_there.kind == "relation"
    if not is_turned or not equation.value == equation_there.value == ": =" or outer.kind != "symbol":
        return None
    inner, call, value = equation.parts
    if inner.kind != "symbol" or (outer_there, *equation_there.parts) != (inner, outer, call, value):
        return None
    if ones[0] == ones[2]:
        return Finding(SAME, "tree")
    is_free = call.kind == "call" and notation.is_named_by_paper(call.value) and {outer, inner} <= set(call.parts[1:])
    if not is_free or outer == inner or {outer, inner} & set(value.walk()):
        return None
    return Finding(DIFFERENT, "tree", {"statement": [0, 0], "exchanged": "quantifiers"})


def _says_otherwise(first: Formula, second: Formula, place: int) -> bool:
    """Whether two words are opposites (and/or, for all/exists), and the statements can have different truth values."""
    words = frozenset(one.statements[place].value.removeprefix("\\text{").strip("} ") for one in (first, second))
    if words == {"and", "or"}:
        around = first.canonical[place - 1 : place + 2]
        return len(around) == 3 and _are_free_of_each_other(around[0], around[2])
    if words != {"\\forall", "\\exists"} or len(first.canonical) != place + 2:
        return False
    # A single quantifier, whose letter is an argument of a function that the paper defines.
    calls = [one for one in first.canonical[-1].walk() if one.kind == "call" and notation.is_named_by_paper(one.value)]
    bound = first.canonical[-1].parts[0] if first.canonical[-1].kind == "relation" else EMPTY
    return place == 0 and bound.kind == "symbol" and any(bound in call.parts for call in calls)


def _are_free_of_each_other(one: Node, other: Node) -> bool:
    return one.kind == other.kind == "relation" and not _names_in(one) & _names_in(other)


def _find_witness(finding: Finding, first: Node, second: Node, settings: Settings) -> dict[str, Any]:
    equations = (first, second)
    if finding.by == "solve" and relations.are_equated(first, second):  # these relations hold if the sides are equal
        equations = (Node("relation", "=", first.parts), Node("relation", "=", second.parts))
    found = joints.find_witness(first, second) or witness.find(*equations, settings)
    sides = (finding.witness or {}).get("side")
    if found is None and sides is not None and first.kind == second.kind == "relation":
        found = witness.find_sides(first, second, sides, settings)
    trees = witness.spell_statements(first, second)
    return {**(found or {}), **({"trees": trees} if trees else {})}


def _are_tied(statements: Sequence[Node], place: int, other: Node) -> bool:
    """Whether another statement constrains a letter of the differing sides, so that they may be equal.

    ``y = a, a = b`` is the same as ``y = b, a = b``. A statement that defines a letter leaves the letters on its right
    side free.
    """
    sides = [Counter(map(spell, one.parts)) for one in (statements[place], other)]
    apart = [one for one in (*statements[place].parts, *other.parts) if sides[0][spell(one)] != sides[1][spell(one)]]
    names = set().union(*map(_names_in, apart)) if apart else set()
    for index, statement in enumerate(statements):
        if index == place or statement.kind != "relation" or statement.value in _MEMBERSHIPS:
            continue
        used = [statements[place], other]
        if names & _names_in(statement) and not _leaves_free(statement, names, used):
            return True
    return False


def _names_in(node: Node) -> set[str]:
    return {one.value for one in node.walk() if one.kind in ("symbol", "call")} - {"e", "\\pi"}


def _indices(node: Node) -> tuple[Node, ...]:
    return node.parts[0].parts if node.kind == "call" else node.parts


def _is_label(indices: tuple[Node, ...]) -> bool:
    """Whether the indices are a single word, which distinguishes a letter from the same letter with another word."""
    words = [one.value for one in indices if one.kind == "symbol" and not one.parts]
    return len(words) == len(indices) == 1 and (
        len(words[0].lstrip("\\")) > 1 and (words[0].isalnum() or "\\mathrm" in words[0])
    )


def _leaves_free(statement: Node, names: set[str], used: Sequence[Node]) -> bool:
    """Whether a statement only defines one letter, function or derivative, and relates no two of ``names``."""
    defined = statement.parts[0]
    if set(statement.value.split(" ")) <= relations.ORDERS:  # smooth values that differ also differ where a bound holds
        return not any(
            one.kind == "call" and not notation.is_named_by_paper(one.value) for node in used for one in node.walk()
        )
    if len(statement.parts) != 2 or defined.kind not in ("symbol", "call", "derivative"):
        return False
    alike = [one for node in used for one in node.walk() if one.kind == defined.kind and one.value == defined.value]
    if defined.kind == "derivative":
        return defined not in alike
    if not any(_indices(one) == _indices(defined) or not _is_label(_indices(defined)) for one in alike):
        return True
    held = _names_in(statement.parts[1])
    return defined.kind == "symbol" and bool(held) and not held & names


_MEMBERSHIPS = frozenset(["\\in", "\\sim", "\\notin"])


def _doubt_finding(finding: Finding, first: Node, second: Node, settings: Settings) -> Finding:
    """The finding that two statements differ, or an undecided one if a rule may make them agree."""
    others = itertools.chain(identities.rename(first, second), identities.shift(first, second))
    if renames(first, second) or _agree_with_any(first, others):
        return Finding(UNDECIDED, reason="only a free index or argument has another name or is shifted")
    is_scaled = finding.by != "tree" and not identities.define_function(first, second)
    pairs = ((first, second), (second, first)) if is_scaled else ()
    if any(_agree_with_any(one, identities.scale(one, other)) for one, other in pairs):
        return Finding(UNDECIDED, reason="what holds for any argument may hold for a multiple of it")
    if finding.by == "solve" and (reason := laws.may_turn_round(first, second)):
        return Finding(UNDECIDED, reason=reason)
    derived = identities.differentiate_logarithms(first), identities.differentiate_logarithms(second)
    if derived != (first, second) and _judge_statements(*derived, settings).verdict != DIFFERENT:
        return Finding(UNDECIDED, reason="the derivative of a logarithm may have been worked out")
    tied = joints.compare(first, second)
    if tied.is_read and not tied.apart:
        return Finding(UNDECIDED, reason="no table of probabilities shows that they differ")
    if reason := identities.may_follow_by_rule(first, second):
        return Finding(UNDECIDED, reason=reason)
    if works_out(first, second):
        return Finding(UNDECIDED, reason="an integral, a limit or a derivative may have been worked out")
    if finding.by != "tree" and (reason := laws.may_follow_by_law(first, second)):
        return Finding(UNDECIDED, reason=reason)
    if finding.by != "tree" and (reason := notation.may_say_the_same(first, second)):
        return Finding(UNDECIDED, reason=reason)
    if reason := conventions.may_be_convention(first, second):
        return Finding(UNDECIDED, reason=reason)
    if comparison.differ_by_a_factor(first, second, settings):
        return Finding(UNDECIDED, reason="what is proportional may have another factor")
    if reason := _say_the_same_rewritten(first, second, settings):
        return Finding(UNDECIDED, reason=reason)
    return finding


def _say_the_same_rewritten(first: Node, second: Node, settings: Settings) -> str | None:
    """Why two statements may agree with other variables, by a convention of a field, or in another reading."""
    for one, other in substitution.substitute(first, second):
        again = _judge_statements(other, one, Settings([other], [one], settings), only_same=True)
        if again.verdict == SAME or again.reason in (_ONLY_SOME, _NO_VALUES):
            return "a variable may only be replaced by another expression"
    for one, other, assumption in conventions.rewrite(first, second):
        if _judge(one, other, Settings([one], [other], settings)).verdict != DIFFERENT:
            return f"they may say the same where {assumption}"
    for reading, assumption in settings.readings([first, second]):
        if _judge(first, second, reading).verdict != DIFFERENT:
            return f"they may say the same where {assumption}"
    return None


def _agree_with_any(first: Node, others: Iterable[Node]) -> bool:
    """Whether a statement is not proven different from at least one of the other forms."""
    return any(_judge(first, one, Settings([first], [one])).verdict != DIFFERENT for one in others)


_JOINING = frozenset(["and", "\\text{and}"])  # words around which statements may be exchanged


def _unmatched_places(first: Formula, second: Formula) -> tuple[list[int], list[int]]:
    """Indices of the statements without an equal in the other formula; words between statements fix their order."""
    ordered = any(one.kind == "words" and one.value not in _JOINING for one in (*first.canonical, *second.canonical))
    spelled = [[spell(one) for one in formula.canonical] for formula in (first, second)]
    right = list(range(len(spelled[1])))
    left = []
    for place, text in enumerate(spelled[0]):
        same = [index for index in right if spelled[1][index] == text and (index == place or not ordered)]
        if same:
            right.remove(min(same, key=lambda index: (index != place, index)))
        else:
            left.append(place)
    return left, right


def _judge_statements(first: Node, second: Node, settings: Settings, *, only_same: bool = False) -> Finding:
    """The verdict by values; with ``only_same``, all but "same" may be undecided, by 40% of the evaluations."""
    if "words" in (first.kind, second.kind):
        return Finding(UNDECIDED, reason="words between the statements differ")
    if (first.kind == "relation") != (second.kind == "relation"):
        return Finding(UNDECIDED, reason="a relation is missing in one of them")
    if (EMPTY in first.parts) != (EMPTY in second.parts):
        return Finding(UNDECIDED, reason="a side is missing in one of them")
    if first.kind != "relation":
        return _judge_sides([first], [second], settings, anyhow=True)
    if _is_proportional(first, second, settings):
        return Finding(SAME, "probe")
    names = first.value.split(" "), second.value.split(" ")
    is_chain = set(names[0]) == {"="} or len(names[0]) == 1
    if names[0] == names[1] and is_chain and relations.is_symmetric(names[0][0]):
        return _judge_sides(first.parts, second.parts, settings, equation=names[0][0] == "=", only_same=only_same)
    if len(names[0]) != len(names[1]):
        if set(names[0] + names[1]) == {"="}:
            return _judge_sides(first.parts, second.parts, settings, only_same=only_same)
        return Finding(UNDECIDED, reason="one has more relations than the other")
    return _judge_chains(first, second, settings)


def _is_proportional(first: Node, second: Node, settings: Settings) -> bool:
    """Whether two equations, or two bounds in either direction, differ only by a factor."""
    if len(first.parts) != 2 or len(second.parts) != 2 or first.value not in relations.ORDERS | {"="}:
        return False
    if first.value != second.value:
        second = Node("relation", mirror(second.value) or "", second.parts[::-1])
    return first.value == second.value and comparison.are_proportional(first, second, settings)


def _judge_chains(first: Node, second: Node, settings: Settings) -> Finding:
    """The verdict on two chains of equal length, compared in order and, if it can be mirrored, in reverse order."""
    straight = _judge_in_order(first, second, settings)
    if straight.verdict == SAME or straight.reason == _NO_VALUES:
        return straight
    if (turned := mirror(second.value)) is not None:
        reverse = Node("relation", turned, second.parts[::-1])
        flipped = _judge_in_order(first, reverse, settings)
        if flipped.verdict != UNDECIDED and straight.verdict == UNDECIDED:
            straight, second = flipped, reverse
    if straight.verdict == UNDECIDED and _exchanges_sides(first, second):
        return Finding(DIFFERENT, "tree", {"exchanged": first.value})
    if straight.verdict == DIFFERENT and (reason := relations.may_regroup(first, second)):
        return Finding(UNDECIDED, reason=reason)
    if straight.verdict == DIFFERENT:
        for other in relations.reorder_equal(second):
            again = _judge_in_order(first, other, settings)
            if again.verdict != DIFFERENT:
                return again
    return straight


def _exchanges_sides(first: Node, second: Node) -> bool:
    """Whether different sides are exchanged around an asymmetric relation."""
    one, other = (list(map(canonical, statement.parts)) for statement in (first, second))
    if first.value != second.value or len(one) != 2 or one != other[::-1] or one[0] == one[1]:
        return False
    free = any(_has_free_name(side, [beside]) for side, beside in (one, one[::-1]))
    return free and relations.is_one_way(first.value)


def _judge_in_order(first: Node, second: Node, settings: Settings) -> Finding:
    pairs = list(zip(first.parts, second.parts))
    tallies = [comparison.relate([one], [other], settings)[0][0] for one, other in pairs]
    statuses = [tally.status for tally in tallies]
    names = [(a, b) for a, b in zip(first.value.split(" "), second.value.split(" ")) if a != b]
    if all(status == "equal" for status in statuses):
        return _judge_relations(names, pairs, settings)
    has_equal = "equal" in statuses
    apart = [
        has_equal and status == "different" and comparison.differ(*pair, settings)
        for status, pair in zip(statuses, pairs)
    ]
    if (any(apart) or not has_equal) and {*first.value.split(" "), *second.value.split(" ")} <= relations.ORDERS:
        seed = bounds.contradict(first, second, settings)
        if seed is not None:
            return Finding(DIFFERENT, "probe", {"seed": seed[0], "signed": seed[1], "holds": list(seed[2:])})
    if not has_equal:
        return Finding(UNDECIDED, reason="no side of one is equal to a side of the other")
    if names:
        return Finding(UNDECIDED, reason="the relations differ, and what stands beside them")
    if any(apart):
        place = apart.index(True)
        if not _is_free_beside(first, place, pairs[place]):
            return Finding(UNDECIDED, reason="a side is equal, but the bounds may say the same")
        return Finding(DIFFERENT, "probe", _witness_record(tallies[place], place, place))
    return Finding(UNDECIDED, reason=_NO_VALUES)


def _is_free_beside(first: Node, place: int, sides: Sequence[Node]) -> bool:
    """Whether the equal side can have any value, so that one bound may hold and the other not.

    ``g <= 0`` and ``-g >= 0`` are the same, and so are ``0 <= x <= |x|`` and ``0 <= x <= 2|x|``.
    """
    if not set(first.value.split(" ")) <= relations.ORDERS:
        return True
    if len(first.parts) > 2:
        return False
    equal = first.parts[1 - place]
    return _has_free_name(equal, sides) or _has_free_value(equal, sides)


def _has_free_value(equal: Node, others: Sequence[Node]) -> bool:
    """Whether a side has a call of a function of the paper that does not occur in the other sides."""
    elsewhere = {node for side in others for node in side.walk()}
    calls = (node for node in equal.walk() if node.kind == "call" and notation.is_named_by_paper(node.value))
    return any(node not in elsewhere for node in calls)


def _has_free_name(equal: Node, others: Sequence[Node]) -> bool:
    """Whether a side has a letter or function that does not occur in the others, so that it can have any value."""
    names = {node.value for node in equal.walk() if node.kind in ("symbol", "call") and not solving.is_nought(node)}
    elsewhere = {node.value for side in others for node in side.walk() if node.kind in ("symbol", "call")}
    return bool(names - elsewhere - {"\\pi", "e", "exp", "log", "ln"})


def _judge_relations(names: list[tuple[str, str]], pairs: list[tuple[Node, Node]], settings: Settings) -> Finding:
    """The verdict by the relations if all sides are equal."""
    if not names:
        same = comparison.agree(pairs, settings)
        return Finding(SAME, "probe") if same else Finding(UNDECIDED, reason=_ONLY_SOME)
    plain = [(relations.unlabelled(a), relations.unlabelled(b)) for a, b in names]
    if any(a == b and relations.label(one) == relations.label(other) for (a, b), (one, other) in zip(plain, names)):
        return Finding(UNDECIDED, reason="the relations differ in writing only")
    if len(names) == len(pairs) - 1 == 1 and _defines_alone({a for pair in names for a in pair}, *zip(*pairs)):
        same = comparison.agree(pairs, settings)
        return Finding(SAME, "probe") if same else Finding(UNDECIDED, reason=_ONLY_SOME)
    if len(names) == 1 and relations.label_differs(*names[0]):
        return Finding(DIFFERENT, "tree", {"relation": list(names[0])})
    alike = ((a in v.DEFINING and b in v.DEFINING) or notation.may_be_alike((a, b)) for a, b in plain)
    if all(alike) or any(relations.may_be_named_by_label(*pair) for pair in names):
        return Finding(UNDECIDED, reason="the relations differ in writing only")
    if len(names) == len(pairs) - 1 == 1 and bounds.are_one_sided(names[0], pairs[0][0], pairs[1][0], settings):
        return Finding(UNDECIDED, reason="the sides may have no values for which the relations differ")
    return Finding(DIFFERENT, "tree", {"relation": list(names[0])})


def _defines_alone(names: set[str], *statements: Sequence[Node]) -> bool:
    """Whether one relation is "=" and the other defines a letter or call that does not occur in its value."""
    if not ("=" in names and len(names) == 2 and names <= v.DEFINITIONS | {"="}):
        return False
    for left, right in statements:
        if left.kind not in ("symbol", "call") or any(one.value == left.value for one in right.walk()):
            return False
    return statements[0][0] == statements[1][0]


def _witness_record(tally: Tally, one: int, other: int) -> dict[str, Any]:
    assert tally.witness is not None  # set if the status is "different"
    seed, first, second = tally.witness
    return {"seed": seed, "side": [one, other], "positive": _json_value(first), "alternative": _json_value(second)}


def _json_value(value: Value) -> Any:
    """A value for JSON with 12 digits; complex numbers are pairs."""
    if isinstance(value, tuple):
        return [_json_value(part) for part in value]
    if isinstance(value, complex):
        return [_json_value(value.real), _json_value(value.imag)]
    return float(f"{value:.12g}")


def _judge_sides(
    first: Sequence[Node],
    second: Sequence[Node],
    settings: Settings,
    *,
    anyhow: bool = False,
    equation: bool = True,
    only_same: bool = False,
) -> Finding:
    """The verdict on two chains whose sides may be in any order.

    Args:
        anyhow: whether the sides are expressions rather than chains, so that different values decide.
        equation: whether the relation is ``=``, which can be solved.
        only_same: whether what is not the same may be undecided.
    """
    tallies = comparison.relate(first, second, settings)
    left = [row for row, tally in enumerate(tallies) if not any(one.status == "equal" for one in tally)]
    right = [column for column in range(len(second)) if not any(row[column].status == "equal" for row in tallies)]
    pairs = _equal_sides(tallies)
    if not left and not right:
        if len(first) != len(second):
            return Finding(UNDECIDED, reason="one has more sides than the other")
        same = comparison.agree([(first[a], second[b]) for a, b in pairs], settings)
        return Finding(SAME, "probe") if same else _judge_matrices(pairs, first, second, settings)
    if (left and right or len(first) == len(second)) and (pairs or anyhow):
        found = _differing_side(tallies, left, right, first, second, settings)
        if found is None:
            return Finding(UNDECIDED, reason=_NO_VALUES)
        if anyhow or (not only_same and _constrains_side(found, pairs, first, second, settings)):
            return Finding(DIFFERENT, "probe", _witness_record(tallies[found[0]][found[1]], *found))
        if len(first) == len(second) == 2:
            solved = _solve_both((first[0], first[1]), (second[0], second[1]), settings, only_same=only_same)
            if solved.verdict == SAME:
                return solved
        return Finding(UNDECIDED, reason="a side is equal, but the equations may have the same solutions")
    if left and right and equation and len(first) == len(second) == 2:
        return _solve_both((first[0], first[1]), (second[0], second[1]), settings, only_same=only_same)
    return Finding(UNDECIDED, reason="no side of one is equal to a side of the other")


def _judge_matrices(
    pairs: list[tuple[int, int]], first: Sequence[Node], second: Sequence[Node], settings: Settings
) -> Finding:
    """The verdict on sides that are equal for numbers only: different if their letters are certainly matrices."""
    apart = [(a, b) for a, b in pairs if not comparison.agree([(first[a], second[b])], settings)]
    if len(apart) == 1 and len(first) == len(second) <= 2:
        ((a, b),) = apart
        tally = comparison.differ_as_matrices(first[a], second[b], settings)
        others = [first[other] for other, _ in pairs if other != a]
        if tally is not None and all(_has_free_name(one, (first[a], second[b])) for one in others):
            return Finding(DIFFERENT, "probe", _witness_record(tally, a, b))
    return Finding(UNDECIDED, reason=_ONLY_SOME)


def _equal_sides(tallies: list[list[Tally]]) -> list[tuple[int, int]]:
    """Pairs of equal sides, each second side at most once."""
    taken: set[int] = set()
    found = []
    for row, line in enumerate(tallies):
        for column, tally in enumerate(line):
            if tally.status == "equal" and column not in taken:
                taken.add(column)
                found.append((row, column))
                break
    return found


def _differing_side(
    tallies: list[list[Tally]],
    left: list[int],
    right: list[int],
    first: Sequence[Node],
    second: Sequence[Node],
    settings: Settings,
) -> tuple[int, int] | None:
    """A side that differs from all sides of the other statement, and the side to which it corresponds."""
    for one, other in itertools.zip_longest(left, right):
        against = [(one, column) for column in range(len(second)) if one is not None]
        back = [(row, other) for row in range(len(first)) if other is not None]
        one, other = (other if one is None else one), (one if other is None else other)
        for cells in (against, back):
            if cells and all(
                tallies[a][b].status == "different" and comparison.differ(first[a], second[b], settings)
                for a, b in cells
            ):
                return one, other
    return None


def _constrains_side(
    found: tuple[int, int],
    pairs: list[tuple[int, int]],
    first: Sequence[Node],
    second: Sequence[Node],
    settings: Settings,
) -> bool:
    """Whether the equal side can have any value, so that it cannot always equal both differing sides.

    ``a = b`` and ``a = 2b - a`` have an equal side, and yet the same meaning.
    """
    one, other = first[found[0]], second[found[1]]
    for row, column in pairs:
        equal = first[row]
        if equal.kind == "symbol" and solving.is_nought(equal):
            continue
        if _has_free_name(equal, (one, other)):
            return True
        if _parts_ways((equal, one), (second[column], other), settings):
            return True
    return False


def _parts_ways(first: solving.Equation, second: solving.Equation, settings: Settings) -> bool:
    """Whether there are values at which one equation holds and the other does not."""
    for one, other in ((first, second), (second, first)):
        strict = solving.transfer(one, other, settings)[0].status
        if strict == "different" and solving.transfer(one, other, settings, loose=True)[0].status == "different":
            return True
    return False


def _solve_both(
    first: solving.Equation, second: solving.Equation, settings: Settings, *, only_same: bool = False
) -> Finding:
    """The verdict on two equations without equal sides: whether each holds at solutions of the other."""
    ways = [(first, second), (second, first)]
    tallies = []
    for place, way in enumerate(ways):
        tally, letter = solving.transfer(*way, settings)
        if only_same and tally.status != "equal":
            break
        if tally.status == "different" and _holds_loosely(*way, settings):
            assert tally.witness is not None  # set if the status is "different"
            seed, left, right = tally.witness
            solved = {"equation": ["positive", "alternative"][place], "for": letter}
            return Finding(
                DIFFERENT, "solve", {"seed": seed, "solved": solved, "sides": [_json_value(left), _json_value(right)]}
            )
        tallies.append(tally)
    if [tally.status for tally in tallies] == ["equal", "equal"] and _hold_for_matrices(ways, settings):
        if any(solving.may_have_other_roots(one, other, settings) for one, other in ways):
            return Finding(UNDECIDED, reason="the equations agree at a root of several, or where two letters are equal")
        return Finding(SAME, "solve")
    return Finding(UNDECIDED, reason="no side of one is equal to a side of the other")


def _hold_for_matrices(ways: list[tuple[solving.Equation, solving.Equation]], settings: Settings) -> bool:
    changes = [{"apart": True}, {"signed": True}]
    changes += [] if solving.are_numbers(ways[0], settings) else [{"matrices": True}]
    if any(comparison.tells_signs(side) for way in ways for side in way[0]):
        return False
    return all(
        solving.transfer(one, other, settings, **change)[0].status == "equal"
        for one, other in ways
        for change in changes
    )


def _holds_loosely(first: solving.Equation, second: solving.Equation, settings: Settings) -> bool:
    return solving.transfer(first, second, settings, loose=True)[0].status == "different"


def _form_risks(formulas: tuple[Formula, Formula]) -> list[str]:
    """Assumptions that two different formulas cannot confirm."""
    risks = []
    nodes = [[one for statement in formula.statements for one in statement.walk()] for formula in formulas]
    indexed = [sorted(spell(one) for one in line if one.kind == "symbol" and len(one.parts) > 1) for line in nodes]
    ordered = [sorted("".join(sorted(text)) for text in line) for line in indexed]
    if indexed[0] != indexed[1] and ordered[0] == ordered[1]:
        risks.append("index order: what has two indices may be symmetric")
    if any(one.kind == "transpose" for line in nodes for one in line):
        risks.append("transpose: a matrix may be symmetric or orthogonal")
    integrals = [
        [spell(one) for one in line if one.kind in ("bind", "derivative") and one.value not in v.BIG] for line in nodes
    ]
    if sorted(integrals[0]) != sorted(integrals[1]):
        risks.append("calculus: rules of integration, limits and derivatives are not tried")
    return risks + _letter_risks([one for line in nodes for one in line])


def _letter_risks(nodes: list[Node]) -> list[str]:
    """Conventional meanings that letters of the formulas may have."""
    bound = {variable for one in nodes if one.kind == "bind" for variable in one.parts[4:]}
    indices = {part for one in nodes if one.kind == "symbol" for part in one.parts}
    names = {one.value for one in nodes if one.kind == "symbol" and one not in bound | indices}
    risks = []
    if names & {"i", "j", "\\mathrm{i}", "\\mathrm{j}"}:
        risks.append("imaginary unit: i or j may be the root of -1")
    if any(name.startswith("\\bar{") for name in names):
        risks.append("mean: a letter with a bar may be the mean of that letter")
    if any(name.endswith(("^\\circ", "\\degree")) or name == "\\degree" for name in names) or any(
        one.kind == "call" and one.value == "^\\circ" for one in nodes
    ):
        risks.append("degrees: an angle may be in degrees in one and in radians in the other")
    return risks


def verify(positive: str, alternative: str, certificate: dict[str, Any]) -> str | None:
    """Recompute a certificate; return the first difference, or None if the certificate is correct."""
    fresh = certify(positive, alternative)
    for key in ("version", "verdict", "by", "tree", "risk"):
        if certificate.get(key) != fresh[key]:
            return f'"{key}" is {fresh[key]!r}, not {certificate.get(key)!r}'
    if not _is_close(certificate.get("witness"), fresh["witness"]):
        return f'"witness" is {fresh["witness"]!r}, not {certificate.get("witness")!r}'
    return None


def _is_close(one: Any, other: Any) -> bool:
    """Whether two witnesses are equal except for the last digits of their values."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_close, one, other))
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other))
    return bool(one == other)
