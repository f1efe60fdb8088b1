"""Report under ``errors`` what is missing in the scores of a record: metrics, systems and judgements."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Record, failures, replace_failure
from scholartools.tasks.score.metric import COMMAND, LeftOut

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

#: The kinds of ``errors`` entries: missing ratings of facets, missing other judgements, a metric without input, systems
#: without input.
MISSING_RATINGS = "missing-ratings"
MISSING_JUDGEMENTS = "missing-judgements"
MISSING_METRIC = "missing-metric"
MISSING_SYSTEMS = "missing-systems"


@dataclass(frozen=True)
class Found:
    """The outcome of one metric for a record.

    Attributes:
        entries: entries of ``scores``.
        left_out: systems, or parts of the comparison, whose input is missing or invalid.
        fault: why there are no entries, if that is a fault.
    """

    entries: list[Record]
    left_out: list[LeftOut]
    fault: InputFault | None = None


def all_left_out(faults: Mapping[str, InputFault]) -> InputFault:
    """Combine the faults of a record in which all metrics lack their input."""
    if len(faults) == 1:
        return next(iter(faults.values()))
    kinds = [fault.kind for fault in faults.values()]
    kind = next((kind for kind in kinds if kind != "missing-key"), "missing-key")
    return InputFault("; ".join(f"{name}: {fault.reason}" for name, fault in faults.items()), kind=kind)


def unscored_metrics(record: PaperRecord) -> list[str]:
    """The metrics without entries in a scored record because their input is missing."""
    told = [fault for fault in failures(record) if isinstance(fault, dict) and fault.get("command") == COMMAND]
    return [fault["task"] for fault in told if fault.get("kind") == MISSING_METRIC]


def tell_left_out(record: Record, metric: str, found: Found | None, told: Collection[str | None]) -> None:
    """Replace the ``errors`` entries about a metric that failed or left out systems; modifies ``record``.

    Args:
        found: the outcome of the metric; None if it is not part of this run.
        told: systems that are already reported as having no items.
    """
    whole = found.fault if found is not None else None
    left_out = found.left_out if found is not None and whole is None else []
    parts = {one.name: one.fault.reason for one in left_out if one.name not in told}
    fault = None if whole is None else {"reason": f"{metric}: {whole.reason}"}
    replace_failure(record, {"command": COMMAND, "kind": MISSING_METRIC, "task": metric}, fault)
    same = {"command": COMMAND, "kind": MISSING_SYSTEMS, "task": metric}
    if not parts:
        return replace_failure(record, same, None)
    reason = f"{metric}: {next(iter(parts.values()))}; left out: {', '.join(parts)}"
    replace_failure(record, same, {"reason": reason, "missing": len(parts), "parts": list(parts)})


def tell_unjudged(record: Record, metric: str, made: Sequence[Record]) -> None:
    """Replace the ``errors`` entry that counts the missing judgements of a metric; modifies ``record``."""
    if metric == "facets":
        return _tell_unrated(record, made)
    same = {"command": COMMAND, "kind": MISSING_JUDGEMENTS, "task": metric}
    n_unjudged = sum(entry.get("n_unjudged", 0) + entry.get("n_failed", 0) for entry in made)
    if not n_unjudged:
        return replace_failure(record, same, None)
    counted = "1 judgement is" if n_unjudged == 1 else f"{n_unjudged} judgements are"
    systems = dict.fromkeys(entry["system"] for entry in made if entry.get("n_unjudged") or entry.get("n_failed"))
    lost = "it" if n_unjudged == 1 else "them"
    reason = f"{metric}: {counted} missing ({', '.join(systems)}), and with {lost} the scores that need {lost}"
    replace_failure(record, same, {"reason": reason, "missing": n_unjudged})


def _tell_unrated(record: Record, made: Sequence[Record]) -> None:
    """Replace the ``errors`` entry that counts the missing ratings of facets; modifies ``record``."""
    same = {"command": COMMAND, "kind": MISSING_RATINGS}
    n_unrated = sum(entry.get("n_unrated", 0) for entry in made)
    if not n_unrated:
        return replace_failure(record, same, None)
    why = next(entry["reasons"]["overall.score"] for entry in made if entry.get("n_unrated"))
    counted = "1 rating of a facet is" if n_unrated == 1 else f"{n_unrated} ratings of facets are"
    reason = f"{counted} missing, and with {'it' if n_unrated == 1 else 'them'} the facet score: {why}"
    replace_failure(record, same, {"reason": reason, "missing": n_unrated})
