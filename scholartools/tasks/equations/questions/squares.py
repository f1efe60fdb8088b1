"""Make sets of options: squares of two changes or stars of single changes, and select among them.

In a square (neither, one, the other, both changes) each option differs from two others by one change and from the third
by two, so that none is the centre. A change by rule is *balanced*: it is one error, or two that cancel (an exponent
moved from one factor to another, two letters exchanged), so that all four options have the same length and the same
tokens in different orders, and counts do not distinguish them. The text around may favour an order: changes that do not
alter the frequency of n-grams of tokens and of token classes in the text are preferred, and the signs of other changes
are drawn at random.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from scholartools.tasks.equations.questions.edits import Edit, apply, are_apart
from scholartools.tasks.equations.questions.shortcuts import Habits, kinds_of, option_tokens, runs_of
from scholartools.tasks.equations.questions.surroundings import Surroundings
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.tree import Node, Unread
from scholartools.tasks.equations.trees.typesetting import typeset
from scholartools.tasks.shared.questions import EXCHANGE, SIGNS, THROUGHOUT

#: Edits that are made together: one, or several whose effects on the counts of tokens cancel.
Change = tuple[Edit, ...]
# The changes of token counts by an edit.
_Moved = frozenset[tuple[str, int]]
# The effects of a change on counts; for n-grams -1, 0 or 1 for tokens and for token classes.
Direction = tuple[int, ...]

ONE_WAY = frozenset(["operator", "function", "relation"])  # errors that mostly replace a frequent form by a rarer one
DRAWN = 200  # number of random draws of edits
ALIKE = 12  # maximum number of edits with the same change of token counts, all pairs of which are tried
CHANGES = 120  # maximum number of changes
LOOKED_AT = 800  # maximum number of changes that are tried
KEPT = 60  # maximum number of squares
EACH = 10  # maximum number of squares with the same directions of changes
_TIED = 1e-9
_MIRRORED = 0.75  # tolerance for two opposite changes of attestation: about one n-gram that occurs once
# Unusual signs that two changes of one term may leave: "a + - b", "(+ b)".
_LONE_SIGN = re.compile(r"[+-]\s*[+-]|[(=\[&]\s*\+\s*[\w\\(]")
# A script without a base, which remains if a letter is moved.
_BARE_SCRIPT = re.compile(r"(?:^|[\s=+(\[{,&|-])[\^_]")


def draw(*parts: object) -> float:
    """A pseudorandom number in [0, 1), derived from a hash of the parts."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


@dataclass(frozen=True)
class Variant:
    """A formula with edits.

    Attributes:
        attested: log frequencies of its token bigrams, trigrams and 4-grams in the formulas around and in itself.
        usual: log frequencies of its n-grams of token classes in the formulas around.
    """

    latex: str
    edits: Change
    attested: tuple[float, ...]
    usual: tuple[float, ...]


#: Two changes of a square, each alone.
Pair = tuple[Variant, Variant]


class Workshop:
    """Makes and combines variants of a formula.

    Args:
        latex: the formula, typeset.
        around: statistics of the formulas around it.
        seed, name: keys of the random draws.
        hides: whether only changes are allowed that do not alter n-gram frequencies in the text around.
    """

    def __init__(self, latex: str, around: Surroundings, seed: int, name: str, *, hides: bool = False) -> None:
        self.latex = latex
        self.around = around
        self.key = (seed, name)
        self.hides = hides
        self._tokens = sorted(option_tokens(latex))
        self._written: dict[Change, str | None] = {}
        self._balanced: dict[Change, list[Change]] = {}
        self._oddities = count_oddities(latex)
        chains = [one for one in parse(latex).statements if one.kind == "chain"]
        self._sides = [(side.start, side.end) for chain in chains for side in chain.parts]

    @cached_property
    def original(self) -> Variant:
        """The unchanged formula."""
        return self._look_up(self.latex, ())

    def variant(self, edits: Sequence[Edit], *, balanced: bool = False) -> Variant | None:
        """The formula with edits; None if it cannot be parsed, is unchanged, or has unusual notation.

        Args:
            balanced: whether it must have the same length and tokens; ``signs`` may replace plus and minus.
        """
        made = self._write(tuple(sorted(edits)))
        if made is None:
            return None
        if balanced and not self._has_tokens(made, turned=any(edit.op == SIGNS for edit in edits)):
            return None
        return self._look_up(made, tuple(sorted(edits)))

    def _has_tokens(self, made: str, *, turned: bool) -> bool:
        """Whether a formula has the length and tokens of the original; if ``turned``, plus and minus are one token."""
        tokens = [list(option_tokens(made)), self._tokens]
        if turned:
            tokens = [["+" if token == "-" else token for token in some] for some in tokens]
        return len(made) == len(self.latex) and sorted(tokens[0]) == sorted(tokens[1])

    def _write(self, edits: Change) -> str | None:
        """The LaTeX of :meth:`variant`, cached."""
        if edits not in self._written:
            try:
                made = typeset(apply(self.latex, edits))
                same = made == self.latex or count_oddities(made) != self._oddities
            except Unread:
                same = True
            self._written[edits] = None if same else made
        return self._written[edits]

    def _look_up(self, latex: str, edits: Change) -> Variant:
        tokens = option_tokens(latex)
        habits, kinds = self.around.habits, self.around.kinds
        return Variant(latex, edits, habits.attestation(tokens), kinds.support(kinds_of(tokens)))

    def draw_edits(self, edits: Sequence[Edit], count: int) -> Iterator[Edit]:
        """Yield random edits; each kind of error has the same probability."""
        kinds: dict[str, list[Edit]] = {}
        for edit in edits:
            if edit.op not in THROUGHOUT:
                kinds.setdefault(edit.op, []).append(edit)
        names = sorted(kinds)
        for turn in range(count if names else 0):
            kind = kinds[names[int(draw(*self.key, "op", turn) * len(names))]]
            yield kind[int(draw(*self.key, "edit", turn) * len(kind))]

    def balanced_changes(self, edits: Sequence[Edit]) -> list[Change]:
        """Edits or pairs of edits that keep the tokens of the formula; kinds alternate, each in random order."""
        given = tuple(edits)
        if given not in self._balanced:  # requested again for squares with masks
            self._balanced[given] = self._balance_changes(given)
        return self._balanced[given]

    def _balance_changes(self, edits: Change) -> list[Change]:
        by_tokens: dict[_Moved, list[Edit]] = {}
        for edit in edits:
            if edit.op not in THROUGHOUT:
                moved = _moved_tokens(self.latex[edit.start : edit.end], edit.new)
                by_tokens.setdefault(moved, []).append(edit)
        # Drop edits whose effect on the counts of tokens no other edit cancels.
        by_tokens = {moved: some for moved, some in by_tokens.items() if _moved_back(moved) in by_tokens}
        for moved, some in by_tokens.items():
            some.sort(key=lambda edit: draw(*self.key, "edit", edit))
            if moved:
                del some[ALIKE:]
        kinds: dict[tuple[str, ...], list[Change]] = {}
        for edit in by_tokens.pop(frozenset(), []):
            kinds.setdefault((edit.op,), []).append((edit,))
        for moved, some in by_tokens.items():
            for one, other in itertools.product(some, by_tokens[_moved_back(moved)]):
                if one < other and are_apart(one, other):
                    kinds.setdefault((one.op, other.op), []).append((one, other))
        kinds[(EXCHANGE,)] = self._find_exchanges(edits)
        for changes in kinds.values():
            changes.sort(key=lambda change: draw(*self.key, "change", change))
        rounds = itertools.zip_longest(*(kinds[kind] for kind in sorted(kinds)))
        return [change for turn in rounds for change in turn if change is not None]

    def _find_exchanges(self, edits: Sequence[Edit]) -> list[Change]:
        """Changes that exchange two letters, numbers or labels throughout the formula."""
        found: dict[frozenset[str], list[Edit]] = {}
        for edit in edits:
            if edit.op == EXCHANGE:
                found.setdefault(frozenset([self.latex[edit.start : edit.end], edit.new]), []).append(edit)
        return [tuple(sorted(change)) for change in found.values()]

    def turned_signs(self, edits: Sequence[Edit]) -> list[Change]:
        """The change that inverts all signs between terms; empty if there are none.

        The frequency of signs says little about which option is the paper's: of 506 equations in which one of the two
        signs is more frequent, 287 have more minus signs.
        """
        signs = tuple(sorted(edit for edit in edits if edit.op == SIGNS))
        return [signs] if signs else []

    def join(self, one: Change, other: Change) -> Change | None:
        """Compose two changes, the second applied to the result of the first; None if they cannot be combined.

        They can if they affect different places, or if both are exchanges: those of ``a`` and ``b`` and of ``b`` and
        ``c`` give four orders, each one exchange from two others and two from the third.
        """
        if all(are_apart(a, b) for a in one for b in other):
            return tuple(sorted(one + other))
        if not all(edit.op == EXCHANGE for edit in one + other):
            return None
        letters = {(edit.start, edit.end): self.latex[edit.start : edit.end] for edit in one + other}
        new = letters
        for change in (one, other):
            moved = {self.latex[edit.start : edit.end]: edit.new for edit in change}
            places = {(edit.start, edit.end) for edit in change}
            if any(letter in moved and place not in places for place, letter in letters.items()):
                return None  # the same letter in another font, which this change does not affect
            new = {place: moved.get(letter, letter) for place, letter in new.items()}
        op = one[0].op
        return tuple(sorted(Edit(*place, letter, op) for place, letter in new.items() if letter != letters[place]))

    def count_sides(self, *changes: Change) -> int:
        """The number of sides of the equation that changes affect; certificates most often decide if it is one."""
        edits = [edit for change in changes for edit in change]
        return sum(any(start <= edit.start <= end for edit in edits) for start, end in self._sides)

    def squares(
        self, first: Iterable[Change], second: Iterable[Change] | None = None, *, balanced: bool = False
    ) -> Iterator[list[Variant]]:
        """Yield squares in random order; first those whose changes do not alter n-gram frequencies in the text.

        Args:
            first: candidates for one of the two changes.
            second: candidates for the other change; None: those of ``first``.
            balanced: whether all options must have the same tokens.
        """
        ones = self.find_singles(first, balanced=balanced)
        if balanced:
            ones = self._symmetric(ones)
        others = ones if second is None else self.find_singles(second, balanced=False)
        pairs = itertools.combinations(ones, 2) if second is None else itertools.product(ones, others)
        joined = (pair for pair in pairs if self.join(pair[0].edits, pair[1].edits))
        drawn = sorted(
            joined,
            key=lambda pair: (
                self.count_sides(*(one.edits for one in pair)),
                draw(*self.key, "square", *(one.edits for one in pair)),
            ),
        )
        if not balanced or second is not None:
            yield from itertools.islice(self.complete(drawn, balanced=False), KEPT)
            return
        untold = [pair for pair in drawn if not any(map(self.tells, pair))]
        yield from itertools.islice(self.complete(untold), KEPT)
        told = [pair for pair in drawn if any(map(self.tells, pair))]
        yield from self.balance(told, self.complete)

    def single_changes(self, edits: Sequence[Edit]) -> list[Change]:
        """Random single edits, exchanges and the inversion of signs, including those that alter the counts of tokens.

        Errors of operators, functions and relations are excluded, because one form is more frequent than the other.
        """
        single = [edit for edit in edits if edit.op not in ONE_WAY]
        drawn: Iterable[Change] = ((edit,) for edit in dict.fromkeys(self.draw_edits(single, DRAWN)))
        rounds = itertools.zip_longest(drawn, self._find_exchanges(edits), self.turned_signs(edits))
        return [change for turn in rounds for change in turn if change is not None]

    def complete(self, pairs: Iterable[Pair], *, balanced: bool = True) -> Iterator[list[Variant]]:
        """Yield the squares of pairs of changes with four distinct options; two if the order of the changes matters."""
        for one, other in pairs:
            orders = self.join(one.edits, other.edits), self.join(other.edits, one.edits)
            for edits in dict.fromkeys(orders):
                both = self.variant(edits, balanced=balanced) if edits else None
                if both is not None and len({self.latex, one.latex, other.latex, both.latex}) == 4:
                    yield [self.original, one, other, both]

    def balance(
        self,
        pairs: Iterable[Pair],
        complete: Callable[[Iterable[Pair]], Iterator[list[Variant]]],
        *,
        masked: bool = False,
    ) -> list[list[Variant]]:
        """Select equally many squares whose changes raise and lower n-gram frequencies, in the order of the pairs.

        Each change has a direction for tokens (0 if ``masked``) and one for token classes. Among squares whose
        directions are equal up to signs, each pair of signs is kept in the proportion of random signs.

        Args:
            complete: a function that makes squares of pairs, such as :meth:`complete`.
        """
        groups: dict[tuple[Direction, ...], list[tuple[int, Pair]]] = {}
        for place, pair in enumerate(pairs):
            directions = [(0 if masked else tokens, kinds) for tokens, kinds in map(self._direction, pair)]
            groups.setdefault(tuple(sorted(directions)), []).append((place, pair))
        kept: list[tuple[int, list[Variant]]] = []
        for one, other in dict.fromkeys(tuple(sorted(map(without_sign, group))) for group in groups):
            signs = Counter(tuple(sorted([a, b])) for a in {one, opposite(one)} for b in {other, opposite(other)})
            if len(kept) >= KEPT or not signs.keys() <= groups.keys():
                continue
            made = {
                group: list(
                    itertools.islice(
                        ((place, square) for place, pair in groups[group] for square in complete([pair])), EACH * share
                    )
                )
                for group, share in signs.items()
            }
            most = min(len(made[group]) // share for group, share in signs.items())
            kept += [one for group, share in signs.items() for one in made[group][: most * share]]
        return [square for _, square in sorted(kept, key=lambda one: one[0])]

    def repeats_alike(self, one: Variant) -> bool:
        """Whether n-grams repeat within a variant as often as within the original."""
        own, other = (Habits([]).attestation(option_tokens(latex)) for latex in (self.latex, one.latex))
        return all(abs(a - b) <= _TIED for a, b in zip(own, other))

    def _direction(self, one: Variant) -> Direction:
        """For tokens and for token classes: the sign of the change of n-gram frequencies in the text."""
        return (
            _sign_of_steps(one.attested, self.original.attested),
            _sign_of_steps(one.usual, self.original.usual),
        )

    def direction_of_counts(self, one: Variant) -> Direction:
        """The number of added tokens, and the signs (1, -1 or 0) of the changes of the other :func:`_count` values."""
        after, before = _count(one), _count(self.original)
        return (round(after[0] - before[0]), *(_sign_of_steps([a], [b]) for a, b in zip(after[1:], before[1:])))

    def tells(self, one: Variant) -> bool:
        """Whether n-gram frequencies in the text distinguish a variant from the original."""
        return any(self._direction(one))

    def find_singles(self, changes: Iterable[Change], *, balanced: bool = True, alike: bool = False) -> list[Variant]:
        """Distinct variants of one change each.

        Args:
            changes: the changes to try.
            balanced: whether variants must have the same tokens as the original.
            alike: whether n-grams must repeat within variants as often as within the original.
        """
        found: dict[str, Variant] = {}
        for change in itertools.islice(changes, LOOKED_AT):
            made = self.variant(change, balanced=balanced)
            if made is not None and made.latex not in found and not (alike and not self.repeats_alike(made)):
                found[made.latex] = made
            if len(found) == CHANGES:
                break
        return list(found.values())

    def _symmetric(self, ones: Sequence[Variant]) -> list[Variant]:
        """Changes that do not alter n-gram frequencies in the text, and pairs of changes with opposite effects.

        In a pair one change raises the frequencies by about as much as the other lowers them.
        """
        steps = [(tuple(a - b for a, b in zip(one.attested, self.original.attested)), one) for one in ones]
        kept = [one for step, one in steps if max(map(abs, step)) <= _TIED]
        if self.hides:
            return kept
        more = [(step, one) for step, one in steps if sum(step) > _TIED]
        for step, one in sorted((found for found in steps if sum(found[0]) < -_TIED), key=lambda found: -sum(found[0])):
            gaps = [(max(abs(a + b) for a, b in zip(step, other)), place) for place, (other, _) in enumerate(more)]
            if gaps and min(gaps)[0] <= _MIRRORED:
                kept += [one, more.pop(min(gaps)[1])[1]]
        return kept

    def stars(self, edits: Sequence[Edit], count: int) -> Iterator[list[Variant]]:
        """Yield stars: the original with ``count`` variants of one edit each."""
        drawn = dict.fromkeys(self.draw_edits(edits, DRAWN))
        made = self.find_singles([(edit,) for edit in drawn], balanced=False)
        for place in range(0, max(0, len(made) - count + 1)):
            yield [self.original, *made[place : place + count]]


@lru_cache(maxsize=2048)
def _moved_tokens(old: str, new: str) -> _Moved:
    """The changes of token counts by an edit."""
    counts = Counter(option_tokens(new))
    counts.subtract(option_tokens(old))
    return frozenset((token, count) for token, count in counts.items() if count)


def _moved_back(moved: _Moved) -> _Moved:
    return frozenset((token, -count) for token, count in moved)


def _count(one: Variant) -> tuple[float, ...]:
    """Statistics of a formula: length, share of distinct n-grams, frequency of token classes, sum of numbers."""
    tokens = option_tokens(one.latex)
    runs = [runs_of(tokens, size) for size in (1, 2, 3)]
    distinct = sum(len(set(some)) for some in runs) / sum(map(len, runs))
    usual = sum(total / len(runs_of(tokens, size)) for size, total in enumerate(one.usual, 2))
    return len(tokens), distinct, usual, sum(float(token) for token in tokens if token.isdecimal())


def _sign_of_steps(after: Sequence[float], before: Sequence[float]) -> int:
    steps = [a - b for a, b in zip(after, before)]
    return 0 if max(map(abs, steps)) <= _TIED else 1 if sum(steps) > 0 else -1


def opposite(direction: Direction) -> Direction:
    """The opposite direction."""
    return tuple(-step for step in direction)


def without_sign(direction: Direction) -> Direction:
    """The representative of a direction and its opposite."""
    return max(direction, opposite(direction))


def count_oddities(latex: str) -> Counter[str]:
    """Count unusual notation by kind.

    Lone signs and scripts, a fraction over 1, ``x x``, ``x(x)``, ``x - x``, ``x / x``, ``x = x``, ``x^x``.

    Raises:
        Unread: the formula cannot be parsed.
    """
    found = Counter(sign=len(_LONE_SIGN.findall(latex)), script=len(_BARE_SCRIPT.findall(latex)))
    for statement in parse(latex).statements:
        for node in statement.walk():
            texts = [latex[part.start : part.end].strip("{}() ") for part in _operands(node)]
            texts = [text for text in texts if text and not text.isdigit()]
            found["over 1"] += node.kind == "frac" and node.parts[1].value == "1"
            found[node.kind] += sum(one == other for one, other in zip(texts, texts[1:]))
    return found


def _operands(node: Node) -> Iterator[Node]:
    """Yield the adjacent operands of a node, without minus signs."""
    if node.kind in ("add", "mul", "frac", "chain", "list", "maybe", "apply", "scripts"):
        for part in node.parts:
            yield part.parts[0] if part.kind == "minus" else part


def pairs_of(options: Sequence[Variant]) -> Iterator[tuple[Variant, Variant]]:
    """All pairs of options other than the original."""
    return itertools.combinations([option for option in options if option.edits], 2)
