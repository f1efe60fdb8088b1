"""Labels of weaknesses against a reference: values on a scale, and sets of types (CLAIMCHECK, sections 3.3 and 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scholartools.metrics.values import PRF, Value, harmonic, mean


def scale_scores(reference: Sequence[int | None], given: Sequence[int | None]) -> dict[str, Value]:
    """Share of equal values (0..1) and mean absolute error, over the items with a value on both sides.

    Args:
        reference: values on a scale by item; None if missing.
        given: values of a system for the same items in the same order.
    """
    pairs = [(a, b) for a, b in zip(reference, given, strict=True) if a is not None and b is not None]
    if not pairs:
        return dict.fromkeys(("equal", "mae"), Value(None, "no item with a value on both sides"))
    return {"equal": mean([float(a == b) for a, b in pairs]), "mae": mean([float(abs(a - b)) for a, b in pairs])}


def type_counts(
    name: str, reference: Sequence[Collection[str] | None], given: Sequence[Collection[str] | None]
) -> dict[str, float]:
    """Number of items with a type on both sides (tp), only given (fp), only in the reference (fn), on neither side
    (tn).

    Items without types on one side are left out.
    """
    pairs = [(a, b) for a, b in zip(reference, given, strict=True) if a is not None and b is not None]
    said = [(name in a, name in b) for a, b in pairs]
    kinds = {"tp": (True, True), "fp": (False, True), "fn": (True, False), "tn": (False, False)}
    return {kind: float(said.count(both)) for kind, both in kinds.items()}


def type_scores(tp: float, fp: float, fn: float) -> PRF:
    """Precision, recall and F1 of one type from its counts; 0 for a system that never gives a type that occurs."""
    precision = Value(tp / (tp + fp)) if tp + fp else Value(0.0) if fn else Value(None, "the type was not given")
    recall = Value(tp / (tp + fn)) if tp + fn else Value(None, "the type is not in the reference")
    if precision.value is None or recall.value is None:
        f1 = Value(0.0) if fp or fn else Value(None, "neither side has the type")
    else:
        f1 = Value(harmonic(precision.value, recall.value))
    return PRF(precision, recall, f1)
