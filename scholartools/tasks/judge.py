"""What is said of texts beside a reference, kept under ``judgements`` with one list per task.

Each task has files of its own, ``_judge_*.py``. Of facets there is no built-in method: :func:`needs_model` says why.
"""

from __future__ import annotations

from scholartools.errors import ModelFault
from scholartools.tasks._judge_examples import BUILTIN, Example, read_examples
from scholartools.tasks._judge_facets import facets
from scholartools.tasks._judge_match import Matching, match
from scholartools.tasks._judge_match_builtin import THRESHOLD, match_builtin
from scholartools.tasks._judge_match_report import Reports, table
from scholartools.tasks._judge_vanilla import vanilla
from scholartools.tasks._score_base import embedder

__all__ = [
    "BUILTIN", "TASKS", "THRESHOLD", "Example", "Matching", "Reports", "embedder", "facets", "match", "match_builtin",
    "needs_model", "read_examples", "table", "vanilla",
]  # fmt: skip

TASKS = ("facets", "match")


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
