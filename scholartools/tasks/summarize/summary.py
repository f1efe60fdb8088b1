"""Aggregate scores in one record per metric and system: n, mean, median, interval, and reasons of undefined values.

Corpus-level values are under ``corpus``: pooled counts (``corpus_level.py``), agreement on labels
(``label_agreement.py``) and ITF-IDF (``itf_idf.py``). Comparisons of systems are in ``comparisons.py``, tables and CSV
in ``tables.py``. Values are independent of the order of records; results are in order of the first occurrence of
systems.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.metrics import values
from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.multiple_tests import Adjustment
from scholartools.metrics.statistics.resampling import Method, Resampling
from scholartools.paths import Name
from scholartools.records import Record, read
from scholartools.signature import library, signature
from scholartools.tasks.score.metric import COMMAND, Options
from scholartools.tasks.score.soft import WEAKNESSES
from scholartools.tasks.score.telling import unscored_metrics
from scholartools.tasks.shared.blanks import tell_written_alike
from scholartools.tasks.shared.embedder import VectorSpace
from scholartools.tasks.shared.one_paper import PAPER, Papers
from scholartools.tasks.summarize.comparisons import (
    by_entry,
    comparisons,
    interval_entry,
    range_of,
    settings,
)
from scholartools.tasks.summarize.corpus_level import pool_ratios
from scholartools.tasks.summarize.groups import (
    Group,
    Key,
    Keys,
    names_of,
)
from scholartools.tasks.summarize.itf_idf import METRIC as DIVERSE
from scholartools.tasks.summarize.itf_idf import Diversities, threshold
from scholartools.tasks.summarize.label_agreement import LABELS, LabelAgreement
from scholartools.tasks.summarize.median_run import median_runs
from scholartools.tasks.summarize.runs import over_runs, parse_runs, uneven_values, value_notes
from scholartools.tasks.summarize.tables import results_csv, table

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Score

__all__ = ["Diversities", "Keys", "Summary", "results_csv", "table", "threshold"]

_WHOLE = Keys()

# The metric whose records are questions that name their paper.
_QUESTIONS = "equations"


class Summary:
    """Aggregates scored records one by one; memory grows by a few numbers per record, and by the vectors of ITF-IDF.

    Args:
        samples: number of bootstrap samples.
        confidence: confidence level of the intervals, in 0..1.
        seed: random seed of the resampling.
        interval: interval method, see :class:`~scholartools.metrics.statistics.resampling.Resampling`.
        keys: paths of the keys of group, cluster and item.
        pairs: systems to compare.
        diversities: collects items for ITF-IDF; None for none.
        runs: groups of systems that are runs of one system.
        medians: names whose median run is selected, by the value ``median_by``.
        compared_values: names of the compared values; empty for all.
        adjust: correction for multiple comparisons.
        embedder: embedder of the scores; supplied vectors must have the same dimension in all records.
        metrics: requested metrics; a note reports those without input in any record.
    """

    def __init__(
        self,
        *,
        samples: int,
        confidence: float,
        seed: int,
        interval: Method = "jackknife",
        keys: Keys = _WHOLE,
        pairs: Sequence[tuple[str, str]] = (),
        compared_values: Sequence[str] = (),
        diversities: Diversities | None = None,
        runs: Sequence[tuple[str, ...]] = (),
        medians: Sequence[str] = (),
        median_by: str = "f1",
        adjust: Adjustment = "holm",
        embedder: str | None = None,
        metrics: Sequence[str] = (),
    ) -> None:
        self._metrics = metrics
        self._how = Resampling(samples, confidence, seed, interval)
        self._keys, self._pairs, self._adjust = keys, list(dict.fromkeys(pairs)), adjust
        self._compared_values = compared_values
        self._diversities = diversities
        self._runs, self._medians, self._median_by = runs, medians, median_by
        self._space = VectorSpace(embedder)
        self._n_added = 0
        self._labels = LabelAgreement()
        self._papers = Papers()
        self._groups: dict[Key, Group] = {}
        self._n_records: Counter[tuple[str, Name | None]] = Counter()
        self._n_unscored: Counter[str] = Counter()
        self._of_runs: list[Record] = []

    def add(self, record: Record) -> None:
        """Add the ``scores`` of one record.

        Raises:
            InputFault: a required name (group, cluster, or item for comparisons) is missing, an item is duplicate, its
                cluster is another paper of the same name, or its vectors differ in dimension from earlier ones.
        """
        entries = read(record, "scores") or ()
        self._space.check(record)
        names = names_of(record, self._keys, with_item=bool(self._pairs))
        groups = [self._groups.get(Key(entry["metric"], names.by, entry["system"]), Group()) for entry in entries]
        for entry, group in zip(entries, groups, strict=True):
            group.check(entry, names)
        if (
            self._keys.cluster == PAPER
            and names.cluster is not None
            and any(e["metric"] == _QUESTIONS for e in entries)
        ):
            self._papers.check(record, names.by, names.cluster)
        if self._diversities is not None and any(entry["metric"] == DIVERSE for entry in entries):
            systems = {entry["system"] for entry in entries if entry["metric"] == DIVERSE}
            self._diversities.add(record, names.by, self._keys.item, systems)
        self._n_added += 1
        for entry in entries:
            key = Key(entry["metric"], names.by, entry["system"])
            self._groups.setdefault(key, Group()).add(entry, names, record.get("id"), self._n_added)
            if key.metric in LABELS:
                self._labels.add(key, entry, names.cluster)
        self._count_record(entries, names.by)
        self._n_unscored.update(unscored_metrics(record))

    def _count_record(self, entries: Sequence[Score], by: Name | None) -> None:
        """Count the record for each metric, and for each system with an entry."""
        self._n_records.update({(entry["metric"], by) for entry in entries})
        for key in {Key(entry["metric"], by, entry["system"]) for entry in entries}:
            self._groups[key].n_records += 1

    def _count_absent(self) -> None:
        """Count for each system the records in which only other systems have an entry."""
        for key, group in self._groups.items():
            group.counts["n_absent"] = self._n_records[key.metric, key.by] - group.n_records

    def records(self, failed: int) -> Iterator[Record]:
        """Records per metric, part of the input and system, then comparisons, then runs.

        ``failed`` is the number of records that could not be scored; records without the input of a metric are added to
        it for that metric.

        Raises:
            UsageFault: a system to compare has no scores, or runs have none in common.
        """
        self._count_absent()
        failed_of = {key.metric: failed + self._n_unscored[key.metric] for key in self._groups}
        only = self._compared_values
        compared = list(comparisons(self._groups, self._pairs, self._how, self._keys, failed_of, self._adjust, only))
        results = [self._group_record(key, group, failed_of[key.metric]) for key, group in self._groups.items()]
        medians = median_runs(results, self._groups, self._medians, self._median_by)
        made = [*medians, *over_runs(results, self._groups, self._runs)]
        self._of_runs = made
        yield from [*results, *compared, *made]

    def notes(self) -> list[str]:
        """Notes for the user.

        They report metrics without input, names that look alike, and metrics without a median run, without a spread
        over runs, or with one over different records.
        """
        found = {key.metric for key in self._groups} | self._n_unscored.keys()
        empty = [metric for metric in self._metrics if metric not in found] if self._n_added else []
        notes = [f"no record has anything to score by {', '.join(empty)}"] if empty else []
        notes += self._names_alike()
        for entry in self._of_runs:
            whose = f"{entry['metric']} of {entry['system'] if 'system' in entry else ', '.join(entry['runs'])}"
            if "reason" in entry:
                notes.append(f"{whose} is null: {entry['reason']}")
            elif "runs" in entry and (uneven := uneven_values(entry)):
                notes.append(f"{whose}: {'; '.join(value_notes(entry, uneven))}")
        return notes

    def _names_alike(self) -> Iterator[str]:
        """Notes on systems, parts, clusters or items with names that look alike."""
        groups = self._groups.values()
        names: dict[str, set[Any]] = {
            "systems": {key.system for key in self._groups},
            "names of parts": {key.by for key in self._groups},
            "names of clusters": {name for group in groups for name in group.clusters},
            "names of items": {item[0] for group in groups for item in group.items if item is not None},
        }
        for what, found in names.items():
            yield from tell_written_alike(found, what)

    def _group_record(self, key: Key, group: Group, failed: int) -> Record:
        parameters = {"summary": key.metric, "input": group.mark(), "failed": failed, **group.absence()}
        parameters |= settings(self._how, self._keys, key.by)
        clustered = self._keys.cluster is not None
        corpus = pool_ratios(key.metric, group, self._how, clustered=clustered)
        unrefused = group.without_refused()
        if unrefused is not None:
            _add_unrefused(corpus, pool_ratios(key.metric, unrefused, self._how, clustered=clustered))
        if key.metric in LABELS:
            corpus = self._labels.results(key, self._how, clustered=clustered) | corpus
        more: dict[str, list[Record]] = {}
        if self._diversities is not None and key.metric == DIVERSE:
            corpus, more = self._diversities.results(key.by, key.system)
            parameters |= {**self._diversities.parameters(key.by, key.system), "item": self._keys.item}
        parameters["library"] = [library(name) for name in self._how.libraries()]
        return {
            "metric": key.metric,
            "system": key.system,
            **by_entry(self._keys, key.by),
            "n": group.n,
            "failed": failed,
            **group.nonzero_counts(),
            **({"targets_by": dict(sorted(group.authors.items()))} if group.authors else {}),
            "values": {name: self._with_reason(key.metric, group, name, unrefused) for name in group.columns},
            **({"corpus": corpus} if corpus else {}),
            **more,
            "interval": interval_entry(self._how, self._keys),
            "signature": signature(COMMAND, parameters),
        }

    def _with_reason(self, metric: str, group: Group, name: str, unrefused: Group | None) -> Record:
        column = group.columns[name]
        numbers, clusters = group.sort_column(column)
        low, high, reason = self._mean_interval(numbers, clusters)
        if low is not None and high is not None and (ends := range_of(metric, name, numbers)):
            low, high = max(low, ends[0]), min(high, ends[1])
        median = float(statistics.median(numbers)) if numbers else None
        entry: Record = {
            "n": len(numbers),
            "mean": values.mean(numbers).value,
            "median": None if median is None or math.isinf(median) else median,
            "low": low,
            "high": high,
            "nulls": group.nulls(column),
        }
        if self._keys.cluster is not None:
            entry["n_clusters"] = len(set(clusters))
        if (others := group.without_empty(column)) is not None:
            entry["without_empty"] = {"n": len(others), "mean": values.mean(others).value}
        if unrefused is not None and (numbers := sorted(unrefused.columns[name].numbers)) != sorted(column.numbers):
            entry["without_refused"] = {"n": len(numbers), "mean": values.mean(numbers).value}
        return entry if reason is None else {**entry, "reason": reason}

    def _mean_interval(
        self, numbers: Sequence[float], clusters: Sequence[str | int | None]
    ) -> tuple[float | None, float | None, str | None]:
        """Bounds of the interval of the mean, or the reason why there is none."""
        if self._keys.cluster is None:
            found, reason = resampling.mean_interval(numbers, **vars(self._how))
            return (*(found or (None, None)), reason)
        ends = resampling.ratio_interval(numbers, [1.0] * len(numbers), self._how, clusters)
        if ends.low is None or ends.high is None:
            return None, None, ends.reason
        if self._how.method == "jackknife":
            return ends.low, ends.high, None
        # rounding may move bounds outside the range of the values
        return max(ends.low, min(numbers)), min(ends.high, max(numbers)), None


def _add_unrefused(corpus: dict[str, Record], others: Mapping[str, Record]) -> None:
    """Add corpus-level values that exclude refusals, if different."""
    for name, other in others.items():
        if other["value"] != corpus[name]["value"]:
            corpus[name]["without_refused"] = {"n": other["n"], "value": other["value"]}


# Options that only apply to summaries.
def is_summary_wanted(chosen: Mapping[str, Any]) -> bool:
    """Whether the options require a summary."""
    return any(chosen[name] for name in ("summary", "table", "csv", "compare", "runs", "median_of"))


def prepare(metrics: Sequence[str], options: Options, chosen: Mapping[str, Any]) -> Summary:
    """Create the summary for the options.

    Args:
        metrics: requested metrics; empty for those in the records.
        options: options of the metrics.
        chosen: all options by name.

    Raises:
        UsageFault: an option is invalid.
    """
    limit = threshold(chosen["itf_idf_threshold"])
    diverse = not metrics or DIVERSE in metrics
    shown, empty = chosen["itf_idf_items"], chosen["empty"]
    people = (options.reference or WEAKNESSES) if options.people else None
    diversities = Diversities(options.candidate, options.embedder, limit, items=shown, empty=empty, people=people)
    return Summary(
        samples=chosen["resamples"],
        confidence=chosen["confidence"],
        seed=chosen["seed"],
        interval=chosen["interval"],
        keys=Keys(chosen["by"], chosen["cluster"], chosen["item"]),
        pairs=chosen["compare"],
        compared_values=chosen["compare_values"],
        diversities=diversities if diverse else None,
        runs=parse_runs(chosen["runs"]),
        medians=chosen["median_of"],
        median_by=chosen["median_by"],
        adjust=chosen["adjust"],
        embedder=options.embedder,
        metrics=metrics,
    )


def writer(chosen: Mapping[str, Any]) -> Callable[[list[Record]], list[Record] | str]:
    """Writer of the results: a table, CSV, or the records."""
    return results_csv if chosen["csv"] else table if chosen["table"] else list
