"""What a model says of texts beside a reference, kept under ``judgements`` with one list per task.

Each task has a file of its own, ``_judge_*.py``. None has a built-in method: :func:`needs_model` says why.
"""

from __future__ import annotations

from scholartools.errors import ModelFault
from scholartools.tasks._judge_examples import BUILTIN, Example, read_examples
from scholartools.tasks._judge_facets import facets
from scholartools.tasks._judge_vanilla import vanilla

__all__ = ["BUILTIN", "TASKS", "Example", "facets", "needs_model", "read_examples", "vanilla"]

TASKS = ("facets",)


def needs_model() -> ModelFault:
    """The fault of a run without a model.

    Facets have no honest built-in judge: words and embeddings in common do not tell a contradiction from agreement,
    which is what the ends of the scale mean, and thresholds that no ratings by people were fitted to would give
    numbers that look like a facet score.
    """
    reason = (
        "no model to ask: name one with --model or ST_MODEL; there is no built-in judge of facets "
        "(st-score facets compares them by ROUGE with no model)"
    )
    return ModelFault(reason, kind="no-model")
