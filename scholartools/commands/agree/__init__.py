"""st-agree: agreement of raters, and comparison of measures. A module for each statistic or family of statistics.

- ``coefficients`` (alpha, kappa, ...), ``icc``, ``majority``, ``spans``: agreement. ``alt_test``: judges versus people.
- ``correlate``, ``pairwise`` (and rank), ``errors``, ``runs``, ``bias``, ``efficiency``: measures.
- ``levels``, ``conformal``, ``calibrate``, ``mean``, ``fit_weights``: models of human scores.
- ``effect`` (and power): differences between systems. ``parse_score``: scores in model replies.
- ``plot``: figures. ``report``: a report on all labels. ``options``: options shared by several statistics.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group
from scholartools.vocabulary import COEFFICIENTS

main = group(
    "st-agree",
    __name__,
    {
        "coefficients": "Measure how far raters agree: alpha, kappa, fleiss, ...",
        "icc": "Measure agreement on numbers by intraclass correlations.",
        "concordance": "Measure how closely two raters' numbers agree (Lin, Bland).",
        "confusion": "Show which values raters confuse, and agreement on each.",
        "ceiling": "Correlate each person, and a judge, with the others' mean.",
        "alt-test": "Test whether a judge can replace a person.",
        "report": "Report on each label: alpha, prevalence, who disagrees.",
        "majority": "Find the value that most raters gave each item.",
        "spans": "Measure the agreement of raters on marked texts, by F1.",
        "correlate": "Correlate measures by Pearson, Spearman and Kendall's tau-b.",
        "pairwise": "Measure how often a metric ranks two texts as people do.",
        "rank": "Rank metrics, with a permutation test of each pair.",
        "power": "Estimate the power of t-tests between systems.",
        "effect": "Compare each pair of systems by Cohen's d and paired tests.",
        "errors": "Measure how often methods err, and whether on the same items.",
        "runs": "Measure how far repeated runs of a method differ.",
        "bias": "Measure which properties of a text raise a judge's score.",
        "efficiency": "Compare the correlation of each method with its cost.",
        "levels": "Map a judge's scores to the levels that people use.",
        "conformal": "Predict intervals for scores by people from a judge's scores.",
        "calibrate": "Convert a judge's scores to calibrated probabilities.",
        "mean": "Estimate people's mean score from few labels and a judge.",
        "plot": "Draw results, or scores by judges and people, as a figure.",
        "fit-weights": "Fit the weights of facets to overall ratings.",
        "parse-score": "Read the score in each reply of a model.",
    },
    modules={"power": "effect", "concordance": "icc", "ceiling": "alt_test", "confusion": "report", "rank": "pairwise"},
    noun="statistic",
    default="coefficients",
    default_words=COEFFICIENTS,
    help="""Measure the agreement of raters, and compare automatic measures with scores given by people.

    Each statistic reads records of ratings, marked texts or scores, and writes one record per result. A result has the
    value of the statistic (or null with the reason), the numbers of items and ratings, and a signature (the method,
    options and versions that determine the value). With --table, st-agree prints the results as a table. `st-agree
    alpha ratings.jsonl` is short for `st-agree coefficients alpha ratings.jsonl`, because `coefficients` is the default
    statistic.

    docs/agree.md describes the forms of the input and the agreement of raters. docs/correlate.md describes the
    comparison of automatic scores with human scores. docs/intervals.md describes intervals and tests.""",
    examples=[
        ("st-agree alpha --level ordinal ratings.jsonl", "Compute Krippendorff's alpha of every label."),
        (
            "st-agree majority ratings.jsonl > truth.jsonl",
            "Write the value that most raters gave to each item, if at least two raters gave it.",
        ),
        (
            "st-agree correlate --x rouge --x judge --y human --ci scores.jsonl",
            "Correlate two metrics with human scores.",
        ),
        (
            "st-agree parse-score --range 1 5 replies.jsonl | st-agree alpha",
            "Read the scores in models' replies, and measure their agreement.",
        ),
    ],
)
