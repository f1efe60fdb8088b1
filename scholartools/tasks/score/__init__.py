"""Metrics computed from records: one module per family of metrics, with its rows of the table of metrics.

- ``registry``: the table of all metrics, and scoring of a record. ``metric``: code shared by the metrics.
  ``telling``: reports of missing input under ``errors``. ``refusals``: counts of rejected outputs.
  ``sound``: a record without its malformed entries.
- ``text``, ``extraction``, ``spans``: text comparison. ``facets``, ``support``: by facet of an abstract.
- ``match``, ``soft``, ``entailment``: lists of items; ``reviewers``: the reference items by reviewer.
- ``equations``, ``reviews``: answers and verdicts against the ground truth.
- ``weaknesses``, ``targets``, ``edits``, ``verifications``, ``contamination``: output of st-claims and its judges.
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
