"""Judgements of texts beside a reference, kept under ``judgements`` with one list per task; a room for each task.

- :mod:`.facet_ratings`, :mod:`.rate`: texts rated. :mod:`.matching`, :mod:`.entailment`: lists of items compared.
- :mod:`.equation`, :mod:`.review_critique`: questions about equations, and segments of reviews.
- :mod:`.same_issue`, :mod:`.specificity`: faults that two sides find with a claim; versions of a weakness.
- ``entries``: the shape of a rating, and how entries go into a record.

In a room, ``prompted`` is the model's way, ``builtin`` the weak way without one, where there is one; ``trivial``
systems are rows to compare with, and ``inputs`` says what is judged.
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
