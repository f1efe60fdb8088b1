"""Find rows of tables that were not assigned to a caption: lines near such rows are not headings."""

from __future__ import annotations

import re

from scholartools.readers.common.page import Line

_NUMBER = re.compile(r"[(\[<>≤≥=~]*[-–−+±]?[$€£]?\d[\d.,:/]*[%‰*†‡)\]]*|[-–—✓✗]|n/?a", re.IGNORECASE)
_CELLS = 3  # minimum number of cells of a row
_ABOVE = 1.9  # maximum distance from a line to the row below it, in font sizes
_BELOW = 1.45  # the same from a row to the line below it: headings keep more space
_MOST = 3  # maximum number of lines that belong to a row above or below it
_TEXT = 30  # a line with more letters is running text
_ALIKE = 0.6  # font sizes in a table differ by less (points)


def find_rows(lines: list[Line]) -> set[int]:
    """The ``id()`` of lines that end in numeric cells, and of the lines of that size just above and below."""
    found: set[int] = set()
    for index, line in enumerate(lines):
        if _has_numbers(line):
            found.add(id(line))
            for step in (-1, 1):
                found |= _beside(lines, index, step)
    return found


def _has_numbers(line: Line) -> bool:
    if line.cells < _CELLS:
        return False
    words = line.text.split()[1 - line.cells :]
    return all(map(_NUMBER.fullmatch, words))


def _beside(lines: list[Line], index: int, step: int) -> set[int]:
    """The ``id()`` of the lines that adjoin a row upwards (``step`` -1) or downwards (1), up to the next row."""
    found: set[int] = set()
    for at in range(index + step, index + step * (_MOST + 1), step):
        if not 0 <= at < len(lines) or _has_numbers(lines[at]) or not _is_next(lines[at - step], lines[at]):
            break
        found.add(id(lines[at]))
    return found


def _is_next(row: Line, line: Line) -> bool:
    """Whether a line is not running text, and is close to a row and of its size."""
    down = line.y0 - row.y0
    is_near = -_ABOVE * line.size < down < _BELOW * line.size and down != 0
    alike = line.page == row.page and abs(row.size - line.size) < _ALIKE
    return is_near and alike and line.letters <= _TEXT
