"""Sheets that raters fill in, as CSV or Excel workbooks, and parsing of their cells.

Each row is an item, with its texts and a column per question. Papers and systems are not named.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from scholartools.errors import UsageFault
from scholartools.records import Record
from scholartools.table_files.guard import BYTE_ORDER_MARK, guard_cell, unguard_cell
from scholartools.table_files.libraries import extra
from scholartools.tasks.annotate.batch import Batch, Row
from scholartools.tasks.annotate.description import (
    CANDIDATES,
    NONE,
    NOTE,
    ROW,
    SIDES,
    SKIP,
    UNKNOWN_VALUE,
    Choice,
    Fault,
    Part,
    Pick,
    Question,
    Scale,
    Spans,
    Winner,
    YesNo,
    blank_fault,
    is_missing,
)
from scholartools.tasks.annotate.passages import locate_passage
from scholartools.tasks.shared.blanks import is_failed_formula

_CHOSEN = {"x": True, "yes": True, "1": True, "true": True, "no": False, "0": False, "false": False, NONE: False}
_LONGEST = 32_767  # maximum UTF-16 units per cell of a workbook
_WIDTHS = {"row": 14, "text": 60, "answer": 18}
_FRAME = {"border": 1, "border_color": "#BFBFBF"}
_EMPTY_LINE = r"(?>\r\n|\r|\n)[^\S\r\n]*+(?:(?>\r\n|\r|\n)[^\S\r\n]*+)+"
_LINE, _HIGHEST = 15.0, 409.0  # in points: line height, and maximum row height
_MISREAD = BYTE_ORDER_MARK.encode().decode("cp1252")
_DAY = datetime(1980, 1, 1)  # fixed date, for reproducible files


class Column(NamedTuple):
    """A column for answers.

    Attributes:
        heading: heading of the column.
        question: its question.
        value: the value or label, if the question has a column for each; (label,) for ratings of its passages.
        choices: entries of the drop-down list.
    """

    heading: str
    question: Question
    value: str | tuple[str] | None = None
    choices: tuple[str, ...] = ()


def columns_of(questions: Sequence[Question]) -> list[Column]:
    """Columns for the answers to questions."""
    made = []
    for question in questions:
        if isinstance(question, Choice) and question.is_many:
            made += [Column(f"{question.name}: {value} (x)", question, value, ("x",)) for value in question.values]
        elif isinstance(question, Spans):
            for label in question.labels:
                name = f"{question.name}: {label}" if len(question.labels) > 1 else question.name
                made.append(Column(f"{name} ({question.allowed})", question, label))
                if (scale := question.rated) is not None:
                    made.append(Column(f"{name}, {scale.name} ({scale.allowed}, one a line)", question, (label,)))
        else:
            made.append(Column(f"{question.name} ({question.allowed})", question, None, listed_values(question)))
    return made


def listed_values(question: Question) -> tuple[str, ...]:
    """Values of a closed question; empty for open questions and scales with many steps."""
    if isinstance(question, Scale):
        steps = round((question.high - question.low) / question.step)
        listed = tuple(f"{question.low + place * question.step:g}" for place in range(steps + 1)) if steps < 30 else ()
    elif isinstance(question, Choice):
        listed = question.values
    elif isinstance(question, (YesNo, Winner)):
        listed = tuple(question.allowed.split("; "))
    else:
        listed = ()
    return listed


def shown_texts(batch: Batch, row: Row) -> dict[str, str]:
    """Displayed texts of a row by heading, with numbered candidates or the two sides."""
    shown = {part.heading: part.text for part in row.item.parts}
    candidates = row.candidates()
    if batch.has_sides:
        shown |= {side: one.text for side, one in zip(SIDES, candidates, strict=False)}
    elif candidates:
        shown[CANDIDATES] = "\n".join(
            # on one line each, since a line of a text may start with a number
            f"{place}. {' '.join(one.text.split())}"
            for place, one in enumerate(candidates, 1)
        )
    return shown


def shown_headings(batch: Batch, rows: Sequence[Row]) -> list[str]:
    """Headings of the texts that rows display."""
    return list(dict.fromkeys(heading for row in rows for heading in shown_texts(batch, row)))


def write_csv(batch: Batch, rows: Sequence[Row], *, is_guarded: bool = True) -> bytes:
    """Write a sheet as CSV: UTF-8 with byte order mark, CRLF, protected against formula execution."""
    texts, shown = shown_headings(batch, rows), (shown_texts(batch, row) for row in rows)
    cells = ([row.mark, *(one.get(text, "") for text in texts)] for row, one in zip(rows, shown, strict=True))
    return csv_text([ROW, *texts], columns_of(batch.questions), cells, is_guarded=is_guarded).encode()


def csv_text(
    headings: Sequence[str], columns: Sequence[Column], rows: Iterable[Sequence[str]], *, is_guarded: bool = True
) -> str:
    """CSV of rows with identifier and texts, followed by empty columns for answers."""
    guard, made = guard_cell if is_guarded else str, io.StringIO()
    sheet = csv.writer(made)  # CRLF as line terminator makes the writer quote texts that contain CR or LF
    sheet.writerow([*map(guard, headings), *(guard(column.heading) for column in columns), SKIP, NOTE])
    for mark, *texts in rows:
        sheet.writerow([mark, *map(guard, texts), *[""] * len(columns), "", ""])
    return BYTE_ORDER_MARK + made.getvalue()


def write_workbook(batch: Batch, rows: Sequence[Row], guide: str) -> bytes:
    """Write an Excel workbook: texts locked, drop-down lists for answers, and the guide on a second sheet.

    Raises:
        UsageFault: xlsxwriter is not installed.
    """
    with extra("tables", "xlsxwriter"):
        import xlsxwriter
    columns = columns_of(batch.questions)
    cells = [
        {name: piece for heading, text in shown_texts(batch, row).items() for name, piece in _pieces(heading, text)}
        for row in rows
    ]
    texts = list(dict.fromkeys(name for row in cells for name in row))
    made = io.BytesIO()
    book = xlsxwriter.Workbook(made, {"in_memory": True})
    book.set_properties({"created": _DAY})
    bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
    locked = book.add_format({"text_wrap": True, "valign": "top", "bg_color": "#F2F2F2", **_FRAME})
    free = book.add_format({"text_wrap": True, "valign": "top", "locked": False, "num_format": "@", **_FRAME})
    sheet, notes, lists = (book.add_worksheet(name) for name in ("answers", "guide", "lists"))
    headings = [ROW, *texts, *(column.heading for column in columns), SKIP, NOTE]
    sheet.set_row(0, 3 * _LINE)
    for place, heading in enumerate(headings):
        sheet.write_string(0, place, heading, bold)
        kind = "row" if place == 0 else "text" if place <= len(texts) else "answer"
        sheet.set_column(place, place, _WIDTHS[kind])
    for number, (row, shown) in enumerate(zip(rows, cells, strict=True), 1):
        sheet.set_row(number, _height_of(shown.values()))
        for place, text in enumerate([row.mark, *(shown.get(name, "") for name in texts)]):
            if text.startswith("<r>") and text.endswith("</r>"):  # xlsxwriter would treat it as its own XML
                sheet.write_rich_string(number, place, text[:1], free, text[1:], locked)
            else:
                sheet.write_string(number, place, text, locked)
        for place in range(len(texts) + 1, len(headings)):
            sheet.write_blank(number, place, None, free)
    lists.hide()
    for place, column in enumerate(columns, len(texts) + 1):
        if column.choices and rows:
            _allow_choices(sheet, lists, place, column, len(rows))
    sheet.freeze_panes(1, 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.protect("", {"format_columns": True, "format_rows": True})
    _write_guide(notes, guide, bold, book.add_format({"text_wrap": True, "valign": "top"}))
    book.close()
    return made.getvalue()


def _allow_choices(sheet: Any, lists: Any, place: int, column: Column, n_rows: int) -> None:
    """Add a drop-down list to the cells of a column, with its entries in the sheet of lists."""
    from xlsxwriter.utility import xl_range_abs

    for number, value in enumerate(column.choices):
        lists.write_string(number, place, value)
    source = f"=lists!{xl_range_abs(0, place, len(column.choices) - 1, place)}"
    rule = {"validate": "list", "source": source, "error_message": column.heading[:255]}
    sheet.data_validation(1, place, n_rows, place, rule)


def _write_guide(notes: Any, guide: str, bold: Any, wrapped: Any) -> None:
    """Write one line of the guide per row, with bold headings and fitting heights."""
    notes.set_column(0, 0, 100)
    for number, line in enumerate(guide.split("\n")):
        notes.set_row(number, _height_of([line], 100))
        notes.write_string(number, 0, line.lstrip("#").strip(), bold if line.startswith("#") else wrapped)


def _height_of(texts: Iterable[str], width: int = _WIDTHS["text"]) -> float:
    """Row height in points that shows the longest text in full, up to the maximum.

    Not all spreadsheet programs adjust row heights automatically.
    """
    lines = max((sum(1 + len(line) // width for line in text.split("\n")) for text in texts), default=1)
    return min(_HIGHEST, _LINE * lines)


def _pieces(heading: str, text: str) -> Iterator[tuple[str, str]]:
    """Split a text into cells of the maximum length: "Paper", "Paper (2)"."""
    number, start, units = 1, 0, 0
    for place, character in enumerate(text):
        size = 2 if ord(character) > 0xFFFF else 1
        if units + size > _LONGEST:
            yield (heading if number == 1 else f"{heading} ({number})", text[start:place])
            number, start, units = number + 1, place, 0
        units += size
    yield (heading if number == 1 else f"{heading} ({number})", text[start:])


class Headings:
    """Assigns the columns of a filled sheet."""

    def __init__(self, batch: Batch, headings: Sequence[str], where: str) -> None:
        """Read the header of a sheet.

        Raises:
            UsageFault: the identifier column, or the column of a question, is missing.
        """
        self.columns = columns_of(batch.questions)
        self.wanted = wanted = [ROW, SKIP, NOTE, *(column.heading for column in self.columns)]
        there = {unguard_cell(heading.strip(), wanted): heading for heading in headings}
        lacking = next((name for name in (ROW, *(one.heading for one in self.columns)) if name not in there), None)
        if any(heading.startswith(_MISREAD) for heading in headings):
            raise UsageFault(f"{where}: it was opened in another character set: open the file that was sent as UTF-8")
        if {"annotation_id", "lead_time"} <= there.keys():
            raise UsageFault(f"{where}: a CSV of Label Studio, which drops what was skipped: export as JSON")
        if lacking is not None:
            raise UsageFault(f'{where}: no column "{lacking}": is it a sheet of another batch?')
        self.of = there

    def cell(self, cells: Mapping[str, Any], name: str) -> str:
        """Text in a column, empty if missing."""
        value = cells.get(self.of.get(name, ""))
        return "" if value is None else str(value).strip()


def read_answer(question: Question, cells: Mapping[Any, str], row: Row) -> Any:
    """Parse the cells of a question for :meth:`Question.check`.

    Args:
        cells: by value or label of their column; None for the only column of a question.

    Raises:
        Fault: the cells are blank or invalid.
    """
    if failed := next(filter(is_failed_formula, cells.values()), None):
        raise Fault(UNKNOWN_VALUE, f'"{failed}" is a formula that failed: write what begins with "=" as a text')
    filled = {name: cell for name, cell in cells.items() if not is_missing(question, cell)}
    if not filled:
        raise blank_fault(cells.values())
    if isinstance(question, Choice) and question.is_many:
        return _chosen_values(filled, len(cells))
    if isinstance(question, Spans):
        part = row.item.part(question.part)
        return [span for label in question.labels for span in _spans(question, filled, label, part)]
    cell = next(iter(filled.values()))
    if isinstance(question, Winner):
        return _side(cell, row)
    if isinstance(question, Pick):
        return [] if cell.casefold() == NONE else [_chosen(one, question, row) for one in _lines(cell, ";")]
    return cell


def _passages(cell: str) -> list[str]:
    """Passages in a cell, one per line; if separated by blank lines, each may have several lines."""
    blocks = [block for block in re.split(_EMPTY_LINE, cell.strip()) if block]
    found = blocks if len(blocks) > 1 else _lines(cell)
    if NONE in (folded := [one.casefold() for one in found]) and len(found) > 1:
        raise Fault(UNKNOWN_VALUE, f'"{NONE}" is given beside a passage')
    return [] if folded == [NONE] else found


def _spans(question: Spans, filled: Mapping[Any, str], label: str, part: Part) -> list[Record]:
    """Passages under a label with their ratings, of which there must be one per passage or none."""
    passages = _passages(filled.get(label, ""))
    found = [locate_passage(_without_bullet(one, part.text), part, label) for one in passages]
    ratings = [one.strip() for one in filled.get((label,), "").strip().splitlines()]
    if ratings and len(ratings) != len(passages):
        raise Fault(UNKNOWN_VALUE, f"{len(ratings)} ratings of {len(passages)} passages")
    return (
        [{**span, question.rated.name: one} for span, one in zip(found, ratings)]
        if question.rated and ratings
        else found
    )


def _without_bullet(passage: str, text: str) -> str:
    """Strip a list bullet before a passage, unless the text has it."""
    return passage if passage in text else re.sub(r"^[-*\u2022\u2013]\s+", "", passage)


def adjacent_passages(question: Question, cells: Iterable[str], value: Any, row: Row) -> str | None:
    """Note on passages that are adjacent in the text, separated like in the cell: they may be meant as one."""
    if not isinstance(question, Spans) or not isinstance(value, list):
        return None
    text, by_blocks = row.item.part(question.part).text, any(re.search(_EMPTY_LINE, cell) for cell in cells)
    for one, other in itertools.pairwise(sorted(value, key=lambda span: (span["label"], span["start"]))):
        between = text[one["end"] : other["start"]]
        is_divided = re.search(_EMPTY_LINE if by_blocks else r"[\r\n]", between)
        if one["label"] == other["label"] and is_divided and not between.strip():
            told = "two passages follow each other in the text and count as two: write one passage on one line"
            return f'{told}: "{other["text"][:60]}"'
    return None


def _chosen_values(filled: Mapping[str | None, str], n_columns: int) -> list[str | None]:
    """The marked values; empty if "none" is entered, or "no" for each value."""
    chosen = [name for name, cell in filled.items() if _is_chosen(cell)]
    is_none = any(cell.casefold() == NONE for cell in filled.values())
    if chosen and is_none:
        raise Fault(UNKNOWN_VALUE, f'"{NONE}" is given beside a marked value')
    if not (chosen or is_none or len(filled) == n_columns):
        raise Fault(UNKNOWN_VALUE, f'"no" under some of the values, and nothing under others: write "{NONE}" for none')
    return chosen


def _lines(cell: str, more: str = "") -> list[str]:
    text = cell.replace("\r\n", "\n").replace("\r", "\n")
    # The separator only applies to numbers, since a passage may contain it.
    if more and all(one.strip().isdecimal() for one in text.replace("\n", more).split(more) if one.strip()):
        text = text.replace(more, "\n")
    return [line.strip() for line in text.split("\n") if line.strip()]


def _is_chosen(cell: str) -> bool:
    if (found := _CHOSEN.get(cell.casefold())) is None:
        raise Fault(UNKNOWN_VALUE, f'"{cell}" is neither "x" nor empty')
    return found


def _side(cell: str, row: Row) -> str:
    if cell.casefold() == "tie":
        return "tie"
    place = {side.casefold(): number for number, side in enumerate(SIDES)}.get(cell.casefold())
    if place is None or place >= len(row.order):
        raise Fault(UNKNOWN_VALUE, f'"{cell}" is not a side')
    return row.order[place]


def _chosen(text: str, question: Pick, row: Row) -> Any:
    number = text.rstrip(".")
    if number.isdecimal():
        if not 1 <= int(number) <= len(row.order):
            raise Fault(UNKNOWN_VALUE, f"there is no candidate {number}")
        return row.order[int(number) - 1]
    if question.custom_in is None:
        raise Fault(UNKNOWN_VALUE, f'"{text[:60]}" is not the number of a candidate')
    return locate_passage(text, row.item.part(question.custom_in))
