"""Choose the figure for results: errors, runs and efficiency have their own kinds, other values get a forest plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.paths import Selection, as_json
from scholartools.records import Record
from scholartools.tasks.agree.figures.axes import COEFFICIENTS
from scholartools.tasks.agree.figures.forest import Forest, Row
from scholartools.tasks.agree.figures.heat_map import HeatMap
from scholartools.tasks.agree.figures.panel import Panel, part_title
from scholartools.tasks.agree.figures.tokens import Tokens
from scholartools.tasks.agree.figures.violins import Violins
from scholartools.tasks.agree.results import parse_number


class Figure(NamedTuple):
    """How to draw the results of a statistic.

    Attributes:
        panel: makes a panel from the results of one part.
        part: key by which results are grouped into panels.
        apart: keys of a record that, with ``each``, identify a result.
        is_shown: whether a result is drawn, given the requested coefficient.
    """

    panel: Callable[[Sequence[Record]], Panel]
    part: Callable[[Record], str]
    apart: tuple[str, ...]
    is_shown: Callable[[Record, str], bool]


def _has_measure(entry: Record, measure: str) -> bool:
    return bool(entry["measure"] == measure)


def _is_share(entry: Record, _: str) -> bool:
    return entry["measure"] in ("share", "jaccard")


def _always(_: Record, __: str) -> bool:
    return True


def _whole_part(entry: Record) -> str:
    return as_json(entry.get("each"))


def _part_of_runs(entry: Record) -> str:
    """The ``each`` values without the last one, the method, which is a row of the panel."""
    return as_json([*entry.get("each", {}).items()][:-1])


def _keys_of(*keys: str) -> Callable[[Record], str]:
    return lambda entry: as_json([entry.get(key) for key in ("each", *keys)])


# The part of a panel's title for the kind of correlation; empty for a correlation over the records.
_OF_COEFFICIENTS: Mapping[str, Callable[[Record], str]] = {
    "records": lambda _: "",
    "partial": lambda entry: f"{', '.join(entry['control'])} held",
    "groups": lambda entry: f"mean within {entry['within']}",
    "means": lambda entry: f"means by {entry['by']}",
}


def _correlate_forest(entries: Sequence[Record]) -> Forest:
    first = entries[0]
    kind = first.get("between") or first["of"]
    is_difference = "compare" in first
    title = part_title(first, f"against {first['y']}", _OF_COEFFICIENTS[kind](first))
    axis = COEFFICIENTS[first["measure"]]
    rows = [_row(" less ".join(entry["compare"]) if is_difference else entry["x"], entry) for entry in entries]
    return Forest(title, f"difference of {axis}" if is_difference else axis, rows)


def _pairwise_forest(entries: Sequence[Record]) -> Forest:
    first = entries[0]
    grouping = {"item": "within items", "system": "within systems", "none": "all pairs"}[first["grouping"]]
    title = part_title(first, f"against {first['y']}", grouping, f"ties: {first['ties']}")
    return Forest(title, f"pairwise {first['measure']}", [_row(entry["x"], entry) for entry in entries])


def _mean_forest(entries: Sequence[Record]) -> Forest:
    axis = "mean score by people, estimated"
    return Forest(part_title(entries[0], entries[0]["y"]), axis, [_row(entry["x"], entry) for entry in entries])


def _bias_forest(entries: Sequence[Record]) -> Forest:
    first = entries[0]
    return Forest(part_title(first, first["y"], first["of"]), "bias", [_row(entry["x"], entry) for entry in entries])


def _row(name: str, entry: Record) -> Row:
    return Row(name, entry["value"], entry.get("interval"), entry["n"], entry["reason"], entry)


_OF_CORRELATE = ("measure", "of", "between", "control", "within", "by", "y")
FIGURES = {
    "errors": Figure(HeatMap, _whole_part, ("measure", "methods"), _is_share),
    "runs": Figure(Violins, _part_of_runs, ("measure", "item", "x", "y"), _has_measure),
    "efficiency": Figure(Tokens, _whole_part, ("method",), _always),
    "correlate": Figure(_correlate_forest, _keys_of(*_OF_CORRELATE), (*_OF_CORRELATE, "x", "compare"), _has_measure),
    "pairwise": Figure(_pairwise_forest, _keys_of("measure", "grouping", "ties", "y"), ("measure", "x", "y"), _always),
    "mean": Figure(_mean_forest, _keys_of("y"), ("x", "y"), _always),
    "bias": Figure(_bias_forest, _keys_of("of", "y"), ("x", "of", "y"), _always),
}


class Results:
    """Collects the results of one statistic.

    Args:
        measure: the coefficient to draw, for statistics that have several.

    Attributes:
        dropped: counts of omitted results by kind of fault.
    """

    def __init__(self, measure: str = "spearman") -> None:
        self.dropped: Counter[str] = Counter()
        self.selection = Selection(())
        self._measure = measure
        self._entries: list[Record] = []
        self._places: set[str] = set()

    def add(self, record: Record) -> None:
        """Add one result.

        Raises:
            InputFault: no figure shows the record, its statistic differs from that of the previous ones, its position
                in the figure is already used, or its value is not a number.
        """
        stat = record.get("stat")
        if stat not in FIGURES or "value" not in record:
            what = f"not a result of st-agree {', '.join(FIGURES)}"
            raise InputFault(f"{what}; to draw scores, name a figure with {parameter('kind')}", kind="invalid-key")
        if record["value"] is not None:
            parse_number(record["value"])
        if self._entries and stat != self._entries[0]["stat"]:
            raise InputFault(f"a result of {stat} after one of {self._entries[0]['stat']}", kind="invalid-key")
        place = as_json([record.get(key) for key in ("each", *FIGURES[stat].apart)])
        if place in self._places:
            raise InputFault("two results belong to the same position of the figure", kind="duplicate")
        self._places.add(place)
        self._entries.append(record)

    def panels(self) -> list[Panel]:
        """The panels of the collected results.

        Raises:
            UsageFault: none of the results can be drawn.
        """
        figure = FIGURES[self._entries[0]["stat"]] if self._entries else None
        shown = [entry for entry in self._entries if figure and figure.is_shown(entry, self._measure)]
        if figure is None or not shown:
            raise UsageFault(f"the input has no result that a figure shows ({parameter('measure', self._measure)})")
        parts: dict[str, list[Record]] = {}
        for entry in shown:
            parts.setdefault(figure.part(entry), []).append(entry)
        return [figure.panel(members) for members in parts.values()]
