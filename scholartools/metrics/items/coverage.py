"""PointWise coverage: limitations of a paper that a system found (BAGELS, section 5.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.values import PRF, Value, all_of, undefined_prf

Reading = Literal["one-to-one", "pairs", "distinct-gt", "components"]
READINGS: tuple[Reading, ...] = get_args(Reading)

Pair = tuple[int, int]

NO_GROUND_TRUTH = "no ground truth"
NOTHING_GENERATED = "nothing generated"


@dataclass(frozen=True)
class Coverage:
    """Results of a set of matched pairs for one paper.

    Attributes:
        c_gt: share of ground truths in a pair, 0..1; None without ground truth.
        c_llm: share of generated items in a pair, 0..1; None if either side is empty.
        tp: true positives by the chosen definition; None without ground truth, as are ``fp`` and ``fn``.
        fp: number of ground truths in no pair: the naming of the paper, by which precision is the share of ground
            truths that are found.
        fn: number of generated items in no pair (also the naming of the paper).
        scores: TP / (TP + FP), TP / (TP + FN) and their harmonic mean; all are None without ground truth. If nothing
            was generated, precision and F1 are 0, and recall, whose divisor is 0, is None.
    """

    c_gt: Value
    c_llm: Value
    tp: Value
    fp: Value
    fn: Value
    scores: PRF


def coverage(
    n_ground_truths: int, n_generated: int, pairs: Iterable[Pair], reading: Reading = "one-to-one"
) -> Coverage:
    """Coverage, counts and scores of one paper.

    The paper defines TP as the number of matched pairs, but also counts a ground truth with several matches (and vice
    versa) once, so there are four definitions:

    - ``one-to-one``: the size of the largest matching in which no item is used twice;
    - ``pairs``: all pairs;
    - ``distinct-gt``: ground truths that are in a pair;
    - ``components``: groups of items linked by pairs.

    Args:
        n_ground_truths: number of ground truths of the paper.
        n_generated: number of items that a system generated for it.
        pairs: (ground truth, generated item) of each match, as indexes from 0; duplicates count once.
        reading: definition of TP.

    Raises:
        InputFault: an index is out of range.
        UsageFault: unknown definition.
    """
    if reading not in READINGS:
        raise UsageFault(f'"{reading}" is not a reading of true positives: {", ".join(READINGS)}')
    matched = _check_pairs(pairs, n_ground_truths, n_generated)
    if not n_ground_truths:
        none = Value(None, NO_GROUND_TRUTH)
        return Coverage(none, none, none, none, none, undefined_prf(NO_GROUND_TRUTH))
    found, used = {truth for truth, _ in matched}, {item for _, item in matched}
    tp = _true_positives(matched, n_ground_truths, n_generated, reading)
    fp, fn = n_ground_truths - len(found), n_generated - len(used)
    silent = Value(None, NOTHING_GENERATED)
    return Coverage(
        c_gt=Value(len(found) / n_ground_truths),
        c_llm=Value(len(used) / n_generated) if n_generated else silent,
        tp=Value(float(tp)), fp=Value(float(fp)), fn=Value(float(fn)),
        scores=_score_counts(tp, fp, fn) if n_generated else PRF(Value(0.0), silent, Value(0.0)),
    )  # fmt: skip


def _score_counts(tp: int, fp: int, fn: int) -> PRF:
    return all_of(tp / (tp + fp), tp / (tp + fn)) if tp else all_of(0.0, 0.0)


def _check_pairs(pairs: Iterable[Pair], n_ground_truths: int, n_generated: int) -> set[Pair]:
    matched = set(pairs)
    for truth, item in sorted(matched):
        if not (0 <= truth < n_ground_truths and 0 <= item < n_generated):
            sizes = f"{n_ground_truths} ground truths and {n_generated} generated items"
            raise InputFault(f"the pair ({truth}, {item}) lies outside {sizes}", kind="invalid-key")
    return matched


def _true_positives(matched: Collection[Pair], n_ground_truths: int, n_generated: int, reading: Reading) -> int:
    if not matched or reading == "pairs":
        return len(matched)
    if reading == "distinct-gt":
        return len({truth for truth, _ in matched})
    graph = _pair_matrix(matched, n_ground_truths, n_generated)
    return _largest_matching(graph) if reading == "one-to-one" else _linked_groups(graph)


def _pair_matrix(matched: Collection[Pair], n_ground_truths: int, n_generated: int) -> Any:
    """The pairs as a sparse matrix, ground truths x generated items."""
    from scipy.sparse import csr_array

    truths, items = zip(*sorted(matched))
    return csr_array(([1] * len(matched), (truths, items)), shape=(n_ground_truths, n_generated))


def _largest_matching(graph: Any) -> int:
    from scipy.sparse.csgraph import maximum_bipartite_matching

    return int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())


def _linked_groups(graph: Any) -> int:
    """Number of connected components with at least one pair; scipy counts unmatched items as components, too."""
    from scipy.sparse import block_array
    from scipy.sparse.csgraph import connected_components

    n_components, _ = connected_components(block_array([[None, graph], [graph.T, None]]), directed=False)
    alone = sum(int((graph.sum(axis=axis) == 0).sum()) for axis in (0, 1))
    return n_components - alone
