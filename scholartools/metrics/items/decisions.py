"""Yes-or-no decisions against the truth: equation inference and review critique (AAAR-1.0, sections 4, 5.1, 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scholartools.errors import InputFault
from scholartools.metrics.values import PRF, Value, all_of, undefined_prf


@dataclass(frozen=True)
class Decisions:
    """Decisions pooled over all questions and options.

    Attributes:
        tp, fp, fn, tn: counts; positive is "correct".
        n_unparsed: number of unparsable answers, each counted as wrong.
        scores: TP / (TP + FP), TP / (TP + FN) and 2TP / (2TP + FP + FN).
        accuracy: (TP + TN) over all, in [0, 1].
        all_right: 1 if no decision is wrong, else 0.
    """

    tp: int
    fp: int
    fn: int
    tn: int
    n_unparsed: int
    scores: PRF

    @property
    def accuracy(self) -> Value:
        n = self.tp + self.fp + self.fn + self.tn
        return Value((self.tp + self.tn) / n) if n else Value(None, "nothing was decided")

    @property
    def all_right(self) -> Value:
        accuracy = self.accuracy
        return accuracy if accuracy.value is None else Value(float(accuracy.value == 1))


def equation_inference(correct: Sequence[bool], answers: Sequence[bool | None]) -> Decisions:
    """Pooled scores of answers to "is this equation correct?", as in AAAR-1.0, table 1.

    Args:
        correct: for each (question, option), whether the option is the paper's own equation.
        answers: answers of the model in the same order; None for an unparsable answer, which counts as wrong.

    Raises:
        InputFault: the sequences differ in length.
    """
    _check_lengths(correct, answers)
    decided = [not truth if answer is None else answer for truth, answer in zip(correct, answers)]
    counts = {(truth, said): 0 for truth in (True, False) for said in (True, False)}
    for pair in zip(correct, decided):
        counts[pair] += 1
    tp, fp, fn, tn = counts[True, True], counts[False, True], counts[True, False], counts[False, False]
    return Decisions(tp, fp, fn, tn, sum(answer is None for answer in answers), _pool_counts(tp, fp, fn))


def all_positive(correct: Sequence[bool]) -> Decisions:
    """All-Positive baseline of AAAR-1.0, table 1: every option is considered correct."""
    return equation_inference(correct, [True] * len(correct))


def all_right_by_lot(correct: Sequence[bool]) -> Value:
    """Probability that all decisions are right by random guessing at the best constant rate of yes, in [0, 1].

    The best rate is the share of correct options: with one of four it is 1/4, and the probability 0.105.
    """
    n, positive = len(correct), sum(correct)
    if not n:
        return Value(None, "nothing was decided")
    return Value((positive / n) ** positive * ((n - positive) / n) ** (n - positive))


def review_critique(deficient: Sequence[bool], said: Sequence[bool]) -> PRF:
    """Scores of one review for segments labelled deficient, as in AAAR-1.0, table 7, to be averaged over reviews.

    As published, an undefined precision, recall or F1 is 0.

    Args:
        deficient: for each segment, whether annotators labelled it deficient.
        said: for each segment, whether the model did; a segment missing in the reply counts as not deficient.

    Raises:
        InputFault: the sequences differ in length.
    """
    _check_lengths(deficient, said)
    if not deficient:
        return undefined_prf("the review has no segments")
    hits = sum(truth and answer for truth, answer in zip(deficient, said))
    return all_of(hits / max(sum(said), 1), hits / max(sum(deficient), 1))


def critique_readings(
    deficient: Sequence[bool], labeling_all: Sequence[bool], select_deficient: Sequence[bool]
) -> dict[str, PRF]:
    """Scores of one review by prompt and by ensemble (AAAR-1.0, section 5.4, settings).

    ``labeling-all`` and ``select-deficient`` are the two prompts, ``both-no`` their intersection, ``either-no`` their
    union. Arguments are as in review_critique.

    Raises:
        InputFault: the sequences differ in length.
    """
    _check_lengths(labeling_all, select_deficient)
    votes = list(zip(labeling_all, select_deficient))
    said = {
        "labeling-all": labeling_all,
        "select-deficient": select_deficient,
        "both-no": [all(vote) for vote in votes],
        "either-no": [any(vote) for vote in votes],
    }
    return {name: review_critique(deficient, answers) for name, answers in said.items()}


def _pool_counts(tp: int, fp: int, fn: int) -> PRF:
    precision = Value(tp / (tp + fp)) if tp + fp else Value(None, "no item was called correct")
    recall = Value(tp / (tp + fn)) if tp + fn else Value(None, "nothing is correct")
    f1 = (
        Value(2 * tp / (2 * tp + fp + fn)) if tp + fp + fn else Value(None, "no item is correct, or was called correct")
    )
    return PRF(precision, recall, f1)


def _check_lengths(one: Sequence[object], other: Sequence[object]) -> None:
    if len(one) != len(other):
        raise InputFault(
            f"{len(one)} decisions against {len(other)}: both lists must be about the same items", kind="invalid-key"
        )
