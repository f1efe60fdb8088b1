"""Human-readable results of st-agree: a table per statistic, with notes on sample sizes and empty cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from scholartools.metrics.statistics.resampling import FEW, tell_few
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.agree.spelling import format_interval as _format_interval
from scholartools.tasks.agree.spelling import format_number as _format_number
from scholartools.tasks.shared.families import corrected_p
from scholartools.wording import count_of

# Maximum number of results with the same reason that get a line each; if there are more, the reason is written once.
_MOST_ALIKE = 3
# Cells of a table, as (row, column, text).
Cells = Iterator[tuple[str, str, str]]


def table(entries: Sequence[Record]) -> str:
    """One table per statistic (and level, weights or measure), such as rows of raters and a column per label.

    Intervals are in brackets, numbers of items in parentheses.
    """
    from tabulate import tabulate

    blocks = []
    for title in dict.fromkeys(map(_table_title, entries)):
        members = [entry for entry in entries if _table_title(entry) == title]
        cells = {
            (row, column): text
            for entry in members
            for row, column, text in _CELLS.get(entry["stat"], _value_cells)(entry)
        }
        rows, columns = (list(dict.fromkeys(place[axis] for place in cells)) for axis in (0, 1))
        body = [[row, *(cells.get((row, column), "") for column in columns)] for row in rows]
        blocks.append(tabulate(body, [title, *columns], "simple", disable_numparse=True))
        blocks.append("\n".join(_iter_notes(members)))
    return "\n\n".join(block for block in blocks if block) + "\n" if blocks else ""


def _table_title(entry: Record) -> str:
    """The title of the table that a result belongs to."""
    if entry["stat"] == "errors" and "bins" in entry:
        return f"errors, {entry['bins']} bins of {entry['y']}" + (", by item" if entry["measure"] == "item" else "")
    if entry["stat"] == "confusion" and "raters" in entry:
        return f"confusion of {' and '.join(map(_plain_cell, entry['raters']))}"
    if entry["stat"] == "confusion":
        return "confusion, weighted agreement" if entry["measure"] == "weighted" else "confusion, agreement on a value"
    if entry.get("of") == "difference" and entry["stat"] == "correlate":
        return _difference_title(entry)
    if entry["stat"] in ("pairwise", "rank"):
        within = {"item": "within items", "system": "within systems", "none": "all pairs"}[entry["grouping"]]
        within = "of systems" if entry.get("level") == "system" else within
        return f"{entry['stat']} {entry['measure']}, {within}, ties: {entry['ties']}" + _rank_title(entry)
    about = ("level", "weights", "measure", "of", "ddof", "epsilon")
    said = [
        f"{key} {entry[key]}" if key in ("ddof", "epsilon") else str(entry[key])
        for key in about
        if isinstance(entry.get(key), (str, int))
    ]
    return " ".join([entry["stat"], *said])


def _rank_title(entry: Record) -> str:
    """Suffix of the title of a table of ranks."""
    return f" ({entry['of']})" if entry["stat"] == "rank" else ""


def _difference_title(entry: Record) -> str:
    """Title of differences, such as "correlate pearson difference of partial coefficients (words held)"."""
    kind = {
        "records": "coefficients",
        "partial": f"partial coefficients ({', '.join(entry.get('control', ()))} held)",
        "groups": f"mean coefficients within {entry.get('within')}",
        "means": f"coefficients of means by {entry.get('by')}",
    }[entry["between"]]
    return f"correlate {entry['measure']} difference of {kind}"


def _by_label(entry: Record) -> Cells:
    yield _rater_names(entry), _label_name(entry), _format_value(entry)
    if "mean_of_pairs" in entry:
        yield (
            f"mean of pairs with {_plain_cell(entry['rater'])}",
            _label_name(entry),
            _format_number(entry["mean_of_pairs"]),
        )
    if "difference" in entry:
        found = entry["difference"]
        told = f"{_format_number(found['value'])}{_format_interval(found)}, {_tell_p(found)}"
        yield f"all less without {_plain_cell(entry['without'])}", _label_name(entry), told


def _icc_cells(entry: Record) -> Cells:
    label = _label_name(entry)
    yield entry["form"], f"{label} (F)".strip(), _format_value(entry)
    yield entry["form"], f"{label} (jackknife)".strip(), _format_interval(entry["jackknife"]).strip() or "-"


def _concordance_cells(entry: Record) -> Cells:
    row = f"{_label_name(entry)} {_rater_names(entry)}".strip()
    yield row, "concordance", _format_value(entry)
    for name, found in zip(("bias", "lower limit", "upper limit"), (entry["bias"], *entry["limits"]), strict=True):
        yield row, name, _format_number(found["value"]) + _format_interval(found["interval"])


def _confusion_cells(entry: Record) -> Cells:
    if entry["measure"] != "table":
        row = _plain_cell(entry["category"]) if "category" in entry else f"all values, {entry['weights']} weights"
        n = entry.get("n_ratings", entry.get("n_items"))
        yield row, _label_name(entry) or "value", f"{_format_value({**entry, 'n': n, 'n_items': n})}"
        return
    first, second = map(_plain_cell, entry["raters"])
    for value, row in zip(entry["values"], entry["counts"], strict=True):
        for other, count in zip(entry["values"], row, strict=True):
            yield (
                f"{_label_name(entry)} {first}: {_plain_cell(value)}".strip(),
                f"{second}: {_plain_cell(other)}",
                str(count),
            )


def _ceiling_cells(entry: Record) -> Cells:
    row = (
        _label_name(entry) if entry["judge"] is None else f"{_label_name(entry)} {_plain_cell(entry['judge'])}".strip()
    )
    yield row, "a person", f"{_format_number(entry['value'])}{_format_interval(entry['interval'])}"
    yield row, "people", str(entry["n_raters"])
    if entry["judge"] is None:
        return
    yield row, "the judge", f"{_format_number(entry['judge_value'])}{_format_interval(entry['judge_interval'])}"
    if found := entry["difference"]:
        yield row, "judge - person", _format_number(found["value"]) + _format_interval(found["interval"])
        yield row, "p", _format_number(found["p"])
        yield from _corrected_cells(row, "p", found)


def _alternative_cells(entry: Record) -> Cells:
    row = " ".join([_label_name(entry), _plain_cell(entry["judge"])]).strip()
    if entry["rater"] is None:
        passes = {True: "passes", False: "fails", None: "-"}[entry["passes"]]
        told = f"{_format_number(entry['value'])} ({entry['n_won']} of {entry['n_tested']}): {passes}"
        yield row, "winning rate", told
        yield row, "advantage", _format_number(entry["advantage"])
        return
    row = f"{row}, against {_plain_cell(entry['rater'])}"
    yield row, "advantage", f"{_format_number(entry['value'])} ({entry['n']})"
    yield row, "of the rater", _format_number(entry["of_rater"])
    yield row, "p", _format_number(entry["p"])
    yield row, "p (BY)", _format_number(entry["p_by"])


def _report_cells(entry: Record) -> Cells:
    row = _label_name(entry)
    yield row, "alpha", _format_value(entry)
    yield row, "kappa", _format_number(entry["kappa"])
    yield row, "equal", _format_number(entry["agreement"])
    yield row, "least change", _format_number(entry["least_detectable"])
    yield row, "values", " ".join(f"{_plain_cell(one['value'])}:{one['share']:.0%}" for one in entry["prevalence"])
    if entry["pairs"]:
        pair = entry["pairs"][0]
        yield row, "most apart", f"{' and '.join(map(_plain_cell, pair['raters']))}: {pair['n_differ']} of {pair['n']}"
    if entry["swaps"]:
        most = entry["swaps"][0]
        yield row, "most swapped", f"{' and '.join(map(_plain_cell, most['value']))}: {most['share']:.0%}"
    for change in entry["changes"]:
        own, found = f"{row}, all less without {_plain_cell(change['rater'])}", change["difference"]
        yield own, "alpha", f"{_format_number(found['value'])}{_format_interval(found)}, {_tell_p(found)}"
        yield own, "least change", _format_number(change["least_detectable"])


def _majority_cells(entry: Record) -> Cells:
    if "n_kept" in entry:
        yield _label_name(entry), "kept", _format_number(entry["value"])
        yield _label_name(entry), "n", f"{entry['n_kept']} of {entry['n_items']}"
        return
    yield str(entry["item"]), _label_name(entry), "-" if entry["value"] is None else _plain_cell(entry["value"])


def _correlate_cells(entry: Record) -> Cells:
    row = entry["x"] if "x" in entry else " - ".join(entry["compare"])
    column = _with_each(entry, entry["y"])
    if "compare" in entry:
        for name, value in zip(("first", "second"), entry["values"], strict=True):
            yield row, f"{column}: {name}", _format_number(value)
        yield row, f"{column}: difference", _format_value(entry)
        yield row, f"{column}: p", _format_number(entry["p"])
        yield from _corrected_cells(row, f"{column}: p", entry)
        yield row, f"{column}: {entry['needed']['over']} needed", str(entry["needed"]["n"] or "-")
        return
    yield row, column, _format_value(entry)


def _rank_cells(entry: Record) -> Cells:
    column = _with_each(entry, entry["y"])
    if "x" in entry:
        yield entry["x"], column, f"{_format_number(entry['value'])} ({entry['n']})"
        yield entry["x"], f"{column}: rank", str(entry["rank"] or "-")
        yield entry["x"], f"{column}: rank by corrected p", str(entry["rank_corrected"] or "-")
        return
    row = " - ".join(entry["compare"])
    yield row, column, _format_number(entry["value"])
    yield row, f"{column}: p, one side", _format_number(entry["p_one_sided"])
    yield row, f"{column}: p", _format_number(entry["p"])
    yield from _corrected_cells(row, f"{column}: p", entry)


def _with_each(entry: Record, name: str) -> str:
    """A name prefixed with the values that identify the part of a result."""
    return " ".join([*map(_plain_cell, entry.get("each", {}).values()), name]).strip()


def _effect_cells(entry: Record) -> Cells:
    if not entry["systems"]:
        yield _label_name(entry), "d", "-"
        return
    row = f"{_label_name(entry)} {' - '.join(map(_plain_cell, entry['systems']))}".strip()
    difference, test = entry["difference"], entry["t_test"]
    yield row, "d", _format_number(entry["value"])
    yield row, "difference", _format_number(difference["value"]) + _format_interval(difference["interval"])
    yield row, "n", str(difference["n"])
    method = difference["interval"]["method"]
    for name, found in ((f"{method} p", difference), ("t-test p", test)):
        yield row, name, _format_number(found["p"])
        yield from _corrected_cells(row, name, found)


_CHANGED = "[the p values are corrected for all raters, labels and statistics of this output]"
#: Notes on the families of tests with corrected p-values, by statistic.
_FAMILIES = {
    **dict.fromkeys(("alpha", "agreement", "fleiss", "perfect", "report", "spans"), _CHANGED),
    "ceiling": "[the p values are corrected for all judges and labels of this output]",
    "alt-test": "[the p values (BY) are corrected for the people with whom a judge is compared, as defined]",
    "correlate": "[the p values are corrected for all differences of this output (coefficient, kind, pair, y, part)]",
    "rank": "[the p values are corrected for all pairs of measures, coefficients and parts of this output]",
    "effect": "[the p values are corrected for all pairs and labels of this output; t-tests are corrected separately]",
}


def _corrected_cells(row: str, name: str, test: Record) -> Cells:
    """The corrected p-value of a test; no cell if the test is the only one of its family."""
    if test.get("n_compared", 0) > 1:
        method, p = corrected_p(test)
        yield row, f"{name} ({method} over {test['n_compared']})", _format_number(p)


def _tell_p(test: Record) -> str:
    """A p-value, followed by the corrected one if the family has several tests."""
    told = f"p={_format_number(test['p'])}"
    if test.get("n_compared", 0) < 2:
        return told
    method, p = corrected_p(test)
    return f"{told}, {method} over {test['n_compared']}: {_format_number(p)}"


def _family_notes(entry: Record) -> Iterator[str]:
    """Note on the family of tests with corrected p-values; none for a single test."""
    tests = [entry, *(entry.get(key) or {} for key in ("difference", "t_test"))]
    tests += [change["difference"] for change in entry.get("changes", ())]
    if any(test.get("n_compared", 0) > 1 for test in tests):
        yield _FAMILIES[entry["stat"]]


def _power_cells(entry: Record) -> Cells:
    pair = " - ".join(map(_plain_cell, entry["systems"])) if entry["systems"] else "mean of pairs"
    row = f"{_label_name(entry)} {pair}".strip()
    yield row, "unpaired", _format_number(entry["value"])
    yield row, "paired", _format_number(entry["paired"])


def _error_cells(entry: Record) -> Cells:
    if entry["measure"] == "item":
        for method, wrong in entry["wrong"].items():
            yield (
                _with_each(entry, _plain_cell(entry["item"])),
                method,
                "-" if wrong is None else "wrong" if wrong else "",
            )
        return
    first, *others = entry["methods"]
    if entry["measure"] == "signed":
        yield first, _with_each(entry, entry["y"]), _format_value(entry)
        return
    row = _with_each(entry, first)
    if not others:
        yield row, "errors", f"{_format_number(entry['value'])} ({entry['n']})"
        yield row, first, ""
    for second in others:
        yield row, second, _format_number(entry["value"])
        yield _with_each(entry, second), first, _format_number(entry["value"])


def _run_cells(entry: Record) -> Cells:
    if entry["measure"] == "item":
        row = _with_each(entry, _plain_cell(entry["item"]))
        yield row, "sd", _format_number(entry["value"])
        yield row, "bins", " ".join("-" if place is None else str(place + 1) for place in entry["in_bins"].values())
        return
    row = _with_each(entry, entry.get("y", ""))
    if "runs" not in entry:
        yield row, "value", f"{_format_number(entry['value'])} ({entry['n']})"
        return
    for name, key in (("median", "value"), ("low", "low"), ("high", "high"), ("sd", "sd")):
        yield row, name, _format_number(entry[key])
    yield row, "runs", str(entry["n"])


def _bias_cells(entry: Record) -> Cells:
    yield _with_each(entry, entry["x"]), entry["of"], _format_value(entry)


def _efficiency_cells(entry: Record) -> Cells:
    row = _with_each(entry, entry["method"] or "over methods, with tokens")
    yield row, "value", _format_value(entry)
    if entry["method"] is None:
        return
    yield row, "tokens", _format_number(entry["tokens"], digits=1)
    yield row, "USD", _format_number(entry["cost"], digits=6)
    found = entry["from_best"]
    yield row, "from the best", f"{_format_number(found['value'])}{_format_interval(found)}" if found else "-"
    yield row, "", "cheapest adequate" if entry["cheapest"] else "adequate" if entry["adequate"] else ""


def _level_cells(entry: Record) -> Cells:
    row = _with_each(entry, entry["x"])
    for name, key in (("MAE", "value"), ("MAE of the fit", "fitted"), ("MAE of the median", "constant")):
        yield row, name, _format_number(entry[key])
    yield row, "n", str(entry["n"])
    yield row, "thresholds", " ".join("-" if cut is None else f"{cut:g}" for cut in entry["thresholds"])


def _mean_cells(entry: Record) -> Cells:
    row = _with_each(entry, entry["x"])
    yield row, "mean", f"{_format_number(entry['value'])}{_format_interval(entry['interval'])}"
    yield (
        row,
        "of people's alone",
        f"{_format_number(entry['without']['value'])}" + _format_interval(entry["without"]["interval"]),
    )
    yield row, "weight", _format_number(entry["weight"])
    yield row, "rated by people", str(entry["n"])
    yield row, "by the judge alone", str(entry["n_judged"])


def _calibrate_cells(entry: Record) -> Cells:
    row = _with_each(entry, entry["x"])
    yield row, f"{entry['of']}: calibration error", _format_number(entry["value"])
    # The interval belongs to the error in the population, of which the value is a biased (too high) estimate.
    yield row, f"{entry['of']}: corrected", _format_number(entry["corrected"]) + _format_interval(entry["interval"])
    for name in ("if calibrated", "p", "brier"):
        yield row, f"{entry['of']}: {name}", _format_number(entry[name.replace(" ", "_")])
    if gain := entry.get("gain"):
        yield row, "Brier, before - after", _format_number(gain["value"]) + _format_interval(gain["interval"])


def _conformal_cells(entry: Record) -> Cells:
    row = _with_each(entry, entry["x"])
    if "item" in entry:
        yield (
            f"{row} {_plain_cell(entry['item'])}",
            "interval",
            f"{_format_number(entry['low'])} to {_format_number(entry['high'])}",
        )
        return
    yield row, "coverage", f"{_format_number(entry['value'])} ({entry['n']['apart']})"
    yield row, "levels", _format_number(entry["levels_held"])
    yield row, "without a judge", f"{_format_number(entry['without']['coverage'])} ({entry['n']['apart']})"
    yield row, "levels without", _format_number(entry["without"]["levels_held"])


def _reply_cells(entry: Record) -> Cells:
    yield "parsed", "share", _format_number(entry["value"])
    yield "parsed", "n", f"{entry['n_parsed']} of {entry['n_replies']}"
    for pattern, count in entry.get("patterns", {}).items():
        yield f"by pattern {pattern}", "n", str(count)


def _fit_cells(entry: Record) -> Cells:
    for name, highest in entry["max"].items():
        yield name, "max", f"{highest:g}"
        for key in ("weights", "normalised"):
            yield name, key, _format_number(entry[key] and entry[key][name])
    yield "", "n", str(entry["n"])
    yield "", "MSE", _format_number(entry["mse"], digits=6)


def _value_cells(entry: Record) -> Cells:
    """Default cells, for statistics without a function in ``_CELLS``."""
    row = _plain_cell(entry.get("x") or entry.get("label") or "")
    yield _with_each(entry, row), _plain_cell(entry.get("y") or "value"), _format_value(entry)


_CELLS: dict[str, Callable[[Record], Cells]] = {
    **dict.fromkeys(("alpha", "kappa", "agreement", "fleiss", "perfect", "gwet", "spans"), _by_label),
    "icc": _icc_cells,
    "alt-test": _alternative_cells,
    "concordance": _concordance_cells,
    "confusion": _confusion_cells,
    "ceiling": _ceiling_cells,
    "report": _report_cells,
    "majority": _majority_cells,
    "correlate": _correlate_cells,
    "rank": _rank_cells,
    "errors": _error_cells,
    "runs": _run_cells,
    "bias": _bias_cells,
    "efficiency": _efficiency_cells,
    "levels": _level_cells,
    "conformal": _conformal_cells,
    "calibrate": _calibrate_cells,
    "mean": _mean_cells,
    "parse-score": _reply_cells,
    "effect": _effect_cells,
    "power": _power_cells,
    "fit-weights": _fit_cells,
}


def _rater_names(entry: Record) -> str:
    if "without" in entry:
        return f"without {_plain_cell(entry['without'])}"
    if "rater" in entry:
        return f"pairs with {_plain_cell(entry['rater'])}"
    if entry.get("raters"):
        return " - ".join(map(_plain_cell, entry["raters"]))
    return "mean of pairs" if entry["stat"] == "kappa" else "all"


def _label_name(entry: Record) -> str:
    if entry.get("pooled"):
        return "pooled"
    if entry.get("every_label") is True and "n_kept" in entry:
        return "every label"
    return "" if entry["label"] is None else _plain_cell(entry["label"])


def _format_value(entry: Record) -> str:
    n = entry.get("n_items", entry.get("n"))
    return f"{_format_number(entry['value'])}{_format_interval(entry.get('interval'))} ({n})"


def _plain_cell(value: object) -> str:
    return " ".join(str(value).split())


def _iter_notes(entries: Sequence[Record]) -> Iterator[str]:
    """Notes below a table, each once: reasons of empty cells, dropped records, methods of intervals."""
    reasons: dict[str, dict[str, None]] = {}  # the results (as an ordered set) by reason
    notes: list[str] = []
    degrees = sorted({one["df"] for entry in entries for one in _main_intervals(entry) if one.get("df")})
    told_df = " to ".join(f"{df:.1f}".removesuffix(".0") for df in dict.fromkeys((*degrees[:1], *degrees[-1:])))
    for entry in entries:
        where = " ".join(
            part for part in (_label_name(entry) if "label" in entry else "", _note_subject(entry)) if part
        )
        if entry.get("reason"):
            reasons.setdefault(str(entry["reason"]), {})[where] = None
        notes += _notes_of(entry, where, told_df)
    for reason, subjects in reasons.items():
        yield from _gathered(reason, list(subjects))
    notes += [f"records left out ({kind}): {count}" for kind, count in entries[0].get("dropped", {}).items()]
    yield from dict.fromkeys(notes)


def _gathered(reason: str, subjects: Sequence[str]) -> Iterator[str]:
    """A reason of empty cells with its results: one line per result, or a single line if there are many."""
    if len(subjects) > _MOST_ALIKE:
        shown = "; ".join(subject or "all" for subject in subjects[:_MOST_ALIKE])
        yield f"{reason} ({len(subjects)} times): {shown}; ..."
        return
    yield from (f"{subject}: {reason}" if subject else reason for subject in subjects)


def _notes_of(entry: Record, where: str, told_df: str) -> Iterator[str]:
    """The notes on a result other than the reason of an empty cell; ``where`` names the result."""
    what = "score" if entry["stat"] == "parse-score" else "majority"
    for reason, count in entry.get("nulls", {}).items():
        yield f"{where or 'all'}: {count} without a {what}: {reason}"
    yield from (f"{where}: {note}" for note in _TEST_NOTES.get(entry["stat"], _no_notes)(entry))
    if "n_constant" in entry:
        yield _group_note(where, entry)
    # Notes in brackets apply to the whole table.
    yield from (note if note.startswith("[") or not where else f"{where}: {note}" for note in _missing_notes(entry))
    yield from _change_notes(where, entry)
    yield from _family_notes(entry)
    for interval in _main_intervals(entry):
        yield from _interval_notes(where, interval, told_df)


def _main_intervals(entry: Record) -> list[Record]:
    """The intervals of a result that need notes."""
    main = entry.get("interval") or entry.get("difference", {}).get("interval")
    there = [main, entry.get("jackknife")] if not entry.get("reason") else []
    return [interval for interval in there if interval]


def _change_notes(where: str, entry: Record) -> Iterator[str]:
    """Notes on tests of leave-one-out differences, and on missing intervals."""
    changes = [one["difference"] for one in entry.get("changes", ())]
    if entry.get("assumes"):
        yield f"[p: {entry['assumes']}]"
    if "without" in entry and "difference" in entry:
        changes.append(entry["difference"])
    for change in changes:
        if change["reason"]:
            yield f"{where or 'all'}: no interval of the difference: {change['reason']}"
        if change["p"] is not None:
            yield f"[p of a difference without a rater: {change['test']}]"


def _missing_notes(entry: Record) -> Iterator[str]:
    """Notes on missing or omitted data, and on further conditions of some statistics."""
    if entry["stat"] == "runs" and entry["measure"] == "item-sd" and entry["n_missing"]:
        yield f"{count_of(entry['n_missing'], 'item')} without a score in some run"
    if absent := entry.get("runs_without_scores"):
        yield f"without a score here and left out: {'run' if len(absent) == 1 else 'runs'} {', '.join(absent)}"
    if entry.get("n_incomplete"):
        yield f"left out: {count_of(entry['n_incomplete'], 'item')} that not all raters rated"
    if entry["stat"] == "pairwise":
        yield f"{count_of(entry['n_pairs'], 'pair')} in {count_of(entry['n_groups'], 'group')}"
        if entry["ties"] == "fitted":
            yield f"differences up to {entry['epsilon']:g} are ties, fitted on these records: no forecast for others"
    if entry["stat"] == "concordance" and entry["limits"][0]["interval"]["method"] == "noncentral t":
        yield "[intervals of limits by the noncentral t: differences taken to be normal and independent]"
    if "compare" in entry and entry["n_missing"]:
        yield f"both coefficients without the {entry['n_missing']} that lack one of the numbers"
    if entry["stat"] == "efficiency" and entry["method"] and entry["margin"] is None:
        yield f"[no method is called adequate without a margin: see {parameter('margin')}]"
    if entry["stat"] == "efficiency" and entry.get("n_ratings"):
        yield f"what fitting took is spread over {count_of(entry['n_ratings'], 'rating')}"
    for what in ("tokens", "cost"):
        if entry["stat"] == "efficiency" and entry.get(what) is not None and entry[f"n_without_{what}"]:
            yield f"{count_of(entry[f'n_without_{what}'], 'rating')} without {what}"


def _group_note(where: str, entry: Record) -> str:
    small = f", {entry['n_small']} of fewer than two" if entry["n_small"] else ""
    groups = f"{count_of(entry['n'], 'group')} by {entry['within']}"
    return f"{where}: mean over {groups}; {entry['n_constant']} constant{small} left out"


def _efficiency_notes(entry: Record) -> Iterator[str]:
    """The items of a difference from the best method that are not all items of both, or why it has no interval."""
    found = entry["from_best"] if entry["method"] else None
    if not found or entry["method"] == entry["best"]:
        return
    if found["value"] is not None and any(found["unpaired"]):
        own, best = map(_format_number, found["values"])
        yield (
            f"from the best: {own} - {best}, over the {count_of(found['n'], 'text')} that both it and "
            f"{entry['best']} scored"
        )
    if found["low"] is None:
        yield f"from the best: no {'interval' if found['value'] is not None else 'difference'}: {found['reason']}"


def _no_notes(entry: Record) -> Iterator[str]:
    yield from ()


def _effect_notes(entry: Record) -> Iterator[str]:
    """The items of Cohen's d that the difference lacks, and why the t-test is missing or how many clusters it uses."""
    if not entry["systems"]:
        return
    test, difference = entry["t_test"], entry["difference"]
    if entry["value"] is not None and set(entry["n"]) != {difference["n"]}:
        sizes = " and ".join(map(str, entry["n"]))
        yield f"d is of all {sizes} numbers of the two systems, the difference of the {difference['n']} items of both"
    if test["reason"]:
        yield f"no t-test: {test['reason']}"
    elif test["over"] != "item":
        yield f"t-test of the mean differences by {test['over']}, n={test['n']}; d is of items"


def _power_notes(entry: Record) -> Iterator[str]:
    """The number of samples, or pairs of systems, without a test."""
    if not entry["systems"]:
        n_pairs = entry["n_pairs"] + entry["n_undefined_pairs"]
        for name, key in (("unpaired", "n_pairs"), ("paired", "n_paired")):
            if 0 < entry[key] < n_pairs:
                yield f"{name} over {entry[key]} of {n_pairs} pairs"
        return
    for name, key, n_undefined in zip(("unpaired", "paired"), ("value", "paired"), entry["n_undefined"], strict=True):
        if n_undefined and entry[key] is not None:
            yield f"no {name} t-test in {n_undefined} of {entry['samples']} samples, counted as no difference found"
    if entry["over"] != "item":
        numbers = ", ".join(map(str, entry["n"]))
        yield f"t-tests of means by {entry['over']}, n={numbers}, shared {entry['n_shared']}"


_TEST_NOTES: dict[str, Callable[[Record], Iterator[str]]] = {
    "effect": _effect_notes, "power": _power_notes, "efficiency": _efficiency_notes,
}  # fmt: skip


def _note_subject(entry: Record) -> str:
    if "x" in entry:
        return f"{entry['x']}, {_with_each(entry, entry.get('y', ''))}"
    if entry["stat"] == "efficiency" and entry["method"]:
        return f"{entry['method']}, {_with_each(entry, entry['y'])}"
    if "compare" in entry:
        return f"{' - '.join(entry['compare'])}, {_with_each(entry, entry['y'])}"
    if "methods" in entry:
        return ", ".join(entry["methods"])
    if "systems" in entry:
        return " - ".join(map(_plain_cell, entry["systems"] or ["mean"]))
    return (
        str(entry["item"])
        if "item" in entry
        else _rater_names(entry)
        if "raters" in entry or "without" in entry
        else ""
    )


def _interval_notes(where: str, interval: Record, told_df: str) -> list[str]:
    if interval["low"] is None:
        return [f"{where or 'all'}: no interval: {interval['reason']}"]
    if interval["method"] == "F":
        return [
            f"[{interval['confidence']:.0%} F interval: items taken to be independent and ratings normal; it holds .83 "
            "to .94 of the truths of few levels, or of very skewed ratings, and the jackknife interval .85 to .97]"
        ]
    if interval["method"] == "inverted tests":
        return [
            f"[{interval['confidence']:.0%} interval by {interval['over']} of the calibration error in the population, "
            "which `corrected` estimates; the calibration error of a sample is larger by chance]"
        ]
    if interval["method"] == "jackknife":
        shape = f"[{interval['confidence']:.0%} jackknife interval by {interval['over']}, t with {told_df} df]"
        return [shape, tell_few("jackknife")] if interval["n_drawn"] < FEW else [shape]
    shape = f"{interval['confidence']:.0%} bootstrap interval, {interval['samples']} samples by {interval['over']}"
    notes = [f"[{shape}, seed {interval['seed']}]"]
    if interval["n_drawn"] < FEW:
        notes.append(tell_few("bootstrap"))
    if interval["n_undefined"]:
        notes.append(f"{where or 'all'}: not defined in {interval['n_undefined']} of {interval['samples']} samples")
    return notes
