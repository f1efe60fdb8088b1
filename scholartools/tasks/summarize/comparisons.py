"""Systems compared two by two on the items that both have a number for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.statistics import paired_bootstrap, t_tests
from scholartools.metrics.statistics.paired_bootstrap import Difference
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.metrics.values import ratio
from scholartools.parameters import parameter
from scholartools.paths import Name
from scholartools.records import Record
from scholartools.signature import fingerprint, library, signature
from scholartools.tasks.score.metric import COMMAND
from scholartools.tasks.summarize.corpus_level import Weights, ratios_of, sums_of
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
class _Tested:
    """One pair of systems in one value; ``entry`` is what is written of it."""

    entry: Record
    p: float | None
    t_p: float | None


def comparisons(
    groups: Groups, pairs: Sequence[Pair], how: Resampling, keys: Keys, failed: Mapping[str, int]
) -> Iterator[Record]:
    """One record per metric, part of the input and pair: difference, paired tests and Cohen's d of every value.

    ``corpus`` has the differences of the values that are ratios of sums over the whole input, over the items of both.
    ``p_holm`` is corrected for all pairs and values of a metric and part, ``n_tests`` of them by bootstrap and
    ``n_t_tests`` by t-test. Of records in clusters the t-test is one of the
    clusters' mean differences, ``n`` of them; Cohen's d stays that of the items. ``failed`` is how many records are in
    no number, by metric.

    Raises:
        UsageFault: a system is compared with itself, or has no score at all.
        InputFault: an item is of one cluster for one system and of another for the other.
    """
    _check_pairs(groups, pairs)
    for metric, by in dict.fromkeys((key.metric, key.by) for key in groups):
        part = {key.system: group for key, group in groups.items() if (key.metric, key.by) == (metric, by)}
        there = [pair for pair in pairs if pair[0] in part or pair[1] in part]
        yield from _of_part(metric, by, part, there, how, keys, failed[metric])


def _check_pairs(groups: Groups, pairs: Sequence[Pair]) -> None:
    systems = dict.fromkeys(key.system for key in groups)
    for pair in pairs:
        if pair[0] == pair[1]:
            raise UsageFault(f'{parameter("compare")}: "{pair[0]}" is compared with itself')
        for system in pair:
            if system not in systems:
                raise UsageFault(f'{parameter("compare")}: no scores of "{system}" (there are: {", ".join(systems)})')


def _of_part(
    metric: str,
    by: Name | None,
    part: Mapping[str, Group],
    pairs: Sequence[Pair],
    how: Resampling,
    keys: Keys,
    failed: int,
) -> Iterator[Record]:
    names = list(dict.fromkeys(name for group in part.values() for name in group.columns))
    sides = [(part.get(first, Group()), part.get(second, Group())) for first, second in pairs]
    ratios = ratios_of(metric, names)
    values = [[_test_difference(side, name, how, keys) for side in sides] for name in names]
    pooled = [[_compare_pooled(side, *sums, how, keys) for side in sides] for sums in ratios.values()]
    n_tests = _correct_p_values([one for of_value in (*values, *pooled) for one in of_value])
    compared = {system: part.get(system, Group()) for pair in pairs for system in pair}
    marks = {system: [_group_mark(group), group.absence()] for system, group in compared.items()}
    for place, pair in enumerate(pairs):
        parameters: Record = {
            "compare": list(pair),
            "metric": metric,
            "pairs": fingerprint([list(one) for one in pairs]),
        }
        parameters |= {"input": fingerprint(marks), "item": keys.item, "failed": failed}
        parameters |= settings(how, keys, by)
        parameters |= {"library": [library("numpy"), library("scipy")]}
        yield {
            "metric": metric, "compare": list(pair), **by_entry(keys, by), "n_pairs": len(pairs), **n_tests,
            "failed": failed, **_pair_counts(sides[place]),
            "values": {name: of_pairs[place].entry for name, of_pairs in zip(names, values, strict=True)},
            **({"corpus": {name: of[place].entry for name, of in zip(ratios, pooled, strict=True)}} if ratios else {}),
            "interval": interval_entry(how, keys), "signature": signature(COMMAND, parameters),
        }  # fmt: skip


def _pair_counts(sides: Sides) -> Record:
    """``counts``: of each system, what its entries count beside their values; none where nothing was counted."""
    first, second = (side.nonzero_counts() for side in sides)
    names = [name for name in COUNTS if name in first or name in second]
    return {"counts": {name: [first.get(name, 0), second.get(name, 0)] for name in names}} if names else {}


def _correct_p_values(tested: Sequence[_Tested]) -> Record:
    """Puts the corrected p into the entries of all pairs and values of a metric; returns how many tests those are."""
    corrected = t_tests.holm([one.p for one in tested]), t_tests.holm([one.t_p for one in tested])
    for one, p_holm, t_p_holm in zip(tested, *corrected, strict=True):
        one.entry["difference"]["p_holm"] = p_holm
        one.entry["t_test"]["p_holm"] = t_p_holm
    counts = [len(p_values) - p_values.count(None) for p_values in corrected]
    return {"n_tests": counts[0], "n_t_tests": counts[1]}


def _test_difference(groups: Sides, name: str, how: Resampling, keys: Keys) -> _Tested:
    sides = [group.by_item(name) for group in groups]
    shared = sorted(sides[0].keys() & sides[1].keys(), key=item_rank)
    first, second = ([side[item] for item in shared] for side in sides)
    clusters = _item_clusters(groups, shared, keys)
    found = paired_bootstrap.paired_bootstrap(first, second, how, clusters)
    difference = t_tests.settle_difference(found, first, second)
    test, effect = t_tests.paired_t(first, second, clusters), t_tests.cohen_d(first, second)
    entry: Record = {
        **_counts(groups, sides, shared),
        "means": list(effect.means),
        "difference": _difference_record(difference),
        "t_test": {**asdict(test), "over": _resampled_unit(keys), "p_holm": None},
        "cohen_d": {"value": effect.value, "reason": effect.reason},
    }
    return _Tested(entry, difference.p, test.p)


def _compare_pooled(groups: Sides, above: Weights, below: Weights, how: Resampling, keys: Keys) -> _Tested:
    """The ratios of sums over the items of both systems, compared by bootstrap alone."""
    sides = [group.values_by_item(sums_of(group, above, below)) for group in groups]
    shared = sorted(sides[0].keys() & sides[1].keys(), key=item_rank)
    first, second = (([side[item][0] for item in shared], [side[item][1] for item in shared]) for side in sides)
    means = [ratio(*side).value for side in (first, second)]
    found = paired_bootstrap.paired_ratios(first, second, how, _item_clusters(groups, shared, keys))
    difference = t_tests.settle_difference(found, means)
    entry: Record = {
        **_counts(groups, sides, shared),
        "means": means,
        "difference": _difference_record(difference),
        "t_test": {"t": None, "df": None, "p": None, "n": None, "reason": _NO_TEST, "over": None, "p_holm": None},
        "cohen_d": {"value": None, "reason": _NO_TEST},
    }
    return _Tested(entry, difference.p, None)


def _counts(groups: Sides, sides: Sequence[Mapping[Item, object]], shared: Sequence[Item]) -> Record:
    """How many items have both numbers, how many only one of them, and how many entries of each system have none."""
    unpaired = [len(side) - len(shared) for side in sides]
    nulls = [group.n - len(side) for group, side in zip(groups, sides, strict=True)]
    return {"n": len(shared), "unpaired": unpaired, "nulls": nulls}


def _difference_record(found: Difference) -> Record:
    return {
        "value": found.value, "low": found.interval.low, "high": found.interval.high, "p": found.p, "p_holm": None,
        "reason": found.reason,
    }  # fmt: skip


def _item_clusters(groups: Sides, shared: Sequence[Item], keys: Keys) -> list[Name | None] | None:
    """The cluster of each item, which must be one for both systems; None where there are no clusters."""
    if keys.cluster is None:
        return None
    first, second = (dict(group.cluster_of()) for group in groups)
    for item in shared:
        if first[item] != second[item]:
            reason = f'item "{item}" is of cluster "{first[item]}" for one system and of "{second[item]}" for the other'
            raise InputFault(reason, kind="invalid-key")
    return [first[item] for item in shared]


def _group_mark(group: Group) -> str:
    """A fingerprint of the entries with their items: which number is whose decides what is paired."""
    columns = {name: sorted(group.by_item(name).items(), key=_by_rank) for name in sorted(group.columns)}
    return fingerprint([group.mark(), {name: [[list(item), n] for item, n in rows] for name, rows in columns.items()}])


def _by_rank(pair: tuple[Item, float]) -> tuple:
    return item_rank(pair[0])


def settings(how: Resampling, keys: Keys, by: Name | None) -> Record:
    """How results were resampled and of which part they are, for the signature."""
    made: Record = {**how.signed(), "cluster": keys.cluster}
    return made if keys.by is None else {**made, "by": [keys.by, by]}


def interval_entry(how: Resampling, keys: Keys) -> Record:
    """How intervals were made, for whoever reads them."""
    return {**how.entry(), "over": _resampled_unit(keys)}


def _resampled_unit(keys: Keys) -> str:
    """What is taken to be independent, in a word."""
    return "items" if keys.cluster is None else keys.cluster


def by_entry(keys: Keys, by: Name | None) -> Record:
    """The part of the input, as results name it."""
    return {} if keys.by is None else {"by": {keys.by: by}}
