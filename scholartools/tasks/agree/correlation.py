"""Correlations of measures that stand side by side: plain, with others held, inside groups, of means, and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, product
from typing import Any

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import correlation, grouped, partial
from scholartools.metrics.statistics.correlation import MEASURES, Measure
from scholartools.metrics.statistics.paired_bootstrap import needed_draws
from scholartools.metrics.statistics.resampling import Percentiles, Resampling
from scholartools.metrics.statistics.t_tests import holm
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.coefficients import no_interval
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import interval_entry, sign_result

Pair = tuple[str, str]


@dataclass(frozen=True)
class Comparisons:
    """What is correlated beside the plain coefficients, and how intervals are made.

    Attributes:
        controls: paths of what is held in partial coefficients.
        compare: pairs of x whose coefficients with each y are compared, with the bootstrap ``how`` or a default one.
        how: the bootstrap of intervals and comparisons; None where there are none.
    """

    controls: tuple[str, ...] = ()
    compare: tuple[Pair, ...] = ()
    how: Resampling | None = None


#: Nothing beside the plain coefficients, and no interval.
PLAIN = Comparisons()


def correlations(
    columns: Columns,
    x: Sequence[str],
    y: Sequence[str] = (),
    measures: Sequence[Measure] = MEASURES,
    how: Resampling | None = None,
    beside: Comparisons = PLAIN,
) -> Iterator[Record]:
    """One record per coefficient and pair: each x with each y, or without y each x with each later x.

    The same again with what ``beside`` controls held (``of: "partial"``), inside the groups at ``within`` (``of:
    "groups"``, the mean over groups) and of the means of the members of ``group`` (``of: "means"``), where the columns
    have these; then the differences of what is compared. All of it for each part of the columns.

    Raises:
        UsageFault: what is compared is no x, or there is no y to compare with.
    """
    beside = replace(beside, how=beside.how or how)
    names = columns.expand(x)
    if not y and len(names) == 1:
        raise UsageFault(f'only one measure, "{names[0]}", and nothing to correlate it with')
    pairs = list(product(names, y)) if y else list(combinations(names, 2))
    _check_comparisons(beside, names, y)
    for part in columns.parts():
        for of, make in _comparison_kinds(part, beside):
            for measure, pair in product(measures, pairs):
                if of != "partial" or not {*pair} & {*beside.controls}:
                    yield make(part, pair, measure, beside)
        for measure in measures if beside.compare else ():
            yield from _difference_records(part, y, measure, beside)


def _check_comparisons(beside: Comparisons, names: Sequence[str], y: Sequence[str]) -> None:
    if beside.compare and not y:
        raise UsageFault("needs y, the measure whose correlations are compared", parameter="compare")
    for name in (name for pair in beside.compare for name in pair):
        if name not in names:
            raise UsageFault(f'"{name}" is not one of the measures {", ".join(names)}', parameter="compare")


def _comparison_kinds(part: Table, beside: Comparisons) -> Iterator[tuple[str, Any]]:
    yield "records", _of_records
    if beside.controls:
        yield "partial", _of_partial
    if part.keys.within:
        yield "groups", _of_groups
    if part.keys.group:
        yield "means", _of_means


def _of_records(part: Table, pair: Pair, measure: Measure, beside: Comparisons) -> Record:
    x, y = (part.column(path) for path in pair)
    found = correlation.correlation(x, y, measure)

    def make_interval(how: Resampling) -> Percentiles:
        return correlation.correlation_interval(x, y, measure, how, part.clusters())

    return _coefficient_record(
        part, pair, {"measure": measure, "of": "records"}, asdict(found), beside.how, make_interval
    )


def _of_partial(part: Table, pair: Pair, measure: Measure, beside: Comparisons) -> Record:
    x, y = (part.column(path) for path in pair)
    held = [part.column(path) for path in beside.controls]
    found = partial.partial_correlation(x, y, held, measure)

    def make_interval(how: Resampling) -> Percentiles:
        return partial.partial_interval(x, y, held, measure, how, part.clusters())

    about = {"measure": measure, "of": "partial", "control": list(beside.controls)}
    return _coefficient_record(part, pair, about, asdict(found), beside.how, make_interval)


def _of_groups(part: Table, pair: Pair, measure: Measure, beside: Comparisons) -> Record:
    rows = part.rows()
    x, y = (part.column(path) for path in pair)
    found = grouped.correlation_within(x, y, [row.within for row in rows], measure)
    clusters: dict[Any, set[Any]] = {}
    for row in rows:
        clusters.setdefault(row.within, set()).add(row.cluster)

    def make_interval(how: Resampling) -> Percentiles:
        if any(len(several) > 1 for several in clusters.values()):
            return Percentiles(None, None, 0, 0, f"a group has records of several {part.keys.cluster}")
        of_groups = [min(clusters[group]) for group in found.of_group] if part.keys.cluster else None
        return grouped.correlation_within_interval(found, how, of_groups)

    counts = asdict(found)
    del counts["of_group"]
    about = {"measure": measure, "of": "groups", "within": part.keys.within}
    over = part.keys.cluster or part.keys.within
    return _coefficient_record(part, pair, about, counts, beside.how, make_interval, over)


def _of_means(part: Table, pair: Pair, measure: Measure, beside: Comparisons) -> Record:
    x, y = (part.column(path) for path in pair)
    systems = [row.group for row in part.rows()]
    found = correlation.correlation_of_means(x, y, systems, measure)

    def make_interval(how: Resampling) -> Percentiles:
        return correlation.correlation_of_means_interval(x, y, systems, measure, how, part.clusters())

    about = {"measure": measure, "of": "means", "by": part.keys.group}
    return _coefficient_record(part, pair, about, asdict(found), beside.how, make_interval)


def _coefficient_record(
    part: Table,
    pair: Pair,
    about: Record,
    counts: Record,
    how: Resampling | None,
    make_interval: Any,
    over: str | None = None,
) -> Record:
    entry: Record = {"stat": "correlate", "measure": about["measure"], "x": pair[0], "y": pair[1]}
    entry |= {**about, **part.each_entry(), **counts}
    over = over or part.over()
    if how is not None:
        between = no_interval(entry["reason"]) or make_interval(how)
        entry["interval"] = interval_entry(between, how, over)
    parameters = {"stat": "correlate", "x": pair[0], "y": pair[1], **about, **part.sign()}
    parameters["library"] = [library("numpy"), library("scipy")]
    return {**entry, **_record_ending(part, parameters, how, over)}


def _difference_records(part: Table, y: Sequence[str], measure: Measure, beside: Comparisons) -> Iterator[Record]:
    """The differences of coefficients, with p also corrected by Holm for all that are compared with one y."""
    how = beside.how or Resampling()
    for truth in y:
        found = [_difference_record(part, pair, truth, measure, beside, how) for pair in beside.compare]
        corrected = holm([entry["p"] for entry in found])
        for entry, p in zip(found, corrected, strict=True):
            ending = {key: entry.pop(key) for key in ("reason", "dropped", "signature")}
            yield {**entry, "p_holm": p, "n_compared": len(found), **ending}


def _difference_record(
    part: Table, pair: Pair, y: str, measure: Measure, beside: Comparisons, how: Resampling
) -> Record:
    first, second, truth, *held = (part.column(path) for path in (*pair, y, *beside.controls))
    one, other, found = partial.coefficient_difference(first, second, truth, held, measure, how, part.clusters())
    about: Record = {"measure": measure, "of": "difference", "compare": list(pair), "y": y}
    about |= {"control": list(beside.controls)} if held else {}
    entry: Record = {
        "stat": "correlate", **about, **part.each_entry(), "value": found.value, "values": [one.value, other.value],
        "n": one.n, "n_missing": len(truth) - one.n, "interval": interval_entry(found.interval, how, part.over()),
        "p": found.p, "needed": {"n": needed_draws(found, how.confidence), "over": part.over(), "power": 0.8},
        "reason": found.reason,
    }  # fmt: skip
    parameters = {"stat": "correlate", **about, **part.sign(), "library": [library("numpy"), library("scipy")]}
    parameters["compared"] = [" - ".join(names) for names in beside.compare]
    return {**entry, **_record_ending(part, parameters, how, part.over())}


def _record_ending(part: Table, parameters: Record, how: Resampling | None, over: str) -> Record:
    dropped = dict(sorted(part.dropped.items()))
    return {"dropped": dropped, "signature": sign_result(parameters, part.dropped, how, over)}
