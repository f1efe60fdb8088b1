"""Make questions about the equations of a paper: which of four is the paper's (AAAR-1.0, section 3.1)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scholartools import records
from scholartools.errors import InputFault
from scholartools.tasks.equations.certificates import certify as certificates
from scholartools.tasks.equations.certificates.certify import (
    DIFFERENT,
    SAME,
    UNDECIDED,
    certify,
)
from scholartools.tasks.equations.questions import compiling
from scholartools.tasks.equations.questions.context import (
    TELLS,
    Formula,
    Pieces,
    find_formulas,
    make_context,
    place_statements,
    split_statements,
)
from scholartools.tasks.equations.questions.edits import Edit
from scholartools.tasks.equations.questions.masking import Signs, find_masked_squares, find_mirrored_squares
from scholartools.tasks.equations.questions.rewritings import find_rewritings
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, Slips
from scholartools.tasks.equations.questions.shortcuts import Tokens, find_telling_runs
from scholartools.tasks.equations.questions.squares import (
    Change,
    Variant,
    Workshop,
    draw,
    pairs_of,
)
from scholartools.tasks.equations.questions.surroundings import Surroundings
from scholartools.tasks.equations.questions.verifying import digest
from scholartools.tasks.equations.trees.parser import Tree, parse
from scholartools.tasks.equations.trees.tree import Unread
from scholartools.tasks.equations.trees.typesetting import typeset

Record = dict[str, Any]
# Whether an option is right, and its certificate.
Certified = tuple[bool, Record]

COMMAND = "st-eqsynth"
_ATTEMPTS = 40  # maximum number of sets of options that are certified for an equation
_MASKED_ATTEMPTS = 40  # the same for squares that need masks
_MIRRORED_KINDS = 8  # maximum number of direction pairs that are tried for mirrored squares
_MIRRORED_ATTEMPTS = 5  # maximum number of squares for each sign of a direction pair
_SAME_AGAIN = 3  # failures after which further occurrences of the same formula are skipped
_FAILED_EACH = 30  # failures per requested question after which the rest of a paper is skipped
_MOST_REJECTED = 10  # maximum number of rejected options in a question
UNALIGNED = "a wrong option does not keep to the notation of the text"
UNBALANCED = "no balanced set of options: counts of tokens would reveal the right one"
_TOO_FEW = "only {} of {} other options could be made"
REPEATED = f"a formula that gave no question in {_SAME_AGAIN} other places"
GIVEN_UP = f"not tried, as {_FAILED_EACH} equations for each question wanted gave none"
_HINT = "run st-parse on LaTeX sources first"


@dataclass(frozen=True)
class Options:
    """Options for making questions.

    Attributes:
        design: ``square`` or ``star``.
        negatives: number of wrong options of a star; a square has three, or two with ``equivalents``.
        equivalents: 1 if one of the two changes of a square is a rewriting, so that two options are right.
        ops: kinds of errors.
        per_paper: maximum number of questions of one paper.
        context_words: number of words on each side of the equation.
        max_chars: maximum length of an equation, in characters of its typeset LaTeX.
        rows: ``one``: only equations that state one relation; ``each``: also the single statements of others; ``all``.
        keep: verdict that wrong options need: ``different``, or ``undecided``, for which ``different`` also suffices.
        engine: engine that checks whether options compile, or None.
        hide_attested: skip equations for which n-grams of the context would favour an option.
        all_aligned: skip equations with a wrong option that has a letter which does not occur around it.
        masks: maximum number of formulas around that are masked to balance the options, if no square needs none.
    """

    design: str = "square"
    negatives: int = 3
    equivalents: int = 0
    ops: frozenset[str] = DEFAULT_OPS
    per_paper: int = 3
    context_words: int = 1000
    max_chars: int = 1039
    rows: str = "one"
    keep: str = DIFFERENT
    engine: str | None = None
    hide_attested: bool = False
    all_aligned: bool = False
    masks: int = 60
    seed: int = 0

    def parameters(self) -> dict[str, Any]:
        """All options, for a signature."""
        return {**self.__dict__, "ops": sorted(self.ops), "words": "space", "certificates": certificates.VERSION}


@dataclass
class Made:
    """The questions of a paper, and the number of its other equations by reason."""

    questions: list[Record] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Candidate:
    """An equation that a question may be made of.

    Attributes:
        place: index among the equations of the paper and their parts.
        equation: equation record of the paper, or of a part of it.
        latex: typeset LaTeX of the equation, as in the options.
        formulas: if the equation is a part of a display: the formulas of the paper with the display in parts.
    """

    place: int
    equation: Record
    formulas: list[Formula] | None
    latex: str
    tree: Tree


@dataclass
class Candidates:
    """The equations of a paper that questions may be made of, in random order, and the number of others by reason."""

    name: str
    pieces: Pieces
    usable: list[Candidate]
    skipped: Counter[str]


def make_questions(paper: Record, options: Options) -> Made:
    """Make at most ``per_paper`` questions of a paper, from equations in random order.

    Raises:
        InputFault: there are no equations, or a span does not name its LaTeX.
    """
    candidates = find_candidates(paper, options)
    made = Made(skipped=candidates.skipped)
    found: dict[int, Record] = {}
    failed: Counter[str] = Counter()
    for candidate in candidates.usable:
        if len(found) == options.per_paper:
            break
        if failed.total() == _FAILED_EACH * options.per_paper:
            made.skipped[GIVEN_UP] += 1
            continue
        if failed[candidate.latex] == _SAME_AGAIN:
            made.skipped[REPEATED] += 1
            continue
        maker = QuestionMaker(paper, candidates, candidate, options)
        question = maker.make()
        if question is None:
            made.skipped[maker.reason] += 1
            failed[candidate.latex] += 1
        else:
            found[candidate.place] = question
    made.questions = [found[place] for place in sorted(found)]
    return made


def find_candidates(paper: Record, options: Options) -> Candidates:
    """Find the equations of a paper that questions may be made of.

    Raises:
        InputFault: there are no equations, a span does not match its LaTeX, or two equations have the same id.
    """
    equations: Sequence[Any] = records.need(paper, "equations", _HINT)
    name = str(records.need(paper, "id", "every record needs a name"))
    records.texts(paper)
    formulas = find_formulas(paper)
    if twice := [one for one, count in Counter(equation["id"] for equation in equations).items() if count > 1]:
        reason = f'two equations have the id "{twice[0]}": their questions would have the same ids'
        raise InputFault(reason, kind="duplicate")
    found = Candidates(name, Pieces(paper, formulas), [], Counter())
    for place, (equation, parted) in enumerate(_list_equations(equations, formulas, options)):
        try:
            found.usable.append(Candidate(place, equation, parted, *_usable(equation["latex"], options)))
        except Unread as error:
            found.skipped[error.reason] += 1
    found.usable.sort(key=lambda one: (draw(options.seed, name, one.equation["id"]), one.place))
    return found


def _list_equations(
    equations: Sequence[Record], formulas: list[Formula], options: Options
) -> Iterator[tuple[Record, list[Formula] | None]]:
    """Yield equations, or their statements with the formulas of the paper."""
    for equation in equations:
        parts = split_statements(equation) if options.rows == "each" else [equation]
        parted = place_statements(formulas, equation, parts) if len(parts) > 1 else None
        yield from ((part, parted) for part in parts)


def _usable(latex: str, options: Options) -> tuple[str, Tree]:
    """The typeset LaTeX of an equation, and its tree.

    Raises:
        Unread: no question can be made of the equation.
    """
    written = typeset(latex)
    tree = parse(written)
    relations = [one for one in tree.statements if one.kind == "chain"]
    if not relations:
        raise Unread("no relation")
    if options.rows != "all" and len(tree.statements) > 1:
        raise Unread("several statements")
    if len(written) > options.max_chars:
        raise Unread("too long", f"more than {options.max_chars} characters")
    return written, tree


class QuestionMaker:
    """Makes the question of one equation.

    Attributes:
        name: id of the question.
        context: the text around the equation.
        reason: why there is no question.
    """

    def __init__(self, paper: Record, candidates: Candidates, candidate: Candidate, options: Options) -> None:
        self.paper = paper
        self.options = options
        parted = candidate.formulas
        self.pieces = candidates.pieces if parted is None else Pieces(paper, parted)
        self.latex, self.tree, self.equation = candidate.latex, candidate.tree, candidate.equation
        self.name = f"{candidates.name}#{self.equation['id']}"
        self.paper_name = candidates.name
        self._read_context()
        self._refused: set[str] = set()
        self._certificates: dict[tuple[str, str], Record] = {}
        self.rejected: list[Record] = []
        self._left_out: dict[str, str] = {}
        self.reason = ""
        self._compiles = True

    def _read_context(self, telling: frozenset[Tokens] = frozenset()) -> None:
        """Make the context, with formulas masked that contain one of the given n-grams, and its statistics."""
        words, seed = self.options.context_words, self.options.seed
        self.context = make_context(self.pieces, self.equation, words, telling)
        self.around = Surroundings(self.context, self.equation["latex"])
        self._workshop = Workshop(self.latex, self.around, seed, self.name, hides=self.options.hide_attested)

    def make(self) -> Record | None:
        """Make the question with wrong options by rule; None if it cannot be made."""
        slips = self.find_slips()
        options = self.find_options(slips)
        may_mask = self.options.masks and self.options.design == "square" and not self.options.equivalents
        if options is None and may_mask and self._compiles:
            options = (
                self._find_masked_options(slips)
                or self._find_turned_options(slips)
                or self._find_mirrored_options(slips)
            )
        if options is None:
            return None
        question = self.write_question(*options)
        if self.options.all_aligned and not is_aligned(question):
            self.reason = UNALIGNED
            return None
        question["digest"] = digest(question)
        records.add_provenance(
            question, COMMAND, "questions", method="builtin", options=self.options.parameters(), input=self.input()
        )
        return question

    def find_slips(self) -> list[Edit]:
        """The errors by rule that the equation allows."""
        return Slips(self.latex, self.tree.statements, self.around.names, self.around.words).find(self.options.ops)

    def find_options(
        self, edits: Sequence[Edit], *, balanced: bool = True
    ) -> tuple[list[Variant], list[Certified]] | None:
        """The original and changed equations, the latter with certificates; None if too few are certified.

        Args:
            balanced: whether the options of a square must have the same tokens.
        """
        best = attempts = 0
        for variants in self._sets(edits, balanced):
            if attempts == _ATTEMPTS:
                break
            if any(variant.latex in self._refused for variant in variants):
                continue
            attempts += 1
            certified = self._certify_variants(variants)
            if self.reason:
                return None
            best = max(best, len(certified))
            if len(certified) == len(variants) - 1:
                return variants, certified
        wanted = 3 if self.options.design == "square" else self.options.negatives
        self.reason = _TOO_FEW.format(best, wanted) if attempts else UNBALANCED
        return None

    def _find_turned_options(self, slips: Sequence[Edit]) -> tuple[list[Variant], list[Certified]] | None:
        """As :meth:`_find_masked_options`, with the change of all signs as one of the two changes."""
        if self.options.hide_attested or not self._compiles:
            return None
        self._read_context()  # a previous attempt may have added masks
        turned = self._workshop.turned_signs(slips)
        return self._find_masked_options(slips, turned) if turned else None

    def _find_mirrored_options(self, slips: Sequence[Edit]) -> tuple[list[Variant], list[Certified]] | None:
        """Options of a mirrored square: changes that alter counts, whose opposites are also proven wrong."""
        if self.options.hide_attested or not self._compiles:
            return None
        self._read_context()  # a previous attempt may have added masks
        workshop, formulas, most = self._workshop, self.around.formulas, self.options.masks
        changes = workshop.single_changes(slips)
        found = find_mirrored_squares(workshop, changes, formulas, most, self._is_wrong)
        for number, (signs, squares) in enumerate(itertools.islice(found, _MIRRORED_KINDS)):
            proven: dict[Signs, tuple[list[Variant], list[Certified]]] = {}
            for sign in dict.fromkeys(signs):
                if (first := self._certify_first(squares[sign])) is None:
                    break
                proven[sign] = first
            else:
                variants, certified = proven[signs[int(draw(*workshop.key, "signs", number) * len(signs))]]
                if self._mask(variants, find_telling_runs([one.latex for one in variants])):
                    return variants, certified
        return None

    def _certify_first(self, squares: Iterator[list[Variant]]) -> tuple[list[Variant], list[Certified]] | None:
        """The first square, of a few, whose options all have the wanted certificates."""
        for variants in itertools.islice(squares, _MIRRORED_ATTEMPTS):
            if not any(variant.latex in self._refused for variant in variants):
                certified = self._certify_variants(variants)
                if len(certified) == len(variants) - 1:
                    return variants, certified
        return None

    def _find_masked_options(
        self, slips: Sequence[Edit], turned: Sequence[Change] = ()
    ) -> tuple[list[Variant], list[Certified]] | None:
        """As :meth:`find_options`, with masks of the formulas in the context that would distinguish the options.

        Args:
            turned: further changes, one of which the square must have if there are any.
        """
        reason, self.reason = self.reason, ""
        best = 0
        changes = self._workshop.balanced_changes(slips)
        workshop, attempts = self._workshop, 0
        formulas, most = self.around.formulas, self.options.masks
        squares = find_masked_squares(workshop, changes, formulas, most, self._is_wrong, turned)
        for variants, telling in squares:
            if attempts == _MASKED_ATTEMPTS:
                break
            if any(variant.latex in self._refused for variant in variants):
                continue
            attempts += 1
            certified = self._certify_variants(variants)
            best = max(best, len(certified))
            if len(certified) == len(variants) - 1 and self._mask(variants, telling):
                return variants, certified
        verdicts = [found["verdict"] for (one, _), found in self._certificates.items() if one == self.latex]
        n_wrong = len([one for one in verdicts if one in (DIFFERENT, self.options.keep)])
        is_unproven = len(verdicts) > 1 and n_wrong < 2
        best = best if attempts else n_wrong
        self.reason = self.reason or (_TOO_FEW.format(best, 3) if attempts or is_unproven else reason)
        return None

    def _mask(self, variants: Sequence[Variant], telling: frozenset[Tokens]) -> bool:
        """Mask distinguishing formulas; return whether the masks suffice and the rules still make these options."""
        self._read_context(telling)
        n_masks = sum(one["why"] == TELLS for one in self.context["masked"])
        slips = set(self.find_slips())
        return (
            n_masks <= self.options.masks
            and all(edit in slips for variant in variants for edit in variant.edits)
            and not self.around.tells_apart([variant.latex for variant in variants])
        )

    def _sets(self, edits: Sequence[Edit], balanced: bool) -> Iterator[list[Variant]]:
        if self.options.design == "star":
            return self._workshop.stars(edits, self.options.negatives)
        changes = self._workshop.balanced_changes(edits) if balanced else [(edit,) for edit in edits]
        rewritings = find_rewritings(self.latex, self.tree.statements) if self.options.equivalents else []
        partners = [(edit,) for edit in rewritings] if self.options.equivalents else None
        return self._workshop.squares(changes, partners, balanced=balanced)

    def _certify(self, one: str, other: str) -> Record:
        """The certificate of two options, cached."""
        if (one, other) not in self._certificates:
            self._certificates[one, other] = certify(one, other)
        return self._certificates[one, other]

    def _is_wrong(self, variant: Variant) -> bool:
        """Whether a variant has the verdict that wrong options need."""
        return self._certify(self.latex, variant.latex)["verdict"] in (DIFFERENT, self.options.keep)

    def _certify_variants(self, variants: Sequence[Variant]) -> list[Certified]:
        """Correctness and certificate of each option except the paper's, up to the first that is rejected."""
        found: list[Certified] = []
        checks = compiling.check([variant.latex for variant in variants], self.options.engine)
        if checks[0]["ok"] is False:
            self._compiles = False
            self.reason = f"the paper's own does not compile: {checks[0].get('log')}"
            return found
        for variant, compiled in zip(variants[1:], checks[1:]):
            right = all(edit.op in REWRITINGS for edit in variant.edits)
            certificate = {**self._certify(self.latex, variant.latex), "compile": compiled}
            wanted = [SAME] if right else [DIFFERENT, self.options.keep]
            if certificate["verdict"] not in wanted or compiled["ok"] is False:
                self._reject(variant, certificate, compiled)
                self._refused.add(variant.latex)
                return found
            found.append((right, certificate))
        wrong = [variant for variant, (right, _) in zip(variants[1:], found) if not right]
        for one, other in pairs_of(wrong):
            if _slips(one) == _slips(other):
                continue  # the same errors, except for a rewriting
            verdict = self._certify(one.latex, other.latex)["verdict"]
            if verdict == SAME or (verdict == UNDECIDED and self.options.keep == DIFFERENT):
                return found[:-1]
        return found

    def _reject(self, variant: Variant, certificate: Record, compiled: Record) -> None:
        if variant.latex in self._left_out:
            return
        reason = "it does not compile" if compiled["ok"] is False else f"its certificate says {certificate['verdict']}"
        self._left_out[variant.latex] = reason
        if len(self.rejected) < _MOST_REJECTED:
            entry = {"command": COMMAND, "text": variant.latex, "reason": reason, "certificate": certificate}
            self.rejected.append(entry)

    def write_question(
        self, variants: Sequence[Variant], certified: Sequence[Certified], origin: str = "rules"
    ) -> Record:
        """Write the question, without its digest and provenance.

        Args:
            variants: the equation and the other options; ``certified`` belongs to the latter.
            origin: origin of the wrong options: "rules" or the name of a model.
        """
        shuffled = sorted(range(len(variants)), key=lambda place: draw(self.options.seed, self.name, "id", place))
        options = []
        for number, place in enumerate(shuffled, 1):
            option = {"id": f"o{number}", "latex": variants[place].latex}
            if not place:
                options.append({**option, "correct": True, "origin": "paper"})
                continue
            right, certificate = certified[place - 1]
            undefined = self.around.undefined_letters(variants[place].latex)
            options.append(
                option
                | {"correct": right, "origin": "rewriting" if right else origin}
                | {"edits": [edit.record(variants[0].latex) for edit in variants[place].edits]}
                | {"certificate": certificate, "aligned": not undefined, "undefined": undefined}
            )
        order = sorted(options, key=lambda option: draw(self.options.seed, self.name, "order", option["id"]))
        return {
            "id": self.name,
            "paper": self.paper_name,
            "title": self.paper.get("title"),
            "equation": self.equation,
            "context": self.context,
            "options": options,
            "order": [option["id"] for option in order],
            "design": self.options.design,
            "shortcuts": self.around.rank_first([variant.latex for variant in variants]),
            "rejected": self.rejected,
            "left_out": dict(sorted(Counter(self._left_out.values()).items())),
            "warnings": [],
        }

    def input(self) -> list[Any]:
        """The input of the question: its name and the texts of the paper."""
        texts = [self.paper.get(key) for key in ("title", "abstract", "sections", "equations")]
        return [self.name, texts]


def is_aligned(question: Record) -> bool:
    """Whether all wrong options use only the notation of the text."""
    return all(option["aligned"] for option in question["options"] if not option["correct"])


def _slips(variant: Variant) -> set[Edit]:
    return {edit for edit in variant.edits if edit.op not in REWRITINGS}


REWRITINGS = frozenset(["commute-sum", "swap-sides", "rename-bound"])
