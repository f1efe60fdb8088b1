"""Result records of correlations of measures: plain, partial, within groups, of means, and their differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, product
from typing import Any, NamedTuple

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import correlation, differences, grouped, partial
from scholartools.metrics.statistics.correlation import MEASURES, Correlation, Measure
from scholartools.metrics.statistics.grouped import Grouped
from scholartools.metrics.statistics.multiple_tests import Adjustment
from scholartools.metrics.statistics.paired_bootstrap import Difference, needed_draws
from scholartools.metrics.statistics.resampling import Percentiles, Resampling
from scholartools.records import Record
from scholartools.signature import fingerprint, library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import correct_results, interval_entry, no_interval, sign_result

Pair = tuple[str, str]
# Two coefficients, and their difference.
Compared = tuple[Correlation, Correlation, Difference] | tuple[Grouped, Grouped, Difference]


@dataclass(frozen=True)
class Comparisons:
    """Further results besides the plain coefficients, and the resampling of intervals.

    Attributes:
        controls: paths of the control variables of partial coefficients.
        compare: pairs of x whose coefficients with each y are compared, resampled by ``how`` or the default.
        how: resampling of intervals and comparisons; None for no intervals.
        adjust: correction of the p-values of comparisons for multiple testing.
        compare_all: whether to compare all pairs of x.
        redraw: the units of resampling for coefficients of means.
    """

    controls: tuple[str, ...] = ()
    compare: tuple[Pair, ...] = ()
    how: Resampling | None = None
    adjust: Adjustment = "holm"
    compare_all: bool = False
    redraw: correlation.Redraw = "items"


#: Plain coefficients only, without intervals.
PLAIN = Comparisons()


def correlations(
    columns: Columns,
    x: Sequence[str],
    y: Sequence[str] = (),
    measures: Sequence[Measure] = MEASURES,
    how: Resampling | None = None,
    beside: Comparisons = PLAIN,
) -> Iterator[Record]:
    """One record per coefficient and pair: each x with each y, or, without y, each x with each later x.

    Then, where requested, partial coefficients given the controls of ``beside`` (``of: "partial"``), means of
    coefficients within the groups of ``keys.within`` (``of: "groups"``), and coefficients of the means by
    ``keys.group`` (``of: "means"``); then the differences of compared coefficients. All of this for each part of the
    columns.

    Raises:
        UsageFault: a compared measure is not in x, comparisons lack a y, or there is only one measure.
    """
    names, parts = columns.expand(x), columns.parts()
    compare = tuple(dict.fromkeys((*beside.compare, *(combinations(names, 2) if beside.compare_all else ()))))
    beside = replace(beside, how=beside.how or how, compare=compare)
    if not y and len(names) == 1:
        raise UsageFault(f'only one measure, "{names[0]}", and nothing to correlate it with')
    pairs = list(product(names, y)) if y else list(combinations(names, 2))
    _check_comparisons(beside, names, y)
    kinds = [of for of, wanted in _wanted_kinds(columns, beside) if wanted]
    for part in parts:
        for of, measure, pair in product(kinds, measures, pairs):
            if of != "partial" or not {*pair} & {*beside.controls}:
                yield _KINDS[of].record(part, pair, measure, beside)
    if beside.compare:
        yield from _difference_records(parts, kinds, y, measures, beside)


def _check_comparisons(beside: Comparisons, names: Sequence[str], y: Sequence[str]) -> None:
    if beside.compare and not y:
        raise UsageFault("needs y, the measure whose correlations are compared", parameter="compare")
    for name in (name for pair in beside.compare for name in pair):
        if name not in names:
            raise UsageFault(f'"{name}" is not one of the measures {", ".join(names)}', parameter="compare")


def _wanted_kinds(table: Table, beside: Comparisons) -> Iterator[tuple[str, bool]]:
    """The kinds of coefficients, and whether they are requested."""
    yield "records", True
    yield "partial", bool(beside.controls)
    yield "groups", table.keys.within is not None
    yield "means", table.keys.group is not None


def _held(part: Table, of: str, beside: Comparisons) -> Record:
    """The parameters of a kind of coefficient, for results and signatures."""
    if of == "partial":
        return {"control": list(beside.controls)}
    return {"within": part.keys.within} if of == "groups" else {"by": part.keys.group} if of == "means" else {}


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

    about = {"measure": measure, "of": "partial", **_held(part, "partial", beside)}
    return _coefficient_record(part, pair, about, asdict(found), beside.how, make_interval)


def _of_groups(part: Table, pair: Pair, measure: Measure, beside: Comparisons) -> Record:
    rows = part.rows()
    x, y = (part.column(path) for path in pair)
    found = grouped.correlation_within(x, y, [row.within for row in rows], measure)
    clusters, reason = _clusters_of_groups(part)

    def make_interval(how: Resampling) -> Percentiles:
        if reason:
            return Percentiles(None, None, 0, 0, reason)
        of_groups = None if clusters is None else [clusters[group] for group in found.of_group]
        return grouped.correlation_within_interval(found, how, of_groups)

    counts = asdict(found)
    del counts["of_group"]
    about = {"measure": measure, "of": "groups", **_held(part, "groups", beside)}
    over = part.keys.cluster or part.keys.within
    return _coefficient_record(part, pair, about, counts, beside.how, make_interval, over)


def _clusters_of_groups(part: Table) -> tuple[dict[Any, Any] | None, str | None]:
    """The cluster of each group (None to resample groups), and the reason why groups cannot be clustered, if any."""
    if part.keys.cluster is None:
        return None, None
    clusters: dict[Any, Any] = {}
    for row in part.rows():
        if clusters.setdefault(row.within, row.cluster) != row.cluster:
            return None, f"a group has records of several {part.keys.cluster}"
    return clusters, None


def _of_means(part: Table, pair: Pair, measure: Measure, beside: Comparisons) -> Record:
    x, y = (part.column(path) for path in pair)
    systems = [row.group for row in part.rows()]
    found = correlation.correlation_of_means(x, y, systems, measure)

    def make_interval(how: Resampling) -> Percentiles:
        return correlation.redrawn_means_interval(x, y, systems, measure, how, beside.redraw, part.clusters())

    about = {"measure": measure, "of": "means", **_held(part, "means", beside)}
    system = str(part.keys.group)
    over = {"items": part.over(), "systems": system, "both": f"{part.over()} and {system}"}[beside.redraw]
    return _coefficient_record(part, pair, about, asdict(found), beside.how, make_interval, over)


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


def _difference_records(
    parts: Sequence[Table], kinds: Sequence[str], y: Sequence[str], measures: Sequence[Measure], beside: Comparisons
) -> Iterator[Record]:
    """The differences by kind, coefficient, part, y and pair; all their tests are one family."""
    how = beside.how or Resampling()
    asked = [
        (part, pair, truth, of, measure)
        for of, measure, part in product(kinds, measures, parts)
        for truth in y
        if of != "partial" or truth not in beside.controls
        for pair in beside.compare
    ]
    inputs = [[*part.sign().values()] for part in parts]
    family = fingerprint([inputs, [[*pair, truth, of, measure] for _, pair, truth, of, measure in asked]])
    found = [_difference_record(*one, beside, how, family) for one in asked]
    correct_results(found, beside.adjust)
    for entry in found:
        ending = {key: entry.pop(key) for key in ("reason", "dropped", "signature")}
        yield {**entry, **ending}


def _difference_record(
    part: Table, pair: Pair, y: str, of: str, measure: Measure, beside: Comparisons, how: Resampling, family: str
) -> Record:
    """The difference of the coefficients, of kind ``of``, of two measures with y.

    ``values`` holds both coefficients, computed over the items without missing numbers in either. They may therefore
    differ from the records of the single coefficients.
    """
    one, other, found = _KINDS[of].difference(part, pair, y, measure, beside, how)
    about: Record = {"measure": measure, "of": "difference", "between": of, **_held(part, of, beside)}
    about |= {"compare": list(pair), "y": y}
    over = part.keys.within if of == "groups" and not part.keys.cluster else part.over()
    between = interval_entry(found.interval, how, str(over))
    entry: Record = {
        "stat": "correlate", **about, **part.each_entry(), "value": found.value, "values": [one.value, other.value],
        "n": max(one.n, other.n), "n_missing": _count_incomplete(part, pair, y, of, beside), "interval": between,
        "p": found.p, "needed": {"n": needed_draws(found, how.confidence), "over": str(over), "power": 0.8},
        "reason": found.reason,
    }  # fmt: skip
    parameters = {"stat": "correlate", **about, **part.sign(), "library": [library("numpy"), library("scipy")]}
    return {**entry, **_record_ending(part, {**parameters, "family": family, "adjust": beside.adjust}, how, str(over))}


def _count_incomplete(part: Table, pair: Pair, y: str, of: str, beside: Comparisons) -> int:
    """Number of items that lack a number needed for a difference."""
    held = beside.controls if of == "partial" else ()
    return sum(None in row for row in zip(*(part.column(path) for path in (*pair, y, *held)), strict=True))


def _records_difference(
    part: Table, pair: Pair, y: str, measure: Measure, beside: Comparisons, how: Resampling
) -> Compared:
    first, second, truth = (part.column(path) for path in (*pair, y))
    return partial.coefficient_difference(first, second, truth, [], measure, how, part.clusters())


def _partial_difference(
    part: Table, pair: Pair, y: str, measure: Measure, beside: Comparisons, how: Resampling
) -> Compared:
    first, second, truth, *held = (part.column(path) for path in (*pair, y, *beside.controls))
    if taken := [name for name in pair if name in beside.controls]:
        reason = f'"{taken[0]}" is controlled for, and has no partial coefficient'
        none = Correlation(None, 0, len(truth), reason)
        return none, none, Difference(None, 0, Percentiles(None, None, 0, 0, reason), None, reason)
    return partial.coefficient_difference(first, second, truth, held, measure, how, part.clusters())


def _groups_difference(
    part: Table, pair: Pair, y: str, measure: Measure, beside: Comparisons, how: Resampling
) -> Compared:
    first, second, truth = (part.column(path) for path in (*pair, y))
    rows = part.rows()
    clusters, reason = _clusters_of_groups(part)
    of = [row.within for row in rows]
    one, other, found = differences.within_difference(first, second, truth, of, measure, how, clusters)
    if reason:
        found = replace(found, interval=Percentiles(None, None, 0, 0, reason), p=None, reason=found.reason or reason)
    return one, other, found


def _means_difference(
    part: Table, pair: Pair, y: str, measure: Measure, beside: Comparisons, how: Resampling
) -> Compared:
    first, second, truth = (part.column(path) for path in (*pair, y))
    systems = [row.group for row in part.rows()]
    return differences.means_difference(first, second, truth, systems, measure, how, part.clusters())


class _Kind(NamedTuple):
    """Functions that compute the record of a coefficient of one kind, and the difference of two."""

    record: Callable[[Table, Pair, Measure, Comparisons], Record]
    difference: Callable[[Table, Pair, str, Measure, Comparisons, Resampling], Compared]


#: The kinds of coefficients, by the value of ``of``.
_KINDS = {
    "records": _Kind(_of_records, _records_difference),
    "partial": _Kind(_of_partial, _partial_difference),
    "groups": _Kind(_of_groups, _groups_difference),
    "means": _Kind(_of_means, _means_difference),
}


def _record_ending(part: Table, parameters: Record, how: Resampling | None, over: str) -> Record:
    dropped = dict(sorted(part.dropped.items()))
    return {"dropped": dropped, "signature": sign_result(parameters, part.dropped, how, over)}
