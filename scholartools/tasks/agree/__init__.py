"""Statistics of ratings: how far raters agree, and how measures of the same items compare.

- ``ratings``: ratings in long form, ``{"item", "rater", "label", "value"}``, or in wide form, a key per rater.
- ``columns``: measures side by side, in either form. ``splits``: their rows in parts, no group in two of them.
- ``coefficients``, ``majority_vote``, ``span_f1``: agreement of raters, ground truth, agreement on marked texts.
- ``correlation``, ``error_overlap``, ``repeated_runs``, ``bias``, ``efficiency``: measures against people's.
- ``levels``, ``conformal``, ``means``: people's levels, intervals and mean from a judge's score. ``weight_fit``:
  weights of facets.
- ``systems``: two systems compared, and the power of tests. ``reply_scores``: the scores in models' replies.
- ``run``: each statistic over a stream of records. ``results``: the parts of a result record: its ``value``, or null
  and the ``reason``, what it rests on, and its ``signature``.
- ``label_report``: what a reader asks about the ratings of a label. ``tables``, :mod:`.figures`: results for reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scholartools.metrics.agreement.coefficients import Level, Order
from scholartools.records import Record
from scholartools.tasks.agree import coefficients
from scholartools.tasks.agree.coefficients import PLAIN, Choices
from scholartools.tasks.agree.columns import Columns, RowKeys, make_columns
from scholartools.tasks.agree.conformal import Asked
from scholartools.tasks.agree.correlation import Comparisons, correlations
from scholartools.tasks.agree.efficiency import Prices
from scholartools.tasks.agree.error_overlap import AS_TRUTH, Ranges
from scholartools.tasks.agree.error_overlap import error_records as errors
from scholartools.tasks.agree.majority_vote import majority_records as majority
from scholartools.tasks.agree.majority_vote import summary as majority_summary
from scholartools.tasks.agree.ratings import (
    Keys,
    Ratings,
    SpanRatings,
    collect,
)
from scholartools.tasks.agree.reply_scores import Reading, Replies, parse
from scholartools.tasks.agree.run import (
    FACETS,
    Run,
    parse_levels,
    refuse_duplicates,
    run_bias,
    run_coefficients,
    run_conformal,
    run_correlation,
    run_effect,
    run_efficiency,
    run_errors,
    run_levels,
    run_majority,
    run_means,
    run_power,
    run_replies,
    run_report,
    run_runs,
    run_signed_errors,
    run_spans,
    run_weight_fit,
)
from scholartools.tasks.agree.span_f1 import span_records as spans
from scholartools.tasks.agree.systems import effects, powers
from scholartools.tasks.agree.tables import table
from scholartools.tasks.agree.weight_fit import fit

__all__ = ["FACETS", "STATS", "Choices", "Columns", "Keys", "Ratings", "Reading", "Replies", "Run", "SpanRatings"]
__all__ += [
    "collect",
    "correlations",
    "effects",
    "errors",
    "fit",
    "majority",
    "majority_summary",
    "parse",
    "parse_levels",
]
__all__ += ["AS_TRUTH", "Asked", "Comparisons", "Prices", "Ranges", "RowKeys", "make_columns", "powers"]
__all__ += ["run_bias", "run_conformal", "run_efficiency", "run_levels", "run_means", "run_runs", "run_signed_errors"]
__all__ += ["refuse_duplicates", "results", "run_coefficients", "run_correlation", "run_effect", "run_errors"]
__all__ += ["run_majority", "run_power", "run_replies", "run_report", "run_spans", "run_weight_fit", "spans", "table"]

#: The coefficients where none is named.
STATS = ("alpha", "kappa", "agreement")


def results(
    ratings: Ratings,
    stats: Sequence[str] | None = None,
    level: Level = "nominal",
    order: Order = None,
    choices: Choices = PLAIN,
) -> list[Record]:
    """One record per statistic and label: ``value`` or null with its ``reason``, what it stands on, its ``signature``.

    Labels are not pooled unless ``choices`` says so: a value of one says nothing about a value of another. The counts
    are those of :class:`~scholartools.metrics.agreement.coefficients.Agreement`, and ``n_missing``, the ratings given
    as null.

    Kappa has one record per pair of raters, with ``raters: [a, b]``, and after them one with ``raters: null``: the
    plain mean over the ``n_kappas`` pairs for which it is defined; for ``n_undefined`` pairs it is not. A pair counts
    once, however many items it shares.

    Args:
        stats: alpha, kappa (Cohen), fleiss, agreement (share of equal pairs of ratings), perfect (share of items whose
            ratings are all equal); the first, the second and agreement by default.
        level: of measurement, for alpha; the others take every value as nominal, but for weighted kappa.
        order: the values of an ordinal scale, from low to high.
        choices: intervals, pooling, selections of raters; its level and order give way to those here.

    Raises:
        UsageFault: a statistic, level or order that is none; ordinal values that are words, with no order.
        InputFault: a value that is not of the level.
    """
    return coefficients.coefficient_records(
        ratings, STATS if stats is None else stats, replace(choices, level=level, order=order)
    )
