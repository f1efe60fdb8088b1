"""Cost of a method's correlation with human scores: tokens and USD per rating, and the cheapest adequate method."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import correlation, partial
from scholartools.metrics.statistics.correlation import Measure
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.metrics.values import mean_of_known
from scholartools.records import Record
from scholartools.signature import fingerprint, library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import interval_entry, no_interval, sign_result


@dataclass(frozen=True)
class Prices:
    """Paths of the cost of a rating, and costs of fitting methods.

    Attributes:
        tokens: paths whose numbers are summed to the tokens of a rating.
        cost: path of the cost of a rating in USD.
        fit_cost: one-off cost in USD of fitting a method, by method; 0 for others.
        fit_tokens: one-off tokens of fitting a method, by method; 0 for others.
    """

    tokens: tuple[str, ...] = ("usage.prompt_tokens", "usage.completion_tokens")
    cost: str = "usage.cost"
    fit_cost: tuple[tuple[str, float], ...] = ()
    fit_tokens: tuple[tuple[str, float], ...] = ()

    def paths(self) -> tuple[str, ...]:
        """All paths."""
        return (*self.tokens, self.cost)


def efficiency_records(
    columns: Columns,
    x: str,
    y: str,
    measure: Measure,
    prices: Prices,
    how: Resampling,
    margin: float | None = None,
) -> Iterator[Record]:
    """For each part one record per method, then one with the correlation of coefficients and tokens over methods.

    ``tokens`` and ``cost`` are means over the ratings for which they are known, plus the cost of fitting divided by the
    method's ratings in the whole input (``n_ratings``); ``n_without_tokens`` and ``n_without_cost`` count the scored
    ratings for which they are unknown. ``from_best`` is the coefficient minus that of the best method, both over the
    ``n`` items that both methods scored (``values``), with a paired interval; ``unpaired`` counts the other items of
    either. A method is ``adequate`` (not inferior) if the interval is above -``margin``, or if its scores are those of
    the best method; null without a margin or an interval. ``cheapest`` is the adequate method with the lowest cost, or
    the fewest tokens if a cost is unknown.

    Raises:
        UsageFault: a fitting cost is given for an unknown method.
    """
    methods = columns.expand([x])
    for name, _ in (*prices.fit_cost, *prices.fit_tokens):
        if name not in methods:
            raise UsageFault(f'"{name}" is not one of the methods {", ".join(methods)}', parameter="fit_cost")
    n_ratings = {method: sum(score is not None for score in columns.column(method)) for method in methods}
    for part in columns.parts():
        found = [_method_record(part, method, y, measure, prices, how, n_ratings[method]) for method in methods]
        _compare_with_best(part, found, y, measure, how, margin)
        _name_cheapest(found)
        yield from (_finish_record(part, entry, prices, how, margin) for entry in found)
        if len(found) > 1:
            yield _finish_record(part, _over_methods(found, y, measure), prices, how, margin)


def _method_record(
    part: Table, method: str, y: str, measure: Measure, prices: Prices, how: Resampling, n_ratings: int
) -> Record:
    scores, truth = part.column(method), part.column(y)
    found = correlation.correlation(scores, truth, measure)
    between = no_interval(found.reason) or correlation.correlation_interval(
        scores, truth, measure, how, part.clusters()
    )
    parts = zip(*(part.column(f"{method} {path}") for path in prices.tokens), strict=True)
    tokens = [None if None in row else math.fsum(row) for row in parts]  # type: ignore[arg-type]
    costs = part.column(f"{method} {prices.cost}")
    fit_cost, fit_tokens = dict(prices.fit_cost).get(method, 0.0), dict(prices.fit_tokens).get(method, 0.0)
    cost, mean_tokens = (
        _with_fit(mean_of_known(costs), fit_cost, n_ratings),
        _with_fit(mean_of_known(tokens), fit_tokens, n_ratings),
    )
    rated = [place for place, score in enumerate(scores) if score is not None]
    entry: Record = {"stat": "efficiency", "measure": measure, "method": method, "y": y, **part.each_entry()}
    entry |= {
        "value": found.value,
        "n": found.n,
        "n_missing": found.n_missing,
        "tokens": mean_tokens,
        "cost": cost,
        "n_without_tokens": sum(tokens[place] is None for place in rated),
        "n_without_cost": sum(costs[place] is None for place in rated),
    }
    if fit_cost or fit_tokens:
        entry |= {"fit_cost": fit_cost, "fit_tokens": fit_tokens, "n_ratings": n_ratings}
    per_point = {
        "cost_per_point": _per_point(cost, found.value),
        "tokens_per_point": _per_point(mean_tokens, found.value),
    }
    return {**entry, **per_point, "interval": interval_entry(between, how, part.over()), "reason": found.reason}


def _with_fit(mean: float | None, once: float, n_ratings: int) -> float | None:
    """The mean per rating plus its share of a one-off cost."""
    return None if mean is None else mean + once / max(1, n_ratings)


def _per_point(amount: float | None, value: float | None) -> float | None:
    """Cost per 0.01 of the coefficient; None unless the coefficient is positive."""
    return amount / (100 * value) if amount is not None and value is not None and value > 0 else None


def _compare_with_best(
    part: Table, entries: list[Record], y: str, measure: Measure, how: Resampling, margin: float | None
) -> None:
    """Add to each entry its difference from the best method, and whether it is adequate."""
    defined = [entry for entry in entries if entry["value"] is not None]
    best = max(defined, key=lambda entry: entry["value"], default=None)
    for entry in entries:
        entry |= {"best": best and best["method"], "from_best": None, "margin": margin, "adequate": None}
        if best is None or entry["value"] is None:
            continue
        first, second, truth = (part.column(path) for path in (entry["method"], best["method"], y))
        one, other, found = partial.coefficient_difference(first, second, truth, [], measure, how, part.clusters())
        ends = found.interval
        entry["from_best"] = {
            "value": found.value, "values": [one.value, other.value], "n": found.n,
            "unpaired": [entry["n"] - found.n, best["n"] - found.n],
            "low": ends.low, "high": ends.high, "reason": found.reason,
        }  # fmt: skip
        # A difference of 0 whose error is unknown shows nothing: few texts often give two methods one coefficient.
        is_as_good = first == second
        if margin is not None:
            entry["adequate"] = True if is_as_good else None if ends.low is None else ends.low > -margin


def _name_cheapest(entries: list[Record]) -> None:
    adequate = [entry for entry in entries if entry["adequate"]]
    unit = "tokens" if any(entry["cost"] is None for entry in adequate) else "cost"
    priced = [entry for entry in adequate if entry[unit] is not None]
    least = min((entry[unit] for entry in priced), default=None) if len(priced) == len(adequate) else None
    for entry in entries:
        known = least is not None
        entry |= {"cheapest": bool(entry["adequate"] and entry[unit] == least) if known else None}
        entry["cheapest_by"] = unit if known else None


def _over_methods(entries: list[Record], y: str, measure: Measure) -> Record:
    """Spearman's rho over methods between their coefficients and their tokens."""
    tokens, values = ([entry[key] for entry in entries] for key in ("tokens", "value"))
    found = correlation.correlation(tokens, values, "spearman")
    each = {"each": entries[0]["each"]} if "each" in entries[0] else {}
    return {
        "stat": "efficiency", "measure": measure, "method": None, "y": y, **each, "value": found.value,
        "n": found.n, "n_missing": found.n_missing, "reason": found.reason,
    }  # fmt: skip


def _finish_record(part: Table, entry: Record, prices: Prices, how: Resampling, margin: float | None) -> Record:
    about = {key: entry[key] for key in ("stat", "measure", "method", "y")}
    parameters: Record = {**about, **part.sign(), "prices": list(prices.paths()), "margin": margin}
    fits = [[list(pair) for pair in pairs] for pairs in (prices.fit_cost, prices.fit_tokens)]
    parameters["fit"] = fingerprint(fits) if any(fits) else None
    parameters["library"] = [library("numpy"), library("scipy")]
    dropped = dict(sorted(part.dropped.items()))
    return {**entry, "dropped": dropped, "signature": sign_result(parameters, part.dropped, how, part.over())}
