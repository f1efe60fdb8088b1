"""Pairwise comparisons of systems on the items for which both have a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.statistics import paired_bootstrap, t_tests
from scholartools.metrics.statistics.multiple_tests import Adjustment
from scholartools.metrics.statistics.paired_bootstrap import Difference
from scholartools.metrics.statistics.resampling import Interval, Resampling
from scholartools.metrics.values import ratio
from scholartools.parameters import parameter
from scholartools.paths import Name
from scholartools.records import Record
from scholartools.signature import fingerprint, library, signature
from scholartools.tasks.score.metric import COMMAND
from scholartools.tasks.score.registry import METRICS
from scholartools.tasks.shared.families import correct_family
from scholartools.tasks.summarize.corpus_level import Ratio, ratios_of, sums_of
from scholartools.tasks.summarize.groups import (
    COUNTS,
    Group,
    Item,
    Key,
    Keys,
    item_rank,
)

Pair = tuple[str, str]
Groups = Mapping[Key, Group]
Sides = tuple[Group, Group]

_NO_TEST = "a value of all records together has neither a t-test nor a Cohen's d"


@dataclass(frozen=True)
class _Part:
    """The systems of a metric in one part of the input, and the pairs to compare."""

    metric: str
    by: Name | None
    systems: Mapping[str, Group]
    pairs: Sequence[Pair]
    only: Sequence[str]

    def value_names(self) -> list[str]:
        """Names of the values to compare."""
        return [name for name in self.all_values() if not self.only or name in self.only]

    def all_values(self) -> list[str]:
        """Names of the values of the systems."""
        return list(dict.fromkeys(name for group in self.systems.values() for name in group.columns))

    def group(self, system: str) -> Group:
        return self.systems.get(system, Group())

    def marks(self) -> Record:
        """Fingerprints of the inputs, by system."""
        compared = dict.fromkeys(system for pair in self.pairs for system in pair)
        return {name: [_group_mark(self.group(name)), self.group(name).absence()] for name in compared}


def comparisons(
    groups: Groups,
    pairs: Sequence[Pair],
    how: Resampling,
    keys: Keys,
    failed: Mapping[str, int],
    adjust: Adjustment = "holm",
    only: Sequence[str] = (),
) -> Iterator[Record]:
    """One record per metric, part of the input and pair: difference, paired tests and Cohen's d of every value.

    ``only`` restricts the comparison, and the correction of ``p_holm``, to the named values.

    ``corpus`` has the differences of ratios of sums over the whole input, computed on the items of both systems.
    ``p_holm`` (``p_bh``) is corrected over all values, pairs, metrics and parts: over the ``n_tests`` p-values of
    differences, and separately over the ``n_t_tests`` of t-tests. With clusters, the t-test uses the mean differences
    of the ``n`` clusters, but Cohen's d is over items. ``failed`` is the number of records that could not be scored, by
    metric.

    Raises:
        UsageFault: a system is compared with itself or has no scores; or no metric has a value of ``only``.
        InputFault: an item is in different clusters for the two systems.
    """
    _check_pairs(groups, pairs)
    parts = list[_Part]()
    for metric, by in dict.fromkeys((key.metric, key.by) for key in groups) if pairs else ():
        systems = {key.system: group for key, group in groups.items() if (key.metric, key.by) == (metric, by)}
        there = [pair for pair in pairs if pair[0] in systems or pair[1] in systems]
        parts.append(_Part(metric, by, systems, there, only))
    _check_values(parts, only)
    parts = [part for part in parts if not only or part.value_names()]
    marked = [[one.metric, one.by, one.pairs, one.marks(), *([sorted(only)] if only else [])] for one in parts]
    family = fingerprint(sorted(map(fingerprint, marked)))
    found = [entry for part in parts for entry in _of_part(part, how, keys, failed[part.metric], adjust, family)]
    values = [value for entry in found for at in ("values", "corpus") for value in entry.get(at, {}).values()]
    n_tests = correct_family([value["difference"] for value in values], adjust)
    n_t_tests = correct_family([value["t_test"] for value in values], adjust)
    for entry in found:
        entry |= {"n_tests": n_tests, "n_t_tests": n_t_tests}
    yield from found


def _check_pairs(groups: Groups, pairs: Sequence[Pair]) -> None:
    systems = dict.fromkeys(key.system for key in groups)
    for pair in pairs:
        if pair[0] == pair[1]:
            raise UsageFault(f'{parameter("compare")}: "{pair[0]}" is compared with itself: name two different systems')
        for system in pair:
            if system not in systems:
                usage = f"none; after {parameter('compare')}, name two systems, then the files"
                known = ", ".join(map(str, systems)) or usage
                raise UsageFault(
                    f'{parameter("compare")}: no system "{system}" has scores (systems with scores: {known})'
                )


def _check_values(parts: Sequence[_Part], only: Sequence[str]) -> None:
    known = dict.fromkeys(name for part in parts for name in part.all_values())
    if unknown := [name for name in only if name not in known]:
        reason = f'no compared metric has the value "{unknown[0]}": the values are {", ".join(known)}'
        raise UsageFault(reason, parameter="compare_values")


def _of_part(
    part: _Part, how: Resampling, keys: Keys, failed: int, adjust: Adjustment, family: str
) -> Iterator[Record]:
    names, marks = part.value_names(), fingerprint(part.marks())
    ratios = ratios_of(part.metric, part.all_values())
    ratios = {name: sums for name, sums in ratios.items() if not part.only or name in part.only}
    for pair in part.pairs:
        side = part.group(pair[0]), part.group(pair[1])
        corpus = {name: _compare_pooled(side, sums, how, keys) for name, sums in ratios.items()}
        parameters: Record = {"compare": list(pair), "metric": part.metric, "input": marks, "item": keys.item}
        parameters |= {"failed": failed, "family": family, "adjust": adjust, **settings(how, keys, part.by)}
        parameters |= {"values": sorted(part.only)} if part.only else {}
        parameters |= {"library": [library("numpy"), library("scipy")]}
        yield {
            "metric": part.metric, "compare": list(pair), **by_entry(keys, part.by), "n_pairs": len(part.pairs),
            "n_tests": 0, "n_t_tests": 0, "failed": failed, **_pair_counts(side),
            "values": {name: _test_difference(part.metric, side, name, how, keys) for name in names},
            **({"corpus": corpus} if ratios else {}),
            "interval": interval_entry(how, keys), "signature": signature(COMMAND, parameters),
        }  # fmt: skip


def _pair_counts(sides: Sides) -> Record:
    """``counts`` of both systems, as sums of the counts in their entries; empty without counts."""
    first, second = (side.nonzero_counts() for side in sides)
    names = [name for name in COUNTS if name in first or name in second]
    return {"counts": {name: [first.get(name, 0), second.get(name, 0)] for name in names}} if names else {}


def _test_difference(metric: str, groups: Sides, name: str, how: Resampling, keys: Keys) -> Record:
    sides = [group.by_item(name) for group in groups]
    shared = sorted(sides[0].keys() & sides[1].keys(), key=item_rank)
    first, second = ([side[item] for item in shared] for side in sides)
    clusters = _item_clusters(groups, shared, keys)
    found = paired_bootstrap.paired_bootstrap(first, second, how, clusters)
    difference = t_tests.settle_difference(found, first, second)
    ends = range_of(metric, name, [*first, *second])
    test, effect = t_tests.paired_t(first, second, clusters), t_tests.cohen_d(first, second)
    return {
        **_counts(groups, sides, shared),
        "means": list(effect.means),
        "difference": _difference_record(difference, ends),
        "t_test": {**asdict(test), "over": _resampled_unit(keys)},
        "cohen_d": {"value": effect.value, "reason": effect.reason},
    }


def _compare_pooled(groups: Sides, pooled: Ratio, how: Resampling, keys: Keys) -> Record:
    """Compare ratios of sums over the items of both systems, by bootstrap only."""
    sides = [group.values_by_item(sums_of(group, pooled)) for group in groups]
    shared = sorted(sides[0].keys() & sides[1].keys(), key=item_rank)
    first, second = (([side[item][0] for item in shared], [side[item][1] for item in shared]) for side in sides)
    means = [ratio(*side).value for side in (first, second)]
    found = paired_bootstrap.paired_ratios(first, second, how, _item_clusters(groups, shared, keys))
    difference = t_tests.settle_difference(found, means)
    ends = _if_inside(pooled.bounds, [mean for mean in means if mean is not None])
    return {
        **_counts(groups, sides, shared),
        "means": means,
        "difference": _difference_record(difference, ends),
        "t_test": {"t": None, "df": None, "p": None, "n": None, "reason": _NO_TEST, "over": None},
        "cohen_d": {"value": None, "reason": _NO_TEST},
    }


def _counts(groups: Sides, sides: Sequence[Mapping[Item, object]], shared: Sequence[Item]) -> Record:
    """Numbers of items with both values and with only one, and of entries without a value by system."""
    unpaired = [len(side) - len(shared) for side in sides]
    nulls = [group.n - len(side) for group, side in zip(groups, sides, strict=True)]
    return {"n": len(shared), "unpaired": unpaired, "nulls": nulls}


def _difference_record(found: Difference, ends: Interval | None) -> Record:
    """The difference of two values that lie between these ends, which limit its interval too."""
    between = found.interval.limit((ends[0] - ends[1], ends[1] - ends[0])) if ends else found.interval
    return {
        "value": found.value, "low": between.low, "high": between.high, "p": found.p, "reason": found.reason,
    }  # fmt: skip


def range_of(metric: str, name: str, numbers: Sequence[float]) -> Interval | None:
    """Declared range of a value; None if there is none, or a number is outside."""
    return _if_inside(METRICS[metric].range_of(name) if metric in METRICS else None, numbers)


def _if_inside(ends: Interval | None, numbers: Sequence[float]) -> Interval | None:
    """A range that holds all of some numbers; None if one is outside, or there is no range or number."""
    is_inside = ends is not None and numbers and ends[0] <= min(numbers) <= max(numbers) <= ends[1]
    return ends if is_inside else None


def _item_clusters(groups: Sides, shared: Sequence[Item], keys: Keys) -> list[Name | None] | None:
    """Cluster of each item, which must be the same for both systems; None without clusters."""
    if keys.cluster is None:
        return None
    first, second = (dict(group.cluster_of()) for group in groups)
    for item in shared:
        if first[item] != second[item]:
            reason = f'item "{item}" is of cluster "{first[item]}" for one system and of "{second[item]}" for the other'
            raise InputFault(reason, kind="invalid-key")
    return [first[item] for item in shared]


def _group_mark(group: Group) -> str:
    """Fingerprint of the entries with their items, which determine the pairs."""
    columns = {name: sorted(group.by_item(name).items(), key=_by_rank) for name in sorted(group.columns)}
    return fingerprint([group.mark(), {name: [[list(item), n] for item, n in rows] for name, rows in columns.items()}])


def _by_rank(pair: tuple[Item, float]) -> tuple:
    return item_rank(pair[0])


def settings(how: Resampling, keys: Keys, by: Name | None) -> Record:
    """Resampling options and part of the input, for the signature."""
    made: Record = {**how.signed(), "cluster": keys.cluster}
    return made if keys.by is None else {**made, "by": [keys.by, by]}


def interval_entry(how: Resampling, keys: Keys) -> Record:
    """Description of the intervals for the output."""
    return {**how.entry(), "over": _resampled_unit(keys)}


def _resampled_unit(keys: Keys) -> str:
    """Name of the resampled unit."""
    return "items" if keys.cluster is None else keys.cluster


def by_entry(keys: Keys, by: Name | None) -> Record:
    """The part of the input as given in results."""
    return {} if keys.by is None else {"by": {keys.by: by}}
