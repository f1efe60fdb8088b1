"""Runs of the statistics over records that come one by one: what takes them, and what is made of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.agreement.scales import LEVELS, SET_LEVELS
from scholartools.metrics.statistics.correlation import MEASURES, Measure
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.parameters import parameter
from scholartools.paths import Conditions
from scholartools.records import Record
from scholartools.tasks.agree import (
    bias,
    coefficients,
    conformal,
    correlation,
    efficiency,
    error_overlap,
    label_report,
    levels,
    majority_vote,
    means,
    repeated_runs,
    reply_scores,
    span_f1,
    systems,
    weight_fit,
)
from scholartools.tasks.agree.columns import SEEN, Columns
from scholartools.tasks.agree.correlation import Comparisons
from scholartools.tasks.agree.ratings import Keys, Ratings, SpanRatings

# The facets' ratings of a text, where no path says otherwise.
FACETS = ("ratings.background", "ratings.method", "ratings.result", "ratings.conclusion")


@dataclass(frozen=True)
class Run:
    """One statistic, or several of the same ratings, over all records.

    Attributes:
        taken: what takes the records, one by one, with its ``add``.
        results: makes the results of what was taken.
    """

    taken: Ratings | Columns | reply_scores.Replies
    results: Callable[[], Iterable[Record]]

    def finish(self, failed: int) -> list[Record]:
        """The results, once all records were given.

        Args:
            failed: how many lines of the input were refused, as records that are none and by ``add``.

        Raises:
            InputFault: no record meets the conditions.
            UsageFault: no record has anything at one of the paths named, or items have several numbers of a method.
        """
        taken = self.taken
        if isinstance(taken, Columns):
            taken.check_divided()
        if taken.dropped["where"] and not taken.n_taken:
            raise InputFault(f"none of {taken.dropped['where']} records meets the conditions ({parameter('where')})")
        if taken.dropped[SEEN] and not taken.n_taken:
            raise InputFault(
                f"all {taken.dropped[SEEN]} records took part in a fit ({parameter('with_seen')} takes them)"
            )
        refused = sum(count for kind, count in taken.dropped.items() if kind not in ("where", SEEN))
        taken.dropped["no-record"] = failed - refused
        taken.dropped = +taken.dropped
        if taken.n_taken and not isinstance(taken, reply_scores.Replies):
            taken.unseen.check()
        return list(self.results())


def run_coefficients(keys: Keys, where: Conditions, stats: Sequence[str], choices: coefficients.Choices) -> Run:
    """Coefficients of agreement: alpha, kappa, agreement, fleiss, perfect."""
    sets = any(level in SET_LEVELS for level in (choices.level, *(level for _, level in choices.levels)))
    taken = Ratings(keys, _level_of(stats, choices), choices.order, where, sets=sets)
    return Run(taken, lambda: coefficients.coefficient_records(taken, stats, choices))


def run_report(keys: Keys, where: Conditions, choices: coefficients.Choices) -> Run:
    """Everything about each label in one result."""
    taken = Ratings(keys, choices.level, choices.order, where)
    return Run(taken, lambda: label_report.report_records(taken, choices))


def _level_of(stats: Sequence[str], choices: coefficients.Choices) -> coefficients.Level:
    """The level that values are held to as they come: weighted kappa takes distances where alpha is not asked for."""
    if list(stats) == ["kappa"] and choices.weighting:
        return "ordinal"
    return choices.level


def run_majority(keys: Keys, where: Conditions, min_votes: int, *, summary: bool) -> Run:
    """The value that most raters gave each item, or with ``summary`` how many items have one."""
    taken = Ratings(keys, where=where)
    make = majority_vote.summary if summary else majority_vote.majority_records
    return Run(taken, lambda: make(taken, min_votes))


def run_spans(keys: Keys, where: Conditions, choices: coefficients.Choices) -> Run:
    """F1 of the texts that raters marked."""
    taken = SpanRatings(keys, where=where)
    return Run(taken, lambda: span_f1.span_records(taken, choices))


def run_power(keys: Keys, where: Conditions, how: Resampling) -> Run:
    """Power of t-tests between systems, the raters of numbers."""
    taken = Ratings(keys, "interval", where=where)
    return Run(taken, lambda: systems.powers(taken, how))


def run_effect(keys: Keys, where: Conditions, how: Resampling, ddof: int) -> Run:
    """Effect sizes and paired tests of systems, the raters of numbers."""
    taken = Ratings(keys, "interval", where=where)
    return Run(taken, lambda: systems.effects(taken, how, ddof))


def run_correlation(
    columns: Columns, x: Sequence[str], y: Sequence[str], beside: Comparisons = correlation.PLAIN
) -> Run:
    """Correlations of each x with each y, or without y of the x with each other, and what stands beside them."""
    return Run(columns, lambda: correlation.correlations(columns, x, y, MEASURES, beside=beside))


def run_weight_fit(columns: Columns, facets: Sequence[str], overall: str, maxima: Sequence[float]) -> Run:
    """Weights of facets, fitted to an overall rating.

    Args:
        columns: of the facets and the overall rating.
        facets: their paths.
        overall: the path of the overall rating.
        maxima: the highest rating of each facet; those of the published facets where there is none.

    Raises:
        UsageFault: the highest rating of a facet is not known, or no number above 0.
    """
    highest = weight_fit.maxima_of(facets, maxima)
    return Run(columns, lambda: weight_fit.fit(columns, facets, overall, highest))


def run_errors(columns: Columns, methods: Sequence[str], truth: str, n_bins: int, *, has_items: bool = False) -> Run:
    """Errors of methods against the truth, and how far two methods' errors are the same; or those of each item."""
    make = error_overlap.item_records if has_items else error_overlap.error_records
    return Run(columns, lambda: make(columns, methods, truth, n_bins))


def run_signed_errors(
    columns: Columns, methods: Sequence[str], truth: str, ranges: error_overlap.Ranges, how: Resampling
) -> Run:
    """How much higher than the truth methods score.

    Raises:
        UsageFault: a range that is none.
    """
    if not all(low < high for low, high in (ranges.x, ranges.y)):
        raise UsageFault("a range needs a lowest number below its highest")
    return Run(columns, lambda: error_overlap.signed_records(columns, methods, truth, ranges, how))


def run_runs(columns: Columns, x: str, y: Sequence[str], n_bins: int, *, has_items: bool = False) -> Run:
    """How far repeated runs differ, or with ``has_items`` how far each item moves; the columns have a method a run."""
    if has_items:
        return Run(columns, lambda: repeated_runs.item_records(columns, x, n_bins))
    return Run(columns, lambda: repeated_runs.run_records(columns, x, y, n_bins))


def run_bias(columns: Columns, x: Sequence[str], y: str, of: Sequence[str], how: Resampling) -> Run:
    """What scores go up with where people's are the same."""
    return Run(columns, lambda: bias.bias_records(columns, x, y, of, how))


def run_means(columns: Columns, x: str, y: str, how: Resampling) -> Run:
    """People's mean score from few labels and a judge's scores of all."""
    return Run(columns, lambda: means.mean_records(columns, x, y, how))


def run_efficiency(
    columns: Columns, x: str, y: str, measure: Measure, prices: efficiency.Prices, how: Resampling
) -> Run:
    """The coefficients of methods beside what their ratings take; the columns have ``prices.paths()`` beside."""
    return Run(columns, lambda: efficiency.efficiency_records(columns, x, y, measure, prices, how))


def run_levels(columns: Columns, x: str, y: str, share: float, seed: int, *, has_summary: bool) -> Run:
    """Scores as people's levels, by thresholds of a part of the groups."""
    make = levels.summary if has_summary else levels.ratings
    return Run(columns, lambda: make(columns, x, y, share, seed))


def run_conformal(columns: Columns, x: str, y: str, asked: conformal.Asked, *, has_intervals: bool) -> Run:
    """Intervals of people's score given a judge's, or how often they hold it."""
    make = conformal.intervals if has_intervals else conformal.summary
    return Run(columns, lambda: make(columns, x, y, asked))


def run_replies(reading: reply_scores.Reading) -> Run:
    """How many replies hold a score."""
    taken = reply_scores.Replies(reading)
    return Run(taken, taken.summary)


def refuse_duplicates(paths: Sequence[str]) -> None:
    """Refuse a path that is named twice among those of columns.

    Raises:
        UsageFault: there is one.
    """
    for place, path in enumerate(paths):
        if path in paths[:place]:
            raise UsageFault(f'duplicate key "{path}" in x and y')


def parse_levels(texts: Sequence[str]) -> tuple[tuple[str, coefficients.Level], ...]:
    """The levels of labels that have one of their own, as "agreement=ordinal" names them.

    Raises:
        UsageFault: another form, no level, or a label twice.
    """
    found: dict[str, coefficients.Level] = {}
    for text in texts:
        label, sign, level = text.rpartition("=")
        if not sign or not label or level not in LEVELS or label in found:
            reason = f'expected LABEL=LEVEL, each label once, a level of {", ".join(LEVELS)}; not "{text}"'
            raise UsageFault(reason, parameter="level_of")
        found[label] = cast("coefficients.Level", level)
    return tuple(found.items())
