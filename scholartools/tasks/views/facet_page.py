"""A page to read abstracts and summaries by: their facets highlighted, summaries side by side, numbers beside them.

Readers who see the facets of an abstract answer questions about it faster and as well ("A Facet-aware Metric", section
6.2). The page is one HTML file that needs no network and no script. A value of a record is text there, never
markup: the templates escape everything.
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

# The scores of this metric are of the abstract, all others of a system.
_OF_THE_ABSTRACT = "support"


@dataclass(frozen=True)
class Panel:
    """One text with its facets and its numbers.

    Attributes:
        name: of the system; None for the abstract.
        by: what labelled it: "builtin" or a model; None where nothing did.
        pieces: the text, cut at its facets; None where the record has numbers of the system and no text.
        absent: facets that are not in the text.
        samples: how many labellings of it the record holds, of which the first is shown.
        judge: what rated it, where that is known.
    """

    name: str | None
    by: str | None
    pieces: list[Piece] | None
    absent: list[str]
    samples: int
    judge: str | None
    numbers: Numbers


class Page:
    """Takes records one by one and gives the page; memory does not grow with them."""

    def __init__(self) -> None:
        self._count = 0
        self._articles = Articles()

    def add(self, record: Record) -> None:
        """Take a record that has ``facets``.

        Raises:
            InputFault: as :func:`render_article`.
        """
        self._articles.add(render_article(record))
        self._count += 1

    def finish(self, failed: int = 0) -> Iterator[Any]:
        """The page in parts, to be read once.

        Args:
            failed: records that could not be shown, which the page says.
        """
        template = environment().get_template("facets.html")
        yield from template.generate(facets=FACETS, articles=self._articles.read(), count=self._count, failed=failed)


def with_facets(record: Record) -> Record:
    """The record itself where it has ``facets``, else one with the built-in ones.

    Raises:
        InputFault: it has neither facets nor texts to label.
    """
    return record if record.get("facets") is not None else label(record)


def render_article(record: Record) -> str:
    """The HTML of one record that has ``facets``: an ``<article>`` that the style sheet of a page makes readable.

    Raises:
        InputFault: no ``facets``, ones that are not of the texts beside them, or a value of the wrong type.
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
    """The HTML of the texts of a record that has ``facets``, and of the numbers of each system.

    Raises:
        InputFault: as :func:`render_article`.
    """
    sets = need(record, "facets", "run st-facets first")
    verify_facets(record)
    panels = list(_iter_panels(record, sets))
    abstract = next((panel for panel in panels if panel.name is None), None)
    systems = [panel for panel in panels if panel.name is not None]
    return environment().get_template("facets-panels.html").render(abstract=abstract, systems=systems)


def _iter_panels(record: Record, sets: list[FacetSet]) -> Iterator[Panel]:
    """The abstract's panel, then one for each system that has a summary, a rating or a score."""
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
    """The labellings of one text: several where a model was asked for several samples."""
    return [found for found in sets if found["in"] == name]
