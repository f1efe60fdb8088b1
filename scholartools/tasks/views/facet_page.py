"""A page to read abstracts and summaries: facets highlighted, summaries side by side, with numbers.

Highlighted facets help readers to answer questions about an abstract faster without loss of accuracy ("A Facet-aware
Metric", section 6.2). The page is one HTML file that needs neither network nor scripts. Templates escape all values of
records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scholartools.records import Record, need, read, texts
from scholartools.tasks.facets import COMMAND, label
from scholartools.tasks.facets.facet_sets import verify_facets
from scholartools.tasks.shared.judgements import judgements
from scholartools.tasks.views.cutting import Piece, absent_facets, cut_facets
from scholartools.tasks.views.facet_numbers import Numbers, numbers_of
from scholartools.tasks.views.templates import Articles, environment
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.schemas.shapes import FacetSet

# Scores of this metric are on the abstract, all others on systems.
_OF_THE_ABSTRACT = "support"


@dataclass(frozen=True)
class Panel:
    """A text with facets and numbers.

    Attributes:
        name: system; None for the abstract.
        by: method of labelling: "builtin" or a model; None if not labelled.
        pieces: the text split at its facets; None if the record has numbers of the system but no text.
        absent: facets that the text lacks.
        samples: number of labellings in the record, of which the first is shown.
        judge: judge of the ratings, if known.
    """

    name: str | None
    by: str | None
    pieces: list[Piece] | None
    absent: list[str]
    samples: int
    judge: str | None
    numbers: Numbers


class Page:
    """Builds the page from records one by one, in constant memory."""

    def __init__(self) -> None:
        self._count = 0
        self._articles = Articles()

    def add(self, record: Record) -> None:
        """Add a record with ``facets``.

        Raises:
            InputFault: see :func:`render_article`.
        """
        self._articles.add(render_article(record))
        self._count += 1

    def finish(self, failed: int = 0) -> Iterator[Any]:
        """Yield the page in parts, once.

        Args:
            failed: number of records that could not be shown, stated on the page.
        """
        template = environment().get_template("facets.html")
        yield from template.generate(facets=FACETS, articles=self._articles.read(), count=self._count, failed=failed)


def with_facets(record: Record) -> Record:
    """The record, labelled without a model if it has no ``facets``.

    Raises:
        InputFault: it has neither facets nor texts.
    """
    return record if record.get("facets") is not None else label(record)


def render_article(record: Record) -> str:
    """Render the HTML ``<article>`` of a record with ``facets``, to be styled by a page.

    Raises:
        InputFault: no ``facets``, stale ones, or a value of the wrong type.
    """
    rejected = [entry for entry in read(record, "rejected") or () if entry["command"] == COMMAND]
    return (
        environment()
        .get_template("facets-article.html")
        .render(
            title=read(record, "title"),
            id=record.get("id"),
            authors=read(record, "authors") or [],
            panels=render_panels(record),
            errors=read(record, "errors") or [],
            rejected=rejected,
        )
    )


def render_panels(record: Record) -> str:
    """Render the texts of a record with ``facets``, and the numbers of each system.

    Raises:
        InputFault: see :func:`render_article`.
    """
    sets = need(record, "facets", "run st-facets first")
    verify_facets(record)
    panels = list(_iter_panels(record, sets))
    abstract = next((panel for panel in panels if panel.name is None), None)
    systems = [panel for panel in panels if panel.name is not None]
    return environment().get_template("facets-panels.html").render(abstract=abstract, systems=systems)


def _iter_panels(record: Record, sets: list[FacetSet]) -> Iterator[Panel]:
    """Panels of the abstract, then of each system with a summary, a rating or a score."""
    named = texts({key: record[key] for key in ("id", "abstract", "summaries") if key in record})
    rated = judgements(record, "facets") or {}
    scores = read(record, "scores") or []
    own = [score for score in scores if score["metric"] == _OF_THE_ABSTRACT]
    others = [score for score in scores if score["metric"] != _OF_THE_ABSTRACT]
    if "abstract" in named:
        yield _build_panel(None, named["abstract"], _labellings_of("abstract", sets), None, numbers_of(None, own))
    summaries = [name.removeprefix("summary:") for name in named if name != "abstract"]
    for system in dict.fromkeys([*summaries, *rated, *(score["system"] for score in others)]):
        name, judgement = f"summary:{system}", rated.get(system)
        shown = numbers_of(judgement, (score for score in others if score["system"] == system))
        yield _build_panel(system, named.get(name), _labellings_of(name, sets), judgement, shown)


def _build_panel(
    name: str | None, text: str | None, found: list[FacetSet], judgement: Record | None, shown: Numbers
) -> Panel:
    judge = judgement.get("by") if judgement else None
    first: Any = found[0] if found else {"by": None, **dict.fromkeys(FACETS)}
    return Panel(
        name,
        first["by"],
        None if text is None else list(cut_facets(text, first)),
        absent_facets(first) if found else [],
        len(found),
        judge if isinstance(judge, str) else None,
        shown,
    )


def _labellings_of(name: str, sets: list[FacetSet]) -> list[FacetSet]:
    """Labellings of a text; several if a model was sampled."""
    return [found for found in sets if found["in"] == name]
