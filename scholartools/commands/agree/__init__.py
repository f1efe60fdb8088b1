"""st-agree: agreement of raters, and comparison of measures. A file for each statistic, or family of them."""

from __future__ import annotations

from scholartools.commands.agree.bias import bias
from scholartools.commands.agree.coefficients import coefficients
from scholartools.commands.agree.conformal import conformal
from scholartools.commands.agree.correlate import correlate
from scholartools.commands.agree.effect import effect
from scholartools.commands.agree.efficiency import efficiency
from scholartools.commands.agree.errors import errors
from scholartools.commands.agree.fit_weights import fit_weights
from scholartools.commands.agree.levels import levels
from scholartools.commands.agree.majority import majority
from scholartools.commands.agree.parse_score import parse_score
from scholartools.commands.agree.power import power
from scholartools.commands.agree.runs import runs
from scholartools.commands.agree.spans import spans
from scholartools.commands.shared.command import group

main = group(
    "st-agree",
    [
        coefficients,
        majority,
        spans,
        correlate,
        power,
        effect,
        errors,
        runs,
        bias,
        efficiency,
        levels,
        conformal,
        fit_weights,
        parse_score,
    ],  # fmt: skip
    noun="statistic",
    default="coefficients",
    help="""Measure how far raters agree, and how measures compare.

    Each statistic reads records of ratings, marked texts or measures, and writes one record per result, with its value
    or null and the reason, what it stands on, and its signature; --table shows them as a table. `coefficients` is the
    default: alpha, kappa, agreement, fleiss and perfect can be named without it (`st-agree alpha ratings.jsonl`).

    docs/agree.md describes the forms of the input and each statistic.""",
    examples=[
        ("st-agree alpha --level ordinal ratings.jsonl", "Krippendorff's alpha of every label."),
        ("st-agree majority ratings.jsonl > truth.jsonl", "What at least two raters said, and most of them."),
        ("st-agree correlate --x rouge --x judge --y human --ci scores.jsonl", "Two metrics with human scores."),
        (
            "st-agree parse-score --range 1 5 replies.jsonl | st-agree alpha",
            "Numbers from what models said, and their agreement.",
        ),
    ],
)
