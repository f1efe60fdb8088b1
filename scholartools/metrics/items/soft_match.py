"""Similarity and entailment metrics for lists of free text (AAAR-1.0, section 4).

Similarities are cosines of embeddings, neither clipped nor thresholded here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.metrics.texts.overlap import Rouge
from scholartools.metrics.values import PRF, Value, all_of, harmonic, undefined_prf

if TYPE_CHECKING:
    from numpy import ndarray

# ROUGE columns of AAAR-1.0, table 2.
EXPLANATION_ROUGE = ("rouge1", "rougeL")

_NO_REFERENCES = "no references"
_NO_PAIRS = "no reference has a partner"


def soft_scores(matrices: Sequence[ndarray], n_refused: int = 0) -> PRF:
    """S-Precision, S-Recall and S-F1 of one paper (AAAR-1.0, equations 4 and 5).

    ``S-P = mean_i mean_k max_j sim(p_i, g_kj)`` and ``S-R = mean_k mean_j max_i sim(p_i, g_kj)`` over the predicted
    items i, the reviewers k with any items, and their items j; ``S-F1 = 2PR / (P + R)``, 0 if one of the two is
    negative. An empty prediction scores 0 for all three.

    Args:
        matrices: for each reviewer, similarities of predicted items x reviewer's items; each dimension may be 0.
        n_refused: number of further predicted items that were unusable, which count with similarity 0.

    Raises:
        InputFault: the matrices differ in the number of predicted items.
    """
    import numpy as np

    if len({len(matrix) for matrix in matrices}) > 1:
        raise InputFault("reviewers' similarities differ in the number of predicted items", kind="invalid-key")
    given = [np.asarray(matrix, dtype=np.float64) for matrix in matrices if np.shape(matrix)[1]]
    if not given:
        return undefined_prf("no reviewer has any item")
    if not len(given[0]):
        return all_of(0.0, 0.0)
    precision = float(np.mean([matrix.max(axis=1).mean() for matrix in given]))
    if n_refused:
        precision *= len(given[0]) / (len(given[0]) + n_refused)
    recall = float(np.mean([matrix.max(axis=0).mean() for matrix in given]))
    return _with_f1(precision, recall)


def bert_score(similarity: ndarray, candidate: ndarray, reference: ndarray) -> PRF:
    """BERTScore without idf weights and without rescaling (Zhang et al. 2020, "BERTScore", section 3).

    Precision is the mean over the candidate's tokens of the greatest similarity to a token of the reference, recall the
    converse, F1 their harmonic mean, 0 if one of the two is negative. Special tokens of the model are excluded from the
    means but not from the maxima, as in the bert-score package, whose numbers these are. Undefined if a text has no
    token.

    Args:
        similarity: all tokens of the candidate x all tokens of the reference.
        candidate: mask of the candidate's tokens that belong to its text.
        reference: likewise for the reference.
    """
    for side, is_text in (("reference", reference), ("candidate", candidate)):
        if not is_text.any():
            return undefined_prf(f"the {side} has no token")
    precision = float(similarity[candidate].max(axis=1).mean())
    recall = float(similarity[:, reference].max(axis=0).mean())
    return _with_f1(precision, recall)


@dataclass(frozen=True)
class Pairing:
    """Assignment of predicted items to references.

    Attributes:
        pairs: (predicted, reference) as indexes from 0.
        missing: indexes of references without a partner.
        extra: indexes of predicted items without a partner.
        by_id: whether items were paired by id, not by position.
    """

    pairs: list[tuple[int, int]]
    missing: list[int]
    extra: list[int]
    by_id: bool


def pair_items(predicted: Sequence[str | None], references: Sequence[str | None]) -> Pairing:
    """Pair predicted items and references by id, or by position if one side has no ids.

    By position, the excess items of the longer list have no partner. An empty side does not count as one without ids.

    Args:
        predicted: id of each predicted item, or None.
        references: likewise.

    Raises:
        InputFault: both sides have ids, but an item has none or a duplicate one.
    """
    by_id = all(not ids or any(name is not None for name in ids) for ids in (predicted, references))
    if by_id:
        _check_ids("predicted", predicted)
        _check_ids("reference", references)
        places = {name: place for place, name in enumerate(references)}
        pairs = [(place, places[name]) for place, name in enumerate(predicted) if name in places]
    else:
        pairs = [(place, place) for place in range(min(len(predicted), len(references)))]
    met_predicted, met_references = ({pair[side] for pair in pairs} for side in (0, 1))
    missing = [place for place in range(len(references)) if place not in met_references]
    extra = [place for place in range(len(predicted)) if place not in met_predicted]
    return Pairing(pairs, missing, extra, by_id)


def _check_ids(side: str, ids: Sequence[str | None]) -> None:
    seen = set()
    for place, name in enumerate(ids, 1):
        if name is None or name in seen:
            fault = "has no id, others do" if name is None else f'has the id "{name}" of another'
            raise InputFault(f"{side} item {place} {fault}", kind="invalid-key")
        seen.add(name)


@dataclass(frozen=True)
class Likeness:
    """Similarity of predicted explanations to the references of a paper.

    Attributes:
        whole: mean over all references; one without a partner counts 0, so that silence is not rewarded.
        paired: mean over the references with a partner; undefined if there are none.
    """

    whole: Value
    paired: Value


def soft_match(matrix: ndarray, pairs: Sequence[tuple[int, int]]) -> Likeness:
    """S-Match of one paper: the mean of sim(p_i, g_i) (AAAR-1.0, equation 3); undefined without references.

    Args:
        matrix: similarities of predicted x reference explanations.
        pairs: pairs of indexes, see :func:`pair_items`.
    """
    import numpy as np

    return _mean_likeness([float(matrix[pair]) for pair in pairs], int(np.shape(matrix)[1]))


def explanation_rouge(
    predicted: Sequence[str], references: Sequence[str], pairs: Sequence[tuple[int, int]], rouge: Rouge
) -> dict[str, Likeness]:
    """Mean ROUGE-1 and ROUGE-L F1, averaged like S-Match (AAAR-1.0, table 2).

    Undefined without references, or if the reference of a pair has no words.

    Args:
        predicted: explanations.
        references: explanations.
        pairs: pairs of indexes, see :func:`pair_items`.
        rouge: with stemming, as published.
    """
    scores = []
    for prediction, reference in pairs:
        score = rouge(references[reference], predicted[prediction])
        if score is None:
            none = Value(None, f"reference {reference + 1} has no words")
            return dict.fromkeys(EXPLANATION_ROUGE, Likeness(none, none))
        scores.append(score)
    return {name: _mean_likeness([score[name].f1 for score in scores], len(references)) for name in EXPLANATION_ROUGE}


def _mean_likeness(of_pairs: Sequence[float], n_references: int) -> Likeness:
    if not n_references:
        return Likeness(Value(None, _NO_REFERENCES), Value(None, _NO_REFERENCES))
    total = math.fsum(of_pairs)
    paired = Value(total / len(of_pairs)) if of_pairs else Value(None, _NO_PAIRS)
    return Likeness(Value(total / n_references), paired)


def entailment_scores(predicted: Sequence[bool | None], references: Sequence[bool | None]) -> PRF:
    """En-Precision, En-Recall and En-F1 of one paper (AAAR-1.0, equations 1 and 2).

    Precision is the share of predicted items entailed by the list of references, recall the share of references
    entailed by the list of predictions. An empty prediction scores 0 for all three. If a judgement is missing, F1 and
    the share to which it belongs are undefined; the other share stands.

    Args:
        predicted: a judgement for each predicted item, None where it is missing.
        references: a judgement for each reference, None where it is missing.
    """
    if not references:
        return undefined_prf(_NO_REFERENCES)
    if not predicted:
        return all_of(0.0, 0.0)
    precision, recall = _share_entailed(predicted), _share_entailed(references)
    if precision.value is None or recall.value is None:
        missing = [*predicted, *references].count(None)
        reason = f"{missing} of {len(predicted) + len(references)} judgements are missing"
        return PRF(precision, recall, Value(None, reason))
    return all_of(precision.value, recall.value)


def _share_entailed(judgements: Sequence[bool | None]) -> Value:
    if missing := judgements.count(None):
        return Value(None, f"{missing} of {len(judgements)} judgements are missing")
    return Value(sum(map(bool, judgements)) / len(judgements))


def _with_f1(precision: float, recall: float) -> PRF:
    """Add F1, which is 0 if one of the two is negative: there is no harmonic mean, and a null would exclude the
    paper.
    """
    return PRF(Value(precision), Value(recall), Value(harmonic(max(precision, 0.0), max(recall, 0.0))))
