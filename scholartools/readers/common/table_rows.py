"""Which lines are rows of a table that no caption has taken: what is between such rows is no heading."""

from __future__ import annotations

import re

from scholartools.readers.common.page import Line

_NUMBER = re.compile(r"[(\[<>≤≥=~]*[-–−+±]?[$€£]?\d[\d.,:/]*[%‰*†‡)\]]*|[-–—✓✗]|n/?a", re.IGNORECASE)
_CELLS = 3  # of a row, at least
_ABOVE = 1.9  # times its size, from a line to the row under it
_BELOW = 1.45  # the same from a row to the line under it: headings keep more space
_MOST = 3  # lines between rows
_TEXT = 30  # letters of a line of running text, more than
_ALIKE = 0.6  # points by which the sizes of a table's lines differ


def find_rows(lines: list[Line]) -> set[int]:
    """The ids of lines whose cells but the first are numbers, and of those right above and below in their size."""
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
    """The ids of the lines that go on from a row upwards or downwards, up to the next row."""
    found: set[int] = set()
    for at in range(index + step, index + step * (_MOST + 1), step):
        if not 0 <= at < len(lines) or _has_numbers(lines[at]) or not _is_next(lines[at - step], lines[at]):
            break
        found.add(id(lines[at]))
    return found


def _is_next(row: Line, line: Line) -> bool:
    """Whether a line that is no running text is near a row, in its size."""
    down = line.y0 - row.y0
    is_near = -_ABOVE * line.size < down < _BELOW * line.size and down != 0
    alike = line.page == row.page and abs(row.size - line.size) < _ALIKE
    return is_near and alike and line.letters <= _TEXT
