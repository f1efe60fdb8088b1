"""Warnings of columns that may have been read across."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from scholartools.readers.common.ids import new_warning
from scholartools.readers.common.page import Line, Page, box_of_lines, letters_of
from scholartools.readers.pdf.columns import CELL
from scholartools.wording import count_of

_LONG = 20  # minimum letters of a line that fills a narrow column; cells, names and stretched lines have fewer
_LEAST = 5  # minimum number of such rows on a page; fewer may be names and addresses side by side
_QUOTED = 60  # length of the quotation in a warning, in characters


def mixed_text_warnings(pages: Iterable[Page]) -> list[dict[str, Any]]:
    """Warnings of kind ``text-order``, at most one per page: rows with two pieces of text that were read across.

    In the correct order a line is never on the row of the preceding line, and no row has two pieces of text.

    Args:
        pages: pages with their lines in reading order, without captions and tables.

    Returns:
        Notices. ``text`` states the number of rows and quotes the first; ``bbox`` encloses them.
    """
    mixed = ((page.number, _rows_across(page.lines)) for page in pages)
    return [_mixed_text_warning(number, rows) for number, rows in mixed if len(rows) >= _LEAST]


def _rows_across(lines: list[Line]) -> list[Line]:
    """Lines with two pieces of text, and lines on the same row as the line read before them."""
    texts = [line for line in lines if line.letters >= _LONG]
    beside = {id(line) for above, line in pairwise(texts) if _is_on_row(line, above)}
    return [line for line in texts if id(line) in beside or _holds_two(line)]


def _holds_two(line: Line) -> bool:
    if line.cells == 1 and len(line.spans) == 1 and CELL not in line.spans[0].text:
        return False
    pieces = "".join(span.text for span in line.spans).split(CELL)
    return len(pieces) > 1 and sum(len(letters_of(piece)) >= _LONG for piece in pieces) > 1


def _is_on_row(line: Line, above: Line) -> bool:
    near = abs(line.y0 - above.y0) < 0.5 * line.size and abs(line.size - above.size) < 0.1 * line.size
    return near and not line.overlaps(above)


def _mixed_text_warning(number: int, rows: list[Line]) -> dict[str, Any]:
    text = (
        f"{count_of(len(rows), 'row')} of text beside text {'was' if len(rows) == 1 else 'were'} read across, "
        "the words may be mixed: columns that could not be "
        f'told apart; the first: "{rows[0].text[:_QUOTED].strip()} ..."'
    )
    return {**new_warning("text-order", text, number), "bbox": [round(edge, 1) for edge in box_of_lines(rows)]}
