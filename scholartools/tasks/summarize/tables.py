"""Format summaries and comparisons as text tables and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.metrics.statistics.resampling import FEW, tell_few
from scholartools.records import Record
from scholartools.table_files.formats import Column
from scholartools.table_files.text_out import Delimited
from scholartools.tasks.shared.families import corrected_p
from scholartools.tasks.summarize.corpus_level import COUNT
from scholartools.tasks.summarize.groups import COUNTS, count_notes, part_of
from scholartools.tasks.summarize.runs import value_note, value_notes

if TYPE_CHECKING:
    from scholartools.records import Entry

# With more measures, a table has a row per measure and a column per system.
_WIDE = 4

# Maximum number of values without interval that a note names.
_MOST_NAMED = 4

# Metrics that are only shown at corpus level, as published: a single weakness has no meaningful F1 or alpha. Tables
# omit their means over records and counts; CSV and records have them.
_POOLED = frozenset(
    ["weaknesses", "labels", "targets", "edits", "verifications", "contamination", "specificity", "same-issue"]
)

# Definitions that differ from common use.
_MATCH_NOTE = (
    "precision and recall are named as in BAGELS, the other way round from common use: precision is tp / (tp + ground "
    "truths unmatched), recall tp / (tp + generated unmatched)"
)


def _columns(said: str, kinds: Mapping[str, str]) -> list[Column]:
    """Columns of values, by default numbers; ``said`` has a line "heading: note" for each."""
    pairs = (line.strip().partition(": ") for line in said.strip().splitlines())
    return [Column(heading, kinds.get(heading, "number"), f"values.*.{heading}", note) for heading, _, note in pairs]


_TEXTS = dict.fromkeys(["metric", "system", "first", "second", "runs", "by", "value", "reasons", "counts"], "text")
_COUNTED = dict.fromkeys(["n", "nulls", "first_only", "second_only", "first_nulls", "second_nulls"], "integer")

#: Columns of summaries (a row per metric, system and value), comparisons, and groups of runs.
SUMMARY = _columns("""
    metric: of st-score
    system: that was scored
    by: the part of the input; empty: all
    value: a value of the metric; corpus.NAME is over the whole input, and its value stands under mean
    n: records in the mean
    mean: of the records
    median: of the records
    low: end of the interval of the mean
    high: end of the interval of the mean
    nulls: records of which the value is undefined
    reasons: why, with how often each
    counts: what else was counted
    mean_without_empty: the mean without records of which the system said nothing
    mean_without_refused: the mean without what was refused
""", _TEXTS | _COUNTED)  # fmt: skip
COMPARISONS = _columns("""
    metric: of st-score
    first: system
    second: system
    by: the part of the input; empty: all
    value: a value of the metric
    n: pairs
    first_only: items left out, with a number of the first alone
    second_only: items left out, with a number of the second alone
    first_nulls: undefined or missing for the first
    second_nulls: undefined or missing for the second
    first_mean: over the pairs
    second_mean: over the pairs
    difference: first - second
    low: end of the interval of the difference
    high: end of the interval of the difference
    p: of the difference
    p_holm: corrected by Holm for all tests of the run
    p_bh: corrected by Benjamini and Hochberg
    t: of the t-test
    df: degrees of freedom of the t-test
    t_p: p of the t-test
    t_p_holm: corrected by Holm for all t-tests of the run
    t_p_bh: corrected by Benjamini and Hochberg
    cohen_d: effect size
    reasons: why numbers are empty
""", _TEXTS | _COUNTED)  # fmt: skip
RUNS = _columns("""
    metric: of st-score
    runs: their names
    by: the part of the input; empty: all
    value: a value of the metric
    n: runs
    mean: of the runs
    sd: of the runs
    min: of the runs
    max: of the runs
    reasons: why numbers are empty, and what to know of them
""", _TEXTS | _COUNTED)  # fmt: skip


def table(results: Sequence[Record]) -> str:
    """One table per metric, with intervals in the cells; then one per comparison."""
    from tabulate import tabulate

    blocks = []
    summaries = [entry for entry in results if "compare" not in entry and "runs" not in entry]
    for metric in dict.fromkeys(entry["metric"] for entry in summaries):
        entries = [entry for entry in summaries if entry["metric"] == metric]
        rows, headers = _tall_rows(entries) if len(_measure_names(entries)) > _WIDE else _flat_rows(entries)
        align = ["left"] * 2 + ["right"] if headers[2:3] == ["n"] else ["left"] * len(headers)
        blocks.append(tabulate(rows, headers, "simple", disable_numparse=True, colalign=align[: len(headers)]))
        blocks.append("\n".join([*_iter_notes(entries), *_shape_note(entries)]))
    for entry in results:
        if "runs" in entry:
            rows = list(_spread_rows(entry))
            blocks.append(tabulate(rows, _spread_headers(entry), "simple", disable_numparse=True))
            blocks.append("\n".join(_runs_notes(entry)))
        if "compare" in entry:
            blocks.append(
                tabulate(list(_comparison_cells(entry)), _comparison_headers(entry), "simple", disable_numparse=True)
            )
            blocks.append("\n".join(_comparison_notes(entry)))
    return "\n\n".join(block for block in blocks if block) + "\n" if blocks else ""


def results_csv(results: Sequence[Record]) -> str:
    """CSV of the runs if there are any, else of the comparisons, else of the summaries, as written by st-table."""
    columns, rows_of = SUMMARY, summary_rows
    if any("runs" in entry for entry in results):
        columns, rows_of = RUNS, runs_rows
    elif any("compare" in entry for entry in results):
        columns, rows_of = COMPARISONS, comparison_rows
    made = Delimited(columns, ",")
    return made.head() + "".join(made.add(rows_of(entry)) for entry in results)


def summary_rows(entry: Record) -> list[list[Any]]:
    """A row per value of a summary; empty for other results."""
    if "compare" in entry or "runs" in entry:
        return []
    rows = list[list[Any]]()
    for name, value in _cells_of(entry).items():
        nulls = value.get("nulls", {})
        reason = [value["reason"]] if "reason" in value else []
        rows.append([
            entry["metric"], entry["system"], _text_of(part_of(entry)), name, value["n"], value["mean"],
            value.get("median"), value["low"], value["high"], sum(nulls.values()),
            "; ".join([*(f"{count} x {why}" for why, count in nulls.items()), *reason]) or None,
            "; ".join(f"{name}={entry[name]}" for name in COUNTS if name in entry) or None,
            value.get("without_empty", {}).get("mean"), _unrefused_mean(value),
        ])  # fmt: skip
    return rows


def _text_of(part: object) -> str | None:
    return None if part is None else str(part)


def _unrefused_mean(value: Record) -> float | None:
    found = value.get("without_refused", {})
    return found.get("mean", found.get("value"))


def comparison_rows(entry: Record) -> list[list[Any]]:
    """A row per value of a comparison, with differences first - second; empty for other results."""
    rows = list[list[Any]]()
    for name, value in _all_values(entry).items() if "compare" in entry else ():
        difference, test = value["difference"], value["t_test"]
        reasons = dict.fromkeys(part["reason"] for part in (difference, test, value["cohen_d"]) if part["reason"])
        rows.append([
            entry["metric"], *entry["compare"], _text_of(part_of(entry)), name, value["n"],
            *value["unpaired"], *value["nulls"], *value["means"],
            *(difference.get(key) for key in ("value", "low", "high", "p", "p_holm", "p_bh")),
            *(test.get(key) for key in ("t", "df", "p", "p_holm", "p_bh")), value["cohen_d"]["value"],
            "; ".join(reasons) or None,
        ])  # fmt: skip
    return rows


def runs_rows(entry: Record) -> list[list[Any]]:
    """A row per value of a group of runs; empty for other results."""
    return [
        [entry["metric"], " ".join(entry["runs"]), _text_of(part_of(entry)), name, value["n"],
         *(value[key] for key in ("mean", "sd", "min", "max")),
         "; ".join([*value_note(entry, value), *_identical_notes(entry)]) or None]
        for name, value in (_all_values(entry).items() if "runs" in entry else ())
    ]  # fmt: skip


def _spread_headers(entry: Record) -> list[str]:
    part = f" ({_format_part(part_of(entry))})" if "by" in entry else ""
    return [f"{entry['metric']}, runs {', '.join(entry['runs'])}{part}", "mean", "SD", "min", "max"]


def _runs_values(entry: Record) -> dict[str, Record]:
    """Values of runs shown in a table."""
    return entry["corpus"] if entry["metric"] in _POOLED else _all_values(entry)


def _spread_rows(entry: Record) -> Iterator[list[str]]:
    for name, value in _runs_values(entry).items():
        yield [name, *(_format_number(value[key]) for key in ("mean", "sd", "min", "max"))]


def _runs_notes(entry: Record) -> Iterator[str]:
    """Notes on null values, different records, and identical runs."""
    yield from value_notes(entry, _runs_values(entry))
    yield from _identical_notes(entry)


def _identical_notes(entry: Entry) -> Iterator[str]:
    for names in entry.get("identical", ()):
        yield f"runs {', '.join(names)} are identical in all that is scored: are they one run, or of one seed?"


def _cells_of(entry: Entry) -> dict[str, Record]:
    """All values of a summary, including corpus-level ones, with a mean."""
    corpus = entry.get("corpus", {})
    whole = {f"corpus.{name}": {**value, "mean": value["value"]} for name, value in corpus.items()}
    return {**entry["values"], **whole}


def _all_values(entry: Entry) -> dict[str, Record]:
    """All values of a comparison or of runs, including corpus-level ones."""
    return {**entry["values"], **{f"corpus.{name}": value for name, value in entry.get("corpus", {}).items()}}


def _table_values(entry: Entry) -> dict[str, Record]:
    """Values of a summary shown in a table."""
    if entry["metric"] not in _POOLED:
        return _cells_of(entry)
    return {name: {**value, "mean": value["value"]} for name, value in entry["corpus"].items()}


def _flat_rows(entries: Sequence[Record]) -> tuple[list[list[str]], list[str]]:
    """A row per system and part, a column per measure."""
    measures = _measure_names(entries)
    rows = []
    for entry in entries:
        values = {_split_measure(name): value for name, value in _table_values(entry).items()}
        for part in dict.fromkeys(part for part, _ in values):
            cells = [_format_cell(values.get((part, measure)), entry["n"]) for measure in measures]
            rows.append([_system_name(entry), part, str(entry["n"]), *cells])
    return rows, [entries[0]["metric"], "", "n", *measures]


def _tall_rows(entries: Sequence[Record]) -> tuple[list[list[str]], list[str]]:
    """A row per value, a column per system."""
    cells = [_table_values(entry) for entry in entries]
    names = dict.fromkeys(name for part in cells for name in part)
    rows = [
        [name, *(_format_cell(part.get(name), entry["n"]) for entry, part in zip(entries, cells, strict=True))]
        for name in names
    ]
    return rows, [entries[0]["metric"], *(f"{_system_name(entry)}, n={entry['n']}" for entry in entries)]


def _measure_names(entries: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(_split_measure(name)[1] for entry in entries for name in _table_values(entry)))


def _split_measure(name: str) -> tuple[str, str]:
    """Split a value name into part and measure: ``result.rouge1``."""
    part, dot, measure = name.partition(".")
    return (part, measure) if dot else ("", name)


def _format_cell(value: Record | None, n: int) -> str:
    """Format a mean with interval, and n if it is below that of the row."""
    if value is None or value["mean"] is None:
        return "-"
    interval = "" if value["low"] is None else f" [{value['low']:.3f}, {value['high']:.3f}]"
    fewer = "" if value["n"] == n else f" n={value['n']}"
    return f"{value['mean']:.3f}{interval}{fewer}"


def _system_name(entry: Record) -> str:
    name = " ".join(entry["system"].split())
    return f"{name} ({_format_part(part_of(entry))})" if "by" in entry else name


def _format_part(part: object) -> str:
    """Format a part of the input; text that looks like a number is quoted."""
    return f'"{part}"' if isinstance(part, str) and part.lstrip("-").isdigit() else str(part)


def _iter_notes(entries: Sequence[Record]) -> Iterator[str]:
    """Notes on empty cells and cells with fewer records than n."""
    for entry in entries:
        if "median_of" in entry and "reason" in entry:
            yield f"{_system_name(entry)}: no run is the median: {entry['reason']}"
            continue
        if entry["metric"] in _POOLED:
            yield from _pooled_notes(entry)
            continue
        seen = set()
        for name, value in _cells_of(entry).items():
            part = ", ".join(word for word in (_system_name(entry), _split_measure(name)[0]) if word)
            counts = [(reason, count) for reason, count in value.get("nulls", {}).items()]
            notes = [f"{part}: {count} of {entry['n']} undefined: {reason}" for reason, count in counts]
            if name.startswith("corpus.") and value["mean"] is None:
                notes.append(f"{_system_name(entry)}, {name}: {value['reason']}")
            yield from (note for note in dict.fromkeys(notes) if note not in seen)
            seen.update(notes)
        yield from _interval_notes(entry)
        yield from _count_notes(entry)
    if entries[0]["metric"] == "match":
        yield _MATCH_NOTE
    if failed := entries[0]["failed"]:
        yield f"records that failed and are in no number: {failed}"


def _pooled_notes(entry: Record) -> Iterator[str]:
    """Notes on undefined corpus-level values, by reason."""
    names: dict[str, list[str]] = {}
    for name, value in entry["corpus"].items():
        if value["value"] is None:
            reason = "nothing was counted" if value["reason"].startswith("nothing was counted") else value["reason"]
            names.setdefault(reason, []).append(name)
    yield from (f"{_system_name(entry)}, {', '.join(some)}: {reason}" for reason, some in names.items())
    yield from _interval_notes(entry)
    yield from _count_notes(entry)


def _interval_notes(entry: Record) -> Iterator[str]:
    """Notes on missing intervals, by reason."""
    shown = {name: value for name, value in _table_values(entry).items() if value["mean"] is not None}
    names: dict[str, list[str]] = {}
    for name, value in shown.items():
        if value["low"] is None and "reason" in value and not _is_told(name, value):
            names.setdefault(value["reason"], []).append(name)
    for reason, some in names.items():
        if len(some) > _MOST_NAMED:
            yield f"{_system_name(entry)}: no interval of {len(some)} of {len(shown)} values: {reason}"
        else:
            yield f"{_system_name(entry)}: no interval of {', '.join(some)}: {reason}"


def _is_told(name: str, value: Record) -> bool:
    """Whether a missing interval needs no note: for counts and p-values."""
    return value["reason"] == COUNT or name.endswith("sign_test_p")


def _count_notes(entry: Record) -> Iterator[str]:
    if "run" in entry:
        runs = f"median of {len(entry['median_of'])} by {entry['median_by']}"
        yield f"{_system_name(entry)}: the run {entry['run']}, {runs}"
    yield from (f"{_system_name(entry)}: {sentence}" for sentence in count_notes(entry))
    if authors := entry.get("targets_by"):
        on_whose = ", ".join(f"{count} on targets of {name}" for name, count in authors.items())
        yield f"{_system_name(entry)}: {on_whose}"
    others = {name: value["without_empty"] for name, value in entry["values"].items() if "without_empty" in value}
    means = ", ".join(f"{name} {_format_number(value['mean'])}" for name, value in others.items() if name != "n_items")
    if means:
        n = max(value["n"] for value in others.values())
        yield f"{_system_name(entry)}: means of the {n} others, in which it said something: {means}"
    yield from _unrefused_note(entry)


def _unrefused_note(entry: Record) -> Iterator[str]:
    """Values that exclude refusals."""
    found = {name: value for name, value in _table_values(entry).items() if "without_refused" in value}
    cells = [f"{name} {_format_number(_unrefused_mean(value))}" for name, value in found.items()]
    if cells:
        yield f"{_system_name(entry)}: without what was refused: {', '.join(cells)}"


def _shape_note(entries: Sequence[Record]) -> Iterator[str]:
    there = [value for entry in entries for value in _cells_of(entry).values() if value["low"] is not None]
    if not there:
        return
    how = entries[0]["interval"]
    what = "value over the whole input" if entries[0]["metric"] in _POOLED else "mean"
    yield f"{what} {_describe_interval(how)}"
    if min(value["n_clusters" if "n_clusters" in value else "n"] for value in there) < FEW:
        yield tell_few(how["method"])


def _describe_interval(how: Record) -> str:
    over = "" if how["over"] == "items" else f" over {how['over']}"
    if how["method"] == "jackknife":
        return f"[{how['confidence']:.0%} jackknife interval{over}, by t]"
    return f"[{how['confidence']:.0%} bootstrap interval{over}, {how['samples']} samples, seed {how['seed']}]"


def _comparison_headers(entry: Record) -> list[str]:
    title = f"{entry['metric']}: {' - '.join(' '.join(name.split()) for name in entry['compare'])}"
    title += f" ({part_of(entry)})" if "by" in entry else ""
    corrected = _correction_title(entry)
    return [title, "difference", "n", "p", f"p ({corrected})", "t-test p", f"t-test p ({corrected})", "Cohen's d"]


def _correction_title(entry: Entry) -> str:
    return next((corrected_p(value["difference"])[0] for value in _all_values(entry).values()), "Holm")


def _comparison_cells(entry: Entry) -> Iterator[list[str]]:
    for name, value in _all_values(entry).items():
        difference, test = value["difference"], value["t_test"]
        shown = {**difference, "mean": difference["value"], "n": value["n"]}
        tested = [_format_number(p) for part in (difference, test) for p in (part["p"], corrected_p(part)[1])]
        yield [
            name,
            _format_cell(shown, value["n"]),
            str(value["n"]),
            *tested,
            _format_number(value["cohen_d"]["value"]),
        ]


def _comparison_notes(entry: Entry) -> Iterator[str]:
    """Notes on omitted items, undefined values, and zeros for missing output, with the values concerned."""
    notes: dict[str, list[str]] = {}
    systems = [" ".join(name.split()) for name in entry["compare"]]
    for name, value in _all_values(entry).items():
        for system, count in zip(systems, value["unpaired"], strict=True):
            if count:
                notes.setdefault(f"items left out, with a number of {system} alone: {count}", []).append(name)
        for system, count in zip(systems, value["nulls"], strict=True):
            if count:
                notes.setdefault(f"undefined or missing for {system}: {count}", []).append(name)
        for reason in dict.fromkeys(value[part]["reason"] for part in ("difference", "t_test", "cohen_d")):
            if reason:
                notes.setdefault(reason, []).append(name)
        test = value["t_test"]
        if test["over"] not in (None, "items") and not test["reason"]:
            notes.setdefault(f"t-test of the mean differences by {test['over']}, n={test['n']}", []).append(name)
    yield from (f"{', '.join(names)}: {note}" for note, names in notes.items())
    for name, counts in entry.get("counts", {}).items():
        yield f"{name}: {', '.join(f'{count} of {system}' for system, count in zip(systems, counts, strict=True))}"
    family = f"{_correction_title(entry)} over all values, pairs, metrics and parts of this output: "
    family += f"{entry['n_tests']} {entry['interval']['method']} p, {entry['n_t_tests']} t-test p"
    yield f"difference of means {_describe_interval(entry['interval'])}; {family}"
    drawn = [value["t_test"]["n"] for value in entry["values"].values() if value["difference"]["low"] is not None]
    if min(drawn, default=FEW) < FEW:
        yield tell_few(entry["interval"]["method"])


def _format_number(value: float | None) -> str:
    """Format a number; small ones in exponent notation."""
    if value is None:
        return "-"
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"
