"""Recompute what questions and certified pairs claim.

A question contains its formulas and its context, from which certificates, edits, kinds of errors, notation and ranks of
shortcuts are recomputed. It does not contain the paper: only the digest shows whether the context, or a model's verdict
on notation, was changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault, ScholartoolsError
from scholartools.signature import fingerprint
from scholartools.tasks.equations.certificates.certify import SAME, verify
from scholartools.tasks.equations.questions.context import TELLS
from scholartools.tasks.equations.questions.edits import Edit, apply
from scholartools.tasks.equations.questions.proposals import name_kind
from scholartools.tasks.equations.questions.rewritings import find_rewritings
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, OPS, Slips
from scholartools.tasks.equations.questions.surroundings import Surroundings
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.tree import Unread
from scholartools.tasks.equations.trees.typesetting import typeset

if TYPE_CHECKING:
    from scholartools.records import Entry

Record = dict[str, Any]

PAPER, BY_RULE = "paper", ("rules", "rewriting")
_CONTENT = ("id", "paper", "title", "equation", "context", "options", "order", "design", "shortcuts")

# Names of the counts of verified things; each begins with a singular noun.
PAIRS = "pair verified: certificates computed again"
QUESTIONS = "question verified: ranks of shortcuts found again; texts, order and number of options by their digest"
OPTIONS = "option verified: certificates, edits and kinds of slips computed again"
NOTATION = "option verified: letters without a place in the text found again"
BY_DIGEST = "option made with a model verified: notation by the digest alone"


def digest(question: Record) -> str:
    """Fingerprint of all keys of a question that are used to ask and score it."""
    return fingerprint({key: question.get(key) for key in _CONTENT})


def verify_record(record: Record) -> Counter[str]:
    """Verify a question, or a pair that ``st-eqsynth compare`` certified; return counts of what was verified.

    Raises:
        InputFault: the record has no certificate, or an invalid key.
        ScholartoolsError: a claim does not hold; names the record and the option.
    """
    name = str(record.get("id", "record"))
    if isinstance(record.get("certificate"), dict):
        _verify_pair(name, record)
        return Counter([PAIRS])
    options = _read_options(record)
    own = [one["latex"] for one in options if one.get("origin") == PAPER]
    if len(own) != 1:
        raise InputFault("one option must be the paper's", kind="invalid-key")
    try:
        found = next(_find_faults(record, options, own[0]), None)
    except Unread as error:
        found = "", error.reason
    if found:
        raise ScholartoolsError(f"{name}{found[0]} does not hold: {found[1]}", kind="certificate")
    n_others = len(options) - 1
    n_by_rule = sum(one.get("origin") in BY_RULE for one in options)
    told = {QUESTIONS: 1, OPTIONS: n_others, NOTATION: n_by_rule, BY_DIGEST: n_others - n_by_rule}
    return Counter({what: count for what, count in told.items() if count})


def _verify_pair(name: str, record: Record) -> None:
    texts = record.get("positive"), record.get("alternative")
    if not all(isinstance(text, str) for text in texts):
        raise InputFault('no "positive" and "alternative" for the certificate', kind="missing-key")
    if reason := verify(str(texts[0]), str(texts[1]), record["certificate"]):
        raise ScholartoolsError(f"{name}: certificate does not hold: {reason}", kind="certificate")


def _find_faults(record: Record, options: Sequence[Record], paper: str) -> Iterator[tuple[str, str]]:
    """Yield the wrong claims of a question: the part of the question, and the reason.

    Raises:
        Unread: a formula cannot be parsed.
    """
    around = _read_surroundings(record)
    if reason := _check_question(record, options, paper):
        yield "", reason
    has_masks = any(one.get("why") == TELLS for one in record["context"].get("masked") or ())
    if has_masks and around.tells_apart([option["latex"] for option in options]):
        yield "", "a formula around it tells its options apart, as if it had not been masked"
    checks = _OptionChecks(paper, around)
    others = [one for one in options if one.get("origin") != PAPER]
    for option in others:
        if reason := checks.find_fault(option):
            yield f", option {option.get('id')}: certificate", reason
    if record.get("shortcuts") != around.rank_first([paper, *(option["latex"] for option in others)]):
        yield "", '"shortcuts" are not the ranks of the paper\'s option'
    if record.get("digest") != digest(record):
        yield "", "it was changed after it was made, or has no digest: " + ", ".join(_CONTENT)


def _read_surroundings(record: Record) -> Surroundings:
    """The surroundings of the equation of a question.

    Raises:
        InputFault: there is no equation or no context.
    """
    context, equation = record.get("context"), record.get("equation")
    texts = [context.get(side) for side in ("before", "after")] if isinstance(context, dict) else [None]
    latex = equation.get("latex") if isinstance(equation, dict) else None
    if not isinstance(context, dict) or not all(isinstance(text, str) for text in [*texts, latex]):
        raise InputFault('no "context" with "before" and "after", or no "equation" with "latex"', kind="missing-key")
    return Surroundings(context, str(latex))


class _OptionChecks:
    """Checks certificates, edits, kinds of errors and notation of the options other than the paper's."""

    def __init__(self, paper: str, around: Surroundings) -> None:
        statements = parse(paper).statements
        slips = Slips(paper, statements, around.names, around.words)
        self._paper, self._around = paper, around
        self._by_rule = {*slips.find(frozenset(OPS)), *find_rewritings(paper, statements)}
        self._usual = slips.find(DEFAULT_OPS)

    def find_fault(self, option: Record) -> str | None:
        """The first wrong claim of an option; None if all hold."""
        edits = [Edit(one["start"], one["end"], one["to"], one["op"]) for one in option["edits"]]
        return (
            verify(self._paper, option["latex"], option["certificate"])
            or _check_edits(self._paper, option, edits)
            or next((f'"op" of an edit is not "{edit.op}"' for edit in edits if not self._is_kind(edit, option)), None)
            or self._check_notation(option)
        )

    def _is_kind(self, edit: Edit, option: Record) -> bool:
        """Whether a rule of its kind makes the edit; a model's edit must have the kind of the first such rule."""
        if option.get("origin") in BY_RULE or edit in self._by_rule:
            return edit in self._by_rule
        return edit.op == name_kind(self._paper, self._usual, typeset(apply(self._paper, [edit])))

    def _check_notation(self, option: Entry) -> str | None:
        undefined = self._around.undefined_letters(option["latex"])
        said = option.get("aligned"), option.get("undefined")
        if option.get("origin") in BY_RULE and said != (not undefined, undefined):
            return f'the letters that stand nowhere around it are {undefined}, not {said[1]}, "aligned" {said[0]}'
        return None


def _read_options(record: Record) -> list[Record]:
    """The options of a question, validated: LaTeX, and for options other than the paper's edits and a certificate.

    Raises:
        InputFault: an option is invalid.
    """
    options = record.get("options")
    if not isinstance(options, list) or not all(isinstance(one, dict) for one in options):
        raise InputFault(
            'no "options" and no "certificate": run st-eqsynth questions or st-eqsynth compare first',
            kind="missing-key",
        )
    for option in options:
        if not isinstance(option.get("latex"), str):
            raise InputFault(f'option "{option.get("id")}" has no "latex" that is a text', kind="invalid-key")
        if not _are_edits(option.get("edits", [] if option.get("origin") == PAPER else None)):
            raise InputFault(f'"edits" of option "{option.get("id")}" are not edits', kind="invalid-key")
        if option.get("origin") != PAPER and not isinstance(option.get("certificate"), dict):
            raise InputFault(f'option "{option.get("id")}" has no "certificate"', kind="missing-key")
    return options


def _are_edits(edits: object) -> bool:
    types = {"op": str, "start": int, "end": int, "from": str, "to": str}
    return isinstance(edits, list) and all(
        isinstance(one, dict) and all(isinstance(one.get(key), kind) for key, kind in types.items()) for one in edits
    )


def _check_question(record: Record, options: Sequence[Record], paper: str) -> str | None:
    """Why the paper's option is not the right equation, or the order is not one of all options; None if both are."""
    if not all(option.get("correct") is True for option in options if option.get("origin") == PAPER):
        return 'the paper\'s option is not "correct"'
    ids, order = [option.get("id") for option in options], record.get("order")
    is_order = isinstance(order, list) and sorted(map(str, order)) == sorted(map(str, ids))
    if not is_order or len(set(map(str, ids))) < len(ids):
        return '"order" does not name each option once'
    return None if typeset(record["equation"]["latex"]) == paper else 'the paper\'s option is not the "equation"'


def _check_edits(positive: str, option: Entry, edits: Sequence[Edit]) -> str | None:
    """Why the verdict, the edits or the LaTeX of an option are inconsistent; None if they are consistent."""
    verdict = option["certificate"]["verdict"]
    if (verdict == SAME) != option.get("correct"):
        return f'the verdict is "{verdict}", but "correct" is {str(option.get("correct")).lower()}'
    if any(positive[one["start"] : one["end"]] != one["from"] for one in option["edits"]):
        return "an edit does not name what it changes"
    return None if typeset(apply(positive, edits)) == option["latex"] else "its edits make another formula"
