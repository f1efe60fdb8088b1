"""The tables: which list of a record each one is of. The columns are those of its items in the schema of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scholartools.tasks.tabulate.levels import Level


class Source(NamedTuple):
    """A way to rows of a table; ``constants``: what stands in columns of them all."""

    levels: Sequence[Level]
    constants: Mapping[str, str] = {}


class Table(NamedTuple):
    """A table: its name, what a row is, and where its rows come from."""

    name: str
    about: str
    sources: Sequence[Source]


def _table(name: str, about: str, *levels: Level) -> Table:
    return Table(name, about, [Source(levels)])


_COUNTED = (
    "front_matter sections references captions footnotes equations reviews summaries facets limitations claims "
    "weaknesses verifications contamination lines experiments explanations rejected scores warnings provenance errors"
)
_PARTS = "background,method,result,conclusion,other"

_ALL = [
    _table(
        "papers", "a paper: title, authors, year, where it came from, how many of what it has",
        Level(
            "", skip="id front_matter_spans annotations experiments_input vectors generated judgements", counts=_COUNTED
        ),
    ),
    _table("sections", "a section with its text", Level("sections[]", id="section")),
    _table("references", "an entry of the bibliography", Level("references[]", id="reference")),
    _table("equations", "a display equation of a LaTeX source", Level("equations[]", id="equation")),
    _table("reviews", "a review with its text", Level("reviews[]", id="review")),
    _table(
        "facets", "a facet of a text; its text is empty where the facet is null",
        Level("facets[]", skip=_PARTS.replace(",", " ")), Level(f"{{{_PARTS}}}", key="facet"),
    ),
    _table("limitations", "a limitation, of the authors or of a review", Level("limitations[]", id="limitation")),
    _table(
        "weaknesses", "a weakness in a review",
        Level("weaknesses[]", id="weakness", counts="mentions targets labels edited"),
    ),
    _table("errors", "a fault of a command on a record", Level("errors[]", place="place")),
    _table("provenance", "a command that worked on a record", Level("provenance[]", place="place")),
]  # fmt: skip

#: The tables by name.
TABLES: Mapping[str, Table] = {table.name: table for table in _ALL}
