"""What is said of texts beside a reference, kept under ``judgements`` with one list per task.

Each task has a room of its own: a model's way, and where there is one a weak way that is built in.
"""

from __future__ import annotations

from scholartools.tasks.judge.entailment.builtin import entail_builtin
from scholartools.tasks.judge.entailment.prompted import entail
from scholartools.tasks.judge.equation.inputs import Answering
from scholartools.tasks.judge.equation.prompted import equation
from scholartools.tasks.judge.equation.trivial import check_trivial, equation_trivial
from scholartools.tasks.judge.facet_ratings.builtin import facets_builtin
from scholartools.tasks.judge.facet_ratings.few_shot import (
    BUILTIN,
    Example,
    read_examples,
)
from scholartools.tasks.judge.facet_ratings.overall import rate_overall
from scholartools.tasks.judge.facet_ratings.prompted import facets
from scholartools.tasks.judge.matching.builtin import THRESHOLD, match_builtin
from scholartools.tasks.judge.matching.prompted import Matching, match
from scholartools.tasks.judge.matching.report import Reports, table
from scholartools.tasks.judge.review_critique.prompted import Critiquing, review
from scholartools.tasks.judge.review_critique.trivial import TRIVIAL, review_trivial
from scholartools.tasks.judge.same_issue.prompted import Comparing, same_issue
from scholartools.tasks.judge.specificity.prompted import specificity
from scholartools.tasks.shared.embedder import check_embedder

__all__ = [
    "BUILTIN", "TASKS", "THRESHOLD", "TRIVIAL", "Answering", "Comparing", "Critiquing", "Example", "Matching",
    "Reports", "check_embedder", "check_trivial", "entail", "entail_builtin", "equation", "equation_trivial", "facets",
    "facets_builtin", "match", "match_builtin", "read_examples", "review", "review_trivial", "same_issue",
    "specificity", "table", "rate_overall",
]  # fmt: skip

TASKS = ("facets", "match", "entail", "equation", "review", "same-issue", "specificity", "rate")
