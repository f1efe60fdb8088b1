"""Matching by similarity and by entailment: the metrics AAAR-1.0 defines for lists of free text (its section 4).

Similarities are cosines of embeddings. They are neither clipped nor cut at a threshold here.
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

# The ROUGE columns of AAAR-1.0, table 2.
EXPLANATION_ROUGE = ("rouge1", "rougeL")

_NO_REFERENCES = "no references"
_NO_PAIRS = "no reference has a partner"


def soft_scores(matrices: Sequence[ndarray], n_refused: int = 0) -> PRF:
    """S-Precision, S-Recall and S-F1 of one paper (AAAR-1.0, equations 4 and 5).

    ``S-P = mean_i mean_k max_j sim(p_i, g_kj)`` and ``S-R = mean_k mean_j max_i sim(p_i, g_kj)`` over the predicted
    items i, the reviewers k who have any item, and their items j; ``S-F1 = 2PR / (P + R)``, 0 where one of the two is
    negative. An empty prediction scores 0, 0 and 0.

    Args:
        matrices: for each reviewer, the similarities of predicted x reviewer's items, either of which may be 0 many.
        n_refused: further items that were given and could not be used, each like nothing.

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
    """BERTScore without weights and without rescaling (Zhang et al. 2020, "BERTScore", section 3).

    Precision is the mean, over the candidate's tokens, of the greatest similarity to a token of the reference; recall
    the same of the reference's tokens; F1 their harmonic mean, 0 where one of the two is negative. Tokens that
    the model puts around a text are not averaged over, but may be what is most similar: so does the bert-score package,
    and the numbers are its own. Undefined where a text has no token.

    Args:
        similarity: of all tokens of the candidate x all of the reference.
        candidate: which of the candidate's tokens are of its text.
        reference: which of the reference's are.
    """
    for side, is_text in (("reference", reference), ("candidate", candidate)):
        if not is_text.any():
            return undefined_prf(f"the {side} has no token")
    precision = float(similarity[candidate].max(axis=1).mean())
    recall = float(similarity[:, reference].max(axis=0).mean())
    return _with_f1(precision, recall)


@dataclass(frozen=True)
class Pairing:
    """Which predicted item stands for which reference.

    Attributes:
        pairs: (predicted, reference) as indices from 0.
        missing: references without a partner, as indices.
        extra: predicted items without a partner, likewise.
        by_id: whether ids decided, or places did.
    """

    pairs: list[tuple[int, int]]
    missing: list[int]
    extra: list[int]
    by_id: bool


def pair_items(predicted: Sequence[str | None], references: Sequence[str | None]) -> Pairing:
    """Predicted items and references of one id, or of one place where a side has no ids.

    By place, the longer list has items without a partner at its end. A side without any item has no ids to lack, so
    that the other's decide.

    Args:
        predicted: the id of each predicted item, None where it has none.
        references: likewise.

    Raises:
        InputFault: both sides have ids, but an item of one has none, or that of another.
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
    """How like predicted explanations are to the references of a paper.

    Attributes:
        whole: the mean over all references, of which one without a partner counts 0, so that silence earns nothing.
        paired: the mean over those that have a partner; undefined where none has.
    """

    whole: Value
    paired: Value


def soft_match(matrix: ndarray, pairs: Sequence[tuple[int, int]]) -> Likeness:
    """S-Match of one paper: the mean of sim(p_i, g_i) (AAAR-1.0, equation 3); undefined with no reference.

    Args:
        matrix: similarities of predicted x reference explanations.
        pairs: places of what is compared, see :func:`pair_items`.
    """
    import numpy as np

    return _mean_likeness([float(matrix[pair]) for pair in pairs], int(np.shape(matrix)[1]))


def explanation_rouge(
    predicted: Sequence[str], references: Sequence[str], pairs: Sequence[tuple[int, int]], rouge: Rouge
) -> dict[str, Likeness]:
    """Mean ROUGE-1 and ROUGE-L F1, as S-Match is a mean (AAAR-1.0, table 2).

    Undefined with no reference, or where the reference of a pair has no words.

    Args:
        predicted: explanations.
        references: explanations.
        pairs: places of what is compared, see :func:`pair_items`.
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
    entailed by the list of predictions. An empty prediction scores 0, 0 and 0, so that it adds nothing to the mean.

    Args:
        predicted: a judgement for each predicted item, None where it is missing.
        references: a judgement for each reference, None where it is missing.
    """
    if not references:
        return undefined_prf(_NO_REFERENCES)
    if not predicted:
        return all_of(0.0, 0.0)
    missing = sum(judgement is None for judgement in (*predicted, *references))
    if missing:
        return undefined_prf(f"{missing} of {len(predicted) + len(references)} judgements are missing")
    return all_of(sum(map(bool, predicted)) / len(predicted), sum(map(bool, references)) / len(references))


def _with_f1(precision: float, recall: float) -> PRF:
    """With an F1 of 0 where one of the two is negative: no harmonic mean is, and a null would leave the paper out."""
    return PRF(Value(precision), Value(recall), Value(harmonic(max(precision, 0.0), max(recall, 0.0))))
