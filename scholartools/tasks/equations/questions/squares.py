"""Sets of options: a square of two changes, or a star of single ones, and which of many to take.

In a square (neither, one, the other, both changes) each option is one change from two others and two from the third, so
that none is the hub. A change by rule is *balanced*: it is one slip, or two that cancel (a square moved from one
factor to another, two letters exchanged), so that all four options are made of the same tokens, in another order, and
are of one length: nothing that is counted in an option tells it from the others. What the text around says of the order
is looked at pair by pair: a change is better the less it alters how often the runs of tokens, and of kinds of tokens,
occur there, and whether it may raise or lower that is drawn.
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

#: Slips that are made together: one, or two that cancel each other's tokens.
Change = tuple[Edit, ...]
# The tokens that a slip puts in, and with a minus sign takes out, with how often.
_Moved = frozenset[tuple[str, int]]
# By how much or which way a change alters some things that are counted: for runs, -1, 0 or 1 by tokens and by kinds.
Direction = tuple[int, ...]

ONE_WAY = frozenset(["operator", "function", "relation"])  # slips that seldom lead from the rarer to the usual
DRAWN = 200  # slips of a star, or of a model, that are looked at
ALIKE = 12  # slips of which one way of moving tokens is made up, each pair of which is looked at
CHANGES = 120  # balanced changes that are made
LOOKED_AT = 800  # and of how many of them
KEPT = 60  # squares that are tried
EACH = 10  # of those whose changes have the same directions
_TIED = 1e-9
_MIRRORED = 0.75  # by how much one change may raise what another lowers: about one run of tokens that occurs there once
# Signs that nobody writes, which two changes of one term leave: "a + - b", "(+ b)".
_LONE_SIGN = re.compile(r"[+-]\s*[+-]|[(=\[&]\s*\+\s*[\w\\(]")
# A script of nothing, which a letter leaves that is moved away from it.
_BARE_SCRIPT = re.compile(r"(?:^|[\s=+(\[{,&|-])[\^_]")


def draw(*parts: object) -> float:
    """A number in [0, 1), drawn by hash of some words."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


@dataclass(frozen=True)
class Variant:
    """A formula with some changes.

    Attributes:
        attested: how often its runs of two, three and four tokens occur in the formulas around.
        usual: how often its runs of two, three and four kinds of tokens do.
    """

    latex: str
    edits: Change
    attested: tuple[float, ...]
    usual: tuple[float, ...]


#: Two changes of a square, each alone.
Pair = tuple[Variant, Variant]


class Workshop:
    """Makes variants of a formula.

    Args:
        latex: the formula, typeset.
        around: the formulas around it.
        seed, name: what draws depend on.
        hides: whether the text around may tell nothing at all.
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
        """The formula itself."""
        return self._look_up(self.latex, ())

    def variant(self, edits: Sequence[Edit], *, balanced: bool = False) -> Variant | None:
        """The formula with some changes; None where that cannot be read, changes nothing, or is what nobody writes.

        Args:
            balanced: whether it must be made of the same tokens, but for signs that are turned, in the same length.
        """
        made = self._write(tuple(sorted(edits)))
        if made is None:
            return None
        if balanced and not self._has_tokens(made, turned=any(edit.op == SIGNS for edit in edits)):
            return None
        return self._look_up(made, tuple(sorted(edits)))

    def _has_tokens(self, made: str, *, turned: bool) -> bool:
        """Whether a formula has the length and tokens of the original; plus and minus are one token if ``turned``."""
        tokens = [list(option_tokens(made)), self._tokens]
        if turned:
            tokens = [["+" if token == "-" else token for token in some] for some in tokens]
        return len(made) == len(self.latex) and sorted(tokens[0]) == sorted(tokens[1])

    def _write(self, edits: Change) -> str | None:
        """The formula with some changes, as :meth:`variant` says; kept, for the same are asked for again."""
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
        """Changes drawn by hash, each kind of slip as often as any other."""
        kinds: dict[str, list[Edit]] = {}
        for edit in edits:
            if edit.op not in THROUGHOUT:
                kinds.setdefault(edit.op, []).append(edit)
        names = sorted(kinds)
        for turn in range(count if names else 0):
            kind = kinds[names[int(draw(*self.key, "op", turn) * len(names))]]
            yield kind[int(draw(*self.key, "edit", turn) * len(kind))]

    def balanced_changes(self, edits: Sequence[Edit]) -> list[Change]:
        """Slips that keep the tokens of the formula, alone or two together; all kinds in turn, each drawn by hash."""
        given = tuple(edits)
        if given not in self._balanced:  # for squares with masks the same are asked for again
            self._balanced[given] = self._balance_changes(given)
        return self._balanced[given]

    def _balance_changes(self, edits: Change) -> list[Change]:
        by_tokens: dict[_Moved, list[Edit]] = {}
        for edit in edits:
            if edit.op not in THROUGHOUT:
                moved = _moved_tokens(self.latex[edit.start : edit.end], edit.new)
                by_tokens.setdefault(moved, []).append(edit)
        # A slip whose tokens no other moves back is drawn for nothing.
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
        """Changes that put two letters, numbers or labels for each other wherever they occur."""
        found: dict[frozenset[str], list[Edit]] = {}
        for edit in edits:
            if edit.op == EXCHANGE:
                found.setdefault(frozenset([self.latex[edit.start : edit.end], edit.new]), []).append(edit)
        return [tuple(sorted(change)) for change in found.values()]

    def turned_signs(self, edits: Sequence[Edit]) -> list[Change]:
        """The change that writes all signs between terms as their opposites, where there are any.

        Which of two options has more of a sign tells little of which is the paper's: of 506 equations in which one of
        the two signs is more frequent, 287 have more minus signs.
        """
        signs = tuple(sorted(edit for edit in edits if edit.op == SIGNS))
        return [signs] if signs else []

    def join(self, one: Change, other: Change) -> Change | None:
        """Both changes, the second made of what the first makes; None where they cannot both be made.

        They can where they touch different places, and where both are exchanges: of ``a`` and ``b``, then of ``b`` and
        ``c``, come four orders of which each is one exchange from two others, and two from the third.
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
                return None  # the same letter in another font, which this change leaves
            new = {place: moved.get(letter, letter) for place, letter in new.items()}
        op = one[0].op
        return tuple(sorted(Edit(*place, letter, op) for place, letter in new.items() if letter != letters[place]))

    def count_sides(self, *changes: Change) -> int:
        """How many sides of the equation some changes touch; certificates decide best where that is one."""
        edits = [edit for change in changes for edit in change]
        return sum(any(start <= edit.start <= end for edit in edits) for start, end in self._sides)

    def squares(
        self, first: Iterable[Change], second: Iterable[Change] | None = None, *, balanced: bool = False
    ) -> Iterator[list[Variant]]:
        """Squares in an order drawn by hash, those with changes that the text around tells nothing of before others.

        Args:
            first: one of the two changes is one of these.
            second: the other is one of these; of ``first`` where there are none.
            balanced: whether all options must be made of the same tokens.
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
        """Single slips drawn by hash, exchanges and turned signs, also those that alter the tokens of the formula.

        Slips that put an operator, a function or a relation for another are none of them: one of the two is usual.
        """
        single = [edit for edit in edits if edit.op not in ONE_WAY]
        drawn: Iterable[Change] = ((edit,) for edit in dict.fromkeys(self.draw_edits(single, DRAWN)))
        rounds = itertools.zip_longest(drawn, self._find_exchanges(edits), self.turned_signs(edits))
        return [change for turn in rounds for change in turn if change is not None]

    def complete(self, pairs: Iterable[Pair], *, balanced: bool = True) -> Iterator[list[Variant]]:
        """The squares of pairs of changes whose four options differ; two where the order of the changes counts."""
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
        """As many squares whose changes make runs attested more as less often, in the order of the pairs.

        Each change has a direction for tokens, 0 where what tells of them is ``masked``, and one for their kinds. Of
        squares that are alike but for the signs of their changes' directions, those with each pair of signs are kept
        as often as drawn signs would have them.

        Args:
            complete: makes squares of pairs, as :meth:`complete` does.
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
        """Whether a variant's runs of tokens occur in it as often as those of the original in that."""
        own, other = (Habits([]).attestation(option_tokens(latex)) for latex in (self.latex, one.latex))
        return all(abs(a - b) <= _TIED for a, b in zip(own, other))

    def _direction(self, one: Variant) -> Direction:
        """For tokens and for their kinds, 1 where a change makes runs attested more often, -1 less, 0 not at all."""
        return (
            _sign_of_steps(one.attested, self.original.attested),
            _sign_of_steps(one.usual, self.original.usual),
        )

    def direction_of_counts(self, one: Variant) -> Direction:
        """By how many tokens a change lengthens; 1, -1 or 0 for more, less or as much of the rest of :func:`_count`."""
        after, before = _count(one), _count(self.original)
        return (round(after[0] - before[0]), *(_sign_of_steps([a], [b]) for a, b in zip(after[1:], before[1:])))

    def tells(self, one: Variant) -> bool:
        """Whether the text around tells a variant of one change from the original."""
        return any(self._direction(one))

    def find_singles(self, changes: Iterable[Change], *, balanced: bool = True, alike: bool = False) -> list[Variant]:
        """Variants of one change each, each formula once.

        Args:
            changes: of which they are made.
            balanced: whether they must be made of the same tokens.
            alike: whether runs of tokens must occur in them as often as in the original.
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
        """Changes whose opposite is as likely, as far as the text around tells: those that alter nothing, and pairs.

        In a pair one change makes runs of tokens occur around more often by about as much as the other makes them less.
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
        """Stars of single changes."""
        drawn = dict.fromkeys(self.draw_edits(edits, DRAWN))
        made = self.find_singles([(edit,) for edit in drawn], balanced=False)
        for place in range(0, max(0, len(made) - count + 1)):
            yield [self.original, *made[place : place + count]]


@lru_cache(maxsize=2048)
def _moved_tokens(old: str, new: str) -> _Moved:
    """The tokens that a slip puts in and takes out, with how often."""
    counts = Counter(option_tokens(new))
    counts.subtract(option_tokens(old))
    return frozenset((token, count) for token, count in counts.items() if count)


def _moved_back(moved: _Moved) -> _Moved:
    return frozenset((token, -count) for token, count in moved)


def _count(one: Variant) -> tuple[float, ...]:
    """What tells formulas apart: tokens, the share of their runs that are distinct, how usual kinds are, numbers."""
    tokens = option_tokens(one.latex)
    runs = [runs_of(tokens, size) for size in (1, 2, 3)]
    distinct = sum(len(set(some)) for some in runs) / sum(map(len, runs))
    usual = sum(total / len(runs_of(tokens, size)) for size, total in enumerate(one.usual, 2))
    return len(tokens), distinct, usual, sum(float(token) for token in tokens if token.isdecimal())


def _sign_of_steps(after: Sequence[float], before: Sequence[float]) -> int:
    steps = [a - b for a, b in zip(after, before)]
    return 0 if max(map(abs, steps)) <= _TIED else 1 if sum(steps) > 0 else -1


def opposite(direction: Direction) -> Direction:
    """The direction of a change that undoes all of one."""
    return tuple(-step for step in direction)


def without_sign(direction: Direction) -> Direction:
    """What a direction and its opposite have in common."""
    return max(direction, opposite(direction))


def count_oddities(latex: str) -> Counter[str]:
    """What nobody writes, by kind.

    Lone signs and scripts, a fraction over 1, ``x x``, ``x(x)``, ``x - x``, ``x / x``, ``x = x``, ``x^x``.

    Raises:
        Unread: the formula cannot be read.
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
    """What is side by side in a node, a minus sign apart."""
    if node.kind in ("add", "mul", "frac", "chain", "list", "maybe", "apply", "scripts"):
        for part in node.parts:
            yield part.parts[0] if part.kind == "minus" else part


def pairs_of(options: Sequence[Variant]) -> Iterator[tuple[Variant, Variant]]:
    """Each two options that are not the original."""
    return itertools.combinations([option for option in options if option.edits], 2)
