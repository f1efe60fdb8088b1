"""Scores from what a record holds: a file for each family of metrics, with its rows of the table of metrics.

- ``registry``: which metric, on which texts, with which signature. ``metric``: what a metric is.
  ``telling``: what the scores of a record lack, under its ``errors``. ``refusals``: what was given and refused.
  ``sound``: a record without entries of another shape.
- ``text``, ``extraction``, ``spans``: texts against texts. ``facets``, ``support``: by facet of an abstract.
- ``match``, ``soft``, ``entailment``: lists of items; ``reviewers``: the reference items of each reviewer.
- ``equations``, ``reviews``: answers and verdicts against the truth.
- ``weaknesses``, ``targets``, ``edits``, ``verifications``, ``contamination``: what st-claims and its judges add.
"""

from scholartools.metrics.items.facet_score import facet_score
from scholartools.tasks.score.facets import facet_scores
from scholartools.tasks.score.metric import Options
from scholartools.tasks.score.registry import METRICS, check, explain_name, listing, score
from scholartools.tasks.score.support import support_scores

__all__ = [
    "METRICS",
    "Options",
    "check",
    "explain_name",
    "facet_score",
    "facet_scores",
    "listing",
    "score",
    "support_scores",
]
