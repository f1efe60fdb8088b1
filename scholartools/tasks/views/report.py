"""A report page of a run for the supplement of a paper: commands, inputs, results, and justified conclusions."""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools import __version__
from scholartools.cache import Cache
from scholartools.cache.bundle import keys_of
from scholartools.errors import InputFault
from scholartools.records import Record, read
from scholartools.tasks.summarize import tables as summaries
from scholartools.tasks.tabulate.results import AGREE, RESULTS
from scholartools.tasks.views.call_log import COSTS, clean, sum_up, worker_of
from scholartools.tasks.views.describing import as_number, as_text
from scholartools.tasks.views.methods import methods_of
from scholartools.tasks.views.templates import environment
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord

# Minimum number of units for accurate intervals of a mean, by the table in docs/intervals.md.
_ENOUGH = 20
# Thresholds of Krippendorff's alpha for tentative and for reliable conclusions (Content Analysis, section 11.4).
_TENTATIVE, _RELIABLE = 0.667, 0.8
_LEVEL = 0.05
# Maximum number of values per metric with a figure.
_FIGURES = 4
_NUMBER = re.compile(r"(-?[\d.]+(e[+-]?\d+)?|\N{EN DASH})?")


_STEPS = ["command", "version", "records", "calls", "method", "model", "replies by", "options"]
# Steps with equal values of these keys are combined in one row.
_SAME_STEP = ("command", "task", "version", "method", "model", "endpoints", "options")


class Table(NamedTuple):
    """A table of the report, with notes below."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    @property
    def is_text(self) -> list[bool]:
        """For each column, whether it has non-numeric cells."""
        return [not all(_NUMBER.fullmatch(row[place]) for row in self.rows) for place in range(len(self.columns))]


class Bar(NamedTuple):
    """A row of a figure: positions of the mean and the interval, in per cent of the width."""

    name: str
    told: str
    mean: float
    low: float | None
    high: float | None


class Figure(NamedTuple):
    """A figure of one value by system, with intervals; ``ends`` are the values at both sides."""

    caption: str
    ends: tuple[str, str]
    bars: list[Bar]


class Report:
    """Collects the records and results of a run, and writes the page.

    Attributes:
        n_missing: number of calls without a cached reply, which the costs lack; known at the end.
    """

    def __init__(
        self, files: Sequence[str], bundle: str | None = None, date: str | None = None, cache: Cache | None = None
    ) -> None:
        """``files``: inputs; ``bundle``: bundle to reproduce the run; ``date``: printed date; ``cache``: for costs."""
        self._files, self._bundle, self._date, self._cache = list(files), bundle, date, cache
        self._summaries: list[Record] = []
        self._agreement: list[Record] = []
        self._n_records = self.n_missing = 0
        self._keys: set[bytes] = set()
        self._steps: dict[tuple[str, ...], Record] = {}
        self._errors: Counter[tuple[str, str, str]] = Counter()
        self._rejected: Counter[tuple[str, str]] = Counter()
        self._nulls: Counter[tuple[str, str, str]] = Counter()
        self._reports: dict[tuple[str, str], dict[str, list[float]]] = {}
        self._sources: set[str] = set()
        self._scored: set[str] = set()

    def begin(self, output: Any) -> None:
        """Do nothing: the page is written at the end."""

    def make(self, record: Record) -> Record:
        """Count a record, or store a result.

        Raises:
            InputFault: a key has the wrong type.
        """
        if "stat" in record:
            _check_result(record, "stat", lambda: [_agreement_table([record]), *_agreed(record)])
            self._agreement.append(record)
        elif "metric" in record and ("values" in record or "compare" in record or "runs" in record):
            _check_result(record, "metric", lambda: [_summary_table([record]), *_compared(record), _few(record)])
            self._summaries.append(record)
        else:
            self._count(record)
        return record

    def write(self, output: Any, made: Record) -> None:
        """Do nothing: the page is written at the end."""

    def end(self, output: Any, n_failed: int) -> None:
        """Write the page."""
        steps = list(self._step_rows())
        used = [*map(worker_of, self._steps.values()), *self._scored]
        used += [entry["metric"] for entry in self._summaries]
        methods = list(methods_of(used))
        template = environment().get_template("report.html")
        shown = template.generate(
            version=__version__, date=self._date, bundle=self._bundle and Path(self._bundle).name, facets=FACETS,
            n_failed=n_failed, n_records=self._n_records, n_sources=len(self._sources), inputs=list(self._inputs()),
            steps=Table("Steps", _STEPS, steps),
            signatures=list(dict.fromkeys(self._signatures())),
            scores=list(self._score_tables()), figures=list(self._figures()), agreement=list(self._agreement_tables()),
            faults=list(self._fault_tables()), biases=list(self._bias_tables()), costs=self._costs(),
            n_missing=self.n_missing, claims=list(self._claims()), methods=methods, statistics=self._statistics(),
        )  # fmt: skip
        for part in shown:
            output.write(part)

    def _count(self, record: PaperRecord) -> None:
        # parse before counting, so that rejected records do not count
        steps, errors = read(record, "provenance") or (), read(record, "errors") or ()
        rejected, scores = read(record, "rejected") or (), read(record, "scores") or ()
        source = read(record, "source")
        judged, generated = read(record, "judgements"), read(record, "generated")
        keys = [keys_of(step) for step in (*steps, *errors)]
        self._n_records += 1
        self._keys.update(itertools.chain(*keys))
        for step, called in zip(steps, keys):
            key = tuple(as_text(step.get(name)) for name in _SAME_STEP)
            kept = self._steps.setdefault(key, {**step, "n": 0, "keys": set(), "signatures": {}})
            kept["n"] += 1
            kept["keys"].update(called)
            kept["signatures"][step["signature"]] = None
        for fault in errors:
            self._errors[worker_of(fault), fault["kind"], fault["reason"]] += 1
        for one in rejected:
            self._rejected[one["command"], one["reason"]] += 1
        for score in scores:
            self._scored.add(score["metric"])
            for name, value in score["values"].items():
                if value is None:
                    self._nulls[score["metric"], score["system"], score["reasons"].get(name, "no reason")] += 1
        if source and source.get("sha256"):
            self._sources.add(str(source["sha256"]))
        for task, entry in _entries(judged):
            self._add_report(f"judgements.{task}", entry, entry.get("report"))
        for task, entry in _entries(generated):
            self._add_report(f"generated.{task}", entry, entry.get("leak") or (entry.get("given") or {}).get("leak"))

    def _add_report(self, where: str, entry: Record, given: Any) -> None:
        """Aggregate a judge's report on orders and votes, or a generator's on leaks."""
        if isinstance(given, Mapping):
            counted = self._reports.setdefault((where, str(entry.get("system"))), {})
            for name, number in _numbers(given):
                counted.setdefault(name, []).append(number)

    def _signatures(self) -> Iterator[str]:
        """Signatures of all steps and results."""
        for step in self._steps.values():
            yield from step["signatures"]
        for entry in (*self._summaries, *self._agreement):
            if entry.get("signature"):
                yield str(entry["signature"])

    def _costs(self) -> Table | None:
        """Costs of all calls in the records, each counted once."""
        if self._cache is None:
            return None
        sums, self.n_missing = sum_up(self._cache, self._keys)
        taken = [(list(map(clean, group)), one.costs()) for group, one in sorted(sums.items())]
        rows = [[*group, *(cell for cell, _ in costs)] for group, costs in taken]
        notes = [f"{' '.join(group)}: {note}." for group, costs in taken for _, note in costs if note]
        return Table("Calls by prompt and model, each once", ["prompt", "model", *COSTS], rows, notes)

    def _inputs(self) -> Iterator[tuple[str, str | None]]:
        """Names of the input files with hashes; None for pipes."""
        for name in self._files:
            if name != "-" and not Path(name).is_file():
                yield name, None
            elif name != "-":
                with Path(name).open("rb") as file:
                    yield Path(name).name, hashlib.file_digest(file, "sha256").hexdigest()

    def _step_rows(self) -> Iterator[list[str]]:
        for step in self._steps.values():
            options = "; ".join(f"{name}={as_text(value)}" for name, value in (step.get("options") or {}).items())
            replies = ", ".join("default" if one is None else str(one) for one in step.get("endpoints") or ())
            told = (step.get("method") or "", step.get("model") or "", replies, options)
            yield [worker_of(step), step["version"], str(step["n"]), str(len(step["keys"]) or ""), *told]

    def _means(self) -> dict[str, list[Record]]:
        """Summaries of systems, by metric."""
        found: dict[str, list[Record]] = {}
        for entry in self._summaries:
            if "values" in entry and not {"compare", "runs"} & entry.keys():
                found.setdefault(entry["metric"], []).append(entry)
        return found

    def _score_tables(self) -> Iterator[Table]:
        for entries in self._means().values():
            yield _summary_table(entries)
        for entry in self._summaries:
            if "compare" in entry or "runs" in entry:
                yield _summary_table([entry])

    def _agreement_tables(self) -> Iterator[Table]:
        for stat in dict.fromkeys(entry["stat"] for entry in self._agreement):
            yield _agreement_table([entry for entry in self._agreement if entry["stat"] == stat])

    def _figures(self) -> Iterator[Figure]:
        for metric, entries in self._means().items():
            values = [pair for entry in entries for pair in entry["values"].items()]
            known = {name for name, value in values if value["mean"] is not None}
            names = [name for name in dict.fromkeys(name for name, _ in values) if name in known]
            for name in names[:_FIGURES]:
                of_name = [(_name(entry), entry["values"].get(name) or {}) for entry in entries]
                shown = [(who, value) for who, value in of_name if value.get("mean") is not None]
                if len(shown) > 1:
                    yield _figure(f"{metric}: {name}", shown)

    def _fault_tables(self) -> Iterator[Table]:
        """Errors, rejected passages and undefined values, by kind and descending frequency."""
        kinds = (
            ("Errors", ["command", "kind", "reason"], self._errors),
            ("Rejected passages", ["command", "reason"], self._rejected),
            ("Undefined values", ["metric", "system", "reason"], self._nulls),
        )
        for caption, columns, counted in kinds:
            if counted:
                ordered = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
                yield Table(caption, [*columns, "times"], [[*key, str(n)] for key, n in ordered])

    def _bias_tables(self) -> Iterator[Table]:
        for (where, system), counted in self._reports.items():
            rows = [[name, as_number(math.fsum(values))] for name, values in counted.items()]
            yield Table(f"{where}, {system}: sums over records", ["count", "sum"], rows)

    def _claims(self) -> Iterator[str]:
        """Conclusions that the numbers justify, with their basis."""
        for entry in self._summaries:
            yield from _compared(entry)
        for entry in self._agreement:
            yield from _agreed(entry)
        few = [one for entry in self._summaries if (one := _few(entry))]
        if few:
            told = ", ".join(few)
            yield f"Fewer than {_ENOUGH} records: {told}. Intervals may cover the truth too rarely (docs/intervals.md)."

    def _statistics(self) -> list[str]:
        """Methods of intervals and tests, as stated in the results."""
        made = {
            f"{one['interval'].get('method')} intervals at {as_number(one['interval'].get('confidence'))} over "
            f"{one['interval'].get('over', 'items')}"
            for one in (*self._summaries, *self._agreement)
            if isinstance(one.get("interval"), Mapping) and one["interval"].get("method")
        }
        return sorted(made)


def _check_result(record: Entry, name: str, show: Callable[[], object]) -> None:
    """Check that a result has the expected structure.

    Raises:
        InputFault: it has not; only this result is omitted then.
    """
    try:
        if not isinstance(record[name], str):
            raise TypeError(f"{name} is not a text")
        if isinstance(interval := record.get("interval"), Mapping):
            as_number(interval.get("confidence"))
        show()
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise InputFault(f"not a result as st-score and st-agree write it ({error!r})", kind="invalid-key") from None


def _agreement_table(entries: Sequence[Record]) -> Table:
    """Results of one statistic."""
    rows = [row for entry in entries for row in RESULTS["agree"].make(entry)]
    return _table(f"Agreement: {entries[0]['stat']}", AGREE, rows, ["stat", "signature", "more"])


def _summary_table(entries: Sequence[Record]) -> Table:
    """Summaries of one metric, a comparison, or a set of runs."""
    entry = entries[0]
    if "compare" in entry:
        caption = f"Comparison: {entry['metric']}, {' and '.join(entry['compare'])}"
        return _table(caption, summaries.COMPARISONS, summaries.comparison_rows(entry), ["metric", "first", "second"])
    if "runs" in entry:
        caption = f"Runs: {entry['metric']}, {', '.join(entry['runs'])}"
        return _table(caption, summaries.RUNS, summaries.runs_rows(entry), ["metric", "runs"])
    rows = [row for one in entries for row in summaries.summary_rows(one)]
    return _table(f"Scores: {entry['metric']}", summaries.SUMMARY, rows, ["metric"], _interval_notes(entries))


def _entries(tasks: Any) -> Iterator[tuple[str, Record]]:
    for task, entries in (tasks or {}).items():
        yield from ((task, entry) for entry in entries or () if isinstance(entry, dict))


def _numbers(value: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    """Numbers in an object by path."""
    for name, one in value.items():
        if isinstance(one, Mapping):
            yield from _numbers(one, f"{before}{name}.")
        elif isinstance(one, (int, float)) and not isinstance(one, bool) and math.isfinite(one):
            yield f"{before}{name}", one


def _table(
    caption: str,
    columns: Sequence[Any],
    rows: Sequence[Sequence[Any]],
    without: Sequence[str],
    notes: Sequence[str] = (),
) -> Table:
    """A table without the named and without empty columns."""
    kept = [
        place
        for place, column in enumerate(columns)
        if column.heading not in without and any(row[place] is not None for row in rows)
    ]
    cells = [["" if row[place] is None else as_text(row[place]) for place in kept] for row in rows]
    return Table(caption, [columns[place].heading.replace("_", " ") for place in kept], cells, notes)


def _name(entry: Record) -> str:
    return entry["system"] + (f" ({entry['by']})" if "by" in entry else "")


def _interval_notes(entries: Sequence[Record]) -> list[str]:
    """Numbers of undefined values by system and reason."""
    notes = [
        f"{_name(entry)}: {n} values undefined: {reason}"
        for entry in entries
        for reason, n in sum((Counter(value.get("nulls", {})) for value in entry["values"].values()), Counter()).items()
    ]
    return list(dict.fromkeys(notes))


def _figure(caption: str, values: Sequence[tuple[str, Record]]) -> Figure:
    """Means and intervals on a common scale."""
    ends = [
        one for _, value in values for one in (value["mean"], value.get("low"), value.get("high")) if one is not None
    ]
    low, high = min(ends), max(ends)
    width = (high - low) or 1.0

    def place(value: float | None) -> float | None:
        return None if value is None else round(100 * (value - low) / width, 2)

    bars = [
        Bar(name, _with_interval(value), place(value["mean"]) or 0.0, place(value.get("low")), place(value.get("high")))
        for name, value in values
    ]
    return Figure(caption, (as_number(low, 3), as_number(high, 3)), bars)


def _few(entry: Record) -> str:
    """Smallest number of records behind a value of a summary, if small; empty for other results."""
    if "system" not in entry:
        return ""
    fewest = min([entry["n"], *(value["n"] for value in entry["values"].values() if value.get("n"))])
    return f"{entry['metric']} of {_name(entry)} ({fewest})" if fewest < _ENOUGH else ""


def _beside(value: float, bounds: Sequence[float]) -> str:
    """Format a number with enough digits to show on which side of the bounds it is."""
    for digits in range(3, 9):
        shown = round(value, digits)
        if all((shown < bound) == (value < bound) and (shown == bound) == (value == bound) for bound in bounds):
            return as_number(value, digits)
    return repr(value)


def _with_interval(value: Mapping[str, Any], key: str = "mean") -> str:
    interval = "" if value.get("low") is None else f" [{as_number(value['low'], 3)}, {as_number(value['high'], 3)}]"
    return f"{as_number(value[key], 3)}{interval}" + (f", n = {value['n']}" if "n" in value else "")


_CORRECTIONS = {
    "p_holm": "corrected by Holm", "p_bh": "corrected by Benjamini and Hochberg", "p": "not corrected",
}  # fmt: skip


def _compared(entry: Entry) -> Iterator[str]:
    """A sentence for each tested difference; none for other results."""
    if "compare" not in entry:
        return
    first, second = entry["compare"]
    for name, value in {**entry["values"], **entry.get("corpus", {})}.items():
        difference = value["difference"]
        told = f"{entry['metric']} {name}, {first} and {second} on {value['n']} items"
        told += " (few: the test is inaccurate)" if value["n"] < _ENOUGH else ""
        if difference.get("value") is None:
            yield f"{told}: undecided: {difference.get('reason')}."
            continue
        corrected = next((key for key in _CORRECTIONS if difference.get(key) is not None), None)
        if corrected is None:
            yield f"{told}: the difference is {_with_interval(difference, 'value')}, which was not tested."
            continue
        p = f"p = {_beside(difference[corrected], [_LEVEL])} ({_CORRECTIONS[corrected]})"
        if difference[corrected] < _LEVEL and difference["value"]:
            higher, by = (first, difference) if difference["value"] > 0 else (second, _reversed(difference))
            yield f"{told}: {higher} is higher by {_with_interval(by, 'value')}, {p}."
        else:
            shown = _with_interval(difference, "value")
            yield f"{told}: no difference is shown ({shown}, {p}). This is no evidence that they are equal."


def _reversed(difference: Mapping[str, Any]) -> Record:
    """The difference with reversed sign."""
    turned = {"value": "value", "low": "high", "high": "low"}
    return {name: None if (one := difference.get(of)) is None else -one for name, of in turned.items()}


def _agreed(entry: Entry) -> Iterator[str]:
    """Conclusions from an alpha and the lower bound of its interval, by Krippendorff's thresholds."""
    if entry["stat"] not in ("alpha", "report") or entry.get("value") is None:
        return
    low = (entry.get("interval") or {}).get("low")
    without = f" without {as_text(entry['without'])}" if entry.get("without") is not None else ""
    few = "; few items, so the interval is inaccurate" if entry["n_items"] < _ENOUGH else ""
    sizes = f"{entry['n_items']} items, {entry['n_raters']} raters{few}"
    bounds = (_TENTATIVE, _RELIABLE)
    told = f"Alpha of {entry.get('label') or 'the ratings'}{without}: {_beside(entry['value'], bounds)} ({sizes})"
    if low is None:
        yield f"{told}, without an interval: its value for other items is unknown."
        return
    end = f"{told}; the lower end of its interval, {_beside(low, bounds)},"
    if low >= _RELIABLE:
        yield f"{end} is at least {_RELIABLE}: reliable."
    elif low >= _TENTATIVE:
        yield f"{end} permits only tentative conclusions."
    else:
        yield f"{end} is under {_TENTATIVE}: not shown to be reliable."
