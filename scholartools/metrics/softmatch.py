"""Matching by similarity and by entailment: the metrics AAAR-1.0 defines for lists of free text (its section 4).

Similarities are cosines of embeddings. They are neither clipped nor cut at a threshold here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.metrics.overlap import Rouge
from scholartools.metrics.values import PRF, Value, all_of, undefined

if TYPE_CHECKING:
    from numpy import ndarray

# The ROUGE columns of AAAR-1.0, table 2.
EXPLANATION_ROUGE = ("rouge1", "rougeL")

_NO_REFERENCES = "no references"


def similarities(first: ndarray, second: ndarray) -> ndarray:
    """Cosines of every row of one array with every row of another: float64, (n, m), in -1..1.

    A row of zeros, as an empty text has, gets 0 with everything.

    Args:
        first: (n, d) vectors of any length.
        second: (m, d) vectors of any length.
    """
    import numpy as np

    return np.clip(unit_rows(first) @ unit_rows(second).T, -1, 1)


def unit_rows(vectors: ndarray) -> ndarray:
    """The rows at length 1, in float64; a row of zeros stays one."""
    import numpy as np

    exact = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0)


def soft_scores(matrices: Sequence[ndarray]) -> PRF:
    """S-Precision, S-Recall and S-F1 of one paper (AAAR-1.0, equations 4 and 5).

    ``S-P = mean_i mean_k max_j sim(p_i, g_kj)`` and ``S-R = mean_k mean_j max_i sim(p_i, g_kj)`` over the predicted
    items i, the reviewers k who have any item, and their items j; ``S-F1 = 2PR / (P + R)``, undefined where one of the
    two is negative. An empty prediction scores 0, 0 and 0.

    Args:
        matrices: for each reviewer, the similarities of predicted x reviewer's items, either of which may be 0 many.

    Raises:
        InputFault: the matrices differ in the number of predicted items.
    """
    import numpy as np

    if len({len(matrix) for matrix in matrices}) > 1:
        raise InputFault("reviewers' similarities differ in the number of predicted items", kind="invalid-key")
    given = [np.asarray(matrix, dtype=np.float64) for matrix in matrices if np.shape(matrix)[1]]
    if not given:
        return undefined("no reviewer has any item")
    if not len(given[0]):
        return all_of(0.0, 0.0)
    precision = float(np.mean([matrix.max(axis=1).mean() for matrix in given]))
    recall = float(np.mean([matrix.max(axis=0).mean() for matrix in given]))
    return _with_f1(precision, recall)


def bert_score(similarity: ndarray, candidate: ndarray, reference: ndarray) -> PRF:
    """BERTScore without weights and without rescaling (Zhang et al. 2020, "BERTScore", section 3).

    Precision is the mean, over the candidate's tokens, of the greatest similarity to a token of the reference; recall
    the same of the reference's tokens; F1 their harmonic mean, undefined where one of the two is negative. Tokens that
    the model puts around a text are not averaged over, but may be what is most similar: so does the bert-score package,
    and the numbers are its own. Undefined where a text has no token.

    Args:
        similarity: of all tokens of the candidate x all of the reference.
        candidate: which of the candidate's tokens are of its text.
        reference: which of the reference's are.
    """
    for side, is_text in (("reference", reference), ("candidate", candidate)):
        if not is_text.any():
            return undefined(f"the {side} has no token")
    precision = float(similarity[candidate].max(axis=1).mean())
    recall = float(similarity[:, reference].max(axis=0).mean())
    return _with_f1(precision, recall)


def soft_match(matrix: ndarray) -> Value:
    """S-Match of one paper: the mean of sim(p_i, g_i) over the first pairs, as many as the shorter list has (eq. 3).

    0 with no prediction; undefined with no reference.

    Args:
        matrix: similarities of predicted x reference explanations.
    """
    import numpy as np

    n_predicted, n_references = np.shape(matrix)
    if not n_references:
        return Value(None, _NO_REFERENCES)
    if not n_predicted:
        return Value(0.0)
    return Value(float(np.diagonal(np.asarray(matrix, dtype=np.float64)).mean()))


def explanation_rouge(predicted: Sequence[str], references: Sequence[str], rouge: Rouge) -> dict[str, Value]:
    """Mean ROUGE-1 and ROUGE-L F1 over the pairs S-Match takes (AAAR-1.0, table 2).

    0 with no prediction; undefined with no reference, or where the reference of a pair has no words.

    Args:
        predicted: explanations, in the order of the references.
        references: explanations.
        rouge: with stemming, as published.
    """
    if not references:
        return dict.fromkeys(EXPLANATION_ROUGE, Value(None, _NO_REFERENCES))
    if not predicted:
        return dict.fromkeys(EXPLANATION_ROUGE, Value(0.0))
    scores = [rouge(reference, text) for text, reference in zip(predicted, references)]
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        return dict.fromkeys(EXPLANATION_ROUGE, Value(None, f"reference {scores.index(None) + 1} has no words"))
    return {name: Value(sum(score[name].f1 for score in known) / len(known)) for name in EXPLANATION_ROUGE}


def entailment_scores(predicted: Sequence[bool | None], references: Sequence[bool | None]) -> PRF:
    """En-Precision, En-Recall and En-F1 of one paper (AAAR-1.0, equations 1 and 2).

    Precision is the share of predicted items entailed by the list of references, recall the share of references
    entailed by the list of predictions. An empty prediction scores 0, 0 and 0, so that it adds nothing to the mean.

    Args:
        predicted: a judgement for each predicted item, None where it could not be had.
        references: a judgement for each reference, None where it could not be had.
    """
    if not references:
        return undefined(_NO_REFERENCES)
    if not predicted:
        return all_of(0.0, 0.0)
    missing = sum(judgement is None for judgement in (*predicted, *references))
    if missing:
        return undefined(f"{missing} of {len(predicted) + len(references)} judgements are missing")
    return all_of(sum(map(bool, predicted)) / len(predicted), sum(map(bool, references)) / len(references))


def _with_f1(precision: float, recall: float) -> PRF:
    if min(precision, recall) < 0:
        return PRF(Value(precision), Value(recall), Value(None, "no harmonic mean of a negative number"))
    return all_of(precision, recall)
