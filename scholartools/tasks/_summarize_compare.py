"""Systems compared two by two on the items that both have a number for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics import comparison
from scholartools.metrics.resampling import Resampling
from scholartools.records import Record
from scholartools.signature import fingerprint, library, signature
from scholartools.tasks._agree_records import Name
from scholartools.tasks._score_base import COMMAND
from scholartools.tasks._summarize_rows import Group, Item, Key, Keys, item_rank

Pair = tuple[str, str]
Groups = Mapping[Key, Group]


@dataclass(frozen=True)
class _Tested:
    """One pair of systems in one value; ``entry`` is what is written of it."""

    entry: Record
    p: float | None
    t_p: float | None


def comparisons(
    groups: Groups, pairs: Sequence[Pair], how: Resampling, keys: Keys, failed: int = 0
) -> Iterator[Record]:
    """One record per metric, part of the input and pair: difference, paired tests and Cohen's d of every value.

    ``p_holm`` is corrected for the pairs compared, value by value. ``failed`` is how many records are in no number.

    Raises:
        UsageFault: a system is compared with itself, or has no score at all.
        InputFault: an item is of one cluster for one system and of another for the other.
    """
    _check(groups, pairs)
    for metric, by in dict.fromkeys((key.metric, key.by) for key in groups):
        part = {key.system: group for key, group in groups.items() if (key.metric, key.by) == (metric, by)}
        there = [pair for pair in pairs if pair[0] in part or pair[1] in part]
        yield from _of_part(metric, by, part, there, how, keys, failed)


def _check(groups: Groups, pairs: Sequence[Pair]) -> None:
    systems = dict.fromkeys(key.system for key in groups)
    for pair in pairs:
        if pair[0] == pair[1]:
            raise UsageFault(f'--compare: "{pair[0]}" with itself')
        for system in pair:
            if system not in systems:
                raise UsageFault(f'--compare: no scores of "{system}" (there are: {", ".join(systems)})')


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
    values: dict[Pair, dict[str, Record]] = {pair: {} for pair in pairs}
    for name in names:
        tested = [_tested([part.get(system, Group()) for system in pair], name, how, keys) for pair in pairs]
        corrected = comparison.holm([one.p for one in tested]), comparison.holm([one.t_p for one in tested])
        for pair, one, p_holm, t_p_holm in zip(pairs, tested, *corrected, strict=True):
            one.entry["difference"]["p_holm"] = p_holm
            one.entry["t_test"]["p_holm"] = t_p_holm
            values[pair][name] = one.entry
    marks = {system: _mark(part.get(system, Group())) for pair in pairs for system in pair}
    for pair in pairs:
        parameters: Record = {
            "compare": list(pair),
            "metric": metric,
            "pairs": fingerprint([list(one) for one in pairs]),
        }
        parameters |= {"input": fingerprint(marks), "item": keys.item, "failed": failed}
        parameters |= settings(how, keys, by)
        parameters |= {"library": [library("numpy"), library("scipy")]}
        yield {
            "metric": metric, "compare": list(pair), **by_entry(keys, by), "n_pairs": len(pairs),
            "failed": failed, "values": values[pair], "bootstrap": bootstrap_entry(how, keys),
            "signature": signature(COMMAND, parameters),
        }  # fmt: skip


def _tested(groups: Sequence[Group], name: str, how: Resampling, keys: Keys) -> _Tested:
    sides = [group.by_item(name) for group in groups]
    shared = sorted(sides[0].keys() & sides[1].keys(), key=item_rank)
    first, second = ([side[item] for item in shared] for side in sides)
    clusters = None
    if keys.cluster is not None:
        clusters = _clusters(groups, shared)
    difference = comparison.paired_bootstrap(first, second, how, clusters)
    test, effect = comparison.paired_t(first, second), comparison.cohen_d(first, second)
    entry: Record = {
        "n": len(shared),
        "unpaired": [len(side) - len(shared) for side in sides],
        "means": list(effect.means),
        "difference": {
            "value": difference.value, "low": difference.interval.low, "high": difference.interval.high,
            "p": difference.p, "p_holm": None, "reason": difference.reason,
        },
        "t_test": {key: value for key, value in asdict(test).items() if key != "n"} | {"p_holm": None},
        "cohen_d": {"value": effect.value, "reason": effect.reason},
    }  # fmt: skip
    return _Tested(entry, difference.p, test.p)


def _clusters(groups: Sequence[Group], shared: Sequence[Item]) -> list[Name | None]:
    """The cluster of each item, which must be one for both systems."""
    first, second = (dict(group.cluster_of()) for group in groups)
    for item in shared:
        if first[item] != second[item]:
            reason = f'item "{item}" is of cluster "{first[item]}" for one system and of "{second[item]}" for the other'
            raise InputFault(reason, kind="invalid-key")
    return [first[item] for item in shared]


def _mark(group: Group) -> str:
    """A fingerprint of the entries with their items: which number is whose decides what is paired."""
    columns = {name: sorted(group.by_item(name).items(), key=_by_rank) for name in sorted(group.columns)}
    return fingerprint([group.mark(), {name: [[list(item), n] for item, n in rows] for name, rows in columns.items()}])


def _by_rank(pair: tuple[Item, float]) -> tuple:
    return item_rank(pair[0])


def settings(how: Resampling, keys: Keys, by: Name | None) -> Record:
    """How results were resampled and of which part they are, for the signature."""
    made: Record = {"samples": how.samples, "confidence": how.confidence, "seed": how.seed, "cluster": keys.cluster}
    return made if keys.by is None else {**made, "by": [keys.by, by]}


def bootstrap_entry(how: Resampling, keys: Keys) -> Record:
    """How results were resampled, for whoever reads them."""
    over = "items" if keys.cluster is None else keys.cluster
    return {"samples": how.samples, "confidence": how.confidence, "seed": how.seed, "over": over}


def by_entry(keys: Keys, by: Name | None) -> Record:
    """The part of the input, as results name it."""
    return {} if keys.by is None else {"by": {keys.by: by}}
