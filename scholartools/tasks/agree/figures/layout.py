"""Lay out panels in rows on a page, with titles above them and notes below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.page import GREY, LINE, SIZE, SMALL, Format, Page, drawing
from scholartools.tasks.agree.figures.panel import MOST_HIGH, Panel

#: Widths of a figure in millimetres: one column of a journal, and two.
WIDTHS = (85, 175)
_EDGE, _GAP = 1.5, 5.0
# Line height of the notes, in millimetres.
_NOTE_LINE = 2.7


class _Place(NamedTuple):
    """The layout of a panel: lines of its title and headline; left, top and width of the area below them."""

    panel: Panel
    title: list[str]
    headline: list[str]
    left: float
    top: float
    width: float


class Drawing(NamedTuple):
    """A finished figure.

    Attributes:
        page: the page with all panels.
        title: title of the whole figure.
        description: the text alternative, with all numbers that are drawn.
        notices: messages for the user who made the figure.
    """

    page: Page
    title: str
    description: str
    notices: list[str]

    def save(self, kind: Format) -> bytes:
        """The bytes of the figure as a file of a format."""
        with drawing():
            return self.page.save(kind, self.title, self.description)


def compose(panels: Sequence[Panel], width: float, columns: int) -> Drawing:
    """Lay out panels of one kind, and draw them.

    Args:
        panels: at least one.
        width: width of the figure in millimetres.
        columns: maximum number of panels in a row.

    Raises:
        UsageFault: matplotlib is not installed, or a panel is not legible in its width.
    """
    with drawing():
        places, bottom = _place(panels, width, min(columns, len(panels)))
        notes = labels.wrap(" ".join(_notes(panels)), width - 2 * _EDGE, SMALL)
        height = bottom + _NOTE_LINE * len(notes) + _EDGE
        page = Page(width, height)
        for place in places:
            _draw(page, place)
        for number, line in enumerate(notes):
            page.text(_EDGE, bottom + _NOTE_LINE * (number + 0.8), line, size=SMALL, colour=GREY)
    told = [f"the figure is {height:.0f} mm high, more than a page"] if height > MOST_HIGH + 18 else []
    return Drawing(page, panels[0].what, _describe(panels), told)


def _place(panels: Sequence[Panel], width: float, columns: int) -> tuple[list[_Place], float]:
    """The layout of each panel, and the bottom of the last row in millimetres."""
    own = (width - 2 * _EDGE - _GAP * (columns - 1)) / columns
    top, places = _EDGE, []
    for first in range(0, len(panels), columns):
        row = panels[first : first + columns]
        heads = [(labels.wrap(panel.title, own), labels.wrap(panel.headline, own)) for panel in row]
        below = top + LINE * max(len(title) + len(headline) for title, headline in heads) + 1.0
        for number, (panel, (title, headline)) in enumerate(zip(row, heads, strict=True)):
            places.append(_Place(panel, title, headline, _EDGE + number * (own + _GAP), below, own))
        top = below + max(panel.measure(own) for panel in row) + _GAP
    return places, top - _GAP + 1.5


def _draw(page: Page, place: _Place) -> None:
    lines = [*((line, "#000000") for line in place.title), *((line, GREY) for line in place.headline)]
    for number, (line, colour) in enumerate(lines):
        base = place.top - 1.0 - LINE * (len(lines) - number - 0.75)
        page.text(place.left, base, line, size=SIZE, colour=colour)
    place.panel.draw(page, place.left, place.top, place.width)


def _notes(panels: Sequence[Panel]) -> list[str]:
    return list(dict.fromkeys(note for panel in panels for note in panel.notes if note))


def _describe(panels: Sequence[Panel]) -> str:
    """The text alternative: a paragraph for each panel, and the notes."""
    said = ["\n".join(filter(None, [labels.inert(panel.title), panel.headline, *panel.say()])) for panel in panels]
    return "\n\n".join([*said, " ".join(_notes(panels))])
