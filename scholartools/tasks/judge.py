"""What is said of texts beside a reference, kept under ``judgements`` with one list per task.

Each task has files of its own, ``_judge_*.py``: a model's way, and a weak one that is built in.
"""

from __future__ import annotations

from scholartools.tasks._judge_examples import BUILTIN, Example, read_examples
from scholartools.tasks._judge_facets import facets
from scholartools.tasks._judge_facets_builtin import facets_builtin
from scholartools.tasks._judge_match import Matching, match
from scholartools.tasks._judge_match_builtin import THRESHOLD, match_builtin
from scholartools.tasks._judge_match_report import Reports, table
from scholartools.tasks._judge_vanilla import vanilla
from scholartools.tasks._score_base import embedder

__all__ = [
    "BUILTIN", "TASKS", "THRESHOLD", "Example", "Matching", "Reports", "embedder", "facets", "facets_builtin", "match",
    "match_builtin", "read_examples", "table", "vanilla",
]  # fmt: skip

TASKS = ("facets", "match")
