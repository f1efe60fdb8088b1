"""Tables of the numbers in a record on one system: by facet, and a line per other metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scholartools.metrics.items.facet_score import MAXIMA, OVERALL
from scholartools.records import Record
from scholartools.tasks.views.describing import UNDEFINED
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import Score

PARTS = (OVERALL, *FACETS)
# The facet score by facet equals the ratings, so only its overall value is added.
_SCORE = "score"


@dataclass(frozen=True)
class Cell:
    """A number, or a dash if undefined; ``share`` is its fraction of the maximum, if there is one."""

    text: str = ""
    share: float | None = None


@dataclass
class Numbers:
    """The numbers on one system.

    Attributes:
        columns: headings of the table; empty for no table.
        rows: cells by part (overall, then facets), one per column.
        others: names and values that are not by facet, by metric.
        reasons: distinct reasons of undefined numbers, and notes on ratings.
    """

    columns: list[str] = field(default_factory=list)
    rows: dict[str, list[Cell]] = field(default_factory=dict)
    others: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.columns or self.others)


def numbers_of(judgement: Record | None, scores: Iterable[Score]) -> Numbers:
    """Collect the numbers on one system.

    Args:
        judgement: its entry in ``judgements.facets``.
        scores: its entries in ``scores``.
    """
    scores = list(scores)
    values = {(entry["metric"], name): value for entry in scores for name, value in entry["values"].items()}
    table: dict[str, dict[str, Cell]] = {}
    made = Numbers()
    if judgement is not None:
        table["rating"] = _ratings_column(judgement["ratings"], values.get(("facets", f"{OVERALL}.{_SCORE}")))
    for (metric, name), value in values.items():
        part, _, measure = name.partition(".")
        if part not in PARTS or not measure:
            made.others.setdefault(metric, []).append((name, _format_number(value)))
        elif judgement is None or (metric, measure) != ("facets", _SCORE):
            column = measure if metric == "facets" else f"{metric} {measure}"
            table.setdefault(column, {})[part] = Cell(_format_number(value))
    made.columns = list(table)
    made.rows = {part: [column.get(part, Cell()) for column in table.values()] for part in PARTS}
    made.rows = {part: row for part, row in made.rows.items() if any(cell.text for cell in row)}
    made.reasons = list(dict.fromkeys(_iter_reasons(judgement, scores)))
    return made


def _ratings_column(ratings: Mapping[str, float | None], overall: float | None) -> dict[str, Cell]:
    """Column of ratings: ``3/4`` for each facet, and the overall facet score."""
    column = {facet: _rating_cell(facet, ratings[facet]) for facet in FACETS if facet in ratings}
    return column if overall is None else {OVERALL: Cell(_format_number(overall), overall), **column}


def _rating_cell(facet: str, rating: float | None) -> Cell:
    if rating is None:
        return Cell(UNDEFINED)
    return Cell(f"{rating:g}/{MAXIMA[facet]}", rating / MAXIMA[facet])


def _format_number(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.2f}"


def _iter_reasons(judgement: Entry | None, scores: Iterable[Score]) -> Iterator[str]:
    """Reasons for ratings and values; those of the facet score are already given by the ratings."""
    if judgement is not None:
        given = judgement.get("reasons")
        unrated = {
            facet: f"no {facet} in the abstract" for facet, rating in judgement["ratings"].items() if rating is None
        }
        yield from map(str, (unrated | given if isinstance(given, dict) else unrated).values())
    for entry in scores:
        for name, reason in entry["reasons"].items():
            if judgement is None or entry["metric"] != "facets" or not name.endswith(f".{_SCORE}"):
                yield reason
